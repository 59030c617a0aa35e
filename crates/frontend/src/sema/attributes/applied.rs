//! Attributes that make another type of the one they stand at.

use base::{Loc, Symbol, warning};

use super::{AttrTarget, Collected, normalised};
use crate::sema::{Sema, types};
use crate::tree::{AttrFlags, CallAbi, QualType, Signature, Ty, TypeKind};

/// Applies `mode`, `vector_size`, `may_alias` to a declared type, and `aligned` to a typedef's.
pub fn apply_to_type(
    cx: &mut Sema<'_, '_>,
    ty: QualType,
    collected: &Collected,
    target: AttrTarget,
    loc: Loc,
) -> QualType {
    let mut ty = ty;
    if let Some(mode) = collected.mode {
        ty = apply_mode(cx, ty, mode, loc);
    }
    if let Some(size) = collected.vector_size {
        ty = vectorise(cx, ty, size, loc);
    }
    if collected.may_alias && matches!(target, AttrTarget::Typedef | AttrTarget::Type) {
        let aliasing = cx.unit.types.with_may_alias(ty.ty());
        ty = QualType::new(aliasing, ty.quals());
    }
    if target == AttrTarget::Typedef && collected.align != 0 {
        let aligned = cx.unit.types.with_align(ty.ty(), collected.align);
        ty = QualType::new(aligned, ty.quals());
    }
    if target == AttrTarget::Typedef
        && collected.transparent
        && let TypeKind::Record(id) = cx.kind(ty)
    {
        crate::sema::records::make_transparent(cx, id, loc);
    }
    let flags = collected.attributes.flags;
    if flags.has(AttrFlags::NORETURN) && target != AttrTarget::Function {
        ty = change_function(cx, ty, &|signature| signature.noreturn = true);
    }
    let is_array = matches!(cx.kind(ty), TypeKind::Array { .. });
    if flags.has(AttrFlags::NOCF_CHECK) && !is_array {
        ty = change_function(cx, ty, &|signature| signature.nocf_check = true);
    }
    match (flags.has(AttrFlags::MS_ABI), flags.has(AttrFlags::SYSV_ABI)) {
        (true, true) => cx.error(loc, "'ms_abi' and 'sysv_abi' attributes are not compatible"),
        (true, false) => ty = with_abi(cx, ty, CallAbi::Ms, "ms_abi", target, loc),
        (false, true) => ty = with_abi(cx, ty, CallAbi::SysV, "sysv_abi", target, loc),
        (false, false) => {}
    }
    ty
}

/// The attribute `ms_abi` or `sysv_abi`, whose place is a function type.
fn with_abi(cx: &mut Sema<'_, '_>, ty: QualType, abi: CallAbi, name: &str, target: AttrTarget, loc: Loc) -> QualType {
    let (mut at, mut levels) = (ty, 0);
    while let TypeKind::Pointer(inner) | TypeKind::Array { elem: inner, .. } = cx.kind(at) {
        (at, levels) = (inner, levels + 1);
    }
    if cx.types().is_function(at.ty()) || cx.types().is_error(at.ty()) {
        return change_function(cx, ty, &|signature| signature.abi = abi);
    }
    // It may stand at the result's type: `int __attribute__((ms_abi)) (*f)(void)`. At what is
    // declared the attribute's row in the table says it.
    if levels == 0 && target == AttrTarget::Type {
        cx.warn(warning::ATTRIBUTES, loc, format!("'{name}' attribute only applies to function types"));
    }
    ty
}

/// Changes the function type a pointer (array of pointers, typedef of a function) leads to.
fn change_function(cx: &mut Sema<'_, '_>, ty: QualType, change: &dyn Fn(&mut Signature)) -> QualType {
    match cx.kind(ty) {
        TypeKind::Pointer(pointee) => {
            let inner = change_function(cx, pointee, change);
            if inner == pointee { ty } else { QualType::new(cx.pointer_to(inner), ty.quals()) }
        }
        TypeKind::Array { elem, len } => {
            let inner = change_function(cx, elem, change);
            if inner == elem { ty } else { QualType::new(cx.unit.types.array_of(inner, len), ty.quals()) }
        }
        TypeKind::Function(id) => {
            let mut signature = cx.types().signature(id).clone();
            change(&mut signature);
            QualType::new(cx.unit.types.function(signature), ty.quals())
        }
        _ => ty,
    }
}

