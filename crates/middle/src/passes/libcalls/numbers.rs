//! Characters and rounding.

use ir::{IntCc, Opcode, Type, Value};

use super::{Answer, Calls};

/// Applies the rules of this file.
pub(super) fn fold(cx: &mut Calls<'_>, name: &str, args: &[Value]) -> Option<Answer> {
    match name {
        "isdigit" => {
            let zero = cx.func.iconst(Type::I32, b'0' as i64);
            let digit = cx.b().binary(Opcode::Sub, args[0], zero);
            Some(Some(below(cx, digit, 10)))
        }
        "isascii" => Some(Some(below(cx, args[0], 128))),
        "toascii" => {
            let mask = cx.func.iconst(Type::I32, 127);
            Some(Some(cx.b().binary(Opcode::And, args[0], mask)))
        }
        "floor" => narrow(cx, "floorf", args[0]),
        "ceil" => narrow(cx, "ceilf", args[0]),
        "trunc" => narrow(cx, "truncf", args[0]),
        "round" => narrow(cx, "roundf", args[0]),
        "rint" => narrow(cx, "rintf", args[0]),
        "nearbyint" => narrow(cx, "nearbyintf", args[0]),
        _ => None,
    }
}

fn below(cx: &mut Calls<'_>, value: Value, limit: i64) -> Value {
    let mut b = cx.b();
    let limit = b.iconst(Type::I32, limit);
    let bit = b.icmp(IntCc::Ult, value, limit);
    b.unary(Opcode::ZExt, Type::I32, bit)
}

/// Rounding a widened `float` to an integral value gives a `float`.
fn narrow(cx: &mut Calls<'_>, name: &str, value: Value) -> Option<Answer> {
    let inst = cx.func.def_with(value, Opcode::FpExt)?;
    let single = cx.func.operand(inst, 0);
    if cx.func.value_type(single) != Type::F32 {
        return None;
    }
    let rounded = cx.call(name, &[single])??;
    Some(Some(cx.b().unary(Opcode::FpExt, Type::F64, rounded)))
}
