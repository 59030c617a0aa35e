//! Opcodes and the 16-byte instruction record.
//!
//! An instruction holds its opcode, flags, result type and three 32-bit fields whose meaning its [`Format`] gives. Value operands
//! beyond three, blocks of phis, switch cases and inline assembly live in the function's pools. Every operand slot that holds a
//! [`Value`](crate::Value) is reached by [`Function::operands`](crate::Function::operands).

use crate::types::Type;

/// How the three fields of an instruction are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// No value operands; `a`, `b`, `c` are immediates.
    Nullary,
    /// `a` is a value; `b`, `c` are immediates or blocks.
    Unary,
    /// `a`, `b` are values; `c` is an immediate.
    Binary,
    /// `a`, `b`, `c` are values.
    Ternary,
    /// `a` is the start of `b` values in the value pool; `c` is an immediate (side-table index).
    List,
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident $text:literal $format:ident;)*) => {
        /// What an instruction does. `docs/ir.md` is the reference.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $($(#[$doc])* $name),* }
        impl Opcode {
            /// Every opcode, in order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name),*];
            /// Its name in the textual form.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }
            /// How its fields are read.
            pub fn format(self) -> Format {
                const FORMATS: &[Format] = &[$(Format::$format),*];
                FORMATS[self as usize]
            }
        }
    };
}