/// `mode(QI)` and so on: the integer or floating type of that machine mode, with the signedness of
/// `ty`.
pub fn apply_mode(cx: &mut Sema<'_, '_>, ty: QualType, mode: Symbol, loc: Loc) -> QualType {
    let text = normalised(cx.str(mode));
    if let TypeKind::Pointer(_) = cx.kind(ty)
        && matches!(text, "DI" | "pointer" | "word")
    {
        return ty;
    }
    // A mode on a function or array applies to its result or element.
    match cx.kind(ty) {
        TypeKind::Array { elem, len } => {
            let elem = apply_mode(cx, elem, mode, loc);
            return QualType::new(cx.unit.types.array_of(elem, len), ty.quals());
        }
        TypeKind::Function(id) => {
            let signature = cx.types().signature(id).clone();
            let ret = apply_mode(cx, signature.ret, mode, loc);
            return cx.unit.types.function(Signature { ret, ..signature }).plain();
        }
        _ => {}
    }
    let signed = cx.types().int_info(ty.ty()).is_none_or(|i| i.signed);
    let integer = |bytes| types::int_of_size(bytes, signed);
    let vector = text.strip_prefix('V').and_then(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        Some((rest[..digits].parse::<u32>().ok()?, &rest[digits..]))
    });
    let scalar = |cx: &Sema<'_, '_>, text: &str| match text {
        "QI" | "byte" => integer(1),
        "HI" => integer(2),
        "SI" => integer(4),
        "DI" | "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => integer(8),
        "TI" => integer(16),
        "HF" => Some(Ty::FLOAT16),
        "SF" => Some(Ty::FLOAT),
        "DF" => Some(Ty::DOUBLE),
        "XF" => Some(Ty::LONG_DOUBLE),
        "TF" => Some(Ty::FLOAT128),
        "SD" => Some(Ty::DECIMAL32),
        "DD" => Some(Ty::DECIMAL64),
        "TD" => Some(Ty::DECIMAL128),
        _ => {
            let _ = cx;
            None
        }
    };
    let found = match (vector, text) {
        (Some((lanes, elem)), _) => {
            let elem = scalar(cx, elem);
            elem.map(|e| cx.unit.types.vector_of(e, lanes))
        }
        (None, "SC") => Some(Ty::COMPLEX_FLOAT),
        (None, "DC") => Some(Ty::COMPLEX_DOUBLE),
        (None, "XC") => Some(Ty::COMPLEX_LONG_DOUBLE),
        (None, "TC") => Some(cx.unit.types.complex_of(Ty::FLOAT128)),
        (None, "CQI" | "CHI" | "CSI" | "CDI" | "CTI") => {
            let part = scalar(cx, &text[1..]);
            part.map(|p| cx.unit.types.complex_of(p))
        }
        _ => scalar(cx, text),
    };
    match found {
        Some(found) => QualType::new(found, ty.quals()),
        None => {
            cx.error(loc, format!("unknown machine mode '{text}'"));
            ty
        }
    }
}

/// `vector_size(bytes)`: the vector replaces the scalar type at the bottom of pointers, arrays and
/// functions.
fn vectorise(cx: &mut Sema<'_, '_>, ty: QualType, bytes: u64, loc: Loc) -> QualType {
    match cx.kind(ty) {
        TypeKind::Pointer(pointee) => {
            let inner = vectorise(cx, pointee, bytes, loc);
            QualType::new(cx.pointer_to(inner), ty.quals())
        }
        TypeKind::Array { elem, len } => {
            let inner = vectorise(cx, elem, bytes, loc);
            QualType::new(cx.unit.types.array_of(inner, len), ty.quals())
        }
        TypeKind::Function(id) => {
            let signature = cx.types().signature(id).clone();
            let ret = vectorise(cx, signature.ret, bytes, loc);
            cx.unit.types.function(Signature { ret, ..signature }).plain()
        }
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Enum(_) => {
            let elem = cx.types().strip_enum(ty.ty());
            let size = cx.types().size_of(elem).unwrap_or(1);
            if !bytes.is_multiple_of(size) {
                cx.error(loc, "vector size not an integral multiple of component size");
                return ty;
            }
            let lanes = bytes / size;
            if !lanes.is_power_of_two() {
                cx.error(loc, "number of vector components not a power of two");
                return ty;
            }
            if lanes > 1 << 30 {
                cx.error(loc, format!("number of vector components {lanes} exceeds {}", 1 << 30));
                return ty;
            }
            QualType::new(cx.unit.types.vector_of(elem, lanes as u32), ty.quals())
        }
        TypeKind::Error => ty,
        _ => {
            cx.error(loc, "invalid vector type for attribute 'vector_size'");
            ty
        }
    }
}
