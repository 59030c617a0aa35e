//! The shapes of machine instructions: which fields of an [`MInst`](super::MInst) are read and
//! written, and what they mean.
//!
//! Which operation of a shape is meant is told by the instruction's `code`: an encoder's
//! enumeration (`Alu`, `Sse`, ...), or one of [`super::codes`].

/// Shapes of instructions. `rm` is memory, register or immediate; `=` marks a two-address form
/// (destination and first source share).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// Nothing (a removed instruction).
    Nop,
    /// `dst = src2`, register to register of either file; the allocator may coalesce it. `size` is
    /// that of the value (general registers); SSE registers are copied whole.
    Copy,
    /// All list pairs (source, destination) copied at once; the allocator resolves it.
    ParallelCopy,
    /// `dst <-> src2` (only after allocation).
    Swap,
    /// `dst = rm`: load, immediate, or (after allocation) a register (sign-extended from 32 bits
    /// for `Q`).
    Mov,
    /// `dst = imm64` (`imm` low half, `src1` high half as raw bits).
    MovAbs,
    /// `dst = zero_extend(rm)`; `code` is the size of the source.
    MovZx,
    /// `dst = sign_extend(rm)`; `code` is the size of the source.
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
    /// `dst = op src1` =; `code` is a `Unary`.
    Unary,
    /// `mem = op mem`; may be locked.
    UnaryM,
    /// `dst = src1 * rm` =, low half.
    Imul,
    /// `dst = (src2 | mem) * imm`.
    ImulImm,
    /// `aux:dst = src1 * (src2 | mem)`: `src1` in rax, `dst` rax, `aux` rdx; `code`
    /// is `Unary::Mul` or `Imul`.
    MulWide,
    /// `dst = aux:src1 / (src2 | mem)`: rax, rdx; extends rax first. `dst` quotient, `aux`
    /// remainder; `code` is `Unary::Div` or `Idiv`.
    Div,
    /// `dst = src1 shift (imm | src2 in rcx)` =; `code` is a `Shift`.
    Shift,
    /// `mem = mem shift (imm | src2 in rcx)`.
    ShiftM,
    /// `dst = (src1 | mem) shift src2` (BMI2); `code` is a `Shift`.
    ShiftX,
    /// `dst = ror (src2 | mem), imm` (BMI2 rorx).
    RorX,
    /// `dst = src1:src2 double shift` = by `imm`, or by `aux` in rcx; `code` is a
    /// [`super::codes::DoubleShift`].
    DoubleShift,
    /// Carry = bit `src2 | imm` of `src1`.
    BitTest,
    /// `dst = src1` with bit `src2 | imm` set, cleared or complemented =; `code` is a `BitTest`
    /// extension.
    BitChange,
    /// `dst = condition ? 1 : 0`, low byte only.
    Setcc,
    /// `dst = condition ? 1 : 0` in 32 bits: two instructions.
    SetccZx,
    /// `mem = condition ? 1 : 0`, one byte.
    SetccM,
    /// `dst = carry ? -1 : 0`.
    CarryMask,
    /// `dst = condition ? (src2 | mem) : src1` =.
    Cmov,
    /// `dst = scan(src2 | mem)`; `code` is a [`ScanCode`].
    Scan,
    /// `dst = byte_swap(src1)` =.
    Bswap,

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
    /// `dst` (SSE) = op(general `src2 | mem` of `size`); `code` is an `Sse`; conversions clear
    /// `dst` first.
    GprToXmm,
    /// `dst` (general, of `size`) = op(SSE `src2 | mem`); `code` is an `Sse`; `imm` for
    /// extractions.
    XmmToGpr,
    /// `dst = src1` = with general `src2 | mem` inserted at `imm`; `code` is an `Sse`.
    XmmInsert,
    /// `dst = condition ? src2 : src1` = in SSE registers, by a branch around a move. Bits
    /// [`super::bits::OR_PARITY`], [`super::bits::AND_NO_PARITY`].
    XmmSelect,
    /// `dst = fma(...)`: `dst = src1 * src2 + aux` = with `src1`; `code` is a `Vex` 213 form.
    Fma,
    /// `dst = src1 op (src2 | mem) [, imm]`, not overwriting; `src1` may be absent; `code` is a
    /// `Vex`. In general registers `size` counts.
    Vex,

    /// `dst = blend(src1, src2, mask)` = with the mask `aux` in xmm0; `code` is an `Sse` (variable
    /// blends, `sha256rnds2`). With [`super::bits::VEX`] in any register, and without sharing.
    Blend,
    /// `pcmpistri` and its kin; `code` is an `Sse`, `imm` the immediate; list operands: the result
    /// (rcx or xmm0), both vectors, for the explicit lengths rax and rdx. Sets flags.
    StringCompare,
    /// `dst = crc32(src1, src2)` =; `size` of the value.
    Crc32,
    /// `mem = src2` where lanes of `src1` have their sign bits set; `code` is a `Vex`.
    MaskedStore,

    /// x87 instruction with memory; `code` is an [`X87Mem`].
    X87M,
    /// x87 instruction without operands; `code` is an `X87`.
    X87,
    /// x87 instruction on `st(imm)`; `code` is an [`X87Reg`].
    X87R,

    /// Jump to the target block.
    Jmp,
    /// Jump to the target block if the condition holds, else to the other one.
    Jcc,
    /// Jump to the address `src2 | mem`; `index` is that of the target list.
    JmpInd,
    /// Return; the results are list operands.
    Ret,
    /// Stops the program (`ud2`).
    Trap,
    /// End of a path that is never taken: nothing.
    Unreachable,
    /// Call; operands in a list, `index` is that of the [`super::CallSite`].
    Call,
    /// Call in place of a return (a jump after the epilogue); as [`Op::Call`].
    TailCall,
    /// Inline assembly; operands in a list, `index` is that of the [`super::AsmSite`].
    Asm,
    /// Inline assembly with labels, a terminator.
    AsmGoto,
    /// Destroys every register (receivers of non-local jumps).
    ClobberAll,
    /// Goes on at the target block, but control may also arrive at the other one by a non-local
    /// jump.
    Fork,
    /// The following instructions are the target block (only before blocks are formed).
    BlockStart,
    /// Keeps `src1`, if there is one, in a register or its spill slot up to here; no code.
    Keep,
    /// Defines the parameters that arrive in registers (list operands); no code.
    Args,
    /// Stores the SSE argument registers among the list operands to the save area `mem` if `al`
    /// (first operand) is not 0.
    SaveXmms,

    /// `mem += src1`, `dst` = old = (`lock xadd`).
    Xadd,
    /// `mem <-> src1`, `dst` = old = (`xchg`).
    XchgM,
    /// `lock cmpxchg mem, src2`: expected `src1` in rax, old value `dst` in rax; sets ZF.
    Cmpxchg,
    /// `lock cmpxchg16b mem`; list operands rax, rdx, rbx, rcx.
    Cmpxchg16,
    /// Fence; `code` is a `FenceKind`.
    Fence,
    /// `rep movs` of `size` units; list operands rdi, rsi, rcx.
    RepMovs,
    /// `rep stos` of `size` units; list operands rdi, rcx, rax.
    RepStos,
    /// `pause`.
    Pause,
    /// `rdtsc`: `dst` rax, `aux` rdx.
    Rdtsc,
    /// Prefetch of `mem`; `code` is the hint, a `Prefetch`.
    Prefetch,
    /// `mxcsr` from memory or to memory; `code` is a [`super::codes::Mxcsr`].
    Mxcsr,
    /// `dst` = address of thread-local symbol in `mem` by `__tls_get_addr`; a call (rax).
    TlsGeneral,
    /// `dst` = start of the module's TLS block; a call (rax).
    TlsModule,
    /// `dst` = address of the target block's code.
    BlockAddress,
    /// `rsp = rsp - src2`, aligned down to `imm`; `dst` = lowest free address above the outgoing
    /// arguments.
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
