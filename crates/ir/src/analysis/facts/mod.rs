//! What is known of integers and pointers at a place: the range of each value, how pairs of values
//! compare, and with that which comparisons are decided.
//!
//! [`known`] looks at definitions alone. [`Facts`] also holds what control passing an edge says
//! ([`Facts::assume_edge`]); what was learnt is taken back with [`Facts::undo_to`], so that a walk
//! over the dominator tree or a look at one edge uses the same store. A fact holds for all uses of
//! a value below the edge, since SSA values do not change: a use sees the execution of the
//! definition that the edge saw.

pub mod range;
pub mod relation;
mod transfer;

use crate::{
    Block, Function, Inst, InstView, IntCc, Linkage, Module, Opcode, SwitchId, SymbolDef, Type, Value, ValueDef, flags,
};
use cranelift_entity::SecondaryMap;
use platform::options::Options;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::analysis::alias::{Base, decompose};

pub use range::{Range, has_range};
pub use relation::Relation;
pub use transfer::{known, known_phi, transfer};

/// Conditions joined by `and` and `or` that are taken apart per branch.
const MAX_CONJUNCTS: usize = 8;

/// Entries of phis of pointers whose accesses are looked for.
const MAX_ENTRIES: usize = 16;

/// Uses of a pointer among which an access is looked for.
const MAX_ACCESSES: usize = 8;

/// Cases of a switch that may share a target for its range to be looked at.
const MAX_CASES: usize = 16;

/// Uses of a narrowed value that are looked at for extensions of it.
const MAX_EXTENSIONS: usize = 8;

/// What can be undone.
enum Undo {
    Range(Value, u32),
    Relation((Value, Value), Option<Relation>),
}

/// What is known at a place of a function.
pub struct Facts<'a> {
    module: &'a Module,
    /// Whether null is no object's address and is not accessed.
    no_object_at_null: bool,
    /// Index into `ranges` plus one; 0: nothing but what the value's kind says.
    index: SecondaryMap<Value, u32>,
    ranges: Vec<Range>,
    relations: FxHashMap<(Value, Value), Relation>,
    undo: Vec<Undo>,
}

/// What [`Facts::assume_edge`] learns of a switch's value on the edges to its targets, for all of
/// them at once: in time linear in the cases.
pub fn case_ranges(func: &Function, value: Value, cases: SwitchId) -> FxHashMap<Block, Range> {
    let (switch, ty) = (&func.switches[cases], func.value_type(value));
    let mut ranges: FxHashMap<Block, (usize, Range)> = FxHashMap::default();
    for &(number, to) in &switch.cases {
        let number = Range::constant(ty, u128::from(number));
        let joined = |(count, range): &mut (usize, Range)| (*count, *range) = (*count + 1, range.union(number));
        ranges.entry(to).and_modify(joined).or_insert((1, number));
    }
    ranges.remove(&switch.default);
    ranges.into_iter().filter(|(_, (count, _))| *count <= MAX_CASES).map(|(to, (_, range))| (to, range)).collect()
}

/// Whether an instruction computes an address beyond the first byte of an object: not null, as
/// nothing may be added to that (gcc's `-fdelete-null-pointer-checks`).
pub fn is_within(func: &Function, inst: Inst) -> bool {
    let moves = || func.const_bits(func.operand(inst, 1)).is_some_and(|offset| offset != 0);
    func.insts[inst].opcode == Opcode::PtrAdd && func.insts[inst].has(flags::INBOUNDS) && moves()
}

