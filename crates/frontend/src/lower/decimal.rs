//! Operations on decimal floating values: calls of libgcc's functions for the binary integer
//! decimal encoding, as gcc makes them.
//!
//! Values are IR floating values of their size (see [`super::shapes::float_type`]), which is how
//! the psABI passes them. Names follow libgcc's modes: `sd`, `dd`, `td` for the decimal types,
//! `sf`, `df`, `xf`, `tf` for the binary ones, `si`, `di`, `ti` for integers.

use ir::{AliasTags, IntCc, Opcode, Type, Value};

use super::function::Fx;
use super::{calls, conditions};
use crate::tree::*;

fn mode(format: DecimalFormat) -> &'static str {
    match format {
        DecimalFormat::D32 => "sd",
        DecimalFormat::D64 => "dd",
        DecimalFormat::D128 => "td",
    }
}

/// libgcc's mode of a floating format with its place in the order by size; conversions up are
/// called extensions.
fn ranked_mode(format: FloatFormat) -> (&'static str, u32) {
    match format {
        FloatFormat::Half => ("hf", 16),
        FloatFormat::Single => ("sf", 32),
        FloatFormat::Double => ("df", 64),
        FloatFormat::X87 => ("xf", 80),
        FloatFormat::Quad => ("tf", 128),
        FloatFormat::Decimal(DecimalFormat::D32) => ("sd", 32),
        FloatFormat::Decimal(DecimalFormat::D64) => ("dd", 64),
        FloatFormat::Decimal(DecimalFormat::D128) => ("td", 128),
    }
}

/// `a op b`
pub fn arithmetic(fx: &mut Fx<'_, '_>, op: BinaryOp, format: DecimalFormat, a: Value, b: Value) -> Value {
    let name = match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        _ => base::bug!("operator {} on decimal operands", op.spelling()),
    };
    let ty = fx.ty(a);
    calls::library_value(fx, &format!("__bid_{name}{}3", mode(format)), &[a, b], ty)
}

/// `a op b` as an i1; `negated` asks for the opposite. Each function's result compares with 0 as
/// the operands do; with a NaN among them it is one for which the comparison does not hold.
pub fn compare(fx: &mut Fx<'_, '_>, op: BinaryOp, format: DecimalFormat, a: Value, b: Value, negated: bool) -> Value {
    let (name, cc) = match op {
        BinaryOp::Eq => ("eq", IntCc::Eq),
        BinaryOp::Ne => ("ne", IntCc::Ne),
        BinaryOp::Lt => ("lt", IntCc::Slt),
        BinaryOp::Le => ("le", IntCc::Sle),
        BinaryOp::Gt => ("gt", IntCc::Sgt),
        BinaryOp::Ge => ("ge", IntCc::Sge),
        _ => base::bug!("{} is no comparison", op.spelling()),
    };
    let order = order(fx, name, format, a, b);
    fx.icmp_imm(if negated { cc.inverse() } else { cc }, order, 0)
}

fn order(fx: &mut Fx<'_, '_>, name: &str, format: DecimalFormat, a: Value, b: Value) -> Value {
    // libgcc's type of comparison results is a machine word.
    calls::library_value(fx, &format!("__bid_{name}{}2", mode(format)), &[a, b], Type::I64)
}

/// Whether a value compares unequal to zero.
pub fn nonzero(fx: &mut Fx<'_, '_>, format: DecimalFormat, v: Value) -> Value {
    let zero = zero(fx, format);
    compare(fx, BinaryOp::Ne, format, v, zero, false)
}

/// The integer 0 as a decimal value.
fn zero(fx: &mut Fx<'_, '_>, format: DecimalFormat) -> Value {
    let format = FloatFormat::Decimal(format);
    fx.func.bits_const(super::shapes::float_type(format), crate::sema::constants::floats::small(0, format))
}

/// Whether one of the operands is a NaN.
pub fn unordered(fx: &mut Fx<'_, '_>, format: DecimalFormat, a: Value, b: Value) -> Value {
    let order = order(fx, "unord", format, a, b);
    fx.icmp_imm(IntCc::Ne, order, 0)
}

