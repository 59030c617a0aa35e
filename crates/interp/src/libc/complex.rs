//! Products and quotients of complex numbers, as the compiler's support library has them: C11,
//! G.5.1.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};

use super::Args;

/// Real and imaginary part.
type Complex = (f64, f64);

/// The results' bits, if the function is one of these: two doubles, two `long double`, or two
/// floats in one eightbyte.
pub fn call(name: &str, args: &Args<'_>) -> Option<Vec<u128>> {
    let part = |index| match name {
        "__mulsc3" | "__divsc3" => args.float(index).to_bits() as u128,
        "__muldc3" | "__divdc3" => args.double(index).to_bits() as u128,
        _ => args.bits(index),
    };
    let parts = || [part(0), part(1), part(2), part(3)];
    match name {
        "__mulxc3" => return Some(product::<X87DoubleExtended>(parts()).to_vec()),
        "__muldc3" => return Some(product::<Double>(parts()).to_vec()),
        "__mulsc3" => {
            let [real, imaginary] = product::<Single>(parts());
            return Some(vec![imaginary << 32 | real]);
        }
        _ => {}
    }
    let single = name == "__divsc3";
    let part = |index| if single { args.float(index) as f64 } else { args.double(index) };
    let (real, imaginary) = match name {
        "__divdc3" | "__divsc3" => quotient((part(0), part(1)), (part(2), part(3))),
        _ => return None,
    };
    Some(if single {
        let bits = |value: f64| (value as f32).to_bits() as u128;
        vec![bits(imaginary) << 32 | bits(real)]
    } else {
        vec![real.to_bits() as u128, imaginary.to_bits() as u128]
    })
}

/// The bits of the product's parts, from those of two numbers' real and imaginary parts.
fn product<F: Float>(parts: [u128; 4]) -> [u128; 2] {
    let [a, b, c, d] = parts.map(F::from_bits);
    let times = |x: F, y: F| (x * y).value;
    let multiply = |a: F, b: F, c: F, d: F| {
        let (real, imaginary) = (times(a, c) - times(b, d), times(a, d) + times(b, c));
        (real.value, imaginary.value)
    };
    let bits = |(real, imaginary): (F, F)| [real.to_bits(), imaginary.to_bits()];
    let result = multiply(a, b, c, d);
    if !result.0.is_nan() || !result.1.is_nan() {
        return bits(result);
    }
    let infinite = |x: F, y: F| x.is_infinite() || y.is_infinite();
    let overflow = [times(a, c), times(b, d), times(a, d), times(b, c)].iter().any(|p| p.is_infinite());
    if !(infinite(a, b) || infinite(c, d) || overflow) {
        return bits(result);
    }
    // An infinity becomes 1 with its sign beside 0 with its sign; NaNs become zeros of their sign.
    let finite = |x: F, y: F| {
        let one = F::from_u128(1).value;
        let boxed = |x: F| if x.is_infinite() { one.copy_sign(x) } else { F::ZERO.copy_sign(x) };
        let zeroed = |x: F| if x.is_nan() { F::ZERO.copy_sign(x) } else { x };
        if infinite(x, y) { (boxed(x), boxed(y)) } else { (zeroed(x), zeroed(y)) }
    };
    let ((a, b), (c, d)) = (finite(a, b), finite(c, d));
    let (real, imaginary) = multiply(a, b, c, d);
    bits((times(F::INFINITY, real), times(F::INFINITY, imaginary)))
}

/// An infinity becomes 1 with its sign, everything else 0 with its sign.
fn boxed((re, im): Complex) -> Complex {
    let side = |x: f64| if x.is_infinite() { 1f64 } else { 0f64 }.copysign(x);
    (side(re), side(im))
}

fn infinite((re, im): Complex) -> bool {
    re.is_infinite() || im.is_infinite()
}

fn quotient(x: Complex, y: Complex) -> Complex {
    let (a, b) = x;
    let exponent = y.0.abs().max(y.1.abs());
    let scale = if exponent.is_finite() && exponent > 0.0 { exponent.log2().floor() as i32 } else { 0 };
    let by = |value: f64, power: i32| value * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
    let (c, d) = (by(y.0, -scale), by(y.1, -scale));
    let divisor = c * c + d * d;
    let result = (by((a * c + b * d) / divisor, -scale), by((b * c - a * d) / divisor, -scale));
    if !result.0.is_nan() || !result.1.is_nan() {
        return result;
    }
    if divisor == 0.0 && (!a.is_nan() || !b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        (infinity * a, infinity * b)
    } else if infinite(x) && c.is_finite() && d.is_finite() {
        let (a, b) = boxed(x);
        (f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d))
    } else if infinite(y) && a.is_finite() && b.is_finite() {
        let (c, d) = boxed(y);
        (0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
    } else {
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{Double, product, quotient};

    #[test]
    fn infinities_survive_nans() {
        let parts = [f64::INFINITY, f64::NAN, 1.0, 2.0].map(|part| part.to_bits() as u128);
        let infinite = |bits: u128| f64::from_bits(bits as u64).is_infinite();
        assert!(product::<Double>(parts).into_iter().any(infinite));
        let (re, im) = quotient((1.0, 1.0), (0.0, 0.0));
        assert!(re.is_infinite() && im.is_infinite());
        assert_eq!(quotient((1.0, 1.0), (f64::INFINITY, 1.0)), (0.0, 0.0));
    }

    #[test]
    fn no_overflow_on_the_way() {
        assert_eq!(quotient((1e300, 1e300), (1e300, 1e300)), (1.0, 0.0));
    }
}
