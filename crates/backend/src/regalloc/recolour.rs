//! Pieces change their registers where that saves moves.
//!
//! The main loop gives a piece its register when its neighbours often have none yet. When all have
//! theirs, each bundle that is moved from or to is looked at again: the register where most of its
//! moves would vanish, by frequency, is taken if it is free all the way, or if the one bundle that
//! is in the way is no worse off elsewhere (as LLVM's greedy allocator does with broken hints).

use smallvec::SmallVec;

use super::assign::take;
use super::bundle::{NO_REG, State};
use super::live_ranges::NONE;
use super::resolve::Transition;
use base::range_set::runs_overlap;

/// How often all bundles are looked at.
const ROUNDS: usize = 2;

/// How many bundles are moved on for one.
const DEPTH: usize = 5;

/// How often a register is tried from which another bundle must be moved, for a bundle that may
/// save [`HOT_GAIN`] executed moves, and for others.
const ATTEMPTS: [usize; 2] = [40, 2];
const HOT_GAIN: f32 = 1.0;

/// A bundle of more ranges is not moved on: it hardly finds another register.
const MOST_RANGES: usize = 16;

/// What a bundle is moved to or from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Other {
    Bundle(u32),
    Register(u8),
}

/// Moves that vanish when a bundle is in the other's register, with their frequency.
struct Link {
    bundle: u32,
    other: Other,
    weight: f32,
}

/// Gives bundles other registers, so that fewer moves are executed.
pub(super) fn recolour(state: &mut State, transitions: &[Transition]) {
    let links = links(state, transitions);
    let mut search = Search { state, links: &links, attempts: 0, steps: SmallVec::new() };
    for _ in 0..ROUNDS {
        let mut bundles: Vec<(f32, u32)> = links
            .chunk_by(|a, b| a.bundle == b.bundle)
            .map(|of_bundle| (search.most(of_bundle[0].bundle), of_bundle[0].bundle))
            .filter(|&(gain, bundle)| gain > 0.0 && !search.state.is_pinned(bundle))
            .collect();
        bundles.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut changed = false;
        for (gain, bundle) in bundles {
            search.attempts = ATTEMPTS[usize::from(gain < HOT_GAIN)];
            changed |= search.improve(bundle);
        }
        if !changed {
            break;
        }
    }
}

/// All links, both ways, sorted by bundle.
fn links(state: &State, transitions: &[Transition]) -> Vec<Link> {
    let mut links = Vec::new();
    let mut join = |a: u32, b: u32, weight: f32| {
        if a != b && a != NONE && b != NONE {
            links.push(Link { bundle: a, other: Other::Bundle(b), weight });
            links.push(Link { bundle: b, other: Other::Bundle(a), weight });
        }
    };
    transitions.iter().for_each(|t| join(t.from, t.to, t.frequency));
    let mut bundle_of = vec![NONE; state.live.ops.len()];
    for (index, bundle) in state.bundles.iter().enumerate().filter(|(_, b)| b.reg != NO_REG) {
        for occurrence in bundle.occurrences.of(&state.live.occurrences) {
            bundle_of[occurrence.op as usize] = index as u32;
        }
    }
    for copy in &state.live.copies {
        join(bundle_of[copy.src as usize], bundle_of[copy.dst as usize], state.frequency(copy.pos));
    }
    for fixed in &state.live.fixed {
        let bundle = bundle_of[fixed.op as usize];
        if bundle != NONE {
            links.push(Link { bundle, other: Other::Register(fixed.reg), weight: fixed.frequency });
        }
    }
    links.sort_by_key(|l| (l.bundle, l.other));
    links
}

/// The search for better registers.
struct Search<'a, 'b, 'p> {
    state: &'a mut State<'p>,
    links: &'b [Link],
    /// Attempts to take a register that are left.
    attempts: usize,
    /// Bundles that are to move together, and where to. The first one is who gains; each of the
    /// others is in the register that the one before it gets.
    steps: SmallVec<[(u32, u8); DEPTH + 1]>,
}

