//! Which fields of a machine instruction are registers read or written, and under which
//! constraints.
//!
//! [`visit`] calls back for every virtual register of an instruction in a fixed order: destination,
//! first source, rm register, extra register, base, index; or the list operands. The same walk
//! collects operands for the allocator and writes its result back.

use target::registers::{RAX, RCX, RDX, Reg};

use super::{
    amode::{Amode, Base},
    inst::{MInst, VReg, bits},
    op::Op,
};

/// Read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Read.
    Use,
    /// Written.
    Def,
}

/// When, within the instruction. An early definition conflicts with the instruction's uses, a late
/// use with its definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pos {
    /// Before.
    Early,
    /// After.
    Late,
}

/// Where the value must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// In a register of its class.
    Reg,
    /// In a register or in its spill slot.
    Any,
    /// In this register.
    Fixed(Reg),
    /// In the register of operand number `0` (counted in visiting order), which is a use.
    Reuse(u8),
}

/// How an instruction touches a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// Read or written.
    pub kind: Kind,
    /// When.
    pub pos: Pos,
    /// Where.
    pub constraint: Constraint,
}

/// A register operand of an instruction with any number of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListOperand {
    /// The register.
    pub vreg: VReg,
    /// Its role.
    pub role: Role,
}

impl ListOperand {
    /// A use in a fixed register.
    pub fn use_fixed(vreg: VReg, reg: Reg) -> ListOperand {
        ListOperand { vreg, role: Role { kind: Kind::Use, pos: Pos::Early, constraint: Constraint::Fixed(reg) } }
    }

    /// A use in any register.
    pub fn use_reg(vreg: VReg) -> ListOperand {
        ListOperand { vreg, role: USE }
    }

    /// One pair of a parallel copy.
    pub fn copy(dst: VReg, src: VReg) -> [ListOperand; 2] {
        [ListOperand { vreg: src, role: USE_ANY }, ListOperand { vreg: dst, role: DEF_ANY }]
    }

    /// A definition in a fixed register.
    pub fn def_fixed(vreg: VReg, reg: Reg) -> ListOperand {
        ListOperand { vreg, role: Role { kind: Kind::Def, pos: Pos::Late, constraint: Constraint::Fixed(reg) } }
    }
}

const USE: Role = Role { kind: Kind::Use, pos: Pos::Early, constraint: Constraint::Reg };
const USE_LATE: Role = Role { kind: Kind::Use, pos: Pos::Late, constraint: Constraint::Reg };
const USE_ANY: Role = Role { kind: Kind::Use, pos: Pos::Early, constraint: Constraint::Any };
/// A definition that may go to a spill slot (moves only).
const DEF_ANY: Role = Role { kind: Kind::Def, pos: Pos::Late, constraint: Constraint::Any };
const USE_ANY_LATE: Role = Role { kind: Kind::Use, pos: Pos::Late, constraint: Constraint::Any };
const DEF: Role = Role { kind: Kind::Def, pos: Pos::Late, constraint: Constraint::Reg };

const DEF_REUSE: Role = Role { kind: Kind::Def, pos: Pos::Late, constraint: Constraint::Reuse(1) };

const fn use_fixed(reg: Reg, pos: Pos) -> Role {
    Role { kind: Kind::Use, pos, constraint: Constraint::Fixed(reg) }
}

const fn def_fixed(reg: Reg) -> Role {
    Role { kind: Kind::Def, pos: Pos::Late, constraint: Constraint::Fixed(reg) }
}

/// Families of shapes with the same operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// No registers.
    None,
    /// `dst`; memory.
    Def,
    /// `dst = f(src2 | mem)`, the source may be in its spill slot.
    DefUse,
    /// The same, source in a register.
    DefUseReg,
    /// `dst = src1 op (src2 | mem)` =.
    Reuse,
    /// The same, source in a register.
    ReuseReg,
    /// `src1, src2 | mem`.
    Uses,
    /// `src2`, memory: all in registers.
    UsesReg,
    /// By [`special`].
    Special,
}

