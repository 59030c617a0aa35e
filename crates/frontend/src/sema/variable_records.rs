//! Structures and unions with members of variable size (GNU): offsets and sizes that are computed
//! where the type is declared.
//!
//! Members up to the first one of variable size lie where they would lie anyway. From there on
//! every member begins at a bound of its own ([`Field::offset_vla`](crate::tree::Field)): the end
//! of what comes before, rounded up to the member's alignment. Bit-fields share the bound of the
//! first of their run.

use base::Loc;

use super::records::{Member, RecordAttributes, RecordLayout};
use super::{Sema, conversions};
use crate::sema::expressions::sizes::size_expr;
use crate::tree::{BinaryOp, ExprKind, ExprRef, RecordId, RecordKind, Ty, VlaBound, VlaId};

/// Changes a constant layout, in which members of variable size took no room. The bound that holds
/// the size.
pub fn lay_out(
    cx: &mut Sema<'_, '_>,
    id: RecordId,
    members: &[Member],
    attrs: RecordAttributes,
    pack: Option<u32>,
    layout: &mut RecordLayout,
    loc: Loc,
) -> VlaId {
    cx.unit.types.has_variable_records = true;
    let is_union = cx.types().records[id].kind == RecordKind::Union;
    let mut end: Option<Bytes<'_>> = None;
    let mut run: Option<(VlaId, u64)> = None;
    let mut largest: Option<ExprRef<'_>> = None;
    for (index, member) in members.iter().enumerate() {
        let variable = member.width.is_none() && cx.types().is_vla(member.ty.ty());
        if is_union {
            let size = member_size(cx, member, layout, index, loc);
            largest = Some(match largest {
                Some(other) => greater(cx, other, size, loc),
                None => size,
            });
            continue;
        }
        let Some(at) = end else {
            if variable {
                let size = size_expr(cx, member.ty, loc);
                end = Some(Bytes { start: size, constant: layout.fields[index].offset });
            }
            continue;
        };
        if let (Some(width), Some((bound, start_bit))) = (member.width.filter(|&w| w != 0), run) {
            // The bits follow those of the run, which began at bit `start_bit` of the constant
            // layout.
            let bit = layout.fields[index].bits.map_or(0, |b| b.bit_offset) - start_bit;
            place_bits(layout, index, bound, bit);
            end = Some(Bytes {
                start: cx.value(ExprKind::VlaLen(bound), Ty::SIZE, loc),
                constant: (bit + width as u64).div_ceil(8),
            });
            continue;
        }
        run = None;
        let align = alignment(cx, member, attrs, pack);
        let start = round_up(cx, at, if member.width.is_some() { 1 } else { align }, loc);
        let bound = keep(cx, start);
        let here = cx.value(ExprKind::VlaLen(bound), Ty::SIZE, loc);
        match member.width {
            Some(width) => {
                run = layout.fields[index].bits.map(|b| (bound, b.bit_offset)).filter(|_| width != 0);
                place_bits(layout, index, bound, 0);
                end = Some(Bytes { start: here, constant: (width as u64).div_ceil(8) });
            }
            None => {
                layout.fields[index].offset = 0;
                layout.fields[index].offset_vla = Some(bound);
                let size = size_expr(cx, member.ty, loc);
                end = Some(match size.int_value() {
                    Some(size) => Bytes { start: here, constant: size as u64 },
                    None => Bytes { start: binary(cx, BinaryOp::Add, here, size, loc), constant: 0 },
                });
            }
        }
    }
    set_runs(layout);
    let end = match (end, largest) {
        (Some(end), _) => end,
        (None, Some(start)) => Bytes { start, constant: 0 },
        (None, None) => Bytes { start: cx.ice(0, Ty::SIZE, loc), constant: 0 },
    };
    let size = round_up(cx, end, layout.align, loc);
    keep(cx, size)
}

