//! Comparisons of floats; comparisons of choices; minima and maxima of widened values.

use ir::{FloatCc, Inst, InstView, IntCc, Opcode, Type, Value, fold};

use super::{Combiner, Rewrite};
use ir::analysis::facts::{Relation, is_within};

/// `fcmp`.
pub(super) fn visit_floats(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.ty.is_vector() {
        return None;
    }
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    if cx.func.is_constant(a) && !cx.func.is_constant(b) {
        let (cc, signaling) = (data.float_cc().swapped(), data.is_signaling());
        return cx.become_view(inst, InstView::FCmp { cc, signaling, a: b, b: a });
    }
    float_with_constant(cx, inst, a, b).or_else(|| narrow_float(cx, inst, a, b))
}

/// `long double` values that were widened from `float` or `double` are compared as such.
fn narrow_float(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    if cx.ty(a) != Type::F80 {
        return None;
    }
    let source = |value| cx.unary(value, Opcode::FpExt).filter(|&v| matches!(cx.ty(v), Type::F32 | Type::F64));
    let (x, y) = (source(a), source(b));
    let ty = match (x.map(|v| cx.ty(v)), y.map(|v| cx.ty(v))) {
        (Some(p), Some(q)) if p == q => p,
        (Some(_), Some(_)) => Type::F64,
        (Some(Type::F32), None) if fold::exactly_narrowed(cx.bits(b)?, Type::F32).is_some() => Type::F32,
        (Some(_), None) => Type::F64,
        // A constant is on the right.
        _ => return None,
    };
    let x = widened(cx, inst, x?, ty);
    let y = match y {
        Some(y) => widened(cx, inst, y, ty),
        None => {
            let bits = fold::exactly_narrowed(cx.bits(b)?, ty)?;
            cx.func.bits_const(ty, bits)
        }
    };
    let data = cx.func.insts[inst];
    cx.become_view(inst, InstView::FCmp { cc: data.float_cc(), signaling: data.is_signaling(), a: x, b: y })
}

fn widened(cx: &mut Combiner<'_>, before: Inst, value: Value, ty: Type) -> Value {
    if cx.ty(value) == ty { value } else { cx.builder(before).unary(Opcode::FpExt, ty, value) }
}

/// Comparisons with NaN, beyond infinity, and of a magnitude with 0. Those that raise "invalid"
/// stay, unless nobody asks.
fn float_with_constant(cx: &mut Combiner<'_>, inst: Inst, a: Value, b: Value) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    let cc = data.float_cc();
    let silent = !data.is_signaling() || !cx.options.codegen.float.trapping_math;
    let ty = cx.ty(b);
    let c = cx.bits(b)?;
    let value = match ty {
        Type::F32 => f32::from_bits(c as u32) as f64,
        Type::F64 => f64::from_bits(c as u64),
        _ => return None,
    };
    let known = match cc {
        _ if value.is_nan() && silent && !cx.options.codegen.float.signaling_nans => {
            Relation::of_floats(cc).may_be_unordered()
        }
        FloatCc::Ogt if value == f64::INFINITY && silent => false,
        FloatCc::Olt if value == f64::NEG_INFINITY && silent => false,
        // As gcc does: false for NaN as well.
        FloatCc::Olt if value == 0.0 && cx.unary(a, Opcode::FAbs).is_some() => false,
        _ => return None,
    };
    Some(Rewrite::Value(cx.func.iconst(Type::I1, known as i64)))
}

/// Choices inside each other that a comparison is looked for in.
const MAX_CHOICES: u32 = 3;

/// `(cond1 ? k1 : cond2 ? k2 : k3) < c`, as comparison functions return it, is a join of the
/// conditions.
pub(super) fn choice_of_constants(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    if let Some(known) = known_outcome(cx, cc, a, c) {
        return Some(Rewrite::Value(cx.func.iconst(Type::I1, known as i64)));
    }
    cx.def(a, Opcode::Select)?;
    chooses_known(cx, a, (cc, c), MAX_CHOICES).then(|| Rewrite::Value(compare_chosen(cx, inst, cc, a, c)))
}

/// Whether a value is one of which the comparison's outcome is known, a widened truth value or a
/// choice among such that nobody else sees.
fn chooses_known(cx: &Combiner<'_>, value: Value, (cc, c): (IntCc, u128), depth: u32) -> bool {
    let is_known = |value: Value| known_outcome(cx, cc, value, c).is_some();
    if is_known(value) || widened_truth(cx, value).is_some() {
        return true;
    }
    let Some((select, _)) = cx.def(value, Opcode::Select).filter(|_| depth > 0) else { return false };
    let (x, y) = (cx.func.operand(select, 1), cx.func.operand(select, 2));
    // One condition decides it, whoever else sees the choice.
    cx.ty(cx.func.operand(select, 0)) == Type::I1
        && (is_known(x) && is_known(y) || cx.one_use(value) && (is_known(x) || is_known(y)))
        && chooses_known(cx, x, (cc, c), depth - 1)
        && chooses_known(cx, y, (cc, c), depth - 1)
}

