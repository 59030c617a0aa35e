//! Carries a plan out.

use object::Size;

use super::{
    plan::{Plan, Renamed},
    touched::{move_of, rename, touched, whole_move},
};
use crate::machine::{Base, Held, MBlock, MInst, MachineFunction, MachineRecord, Op, Stage, VReg, Writes, bits};

/// Makes the blocks that are needed twice and the prologues' blocks, renames registers outside, and
/// notes the stages.
pub fn apply(mf: &mut MachineFunction, plan: Plan) {
    let Plan { forward, mut outside, twice, targets, renamed, delayed } = plan;
    let mut forward = forward;
    // Copies and prologues before what they are instead of, for blocks outside.
    let mut instead: Vec<(u32, u32)> = Vec::new();
    for block in twice {
        let copy = copy_block(mf, block);
        forward.push(copy);
        instead.push((block, copy));
        outside.iter_mut().filter(|b| **b == block).for_each(|b| *b = copy);
    }
    let mut prologues = Vec::new();
    for &target in &targets {
        let block = prologue_block(mf, target, &renamed, &delayed);
        forward.push(block);
        instead.push((target, block));
        prologues.push(block);
        if is_only_entered_from(mf, &outside, &forward, target) {
            drop_moves_back(mf, target, &renamed);
        }
    }
    delayed.into_iter().for_each(|store| keep_in_register(mf, store));
    for &block in &outside {
        retarget(mf, block, &forward, &instead);
    }
    rename_outside(mf, &outside, &renamed);
    let mut stages = vec![Stage::Framed; mf.blocks.len()];
    outside.iter().for_each(|&b| stages[b as usize] = Stage::Unframed);
    prologues.iter().for_each(|&b| stages[b as usize] = Stage::Prologue);
    mf.stages = stages;
    place(mf, &forward, &instead);
}

/// Whether all predecessors of a block are among those outside.
fn is_only_entered_from(mf: &MachineFunction, outside: &[u32], forward: &[u32], target: u32) -> bool {
    let mut ways = 0;
    for &block in mf.order.iter().filter(|&&b| b == 0 || forward[b as usize] == b) {
        mf.for_each_successor(block, |s| ways += usize::from(forward[s as usize] == target));
    }
    for &block in outside {
        mf.for_each_successor(block, |s| ways -= usize::from(forward[s as usize] == target));
    }
    ways == 0 && !mf.blocks[target as usize].address_taken
}

/// Removes moves at the start of a block that undo those in the prologue's block before it.
fn drop_moves_back(mf: &mut MachineFunction, target: u32, renamed: &[Renamed]) {
    let mut equal: Vec<(u32, u32)> = renamed.iter().map(|r| (r.inside, r.outside)).collect();
    for at in mf.blocks[target as usize].start as usize..mf.blocks[target as usize].end as usize {
        let inst = mf.insts[at];
        let zeroed = mf.zero_before.binary_search_by_key(&(at as u32), |z| z.0).is_ok();
        let Some(touched) = touched(mf, &inst).filter(|_| !zeroed) else { return };
        match whole_move(&inst) {
            Some((from, to)) if equal.contains(&(from.0, to.0)) => remove(mf, at),
            _ => equal.retain(|e| touched.written & (1 << e.0 | 1 << e.1) == 0),
        }
    }
}

fn remove(mf: &mut MachineFunction, at: usize) {
    mf.insts[at] = MInst::new(Op::Nop, Size::B).with_bits(mf.insts[at].bits & bits::FLAGS_LIVE);
    if let Some(writes) = mf.writes.get_mut(at) {
        *writes = Writes::default();
    }
}

/// Appends instructions as a new block like another one.
fn new_block(mf: &mut MachineFunction, like: u32, start: u32) -> u32 {
    let number = mf.blocks.len() as u32;
    let loc = mf.locs[mf.blocks[like as usize].start as usize];
    mf.locs.resize(mf.insts.len(), loc);
    let data = mf.blocks[like as usize].clone();
    let end = mf.insts.len() as u32;
    mf.blocks.push(MBlock { start, end, loop_header: false, address_taken: false, ir_block: None, ..data });
    number
}

fn copy_block(mf: &mut MachineFunction, block: u32) -> u32 {
    let (from, end) = (mf.blocks[block as usize].start, mf.blocks[block as usize].end);
    let start = mf.insts.len() as u32;
    mf.locs.extend_from_within(from as usize..end as usize);
    for at in from..end {
        let mut inst = mf.insts[at as usize];
        if inst.mem.is_some() {
            // Every instruction has its own.
            inst.mem = mf.new_mem(*mf.amode(inst.mem));
        }
        mf.insts.push(inst);
    }
    if !mf.writes.is_empty() {
        mf.writes.extend_from_within(from as usize..end as usize);
    }
    let moved = |at: u32| at - from + start;
    let zeros: Vec<(u32, VReg)> =
        mf.zero_before.iter().filter(|z| (from..end).contains(&z.0)).map(|z| (moved(z.0), z.1)).collect();
    mf.zero_before.extend(zeros);
    let records: Vec<MachineRecord> = mf.debug_values.iter().filter(|r| (from..end).contains(&r.at)).copied().collect();
    mf.debug_values.extend(records.into_iter().map(|r| MachineRecord { at: moved(r.at), ..r }));
    new_block(mf, block, start)
}

