//! Decimal floating-point constants: parsing, arithmetic, comparison and conversion, each result
//! computed exactly and rounded once (to nearest, ties to even), with the exponent IEEE 754-2019
//! 5.2 prefers. Values are bits in the binary integer decimal encoding, as gcc's library has them
//! on x86-64.

mod bid;
mod natural;

use std::cmp::Ordering;

use bid::{Decimal, Magnitude, decode, encode, parameters};
use natural::Natural;

use super::floats::Classified;
use crate::tree::{BinaryOp, DecimalFormat, IntInfo};

/// A finite number of any precision: `coefficient * 10^exponent`, and a bit more than that if
/// `sticky`.
struct Exact {
    negative: bool,
    coefficient: Natural,
    exponent: i64,
    sticky: bool,
}

impl Exact {
    fn of(negative: bool, coefficient: u128, exponent: i64) -> Exact {
        Exact { negative, coefficient: Natural::from(coefficient), exponent, sticky: false }
    }
}

/// The nearest value of the format. Digits are dropped only if there are too many, and zeros
/// appended only if the exponent is too great: the exponent stays as near to the exact number's as
/// can be.
fn round(exact: Exact, format: DecimalFormat) -> u128 {
    let p = parameters(format);
    let (least, greatest) = (i64::from(p.least_exponent()), i64::from(p.greatest_exponent()));
    let Exact { negative, mut coefficient, mut exponent, sticky } = exact;
    let digits = i64::from(coefficient.digits());
    let drop = (digits - i64::from(p.precision)).max(least - exponent).max(0);
    if drop > 0 {
        exponent += drop;
        coefficient = if drop > digits {
            // Less than half of the last place.
            Natural::default()
        } else {
            let power = Natural::power_of_ten(drop as u32);
            let (quotient, rest) = coefficient.divide(&power);
            let order = rest.plus(&rest).compare(&power);
            let odd = quotient.to_u128().is_some_and(|q| q & 1 != 0);
            let up = match order {
                Ordering::Less => false,
                Ordering::Equal => sticky || odd,
                Ordering::Greater => true,
            };
            if up { quotient.plus(&Natural::from(1)) } else { quotient }
        };
    }
    // Below the limit, or the limit itself after rounding up.
    let mut value = coefficient.to_u128().unwrap_or(0);
    if value == p.coefficient_limit() {
        value /= 10;
        exponent += 1;
    }
    if value == 0 {
        exponent = exponent.clamp(least, greatest);
    }
    while exponent > greatest && value < p.coefficient_limit() / 10 {
        value *= 10;
        exponent -= 1;
    }
    let magnitude = if exponent > greatest {
        Magnitude::Infinity
    } else {
        Magnitude::Finite { coefficient: value, exponent: exponent as i32 }
    };
    encode(Decimal { negative, magnitude }, format)
}

/// A decimal floating constant without suffix. `None` if it is hexadecimal or malformed.
pub fn parse(text: &str, format: DecimalFormat) -> Option<u128> {
    // More digits than any format has tell only whether something is left.
    const KEPT: u32 = 36;
    let split = text.find(['e', 'E']).unwrap_or(text.len());
    let (digits, exponent) = text.split_at(split);
    let mut scale = match exponent.get(1..) {
        None => 0,
        Some(exponent) => saturating_number(exponent)?,
    };
    let (mut coefficient, mut kept, mut sticky, mut fraction, mut any) = (0u128, 0, false, false, false);
    for byte in digits.bytes() {
        match byte {
            b'.' if !fraction => fraction = true,
            b'0'..=b'9' => {
                any = true;
                if kept < KEPT {
                    coefficient = coefficient * 10 + u128::from(byte - b'0');
                    kept += u32::from(coefficient != 0);
                    scale -= i64::from(fraction);
                } else {
                    sticky |= byte != b'0';
                    scale += i64::from(!fraction);
                }
            }
            _ => return None,
        }
    }
    any.then(|| round(Exact { sticky, ..Exact::of(false, coefficient, scale) }, format))
}

