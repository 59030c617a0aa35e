//! Jump threading: an edge after which a branch is already decided goes straight to where the
//! branch goes.
//!
//! Along the edge from `p` into `b`, the phis of `b` have `p`'s values, and what the branches at
//! `p` and above it (through single predecessors) decided is known. If with this the condition of
//! `b` folds, or is a comparison that a known one implies, a copy of `b` that only jumps to the
//! chosen target takes over the edge. Between the edge and the branch there may be up to
//! [`MAX_JOINS`] blocks that only join paths (the end of a loop's body, say); they are copied too.
//! So are short tests of something else, where the branch's own condition has been tested before.
//! Paths of more than [`MAX_COPY`] instructions or with calls are not copied. Values that now have
//! two definitions get phis from the SSA updater.
//!
//! **Loops.** An edge that enters a loop is not threaded past its header: the loop would have two
//! entries. Back edges are threaded if they leave the loop (it was done), if all of them choose one
//! target (the test was of the first iteration only), or if they lead to a `switch` in or after the
//! header: a state machine, whose state is known where it is set (the loop's own test may stand
//! between, and is copied). Each state then jumps to the next; the states that remain for the
//! switch are found, and the rest of its cases go. Where that leaves a loop with several entries,
//! the function is put back as it was.
//!
//! Several edges into a block that choose one target share a copy, but for those from after the
//! target, which make it a loop's header. A function grows by at most [`MAX_GROWTH`] instructions
//! and a quarter, and for state machines by [`MAX_MACHINE_GROWTH`].
//!
//! Cost: linear in edges times [`MAX_COPY`], at most [`MAX_ITERATIONS`] iterations; a copy of the
//! function where headers are threaded.
//!
//! ```text
//! b1: br b3                                    b1: br b4
//! b2: br b3                             =>     b2: br b5
//! b3: v1 = phi [i1 1, b1], [i1 0, b2]
//!     cond_br v1, b4, b5
//! ```

mod copies;
mod facts;
mod states;

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use ir::analysis::sums::induction::{counter, entry_and_latch};
use ir::analysis::{Cfg, DominatorTree, Loop, LoopTree};
use ir::{Block, Function, Inst, Opcode, Value};
use platform::options::OptLevel;
use smallvec::SmallVec;

use self::copies::thread_all;
use self::facts::EdgeFacts;
use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::facts::Facts;
use ir::effects::is_pure;

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, ..Pass::new("jump_threading", run) };

/// The same at `-O3`, for functions in which loops were unrolled.
pub const AFTER_UNROLLING: Pass = Pass { from_level: OptLevel::O3, ..PASS.after_unrolling() };

/// Instructions of a path that are copied, phis and branch aside: about what a jump and a compare
/// saved are worth.
const MAX_COPY: usize = 6;

/// The same for paths to a state machine's switch: the test of the loop that it stands in, the next
/// character.
const MAX_MACHINE: usize = 12;

/// Blocks between an edge and the branch it decides.
const MAX_JOINS: usize = 2;

/// Instructions of a test that is copied so that a branch behind it on a condition tested before
/// goes.
const MAX_TEST: usize = 2;

/// The same for a state machine's switch.
const MAX_MACHINE_JOINS: usize = 5;

/// Predecessors of a block between.
const MAX_PREDS: usize = 24;

/// Paths to one branch that are looked at.
const MAX_PATHS: usize = 24;

/// Values that a branch is computed from.
const MAX_NEEDED: usize = 12;

/// Instructions by which any function may grow; beyond it, a quarter of its size.
const MAX_GROWTH: usize = 48;

/// The same for jumps past loop headers, from state to state.
const MAX_MACHINE_GROWTH: usize = 128;

/// Threading may make more edges threadable.
const MAX_ITERATIONS: usize = 8;

/// Targets after loop headers that edges are threaded to: each takes a copy of the function.
const MAX_HEADER_ITERATIONS: usize = 12;

