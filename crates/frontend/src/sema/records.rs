//! Structures and unions: tags, members, layout (psABI 3.1.2; bit-fields as gcc lays them out on
//! x86-64).
//!
//! Layout of a bit-field of width `w` and declared type `T`: it may not span more `T`-sized,
//! `T`-aligned units than `T` itself occupies, or else it moves to the next boundary of `T`;
//! `packed` and `#pragma pack` lift that rule. A named bit-field raises the record's alignment to
//! `T`'s, an unnamed one does not; width 0 moves to a boundary of `T` always.

use base::{Loc, Symbol};
use cranelift_entity::EntityRef;
use platform::data_layout::{MAX_OBJECT_SIZE, align_to};
use platform::options::Standard;

use super::constants::wide;
use super::scope::Tag;
use super::{Sema, types};
use crate::tree::{
    ArrayLen, BitField, EnumInfo, Field, QualType, Quals, Record, RecordId, RecordKind, Ty, TypeKind, Types,
};

/// What the attributes and pragmas around a record ask for.
#[derive(Clone, Copy, Default, Debug)]
pub struct RecordAttributes {
    /// `packed`
    pub packed: bool,
    /// `aligned`, `_Alignas`: bytes, 0 for none.
    pub align: u32,
    /// `transparent_union`
    pub transparent: bool,
    /// `may_alias`
    pub may_alias: bool,
    /// `scalar_storage_order("big-endian")`, by attribute or pragma: scalars are stored most
    /// significant byte first.
    pub reversed: bool,
    /// `ms_struct`, `-mms-bitfields`: bit-fields as Microsoft's compiler lays them out.
    pub ms_layout: bool,
}

/// A member as declared, before layout.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Name, if any.
    pub name: Option<Symbol>,
    /// Declared type.
    pub ty: QualType,
    /// The same as written.
    pub written: QualType,
    /// Width of a bit-field.
    pub width: Option<u32>,
    /// Alignment asked for, in bytes, 0 for none.
    pub align: u32,
    /// `packed` on the member.
    pub packed: bool,
    /// `nonstring`
    pub nonstring: bool,
    /// Its name's location.
    pub loc: Loc,
}

impl Sema<'_, '_> {
    /// A new, incomplete structure or union.
    pub fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, loc: Loc) -> RecordId {
        let function = self.functions.last().map(|function| function.decl.as_u32());
        self.unit.types.records.push(Record {
            tag,
            kind,
            complete: false,
            being_defined: false,
            fields: Vec::new(),
            size: 0,
            align: 1,
            size_vla: None,
            has_flexible_array: false,
            has_const_member: false,
            has_volatile_member: false,
            transparent: false,
            packed: false,
            declared_align: 0,
            same_as: None,
            loc,
            function,
            typedef_name: None,
        })
    }

    /// A new, incomplete enumeration.
    pub fn new_enum(&mut self, tag: Option<Symbol>, loc: Loc) -> crate::tree::EnumId {
        let function = self.functions.last().map(|function| function.decl.as_u32());
        self.unit.types.enums.push(EnumInfo {
            tag,
            complete: false,
            being_defined: false,
            underlying: Ty::UINT,
            fixed: false,
            packed: false,
            same_as: None,
            constants: Vec::new(),
            loc,
            function,
            typedef_name: None,
        })
    }
}

/// What tag a specifier names: `struct`, `union` or `enum`.
fn wrong_kind(cx: &mut Sema<'_, '_>, tag: Symbol, loc: Loc) {
    let name = cx.str(tag);
    cx.error(loc, format!("'{name}' defined as wrong kind of tag"));
}

/// Warns of a new tag that ends with the list of parameters it stands in.
pub fn tag_in_parameter_list(cx: &Sema<'_, '_>, keyword: &str, tag: Option<Symbol>, loc: Loc) {
    if cx.scopes.kind() != super::scope::ScopeKind::Prototype {
        return;
    }
    let tag = match tag {
        Some(tag) => format!("'{keyword} {}'", cx.str(tag)),
        // A transparent union need not have a name.
        None if keyword == "union" => return,
        None => format!("anonymous {keyword}"),
    };
    let message =
        format!("{tag} declared inside parameter list will not be visible outside of this definition or declaration");
    cx.sess.warn_always(loc, message).emit();
}

