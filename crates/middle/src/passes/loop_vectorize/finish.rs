//! The way into the vector loop, out of it, and back to the scalar loop for what is left.
//!
//! ```text
//! preheader:  enough iterations? ------> scalar entry
//! checks:     ranges apart? -------> scalar entry
//! entry:      splats
//! vector:     loop of whole groups of iterations
//! gather:     shares joined; iterations left? -> scalar entry, else -> exit
//! scalar entry: phis; the scalar loop; exit
//! ```
//!
//! A known trip count that the lanes divide needs only the vector loop; the scalar one is removed.

use ir::analysis::LoopTree;
use ir::analysis::sums::induction::Counter;
use ir::analysis::sums::trip_count::TripCount;
use ir::{Block, BranchHint, Builder, Function, Inst, IntCc, Opcode, Position, Type, Value};
use rustc_hash::FxHashMap;

use ir::ssa::redirect;

use super::body::{Body, MAX_INSTS};
use super::conditional_stores::{ConditionalStore, branch_around};
use super::emit::Emitter;
use super::estimate::Estimate;
use super::lanes::Lanes;
use super::plan::{Kind, Plan};
use ir::analysis::group_dependence::Checks;
use ir::analysis::sums::first_round::{counted_up, first_round, stepped};
use ir::costs::register_bytes;
use platform::options::X86Features;

/// What has been decided for a loop.
pub struct Decision {
    /// The loop.
    pub body: Body,
    /// What becomes of its instructions.
    pub plan: Plan,
    /// Their lane types.
    pub lanes: Lanes,
    /// Iterations at once.
    pub vf: u32,
    /// Checks at run time.
    pub checks: Checks,
    /// What both loops cost.
    pub estimate: Estimate,
    /// What the target can do.
    pub features: X86Features,
    /// Iterations at once, once more after the vector loop, where so many are left.
    pub rest: Option<u32>,
}

/// Puts the vector loop in place. Returns the header of the scalar loop that is left, if one is.
pub fn vectorize(func: &mut Function, loops: &LoopTree, mut decision: Decision) -> Option<Block> {
    let d = &decision;
    let counted = &d.body.counted;
    let (preheader, latch) = (counted.preheader, counted.latch);
    let out = redirect(func, counted.exit, &[latch]).expect("a conditional branch");
    let whole = d.body.trips.known().is_some_and(|t| t % u64::from(d.vf) == 0) && d.checks.pairs.is_empty();
    if whole {
        replace(func, loops, d, out);
        return None;
    }
    let scalar_entry = func.make_block();
    func.insert_block_after(preheader, scalar_entry);
    Builder::new(func, Position::End(scalar_entry)).br(d.body.header);
    let entry = func.make_block();
    func.insert_block_after(preheader, entry);
    Builder::new(func, Position::End(entry)).br(scalar_entry);

    let jump = func.terminator(preheader);
    let trips = d.body.trips.emit(func, jump);
    let groups = rounded_down(func, jump, trips, d.vf);
    let skips = guard(func, loops, d, trips, (entry, scalar_entry));

    let gather = func.make_block();
    let mut e = Emitter::new(func, loops, &d.body, &d.plan, &d.lanes, d.vf, entry, gather, groups);
    e.emit();
    let vector_block = e.block;
    let into = e.func.terminator(entry);
    e.func.map_targets(into, |_| vector_block);
    e.func.insert_block_after(e.latch, gather);
    e.func.forget_debug_values(&d.body.blocks, vector_block);
    Builder::new(e.func, Position::End(gather)).br(scalar_entry);
    let ends = Ends::new(&mut e, d, groups, gather);
    let nothing_left = match d.body.trips {
        TripCount::Constant(trips) => trips % u64::from(d.vf) == 0,
        TripCount::Computed(_) => false,
    };
    let mut leaves_scalar_loop = true;
    if nothing_left {
        let jump = e.func.terminator(gather);
        e.func.map_targets(jump, |_| out);
        leaves_scalar_loop = false;
    } else if d.body.trips.known().is_none() {
        let mut b = Builder::before(e.func, e.func.terminator(gather));
        let done = b.icmp(IntCc::Eq, trips, groups);
        branch_to(e.func, gather, done, out, scalar_entry);
    }
    let reaches_out = nothing_left || d.body.trips.known().is_none();

    // The scalar loop starts where the vector loop has left off, or from the start.
    let phis: Vec<Inst> = e.func.phis(d.body.header).collect();
    for phi in phis {
        let start = e.func.phi_value(phi, preheader).expect("one entry per predecessor");
        let mut entries: Vec<(Value, Block)> = skips.iter().map(|&b| (start, b)).collect();
        if leaves_scalar_loop {
            let resumed = ends.resumed(&mut e, d, phi, start);
            entries.push((resumed, gather));
        }
        let ty = e.func.insts[phi].ty;
        let jump = e.func.terminator(scalar_entry);
        let merged = match entries[..] {
            [(only, _)] if d.rest.is_none() => only,
            _ => {
                let merged = Builder::before(e.func, jump).phi(ty, &entries);
                e.func.first_result(merged)
            }
        };
        let index = e.func.phi_index(phi, preheader).expect("entered from the preheader");
        e.func.set_operand(phi, index, merged);
        e.func.set_phi_block(phi, index, scalar_entry);
    }
    for &value in &d.plan.live_out {
        let end = if reaches_out { Some(ends.value(&mut e, d, value)) } else { None };
        let mut entries = vec![(value, latch)];
        entries.extend(end.map(|end| (end, gather)));
        let first = e.func.first_inst(out).expect("ends in a jump");
        let ty = e.func.value_type(value);
        let merged = Builder::before(e.func, first).phi(ty, &entries);
        let merged_value = e.func.first_result(merged);
        replace_outside(e.func, loops, &d.body, value, merged_value, &[merged]);
    }
    let mut conditional = std::mem::take(&mut e.conditional);
    if let Some(lanes) = d.rest {
        let around = Around { gather, scalar_entry, out, trips, groups };
        conditional.extend(once_more(func, loops, &mut decision, lanes, &around));
    }
    branch_around(func, &conditional);
    Some(decision.body.header)
}

