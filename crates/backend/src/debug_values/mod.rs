//! From the records of variables in the IR ([`ir::debug_values`]) to ranges of code in which a
//! debugger finds them.
//!
//! 1. Selection keeps each record at its place among the machine instructions, with the virtual
//!    register of its value ([`MachineRecord`]).
//! 2. [`crate::rewrite`] replaces the virtual register by where the allocator has it before that
//!    instruction, or by "unknown" if it is dead.
//! 3. [`flow`] follows registers and spill slots through the final code: moves copy, every other
//!    write forgets. So a location is true by what the instructions do, whatever made them; what
//!    later passes over machine code remove or share is told by [`confirm`] and [`shared_end`].
//! 4. Emission puts labels where something changes, and [`ranges`] makes ranges of them.
//!
//! Code never depends on any of this.

pub mod calls;
pub mod flow;
pub mod ranges;
mod state;

use crate::machine::{Held, MInst, MachineFunction, MachineRecord, Op};

/// After the peephole pass: records that rely on a definition that is gone become unknown, those of
/// a block whose jump was copied into its predecessor are copied with it. `before` are the
/// instructions that the pass was given.
pub fn confirm(mf: &mut MachineFunction, before: &[MInst]) {
    let mut records = std::mem::take(&mut mf.debug_values);
    let mut block_of = vec![0u32; before.len()];
    for (number, block) in mf.blocks.iter().enumerate() {
        block_of[block.start as usize..block.end as usize].fill(number as u32);
    }
    for record in &mut records {
        if let Held::Register(reg) = record.held {
            let start = mf.blocks[block_of[record.at as usize] as usize].start;
            let writer = (start..record.at).rev().find(|&i| mf.writes[i as usize].regs & 1 << reg.0 != 0);
            if writer.is_some_and(|i| mf.insts[i as usize].op == Op::Nop) {
                record.held = Held::Unknown;
            }
        }
    }
    let mut copied = Vec::new();
    for (at, inst) in before.iter().enumerate() {
        if inst.op == Op::Jmp && mf.insts[at].op == Op::JmpInd {
            let from = &mf.blocks[inst.target() as usize];
            let first = records.partition_point(|r| r.at < from.start);
            let own = records[first..].iter().take_while(|r| r.at < from.end);
            copied.extend(own.map(|r| MachineRecord { at: at as u32, ..*r }));
        }
    }
    records.extend(copied);
    records.sort_by_key(|r| r.at);
    mf.debug_values = records;
}

/// The instructions from `from` to `end` are from here on done by block `target`, which other
/// blocks share: what was recorded among them, and what is recorded there, is unknown.
pub fn shared_end(mf: &mut MachineFunction, from: u32, end: u32, target: u32) {
    if mf.debug_values.is_empty() {
        return;
    }
    let (start, stop) = (mf.blocks[target as usize].start, mf.blocks[target as usize].end);
    let unknown = |r: &MachineRecord| MachineRecord { at: start, held: Held::Unknown, ..*r };
    let lost: Vec<MachineRecord> = mf.debug_values.iter().filter(|r| from < r.at && r.at < end).map(unknown).collect();
    for record in mf.debug_values.iter_mut().filter(|r| start <= r.at && r.at < stop) {
        record.held = Held::Unknown;
    }
    mf.debug_values.extend(lost);
}
