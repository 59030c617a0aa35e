//! Strings and compound literals that initialise arrays and structures.

use base::Loc;

use super::stores::{clear, push_items};
use super::{InitBuilder, ONCE, Slot};
use crate::sema::{Sema, types};
use crate::tree::walk::has_side_effects;
use crate::tree::{ArrayLen, ExprKind, ExprRef, InitItem, Initializer, QualType, StaticInit, Ty, TypeKind};

/// A string literal that initialises an array of this element type (C23 6.7.11 paragraphs 15, 16).
pub(super) fn string_fits(cx: &Sema<'_, '_>, elem: QualType, expr: ExprRef<'_>) -> bool {
    let ExprKind::String(lit) = expr.kind else { return false };
    let elem = cx.types().strip_enum(elem.ty());
    if lit.elem_size == 1 {
        return matches!(elem, Ty::CHAR | Ty::SCHAR | Ty::UCHAR);
    }
    types::compatible_unqualified(cx.types(), elem, lit.elem)
}

pub(super) fn same_array_literal(cx: &Sema<'_, '_>, slot: Slot, expr: ExprRef<'_>) -> bool {
    let literal = match expr.kind {
        ExprKind::CompoundLiteral { .. } => true,
        ExprKind::Decl(id) => cx.unit.decls[id].flags.has(crate::tree::DeclFlags::ANONYMOUS),
        _ => false,
    };
    literal && types::compatible_unqualified(cx.types(), slot.ty.ty(), expr.ty.ty())
}

pub(super) fn store_array_literal<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    expr: ExprRef<'a>,
    loc: Loc,
) {
    cx.pedantic(loc, "initialization of an array from a compound literal");
    if let ExprKind::Decl(id) = expr.kind {
        copy_static_object(cx, b, slot, id, loc);
    } else if let ExprKind::CompoundLiteral { init, .. } = expr.kind {
        inline_literal(cx, b, slot, init, loc);
    }
}

/// The stores of a compound literal's initialiser, moved to `slot`.
fn inline_literal<'a>(cx: &mut Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, init: &Initializer<'a>, loc: Loc) {
    match init {
        Initializer::Aggregate(list) => {
            if slot.repeat != ONCE && list.items.iter().any(|item| has_side_effects(item.value)) {
                cx.error(loc, "not supported: side effects in a compound literal for a range of elements");
                b.failed = true;
                return;
            }
            for start in slot.repeat.offsets() {
                let start = slot.offset + start;
                for item in list.items {
                    let bits = item.bits.map(|(at, width)| (at + start * 8, width));
                    b.items.push(InitItem { offset: item.offset + start, bits, ..*item });
                }
            }
            let size = cx.types().size_of(slot.ty).unwrap_or(0);
            b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
        }
        _ => {
            cx.error(loc, "not supported: initialization of an array from this compound literal");
            b.failed = true;
        }
    }
}

/// Copies a static anonymous object's initial value into the data being built.
pub(super) fn copy_static_object<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    id: crate::tree::DeclId,
    loc: Loc,
) {
    let found = cx.pending_statics.iter().find(|s| s.decl == id).copied();
    match found {
        Some(var) if b.is_static => {
            if let Some(init) = var.init {
                copy_contents(cx, b, slot, init);
            }
        }
        _ => {
            cx.error(loc, "initializer element is not constant");
            b.failed = true;
        }
    }
}

/// Writes the bytes and addresses of another object's initial value.
pub(super) fn copy_contents<'a>(cx: &Sema<'_, 'a>, b: &mut InitBuilder<'a>, slot: Slot, init: &StaticInit<'a>) {
    for at in slot.repeat.offsets() {
        let at = slot.offset + at;
        b.data.write(at, init.bytes);
        for reloc in init.relocs {
            b.data.add_reloc(crate::tree::StaticReloc { offset: at + reloc.offset, ..*reloc });
        }
    }
    let size = cx.types().size_of(slot.ty).unwrap_or(0);
    b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
}

/// Copies a string's elements into a character array, cut or filled with zeros.
pub(super) fn store_string<'a>(
    cx: &mut Sema<'_, 'a>,
    b: &mut InitBuilder<'a>,
    slot: Slot,
    expr: ExprRef<'a>,
    loc: Loc,
) {
    let ExprKind::String(lit) = expr.kind else { return };
    let TypeKind::Array { len, elem } = cx.kind(slot.ty) else { return };
    let (expr, lit) = match cx.types().is_reversed(elem.ty()) {
        true => reversed_literal(cx, expr, lit),
        false => (expr, lit),
    };
    let count = lit.bytes.len() as u64 / lit.elem_size as u64;
    let size = match len {
        ArrayLen::Constant(n) => {
            if count - 1 > n {
                let ty = cx.tname(slot.ty.unqualified());
                let message = format!("initializer-string for array of {} is too long", element_name(cx, slot.ty));
                let _ = ty;
                cx.pedwarn_always(loc, message);
            }
            n * lit.elem_size as u64
        }
        _ => {
            if b.stack.len() <= 1 {
                b.length = b.length.max(count);
            }
            b.extra_end = b.extra_end.max(slot.offset + lit.bytes.len() as u64);
            lit.bytes.len() as u64
        }
    };
    let bytes = &lit.bytes[..lit.bytes.len().min(size as usize)];
    if b.is_static {
        if slot.offset < b.high_water {
            clear(b, slot.offset, size);
        }
        for at in slot.repeat.offsets() {
            b.data.write(slot.offset + at, bytes);
        }
    } else {
        if slot.offset < b.high_water {
            clear(b, slot.offset, size);
        }
        push_items(cx, b, slot, expr);
    }
    // A character may be replaced.
    b.note_gap(cx, slot.offset + size);
    b.high_water = b.high_water.max(slot.offset + size + slot.repeat.reach());
}

/// The literal for an array in reversed storage order.
fn reversed_literal<'a>(
    cx: &Sema<'_, 'a>,
    expr: ExprRef<'a>,
    lit: &crate::tree::StringLit<'a>,
) -> (ExprRef<'a>, &'a crate::tree::StringLit<'a>) {
    let bytes = cx.arena.alloc_slice_copy(lit.bytes);
    bytes.chunks_exact_mut(lit.elem_size as usize).for_each(<[u8]>::reverse);
    let lit = cx.arena.alloc(crate::tree::StringLit { bytes, ..*lit });
    (cx.arena.alloc(crate::tree::Expr { kind: ExprKind::String(lit), ..*expr }), lit)
}

fn element_name(cx: &Sema<'_, '_>, ty: QualType) -> String {
    match cx.kind(ty) {
        TypeKind::Array { elem, .. } => cx.tname(elem.unqualified()),
        _ => cx.tname(ty),
    }
}
