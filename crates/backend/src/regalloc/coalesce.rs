//! Merges vregs joined by copies and ties into bundles.
//!
//! The most frequent copies come first. Two bundles merge when their ranges do not overlap; overlap
//! is tested and ranges are united by [`RangeSet`], so that the cost stays near-linear however
//! large a bundle grows. A copy inside a bundle vanishes; others stay as hints.

use super::bundle::NO_REG;
use super::bundle::{SpillSet, Stage, State};
use super::live_ranges::{NONE, Need};
use base::range_set::{RangeSet, Span};
use base::union_find::find;

/// Builds the bundles and spill sets of all vregs.
pub(super) fn coalesce(state: &mut State) {
    let count = state.live.vregs.len();
    let mut parent: Vec<u32> = (0..count as u32).collect();
    let mut sets: Vec<RangeSet> = state.live.range_spans.iter().map(|&span| RangeSet::from_run(span)).collect();
    let mut order: Vec<(u32, u32)> = (0..state.live.copies.len() as u32)
        .map(|index| {
            let frequency = state.frequency(state.live.copies[index as usize].pos);
            // Frequencies are not negative, so their bits order as they do; the complement puts the
            // highest first.
            (!frequency.max(0.0).to_bits(), index)
        })
        .collect();
    order.sort_unstable();
    for (_, index) in order {
        let copy = state.live.copies[index as usize];
        let (src, dst) = (state.live.ops[copy.src as usize].vreg, state.live.ops[copy.dst as usize].vreg);
        let (a, b) = (find(&mut parent, src), find(&mut parent, dst));
        if a == b {
            state.stats.coalesced += 1;
            continue;
        }
        if state.problem.config.returns_twice
            || state.live.vregs[src as usize].class != state.live.vregs[dst as usize].class
            || sets[a as usize].overlaps(&sets[b as usize], &state.live.ranges, false)
        {
            continue;
        }
        let (small, large) = if sets[a as usize].len() <= sets[b as usize].len() { (a, b) } else { (b, a) };
        let absorbed = std::mem::take(&mut sets[small as usize]);
        sets[large as usize].absorb(absorbed, &mut state.live.ranges);
        parent[small as usize] = large;
        state.stats.coalesced += 1;
    }
    make_bundles(state, &mut parent, &mut sets);
}

/// One bundle and spill set per class, in order of their first vregs.
fn make_bundles(state: &mut State, parent: &mut [u32], ranges: &mut [RangeSet]) {
    let count = parent.len();
    // Members of merged classes, grouped by class root.
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for vreg in 0..count as u32 {
        let root = find(parent, vreg);
        if root != vreg {
            merged.push((root, vreg));
        }
    }
    merged.sort_unstable();
    state.set_of = vec![NONE; count];
    for vreg in 0..count as u32 {
        let root = find(parent, vreg);
        if state.live.occurrence_spans[vreg as usize].is_empty() || state.set_of[vreg as usize] != NONE {
            continue;
        }
        let first = merged.partition_point(|&(r, _)| r < root);
        let others = merged[first..].iter().take_while(|&&(r, _)| r == root).map(|&(_, v)| v);
        let members: smallvec::SmallVec<[u32; 4]> = std::iter::once(root).chain(others).collect();
        let set = state.sets.len() as u32;
        members.iter().for_each(|&m| state.set_of[m as usize] = set);
        let occurrences = member_occurrences(state, &members);
        let span = ranges[root as usize].to_run(&mut state.live.ranges);
        let data = state.live.vregs[root as usize];
        let needs_stack = occurrences.of(&state.live.occurrences).iter().any(|o| o.need == Need::Stack);
        let remat = members.len() == 1 && data.remat != NONE && !needs_stack;
        state.sets.push(SpillSet {
            root: state.bundles.len() as u32,
            class: data.class,
            bytes: members.iter().map(|&m| state.live.vregs[m as usize].spill_bytes).max().unwrap_or(8),
            remat: if remat { root } else { NONE },
            last_reg: NO_REG,
            split: false,
            needs_stack,
            uses_slot: false,
        });
        state.make_bundle(span, occurrences, set, Stage::Global);
    }
}

/// The occurrences of several vregs in order of position.
fn member_occurrences(state: &mut State, members: &[u32]) -> Span {
    if let [only] = members {
        return state.live.occurrence_spans[*only as usize];
    }
    let start = state.live.occurrences.len();
    for &member in members {
        let span = state.live.occurrence_spans[member as usize];
        state.live.occurrences.extend_from_within(span.indices());
    }
    state.live.occurrences[start..].sort_unstable_by_key(|o| (o.pos, o.op));
    Span::new(start, state.live.occurrences.len())
}
