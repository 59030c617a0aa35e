//! What an integer expression can be, as far as the expression itself says: what gcc's ranger knows
//! of it without looking at other statements. Nothing is said of what other statements may have
//! made smaller: variables of a block, and what the function compares or stores.

use rustc_hash::FxHashSet;

use crate::sema::{Sema, conversions};
use crate::tree::{BinaryOp, Builtin, CastKind, DeclId, ElementSize, ExprFlags, ExprKind, ExprRef, IntInfo, Ty};
use crate::tree::{RecordId, StorageDuration, UnaryOp};

/// A variable, or a member of whatever object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Variable(DeclId),
    Member(RecordId, u32),
}

/// What the function has compared or stored so far.
#[derive(Default)]
pub struct Changed(FxHashSet<Place>);

/// Notes that the value of `expr` is compared, or that it is stored to.
pub fn note(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    let mut work = vec![(expr, MAX_DEPTH)];
    while let Some((expr, depth)) = work.pop() {
        match expr.kind {
            _ if depth == 0 => {}
            ExprKind::Binary { lhs, rhs, .. } => work.extend([(lhs, depth - 1), (rhs, depth - 1)]),
            ExprKind::Unary { operand, .. } => work.push((operand, depth - 1)),
            _ => {
                if let Some(place) = place_of(expr) {
                    cx.lints.changed.0.insert(place);
                }
            }
        }
    }
}

/// The member that is read, or the variable it is read through.
fn place_of(mut expr: ExprRef<'_>) -> Option<Place> {
    loop {
        expr = match expr.kind {
            ExprKind::Decl(id) => return Some(Place::Variable(id)),
            ExprKind::Member { record, field, .. } => return Some(Place::Member(record, field)),
            ExprKind::Cast { operand, .. } | ExprKind::Deref(operand) => operand,
            ExprKind::PtrAdd { ptr, .. } => ptr,
            _ => return None,
        }
    }
}

fn is_changed(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    place_of(expr).is_some_and(|place| cx.lints.changed.0.contains(&place))
}

/// A variable of a block, whose value another statement has set.
fn is_local(cx: &Sema<'_, '_>, mut expr: ExprRef<'_>) -> bool {
    while let ExprKind::Cast { operand, .. } = expr.kind {
        expr = operand;
    }
    let ExprKind::Decl(id) = expr.kind else { return false };
    let is_parameter = cx.functions.last().is_some_and(|function| function.params.contains(&id));
    cx.unit.decls[id].duration == StorageDuration::Automatic && !is_parameter
}

/// Least and greatest value.
type Range = (i128, i128);

/// Operands below operands that are looked at.
const MAX_DEPTH: u32 = 12;

