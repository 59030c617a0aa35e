//! Partial unrolling: a loop whose number of rounds can be computed before it runs several rounds between two tests.
//!
//! The loop is copied a few times; the copies follow each other without tests in between and the last one tests for all. They run whole groups of rounds; what is
//! left runs in the loop itself, which also takes over if there are fewer rounds than copies. Other ways out of the loop are
//! copied with it.
//!
//! With `-funroll-loops` up to eight copies of at most [`MAX_SIZE`] instructions together, gcc's limits. Not the loops that vectorisation has
//! left for the last few rounds.
//!
//! Cost: linear in what is made, at most [`MAX_GROWTH`] instructions per function.
//!
//! ```text
//! b1: i = phi [0, b0], [n, b1]           b0: cond_br icmp.uge k, 2, c1, b3       (k rounds)
//!     f(i)                               c1: i1 = phi [0, b0], [n2, c2]; f(i1); n1 = add i1, 1; br c2
//!     n = add i, 1                  =>   c2: f(n1); n2 = add n1, 1; cond_br icmp.ne n2, k & -2, c1, b4
//!     cond_br icmp.slt n, k, b1, b2      b4: cond_br icmp.eq k, k & -2, b2, b3
//!                                        b3: i3 = phi [0, b0], [n2, b4]; br b1
//!                                        b1: the loop as it was
//! ```

use ir::analysis::{Cfg, LoopTree};
use ir::{Block, BranchHint, Builder, Function, Inst, IntCc, Opcode, Position, Type, Value};

use crate::analysis::induction::{CountedLoop, counted_loop};
use crate::analysis::trip_count::{TripCount, trip_count};
use crate::pass::{Changed, Pass, PassContext};
use crate::passes::mem2reg;
use crate::region::{RegionCopy, copy_region, copyable_size, drop_phi_entries, merge_copies};

/// The pass.
pub const PASS: Pass = Pass { name: "partial_unroll", run };

/// Instructions of all copies of one loop.
const MAX_SIZE: usize = 200;

/// Copies.
const MAX_COPIES: usize = 8;

/// Instructions made in one function.
const MAX_GROWTH: usize = 2000;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if !cx.options.codegen.unroll_loops || cx.options.optimize_size || func.calls_setjmp || loops.is_empty() {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let candidates = candidates(func, cx, &cfg, &loops);
    for candidate in &candidates {
        unroll(func, candidate);
        cx.remainder_loops.insert(candidate.header);
        cx.remark(PASS.name, || format!("loop unrolled, {} rounds at once", candidate.copies));
    }
    cx.statistics.add("loops unrolled partially", candidates.len() as u64);
    if candidates.is_empty() {
        return Changed::Nothing;
    }
    cx.analyses.invalidate(Changed::ControlFlow);
    (mem2reg::PASS.run)(func, cx);
    Changed::ControlFlow
}

struct Candidate {
    header: Block,
    blocks: Vec<Block>,
    counted: CountedLoop,
    trips: TripCount,
    copies: usize,
}

/// Innermost loops that fit.
fn candidates(func: &Function, cx: &PassContext<'_>, cfg: &Cfg, loops: &LoopTree) -> Vec<Candidate> {
    let all = loops.blocks(cfg);
    let mut budget = MAX_GROWTH;
    let mut out: Vec<Candidate> = Vec::new();
    for l in loops.loops() {
        let (blocks, header) = (&all[l], loops.header(l));
        if blocks.iter().any(|&b| loops.innermost(b) != Some(l)) || cx.remainder_loops.contains(&header) {
            continue;
        }
        let Some(counted) = counted_loop(func, cfg, loops, l) else { continue };
        let Some(trips) = trip_count(func, &counted) else { continue };
        let Some(size) = copyable_size(func, blocks, MAX_SIZE.min(budget) / 2) else { continue };
        let most = (MAX_SIZE.min(budget) / size.max(1)).min(MAX_COPIES);
        let Some(copies) = copies(most, trips.known()) else { continue };
        if !returns_once(func, header, blocks) {
            continue;
        }
        budget -= copies * size;
        out.push(Candidate { header, blocks: blocks.clone(), counted, trips, copies });
    }
    out
}

/// The greatest power of two that fits; one that divides a known number of rounds, if that is not much smaller.
fn copies(most: usize, known: Option<u64>) -> Option<usize> {
    let most = if most < 2 { return None } else { 1 << most.ilog2() };
    let Some(trips) = known else { return Some(most) };
    let fits = [most, most / 2].into_iter().find(|&c| c >= 2 && trips % c as u64 == 0).unwrap_or(most);
    (trips >= 2 * fits as u64).then_some(fits)
}

/// Whether every block has at most one edge to the header.
fn returns_once(func: &Function, header: Block, blocks: &[Block]) -> bool {
    blocks.iter().all(|&b| {
        let mut count = 0;
        func.for_each_target(func.terminator(b), |t| count += (t == header) as usize);
        count <= 1
    })
}

