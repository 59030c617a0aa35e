//! Type-based alias classes (C23 6.5.1 paragraph 7): one tag per scalar type with signedness
//! merged, enumerations as their underlying type, character types as the root; pointers apart by
//! what they lead to; and of members the records that they are in.
//!
//! Accesses through unions and `may_alias` types get the root through
//! [`super::place::Place::any_alias`]. A vector has the tag of its lanes, since lanes are accessed
//! as scalars. Without `-fstrict-aliasing` everything gets the root.

use std::fmt::Write as _;

use base::Session;
use ir::alias_tags::{Path, Shared, Step};
use ir::{AliasTag, AliasTags, MemberPath, RecordTag};

use super::function::Fx;
use super::lvalues;
use super::place::Place;
use super::state::State;
use crate::tree::print::float_name;
use crate::tree::*;

/// Records that contain others in more levels, or more others, tell no accesses apart.
const MAX_DEPTH: u32 = 64;
const MAX_PARTS: usize = 256;

/// Pointers through more levels are of the class that all pointers are in.
const MAX_LEVELS: usize = 8;

/// The class that all pointers are in.
const POINTER: &str = "pointer";

/// The tag of accesses of type `ty` to a place.
pub fn of_access(fx: &mut Fx<'_, '_>, place: Place, ty: Ty) -> AliasTag {
    if !fx.options.codegen.strict_aliasing {
        return AliasTags::any();
    }
    let scalar = if place.any_alias { AliasTags::any() } else { of_type(fx.state, &fx.unit.types, fx.session, ty) };
    match place.path {
        Some(path) => fx.state.module.alias_tags.member(scalar, path),
        None => scalar,
    }
}

/// The records that the scalar is in that an lvalue designates, or the union of scalars. Not of
/// other records, whose members are what is accessed.
pub fn path(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Option<MemberPath> {
    if !fx.options.codegen.strict_aliasing || !fx.optimizing() {
        return None;
    }
    let types = &fx.unit.types;
    let ty = e.ty.ty();
    let size = types.size_of(e.ty)?;
    let mut path = Path::default();
    match types.kind(ty) {
        TypeKind::Array { .. } => return None,
        TypeKind::Record(record) => {
            if !is_choice_of_scalars(types, &types.records[record]) {
                return None;
            }
            let record = record_tag(fx.state, types, fx.session, record, 0)?;
            path.steps.push(Step { record, start: 0, end: size });
            path.shared = Shared::Union;
        }
        _ => {}
    }
    let mut walk = Walk { at: e, start: 0, end: size, element: false };
    while let Some(record) = walk.step(types)? {
        if types.records[record].kind == RecordKind::Union {
            path.steps.clear();
            path.shared = if has_bytes(types, &types.records[record]) { Shared::Bytes } else { Shared::Union };
        }
        let record = record_tag(fx.state, types, fx.session, record, 0)?;
        path.steps.push(Step { record, start: walk.start, end: walk.end });
    }
    if path.steps.is_empty() {
        return None;
    }
    let in_array = matches!(lvalues::strip(e).kind, ExprKind::Deref(_));
    if in_array && types.is_scalar(ty) && name(types, ty).is_none() {
        path.shared = Shared::Bytes;
    }
    Some(fx.state.module.alias_tags.path(path))
}

/// Whether a record is a union of scalars.
fn is_choice_of_scalars(types: &Types, record: &Record) -> bool {
    let is_scalar = |field: &Field| types.is_scalar(field.ty.ty()) && field.bits.is_none();
    record.kind == RecordKind::Union && record.fields.iter().all(is_scalar)
}

/// Whether a member of a record is an array of characters, in which objects of any type may be.
fn has_bytes(types: &Types, record: &Record) -> bool {
    record.fields.iter().any(|field| {
        let (elem, lengths) = elements(types, field.ty.ty());
        !lengths.is_empty() && types.is_scalar(elem) && name(types, elem).is_none()
    })
}

/// A way from an lvalue outwards.
struct Walk<'a> {
    /// The object that has been reached.
    at: ExprRef<'a>,
    /// First byte of it that may be accessed.
    start: u64,
    /// One past the last one; `u64::MAX` if the object's end is no limit.
    end: u64,
    /// The last step was from an element to its array.
    element: bool,
}

impl<'a> Walk<'a> {
    /// Goes outwards to the next record and says which one it is, none if there are no more. Fails
    /// where nothing is known.
    fn step(&mut self, types: &Types) -> Option<Option<RecordId>> {
        for _ in 0..MAX_DEPTH {
            if types.may_alias(self.at.ty.ty()) {
                return None;
            }
            match self.at.kind {
                ExprKind::Member { base, record, field } => {
                    self.to_record(&types.records[record], field)?;
                    self.at = base;
                    return (!types.may_alias(base.ty.ty())).then_some(Some(record));
                }
                ExprKind::Cast { kind: CastKind::NoOp, operand } => self.at = operand,
                ExprKind::Deref(pointer) => match pointed(pointer) {
                    Some(array) if types.is_array(array.ty.ty()) => {
                        self.at = array;
                        self.element = true;
                        self.start = 0;
                        self.end = types.size_of(array.ty).filter(|&size| size != 0).unwrap_or(u64::MAX);
                    }
                    Some(object) => self.at = object,
                    None => return Some(None),
                },
                _ => return Some(None),
            }
        }
        None
    }

