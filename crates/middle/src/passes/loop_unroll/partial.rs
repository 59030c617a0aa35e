//! Partial unrolling of innermost loops: `-funroll-loops`, `#pragma GCC unroll` (gcc's manual,
//! "Options That Control Optimization"), loops that are hot by a profile, and some others.
//!
//! Copies of the loop follow it; the latch of each continues in the next copy, the last one returns
//! to the loop. Every copy keeps its test and its exits, so that any number of iterations is right;
//! where the number is a constant that the copies divide, only the last test is left. There, small
//! loops within others whose iterations are independent are unrolled from `-O2` on, and loops that
//! hand values from variable to variable, as the steps of a hash do: the copies have no moves.
//!
//! Needs loops with a preheader and one latch. Preserves nothing. Cost: linear in the copies, which
//! [`MAX_SIZE`] limits for each loop and [`MAX_GROWTH`] for a function.

use ir::analysis::sums::Linear;
use ir::analysis::sums::induction::{Counter, counted_loop, counter, preheader_and_latch};
use ir::analysis::sums::loops::LoopSums;
use ir::analysis::{Cfg, Frequencies, Heat, Loop, LoopRef};
use ir::effects::is_pure;
use ir::ssa::{Redefinitions, RegionCopy, copy_region, copyable_size, merge_copies, set_only_entry};
use ir::{Block, Function, Inst, Opcode};
use platform::options::{OptLevel, UnrollLoops};

use crate::pass::{Changed, PassContext};

use super::{MAX_HINTED_SIZE, edges_are_plain};

/// Instructions of a loop with its copies (gcc's `max-unrolled-insns`).
const MAX_SIZE: usize = 200;
/// Iterations in one (gcc's `max-unroll-times`).
const MAX_TIMES: usize = 8;
/// Instructions made in one function.
const MAX_GROWTH: usize = 20_000;
/// Blocks of a loop that is unrolled for being small.
const MAX_BLOCKS: usize = 4;
/// Iterations between a store and a load of the same place that keep such a loop from it.
const MAX_APART: i64 = 8;
/// Iterations, on the average, that a loop is unrolled for without being asked.
const MANY_TRIPS: f32 = 16.0;
/// Variables that become others in each iteration, for a loop to be unrolled for them.
const MIN_HANDED_ON: usize = 2;
/// Instructions of a loop for each of them.
const SIZE_FOR_HANDED_ON: usize = 12;
/// The same where the variables are loads of later iterations: what gcc's predictive commoning
/// unrolls, at `-O3`.
const SIZE_FOR_CARRIED: usize = 24;
/// Constant numbers of iterations are looked for up to here.
const MAX_KNOWN: u64 = 4096;

/// What a loop may be unrolled to.
#[derive(Copy, Clone)]
struct Wanted {
    /// Instructions of the loop with its copies.
    size: usize,
    /// Iterations in one.
    times: usize,
    /// Whether the number of iterations need not be computable.
    any: bool,
    /// Whether it must be a constant that the copies divide.
    divides: bool,
}

impl Wanted {
    /// If its test is a counter's.
    const IF_COUNTED: Wanted = Wanted { size: MAX_SIZE, times: MAX_TIMES, any: false, divides: false };
    /// If its iterations are independent.
    const SMALL: Wanted = Wanted { size: 64, times: 4, any: false, divides: true };
    /// If its variables become one another.
    const SHIFTING: Wanted = Wanted { size: MAX_SIZE, times: 4, any: false, divides: false };
    /// If they do so since loads of the next iterations are variables.
    const CARRIED: Wanted = Wanted { size: MAX_SIZE, times: 2, any: false, divides: false };
}

struct Candidate {
    header: Block,
    latch: Block,
    blocks: Vec<Block>,
    times: usize,
    /// Where the latches of all copies but the last one never leave to.
    never_leaves_to: Option<Block>,
}

