//! Comparisons and `?:`: signs that get lost, constants out of range, pointers and zeros.

use base::{Loc, warning};

use super::enum_mixtures;
use crate::sema::constants::address::{StaticValue, evaluate};
use crate::sema::constants::fold::Constant;
use crate::sema::{Sema, conversions};
use crate::tree::{BinaryOp, Builtin, CastKind, ExprFlags, ExprKind, ExprRef, Ty, TypeKind};

/// `p < 0`
fn warn_ordered(cx: &mut Sema<'_, '_>, loc: Loc) {
    let message = "ordered comparison of pointer with integer zero";
    if cx.sess.warning_enabled(warning::PEDANTIC, loc) {
        cx.pedantic(loc, message);
    } else {
        cx.warn(warning::EXTRA_WARNINGS, loc, message);
    }
}

/// An integer that is zero compared with a pointer.
pub fn check_null(cx: &mut Sema<'_, '_>, op: BinaryOp, integer: ExprRef<'_>, pointer: ExprRef<'_>, loc: Loc) {
    if op.is_relational() {
        warn_ordered(cx, loc);
    } else if cx.types().canonical(integer.ty.ty()) == Ty::CHAR || integer.loc == cx.lints.zero_character {
        let message = "comparison between pointer and zero character constant";
        let warning = cx.sess.warn(warning::POINTER_COMPARE, loc, message);
        warning.note(pointer.loc, "did you mean to dereference the pointer?").emit();
    }
}

/// `-Wsign-compare` and `-Wfloat-equal`.
pub fn check<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) {
    let (a, b) = (lhs.ty.ty(), rhs.ty.ty());
    if op.is_equality() && (cx.types().is_floating(a) || cx.types().is_floating(b)) {
        cx.warn(warning::FLOAT_EQUAL, loc, "comparing floating-point with '==' or '!=' is unsafe");
        return;
    }
    enum_mixtures::check_comparison(cx, lhs, rhs, loc);
    check_limits(cx, op, lhs, rhs, loc);
    if cx.never_evaluated() {
        return;
    }
    let (p, q) = (conversions::promoted_type(cx, lhs), conversions::promoted_type(cx, rhs));
    let (Some(m), Some(n)) = (cx.types().int_info(p), cx.types().int_info(q)) else { return };
    if m.signed == n.signed {
        return;
    }
    let (signed, s, u) = if m.signed { (lhs, m, n) } else { (rhs, n, m) };
    // Harmless if the signed operand cannot be negative, or is converted to a wider signed type.
    let original = cx.types().int_info(signed.ty.ty());
    if s.bits > u.bits || never_negative(cx, signed) || original.is_some_and(|i| !i.signed) {
        return;
    }
    // Nor is an equality with an unsigned constant that the signed type of the comparison holds.
    let unsigned = if m.signed { rhs } else { lhs };
    let largest = 1i128 << (s.bits.max(u.bits).min(127) - 1);
    if op.is_equality() && unsigned.int_value().is_some_and(|v| (0..largest).contains(&v)) {
        return;
    }
    // Calls with a known result are constants as well (`== strlen("chunked")`).
    if op.is_equality()
        && matches!(unsigned.kind, ExprKind::Call { .. })
        && matches!(evaluate(cx, unsigned), Some(StaticValue::Constant(Constant::Int(v))) if (0..largest).contains(&v))
    {
        return;
    }
    if !cx.sess.warning_enabled(warning::SIGN_COMPARE, loc) {
        return;
    }
    let (a, b) = (cx.tname(lhs.written), cx.tname(rhs.written));
    let message = format!("comparison of integer expressions of different signedness: {a} and {b}");
    cx.warn(warning::SIGN_COMPARE, loc, message);
}

/// `-Wbool-compare`, `-Wtype-limits`: comparisons with a constant that the other operand's type
/// decides.
fn check_limits(cx: &mut Sema<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    let (op, operand, constant) = match (lhs.int_value(), rhs.int_value()) {
        (None, Some(value)) => (op, lhs, value),
        (Some(value), None) => (op.swapped(), rhs, value),
        _ => return,
    };
    let ty = operand.ty.ty();
    let truth = operand.flags.has(ExprFlags::TRUTH) || cx.types().canonical(ty) == Ty::BOOL;
    let holds = |value: i128| match op {
        BinaryOp::Eq => value == constant,
        BinaryOp::Ne => value != constant,
        BinaryOp::Lt => value < constant,
        BinaryOp::Le => value <= constant,
        BinaryOp::Gt => value > constant,
        _ => value >= constant,
    };
    if truth {
        if !(0..=1).contains(&constant) {
            let outcome = holds(0);
            let message = format!("comparison of constant '{constant}' with boolean expression is always {outcome}");
            cx.warn(warning::BOOL_COMPARE, loc, message);
        }
        return;
    }
    if matches!(cx.kind(ty), TypeKind::Enum(_)) {
        return;
    }
    let common = conversions::promoted_type(cx, operand);
    let (Some(own), Some(promoted)) = (cx.types().int_info(ty), cx.types().int_info(common)) else { return };
    let unsigned = !promoted.signed && constant == 0;
    if unsigned && matches!(op, BinaryOp::Lt | BinaryOp::Ge) {
        let (sign, outcome) = if op == BinaryOp::Lt { ("< 0", false) } else { (">= 0", true) };
        let message = format!("comparison of unsigned expression in '{sign}' is always {outcome}");
        cx.warn(warning::TYPE_LIMITS, loc, message);
    } else if own.bits < promoted.bits && conversions::bit_field_width(cx, operand).is_none() {
        let high = (1i128 << (own.bits - u32::from(own.signed))) - 1;
        let low = if own.signed { -high - 1 } else { 0 };
        if holds(low) == holds(high) && (op.is_relational() || !(low..=high).contains(&constant)) {
            let message = format!("comparison is always {} due to limited range of data type", holds(low));
            cx.warn(warning::TYPE_LIMITS, loc, message);
        }
    }
}

