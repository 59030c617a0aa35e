//! Reassociation of integer expressions: constants fold, equal terms meet, and what is invariant in
//! a loop is grouped so that it can leave it.
//!
//! A *sum* is flattened through additions, subtractions and multiplications by constants into `c +
//! k1*v1 + k2*v2 + ...`; an *address* into a base and such a sum; a *product* and the three bitwise
//! operations into their operands. Only operations with one use are taken apart, and only those in
//! the same loop as the root. Wrapping arithmetic makes every order right; so that `nsw` is not
//! lost for nothing (widening of counters lives on it), an expression is rebuilt only if that takes
//! fewer operations, or fewer operations inside the loop once the invariant ones are hoisted.
//! Rebuilt operations carry no flags: invariant terms first, then the others, the constant last.
//!
//! A sum or `xor` that can get no better that way, and has no flags to lose, is rebuilt if its
//! result is ready earlier when the operands come in as they are ready, the one computed last at
//! the end (the iterations of MD5 and SHA are such chains). What is ready when is counted in
//! operations from the beginning of the block. In a loop, what depends on counters and on values of
//! earlier iterations alone is there before. Sums into a loop's variable stay as they are.
//!
//! Cost: linear; an expression has at most [`MAX_TERMS`] operands and is taken apart to depth
//! [`MAX_DEPTH`].
//!
//! ```text
//! v2 = add v0, i32 1                    v5 = shl v0, i32 1
//! v3 = sub v0, v1                  =>   v6 = add v5, i32 1
//! v4 = add v2, v3
//! v5 = add v4, v1
//! ```

use cranelift_entity::EntitySet;
use ir::analysis::readiness::{Readiness, is_handed_on, is_operation};
use ir::analysis::sums::induction::{counts, multiple_of_counter};
use ir::analysis::{Loop, LoopTree};
use ir::effects::is_pure;
use ir::{Builder, Function, Inst, Opcode, Type, Value};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("reassociate", run);

/// Operands of one expression.
const MAX_TERMS: usize = 16;

/// Nesting that is taken apart.
const MAX_DEPTH: u32 = 12;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let loops = cx.analyses.loops(func);
    let insts: Vec<(Inst, bool)> =
        cfg.reverse_postorder().flat_map(|b| func.block_insts(b)).map(|i| (i, is_root(func, i))).collect();
    let mut ready = Readiness::default();
    let mut fixed: EntitySet<Value> = EntitySet::new();
    let mut rebuilt = 0;
    for (inst, is_root) in insts {
        // Taken apart by an earlier root.
        let Some(block) = func.inst_block(inst) else { continue };
        ready.enter(&loops, block);
        if is_root {
            let place = Place { root: inst, l: loops.innermost(block), loops: &loops, fixed: &fixed };
            let value = match func.insts[inst].opcode {
                Opcode::Add | Opcode::Sub => place.sum(func, &mut ready),
                Opcode::PtrAdd => place.address(func),
                opcode => place.operation(func, opcode, &mut ready),
            };
            if let Some(value) = value {
                replace(func, inst, value);
                ready.note_rebuilt(func, value);
                rebuilt += 1;
                continue;
            }
        }
        if func.insts[inst].opcode == Opcode::Phi {
            ready.note_phi(func, &loops, inst);
            continue;
        }
        ready.note(func, inst);
        let place = Place { root: inst, l: loops.innermost(block), loops: &loops, fixed: &fixed };
        if place.will_be_invariant(func) {
            fixed.insert(func.first_result(inst));
        }
    }
    cx.statistics.add("expressions reassociated", rebuilt);
    Changed::code_if(rebuilt > 0)
}

/// Replaces the root and removes the operations that only fed it.
fn replace(func: &mut Function, root: Inst, value: Value) {
    let old = func.first_result(root);
    func.replace_all_uses(old, value);
    let mut work = vec![root];
    while let Some(inst) = work.pop() {
        let operands: Vec<Inst> = func.operands(inst).filter_map(|v| func.def_inst(v)).collect();
        func.remove_inst(inst);
        for def in operands {
            let dead = func.inst_block(def).is_some()
                && is_operation(func.insts[def].opcode)
                && !func.has_uses(func.first_result(def));
            if dead {
                work.push(def);
            }
        }
    }
}

