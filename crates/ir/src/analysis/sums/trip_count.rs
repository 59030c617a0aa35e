//! How often a counted loop's body runs: as a number, or as code before the loop.
//!
//! The body runs once more than the test at its end holds. Tests compare `first`, `first + step`,
//! ... with the bound, so that they hold `ceil((bound - first) / step)` times, or not at all if the
//! first one fails; if a branch before the loop has found that the start passes the test, there are
//! `ceil((bound - start) / step)` iterations. That is exact where the tested values do not wrap on
//! the way to the bound: steps of one towards a strict bound, or additions whose overflow is
//! undefined behaviour.

use super::induction::CountedLoop;
use crate::analysis::Cfg;
use crate::{Builder, Function, Inst, IntCc, Opcode, Type, Value, flags};

/// The trip count of a loop that only its latch leaves.
#[derive(Copy, Clone, Debug)]
pub enum TripCount {
    /// This many; at least one.
    Constant(u64),
    /// What [`TripCount::emit`] computes.
    Computed(Formula),
}

/// The ingredients of a computed trip count.
#[derive(Copy, Clone, Debug)]
pub struct Formula {
    ty: Type,
    start: Value,
    bound: Value,
    /// What the first test adds to the start.
    lead: i64,
    step: i64,
    /// `Slt`, `Ult`, `Sgt`, `Ugt` or `Ne` against the bound plus `slack`.
    cc: IntCc,
    slack: i64,
    /// Whether the start is known to pass the test, which is then asked once per iteration, from
    /// the start on.
    guarded: bool,
}

/// The loop's trip count, if it can be computed before the loop.
pub fn trip_count(func: &Function, cfg: &Cfg, counted: &CountedLoop) -> Option<TripCount> {
    let mut formula = formula(func, counted)?;
    if let Some(trips) = constant(func, &formula) {
        return Some(TripCount::Constant(trips));
    }
    if formula.cc != IntCc::Ne && counted.tests_next && counted.is_guarded(func, cfg) {
        (formula.lead, formula.guarded) = (0, true);
    }
    Some(TripCount::Computed(formula))
}

fn formula(func: &Function, counted: &CountedLoop) -> Option<Formula> {
    let counter = counted.counter;
    let ty = func.insts[counter.phi].ty;
    let next = func.insts[counter.next];
    let flagged = |flag: u8| next.has(flag);
    let is_pointer = next.opcode == Opcode::PtrAdd;
    let no_signed_wrap = !is_pointer && flagged(flags::NSW);
    let no_unsigned_wrap = if is_pointer { flagged(flags::INBOUNDS) } else { flagged(flags::NUW) };
    let unit = counter.step.unsigned_abs() == 1;
    let up = counter.step > 0;
    use IntCc::*;
    let (cc, slack, exact) = match (counted.cc, up) {
        (Slt, true) | (Sgt, false) => (counted.cc, 0, unit || no_signed_wrap),
        (Sle, true) => (Slt, 1, no_signed_wrap),
        (Sge, false) => (Sgt, -1, no_signed_wrap),
        (Ult, true) | (Ugt, false) => (counted.cc, 0, unit || no_unsigned_wrap),
        (Ule, true) => (Ult, 1, no_unsigned_wrap),
        (Uge, false) => (Ugt, -1, no_unsigned_wrap),
        (Ne, _) => (Ne, 0, unit || no_signed_wrap || no_unsigned_wrap),
        _ => return None,
    };
    let fits = counter.step.unsigned_abs() < 1 << (ty.bits().min(40) - 2);
    // Pointers compare as unsigned numbers.
    let comparable = !is_pointer || matches!(cc, Ult | Ugt | Ne);
    let lead = if counted.tests_next { counter.step } else { 0 };
    (exact && fits && comparable).then_some(Formula {
        ty,
        start: counter.start,
        bound: counted.bound,
        lead,
        step: counter.step,
        cc,
        slack,
        guarded: false,
    })
}