fn unroll(func: &mut Function, c: &Candidate) {
    let CountedLoop { preheader, latch, exit, counter, .. } = c.counted;
    let ty = func.insts[counter.phi].ty;
    let header_phis: Vec<Inst> = func.phis(c.header).collect();
    let starts: Vec<Value> = header_phis.iter().map(|&p| entry(func, p, preheader)).collect();
    let nexts: Vec<Value> = header_phis.iter().map(|&p| entry(func, p, latch)).collect();

    let rest = func.make_block();
    func.insert_block_after(preheader, rest);
    Builder::new(func, Position::End(rest)).br(c.header);
    let jump = func.terminator(preheader);
    let trips = c.trips.emit(func, jump);
    let mask = func.iconst(Type::I64, -(c.copies as i64));
    let mut b = Builder::before(func, jump);
    let groups = b.binary(Opcode::And, trips, mask);
    let step = b.iconst(Type::I64, counter.step);
    let mut way = b.binary(Opcode::Mul, groups, step);
    if ty.bits() < 64 {
        way = b.unary(Opcode::Trunc, ty, way);
    }
    let end = if ty.is_ptr() { b.ptradd(counter.start, way, 0) } else { b.binary(Opcode::Add, counter.start, way) };
    let least = b.iconst(Type::I64, c.copies as i64);
    let enough = b.icmp(IntCc::Uge, trips, least);

    let mut copies: Vec<RegionCopy> = Vec::new();
    let mut from = preheader;
    for _ in 0..c.copies {
        let copy = copy_region(func, &c.blocks, from);
        from = copy.blocks[&latch];
        copies.push(copy);
    }
    let last = copies.last().expect("at least two copies");
    let (first_header, last_latch) = (copies[0].blocks[&c.header], last.blocks[&latch]);
    let gather = func.make_block();
    func.insert_block_after(last_latch, gather);
    // Phis of the copies: the first one's from the preheader and from the last copy, the others' from the copy before.
    for (index, copy) in copies.iter().enumerate() {
        for (number, &phi) in header_phis.iter().enumerate() {
            let copied = func.def_inst(copy.value(func.first_result(phi))).expect("a phi");
            match index.checked_sub(1) {
                None => {
                    set_entries(func, copied, &[(starts[number], preheader), (last.value(nexts[number]), last_latch)])
                }
                Some(before) => {
                    let value = copies[before].value(nexts[number]);
                    set_entries(func, copied, &[(value, copies[before].blocks[&latch])]);
                }
            }
        }
    }
    // The way out behind all copies.
    let exit_phis: Vec<Inst> = func.phis(exit).collect();
    for phi in exit_phis {
        let value = last.value(entry(func, phi, latch));
        func.phi_push(phi, value, gather);
    }
    for copy in &copies {
        drop_phi_entries(func, exit, copy.blocks[&latch]);
    }
    for pair in copies.windows(2) {
        let next = pair[1].blocks[&c.header];
        replace_end(func, pair[0].blocks[&latch], |b| b.br(next));
    }
    let next = last.value(func.first_result(counter.next));
    replace_end(func, last_latch, |b| {
        let goes_on = b.icmp(IntCc::Ne, next, end);
        b.cond_br(goes_on, first_header, gather, BranchHint::None)
    });
    let mut b = Builder::new(func, Position::End(gather));
    let done = b.icmp(IntCc::Eq, trips, groups);
    b.cond_br(done, exit, rest, BranchHint::None);
    replace_end(func, preheader, |b| b.cond_br(enough, first_header, rest, BranchHint::Likely));

    // The loop itself goes on where the copies have left off.
    for (number, &phi) in header_phis.iter().enumerate() {
        let ty = func.insts[phi].ty;
        let jump = func.terminator(rest);
        let entries = [(starts[number], preheader), (last.value(nexts[number]), gather)];
        let merged = Builder::before(func, jump).phi(ty, &entries);
        let merged = func.first_result(merged);
        set_entries(func, phi, &[(merged, rest), (nexts[number], latch)]);
    }
    merge_copies(func, &c.blocks, &copies);
}

fn entry(func: &Function, phi: Inst, pred: Block) -> Value {
    func.phi_value(phi, pred).expect("one entry per predecessor")
}

fn set_entries(func: &mut Function, phi: Inst, entries: &[(Value, Block)]) {
    while func.num_operands(phi) > entries.len() {
        func.phi_swap_remove(phi, 0);
    }
    for (index, &(value, pred)) in entries.iter().enumerate() {
        func.set_operand(phi, index, value);
        func.set_phi_block(phi, index, pred);
    }
}

fn replace_end(func: &mut Function, block: Block, make: impl FnOnce(&mut Builder<'_>) -> Inst) {
    let terminator = func.terminator(block);
    let loc = func.inst_locs[terminator];
    func.remove_inst(terminator);
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    make(&mut b);
}
