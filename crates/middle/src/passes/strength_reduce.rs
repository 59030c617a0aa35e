//! Strength reduction: a multiple of a loop's counter becomes a counter of its own, which is added
//! to instead of multiplied.
//!
//! x86-64 addresses compute `base + index * {1, 2, 4, 8} + constant` for nothing, and a product
//! with 3, 5 or 9 is one `lea`; such multiples stay as they are. What is left are products with
//! other constants or with invariants (`a[i].field` of larger elements, columns of a matrix). If
//! such a product only moves one invariant base, the address itself becomes the counter.
//!
//! The difference of an invariant and a counter (`a[n - i]`) becomes a counter, too.
//!
//! Only products that every iteration computes are replaced, and at most [`MAX_COUNTERS`] per loop:
//! each takes a register. Arithmetic wraps, so `(i + s) * k = i * k + s * k` always holds; the new
//! operations carry no flags.
//!
//! Addresses that loops inside this one use, a symbol's and an offset to which each iteration adds
//! something else (the place of a record among others), are added to as well: the symbol's address
//! is not computed again in each iteration, and takes no register through the loops inside.
//!
//! Pointers that step along a counter become that counter's index into where they started: x86-64
//! addresses scale it for nothing. Where there is no counter, several pointers get one.
//!
//! A counter that only its loop's test needs counts the iterations that are left, where their
//! number is known or the test's bound: the subtraction compares with zero as well.
//!
//! Cost: linear.
//!
//! ```text
//! b1: i = phi [i64 0, b0], [n, b1]          b1: i = phi [i64 0, b0], [n, b1]
//!     m = mul i, i64 24                =>       q = phi [p, b0], [r, b1]
//!     q = ptradd p, m                           r = ptradd q, i64 24
//!     n = add i, i64 1                          n = add i, i64 1
//! ```

use std::cell::OnceCell;

use ir::analysis::sums::induction::{
    Counter, counted_loop, counter, is_invariant, last_addition, pointers_and_index, preheader_and_latch, values_of,
};
use ir::analysis::sums::trip_count::trip_count;
use ir::analysis::{Cfg, DominatorTree, LoopRef};
use ir::{Block, Builder, Function, Inst, IntCc, Linear, Opcode, Position, Type, Value};
use platform::options::PicLevel;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("strength_reduce", run);

/// New counters per loop.
const MAX_COUNTERS: usize = 4;

/// Addresses per loop: they are in registers through the loops inside already.
const MAX_ADDRESSES: usize = 8;

/// Values that a loop may have to get one more: there are fifteen registers.
const MOST_VALUES: usize = 9;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if loops.is_empty() {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    let (blocks, small) = (OnceCell::new(), cx.options.optimize_size);
    let (mut reduced, mut indexed, mut moved, mut turned) = (0, 0, 0, 0);
    for l in loops.loops() {
        if let Some((preheader, latch)) = preheader_and_latch(func, &cfg, loops.at(l)) {
            let place = Place { l: loops.at(l), dominators: &dominators, preheader, latch, small };
            reduced += place.reduce(func);
            indexed += place.share_index(func, || &blocks.get_or_init(|| loops.blocks(&cfg))[l]);
            if cx.options.codegen.pic != PicLevel::None {
                moved += place.move_addresses(func);
            }
        }
        turned += u64::from(count_down(func, &cfg, loops.at(l)));
    }
    cx.statistics.add("products made counters", reduced);
    cx.statistics.add("pointers with a common index", indexed);
    cx.statistics.add("addresses moved along", moved);
    cx.statistics.add("loops that count down", turned);
    Changed::code_if(reduced + indexed + moved + turned > 0)
}