/// Blocks that changed in this iteration: what was known of them may have changed as well.
type Touched = SecondaryMap<Block, bool>;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let size: usize = func.blocks().map(|b| func.block_insts(b).count()).sum();
    let mut budget = MAX_GROWTH + size / 4;
    let mut store = Facts::new(cx.module, cx.options);
    let mut threaded = thread_joins(func, cx, &mut store, &mut budget);
    let mut for_machines = MAX_MACHINE_GROWTH.max(budget);
    let (past_headers, touched) = thread_headers(func, cx, &mut store, &mut for_machines);
    threaded += past_headers;
    if past_headers > 0 {
        threaded += thread_joins(func, cx, &mut store, &mut budget);
    }
    cx.analyses.keep();
    cx.statistics.add("jumps threaded", threaded);
    if threaded > 0 {
        cx.note(PASS.name, || format!("{threaded} jumps threaded"));
    }
    Changed::control_flow_if(threaded > 0 || touched)
}

/// Threads edges into blocks that head no loop.
fn thread_joins<'a>(func: &mut Function, cx: &mut PassContext<'a>, store: &mut Facts<'a>, budget: &mut usize) -> u64 {
    let mut threaded = 0;
    for round in 0..MAX_ITERATIONS {
        let Some(mut iteration) = Iteration::new(func, cx) else { break };
        // From the other end every other time: the edges of one chain of tests, of which only some
        // can be threaded at a time, must not keep those of the block after it waiting.
        if round % 2 == 1 {
            iteration.candidates.reverse();
        }
        let decided = iteration.decide_joins(func, store, budget);
        if decided.is_empty() {
            break;
        }
        threaded += decided.iter().map(|d| d.preds.len() as u64).sum::<u64>();
        thread_all(func, cx, &decided);
    }
    threaded
}

/// Threads edges past loop headers, to one target at a time; what gives a loop several entries is
/// undone. Returns the number of edges, and whether the function was touched.
fn thread_headers<'a>(
    func: &mut Function,
    cx: &mut PassContext<'a>,
    store: &mut Facts<'a>,
    budget: &mut usize,
) -> (u64, bool) {
    let (mut threaded, mut touched) = (0, false);
    let mut refused: Vec<(Block, Block)> = Vec::new();
    let unrolls = cx.options.level == OptLevel::O3;
    for _ in 0..MAX_HEADER_ITERATIONS {
        let Some(mut iteration) = Iteration::new(func, cx) else { break };
        let left = *budget;
        let Some((header, decided)) = iteration.next_header(func, store, budget, &refused, unrolls) else { break };
        let before = Box::new(func.clone());
        touched = true;
        thread_all(func, cx, &decided);
        if states::prune(func) {
            cx.analyses.invalidate(Changed::ControlFlow);
            cx.analyses.remove_unreachable_blocks(func);
        }
        if cx.analyses.loops(func).has_irreducible() {
            *func = *before;
            cx.analyses.invalidate(Changed::ControlFlow);
            *budget = left;
            refused.push((header, decided[0].target));
            continue;
        }
        threaded += decided.iter().map(|d| d.preds.len() as u64).sum::<u64>();
    }
    (threaded, touched)
}

/// Edges that go through a path of blocks to the same target.
struct Decided {
    preds: Vec<Block>,
    /// The block the edges enter, blocks that it leads through, and the block with the branch.
    path: SmallVec<[Block; 4]>,
    target: Block,
}

struct Iteration {
    cfg: Rc<Cfg>,
    loops: Rc<LoopTree>,
    dominators: Rc<DominatorTree>,
    /// Blocks with branches that may be decided by the incoming edge.
    candidates: Vec<Block>,
    touched: Touched,
}

