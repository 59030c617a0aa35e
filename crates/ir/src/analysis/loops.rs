//! Natural loops and their nesting: a back edge runs to a block that dominates its source; loops
//! with one header are one loop.
//!
//! Regions with several entries (irreducible) have no dominating header and are not loops here;
//! their blocks are marked, so that passes that need loops leave them alone. Cost: linear in
//! practice; inner loops are found first and are skipped as a whole when an outer one is walked.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

use crate::effects::is_removable_if_unused;
use crate::{Block, Function, Inst, InstView, LoopHint, Module, Opcode};
use base::Loc;
use rustc_hash::FxHashSet;

use super::cfg::Cfg;
use super::dominators::DominatorTree;

/// A natural loop.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

#[derive(Clone, Debug)]
struct LoopData {
    header: Block,
    parent: PackedOption<Loop>,
    depth: u32,
}

/// The loops of a function. Valid as long as the [`Cfg`] and [`DominatorTree`] it came from.
#[derive(Clone, Default, Debug)]
pub struct LoopTree {
    loops: PrimaryMap<Loop, LoopData>,
    innermost: SecondaryMap<Block, PackedOption<Loop>>,
    irreducible: bool,
}

/// One loop of a tree.
#[derive(Copy, Clone)]
pub struct LoopRef<'a> {
    /// The tree.
    pub tree: &'a LoopTree,
    /// Which of its loops.
    pub id: Loop,
}

impl LoopRef<'_> {
    /// The only block that is entered from outside.
    pub fn header(self) -> Block {
        self.tree.header(self.id)
    }

    /// Whether the block is in the loop or in a loop inside it.
    pub fn contains(self, block: Block) -> bool {
        self.tree.contains(self.id, block)
    }

    /// Where the source has the loop: at the condition that its last block branches on, else at its
    /// first instruction with a place.
    pub fn place(self, func: &Function) -> Loc {
        let header = self.header();
        let goes_on = |&block: &Block| match func.view(func.terminator(block)) {
            InstView::CondBr { then_dest, else_dest, .. } => then_dest == header || else_dest == header,
            _ => false,
        };
        let latch = func.blocks().filter(|&b| self.contains(b)).find(goes_on);
        let test = latch.unwrap_or(header);
        let branch = matches!(func.view(func.terminator(test)), InstView::CondBr { .. });
        let test = branch.then(|| func.source_loc(func.terminator(test)));
        let insts = func.block_insts(header).map(|inst| func.source_loc(inst));
        test.into_iter().chain(insts).find(|loc| !loc.is_none()).unwrap_or(Loc::NONE)
    }

    /// What the source says of the loop.
    pub fn hint(self, func: &Function) -> LoopHint {
        if func.loop_hints.is_empty() {
            return LoopHint::default();
        }
        let place = func.position(self.place(func)).0;
        func.loop_hints.iter().find(|hint| hint.0 == place).map_or_else(LoopHint::default, |hint| hint.1)
    }

    /// Whether the instruction is.
    pub fn holds(self, func: &Function, inst: Inst) -> bool {
        func.inst_block(inst).is_some_and(|block| self.contains(block))
    }

    /// The loop inside this one, if these blocks of it are in one at most: `Some(None)` if there is
    /// none.
    pub fn only_inner(self, blocks: &[Block]) -> Option<Option<Loop>> {
        let mut inner = blocks.iter().filter_map(|&b| self.tree.innermost(b)).filter(|&i| i != self.id);
        let first = inner.next();
        inner.all(|other| Some(other) == first).then_some(first)
    }

    /// Whether the block is in the loop but in none inside it.
    pub fn is_innermost(self, block: Block) -> bool {
        self.tree.innermost(block) == Some(self.id)
    }
}

