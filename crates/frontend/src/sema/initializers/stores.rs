//! Values into their places: items of automatic objects, bytes and relocations of static ones.

use base::Loc;

use super::literals::{copy_contents, copy_static_object};
use super::{InitBuilder, ONCE, Slot};
use crate::sema::assignment_conversions::{self, AssignContext};
use crate::sema::constants::address::StaticValue;
use crate::sema::constants::fold::Constant;
use crate::sema::constants::{address, fold, known};
use crate::sema::static_data::StaticData;
use crate::sema::{Sema, constants, lints};
use crate::tree::walk::has_side_effects;
use crate::tree::{CastKind, ExprFlags, ExprKind, ExprRef, InitItem, QualType};

/// The stores of a value: one item for each row of its innermost range, or for each bit-field.
pub(super) fn push_items<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, value: ExprRef<'a>) {
    let (count, stride) = slot.repeat.innermost();
    let mut starts = slot.repeat.rows();
    let single = InitItem { offset: slot.offset, bits: slot.bits, ty: slot.ty, value, count, stride };
    if slot.bits.is_none() && starts.by_ref().nth(1).is_none() {
        b.items.push(single);
        return;
    }
    if slot.repeat != ONCE && has_side_effects(value) {
        // The value would be computed again for each of them.
        cx.error(value.loc, "not supported: side effects in a value for several ranges of elements or bit-fields");
        b.failed = true;
        return;
    }
    if slot.bits.is_none() {
        b.items.extend(slot.repeat.rows().map(|at| InitItem { offset: slot.offset + at, ..single }));
        return;
    }
    b.items.extend(slot.repeat.offsets().map(|at| InitItem {
        offset: slot.offset + at,
        bits: slot.bits.map(|(bit, width)| (bit + at * 8, width)),
        count: 1,
        stride: 0,
        ..single
    }));
}

/// Stores a scalar, or a whole record or vector.
pub(super) fn store<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, expr: ExprRef<'a>, loc: Loc) {
    if b.is_static
        && let ExprKind::Decl(id) = expr.kind
        && cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS)
        && cx.types().is_record(slot.ty.ty())
    {
        let size = cx.types().size_of(slot.ty).unwrap_or(0);
        let range = slot.offset..slot.offset + size + slot.repeat.reach();
        b.watched.given(cx, range, b.high_water, slot.bits.is_some(), loc);
        return copy_static_object(cx, b, slot, id, loc);
    }
    let context = AssignContext::Init { field: slot.bits.map(|bits| bits.1) };
    let value = assignment_conversions::assign_convert(cx, expr, slot.written, context, loc);
    if value.is_error() {
        b.failed = true;
        return;
    }
    let size = cx.types().size_of(slot.ty).unwrap_or(0);
    let end = match slot.bits {
        Some((at, width)) => (at + width as u64).div_ceil(8),
        None => slot.offset + size,
    };
    if b.is_static {
        let range = slot.offset..end + slot.repeat.reach();
        b.watched.given(cx, range, b.high_water, slot.bits.is_some(), loc);
        if !store_static(cx, b, slot, value, size, loc) {
            b.failed = true;
        }
    } else {
        if slot.offset < b.high_water {
            override_items(cx, b, slot, size, loc);
        }
        push_items(cx, b, slot, value);
    }
    b.high_water = b.high_water.max(end + slot.repeat.reach());
}

/// An automatic object's store replaces earlier ones of the same place.
fn override_items(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, slot: Slot, size: u64, loc: Loc) {
    let before = b.items.len();
    let end = slot.offset + size;
    b.items.retain(|i| {
        let same = match (i.bits, slot.bits) {
            (Some(a), Some(b)) => a == b,
            (None, None) => {
                let covered = i.offset >= slot.offset && i.offset < end && i.count == 1;
                // A single character does not replace the string it is part of.
                covered && (!matches!(i.value.kind, ExprKind::String(_)) || cx.types().size_of(i.ty) <= Some(size))
            }
            _ => false,
        };
        !same
    });
    if b.items.len() != before {
        lints::field_overwritten(cx, loc);
    }
}

/// The object at `offset..offset+size` is initialised anew: what was stored there is gone.
pub(super) fn clear(b: &mut InitBuilder<'_>, offset: u64, size: u64) {
    let end = offset + size;
    b.items.retain(|i| !(i.offset >= offset && i.offset < end && i.count == 1));
    b.data.clear(offset, size);
}

