//! Branches whose sides come to the same: `if (x == 0) return 0; return x;`.

use crate::{Block, Function, Inst, IntCc, Opcode, Value};
use smallvec::SmallVec;

/// Of a block whose branch leads either way to one block with equal values in its phis, directly or
/// through a block that only jumps, or to returns of equal values: the side to keep and the other
/// one. Debug records of the blocks passed are unknown from the join on.
///
/// Where an equality with a number is tested, the number and what is compared with it are equal on
/// one side, and what the other side brings is right for both. (A symbol is no number: pointers
/// that are equal need not lead to the same object.)
pub fn equal_sides(func: &mut Function, block: Block) -> Option<(Block, Block)> {
    let branch = func.terminator(block);
    let (then, otherwise) = func.insts[branch].dests();
    let compare = func.def_with(func.operand(branch, 0), Opcode::ICmp);
    let equality = compare.and_then(|inst| match func.insts[inst].int_cc() {
        IntCc::Ne => Some(true),
        IntCc::Eq => Some(false),
        _ => None,
    });
    let pair = compare.filter(|_| equality.is_some()).map(|inst| (func.operand(inst, 0), func.operand(inst, 1)));
    let pair = pair.filter(|pair| func.const_bits(pair.1).is_some());
    let equal = |a: Value, b: Value| a == b || pair == Some((a, b)) || pair == Some((b, a));
    let sides = if equality.unwrap_or(true) { (then, otherwise) } else { (otherwise, then) };

    let ((end, from), (other_end, other_from)) = (way(func, block, then)?, way(func, block, otherwise)?);
    if end != other_end {
        let (value, other) = (only_returned(func, then)?, only_returned(func, otherwise)?);
        return equal(value, other).then_some(sides);
    }
    let agree = |phi: Inst| {
        let values = func.phi_value(phi, from).zip(func.phi_value(phi, other_from));
        values.is_some_and(|(a, b)| equal(a, b))
    };
    if !func.phis(end).all(agree) {
        return None;
    }
    let passed: SmallVec<[Block; 2]> = [from, other_from].into_iter().filter(|&side| side != block).collect();
    func.forget_debug_values(&passed, end);
    Some(sides)
}

/// Where a side leads, and from which block.
fn way(func: &Function, block: Block, side: Block) -> Option<(Block, Block)> {
    let first = func.insts[func.first_inst(side)?];
    Some(if first.opcode == Opcode::Br { (first.dest(), side) } else { (side, block) })
}

/// The value that a block without other instructions returns.
fn only_returned(func: &Function, block: Block) -> Option<Value> {
    let first = func.first_inst(block).filter(|&inst| func.insts[inst].opcode == Opcode::Ret)?;
    if let &[value] = func.list(first) { Some(value) } else { None }
}

/// What a function returns after a block that only jumps to a return: phis there have their
/// values of the block.
pub fn returned_through(func: &Function, block: Block) -> Option<Vec<Value>> {
    let branch = func.terminator(block);
    let end = (func.insts[branch].opcode == Opcode::Br).then(|| func.insts[branch].dest())?;
    let ret = func.first_non_phi(end).filter(|&inst| func.insts[inst].opcode == Opcode::Ret)?;
    let brought = |&value: &Value| {
        let phi = func.def_with(value, Opcode::Phi).filter(|&phi| func.inst_block(phi) == Some(end));
        phi.map_or(Some(value), |phi| func.phi_value(phi, block))
    };
    func.list(ret).iter().map(brought).collect()
}
