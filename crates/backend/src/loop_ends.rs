//! Short ends of loops and functions are repeated where a jump leads to them: the second arm of an
//! `if` that ends a loop's body counts and tests by itself, instead of jumping to the first one's
//! end to do so (gcc's `bb-reorder` copies blocks for the same reason). An iteration takes one
//! jump less, of two or three, which is what short loops spend their time on.
//!
//! A block is repeated if it is at most [`MAX_INSTS`] instructions that end in a conditional jump
//! back to the header of an innermost loop, and the jump to it is from the same loop and runs in
//! many of its iterations ([`OFTEN`]). Not with `-Os`. Runs after [`crate::tail_merge`], which
//! makes one of such copies outside of loops.
//!
//! A block that returns is repeated if it is so short that [`crate::tail_merge`] would have left
//! the copies alone; a return that is no longer than a jump, everywhere.
//!
//! Records of variables are copied with the instructions: what holds on entry is found by data
//! flow.
//!
//! ```text
//! b1: ...; ja b3             b1: ...; ja b3
//! b2: store; add; cmp; jl b1      b2: store; add; cmp; jl b1
//!     jmp b4                 =>        jmp b4
//! b3: ...; jmp (add)              b3: ...; add; cmp; jl b1
//! ```

#[cfg(test)]
mod tests;

use crate::machine::{MInst, MachineFunction, Op};
use crate::tail_merge::{Aim, forwarders, is_short_return};

/// Instructions of an end, the jump included.
const MAX_INSTS: usize = 4;

/// Executions of the jump, for one of the end, from which on it is worth the bytes.
const OFTEN: f32 = 0.2;

/// Repeats ends of loops and functions. `mf.order` is extended by the copies.
pub fn run(mf: &mut MachineFunction, aim: Aim) {
    let forward = forwarders(mf);
    let emitted: Vec<u32> = mf.order.iter().copied().filter(|&b| forward[b as usize] == b).collect();
    let mut behind: Vec<(u32, u32)> = Vec::new();
    for (at, &block) in emitted.iter().enumerate() {
        let Some(end) = jumped_to(mf, &forward, block) else { continue };
        let worth = || !aim.size && is_worth_it(mf, &forward, block, end) || is_short_return(mf, aim, block, end);
        if emitted.get(at + 1) != Some(&end) && worth() {
            behind.push((block, repeat(mf, block, end)));
        }
    }
    if behind.is_empty() {
        return;
    }
    for at in (0..mf.order.len()).rev() {
        if let Some(&(_, copy)) = behind.iter().find(|b| b.0 == mf.order[at]) {
            mf.order.insert(at + 1, copy);
        }
    }
    remove_unreachable(mf);
}

/// Takes the ends that every jump had a copy of out of the order.
fn remove_unreachable(mf: &mut MachineFunction) {
    let mut reached = vec![false; mf.blocks.len()];
    let addressed = (0..mf.blocks.len() as u32).filter(|&b| mf.blocks[b as usize].address_taken);
    let mut work: Vec<u32> = addressed.chain(mf.order.first().copied()).collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reached[block as usize], true) {
            mf.for_each_successor(block, |succ| work.push(succ));
        }
    }
    mf.order.retain(|&block| reached[block as usize]);
    let blocks = mf.blocks.iter_mut();
    blocks.for_each(|block| block.preds.retain(|pred| reached[*pred as usize]));
}

/// Where a block's jump at its end leads.
fn jumped_to(mf: &MachineFunction, forward: &[u32], block: u32) -> Option<u32> {
    let last = mf.block_insts(block as usize).last()?;
    (last.op == Op::Jmp).then(|| forward[last.target() as usize])
}

fn is_worth_it(mf: &MachineFunction, forward: &[u32], block: u32, end: u32) -> bool {
    let (from, to) = (&mf.blocks[block as usize], &mf.blocks[end as usize]);
    if from.loop_depth == 0 || from.loop_depth != to.loop_depth || to.loop_header || to.address_taken {
        return false;
    }
    let insts = mf.block_insts(end as usize);
    let Some(jump) = insts.last().filter(|i| i.op == Op::Jcc) else { return false };
    let goes_round = [jump.target(), jump.else_block()].iter().any(|&target| {
        let header = &mf.blocks[forward[target as usize] as usize];
        header.loop_header && header.loop_depth == to.loop_depth
    });
    let plain = |inst: &MInst| matches!(inst.op, Op::Alu | Op::Cmp | Op::Test | Op::Lea | Op::Mov | Op::Jcc | Op::Nop);
    goes_round
        && insts.iter().filter(|i| i.op != Op::Nop).count() <= MAX_INSTS
        && insts.iter().all(plain)
        && from.frequency >= OFTEN * to.frequency
}

/// A copy of a loop's end, to which the block's jump then leads.
fn repeat(mf: &mut MachineFunction, block: u32, end: u32) -> u32 {
    let data = mf.blocks[end as usize].clone();
    let (from, to) = (data.start as usize, data.end as usize);
    let number = mf.blocks.len() as u32;
    let start = mf.insts.len();
    let moved = |at: u32| (at as usize - from + start) as u32;
    let inside = |at: u32| (from..to).contains(&(at as usize));
    mf.insts.extend_from_within(from..to);
    // What renames the registers of one copy leaves the other alone.
    for at in start..mf.insts.len() {
        if mf.insts[at].mem.is_some() {
            let amode = *mf.amode(mf.insts[at].mem);
            mf.insts[at].mem = mf.new_mem(amode);
        }
    }
    mf.locs.extend_from_within(from..to);
    if !mf.writes.is_empty() {
        mf.writes.extend_from_within(from..to);
    }
    let zeros: Vec<_> = mf.zero_before.iter().filter(|z| inside(z.0)).map(|&(at, reg)| (moved(at), reg)).collect();
    mf.zero_before.extend(zeros);
    let records: Vec<_> = mf.debug_values.iter().filter(|r| inside(r.at)).copied().collect();
    mf.debug_values.extend(records.into_iter().map(|r| crate::machine::MachineRecord { at: moved(r.at), ..r }));
    let frequency = mf.blocks[block as usize].frequency;
    for &succ in &data.succs {
        mf.blocks[succ as usize].preds.push(number);
    }
    mf.blocks[end as usize].frequency = (data.frequency - frequency).max(0.0);
    let last = mf.blocks[block as usize].end as usize - 1;
    mf.insts[last].map_targets(|_| number);
    mf.blocks[block as usize].succs = smallvec::smallvec![number];
    mf.blocks.push(crate::machine::MBlock {
        start: start as u32,
        end: mf.insts.len() as u32,
        preds: smallvec::smallvec![block],
        frequency,
        ir_block: None,
        ..data
    });
    number
}