/// Removes a store of the entry that the prologues' blocks do now.
fn keep_in_register(mf: &mut MachineFunction, store: usize) {
    let Base::Spill(slot) = mf.amode(mf.insts[store].mem).base else { return };
    let held = Held::Register(mf.insts[store].src2);
    for record in mf.debug_values.iter_mut().filter(|r| r.held == Held::Slot(slot) && r.at < mf.blocks[0].end) {
        record.held = held;
    }
    remove(mf, store);
}

fn prologue_block(mf: &mut MachineFunction, target: u32, renamed: &[Renamed], delayed: &[usize]) -> u32 {
    let start = mf.insts.len() as u32;
    for r in renamed {
        mf.insts.push(move_of(r.outside, r.inside));
    }
    for &store in delayed {
        let amode = *mf.amode(mf.insts[store].mem);
        let mem = mf.new_mem(amode);
        mf.insts.push(mf.insts[store].mem(mem));
        let (at, kept) = (mf.insts.len() as u32, mf.blocks[0].end);
        let here =
            |r: &&MachineRecord| matches!(amode.base, Base::Spill(slot) if r.held == Held::Slot(slot)) && r.at < kept;
        let records: Vec<MachineRecord> = mf.debug_values.iter().filter(here).copied().collect();
        mf.debug_values.extend(records.into_iter().map(|r| MachineRecord { at, ..r }));
    }
    mf.insts.push(MInst::jmp(target));
    if !mf.writes.is_empty() {
        mf.writes.extend(renamed.iter().map(|r| Writes { regs: 1 << r.inside, slot: 0 }));
        delayed.iter().for_each(|&store| mf.writes.push(mf.writes[store]));
        mf.writes.push(Writes::default());
    }
    let block = new_block(mf, target, start);
    let data = &mut mf.blocks[block as usize];
    data.succs = smallvec::smallvec![target];
    data.frequency = data.frequency.min(1.0);
    data.loop_depth = 0;
    block
}

/// Sends a block's jumps elsewhere.
fn retarget(mf: &mut MachineFunction, block: u32, forward: &[u32], instead: &[(u32, u32)]) {
    let new = |to: u32| instead.iter().find(|i| i.0 == forward[to as usize]).map_or(to, |i| i.1);
    let inst = &mut mf.insts[mf.blocks[block as usize].end as usize - 1];
    match inst.op {
        Op::Jmp | Op::Jcc => inst.map_targets(new),
        Op::AsmGoto => {
            let site = &mut mf.asms[inst.index()];
            site.labels.iter_mut().chain(&mut site.fallthrough).for_each(|to| *to = new(*to));
        }
        _ => return,
    }
    mf.blocks[block as usize].succs.iter_mut().for_each(|s| *s = new(*s));
}

fn rename_outside(mf: &mut MachineFunction, outside: &[u32], renamed: &[Renamed]) {
    for copy in renamed.iter().filter_map(|r| r.copy) {
        remove(mf, copy);
    }
    if renamed.is_empty() {
        return;
    }
    let to = |reg: VReg| renamed.iter().find(|r| r.inside == reg.0).map_or(reg, |r| VReg(r.outside));
    for &block in outside {
        let range = mf.blocks[block as usize].start..mf.blocks[block as usize].end;
        for at in range.clone() {
            rename(mf, at as usize, to);
            if let Some(writes) = mf.writes.get_mut(at as usize) {
                for r in renamed.iter().filter(|r| writes.regs >> r.inside & 1 != 0).collect::<Vec<_>>() {
                    writes.regs = writes.regs & !(1 << r.inside) | 1 << r.outside;
                }
            }
        }
        mf.zero_before.iter_mut().filter(|z| range.contains(&z.0)).for_each(|z| z.1 = to(z.1));
        for record in mf.debug_values.iter_mut().filter(|r| range.contains(&r.at)) {
            if let Held::Register(reg) = &mut record.held {
                *reg = to(*reg);
            }
        }
    }
}

/// Puts the new blocks into the order: before what they are instead of where control came there
/// from outside by falling through or nothing falls through; else copies after it, as they leave
/// the function, and prologues after a block that jumps there.
fn place(mf: &mut MachineFunction, forward: &[u32], instead: &[(u32, u32)]) {
    for &(old, new) in instead {
        let is_kept = |b: &&u32| forward[**b as usize] == **b || **b == 0;
        let at = mf.order.iter().position(|&b| b == old).expect("it is in the order");
        let above = mf.order[..at].iter().rev().find(is_kept).copied();
        let falls = |above: u32| {
            let mut falls = false;
            mf.for_each_successor(above, |s| falls |= forward[s as usize] == old);
            falls
        };
        // Jumps from outside go to the new block already.
        let at = if !above.is_some_and(falls) {
            at
        } else if mf.stage(new) == Stage::Unframed {
            at + 1
        } else {
            let jumps_there = |&b: &u32| {
                let mut jumps = false;
                mf.for_each_successor(b, |s| jumps |= s == new);
                jumps && mf.stage(b) == Stage::Unframed
            };
            mf.order.iter().position(jumps_there).expect("control comes from somewhere") + 1
        };
        mf.order.insert(at, new);
    }
}
