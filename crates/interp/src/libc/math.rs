//! `<math.h>`: what the host's library gives, in double and single precision.

use super::Args;
use crate::wide;
use ir::{Opcode, Type};

/// `EDOM`.
const DOMAIN: i32 = 33;

/// What the function stores in `errno`, if anything. Only the square root is looked at: others are
/// not called for that.
pub fn error(name: &str, args: &Args<'_>) -> Option<i32> {
    let negative = match name {
        "sqrt" => args.double(0) < 0.0,
        "sqrtf" => args.float(0) < 0.0,
        // The sign bit, of a number that is not zero and no NaN.
        "sqrtl" => {
            let bits = args.bits(0);
            let nan = bits >> 64 & 0x7fff == 0x7fff && bits as u64 != 1 << 63;
            bits >> 79 & 1 != 0 && bits as u64 != 0 && !nan
        }
        _ => false,
    };
    negative.then_some(DOMAIN)
}

/// The result's bits, if the function is one of these.
pub fn call(name: &str, args: &Args<'_>) -> Option<u128> {
    if let Some(bits) = classify(name, args) {
        return Some(bits);
    }
    if let Some(bits) = wide::round_to_integral(name, args.bits(0)) {
        return Some(bits);
    }
    match name {
        "sqrtl" => return wide::unary(Opcode::Sqrt, Type::F80, Type::F80, args.bits(0)),
        "__powisf2" => return Some(integer_power(args.float(0), args.int(1)).to_bits() as u128),
        "__powidf2" => return Some(integer_power(args.double(0), args.int(1)).to_bits() as u128),
        "lrintl" | "llrintl" => return Some(wide::round_to_integer(args.bits(0), true) as u64 as u128),
        "lroundl" | "llroundl" => return Some(wide::round_to_integer(args.bits(0), false) as u64 as u128),
        "fabsl" => return wide::unary(Opcode::FAbs, Type::F80, Type::F80, args.bits(0)),
        _ => {}
    }
    if let Some(result) = double(name, args.double(0), args.double(1), args) {
        return Some(result.to_bits() as u128);
    }
    // Every function but those that are exact is computed in double and rounded, as a correctly
    // rounded library would.
    let name = name.strip_suffix('f')?;
    let (x, y) = (args.float(0), args.float(1));
    let exact = match name {
        "fma" => x.mul_add(y, args.float(2)),
        "sqrt" => x.sqrt(),
        "ldexp" | "scalbn" => (x as f64 * 2f64.powi(args.int(1))) as f32,
        _ => double(name, x as f64, y as f64, args)? as f32,
    };
    Some(exact.to_bits() as u128)
}

/// The logarithm of the gamma function's magnitude, and whether the function is negative: Lanczos'
/// approximation with seven terms ahead, good to about 15 digits.
pub fn log_gamma(x: f64) -> (f64, bool) {
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Euler's reflection.
        let sine = (std::f64::consts::PI * x).sin();
        return ((std::f64::consts::PI / sine.abs()).ln() - log_gamma(1.0 - x).0, sine < 0.0);
    }
    let x = x - 1.0;
    let sum = TERMS.iter().enumerate().skip(1).fold(TERMS[0], |sum, (i, term)| sum + term / (x + i as f64));
    let t = x + 7.5;
    ((2.0 * std::f64::consts::PI).ln() / 2.0 + (x + 0.5) * t.ln() - t + sum.ln(), false)
}

/// A power by squaring, in the support library's order of multiplications.
fn integer_power<T>(mut x: T, n: i32) -> T
where
    T: Copy + From<u8> + std::ops::Mul<Output = T> + std::ops::Div<Output = T>,
{
    let one = T::from(1);
    let mut rest = n.unsigned_abs();
    let mut power = if rest & 1 != 0 { x } else { one };
    while rest > 1 {
        rest >>= 1;
        x = x * x;
        if rest & 1 != 0 {
            power = power * x;
        }
    }
    if n < 0 { one / power } else { power }
}

fn double(name: &str, x: f64, y: f64, args: &Args<'_>) -> Option<f64> {
    Some(match name {
        "fabs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "rint" | "nearbyint" | "roundeven" => x.round_ties_even(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "pow" => x.powf(y),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "lgamma" => log_gamma(x).0,
        "hypot" => x.hypot(y),
        "fmod" => x % y,
        "copysign" => x.copysign(y),
        "fma" => x.mul_add(y, args.double(2)),
        "fmin" => x.min(y),
        "fmax" => x.max(y),
        "fdim" => (x - y).max(0.0),
        "ldexp" | "scalbn" => x * 2f64.powi(args.int(1)),
        _ => return None,
    })
}

/// Functions with integer results.
fn classify(name: &str, args: &Args<'_>) -> Option<u128> {
    let (x, y) = (args.double(0), args.float(0));
    let flag = |holds: bool| Some(holds as u128);
    match name {
        "__signbit" | "signbit" => flag(x.is_sign_negative()),
        "__signbitf" | "signbitf" => flag(y.is_sign_negative()),
        "isnan" | "__isnan" => flag(x.is_nan()),
        "isinf" | "__isinf" => Some(if x.is_infinite() { x.signum() as i32 as u32 as u128 } else { 0 }),
        "finite" | "__finite" => flag(x.is_finite()),
        "lround" | "llround" => Some(x.round() as i64 as u64 as u128),
        "lrint" | "llrint" => Some(x.round_ties_even() as i64 as u64 as u128),
        "lroundf" | "llroundf" => Some(y.round() as i64 as u64 as u128),
        "lrintf" | "llrintf" => Some(y.round_ties_even() as i64 as u64 as u128),
        _ => None,
    }
}
