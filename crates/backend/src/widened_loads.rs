//! One register for a narrow value that is loaded and widened.
//!
//! `switch (op->code)` widens a loaded byte; where the byte is read again, byte and word would be
//! two values that live side by side. Those who read the byte read the low part of the word
//! instead, for which selection takes the word's register. Runs on SSA form before phi elimination;
//! linear in the uses of such loads.
//!
//! ```text
//! v1: i8 = load v0                   v1: i8 = load v0
//! v2: i32 = zext v1            =>    v2: i32 = zext v1
//! v3: i1 = icmp.eq v1, i8 7          v4: i8 = trunc v2
//!                                    v3: i1 = icmp.eq v4, i8 7
//! ```

#[cfg(test)]
mod tests;

use ir::{Builder, Function, Inst, Opcode, Position, Type, Value};

/// Instructions between a load and its extension.
const MAX_DISTANCE: usize = 16;

/// Lets the word stand for the byte wherever both are known.
pub fn share(func: &mut Function) {
    for inst in func.insts_with(|opcode| opcode == Opcode::ZExt) {
        let (narrow, wide) = (func.operand(inst, 0), func.first_result(inst));
        let types = (func.value_type(narrow), func.value_type(wide));
        if matches!(types, (Type::I8 | Type::I16, Type::I32 | Type::I64)) && !func.has_one_use(narrow) {
            let load = func.def_with(narrow, Opcode::Load);
            if let Some(between) = load.and_then(|load| between(func, load, inst)) {
                read_low_part(func, narrow, inst, wide, &between);
            }
        }
    }
}

/// What stands between a load and its extension, if they are near each other.
fn between(func: &Function, load: Inst, extension: Inst) -> Option<Vec<Inst>> {
    let mut between = Vec::new();
    let mut before = func.prev_inst(extension)?;
    while before != load {
        between.push(before);
        before = func.prev_inst(before).filter(|_| between.len() <= MAX_DISTANCE)?;
    }
    Some(between)
}

/// Makes the users of `narrow` users of `wide`, but for those in front of the extension.
fn read_low_part(func: &mut Function, narrow: Value, extension: Inst, wide: Value, in_front: &[Inst]) {
    let users: Vec<(Inst, usize)> = func.uses(narrow).collect();
    for (user, index) in users {
        let data = func.insts[user];
        if user == extension || in_front.contains(&user) || matches!(data.opcode, Opcode::Asm | Opcode::AsmBr) {
            continue;
        }
        let is_wider = data.opcode == Opcode::ZExt && data.ty.bits() > func.value_type(wide).bits();
        if is_wider && !data.ty.is_vector() {
            func.set_operand(user, index, wide);
            continue;
        }
        let place = match data.opcode {
            Opcode::Phi => func.terminator(func.phi_block(user, index)),
            _ => user,
        };
        let mut builder = Builder::new(func, Position::Before(place));
        builder.loc = builder.func.inst_locs[user];
        let low = builder.unary(Opcode::Trunc, builder.func.value_type(narrow), wide);
        func.set_operand(user, index, low);
    }
    func.forward_debug_values(narrow, wide);
}
