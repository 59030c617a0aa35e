//! Leaves out checks that earlier ones cover: the same address or one in the range that was
//! checked, on all paths to here, and nothing in between that may free or poison memory.
//!
//! Forward data flow of "checked since the last call" over the control-flow graph, on ranges that
//! begin at the same value. (gcc's `sanopt` asks dominating checks instead.)

use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Value};
use rustc_hash::FxHashMap;

use crate::accesses::{Access, Size, root};

/// Ranges that are kept apart. What comes after is checked wherever it is accessed.
const MAX_RANGES: usize = 1024;

/// Bytes from a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Range {
    root: Value,
    offset: i64,
    size: u64,
}

/// A set of numbers of ranges.
#[derive(Clone, PartialEq, Eq, Default)]
struct Set(Vec<u64>);

impl Set {
    fn full(count: usize) -> Set {
        Set(vec![u64::MAX; count.div_ceil(64)])
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(|word| *word = 0);
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn intersect(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }
}

/// The ranges of a function.
#[derive(Default)]
struct Ranges {
    all: Vec<Range>,
    numbers: FxHashMap<Range, usize>,
    by_root: FxHashMap<Value, Vec<usize>>,
}

impl Ranges {
    fn number(&mut self, range: Range) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&range) {
            return Some(known);
        }
        if self.all.len() == MAX_RANGES {
            return None;
        }
        let number = self.all.len();
        self.all.push(range);
        self.numbers.insert(range, number);
        self.by_root.entry(range.root).or_default().push(number);
        Some(number)
    }

    /// Whether one of the set holds all of the range.
    fn covers(&self, set: &Set, number: usize) -> bool {
        let range = self.all[number];
        let holds = |other: Range| {
            let before = range.offset.wrapping_sub(other.offset);
            u64::try_from(before).is_ok_and(|before| before.saturating_add(range.size) <= other.size)
        };
        self.by_root[&range.root].iter().any(|&other| set.has(other) && holds(self.all[other]))
    }
}

/// What happens in a block, in order.
#[derive(Clone, Copy)]
enum Event {
    /// The access of this index, with the number of its range.
    Access(usize, Option<usize>),
    /// Memory may be freed or poisoned.
    Free,
}

/// The accesses that must be checked, and how many need not; `may_free` says after which
/// instructions memory may be bad that was good.
pub fn uncovered(
    func: &Function,
    cfg: &Cfg,
    may_free: impl Fn(Inst) -> bool,
    accesses: Vec<Access>,
) -> (Vec<Access>, u64) {
    let mut ranges = Ranges::default();
    let events = events(func, may_free, &accesses, &mut ranges);
    let count = ranges.all.len();
    let at_start = solve(func, cfg, &events, count);
    let mut kept = vec![true; accesses.len()];
    for block in func.blocks() {
        let mut known = at_start[block].clone();
        if known.0.is_empty() {
            known = Set(vec![0; count.div_ceil(64)]);
        }
        for &event in &events[block] {
            match event {
                Event::Free => known.clear(),
                Event::Access(index, Some(number)) => {
                    kept[index] = !ranges.covers(&known, number);
                    known.insert(number);
                }
                Event::Access(_, None) => {}
            }
        }
    }
    let before = accesses.len();
    let mut keep = kept.into_iter();
    let mut accesses = accesses;
    accesses.retain(|_| keep.next() == Some(true));
    let covered = (before - accesses.len()) as u64;
    (accesses, covered)
}

fn events(
    func: &Function,
    may_free: impl Fn(Inst) -> bool,
    accesses: &[Access],
    ranges: &mut Ranges,
) -> SecondaryMap<Block, Vec<Event>> {
    let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
    let mut next = 0;
    for block in func.blocks() {
        for inst in func.block_insts(block) {
            while let Some(access) = accesses.get(next).filter(|access| access.inst == inst) {
                let number = match access.size {
                    Size::Fixed(size) => {
                        let (root, offset) = root(func, func.operand(inst, access.operand));
                        ranges.number(Range { root, offset, size })
                    }
                    Size::Variable(_) => None,
                };
                events[block].push(Event::Access(next, number));
                next += 1;
            }
            if may_free(inst) {
                events[block].push(Event::Free);
            }
        }
    }
    events
}

/// What has been checked at the start of each block, on all paths there.
fn solve(
    func: &Function,
    cfg: &Cfg,
    events: &SecondaryMap<Block, Vec<Event>>,
    count: usize,
) -> SecondaryMap<Block, Set> {
    let mut at_start: SecondaryMap<Block, Set> = SecondaryMap::new();
    let mut at_end: SecondaryMap<Block, Set> = SecondaryMap::new();
    let order: Vec<Block> = cfg.reverse_postorder().collect();
    for &block in &order {
        at_end[block] = Set::full(count);
    }
    let mut changed = count > 0;
    while changed {
        changed = false;
        for &block in &order {
            let mut known = Set::full(count);
            if block == func.entry() {
                known.clear();
            }
            for &pred in cfg.preds(block).iter().filter(|&&pred| cfg.is_reachable(pred)) {
                known.intersect(&at_end[pred]);
            }
            at_start[block] = known.clone();
            for &event in &events[block] {
                match event {
                    Event::Free => known.clear(),
                    Event::Access(_, Some(number)) => known.insert(number),
                    Event::Access(_, None) => {}
                }
            }
            if at_end[block] != known {
                at_end[block] = known;
                changed = true;
            }
        }
    }
    at_start
}
