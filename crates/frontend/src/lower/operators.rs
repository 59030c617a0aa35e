//! Unary and binary operators on values.

use ir::{FloatCc, IntCc, Opcode, Type, Value, flags};
use platform::options::Sanitizers;

use super::function::Fx;
use super::lvalues::normalize;
use super::place::Rvalue;
use super::{bit_int, complex, conditions, decimal, expressions, sanitize, vectors};
use crate::tree::*;

/// A binary operator; `a` is the value of its left operand.
pub fn binary(
    fx: &mut Fx<'_, '_>,
    e: ExprRef<'_>,
    op: BinaryOp,
    lhs: ExprRef<'_>,
    a: Rvalue,
    rhs: ExprRef<'_>,
) -> Rvalue {
    let ty = lhs.ty.ty();
    let b = expressions::rvalue(fx, rhs);
    if !fx.live {
        return expressions::dummy(fx, e.ty.ty());
    }
    if fx.types().is_vector(ty) || fx.types().is_vector(e.ty.ty()) {
        sanitize::arithmetic::lanes(fx, e, op, ty, Some(a), b);
        return vectors::binary(fx, op, e.ty.ty(), ty, rhs.ty.ty(), a, b);
    }
    if bit_int::is_wide(fx, rhs.ty.ty()) && op.is_shift() && !bit_int::is_wide(fx, ty) {
        let b = bit_int::low(fx, b);
        let Rvalue::Scalar(a) = a else { return a };
        return Rvalue::Scalar(arithmetic(fx, op, ty, a, b));
    }
    if op.is_comparison() {
        if op.is_relational() && fx.types().is_pointer(ty) && fx.types().is_pointer(rhs.ty.ty()) {
            sanitize::memory::check_pair(fx, Sanitizers::POINTER_COMPARE, a, b);
        }
        let bit = compare(fx, op, ty, a, b, false);
        let to = fx.scalar_type(e.ty.ty());
        return Rvalue::Scalar(fx.int_cast(bit, to, false));
    }
    match (a, b) {
        _ if bit_int::is_wide(fx, ty) => bit_int::binary(fx, op, ty, a, b, rhs.ty.ty()),
        (Rvalue::Complex(..), _) => {
            let real = (complex::was_real(lhs), complex::was_real(rhs));
            complex::mixed(fx, op, ty, (a, b), real).unwrap_or_else(|| complex::binary(fx, op, ty, a, b))
        }
        (Rvalue::Scalar(x), Rvalue::Scalar(y)) => {
            Rvalue::Scalar(match sanitize::arithmetic::binary(fx, e, op, (ty, rhs.ty.ty()), x, y) {
                Some(value) => value,
                None => arithmetic(fx, op, ty, x, y),
            })
        }
        _ => {
            fx.not_supported("arithmetic on this type");
            expressions::dummy(fx, e.ty.ty())
        }
    }
}