/// An exponent, with everything far outside of all formats made equal.
fn saturating_number(text: &str) -> Option<i64> {
    const LIMIT: i64 = 1 << 40;
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |v, d| (v * 10 + i64::from(d - b'0')).min(LIMIT));
    Some(if negative { -value } else { value })
}

/// The default NaN of an invalid operation.
fn invalid(format: DecimalFormat) -> u128 {
    encode(Decimal { negative: false, magnitude: Magnitude::Nan { signaling: false, payload: 0 } }, format)
}

fn quiet(nan: Decimal, format: DecimalFormat) -> Option<u128> {
    let Magnitude::Nan { payload, .. } = nan.magnitude else { return None };
    let magnitude = Magnitude::Nan { signaling: false, payload };
    Some(encode(Decimal { negative: nan.negative, magnitude }, format))
}

/// `a op b`, arithmetic operators only.
pub fn binary(op: BinaryOp, a: u128, b: u128, format: DecimalFormat) -> Option<u128> {
    let (a, mut b) = (decode(a, format), decode(b, format));
    if let Some(nan) = quiet(a, format).or_else(|| quiet(b, format)) {
        return Some(nan);
    }
    Some(match op {
        BinaryOp::Sub | BinaryOp::Add => {
            b.negative ^= op == BinaryOp::Sub;
            sum(a, b, format)
        }
        BinaryOp::Mul => product(a, b, format),
        BinaryOp::Div => quotient(a, b, format),
        _ => return None,
    })
}

fn infinity_of(negative: bool, format: DecimalFormat) -> u128 {
    encode(Decimal { negative, magnitude: Magnitude::Infinity }, format)
}

fn sum(a: Decimal, b: Decimal, format: DecimalFormat) -> u128 {
    use Magnitude::*;
    let (Finite { coefficient: m, exponent: e }, Finite { coefficient: n, exponent: f }) = (a.magnitude, b.magnitude)
    else {
        return match (a.magnitude, b.magnitude) {
            (Infinity, Infinity) if a.negative != b.negative => invalid(format),
            (Infinity, _) => infinity_of(a.negative, format),
            _ => infinity_of(b.negative, format),
        };
    };
    let exponent = e.min(f);
    let scaled = |m: u128, e: i32| Natural::from(m).times(&Natural::power_of_ten((e - exponent) as u32));
    let (x, y) = (scaled(m, e), scaled(n, f));
    let (negative, coefficient) = match (a.negative == b.negative, x.compare(&y)) {
        (true, _) => (a.negative, x.plus(&y)),
        (false, Ordering::Greater) => (a.negative, x.minus(&y)),
        (false, Ordering::Less) => (b.negative, y.minus(&x)),
        (false, Ordering::Equal) => (false, Natural::default()),
    };
    round(Exact { negative, coefficient, exponent: i64::from(exponent), sticky: false }, format)
}

fn product(a: Decimal, b: Decimal, format: DecimalFormat) -> u128 {
    use Magnitude::*;
    let negative = a.negative != b.negative;
    match (a.magnitude, b.magnitude) {
        (Finite { coefficient: m, exponent: e }, Finite { coefficient: n, exponent: f }) => {
            let coefficient = Natural::from(m).times(&Natural::from(n));
            round(Exact { negative, coefficient, exponent: i64::from(e) + i64::from(f), sticky: false }, format)
        }
        (Finite { coefficient: 0, .. }, _) | (_, Finite { coefficient: 0, .. }) => invalid(format),
        _ => infinity_of(negative, format),
    }
}