fn family(op: Op) -> Family {
    use Op::*;
    match op {
        Nop | Swap | Jmp | Jcc | Fork | BlockStart | ClobberAll | Trap | Unreachable | X87 | X87R | Fence | Pause => {
            Family::None
        }
        MovAbs | Lea | Address | LoadSwapped | Setcc | SetccZx | XmmZero | XmmOnes | BlockAddress | GetSp | GetFp => {
            Family::Def
        }
        Mov | MovZx | MovSx | ImulImm | Scan | RorX | XmmUn | GprToXmm | XmmToGpr => Family::DefUse,
        DynAlloca | Bls => Family::DefUseReg,
        Alu | Imul | Cmov | Xmm => Family::Reuse,
        Unary | Bswap | BitChange | XmmShift | XmmInsert | XmmSelect | Crc32 | Xadd | XchgM => Family::ReuseReg,
        Cmp | XmmCmp | VexCmp | Test => Family::Uses,
        BitTest | Store | StoreNt | StoreSwapped | AluM | CmpM | TestM | UnaryM | SetccM | XmmStore | X87M | JmpInd
        | Prefetch | Flush | Mxcsr | Push | SetSp | LongJmp => Family::UsesReg,
        Copy | ParallelCopy | MulWide | Div | Shift | ShiftM | ShiftX | DoubleShift | Andn | HighByte | Fma | Vex
        | Ret | Call | TailCall | Asm | AsmGoto | Args | SaveXmms | Keep | Cmpxchg | Cmpxchg16 | RepMovs | RepStos
        | Rdtsc | Blend | StringCompare | MaskedStore | TlsGeneral | TlsModule | NonlocalJump | EhReturn => {
            Family::Special
        }
    }
}

/// Whether the shape works on SSE registers and has a form with three operands.
pub fn is_sse(op: Op) -> bool {
    matches!(op, Op::Xmm | Op::XmmShift | Op::XmmInsert | Op::Blend)
}

/// Whether the source fields are registers.
pub fn has_sources(op: Op) -> bool {
    !matches!(family(op), Family::None | Family::Def)
}

/// Whether the operands are in [`super::MachineFunction::lists`], from `src1` on, `src2` of them.
pub fn has_list(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ParallelCopy
            | Ret
            | Call
            | TailCall
            | Asm
            | AsmGoto
            | Args
            | SaveXmms
            | StringCompare
            | MaskedStore
            | Keep
            | Cmpxchg16
            | RepMovs
            | RepStos
            | NonlocalJump
            | EhReturn
    )
}

/// Calls `f` with every virtual register of the instruction and its role, in visiting order.
pub fn visit(
    inst: &mut MInst,
    amodes: &mut [Amode],
    lists: &mut [ListOperand],
    asm_mems: &[super::AsmSite],
    mut f: impl FnMut(&mut VReg, Role),
) {
    let mut f = |reg: &mut VReg, role: Role| {
        if reg.is_virtual() {
            f(reg, role);
        }
    };
    let family = family(inst.op);
    let no_fold = inst.bits & bits::NO_FOLD != 0;
    let src1 = inst.src1;
    let mut mem_role = USE;
    match family {
        Family::None => return,
        Family::Def => f(&mut inst.dst, DEF),
        Family::DefUse | Family::DefUseReg => {
            f(&mut inst.dst, DEF);
            let any = family == Family::DefUse && !no_fold;
            f(&mut inst.src2, if any { USE_ANY } else { USE });
        }
        Family::Reuse | Family::ReuseReg if inst.bits & bits::VEX != 0 && is_sse(inst.op) => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, USE);
            let any = family == Family::Reuse && !no_fold && inst.src2 != src1;
            f(&mut inst.src2, if any { USE_ANY } else { USE });
        }
        Family::Reuse | Family::ReuseReg => {
            f(&mut inst.dst, DEF_REUSE);
            f(&mut inst.src1, USE);
            let any = family == Family::Reuse && !no_fold;
            let same = inst.src2 == src1;
            let role = match (any, same) {
                // The same value twice: both in one register.
                (_, true) => USE,
                (true, false) => USE_ANY_LATE,
                (false, false) => USE_LATE,
            };
            f(&mut inst.src2, role);
            mem_role = USE_LATE;
        }
        Family::Uses if inst.is_compare_alone() && !no_fold => {
            f(&mut inst.src1, USE_ANY);
            f(&mut inst.src2, USE_ANY);
        }
        Family::Uses | Family::UsesReg => {
            f(&mut inst.src1, USE);
            let any = family == Family::Uses && !no_fold && inst.src2 != src1;
            f(&mut inst.src2, if any { USE_ANY } else { USE });
        }
        Family::Special => {
            if has_list(inst.op) {
                let (start, count) = (inst.src1.0 as usize, inst.src2.0 as usize);
                for operand in &mut lists[start..start + count] {
                    f(&mut operand.vreg, operand.role);
                }
                if matches!(inst.op, Op::Asm | Op::AsmGoto) {
                    visit_asm_memory(inst, amodes, asm_mems, &mut f);
                }
            } else {
                mem_role = special(inst, &mut f);
            }
        }
    }
    if inst.mem.is_some() {
        let amode = &mut amodes[inst.mem.0 as usize];
        let role =
            |reg: VReg| if reg == src1 && mem_role == USE_LATE && family != Family::Special { USE } else { mem_role };
        if let Base::Reg(base) = &mut amode.base {
            let role = role(*base);
            f(base, role);
        }
        let role = role(amode.index);
        f(&mut amode.index, role);
    }
}

