//! Addresses as sums: invariant terms with constant factors, a constant, and a constant change per
//! iteration of a loop. All arithmetic is modulo 2^64, as addresses are.

use ir::analysis::{Loop, LoopTree};
use ir::{Function, Inst, IntCc, Opcode, SymbolId, Type, Value, flags};
use smallvec::SmallVec;

use super::induction::{CountedLoop, Counter, is_invariant};

/// Operations looked through.
const MAX_DEPTH: u32 = 12;

/// Terms of one sum.
const MAX_TERMS: usize = 6;

/// What a sum is made of besides numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// A value that does not change in the loop.
    Value(Value),
    /// The address of a symbol.
    Symbol(SymbolId),
}

/// `terms + constant + step * iteration`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Affine {
    /// Distinct, in order, with factors that are not 0.
    pub terms: SmallVec<[(Term, i64); 3]>,
    /// The number.
    pub constant: i64,
    /// What each iteration adds.
    pub step: i64,
}

impl Affine {
    fn of_constant(constant: i64) -> Affine {
        Affine { constant, ..Affine::default() }
    }

    fn of_term(term: Term) -> Affine {
        Affine { terms: [(term, 1)].into_iter().collect(), ..Affine::default() }
    }

    fn scaled(mut self, by: i64) -> Affine {
        self.terms.iter_mut().for_each(|t| t.1 = t.1.wrapping_mul(by));
        self.terms.retain(|t| t.1 != 0);
        self.constant = self.constant.wrapping_mul(by);
        self.step = self.step.wrapping_mul(by);
        self
    }

    fn plus(mut self, other: &Affine) -> Option<Affine> {
        for &(term, factor) in &other.terms {
            match self.terms.binary_search_by_key(&term, |t| t.0) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(factor),
                Err(at) => self.terms.insert(at, (term, factor)),
            }
        }
        self.terms.retain(|t| t.1 != 0);
        self.constant = self.constant.wrapping_add(other.constant);
        self.step = self.step.wrapping_add(other.step);
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    /// How far `other` lies after this in every iteration, if that is the same number in all.
    pub fn distance_to(&self, other: &Affine) -> Option<i64> {
        (self.terms == other.terms && self.step == other.step).then(|| other.constant.wrapping_sub(self.constant))
    }
}

/// The loop whose addresses are asked for.
pub struct AffineLoop<'a> {
    /// Where the loop is.
    pub loops: &'a LoopTree,
    /// The loop.
    pub l: Loop,
    /// Its counters.
    pub counters: &'a [Counter],
    /// Its test.
    pub counted: &'a CountedLoop,
    /// Phis of loops inside it that run through the same values in every iteration of it: terms of
    /// sums.
    pub uniform: &'a [Inst],
}