impl LoopTree {
    /// One of the loops.
    pub fn at(&self, id: Loop) -> LoopRef<'_> {
        LoopRef { tree: self, id }
    }

    /// The loop with this header.
    pub fn headed(&self, header: Block) -> Option<LoopRef<'_>> {
        self.innermost(header).map(|l| self.at(l)).filter(|l| l.header() == header)
    }

    /// Finds the loops.
    pub fn compute(func: &Function, cfg: &Cfg, dominators: &DominatorTree) -> LoopTree {
        let mut tree = LoopTree { innermost: crate::side_table(func.num_blocks()), ..LoopTree::default() };
        // Postorder of headers: inner loops before the loops around them.
        for &header in cfg.postorder() {
            let latches: Vec<Block> =
                cfg.preds(header).iter().copied().filter(|&p| dominators.dominates(header, p)).collect();
            if !latches.is_empty() {
                tree.add(header, latches, cfg);
            }
        }
        tree.set_depths();
        tree.irreducible = has_irreducible_edge(cfg, dominators);
        tree
    }

    /// The loops, inner ones before the ones around them.
    pub fn loops(&self) -> impl ExactSizeIterator<Item = Loop> + DoubleEndedIterator + use<> {
        self.loops.keys()
    }

    /// How many loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// The block that dominates the loop and that its back edges run to.
    pub fn header(&self, l: Loop) -> Block {
        self.loops[l].header
    }

    /// The loop around this one.
    pub fn parent(&self, l: Loop) -> Option<Loop> {
        self.loops[l].parent.expand()
    }

    /// The innermost loop that holds the block.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block].expand()
    }

    /// How many loops hold the block.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |l| self.loops[l].depth)
    }

    /// Nesting depth of a loop; outermost loops have 1.
    pub fn loop_depth(&self, l: Loop) -> u32 {
        self.loops[l].depth
    }

    /// Whether the block is in the loop or in a loop inside it.
    pub fn contains(&self, l: Loop, block: Block) -> bool {
        let mut at = self.innermost(block);
        while let Some(inner) = at {
            if inner == l {
                return true;
            }
            at = self.parent(inner);
        }
        false
    }

    /// The blocks of every loop (inner loops' included), in reverse postorder: one flat pass for
    /// all loops.
    pub fn blocks(&self, cfg: &Cfg) -> SecondaryMap<Loop, Vec<Block>> {
        let mut out: SecondaryMap<Loop, Vec<Block>> = SecondaryMap::new();
        for block in cfg.reverse_postorder() {
            let mut at = self.innermost(block);
            while let Some(l) = at {
                out[l].push(block);
                at = self.parent(l);
            }
        }
        out
    }

    /// Whether some cycle has no dominating header.
    pub fn has_irreducible(&self) -> bool {
        self.irreducible
    }

    fn add(&mut self, header: Block, latches: Vec<Block>, cfg: &Cfg) {
        let this = self.loops.push(LoopData { header, parent: None.into(), depth: 0 });
        let mut work = latches;
        while let Some(block) = work.pop() {
            match self.outermost(block) {
                None => {
                    self.innermost[block] = this.into();
                    if block != header {
                        work.extend(cfg.preds(block).iter().copied().filter(|&p| cfg.is_reachable(p)));
                    }
                }
                Some(inner) if inner != this => {
                    self.loops[inner].parent = this.into();
                    let inner_header = self.loops[inner].header;
                    work.extend(cfg.preds(inner_header).iter().copied().filter(|&p| cfg.is_reachable(p)));
                }
                Some(_) => {}
            }
        }
        if self.innermost[header].is_none() {
            self.innermost[header] = this.into();
        }
    }

    /// The outermost loop found so far that holds the block.
    fn outermost(&self, block: Block) -> Option<Loop> {
        let mut at = self.innermost(block)?;
        while let Some(parent) = self.parent(at) {
            at = parent;
        }
        Some(at)
    }

    fn set_depths(&mut self) {
        for l in self.loops.keys().rev() {
            self.loops[l].depth = self.parent(l).map_or(1, |p| self.loops[p].depth + 1);
        }
    }
}

/// Whether an edge runs backwards in the reverse postorder to a block that does not dominate its
/// source.
fn has_irreducible_edge(cfg: &Cfg, dominators: &DominatorTree) -> bool {
    cfg.reverse_postorder().any(|block| {
        cfg.succs(block)
            .iter()
            .any(|&succ| cfg.rpo_number(succ) <= cfg.rpo_number(block) && !dominators.dominates(succ, block))
    })
}

/// The blocks of a loop with one loop in it, from the header to the latch, if each has one
/// successor but for the inner loop's end; at most `limit`.
pub fn nest_chain(
    func: &Function,
    l: LoopRef<'_>,
    header: Block,
    (inner_header, inner_latch): (Block, Block),
    latch: Block,
    limit: usize,
) -> Option<Vec<Block>> {
    let mut out = vec![header];
    let mut at = header;
    while at != latch {
        let end = func.insts[func.terminator(at)];
        let mut ways: Vec<Block> = Vec::new();
        func.for_each_target(func.terminator(at), |t| ways.push(t));
        at = match (end.opcode, &ways[..]) {
            (Opcode::Br, &[next]) if at != inner_latch => next,
            (Opcode::CondBr, &[a, b]) if at == inner_latch && (a == inner_header) != (b == inner_header) => {
                if a == inner_header { b } else { a }
            }
            _ => return None,
        };
        if out.contains(&at) || out.len() == limit || !l.contains(at) {
            return None;
        }
        out.push(at);
    }
    Some(out)
}

/// The blocks of a loop that run whenever it is entered: those that dominate every exit and every
/// latch, in loops without calls that might not return.
pub fn always_executed(
    func: &Function,
    module: &Module,
    cfg: &Cfg,
    dominators: &DominatorTree,
    l: LoopRef<'_>,
    blocks: &[Block],
) -> FxHashSet<Block> {
    let mut out = FxHashSet::default();
    let may_not_return = |i: Inst| match func.insts[i].opcode {
        Opcode::Call => !is_removable_if_unused(func, module, i),
        opcode => matches!(opcode, Opcode::Asm | Opcode::AsmBr | Opcode::Intrinsic),
    };
    if blocks.iter().any(|&b| func.block_insts(b).any(may_not_return)) {
        return out;
    }
    let header = l.header();
    let leaves = |b: Block| cfg.succs(b).iter().any(|&s| s == header || !l.contains(s));
    // What dominates all ends is what dominates the deepest block that does.
    let mut common = None;
    for end in blocks.iter().copied().filter(|&b| leaves(b)) {
        let mut above = common.unwrap_or(end);
        while !dominators.dominates(above, end) {
            above = dominators.idom(above).expect("the header dominates the loop");
        }
        common = Some(above);
    }
    let chain = std::iter::successors(common, |&b| if b == header { None } else { dominators.idom(b) });
    out.extend(chain);
    out
}