fn visit_asm_memory(inst: &MInst, amodes: &mut [Amode], sites: &[super::AsmSite], f: &mut impl FnMut(&mut VReg, Role)) {
    for place in &sites[inst.imm as usize].places {
        if let super::AsmPlaceholder::Memory(mem) = place {
            let amode = &mut amodes[mem.0 as usize];
            if let Base::Reg(base) = &mut amode.base {
                // Late: the address is needed after outputs have been written.
                f(base, USE_LATE);
            }
            f(&mut amode.index, USE_LATE);
        }
    }
}

/// The shapes that fit no family; returns the role of address registers.
fn special(inst: &mut MInst, f: &mut impl FnMut(&mut VReg, Role)) -> Role {
    let mut aux = inst.aux();
    let first = inst.src1;
    match inst.op {
        Op::Copy => {
            // In the order the allocator wants for moves: source, destination.
            f(&mut inst.src2, USE_ANY);
            f(&mut inst.dst, DEF_ANY);
            USE
        }
        Op::MulWide => {
            f(&mut inst.dst, def_fixed(RAX));
            f(&mut inst.src1, use_fixed(RAX, Pos::Early));
            f(&mut inst.src2, USE_ANY);
            f(&mut aux, def_fixed(RDX));
            inst.imm = aux.0 as i32;
            USE
        }
        Op::Div => {
            f(&mut inst.dst, def_fixed(RAX));
            f(&mut inst.src1, use_fixed(RAX, Pos::Early));
            f(&mut inst.src2, USE_ANY_LATE);
            f(&mut aux, def_fixed(RDX));
            inst.imm = aux.0 as i32;
            USE_LATE
        }
        Op::Shift => {
            f(&mut inst.dst, DEF_REUSE);
            f(&mut inst.src1, USE);
            f(&mut inst.src2, use_fixed(RCX, Pos::Late));
            USE
        }
        Op::ShiftM => {
            f(&mut inst.src2, use_fixed(RCX, Pos::Early));
            USE
        }
        Op::DoubleShift => {
            f(&mut inst.dst, DEF_REUSE);
            f(&mut inst.src1, USE);
            let same = inst.src2 == first;
            f(&mut inst.src2, if same { USE } else { USE_LATE });
            if inst.code & 2 != 0 {
                f(&mut aux, use_fixed(RCX, Pos::Late));
                inst.imm = aux.0 as i32;
            }
            USE
        }
        Op::ShiftX => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, USE_ANY);
            f(&mut inst.src2, USE);
            USE
        }
        Op::Andn => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, USE);
            f(&mut inst.src2, USE_ANY);
            USE
        }
        Op::HighByte => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, use_fixed(RAX, Pos::Early));
            USE
        }
        Op::Fma => {
            f(&mut inst.dst, DEF_REUSE);
            f(&mut inst.src1, USE);
            let same = inst.src2 == first;
            f(&mut inst.src2, if same { USE } else { USE_LATE });
            let same = aux == first;
            f(&mut aux, if same { USE } else { USE_LATE });
            inst.imm = aux.0 as i32;
            USE_LATE
        }
        Op::Blend if inst.bits & bits::VEX != 0 => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, USE);
            f(&mut inst.src2, USE);
            f(&mut aux, USE);
            inst.imm = aux.0 as i32;
            USE
        }
        Op::Blend => {
            f(&mut inst.dst, DEF_REUSE);
            f(&mut inst.src1, USE);
            let same = inst.src2 == first;
            f(&mut inst.src2, if same { USE } else { USE_LATE });
            f(&mut aux, use_fixed(target::registers::XMM0, Pos::Late));
            inst.imm = aux.0 as i32;
            USE
        }
        Op::Vex => {
            f(&mut inst.dst, DEF);
            f(&mut inst.src1, USE);
            f(&mut inst.src2, if inst.bits & bits::NO_FOLD != 0 { USE } else { USE_ANY });
            USE
        }
        Op::Cmpxchg => {
            f(&mut inst.dst, def_fixed(RAX));
            f(&mut inst.src1, use_fixed(RAX, Pos::Early));
            f(&mut inst.src2, USE_LATE);
            USE_LATE
        }
        Op::Rdtsc => {
            f(&mut inst.dst, def_fixed(RAX));
            f(&mut aux, def_fixed(RDX));
            inst.imm = aux.0 as i32;
            USE
        }
        Op::TlsGeneral | Op::TlsModule => {
            f(&mut inst.dst, def_fixed(RAX));
            USE
        }
        _ => {
            base::bug!("no operand description for {:?}", inst.op)
        }
    }
}
