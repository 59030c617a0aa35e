//! The machine instruction record: 28 bytes, the same before and after register allocation.
//!
//! An instruction is an [`Op`] (its *shape*: which fields are read and written, see
//! [`super::operands`]) refined by an operand size, a condition and a `code` (which of the many
//! operations of that shape). The "rm" operand of a shape is memory if `mem` is present, else
//! register `src2` if that is present, else the immediate `imm`.
//!
//! Selection writes virtual registers; [`crate::rewrite`] replaces them by physical ones in place.
//! Physical registers are the numbers below 32 (as in [`target::registers`]), so that `rsp` or
//! `rbp` can be named by selection as well; they are invisible to the allocator.

use object::{Cond, Size};
use target::registers::Reg;

use super::op::Op;

/// A virtual register, a physical register (below 32), a spill slot (after allocation), or nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VReg(pub u32);

impl VReg {
    /// No register.
    pub const NONE: VReg = VReg(u32::MAX);
    /// The first virtual register.
    pub const FIRST: u32 = 32;
    const SPILL: u32 = 1 << 31;

    /// Virtual register number `index` of [`super::MachineFunction::vregs`].
    #[inline]
    pub fn new(index: usize) -> VReg {
        VReg(index as u32 + VReg::FIRST)
    }

    /// A physical register.
    #[inline]
    pub const fn physical(reg: Reg) -> VReg {
        VReg(reg.0 as u32)
    }

    /// A spill slot.
    #[inline]
    pub fn spill(slot: u32) -> VReg {
        VReg(slot | VReg::SPILL)
    }

    /// Whether there is a register.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 != u32::MAX
    }

    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == u32::MAX
    }

    /// Whether this is a virtual register.
    #[inline]
    pub fn is_virtual(self) -> bool {
        self.0 >= VReg::FIRST && self.0 < VReg::SPILL
    }

    /// Its index in the table of virtual registers.
    #[inline]
    pub fn index(self) -> usize {
        debug_assert!(self.is_virtual());
        (self.0 - VReg::FIRST) as usize
    }

    /// The physical register that this is.
    #[inline]
    pub fn reg(self) -> Reg {
        debug_assert!(self.0 < VReg::FIRST, "{self:?} has not been allocated");
        Reg(self.0 as u8)
    }

    /// The spill slot, if this is one.
    #[inline]
    pub fn spill_slot(self) -> Option<u32> {
        (self.0 & VReg::SPILL != 0 && self.is_some()).then_some(self.0 & !VReg::SPILL)
    }

    /// The following register (parts of a value are consecutive).
    #[inline]
    pub fn part(self, number: usize) -> VReg {
        VReg(self.0 + number as u32)
    }
}

impl std::fmt::Debug for VReg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            u32::MAX => f.write_str("-"),
            n if n < VReg::FIRST => write!(f, "{:?}", Reg(n as u8)),
            n if n & VReg::SPILL != 0 => write!(f, "[spill{}]", n & !VReg::SPILL),
            n => write!(f, "%{}", n - VReg::FIRST),
        }
    }
}

/// An index into [`super::MachineFunction::amodes`], or nothing. Every instruction owns its entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemId(pub u32);

impl MemId {
    /// No memory operand.
    pub const NONE: MemId = MemId(u32::MAX);

