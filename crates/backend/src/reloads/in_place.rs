//! An operation on what stays in a spill slot: loaded, changed and stored again, it is changed
//! where it is, if the register is not read after it. Counters that a large loop only counts up are
//! like that.
//!
//! ```text
//! mov r14, [slot]
//! add r14, 1           =>    add [slot], 1
//! mov [slot], r14
//! ```

use object::{Size, encode::Alu};

use super::{Spill, remove, spill};
use crate::machine::{Held, MInst, MachineFunction, Op, VReg, bits};
use crate::shrink_wrap::touched::is_dead;

/// Blocks looked at for reads, in all, per block of the function: an interpreter's counter goes
/// through all cases, and few functions have many candidates.
const LOOKS: usize = 16;

/// Changes what is in spill slots where it is.
pub fn run(mf: &mut MachineFunction) {
    let mut looks = LOOKS * mf.blocks.len();
    for number in 0..mf.blocks.len() {
        for at in mf.blocks[number].start as usize..mf.blocks[number].end as usize {
            if let Some(Spill::Store(pair)) = spill(mf, &mf.insts[at])
                && pair.reg.reg().is_gpr()
            {
                change(mf, number, at, &mut looks);
            }
        }
    }
}

/// Makes one instruction of a store and the two before it, if they are what this is about.
fn change(mf: &mut MachineFunction, number: usize, store: usize, looks: &mut usize) -> Option<()> {
    let start = mf.blocks[number].start as usize;
    let before = |at: usize| (start..at).rev().find(|&i| mf.insts[i].op != Op::Nop);
    let operation = before(store)?;
    let reload = before(operation)?;
    let Some(Spill::Store(pair)) = spill(mf, &mf.insts[store]) else { return None };
    let Some(Spill::Reload(from)) = spill(mf, &mf.insts[reload]) else { return None };
    let inst = mf.insts[operation];
    let sizes = [mf.insts[reload].size, inst.size, mf.insts[store].size];
    if from != pair || !is_update(&inst, pair.reg) || sizes != [inst.size; 3] || inst.size < Size::D {
        return None;
    }
    if !is_dead(mf, number as u32, store + 1, pair.reg.0, looks) {
        return None;
    }
    let mem = mf.insts[store].mem;
    let changed = &mut mf.insts[operation];
    (changed.op, changed.dst, changed.src1, changed.mem) = (Op::AluM, VReg::NONE, VReg::NONE, mem);
    mf.writes[operation] = mf.writes[store];
    remove(mf, reload);
    remove(mf, store);
    // The register holds the value no longer, until something else is written to it.
    let end = mf.blocks[number].end as usize;
    let written = (store + 1..end).find(|&i| mf.writes[i].regs & 1 << pair.reg.0 != 0).unwrap_or(end);
    let first = mf.debug_values.partition_point(|record| (record.at as usize) < reload);
    for record in mf.debug_values[first..].iter_mut().take_while(|record| record.at as usize <= written) {
        if record.held == Held::Register(pair.reg) {
            record.held = Held::Slot(pair.slot);
        }
    }
    Some(())
}

/// `reg op= x`, with no other memory operand and no flag as an operand.
fn is_update(inst: &MInst, reg: VReg) -> bool {
    let plain = inst.bits & (bits::LOCK | bits::VOLATILE | bits::EDIT) == 0 && !inst.mem.is_some();
    inst.op == Op::Alu
        && plain
        && (inst.dst, inst.src1) == (reg, reg)
        && inst.src2 != reg
        && matches!(inst.alu_op(), Alu::Add | Alu::Sub | Alu::And | Alu::Or | Alu::Xor)
}
