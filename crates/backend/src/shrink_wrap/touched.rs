//! What instructions do to registers and frame, for those that may stand outside the frame, and
//! whether what a register holds is read later.

use object::Size;
use platform::registers::{RAX, RDX, RSP};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::machine::{AsmPlaceholder, Base, Kind, MInst, MachineFunction, MemId, Op, VReg, bits, set};

/// What an instruction touches: registers as bits by number.
#[derive(Clone, Copy, Default)]
pub struct Touched {
    /// Read or written, wholly or in part.
    pub regs: u32,
    /// Those of them that are written.
    pub written: u32,
    /// Those of them that are named where they cannot be replaced.
    pub fixed: u32,
    /// It refers to slots of the frame.
    pub frame: bool,
}

impl Touched {
    fn read(&mut self, reg: VReg) -> bool {
        if reg.is_none() {
            return true;
        }
        // Source operands left in spill slots are unknown here.
        let known = reg.0 < VReg::FIRST;
        if known {
            self.regs |= 1 << reg.0;
        }
        known
    }

    /// What an operand of assembly is computed from, besides its register.
    fn place(&mut self, mf: &MachineFunction, place: &AsmPlaceholder) -> bool {
        match place {
            AsmPlaceholder::Memory(mem) => self.memory(mf, *mem),
            _ => true,
        }
    }

    fn memory(&mut self, mf: &MachineFunction, mem: MemId) -> bool {
        if !mem.is_some() {
            return true;
        }
        let amode = mf.amode(mem);
        let base = match amode.base {
            Base::Reg(reg) => self.read(reg),
            Base::None | Base::Incoming => true,
            Base::Slot(_) | Base::Spill(_) | Base::Outgoing => {
                self.frame = true;
                true
            }
        };
        base && self.read(amode.index)
    }
}

/// Which fields of an instruction are registers.
#[derive(PartialEq)]
enum Fields {
    /// None.
    None,
    /// `dst`, `src1`, `src2`.
    Plain,
    /// The same and the extra one.
    Extra,
    /// `dst` only.
    Destination,
    /// The list operands.
    List,
}

fn fields(inst: &MInst) -> Option<Fields> {
    use Op::*;
    Some(match inst.op {
        Nop | Jmp | Jcc | Unreachable | Trap => Fields::None,
        Mov | MovZx | MovSx | Lea | Store | Alu | AluM | Cmp | CmpM | Test | TestM | Unary | UnaryM | Imul
        | ImulImm | Shift | ShiftM | ShiftX | RorX | BitTest | BitChange | Setcc | SetccZx | SetccM | CarryMask
        | Cmov | Scan | Bswap | Xmm | XmmUn | XmmStore | XmmCmp | VexCmp | XmmZero | XmmOnes | XmmShift | XmmInsert
        | XmmSelect | GprToXmm | XmmToGpr | Vex => Fields::Plain,
        MulWide | Div => Fields::Extra,
        DoubleShift if inst.double_shift_op().is_by_register() => Fields::Extra,
        DoubleShift => Fields::Plain,
        MovAbs => Fields::Destination,
        Address if !inst.address_form().is_far() => Fields::Destination,
        Args | Ret | TailCall | Asm | AsmGoto => Fields::List,
        _ => return None,
    })
}

/// What `inst` touches; `None` if it is one that needs the frame, or is not known well enough.
pub fn touched(mf: &MachineFunction, inst: &MInst) -> Option<Touched> {
    let mut out = Touched::default();
    let fields = fields(inst)?;
    let mut known = out.memory(mf, inst.mem);
    match fields {
        Fields::None => {}
        Fields::Plain | Fields::Extra | Fields::Destination => {
            known &= out.read(inst.dst);
            if known && inst.dst.is_some() {
                out.written = 1 << inst.dst.0;
            }
            if fields != Fields::Destination {
                known &= out.read(inst.src1) && out.read(inst.src2);
            }
        }
        Fields::List => {
            let operands = &mf.lists[inst.src1.0 as usize..(inst.src1.0 + inst.src2.0) as usize];
            known &= operands.iter().all(|o| out.read(o.vreg));
            if matches!(inst.op, Op::Asm | Op::AsmGoto) {
                let site = &mf.asms[inst.index()];
                known &= !site.needs_frame && site.places.iter().all(|place| out.place(mf, place));
                let defined = operands.iter().filter(|o| o.role.kind == Kind::Def);
                out.written = defined.fold(site.clobbers, |bits, o| bits | 1 << o.vreg.0);
            }
            out.fixed = out.regs;
            if inst.op == Op::Args {
                out.written = out.regs;
            }
        }
    }
    if fields == Fields::Extra {
        known &= out.read(inst.aux());
        let pair = if inst.op == Op::DoubleShift { 0 } else { set(&[RAX, RDX]) };
        out.regs |= pair;
        out.written |= pair;
        out.fixed |= pair;
    }
    // The stack pointer depends on the frame.
    (known && out.regs & set(&[RSP]) == 0).then_some(out)
}

