//! Which fields of a machine instruction are registers read or written, and under which
//! constraints.
//!
//! [`visit`] calls back for every virtual register of an instruction in a fixed order: destination,
//! first source, rm register, extra register, base, index; or the list operands. The same walk
//! collects operands for the allocator and writes its result back.

use platform::registers::{RAX, RCX, RDX, Reg};

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

    /// A use wherever the value is.
    pub fn use_any(vreg: VReg) -> ListOperand {
        ListOperand { vreg, role: USE_ANY }
    }

    /// A definition in any register.
    pub fn def_reg(vreg: VReg) -> ListOperand {
        ListOperand { vreg, role: DEF }
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
        MovAbs | Lea | Address | LoadSwapped | Setcc | SetccZx | CarryMask | XmmZero | XmmOnes | BlockAddress
        | GetSp | GetFp => Family::Def,
        Mov | MovZx | MovSx | ImulImm | Scan | RorX | XmmUn | GprToXmm | XmmToGpr => Family::DefUse,
        DynAlloca => Family::DefUseReg,
        Alu | Imul | Cmov | Xmm => Family::Reuse,
        Unary | Bswap | BitChange | XmmShift | XmmInsert | XmmSelect | Crc32 | Xadd | XchgM => Family::ReuseReg,
        Cmp | XmmCmp | VexCmp | Test | Keep => Family::Uses,
        BitTest | Store | StoreNt | StoreSwapped | AluM | CmpM | TestM | UnaryM | SetccM | XmmStore | X87M | JmpInd
        | Prefetch | MaskedStore | Mxcsr | SetSp | LongJmp => Family::UsesReg,
        Copy | ParallelCopy | MulWide | Div | Shift | ShiftM | ShiftX | DoubleShift | Fma | Vex | Ret | Call
        | TailCall | Asm | AsmGoto | Args | SaveXmms | Cmpxchg | Cmpxchg16 | RepMovs | RepStos | Rdtsc | Blend
        | StringCompare | TlsGeneral | TlsModule | NonlocalJump | EhReturn => Family::Special,
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
        Family::Uses if inst.op == Op::Keep => f(&mut inst.src1, USE_ANY),
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
            if inst.op == Op::Copy {
                // In the order the allocator wants for moves: source, destination.
                f(&mut inst.src2, USE_ANY);
                f(&mut inst.dst, DEF_ANY);
            } else if has_list(inst.op) {
                for operand in &mut lists[inst.list()] {
                    f(&mut operand.vreg, operand.role);
                }
                if matches!(inst.op, Op::Asm | Op::AsmGoto) {
                    visit_asm_memory(inst, amodes, asm_mems, &mut f);
                }
            } else {
                let roles = special(inst);
                f(&mut inst.dst, roles.dst);
                f(&mut inst.src1, roles.src1);
                f(&mut inst.src2, roles.src2);
                if let Some(role) = roles.aux {
                    let mut aux = inst.aux();
                    f(&mut aux, role);
                    *inst = inst.with_aux(aux);
                }
                mem_role = roles.mem;
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
    for place in &sites[inst.index()].places {
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

/// Roles of an instruction's registers.
struct Roles {
    dst: Role,
    src1: Role,
    src2: Role,
    /// Of the extra register, if there is one.
    aux: Option<Role>,
    /// Of the registers of the memory operand.
    mem: Role,
}

/// The shapes that fit no family.
fn special(inst: &MInst) -> Roles {
    // A register that is the first source as well stays readable as early as that.
    let late = |reg: VReg| if reg == inst.src1 { USE } else { USE_LATE };
    let (fixed_early, fixed_late) = (|reg| use_fixed(reg, Pos::Early), |reg| use_fixed(reg, Pos::Late));
    let roles = |dst, src1, src2| Roles { dst, src1, src2, aux: None, mem: USE };
    match inst.op {
        Op::MulWide => Roles { aux: Some(def_fixed(RDX)), ..roles(def_fixed(RAX), fixed_early(RAX), USE_ANY) },
        Op::Div => {
            Roles { aux: Some(def_fixed(RDX)), mem: USE_LATE, ..roles(def_fixed(RAX), fixed_early(RAX), USE_ANY_LATE) }
        }
        Op::Shift => roles(DEF_REUSE, USE, fixed_late(RCX)),
        Op::ShiftM => roles(DEF, USE, fixed_early(RCX)),
        Op::DoubleShift => {
            let count = inst.double_shift_op().is_by_register().then(|| fixed_late(RCX));
            Roles { aux: count, ..roles(DEF_REUSE, USE, late(inst.src2)) }
        }
        Op::ShiftX => roles(DEF, USE_ANY, USE),
        Op::Fma => Roles { aux: Some(late(inst.aux())), mem: USE_LATE, ..roles(DEF_REUSE, USE, late(inst.src2)) },
        Op::Blend if inst.bits & bits::VEX != 0 => Roles { aux: Some(USE), ..roles(DEF, USE, USE) },
        Op::Blend => {
            Roles { aux: Some(fixed_late(platform::registers::XMM0)), ..roles(DEF_REUSE, USE, late(inst.src2)) }
        }
        Op::Vex => roles(DEF, USE, if inst.bits & bits::NO_FOLD != 0 { USE } else { USE_ANY }),
        Op::Cmpxchg => Roles { mem: USE_LATE, ..roles(def_fixed(RAX), fixed_early(RAX), USE_LATE) },
        Op::Rdtsc => Roles { aux: Some(def_fixed(RDX)), ..roles(def_fixed(RAX), USE, USE) },
        Op::TlsGeneral | Op::TlsModule => roles(def_fixed(RAX), USE, USE),
        _ => base::bug!("no operand description for {:?}", inst.op),
    }
}
