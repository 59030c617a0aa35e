//! What literals mean: numbers, character constants and strings, from their spelling. Used by the parser and by `#if`.
//!
//! Nothing is reported here: a faulty number is an `Err` with gcc's message, and the faults of characters and strings are
//! collected as [`Problem`]s, so that the caller decides about location and severity. Without a conversion the execution
//! character set is UTF-8, and the bytes of a narrow literal are taken as they are.

use base::charset::Converter;

use super::charset::{self, ExecutionCharsets};
use super::dialect::{Dialect, Standard};

/// Suffix of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IntegerSuffix {
    /// `u`
    pub unsigned: bool,
    /// Number of `l`: 0, 1 or 2
    pub longs: u8,
    /// `wb` (C23 `_BitInt`)
    pub bit_precise: bool,
    /// `i` or `j` (GNU complex)
    pub imaginary: bool,
}

/// An integer constant (C23 6.4.4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerConstant {
    /// The value, modulo 2^128 when `overflow`.
    pub value: u128,
    /// The value does not fit 128 bits.
    pub overflow: bool,
    /// 2, 8, 10 or 16
    pub base: u8,
    /// Suffix.
    pub suffix: IntegerSuffix,
}

/// Type suffix of a floating constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None: double
    None,
    /// `f`
    F,
    /// `l`
    L,
    /// `d`, double whatever `FLOAT_CONST_DECIMAL64` says
    D,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `f128` or `q`
    F128,
    /// `f32x`
    F32x,
    /// `f64x`
    F64x,
    /// `w`: `__float80`
    W,
    /// `df`: `_Decimal32`
    Df,
    /// `dd`: `_Decimal64`
    Dd,
    /// `dl`: `_Decimal128`
    Dl,
}

/// A floating constant (C23 6.4.4.2), to be converted by who knows the target's formats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatConstant {
    /// Digits, point and exponent, with the `0x` of a hexadecimal one, without suffix and digit separators.
    pub text: String,
    /// Hexadecimal.
    pub hexadecimal: bool,
    /// Type.
    pub suffix: FloatSuffix,
    /// `i` or `j`
    pub imaginary: bool,
}

/// What a preprocessing number is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// An integer constant.
    Integer(IntegerConstant),
    /// A floating constant.
    Float(FloatConstant),
}

/// Reads a preprocessing number. The error is the message of a diagnostic.
pub fn parse_number(spelling: &[u8], dialect: &Dialect) -> Result<Number, String> {
    if let [digit @ b'0'..=b'9'] = spelling {
        let base = if *digit == b'0' { 8 } else { 10 };
        let value = u128::from(digit - b'0');
        return Ok(Number::Integer(IntegerConstant { value, overflow: false, base, suffix: Default::default() }));
    }
    let stripped;
    let text = if dialect.c23() && spelling.contains(&b'\'') {
        stripped = spelling.iter().copied().filter(|&b| b != b'\'').collect::<Vec<u8>>();
        &stripped[..]
    } else {
        spelling
    };
    let (base, prefix) = match text {
        [b'0', b'x' | b'X', next, ..] if next.is_ascii_hexdigit() || *next == b'.' => (16, 2),
        [b'0', b'b' | b'B', b'0' | b'1', ..] => (2, 2),
        [b'0', b'o' | b'O', b'0'..=b'7', ..] => (8, 2),
        [b'0', ..] => (8, 0),
        _ => (10, 0),
    };
    let mut at = prefix;
    let (mut float, mut points) = (false, 0);
    let mut has_digits = false;
    while at < text.len() {
        let byte = text[at];
        if byte.is_ascii_digit() || base == 16 && byte.is_ascii_hexdigit() {
            has_digits = true;
        } else if byte == b'.' {
            points += 1;
            float = true;
            if points > 1 {
                return Err("too many decimal points in number".into());
            }
        } else {
            break;
        }
        at += 1;
    }
    let exponent_letter = if base == 16 { b'p' } else { b'e' };
    if at < text.len() && text[at].to_ascii_lowercase() == exponent_letter {
        float = true;
        at += 1;
        if at < text.len() && matches!(text[at], b'+' | b'-') {
            at += 1;
        }
        let digits = at;
        while at < text.len() && text[at].is_ascii_digit() {
            at += 1;
        }
        if at == digits {
            return Err("exponent has no digits".into());
        }
        if base == 16 && !has_digits {
            return Err("no digits in hexadecimal floating constant".into());
        }
    } else if float && base == 16 {
        return Err("hexadecimal floating constants require an exponent".into());
    }
    if float { float_constant(text, at, base) } else { integer_constant(text, prefix, at, base) }
}