opcodes! {
    /// A stack slot of fixed size: `a` = log2 alignment, `b`/`c` = low/high half of the size in bytes.
    Alloca "alloca" Nullary;
    /// A stack block of `a` (i64) bytes, aligned to 2^`b`; lives until the matching stack restore or return.
    DynAlloca "dyn_alloca" Unary;
    /// The current stack pointer, for `stack_restore`.
    StackSave "stack_save" Nullary;
    /// Frees every `dyn_alloca` since the `stack_save` that gave `a`.
    StackRestore "stack_restore" Unary;
    /// From here the alloca `a` holds undef (start of its scope).
    LifetimeStart "lifetime_start" Unary;
    /// From here the alloca `a` is dead.
    LifetimeEnd "lifetime_end" Unary;
    /// Loads the result type from `a`; `c` = memory operand ([`MemInfo`]).
    Load "load" Unary;
    /// Stores `b` to `a`; `c` = memory operand ([`MemInfo`]).
    Store "store" Binary;
    /// Copies `c` (i64) bytes from `b` to `a`; they are the same or do not overlap. Alignment in [`flags::mem_align_log2`].
    MemCpy "memcpy" Ternary;
    /// Copies `c` (i64) bytes from `b` to `a`, which may overlap.
    MemMove "memmove" Ternary;
    /// Sets `c` (i64) bytes at `a` to `b` (i8).
    MemSet "memset" Ternary;
    /// Atomic load from `a`; orderings in the flags.
    AtomicLoad "atomic_load" Unary;
    /// Atomic store of `b` to `a`.
    AtomicStore "atomic_store" Binary;
    /// Atomic read-modify-write of `a` with `b`; `c` = [`RmwOp`]; gives the old value.
    AtomicRmw "atomic_rmw" Binary;
    /// Atomic compare and exchange at `a`: expected `b`, desired `c`; results: old value, i1 success.
    CmpXchg "cmpxchg" Ternary;
    /// Memory fence; `c` = 1 for a compiler-only (signal) fence.
    Fence "fence" Nullary;
    /// Prefetch of address `a`; `b` = write, `c` = locality.
    Prefetch "prefetch" Unary;

    /// Address `a` plus `b` (i64) bytes.
    PtrAdd "ptradd" Binary;
    /// Address of thread-local symbol `c` for the running thread.
    TlsAddr "tls_addr" Nullary;
    /// Address of the block with label index `c` (see `Function::labels`).
    BlockAddr "block_addr" Nullary;

    /// Integer addition.
    Add "add" Binary;
    /// Integer subtraction.
    Sub "sub" Binary;
    /// Integer multiplication.
    Mul "mul" Binary;
    /// High half of the signed double-width product.
    SMulHi "smulh" Binary;
    /// High half of the unsigned double-width product.
    UMulHi "umulh" Binary;
    /// Signed division, truncating; undefined behaviour on zero and overflow.
    SDiv "sdiv" Binary;
    /// Unsigned division; undefined behaviour on zero.
    UDiv "udiv" Binary;
    /// Signed remainder.
    SRem "srem" Binary;
    /// Unsigned remainder.
    URem "urem" Binary;
    /// Bitwise and.
    And "and" Binary;
    /// Bitwise or.
    Or "or" Binary;
    /// Bitwise exclusive or.
    Xor "xor" Binary;
    /// Left shift; the amount has the type of the value; amounts of the width or more give an unspecified value.
    Shl "shl" Binary;
    /// Logical right shift.
    LShr "lshr" Binary;
    /// Arithmetic right shift.
    AShr "ashr" Binary;
    /// Rotate left by `b` modulo the width.
    Rotl "rotl" Binary;
    /// Rotate right by `b` modulo the width.
    Rotr "rotr" Binary;
    /// Signed minimum.
    SMin "smin" Binary;
    /// Signed maximum.
    SMax "smax" Binary;
    /// Unsigned minimum.
    UMin "umin" Binary;
    /// Unsigned maximum.
    UMax "umax" Binary;
    /// Signed addition with overflow: results value, i1.
    SAddOverflow "sadd_overflow" Binary;
    /// Unsigned addition with overflow: results value, i1.
    UAddOverflow "uadd_overflow" Binary;
    /// Signed subtraction with overflow: results value, i1.
    SSubOverflow "ssub_overflow" Binary;
    /// Unsigned subtraction with overflow: results value, i1.
    USubOverflow "usub_overflow" Binary;
    /// Signed multiplication with overflow: results value, i1.
    SMulOverflow "smul_overflow" Binary;
    /// Unsigned multiplication with overflow: results value, i1.
    UMulOverflow "umul_overflow" Binary;
    /// Leading zero bits; the width for zero unless flagged [`flags::ZERO_UNDEF`].
    Ctlz "ctlz" Unary;
    /// Trailing zero bits; the width for zero unless flagged [`flags::ZERO_UNDEF`].
    Cttz "cttz" Unary;
    /// Number of one bits.
    Popcount "popcount" Unary;
    /// Bytes reversed.
    Bswap "bswap" Unary;
    /// Integer comparison; the flags hold the [`IntCc`]. Gives i1, or a vector of 0/-1 lanes for vectors.
    ICmp "icmp" Binary;

    /// Floating addition.
    FAdd "fadd" Binary;
    /// Floating subtraction.
    FSub "fsub" Binary;
    /// Floating multiplication.
    FMul "fmul" Binary;
    /// Floating division.
    FDiv "fdiv" Binary;
    /// Sign flipped, also of NaN.
    FNeg "fneg" Unary;
    /// Sign cleared, also of NaN.
    FAbs "fabs" Unary;
    /// Correctly rounded square root.
    Sqrt "sqrt" Unary;
    /// `a < b ? a : b` exactly as SSE `min` has it (b if either is NaN).
    FMin "fmin" Binary;
    /// `a > b ? a : b` exactly as SSE `max` has it.
    FMax "fmax" Binary;
    /// Magnitude of `a`, sign of `b`.
    CopySign "copysign" Binary;
    /// Fused multiply-add `a * b + c`.
    Fma "fma" Ternary;
    /// Floating comparison; the flags' low nibble holds the [`FloatCc`].
    FCmp "fcmp" Binary;

    /// Low bits of a wider integer.
    Trunc "trunc" Unary;
    /// Zero extension.
    ZExt "zext" Unary;
    /// Sign extension.
    SExt "sext" Unary;
    /// Conversion to a narrower floating type, rounding.
    FpTrunc "fptrunc" Unary;
    /// Conversion to a wider floating type, exact.
    FpExt "fpext" Unary;
    /// Float to signed integer, truncating; out of range is unspecified.
    FpToSi "fptosi" Unary;
    /// Float to unsigned integer, truncating; out of range is unspecified.
    FpToUi "fptoui" Unary;
    /// Signed integer to float, rounding.
    SiToFp "sitofp" Unary;
    /// Unsigned integer to float, rounding.
    UiToFp "uitofp" Unary;
    /// Address as i64.
    PtrToInt "ptrtoint" Unary;
    /// i64 as address.
    IntToPtr "inttoptr" Unary;
    /// The same bits as another type of the same size.
    Bitcast "bitcast" Unary;

    /// `a` (i1) ? `b` : `c`. A vector condition (0/-1 lanes) selects lane by lane.
    Select "select" Ternary;
    /// An unknown but fixed value: each `undef` instruction is its own.
    Undef "undef" Nullary;
    /// Merge of values by predecessor: `b` values from pool start `a`; `c` = start in the block pool.
    Phi "phi" List;

    /// Lane `b` (constant) of vector `a`.
    ExtractLane "extract_lane" Binary;
    /// Vector `a` with lane `c` (constant i32 value) replaced by `b`.
    InsertLane "insert_lane" Ternary;
    /// A vector with every lane `a`.
    Splat "splat" Unary;
    /// Lanes picked from the concatenation of `a` and `b`; `c` = mask index in the function's shuffle masks.
    Shuffle "shuffle" Binary;

    /// Call: operand 0 is the callee, the others are arguments; `c` = index of [`CallInfo`].
    Call "call" List;
    /// An operation named by [`Intrinsic`] (`c`), with operands in the pool.
    Intrinsic "intrinsic" List;
    /// Inline assembly without labels; `c` = [`crate::AsmId`]; inputs in the pool, register outputs are results.
    Asm "asm" List;
    /// Fills the `va_list` at `a` for the variadic arguments of this function.
    VaStart "va_start" Unary;

    /// Jump to block `c`.
    Br "br" Nullary;
    /// Jump to block `b` if `a` (i1), else to block `c`; the flags hold a [`BranchHint`].
    CondBr "cond_br" Unary;
    /// Multi-way branch on `a`; `c` = [`crate::SwitchId`].
    Switch "switch" Unary;
    /// Jump to the address `a`; `c` = [`crate::TargetsId`].
    IndirectBr "indirect_br" Unary;
    /// Inline assembly with labels (`asm goto`); `c` = [`crate::AsmId`].
    AsmBr "asm_br" List;
    /// Return with the pool's values as results.
    Ret "ret" List;
    /// Control never reaches this point.
    Unreachable "unreachable" Nullary;
}

