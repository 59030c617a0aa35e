//! The order of blocks, from estimated frequencies, before selection: hot paths fall through, loops
//! are contiguous, unlikely code is at the end.
//!
//! Frequencies are static estimates in the manner of Ball and Larus ("Branch prediction for free",
//! 1993): branch hints, paths that end in a call that does not return, loop exits, tests for
//! equality, calls; a loop runs [`TRIPS`] times unless its exits say otherwise. They are propagated
//! once in reverse postorder, loop headers scaled by the trip count.
//!
//! The order is made loop by loop from the inside out: each loop is a sequence beginning with its
//! header, whose members (blocks and whole inner loops) are strung into traces along their
//! likeliest successors. What jumps back to the header, or a whole end of the sequence, then moves
//! in front of it where that saves jumps. Linear up to sorting.
//!
//! Where size is what counts, a block stands after all that leads to it (but what jumps back), so
//! that both ways of a branch lie between it and the place where they meet: most jumps are short
//! then. Nothing is cold, and nothing moves before a loop's header.

#[cfg(test)]
mod tests;

use cranelift_entity::EntityRef;
use ir::{Block, BranchHint, FnAttrs, Function, IntCc, Opcode, Value, analysis};

/// Assumed iterations of a loop.
const TRIPS: f32 = 9.0;
/// Probability that a loop is left at an exit test.
const EXIT: f32 = 1.0 / (TRIPS + 1.0);
/// Probability of a branch marked unlikely.
const UNLIKELY: f32 = 0.02;
/// Probability that two pointers are equal, or one is null.
const SAME_POINTER: f32 = 0.3;
/// Probability that two numbers are equal, neither of which is the constant 0 (gcc's opcode
/// heuristic).
const SAME_NUMBER: f32 = 0.34;
/// Probability of a block with a call that control can as well go around (gcc's call heuristic).
const CALL: f32 = 0.33;
/// Probability of a path that ends without returning.
const COLD: f32 = 0.001;
/// Bounds that keep products of many loops or branches in range.
const MIN_FREQUENCY: f32 = 1e-6;
/// See [`MIN_FREQUENCY`].
const MAX_FREQUENCY: f32 = 1e9;
/// Blocks whose every predecessor is less likely than this, compared with its alternatives, go to
/// the end of the function.
const COLD_WARMTH: f32 = 0.05;
/// What standing before a loop's header must save, in jumps taken per iteration.
const MIN_SAVED: f32 = 0.2;
/// A successor this likely is worth placing although an earlier block of the loop is still
/// unplaced.
const LIKELY: f32 = 0.65;

/// Estimated executions per call of every block.
pub fn frequencies(func: &Function, cfg: &analysis::Cfg, loops: &analysis::LoopTree) -> Vec<f32> {
    let cold = cold_blocks(func, cfg);
    let mut frequency = vec![0.0f32; func.num_blocks()];
    let mut inflow = vec![0.0f32; func.num_blocks()];
    inflow[func.entry().index()] = 1.0;
    let mut probabilities = Vec::new();
    for block in cfg.reverse_postorder() {
        let mut own = inflow[block.index()];
        if loops.innermost(block).is_some_and(|l| loops.header(l) == block) {
            own *= TRIPS + 1.0;
        }
        let own = own.clamp(MIN_FREQUENCY, MAX_FREQUENCY);
        frequency[block.index()] = own;
        edge_probabilities(func, cfg, loops, &cold, block, &mut probabilities);
        for (&succ, &probability) in cfg.succs(block).iter().zip(&probabilities) {
            // Back edges are accounted for by the trip count.
            if cfg.rpo_number(succ) > cfg.rpo_number(block) {
                inflow[succ.index()] += own * probability;
            }
        }
    }
    frequency
}

