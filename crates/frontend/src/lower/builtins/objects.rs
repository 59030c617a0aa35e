//! `__builtin_object_size` and `__builtin_clear_padding`.

use ir::{AliasTags, Intrinsic, Opcode, Type};

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::walk::has_side_effects;
use crate::tree::*;

/// Largest type whose padding is tracked bit by bit.
const MAX_PADDED: u64 = 1 << 16;

/// `__builtin_object_size(pointer, kind)`: from the tree where it names an object; otherwise the optimiser's business, and
/// without one unknown.
pub fn object_size(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, args: &[ExprRef<'_>]) -> Rvalue {
    let kind = args.get(1).and_then(|a| a.int_value()).unwrap_or(0);
    let to = fx.scalar_type(e.ty.ty());
    let closest = kind & 1 != 0;
    if let Some((size, offset)) = pointer_object(fx, args[0], closest) {
        let left = if (0..=size as i128).contains(&offset) { size - offset as u64 } else { 0 };
        return Rvalue::Scalar(fx.iconst(to, left as i64));
    }
    if fx.optimizing() && !has_side_effects(args[0]) {
        let pointer = expressions::scalar(fx, args[0]);
        let kind = fx.iconst(Type::I64, kind as i64);
        let size = expressions::intrinsic(fx, Intrinsic::ObjectSize, Type::I64, &[pointer, kind]);
        return Rvalue::Scalar(fx.int_cast(size, to, false));
    }
    Rvalue::Scalar(fx.iconst(to, if kind < 2 { -1 } else { 0 }))
}

/// Size of the object a pointer points into, and the offset in it. `closest`: the innermost member counts.
fn pointer_object(fx: &Fx<'_, '_>, e: ExprRef<'_>, closest: bool) -> Option<(u64, i128)> {
    let mut e = e;
    let mut added: i128 = 0;
    loop {
        match e.kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } => e = operand,
            ExprKind::PtrAdd { ptr, index, size: ElementSize::Constant(size), negate } => {
                let step = index.int_value()? * size as i128;
                added += if negate { -step } else { step };
                e = ptr;
            }
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } | ExprKind::AddrOf(operand) => {
                let (size, offset) = lvalue_object(fx, operand, closest)?;
                return Some((size, offset + added));
            }
            _ => return None,
        }
    }
}

fn lvalue_object(fx: &Fx<'_, '_>, e: ExprRef<'_>, closest: bool) -> Option<(u64, i128)> {
    let mut e = e;
    let mut added: i128 = 0;
    loop {
        match e.kind {
            ExprKind::Decl(decl) | ExprKind::CompoundLiteral { decl, .. } => {
                let info = &fx.unit.decls[decl];
                let flexible = fx.types().record_of(info.ty.ty()).is_some_and(|r| r.has_flexible_array);
                if info.kind == DeclKind::Function || flexible {
                    return None;
                }
                return Some((fx.types().size_of(info.ty)?, added));
            }
            ExprKind::String(literal) => return Some((literal.bytes.len() as u64, added)),
            ExprKind::Member { base, record, field } => {
                let record = &fx.types().records[record];
                let info = record.field(field);
                let last = field as usize + 1 == record.fields.len();
                // A trailing array may be used as a flexible one: the whole object counts then.
                let trailing_array = last && fx.types().is_array(info.ty.ty());
                if closest && !trailing_array {
                    return Some((fx.types().size_of(info.ty)?, added));
                }
                added += info.offset as i128;
                e = base;
            }
            ExprKind::Deref(pointer) => {
                let (size, offset) = pointer_object(fx, pointer, closest)?;
                return Some((size, offset + added));
            }
            _ => return None,
        }
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
            fill(offset, target::data_layout::FLOAT80_VALUE_BYTES);
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
