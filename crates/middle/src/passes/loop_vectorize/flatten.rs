//! Two loops in one: an outer loop whose iterations consist of a few iterations of an inner one,
//! where both go through memory as one loop would: the channels of the pixels of a row, the columns
//! of narrow rows.
//!
//! Let c count the n iterations of the inner loop and x those of the outer one. The flat loop runs
//! the body of the inner one for t = x * n + c, in the same order as before, so that memory and
//! floating-point arithmetic see no difference; all that must be shown is that each value of the
//! body is the same. A value that changes by a constant per iteration of either loop is `v + x *
//! out + c * within`, in the arithmetic of its width, which is `v + t * within` exactly if `out` is
//! `n * within`. So the outer counters stay at their starts, the inner ones go on instead of
//! starting anew, and every value that anything but such sums is made of must have `out = n *
//! within`. What is computed of those alone, loads included, is the same then too.
//! What runs through both loops, sums say, needs no more than one of its two phis.
//!
//! Sums that are no use but to other sums may wrap now where they did not: their flags go.
//!
//! The outer loop's other instructions are such sums, which run once now; what is used after the
//! loops is what a last iteration gives.
//!
//! Done where the flat loop vectorises better than the inner one. Cost: linear in the loops.
//!
//! ```text
//! b1: x = phi [i64 0, b0], [y, b3]                 b1: ...
//! b2: c = phi [i64 0, b1], [d, b2]                 b2: c = phi [i64 0, b1], [d, b2]
//!     q = ptradd @a, x * 3 + c                         q = ptradd @a, 0 * 3 + c
//!     ...                                   =>         ...
//!     d = add c, 1; cond_br d < 3, b2, b3              d = add c, 1; cond_br d != 1920, b2, b3
//! b3: y = add x, 1; cond_br y < 640, b1, b4        b3: y = add 0, 1; br b4
//! ```

use ir::analysis::Loop;
use ir::analysis::sums::induction::{CountedLoop, counted_loop, counter, is_invariant};
use ir::analysis::sums::trip_count::{TripCount, trip_count};
use ir::{Block, BranchHint, Builder, Function, Inst, IntCc, Opcode, Type, Value};
use rustc_hash::FxHashMap;

use crate::pass::PassContext;

use super::body::Body;
use super::finish::Decision;
use super::plan::{Kind, Order};
use super::{Surroundings, decide};

/// Iterations of the inner loop from which on a flat loop gains nothing.
const MAX_INNER_ROUNDS: u64 = 32;

/// Blocks and instructions of the outer loop around the inner one.
const MAX_AROUND: usize = 40;

/// Two loops that may become one.
pub struct Flat {
    outer: CountedLoop,
    outer_header: Block,
    inner: CountedLoop,
    inner_header: Block,
    outer_trips: TripCount,
    inner_trips: u64,
    /// Sums of the counters, whose flags go.
    sums: Vec<Inst>,
}

/// The loops around innermost loops that are better flat.
pub fn find(func: &Function, cx: &PassContext<'_>, at: &Surroundings<'_>) -> Vec<Flat> {
    let mut out = Vec::new();
    let mut blocks = None;
    for l in at.loops.loops() {
        let Some(outer) = at.loops.parent(l) else { continue };
        if [l, outer].iter().any(|&l| cx.remainder_loops.contains(&at.loops.header(l))) {
            continue;
        }
        let Some(inner_counted) = counted_loop(func, at.cfg, at.loops.at(l)) else { continue };
        if inner_counted.constant_trips(func, MAX_INNER_ROUNDS).is_none_or(|n| n < 2) {
            continue;
        }
        let blocks = blocks.get_or_insert_with(|| at.loops.blocks(at.cfg));
        let body = |trips: Option<TripCount>| {
            let mut body = Body::of(func, at, at.loops.at(l), &blocks[l])?;
            body.trips = trips.unwrap_or(body.trips);
            Some(body)
        };
        let Some(flat) = body(None).and_then(|b| Finder { func, at, l, outer, body: &b }.flat(&blocks[outer])) else {
            continue;
        };
        let Some(together) = body(Some(flat.trips())).and_then(|b| decide(func, cx, at, b)) else { continue };
        let n = flat.inner_trips;
        let alone = body(None).and_then(|b| decide(func, cx, at, b));
        let is_better = alone.is_none_or(|a| a.vf < together.vf || n % u64::from(a.vf) != 0);
        if is_better && flat.is_countable(func, &together) {
            out.push(flat);
        }
    }
    out
}

