//! Directives (C23 6.10): recognition and the small ones. The big ones have modules of their own.

use base::source_map::MarkerKind;
use base::{Loc, Symbol, WarningId, warning};

use super::{
    Preprocessor, assertions, conditionals, contexts, embed, expand, include, macro_log, macros, output, pragma,
    precompiled, traditional,
};
use crate::lex::encoding::Encoding;
use crate::lex::lexer::LineComments;
use crate::lex::literals::{decode_string, literal_parts};
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// Obeys the directive after the `#` token `hash`. `false` if it is none, and `#` an ordinary token
/// (assembler input).
pub(super) fn handle(pp: &mut Preprocessor<'_>, hash: Token) -> bool {
    let parsing_args = pp.state.parsing_args;
    let prevent = pp.state.prevent_expansion;
    pp.buf.lexer.in_directive = true;
    pp.state.in_directive = true;
    pp.state.parsing_args = 0;
    pp.state.prevent_expansion = u32::from(pp.buf.precompiled);
    let name = pp.buf.lexer.next();
    if parsing_args == 2 {
        let message = "embedding a directive within macro arguments is not portable";
        pp.session.pedwarn(warning::PEDANTIC, hash.loc, message).emit();
    }
    let expands = pp.options.traditional && name.is(TokenKind::Identifier) && traditional::expands(pp, name);
    let outcome = match expands {
        true => traditional::expanded_directive(pp, name, |pp| dispatch(pp, hash, name)),
        false => dispatch(pp, hash, name),
    };
    expand::discard(pp);
    pp.state.in_directive = false;
    pp.state.parsing_args = parsing_args;
    // Nothing is expanded in the text of a precompiled header.
    let entered = matches!(outcome, Outcome::Entered);
    pp.state.prevent_expansion = prevent + u32::from(entered && pp.buf.precompiled);
    match outcome {
        Outcome::Done => {
            pp.buf.lexer.end_directive();
            if !pp.state.directive_result.is_empty() {
                let tokens = std::mem::take(&mut pp.state.directive_result);
                contexts::push_tokens(pp, tokens);
            }
        }
        Outcome::Skip => {
            pp.buf.lexer.end_directive();
            match pp.options.traditional {
                true => traditional::skip_later(pp),
                false => conditionals::skip(pp),
            }
        }
        // The including file's lexer has left its directive already.
        Outcome::Entered => {}
        Outcome::NotADirective => {
            pp.buf.lexer.in_directive = false;
            pp.lookahead.push(name);
            if name.is(TokenKind::EndOfDirective) {
                pp.lookahead.pop();
            }
            return false;
        }
    }
    if pp.session.diag.stopped() {
        pp.buf.lexer.stop();
    }
    true
}

/// Definitions that this compiler has written, to the first line that is something else. They are a
/// tenth of what a small file takes, and need nothing of what directives are looked at for.
pub(super) fn definitions(pp: &mut Preprocessor<'_>) {
    while pp.buf.lexer.pass_define() {
        if macros::define_later(pp) {
            continue;
        }
        pp.buf.lexer.in_directive = true;
        pp.state.in_directive = true;
        macros::define(pp);
        expand::discard(pp);
        pp.state.in_directive = false;
        pp.buf.lexer.end_directive();
    }
}

/// What became of a directive.
pub(super) enum Outcome {
    /// It is finished; the rest of the line is of no interest.
    Done,
    /// A group to be skipped follows.
    Skip,
    /// Another file was entered.
    Entered,
    /// The line is no directive.
    NotADirective,
}

impl Outcome {
    fn skip(skip: bool) -> Outcome {
        if skip { Outcome::Skip } else { Outcome::Done }
    }
}

