//! Bundles and spill sets: the allocator's working state.
//!
//! A *bundle* is what gets one register: the ranges of one or more vregs (coalesced because they
//! never overlap), or a piece split from such. All pieces of one original bundle form a *spill
//! set*: they share one slot, since no two of its vregs are live at once.

use cranelift_entity::EntityRef;

use super::live_ranges::{LiveRanges, NONE, Need, Occurrence, Role};
use super::occupancy::Occupancy;
use super::points::Points;
use super::problem::*;
use base::range_set::{Range, Span};

/// No register.
pub(super) const NO_REG: u8 = u8::MAX;

/// The weight of a bundle that cannot be split further: it must have a register.
pub(super) const MINIMAL: f32 = f32::INFINITY;

/// What has been tried on a bundle.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// A whole bundle or the rest of a region split; may be split around regions.
    Global,
    /// A few uses in one block; if it gets no register its uses are served one by one.
    Local,
    /// One use: must get a register.
    Minimal,
}

/// Ranges that get one register.
#[derive(Copy, Clone, Debug)]
pub(super) struct Bundle {
    /// Its ranges, sorted, tagged with their vregs.
    pub ranges: Span,
    /// Its occurrences, sorted by position.
    pub occurrences: Span,
    /// Its spill set.
    pub set: u32,
    /// Sum of the lengths of its ranges.
    pub size: u32,
    /// What it costs to have it in memory, in executed memory accesses.
    pub cost: f32,
    /// Cost per length: who wins a register.
    pub weight: f32,
    /// Its register, or `NO_REG`.
    pub reg: u8,
    /// What has been tried.
    pub stage: Stage,
    /// How many region splits led to it.
    pub splits: u8,
    /// How often it has been evicted.
    pub evictions: u8,
}

/// An original bundle and the pieces made of it.
#[derive(Copy, Clone, Debug)]
pub(super) struct SpillSet {
    /// The original bundle.
    pub root: u32,
    /// Its register class.
    pub class: RegClass,
    /// Size of its slot.
    pub bytes: u8,
    /// The vreg that can be computed again instead of being stored, or `NONE`.
    pub remat: u32,
    /// The register that a piece of it got last: a hint for others and for its neighbours.
    pub last_reg: u8,
    /// Whether the original bundle was split or spilled.
    pub split: bool,
    /// Whether some operand must be in the slot.
    pub needs_stack: bool,
    /// Whether the slot is used.
    pub uses_slot: bool,
}

/// A stretch of a block between calls: the unit of region splitting.
#[derive(Copy, Clone, Debug)]
pub(super) struct Segment {
    /// First position.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
    /// Its block.
    pub block: u32,
}

/// Everything the stages share.
pub(super) struct State<'a> {
    /// The input.
    pub problem: &'a Problem,
    /// Its numbering.
    pub points: &'a Points,
    /// Operands and ranges.
    pub live: LiveRanges,
    /// Ranges of bundles beyond those in `live.ranges` are appended there; occurrences likewise in
    /// `live.occurrences`.
    pub bundles: Vec<Bundle>,
    /// Spill sets.
    pub sets: Vec<SpillSet>,
    /// The spill set of each vreg (`NONE`: the vreg does not occur).
    pub set_of: Vec<u32>,
    /// Physical registers.
    pub occupancy: Occupancy,
    /// Result: the place of each operand; slots are numbers of spill sets until they are laid out.
    pub places: Vec<Allocation>,
    /// Registers that may be handed out, bit per register.
    pub allocatable: u32,
    /// Callee-saved registers, bit per register.
    pub callee_saved: u32,
    /// Callee-saved registers that some bundle has had, or that are clobbered anyway.
    pub paid_for: u32,
    /// Segments; empty until they are needed.
    pub segments: Vec<Segment>,
    /// Segment of each position.
    pub segment_of: Vec<u32>,
    /// Per segment where it is among the nodes of the bundle that was looked at last, if it is.
    pub node_of_segment: Vec<u32>,
    /// Work that region splitting may still do.
    pub budget: u64,
    /// The same for the bundles that are accessed most.
    pub hot_budget: u64,
    /// The cost from which on a bundle is among them.
    pub hot_cost: f32,
    /// Counts.
    pub stats: Stats,
}

/// Points added to a bundle's size before its cost is divided by it, so that short bundles do not
/// weigh everything: about 25 instructions.
const SIZE_BIAS: f32 = 50.0;

/// Cost of a memory access by an operand that could have been a register operand, relative to a
/// load of its own.
const MEMORY_OPERAND: f32 = 0.8;

