//! Checks, with `--verify-each`, that nothing outside the frame needs it and that every way inside
//! leads through one prologue.

use super::touched::touched;
use crate::{
    frame::Frame,
    machine::{MachineFunction, Stage},
    tail_merge::forwarders,
};

/// Stops the compiler if the stages are wrong. Blocks that nothing leads to have none.
pub fn check(mf: &MachineFunction, frame: &Frame) {
    let reached = reached(mf);
    let saved = frame.saved.iter().fold(0u32, |bits, r| bits | 1 << r.0);
    let forward = forwarders(mf);
    for &block in mf.order.iter().filter(|&&b| reached[b as usize] && (b == 0 || forward[b as usize] == b)) {
        let stage = mf.stage(block);
        if stage == Stage::Unframed {
            for inst in mf.block_insts(block as usize) {
                let fits = touched(mf, inst).is_some_and(|t| !t.frame && t.regs & saved == 0);
                assert!(fits, "block {block} needs the frame: {inst:?}");
            }
        }
        mf.for_each_successor(block, |to| {
            let to = forward[to as usize];
            let fits = match mf.stage(to) {
                Stage::Framed => stage != Stage::Unframed,
                Stage::Unframed | Stage::Prologue => stage == Stage::Unframed,
            };
            assert!(fits, "from block {block} ({stage:?}) to block {to} ({:?})", mf.stage(to));
        });
    }
}

fn reached(mf: &MachineFunction) -> Vec<bool> {
    let blocks = mf.order.iter().max().map_or(0, |&last| last as usize + 1);
    let mut reached = vec![false; blocks];
    let mut work = vec![0];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reached[block as usize], true) {
            mf.for_each_successor(block, |to| work.push(to));
        }
    }
    reached
}