/// What lies around the iterations that a vector loop has left, how many there are, and how many it
/// has run.
struct Around {
    gather: Block,
    scalar_entry: Block,
    out: Block,
    trips: Value,
    groups: Value,
}

/// A group of fewer iterations after the vector loop, if so many are left (gather: iterations left?
/// choose; choose: enough? rest, else scalar entry; rest: once what the vector loop does; after:
/// iterations left? scalar entry, else exit). Returns its stores that only some lanes run.
fn once_more(
    func: &mut Function,
    loops: &LoopTree,
    d: &mut Decision,
    lanes: u32,
    &Around { gather, scalar_entry, out, trips, groups }: &Around,
) -> Vec<ConditionalStore> {
    let header = d.body.header;
    let merged = |func: &Function, phi: Inst| {
        let start = func.phi_value(phi, scalar_entry).expect("entered from there");
        func.def_inst(start).expect("a phi")
    };
    let starts: Vec<(Inst, Inst)> = func.phis(header).map(|phi| (phi, merged(func, phi))).collect();
    let left_off = |func: &Function, phi: Inst| {
        let merged = starts.iter().find(|start| start.0 == phi).expect("of the header").1;
        func.phi_value(merged, gather).expect("goes to the scalar loop")
    };
    d.vf = lanes;
    let jump = func.terminator(gather);
    // Not from what the loop has counted: that would have to be kept beside what it counts next.
    for counter in d.body.counters.iter_mut().chain([&mut d.body.counted.counter]) {
        let ty = func.insts[counter.phi].ty;
        counter.start = counted_up(func, jump, counter.start, ty, groups, counter.step);
    }
    let resumed: Vec<Value> = starts.iter().map(|&(phi, _)| left_off(func, phi)).collect();

    let mut from = gather;
    let rest = func.make_block();
    func.insert_block_after(gather, rest);
    let known = d.body.trips.known();
    if known.is_none() {
        let choose = func.make_block();
        func.insert_block_after(gather, choose);
        let enough = bits_left(func, choose, trips, lanes, IntCc::Ne);
        Builder::new(func, Position::End(choose)).cond_br(enough, rest, scalar_entry, BranchHint::None);
        from = choose;
    }
    func.map_targets(jump, |target| match (target == scalar_entry, known) {
        (true, None) => from,
        (true, Some(_)) => rest,
        _ => target,
    });
    let after = func.make_block();
    func.insert_block_after(rest, after);
    Builder::new(func, Position::End(rest)).br(after);
    let once = func.iconst(Type::I64, i64::from(lanes));
    let mut e = Emitter::new(func, loops, &d.body, &d.plan, &d.lanes, lanes, rest, after, once);
    e.emit();
    let block = e.block;
    e.func.replace_terminator(block, |b| b.br(after));
    e.func.drop_pred(block, block);
    let jump = e.func.terminator(rest);
    e.func.map_targets(jump, |_| block);
    e.func.forget_debug_values(&d.body.blocks, block);
    let all_done = known.is_some_and(|trips| trips % u64::from(lanes) == 0);
    Builder::new(e.func, Position::End(after)).br(if all_done { out } else { scalar_entry });
    let ends = Ends::new(&mut e, d, once, after);
    if known.is_none() {
        let done = bits_left(e.func, after, trips, lanes - 1, IntCc::Eq);
        branch_to(e.func, after, done, out, scalar_entry);
    }
    for (&(phi, merged), before) in starts.iter().zip(resumed) {
        let index = e.func.phi_index(merged, gather).expect("goes to the scalar loop");
        match known {
            None => e.func.set_phi_block(merged, index, from),
            Some(_) => e.func.phi_swap_remove(merged, index),
        }
        if !all_done {
            let next = ends.resumed(&mut e, d, phi, before);
            e.func.phi_push(merged, next, after);
        }
    }
    if known.is_none() || all_done {
        let merged: Vec<Inst> = e.func.phis(out).collect();
        for phi in merged {
            let value = e.func.phi_value(phi, d.body.counted.latch).expect("left by the latch");
            let end = ends.value(&mut e, d, value);
            e.func.phi_push(phi, end, after);
        }
    }
    std::mem::take(&mut e.conditional)
}

