//! Loop unswitching: a branch in a loop on a condition that does not change in it is taken once,
//! before the loop, which is duplicated.
//!
//! Only innermost loops of at most [`MAX_SIZE`] instructions, and [`MAX_UNSWITCHED`] per function;
//! not with `-Os`. At `-O3` also loops with one loop in them: the test whether that one runs at all
//! goes, and the two can be vectorised together. The condition may be evaluated before the loop
//! even if the loop would never have reached the branch: it is a value defined outside, and there
//! is no poison.
//!
//! At `-O3` strides that are not known are compared with one before the loop, too ([`strides`]).
//!
//! Values used after the loop have two definitions then; the SSA updater makes the phis.
//!
//! Cost: linear.
//!
//! ```text
//! b1: ...                               b0: cond_br c, b1, b5
//!     cond_br c, b2, b3           =>    b1: ...; br b2 ...
//!                                       b5: ...; br b7 ...
//! ```

mod strides;

use ir::analysis::sums::induction::{is_invariant, preheader_and_latch};
use ir::analysis::{Cfg, Loop, LoopRef};
use ir::ssa::{Redefinitions, RegionCopy, copy_region, copyable_size, merge_copies};
use ir::{Block, BranchHint, Builder, Function, Position, Value};
use platform::options::OptLevel;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, for_size: false, ..Pass::new("loop_unswitch", run) };

/// Largest loop that is duplicated, in instructions.
const MAX_SIZE: usize = 60;

/// Duplicated loops per function.
const MAX_UNSWITCHED: usize = 6;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let mut unswitched = 0;
    while unswitched < MAX_UNSWITCHED {
        let loops = cx.analyses.loops(func);
        if loops.is_empty() {
            break;
        }
        let cfg = cx.analyses.cfg(func);
        let all = loops.blocks(&cfg);
        // The number of the loop in question never decreases: a duplicated loop is looked at again
        // by what is left in it.
        let nests = cx.options.level == OptLevel::O3;
        let fits = |l: Loop| nests || all[l].iter().all(|&b| loops.innermost(b) == Some(l));
        let found = |l: Loop| candidate(func, &cfg, loops.at(l), &all[l]);
        let Some((l, block, preheader)) = loops.loops().filter(|&l| fits(l)).find_map(found) else { break };
        let place = func.source_loc(func.terminator(block));
        let redefined = unswitch(func, &all[l], loops.header(l), preheader, block);
        unswitched += 1;
        cx.remark(PASS.name, place, || format!("loop of {} blocks duplicated for an invariant branch", all[l].len()));
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    cx.statistics.add("loops unswitched", unswitched as u64);
    let versions = if cx.options.level == OptLevel::O3 { strides::run(func, cx) } else { 0 };
    cx.statistics.add("loops with versions for unit strides", versions);
    cx.analyses.keep();
    Changed::control_flow_if(unswitched > 0 || versions > 0)
}

/// A block that branches on an invariant, of a loop with at most one loop in it; with the loop's
/// preheader.
fn candidate(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> Option<(Loop, Block, Block)> {
    l.only_inner(blocks)?;
    let branches_on_invariant = |&block: &Block| {
        let terminator = func.terminator(block);
        let data = func.insts[terminator];
        data.two_dests().is_some()
            && func.constant(func.operand(terminator, 0)).is_none()
            && is_invariant(func, l, func.operand(terminator, 0))
    };
    let block = blocks.iter().copied().find(|b| branches_on_invariant(b))?;
    let (preheader, _) = preheader_and_latch(func, cfg, l)?;
    copyable_size(func, blocks, MAX_SIZE)?;
    Some((l.id, block, preheader))
}

fn unswitch(func: &mut Function, blocks: &[Block], header: Block, preheader: Block, block: Block) -> Redefinitions {
    let branch = func.terminator(block);
    let (then, otherwise) = func.insts[branch].dests();
    let (copy, redefined) = duplicate(func, blocks, (preheader, header), func.operand(branch, 0));
    // The loop keeps the taken side, the copy the other one.
    let there = copy.blocks[&block];
    let copied = |b: Block| copy.blocks.get(&b).copied().unwrap_or(b);
    take(func, block, then, otherwise);
    take(func, there, copied(otherwise), copied(then));
    redefined
}

/// Makes a copy of a loop for where `cond` is false; the edge into the loop goes to either.
fn duplicate(func: &mut Function, blocks: &[Block], edge: (Block, Block), cond: Value) -> (RegionCopy, Redefinitions) {
    let (preheader, header) = edge;
    let last = *blocks.last().expect("a loop has blocks");
    let copy = copy_region(func, blocks, last);
    // Each loop has a preheader of its own, as the passes to come want it.
    let [before, before_copy] = [header, copy.blocks[&header]].map(|header| preheader_between(func, preheader, header));
    func.replace_terminator(preheader, |b| b.cond_br(cond, before, before_copy, BranchHint::None));
    let mut redefined = Redefinitions::default();
    merge_copies(func, blocks, std::slice::from_ref(&copy), &mut redefined);
    (copy, redefined)
}

/// A block that jumps to the header and stands for `pred` in its phis.
fn preheader_between(func: &mut Function, pred: Block, header: Block) -> Block {
    let between = func.make_block();
    func.insert_block_after(pred, between);
    Builder::new(func, Position::End(between)).br(header);
    func.replace_pred(header, pred, between);
    between
}

/// Makes the branch at the end of a block a jump to `target`.
fn take(func: &mut Function, block: Block, target: Block, dropped: Block) {
    func.drop_pred(dropped, block);
    func.replace_terminator(block, |b| b.br(target));
}
