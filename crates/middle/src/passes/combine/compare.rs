//! Comparisons, selects and branch conditions.

use ir::{FloatCc, Inst, InstView, IntCc, Opcode, Type, Value, fold};

use super::{Combiner, Rewrite, booleans, compare_sums};
use crate::analysis::facts::Relation;

/// `icmp` and `fcmp`.
pub(super) fn visit_compare(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let data = cx.func.insts[inst];
    if data.ty.is_vector() {
        return None;
    }
    let (a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1));
    let swap = cx.func.constant(a).is_some() && cx.func.constant(b).is_none();
    if data.opcode == Opcode::FCmp {
        if swap {
            let (cc, signaling) = (data.float_cc().swapped(), data.is_signaling());
            return cx.become_view(inst, InstView::FCmp { cc, signaling, a: b, b: a });
        }
        return float_with_constant(cx, inst, a, b).or_else(|| narrow_float(cx, inst, a, b));
    }
    let cc = data.int_cc();
    if swap {
        return cx.become_icmp(inst, cc.swapped(), b, a);
    }
    if a == b {
        let holds = matches!(cc, IntCc::Eq | IntCc::Sle | IntCc::Sge | IntCc::Ule | IntCc::Uge);
        return Some(Rewrite::Value(cx.func.iconst(Type::I1, holds as i64)));
    }
    match cx.bits(b) {
        Some(c) => with_constant(cx, inst, cc, a, c),
        None => between_values(cx, inst, cc, a, b),
    }
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

fn with_constant(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    let ty = cx.ty(a);
    if ty == Type::I1 {
        return on_bool(cx, inst, cc, a, c);
    }
    if let Some(rewrite) = at_the_edge(cx, inst, cc, a, c) {
        return Some(rewrite);
    }
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    // A widened boolean or narrower integer against a constant.
    if let Some(x) = cx.unary(a, Opcode::ZExt) {
        let narrow = cx.ty(x);
        if c <= narrow.mask() && (equality || !cc.is_signed()) {
            let c = cx.func.bits_const(narrow, c);
            return cx.become_icmp(inst, cc, x, c);
        }
        if c > narrow.mask() && equality {
            return Some(Rewrite::Value(cx.func.iconst(Type::I1, (cc == IntCc::Ne) as i64)));
        }
        if cc.is_signed() && ir::fold::sign_extend(ty, c) >= 0 && c <= narrow.mask() {
            let unsigned = unsigned_counterpart(cc);
            let c = cx.func.bits_const(narrow, c);
            return cx.become_icmp(inst, unsigned, x, c);
        }
        if cc.is_signed() && ir::fold::sign_extend(ty, c) < 0 {
            let holds = matches!(cc, IntCc::Sgt | IntCc::Sge);
            return Some(Rewrite::Value(cx.func.iconst(Type::I1, holds as i64)));
        }
    }
    if let Some(x) = cx.unary(a, Opcode::SExt)
        && (equality || cc.is_signed())
    {
        let narrow = cx.ty(x);
        let value = ir::fold::sign_extend(ty, c);
        if ir::fold::sign_extend(narrow, c & narrow.mask()) == value {
            let c = cx.func.bits_const(narrow, c);
            return cx.become_icmp(inst, cc, x, c);
        }
    }
    if !equality {
        return choice_of_constants(cx, inst, cc, a, c).or_else(|| compare_sums::with_constant(cx, inst, cc, a, c));
    }
    // The only bit that may be set is, if the value is not zero: what sets it has set the flags.
    if c.is_power_of_two() && ty.is_int() && cx.known(a).zero | c == ty.mask() {
        let zero = cx.constant(a, 0);
        return cx.become_icmp(inst, cc.inverse(), a, zero);
    }
    // x + k == c, x ^ k == c, x - y == 0, ptrtoint
    for opcode in [Opcode::Add, Opcode::Xor] {
        // A sum that lives on anyway is compared as it is: its x would have to live on too.
        if let Some((x, k)) = cx.binary_const(a, opcode)
            && cx.one_use(a)
        {
            let moved = if opcode == Opcode::Add { c.wrapping_sub(k) } else { c ^ k };
            let moved = cx.constant(a, moved);
            return cx.become_icmp(inst, cc, x, moved);
        }
    }
    if c == 0 {
        for opcode in [Opcode::Sub, Opcode::Xor] {
            if let Some((x, y)) = cx.binary(a, opcode)
                && cx.one_use(a)
            {
                return cx.become_icmp(inst, cc, x, y);
            }
        }
        if let Some(p) = cx.unary(a, Opcode::PtrToInt) {
            let null = cx.func.iconst(Type::PTR, 0);
            return cx.become_icmp(inst, cc, p, null);
        }
    }
    choice_of_constants(cx, inst, cc, a, c)
}