/// `struct tag` without a member list (C23 6.7.3.4). `declares` is set for `struct tag;`, which
/// makes a new type if the tag belongs to an outer scope.
pub fn reference(cx: &mut Sema<'_, '_>, kind: RecordKind, tag: Symbol, declares: bool, loc: Loc) -> Ty {
    let found = if declares { cx.scopes.lookup_tag_here(tag) } else { cx.scopes.lookup_tag(tag) };
    match found {
        Some(Tag::Record(id)) if cx.types().records[id].kind == kind => {
            return cx.unit.types.intern(TypeKind::Record(id));
        }
        Some(_) => wrong_kind(cx, tag, loc),
        None => {}
    }
    if !declares && found.is_none() {
        tag_in_parameter_list(cx, kind.keyword(), Some(tag), loc);
    }
    let id = cx.new_record(kind, Some(tag), loc);
    if found.is_none() {
        cx.scopes.bind_tag(tag, Tag::Record(id));
    }
    cx.unit.types.intern(TypeKind::Record(id))
}

/// `struct tag {`: starts a definition. Answers the record to fill in and an earlier complete
/// definition of the tag in this scope, if there is one (C23 allows repeating it).
pub fn begin(cx: &mut Sema<'_, '_>, kind: RecordKind, tag: Option<Symbol>, loc: Loc) -> (RecordId, Option<RecordId>) {
    let mut earlier = None;
    if let Some(tag) = tag {
        match cx.scopes.lookup_tag_here(tag) {
            Some(Tag::Record(id)) if cx.types().records[id].kind == kind => {
                let record = &cx.types().records[id];
                let name = cx.str(tag);
                if record.being_defined {
                    cx.error(loc, format!("nested redefinition of '{} {name}'", kind.keyword()));
                } else if !record.complete {
                    let record = &mut cx.unit.types.records[id];
                    record.being_defined = true;
                    record.loc = loc;
                    return (id, None);
                } else if cx.since(platform::options::Standard::C23) {
                    earlier = Some(id);
                } else {
                    let message = format!("redefinition of '{} {name}'", kind.keyword());
                    let first = record.loc;
                    cx.sess.error(loc, message).note(first, "originally defined here").emit();
                }
            }
            Some(_) => wrong_kind(cx, tag, loc),
            None => {}
        }
    }
    tag_in_parameter_list(cx, kind.keyword(), tag, loc);
    let id = cx.new_record(kind, tag, loc);
    cx.unit.types.records[id].being_defined = true;
    if let Some(tag) = tag
        && earlier.is_none()
    {
        cx.scopes.bind_tag(tag, Tag::Record(id));
    }
    (id, earlier)
}

/// Checks one member's type (C23 6.7.3.2 paragraphs 2 to 6). `last` members may be flexible arrays;
/// that is checked in [`finish`].
pub fn check_member(cx: &mut Sema<'_, '_>, record: RecordId, member: &mut Member) {
    let name = member.name.map_or("<anonymous>", |n| cx.str(n));
    let space = types::effective_quals(cx.types(), member.ty);
    if !space.space().is_empty() {
        cx.error(member.loc, format!("'{}' specified for structure field '{name}'", space.space_name()));
        member.ty = member.ty.without(space.space());
    }
    match cx.kind(member.ty) {
        TypeKind::Function(_) => {
            cx.error(member.loc, format!("field '{name}' declared as a function"));
            member.ty = cx.pointer_to(member.ty).plain();
        }
        TypeKind::Void => {
            cx.error(member.loc, format!("variable or field '{name}' declared void"));
            member.ty = Ty::ERROR.plain();
        }
        TypeKind::Array { len: ArrayLen::Incomplete, elem } if !cx.types().is_incomplete(elem.ty()) => {}
        TypeKind::Record(id) if id == record => {
            cx.error(member.loc, format!("field '{name}' has incomplete type"));
            member.ty = Ty::ERROR.plain();
        }
        _ if cx.types().is_incomplete(member.ty.ty()) => {
            cx.error(member.loc, format!("field '{name}' has incomplete type"));
            member.ty = Ty::ERROR.plain();
        }
        _ if cx.types().is_variably_modified(member.ty.ty()) => {
            cx.pedantic(member.loc, "a member of a structure or union cannot have a variably modified type");
            let in_parameters = cx.scopes.kind() == super::scope::ScopeKind::Prototype;
            if cx.functions.is_empty() && !in_parameters {
                cx.error(member.loc, format!("variably modified '{name}' at file scope"));
                cx.pending_bounds.clear();
                member.ty = Ty::ERROR.plain();
            }
        }
        _ => {}
    }
}

