//! Counters and the loops they end: a header phi that each iteration adds a constant to, and a test
//! at the bottom that compares it with an invariant.

use crate::analysis::facts::Range;
use crate::analysis::{Cfg, DominatorTree, LoopRef};
use crate::{Block, Function, Inst, IntCc, Opcode, Type, Value, ValueDef, flags};

/// Branches before a loop that are looked at.
const MAX_GUARDS: usize = 4;

/// Additions of constants that are looked through.
const MAX_ADDITIONS: usize = 4;

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

impl Counter {
    /// Whether the step of a counter that only has values of a range cannot overflow.
    pub fn fits(&self, func: &Function, range: Range) -> bool {
        let (by, limit) = (i128::from(self.step), 1i128 << (func.insts[self.phi].ty.bits() - 1));
        func.insts[self.phi].ty.is_int() && range.smin + by >= -limit && range.smax + by < limit
    }
}

/// A header phi that has the value of the iteration before of a counter, or of a counter and a
/// constant, from the second iteration on.
pub struct Follower {
    /// The counter.
    pub counter: Counter,
    /// To be added to the counter for the phi's value in the same iteration.
    pub by: i64,
    /// `NSW` if no addition in sight can overflow.
    pub flags: u8,
}

/// The phi of the same header that a header phi gets its next value from, the constant that is
/// added to it on the way, and whether that cannot overflow.
pub fn leader(func: &Function, phi: Inst, latch: Block) -> Option<(Inst, i64, bool)> {
    let value =
        func.phi_value(phi, latch).filter(|_| matches!(func.insts[phi].ty, Type::I16 | Type::I32 | Type::I64))?;
    let (value, by, exact) = func.def_with(value, Opcode::Add).map_or((value, Some(0), true), |sum| {
        (func.operand(sum, 0), func.const_i64(func.operand(sum, 1)), func.insts[sum].has(flags::NSW))
    });
    let leader =
        func.def_with(value, Opcode::Phi).filter(|&i| i != phi && func.inst_block(i) == func.inst_block(phi))?;
    Some((leader, by?, exact))
}

/// What a header phi follows, if it is a counter.
pub fn follower(func: &Function, phi: Inst, preheader: Block, latch: Block) -> Option<Follower> {
    let (leader, behind, exact) = leader(func, phi, latch)?;
    let counter = counter(func, leader, preheader, latch)?;
    let by = behind.checked_sub(counter.step).filter(|by| by.unsigned_abs() <= i16::MAX as u64)?;
    let exact = exact && func.insts[counter.next].has(flags::NSW);
    Some(Follower { counter, by, flags: if exact { flags::NSW } else { 0 } })
}

impl Follower {
    /// Whether the phi follows its counter in the first iteration, too.
    pub fn from_the_start(&self, func: &Function, phi: Inst, preheader: Block) -> bool {
        let Some(start) = func.phi_value(phi, preheader) else { return false };
        let (first, own) = [self.counter.start, start].map(|value| sum(func, value, self.flags)).into();
        let apart = first.1 + i128::from(self.by) - own.1;
        first.0 == own.0 && (apart == 0 || self.flags == 0 && apart as u128 & func.insts[phi].ty.mask() == 0)
    }
}

