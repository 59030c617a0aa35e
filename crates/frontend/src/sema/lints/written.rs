//! Warnings about operators as they were written: precedence that is easily misread, comparisons
//! that say nothing. What an operand was before folding is known to the parser alone, which passes
//! it on as [`Written`].

use base::{Loc, warning};

use crate::sema::Sema;
use crate::sema::constants::integers;
use crate::sema::same::same_value;
use crate::tree::{BinaryOp, CastKind, ExprFlags, ExprKind, ExprRef, IntInfo, Ty, UnaryOp};

/// The outermost operator of an operand without parentheses around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// None of the others.
    Other,
    /// Something in parentheses, or a cast.
    Enclosed,
    /// `!`
    Not,
    /// A literal of characters.
    String,
    /// An integer constant.
    Number,
    /// An operator of [`BinaryOp`].
    Binary(BinaryOp),
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

impl Written {
    fn is_comparison(self) -> bool {
        matches!(self, Written::Binary(op) if op.is_comparison())
    }

    fn is(self, op: BinaryOp) -> bool {
        self == Written::Binary(op)
    }
}

/// An operand and how it was written.
pub type Operand<'a> = (ExprRef<'a>, Written);

/// Everything about `lhs op rhs`.
pub fn check<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    // Names and plain literals on both sides need no parentheses, and most operands are.
    let plain = matches!(lhs.1, Written::Other | Written::Enclosed)
        && matches!(rhs.1, Written::Other | Written::Enclosed | Written::Number);
    if !plain {
        warn_parentheses(cx, op, lhs, rhs, loc);
    }
    if op.is_comparison() {
        if !plain {
            warn_not_of_comparison(cx, op, lhs, rhs, loc);
            warn_string_comparison(cx, op, lhs, rhs, loc);
        }
        // `size == (int)size` asks whether it fits, even where both are of one type.
        if lhs.1 == rhs.1 {
            warn_self_comparison(cx, op, lhs.0, rhs.0, loc);
        }
        warn_bitwise_comparison(cx, op, lhs.0, rhs.0, loc);
    }
}

/// `&&` within `||`, and operands that say the same.
pub fn check_logical<'a>(cx: &mut Sema<'_, 'a>, and: bool, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    let within = [lhs, rhs].into_iter().find(|o| o.1 == Written::LogicalAnd);
    if let Some((operand, _)) = within.filter(|_| !and) {
        cx.warn(warning::PARENTHESES, operand.loc, "suggest parentheses around '&&' within '||'");
    }
    if cx.sess.warning_enabled(warning::LOGICAL_OP, loc)
        && !cx.sess.sources.is_macro(loc)
        && lhs.0.int_value().is_none()
        && same_value(&cx.unit, lhs.0, rhs.0)
    {
        let word = if and { "and" } else { "or" };
        cx.warn(warning::LOGICAL_OP, loc, format!("logical '{word}' of equal expressions"));
    }
}

/// Mixtures of operators whose precedence is easily misread (gcc's `warn_about_parentheses`).
fn warn_parentheses<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    use BinaryOp::*;
    let find = |wanted: &dyn Fn(Written) -> bool| [lhs, rhs].into_iter().find(|o| wanted(o.1)).map(|o| o.0.loc);
    let one = |wanted: BinaryOp| find(&|w| w.is(wanted));
    let arithmetic = |w: Written| w.is(And) || w.is(Add) || w.is(Sub) || op == Or && w.is(Xor);
    let comparison = || find(&Written::is_comparison).map(|at| (at, "comparison".to_string()));
    let around = |at: Option<Loc>, what: &str| at.map(|at| (at, what.to_string()));
    let what = match op {
        Shl | Shr => around(one(Add), "'+'").or_else(|| around(one(Sub), "'-'")),
        And => around(one(Add), "'+'").or_else(|| around(one(Sub), "'-'")).or_else(comparison),
        Or | Xor => around(find(&arithmetic), "arithmetic").or_else(comparison),
        Eq | Ne => comparison(),
        Lt | Gt | Le | Ge => {
            let relational = |w: Written| matches!(w, Written::Binary(op) if op.is_relational());
            if let Some(at) = find(&relational) {
                let message = "comparisons like 'X<=Y<=Z' do not have their mathematical meaning";
                cx.warn(warning::PARENTHESES, at, message);
            }
            return;
        }
        _ => return,
    };
    let sign = op.spelling();
    if let Some((at, what)) = what {
        let place = if op.is_shift() { "inside" } else { "in operand of" };
        cx.warn(warning::PARENTHESES, at, format!("suggest parentheses around {what} {place} '{sign}'"));
    } else if matches!(op, And | Or) && lhs.1 == Written::Not && !is_boolean(cx, rhs) {
        let message =
            format!("suggest parentheses around operand of '!' or change '{sign}' to '{sign}{sign}' or '!' to '~'");
        let at = if lhs.0.loc.is_none() { loc } else { lhs.0.loc };
        cx.warn(warning::PARENTHESES, at, message);
    }
}

/// Looks like a truth value.
fn is_boolean(cx: &Sema<'_, '_>, (operand, written): Operand<'_>) -> bool {
    let folded = written != Written::Number && matches!(operand.int_value(), Some(0 | 1));
    let truth = match operand.kind {
        ExprKind::Logical { .. } | ExprKind::Unary { op: UnaryOp::LogicalNot, .. } => true,
        ExprKind::Binary { op, .. } => op.is_comparison(),
        _ => operand.flags.has(ExprFlags::TRUTH),
    };
    folded || truth || cx.types().canonical(operand.ty.ty()) == Ty::BOOL
}

