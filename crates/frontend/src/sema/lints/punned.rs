//! `-Wstrict-aliasing`: an object's address is converted to a pointer to a type that cannot alias
//! the object's, and dereferenced at once (gcc's level 3, the default).
//!
//! Two types may alias when their alias classes are equal, one of them is a character type, or one
//! is an aggregate with a member of the other's class. Pointers are of one class for each type
//! pointed to; pointers to `void` may alias all pointers (gcc's `get_alias_set`).

use base::{Loc, warning};

use crate::sema::Sema;
use crate::tree::{CastKind, ElementSize, ExprKind, ExprRef, IntKind, QualType, RecordId, Ty, TypeKind, Types};

/// Members looked at before two types are taken to alias.
const LIMIT: usize = 1000;

/// `pointer` is dereferenced.
#[inline]
pub fn check(cx: &mut Sema<'_, '_>, pointer: ExprRef<'_>, loc: Loc) {
    if matches!(pointer.kind, ExprKind::Cast { .. } | ExprKind::PtrAdd { .. })
        && cx.options.codegen.strict_aliasing
        && cx.sess.diag.is_on_somewhere(warning::STRICT_ALIASING)
    {
        check_conversion(cx, pointer, loc);
    }
}

#[cold]
fn check_conversion(cx: &mut Sema<'_, '_>, pointer: ExprRef<'_>, loc: Loc) {
    // `((int *)&x)[0]`
    let (pointer, at) = match pointer.kind {
        ExprKind::PtrAdd { ptr, index, .. } if index.int_value() == Some(0) => (ptr, loc),
        _ => (pointer, pointer.loc),
    };
    let Some(to) = cx.types().pointee(pointer.ty.ty()) else { return };
    let (mut object, mut casts) = (pointer, false);
    let operand = loop {
        match object.kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::IntToPointer | CastKind::PointerToInt, operand } => {
                casts = true;
                object = operand;
            }
            ExprKind::Cast { kind: CastKind::Integral, operand }
                if cx.types().size_of(operand.ty) == cx.types().size_of(object.ty) =>
            {
                object = operand;
            }
            ExprKind::AddrOf(operand) | ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => break operand,
            _ => return,
        }
    };
    if casts && is_object(operand) && !may_alias(cx.types(), operand.ty, to) {
        let message = "dereferencing type-punned pointer will break strict-aliasing rules";
        cx.warn(warning::STRICT_ALIASING, at, message);
    }
}

/// A declared object, or a part of any.
fn is_object(lvalue: ExprRef<'_>) -> bool {
    match lvalue.kind {
        ExprKind::Decl(_) | ExprKind::Member { .. } => true,
        ExprKind::Deref(pointer) => match pointer.kind {
            ExprKind::PtrAdd { ptr, size: ElementSize::Constant(_), .. } => {
                matches!(ptr.kind, ExprKind::Cast { kind: CastKind::ArrayToPointer, .. })
            }
            _ => false,
        },
        _ => false,
    }
}

/// The class of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// Aliases everything.
    Any,
    Pointer(Ty),
    VoidPointer,
    Integer(IntKind),
    Record(RecordId),
    Scalar(Ty),
}

fn class(types: &Types, ty: QualType) -> Class {
    let mut ty = ty.ty();
    loop {
        if types.may_alias(ty) {
            return Class::Any;
        }
        ty = match types.kind(types.strip_enum(ty)) {
            TypeKind::Array { elem, .. } => elem.ty(),
            TypeKind::Vector { elem, .. } => elem,
            TypeKind::Int(kind) => {
                return match kind {
                    IntKind::Char | IntKind::SChar | IntKind::UChar => Class::Any,
                    IntKind::UShort => Class::Integer(IntKind::Short),
                    IntKind::UInt => Class::Integer(IntKind::Int),
                    IntKind::ULong => Class::Integer(IntKind::Long),
                    IntKind::ULongLong => Class::Integer(IntKind::LongLong),
                    IntKind::UInt128 => Class::Integer(IntKind::Int128),
                    other => Class::Integer(other),
                };
            }
            TypeKind::Pointer(pointee) => return pointer_class(types, ty, pointee),
            TypeKind::NullPtr => return Class::VoidPointer,
            TypeKind::Record(id) => return Class::Record(types.records[id].same_as.unwrap_or(id)),
            TypeKind::Bool | TypeKind::Float(_) | TypeKind::Complex(_) => {
                return Class::Scalar(types.canonical(types.strip_enum(ty)));
            }
            _ => return Class::Any,
        };
    }
}

/// Pointers to equal types without qualifiers are of one class; those to `void`, at any depth, go
/// with all.
fn pointer_class(types: &Types, pointer: Ty, pointee: QualType) -> Class {
    let mut inner = pointee;
    let mut depth = 0;
    loop {
        inner = match types.kind(inner.ty()) {
            TypeKind::Pointer(next) => {
                depth += 1;
                next
            }
            TypeKind::Array { elem, .. } => elem,
            TypeKind::Vector { elem, .. } => elem.plain(),
            TypeKind::Void => return Class::VoidPointer,
            _ if depth == 0 => return Class::Pointer(types.canonical(inner.ty())),
            // Qualifiers between the levels do not matter, but are part of the interned type.
            _ => return Class::Pointer(types.canonical(pointer)),
        };
    }
}

/// Whether accesses of the two types may touch one object.
fn may_alias(types: &Types, object: QualType, access: QualType) -> bool {
    let (a, b) = (class(types, object), class(types, access));
    let pointers = |c: Class| matches!(c, Class::Pointer(_) | Class::VoidPointer);
    a == b
        || a == Class::Any
        || b == Class::Any
        || pointers(a) && pointers(b) && (a == Class::VoidPointer || b == Class::VoidPointer)
        // An object with a character in it is as good as one of characters.
        || contains(types, object, Class::Any)
        || contains(types, object, b)
        || contains(types, access, a)
}

/// Whether the type has a part of the class.
fn contains(types: &Types, whole: QualType, part: Class) -> bool {
    let (mut pending, mut seen) = (vec![whole], 0);
    while let Some(ty) = pending.pop() {
        seen += 1;
        let inner = class(types, ty);
        let both_pointers = matches!((inner, part), (Class::Pointer(_), Class::VoidPointer))
            || matches!((inner, part), (Class::VoidPointer, Class::Pointer(_)));
        if seen > LIMIT || seen > 1 && (inner == part || both_pointers) {
            return true;
        }
        let mut ty = ty;
        while let TypeKind::Array { elem, .. } = types.kind(ty.ty()) {
            ty = elem;
        }
        match types.kind(ty.ty()) {
            TypeKind::Record(id) => pending.extend(types.records[id].fields.iter().map(|field| field.ty)),
            TypeKind::Complex(part) => pending.push(part.plain()),
            _ => {}
        }
    }
    false
}
