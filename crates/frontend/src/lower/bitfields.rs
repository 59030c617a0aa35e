//! Bit-fields: which bytes are accessed, extraction and insertion.
//!
//! A store touches only bytes of the field's memory location (C23 3.18: the run of adjacent
//! bit-fields), so that neighbouring members may be written by other threads. Where one container
//! of 1, 2, 4 or 8 bytes inside the run holds the field, that is accessed, preferably the declared
//! type's own, so that fields of one unit share their accesses. Packed fields that straddle every
//! such container are split in several.
//!
//! In reversed storage order ([`Types::is_reversed`](crate::tree::Types::is_reversed)) bits are
//! counted from the most significant one of each byte on, and the containers are big-endian
//! numbers.

use ir::{AliasTags, Opcode, Type, Value, flags};
use smallvec::{SmallVec, smallvec};

use super::function::Fx;
use super::lvalues::extend_in_register;
use super::place::Place;
use crate::tree::{BitField, QualType};

/// One access: part of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    /// Bytes from the start of the record.
    offset: u64,
    /// Bytes accessed: 1, 2, 4, 8 or 16.
    size: u64,
    /// Bits below the part in the container.
    shift: u32,
    /// Bits of the part.
    width: u32,
    /// Bits of the field below the part.
    position: u32,
}

/// The accesses for a field whose declared type has `size` bytes.
fn accesses(bits: BitField, size: u64) -> SmallVec<[Access; 2]> {
    let (start, end) = (bits.bit_offset, bits.bit_offset + bits.width as u64);
    let whole = |offset: u64, size: u64| {
        let inside = offset >= bits.run_start && offset + size <= bits.run_end;
        let holds = offset * 8 <= start && end <= (offset + size) * 8;
        let shift = (start.wrapping_sub(offset * 8)) as u32;
        (inside && holds).then_some(Access { offset, size, shift, width: bits.width, position: 0 })
    };
    // The declared type's container, then aligned ones, then the tightest unaligned one.
    if size.is_power_of_two()
        && size <= 8
        && let Some(access) = whole(start / 8 / size * size, size)
    {
        return smallvec![access];
    }
    for size in [1, 2, 4, 8] {
        if let Some(access) = whole(start / 8 / size * size, size) {
            return smallvec![access];
        }
    }
    for size in [1, 2, 4, 8] {
        let last = (end - 1) / 8;
        for offset in [start / 8, (last + 1).saturating_sub(size)] {
            if let Some(access) = whole(offset, size) {
                return smallvec![access];
            }
        }
    }
    split(bits)
}

/// Byte-sized and larger pieces that cover the field exactly.
fn split(bits: BitField) -> SmallVec<[Access; 2]> {
    let mut out = SmallVec::new();
    let (mut at, end) = (bits.bit_offset, bits.bit_offset + bits.width as u64);
    while at < end {
        let byte = at / 8;
        let shift = (at % 8) as u32;
        let bytes_left = (end - byte * 8).div_ceil(8);
        let size = 1u64 << (63 - bytes_left.min(8).leading_zeros());
        let width = ((size * 8) as u32 - shift).min((end - at) as u32);
        out.push(Access { offset: byte, size, shift, width, position: (at - bits.bit_offset) as u32 });
        at += width as u64;
    }
    out
}

fn container(access: &Access) -> Type {
    Type::int(access.size as u32 * 8).unwrap_or(Type::I64)
}

/// The accesses for a field of type `ty`, in its storage order.
fn ordered_accesses(fx: &Fx<'_, '_>, bits: BitField, ty: QualType) -> SmallVec<[Access; 2]> {
    let size = fx.types().size_of(ty.unqualified()).unwrap_or(1);
    let mut parts = accesses(bits, size);
    if fx.types().is_reversed(ty.ty()) {
        for part in &mut parts {
            part.shift = part.size as u32 * 8 - part.shift - part.width;
            part.position = bits.width - part.position - part.width;
        }
    }
    parts
}

/// Between a container's number and its bytes in memory.
fn in_storage_order(fx: &mut Fx<'_, '_>, raw: Value, ty: QualType) -> Value {
    let container = fx.ty(raw);
    if container == Type::I8 || !fx.types().is_reversed(ty.ty()) {
        return raw;
    }
    fx.b().unary(Opcode::Bswap, container, raw)
}

fn volatility(ty: QualType) -> u8 {
    if ty.quals().is_volatile() { flags::VOLATILE } else { 0 }
}