fn float_constant(text: &[u8], at: usize, base: u8) -> Result<Number, String> {
    if base == 2 {
        return Err(format!("invalid prefix \"{}\" for floating constant", lossy(&text[..2])));
    }
    let suffix = lossy(&text[at..]);
    let Some((kind, imaginary)) = float_suffix(&suffix) else {
        return Err(format!("invalid suffix \"{suffix}\" on floating constant"));
    };
    if base == 16 && matches!(kind, FloatSuffix::Df | FloatSuffix::Dd | FloatSuffix::Dl) {
        return Err(format!("invalid suffix \"{suffix}\" with hexadecimal floating constant"));
    }
    let text = lossy(&text[..at]);
    Ok(Number::Float(FloatConstant { text, hexadecimal: base == 16, suffix: kind, imaginary }))
}

fn float_suffix(suffix: &str) -> Option<(FloatSuffix, bool)> {
    // Case may not be mixed in the decimal suffixes (6.4.4.2); everywhere else it does not matter.
    if matches!(suffix, "dF" | "Df" | "dD" | "Dd" | "dL" | "Dl") {
        return None;
    }
    let lower = suffix.to_ascii_lowercase();
    let imaginary = lower.matches(['i', 'j']).count();
    if imaginary > 1 || lower.len() > 5 {
        return None;
    }
    // The imaginary letter stands before or after the type.
    let kind = lower.trim_start_matches(['i', 'j']);
    let kind = if kind.len() == lower.len() { kind.trim_end_matches(['i', 'j']) } else { kind };
    let kind = match kind {
        "" => FloatSuffix::None,
        "f" => FloatSuffix::F,
        "l" => FloatSuffix::L,
        "d" => FloatSuffix::D,
        "f16" => FloatSuffix::F16,
        "f32" => FloatSuffix::F32,
        "f64" => FloatSuffix::F64,
        "f128" | "q" => FloatSuffix::F128,
        "f32x" => FloatSuffix::F32x,
        "f64x" => FloatSuffix::F64x,
        "w" => FloatSuffix::W,
        "df" => FloatSuffix::Df,
        "dd" => FloatSuffix::Dd,
        "dl" => FloatSuffix::Dl,
        _ => return None,
    };
    Some((kind, imaginary == 1))
}

fn integer_constant(text: &[u8], prefix: usize, end: usize, base: u8) -> Result<Number, String> {
    let suffix_text = lossy(&text[end..]);
    let Some(suffix) = integer_suffix(&suffix_text) else {
        return Err(format!("invalid suffix \"{suffix_text}\" on integer constant"));
    };
    let (mut value, mut overflow) = (0u128, false);
    for &byte in &text[prefix..end] {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            _ => byte.to_ascii_lowercase() - b'a' + 10,
        };
        if digit >= base {
            let kind = if base == 8 { "octal" } else { "binary" };
            return Err(format!("invalid digit \"{}\" in {kind} constant", byte as char));
        }
        let (product, high) = value.overflowing_mul(u128::from(base));
        let (sum, carry) = product.overflowing_add(u128::from(digit));
        overflow |= high || carry;
        value = sum;
    }
    Ok(Number::Integer(IntegerConstant { value, overflow, base, suffix }))
}

fn integer_suffix(suffix: &str) -> Option<IntegerSuffix> {
    let mut result = IntegerSuffix::default();
    let mut rest = suffix;
    while let Some(first) = rest.chars().next() {
        let used = match first {
            'u' | 'U' if !result.unsigned => {
                result.unsigned = true;
                1
            }
            'l' | 'L' if result.longs == 0 && !result.bit_precise => {
                let double = rest.starts_with("ll") || rest.starts_with("LL");
                result.longs = 1 + u8::from(double);
                1 + usize::from(double)
            }
            'w' | 'W' if result.longs == 0 && (rest.starts_with("wb") || rest.starts_with("WB")) => {
                if result.bit_precise {
                    return None;
                }
                result.bit_precise = true;
                2
            }
            'i' | 'I' | 'j' | 'J' if !result.imaginary => {
                result.imaginary = true;
                1
            }
            _ => return None,
        };
        rest = &rest[used..];
    }
    Some(result)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Encoding prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None: `char`
    Plain,
    /// `u8`
    Utf8,
    /// `u`: `char16_t`
    Utf16,
    /// `U`: `char32_t`
    Utf32,
    /// `L`: `wchar_t`, 32 bits on this target
    Wide,
}

