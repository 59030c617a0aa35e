//! `__builtin_va_arg_pack` and `__builtin_va_arg_pack_len`.
//!
//! They stand for the anonymous arguments of a call of an inline function, which must have been
//! inlined. Here each direct call of such a function becomes a call of a private copy whose
//! parameters are the named ones followed by one for each anonymous argument; inside the copy the
//! pack is the list of those parameters. The inliner treats the copy like any `always_inline`
//! function.

use ir::Type;
use smallvec::SmallVec;

use super::function::Fx;
use super::place::Rvalue;
use super::walk::{Node, walk};
use crate::tree::*;

/// Whether an argument is the pack.
pub fn is_pack(e: ExprRef<'_>) -> bool {
    match e.kind {
        ExprKind::Builtin { builtin: Builtin::VaArgPack, .. } => true,
        ExprKind::Cast { operand, .. } => matches!(operand.kind, ExprKind::Builtin { builtin: Builtin::VaArgPack, .. }),
        _ => false,
    }
}

/// Appends the anonymous arguments of the copy being lowered, last one first. False, with a
/// diagnostic, where there is no such copy.
pub fn expand(fx: &mut Fx<'_, '_>, types: &mut SmallVec<[Ty; 8]>, values: &mut SmallVec<[Rvalue; 8]>) -> bool {
    if !fx.is_va_pack_clone {
        fx.session.error(fx.loc, "invalid use of '__builtin_va_arg_pack ()'").emit();
        return false;
    }
    types.extend(fx.va_pack_types.iter().rev().copied());
    values.extend(fx.va_pack.iter().rev().copied());
    true
}

/// `__builtin_va_arg_pack_len()`
pub fn len(fx: &mut Fx<'_, '_>) -> Rvalue {
    if !fx.is_va_pack_clone {
        fx.session.error(fx.loc, "invalid use of '__builtin_va_arg_pack_len ()'").emit();
    }
    let count = fx.va_pack_types.len() as i64;
    Rvalue::Scalar(fx.iconst(Type::I32, count))
}

/// Whether a body uses either builtin.
pub fn is_used_by(def: &FunctionDef<'_>) -> bool {
    let mut found = false;
    walk(def.body.stmts.iter().map(Node::Stmt), |node| {
        found |= matches!(node, Node::Expr(e) if matches!(
            e.kind,
            ExprKind::Builtin { builtin: Builtin::VaArgPack | Builtin::VaArgPackLen, .. }
        ));
        !found
    });
    found
}
