//! Values as sums: constant multiples of other values plus a constant, exact modulo 2^64 or a
//! smaller power of two.
//!
//! Sums, differences, address arithmetic, multiplication by constants, and extensions of narrower
//! sums that do not overflow are looked through; everything else is a term. Equal terms leave a
//! constant distance, so that accesses can be compared however their addresses are computed. Within
//! a loop ([`loops`]) a sum has a step as well; [`translation`] asks for the sum that each path
//! into a block makes; [`copies`] compares the elements of a loop unrolled by hand; [`induction`],
//! [`trip_count`] and [`most_trips`] know the counters, [`first_round`] computes with their starts.
//! Looks at no more than [`MAX_STEPS`] instructions per value.

pub mod copies;
pub mod first_round;
pub mod induction;
pub mod last_values;
pub mod loops;
pub mod most_trips;
pub mod translation;
pub mod trip_count;

use smallvec::SmallVec;

use crate::analysis::LoopRef;
use crate::{Function, Inst, Opcode, SymbolId, Value, flags};
use induction::{Counter, is_invariant};

/// Instructions looked through per value.
const MAX_STEPS: usize = 24;

/// What a sum is made of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The address of a symbol.
    Symbol(SymbolId),
    /// Any other value.
    Value(Value),
    /// A narrower value, sign-extended.
    Signed(Value),
    /// A narrower value, zero-extended.
    Unsigned(Value),
}

impl Term {
    fn extended(value: Value, extension: Extension) -> Term {
        match extension {
            Extension::None => Term::Value(value),
            Extension::Sign => Term::Signed(value),
            Extension::Zero => Term::Unsigned(value),
        }
    }

    fn value(self) -> Option<Value> {
        match self {
            Term::Symbol(_) => None,
            Term::Value(value) | Term::Signed(value) | Term::Unsigned(value) => Some(value),
        }
    }
}

/// `constant` plus each term times its factor plus `step` times the iteration of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// Sorted, each once, no factor 0.
    pub terms: SmallVec<[(Term, i64); 4]>,
    /// The number.
    pub constant: i64,
    /// What each iteration adds, where the sum is one within a loop.
    pub step: i64,
}

/// Whether two addresses are one value, or the same sum computed twice.
pub fn is_equal_sum(func: &Function, x: Value, y: Value) -> bool {
    let sum = |v: Value| func.def_with(v, Opcode::PtrAdd).map(|inst| func.insts[inst]);
    x == y || sum(x).is_some() && sum(x) == sum(y)
}

/// The sum that a pointer or 64-bit integer is.
pub fn linear(func: &Function, value: Value) -> Linear {
    sum(func, value, 64, Some).unwrap_or_default()
}

/// How a value takes part in a sum.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Extension {
    None,
    Sign,
    Zero,
}

/// The sum that a value of at least `bits` bits is, modulo 2^bits, where `translate` may put
/// another value in the place of one. `None` if it does not know one.
fn sum(func: &Function, value: Value, bits: u32, translate: impl FnMut(Value) -> Option<Value>) -> Option<Linear> {
    sum_through(func, value, bits, translate, |_| true)
}

/// The same, where `splits` tells which instructions are looked through.
fn sum_through(
    func: &Function,
    value: Value,
    bits: u32,
    mut translate: impl FnMut(Value) -> Option<Value>,
    splits: impl Fn(Inst) -> bool,
) -> Option<Linear> {
    let mut sum = Linear::default();
    let mut work: SmallVec<[(Value, Extension, i64); 8]> = SmallVec::new();
    work.push((value, Extension::None, 1));
    let mut steps = 0;
    while let Some((value, extension, factor)) = work.pop() {
        let value = translate(value)?;
        if let Some(constant) = constant(func, value, extension) {
            sum.constant = sum.constant.wrapping_add(constant.wrapping_mul(factor));
            continue;
        }
        if let Some((symbol, offset)) = func.const_symbol(value) {
            sum.constant = sum.constant.wrapping_add(offset.wrapping_mul(factor));
            sum.terms.push((Term::Symbol(symbol), factor));
            continue;
        }
        steps += 1;
        let inst = func.def_inst(value).filter(|&inst| steps <= MAX_STEPS && splits(inst));
        match inst.and_then(|inst| split(func, inst, bits, extension)) {
            Some(parts) => work.extend(parts.into_iter().map(|(v, e, f)| (v, e, factor.wrapping_mul(f)))),
            None => sum.terms.push((Term::extended(value, extension), factor)),
        }
    }
    sum.tidy();
    Some(sum)
}

