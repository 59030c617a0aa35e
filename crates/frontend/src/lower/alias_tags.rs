//! Type-based alias classes (C23 6.5.1 paragraph 7): one tag per scalar type with signedness
//! merged, enumerations as their underlying type, all pointers together, character types as the
//! root.
//!
//! Accesses through unions and `may_alias` types get the root through
//! [`super::place::Place::any_alias`]. A vector has the tag of its lanes, since lanes are accessed
//! as scalars. Without `-fstrict-aliasing` everything gets the root.

use ir::{AliasTag, AliasTags};

use super::function::Fx;
use super::state::State;
use crate::tree::print::float_name;
use crate::tree::{IntKind, Ty, TypeKind, Types};

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
        TypeKind::Float(kind) => float_name(kind),
        TypeKind::Pointer(_) | TypeKind::NullPtr => "pointer",
        TypeKind::Complex(part) => return name(types, part),
        TypeKind::Vector { elem, .. } => return name(types, elem),
        _ => return None,
    })
}
