//! `sizeof`, `_Alignof` (C23 6.5.4.5) and sizes of elements in pointer arithmetic.

use base::{Loc, warning};

use crate::sema::{Sema, conversions, lints, types};
use crate::tree::{ArrayLen, Category, ElementSize, ExprKind, ExprRef, QualType, Ty, TypeKind};

/// Size of a complete object type as an expression of type `size_t`; for variable-length arrays it
/// multiplies the bounds.
pub fn size_expr<'a>(cx: &mut Sema<'_, 'a>, ty: QualType, loc: Loc) -> ExprRef<'a> {
    if let Some(size) = cx.types().size_of(ty) {
        return cx.ice(size as i128, Ty::SIZE, loc);
    }
    match cx.kind(ty) {
        TypeKind::Array { elem, len } => {
            let elem = size_expr(cx, elem, loc);
            let len = match len {
                ArrayLen::Variable(vla) => cx.value(ExprKind::VlaLen(vla), Ty::SIZE, loc),
                ArrayLen::Constant(n) => cx.ice(n as i128, Ty::SIZE, loc),
                ArrayLen::Incomplete | ArrayLen::Star => cx.ice(0, Ty::SIZE, loc),
            };
            conversions::size_product(cx, len, elem)
        }
        TypeKind::Record(id) if let Some(vla) = cx.types().records[id].size_vla => {
            cx.value(ExprKind::VlaLen(vla), Ty::SIZE, loc)
        }
        // GNU: sizeof(void) and sizeof(function) are 1.
        _ => cx.ice(1, Ty::SIZE, loc),
    }
}

/// Size of what a pointer points to, for arithmetic on it. Reports incomplete types.
pub fn element_size<'a>(cx: &mut Sema<'_, 'a>, pointee: QualType, loc: Loc) -> Option<ElementSize<'a>> {
    match cx.kind(pointee) {
        TypeKind::Void => {
            cx.pedwarn_pointer_arith(loc, "pointer of type 'void *' used in arithmetic");
            return Some(ElementSize::Constant(1));
        }
        TypeKind::Function(_) => {
            cx.pedwarn_pointer_arith(loc, "pointer to a function used in arithmetic");
            return Some(ElementSize::Constant(1));
        }
        _ => {}
    }
    if let Some(size) = cx.types().size_of(pointee) {
        return Some(ElementSize::Constant(size));
    }
    if cx.types().is_incomplete(pointee.ty()) {
        let name = cx.tname(pointee.unqualified());
        match cx.kind(pointee) {
            TypeKind::Array { .. } => cx.error(loc, "invalid use of array with unspecified bounds"),
            _ => cx.error(loc, format!("invalid use of undefined type {name}")),
        }
        return None;
    }
    let size = size_expr(cx, pointee, loc);
    Some(ElementSize::Variable(size))
}

impl Sema<'_, '_> {
    /// A GNU extension of pointer arithmetic: `-Wpointer-arith`, part of `-pedantic`.
    pub fn pedwarn_pointer_arith(&mut self, loc: Loc, message: &str) {
        self.pedwarn_ext(warning::POINTER_ARITH, loc, message);
    }
}

/// `sizeof (type-name)`, the type as written.
pub fn sizeof_type<'a>(cx: &mut Sema<'_, 'a>, ty: QualType, loc: Loc) -> ExprRef<'a> {
    match cx.kind(ty) {
        TypeKind::Error => return cx.error_expr(loc),
        TypeKind::Void => cx.pedwarn_pointer_arith(loc, "invalid application of 'sizeof' to a void type"),
        TypeKind::Function(_) => {
            cx.pedwarn_pointer_arith(loc, "invalid application of 'sizeof' to a function type");
        }
        _ if cx.types().is_incomplete(ty.ty()) => {
            let name = cx.tname(ty.unqualified());
            cx.error(loc, format!("invalid application of 'sizeof' to incomplete type {name}"));
            return cx.error_expr(loc);
        }
        _ => {}
    }
    let bare = cx.unit.types.bare(ty);
    let size = size_expr(cx, bare, loc);
    lints::sizeof_type(cx, size, ty);
    size
}

