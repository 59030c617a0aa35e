//! C text that a unit needs beside its own: the arithmetic of wide bit-precise integers
//! (`runtime/unit/bit_int.c`), and variants of functions for vectors.
//!
//! It is parsed as part of the unit, from the lexer's tokens: the program's macros do not reach it,
//! nor does its dialect. The arithmetic is read after the first external declaration that has such
//! a type. Its functions are `static`, so that every object has the ones that it calls and whoever
//! links it needs no library of ours; gcc has them in libgcc, from version 14 on.

use base::source_map::SourceText;
use base::{Loc, Session};

use super::TokenSource;
use crate::lex::lexer::Lexer;
use crate::lex::names::{KEYWORD_COUNT, keyword_table};
use crate::lex::scan::Switches;
use crate::lex::{Dialect, Standard, Token, TokenKind};

/// The tokens of a text, read by its own dialect whatever the program's is.
pub struct Text<'s> {
    session: &'s Session,
    /// How it is called in diagnostics of the compiler's own faults, and the text.
    name: &'static str,
    text: Option<SourceText>,
    open: Option<(Lexer<'s>, Vec<TokenKind>)>,
}

impl<'s> Text<'s> {
    /// The arithmetic of wide bit-precise integers. Nothing is read until the first token is asked
    /// for.
    pub fn bit_int(session: &'s Session) -> Text<'s> {
        let text = concat!(include_str!("../../../../runtime/unit/bit_int.c"), "\0").as_bytes();
        Text { session, name: "<bit-precise integers>", text: Some(SourceText::Static(text)), open: None }
    }

    /// What [`vector_variants`](super::vector_variants) wrote.
    pub fn vector_variants(session: &'s Session, text: String) -> Text<'s> {
        let text = SourceText::from_vec(text.into_bytes());
        Text { session, name: "<variants for vectors>", text: Some(text), open: None }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.bytes().len() <= 1)
    }
}

impl TokenSource for Text<'_> {
    fn next_token(&mut self) -> Token {
        let session = self.session;
        let (lexer, keywords) = self.open.get_or_insert_with(|| {
            let dialect = Dialect::new(Standard::C23, true);
            let source = session.sources.add_source(self.text.take().unwrap_or(SourceText::Static(b"\0")));
            let name = session.intern(self.name);
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