fn constant(func: &Function, value: Value, extension: Extension) -> Option<i64> {
    match extension {
        Extension::Zero => func.const_bits(value).map(|bits| bits as u64 as i64),
        Extension::None | Extension::Sign => func.const_i64(value),
    }
}

/// What an instruction's result, extended, is the sum of, with factors.
fn split(
    func: &Function,
    inst: Inst,
    bits: u32,
    extension: Extension,
) -> Option<SmallVec<[(Value, Extension, i64); 2]>> {
    let data = func.insts[inst];
    let exact = match extension {
        Extension::None => data.ty.bits() >= bits,
        Extension::Sign => data.has(flags::NSW),
        Extension::Zero => data.has(flags::NUW),
    };
    let operand = |index| func.operand(inst, index);
    let narrow = |index| func.value_type(operand(index)).is_int();
    let mut parts = SmallVec::new();
    match data.opcode {
        Opcode::SExt if extension != Extension::Zero && narrow(0) => parts.push((operand(0), Extension::Sign, 1)),
        Opcode::ZExt if narrow(0) => parts.push((operand(0), Extension::Zero, 1)),
        Opcode::Trunc if extension == Extension::None && exact => parts.push((operand(0), extension, 1)),
        Opcode::Add | Opcode::PtrAdd if exact => parts.extend([(operand(0), extension, 1), (operand(1), extension, 1)]),
        Opcode::Sub if exact => parts.extend([(operand(0), extension, 1), (operand(1), extension, -1)]),
        Opcode::Mul if exact => parts.push((operand(0), extension, constant(func, operand(1), extension)?)),
        Opcode::Shl if exact => {
            let by = func.const_bits(operand(1)).filter(|&by| by < u128::from(data.ty.bits().min(64)))?;
            parts.push((operand(0), extension, 1i64 << by));
        }
        _ => return None,
    }
    Some(parts)
}

impl Linear {
    /// The least and the greatest constant in so many iterations.
    pub fn ends(&self, trips: i64) -> (i64, i64) {
        let last = self.constant.saturating_add(self.step.saturating_mul(trips - 1));
        (self.constant.min(last), self.constant.max(last))
    }

    /// Sorts the terms and joins equal ones.
    fn tidy(&mut self) {
        self.terms.sort_unstable();
        self.terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.wrapping_add(next.1);
            }
            same
        });
        self.terms.retain(|t| t.1 != 0);
    }

    /// Adds `factor` times another sum. The terms are not tidy then.
    fn add(&mut self, other: Linear, factor: i64) {
        self.terms.extend(other.terms.into_iter().map(|(term, by)| (term, by.wrapping_mul(factor))));
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        self.step = self.step.wrapping_add(other.step.wrapping_mul(factor));
    }

    /// How far `other` lies after this in every iteration, if that is the same number in all.
    pub fn distance_to(&self, other: &Linear) -> Option<i64> {
        (self.terms == other.terms && self.step == other.step).then(|| other.constant.wrapping_sub(self.constant))
    }

    /// This less another.
    pub fn minus(&self, other: &Linear) -> Linear {
        let mut difference = self.clone();
        difference.add(other.clone(), -1);
        difference.tidy();
        difference
    }

    /// By how much the value grows per iteration of a loop, if that is a constant: every term is
    /// invariant or one of the loop's counters.
    pub fn stride(&self, func: &Function, l: LoopRef<'_>, counters: &[Counter]) -> Option<i64> {
        let mut stride = 0i64;
        for &(term, factor) in &self.terms {
            if term.value().is_none_or(|value| is_invariant(func, l, value)) {
                continue;
            }
            let Term::Value(value) = term else { return None };
            let inst = func.def_inst(value)?;
            let counter = counters.iter().find(|c| c.phi == inst)?;
            stride = stride.wrapping_add(counter.step.wrapping_mul(factor));
        }
        Some(stride)
    }
}
