//! Nests: several iterations of a loop at once that has one loop inside it. Each lane runs the
//! inner loop for a iteration of its own of the outer loop, so that what the inner loop carries
//! from iteration to iteration needs no regrouping: sums of floating numbers stay exact, and a loop
//! that runs down the columns of a matrix reads rows.
//!
//! The outer loop is a chain of blocks with the inner loop in it, which is a chain as well; how
//! long the inner loop runs must not depend on the outer one's counter. Its counters, and what is
//! computed of them and of invariants, stay scalars. Every access is of consecutive elements over
//! the iterations of the outer loop, or the same in all of them; outside the inner loop it may be
//! of any at a constant distance, as on a diagonal.
//!
//! In vector form each step of the inner loop runs for all lanes before the next step does, so that
//! two accesses of which one writes must never touch the same bytes in different iterations of a
//! group ([`may_group`]).
//!
//! After Nuzman, Zaks, "Outer-loop vectorization - revisited for short SIMD architectures", PACT
//! 2008.
//!
//! ```text
//! b1: j = phi ...                            b1: j = phi ...
//! b2: k = phi ...; s = phi [0, b1], [t, b2]  b2: k = phi ...; s = phi [<0, 0, 0, 0>, b1], [t, b2]
//!     x = load a + k * 4               =>        x = load a + k * 4; x4 = splat x
//!     y = load b + k * 400 + j * 4               y: <4 x i32> = load b + k * 400 + j * 4
//!     t = add s, mul x, y                        t = add s, mul x4, y
//!     cond_br icmp.slt k, n, b2, b3              cond_br icmp.slt k, n, b2, b3
//! b3: store c + j * 4, t; ...                b3: store c + j * 4, t; ...
//! ```

use ir::analysis::sums::induction::{Counter, counted_loop, counter, entry_and_latch, is_invariant};
use ir::analysis::sums::loops::LoopSums;
use ir::analysis::sums::trip_count::trip_count;
use ir::analysis::sums::{Linear, Term};
use ir::analysis::{Cfg, Loop, LoopRef, LoopTree};
use ir::{Block, BranchHint, Builder, Function, Inst, Opcode, Position, Type, Value};
use rustc_hash::FxHashSet;

use ir::analysis::nest_chain;
use ir::effects::is_pure;

use super::body::{Body, MAX_INSTS, is_plain};
use super::emit::Emitter;
use ir::analysis::group_dependence::MemoryAccess;
use ir::analysis::sums::first_round::stepped;

/// Iterations that an inner loop is taken to run if that is not known, and the most that count in
/// an estimate.
const USUAL_ROUNDS: u32 = 16;

/// The loop inside a nest.
pub struct Inner {
    /// The loop.
    pub l: Loop,
    /// Where it starts.
    pub header: Block,
    /// Where it goes back or on.
    pub latch: Block,
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Its counters that start anew, from the same value, in every iteration of the outer loop.
    pub counters: Vec<Counter>,
    /// Values that are the same in all iterations of the outer loop: the counters and what depends
    /// on them alone.
    pub uniform: FxHashSet<Value>,
    /// Iterations, for estimates.
    pub rounds: u32,
}

impl Inner {
    /// Whether the instruction is in the inner loop.
    pub fn holds(&self, func: &Function, inst: Inst) -> bool {
        func.inst_block(inst).is_some_and(|b| self.blocks.contains(&b))
    }
}

