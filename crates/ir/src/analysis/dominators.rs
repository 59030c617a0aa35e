//! The dominator tree by semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related
//! Problems", 2005, section 2.4), with preorder intervals for constant-time queries.
//!
//! Linear in practice; no recursion; unreachable blocks are not in the tree.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

use crate::{Block, Function, Value, ValueDef};

use super::cfg::Cfg;

#[derive(Copy, Clone, Default, Debug)]
struct Node {
    idom: PackedOption<Block>,
    first_child: PackedOption<Block>,
    next_sibling: PackedOption<Block>,
    level: u32,
    enter: u32,
    leave: u32,
}

/// Immediate dominators, children, levels and preorder of the reachable blocks. Valid as long as
/// the [`Cfg`] it came from.
#[derive(Clone, Default, Debug)]
pub struct DominatorTree {
    nodes: SecondaryMap<Block, Node>,
    preorder: Vec<Block>,
}

impl DominatorTree {
    /// Computes the tree.
    pub fn compute(func: &Function, cfg: &Cfg) -> DominatorTree {
        let mut tree = DominatorTree::default();
        tree.nodes.resize(func.num_blocks());
        let (order, idoms) = semi_nca(func, cfg);
        tree.preorder.reserve_exact(order.len());
        // Children are linked in reverse, so that each list comes out in depth-first order.
        for number in (1..order.len()).rev() {
            let (block, idom) = (order[number], order[idoms[number] as usize]);
            tree.nodes[block].idom = idom.into();
            tree.nodes[block].next_sibling = tree.nodes[idom].first_child;
            tree.nodes[idom].first_child = block.into();
        }
        tree.number(func.entry());
        tree
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.nodes[block].idom.expand()
    }

    /// The blocks whose immediate dominator this is.
    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.nodes[block].first_child.expand(), |&b| self.nodes[b].next_sibling.expand())
    }

    /// Depth in the tree; the entry has 0.
    pub fn level(&self, block: Block) -> u32 {
        self.nodes[block].level
    }

    /// The reachable blocks, dominators first.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The position of a reachable block in the preorder.
    pub fn preorder_number(&self, block: Block) -> u32 {
        self.nodes[block].enter - 1
    }

    /// Whether the block is in the tree.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.nodes[block].enter != 0
    }

    /// Whether every path from the entry to `b` passes `a` (also if they are the same). False if
    /// either is unreachable.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.nodes[a], self.nodes[b]);
        a.enter != 0 && b.enter != 0 && a.enter <= b.enter && b.leave <= a.leave
    }

    /// Whether `a` dominates `b` and they differ.
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The deepest block that dominates both.
    pub fn common_dominator(&self, mut a: Block, mut b: Block) -> Block {
        while a != b {
            if self.nodes[a].level < self.nodes[b].level {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.idom(a).expect("both blocks are reachable");
        }
        a
    }

    /// Whether the value is available at the start of `block` or earlier (parameters and constants
    /// always are).
    pub fn value_dominates_block(&self, func: &Function, value: Value, block: Block) -> bool {
        match func.value_def(value) {
            ValueDef::Result(inst, _) => match func.inst_block(inst) {
                Some(def) => self.strictly_dominates(def, block),
                None => false,
            },
            _ => true,
        }
    }

    fn number(&mut self, entry: Block) {
        let mut clock = 0;
        let mut stack = Vec::with_capacity(64);
        stack.push((entry, false));
        while let Some((block, leaving)) = stack.pop() {
            if leaving {
                self.nodes[block].leave = clock;
                continue;
            }
            clock += 1;
            self.nodes[block].enter = clock;
            self.preorder.push(block);
            stack.push((block, true));
            let level = self.nodes[block].level + 1;
            let first = stack.len();
            let mut child = self.nodes[block].first_child.expand();
            while let Some(c) = child {
                self.nodes[c].level = level;
                stack.push((c, false));
                child = self.nodes[c].next_sibling.expand();
            }
            stack[first..].reverse();
        }
    }
}

/// Depth-first preorder of the reachable blocks and, by number in it, each one's immediate
/// dominator.
fn semi_nca(func: &Function, cfg: &Cfg) -> (Vec<Block>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let mut number: SecondaryMap<Block, u32> = SecondaryMap::with_default(NONE);
    number.resize(func.num_blocks());
    let mut order = Vec::with_capacity(cfg.postorder().len());
    let mut parent: Vec<u32> = Vec::with_capacity(cfg.postorder().len());
    let mut stack = Vec::with_capacity(64);
    stack.push((func.entry(), 0));
    while let Some((block, from)) = stack.pop() {
        if number[block] != NONE {
            continue;
        }
        let mine = order.len() as u32;
        number[block] = mine;
        order.push(block);
        parent.push(from);
        stack.extend(cfg.succs(block).iter().rev().filter(|&&s| number[s] == NONE).map(|&s| (s, mine)));
    }
    let count = order.len();
    let mut semi: Vec<u32> = (0..count as u32).collect();
    let mut label: Vec<u32> = (0..count as u32).collect();
    let mut ancestor = parent.clone();
    let mut path = Vec::with_capacity(64);
    // Blocks with numbers above `w` are linked to their parents in the forest that `eval`
    // compresses.
    for w in (1..count).rev() {
        for &pred in cfg.preds(order[w]) {
            let v = number[pred];
            if v == NONE {
                continue;
            }
            let best = eval(v, w as u32, &mut ancestor, &mut label, &semi, &mut path);
            semi[w] = semi[w].min(semi[best as usize]);
        }
    }
    let mut idom = parent;
    for w in 1..count {
        let mut candidate = idom[w];
        while candidate > semi[w] {
            candidate = idom[candidate as usize];
        }
        idom[w] = candidate;
    }
    (order, idom)
}

/// The vertex of least semidominator on the forest path from `v` up to, excluding, its root;
/// compresses the path.
fn eval(v: u32, linked_above: u32, ancestor: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) -> u32 {
    if v <= linked_above {
        return v;
    }
    path.clear();
    let mut at = v;
    while ancestor[at as usize] > linked_above {
        path.push(at);
        at = ancestor[at as usize];
    }
    let mut above = at;
    while let Some(x) = path.pop() {
        if semi[label[above as usize] as usize] < semi[label[x as usize] as usize] {
            label[x as usize] = label[above as usize];
        }
        ancestor[x as usize] = ancestor[above as usize];
        above = x;
    }
    label[v as usize]
}