/// Unrolls what the options ask for; the number of loops.
/// With `carried` only loops whose variables are loads that earlier iterations have done.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>, carried: bool) -> u64 {
    let wanted = cx.options.codegen.unroll_loops;
    let all_loops = wanted != UnrollLoops::No && !cx.options.optimize_size;
    let small_loops = !cx.options.optimize_size && cx.options.level >= OptLevel::O2;
    if !all_loops && !small_loops && func.loop_hints.is_empty() && func.counted.is_none() {
        return 0;
    }
    let loops = cx.analyses.loops(func);
    let cfg = cx.analyses.cfg(func);
    // Loops that earlier runs took many times around, and spent their time in.
    let frequencies = Frequencies::counted(func, &cfg, &loops).filter(|_| !cx.options.optimize_size);
    let is_hot = |func: &Function, l: Loop| {
        let hot = |f: &Frequencies| f.heat(func, loops.header(l)) == Some(Heat::Hot) && f.trips(l) >= MANY_TRIPS;
        frequencies.as_ref().is_some_and(hot)
    };
    let all = loops.blocks(&cfg);
    let mut left = MAX_GROWTH;
    let mut candidates = Vec::new();
    for l in loops.loops() {
        let blocks = &all[l];
        let hint = loops.at(l).hint(func).unroll.map(|times| times as usize);
        let wanted = match hint {
            None if carried && shifts(func, &cfg, loops.at(l), blocks, 1, SIZE_FOR_CARRIED) => Wanted::CARRIED,
            _ if carried => continue,
            Some(times) => Wanted { size: MAX_HINTED_SIZE, times, any: true, divides: false },
            None if all_loops => Wanted { any: wanted == UnrollLoops::All, ..Wanted::IF_COUNTED },
            None if is_hot(func, l) => Wanted::IF_COUNTED,
            None if small_loops && loops.parent(l).is_some() && is_independent(func, &cfg, loops.at(l), blocks) => {
                Wanted::SMALL
            }
            None if small_loops && shifts(func, &cfg, loops.at(l), blocks, MIN_HANDED_ON, SIZE_FOR_HANDED_ON) => {
                Wanted::SHIFTING
            }
            None => continue,
        };
        if blocks.iter().all(|&b| loops.innermost(b) == Some(l))
            && !cx.remainder_loops.contains(&loops.header(l))
            && let Some(candidate) = candidate(func, &cfg, loops.at(l), blocks, wanted, &mut left)
        {
            candidates.push(candidate);
        }
    }
    let mut redefined = Redefinitions::default();
    for candidate in &candidates {
        let place = cx.place(func, loops.headed(candidate.header));
        cx.remark(super::PASS.name, place, || format!("loop unrolled {} times", candidate.times));
        unroll(func, candidate, &mut redefined);
    }
    // Asked for once.
    func.loop_hints.iter_mut().for_each(|(_, hint)| hint.unroll = hint.unroll.and(Some(1)));
    if !candidates.is_empty() {
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    candidates.len() as u64
}

/// Whether enough phis become others of the header for the moves to matter.
fn shifts(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block], least: usize, size: usize) -> bool {
    let Some((_, latch)) = preheader_and_latch(func, cfg, l) else { return false };
    let is_other = |phi: &Inst| {
        let next = func.phi_value(*phi, latch).and_then(|v| func.def_inst(v));
        next.is_some_and(|i| i != *phi && func.insts[i].opcode == Opcode::Phi && func.inst_block(i) == Some(l.header()))
    };
    let handed_on = func.phis(l.header()).filter(is_other).count();
    handed_on >= least && copyable_size(func, blocks, handed_on * size).is_some()
}

