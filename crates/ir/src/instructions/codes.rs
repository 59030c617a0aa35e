//! The codes that instructions carry: conditions, read-modify-write operations, memory orders,
//! hints, intrinsics.

use super::view::Field;
use super::{Opcode, Traits};

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
            pub(crate) fn from_index(index: u32) -> $name {
                $name::ALL[index as usize]
            }
            /// The variants, the first one again up to a power of two: reading a code needs no
            /// check.
            const BY_BITS: [$name; $name::ALL.len().next_power_of_two()] = {
                let mut table = [$name::ALL[0]; $name::ALL.len().next_power_of_two()];
                let mut index = 0;
                while index < $name::ALL.len() {
                    table[index] = $name::ALL[index];
                    index += 1;
                }
                table
            };
            /// The variant of this textual name.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|x| x.name() == name)
            }
        }
        impl Field for $name {
            #[inline(always)]
            fn from_bits(bits: u32) -> $name {
                debug_assert!((bits as usize) < $name::ALL.len(), "no code {bits} of {}", stringify!($name));
                $name::BY_BITS[bits as usize & ($name::BY_BITS.len() - 1)]
            }
            #[inline(always)]
            fn to_bits(self) -> u32 {
                self as u32
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

    /// The condition that says of unsigned numbers what this one says of signed ones.
    pub fn unsigned(self) -> IntCc {
        use IntCc::*;
        [Eq, Ne, Ult, Ule, Ugt, Uge, Ult, Ule, Ugt, Uge][self as usize]
    }

    /// The condition under which a minimum or maximum is its first operand.
    pub fn of_min_max(opcode: Opcode) -> Option<IntCc> {
        match opcode {
            Opcode::SMin => Some(IntCc::Slt),
            Opcode::SMax => Some(IntCc::Sgt),
            Opcode::UMin => Some(IntCc::Ult),
            Opcode::UMax => Some(IntCc::Ugt),
            _ => None,
        }
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
    /// Memory orders of C11. The flags of an atomic instruction hold the order in bits 0..=2, a
    /// cmpxchg's failure order in 3..=5, bit 6 = weak.
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

/// [`text_enum`] with what each operation does besides computing its result.
macro_rules! intrinsics {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident $text:literal [$($property:ident)*]),* $(,)? }) => {
        text_enum! { $(#[$doc])* $name { $($(#[$vdoc])* $variant $text),* } }
        impl $name {
            /// What it does besides computing its result.
            #[inline]
            pub fn traits(self) -> Traits {
                const TRAITS: &[Traits] = &[$(Traits::none()$(.and(Traits::$property))*),*];
                TRAITS[self as usize]
            }
        }
    };
}

intrinsics! {
    /// Operations too rare for an opcode of their own. `docs/ir.md` gives operands and results.
    Intrinsic {
        /// `()`: stops the program (`ud2`); does not return.
        Trap "trap" [READS WRITES KEPT],
        /// `(i32 level constant) -> ptr`: the frame address.
        FrameAddress "frame_address" [],
        /// `(i32 level constant) -> ptr`: the return address.
        ReturnAddress "return_address" [],
        /// `() -> ptr`: the address of this function's variadic register save area's frame
        /// (`__builtin_dwarf_cfa`).
        DwarfCfa "dwarf_cfa" [],
        /// `() -> ptr`: the argument registers as they were on entry: rdi, rsi, rdx, rcx, r8, r9,
        /// then xmm0 to xmm7, 16 bytes each.
        ArgumentRegisters "argument_registers" [],
        /// `() -> ptr`: the address of this activation's list of armed cleanups, null on entry;
        /// unwinding through the function runs them.
        CleanupList "cleanup_list" [],
        /// `(ptr buf) -> i32`: `__builtin_setjmp`.
        SetJmp "setjmp" [READS WRITES KEPT],
        /// `(ptr buf)`: `__builtin_longjmp`; does not return.
        LongJmp "longjmp" [READS WRITES KEPT],
        /// `(ptr begin, ptr end)`: instruction cache flush (nothing on x86).
        ClearCache "clear_cache" [READS WRITES KEPT],
        /// `()`: the function keeps all registers that it must preserve in its frame, for whoever
        /// looks for pointers on the stack.
        UnwindInit "unwind_init" [READS WRITES KEPT],
        /// `(i64 offset, ptr handler)`: leaves the function for `handler`, callee-saved registers,
        /// rax and rdx from the frame (where whoever unwinds may have changed them), the stack
        /// pointer `offset` bytes above what a return leaves; does not return.
        EhReturn "eh_return" [READS WRITES KEPT],
        /// `() -> ptr`: the thread pointer.
        ThreadPointer "thread_pointer" [],
        /// `(x) -> x`: the value, hidden from the optimiser until late; i1 result of
        /// `__builtin_constant_p`.
        IsConstant "is_constant" [],
        /// `(x, expected constant) -> x`: `__builtin_expect`.
        Expect "expect" [],
        /// `(i1)`: the condition may be assumed.
        Assume "assume" [KEPT],
        /// `(ptr, i64 mode constant) -> i64`: `__builtin_object_size` resolved late. Mode bits: 1
        /// of the closest member, 2 the least instead of the most, 4 may be computed at run time
        /// (`__builtin_dynamic_object_size`), 8 only where that takes no phis (sanitizers).
        ObjectSize "object_size" [],
        /// `(ptr, i64 bytes, i64 closest constant) -> ptr`: the pointer, with this many bytes of
        /// its object after it; if `closest`, of the member of which it is the start (-1: as many
        /// as the object has). For `ObjectSize`; goes when that is resolved.
        KnownBytes "known_bytes" [],
        /// `(ptr)`: the scope of the variable at this address begins. As
        /// [`crate::Opcode::LifetimeStart`], but nothing is concluded from it: for sanitizers.
        ScopeBegin "scope_begin" [READS WRITES KEPT],
        /// `(ptr)`: the scope of the variable at this address ends. What accesses it afterwards
        /// does so in the program's memory.
        ScopeEnd "scope_end" [READS WRITES KEPT],
        /// `()`: `pause`.
        Pause "pause" [READS WRITES KEPT],
        /// `() -> i64`: time stamp counter.
        Rdtsc "rdtsc" [READS WRITES KEPT],
        /// `(f80|f64|f32 x) -> same`: round to integral in the current mode.
        Rint "rint" [PURE],
        /// Round toward minus infinity.
        Floor "floor" [PURE],
        /// Round toward plus infinity.
        Ceil "ceil" [PURE],
        /// Round toward zero.
        TruncF "truncf" [PURE],
        /// `(ptr chain)`: defines the static chain register's value at function entry: `() -> ptr`.
        StaticChain "static_chain" [],
        /// `(ptr block, ptr function, ptr chain)`: writes a nested function's trampoline.
        InitTrampoline "init_trampoline" [READS WRITES KEPT],
        /// `(ptr fp, ptr sp, ptr label)`: non-local goto to an enclosing function's label.
        NonlocalGoto "nonlocal_goto" [READS WRITES KEPT],
        /// `(vector a) -> i32`: sign bits of the lanes (movmskps, movmskpd, pmovmskb).
        MoveMask "movemask" [PURE],
        /// `(ptr, mask, vector)`: stores the lanes, of 4 or 8 bytes, whose mask has its sign bit
        /// set, in functions with AVX (`vmaskmovps`, `vmaskmovpd`). What the others would be
        /// stored to is not touched.
        MaskedStore "masked_store" [WRITES KEPT],
        /// `(a, b) -> vector`: any two-operand x86 vector instruction; operand 0 is the constant
        /// `X86Op` number.
        X86 "x86" [PURE],
        /// `()`: get x87/SSE control state; reserved for fenv builtins: `() -> i32` mxcsr.
        GetMxcsr "get_mxcsr" [],
        /// `(i32)`: set mxcsr.
        SetMxcsr "set_mxcsr" [READS WRITES KEPT],
        /// `(ptr, i32 size constant) -> f80`: the `float` (4 bytes) or `double` (8) in memory, in
        /// functions without SSE registers.
        X87Load "x87_load" [READS WRITES KEPT],
        /// `(ptr, f80, i32 size constant)`: stores the value rounded to `float` or `double`.
        X87Store "x87_store" [READS WRITES KEPT],
    }
}
