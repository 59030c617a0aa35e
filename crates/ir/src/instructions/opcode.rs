//! The table of opcodes: name, textual name, shape of the record, and what every pass asks.

use super::{Format, Shape};

/// What an opcode or intrinsic does besides computing its results; a set of bits.
///
/// The tables say it for the operation as such. What an instruction does is the answer of
/// [`crate::effects`], which also looks at its flags, operands and callee.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Traits(u8);

impl Traits {
    /// May read memory that the program sees.
    pub const READS: Traits = Traits(1);
    /// May write memory that the program sees.
    pub const WRITES: Traits = Traits(2);
    /// Orders the memory accesses around it.
    pub const ORDERED: Traits = Traits(4);
    /// A function of its operands alone: equal instances give equal results, and it may run
    /// wherever its operands are available.
    pub const PURE: Traits = Traits(8);
    /// May trap for some operands, so that it must not run where the program does not.
    pub const TRAPS: Traits = Traits(16);
    /// The first two operands may be swapped.
    pub const COMMUTES: Traits = Traits(32);

    /// Must stay although nobody uses its results.
    pub const KEPT: Traits = Traits(64);

    /// Nothing at all.
    pub const fn none() -> Traits {
        Traits(0)
    }

    /// Both sets.
    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether every bit of `other` is set.
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident $text:literal $shape:ident [$($property:ident)*];)*) => {
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
            /// How its record is read.
            #[inline]
            pub(crate) fn shape(self) -> Shape {
                const SHAPES: &[Shape] = &[$(Shape::$shape),*];
                SHAPES[self as usize]
            }
            /// Where its value operands are.
            #[inline]
            pub fn format(self) -> Format {
                const FORMATS: &[Format] = &[$(Shape::$shape.format()),*];
                FORMATS[self as usize]
            }
            /// What it does besides computing its results.
            #[inline]
            pub fn traits(self) -> Traits {
                const TRAITS: &[Traits] = &[$(Traits::none()$(.and(Traits::$property))*),*];
                TRAITS[self as usize]
            }
        }
    };
}

