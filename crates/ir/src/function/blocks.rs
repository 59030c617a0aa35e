//! The layout of blocks, and their ends.

use cranelift_entity::packed_option::PackedOption;

use super::{BlockNode, Function};
use crate::instructions::Opcode;
use crate::{AsmId, Block, Inst, SwitchId, TargetsId};

impl Function {
    /// Makes a block, not yet in the layout.
    pub fn make_block(&mut self) -> Block {
        self.block_nodes.push(BlockNode::default())
    }

    /// Puts a block at the end of the layout. The first one is the entry.
    pub fn append_block(&mut self, block: Block) {
        let last = self.last_block;
        let node = &mut self.block_nodes[block];
        debug_assert!(!node.in_layout);
        node.prev = last;
        node.next = None.into();
        node.in_layout = true;
        match last.expand() {
            Some(last) => self.block_nodes[last].next = block.into(),
            None => self.first_block = block.into(),
        }
        self.last_block = block.into();
    }

    /// Puts a block into the layout right after another.
    pub fn insert_block_after(&mut self, after: Block, block: Block) {
        let next = self.block_nodes[after].next;
        let node = &mut self.block_nodes[block];
        debug_assert!(!node.in_layout);
        node.prev = after.into();
        node.next = next;
        node.in_layout = true;
        self.block_nodes[after].next = block.into();
        match next.expand() {
            Some(next) => self.block_nodes[next].prev = block.into(),
            None => self.last_block = block.into(),
        }
    }

    /// Takes a block out of the layout; its instructions stay in it.
    pub fn unplace_block(&mut self, block: Block) {
        let node = self.block_nodes[block];
        debug_assert!(node.in_layout);
        match node.prev.expand() {
            Some(prev) => self.block_nodes[prev].next = node.next,
            None => self.first_block = node.next,
        }
        match node.next.expand() {
            Some(next) => self.block_nodes[next].prev = node.prev,
            None => self.last_block = node.prev,
        }
        let node = &mut self.block_nodes[block];
        node.prev = None.into();
        node.next = None.into();
        node.in_layout = false;
    }

    /// Removes a block with all its instructions. Nothing may refer to it or to their results.
    pub fn remove_block(&mut self, block: Block) {
        while let Some(inst) = self.block_nodes[block].last.expand() {
            self.remove_inst(inst);
        }
        if self.block_nodes[block].in_layout {
            self.unplace_block(block);
        }
        if self.debug.is_some() {
            self.drop_debug_values(block);
        }
    }

    /// Moves `first` and everything after it in its block to the end of `to`, with the records of
    /// variables.
    pub fn split_insts(&mut self, first: Inst, to: Block) {
        let mut next = Some(first);
        while let Some(inst) = next {
            next = self.next_inst(inst);
            let records = self.take_debug_values(inst);
            self.unplace_inst(inst);
            self.append_inst(to, inst);
            self.put_debug_values(inst, records);
        }
    }

    /// Moves `first` and everything after it in its block to a new block after it, which takes over
    /// the successors. The block is left without a terminator.
    pub fn split_block(&mut self, first: Inst) -> Block {
        let block = self.inst_block(first).expect("the instruction is in a block");
        let rest = self.make_block();
        self.insert_block_after(block, rest);
        self.split_insts(first, rest);
        self.replace_pred_in_targets(block, rest);
        rest
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.first_block.expand().expect("function has a block")
    }