impl<'b> Search<'_, 'b, '_> {
    fn links(&self, bundle: u32) -> &'b [Link] {
        let of_bundle = &self.links[self.links.partition_point(|l| l.bundle < bundle)..];
        &of_bundle[..of_bundle.partition_point(|l| l.bundle == bundle)]
    }

    fn register(&self, bundle: u32) -> u8 {
        self.state.bundles[bundle as usize].reg
    }

    /// What is saved if a bundle is in each register, after the steps so far.
    fn saved(&self, bundle: u32) -> [f32; 32] {
        let mut saved = [0.0; 32];
        for link in self.links(bundle) {
            let reg = match link.other {
                Other::Bundle(other) => self.steps.iter().find(|s| s.0 == other).map_or(self.register(other), |s| s.1),
                Other::Register(reg) => reg,
            };
            saved[usize::from(reg)] += link.weight;
        }
        saved
    }

    /// The most that a bundle may gain by another register.
    fn most(&self, bundle: u32) -> f32 {
        let saved = self.saved(bundle);
        saved.iter().fold(0.0f32, |most, &there| most.max(there)) - saved[usize::from(self.register(bundle))]
    }

    /// Gives a bundle a better register, if there is one. Whether there was one.
    fn improve(&mut self, bundle: u32) -> bool {
        self.steps.clear();
        if !self.relocate(bundle, 0.0) {
            return false;
        }
        for &(bundle, _) in &self.steps {
            let data = self.state.bundles[bundle as usize];
            self.state.occupancy.remove(data.ranges.of(&self.state.live.ranges), data.reg, bundle);
        }
        self.steps.iter().for_each(|&(bundle, reg)| take(self.state, bundle, reg));
        true
    }

    /// Finds a register for a bundle such that it saves more than `lost` there. Who is in the way
    /// is moved on.
    fn relocate(&mut self, bundle: u32, lost: f32) -> bool {
        let saved = self.saved(bundle);
        let now = self.register(bundle);
        let gain = |reg: u8| saved[usize::from(reg)] - saved[usize::from(now)] - lost;
        let usable = self.state.candidates(bundle) & (!self.state.callee_saved | self.state.paid_for);
        let better = |r: &u8| usable >> r & 1 != 0 && *r != now && gain(*r) > 0.0;
        let mut wanted: SmallVec<[u8; 16]> = (0..32).filter(better).collect();
        if wanted.is_empty() {
            return false;
        }
        wanted.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        let taken = self.state.occupancy.taken_over(self.state.ranges(bundle), u32::MAX);
        wanted.retain(|r| taken.fixed() >> *r & 1 == 0);
        self.steps.push((bundle, now));
        let step = self.steps.len() - 1;
        for reg in wanted {
            self.steps[step].1 = reg;
            let tenants = self.tenants(bundle, reg, taken.bundles() >> reg & 1 != 0);
            if match tenants {
                Tenants::None => true,
                Tenants::One(tenant) => step < DEPTH && self.relocate(tenant, -gain(reg)),
                Tenants::Several => false,
            } {
                return true;
            }
        }
        self.steps.pop();
        false
    }

    /// Who will be in a register where a bundle wants it, after the steps so far.
    fn tenants(&mut self, bundle: u32, reg: u8, taken: bool) -> Tenants {
        let ranges = self.state.ranges(bundle);
        let (_, before) = self.steps.split_last().expect("the bundle's own step");
        if before.iter().any(|s| s.1 == reg && runs_overlap(self.state.ranges(s.0), ranges, false)) {
            return Tenants::Several;
        }
        match self.attempts.checked_sub(1) {
            _ if !taken => return Tenants::None,
            Some(left) => self.attempts = left,
            None => return Tenants::Several,
        }
        let mut tenant = None;
        let few = self.state.occupancy.conflicts(ranges, reg, |other| {
            let leaves = self.steps.iter().any(|s| s.0 == other);
            leaves || tenant.replace(other).is_none_or(|before| before == other)
        });
        match tenant {
            _ if !few => Tenants::Several,
            Some(tenant) if self.state.ranges(tenant).len() <= MOST_RANGES => Tenants::One(tenant),
            Some(_) => Tenants::Several,
            None => Tenants::None,
        }
    }
}

/// How many bundles are in the way.
enum Tenants {
    None,
    One(u32),
    Several,
}