/// Checks a bit-field's type and width (C23 6.7.3.2 paragraphs 4 and 5). `None` if it is to be
/// dropped.
pub fn check_bit_field(
    cx: &mut Sema<'_, '_>,
    name: Option<Symbol>,
    ty: QualType,
    width: Option<i128>,
    loc: Loc,
) -> Option<u32> {
    let text = name.map_or("<anonymous>", |n| cx.str(n));
    if cx.types().is_error(ty.ty()) {
        return None;
    }
    let Some(info) = cx.types().int_info(ty.ty()) else {
        cx.error(loc, format!("bit-field '{text}' has invalid type"));
        return None;
    };
    let base = cx.types().strip_enum(ty.ty());
    if !matches!(base, Ty::INT | Ty::UINT | Ty::BOOL) && !matches!(cx.kind(base), TypeKind::BitInt { .. }) {
        // Implementation-defined since C99 (C23 6.7.3.2 paragraph 5).
        cx.pedantic_before(Standard::C99, loc, || format!("type of bit-field '{text}' is a GCC extension"));
    }
    let Some(width) = width else {
        cx.error(loc, format!("bit-field '{text}' width not an integer constant"));
        return None;
    };
    if width < 0 {
        cx.error(loc, format!("negative width in bit-field '{text}'"));
        return None;
    }
    if width == 0 && name.is_some() {
        cx.error(loc, format!("zero width for bit-field '{text}'"));
        return None;
    }
    let limit = info.bits;
    if width > limit as i128 {
        cx.error(loc, format!("width of '{text}' exceeds its type"));
        return Some(limit);
    }
    if let TypeKind::Enum(id) = cx.kind(ty) {
        let needed = super::enums::bits_needed(&cx.types().enums[id]);
        if width != 0 && (width as u32) < needed {
            cx.sess.warn_always(loc, format!("'{text}' is narrower than values of its type")).emit();
        }
    }
    Some(width as u32)
}