    /// Whether there is a memory operand.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}

/// Bits of [`MInst::bits`].
pub mod bits {
    /// The flags are live after this instruction: nothing put here may change them.
    pub const FLAGS_LIVE: u8 = 1;
    /// `lock` prefix.
    pub const LOCK: u8 = 2;
    /// The condition also holds if the parity flag is set (unordered).
    pub const OR_PARITY: u8 = 4;
    /// The condition holds only if the parity flag is clear (ordered).
    pub const AND_NO_PARITY: u8 = 8;
    /// A register source must not be replaced by its spill slot (the operation reads more bytes
    /// than the slot has).
    pub const NO_FOLD: u8 = 16;
    /// Inserted by the allocator (spill, reload, move).
    pub const EDIT: u8 = 32;
    /// Volatile access: not to be merged or dropped by the peephole pass.
    pub const VOLATILE: u8 = 64;
    /// Of extending loads: nobody looks above the lowest byte.
    pub const LOW: u8 = LOCK;
    /// A call may return again: what its second return reaches is the instruction after it.
    pub const RETURNS_TWICE: u8 = LOCK;
    /// Of SSE shapes: 256 bits.
    pub const WIDE: u8 = LOCK;
    /// Of SSE shapes: three operands, the destination is not the first source's register.
    pub const VEX: u8 = NO_OVERFLOW;
    /// `test r, r` of a sum that does not overflow: the addition's flags answer signed comparisons
    /// too.
    pub const NO_OVERFLOW: u8 = 128;
    /// On an [`Op::Copy`](super::Op::Copy): it is the only copy of an edge for a phi.
    pub const PHI_COPY: u8 = 128;
}

/// One machine instruction. Which fields mean what is told by [`Op`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MInst {
    /// Shape.
    pub op: Op,
    /// Operand size of integer operations.
    pub size: Size,
    /// Condition of `Jcc`, `Setcc`, `Cmov`, ...
    pub cond: Cond,
    /// See [`bits`].
    pub bits: u8,
    /// Which operation of the shape.
    pub code: u16,
    /// Destination.
    pub dst: VReg,
    /// First source.
    pub src1: VReg,
    /// Register of the rm operand.
    pub src2: VReg,
    /// Memory operand, or a second destination / third source / raw block number ([`MInst::aux`]).
    pub mem: MemId,
    /// Immediate or table index.
    pub imm: i32,
}

impl MInst {
    /// An instruction with all fields empty.
    #[inline]
    pub fn new(op: Op, size: Size) -> MInst {
        MInst {
            op,
            size,
            cond: Cond::O,
            bits: 0,
            code: 0,
            dst: VReg::NONE,
            src1: VReg::NONE,
            src2: VReg::NONE,
            mem: MemId::NONE,
            imm: 0,
        }
    }

    /// With the operation chosen.
    #[inline]
    pub fn code(mut self, code: u16) -> MInst {
        self.code = code;
        self
    }

    /// With a condition.
    #[inline]
    pub fn cond(mut self, cond: Cond) -> MInst {
        self.cond = cond;
        self
    }

    /// With further [`bits`].
    #[inline]
    pub fn with_bits(mut self, more: u8) -> MInst {
        self.bits |= more;
        self
    }

    /// Whether it compares one register with an immediate, or with zero (`test r, r`).
    pub fn is_compare_alone(&self) -> bool {
        let alone = self.src2.is_none() || self.op == Op::Test && self.src2 == self.src1;
        matches!(self.op, Op::Cmp | Op::Test) && alone && !self.mem.is_some()
    }

    /// With a destination.
    #[inline]
    pub fn dst(mut self, dst: VReg) -> MInst {
        self.dst = dst;
        self
    }

    /// With a first source.
    #[inline]
    pub fn src1(mut self, src: VReg) -> MInst {
        self.src1 = src;
        self
    }

    /// With a register as the rm operand.
    #[inline]
    pub fn src2(mut self, src: VReg) -> MInst {
        self.src2 = src;
        self
    }

    /// With a memory operand.
    #[inline]
    pub fn mem(mut self, mem: MemId) -> MInst {
        self.mem = mem;
        self
    }

    /// With an immediate.
    #[inline]
    pub fn imm(mut self, imm: i32) -> MInst {
        self.imm = imm;
        self
    }

    /// The extra register of the shapes that have one ([`Op::MulWide`], [`Op::Div`],
    /// [`Op::DoubleShift`], [`Op::Fma`], [`Op::Rdtsc`]): kept in `imm`, as these have no immediate
    /// beside it.
    #[inline]
    pub fn aux(&self) -> VReg {
        VReg(self.imm as u32)
    }

    /// With an extra register.
    #[inline]
    pub fn with_aux(mut self, aux: VReg) -> MInst {
        self.imm = aux.0 as i32;
        self
    }

    /// The fall-through block of a [`Op::Jcc`].
    #[inline]
    pub fn else_block(&self) -> u32 {
        self.src2.0
    }

    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self.op,
            Op::Jmp | Op::TailCall | Op::Jcc | Op::Fork | Op::JmpInd | Op::AsmGoto | Op::Ret | Op::Unreachable
        )
    }

    /// The 64-bit immediate of a [`Op::MovAbs`].
    pub fn imm64(&self) -> i64 {
        (u64::from(self.imm as u32) | u64::from(self.src1.0) << 32) as i64
    }
}

const _: () = assert!(std::mem::size_of::<MInst>() == 28);