/// Blocks from which control surely reaches a call that does not return (or is marked cold).
fn cold_blocks(func: &Function, cfg: &analysis::Cfg) -> Vec<bool> {
    let mut cold = vec![false; func.num_blocks()];
    for &block in cfg.postorder() {
        let terminator = func.terminator(block);
        let ends = func.insts[terminator].opcode == Opcode::Unreachable;
        let succs = cfg.succs(block);
        let leads = !succs.is_empty() && succs.iter().all(|s| cold[s.index()]);
        let calls_cold = || {
            func.block_insts(block)
                .any(|i| func.insts[i].opcode == Opcode::Call && func.call_info(i).attrs.has(FnAttrs::COLD))
        };
        cold[block.index()] = ends || leads || calls_cold();
    }
    cold
}

/// The probability of each distinct successor, in `cfg.succs` order.
fn edge_probabilities(
    func: &Function,
    cfg: &analysis::Cfg,
    loops: &analysis::LoopTree,
    cold: &[bool],
    block: Block,
    out: &mut Vec<f32>,
) {
    let succs = cfg.succs(block);
    out.clear();
    let even = 1.0 / succs.len().max(1) as f32;
    out.resize(succs.len(), even);
    if succs.len() < 2 {
        return;
    }
    let data = &func.insts[func.terminator(block)];
    let innermost = loops.innermost(block);
    let leaves = |succ: Block| innermost.is_some_and(|l| !loops.contains(l, succ));
    if succs.len() == 2 && data.opcode == Opcode::CondBr {
        let first_is_then = succs[0] == data.dests().0;
        let then = match data.branch_hint() {
            BranchHint::Likely => 1.0 - UNLIKELY,
            BranchHint::Unlikely => UNLIKELY,
            BranchHint::None => {
                let (t, e) = data.dests();
                match (cold[t.index()], cold[e.index()], leaves(t), leaves(e)) {
                    (true, false, ..) => COLD,
                    (false, true, ..) => 1.0 - COLD,
                    (_, _, true, false) => EXIT,
                    (_, _, false, true) => 1.0 - EXIT,
                    _ => together(
                        equality(func, func.operand(func.terminator(block), 0)),
                        call_on_the_way(func, cfg, block, t, e),
                    ),
                }
            }
        };
        out[0] = if first_is_then { then } else { 1.0 - then };
        out[1] = 1.0 - out[0];
        return;
    }
    // Switches and computed jumps: even among the warm ones.
    let warm = succs.iter().filter(|s| !cold[s.index()]).count();
    if warm > 0 && warm < succs.len() {
        let share = (1.0 - COLD) / warm as f32;
        let rest = COLD / (succs.len() - warm) as f32;
        for (slot, succ) in out.iter_mut().zip(succs) {
            *slot = if cold[succ.index()] { rest } else { share };
        }
    }
}

/// Two independent estimates of one probability (Dempster and Shafer's rule, as Wu and Larus,
/// "Static branch frequency and program profile analysis", 1994, use it).
fn together(a: f32, b: f32) -> f32 {
    a * b / (a * b + (1.0 - a) * (1.0 - b))
}

/// The probability of a condition that compares for equality (Ball and Larus's pointer and opcode
/// heuristics).
fn equality(func: &Function, condition: Value) -> f32 {
    let Some(compare) = func.def_with(condition, Opcode::ICmp) else { return 0.5 };
    let (ty, right) = (func.value_type(func.operand(compare, 0)), func.operand(compare, 1));
    let same = if ty.is_ptr() {
        SAME_POINTER
    } else if func.const_bits(right) == Some(0) {
        return 0.5;
    } else {
        SAME_NUMBER
    };
    match func.insts[compare].int_cc() {
        IntCc::Eq => same,
        IntCc::Ne => 1.0 - same,
        _ => 0.5,
    }
}

