//! Types as C text, in gcc's spelling, for diagnostics and dumps.

use base::Interner;

use super::types::{ArrayLen, CallAbi, FloatKind, IntKind, QualType, Quals, Ty, TypeKind, Types};

/// The specifier of an integer type as gcc prints it.
pub fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short int",
        IntKind::UShort => "short unsigned int",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long int",
        IntKind::ULong => "long unsigned int",
        IntKind::LongLong => "long long int",
        IntKind::ULongLong => "long long unsigned int",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "__int128 unsigned",
    }
}

/// The specifier of a floating type.
pub fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float32 => "_Float32",
        FloatKind::Float64 => "_Float64",
        FloatKind::Float128 => "_Float128",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64x => "_Float64x",
        FloatKind::Decimal32 => "_Decimal32",
        FloatKind::Decimal64 => "_Decimal64",
        FloatKind::Decimal128 => "_Decimal128",
    }
}

/// `ty` as messages have it: in quotes, with its plain type where that reads otherwise.
pub fn quoted_type(types: &Types, names: &Interner, ty: QualType) -> String {
    let written = written_name(types, names, ty);
    let bare = types.bare_ty(ty.ty());
    if bare != ty.ty() {
        let bare = type_name(types, names, QualType::new(bare, ty.quals()));
        if bare != written {
            return format!("'{written}' {{aka '{bare}'}}");
        }
    }
    format!("'{written}'")
}

/// `ty` as it was written; as in gcc a typedef's name stands alone, without qualifiers.
pub fn written_name(types: &Types, names: &Interner, ty: QualType) -> String {
    match types.typedef_of(ty.ty()) {
        Some(typedef) => names.resolve(typedef.name).to_string(),
        None => type_name(types, names, ty),
    }
}

/// `ty` as a type name. Names of typedefs show but for those of pointers, arrays and functions, as
/// in gcc.
pub fn type_name(types: &Types, names: &Interner, ty: QualType) -> String {
    declare(types, names, ty, String::new())
}

fn push_quals(text: &mut String, quals: Quals) {
    for (qual, word) in [
        (Quals::CONST, "const"),
        (Quals::VOLATILE, "volatile"),
        (Quals::RESTRICT, "restrict"),
        (Quals::ATOMIC, "_Atomic"),
        (Quals::SEG_FS, "__seg_fs"),
        (Quals::SEG_GS, "__seg_gs"),
    ] {
        if quals.has(qual) {
            if !text.is_empty() && !text.ends_with(' ') && !text.ends_with('*') {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
}

/// `ty` as a declaration of `declarator`: the declarator grows from the inside out (C23 6.7.7).
pub fn declare(types: &Types, names: &Interner, ty: QualType, declarator: String) -> String {
    let mut ty = ty;
    let mut declarator = declarator;
    loop {
        match types.qkind(ty) {
            TypeKind::Pointer(pointee) => {
                let mut text = String::from("*");
                if !ty.quals().is_empty() {
                    text.push(' ');
                    push_quals(&mut text, ty.quals());
                    if !declarator.is_empty() && !declarator.starts_with(['*', '[', '(']) {
                        text.push(' ');
                    }
                }
                if grouped(&declarator) {
                    text.push(' ');
                }
                text.push_str(&declarator);
                declarator = match types.qkind(pointee) {
                    TypeKind::Function(id) if types.signature(id).abi == CallAbi::Ms => {
                        format!("(__attribute__((ms_abi)) {text})")
                    }
                    TypeKind::Function(id) if types.signature(id).nocf_check => {
                        format!("(__attribute__((nocf_check)) {text})")
                    }
                    TypeKind::Array { .. } | TypeKind::Function(_) => format!("({text})"),
                    _ => text,
                };
                ty = pointee;
            }
            TypeKind::Array { elem, len } => {
                match len {
                    ArrayLen::Incomplete => declarator.push_str("[]"),
                    ArrayLen::Constant(n) => declarator.push_str(&format!("[{n}]")),
                    ArrayLen::Variable(_) => declarator.push_str("[]"),
                    ArrayLen::Star => declarator.push_str("[*]"),
                }
                ty = elem.with(ty.quals());
            }
            TypeKind::Function(signature) => {
                let signature = types.signature(signature);
                let mut parts: Vec<String> = signature.params.iter().map(|&p| type_name(types, names, p)).collect();
                if signature.variadic {
                    parts.push("...".to_string());
                } else if signature.prototype && parts.is_empty() {
                    parts.push("void".to_string());
                }
                declarator.push_str(&format!("({})", comma_separated(&parts)));
                ty = signature.ret;
            }
            _ => break,
        }
    }
    let mut text = String::new();
    push_quals(&mut text, ty.quals());
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&base_name(types, names, ty.ty()));
    if !declarator.is_empty() {
        // As gcc: "int *", "int (*)(void)", but "int[3]" and "int(void)".
        let bare = declarator.starts_with(['[', '(']) && !grouped(&declarator);
        if !bare {
            text.push(' ');
        }
        text.push_str(&declarator);
    }
    text
}

/// The declarator begins with parentheses that group.
fn grouped(declarator: &str) -> bool {
    declarator.starts_with("(*") || declarator.starts_with("(__attribute__")
}

/// Parameter types with gcc's spaces: two after one that ends in a word.
fn comma_separated(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            let word = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            text.push_str(if word { ",  " } else { ", " });
        }
        text.push_str(part);
    }
    text
}

fn tagged(keyword: &str, tag: Option<base::Symbol>, typedef_name: Option<base::Symbol>, names: &Interner) -> String {
    match (tag, typedef_name) {
        (Some(tag), _) => format!("{keyword} {}", names.resolve(tag)),
        (None, Some(name)) => names.resolve(name).to_string(),
        (None, None) => format!("{keyword} <anonymous>"),
    }
}

fn base_name(types: &Types, names: &Interner, ty: Ty) -> String {
    if let Some(typedef) = types.typedef_of(ty) {
        return names.resolve(typedef.name).to_string();
    }
    match types.kind(ty) {
        TypeKind::Error => "<error>".to_string(),
        TypeKind::Void => "void".to_string(),
        TypeKind::NullPtr => "nullptr_t".to_string(),
        TypeKind::Bool => "_Bool".to_string(),
        TypeKind::Int(kind) => int_name(kind).to_string(),
        TypeKind::BitInt { bits, signed } => format!("{}_BitInt({bits})", if signed { "" } else { "unsigned " }),
        TypeKind::Float(kind) => float_name(kind).to_string(),
        TypeKind::Complex(part) => match types.kind(part) {
            TypeKind::Float(FloatKind::LongDouble) => "complex long double".to_string(),
            _ => format!("complex {}", base_name(types, names, part)),
        },
        TypeKind::Record(id) => {
            let record = &types.records[id];
            tagged(record.kind.keyword(), record.tag, record.typedef_name, names)
        }
        TypeKind::Enum(id) => tagged("enum", types.enums[id].tag, types.enums[id].typedef_name, names),
        TypeKind::Vector { elem, lanes } => {
            let size = types.size_of(elem).unwrap_or(0) * lanes as u64;
            format!("__vector({}) {}", size / types.size_of(elem).unwrap_or(1).max(1), base_name(types, names, elem))
        }
        TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_) => type_name(types, names, ty.into()),
    }
}