/// Replaces registers of an instruction that [`touched`] knows, none of them fixed. `to` maps
/// numbers to registers.
pub fn rename(mf: &mut MachineFunction, at: usize, to: impl Fn(VReg) -> VReg) {
    let inst = &mut mf.insts[at];
    match fields(inst) {
        Some(Fields::Plain | Fields::Extra) => {
            (inst.dst, inst.src1, inst.src2) = (to(inst.dst), to(inst.src1), to(inst.src2));
        }
        Some(Fields::Destination) => inst.dst = to(inst.dst),
        _ => {}
    }
    if inst.mem.is_some() {
        let amode = &mut mf.amodes[inst.mem.0 as usize];
        if let Base::Reg(base) = &mut amode.base {
            *base = to(*base);
        }
        amode.index = to(amode.index);
    }
}

/// Whether the value that a register has at the start of a block is surely not read: it is
/// overwritten in the block first.
pub fn dead_at(mf: &MachineFunction, block: u32, reg: u32) -> bool {
    dead_from(mf, block, 0, reg) == Some(true)
}

/// Whether the value that a register has before instruction `start` (or at the start of the block,
/// if that is after it) is surely not read; `None` if nothing in the block touches the register.
pub fn dead_from(mf: &MachineFunction, block: u32, start: usize, reg: u32) -> Option<bool> {
    let bit = 1u32 << reg;
    let (first, end) = (mf.blocks[block as usize].start as usize, mf.blocks[block as usize].end as usize);
    for inst in &mf.insts[first.max(start)..end] {
        let lists = matches!(inst.op, Op::Call | Op::Asm | Op::AsmGoto);
        if let Some(touched) = touched(mf, inst).filter(|_| !lists) {
            if touched.regs & bit == 0 {
                continue;
            }
            let mut sources = Touched::default();
            sources.memory(mf, inst.mem);
            let fields = fields(inst);
            if fields == Some(Fields::Plain) {
                sources.read(inst.src1);
                sources.read(inst.src2);
            }
            let one = matches!(fields, Some(Fields::Plain | Fields::Destination));
            return Some(one && touched.written == bit && sources.regs & bit == 0);
        }
        let mut sources = Touched::default();
        let mut known = sources.memory(mf, inst.mem);
        let mut written = mf.clobbers(inst);
        match inst.op {
            Op::JmpInd => known &= sources.read(inst.src2),
            _ if lists => {
                let operands = &mf.lists[inst.src1.0 as usize..(inst.src1.0 + inst.src2.0) as usize];
                for operand in operands.iter().filter(|operand| operand.vreg.spill_slot().is_none()) {
                    match operand.role.kind {
                        Kind::Use => known &= sources.read(operand.vreg),
                        Kind::Def => written |= 1 << operand.vreg.0,
                    }
                }
                if matches!(inst.op, Op::Asm | Op::AsmGoto) {
                    known &= mf.asms[inst.index()].places.iter().all(|place| sources.place(mf, place));
                }
            }
            _ => return Some(false),
        }
        if !known || sources.regs & bit != 0 {
            return Some(false);
        }
        if written & bit != 0 {
            return Some(true);
        }
    }
    None
}

/// Whether no way on from an instruction reads what a register holds there, as far as the
/// `looks` that are left tell.
pub fn is_dead(mf: &MachineFunction, block: u32, start: usize, reg: u32, looks: &mut usize) -> bool {
    let mut reached: SmallVec<[u32; 16]> = match dead_from(mf, block, start, reg) {
        Some(dead) => return dead,
        None => SmallVec::from_slice(&mf.blocks[block as usize].succs),
    };
    let mut seen = FxHashSet::default();
    while let Some(block) = reached.pop() {
        if !seen.insert(block) {
            continue;
        }
        *looks = looks.saturating_sub(1);
        match dead_from(mf, block, 0, reg) {
            Some(true) => {}
            None if *looks > 0 => reached.extend_from_slice(&mf.blocks[block as usize].succs),
            _ => return false,
        }
    }
    true
}

/// Source and destination of a move of all that is wanted of a general register.
pub fn whole_move(inst: &MInst) -> Option<(VReg, VReg)> {
    let whole = inst.size == Size::Q || inst.size == Size::D && inst.bits & bits::EDIT != 0;
    let plain = inst.op == Op::Mov && whole && inst.src2.is_some() && !inst.mem.is_some();
    plain.then_some((inst.src2, inst.dst))
}

/// A move of a whole general register.
pub fn move_of(from: u32, to: u32) -> MInst {
    MInst::new(Op::Mov, Size::Q).dst(VReg(to)).src2(VReg(from)).with_bits(bits::EDIT)
}
