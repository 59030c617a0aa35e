//! `sscanf` (C23, 7.23.6.2).

use super::Args;
use super::process::{float_prefix, integer_prefix};
use crate::Trap;
use crate::machine::Machine;

/// One conversion of a format.
struct Spec<'f> {
    /// `*`: what is read is not kept.
    dropped: bool,
    width: usize,
    /// Bytes of the integer that the length modifiers name.
    size: u64,
    /// `l` before a floating conversion.
    double: bool,
    conversion: u8,
    /// What stands between the brackets of `%[`.
    set: &'f [u8],
}

/// Reads the text (the first argument) by the format (the second); the arguments from the third on
/// take what is read. The number of items stored, or -1 if the text ended before the first.
///
/// # Errors
/// Conversions that are not modelled (`long double`, wide characters), too few arguments, bad
/// addresses.
pub fn scan(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<u128, Trap> {
    let text = machine.memory.c_string(args.address(0))?;
    Ok(scan_text(machine, &text, args, 1)?.stored)
}

/// What was read.
pub struct Scanned {
    /// The number of items stored, or -1 if the text ended before the first.
    pub stored: u128,
    /// How much of the text the directives have taken; all of it, too, if one wanted more.
    pub read: usize,
}

/// As [`scan`], of a text; the format is the argument `format`, what follows takes what is read.
///
/// # Errors
/// As there.
pub fn scan_text(machine: &mut Machine<'_>, text: &[u8], args: &Args<'_>, format: usize) -> Result<Scanned, Trap> {
    let next = format + 1;
    let format = machine.memory.c_string(args.address(format))?;
    let (mut at, mut read, mut stored, mut next) = (0, 0, 0, next);
    while at < format.len() {
        if format[at].is_ascii_whitespace() {
            read += spaces(&text[read..]);
            at += 1;
            continue;
        }
        if format[at] != b'%' {
            if text.get(read) != Some(&format[at]) {
                return Ok(Scanned { stored: ended(&text[read..], stored), read });
            }
            (at, read) = (at + 1, read + 1);
            continue;
        }
        at += 1;
        let spec = parse(&format, &mut at)?;
        if !matches!(spec.conversion, b'c' | b'[' | b'n') {
            read += spaces(&text[read..]);
        }
        let target = match spec.dropped || spec.conversion == b'%' {
            true => 0,
            false => {
                next += 1;
                args.from(next - 1).first().ok_or_else(|| Trap::Undefined("sscanf with too few arguments".into()))?;
                args.address(next - 1)
            }
        };
        if spec.conversion == b'n' {
            machine.memory.store(target, spec.size, read as u128)?;
            continue;
        }
        let rest = &text[read..text.len().min(read.saturating_add(spec.width))];
        let (length, bytes) = convert(&spec, rest)?;
        if length == 0 {
            return Ok(Scanned { stored: ended(&text[read..], stored), read });
        }
        read += length;
        if target != 0 {
            machine.memory.write(target, &bytes)?;
            stored += 1;
        }
    }
    Ok(Scanned { stored, read })
}

/// The result when a directive fails before this text.
fn ended(rest: &[u8], stored: u128) -> u128 {
    if rest.is_empty() && stored == 0 { u32::MAX as u128 } else { stored }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The conversion after a `%`; `at` moves after it.
fn parse<'f>(format: &'f [u8], at: &mut usize) -> Result<Spec<'f>, Trap> {
    let mut spec = Spec { dropped: false, width: 0, size: 4, double: false, conversion: 0, set: &[] };
    let unfinished = || Trap::Undefined("format ends in the middle of a conversion".into());
    loop {
        let byte = *format.get(*at).ok_or_else(unfinished)?;
        *at += 1;
        match byte {
            b'*' => spec.dropped = true,
            b'0'..=b'9' => spec.width = spec.width * 10 + (byte - b'0') as usize,
            b'l' => (spec.size, spec.double) = (8, true),
            b'z' | b'j' | b't' => spec.size = 8,
            b'h' => spec.size = if spec.size == 2 { 1 } else { 2 },
            b'L' => return Err(Trap::Unsupported("sscanf of long double".into())),
            conversion => {
                spec.conversion = conversion;
                break;
            }
        }
    }
    if spec.width == 0 {
        spec.width = if spec.conversion == b'c' { 1 } else { usize::MAX };
    }
    if spec.conversion == b'[' {
        // A bracket that comes first, or after ^, is a member of the set.
        let start = *at;
        let first = start + usize::from(format.get(start) == Some(&b'^')) + 1;
        let length = format.iter().skip(first).position(|&b| b == b']').ok_or_else(unfinished)?;
        spec.set = &format[start..first + length];
        *at = first + length + 1;
    }
    Ok(spec)
}

/// How much of the text the conversion takes (0: it does not match), and the bytes that are stored.
fn convert(spec: &Spec<'_>, text: &[u8]) -> Result<(usize, Vec<u8>), Trap> {
    let base = match spec.conversion {
        b'd' | b'u' => 10,
        b'i' => 0,
        b'x' | b'X' | b'p' => 16,
        b'o' => 8,
        b'%' => return Ok((usize::from(text.first() == Some(&b'%')), Vec::new())),
        b'c' => {
            return Ok(if text.len() < spec.width {
                (0, Vec::new())
            } else {
                (spec.width, text[..spec.width].to_vec())
            });
        }
        b's' => return Ok(string(text, |b| !b.is_ascii_whitespace())),
        b'[' => return Ok(string(text, |b| in_set(spec.set, b))),
        b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => {
            let (value, length) = float_prefix(text).unwrap_or_default();
            let bytes = if spec.double { value.to_le_bytes().to_vec() } else { (value as f32).to_le_bytes().to_vec() };
            return Ok((length, bytes));
        }
        other => return Err(Trap::Unsupported(format!("sscanf %{}", other as char))),
    };
    let (value, length) = integer_prefix(text, base);
    let size = if spec.conversion == b'p' { 8 } else { spec.size };
    Ok((length, value.to_le_bytes()[..size as usize].to_vec()))
}

/// The longest prefix of such bytes, and the same with a null character after it.
fn string(text: &[u8], takes: impl Fn(u8) -> bool) -> (usize, Vec<u8>) {
    let length = text.iter().take_while(|&&b| takes(b)).count();
    let mut bytes = text[..length].to_vec();
    bytes.push(0);
    (length, bytes)
}

/// Whether a `%[` set has the byte; `a-z` is a range unless the dash comes first or last, as in
/// glibc.
fn in_set(set: &[u8], byte: u8) -> bool {
    let (negated, set) = match set {
        [b'^', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let mut at = 0;
    let mut found = false;
    while at < set.len() {
        let range = set.get(at + 1) == Some(&b'-') && at + 2 < set.len();
        let last = if range { set[at + 2] } else { set[at] };
        found |= (set[at]..=last).contains(&byte);
        at += if range { 3 } else { 1 };
    }
    found != negated
}