fn quotient(a: Decimal, b: Decimal, format: DecimalFormat) -> u128 {
    use Magnitude::*;
    let negative = a.negative != b.negative;
    let (m, e, n, f) = match (a.magnitude, b.magnitude) {
        (Finite { coefficient: m, exponent: e }, Finite { coefficient: n, exponent: f }) => (m, e, n, f),
        // The exponent of a quotient by infinity is the least.
        (Finite { .. }, _) => return round(Exact::of(negative, 0, i64::MIN / 2), format),
        (_, Finite { .. }) => return infinity_of(negative, format),
        _ => return invalid(format),
    };
    let preferred = i64::from(e) - i64::from(f);
    match (m, n) {
        (0, 0) => return invalid(format),
        (_, 0) => return infinity_of(negative, format),
        (0, _) => return round(Exact::of(negative, 0, preferred), format),
        _ => {}
    }
    let (m, n) = (Natural::from(m), Natural::from(n));
    let extra = (parameters(format).precision + 2 + n.digits()).saturating_sub(m.digits());
    let (mut coefficient, rest) = m.times(&Natural::power_of_ten(extra)).divide(&n);
    let mut exponent = preferred - i64::from(extra);
    let sticky = !rest.is_zero();
    let ten = Natural::from(10);
    while !sticky && exponent < preferred {
        let (shorter, digit) = coefficient.divide(&ten);
        if !digit.is_zero() {
            break;
        }
        (coefficient, exponent) = (shorter, exponent + 1);
    }
    round(Exact { negative, coefficient, exponent, sticky }, format)
}

/// The order of two values, `None` if one is a NaN.
pub fn compare(a: u128, b: u128, format: DecimalFormat) -> Option<Ordering> {
    let (a, b) = (decode(a, format), decode(b, format));
    let signed = |negative: bool, order: Ordering| if negative { order.reverse() } else { order };
    use Magnitude::*;
    Some(match (a.magnitude, b.magnitude) {
        (Nan { .. }, _) | (_, Nan { .. }) => return None,
        (Infinity, Infinity) if a.negative == b.negative => Ordering::Equal,
        (Infinity, _) => signed(a.negative, Ordering::Greater),
        (_, Infinity) => signed(b.negative, Ordering::Less),
        (Finite { coefficient: m, exponent: e }, Finite { coefficient: n, exponent: f }) => match (m, n) {
            (0, 0) => Ordering::Equal,
            (0, _) => signed(b.negative, Ordering::Less),
            (_, 0) => signed(a.negative, Ordering::Greater),
            _ if a.negative != b.negative => signed(a.negative, Ordering::Greater),
            _ => {
                let exponent = e.min(f);
                let scaled = |m: u128, e: i32| Natural::from(m).times(&Natural::power_of_ten((e - exponent) as u32));
                signed(a.negative, scaled(m, e).compare(&scaled(n, f)))
            }
        },
    })
}

/// Value in another decimal format, rounded.
pub fn convert(bits: u128, from: DecimalFormat, to: DecimalFormat) -> u128 {
    let value = decode(bits, from);
    match value.magnitude {
        Magnitude::Finite { coefficient, exponent } => {
            round(Exact::of(value.negative, coefficient, i64::from(exponent)), to)
        }
        Magnitude::Infinity => infinity_of(value.negative, to),
        // The digits of a payload stay next to the combination field, as in gcc's library.
        Magnitude::Nan { payload, .. } => {
            let (old, new) = (parameters(from).precision, parameters(to).precision);
            let payload = if new >= old { payload * 10u128.pow(new - old) } else { payload / 10u128.pow(old - new) };
            encode(Decimal { magnitude: Magnitude::Nan { signaling: false, payload }, ..value }, to)
        }
    }
}

/// Integer to decimal.
pub fn from_int(value: i128, info: IntInfo, format: DecimalFormat) -> u128 {
    let negative = info.signed && value < 0;
    let magnitude = if negative { value.unsigned_abs() } else { value as u128 };
    round(Exact::of(negative, magnitude, 0), format)
}

/// Decimal to integer towards zero, and whether the value was in range. Out of range: the nearest
/// bound, 0 for NaN.
pub fn to_int(bits: u128, format: DecimalFormat, info: IntInfo) -> (i128, bool) {
    let value = decode(bits, format);
    let value_bits = info.bits - u32::from(info.signed);
    let greatest = if value_bits >= 128 { u128::MAX } else { (1u128 << value_bits) - 1 };
    let limit = match (value.negative, info.signed) {
        (false, _) => greatest,
        (true, true) => greatest + 1,
        (true, false) => 0,
    };
    let signed = |magnitude: u128| if value.negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 };
    match value.magnitude {
        Magnitude::Nan { .. } => (0, false),
        Magnitude::Infinity => (signed(limit), false),
        Magnitude::Finite { coefficient, exponent } => {
            let power = 10u128.checked_pow(exponent.unsigned_abs());
            let truncated = match (exponent < 0, power) {
                (true, power) => Some(power.map_or(0, |power| coefficient / power)),
                (false, _) if coefficient == 0 => Some(0),
                (false, power) => power.and_then(|power| coefficient.checked_mul(power)),
            };
            match truncated {
                Some(magnitude) if magnitude <= limit => (signed(magnitude), true),
                _ => (signed(limit), false),
            }
        }
    }
}

