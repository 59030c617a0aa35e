//! Assignment (C23 6.5.17) and the conditional operator (6.5.16).

use base::Loc;
use platform::options::Standard;

use super::{LvalueUse, binary, mark_set, mark_updated, require_modifiable};
use crate::sema::assignment_conversions::{self, AssignContext};
use crate::sema::constants::fold;
use crate::sema::{Sema, conversions, decimal, excess, lints, types};
use crate::tree::{BinaryOp, CastKind, Expr, ExprFlags, ExprKind, ExprRef, QualType, Quals, Ty, TypeKind, Update};

/// `lhs = rhs`
pub fn assign<'a>(cx: &mut Sema<'_, 'a>, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    if !require_modifiable(cx, lhs, LvalueUse::Assign, loc) {
        return cx.error_expr(loc);
    }
    if cx.types().is_incomplete(lhs.ty.ty()) {
        types::report_incomplete(cx, lhs.ty, loc);
        return cx.error_expr(loc);
    }
    mark_set(cx, lhs);
    lints::assigned(cx, lhs);
    let context = AssignContext::Assign { field: conversions::field_width(cx, lhs), operation: None };
    let rhs = assignment_conversions::assign_convert(cx, rhs, lhs.written, context, loc);
    if rhs.is_error() {
        return cx.error_expr(loc);
    }
    if let ExprKind::Decl(id) = lhs.kind {
        lints::given(cx, id, rhs);
    }
    let ty = cx.unit.types.with_native(lhs.ty.ty());
    cx.value_written(ExprKind::Assign { lhs, rhs }, ty, lhs.written, loc)
}

/// `lhs op= rhs`
pub fn compound<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let rhs = conversions::rvalue(cx, rhs);
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    if !require_modifiable(cx, lhs, LvalueUse::Assign, loc) {
        return cx.error_expr(loc);
    }
    if cx.types().is_incomplete(lhs.ty.ty()) {
        types::report_incomplete(cx, lhs.ty, loc);
        return cx.error_expr(loc);
    }
    mark_updated(cx, lhs);
    let ty = cx.unit.types.with_native(lhs.ty.ty());
    let (old, right) = (cx.new_opaque(), cx.new_opaque());
    let old_value = cx.value_written(ExprKind::Opaque(old), ty, lhs.written, lhs.loc);
    let rhs = decimal::assignment_operand(cx, ty, rhs);
    // Constants need no name; they also keep their value for warnings and folding.
    let constant = fold::constant_of(rhs).is_some();
    let spread = cx.types().is_vector(ty);
    let promoted = if cx.types().is_integer(rhs.ty.ty()) && !spread { conversions::promote(cx, rhs) } else { rhs };
    // What is named is the value before its rounding.
    let named = excess::unrounded(promoted).unwrap_or(promoted);
    let right_value = if constant {
        promoted
    } else {
        let value = cx.value_written(ExprKind::Opaque(right), named.ty.ty(), named.written, rhs.loc);
        excess::rounded(cx, cx.arena.alloc(Expr { flags: ExprFlags::NONE, ..*value }), promoted.ty.ty())
    };
    if cx.types().is_pointer(ty) && !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
        return binary::invalid_operands(cx, op.spelling(), old_value, right_value, loc);
    }
    lints::operand_named(cx, right, named);
    let value = binary::arithmetic(cx, op, old_value, right_value, loc);
    if value.is_error() {
        return cx.error_expr(loc);
    }
    // As it was written: the old value and the right operand are not wider than they are.
    let operation = Some((op, old_value, promoted));
    let context = AssignContext::Assign { field: conversions::field_width(cx, lhs), operation };
    let value = assignment_conversions::assign_convert(cx, value, lhs.written, context, loc);
    if value.is_error() {
        return cx.error_expr(loc);
    }
    let rhs = (!constant).then_some((right, named));
    let update = cx.arena.alloc(Update { lhs, rhs, old, value, op, post: false });
    cx.value_written(ExprKind::Update(update), ty, lhs.written, loc)
}

