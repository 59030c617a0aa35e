//! Constant folding and constant expressions (C23 6.6).
//!
//! Folding happens as nodes are made: the functions here are asked by the conversions and operators
//! before they allocate a node, and answer with the constant when all operands are constants.
//! [`fold`] holds that; [`address`] evaluates what may stand in a static initialiser; this file has
//! the checks of contexts that demand an integer constant expression.

pub mod address;
mod complex;
pub mod decimal;
pub mod floats;
pub mod fold;
pub mod integers;
pub mod known;
mod library;
pub mod wide;

use base::Loc;

use super::Sema;
use crate::tree::{ExprFlags, ExprRef, Ty};

/// How strictly a context demands an integer constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// Anything gcc folds to an integer is taken, with a pedantic warning (case labels,
    /// enumerators, bit-field widths).
    Folded,
    /// Only a true integer constant expression.
    Exact,
}

/// What an expression folds to. Inside functions that are optimised `const` variables are read, as
/// gcc's optimiser does.
pub fn integer_value<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<i128> {
    let value = fold::integer_value(cx, expr);
    if value.is_some() || cx.functions.is_empty() || !cx.options.optimizing() {
        return value;
    }
    match address::evaluate(cx, expr)? {
        address::StaticValue::Constant(fold::Constant::Int(value)) => Some(value),
        _ => None,
    }
}

/// The value of an expression that must be an integer constant; reports `message` otherwise.
pub fn require_integer<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    strictness: Strictness,
    message: &str,
    pedantic: &str,
) -> Option<(i128, Ty)> {
    if expr.is_error() {
        return None;
    }
    let ty = expr.ty.ty();
    let value = match strictness {
        Strictness::Folded => integer_value(cx, expr),
        Strictness::Exact => fold::integer_value(cx, expr),
    };
    let value = value.filter(|_| cx.types().is_integer(ty));
    if value.is_none() && matches!(expr.kind, crate::tree::ExprKind::Wide(_)) {
        cx.error(expr.loc, "integer constant is too large for this use");
        return None;
    }
    match value {
        Some(value) => {
            if !expr.flags.has(ExprFlags::ICE) {
                if strictness == Strictness::Exact {
                    cx.error(expr.loc, message);
                    return None;
                }
                cx.pedantic(expr.loc, pedantic);
            }
            report_overflow(cx, expr);
            Some((value, ty))
        }
        None => {
            cx.error(expr.loc, message);
            None
        }
    }
}

/// A constant that overflowed while it was folded is diagnosed where it must be constant (C23 6.6
/// paragraph 4).
pub fn report_overflow(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    if expr.flags.has(ExprFlags::OVERFLOW) {
        cx.pedantic(expr.loc, "overflow in constant expression");
    }
}

/// Warns of a signed overflow just folded.
pub fn warn_overflow(cx: &mut Sema<'_, '_>, loc: Loc, ty: Ty, value: i128) {
    if !cx.never_evaluated() {
        let text = cx.tname(ty);
        cx.warn(
            base::warning::OVERFLOW,
            loc,
            format!("integer overflow in expression of type {text} results in '{value}'"),
        );
    }
}
