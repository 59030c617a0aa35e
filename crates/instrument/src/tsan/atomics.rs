//! Atomic operations become calls of the runtime, which does them and learns what they order.
//!
//! Operations on 16 bytes stay: they are calls of libatomic before they come here, or `cmpxchg16b`.

use ir::{Builder, Function, Inst, InstView, IntCc, Opcode, Type, Value};

use super::runtime::{ATOMIC_SIZES, Helper, TsanRuntime};

/// Replaces an atomic operation; whether it was one.
pub fn replace(func: &mut Function, runtime: &TsanRuntime, inst: Inst) -> bool {
    let view = func.view(inst);
    let subject = match view {
        InstView::AtomicLoad { .. } => Some(func.first_result(inst)),
        InstView::AtomicStore { value, .. } | InstView::AtomicRmw { value, .. } => Some(value),
        InstView::CmpXchg { expected, .. } => Some(expected),
        InstView::Fence { .. } => None,
        _ => return false,
    };
    let ty = subject.map_or(Type::I32, |value| func.value_type(value));
    let size = ty.store_size();
    if !ATOMIC_SIZES.contains(&size) {
        return false;
    }
    // The C ABI's numbers of memory orders are those of the IR.
    let (helper, mut numbers, orders) = match view {
        InstView::AtomicLoad { order, .. } => (Helper::Load(size), vec![], vec![order]),
        InstView::AtomicStore { value, order, .. } => (Helper::Store(size), vec![value], vec![order]),
        InstView::AtomicRmw { rmw, value, order, .. } => (Helper::Rmw(rmw, size), vec![value], vec![order]),
        InstView::CmpXchg { expected, desired, success, failure, .. } => {
            (Helper::CompareExchange(size), vec![expected, desired], vec![success, failure])
        }
        InstView::Fence { order, signal_only, .. } => (Helper::Fence { signal: signal_only }, vec![], vec![order]),
        _ => return false,
    };
    let address = subject.map(|_| func.operand(inst, 0));
    let results = func.results(inst).collect::<Vec<Value>>();
    let mut b = Builder::before(func, inst);
    for number in &mut numbers {
        *number = widened(&mut b, *number);
    }
    let orders = orders.into_iter().map(|order| b.iconst(Type::I32, order as i64)).collect::<Vec<Value>>();
    let args: Vec<Value> = address.into_iter().chain(numbers.iter().copied()).chain(orders).collect();
    let made = runtime.call(&mut b, helper, &args);
    let mut replacements = Vec::new();
    if !results.is_empty() {
        let old = b.func.first_result(made);
        replacements.push(narrowed(&mut b, old, ty));
    }
    if results.len() > 1 {
        let (found, expected) = (replacements[0], b.func.operand(inst, 1));
        let (found, expected) = (widened(&mut b, found), widened(&mut b, expected));
        replacements.push(b.icmp(IntCc::Eq, found, expected));
    }
    for (result, replacement) in results.into_iter().zip(replacements) {
        func.replace_all_uses(result, replacement);
    }
    func.remove_inst(inst);
    true
}

/// The value as an integer of 32 or 64 bits.
fn widened(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = b.func.value_type(value);
    match ty {
        Type::I32 | Type::I64 => value,
        Type::PTR => b.unary(Opcode::PtrToInt, Type::I64, value),
        _ if ty.is_int() => b.unary(Opcode::ZExt, Type::I32, value),
        _ => {
            let number = if ty.store_size() == 8 { Type::I64 } else { Type::I32 };
            b.unary(Opcode::Bitcast, number, value)
        }
    }
}

/// What the runtime returned as a value of this type.
fn narrowed(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match ty {
        Type::I32 | Type::I64 => value,
        Type::PTR => b.unary(Opcode::IntToPtr, Type::PTR, value),
        _ if ty.is_int() => b.unary(Opcode::Trunc, ty, value),
        _ => b.unary(Opcode::Bitcast, ty, value),
    }
}
