//! Floating-point constants: `.float`, `.double`, `.tfloat`, `.hfloat`, `.bfloat16`, `.dc.s` and
//! their relatives.
//!
//! Numbers are decimal, correctly rounded; `Inf`, `NaN`, `QNaN` and `SNaN` with a sign; or the bits
//! after a colon (`0x:3fff8000`), the highest digits first.

use rustc_apfloat::{
    Float, Round,
    ieee::{BFloat, Double, Half, Single, X87DoubleExtended},
};

use super::{expr, finish};
use crate::{context::Assembler, text::Cursor};

/// A format of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Half,
    BFloat16,
    Single,
    Double,
    /// The x87 unit's, ten bytes.
    Extended,
}

impl Format {
    /// The directive's format (without its point), if it is one of numbers.
    pub fn of_directive(name: &str) -> Option<Format> {
        Some(match name {
            "float" | "single" | "ffloat" | "dc.s" => Format::Single,
            "double" | "dfloat" | "dc.d" => Format::Double,
            "tfloat" | "dc.x" => Format::Extended,
            "hfloat" => Format::Half,
            "bfloat16" => Format::BFloat16,
            _ => return None,
        })
    }

    /// Bytes of a number.
    fn size(self) -> usize {
        match self {
            Format::Half | Format::BFloat16 => 2,
            Format::Single => 4,
            Format::Double => 8,
            Format::Extended => 10,
        }
    }

    /// Bits of the fraction, with the integer bit where it is stored.
    fn fraction(self) -> u32 {
        match self {
            Format::Half => 10,
            Format::BFloat16 => 7,
            Format::Single => 23,
            Format::Double => 52,
            Format::Extended => 64,
        }
    }

    fn bits(self, text: &str) -> Option<u128> {
        fn parsed<F: Float>(text: &str) -> Option<u128> {
            F::from_str_r(text, Round::NearestTiesToEven).ok().map(|number| number.value.to_bits())
        }
        match self {
            Format::Half => parsed::<Half>(text),
            Format::BFloat16 => parsed::<BFloat>(text),
            Format::Single => parsed::<Single>(text),
            Format::Double => parsed::<Double>(text),
            Format::Extended => parsed::<X87DoubleExtended>(text),
        }
    }

    /// Infinity and "not a number", as `as` has them: all bits of a fraction are ones.
    fn special(self, name: &str) -> Option<u128> {
        let bits = self.size() as u32 * 8;
        let fraction = self.fraction();
        let explicit = fraction == 64;
        let exponent = ((1u128 << (bits - 1)) - 1) & !((1u128 << fraction) - 1);
        let ones = (1u128 << fraction) - 1;
        // The highest bit of the fraction proper.
        let quiet = 1u128 << (fraction - 1 - u32::from(explicit));
        Some(match &*name.to_ascii_lowercase() {
            "inf" | "infinity" => exponent | if explicit { 1 << 63 } else { 0 },
            "nan" | "qnan" => exponent | ones,
            "snan" => exponent | ones & !quiet,
            _ => return None,
        })
    }

    /// The bits of a number as it is written.
    fn parse(self, text: &str) -> Result<u128, String> {
        let bad = || format!("bad floating point number '{text}'");
        let mut plain = text;
        // `0f1.5`, `0r1.5`: a letter of old, which says nothing.
        if let Some(rest) = text.strip_prefix('0')
            && rest.starts_with(|c: char| c.is_ascii_alphabetic() && !"eE".contains(c))
        {
            plain = &rest[1..];
            if let Some(digits) = plain.strip_prefix(':') {
                return self.from_digits(&digits.replace('_', "")).ok_or_else(bad);
            }
        }
        let (negative, magnitude) = match plain.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, plain.strip_prefix('+').unwrap_or(plain)),
        };
        let sign = u128::from(negative) << (self.size() * 8 - 1);
        let numeric = magnitude.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let bits = if numeric && !magnitude.starts_with("0x") { self.bits(magnitude) } else { self.special(magnitude) };
        bits.map(|bits| bits | sign).ok_or_else(bad)
    }

    /// Bits in hexadecimal digits, the highest first; those that are missing are zero.
    fn from_digits(self, digits: &str) -> Option<u128> {
        let wanted = self.size() * 2;
        if digits.is_empty() || digits.len() > wanted {
            return None;
        }
        let bits = u128::from_str_radix(digits, 16).ok()?;
        Some(bits << (4 * (wanted - digits.len())))
    }
}

/// `.double 1.5, 2`
pub(super) fn floats(assembler: &mut Assembler, cursor: &mut Cursor<'_>, format: Format) -> Result<(), String> {
    while !cursor.at_end() {
        let bits = format.parse(cursor.until(b","))?;
        assembler.state.emit(&bits.to_le_bytes()[..format.size()]);
        if !cursor.eat(b',') {
            break;
        }
    }
    finish(cursor)
}

/// `.dcb.d count, number`
pub(super) fn repeated_floats(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    format: Format,
) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let text = if cursor.eat(b',') { cursor.until(b",") } else { "0" };
    let bits = format.parse(text)?;
    finish(cursor)?;
    super::data::emit_space(assembler, count, format.size() as u32, bits.to_le_bytes()[..format.size()].to_vec())
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn numbers() {
        assert_eq!(Format::Single.parse("1.5"), Ok(0x3fc0_0000));
        assert_eq!(Format::Double.parse("0d-2"), Ok(0xc000_0000_0000_0000));
        assert_eq!(Format::Extended.parse("1.5"), Ok(0x3fff_c000_0000_0000_0000));
        assert_eq!(Format::Half.parse("-0"), Ok(0x8000));
        assert_eq!(Format::BFloat16.parse("3.14159"), Ok(0x4049));
        assert_eq!(Format::Extended.parse("SNaN"), Ok(0x7fff_bfff_ffff_ffff_ffff));
        assert_eq!(Format::Extended.parse("-Inf"), Ok(0xffff_8000_0000_0000_0000));
        assert_eq!(Format::Single.parse("0x:3f8"), Ok(0x3f80_0000));
        assert!(Format::Single.parse("1.5x").is_err() && Format::Half.parse("0x:12345").is_err());
    }
}
