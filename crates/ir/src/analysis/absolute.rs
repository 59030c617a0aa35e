//! Choices between a number and its negation.

use crate::{Function, IntCc, Opcode, Value};

/// The number of which a choice makes the absolute value, its negation, and whether the choice is
/// minus the absolute value. For 0 both are the same, and the least number is its own negation.
pub fn absolute_value(func: &Function, cond: Value, then: Value, otherwise: Value) -> Option<(Value, Value, bool)> {
    let compare = func.def_with(cond, Opcode::ICmp)?;
    let number = func.operand(compare, 0);
    let below = match (func.insts[compare].int_cc(), func.const_i64(func.operand(compare, 1))?) {
        (IntCc::Slt, 0 | 1) => true,
        (IntCc::Sgt, -1 | 0) => false,
        _ => return None,
    };
    let negates = |value: Value| {
        let sub = func.def_with(value, Opcode::Sub);
        sub.is_some_and(|sub| func.operand(sub, 1) == number && func.const_i64(func.operand(sub, 0)) == Some(0))
    };
    match (then, otherwise) {
        _ if number == otherwise && negates(then) => Some((number, then, !below)),
        _ if number == then && negates(otherwise) => Some((number, otherwise, below)),
        _ => None,
    }
}
