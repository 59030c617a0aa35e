//! Copies of whole regions of blocks, for the passes that duplicate loops.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Redefinitions;
use crate::{Block, Function, Inst, Intrinsic as Code, Opcode, Type, Value};

/// Bits of the registers that a wide vector is spread over.
const REGISTER_BITS: u32 = 128;

/// A copy of a region: where each block and value of it went.
pub struct RegionCopy {
    /// Blocks of the region to their copies.
    pub blocks: FxHashMap<Block, Block>,
    /// Values defined in the region to their copies.
    pub values: FxHashMap<Value, Value>,
}

impl RegionCopy {
    /// What a value is in the copy.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
}

/// Instructions of the blocks, each by its [`weight`], or `None` if they hold something that must
/// exist once, or are more than `limit`.
pub fn copyable_size(func: &Function, blocks: &[Block], limit: usize) -> Option<usize> {
    use Opcode::*;
    let mut size = 0;
    for &block in blocks {
        if func.labels.contains(&block) {
            return None;
        }
        for inst in func.block_insts(block) {
            let opcode = func.insts[inst].opcode;
            let data = func.insts[inst];
            let once = match opcode {
                Intrinsic => !data.is_intrinsic(Code::MoveMask) && !data.is_intrinsic(Code::MaskedStore),
                _ => matches!(opcode, Alloca | DynAlloca | StackSave | StackRestore | Asm | AsmBr | IndirectBr),
            };
            size += if opcode == Phi { 0 } else { weight(func, inst) };
            if once || size > limit {
                return None;
            }
        }
    }
    Some(size)
}

/// Instructions of the target that an instruction becomes, about: of vectors one for each register,
/// three for a choice; 1 for everything else.
fn weight(func: &Function, inst: Inst) -> usize {
    let vectors = func.operands(inst).chain(func.result(inst)).map(|v| func.value_type(v)).filter(|ty| ty.is_vector());
    let Some(registers) = vectors.map(|ty| (ty.bits() / REGISTER_BITS).max(1) as usize).max() else { return 1 };
    if func.insts[inst].opcode == Opcode::Select { 3 * registers } else { registers }
}

/// Copies the blocks and places the copies after `after`. Edges inside the region stay inside the
/// copy; edges that leave it get entries in the phis of their targets; edges that enter it are the
/// caller's business: phis of the copy name the same predecessors outside.
pub fn copy_region(func: &mut Function, blocks: &[Block], after: Block) -> RegionCopy {
    let mut copy = RegionCopy { blocks: FxHashMap::default(), values: FxHashMap::default() };
    let mut last = after;
    for &block in blocks {
        let new = func.make_block();
        func.insert_block_after(last, new);
        copy.blocks.insert(block, new);
        last = new;
    }
    let mut patches: Vec<(Inst, usize, Value)> = Vec::new();
    for &block in blocks {
        let insts: Vec<Inst> = func.block_insts(block).collect();
        for inst in insts {
            let new = if func.insts[inst].opcode == Opcode::Phi {
                copy_phi(func, &copy, inst)
            } else {
                func.copy_inst(inst, |v| copy.value(v))
            };
            func.append_inst(copy.blocks[&block], new);
            patches.extend(func.operands(new).enumerate().map(|(index, v)| (new, index, v)));
            copy.values.extend(func.results(inst).zip(func.results(new)));
        }
        redirect_and_enter(func, &copy, block);
    }
    // Operands that were copied before their definition.
    for (inst, index, value) in patches {
        if let Some(&new) = copy.values.get(&value) {
            func.set_operand(inst, index, new);
        }
    }
    for &block in blocks {
        copy_block_records(func, &copy, block);
    }
    // So do the entries of phis outside, which have been added before all values were copied.
    for &block in blocks {
        let new = copy.blocks[&block];
        for target in func.targets(new) {
            func.for_each_phi(target, |func, phi| {
                let index = func.phi_index(phi, new).expect("one entry per predecessor");
                if let Some(&value) = copy.values.get(&func.operand(phi, index)) {
                    func.set_operand(phi, index, value);
                }
            });
        }
    }
    copy
}

