//! Increments of loop variables move after the last use of the old value.
//!
//! `*p++` computes `p + 1` before it reads `p`; as long as both live they cannot share a register,
//! and the loop pays a copy. Sunk after the read, the increment happens in place. A branch that
//! tests the old value (`while (n--)`) tests the new one against a constant that is as much
//! farther. Runs on SSA form before phi elimination.

#[cfg(test)]
mod tests;

use cranelift_entity::EntityRef;
use ir::{Block, Builder, Function, Inst, InstView, IntCc, Opcode, Position, Value, flags};

/// Where in one block a value is read, by position.
#[derive(Clone, Copy)]
struct Readers {
    block: u32,
    /// The first reader.
    first: u32,
    /// The last one.
    last: (u32, Inst),
    /// The last one when what selection folds into its users is read by those.
    folded: (u32, Inst),
}

/// Sinks the increments of all blocks.
pub fn sink_increments(func: &mut Function) {
    let feeds_phi = phi_operands(func);
    if feeds_phi.is_empty() {
        return;
    }
    let none = (0, Inst::new(0));
    let nowhere = Readers { block: u32::MAX, first: 0, last: none, folded: none };
    let blocks: Vec<Block> = func.blocks().collect();
    blocks.iter().for_each(|&block| test_new_value(func, &feeds_phi, block));
    let mut readers = vec![nowhere; func.num_values()];
    let mut candidates: Vec<(u32, Inst)> = Vec::new();
    let mut insts: Vec<Inst> = Vec::new();
    for block in blocks {
        candidates.clear();
        insts.clear();
        insts.extend(func.block_insts(block).filter(|&i| func.insts[i].opcode != Opcode::Phi));
        // Backwards, so that the readers of an instruction's result are known before those of its
        // operands.
        for (position, &inst) in insts.iter().enumerate().rev() {
            let here = (position as u32, inst);
            let is_candidate = is_increment(func, inst) && feeds_phi[func.first_result(inst).index()];
            let folded = if is_candidate { None } else { folded_into(func, &readers, block, inst) }.unwrap_or(here);
            for value in func.operands(inst) {
                let entry = &mut readers[value.index()];
                if entry.block != block.as_u32() {
                    *entry = Readers { block: block.as_u32(), first: here.0, last: here, folded: here };
                }
                entry.first = here.0;
                entry.folded = entry.folded.max(folded);
            }
            if is_candidate {
                candidates.push(here);
            }
        }
        for &(position, inst) in candidates.iter().rev() {
            sink(func, &readers, block, position, inst);
        }
    }
}

/// The last reader of the instruction's result, if selection may fold the instruction into its
/// readers.
fn folded_into(func: &Function, readers: &[Readers], block: Block, inst: Inst) -> Option<(u32, Inst)> {
    use Opcode::{Add, Load, Mul, PtrAdd, SExt, Shl, Trunc, ZExt};
    if !matches!(func.insts[inst].opcode, Add | Load | Mul | PtrAdd | SExt | Shl | Trunc | ZExt) {
        return None;
    }
    let result = readers[func.first_result(inst).index()];
    (result.block == block.as_u32()).then_some(result.folded)
}

/// By value: whether a phi reads it. Empty if there are no phis.
fn phi_operands(func: &Function) -> Vec<bool> {
    let mut found = Vec::new();
    for block in func.blocks() {
        for phi in func.phis(block) {
            if found.is_empty() {
                found.resize(func.num_values(), false);
            }
            for value in func.operands(phi) {
                found[value.index()] = true;
            }
        }
    }
    found
}

fn is_increment(func: &Function, inst: Inst) -> bool {
    let data = func.insts[inst];
    matches!(data.opcode, Opcode::Add | Opcode::Sub | Opcode::PtrAdd)
        && !data.ty.is_vector()
        && func.constant(func.operand(inst, 0)).is_none()
        && func.const_i64(func.operand(inst, 1)).is_some()
}

fn sink(func: &mut Function, readers: &[Readers], block: Block, position: u32, inst: Inst) {
    let here = |value: Value| Some(readers[value.index()]).filter(|r| r.block == block.as_u32());
    let Some(old) = here(func.operand(inst, 0)) else { return };
    let new = here(func.first_result(inst)).map_or(u32::MAX, |new| new.first);
    let fits =
        |&(last, reader): &(u32, Inst)| last > position && new > last && !func.insts[reader].opcode.is_terminator();
    let Some((_, reader)) = [old.folded, old.last].into_iter().find(fits) else { return };
    func.unplace_inst(inst);
    func.insert_after(reader, inst);
}

/// Makes the branch at the end of the block test `v + d` with `c + d` instead of the phi `v` with
/// `c`, if the block computes `v + d` for a phi. The comparison it had stays for other users.
fn test_new_value(func: &mut Function, feeds_phi: &[bool], block: Block) {
    let branch = func.terminator(block);
    let InstView::CondBr { cond, .. } = func.view(branch) else { return };
    let Some(compare) = func.def_inst(cond).filter(|&inst| func.inst_block(inst) == Some(block)) else { return };
    let InstView::ICmp { cc, a: old, b: limit } = func.view(compare) else { return };
    let ty = func.value_type(old);
    let is_phi = func.def_with(old, Opcode::Phi).is_some();
    let (true, true, Some(limit)) = (is_phi, ty.is_int() && ty.bits() <= 64, func.const_i64(limit)) else {
        return;
    };
    let steps = |&inst: &Inst| {
        matches!(func.insts[inst].opcode, Opcode::Add | Opcode::Sub)
            && func.operand(inst, 0) == old
            && func.const_i64(func.operand(inst, 1)).is_some()
            && feeds_phi[func.first_result(inst).index()]
    };
    let Some(increment) = func.block_insts(block).find(steps) else { return };
    let Some(limit) = moved_limit(func, increment, cc, limit, ty.bits()) else { return };
    let new = func.first_result(increment);
    let mut b = Builder::new(func, Position::Before(branch));
    b.loc = b.func.inst_locs[compare];
    let limit = b.iconst(ty, limit);
    let cond = b.icmp(cc, new, limit);
    func.set_operand(branch, 0, cond);
}

/// What the result of the increment compares with as its operand does with `limit`. Equality holds
/// with wrapping, too; an order only where the increment does not wrap, which its flags say.
fn moved_limit(func: &Function, increment: Inst, cc: IntCc, limit: i64, bits: u32) -> Option<i64> {
    let step = func.const_i64(func.operand(increment, 1))?;
    let step = if func.insts[increment].opcode == Opcode::Sub { step.checked_neg()? } else { step };
    let moved = limit.checked_add(step)?;
    match cc {
        IntCc::Eq | IntCc::Ne => Some(moved),
        IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge => {
            let fits = bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&moved);
            (fits && func.insts[increment].has(flags::NSW)).then_some(moved)
        }
        _ => None,
    }
}
