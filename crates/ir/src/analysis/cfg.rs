//! The control-flow graph: predecessors, successors and a reverse postorder, in three flat arrays.
//!
//! A target that a terminator names twice is one edge. Cost: linear in blocks and edges; no
//! recursion.

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::{Block, Function, Opcode};

/// Edges and orders of a function's blocks. Valid until a terminator or the set of blocks changes.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Cfg {
    succ_start: Vec<u32>,
    succs: Vec<Block>,
    pred_start: Vec<u32>,
    preds: Vec<Block>,
    postorder: Vec<Block>,
    rpo_number: SecondaryMap<Block, u32>,
}

/// The reverse-postorder number of unreachable blocks.
const UNREACHABLE: u32 = u32::MAX;

impl Cfg {
    /// Computes the graph.
    pub fn compute(func: &Function) -> Cfg {
        let count = func.num_blocks();
        let mut cfg = Cfg { rpo_number: SecondaryMap::with_default(UNREACHABLE), ..Cfg::default() };
        cfg.rpo_number.resize(count);
        cfg.collect_successors(func, count);
        cfg.collect_predecessors(count);
        cfg.order(func, count);
        cfg
    }

    /// The distinct targets of the block's terminator, in order of first occurrence.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[self.succ_start[block.index()] as usize..self.succ_start[block.index() + 1] as usize]
    }

    /// The distinct blocks that branch here, reachable or not, in order of block number.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[self.pred_start[block.index()] as usize..self.pred_start[block.index() + 1] as usize]
    }

    /// The reachable blocks, each after its successors (back edges aside).
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// The reachable blocks, each before its successors (back edges aside).
    pub fn reverse_postorder(&self) -> impl ExactSizeIterator<Item = Block> + DoubleEndedIterator + '_ {
        self.postorder.iter().rev().copied()
    }

    /// Position in the reverse postorder, or `None` for an unreachable block.
    pub fn rpo_number(&self, block: Block) -> Option<u32> {
        let number = self.rpo_number[block];
        (number != UNREACHABLE).then_some(number)
    }

    /// Whether the entry reaches the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.rpo_number[block] != UNREACHABLE
    }

    /// The unreachable blocks are removed from the function: so are their edges here.
    pub fn remove_unreachable(&mut self) {
        let numbers = &self.rpo_number;
        retain_edges(&mut self.succ_start, &mut self.succs, |block, _| numbers[block] != UNREACHABLE);
        retain_edges(&mut self.pred_start, &mut self.preds, |_, pred| numbers[pred] != UNREACHABLE);
    }

    fn collect_successors(&mut self, func: &Function, count: usize) {
        let mut seen: Vec<u32> = Vec::new();
        self.succ_start.reserve_exact(count + 1);
        self.succs.reserve(count + count / 2);
        for index in 0..count {
            self.succ_start.push(self.succs.len() as u32);
            let block = Block::new(index);
            if !func.block_in_layout(block) {
                continue;
            }
            let Some(last) = func.last_inst(block) else { continue };
            let succs = &mut self.succs;
            // Most blocks have one or two targets.
            match func.insts[last].opcode {
                Opcode::Br => {
                    succs.push(func.insts[last].dest());
                    continue;
                }
                Opcode::CondBr => {
                    let (then, otherwise) = func.insts[last].dests();
                    succs.push(then);
                    if otherwise != then {
                        succs.push(otherwise);
                    }
                    continue;
                }
                Opcode::Ret | Opcode::Unreachable => continue,
                _ => {}
            }
            if seen.is_empty() {
                seen = vec![0; count];
            }
            func.for_each_target(last, |target| {
                let seen = &mut seen[target.index()];
                if *seen != index as u32 + 1 {
                    *seen = index as u32 + 1;
                    succs.push(target);
                }
            });
        }
        self.succ_start.push(self.succs.len() as u32);
    }

    fn collect_predecessors(&mut self, count: usize) {
        let mut start = vec![0u32; count + 1];
        for succ in &self.succs {
            start[succ.index() + 1] += 1;
        }
        for index in 0..count {
            start[index + 1] += start[index];
        }
        let mut next = start.clone();
        self.preds = vec![Block::from_u32(0); self.succs.len()];
        for index in 0..count {
            for at in self.succ_start[index]..self.succ_start[index + 1] {
                let succ = self.succs[at as usize].index();
                self.preds[next[succ] as usize] = Block::new(index);
                next[succ] += 1;
            }
        }
        self.pred_start = start;
    }

    fn order(&mut self, func: &Function, count: usize) {
        let entry = func.entry();
        let mut visited = vec![false; count];
        self.postorder.reserve_exact(count);
        // Blocks under way, each with the range of its edges that are left.
        let edges_of = |starts: &[u32], block: Block| (starts[block.index()], starts[block.index() + 1]);
        let mut stack = Vec::with_capacity(count.min(64));
        stack.push((entry, edges_of(&self.succ_start, entry)));
        visited[entry.index()] = true;
        while let Some((block, (next, end))) = stack.last_mut() {
            if next < end {
                let succ = self.succs[*next as usize];
                *next += 1;
                if !std::mem::replace(&mut visited[succ.index()], true) {
                    stack.push((succ, edges_of(&self.succ_start, succ)));
                }
            } else {
                self.postorder.push(*block);
                stack.pop();
            }
        }
        for (number, &block) in self.postorder.iter().rev().enumerate() {
            self.rpo_number[block] = number as u32;
        }
    }
}

/// Keeps some of the edges in one direction, each given by its block and the block at its other
/// end.
fn retain_edges(starts: &mut [u32], edges: &mut Vec<Block>, keep: impl Fn(Block, Block) -> bool) {
    let (mut at, mut kept) = (0, 0);
    for index in 1..starts.len() {
        let end = starts[index] as usize;
        while at < end {
            if keep(Block::new(index - 1), edges[at]) {
                edges[kept] = edges[at];
                kept += 1;
            }
            at += 1;
        }
        starts[index] = kept as u32;
    }
    edges.truncate(kept);
}