impl Opcode {
    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        self >= Opcode::Br
    }

    /// Whether the operands of a two-operand operation may be swapped.
    pub fn is_commutative(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Add | Mul
                | SMulHi
                | UMulHi
                | And
                | Or
                | Xor
                | SMin
                | SMax
                | UMin
                | UMax
                | SAddOverflow
                | UAddOverflow
                | SMulOverflow
                | UMulOverflow
                | FAdd
                | FMul
        )
    }
}

/// Flag bits of [`InstData::flags`]; which apply depends on the opcode.
pub mod flags {
    /// Integer arithmetic: signed overflow is undefined behaviour here.
    pub const NSW: u8 = 1;
    /// Integer arithmetic: unsigned overflow is undefined behaviour here.
    pub const NUW: u8 = 2;
    /// Right shifts and divisions: no bits or remainder are lost.
    pub const EXACT: u8 = 4;
    /// `ptradd`: the result stays inside (or one past) the object.
    pub const INBOUNDS: u8 = 8;
    /// `ctlz`/`cttz`: the result for zero is unspecified.
    pub const ZERO_UNDEF: u8 = 1;

    /// Loads, stores, block operations, asm: volatile.
    pub const VOLATILE: u8 = 0x80;
    /// Loads and stores: non-temporal.
    pub const NONTEMPORAL: u8 = 0x40;
    /// Loads of members: the object holds as many bytes as are read in front of them as well ...
    pub const WITH_PREVIOUS: u8 = 0x20;
    /// ... or behind them: a load of the neighbour may run whenever this one does.
    pub const WITH_NEXT: u8 = 0x10;
    /// Block operations: low five bits hold the log2 alignment common to all pointers.
    pub const BLOCK_ALIGN_MASK: u8 = 0x1f;

