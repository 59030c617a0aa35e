//! `floor`, `ceil`, `trunc` and `rint` where no instruction does them (before SSE4.1), as gcc has
//! them: through an integer, and by adding what leaves no room for a fraction. What is too large to
//! have a fraction, infinities and NaN are their own results.

use ir::{AliasTags, BranchHint, FloatCc, Opcode, Type, Value, fold};

use crate::lower::function::Fx;
use crate::tree::Builtin;

/// Whether a function is done here: it may raise "inexact" then, which C leaves open (C17 F.10.6).
pub fn is_expanded(fx: &Fx<'_, '_>, builtin: Builtin, ty: Type) -> bool {
    let (codegen, float) = (&fx.options.codegen, &fx.options.codegen.float);
    let known = match builtin {
        Builtin::Floor | Builtin::Ceil | Builtin::Trunc => float.int_builtin_inexact || !float.trapping_math,
        Builtin::Rint => true,
        _ => false,
    };
    known
        && matches!(ty, Type::F32 | Type::F64)
        && fx.optimizing()
        && !fx.options.optimize_size
        && !float.signaling_nans
        && codegen.features.has_sse()
}

/// What the function gives for a value.
pub fn rounded(fx: &mut Fx<'_, '_>, builtin: Builtin, ty: Type, value: Value) -> Value {
    // The smallest number from which on all are whole.
    let (limit, integer) =
        if ty == Type::F32 { (8_388_608.0, Type::I32) } else { (4_503_599_627_370_496.0, Type::I64) };
    let [limit, one, zero] = [limit, 1.0, 0.0].map(|number| fx.func.bits_const(ty, fold::float_bits(ty, number)));
    let size = u64::from(ty.store_size());
    let place = fx.temp(size, size as u32);
    fx.store(value, place, AliasTags::any());
    let magnitude = fx.b().unary(Opcode::FAbs, ty, value);
    let may_have_fraction = fx.fcmp(FloatCc::Olt, false, magnitude, limit);
    let (round, done) = (fx.new_block(), fx.new_block());
    fx.cond_br(may_have_fraction, round, done, BranchHint::Likely);
    fx.start(round);
    let whole = if builtin == Builtin::Rint {
        let limit = fx.b().binary(Opcode::CopySign, limit, value);
        let sum = fx.b().binary(Opcode::FAdd, value, limit);
        fx.b().binary(Opcode::FSub, sum, limit)
    } else {
        let integer = fx.b().unary(Opcode::FpToSi, integer, value);
        fx.b().unary(Opcode::SiToFp, ty, integer)
    };
    // Conversion goes towards zero.
    let step = match builtin {
        Builtin::Floor => Some((FloatCc::Ogt, Opcode::FSub)),
        Builtin::Ceil => Some((FloatCc::Olt, Opcode::FAdd)),
        _ => None,
    };
    let whole = step.map_or(whole, |(cc, opcode)| {
        let is_beyond = fx.fcmp(cc, true, whole, value);
        let step = fx.b().select(is_beyond, one, zero);
        fx.b().binary(opcode, whole, step)
    });
    // Zero has the sign of what it was made of.
    let result = fx.b().binary(Opcode::CopySign, whole, value);
    fx.store(result, place, AliasTags::any());
    fx.br(done);
    fx.start(done);
    fx.load(ty, place, AliasTags::any())
}