struct Finder<'a> {
    func: &'a Function,
    at: &'a Surroundings<'a>,
    l: Loop,
    outer: Loop,
    body: &'a Body,
}

/// How a value depends on the iterations x of the outer and c of the inner loop.
#[derive(Copy, Clone, PartialEq)]
enum Shape {
    /// `v + x * .0 + c * .1` in the arithmetic of its width.
    Sum(i64, i64),
    /// The same in the flat loop, iteration by iteration.
    Same,
}

impl Finder<'_> {
    /// The two loops, if they may become one.
    fn flat(&self, blocks: &[Block]) -> Option<Flat> {
        let Finder { func, at, l, outer, body } = *self;
        let inner_trips = body.trips.known()?;
        let outer_counted = counted_loop(func, at.cfg, at.loops.at(outer))?;
        let outer_trips = trip_count(func, at.cfg, &outer_counted)?;
        let mut blocks = blocks.to_vec();
        blocks.sort_by_key(|&b| at.cfg.rpo_number(b));
        let mut around = 0;
        for &block in &blocks {
            match at.loops.innermost(block) {
                Some(i) if i == l => continue,
                Some(i) if i == outer => {}
                _ => return None,
            }
            // A chain with the inner loop in it: its blocks run once per iteration, its latch alone
            // leaves it.
            let leaves = block == outer_counted.latch;
            if !leaves && func.insts[func.terminator(block)].opcode != Opcode::Br || func.labels.contains(&block) {
                return None;
            }
            around += func.block_insts(block).count();
            if around > MAX_AROUND {
                return None;
            }
        }
        let outer_header = at.loops.header(outer);
        let mut shapes: FxHashMap<Value, Shape> = FxHashMap::default();
        let mut sums = Vec::new();
        for &block in &blocks {
            let inside = at.loops.innermost(block) == Some(l);
            for inst in func.block_insts(block) {
                let Some(value) = func.result(inst) else {
                    if !inside && !func.insts[inst].opcode.is_terminator() || func.results(inst).len() > 1 {
                        return None;
                    }
                    self.is_settled(&shapes, inst, &outer_counted).then_some(())?;
                    continue;
                };
                let shape = if func.insts[inst].opcode == Opcode::Phi {
                    match block {
                        b if b == outer_header => self.outer_phi(inst, &outer_counted)?,
                        b if b == body.header => self.inner_phi(&shapes, inst, outer_header)?,
                        _ if inside || func.num_operands(inst) == 1 => self.join(&shapes, inst)?,
                        _ => return None,
                    }
                } else if let Some(sum) = self.sum(&shapes, inst) {
                    if sum != Shape::Sum(0, 0) {
                        sums.push(inst);
                    }
                    sum
                } else {
                    // Around the inner loop nothing else has a place but the test.
                    let plain = inside || matches!(func.insts[inst].opcode, Opcode::ICmp | Opcode::SExt | Opcode::ZExt);
                    (plain && self.is_settled(&shapes, inst, &outer_counted)).then_some(Shape::Same)?
                };
                let outside = |i: Inst| func.inst_block(i).is_none_or(|b| !at.loops.contains(outer, b));
                if func.uses(value).any(|u| outside(u.0)) && !self.settled(shape, value) {
                    return None;
                }
                shapes.insert(value, shape);
            }
        }
        Some(Flat {
            outer: outer_counted,
            outer_header,
            inner: body.counted,
            inner_header: body.header,
            outer_trips,
            inner_trips,
            sums,
        })
    }

    fn shape(&self, shapes: &FxHashMap<Value, Shape>, value: Value) -> Option<Shape> {
        match shapes.get(&value) {
            None if is_invariant(self.func, self.at.loops.at(self.outer), value) => Some(Shape::Sum(0, 0)),
            known => known.copied(),
        }
    }

    /// Whether a value of this shape is the same in the flat loop.
    fn settled(&self, shape: Shape, value: Value) -> bool {
        let Shape::Sum(out, within) = shape else { return true };
        let n = self.body.trips.known().unwrap_or(0) as i64;
        let bits = self.func.value_type(value).bits();
        let off = out.wrapping_sub(within.wrapping_mul(n)) as u64;
        if bits >= 64 { off == 0 } else { off & ((1 << bits) - 1) == 0 }
    }

    /// Whether all operands are the same in the flat loop, or the instruction is one of the two
    /// loops' tests, which are made anew.
    fn is_settled(&self, shapes: &FxHashMap<Value, Shape>, inst: Inst, outer: &CountedLoop) -> bool {
        let func = self.func;
        let ends = [func.terminator(self.body.counted.latch), func.terminator(outer.latch)];
        let tests = func.insts[inst].opcode == Opcode::ICmp
            && func.result(inst).is_some_and(|r| func.uses(r).all(|u| ends.contains(&u.0)));
        let same = |v: Value| self.shape(shapes, v).is_some_and(|s| self.settled(s, v));
        ends.contains(&inst) || tests || func.operands(inst).all(same)
    }

    /// A header phi of the outer loop: a counter, or a value that runs through both loops and has
    /// no other use.
    fn outer_phi(&self, phi: Inst, outer: &CountedLoop) -> Option<Shape> {
        let func = self.func;
        if let Some(counter) = counter(func, phi, outer.preheader, outer.latch) {
            return Some(Shape::Sum(counter.step, 0));
        }
        let inner = &self.body.counted;
        let value = func.first_result(phi);
        let mut uses = func.uses(value).map(|u| u.0);
        let within = uses.next()?;
        if uses.any(|other| other != within)
            || func.inst_block(within) != Some(self.body.header)
            || func.insts[within].opcode != Opcode::Phi
            || func.phi_value(within, inner.preheader) != Some(value)
        {
            return None;
        }
        let mut last = func.phi_value(phi, outer.latch)?;
        let next = func.phi_value(within, inner.latch)?;
        while last != next {
            let through = func.def_with(last, Opcode::Phi)?;
            (func.num_operands(through) == 1).then_some(())?;
            last = func.operand(through, 0);
        }
        (next != value && !is_invariant(func, self.at.loops.at(self.l), next)).then_some(Shape::Same)
    }

    /// A header phi of the inner loop: a counter, or what an outer phi of that kind goes on in.
    fn inner_phi(&self, shapes: &FxHashMap<Value, Shape>, phi: Inst, outer_header: Block) -> Option<Shape> {
        let func = self.func;
        let inner = &self.body.counted;
        let start = func.phi_value(phi, inner.preheader)?;
        let from_outer = func
            .def_inst(start)
            .is_some_and(|i| func.insts[i].opcode == Opcode::Phi && func.inst_block(i) == Some(outer_header));
        let start_shape = self.shape(shapes, start)?;
        if from_outer && start_shape == Shape::Same {
            return Some(Shape::Same);
        }
        let step = counter(func, phi, inner.preheader, inner.latch)?.step;
        let Shape::Sum(out, 0) = start_shape else { return None };
        Some(Shape::Sum(out, step))
    }

    /// A phi after branches of the inner loop, or after the loop.
    fn join(&self, shapes: &FxHashMap<Value, Shape>, phi: Inst) -> Option<Shape> {
        let func = self.func;
        if func.num_operands(phi) == 1 {
            return self.shape(shapes, func.operand(phi, 0));
        }
        let same = |v: Value| self.shape(shapes, v).is_some_and(|s| self.settled(s, v));
        func.operands(phi).all(same).then_some(Shape::Same)
    }

    /// A sum of sums; a constant multiple of one.
    fn sum(&self, shapes: &FxHashMap<Value, Shape>, inst: Inst) -> Option<Shape> {
        let func = self.func;
        let data = func.insts[inst];
        if data.ty.is_vector() || data.ty.bits() > 64 {
            return None;
        }
        let operand = |index: usize| match self.shape(shapes, func.operand(inst, index))? {
            Shape::Sum(out, within) => Some((out, within)),
            Shape::Same => None,
        };
        let times = |by: i64| operand(0).map(|(out, within)| Shape::Sum(out.wrapping_mul(by), within.wrapping_mul(by)));
        match data.opcode {
            Opcode::Add | Opcode::PtrAdd => {
                let ((a, b), (c, d)) = (operand(0)?, operand(1)?);
                Some(Shape::Sum(a.wrapping_add(c), b.wrapping_add(d)))
            }
            Opcode::Sub => {
                let ((a, b), (c, d)) = (operand(0)?, operand(1)?);
                Some(Shape::Sum(a.wrapping_sub(c), b.wrapping_sub(d)))
            }
            // The low bits of a sum are the sum of the low bits.
            Opcode::Trunc => times(1),
            Opcode::Mul => times(func.const_i64(func.operand(inst, 1))?),
            Opcode::Shl => {
                let by = func.const_bits(func.operand(inst, 1)).filter(|&c| c < u128::from(data.ty.bits()))?;
                times(1i64.wrapping_shl(by as u32))
            }
            _ => None,
        }
    }
}

