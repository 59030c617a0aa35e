//! Relational and equality operators (C23 6.5.9, 6.5.10).

use base::Loc;
use platform::options::Standard;

use super::binary::{finish, invalid_operands};
use crate::sema::constants::fold;
use crate::sema::{Sema, conversions, lints, types};
use crate::tree::{BinaryOp, ExprFlags, ExprKind, ExprRef, Ty, TypeKind};

/// Comparison of two rvalues that are not vectors; the result is an `int`.
pub fn compare<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (a, b) = (lhs.ty.ty(), rhs.ty.ty());
    if cx.types().is_arithmetic(a) && cx.types().is_arithmetic(b) {
        if op.is_relational() && (cx.types().is_complex(a) || cx.types().is_complex(b)) {
            return invalid_operands(cx, op.spelling(), lhs, rhs, loc);
        }
        lints::comparison(cx, op, lhs, rhs, loc);
        let (lhs, rhs, ty) = conversions::operands(cx, lhs, rhs, true, loc);
        if ty == Ty::ERROR {
            return lhs;
        }
        let node = finish(cx, op, lhs, rhs, Ty::INT.plain(), loc);
        return cx.with_flags(node, ExprFlags::TRUTH);
    }
    let pointer = |cx: &Sema<'_, 'a>, ty: Ty| matches!(cx.kind(ty), TypeKind::Pointer(_) | TypeKind::NullPtr);
    let (lhs, rhs) = match (pointer(cx, a), pointer(cx, b)) {
        (true, true) => pointers(cx, op, lhs, rhs, loc),
        (true, false) if cx.types().is_integer(b) => (lhs, integer_operand(cx, op, rhs, lhs, loc)),
        (false, true) if cx.types().is_integer(a) => (integer_operand(cx, op, lhs, rhs, loc), rhs),
        _ => return invalid_operands(cx, op.spelling(), lhs, rhs, loc),
    };
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    lints::comparison_of_pointers(cx, op, lhs, rhs, loc);
    if let Some(folded) = fold::binary(cx, op, lhs, rhs, Ty::INT, loc) {
        return folded;
    }
    let node = cx.value(ExprKind::Binary { op, lhs, rhs }, Ty::INT, loc);
    cx.with_flags(node, ExprFlags::TRUTH)
}

/// Brings two pointers to one type.
fn pointers<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    loc: Loc,
) -> (ExprRef<'a>, ExprRef<'a>) {
    let (a, b) = (lhs.ty.ty(), rhs.ty.ty());
    let (Some(p), Some(q)) = (cx.types().pointee(a), cx.types().pointee(b)) else {
        // `nullptr_t` with a pointer or with itself.
        if op.is_relational() {
            let error = invalid_operands(cx, op.spelling(), lhs, rhs, loc);
            return (error, error);
        }
        let ty = if cx.types().is_pointer(a) { a } else { Ty::VOID_PTR };
        let ty = if cx.types().is_pointer(b) { b } else { ty };
        return (conversions::convert(cx, lhs, ty), conversions::convert(cx, rhs, ty));
    };
    let void = |cx: &Sema<'_, 'a>, ty| cx.kind(ty) == TypeKind::Void;
    let null = conversions::is_null_pointer_constant(cx, lhs) || conversions::is_null_pointer_constant(cx, rhs);
    if types::spaces_differ(cx.types(), p, q) && !null {
        cx.error(loc, "comparison of pointers to disjoint address spaces");
        let error = cx.error_expr(loc);
        return (error, error);
    }
    if types::compatible_unqualified(cx.types(), p.ty(), q.ty()) {
        if op.is_relational() && cx.types().is_function(p.ty()) {
            cx.pedantic(loc, "ordered comparisons of pointers to functions");
        } else if op.is_relational()
            && cx.types().is_incomplete(p.ty()) != cx.types().is_incomplete(q.ty())
            && !cx.since(Standard::C11)
        {
            cx.pedantic(loc, "comparison of complete and incomplete pointers");
        }
    } else if op.is_equality() && (void(cx, p) || void(cx, q)) {
        let other = if void(cx, p) { q } else { p };
        let null = if void(cx, p) { lhs } else { rhs };
        if cx.types().is_function(other.ty()) && !conversions::is_null_pointer_constant(cx, null) {
            cx.pedantic(loc, "ISO C forbids comparison of 'void *' with function pointer");
        }
    } else if !(op.is_relational() && (void(cx, p) || void(cx, q)) && !cx.lang.gnu) {
        cx.pedwarn_always(loc, "comparison of distinct pointer types lacks a cast");
    }
    // Both in the left type; the bits are what is compared.
    let ty = if void(cx, p) && !void(cx, q) { b } else { a };
    (conversions::convert(cx, lhs, ty), conversions::convert(cx, rhs, ty))
}

/// An integer compared with a pointer: fine if it is a null pointer constant.
fn integer_operand<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    integer: ExprRef<'a>,
    pointer: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    if conversions::is_null_pointer_constant(cx, integer) || op.is_relational() && integer.int_value() == Some(0) {
        lints::comparison_with_null(cx, op, integer, pointer, loc);
    } else {
        cx.pedwarn_always(loc, "comparison between pointer and integer");
    }
    let ty = if cx.types().is_pointer(pointer.ty.ty()) { pointer.ty.ty() } else { Ty::VOID_PTR };
    conversions::convert(cx, integer, ty)
}
