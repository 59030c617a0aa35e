//! Variables that a call which may return again (setjmp, vfork, `__builtin_setjmp`) keeps in
//! memory.
//!
//! The second return comes from anywhere after the first, along no edge of the control-flow graph.
//! What the program then reads is what the variable holds at that moment, so a variable stays in
//! memory if it is *live* after such a call (some path from there reads it before it is set) and
//! *set* where the call may already have returned. Any other is promoted: one that is not live has
//! no value to keep, and one that is only set before the call has one value for both returns, in a
//! register or spill slot of its own (the code generator sees to that). C17 7.13.2.1p3 leaves a
//! changed variable indeterminate; like this it has its last value at every level.
//!
//! **Cost.** Per variable its accesses and the blocks it is live in, as for the placement of phis.

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode};

use super::InstOrder;
use ir::analysis::alloca_accesses::AllocaAccesses;

/// The calls of a function that may return again.
pub struct SecondReturns {
    /// Blocks with such calls, and the positions of the calls in them, ascending.
    calls: SecondaryMap<Block, Vec<u32>>,
    /// Blocks that may be entered after such a call.
    behind: EntitySet<Block>,
    order: InstOrder,
    round: u32,
    live_in: SecondaryMap<Block, u32>,
}

/// An access, by position in its block: whether it reads.
type Positioned = (Block, u32, bool);

impl SecondReturns {
    /// Finds the calls.
    pub fn find(func: &Function, cfg: &Cfg) -> SecondReturns {
        let mut found = SecondReturns {
            calls: SecondaryMap::new(),
            behind: EntitySet::new(),
            order: InstOrder::default(),
            round: 0,
            live_in: SecondaryMap::new(),
        };
        let mut work: Vec<Block> = Vec::new();
        for block in func.blocks() {
            for inst in func.block_insts(block).filter(|&i| func.may_return_again(i)) {
                found.order.number(func, block);
                found.calls[block].push(found.order.position[inst]);
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            work.extend(cfg.succs(block).iter().filter(|&&succ| found.behind.insert(succ)));
        }
        found
    }

    /// Whether the variable must stay in memory.
    pub fn pin(&mut self, func: &Function, cfg: &Cfg, accesses: &AllocaAccesses) -> bool {
        let starts = accesses.markers.iter().filter(|&&m| func.insts[m].opcode == Opcode::LifetimeStart);
        let mut all: Vec<Positioned> = Vec::new();
        let mut set_behind = false;
        for (&inst, reads) in
            accesses.loads.iter().map(|i| (i, true)).chain(accesses.stores.iter().chain(starts).map(|i| (i, false)))
        {
            let (block, position) = self.position(func, inst);
            set_behind |= !reads
                && (self.behind.contains(block) || self.calls[block].first().is_some_and(|&call| call < position));
            all.push((block, position, reads));
        }
        if !set_behind {
            return false;
        }
        all.sort_unstable();
        self.is_live_behind(cfg, &all)
    }

    /// Whether a path from a call reads the variable before setting it. `all`: its accesses,
    /// sorted.
    fn is_live_behind(&mut self, cfg: &Cfg, all: &[Positioned]) -> bool {
        self.round += 1;
        let mut work: Vec<Block> = Vec::new();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let (block, _, reads) = same[0];
            if reads && self.live_in[block] != self.round {
                self.live_in[block] = self.round;
                work.push(block);
            }
            // Within the block: the next access after a call reads.
            for &call in &self.calls[block] {
                let next = same.partition_point(|a| a.1 < call);
                if same.get(next).is_some_and(|a| a.2) {
                    return true;
                }
            }
        }
        while let Some(block) = work.pop() {
            for &pred in cfg.preds(block) {
                let last_access = all[..all.partition_point(|a| a.0 <= pred)].last().filter(|a| a.0 == pred);
                // Live at the end of `pred`: after its last call, unless an access follows that
                // (looked at above).
                let last_call = self.calls[pred].last();
                if last_call.is_some_and(|&call| last_access.is_none_or(|a| a.1 < call)) {
                    return true;
                }
                if last_access.is_none() && self.live_in[pred] != self.round {
                    self.live_in[pred] = self.round;
                    work.push(pred);
                }
            }
        }
        false
    }

    fn position(&mut self, func: &Function, inst: Inst) -> (Block, u32) {
        let block = func.inst_block(inst).expect("placed");
        self.order.number(func, block);
        (block, self.order.position[inst])
    }
}
