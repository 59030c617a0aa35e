//! Floating-point rules: those that are exact for every input, NaN and signed zero included, in
//! every rounding mode the options allow; and those that an operation's flags allow besides
//! (`-ffast-math` and its parts).

use ir::{Inst, InstView, Opcode, Type, Value, flags, fold};

use super::{Combiner, Rewrite};

/// Applies the rules of this file.
pub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.ty != Type::F32 && data.ty != Type::F64 {
        return None;
    }
    let a = cx.func.operand(inst, 0);
    match data.opcode {
        Opcode::FNeg => cx.unary(a, Opcode::FNeg).map(Rewrite::Value),
        Opcode::FpTrunc => narrow_arithmetic(cx, inst, a).or_else(|| unextended(cx, inst, a)),
        opcode => {
            let b = cx.func.operand(inst, 1);
            if opcode.is_commutative() && cx.func.constant(a).is_some() && cx.func.constant(b).is_none() {
                return cx.become_binary(inst, opcode, data.flags(), b, a);
            }
            match cx.bits(b) {
                Some(c) => with_constant(cx, inst, a, b, c).or_else(|| regrouped(cx, inst, a, c)),
                None => with_itself(cx, inst, a, b).or_else(|| with_negated(cx, inst, a, b)),
            }
        }
    }
}

fn with_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value, c: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let one = fold::float_bits(data.ty, 1.0);
    let minus_zero = 1u128 << (data.ty.bits() - 1);
    let neutral = if data.opcode == Opcode::FAdd { minus_zero } else { 0 };
    let signaling = cx.options.codegen.float.signaling_nans;
    match data.opcode {
        Opcode::FMul | Opcode::FDiv if c == one && !signaling => Some(Rewrite::Value(a)),
        Opcode::FAdd | Opcode::FSub if c == neutral && !signaling && !cx.options.codegen.float.rounding_math => {
            Some(Rewrite::Value(a))
        }
        Opcode::FAdd | Opcode::FSub if c & !minus_zero == 0 && data.has(flags::NO_SIGNED_ZERO) => {
            Some(Rewrite::Value(a))
        }
        Opcode::FAdd if c == 0 && never_minus_zero(cx, a) => Some(Rewrite::Value(a)),
        Opcode::FMul if c & !minus_zero == 0 && data.has(flags::NO_SIGNED_ZERO) && data.has(flags::FINITE) => {
            Some(Rewrite::Value(b))
        }
        Opcode::FDiv => {
            let rounded = cx.options.codegen.float.reciprocal.then(|| fold::binary(Opcode::FDiv, data.ty, one, c));
            let reciprocal =
                exact_reciprocal(data.ty, c).or_else(|| rounded.flatten().filter(|&r| is_normal(data.ty, r)))?;
            let reciprocal = cx.constant(b, reciprocal);
            cx.become_binary(inst, Opcode::FMul, data.flags(), a, reciprocal)
        }
        _ => None,
    }
}

/// Whether a result is neither -0 nor a signaling NaN: squares and converted integers.
fn never_minus_zero(cx: &Combiner<'_>, value: Value) -> bool {
    let Some(def) = cx.func.def_inst(value) else { return false };
    match cx.func.insts[def].opcode {
        Opcode::FMul => cx.func.operand(def, 0) == cx.func.operand(def, 1),
        Opcode::SiToFp | Opcode::UiToFp => true,
        _ => false,
    }
}

/// `x - x` is 0 and `x / x` is 1 for all that is finite and, of the quotient, not zero (which would
/// be a NaN).
fn with_itself(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if a != b || !data.has(flags::FINITE) {
        return None;
    }
    let result = match data.opcode {
        Opcode::FSub => 0,
        Opcode::FDiv => fold::float_bits(data.ty, 1.0),
        _ => return None,
    };
    Some(Rewrite::Value(cx.constant(a, result)))
}

/// A negated summand is subtracted, what is subtracted negated is added.
fn with_negated(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let (opcode, x, y) = match (data.opcode, cx.unary(b, Opcode::FNeg)) {
        (Opcode::FAdd, Some(y)) => (Opcode::FSub, a, y),
        (Opcode::FAdd, None) => (Opcode::FSub, b, cx.unary(a, Opcode::FNeg)?),
        (Opcode::FSub, Some(y)) => (Opcode::FAdd, a, y),
        _ => return None,
    };
    cx.become_binary(inst, opcode, data.flags(), x, y)
}

