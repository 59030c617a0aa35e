//! The machine instruction record: 28 bytes, the same before and after register allocation.
//!
//! An instruction is an [`Op`] (its *shape*: which fields are read and written, see [`super::operands`]) refined by an operand
//! size, a condition and a `code` (which of the many operations of that shape). The "rm" operand of a shape is memory if `mem` is
//! present, else register `src2` if that is present, else the immediate `imm`.
//!
//! Selection writes virtual registers; [`crate::rewrite`] replaces them by physical ones in place. Physical registers are the numbers
//! below 32 (as in [`target::registers`]), so that `rsp` or `rbp` can be named by selection as well; they are invisible to the allocator.

use object::{Cond, Size, encode::X87Op};
use target::registers::Reg;

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

/// Shapes of instructions. `rm` is memory, register or immediate; `=` marks a two-address form (destination and first source share).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// Nothing (a removed instruction).
    Nop,
    /// `dst = src2`, register to register of either file; the allocator may coalesce it. `size` is that of the value (general
    /// registers); SSE registers are copied whole.
    Copy,
    /// All list pairs (source, destination) copied at once; the allocator resolves it.
    ParallelCopy,
    /// `dst <-> src2` (only after allocation).
    Swap,
    /// `dst = rm`: load, immediate, or (after allocation) a register (sign-extended from 32 bits for `Q`).
    Mov,
    /// `dst = imm64` (`imm` low half, `src1` high half as raw bits).
    MovAbs,
    /// `dst = zero_extend(rm)` from size `code`.
    MovZx,
    /// `dst = sign_extend(rm)` from size `code`.
    MovSx,
    /// `dst = &mem`.
    Lea,
    /// `dst = address` of the symbol in `mem`; `code` is an [`AddressCode`].
    Address,
    /// `mem = src2 | imm`.
    Store,
    /// `mem = src2`, non-temporal.
    StoreNt,
    /// `dst = mem`, bytes reversed (MOVBE).
    LoadSwapped,
    /// `mem = src2`, bytes reversed (MOVBE).
    StoreSwapped,
    /// `dst = src1 op rm` =; `code` is an `Alu`.
    Alu,
    /// `mem = mem op (src2 | imm)`; `code` is an `Alu`; may be locked.
    AluM,
    /// Flags of `src1 - rm`.
    Cmp,
    /// Flags of `mem - (src2 | imm)`.
    CmpM,
    /// Flags of `src1 & (src2 | imm)`.
    Test,
    /// Flags of `mem & (src2 | imm)`.
    TestM,
    /// `dst = op src1` =; `code` is a [`UnaryCode`].
    Unary,
    /// `mem = op mem`; may be locked.
    UnaryM,
    /// `dst = src1 * rm` =, low half.
    Imul,
    /// `dst = (src2 | mem) * imm`.
    ImulImm,
    /// `aux:dst = src1 * (src2 | mem)`: `src1` in rax, `dst` rax, `aux` rdx. `code` 1 = signed.
    MulWide,
    /// `dst = aux:src1 / (src2 | mem)`: rax, rdx; extends rax first. `dst` quotient, `aux` remainder. `code` 1 = signed.
    Div,
    /// `dst = src1 shift (imm | src2 in rcx)` =; `code` is a `Shift`.
    Shift,
    /// `mem = mem shift (imm | src2 in rcx)`.
    ShiftM,
    /// `dst = (src1 | mem) shift src2` (BMI2); `code` is a `Shift`.
    ShiftX,
    /// `dst = ror (src2 | mem), imm` (BMI2 rorx).
    RorX,
    /// `dst = src1:src2 double shift` = by `imm`, or by `aux` in rcx; `code` 0 = shld, 1 = shrd, +2 = by rcx.
    DoubleShift,
    /// Carry = bit `src2 | imm` of `src1`.
    BitTest,
    /// `dst = src1` with bit `src2 | imm` set, cleared or complemented =; `code` is a `BitTest` extension.
    BitChange,
    /// `dst = condition ? 1 : 0`, low byte only.
    Setcc,
    /// `dst = condition ? 1 : 0` in 32 bits: two instructions.
    SetccZx,
    /// `mem = condition ? 1 : 0`, one byte.
    SetccM,
    /// `dst = condition ? (src2 | mem) : src1` =.
    Cmov,
    /// `dst = scan(src2 | mem)`; `code` is a [`ScanCode`].
    Scan,
    /// `dst = byte_swap(src1)` =.
    Bswap,
    /// `dst = src1 & ~... `: BMI `andn dst, src1, src2|mem`.
    Andn,
    /// `dst = blsr/blsmsk/blsi(src2 | mem)`; `code` is the extension.
    Bls,
    /// `dst = src1` with the high byte... `dst = zero_extend(bits 8..16 of src1)`; `src1` in a, b, c or d (fixed to rax).
    HighByte,

    /// `dst = src1 op (src2 | mem) [, imm]` =; `code` is an `Sse`.
    Xmm,
    /// `dst = op(src2 | mem) [, imm]`; `code` is an `Sse`.
    XmmUn,
    /// `mem = src2`; `code` is an `Sse` store.
    XmmStore,
    /// Flags of a comparison of `src1` with `src2 | mem`; `code` is an `Sse`.
    XmmCmp,
    /// As [`Op::XmmCmp`]; `code` is a `Vex`.
    VexCmp,
    /// `dst = 0`.
    XmmZero,
    /// `dst` = all ones.
    XmmOnes,
    /// `dst = src1 shift imm` =; `code` is an `SseShift`.
    XmmShift,
    /// `dst` (SSE) = op(general `src2 | mem` of `size`); `code` is an `Sse`; conversions clear `dst` first.
    GprToXmm,
    /// `dst` (general, of `size`) = op(SSE `src2 | mem`); `code` is an `Sse`; `imm` for extractions.
    XmmToGpr,
    /// `dst = src1` = with general `src2 | mem` inserted at `imm`; `code` is an `Sse`.
    XmmInsert,
    /// `dst = condition ? src2 : src1` = in SSE registers, by a branch around a move. Bits [`bits::OR_PARITY`], [`bits::AND_NO_PARITY`].
    XmmSelect,
    /// `dst = fma(...)`: `dst = src1 * src2 + aux` = with `src1`; `code` is a `Vex` 213 form.
    Fma,
    /// `dst = src1 op (src2 | mem) [, imm]`, not overwriting; `src1` may be absent; `code` is a `Vex`. In general registers `size`
    /// counts.
    Vex,

    /// `dst = blend(src1, src2, mask)` = with the mask `aux` in xmm0; `code` is an `Sse` (variable blends, `sha256rnds2`). With
    /// [`bits::VEX`] in any register, and without sharing.
    Blend,
    /// `pcmpistri` and its kin; `code` is an `Sse`, `imm` the immediate; list operands: the result (rcx or xmm0), both vectors, for
    /// the explicit lengths rax and rdx. Sets flags.
    StringCompare,
    /// `dst = crc32(src1, src2)` =; `size` of the value.
    Crc32,
    /// `maskmovdqu`: list operands rdi, data, mask.
    MaskedStore,
    /// `clflush mem`.
    Flush,

    /// x87 instruction with memory; `code` is an [`X87Mem`].
    X87M,
    /// x87 instruction without operands; `code` is an `X87`.
    X87,
    /// x87 instruction on `st(imm)`; `code` is an [`X87Reg`].
    X87R,

    /// Jump to block `imm`.
    Jmp,
    /// Jump to block `imm` if the condition holds, else to block `aux`.
    Jcc,
    /// Jump to the address `src2 | mem`; `imm` = index of target list.
    JmpInd,
    /// Return; the results are list operands.
    Ret,
    /// Stops the program (`ud2`).
    Trap,
    /// End of a path that is never taken: nothing.
    Unreachable,
    /// Call; operands in a list, `imm` = index of [`super::CallSite`].
    Call,
    /// Call in place of a return (a jump after the epilogue); as [`Op::Call`].
    TailCall,
    /// Inline assembly; operands in a list, `imm` = index of [`super::AsmSite`].
    Asm,
    /// Inline assembly with labels, a terminator.
    AsmGoto,
    /// Destroys every register (receivers of non-local jumps).
    ClobberAll,
    /// Goes on at block `imm`, but control may also arrive at block `src2` by a non-local jump.
    Fork,
    /// The following instructions are machine block `imm` (only before blocks are formed).
    BlockStart,
    /// Defines the parameters that arrive in registers (list operands); no code.
    Args,
    /// Stores the SSE argument registers among the list operands to the save area `mem` if `al` (first operand) is not 0.
    SaveXmms,
    /// Uses the list operands; no code (keeps values alive, `__builtin_setjmp` receivers, ...).
    Keep,

    /// `mem += src1`, `dst` = old = (`lock xadd`).
    Xadd,
    /// `mem <-> src1`, `dst` = old = (`xchg`).
    XchgM,
    /// `lock cmpxchg mem, src2`: expected `src1` in rax, old value `dst` in rax; sets ZF.
    Cmpxchg,
    /// `lock cmpxchg16b mem`; list operands rax, rdx, rbx, rcx.
    Cmpxchg16,
    /// Fence; `code` 0 = mfence, 1 = lfence, 2 = sfence.
    Fence,
    /// `rep movs` of `size` units; list operands rdi, rsi, rcx.
    RepMovs,
    /// `rep stos` of `size` units; list operands rdi, rcx, rax.
    RepStos,
    /// `pause`.
    Pause,
    /// `rdtsc`: `dst` rax, `aux` rdx.
    Rdtsc,
    /// Prefetch of `mem`; `code` numbers the hint.
    Prefetch,
    /// `mxcsr` from memory (`code` 0) or to memory (1).
    Mxcsr,
    /// `push src2` before `rsp` is otherwise touched... the stack pointer moves by `-8`.
    Push,
    /// `dst` = address of thread-local symbol in `mem` by `__tls_get_addr`; a call (rax).
    TlsGeneral,
    /// `dst` = start of the module's TLS block; a call (rax).
    TlsModule,
    /// `dst` = address of code block `imm`.
    BlockAddress,
    /// `rsp = rsp - src2`, aligned down to `imm`; `dst` = lowest free address above the outgoing arguments.
    DynAlloca,
    /// `dst = rsp`.
    GetSp,
    /// `rsp = src2`.
    SetSp,
    /// `dst = rbp` (the frame address; forces a frame pointer).
    GetFp,
    /// `__builtin_longjmp` through the buffer at `src2`.
    LongJmp,
    /// Non-local jump: list operands frame pointer, stack pointer, address.
    NonlocalJump,
    /// `__builtin_eh_return`: list operands offset (rcx), handler (rax).
    EhReturn,
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
    /// A register source must not be replaced by its spill slot (the operation reads more bytes than the slot has).
    pub const NO_FOLD: u8 = 16;
    /// Inserted by the allocator (spill, reload, move).
    pub const EDIT: u8 = 32;
    /// Volatile access: not to be merged or dropped by the peephole pass.
    pub const VOLATILE: u8 = 64;
    /// Of extending loads: nobody looks above the lowest byte.
    pub const LOW: u8 = LOCK;
    /// Of SSE shapes: 256 bits.
    pub const WIDE: u8 = LOCK;
    /// Of SSE shapes: three operands, the destination is not the first source's register.
    pub const VEX: u8 = NO_OVERFLOW;
    /// `test r, r` of a sum that does not overflow: the addition's flags answer signed comparisons too.
    pub const NO_OVERFLOW: u8 = 128;
    /// On an [`Op::Copy`](super::Op::Copy): it is the only copy of an edge for a phi.
    pub const PHI_COPY: u8 = 128;
}

