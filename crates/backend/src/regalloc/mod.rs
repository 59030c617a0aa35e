//! Register allocation over live-range bundles of the whole function, with splitting and spilling
//! by block frequency.
//!
//! The files in the order in which they run:
//! 1. [`problem`]: what goes in and comes out; `points`: the numbering of program points.
//! 2. `live_ranges`: operands become roles, sparse liveness, ranges with holes.
//! 3. `coalesce`: vregs joined by copies and ties become bundles when their ranges do not overlap.
//! 4. `assign`: bundles by falling size, each to a free register (`occupancy`) or one with lighter
//!    tenants, or to
//! 5. `split`: around regions of the control-flow graph, then around the uses of a block, then
//!    around single uses.
//! 6. `resolve`: places of operands, moves between pieces, where stores go; `recolour`: other
//!    registers where that saves moves; `slots`: spill slots shared by ranges.
//! 7. `moves`: parallel moves made sequential.
//! 8. [`checker`]: proves the result right for the problem at hand, in debug builds and with
//!    [`Config::verify`].
//!
//! The shape follows regalloc2 (Fallin et al.) and LLVM's greedy allocator (Olesen 2011): bundles,
//! priorities by size, eviction by spill weight, global splitting as a cut of the flow graph. There
//! is no interference graph and no block by vreg matrix: liveness costs the size of its result, and
//! free registers are found by or-ing words of a point by register bit table.

mod assign;
mod bundle;
pub mod checker;
mod coalesce;
mod live_ranges;
mod moves;
mod occupancy;
mod points;
pub mod problem;
mod recolour;
mod resolve;
mod slots;
mod split;
#[cfg(test)]
mod tests;

use cranelift_entity::EntityRef;
use platform::registers::{RBP, RBX};
pub use problem::*;

use bundle::State;
use moves::{Move, Resolver};
use occupancy::Occupancy;
use points::Points;
use resolve::{Locations, Request, Where};

/// Work that region splitting may do, per point of the function. Beyond it bundles go to memory
/// without it: very large functions of great pressure stay linear.
const SPLIT_WORK_PER_POINT: u64 = 16;

/// The same for the bundles that are accessed most.
const HOT_WORK_PER_POINT: u64 = 8;

/// Allocates registers. Fills in the predecessor lists of `problem` and changes nothing else in it.
pub fn allocate(problem: &mut Problem) -> Allocations {
    problem.compute_preds();
    let problem = &*problem;
    let points = Points::new(problem);
    let mut state = prepare(problem, &points);
    coalesce::coalesce(&mut state);
    assign::assign_all(&mut state);
    let (requests, locations) = resolve::resolve(&mut state);
    let result = finish(state, requests, &locations);
    // This crate's own tests check by themselves, to be able to show more.
    let debug = cfg!(all(debug_assertions, not(test))) && problem.insts.len() <= checker::DEBUG_LIMIT;
    if (problem.config.verify || debug)
        && let Err(error) = checker::check(problem, &result)
    {
        base::bug!("register allocation is wrong: {error}");
    }
    result
}

/// Liveness, reservations and empty tables.
fn prepare<'a>(problem: &'a Problem, points: &'a Points) -> State<'a> {
    let live = live_ranges::compute(problem, points);
    let mut occupancy = Occupancy::new(points.len());
    let mut taken = 0;
    for reservation in &live.reservations {
        occupancy.reserve(reservation.point, reservation.mask);
        taken |= reservation.mask;
    }
    let allocatable = problem.config.order.iter().fold(0, |mask, r| mask | 1 << r.0);
    let callee_saved = problem.config.callee_saved.0 as u32;
    State {
        problem,
        points,
        places: vec![Allocation::NONE; live.ops.len()],
        bundles: Vec::with_capacity(live.vregs.len()),
        sets: Vec::with_capacity(live.vregs.len()),
        set_of: Vec::new(),
        occupancy,
        allocatable,
        callee_saved,
        paid_for: taken & callee_saved,
        segments: Vec::new(),
        segment_of: Vec::new(),
        node_of_segment: Vec::new(),
        budget: points.len() as u64 * SPLIT_WORK_PER_POINT + 10_000,
        hot_budget: points.len() as u64 * HOT_WORK_PER_POINT,
        hot_cost: f32::INFINITY,
        stats: Stats { vregs: problem.vregs.len() as u32, ..Stats::default() },
        live,
    }
}

/// Lays out slots and makes the moves sequential.
fn finish(mut state: State, mut requests: Vec<Request>, locations: &Locations) -> Allocations {
    let (slot_of, mut slots) = slots::colour_slots(&mut state);
    let names = short_names(&state);
    let place = |place: Allocation| match (place.as_slot(), place.as_reg()) {
        (Some(set), _) => Allocation::slot(slot_of[set as usize]),
        (_, Some(reg)) => Allocation::reg(Reg(names[reg.0 as usize])),
        _ => place,
    };
    let mut result = Allocations::default();
    result.operands = state.places[..state.problem.operands.len()].iter().map(|&p| place(p)).collect();
    let mut stats = std::mem::take(&mut state.stats);
    requests.sort_unstable();
    let mut resolver = Resolver::new(&state.live.vregs, state.allocatable, &mut slots, &mut stats);
    let mut group: Vec<Move> = Vec::new();
    for same in requests.chunk_by(|a, b| a.at == b.at) {
        group.clear();
        group.extend(same.iter().map(|r| Move {
            to: place(r.to),
            from: place(r.from),
            vreg: VReg::new(r.vreg as usize),
            bytes: r.bytes,
        }));
        let free = free_registers(&state, same[0].at);
        let free = names.iter().enumerate().fold(0, |mask, (reg, name)| mask | (free >> reg & 1) << name);
        match same[0].at {
            Where::Gap { pos, .. } => {
                let before = state.points.gap_inst(pos);
                resolver.resolve(&mut group, free, &mut |op| result.moves.push(InsertedMove { before, op }));
            }
            Where::Edge { pred, succ } => {
                let (pred, succ) = (BlockIndex::new(pred as usize), BlockIndex::new(succ as usize));
                resolver.resolve(&mut group, free, &mut |op| result.edge_moves.push(EdgeMove { pred, succ, op }));
            }
        }
    }
    stats.slots = slots.len() as u32;
    result.slots = slots;
    result.stats = stats;
    let (at_entry, changed) = written_registers(&state, &result);
    result.changed = RegSet(changed);
    result.written = RegSet(at_entry | changed);
    result.used_callee_saved = RegSet(result.written.0 & state.callee_saved as u64);
    if state.problem.config.want_locations {
        result.locations = debug_locations(&state, locations, place);
    }
    result
}

