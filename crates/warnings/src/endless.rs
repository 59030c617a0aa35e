//! Functions that may run for ever in a loop of their own, as far as `-Wsuggest-attribute=` should
//! know.

use ir::analysis::sums::induction::{Counter, counter, entry_and_latch, is_invariant};
use ir::analysis::{Cfg, DominatorTree, LoopRef, LoopTree};
use ir::effects::is_pure;
use ir::{Block, Function, Inst, IntCc, Opcode, Value, flags};

/// Whether some loop of the function, in SSA form, has no end that is certain.
pub fn may_be(func: &Function) -> bool {
    let cfg = Cfg::compute(func);
    let dominators = DominatorTree::compute(func, &cfg);
    let loops = LoopTree::compute(func, &cfg, &dominators);
    loops.has_irreducible() || {
        let blocks = loops.blocks(&cfg);
        loops.loops().any(|l| !ends(func, &cfg, &dominators, loops.at(l), &blocks[l]))
    }
}

/// A loop certainly ends if a counter of it must not overflow, or counts up to a bound that it
/// cannot miss.
fn ends(func: &Function, cfg: &Cfg, dominators: &DominatorTree, l: LoopRef<'_>, blocks: &[Block]) -> bool {
    let Some((before, latch)) = entry_and_latch(func, cfg, l) else { return false };
    let counters: Vec<Counter> = func.phis(l.header()).filter_map(|phi| counter(func, phi, before, latch)).collect();
    if counters.iter().any(|counter| is_int(func, counter) && func.insts[counter.next].has(flags::NSW)) {
        return true;
    }
    let leaving = blocks.iter().flat_map(|&block| cfg.succs(block)).filter(|&&next| !l.contains(next));
    let only_exit = leaving.count() == 1;
    blocks.iter().filter(|&&block| dominators.dominates(block, latch)).any(|&block| {
        counters.iter().any(|counter| {
            func.block_insts(block).any(|inst| is_index(func, l, counter, inst))
                || is_left(func, l, counter, block, only_exit)
        })
    })
}

fn is_int(func: &Function, counter: &Counter) -> bool {
    func.insts[counter.phi].ty.is_int()
}

fn counts(func: &Function, counter: &Counter, value: Value) -> bool {
    value == func.first_result(counter.phi) || value == func.first_result(counter.next)
}

/// An address that the counter moves on: no object is as large as all addresses.
fn is_index(func: &Function, l: LoopRef<'_>, counter: &Counter, inst: Inst) -> bool {
    if func.insts[inst].opcode != Opcode::PtrAdd || !is_invariant(func, l, func.operand(inst, 0)) {
        return false;
    }
    let index = func.operand(inst, 1);
    let scaled = func.def_with(index, Opcode::Mul).or_else(|| func.def_with(index, Opcode::Shl));
    counts(func, counter, index)
        || scaled.is_some_and(|scaled| {
            counts(func, counter, func.operand(scaled, 0)) && func.is_constant(func.operand(scaled, 1))
        })
}

/// An address at a fixed distance from a pointer that counts.
fn is_before(func: &Function, counter: &Counter, tested: Value) -> bool {
    func.def_with(tested, Opcode::PtrAdd)
        .is_some_and(|inst| counts(func, counter, func.operand(inst, 0)) && func.is_constant(func.operand(inst, 1)))
}

/// How many operations a bound may be computed by in the loop.
const MAX_DEPTH: u32 = 4;

/// Whether a value is the same in each iteration.
fn is_fixed(func: &Function, l: LoopRef<'_>, value: Value, depth: u32) -> bool {
    is_invariant(func, l, value)
        || func.def_inst(value).is_some_and(|inst| {
            let plain = func.insts[inst].opcode != Opcode::Phi && is_pure(func, inst);
            depth > 0 && plain && func.operands(inst).all(|operand| is_fixed(func, l, operand, depth - 1))
        })
}

/// Whether the block leaves the loop when the counter comes to a bound that it cannot miss.
fn is_left(func: &Function, l: LoopRef<'_>, counter: &Counter, block: Block, only_exit: bool) -> bool {
    let branch = func.terminator(block);
    let data = func.insts[branch];
    if data.opcode != Opcode::CondBr {
        return false;
    }
    let (then, otherwise) = data.dests();
    if l.contains(then) == l.contains(otherwise) {
        return false;
    }
    let Some(compare) = func.def_with(func.operand(branch, 0), Opcode::ICmp) else { return false };
    let cc = func.insts[compare].int_cc();
    let cc = if l.contains(then) { cc } else { cc.inverse() };
    let (a, b) = (func.operand(compare, 0), func.operand(compare, 1));
    [(a, b, cc), (b, a, cc.swapped())].into_iter().any(|(tested, bound, cc)| {
        let counts = counts(func, counter, tested) || is_before(func, counter, tested);
        // Pointers do not wrap; longer steps may miss a bound where another way leads out.
        let is_met = if is_int(func, counter) {
            is_met(func, counter, bound, cc)
        } else {
            let near = only_exit || matches!(counter.step, 1 | -1);
            cc != IntCc::Eq && (cc != IntCc::Ne || near)
        };
        counts && is_fixed(func, l, bound, MAX_DEPTH) && is_met
    })
}

/// Whether a loop that goes on while `counter cc bound` ends although the counter may wrap.
fn is_met(func: &Function, counter: &Counter, bound: Value, cc: IntCc) -> bool {
    let strict = matches!(cc, IntCc::Ne | IntCc::Eq | IntCc::Ult | IntCc::Ugt | IntCc::Slt | IntCc::Sgt);
    if strict && matches!(counter.step, 1 | -1) {
        return true;
    }
    // A step past a constant bound that does not wrap.
    let Some(bound) = func.const_bits(bound) else { return false };
    let (step, most) = (u128::from(counter.step.unsigned_abs()), func.insts[counter.phi].ty.mask());
    match cc {
        IntCc::Ult => counter.step > 0 && step <= most && bound <= most - step + 1,
        IntCc::Ule => counter.step > 0 && step <= most && bound <= most - step,
        IntCc::Ugt => counter.step < 0 && step <= bound + 1,
        IntCc::Uge => counter.step < 0 && step <= bound,
        _ => false,
    }
}