/// `cond ? then : els`; `then` is `None` for `cond ?: els` (GNU). The places are those of the
/// question mark, where the condition is tested, and of the colon, where the whole is in gcc.
pub fn conditional<'a>(
    cx: &mut Sema<'_, 'a>,
    cond: ExprRef<'a>,
    then: Option<ExprRef<'a>>,
    els: ExprRef<'a>,
    (question, loc): (Loc, Loc),
) -> ExprRef<'a> {
    let Some(then) = then else {
        cx.pedantic(loc, "ISO C forbids omitting the middle term of a '?:' expression");
        return conditional_omitted(cx, cond, els, loc);
    };
    let cond = conversions::rvalue(cx, cond);
    let cond = conversions::condition_at(cx, cond, question);
    let (then, els) = (conversions::rvalue(cx, then), conversions::rvalue(cx, els));
    if cond.is_error() || then.is_error() || els.is_error() {
        return cx.error_expr(loc);
    }
    if let Some((wide_then, wide_els)) = excess::unrounded_pair(then, els)
        && let Some(ty) = common_type(cx, then, els)
    {
        let node = conditional(cx, cond, Some(wide_then), wide_els, (question, loc));
        return excess::rounded(cx, node, ty);
    }
    let (a, b) = (then, els);
    let Some((then, els, ty)) = unify_arms(cx, then, els, loc) else { return cx.error_expr(loc) };
    if let Some(taken) = fold_conditional(cx, cond, then, els, loc) {
        return taken;
    }
    let written = conditional_as_written(cx, a, b, ty);
    cx.value_written(ExprKind::Conditional { cond, then, els }, ty, written, loc)
}

/// The type of a conditional with these arms, before they were converted to `ty`.
fn conditional_as_written(cx: &Sema<'_, '_>, then: ExprRef<'_>, els: ExprRef<'_>, ty: Ty) -> QualType {
    if then.written == then.ty && els.written == els.ty {
        ty.plain()
    } else if cx.types().is_arithmetic(ty) {
        cx.types().common_as_written(then.written, els.written, ty)
    } else if then.written == els.written || conversions::is_null_pointer_constant(cx, els) {
        then.written
    } else if conversions::is_null_pointer_constant(cx, then) {
        els.written
    } else if cx.types().main_variant(then.written) == cx.types().main_variant(els.written) {
        cx.types().main_variant(then.written)
    } else {
        ty.plain()
    }
}

/// The type of a conditional with arithmetic arms that go together.
fn common_type<'a>(cx: &mut Sema<'_, 'a>, then: ExprRef<'a>, els: ExprRef<'a>) -> Option<Ty> {
    let arithmetic = [then, els].iter().all(|arm| cx.types().is_arithmetic(arm.ty.ty()));
    let (a, b) = (conversions::promoted_type(cx, then), conversions::promoted_type(cx, els));
    let fit = arithmetic && conversions::mixed_radix(cx, a, b).is_none();
    fit.then(|| conversions::common_arithmetic(cx, a, b))
}

/// A constant condition selects its arm; the result is a strict constant only if all three operands
/// are.
fn fold_conditional<'a>(
    cx: &mut Sema<'_, 'a>,
    cond: ExprRef<'a>,
    then: ExprRef<'a>,
    els: ExprRef<'a>,
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let taken = if cond.int_value()? != 0 { then } else { els };
    let dropped = if cond.int_value()? != 0 { els } else { then };
    if binary::contains_label(dropped) {
        return None;
    }
    let strict = cond.flags.has(ExprFlags::ICE)
        && taken.flags.has(ExprFlags::ICE)
        && (dropped.flags.has(ExprFlags::ICE) || cx.since(Standard::C99) && is_strict_unevaluated(dropped));
    let mut flags = taken.flags.without(ExprFlags::PAREN.with(ExprFlags::NULL).with(ExprFlags::EXTENSION));
    if !strict {
        flags = flags.without(ExprFlags::ICE);
    }
    // In C90 what is not evaluated must be constant as well (C90 6.4).
    if !cx.since(Standard::C99) && !dropped.flags.has(ExprFlags::CONSTANT) && fold::constant_of(dropped).is_none() {
        flags = flags.without(ExprFlags::CONSTANT);
    }
    Some(cx.arena.alloc(Expr { flags, loc, ..*taken }))
}

