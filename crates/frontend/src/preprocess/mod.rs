//! Preprocessing (translation phase 4): directives, macro expansion, includes, conditionals,
//! predefined macros, pragmas.
//!
//! ```text
//! lex::lexer ── lex_token ── expand::get_token ── next_token ── parser
//!                  │ `#` at the beginning of a line            └─ output (-E)
//!               directives ─ conditionals ─ expression, include, embed, macros, pragma
//! ```
//!
//! A use, by the driver:
//!
//! ```text
//! let session = lex::new_session();
//! let mut pp = Preprocessor::new(&session, options, include_paths);
//! if pp.enter_main_file("a.c") { parse(&mut pp) }            // pulls pp.next_token()
//! // or, for -E:
//! if pp.enter_main_file("a.c") { pp.write_preprocessed(&mut out)? }
//! // and for -M..-MMD, at the end:
//! out.write_all(pp.dependencies_text().as_bytes())
//! ```
//!
//! The state of the whole is one [`Preprocessor`]; the modules are free functions over it. Nothing
//! recurses to a depth decided by the input: files, conditionals, macro contexts and argument
//! expansions are stacks of their own.

mod assertions;
mod builtins;
mod conditionals;
mod contexts;
mod date;
mod dependencies;
mod directives;
mod embed;
mod expand;
mod expression;
pub mod features;
mod files;
mod headers;
mod include;
mod macro_log;
mod macros;
mod optimize_macros;
pub mod options;
mod output;
mod pragma;
mod precompiled;
mod predefined;
mod search_paths;
mod shared_files;
mod substitute;
mod target_macros;
mod traditional;

pub use options::{Action, DependencyOptions, DumpMacros, IncludePaths, Options, OutputOptions, TargetMacros};
pub use pragma::PragmaKind;
pub use search_paths::SearchPaths;
pub use shared_files::{SharedFiles, SharedText};

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use base::source_map::SourceText;
use base::{Loc, Session, Symbol};

use crate::lex::lexer::Lexer;
use crate::lex::names::{KEYWORD_COUNT, keyword_table};
use crate::lex::scan::Switches;
use crate::lex::{Token, TokenFlags, TokenKind};

/// gcc's limit on nested includes.
const DEFAULT_INCLUDE_DEPTH: u32 = 200;

/// Turns one translation unit into tokens.
pub struct Preprocessor<'s> {
    session: &'s Session,
    options: Options,
    switches: Switches,
    keywords: Vec<TokenKind>,
    macros: macros::MacroTable,
    /// The file being read, and those that included it, outermost first.
    buf: Buffer<'s>,
    outer: Vec<Buffer<'s>>,
    /// Files to be read when the current ones are finished: `-include`s and the main file.
    pending: VecDeque<Pending>,
    contexts: Vec<contexts::Context>,
    #[expect(clippy::vec_box, reason = "frames go from list to list, and are large")]
    frames: Vec<Box<expand::Frame>>,
    /// Frames that are done, for reuse.
    #[expect(clippy::vec_box, reason = "as above")]
    spare_frames: Vec<Box<expand::Frame>>,
    /// Number of tokens the frames hold.
    pending_tokens: usize,
    /// Tokens that macros have expanded to.
    macro_tokens: u64,
    /// A token of the file given back.
    lookahead: Vec<Token>,
    assertions: assertions::Assertions,
    conditionals: Vec<conditionals::Conditional>,
    state: State,
    files: files::Files,
    shared_files: Option<Arc<SharedFiles>>,
    search: SearchPaths,
    embeds: Vec<Box<[u8]>>,
    idents: Vec<Symbol>,
    pool: Vec<Vec<Token>>,
    scratch: Vec<u8>,
    printer: Option<Box<output::Printer>>,
    dependencies: dependencies::Dependencies,
    main_name: Symbol,
    /// Positions below this are in the predefined macros and the command line.
    pseudo_end: Loc,
    counter: u64,
    date: Option<date::Stamp>,
    /// Answers `__has_builtin` and `__has_attribute`.
    features: features::Features,
    optimize_options: optimize_macros::OptimizeOptions,
    target_features: target_macros::TargetFeatures,
    traditional: traditional::Traditional,
    /// When a header is precompiled: what its text depends on, known where the text begins.
    precompiled: Option<u64>,
    refuses_precompiling: bool,
}