/// Whether some of these bits of the number of iterations are set, or none, at the end of a block.
fn bits_left(func: &mut Function, block: Block, trips: Value, bits: u32, cc: IntCc) -> Value {
    let mut b = match func.last_inst(block) {
        Some(jump) => Builder::before(func, jump),
        None => Builder::new(func, Position::End(block)),
    };
    let (mask, none) = (b.iconst(Type::I64, i64::from(bits)), b.iconst(Type::I64, 0));
    let left = b.binary(Opcode::And, trips, mask);
    b.icmp(cc, left, none)
}

/// Makes the preheader go to the vector loop (`entry`) if that may run and has enough iterations,
/// and else to the scalar loop. Returns the blocks that may go to the scalar loop.
fn guard(
    func: &mut Function,
    loops: &LoopTree,
    d: &Decision,
    trips: Value,
    (entry, scalar_entry): (Block, Block),
) -> Vec<Block> {
    let preheader = d.body.counted.preheader;
    let jump = func.terminator(preheader);
    let mut skips = vec![preheader];
    if d.body.trips.known().is_none() {
        let mut b = Builder::before(func, jump);
        let least = b.iconst(Type::I64, d.estimate.least_trips().max(u64::from(d.vf)) as i64);
        let enough = b.icmp(IntCc::Uge, trips, least);
        if d.checks.pairs.is_empty() {
            branch_to(func, preheader, enough, entry, scalar_entry);
        } else {
            let checks = func.make_block();
            func.insert_block_after(preheader, checks);
            Builder::new(func, Position::End(checks)).br(entry);
            branch_to(func, preheader, enough, checks, scalar_entry);
            let apart = groups_apart(func, loops, d, checks, trips);
            branch_to(func, checks, apart, entry, scalar_entry);
            skips.push(checks);
        }
    } else if d.checks.pairs.is_empty() {
        func.map_targets(jump, |_| entry);
        skips.clear();
    } else {
        let apart = groups_apart(func, loops, d, preheader, trips);
        branch_to(func, preheader, apart, entry, scalar_entry);
    }
    skips
}

/// The vector loop in place of the scalar one, which is removed.
fn replace(func: &mut Function, loops: &LoopTree, d: &Decision, out: Block) {
    let preheader = d.body.counted.preheader;
    let trips = d.body.trips.known().expect("known");
    let trips = func.iconst(Type::I64, trips as i64);
    let mut e = Emitter::new(func, loops, &d.body, &d.plan, &d.lanes, d.vf, preheader, out, trips);
    e.emit();
    let block = e.block;
    let jump = e.func.terminator(preheader);
    e.func.map_targets(jump, |_| block);
    let ends = Ends::new(&mut e, d, trips, out);
    for &value in &d.plan.live_out {
        let end = ends.value(&mut e, d, value);
        replace_outside(e.func, loops, &d.body, value, end, &[]);
    }
    e.func.forget_debug_values(&d.body.blocks, block);
    let conditional = std::mem::take(&mut e.conditional);
    for &block in &d.body.blocks {
        func.drop_pred(out, block);
    }
    // What they store may still be needed of these.
    branch_around(func, &conditional);
    for &block in &d.body.blocks {
        func.remove_block(block);
    }
}

fn rounded_down(func: &mut Function, before: Inst, trips: Value, vf: u32) -> Value {
    if let Some(known) = func.const_i64(trips) {
        return func.iconst(Type::I64, known & -i64::from(vf));
    }
    let mask = func.iconst(Type::I64, -i64::from(vf));
    Builder::before(func, before).binary(Opcode::And, trips, mask)
}