/// The probability of the first successor as far as calls tell: a block with one that only this
/// branch leads to, and from which control comes to the other successor, is gone around more often
/// than not.
fn call_on_the_way(func: &Function, cfg: &analysis::Cfg, block: Block, then: Block, other: Block) -> f32 {
    let is_detour = |way: Block, around: Block| {
        cfg.preds(way) == [block]
            && cfg.succs(way).contains(&around)
            && func.block_insts(way).any(|inst| func.insts[inst].opcode == Opcode::Call)
    };
    if is_detour(then, other) {
        CALL
    } else if is_detour(other, then) {
        1.0 - CALL
    } else {
        0.5
    }
}

/// How likely each block's likeliest incoming edge is, each step measured against an even choice: 1
/// on ordinary code however many cases a `switch` has, small after branches that are hardly ever
/// taken.
fn warmth(func: &Function, cfg: &analysis::Cfg, loops: &analysis::LoopTree, cold: &[bool], edges: &Edges) -> Vec<f32> {
    let mut warmth = vec![0.0f32; func.num_blocks()];
    warmth[func.entry().index()] = 1.0;
    for block in cfg.reverse_postorder() {
        let own = warmth[block.index()];
        let succs = cfg.succs(block);
        let innermost = loops.innermost(block);
        for (&succ, &probability) in succs.iter().zip(edges.of(cfg, block)) {
            // A loop is left once however often it runs.
            let leaves = innermost.is_some_and(|l| !loops.contains(l, succ)) && !cold[succ.index()];
            let step = if leaves { 1.0 } else { (probability * succs.len() as f32).min(1.0) };
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
    frequency: &[f32],
    size: bool,
) -> Vec<Block> {
    let mut placer = Placer::new(func, cfg, loops, frequency);
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

/// The estimated probability of every edge.
struct Edges {
    /// Where each block's successors begin, by the block's number.
    first: Vec<u32>,
    /// In the order of `cfg.succs`.
    probability: Vec<f32>,
}

impl Edges {
    fn compute(func: &Function, cfg: &analysis::Cfg, loops: &analysis::LoopTree, cold: &[bool]) -> Edges {
        let mut edges = Edges { first: vec![0; func.num_blocks()], probability: Vec::new() };
        let mut of_block = Vec::new();
        for block in cfg.reverse_postorder() {
            edge_probabilities(func, cfg, loops, cold, block, &mut of_block);
            edges.first[block.index()] = edges.probability.len() as u32;
            edges.probability.extend_from_slice(&of_block);
        }
        edges
    }

    fn of(&self, cfg: &analysis::Cfg, block: Block) -> &[f32] {
        &self.probability[self.first[block.index()] as usize..][..cfg.succs(block).len()]
    }

    /// Of the one edge between two blocks; 0 if there is none.
    fn between(&self, cfg: &analysis::Cfg, from: Block, to: Block) -> f32 {
        cfg.succs(from).iter().position(|&s| s == to).map_or(0.0, |at| self.of(cfg, from)[at])
    }
}

struct Placer<'a> {
    cfg: &'a analysis::Cfg,
    loops: &'a analysis::LoopTree,
    frequency: &'a [f32],
    edges: Edges,
    warmth: Vec<f32>,
    /// Members of each loop, the top level last.
    members: Vec<Vec<Unit>>,
    sequences: Vec<Vec<Block>>,
    placed_block: Vec<bool>,
    placed_loop: Vec<bool>,
    /// Cold blocks, for the end of the function.
    unlikely: Vec<Block>,
    entry: Block,
    /// Short jumps matter more than jumps that are not taken.
    size: bool,
}

impl<'a> Placer<'a> {
    fn new(func: &Function, cfg: &'a analysis::Cfg, loops: &'a analysis::LoopTree, frequency: &'a [f32]) -> Placer<'a> {
        let count = loops.len();
        let mut members = vec![Vec::new(); count + 1];
        for block in cfg.reverse_postorder() {
            members[loops.innermost(block).map_or(count, |l| l.index())].push(Unit::Block(block));
        }
        let cold = cold_blocks(func, cfg);
        let edges = Edges::compute(func, cfg, loops, &cold);
        Placer {
            cfg,
            loops,
            frequency,
            warmth: warmth(func, cfg, loops, &cold, &edges),
            edges,
            members,
            sequences: vec![Vec::new(); count],
            placed_block: vec![false; func.num_blocks()],
            placed_loop: vec![false; count],
            unlikely: Vec::new(),
            entry: func.entry(),
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
        let level = match start {
            Unit::Block(block) => self.loops.innermost(block),
            Unit::Loop(l) => self.loops.parent(l),
        };
        members.sort_by_key(|&u| self.cfg.rpo_number(self.first_block(u)));
        let mut out = Vec::new();
        let mut next = 0;
        let mut current = Some(start);
        loop {
            let unit = match current {
                Some(unit) => unit,
                None => {
                    while next < members.len() && self.is_placed(members[next]) {
                        next += 1;
                    }
                    let Some(&unit) = members.get(next) else { break };
                    unit
                }
            };
            let cold = self.is_cold(unit) && self.first_block(unit) != self.entry && unit != start;
            let last = self.place(unit, &mut out, cold);
            current = if cold { None } else { last.and_then(|last| self.best_successor(last, level)) };
        }
        out
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
        let taken = |from: Block, to: Block| self.frequency[from.index()] * self.edges.between(self.cfg, from, to);
        // Saved is the jump back; what fell into the part jumps there, and to leave from its end
        // may take a jump.
        let saved = |start: usize, last: Block| {
            let back = taken(last, header);
            let leaves = self.frequency[last.index()] - back;
            back - leaves - taken(sequence[start - 1], sequence[start])
        };
        let end = sequence.len();
        let last = *sequence.last()?;
        // What runs inside inner loops outweighs a jump in every iteration of this one.
        let innermost = sequence.iter().all(|&block| self.loops.innermost(block) == Some(l));
        let starts = if innermost { 1..end } else { end..end };
        let blocks = (1..end).filter(|&at| self.cfg.succs(sequence[at]) == [header]);
        let mut best = (self.frequency[header.index()] * (EXIT + MIN_SAVED), None);
        for (start, end) in blocks.map(|at| (at, at + 1)).chain(starts.rev().map(|at| (at, end))) {
            let saved = saved(start, if end == start + 1 { sequence[start] } else { last });
            if saved > best.0 {
                best = (saved, Some(start..end));
            }
        }
        best.1
    }

    /// The unplaced unit of this level that should follow `block`.
    fn best_successor(&self, block: Block, level: Option<analysis::Loop>) -> Option<Unit> {
        let mut best: Option<(Unit, u32)> = None;
        let own = self.frequency[block.index()].max(MIN_FREQUENCY);
        for &succ in self.cfg.succs(block) {
            let unit = self.unit_at_level(succ, level);
            // Only whole units of this very level.
            let inside = level.is_none_or(|l| self.loops.contains(l, succ));
            if !inside || self.is_placed(unit) || self.first_block(unit) != succ || self.is_cold(unit) {
                continue;
            }
            if self.size && self.waits(succ) {
                continue;
            }
            let number = self.cfg.rpo_number(succ).unwrap_or(u32::MAX);
            // A successor whose flow mostly comes from here goes next even if another one is
            // earlier.
            let only_pred = self.cfg.preds(succ).len() == 1;
            if only_pred && self.frequency[succ.index()] >= own * LIKELY {
                return Some(unit);
            }
            if best.is_none_or(|(_, n)| number < n) {
                best = Some((unit, number));
            }
        }
        best.map(|b| b.0)
    }

    /// Whether a block that leads to this one, not by jumping back, has no place yet.
    fn waits(&self, block: Block) -> bool {
        let number = self.cfg.rpo_number(block);
        self.cfg.preds(block).iter().any(|&pred| self.cfg.rpo_number(pred) < number && !self.placed_block[pred.index()])
    }
}
