//! Which virtual registers nobody reads more than 32 bits of: their moves, spills and reloads need
//! no REX prefix.
//!
//! Integers of at most 32 bits are asked about only. One of them may be read as 64 bits where the
//! operation that made it has cleared the upper half (`ZExt` is no instruction then); such a
//! register is moved as a whole. Copies make one register of two, so what one side needs the other
//! needs as well: classes by union-find. Linear.

use object::Size;

use crate::machine::{Amode, AsmPlaceholder, Base, MInst, MachineFunction, Op, VReg, operands};
use base::union_find::find;

/// By virtual register.
pub fn narrow(mf: &MachineFunction) -> Vec<bool> {
    let mut classes: Vec<u32> = (0..mf.vregs.len() as u32).collect();
    let mut narrow: Vec<bool> = mf.vregs.iter().map(|info| info.narrow).collect();
    let mut wide = |reg: VReg| {
        if reg.is_virtual() {
            narrow[reg.index()] = false;
        }
    };
    for inst in &mf.insts {
        match inst.op {
            Op::Copy => join(&mut classes, inst.dst, inst.src2),
            Op::ParallelCopy => {
                mf.lists[inst.list()].chunks(2).for_each(|pair| join(&mut classes, pair[0].vreg, pair[1].vreg));
            }
            _ => wide_reads(mf, inst, &mut wide),
        }
    }
    for index in 0..narrow.len() {
        let root = find(&mut classes, index as u32) as usize;
        narrow[root] &= narrow[index];
    }
    (0..narrow.len()).map(|index| narrow[find(&mut classes, index as u32) as usize]).collect()
}

/// Calls back with the registers that the instruction may read more than 32 bits of. What is in a
/// list (arguments, results, operands of assembly) has the width of its type.
fn wide_reads(mf: &MachineFunction, inst: &MInst, wide: &mut impl FnMut(VReg)) {
    use Op::*;
    let small = inst.size != Size::Q;
    if inst.mem.is_some() && !(inst.op == Lea && small) {
        address(mf.amode(inst.mem), wide);
    }
    match inst.op {
        Asm | AsmGoto => {
            for place in &mf.asms[inst.index()].places {
                if let AsmPlaceholder::Memory(mem) = place {
                    address(mf.amode(*mem), wide);
                }
            }
        }
        Alu | AluM | Cmp | CmpM | Test | TestM | Imul | ImulImm | Unary | UnaryM | Bswap | Cmov | Mov | Store
        | Shift | ShiftM
            if small => {}
        // From 32 bits at most; a count is in the lowest byte.
        MovZx | MovSx | ShiftM => {}
        Shift => wide(inst.src1),
        op if operands::has_list(op) || !operands::has_sources(op) => {}
        _ => {
            wide(inst.src1);
            wide(inst.src2);
        }
    }
}

fn address(amode: &Amode, wide: &mut impl FnMut(VReg)) {
    if let Base::Reg(base) = amode.base {
        wide(base);
    }
    wide(amode.index);
}

/// Notes that two registers are copies of each other.
fn join(parent: &mut [u32], a: VReg, b: VReg) {
    if a.is_virtual() && b.is_virtual() {
        let (a, b) = (find(parent, a.index() as u32), find(parent, b.index() as u32));
        parent[a.max(b) as usize] = a.min(b);
    }
}