/// Reads the field of the record at `record`; the value has the declared type `ty`.
pub fn load(fx: &mut Fx<'_, '_>, record: Place, bits: BitField, ty: QualType) -> Value {
    let value_ty = fx.scalar_type(ty.ty());
    let signed = fx.types().is_signed(ty.ty());
    let parts = ordered_accesses(fx, bits, ty);
    if let [access] = parts[..] {
        let ty_in = container(&access);
        let raw = fx.load_flags(ty_in, record.offset(access.offset as i64), AliasTags::any(), volatility(ty));
        let raw = in_storage_order(fx, raw, ty);
        return extract(fx, raw, &access, value_ty, signed);
    }
    let mut value = fx.iconst(value_ty, 0);
    for access in &parts {
        let raw =
            fx.load_flags(container(access), record.offset(access.offset as i64), AliasTags::any(), volatility(ty));
        let raw = in_storage_order(fx, raw, ty);
        let part = extract(fx, raw, access, value_ty, false);
        let part = fx.int_op_imm(Opcode::Shl, 0, part, access.position as i64);
        value = fx.int_op(Opcode::Or, 0, value, part);
    }
    extend_in_register(fx, value, bits.width, signed)
}

/// The part of a loaded container, extended to `to`.
fn extract(fx: &mut Fx<'_, '_>, raw: Value, access: &Access, to: Type, signed: bool) -> Value {
    let ty = fx.ty(raw);
    let total = ty.bits();
    let value = if signed {
        let up = fx.int_op_imm(Opcode::Shl, 0, raw, (total - access.shift - access.width) as i64);
        fx.int_op_imm(Opcode::AShr, 0, up, (total - access.width) as i64)
    } else {
        let down = fx.int_op_imm(Opcode::LShr, 0, raw, access.shift as i64);
        if access.shift + access.width == total {
            down
        } else {
            let mask = fx.func.bits_const(ty, (1u128 << access.width) - 1);
            fx.int_op(Opcode::And, 0, down, mask)
        }
    };
    fx.int_cast(value, to, signed)
}

/// Writes the field; the answer is the value it has then.
pub fn store(fx: &mut Fx<'_, '_>, record: Place, bits: BitField, ty: QualType, value: Value) -> Value {
    let signed = fx.types().is_signed(ty.ty());
    for access in &ordered_accesses(fx, bits, ty) {
        store_part(fx, record, access, ty, value);
    }
    extend_in_register(fx, value, bits.width, signed)
}

fn store_part(fx: &mut Fx<'_, '_>, record: Place, access: &Access, ty: QualType, value: Value) {
    let container = container(access);
    let at = record.offset(access.offset as i64);
    let part = fx.int_op_imm(Opcode::LShr, 0, value, access.position as i64);
    let part = fx.int_cast(part, container, false);
    if access.width == container.bits() {
        let part = in_storage_order(fx, part, ty);
        fx.store_flags(part, at, AliasTags::any(), volatility(ty));
        return;
    }
    let ones = (1u128 << access.width) - 1;
    let mask = fx.func.bits_const(container, ones);
    let part = fx.int_op(Opcode::And, 0, part, mask);
    let part = fx.int_op_imm(Opcode::Shl, 0, part, access.shift as i64);
    let old = fx.load_flags(container, at, AliasTags::any(), volatility(ty));
    let old = in_storage_order(fx, old, ty);
    let keep = fx.func.bits_const(container, !(ones << access.shift));
    let kept = fx.int_op(Opcode::And, 0, old, keep);
    let new = fx.int_op(Opcode::Or, 0, kept, part);
    let new = in_storage_order(fx, new, ty);
    fx.store_flags(new, at, AliasTags::any(), volatility(ty));
}

/// Position of an initialiser's bit-field, which names its bits only. Fields of one record are
/// initialised together by one thread, so any byte that holds a bit of the field may be touched.
pub fn from_initializer(bit_offset: u64, width: u32) -> BitField {
    BitField { bit_offset, width, run_start: bit_offset / 8, run_end: (bit_offset + width as u64).div_ceil(8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(bit_offset: u64, width: u32, run: (u64, u64)) -> BitField {
        BitField { bit_offset, width, run_start: run.0, run_end: run.1 }
    }

    #[test]
    fn declared_container_inside_the_run() {
        let a = accesses(field(3, 5, (0, 4)), 4);
        assert_eq!(a[..], [Access { offset: 0, size: 4, shift: 3, width: 5, position: 0 }]);
    }

    #[test]
    fn short_run_uses_a_smaller_container() {
        let a = accesses(field(35, 7, (4, 6)), 4);
        assert_eq!(a[..], [Access { offset: 4, size: 2, shift: 3, width: 7, position: 0 }]);
    }

    #[test]
    fn straddling_packed_field_is_split() {
        let a = accesses(field(4, 64, (0, 9)), 8);
        assert_eq!(a.len(), 2);
        assert_eq!(a.iter().map(|x| x.width).sum::<u32>(), 64);
        assert!(a.iter().all(|x| x.offset + x.size <= 9));
    }
}
