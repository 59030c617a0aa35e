//! Removal of loops that compute nothing, or only what is known without them: no effects, values
//! used after them that are functions of the trip count, and an end that is certain.
//!
//! A loop without effects may only go if it is finite: C17 6.8.5p6 lets an implementation assume
//! that for loops whose controlling expression is not constant, but the IR does not tell `while
//! (x)` from `for (;;) if (!x) break;`, so the end is proven: the loop is left from its latch by a
//! counter's test that must fail one day. Inner loops go first and make outer ones empty, or sums
//! of an invariant in each iteration. After loops that stay, a counter is the bound that it has
//! reached, so that no vector loop has to know it.
//!
//! Cost: linear per iteration, at most [`MAX_ROUNDS`] (the depth of nests that go).
//!
//! ```text
//! b1: i = phi [i32 0, b0], [n, b1]
//!     x = phi [v1, b0], [y, b1]
//!     y = add x, i32 3                =>    b0: v2 = mul v0, i32 3
//!     n = add.nsw i, i32 1                      v3 = add v1, v2
//!     c = icmp.slt n, v0                        br b2
//!     cond_br c, b1, b2                     b2: ret v3
//! b2: ret y
//! ```

use ir::analysis::sums::induction::{CountedLoop, counted_loop};
use ir::analysis::sums::last_values::LastValues;
use ir::analysis::{Cfg, Loop, LoopRef};
use ir::effects::is_removable_if_unused;
use ir::{Block, Builder, Function, Inst, Module, Opcode, Value};

use super::{gvn, licm, simplify_cfg};
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("loop_delete", run);

/// Depth of a nest that is removed.
const MAX_ROUNDS: usize = 8;

/// Values used after the loop that are computed without it.
const MAX_VALUES: usize = 4;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut deleted = 0;
    for _ in 0..MAX_ROUNDS {
        let loops = cx.analyses.loops(func);
        if loops.is_empty() {
            break;
        }
        let cfg = cx.analyses.cfg(func);
        let blocks = loops.blocks(&cfg);
        let dead: Vec<(Loop, Vec<Value>)> = loops
            .loops()
            .filter_map(|l| Some((l, dead_loop(func, cx.module, &cfg, loops.at(l), &blocks[l])?)))
            .collect();
        if dead.is_empty() {
            break;
        }
        deleted += dead.len() as u64;
        let mut gone = Vec::new();
        let mut leaves_sums = false;
        for (l, values) in &dead {
            let Some(counted) = counted_loop(func, &cfg, loops.at(*l)) else { continue };
            cx.remark(PASS.name, cx.place(func, loops.at(*l)), || match values.is_empty() {
                true => "loop that computes nothing deleted".to_string(),
                false => "loop replaced by the values that it ends with".to_string(),
            });
            func.forget_debug_values(&blocks[*l], counted.exit);
            compute(func, &cfg, loops.at(*l), counted, values);
            leaves_sums |= !values.is_empty() && loops.parent(*l).is_some();
            gone.push(counted);
        }
        gone.iter().for_each(|counted| skip(func, counted));
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.remove_unreachable_blocks(func);
        if leaves_sums {
            // What the inner loop adds is invariant in the outer one, and its guard known.
            for pass in [gvn::PASS, simplify_cfg::PASS, licm::PASS] {
                cx.run(func, pass);
            }
        }
    }
    cx.statistics.add("loops deleted", deleted);
    let ended = end_at_bounds(func, cx);
    if deleted > 0 { Changed::ControlFlow } else { Changed::code_if(ended) }
}

/// After loops that stay, a counter that has reached its bound is the bound.
fn end_at_bounds(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let (cfg, loops) = (cx.analyses.cfg(func), cx.analyses.loops(func));
    let mut ended = false;
    for l in loops.loops().map(|l| loops.at(l)) {
        let Some(counted) = counted_loop(func, &cfg, l) else { continue };
        let next = func.first_result(counted.counter.next);
        let narrow =
            |func: &Function, value| func.def_with(value, Opcode::Trunc).filter(|&i| func.operand(i, 0) == next);
        let ends = |func: &Function, value| value == next || narrow(func, value).is_some();
        let phis = func.phis(counted.exit).filter_map(|phi| Some((phi, func.phi_index(phi, counted.latch)?)));
        let phis: Vec<(Inst, usize)> = phis.filter(|&(phi, index)| ends(func, func.operand(phi, index))).collect();
        if phis.is_empty() || !counted.ends_at_bound(func, &cfg) {
            continue;
        }
        for (phi, index) in phis {
            let mut end = counted.bound;
            if func.operand(phi, index) != next {
                let ty = func.insts[phi].ty;
                let terminator = func.terminator(counted.preheader);
                end = Builder::before(func, terminator).unary(Opcode::Trunc, ty, end);
            }
            func.set_operand(phi, index, end);
        }
        ended = true;
    }
    ended
}

/// The values used after an innermost loop that does nothing else.
fn dead_loop(func: &Function, module: &Module, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> Option<Vec<Value>> {
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
    let used_outside = |value: &Value| {
        func.uses(*value).any(|(user, index)| match func.insts[user].opcode {
            Opcode::Phi => !l.contains(func.phi_block(user, index)) || !l.holds(func, user),
            _ => !l.holds(func, user),
        })
    };
    let mut values = Vec::new();
    for inst in blocks.iter().flat_map(|&block| func.block_insts(block)) {
        values.extend(func.results(inst).filter(used_outside));
        if !harmless(inst) || values.len() > MAX_VALUES {
            return None;
        }
    }
    let known = values.is_empty() || {
        let last = LastValues::new(func, cfg, l, counted)?;
        values.iter().all(|&value| last.is_known(func, value))
    };
    known.then_some(values)
}

/// Computes the values before the loop.
fn compute(func: &mut Function, cfg: &Cfg, l: LoopRef<'_>, counted: CountedLoop, values: &[Value]) {
    let end = func.terminator(counted.preheader);
    let Some(last) = LastValues::new(func, cfg, l, counted) else { return };
    let computed: Vec<Value> = values.iter().map(|&value| last.emit(func, end, value)).collect();
    for (&old, new) in values.iter().zip(computed) {
        func.replace_all_uses(old, new);
    }
}

/// The preheader jumps to the exit, where its phi entries replace the latch's.
fn skip(func: &mut Function, counted: &CountedLoop) {
    func.add_pred(counted.exit, counted.latch, counted.preheader, |_, value| value);
    let terminator = func.terminator(counted.preheader);
    func.map_targets(terminator, |_| counted.exit);
}
