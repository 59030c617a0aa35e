//! libubsan's `TypeDescriptor`: kind, width and sign, and the name in quotes (gcc's
//! `ubsan_type_descriptor`).

use ir::SymbolId;

use crate::lower::function::Fx;
use crate::tree::print::{float_name, int_name};
use crate::tree::*;

/// Values that libubsan can print.
const INTEGER: u16 = 0;
const FLOAT: u16 = 1;
const UNKNOWN: u16 = 0xffff;

/// The descriptor of an arithmetic type.
pub fn value(fx: &mut Fx<'_, '_>, ty: Ty) -> SymbolId {
    let name = base_name(fx, ty);
    descriptor(fx, ty, &name)
}

/// The descriptor of an array, with its lengths.
pub fn array(fx: &mut Fx<'_, '_>, ty: Ty) -> SymbolId {
    let (mut lengths, mut elem) = (String::new(), ty);
    while let TypeKind::Array { elem: inner, len } = fx.types().kind(elem) {
        match len {
            ArrayLen::Constant(n) => lengths.push_str(&format!("[{n}]")),
            _ => lengths.push_str("[*]"),
        }
        elem = inner.ty();
    }
    let (stars, base) = pointers(fx, elem.into());
    let name = base_name(fx, base.ty());
    descriptor(fx, elem, &format!("{name} {stars}{lengths}"))
}

/// The descriptor of what is accessed through a pointer to `ty`.
pub fn pointee(fx: &mut Fx<'_, '_>, ty: QualType) -> SymbolId {
    let (stars, base) = pointers(fx, ty);
    let base = elements(fx, base);
    let mut text = String::new();
    for (qual, word) in [
        (Quals::VOLATILE, "volatile "),
        (Quals::CONST, "const "),
        (Quals::RESTRICT, "restrict "),
        (Quals::ATOMIC, "_Atomic "),
    ] {
        if base.quals().has(qual) {
            text.push_str(word);
        }
    }
    if let Some(record) = fx.types().record_of(base.ty()) {
        text.push_str(record.kind.keyword());
        text.push(' ');
    }
    text.push_str(&base_name(fx, base.ty()));
    if !stars.is_empty() {
        text.push(' ');
        text.push_str(&stars);
    }
    named(fx, UNKNOWN, 0, &text)
}

/// The stars of a pointer type, and what is under them.
fn pointers(fx: &Fx<'_, '_>, mut ty: QualType) -> (String, QualType) {
    let mut stars = String::new();
    while let TypeKind::Pointer(inner) = fx.types().qkind(ty) {
        stars.push('*');
        ty = inner;
    }
    (stars, ty)
}

/// The elements of an array of whatever rank.
fn elements(fx: &Fx<'_, '_>, mut ty: QualType) -> QualType {
    while let TypeKind::Array { elem, .. } = fx.types().kind(ty.ty()) {
        ty = elem.with(ty.quals());
    }
    ty
}

fn descriptor(fx: &mut Fx<'_, '_>, ty: Ty, name: &str) -> SymbolId {
    let bits = fx.types().size_of(QualType::from(ty)).unwrap_or(0) * 8;
    let (kind, info) = match fx.types().kind(ty) {
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::BitInt { .. } if bits <= 128 => {
            (INTEGER, (bits.trailing_zeros() as u16) << 1 | u16::from(fx.types().is_signed(ty)))
        }
        TypeKind::Float(kind)
            if matches!(kind.format(), FloatFormat::Single | FloatFormat::Double | FloatFormat::X87) =>
        {
            (FLOAT, bits as u16)
        }
        _ => (UNKNOWN, 0),
    };
    named(fx, kind, info, name)
}

fn named(fx: &mut Fx<'_, '_>, kind: u16, info: u16, name: &str) -> SymbolId {
    let mut bytes = Vec::with_capacity(name.len() + 7);
    bytes.extend(kind.to_le_bytes());
    bytes.extend(info.to_le_bytes());
    bytes.push(b'\'');
    bytes.extend(name.as_bytes());
    bytes.extend(b"'\0");
    fx.state.constant(&bytes, 2, 0)
}

fn base_name(fx: &Fx<'_, '_>, ty: Ty) -> String {
    let tag = |tag: Option<base::Symbol>, typedef: Option<base::Symbol>| {
        tag.or(typedef).map_or("<unknown>", |name| fx.session.str(name)).to_string()
    };
    match fx.types().kind(ty) {
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "_Bool".into(),
        TypeKind::Int(kind) => int_name(kind).into(),
        TypeKind::BitInt { bits, signed } => format!("{}_BitInt({bits})", if signed { "" } else { "unsigned " }),
        TypeKind::Float(kind) => float_name(kind).into(),
        TypeKind::Record(id) => tag(fx.types().records[id].tag, fx.types().records[id].typedef_name),
        TypeKind::Complex(part) => format!("complex {}", base_name(fx, part)),
        TypeKind::Enum(id) => tag(fx.types().enums[id].tag, fx.types().enums[id].typedef_name),
        _ => "<unknown>".into(),
    }
}
