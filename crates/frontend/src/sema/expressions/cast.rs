//! Explicit casts (C23 6.5.5) and compound literals (6.5.3.6).

use base::Loc;

use crate::sema::constants::fold;
use crate::sema::{Sema, conversions, declarations, excess, lints, types};
use crate::tree::{
    CastKind, Category, DeclId, Expr, ExprFlags, ExprKind, ExprRef, Initializer, QualType, Ty, TypeKind,
};

/// `(type) operand`, the type as written.
pub fn cast<'a>(cx: &mut Sema<'_, 'a>, written: QualType, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    // As in gcc, the name of the type itself is gone, and those in it stay.
    let written = cx.types().main_variant(written);
    let node = cast_to(cx, written, operand, loc);
    cx.with_written(node, written)
}

fn cast_to<'a>(cx: &mut Sema<'_, 'a>, written: QualType, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let to = cx.types().bare_ty(written.ty());
    if operand.is_error() || cx.types().is_error(to) {
        return cx.error_expr(loc);
    }
    if cx.kind(to) == TypeKind::Void {
        // As in gcc, `(void)(x = y)` uses `x`.
        if let ExprKind::Assign { lhs, .. } = operand.kind {
            conversions::mark_referenced(cx, lhs);
        }
        let operand = super::discard(cx, operand);
        if operand.is_error() {
            return operand;
        }
        return cx.value(ExprKind::Cast { kind: CastKind::ToVoid, operand }, Ty::VOID, loc);
    }
    match cx.kind(to) {
        TypeKind::Array { .. } => {
            cx.error(loc, "cast specifies array type");
            return cx.error_expr(loc);
        }
        TypeKind::Function(_) => {
            cx.error(loc, "cast specifies function type");
            return cx.error_expr(loc);
        }
        _ => {}
    }
    let operand = conversions::rvalue(cx, operand);
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    let from = operand.ty.ty();
    if cx.kind(from) == TypeKind::Void {
        cx.error(loc, "void value not ignored as it ought to be");
        return cx.error_expr(loc);
    }
    if let TypeKind::Record(id) = cx.kind(to) {
        return to_record(cx, id, to, operand, loc);
    }
    if cx.types().is_vector(to) || cx.types().is_vector(from) {
        return to_vector(cx, to, operand, loc);
    }
    if cx.types().is_record(from) || !cx.types().is_scalar(to) {
        if cx.types().is_record(from) {
            if cx.types().is_pointer(to) {
                cx.error(loc, "cannot convert to a pointer type");
            } else {
                cx.error(loc, "aggregate value used where an integer was expected");
            }
        } else {
            cx.error(loc, "conversion to non-scalar type requested");
        }
        return cx.error_expr(loc);
    }
    lints::cast(cx, written, operand, loc);
    check_scalar(cx, written, operand, loc)
}

/// Casts between scalars: constraints and warnings, then the conversion.
fn check_scalar<'a>(cx: &mut Sema<'_, 'a>, written: QualType, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (from, to) = (operand.ty.ty(), cx.types().bare_ty(written.ty()));
    let (s, t) = (cx.kind(from), cx.kind(to));
    let float = |cx: &Sema<'_, 'a>, ty: Ty| matches!(cx.kind(ty), TypeKind::Float(_) | TypeKind::Complex(_));
    match (s, t) {
        (TypeKind::Pointer(_), _) if float(cx, to) => {
            let to = cx.tname(to);
            let _ = to;
            cx.error(loc, "pointer value used where a floating-point was expected");
            return cx.error_expr(loc);
        }
        (_, TypeKind::Pointer(_)) if float(cx, from) => {
            cx.error(loc, "cannot convert to a pointer type");
            return cx.error_expr(loc);
        }
        (TypeKind::NullPtr, _) if !matches!(t, TypeKind::Pointer(_) | TypeKind::Bool | TypeKind::NullPtr) => {
            cx.error(loc, "conversion from 'nullptr_t' to an integer or floating-point type");
            return cx.error_expr(loc);
        }
        (_, TypeKind::NullPtr) if s != TypeKind::NullPtr && !conversions::is_null_pointer_constant(cx, operand) => {
            let from = cx.tname(from);
            cx.error(loc, format!("conversion from {from} to 'nullptr_t'"));
            return cx.error_expr(loc);
        }
        _ => lints::scalar_cast(cx, written, operand, loc),
    }
    let null = cx.types().canonical(to) == Ty::VOID_PTR && conversions::is_null_pointer_constant(cx, operand);
    let strict_null = null && cx.types().is_integer(from);
    let written = excess::unrounded(operand).unwrap_or(operand);
    let immediate_float = matches!(written.kind, ExprKind::Float(_)) && operand.flags.has(ExprFlags::ICE);
    let mut value = conversions::convert(cx, operand, to);
    if value.is_error() {
        return value;
    }
    if !immediate_float && cx.types().is_floating(from) {
        value = cx.without_flags(value, ExprFlags::ICE);
    }
    if cx.types().is_pointer(to) {
        value = cx.without_flags(value, ExprFlags::ICE);
    }
    if conversions::bit_field_width(cx, value).is_some() {
        // The cast's value is of the declared type, no longer of the bit-field's width.
        value = conversions::cast_node(cx, CastKind::NoOp, value, to);
    }
    if matches!(value.kind, ExprKind::Cast { kind: CastKind::RealToComplex, .. }) {
        // What is cast has an imaginary part, unlike what an operator's other operand makes
        // complex.
        value = conversions::cast_node(cx, CastKind::NoOp, value, to);
    }
    let mut flags = value.flags.without(ExprFlags::PAREN.with(ExprFlags::NULL).with(ExprFlags::OVERFLOW));
    if strict_null {
        flags = flags.with(ExprFlags::NULL);
    }
    // The cast is a new expression even when the type stays: not an lvalue, not the literal itself.
    cx.arena.alloc(Expr { flags, loc, ty: to.plain(), written: to.plain(), ..*value })
}

