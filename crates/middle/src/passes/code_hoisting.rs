//! Code hoisting: what all successors of a branch compute is computed once, before the branch.
//!
//! The targets have no other predecessor. Of their first [`MAX_SCAN`] instructions those that are
//! equal, cannot trap and have operands from above are moved in front of the branch, so that users
//! of what was moved may follow. Comparisons stay: next to their branch they need no register. So
//! do loads, which are often operands of what uses them, and address sums, which the accesses after
//! them take in, unless a phi has the sum from both sides.
//!
//! Where size is what counts, branches have any number of targets, and more of these is looked at:
//! the cases of a `switch` are often copies of one function. Loads that nothing is written before
//! are moved as well then, and what writes where all that stands before it is.
//!
//! Before loops are looked at, this is done on branches inside of them alone, so that what both
//! sides step is a counter.
//!
//! Blocks are visited in postorder: what rises out of an inner branch may rise further. Linear in
//! blocks times [`MAX_SCAN`] squared.
//!
//! ```text
//! b0: cond_br c, b1, b2              b0: v1 = lshr v0, i32 1
//! b1: v1 = lshr v0, i32 1      =>        cond_br c, b1, b2
//!     v2 = xor v1, i32 7             b1: v2 = xor v1, i32 7
//! b2: v3 = lshr v0, i32 1            b2: (v1 for v3)
//! ```

use ir::effects::{is_pure, may_trap, may_write_memory};
use ir::{Block, Function, Inst, Module, Opcode, Value};
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("code_hoisting", run);

/// Instructions of each side that are looked at: sides that become selects are short.
const MAX_SCAN: usize = 8;
/// The same where size is what counts.
const MAX_SCAN_FOR_SIZE: usize = 48;
/// Targets of a branch then.
const MAX_SIDES: usize = 16;

/// The first instructions of a block.
type Start = SmallVec<[Inst; MAX_SCAN]>;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let size = cx.options.optimize_size;
    // What a loop's body and its exit both compute stays there: nests have to be simple.
    let loops = cx.runs_later(&PASS).then(|| cx.analyses.loops(func));
    let loop_of = |block: Block| loops.as_ref().and_then(|loops| loops.innermost(block));
    let stays = |block: Block, side: Block| loop_of(block).is_some() && loop_of(block) == loop_of(side);
    let mut hoisted = 0;
    for &block in cfg.postorder() {
        let branch = func.terminator(block);
        let is_branch = func.insts[branch].two_dests().is_some() || size && func.insts[branch].opcode == Opcode::Switch;
        let mut sides = func.targets(block);
        sides.sort_unstable();
        sides.dedup();
        let only_from_here = |&side: &Block| cfg.preds(side) == [block] && func.phis(side).next().is_none();
        let fits = |side: &Block| only_from_here(side) && (loops.is_none() || stays(block, *side));
        if is_branch && (2..=MAX_SIDES).contains(&sides.len()) && sides.iter().all(fits) {
            hoisted += hoist(func, cx.module, branch, &sides, size);
        }
    }
    cx.statistics.add("instructions hoisted out of branches", hoisted);
    Changed::code_if(hoisted > 0)
}

/// Moves what is equal at the start of all blocks before the branch; returns how many there were.
fn hoist(func: &mut Function, module: &Module, branch: Inst, sides: &[Block], size: bool) -> u64 {
    let scan = if size { MAX_SCAN_FOR_SIZE } else { MAX_SCAN };
    let mut others: Vec<Start> = sides.iter().map(|&side| func.block_insts(side).take(scan).collect()).collect();
    let first = others.remove(0);
    let mut hoisted = 0;
    for inst in first {
        let here = func.inst_block(inst);
        let from_above = func.operands(inst).all(|v| func.def_inst(v).and_then(|i| func.inst_block(i)) != here);
        if !from_above || !may_rise(func, module, inst, size) {
            continue;
        }
        let equal = |&other: &Inst| is_equal(func, inst, other) && may_rise(func, module, other, size);
        let places = others.iter().map(|list| list.iter().position(equal));
        let Some(places) = places.collect::<Option<SmallVec<[usize; 4]>>>() else { continue };
        func.hoist_inst(branch, inst);
        for (list, place) in others.iter_mut().zip(places) {
            let other = list.remove(place);
            for (old, new) in func.results(other).zip(func.results(inst)) {
                func.replace_all_uses(old, new);
            }
            func.remove_inst(other);
        }
        // A phi of the two is the value itself, which may be a counter.
        for result in func.results(inst).collect::<SmallVec<[Value; 1]>>() {
            let merged =
                |&user: &Inst| func.insts[user].opcode == Opcode::Phi && func.operands(user).all(|v| v == result);
            let mut phis: SmallVec<[Inst; 2]> = func.uses(result).map(|(user, _)| user).filter(merged).collect();
            phis.dedup();
            phis.into_iter().for_each(|phi| func.replace_result(phi, result));
        }
        hoisted += 1;
    }
    hoisted
}

/// Whether two instructions do the same.
fn is_equal(func: &Function, a: Inst, b: Inst) -> bool {
    let (x, y) = (func.insts[a], func.insts[b]);
    let call = |inst: Inst| (func.list(inst), func.call_info(inst), func.insts[inst].flags());
    x == y || x.opcode == Opcode::Call && y.opcode == Opcode::Call && call(a) == call(b)
}

/// Whether an instruction may leave its block upwards: what stands before it lets it pass.
fn may_rise(func: &Function, module: &Module, inst: Inst, size: bool) -> bool {
    use Opcode::*;
    let data = func.insts[inst];
    let before = || std::iter::successors(func.prev_inst(inst), |&inst| func.prev_inst(inst));
    let idle = |inst: Inst| is_pure(func, inst) && !may_trap(func, inst);
    match data.opcode {
        Load if size && !data.is_volatile() => {
            !before().any(|inst| func.insts[inst].opcode == Call || may_write_memory(func, module, inst))
        }
        Call if size && !func.may_return_again(inst) => {
            func.call_info(inst).note == 0 && !data.has(ir::flags::MUST_TAIL) && before().all(idle)
        }
        Store if size && !data.is_volatile() => before().all(idle),
        ICmp | FCmp => size && func.uses(func.first_result(inst)).all(|(user, _)| func.insts[user].opcode != CondBr),
        // A pointer stepped on either side is stepped in one place.
        PtrAdd => size || func.uses(func.first_result(inst)).any(|(user, _)| func.insts[user].opcode == Phi),
        _ => idle(inst),
    }
}
