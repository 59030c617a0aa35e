//! Atomic operations on 16-byte integers: calls of libatomic's `_16` entries, and of the
//! `__sync_*_16` routines.

use ir::{AliasTags, Opcode, Type, Value};

use super::calls;
use super::expressions;
use super::function::Fx;
use super::place::{Place, Rvalue};
use crate::tree::*;

fn fetch_name(op: FetchOp) -> &'static str {
    match op {
        FetchOp::Add => "add",
        FetchOp::Sub => "sub",
        FetchOp::And => "and",
        FetchOp::Or => "or",
        FetchOp::Xor => "xor",
        FetchOp::Nand => "nand",
    }
}

/// The two registers of a value.
fn halves(fx: &mut Fx<'_, '_>, value: Value) -> [Value; 2] {
    let low = fx.int_cast(value, Type::I64, false);
    let high = fx.int_op_imm(Opcode::LShr, 0, value, 64);
    [low, fx.int_cast(high, Type::I64, false)]
}

fn whole(fx: &mut Fx<'_, '_>, parts: &[Value]) -> Value {
    let low = fx.int_cast(parts[0], Type::I128, false);
    let high = fx.int_cast(parts[1], Type::I128, false);
    let high = fx.int_op_imm(Opcode::Shl, 0, high, 64);
    fx.int_op(Opcode::Or, 0, low, high)
}

/// Lowers an operation on the 16-byte object at `address`.
pub fn lower(fx: &mut Fx<'_, '_>, _: ExprRef<'_>, atomic: &Atomic<'_>, address: Value) -> Rvalue {
    let value = match atomic.value {
        Some(e) => {
            let value = expressions::scalar(fx, e);
            Some(fx.int_cast(value, Type::I128, true))
        }
        None => None,
    };
    let zero = fx.func.bits_const(Type::I128, 0);
    let value = value.unwrap_or(zero);
    let order = fx.iconst(Type::I32, atomic.order as i64);
    const PAIR: [Type; 2] = [Type::I64, Type::I64];
    match atomic.op {
        AtomicOp::Load => {
            let parts = calls::library_call(fx, "__atomic_load_16", &[address, order], &PAIR);
            Rvalue::Scalar(whole(fx, &parts))
        }
        AtomicOp::Store => {
            let [low, high] = halves(fx, value);
            calls::library_call(fx, "__atomic_store_16", &[address, low, high, order], &[]);
            Rvalue::Void
        }
        AtomicOp::Exchange => {
            let [low, high] = halves(fx, value);
            let parts = calls::library_call(fx, "__atomic_exchange_16", &[address, low, high, order], &PAIR);
            Rvalue::Scalar(whole(fx, &parts))
        }
        AtomicOp::FetchOp(op) | AtomicOp::OpFetch(op) => {
            let name = format!("__atomic_fetch_{}_16", fetch_name(op));
            let [low, high] = halves(fx, value);
            let parts = calls::library_call(fx, &name, &[address, low, high, order], &PAIR);
            let old = whole(fx, &parts);
            let new = matches!(atomic.op, AtomicOp::OpFetch(_));
            Rvalue::Scalar(if new { super::atomics::combine_wide(fx, op, old, value) } else { old })
        }
        AtomicOp::CompareExchange { .. } => {
            let Some(expected) = atomic.expected else { return Rvalue::Void };
            let expected = expressions::scalar(fx, expected);
            compare_exchange(fx, address, expected, value, order, atomic.failure_order as i64)
        }
        AtomicOp::SyncBoolCompareAndSwap | AtomicOp::SyncValCompareAndSwap => {
            let Some(expected) = atomic.expected else { return Rvalue::Void };
            let expected = expressions::scalar(fx, expected);
            let slot = fx.temp(16, 16);
            fx.store(expected, slot, AliasTags::any());
            let place = fx.address(slot);
            let done = compare_exchange(fx, address, place, value, order, MemoryOrder::SeqCst as i64);
            if atomic.op == AtomicOp::SyncBoolCompareAndSwap {
                return done;
            }
            Rvalue::Scalar(fx.load(Type::I128, Place::new(place, 16), AliasTags::any()))
        }
        _ => {
            fx.not_supported("this operation on a 16-byte atomic object");
            Rvalue::Void
        }
    }
}

fn compare_exchange(
    fx: &mut Fx<'_, '_>,
    address: Value,
    expected: Value,
    desired: Value,
    order: Value,
    failure: i64,
) -> Rvalue {
    let [low, high] = halves(fx, desired);
    let failure = fx.iconst(Type::I32, failure);
    let args = [address, expected, low, high, order, failure];
    let done = calls::library_value(fx, "__atomic_compare_exchange_16", &args, Type::I32);
    Rvalue::Scalar(fx.int_cast(done, Type::I8, false))
}