fn dispatch(pp: &mut Preprocessor<'_>, hash: Token, name: Token) -> Outcome {
    let assembler = pp.options.dialect.assembler;
    if pp.options.preprocessed || pp.buf.precompiled {
        return preprocessed_directive(pp, name);
    }
    match name.kind {
        TokenKind::EndOfDirective => return Outcome::Done,
        // In assembler text `# 1 comment` may be anything.
        TokenKind::Number if assembler => return Outcome::NotADirective,
        TokenKind::Number => {
            let message = "style of line directive is a GCC extension";
            pp.session.pedwarn(warning::PEDANTIC, name.loc, message).emit();
            line_marker(pp, name);
            pp.buf.mi_valid = false;
            return Outcome::Done;
        }
        TokenKind::Identifier => {}
        _ if assembler => return Outcome::NotADirective,
        // A script's first line is the system's.
        TokenKind::Bang if starts_main_file(pp, hash) => return Outcome::Done,
        _ => {
            let message = format!("invalid preprocessing directive #{}", pp.spelling(name));
            pp.session.error(name.loc, message).emit();
            return Outcome::Done;
        }
    }
    let symbol = name.symbol();
    let first = pp.buf.mi_valid;
    if !matches!(symbol, names::IF | names::IFNDEF | names::IFDEF) {
        pp.buf.mi_valid = false;
    }
    match symbol {
        names::DEFINE if pp.options.traditional => traditional::define(pp),
        names::DEFINE => macros::define(pp),
        names::UNDEF => macros::undefine(pp),
        names::INCLUDE | names::INCLUDE_NEXT | names::IMPORT => return include::directive(pp, hash, name, first),
        names::IF => return Outcome::skip(conditionals::if_(pp, name.loc)),
        names::IFDEF | names::IFNDEF => {
            return Outcome::skip(conditionals::ifdef(pp, name.loc, symbol == names::IFNDEF));
        }
        // The group before a directive that is met here was taken.
        names::ELIF => return Outcome::skip(conditionals::elif(pp, name.loc, symbol, false)),
        names::ELIFDEF | names::ELIFNDEF if knows_elifdef(pp) => {
            return Outcome::skip(conditionals::elif(pp, name.loc, symbol, false));
        }
        names::ELSE => return Outcome::skip(conditionals::else_(pp, name.loc, false)),
        names::ENDIF => return Outcome::skip(conditionals::endif(pp, name.loc, false)),
        names::LINE => line(pp),
        names::ERROR => {
            let text = rest_as_text(pp, "error");
            pp.session.error(name.loc, format!("#{text}")).emit();
        }
        names::WARNING => {
            if pp.options.dialect.standard < crate::lex::Standard::C23 {
                let message = "#warning before C2X is a GCC extension";
                pp.session.pedwarn(warning::PEDANTIC, name.loc, message).emit();
            }
            let text = rest_as_text(pp, "warning");
            pp.session.warn(warning::CPP, name.loc, format!("#{text}")).even_in_system_headers().emit();
        }
        names::PRAGMA => pragma::directive(pp, name),
        names::IDENT | names::SCCS => ident(pp, name),
        names::EMBED if !assembler => embed::directive(pp, name),
        names::ASSERT | names::UNASSERT if !assembler => {
            precompiled::refuse(pp);
            assertions::directive(pp, name, symbol == names::UNASSERT);
        }
        _ if assembler => return Outcome::NotADirective,
        _ => unknown(pp, name),
    }
    Outcome::Done
}

/// Whether a directive stands on the first line of the main file.
fn starts_main_file(pp: &Preprocessor<'_>, hash: Token) -> bool {
    pp.session.sources.presumed(hash.loc).is_some_and(|place| place.file == pp.main_name && place.line == 1)
}

/// Whether `#elifdef` exists: in C23 and in GNU modes.
pub(super) fn knows_elifdef(pp: &Preprocessor<'_>) -> bool {
    pp.options.dialect.gnu || pp.options.dialect.c23()
}