/// Integer constant expressions joined by commas, which constants have where they are not evaluated
/// (C99 6.6 paragraph 3).
fn is_strict_unevaluated(mut expr: ExprRef<'_>) -> bool {
    while let ExprKind::Comma { lhs, rhs } = expr.kind {
        if !rhs.flags.has(ExprFlags::ICE) {
            return false;
        }
        expr = lhs;
    }
    expr.flags.has(ExprFlags::ICE)
}

fn conditional_omitted<'a>(cx: &mut Sema<'_, 'a>, common: ExprRef<'a>, els: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (common, els) = (conversions::rvalue(cx, common), conversions::rvalue(cx, els));
    if common.is_error() || els.is_error() {
        return cx.error_expr(loc);
    }
    if let Some((wide_common, wide_els)) = excess::unrounded_pair(common, els)
        && let Some(ty) = common_type(cx, common, els)
    {
        let node = conditional_omitted(cx, wide_common, wide_els, loc);
        return excess::rounded(cx, node, ty);
    }
    if fold::constant_of(common).is_some() {
        let cond = conversions::truth_value(cx, common, loc);
        return conditional(cx, cond, Some(common), els, (loc, loc));
    }
    let opaque = cx.new_opaque();
    // Carry the null-pointer and bit-field facts of the operand: promote first.
    let common = if cx.types().is_integer(common.ty.ty()) { conversions::promote(cx, common) } else { common };
    let value = cx.value_written(ExprKind::Opaque(opaque), common.ty.ty(), common.written, common.loc);
    let cond = conversions::truth_value(cx, value, loc);
    if cond.is_error() {
        return cx.error_expr(loc);
    }
    let Some((then, els, ty)) = unify_arms(cx, value, els, loc) else { return cx.error_expr(loc) };
    cx.value(ExprKind::ConditionalOmitted { common, opaque, cond, then, els }, ty, loc)
}

/// Brings the arms of a conditional to one type (C23 6.5.16 paragraphs 3 to 8).
fn unify_arms<'a>(
    cx: &mut Sema<'_, 'a>,
    then: ExprRef<'a>,
    els: ExprRef<'a>,
    loc: Loc,
) -> Option<(ExprRef<'a>, ExprRef<'a>, Ty)> {
    let (a, b) = (then.ty.ty(), els.ty.ty());
    let (ka, kb) = (cx.kind(a), cx.kind(b));
    if cx.types().is_arithmetic(a) && cx.types().is_arithmetic(b) {
        if a == b && !cx.types().is_integer(a) {
            return Some((then, els, a));
        }
        lints::conditional(cx, then, els, loc);
        let (then, els, ty) = conversions::usual_arithmetic(cx, then, els, false, loc);
        return (ty != Ty::ERROR).then_some((then, els, ty));
    }
    match (ka, kb) {
        (TypeKind::Void, _) | (_, TypeKind::Void) => {
            if ka != kb {
                cx.pedantic(loc, "ISO C forbids conditional expr with only one void side");
            }
            let (then, els) = (super::to_void(cx, then, loc), super::to_void(cx, els, loc));
            Some((then, els, Ty::VOID))
        }
        (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
            let ty = composite_pointer(cx, then, els, p, q, loc);
            Some((conversions::convert(cx, then, ty), conversions::convert(cx, els, ty), ty))
        }
        (TypeKind::NullPtr, TypeKind::NullPtr) => Some((then, els, a)),
        (TypeKind::Pointer(_), TypeKind::NullPtr) => Some((then, conversions::convert(cx, els, a), a)),
        (TypeKind::NullPtr, TypeKind::Pointer(_)) => Some((conversions::convert(cx, then, b), els, b)),
        (TypeKind::Pointer(_), _) if cx.types().is_integer(b) => {
            if !conversions::is_null_pointer_constant(cx, els) {
                cx.pedwarn_always(loc, "pointer/integer type mismatch in conditional expression");
            }
            Some((then, conversions::convert(cx, els, a), a))
        }
        (_, TypeKind::Pointer(_)) if cx.types().is_integer(a) => {
            if !conversions::is_null_pointer_constant(cx, then) {
                cx.pedwarn_always(loc, "pointer/integer type mismatch in conditional expression");
            }
            Some((conversions::convert(cx, then, b), els, b))
        }
        _ if types::compatible_unqualified(cx.types(), a, b) => {
            let ty = a;
            Some((then, conversions::convert(cx, els, ty), ty))
        }
        _ => {
            let (a, b) = (cx.tname(a), cx.tname(b));
            let _ = (a, b);
            cx.error(loc, "type mismatch in conditional expression");
            None
        }
    }
}

