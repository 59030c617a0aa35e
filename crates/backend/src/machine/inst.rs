//! The machine instruction record: 28 bytes, the same before and after register allocation.
//!
//! An instruction is an [`Op`] (its *shape*: which fields are read and written, see
//! [`super::operands`]) refined by an operand size, a condition and a `code` (which of the many
//! operations of that shape). The "rm" operand of a shape is memory if `mem` is present, else
//! register `src2` if that is present, else the immediate.
//!
//! Selection writes virtual registers; [`crate::rewrite`] replaces them by physical ones in place.
//! Physical registers are the numbers below 32 (as in [`platform::registers`]), so that `rsp` or
//! `rbp` can be named by selection as well; they are invisible to the allocator.

use object::{
    Alu, Cond, Shift, Size,
    encode::{BitTest, Prefetch, Sse, SseShift, Unary, Vex, X87},
};
use platform::registers::Reg;

use super::codes::{AddressCode, Code, DoubleShift, Mxcsr, ScanCode, X87Mem, X87Reg};
use super::op::Op;
use crate::x86::operations::FenceKind;

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

/// Bits of [`MInst::bits`], each with one meaning.
pub mod bits {
    /// The flags are live after this instruction: nothing put here may change them.
    pub const FLAGS_LIVE: u16 = 1;
    /// `lock` prefix.
    pub const LOCK: u16 = 1 << 1;
    /// The condition also holds if the parity flag is set (unordered).
    pub const OR_PARITY: u16 = 1 << 2;
    /// The condition holds only if the parity flag is clear (ordered).
    pub const AND_NO_PARITY: u16 = 1 << 3;
    /// A register source must not be replaced by its spill slot (the operation reads more bytes
    /// than the slot has).
    pub const NO_FOLD: u16 = 1 << 4;
    /// Inserted by the allocator (spill, reload, move).
    pub const EDIT: u16 = 1 << 5;
    /// Volatile access: not to be merged or dropped by the peephole pass.
    pub const VOLATILE: u16 = 1 << 6;
    /// `test r, r` of a sum that does not overflow: the addition's flags answer signed comparisons
    /// too.
    pub const NO_OVERFLOW: u16 = 1 << 7;
    /// On an [`Op::Copy`](super::Op::Copy): it is the only copy of an edge for a phi.
    pub const PHI_COPY: u16 = 1 << 8;
    /// Of extending loads: nobody looks above the lowest byte.
    pub const LOW: u16 = 1 << 9;
    /// A call may return again: what its second return reaches is the instruction after it.
    pub const RETURNS_TWICE: u16 = 1 << 10;
    /// Of SSE shapes: 256 bits; of arguments, calls and returns: a value that wide goes along.
    pub const WIDE: u16 = 1 << 11;
    /// Of SSE shapes: three operands, the destination is not the first source's register.
    pub const VEX: u16 = 1 << 12;
    /// A call through a pointer whose target needs no `endbr64`.
    pub const UNTRACKED: u16 = 1 << 13;
    /// Of SSE operations on one lane: the other lanes of the first source are wanted as well.
    pub const WHOLE: u16 = 1 << 14;
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
    pub bits: u16,
    /// Which operation of the shape: the number of a [`Code`].
    pub(super) code: u16,
    /// Destination.
    pub dst: VReg,
    /// First source.
    pub src1: VReg,
    /// Register of the rm operand.
    pub src2: VReg,
    /// Memory operand.
    pub mem: MemId,
    /// What the shape has one of: an immediate, an extra register, a target block or an index. Read
    /// and written by the accessors of these only.
    extra: u32,
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
            extra: 0,
        }
    }

    /// With the registers, the memory operand and the bits of another instruction.
    pub fn with_operands(self, from: &MInst) -> MInst {
        MInst { bits: from.bits, dst: from.dst, src1: from.src1, src2: from.src2, mem: from.mem, ..self }
    }

    /// Whether the two differ in their bits at most.
    pub fn is_same_but_bits(&self, other: &MInst) -> bool {
        MInst { bits: other.bits, ..*self } == *other
    }

    /// With a condition.
    #[inline]
    pub fn cond(mut self, cond: Cond) -> MInst {
        self.cond = cond;
        self
    }

    /// With further [`bits`].
    #[inline]
    pub fn with_bits(mut self, more: u16) -> MInst {
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
        self.extra = imm as u32;
        self
    }

    /// The immediate.
    #[inline]
    pub fn immediate(&self) -> i32 {
        self.extra as i32
    }

    /// The immediate of an instruction that has one of a byte: a count, a selector, an `st(i)`.
    #[inline]
    pub fn imm8(&self) -> u8 {
        self.extra as u8
    }

    /// With an index into the table that the shape names.
    #[inline]
    pub fn with_index(mut self, index: usize) -> MInst {
        self.extra = index as u32;
        self
    }

    /// The index into the table that the shape names: call sites, assembly sites, target lists.
    #[inline]
    pub fn index(&self) -> usize {
        self.extra as usize
    }

    /// The extra register of the shapes that have one: [`Op::MulWide`], [`Op::Div`],
    /// [`Op::DoubleShift`], [`Op::Fma`], [`Op::Blend`], [`Op::Rdtsc`].
    #[inline]
    pub fn aux(&self) -> VReg {
        VReg(self.extra)
    }

    /// With an extra register.
    #[inline]
    pub fn with_aux(mut self, aux: VReg) -> MInst {
        self.extra = aux.0;
        self
    }

    /// A jump.
    #[inline]
    pub fn jmp(target: u32) -> MInst {
        MInst::to_block(Op::Jmp, target)
    }

    /// A jump to `then` if the condition holds, else to `otherwise`.
    #[inline]
    pub fn jcc(cond: Cond, then: u32, otherwise: u32) -> MInst {
        MInst::to_block(Op::Jcc, then).cond(cond).src2(VReg(otherwise))
    }

    /// Goes on at `next`; a non-local jump arrives at `receiver`.
    pub fn fork(next: u32, receiver: u32) -> MInst {
        MInst::to_block(Op::Fork, next).src2(VReg(receiver))
    }

    /// One of the shapes with a target block.
    #[inline]
    pub fn to_block(op: Op, target: u32) -> MInst {
        MInst { extra: target, ..MInst::new(op, Size::Q) }
    }

    /// The target block.
    #[inline]
    pub fn target(&self) -> u32 {
        debug_assert!(self.has_target());
        self.extra
    }

    /// The other target of a [`Op::Jcc`] or [`Op::Fork`].
    #[inline]
    pub fn else_block(&self) -> u32 {
        debug_assert!(matches!(self.op, Op::Jcc | Op::Fork));
        self.src2.0
    }

    fn has_target(&self) -> bool {
        matches!(self.op, Op::Jmp | Op::Jcc | Op::Fork | Op::BlockStart | Op::BlockAddress)
    }

    /// Replaces the target blocks of a shape that has some.
    #[inline]
    pub fn map_targets(&mut self, map: impl Fn(u32) -> u32) {
        if self.has_target() {
            self.extra = map(self.extra);
        }
        if matches!(self.op, Op::Jcc | Op::Fork) {
            self.src2 = VReg(map(self.src2.0));
        }
    }

    /// With list operands: `count` of them from `start` on.
    #[inline]
    pub fn with_list(self, start: usize, count: usize) -> MInst {
        self.src1(VReg(start as u32)).src2(VReg(count as u32))
    }

    /// Where in [`super::MachineFunction::lists`] the operands are.
    #[inline]
    pub fn list(&self) -> std::ops::Range<usize> {
        let start = self.src1.0 as usize;
        start..start + self.src2.0 as usize
    }

    /// A [`Op::MovAbs`].
    pub fn mov_abs(dst: VReg, imm: i64) -> MInst {
        MInst::new(Op::MovAbs, Size::Q).dst(dst).imm(imm as i32).src1(VReg((imm >> 32) as u32))
    }

    /// The 64-bit immediate of a [`Op::MovAbs`].
    pub fn imm64(&self) -> i64 {
        (u64::from(self.extra) | u64::from(self.src1.0) << 32) as i64
    }

    /// The number of its code, to compare and hash instructions.
    #[inline]
    pub fn code_number(&self) -> u16 {
        self.code
    }

    /// What [`MInst::imm`], [`MInst::with_aux`] and their kin wrote, to compare and hash
    /// instructions.
    #[inline]
    pub fn extra_number(&self) -> u32 {
        self.extra
    }

    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self.op,
            Op::Jmp | Op::TailCall | Op::Jcc | Op::Fork | Op::JmpInd | Op::AsmGoto | Op::Ret | Op::Unreachable
        )
    }
}

