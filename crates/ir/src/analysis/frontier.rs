//! Where a variable with several definitions needs phis: the iterated dominance frontier of the
//! definitions, pruned to the blocks where the variable is live at entry.
//!
//! The frontier is found by Sreedhar and Gao's algorithm ("A Linear Time Algorithm for Placing
//! phi-Nodes", 1995) with a queue keyed by dominator-tree level, deepest first: from each root its
//! dominator subtree is searched for edges that leave to a block of at most the root's level. No
//! frontier sets are stored, which would be quadratic on ladders of loops. Only blocks where the
//! variable is live at entry are searched: on the way from a definition to a merge that needs its
//! value it is live, and every block between them in the dominator tree lies on that way. So the
//! cost is the variable's live range, not what its definitions dominate.

use std::collections::BinaryHeap;

use super::{Cfg, DominatorTree};
use crate::{Block, Function, side_table};
use cranelift_entity::SecondaryMap;

/// The search of one variable at a time, with marks shared by all searches of a function: a mark is
/// current if it equals the running number of the search.
pub struct Frontier {
    search: u32,
    defining: Vec<Block>,
    defines: SecondaryMap<Block, u32>,
    live_in: SecondaryMap<Block, u32>,
    visited: SecondaryMap<Block, u32>,
    placed: SecondaryMap<Block, u32>,
}

impl Frontier {
    /// Empty marks.
    pub fn new(func: &Function) -> Frontier {
        let map = || side_table(func.num_blocks());
        Frontier { search: 0, defining: Vec::new(), defines: map(), live_in: map(), visited: map(), placed: map() }
    }

    /// Begins with another variable, which these blocks define; unreachable ones do not count.
    pub fn begin(&mut self, cfg: &Cfg, definitions: impl IntoIterator<Item = Block>) {
        self.search += 1;
        self.defining.clear();
        for block in definitions {
            if self.defines[block] != self.search && cfg.is_reachable(block) {
                self.defines[block] = self.search;
                self.defining.push(block);
            }
        }
    }

    /// Whether a block has a definition.
    pub fn defines(&self, block: Block) -> bool {
        self.defines[block] == self.search
    }

    /// Whether the value that the variable has at the start of the block is known to be read.
    pub fn is_live_in(&self, block: Block) -> bool {
        self.live_in[block] == self.search
    }

    /// The value that the variable has at the start of a block is read: in the block or after it.
    pub fn read(&mut self, cfg: &Cfg, block: Block) {
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            if !self.is_live_in(block) {
                self.live_in[block] = self.search;
                work.extend(cfg.preds(block).iter().filter(|&&p| !self.defines(p) && !self.is_live_in(p)));
            }
        }
    }

    /// The blocks that need a phi for what is read, or where different definitions meet at all
    /// (not `pruned`); dominators first.
    pub fn phi_blocks(&mut self, cfg: &Cfg, dominators: &DominatorTree, pruned: bool) -> Vec<Block> {
        let key = |block: Block| (dominators.level(block), dominators.preorder_number(block));
        let mut queue: BinaryHeap<((u32, u32), Block)> = self.defining.iter().map(|&b| (key(b), b)).collect();
        let mut phis = Vec::new();
        let mut work = Vec::new();
        while let Some(((root_level, _), root)) = queue.pop() {
            work.push(root);
            self.visited[root] = self.search;
            while let Some(block) = work.pop() {
                for &succ in cfg.succs(block) {
                    let is_tree_edge = dominators.idom(succ) == Some(block);
                    if is_tree_edge || dominators.level(succ) > root_level || self.placed[succ] == self.search {
                        continue;
                    }
                    if pruned && !self.is_live_in(succ) {
                        continue;
                    }
                    self.placed[succ] = self.search;
                    phis.push(succ);
                    if !self.defines(succ) {
                        queue.push((key(succ), succ));
                    }
                }
                for child in dominators.children(block) {
                    if self.visited[child] != self.search && (!pruned || self.is_live_in(child)) {
                        self.visited[child] = self.search;
                        work.push(child);
                    }
                }
            }
        }
        phis.sort_by_key(|&b| dominators.preorder_number(b));
        phis
    }
}
