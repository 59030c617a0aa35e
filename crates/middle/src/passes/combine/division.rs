//! Integer division and remainder by constants, without dividing.
//!
//! Unsigned: multiplication by a rounded-up reciprocal (Granlund and Montgomery, "Division by
//! Invariant Integers using Multiplication", 1994; the 33-bit case by Hacker's Delight, 10-8).
//! Signed: Hacker's Delight, 10-1. Without a remainder, as between pointers: multiplication by the
//! inverse modulo 2^bits (Granlund and Montgomery, section 9); it tells multiples, too. (Powers of
//! two are rules.)

use ir::{Builder, Inst, IntCc, Opcode, Type, Value, flags};

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
    if !is_expanded(cx, a) || cx.options.optimize_size {
        return None;
    }
    let signed_divisor = ir::fold::sign_extend(ty, d);
    let magnitude = if unsigned { d } else { signed_divisor.unsigned_abs() };
    if magnitude.is_power_of_two() || ty == Type::I128 && magnitude >> 64 != 0 || is_compared_distance(cx, inst, d) {
        return None;
    }
    let mut b = cx.builder(inst);
    let quotient = if data.has(flags::EXACT) {
        exact_quotient(&mut b, a, d, if unsigned { Opcode::LShr } else { Opcode::AShr })
    } else if unsigned {
        unsigned_quotient(&mut b, ty, a, d)
    } else {
        signed_quotient(&mut b, ty, a, signed_divisor)
    };
    if !remainder {
        return Some(Rewrite::Value(quotient));
    }
    let divisor = b.func.bits_const(ty, d);
    let product = b.binary(Opcode::Mul, quotient, divisor);
    Some(Rewrite::Value(b.binary(Opcode::Sub, a, product)))
}

/// Whether a quotient is for one comparison that is made with the dividend: what the rule
/// `compare_divided_distance` asks.
fn is_compared_distance(cx: &Combiner<'_>, division: Inst, d: u128) -> bool {
    const MAX: u128 = 0x7fff;
    let data = cx.func.insts[division];
    let quotient = cx.func.first_result(division);
    let compared = |(user, index): (Inst, usize)| {
        let limit = || cx.func.const_bits(cx.func.operand(user, 1));
        index == 0 && cx.func.insts[user].opcode == Opcode::ICmp && limit().is_some_and(|c| c <= MAX)
    };
    data.opcode == Opcode::SDiv
        && data.has(flags::EXACT)
        && matches!(data.ty, Type::I32 | Type::I64)
        && (1..=MAX).contains(&d)
        && cx.one_use(quotient)
        && cx.func.uses(quotient).all(compared)
}

/// Whether a remainder of `x` and `d` is (or, by `cc`, is not) zero: the product with the inverse
/// of the odd part of `d` takes multiples, rotated to the right by the zeros of `d`, to the numbers
/// from 0 to the largest quotient (Hacker's Delight, 10-17). Signed quotients are made positive.
pub(super) fn is_multiple(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, remainder: Value) -> Option<Rewrite> {
    let division = cx.func.def_inst(remainder)?;
    let (ty, x, d) = (cx.ty(remainder), cx.func.operand(division, 0), cx.bits(cx.func.operand(division, 1))?);
    let signed = cx.func.insts[division].opcode == Opcode::SRem;
    let magnitude = if signed { ir::fold::sign_extend(ty, d).unsigned_abs() } else { d };
    if !matches!(ty, Type::I32 | Type::I64) || magnitude & magnitude.wrapping_sub(1) == 0 || cx.options.optimize_size {
        return None;
    }
    let zeros = magnitude.trailing_zeros();
    let odd = magnitude >> zeros;
    let below = if signed { (((ty.mask() >> 1) / odd) >> zeros) << zeros } else { 0 };
    let largest = if signed { (2 * below) >> zeros } else { ty.mask() / magnitude };
    let mut b = cx.builder(inst);
    let [by, below, largest] = [inverse(odd) & ty.mask(), below, largest].map(|bits| b.func.bits_const(ty, bits));
    let product = b.binary(Opcode::Mul, x, by);
    let quotient = if signed { b.binary(Opcode::Add, product, below) } else { product };
    let amount = b.func.iconst(ty, zeros.into());
    let quotient = if zeros > 0 { b.binary(Opcode::Rotr, quotient, amount) } else { quotient };
    Some(Rewrite::Value(b.icmp(if cc == IntCc::Eq { IntCc::Ule } else { IntCc::Ugt }, quotient, largest)))
}

/// Whether divisions of a value by constants are expanded at all, and yet.
pub(super) fn is_expanded(cx: &Combiner<'_>, dividend: Value) -> bool {
    has_products(cx.ty(dividend)) && !cx.keep_divisions
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

/// The quotient of a multiple of `d`: what a shift leaves of it, an odd multiple, times the inverse
/// of the odd part of `d`.
fn exact_quotient(b: &mut Builder<'_>, a: Value, d: u128, shift: Opcode) -> Value {
    let ty = b.func.value_type(a);
    let zeros = d.trailing_zeros();
    let amount = b.func.iconst(ty, zeros.into());
    let multiple = if zeros == 0 { a } else { b.binary_flags(shift, flags::EXACT, a, amount) };
    let odd = match shift {
        Opcode::AShr => (ir::fold::sign_extend(ty, d) >> zeros) as u128,
        _ => d >> zeros,
    };
    let by = b.func.bits_const(ty, inverse(odd) & ty.mask());
    b.binary(Opcode::Mul, multiple, by)
}

/// The number whose product with an odd one is 1 modulo 2^128: each step doubles the low bits that
/// are right, at first three.
fn inverse(odd: u128) -> u128 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse))))
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
mod tests;