fn store_static<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    value: ExprRef<'a>,
    size: u64,
    loc: Loc,
) -> bool {
    if let ExprKind::VectorBuild(_) = value.kind {
        cx.error(loc, "initializer element is not constant");
        return false;
    }
    if let ExprKind::Cast { kind: CastKind::ToUnion(_), operand } = value.kind {
        slot.repeat.offsets().for_each(|distance| b.data.clear(slot.offset + distance, size));
        let ty = operand.ty;
        let size = cx.types().size_of(ty).unwrap_or(0);
        return store_static(cx, b, Slot { ty, ..slot }, operand, size, loc);
    }
    if let Some(id) = static_record_source(cx, value) {
        copy_static_object(cx, b, slot, id, loc);
        return true;
    }
    if let ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } = value.kind
        && cx.types().is_record(value.ty.ty())
        && let Some(init) = known::copy(cx, operand)
    {
        copy_contents(cx, b, slot, &init);
        return true;
    }
    let Some(constant) = address::evaluate(cx, value) else {
        cx.error(loc, "initializer element is not constant");
        return false;
    };
    if !value.flags.has(ExprFlags::CONSTANT) && fold::constant_of(value).is_some() {
        cx.pedantic(loc, "initializer element is not a constant expression");
    }
    constants::report_overflow(cx, value);
    for distance in slot.repeat.offsets() {
        let at = slot.offset + distance;
        if at < b.high_water && slot.bits.is_none() {
            b.data.drop_relocs(at, size);
        }
        let bits = slot.bits.map(|(bit, width)| (bit + distance * 8, width));
        if !write_value(cx, &mut b.data, at, bits, slot.ty, constant, loc) {
            return false;
        }
    }
    true
}

/// A record value that is a compound literal's object: `static struct s x = (struct s){...}`.
fn static_record_source(cx: &Sema<'_, '_>, value: ExprRef<'_>) -> Option<crate::tree::DeclId> {
    let ExprKind::Cast { operand, .. } = value.kind else { return None };
    let aggregate = cx.types().is_record(value.ty.ty()) || cx.types().is_vector(value.ty.ty());
    if !aggregate {
        return None;
    }
    match operand.kind {
        ExprKind::Decl(id) if cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS) => Some(id),
        ExprKind::Cast { .. } => static_record_source(cx, operand),
        _ => None,
    }
}

/// Writes a constant of type `ty` to static data.
pub(super) fn write_value<'a>(
    cx: &mut Sema<'_, 'a>,
    data: &mut StaticData<'a>,
    offset: u64,
    bits: Option<(u64, u32)>,
    ty: QualType,
    value: StaticValue<'a>,
    loc: Loc,
) -> bool {
    let size = cx.types().size_of(ty).unwrap_or(0) as usize;
    let reversed = cx.types().is_reversed(ty.ty());
    let write = |data: &mut StaticData<'a>, offset: u64, value: u128, size: usize| {
        let mut bytes = value.to_le_bytes();
        let bytes = &mut bytes[..size.min(16)];
        if reversed {
            bytes.reverse();
        }
        data.write(offset, bytes);
    };
    match value {
        StaticValue::Constant(Constant::Int(v)) => match bits {
            Some((at, width)) if reversed => data.write_bits_reversed(at, width, v as u128),
            Some((at, width)) => data.write_bits(at, width, v as u128),
            None => write(data, offset, v as u128, size),
        },
        StaticValue::Constant(Constant::Wide(limbs)) => match bits {
            _ if reversed => {
                let name = cx.tname(ty);
                cx.error(loc, format!("not supported: {name} in reverse storage order"));
                return false;
            }
            Some((at, width)) => {
                for (index, &limb) in limbs.iter().enumerate().take_while(|(index, _)| *index as u32 * 64 < width) {
                    let below = index as u32 * 64;
                    data.write_bits(at + u64::from(below), (width - below).min(64), u128::from(limb));
                }
            }
            None => {
                let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
                data.write(offset, &bytes);
            }
        },
        StaticValue::Constant(Constant::Float(v)) => write(data, offset, v, size),
        StaticValue::Constant(Constant::Complex([re, im])) => {
            let half = size / 2;
            write(data, offset, re, half);
            write(data, offset + half as u64, im, half);
        }
        StaticValue::Address { base, offset: addend } => {
            // A difference of labels is eight bytes without a sign where it stands in an integer of
            // sixteen.
            let difference = matches!(base, crate::tree::AddressBase::LabelDifference(..));
            if reversed || bits.is_some() || (size != 8 && !difference) {
                cx.error(loc, "initializer element is not computable at load time");
                return false;
            }
            data.add_reloc(crate::tree::StaticReloc { offset, size: size.min(8) as u8, base, addend, loc });
        }
    }
    true
}