/// How [`Op::Address`] forms an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum AddressCode {
    /// `mov $symbol, r32`
    Abs32,
    /// `mov $symbol, r64` sign-extended
    Abs32S,
    /// `movabs $symbol, r64`
    Abs64,
    /// Distance from the instruction, 64 bits.
    Far,
    /// GOT entry 64 bits away.
    FarGot,
}

/// Codes of [`Op::Unary`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum UnaryCode {
    /// Complement.
    Not,
    /// Negation.
    Neg,
    /// Add one.
    Inc,
    /// Subtract one.
    Dec,
}

/// Codes of [`Op::Scan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum ScanCode {
    /// Lowest set bit; undefined for 0.
    Bsf,
    /// Highest set bit; undefined for 0.
    Bsr,
    /// BMI trailing zeros.
    Tzcnt,
    /// Leading zeros.
    Lzcnt,
    /// Population count.
    Popcnt,
}

/// Codes of [`Op::X87M`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
#[allow(missing_docs)]
pub enum X87Mem {
    Fld32,
    Fld64,
    Fld80,
    Fstp32,
    Fstp64,
    Fstp80,
    Fild16,
    Fild32,
    Fild64,
    Fistp16,
    Fistp32,
    Fistp64,
    Fnstcw,
    Fldcw,
    Fst32,
    Fst64,
    Fadd32,
    Fadd64,
    Fmul32,
    Fmul64,
    Fsub32,
    Fsub64,
    Fsubr32,
    Fsubr64,
    Fdiv32,
    Fdiv64,
    Fdivr32,
    Fdivr64,
}