impl Encoding {
    /// Bytes of a code unit.
    pub fn unit_size(self) -> usize {
        match self {
            Encoding::Plain | Encoding::Utf8 => 1,
            Encoding::Utf16 => 2,
            Encoding::Utf32 | Encoding::Wide => 4,
        }
    }
}

/// A fault in a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Byte offset in the spelling.
    pub offset: usize,
    /// How bad.
    pub severity: ProblemSeverity,
    /// What to say.
    pub message: String,
}

/// How a [`Problem`] is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemSeverity {
    /// An error.
    Error,
    /// What gcc calls a pedwarn: a warning, an error with `-pedantic-errors`.
    PedanticWarning,
    /// A plain warning.
    Warning,
    /// Only with `-pedantic`.
    Pedantic,
    /// With `-pedantic`, where the standard is an earlier one.
    PedanticBefore(Standard),
    /// Under `-Wmultichar`.
    Multichar,
}

/// Encoding and raw-ness of a literal, and the range of its contents between the quotes (for a raw string: between the
/// parentheses).
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

/// Decodes a string literal to code units of `target` (its own encoding, or that of the sequence it is joined with; UTF-16 for wide
/// literals of 16 bits), appended to `out` little-endian, without a terminating zero, converted by `converter` if there is one.
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
    /// The value: of type `int` for a plain constant (sign-extended as `char` is), otherwise unsigned, `wchar_t` as int.
    pub value: i64,
    /// Its prefix.
    pub encoding: Encoding,
}

/// Decodes a character constant (C23 6.4.4.4) to its `encoding` or, if it is wide with `short_wchar`, to UTF-16, or as `charsets` say; several
/// characters in a plain one are combined as gcc does.
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

/// What one source character or escape sequence stands for.
pub(super) enum Unit {
    /// A character of the execution set, to be encoded.
    Character(u32),
    /// A numeric escape: one code unit of this value, whatever the encoding.
    Code(u32),
    /// A byte of a narrow literal, as it is.
    Byte(u8),
}

impl Unit {
    fn encode(&self, target: Encoding, out: &mut Vec<u8>) {
        match (self, target) {
            (Unit::Byte(byte), _) => out.push(*byte),
            (Unit::Character(c), Encoding::Plain | Encoding::Utf8) => {
                let c = char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            (Unit::Character(c), Encoding::Utf16) => {
                let c = char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER);
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(&unit.to_le_bytes());
                }
            }
            (Unit::Character(code) | Unit::Code(code), _) => {
                out.extend_from_slice(&code.to_le_bytes()[..target.unit_size()]);
            }
        }
    }
}