    /// The log2 alignment of a block operation's flags.
    pub fn mem_align_log2(flags: u8) -> u8 {
        flags & BLOCK_ALIGN_MASK
    }

    /// Float arithmetic (bits 4..): may be contracted into fma.
    pub const CONTRACT: u8 = 0x10;
    /// Float arithmetic: may be reassociated.
    pub const REASSOC: u8 = 0x20;
    /// Float arithmetic: no NaN or infinity occurs.
    pub const FINITE: u8 = 0x40;
    /// Float arithmetic: the sign of zero does not matter; reciprocals allowed.
    pub const NO_SIGNED_ZERO: u8 = 0x80;

    /// Calls: low bits; the call is in tail position and may reuse the frame.
    pub const TAIL: u8 = 1;
    /// Calls: a `musttail` call.
    pub const MUST_TAIL: u8 = 2;
}

macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant),* }
        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// Its name in the textual form.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }
            /// The variant with this number (its position in `ALL`).
            pub fn from_index(index: u32) -> $name {
                $name::ALL[index as usize]
            }
            /// The variant of this textual name.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|x| x.name() == name)
            }
        }
    };
}

text_enum! {
    /// Integer comparison conditions.
    IntCc {
        /// Equal.
        Eq "eq",
        /// Not equal.
        Ne "ne",
        /// Signed less than.
        Slt "slt",
        /// Signed less or equal.
        Sle "sle",
        /// Signed greater than.
        Sgt "sgt",
        /// Signed greater or equal.
        Sge "sge",
        /// Unsigned less than.
        Ult "ult",
        /// Unsigned less or equal.
        Ule "ule",
        /// Unsigned greater than.
        Ugt "ugt",
        /// Unsigned greater or equal.
        Uge "uge",
    }
}

impl IntCc {
    /// The condition that holds exactly when this does not.
    pub fn inverse(self) -> IntCc {
        use IntCc::*;
        [Ne, Eq, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult][self as usize]
    }

    /// The condition with the operands swapped.
    pub fn swapped(self) -> IntCc {
        use IntCc::*;
        [Eq, Ne, Sgt, Sge, Slt, Sle, Ugt, Uge, Ult, Ule][self as usize]
    }

    /// The condition that says the same of numbers whose sign bits are clear, as signed numbers.
    pub fn signed(self) -> IntCc {
        use IntCc::*;
        [Eq, Ne, Slt, Sle, Sgt, Sge, Slt, Sle, Sgt, Sge][self as usize]
    }

    /// Whether it compares as signed numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge)
    }

    /// The condition applied to two numbers of `bits` width (zero-extended).
    pub fn eval(self, a: u128, b: u128, bits: u32) -> bool {
        let signed = |x: u128| ((x << (128 - bits)) as i128) >> (128 - bits);
        let (sa, sb) = (signed(a), signed(b));
        match self {
            IntCc::Eq => a == b,
            IntCc::Ne => a != b,
            IntCc::Slt => sa < sb,
            IntCc::Sle => sa <= sb,
            IntCc::Sgt => sa > sb,
            IntCc::Sge => sa >= sb,
            IntCc::Ult => a < b,
            IntCc::Ule => a <= b,
            IntCc::Ugt => a > b,
            IntCc::Uge => a >= b,
        }
    }
}