/// Whether iterations hand nothing on but counters, and load nothing that one before them stored:
/// they may overlap as far as the test in each lets them, which takes as long as a small body.
fn is_independent(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> bool {
    let Some(counted) = counted_loop(func, cfg, l).filter(|_| blocks.len() <= MAX_BLOCKS) else { return false };
    let as_counter = |phi| counter(func, phi, counted.preheader, counted.latch);
    let Some(counters) = func.phis(l.header()).map(as_counter).collect::<Option<Vec<Counter>>>() else { return false };
    let sums = LoopSums { l, counters: &counters, counted: &counted, uniform: &[] };
    let (mut loaded, mut stored) = (Vec::new(), Vec::new());
    for inst in blocks.iter().flat_map(|&b| func.block_insts(b)) {
        let opcode = func.insts[inst].opcode;
        if matches!(opcode, Opcode::Load | Opcode::Store) {
            let Some(address) = sums.of(func, func.operand(inst, 0)) else { return false };
            if opcode == Opcode::Load { loaded.push(address) } else { stored.push(address) }
        } else if !is_pure(func, inst) && opcode != Opcode::Phi && !opcode.is_terminator() {
            return false;
        }
    }
    let comes_later = |load: &Linear, store: &Linear| {
        let apart = load.distance_to(store).unwrap_or(0);
        apart != 0 && apart % store.step == 0 && (1..MAX_APART).contains(&(apart / store.step))
    };
    let moves = |store: &Linear| store.step != 0;
    stored.iter().all(|store| moves(store) && !loaded.iter().any(|load| comes_later(load, store)))
}

fn candidate(
    func: &Function,
    cfg: &Cfg,
    l: LoopRef<'_>,
    blocks: &[Block],
    wanted: Wanted,
    left: &mut usize,
) -> Option<Candidate> {
    let counted = counted_loop(func, cfg, l);
    let latch = match &counted {
        Some(counted) => counted.latch,
        None if wanted.any => preheader_and_latch(func, cfg, l)?.1,
        None => return None,
    };
    let size = copyable_size(func, blocks, wanted.size / 2)?.max(1);
    let most = (wanted.size / size).min(wanted.times).min(*left / size);
    let trips = counted.and_then(|counted| counted.constant_trips(func, MAX_KNOWN));
    let dividing = (2..=most).rev().find(|&times| trips.is_some_and(|trips| trips % times as u64 == 0));
    let times = match dividing {
        Some(times) => times,
        None if wanted.divides => return None,
        None if most < 2 || wanted.size == MAX_HINTED_SIZE => most,
        None => 1 << most.ilog2(),
    };
    let runs_out = trips.is_some_and(|trips| trips < times as u64);
    if times < 2 || runs_out || !edges_are_plain(func, cfg, l, blocks) {
        return None;
    }
    *left -= size * times;
    let never_leaves_to = dividing.and(counted).map(|counted| counted.exit);
    Some(Candidate { header: l.header(), latch, blocks: blocks.to_vec(), times, never_leaves_to })
}

fn unroll(func: &mut Function, candidate: &Candidate, redefined: &mut Redefinitions) {
    let Candidate { header, latch, blocks, times, never_leaves_to } = candidate;
    let (header, latch) = (*header, *latch);
    let phis: Vec<Inst> = func.phis(header).collect();
    let mut copies: Vec<RegionCopy> = Vec::new();
    let mut from = latch;
    for _ in 1..*times {
        let copy = copy_region(func, blocks, from);
        for &phi in &phis {
            let value = func.phi_value(phi, latch).expect("one entry per predecessor");
            let value = copies.last().map_or(value, |previous| previous.value(value));
            let copied = func.def_inst(copy.value(func.first_result(phi))).expect("a phi");
            set_only_entry(func, copied, value, from);
        }
        from = copy.blocks[&latch];
        copies.push(copy);
    }
    let last = copies.last().expect("two times or more");
    for &phi in &phis {
        let at = func.phi_index(phi, latch).expect("one entry");
        let value = last.value(func.operand(phi, at));
        func.set_operand(phi, at, value);
        func.set_phi_block(phi, at, last.blocks[&latch]);
    }
    // Each latch goes on to the copy after it, the last one to the loop.
    let latches: Vec<Block> = [latch].into_iter().chain(copies.iter().map(|copy| copy.blocks[&latch])).collect();
    let headers: Vec<Block> = [header].into_iter().chain(copies.iter().map(|copy| copy.blocks[&header])).collect();
    for (at, &latch) in latches.iter().enumerate() {
        let next = headers[(at + 1) % headers.len()];
        match never_leaves_to {
            Some(exit) if at + 1 < latches.len() => {
                func.drop_pred(*exit, latch);
                func.replace_terminator(latch, |b| b.br(next));
            }
            _ => {
                let own = headers[at];
                let terminator = func.terminator(latch);
                func.map_targets(terminator, |t| if t == own { next } else { t });
            }
        }
    }
    merge_copies(func, blocks, &copies, redefined);
}
