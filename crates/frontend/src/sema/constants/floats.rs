//! Floating constants in the target's formats: correctly rounded (to nearest, ties to even)
//! parsing, arithmetic and conversion, of binary formats with rustc_apfloat, of decimal ones with
//! [`decimal`]. A value is its bits, as `ExprKind::Float` keeps them.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::decimal;
use crate::tree::{BinaryOp, DecimalFormat, FloatFormat, IntInfo};

/// Runs `$body` with `$F` naming the apfloat type of `$format`.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            FloatFormat::Half => {
                type $F = Half;
                $body
            }
            FloatFormat::Single => {
                type $F = Single;
                $body
            }
            FloatFormat::Double => {
                type $F = Double;
                $body
            }
            FloatFormat::X87 => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatFormat::Quad => {
                type $F = Quad;
                $body
            }
            FloatFormat::Decimal(_) => base::bug!("a decimal format has arithmetic of its own"),
        }
    };
}

/// Bits a value of the format has.
pub fn bit_width(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::Half => 16,
        FloatFormat::Single => 32,
        FloatFormat::Double => 64,
        FloatFormat::X87 => 80,
        FloatFormat::Quad => 128,
        FloatFormat::Decimal(format) => decimal::bit_width(format),
    }
}

/// The constant with these digits (decimal, or hexadecimal with `0x` and a binary exponent). `None`
/// if it is malformed.
pub fn parse(text: &str, format: FloatFormat) -> Option<u128> {
    if let FloatFormat::Decimal(format) = format {
        return decimal::parse(text, format);
    }
    if !text.starts_with("0x") && !text.starts_with("0X") {
        match format {
            // The standard library rounds correctly too, and is much faster.
            FloatFormat::Double => return text.parse::<f64>().ok().map(|v| v.to_bits() as u128),
            FloatFormat::Single => return text.parse::<f32>().ok().map(|v| v.to_bits() as u128),
            _ => {}
        }
    }
    with_format!(format, F => F::from_str_r(text, Round::NearestTiesToEven).ok().map(|v| v.value.to_bits()))
}

/// `a op b`, arithmetic operators only.
pub fn binary(op: BinaryOp, a: u128, b: u128, format: FloatFormat) -> Option<u128> {
    if let FloatFormat::Decimal(format) = format {
        return decimal::binary(op, a, b, format);
    }
    binary_operation(op, a, b, format).map(|(bits, _)| bits)
}

/// Whether an operation's result is known to be the same in all rounding modes.
pub fn is_exact(op: BinaryOp, a: u128, b: u128, format: FloatFormat) -> bool {
    let is_decimal = matches!(format, FloatFormat::Decimal(_));
    !is_decimal && binary_operation(op, a, b, format).is_some_and(|(_, exact)| exact)
}

/// The result in a binary format, and whether it is exact and of a sign that no rounding mode
/// changes.
fn binary_operation(op: BinaryOp, a: u128, b: u128, format: FloatFormat) -> Option<(u128, bool)> {
    with_format!(format, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        };
        // The sign of a sum that is zero depends on the mode.
        Some((result.value.to_bits(), result.status == Status::OK && !result.value.is_zero()))
    })
}