/// A value as a constant added to another one, or to nothing, by additions with these flags.
fn sum(func: &Function, mut value: Value, flags: u8) -> (Option<Value>, i128) {
    let mut constant = 0;
    for _ in 0..MAX_ADDITIONS {
        let Some(add) = func.def_with(value, Opcode::Add).filter(|&i| flags == 0 || func.insts[i].has(flags)) else {
            break;
        };
        let Some(by) = func.const_i64(func.operand(add, 1)) else { break };
        constant += i128::from(by);
        value = func.operand(add, 0);
    }
    match func.const_i64(value) {
        Some(start) => (None, constant + i128::from(start)),
        None => (Some(value), constant),
    }
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

impl Counter {
    /// The scale that makes an index which moves by `step` move as this counter does, as a shift.
    pub fn scale(&self, step: i64) -> Option<u32> {
        (0..=3).find(|&shift| self.step == step << shift)
    }

    /// Whether all that a pointer and its next value do is to be accessed in the loop.
    pub fn only_accesses(&self, func: &Function, l: LoopRef<'_>) -> bool {
        let inside = |user: Inst| func.inst_block(user).is_some_and(|b| l.is_innermost(b));
        let is_access =
            |user: Inst, index: usize| matches!(func.insts[user].opcode, Opcode::Load | Opcode::Store) && index == 0;
        let near = |user: Inst, index: usize| {
            func.insts[user].opcode == Opcode::PtrAdd
                && index == 0
                && func.const_i64(func.operand(user, 1)).is_some()
                && func.uses(func.first_result(user)).all(|(user, index)| inside(user) && is_access(user, index))
        };
        [(self.phi, self.next), (self.next, self.phi)].into_iter().all(|(inst, other)| {
            func.uses(func.first_result(inst))
                .all(|(user, index)| user == other || inside(user) && (is_access(user, index) || near(user, index)))
        })
    }

    /// Whether nothing but comparisons uses a self.
    pub fn only_tests(&self, func: &Function) -> bool {
        let tests = |user: Inst| user == self.phi || user == self.next || func.insts[user].opcode == Opcode::ICmp;
        [self.phi, self.next].into_iter().all(|inst| func.uses(func.first_result(inst)).all(|(user, _)| tests(user)))
    }
}

/// The addition that the loop's test looks at, at the end of each iteration.
pub fn last_addition(func: &Function, dominators: &DominatorTree, l: LoopRef<'_>, latch: Block) -> Option<Inst> {
    let test = func.def_with(func.operands(func.terminator(latch)).next()?, Opcode::ICmp)?;
    let add = func.def_with(func.operand(test, 0), Opcode::Add)?;
    let block = func.inst_block(add).filter(|&b| l.contains(b) && dominators.dominates(b, latch))?;
    (block == latch || func.insts[func.terminator(block)].opcode == Opcode::Br).then_some(add)
}

/// Those of a loop's counters that are pointers which only accesses use, and one that counts in
/// such steps that it can be an index for some of them.
pub fn pointers_and_index(func: &Function, l: LoopRef<'_>, counters: &[Counter]) -> (Vec<Counter>, Option<Counter>) {
    let is_moved = |c: &&Counter| func.insts[c.phi].ty.is_ptr() && c.only_accesses(func, l);
    let pointers: Vec<Counter> = counters.iter().filter(is_moved).copied().collect();
    let is_index =
        |c: &&Counter| func.insts[c.phi].ty == Type::I64 && pointers.iter().any(|p| p.scale(c.step).is_some());
    let index = counters.iter().find(is_index).copied();
    (pointers, index)
}

/// How many values a loop of these blocks has that take registers all along: what is carried from
/// iteration to iteration, and what comes from outside.
pub fn values_of(func: &Function, l: LoopRef<'_>, blocks: &[Block]) -> usize {
    let mut values: Vec<Value> = func.phis(l.header()).map(|phi| func.first_result(phi)).collect();
    let all = blocks.iter().flat_map(|&b| func.block_insts(b));
    for inst in all.filter(|&inst| func.insts[inst].opcode != Opcode::Phi) {
        let outside = |&v: &Value| func.constant(v).is_none() && is_invariant(func, l, v);
        values.extend(func.operands(inst).filter(outside));
    }
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// Whether a value is what a loop adds a constant to in each iteration, or that shifted.
pub fn counts(func: &Function, value: Value) -> bool {
    let shifted = func.def_with(value, Opcode::Shl).map(|shift| func.operand(shift, 0));
    let phi = func.def_with(shifted.unwrap_or(value), Opcode::Phi);
    phi.is_some_and(|phi| {
        let steps = |next: Value| {
            let inst = func.def_with(next, Opcode::Add).filter(|&inst| func.operand(inst, 0) == func.first_result(phi));
            inst.is_some_and(|inst| func.const_bits(func.operand(inst, 1)).is_some())
        };
        func.operands(phi).any(steps)
    })
}

/// The one multiple of a counter that the terms, each times its factor, add up to, if all of them
/// are multiples of that counter.
pub fn multiple_of_counter(func: &Function, terms: &[(Value, u64)]) -> Option<(Value, u64)> {
    let multiple = |&(value, factor): &(Value, u64)| {
        let product = func.def_inst(value).filter(|&i| matches!(func.insts[i].opcode, Opcode::Mul | Opcode::Shl));
        let Some(inst) = product else { return Some((value, factor)) };
        let data = func.insts[inst];
        let by = func.const_bits(func.operand(inst, 1))? as u64;
        let scale = match data.opcode {
            Opcode::Shl if by >= u64::from(data.ty.bits()) => return None,
            Opcode::Shl => 1 << by,
            _ => by,
        };
        Some((func.operand(inst, 0), factor.wrapping_mul(scale)))
    };
    let mut multiples = terms.iter().map(multiple);
    let (of, first) = multiples.next()??;
    let sum = multiples.try_fold(first, |sum, next| {
        let (value, factor) = next?;
        (value == of).then_some(sum.wrapping_add(factor))
    })?;
    (sum != 0 && counts(func, of)).then_some((of, sum))
}

impl CountedLoop {
    /// Whether the loop's counter goes from 0 to its bound in steps of one: loops that test for
    /// the bound itself do, and others if a branch before them has asked whether it is above 0.
    pub fn runs_to_bound(&self, func: &Function, cfg: &Cfg) -> bool {
        let counter = self.counter;
        counter.step == 1 && func.const_i64(counter.start) == Some(0) && self.ends_at_bound(func, cfg)
    }

    /// Whether the counter's next value is the bound where the latch leaves the loop.
    pub fn ends_at_bound(&self, func: &Function, cfg: &Cfg) -> bool {
        let by_one = match self.cc {
            IntCc::Slt | IntCc::Ult => self.counter.step == 1,
            IntCc::Sgt | IntCc::Ugt => self.counter.step == -1,
            _ => false,
        };
        self.tests_next && (self.cc == IntCc::Ne || by_one && self.is_guarded(func, cfg))
    }

    /// Whether a branch before the loop has found that the test holds for the counter's start.
    pub fn is_guarded(&self, func: &Function, cfg: &Cfg) -> bool {
        let mut block = self.preheader;
        for _ in 0..MAX_GUARDS {
            let [pred] = *cfg.preds(block) else { break };
            let branch = func.terminator(pred);
            if func.insts[branch].opcode == Opcode::CondBr
                && let (then, otherwise) = func.insts[branch].dests()
                && then != otherwise
                && let Some(compare) = func.def_with(func.operand(branch, 0), Opcode::ICmp)
            {
                let cc = func.insts[compare].int_cc();
                let cc = if then == block { cc } else { cc.inverse() };
                let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
                if self.holds_if(func, x, cc, y) || self.holds_if(func, y, cc.swapped(), x) {
                    return true;
                }
            }
            block = pred;
        }
        false
    }

    /// Whether `x <cc> y` says that the test holds for the start.
    fn holds_if(&self, func: &Function, x: Value, cc: IntCc, y: Value) -> bool {
        use IntCc::*;
        let (start, bound) = (self.counter.start, self.bound);
        let is_narrow = |wide: Value, narrow: Value, opcode: Opcode| {
            func.def_with(wide, opcode).is_some_and(|inst| func.operand(inst, 0) == narrow)
        };
        let signed = matches!(self.cc, Slt | Sle | Sgt | Sge);
        let extension = if signed { Opcode::SExt } else { Opcode::ZExt };
        let same = x == start && y == bound || is_narrow(start, x, extension) && is_narrow(bound, y, extension);
        if same && (cc == self.cc || matches!((cc, self.cc), (Slt, Sle) | (Sgt, Sge) | (Ult, Ule) | (Ugt, Uge))) {
            return true;
        }
        // Upwards from a constant: `y` is above one.
        let (Some(start), Some(least)) = (func.const_i64(start), func.const_i64(x)) else { return false };
        let is_extended = is_narrow(bound, y, Opcode::SExt) || is_narrow(bound, y, Opcode::ZExt);
        let above = match cc {
            Slt | Ult => Some(least),
            Sle | Ule => least.checked_sub(1),
            Ne if least == 0 => Some(0),
            _ => None,
        };
        let needed = match self.cc {
            Slt | Ult => Some(start),
            Sle | Ule => start.checked_sub(1),
            _ => None,
        };
        let (Some(above), Some(needed)) = (above, needed) else { return false };
        // Numbers above one that is not negative are so with and without sign, wide and narrow.
        let alike = signed && matches!(cc, Slt | Sle) && !is_extended || above >= 0 && needed >= 0;
        let says = !signed || matches!(cc, Slt | Sle);
        (y == bound || is_extended) && alike && says && above >= needed
    }

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
