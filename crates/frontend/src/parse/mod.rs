//! Recursive descent over the grammar of C23 Annex A with GNU C's additions; one function per
//! production, named after it.
//!
//! The functions hold grammar only: each calls the semantic action of what it has recognised, and
//! the typed tree comes back. They look at one token, at two for labels, casts and attributes.
//!
//! Errors: the first syntax error of a statement or declaration is reported, then tokens are
//! skipped to a place where one may begin; in between further syntax errors are not reported
//! ([`Parser::panicking`]). Nesting is counted and limited by `-fbracket-depth=`; chains that are
//! long in practice (binary operators, `else if`, prefix operators, declarator suffixes, labels)
//! are loops and do not count.

pub mod asm;
pub mod attributes;
pub mod declarations;
pub mod declarators;
pub mod expressions;
pub mod functions;
pub mod has_attribute;
pub mod initializers;
mod loop_pragmas;
pub mod parameters;
pub mod pragmas;
pub mod primary;
pub mod records;
mod selection_and_iteration;
pub mod specifiers;
pub mod statements;
pub mod tokens;
pub mod type_names;
mod type_specifiers;
pub mod unit;
mod unit_helpers;
mod vector_variants;

use base::{Loc, Symbol};
use bumpalo::Bump;

use crate::lex::{Token, TokenKind};
use crate::sema::{Sema, State};
use crate::tree::{Name, Stmt};

pub use tokens::{TokenSource, Tokens};
pub use unit::{CheckOnly, translation_unit};

/// The parser of one external declaration.
pub struct Parser<'x, 'a> {
    /// Semantic analysis: what the actions work on.
    pub cx: Sema<'x, 'a>,
    /// The input.
    pub tokens: Box<Tokens<'x>>,
    /// The current token.
    pub tok: Token,
    /// Location of the token before the current one.
    pub previous: Loc,
    /// A syntax error has been reported and the input not been resynchronised yet.
    pub panicking: bool,
    /// Open brackets, blocks and declarators.
    pub depth: u32,
    /// Labels directly before the current token: names of the loop or switch that may follow.
    pub statement_names: smallvec::SmallVec<[base::Symbol; 1]>,
    /// The statement that falls into a label, and the label, if a `while` follows whose condition
    /// will say whether that matters.
    pub falls_into_loop: Option<(base::Loc, base::Loc)>,
    /// The pragma about a loop that stands before the current token, which is `for`.
    pub loop_pragma: Option<&'static str>,
    /// `[*]` stood in the parameter list being read.
    pub unspecified_length: bool,
    /// Definitions this external declaration has produced.
    pub finished: Vec<unit::External<'a>>,
    /// `-Wc++-compat` looks at names.
    names_matter: bool,
    /// Empty lists of statements, for reuse.
    spare_lists: Vec<Vec<Stmt<'a>>>,
}

impl<'x, 'a> Parser<'x, 'a> {
    /// A parser at the current token of `tokens`.
    pub fn new(state: Box<State<'x>>, tokens: Box<Tokens<'x>>, arena: &'a Bump) -> Parser<'x, 'a> {
        let tok = tokens.current;
        let cx = Sema::new(state, arena);
        Parser {
            names_matter: cx.sess.diag.is_on_somewhere(base::warning::CXX_COMPAT),
            cx,
            tokens,
            tok,
            previous: Loc::NONE,
            panicking: false,
            loop_pragma: None,
            depth: 0,
            statement_names: smallvec::SmallVec::new(),
            falls_into_loop: None,
            unspecified_length: false,
            finished: Vec::new(),
            spare_lists: Vec::new(),
        }
    }