impl Body {
    /// A loop with one loop inside it as a body, if it is one.
    pub fn of_nest(func: &Function, cfg: &Cfg, l: LoopRef<'_>, blocks: &[Block]) -> Option<Body> {
        if blocks.iter().any(|b| func.labels.contains(b)) {
            return None;
        }
        let inner = l.tree.at(l.only_inner(blocks)??);
        let counted = counted_loop(func, cfg, l)?;
        let (entry, inner_latch) = entry_and_latch(func, cfg, inner)?;
        let (header, inner_header) = (l.header(), inner.header());
        let chain = nest_chain(func, l, header, (inner_header, inner_latch), counted.latch, blocks.len())?;
        if chain.len() != blocks.len() || header == inner_header {
            return None;
        }
        let mut insts = Vec::new();
        for &block in &chain {
            for inst in func.block_insts(block).filter(|&i| !func.insts[i].opcode.is_terminator()) {
                if !is_plain(func, inst) || insts.len() == MAX_INSTS {
                    return None;
                }
                insts.push(inst);
            }
        }
        let outer_counter = |phi: Inst| counter(func, phi, counted.preheader, counted.latch);
        let counters = func.phis(header).filter_map(outer_counter).collect();
        let inner_counter =
            |phi: Inst| counter(func, phi, entry, inner_latch).filter(|c| is_invariant(func, l, c.start));
        let inner_counters: Vec<Counter> = func.phis(inner_header).filter_map(inner_counter).collect();
        let inner_blocks: Vec<Block> = chain.iter().copied().filter(|&b| inner.contains(b)).collect();
        let uniform = uniform(func, l, &inner_counters, &inner_blocks)?;
        let test = func.operand(func.terminator(inner_latch), 0);
        if !uniform.contains(&test) {
            return None;
        }
        let trips = counted_loop(func, cfg, inner).and_then(|c| trip_count(func, cfg, &c)).and_then(|t| t.known());
        let rounds = trips.map_or(USUAL_ROUNDS, |t| t.min(u64::from(USUAL_ROUNDS)) as u32);
        let inner = Inner {
            l: inner.id,
            header: inner_header,
            latch: inner_latch,
            blocks: inner_blocks,
            counters: inner_counters,
            uniform,
            rounds,
        };
        let trips = trip_count(func, cfg, &counted)?;
        Some(Body {
            l: l.id,
            header,
            counted,
            blocks: chain.clone(),
            counters,
            trips,
            insts,
            always: chain,
            inner: Some(inner),
        })
    }
}

/// The values of the inner loop that all iterations of the outer loop share. `None` if one is used
/// outside it.
fn uniform(func: &Function, l: LoopRef<'_>, counters: &[Counter], blocks: &[Block]) -> Option<FxHashSet<Value>> {
    let mut out: FxHashSet<Value> = counters.iter().map(|c| func.first_result(c.phi)).collect();
    for &block in blocks {
        for inst in func.block_insts(block) {
            let Some(value) = func.result(inst) else { continue };
            let computed = func.insts[inst].opcode != Opcode::Phi && is_pure(func, inst);
            if computed && func.operands(inst).all(|v| out.contains(&v) || is_invariant(func, l, v)) {
                out.insert(value);
            }
        }
    }
    let inside = |user: Inst| func.inst_block(user).is_some_and(|b| blocks.contains(&b));
    let stay = out.iter().all(|&v| func.uses(v).all(|(user, _)| inside(user)));
    stay.then_some(out)
}

/// Whether groups of `lanes` iterations of the outer loop may run at once.
pub fn may_group(
    func: &Function,
    may_meet: impl Fn(Inst, Inst) -> bool,
    inner: &Inner,
    accesses: &[MemoryAccess],
    lanes: i64,
) -> bool {
    accesses.iter().enumerate().all(|(late, second)| {
        accesses[..=late].iter().all(|first| match first.address.distance_to(&second.address) {
            _ if !first.writes && !second.writes => true,
            Some(distance) => !meet(inner, func, first, second, distance, lanes),
            None => !may_meet(first.inst, second.inst) || differ(inner, func, first, second, lanes),
        })
    })
}

/// Whether two accesses may touch the same bytes in different iterations of a group, in any
/// iterations of the inner loop.
fn meet(inner: &Inner, func: &Function, a: &MemoryAccess, b: &MemoryAccess, distance: i64, lanes: i64) -> bool {
    let Some(stride) = inner_stride(inner, func, &a.address) else { return true };
    let step = a.address.step;
    let large = |n: i64| n.unsigned_abs() > 1 << 40;
    if large(distance) || large(stride) || step.unsigned_abs() > 1 << 30 {
        return true;
    }
    (1 - lanes..lanes).filter(|&k| k != 0).any(|k| {
        // Touches if distance + step * k + stride * (any number) lies between the sizes.
        let apart = distance + step * k;
        let nearest = if stride == 0 { apart } else { apart.rem_euclid(stride.abs()) };
        let touches = |way: i64| -b.size < way && way < a.size;
        touches(nearest) || (stride != 0 && touches(nearest - stride.abs()))
    })
}