/// Cost of computing a value again, relative to a load.
const REMAT: f32 = 0.4;

/// The weight of a bundle of that cost and size.
pub(super) fn weight(cost: f32, size: u32) -> f32 {
    (cost / (size as f32 + SIZE_BIAS)).min(f32::MAX)
}

impl State<'_> {
    /// The ranges of a bundle.
    pub fn ranges(&self, bundle: u32) -> &[Range] {
        self.bundles[bundle as usize].ranges.of(&self.live.ranges)
    }

    /// The occurrences of a bundle.
    pub fn occurrences(&self, bundle: u32) -> &[Occurrence] {
        self.bundles[bundle as usize].occurrences.of(&self.live.occurrences)
    }

    /// The frequency of the block of a position.
    pub fn frequency(&self, pos: u32) -> f32 {
        self.problem.blocks[self.points.block_of(pos) as usize].frequency
    }

    /// What it costs to serve an occurrence from memory.
    pub fn memory_cost(&self, occurrence: Occurrence) -> f32 {
        let op = &occurrence;
        let accesses = match (op.role, op.need) {
            (Role::Mod, Need::Any) => 2.0 * MEMORY_OPERAND,
            (Role::Mod, _) | (Role::ModFixed, _) => 2.0,
            (Role::UseEarly | Role::UseLate | Role::Def | Role::DefEarly, Need::Any) => MEMORY_OPERAND,
            (Role::GapFixed | Role::GapFixedLate | Role::GapCopy | Role::GapTied, _) => 0.9,
            _ => 1.0,
        };
        accesses * occurrence.frequency
    }

    /// Makes a bundle of ranges and occurrences that are already in the arenas.
    pub fn make_bundle(&mut self, ranges: Span, occurrences: Span, set: u32, stage: Stage) -> u32 {
        let size = ranges.of(&self.live.ranges).iter().map(|r| r.to - r.from).fold(0, u32::saturating_add);
        let data = self.sets[set as usize];
        let mut cost: f32 = occurrences.of(&self.live.occurrences).iter().map(|&o| self.memory_cost(o)).sum();
        if data.remat != NONE {
            cost *= REMAT;
        }
        let weight = if stage == Stage::Minimal { MINIMAL } else { weight(cost, size) };
        self.bundles.push(Bundle {
            ranges,
            occurrences,
            set,
            size,
            cost,
            weight,
            reg: NO_REG,
            stage,
            splits: 0,
            evictions: 0,
        });
        self.bundles.len() as u32 - 1
    }

    /// Whether the bundle is in a register that values do not get.
    pub fn is_pinned(&self, bundle: u32) -> bool {
        let reg = self.bundles[bundle as usize].reg;
        reg != NO_REG && self.allocatable >> reg & 1 == 0
    }

    /// The registers a bundle may be given.
    pub fn candidates(&self, bundle: u32) -> u32 {
        self.allocatable & self.sets[self.bundles[bundle as usize].set as usize].class.mask()
    }

    /// Cuts blocks into segments at calls, and long ones in between, once.
    pub fn ensure_segments(&mut self) {
        if !self.segments.is_empty() {
            return;
        }
        /// An instruction that takes at least this many registers is a place where values are
        /// better elsewhere.
        const MANY_CLOBBERS: u32 = 4;
        /// Instructions of a segment: in a long block of great pressure values that are not used
        /// for a while can give their registers up.
        const MOST: u32 = 32;
        self.segment_of.reserve(self.points.positions());
        for block in 0..self.problem.blocks.len() as u32 {
            let (first, end) = (self.points.header(block), self.points.terminator(block) + 1);
            let mut start = first;
            for pos in first + 1..end {
                if pos - start >= MOST && end - pos >= MOST / 2 {
                    self.segments.push(Segment { start, end: pos, block });
                    start = pos;
                }
                let inst = InstIndex::new((pos - block - 1) as usize);
                if self.problem.insts[inst.index()].clobbers.count_ones() >= MANY_CLOBBERS {
                    for at in [pos, pos + 1] {
                        if start < at && at < end {
                            self.segments.push(Segment { start, end: at, block });
                            start = at;
                        }
                    }
                }
            }
            self.segments.push(Segment { start, end, block });
        }
        for (index, segment) in self.segments.iter().enumerate() {
            self.segment_of.resize(segment.end as usize, index as u32);
        }
        self.node_of_segment = vec![NONE; self.segments.len()];
    }
}
