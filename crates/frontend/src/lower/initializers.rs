//! Initial values of automatic objects.

use ir::{AliasTags, BranchHint, IntCc, Opcode, Type};

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use super::{bit_int, bitfields, data, expressions, lvalues, sanitize};
use crate::tree::*;

/// Repetitions (range designators) up to this many are written out; more become a loop.
const MAX_UNROLLED: u64 = 8;

/// Initialises the object `decl` at `place`.
pub fn initialize(fx: &mut Fx<'_, '_>, decl: DeclId, place: Place, init: &Initializer<'_>) {
    let info = fx.unit.decls[decl];
    // Initialisation is no atomic access (C23 7.17.2), but a volatile object is written as one.
    let ty = info.ty.without(Quals::ATOMIC).without(Quals::CONST);
    match init {
        &Initializer::Value(e) => {
            let fresh = !info.flags.has(DeclFlags::ADDRESS_TAKEN) && !info.flags.has(DeclFlags::CAPTURED);
            let register = sanitize::values::is_register_variable(fx, decl);
            let loc = sanitize::assigned_at(register, info.loc, e);
            sanitize::whole_value(fx, loc, e, |fx| string_or_value(fx, e, place, ty, fresh));
        }
        Initializer::Constant(init) => constant(fx, place, ty, init),
        Initializer::Aggregate(aggregate) => {
            let size = fx.types().size_of(ty).unwrap_or(0);
            if aggregate.zero_fill {
                fx.fill(place, 0, size, ty.quals().is_volatile());
            }
            for item in aggregate.items {
                if !fx.live {
                    return;
                }
                initialize_item(fx, place, item, ty.quals().is_volatile());
            }
        }
    }
}

fn string_or_value(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, place: Place, ty: QualType, fresh: bool) {
    if let ExprKind::String(literal) = e.kind
        && fx.types().is_array(ty.ty())
    {
        return string(fx, literal, place, ty);
    }
    expressions::into(fx, e, place, ty, fresh);
}

/// The bytes of a literal, cut or padded with zeros to the array.
fn string(fx: &mut Fx<'_, '_>, literal: &StringLit<'_>, place: Place, ty: QualType) {
    let size = fx.types().size_of(ty.unqualified()).unwrap_or(literal.bytes.len() as u64);
    let used = (literal.bytes.len() as u64).min(size);
    let volatile = ty.quals().is_volatile();
    if literal.bytes[..used as usize].iter().all(|&b| b == 0) {
        return fx.fill(place, 0, size, volatile);
    }
    let symbol = fx.state.string(fx.options, literal.bytes, literal.elem_size);
    let source = Place::new(fx.func.symbol_const(symbol, 0), literal.elem_size as u32);
    fx.copy(place, source, used, volatile);
    fx.fill(place.offset(used as i64), 0, size - used, volatile);
}

/// A copy from read-only data, or zeros.
fn constant(fx: &mut Fx<'_, '_>, place: Place, ty: QualType, init: &StaticInit<'_>) {
    let volatile = ty.quals().is_volatile();
    if init.relocs.is_empty() && init.bytes.iter().all(|&b| b == 0) {
        return fx.fill(place, 0, init.size, volatile);
    }
    let align = fx.types().align_of(ty).max(if init.size >= 16 { 16 } else { 1 });
    let function = Some((fx.func.symbol, &fx.label_numbers));
    let symbol = data::private_constant(fx.state, fx.unit, fx.session, fx.options, init, align, function);
    let source = Place::new(fx.func.symbol_const(symbol, 0), align);
    fx.copy(place, source, init.size, volatile);
}

fn initialize_item(fx: &mut Fx<'_, '_>, object: Place, item: &InitItem<'_>, volatile: bool) {
    let mut ty = item.ty.without(Quals::ATOMIC).without(Quals::CONST);
    if volatile {
        ty = ty.with(Quals::VOLATILE);
    }
    if let Some((bit_offset, width)) = item.bits {
        let field = bitfields::from_initializer(bit_offset, width);
        match expressions::rvalue(fx, item.value) {
            Rvalue::Scalar(value) if fx.live => {
                bitfields::store(fx, object, field, ty, value);
            }
            Rvalue::Memory(from) if fx.live => bit_int::store_field(fx, object, field, from),
            _ => {}
        }
        return;
    }
    let place = object.offset(item.offset as i64);
    if item.count <= 1 {
        return string_or_value(fx, item.value, place, ty, false);
    }
    if let ExprKind::String(_) = item.value.kind {
        string_or_value(fx, item.value, place, ty, false);
        let first = Rvalue::Memory(place);
        return repeat(fx, place.offset(item.stride as i64), item.count - 1, item.stride, ty, first);
    }
    let value = expressions::rvalue(fx, item.value);
    let value = lvalues::stable(fx, value, ty.ty());
    if fx.live {
        repeat(fx, place, item.count, item.stride, ty, value);
    }
}

/// Stores `value` `count` times, `stride` bytes apart.
fn repeat(fx: &mut Fx<'_, '_>, place: Place, count: u64, stride: u64, ty: QualType, value: Rvalue) {
    if let Rvalue::Scalar(v) = value
        && let Shape::Scalar(scalar) = shape(fx.types(), ty.ty())
        && scalar == Type::I8
        && stride == 1
    {
        let dst = fx.address(place);
        let len = fx.iconst(Type::I64, count as i64);
        fx.b().mem_op(Opcode::MemSet, dst, v, len, 1, ty.quals().is_volatile());
        return;
    }
    if count <= MAX_UNROLLED {
        for i in 0..count {
            lvalues::store(fx, place.offset((i * stride) as i64), ty, value);
        }
        return;
    }
    let counter = fx.slot(Type::I64);
    let (top, end) = (fx.new_block(), fx.new_block());
    let zero = fx.iconst(Type::I64, 0);
    fx.store(zero, counter, AliasTags::any());
    fx.flow_into(top);
    let offset = fx.load(Type::I64, counter, AliasTags::any());
    let base = fx.address(place);
    let address = fx.ptradd(base, offset);
    let align = place.align().min(1 << stride.trailing_zeros().min(16));
    lvalues::store(fx, Place::new(address, align), ty, value);
    let next = fx.int_op_imm(Opcode::Add, 0, offset, stride as i64);
    fx.store(next, counter, AliasTags::any());
    let more = fx.icmp_imm(IntCc::Ult, next, (count * stride) as i64);
    fx.cond_br(more, top, end, BranchHint::None);
    fx.start(end);
}
