//! Where loops are cut, and what is forgotten there.

use ir::analysis::cfg::Cfg;
use ir::analysis::dominators::DominatorTree;
use ir::analysis::loops::{Loop, LoopTree};
use ir::{Block, Function, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::provenance::Bases;
use crate::term::{Arena, Term, Var};

/// What a loop writes to memory that others may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Write {
    /// Through an address that was computed from these, as this alias class.
    Store(Bases, u32),
    /// By a call that may know of these slots.
    Call(u32),
}

/// A cut: its block, and how often it was reached from outside before.
pub(crate) type Key = (Block, u32);

/// What is not a value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    Memory,
    Trace,
    Slot(u32),
}

/// A lane of a value at a cut of one of the functions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) is_target: bool,
    pub(crate) key: Key,
    pub(crate) value: Value,
    pub(crate) lane: u32,
}

/// How a value of the function after the pass comes from one of the other's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Derived {
    /// `entry + factor * (that - its entry)`, and whether it is an address.
    Linear(Place, u128, bool),
    /// The same.
    Same(Place),
    /// Its sign extension.
    SExt(Place),
    /// Its zero extension.
    ZExt(Place),
}

impl Derived {
    pub(crate) fn from(self) -> Place {
        match self {
            Derived::Same(place) | Derived::Linear(place, ..) | Derived::SExt(place) | Derived::ZExt(place) => place,
        }
    }
}

/// Where the cuts are, and what is forgotten there.
#[derive(Default)]
pub struct Plan {
    /// By the loop's header, of each function.
    blocks: [FxHashMap<Block, Block>; 2],
    pub(crate) varying: FxHashSet<(Key, Part)>,
    numbers: FxHashMap<(Key, Part), u32>,
    pub(crate) values: FxHashMap<Place, u32>,
    pub(crate) derived: FxHashMap<Place, Derived>,
    pub(crate) leaked: FxHashMap<(bool, Key), Vec<u32>>,
    pub(crate) memories: FxHashMap<Key, Term>,
    /// What slots held at the cut, in any execution.
    pub(crate) contents: FxHashMap<(Key, Part), Vec<Term>>,
    /// Values of the function before: at the cut, and when it was first reached.
    pub(crate) seen: FxHashMap<Place, (Term, Term)>,
    pub(crate) write_sets: FxHashMap<Key, u32>,
    next: u32,
}

struct Shape {
    cfg: Cfg,
    dominators: DominatorTree,
    loops: LoopTree,
}

impl Shape {
    fn new(func: &Function) -> Shape {
        let cfg = Cfg::compute(func);
        let dominators = DominatorTree::compute(func, &cfg);
        let loops = LoopTree::compute(func, &cfg, &dominators);
        Shape { cfg, dominators, loops }
    }

    /// The loop that is left for its next iteration only through this block.
    fn cut_by(&self, block: Block) -> Option<Loop> {
        let of = self.cfg.reverse_postorder().any(|b| b == block).then(|| self.loops.innermost(block))??;
        let header = self.loops.header(of);
        let mut latches = self.cfg.preds(header).iter().filter(|&&pred| self.loops.contains(of, pred));
        latches.all(|&latch| self.dominators.dominates(block, latch)).then_some(of)
    }
}

impl Plan {
    /// Finds cuts for the loops of the function after the pass, other than these blocks.
    pub(crate) fn new(before: &Function, after: &Function, others: &[Block]) -> Plan {
        let (source, target) = (Shape::new(before), Shape::new(after));
        let mut plan = Plan::default();
        if source.loops.has_irreducible() || target.loops.has_irreducible() {
            return plan;
        }
        let blocks = target.loops.blocks(&target.cfg);
        for of in target.loops.loops() {
            let both = |&block: &Block| {
                if others.contains(&block) {
                    return None;
                }
                let (s, t) = (source.cut_by(block)?, target.cut_by(block)?);
                let free = !plan.blocks[0].contains_key(&source.loops.header(s));
                (t == of && free).then_some((block, s))
            };
            let header = target.loops.header(of);
            let other = source.cut_by(header).map(|s| source.loops.header(s));
            let mut candidates = [Some(header), other].into_iter().flatten().chain(blocks[of].iter().copied());
            if let Some((block, s)) = candidates.find_map(|block| both(&block)) {
                plan.blocks[0].insert(source.loops.header(s), block);
                plan.blocks[1].insert(header, block);
            }
        }
        plan
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks[1].is_empty()
    }

    /// The cut of a loop.
    pub(crate) fn cut(&self, is_target: bool, header: Block) -> Option<Block> {
        self.blocks[usize::from(is_target)].get(&header).copied()
    }

    /// What the memory of a slot may be that is forgotten now.
    pub(crate) fn contents(&self, number: u32) -> &[Term] {
        let part = self.numbers.iter().find(|(_, known)| **known == number).map(|(part, _)| part);
        part.and_then(|part| self.contents.get(part)).map_or(&[], |terms| terms)
    }

    pub(crate) fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    pub(crate) fn variable(&mut self, arena: &mut Arena, key: Key, part: Part, width: u32) -> Term {
        let next = self.next;
        let number = *self.numbers.entry((key, part)).or_insert(next);
        if number == next {
            self.next += 1;
        }
        arena.var(Var::Cut(number), width)
    }
}