    fn to_record(&mut self, record: &Record, index: u32) -> Option<()> {
        let field = record.field(index);
        if field.bits.is_some() || field.offset_vla.is_some() || record.size_vla.is_some() {
            return None;
        }
        // Programs take an array at the end for as long as its memory is.
        let last = record.kind == RecordKind::Union || index as usize + 1 == record.fields.len();
        self.start = self.start.checked_add(field.offset)?;
        self.end = if self.element && last { u64::MAX } else { self.end.saturating_add(field.offset) };
        self.element = false;
        Some(())
    }
}

/// The object that a pointer was made of: the array that it leads into, or the operand of `&`.
fn pointed(mut pointer: ExprRef<'_>) -> Option<ExprRef<'_>> {
    let mut moved = false;
    for _ in 0..MAX_DEPTH {
        pointer = match pointer.kind {
            ExprKind::PtrAdd { ptr, .. } => {
                moved = true;
                ptr
            }
            ExprKind::Cast { kind: CastKind::NoOp, operand } => operand,
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => return Some(operand),
            ExprKind::AddrOf(object) if !moved => return Some(object),
            _ => return None,
        }
    }
    None
}

/// The record, by a name that is the same for compatible types in all units: its tag and a hash of
/// where which members are.
fn record_tag(state: &mut State, types: &Types, session: &Session, record: RecordId, depth: u32) -> Option<RecordTag> {
    if let Some(&known) = state.record_tags.get(&record) {
        return known;
    }
    let made = new_record_tag(state, types, session, &types.records[record], depth);
    state.record_tags.insert(record, made);
    made
}

fn new_record_tag(
    state: &mut State,
    types: &Types,
    session: &Session,
    record: &Record,
    depth: u32,
) -> Option<RecordTag> {
    if depth > MAX_DEPTH || !record.complete || record.size_vla.is_some() {
        return None;
    }
    let mut layout = String::new();
    let mut parts = Vec::new();
    for field in &record.fields {
        let (elem, lengths) = elements(types, field.ty.ty());
        let _ =
            write!(layout, "{} {:?} {lengths:?} ", field.offset, field.bits.map(|bits| (bits.bit_offset, bits.width)));
        match types.kind(elem) {
            TypeKind::Record(inner) => {
                let part = record_tag(state, types, session, inner, depth + 1)?;
                layout.push_str(state.module.alias_tags.record_name(part));
                parts.push(part);
            }
            _ => layout.push_str(name(types, elem).unwrap_or("any")),
        }
        layout.push(';');
    }
    let tag =
        record.tag.map_or(if record.kind == RecordKind::Union { "union" } else { "struct" }, |tag| session.str(tag));
    let name = format!("{tag}.{:08x}", fnv1a(&layout));
    Some(state.module.alias_tags.record(&name, &parts)).filter(|&r| state.module.alias_tags.parts(r).len() <= MAX_PARTS)
}

/// The type of an array's innermost elements, and its lengths.
fn elements(types: &Types, mut ty: Ty) -> (Ty, Vec<Option<u64>>) {
    let mut lengths = Vec::new();
    while let TypeKind::Array { elem, len } = types.kind(ty) {
        lengths.push(if let ArrayLen::Constant(len) = len { Some(len) } else { None });
        ty = elem.ty();
    }
    (ty, lengths)
}

/// The hash of Fowler, Noll and Vo (FNV-1a), 32 bits.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn of_type(state: &mut State, types: &Types, session: &Session, ty: Ty) -> AliasTag {
    if let Some(&tag) = state.alias_tags.get(&ty) {
        return tag;
    }
    let tags = &mut state.module.alias_tags;
    let tag = match name(types, ty) {
        None => AliasTags::any(),
        Some(name) => {
            let class = tags.intern(name, AliasTags::any());
            pointer_name(types, session, ty).map_or(class, |name| tags.intern(&name, class))
        }
    };
    state.alias_tags.insert(ty, tag);
    tag
}

/// The class of pointers that a pointer is in, a name that is the same for compatible types in all
/// units. Pointers to `void` may be accessed as any others, and others as them, as in gcc
/// (`get_alias_set`); those to characters as well, at whatever level.
fn pointer_name(types: &Types, session: &Session, mut ty: Ty) -> Option<String> {
    let mut stars = String::new();
    while let TypeKind::Pointer(to) = types.kind(ty) {
        stars.push('*');
        ty = elements(types, to.ty()).0;
    }
    let (keyword, to) = match types.kind(ty) {
        _ if stars.is_empty() || stars.len() > MAX_LEVELS => return None,
        TypeKind::Record(record) => {
            let record = &types.records[record];
            (record.kind.keyword(), record.tag.map_or("", |tag| session.str(tag)))
        }
        TypeKind::Function(_) => ("", "function"),
        _ => ("", name(types, ty)?),
    };
    let words = [keyword, to, &stars];
    Some(words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
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
        TypeKind::Pointer(_) | TypeKind::NullPtr => POINTER,
        TypeKind::Complex(part) => return name(types, part),
        TypeKind::Vector { elem, .. } => return name(types, elem),
        _ => return None,
    })
}
