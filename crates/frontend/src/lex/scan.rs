//! Scanning one token in a run of bytes: the inner functions of the lexer.
//!
//! A scan function gets the bytes (ending in NUL), the offset of the token's first byte and the
//! dialect's switches, and answers kind and end. `None` means that the token touches a line splice
//! or trigraph, and has to be scanned again in the cleaned line, where `clean` is set and nothing
//! needs cleaning.

use super::chars::{CLASS, DOLLAR, IDENTIFIER, decode_utf8, identifier_character, identifier_start};
use super::clean::{splice_length, trigraph_at};
use super::token::TokenKind::{self, *};

/// What of the dialect matters for scanning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    /// Class bits that continue an identifier.
    pub(crate) identifier_bits: u8,
    /// Identifiers may have universal character names and characters beyond ASCII: not in strict
    /// C90.
    pub(crate) extended_identifiers: bool,
    pub(crate) trigraphs: bool,
    pub(crate) digraphs: bool,
    pub(crate) unicode_literals: bool,
    pub(crate) raw_strings: bool,
    pub(crate) digit_separators: bool,
    /// Exponents `p` in numbers.
    pub(crate) hexadecimal_floats: bool,
    pub(crate) colon_colon: bool,
    pub(crate) assembler: bool,
}

impl Switches {
    pub(crate) fn new(dialect: &super::Dialect) -> Switches {
        Switches {
            // In assembler text `$` begins an immediate operand.
            identifier_bits: if dialect.dollars && !dialect.assembler { IDENTIFIER | DOLLAR } else { IDENTIFIER },
            extended_identifiers: dialect.gnu || dialect.standard > super::Standard::C94 || dialect.assembler,
            trigraphs: dialect.trigraphs,
            digraphs: dialect.digraphs(),
            unicode_literals: dialect.unicode_literals(),
            raw_strings: dialect.raw_strings(),
            digit_separators: dialect.c23() && !dialect.assembler,
            hexadecimal_floats: dialect.gnu || dialect.standard > super::Standard::C94,
            colon_colon: dialect.c23() || dialect.gnu && !dialect.assembler,
            assembler: dialect.assembler,
        }
    }
}

/// A scanned token: kind, end, and whether it was a digraph or an identifier with escapes or
/// characters beyond ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scanned {
    pub(crate) kind: TokenKind,
    pub(crate) end: usize,
    pub(crate) special: bool,
}

fn token(kind: TokenKind, end: usize) -> Option<Scanned> {
    Some(Scanned { kind, end, special: false })
}

/// Whether the byte at `at` is the beginning of a splice or trigraph that a raw scan must not pass
/// over.
#[inline]
fn needs_cleaning(text: &[u8], at: usize, switches: &Switches, clean: bool) -> bool {
    match text[at] {
        b'\\' if !clean => splice_length(text, at, switches.trigraphs).is_some(),
        b'?' if !clean && switches.trigraphs => trigraph_at(text, at).is_some(),
        _ => false,
    }
}

/// Scans the token at `start`, which is not white space, a comment or the end.
#[inline]
pub(crate) fn scan(text: &[u8], start: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    match text[start] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => scan_word(text, start, switches, clean),
        b'0'..=b'9' => scan_number(text, start, switches, clean),
        b'"' => scan_quoted(text, start, start, String, switches, clean),
        b'\'' => scan_quoted(text, start, start, Char, switches, clean),
        b'$' if switches.identifier_bits & DOLLAR != 0 => scan_word(text, start, switches, clean),
        b'\\' | 0x80.. => scan_extended(text, start, switches, clean),
        _ => scan_punctuator(text, start, switches, clean),
    }
}

#[inline]
fn scan_word(text: &[u8], start: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    let mut at = start + 1;
    while CLASS[usize::from(text[at])] & switches.identifier_bits != 0 {
        at += 1;
    }
    match text[at] {
        b'"' | b'\'' if at - start <= 3 => scan_prefixed(text, start, at, switches, clean),
        b'\\' | b'?' | 0x80.. => {
            if needs_cleaning(text, at, switches, clean) {
                return None;
            }
            if text[at] == b'?' { token(Identifier, at) } else { scan_extended(text, start, switches, clean) }
        }
        _ => token(Identifier, at),
    }
}

/// A word directly followed by a quote: maybe the prefix of a literal.
fn scan_prefixed(text: &[u8], start: usize, quote: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    let kind = if text[quote] == b'"' { String } else { Char };
    let word = &text[start..quote];
    let (encoding, raw) = match word.strip_suffix(b"R") {
        Some(rest) if kind == String && switches.raw_strings => (rest, true),
        _ => (word, false),
    };
    let literal = match encoding {
        b"" => raw,
        b"L" => !switches.assembler,
        b"u" | b"U" => switches.unicode_literals && !switches.assembler,
        // u8 characters are C23's.
        b"u8" => switches.unicode_literals && !switches.assembler && (kind == String || switches.digit_separators),
        _ => false,
    };
    match (literal, raw) {
        (false, _) => token(Identifier, quote),
        (true, false) => scan_quoted(text, start, quote, kind, switches, clean),
        // A raw string is not subject to splices at all: it has to be scanned in the file itself.
        (true, true) => scan_raw_string(text, start, quote),
    }
}

