//! `-Waddress-of-packed-member`: a pointer to a type of some alignment gets an address that may
//! have less (gcc's `warn_for_address_or_pointer_of_packed_member`).
//!
//! Looked at is a pointer where it is assigned, passed, returned or an initialiser, through casts:
//! what the address is of, and the alignment of what the assigned pointer points to, tell. So a
//! pointer to `void` or `char` is never worth a warning.

use base::{Loc, warning};

use super::null_addresses;
use crate::sema::Sema;
use crate::tree::{CastKind, Expr, ExprKind, ExprRef, QualType, RecordId, Ty, TypeKind};

/// A pointer and what it is assigned to.
struct Assigned {
    /// What the pointer points to.
    to: QualType,
    /// Its alignment in bytes.
    align: u64,
}

/// `value` becomes an object of type `to`.
#[inline]
pub fn check(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty) {
    if matches!(cx.kind(to), TypeKind::Pointer(_))
        && !value.is_error()
        && cx.sess.diag.is_on_somewhere(warning::ADDRESS_OF_PACKED_MEMBER)
    {
        check_pointer(cx, value, to);
    }
}

fn check_pointer(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty) {
    let Some(to) = cx.types().pointee(to) else { return };
    if cx.types().is_incomplete(to.ty()) || matches!(cx.kind(to), TypeKind::Function(_)) {
        return;
    }
    let align = cx.types().align_of(to) as u64;
    if align > 1 {
        look(cx, value, &Assigned { to, align });
    }
}

/// The value of a pointer expression, whose conversions do not count.
fn look(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, assigned: &Assigned) {
    let mut value = value;
    loop {
        match value.kind {
            ExprKind::Comma { rhs, .. } => value = rhs,
            ExprKind::Conditional { then, els, .. } => {
                look(cx, then, assigned);
                value = els;
            }
            ExprKind::AddrOf(object) => match object.kind {
                ExprKind::Deref(pointer) if !matches!(pointer.kind, ExprKind::PtrAdd { .. }) => value = pointer,
                _ => return look_at_object(cx, object, value.loc, assigned),
            },
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => {
                return look_at_object(cx, operand, operand.loc, assigned);
            }
            ExprKind::PtrAdd {
                ptr: Expr { kind: ExprKind::Cast { kind: CastKind::ArrayToPointer, operand }, .. },
                ..
            } if null_addresses::is_subscript(cx, value) => {
                return look_at_object(cx, operand, value.loc, assigned);
            }
            ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand: Expr { kind: ExprKind::Decl(_), .. } }
            | ExprKind::Call { .. } => return look_at_pointer(cx, value, assigned),
            ExprKind::Cast {
                kind: CastKind::Pointer | CastKind::IntToPointer | CastKind::PointerToInt | CastKind::Integral,
                operand,
            } if cx.types().size_of(operand.ty) == cx.types().size_of(value.ty) => value = operand,
            _ => return,
        }
    }
}

/// The address of an object: of a member of a packed record, at any depth, or of a whole one.
fn look_at_object(cx: &mut Sema<'_, '_>, object: ExprRef<'_>, loc: Loc, assigned: &Assigned) {
    let mut part = object;
    loop {
        match part.kind {
            ExprKind::Member { base, record, field } => {
                if is_misaligned(cx, record, field, assigned.align) {
                    return warn_member(cx, record, loc);
                }
                part = base;
            }
            ExprKind::Deref(pointer) => match pointer.kind {
                ExprKind::PtrAdd { ptr, .. } => match ptr.kind {
                    ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => part = operand,
                    _ => return,
                },
                _ => return,
            },
            ExprKind::Decl(_) if std::ptr::eq(part, object) => {
                return warn_record(cx, object.ty, loc, assigned);
            }
            _ => return,
        }
    }
}

/// Whether a packed member may not have an alignment.
fn is_misaligned(cx: &Sema<'_, '_>, record: RecordId, field: u32, align: u64) -> bool {
    let record = &cx.types().records[record];
    let field = record.field(field);
    let of_packed_type = matches!(cx.kind(field.ty), TypeKind::Record(id) if cx.types().records[id].packed);
    // What has no alignment to lose is not packed.
    let is_packed = (record.packed || field.packed) && cx.types().align_of(field.ty) > 1;
    (is_packed || of_packed_type) && (u64::from(record.align) < align || !field.offset.is_multiple_of(align))
}

/// A pointer of which nothing but its type is known.
fn look_at_pointer(cx: &mut Sema<'_, '_>, pointer: ExprRef<'_>, assigned: &Assigned) {
    if let Some(pointee) = cx.types().pointee(pointer.ty.ty()) {
        warn_record(cx, pointee, pointer.loc, assigned);
    }
}

/// The packed record that a type is, or that the elements of an array are.
fn packed_record(cx: &Sema<'_, '_>, ty: QualType) -> Option<(QualType, RecordId)> {
    let mut ty = ty;
    while let Some(element) = cx.types().array_element(ty) {
        ty = element;
    }
    match cx.kind(ty) {
        TypeKind::Record(record) if cx.types().records[record].packed => Some((ty, record)),
        _ => None,
    }
}

fn warn_member(cx: &mut Sema<'_, '_>, record: RecordId, loc: Loc) {
    let record = &cx.types().records[record];
    let tag = record.tag.map_or("<anonymous>", |t| cx.str(t));
    let message = format!(
        "taking address of packed member of '{} {tag}' may result in an unaligned pointer value",
        record.kind.keyword()
    );
    cx.warn(warning::ADDRESS_OF_PACKED_MEMBER, loc, message);
}

/// A pointer to a packed record becomes one to a type of more alignment.
fn warn_record(cx: &mut Sema<'_, '_>, from: QualType, loc: Loc, assigned: &Assigned) {
    let Some((from, record)) = packed_record(cx, from) else { return };
    let record = &cx.types().records[record];
    let align = u64::from(record.align);
    if align >= assigned.align {
        return;
    }
    let message = format!(
        "converting a packed {} pointer (alignment {align}) to a {} pointer (alignment {}) \
         may result in an unaligned pointer value",
        cx.tname(from),
        cx.tname(assigned.to),
        assigned.align
    );
    let to = cx.types().record_of(assigned.to.ty()).map(|record| record.loc);
    let mut builder = cx.sess.warn(warning::ADDRESS_OF_PACKED_MEMBER, loc, message);
    for place in std::iter::once(record.loc).chain(to) {
        builder = builder.note(place, "defined here");
    }
    builder.emit();
}
