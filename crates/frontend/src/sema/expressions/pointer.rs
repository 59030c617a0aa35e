//! Pointer arithmetic (C23 6.5.7) and subscripts (6.5.3.2).

use base::Loc;
use platform::options::{Sanitizers, Standard};

use super::sizes::element_size;
use crate::sema::{Sema, conversions, lints, types};
use crate::tree::{ArrayLen, CastKind, Category, ElementSize, ExprFlags, ExprKind, ExprRef, QualType, Ty, TypeKind};

/// An index as a 64-bit integer: sign- or zero-extended by its own type.
fn index_value<'a>(cx: &mut Sema<'_, 'a>, index: ExprRef<'a>) -> ExprRef<'a> {
    let index = conversions::promote(cx, index);
    let signed = cx.types().is_signed(index.ty.ty());
    let ty = if signed { Ty::PTRDIFF } else { Ty::SIZE };
    conversions::convert(cx, index, ty)
}

/// `pointer + integer` or `pointer - integer`, both rvalues.
pub fn offset<'a>(cx: &mut Sema<'_, 'a>, ptr: ExprRef<'a>, index: ExprRef<'a>, negate: bool, loc: Loc) -> ExprRef<'a> {
    let Some(pointee) = cx.types().pointee(ptr.ty.ty()) else { return cx.error_expr(loc) };
    let Some(size) = element_size(cx, pointee, loc) else { return cx.error_expr(loc) };
    let index = index_value(cx, index);
    let ty = ptr.ty.ty();
    if let (ElementSize::Constant(size), Some(n)) = (size, index.int_value()) {
        let bytes = (n as i64).wrapping_mul(size as i64);
        let bytes = if negate { bytes.wrapping_neg() } else { bytes };
        if let Some(base) = ptr.int_value() {
            // Arithmetic on a constant address is a constant, though not of the strict kind.
            return cx.int((base as i64).wrapping_add(bytes) as u64 as i128, ty, loc, ExprFlags::CONSTANT);
        }
        // `(&array[0])[i]` is not bound to the array's length.
        let decayed = matches!(ptr.kind, ExprKind::Cast { kind: CastKind::ArrayToPointer, .. });
        let kept = decayed && cx.checks(Sanitizers::BOUNDS.with(Sanitizers::BOUNDS_STRICT));
        if bytes == 0 && n == 0 && !kept {
            let plain = cx.without_flags(ptr, ExprFlags::NULL);
            return cx.arena.alloc(crate::tree::Expr { loc, ..*plain });
        }
    }
    cx.value_written(ExprKind::PtrAdd { ptr, index, size, negate }, ty, ptr.written, loc)
}

/// `pointer - pointer`
pub fn difference<'a>(cx: &mut Sema<'_, 'a>, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (Some(p), Some(q)) = (cx.types().pointee(lhs.ty.ty()), cx.types().pointee(rhs.ty.ty())) else {
        return cx.error_expr(loc);
    };
    if !types::compatible_unqualified(cx.types(), p.ty(), q.ty()) || types::spaces_differ(cx.types(), p, q) {
        let (a, b) = (cx.tname(lhs.written), cx.tname(rhs.written));
        cx.error(loc, format!("invalid operands to binary - (have {a} and {b})"));
        return cx.error_expr(loc);
    }
    let Some(size) = element_size(cx, p, loc) else { return cx.error_expr(loc) };
    if let ElementSize::Constant(0) = size {
        cx.sess.warn_always(loc, "arithmetic on pointer to an empty aggregate").emit();
        return cx.ice(0, Ty::PTRDIFF, loc);
    }
    if let (Some(a), Some(b), ElementSize::Constant(size)) = (lhs.int_value(), rhs.int_value(), size) {
        let value = (a as i64).wrapping_sub(b as i64) / size as i64;
        return cx.int(value as i128, Ty::PTRDIFF, loc, ExprFlags::CONSTANT);
    }
    // `&object.member - null` and the like fold when the address does: offsetof written by hand.
    cx.value(ExprKind::PtrDiff { lhs, rhs, size }, Ty::PTRDIFF, loc)
}

