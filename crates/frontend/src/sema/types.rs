//! Compatible and composite types (C23 6.2.7), parameter adjustment, completeness checks.

use base::Loc;

use super::{Sema, State};
use crate::tree::{ArrayLen, CallAbi, EnumId, QualType, Quals, RecordId, Signature, SignatureId, Ty, TypeKind, Types};

/// The unsigned type beside a standard signed integer type; other types stay.
pub fn without_sign(cx: &Sema<'_, '_>, ty: QualType) -> QualType {
    let unsigned = match cx.types().canonical(ty.ty()) {
        Ty::SCHAR | Ty::CHAR => Ty::UCHAR,
        Ty::SHORT => Ty::USHORT,
        Ty::INT => Ty::UINT,
        Ty::LONG => Ty::ULONG,
        Ty::LONGLONG => Ty::ULONGLONG,
        Ty::INT128 => Ty::UINT128,
        _ => return ty,
    };
    QualType::new(unsigned, ty.quals())
}

/// Compatible unqualified types with equal qualifiers.
pub fn compatible(types: &Types, a: QualType, b: QualType) -> bool {
    a == b || (a.quals() == b.quals() && compatible_unqualified(types, a.ty(), b.ty()))
}

/// Compatible types, whatever their own qualifiers.
pub fn compatible_unqualified(types: &Types, a: Ty, b: Ty) -> bool {
    let (a, b) = (types.canonical(a), types.canonical(b));
    if a == b || a == Ty::ERROR || b == Ty::ERROR {
        return true;
    }
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => compatible(types, a, b),
        (TypeKind::Array { elem: a, len: m }, TypeKind::Array { elem: b, len: n }) => {
            let lengths = match (m, n) {
                (ArrayLen::Constant(m), ArrayLen::Constant(n)) => m == n,
                _ => true,
            };
            lengths && compatible(types, a, b)
        }
        (TypeKind::Function(a), TypeKind::Function(b)) => functions_compatible(types, a, b),
        (TypeKind::Enum(id), TypeKind::Int(_)) => types.canonical(types.enums[id].underlying) == b,
        (TypeKind::Int(_), TypeKind::Enum(id)) => types.canonical(types.enums[id].underlying) == a,
        (TypeKind::Vector { elem: a, lanes: m }, TypeKind::Vector { elem: b, lanes: n }) => {
            m == n && compatible_unqualified(types, a, b)
        }
        (TypeKind::Complex(a), TypeKind::Complex(b)) => compatible_unqualified(types, a, b),
        (TypeKind::Record(a), TypeKind::Record(b)) => records_compatible(types, a, b),
        (TypeKind::Enum(a), TypeKind::Enum(b)) => enums_compatible(types, a, b),
        _ => false,
    }
}

/// Two definitions of one tag with the same members are the same type from C23 on; see
/// `records::finish`, which records that by giving the later one the first as its original.
fn records_compatible(types: &Types, a: RecordId, b: RecordId) -> bool {
    let original = |id: RecordId| types.records[id].same_as.unwrap_or(id);
    original(a) == original(b)
}

fn enums_compatible(types: &Types, a: EnumId, b: EnumId) -> bool {
    a == b || types.enums[a].same_as == Some(b) || types.enums[b].same_as == Some(a)
}

fn functions_compatible(types: &Types, a: SignatureId, b: SignatureId) -> bool {
    let (a, b) = (types.signature(a), types.signature(b));
    let apart = (a.abi == CallAbi::Ms) != (b.abi == CallAbi::Ms) || a.nocf_check != b.nocf_check;
    if !compatible_unqualified(types, a.ret.ty(), b.ret.ty()) || apart {
        return false;
    }
    match (a.prototype, b.prototype) {
        (true, true) => {
            a.variadic == b.variadic
                && a.params.len() == b.params.len()
                && a.params.iter().zip(&b.params).all(|(&p, &q)| parameters_compatible(types, p, q))
        }
        (true, false) => a.params.is_empty() || prototype_matches_old_style(types, a),
        (false, true) => b.params.is_empty() || prototype_matches_old_style(types, b),
        (false, false) => true,
    }
}

fn parameters_compatible(types: &Types, p: QualType, q: QualType) -> bool {
    if compatible_unqualified(types, p.ty(), q.ty()) {
        return true;
    }
    // A transparent union is compatible with the type of its members in redeclarations (GNU).
    let transparent = |u: QualType, other: QualType| match types.record_of(u.ty()) {
        Some(r) if r.transparent => r.fields.iter().any(|f| compatible_unqualified(types, f.ty.ty(), other.ty())),
        _ => false,
    };
    transparent(p, q) || transparent(q, p)
}

