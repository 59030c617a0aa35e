//! Values in C's notation, in the manner of gdb's `print`.

use super::types;
use base::debug_types::{BaseEncoding, DebugType, Member, TypeIndex, TypeTable};
use rustc_apfloat::{Float, ieee};

/// Elements of arrays and strings that are shown.
const LONGEST: usize = 200;
/// So many equal elements are shown as one.
const REPEATS: usize = 10;
/// Records and arrays inside each other that are shown.
const DEPTH: u32 = 16;

/// What a value is shown with.
pub struct Shown<'a> {
    pub table: &'a TypeTable,
    /// The function at an address.
    pub function: &'a dyn Fn(usize) -> Option<String>,
}

/// A value, whose bytes these are.
pub fn text(shown: &Shown<'_>, ty: Option<TypeIndex>, bytes: &[u8]) -> String {
    let plain = types::plain(shown.table, ty);
    match plain {
        Some(DebugType::Pointer(of)) => {
            let pointed = pointer(shown, *of, bytes);
            let is_text = character(shown, *of).is_some();
            if is_text { pointed } else { format!("({}) {pointed}", types::name(shown.table, ty)) }
        }
        _ => value(shown, ty, bytes, DEPTH),
    }
}

fn value(shown: &Shown<'_>, ty: Option<TypeIndex>, bytes: &[u8], depth: u32) -> String {
    let Some(plain) = types::plain(shown.table, ty) else { return "void".to_string() };
    if depth == 0 {
        return "{...}".to_string();
    }
    match plain {
        DebugType::Base { size, encoding, name } => base(*encoding, *size, name, bytes),
        DebugType::Pointer(of) => pointer(shown, *of, bytes),
        DebugType::Array { element, vector, .. } => array(shown, *element, bytes, depth, *vector),
        DebugType::Record { body: Some((_, members)), .. } => record(shown, members, bytes, depth),
        DebugType::Record { body: None, .. } => "<incomplete type>".to_string(),
        DebugType::Enumeration { underlying, values, .. } => enumeration(shown, *underlying, values, bytes),
        DebugType::Function { .. } => "{...}".to_string(),
        DebugType::Qualified(..) | DebugType::Typedef { .. } => base::bug!("a plain type has a name"),
    }
}

fn word(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
}

/// A number of `bits` bits as a signed one.
fn signed(word: u128, bits: u32) -> i128 {
    let unused = 128 - bits.clamp(1, 128);
    (word << unused) as i128 >> unused
}