/// `!a == b`
fn warn_not_of_comparison<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    let truth = rhs.0.flags.has(ExprFlags::TRUTH) && rhs.0.int_value().is_none();
    if lhs.1 != Written::Not || rhs.1 == Written::Not || truth || cx.types().canonical(rhs.0.ty.ty()) == Ty::BOOL {
        return;
    }
    if op.is_equality() && rhs.0.int_value() == Some(0) {
        return;
    }
    // `!!a == b` is meant, and `!a` of a truth value is as good as the value.
    let mut inner = lhs.0;
    while let ExprKind::Cast { kind: CastKind::Integral | CastKind::ToBool, operand }
    | ExprKind::Unary { op: UnaryOp::LogicalNot, operand } = inner.kind
    {
        inner = operand;
        if matches!(inner.kind, ExprKind::Unary { op: UnaryOp::LogicalNot, .. }) {
            return;
        }
    }
    if cx.types().canonical(inner.ty.ty()) == Ty::BOOL {
        return;
    }
    let message = "logical not is only applied to the left hand side of comparison";
    let note = "add parentheses around left hand side expression to silence this warning";
    cx.sess.warn(warning::LOGICAL_NOT_PARENTHESES, loc, message).note(lhs.0.loc, note).emit();
}

/// `s == "text"`
fn warn_string_comparison<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: Operand<'a>, rhs: Operand<'a>, loc: Loc) {
    let against = |string: Operand<'a>, other: Operand<'a>| {
        string.1 == Written::String && !(op.is_equality() && other.0.int_value() == Some(0))
    };
    if against(lhs, rhs) || against(rhs, lhs) {
        cx.warn(warning::ADDRESS, loc, "comparison with string literal results in unspecified behavior");
    }
}

/// `a == a`
fn warn_self_comparison(cx: &mut Sema<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    let macros = [loc, lhs.loc, rhs.loc].into_iter().any(|at| cx.sess.sources.is_macro(at));
    let floating = cx.types().is_floating(lhs.ty.ty()) || cx.types().is_floating(rhs.ty.ty());
    if lhs.int_value().is_some() || floating || !same_value(&cx.unit, lhs, rhs) || macros || has_constant_index(lhs) {
        return;
    }
    let truth = matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge);
    cx.warn(warning::TAUTOLOGICAL_COMPARE, loc, format!("self-comparison always evaluates to {truth}"));
}

/// An element with a constant index: often what a macro made of its argument.
fn has_constant_index(expr: ExprRef<'_>) -> bool {
    let mut expr = expr;
    loop {
        match expr.kind {
            ExprKind::PtrAdd { index, .. } if index.int_value().is_some() => return true,
            ExprKind::PtrAdd { ptr: operand, .. }
            | ExprKind::Cast { operand, .. }
            | ExprKind::Deref(operand)
            | ExprKind::Member { base: operand, .. } => expr = operand,
            _ => return false,
        }
    }
}

/// `(a & 4) == 3`, `(a | 4) == 3`
fn warn_bitwise_comparison(cx: &mut Sema<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>, rhs: ExprRef<'_>, loc: Loc) {
    if !op.is_equality() {
        return;
    }
    let (mut bits, constant) = match (lhs.int_value(), rhs.int_value()) {
        (None, Some(value)) => (lhs, value),
        (Some(value), None) => (rhs, value),
        _ => return,
    };
    while let ExprKind::Cast { kind: CastKind::Integral, operand } = bits.kind {
        bits = operand;
    }
    let ExprKind::Binary { op: inner, lhs: a, rhs: b } = bits.kind else { return };
    let Some(mask) = b.int_value().or_else(|| a.int_value()) else { return };
    // gcc has narrowed an operation on a narrow unsigned value by now, and does not look through
    // that.
    let other = if b.int_value().is_some() { a } else { b };
    if let ExprKind::Cast { kind: CastKind::Integral, operand } = other.kind
        && let (Some(narrow), Some(wide)) = (cx.types().int_info(operand.ty.ty()), cx.types().int_info(other.ty.ty()))
        && narrow.bits < wide.bits
        && !narrow.signed
        && integers::fits(mask, narrow)
    {
        return;
    }
    // In the type that the comparison is made in, signs do not matter.
    let wider = |a: Option<IntInfo>, b: Option<IntInfo>| a.zip(b).map(|(a, b)| a.bits.max(b.bits).max(32));
    let Some(width) = wider(cx.types().int_info(lhs.ty.ty()), cx.types().int_info(rhs.ty.ty())) else { return };
    let low = |value: i128| integers::wrap(value, IntInfo { bits: width, signed: false, rank: 0 });
    let (constant, mask) = (low(constant), low(mask));
    let impossible = match inner {
        BinaryOp::And => constant & mask != constant,
        BinaryOp::Or => constant | mask != constant,
        _ => return,
    };
    if impossible {
        let truth = op == BinaryOp::Ne;
        let message = format!("bitwise comparison always evaluates to {truth}");
        cx.warn(warning::TAUTOLOGICAL_COMPARE, loc, message);
    }
}