/// Choices inside each other that a comparison is looked for in.
const MAX_CHOICES: u32 = 3;

/// `(cond ? k1 : k2) < c` with constants is `cond`, its negation, or known; `(cond1 ? k1 : cond2 ?
/// k2 : k3) < c` and `(cond1 - cond2) < c`, as comparison functions return them, are joins of two
/// conditions.
fn choice_of_constants(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    if let Some((x, y)) = booleans::difference(cx, a).filter(|_| cx.one_use(a)) {
        return compare_difference(cx, inst, cc, (x, y), cx.ty(a), c);
    }
    cx.def(a, Opcode::Select)?;
    chooses_constants(cx, a, MAX_CHOICES).then(|| Rewrite::Value(compare_chosen(cx, inst, cc, a, c)))
}

/// `(x ? 1 : 0) - (y ? 1 : 0)` compared: what it is for the four pairs of truth values says which
/// join of them it is.
fn compare_difference(
    cx: &mut Combiner<'_>,
    inst: Inst,
    cc: IntCc,
    (x, y): (Value, Value),
    ty: Type,
    c: u128,
) -> Option<Rewrite> {
    let holds = |difference: i128| cc.eval(difference as u128 & ty.mask(), c, ty.bits());
    let one = cx.func.iconst(Type::I1, 1);
    let (opcode, inverted, other) = match (holds(-1), holds(0), holds(1)) {
        (true, false, false) => (Opcode::And, x, y),
        (false, false, true) => (Opcode::And, y, x),
        (false, true, true) => (Opcode::Or, y, x),
        (true, true, false) => (Opcode::Or, x, y),
        (true, false, true) => return cx.become_binary(inst, Opcode::Xor, 0, x, y),
        (false, true, false) => (Opcode::Xor, x, y),
        (all, _, _) => return Some(Rewrite::Value(cx.func.iconst(Type::I1, all as i64))),
    };
    let inverse = cx.builder(inst).binary(Opcode::Xor, inverted, one);
    cx.become_binary(inst, opcode, 0, inverse, other)
}

