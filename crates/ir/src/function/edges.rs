//! What changes of the graph mean for phis: an edge that comes from another block now, one that is
//! gone, one that is new. A phi has one entry per predecessor.

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

use super::Function;
use crate::{Block, Builder, Inst, Opcode, Position, Value};

impl Function {
    /// The distinct targets of a block's terminator, in its order.
    pub fn targets(&self, block: Block) -> SmallVec<[Block; 4]> {
        let mut out = SmallVec::new();
        self.for_each_target(self.terminator(block), |target| {
            if !out.contains(&target) {
                out.push(target);
            }
        });
        out
    }

    /// How many edges run into each block; blocks whose address is taken have two more.
    pub fn edge_counts(&self) -> SecondaryMap<Block, u32> {
        let mut counts: SecondaryMap<Block, u32> = crate::side_table(self.num_blocks());
        for block in self.blocks() {
            self.for_each_target(self.terminator(block), |target| counts[target] += 1);
        }
        self.labels.iter().for_each(|&block| counts[block] += 2);
        counts
    }

    /// The index of a phi's entry for a predecessor, if it has one.
    pub fn phi_index(&self, phi: Inst, pred: Block) -> Option<usize> {
        self.phi_index_near(phi, pred, 0)
    }

    /// The same. The phis of a block mostly have their entries in one order, and often in that of
    /// the predecessors: `guess` is where it was in another one, or the predecessor before.
    pub fn phi_index_near(&self, phi: Inst, pred: Block, guess: usize) -> Option<usize> {
        let data = self.insts[phi];
        let blocks = &self.block_pool[data.c as usize..(data.c + data.b) as usize];
        let near = [guess, guess.wrapping_add(1), guess.wrapping_sub(1)];
        let near = near.into_iter().find(|&index| blocks.get(index) == Some(&pred));
        near.or_else(|| blocks.iter().position(|&block| block == pred))
    }

    /// The incoming value of a phi from `pred`, if there is an entry, looked for at `near` first,
    /// which becomes its index.
    pub fn phi_value_near(&self, phi: Inst, pred: Block, near: &mut usize) -> Option<Value> {
        *near = self.phi_index_near(phi, pred, *near)?;
        Some(self.operand(phi, *near))
    }

    /// Removes the entry of a phi for a predecessor, which must have one; gives its value.
    pub fn take_phi_entry(&mut self, phi: Inst, pred: Block) -> Value {
        let index = self.phi_index(phi, pred).expect("one entry per predecessor");
        let value = self.operand(phi, index);
        self.phi_swap_remove(phi, index);
        value
    }

    /// Calls `change` for each phi of a block. It may change the phi and remove it, but no other.
    pub fn for_each_phi(&mut self, block: Block, mut change: impl FnMut(&mut Function, Inst)) {
        let mut next = self.first_inst(block);
        while let Some(phi) = next.filter(|&inst| self.insts[inst].opcode == Opcode::Phi) {
            next = self.next_inst(phi);
            change(self, phi);
        }
    }

    /// The edge from `from` to `block` comes from `to` now.
    pub fn replace_pred(&mut self, block: Block, from: Block, to: Block) {
        self.for_each_phi(block, |func, phi| {
            if let Some(index) = func.phi_index(phi, from) {
                func.set_phi_block(phi, index, to);
            }
        });
    }

    /// The terminator of `to` was that of `from`: its edges come from another block now.
    pub fn replace_pred_in_targets(&mut self, from: Block, to: Block) {
        self.targets(to).into_iter().for_each(|target| self.replace_pred(target, from, to));
    }

    /// The edge from `pred` to `block` is gone. Phis stay, with an entry less.
    pub fn drop_pred(&mut self, block: Block, pred: Block) {
        self.for_each_phi(block, |func, phi| {
            if let Some(index) = func.phi_index(phi, pred) {
                func.phi_swap_remove(phi, index);
            }
        });
    }

    /// The edges from some blocks to `block` are gone. Phis stay, with fewer entries.
    pub fn drop_preds(&mut self, block: Block, is_gone: impl Fn(Block) -> bool) {
        self.for_each_phi(block, |func, phi| {
            // From the end: what takes the place of a removed entry has been looked at.
            for index in (0..func.num_operands(phi)).rev() {
                if is_gone(func.phi_block(phi, index)) {
                    func.phi_swap_remove(phi, index);
                }
            }
        });
    }

    /// `pred` goes to `block`, too, as `like` does: with the values that `map` makes of those.
    pub fn add_pred(
        &mut self,
        block: Block,
        like: Block,
        pred: Block,
        mut map: impl FnMut(&mut Function, Value) -> Value,
    ) {
        self.for_each_phi(block, |func, phi| {
            let value = func.phi_value(phi, like).expect("one entry per predecessor");
            let value = map(func, value);
            func.phi_push(phi, value, pred);
        });
    }

    /// Another terminator in the place of a block's, at its location. Phis of the targets are the
    /// caller's business.
    pub fn replace_terminator(&mut self, block: Block, make: impl FnOnce(&mut Builder<'_>) -> Inst) {
        let old = self.terminator(block);
        let loc = self.inst_locs[old];
        self.remove_inst(old);
        let mut builder = Builder::new(self, Position::End(block));
        builder.loc = loc;
        make(&mut builder);
    }

    /// Puts its value in the place of a phi with one entry, unless it is its own.
    pub fn replace_if_single(&mut self, phi: Inst) {
        if self.num_operands(phi) == 1 && self.operand(phi, 0) != self.first_result(phi) {
            self.replace_result(phi, self.operand(phi, 0));
        }
    }

    /// Puts a value in the place of the instruction's only result, and removes the instruction.
    pub fn replace_result(&mut self, inst: Inst, value: Value) {
        self.replace_all_uses(self.first_result(inst), value);
        self.remove_inst(inst);
    }
}