/// An operation that starts an expression: not the only operand that an operation of the same
/// family takes apart anyway.
fn is_root(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = func.insts[inst];
    if !matches!(data.opcode, Add | Sub | Mul | And | Or | Xor | PtrAdd) || data.ty.is_vector() || data.ty.bits() > 64 {
        return false;
    }
    let result = func.first_result(inst);
    let mut uses = func.uses(result);
    let (Some((user, index)), None) = (uses.next(), uses.next()) else { return func.has_uses(result) };
    let opcode = func.insts[user].opcode;
    let same_block = func.inst_block(user) == func.inst_block(inst);
    let inner = match data.opcode {
        Add | Sub => {
            matches!(opcode, Add | Sub)
                || (opcode == PtrAdd && index == 1)
                || (matches!(opcode, Mul | Shl) && index == 0 && func.const_bits(func.operand(user, 1)).is_some())
        }
        PtrAdd => opcode == PtrAdd && index == 0,
        own => opcode == own,
    };
    !(inner && same_block)
}

/// An expression's root and the loop it is in.
struct Place<'a> {
    root: Inst,
    l: Option<Loop>,
    loops: &'a LoopTree,
    /// Values that may leave the innermost loop they are in.
    fixed: &'a EntitySet<Value>,
}

/// `constant` plus the terms, each times its factor; what it takes to compute.
#[derive(Default)]
struct Sum {
    constant: u64,
    terms: Vec<(Value, u64)>,
    /// Operations taken apart.
    operations: usize,
    /// Those that depend on something of the loop.
    varying_operations: usize,
}