/// `array[index]`; either operand may be the pointer.
pub fn subscript<'a>(cx: &mut Sema<'_, 'a>, array: ExprRef<'a>, index: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if array.is_error() || index.is_error() {
        return cx.error_expr(loc);
    }
    if cx.types().is_vector(array.ty.ty()) {
        return super::vector::subscript(cx, array, index, loc);
    }
    let written = index;
    let (array, index) = (conversions::rvalue(cx, array), conversions::rvalue(cx, index));
    if array.is_error() || index.is_error() {
        return cx.error_expr(loc);
    }
    let (ptr, index) = match (cx.types().is_pointer(array.ty.ty()), cx.types().is_pointer(index.ty.ty())) {
        (true, _) => (array, index),
        (false, true) => (index, array),
        (false, false) => {
            cx.error(loc, "subscripted value is neither array nor pointer nor vector");
            return cx.error_expr(loc);
        }
    };
    if !cx.types().is_integer(index.ty.ty()) {
        cx.error(loc, "array subscript is not an integer");
        return cx.error_expr(loc);
    }
    lints::subscript(cx, written, loc);
    let pointee = cx.types().pointee(ptr.ty.ty()).unwrap_or(Ty::ERROR.plain());
    if cx.types().is_function(pointee.ty()) {
        cx.error(loc, "subscripted value is pointer to function");
        return cx.error_expr(loc);
    }
    let address = offset(cx, ptr, index, false, loc);
    dereference(cx, address, loc)
}

/// A subscript whose index is checked at run time, also where only the element's address is taken.
fn is_checked_subscript(cx: &mut Sema<'_, '_>, element: ExprRef<'_>, pointer: ExprRef<'_>) -> bool {
    let ExprKind::PtrAdd { ptr, index, negate: false, .. } = pointer.kind else { return false };
    let ExprKind::Cast { kind: CastKind::ArrayToPointer, operand: array } = ptr.kind else { return false };
    if pointer.loc != element.loc || !cx.checks(Sanitizers::BOUNDS.with(Sanitizers::BOUNDS_STRICT)) {
        return false;
    }
    match (index.int_value(), cx.types().kind(array.ty.ty())) {
        (Some(index), TypeKind::Array { len: ArrayLen::Constant(len), .. }) => !(0..=i128::from(len)).contains(&index),
        (Some(_), _) => false,
        (None, _) => true,
    }
}

/// The lvalue or function designator a pointer rvalue points to.
pub fn dereference<'a>(cx: &mut Sema<'_, 'a>, pointer: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let Some(pointee) = cx.types().pointee(pointer.ty.ty()) else { return cx.error_expr(loc) };
    // `*&x` is x.
    if let ExprKind::AddrOf(operand) = pointer.kind
        && operand.ty == pointee
        && operand.is_lvalue()
    {
        return cx.arena.alloc(crate::tree::Expr { loc, ..*operand });
    }
    lints::dereferenced(cx, pointer, loc);
    super::deref_node(cx, pointer, pointee, loc)
}

/// `*operand` (C23 6.5.4.2).
pub fn indirection<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let operand = conversions::rvalue(cx, operand);
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    match cx.kind(operand.ty) {
        TypeKind::Pointer(pointee) => {
            if cx.kind(pointee) == TypeKind::Void && !cx.never_evaluated() {
                let ty = cx.tname(operand.written);
                cx.sess.warn_always(loc, format!("dereferencing {ty} pointer")).emit();
            }
            dereference(cx, operand, loc)
        }
        _ => {
            let ty = cx.tname(operand.written);
            cx.error(loc, format!("invalid type argument of unary '*' (have {ty})"));
            cx.error_expr(loc)
        }
    }
}

