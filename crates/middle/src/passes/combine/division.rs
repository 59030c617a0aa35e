//! Integer division and remainder by constants, without dividing.
//!
//! Unsigned: multiplication by a rounded-up reciprocal (Granlund and Montgomery, "Division by
//! Invariant Integers using Multiplication", 1994; the 33-bit case by Hacker's Delight, 10-8).
//! Signed: Hacker's Delight, 10-1. (Powers of two are rules.)

use ir::{Builder, Inst, Opcode, Type, Value};

use super::{Combiner, Rewrite};

/// `a / d`, `a % d` by a multiplication.
pub(super) fn by_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, d: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let ty = data.ty;
    if d == 0 {
        return None;
    }
    let unsigned = matches!(data.opcode, Opcode::UDiv | Opcode::URem);
    let remainder = matches!(data.opcode, Opcode::SRem | Opcode::URem);
    let is_wanted = if unsigned { has_products(ty) } else { is_expanded(cx, a) };
    if !is_wanted || cx.options.optimize_size {
        return None;
    }
    let signed_divisor = ir::fold::sign_extend(ty, d);
    let magnitude = if unsigned { d } else { signed_divisor.unsigned_abs() };
    if magnitude.is_power_of_two() || ty == Type::I128 && magnitude >> 64 != 0 {
        return None;
    }
    let mut b = cx.builder(inst);
    let quotient =
        if unsigned { unsigned_quotient(&mut b, ty, a, d) } else { signed_quotient(&mut b, ty, a, signed_divisor) };
    if !remainder {
        return Some(Rewrite::Value(quotient));
    }
    let divisor = b.func.bits_const(ty, d);
    let product = b.binary(Opcode::Mul, quotient, divisor);
    Some(Rewrite::Value(b.binary(Opcode::Sub, a, product)))
}

/// Whether signed divisions of a value by constants are expanded at all.
pub(super) fn is_expanded(cx: &Combiner<'_>, dividend: Value) -> bool {
    has_products(cx.ty(dividend)) && !cx.keep_signed_divisions
}

/// Types of which selection makes high halves of products.
fn has_products(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::I64 | Type::I128)
}

fn shift(b: &mut Builder<'_>, opcode: Opcode, value: Value, amount: u32) -> Value {
    if amount == 0 {
        return value;
    }
    let ty = b.func.value_type(value);
    let amount = b.func.iconst(ty, amount as i64);
    b.binary(opcode, value, amount)
}

/// High half of the product with a constant.
fn mul_high(b: &mut Builder<'_>, opcode: Opcode, value: Value, by: u128) -> Value {
    let ty = b.func.value_type(value);
    let by = b.func.bits_const(ty, by);
    b.binary(opcode, value, by)
}

fn unsigned_quotient(b: &mut Builder<'_>, ty: Type, a: Value, d: u128) -> Value {
    let bits = ty.bits();
    if bits == 128 {
        return wide_quotient(b, a, d as u64, false);
    }
    // Smallest p >= bits with 2^p + (d - 2^p mod d) enough digits: here the textbook choice l =
    // ceil(log2 d).
    let l = 128 - (d - 1).leading_zeros();
    let two_l = 1u128 << l;
    // m' = floor(2^bits * (2^l - d) / d) + 1; the full multiplier is 2^bits + m'.
    let m = ((two_l - d) << bits) / d + 1;
    if let Some((multiplier, post)) = short_multiplier(bits, d, l) {
        let high = mul_high(b, Opcode::UMulHi, a, multiplier);
        return shift(b, Opcode::LShr, high, post);
    }
    if d.is_multiple_of(2) {
        // An even divisor: divide the halves, whose dividend has a bit less.
        let zeros = d.trailing_zeros();
        let odd = d >> zeros;
        let l = 128 - (odd - 1).leading_zeros();
        let small = shift(b, Opcode::LShr, a, zeros);
        let precision = bits - zeros;
        let (multiplier, post) = multiplier_for(bits, odd, l, precision);
        let high = mul_high(b, Opcode::UMulHi, small, multiplier);
        return shift(b, Opcode::LShr, high, post);
    }
    let high = mul_high(b, Opcode::UMulHi, a, m & ty.mask());
    let rest = b.binary(Opcode::Sub, a, high);
    let half = shift(b, Opcode::LShr, rest, 1);
    let sum = b.binary(Opcode::Add, half, high);
    shift(b, Opcode::LShr, sum, l - 1)
}

