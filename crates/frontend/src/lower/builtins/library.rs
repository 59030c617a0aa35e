//! Library functions that are an IR operation. Everything else stays a call: always a correct
//! translation.

use ir::{BranchHint, FloatCc, IntCc, Intrinsic, Opcode, Type, Value, flags};
use platform::options::Sanitizers;

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::tree::*;

/// The translation of a call of a known function, if it has one here.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Option<Rvalue> {
    if args.iter().any(|a| crate::lower::va_pack::is_pack(a)) {
        return None;
    }
    match builtin {
        Builtin::Memcpy | Builtin::Memmove | Builtin::Mempcpy | Builtin::Memset | Builtin::Bzero => {
            block_operation(fx, e, builtin, args)
        }
        Builtin::Abs => absolute(fx, e, args),
        Builtin::Strlen => literal_length(fx, e, args),
        _ => float_operation(fx, e, builtin, args),
    }
}

fn is_pointer(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> bool {
    fx.types().is_pointer(e.ty.ty())
}

fn block_operation(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Option<Rvalue> {
    let (count, len) = if builtin == Builtin::Bzero { (2, 1) } else { (3, 2) };
    if args.len() != count || !is_pointer(fx, args[0]) || !fx.types().is_integer(args[len].ty.ty()) {
        return None;
    }
    // Without optimisation a call is as good as any expansion of an unknown length.
    if !fx.optimizing() && args[len].int_value().is_none() {
        return None;
    }
    if !is_checked_inline(fx, builtin, args[len].int_value()) {
        return None;
    }
    let copies = matches!(builtin, Builtin::Memcpy | Builtin::Memmove | Builtin::Mempcpy);
    if copies && !is_pointer(fx, args[1]) {
        return None;
    }
    let dst = expressions::scalar(fx, args[0]);
    let second = (len == 2).then(|| expressions::scalar(fx, args[1]));
    let signed = fx.types().is_signed(args[len].ty.ty());
    let bytes = expressions::scalar(fx, args[len]);
    let bytes = fx.int_cast(bytes, Type::I64, signed);
    if !fx.live {
        return Some(expressions::dummy(fx, e.ty.ty()));
    }
    let (opcode, source) = match second {
        Some(source) if copies => (if builtin == Builtin::Memmove { Opcode::MemMove } else { Opcode::MemCpy }, source),
        Some(byte) => (Opcode::MemSet, fx.int_cast(byte, Type::I8, false)),
        None => (Opcode::MemSet, fx.iconst(Type::I8, 0)),
    };
    if fx.const_int(bytes) != Some(0) {
        fx.b().mem_op(opcode, dst, source, bytes, 1, false);
    }
    Some(match builtin {
        Builtin::Bzero => Rvalue::Void,
        Builtin::Mempcpy => Rvalue::Scalar(fx.ptradd(dst, bytes)),
        _ => Rvalue::Scalar(dst),
    })
}

/// Whether the operation is one in spite of `-fsanitize=address`: its runtime checks calls of the
/// library's functions, and says which of them it was. What becomes one access is checked as such.
fn is_checked_inline(fx: &Fx<'_, '_>, builtin: Builtin, len: Option<i128>) -> bool {
    !crate::lower::sanitize::on(fx, Sanitizers::ANY_ADDRESS)
        || builtin == Builtin::Bzero
        || len.is_some_and(|len| matches!(len, 0 | 1 | 2 | 4 | 8 | 16))
}

fn absolute(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, args: &[ExprRef<'_>]) -> Option<Rvalue> {
    let [arg] = args else { return None };
    if !fx.types().is_integer(arg.ty.ty()) || fx.options.codegen.trapv {
        return None;
    }
    if fx.scalar_type(arg.ty.ty()) != fx.scalar_type(e.ty.ty()) {
        return None;
    }
    let value = expressions::scalar(fx, arg);
    let flags = if fx.options.codegen.wrapv { 0 } else { flags::NSW };
    let negated = fx.int_neg(value, flags);
    let negative = fx.icmp_imm(IntCc::Slt, value, 0);
    Some(Rvalue::Scalar(fx.b().select(negative, negated, value)))
}

/// `strlen("literal")`.
fn literal_length(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, args: &[ExprRef<'_>]) -> Option<Rvalue> {
    let [arg] = args else { return None };
    let mut arg = *arg;
    while let ExprKind::Cast { operand, .. } = arg.kind {
        arg = operand;
    }
    let ExprKind::String(literal) = arg.kind else { return None };
    if literal.elem_size != 1 {
        return None;
    }
    let len = literal.bytes.iter().position(|&b| b == 0)?;
    let to = fx.scalar_type(e.ty.ty());
    Some(Rvalue::Scalar(fx.iconst(to, len as i64)))
}

/// Floating functions with an instruction, on operands of the function's own type.
fn float_operation(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, builtin: Builtin, args: &[ExprRef<'_>]) -> Option<Rvalue> {
    let ty = fx.scalar_type(e.ty.ty());
    let same = args.iter().all(|a| fx.scalar_type(a.ty.ty()) == ty);
    if !same || !matches!(ty, Type::F32 | Type::F64 | Type::F80 | Type::F128 | Type::F16) {
        return None;
    }
    let native = matches!(ty, Type::F32 | Type::F64 | Type::F80);
    let features = fx.options.codegen.features;
    let rounds = matches!(ty, Type::F32 | Type::F64) && features.has(platform::options::X86Features::SSE4_1);
    let unary = |fx: &mut Fx<'_, '_>, opcode| {
        let value = expressions::scalar(fx, args[0]);
        fx.b().unary(opcode, ty, value)
    };
    let rounding = |fx: &mut Fx<'_, '_>, which| {
        let value = expressions::scalar(fx, args[0]);
        expressions::intrinsic(fx, which, ty, &[value])
    };
    let value: Value = match (builtin, args.len()) {
        (Builtin::Fabs, 1) | (Builtin::Copysign, 2) => return Some(super::floats::sign_operation(fx, builtin, args)),
        (Builtin::Sqrt, 1) if native && !fx.options.codegen.float.math_errno => unary(fx, Opcode::Sqrt),
        (Builtin::Sqrt, 1) if native && fx.optimizing() => square_root(fx, ty, args[0]),
        (Builtin::Fma, 3)
            if matches!(ty, Type::F32 | Type::F64) && features.has(platform::options::X86Features::FMA) =>
        {
            let v: Vec<Value> = args.iter().map(|a| expressions::scalar(fx, a)).collect();
            fx.b().ternary(Opcode::Fma, 0, v[0], v[1], v[2])
        }
        (_, 1) if !rounds && super::rounding::is_expanded(fx, builtin, ty) => {
            let value = expressions::scalar(fx, args[0]);
            super::rounding::rounded(fx, builtin, ty, value)
        }
        (Builtin::Floor, 1) if rounds => rounding(fx, Intrinsic::Floor),
        (Builtin::Ceil, 1) if rounds => rounding(fx, Intrinsic::Ceil),
        (Builtin::Trunc, 1) if rounds => rounding(fx, Intrinsic::TruncF),
        (Builtin::Rint, 1) if rounds => rounding(fx, Intrinsic::Rint),
        _ => return None,
    };
    Some(Rvalue::Scalar(value))
}

/// The instruction, and for negative operands the library's function besides, which sets `errno`.
/// Both give the same NaN.
fn square_root(fx: &mut Fx<'_, '_>, ty: Type, arg: ExprRef<'_>) -> Value {
    let name = match ty {
        Type::F32 => "sqrtf",
        Type::F64 => "sqrt",
        _ => "sqrtl",
    };
    let value = expressions::scalar(fx, arg);
    let root = fx.b().unary(Opcode::Sqrt, ty, value);
    let zero = fx.func.bits_const(ty, 0);
    let negative = fx.fcmp(FloatCc::Olt, false, value, zero);
    let (call, done) = (fx.new_block(), fx.new_block());
    fx.cond_br(negative, call, done, BranchHint::Unlikely);
    fx.start(call);
    crate::lower::calls::library_call(fx, name, &[value], &[ty]);
    fx.flow_into(done);
    root
}
