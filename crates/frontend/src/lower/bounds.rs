//! `-Warray-bounds` for constant indices. It is a matter of lowering, so that code which is never
//! reached stays out of it, and of optimising levels, as in gcc.

use base::warning;

use super::function::Fx;
use crate::tree::*;

/// Checks an access through `pointer`, which may be a constant element of an array.
pub fn check(fx: &Fx<'_, '_>, pointer: ExprRef<'_>) {
    let ExprKind::PtrAdd { ptr, index, negate, .. } = pointer.kind else { return };
    let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand: array } = ptr.kind else { return };
    if !fx.optimizing() || !fx.live {
        return;
    }
    let (Some(index), TypeKind::Array { len: ArrayLen::Constant(len), .. }) =
        (index.int_value(), fx.types().kind(array.ty.ty()))
    else {
        return;
    };
    let index = if negate { -index } else { index };
    // Elements of an array without any are `-Wzero-length-bounds`.
    if len == 0 || (0..i128::from(len)).contains(&index) {
        return;
    }
    let Some((name, declared)) = known_array(fx, array) else { return };
    let loc = pointer.loc;
    if !fx.session.warning_enabled(warning::ARRAY_BOUNDS, loc) {
        return;
    }
    let side = if index < 0 { "below" } else { "above" };
    let ty = crate::tree::print::type_name(fx.types(), &fx.session.interner, array.ty);
    let message = format!("array subscript {index} is {side} array bounds of '{ty}'");
    let note = format!("while referencing '{}'", fx.session.str(name));
    fx.session.warn(warning::ARRAY_BOUNDS, loc, message).note(declared, note).emit();
}

/// Name and place of an array whose length is as declared: a variable, a row of one, or a member of
/// a structure. Last members of one element are used as if they had any length.
fn known_array(fx: &Fx<'_, '_>, array: ExprRef<'_>) -> Option<(base::Symbol, base::Loc)> {
    match array.kind {
        ExprKind::Decl(id) => {
            let decl = &fx.unit.decls[id];
            Some((decl.name?, decl.loc))
        }
        ExprKind::Member { record, field, .. } => {
            let record = &fx.types().records[record];
            let last = field as usize + 1 == record.fields.len();
            let field = record.field(field);
            let flexible =
                last && !matches!(fx.types().kind(field.ty.ty()), TypeKind::Array { len: ArrayLen::Constant(2..), .. });
            (!flexible && record.kind == RecordKind::Struct).then_some((field.name?, field.loc))
        }
        ExprKind::Deref(Expr { kind: ExprKind::PtrAdd { ptr, .. }, .. }) => match ptr.kind {
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand: Expr { kind: ExprKind::Decl(id), .. } } => {
                let decl = &fx.unit.decls[*id];
                Some((decl.name?, decl.loc))
            }
            _ => None,
        },
        _ => None,
    }
}