/// Reads the contents of a literal.
pub(super) struct Reader<'a> {
    text: &'a [u8],
    pub(super) at: usize,
    raw: bool,
    target: Encoding,
    /// Source characters are given byte by byte.
    bytes: bool,
    pub(super) problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    pub(super) fn next(&mut self) -> Option<Unit> {
        let byte = *self.text.get(self.at)?;
        if byte == b'\\' && !self.raw {
            return Some(self.escape());
        }
        if self.bytes {
            self.at += 1;
            return Some(Unit::Byte(byte));
        }
        if byte < 0x80 {
            self.at += 1;
            return Some(Unit::Character(u32::from(byte)));
        }
        match decode_utf8(&self.text[self.at..]) {
            Some((c, length)) => {
                self.at += length;
                Some(Unit::Character(c as u32))
            }
            None => {
                if self.target.unit_size() == 4
                    && let Some((code, length)) = decode_old_utf8(&self.text[self.at..])
                {
                    self.at += length;
                    return Some(Unit::Code(code));
                }
                let message =
                    "converting to execution character set: Invalid or incomplete multibyte or wide character";
                self.problem(self.at, ProblemSeverity::Error, message.to_owned());
                self.at += 1;
                Some(Unit::Code(u32::from(byte)))
            }
        }
    }

    fn problem(&mut self, offset: usize, severity: ProblemSeverity, message: String) {
        self.problems.push(Problem { offset, severity, message });
    }

    fn escape(&mut self) -> Unit {
        let start = self.at;
        self.at += 1;
        let Some(&letter) = self.text.get(self.at) else { return Unit::Byte(b'\\') };
        self.at += 1;
        let simple = |byte: u8| Unit::Character(u32::from(byte));
        match letter {
            b'\\' | b'\'' | b'"' | b'?' => simple(letter),
            b'a' => simple(7),
            b'b' => simple(8),
            b'f' => simple(12),
            b'n' => simple(b'\n'),
            b'r' => simple(b'\r'),
            b't' => simple(b'\t'),
            b'v' => simple(11),
            b'e' | b'E' => {
                let message = format!("non-ISO-standard escape sequence, '\\{}'", letter as char);
                self.problem(start, ProblemSeverity::Pedantic, message);
                simple(27)
            }
            b'0'..=b'7' => {
                self.at -= 1;
                self.numeric(start, 8, 3)
            }
            b'x' if self.opens_delimited(16) => self.delimited(start, 16),
            b'o' if self.opens_delimited(8) => self.delimited(start, 8),
            b'x' => self.numeric(start, 16, usize::MAX),
            b'u' if self.opens_delimited(16) => {
                self.begin_delimited(start);
                let value = self.digits(16, usize::MAX).0;
                self.at += 1;
                self.character(start, value)
            }
            b'u' | b'U' => self.universal(start, if letter == b'u' { 4 } else { 8 }),
            b'(' | b'{' | b'[' | b'%' => {
                let message = format!("non-ISO-standard escape sequence, '\\{}'", letter as char);
                self.problem(start, ProblemSeverity::Pedantic, message);
                simple(letter)
            }
            _ => {
                let message = if letter.is_ascii_graphic() {
                    format!("unknown escape sequence: '\\{}'", letter as char)
                } else {
                    format!("unknown escape sequence: '\\{letter:03o}'")
                };
                self.problem(start, ProblemSeverity::PedanticWarning, message);
                // The character itself, which may be a multibyte one.
                self.at -= 1;
                match self.bytes {
                    true => {
                        self.at += 1;
                        Unit::Byte(letter)
                    }
                    false => match decode_utf8(&self.text[self.at..]) {
                        Some((c, length)) => {
                            self.at += length;
                            Unit::Character(c as u32)
                        }
                        None => {
                            self.at += 1;
                            Unit::Code(u32::from(letter))
                        }
                    },
                }
            }
        }
    }

    /// A brace, digits and a brace follow: a delimited escape sequence (C2Y 6.4.4.5).
    fn opens_delimited(&self, radix: u32) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = rest.iter().skip(1).take_while(|&&b| (b as char).is_digit(radix)).count();
        rest.first() == Some(&b'{') && digits > 0 && rest.get(1 + digits) == Some(&b'}')
    }

    fn begin_delimited(&mut self, start: usize) {
        let message = "delimited escape sequences are a C2Y feature".to_owned();
        self.problem(start, ProblemSeverity::PedanticBefore(Standard::C2Y), message);
        self.at += 1;
    }

    /// `\x{...}` and `\o{...}`; the brace comes next.
    fn delimited(&mut self, start: usize, radix: u32) -> Unit {
        self.begin_delimited(start);
        let unit = self.numeric(start, radix, usize::MAX);
        self.at += 1;
        unit
    }

    /// The value of digits, how many there are, and whether the value is too large.
    fn digits(&mut self, radix: u32, limit: usize) -> (u32, usize, bool) {
        let (mut value, mut digits, mut overflow) = (0u32, 0, false);
        while digits < limit {
            let Some(digit) = self.text.get(self.at).and_then(|&b| (b as char).to_digit(radix)) else { break };
            overflow |= value.leading_zeros() < if radix == 16 { 4 } else { 3 };
            value = value.wrapping_mul(radix) | digit;
            self.at += 1;
            digits += 1;
        }
        (value, digits, overflow)
    }

    fn numeric(&mut self, start: usize, radix: u32, limit: usize) -> Unit {
        let (value, digits, overflow) = self.digits(radix, limit);
        if digits == 0 {
            self.problem(start, ProblemSeverity::Error, "\\x used with no following hex digits".to_owned());
        }
        let bits = 8 * self.target.unit_size() as u32;
        if overflow || bits < 32 && value >> bits != 0 {
            let kind = if radix == 16 { "hex" } else { "octal" };
            let message = format!("{kind} escape sequence out of range");
            self.problem(start, ProblemSeverity::PedanticWarning, message);
        }
        Unit::Code(value)
    }

    fn universal(&mut self, start: usize, length: usize) -> Unit {
        let (value, digits, _) = self.digits(16, length);
        if digits < length {
            let spelled = lossy(&self.text[start..self.at]);
            self.problem(start, ProblemSeverity::Error, format!("incomplete universal character name {spelled}"));
            return Unit::Character(value);
        }
        self.character(start, value)
    }

    /// The character that a universal character name which ends here means.
    fn character(&mut self, start: usize, value: u32) -> Unit {
        let spelled = lossy(&self.text[start..self.at]);
        if (0x11_0000..0x8000_0000).contains(&value) {
            // gcc takes what UTF-32 units and the old long sequences of UTF-8 can hold.
            let message = format!("{spelled} is outside the UCS codespace");
            let severity =
                if self.target.unit_size() == 4 { ProblemSeverity::PedanticWarning } else { ProblemSeverity::Error };
            self.problem(start, severity, message);
            return Unit::Code(value);
        } else if char::from_u32(value).is_none() || value < 0xa0 && !matches!(value, 0x24 | 0x40 | 0x60) {
            let message = format!("{spelled} is not a valid universal character");
            self.problem(start, ProblemSeverity::Error, message);
        }
        Unit::Character(value)
    }
}