/// What a comparison with a constant gives: of another constant, or of a member's address with
/// null.
fn known_outcome(cx: &Combiner<'_>, cc: IntCc, value: Value, c: u128) -> Option<bool> {
    if let Some(k) = cx.bits(value) {
        return Some(cc.eval(k, c, cx.ty(value).bits()));
    }
    let member = matches!(cc, IntCc::Eq | IntCc::Ne)
        && c == 0
        && cx.options.codegen.delete_null_pointer_checks
        && is_within(cx.func, cx.func.def_inst(value)?);
    member.then_some(cc == IntCc::Ne)
}

/// The truth value that a value is the number of, and that number where it is true.
fn widened_truth(cx: &Combiner<'_>, value: Value) -> Option<(Value, u128)> {
    let widened = |opcode: Opcode| cx.unary(value, opcode).filter(|&x| cx.ty(x) == Type::I1);
    let signed = || widened(Opcode::SExt).map(|x| (x, cx.ty(value).mask()));
    widened(Opcode::ZExt).map(|x| (x, 1)).or_else(signed)
}

/// The outcome of comparing such a value.
fn compare_chosen(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, value: Value, c: u128) -> Value {
    let bits = cx.ty(value).bits();
    let outcome = |cx: &mut Combiner<'_>, k: u128| cx.func.iconst(Type::I1, cc.eval(k, c, bits) as i64);
    if let Some(known) = known_outcome(cx, cc, value, c) {
        return cx.func.iconst(Type::I1, known as i64);
    }
    let (cond, x, y) = match widened_truth(cx, value) {
        Some((cond, number)) => (cond, outcome(cx, number), outcome(cx, 0)),
        None => {
            let select = cx.func.def_inst(value).expect("a select");
            let (x, y) = (cx.func.operand(select, 1), cx.func.operand(select, 2));
            let cond = cx.func.operand(select, 0);
            (cond, compare_chosen(cx, inst, cc, x, c), compare_chosen(cx, inst, cc, y, c))
        }
    };
    let one = cx.func.iconst(Type::I1, 1);
    match (cx.bits(x), cx.bits(y)) {
        (Some(p), Some(q)) if p == q => x,
        (Some(1), Some(_)) => cond,
        (Some(_), Some(_)) => cx.builder(inst).binary(Opcode::Xor, cond, one),
        (Some(1), None) => cx.builder(inst).binary(Opcode::Or, cond, y),
        (None, Some(0)) => cx.builder(inst).binary(Opcode::And, cond, x),
        (known, _) => {
            let inverse = cx.builder(inst).binary(Opcode::Xor, cond, one);
            let (opcode, other) = if known.is_some() { (Opcode::And, y) } else { (Opcode::Or, x) };
            cx.builder(inst).binary(opcode, inverse, other)
        }
    }
}

/// `x < y ? a : b` where `a` and `b` are `x` and `y` widened, or `y` and `x`.
pub(super) fn min_or_max(
    cx: &mut Combiner<'_>,
    inst: Inst,
    cc: IntCc,
    x: Value,
    y: Value,
    a: Value,
    b: Value,
) -> Option<Rewrite> {
    let cc = if extends(cx, a, x, cc) && extends(cx, b, y, cc) {
        cc
    } else if extends(cx, a, y, cc) && extends(cx, b, x, cc) {
        cc.swapped()
    } else {
        return None;
    };
    let opcode = match cc {
        IntCc::Slt | IntCc::Sle => Opcode::SMin,
        IntCc::Sgt | IntCc::Sge => Opcode::SMax,
        IntCc::Ult | IntCc::Ule => Opcode::UMin,
        IntCc::Ugt | IntCc::Uge => Opcode::UMax,
        IntCc::Eq | IntCc::Ne => return None,
    };
    cx.become_binary(inst, opcode, 0, a, b)
}

/// Whether `wide` is `narrow` extended so that its order under the comparison stays the same.
fn extends(cx: &Combiner<'_>, wide: Value, narrow: Value, cc: IntCc) -> bool {
    let (to, from) = (cx.ty(wide), cx.ty(narrow));
    if to.is_vector() || !from.is_int() || from.bits() >= to.bits() {
        return false;
    }
    if cc.is_signed() {
        return cx.unary(wide, Opcode::SExt) == Some(narrow);
    }
    let whole = |value: Value| cx.unary(narrow, Opcode::Trunc) == Some(value);
    cx.unary(wide, Opcode::ZExt) == Some(narrow)
        || cx.binary_const(wide, Opcode::And).is_some_and(|(value, mask)| mask == from.mask() && whole(value))
        || whole(wide) && cx.known(wide).zero & !from.mask() == to.mask() & !from.mask()
}
