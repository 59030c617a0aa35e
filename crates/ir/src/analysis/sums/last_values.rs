//! What a counted loop's values are in its last iteration, as code before it.
//!
//! A header phi that changes by an invariant per iteration is its start plus a multiple after the
//! loop; if the change itself grows by a constant, it is a polynomial of the second degree
//! (Bachmann, Wang, Zima: "Chains of recurrences", ISSAC 1994). Pure functions of such phis are
//! computed once more. All is exact modulo 2^width, as the additions in the loop are.

use smallvec::SmallVec;

use super::induction::{CountedLoop, Counter, counter, is_invariant};
use super::loops::LoopSums;
use super::trip_count::{TripCount, trip_count};
use crate::analysis::{Cfg, LoopRef};
use crate::effects::is_pure;
use crate::{Builder, Function, Inst, IntCc, Opcode, Type, Value};

/// Instructions copied for one value.
const MAX_COPIES: usize = 12;

/// A loop whose trip count is known before it.
pub struct LastValues<'a> {
    l: LoopRef<'a>,
    counted: CountedLoop,
    counters: Vec<Counter>,
    trips: Trips,
}

#[derive(Copy, Clone)]
enum Trips {
    /// The bound itself.
    Bound(Value),
    Other(TripCount),
}

/// A header phi whose next value is `phi + added` (or `phi - added`), where `added` grows by
/// `stride` per iteration.
struct Recurrence {
    next: Inst,
    start: Value,
    added: Value,
    stride: i64,
}

/// The iteration whose value is asked for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Iteration {
    First,
    Last,
}

