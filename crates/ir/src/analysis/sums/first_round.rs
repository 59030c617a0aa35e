//! Values of a loop's first iteration and of later ones, computed before the loop.

use rustc_hash::FxHashMap;

use super::induction::is_invariant;
use crate::analysis::LoopRef;
use crate::effects::{is_pure, may_trap};
use crate::{Builder, Function, Inst, Opcode, Type, Value, flags, fold};

/// A copy of an instruction with other operands.
pub fn copied(func: &mut Function, inst: Inst, operands: &[Value], copies: &[Value], before: Inst) -> Value {
    let copy = func.copy_inst(inst, |v| copies[operands.iter().position(|&o| o == v).expect("an operand")]);
    func.insert_before(before, copy);
    func.first_result(copy)
}

/// A value in the loop's first iteration, computed before an instruction before the loop from those
/// that are `known`, which what is computed is added to: the phis of the header that it depends on
/// have to be among them. `None` if it is computed otherwise than by at most `most` instructions
/// that may run there; some may have been copied then.
pub fn first_round(
    func: &mut Function,
    l: LoopRef<'_>,
    known: &mut FxHashMap<Value, Value>,
    value: Value,
    before: Inst,
    most: usize,
) -> Option<Value> {
    let first = |func: &Function, known: &FxHashMap<Value, Value>, value: Value| match known.get(&value) {
        None => is_invariant(func, l, value).then_some(value),
        known => known.copied(),
    };
    let mut work = vec![value];
    let mut copies = 0;
    while let Some(&value) = work.last() {
        if first(func, known, value).is_some() {
            work.pop();
            continue;
        }
        let inst = func.def_inst(value)?;
        if func.insts[inst].opcode == Opcode::Phi || !is_pure(func, inst) || may_trap(func, inst) {
            return None;
        }
        let operands: Vec<Value> = func.operands(inst).collect();
        if let Some(&open) = operands.iter().find(|&&v| first(func, known, v).is_none()) {
            work.push(open);
            continue;
        }
        let values: Vec<Value> = operands.iter().map(|&v| first(func, known, v).expect("computed")).collect();
        let result = folded(func, inst, &values).unwrap_or_else(|| {
            copies += 1;
            let result = copied(func, inst, &operands, &values, before);
            let copy = func.def_inst(result).expect("a copy");
            func.clear_flags(copy);
            result
        });
        if copies > most {
            return None;
        }
        known.insert(value, result);
    }
    first(func, known, value)
}

/// The constant that an operation gives on constants.
fn folded(func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
    let data = func.insts[inst];
    let bits: Vec<u128> = operands.iter().map(|&v| func.const_bits(v)).collect::<Option<_>>()?;
    let from = func.value_type(*operands.first()?);
    let result = match bits[..] {
        [a] => fold::unary(data.opcode, from, data.ty, a),
        [a, b] => fold::binary(data.opcode, data.ty, a, b),
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