/// Counts iterations down to zero, if the loop's counter serves nothing else.
fn count_down(func: &mut Function, cfg: &Cfg, l: LoopRef<'_>) -> bool {
    let Some(counted) = counted_loop(func, cfg, l) else { return false };
    let (phi, next, latch) = (counted.counter.phi, counted.counter.next, counted.latch);
    let (ty, branch) = (func.insts[phi].ty, func.terminator(latch));
    let condition = func.operand(branch, 0);
    let used_by = |func: &Function, inst: Inst, other: Inst| {
        let dead = |user| ir::effects::is_pure(func, user) && func.results(user).all(|v| !func.has_uses(v));
        let serves = |user| user == other || func.result(user) == Some(condition) || dead(user);
        func.uses(func.first_result(inst)).all(|(user, _)| serves(user))
    };
    let serves_test = used_by(func, phi, next) && used_by(func, next, phi) && func.has_one_use(condition);
    let tests_zero = func.const_i64(counted.bound) == Some(0) && counted.tests_next;
    if !serves_test || tests_zero || !matches!(ty, Type::I32 | Type::I64) {
        return false;
    }
    let trips =
        trip_count(func, cfg, &counted).and_then(|trips| trips.known()).and_then(|trips| i32::try_from(trips).ok());
    if trips.is_none() && !counted.runs_to_bound(func, cfg) {
        return false;
    }
    let stays_if = func.insts[branch].dests().0 == l.header();
    let first = func.first_inst(l.header()).expect("block is complete");
    let left = Builder::new(func, Position::Before(first)).phi(ty, &[]);
    let value = func.first_result(left);
    let mut b = Builder::before(func, branch);
    let start = trips.map_or(counted.bound, |trips| b.iconst(ty, i64::from(trips)));
    let (step, zero) = (b.iconst(ty, -1), b.iconst(ty, 0));
    let fewer = b.binary(Opcode::Add, value, step);
    let test = b.icmp(if stays_if { IntCc::Ne } else { IntCc::Eq }, fewer, zero);
    func.phi_push(left, start, counted.preheader);
    func.phi_push(left, fewer, latch);
    func.set_operand(branch, 0, test);
    if let (Some(start), Some(trips)) = (func.const_i64(counted.counter.start), trips) {
        let step = counted.counter.step;
        let linear = Linear::scaled(step.wrapping_neg(), start.wrapping_add(step.wrapping_mul(i64::from(trips))));
        func.forward_debug_values_as(func.first_result(phi), value, linear);
        func.forward_debug_values_as(func.first_result(next), fewer, linear);
    }
    true
}

struct Place<'a> {
    l: LoopRef<'a>,
    dominators: &'a DominatorTree,
    preheader: Block,
    latch: Block,
    small: bool,
}

/// A product of a counter and `factor`, or the difference of `factor` and a counter or its next
/// value.
struct Product {
    inst: Inst,
    counter: Counter,
    of_next: bool,
    factor: Value,
}

