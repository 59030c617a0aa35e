//! Products and quotients of complex numbers, as the compiler's support library has them: C11, G.5.1.

use super::Args;

/// Real and imaginary part.
type Complex = (f64, f64);

/// The results' bits, if the function is one of these: two doubles, or two floats in one eightbyte.
pub fn call(name: &str, args: &Args<'_>) -> Option<Vec<u128>> {
    let single = matches!(name, "__mulsc3" | "__divsc3");
    let part = |index| if single { args.float(index) as f64 } else { args.double(index) };
    let (x, y) = ((part(0), part(1)), (part(2), part(3)));
    let (real, imaginary) = match name {
        "__muldc3" => product(x, y, |value| value),
        "__mulsc3" => product(x, y, |value| value as f32 as f64),
        "__divdc3" | "__divsc3" => quotient(x, y),
        _ => return None,
    };
    Some(if single {
        let bits = |value: f64| (value as f32).to_bits() as u128;
        vec![bits(imaginary) << 32 | bits(real)]
    } else {
        vec![real.to_bits() as u128, imaginary.to_bits() as u128]
    })
}

/// An infinity becomes 1 with its sign, everything else 0 with its sign.
fn boxed((re, im): Complex) -> Complex {
    let side = |x: f64| if x.is_infinite() { 1f64 } else { 0f64 }.copysign(x);
    (side(re), side(im))
}

/// NaNs become zeros of their sign.
fn without_nans((re, im): Complex) -> Complex {
    let part = |x: f64| if x.is_nan() { 0f64.copysign(x) } else { x };
    (part(re), part(im))
}

fn infinite((re, im): Complex) -> bool {
    re.is_infinite() || im.is_infinite()
}

/// Every operation is rounded to the type by `round`.
fn product(x: Complex, y: Complex, round: fn(f64) -> f64) -> Complex {
    let multiply =
        |(a, b): Complex, (c, d): Complex| (round(round(a * c) - round(b * d)), round(round(a * d) + round(b * c)));
    let result = multiply(x, y);
    if !result.0.is_nan() || !result.1.is_nan() {
        return result;
    }
    let overflow = [x.0 * y.0, x.1 * y.1, x.0 * y.1, x.1 * y.0].iter().any(|&p| round(p).is_infinite());
    if !(infinite(x) || infinite(y) || overflow) {
        return result;
    }
    let finite = |z: Complex| without_nans(if infinite(z) { boxed(z) } else { z });
    let (re, im) = multiply(finite(x), finite(y));
    (f64::INFINITY * re, f64::INFINITY * im)
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
    use super::{product, quotient};

    #[test]
    fn infinities_survive_nans() {
        let (re, im) = product((f64::INFINITY, f64::NAN), (1.0, 2.0), |value| value);
        assert!(re.is_infinite() || im.is_infinite());
        let (re, im) = quotient((1.0, 1.0), (0.0, 0.0));
        assert!(re.is_infinite() && im.is_infinite());
        assert_eq!(quotient((1.0, 1.0), (f64::INFINITY, 1.0)), (0.0, 0.0));
    }

    #[test]
    fn no_overflow_on_the_way() {
        assert_eq!(quotient((1e300, 1e300), (1e300, 1e300)), (1.0, 0.0));
    }
}
