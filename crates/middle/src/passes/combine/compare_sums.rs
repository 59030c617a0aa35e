//! Comparisons of sums, differences and products that cannot overflow (`nsw`, `inbounds`), and of
//! sums with one of their terms.

use ir::fold::sign_extend;
use ir::{Inst, IntCc, Opcode, Type, Value, flags};

use super::{Combiner, Rewrite};

/// A value as another one plus a constant, and whether that sum is known not to overflow as a
/// signed one.
fn plus_constant(cx: &Combiner<'_>, value: Value) -> (Value, i128, bool) {
    for (opcode, flag) in [(Opcode::Add, flags::NSW), (Opcode::PtrAdd, flags::INBOUNDS)] {
        if let Some((inst, data)) = cx.def(value, opcode)
            && let Some(k) = cx.bits(cx.func.operand(inst, 1))
        {
            let ty = if opcode == Opcode::PtrAdd { Type::I64 } else { data.ty };
            return (cx.func.operand(inst, 0), sign_extend(ty, k), data.has(flag));
        }
    }
    (value, 0, true)
}

fn known(cx: &mut Combiner<'_>, holds: bool) -> Option<Rewrite> {
    Some(Rewrite::Value(cx.func.iconst(Type::I1, holds as i64)))
}

/// The condition on signed distances that a condition on addresses within one object is.
fn of_distances(cx: &Combiner<'_>, value: Value, cc: IntCc) -> Option<IntCc> {
    match (cx.ty(value).is_ptr(), cc) {
        (_, IntCc::Eq | IntCc::Ne) => Some(cc),
        (false, _) => cc.is_signed().then_some(cc),
        (true, IntCc::Ult) => Some(IntCc::Slt),
        (true, IntCc::Ule) => Some(IntCc::Sle),
        (true, IntCc::Ugt) => Some(IntCc::Sgt),
        (true, IntCc::Uge) => Some(IntCc::Sge),
        (true, _) => None,
    }
}

/// `a cc b`, no constants.
pub(super) fn between(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, b: Value) -> Option<Rewrite> {
    if cx.ty(a).is_vector() {
        return None;
    }
    let distances = of_distances(cx, a, cc)?;
    let equality = distances == cc && !cc.is_signed();
    let ((x, j, a_fits), (y, k, b_fits)) = (plus_constant(cx, a), plus_constant(cx, b));
    if x == y && (equality || a_fits && b_fits) {
        return known(cx, distances.eval(j as u128, k as u128, 128));
    }
    terms(cx, inst, cc, distances, a, b)
}

/// `x + y cc x + z`, `x + y cc x`: the term that both have goes.
fn terms(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, distances: IntCc, a: Value, b: Value) -> Option<Rewrite> {
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    let pointers = cx.ty(a).is_ptr();
    let opcode = if pointers { Opcode::PtrAdd } else { Opcode::Add };
    let flag = if pointers { flags::INBOUNDS } else { flags::NSW };
    let sum = |cx: &Combiner<'_>, value: Value| {
        let (def, data) = cx.def(value, opcode)?;
        (equality || data.has(flag)).then(|| (cx.func.operand(def, 0), cx.func.operand(def, 1)))
    };
    let zero = cx.func.iconst(if pointers { Type::I64 } else { cx.ty(a) }, 0);
    let (left, right) = (sum(cx, a), sum(cx, b));
    let rest = match (left, right) {
        (Some((x, y)), Some((v, w))) if x == v => (y, w),
        (Some((x, y)), Some((v, w))) if !pointers && y == w => (x, v),
        (Some((x, y)), Some((v, w))) if !pointers && x == w => (y, v),
        (Some((x, y)), Some((v, w))) if !pointers && y == v => (x, w),
        (Some((x, y)), _) if x == b => (y, zero),
        (Some((x, y)), _) if !pointers && y == b => (x, zero),
        (_, Some((v, w))) if v == a => (zero, w),
        (_, Some((v, w))) if !pointers && w == a => (zero, v),
        _ => return None,
    };
    cx.become_icmp(inst, distances, rest.0, rest.1)
}

/// `a cc c` as signed numbers, not equality: the constant moves to the other side of a sum, a
/// difference or a product. Only where the sum has no other use: its term would have to live on
/// beside it.
pub(super) fn with_constant(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, a: Value, c: u128) -> Option<Rewrite> {
    let ty = cx.ty(a);
    if !cc.is_signed() || !ty.is_int() || ty.bits() > 64 || !cx.one_use(a) {
        return None;
    }
    let c = sign_extend(ty, c);
    let def = cx.func.def_inst(a)?;
    let data = cx.func.insts[def];
    if !data.has(flags::NSW) || !matches!(data.opcode, Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl) {
        return None;
    }
    let (x, y) = (cx.func.operand(def, 0), cx.func.operand(def, 1));
    let constant = |cx: &Combiner<'_>, value: Value| cx.bits(value).map(|k| sign_extend(ty, k));
    match data.opcode {
        Opcode::Add => moved(cx, inst, cc, x, c - constant(cx, y)?),
        Opcode::Sub if c == 0 => cx.become_icmp(inst, cc, x, y),
        Opcode::Sub => moved(cx, inst, cc.swapped(), y, constant(cx, x)? - c),
        Opcode::Mul if c == 0 => {
            let k = constant(cx, y).filter(|&k| k != 0)?;
            let zero = cx.func.iconst(ty, 0);
            let cc = if k < 0 { cc.swapped() } else { cc };
            cx.become_icmp(inst, cc, x, zero)
        }
        Opcode::Shl if c == 0 => {
            constant(cx, y).filter(|&k| (0..ty.bits() as i128).contains(&k))?;
            let zero = cx.func.iconst(ty, 0);
            cx.become_icmp(inst, cc, x, zero)
        }
        _ => None,
    }
}

/// `x cc c` for a constant that may lie beyond the type.
fn moved(cx: &mut Combiner<'_>, inst: Inst, cc: IntCc, x: Value, c: i128) -> Option<Rewrite> {
    let ty = cx.ty(x);
    let limit = 1i128 << (ty.bits() - 1);
    if c < -limit || c >= limit {
        return known(cx, matches!(cc, IntCc::Sgt | IntCc::Sge) == (c < -limit));
    }
    let c = cx.func.bits_const(ty, c as u128 & ty.mask());
    cx.become_icmp(inst, cc, x, c)
}
