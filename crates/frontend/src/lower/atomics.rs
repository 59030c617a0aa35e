//! Atomic operations: `__atomic_*`, `__sync_*` and accesses of `_Atomic` objects.
//!
//! Objects of 1, 2, 4 and 8 bytes are accessed by instructions. 16-byte ones go through libatomic's
//! `_16` entries, as gcc's do, and all other sizes through its generic ones with a size argument.

use ir::{AliasTags, BranchHint, Opcode, Ordering, RmwOp, Type, Value};

use super::function::Fx;
use super::place::{Place, Rvalue};
use super::shapes::{Shape, shape};
use super::{calls, conditions, expressions, lvalues};
use crate::tree::*;

/// The IR's memory order.
pub fn ordering(order: MemoryOrder) -> Ordering {
    match order {
        MemoryOrder::Relaxed => Ordering::Relaxed,
        MemoryOrder::Consume => Ordering::Consume,
        MemoryOrder::Acquire => Ordering::Acquire,
        MemoryOrder::Release => Ordering::Release,
        MemoryOrder::AcqRel => Ordering::AcqRel,
        MemoryOrder::SeqCst => Ordering::SeqCst,
    }
}

/// The integer type of an object that instructions access atomically.
fn lock_free(size: u64) -> Option<Type> {
    if matches!(size, 1 | 2 | 4 | 8) { Type::int(size as u32 * 8) } else { None }
}

fn size_of(fx: &Fx<'_, '_>, ty: Ty) -> u64 {
    fx.types().size_of(ty).unwrap_or(0)
}

// ---- `_Atomic` objects
// --------------------------------------------------------------------------------

/// Reads an atomic object.
pub fn load(fx: &mut Fx<'_, '_>, place: Place, ty: Ty, order: Ordering) -> Rvalue {
    if !fx.live {
        return expressions::dummy(fx, ty);
    }
    let address = fx.address(place);
    let size = size_of(fx, ty);
    match (lock_free(size), shape(fx.types(), ty)) {
        (Some(_), Shape::Scalar(scalar)) if scalar.is_int() || scalar.is_ptr() => {
            let value = fx.b().atomic_load(scalar, address, order);
            Rvalue::Scalar(lvalues::normalize(fx, value, ty))
        }
        (Some(int), _) => {
            let value = fx.b().atomic_load(int, address, order);
            from_bits(fx, value, ty)
        }
        (None, _) => {
            let temp = temp(fx, ty);
            let to = fx.address(temp);
            let (size, order) = (fx.iconst(Type::I64, size as i64), fx.iconst(Type::I32, order as i64));
            calls::library_call(fx, "__atomic_load", &[size, address, to, order], &[]);
            lvalues::load(fx, temp, ty.into())
        }
    }
}

/// Writes an atomic object.
pub fn store(fx: &mut Fx<'_, '_>, place: Place, ty: Ty, value: Rvalue, order: Ordering) {
    if !fx.live {
        return;
    }
    let address = fx.address(place);
    let size = size_of(fx, ty);
    match (lock_free(size), value) {
        (Some(_), Rvalue::Scalar(v)) if fx.ty(v).is_int() || fx.ty(v).is_ptr() => {
            fx.b().atomic_store(v, address, order);
        }
        (Some(int), _) => {
            let bits = to_bits(fx, value, ty, int);
            fx.b().atomic_store(bits, address, order);
        }
        (None, _) => {
            let source = lvalues::spill(fx, value, ty);
            let from = fx.address(source);
            let (size, order) = (fx.iconst(Type::I64, size as i64), fx.iconst(Type::I32, order as i64));
            calls::library_call(fx, "__atomic_store", &[size, address, from, order], &[]);
        }
    }
}

fn temp(fx: &mut Fx<'_, '_>, ty: Ty) -> Place {
    let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
    // The object may be wider than its type's alignment says; copies are accessed as one integer.
    fx.temp(layout.size, layout.align.max(layout.size.next_power_of_two().min(16) as u32))
}