/// The values of `expr`; `None` if its type is none of the usual integer types.
pub fn of_expression(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<Range> {
    range(cx, expr, MAX_DEPTH)
}

/// All values of a type of up to 64 bits.
fn whole(cx: &Sema<'_, '_>, ty: Ty) -> Option<Range> {
    cx.types().int_info(ty).and_then(limits)
}

fn limits(IntInfo { bits, signed, .. }: IntInfo) -> Option<Range> {
    match (bits, signed) {
        (1..=64, true) => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
        (1..=64, false) => Some((0, (1i128 << bits) - 1)),
        _ => None,
    }
}

fn range(cx: &Sema<'_, '_>, expr: ExprRef<'_>, depth: u32) -> Option<Range> {
    let whole = whole(cx, expr.ty.ty())?;
    if let Some(value) = expr.int_value() {
        return Some((value, value));
    }
    if expr.flags.has(ExprFlags::TRUTH) {
        return Some((0, 1));
    }
    if depth == 0 {
        return Some(whole);
    }
    let of = |operand: ExprRef<'_>| range(cx, operand, depth - 1);
    let found = match expr.kind {
        ExprKind::Cast { kind: CastKind::Integral | CastKind::NoOp, operand } => match of(operand) {
            Some(found) => found,
            None if !is_changed(cx, operand)
                && cx.types().size_of(expr.ty.ty()) < cx.types().size_of(operand.ty.ty()) =>
            {
                whole
            }
            None => return None,
        },
        ExprKind::Logical { .. } | ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => (0, 1),
        ExprKind::Unary { op: UnaryOp::Neg, operand } => {
            let (low, high) = of(operand)?;
            return Some(arithmetic(cx, expr, (-high, -low), whole));
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => {
            let (low, high) = of(operand)?;
            (!high, !low)
        }
        ExprKind::Conditional { then, els, .. } => {
            let (a, b) = (of(then)?, of(els)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        ExprKind::Binary { op, .. } if op.is_comparison() => (0, 1),
        ExprKind::Binary { op: op @ (BinaryOp::Rem | BinaryOp::And), lhs, rhs } if is_local(cx, lhs) => {
            // The other operand says enough.
            let all = if is_changed(cx, lhs) { None } else { self::whole(cx, lhs.ty.ty()) };
            return Some(binary(cx, expr, op, (all?, of(rhs)?), whole));
        }
        ExprKind::Binary { op, lhs, rhs } => return Some(binary(cx, expr, op, (of(lhs)?, of(rhs)?), whole)),
        ExprKind::PtrDiff { size, .. } => match size {
            ElementSize::Constant(size @ 2..) => (whole.0 / i128::from(size), whole.1 / i128::from(size)),
            _ => whole,
        },
        ExprKind::Builtin { builtin: Builtin::Abs, args: [operand] } => {
            let (low, high) = of(operand)?;
            let most = low.abs().max(high.abs()).min(whole.1);
            (if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) }, most)
        }
        _ if is_changed(cx, expr) || is_local(cx, expr) => return None,
        _ => match (field_width(cx, expr), cx.types().int_info(expr.ty.ty())) {
            (Some(bits), Some(info)) => limits(IntInfo { bits, ..info })?,
            _ => whole,
        },
    };
    Some(if found.0 < whole.0 || found.1 > whole.1 { whole } else { found })
}

/// The result of arithmetic that would be `found` without bounds: where overflow is undefined, it
/// ends at the bounds of the type.
fn arithmetic(cx: &Sema<'_, '_>, expr: ExprRef<'_>, found: Range, whole: Range) -> Range {
    let fits = found.0 >= whole.0 && found.1 <= whole.1;
    let signed = cx.types().int_info(expr.ty.ty()).is_some_and(|info| info.signed);
    match (fits, signed && !cx.options.codegen.wrapv) {
        (true, _) => found,
        (false, true) if found.0 <= whole.1 && found.1 >= whole.0 => (found.0.max(whole.0), found.1.min(whole.1)),
        _ => whole,
    }
}

fn binary(cx: &Sema<'_, '_>, expr: ExprRef<'_>, op: BinaryOp, (a, b): (Range, Range), whole: Range) -> Range {
    let corners = |with: fn(i128, i128) -> Option<i128>| {
        let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| with(x, y));
        match all {
            [Some(p), Some(q), Some(r), Some(s)] => Some((p.min(q).min(r).min(s), p.max(q).max(r).max(s))),
            _ => None,
        }
    };
    let constant = (b.0 == b.1).then_some(b.0);
    let natural = a.0 >= 0 && b.0 >= 0;
    // All bits up to the highest one of either.
    let bits = || (0, (1i128 << (128 - (a.1 | b.1).leading_zeros())) - 1);
    match op {
        BinaryOp::Add => arithmetic(cx, expr, (a.0 + b.0, a.1 + b.1), whole),
        BinaryOp::Sub => arithmetic(cx, expr, (a.0 - b.1, a.1 - b.0), whole),
        BinaryOp::Mul => corners(i128::checked_mul).map_or(whole, |found| arithmetic(cx, expr, found, whole)),
        BinaryOp::Div if b.0 > 0 => corners(i128::checked_div).unwrap_or(whole),
        BinaryOp::Rem => {
            let most = b.0.abs().max(b.1.abs()) - 1;
            let low = if a.0 >= 0 { 0 } else { (-most).max(a.0) };
            let high = if a.1 <= 0 { 0 } else { most.min(a.1) };
            if most < 0 { whole } else { (low.max(whole.0), high.min(whole.1)) }
        }
        BinaryOp::And if natural => (0, a.1.min(b.1)),
        BinaryOp::And if a.0 >= 0 => (0, a.1),
        BinaryOp::And if b.0 >= 0 => (0, b.1),
        BinaryOp::Or if natural => (a.0.max(b.0), bits().1),
        BinaryOp::Xor if natural => bits(),
        BinaryOp::Shr if matches!(constant, Some(0..64)) => corners(|x, y| Some(x >> y)).unwrap_or(whole),
        BinaryOp::Shl if matches!(constant, Some(0..64)) => {
            let found = corners(|x, y| x.checked_mul(1 << y)).unwrap_or(whole);
            if found.0 < whole.0 || found.1 > whole.1 { whole } else { found }
        }
        _ => whole,
    }
}

/// Width of the bit-field that is read, loaded or not.
fn field_width(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<u32> {
    conversions::bit_field_width(cx, expr).or_else(|| conversions::field_width(cx, expr))
}