fn scan_number(text: &[u8], start: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    let mut at = start + 1;
    loop {
        let byte = text[at];
        if CLASS[usize::from(byte)] & switches.identifier_bits != 0 {
            at += 1;
            let exponent = matches!(byte, b'e' | b'E') || switches.hexadecimal_floats && matches!(byte, b'p' | b'P');
            if exponent {
                if matches!(text[at], b'+' | b'-') {
                    at += 1;
                } else if needs_cleaning(text, at, switches, clean) {
                    return None;
                }
            }
            continue;
        }
        match byte {
            b'.' => at += 1,
            b'\'' if switches.digit_separators && CLASS[usize::from(text[at + 1])] & IDENTIFIER != 0 => at += 2,
            b'\\' | b'?' | 0x80.. => {
                if needs_cleaning(text, at, switches, clean) {
                    return None;
                }
                match extended_character(text, at, switches) {
                    Some((c, length)) if identifier_character(c) => at += length,
                    _ => return token(Number, at),
                }
            }
            _ => return token(Number, at),
        }
    }
}

/// A literal whose opening quote is at `quote`. Without a closing quote on the line the rest of the
/// line is one `Other`.
fn scan_quoted(
    text: &[u8],
    _start: usize,
    quote: usize,
    kind: TokenKind,
    switches: &Switches,
    clean: bool,
) -> Option<Scanned> {
    let terminator = text[quote];
    let mut at = quote + 1;
    loop {
        let byte = text[at];
        if byte == terminator {
            return token(kind, at + 1);
        }
        match byte {
            b'\\' => {
                if needs_cleaning(text, at, switches, clean) {
                    return None;
                }
                // What is escaped may be spliced itself: look before passing it.
                if matches!(text[at + 1], b'\n' | 0) {
                    at += 1;
                } else if needs_cleaning(text, at + 1, switches, clean) {
                    return None;
                } else {
                    at += 2;
                }
            }
            b'?' if needs_cleaning(text, at, switches, clean) => return None,
            b'\n' => return token(Other, at),
            0 if at + 1 == text.len() => return token(Other, at),
            _ => at += 1,
        }
    }
}

fn scan_raw_string(text: &[u8], _start: usize, quote: usize) -> Option<Scanned> {
    let open = text[quote + 1..].iter().take(17).position(|&b| b == b'(').map(|at| quote + 1 + at);
    let delimiter_ok = |b: &u8| !b.is_ascii_whitespace() && !matches!(b, b')' | b'\\' | b'"');
    let Some(open) = open.filter(|&open| text[quote + 1..open].iter().all(delimiter_ok)) else {
        let end = memchr::memchr(b'\n', &text[quote..]).map_or(text.len() - 1, |at| quote + at);
        return token(Other, end);
    };
    let delimiter = &text[quote + 1..open];
    let mut at = open + 1;
    while let Some(close) = memchr::memchr(b')', &text[at..]) {
        let rest = &text[at + close + 1..];
        if rest.starts_with(delimiter) && rest.get(delimiter.len()) == Some(&b'"') {
            return token(String, at + close + 1 + delimiter.len() + 1);
        }
        at += close + 1;
    }
    token(Other, text.len() - 1)
}

/// A character outside ASCII or a universal character name at `at`, and its length.
fn extended_character(text: &[u8], at: usize, switches: &Switches) -> Option<(char, usize)> {
    if !switches.extended_identifiers {
        return None;
    }
    any_character(text, at)
}

