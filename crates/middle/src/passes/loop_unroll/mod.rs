//! Full unrolling of small loops that run a known number of times.
//!
//! An innermost loop whose latch tests a counter with constant start, step and bound runs n times
//! (or leaves earlier by another exit). If n times its size is within the budget, n - 1 copies of
//! it are placed before it, each entered from the one before; the last iteration is the loop itself
//! without its back edge. The test at the end of each iteration is known and goes, the counter
//! becomes a constant per copy, and whatever depends on it folds in the passes that follow.
//!
//! Within another loop, and at `-O3`, the number may also be only the most that it can be, which
//! follows from the counters of the loops around: the copies keep their tests, which fold when
//! those are unrolled too.
//!
//! Where the counter decides branches in the loop, a `switch` over it say, what counts is what is
//! left of the iterations when those are decided ([`size::rounds_left`]).
//!
//! `#pragma GCC unroll` says how many iterations one may have, or that none is to be unrolled (1).
//! `-funroll-loops`, and the pragma, unroll the others partially ([`partial`]).
//!
//! Values used after the loop have one definition per copy then; the SSA updater makes the phis. At
//! `-O3` and with `-funroll-loops` the budget is larger; with `-Os` only loops of one iteration go.
//!
//! Cost: linear in what is made; at most [`MAX_GROWTH`] instructions per function remain, and at
//! most [`MAX_COPIED_O3`] are made.
//!
//! ```text
//! b1: i = phi [i32 0, b0], [n, b1]             b0: store i32 5, p
//!     q = ptradd p, i * 4                =>        q = ptradd p, i64 4
//!     store i32 5, q                               store i32 5, q
//!     n = add i, i32 1
//!     c = icmp.ne n, i32 2
//!     cond_br c, b1, b2
//! ```

mod partial;
mod size;

use ir::analysis::sums::induction::{CountedLoop, counted_loop};
use ir::analysis::sums::most_trips::Nests;
use ir::analysis::{Cfg, Frequencies, Heat, LoopRef, LoopTree};
use ir::ssa::{Redefinitions, RegionCopy, copyable_size, merge_copies, peel};
use ir::{Block, Function};
use platform::options::{OptLevel, UnrollLoops};

use crate::pass::{Changed, Pass, PassContext};

use size::{branches_on_counter, folding, rounds_left};

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, ..Pass::new("loop_unroll", run) };

/// The same for loops in which loads of later iterations have become variables.
pub const CARRIED: Pass = Pass { run: run_carried, from_level: OptLevel::O3, for_size: false, ..PASS };

/// Instructions that a loop may have after unrolling.
const MAX_SIZE: usize = 80;

/// Within another loop, the same before what folds in the copies is gone.
const MAX_NESTED_SIZE: usize = 400;

/// Within another loop, what may be left when it is gone.
const MAX_NESTED_LEFT: usize = 250;

/// The same at `-O3`, anywhere.
const MAX_SIZE_O3: usize = 400;

/// The same where the source asks for it.
const MAX_HINTED_SIZE: usize = 2000;

/// Iterations.
const MAX_TRIPS: u64 = 8;

/// The same at `-O3`, and at `-O2` within another loop.
const MAX_TRIPS_HOT: u64 = 32;

/// Instructions made in one function.
const MAX_GROWTH: usize = 2000;

/// Instructions copied in one function for iterations of which little is left, because the counter
/// decides what they run.
const MAX_COPIED: usize = 4000;

/// The same at `-O3`.
const MAX_COPIED_O3: usize = 12_000;

/// Loops that become innermost by unrolling those in them.
const MAX_ROUNDS: usize = 2;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let mut unrolled = 0;
    let copied = if cx.options.level == OptLevel::O3 { MAX_COPIED_O3 } else { MAX_COPIED };
    let mut budget = Budget { left: MAX_GROWTH, copied };
    for _ in 0..MAX_ROUNDS {
        let before = unrolled;
        let loops = cx.analyses.loops(func);
        if loops.is_empty() {
            break;
        }
        let cfg = cx.analyses.cfg(func);
        let candidates = candidates(func, cx, &cfg, &loops, &mut budget);
        let mut redefined = Redefinitions::default();
        for candidate in &candidates {
            let place = cx.place(func, loops.headed(candidate.header));
            cx.remark(PASS.name, place, || format!("loop of {} iterations unrolled", candidate.trips));
            unroll(func, candidate, &mut redefined);
            unrolled += 1;
        }
        if unrolled == before {
            break;
        }
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    cx.statistics.add("loops unrolled fully", unrolled);
    let repeated = partial::run(func, cx, false);
    cx.statistics.add("loops unrolled partially", repeated);
    unrolled += repeated;
    cx.analyses.keep();
    cx.has_unrolled |= unrolled > 0;
    Changed::control_flow_if(unrolled > 0)
}

fn run_carried(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let unrolled = if func.calls_setjmp { 0 } else { partial::run(func, cx, true) };
    cx.statistics.add("loops unrolled partially", unrolled);
    cx.analyses.keep();
    Changed::control_flow_if(unrolled > 0)
}