/// The members of the record have all been declared: checks them as a whole and lays them out.
pub fn finish(
    cx: &mut Sema<'_, '_>,
    id: RecordId,
    earlier: Option<RecordId>,
    members: &mut [Member],
    attrs: RecordAttributes,
    loc: Loc,
) -> Ty {
    check_duplicates(cx, members);
    check_flexible(cx, id, members);
    if attrs.reversed {
        for member in &mut *members {
            let element = innermost_element(cx.types(), member.ty).ty();
            if cx.types().int_info(element).is_some_and(|info| info.bits > wide::NARROW_BITS) {
                let name = cx.tname(element);
                cx.error(member.loc, format!("not supported: {name} in reverse storage order"));
            }
            let reversed = cx.unit.types.with_reversed(member.ty.ty());
            member.ty = QualType::new(reversed, member.ty.quals());
        }
    }
    let members = &*members;
    let pack = cx.pack;
    let layout = lay_out(&cx.unit.types, cx.types().records[id].kind, members, attrs, pack);
    if layout.overflow {
        let record = &cx.types().records[id];
        let name = record.tag.map_or("<anonymous>", |t| cx.str(t));
        let message = format!("type '{} {name}' is too large", record.kind.keyword());
        cx.error(loc, message);
    }
    let types = &cx.unit.types;
    let has = |quals: Quals| {
        members.iter().any(|m| {
            let deep = types
                .record_of(innermost_element(types, m.ty).ty())
                .is_some_and(|r| if quals == Quals::CONST { r.has_const_member } else { r.has_volatile_member });
            types::effective_quals(types, m.ty).has(quals) || deep
        })
    };
    let (has_const_member, has_volatile_member) = (has(Quals::CONST), has(Quals::VOLATILE));
    let has_flexible_array = members.last().is_some_and(|m| match types.qkind(m.ty) {
        TypeKind::Array { len, .. } => len == ArrayLen::Incomplete,
        TypeKind::Record(inner) => types.records[inner].has_flexible_array,
        _ => false,
    });
    let named = members.iter().any(|m| m.name.is_some() || (m.width.is_none() && types.is_record(m.ty.ty())));
    let mut layout = layout;
    let is_variable = members.iter().any(|m| m.width.is_none() && cx.types().is_vla(m.ty.ty()));
    let size_vla =
        is_variable.then(|| super::variable_records::lay_out(cx, id, members, attrs, pack, &mut layout, loc));
    let record = &mut cx.unit.types.records[id];
    record.fields = layout.fields;
    record.size = layout.size;
    record.align = layout.align;
    record.size_vla = size_vla;
    record.packed = attrs.packed;
    record.declared_align = attrs.align;
    record.has_const_member = has_const_member;
    record.has_volatile_member = has_volatile_member;
    record.has_flexible_array = has_flexible_array;
    record.complete = true;
    record.being_defined = false;
    let keyword = record.kind.keyword();
    super::lints::record_laid_out(cx, id, loc);
    if members.is_empty() {
        cx.pedantic(loc, format!("{keyword} has no members"));
        super::lints::empty_record(cx, keyword, loc);
    } else if !named {
        cx.pedantic(loc, format!("{keyword} has no named members"));
    }
    if attrs.transparent {
        make_transparent(cx, id, loc);
    }
    if let Some(earlier) = earlier {
        if same_members(cx.types(), id, earlier) {
            cx.unit.types.records[id].same_as = Some(cx.types().records[earlier].same_as.unwrap_or(earlier));
        } else {
            let name = cx.types().records[id].tag.map_or("", |t| cx.str(t));
            let first = cx.types().records[earlier].loc;
            let message = format!("redefinition of '{keyword} {name}'");
            cx.sess.error(loc, message).note(first, "originally defined here").emit();
        }
    }
    if earlier.is_none() && cx.since(platform::options::Standard::C23) {
        find_original(cx, id);
    }
    let ty = cx.unit.types.intern(TypeKind::Record(id));
    if attrs.may_alias { cx.unit.types.with_may_alias(ty) } else { ty }
}

/// A structure or union of another scope with the same tag and members is compatible (C23 6.2.7).
fn find_original(cx: &mut Sema<'_, '_>, id: RecordId) {
    let (kind, tag) = (cx.types().records[id].kind, cx.types().records[id].tag);
    let Some(tag) = tag else { return };
    let others = cx.tagged_records.entry(tag).or_default().clone();
    for &other in &others {
        if cx.types().records[other].kind != kind {
            continue;
        }
        // Members may point to the structures themselves: they are the same if the rest is.
        cx.unit.types.records[id].same_as = Some(other);
        if same_members(cx.types(), id, other) {
            return;
        }
        cx.unit.types.records[id].same_as = None;
    }
    cx.tagged_records.entry(tag).or_default().push(id);
}

/// Element type of an array at any depth, the type itself otherwise.
pub fn innermost_element(types: &Types, ty: QualType) -> QualType {
    match types.qkind(ty) {
        TypeKind::Array { elem, .. } => innermost_element(types, elem.with(ty.quals())),
        _ => ty,
    }
}