fn constant(func: &Function, f: &Formula) -> Option<u64> {
    let bits = |value: Value| func.const_bits(value);
    let first = bits(f.start)?.wrapping_add(f.lead as i128 as u128) & f.ty.mask();
    let bound = bits(f.bound)?.wrapping_add(f.slack as i128 as u128) & f.ty.mask();
    let wrapped = |a: u128, b: u128| a.wrapping_sub(b) & f.ty.mask();
    let ahead = if f.step > 0 { wrapped(bound, first) } else { wrapped(first, bound) };
    let step = f.step.unsigned_abs() as u128;
    let passes = match f.cc {
        IntCc::Ne if ahead % step != 0 => return None,
        IntCc::Ne => ahead / step,
        cc if cc.eval(first, bound, f.ty.bits()) => ahead.div_ceil(step),
        _ => 0,
    };
    u64::try_from(passes + 1).ok()
}

impl TripCount {
    /// The number, if it is known.
    pub fn known(&self) -> Option<u64> {
        match *self {
            TripCount::Constant(trips) => Some(trips),
            TripCount::Computed(_) => None,
        }
    }

    /// The trip count as an i64, computed before `end`, which everything the loop starts from
    /// dominates. 0 stands for 2^64.
    pub fn emit(&self, func: &mut Function, end: Inst) -> Value {
        match self {
            TripCount::Constant(trips) => func.iconst(Type::I64, *trips as i64),
            TripCount::Computed(formula) => formula.emit(func, end),
        }
    }
}

impl Formula {
    fn emit(&self, func: &mut Function, end: Inst) -> Value {
        let mut b = Builder::before(func, end);
        let as_integer = |b: &mut Builder<'_>, value: Value| match b.func.const_bits(value) {
            Some(bits) if self.ty.is_ptr() => b.func.bits_const(Type::I64, bits),
            _ if self.ty.is_ptr() => b.unary(Opcode::PtrToInt, Type::I64, value),
            _ => value,
        };
        let ty = if self.ty.is_ptr() { Type::I64 } else { self.ty };
        let (start, bound) = (as_integer(&mut b, self.start), as_integer(&mut b, self.bound));
        let first = plus(&mut b, ty, start, self.lead);
        let bound = plus(&mut b, ty, bound, self.slack);
        let limit = match self.cc {
            _ if self.guarded => bound,
            IntCc::Slt => b.binary(Opcode::SMax, bound, first),
            IntCc::Ult => b.binary(Opcode::UMax, bound, first),
            IntCc::Sgt => b.binary(Opcode::SMin, bound, first),
            IntCc::Ugt => b.binary(Opcode::UMin, bound, first),
            _ => bound,
        };
        let (high, low) = if self.step > 0 { (limit, first) } else { (first, limit) };
        let mut ahead = b.binary(Opcode::Sub, high, low);
        if ty.bits() < 64 {
            ahead = b.unary(Opcode::ZExt, Type::I64, ahead);
        }
        let step = self.step.unsigned_abs();
        let rounding = if self.cc == IntCc::Ne { 0 } else { step as i64 - 1 };
        let ahead = plus(&mut b, Type::I64, ahead, rounding);
        let passes = if step.is_power_of_two() {
            let by = b.iconst(Type::I64, step.trailing_zeros() as i64);
            if step == 1 { ahead } else { b.binary(Opcode::LShr, ahead, by) }
        } else {
            let by = b.iconst(Type::I64, step as i64);
            b.binary(Opcode::UDiv, ahead, by)
        };
        plus(&mut b, Type::I64, passes, !self.guarded as i64)
    }
}

fn plus(b: &mut Builder<'_>, ty: Type, value: Value, by: i64) -> Value {
    match b.func.const_i64(value) {
        _ if by == 0 => value,
        Some(constant) => b.iconst(ty, constant.wrapping_add(by)),
        None => {
            let by = b.iconst(ty, by);
            b.binary(Opcode::Add, value, by)
        }
    }
}

#[cfg(test)]
mod tests;