impl Flat {
    /// Iterations of both loops together.
    fn trips(&self) -> TripCount {
        match self.outer_trips {
            TripCount::Constant(rounds) => TripCount::Constant(rounds.saturating_mul(self.inner_trips)),
            computed => computed,
        }
    }

    /// Whether the iterations of both loops are fewer than 2^64: their number is known, or each
    /// touches memory of its own.
    fn is_countable(&self, func: &Function, decision: &Decision) -> bool {
        match self.outer_trips {
            TripCount::Constant(rounds) => rounds < 1 << 40,
            TripCount::Computed(_) => decision.plan.accesses.iter().any(|a| {
                let kind = decision.plan.kinds.get(&a.inst);
                a.address.step != 0
                    && decision.body.is_unconditional(func, a.inst)
                    && matches!(kind, Some(Kind::Load(o) | Kind::Store(o)) if *o != Order::Uniform)
            }),
        }
    }

    /// Makes the two loops one.
    pub fn apply(&self, func: &mut Function) {
        for &sum in &self.sums {
            func.clear_flags(sum);
        }
        let (outer, inner) = (&self.outer, &self.inner);
        let total = self.total(func);
        let branch = func.terminator(inner.latch);
        let loc = func.inst_locs[branch];
        let next = self.rounds_done(func);
        let mut b = Builder::before(func, branch);
        b.loc = loc;
        let goes_on = b.icmp(IntCc::Ne, next, total);
        func.replace_terminator(inner.latch, |b| b.cond_br(goes_on, self.inner_header, inner.exit, BranchHint::None));
        func.replace_terminator(outer.latch, |b| b.br(outer.exit));
        func.drop_pred(self.outer_header, outer.latch);
    }