/// A transparent union is passed like its first member; all members must be passed the same way.
pub fn make_transparent(cx: &mut Sema<'_, '_>, id: RecordId, loc: Loc) {
    let record = &cx.unit.types.records[id];
    let usable = record.kind == RecordKind::Union
        && record.fields.first().is_some_and(|first| {
            let types = &cx.unit.types;
            let class = types.classify(first.ty);
            types.size_of(first.ty) == Some(record.size) && !class.is_memory()
        });
    if usable {
        cx.unit.types.records[id].transparent = true;
    } else {
        cx.warn(base::warning::ATTRIBUTES, loc, "'transparent_union' attribute ignored");
    }
}

fn same_members(types: &Types, a: RecordId, b: RecordId) -> bool {
    let (a, b) = (&types.records[a], &types.records[b]);
    a.size == b.size
        && a.align == b.align
        && a.fields.len() == b.fields.len()
        && a.fields.iter().zip(&b.fields).all(|(f, g)| {
            let order = types.holds_reversed(f.ty.ty()) == types.holds_reversed(g.ty.ty());
            f.name == g.name
                && f.offset == g.offset
                && f.bits == g.bits
                && order
                && types::compatible(types, f.ty, g.ty)
        })
}

fn check_duplicates(cx: &mut Sema<'_, '_>, members: &[Member]) {
    let mut seen = rustc_hash::FxHashMap::default();
    let mut duplicates = Vec::new();
    for member in members {
        collect_names(&cx.unit.types, member.name, member.ty, member.width.is_some(), member.loc, &mut |name, loc| {
            if seen.insert(name, loc).is_some() {
                duplicates.push((name, loc));
            }
        });
    }
    for (name, loc) in duplicates {
        let name = cx.str(name);
        cx.error(loc, format!("duplicate member '{name}'"));
    }
}

/// Calls `each` for the member's name, or for the names inside an anonymous structure or union.
fn collect_names(
    types: &Types,
    name: Option<Symbol>,
    ty: QualType,
    bit_field: bool,
    loc: Loc,
    each: &mut impl FnMut(Symbol, Loc),
) {
    match name {
        Some(name) => each(name, loc),
        None if bit_field => {}
        None => {
            if let Some(record) = types.record_of(ty.ty()) {
                for field in &record.fields {
                    collect_names(types, field.name, field.ty, field.bits.is_some(), field.loc, each);
                }
            }
        }
    }
}

/// A flexible array member comes last, in a structure with another named member (C23 6.7.3.2
/// paragraph 3). gcc takes it in unions and alone with a pedantic warning from version 15 on;
/// before that it is an error.
fn check_flexible(cx: &mut Sema<'_, '_>, id: RecordId, members: &[Member]) {
    for (index, member) in members.iter().enumerate() {
        let TypeKind::Array { len: ArrayLen::Incomplete, .. } = cx.kind(member.ty) else { continue };
        cx.feature_of(Standard::C99, member.loc, "flexible array members");
        if cx.types().records[id].kind == RecordKind::Union {
            cx.error(member.loc, "flexible array member in union");
        } else if index + 1 != members.len() {
            cx.error(member.loc, "flexible array member not at end of struct");
        } else if !members[..index].iter().any(|m| m.name.is_some() || cx.types().is_record(m.ty.ty())) {
            cx.error(member.loc, "flexible array member in a struct with no named members");
        }
    }
}

/// The result of laying out a record.
pub struct RecordLayout {
    /// Members with their positions.
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// Bytes.
    pub align: u32,
    /// The size exceeds the largest object.
    pub overflow: bool,
}

/// State of a layout in progress; positions in bits so that they need not be byte-aligned.
struct Layouter<'t> {
    types: &'t Types,
    is_union: bool,
    packed: bool,
    ms_layout: bool,
    /// In that layout, the bit-field just placed: bits of its type (0 after one of width 0), and of
    /// them not yet used.
    run: Option<(u64, u64)>,
    /// `#pragma pack` in bits, 0 for none.
    limit: u64,
    /// Next free bit.
    position: u128,
    /// Largest end of a member, in bits (unions).
    extent: u128,
    /// In bits.
    align: u64,
    overflow: bool,
}