/// Result type of a conditional with two pointers.
fn composite_pointer<'a>(
    cx: &mut Sema<'_, 'a>,
    then: ExprRef<'a>,
    els: ExprRef<'a>,
    p: QualType,
    q: QualType,
    loc: Loc,
) -> Ty {
    let null = conversions::is_null_pointer_constant(cx, then) || conversions::is_null_pointer_constant(cx, els);
    if types::spaces_differ(cx.types(), p, q) && !null {
        cx.error(loc, "pointers to disjoint address spaces used in conditional expression");
        return Ty::ERROR;
    }
    let quals = p.quals().with(q.quals()).without(Quals::NONE);
    if types::compatible_unqualified(cx.types(), p.ty(), q.ty()) {
        let both = types::composite(&mut cx.unit.types, p.unqualified(), q.unqualified());
        // Where one type is atomic and the other is not, both are `void`: the result is not.
        let quals = if p.quals().is_atomic() != q.quals().is_atomic() { quals.without(Quals::ATOMIC) } else { quals };
        let target = types::qualify(&mut cx.unit.types, both, quals);
        return cx.pointer_to(target);
    }
    if conversions::is_null_pointer_constant(cx, then) {
        return els.ty.ty();
    }
    if conversions::is_null_pointer_constant(cx, els) {
        return then.ty.ty();
    }
    let void = |cx: &Sema<'_, 'a>, t: QualType| cx.kind(t) == TypeKind::Void;
    if void(cx, p) || void(cx, q) {
        let other = if void(cx, p) { q } else { p };
        // The qualifiers of an array are its elements' from C23 on; `_Atomic` makes another type
        // and does not come along.
        let mut element = other;
        let mut quals = quals;
        while let Some(inner) = cx.types().array_element(element).filter(|_| cx.since(Standard::C23)) {
            element = inner;
            quals = quals.with(inner.quals());
        }
        let quals = quals.without(Quals::ATOMIC);
        if cx.types().is_function(other.ty()) {
            cx.pedantic(loc, "ISO C forbids conditional expr between 'void *' and function pointer");
        }
        return cx.pointer_to(QualType::new(Ty::VOID, quals));
    }
    cx.pedwarn_always(loc, "pointer type mismatch in conditional expression");
    cx.pointer_to(QualType::new(Ty::VOID, quals))
}

/// The kinds of conversion that leave an operand's bits alone, for callers that look through them.
pub fn is_transparent(kind: CastKind) -> bool {
    matches!(kind, CastKind::NoOp | CastKind::Pointer)
}
