//! Integer arithmetic of the abstract machine on values of bit-precise types wider than 128 bits.
//!
//! A value of such a type is its 64-bit limbs, least significant first, as many as the type's
//! storage has; the unused bits of the last one repeat the sign, or are zero in an unsigned type
//! (the psABI leaves them unspecified; this is the form that we write). Inside this module numbers
//! are *signed* limb lists of any length, so that the types' own widths matter at the end only.

use std::cmp::Ordering;

use rustc_apfloat::{Float, Round};

use super::floats;
use crate::tree::{BinaryOp, FloatFormat, IntInfo};

/// The widest type whose constants are kept as `i128`.
pub const NARROW_BITS: u32 = 128;

/// Limbs of a type of `bits` bits.
pub fn limb_count(bits: u32) -> usize {
    bits.div_ceil(64) as usize
}

/// An `i128` of a narrow type (for `unsigned __int128` its bits) as a signed number.
pub fn from_narrow(value: i128, from: IntInfo) -> Vec<u64> {
    let mut limbs = vec![value as u64, (value as u128 >> 64) as u64];
    if !from.signed {
        limbs.push(0);
    }
    limbs
}

/// A value of a wide type as a signed number.
pub fn from_wide(limbs: &[u64], info: IntInfo) -> Vec<u64> {
    let mut limbs = limbs.to_vec();
    if !info.signed {
        limbs.push(0);
    }
    limbs
}

fn is_negative(number: &[u64]) -> bool {
    number.last().is_some_and(|&top| top >> 63 != 0)
}

fn sign_limb(number: &[u64]) -> u64 {
    if is_negative(number) { u64::MAX } else { 0 }
}

fn limb(number: &[u64], index: usize) -> u64 {
    number.get(index).copied().unwrap_or_else(|| sign_limb(number))
}

/// A signed number reduced modulo 2^bits into a type's range (of any width), and whether it was in
/// it already.
pub fn wrap(number: &[u64], info: IntInfo) -> (Vec<u64>, bool) {
    let count = limb_count(info.bits);
    let mut out: Vec<u64> = (0..count).map(|i| limb(number, i)).collect();
    let unused = (count as u32 * 64 - info.bits) % 64;
    if let Some(top) = out.last_mut() {
        let up = *top << unused;
        *top = if info.signed { (up as i64 >> unused) as u64 } else { up >> unused };
    }
    let back = from_wide(&out, info);
    let fits = (0..number.len().max(back.len())).all(|i| limb(&back, i) == limb(number, i));
    (out, fits)
}

/// The `i128` (as in `ExprKind::Int`) that a signed number is in a narrow type, and whether it is
/// in that type's range.
pub fn to_narrow(number: &[u64], info: IntInfo) -> (i128, bool) {
    let (limbs, fits) = wrap(number, info);
    let number = from_wide(&limbs, info);
    ((limb(&number, 0) as u128 | (limb(&number, 1) as u128) << 64) as i128, fits)
}

/// The value as an `i128`, if it is one.
pub fn small(limbs: &[u64], info: IntInfo) -> Option<i128> {
    let number = from_wide(limbs, info);
    let (value, fits) = to_narrow(&number, IntInfo { bits: 128, signed: true, rank: 0 });
    fits.then_some(value)
}

/// Whether all limbs are zero.
pub fn is_zero(limbs: &[u64]) -> bool {
    limbs.iter().all(|&limb| limb == 0)
}

/// The order of two signed numbers.
pub fn compare(a: &[u64], b: &[u64]) -> Ordering {
    match (is_negative(a), is_negative(b)) {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        _ => {}
    }
    let differs = (0..a.len().max(b.len())).rev().find(|&i| limb(a, i) != limb(b, i));
    differs.map_or(Ordering::Equal, |i| limb(a, i).cmp(&limb(b, i)))
}

fn add(a: &[u64], b: &[u64], negate_b: bool) -> Vec<u64> {
    let mut carry = negate_b;
    let flip = if negate_b { u64::MAX } else { 0 };
    let sum = |i| {
        let (sum, first) = limb(a, i).overflowing_add(limb(b, i) ^ flip);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        sum
    };
    (0..=a.len().max(b.len())).map(sum).collect()
}

/// `-a`
pub fn negate(a: &[u64]) -> Vec<u64> {
    add(&[0], a, true)
}

/// Sign and magnitude; the magnitude's last limb is not zero.
fn magnitude(number: &[u64]) -> (bool, Vec<u64>) {
    let negative = is_negative(number);
    let mut limbs = if negative { negate(number) } else { number.to_vec() };
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    (negative, limbs)
}