impl<'a> LastValues<'a> {
    /// The values of a loop that only its latch leaves, by its test.
    pub fn new(func: &Function, cfg: &Cfg, l: LoopRef<'a>, counted: CountedLoop) -> Option<LastValues<'a>> {
        let trips = match trip_count(func, cfg, &counted)? {
            TripCount::Computed(_) if counted.cc != IntCc::Ne && counted.runs_to_bound(func, cfg) => {
                Trips::Bound(counted.bound)
            }
            trips => Trips::Other(trips),
        };
        let of_phi = |phi| counter(func, phi, counted.preheader, counted.latch);
        let counters = func.phis(l.header()).filter_map(of_phi).collect();
        Some(LastValues { l, counted, counters, trips })
    }

    /// Whether [`Self::emit`] can compute a value of the loop's latch.
    pub fn is_known(&self, func: &Function, value: Value) -> bool {
        let mut budget = MAX_COPIES;
        self.can_copy(func, value, &mut budget)
    }

    fn can_copy(&self, func: &Function, value: Value, budget: &mut usize) -> bool {
        let Some(inst) = func.def_inst(value).filter(|_| !is_invariant(func, self.l, value)) else { return true };
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        if func.insts[inst].opcode == Opcode::Phi {
            return self.recurrence(func, inst).is_some_and(|r| self.can_copy(func, r.added, budget));
        }
        let simple = is_pure(func, inst) && func.results(inst).len() == 1;
        simple && func.operands(inst).all(|operand| self.can_copy(func, operand, budget))
    }

    fn recurrence(&self, func: &Function, phi: Inst) -> Option<Recurrence> {
        let ty = func.insts[phi].ty;
        let fits = (ty.is_int() && ty != Type::I1 || ty.is_ptr()) && !ty.is_vector() && ty.bits() <= 64;
        if !fits || func.inst_block(phi) != Some(self.l.header()) {
            return None;
        }
        let next = func.def_inst(func.phi_value(phi, self.counted.latch)?)?;
        let result = func.first_result(phi);
        let added = match func.insts[next].opcode {
            Opcode::Add | Opcode::PtrAdd | Opcode::Sub if func.operand(next, 0) == result => func.operand(next, 1),
            Opcode::Add if func.operand(next, 1) == result => func.operand(next, 0),
            _ => return None,
        };
        let sums = LoopSums { l: self.l, counters: &self.counters, counted: &self.counted, uniform: &[] };
        let stride = if is_invariant(func, self.l, added) { 0 } else { sums.stride(func, added)? };
        Some(Recurrence { next, start: func.phi_value(phi, self.counted.preheader)?, added, stride })
    }

    /// The recurrence whose phi or next value this is.
    fn recurrence_with(&self, func: &Function, value: Value) -> Option<Recurrence> {
        let mut phis = func.phis(self.l.header());
        let next_of = phis.find(|&phi| func.phi_value(phi, self.counted.latch) == Some(value));
        let phi = func.def_with(value, Opcode::Phi).or(next_of)?;
        self.recurrence(func, phi)
    }

    /// Computes a known value of the last iteration before `end`, the preheader's terminator.
    pub fn emit(&self, func: &mut Function, end: Inst, value: Value) -> Value {
        self.copy(func, end, value, Iteration::Last)
    }

    fn copy(&self, func: &mut Function, end: Inst, value: Value, iteration: Iteration) -> Value {
        let Some(inst) = func.def_inst(value).filter(|_| !is_invariant(func, self.l, value)) else { return value };
        if iteration == Iteration::Last {
            if let Some(recurrence) = self.recurrence_with(func, value) {
                return self.advance(func, end, &recurrence, recurrence.next == inst);
            }
        } else if func.insts[inst].opcode == Opcode::Phi {
            return func.phi_value(inst, self.counted.preheader).unwrap_or(value);
        }
        let operands: SmallVec<[Value; 4]> = func.operands(inst).collect();
        let copied = operands.iter().map(|&operand| (operand, self.copy(func, end, operand, iteration)));
        let copied: SmallVec<[(Value, Value); 4]> = copied.collect();
        let copy = func.copy_inst(inst, |v| copied.iter().find(|c| c.0 == v).map_or(v, |c| c.1));
        func.insert_before(end, copy);
        func.first_result(copy)
    }

    /// The phi's value in the last iteration, or the one that follows it.
    fn advance(&self, func: &mut Function, end: Inst, r: &Recurrence, follows: bool) -> Value {
        let first_added = self.copy(func, end, r.added, Iteration::First);
        let ty = func.value_type(first_added);
        let opcode = func.insts[r.next].opcode;
        let trips = match self.trips {
            Trips::Bound(bound) => bound,
            Trips::Other(count) => count.emit(func, end),
        };
        let mut b = Builder::before(func, end);
        let count = resized(&mut b, trips, ty);
        let less = |b: &mut Builder<'_>, count: Value| {
            let minus_one = b.iconst(b.func.value_type(count), -1);
            b.binary(Opcode::Add, count, minus_one)
        };
        let times = if follows { count } else { less(&mut b, count) };
        let mut change = b.binary(Opcode::Mul, times, first_added);
        if r.stride != 0 {
            // The pairs of iterations, n * (n - 1) / 2: the factor that is even is halved.
            let wide = resized(&mut b, trips, Type::I64);
            let n = if follows { wide } else { less(&mut b, wide) };
            let one = b.iconst(Type::I64, 1);
            let half = b.binary(Opcode::LShr, n, one);
            let before = less(&mut b, n);
            let odd = b.binary(Opcode::Or, before, one);
            let pairs = b.binary(Opcode::Mul, half, odd);
            let pairs = resized(&mut b, pairs, ty);
            let stride = b.iconst(ty, r.stride);
            let grown = b.binary(Opcode::Mul, pairs, stride);
            change = b.binary(Opcode::Add, change, grown);
        }
        match opcode {
            Opcode::PtrAdd => b.ptradd(r.start, change, 0),
            opcode => b.binary(opcode, r.start, change),
        }
    }
}

/// An integer with more or fewer bits.
fn resized(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match b.func.value_type(value).bits().cmp(&ty.bits()) {
        std::cmp::Ordering::Less => b.unary(Opcode::ZExt, ty, value),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => b.unary(Opcode::Trunc, ty, value),
    }
}