opcodes! {
    /// A stack slot of fixed size: `a` = log2 alignment, `b`/`c` = low/high half of the size in
    /// bytes.
    Alloca "alloca" Alloca [];
    /// A stack block of `a` (i64) bytes, aligned to 2^`b`; lives until the matching stack restore
    /// or return.
    DynAlloca "dyn_alloca" DynAlloca [];
    /// The current stack pointer, for `stack_restore`. It stays without one: it marks the array
    /// that follows for `fixed_allocas`.
    StackSave "stack_save" Nullary [KEPT];
    /// Frees every `dyn_alloca` since the `stack_save` that gave `a`.
    StackRestore "stack_restore" Unary [WRITES KEPT];
    /// From here the alloca `a` holds undef (start of its scope).
    LifetimeStart "lifetime_start" Unary [WRITES KEPT];
    /// From here the alloca `a` is dead.
    LifetimeEnd "lifetime_end" Unary [WRITES KEPT];
    /// Keeps the value `a` for a debugger up to here; no code.
    Keep "keep" Unary [KEPT];
    /// Loads the result type from `a`; `c` = memory operand ([`MemInfo`]).
    Load "load" Load [READS];
    /// Stores `b` to `a`; `c` = memory operand ([`MemInfo`]).
    Store "store" Store [WRITES KEPT];
    /// Copies `c` (i64) bytes from `b` to `a`; they are the same or do not overlap. Alignment in
    /// [`flags::mem_align_log2`].
    MemCpy "memcpy" BlockOp [READS WRITES KEPT];
    /// Copies `c` (i64) bytes from `b` to `a`, which may overlap.
    MemMove "memmove" BlockOp [READS WRITES KEPT];
    /// Sets `c` (i64) bytes at `a` to `b` (i8).
    MemSet "memset" BlockOp [WRITES KEPT];
    /// Atomic load from `a`; orderings in the flags.
    AtomicLoad "atomic_load" AtomicLoad [READS WRITES ORDERED KEPT];
    /// Atomic store of `b` to `a`.
    AtomicStore "atomic_store" AtomicStore [READS WRITES ORDERED KEPT];
    /// Atomic read-modify-write of `a` with `b`; `c` = [`RmwOp`]; gives the old value.
    AtomicRmw "atomic_rmw" AtomicRmw [READS WRITES ORDERED KEPT];
    /// Atomic compare and exchange at `a`: expected `b`, desired `c`; results: old value, i1
    /// success.
    CmpXchg "cmpxchg" CmpXchg [READS WRITES ORDERED KEPT];
    /// Memory fence; `c` = 1 for a compiler-only (signal) fence.
    Fence "fence" Fence [READS WRITES ORDERED KEPT];
    /// Prefetch of address `a`; `b` = write, `c` = locality.
    Prefetch "prefetch" Prefetch [KEPT];

    /// Address `a` plus `b` (i64) bytes.
    PtrAdd "ptradd" Binary [PURE];
    /// Address of thread-local symbol `c` for the running thread.
    TlsAddr "tls_addr" TlsAddr [PURE];
    /// Address of the block with label index `c` (see `Function::labels`).
    BlockAddr "block_addr" BlockAddr [PURE];

    /// Integer addition.
    Add "add" Binary [PURE COMMUTES];
    /// Integer subtraction.
    Sub "sub" Binary [PURE];
    /// Integer multiplication.
    Mul "mul" Binary [PURE COMMUTES];
    /// High half of the signed double-width product.
    SMulHi "smulh" Binary [PURE COMMUTES];
    /// High half of the unsigned double-width product.
    UMulHi "umulh" Binary [PURE COMMUTES];
    /// Signed division, truncating; undefined behaviour on zero and overflow.
    SDiv "sdiv" Binary [PURE TRAPS];
    /// Unsigned division; undefined behaviour on zero.
    UDiv "udiv" Binary [PURE TRAPS];
    /// Signed remainder.
    SRem "srem" Binary [PURE TRAPS];
    /// Unsigned remainder.
    URem "urem" Binary [PURE TRAPS];
    /// Bitwise and.
    And "and" Binary [PURE COMMUTES];
    /// Bitwise or.
    Or "or" Binary [PURE COMMUTES];
    /// Bitwise exclusive or.
    Xor "xor" Binary [PURE COMMUTES];
    /// Left shift; the amount has the type of the value; amounts of the width or more give an
    /// unspecified value.
    Shl "shl" Binary [PURE];
    /// Logical right shift.
    LShr "lshr" Binary [PURE];
    /// Arithmetic right shift.
    AShr "ashr" Binary [PURE];
    /// Rotate left by `b` modulo the width.
    Rotl "rotl" Binary [PURE];
    /// Rotate right by `b` modulo the width.
    Rotr "rotr" Binary [PURE];
    /// Signed minimum.
    SMin "smin" Binary [PURE COMMUTES];
    /// Signed maximum.
    SMax "smax" Binary [PURE COMMUTES];
    /// Unsigned minimum.
    UMin "umin" Binary [PURE COMMUTES];
    /// Unsigned maximum.
    UMax "umax" Binary [PURE COMMUTES];
    /// Signed addition with overflow: results value, i1.
    SAddOverflow "sadd_overflow" Binary [PURE COMMUTES];
    /// Unsigned addition with overflow: results value, i1.
    UAddOverflow "uadd_overflow" Binary [PURE COMMUTES];
    /// Signed subtraction with overflow: results value, i1.
    SSubOverflow "ssub_overflow" Binary [PURE];
    /// Unsigned subtraction with overflow: results value, i1.
    USubOverflow "usub_overflow" Binary [PURE];
    /// Signed multiplication with overflow: results value, i1.
    SMulOverflow "smul_overflow" Binary [PURE COMMUTES];
    /// Unsigned multiplication with overflow: results value, i1.
    UMulOverflow "umul_overflow" Binary [PURE COMMUTES];
    /// Leading zero bits; the width for zero unless flagged [`flags::ZERO_UNDEF`].
    Ctlz "ctlz" Unary [PURE];
    /// Trailing zero bits; the width for zero unless flagged [`flags::ZERO_UNDEF`].
    Cttz "cttz" Unary [PURE];
    /// Number of one bits.
    Popcount "popcount" Unary [PURE];
    /// Bytes reversed.
    Bswap "bswap" Unary [PURE];
    /// Integer comparison; the flags hold the [`IntCc`]. Gives i1, or a vector of 0/-1 lanes for
    /// vectors.
    ICmp "icmp" ICmp [PURE];

    /// Floating addition.
    FAdd "fadd" Binary [PURE COMMUTES];
    /// Floating subtraction.
    FSub "fsub" Binary [PURE];
    /// Floating multiplication.
    FMul "fmul" Binary [PURE COMMUTES];
    /// Floating division.
    FDiv "fdiv" Binary [PURE];
    /// Sign flipped, also of NaN.
    FNeg "fneg" Unary [PURE];
    /// Sign cleared, also of NaN.
    FAbs "fabs" Unary [PURE];
    /// Correctly rounded square root.
    Sqrt "sqrt" Unary [PURE];
    /// `a < b ? a : b` exactly as SSE `min` has it (b if either is NaN).
    FMin "fmin" Binary [PURE];
    /// `a > b ? a : b` exactly as SSE `max` has it.
    FMax "fmax" Binary [PURE];
    /// Magnitude of `a`, sign of `b`.
    CopySign "copysign" Binary [PURE];
    /// Fused multiply-add `a * b + c`.
    Fma "fma" Ternary [PURE];
    /// Floating comparison; the flags' low nibble holds the [`FloatCc`].
    FCmp "fcmp" FCmp [PURE];

    /// Low bits of a wider integer.
    Trunc "trunc" Unary [PURE];
    /// Zero extension.
    ZExt "zext" Unary [PURE];
    /// Sign extension.
    SExt "sext" Unary [PURE];
    /// Conversion to a narrower floating type, rounding.
    FpTrunc "fptrunc" Unary [PURE];
    /// Conversion to a wider floating type, exact.
    FpExt "fpext" Unary [PURE];
    /// Float to signed integer, truncating; out of range is unspecified.
    FpToSi "fptosi" Unary [PURE];
    /// Float to unsigned integer, truncating; out of range is unspecified.
    FpToUi "fptoui" Unary [PURE];
    /// Signed integer to float, rounding.
    SiToFp "sitofp" Unary [PURE];
    /// Unsigned integer to float, rounding.
    UiToFp "uitofp" Unary [PURE];
    /// Address as i64.
    PtrToInt "ptrtoint" Unary [PURE];
    /// i64 as address.
    IntToPtr "inttoptr" Unary [PURE];
    /// The same bits as another type of the same size.
    Bitcast "bitcast" Unary [PURE];

    /// `a` (i1) ? `b` : `c`. A vector condition (0/-1 lanes) selects lane by lane.
    Select "select" Select [PURE];
    /// An unknown but fixed value: each `undef` instruction is its own.
    Undef "undef" Nullary [];
    /// Merge of values by predecessor: `b` values from pool start `a`; `c` = start in the block
    /// pool.
    Phi "phi" Phi [];

    /// Lane `b` (constant) of vector `a`.
    ExtractLane "extract_lane" Binary [PURE];
    /// Vector `a` with lane `c` (constant i32 value) replaced by `b`.
    InsertLane "insert_lane" Ternary [PURE];
    /// A vector with every lane `a`.
    Splat "splat" Unary [PURE];
    /// Lanes picked from the concatenation of `a` and `b`; `c` = mask index in the function's
    /// shuffle masks.
    Shuffle "shuffle" Shuffle [PURE];

    /// Call: operand 0 is the callee, the others are arguments; `c` = index of [`CallInfo`].
    Call "call" Call [READS WRITES];
    /// An operation named by [`Intrinsic`] (`c`), with operands in the pool.
    Intrinsic "intrinsic" Intrinsic [READS WRITES];
    /// Inline assembly without labels; `c` = [`crate::AsmId`]; inputs in the pool, register outputs
    /// are results.
    Asm "asm" Asm [READS WRITES];
    /// Fills the `va_list` at `a` for the variadic arguments of this function.
    VaStart "va_start" Unary [WRITES KEPT];

    /// Jump to block `c`.
    Br "br" Br [KEPT];
    /// Jump to block `b` if `a` (i1), else to block `c`; the flags hold a [`BranchHint`].
    CondBr "cond_br" CondBr [KEPT];
    /// Multi-way branch on `a`; `c` = [`crate::SwitchId`].
    Switch "switch" Switch [KEPT];
    /// Jump to the address `a`; `c` = [`crate::TargetsId`].
    IndirectBr "indirect_br" IndirectBr [KEPT];
    /// Inline assembly with labels (`asm goto`); `c` = [`crate::AsmId`].
    AsmBr "asm_br" Asm [READS WRITES KEPT];
    /// Return with the pool's values as results.
    Ret "ret" Ret [READS KEPT];
    /// Control never reaches this point.
    Unreachable "unreachable" Nullary [KEPT];
}

impl Opcode {
    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        self >= Opcode::Br
    }

    /// Bitwise logic and shifts of integers.
    pub fn is_bitwise(self) -> bool {
        matches!(self, Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Shl | Opcode::LShr | Opcode::AShr)
    }

    /// The smaller or larger of two integers.
    pub fn is_min_max(self) -> bool {
        matches!(self, Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax)
    }

    /// Arithmetic with a second result that says whether it overflowed.
    pub fn tells_overflow(self) -> bool {
        use Opcode::*;
        matches!(self, SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow)
    }

    /// Whether the operands of a two-operand operation may be swapped.
    pub fn is_commutative(self) -> bool {
        self.traits().has(Traits::COMMUTES)
    }
}