/// Constructors and accessors of the shapes that a code refines: `make = Shape` takes the code and
/// the operand size, `make = Shape[size]` has one size.
macro_rules! coded_shapes {
    ($($(#[$doc:meta])* $get:ident: $code:ty { $($make:ident = $op:ident $([$size:ident])?),* })*) => {
        impl MInst {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $get(&self) -> $code {
                    debug_assert!(matches!(self.op, $(Op::$op)|*), "{:?}", self.op);
                    <$code>::from_number(self.code)
                }

                $(coded_shapes! { @make $make $op $code $(, $size)? })*
            )*
        }
    };
    (@make $make:ident $op:ident $code:ty) => {
        #[doc = concat!("An [`Op::", stringify!($op), "`].")]
        #[inline]
        pub fn $make(code: $code, size: Size) -> MInst {
            MInst { code: code.number(), ..MInst::new(Op::$op, size) }
        }
    };
    (@make $make:ident $op:ident $code:ty, $size:ident) => {
        #[doc = concat!("An [`Op::", stringify!($op), "`].")]
        #[inline]
        pub fn $make(code: $code) -> MInst {
            MInst { code: code.number(), ..MInst::new(Op::$op, Size::$size) }
        }
    };
}

coded_shapes! {
    /// Two-operand arithmetic.
    alu_op: Alu { alu = Alu, alu_m = AluM }
    /// One-operand arithmetic.
    unary_op: Unary { unary = Unary, unary_m = UnaryM, mul_wide = MulWide, div = Div }
    /// Shifts and rotates.
    shift_op: Shift { shift = Shift, shift_m = ShiftM, shift_x = ShiftX }
    /// What is shifted from which side, by what.
    double_shift_op: DoubleShift { double_shift = DoubleShift }
    /// How the bit changes.
    bit_op: BitTest { bit_change = BitChange }
    /// What is scanned for.
    scan_op: ScanCode { scan = Scan }
    /// The size of an extension's source.
    from_size: Size { mov_zx = MovZx, mov_sx = MovSx }
    /// How the address is formed.
    address_form: AddressCode { address = Address[Q] }
    /// The instruction of an SSE shape.
    sse_op: Sse {
        xmm = Xmm[D], xmm_un = XmmUn[D], xmm_store = XmmStore[D], xmm_cmp = XmmCmp[D], gpr_to_xmm = GprToXmm,
        xmm_to_gpr = XmmToGpr, xmm_insert = XmmInsert, blend = Blend[D], string_compare = StringCompare[D]
    }
    /// The instruction of a shape that only VEX encodes.
    vex_op: Vex { vex = Vex, vex_cmp = VexCmp[D], masked_store = MaskedStore[D], fma = Fma[D] }
    /// A packed shift by an immediate.
    sse_shift_op: SseShift { xmm_shift = XmmShift[D] }
    /// An x87 instruction with memory.
    x87_mem: X87Mem { x87_m = X87M[D] }
    /// An x87 instruction without operands.
    x87_op: X87 { x87 = X87[D] }
    /// An x87 instruction on registers.
    x87_reg: X87Reg { x87_r = X87R[D] }
    /// Which fence.
    fence_kind: FenceKind { fence = Fence[D] }
    /// Which hint.
    prefetch_hint: Prefetch { prefetch = Prefetch[B] }
    /// Load or store.
    mxcsr_op: Mxcsr { mxcsr = Mxcsr[D] }
}

const _: () = assert!(std::mem::size_of::<MInst>() == 28);