fn branch_to(func: &mut Function, block: Block, condition: Value, then: Block, otherwise: Block) {
    func.replace_terminator(block, |b| b.cond_br(condition, then, otherwise, BranchHint::Likely));
}

/// Uses outside the loop of a value of the loop.
fn replace_outside(func: &mut Function, loops: &LoopTree, body: &Body, value: Value, by: Value, but: &[Inst]) {
    let uses: Vec<(Inst, usize)> = func
        .uses(value)
        .filter(|&(user, _)| !but.contains(&user))
        .filter(|&(user, _)| func.inst_block(user).is_some_and(|b| !loops.contains(body.l, b)))
        .collect();
    uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, by));
}

/// Whether all pairs of groups are out of each other's way, computed at the end of a block.
fn groups_apart(func: &mut Function, loops: &LoopTree, d: &Decision, block: Block, trips: Value) -> Value {
    let jump = func.terminator(block);
    let mut first = d.body.starts(func);
    let starts: Vec<Value> = d
        .checks
        .groups
        .iter()
        .map(|group| {
            let address = func.operand(group.access.inst, 0);
            let start = first_round(func, loops.at(d.body.l), &mut first, address, jump, MAX_INSTS);
            let start = start.expect("a sum of counters");
            Builder::before(func, jump).unary(Opcode::PtrToInt, Type::I64, start)
        })
        .collect();
    let mut ranges: FxHashMap<usize, (Value, Value)> = FxHashMap::default();
    let mut all: Option<Value> = None;
    for pair in &d.checks.pairs {
        let (x, y) = pair.groups;
        let apart = match pair.harmful {
            Some((low, high)) => {
                let mut b = Builder::before(func, jump);
                let distance = b.binary(Opcode::Sub, starts[y], starts[x]);
                let by = b.iconst(Type::I64, -(low + 1));
                let behind = b.binary(Opcode::Add, distance, by);
                let harmful = b.iconst(Type::I64, high - low - 1);
                b.icmp(IntCc::Uge, behind, harmful)
            }
            None => {
                let [x, y] = [x, y].map(|group| {
                    *ranges.entry(group).or_insert_with(|| range(func, d, group, starts[group], trips, jump))
                });
                let mut b = Builder::before(func, jump);
                let before = b.icmp(IntCc::Ule, x.1, y.0);
                let behind = b.icmp(IntCc::Ule, y.1, x.0);
                b.binary(Opcode::Or, before, behind)
            }
        };
        all = Some(match all {
            Some(all) => Builder::before(func, jump).binary(Opcode::And, all, apart),
            None => apart,
        });
    }
    all.expect("there are pairs")
}

/// The range of addresses that a group runs through.
fn range(func: &mut Function, d: &Decision, group: usize, start: Value, trips: Value, jump: Inst) -> (Value, Value) {
    let group = &d.checks.groups[group];
    let step = group.access.address.step;
    let mut b = Builder::before(func, jump);
    let one = b.iconst(Type::I64, -1);
    let rounds = b.binary(Opcode::Add, trips, one);
    let factor = b.iconst(Type::I64, step);
    let way = b.binary(Opcode::Mul, rounds, factor);
    let other_end = b.binary(Opcode::Add, start, way);
    let (low, high) = if step < 0 { (other_end, start) } else { (start, other_end) };
    let (below, above) = (b.iconst(Type::I64, group.low), b.iconst(Type::I64, group.high));
    (b.binary(Opcode::Add, low, below), b.binary(Opcode::Add, high, above))
}

/// What the loop's values are after the vector loop.
struct Ends {
    /// Reductions' shares joined, by header phi.
    reduced: FxHashMap<Inst, Value>,
    /// Iterations that the vector loop runs.
    rounds: Value,
    /// Where all of it is computed.
    block: Block,
}

impl Ends {
    /// Joins the shares of all reductions at the start of `block`.
    fn new(e: &mut Emitter<'_>, d: &Decision, rounds: Value, block: Block) -> Ends {
        let mut reduced = FxHashMap::default();
        for reduction in &d.plan.reductions {
            if !d.plan.kinds.contains_key(&reduction.phi) {
                continue;
            }
            let vector = e.own(reduction.last);
            let at = e.func.first_non_phi(block).expect("ends in a jump");
            let register_lanes = register_bytes(d.features) / e.func.value_type(vector).lane().store_size();
            let fast = reduction_flags(e.func, reduction.last);
            let mut b = Builder::before(e.func, at);
            let mut result = gathered(&mut b, vector, reduction.joins, fast, register_lanes);
            let adds_start = matches!(
                reduction.joins,
                Opcode::Add | Opcode::Or | Opcode::Xor | Opcode::Mul | Opcode::FAdd | Opcode::FMul
            );
            if adds_start && b.func.const_bits(reduction.start) != Some(0) {
                result = b.binary_flags(reduction.joins, fast, result, reduction.start);
            }
            reduced.insert(reduction.phi, result);
        }
        Ends { reduced, rounds, block }
    }