/// The same in every dialect.
fn any_character(text: &[u8], at: usize) -> Option<(char, usize)> {
    if text[at] != b'\\' {
        return decode_utf8(&text[at..text.len() - 1]).filter(|(c, _)| !c.is_ascii());
    }
    let digits = match text[at + 1] {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let spelled = text.get(at + 2..at + 2 + digits)?;
    let value = u32::from_str_radix(std::str::from_utf8(spelled).ok()?, 16).ok()?;
    Some((char::from_u32(value)?, 2 + digits))
}

/// An identifier with universal character names or characters beyond ASCII; or the stray character
/// at `start`.
#[cold]
fn scan_extended(text: &[u8], start: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    let mut at = start;
    loop {
        let byte = text[at];
        if CLASS[usize::from(byte)] & switches.identifier_bits != 0 {
            at += 1;
        } else if needs_cleaning(text, at, switches, clean) {
            return None;
        } else {
            match extended_character(text, at, switches) {
                Some((c, length)) if identifier_start(c) || at > start && identifier_character(c) => at += length,
                Some(('$', length)) if switches.identifier_bits & DOLLAR != 0 => at += length,
                _ => break,
            }
        }
    }
    if at > start {
        return Some(Scanned { kind: Identifier, end: at, special: true });
    }
    let length = decode_utf8(&text[start..text.len() - 1]).map_or(1, |(_, length)| length);
    token(Other, start + length)
}

/// The identifier's text with universal character names replaced by the characters they name.
pub(crate) fn canonical_identifier(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut terminated = text.to_vec();
    terminated.push(0);
    let mut at = 0;
    while at < text.len() {
        match any_character(&terminated, at) {
            Some((c, length)) if text[at] == b'\\' => {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += length;
            }
            _ => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}

fn scan_punctuator(text: &[u8], start: usize, switches: &Switches, clean: bool) -> Option<Scanned> {
    let scanned = punctuator(text, start, switches);
    // The token may go on after a splice; a comment after `/` was looked for before.
    if matches!(text[scanned.end], b'\\' | b'?') && needs_cleaning(text, scanned.end, switches, clean) {
        return None;
    }
    if matches!(text[start], b'?') && needs_cleaning(text, start, switches, clean) {
        return None;
    }
    if scanned.kind == Dot && text[scanned.end] == b'.' && needs_cleaning(text, scanned.end + 1, switches, clean) {
        return None;
    }
    if scanned.kind == Dot && text[scanned.end].is_ascii_digit() {
        return scan_number(text, start, switches, clean);
    }
    let percent_colon = switches.digraphs && scanned.kind == Hash && scanned.special && text[scanned.end] == b'%';
    if percent_colon && needs_cleaning(text, scanned.end + 1, switches, clean) {
        return None;
    }
    Some(scanned)
}

fn punctuator(text: &[u8], start: usize, switches: &Switches) -> Scanned {
    let next = text[start + 1];
    // Only valid to ask for when `next` is not the terminator.
    let third = || text[start + 2];
    let one = |kind| Scanned { kind, end: start + 1, special: false };
    let two = |kind| Scanned { kind, end: start + 2, special: false };
    let three = |kind| Scanned { kind, end: start + 3, special: false };
    let digraph = |kind| Scanned { kind, end: start + 2, special: true };
    match text[start] {
        b'[' => one(LeftBracket),
        b']' => one(RightBracket),
        b'(' => one(LeftParen),
        b')' => one(RightParen),
        b'{' => one(LeftBrace),
        b'}' => one(RightBrace),
        b';' => one(Semicolon),
        b',' => one(Comma),
        b'~' => one(Tilde),
        b'?' => one(Question),
        b'.' if next == b'.' && third() == b'.' => three(Ellipsis),
        b'.' => one(Dot),
        b'-' => match next {
            b'>' => two(Arrow),
            b'-' => two(MinusMinus),
            b'=' => two(MinusEqual),
            _ => one(Minus),
        },
        b'+' => match next {
            b'+' => two(PlusPlus),
            b'=' => two(PlusEqual),
            _ => one(Plus),
        },
        b'&' => match next {
            b'&' => two(AmpAmp),
            b'=' => two(AmpEqual),
            _ => one(Amp),
        },
        b'|' => match next {
            b'|' => two(PipePipe),
            b'=' => two(PipeEqual),
            _ => one(Pipe),
        },
        b'*' if next == b'=' => two(StarEqual),
        b'*' => one(Star),
        b'/' if next == b'=' => two(SlashEqual),
        b'/' => one(Slash),
        b'^' if next == b'=' => two(CaretEqual),
        b'^' => one(Caret),
        b'!' if next == b'=' => two(BangEqual),
        b'!' => one(Bang),
        b'=' if next == b'=' => two(EqualEqual),
        b'=' => one(Equal),
        b'<' => match next {
            b'<' if third() == b'=' => three(LessLessEqual),
            b'<' => two(LessLess),
            b'=' => two(LessEqual),
            b':' if switches.digraphs => digraph(LeftBracket),
            b'%' if switches.digraphs => digraph(LeftBrace),
            _ => one(Less),
        },
        b'>' => match next {
            b'>' if third() == b'=' => three(GreaterGreaterEqual),
            b'>' => two(GreaterGreater),
            b'=' => two(GreaterEqual),
            _ => one(Greater),
        },
        b':' => match next {
            b':' if switches.colon_colon => two(ColonColon),
            b'>' if switches.digraphs => digraph(RightBracket),
            _ => one(Colon),
        },
        b'%' => match next {
            b'=' => two(PercentEqual),
            b'>' if switches.digraphs => digraph(RightBrace),
            b':' if switches.digraphs && third() == b'%' && text[start + 3] == b':' => {
                Scanned { kind: HashHash, end: start + 4, special: true }
            }
            b':' if switches.digraphs => digraph(Hash),
            _ => one(Percent),
        },
        b'#' if next == b'#' => two(HashHash),
        b'#' => one(Hash),
        _ => one(Other),
    }
}