/// New names of registers: `rbx` and `rbp`, which need no prefix, are for what most instructions
/// without another need for one name. Registers with a fixed use or a clobber keep their names.
fn short_names(state: &State) -> [u8; 32] {
    let mut uses = [0u32; 32];
    for (index, _) in state.problem.insts.iter().enumerate().filter(|(_, i)| i.flags.contains(InstFlags::SHORT)) {
        let operands = state.places[state.problem.operand_range(InstIndex::new(index))].iter();
        let named = operands.filter_map(|place| place.as_reg()).fold(0, |mask, reg| mask | 1u32 << reg.0);
        (0..16).for_each(|reg| uses[reg] += named >> reg & 1);
    }
    let mut names = std::array::from_fn(|reg| reg as u8);
    let fixed = state.occupancy.taken(0, state.points.len() as u32).fixed();
    let movable = state.callee_saved & state.allocatable & !fixed;
    let mut open = movable;
    for name in [RBX.0, RBP.0].into_iter().filter(|name| movable >> name & 1 != 0) {
        let most = (0..16).filter(|reg| open >> reg & 1 != 0).max_by_key(|&reg| (uses[reg], std::cmp::Reverse(reg)));
        let (Some(most), Some(holder)) = (most, names.iter().position(|&n| n == name)) else { break };
        names.swap(most, holder);
        open &= !(1 << most);
    }
    names
}

/// Registers that hold nothing in a gap, before or after its moves (those that the moves name are
/// excluded later). Callee-saved registers that nobody pays for are left alone.
fn free_registers(state: &State, at: Where) -> u32 {
    let taken = match at {
        Where::Gap { pos, phase: 0 } => {
            let start = state.occupancy.at(2 * pos).any();
            if state.points.is_block_start(2 * pos) { start } else { start | state.occupancy.at(2 * pos - 1).any() }
        }
        Where::Gap { pos, .. } => state.occupancy.taken(2 * pos - 1, 2 * pos + 2).any(),
        Where::Edge { pred, succ } => {
            let end = state.points.block_end(pred) - 1;
            state.occupancy.at(end).any() | state.occupancy.at(state.points.block_start(succ)).any()
        }
    };
    state.allocatable & !taken & (!state.callee_saved | state.paid_for)
}

/// Registers that have values at the entry, and those that operands, clobbers or moves write, bit
/// per register.
fn written_registers(state: &State, result: &Allocations) -> (u64, u64) {
    let (mut at_entry, mut written) = (0, 0);
    for (index, inst) in state.problem.insts.iter().enumerate() {
        let set = if inst.flags.contains(InstFlags::ENTRY) { &mut at_entry } else { &mut written };
        for at in state.problem.operand_range(InstIndex::new(index)) {
            if let Some(reg) = result.operands[at].as_reg()
                && state.problem.operands[at].writes()
            {
                *set |= 1 << reg.0;
            }
        }
    }
    written |= state.problem.insts.iter().fold(0, |mask, inst| mask | inst.clobbers as u64);
    let ops = result.moves.iter().map(|m| m.op).chain(result.edge_moves.iter().map(|m| m.op));
    for op in ops {
        match op {
            MoveOp::Move { to, .. } => written |= to.as_reg().map_or(0, |r| 1 << r.0),
            MoveOp::Swap { a, b } => written |= 1 << a.0 | 1 << b.0,
            MoveOp::Rematerialize { to, .. } => written |= 1 << to.0,
        }
    }
    (at_entry, written)
}

/// Where every vreg is over which instructions.
fn debug_locations(
    state: &State,
    locations: &Locations,
    place: impl Fn(Allocation) -> Allocation,
) -> Vec<VRegLocation> {
    let mut result = Vec::new();
    for vreg in 0..state.problem.vregs.len() as u32 {
        if state.set_of[vreg as usize] == live_ranges::NONE {
            continue;
        }
        for range in state.live.range_spans[vreg as usize].of(&state.live.ranges) {
            let mut at = range.from;
            while at < range.to {
                let end = locations.stretch_end(state, vreg, at).min(range.to);
                // An instruction that uses it last finds it there.
                let (from, to) = (state.points.gap_inst(at.div_ceil(2)), state.points.gap_inst_or_end(end.div_ceil(2)));
                if from < to {
                    let place = place(locations.place_at(state, vreg, at));
                    let lasts = end.is_multiple_of(2);
                    result.push(VRegLocation { vreg: VReg::new(vreg as usize), from, to, place, lasts });
                }
                at = end;
            }
        }
    }
    result
}