/// The character at the beginning of `text` and its length, if it is well-formed UTF-8.
pub fn decode_utf8(text: &[u8]) -> Option<(char, usize)> {
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

/// The sequences of five and six bytes that UTF-8 had before RFC 3629, up to 0x7fffffff: gcc takes them in wide literals.
fn decode_old_utf8(text: &[u8]) -> Option<(u32, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::Standard;

    fn number(text: &str) -> Result<Number, String> {
        parse_number(text.as_bytes(), &Dialect::new(Standard::C23, true))
    }

    fn integer(text: &str) -> (u128, u8, bool, u8) {
        match number(text) {
            Ok(Number::Integer(i)) => (i.value, i.base, i.suffix.unsigned, i.suffix.longs),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(integer("0"), (0, 8, false, 0));
        assert_eq!(integer("0x1fULL"), (31, 16, true, 2));
        assert_eq!(integer("0b101lu"), (5, 2, true, 1));
        assert_eq!(integer("1'000'000"), (1_000_000, 10, false, 0));
        assert_eq!(integer("017"), (15, 8, false, 0));
        assert_eq!(number("09").unwrap_err(), "invalid digit \"9\" in octal constant");
        assert_eq!(number("1lul").unwrap_err(), "invalid suffix \"lul\" on integer constant");
        assert_eq!(number("12ab").unwrap_err(), "invalid suffix \"ab\" on integer constant");
        assert!(matches!(number("3uwb"), Ok(Number::Integer(i)) if i.suffix.bit_precise && i.suffix.unsigned));
    }

    #[test]
    fn floats() {
        let Ok(Number::Float(f)) = number("0x1.8p-3f") else { panic!() };
        assert_eq!((f.text.as_str(), f.suffix, f.hexadecimal), ("0x1.8p-3", FloatSuffix::F, true));
        let Ok(Number::Float(f)) = number("1.5e10if") else { panic!() };
        assert_eq!((f.suffix, f.imaginary), (FloatSuffix::F, true));
        let Ok(Number::Float(f)) = number(".5F128") else { panic!() };
        assert_eq!(f.suffix, FloatSuffix::F128);
        assert!(matches!(number("08.5"), Ok(Number::Float(_))));
        assert_eq!(number("1e").unwrap_err(), "exponent has no digits");
        assert_eq!(number("1.2.3").unwrap_err(), "too many decimal points in number");
        assert_eq!(number("0x1.8").unwrap_err(), "hexadecimal floating constants require an exponent");
    }

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