/// Codes of [`Op::X87R`]. Operands: the first is the deeper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum X87Reg {
    /// `st(1) = st(1) + st(0)`, pop.
    AddPop,
    /// `st(1) = st(1) * st(0)`, pop.
    MulPop,
    /// `st(1) = st(1) - st(0)`, pop.
    SubPop,
    /// `st(1) = st(0) - st(1)`, pop.
    SubReversePop,
    /// `st(1) = st(1) / st(0)`, pop.
    DivPop,
    /// `st(1) = st(0) / st(1)`, pop.
    DivReversePop,
    /// Push `st(i)`.
    Fld,
    /// Copy to `st(i)`, pop.
    Fstp,
    /// Exchange with `st(i)`.
    Fxch,
    /// `st(0) = st(0) + st(i)`
    Add,
    /// `st(0) = st(0) * st(i)`
    Mul,
    /// `st(0) = st(0) - st(i)`
    Sub,
    /// `st(0) = st(i) - st(0)`
    SubReverse,
    /// `st(0) = st(0) / st(i)`
    Div,
    /// `st(0) = st(i) / st(0)`
    DivReverse,
    /// `st(i) = st(i) + st(0)`
    AddTo,
    /// `st(i) = st(i) * st(0)`
    MulTo,
    /// `st(i) = st(i) - st(0)`
    SubTo,
    /// `st(i) = st(0) - st(i)`
    SubReverseTo,
    /// `st(i) = st(i) / st(0)`
    DivTo,
    /// `st(i) = st(0) / st(i)`
    DivReverseTo,
    /// Quiet compare `st(0)` with `st(i)`, pop both (i = 1).
    UcomiPop2,
    /// Signalling compare `st(0)` with `st(i)`, pop both (i = 1).
    ComiPop2,
    /// Quiet compare `st(0)` with `st(i)`.
    Ucomi,
    /// Quiet compare `st(0)` with `st(i)`, pop.
    UcomiPop,
    /// Signalling compare `st(0)` with `st(i)`.
    Comi,
    /// Signalling compare `st(0)` with `st(i)`, pop.
    ComiPop,
}