/// A value as the integer of its size.
fn to_bits(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty, int: Type) -> Value {
    match value {
        Rvalue::Scalar(v) => fx.bitcast(v, int),
        _ => {
            let place = lvalues::spill(fx, value, ty);
            fx.load(int, place, AliasTags::any())
        }
    }
}

/// The value whose bytes are those of an integer.
fn from_bits(fx: &mut Fx<'_, '_>, bits: Value, ty: Ty) -> Rvalue {
    if let Shape::Scalar(scalar) = shape(fx.types(), ty) {
        return Rvalue::Scalar(fx.bitcast(bits, scalar));
    }
    let temp = temp(fx, ty);
    fx.store(bits, temp, AliasTags::any());
    lvalues::load(fx, Place { any_alias: true, ..temp }, ty.into())
}

/// `lhs op= rhs`, `++lhs`, `lhs++` on an atomic object: one instruction if there is one, else a
/// compare-exchange loop.
pub fn update(fx: &mut Fx<'_, '_>, update: &Update<'_>, place: Place) -> Rvalue {
    let ty = update.lhs.ty.ty();
    if let Some(value) = update_by_fetch(fx, update, place, ty) {
        return value;
    }
    if !fx.live {
        return expressions::dummy(fx, ty);
    }
    let size = size_of(fx, ty);
    let (expected, desired) = (temp(fx, ty), temp(fx, ty));
    let first = load(fx, place, ty, Ordering::SeqCst);
    lvalues::store(fx, expected, ty.into(), first);
    let (top, end) = (fx.new_block(), fx.new_block());
    fx.flow_into(top);
    let old = lvalues::load(fx, expected, ty.into());
    expressions::bind(fx, update.old, old);
    let new = expressions::rvalue(fx, update.value);
    lvalues::store(fx, desired, ty.into(), new);
    let address = fx.address(place);
    let done = compare_exchange(fx, address, expected, desired, size, Ordering::SeqCst, Ordering::SeqCst);
    fx.cond_br(done, end, top, BranchHint::Likely);
    fx.start(end);
    lvalues::load(fx, if update.post { expected } else { desired }, ty.into())
}

/// Compares the object with `expected` and replaces it by `desired`, or updates `expected`; whether
/// it was replaced (i1).
fn compare_exchange(
    fx: &mut Fx<'_, '_>,
    address: Value,
    expected: Place,
    desired: Place,
    size: u64,
    success: Ordering,
    failure: Ordering,
) -> Value {
    let any = AliasTags::any();
    if let Some(int) = lock_free(size) {
        let (old, new) = (fx.load(int, expected, any), fx.load(int, desired, any));
        let (seen, done) = fx.b().cmpxchg(address, old, new, success, failure);
        let (failed, go_on) = (fx.new_block(), fx.new_block());
        let slot = fx.temp(1, 1);
        let bit = fx.int_cast(done, Type::I8, false);
        fx.store(bit, slot, any);
        fx.cond_br(done, go_on, failed, BranchHint::Likely);
        fx.start(failed);
        fx.store(seen, expected, any);
        fx.flow_into(go_on);
        let bit = fx.load(Type::I8, slot, any);
        return fx.icmp_imm(ir::IntCc::Ne, bit, 0);
    }
    let (e, d) = (fx.address(expected), fx.address(desired));
    let size = fx.iconst(Type::I64, size as i64);
    let (s, f) = (fx.iconst(Type::I32, success as i64), fx.iconst(Type::I32, failure as i64));
    let done = calls::library_value(fx, "__atomic_compare_exchange", &[size, address, e, d, s, f], Type::I32);
    let byte = fx.int_cast(done, Type::I8, false);
    fx.icmp_imm(ir::IntCc::Ne, byte, 0)
}