/// `a op b` of a relational operator, without an exception for quiet NaNs: they are not compared.
pub fn quiet_compare(fx: &mut Fx<'_, '_>, op: BinaryOp, format: DecimalFormat, a: Value, b: Value) -> Value {
    let result = fx.temp(1, 1);
    let no = fx.iconst(Type::I8, 0);
    fx.store(no, result, AliasTags::any());
    let unordered = unordered(fx, format, a, b);
    let (ordered, done) = (fx.new_block(), fx.new_block());
    fx.cond_br(unordered, done, ordered, ir::BranchHint::None);
    fx.start(ordered);
    let bit = compare(fx, op, format, a, b, false);
    let byte = fx.int_cast(bit, Type::I8, false);
    fx.store(byte, result, AliasTags::any());
    fx.flow_into(done);
    let byte = fx.load(Type::I8, result, AliasTags::any());
    fx.icmp_imm(IntCc::Ne, byte, 0)
}

/// A conversion between real types of which at least one is decimal.
pub fn convert(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: Ty, ty: Type) -> Value {
    let formats =
        (fx.types().float_kind(from).map(FloatKind::format), fx.types().float_kind(to).map(FloatKind::format));
    match formats {
        (Some(from), Some(to)) => floating(fx, v, from, to, ty),
        (Some(from), None) => to_int(fx, v, from, to, ty),
        (None, Some(to)) => from_int(fx, v, from, to, ty),
        (None, None) => v,
    }
}

fn floating(fx: &mut Fx<'_, '_>, v: Value, from: FloatFormat, to: FloatFormat, ty: Type) -> Value {
    if from == to {
        return v;
    }
    // libgcc knows nothing of binary16, whose values binary32 has.
    if from == FloatFormat::Half {
        let wide = fx.float_cast(v, Type::F32);
        return floating(fx, wide, FloatFormat::Single, to, ty);
    }
    if to == FloatFormat::Half {
        fx.not_supported("conversion of a decimal floating type to '_Float16'");
        return fx.zero(ty);
    }
    let ((source, a), (target, b)) = (ranked_mode(from), ranked_mode(to));
    let both = matches!((from, to), (FloatFormat::Decimal(_), FloatFormat::Decimal(_)));
    let extends = if matches!(to, FloatFormat::Decimal(_)) { a <= b } else { a < b };
    let (name, suffix) = (if extends { "extend" } else { "trunc" }, if both { "2" } else { "" });
    calls::library_value(fx, &format!("__bid_{name}{source}{target}{suffix}"), &[v], ty)
}

/// The integer mode in which values of a type are converted: `si`, `di` or `ti`.
fn int_mode(bits: u32) -> (&'static str, Type) {
    match bits {
        0..=32 => ("si", Type::I32),
        33..=64 => ("di", Type::I64),
        _ => ("ti", Type::I128),
    }
}

fn to_int(fx: &mut Fx<'_, '_>, v: Value, from: FloatFormat, to: Ty, ty: Type) -> Value {
    let signed = fx.types().is_signed(to) || ty.bits() < 32;
    let (name, wide) = int_mode(ty.bits());
    let function = format!("__bid_fix{}{}{name}", if signed { "" } else { "uns" }, ranked_mode(from).0);
    let value = library_int(fx, &function, v, wide);
    fx.int_cast(value, ty, false)
}

/// Calls a function with an integer result; one of 128 bits comes in two registers.
fn library_int(fx: &mut Fx<'_, '_>, name: &str, v: Value, ty: Type) -> Value {
    if ty != Type::I128 {
        return calls::library_value(fx, name, &[v], ty);
    }
    let halves = calls::library_call(fx, name, &[v], &[Type::I64, Type::I64]);
    let (low, high) = (fx.int_cast(halves[0], ty, false), fx.int_cast(halves[1], ty, false));
    let high = fx.int_op_imm(Opcode::Shl, 0, high, 64);
    fx.int_op(Opcode::Or, 0, low, high)
}

fn from_int(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: FloatFormat, ty: Type) -> Value {
    let signed = fx.types().is_signed(from);
    let bits = fx.ty(v).bits();
    // Never `si`: libgcc 12 makes a NaN of the least `int` there.
    let (name, wide) = int_mode(bits.max(64));
    let v = fx.int_cast(v, wide, signed);
    let function = format!("__bid_float{}{name}{}", if signed || bits < 64 { "" } else { "uns" }, ranked_mode(to).0);
    if wide != Type::I128 {
        return calls::library_value(fx, &function, &[v], ty);
    }
    let low = fx.int_cast(v, Type::I64, false);
    let high = fx.int_op_imm(Opcode::LShr, 0, v, 64);
    let high = fx.int_cast(high, Type::I64, false);
    calls::library_value(fx, &function, &[low, high], ty)
}

