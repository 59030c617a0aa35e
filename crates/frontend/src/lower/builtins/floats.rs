//! Classification of floating values, quiet comparisons, and barriers between operators.

use ir::{AliasTags, AsmData, AsmOperand, AsmPlace, FloatCc, IntCc, Opcode, Type, Value};

use super::truth;
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::lower::{decimal, expressions, operators};
use crate::tree::*;

/// A comparison that raises no exception for quiet NaNs.
pub fn quiet(fx: &mut Fx<'_, '_>, cc: FloatCc, args: &[ExprRef<'_>]) -> Rvalue {
    let (a, b) = (expressions::scalar(fx, args[0]), expressions::scalar(fx, args[1]));
    if let Some(format) = fx.types().decimal_format(args[0].ty.ty()) {
        let bit = decimal::quiet(fx, cc, format, a, b);
        return truth(fx, bit);
    }
    let (a, b) = operators::widen_half(fx, a, b);
    let bit = fx.fcmp(cc, false, a, b);
    truth(fx, bit)
}

/// `__builtin_assoc_barrier(x)`. Where no option allows operators to be put together in another way
/// it is the value; else the optimiser does not see through it.
pub fn assoc_barrier(fx: &mut Fx<'_, '_>, arg: ExprRef<'_>) -> Rvalue {
    let value = expressions::rvalue(fx, arg);
    if fx.float_flags() & (ir::flags::REASSOC | ir::flags::CONTRACT) == 0 {
        return value;
    }
    match value {
        Rvalue::Void => value,
        Rvalue::Scalar(v) => Rvalue::Scalar(hidden(fx, v)),
        Rvalue::Complex(re, im) => {
            let re = hidden(fx, re);
            Rvalue::Complex(re, hidden(fx, im))
        }
        // A vector of another size than the registers': in pieces.
        Rvalue::Memory(from) => {
            let layout = fx.types().layout(arg.ty).unwrap_or(platform::data_layout::LONG);
            let to = fx.temp(layout.size, layout.align);
            let mut offset = 0;
            while offset < layout.size {
                let ty = match layout.size - offset {
                    16.. => Type::F64.vector(2),
                    8..16 => Type::F64,
                    4..8 => Type::F32,
                    _ => Type::F16,
                };
                let part = fx.load(ty, from.offset(offset as i64), AliasTags::any());
                let part = hidden(fx, part);
                fx.store(part, to.offset(offset as i64), AliasTags::any());
                offset += u64::from(ty.store_size());
            }
            Rvalue::Memory(to)
        }
    }
}

/// A floating value that the optimiser knows nothing of: the result of a statement without text
/// that is not volatile. One of binary16 keeps the precision it has beyond its type.
fn hidden(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    if let Some(&wide) = fx.excess.get(&value) {
        let wide = hidden(fx, wide);
        let rounded = fx.float_cast(wide, Type::F16);
        fx.excess.insert(rounded, wide);
        return rounded;
    }
    let ty = fx.ty(value);
    if !fx.live || fx.func.const_bits(value).is_some() {
        return value;
    }
    let place = if ty == Type::F80 { AsmPlace::X87(0) } else { AsmPlace::Xmm };
    let operand =
        AsmOperand { is_output: true, early_clobber: false, place, ty, name: None, input: None, result: Some(0) };
    let input =
        AsmOperand { is_output: false, place: AsmPlace::Tied(0), input: Some(0), result: None, ..operand.clone() };
    let data = AsmData { clobbers_x87: ty == Type::F80, operands: vec![operand, input], ..AsmData::default() };
    let inst = fx.b().asm(data, &[value], &[ty]);
    fx.func.first_result(inst)
}

/// Infinity of a floating type, as bits.
fn infinity(ty: Type) -> u128 {
    match ty {
        Type::F16 => 0x7c00,
        Type::F32 => 0x7f80_0000,
        Type::F64 => 0x7ff0_0000_0000_0000,
        Type::F80 => 0x7fff_8000_0000_0000_0000,
        _ => 0x7fff << 112,
    }
}

/// The least normal number of a floating type, as bits of the type it is computed in.
fn least_normal(ty: Type) -> u128 {
    match ty {
        // 2^-14 as binary32: binary16 values are compared there.
        Type::F16 => 0x3880_0000,
        Type::F32 => 0x0080_0000,
        Type::F64 => 0x0010_0000_0000_0000,
        Type::F80 => 0x0001_8000_0000_0000_0000,
        _ => 1 << 112,
    }
}

/// A value ready for classification.
struct Subject {
    value: Value,
    magnitude: Value,
    ty: Type,
    /// The format it came in.
    original: Type,
}

fn subject(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Subject {
    let value = expressions::scalar(fx, e);
    let original = fx.ty(value);
    let value = if original == Type::F16 { fx.float_cast(value, Type::F32) } else { value };
    let ty = fx.ty(value);
    let magnitude = fx.b().unary(Opcode::FAbs, ty, value);
    Subject { value, magnitude, ty, original }
}

fn compare(fx: &mut Fx<'_, '_>, cc: FloatCc, value: Value, bits: u128) -> Value {
    let ty = fx.ty(value);
    let constant = fx.func.bits_const(ty, bits);
    fx.fcmp(cc, false, value, constant)
}

/// Lowers the classification builtins.
pub fn classify(fx: &mut Fx<'_, '_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    if builtin == Builtin::Fpclassify {
        return fpclassify(fx, args);
    }
    if builtin == Builtin::SignBit {
        let value = expressions::scalar(fx, args[0]);
        return Rvalue::Scalar(sign_bit(fx, value));
    }
    if let Some(format) = fx.types().decimal_format(args[0].ty.ty()) {
        let value = expressions::scalar(fx, args[0]);
        if builtin == Builtin::IsInfSign {
            // 1 or 0, less twice that where the sign bit is set.
            let infinite = decimal::is_of_class(fx, Builtin::IsInf, format, value);
            let infinite = fx.int_cast(infinite, Type::I32, false);
            let sign = sign_bit(fx, value);
            let negative = fx.int_op(Opcode::And, 0, infinite, sign);
            let twice = fx.int_op_imm(Opcode::Shl, 0, negative, 1);
            return Rvalue::Scalar(fx.int_op(Opcode::Sub, 0, infinite, twice));
        }
        let bit = decimal::is_of_class(fx, builtin, format, value);
        return truth(fx, bit);
    }
    if builtin == Builtin::IsSignaling {
        let value = expressions::scalar(fx, args[0]);
        return is_signaling(fx, value);
    }
    let s = subject(fx, args[0]);
    let inf = infinity(s.ty);
    let bit = match builtin {
        Builtin::IsNan => fx.fcmp(FloatCc::Uno, false, s.value, s.value),
        Builtin::IsInf => compare(fx, FloatCc::Oeq, s.magnitude, inf),
        Builtin::IsFinite => compare(fx, FloatCc::Olt, s.magnitude, inf),
        Builtin::IsNormal => {
            let finite = compare(fx, FloatCc::Olt, s.magnitude, inf);
            let normal = compare(fx, FloatCc::Oge, s.magnitude, least_normal(s.original));
            fx.int_op(Opcode::And, 0, finite, normal)
        }
        _ => {
            let sign = 1u128 << (s.ty.bits() - 1);
            let plus = compare(fx, FloatCc::Oeq, s.value, inf);
            let minus = compare(fx, FloatCc::Oeq, s.value, inf | sign);
            let (plus, minus) = (fx.int_cast(plus, Type::I32, false), fx.int_cast(minus, Type::I32, false));
            return Rvalue::Scalar(fx.int_op(Opcode::Sub, 0, plus, minus));
        }
    };
    truth(fx, bit)
}

/// The word that holds the sign, and the sign's position in it.
fn sign_word(fx: &mut Fx<'_, '_>, value: Value) -> (Value, u32) {
    match fx.ty(value) {
        Type::F16 => (fx.bitcast(value, Type::I16), 15),
        Type::F32 => (fx.bitcast(value, Type::I32), 31),
        Type::F64 => (fx.bitcast(value, Type::I64), 63),
        ty => {
            let slot = fx.temp(16, 16);
            fx.store(value, slot, AliasTags::any());
            let (at, position) = if ty == Type::F80 { (8, 15) } else { (14, 15) };
            (fx.load(Type::I16, slot.offset(at), AliasTags::any()), position)
        }
    }
}

fn sign_bit(fx: &mut Fx<'_, '_>, value: Value) -> Value {
    let (word, position) = sign_word(fx, value);
    let bit = fx.int_op_imm(Opcode::LShr, 0, word, position as i64);
    fx.int_cast(bit, Type::I32, false)
}

/// `fabs` and `copysign` of any floating type.
pub fn sign_operation(fx: &mut Fx<'_, '_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Rvalue {
    let value = expressions::scalar(fx, args[0]);
    let sign = if builtin == Builtin::Copysign { Some(expressions::scalar(fx, args[1])) } else { None };
    let ty = fx.ty(value);
    if ty != Type::F16 {
        return Rvalue::Scalar(match sign {
            Some(sign) => fx.b().binary(Opcode::CopySign, value, sign),
            None => fx.b().unary(Opcode::FAbs, ty, value),
        });
    }
    let bits = fx.bitcast(value, Type::I16);
    let mut bits = fx.int_op_imm(Opcode::And, 0, bits, i16::MAX as i64);
    if let Some(sign) = sign {
        let sign = fx.bitcast(sign, Type::I16);
        let sign = fx.int_op_imm(Opcode::And, 0, sign, i16::MIN as i64);
        bits = fx.int_op(Opcode::Or, 0, bits, sign);
    }
    Rvalue::Scalar(fx.bitcast(bits, Type::F16))
}

/// A NaN whose quiet bit is clear.
fn is_signaling(fx: &mut Fx<'_, '_>, value: Value) -> Rvalue {
    let (int, quiet) = match fx.ty(value) {
        Type::F16 => (Type::I16, 9),
        Type::F32 => (Type::I32, 22),
        Type::F64 => (Type::I64, 51),
        _ => {
            fx.not_supported("__builtin_issignaling on this type");
            return Rvalue::Scalar(fx.iconst(Type::I32, 0));
        }
    };
    // Exponent all ones, quiet bit clear, some other fraction bit set: between infinity and the
    // first quiet NaN.
    let inf = infinity(fx.ty(value));
    let bits = fx.bitcast(value, int);
    let magnitude = fx.func.bits_const(int, int.mask() >> 1);
    let bits = fx.int_op(Opcode::And, 0, bits, magnitude);
    let (low, high) = (fx.func.bits_const(int, inf), fx.func.bits_const(int, inf | 1 << quiet));
    let above = fx.icmp(IntCc::Ugt, bits, low);
    let below = fx.icmp(IntCc::Ult, bits, high);
    let both = fx.int_op(Opcode::And, 0, above, below);
    truth(fx, both)
}

/// `(nan, inf, normal, subnormal, zero, x)`.
fn fpclassify(fx: &mut Fx<'_, '_>, args: &[ExprRef<'_>]) -> Rvalue {
    let answers: Vec<Value> = args[..5].iter().map(|a| expressions::scalar(fx, a)).collect();
    if let Some(format) = fx.types().decimal_format(args[5].ty.ty()) {
        let value = expressions::scalar(fx, args[5]);
        return Rvalue::Scalar(decimal::fpclassify(fx, format, &answers, value));
    }
    let s = subject(fx, args[5]);
    let normal = compare(fx, FloatCc::Oge, s.magnitude, least_normal(s.original));
    let zero = compare(fx, FloatCc::Oeq, s.value, 0);
    let inf = compare(fx, FloatCc::Oeq, s.magnitude, infinity(s.ty));
    let nan = fx.fcmp(FloatCc::Uno, false, s.value, s.value);
    let mut result = fx.b().select(normal, answers[2], answers[3]);
    result = fx.b().select(zero, answers[4], result);
    result = fx.b().select(inf, answers[1], result);
    Rvalue::Scalar(fx.b().select(nan, answers[0], result))
}