fn unknown(pp: &Preprocessor<'_>, name: Token) {
    const KNOWN: &[&str] = &[
        "define",
        "undef",
        "include",
        "include_next",
        "import",
        "if",
        "ifdef",
        "ifndef",
        "elif",
        "else",
        "endif",
        "line",
        "error",
        "warning",
        "pragma",
        "ident",
        "embed",
        "elifdef",
        "elifndef",
    ];
    let text = pp.session.str(name.symbol());
    match base::spelling::closest(text, KNOWN.iter().copied()) {
        Some(known) => {
            let message = format!("invalid preprocessing directive #{text}; did you mean #{known}?");
            pp.session.error(name.loc, message).fixit(name.loc, known).emit();
        }
        None => drop(pp.session.error(name.loc, format!("invalid preprocessing directive #{text}")).emit()),
    }
}

/// Directives in text that is preprocessed already: line markers and pragmas only, and macros where
/// only directives have been obeyed.
fn preprocessed_directive(pp: &mut Preprocessor<'_>, name: Token) -> Outcome {
    let defines = pp.buf.precompiled || pp.options.directives_only;
    match name.kind {
        TokenKind::Number => line_marker(pp, name),
        TokenKind::Identifier => match name.symbol() {
            names::PRAGMA => pragma::directive(pp, name),
            names::IDENT | names::SCCS => ident(pp, name),
            names::LINE => line(pp),
            names::DEFINE if defines => macros::define(pp),
            names::UNDEF if defines => macros::undefine(pp),
            // Left in by -dD.
            names::DEFINE => macros::remember(pp),
            names::UNDEF => macros::remember_undefined(pp),
            _ => return Outcome::NotADirective,
        },
        TokenKind::EndOfDirective => {}
        _ => return Outcome::NotADirective,
    }
    Outcome::Done
}

/// Reports tokens left on the line of `directive`.
pub(super) fn expect_end(pp: &mut Preprocessor<'_>, directive: &str) {
    let token = pp.raw_token();
    if !token.is(TokenKind::EndOfDirective) {
        let message = format!("extra tokens at end of #{directive} directive");
        pp.session.pedwarn_always(token.loc, message).emit();
    }
}

/// Likewise, under a flag.
pub(super) fn expect_end_warning(pp: &mut Preprocessor<'_>, directive: &str, flag: WarningId) {
    let token = pp.raw_token();
    if !token.is(TokenKind::EndOfDirective) && !pp.options.dialect.assembler {
        let message = format!("extra tokens at end of #{directive} directive");
        pp.session.pedwarn(flag, token.loc, message).emit();
    }
}

/// The directive's line as text, runs of white space being one space.
fn rest_as_text(pp: &mut Preprocessor<'_>, directive: &str) -> String {
    let mut text = directive.as_bytes().to_vec();
    loop {
        let token = pp.raw_token();
        if token.is(TokenKind::EndOfDirective) {
            return String::from_utf8_lossy(&text).into_owned();
        }
        if token.flags.has(TokenFlags::LEADING_SPACE) {
            text.push(b' ');
        }
        pp.spell(token, &mut text);
    }
}

/// `#line digits ["file"]`
fn line(pp: &mut Preprocessor<'_>) {
    let number = pp.expanded_token();
    let text = pp.spelling(number);
    let separated =
        pp.options.dialect.c23() && !text.starts_with('\'') && !text.ends_with('\'') && !text.contains("''");
    let text = if separated { text.replace('\'', "") } else { text };
    let digits = number.is(TokenKind::Number) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits {
        if number.is(TokenKind::EndOfDirective) {
            pp.session.error(number.loc, "unexpected end of file after #line").emit();
        } else {
            let message = format!("\"{text}\" after #line is not a positive integer");
            pp.session.error(number.loc, message).emit();
        }
        return;
    }
    let value = text.parse::<u64>().unwrap_or(u64::MAX);
    let limit = if pp.options.dialect.standard >= crate::lex::Standard::C99 { 0x7fff_ffff } else { 0x7fff };
    if value == 0 || value > limit {
        pp.session.pedwarn(warning::PEDANTIC, number.loc, "line number out of range").emit();
    }
    let name = pp.expanded_token();
    let current = pp.session.sources.presumed(number.loc);
    let mut file = current.map_or(pp.buf.name, |place| place.file);
    match name.kind {
        TokenKind::EndOfDirective => {}
        TokenKind::String => match file_name(pp, name) {
            Some(symbol) => {
                file = symbol;
                expect_end(pp, "line");
            }
            None => return,
        },
        _ => {
            let message = format!("invalid filename \"{}\"", pp.spelling(name));
            pp.session.error(name.loc, message).emit();
            return;
        }
    }
    let system = pp.buf.system;
    let at = traditional::line_end(pp);
    mark(pp, at, value as u32, file, system, MarkerKind::Rename);
}