/// `sizeof expression`; the operand has been parsed as unevaluated.
pub fn sizeof_expr<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    if operand.cat == Category::BitField {
        cx.error(loc, "'sizeof' applied to a bit-field");
        return cx.error_expr(loc);
    }
    lints::sizeof_operand(cx, operand, loc);
    let size = sizeof_type(cx, operand.written, loc);
    // The operand of a variable-length array type is evaluated.
    if cx.types().is_vla(operand.ty.ty()) && !matches!(operand.kind, ExprKind::Decl(_)) && !size.is_error() {
        let effect = super::discard(cx, operand);
        return cx.value(ExprKind::Comma { lhs: effect, rhs: size }, Ty::SIZE, loc);
    }
    lints::sizeof_expression(cx, size, operand);
    size
}

/// The number of elements of an array type, as an expression of type `size_t` (C2Y 6.5.4.5).
pub fn count<'a>(cx: &mut Sema<'_, 'a>, ty: QualType, loc: Loc) -> ExprRef<'a> {
    match cx.kind(ty) {
        TypeKind::Error => cx.error_expr(loc),
        TypeKind::Array { len: ArrayLen::Constant(n), .. } => cx.ice(n as i128, Ty::SIZE, loc),
        TypeKind::Array { len: ArrayLen::Variable(vla), .. } => cx.value(ExprKind::VlaLen(vla), Ty::SIZE, loc),
        TypeKind::Array { .. } => {
            let name = cx.tname(ty.unqualified());
            cx.error(loc, format!("invalid application of '_Countof' to incomplete type {name}"));
            cx.error_expr(loc)
        }
        _ => {
            let name = cx.tname(ty.unqualified());
            cx.error(loc, format!("invalid application of '_Countof' to type {name}"));
            cx.error_expr(loc)
        }
    }
}

/// `_Countof expression`; the operand has been parsed as unevaluated. It is evaluated if the number
/// of elements varies.
pub fn countof_expr<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    let count = count(cx, operand.ty, loc);
    let evaluated = matches!(count.kind, ExprKind::VlaLen(_)) && !matches!(operand.kind, ExprKind::Decl(_));
    if !evaluated {
        return count;
    }
    let effect = super::discard(cx, operand);
    cx.value(ExprKind::Comma { lhs: effect, rhs: count }, Ty::SIZE, loc)
}

/// `_Alignof (type-name)`, `__alignof__` of either.
pub fn alignof_type<'a>(cx: &mut Sema<'_, 'a>, ty: QualType, spelling: &str, loc: Loc) -> ExprRef<'a> {
    match cx.kind(ty) {
        TypeKind::Error => return cx.error_expr(loc),
        TypeKind::Function(_) | TypeKind::Void => {
            let kind = if cx.kind(ty) == TypeKind::Void { "a void type" } else { "a function type" };
            cx.pedwarn_pointer_arith(loc, &format!("invalid application of '{spelling}' to {kind}"));
            return cx.ice(1, Ty::SIZE, loc);
        }
        TypeKind::Array { elem, .. } if !cx.types().is_incomplete(elem.ty()) => {}
        _ if cx.types().is_incomplete(ty.ty()) => {
            let name = cx.tname(ty.unqualified());
            cx.error(loc, format!("invalid application of '{spelling}' to incomplete type {name}"));
            return cx.error_expr(loc);
        }
        _ => {}
    }
    let align = cx.types().align_of(ty);
    cx.ice(align as i128, Ty::SIZE, loc)
}

/// `__alignof__ expression`: of a declared object or member, its own alignment.
pub fn alignof_expr<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, spelling: &str, loc: Loc) -> ExprRef<'a> {
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    let own = match operand.kind {
        ExprKind::Decl(id) => cx.unit.decls[id].align,
        ExprKind::Member { record, field, .. } => {
            let field = cx.types().records[record].field(field);
            if field.bits.is_some() {
                cx.error(loc, format!("'{spelling}' applied to a bit-field"));
                return cx.error_expr(loc);
            }
            if field.packed && field.declared_align == 0 {
                return cx.ice(1, Ty::SIZE, loc);
            }
            field.declared_align
        }
        _ => 0,
    };
    if own != 0 {
        return cx.ice(own as i128, Ty::SIZE, loc);
    }
    alignof_type(cx, operand.ty, spelling, loc)
}

/// Reports and answers false if a type cannot be an operand whose size matters.
pub fn require_object(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) -> bool {
    types::require_complete(cx, ty, loc)
}