/// Whether two accesses never touch the same bytes in different iterations of a group since their
/// addresses differ modulo a power of two that divides all that changes between them, as those of
/// `a[j][i]` and `a[i][i]` do modulo the length of a row.
fn differ(inner: &Inner, func: &Function, a: &MemoryAccess, b: &MemoryAccess, lanes: i64) -> bool {
    let difference = b.address.minus(&a.address);
    let strides = [inner_stride(inner, func, &a.address), inner_stride(inner, func, &b.address)];
    let [Some(own), Some(other)] = strides else { return false };
    let changes = difference.terms.iter().fold(difference.step | own | other, |all, &(_, factor)| all | factor);
    let modulus = 1i64.wrapping_shl(changes.trailing_zeros().min(40));
    (1 - lanes..lanes).filter(|&k| k != 0).all(|k| {
        let apart = difference.constant.wrapping_add(a.address.step.wrapping_mul(k)).rem_euclid(modulus);
        apart >= a.size && apart + b.size <= modulus
    })
}

/// What a iteration of the inner loop adds to an address.
fn inner_stride(inner: &Inner, func: &Function, address: &Linear) -> Option<i64> {
    let mut stride = 0i64;
    for &(term, factor) in &address.terms {
        let Term::Value(value) = term else { continue };
        if let Some(counter) = inner.counters.iter().find(|c| func.first_result(c.phi) == value) {
            stride = stride.checked_add(counter.step.checked_mul(factor)?)?;
        }
    }
    Some(stride)
}

/// The phis that addresses in a nest may have as terms.
pub fn uniform_phis(body: &Body) -> Vec<Inst> {
    body.inner.iter().flat_map(|inner| inner.counters.iter().map(|c| c.phi)).collect()
}

/// Where an instruction of a nest stands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Before the inner loop.
    Before,
    /// In the inner loop.
    Inside,
    /// After it.
    Behind,
}

/// The inner loop of a vector nest while it is made.
pub struct InnerBlock {
    /// The block.
    pub block: Block,
    /// The block's jump, and that of the block before.
    jump: Inst,
    entry_jump: Inst,
    /// The part that is being made.
    part: Part,
    /// Counters in use with their phis.
    counters: Vec<(Counter, Inst)>,
}

impl InnerBlock {
    /// Makes three blocks of a loop of one: the end, from `end` on, goes to the third, which is
    /// returned first.
    pub fn split(func: &mut Function, block: Block, end: Inst) -> (Block, Option<InnerBlock>) {
        let (inside, latch) = (func.make_block(), func.make_block());
        func.insert_block_after(block, inside);
        func.insert_block_after(inside, latch);
        func.split_insts(end, latch);
        let back = func.terminator(latch);
        func.replace_pred(block, block, latch);
        debug_assert_eq!(func.insts[back].opcode, Opcode::CondBr);
        Builder::new(func, Position::End(block)).br(inside);
        Builder::new(func, Position::End(inside)).br(latch);
        let (entry_jump, jump) = (func.terminator(block), func.terminator(inside));
        (latch, Some(InnerBlock { block: inside, jump, entry_jump, part: Part::Before, counters: Vec::new() }))
    }
}