/// `(x op c1) op c2` is `x op (c1 op c2)` where both may be regrouped.
fn regrouped(cx: &mut Combiner<'_>, inst: Inst, a: Value, c: u128) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if !matches!(data.opcode, Opcode::FAdd | Opcode::FMul) || !data.has(flags::REASSOC) {
        return None;
    }
    let (inner, inner_data) = cx.def(a, data.opcode)?;
    if !inner_data.has(flags::REASSOC) || !cx.one_use(a) {
        return None;
    }
    let (x, other) = (cx.func.operand(inner, 0), cx.bits(cx.func.operand(inner, 1))?);
    let both = fold::binary(data.opcode, data.ty, other, c).filter(|&bits| is_normal(data.ty, bits))?;
    let both = cx.constant(a, both);
    cx.become_binary(inst, data.opcode, data.flags() & inner_data.flags(), x, both)
}

fn is_normal(ty: Type, bits: u128) -> bool {
    if ty == Type::F64 { f64::from_bits(bits as u64).is_normal() } else { f32::from_bits(bits as u32).is_normal() }
}

/// 1/c if c is a power of two whose reciprocal is normal.
fn exact_reciprocal(ty: Type, c: u128) -> Option<u128> {
    let (inverse, fraction_bits) = match ty {
        Type::F64 => (u128::from((1.0 / f64::from_bits(c as u64)).to_bits()), 52),
        _ => (u128::from((1.0 / f32::from_bits(c as u32)).to_bits()), 23),
    };
    let is_power = c & ((1 << fraction_bits) - 1) == 0;
    (is_power && is_normal(ty, c) && is_normal(ty, inverse)).then_some(inverse)
}

/// A value made wider and narrow again.
fn unextended(cx: &mut Combiner<'_>, inst: Inst, a: Value) -> Option<Rewrite> {
    let x = cx.unary(a, Opcode::FpExt)?;
    let (from, to) = (cx.ty(x), cx.func.insts[inst].ty);
    if cx.options.codegen.float.signaling_nans || !matches!(from, Type::F32 | Type::F64) {
        return None;
    }
    let opcode = match (from, to) {
        _ if from == to => return Some(Rewrite::Value(x)),
        (Type::F64, _) => Opcode::FpTrunc,
        _ => Opcode::FpExt,
    };
    let flags = cx.func.insts[inst].flags();
    cx.func.replace_with(inst, InstView::Unary { op: opcode, a: x, flags });
    Some(Rewrite::InPlace)
}

/// `(float)((double)x op (double)y)` is `x op y` in float for +, -, *, /: the double has more than
/// twice the digits, so rounding twice gives the same (Figueroa, "When is double rounding
/// innocuous?", 1995). So has a `long double`, but not more than twice those of a double.
fn narrow_arithmetic(cx: &mut Combiner<'_>, inst: Inst, a: Value) -> Option<Rewrite> {
    if cx.func.insts[inst].ty != Type::F32 || !matches!(cx.ty(a), Type::F64 | Type::F80) || !cx.one_use(a) {
        return None;
    }
    let def = cx.func.def_inst(a)?;
    let data = cx.func.insts[def];
    if !matches!(data.opcode, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv) {
        return None;
    }
    let x = as_float(cx, cx.func.operand(def, 0))?;
    let y = as_float(cx, cx.func.operand(def, 1))?;
    cx.become_binary(inst, data.opcode, data.flags(), x, y)
}

/// The float that a double or `long double` was widened from, also for constants that are exact in
/// float.
fn as_float(cx: &mut Combiner<'_>, value: Value) -> Option<Value> {
    if let Some(bits) = cx.bits(value).filter(|_| cx.ty(value) == Type::F80) {
        let float = fold::exactly_narrowed(bits, Type::F32)?;
        return Some(cx.func.bits_const(Type::F32, float));
    }
    if let Some(bits) = cx.bits(value) {
        let double = f64::from_bits(bits as u64);
        let float = double as f32;
        let exact = !double.is_nan() && float as f64 == double;
        return exact.then(|| cx.func.bits_const(Type::F32, float.to_bits() as u128));
    }
    let x = cx.unary(value, Opcode::FpExt)?;
    (cx.ty(x) == Type::F32).then_some(x)
}