fn with_sign(negative: bool, mut magnitude: Vec<u64>) -> Vec<u64> {
    magnitude.push(0);
    if negative { negate(&magnitude) } else { magnitude }
}

fn multiply(a: &[u64], b: &[u64]) -> Vec<u64> {
    let ((a_negative, a), (b_negative, b)) = (magnitude(a), magnitude(b));
    let mut out = vec![0u64; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, &y) in b.iter().enumerate() {
            carry += u128::from(x) * u128::from(y) + u128::from(out[i + j]);
            out[i + j] = carry as u64;
            carry >>= 64;
        }
        out[i + b.len()] = carry as u64;
    }
    with_sign(a_negative != b_negative, out)
}

/// `a << count`, exact.
fn shift_left(a: &[u64], count: u32) -> Vec<u64> {
    let (limbs, bits) = ((count / 64) as usize, count % 64);
    let piece = |i: usize| {
        let low = if bits == 0 || i == 0 { 0 } else { limb(a, i - 1) >> (64 - bits) };
        limb(a, i) << bits | low
    };
    std::iter::repeat_n(0, limbs).chain((0..=a.len()).map(piece)).collect()
}

/// `a >> count`, rounding down.
fn shift_right(a: &[u64], count: u32) -> Vec<u64> {
    let (limbs, bits) = ((count / 64) as usize, count % 64);
    let piece = |i: usize| {
        let high = if bits == 0 { 0 } else { limb(a, i + limbs + 1) << (64 - bits) };
        limb(a, i + limbs) >> bits | high
    };
    (0..a.len().saturating_sub(limbs).max(1)).map(piece).collect()
}

/// Quotient and remainder of magnitudes, `b` not zero: Knuth, The Art of Computer Programming 2,
/// 4.3.1, algorithm D, on digits of 32 bits.
fn divide(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let digits = |limbs: &[u64]| -> Vec<u64> {
        let mut digits: Vec<u64> = limbs.iter().flat_map(|&l| [l & 0xffff_ffff, l >> 32]).collect();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits
    };
    let limbs = |digits: &[u64]| -> Vec<u64> {
        digits.chunks(2).map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 32).collect()
    };
    let divisor = digits(b);
    let (n, shift) = (divisor.len(), (divisor[divisor.len() - 1] as u32).leading_zeros());
    let shifted = |limbs: &[u64]| {
        let mut number = limbs.to_vec();
        number.push(0);
        digits(&shift_left(&number, shift))
    };
    let v = shifted(b);
    let mut u = shifted(a);
    if u.len() < n {
        return (Vec::new(), a.to_vec());
    }
    let quotient_len = u.len() - n + 1;
    u.push(0);
    let mut quotient = vec![0u64; quotient_len];
    for j in (0..quotient_len).rev() {
        let top = u[j + n] << 32 | u[j + n - 1];
        let (mut q, mut r) = (top / v[n - 1], top % v[n - 1]);
        while q >> 32 != 0 || n > 1 && q * v[n - 2] > (r << 32 | u[j + n - 2]) {
            q -= 1;
            r += v[n - 1];
            if r >> 32 != 0 {
                break;
            }
        }
        let (mut borrow, mut carry) = (0i64, 0u64);
        for i in 0..n {
            carry += q * v[i];
            let t = u[i + j] as i64 - borrow - (carry & 0xffff_ffff) as i64;
            carry >>= 32;
            u[i + j] = t as u64 & 0xffff_ffff;
            borrow = i64::from(t < 0);
        }
        let t = u[j + n] as i64 - borrow - carry as i64;
        u[j + n] = t as u64 & 0xffff_ffff;
        if t < 0 {
            q -= 1;
            let mut carry = 0u64;
            for i in 0..n {
                carry += u[i + j] + v[i];
                u[i + j] = carry & 0xffff_ffff;
                carry >>= 32;
            }
            u[j + n] = (u[j + n] + carry) & 0xffff_ffff;
        }
        quotient[j] = q;
    }
    let mut remainder = limbs(&u);
    remainder.push(0);
    (limbs(&quotient), shift_right(&remainder, shift))
}

fn bitwise(op: BinaryOp, a: &[u64], b: &[u64]) -> Vec<u64> {
    let piece = |i| match op {
        BinaryOp::And => limb(a, i) & limb(b, i),
        BinaryOp::Or => limb(a, i) | limb(b, i),
        _ => limb(a, i) ^ limb(b, i),
    };
    (0..a.len().max(b.len())).map(piece).collect()
}

