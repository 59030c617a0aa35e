//! Out of SSA: phi webs become classes that share one virtual register, and what cannot share is
//! copied on edges.
//!
//! Runs on SSA form before instruction selection and leaves the function in SSA form: phis stay
//! where they are (the selector emits nothing for them), only trampoline blocks are added. The
//! result says which values form a class and which parallel copies run at the end of which block.
//!
//! # What the selector does with it
//! - All values with the same [`PhiElimination::class`] use one virtual register (a pair for i128).
//!   Every phi has a class; a value without one gets its own.
//! - At the end of a block, before its terminator, it emits [`PhiElimination::copies_at_end`] as
//!   *one* parallel copy (`InstFlags::MOVE`) of the entries whose source is in a register, and
//!   after that the entries whose source is a constant, in any order. Such a block always ends in a
//!   plain `br`.
//! - A class member may be redefined while another member's value is dead but its register still
//!   looks readable. So whoever moves the *reading* of a value `v` from instruction `from` down to
//!   `to` in the same block (folding `from` into its user `to`) must ask
//!   [`PhiElimination::is_live_at`]. Uses are never to be sunk into another block or past the
//!   block's copies.
//! - A class member may be an operand of the very instruction that defines the next member (`i2 =
//!   add i1, 1` with both in one class). When an instruction becomes several machine instructions,
//!   only the last may write the class's register (else compute into a temporary and copy).
//! - Members of one class may overlap when they are known to be equal (`ptrtoint`, `inttoptr` and
//!   the like): such a "conversion" is a copy of the register to itself.

mod classes;
#[cfg(test)]
mod tests;
mod trampolines;

use cranelift_entity::{EntityRef, entity_impl};
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Value};

use classes::Classes;

/// A class of values that share a virtual register.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhiClass(u32);
entity_impl!(PhiClass, "class");

/// One entry of a parallel copy: all sources are read before any destination is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EdgeCopy {
    /// The phi that gets the value; its class is written.
    pub phi: Value,
    /// The value: a constant, or one outside the phi's class.
    pub src: Value,
}

/// A block made for a critical edge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Trampoline {
    /// The block; it holds a `br` to `succ` alone.
    pub block: Block,
    /// Where it comes from.
    pub pred: Block,
    /// Where it goes.
    pub succ: Block,
}

counts! {
    /// Counts for `--stats`.
    pub struct Stats {
        /// Phi entries that would need a copy if nothing were coalesced (self-copies excluded).
        pub entries: u32,
        /// Copies on edges, constants included.
        pub copies: u32,
        /// Of these, copies of constants.
        pub constant_copies: u32,
        /// Entries that need no copy because phi and value share a class.
        pub coalesced: u32,
        /// Temporaries that the edges' parallel copies need when they are made sequential: one per
        /// cycle.
        pub temporaries: u32,
        /// Trampoline blocks.
        pub trampolines: u32,
        /// What the edges with copies would execute under the two-phase protocol: each phi's
        /// copy, and for each that reads another phi of its block one more. Edges on which
        /// everything is coalesced are not counted.
        pub two_phase_copies: u32,
        /// Edges that execute more than that. None should.
        pub edges_above_two_phase: u32,
    }
}

/// Classes and copies of one function.
#[derive(Clone, Debug, Default)]
pub struct PhiElimination {
    classes: Classes,
    copies: Vec<EdgeCopy>,
    /// By block: start and end in `copies`.
    copy_ranges: Vec<(u32, u32)>,
    /// The blocks made, ordered by predecessor.
    pub trampolines: Vec<Trampoline>,
    /// What was done.
    pub stats: Stats,
}

const NO_CLASS: u32 = u32::MAX;

impl PhiElimination {
    /// The class of a value, if it has one. Every phi has; constants never.
    pub fn class(&self, value: Value) -> Option<PhiClass> {
        match self.classes.class_of.get(value.index()) {
            Some(&class) if class != NO_CLASS => Some(PhiClass(class)),
            _ => None,
        }
    }

    /// How many classes there are.
    pub fn num_classes(&self) -> usize {
        self.classes.live.len()
    }

    /// The parallel copy at the end of a block, before its `br`.
    pub fn copies_at_end(&self, block: Block) -> &[EdgeCopy] {
        match self.copy_ranges.get(block.index()) {
            Some(&(start, end)) => &self.copies[start as usize..end as usize],
            None => &[],
        }
    }

    /// Whether `value` is live where instruction `at` reads its operands, wherever that is: its
    /// register then holds it there.
    pub fn is_live_at(&self, func: &Function, value: Value, at: Inst) -> bool {
        let Some(class) = self.class(value) else { return false };
        let Some(position) = self.classes.positions.of(at) else { return false };
        let tag = classes::value_number(func, value);
        self.classes.live[class.index()].holds(&self.classes.arena, 2 * position, tag)
    }
}

/// Computes classes and copies and inserts the trampolines that they need. `frequency` estimates
/// how often a block runs.
///
/// Every block must be reachable and the function in SSA form.
pub fn eliminate_phis(func: &mut Function, frequency: &dyn Fn(Block) -> f32) -> PhiElimination {
    let mut result = PhiElimination::default();
    let needed = func
        .blocks()
        .any(|b| func.phis(b).next().is_some() || func.insts[func.terminator(b)].opcode == Opcode::IndirectBr);
    if !needed {
        return result;
    }
    trampolines::merge_indirect_branches(func);
    let cfg = Cfg::compute(func);
    result.classes = classes::coalesce(func, &cfg, frequency);
    let mut classes = std::mem::take(&mut result.classes);
    trampolines::place_copies(func, &cfg, &mut classes, &mut result);
    result.classes = classes;
    result
}
