//! Excess precision of decimal arithmetic, as gcc has it: an operation whose result is converted to
//! a wider decimal type is done in that type (C23 5.2.5.3.3 allows it under `__DEC_EVAL_METHOD__`
//! 2). gcc leaves operations with side effects in their operands as they are written, and so do we
//! with constants, which are folded before, and with very large expressions.

use super::{Sema, conversions, expressions};
use crate::tree::{BinaryOp, CastKind, DecimalFormat, ExprKind, ExprRef, Ty};

/// Nodes of the largest expression whose operations are widened. Each may be rebuilt once per
/// decimal type and level of nesting.
const LARGEST: usize = 256;

/// `expr` with its operations done in `to`, the wider of two decimal types; `None` if it is no such
/// operation.
pub fn widened<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, to: Ty) -> Option<ExprRef<'a>> {
    let from = expr.ty.ty();
    if format(cx, from)? >= format(cx, to)?
        || !matches!(expr.kind, ExprKind::Binary { .. } | ExprKind::Conditional { .. })
    {
        return None;
    }
    if !is_plain(expr) {
        return None;
    }
    match expr.kind {
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div), lhs, rhs } => {
            let (lhs, rhs) = (without_extensions(cx, lhs), without_extensions(cx, rhs));
            let (lhs, rhs) = (conversions::convert(cx, lhs, to), conversions::convert(cx, rhs, to));
            Some(expressions::binary::finish(cx, op, lhs, rhs, to.plain(), expr.loc))
        }
        ExprKind::Conditional { cond, then, els } => {
            let (then, els) = (conversions::convert(cx, then, to), conversions::convert(cx, els, to));
            Some(cx.value(ExprKind::Conditional { cond, then, els }, to, expr.loc))
        }
        _ => None,
    }
}

fn format(cx: &Sema<'_, '_>, ty: Ty) -> Option<DecimalFormat> {
    cx.types().decimal_format(ty)
}

/// What a decimal value was before it was made wider.
fn without_extensions<'a>(cx: &Sema<'_, 'a>, mut expr: ExprRef<'a>) -> ExprRef<'a> {
    while let ExprKind::Cast { kind: CastKind::Floating, operand } = expr.kind {
        match (format(cx, operand.ty.ty()), format(cx, expr.ty.ty())) {
            (Some(inner), Some(outer)) if inner <= outer => expr = operand,
            _ => break,
        }
    }
    expr
}

/// No side effects, and not too large.
fn is_plain(expr: ExprRef<'_>) -> bool {
    let mut work = vec![expr];
    let mut seen = 0;
    while let Some(e) = work.pop() {
        seen += 1;
        if seen > LARGEST || e.is_lvalue() && e.ty.quals().is_volatile() {
            return false;
        }
        match e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Decl(_) | ExprKind::Opaque(_) | ExprKind::String(_) => {}
            ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => work.push(operand),
            ExprKind::AddrOf(operand) | ExprKind::Deref(operand) | ExprKind::Member { base: operand, .. } => {
                work.push(operand);
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Logical { lhs, rhs, .. } => work.extend([lhs, rhs]),
            ExprKind::PtrAdd { ptr, index, .. } => work.extend([ptr, index]),
            ExprKind::Conditional { cond, then, els } => work.extend([cond, then, els]),
            _ => return false,
        }
    }
    true
}

/// The right operand of a compound assignment, in the type the operation is done in.
pub fn assignment_operand<'a>(cx: &mut Sema<'_, 'a>, lhs: Ty, rhs: ExprRef<'a>) -> ExprRef<'a> {
    let right = rhs.ty.ty();
    if format(cx, lhs).is_none() || format(cx, right).is_none() {
        return rhs;
    }
    let common = conversions::common_arithmetic(cx, lhs, right);
    conversions::convert(cx, rhs, common)
}
