//! The main loop: bundles by falling size, each to a free register, to one whose tenants weigh
//! less, or to the splitter.
//!
//! Large bundles come first, when there is most room; small ones are flexible. A bundle of greater
//! weight (memory accesses saved per length of code) evicts lighter ones; these come again and are
//! split around the place where they lost. A bundle only ever evicts strictly lighter ones and
//! pieces only shrink, so the loop ends.

use std::collections::BinaryHeap;

use super::bundle::{NO_REG, Stage, State};
use super::live_ranges::{NONE, Role};
use super::problem::*;
use super::split;
use base::range_set::Range;
use cranelift_entity::EntityRef;

/// How many tenants, one after the other, are looked at before a register counts as not worth
/// evicting from.
const EVICTION_SEARCH: u32 = 400;

/// Evictions after which a bundle no longer evicts others.
const MAX_EVICTIONS: u8 = 8;

/// Bundles that wait, largest first; among equals the oldest first.
pub(super) struct Queue {
    /// The original bundles, sorted so that the next one is last.
    initial: Vec<u64>,
    /// Those that came later.
    later: BinaryHeap<u64>,
}

impl Queue {
    fn new(state: &State) -> Queue {
        let mut initial: Vec<u64> = (0..state.bundles.len() as u32)
            .filter(|&b| !state.bundles[b as usize].ranges.is_empty() && state.bundles[b as usize].reg == NO_REG)
            .map(|b| key(state, b))
            .collect();
        initial.sort_unstable();
        Queue { initial, later: BinaryHeap::new() }
    }

    /// Adds a bundle.
    pub fn push(&mut self, state: &State, bundle: u32) {
        self.later.push(key(state, bundle));
    }

    fn pop(&mut self) -> Option<u32> {
        let key = match (self.initial.last(), self.later.peek()) {
            (Some(a), Some(b)) if a < b => self.later.pop(),
            (None, _) => self.later.pop(),
            _ => self.initial.pop(),
        };
        key.map(|key| !(key as u32))
    }
}

fn key(state: &State, bundle: u32) -> u64 {
    (state.bundles[bundle as usize].size as u64) << 32 | !bundle as u64
}

/// Gives every bundle a register or splits it until its pieces have one.
pub(super) fn assign_all(state: &mut State) {
    state.hot_cost = split::hot_cost(state);
    for &(vreg, reg) in &state.problem.pinned {
        let set = state.set_of[vreg.index()];
        if set != NONE {
            take(state, state.sets[set as usize].root, reg.0);
        }
    }
    let mut queue = Queue::new(state);
    while let Some(bundle) = queue.pop() {
        allocate(state, &mut queue, bundle);
    }
}

fn allocate(state: &mut State, queue: &mut Queue, bundle: u32) {
    let data = state.bundles[bundle as usize];
    if data.stage == Stage::Global && state.sets[data.set as usize].needs_stack {
        split::spill(state, queue, bundle);
        return;
    }
    let candidates = state.candidates(bundle);
    let taken = state.occupancy.taken_over(state.ranges(bundle), candidates);
    let hints = Hints::gather(state, bundle);
    let mut free = candidates & !taken.any();
    // A register that is taken only by the bundle's own fixed operands is free for it.
    let mut own = hints.fixed & candidates & taken.fixed();
    while own != 0 {
        let reg = own.trailing_zeros() as u8;
        own &= own - 1;
        if only_own_reservations(state, bundle, reg) {
            free |= 1 << reg;
        }
    }
    if free != 0 {
        if let Some(reg) = choose(state, bundle, free, &hints) {
            let fee = split::entry_fee(state, reg);
            if !(fee > 0.0 && data.stage == Stage::Global && split::split_cheaply(state, queue, bundle, fee)) {
                take(state, bundle, reg);
            }
            return;
        }
    } else if (data.evictions < MAX_EVICTIONS || data.stage == Stage::Minimal)
        && try_evict(state, queue, bundle, candidates, &hints)
    {
        return;
    }
    match data.stage {
        Stage::Global if split::split_regions(state, queue, bundle) => {}
        Stage::Global | Stage::Local => split::spill(state, queue, bundle),
        Stage::Minimal => base::bug!(
            "an instruction needs more registers than there are ({:?})",
            state.points.gap_inst(state.ranges(bundle)[0].from / 2)
        ),
    }
}

/// Puts a bundle into a register.
pub(super) fn take(state: &mut State, bundle: u32, reg: u8) {
    let data = &mut state.bundles[bundle as usize];
    data.reg = reg;
    state.sets[data.set as usize].last_reg = reg;
    state.paid_for |= 1 << reg;
    let ranges = data.ranges;
    state.occupancy.assign(ranges.of(&state.live.ranges), reg, bundle);
}

/// Registers that would save moves, with the executed moves they save.
pub(super) struct Hints {
    weight: [f32; 32],
    /// Registers hinted by the bundle's own fixed operands.
    pub fixed: u32,
}

