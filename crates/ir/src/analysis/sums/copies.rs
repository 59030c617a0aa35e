//! Loops that were unrolled by hand: `k` copies of a shorter body, one after the other, of which
//! each does for the next element what the one before it did.
//!
//! ```text
//! for (i = 0; i < n; i += 2) { a[i] = b[i] + x; a[i + 1] = b[i + 1] + x; }
//! ```
//!
//! The stores of the body in order belong to the first copy, the second, and so on, and so do the
//! links of values that every copy carries on, as sums. From those the values are compared two by
//! two: operations alike, the same invariants, and sums ([`super`]) whose counters put as much
//! between them as the shorter loop would from one iteration to the next. Stores keep their order,
//! and loads their places among them; those that do not must not meet the stores in between.
//! After "reroll" of Debray, Muth, Evans, "Code size optimization", 2000. Cost: pairs of values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::induction::{Counter, is_invariant};
use super::{Linear, Term, sum_through};
use crate::analysis::LoopRef;
use crate::{Block, Function, Inst, Opcode, Type, Value};

/// Copies of one body.
const MAX_COPIES: usize = 16;

/// What was found.
#[derive(Debug)]
pub struct Copies {
    /// How many there are.
    pub count: usize,
    /// The stores of all copies but the first.
    pub later_stores: Vec<Inst>,
    /// Of each header phi that is no counter, its values after the first and the last copy.
    pub carried: Vec<(Value, Value)>,
}

/// A loop whose blocks all run in each iteration.
pub struct Unrolled<'a> {
    /// The function.
    pub func: &'a Function,
    /// The loop.
    pub l: LoopRef<'a>,
    /// The block that returns to its header.
    pub latch: Block,
    /// Its instructions in order, without jumps.
    pub insts: &'a [Inst],
    /// Its counters.
    pub counters: &'a [Counter],
}

impl Unrolled<'_> {
    /// The copies that the body consists of. `may_meet` tells whether a store and a load of any
    /// iterations may share a byte.
    pub fn copies(&self, may_meet: impl Fn(Inst, Inst) -> bool) -> Option<Copies> {
        let func = self.func;
        let is_store = |&i: &Inst| func.insts[i].opcode == Opcode::Store;
        let stores: Vec<Inst> = self.insts.iter().copied().filter(is_store).collect();
        let is_counter = |phi: Inst| self.counters.iter().any(|c| c.phi == phi);
        let phis = func.phis(self.l.header()).filter(|&phi| !is_counter(phi));
        let chains: Vec<Vec<Value>> = phis.map(|phi| self.chain(phi)).collect::<Option<_>>()?;
        let outside = |inst: Inst| func.inst_block(inst).is_none_or(|b| !self.l.contains(b));
        let stays = |&inst: &Inst| func.results(inst).all(|r| !func.uses(r).any(|u| outside(u.0)));
        let leaves = |inst: Inst| {
            let last = |c: &Vec<Value>| c.last().is_some_and(|&v| func.def_inst(v) == Some(inst));
            self.counters.iter().any(|c| c.next == inst) || chains.iter().any(last)
        };
        let divides = |&k: &usize| {
            let steps = self.counters.iter().all(|c| c.step % k as i64 == 0);
            steps && stores.len().is_multiple_of(k) && chains.iter().all(|c| (c.len() - 1).is_multiple_of(k))
        };
        if stores.is_empty() && chains.is_empty() || !self.insts.iter().all(|i| leaves(*i) || stays(i)) {
            return None;
        }
        let count = (2..=MAX_COPIES).rev().filter(divides).find(|&count| {
            Comparison { body: self, stores: &stores, chains: &chains, count, may_meet: &may_meet }.succeeds()
        })?;
        let later_stores = stores[stores.len() / count..].to_vec();
        let carried = |c: &Vec<Value>| (c[(c.len() - 1) / count], c[c.len() - 1]);
        Some(Copies { count, later_stores, carried: chains.iter().map(carried).collect() })
    }

    /// The values that lead from a header phi to what it is in the next iteration, each with no use
    /// but the next one.
    fn chain(&self, phi: Inst) -> Option<Vec<Value>> {
        let func = self.func;
        let last = func.phi_value(phi, self.latch)?;
        let mut chain = vec![func.first_result(phi)];
        loop {
            let value = *chain.last()?;
            let mut uses = func.uses(value).map(|u| u.0);
            let inside = |inst: Inst| func.inst_block(inst).is_some_and(|b| self.l.contains(b));
            if value == last {
                return (chain.len() > 1 && uses.all(|u| u == phi || !inside(u))).then_some(chain);
            }
            let next = uses.next().filter(|&u| inside(u) && func.insts[u].opcode != Opcode::Phi)?;
            if uses.next().is_some() {
                return None;
            }
            chain.push(func.result(next)?);
        }
    }
}

struct Comparison<'a> {
    body: &'a Unrolled<'a>,
    stores: &'a [Inst],
    chains: &'a [Vec<Value>],
    count: usize,
    may_meet: &'a dyn Fn(Inst, Inst) -> bool,
}

/// A value of the first copy, and which one of a later copy has to be its like.
type Pair = (Value, Value, usize);

