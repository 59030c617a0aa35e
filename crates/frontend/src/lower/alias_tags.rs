//! Type-based alias classes (C23 6.5.1 paragraph 7): one tag per scalar type with signedness merged, enumerations as
//! their underlying type, all pointers together, character types as the root.
//!
//! Accesses through unions and `may_alias` types get the root through [`super::place::Place::any_alias`]. A vector has the
//! tag of its lanes, since lanes are accessed as scalars. Without `-fstrict-aliasing` everything gets the root.

use ir::{AliasTag, AliasTags};

use super::function::Fx;
use super::state::State;
use crate::tree::{FloatKind, IntKind, Ty, TypeKind, Types};

/// The tag of accesses of type `ty`.
pub fn tag(fx: &mut Fx<'_, '_>, ty: Ty) -> AliasTag {
    if !fx.options.codegen.strict_aliasing {
        return AliasTags::any();
    }
    of_type(fx.state, &fx.unit.types, ty)
}

fn of_type(state: &mut State, types: &Types, ty: Ty) -> AliasTag {
    if let Some(&tag) = state.alias_tags.get(&ty) {
        return tag;
    }
    let tag = match name(types, ty) {
        Some(name) => state.module.alias_tags.intern(name, AliasTags::any()),
        None => AliasTags::any(),
    };
    state.alias_tags.insert(ty, tag);
    tag
}

fn name(types: &Types, ty: Ty) -> Option<&'static str> {
    if types.may_alias(ty) {
        return None;
    }
    Some(match types.kind(types.strip_enum(ty)) {
        TypeKind::Bool => "bool",
        TypeKind::Int(kind) => match kind {
            IntKind::Char | IntKind::SChar | IntKind::UChar => return None,
            IntKind::Short | IntKind::UShort => "short",
            IntKind::Int | IntKind::UInt => "int",
            IntKind::Long | IntKind::ULong => "long",
            IntKind::LongLong | IntKind::ULongLong => "long long",
            IntKind::Int128 | IntKind::UInt128 => "int128",
        },
        TypeKind::Float(kind) => match kind {
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
        },
        TypeKind::Pointer(_) | TypeKind::NullPtr => "pointer",
        TypeKind::Complex(part) => return name(types, part),
        TypeKind::Vector { elem, .. } => return name(types, elem),
        _ => return None,
    })
}
