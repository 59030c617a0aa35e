//! The lexer: one source text to preprocessing tokens, skipping white space and comments, and
//! skipping of groups that a conditional leaves out.
//!
//! White space is not a token: a token's flags say whether it begins a line and whether there is
//! space before it. Inside a directive (`in_directive`) the end of the line is an `EndOfDirective`,
//! given again and again until the directive is left.

use base::intern::{HEAD, Head};
use base::{Loc, Session, warning};

use super::bidi::{self, Place};
use super::chars::{APART, BLANK, CLASS, DOLLAR, IDENTIFIER, LINE_STOP, OPERATOR, SINGLE, WORD_START, WORD_STOP};
use super::clean::{CleanLine, splice_length, trigraph_at};
use super::scan::{Scanned, Switches, canonical_identifier, scan};
use super::token::{Token, TokenFlags, TokenKind, operator, single};

/// Position in one source text.
pub(crate) struct Lexer<'s> {
    session: &'s Session,
    /// The text, ending in a NUL that is not part of it.
    text: &'s [u8],
    /// Offset of the next byte to look at.
    at: usize,
    base: Loc,
    switches: Switches,
    /// No token of the current line has been given yet.
    line_start: bool,
    /// The end of line is a token.
    pub(crate) in_directive: bool,
    /// `<` begins a header name.
    pub(crate) header_names: bool,
    /// Comments are tokens (`-C`).
    pub(crate) keep_comments: bool,
    /// And within a directive: in the body of a macro under `-CC`.
    pub(crate) keep_in_directive: bool,
    /// `//` begins a comment.
    pub(crate) line_comments: LineComments,
    /// In a group that is left out.
    skipping: bool,
    /// The text has bidirectional control characters that `-Wbidi-chars` is about.
    bidi: Option<bidi::Mode>,
    clean: Option<Box<CleanLine>>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the beginning of `text` (ending in NUL), whose first byte is at `base`.
    pub(crate) fn new(session: &'s Session, text: &'s [u8], base: Loc, switches: Switches) -> Lexer<'s> {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lexer {
            session,
            text,
            at,
            base,
            switches,
            line_start: true,
            in_directive: false,
            header_names: false,
            keep_comments: false,
            keep_in_directive: false,
            line_comments: LineComments::Yes,
            skipping: false,
            bidi: bidi::mode(session, text),
            clean: None,
        }
    }

    /// A lexer inside of a directive, at an offset of a text that another one has been through.
    pub(crate) fn again(
        session: &'s Session,
        (text, base): (&'s [u8], Loc),
        switches: Switches,
        at: usize,
    ) -> Lexer<'s> {
        let mut lexer = Lexer::new(session, b"\0", base, switches);
        lexer.text = text;
        lexer.at = at;
        lexer.line_start = false;
        lexer.in_directive = true;
        lexer
    }

    /// Where the next byte is.
    pub(crate) fn loc(&self) -> Loc {
        self.base.offset(self.at as u32)
    }

    /// The text, ending in NUL, and the offset of the next byte: for who reads lines.
    pub(crate) fn raw(&self) -> (&'s [u8], usize) {
        (self.text, self.at)
    }

    /// Goes to an offset.
    pub(crate) fn set_offset(&mut self, at: usize) {
        self.at = at;
        self.line_start = true;
    }

    /// The first position of the text.
    pub(crate) fn base(&self) -> Loc {
        self.base
    }

    /// Whether everything was read.
    pub(crate) fn at_end(&self) -> bool {
        self.at + 1 >= self.text.len()
    }

    /// Goes to the end of the text.
    pub(crate) fn stop(&mut self) {
        self.at = self.text.len() - 1;
    }

    /// The text and the offset of the next byte, unless this is assembler or comments are wanted.
    pub(super) fn plain_text(&self) -> Option<(&[u8], usize)> {
        (!self.switches.assembler && !self.keep_comments && !self.in_directive).then_some((self.text, self.at))
    }

    /// The text and the offset of the next byte, in a directive of C whose comments nobody wants to
    /// see.
    pub(super) fn directive_text(&self) -> Option<(&'s [u8], usize)> {
        let plain = self.in_directive && !self.switches.assembler && self.bidi.is_none();
        (plain && !self.keep_comments && !self.keep_in_directive).then_some((self.text, self.at))
    }

    /// Goes on within a line.
    pub(super) fn go_on_at(&mut self, at: usize) {
        self.at = at;
        self.line_start = false;
    }

    fn loc_at(&self, at: usize) -> Loc {
        self.base.offset(at as u32)
    }

    /// The next token. At the end of the text it is `Eof`, or `EndOfDirective` inside a directive.
    #[inline]
    pub(crate) fn next(&mut self) -> Token {
        let text = self.text;
        let mut at = self.at;
        let mut flags = if self.line_start { TokenFlags::START_OF_LINE } else { TokenFlags::NONE };
        loop {
            let class = CLASS[usize::from(text[at])];
            // Most tokens show what they are by their first byte.
            if class & (IDENTIFIER | SINGLE | OPERATOR) != 0 {
                break;
            }
            match text[at] {
                b' ' | b'\t' | 0x0b | 0x0c => {
                    at += 1;
                    while text[at] == b' ' {
                        at += 1;
                    }
                    flags = flags.with(TokenFlags::LEADING_SPACE);
                }
                b'\n' => {
                    if self.in_directive {
                        self.at = at;
                        return Token::new(TokenKind::EndOfDirective, flags, self.loc());
                    }
                    at += 1;
                    flags = TokenFlags::START_OF_LINE;
                }
                b'\r' if text[at + 1] == b'\n' => at += 1,
                b'/' if matches!(text[at + 1], b'*' | b'/' | b'\\' | b'?') => {
                    self.at = at;
                    match self.comment() {
                        Trivia::None => break,
                        Trivia::Skipped => flags = flags.with(TokenFlags::LEADING_SPACE),
                        Trivia::Kept(start) => {
                            self.line_start = false;
                            return self.comment_token(start, flags);
                        }
                    }
                    at = self.at;
                }
                b'\\' | b'?' => match splice_length(text, at, self.switches.trigraphs) {
                    Some(length) => {
                        self.at = at;
                        self.warn_about_splice(length);
                        at += length;
                    }
                    None => break,
                },
                0 => {
                    if at + 1 >= text.len() {
                        self.at = at;
                        let kind = if self.in_directive { TokenKind::EndOfDirective } else { TokenKind::Eof };
                        return Token::new(kind, flags, self.loc());
                    }
                    at += 1;
                    flags = flags.with(TokenFlags::LEADING_SPACE);
                }
                _ => break,
            }
        }
        self.line_start = false;
        self.token(at, flags)
    }

    #[cold]
    fn comment_token(&self, start: usize, flags: TokenFlags) -> Token {
        let text = &self.text[start..self.at];
        let payload = match text.strip_prefix(b"//") {
            // Text may follow a macro's expansion on its line.
            Some(rest) if self.in_directive => {
                let block = [b"/*".as_slice(), rest, b"*/"].concat();
                self.session.interner.intern_bytes(&block)
            }
            _ => self.session.interner.intern_bytes(text),
        };
        Token { kind: TokenKind::Comment, flags, loc: self.loc_at(start), payload: payload.0 }
    }

    /// The token that begins at `start`.
    #[inline]
    fn token(&mut self, start: usize, flags: TokenFlags) -> Token {
        let text = self.text;
        let class = CLASS[usize::from(text[start])];
        if class & WORD_START != 0 {
            // Most names are shorter than what is compared at once.
            if let Some(bytes) = text[start..].first_chunk() {
                let head = Head::of(bytes);
                let end = start + head.word_length();
                if end < start + HEAD && CLASS[usize::from(text[end])] & (WORD_STOP | DOLLAR) == 0 {
                    self.at = end;
                    let name = self.session.interner.intern_headed(head.cut(end - start), &text[start..end]);
                    return Token { kind: TokenKind::Identifier, flags, loc: self.loc_at(start), payload: name.0 };
                }
            }
            let bits = self.switches.identifier_bits;
            let end = find(text, start + 1, |class| class & bits == 0);
            if CLASS[usize::from(text[end])] & WORD_STOP == 0 {
                self.at = end;
                let payload = self.session.interner.intern_bytes(&text[start..end]).0;
                return Token { kind: TokenKind::Identifier, flags, loc: self.loc_at(start), payload };
            }
        } else if class & SINGLE != 0 && CLASS[usize::from(text[start + 1])] & WORD_STOP == 0 {
            self.at = start + 1;
            return Token::new(single(text[start]), flags, self.loc_at(start));
        } else if class & OPERATOR != 0 && !self.header_names {
            // The most frequent punctuators of two meanings, where the next byte shows which.
            if CLASS[usize::from(text[start + 1])] & APART != 0 {
                self.at = start + 1;
                return Token::new(operator(text[start]), flags, self.loc_at(start));
            }
            if text[start..].starts_with(b"->") && CLASS[usize::from(text[start + 2])] & WORD_STOP == 0 {
                self.at = start + 2;
                return Token::new(TokenKind::Arrow, flags, self.loc_at(start));
            }
        }
        self.at = start;
        self.other_token(flags)
    }

    /// What is not a plain word or a punctuator of one character.
    fn other_token(&mut self, flags: TokenFlags) -> Token {
        let start = self.at;
        if self.header_names
            && self.text[start] == b'<'
            && let Some(token) = self.header_name(flags)
        {
            return token;
        }
        match scan(self.text, start, &self.switches, false) {
            Some(scanned) => {
                self.at = scanned.end;
                let text = self.text;
                self.check_token_bidi(start, scanned.kind);
                if scanned.kind == TokenKind::Question && !self.switches.trigraphs && text[start + 1] == b'?' {
                    warn_about_trigraphs(self.session, self.loc_at(start), &text[start..text.len().min(start + 3)]);
                }
                finish(self.session, self.loc_at(start), &text[start..scanned.end], scanned, flags, &self.switches)
            }
            None => self.token_in_clean_line(flags),
        }
    }

    #[cold]
    fn token_in_clean_line(&mut self, flags: TokenFlags) -> Token {
        let start = self.at;
        let line = self.clean_line(start);
        let at = line.to_clean(start);
        let scanned = scan(&line.bytes, at, &self.switches, true);
        let Some(scanned) = scanned else { base::bug!("a cleaned line needs cleaning") };
        self.at = line.to_raw(scanned.end);
        self.check_token_bidi(start, scanned.kind);
        let text = &line.bytes[at..scanned.end];
        let token = finish(self.session, self.loc_at(start), text, scanned, flags, &self.switches);
        self.clean = Some(line);
        token
    }

    /// The cleaned line that covers `at`, taken out of the cache or made.
    fn clean_line(&mut self, at: usize) -> Box<CleanLine> {
        match self.clean.take() {
            Some(line) if line.covers(at) => line,
            _ => Box::new(CleanLine::new(self.text, at, self.switches.trigraphs)),
        }
    }

    fn warn_about_splice(&self, length: usize) {
        let between = &self.text[self.at..self.at + length];
        if between.contains(&b' ') || between.contains(&b'\t') {
            self.session.warn_always(self.loc(), "backslash and newline separated by space").emit();
        }
    }

    /// Passes a comment that begins at the current offset, if one does.
    fn comment(&mut self) -> Trivia {
        let start = self.at;
        let (second, body) = match self.text[start + 1] {
            second @ (b'*' | b'/') => (second, start + 2),
            b'\\' | b'?' => {
                let line = self.clean_line(start);
                let at = line.to_clean(start);
                let found = (line.bytes[at + 1], line.to_raw(at + 2));
                self.clean = Some(line);
                found
            }
            _ => return Trivia::None,
        };
        match second {
            b'*' => self.at = self.block_comment_end(start, body),
            b'/' if self.accepts_line_comment(start, body) => self.at = self.line_comment_end(start, body),
            _ => return Trivia::None,
        }
        self.check_bidi(start, if second == b'*' { Place::BlockComment } else { Place::LineComment });
        let keep = if self.in_directive { self.keep_in_directive } else { self.keep_comments };
        if keep { Trivia::Kept(start) } else { Trivia::Skipped }
    }

    /// `-Wbidi-chars` for what was read from `start` on.
    #[inline]
    fn check_bidi(&self, start: usize, place: Place) {
        if let Some(mode) = self.bidi {
            bidi::check(self.session, mode, self.text, start, self.at, place, self.base);
        }
    }

    /// The same for a token.
    #[inline]
    fn check_token_bidi(&self, start: usize, kind: TokenKind) {
        if self.bidi.is_none() {
            return;
        }
        let raw =
            || memchr::memchr(b'"', &self.text[start..]).is_some_and(|at| self.text[start..start + at].ends_with(b"R"));
        match kind {
            TokenKind::String if raw() => self.check_bidi(start, Place::RawString),
            TokenKind::String | TokenKind::Char => self.check_bidi(start, Place::Quoted),
            TokenKind::Other if matches!(self.text[start], b'"' | b'\'') => self.check_bidi(start, Place::Quoted),
            TokenKind::Identifier | TokenKind::Number | TokenKind::Other => self.check_bidi(start, Place::Word),
            _ => {}
        }
    }

    /// Whether the `//` at `start` begins a comment; reports it where the dialect has none, once.
    fn accepts_line_comment(&mut self, start: usize, body: usize) -> bool {
        let message = "C++ style comments are not allowed in ISO C90";
        let note = "(this will be reported only once per input file)";
        match self.line_comments {
            LineComments::Yes => {}
            LineComments::Never => return false,
            // Correct C90 may have `//` in these places.
            LineComments::Forbidden if self.in_directive || self.skipping || self.text[body] == b'*' => return false,
            LineComments::Forbidden => {
                self.session.error(self.loc_at(start), message).note(self.loc_at(start), note).emit();
                self.line_comments = LineComments::Yes;
            }
            LineComments::Extension => {
                let builder = self.session.pedwarn(warning::PEDANTIC, self.loc_at(start), message);
                builder.note(self.loc_at(start), note).emit();
                self.line_comments = LineComments::Yes;
            }
        }
        true
    }

    /// Offset after the `*/` of the comment whose text begins at `body`.
    fn block_comment_end(&self, start: usize, body: usize) -> usize {
        let text = &self.text[..self.text.len() - 1];
        let mut at = body;
        while let Some(slash) = memchr::memchr(b'/', &text[at..]) {
            let slash = at + slash;
            if slash > body && text[slash - 1] == b'*' || self.spliced_star(body, slash) {
                return slash + 1;
            }
            if text.get(slash + 1) == Some(&b'*') && slash + 2 < text.len() && text[slash + 2] != b'/' {
                self.session.warn(warning::COMMENT, self.loc_at(slash), "\"/*\" within comment").emit();
            }
            at = slash + 1;
        }
        self.session.error(self.loc_at(start), "unterminated comment").emit();
        text.len()
    }

    /// Whether the slash at `slash` follows a `*` over a line splice.
    fn spliced_star(&self, body: usize, slash: usize) -> bool {
        let mut at = slash;
        while at > body && self.text[at - 1] == b'\n' {
            let Some(backslash) = self.splice_before(body, at) else { return false };
            at = backslash;
        }
        at < slash && at > body && self.text[at - 1] == b'*'
    }

    /// Beginning of the splice that ends right before `end` (after its newline), not before
    /// `limit`.
    fn splice_before(&self, limit: usize, end: usize) -> Option<usize> {
        let mut at = end - 1;
        while at > limit && (CLASS[usize::from(self.text[at - 1])] & BLANK != 0 || self.text[at - 1] == b'\r') {
            at -= 1;
        }
        if at > limit && self.text[at - 1] == b'\\' {
            return Some(at - 1);
        }
        let trigraph = self.switches.trigraphs && at >= limit + 3 && trigraph_at(self.text, at - 3) == Some(b'\\');
        trigraph.then(|| at - 3)
    }

    /// Offset of the newline (or the end) that ends the `//` comment whose text begins at `body`.
    fn line_comment_end(&self, start: usize, body: usize) -> usize {
        let end = self.text.len() - 1;
        let mut at = body;
        loop {
            let Some(newline) = memchr::memchr(b'\n', &self.text[at..end]) else { return end };
            let newline = at + newline;
            if newline == body || self.splice_before(body, newline + 1).is_none() {
                return newline;
            }
            self.session.warn(warning::COMMENT, self.loc_at(start), "multi-line comment").emit();
            at = newline + 1;
        }
    }

    /// `<...>` as a header name, if there is a `>` on the line.
    fn header_name(&mut self, flags: TokenFlags) -> Option<Token> {
        let start = self.at;
        let line_end = memchr::memchr(b'\n', &self.text[start..]).map_or(self.text.len(), |at| start + at);
        let close = memchr::memchr(b'>', &self.text[start..line_end])?;
        self.at = start + close + 1;
        self.check_bidi(start, Place::Quoted);
        let name = self.session.interner.intern_bytes(&self.text[start..self.at]);
        Some(Token { kind: TokenKind::HeaderName, flags, loc: self.loc_at(start), payload: name.0 })
    }

    /// Passes over `#define` where a line begins so, in text that has nothing unusual before it.
    pub(crate) fn pass_define(&mut self) -> bool {
        const DEFINE: &[u8] = b"#define";
        let is_one = self.text[self.at..].strip_prefix(DEFINE).is_some_and(|rest| rest.starts_with(b" "));
        if is_one {
            self.at += DEFINE.len();
            self.line_start = false;
        }
        is_one
    }

    /// Leaves a directive: the rest of the logical line is passed over, with its newline.
    pub(crate) fn end_directive(&mut self) {
        self.in_directive = false;
        self.header_names = false;
        self.keep_in_directive = false;
        self.skip_line();
    }

    /// Passes over the rest of the line and its newline, if there is nothing in it that
    /// [`Lexer::skip_line`] would have to look at.
    fn skip_plain_line(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(newline) = memchr::memchr(b'\n', rest) else { return false };
        let line = &rest[..newline];
        let blank = |byte: u8| CLASS[usize::from(byte)] & BLANK != 0 || byte == b'\r';
        let spliced = line.iter().rev().find(|&&byte| !blank(byte)) == Some(&b'\\');
        let plain = !spliced && memchr::memchr3(b'/', b'"', b'\'', line).is_none();
        if plain {
            self.at += newline + 1;
        }
        plain
    }

    /// Passes over the rest of the logical line and its newline, minding comments and quotes.
    fn skip_line(&mut self) {
        self.line_start = true;
        if self.skipping && self.bidi.is_none() && !self.switches.trigraphs && self.skip_plain_line() {
            return;
        }
        loop {
            let at = find(self.text, self.at, |class| class & LINE_STOP != 0);
            let words = std::mem::replace(&mut self.at, at);
            if self.bidi.is_some() {
                self.check_words_bidi(words);
            }
            match self.text[at] {
                b'\n' => {
                    self.at += 1;
                    return;
                }
                b'"' | b'\'' => {
                    let prefixed = at > 0 && self.text[at - 1] == b'R' && self.switches.raw_strings;
                    let start = if prefixed { self.word_start(at) } else { at };
                    self.at = self.scanned_end(start).max(at + 1);
                    self.check_bidi(start, if prefixed { Place::RawString } else { Place::Quoted });
                }
                b'/' => {
                    let kept = std::mem::replace(&mut self.keep_comments, false);
                    self.keep_in_directive = false;
                    if !matches!(self.comment(), Trivia::Skipped) {
                        self.at += 1;
                    }
                    self.keep_comments = kept;
                }
                b'\\' | b'?' => self.at += splice_length(self.text, at, self.switches.trigraphs).unwrap_or(1),
                _ if self.at_end() => return,
                _ => self.at += 1,
            }
        }
    }

    /// `-Wbidi-chars` for the words from `start` on, in text that is passed over.
    #[cold]
    fn check_words_bidi(&mut self, start: usize) {
        let end = self.at;
        let is_word = |byte: u8| CLASS[usize::from(byte)] & (IDENTIFIER | DOLLAR) != 0 || byte >= 0x80;
        let mut at = start;
        while at < end {
            let length = self.text[at..end].iter().take_while(|&&byte| is_word(byte)).count();
            if length != 0 {
                self.at = at + length;
                self.check_bidi(at, Place::Word);
            }
            at += length + 1;
        }
        self.at = end;
    }

    /// Beginning of the word that ends before `end`.
    fn word_start(&self, end: usize) -> usize {
        let mut at = end;
        while at > 0 && CLASS[usize::from(self.text[at - 1])] & (IDENTIFIER | DOLLAR) != 0 {
            at -= 1;
        }
        at
    }

    fn scanned_end(&mut self, start: usize) -> usize {
        match scan(self.text, start, &self.switches, false) {
            Some(scanned) => scanned.end,
            None => {
                let line = self.clean_line(start);
                let scanned = scan(&line.bytes, line.to_clean(start), &self.switches, true);
                let end = scanned.map_or(start, |scanned| line.to_raw(scanned.end));
                self.clean = Some(line);
                end
            }
        }
    }

    /// Passes over lines until one begins with `#`, and over that `#`: the fast path through groups
    /// left out by a conditional. Must be called at the beginning of a line. `false` at the end of
    /// the text.
    pub(crate) fn skip_to_directive(&mut self) -> bool {
        self.skipping = true;
        let found = self.find_directive();
        self.skipping = false;
        found
    }

    fn find_directive(&mut self) -> bool {
        loop {
            match self.text[self.at] {
                b' ' | b'\t' | 0x0b | 0x0c | b'\r' => self.at += 1,
                b'\n' => self.at += 1,
                b'#' => {
                    // `##` is no directive.
                    if self.text[self.at + 1] != b'#' {
                        self.at += 1;
                        self.line_start = false;
                        return true;
                    }
                    self.skip_line();
                }
                b'%' | b'?' => {
                    let length = match self.text[self.at..] {
                        [b'%', b':', b'%', b':', ..] => 0,
                        [b'%', b':', ..] if self.switches.digraphs => 2,
                        [b'?', b'?', b'=', ..] if self.switches.trigraphs => 3,
                        _ => 0,
                    };
                    if length != 0 {
                        self.at += length;
                        self.line_start = false;
                        return true;
                    }
                    self.skip_line();
                }
                b'/' if matches!(self.text[self.at + 1], b'*' | b'\\') => {
                    let kept = std::mem::replace(&mut self.keep_comments, false);
                    let comment = self.comment();
                    self.keep_comments = kept;
                    if !matches!(comment, Trivia::Skipped) {
                        self.skip_line();
                    }
                }
                b'\\' => match splice_length(self.text, self.at, self.switches.trigraphs) {
                    Some(length) => self.at += length,
                    None => self.skip_line(),
                },
                0 if self.at_end() => return false,
                _ => self.skip_line(),
            }
        }
    }
}