/// A prototype is compatible with `f()` if it is not variadic and no parameter changes under the
/// default promotions.
fn prototype_matches_old_style(types: &Types, signature: &Signature) -> bool {
    !signature.variadic && signature.params.iter().all(|&p| !changes_under_promotion(types, p.ty()))
}

/// The default argument promotions change values of this type.
pub fn changes_under_promotion(types: &Types, ty: Ty) -> bool {
    match types.canonical(types.strip_enum(ty)) {
        Ty::FLOAT => true,
        ty => !matches!(types.kind(ty), TypeKind::BitInt { .. }) && types.int_info(ty).is_some_and(|i| i.bits < 32),
    }
}

/// The composite of two compatible types (C23 6.2.7 paragraph 3). Qualifiers are `a`'s.
pub fn composite(types: &mut Types, a: QualType, b: QualType) -> QualType {
    if a.ty() == b.ty() {
        return a;
    }
    let ty = match (types.qkind(a), types.qkind(b)) {
        (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
            let pointee = composite(types, p, q);
            if pointee == p {
                return a;
            }
            types.pointer_to(pointee)
        }
        (TypeKind::Array { elem: e, len: m }, TypeKind::Array { elem: f, len: n }) => {
            let elem = composite(types, e, f);
            let len = match (m, n) {
                (ArrayLen::Constant(_), _) => m,
                (_, ArrayLen::Constant(_)) => n,
                (ArrayLen::Variable(_), _) => m,
                (_, ArrayLen::Variable(_)) => n,
                (ArrayLen::Star, _) => m,
                _ => n,
            };
            if elem == e && len == m {
                return a;
            }
            let align = types.declared_align(a.ty()).or(types.declared_align(b.ty()));
            let array = types.array_of(elem, len);
            match align {
                Some(align) => types.with_align(array, align),
                None => array,
            }
        }
        (TypeKind::Function(f), TypeKind::Function(g)) => return composite_function(types, a, b, f, g),
        (TypeKind::Enum(_), TypeKind::Int(_)) => return a,
        _ => return a,
    };
    QualType::new(ty, a.quals())
}

fn composite_function(types: &mut Types, a: QualType, b: QualType, f: SignatureId, g: SignatureId) -> QualType {
    let (f, g) = (types.signature(f).clone(), types.signature(g).clone());
    let ret = composite(types, f.ret, g.ret);
    let noreturn = f.noreturn || g.noreturn;
    let restricts = f.restricts | g.restricts;
    let abi = if f.abi == CallAbi::Unsaid { g.abi } else { f.abi };
    let (prototype, params, variadic) = match (f.prototype, g.prototype) {
        (true, true) => {
            let params = f.params.iter().zip(&g.params).map(|(&p, &q)| composite(types, p, q)).collect();
            (true, params, f.variadic)
        }
        (true, false) => (true, f.params, f.variadic),
        (false, true) => (true, g.params, g.variadic),
        (false, false) => (false, f.params, false),
    };
    let _ = b;
    let nocf_check = f.nocf_check;
    let signature = Signature { ret, params, variadic, prototype, noreturn, restricts, abi, nocf_check };
    QualType::new(types.function(signature), a.quals())
}

/// The type of a parameter after adjustment (C23 6.7.7.4 paragraphs 6 and 7): arrays become
/// pointers to their element, functions pointers to themselves. `array_quals` are the qualifiers
/// inside the outermost brackets.
pub fn adjust_parameter(types: &mut Types, ty: QualType, array_quals: Quals) -> QualType {
    match types.qkind(ty) {
        TypeKind::Array { elem, .. } => {
            let pointer = types.pointer_to(elem.with(ty.quals()));
            QualType::new(pointer, array_quals)
        }
        TypeKind::Function(_) => types.pointer_to(ty).plain(),
        _ => ty,
    }
}

/// Adds qualifiers; an array's go to its element.
pub fn qualify(types: &mut Types, ty: QualType, quals: Quals) -> QualType {
    if quals.is_empty() {
        return ty;
    }
    match types.qkind(ty) {
        // The name says the element: see [`Types::bare`].
        TypeKind::Array { .. } if types.typedef_of(ty.ty()).is_some() => ty.with(quals),
        TypeKind::Array { elem, len } => {
            let elem = qualify(types, elem, quals);
            let array = types.array_of(elem, len);
            match types.declared_align(ty.ty()) {
                Some(align) => types.with_align(array, align).plain(),
                None => array.plain(),
            }
        }
        _ => ty.with(quals),
    }
}