/// The multiplier of 128 bits for a divisor d that is no power of two.
struct WideMultiplier {
    /// The least integer not below 2^(127 + l) / d, for 2^(l-1) < d < 2^l: exact for dividends
    /// below 2^127, with a shift by l - 1 of the product's upper half.
    multiplier: u128,
    /// l - 1.
    post: u32,
    /// It is exact for all dividends.
    exact: bool,
    /// The least integer not below 2^(128 + l) / d, less 2^128: for dividends of 128 bits.
    doubled: u128,
}

fn wide_multiplier(d: u64) -> WideMultiplier {
    let post = 63 - (d - 1).leading_zeros();
    // 2^(127 + l) / d, digit by digit to the base 2^64; the first digit is 2^post, less than d.
    let d = u128::from(d);
    let first = 1u128 << (post + 64);
    let second = (first % d) << 64;
    let floor = ((first / d) << 64) | (second / d);
    let rest = second % d;
    let doubled = floor.wrapping_mul(2) + u128::from(2 * rest >= d) + 1;
    // What the rounded multiplier is too large by, times d, may be as large as a unit of the bits
    // shifted out.
    WideMultiplier { multiplier: floor + 1, post, exact: d - rest <= 1 << post, doubled }
}

/// The quotient of an i128 by a divisor below 2^64 that is no power of two; `halved` says that the
/// dividend is at most 2^127.
fn wide_quotient(b: &mut Builder<'_>, a: Value, d: u64, halved: bool) -> Value {
    let zeros = d.trailing_zeros();
    if zeros > 0 {
        let half = shift(b, Opcode::LShr, a, zeros);
        return wide_quotient(b, half, d >> zeros, true);
    }
    let WideMultiplier { multiplier, post, exact, doubled } = wide_multiplier(d);
    if exact || halved {
        let high = mul_high(b, Opcode::UMulHi, a, multiplier);
        return shift(b, Opcode::LShr, high, post);
    }
    let high = mul_high(b, Opcode::UMulHi, a, doubled);
    let rest = b.binary(Opcode::Sub, a, high);
    let half = shift(b, Opcode::LShr, rest, 1);
    let sum = b.binary(Opcode::Add, half, high);
    shift(b, Opcode::LShr, sum, post)
}

/// A multiplier of at most `bits` bits that is exact for all dividends, with its post-shift.
fn short_multiplier(bits: u32, d: u128, l: u32) -> Option<(u128, u32)> {
    let (multiplier, post) = multiplier_for(bits, d, l, bits);
    (multiplier >> bits == 0).then_some((multiplier, post))
}

/// CHOOSE_MULTIPLIER of Granlund and Montgomery for dividends of `precision` bits.
fn multiplier_for(bits: u32, d: u128, l: u32, precision: u32) -> (u128, u32) {
    let mut post = l;
    // 2^(bits + l) needs up to 128 bits: divide in two steps.
    let (mut low, rest) = divide_power(bits + l, d);
    let extra = {
        // 2^(bits + l - precision) / d, added to 2^(bits + l) / d
        let add = 1u128 << (bits + l - precision);
        (rest + add) / d
    };
    let mut high = low + extra;
    while low / 2 < high / 2 && post > 0 {
        low /= 2;
        high /= 2;
        post -= 1;
    }
    (high, post)
}

/// Quotient and remainder of 2^power by d, for power <= 128 and d > 1.
fn divide_power(power: u32, d: u128) -> (u128, u128) {
    if power < 128 {
        let n = 1u128 << power;
        return (n / d, n % d);
    }
    let n = u128::MAX;
    let (q, r) = (n / d, n % d);
    if r + 1 == d { (q + 1, 0) } else { (q, r + 1) }
}

