//! What character constants and string literals mean, from their spelling. Used by the parser and
//! by `#if`.
//!
//! Nothing is reported here: faults are collected as [`Problem`]s, so that the caller decides about
//! location and severity. Without a conversion the execution character set is UTF-8, and the bytes
//! of a narrow literal are taken as they are.

use base::charset::Converter;

use super::charset::{self, ExecutionCharsets};
use super::encoding::{Encoding, Problem, ProblemSeverity};
use super::escapes::Reader;

/// Encoding and raw-ness of a literal, and the range of its contents between the quotes (for a raw
/// string: between the parentheses).
pub fn literal_parts(spelling: &[u8]) -> (Encoding, bool, std::ops::Range<usize>) {
    let (encoding, mut at) = match spelling {
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'u', ..] => (Encoding::Utf16, 1),
        [b'U', ..] => (Encoding::Utf32, 1),
        [b'L', ..] => (Encoding::Wide, 1),
        _ => (Encoding::Plain, 0),
    };
    let raw = spelling.get(at) == Some(&b'R');
    at += usize::from(raw) + 1;
    let mut end = spelling.len().saturating_sub(1);
    if raw {
        let delimiter = spelling[at.min(end)..].iter().position(|&b| b == b'(').unwrap_or(0);
        at += delimiter + 1;
        end = end.saturating_sub(delimiter + 1);
    }
    (encoding, raw, at.min(end)..end)
}

/// Decodes a string literal to code units of `target` (its own encoding, or that of the sequence it
/// is joined with; UTF-16 for wide literals of 16 bits), appended to `out` little-endian, without a
/// terminating zero, converted by `converter` if there is one.
pub fn decode_string(
    spelling: &[u8],
    target: Encoding,
    converter: Option<&mut Converter>,
    out: &mut Vec<u8>,
    problems: &mut Vec<Problem>,
) {
    let (_, raw, range) = literal_parts(spelling);
    if let Some(converter) = converter {
        let reader = Reader { text: &spelling[..range.end], at: range.start, raw, target, bytes: true, problems };
        charset::convert(reader, target.unit_size(), converter, out);
        return;
    }
    if target.unit_size() == 1 && (raw || memchr::memchr(b'\\', &spelling[range.clone()]).is_none()) {
        out.extend_from_slice(&spelling[range]);
        return;
    }
    let bytes = target.unit_size() == 1;
    let mut reader = Reader { text: &spelling[..range.end], at: range.start, raw, target, bytes, problems };
    while let Some(unit) = reader.next() {
        unit.encode(target, out);
    }
}

/// A decoded character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharConstant {
    /// The value: of type `int` for a plain constant (sign-extended as `char` is), otherwise
    /// unsigned, `wchar_t` as int.
    pub value: i64,
    /// Its prefix.
    pub encoding: Encoding,
}

/// Decodes a character constant (C23 6.4.4.4) to its `encoding` or, if it is wide with
/// `short_wchar`, to UTF-16, or as `charsets` say; several characters in a plain one are combined
/// as gcc does.
pub fn decode_char(
    spelling: &[u8],
    unsigned_char: bool,
    short_wchar: bool,
    charsets: &mut ExecutionCharsets,
    problems: &mut Vec<Problem>,
) -> CharConstant {
    let (encoding, _, range) = literal_parts(spelling);
    let target = if short_wchar && encoding == Encoding::Wide { Encoding::Utf16 } else { encoding };
    let mut units = Vec::new();
    if range.is_empty() {
        problems.push(Problem {
            offset: 0,
            severity: ProblemSeverity::Error,
            message: "empty character constant".to_owned(),
        });
        return CharConstant { value: 0, encoding };
    }
    decode_string(spelling, target, charsets.of(encoding), &mut units, problems);
    if units.len() < target.unit_size() {
        return CharConstant { value: 0, encoding };
    }
    let mut report = |severity, message: &str| {
        problems.push(Problem { offset: 0, severity, message: message.to_owned() });
    };
    let count = units.len() / target.unit_size();
    let value = match encoding {
        Encoding::Plain => {
            if count > 4 {
                report(ProblemSeverity::Warning, "character constant too long for its type");
            } else if count > 1 {
                report(ProblemSeverity::Multichar, "multi-character character constant");
            }
            match units[..] {
                [single] if unsigned_char => i64::from(single),
                [single] => i64::from(single as i8),
                _ => i64::from(units.iter().fold(0u32, |value, &unit| value << 8 | u32::from(unit)) as i32),
            }
        }
        _ => {
            if count > 1 {
                let (severity, text) = match encoding {
                    Encoding::Utf8 => (ProblemSeverity::Error, "character not encodable in a single code unit"),
                    _ => (ProblemSeverity::Warning, "character constant too long for its type"),
                };
                report(severity, text);
            }
            let last = &units[units.len() - target.unit_size()..];
            let value = last.iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
            if target == Encoding::Wide { i64::from(value as i32) } else { i64::from(value) }
        }
    };
    CharConstant { value, encoding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_strings() {
        let mut problems = Vec::new();
        assert_eq!(decode_char(b"'\\xff'", false, false, &mut Default::default(), &mut problems).value, -1);
        assert_eq!(decode_char(b"'\\377'", true, false, &mut Default::default(), &mut problems).value, 255);
        assert_eq!(decode_char("L'é'".as_bytes(), false, false, &mut Default::default(), &mut problems).value, 0xe9);
        assert!(problems.is_empty());
        assert_eq!(decode_char(b"'ab'", false, false, &mut Default::default(), &mut problems).value, 0x6162);
        assert_eq!(problems.pop().unwrap().severity, ProblemSeverity::Multichar);
        let mut out = Vec::new();
        decode_string("u\"a\\u00e9😀\"".as_bytes(), Encoding::Utf16, None, &mut out, &mut problems);
        assert_eq!(out, [0x61, 0, 0xe9, 0, 0x3d, 0xd8, 0x00, 0xde]);
        out.clear();
        decode_string(b"R\"x(a\\n)x\"", Encoding::Plain, None, &mut out, &mut problems);
        assert_eq!(out, b"a\\n");
        assert!(problems.is_empty());
    }
}
