//! Bit counting and byte swapping.

use ir::{IntCc, Opcode, Value};

use super::NOT_ZERO;
use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::lower::sanitize;
use crate::tree::*;

/// Lowers one of the bit builtins; `_BitInt` operands of odd width count in their own width.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, arg: ExprRef<'_>) -> Rvalue {
    let value = expressions::scalar(fx, arg);
    if matches!(builtin, Builtin::Clz | Builtin::Ctz) {
        sanitize::values::bit_count(fx, e, value, builtin == Builtin::Clz);
    }
    let result = match builtin {
        Builtin::Ffs => find_first_set(fx, value),
        Builtin::Clz => count(fx, Opcode::Ctlz, NOT_ZERO, value),
        Builtin::Ctz => count(fx, Opcode::Cttz, NOT_ZERO, value),
        Builtin::Clrsb => redundant_sign_bits(fx, value),
        Builtin::Popcount => count(fx, Opcode::Popcount, 0, value),
        Builtin::Parity => {
            let bits = count(fx, Opcode::Popcount, 0, value);
            fx.int_op_imm(Opcode::And, 0, bits, 1)
        }
        _ => {
            let ty = fx.ty(value);
            return Rvalue::Scalar(fx.b().unary(Opcode::Bswap, ty, value));
        }
    };
    let to = fx.scalar_type(e.ty.ty());
    Rvalue::Scalar(fx.int_cast(result, to, false))
}

fn count(fx: &mut Fx<'_, '_>, opcode: Opcode, flags: u8, value: Value) -> Value {
    let ty = fx.ty(value);
    fx.b().unary_flags(opcode, flags, ty, value)
}

/// `value == 0 ? 0 : ctz(value) + 1`.
fn find_first_set(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let zeros = count(fx, Opcode::Cttz, 0, value);
    let position = fx.int_op_imm(Opcode::Add, 0, zeros, 1);
    let is_zero = fx.icmp_imm(IntCc::Eq, value, 0);
    let ty = fx.ty(value);
    let zero = fx.iconst(ty, 0);
    fx.b().select(is_zero, zero, position)
}

/// Leading zeros of the value with its sign folded in, without the sign bit itself.
fn redundant_sign_bits(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let bits = fx.ty(value).bits() as i64;
    let sign = fx.int_op_imm(Opcode::AShr, 0, value, bits - 1);
    let folded = fx.int_op(Opcode::Xor, 0, value, sign);
    let zeros = count(fx, Opcode::Ctlz, 0, folded);
    fx.int_op_imm(Opcode::Sub, 0, zeros, 1)
}