impl Iteration {
    fn new(func: &Function, cx: &mut PassContext<'_>) -> Option<Iteration> {
        let cfg = cx.analyses.cfg(func);
        let candidates: Vec<Block> = cfg.reverse_postorder().filter(|&b| is_candidate(func, &cfg, b)).collect();
        if candidates.is_empty() {
            return None;
        }
        let loops = cx.analyses.loops(func);
        let touched = SecondaryMap::with_capacity(func.num_blocks());
        let dominators = cx.analyses.dominators(func);
        (!loops.has_irreducible()).then_some(Iteration { cfg, loops, dominators, candidates, touched })
    }

    /// The loop that a block heads.
    fn headed_by(&self, block: Block) -> Option<Loop> {
        self.loops.innermost(block).filter(|&l| self.loops.header(l) == block)
    }

    /// The loop whose header a path leads through.
    fn passes_header(&self, path: &[Block]) -> Option<Loop> {
        path.iter().find_map(|&b| self.headed_by(b))
    }

    /// The edges to thread into all blocks but headers, apart from each other: no block of one path
    /// is on another one's, but for edges into the same block.
    fn decide_joins(&mut self, func: &mut Function, store: &mut Facts<'_>, budget: &mut usize) -> Vec<Decided> {
        let mut all = Vec::new();
        for index in 0..self.candidates.len() {
            let block = self.candidates[index];
            if self.touched[block] || self.headed_by(block).is_some() {
                continue;
            }
            let mut decided = self.decided_edges(func, store, block);
            decided.retain(|d| self.passes_header(&d.path).is_none());
            keep_affordable(func, budget, &mut decided);
            self.share_tests(func, &decided);
            for d in &decided {
                for &b in d.path.iter().chain(&d.preds).chain([&d.target]) {
                    self.touched[b] = true;
                }
            }
            all.append(&mut decided);
        }
        all
    }

    /// Moves comparisons with several users to before the paths that they are copied with, where
    /// they are of values from there: copies would meet in phis, and what is branched on is
    /// compared where the branch is. Other ways to a comparison lead past its paths' first blocks.
    fn share_tests(&self, func: &mut Function, decided: &[Decided]) {
        let mut tests: SmallVec<[(Inst, Block); 4]> = SmallVec::new();
        for d in decided {
            let from_path =
                |v: Value| func.def_inst(v).and_then(|i| func.inst_block(i)).is_some_and(|b| d.path.contains(&b));
            for &block in &d.path {
                let shared = func.block_insts(block).filter(|&test| {
                    func.insts[test].opcode == Opcode::ICmp
                        && !func.has_one_use(func.first_result(test))
                        && !func.operands(test).any(from_path)
                });
                for test in shared {
                    match tests.iter_mut().find(|t| t.0 == test) {
                        Some((_, first)) => *first = self.dominators.common_dominator(*first, d.path[0]),
                        None => tests.push((test, self.dominators.common_dominator(block, d.path[0]))),
                    }
                }
            }
        }
        for (test, first) in tests {
            let is_on_path = |b: Block| decided.iter().any(|d| d.path.contains(&b));
            let above = if is_on_path(first) { self.dominators.idom(first) } else { Some(first) };
            if let Some(above) = above {
                func.unplace_inst(test);
                func.insert_before(func.terminator(above), test);
            }
        }
    }

    /// Whether a value counts the iterations of a loop from a constant on. A `switch` over it is no
    /// state machine's: where the iterations are few, unrolling decides it, and the loops in
    /// between stay one loop each, which unrolls as well.
    fn counts(&self, func: &Function, value: Value) -> bool {
        let phi = func.def_with(value, Opcode::Phi);
        let loop_of = |phi: Inst| Some((phi, self.headed_by(func.inst_block(phi)?)?));
        phi.and_then(loop_of).is_some_and(|(phi, l)| {
            let ends = entry_and_latch(func, &self.cfg, self.loops.at(l));
            let counter = ends.and_then(|(entry, latch)| counter(func, phi, entry, latch));
            counter.is_some_and(|c| func.constant(c.start).is_some())
        })
    }

