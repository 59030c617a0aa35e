//! Values as sums: constant multiples of other values plus a constant, exact modulo 2^64.
//!
//! Sums, differences, address arithmetic and multiplication by constants are looked through;
//! everything else is a term. What two accesses of a loop touch can then be compared across
//! iterations: equal terms leave a constant distance. Looks at no more than [`MAX_STEPS`]
//! instructions per value.

use ir::analysis::{Loop, LoopTree};
use ir::{Function, Opcode, SymbolId, Value};
use smallvec::SmallVec;

use crate::analysis::induction::{Counter, is_invariant};

/// Instructions looked through per value.
const MAX_STEPS: usize = 24;

/// What a sum is made of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The address of a symbol.
    Symbol(SymbolId),
    /// Any other value.
    Value(Value),
}

/// `constant` plus each term times its factor, modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear<T = Term> {
    /// Sorted, each once, no factor 0.
    pub terms: SmallVec<[(T, i64); 4]>,
    /// The rest.
    pub constant: i64,
}

/// The sum that a pointer or 64-bit integer is.
pub fn linear(func: &Function, value: Value) -> Linear {
    let (mut terms, mut rest) = (SmallVec::new(), 0i64);
    let mut work: SmallVec<[(Value, i64); 8]> = SmallVec::new();
    work.push((value, 1));
    let mut steps = 0;
    while let Some((value, factor)) = work.pop() {
        if let Some(constant) = func.const_i64(value) {
            rest = rest.wrapping_add(constant.wrapping_mul(factor));
            continue;
        }
        if let Some((symbol, offset)) = func.const_symbol(value) {
            rest = rest.wrapping_add(offset.wrapping_mul(factor));
            terms.push((Term::Symbol(symbol), factor));
            continue;
        }
        steps += 1;
        let Some(inst) = func.def_inst(value).filter(|_| steps <= MAX_STEPS && func.value_type(value).bits() == 64)
        else {
            terms.push((Term::Value(value), factor));
            continue;
        };
        let multiple = |by: Value| func.const_i64(by).map(|c| factor.wrapping_mul(c));
        match func.insts[inst].opcode {
            Opcode::Add | Opcode::PtrAdd => {
                work.extend([(func.operand(inst, 0), factor), (func.operand(inst, 1), factor)]);
            }
            Opcode::Sub => {
                work.extend([(func.operand(inst, 0), factor), (func.operand(inst, 1), factor.wrapping_neg())]);
            }
            Opcode::Mul if func.const_i64(func.operand(inst, 1)).is_some() => {
                work.push((func.operand(inst, 0), multiple(func.operand(inst, 1)).expect("a constant")));
            }
            Opcode::Shl if func.const_bits(func.operand(inst, 1)).is_some_and(|by| by < 64) => {
                let by = func.const_bits(func.operand(inst, 1)).expect("a constant");
                work.push((func.operand(inst, 0), factor.wrapping_mul(1i64 << by)));
            }
            _ => terms.push((Term::Value(value), factor)),
        }
    }
    Linear::new(terms, rest)
}

impl<T: Ord> Linear<T> {
    /// The sum of these terms, in any order, and a constant.
    pub fn new(mut terms: SmallVec<[(T, i64); 4]>, constant: i64) -> Linear<T> {
        terms.sort_unstable();
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.wrapping_add(next.1);
            }
            same
        });
        terms.retain(|t| t.1 != 0);
        Linear { terms, constant }
    }
}

impl Linear {
    /// By how much the value grows per iteration of a loop, if that is a constant: every term is
    /// invariant or one of the loop's counters.
    pub fn stride(&self, func: &Function, loops: &LoopTree, l: Loop, counters: &[Counter]) -> Option<i64> {
        let mut stride = 0i64;
        for &(term, factor) in &self.terms {
            let Term::Value(value) = term else { continue };
            if is_invariant(func, loops, l, value) {
                continue;
            }
            let inst = func.def_inst(value)?;
            let counter = counters.iter().find(|c| c.phi == inst)?;
            stride = stride.wrapping_add(counter.step.wrapping_mul(factor));
        }
        Some(stride)
    }
}