impl<'a> Facts<'a> {
    /// Nothing learnt yet.
    pub fn new(module: &'a Module, options: &Options) -> Facts<'a> {
        Facts {
            module,
            no_object_at_null: options.codegen.delete_null_pointer_checks,
            index: SecondaryMap::new(),
            ranges: Vec::new(),
            relations: FxHashMap::default(),
            undo: Vec::new(),
        }
    }

    /// What [`Facts::undo_to`] comes back to.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Forgets what was learnt since `mark`.
    pub fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Range(value, old)) => {
                    if self.index[value] as usize == self.ranges.len() {
                        self.ranges.pop();
                    }
                    self.index[value] = old;
                }
                Some(Undo::Relation(key, Some(old))) => {
                    self.relations.insert(key, old);
                }
                Some(Undo::Relation(key, None)) => {
                    self.relations.remove(&key);
                }
                None => {}
            }
        }
    }

    /// The values narrowed since `mark`, in that order; some of them again.
    pub fn narrowed_since(&self, mark: usize) -> impl Iterator<Item = Value> {
        self.undo[mark..].iter().filter_map(|undo| if let Undo::Range(value, _) = undo { Some(*value) } else { None })
    }

    // ---- questions

    /// What a scalar integer or pointer may be.
    #[inline]
    pub fn range(&self, func: &Function, value: Value) -> Range {
        let ty = func.value_type(value);
        if let Some(bits) = func.const_bits(value) {
            return Range::constant(ty, bits);
        }
        match self.index[value] {
            0 if ty.is_ptr() && self.is_object(func, value) => Range::unsigned(ty, 1, ty.mask()).narrowed(ty),
            0 => Range::full(ty),
            index => self.ranges[index as usize - 1],
        }
    }

    /// Whether the pointer is the address of a local or of a defined, strong symbol: it is not
    /// null, also under `-fno-delete-null-pointer-checks` (gcc's `symtab_node::nonzero_address`).
    fn is_object(&self, func: &Function, value: Value) -> bool {
        match func.value_def(value) {
            ValueDef::Result(inst, _) => func.insts[inst].opcode == Opcode::Alloca,
            ValueDef::Const(_) => func.const_symbol(value).is_some_and(|(symbol, offset)| {
                let data = &self.module.symbols[symbol];
                offset >= 0 && data.linkage != Linkage::Weak && !matches!(data.def, SymbolDef::Undefined)
            }),
            ValueDef::Param(_) => false,
        }
    }

    /// The outcome of a comparison of two values in place of its operands, if it is the same for
    /// all that they may be.
    pub fn outcome(&self, func: &Function, compare: Inst, a: Value, b: Value) -> Option<bool> {
        match func.view(compare) {
            InstView::ICmp { cc, .. } if has_range(func.value_type(a)) => {
                let by_range = self.range(func, a).decide(cc, self.range(func, b));
                by_range.or_else(|| self.relation(a, b)?.decide(Relation::of(cc)))
            }
            InstView::FCmp { cc, signaling, .. } => {
                // A signalling comparison of unordered operands has an effect besides its result.
                let known = self.relation(a, b).filter(|known| !signaling || !known.may_be_unordered())?;
                known.decide(Relation::of_floats(cc))
            }
            _ => None,
        }
    }

    fn relation(&self, a: Value, b: Value) -> Option<Relation> {
        if a < b { self.relations.get(&(a, b)).copied() } else { Some(self.relations.get(&(b, a))?.swapped()) }
    }

    // ---- what is learnt

    /// Learns that a value lies in a range. An empty one says that the place is not reached, which
    /// nobody needs to know.
    pub fn narrow(&mut self, func: &Function, value: Value, range: Range) {
        if func.constant(value).is_none() && !range.is_empty() && range != self.range(func, value) {
            self.undo.push(Undo::Range(value, self.index[value]));
            self.set(value, range);
        }
    }

    fn set(&mut self, value: Value, range: Range) {
        self.ranges.push(range);
        self.index[value] = self.ranges.len() as u32;
    }

    /// Learns what the branch at the end of `from` says where it goes to `to`.
    pub fn assume_edge(&mut self, func: &Function, from: Block, to: Block) {
        match func.view(func.terminator(from)) {
            InstView::CondBr { cond, then_dest, else_dest, .. } if then_dest != else_dest => {
                self.assume(func, cond, then_dest == to);
            }
            InstView::Switch { value, cases } => self.assume_case(func, value, cases, to),
            _ => {}
        }
    }

    fn assume_case(&mut self, func: &Function, value: Value, cases: SwitchId, to: Block) {
        let (switch, ty) = (&func.switches[cases], func.value_type(value));
        if switch.default == to || switch.cases.iter().filter(|c| c.1 == to).nth(MAX_CASES).is_some() {
            return;
        }
        let numbers = switch.cases.iter().filter(|c| c.1 == to).map(|c| Range::constant(ty, u128::from(c.0)));
        if let Some(union) = numbers.reduce(Range::union) {
            self.assume_in(func, value, union);
        }
    }

    /// Learns that a value lies in a range, besides what is known of it.
    pub fn assume_in(&mut self, func: &Function, value: Value, range: Range) {
        let range = self.range(func, value).intersect(func.value_type(value), range);
        self.narrow(func, value, range);
    }

    /// Learns that a condition is true or false.
    pub fn assume(&mut self, func: &Function, cond: Value, truth: bool) {
        let mut work: SmallVec<[(Value, bool); MAX_CONJUNCTS]> = smallvec![(cond, truth)];
        let mut count = 0;
        while let Some((cond, truth)) = work.pop() {
            count += 1;
            if count > MAX_CONJUNCTS {
                return;
            }
            self.narrow(func, cond, Range::constant(Type::I1, u128::from(truth)));
            let Some(inst) = func.def_inst(cond) else { continue };
            match func.view(inst) {
                InstView::ICmp { cc, a, b } if has_range(func.value_type(a)) => {
                    self.assume_compare(func, if truth { cc } else { cc.inverse() }, a, b);
                }
                InstView::FCmp { cc, a, b, .. } => {
                    self.relate(a, b, Relation::of_floats(if truth { cc } else { cc.inverse() }));
                }
                InstView::Binary { op: Opcode::And, a, b, .. } if truth => work.extend([(a, true), (b, true)]),
                InstView::Binary { op: Opcode::Or, a, b, .. } if !truth => work.extend([(a, false), (b, false)]),
                InstView::Binary { op: Opcode::Xor, a, b, .. } if func.const_bits(b) == Some(1) => {
                    work.push((a, !truth))
                }
                _ => {}
            }
        }
    }

    fn assume_compare(&mut self, func: &Function, cc: IntCc, a: Value, b: Value) {
        let ty = func.value_type(a);
        let (range_a, range_b) = (self.range(func, a), self.range(func, b));
        self.narrow_through(func, a, range_a.assuming(ty, cc, range_b));
        if func.constant(b).is_none() {
            self.narrow_through(func, b, range_b.assuming(ty, cc.swapped(), range_a));
            self.relate(a, b, Relation::of(cc));
        } else if cc == IntCc::Ne {
            // Ranges say all about order and a constant, but not that a number in the middle is
            // out.
            self.relate(a, b, Relation::of(cc));
        }
    }

    fn relate(&mut self, a: Value, b: Value, relation: Relation) {
        let (key, relation) = if a < b { ((a, b), relation) } else { ((b, a), relation.swapped()) };
        let old = self.relations.get(&key).copied();
        self.undo.push(Undo::Relation(key, old));
        self.relations.insert(key, old.map_or(relation, |old| old.intersect(relation)));
    }

    /// Narrows a value and, if it is another widened or with a constant added, that one too, and
    /// what they are widened to.
    fn narrow_through(&mut self, func: &Function, value: Value, range: Range) {
        if range.is_empty() {
            return;
        }
        self.narrow_with_extensions(func, value, range);
        let Some(inst) = func.def_inst(value) else { return };
        let (InstView::Unary { a: inner, .. } | InstView::Binary { a: inner, .. }) = func.view(inst) else { return };
        let known = self.range(func, inner);
        let limits = match func.insts[inst].opcode {
            Opcode::SExt => Range { smin: range.smin.max(known.smin), smax: range.smax.min(known.smax), ..known },
            Opcode::ZExt => Range { umin: range.umin.max(known.umin), umax: range.umax.min(known.umax), ..known },
            Opcode::Add => match func.const_bits(func.operand(inst, 1)) {
                Some(step) => transfer::before_step(func.value_type(value), range, step, known),
                None => return,
            },
            _ => return,
        };
        if !limits.is_empty() {
            self.narrow_with_extensions(func, inner, limits.narrowed(func.value_type(inner)));
        }
    }

    /// Narrows a value, and what it is widened to.
    fn narrow_with_extensions(&mut self, func: &Function, value: Value, range: Range) {
        self.narrow(func, value, range);
        for (user, _) in func.uses(value).take(MAX_EXTENSIONS) {
            if matches!(func.insts[user].opcode, Opcode::SExt | Opcode::ZExt)
                && let Some(range) = transfer::transfer(func, user, |v| self.range(func, v))
            {
                let ty = func.insts[user].ty;
                let result = func.first_result(user);
                self.narrow(func, result, self.range(func, result).intersect(ty, range));
            }
        }
    }

    /// Learns from an access that its address is not null, nor is what that was computed from by a
    /// small step.
    pub fn assume_access(&mut self, func: &Function, inst: Inst) {
        if !self.no_object_at_null || func.insts[inst].is_volatile() {
            return;
        }
        if let (Base::Value(base), Some(0..4096)) = decompose(func, func.operand(inst, 0))
            && func.value_type(base).is_ptr()
        {
            let range = self.range(func, base);
            if range.umin == 0 {
                self.narrow(func, base, Range { umin: 1, ..range }.narrowed(Type::PTR));
            }
        }
    }

    /// Learns of the pointers that the edge from `pred` brings to phis of `block`: those that are
    /// accessed in one of `passed`, which have been executed, are not null.
    pub fn assume_accessed(&mut self, func: &Function, block: Block, pred: Block, passed: &[Block]) {
        let is_pointer = |phi: &Inst| func.insts[*phi].ty.is_ptr() && func.num_operands(*phi) <= MAX_ENTRIES;
        for pointer in func.phis(block).filter(is_pointer).filter_map(|phi| func.phi_value(phi, pred)) {
            let accesses = |user: &Inst| {
                matches!(func.insts[*user].opcode, Opcode::Load | Opcode::Store)
                    && func.operand(*user, 0) == pointer
                    && func.inst_block(*user).is_some_and(|at| passed.contains(&at))
            };
            if func.constant(pointer).is_none()
                && let Some(access) = func.uses(pointer).take(MAX_ACCESSES).map(|at| at.0).find(accesses)
            {
                self.assume_access(func, access);
            }
        }
    }

    /// The number of type `ty` that a comparison tells from zero, if it is 0 or 1: it is that truth
    /// value, widened.
    pub fn tested_bit(&self, func: &Function, truth: Value, ty: Type) -> Option<Value> {
        let compare = func.def_with(truth, Opcode::ICmp).filter(|&inst| func.insts[inst].int_cc() == IntCc::Ne)?;
        let (bit, zero) = (func.operand(compare, 0), func.operand(compare, 1));
        let is_bit = func.value_type(bit) == ty && has_range(ty) && self.range(func, bit).umax <= 1;
        (is_bit && func.const_bits(zero) == Some(0)).then_some(bit)
    }

    /// Learns what an instruction says of its result, for good: whoever asks is dominated by it.
    pub fn define(&mut self, func: &Function, inst: Inst) {
        let data = func.insts[inst];
        if !has_range(data.ty) || func.results(inst).len() != 1 {
            return;
        }
        let known = |value: Value| self.range(func, value);
        let range = match data.opcode {
            Opcode::Phi => transfer::phi(func, inst, known),
            Opcode::PtrAdd => {
                // Steps inside an object do not reach null.
                let object = || known(func.operand(inst, 0)).umin > 0;
                let stays = self.no_object_at_null && (is_within(func, inst) || data.has(flags::INBOUNDS) && object());
                stays.then(|| Range::unsigned(data.ty, 1, data.ty.mask()).narrowed(data.ty))
            }
            _ => transfer::transfer(func, inst, known),
        };
        if let Some(range) = range
            && range != Range::full(data.ty)
            && !range.is_empty()
        {
            self.set(func.first_result(inst), range);
        }
    }
}

#[cfg(test)]
mod tests;