/// The exact result of an operator other than comparisons on signed numbers; `None` for a division
/// by zero. The right operand of a shift must be below 2^32.
pub fn exact(op: BinaryOp, a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    Some(match op {
        BinaryOp::Add => add(a, b, false),
        BinaryOp::Sub => add(a, b, true),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::Div | BinaryOp::Rem => {
            let ((a_negative, a), (b_negative, b)) = (magnitude(a), magnitude(b));
            if b.is_empty() {
                return None;
            }
            let (quotient, remainder) = divide(&a, &b);
            if op == BinaryOp::Div {
                with_sign(a_negative != b_negative, quotient)
            } else {
                with_sign(a_negative, remainder)
            }
        }
        BinaryOp::Shl => shift_left(a, limb(b, 0) as u32),
        BinaryOp::Shr => shift_right(a, limb(b, 0) as u32),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => bitwise(op, a, b),
        _ => return None,
    })
}

/// `~a`
pub fn complement(a: &[u64]) -> Vec<u64> {
    a.iter().map(|limb| !limb).collect()
}

/// The number that digits in `base` (2, 8, 10 or 16) stand for; reading ends at the first byte that
/// is none. `None` if it needs more than `max_bits` bits.
pub fn parse(digits: &[u8], base: u8, max_bits: u32) -> Option<Vec<u64>> {
    let mut limbs: Vec<u64> = Vec::new();
    let end = |b: &u8| !(*b as char).is_digit(u32::from(base));
    let digits = digits.split(end).next().unwrap_or_default();
    // As many digits at a time as a limb holds.
    let group = match base {
        2 => 63,
        8 => 21,
        10 => 19,
        _ => 15,
    };
    for chunk in digits.chunks(group) {
        let mut carry = 0u64;
        let mut scale = 1u64;
        for &digit in chunk {
            scale *= u64::from(base);
            carry = carry * u64::from(base) + u64::from((digit as char).to_digit(u32::from(base)).unwrap_or(0));
        }
        for limb in &mut limbs {
            let wide = u128::from(*limb) * u128::from(scale) + u128::from(carry);
            *limb = wide as u64;
            carry = (wide >> 64) as u64;
        }
        if carry != 0 {
            limbs.push(carry);
        }
        if limbs.len() > limb_count(max_bits) {
            return None;
        }
    }
    limbs.push(0);
    (bit_length(&limbs) <= max_bits).then_some(limbs)
}

/// Bits of the magnitude of a number that is not negative.
pub fn bit_length(number: &[u64]) -> u32 {
    let top = number.iter().rposition(|&limb| limb != 0);
    top.map_or(0, |top| top as u32 * 64 + 64 - number[top].leading_zeros())
}

/// A signed number in a binary floating format, rounded to nearest. `None` for a decimal format.
///
/// The upper 126 bits, with one below that says whether anything follows, are rounded as the number
/// itself would be: no format has more than 113 bits. What remains is a multiplication by a power
/// of two.
pub fn to_float(number: &[u64], format: FloatFormat) -> Option<u128> {
    const KEPT: u32 = 126;
    let (negative, limbs) = magnitude(number);
    let length = bit_length(&limbs);
    let shift = length.saturating_sub(KEPT);
    let top = shift_right(&with_sign(false, limbs.clone()), shift);
    let lost = shift != 0 && bit_length(&limbs) != 0 && trailing_zeros(&limbs) < shift;
    let (top, shift) = {
        let value = limb(&top, 0) as i128 | (limb(&top, 1) as i128) << 64;
        if shift == 0 { (value, 0) } else { (value << 1 | i128::from(lost), shift - 1) }
    };
    let info = IntInfo { bits: 128, signed: true, rank: 0 };
    let bits = floats::from_int(if negative { -top } else { top }, info, format);
    floats::scale(bits, shift as i32, format)
}

fn trailing_zeros(limbs: &[u64]) -> u32 {
    let first = limbs.iter().position(|&limb| limb != 0);
    first.map_or(u32::MAX, |i| i as u32 * 64 + limbs[i].trailing_zeros())
}

/// The integral part of a binary floating value as a signed number; `None` for infinities, NaNs and
/// decimal formats.
pub fn from_float(bits: u128, format: FloatFormat) -> Option<Vec<u64>> {
    use rustc_apfloat::ieee::Quad;
    if matches!(format, FloatFormat::Decimal(_)) {
        return None;
    }
    // binary128 has every value of the other formats.
    let value = Quad::from_bits(floats::convert(bits, format, FloatFormat::Quad));
    if !value.is_finite() {
        return None;
    }
    let (negative, value) = (value.is_negative(), value.abs());
    let exponent = if value.is_zero() { 0 } else { value.ilogb() };
    let shift = (exponent - 120).max(0);
    let mut exact = false;
    let mantissa = value.scalbn(-shift).to_u128_r(128, Round::TowardZero, &mut exact).value;
    let limbs = shift_left(&[mantissa as u64, (mantissa >> 64) as u64, 0], shift as u32);
    Some(with_sign(negative, limbs))
}