/// Integer updates that wrap like the fetch-and-op instructions do.
fn update_by_fetch(fx: &mut Fx<'_, '_>, update: &Update<'_>, place: Place, ty: Ty) -> Option<Rvalue> {
    let op = match update.op {
        BinaryOp::Add => FetchOp::Add,
        BinaryOp::Sub => FetchOp::Sub,
        BinaryOp::And => FetchOp::And,
        BinaryOp::Or => FetchOp::Or,
        BinaryOp::Xor => FetchOp::Xor,
        _ => return None,
    };
    let integer = fx.types().is_integer(ty) && fx.types().kind(ty) != TypeKind::Bool;
    if !integer || super::shapes::odd_width(fx.types(), ty).is_some() {
        return None;
    }
    let int = lock_free(size_of(fx, ty))?;
    let amount = match update.rhs {
        Some((id, rhs)) if fx.types().is_integer(rhs.ty.ty()) => {
            let Some(Rvalue::Scalar(value)) = fx.opaques[cranelift_entity::EntityRef::index(id)] else { return None };
            let signed = fx.types().is_signed(rhs.ty.ty());
            fx.int_cast(value, int, signed)
        }
        None => fx.iconst(int, constant_amount(update)?),
        _ => return None,
    };
    let address = fx.address(place);
    Some(Rvalue::Scalar(fetch(fx, op, address, amount, Ordering::SeqCst, !update.post)))
}

/// The constant right operand of `old op constant`, the value of an update that binds no right
/// side.
fn constant_amount(update: &Update<'_>) -> Option<i64> {
    fn peel<'a>(mut e: ExprRef<'a>) -> ExprKind<'a> {
        while let ExprKind::Cast { kind: CastKind::Integral | CastKind::NoOp, operand } = e.kind {
            e = operand;
        }
        e.kind
    }
    match peel(update.value) {
        ExprKind::Binary { op, lhs, rhs } if op == update.op => match (peel(lhs), rhs.int_value()) {
            (ExprKind::Opaque(id), Some(amount)) if id == update.old => Some(amount as i64),
            _ => None,
        },
        _ => None,
    }
}

/// Fetch-and-op on integers; the old value, or the new one.
fn fetch(fx: &mut Fx<'_, '_>, op: FetchOp, address: Value, amount: Value, order: Ordering, want_new: bool) -> Value {
    let rmw = match op {
        FetchOp::Add => RmwOp::Add,
        FetchOp::Sub => RmwOp::Sub,
        FetchOp::And => RmwOp::And,
        FetchOp::Or => RmwOp::Or,
        FetchOp::Xor => RmwOp::Xor,
        FetchOp::Nand => RmwOp::Nand,
    };
    let old = fx.b().atomic_rmw(rmw, address, amount, order);
    if want_new { combine(fx, op, old, amount) } else { old }
}

fn combine(fx: &mut Fx<'_, '_>, op: FetchOp, old: Value, amount: Value) -> Value {
    match op {
        FetchOp::Add => fx.int_op(Opcode::Add, 0, old, amount),
        FetchOp::Sub => fx.int_op(Opcode::Sub, 0, old, amount),
        FetchOp::And => fx.int_op(Opcode::And, 0, old, amount),
        FetchOp::Or => fx.int_op(Opcode::Or, 0, old, amount),
        FetchOp::Xor => fx.int_op(Opcode::Xor, 0, old, amount),
        FetchOp::Nand => {
            let both = fx.int_op(Opcode::And, 0, old, amount);
            fx.int_op_imm(Opcode::Xor, 0, both, -1)
        }
    }
}

// ---- builtins
// --------------------------------------------------------------------------------