impl Place<'_> {
    fn is_invariant(&self, func: &Function, value: Value) -> bool {
        let Some(l) = self.l else { return false };
        let Some(block) = func.def_inst(value).and_then(|i| func.inst_block(i)) else { return true };
        !self.loops.contains(l, block) || self.fixed.contains(value) && self.loops.innermost(block) == self.l
    }

    /// Whether the root computes the same in all iterations, if what it reads stays the same.
    fn will_be_invariant(&self, func: &Function) -> bool {
        let data = &func.insts[self.root];
        let moves = is_pure(func, self.root) || data.opcode == Opcode::Load && !data.is_volatile();
        self.l.is_some()
            && moves
            && func.result(self.root).is_some()
            && func.operands(self.root).all(|v| self.is_invariant(func, v))
    }

    /// The instruction that defines an operand, if it may be taken apart.
    fn inner(&self, func: &Function, value: Value, depth: u32) -> Option<Inst> {
        let inst = func.def_inst(value)?;
        let block = func.inst_block(inst)?;
        (depth < MAX_DEPTH && func.has_one_use(value) && self.loops.innermost(block) == self.l).then_some(inst)
    }

    // ---- sums and addresses

    /// Adds `factor * value` to the sum. True if it depends on something of the loop.
    fn add_to_sum(&self, func: &Function, sum: &mut Sum, value: Value, factor: u64, depth: u32) -> bool {
        if let Some(bits) = func.const_bits(value) {
            sum.constant = sum.constant.wrapping_add(factor.wrapping_mul(bits as u64));
            return false;
        }
        let inst = if depth == 0 { func.def_inst(value) } else { self.inner(func, value, depth) };
        if inst.is_none()
            && let Some((first, bits)) = self.moved_counter(func, value)
        {
            sum.constant = sum.constant.wrapping_add(factor.wrapping_mul(bits));
            sum.operations += 1;
            sum.varying_operations += 1;
            return self.add_to_sum(func, sum, first, factor, MAX_DEPTH);
        }
        if let Some(inst) = inst {
            let (opcode, ty) = (func.insts[inst].opcode, func.insts[inst].ty);
            let varies = match opcode {
                Opcode::Add | Opcode::Sub => {
                    let second = if opcode == Opcode::Sub { factor.wrapping_neg() } else { factor };
                    let a = self.add_to_sum(func, sum, func.operand(inst, 0), factor, depth + 1);
                    let b = self.add_to_sum(func, sum, func.operand(inst, 1), second, depth + 1);
                    Some(a | b)
                }
                Opcode::Mul | Opcode::Shl => {
                    let by = func.const_bits(func.operand(inst, 1)).map(|c| c as u64);
                    let scale = match opcode {
                        Opcode::Mul => by,
                        _ => by.filter(|&c| c < ty.bits() as u64).map(|c| 1 << c),
                    };
                    scale.map(|s| self.add_to_sum(func, sum, func.operand(inst, 0), factor.wrapping_mul(s), depth + 1))
                }
                _ => None,
            };
            if let Some(varies) = varies {
                sum.operations += 1;
                sum.varying_operations += varies as usize;
                return varies;
            }
        }
        match sum.terms.iter_mut().find(|t| t.0 == value) {
            Some(term) => term.1 = term.1.wrapping_add(factor),
            None => sum.terms.push((value, factor)),
        }
        !self.is_invariant(func, value)
    }

    /// A counter and a constant whose sum `value` is, if the root is an address: it has room for
    /// the constant, so that all that is so far from the counter can have one base.
    fn moved_counter(&self, func: &Function, value: Value) -> Option<(Value, u64)> {
        let inst = func.def_with(value, Opcode::Add)?;
        let first = func.operand(inst, 0);
        let counts = func.insts[self.root].opcode == Opcode::PtrAdd && func.def_with(first, Opcode::Phi).is_some();
        counts.then(|| func.const_bits(func.operand(inst, 1))).flatten().map(|bits| (first, bits as u64))
    }

    fn flatten_sum(&self, func: &Function, value: Value, ty: Type) -> Option<Sum> {
        let mut sum = Sum::default();
        self.add_to_sum(func, &mut sum, value, 1, if value == self.result(func) { 0 } else { 1 });
        let mask = ty.mask() as u64;
        sum.constant &= mask;
        sum.terms.iter_mut().for_each(|t| t.1 &= mask);
        sum.terms.retain(|t| t.1 != 0);
        (sum.terms.len() <= MAX_TERMS).then_some(sum)
    }

    fn result(&self, func: &Function) -> Value {
        func.first_result(self.root)
    }

    fn sum(&self, func: &mut Function, ready: &mut Readiness) -> Option<Value> {
        let ty = func.insts[self.root].ty;
        let mut sum = self.flatten_sum(func, self.result(func), ty)?;
        // One operation cannot get better.
        if sum.operations < 2 {
            return None;
        }
        let invariant = self.invariant_first(func, &mut sum);
        let cost = sum_cost(&sum.terms, sum.constant, ty);
        let varying = sum_cost(&sum.terms[invariant..], sum.constant, ty) + (invariant > 0) as usize;
        let fewer = cost < sum.operations;
        let fewer_in_loop = invariant > 1
            && invariant < sum.terms.len()
            && varying < sum.varying_operations
            && cost <= sum.operations + 1;
        if !fewer && !fewer_in_loop {
            let plain = sum.terms.iter().all(|t| t.1 == 1) && cost <= sum.operations;
            let constant = (sum.constant != 0).then_some(sum.constant);
            let terms = sum.terms.iter().map(|t| t.0).collect();
            return plain.then(|| self.as_ready(func, Opcode::Add, terms, constant, ready)).flatten();
        }
        Some(build_sum(func, self.root, &sum.terms, sum.constant, ty))
    }

    /// Puts the invariant terms first; returns how many they are.
    fn invariant_first(&self, func: &Function, sum: &mut Sum) -> usize {
        sum.terms.sort_by_key(|t| !self.is_invariant(func, t.0));
        sum.terms.iter().filter(|t| self.is_invariant(func, t.0)).count()
    }

    /// `base + sum`: the invariant part becomes a base of its own.
    fn address(&self, func: &mut Function) -> Option<Value> {
        self.l?;
        let mut sum = Sum::default();
        let mut base = self.result(func);
        let mut depth = 0;
        while let Some(inst) = if depth == 0 { Some(self.root) } else { self.inner(func, base, depth) } {
            if func.insts[inst].opcode != Opcode::PtrAdd {
                break;
            }
            self.add_to_sum(func, &mut sum, func.operand(inst, 1), 1, depth + 1);
            sum.operations += 1;
            sum.varying_operations += 1;
            base = func.operand(inst, 0);
            depth += 1;
        }
        sum.terms.retain(|t| t.1 != 0);
        if sum.terms.len() > MAX_TERMS || !self.is_invariant(func, base) {
            return None;
        }
        let several = sum.terms.len() > 1 || sum.varying_operations > 3;
        let multiple = if several { multiple_of_counter(func, &sum.terms) } else { None };
        // Elements on the diagonal of a matrix: the products may have other uses.
        let diagonal = multiple.is_some();
        sum.terms = multiple.map_or(sum.terms, |multiple| vec![multiple]);
        let invariant = self.invariant_first(func, &mut sum);
        // Addresses that a counter goes down to from a constant become counters themselves.
        let goes_down = invariant == 0
            && sum.constant != 0
            && matches!(sum.terms[..], [(of, factor)] if (factor as i64) < 0 && counts(func, of));
        if (invariant == 0 && !goes_down && !diagonal) || invariant == sum.terms.len() {
            return None;
        }
        // Scales that addressing has are free.
        let free = |factor: u64| matches!(factor, 1 | 2 | 4 | 8);
        let varying = &sum.terms[invariant..];
        let scaled = varying.iter().filter(|t| !free(t.1)).count();
        let cost = varying.len() + scaled + (sum.constant != 0) as usize;
        let was_free = varying.iter().filter(|t| matches!(t.1, 2 | 4 | 8)).count();
        if cost + was_free >= sum.varying_operations && !goes_down && !diagonal {
            return None;
        }
        let mut address = base;
        if invariant > 0 {
            let offset = build_sum(func, self.root, &sum.terms[..invariant], 0, Type::I64);
            address = Builder::before(func, self.root).ptradd(base, offset, 0);
        }
        let offset = build_sum(func, self.root, &sum.terms[invariant..], 0, Type::I64);
        address = Builder::before(func, self.root).ptradd(address, offset, 0);
        if sum.constant != 0 {
            let mut b = Builder::before(func, self.root);
            let constant = b.iconst(Type::I64, sum.constant as i64);
            address = b.ptradd(address, constant, 0);
        }
        Some(address)
    }

    // ---- products and bitwise operations

    fn operation(&self, func: &mut Function, opcode: Opcode, ready: &mut Readiness) -> Option<Value> {
        let ty = func.insts[self.root].ty;
        let mut flat =
            Operands { opcode, ty, values: Vec::new(), constant: None, operations: 0, varying_operations: 0 };
        self.add_operands(func, &mut flat, self.root, 0);
        if flat.values.len() > MAX_TERMS || flat.operations < 2 {
            return None;
        }
        let before = flat.operations;
        flat.simplify();
        if let Some(absorbed) = flat.absorbing() {
            return Some(func.bits_const(ty, absorbed as u128));
        }
        flat.values.sort_by_key(|&v| !self.is_invariant(func, v));
        let invariant = flat.values.iter().filter(|&&v| self.is_invariant(func, v)).count();
        let cost = (flat.values.len() + flat.constant.is_some() as usize).saturating_sub(1);
        let varying = flat.values.len() - invariant + flat.constant.is_some() as usize;
        let fewer_in_loop = invariant > 1 && invariant < flat.values.len() && varying < flat.varying_operations;
        if cost >= before && !fewer_in_loop {
            let plain = opcode == Opcode::Xor && cost == before;
            return plain.then(|| self.as_ready(func, opcode, flat.values, flat.constant, ready)).flatten();
        }
        Some(flat.build(func, self.root))
    }

    // ---- order

    /// The expression with its operands in the order in which they are ready, if that makes the
    /// result ready earlier.
    fn as_ready(
        &self,
        func: &mut Function,
        opcode: Opcode,
        mut operands: Vec<Value>,
        constant: Option<u64>,
        ready: &mut Readiness,
    ) -> Option<Value> {
        let carried = |&v: &Value| func.def_with(v, Opcode::Phi).is_some_and(|phi| !is_handed_on(func, phi));
        if func.insts[self.root].flags() != 0 || operands.len() < 2 || self.l.is_some() && operands.iter().any(carried)
        {
            return None;
        }
        // What was added up before a call would be kept over it term by term.
        if operands.iter().filter(|&&v| ready.is_early(func, v)).count() > 1 {
            return None;
        }
        let when = |v: Value| ready.of(func, v, 0);
        operands.sort_by_cached_key(|&v| when(v));
        let mut done = when(operands[0]) + u32::from(constant.is_some());
        operands[1..].iter().for_each(|&v| done = done.max(when(v)) + 1);
        ready.note(func, self.root);
        if done >= ready.of(func, self.result(func), 0) {
            return None;
        }
        let ty = func.insts[self.root].ty;
        let constant = constant.map(|c| func.bits_const(ty, c as u128));
        let mut b = Builder::before(func, self.root);
        let first = operands[0];
        let mut result = constant.map_or(first, |c| b.binary(opcode, first, c));
        for &operand in &operands[1..] {
            result = b.binary(opcode, result, operand);
        }
        Some(result)
    }

    fn add_operands(&self, func: &Function, flat: &mut Operands, inst: Inst, depth: u32) -> bool {
        let mut varies = false;
        for value in [func.operand(inst, 0), func.operand(inst, 1)] {
            if let Some(bits) = func.const_bits(value) {
                flat.add_constant(bits as u64);
                continue;
            }
            varies |= match self.inner(func, value, depth + 1).filter(|&i| func.insts[i].opcode == flat.opcode) {
                Some(inner) => self.add_operands(func, flat, inner, depth + 1),
                None => {
                    flat.values.push(value);
                    !self.is_invariant(func, value)
                }
            };
        }
        flat.operations += 1;
        flat.varying_operations += varies as usize;
        varies
    }
}

