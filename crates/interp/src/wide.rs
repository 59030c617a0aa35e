//! Floating-point formats that the host does not compute in: f16, f80, f128.

use ir::{FloatCc, Opcode, Type};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// A two-operand operation, or `None` if this is not its place.
pub fn binary(opcode: Opcode, ty: Type, a: u128, b: u128) -> Option<u128> {
    match ty {
        Type::F16 => arithmetic::<Half>(opcode, a, b),
        Type::F80 => arithmetic::<X87DoubleExtended>(opcode, a, b),
        Type::F128 => arithmetic::<Quad>(opcode, a, b),
        _ => None,
    }
}

fn arithmetic<F: Float>(opcode: Opcode, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match opcode {
        Opcode::FAdd => x + y,
        Opcode::FSub => x - y,
        Opcode::FMul => x * y,
        Opcode::FDiv => x / y,
        Opcode::CopySign => return Some(x.copy_sign(y).to_bits()),
        _ => return None,
    };
    Some(result.value.to_bits())
}

/// A comparison.
pub fn compare(condition: FloatCc, ty: Type, a: u128, b: u128) -> Option<bool> {
    fn order<F: Float>(a: u128, b: u128) -> Option<Ordering> {
        F::from_bits(a).partial_cmp(&F::from_bits(b))
    }
    let order = match ty {
        Type::F16 => order::<Half>(a, b),
        Type::F80 => order::<X87DoubleExtended>(a, b),
        Type::F128 => order::<Quad>(a, b),
        _ => return None,
    };
    // What holds of any two doubles in this order holds of these.
    let (x, y) = match order {
        Some(Ordering::Less) => (1f64, 2f64),
        Some(Ordering::Equal) => (1.0, 1.0),
        Some(Ordering::Greater) => (2.0, 1.0),
        None => (f64::NAN, 1.0),
    };
    ir::fold::fcmp(condition, Type::F64, x.to_bits() as u128, y.to_bits() as u128)
}

/// A one-operand operation or conversion.
pub fn unary(opcode: Opcode, from: Type, to: Type, a: u128) -> Option<u128> {
    match opcode {
        Opcode::FpExt | Opcode::FpTrunc => match from {
            Type::F16 => convert::<Half>(a, to),
            Type::F32 => convert::<Single>(a, to),
            Type::F64 => convert::<Double>(a, to),
            Type::F80 => convert::<X87DoubleExtended>(a, to),
            Type::F128 => convert::<Quad>(a, to),
            _ => None,
        },
        Opcode::SiToFp | Opcode::UiToFp => match to {
            Type::F16 => Some(from_integer::<Half>(opcode, from, a)),
            Type::F80 => Some(from_integer::<X87DoubleExtended>(opcode, from, a)),
            Type::F128 => Some(from_integer::<Quad>(opcode, from, a)),
            _ => None,
        },
        Opcode::Sqrt if from == Type::F80 => Some(square_root(a)),
        _ => match from {
            Type::F16 => of_one::<Half>(opcode, to, a),
            Type::F80 => of_one::<X87DoubleExtended>(opcode, to, a),
            Type::F128 => of_one::<Quad>(opcode, to, a),
            _ => None,
        },
    }
}

/// An f80 rounded to a 64-bit integer: to the nearest, halves to even or away from zero.
pub fn round_to_integer(a: u128, to_even: bool) -> i64 {
    let mode = if to_even { Round::NearestTiesToEven } else { Round::NearestTiesToAway };
    let mut exact = false;
    X87DoubleExtended::from_bits(a).to_i128_r(64, mode, &mut exact).value as i64
}

/// An f80 rounded to an integral f80 by the function of `<math.h>`, if it is one.
pub fn round_to_integral(function: &str, a: u128) -> Option<u128> {
    let mode = match function {
        "floorl" => Round::TowardNegative,
        "ceill" => Round::TowardPositive,
        "truncl" => Round::TowardZero,
        "roundl" => Round::NearestTiesToAway,
        "rintl" | "nearbyintl" | "roundevenl" => Round::NearestTiesToEven,
        _ => return None,
    };
    Some(X87DoubleExtended::from_bits(a).round_to_integral(mode).value.to_bits())
}

fn convert<F>(a: u128, to: Type) -> Option<u128>
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    fn into<F: FloatConvert<T>, T: Float>(value: F) -> u128 {
        let mut loses = false;
        value.convert(&mut loses).value.to_bits()
    }
    let value = F::from_bits(a);
    Some(match to {
        Type::F16 => into::<F, Half>(value),
        Type::F32 => into::<F, Single>(value),
        Type::F64 => into::<F, Double>(value),
        Type::F80 => into::<F, X87DoubleExtended>(value),
        Type::F128 => into::<F, Quad>(value),
        _ => return None,
    })
}

fn from_integer<F: Float>(opcode: Opcode, from: Type, a: u128) -> u128 {
    let value = if opcode == Opcode::SiToFp { F::from_i128(ir::fold::sign_extend(from, a)) } else { F::from_u128(a) };
    value.value.to_bits()
}

fn of_one<F: Float>(opcode: Opcode, to: Type, a: u128) -> Option<u128> {
    let value = F::from_bits(a);
    let mut exact = false;
    Some(match opcode {
        Opcode::FNeg => (-value).to_bits(),
        Opcode::FAbs => value.abs().to_bits(),
        Opcode::FpToSi => {
            let result = value.to_i128_r(to.bits() as usize, Round::TowardZero, &mut exact);
            // The machine's "integer indefinite" for what does not fit.
            let fits = !result.status.contains(rustc_apfloat::Status::INVALID_OP);
            if fits { result.value as u128 & to.mask() } else { 1 << (to.bits() - 1) }
        }
        Opcode::FpToUi => value.to_u128_r(to.bits() as usize, Round::TowardZero, &mut exact).value & to.mask(),
        _ => return None,
    })
}

/// The square root of an f80, rounded to nearest: the root of the mantissa, widened to twice its
/// bits.
fn square_root(a: u128) -> u128 {
    /// Exponent of 1.0.
    const BIAS: i32 = 16383;
    let (negative, raw, mantissa) = (a >> 79 & 1 != 0, (a >> 64 & 0x7fff) as i32, a as u64);
    let value = X87DoubleExtended::from_bits(a);
    if mantissa == 0 || value.is_nan() {
        return a;
    }
    if negative {
        return (-X87DoubleExtended::NAN).to_bits();
    }
    if value.is_infinite() {
        return a;
    }
    let shift = mantissa.leading_zeros();
    // value = mantissa * 2^exponent with the mantissa's top bit set; the power of two of the root
    // must be whole.
    let exponent = raw.max(1) - BIAS - 63 - shift as i32;
    let widened = if exponent % 2 == 0 { 64 } else { 63 };
    let wide = ((mantissa << shift) as u128) << widened;
    let root = wide.isqrt();
    let rounded = root + u128::from(wide - root * root > root);
    X87DoubleExtended::from_u128(rounded).value.scalbn((exponent - widened) / 2).to_bits()
}
