//! What preprocessing numbers mean: integer and floating constants, from their spelling. Used by
//! the parser and by `#if`.
//!
//! Nothing is reported here: a faulty number is an `Err` with gcc's message.

use super::dialect::Dialect;

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
    /// Digits, point and exponent, with the `0x` of a hexadecimal one, without suffix and digit
    /// separators.
    pub text: String,
    /// Hexadecimal.
    pub hexadecimal: bool,
    /// Type.
    pub suffix: FloatSuffix,
    /// `i` or `j`
    pub imaginary: bool,
}

impl FloatConstant {
    /// Whether it is written as zero, whatever its exponent.
    pub fn is_written_as_zero(&self) -> bool {
        let digits = if self.hexadecimal { &self.text[2..] } else { &self.text };
        let exponent = if self.hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
        digits.split(exponent).next().is_none_or(|digits| digits.bytes().all(|b| matches!(b, b'0' | b'.')))
    }
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
}