    /// The blocks in layout order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first_block.expand(), |&b| self.block_nodes[b].next.expand())
    }

    /// Whether the block is in the layout.
    pub fn block_in_layout(&self, block: Block) -> bool {
        self.block_nodes[block].in_layout
    }

    /// The block after this one in the layout.
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.block_nodes[block].next.expand()
    }

    /// The block before this one in the layout.
    pub fn prev_block(&self, block: Block) -> Option<Block> {
        self.block_nodes[block].prev.expand()
    }

    /// The instructions of a block, in order.
    pub fn block_insts(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.block_nodes[block].first.expand(), |&i| self.inst_nodes[i].next.expand())
    }

    /// The instructions of all blocks, in layout order.
    pub fn all_insts(&self) -> impl Iterator<Item = Inst> + '_ {
        let (mut block, mut next) = (self.first_block, PackedOption::<Inst>::default());
        std::iter::from_fn(move || {
            while next.is_none() {
                let node = &self.block_nodes[block.expand()?];
                (next, block) = (node.first, node.next);
            }
            let inst = next.expand()?;
            next = self.inst_nodes[inst].next;
            Some(inst)
        })
    }

    /// The instructions of all blocks with the opcodes wanted, in the order of the layout.
    pub fn insts_with(&self, wanted: impl Fn(Opcode) -> bool) -> Vec<Inst> {
        let mut found = Vec::new();
        for block in self.blocks() {
            let mut next = self.block_nodes[block].first.expand();
            while let Some(inst) = next {
                if wanted(self.insts[inst].opcode) {
                    found.push(inst);
                }
                next = self.inst_nodes[inst].next.expand();
            }
        }
        found
    }

    /// The instructions of a block, last first.
    pub fn block_insts_rev(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.block_nodes[block].last.expand(), |&i| self.inst_nodes[i].prev.expand())
    }

    /// The first instruction of a block.
    pub fn first_inst(&self, block: Block) -> Option<Inst> {
        self.block_nodes[block].first.expand()
    }

    /// The last instruction of a block, its terminator once it is complete.
    pub fn last_inst(&self, block: Block) -> Option<Inst> {
        self.block_nodes[block].last.expand()
    }

    /// The terminator of a complete block.
    pub fn terminator(&self, block: Block) -> Inst {
        self.last_inst(block)
            .filter(|&i| self.insts[i].opcode.is_terminator())
            .unwrap_or_else(|| panic!("{block} has no terminator"))
    }

    /// The phis of a block.
    pub fn phis(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        self.block_insts(block).take_while(|&i| self.insts[i].opcode == Opcode::Phi)
    }

    /// The first instruction that is not a phi.
    pub fn first_non_phi(&self, block: Block) -> Option<Inst> {
        self.block_insts(block).find(|&i| self.insts[i].opcode != Opcode::Phi)
    }

    /// Calls `visit` with every target of a terminator, in order; a target that occurs twice is
    /// visited twice.
    pub fn for_each_target(&self, terminator: Inst, mut visit: impl FnMut(Block)) {
        let data = &self.insts[terminator];
        match data.opcode {
            Opcode::Br => visit(Block::from_u32(data.c)),
            Opcode::CondBr => {
                visit(Block::from_u32(data.b));
                visit(Block::from_u32(data.c));
            }
            Opcode::Switch => {
                let switch = &self.switches[SwitchId::from_u32(data.c)];
                switch.cases.iter().for_each(|&(_, b)| visit(b));
                visit(switch.default);
            }
            Opcode::IndirectBr => self.targets[TargetsId::from_u32(data.c)].iter().for_each(|&b| visit(b)),
            Opcode::AsmBr => {
                let asm = &self.asms[AsmId::from_u32(data.c)];
                asm.fallthrough.into_iter().for_each(&mut visit);
                asm.labels.iter().for_each(|&b| visit(b));
            }
            _ => {}
        }
    }

    /// Replaces every target `t` of a terminator by `map(t)`. Phis are the caller's business.
    pub fn map_targets(&mut self, terminator: Inst, mut map: impl FnMut(Block) -> Block) {
        let data = &mut self.insts.0[terminator];
        match data.opcode {
            Opcode::Br => data.c = map(Block::from_u32(data.c)).as_u32(),
            Opcode::CondBr => {
                data.b = map(Block::from_u32(data.b)).as_u32();
                data.c = map(Block::from_u32(data.c)).as_u32();
            }
            Opcode::Switch => {
                let switch = &mut self.switches[SwitchId::from_u32(data.c)];
                switch.cases.iter_mut().for_each(|(_, b)| *b = map(*b));
                switch.default = map(switch.default);
            }
            Opcode::IndirectBr => {
                self.targets[TargetsId::from_u32(data.c)].iter_mut().for_each(|b| *b = map(*b));
            }
            Opcode::AsmBr => {
                let asm = &mut self.asms[AsmId::from_u32(data.c)];
                asm.fallthrough.iter_mut().for_each(|b| *b = map(*b));
                asm.labels.iter_mut().for_each(|b| *b = map(*b));
            }
            _ => {}
        }
    }
}