/// Whether a value is a constant, a widened truth value or a choice among such that nobody else
/// sees.
fn chooses_constants(cx: &Combiner<'_>, value: Value, depth: u32) -> bool {
    if cx.bits(value).is_some() || widened_truth(cx, value).is_some() {
        return true;
    }
    let Some((select, _)) = cx.def(value, Opcode::Select).filter(|_| depth > 0) else { return false };
    let (x, y) = (cx.func.operand(select, 1), cx.func.operand(select, 2));
    // One condition decides it, whoever else sees the choice.
    let simple = cx.bits(x).is_some() && cx.bits(y).is_some();
    cx.ty(cx.func.operand(select, 0)) == Type::I1
        && (simple || cx.one_use(value) && (cx.bits(x).is_some() || cx.bits(y).is_some()))
        && chooses_constants(cx, x, depth - 1)
        && chooses_constants(cx, y, depth - 1)
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
    if let Some(k) = cx.bits(value) {
        return outcome(cx, k);
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

/// Comparison of an i1 with 0 or 1: the value or its negation.
fn on_bool(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    match (cc.eval(0, c, 1), cc.eval(1, c, 1)) {
        (false, true) => Some(Rewrite::Value(a)),
        (true, false) => {
            let one = cx.func.iconst(Type::I1, 1);
            cx.become_binary(inst, Opcode::Xor, 0, a, one)
        }
        (both, _) => Some(Rewrite::Value(cx.func.iconst(Type::I1, both as i64))),
    }
}

/// Comparisons with the ends of the range, and `<=`/`>=` as `<`/`>`.
fn at_the_edge(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    let ty = cx.ty(a);
    let ones = ty.mask();
    let (min, max) = (1u128 << (ty.bits() - 1), ones >> 1);
    let known = match (cc, c) {
        (IntCc::Ult, 0) => Some(false),
        (IntCc::Uge, 0) => Some(true),
        (IntCc::Ugt, c) if c == ones => Some(false),
        (IntCc::Ule, c) if c == ones => Some(true),
        (IntCc::Slt, c) if c == min => Some(false),
        (IntCc::Sge, c) if c == min => Some(true),
        (IntCc::Sgt, c) if c == max => Some(false),
        (IntCc::Sle, c) if c == max => Some(true),
        _ => None,
    };
    if let Some(known) = known {
        return Some(Rewrite::Value(cx.func.iconst(Type::I1, known as i64)));
    }
    let (new_cc, new_c) = match (cc, c) {
        (IntCc::Ult, 1) => (IntCc::Eq, 0),
        (IntCc::Uge, 1) | (IntCc::Ugt, 0) => (IntCc::Ne, 0),
        // All but the last value.
        (IntCc::Ult, c) if c == ones => (IntCc::Ne, ones),
        (IntCc::Slt, c) if c == max => (IntCc::Ne, max),
        (IntCc::Sgt, c) if c == min => (IntCc::Ne, min),
        (IntCc::Ule, c) => (IntCc::Ult, c + 1),
        (IntCc::Uge, c) => (IntCc::Ugt, c - 1),
        (IntCc::Sle, c) => (IntCc::Slt, c.wrapping_add(1)),
        (IntCc::Sge, c) => (IntCc::Sgt, c.wrapping_sub(1)),
        _ => return None,
    };
    let c = cx.constant(a, new_c);
    cx.become_icmp(inst, new_cc, a, c)
}

fn unsigned_counterpart(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Slt => IntCc::Ult,
        IntCc::Sle => IntCc::Ule,
        IntCc::Sgt => IntCc::Ugt,
        IntCc::Sge => IntCc::Uge,
        other => other,
    }
}

fn between_values(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, b: Value) -> Option<Rewrite> {
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    // Both widened the same way: compare the narrow values.
    for extension in [Opcode::ZExt, Opcode::SExt] {
        if let (Some(x), Some(y)) = (cx.unary(a, extension), cx.unary(b, extension))
            && cx.ty(x) == cx.ty(y)
            && cx.ty(x) != Type::I1
        {
            let narrow = match extension {
                Opcode::ZExt => unsigned_counterpart(cc),
                _ if equality || cc.is_signed() => cc,
                _ => return None,
            };
            return cx.become_icmp(inst, narrow, x, y);
        }
    }
    if let (Some(p), Some(q)) = (cx.unary(a, Opcode::PtrToInt), cx.unary(b, Opcode::PtrToInt)) {
        return cx.become_icmp(inst, cc, p, q);
    }
    compare_sums::between(cx, inst, cc, a, b)
}

/// `select`.
pub(super) fn visit_select(cx: &mut Combiner<'_>, inst: Inst) -> Option<Rewrite> {
    let ty = cx.func.insts[inst].ty;
    let (cond, a, b) = (cx.func.operand(inst, 0), cx.func.operand(inst, 1), cx.func.operand(inst, 2));
    if a == b {
        return Some(Rewrite::Value(a));
    }
    if cx.ty(cond) != Type::I1 {
        return None;
    }
    if let Some(c) = cx.bits(cond) {
        return Some(Rewrite::Value(if c != 0 { a } else { b }));
    }
    if let Some((x, 1)) = cx.binary_const(cond, Opcode::Xor) {
        return cx.become_view(inst, InstView::Select { cond: x, a: b, b: a });
    }
    if let (Some(x), Some(y)) = (cx.bits(a), cx.bits(b))
        && ty.is_int()
    {
        match (x, y) {
            (1, 0) if ty == Type::I1 => return Some(Rewrite::Value(cond)),
            (0, 1) if ty == Type::I1 => {
                let one = cx.func.iconst(Type::I1, 1);
                return cx.become_binary(inst, Opcode::Xor, 0, cond, one);
            }
            (1, 0) => return cx.become_unary(inst, Opcode::ZExt, cond),
            (x, 0) if x == ty.mask() => return cx.become_unary(inst, Opcode::SExt, cond),
            _ => {}
        }
    }
    truncated_arms(cx, inst, cond, a, b).or_else(|| min_or_max(cx, inst, cond, a, b))
}

/// What is chosen among narrowed values is chosen before it is narrowed, once.
fn truncated_arms(cx: &mut Combiner<'_>, inst: Inst, cond: Value, a: Value, b: Value) -> Option<Rewrite> {
    let (x, y) = (cx.unary(a, Opcode::Trunc)?, cx.unary(b, Opcode::Trunc)?);
    let wide = cx.ty(x);
    if wide != cx.ty(y) || !wide.is_int() || wide.bits() > 64 || !cx.one_use(a) || !cx.one_use(b) {
        return None;
    }
    let chosen = cx.builder(inst).select(cond, x, y);
    cx.become_unary(inst, Opcode::Trunc, chosen)
}

/// `x < y ? x : y` and its relatives on integers.
fn min_or_max(cx: &mut Combiner<'_>, inst: Inst, cond: Value, a: Value, b: Value) -> Option<Rewrite> {
    let (compare, data) = cx.def(cond, Opcode::ICmp)?;
    if !cx.ty(a).is_int() || cx.ty(a).bits() > 64 {
        return None;
    }
    let cc = data.int_cc();
    let (x, y) = (cx.func.operand(compare, 0), cx.func.operand(compare, 1));
    let cc = if (x, y) == (a, b) {
        cc
    } else if (x, y) == (b, a) {
        cc.swapped()
    } else if extends(cx, a, x, cc) && extends(cx, b, y, cc) {
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
