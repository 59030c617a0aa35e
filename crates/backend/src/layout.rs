//! The order of blocks, from their frequencies, before selection: hot paths fall through, loops are
//! contiguous, unlikely code is at the end.
//!
//! The order is made loop by loop from the inside out: each loop is a sequence beginning with its
//! header, whose members (blocks and whole inner loops) are strung together along the edges that
//! are taken most ([`base::chains`]). What jumps back to the header, or a whole end of the
//! sequence, then moves in front of it where that saves jumps. Linear up to sorting.
//!
//! Where size is what counts, a block stands after all that leads to it (but what jumps back), so
//! that both ways of a branch lie between it and the place where they meet: most jumps are short
//! then. Nothing is cold, and nothing moves before a loop's header.

#[cfg(test)]
mod tests;

use base::chains::{Chains, Edge};
use cranelift_entity::EntityRef;
use ir::analysis::{EXIT, Frequencies};
use ir::{Block, Function, analysis};

/// Blocks whose every predecessor is less likely than this, compared with its alternatives, go to
/// the end of the function.
const COLD_WARMTH: f32 = 0.05;
/// What standing before a loop's header must save, in jumps taken per iteration.
const MIN_SAVED: f32 = 0.2;

/// How likely each block's likeliest incoming edge is, each step measured against an even choice: 1
/// on ordinary code however many cases a `switch` has, small after branches that are hardly ever
/// taken.
fn warmth(func: &Function, cfg: &analysis::Cfg, loops: &analysis::LoopTree, frequencies: &Frequencies) -> Vec<f32> {
    let mut warmth = vec![0.0f32; func.num_blocks()];
    warmth[func.entry().index()] = 1.0;
    for block in cfg.reverse_postorder() {
        let own = warmth[block.index()];
        let succs = cfg.succs(block);
        let innermost = loops.innermost(block);
        for (&succ, &probability) in succs.iter().zip(frequencies.edges(cfg, block)) {
            // A loop is left once however often it runs.
            let leaves = innermost.is_some_and(|l| !loops.contains(l, succ)) && !frequencies.is_cold(succ);
            let step = if leaves && probability > 0.0 { 1.0 } else { (probability * succs.len() as f32).min(1.0) };
            let to = &mut warmth[succ.index()];
            *to = to.max(own * step);
        }
    }
    warmth
}

/// A member of a loop while it is being ordered: a block, or an inner loop that is ordered already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Block(Block),
    Loop(analysis::Loop),
}

/// Chooses the order. With `size` blocks stay where they are reached by short jumps.
pub fn order(
    func: &Function,
    cfg: &analysis::Cfg,
    loops: &analysis::LoopTree,
    frequencies: &Frequencies,
    size: bool,
) -> Vec<Block> {
    let mut placer = Placer::new(func, cfg, loops, frequencies);
    placer.size = size;
    if size {
        placer.warmth.fill(1.0);
    }
    // Inner loops come first.
    for l in loops.loops() {
        let members = std::mem::take(&mut placer.members[l.index()]);
        let mut sequence = placer.sequence(members, Unit::Block(loops.header(l)));
        if !size && let Some(part) = placer.in_front(l, &sequence) {
            sequence[..part.end].rotate_right(part.len());
        }
        placer.sequences[l.index()] = sequence;
        let parent = loops.parent(l).map_or(placer.members.len() - 1, |p| p.index());
        placer.members[parent].push(Unit::Loop(l));
    }
    let top = std::mem::take(placer.members.last_mut().expect("top level"));
    let entry = func.entry();
    let start = placer.unit_at_level(entry, None);
    let mut order = placer.sequence(top, start);
    order.append(&mut placer.unlikely);
    debug_assert_eq!(order[0], entry);
    debug_assert_eq!(order.len(), cfg.postorder().len());
    order
}

/// Where in a loop's sequence there is a block that only jumps back, after one that may leave the
/// loop. Before the header it needs no jump in every iteration, but one over it where the loop is
/// entered: copies for the next iteration are such blocks.
fn jump_back(cfg: &analysis::Cfg, loops: &analysis::LoopTree, l: analysis::Loop, sequence: &[Block]) -> Option<usize> {
    let leaves = |succ: &Block| !loops.contains(l, *succ);
    let fits = |pair: &[Block]| {
        let &[test, back] = pair else { return false };
        cfg.succs(back) == [loops.header(l)]
            && cfg.preds(back) == [test]
            && cfg.succs(test).len() == 2
            && cfg.succs(test).iter().any(leaves)
    };
    sequence.windows(2).rposition(fits).map(|at| at + 1)
}