/// `start + constant`
#[derive(Clone, Copy)]
struct Bytes<'a> {
    start: ExprRef<'a>,
    constant: u64,
}

/// Bytes from the start of a union to the end of a member.
fn member_size<'a>(
    cx: &mut Sema<'_, 'a>,
    member: &Member,
    layout: &RecordLayout,
    index: usize,
    loc: Loc,
) -> ExprRef<'a> {
    match layout.fields[index].bits {
        Some(bits) => cx.ice((bits.width as i128 + 7) / 8, Ty::SIZE, loc),
        None => size_expr(cx, member.ty, loc),
    }
}

fn alignment(cx: &Sema<'_, '_>, member: &Member, attrs: RecordAttributes, pack: Option<u32>) -> u32 {
    let own = if attrs.packed || member.packed { 1 } else { cx.types().align_of(member.ty) };
    let align = own.max(member.align);
    pack.map_or(align, |limit| align.min(limit))
}

fn binary<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    cx.value(ExprKind::Binary { op, lhs, rhs }, Ty::SIZE, loc)
}

fn greater<'a>(cx: &mut Sema<'_, 'a>, a: ExprRef<'a>, b: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if let (Some(m), Some(n)) = (a.int_value(), b.int_value()) {
        return if m < n { b } else { a };
    }
    // Both are bounds or constants, without effects.
    let (a, b) = (keep(cx, a), keep(cx, b));
    let (a, b) = (cx.value(ExprKind::VlaLen(a), Ty::SIZE, loc), cx.value(ExprKind::VlaLen(b), Ty::SIZE, loc));
    let less = cx.value(ExprKind::Binary { op: BinaryOp::Lt, lhs: a, rhs: b }, Ty::INT, loc);
    let cond = conversions::condition(cx, less);
    cx.value(ExprKind::Conditional { cond, then: b, els: a }, Ty::SIZE, loc)
}

/// `(bytes + align - 1) & -align`
fn round_up<'a>(cx: &mut Sema<'_, 'a>, bytes: Bytes<'a>, align: u32, loc: Loc) -> ExprRef<'a> {
    let added = bytes.constant + (align as u64 - 1);
    let mut sum = bytes.start;
    if added != 0 {
        let added = cx.ice(added as i128, Ty::SIZE, loc);
        sum = binary(cx, BinaryOp::Add, sum, added, loc);
    }
    if align > 1 {
        let mask = cx.ice((align as u64).wrapping_neg() as i128, Ty::SIZE, loc);
        sum = binary(cx, BinaryOp::And, sum, mask, loc);
    }
    sum
}

/// A bound that is computed where the type is declared.
fn keep<'a>(cx: &mut Sema<'_, 'a>, len: ExprRef<'a>) -> VlaId {
    let vla = cx.unit.types.new_vla();
    cx.pending_bounds.push(VlaBound { vla, len });
    vla
}

fn place_bits(layout: &mut RecordLayout, index: usize, bound: VlaId, bit: u64) {
    let field = &mut layout.fields[index];
    field.offset_vla = Some(bound);
    field.offset = bit / 8;
    if let Some(bits) = &mut field.bits {
        bits.bit_offset = bit;
    }
}

/// The bytes that accesses of the moved bit-fields may touch.
fn set_runs(layout: &mut RecordLayout) {
    let mut index = 0;
    while index < layout.fields.len() {
        let bound = layout.fields[index].offset_vla;
        let last =
            layout.fields[index..].iter().take_while(|f| f.bits.is_some() && f.offset_vla == bound).count() + index;
        if bound.is_none() || last == index {
            index += 1;
            continue;
        }
        let end = layout.fields[index..last].iter().filter_map(|f| f.bits).map(|b| b.bit_offset + b.width as u64).max();
        for field in &mut layout.fields[index..last] {
            if let Some(bits) = &mut field.bits {
                (bits.run_start, bits.run_end) = (0, end.unwrap_or(0).div_ceil(8));
            }
        }
        index = last;
    }
}