/// Operations to compute a sum: additions, and a shift or multiplication for each factor.
fn sum_cost(terms: &[(Value, u64)], constant: u64, ty: Type) -> usize {
    let minus_one = ty.mask() as u64;
    let scaled = terms.iter().filter(|t| t.1 != 1 && t.1 != minus_one).count();
    let negated = (constant == 0 && !terms.is_empty() && terms.iter().all(|t| t.1 == minus_one)) as usize;
    (terms.len() + (constant != 0) as usize).saturating_sub(1) + scaled + negated
}

fn build_sum(func: &mut Function, before: Inst, terms: &[(Value, u64)], constant: u64, ty: Type) -> Value {
    let minus_one = ty.mask() as u64;
    let mut b = Builder::before(func, before);
    let mut sum: Option<Value> = None;
    let (plus, minus): (Vec<_>, Vec<_>) = terms.iter().copied().partition(|t| t.1 != minus_one);
    for (value, factor) in plus {
        let term = if factor == 1 {
            value
        } else if factor.is_power_of_two() {
            let by = b.iconst(ty, factor.trailing_zeros() as i64);
            b.binary(Opcode::Shl, value, by)
        } else {
            let by = b.func.bits_const(ty, factor as u128);
            b.binary(Opcode::Mul, value, by)
        };
        sum = Some(sum.map_or(term, |s| b.binary(Opcode::Add, s, term)));
    }
    let mut constant = constant;
    for (value, _) in minus {
        let from = sum.unwrap_or_else(|| b.func.bits_const(ty, std::mem::take(&mut constant) as u128));
        sum = Some(b.binary(Opcode::Sub, from, value));
    }
    let value = b.func.bits_const(ty, constant as u128);
    match sum {
        Some(sum) if constant == 0 => sum,
        Some(sum) => b.binary(Opcode::Add, sum, value),
        None => value,
    }
}