/// A binary value as a decimal: `significand * 2^exponent`.
pub fn from_binary(negative: bool, significand: u128, exponent: i32, format: DecimalFormat) -> u128 {
    if significand == 0 {
        return round(Exact::of(negative, 0, 0), format);
    }
    // Odd, so that the decimal fraction has no zeros at its end.
    let zeros = significand.trailing_zeros();
    let (significand, exponent) = (Natural::from(significand >> zeros), exponent + zeros as i32);
    let (coefficient, exponent) = if exponent >= 0 {
        (significand.shifted_left(exponent as u32), 0)
    } else {
        // m / 2^k = m * 5^k / 10^k
        (significand.times(&Natural::power(5, exponent.unsigned_abs())), i64::from(exponent))
    };
    round(Exact { negative, coefficient, exponent, sticky: false }, format)
}

/// What a binary format makes of a decimal value.
pub enum ToBinary {
    /// Digits and exponent, for a parser that rounds correctly.
    Text(String),
    /// An infinity.
    Infinity,
    /// A quiet NaN.
    Nan,
}

/// A decimal value as its sign and what a conversion to a binary format begins with.
pub fn to_binary(bits: u128, format: DecimalFormat) -> (bool, ToBinary) {
    let value = decode(bits, format);
    let result = match value.magnitude {
        Magnitude::Finite { coefficient, exponent } => ToBinary::Text(format!("{coefficient}e{exponent}")),
        Magnitude::Infinity => ToBinary::Infinity,
        Magnitude::Nan { .. } => ToBinary::Nan,
    };
    (value.negative, result)
}

/// Class of a value.
pub fn classify(bits: u128, format: DecimalFormat) -> Classified {
    let p = parameters(format);
    match decode(bits, format).magnitude {
        Magnitude::Nan { .. } => Classified::Nan,
        Magnitude::Infinity => Classified::Infinite,
        Magnitude::Finite { coefficient: 0, .. } => Classified::Zero,
        Magnitude::Finite { coefficient, exponent } => {
            let digits = coefficient.ilog10() as i32 + 1;
            let least_normal = p.least_exponent() + p.precision as i32;
            if exponent + digits < least_normal { Classified::Subnormal } else { Classified::Normal }
        }
    }
}

/// Positive infinity.
pub fn infinity(format: DecimalFormat) -> u128 {
    infinity_of(false, format)
}

/// A NaN with this payload, quiet or signalling. Payloads the format cannot hold count as 0.
pub fn nan(format: DecimalFormat, payload: u128, signaling: bool) -> u128 {
    let payload = if payload < parameters(format).payload_limit() { payload } else { 0 };
    encode(Decimal { negative: false, magnitude: Magnitude::Nan { signaling, payload } }, format)
}

/// The value is an integer number.
pub fn is_integral(bits: u128, format: DecimalFormat) -> bool {
    match decode(bits, format).magnitude {
        Magnitude::Finite { coefficient, exponent } => {
            coefficient == 0
                || exponent >= 0
                || 10u128.checked_pow(exponent.unsigned_abs()).is_some_and(|power| coefficient % power == 0)
        }
        _ => false,
    }
}

/// The number of bits of an encoding.
pub fn bit_width(format: DecimalFormat) -> u32 {
    parameters(format).bits
}

/// The least positive normal value.
pub fn least_normal(format: DecimalFormat) -> u128 {
    let p = parameters(format);
    let exponent = p.least_exponent() + p.precision as i32 - 1;
    encode(Decimal { negative: false, magnitude: Magnitude::Finite { coefficient: 1, exponent } }, format)
}

#[cfg(test)]
mod tests;
