//! Products and quotients of complex constants, with the special cases of C23 Annex G.5.1.
//!
//! Of finite operands they are formed in binary128, scaled to about 1, so that nothing over- or
//! underflows on the way, and rounded to the parts' format at the end; gcc rounds them once as
//! well.

use rustc_apfloat::Float;
use rustc_apfloat::ieee::Quad;

use super::floats;
use crate::tree::{BinaryOp, FloatFormat};

type Parts = [Quad; 2];

fn finite(z: Parts) -> bool {
    z[0].is_finite() && z[1].is_finite()
}

fn infinite(z: Parts) -> bool {
    z[0].is_infinite() || z[1].is_infinite()
}

/// 1 for an infinity and 0 for anything else, with the sign of `x`.
fn boxed(x: Quad) -> Quad {
    let magnitude = if x.is_infinite() { Quad::from_u128(1).value } else { Quad::ZERO };
    magnitude.copy_sign(x)
}

fn no_nan(x: Quad) -> Quad {
    if x.is_nan() { Quad::ZERO.copy_sign(x) } else { x }
}

fn mul(a: Quad, b: Quad) -> Quad {
    (a * b).value
}

fn add(a: Quad, b: Quad) -> Quad {
    (a + b).value
}

/// Scales both parts so that the larger one lies in [1, 2); the power of two taken out.
fn normalized(z: Parts) -> (Parts, i32) {
    let power = z.iter().filter(|x| x.is_finite_non_zero()).map(|x| x.ilogb()).max().unwrap_or(0);
    (z.map(|x| x.scalbn(-power)), power)
}

fn product([a, b]: Parts, [c, d]: Parts) -> Parts {
    [add(mul(a, c), -mul(b, d)), add(mul(a, d), mul(b, c))]
}

/// What `product` of a number by the conjugate of another one is.
fn conjugated([a, b]: Parts, [c, d]: Parts) -> Parts {
    [add(mul(a, c), mul(b, d)), add(mul(b, c), -mul(a, d))]
}

fn quotient(z: Parts, w: Parts) -> Parts {
    let zero_divisor = w[0].is_zero() && w[1].is_zero();
    if finite(z) && finite(w) && !zero_divisor {
        let ((z, up), (w, down)) = (normalized(z), normalized(w));
        let norm = add(mul(w[0], w[0]), mul(w[1], w[1]));
        return conjugated(z, w).map(|x| (x / norm).value.scalbn(up - down));
    }
    if zero_divisor && !(z[0].is_nan() && z[1].is_nan()) {
        let infinity = Quad::INFINITY.copy_sign(w[0]);
        return z.map(|x| mul(infinity, x));
    }
    if infinite(z) && finite(w) {
        return conjugated(z.map(boxed), w).map(|x| mul(Quad::INFINITY, x));
    }
    if infinite(w) && finite(z) {
        return conjugated(z, w.map(boxed)).map(|x| mul(Quad::ZERO, x));
    }
    [Quad::NAN; 2]
}

/// The product of which both parts came out as NaN in the operands' own format, `overflowed`
/// because a partial product did.
fn recovered_product(mut z: Parts, mut w: Parts, overflowed: bool) -> Option<Parts> {
    let again = infinite(z) || infinite(w) || overflowed;
    if infinite(z) {
        (z, w) = (z.map(boxed), w.map(no_nan));
    }
    if infinite(w) {
        (w, z) = (w.map(boxed), z.map(no_nan));
    } else if overflowed {
        (z, w) = (z.map(no_nan), w.map(no_nan));
    }
    again.then(|| product(z, w).map(|x| mul(Quad::INFINITY, x)))
}

/// `a * b` or `a / b`, parts as bits of a binary format.
pub fn binary(op: BinaryOp, a: [u128; 2], b: [u128; 2], format: FloatFormat) -> Option<[u128; 2]> {
    let wide = |z: [u128; 2]| z.map(|x| Quad::from_bits(floats::convert(x, format, FloatFormat::Quad)));
    let narrow = |z: Parts| z.map(|x| floats::convert(x.to_bits(), FloatFormat::Quad, format));
    if op == BinaryOp::Div {
        return Some(narrow(quotient(wide(a), wide(b))));
    }
    if finite(wide(a)) && finite(wide(b)) {
        let ((z, up), (w, more)) = (normalized(wide(a)), normalized(wide(b)));
        return Some(narrow(product(z, w).map(|x| x.scalbn(up + more))));
    }
    let times = |x: u128, y: u128| floats::binary(BinaryOp::Mul, x, y, format);
    let (ac, bd, ad, bc) = (times(a[0], b[0])?, times(a[1], b[1])?, times(a[0], b[1])?, times(a[1], b[0])?);
    let parts = [floats::binary(BinaryOp::Sub, ac, bd, format)?, floats::binary(BinaryOp::Add, ad, bc, format)?];
    let is = |class: fn(&floats::Classified) -> bool, x: u128| class(&floats::classify(x, format));
    if parts.iter().all(|&x| is(|c| matches!(c, floats::Classified::Nan), x)) {
        let overflowed = [ac, bd, ad, bc].iter().any(|&x| is(|c| matches!(c, floats::Classified::Infinite), x));
        if let Some(parts) = recovered_product(wide(a), wide(b), overflowed) {
            return Some(narrow(parts));
        }
    }
    Some(parts)
}
