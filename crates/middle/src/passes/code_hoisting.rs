//! Code hoisting: what both successors of a branch compute is computed once, before the branch.
//!
//! Both targets have no other predecessor. Of their first [`MAX_SCAN`] instructions those that are
//! equal, cannot trap and have operands from above are moved in front of the branch, so that users
//! of what was moved may follow. Comparisons stay: next to their branch they need no register. So
//! do address sums, which the accesses after them take in, and loads, which are often operands of
//! what uses them.
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

use ir::{Block, Function, Inst, Opcode};
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::effects::{is_pure, may_trap};

/// The pass.
pub const PASS: Pass = Pass::new("code_hoisting", run);

/// Instructions of each side that are looked at: sides that become selects are short.
const MAX_SCAN: usize = 8;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let mut hoisted = 0;
    for &block in cfg.postorder() {
        let branch = func.terminator(block);
        let Some((then, otherwise)) = func.insts[branch].two_dests() else { continue };
        let only_from_here = |side: Block| cfg.preds(side) == [block] && func.phis(side).next().is_none();
        if only_from_here(then) && only_from_here(otherwise) {
            hoisted += hoist(func, branch, then, otherwise);
        }
    }
    cx.statistics.add("instructions hoisted out of branches", hoisted);
    Changed::code_if(hoisted > 0)
}

/// Moves what is equal at the start of both blocks before the branch; returns how many there were.
fn hoist(func: &mut Function, branch: Inst, then: Block, otherwise: Block) -> u64 {
    let first = |func: &Function, block: Block| -> SmallVec<[Inst; MAX_SCAN]> {
        func.block_insts(block).take(MAX_SCAN).filter(|&i| is_movable(func, i)).collect()
    };
    let (ours, mut theirs) = (first(func, then), first(func, otherwise));
    let mut hoisted = 0;
    for inst in ours {
        let from_above = func.operands(inst).all(|v| func.def_inst(v).and_then(|i| func.inst_block(i)) != Some(then));
        let Some(index) = theirs.iter().position(|&other| from_above && func.insts[other] == func.insts[inst]) else {
            continue;
        };
        let other = theirs.remove(index);
        func.hoist_inst(branch, inst);
        for (old, new) in func.results(other).zip(func.results(inst)) {
            func.replace_all_uses(old, new);
        }
        func.remove_inst(other);
        hoisted += 1;
    }
    hoisted
}

fn is_movable(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = func.insts[inst];
    is_pure(func, inst) && !may_trap(func, inst) && !matches!(data.opcode, ICmp | FCmp | PtrAdd)
}
