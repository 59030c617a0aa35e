//! `-Wpadded` and `-Wpacked`: what the layout of a structure or union leaves unused, and where
//! `packed` changes nothing (gcc's `place_field` and `finalize_record_size`).

use base::{Loc, warning};

use crate::sema::Sema;
use crate::tree::{Field, QualType, RecordId, RecordKind};

/// The record has its layout; `loc` is where gcc reports what concerns it as a whole.
pub fn check(cx: &Sema<'_, '_>, id: RecordId, loc: Loc) {
    let record = &cx.types().records[id];
    let is_on = |flag| cx.sess.diag.is_on_somewhere(flag);
    if record.size_vla.is_some() || !is_on(warning::PADDED) && !is_on(warning::PACKED) {
        return;
    }
    let is_struct = record.kind == RecordKind::Struct;
    let (mut end, mut natural, mut needed) = (0, u64::from(record.align), false);
    for field in &record.fields {
        let align = cx.types().align_of(field.ty) as u64;
        let place = place(cx, field);
        let start = match field.bits {
            Some(bits) if bits.width == 0 => place.1.next_multiple_of(align * 8),
            _ => place.0,
        };
        if is_struct && field.bits.is_none_or(|bits| bits.width == 0) && start > end {
            let name = field.name.map_or("({anonymous})", |name| cx.str(name));
            let at = if field.name.is_some() { field.loc } else { loc };
            cx.warn(warning::PADDED, at, format!("padding struct to align '{name}'"));
        }
        if field.packed && align > 1 && field.bits.is_none() {
            let is_aligned = field.offset.is_multiple_of(align);
            needed |= !is_aligned;
            if is_aligned && !record.packed && field.declared_align == 0 && is_on(warning::PACKED) {
                let name = field.name.map_or("({anonymous})", |name| cx.str(name));
                // gcc's flag for it, where the other asks.
                cx.warn(warning::ATTRIBUTES, field.loc, format!("packed attribute is unnecessary for '{name}'"));
            }
        }
        natural = natural.max(align);
        end = if is_struct { place.1.max(start) } else { end.max(place.1) };
    }
    if end < record.size * 8 {
        cx.warn(warning::PADDED, loc, "padding struct size to alignment boundary");
    }
    if is_struct && record.packed && !needed && record.size.is_multiple_of(natural) {
        let tag = record.tag.map_or(String::new(), |tag| format!(" for '{}'", cx.str(tag)));
        cx.warn(warning::PACKED, loc, format!("packed attribute is unnecessary{tag}"));
    }
}

/// `packed` at a member that needs no alignment.
pub fn check_packed(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) {
    let mut element = ty;
    while let Some(inner) = cx.types().array_element(element) {
        element = inner;
    }
    if !cx.types().is_incomplete(element.ty()) && cx.types().align_of(element) == 1 {
        let message = format!("'packed' attribute ignored for field of type {}", cx.tname(ty));
        cx.warn(warning::ATTRIBUTES, loc, message);
    }
}

/// First bit of a member and the bit after it.
fn place(cx: &Sema<'_, '_>, field: &Field) -> (u64, u64) {
    match field.bits {
        Some(bits) => (bits.bit_offset, bits.bit_offset + u64::from(bits.width)),
        None => (field.offset * 8, (field.offset + cx.types().size_of(field.ty).unwrap_or(0)) * 8),
    }
}
