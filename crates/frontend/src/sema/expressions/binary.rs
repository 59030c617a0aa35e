//! Binary operators (C23 6.5.6 to 6.5.15): dispatch, arithmetic, shifts, `&&` and `||`.

use base::Loc;

use super::{compare, pointer, vector};
use crate::sema::constants::fold;
use crate::sema::lints::{self, Operand};
use crate::sema::{Sema, conversions, excess};
use crate::tree::{BinaryOp, CastKind, ExprFlags, ExprKind, ExprRef, QualType, Ty, TypeKind};

/// `lhs op rhs` for the operators of [`BinaryOp`].
pub fn binary<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) -> ExprRef<'a> {
    let (left, right) = (conversions::rvalue(cx, lhs.0), conversions::rvalue(cx, rhs.0));
    if left.is_error() || right.is_error() {
        return cx.error_expr(loc);
    }
    lints::operator_written(cx, op, [lhs, rhs], [left, right], loc);
    arithmetic(cx, op, left, right, loc)
}

/// The same for rvalues without the remarks on how it was written; compound assignments come here
/// too.
pub fn arithmetic<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let (a, b) = (lhs.ty.ty(), rhs.ty.ty());
    if cx.types().is_vector(a) || cx.types().is_vector(b) {
        return vector::binary(cx, op, lhs, rhs, loc);
    }
    if op.is_comparison() {
        return compare::compare(cx, op, lhs, rhs, loc);
    }
    let pointers = (cx.types().is_pointer(a), cx.types().is_pointer(b));
    match (op, pointers) {
        (BinaryOp::Add, (true, false)) if cx.types().is_integer(b) => return pointer::offset(cx, lhs, rhs, false, loc),
        (BinaryOp::Add, (false, true)) if cx.types().is_integer(a) => return pointer::offset(cx, rhs, lhs, false, loc),
        (BinaryOp::Sub, (true, false)) if cx.types().is_integer(b) => return pointer::offset(cx, lhs, rhs, true, loc),
        (BinaryOp::Sub, (true, true)) => return pointer::difference(cx, lhs, rhs, loc),
        _ => {}
    }
    let integers = cx.types().is_integer(a) && cx.types().is_integer(b);
    let valid = match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
            cx.types().is_arithmetic(a) && cx.types().is_arithmetic(b)
        }
        _ => integers,
    };
    if !valid {
        if let Some(void) = [lhs, rhs].into_iter().find(|e| cx.kind(e.ty) == TypeKind::Void) {
            cx.error(void.loc, "void value not ignored as it ought to be");
            return cx.error_expr(loc);
        }
        return invalid_operands(cx, op.spelling(), lhs, rhs, loc);
    }
    if op.is_shift() {
        return shift(cx, op, lhs, rhs, loc);
    }
    lints::arithmetic(cx, op, rhs, loc);
    let (a, b) = (lhs.written, rhs.written);
    let (lhs, rhs, ty) = conversions::operands(cx, lhs, rhs, false, loc);
    if ty == Ty::ERROR {
        return lhs;
    }
    let written = cx.types().common_as_written(a, b, lhs.ty.ty());
    let node = finish(cx, op, lhs, rhs, written, loc);
    excess::rounded(cx, node, ty)
}

/// Folds or allocates `lhs op rhs` of converted operands, of the type that is written as `written`.
pub fn finish<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    written: QualType,
    loc: Loc,
) -> ExprRef<'a> {
    let ty = cx.types().bare_ty(written.ty());
    if let Some(folded) = fold::binary(cx, op, lhs, rhs, ty, loc) {
        return folded;
    }
    cx.value_written(ExprKind::Binary { op, lhs, rhs }, ty, written, loc)
}

/// gcc's error for operands of the wrong kind.
pub fn invalid_operands<'a>(
    cx: &mut Sema<'_, 'a>,
    op: &str,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let (a, b) = (cx.tname(lhs.written), cx.tname(rhs.written));
    cx.error(loc, format!("invalid operands to binary {op} (have {a} and {b})"));
    cx.error_expr(loc)
}

/// `<<` and `>>`: each operand is promoted on its own, the result has the left one's type.
fn shift<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (lhs, rhs) = (conversions::promote(cx, lhs), conversions::promote(cx, rhs));
    let ty = lhs.written.unqualified();
    lints::shift(cx, op, lhs, rhs, loc);
    // A strict constant expression needs a defined shift.
    finish(cx, op, lhs, rhs, ty, loc)
}

/// `&&` and `||`.
pub fn logical<'a>(cx: &mut Sema<'_, 'a>, and: bool, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) -> ExprRef<'a> {
    let (left, right) = (conversions::rvalue(cx, lhs.0), conversions::rvalue(cx, rhs.0));
    lints::logical_written(cx, and, (left, lhs.1), (right, rhs.1), loc);
    let (lhs, rhs) = (left, right);
    let op = if and { "&&" } else { "||" };
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    if cx.types().is_vector(lhs.ty.ty()) || cx.types().is_vector(rhs.ty.ty()) {
        return invalid_operands(cx, op, lhs, rhs, loc);
    }
    if !cx.types().is_scalar(lhs.ty.ty()) || !cx.types().is_scalar(rhs.ty.ty()) {
        return invalid_operands(cx, op, lhs, rhs, loc);
    }
    let first = conversions::start(cx, lhs);
    let (lhs, rhs) = (conversions::truth_value(cx, lhs, first), conversions::truth_value(cx, rhs, loc));
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    let ice = ExprFlags(lhs.flags.0 & rhs.flags.0 & (ExprFlags::ICE.0 | ExprFlags::CONSTANT.0)).with(ExprFlags::TRUTH);
    match (lhs.int_value(), rhs.int_value()) {
        (Some(a), Some(b)) => {
            let value = if and { a != 0 && b != 0 } else { a != 0 || b != 0 };
            return cx.int(value as i128, Ty::INT, loc, ice);
        }
        // The right operand is not evaluated.
        (Some(a), None) if (a != 0) != and && !contains_label(rhs) => {
            return cx.int(!and as i128, Ty::INT, loc, ExprFlags::TRUTH);
        }
        (Some(_), None) => {
            let node = cx.value(ExprKind::Cast { kind: CastKind::Integral, operand: rhs }, Ty::INT, loc);
            if !contains_label(rhs) {
                return cx.with_flags(node, ExprFlags::TRUTH);
            }
        }
        _ => {}
    }
    let node = cx.value(ExprKind::Logical { and, lhs, rhs }, Ty::INT, loc);
    cx.with_flags(node, ExprFlags::TRUTH)
}

/// A statement expression may hold a label that is jumped to or whose address is taken: it cannot
/// be dropped.
pub fn contains_label(expr: ExprRef<'_>) -> bool {
    match expr.kind {
        ExprKind::StmtExpr { .. } => true,
        ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => contains_label(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::Logical { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => {
            contains_label(rhs) || contains_label(lhs)
        }
        ExprKind::Deref(operand) | ExprKind::AddrOf(operand) | ExprKind::Member { base: operand, .. } => {
            contains_label(operand)
        }
        _ => false,
    }
}

/// The operands of an arithmetic operator are numbers.
pub fn is_number(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    matches!(cx.kind(ty), TypeKind::Float(_) | TypeKind::Complex(_)) || cx.types().is_integer(ty)
}