/// The type without qualifiers, at the innermost element of arrays (`typeof_unqual`).
pub fn unqualified_deep(types: &mut Types, ty: QualType) -> QualType {
    match types.qkind(ty) {
        TypeKind::Array { elem, len } => {
            let inner = unqualified_deep(types, elem);
            if inner == elem { ty.unqualified() } else { types.array_of(inner, len).plain() }
        }
        _ => ty.unqualified(),
    }
}

/// Qualifiers of a type, for an array those of its innermost element.
pub fn effective_quals(types: &Types, ty: QualType) -> Quals {
    match types.qkind(ty) {
        TypeKind::Array { elem, .. } => effective_quals(types, elem.with(ty.quals())),
        _ => ty.quals(),
    }
}

/// Whether objects of these types are in different address spaces.
pub fn spaces_differ(types: &Types, a: QualType, b: QualType) -> bool {
    effective_quals(types, a).space() != effective_quals(types, b).space()
}

/// The type cannot be assigned to: `const`, or a record with a `const` member.
pub fn is_read_only(types: &Types, ty: QualType) -> bool {
    effective_quals(types, ty).is_const() || types.record_of(ty.ty()).is_some_and(|r| r.has_const_member)
}

/// The scalar type's signed or unsigned counterpart of the same size (for vector masks,
/// `-Wpointer-sign`).
pub fn with_signedness(types: &Types, ty: Ty, signed: bool) -> Option<Ty> {
    Some(match (types.strip_enum(ty), signed) {
        (Ty::CHAR | Ty::SCHAR | Ty::UCHAR | Ty::BOOL, true) => Ty::SCHAR,
        (Ty::CHAR | Ty::SCHAR | Ty::UCHAR | Ty::BOOL, false) => Ty::UCHAR,
        (Ty::SHORT | Ty::USHORT, true) => Ty::SHORT,
        (Ty::SHORT | Ty::USHORT, false) => Ty::USHORT,
        (Ty::INT | Ty::UINT, true) => Ty::INT,
        (Ty::INT | Ty::UINT, false) => Ty::UINT,
        (Ty::LONG | Ty::ULONG, true) => Ty::LONG,
        (Ty::LONG | Ty::ULONG, false) => Ty::ULONG,
        (Ty::LONGLONG | Ty::ULONGLONG, true) => Ty::LONGLONG,
        (Ty::LONGLONG | Ty::ULONGLONG, false) => Ty::ULONGLONG,
        (Ty::INT128 | Ty::UINT128, true) => Ty::INT128,
        (Ty::INT128 | Ty::UINT128, false) => Ty::UINT128,
        _ => return None,
    })
}

/// The standard integer type of `bytes` bytes.
pub fn int_of_size(bytes: u64, signed: bool) -> Option<Ty> {
    Some(match (bytes, signed) {
        (1, true) => Ty::SCHAR,
        (1, false) => Ty::UCHAR,
        (2, true) => Ty::SHORT,
        (2, false) => Ty::USHORT,
        (4, true) => Ty::INT,
        (4, false) => Ty::UINT,
        (8, true) => Ty::LONG,
        (8, false) => Ty::ULONG,
        (16, true) => Ty::INT128,
        (16, false) => Ty::UINT128,
        _ => return None,
    })
}

impl State<'_> {
    /// `const`-qualified pointers and the like: pointer to `pointee`.
    pub fn pointer_to(&mut self, pointee: impl Into<QualType>) -> Ty {
        self.unit.types.pointer_to(pointee.into())
    }

    /// What the type is.
    #[inline]
    pub fn kind(&self, ty: impl Into<QualType>) -> TypeKind {
        self.unit.types.kind(ty.into().ty())
    }
}

/// Requires a complete object type for `what`; reports its absence as gcc does. True if it is
/// complete.
pub fn require_complete(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) -> bool {
    if cx.types().is_error(ty.ty()) || !cx.types().is_incomplete(ty.ty()) {
        return !cx.types().is_error(ty.ty());
    }
    report_incomplete(cx, ty, loc);
    false
}

/// gcc's words for the use of an incomplete type.
pub fn report_incomplete(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) {
    let message = match cx.kind(ty) {
        TypeKind::Void => "invalid use of void expression".to_string(),
        TypeKind::Array { len: ArrayLen::Incomplete, .. } => "invalid use of array with unspecified bounds".to_string(),
        TypeKind::Array { elem, .. } => return report_incomplete(cx, elem, loc),
        _ => format!("invalid use of undefined type {}", cx.tname(ty.unqualified())),
    };
    cx.error(loc, message);
}
