//! Classes of bytes, trigraphs, UTF-8, and which characters outside ASCII may stand in identifiers.

/// Letter, digit or underscore.
pub(crate) const IDENTIFIER: u8 = 1;
/// `$`, part of identifiers unless `-fno-dollars-in-identifiers`.
pub(crate) const DOLLAR: u8 = 2;
/// Space, tab, form feed, vertical tab.
pub(crate) const BLANK: u8 = 4;
/// Bytes at which skipping the rest of a line must look closer.
pub(crate) const LINE_STOP: u8 = 8;
/// Letter or underscore: begins a word.
pub(crate) const WORD_START: u8 = 16;
/// A punctuator that no other continues.
pub(crate) const SINGLE: u8 = 32;
/// What, right after a word or a punctuator, may still belong to it: quotes after a prefix,
/// splices, trigraphs, characters beyond ASCII.
pub(crate) const WORD_STOP: u8 = 64;

/// A punctuator of one character, unless another punctuator's character or a digit follows.
pub(crate) const OPERATOR: u8 = 128;
/// What never goes on with the punctuator before it.
pub(crate) const APART: u8 = BLANK | WORD_START | SINGLE;

/// Class bits of each byte.
pub(crate) const CLASS: [u8; 256] = class_table();

const fn class_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut bits = 0;
        if b.is_ascii_alphanumeric() || b == b'_' {
            bits |= IDENTIFIER;
        }
        if b == b'$' {
            bits |= DOLLAR;
        }
        if matches!(b, b' ' | b'\t' | 0x0b | 0x0c) {
            bits |= BLANK;
        }
        if matches!(b, b'\n' | b'\\' | b'"' | b'\'' | b'/' | 0 | b'?') {
            bits |= LINE_STOP;
        }
        if b.is_ascii_alphabetic() || b == b'_' {
            bits |= WORD_START;
        }
        if matches!(b, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b'~') {
            bits |= SINGLE;
        }
        if matches!(b, b'"' | b'\'' | b'\\' | b'?' | 0x80..) {
            bits |= WORD_STOP;
        }
        if matches!(b, b'=' | b'.' | b'*' | b'&' | b'+' | b'-' | b'!' | b'|' | b'^' | b':' | b'<' | b'>') {
            bits |= OPERATOR;
        }
        table[byte] = bits;
        byte += 1;
    }
    table
}

/// The character the trigraph `??c` stands for (C17 5.2.1.1).
pub(crate) fn trigraph(c: u8) -> Option<u8> {
    Some(match c {
        b'=' => b'#',
        b'/' => b'\\',
        b'\'' => b'^',
        b'(' => b'[',
        b')' => b']',
        b'!' => b'|',
        b'<' => b'{',
        b'>' => b'}',
        b'-' => b'~',
        _ => return None,
    })
}

/// The character at the beginning of `text` and its length, if it is well-formed UTF-8.
pub(crate) fn decode_utf8(text: &[u8]) -> Option<(char, usize)> {
    let length = match *text.first()? {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    let c = std::str::from_utf8(text.get(..length)?).ok()?.chars().next()?;
    Some((c, length))
}

/// The sequences of five and six bytes that UTF-8 had before RFC 3629, up to 0x7fffffff: gcc takes
/// them in wide literals.
pub(crate) fn decode_old_utf8(text: &[u8]) -> Option<(u32, usize)> {
    let (length, first) = match *text.first()? {
        byte @ 0xf4..0xf8 => (4, byte & 7),
        byte @ 0xf8..0xfc => (5, byte & 3),
        byte @ 0xfc..0xfe => (6, byte & 1),
        _ => return None,
    };
    let mut code = u32::from(first);
    for &byte in text.get(1..length)? {
        if byte & 0xc0 != 0x80 {
            return None;
        }
        code = code << 6 | u32::from(byte & 0x3f);
    }
    // The shortest spelling only.
    let shortest = [0x11_0000, 0x20_0000, 0x400_0000][length - 4];
    (code >= shortest).then_some((code, length))
}

/// Whether a character outside ASCII may stand in an identifier (C11 Annex D.1, which gcc 12 takes
/// in all dialects).
pub(crate) fn identifier_character(c: char) -> bool {
    in_ranges(ALLOWED, c as u32)
}

/// Whether it may begin one (C11 Annex D.2 lists those that may not: combining characters).
pub(crate) fn identifier_start(c: char) -> bool {
    identifier_character(c) && !in_ranges(NOT_INITIALLY, c as u32)
}

fn in_ranges(ranges: &[(u32, u32)], c: u32) -> bool {
    let at = ranges.partition_point(|&(start, _)| start <= c);
    at > 0 && c <= ranges[at - 1].1
}

const ALLOWED: &[(u32, u32)] = &[
    (0xa8, 0xa8),
    (0xaa, 0xaa),
    (0xad, 0xad),
    (0xaf, 0xaf),
    (0xb2, 0xb5),
    (0xb7, 0xba),
    (0xbc, 0xbe),
    (0xc0, 0xd6),
    (0xd8, 0xf6),
    (0xf8, 0xff),
    (0x100, 0x167f),
    (0x1681, 0x180d),
    (0x180f, 0x1fff),
    (0x200b, 0x200d),
    (0x202a, 0x202e),
    (0x203f, 0x2040),
    (0x2054, 0x2054),
    (0x2060, 0x206f),
    (0x2070, 0x218f),
    (0x2460, 0x24ff),
    (0x2776, 0x2793),
    (0x2c00, 0x2dff),
    (0x2e80, 0x2fff),
    (0x3004, 0x3007),
    (0x3021, 0x302f),
    (0x3031, 0x303f),
    (0x3040, 0xd7ff),
    (0xf900, 0xfd3d),
    (0xfd40, 0xfdcf),
    (0xfdf0, 0xfe44),
    (0xfe47, 0xfffd),
    (0x10000, 0x1fffd),
    (0x20000, 0x2fffd),
    (0x30000, 0x3fffd),
    (0x40000, 0x4fffd),
    (0x50000, 0x5fffd),
    (0x60000, 0x6fffd),
    (0x70000, 0x7fffd),
    (0x80000, 0x8fffd),
    (0x90000, 0x9fffd),
    (0xa0000, 0xafffd),
    (0xb0000, 0xbfffd),
    (0xc0000, 0xcfffd),
    (0xd0000, 0xdfffd),
    (0xe0000, 0xefffd),
];

const NOT_INITIALLY: &[(u32, u32)] = &[(0x300, 0x36f), (0x1dc0, 0x1dff), (0x20d0, 0x20ff), (0xfe20, 0xfe2f)];
