//! Increments of loop variables move after the last use of the old value.
//!
//! `*p++` computes `p + 1` before it reads `p`; as long as both live they cannot share a register,
//! and the loop pays a copy. Sunk after the read, the increment happens in place. Runs on SSA form
//! before phi elimination; it changes the order inside blocks only.

#[cfg(test)]
mod tests;

use cranelift_entity::EntityRef;
use ir::{Block, Function, Inst, Opcode, Value};

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
    let mut readers = vec![nowhere; func.num_values()];
    let blocks: Vec<Block> = func.blocks().collect();
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