/// One inclusion being read.
struct Buffer<'s> {
    lexer: Lexer<'s>,
    /// The record of the file, if it is one.
    file: Option<files::FileId>,
    name: Symbol,
    /// Directory of the file, as spelled, for `#include "..."`.
    directory: String,
    /// Index in the search path of the directory it was found in, for `#include_next`.
    found_in: Option<usize>,
    system: bool,
    /// Number of conditionals open when it was entered.
    conditional_base: usize,
    /// Nothing outside a guarding conditional was seen so far.
    mi_valid: bool,
    /// The macro of the conditional that may guard the whole file.
    mi_guard: Option<Symbol>,
    /// `Eof` is given at its end instead of going on with the includer.
    return_at_end: bool,
    /// The text of a precompiled header: definitions, line markers, pragmas, expanded text.
    precompiled: bool,
    /// When it was entered, for `-ftime-trace`.
    entered: Option<Instant>,
}

/// A file to be read before, or as, the main file.
enum Pending {
    /// `stdc-predef.h`, if there is one.
    Predefined,
    /// `-include`
    Include(String),
    /// The main file.
    Main(files::FileId, String),
}

#[derive(Default)]
struct State {
    in_directive: bool,
    /// In `#include` with macros: spaces matter.
    directive_wants_padding: bool,
    /// Names are not expanded while this is not 0.
    prevent_expansion: u32,
    /// 1: looking for the parenthesis after a function-like macro's name; 2: reading its arguments.
    parsing_args: u8,
    /// `__VA_ARGS__` may be named.
    va_args_ok: bool,
    /// In the controlling expression of a conditional.
    in_condition: bool,
    /// The end of the main file was reached.
    finished: bool,
    /// Whether there is a precompiled form of the first header was asked.
    precompiled_considered: bool,
    /// Tokens a directive wants to be read after it.
    directive_result: Vec<Token>,
}

