//! Scalars that a vector loop starts from and counts with.

use ir::analysis::LoopTree;
use ir::analysis::sums::induction::is_invariant;
use ir::{Builder, Function, Inst, Opcode, Type, Value, flags};
use rustc_hash::FxHashMap;

use super::body::Body;

/// A copy of an instruction with other operands.
pub fn copied(func: &mut Function, inst: Inst, operands: &[Value], copies: &[Value], before: Inst) -> Value {
    let copy = func.copy_inst(inst, |v| copies[operands.iter().position(|&o| o == v).expect("an operand")]);
    func.insert_before(before, copy);
    func.first_result(copy)
}

/// A value in the loop's first iteration, computed before an instruction before the loop; `known`
/// are those that have been. For values that are sums and multiples of counters.
pub fn first_round(
    func: &mut Function,
    loops: &LoopTree,
    body: &Body,
    known: &mut FxHashMap<Value, Value>,
    value: Value,
    before: Inst,
) -> Value {
    if is_invariant(func, loops.at(body.l), value) {
        return value;
    }
    if let Some(&known) = known.get(&value) {
        return known;
    }
    let inst = func.def_inst(value).expect("defined in the loop");
    let result = match body.counters.iter().find(|c| c.phi == inst) {
        Some(counter) => counter.start,
        None => {
            let operands: Vec<Value> = func.operands(inst).collect();
            let copies: Vec<Value> =
                operands.iter().map(|&v| first_round(func, loops, body, known, v, before)).collect();
            if let Some(folded) = folded(func, inst, &copies) {
                known.insert(value, folded);
                return folded;
            }
            let result = copied(func, inst, &operands, &copies, before);
            let copy = func.def_inst(result).expect("a copy");
            func.clear_flags(copy);
            result
        }
    };
    known.insert(value, result);
    result
}

/// The constant that an operation gives on constants.
fn folded(func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
    let data = func.insts[inst];
    let bits: Vec<u128> = operands.iter().map(|&v| func.const_bits(v)).collect::<Option<_>>()?;
    let from = func.value_type(*operands.first()?);
    let result = match bits[..] {
        [a] => ir::fold::unary(data.opcode, from, data.ty, a),
        [a, b] => ir::fold::binary(data.opcode, data.ty, a, b),
        _ => None,
    }?;
    Some(func.bits_const(data.ty, result))
}

/// `value + by` for an integer or a pointer.
pub fn stepped(b: &mut Builder<'_>, value: Value, ty: Type, by: i64) -> Value {
    if ty.is_ptr() {
        let by = b.iconst(Type::I64, by);
        b.ptradd(value, by, flags::INBOUNDS)
    } else {
        let by = b.iconst(ty, by);
        b.binary(Opcode::Add, value, by)
    }
}

/// `start + iterations * step`, computed before an instruction; `iterations` is an i64.
pub fn counted_up(func: &mut Function, before: Inst, start: Value, ty: Type, iterations: Value, step: i64) -> Value {
    if let Some(iterations) = func.const_i64(iterations) {
        let by = iterations.wrapping_mul(step);
        if let Some(start) = func.const_i64(start).filter(|_| ty.is_int()) {
            return func.iconst(ty, start.wrapping_add(by));
        }
        return stepped(&mut Builder::before(func, before), start, ty, by);
    }
    let mut b = Builder::before(func, before);
    let mut by = iterations;
    if step != 1 {
        let factor = b.iconst(Type::I64, step);
        by = b.binary(Opcode::Mul, iterations, factor);
    }
    if ty.is_ptr() {
        return b.ptradd(start, by, 0);
    }
    if ty != Type::I64 {
        by = b.unary(Opcode::Trunc, ty, by);
    }
    if b.func.const_bits(start) == Some(0) { by } else { b.binary(Opcode::Add, start, by) }
}