impl X87Mem {
    /// Whether a value is pushed.
    pub fn pushes(self) -> bool {
        use X87Mem::*;
        matches!(self, Fld32 | Fld64 | Fld80 | Fild16 | Fild32 | Fild64)
    }

    /// Whether the top is stored and popped.
    pub fn pops(self) -> bool {
        use X87Mem::*;
        matches!(self, Fstp32 | Fstp64 | Fstp80 | Fistp16 | Fistp32 | Fistp64)
    }

    /// `st(0) = st(0) op memory`, of 8 bytes if `wide`, else of 4.
    pub fn arithmetic(op: X87Op, wide: bool) -> X87Mem {
        let (first, second) = match op {
            X87Op::Add => (X87Mem::Fadd32, X87Mem::Fadd64),
            X87Op::Mul => (X87Mem::Fmul32, X87Mem::Fmul64),
            X87Op::Sub => (X87Mem::Fsub32, X87Mem::Fsub64),
            X87Op::SubReverse => (X87Mem::Fsubr32, X87Mem::Fsubr64),
            X87Op::Div => (X87Mem::Fdiv32, X87Mem::Fdiv64),
            X87Op::DivReverse => (X87Mem::Fdivr32, X87Mem::Fdivr64),
        };
        if wide { second } else { first }
    }

