//! 128-bit division and remainder by constants below 2^64 in 64-bit operations, without a call.
//!
//! The high half is divided as a 64-bit number; its remainder and the low half by the normalised divisor's reciprocal (Möller and Granlund, "Improved Division
//! by Invariant Integers", 2011, algorithm 4). Signed dividends are divided by their magnitude.

use ir::{Builder, Inst, IntCc, Opcode, Type, Value};

use super::division::unsigned_quotient;
use super::{Combiner, Rewrite};

/// Rewrites `inst`, a division or remainder of `a` by the constant `d`, which is not 0 or 1.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst, a: Value, d: u128) -> Option<Rewrite> {
    let opcode = cx.func.insts[inst].opcode;
    let remainder = matches!(opcode, Opcode::SRem | Opcode::URem);
    let signed = matches!(opcode, Opcode::SDiv | Opcode::SRem);
    let magnitude = if signed { (d as i128).unsigned_abs() } else { d };
    let small = u64::try_from(magnitude).ok().filter(|&m| m > 1)?;
    let b = &mut cx.builder(inst);
    if !signed {
        let (quotient, rest) = divide(b, a, small);
        return Some(Rewrite::Value(if remainder { rest } else { quotient }));
    }
    let amount = b.iconst(Type::I128, 127);
    let sign = b.binary(Opcode::AShr, a, amount);
    let positive = with_sign(b, a, sign);
    let (quotient, rest) = divide(b, positive, small);
    let value = with_sign(b, if remainder { rest } else { quotient }, sign);
    if remainder || (d as i128) > 0 {
        return Some(Rewrite::Value(value));
    }
    let zero = b.iconst(Type::I128, 0);
    Some(Rewrite::Value(b.binary(Opcode::Sub, zero, value)))
}

/// The value, or its negative where `sign` is all ones.
fn with_sign(b: &mut Builder<'_>, value: Value, sign: Value) -> Value {
    let flipped = b.binary(Opcode::Xor, value, sign);
    b.binary(Opcode::Sub, flipped, sign)
}

/// Quotient and remainder by `d` of at least 2.
fn divide(b: &mut Builder<'_>, a: Value, d: u64) -> (Value, Value) {
    let (low, high) = halves(b, a);
    if d.is_power_of_two() {
        let amount = b.iconst(Type::I128, d.trailing_zeros() as i64);
        let mask = b.func.bits_const(Type::I128, d as u128 - 1);
        return (b.binary(Opcode::LShr, a, amount), b.binary(Opcode::And, a, mask));
    }
    let quotient_high = unsigned_quotient(b, Type::I64, high, d as u128);
    let divisor = b.func.bits_const(Type::I64, d as u128);
    let product = b.binary(Opcode::Mul, quotient_high, divisor);
    let rest = b.binary(Opcode::Sub, high, product);
    let (quotient_low, rest) = divide_2_by_1(b, rest, low, d);
    (join(b, quotient_low, quotient_high), b.unary(Opcode::ZExt, Type::I128, rest))
}

/// `high:low / d` and the remainder, for `high` below `d`, which is no power of two.
fn divide_2_by_1(b: &mut Builder<'_>, high: Value, low: Value, d: u64) -> (Value, Value) {
    let shift = d.leading_zeros();
    let normalised = d << shift;
    // Below 2^64, because the divisor has its highest bit set.
    let reciprocal = u128::MAX / normalised as u128 - (1 << 64);
    let (mut u1, mut u0) = (high, low);
    if shift > 0 {
        let (left, right) = (b.iconst(Type::I64, shift as i64), b.iconst(Type::I64, 64 - shift as i64));
        let (shifted, carried) = (b.binary(Opcode::Shl, high, left), b.binary(Opcode::LShr, low, right));
        u1 = b.binary(Opcode::Or, shifted, carried);
        u0 = b.binary(Opcode::Shl, low, left);
    }
    let divisor = b.func.bits_const(Type::I64, normalised as u128);
    let reciprocal = b.func.bits_const(Type::I64, reciprocal);
    let (product_high, product_low) = (b.binary(Opcode::UMulHi, u1, reciprocal), b.binary(Opcode::Mul, u1, reciprocal));
    let sum_low = b.binary(Opcode::Add, product_low, u0);
    let carry = b.icmp(IntCc::Ult, sum_low, u0);
    let carry = b.unary(Opcode::ZExt, Type::I64, carry);
    let sum_high = b.binary(Opcode::Add, product_high, u1);
    let sum_high = b.binary(Opcode::Add, sum_high, carry);
    // One too large, or right, or one too small.
    let one = b.iconst(Type::I64, 1);
    let quotient = b.binary(Opcode::Add, sum_high, one);
    let product = b.binary(Opcode::Mul, quotient, divisor);
    let rest = b.binary(Opcode::Sub, u0, product);
    let too_large = b.icmp(IntCc::Ugt, rest, sum_low);
    let corrected = b.binary(Opcode::Add, rest, divisor);
    let quotient = b.select(too_large, sum_high, quotient);
    let rest = b.select(too_large, corrected, rest);
    let too_small = b.icmp(IntCc::Uge, rest, divisor);
    let (more, less) = (b.binary(Opcode::Add, quotient, one), b.binary(Opcode::Sub, rest, divisor));
    let quotient = b.select(too_small, more, quotient);
    let rest = b.select(too_small, less, rest);
    let right = b.iconst(Type::I64, shift as i64);
    (quotient, if shift > 0 { b.binary(Opcode::LShr, rest, right) } else { rest })
}

fn halves(b: &mut Builder<'_>, a: Value) -> (Value, Value) {
    let amount = b.iconst(Type::I128, 64);
    let high = b.binary(Opcode::LShr, a, amount);
    (b.unary(Opcode::Trunc, Type::I64, a), b.unary(Opcode::Trunc, Type::I64, high))
}

fn join(b: &mut Builder<'_>, low: Value, high: Value) -> Value {
    let (low, high) = (b.unary(Opcode::ZExt, Type::I128, low), b.unary(Opcode::ZExt, Type::I128, high));
    let amount = b.iconst(Type::I128, 64);
    let high = b.binary(Opcode::Shl, high, amount);
    b.binary(Opcode::Or, high, low)
}
