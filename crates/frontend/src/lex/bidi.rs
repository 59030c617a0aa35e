//! `-Wbidi-chars`: Unicode's bidirectional control characters in comments, literals and
//! identifiers.
//!
//! They make a text look different from what the compiler reads (Unicode UAX 9, "Trojan Source").
//! An embedding (LRE, RLE, LRO, RLO) has to be closed by PDF and an isolate (LRI, RLI, FSI) by PDI
//! in the same token or, in block comments, line. Only texts that have such characters at all come
//! here.

use base::{Loc, Session, Span, warning};

use super::clean::splice_length;

/// What the argument of `-Wbidi-chars=` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mode {
    /// `any` rather than `unpaired`.
    any: bool,
    /// `ucn`: universal character names count too.
    names: bool,
}

/// Where the characters stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    BlockComment,
    LineComment,
    /// A literal or header name.
    Quoted,
    RawString,
    /// An identifier or number.
    Word,
}

/// How a character closes what it opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Embedding,
    Isolate,
    EndOfEmbedding,
    EndOfIsolate,
    Mark,
}

/// A control that is not closed yet.
struct Open {
    isolate: bool,
    named: bool,
    at: usize,
}

/// The mode in which a text has to be looked at; `None` for one without such characters.
pub(crate) fn mode(session: &Session, text: &[u8]) -> Option<Mode> {
    if !session.diag.is_on_somewhere(warning::BIDI_CHARS) {
        return None;
    }
    let level = session.diag.level(warning::BIDI_CHARS);
    let mode = Mode { any: level & 2 != 0, names: level & 4 != 0 };
    let written = memchr::memchr_iter(0xe2, text).any(|at| control(text, at).is_some());
    let named = || memchr::memchr_iter(b'\\', text).any(|at| control(text, at).is_some());
    (written || mode.names && named()).then_some(mode)
}

/// The control character at `at`, in UTF-8 or as a universal character name: its code and length.
fn control(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let (code, length) = match text.get(at..)? {
        [0xe2, second @ (0x80 | 0x81), third, ..] => {
            (0x2000 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f), 3)
        }
        [b'\\', letter @ (b'u' | b'U'), ..] => {
            let digits = if *letter == b'u' { 4 } else { 8 };
            let spelled = text.get(at + 2..at + 2 + digits).and_then(|digits| std::str::from_utf8(digits).ok())?;
            (u32::from_str_radix(spelled, 16).ok()?, 2 + digits)
        }
        _ => return None,
    };
    name(code).map(|_| (code, length))
}

/// Kind and name of a control character.
fn name(code: u32) -> Option<(Kind, &'static str)> {
    Some(match code {
        0x200e => (Kind::Mark, "LEFT-TO-RIGHT MARK"),
        0x200f => (Kind::Mark, "RIGHT-TO-LEFT MARK"),
        0x202a => (Kind::Embedding, "LEFT-TO-RIGHT EMBEDDING"),
        0x202b => (Kind::Embedding, "RIGHT-TO-LEFT EMBEDDING"),
        0x202c => (Kind::EndOfEmbedding, "POP DIRECTIONAL FORMATTING"),
        0x202d => (Kind::Embedding, "LEFT-TO-RIGHT OVERRIDE"),
        0x202e => (Kind::Embedding, "RIGHT-TO-LEFT OVERRIDE"),
        0x2066 => (Kind::Isolate, "LEFT-TO-RIGHT ISOLATE"),
        0x2067 => (Kind::Isolate, "RIGHT-TO-LEFT ISOLATE"),
        0x2068 => (Kind::Isolate, "FIRST STRONG ISOLATE"),
        0x2069 => (Kind::EndOfIsolate, "POP DIRECTIONAL ISOLATE"),
        _ => return None,
    })
}

/// Warns about `text[start..end]`; `base` is the position of the text's first byte.
#[cold]
pub(crate) fn check(session: &Session, mode: Mode, text: &[u8], start: usize, end: usize, place: Place, base: Loc) {
    let mut open: Vec<Open> = Vec::new();
    let mut at = start;
    while at < end {
        let comment = matches!(place, Place::BlockComment | Place::LineComment);
        let length = match text[at] {
            0xe2 => on_char(session, mode, &mut open, text, at, base),
            b'\\' if splice_length(text, at, false).is_some() => splice_length(text, at, false),
            b'\\' if matches!(place, Place::Quoted | Place::Word) => {
                // In a literal any other escape is passed over as a whole.
                on_char(session, mode, &mut open, text, at, base).or((place == Place::Quoted).then_some(2))
            }
            b'\n' if comment => {
                close(session, mode, &mut open, base, at);
                None
            }
            _ => None,
        };
        at += length.unwrap_or(1);
    }
    let mut last = match place {
        Place::Quoted => end.saturating_sub(2),
        _ => end - 1,
    };
    // A control has no width: its column is that of the character before.
    while last > start && text[last] & 0xc0 == 0x80 {
        last -= 1;
        if text[last] == 0xe2 && control(text, last).is_some() {
            last -= 1;
        }
    }
    close(session, mode, &mut open, base, last.max(start));
}

/// A control character: its length, if there is one at `at`.
fn on_char(session: &Session, mode: Mode, open: &mut Vec<Open>, text: &[u8], at: usize, base: Loc) -> Option<usize> {
    let (code, length) = control(text, at)?;
    let (kind, name) = name(code)?;
    let named = text[at] == b'\\';
    let shown = format!("\"U+{code:04X} ({name})\"");
    let loc = base.offset(at as u32);
    let closes =
        open.last().filter(|last| kind == if last.isolate { Kind::EndOfIsolate } else { Kind::EndOfEmbedding });
    if let Some(last) = closes {
        if !mode.any && mode.names && last.named != named {
            let message = format!("UTF-8 vs UCN mismatch when closing a context by {shown}");
            let opened = base.offset(last.at as u32);
            session.warn(warning::BIDI_CHARS, loc, message).span(Span::new(opened, opened)).emit();
        }
    } else if mode.any && (mode.names || !named) {
        let message = match kind {
            Kind::EndOfEmbedding | Kind::EndOfIsolate => format!("{shown} is closing an unopened context"),
            _ => format!("found problematic Unicode character {shown}"),
        };
        session.warn(warning::BIDI_CHARS, loc, message).emit();
    }
    match kind {
        Kind::Embedding | Kind::Isolate => open.push(Open { isolate: kind == Kind::Isolate, named, at }),
        Kind::EndOfEmbedding => {
            open.pop_if(|last| !last.isolate);
        }
        // It closes the embeddings within as well.
        Kind::EndOfIsolate => {
            if let Some(isolate) = open.iter().rposition(|open| open.isolate) {
                open.truncate(isolate);
            }
        }
        Kind::Mark => {}
    }
    Some(length)
}

/// The end of a token or line.
fn close(session: &Session, mode: Mode, open: &mut Vec<Open>, base: Loc, at: usize) {
    if let Some(last) = open.last()
        && !mode.any
        && (mode.names || !last.named)
    {
        let plural = if open.len() > 1 { "s" } else { "" };
        let message = format!("unpaired UTF-8 bidirectional control character{plural} detected");
        session.warn(warning::BIDI_CHARS, base.offset(at as u32), message).emit();
    }
    open.clear();
}