/// Casts to a record: to its own type (pedantic), or into a union member (GNU).
fn to_record<'a>(
    cx: &mut Sema<'_, 'a>,
    id: crate::tree::RecordId,
    to: Ty,
    operand: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let from = operand.ty.ty();
    if cx.types().canonical(from) == cx.types().canonical(to) {
        cx.pedantic(loc, "ISO C forbids casting nonscalar to the same type");
        return conversions::convert(cx, operand, to);
    }
    if cx.types().records[id].kind == crate::tree::RecordKind::Union {
        let index = cx.types().records[id]
            .fields
            .iter()
            .position(|f| types::compatible_unqualified(cx.types(), f.ty.ty(), from));
        if let Some(index) = index {
            cx.pedantic(loc, "ISO C forbids casts to union type");
            let member = cx.types().records[id].fields[index].ty.ty();
            let operand = conversions::convert(cx, operand, member);
            return cx.value(ExprKind::Cast { kind: CastKind::ToUnion(index as u32), operand }, to, loc);
        }
        cx.error(loc, "cast to union type from type not present in union");
        return cx.error_expr(loc);
    }
    cx.error(loc, "conversion to non-scalar type requested");
    cx.error_expr(loc)
}

/// Casts with a vector on one side reinterpret bits of equal size.
fn to_vector<'a>(cx: &mut Sema<'_, 'a>, to: Ty, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let from = operand.ty.ty();
    if cx.types().is_vector(to) && cx.types().is_vector(from) {
        if cx.types().size_of(from) == cx.types().size_of(to) {
            return cx.value(ExprKind::Cast { kind: CastKind::Bitcast, operand }, to, loc);
        }
        let (from, to) = (cx.tname(from), cx.tname(to));
        cx.error(loc, format!("cannot convert a value of type {from} to vector type {to} which has different size"));
        return cx.error_expr(loc);
    }
    let (vector, scalar) = if cx.types().is_vector(to) { (to, from) } else { (from, to) };
    if cx.types().is_integer(scalar) && cx.types().size_of(vector) == cx.types().size_of(scalar) {
        return cx.value(ExprKind::Cast { kind: CastKind::Bitcast, operand }, to, loc);
    }
    if cx.types().is_vector(to) {
        let to = cx.tname(to);
        let _ = to;
        cx.error(loc, "cannot convert value to a vector");
    } else {
        cx.error(loc, "cannot convert a vector of this type to a value of a different size");
    }
    cx.error_expr(loc)
}

/// `(type){...}` whose initialiser has been analysed. In a function an automatic object; at file
/// scope a static one, whose definition has been queued.
pub fn compound_literal<'a>(
    cx: &mut Sema<'_, 'a>,
    decl: DeclId,
    init: Option<&'a Initializer<'a>>,
    written: QualType,
    loc: Loc,
) -> ExprRef<'a> {
    cx.unit.decls[decl].written = written;
    declarations::complete_written(cx, decl);
    let (ty, written) = (cx.unit.decls[decl].ty, cx.unit.decls[decl].written);
    let kind = match init {
        Some(init) => ExprKind::CompoundLiteral { decl, init },
        None => ExprKind::Decl(decl),
    };
    cx.expr_written(kind, (ty, written), Category::Lvalue, loc)
}

/// The operand is a constant of an arithmetic type.
pub fn is_constant(expr: ExprRef<'_>) -> bool {
    fold::constant_of(expr).is_some()
}