    /// How many iterations have been run at the end of one: what a counter of the inner loop comes
    /// to, or a new one.
    fn rounds_done(&self, func: &mut Function) -> Value {
        let inner = &self.inner;
        let known = inner.counter;
        if func.insts[known.phi].ty == Type::I64 && known.step == 1 && func.const_bits(known.start) == Some(0) {
            return func.first_result(known.next);
        }
        let zero = func.iconst(Type::I64, 0);
        let first = func.first_inst(self.inner_header).expect("has a branch");
        let phi = Builder::before(func, first).phi(Type::I64, &[(zero, inner.preheader)]);
        let rounds = func.first_result(phi);
        let mut b = Builder::before(func, func.terminator(inner.latch));
        let one = b.iconst(Type::I64, 1);
        let next = b.binary(Opcode::Add, rounds, one);
        func.phi_push(phi, next, inner.latch);
        next
    }

    fn total(&self, func: &mut Function) -> Value {
        if let TripCount::Constant(rounds) = self.trips() {
            return func.iconst(Type::I64, rounds as i64);
        }
        let end = func.terminator(self.outer.preheader);
        let rounds = self.outer_trips.emit(func, end);
        let mut b = Builder::before(func, end);
        let each = b.iconst(Type::I64, self.inner_trips as i64);
        b.binary(Opcode::Mul, rounds, each)
    }
}