    /// A block, and the edges that go past a header to it and on to one target, other than those
    /// refused; where loops are unrolled, no `switch` over a counter.
    fn next_header(
        &mut self,
        func: &mut Function,
        store: &mut Facts<'_>,
        budget: &mut usize,
        refused: &[(Block, Block)],
        unrolls: bool,
    ) -> Option<(Block, Vec<Decided>)> {
        for &block in &self.candidates {
            let switches = func.insts[func.terminator(block)].opcode == Opcode::Switch;
            if !switches && self.headed_by(block).is_none() {
                continue;
            }
            let mut decided = self.decided_edges(func, store, block);
            decided.retain(|d| self.passes_header(&d.path).is_some() && !refused.contains(&(block, d.target)));
            if switches && unrolls && self.counts(func, func.operand(func.terminator(block), 0)) {
                continue;
            }
            self.keep_what_suits_headers(block, switches, &mut decided);
            let Some(target) = decided.first().map(|d| d.target) else { continue };
            decided.retain(|d| d.target == target);
            decided = self.apart(decided);
            keep_affordable(func, budget, &mut decided);
            if !decided.is_empty() {
                return Some((block, decided));
            }
        }
        None
    }

    /// Edges from after their target get copies of their own: with the target they are a loop,
    /// which is to be entered at the target.
    fn apart(&self, decided: Vec<Decided>) -> Vec<Decided> {
        let mut out = Vec::with_capacity(decided.len());
        for Decided { preds, path, target } in decided {
            let (behind, others): (Vec<Block>, Vec<Block>) =
                preds.into_iter().partition(|&pred| self.dominators.dominates(target, pred));
            let parts = [behind, others].into_iter().filter(|preds| !preds.is_empty());
            out.extend(parts.map(|preds| Decided { preds, path: path.clone(), target }));
        }
        out
    }

    /// The edges after which the branch of `block` is decided, by path and target.
    fn decided_edges(&self, func: &mut Function, store: &mut Facts<'_>, block: Block) -> Vec<Decided> {
        let mut out: Vec<Decided> = Vec::new();
        let mut to_headers: Vec<Decided> = Vec::new();
        // Paths from their first block to `block`, whose entering edges are still to be looked at.
        let mut work: Vec<SmallVec<[Block; 4]>> = vec![SmallVec::from_slice(&[block])];
        let mut paths = 0;
        while let Some(path) = work.pop() {
            paths += 1;
            if paths > MAX_PATHS {
                break;
            }
            let needed = needed_values(func, &path);
            let mut near = 0;
            for &pred in self.cfg.preds(path[0]) {
                if self.touched[pred] || !self.cfg.is_reachable(pred) || !is_redirectable(func, pred) {
                    continue;
                }
                let facts = EdgeFacts::new(store, func, &self.cfg, &self.touched, (pred, path[0]));
                let Some(target) = facts.decide(func, pred, &path, &mut near) else {
                    if self.is_join(func, &path, pred, block) && is_worth_it(func, pred, path[0], &needed, block) {
                        let mut longer: SmallVec<[Block; 4]> = SmallVec::from_slice(&[pred]);
                        longer.extend_from_slice(&path);
                        work.push(longer);
                    }
                    continue;
                };
                let is_latch = self
                    .loops
                    .innermost(target)
                    .is_some_and(|l| self.loops.header(l) == target && self.loops.contains(l, block));
                let unmerged = path.iter().all(|&b| self.cfg.preds(b).len() == 1);
                // Two ways may lead from one block to another.
                let is_taken = out.iter().chain(&to_headers).any(|d| d.path[0] == path[0] && d.preds.contains(&pred));
                // The edge itself is what the branch chooses again: nothing is left over it for the
                // copy to go to.
                let is_circle = pred == block && target == path[0];
                if target == block || self.touched[target] || unmerged || is_taken || is_circle {
                    continue;
                }
                let list = if is_latch { &mut to_headers } else { &mut out };
                match list.iter_mut().find(|d| d.target == target && d.path == path) {
                    Some(decided) => decided.preds.push(pred),
                    None => list.push(Decided { preds: vec![pred], path: path.clone(), target }),
                }
            }
        }
        // A second latch would keep a loop from being rotated; where nothing is left of the block,
        // the copy is the latch in its place.
        let direct = |list: &[Decided]| list.iter().filter(|d| d.path.len() == 1).map(|d| d.preds.len()).sum::<usize>();
        if direct(&out) + direct(&to_headers) == self.cfg.preds(block).len() {
            to_headers.retain(|d| d.path.len() == 1);
            out.append(&mut to_headers);
        }
        out
    }