impl Comparison<'_> {
    fn succeeds(&self) -> bool {
        let func = self.body.func;
        let mut before: FxHashMap<Inst, usize> = FxHashMap::default();
        let mut stores = 0;
        for &inst in self.body.insts {
            before.insert(inst, stores);
            stores += usize::from(func.insts[inst].opcode == Opcode::Store);
        }
        let mut work: Vec<Pair> = Vec::new();
        for copy in 1..self.count {
            let each = self.stores.len() / self.count;
            for (&first, &later) in self.stores.iter().zip(&self.stores[copy * each..]).take(each) {
                if !self.same_operation(first, later) {
                    return false;
                }
                work.extend(func.operands(first).zip(func.operands(later)).map(|(a, b)| (a, b, copy)));
            }
            for chain in self.chains {
                let each = (chain.len() - 1) / self.count;
                work.extend((1..=each).map(|link| (chain[link], chain[copy * each + link], copy)));
            }
        }
        let mut seen = FxHashSet::default();
        while let Some(pair) = work.pop() {
            if seen.insert(pair) && self.compare(&before, pair, &mut work).is_none() {
                return false;
            }
        }
        true
    }

    fn is_invariant(&self, value: Value) -> bool {
        is_invariant(self.body.func, self.body.l, value)
    }

    /// Whether two instructions are alike but for their operands.
    fn same_operation(&self, a: Inst, b: Inst) -> bool {
        let (x, y) = (self.body.func.insts[a], self.body.func.insts[b]);
        let fixed =
            !matches!(x.opcode, Opcode::Phi | Opcode::Undef | Opcode::Call | Opcode::Intrinsic | Opcode::Shuffle);
        let alike = (x.opcode, x.ty, x.flags) == (y.opcode, y.ty, y.flags) && fixed;
        alike && (!matches!(x.opcode, Opcode::Load | Opcode::Store) || x.mem_info() == y.mem_info())
    }

    /// Compares two values, or says which others have to be alike for that.
    fn compare(&self, before: &FxHashMap<Inst, usize>, pair: Pair, work: &mut Vec<Pair>) -> Option<()> {
        let func = self.body.func;
        let (first, later, copy) = pair;
        if self.is_invariant(first) && first == later {
            return Some(());
        }
        for chain in self.chains {
            let each = (chain.len() - 1) / self.count;
            let Some(link) = chain[..=each].iter().position(|&v| v == first) else { continue };
            (chain[copy * each + link] == later).then_some(())?;
            if link == 0 {
                return Some(());
            }
        }
        let ty = func.value_type(first);
        (ty == func.value_type(later)).then_some(())?;
        if ty.is_ptr() || ty.is_int() && !ty.is_vector() && ty.bits() <= 64 && ty != Type::I1 {
            let ((a, x), (b, y)) = (self.sum(first), self.sum(later));
            let steps = |factor: i64, c: &Counter| (c.step / self.count as i64).wrapping_mul(factor);
            let of_counter = |v: Value| self.body.counters.iter().find(|c| func.def_inst(v) == Some(c.phi));
            let step = a.terms.iter().fold(0i64, |sum, &(term, factor)| match term {
                Term::Value(v) => sum.wrapping_add(of_counter(v).map_or(0, |c| steps(factor, c))),
                _ => sum,
            });
            let apart = b.constant.wrapping_sub(a.constant).wrapping_sub(step.wrapping_mul(copy as i64));
            let exact = apart as u64 & ty.mask() as u64 == 0;
            let alike = x.len() == y.len() && x.iter().zip(&y).all(|(p, q)| p.1 == q.1);
            (exact && alike && a.terms == b.terms).then_some(())?;
            if x[..] != [(first, 1)] || y[..] != [(later, 1)] {
                work.extend(x.iter().zip(&y).map(|(p, q)| (p.0, q.0, copy)));
                return Some(());
            }
        }
        if self.is_invariant(first) || self.is_invariant(later) {
            return None;
        }
        let (a, b) = (func.def_inst(first)?, func.def_inst(later)?);
        self.same_operation(a, b).then_some(())?;
        if func.insts[a].opcode == Opcode::Load {
            let each = self.stores.len() / self.count;
            let (place, wanted) = (before[&b], copy * each + before[&a]);
            let passed = &self.stores[place.min(wanted)..place.max(wanted).min(self.stores.len())];
            (before[&a] <= each && !passed.iter().any(|&store| (self.may_meet)(store, b))).then_some(())?;
        }
        work.extend(func.operands(a).zip(func.operands(b)).map(|(a, b)| (a, b, copy)));
        Some(())
    }

    /// The sum that a value is modulo two to the power of its width, and those of its terms that
    /// are neither invariants nor counters.
    fn sum(&self, value: Value) -> (Linear, Vec<(Value, i64)>) {
        let func = self.body.func;
        let links = |v: Value| self.chains.iter().any(|c| c.contains(&v));
        let splits = |inst: Inst| {
            let extends = matches!(func.insts[inst].opcode, Opcode::SExt | Opcode::ZExt);
            !extends && func.result(inst).is_none_or(|r| r == value || !links(r))
        };
        let ty = func.value_type(value);
        let bits = if ty.is_ptr() { 64 } else { ty.bits() };
        let mut sum = sum_through(func, value, bits, Some, splits).unwrap_or_default();
        let mut others = Vec::new();
        sum.terms.retain(|&mut (term, factor)| {
            let Term::Value(v) = term else { return true };
            let is_counter = self.body.counters.iter().any(|c| func.def_inst(v) == Some(c.phi));
            let steady = self.is_invariant(v) || is_counter;
            if !steady {
                others.push((v, factor));
            }
            steady
        });
        others.sort_by_key(|&(v, _)| !links(v));
        (sum, others)
    }
}