/// The order of two values, `None` if one is a NaN.
pub fn compare(a: u128, b: u128, format: FloatFormat) -> Option<Ordering> {
    if let FloatFormat::Decimal(format) = format {
        return decimal::compare(a, b, format);
    }
    with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

/// `-a`: the sign bit flipped.
pub fn negate(a: u128, format: FloatFormat) -> u128 {
    a ^ 1 << (bit_width(format) - 1)
}

/// `fabs`
pub fn abs(a: u128, format: FloatFormat) -> u128 {
    a & !(1 << (bit_width(format) - 1))
}

/// The sign bit is set.
pub fn sign_bit(a: u128, format: FloatFormat) -> bool {
    a >> (bit_width(format) - 1) & 1 != 0
}

/// Value in another format, rounded.
pub fn convert(bits: u128, from: FloatFormat, to: FloatFormat) -> u128 {
    match (from, to) {
        _ if from == to => return bits,
        (FloatFormat::Decimal(from), FloatFormat::Decimal(to)) => return decimal::convert(bits, from, to),
        (FloatFormat::Decimal(from), _) => return decimal_to_binary(bits, from, to),
        (_, FloatFormat::Decimal(to)) => return binary_to_decimal(bits, from, to),
        _ => {}
    }
    with_format!(from, F => {
        let value = F::from_bits(bits);
        with_format!(to, T => {
            let mut loses = false;
            let converted: rustc_apfloat::StatusAnd<T> = value.convert_r(Round::NearestTiesToEven, &mut loses);
            converted.value.to_bits()
        })
    })
}

/// Decimal to binary, through the text of the number.
fn decimal_to_binary(bits: u128, from: DecimalFormat, to: FloatFormat) -> u128 {
    let (negative, value) = decimal::to_binary(bits, from);
    let magnitude = match value {
        decimal::ToBinary::Text(text) => parse(&text, to).unwrap_or(0),
        decimal::ToBinary::Infinity => infinity(to),
        decimal::ToBinary::Nan => nan(to, 0, false),
    };
    if negative { negate(magnitude, to) } else { magnitude }
}

/// Binary to decimal, of the exact value.
fn binary_to_decimal(bits: u128, from: FloatFormat, to: DecimalFormat) -> u128 {
    let negative = sign_bit(bits, from);
    let sign = u128::from(negative) << (decimal::bit_width(to) - 1);
    match classify(bits, from) {
        Classified::Nan => decimal::nan(to, 0, false) | sign,
        Classified::Infinite => decimal::infinity(to) | sign,
        Classified::Zero | Classified::Normal | Classified::Subnormal => {
            // Every format's values are among binary128's.
            let wide = convert(abs(bits, from), from, FloatFormat::Quad);
            let (fraction, exponent) = (wide & ((1 << 112) - 1), (wide >> 112) as i32);
            let significand = if exponent == 0 { fraction } else { fraction | 1 << 112 };
            decimal::from_binary(negative, significand, exponent.max(1) - 16383 - 112, to)
        }
    }
}

/// Integer to floating.
pub fn from_int(value: i128, info: IntInfo, format: FloatFormat) -> u128 {
    if let FloatFormat::Decimal(format) = format {
        return decimal::from_int(value, info, format);
    }
    with_format!(format, F => {
        if info.signed {
            F::from_i128(value).value.to_bits()
        } else {
            F::from_u128(value as u128).value.to_bits()
        }
    })
}

/// `value * 2^exponent`, rounded to nearest; `None` for a decimal format.
pub fn scale(bits: u128, exponent: i32, format: FloatFormat) -> Option<u128> {
    if let FloatFormat::Decimal(_) = format {
        return None;
    }
    Some(with_format!(format, F => F::from_bits(bits).scalbn(exponent).to_bits()))
}

/// Floating to integer towards zero, and whether the value was in range. Out of range: the nearest
/// bound, 0 for NaN.
pub fn to_int(bits: u128, format: FloatFormat, info: IntInfo) -> (i128, bool) {
    if let FloatFormat::Decimal(format) = format {
        return decimal::to_int(bits, format, info);
    }
    with_format!(format, F => {
        let value = F::from_bits(bits);
        let mut exact = false;
        if info.signed {
            let result = value.to_i128_r(info.bits as usize, Round::TowardZero, &mut exact);
            (result.value, !result.status.contains(Status::INVALID_OP))
        } else {
            let result = value.to_u128_r(info.bits as usize, Round::TowardZero, &mut exact);
            (result.value as i128, !result.status.contains(Status::INVALID_OP))
        }
    })
}

/// Neither zero of either sign.
pub fn is_nonzero(bits: u128, format: FloatFormat) -> bool {
    if let FloatFormat::Decimal(format) = format {
        return decimal::classify(bits, format) != Classified::Zero;
    }
    with_format!(format, F => !F::from_bits(bits).is_zero())
}

/// What a value is, for the classification builtins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Classified {
    Nan,
    Infinite,
    Normal,
    Subnormal,
    Zero,
}

/// Class of a value.
pub fn classify(bits: u128, format: FloatFormat) -> Classified {
    if let FloatFormat::Decimal(format) = format {
        return decimal::classify(bits, format);
    }
    with_format!(format, F => {
        let value = F::from_bits(bits);
        if value.is_nan() {
            Classified::Nan
        } else if value.is_infinite() {
            Classified::Infinite
        } else if value.is_zero() {
            Classified::Zero
        } else if value.is_denormal() {
            Classified::Subnormal
        } else {
            Classified::Normal
        }
    })
}

/// Positive infinity.
pub fn infinity(format: FloatFormat) -> u128 {
    if let FloatFormat::Decimal(format) = format {
        return decimal::infinity(format);
    }
    with_format!(format, F => F::INFINITY.to_bits())
}

/// A NaN with this payload, quiet or signalling.
pub fn nan(format: FloatFormat, payload: u128, signaling: bool) -> u128 {
    if let FloatFormat::Decimal(format) = format {
        return decimal::nan(format, payload, signaling);
    }
    with_format!(format, F => {
        let value = if signaling { F::snan(Some(payload)) } else { F::qnan(Some(payload)) };
        value.to_bits()
    })
}

/// The value 0 or 1 as text-independent constants: `value` exactly representable in every format.
pub fn small(value: i32, format: FloatFormat) -> u128 {
    if let FloatFormat::Decimal(format) = format {
        return decimal::from_int(value.into(), IntInfo { bits: 32, signed: true, rank: 32 }, format);
    }
    with_format!(format, F => F::from_i128(value as i128).value.to_bits())
}

/// The value is an integer number.
pub fn is_integral(bits: u128, format: FloatFormat) -> bool {
    if let FloatFormat::Decimal(format) = format {
        return decimal::is_integral(bits, format);
    }
    with_format!(format, F => F::from_bits(bits).is_integer())
}

/// Rounds to an integral value: `floor`, `ceil`, `trunc`, `round`, `roundeven`.
pub fn round_to_integral(bits: u128, format: FloatFormat, how: Round) -> u128 {
    with_format!(format, F => F::from_bits(bits).round_to_integral(how).value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_converts() {
        assert_eq!(parse("0x1.8p1", FloatFormat::Double), Some(3.0f64.to_bits() as u128));
        assert_eq!(parse("1e-400", FloatFormat::Double), Some(0));
        assert_eq!(parse("1.5", FloatFormat::X87), Some(0x3fff_c000_0000_0000_0000));
        let one = small(1, FloatFormat::Double);
        assert_eq!(convert(one, FloatFormat::Double, FloatFormat::Single), 1.0f32.to_bits() as u128);
        let info = IntInfo { bits: 32, signed: true, rank: 32 };
        assert_eq!(to_int((-2.7f64).to_bits() as u128, FloatFormat::Double, info), (-2, true));
        assert!(!to_int(1e20f64.to_bits() as u128, FloatFormat::Double, info).1);
    }
}
