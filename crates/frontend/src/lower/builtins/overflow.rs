//! `__builtin_add_overflow` and its relatives, on operands and results of any integer types.
//!
//! When all three types are the same the IR's overflow operations do it. Otherwise the exact result
//! is computed in two words: the low one of `W` bits (64, or 128 if a type is that wide) and a high
//! one that is 0, 1 or -1 for sums and differences, and 0 or -1 for products that fit. The result
//! overflows unless extending the truncated result gives both words back.

use ir::{IntCc, Opcode, Type, Value};

use crate::lower::function::Fx;
use crate::lower::lvalues::{self, extend_in_register};
use crate::lower::place::Rvalue;
use crate::lower::{bit_int, conditions, expressions};
use crate::tree::*;

/// Lowers the operation; the value says whether it overflowed.
pub fn lower(fx: &mut Fx<'_, '_>, overflow: &Overflow<'_>) -> Rvalue {
    let types = [overflow.lhs.ty.ty(), overflow.rhs.ty.ty(), overflow.result_ty];
    if types.into_iter().any(|ty| bit_int::is_wide(fx, ty)) {
        return limbs(fx, overflow);
    }
    let a = expressions::scalar(fx, overflow.lhs);
    let b = expressions::scalar(fx, overflow.rhs);
    let pointer = overflow.result.map(|e| (expressions::scalar(fx, e), pointee_type(fx, e)));
    let (lhs, rhs) = (info(fx, overflow.lhs.ty.ty()), info(fx, overflow.rhs.ty.ty()));
    let result = info(fx, overflow.result_ty);
    let (value, overflowed) = match direct(fx, overflow.op, a, b, lhs, rhs, result) {
        Some(pair) => pair,
        None => wide(fx, overflow.op, (a, lhs), (b, rhs), result),
    };
    if let Some((address, ty)) = pointer {
        let ty = ty.unwrap_or(overflow.result_ty.into());
        let place = lvalues::pointee(fx, address, ty);
        let scalar = fx.scalar_type(ty.ty());
        let value = fx.int_cast(value, scalar, result.signed);
        lvalues::store(fx, place, ty, Rvalue::Scalar(value));
    }
    Rvalue::Scalar(fx.int_cast(overflowed, Type::I8, false))
}

/// Where a type is wider than 128 bits.
fn limbs(fx: &mut Fx<'_, '_>, overflow: &Overflow<'_>) -> Rvalue {
    let a = expressions::rvalue(fx, overflow.lhs);
    let b = expressions::rvalue(fx, overflow.rhs);
    let pointer = overflow.result.map(|e| (expressions::scalar(fx, e), pointee_type(fx, e)));
    let (lhs, rhs) = (overflow.lhs.ty.ty(), overflow.rhs.ty.ty());
    let (value, overflowed) = bit_int::overflow(fx, overflow.op, (a, lhs), (b, rhs), overflow.result_ty);
    if let Some((address, ty)) = pointer {
        let ty = ty.unwrap_or(overflow.result_ty.into());
        let place = lvalues::pointee(fx, address, ty);
        lvalues::store(fx, place, ty, value);
    }
    Rvalue::Scalar(fx.int_cast(overflowed, Type::I8, false))
}