struct Placer<'a> {
    cfg: &'a analysis::Cfg,
    loops: &'a analysis::LoopTree,
    frequencies: &'a Frequencies,
    warmth: Vec<f32>,
    /// Members of each loop, the top level last.
    members: Vec<Vec<Unit>>,
    sequences: Vec<Vec<Block>>,
    placed_block: Vec<bool>,
    placed_loop: Vec<bool>,
    /// Cold blocks, for the end of the function.
    unlikely: Vec<Block>,
    /// Short jumps matter more than jumps that are not taken.
    size: bool,
}

impl<'a> Placer<'a> {
    fn new(
        func: &Function,
        cfg: &'a analysis::Cfg,
        loops: &'a analysis::LoopTree,
        frequencies: &'a Frequencies,
    ) -> Placer<'a> {
        let count = loops.len();
        let mut members = vec![Vec::new(); count + 1];
        for block in cfg.reverse_postorder() {
            members[loops.innermost(block).map_or(count, |l| l.index())].push(Unit::Block(block));
        }
        Placer {
            cfg,
            loops,
            frequencies,
            warmth: warmth(func, cfg, loops, frequencies),
            members,
            sequences: vec![Vec::new(); count],
            placed_block: vec![false; func.num_blocks()],
            placed_loop: vec![false; count],
            unlikely: Vec::new(),
            size: false,
        }
    }

    /// The member of `level` that contains `block`, if one does.
    fn unit_at_level(&self, block: Block, level: Option<analysis::Loop>) -> Unit {
        let mut unit = Unit::Block(block);
        let mut current = self.loops.innermost(block);
        while current != level {
            let Some(l) = current else { break };
            unit = Unit::Loop(l);
            current = self.loops.parent(l);
        }
        unit
    }

    /// The block at which control enters it.
    fn first_block(&self, unit: Unit) -> Block {
        match unit {
            Unit::Block(block) => block,
            Unit::Loop(l) => self.loops.header(l),
        }
    }

    fn is_placed(&self, unit: Unit) -> bool {
        match unit {
            Unit::Block(block) => self.placed_block[block.index()],
            Unit::Loop(l) => self.placed_loop[l.index()],
        }
    }

    fn is_cold(&self, unit: Unit) -> bool {
        self.warmth[self.first_block(unit).index()] < COLD_WARMTH
    }

    /// Orders the members of one level, `start` first. Cold ones go to the end of the function.
    fn sequence(&mut self, mut members: Vec<Unit>, start: Unit) -> Vec<Block> {
        members.sort_by_key(|&u| self.cfg.rpo_number(self.first_block(u)));
        if self.size {
            return self.sequence_for_size(&members, start);
        }
        let cold: Vec<bool> = members.iter().map(|&u| u != start && self.is_cold(u)).collect();
        let chains = self.chains(&members, start, &cold);
        let mut out = Vec::new();
        for number in 0..members.len() as u32 {
            let chain = if self.is_placed(members[number as usize]) { None } else { Some(chains.first(number)) };
            for member in chain.into_iter().flat_map(|first| chains.from(first)) {
                self.place(members[member as usize], &mut out, cold[member as usize]);
            }
        }
        out
    }

    /// The members of a level, in reverse postorder, as chains. Cold ones stay among themselves.
    fn chains(&self, members: &[Unit], start: Unit, cold: &[bool]) -> Chains {
        let mut edges = Vec::new();
        for (from, &unit) in members.iter().enumerate() {
            let last = match unit {
                Unit::Block(block) => block,
                Unit::Loop(l) => *self.sequences[l.index()].last().expect("a loop has blocks"),
            };
            let often = self.frequencies.of(last);
            for (&succ, &probability) in self.cfg.succs(last).iter().zip(self.frequencies.edges(self.cfg, last)) {
                if let Some(to) = self.member(members, succ)
                    && cold[from] == cold[to]
                {
                    edges.push(Edge { from: from as u32, to: to as u32, weight: often * probability });
                }
            }
        }
        let start = members.iter().position(|&u| u == start).expect("a member");
        Chains::new(members.len(), start as u32, edges)
    }

    /// The same where size is what counts: the earliest successor follows that nothing else of the
    /// level leads to later.
    fn sequence_for_size(&mut self, members: &[Unit], start: Unit) -> Vec<Block> {
        let (mut out, mut next) = (Vec::new(), 0);
        let mut current = Some(start);
        loop {
            while next < members.len() && self.is_placed(members[next]) {
                next += 1;
            }
            let Some(unit) = current.or_else(|| members.get(next).copied()) else { return out };
            let last = self.place(unit, &mut out, false);
            current = last.and_then(|last| self.best_successor(last, members));
        }
    }

    /// The unplaced member that should follow `block` where size is what counts.
    fn best_successor(&self, block: Block, members: &[Unit]) -> Option<Unit> {
        let fits = |&unit: &Unit| !self.is_placed(unit) && !self.waits(self.first_block(unit));
        let succs = self.cfg.succs(block).iter();
        let units = succs.filter_map(|&succ| self.member(members, succ)).map(|at| members[at]).filter(fits);
        units.min_by_key(|&unit| self.cfg.rpo_number(self.first_block(unit)))
    }

    /// Whether a block that leads to this one, not by jumping back, has no place yet.
    fn waits(&self, block: Block) -> bool {
        let number = self.cfg.rpo_number(block);
        self.cfg.preds(block).iter().any(|&pred| self.cfg.rpo_number(pred) < number && !self.placed_block[pred.index()])
    }

    /// Which of the members, in reverse postorder, begins with `block`.
    fn member(&self, members: &[Unit], block: Block) -> Option<usize> {
        let number = self.cfg.rpo_number(block);
        members.binary_search_by_key(&number, |&u| self.cfg.rpo_number(self.first_block(u))).ok()
    }

    /// Appends a unit; its last block.
    fn place(&mut self, unit: Unit, out: &mut Vec<Block>, cold: bool) -> Option<Block> {
        let blocks = match unit {
            Unit::Block(block) => {
                self.placed_block[block.index()] = true;
                vec![block]
            }
            Unit::Loop(l) => {
                self.placed_loop[l.index()] = true;
                std::mem::take(&mut self.sequences[l.index()])
            }
        };
        let last = blocks.last().copied();
        if cold {
            self.unlikely.extend(blocks)
        } else {
            out.extend(blocks)
        }
        last
    }

    /// The part of a loop's sequence that is better before its header than where it is: one block
    /// that only jumps back, or, of an innermost loop, all from some block on where the last one
    /// jumps back.
    fn in_front(&self, l: analysis::Loop, sequence: &[Block]) -> Option<std::ops::Range<usize>> {
        if let Some(back) = jump_back(self.cfg, self.loops, l, sequence) {
            return Some(back..back + 1);
        }
        let header = self.loops.header(l);
        let taken = |from: Block, to: Block| self.frequencies.of(from) * self.frequencies.between(self.cfg, from, to);
        // Saved is the jump back; what fell into the part jumps there, and to leave from its end
        // may take a jump.
        let saved = |start: usize, last: Block| {
            let back = taken(last, header);
            let leaves = self.frequencies.of(last) - back;
            back - leaves - taken(sequence[start - 1], sequence[start])
        };
        let end = sequence.len();
        let last = *sequence.last()?;
        // What runs inside inner loops outweighs a jump in every iteration of this one, but not one
        // in those that go around them.
        let inner = sequence.iter().rposition(|&block| self.loops.innermost(block) != Some(l));
        let starts = inner.map_or(1, |inner| inner + 1)..end;
        let blocks = (1..end).filter(|&at| self.cfg.succs(sequence[at]) == [header]);
        let mut best = (self.frequencies.of(header) * (EXIT + MIN_SAVED), None);
        for (start, end) in blocks.map(|at| (at, at + 1)).chain(starts.rev().map(|at| (at, end))) {
            let saved = saved(start, if end == start + 1 { sequence[start] } else { last });
            if saved > best.0 {
                best = (saved, Some(start..end));
            }
        }
        best.1
    }
}