/// The operands of a product or bitwise operation.
struct Operands {
    opcode: Opcode,
    ty: Type,
    values: Vec<Value>,
    constant: Option<u64>,
    operations: usize,
    varying_operations: usize,
}

impl Operands {
    fn add_constant(&mut self, bits: u64) {
        self.constant = Some(match (self.constant, self.opcode) {
            (None, _) => bits,
            (Some(c), Opcode::Mul) => c.wrapping_mul(bits) & self.ty.mask() as u64,
            (Some(c), Opcode::And) => c & bits,
            (Some(c), Opcode::Or) => c | bits,
            (Some(c), _) => c ^ bits,
        });
    }

    /// Equal operands of `and` and `or` are one, those of `xor` cancel; a neutral constant goes.
    fn simplify(&mut self) {
        let neutral = match self.opcode {
            Opcode::Mul => 1,
            Opcode::And => self.ty.mask() as u64,
            _ => 0,
        };
        if self.opcode != Opcode::Mul {
            self.values.sort();
            let mut kept: Vec<Value> = Vec::with_capacity(self.values.len());
            for &value in &self.values {
                match (kept.last() == Some(&value), self.opcode) {
                    (true, Opcode::Xor) => {
                        kept.pop();
                    }
                    (true, _) => {}
                    (false, _) => kept.push(value),
                }
            }
            self.values = kept;
        }
        if self.constant == Some(neutral) && !self.values.is_empty() {
            self.constant = None;
        }
    }

    /// The result, if the constant decides it or nothing is left.
    fn absorbing(&self) -> Option<u64> {
        match (self.opcode, self.constant) {
            (Opcode::Mul | Opcode::And, Some(0)) => Some(0),
            (Opcode::Or, Some(c)) if c == self.ty.mask() as u64 => Some(c),
            (_, constant) if self.values.is_empty() => Some(constant.unwrap_or(0)),
            _ => None,
        }
    }

    fn build(&self, func: &mut Function, before: Inst) -> Value {
        let constant = self.constant.map(|c| func.bits_const(self.ty, c as u128));
        let mut b = Builder::before(func, before);
        let mut operands = self.values.iter().copied().chain(constant);
        let first = operands.next().expect("something is left");
        operands.fold(first, |sum, value| b.binary(self.opcode, sum, value))
    }
}
