//! Memory states: whether memory is the same at two places, and what may have been written between
//! them.

use super::limits::{BLOCKS_BETWEEN, WRITES_BETWEEN};
use crate::analysis::{Cfg, Loop, LoopTree};
use crate::effects::may_write_memory;
use crate::{Block, Function, Inst, Module, side_table};
use cranelift_entity::SecondaryMap;

/// Memory states at block borders: equal numbers mean that nothing was written between.
pub struct MemoryStates {
    /// At the start of each block.
    pub at_entry: SecondaryMap<Block, u32>,
    /// At its end.
    pub at_exit: SecondaryMap<Block, u32>,
    /// The instructions of each block that may write; those that are one too many are left out.
    writes: SecondaryMap<Block, Vec<Inst>>,
}

impl MemoryStates {
    /// The states of a function.
    pub fn compute(func: &Function, module: &Module, cfg: &Cfg, loops: &LoopTree) -> MemoryStates {
        let blocks = func.num_blocks();
        let mut states =
            MemoryStates { at_entry: side_table(blocks), at_exit: side_table(blocks), writes: side_table(blocks) };
        let mut loop_writes: SecondaryMap<Loop, bool> = SecondaryMap::new();
        for block in cfg.reverse_postorder() {
            let writing = func.block_insts(block).filter(|&i| may_write_memory(func, module, i));
            states.writes[block].extend(writing.take(WRITES_BETWEEN + 1));
            let mut at = loops.innermost(block).filter(|_| !states.writes[block].is_empty());
            while let Some(l) = at {
                loop_writes[l] = true;
                at = loops.parent(l);
            }
        }
        let mut next = 1;
        for block in cfg.reverse_postorder() {
            let number = cfg.rpo_number(block);
            let mut known = None;
            let mut agree = !cfg.preds(block).is_empty() && !loops.has_irreducible();
            for &pred in cfg.preds(block) {
                if cfg.rpo_number(pred) >= number {
                    agree &= loops.innermost(block).is_some_and(|l| loops.header(l) == block && !loop_writes[l]);
                    continue;
                }
                let state = states.at_exit[pred];
                agree &= known.is_none_or(|k| k == state);
                known = Some(state);
            }
            states.at_entry[block] = match known.filter(|_| agree) {
                Some(state) => state,
                None => {
                    next += 1;
                    next
                }
            };
            states.at_exit[block] = if states.writes[block].is_empty() {
                states.at_entry[block]
            } else {
                next += 1;
                next
            };
        }
        states
    }

    /// What may write on the ways from the end of a dominator to the start of a block; `None` if
    /// that is too much to look at.
    pub fn between(&self, cfg: &Cfg, dominator: Block, block: Block) -> Option<Vec<Inst>> {
        let mut seen: Vec<Block> = Vec::new();
        let mut writes = Vec::new();
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            for &pred in cfg.preds(at) {
                if pred == dominator || seen.contains(&pred) {
                    continue;
                }
                writes.extend_from_slice(&self.writes[pred]);
                seen.push(pred);
                work.push(pred);
                if seen.len() > BLOCKS_BETWEEN || writes.len() > WRITES_BETWEEN {
                    return None;
                }
            }
        }
        Some(writes)
    }
}