impl AffineLoop<'_> {
    /// A 64-bit integer or an address as a sum.
    pub fn of(&self, func: &Function, value: Value) -> Option<Affine> {
        self.sum(func, value, MAX_DEPTH)
    }

    fn sum(&self, func: &Function, value: Value, depth: u32) -> Option<Affine> {
        let ty = func.value_type(value);
        if ty != Type::I64 && !ty.is_ptr() {
            return None;
        }
        if let Some(constant) = func.const_i64(value) {
            return Some(Affine::of_constant(constant));
        }
        if let Some((symbol, offset)) = func.const_symbol(value) {
            return Some(Affine { constant: offset, ..Affine::of_term(Term::Symbol(symbol)) });
        }
        let invariant = is_invariant(func, self.loops, self.l, value)
            || func.def_inst(value).is_some_and(|inst| self.uniform.contains(&inst));
        let opaque = || invariant.then(|| Affine::of_term(Term::Value(value)));
        let Some(inst) = func.def_inst(value).filter(|_| depth > 0) else { return opaque() };
        if !invariant && let Some(counter) = self.counters.iter().find(|c| c.phi == inst) {
            let start = self.sum(func, counter.start, depth - 1)?;
            return Some(Affine { step: counter.step, ..start });
        }
        let operand = |index: usize| self.sum(func, func.operand(inst, index), depth - 1);
        let constant = |index: usize| func.const_i64(func.operand(inst, index));
        let found = match func.insts[inst].opcode {
            Opcode::Add | Opcode::PtrAdd => operand(0).zip(operand(1)).and_then(|(a, b)| a.plus(&b)),
            Opcode::Sub => operand(0).zip(operand(1)).and_then(|(a, b)| a.plus(&b.scaled(-1))),
            Opcode::Mul => constant(1).and_then(|by| operand(0).map(|a| a.scaled(by))),
            Opcode::Shl => {
                constant(1).filter(|c| (0..63).contains(c)).and_then(|by| operand(0).map(|a| a.scaled(1 << by)))
            }
            Opcode::SExt if !invariant => self.sign_extended(func, func.operand(inst, 0), depth - 1),
            Opcode::ZExt if !invariant => self.zero_extended_counter(func, func.operand(inst, 0)),
            _ => None,
        };
        found.or_else(opaque)
    }

    /// The exact value of a narrow sum of the loop's counter and constants, where the counter was
    /// widened and fits.
    fn sign_extended(&self, func: &Function, value: Value, depth: u32) -> Option<Affine> {
        if let Some(constant) = func.const_i64(value) {
            return Some(Affine::of_constant(constant));
        }
        let inst = func.def_inst(value).filter(|_| depth > 0)?;
        let data = func.insts[inst];
        let operand = |index: usize| self.sign_extended(func, func.operand(inst, index), depth - 1);
        match data.opcode {
            Opcode::Trunc => {
                let counter = self.counted.counter;
                let whole = func.operand(inst, 0) == func.first_result(counter.phi);
                (whole && self.counter_fits(func, data.ty.bits())).then_some(())?;
                let start = self.sum(func, counter.start, depth - 1)?;
                Some(Affine { step: counter.step, ..start })
            }
            Opcode::Add if data.has(flags::NSW) => operand(0)?.plus(&operand(1)?),
            Opcode::Sub if data.has(flags::NSW) => operand(0)?.plus(&operand(1)?.scaled(-1)),
            _ => None,
        }
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
            func.def_inst(value).filter(|&inst| func.insts[inst].opcode == Opcode::Add).is_some_and(|inst| {
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

    /// The loop's own narrow counter, where its test keeps it from wrapping.
    fn zero_extended_counter(&self, func: &Function, value: Value) -> Option<Affine> {
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
        stays_below.then_some(Affine { constant: start, step: counter.step, ..Affine::default() })
    }
}

/// What a value changes by per iteration modulo 2^width, through operations that keep to that: 0
/// for invariants.
pub fn ring_stride(func: &Function, at: &AffineLoop<'_>, value: Value) -> Option<i64> {
    stride(func, at, value, MAX_DEPTH)
}

fn stride(func: &Function, at: &AffineLoop<'_>, value: Value, depth: u32) -> Option<i64> {
    let ty = func.value_type(value);
    if !ty.is_int() || ty.bits() > 64 || ty == Type::I1 {
        return None;
    }
    if is_invariant(func, at.loops, at.l, value) {
        return Some(0);
    }
    let inst: Inst = func.def_inst(value).filter(|_| depth > 0)?;
    if let Some(counter) = at.counters.iter().find(|c| c.phi == inst) {
        return Some(counter.step);
    }
    let operand = |index: usize| stride(func, at, func.operand(inst, index), depth - 1);
    let constant = |index: usize| func.const_i64(func.operand(inst, index));
    match func.insts[inst].opcode {
        Opcode::Add => Some(operand(0)?.wrapping_add(operand(1)?)),
        Opcode::Sub => Some(operand(0)?.wrapping_sub(operand(1)?)),
        Opcode::Mul => Some(operand(0)?.wrapping_mul(constant(1)?)),
        Opcode::Shl => Some(operand(0)?.wrapping_mul(1 << constant(1).filter(|c| (0..63).contains(c))?)),
        Opcode::Trunc => operand(0),
        _ => None,
    }
}