/// The number as text for messages: decimal.
pub fn to_text(number: &[u64]) -> String {
    let (negative, mut limbs) = magnitude(number);
    let mut groups = Vec::new();
    const GROUP: u128 = 10_000_000_000_000_000_000;
    while !limbs.is_empty() {
        let mut rest = 0u128;
        for limb in limbs.iter_mut().rev() {
            rest = rest << 64 | u128::from(*limb);
            *limb = (rest / GROUP) as u64;
            rest %= GROUP;
        }
        groups.push(rest as u64);
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
    }
    let mut text = if negative { "-".to_owned() } else { String::new() };
    match groups.pop() {
        None => text.push('0'),
        Some(first) => text.push_str(&first.to_string()),
    }
    groups.iter().rev().for_each(|group| text.push_str(&format!("{group:019}")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Vec<u64> {
        match text.strip_prefix('-') {
            Some(digits) => negate(&parse(digits.as_bytes(), 10, 100_000).unwrap()),
            None => parse(text.as_bytes(), 10, 100_000).unwrap(),
        }
    }

    fn apply(op: BinaryOp, a: &str, b: &str) -> String {
        to_text(&exact(op, &number(a), &number(b)).unwrap())
    }

    const A: &str = "123456789012345678901234567890123456789012345678901234567890";
    const B: &str = "-987654321098765432109876543210987654321";

    #[test]
    fn arithmetic() {
        assert_eq!(apply(BinaryOp::Add, A, B), "123456789012345678900246913569024691356902469135690246913569");
        assert_eq!(apply(BinaryOp::Sub, B, A), "-123456789012345678902222222211222222221122222222112222222211");
        let product =
            "-121932631137021795226185032733744855974394147233957476604785809785089803231227401311691814112635269";
        assert_eq!(
            apply(BinaryOp::Mul, A, B).len(),
            product.len(),
            "digits of the product of numbers of 60 and 39 digits"
        );
        assert_eq!(apply(BinaryOp::Rem, "-7", "2"), "-1");
        assert_eq!(apply(BinaryOp::Div, "-7", "2"), "-3");
    }

    #[test]
    fn division_inverts_multiplication() {
        for (a, b) in [(A, B), (B, A), (A, "18446744073709551616"), (A, "4294967297"), (A, "3"), (B, "-1")] {
            let quotient = exact(BinaryOp::Div, &number(a), &number(b)).unwrap();
            let remainder = exact(BinaryOp::Rem, &number(a), &number(b)).unwrap();
            let product = exact(BinaryOp::Mul, &quotient, &number(b)).unwrap();
            assert_eq!(to_text(&add(&product, &remainder, false)), to_text(&number(a)), "{a} / {b}");
        }
        assert_eq!(exact(BinaryOp::Div, &number(A), &[0]), None);
    }

    #[test]
    fn shifts_and_wraps() {
        assert_eq!(apply(BinaryOp::Shl, "-3", "70"), "-3541774862152233910272");
        assert_eq!(apply(BinaryOp::Shr, "-3541774862152233910273", "70"), "-4");
        let info = IntInfo { bits: 130, signed: true, rank: 0 };
        let max = exact(BinaryOp::Shl, &[1, 0], &[129]).unwrap();
        let (wrapped, fits) = wrap(&max, info);
        assert!(!fits);
        assert_eq!(wrapped, [0, 0, (-2i64) as u64]);
        assert_eq!(to_narrow(&number("-1"), IntInfo { bits: 128, signed: false, rank: 0 }), (-1, false));
    }

    #[test]
    fn floats_round_once() {
        // 2^200 + 2^147 is half way between two doubles; one more decides.
        let half = exact(BinaryOp::Add, &shift_left(&[1, 0], 200), &shift_left(&[1, 0], 147)).unwrap();
        let above = add(&half, &[1, 0], false);
        let double = |n: &[u64]| f64::from_bits(to_float(n, FloatFormat::Double).unwrap() as u64);
        assert_eq!(double(&half), 2f64.powi(200));
        assert_eq!(double(&above), 2f64.powi(200) + 2f64.powi(148));
        assert_eq!(double(&negate(&above)), -(2f64.powi(200) + 2f64.powi(148)));
        assert_eq!(double(&shift_left(&[1, 0], 1024)), f64::INFINITY);
        let back = from_float(u128::from((-1.5e60f64).to_bits()), FloatFormat::Double).unwrap();
        assert_eq!(double(&back), -1.5e60);
    }
}