impl Emitter<'_> {
    /// The part of a nest that an instruction of the scalar loop belongs to.
    pub fn part_of(&self, inst: Inst) -> Part {
        let Some(inner) = &self.body.inner else { return Part::Before };
        let position = |block: Block| self.body.blocks.iter().position(|&b| b == block);
        if inner.holds(self.func, inst) {
            return Part::Inside;
        }
        let block = self.func.inst_block(inst).and_then(position);
        if block > position(inner.latch) { Part::Behind } else { Part::Before }
    }

    /// Where what an instruction becomes is put.
    pub fn place_of(&self, inst: Inst) -> Inst {
        self.end_of(self.part_of(inst))
    }

    fn end_of(&self, part: Part) -> Inst {
        match (&self.inner, part) {
            (None, _) | (_, Part::Behind) => self.end,
            (Some(inner), Part::Before) => inner.entry_jump,
            (Some(inner), Part::Inside) => inner.jump,
        }
    }

    /// Goes on in this part, over those between: what they begin and end with is made.
    pub fn enter_part(&mut self, part: Part) {
        let Some(at) = self.inner.as_ref().map(|i| i.part) else { return };
        if at < Part::Inside && part >= Part::Inside {
            self.carry();
            self.set_part(Part::Inside);
        }
        if at < Part::Behind && part == Part::Behind {
            self.close();
        }
        self.set_part(part);
    }

    fn set_part(&mut self, part: Part) {
        self.inner.as_mut().expect("a nest").part = part;
        self.at = self.end_of(part);
    }

    /// Makes the phis of what the inner loop carries.
    fn carry(&mut self) {
        let (inside, entry) = (self.inner.as_ref().expect("a nest").block, self.block);
        for phi in self.carried() {
            let value = self.func.first_result(phi);
            let lane = self.func.value_type(value);
            let start = self.start_of(phi);
            let start = self.vector(start, lane);
            let first = self.func.first_inst(inside).expect("has a jump");
            let ty = self.func.value_type(start);
            let vector = Builder::before(self.func, first).phi(ty, &[(start, entry)]);
            self.vectors.insert(value, self.func.first_result(vector));
        }
    }

    fn carried(&self) -> Vec<Inst> {
        self.plan.order.iter().copied().filter(|i| self.plan.kinds[i] == super::plan::Kind::Carried).collect()
    }

    fn start_of(&self, phi: Inst) -> Value {
        let latch = self.body.inner.as_ref().expect("a nest").latch;
        self.func.phi_entries(phi).find(|e| e.1 != latch).expect("two entries").0
    }

    /// Ends the inner loop with its test.
    fn close(&mut self) {
        let inner = self.body.inner.as_ref().expect("a nest");
        let inside = self.inner.as_ref().expect("a nest").block;
        for phi in self.carried() {
            let value = self.func.first_result(phi);
            let next = self.func.phi_value(phi, inner.latch).expect("comes back");
            let next = self.vector(next, self.func.value_type(value));
            let vector = self.func.def_inst(self.vectors[&value]).expect("a phi");
            self.func.phi_push(vector, next, inside);
        }
        let branch = self.func.terminator(inner.latch);
        let goes_on_if = self.func.insts[branch].dests().0 == inner.header;
        let test = self.scalar(self.func.operand(branch, 0));
        // The test may have brought counters into use, and counters no others.
        let counters = std::mem::take(&mut self.inner.as_mut().expect("a nest").counters);
        for (counter, phi) in counters {
            let value = self.func.first_result(phi);
            let ty = self.func.value_type(value);
            let next = stepped(&mut self.builder(), value, ty, counter.step);
            self.func.phi_push(phi, next, inside);
        }
        let jump = self.func.terminator(inside);
        self.func.remove_inst(jump);
        let (then, otherwise) = if goes_on_if { (inside, self.latch) } else { (self.latch, inside) };
        let loc = self.func.inst_locs[branch];
        let mut b = Builder::new(self.func, Position::End(inside));
        b.loc = loc;
        b.cond_br(test, then, otherwise, BranchHint::None);
        self.inner.as_mut().expect("a nest").jump = self.func.terminator(inside);
    }

    /// Whether a header phi is a counter of the inner loop.
    pub fn is_inner_counter(&self, phi: Inst) -> bool {
        self.body.inner.as_ref().is_some_and(|i| i.counters.iter().any(|c| c.phi == phi))
    }

    /// A counter of the inner loop as a scalar.
    pub fn inner_counter(&mut self, value: Value) -> Value {
        let inner = self.body.inner.as_ref().expect("a nest");
        let counter = *inner.counters.iter().find(|c| self.func.first_result(c.phi) == value).expect("a counter");
        let inside = self.inner.as_ref().expect("a nest").block;
        let first = self.func.first_inst(inside).expect("has a jump");
        let ty: Type = self.func.value_type(value);
        let phi = Builder::before(self.func, first).phi(ty, &[(counter.start, self.block)]);
        self.inner.as_mut().expect("a nest").counters.push((counter, phi));
        let result = self.func.first_result(phi);
        self.scalars.insert(value, result);
        result
    }
}

/// The addresses of a nest.
pub fn addresses<'a>(loops: &'a LoopTree, body: &'a Body, uniform: &'a [Inst]) -> LoopSums<'a> {
    LoopSums { l: loops.at(body.l), counters: &body.counters, counted: &body.counted, uniform }
}