/// What may still be made in the function.
struct Budget {
    /// Instructions that remain.
    left: usize,
    /// Instructions, with those that go again.
    copied: usize,
}

struct Candidate {
    header: Block,
    blocks: Vec<Block>,
    counted: CountedLoop,
    /// All iterations, or the most that there may be.
    trips: u64,
    /// Whether there may be fewer.
    fewer: bool,
}

/// Innermost loops that fit. No two share a block; loops next to each other are left for the next
/// iteration.
fn candidates(
    func: &mut Function,
    cx: &PassContext<'_>,
    cfg: &Cfg,
    loops: &LoopTree,
    budget: &mut Budget,
) -> Vec<Candidate> {
    let hot_everywhere = cx.options.codegen.unroll_loops != UnrollLoops::No || cx.options.level == OptLevel::O3;
    let frequencies = Frequencies::counted(func, cfg, loops);
    let all = loops.blocks(cfg);
    let mut out: Vec<Candidate> = Vec::new();
    for l in loops.loops() {
        let blocks = &all[l];
        if blocks.iter().any(|&b| loops.innermost(b) != Some(l)) {
            continue;
        }
        let nested = loops.parent(l).is_some();
        let hinted = loops.at(l).hint(func).unroll;
        let heat = frequencies.as_ref().and_then(|f| f.heat(func, loops.header(l)));
        let for_size = cx.options.optimize_size || heat == Some(Heat::Cold);
        let (max_size, max_trips) = if let Some(times) = hinted {
            (MAX_HINTED_SIZE, u64::from(times))
        } else if for_size {
            (MAX_SIZE, 1)
        } else if hot_everywhere || heat == Some(Heat::Hot) {
            (MAX_SIZE_O3, MAX_TRIPS_HOT)
        } else {
            (MAX_SIZE, if nested { MAX_TRIPS_HOT } else { MAX_TRIPS })
        };
        let Some(counted) = counted_loop(func, cfg, loops.at(l)) else { continue };
        let exact = counted.constant_trips(func, max_trips);
        let bounded = || {
            Nests { func, cfg, loops }
                .most_trips(&counted, MAX_TRIPS)
                .filter(|_| max_size == MAX_SIZE_O3 || nested && !for_size)
        };
        let Some(trips) = exact.or_else(bounded) else { continue };
        let Some(size) = copyable_size(func, blocks, budget.copied / trips as usize) else { continue };
        if !edges_are_plain(func, cfg, loops.at(l), blocks) {
            continue;
        }
        let total = size.saturating_mul(trips as usize);
        if exact.is_none() && max_size == MAX_SIZE && total > MAX_SIZE {
            continue;
        }
        let fits = total <= max_size
            || nested
                && !holds_vectors(func, blocks)
                && !for_size
                && total <= MAX_NESTED_SIZE
                && (size - folding(func, loops.at(l), blocks, counted.counter.phi)) * trips as usize <= MAX_NESTED_LEFT;
        let left = if fits {
            total
        } else if for_size || !branches_on_counter(func, blocks, &counted) {
            continue;
        } else {
            let limit = max_size.min(budget.left);
            let Some(left) = rounds_left(func, cfg, loops.at(l), blocks, &counted, trips, limit) else { continue };
            left
        };
        if left > budget.left {
            continue;
        }
        budget.left -= left;
        budget.copied -= total;
        let fewer = exact.is_none();
        out.push(Candidate { header: loops.header(l), blocks: blocks.clone(), counted, trips, fewer });
    }
    out
}

/// Whether the loop computes with vectors: little of it folds when it is unrolled, and its test is
/// a small part of an iteration.
fn holds_vectors(func: &Function, blocks: &[Block]) -> bool {
    let mut results = blocks.iter().flat_map(|&b| func.block_insts(b)).filter_map(|i| func.result(i));
    results.any(|v| func.value_type(v).is_vector())
}

/// Whether no block of another candidate is touched: the preheader and exits are outside every
/// innermost loop that could be one too.
fn edges_are_plain(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> bool {
    let header = l.header();
    // The latch branches once to the header; other branches to it are not expected.
    blocks.iter().all(|&b| {
        let mut count = 0;
        func.for_each_target(func.terminator(b), |t| count += (t == header) as usize);
        count <= 1 && cfg.is_reachable(b)
    })
}

fn unroll(func: &mut Function, candidate: &Candidate, redefined: &mut Redefinitions) {
    let Candidate { header, blocks, counted, trips, fewer } = candidate;
    let (header, latch) = (*header, counted.latch);
    // The exit's phis get one entry per copy; only the last iteration leaves by the latch.
    let mut copies: Vec<RegionCopy> = Vec::new();
    let mut from = counted.preheader;
    for _ in 1..*trips {
        let copy = peel(func, blocks, header, from, latch);
        from = copy.blocks[&latch];
        if !*fewer {
            func.drop_pred(counted.exit, from);
            func.replace_terminator(from, |b| b.br(header));
        }
        copies.push(copy);
    }
    func.drop_pred(header, latch);
    func.replace_terminator(latch, |b| b.br(counted.exit));
    merge_copies(func, blocks, &copies, redefined);
}