// ---- classification
// -------------------------------------------------------------------------------------------------

/// The byte that has the sign and the upper bits of the combination field, as an i32.
fn top_byte(fx: &mut Fx<'_, '_>, v: Value) -> Value {
    let (int, shift) = match fx.ty(v) {
        Type::F32 => (Type::I32, 24),
        Type::F64 => (Type::I64, 56),
        _ => {
            let slot = fx.temp(16, 16);
            fx.store(v, slot, AliasTags::any());
            let byte = fx.load(Type::I8, slot.offset(15), AliasTags::any());
            return fx.int_cast(byte, Type::I32, false);
        }
    };
    let bits = fx.bitcast(v, int);
    let byte = fx.int_op_imm(Opcode::LShr, 0, bits, shift);
    fx.int_cast(byte, Type::I32, false)
}

/// The combination field of a value: what infinities, NaNs and signalling NaNs are known by (IEEE
/// 754-2019 table 3.7).
const INFINITY: i64 = 0x78;
const NAN: i64 = 0x7c;
const SIGNALING: i64 = 0x7e;

fn has_field(fx: &mut Fx<'_, '_>, v: Value, mask: i64, field: i64, cc: IntCc) -> Value {
    let byte = top_byte(fx, v);
    let masked = fx.int_op_imm(Opcode::And, 0, byte, mask);
    fx.icmp_imm(cc, masked, field)
}

/// A classification builtin other than the sign's, as an i1.
pub fn is_of_class(fx: &mut Fx<'_, '_>, builtin: Builtin, format: DecimalFormat, v: Value) -> Value {
    match builtin {
        Builtin::IsNan => has_field(fx, v, NAN, NAN, IntCc::Eq),
        Builtin::IsSignaling => has_field(fx, v, SIGNALING, SIGNALING, IntCc::Eq),
        Builtin::IsInf => has_field(fx, v, NAN, INFINITY, IntCc::Eq),
        Builtin::IsFinite => has_field(fx, v, INFINITY, INFINITY, IntCc::Ne),
        _ => {
            let finite = has_field(fx, v, INFINITY, INFINITY, IntCc::Ne);
            let normal = at_least_normal(fx, format, v);
            fx.int_op(Opcode::And, 0, finite, normal)
        }
    }
}

fn at_least_normal(fx: &mut Fx<'_, '_>, format: DecimalFormat, v: Value) -> Value {
    let ty = fx.ty(v);
    let magnitude = fx.b().unary(Opcode::FAbs, ty, v);
    let least = fx.func.bits_const(ty, crate::sema::constants::decimal::least_normal(format));
    quiet_compare(fx, BinaryOp::Ge, format, magnitude, least)
}

/// `(nan, inf, normal, subnormal, zero)` by class.
pub fn fpclassify(fx: &mut Fx<'_, '_>, format: DecimalFormat, answers: &[Value], v: Value) -> Value {
    let normal = at_least_normal(fx, format, v);
    let zero = zero(fx, format);
    let zero = compare(fx, BinaryOp::Eq, format, v, zero, false);
    let infinite = is_of_class(fx, Builtin::IsInf, format, v);
    let nan = is_of_class(fx, Builtin::IsNan, format, v);
    let mut result = fx.b().select(normal, answers[2], answers[3]);
    for (bit, answer) in [(zero, answers[4]), (infinite, answers[1]), (nan, answers[0])] {
        result = fx.b().select(bit, answer, result);
    }
    result
}

/// `__builtin_isgreater` and its relatives, as an i1.
pub fn quiet(fx: &mut Fx<'_, '_>, cc: ir::FloatCc, format: DecimalFormat, a: Value, b: Value) -> Value {
    use ir::FloatCc;
    let op = match cc {
        FloatCc::Ogt => BinaryOp::Gt,
        FloatCc::Oge => BinaryOp::Ge,
        FloatCc::Olt => BinaryOp::Lt,
        FloatCc::Ole => BinaryOp::Le,
        FloatCc::One => {
            let equal = compare(fx, BinaryOp::Eq, format, a, b, false);
            let unordered = unordered(fx, format, a, b);
            let either = fx.int_op(Opcode::Or, 0, equal, unordered);
            return conditions::not(fx, either);
        }
        _ => return unordered(fx, format, a, b),
    };
    quiet_compare(fx, op, format, a, b)
}
