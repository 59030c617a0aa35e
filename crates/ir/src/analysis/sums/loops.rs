//! Sums within a loop: invariant terms, a constant, and a constant change per iteration.

use super::induction::{CountedLoop, Counter, is_invariant};
use super::{Linear, Term, linear, sum};
use crate::analysis::LoopRef;
use crate::{Function, Inst, IntCc, Opcode, Type, Value, flags};

/// Terms of one sum.
const MAX_TERMS: usize = 6;

/// The loop whose addresses are asked for.
pub struct LoopSums<'a> {
    /// The loop.
    pub l: LoopRef<'a>,
    /// Its counters.
    pub counters: &'a [Counter],
    /// Its test.
    pub counted: &'a CountedLoop,
    /// Phis of loops inside it that run through the same values in every iteration of it: terms of
    /// sums.
    pub uniform: &'a [Inst],
}

impl LoopSums<'_> {
    /// A 64-bit integer or an address as a sum.
    pub fn of(&self, func: &Function, value: Value) -> Option<Linear> {
        let ty = func.value_type(value);
        if ty != Type::I64 && !ty.is_ptr() {
            return None;
        }
        let whole = linear(func, value);
        let mut out = Linear { constant: whole.constant, ..Linear::default() };
        for (term, factor) in whole.terms {
            if self.is_steady(func, term) {
                out.terms.push((term, factor));
                continue;
            }
            let (start, step) = match term {
                Term::Symbol(_) => return None,
                Term::Value(value) => {
                    let inst = func.def_inst(value)?;
                    let counter = self.counters.iter().find(|c| c.phi == inst)?;
                    (linear(func, counter.start), counter.step)
                }
                Term::Signed(value) => self.sign_extended_counter(func, value)?,
                Term::Unsigned(value) => self.zero_extended_counter(func, value)?,
            };
            out.add(Linear { step, ..start }, factor);
        }
        out.tidy();
        (out.terms.len() <= MAX_TERMS).then_some(out)
    }

    /// Whether a term is the same in all iterations.
    fn is_steady(&self, func: &Function, term: Term) -> bool {
        let Some(value) = term.value() else { return true };
        let is_uniform = || func.def_inst(value).is_some_and(|inst| self.uniform.contains(&inst));
        is_invariant(func, self.l, value) || matches!(term, Term::Value(_)) && is_uniform()
    }

    /// What a value of at most 64 bits changes by per iteration modulo 2^width, if that is a
    /// constant: 0 for invariants.
    pub fn stride(&self, func: &Function, value: Value) -> Option<i64> {
        let ty = func.value_type(value);
        if !ty.is_int() || ty.is_vector() || ty.bits() > 64 || ty == Type::I1 {
            return None;
        }
        sum(func, value, ty.bits(), Some)?.stride(func, self.l, self.counters)
    }

    /// Start and step of the loop's 64-bit counter, cut to a narrow number, where it fits.
    fn sign_extended_counter(&self, func: &Function, value: Value) -> Option<(Linear, i64)> {
        let inst = func.def_with(value, Opcode::Trunc)?;
        let counter = self.counted.counter;
        let whole = func.operand(inst, 0) == func.first_result(counter.phi);
        (whole && self.counter_fits(func, func.insts[inst].ty.bits()))
            .then(|| (linear(func, counter.start), counter.step))
    }

    /// Whether the loop's 64-bit counter is a signed number of fewer bits in every iteration: it
    /// starts as one, and what it is next is tested against one before it goes around.
    fn counter_fits(&self, func: &Function, bits: u32) -> bool {
        let CountedLoop { counter, tests_next, cc, bound, .. } = *self.counted;
        let extended = |value: Value| {
            func.def_inst(value).is_some_and(|inst| {
                func.insts[inst].opcode == Opcode::SExt && func.value_type(func.operand(inst, 0)).bits() <= bits
            })
        };
        let constant_fits = |value: Value| func.const_i64(value).is_some_and(|c| c == c << (64 - bits) >> (64 - bits));
        let fits = |value: Value| constant_fits(value) || extended(value);
        // A bound less far away than one that fits does as well.
        let nearer = |value: Value| {
            func.def_with(value, Opcode::Add).is_some_and(|inst| {
                let off = func.const_i64(func.operand(inst, 1));
                // Such a sum of 64 bits cannot overflow.
                let back = off.filter(|off| off.unsigned_abs() < 1 << 32);
                let back = back.is_some_and(|off| if counter.step > 0 { off <= 0 } else { off >= 0 });
                back && bits <= 32 && extended(func.operand(inst, 0))
            })
        };
        let towards = match cc {
            IntCc::Slt | IntCc::Sle => counter.step > 0,
            IntCc::Sgt | IntCc::Sge => counter.step < 0,
            _ => false,
        };
        let small = counter.step.unsigned_abs() < 1 << 32;
        bits < 64
            && func.insts[counter.phi].ty == Type::I64
            && tests_next
            && towards
            && small
            && fits(counter.start)
            && (fits(bound) || nearer(bound))
    }

    /// Start and step of the loop's own narrow counter, where its test keeps it from wrapping.
    fn zero_extended_counter(&self, func: &Function, value: Value) -> Option<(Linear, i64)> {
        let counter = self.counted.counter;
        if func.first_result(counter.phi) != value || counter.step <= 0 {
            return None;
        }
        let start = func.const_bits(counter.start)? as i64;
        let stays_below = match self.counted.cc {
            // Only values below the bound go around, and one more than those fits.
            IntCc::Ult => counter.step == 1,
            IntCc::Ne => counter.step == 1 && start == 0,
            IntCc::Slt | IntCc::Sle => func.insts[counter.next].has(flags::NSW) && func.const_i64(counter.start)? >= 0,
            _ => func.insts[counter.next].has(flags::NUW),
        };
        stays_below.then_some((Linear { constant: start, ..Linear::default() }, counter.step))
    }
}