/// Computes offsets, size and alignment.
pub fn lay_out(
    types: &Types,
    kind: RecordKind,
    members: &[Member],
    attrs: RecordAttributes,
    pack: Option<u32>,
) -> RecordLayout {
    let mut l = Layouter {
        types,
        is_union: kind == RecordKind::Union,
        packed: attrs.packed,
        ms_layout: attrs.ms_layout,
        run: None,
        limit: pack.unwrap_or(0) as u64 * 8,
        position: 0,
        extent: 0,
        align: 8,
        overflow: false,
    };
    let mut fields: Vec<Field> = members.iter().map(|m| l.place(m)).collect();
    l.end_run();
    l.extent = l.extent.max(l.position);
    l.align = l.align.max(attrs.align as u64 * 8);
    let bytes = l.extent.div_ceil(8);
    let overflow = l.overflow || bytes > MAX_OBJECT_SIZE as u128;
    let size = if overflow { 0 } else { align_to(bytes as u64, l.align / 8) };
    set_bit_field_runs(&mut fields, l.is_union);
    RecordLayout { fields, size, align: (l.align / 8) as u32, overflow }
}

impl Layouter<'_> {
    fn place(&mut self, m: &Member) -> Field {
        let packed = self.packed || m.packed;
        if self.is_union {
            self.position = 0;
            self.run = None;
        }
        let field = match m.width {
            Some(width) if self.ms_layout => self.place_ms_bit_field(m, width, packed),
            Some(width) => self.place_bit_field(m, width, packed),
            None => self.place_member(m, packed),
        };
        self.extent = self.extent.max(self.position);
        field
    }

    fn field(&self, m: &Member, packed: bool, bits: Option<BitField>, offset: u64) -> Field {
        let Member { name, ty, written, align: declared_align, nonstring, loc, .. } = *m;
        Field { name, ty, written, offset, offset_vla: None, bits, declared_align, packed, nonstring, loc }
    }

    /// Moves on to a multiple of `align` bits.
    fn align_position(&mut self, align: u64) {
        self.position = self.position.next_multiple_of(align as u128);
    }

    fn place_member(&mut self, m: &Member, packed: bool) -> Field {
        self.end_run();
        let mut align = self.types.align_of(m.ty) as u64 * 8;
        if packed {
            align = 8;
        }
        align = align.max(m.align as u64 * 8);
        if self.limit != 0 {
            align = align.min(self.limit);
        }
        self.align = self.align.max(align);
        self.align_position(align);
        let offset = (self.position / 8) as u64;
        // A flexible array member has no size of its own.
        let size = self.types.size_of(m.ty).unwrap_or(0);
        self.position += size as u128 * 8;
        self.overflow |= self.position / 8 > MAX_OBJECT_SIZE as u128;
        self.field(m, packed, None, offset)
    }

    fn place_bit_field(&mut self, m: &Member, width: u32, packed: bool) -> Field {
        let width64 = width as u64;
        let type_align = self.types.align_of(m.ty) as u64 * 8;
        let type_size = self.types.size_of(m.ty).unwrap_or(1) * 8;
        let asked = m.align as u64 * 8;
        if width == 0 {
            // The boundary is the type's own, whatever `#pragma pack` says.
            self.align_position(type_align.max(asked));
        } else {
            if asked != 0 {
                let align = if self.limit != 0 { asked.min(self.limit) } else { asked };
                self.align_position(align);
                self.align = self.align.max(align);
            }
            if !packed && self.limit == 0 {
                // Units of the type that the field would touch, against those the type itself
                // occupies.
                let spanned = ((self.position % type_align as u128) as u64 + width64).div_ceil(type_align);
                if spanned > type_size / type_align {
                    self.align_position(type_align);
                }
            }
            if m.name.is_some() {
                let align = match (self.limit, packed) {
                    (0, true) => 8,
                    (0, false) => type_align,
                    (limit, _) => type_align.min(limit),
                };
                self.align = self.align.max(align);
            }
        }
        let bit_offset = self.position as u64;
        self.position += width64 as u128;
        let bits = BitField { bit_offset, width, run_start: 0, run_end: 0 };
        self.field(m, packed, Some(bits), bit_offset / 8)
    }
}