/// Runs one iteration of a loop in front of it: a copy of its blocks that is entered from
/// `entry`, and whose latch goes on to the loop. The copy's latch is the loop's new entry.
pub fn peel(func: &mut Function, blocks: &[Block], header: Block, entry: Block, latch: Block) -> RegionCopy {
    let copy = copy_region(func, blocks, entry);
    let (copied_header, copied_latch) = (copy.blocks[&header], copy.blocks[&latch]);
    func.for_each_phi(header, |func, phi| {
        let index = func.phi_index(phi, entry).expect("one entry per predecessor");
        let copied = func.def_inst(copy.value(func.first_result(phi))).expect("a phi");
        set_only_entry(func, copied, func.operand(phi, index), entry);
        let next = func.phi_value(phi, latch).expect("one entry per predecessor");
        func.set_operand(phi, index, copy.value(next));
        func.set_phi_block(phi, index, copied_latch);
    });
    for (from, old, new) in [(entry, header, copied_header), (copied_latch, copied_header, header)] {
        let terminator = func.terminator(from);
        func.map_targets(terminator, |t| if t == old { new } else { t });
    }
    copy
}

/// Leaves a phi one entry, of this value.
pub fn set_only_entry(func: &mut Function, phi: Inst, value: Value, pred: Block) {
    while func.num_operands(phi) > 1 {
        func.phi_swap_remove(phi, 0);
    }
    func.set_operand(phi, 0, value);
    func.set_phi_block(phi, 0, pred);
}

fn copy_block_records(func: &mut Function, copy: &RegionCopy, block: Block) {
    if func.has_debug_values() {
        let pairs: Vec<(Inst, Inst)> = func.block_insts(block).zip(func.block_insts(copy.blocks[&block])).collect();
        pairs.into_iter().for_each(|(from, to)| func.copy_debug_values(from, to, |v| copy.value(v)));
    }
}

fn copy_phi(func: &mut Function, copy: &RegionCopy, phi: Inst) -> Inst {
    let entries: Vec<(Value, Block)> = func.phi_entries(phi).collect();
    let values: Vec<Value> = entries.iter().map(|e| copy.value(e.0)).collect();
    let preds: Vec<Block> = entries.iter().map(|e| copy.blocks.get(&e.1).copied().unwrap_or(e.1)).collect();
    let ty: Type = func.insts[phi].ty;
    let loc = func.inst_locs[phi];
    func.make_phi(ty, &values, &preds, loc)
}

fn redirect_and_enter(func: &mut Function, copy: &RegionCopy, block: Block) {
    let new = copy.blocks[&block];
    let terminator = func.terminator(new);
    func.map_targets(terminator, |t| copy.blocks.get(&t).copied().unwrap_or(t));
    for target in func.targets(new) {
        if !copy.blocks.values().any(|&b| b == target) {
            func.add_pred(target, block, new, |_, value| copy.value(value));
        }
    }
}

/// Says that the values of the region that are used outside it are defined by its copies, too.
pub fn merge_copies(func: &mut Function, blocks: &[Block], copies: &[RegionCopy], redefined: &mut Redefinitions) {
    let mut inside: FxHashSet<Block> = blocks.iter().copied().collect();
    func.redefine_debug_values(blocks.iter().copied());
    copies.iter().for_each(|c| inside.extend(c.blocks.values().copied()));
    redefined.begin(inside);
    for &block in blocks {
        let insts: Vec<Inst> = func.block_insts(block).collect();
        for inst in insts {
            let results: Vec<Value> = func.results(inst).collect();
            for value in results {
                let copied = copies.iter().map(|copy| (copy.blocks[&block], copy.value(value)));
                redefined.add(func, value, [(block, value)].into_iter().chain(copied));
            }
        }
    }
}