text_enum! {
    /// Floating comparison conditions: `O` is false on NaN, `U` is true on NaN.
    FloatCc {
        /// Ordered and equal.
        Oeq "oeq",
        /// Ordered and less.
        Olt "olt",
        /// Ordered and less or equal.
        Ole "ole",
        /// Ordered and greater.
        Ogt "ogt",
        /// Ordered and greater or equal.
        Oge "oge",
        /// Ordered and not equal.
        One "one",
        /// Neither is NaN.
        Ord "ord",
        /// Either is NaN.
        Uno "uno",
        /// Unordered or equal.
        Ueq "ueq",
        /// Unordered or less.
        Ult "ult",
        /// Unordered or less or equal.
        Ule "ule",
        /// Unordered or greater.
        Ugt "ugt",
        /// Unordered or greater or equal.
        Uge "uge",
        /// Unordered or not equal (C's `!=`).
        Une "une",
    }
}

impl FloatCc {
    /// The condition that holds exactly when this does not.
    pub fn inverse(self) -> FloatCc {
        use FloatCc::*;
        [Une, Uge, Ugt, Ule, Ult, Ueq, Uno, Ord, One, Oge, Ogt, Ole, Olt, Oeq][self as usize]
    }

    /// The condition with the operands swapped.
    pub fn swapped(self) -> FloatCc {
        use FloatCc::*;
        [Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une][self as usize]
    }
}

/// Bit 7 of an `fcmp`'s flags: a signalling comparison (`<`, `<=`, ... raise "invalid" on quiet NaN), as C's relational operators do.
pub const FCMP_SIGNALING: u8 = 0x80;

text_enum! {
    /// Atomic read-modify-write operations.
    RmwOp {
        /// Exchange.
        Xchg "xchg",
        /// Addition.
        Add "add",
        /// Subtraction.
        Sub "sub",
        /// Bitwise and.
        And "and",
        /// Bitwise nand.
        Nand "nand",
        /// Bitwise or.
        Or "or",
        /// Bitwise exclusive or.
        Xor "xor",
    }
}

text_enum! {
    /// Memory orders of C11. The flags of an atomic instruction hold the order in bits 0..=2, a cmpxchg's failure order in 3..=5, bit 6 = weak.
    Ordering {
        /// memory_order_relaxed
        Relaxed "relaxed",
        /// memory_order_consume (treated as acquire)
        Consume "consume",
        /// memory_order_acquire
        Acquire "acquire",
        /// memory_order_release
        Release "release",
        /// memory_order_acq_rel
        AcqRel "acq_rel",
        /// memory_order_seq_cst
        SeqCst "seq_cst",
    }
}

text_enum! {
    /// What is known about a conditional branch.
    BranchHint {
        /// Nothing.
        None "none",
        /// The first target is likely.
        Likely "likely",
        /// The first target is unlikely.
        Unlikely "unlikely",
    }
}

