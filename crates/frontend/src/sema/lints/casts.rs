//! Casts between types that do not go together.

use base::{Loc, warning};

use crate::sema::{Sema, types};
use crate::tree::{ExprKind, ExprRef, QualType, Quals, Signature, Ty, TypeKind};

/// `-Wbad-function-cast`: the result of a call as a type of another kind.
pub fn check_call(cx: &mut Sema<'_, '_>, to: QualType, operand: ExprRef<'_>, loc: Loc) {
    let kind = |ty: Ty| match cx.kind(ty) {
        TypeKind::Int(_) | TypeKind::BitInt { .. } => 0,
        TypeKind::Enum(_) => 1,
        TypeKind::Bool => 2,
        TypeKind::Float(_) => 3,
        TypeKind::Complex(_) => 4,
        _ => 5,
    };
    let from = operand.ty.ty();
    if matches!(operand.kind, ExprKind::Call { .. }) && kind(from) != kind(to.ty()) {
        let (from, to) = (cx.tname(operand.written), cx.tname(to));
        let message = format!("cast from function call of type {from} to non-matching type {to}");
        cx.warn(warning::BAD_FUNCTION_CAST, loc, message);
    }
}

/// A cast between scalars that is allowed.
pub fn check_scalar(cx: &mut Sema<'_, '_>, written: QualType, operand: ExprRef<'_>, loc: Loc) {
    let (from, to) = (operand.ty.ty(), cx.types().bare_ty(written.ty()));
    match (cx.kind(from), cx.kind(to)) {
        (TypeKind::Pointer(p), TypeKind::Pointer(q)) => check_pointers(cx, operand.written, written, p, q, loc),
        // Enumerations and `_Bool` are left alone, as in gcc; constant pointers are not.
        (TypeKind::Pointer(_), TypeKind::Int(_) | TypeKind::BitInt { .. }) => {
            if cx.types().size_of(to) != Some(8) {
                let message = "cast from pointer to integer of different size";
                cx.warn(warning::POINTER_TO_INT_CAST, loc, message);
            }
        }
        (TypeKind::Int(_) | TypeKind::BitInt { .. }, TypeKind::Pointer(_)) => {
            if cx.types().size_of(from) != Some(8) && operand.int_value().is_none() {
                let message = "cast to pointer from integer of different size";
                cx.warn(warning::INT_TO_POINTER_CAST, loc, message);
            }
        }
        _ => {}
    }
}

fn check_pointers(cx: &mut Sema<'_, '_>, from: QualType, to: QualType, p: QualType, q: QualType, loc: Loc) {
    if types::spaces_differ(cx.types(), p, q) {
        let space = |ty| types::effective_quals(cx.types(), ty).space_name();
        let message =
            format!("cast to {} address space pointer from disjoint {} address space pointer", space(q), space(p));
        cx.sess.warn_always(loc, message).emit();
    }
    let functions = (cx.types().is_function(p.ty()), cx.types().is_function(q.ty()));
    match functions {
        (true, true) if !interchangeable(cx, p, q) => {
            if cx.sess.warning_enabled(warning::CAST_FUNCTION_TYPE, loc)
                && !generic_function(cx, p)
                && !generic_function(cx, q)
            {
                let (from, to) = (cx.tname(from), cx.tname(to));
                let message = format!("cast between incompatible function types from {from} to {to}");
                cx.warn(warning::CAST_FUNCTION_TYPE, loc, message);
            }
        }
        (true, false) => cx.pedantic(loc, "ISO C forbids conversion of function pointer to object pointer type"),
        (false, true) => cx.pedantic(loc, "ISO C forbids conversion of object pointer to function pointer type"),
        _ => {
            let lost = p.quals().without(q.quals());
            if lost.has(Quals::CONST) || lost.has(Quals::VOLATILE) {
                let name = if lost.is_const() { "const" } else { "volatile" };
                let message = format!("cast discards '{name}' qualifier from pointer target type");
                cx.warn(warning::CAST_QUAL, loc, message);
            }
            let known = |ty: QualType| cx.kind(ty) != TypeKind::Void && !cx.types().is_incomplete(ty.ty());
            if known(p) && known(q) && !functions.0 && cx.types().align_of(q) > cx.types().align_of(p) {
                cx.warn(warning::CAST_ALIGN, loc, "cast increases required alignment of target type");
            }
        }
    }
}

/// Functions whose calls look alike to the machine: gcc does not warn of casts between them.
fn interchangeable(cx: &Sema<'_, '_>, p: QualType, q: QualType) -> bool {
    let (Some(a), Some(b)) = (cx.types().signature_of(p.ty()), cx.types().signature_of(q.ty())) else { return false };
    let alike = |x: QualType, y: QualType| {
        let pointers = cx.types().is_pointer(x.ty()) && cx.types().is_pointer(y.ty());
        let bits = |t: QualType| cx.types().int_info(t.ty()).map(|i| i.bits);
        pointers
            || types::compatible_unqualified(cx.types(), x.ty(), y.ty())
            || (bits(x).is_some() && bits(x) == bits(y))
    };
    // A list that is complete ends in `void`; the shorter one decides how many are compared.
    let list = |s: &Signature| {
        let end = (s.prototype && !s.variadic).then(|| Ty::VOID.plain());
        s.params.iter().copied().chain(end).collect::<smallvec::SmallVec<[QualType; 8]>>()
    };
    alike(a.ret, b.ret) && list(a).into_iter().zip(list(b)).all(|(x, y)| alike(x, y))
}

/// `void (*)(void)` stands for any function in `-Wcast-function-type`.
fn generic_function(cx: &Sema<'_, '_>, ty: QualType) -> bool {
    cx.types()
        .signature_of(ty.ty())
        .is_some_and(|s| s.prototype && s.params.is_empty() && !s.variadic && cx.kind(s.ret) == TypeKind::Void)
}
