//! `__builtin_object_size` and `__builtin_clear_padding`.

use ir::{AliasTags, Intrinsic, Opcode, Type, Value};

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::walk::has_side_effects;
use crate::tree::*;

/// Largest type whose padding is tracked bit by bit.
const MAX_PADDED: u64 = 1 << 16;

/// `__builtin_object_size(pointer, kind)` where the declarations do not say: the optimiser's
/// business, and without one unknown.
pub fn object_size(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, dynamic: bool, args: &[ExprRef<'_>]) -> Rvalue {
    let kind = args.get(1).and_then(|a| a.int_value()).unwrap_or(0);
    let to = fx.scalar_type(e.ty.ty());
    if fx.optimizing() && !has_side_effects(args[0]) {
        let pointer = expressions::scalar(fx, args[0]);
        let mode = fx.iconst(Type::I64, kind as i64 | if dynamic { 4 } else { 0 });
        let size = expressions::intrinsic(fx, Intrinsic::ObjectSize, Type::I64, &[pointer, mode]);
        return Rvalue::Scalar(fx.int_cast(size, to, false));
    }
    Rvalue::Scalar(fx.iconst(to, if kind < 2 { -1 } else { 0 }))
}

/// Notes the size of what a pointer points to, for [`object_size`].
pub fn note_bytes(fx: &mut Fx<'_, '_>, pointer: Value, bytes: Value, closest: bool) -> Value {
    let closest = fx.iconst(Type::I64, closest.into());
    expressions::intrinsic(fx, Intrinsic::KnownBytes, Type::PTR, &[pointer, bytes, closest])
}

/// The address of an lvalue, with a note of the member's size where somebody asks for such.
pub fn noted_address(fx: &mut Fx<'_, '_>, lvalue: ExprRef<'_>, address: Value) -> Value {
    if !fx.unit.asks_closest_size || fx.unnoted || !fx.live || !fx.optimizing() {
        return address;
    }
    let is_member = matches!(lvalue.kind, ExprKind::Member { .. });
    match closest_member_bytes(fx.types(), lvalue) {
        None if !is_member => address,
        // Members at the end that may be longer than declared reach as far as the whole object.
        bytes => {
            let bytes = fx.iconst(Type::I64, bytes.map_or(-1, |n| n as i64));
            note_bytes(fx, address, bytes, true)
        }
    }
}

/// The result of a call of a function with the `alloc_size` attribute, with a note of its size.
pub fn noted_allocation(fx: &mut Fx<'_, '_>, decl: DeclId, result: Rvalue, types: &[Ty], values: &[Rvalue]) -> Rvalue {
    let (Rvalue::Scalar(pointer), true) = (result, fx.unit.asks_object_size && fx.live && fx.optimizing()) else {
        return result;
    };
    let (first, second) = fx.unit.attrs(decl).map_or((0, 0), |a| a.alloc_size);
    let mut size = None;
    for number in [first, second].into_iter().filter(|&n| n > 0) {
        let index = number as usize - 1;
        let (Some(&Rvalue::Scalar(value)), Some(&ty)) = (values.get(index), types.get(index)) else { return result };
        if !fx.types().is_integer(ty) || fx.ty(pointer) != Type::PTR {
            return result;
        }
        let signed = fx.types().is_signed(ty);
        let value = fx.int_cast(value, Type::I64, signed);
        size = Some(match size {
            Some(other) => fx.int_op(Opcode::Mul, 0, other, value),
            None => value,
        });
    }
    match size {
        Some(size) => Rvalue::Scalar(note_bytes(fx, pointer, size, false)),
        None => result,
    }
}

/// `__builtin_clear_padding(pointer)`.
pub fn clear_padding(fx: &mut Fx<'_, '_>, pointer: ExprRef<'_>) -> Rvalue {
    let address = expressions::scalar(fx, pointer);
    let Some(ty) = fx.types().pointee(pointer.ty.ty()) else { return Rvalue::Void };
    let size = fx.types().size_of(ty).unwrap_or(0);
    if size > MAX_PADDED {
        fx.not_supported("__builtin_clear_padding on an object of this size");
        return Rvalue::Void;
    }
    let mut used = vec![0u8; size as usize];
    mark_used(fx.types(), ty, 0, &mut used);
    let place = Place { any_alias: true, ..Place::new(address, 1) };
    let mut at = 0;
    while at < used.len() {
        match used[at] {
            0xff => at += 1,
            0 => {
                let end = used[at..].iter().position(|&b| b != 0).map_or(used.len(), |n| at + n);
                fx.fill(place.offset(at as i64), 0, (end - at) as u64, false);
                at = end;
            }
            mask => {
                let byte = place.offset(at as i64);
                let old = fx.load(Type::I8, byte, AliasTags::any());
                let new = fx.int_op_imm(Opcode::And, 0, old, mask as i64);
                fx.store(new, byte, AliasTags::any());
                at += 1;
            }
        }
    }
    Rvalue::Void
}

/// Sets the bits of `used` that belong to a value of type `ty` at `offset`.
fn mark_used(types: &Types, ty: QualType, offset: u64, used: &mut [u8]) {
    let size = types.size_of(ty).unwrap_or(0);
    let mut fill = |from: u64, bytes: u64| {
        let end = ((from + bytes) as usize).min(used.len());
        used[(from as usize).min(end)..end].fill(0xff);
    };
    match types.qkind(ty) {
        TypeKind::Float(kind) if kind.format() == FloatFormat::X87 => {
            fill(offset, platform::data_layout::FLOAT80_VALUE_BYTES);
        }
        TypeKind::Complex(part) => {
            mark_used(types, part.into(), offset, used);
            mark_used(types, part.into(), offset + size / 2, used);
        }
        TypeKind::Array { elem, len: ArrayLen::Constant(len) } => {
            let stride = types.size_of(elem).unwrap_or(0);
            for index in 0..if stride == 0 { 0 } else { len } {
                mark_used(types, elem, offset + index * stride, used);
            }
        }
        TypeKind::Record(id) => {
            for field in &types.records[id].fields {
                match field.bits {
                    None => mark_used(types, field.ty, offset + field.offset, used),
                    Some(bits) if field.name.is_some() => {
                        for bit in bits.bit_offset..bits.bit_offset + bits.width as u64 {
                            let at = offset * 8 + bit;
                            if let Some(byte) = used.get_mut(at as usize / 8) {
                                *byte |= 1 << (at % 8);
                            }
                        }
                    }
                    Some(_) => {}
                }
            }
        }
        _ => fill(offset, size),
    }
}
