//! `deprecated` and `unavailable` (C23 6.7.13.3, GNU): uses of declarations, types and members that
//! have one are reported, but not in a declaration that has one itself.

use base::{Loc, Symbol, warning};

use crate::sema::Sema;
use crate::sema::attributes::Attr;
use crate::sema::declarations::DeclSpecs;
use crate::tree::{AttrFlags, Attributes, DeclId, EnumId, RecordId, TypeKind};

/// What has an attribute and is no declaration with attributes of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Marked {
    /// A structure or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// A member by its name.
    Member(RecordId, Symbol),
}

/// One of the two attributes.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    unavailable: bool,
    message: Option<Symbol>,
    /// Where the entity is declared.
    loc: Loc,
}

impl Mark {
    fn of(attributes: &Attributes, loc: Loc) -> Option<Mark> {
        let unavailable = attributes.flags.has(AttrFlags::UNAVAILABLE);
        let mark = Mark { unavailable, message: attributes.message, loc };
        (unavailable || attributes.flags.has(AttrFlags::DEPRECATED)).then_some(mark)
    }
}

/// The attributes of a type or member.
pub fn note(cx: &mut Sema<'_, '_>, what: Marked, attributes: &Attributes, loc: Loc) {
    if let Some(mark) = Mark::of(attributes, loc) {
        cx.unit_lints.deprecated.insert(what, mark);
    }
}

/// A variable, function, enumeration constant or typedef is used.
#[inline]
pub fn use_declaration(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    if cx.unit.decls[id].attrs.is_some() {
        use_with_attributes(cx, id, loc);
    }
}

fn use_with_attributes(cx: &mut Sema<'_, '_>, id: DeclId, loc: Loc) {
    let first = cx.unit.decls[id].loc;
    if let Some(mark) = cx.unit.attrs(id).and_then(|attributes| Mark::of(attributes, first)) {
        let name = cx.dname(id);
        report(cx, mark, &name, loc);
    }
}

/// A member is accessed or initialised.
pub fn use_member(cx: &mut Sema<'_, '_>, record: RecordId, name: Option<Symbol>, loc: Loc) {
    if let Some(name) = name
        && let Some(&mark) = cx.unit_lints.deprecated.get(&Marked::Member(record, name))
    {
        let name = format!("'{}'", cx.str(name));
        report(cx, mark, &name, loc);
    }
}

/// Something is declared with these specifiers, and `attributes` of its own.
pub fn use_specifiers(cx: &mut Sema<'_, '_>, specs: &DeclSpecs, attributes: &[Attr]) {
    let marks = |attr: &Attr| matches!(cx.str(attr.name), "deprecated" | "unavailable");
    if let Some(id) = specs.typedef_name {
        if cx.unit.attrs(id).is_some() && !attributes.iter().any(marks) {
            use_declaration(cx, id, specs.type_loc);
        }
        return;
    }
    if cx.unit_lints.deprecated.is_empty() || attributes.iter().any(marks) {
        return;
    }
    let (what, tag) = match cx.kind(specs.ty) {
        TypeKind::Record(id) => (Marked::Record(id), cx.types().records[id].tag),
        TypeKind::Enum(id) => (Marked::Enum(id), cx.types().enums[id].tag),
        _ => return,
    };
    if let Some(&mark) = cx.unit_lints.deprecated.get(&what) {
        let name = tag.map_or("type".to_string(), |tag| format!("'{}'", cx.str(tag)));
        report(cx, mark, &name, specs.type_loc);
    }
}

fn report(cx: &mut Sema<'_, '_>, mark: Mark, name: &str, loc: Loc) {
    let suffix = mark.message.map_or(String::new(), |message| format!(": {}", cx.str(message)));
    if mark.unavailable {
        cx.sess.error(loc, format!("{name} is unavailable{suffix}")).note(mark.loc, "declared here").emit();
    } else {
        // gcc says it of the place where a macro is used.
        let sources = &cx.sess.sources;
        let moves = sources.is_macro(loc) && !sources.in_system_header(loc);
        let loc = if moves { sources.expansion_point(loc) } else { loc };
        cx.sess
            .warn(warning::DEPRECATED_DECLARATIONS, loc, format!("{name} is deprecated{suffix}"))
            .note(mark.loc, "declared here")
            .emit();
    }
}