fn base(encoding: BaseEncoding, size: u64, name: &str, bytes: &[u8]) -> String {
    let word = word(bytes);
    let bits = size as u32 * 8;
    // Of the two formats of 16 bytes.
    let is_extended = name.contains("long double") || name.contains("64x");
    match encoding {
        _ if size > 16 && !matches!(encoding, BaseEncoding::ComplexFloat) => hexadecimal(bytes),
        BaseEncoding::Boolean if word < 2 => (word == 1).to_string(),
        BaseEncoding::Boolean | BaseEncoding::Unsigned => word.to_string(),
        BaseEncoding::Signed => signed(word, bits).to_string(),
        BaseEncoding::SignedChar => format!("{} '{}'", signed(word, bits), escaped(word as u8, '\'')),
        BaseEncoding::UnsignedChar => format!("{word} '{}'", escaped(word as u8, '\'')),
        BaseEncoding::Float => float(bytes, is_extended),
        BaseEncoding::DecimalFloat => hexadecimal(bytes),
        BaseEncoding::ComplexFloat => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            format!("{} + {}i", float(real, is_extended), float(imaginary, is_extended))
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().rev().fold("0x".to_string(), |text, byte| text + &format!("{byte:02x}"))
}

/// A character inside quotes of one kind.
fn escaped(byte: u8, quote: char) -> String {
    match byte {
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        0x07 => "\\a".into(),
        0x08 => "\\b".into(),
        0x0b => "\\v".into(),
        0x0c => "\\f".into(),
        b'\\' => "\\\\".into(),
        byte if byte == quote as u8 => format!("\\{quote}"),
        0x20..0x7f => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    }
}

fn float(bytes: &[u8], is_extended: bool) -> String {
    let word = word(bytes);
    match bytes.len() {
        2 => decimal(&ieee::Half::from_bits(word & 0xffff).to_string()),
        4 => shortest(f64::from(f32::from_bits(word as u32)), &format!("{:e}", f32::from_bits(word as u32))),
        8 => shortest(f64::from_bits(word as u64), &format!("{:e}", f64::from_bits(word as u64))),
        _ if is_extended => decimal(&ieee::X87DoubleExtended::from_bits(word & ((1 << 80) - 1)).to_string()),
        _ => decimal(&ieee::Quad::from_bits(word).to_string()),
    }
}

/// The library's notation with C's words.
fn decimal(text: &str) -> String {
    text.replace("NaN", "nan").replace("Infinity", "inf").replace('E', "e")
}

/// The fewest digits that are read back as the number, given as `d.ddde-n`.
fn shortest(number: f64, scientific: &str) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_nan() {
        return format!("{sign}nan");
    }
    if number.is_infinite() {
        return format!("{sign}inf");
    }
    let (digits, exponent) = scientific.trim_start_matches('-').split_once('e').unwrap_or(("0", "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = digits.replace('.', "");
    let text = match exponent {
        -5..0 => format!("0.{}{digits}", "0".repeat(-exponent as usize - 1)),
        0..17 if digits.len() <= exponent as usize + 1 => {
            format!("{digits}{}", "0".repeat(exponent as usize + 1 - digits.len()))
        }
        0..17 => format!("{}.{}", &digits[..exponent as usize + 1], &digits[exponent as usize + 1..]),
        _ => {
            let point = if digits.len() > 1 { "." } else { "" };
            let mark = if exponent < 0 { '-' } else { '+' };
            format!("{}{point}{}e{mark}{:02}", &digits[..1], &digits[1..], exponent.abs())
        }
    };
    format!("{sign}{text}")
}

/// Whether something is a character of one byte.
fn character(shown: &Shown<'_>, ty: Option<TypeIndex>) -> Option<()> {
    let plain = types::plain(shown.table, ty);
    let is_one = matches!(
        plain,
        Some(DebugType::Base { size: 1, encoding: BaseEncoding::SignedChar | BaseEncoding::UnsignedChar, .. })
    );
    is_one.then_some(())
}

fn pointer(shown: &Shown<'_>, to: Option<TypeIndex>, bytes: &[u8]) -> String {
    let address = word(bytes) as usize;
    let mut text = format!("{address:#x}");
    if address == 0 {
        return text;
    }
    if let Some(DebugType::Function { .. }) = types::plain(shown.table, to)
        && let Some(name) = (shown.function)(address)
    {
        text.push_str(&format!(" <{name}>"));
    }
    if character(shown, to).is_some() {
        match string_at(address) {
            Some(string) => text.push_str(&format!(" {string}")),
            None => text.push_str(&format!(" <cannot access memory at address {address:#x}>")),
        }
    }
    text
}

/// The string at an address of this process, if there is memory.
fn string_at(address: usize) -> Option<String> {
    let mut bytes = Vec::new();
    while bytes.len() <= LONGEST {
        let mut byte = 0u8;
        let own = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        let other = libc::iovec { iov_base: (address + bytes.len()) as *mut _, iov_len: 1 };
        // SAFETY: the kernel checks the address and writes the one byte.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &own, 1, &other, 1, 0) };
        if read != 1 {
            return if bytes.is_empty() { None } else { Some(string(&bytes, true)) };
        }
        if byte == 0 {
            return Some(string(&bytes, false));
        }
        bytes.push(byte);
    }
    bytes.truncate(LONGEST);
    Some(string(&bytes, true))
}

/// Bytes between quotation marks. UTF-8 stays as it is.
fn string(bytes: &[u8], goes_on: bool) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match u8::try_from(character) {
                Ok(byte) if byte < 0x80 => text.push_str(&escaped(byte, '"')),
                _ => text.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&escaped(*byte, '"')));
    }
    text.push('"');
    if goes_on {
        text.push_str("...");
    }
    text
}

fn array(shown: &Shown<'_>, element: Option<TypeIndex>, bytes: &[u8], depth: u32, vector: bool) -> String {
    if character(shown, element).is_some() && !vector {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let is_string = bytes[end..].iter().all(|byte| *byte == 0);
        let end = if is_string { end } else { bytes.len() };
        return string(&bytes[..end.min(LONGEST)], end > LONGEST);
    }
    let size = element.and_then(|element| shown.table.size(element)).unwrap_or(0) as usize;
    if size == 0 || bytes.is_empty() {
        return "{}".to_string();
    }
    let elements: Vec<&[u8]> = bytes.chunks_exact(size).collect();
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < elements.len() && parts.len() < LONGEST {
        let equal = elements[at..].iter().take_while(|other| **other == elements[at]).count();
        let text = value(shown, element, elements[at], depth - 1);
        if equal >= REPEATS {
            parts.push(format!("{text} <repeats {equal} times>"));
            at += equal;
        } else {
            parts.push(text);
            at += 1;
        }
    }
    let rest = if at < elements.len() { "..." } else { "" };
    format!("{{{}{rest}}}", parts.join(", "))
}

