//! Removal of blocks that the entry does not reach, and of phi entries for edges that are gone.

use crate::analysis::Cfg;
use crate::{Block, Function};

/// Removes the blocks that the entry does not reach, and their phi entries elsewhere. Address-taken
/// ones lose their label. `cfg` must be the function's graph; it still names what was removed.
pub fn remove_unreachable_blocks(func: &mut Function, cfg: &Cfg) -> bool {
    let dead: Vec<Block> = func.blocks().filter(|&b| !cfg.is_reachable(b)).collect();
    if dead.is_empty() {
        return false;
    }
    let mut dropped = Vec::new();
    for &block in &dead {
        for &succ in cfg.succs(block) {
            if cfg.is_reachable(succ) {
                dropped.push((succ, block));
            }
        }
    }
    remove_dropped(func, dropped);
    // Results of dead blocks are used in dead blocks only: unhook all operands before removing
    // anything.
    for &block in &dead {
        let mut next = func.last_inst(block);
        while let Some(inst) = next {
            next = func.prev_inst(inst);
            func.remove_inst(inst);
        }
    }
    for &block in &dead {
        func.remove_block(block);
    }
    true
}

/// Removes the phi entries of the edges, each (target, predecessor).
pub fn remove_dropped(func: &mut Function, mut edges: Vec<(Block, Block)>) {
    edges.sort_unstable();
    edges.dedup();
    for group in edges.chunk_by(|a, b| a.0 == b.0) {
        remove_phi_entries(func, group[0].0, |b| group.binary_search(&(group[0].0, b)).is_ok());
    }
}

/// Removes the entries for some predecessors from the phis of `block`; phis left with one entry are
/// replaced.
pub fn remove_phi_entries(func: &mut Function, block: Block, is_dropped: impl Fn(Block) -> bool) {
    func.drop_preds(block, is_dropped);
    func.for_each_phi(block, Function::replace_if_single);
}