/// `&operand`
pub fn address_of<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    if cx.types().is_reversed(operand.ty.ty()) && operand.cat == Category::Lvalue {
        cx.error(loc, "cannot take address of scalar with reverse storage order");
        return cx.error_expr(loc);
    }
    if cx.kind(operand.ty) == TypeKind::Void
        && operand.ty.quals().is_empty()
        && (!matches!(operand.kind, ExprKind::Deref(_)) || !cx.since(Standard::C99))
    {
        cx.pedantic(loc, "taking address of expression of type 'void'");
    }
    // `&*p` is p, without evaluating `*p`; so is `&a[i]`.
    if let ExprKind::Deref(pointer) = operand.kind
        && !is_checked_subscript(cx, operand, pointer)
    {
        let ty = cx.pointer_to(operand.ty);
        if cx.types().canonical(pointer.ty.ty()) == cx.types().canonical(ty) {
            let pointer = cx.without_flags(pointer, ExprFlags::NULL);
            return match cast_kind(pointer) {
                Some(crate::tree::CastKind::ArrayToPointer) => cx.moved_to(pointer, loc),
                _ => pointer,
            };
        }
    }
    match operand.cat {
        Category::Function => {
            conversions::mark_referenced(cx, operand);
            let (ty, written) = (cx.pointer_to(operand.ty), cx.pointer_to(operand.written).plain());
            let kind = ExprKind::Cast { kind: crate::tree::CastKind::FunctionToPointer, operand };
            let node = cx.value_written(kind, ty, written, loc);
            return cx.with_flags(node, ExprFlags::CONSTANT);
        }
        Category::Rvalue => {
            cx.error(loc, "lvalue required as unary '&' operand");
            return cx.error_expr(loc);
        }
        Category::BitField => {
            let name = match operand.kind {
                ExprKind::Member { record, field, .. } => {
                    cx.types().records[record].field(field).name.map_or("", |n| cx.str(n))
                }
                _ => "",
            };
            cx.error(loc, format!("cannot take address of bit-field '{name}'"));
            return cx.error_expr(loc);
        }
        Category::Element if !is_addressable_part(operand) => {
            cx.error(loc, "cannot take address of vector element");
            return cx.error_expr(loc);
        }
        Category::Element | Category::Lvalue => {}
    }
    if let Some(id) = conversions::root_object(operand).decl()
        && cx.unit.decls[id].flags.has(crate::tree::DeclFlags::REGISTER)
    {
        let name = cx.dname(id);
        if cx.unit.decls[id].asm_name.is_some() {
            cx.error(loc, format!("address of global register variable {name} requested"));
        } else {
            cx.error(loc, format!("address of register variable {name} requested"));
        }
        return cx.error_expr(loc);
    }
    lints::address_taken(cx, operand, loc);
    conversions::mark_address_taken(cx, operand);
    let pointee: QualType = operand.ty;
    let ty = cx.pointer_to(pointee);
    let written = cx.pointer_to(operand.written).plain();
    if let Some(offset) = constant_offset(cx, operand) {
        return cx.int(offset as i128, ty, loc, ExprFlags::CONSTANT);
    }
    cx.value_written(ExprKind::AddrOf(operand), ty, written, loc)
}

/// Real and imaginary parts and elements of vectors in memory have addresses in gcc.
fn is_addressable_part(expr: ExprRef<'_>) -> bool {
    matches!(expr.kind, ExprKind::Unary { .. } | ExprKind::VectorElement { .. })
}

/// `&((T *)constant)->member`: the address is a constant.
pub fn constant_offset(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<u64> {
    match expr.kind {
        ExprKind::Member { base, record, field } if cx.types().records[record].field(field).offset_vla.is_none() => {
            let offset = constant_offset(cx, base)?;
            Some(offset.wrapping_add(cx.types().records[record].field(field).offset))
        }
        ExprKind::Deref(pointer) => match pointer.kind {
            ExprKind::PtrAdd { ptr, index, size: ElementSize::Constant(size), negate } => {
                let crate::tree::CastKind::ArrayToPointer = cast_kind(ptr)? else { return None };
                let ExprKind::Cast { operand, .. } = ptr.kind else { return None };
                let base = constant_offset(cx, operand)?;
                let bytes = (index.int_value()? as u64).wrapping_mul(size);
                Some(if negate { base.wrapping_sub(bytes) } else { base.wrapping_add(bytes) })
            }
            ExprKind::Cast { kind: crate::tree::CastKind::ArrayToPointer, operand } => constant_offset(cx, operand),
            _ => pointer.int_value().map(|v| v as u64),
        },
        _ => None,
    }
}

fn cast_kind(expr: ExprRef<'_>) -> Option<crate::tree::CastKind> {
    match expr.kind {
        ExprKind::Cast { kind, .. } => Some(kind),
        _ => None,
    }
}
