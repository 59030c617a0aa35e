//! Removal of loops that compute nothing: no effects, no value used after them, and an end that is
//! certain.
//!
//! A loop without effects may only go if it is finite: C17 6.8.5p6 lets an implementation assume
//! that for loops whose controlling expression is not constant, but the IR does not tell `while
//! (x)` from `for (;;) if (!x) break;`, so the end is proven: the loop is left from its latch by a
//! counter's test that must fail one day. Inner loops go first and make outer ones empty.
//!
//! Cost: linear per iteration, at most [`MAX_ROUNDS`] (the depth of nests that go).
//!
//! ```text
//! b1: i = phi [i32 0, b0], [n, b1]
//!     n = add.nsw i, i32 1            =>    b0: br b2
//!     c = icmp.slt n, v0
//!     cond_br c, b1, b2
//! ```

use ir::analysis::sums::induction::{counted_loop, is_invariant};
use ir::analysis::{Cfg, Loop, LoopRef};
use ir::{Block, Function, Module, Opcode};

use crate::pass::{Changed, Pass, PassContext};
use ir::effects::is_removable_if_unused;

/// The pass.
pub const PASS: Pass = Pass::new("loop_delete", run);

/// Depth of a nest that is removed.
const MAX_ROUNDS: usize = 4;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut deleted = 0;
    for _ in 0..MAX_ROUNDS {
        let loops = cx.analyses.loops(func);
        if loops.is_empty() {
            break;
        }
        let cfg = cx.analyses.cfg(func);
        let blocks = loops.blocks(&cfg);
        let dead: Vec<(Loop, (Block, Block, Block))> = loops
            .loops()
            .filter_map(|l| Some((l, dead_loop(func, cx.module, &cfg, loops.at(l), &blocks[l])?)))
            .collect();
        if dead.is_empty() {
            break;
        }
        deleted += dead.len() as u64;
        for &(l, _) in &dead {
            cx.remark(PASS.name, cx.place(func, loops.at(l)), || "loop that computes nothing deleted".to_string());
        }
        for (l, (preheader, latch, exit)) in dead {
            func.forget_debug_values(&blocks[l], exit);
            skip(func, preheader, latch, exit);
        }
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.remove_unreachable_blocks(func);
    }
    cx.statistics.add("loops deleted", deleted);
    Changed::control_flow_if(deleted > 0)
}

/// The preheader, latch and exit of an innermost loop that does nothing.
fn dead_loop(
    func: &Function,
    module: &Module,
    cfg: &Cfg,
    l: LoopRef<'_>,
    blocks: &[Block],
) -> Option<(Block, Block, Block)> {
    if blocks.iter().any(|&b| !l.is_innermost(b)) {
        return None;
    }
    let counted = counted_loop(func, cfg, l)?;
    let only_exit = |b: Block| cfg.succs(b).iter().all(|&s| l.contains(s) || b == counted.latch);
    if !blocks.iter().all(|&b| only_exit(b)) || !counted.is_finite(func) {
        return None;
    }
    let harmless = |inst| {
        func.insts[inst].opcode.is_terminator() && func.insts[inst].opcode != Opcode::Unreachable
            || is_removable_if_unused(func, module, inst)
    };
    let used_outside = |value| {
        func.uses(value).any(|(user, index)| match func.insts[user].opcode {
            Opcode::Phi => !l.contains(func.phi_block(user, index)) || !l.holds(func, user),
            _ => !l.holds(func, user),
        })
    };
    for &block in blocks {
        for inst in func.block_insts(block) {
            if !harmless(inst) || func.results(inst).any(used_outside) {
                return None;
            }
        }
    }
    let entries = func.phis(counted.exit).filter_map(|phi| func.phi_value(phi, counted.latch));
    let invariant = entries.into_iter().all(|value| is_invariant(func, l, value));
    invariant.then_some((counted.preheader, counted.latch, counted.exit))
}

/// The preheader jumps to the exit, where its phi entries replace the latch's.
fn skip(func: &mut Function, preheader: Block, latch: Block, exit: Block) {
    func.add_pred(exit, latch, preheader, |_, value| value);
    let terminator = func.terminator(preheader);
    func.map_targets(terminator, |_| exit);
}
