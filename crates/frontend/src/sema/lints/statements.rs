//! `if` and `return`: conditions and branches that repeat each other, an `else` that belongs
//! elsewhere, addresses that die with the function.

use base::{Loc, warning};

use crate::sema::same::{same_statement, same_value};
use crate::sema::{Sema, conversions};
use crate::tree::{CastKind, DeclId, ExprKind, ExprRef, IfArm, Linkage, Stmt, StmtKind, StorageDuration};

/// `-Wreturn-local-addr`
pub fn check_local_address(cx: &mut Sema<'_, '_>, value: ExprRef<'_>) {
    if let ExprKind::LabelAddr(_) = value.kind {
        cx.warn(warning::RETURN_LOCAL_ADDR, value.loc, "function returns address of label");
    } else if let Some(id) = object_pointed_into(cx, value) {
        let decl = &cx.unit.decls[id];
        if decl.duration == StorageDuration::Automatic && decl.linkage == Linkage::None {
            // An array's conversion is where the array's expression begins.
            let array = cx.types().is_array(value.ty.ty()) || matches!(value.kind, ExprKind::Cast { .. });
            let loc = if array { conversions::start(cx, value) } else { value.loc };
            cx.warn(warning::RETURN_LOCAL_ADDR, loc, "function returns address of local variable");
        }
    }
}

/// The object that an address is in, as the expression says it.
fn object_pointed_into(cx: &Sema<'_, '_>, value: ExprRef<'_>) -> Option<DeclId> {
    let mut pointer = value;
    loop {
        let object = match pointer.kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } => {
                pointer = operand;
                continue;
            }
            ExprKind::PtrAdd { ptr, .. } => {
                pointer = ptr;
                continue;
            }
            ExprKind::AddrOf(operand) | ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => operand,
            _ if cx.types().is_array(pointer.ty.ty()) => pointer,
            _ => return None,
        };
        match conversions::root_object(object).kind {
            ExprKind::Decl(id) => return Some(id),
            ExprKind::Deref(inner) => pointer = inner,
            _ => return None,
        }
    }
}

/// `-Wduplicated-cond`: the condition of an `else if` that an earlier one of the chain has taken
/// already.
pub fn check_duplicated_condition(cx: &mut Sema<'_, '_>, arms: &[IfArm<'_>], cond: ExprRef<'_>) {
    if arms.is_empty() || cond.int_value().is_some() || !cx.sess.warning_enabled(warning::DUPLICATED_COND, cond.loc) {
        return;
    }
    if let Some(before) = arms.iter().find(|arm| same_value(&cx.unit, arm.cond, cond)) {
        cx.sess
            .warn(warning::DUPLICATED_COND, cond.loc, "duplicated 'if' condition")
            .note(before.cond.loc, "previously used here")
            .emit();
    }
}

/// `-Wduplicated-branches`: the last `if` and its `else` do the same.
pub fn check_duplicated_branches(cx: &mut Sema<'_, '_>, arms: &[IfArm<'_>], els: &Stmt<'_>, loc: Loc) {
    let Some(last) = arms.last() else { return };
    if cx.sess.warning_enabled(warning::DUPLICATED_BRANCHES, loc) && same_statement(&cx.unit, last.then, els) {
        cx.warn(warning::DUPLICATED_BRANCHES, loc, "this condition has identical branches");
    }
}

/// `-Wdangling-else`: the body of the `if` whose header ends at `open` is an `if` with the `else`.
pub fn check_dangling_else(cx: &mut Sema<'_, '_>, body: &Stmt<'_>, open: Loc) {
    if ends_in_else(body) {
        cx.warn(warning::DANGLING_ELSE, open, "suggest explicit braces to avoid ambiguous 'else'");
    }
}

/// An `if` with an `else`, maybe below loops without braces.
fn ends_in_else(stmt: &Stmt<'_>) -> bool {
    let mut stmt = stmt;
    loop {
        match stmt.kind {
            StmtKind::If { els, .. } => return els.is_some(),
            StmtKind::While { body, .. } => stmt = body,
            StmtKind::For(parts) => stmt = parts.body,
            _ => return false,
        }
    }
}