/// The quotient by a divisor whose magnitude is no power of two.
fn signed_quotient(b: &mut Builder<'_>, ty: Type, a: Value, d: i128) -> Value {
    let bits = ty.bits();
    let magnitude = d.unsigned_abs();
    let quotient = if bits == 128 {
        // The magnitude is divided; its sign is put back as it was taken off.
        let sign = shift(b, Opcode::AShr, a, bits - 1);
        let flipped = b.binary(Opcode::Xor, a, sign);
        let absolute = b.binary(Opcode::Sub, flipped, sign);
        let quotient = wide_quotient(b, absolute, magnitude as u64, true);
        let flipped = b.binary(Opcode::Xor, quotient, sign);
        b.binary(Opcode::Sub, flipped, sign)
    } else {
        let (multiplier, post) = signed_multiplier(bits, magnitude);
        let mut high = mul_high(b, Opcode::SMulHi, a, multiplier & ty.mask());
        if multiplier >> (bits - 1) & 1 == 1 {
            high = b.binary(Opcode::Add, high, a);
        }
        let shifted = shift(b, Opcode::AShr, high, post);
        let sign = shift(b, Opcode::LShr, a, bits - 1);
        b.binary(Opcode::Add, shifted, sign)
    };
    if d < 0 {
        let zero = b.func.iconst(ty, 0);
        return b.binary(Opcode::Sub, zero, quotient);
    }
    quotient
}