impl Layouter<'_> {
    /// Bit-fields one after the other share units as long as their types have the same size (gcc
    /// manual, `ms_struct`); a unit is used up by what follows, and counts as a whole for the size
    /// of the record.
    fn place_ms_bit_field(&mut self, m: &Member, width: u32, packed: bool) -> Field {
        let width = width as u64;
        let type_size = self.types.size_of(m.ty).unwrap_or(1) * 8;
        let own_align = self.types.align_of(m.ty) as u64 * 8;
        let asked = m.align as u64 * 8;
        let limit = self.limit;
        let limited = |align: u64| if limit != 0 { align.min(limit) } else { align };
        let type_align = limited(own_align);
        let after_field = self.run.is_some_and(|(bits, _)| bits != 0);
        if width == 0 {
            // Only after another bit-field.
            if after_field {
                let other_type = self.run.is_some_and(|(bits, _)| bits != type_size);
                self.end_run();
                if other_type && !packed {
                    self.align_position(type_align);
                }
                self.align = self.align.max(type_align);
            }
            self.run = Some((0, 0));
        } else {
            if !packed {
                self.align = self.align.max(type_align);
            }
            if asked != 0 {
                self.align = self.align.max(limited(asked));
            }
            match self.run {
                Some((bits, rest)) if bits == type_size && rest >= width => self.run = Some((bits, rest - width)),
                Some((bits, _)) if bits == type_size => {
                    self.end_run();
                    self.align_position(limited(asked).max(1));
                    self.run = Some((bits, type_size - width));
                }
                _ => {
                    self.end_run();
                    let align = if packed { 8 } else { type_align };
                    self.align_position(align.max(limited(asked)));
                    self.run = Some((type_size, type_size - width));
                }
            }
        }
        let bit_offset = self.position as u64;
        self.position += width as u128;
        if self.is_union {
            self.run = None;
        }
        let bits = BitField { bit_offset, width: width as u32, run_start: 0, run_end: 0 };
        self.field(m, packed, Some(bits), bit_offset / 8)
    }

    /// The rest of a unit of bit-fields in the other layout stays empty.
    fn end_run(&mut self) {
        if let Some((_, rest)) = self.run.take() {
            self.position += rest as u128;
        }
    }
}

/// Finds the memory location each bit-field belongs to: adjacent bit-fields share one, a zero-width
/// field or another member ends it (C23 3.18).
fn set_bit_field_runs(fields: &mut [Field], is_union: bool) {
    let mut index = 0;
    while index < fields.len() {
        let Some(first) = fields[index].bits else {
            index += 1;
            continue;
        };
        let mut last = index + 1;
        if first.width != 0 && !is_union {
            while last < fields.len() && fields[last].bits.is_some_and(|b| b.width != 0) {
                last += 1;
            }
        }
        let start = first.bit_offset / 8;
        let end = fields[index..last].iter().filter_map(|f| f.bits).map(|b| b.bit_offset + b.width as u64).max();
        let end = end.unwrap_or(0).div_ceil(8);
        for field in &mut fields[index..last] {
            if let Some(bits) = &mut field.bits {
                bits.run_start = start;
                bits.run_end = end.max(start);
            }
        }
        index = last;
    }
}

/// Type of a bit-field as an operand: its declared type if that is wider than `int` or it has the
/// full width, otherwise an integer of its width for the purpose of promotion (C23 6.3.1.1
/// paragraph 2).
pub fn bit_field_of(types: &Types, record: RecordId, field: u32) -> Option<BitField> {
    types.records[record].fields.get(field as usize).and_then(|f| f.bits)
}

/// The index of the record, for tables beside it.
pub fn record_index(id: RecordId) -> usize {
    id.index()
}
