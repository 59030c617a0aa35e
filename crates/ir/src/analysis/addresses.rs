//! What addresses are computed from: objects and constant distances.

use crate::{Function, Inst, Intrinsic, Opcode, SymbolId, Value, ValueDef};

/// What is known about an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// A stack slot.
    Alloca(Inst),
    /// A symbol's object.
    Symbol(SymbolId),
    /// Anything else, by value.
    Value(Value),
    /// Any memory that code outside the function can name, for what calls access.
    Visible,
}

/// The address without the constants added last, and their sum. Looks through a few additions.
pub fn place_of(func: &Function, address: Value) -> (Value, i64) {
    let (mut at, mut offset) = (address, 0i64);
    for _ in 0..8 {
        let sum = func.def_with(at, Opcode::PtrAdd);
        let Some((inst, by)) = sum.and_then(|i| Some((i, func.const_i64(func.operand(i, 1))?))) else { break };
        let Some(total) = offset.checked_add(by) else { break };
        (at, offset) = (func.operand(inst, 0), total);
    }
    (at, offset)
}

/// The base of an address and the constant distance from it, if it is constant. Looks through at
/// most a few dozen additions.
pub fn decompose(func: &Function, address: Value) -> (Base, Option<i64>) {
    let mut at = address;
    let mut offset = Some(0i64);
    for _ in 0..32 {
        match func.value_def(at) {
            ValueDef::Const(_) => {
                if let Some((symbol, start)) = func.const_symbol(at) {
                    return (Base::Symbol(symbol), offset.and_then(|o| o.checked_add(start)));
                }
                return (Base::Value(at), offset);
            }
            ValueDef::Result(inst, _) if func.insts[inst].opcode == Opcode::PtrAdd => {
                let by = func.const_i64(func.operand(inst, 1));
                offset = offset.zip(by).and_then(|(o, b)| o.checked_add(b));
                at = func.operand(inst, 0);
            }
            ValueDef::Result(inst, _) if is_known_bytes(func, inst) => at = func.list(inst)[0],
            ValueDef::Result(inst, _) if func.insts[inst].opcode == Opcode::Alloca => {
                return (Base::Alloca(inst), offset);
            }
            ValueDef::Result(inst, _) if func.insts[inst].opcode == Opcode::Phi => match start_of_moving(func, inst) {
                Some(start) => {
                    at = start;
                    offset = None;
                }
                None => return (Base::Value(at), offset),
            },
            _ => return (Base::Value(at), offset),
        }
    }
    (Base::Value(at), offset)
}

fn is_known_bytes(func: &Function, inst: Inst) -> bool {
    let data = func.insts[inst];
    data.is_intrinsic(Intrinsic::KnownBytes)
}

/// The start of a pointer that moves through its object in a loop: the phi of a start and of sums
/// of itself.
fn start_of_moving(func: &Function, phi: Inst) -> Option<Value> {
    if func.num_operands(phi) != 2 {
        return None;
    }
    let result = func.first_result(phi);
    let moves = |value: Value| {
        let mut at = value;
        for _ in 0..4 {
            if at == result {
                return true;
            }
            match func.def_with(at, Opcode::PtrAdd) {
                Some(inst) => at = func.operand(inst, 0),
                None => return false,
            }
        }
        false
    };
    let (a, b) = (func.operand(phi, 0), func.operand(phi, 1));
    match (moves(a), moves(b)) {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}