    /// Whether a path may begin earlier, at a block that joins several ways to it, or, on the way
    /// to a state machine's switch, tests something else.
    fn is_join(&self, func: &Function, path: &[Block], join: Block, block: Block) -> bool {
        let terminator = func.terminator(join);
        let data = func.insts[terminator];
        let switches = func.insts[func.terminator(block)].opcode == Opcode::Switch;
        let preds = self.cfg.preds(join).len();
        let suits = match data.opcode {
            Opcode::Br => true,
            Opcode::CondBr => {
                let short = || size_of(func, join) <= MAX_TEST && is_tested_again(func, block);
                data.two_dests().is_some() && (switches || short())
            }
            _ => false,
        };
        suits
            && preds <= MAX_PREDS
            && path.len() <= if switches { MAX_MACHINE_JOINS } else { MAX_JOINS }
            && !path.contains(&join)
            && !self.touched[join]
            && join != func.entry()
            && !func.labels.contains(&join)
            && self.loops.innermost(join) == self.loops.innermost(block)
            && (switches || self.headed_by(join).is_none())
            && (self.headed_by(join).is_none() || self.passes_header(path).is_none())
            && size_of(func, join) + path.iter().map(|&b| size_of(func, b)).sum::<usize>() <= max_copy(func, block)
            && func.block_insts(join).all(|i| i == terminator || is_copyable(func, i))
    }

    /// Of the edges past headers that decide a block's branch, those that may be threaded.
    fn keep_what_suits_headers(&self, block: Block, switches: bool, decided: &mut Vec<Decided>) {
        let stays = |d: &Decided| self.passes_header(&d.path).is_some_and(|l| self.loops.contains(l, d.target));
        for d in decided.iter_mut().filter(|d| stays(d)) {
            let l = self.passes_header(&d.path).expect("it stays in the loop");
            d.preds.retain(|&p| self.loops.contains(l, p));
        }
        decided.retain(|d| !d.preds.is_empty());
        if switches {
            return;
        }
        let l = self.headed_by(block).expect("the branch of a header");
        let back = self.cfg.preds(block).iter().filter(|&&p| self.loops.contains(l, p)).count();
        let staying = || decided.iter().filter(|d| stays(d));
        let all_to_one = staying().all(|d| d.path.len() == 1)
            && staying().map(|d| d.preds.len()).sum::<usize>() == back
            && staying().map(|d| d.target).min() == staying().map(|d| d.target).max();
        if !all_to_one {
            decided.retain(|d| !stays(d));
        }
    }
}

/// What the branch at the end of a path is computed from, as far as it comes into the path's first
/// block: values from before, and phis of that block.
fn needed_values(func: &Function, path: &[Block]) -> SmallVec<[Value; 8]> {
    let last = *path.last().expect("not empty");
    let mut needed: SmallVec<[Value; 8]> = SmallVec::from_slice(&[func.operand(func.terminator(last), 0)]);
    for (index, &block) in path.iter().enumerate().rev() {
        let mut at = 0;
        while at < needed.len() {
            let def = func.def_inst(needed[at]).filter(|&i| func.inst_block(i) == Some(block));
            match def {
                Some(phi) if func.insts[phi].opcode == Opcode::Phi => {
                    if index > 0
                        && let Some(value) = func.phi_value(phi, path[index - 1])
                    {
                        needed[at] = value;
                    }
                    at += 1;
                }
                Some(inst) if is_pure(func, inst) && needed.len() < MAX_NEEDED => {
                    needed.swap_remove(at);
                    needed.extend(func.operands(inst).filter(|&v| func.constant(v).is_none()));
                }
                _ => at += 1,
            }
        }
    }
    needed
}