/// An `__atomic_*` or `__sync_*` operation.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, atomic: &Atomic<'_>) -> Rvalue {
    let order = ordering(atomic.order);
    match atomic.op {
        AtomicOp::ThreadFence | AtomicOp::SignalFence => {
            if order != Ordering::Relaxed {
                fx.b().fence(order, atomic.op == AtomicOp::SignalFence);
            }
            return Rvalue::Void;
        }
        _ => {}
    }
    let operand = |fx: &mut Fx<'_, '_>, e: Option<ExprRef<'_>>| match e {
        Some(e) => expressions::scalar(fx, e),
        None => base::bug!("an atomic operation lacks an operand"),
    };
    let address = operand(fx, atomic.ptr);
    let ty = atomic.value_ty;
    if size_of(fx, ty) == 16 {
        return super::atomics_wide::lower(fx, e, atomic, address);
    }
    match atomic.op {
        AtomicOp::Load => {
            let scalar = fx.scalar_type(ty);
            let value = fx.b().atomic_load(scalar, address, order);
            convert_back(fx, value, e)
        }
        AtomicOp::Store => {
            let value = operand(fx, atomic.value);
            let value = as_object(fx, value, ty);
            fx.b().atomic_store(value, address, order);
            Rvalue::Void
        }
        AtomicOp::Exchange => {
            let value = operand(fx, atomic.value);
            let value = as_object(fx, value, ty);
            let old = fx.b().atomic_rmw(RmwOp::Xchg, address, value, order);
            convert_back(fx, old, e)
        }
        AtomicOp::FetchOp(op) | AtomicOp::OpFetch(op) => {
            let amount = operand(fx, atomic.value);
            let int = lock_free(size_of(fx, ty)).unwrap_or(Type::I64);
            let amount = if fx.ty(amount).is_ptr() { fx.ptr_to_int(amount) } else { amount };
            let amount = fx.int_cast(amount, int, true);
            let new = matches!(atomic.op, AtomicOp::OpFetch(_));
            let value = fetch(fx, op, address, amount, order, new);
            convert_back(fx, value, e)
        }
        AtomicOp::CompareExchange { .. } => {
            let size = size_of(fx, ty);
            let expected = operand(fx, atomic.expected);
            let desired = operand(fx, atomic.value);
            let desired = as_object(fx, desired, ty);
            let align = size as u32;
            let slot = fx.temp(size, align);
            fx.store(desired, slot, AliasTags::any());
            let expected = Place::new(expected, 1);
            let failure = ordering(atomic.failure_order);
            let done = compare_exchange(fx, address, expected, slot, size, order, failure);
            Rvalue::Scalar(fx.int_cast(done, Type::I8, false))
        }
        AtomicOp::SyncBoolCompareAndSwap | AtomicOp::SyncValCompareAndSwap => {
            let expected = operand(fx, atomic.expected);
            let expected = as_object(fx, expected, ty);
            let desired = operand(fx, atomic.value);
            let desired = as_object(fx, desired, ty);
            let (old, done) = fx.b().cmpxchg(address, expected, desired, Ordering::SeqCst, Ordering::SeqCst);
            if atomic.op == AtomicOp::SyncValCompareAndSwap {
                return convert_back(fx, old, e);
            }
            Rvalue::Scalar(fx.int_cast(done, Type::I8, false))
        }
        AtomicOp::TestAndSet => {
            let one = fx.iconst(Type::I8, 1);
            let old = fx.b().atomic_rmw(RmwOp::Xchg, address, one, order);
            let was_set = conditions::nonzero(fx, Rvalue::Scalar(old));
            Rvalue::Scalar(fx.int_cast(was_set, Type::I8, false))
        }
        AtomicOp::Clear => {
            let zero = fx.iconst(Type::I8, 0);
            fx.b().atomic_store(zero, address, order);
            Rvalue::Void
        }
        AtomicOp::ThreadFence | AtomicOp::SignalFence => Rvalue::Void,
    }
}

/// An operand as the object's IR type.
fn as_object(fx: &mut Fx<'_, '_>, value: Value, ty: Ty) -> Value {
    let scalar = fx.scalar_type(ty);
    match (fx.ty(value).is_ptr(), scalar.is_ptr()) {
        (true, false) => {
            let int = fx.ptr_to_int(value);
            fx.int_cast(int, scalar, false)
        }
        (false, true) => {
            let int = fx.int_cast(value, Type::I64, false);
            fx.int_to_ptr(int)
        }
        _ if scalar.is_int() => fx.int_cast(value, scalar, false),
        _ => value,
    }
}

/// The object's value as the node's type.
fn convert_back(fx: &mut Fx<'_, '_>, value: Value, e: ExprRef<'_>) -> Rvalue {
    let to = fx.scalar_type(e.ty.ty());
    if to.is_void() {
        return Rvalue::Void;
    }
    Rvalue::Scalar(fx.bitcast(value, to))
}

/// `old op amount` for operations that have no instruction of their own.
pub fn combine_wide(fx: &mut Fx<'_, '_>, op: FetchOp, old: Value, amount: Value) -> Value {
    combine(fx, op, old, amount)
}
