//! What passes that copy code need: copies of instructions, and SSA form for values that now have
//! several definitions.

use ir::analysis::DominatorTree;
use ir::{AliasTags, Block, Builder, Function, Inst, IntCc, Opcode, Position, Type, Value};
use smallvec::SmallVec;

/// A copy of an instruction with mapped operands, not yet placed. Phis, inline assembly and
/// computed gotos are not copied.
pub fn copy_inst(func: &mut Function, inst: Inst, map: impl Fn(Value) -> Value) -> Inst {
    func.copy_inst(inst, map)
}

/// Gives `value` several definitions, one at the end of each block named (itself in its own). Uses
/// in blocks that are not `inside` read a temporary alloca that all definitions store to; the
/// caller runs mem2reg when all values are done. A phi entry is used in the block it comes from.
pub fn merge_definitions(
    func: &mut Function,
    value: Value,
    definitions: impl IntoIterator<Item = (Block, Value)>,
    inside: impl Fn(Block) -> bool,
) {
    let outside = |&(user, index): &(Inst, usize)| {
        let block = match func.insts[user].opcode {
            Opcode::Phi => Some(func.phi_block(user, index)),
            _ => func.inst_block(user),
        };
        block.is_some_and(|block| !inside(block))
    };
    let uses: Vec<(Inst, usize)> = func.uses(value).filter(outside).collect();
    if !uses.is_empty() {
        let slot = Slot::new(func, func.value_type(value));
        definitions.into_iter().for_each(|(block, definition)| slot.store_at_end(func, block, definition));
        uses.into_iter().for_each(|(user, index)| slot.replace_use(func, user, index));
    }
}

/// A temporary alloca that carries a value between blocks until mem2reg makes phis of it.
struct Slot {
    address: Value,
    ty: Type,
    memory_type: Type,
}

impl Slot {
    /// A slot for values of a type, at the start of the entry block.
    fn new(func: &mut Function, ty: Type) -> Slot {
        // i1 has no memory form.
        let memory_type = if ty == Type::I1 { Type::I8 } else { ty };
        let first = func.first_inst(func.entry()).expect("entry block is complete");
        let address =
            Builder::new(func, Position::Before(first)).alloca(memory_type.alloc_size() as u64, memory_type.align());
        Slot { address, ty, memory_type }
    }

    /// Stores a definition before the terminator of a block.
    fn store_at_end(&self, func: &mut Function, block: Block, value: Value) {
        let end = func.terminator(block);
        let mut b = Builder::before(func, end);
        let stored = if self.ty == Type::I1 { b.unary(Opcode::ZExt, self.memory_type, value) } else { value };
        b.store(stored, self.address, self.memory_type.align(), AliasTags::any(), 0);
    }

    /// Makes a use read the slot: before the user, or at the end of the block that a phi entry
    /// comes from.
    fn replace_use(&self, func: &mut Function, user: Inst, index: usize) {
        let at = match func.insts[user].opcode {
            Opcode::Phi => func.terminator(func.phi_block(user, index)),
            _ => user,
        };
        let mut b = Builder::before(func, at);
        let mut loaded = b.load(self.memory_type, self.address, self.memory_type.align(), AliasTags::any(), 0);
        if self.ty == Type::I1 {
            let zero = b.iconst(self.memory_type, 0);
            loaded = b.icmp(IntCc::Ne, loaded, zero);
        }
        func.set_operand(user, index, loaded);
    }
}

/// Puts another value in the place of one in uses that `block` dominates, out of the first `limit`
/// uses. Returns how many that were.
pub fn replace_dominated_uses(
    func: &mut Function,
    dominators: &DominatorTree,
    block: Block,
    (old, new): (Value, Value),
    limit: usize,
) -> u64 {
    let is_below = |&(user, index): &(Inst, usize)| {
        let at = match func.insts[user].opcode {
            Opcode::Phi => Some(func.phi_block(user, index)),
            _ => func.inst_block(user),
        };
        at.is_some_and(|at| dominators.dominates(block, at))
    };
    let uses: SmallVec<[(Inst, usize); 8]> = func.uses(old).take(limit).filter(is_below).collect();
    uses.iter().for_each(|&(user, index)| func.set_operand(user, index, new));
    uses.len() as u64
}
