//! Single operators: divisions and shifts by what cannot be meant, arrays that are compared,
//! numbers as truth values.

use base::{Loc, warning};
use platform::options::Standard;

use super::written::{Operand, Written};
use crate::sema::Sema;
use crate::sema::constants::fold;
use crate::sema::expressions::describe;
use crate::tree::{BinaryOp, ExprFlags, ExprKind, ExprRef, IntInfo, Ty};

/// Arrays are compared by their addresses, which is hardly meant. Literals have a warning of their
/// own.
pub fn check_array_comparison<'a>(cx: &Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    if lhs.1 != Written::String && rhs.1 != Written::String {
        let (a, b) = (describe::text(cx, lhs.0), describe::text(cx, rhs.0));
        let note = format!("use '&{a}[0] {sign} &{b}[0]' to compare the addresses", sign = op.spelling());
        cx.sess.warn(warning::ARRAY_COMPARE, loc, "comparison between two arrays").note(loc, note).emit();
    }
}

/// `-Wdiv-by-zero`
pub fn check_division(cx: &mut Sema<'_, '_>, op: BinaryOp, rhs: ExprRef<'_>, loc: Loc) {
    if matches!(op, BinaryOp::Div | BinaryOp::Rem) && rhs.int_value() == Some(0) && !cx.never_evaluated() {
        cx.warn(warning::DIV_BY_ZERO, loc, "division by zero");
    }
}

/// `-Wshift-count-negative`, `-Wshift-count-overflow` and what a constant loses; the operands are
/// promoted.
pub fn check_shift(cx: &mut Sema<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    let ty = lhs.ty.ty();
    let side = if op == BinaryOp::Shl { "left" } else { "right" };
    if let Some(count) = rhs.int_value()
        && let Some(info) = cx.types().int_info(ty)
        && !cx.never_evaluated()
    {
        if count < 0 && cx.types().is_signed(rhs.ty.ty()) {
            cx.warn(warning::SHIFT_COUNT_NEGATIVE, loc, format!("{side} shift count is negative"));
        } else if count < 0 || count >= info.bits as i128 {
            cx.warn(warning::SHIFT_COUNT_OVERFLOW, loc, format!("{side} shift count >= width of type"));
        } else if let (Some(value), BinaryOp::Shl) = (lhs.int_value(), op) {
            warn_shifted_out(cx, value, count as u32, ty, info, loc);
        }
    }
}

/// `-Wshift-negative-value`, `-Wshift-overflow`: constants shifted to the left (gcc's
/// `maybe_warn_shift_overflow`).
fn warn_shifted_out(cx: &mut Sema<'_, '_>, value: i128, count: u32, ty: Ty, info: IntInfo, loc: Loc) {
    if !info.signed || info.bits > 64 || cx.options.codegen.wrapv {
        return;
    }
    let by_name =
        |cx: &Sema<'_, '_>, flag| cx.since(Standard::C99) || cx.sess.diag.is_explicit(&cx.sess.sources, flag, loc);
    if value < 0 && by_name(cx, warning::SHIFT_NEGATIVE_VALUE) {
        cx.warn(warning::SHIFT_NEGATIVE_VALUE, loc, "left shift of negative value");
    }
    let sign = if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    let needed = i128::BITS + 1 - sign + count;
    // Level 1 lets a bit move into the sign bit.
    let into_sign = value >= 0 && needed == info.bits + 1;
    if needed <= info.bits
        || !by_name(cx, warning::SHIFT_OVERFLOW)
        || into_sign && cx.sess.diag.level(warning::SHIFT_OVERFLOW) < 2
    {
        return;
    }
    let ty = cx.tname(ty);
    let bits = info.bits;
    let message =
        format!("result of '{value} << {count}' requires {needed} bits to represent, but {ty} only has {bits} bits");
    cx.warn(warning::SHIFT_OVERFLOW, loc, message);
}

/// `-Wfloat-equal`, `-Wint-in-bool-context`: what computes a number was hardly meant as a truth
/// value.
pub fn check_truth_value(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, loc: Loc) {
    let constant = |e: ExprRef<'_>| e.int_value().filter(|_| !e.flags.has(ExprFlags::TRUTH));
    let message = match expr.kind {
        ExprKind::Binary { op: BinaryOp::Mul, .. } if cx.types().is_integer(expr.ty.ty()) => {
            "'*' in boolean context, suggest '&&' instead"
        }
        ExprKind::Binary { op: BinaryOp::Shl, .. } if cx.types().is_signed(expr.ty.ty()) => {
            "'<<' in boolean context, did you mean '<'?"
        }
        // A macro that chooses between numbers is used for its truth value, too.
        ExprKind::Conditional { .. } if cx.sess.sources.data().is_of_definition(expr.loc) => "",
        ExprKind::Conditional { then, els, .. } => match (constant(then), constant(els)) {
            (Some(a), Some(b)) if a != 0 && b != 0 && (a != 1 || b != 1) => {
                "'?:' using integer constants in boolean context, the expression will always evaluate to 'true'"
            }
            (Some(a), Some(b)) if !(0..=1).contains(&a) || !(0..=1).contains(&b) => {
                "'?:' using integer constants in boolean context"
            }
            _ => "",
        },
        _ => "",
    };
    if !message.is_empty() {
        cx.warn(warning::INT_IN_BOOL_CONTEXT, expr.loc, message);
    }
    if cx.types().is_floating(expr.ty.ty()) && fold::constant_of(expr).is_none() {
        cx.warn(warning::FLOAT_EQUAL, loc, "comparing floating-point with '==' or '!=' is unsafe");
    }
}

/// `-Wchar-subscripts`
pub fn check_subscript(cx: &mut Sema<'_, '_>, index: ExprRef<'_>, loc: Loc) {
    if cx.types().canonical(index.ty.ty()) == Ty::CHAR && index.int_value().is_none() {
        cx.warn(warning::CHAR_SUBSCRIPTS, loc, "array subscript has type 'char'");
    }
}

/// `-Wscalar-storage-order`
pub fn check_address(cx: &mut Sema<'_, '_>, operand: ExprRef<'_>, loc: Loc) {
    if cx.types().holds_reversed(operand.ty.ty()) {
        let message = "address of array with reverse scalar storage order requested";
        cx.warn(warning::SCALAR_STORAGE_ORDER, loc, message);
    }
}

/// `-Wdouble-promotion`: one of two operands is a `float` and both become `double`.
pub fn check_promotion(cx: &mut Sema<'_, '_>, [a, b]: [Ty; 2], to: Ty, loc: Loc) {
    if to == Ty::DOUBLE
        && (a == Ty::FLOAT) != (b == Ty::FLOAT)
        && !cx.never_evaluated()
        && cx.types().is_floating(a)
        && cx.types().is_floating(b)
    {
        let message = "implicit conversion from 'float' to 'double' to match other operand of binary expression";
        cx.warn(warning::DOUBLE_PROMOTION, loc, message);
    }
}