/// What `//` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineComments {
    /// Two divisions, as before there was such a thing.
    Never,
    /// A comment.
    Yes,
    /// A comment, but not in the standard chosen: worth a pedantic warning.
    Extension,
    /// An error outside directives and skipped groups, where it is two divisions.
    Forbidden,
}

impl LineComments {
    /// What it is in a file.
    pub(crate) fn new(dialect: &super::Dialect, system: bool) -> LineComments {
        match dialect.standard >= super::Standard::C99 || system || dialect.assembler {
            true => LineComments::Yes,
            false if dialect.gnu => LineComments::Extension,
            false => LineComments::Forbidden,
        }
    }
}

/// Offset of the first byte from `start` on whose class is wanted, four bytes a step; the NUL that
/// ends the text stops every search.
#[inline(always)]
fn find(text: &[u8], start: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let mut at = start;
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        for (index, &byte) in bytes.iter().enumerate() {
            if wanted(CLASS[usize::from(byte)]) {
                return at + index;
            }
        }
        at += 4;
    }
    while !wanted(CLASS[usize::from(text[at])]) {
        at += 1;
    }
    at
}

enum Trivia {
    None,
    Skipped,
    /// A comment that is a token, with its beginning.
    Kept(usize),
}

/// Makes the token of scanned bytes.
#[inline]
fn finish(session: &Session, loc: Loc, text: &[u8], scanned: Scanned, flags: TokenFlags, switches: &Switches) -> Token {
    let kind = scanned.kind;
    let (payload, flags) = match kind {
        TokenKind::Identifier if scanned.special => {
            (session.interner.intern_bytes(&canonical_identifier(text)).0, flags)
        }
        TokenKind::String | TokenKind::Char => {
            if !switches.trigraphs && text.contains(&b'?') {
                warn_about_trigraphs(session, loc, text);
            }
            (session.interner.intern_bytes(text).0, flags)
        }
        TokenKind::Identifier | TokenKind::Number => (session.interner.intern_bytes(text).0, flags),
        TokenKind::Other => {
            if let Some(&quote @ (b'"' | b'\'')) = text.iter().find(|&&b| matches!(b, b'"' | b'\''))
                && !switches.assembler
            {
                let message = format!("missing terminating {} character", quote as char);
                session.warn_always(loc, message).emit();
            }
            (session.interner.intern_bytes(text).0, flags)
        }
        _ if scanned.special => (0, flags.with(TokenFlags::DIGRAPH)),
        _ => (0, flags),
    };
    Token { kind, flags, loc, payload }
}

