//! Spill slots: sets whose values are never live together share one.
//!
//! First fit over the live ranges with holes, in order of the sets, for each slot size; the ranges
//! of a slot grow in a [`RangeSet`]. To keep the cost linear only the most recent slots are tried.

use super::bundle::State;
use super::problem::*;
use base::range_set::RangeSet;

/// How many slots of the right size a spill set is tried against.
const SLOTS_TRIED: usize = 64;

/// The slot of every spill set that uses one (`u32::MAX` for the others), and the slots.
pub(super) fn colour_slots(state: &mut State) -> (Vec<u32>, Vec<SlotData>) {
    let mut slot_of = vec![u32::MAX; state.sets.len()];
    let mut slots: Vec<(SlotData, RangeSet)> = Vec::new();
    for bytes in [8, 16, 32] {
        let mut of_size: Vec<u32> = Vec::new();
        for set in 0..state.sets.len() {
            let data = state.sets[set];
            if !data.uses_slot || data.bytes != bytes {
                continue;
            }
            let ranges = RangeSet::from_run(state.bundles[data.root as usize].ranges);
            let tried = if state.problem.config.returns_twice { 0 } else { SLOTS_TRIED };
            let recent = of_size.len().saturating_sub(tried);
            let fits = |&&slot: &&u32| !slots[slot as usize].1.overlaps(&ranges, &state.live.ranges, false);
            let slot = match of_size[recent..].iter().find(fits) {
                Some(&slot) => slot,
                None => {
                    let slot = slots.len() as u32;
                    slots.push((SlotData { bytes }, RangeSet::default()));
                    of_size.push(slot);
                    slot
                }
            };
            slots[slot as usize].1.absorb(ranges, &mut state.live.ranges);
            slot_of[set] = slot;
        }
    }
    (slot_of, slots.into_iter().map(|s| s.0).collect())
}
