//! Counters and the loops they end: a header phi that each iteration adds a constant to, and a test
//! at the bottom that compares it with an invariant.

use crate::analysis::{Cfg, LoopRef};
use crate::{Block, Function, Inst, IntCc, Opcode, Type, Value, ValueDef, flags};

/// A value that starts somewhere and changes by a constant per iteration.
#[derive(Copy, Clone, Debug)]
pub struct Counter {
    /// The header phi.
    pub phi: Inst,
    /// The addition whose result comes back along the back edge.
    pub next: Inst,
    /// The value in the first iteration.
    pub start: Value,
    /// What each iteration adds, sign-extended.
    pub step: i64,
}

/// A loop that goes on while its counter compares with an invariant in a certain way, tested at the
/// end of the latch.
#[derive(Copy, Clone, Debug)]
pub struct CountedLoop {
    /// The block before the loop.
    pub preheader: Block,
    /// The block that returns to the header, or leaves.
    pub latch: Block,
    /// Where the latch leaves to.
    pub exit: Block,
    /// What the test compares.
    pub counter: Counter,
    /// Whether the test compares the next value rather than this iteration's.
    pub tests_next: bool,
    /// The loop goes on while `tested <cc> bound`.
    pub cc: IntCc,
    /// The invariant.
    pub bound: Value,
}

/// Whether a value is defined outside the loop.
pub fn is_invariant(func: &Function, l: LoopRef<'_>, value: Value) -> bool {
    match func.value_def(value) {
        ValueDef::Result(inst, _) => func.inst_block(inst).is_some_and(|b| !l.contains(b)),
        _ => true,
    }
}

/// The only block outside that enters the header, and the only one inside that returns to it.
pub fn entry_and_latch(func: &Function, cfg: &Cfg, l: LoopRef<'_>) -> Option<(Block, Block)> {
    let header = l.header();
    let &[a, b] = cfg.preds(header) else { return None };
    let (outside, latch) = match (l.contains(a), l.contains(b)) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return None,
    };
    let plain = |b: Block| !matches!(func.insts[func.terminator(b)].opcode, Opcode::AsmBr | Opcode::IndirectBr);
    (plain(outside) && plain(latch) && cfg.is_reachable(outside)).then_some((outside, latch))
}

/// Like [`entry_and_latch`], where the block outside only jumps to the header.
pub fn preheader_and_latch(func: &Function, cfg: &Cfg, l: LoopRef<'_>) -> Option<(Block, Block)> {
    let (preheader, latch) = entry_and_latch(func, cfg, l)?;
    (func.insts[func.terminator(preheader)].opcode == Opcode::Br).then_some((preheader, latch))
}

/// The counter that a header phi is, if it is one: `next = phi + constant`, for integers and
/// pointers of at most 64 bits.
pub fn counter(func: &Function, phi: Inst, preheader: Block, latch: Block) -> Option<Counter> {
    let ty = func.insts[phi].ty;
    if !(ty.is_int() || ty.is_ptr()) || ty.is_vector() || ty.bits() > 64 {
        return None;
    }
    let next = func.def_inst(func.phi_value(phi, latch)?)?;
    let adds = matches!(func.insts[next].opcode, Opcode::Add | Opcode::PtrAdd);
    if !adds || func.operand(next, 0) != func.first_result(phi) {
        return None;
    }
    let step = func.const_i64(func.operand(next, 1)).filter(|&s| s != 0)?;
    Some(Counter { phi, next, start: func.phi_value(phi, preheader)?, step })
}

/// Pointers that serve as addresses of the loop's own accesses only, or of ones at fixed distances,
/// and all move by as much as the first.
pub fn pointers_alike(func: &Function, l: LoopRef<'_>, preheader: Block, latch: Block) -> Vec<Counter> {
    let access =
        |(user, index): (Inst, usize)| index == 0 && matches!(func.insts[user].opcode, Opcode::Load | Opcode::Store);
    let serves = |(user, index): (Inst, usize)| {
        let moved = func.insts[user].opcode == Opcode::PtrAdd && func.const_i64(func.operand(user, 1)).is_some();
        func.inst_block(user).is_some_and(|b| l.is_innermost(b))
            && (access((user, index)) || moved && func.uses(func.first_result(user)).all(access))
    };
    let mut pointers: Vec<Counter> = func
        .phis(l.header())
        .filter_map(|phi| counter(func, phi, preheader, latch))
        .filter(|c| func.insts[c.phi].ty == Type::PTR && func.has_one_use(func.first_result(c.next)))
        .filter(|c| func.uses(func.first_result(c.phi)).all(|user| user.0 == c.next || serves(user)))
        .collect();
    let step = pointers.first().map_or(0, |pointer| pointer.step);
    pointers.retain(|pointer| pointer.step == step);
    pointers
}

/// The loop's test, if it is a counter's at the end of the latch. The loop may have other exits
/// too.
pub fn counted_loop(func: &Function, cfg: &Cfg, l: LoopRef<'_>) -> Option<CountedLoop> {
    let (preheader, latch) = preheader_and_latch(func, cfg, l)?;
    let branch = func.terminator(latch);
    let data = func.insts[branch];
    if data.opcode != Opcode::CondBr {
        return None;
    }
    let (then, otherwise) = data.dests();
    let header = l.header();
    let (exit, stays_if) = if then == header && !l.contains(otherwise) {
        (otherwise, true)
    } else if otherwise == header && !l.contains(then) {
        (then, false)
    } else {
        return None;
    };
    let compare = func.def_with(func.operand(branch, 0), Opcode::ICmp)?;
    let cc = func.insts[compare].int_cc();
    let cc = if stays_if { cc } else { cc.inverse() };
    let (a, b) = (func.operand(compare, 0), func.operand(compare, 1));
    for (tested, bound, cc) in [(a, b, cc), (b, a, cc.swapped())] {
        if !is_invariant(func, l, bound) {
            continue;
        }
        let Some(inst) = func.def_inst(tested) else { continue };
        for phi in func.phis(header) {
            let Some(counter) = counter(func, phi, preheader, latch) else { continue };
            if inst == phi || inst == counter.next {
                let tests_next = inst == counter.next;
                return Some(CountedLoop { preheader, latch, exit, counter, tests_next, cc, bound });
            }
        }
    }
    None
}

impl CountedLoop {
    /// How often the body runs if only the latch leaves the loop, when start and bound are
    /// constants and it is at most `limit`.
    pub fn constant_trips(&self, func: &Function, limit: u64) -> Option<u64> {
        let ty = func.insts[self.counter.phi].ty;
        let bound = func.const_bits(self.bound)?;
        let mut value = func.const_bits(self.counter.start)?;
        for round in 1..=limit {
            let next = value.wrapping_add(self.counter.step as i128 as u128) & ty.mask();
            let tested = if self.tests_next { next } else { value };
            if !self.cc.eval(tested, bound, ty.bits()) {
                return Some(round);
            }
            value = next;
        }
        None
    }

    /// Whether the test must fail one day: the counter cannot wrap, or passes every value.
    pub fn is_finite(&self, func: &Function) -> bool {
        let next = func.insts[self.counter.next];
        let cannot_wrap = if next.opcode == Opcode::Add { flags::NSW | flags::NUW } else { flags::INBOUNDS };
        if next.has(cannot_wrap) {
            return true;
        }
        let strict = matches!(self.cc, IntCc::Ne | IntCc::Eq | IntCc::Ult | IntCc::Ugt | IntCc::Slt | IntCc::Sgt);
        strict && matches!(self.counter.step, 1 | -1)
    }
}