/// Multiplier (of `bits` bits, to be read as signed) and shift for a divisor of at least 2
/// (Hacker's Delight, figure 10-1).
fn signed_multiplier(bits: u32, d: u128) -> (u128, u32) {
    let two = 1u128 << (bits - 1);
    let anc = two - 1 - two % d;
    let mut p = bits - 1;
    let (mut q1, mut r1) = (two / anc, two % anc);
    let (mut q2, mut r2) = (two / d, two % d);
    loop {
        p += 1;
        (q1, r1) = (2 * q1, 2 * r1);
        if r1 >= anc {
            (q1, r1) = (q1 + 1, r1 - anc);
        }
        (q2, r2) = (2 * q2, 2 * r2);
        if r2 >= d {
            (q2, r2) = (q2 + 1, r2 - d);
        }
        let delta = d - r2;
        if !(q1 < delta || (q1 == delta && r1 == 0)) {
            return (q2 + 1, p - bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers (Marsaglia's xorshift).
    fn generator(mut seed: u64) -> impl FnMut() -> u64 {
        move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        }
    }

    /// Evaluates the multiplication sequences on edge and pseudo-random dividends.
    #[test]
    fn multipliers_divide_exactly() {
        let mut random = generator(0x1234_5678_9abc_def1);
        for round in 0..3000 {
            for bits in [32u32, 64] {
                let mask = (1u128 << bits) - 1;
                let d =
                    if round < 600 { round + 3 } else { (random() as u128 & mask) >> (random() % (bits as u64 - 2)) };
                let d = d.max(3) & mask;
                let mut dividends = vec![0, 1, d - 1, d, d + 1, mask, mask - 1, mask >> 1, (mask >> 1) + 1, d * 2 - 1];
                dividends.extend((0..20).map(|_| random() as u128 & mask));
                dividends.extend((0..5).map(|_| ((random() as u128 & mask) / d * d).wrapping_sub(1) & mask));
                check_unsigned(bits, d, &dividends);
                check_signed(bits, d, &dividends);
            }
        }
    }

    /// All divisors of 8 and 16 bits. The sequences are monotone in the dividend (products, halves,
    /// sums and shifts are), so they are exact if they are around every multiple of the divisor.
    #[test]
    fn all_narrow_divisors_divide_exactly() {
        for d in 3..256u128 {
            let all: Vec<u128> = (0..256).collect();
            check_unsigned(8, d, &all);
            check_signed(8, d, &all);
        }
        for d in 3..65536u128 {
            let mut dividends = vec![0, 0x7fff, 0x8000, 0xffff];
            for multiple in (d..65536).step_by(d as usize) {
                dividends.extend([multiple - 1, multiple]);
            }
            check_unsigned(16, d, &dividends);
            let negative: Vec<u128> = dividends.iter().map(|n| n.wrapping_neg()).collect();
            check_signed(16, d, &dividends);
            check_signed(16, d, &negative);
        }
    }

    /// Upper half of a product of 256 bits.
    fn wide_high(a: u128, b: u128) -> u128 {
        let (a1, a0, b1, b0) = (a >> 64, a as u64 as u128, b >> 64, b as u64 as u128);
        let middle = a1 * b0 + ((a0 * b0) >> 64);
        let other = a0 * b1 + (middle as u64 as u128);
        a1 * b1 + (middle >> 64) + (other >> 64)
    }

    /// As [`wide_quotient`] computes.
    fn wide(n: u128, d: u64, halved: bool) -> u128 {
        let zeros = d.trailing_zeros();
        if zeros > 0 {
            return wide(n >> zeros, d >> zeros, true);
        }
        let WideMultiplier { multiplier, post, exact, doubled } = wide_multiplier(d);
        if exact || halved {
            return wide_high(n, multiplier) >> post;
        }
        let high = wide_high(n, doubled);
        (((n - high) >> 1) + high) >> post
    }

    #[test]
    fn wide_multipliers_divide_exactly() {
        let mut random = generator(0x9876_5432_1abc_def1);
        for round in 0..6000u64 {
            let d = match round {
                0..2000 => round + 3,
                2000..2064 => u64::MAX - (round - 2000),
                2064..2184 => (1 << (2 + (round - 2064) / 2)) + 2 * ((round - 2064) % 2) - 1,
                _ => random() >> (random() % 62),
            };
            let d = d.max(3);
            if d.is_power_of_two() {
                continue;
            }
            let wide_d = u128::from(d);
            let top = u128::MAX / wide_d * wide_d;
            let half = (1u128 << 127) / wide_d * wide_d;
            let mut dividends = vec![0, 1, wide_d - 1, wide_d, wide_d + 1, u128::MAX, top, top - 1, half, half - 1];
            dividends.extend([1 << 127, (1 << 127) - 1, 1 << 64, (1 << 64) - 1]);
            for _ in 0..20 {
                let n = (u128::from(random()) << 64 | u128::from(random())) >> (random() % 128);
                dividends.extend([n, n / wide_d * wide_d, (n / wide_d * wide_d).wrapping_sub(1)]);
            }
            for n in dividends {
                assert_eq!(wide(n, d, false), n / wide_d, "{n} / {d}");
                if n <= 1 << 127 {
                    assert_eq!(wide(n, d, true), n / wide_d, "{n} / {d}");
                }
            }
        }
    }

    fn high(a: u128, b: u128, bits: u32) -> u128 {
        // Both fit 64 bits, so the product fits 128.
        (a * b) >> bits
    }

    fn check_unsigned(bits: u32, d: u128, dividends: &[u128]) {
        if d.is_power_of_two() {
            return;
        }
        let mask = (1u128 << bits) - 1;
        let l = 128 - (d - 1).leading_zeros();
        for &n in dividends {
            let n = n & mask;
            let got = if let Some((m, post)) = short_multiplier(bits, d, l) {
                high(n, m, bits) >> post
            } else if d.is_multiple_of(2) {
                let zeros = d.trailing_zeros();
                let odd = d >> zeros;
                let (m, post) = multiplier_for(bits, odd, 128 - (odd - 1).leading_zeros(), bits - zeros);
                assert!(m >> bits == 0, "{bits} {d}");
                high(n >> zeros, m, bits) >> post
            } else {
                let m = (((1u128 << l) - d) << bits) / d + 1;
                let t = high(n, m & mask, bits);
                ((((n - t) & mask) >> 1) + t) >> (l - 1)
            };
            assert_eq!(got, n / d, "{bits}: {n} / {d}");
        }
    }

    fn check_signed(bits: u32, d: u128, dividends: &[u128]) {
        let d = d & ((1u128 << (bits - 1)) - 1);
        if d < 3 || d.is_power_of_two() {
            return;
        }
        let (m, post) = signed_multiplier(bits, d);
        let signed = |x: u128| ((x << (128 - bits)) as i128) >> (128 - bits);
        for &n in dividends {
            let n = signed(n);
            let mut h = (n * signed(m)) >> bits;
            if m >> (bits - 1) & 1 == 1 {
                h += n;
            }
            let got = (h >> post) + (n < 0) as i128;
            assert_eq!(got, n / d as i128, "{bits}: {n} / {d}");
        }
    }
}