fn record(shown: &Shown<'_>, members: &[Member], bytes: &[u8], depth: u32) -> String {
    let mut parts = Vec::new();
    for member in members {
        let text = match member.bits {
            Some((first, width)) => bit_field(shown, member.ty, bytes, first, width),
            None => {
                let start = (member.offset as usize).min(bytes.len());
                let size = member.ty.and_then(|ty| shown.table.size(ty)).unwrap_or(0) as usize;
                value(shown, member.ty, &bytes[start..(start + size).min(bytes.len())], depth - 1)
            }
        };
        parts.push(match &member.name {
            Some(name) => format!("{name} = {text}"),
            None => text,
        });
    }
    format!("{{{}}}", parts.join(", "))
}

fn bit_field(shown: &Shown<'_>, ty: Option<TypeIndex>, bytes: &[u8], first: u64, width: u32) -> String {
    let start = (first / 8) as usize;
    let word = word(&bytes[start.min(bytes.len())..]) >> (first % 8);
    let mask = u128::MAX >> (128 - width.clamp(1, 128));
    let word = word & mask;
    let is_signed = matches!(
        types::plain(shown.table, ty),
        Some(DebugType::Base { encoding: BaseEncoding::Signed | BaseEncoding::SignedChar, .. })
    );
    match types::plain(shown.table, ty) {
        Some(DebugType::Enumeration { .. }) => value(shown, ty, &word.to_le_bytes()[..4], DEPTH),
        Some(DebugType::Base { encoding: BaseEncoding::Boolean, .. }) => (word == 1).to_string(),
        _ if is_signed => signed(word, width).to_string(),
        _ => word.to_string(),
    }
}

/// The name of the value; several that are bits, if there is none for all of it.
fn enumeration(shown: &Shown<'_>, underlying: Option<TypeIndex>, values: &[(Box<str>, i128)], bytes: &[u8]) -> String {
    let is_signed = matches!(
        types::plain(shown.table, underlying),
        Some(DebugType::Base { encoding: BaseEncoding::Signed | BaseEncoding::SignedChar, .. })
    );
    let word = word(bytes);
    let number = if is_signed { signed(word, bytes.len() as u32 * 8) } else { word as i128 };
    if let Some((name, _)) = values.iter().find(|(_, value)| *value == number) {
        return name.to_string();
    }
    let is_flags = values.iter().all(|(_, value)| *value == 0 || *value > 0 && value.count_ones() == 1);
    let flags: Vec<&(Box<str>, i128)> =
        values.iter().filter(|(_, value)| is_flags && *value != 0 && number & value == *value).collect();
    let rest = flags.iter().fold(number, |rest, (_, value)| rest & !value);
    if flags.is_empty() {
        return number.to_string();
    }
    let mut names: Vec<String> = flags.iter().map(|(name, _)| name.to_string()).collect();
    if rest != 0 {
        names.push(format!("unknown: {rest:#x}"));
    }
    format!("({})", names.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_fewest_digits() {
        let double = |number: f64| float(&number.to_le_bytes(), false);
        assert_eq!(double(0.1), "0.1");
        assert_eq!(double(-1.0), "-1");
        assert_eq!(double(1e20), "1e+20");
        assert_eq!(double(1.5e-7), "1.5e-07");
        assert_eq!(double(123456.75), "123456.75");
        assert_eq!(double(0.0), "0");
        assert_eq!(double(f64::INFINITY), "inf");
        assert_eq!(float(&0.1f32.to_le_bytes(), false), "0.1");
    }

    #[test]
    fn characters_are_escaped() {
        assert_eq!(string(b"a\"b\n\x01\xff \xc3\xa4", false), "\"a\\\"b\\n\\001\\377 \u{e4}\"");
        assert_eq!(base(BaseEncoding::SignedChar, 1, "char", &[39]), "39 '\\''");
        assert_eq!(base(BaseEncoding::SignedChar, 1, "char", &[255]), "-1 '\\377'");
    }
}