/// Whether the way into `pred` may decide what the edge from it into `block` does not: a value is
/// defined there, or, for a state machine, is merged somewhere.
fn is_worth_it(func: &Function, pred: Block, block: Block, needed: &[Value], end: Block) -> bool {
    let switches = func.insts[func.terminator(end)].opcode == Opcode::Switch;
    let is_phi = |inst: Inst| func.insts[inst].opcode == Opcode::Phi;
    let tests = func.insts[func.terminator(pred)].opcode == Opcode::CondBr;
    if (tests || is_tested_again(func, end)) && !switches {
        return true;
    }
    needed.iter().any(|&value| {
        let here = func.def_inst(value).filter(|&i| is_phi(i) && func.inst_block(i) == Some(block));
        let value = here.and_then(|phi| func.phi_value(phi, pred)).unwrap_or(value);
        func.def_inst(value).is_some_and(|i| func.inst_block(i) == Some(pred) || (switches && is_phi(i)))
    })
}

/// Whether the condition of a block's branch is that of another branch.
fn is_tested_again(func: &Function, block: Block) -> bool {
    let branch = func.terminator(block);
    let branches = |user: Inst| func.insts[user].opcode == Opcode::CondBr && user != branch;
    func.uses(func.operand(branch, 0)).any(|(user, _)| branches(user))
}

fn keep_affordable(func: &Function, budget: &mut usize, decided: &mut Vec<Decided>) {
    decided.retain(|d| {
        let size: usize = d.path.iter().map(|&b| size_of(func, b) + 1).sum();
        let affordable = size <= *budget;
        if affordable {
            *budget -= size;
        }
        affordable
    });
}

/// Instructions of a block without its phis and its terminator.
fn size_of(func: &Function, block: Block) -> usize {
    func.block_insts(block).filter(|&i| func.insts[i].opcode != Opcode::Phi).count() - 1
}

fn is_redirectable(func: &Function, pred: Block) -> bool {
    matches!(func.insts[func.terminator(pred)].opcode, Opcode::Br | Opcode::CondBr | Opcode::Switch)
}

fn max_copy(func: &Function, block: Block) -> usize {
    if func.insts[func.terminator(block)].opcode == Opcode::Switch { MAX_MACHINE } else { MAX_COPY }
}

/// Whether the block ends in a branch that the way to it may decide, and may be copied.
fn is_candidate(func: &Function, cfg: &Cfg, block: Block) -> bool {
    let terminator = func.terminator(block);
    let data = func.insts[terminator];
    if !matches!(data.opcode, Opcode::CondBr | Opcode::Switch)
        || (cfg.preds(block).len() < 2 && data.opcode != Opcode::Switch && !is_tested_again(func, block))
        || func.constant(func.operand(terminator, 0)).is_some()
        || block == func.entry()
        || func.labels.contains(&block)
    {
        return false;
    }
    let mut count = 0;
    func.block_insts(block).all(|inst| {
        if func.insts[inst].opcode == Opcode::Phi || inst == terminator {
            return true;
        }
        count += 1;
        count <= max_copy(func, block) && is_copyable(func, inst)
    })
}

fn is_copyable(func: &Function, inst: Inst) -> bool {
    is_pure(func, inst) || matches!(func.insts[inst].opcode, Opcode::Phi | Opcode::Load | Opcode::Store)
}