impl Place<'_> {
    fn reduce(&self, func: &mut Function) -> u64 {
        let phis: Vec<Inst> = func.phis(self.l.header()).collect();
        let mut products = Vec::new();
        for phi in phis {
            let Some(counter) = counter(func, phi, self.preheader, self.latch) else { continue };
            if func.insts[phi].ty.is_int() {
                for of_next in [false, true] {
                    self.collect(func, counter, of_next, &mut products);
                }
            }
        }
        products.truncate(MAX_COUNTERS);
        let count = products.len() as u64;
        products.into_iter().for_each(|product| self.replace(func, &product));
        count
    }

    fn collect(&self, func: &Function, counter: Counter, of_next: bool, products: &mut Vec<Product>) {
        for (user, index) in func.uses(func.first_result(if of_next { counter.next } else { counter.phi })) {
            let data = func.insts[user];
            let in_every_round = func
                .inst_block(user)
                .is_some_and(|b| self.l.is_innermost(b) && self.dominators.dominates(b, self.latch));
            let known = matches!(data.opcode, Opcode::Mul | Opcode::Shl) && !of_next || data.opcode == Opcode::Sub;
            if !in_every_round || !known {
                continue;
            }
            let factor = func.operand(user, 1 - index);
            let pays = match (data.opcode, func.const_bits(factor)) {
                (Opcode::Mul, Some(c)) => !matches!(c, 0..=5 | 8 | 9),
                (Opcode::Mul, None) => is_invariant(func, self.l, factor),
                (Opcode::Sub, _) => index == 1 && data.ty == Type::I64 && is_invariant(func, self.l, factor),
                // Longer shifts are two instructions, the addition is one: as part of addresses.
                (Opcode::Shl, Some(c)) => {
                    let part = |(user, index)| !self.small && func.insts[user].opcode == Opcode::PtrAdd && index == 1;
                    let suits = self.address(func, user).is_some() || func.uses(func.first_result(user)).all(part);
                    index == 0 && c > 3 && c < data.ty.bits() as u128 && suits
                }
                _ => false,
            };
            if pays {
                products.push(Product { inst: user, counter, of_next, factor });
            }
        }
    }

    /// Addresses of pointers that only accesses use become sums of where they start and an index.
    fn share_index<'b>(&self, func: &mut Function, blocks: impl Fn() -> &'b Vec<Block>) -> u64 {
        let counter = |func: &Function, phi| counter(func, phi, self.preheader, self.latch);
        let counters: Vec<Counter> = func.phis(self.l.header()).filter_map(|phi| counter(func, phi)).collect();
        let (pointers, index) = pointers_and_index(func, self.l, &counters);
        let Some(unit) = pointers.iter().map(|p| p.step).min_by_key(|step| step.unsigned_abs()) else { return 0 };
        let follow = |step: i64| pointers.iter().filter(|p| p.scale(step).is_some()).count();
        let index = match index {
            // The test alone would rather count down.
            Some(index) if follow(index.step) < 2 && index.only_tests(func) => return 0,
            Some(index) => index,
            None if follow(unit) < 2 || values_of(func, self.l, blocks()) > MOST_VALUES => return 0,
            None => {
                let (start, step) = (func.iconst(Type::I64, 0), func.iconst(Type::I64, unit));
                let value = self.running(func, Type::I64, start, |b, value| b.binary(Opcode::Add, value, step));
                let index = func.def_inst(value).and_then(|phi| counter(func, phi)).expect("made just now");
                // An addition and its test stay side by side: they may be one instruction.
                if let Some(add) = last_addition(func, self.dominators, self.l, self.latch) {
                    func.unplace_inst(index.next);
                    func.insert_before(add, index.next);
                }
                index
            }
        };
        let first = func.first_non_phi(self.l.header()).expect("block is complete");
        let mut count = 0;
        for pointer in &pointers {
            let Some(shift) = pointer.scale(index.step) else { continue };
            let scaled = |b: &mut Builder<'_>, value: Value, factor: i64| {
                let factor = b.iconst(Type::I64, factor << shift);
                b.binary(Opcode::Mul, value, factor)
            };
            let (value, end) = (func.first_result(index.phi), func.terminator(self.preheader));
            let mut b = Builder::before(func, end);
            let back = scaled(&mut b, index.start, -1);
            let base = b.ptradd(pointer.start, back, 0);
            let mut b = Builder::before(func, first);
            let offset = scaled(&mut b, value, 1);
            let address = b.ptradd(base, offset, 0);
            func.replace_result(pointer.phi, address);
            count += 1;
        }
        count
    }

    /// Makes counters of the addresses of symbols plus a value that each iteration adds to.
    fn move_addresses(&self, func: &mut Function) -> u64 {
        let mut found: Vec<(Inst, Inst, Value)> = Vec::new();
        for phi in func.phis(self.l.header()) {
            let offset = func.first_result(phi);
            let next = func.phi_value(phi, self.latch).and_then(|next| func.def_with(next, Opcode::Add));
            let Some(next) = next.filter(|_| func.insts[phi].ty == Type::I64) else { continue };
            let step = match [func.operand(next, 0), func.operand(next, 1)] {
                [a, step] if a == offset => step,
                [step, b] if b == offset => step,
                _ => continue,
            };
            if func.const_i64(step).is_some() {
                continue;
            }
            let moves = |&(user, index): &(Inst, usize)| {
                func.insts[user].opcode == Opcode::PtrAdd && index == 1 && self.serves_inner_loops(func, user)
            };
            found.extend(func.uses(offset).filter(moves).map(|(user, _)| (phi, user, step)));
        }
        found.truncate(MAX_ADDRESSES);
        for &(phi, address, step) in &found {
            let (base, start) = (func.operand(address, 0), func.phi_value(phi, self.preheader).expect("enters"));
            let end = func.terminator(self.preheader);
            let start = Builder::before(func, end).ptradd(base, start, 0);
            let moved = self.running(func, Type::PTR, start, |b, value| b.ptradd(value, step, 0));
            func.replace_result(address, moved);
        }
        found.len() as u64
    }

    /// Whether each iteration computes this address of a symbol's part, for loops inside.
    fn serves_inner_loops(&self, func: &Function, address: Inst) -> bool {
        let inside = |b: Block| self.l.contains(b) && !self.l.is_innermost(b);
        let block = func.inst_block(address).filter(|&b| self.l.is_innermost(b));
        block.is_some_and(|b| self.dominators.dominates(b, self.latch))
            && func.const_symbol(func.operand(address, 0)).is_some()
            && func.uses(func.first_result(address)).any(|(user, _)| func.inst_block(user).is_some_and(inside))
    }

    /// The phi of a value that `step` takes from iteration to iteration.
    fn running(
        &self,
        func: &mut Function,
        ty: Type,
        start: Value,
        step: impl FnOnce(&mut Builder<'_>, Value) -> Value,
    ) -> Value {
        let first = func.first_inst(self.l.header()).expect("block is complete");
        let phi = Builder::new(func, Position::Before(first)).phi(ty, &[]);
        let value = func.first_result(phi);
        let end = func.terminator(self.latch);
        let next = step(&mut Builder::before(func, end), value);
        func.phi_push(phi, start, self.preheader);
        func.phi_push(phi, next, self.latch);
        value
    }

    /// The only use of a product, if that adds it to an invariant base.
    fn address(&self, func: &Function, product: Inst) -> Option<Inst> {
        let result = func.first_result(product);
        let (user, index) = func.uses(result).next()?;
        let adds = func.insts[user].opcode == Opcode::PtrAdd && index == 1 && func.has_one_use(result);
        let base_is_invariant = adds && is_invariant(func, self.l, func.operand(user, 0));
        let stays = func.inst_block(user).is_some_and(|b| self.dominators.dominates(b, self.latch));
        (base_is_invariant && stays).then_some(user)
    }

    fn replace(&self, func: &mut Function, product: &Product) {
        let Product { inst, counter, of_next, factor } = *product;
        let address = self.address(func, inst);
        let opcode = func.insts[inst].opcode;
        let ty = func.insts[inst].ty;
        let end = func.terminator(self.preheader);
        let mut b = Builder::before(func, end);
        let mut step = b.iconst(ty, counter.step);
        let mut start = if of_next { b.binary(Opcode::Add, counter.start, step) } else { counter.start };
        if opcode == Opcode::Sub {
            (start, step) = (b.binary(opcode, factor, start), b.iconst(ty, counter.step.wrapping_neg()));
        } else {
            (start, step) = (b.binary(opcode, start, factor), b.binary(opcode, step, factor));
        }
        if let Some(address) = address {
            let base = b.func.operand(address, 0);
            start = b.ptradd(base, start, 0);
        }
        let replaced = address.unwrap_or(inst);
        let value = match address {
            Some(_) => self.running(func, Type::PTR, start, |b, value| b.ptradd(value, step, 0)),
            None => self.running(func, ty, start, |b, value| b.binary(Opcode::Add, value, step)),
        };
        func.replace_result(replaced, value);
        if address.is_some() {
            func.remove_inst(inst);
        }
    }
}