/// Reports what would be trigraphs under `-trigraphs`.
#[cold]
fn warn_about_trigraphs(session: &Session, loc: Loc, text: &[u8]) {
    for at in memchr::memmem::find_iter(text, b"??") {
        if let Some(&c) = text.get(at + 2)
            && super::chars::trigraph(c).is_some()
        {
            let message = format!("trigraph ??{} ignored, use -trigraphs to enable", c as char);
            session.warn(warning::TRIGRAPHS, loc.offset(at as u32), message).emit();
        }
    }
}

/// Lexes `text`, which must be exactly one token, as made by `##`: the token, or `None` if it is
/// not one. `scratch` is reused between calls.
pub(crate) fn lex_single(
    session: &Session,
    text: &mut Vec<u8>,
    switches: &Switches,
    loc: Loc,
    flags: TokenFlags,
) -> Option<Token> {
    let length = text.len();
    text.extend_from_slice(b"\n\0");
    let first = text[0];
    let blank = CLASS[usize::from(first)] & BLANK != 0 || first == b'\n';
    let comment = text.starts_with(b"//") || text.starts_with(b"/*");
    let scanned = if blank || comment || length == 0 { None } else { scan(text, 0, switches, true) };
    let scanned = scanned.filter(|scanned| scanned.end == length && scanned.kind != TokenKind::Other);
    let token = scanned.map(|scanned| finish(session, loc, &text[..length], scanned, flags, switches));
    text.truncate(length);
    token
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::{Dialect, Standard, new_session};
    use base::source_map::SourceText;

    fn lex(text: &str, dialect: &Dialect) -> Vec<String> {
        let session = new_session();
        let source = session.sources.add_source(SourceText::from_vec(text.as_bytes().to_vec()));
        let base = session.sources.include(source, base::Symbol(0), Loc::NONE, false).unwrap();
        let mut lexer = Lexer::new(&session, session.sources.bytes(source), base, Switches::new(dialect));
        let mut out = Vec::new();
        loop {
            let token = lexer.next();
            match token.kind {
                TokenKind::Eof => return out,
                kind => out.push(kind.text().unwrap_or_else(|| session.str(token.symbol())).to_owned()),
            }
        }
    }

    #[test]
    fn splices_anywhere() {
        let gnu = Dialect::default();
        assert_eq!(
            lex("ab\\\ncd +\\\n+ /\\\n* x *\\\n/ \"s\\\nt\" 1\\\n2.\\\n. .\\\n..", &gnu),
            ["abcd", "++", "\"st\"", "12..", "..."]
        );
        assert_eq!(lex("a // b \\\n c\nd", &gnu), ["a", "d"]);
    }

    #[test]
    fn trigraphs_only_where_they_exist() {
        assert_eq!(lex("??( \"??/\"\" ??/\n x", &Dialect::new(Standard::C99, false)), ["[", "\"\\\"\"", "x"]);
        assert_eq!(lex("??(", &Dialect::default()), ["?", "?", "("]);
    }

    #[test]
    fn literals_and_numbers() {
        let gnu = Dialect::default();
        assert_eq!(
            lex("L\"a\" u8\"b\" R\"x(\n)\")x\" 'c' uL'd'", &gnu),
            ["L\"a\"", "u8\"b\"", "R\"x(\n)\")x\"", "'c'", "uL", "'d'"]
        );
        assert_eq!(lex("0x1p-3 1.e+5f .5 1'000", &gnu), ["0x1p-3", "1.e+5f", ".5", "1", "'000"]);
        assert_eq!(lex("1'000", &Dialect::new(Standard::C23, true)), ["1'000"]);
    }

    #[test]
    fn identifiers_beyond_ascii() {
        let gnu = Dialect::default();
        assert_eq!(lex("naïve na\\u00efve $x @", &gnu), ["naïve", "naïve", "$x", "@"]);
    }

    #[test]
    fn digraphs() {
        assert_eq!(lex("<: %> %:%: %:", &Dialect::default()), ["[", "}", "##", "#"]);
    }
}
