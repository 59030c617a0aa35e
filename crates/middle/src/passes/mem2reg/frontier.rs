//! Where an alloca needs phis: the iterated dominance frontier of its stores, pruned to the blocks
//! where it is live at entry.
//!
//! The frontier is found by Sreedhar and Gao's algorithm ("A Linear Time Algorithm for Placing
//! phi-Nodes", 1995) with a queue keyed by dominator-tree level, deepest first: from each root its
//! dominator subtree is searched for edges that leave to a block of at most the root's level. No
//! frontier sets are stored, which would be quadratic on ladders of loops. Only blocks where the
//! variable is live at entry are searched: on the way from a definition to a merge that needs its
//! value it is live, and every block between them in the dominator tree lies on that way. So the
//! cost is the variable's live range, not what its definitions dominate.

use std::collections::BinaryHeap;

use cranelift_entity::SecondaryMap;
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Function, Opcode, side_table};

use super::accesses::AllocaAccesses;

/// Marks shared by the searches of one function: a mark is current if it equals the running number
/// of the search.
pub struct Frontier {
    round: u32,
    defines: SecondaryMap<Block, u32>,
    live_in: SecondaryMap<Block, u32>,
    visited: SecondaryMap<Block, u32>,
    placed: SecondaryMap<Block, u32>,
}

impl Frontier {
    /// Empty marks.
    pub fn new(func: &Function) -> Frontier {
        let map = || side_table(func.num_blocks());
        Frontier { round: 0, defines: map(), live_in: map(), visited: map(), placed: map() }
    }

    /// The blocks that need a phi for the alloca, dominators first.
    pub fn phi_blocks(
        &mut self,
        func: &Function,
        cfg: &Cfg,
        dominators: &DominatorTree,
        accesses: &AllocaAccesses,
    ) -> Vec<Block> {
        self.round += 1;
        let defining = self.defining_blocks(func, cfg, accesses);
        self.mark_live_in(func, cfg, accesses);
        self.iterated_frontier(cfg, dominators, &defining, true)
    }

    /// The blocks where different definitions meet, read or not, dominators first.
    pub fn merge_blocks(
        &mut self,
        func: &Function,
        cfg: &Cfg,
        dominators: &DominatorTree,
        accesses: &AllocaAccesses,
    ) -> Vec<Block> {
        self.round += 1;
        let defining = self.defining_blocks(func, cfg, accesses);
        self.iterated_frontier(cfg, dominators, &defining, false)
    }

    /// Blocks with a store or a lifetime start (which begins an undef).
    fn defining_blocks(&mut self, func: &Function, cfg: &Cfg, accesses: &AllocaAccesses) -> Vec<Block> {
        let starts = accesses.markers.iter().filter(|&&m| func.insts[m].opcode == Opcode::LifetimeStart);
        let mut blocks = Vec::new();
        for &inst in accesses.stores.iter().chain(starts) {
            let block = func.inst_block(inst).expect("placed");
            if self.defines[block] != self.round && cfg.is_reachable(block) {
                self.defines[block] = self.round;
                blocks.push(block);
            }
        }
        blocks
    }

    /// Marks the blocks at whose entry the value may still be read.
    fn mark_live_in(&mut self, func: &Function, cfg: &Cfg, accesses: &AllocaAccesses) {
        let address = func.first_result(accesses.alloca);
        let mut work = Vec::new();
        for &load in &accesses.loads {
            let block = func.inst_block(load).expect("placed");
            if self.live_in[block] != self.round
                && (self.defines[block] != self.round || reads_before_definition(func, block, address))
            {
                self.live_in[block] = self.round;
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            for &pred in cfg.preds(block) {
                if self.defines[pred] != self.round && self.live_in[pred] != self.round {
                    self.live_in[pred] = self.round;
                    work.push(pred);
                }
            }
        }
    }

    fn iterated_frontier(
        &mut self,
        cfg: &Cfg,
        dominators: &DominatorTree,
        defining: &[Block],
        pruned: bool,
    ) -> Vec<Block> {
        let key = |block: Block| (dominators.level(block), dominators.preorder_number(block));
        let mut queue: BinaryHeap<((u32, u32), Block)> = defining.iter().map(|&b| (key(b), b)).collect();
        let mut phis = Vec::new();
        let mut work = Vec::new();
        while let Some(((root_level, _), root)) = queue.pop() {
            work.push(root);
            self.visited[root] = self.round;
            while let Some(block) = work.pop() {
                for &succ in cfg.succs(block) {
                    let is_tree_edge = dominators.idom(succ) == Some(block);
                    if is_tree_edge || dominators.level(succ) > root_level || self.placed[succ] == self.round {
                        continue;
                    }
                    if pruned && self.live_in[succ] != self.round {
                        continue;
                    }
                    self.placed[succ] = self.round;
                    phis.push(succ);
                    if self.defines[succ] != self.round {
                        queue.push((key(succ), succ));
                    }
                }
                for child in dominators.children(block) {
                    if self.visited[child] != self.round && (!pruned || self.live_in[child] == self.round) {
                        self.visited[child] = self.round;
                        work.push(child);
                    }
                }
            }
        }
        phis.sort_by_key(|&b| dominators.preorder_number(b));
        phis
    }
}

/// Whether the first access of `address` in the block, of those that read or define it, reads.
fn reads_before_definition(func: &Function, block: Block, address: ir::Value) -> bool {
    for inst in func.block_insts(block) {
        let data = func.insts[inst];
        let touches = matches!(data.opcode, Opcode::Load | Opcode::Store | Opcode::LifetimeStart)
            && func.operand(inst, 0) == address;
        if touches {
            return data.opcode == Opcode::Load;
        }
    }
    false
}
