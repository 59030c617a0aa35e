//! Questions about a whole expression.

pub use crate::tree::walk::{Node, walk};
use crate::tree::*;

/// Whether evaluating an expression does more than compute a value.
pub fn has_side_effects(e: ExprRef<'_>) -> bool {
    let mut found = false;
    walk([Node::Expr(e)], |node| {
        found |= match node {
            Node::Stmt(_) => true,
            Node::Expr(e) => match e.kind {
                ExprKind::Assign { .. }
                | ExprKind::Update(_)
                | ExprKind::Call { .. }
                | ExprKind::Atomic(_)
                | ExprKind::Overflow(_)
                | ExprKind::VaArg { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::CompoundLiteral { .. }
                | ExprKind::WithBounds { .. } => true,
                ExprKind::Builtin { builtin, .. } => !builtin.only_computes(),
                ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => operand.ty.quals().is_volatile(),
                _ => false,
            },
        };
        !found
    });
    found
}