    /// What a header phi continues with.
    fn resumed(&self, e: &mut Emitter<'_>, d: &Decision, phi: Inst, start: Value) -> Value {
        if let Some(&reduced) = self.reduced.get(&phi) {
            return reduced;
        }
        if d.plan.kinds.get(&phi) == Some(&Kind::Previous) {
            let next = e.func.phi_value(phi, d.body.counted.latch).expect("one entry per predecessor");
            return self.value(e, d, next);
        }
        match d.body.counters.iter().find(|c| c.phi == phi) {
            Some(counter) => self.counted(e, counter),
            // Nothing that matters depends on it.
            None => start,
        }
    }

    /// A counter's value in the iteration that comes next: a constant if it can be one, so that a
    /// loop of few iterations that are left is unrolled.
    fn counted(&self, e: &mut Emitter<'_>, counter: &Counter) -> Value {
        let is_constant = e.func.const_i64(counter.start).is_some() && e.func.const_i64(self.rounds).is_some();
        e.counted(counter.phi).filter(|_| !is_constant).unwrap_or_else(|| {
            let ty = e.func.insts[counter.phi].ty;
            let end = e.func.terminator(self.block);
            counted_up(e.func, end, counter.start, ty, self.rounds, counter.step)
        })
    }

    /// What a value of the loop's last iteration is.
    fn value(&self, e: &mut Emitter<'_>, d: &Decision, value: Value) -> Value {
        if let Some(reduction) = d.plan.reductions.iter().find(|r| r.last == value)
            && let Some(&reduced) = self.reduced.get(&reduction.phi)
        {
            return reduced;
        }
        let inst = e.func.def_inst(value).expect("defined in the loop");
        let end = e.func.terminator(self.block);
        if let Some(counter) = d.body.counters.iter().find(|c| c.phi == inst || c.next == inst) {
            let next = self.counted(e, counter);
            if counter.next == inst {
                return next;
            }
            let ty = e.func.insts[counter.phi].ty;
            return stepped(&mut Builder::before(e.func, end), next, ty, counter.step.wrapping_neg());
        }
        let ty = e.func.value_type(value);
        if let Some(&Kind::Induction(stride)) = d.plan.kinds.get(&inst) {
            let first = e.first_round(value);
            let next = counted_up(e.func, end, first, ty, self.rounds, stride);
            return stepped(&mut Builder::before(e.func, end), next, ty, stride.wrapping_neg());
        }
        let vector = e.vector(value, ty);
        let last = e.func.iconst(Type::I32, i64::from(d.vf) - 1);
        let mut b = Builder::before(e.func, end);
        b.extract_lane(ty, vector, last)
    }
}

fn reduction_flags(func: &Function, last: Value) -> u8 {
    func.def_inst(last).filter(|_| func.value_type(last).is_float()).map_or(0, |i| match func.insts[i].opcode {
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FMin | Opcode::FMax => func.insts[i].flags(),
        _ => 0,
    })
}

/// All lanes of a vector joined.
fn gathered(b: &mut Builder<'_>, vector: Value, joins: Opcode, fast: u8, register_lanes: u32) -> Value {
    let mut vector = vector;
    loop {
        let lanes = b.func.value_type(vector).lanes();
        let half = lanes / 2;
        if lanes > register_lanes {
            let low: Vec<u32> = (0..half).collect();
            let high: Vec<u32> = (half..lanes).collect();
            let (low, high) = (b.shuffle(vector, vector, &low), b.shuffle(vector, vector, &high));
            vector = b.binary_flags(joins, fast, low, high);
            continue;
        }
        // Within a register the upper lanes come down; what stays above does not matter.
        let mut width = lanes;
        while width > 1 {
            width /= 2;
            let mask: Vec<u32> = (0..lanes).map(|i| if i < width { i + width } else { u32::MAX }).collect();
            let upper = b.shuffle(vector, vector, &mask);
            vector = b.binary_flags(joins, fast, vector, upper);
        }
        let ty = b.func.value_type(vector).lane();
        let zero = b.iconst(Type::I32, 0);
        return b.extract_lane(ty, vector, zero);
    }
}