/// Arithmetic on scalars of type `ty`; the right operand of a shift may have another integer type.
pub fn arithmetic(fx: &mut Fx<'_, '_>, op: BinaryOp, ty: Ty, a: Value, b: Value) -> Value {
    if let Some(format) = fx.types().decimal_format(ty) {
        return decimal::arithmetic(fx, op, format, a, b);
    }
    if fx.ty(a).lane().is_float() {
        let opcode = match op {
            BinaryOp::Add => Opcode::FAdd,
            BinaryOp::Sub => Opcode::FSub,
            BinaryOp::Mul => Opcode::FMul,
            BinaryOp::Div => Opcode::FDiv,
            _ => base::bug!("operator {} on floating operands", op.spelling()),
        };
        return fx.float_op(opcode, a, b);
    }
    let signed = fx.types().is_signed(ty);
    let width = fx.ty(a);
    let b = if op.is_shift() { fx.int_cast(b, width, false) } else { b };
    let (opcode, overflow) = match op {
        BinaryOp::Add => (Opcode::Add, Some(Opcode::SAddOverflow)),
        BinaryOp::Sub => (Opcode::Sub, Some(Opcode::SSubOverflow)),
        BinaryOp::Mul => (Opcode::Mul, Some(Opcode::SMulOverflow)),
        BinaryOp::Div => (if signed { Opcode::SDiv } else { Opcode::UDiv }, None),
        BinaryOp::Rem => (if signed { Opcode::SRem } else { Opcode::URem }, None),
        BinaryOp::Shl => (Opcode::Shl, None),
        BinaryOp::Shr => (if signed { Opcode::AShr } else { Opcode::LShr }, None),
        BinaryOp::And => (Opcode::And, None),
        BinaryOp::Or => (Opcode::Or, None),
        BinaryOp::Xor => (Opcode::Xor, None),
        _ => base::bug!("a comparison is no arithmetic"),
    };
    if let Some(overflow) = overflow
        && signed
    {
        if fx.options.codegen.trapv && width.bits() >= 32 {
            return trapping(fx, overflow, a, b);
        }
        let flags = overflow_flags(fx, ty);
        let value = fx.int_op(opcode, flags, a, b);
        return normalize(fx, value, ty);
    }
    let value = fx.int_op(opcode, 0, a, b);
    normalize(fx, value, ty)
}

/// `NSW` where signed overflow is undefined. Narrow `_BitInt` values do not fill their container,
/// so that the flag would say less than it could; it is still true.
fn overflow_flags(fx: &Fx<'_, '_>, ty: Ty) -> u8 {
    let codegen = &fx.options.codegen;
    if fx.types().is_signed(ty) && !codegen.wrapv && !codegen.trapv { flags::NSW } else { 0 }
}

/// `-ftrapv`: overflow aborts, as the checked routines of gcc's library do.
fn trapping(fx: &mut Fx<'_, '_>, opcode: Opcode, a: Value, b: Value) -> Value {
    let (value, overflowed) = fx.b().overflow(opcode, a, b);
    trap_if(fx, overflowed);
    value
}

/// Aborts as `-ftrapv` has it.
pub fn trap_if(fx: &mut Fx<'_, '_>, overflowed: Value) {
    let go_on = fx.new_block();
    let trap = match fx.overflow_trap {
        Some(block) => block,
        None => {
            let block = fx.new_block();
            fx.overflow_trap = Some(block);
            block
        }
    };
    fx.cond_br(overflowed, trap, go_on, ir::BranchHint::Unlikely);
    fx.start(go_on);
}

/// A comparison of values of type `ty` as an i1; `negated` asks for the opposite.
pub fn compare(fx: &mut Fx<'_, '_>, op: BinaryOp, ty: Ty, a: Rvalue, b: Rvalue, negated: bool) -> Value {
    let (x, y) = match (a, b) {
        (Rvalue::Scalar(x), Rvalue::Scalar(y)) => (x, y),
        (Rvalue::Complex(..), Rvalue::Complex(..)) => {
            let equal = complex::equal(fx, a, b);
            let want_not = (op == BinaryOp::Ne) != negated;
            return if want_not { conditions::not(fx, equal) } else { equal };
        }
        _ if bit_int::is_wide(fx, ty) => return bit_int::compare(fx, op, ty, a, b, negated),
        _ => {
            fx.not_supported("comparing values of this type");
            return fx.iconst(Type::I1, 0);
        }
    };
    if let Some(format) = fx.types().decimal_format(ty) {
        return decimal::compare(fx, op, format, x, y, negated);
    }
    if fx.ty(x).is_float() {
        let (x, y) = widen_half(fx, x, y);
        let cc = float_cc(op);
        return fx.fcmp(if negated { cc.inverse() } else { cc }, op.is_relational(), x, y);
    }
    let signed = fx.types().is_signed(ty);
    let cc = int_cc(op, signed);
    fx.icmp(if negated { cc.inverse() } else { cc }, x, y)
}

