//! Instructions made, placed and removed.

use base::Loc;

use super::{Function, InstNode, ValueData};
use crate::instructions::{InstData, Opcode};
use crate::{Block, Inst, Type};

impl Function {
    /// Makes an instruction with one result of `data.ty` (none if void), not yet placed.
    pub(crate) fn make_inst(&mut self, data: InstData, loc: Loc) -> Inst {
        self.push_with_result(data, loc, InstNode::default())
    }

    /// The same, placed at the end of a block.
    pub(crate) fn make_appended(&mut self, block: Block, data: InstData, loc: Loc) -> Inst {
        let last = self.block_nodes[block].last;
        let node = InstNode { prev: last, next: None.into(), block: block.into() };
        let inst = self.push_with_result(data, loc, node);
        if self.debug.is_some() {
            self.claim_debug_values(block, inst);
        }
        match last.expand() {
            Some(last) => self.inst_nodes[last].next = inst.into(),
            None => self.block_nodes[block].first = inst.into(),
        }
        self.block_nodes[block].last = inst.into();
        inst
    }

    /// An instruction with its result, if it has one, at `node`.
    fn push_with_result(&mut self, data: InstData, loc: Loc, node: InstNode) -> Inst {
        let inst = self.insts.0.next_key();
        let result = if data.ty.is_void() {
            (None.into(), 0)
        } else {
            (self.values.push(ValueData { ty: data.ty, tag: 0, payload: inst.as_u32() }).into(), 1)
        };
        self.inst_locs.push(loc);
        self.results.push(result);
        self.inst_nodes.push(node);
        self.insts.0.push(data);
        if self.uses.valid {
            self.link_operands(inst);
        }
        inst
    }

    /// Makes an instruction with several results, not yet placed. `data.ty` must be the first
    /// result's type, or void.
    pub(crate) fn make_inst_multi(&mut self, data: InstData, result_types: &[Type], loc: Loc) -> Inst {
        debug_assert!(data.ty == result_types.first().copied().unwrap_or(Type::VOID));
        let inst = self.push_inst(data, loc);
        self.attach_results(inst, result_types);
        if self.uses.valid {
            self.link_operands(inst);
        }
        inst
    }

    /// A record in each of the tables that have one for every instruction.
    fn push_inst(&mut self, data: InstData, loc: Loc) -> Inst {
        self.inst_locs.push(loc);
        self.results.push((None.into(), 0));
        self.inst_nodes.push(InstNode::default());
        self.insts.0.push(data)
    }

    fn attach_results(&mut self, inst: Inst, types: &[Type]) {
        for (number, &ty) in types.iter().enumerate() {
            let value = self.values.push(ValueData { ty, tag: number as u16, payload: inst.as_u32() });
            if number == 0 {
                self.results[inst] = (value.into(), types.len() as u16);
            }
        }
    }

    /// Turns `inst` into another operation in place; its results stay and must have the types the
    /// new operation gives.
    pub(crate) fn replace_inst(&mut self, inst: Inst, data: InstData) {
        if self.uses.valid {
            self.unlink_operands(inst);
        }
        self.insts.0[inst] = data;
        if self.uses.valid {
            self.link_operands(inst);
        }
    }

    /// Places an instruction at the end of a block.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        if self.debug.is_some() {
            self.claim_debug_values(block, inst);
        }
        let last = self.block_nodes[block].last;
        self.inst_nodes[inst] = InstNode { prev: last, next: None.into(), block: block.into() };
        match last.expand() {
            Some(last) => self.inst_nodes[last].next = inst.into(),
            None => self.block_nodes[block].first = inst.into(),
        }
        self.block_nodes[block].last = inst.into();
    }

    /// Places an instruction before another placed one.
    pub fn insert_before(&mut self, before: Inst, inst: Inst) {
        let node = self.inst_nodes[before];
        let block = node.block.expect("insertion point is placed");
        self.inst_nodes[inst] = InstNode { prev: node.prev, next: before.into(), block: block.into() };
        self.inst_nodes[before].prev = inst.into();
        match node.prev.expand() {
            Some(prev) => self.inst_nodes[prev].next = inst.into(),
            None => self.block_nodes[block].first = inst.into(),
        }
    }

    /// Places an instruction after another placed one.
    pub fn insert_after(&mut self, after: Inst, inst: Inst) {
        match self.inst_nodes[after].next.expand() {
            Some(next) => self.insert_before(next, inst),
            None => self.append_inst(self.inst_nodes[after].block.expect("insertion point is placed"), inst),
        }
    }

    /// Places an instruction at the start of a block (before its phis).
    pub fn prepend_inst(&mut self, block: Block, inst: Inst) {
        match self.block_nodes[block].first.expand() {
            Some(first) => self.insert_before(first, inst),
            None => self.append_inst(block, inst),
        }
    }

    /// Moves an instruction up to where it runs whether its statement does or not: no breakpoint of
    /// that statement stops there (LLVM's rule for hoisted instructions), so it has no position
    /// any more.
    pub fn hoist_inst(&mut self, before: Inst, inst: Inst) {
        self.unplace_inst(inst);
        self.insert_before(before, inst);
        self.inst_locs[inst] = Loc::NONE;
    }

    /// Takes an instruction out of its block; it may be placed again.
    pub fn unplace_inst(&mut self, inst: Inst) {
        if self.debug.is_some() {
            self.leave_debug_values(inst);
        }
        let node = std::mem::take(&mut self.inst_nodes[inst]);
        let block = node.block.expect("instruction is placed");
        match node.prev.expand() {
            Some(prev) => self.inst_nodes[prev].next = node.next,
            None => self.block_nodes[block].first = node.next,
        }
        match node.next.expand() {
            Some(next) => self.inst_nodes[next].prev = node.prev,
            None => self.block_nodes[block].last = node.prev,
        }
    }

    /// Removes an instruction for good: out of its block and out of its operands' chains. Its
    /// results must be unused.
    pub fn remove_inst(&mut self, inst: Inst) {
        if self.debug.is_some() {
            self.salvage_debug_values(inst);
        }
        if self.inst_nodes[inst].block.is_some() {
            self.unplace_inst(inst);
        }
        if self.uses.valid {
            self.unlink_operands(inst);
        }
        self.removed += 1;
        self.insts.0[inst] = InstData { opcode: Opcode::Unreachable, flags: 0, ty: Type::VOID, a: 0, b: 0, c: 0 };
    }

    /// The block an instruction is placed in.
    pub fn inst_block(&self, inst: Inst) -> Option<Block> {
        self.inst_nodes[inst].block.expand()
    }

    /// The instruction after this one in its block.
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self.inst_nodes[inst].next.expand()
    }

    /// The instruction before this one in its block.
    pub fn prev_inst(&self, inst: Inst) -> Option<Inst> {
        self.inst_nodes[inst].prev.expand()
    }
}
