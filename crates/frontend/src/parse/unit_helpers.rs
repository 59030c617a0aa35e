//! C text that a unit needs beside its own: the arithmetic of wide bit-precise integers
//! (`runtime/unit/bit_int.c`).
//!
//! It is parsed as part of the unit, after the first external declaration that has such a type,
//! from the lexer's tokens: the program's macros do not reach it, nor does its dialect. Its
//! functions are `static`, so that every object has the ones that it calls and whoever links it
//! needs no library of ours; gcc has them in libgcc, from version 14 on.

use base::source_map::SourceText;
use base::{Loc, Session};

use super::TokenSource;
use crate::lex::lexer::Lexer;
use crate::lex::names::{KEYWORD_COUNT, keyword_table};
use crate::lex::scan::Switches;
use crate::lex::{Dialect, Standard, Token, TokenKind};

/// The text, and how it is called in diagnostics of the compiler's own faults.
const BIT_INT: (&str, &[u8]) =
    ("<bit-precise integers>", concat!(include_str!("../../../../runtime/unit/bit_int.c"), "\0").as_bytes());

/// The tokens of the text.
pub struct Text<'s> {
    session: &'s Session,
    open: Option<(Lexer<'s>, Vec<TokenKind>)>,
}

impl<'s> Text<'s> {
    /// Nothing is read until the first token is asked for.
    pub fn new(session: &'s Session) -> Text<'s> {
        Text { session, open: None }
    }
}

impl TokenSource for Text<'_> {
    fn next_token(&mut self) -> Token {
        let session = self.session;
        let (lexer, keywords) = self.open.get_or_insert_with(|| {
            let (name, text) = BIT_INT;
            let dialect = Dialect::new(Standard::C23, true);
            let source = session.sources.add_source(SourceText::Static(text));
            let name = session.intern(name);
            let base = session.sources.include(source, name, Loc::NONE, true).unwrap_or(Loc::NONE);
            let lexer = Lexer::new(session, session.sources.bytes(source), base, Switches::new(&dialect));
            (lexer, keyword_table(&dialect))
        });
        let mut token = lexer.next();
        if token.kind == TokenKind::Identifier && token.payload < KEYWORD_COUNT {
            token.kind = keywords[token.payload as usize];
        }
        token
    }

    fn embed_data(&self, _: Token) -> &[u8] {
        &[]
    }
}
