//! `-Wscalar-storage-order`: pointers that are converted between structures whose scalars are
//! stored in different orders.

use base::{Loc, warning};

use crate::sema::assignment_conversions::AssignContext;
use crate::sema::suggestions::{self, Wanted};
use crate::sema::{Sema, conversions};
use crate::tree::{AttrFlags, CastKind, ExprKind, ExprRef, QualType, TypeKind};

/// `expr`, a pointer to `from`, is converted to `target`, a pointer to `to`.
pub fn check(
    cx: &mut Sema<'_, '_>,
    expr: ExprRef<'_>,
    (from, to): (QualType, QualType),
    target: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) {
    if is_reversed(cx, from) == is_reversed(cx, to) || conversions::is_null_pointer_constant(cx, expr) {
        return;
    }
    if is_new_memory(cx, expr) && !matches!(context, AssignContext::Argument { .. }) {
        return;
    }
    let (to, from) = (cx.tname(target.unqualified()), cx.tname(expr.ty));
    let message = match context {
        AssignContext::Argument { callee, .. } if is_library(callee) => return,
        AssignContext::Argument { number, callee, .. } => {
            format!("passing argument {number} of {callee} from incompatible scalar storage order")
        }
        AssignContext::Assign { .. } => {
            format!("assignment to {to} from pointer type {from} with incompatible scalar storage order")
        }
        AssignContext::Init { .. } => {
            format!("initialization of {to} from pointer type {from} with incompatible scalar storage order")
        }
        AssignContext::Return => {
            format!("returning {from} from pointer type with incompatible scalar storage order {to}")
        }
    };
    cx.warn(warning::SCALAR_STORAGE_ORDER, loc, message);
}

/// A structure or union with scalars in reversed order.
fn is_reversed(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    match cx.kind(ty) {
        TypeKind::Record(id) => {
            cx.types().records[id].fields.iter().any(|field| cx.types().holds_reversed(field.ty.ty()))
        }
        _ => false,
    }
}

/// The result of a function that allocates.
fn is_new_memory(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    match expr.kind {
        ExprKind::Builtin { .. } => true,
        ExprKind::Call { callee, .. } => match callee.kind {
            ExprKind::Cast { kind: CastKind::FunctionToPointer, operand } => match operand.kind {
                ExprKind::Decl(id) => cx.unit.attrs(id).is_some_and(|attrs| attrs.flags.has(AttrFlags::MALLOC)),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// The C library's functions take bytes in any order.
fn is_library(callee: &str) -> bool {
    let name = callee.trim_matches('\'');
    name.starts_with("__builtin_") || suggestions::header(name, Wanted::Function).is_some()
}