/// The contents of a string literal that names a file.
fn file_name(pp: &Preprocessor<'_>, token: Token) -> Option<Symbol> {
    let spelling = pp.session.interner.resolve_bytes(token.symbol());
    let (encoding, raw, _) = literal_parts(spelling);
    if encoding != Encoding::Plain || raw {
        let message = format!("invalid filename \"{}\"", String::from_utf8_lossy(spelling));
        pp.session.error(token.loc, message).emit();
        return None;
    }
    let mut name = Vec::new();
    decode_string(spelling, Encoding::Plain, None, &mut name, &mut Vec::new());
    Some(pp.session.interner.intern_bytes(&name))
}

/// `# digits "file" flags`, as preprocessors write it.
fn line_marker(pp: &mut Preprocessor<'_>, number: Token) {
    let text = pp.session.str(number.symbol());
    let Ok(value) = text.parse::<u32>() else {
        let message = format!("\"{text}\" after # is not a positive integer");
        pp.session.error(number.loc, message).emit();
        return;
    };
    let name = pp.raw_token();
    let mut file = pp.session.sources.presumed(number.loc).map_or(pp.buf.name, |place| place.file);
    let mut kind = MarkerKind::Rename;
    let mut system = pp.session.sources.in_system_header(number.loc);
    match name.kind {
        TokenKind::EndOfDirective => {}
        TokenKind::String => {
            let Some(symbol) = file_name(pp, name) else { return };
            file = symbol;
            system = false;
            let mut before = 0;
            loop {
                let flag = pp.raw_token();
                if flag.is(TokenKind::EndOfDirective) {
                    break;
                }
                let text = pp.spelling(flag);
                match text.as_str() {
                    "1" if before == 0 => kind = MarkerKind::Enter,
                    "2" if before == 0 => kind = MarkerKind::Return,
                    "3" if before < 3 => system = true,
                    "4" if before == 3 => {}
                    _ => {
                        let message = format!("invalid flag \"{text}\" in line directive");
                        pp.session.error(flag.loc, message).emit();
                        return;
                    }
                }
                before = text.parse().unwrap_or(9);
            }
        }
        _ => {
            let message = format!("invalid filename \"{}\"", pp.spelling(name));
            pp.session.error(name.loc, message).emit();
            return;
        }
    }
    let at = pp.buf.lexer.loc();
    mark(pp, at, value, file, system, kind);
}

fn mark(pp: &mut Preprocessor<'_>, at: Loc, line: u32, file: Symbol, system: bool, kind: MarkerKind) {
    pp.session.sources.mark_line(at, line, file, system, kind);
    pp.buf.system = system;
    if !pp.options.traditional {
        pp.buf.lexer.line_comments = LineComments::new(&pp.options.dialect, system);
    }
    output::file_renamed(pp, line, file, system, kind);
    macro_log::file_renamed(pp, at, file, kind);
}

/// `#ident "text"` and `#sccs "text"`
fn ident(pp: &mut Preprocessor<'_>, name: Token) {
    let token = pp.expanded_token();
    let directive = pp.session.str(name.symbol());
    if !token.is(TokenKind::String) {
        pp.session.error(name.loc, format!("invalid #{directive} directive")).emit();
        return;
    }
    expect_end(pp, directive);
    pp.idents.push(token.symbol());
    output::ident(pp, name.loc, token);
}