    /// An empty list of statements.
    #[inline]
    fn statement_list(&mut self) -> Vec<Stmt<'a>> {
        self.spare_lists.pop().unwrap_or_default()
    }

    /// Takes back a list whose statements have been copied.
    #[inline]
    fn recycle_statements(&mut self, mut list: Vec<Stmt<'a>>) {
        list.clear();
        self.spare_lists.push(list);
    }

    /// Gives back what outlives the external declaration.
    pub fn into_parts(mut self) -> (Box<State<'x>>, Box<Tokens<'x>>, Vec<unit::External<'a>>) {
        self.tokens.current = self.tok;
        (self.cx.state, self.tokens, self.finished)
    }

    /// The next token becomes the current one. Pragmas on the way take effect.
    #[inline]
    pub fn bump(&mut self) {
        self.previous = self.tok.loc;
        self.tok = self.tokens.next();
        if self.tok.kind == TokenKind::Pragma {
            pragmas::pragma(self);
        }
        if self.names_matter && self.tok.kind == TokenKind::Identifier {
            crate::sema::lints::name_read(&self.cx, self.tok.symbol(), self.tok.loc);
        }
    }

    /// The current token's kind is `kind`.
    #[inline]
    pub fn at(&self, kind: TokenKind) -> bool {
        self.tok.kind == kind
    }

    /// The token after the current one.
    #[inline]
    pub fn peek(&mut self) -> Token {
        self.tokens.peek(0)
    }

    /// Consumes the current token if it is of this kind.
    #[inline]
    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.tok.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token of this kind, or reports its absence.
    #[inline]
    pub fn expect(&mut self, kind: TokenKind) -> bool {
        if self.tok.kind == kind {
            // The end of a statement or declaration: what follows can be trusted again.
            if kind == TokenKind::Semicolon {
                self.panicking = false;
            }
            self.bump();
            return true;
        }
        self.missing(kind.text(), &kind.to_string());
        false
    }

    /// `expected <what> before <token>`, at the end of the token before, where `text` is to be
    /// inserted, unless already recovering.
    #[cold]
    pub fn missing(&mut self, text: Option<&str>, what: &str) {
        let place = text.zip(self.cx.sess.sources.after_token(self.previous));
        let Some((text, at)) = place.filter(|_| !self.panicking) else { return self.expected(what) };
        self.panicking = true;
        let message = format!("expected {what} {}", self.describe_token());
        self.cx.sess.error(at, message).span(self.tok.loc).fixit_insert(at, text).emit();
    }

    /// `expected <what> before <token>`, unless already recovering.
    #[cold]
    pub fn expected(&mut self, what: &str) {
        let message = format!("expected {what} {}", self.describe_token());
        self.syntax_error(message);
    }

    /// gcc's words for the place of the current token.
    pub fn describe_token(&self) -> String {
        match self.tok.kind {
            TokenKind::Eof => "at end of input".to_string(),
            TokenKind::Number => "before numeric constant".to_string(),
            TokenKind::String => "before string constant".to_string(),
            TokenKind::Pragma | TokenKind::PragmaEnd => "before '#pragma'".to_string(),
            TokenKind::Identifier | TokenKind::Char | TokenKind::Other => {
                format!("before '{}'", self.cx.str(self.tok.symbol()))
            }
            kind if kind.is_keyword() => format!("before '{}'", self.cx.str(self.tok.symbol())),
            kind => format!("before '{}' token", kind.text().unwrap_or("?")),
        }
    }

    /// Reports a syntax error at the current token, unless already recovering.
    #[cold]
    pub fn syntax_error(&mut self, message: String) {
        if !self.panicking {
            self.panicking = true;
            // The end of the input is in no line: the last token is shown.
            let at_end = self.tok.loc.is_none() || self.tok.kind == TokenKind::Eof && !self.previous.is_none();
            let loc = if at_end { self.previous } else { self.tok.loc };
            self.cx.error(loc, message);
        }
    }

    /// The input ends in the block that begins with the brace at `brace`.
    #[cold]
    pub fn unclosed(&mut self, brace: Loc) {
        if !self.panicking {
            self.panicking = true;
            let loc = if self.previous.is_none() { self.tok.loc } else { self.previous };
            let message = "expected declaration or statement at end of input";
            self.cx.sess.error(loc, message).note(brace, "to match this '{'").emit();
        }
    }

    /// The current token, an identifier, stands where a type must.
    #[cold]
    pub fn unknown_type(&mut self) {
        if !self.panicking {
            self.panicking = true;
            crate::sema::suggestions::unknown_type(&self.cx, self.name());
        }
    }

    /// An identifier, or an error.
    pub fn identifier(&mut self) -> Option<Name> {
        if self.tok.kind == TokenKind::Identifier {
            let name = self.name();
            self.bump();
            return Some(name);
        }
        self.expected("identifier");
        None
    }

    /// The current token as a name.
    pub fn name(&self) -> Name {
        Name { symbol: self.tok.symbol(), loc: self.tok.loc }
    }

    /// Enters a nested construct. False, with a fatal error, when the limit is reached.
    pub fn enter(&mut self) -> bool {
        self.depth += 1;
        let limit = self.cx.lang.bracket_depth;
        if self.depth <= limit {
            return true;
        }
        if self.depth == limit + 1 {
            let message =
                format!("nesting level exceeded the limit of {limit} brackets; use '-fbracket-depth=N' to change it");
            self.cx.sess.fatal(self.tok.loc, message).emit();
        }
        self.panicking = true;
        self.tokens.stop();
        self.tok.kind = TokenKind::Eof;
        false
    }

    /// Leaves what [`Parser::enter`] entered.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Skips to a token of one of `kinds` at the current bracket level, not beyond a `;` or an
    /// unmatched closing bracket.
    pub fn skip_to(&mut self, kinds: &[TokenKind]) {
        let mut level = 0u32;
        loop {
            let kind = self.tok.kind;
            if kind == TokenKind::Eof || (level == 0 && kinds.contains(&kind)) {
                return;
            }
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => level += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    if level == 0 {
                        return;
                    }
                    level -= 1;
                }
                TokenKind::Semicolon if level == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips tokens up to the closing bracket of what is open here.
    pub fn skip_balanced(&mut self) {
        let mut level = 0u32;
        while self.tok.kind != TokenKind::Eof {
            match self.tok.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => level += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace if level == 0 => return,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => level -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// After an error in a statement or declaration: skips past its `;`, or to the `}` that ends
    /// the block, or past a balanced `{...}`. Outside of functions statements' keywords are skipped
    /// like anything else: nothing there would take them.
    pub fn synchronise(&mut self) {
        let in_function = !self.cx.at_file_scope();
        let mut level = 0u32;
        loop {
            match self.tok.kind {
                TokenKind::Eof => break,
                TokenKind::LeftBrace | TokenKind::LeftParen | TokenKind::LeftBracket => level += 1,
                TokenKind::RightBrace => {
                    if level <= 1 {
                        if level == 1 {
                            self.bump();
                            self.eat(TokenKind::Semicolon);
                        }
                        break;
                    }
                    level -= 1;
                }
                TokenKind::RightParen | TokenKind::RightBracket => level = level.saturating_sub(1),
                TokenKind::Semicolon if level == 0 => {
                    self.bump();
                    break;
                }
                // A keyword that begins a statement on its own: the `;` was forgotten.
                TokenKind::KwIf
                | TokenKind::KwFor
                | TokenKind::KwWhile
                | TokenKind::KwReturn
                | TokenKind::KwSwitch
                | TokenKind::KwBreak
                    if level == 0 && in_function =>
                {
                    break;
                }
                _ => {}
            }
            self.bump();
        }
        self.panicking = false;
    }

    /// String literals in a row.
    pub fn string_tokens(&mut self) -> smallvec::SmallVec<[(Symbol, Loc); 4]> {
        let mut list = smallvec::SmallVec::new();
        while self.tok.kind == TokenKind::String {
            list.push((self.tok.symbol(), self.tok.loc));
            self.bump();
        }
        list
    }
}