text_enum! {
    /// Operations too rare for an opcode of their own. `docs/ir.md` gives operands and results.
    Intrinsic {
        /// `()`: stops the program (`ud2`); does not return.
        Trap "trap",
        /// `(i32 level constant) -> ptr`: the frame address.
        FrameAddress "frame_address",
        /// `(i32 level constant) -> ptr`: the return address.
        ReturnAddress "return_address",
        /// `() -> ptr`: the address of this function's variadic register save area's frame (`__builtin_dwarf_cfa`).
        DwarfCfa "dwarf_cfa",
        /// `() -> ptr`: the argument registers as they were on entry: rdi, rsi, rdx, rcx, r8, r9, then xmm0 to xmm7, 16 bytes each.
        ArgumentRegisters "argument_registers",
        /// `() -> ptr`: the address of this activation's list of armed cleanups, null on entry; unwinding through the function runs them.
        CleanupList "cleanup_list",
        /// `(ptr buf) -> i32`: `__builtin_setjmp`.
        SetJmp "setjmp",
        /// `(ptr buf)`: `__builtin_longjmp`; does not return.
        LongJmp "longjmp",
        /// `(ptr begin, ptr end)`: instruction cache flush (nothing on x86).
        ClearCache "clear_cache",
        /// `()`: the function keeps all registers that it must preserve in its frame, for whoever looks for pointers on the stack.
        UnwindInit "unwind_init",
        /// `(i64 offset, ptr handler)`: leaves the function for `handler`, callee-saved registers, rax and rdx from the frame (where whoever
        /// unwinds may have changed them), the stack pointer `offset` bytes above what a return leaves; does not return.
        EhReturn "eh_return",
        /// `() -> ptr`: the thread pointer.
        ThreadPointer "thread_pointer",
        /// `(x) -> x`: the value, hidden from the optimiser until late; i1 result of `__builtin_constant_p`.
        IsConstant "is_constant",
        /// `(x, expected constant) -> x`: `__builtin_expect`.
        Expect "expect",
        /// `(i1)`: the condition may be assumed.
        Assume "assume",
        /// `(ptr, i64 mode constant) -> i64`: `__builtin_object_size` resolved late. Mode bits: 1 of the closest member, 2 the least
        /// instead of the most, 4 may be computed at run time (`__builtin_dynamic_object_size`).
        ObjectSize "object_size",
        /// `(ptr, i64 bytes, i64 closest constant) -> ptr`: the pointer, with this many bytes of its object behind it; if `closest`, of the
        /// member of which it is the start (-1: as many as the object has). For `ObjectSize`; goes when that is resolved.
        KnownBytes "known_bytes",
        /// `()`: `pause`.
        Pause "pause",
        /// `() -> i64`: time stamp counter.
        Rdtsc "rdtsc",
        /// `(f80|f64|f32 x) -> same`: round to integral in the current mode.
        Rint "rint",
        /// Round toward minus infinity.
        Floor "floor",
        /// Round toward plus infinity.
        Ceil "ceil",
        /// Round toward zero.
        TruncF "truncf",
        /// `(ptr chain)`: defines the static chain register's value at function entry: `() -> ptr`.
        StaticChain "static_chain",
        /// `(ptr block, ptr function, ptr chain)`: writes a nested function's trampoline.
        InitTrampoline "init_trampoline",
        /// `(ptr fp, ptr sp, ptr label)`: non-local goto to an enclosing function's label.
        NonlocalGoto "nonlocal_goto",
        /// `(vector a) -> i32`: sign bits of the lanes (movmskps, movmskpd, pmovmskb).
        MoveMask "movemask",
        /// `(a, b) -> vector`: any two-operand x86 vector instruction; operand 0 is the constant `X86Op` number.
        X86 "x86",
        /// `()`: get x87/SSE control state; reserved for fenv builtins: `() -> i32` mxcsr.
        GetMxcsr "get_mxcsr",
        /// `(i32)`: set mxcsr.
        SetMxcsr "set_mxcsr",
    }
}

/// The memory operand of a load or store: alignment and alias tag, packed into one field.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemInfo {
    /// log2 of the known alignment in bytes.
    pub align_log2: u8,
    /// Type-based alias class.
    pub tag: crate::AliasTag,
}

impl MemInfo {
    /// Packs into the `c` field of a load or store.
    pub fn pack(self) -> u32 {
        self.tag.as_u32() << 8 | self.align_log2 as u32
    }

    /// Unpacks from the `c` field.
    pub fn unpack(bits: u32) -> MemInfo {
        MemInfo { align_log2: bits as u8, tag: crate::AliasTag::from_u32(bits >> 8) }
    }

    /// The alignment in bytes.
    pub fn align(self) -> u32 {
        1 << self.align_log2
    }
}

/// One instruction: 16 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InstData {
    /// What it does.
    pub opcode: Opcode,
    /// Opcode-specific flags; see [`flags`].
    pub flags: u8,
    /// Type of the (first) result; void if none.
    pub ty: Type,
    /// First field; see the opcode's format.
    pub a: u32,
    /// Second field.
    pub b: u32,
    /// Third field.
    pub c: u32,
}

const _: () = assert!(std::mem::size_of::<InstData>() == 16);
