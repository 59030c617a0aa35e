//! The parser's input: the preprocessor's tokens with a little lookahead.

use std::collections::VecDeque;

use crate::lex::{Token, TokenFlags, TokenKind};

/// Where tokens come from.
pub trait TokenSource {
    /// The next token; `Eof` for ever after the end.
    fn next_token(&mut self) -> Token;
    /// The bytes of an `Embed` token.
    fn embed_data(&self, token: Token) -> &[u8];
}

impl TokenSource for crate::preprocess::Preprocessor<'_> {
    fn next_token(&mut self) -> Token {
        crate::preprocess::Preprocessor::next_token(self)
    }

    fn embed_data(&self, token: Token) -> &[u8] {
        crate::preprocess::Preprocessor::embed_data(self, token)
    }
}

/// A token source with lookahead.
pub struct Tokens<'x> {
    source: &'x mut (dyn TokenSource + 'x),
    ahead: VecDeque<Token>,
    /// The current token, between external declarations.
    pub current: Token,
    stopped: bool,
}

impl<'x> Tokens<'x> {
    /// Reads the first token.
    pub fn new(source: &'x mut (dyn TokenSource + 'x)) -> Tokens<'x> {
        let current = source.next_token();
        Tokens { source, ahead: VecDeque::with_capacity(64), current, stopped: false }
    }

    /// Consumes the next token.
    #[inline]
    pub fn next(&mut self) -> Token {
        if let Some(token) = self.ahead.pop_front() {
            return token;
        }
        self.fetch()
    }

    fn fetch(&mut self) -> Token {
        if self.stopped {
            return Token::new(TokenKind::Eof, TokenFlags::NONE, base::Loc::NONE);
        }
        self.source.next_token()
    }

    /// The token `distance` after the next one, without consuming. Pragmas stay in place and are
    /// seen as tokens.
    pub fn peek(&mut self, distance: usize) -> Token {
        while self.ahead.len() <= distance {
            let token = self.fetch();
            self.ahead.push_back(token);
        }
        self.ahead[distance]
    }

    /// Puts tokens before the next one.
    pub fn put_back(&mut self, tokens: impl DoubleEndedIterator<Item = Token>) {
        for token in tokens.rev() {
            self.ahead.push_front(token);
        }
    }

    /// The bytes of an `Embed` token.
    pub fn embed_data(&self, token: Token) -> &[u8] {
        self.source.embed_data(token)
    }

    /// From now on there is only the end of input: after a fatal error.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.ahead.clear();
    }
}