    /// The operation and the width (8 bytes or 4) of one with an operand in memory.
    pub fn as_arithmetic(self) -> Option<(X87Op, bool)> {
        let all = X87Op::ALL.into_iter().flat_map(|op| [(op, false), (op, true)]);
        all.into_iter().find(|&(op, wide)| X87Mem::arithmetic(op, wide) == self)
    }
}

/// Where the result of arithmetic on two registers goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum X87Form {
    /// To `st(0)`.
    ToTop,
    /// To `st(i)`.
    ToOther,
    /// To `st(i)`, and `st(0)` is popped.
    AndPop,
}

impl X87Reg {
    /// Arithmetic: `st(0)` is the first operand where the result goes to it, else `st(i)`.
    pub fn arithmetic(op: X87Op, form: X87Form) -> X87Reg {
        use X87Reg::*;
        let forms = match op {
            X87Op::Add => [Add, AddTo, AddPop],
            X87Op::Mul => [Mul, MulTo, MulPop],
            X87Op::Sub => [Sub, SubTo, SubPop],
            X87Op::SubReverse => [SubReverse, SubReverseTo, SubReversePop],
            X87Op::Div => [Div, DivTo, DivPop],
            X87Op::DivReverse => [DivReverse, DivReverseTo, DivReversePop],
        };
        forms[form as usize]
    }

    /// The operation and form of arithmetic.
    pub fn as_arithmetic(self) -> Option<(X87Op, X87Form)> {
        const FORMS: [X87Form; 3] = [X87Form::ToTop, X87Form::ToOther, X87Form::AndPop];
        let mut all = X87Op::ALL.into_iter().flat_map(|op| FORMS.map(|form| (op, form)));
        all.find(|&(op, form)| X87Reg::arithmetic(op, form) == self)
    }
}

macro_rules! code_from {
    ($($name:ident: $last:ident),*) => {$(
        impl $name {
            /// The variant with this number.
            #[inline]
            pub fn from_code(code: u16) -> $name {
                const ALL: &[$name] = &$name::LIST;
                ALL[code as usize]
            }
        }
    )*};
}

impl UnaryCode {
    const LIST: [UnaryCode; 4] = [UnaryCode::Not, UnaryCode::Neg, UnaryCode::Inc, UnaryCode::Dec];
}
impl AddressCode {
    const LIST: [AddressCode; 5] =
        [AddressCode::Abs32, AddressCode::Abs32S, AddressCode::Abs64, AddressCode::Far, AddressCode::FarGot];
}
impl ScanCode {
    const LIST: [ScanCode; 5] = [ScanCode::Bsf, ScanCode::Bsr, ScanCode::Tzcnt, ScanCode::Lzcnt, ScanCode::Popcnt];
}
impl X87Mem {
    const LIST: [X87Mem; 28] = {
        use X87Mem::*;
        [
            Fld32, Fld64, Fld80, Fstp32, Fstp64, Fstp80, Fild16, Fild32, Fild64, Fistp16, Fistp32, Fistp64, Fnstcw,
            Fldcw, Fst32, Fst64, Fadd32, Fadd64, Fmul32, Fmul64, Fsub32, Fsub64, Fsubr32, Fsubr64, Fdiv32, Fdiv64,
            Fdivr32, Fdivr64,
        ]
    };
}
impl X87Reg {
    const LIST: [X87Reg; 27] = {
        use X87Reg::*;
        [
            AddPop,
            MulPop,
            SubPop,
            SubReversePop,
            DivPop,
            DivReversePop,
            Fld,
            Fstp,
            Fxch,
            Add,
            Mul,
            Sub,
            SubReverse,
            Div,
            DivReverse,
            AddTo,
            MulTo,
            SubTo,
            SubReverseTo,
            DivTo,
            DivReverseTo,
            UcomiPop2,
            ComiPop2,
            Ucomi,
            UcomiPop,
            Comi,
            ComiPop,
        ]
    };
}
code_from!(UnaryCode: Dec, AddressCode: FarGot, ScanCode: Popcnt, X87Mem: Fdivr64, X87Reg: ComiPop);

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

    /// The extra register of the shapes that have one ([`Op::MulWide`], [`Op::Div`], [`Op::DoubleShift`], [`Op::Fma`], [`Op::Rdtsc`]):
    /// kept in `imm`, as these have no immediate beside it.
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