/// binary16 operands as binary32.
pub fn widen_half(fx: &mut Fx<'_, '_>, x: Value, y: Value) -> (Value, Value) {
    if fx.ty(x) == Type::F16 { (fx.float_cast(x, Type::F32), fx.float_cast(y, Type::F32)) } else { (x, y) }
}

/// The IR condition of an integer or pointer comparison.
pub fn int_cc(op: BinaryOp, signed: bool) -> IntCc {
    match (op, signed) {
        (BinaryOp::Eq, _) => IntCc::Eq,
        (BinaryOp::Ne, _) => IntCc::Ne,
        (BinaryOp::Lt, true) => IntCc::Slt,
        (BinaryOp::Le, true) => IntCc::Sle,
        (BinaryOp::Gt, true) => IntCc::Sgt,
        (BinaryOp::Ge, true) => IntCc::Sge,
        (BinaryOp::Lt, false) => IntCc::Ult,
        (BinaryOp::Le, false) => IntCc::Ule,
        (BinaryOp::Gt, false) => IntCc::Ugt,
        (BinaryOp::Ge, false) => IntCc::Uge,
        _ => base::bug!("{} is no comparison", op.spelling()),
    }
}

/// The IR condition of a floating comparison.
pub fn float_cc(op: BinaryOp) -> FloatCc {
    match op {
        BinaryOp::Eq => FloatCc::Oeq,
        BinaryOp::Ne => FloatCc::Une,
        BinaryOp::Lt => FloatCc::Olt,
        BinaryOp::Le => FloatCc::Ole,
        BinaryOp::Gt => FloatCc::Ogt,
        BinaryOp::Ge => FloatCc::Oge,
        _ => base::bug!("{} is no comparison", op.spelling()),
    }
}

/// `-x`, `~x`.
pub fn unary(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, op: UnaryOp, ty: Ty, value: Rvalue) -> Rvalue {
    if fx.types().is_vector(ty) {
        if op == UnaryOp::Neg {
            sanitize::arithmetic::lanes(fx, e, BinaryOp::Sub, ty, None, value);
        }
        return vectors::unary(fx, op, ty, value);
    }
    if bit_int::is_wide(fx, ty) {
        return bit_int::unary(fx, op, ty, value);
    }
    match (op, value) {
        (UnaryOp::Neg, Rvalue::Scalar(v)) => {
            Rvalue::Scalar(sanitize::arithmetic::negate(fx, e, ty, v).unwrap_or_else(|| negate(fx, v, ty)))
        }
        (UnaryOp::Not, Rvalue::Scalar(v)) => {
            let inverted = fx.int_op_imm(Opcode::Xor, 0, v, -1);
            Rvalue::Scalar(normalize(fx, inverted, ty))
        }
        (_, Rvalue::Complex(re, im)) => {
            let part = complex::part_type(fx, ty);
            let re = if op == UnaryOp::Neg { negate(fx, re, part) } else { re };
            Rvalue::Complex(re, negate(fx, im, part))
        }
        (_, Rvalue::Memory(_)) => {
            fx.not_supported("arithmetic on this type");
            value
        }
        _ => value,
    }
}

/// `-v` of a real type.
pub fn negate(fx: &mut Fx<'_, '_>, v: Value, ty: Ty) -> Value {
    if fx.ty(v) == Type::F16 {
        let bits = fx.bitcast(v, Type::I16);
        let flipped = fx.int_op_imm(Opcode::Xor, 0, bits, i16::MIN as i64);
        return fx.bitcast(flipped, Type::F16);
    }
    if fx.ty(v).lane().is_float() {
        let ty = fx.ty(v);
        return fx.b().unary(Opcode::FNeg, ty, v);
    }
    let signed = fx.types().is_signed(ty);
    if signed && fx.options.codegen.trapv && fx.ty(v).bits() >= 32 {
        let width = fx.ty(v);
        let zero = fx.zero(width);
        return trapping(fx, Opcode::SSubOverflow, zero, v);
    }
    let flags = overflow_flags(fx, ty);
    let value = fx.int_neg(v, flags);
    normalize(fx, value, ty)
}