/// `-Wsign-compare`: a signed arm that becomes unsigned because the other one is.
pub fn check_conditional(cx: &mut Sema<'_, '_>, then: ExprRef<'_>, els: ExprRef<'_>, loc: Loc) {
    let (Some(m), Some(n)) = (cx.types().int_info(then.ty.ty()), cx.types().int_info(els.ty.ty())) else { return };
    if m.signed == n.signed || cx.never_evaluated() {
        return;
    }
    let (signed, other) = if m.signed { (then, els) } else { (els, then) };
    let (p, q) = (conversions::promoted_type(cx, then), conversions::promoted_type(cx, els));
    let common = conversions::common_arithmetic(cx, p, q);
    if cx.types().is_signed(common) || never_negative(cx, signed) {
        return;
    }
    let (from, other) = (cx.tname(signed.written), cx.tname(other.written));
    let message =
        format!("operand of '?:' changes signedness from {from} to {other} due to unsignedness of other operand");
    // An arm in parentheses, as macros write their arguments, stands where these are.
    let enclosed = signed.flags.has(ExprFlags::PAREN) && cx.sess.sources.is_macro(signed.loc);
    let at = if signed.loc.is_none() || enclosed { loc } else { conversions::start(cx, signed) };
    cx.warn(warning::SIGN_COMPARE, at, message);
}

/// Operators that are looked through for signs.
const MAX_SIGN_DEPTH: u32 = 64;

/// Obviously not negative, by its operators (gcc's `tree_expr_nonnegative_p`): constants, truth
/// values, extended unsigned values, and what operators make of such.
pub fn never_negative(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    never_negative_within(cx, expr, MAX_SIGN_DEPTH)
}

fn never_negative_within(cx: &Sema<'_, '_>, expr: ExprRef<'_>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let holds = |expr: ExprRef<'_>| never_negative_within(cx, expr, depth - 1);
    if expr.flags.has(ExprFlags::TRUTH) {
        return true;
    }
    match expr.kind {
        ExprKind::Int(bits) => bits.signed() >= 0,
        ExprKind::Cast { kind: CastKind::Integral, operand } => {
            let infos = (cx.types().int_info(expr.ty.ty()), cx.types().int_info(operand.ty.ty()));
            let (Some(to), Some(from)) = infos else { return false };
            extended_bits(cx, expr).is_some() || (from.signed && from.bits <= to.bits && holds(operand))
        }
        ExprKind::Binary { op, lhs, rhs } => match op {
            BinaryOp::And => holds(lhs) || holds(rhs),
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::Mul | BinaryOp::Div => holds(lhs) && holds(rhs),
            BinaryOp::Rem | BinaryOp::Shr => holds(lhs),
            BinaryOp::Add => {
                let bits = |expr| extended_bits(cx, expr).unwrap_or(u32::MAX - 1);
                let sum = bits(lhs).max(bits(rhs)) + 1;
                cx.types().int_info(expr.ty.ty()).is_some_and(|info| sum < info.bits)
            }
            _ => op.is_comparison(),
        },
        ExprKind::Logical { .. } => true,
        ExprKind::Conditional { then, els, .. } | ExprKind::ConditionalOmitted { then, els, .. } => {
            holds(then) && holds(els)
        }
        ExprKind::Comma { rhs, .. } | ExprKind::Assign { rhs, .. } => holds(rhs),
        ExprKind::StmtExpr { result: Some(result), .. } => holds(result),
        ExprKind::Builtin { builtin, .. } => {
            matches!(builtin, Builtin::Abs | Builtin::Ffs | Builtin::Clz | Builtin::Popcount | Builtin::Parity)
        }
        _ => false,
    }
}

/// How wide the unsigned value is that a conversion extends with zeros.
fn extended_bits(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<u32> {
    let ExprKind::Cast { kind: CastKind::Integral, operand } = expr.kind else { return None };
    let (to, from) = (cx.types().int_info(expr.ty.ty())?, cx.types().int_info(operand.ty.ty())?);
    let bits = conversions::bit_field_width(cx, operand).unwrap_or(from.bits);
    (!from.signed && bits < to.bits).then_some(bits)
}
