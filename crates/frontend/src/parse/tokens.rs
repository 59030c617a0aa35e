//! The parser's input: the preprocessor's tokens with a little lookahead.

use crate::lex::{Token, TokenFlags, TokenKind};

/// Where tokens come from.
pub trait TokenSource {
    /// The next token; `Eof` for ever after the end.
    fn next_token(&mut self) -> Token;
    /// The bytes of an `Embed` token.
    fn embed_data(&self, token: Token) -> &[u8];
    /// Appends the next tokens to `ahead`, if the source reads ahead at all. It ends with a token
    /// whose making had something to report: that is the answer instead, and what was reported
    /// waits for [`TokenSource::release`].
    fn read_ahead(&mut self, _ahead: &mut Vec<Token>) -> Option<Token> {
        None
    }
    /// Reports what waits: the parser has come to the last token of [`TokenSource::read_ahead`].
    fn release(&mut self) {}
}

/// How many tokens are made at a time: the preprocessor and the parser find their code and tables
/// in the first-level cache most of the time, which does not hold both.
const BATCH: usize = 256;

impl TokenSource for crate::preprocess::Preprocessor<'_> {
    fn next_token(&mut self) -> Token {
        crate::preprocess::Preprocessor::next_token(self)
    }

    fn embed_data(&self, token: Token) -> &[u8] {
        crate::preprocess::Preprocessor::embed_data(self, token)
    }

    fn read_ahead(&mut self, ahead: &mut Vec<Token>) -> Option<Token> {
        let diagnostics = &self.session().diag;
        diagnostics.hold(true);
        let mut last = None;
        while ahead.len() < BATCH {
            self.plain_tokens(ahead, BATCH);
            let token = crate::preprocess::Preprocessor::next_token(self);
            if diagnostics.has_held() {
                last = Some(token);
                break;
            }
            ahead.push(token);
            if token.kind == TokenKind::Eof {
                break;
            }
        }
        diagnostics.hold(false);
        last
    }

    fn release(&mut self) {
        self.session().release_diagnostics();
    }
}

/// A token source with lookahead.
pub struct Tokens<'x> {
    source: &'x mut (dyn TokenSource + 'x),
    /// Tokens that have been read; those from `at` on have not been consumed.
    ahead: Vec<Token>,
    at: usize,
    /// The token after `ahead`, when the source has something to report first.
    last: Option<Token>,
    /// The current token, between external declarations.
    pub current: Token,
    stopped: bool,
}

impl<'x> Tokens<'x> {
    /// Reads the first token.
    pub fn new(source: &'x mut (dyn TokenSource + 'x)) -> Tokens<'x> {
        let current = source.next_token();
        Tokens { source, ahead: Vec::with_capacity(BATCH), at: 0, last: None, current, stopped: false }
    }

    /// Consumes the next token.
    #[inline]
    pub fn next(&mut self) -> Token {
        match self.ahead.get(self.at) {
            Some(&token) => {
                self.at += 1;
                token
            }
            None => self.next_of_batch(),
        }
    }

    #[inline(never)]
    fn next_of_batch(&mut self) -> Token {
        self.read();
        self.at += 1;
        self.ahead[self.at - 1]
    }

    /// Reads at least one token more.
    fn read(&mut self) {
        if self.at == self.ahead.len() {
            self.ahead.clear();
            self.at = 0;
        }
        let before = self.ahead.len();
        if !self.stopped && self.last.is_none() {
            self.last = self.source.read_ahead(&mut self.ahead);
        }
        if self.ahead.len() == before {
            let token = self.fetch();
            self.ahead.push(token);
        }
    }

    /// The token after those that have been read ahead.
    fn fetch(&mut self) -> Token {
        if self.stopped {
            return Token::new(TokenKind::Eof, TokenFlags::NONE, base::Loc::NONE);
        }
        if let Some(token) = self.last.take() {
            self.source.release();
            return token;
        }
        self.source.next_token()
    }

    /// The token `distance` after the next one, without consuming. Pragmas stay in place and are
    /// seen as tokens.
    pub fn peek(&mut self, distance: usize) -> Token {
        while self.ahead.len() <= self.at + distance {
            self.read();
        }
        self.ahead[self.at + distance]
    }

    /// Puts tokens before the next one.
    pub fn put_back(&mut self, tokens: impl Iterator<Item = Token>) {
        self.ahead.splice(self.at..self.at, tokens);
    }

    /// The bytes of an `Embed` token.
    pub fn embed_data(&self, token: Token) -> &[u8] {
        self.source.embed_data(token)
    }

    /// From now on there is only the end of input: after a fatal error.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.last = None;
        self.ahead.clear();
        self.at = 0;
    }
}
