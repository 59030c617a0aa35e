//! Integer division and remainder by constants, without dividing.
//!
//! Unsigned: multiplication by a rounded-up reciprocal (Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
//! 1994; the 33-bit case by Hacker's Delight, 10-8). Signed: Hacker's Delight, 10-1. Powers of two become shifts and masks, with a bias for
//! signed dividends so that the quotient rounds to zero.

use ir::{Builder, Inst, Opcode, Type, Value, flags};

use super::{Combiner, Rewrite};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let ty = data.ty;
    if ty.is_vector() {
        return None;
    }
    let d = cx.bits(b)?;
    let unsigned = matches!(data.opcode, Opcode::UDiv | Opcode::URem);
    let remainder = matches!(data.opcode, Opcode::SRem | Opcode::URem);
    match d {
        0 => return None,
        1 => return Some(Rewrite::Value(if remainder { cx.constant(a, 0) } else { a })),
        _ => {}
    }
    if !remainder && let Some(factor) = exact_factor(cx, a, d, unsigned) {
        return Some(Rewrite::Value(factor));
    }
    if unsigned && d.is_power_of_two() {
        let (opcode, operand) =
            if remainder { (Opcode::And, d - 1) } else { (Opcode::LShr, d.trailing_zeros() as u128) };
        let operand = cx.constant(a, operand);
        return cx.become_binary(inst, opcode, 0, a, operand);
    }
    if !matches!(ty, Type::I32 | Type::I64) || (cx.options.optimize_size && !d.is_power_of_two()) {
        return None;
    }
    if !unsigned && cx.keep_signed_divisions {
        return None;
    }
    let signed_divisor = ir::fold::sign_extend(ty, d);
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

/// `x` if the dividend is `x * d` or `x << log2 d` without overflow.
fn exact_factor(cx: &Combiner<'_>, dividend: Value, d: u128, unsigned: bool) -> Option<Value> {
    let product = cx.func.def_inst(dividend)?;
    let data = cx.func.insts[product];
    if data.flags & if unsigned { flags::NUW } else { flags::NSW } == 0 {
        return None;
    }
    let (x, by) = (cx.func.operand(product, 0), cx.bits(cx.func.operand(product, 1))?);
    let same = match data.opcode {
        Opcode::Mul => by == d,
        // (A signed shift by all but one bits multiplies by the least number, not by its negation.)
        Opcode::Shl => by < data.ty.bits() as u128 - 1 && 1 << by == d,
        _ => false,
    };
    same.then_some(x)
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
    // Smallest p >= bits with 2^p + (d - 2^p mod d) enough digits: here the textbook choice l = ceil(log2 d).
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

fn signed_quotient(b: &mut Builder<'_>, ty: Type, a: Value, d: i128) -> Value {
    let bits = ty.bits();
    let magnitude = d.unsigned_abs();
    if magnitude == 1 {
        let zero = b.func.iconst(ty, 0);
        return b.binary(Opcode::Sub, zero, a);
    }
    let quotient = if magnitude.is_power_of_two() {
        let k = magnitude.trailing_zeros();
        // Negative dividends get 2^k - 1 added, so that the shift rounds to zero.
        let sign = shift(b, Opcode::AShr, a, bits - 1);
        let bias = shift(b, Opcode::LShr, sign, bits - k);
        let biased = b.binary(Opcode::Add, a, bias);
        shift(b, Opcode::AShr, biased, k)
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

/// Multiplier (of `bits` bits, to be read as signed) and shift for a divisor of at least 2 (Hacker's Delight, figure 10-1).
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

    /// Evaluates the multiplication sequences on edge and pseudo-random dividends.
    #[test]
    fn multipliers_divide_exactly() {
        let mut seed = 0x1234_5678_9abc_def1u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
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