impl<'s> Preprocessor<'s> {
    /// A preprocessor with no input yet; see [`Preprocessor::enter_main_file`]. The session must
    /// come from [`crate::lex::new_session`].
    pub fn new(session: &'s Session, options: Options, paths: IncludePaths) -> Preprocessor<'s> {
        let switches = Switches::new(&options.dialect);
        let search = SearchPaths::new(&paths);
        let printer = options.output.clone().map(|output| Box::new(output::Printer::new(output)));
        Preprocessor {
            session,
            switches,
            keywords: keyword_table(&options.dialect),
            macros: macros::MacroTable::new(),
            buf: Buffer {
                lexer: Lexer::new(session, b"\0", Loc::NONE, switches),
                file: None,
                name: crate::lex::names::EMPTY,
                directory: String::new(),
                found_in: None,
                system: false,
                conditional_base: 0,
                mi_valid: false,
                mi_guard: None,
                return_at_end: true,
                precompiled: false,
                entered: None,
            },
            outer: Vec::new(),
            pending: VecDeque::new(),
            contexts: Vec::new(),
            frames: Vec::new(),
            spare_frames: Vec::new(),
            pending_tokens: 0,
            macro_tokens: 0,
            lookahead: Vec::new(),
            assertions: assertions::Assertions::new(!options.undef),
            conditionals: Vec::new(),
            state: State::default(),
            files: files::Files::default(),
            shared_files: None,
            search,
            embeds: Vec::new(),
            idents: Vec::new(),
            pool: Vec::new(),
            scratch: Vec::new(),
            printer,
            dependencies: dependencies::Dependencies::default(),
            main_name: crate::lex::names::EMPTY,
            pseudo_end: Loc::NONE,
            counter: 0,
            date: None,
            features: features::Features::default(),
            optimize_options: optimize_macros::OptimizeOptions::default(),
            target_features: target_macros::TargetFeatures::default(),
            traditional: traditional::Traditional::default(),
            precompiled: None,
            refuses_precompiling: false,
            options,
        }
    }

    /// Lets headers come from, and stay in, a memory that other translation units have too. Before
    /// the main file is entered.
    pub fn share_files(&mut self, files: Arc<SharedFiles>) {
        self.shared_files = Some(files);
    }

    /// Says who knows about builtins and attributes; the default is the list in [`features`].
    pub fn set_features(&mut self, features: features::Features) {
        self.features = features;
    }

    /// Opens the main file ("-" is standard input), defines the predefined macros, obeys `-D`, `-U`
    /// and `-imacros`, and queues `-include`. A file that cannot be read is reported as a fatal
    /// error, and the answer is `false`.
    pub fn enter_main_file(&mut self, path: &str) -> bool {
        include::enter_main_file(self, path)
    }

    /// As [`Preprocessor::enter_main_file`], for text that is in memory already.
    pub fn enter_main_text(&mut self, name: &str, text: base::source_map::SourceText) -> bool {
        include::enter_main_text(self, name, text)
    }

    /// The next token of the language: macros expanded, keywords recognised, pragmas for the parser
    /// as [`TokenKind::Pragma`] sequences. After the end, or a fatal error, `Eof` for ever.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        loop {
            let mut token = expand::get_token(self);
            match token.kind {
                TokenKind::Identifier if token.payload < KEYWORD_COUNT => {
                    token.kind = self.keywords[token.payload as usize];
                    return token;
                }
                TokenKind::Padding | TokenKind::Comment => {}
                _ => return token,
            }
        }
    }

    /// Appends the next tokens of the language, up to `limit` of them in the list, as far as they
    /// come from the innermost expansion as they stand in it.
    #[inline]
    pub fn plain_tokens(&mut self, tokens: &mut Vec<Token>, limit: usize) {
        if self.contexts.is_empty() {
            return;
        }
        let keywords = std::mem::take(&mut self.keywords);
        contexts::each_plain(self, |mut token| {
            if tokens.len() == limit {
                return false;
            }
            match token.kind {
                TokenKind::Padding | TokenKind::Comment => return true,
                TokenKind::Identifier if token.payload < KEYWORD_COUNT => {
                    token.kind = keywords[token.payload as usize];
                }
                _ => {}
            }
            tokens.push(token);
            true
        });
        self.keywords = keywords;
    }

    /// Writes the result of `-E`: the whole translation unit. Ends early when an error of writing
    /// occurs.
    pub fn write_preprocessed(&mut self, out: &mut dyn Write) -> io::Result<()> {
        output::run(self, out)
    }

    /// What stands before the text of [`Preprocessor::write_preprocessed`] in the precompiled form
    /// of the header `main`, under [`Options::precompile`].
    pub fn precompiled_head(&mut self, main: &std::path::Path) -> Vec<u8> {
        precompiled::head(self, main)
    }

    /// What preprocessed text, which is about to be read, says of itself in its first two lines:
    /// the name of the file it was made from, and the working directory (`-fworking-directory`).
    pub fn original_names(&self) -> (Option<String>, Option<String>) {
        include::original_names(self)
    }

    /// The dependency output (`-M` and its siblings), to be asked for after the last token.
    pub fn dependencies_text(&self) -> String {
        self.dependencies.text(&self.options.dependencies)
    }

    /// The bytes of an `Embed` token.
    pub fn embed_data(&self, token: Token) -> &[u8] {
        &self.embeds[token.payload as usize]
    }

    /// The strings of `#ident` directives so far (whole literals), for the object's comment
    /// section.
    pub fn idents(&self) -> &[Symbol] {
        &self.idents
    }

    /// The session this preprocessor reports to.
    pub fn session(&self) -> &'s Session {
        self.session
    }

    /// The options it runs under (dialect and so on).
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether `name` is currently a macro.
    pub fn is_defined(&self, name: &str) -> bool {
        self.session.interner.find(name.as_bytes()).is_some_and(|name| self.macros.defined(name).is_some())
    }

    /// Appends the spelling of a token.
    pub fn spell(&self, token: Token, out: &mut Vec<u8>) {
        match token.kind {
            TokenKind::Identifier
            | TokenKind::Number
            | TokenKind::Char
            | TokenKind::String
            | TokenKind::Other
            | TokenKind::HeaderName
            | TokenKind::Comment => out.extend_from_slice(self.session.interner.resolve_bytes(token.symbol())),
            kind if kind.is_keyword() => out.extend_from_slice(self.session.interner.resolve_bytes(token.symbol())),
            TokenKind::Embed => embed::spell(&self.embeds[token.payload as usize], out),
            kind => out.extend_from_slice(punctuator_text(kind, token.flags).as_bytes()),
        }
    }

    /// The spelling of a token, for messages.
    pub fn spelling(&self, token: Token) -> String {
        let mut out = Vec::new();
        self.spell(token, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// A token of the file, without macro expansion.
    fn raw_token(&mut self) -> Token {
        self.state.prevent_expansion += 1;
        let token = match self.state.in_directive {
            // A directive's tokens come from the file alone, and what `lex_token` does besides is
            // not wanted there.
            true if self.contexts.is_empty() => match self.lookahead.pop() {
                Some(token) => token,
                None => self.buf.lexer.next(),
            },
            _ => expand::get_token(self),
        };
        self.state.prevent_expansion -= 1;
        token
    }

    /// The next token after macro expansion, without padding.
    fn expanded_token(&mut self) -> Token {
        loop {
            let token = expand::get_token(self);
            if !token.is(TokenKind::Padding) {
                return token;
            }
        }
    }

    fn fresh_buffer(&mut self) -> Vec<Token> {
        self.pool.pop().unwrap_or_default()
    }

    fn recycle(&mut self, mut buffer: Vec<Token>) {
        if buffer.capacity() != 0 && self.pool.len() < POOL_LIMIT {
            buffer.clear();
            self.pool.push(buffer);
        }
    }

    /// Reads a text that is no file: predefined macros, the command line. It consists of directives
    /// only.
    fn run_text(&mut self, name: &str, text: Vec<u8>, system: bool) {
        let name = self.session.intern(name);
        let source = self.session.sources.add_source(SourceText::from_vec(text));
        let Some(base) = self.session.sources.include(source, name, Loc::NONE, system) else { return };
        let lexer = Lexer::new(self.session, self.session.sources.bytes(source), base, self.switches);
        let buffer = Buffer {
            lexer,
            file: None,
            name,
            directory: String::new(),
            found_in: None,
            system,
            conditional_base: self.conditionals.len(),
            mi_valid: false,
            mi_guard: None,
            return_at_end: true,
            precompiled: false,
            entered: None,
        };
        let before = std::mem::replace(&mut self.buf, buffer);
        if self.options.traditional {
            traditional::read(self);
        } else {
            if system {
                directives::definitions(self);
            }
            while !lex_token(self).is(TokenKind::Eof) {}
        }
        self.pseudo_end = self.buf.lexer.loc();
        self.buf = before;
    }
}

/// Buffers kept for reuse: more than the usual nesting of expansions needs no more.
const POOL_LIMIT: usize = 64;

/// The next token of the current file, after obeying directives; goes on with the includer at the
/// end of a file.
#[inline(always)]
fn lex_token(pp: &mut Preprocessor<'_>) -> Token {
    if !pp.lookahead.is_empty() || pp.state.in_directive {
        return lex_any_token(pp, None);
    }
    let token = pp.buf.lexer.next();
    // Nearly all of a program is this: a token within a line.
    if token.flags.has(TokenFlags::START_OF_LINE) || token.is(TokenKind::Eof) {
        return lex_any_token(pp, Some(token));
    }
    pp.buf.mi_valid = false;
    token
}

/// As [`lex_token`], whatever the token, of which the first may have been read already.
fn lex_any_token(pp: &mut Preprocessor<'_>, mut first: Option<Token>) -> Token {
    loop {
        let mut token = match first.take().or_else(|| pp.lookahead.pop()) {
            Some(token) => token,
            None => pp.buf.lexer.next(),
        };
        if pp.state.in_directive {
            return token;
        }
        if token.flags.has(TokenFlags::START_OF_LINE) {
            if token.is(TokenKind::Hash) && pp.state.parsing_args != 1 && directives::handle(pp, token) {
                if !pp.contexts.is_empty() {
                    // A pragma left its tokens to be read.
                    return contexts::padding();
                }
                continue;
            }
            if token.is(TokenKind::Eof) {
                if pp.state.parsing_args != 0 || !include::leave(pp) {
                    return token;
                }
                continue;
            }
            if pp.state.parsing_args == 2 {
                token.flags = token.flags.with(TokenFlags::LEADING_SPACE);
            }
            if pp.printer.is_some() {
                output::line_change(pp, token);
            }
        } else if token.is(TokenKind::Eof) {
            if pp.state.parsing_args != 0 || !include::leave(pp) {
                return token;
            }
            continue;
        }
        pp.buf.mi_valid = false;
        return token;
    }
}

fn punctuator_text(kind: TokenKind, flags: TokenFlags) -> &'static str {
    if flags.has(TokenFlags::DIGRAPH) {
        match kind {
            TokenKind::LeftBracket => return "<:",
            TokenKind::RightBracket => return ":>",
            TokenKind::LeftBrace => return "<%",
            TokenKind::RightBrace => return "%>",
            TokenKind::Hash => return "%:",
            TokenKind::HashHash => return "%:%:",
            _ => {}
        }
    }
    kind.text().unwrap_or("")
}
