//! Removes blocks that the entry does not reach. Only functions with labels in pruned code or with
//! label addresses need it.

use cranelift_entity::EntitySet;
use ir::{Block, Function};

/// Removes unreachable blocks. An address that was taken of one of them stays valid as a number (no
/// indirect branch is reachable then, else the block would be): it becomes the address of the
/// entry.
pub fn remove_unreachable(func: &mut Function) {
    let mut reached: EntitySet<Block> = EntitySet::new();
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if reached.insert(block)
            && let Some(last) = func.last_inst(block)
        {
            func.for_each_target(last, |target| work.push(target));
        }
    }
    let dead: Vec<Block> = func.blocks().filter(|&b| !reached.contains(b)).collect();
    for block in dead {
        func.unplace_block(block);
    }
    let entry = func.entry();
    for label in &mut func.labels {
        if !reached.contains(*label) {
            *label = entry;
        }
    }
}