impl Hints {
    /// From fixed operands, from copies and ties whose other side has a register, and from pieces
    /// of the same set.
    pub fn gather(state: &State, bundle: u32) -> Hints {
        let mut hints = Hints { weight: [0.0; 32], fixed: 0 };
        let set = state.bundles[bundle as usize].set;
        for &occurrence in state.occurrences(bundle) {
            let op = &occurrence;
            match op.role {
                Role::GapFixed | Role::GapFixedLate | Role::DefFixed | Role::ModFixed => {
                    hints.add(op.reg, occurrence.frequency);
                    hints.fixed |= 1 << op.reg;
                }
                Role::GapCopy | Role::GapTied | Role::DefCopy | Role::DefTied => {
                    let partner = state.live.ops[op.op as usize].partner;
                    let other = state.set_of[state.live.ops[partner as usize].vreg as usize];
                    if other != set {
                        hints.add(state.sets[other as usize].last_reg, occurrence.frequency);
                    }
                }
                _ => {}
            }
        }
        if state.sets[set as usize].split {
            hints.add(state.sets[set as usize].last_reg, 0.5);
        }
        hints
    }

    fn add(&mut self, reg: u8, weight: f32) {
        if reg != NO_REG {
            self.weight[reg as usize] += weight;
        }
    }
}

/// The best of the free registers, if any pays.
fn choose(state: &State, bundle: u32, free: u32, hints: &Hints) -> Option<u8> {
    let data = &state.bundles[bundle as usize];
    let mut best: Option<(u8, f32)> = None;
    for &Reg(reg) in &state.problem.config.order {
        if free >> reg & 1 == 0 {
            continue;
        }
        let score = hints.weight[reg as usize] - split::entry_fee(state, reg);
        if best.is_none_or(|(_, s)| score > s) {
            best = Some((reg, score));
        }
    }
    let (reg, score) = best?;
    (data.stage == Stage::Minimal || score + data.cost >= 0.0).then_some(reg)
}

/// Whether `reg` holds no bundle over the ranges of `bundle`, and every reservation of it there is
/// a use of the very vreg.
fn only_own_reservations(state: &State, bundle: u32, reg: u8) -> bool {
    let occurrences = state.occurrences(bundle);
    let is_own = |range: Range, point: u32| {
        let pos = point / 2;
        let first = occurrences.partition_point(|o| o.pos < pos);
        let here = || occurrences[first..].iter().take_while(|o| o.pos == pos).filter(|o| o.vreg == range.tag);
        // The operand reads what was there before the gap, not what a tie or copy writes in it.
        let rewritten = range.from >= 2 * pos && here().any(|o| o.role.written(pos).is_some_and(|w| w.0 == 2 * pos));
        let needed = |o: &super::live_ranges::Occurrence| {
            o.reg == reg && (o.role == Role::GapFixedLate || (o.role == Role::GapFixed && point & 1 == 0))
        };
        !rewritten && here().any(needed)
    };
    state.ranges(bundle).iter().all(|range| {
        let whole = state.occupancy.taken(range.from, range.to);
        if whole.bundles() >> reg & 1 != 0 {
            return false;
        }
        whole.fixed() >> reg & 1 == 0
            || (range.from..range.to)
                .filter(|&point| state.occupancy.at(point).fixed() >> reg & 1 != 0)
                .all(|point| is_own(*range, point))
    })
}

/// Looks for the register whose heaviest tenant over the bundle's ranges is lightest, and lighter
/// than the bundle; evicts its tenants.
fn try_evict(state: &mut State, queue: &mut Queue, bundle: u32, candidates: u32, hints: &Hints) -> bool {
    let weight = state.bundles[bundle as usize].weight;
    if weight <= 0.0 {
        return false;
    }
    let fixed = state.occupancy.taken_over(state.ranges(bundle), u32::MAX).fixed();
    let mut best: Option<(u8, f32)> = None;
    for &Reg(reg) in &state.problem.config.order {
        if candidates & !fixed & 1 << reg == 0 {
            continue;
        }
        let limit = best.map_or(weight, |(_, w)| w);
        let (mut heaviest, mut looked, mut last) = (0.0f32, 0, NONE);
        let cheaper = state.occupancy.conflicts(state.ranges(bundle), reg, |tenant| {
            heaviest = heaviest.max(state.bundles[tenant as usize].weight);
            looked += u32::from(tenant != last);
            last = tenant;
            heaviest < limit && looked < EVICTION_SEARCH
        });
        // Among equally light tenants a hinted register wins.
        if cheaper && (heaviest < limit || hints.weight[reg as usize] > 0.0 && heaviest < weight) {
            best = Some((reg, heaviest));
        }
    }
    let Some((reg, _)) = best else { return false };
    let mut tenants: smallvec::SmallVec<[u32; 8]> = smallvec::SmallVec::new();
    state.occupancy.conflicts(state.ranges(bundle), reg, |tenant| {
        tenants.push(tenant);
        true
    });
    tenants.sort_unstable();
    tenants.dedup();
    for &tenant in &tenants {
        let data = &mut state.bundles[tenant as usize];
        data.reg = NO_REG;
        data.evictions = data.evictions.saturating_add(1);
        let ranges = data.ranges;
        state.occupancy.remove(ranges.of(&state.live.ranges), reg, tenant);
        queue.push(state, tenant);
    }
    take(state, bundle, reg);
    true
}