fn pointee_type(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> Option<QualType> {
    fx.types().pointee(e.ty.ty())
}

fn info(fx: &Fx<'_, '_>, ty: Ty) -> IntInfo {
    match fx.types().int_info(ty) {
        Some(info) => info,
        None => base::bug!("an overflow builtin on a type that is no integer"),
    }
}

/// One instruction, when the types agree and fill their registers.
fn direct(
    fx: &mut Fx<'_, '_>,
    op: BinaryOp,
    a: Value,
    b: Value,
    lhs: IntInfo,
    rhs: IntInfo,
    result: IntInfo,
) -> Option<(Value, Value)> {
    let same = |x: IntInfo, y: IntInfo| (x.bits, x.signed) == (y.bits, y.signed);
    if !same(lhs, rhs) || !same(lhs, result) || !matches!(lhs.bits, 32 | 64 | 128) {
        return None;
    }
    let opcode = match (op, lhs.signed) {
        (BinaryOp::Add, true) => Opcode::SAddOverflow,
        (BinaryOp::Add, false) => Opcode::UAddOverflow,
        (BinaryOp::Sub, true) => Opcode::SSubOverflow,
        (BinaryOp::Sub, false) => Opcode::USubOverflow,
        (_, true) => Opcode::SMulOverflow,
        (_, false) => Opcode::UMulOverflow,
    };
    if lhs.bits == 128 && op == BinaryOp::Mul {
        return None;
    }
    Some(fx.b().overflow(opcode, a, b))
}

/// The general case; the answer is the wrapped result in the wide type, and whether it overflowed.
fn wide(
    fx: &mut Fx<'_, '_>,
    op: BinaryOp,
    (a, lhs): (Value, IntInfo),
    (b, rhs): (Value, IntInfo),
    result: IntInfo,
) -> (Value, Value) {
    let fits_word = [lhs, rhs, result].iter().all(|i| i.bits <= 64);
    let word = if fits_word { Type::I64 } else { Type::I128 };
    let (a, b) = (fx.int_cast(a, word, lhs.signed), fx.int_cast(b, word, rhs.signed));
    let (low, high, lost) = match op {
        BinaryOp::Mul => product(fx, (a, lhs.signed), (b, rhs.signed)),
        _ => sum(fx, op, (a, lhs.signed), (b, rhs.signed)),
    };
    let wrapped = extend_in_register(fx, low, result.bits, result.signed);
    let high_of_result = if result.signed { sign(fx, wrapped) } else { fx.iconst(word, 0) };
    let low_differs = fx.icmp(IntCc::Ne, wrapped, low);
    let high_differs = fx.icmp(IntCc::Ne, high_of_result, high);
    let mut overflowed = fx.int_op(Opcode::Or, 0, low_differs, high_differs);
    if let Some(lost) = lost {
        overflowed = fx.int_op(Opcode::Or, 0, overflowed, lost);
    }
    (wrapped, overflowed)
}

/// -1 for a negative number, else 0.
fn sign(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let bits = fx.ty(value).bits() as i64;
    fx.int_op_imm(Opcode::AShr, 0, value, bits - 1)
}

fn high_word(fx: &mut Fx<'_, '_>, value: Value, signed: bool) -> Value {
    if signed {
        return sign(fx, value);
    }
    let ty = fx.ty(value);
    fx.iconst(ty, 0)
}

/// The two words of a sum or difference.
fn sum(
    fx: &mut Fx<'_, '_>,
    op: BinaryOp,
    (a, a_signed): (Value, bool),
    (b, b_signed): (Value, bool),
) -> (Value, Value, Option<Value>) {
    let (int, carry_op) =
        if op == BinaryOp::Add { (Opcode::Add, Opcode::UAddOverflow) } else { (Opcode::Sub, Opcode::USubOverflow) };
    let (high_a, high_b) = (high_word(fx, a, a_signed), high_word(fx, b, b_signed));
    let (low, carry) = fx.b().overflow(carry_op, a, b);
    let word = fx.ty(a);
    let carry = fx.int_cast(carry, word, false);
    let high = fx.int_op(int, 0, high_a, high_b);
    let high = fx.int_op(int, 0, high, carry);
    (low, high, None)
}

/// The two words of a product: of the magnitudes, negated if the signs differ. The third answer is
/// set when the product of the magnitudes does not fit one word.
fn product(
    fx: &mut Fx<'_, '_>,
    (a, a_signed): (Value, bool),
    (b, b_signed): (Value, bool),
) -> (Value, Value, Option<Value>) {
    let (sign_a, sign_b) = (high_word(fx, a, a_signed), high_word(fx, b, b_signed));
    let (a, b) = (apply_sign(fx, a, sign_a), apply_sign(fx, b, sign_b));
    let (magnitude, lost) = unsigned_product(fx, a, b);
    let negative = fx.int_op(Opcode::Xor, 0, sign_a, sign_b);
    let low = apply_sign(fx, magnitude, negative);
    // Minus zero is zero: the high word of a negative product is -1 only if there is something to
    // negate.
    let is_zero = fx.icmp_imm(IntCc::Eq, magnitude, 0);
    let zero = {
        let ty = fx.ty(low);
        fx.iconst(ty, 0)
    };
    let high = fx.b().select(is_zero, zero, negative);
    (low, high, Some(lost))
}

/// `value` negated where `sign` is -1: (value ^ sign) - sign.
fn apply_sign(fx: &mut Fx<'_, '_>, value: Value, sign: Value) -> Value {
    let flipped = fx.int_op(Opcode::Xor, 0, value, sign);
    fx.int_op(Opcode::Sub, 0, flipped, sign)
}

/// The low word of an unsigned product, and whether there is more. For 128 bits by schoolbook
/// multiplication of halves.
fn unsigned_product(fx: &mut Fx<'_, '_>, a: Value, b: Value) -> (Value, Value) {
    if fx.ty(a) == Type::I64 {
        return fx.b().overflow(Opcode::UMulOverflow, a, b);
    }
    let half = |fx: &mut Fx<'_, '_>, v: Value, high: bool| {
        let v = if high { fx.int_op_imm(Opcode::LShr, 0, v, 64) } else { v };
        let narrow = fx.int_cast(v, Type::I64, false);
        fx.b().unary(Opcode::ZExt, Type::I128, narrow)
    };
    let (a0, a1, b0, b1) = (half(fx, a, false), half(fx, a, true), half(fx, b, false), half(fx, b, true));
    let low = fx.int_op(Opcode::Mul, 0, a0, b0);
    // Nothing is lost if at most one of the cross products is present and fits 64 bits. Their sum
    // is what wrapping keeps.
    let cross_a = fx.int_op(Opcode::Mul, 0, a1, b0);
    let cross_b = fx.int_op(Opcode::Mul, 0, a0, b1);
    let cross = fx.int_op(Opcode::Add, 0, cross_a, cross_b);
    let carry = fx.int_op_imm(Opcode::LShr, 0, cross, 64);
    let both = {
        let (x, y) = (fx.icmp_imm(IntCc::Ne, a1, 0), fx.icmp_imm(IntCc::Ne, b1, 0));
        fx.int_op(Opcode::And, 0, x, y)
    };
    let shifted = fx.int_op_imm(Opcode::Shl, 0, cross, 64);
    let (value, carried) = fx.b().overflow(Opcode::UAddOverflow, low, shifted);
    let too_wide = conditions::nonzero(fx, Rvalue::Scalar(carry));
    let lost = fx.int_op(Opcode::Or, 0, both, too_wide);
    (value, fx.int_op(Opcode::Or, 0, lost, carried))
}
