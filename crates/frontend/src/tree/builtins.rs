//! Builtin functions as the tree names them.
//!
//! One variant serves all widths: `__builtin_ctz`, `ctzl` and `ctzll` are [`Builtin::Ctz`], told
//! apart by their argument's type. Two kinds exist. *Operations* occur as `ExprKind::Builtin` and
//! have no library function for them. *Library* builtins occur as ordinary calls of a declared
//! function whose [`Decl::builtin`](super::Decl::builtin) names the variant, so that optimisers
//! know what it computes; a call is always a correct translation.

macro_rules! builtins {
    ($($name:ident $doc:literal;)*) => {
        /// A builtin function.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Builtin {
            $(#[doc = $doc] $name,)*
            /// An x86 vector builtin: index into `sema::builtins::x86::TABLE`. Arguments and result
            /// have the types of its prototype.
            X86(u16),
        }
    };
}

builtins! {
    // Operations.
    Ffs "Index of the least significant set bit plus one, 0 for 0. Argument signed; result `int`.";
    Clz "Leading zeros; undefined for 0. Argument unsigned; result `int`.";
    Ctz "Trailing zeros; undefined for 0. Argument unsigned; result `int`.";
    Clrsb "Leading redundant sign bits. Argument signed; result `int`.";
    Popcount "Set bits. Argument unsigned; result `int`.";
    Parity "Set bits modulo 2. Argument unsigned; result `int`.";
    Bswap "Bytes reversed. Argument and result unsigned of 16, 32, 64 or 128 bits.";
    Expect "`(value, expected)`, both `long`; the result is `value`.";
    ExpectWithProbability "`(value, expected, probability)`; the probability is a `double` constant.";
    Unreachable "Control never gets here.";
    Trap "Raises SIGILL.";
    Prefetch "`(address, rw, locality)`: the last two are `int` constants, always present.";
    AssumeAligned "`(pointer, align, offset)`, `const void *`, `size_t`, `size_t`, always three; the result is the pointer as `void *`.";
    ObjectSize "`(pointer, kind)`: bytes behind the pointer; kind 0..3 constant; unknown is -1 for 0 and 1, 0 for 2 and 3.";
    DynamicObjectSize "Like `ObjectSize`, may be computed at run time.";
    FrameAddress "`(level)`, a constant. Result `void *`.";
    ReturnAddress "`(level)`, a constant. Result `void *`.";
    ExtractReturnAddr "Identity on this target.";
    DwarfCfa "Canonical frame address.";
    UnwindInit "Saves all call-saved registers in the frame.";
    EhReturn "`(offset, handler)`: unwinder's return.";
    EhReturnDataRegno "Register number for exception data; folded.";
    ApplyArgs "`()`: the arguments of the function as they came. Result `void *`.";
    Apply "`(function, arguments, bytes of stack arguments)`; the last is constant. Result `void *`, all a call can return.";
    ApplyReturn "`(result of Apply)`: returns it from the function.";
    Alloca "`(bytes)`: memory of the function's frame, 16-aligned.";
    AllocaWithAlign "`(bytes, align in bits)`, the latter constant; freed at the end of the block.";
    AllocaWithAlignAndMax "`(bytes, align in bits, maximum)`";
    StackSave "The stack pointer.";
    StackRestore "Sets the stack pointer.";
    Setjmp "`(buffer)`: `void **` of five words. Result `int`.";
    Longjmp "`(buffer, 1)`";
    VaStart "`(pointer to __va_list_tag)`; the second argument has been checked and dropped.";
    NextArg "`()`: address of the first anonymous argument on the stack. Result `void *`.";
    VaEnd "`(pointer to __va_list_tag)`";
    VaCopy "`(destination, source)`: pointers to `__va_list_tag`.";
    MsVaStart "`(pointer to __builtin_ms_va_list)`; the second argument has been checked and dropped.";
    MsVaCopy "`(pointer to __builtin_ms_va_list, value of one)`";
    VaArgPack "`__builtin_va_arg_pack()`: all anonymous arguments of an inlined function.";
    VaArgPackLen "`__builtin_va_arg_pack_len()`";
    ConstantP "Argument that is not constant to the front end; unevaluated. An optimiser may still find it constant.";
    IsNan "Argument real floating; result `int`.";
    IsInf "Nonzero for an infinity.";
    IsInfSign "1, -1 or 0.";
    IsFinite "Neither infinite nor NaN.";
    IsNormal "Normal number.";
    IsSignaling "Signalling NaN.";
    SignBit "Nonzero if the sign bit is set.";
    Fpclassify "`(nan, inf, normal, subnormal, zero, x)`: five `int`s and a real floating value.";
    IsGreater "Quiet comparison; both arguments of one type.";
    IsGreaterEqual "Quiet comparison.";
    IsLess "Quiet comparison.";
    IsLessEqual "Quiet comparison.";
    IsLessGreater "Quiet comparison.";
    IsUnordered "One argument is a NaN.";
    CpuInit "`__builtin_cpu_init()`";
    CpuSupports "`(\"feature\")`: the argument is a string literal.";
    CpuIs "`(\"cpu\")`: the argument is a string literal.";
    VectorShuffle "`(a, b, mask)` or `(a, mask)` with a mask that is not constant; lane numbers are taken modulo the lane count.";
    ClearCache "`(begin, end)`: nothing on this target.";
    ThreadPointer "The thread pointer, `void *`.";
    SpeculationSafeValue "`(value, failed)`: the value.";
    NonlocalGoto "Jump out of a nested function; made by sema.";
    CallWithStaticChain "`(call, chain)`: a [`Call`](super::ExprKind::Call) node and the pointer that it passes as static chain.";
    AssocBarrier "`__builtin_assoc_barrier(x)`: the value, kept apart from the operators around it.";
    Clear "`__builtin_clear_padding(pointer)`: zeroes padding bytes of the pointed-to type.";
    Rdtsc "`__builtin_ia32_rdtsc()`";
    Pause "`__builtin_ia32_pause()`";

    // Library functions with a meaning optimisers use. Suffixes f and l share the variant.
    Abs "`abs`, `labs`, `llabs`, `imaxabs`";
    Fabs "`fabs`";
    Copysign "`copysign`";
    Sqrt "`sqrt`";
    Fmin "`fmin`";
    Fmax "`fmax`";
    Fma "`fma`";
    Floor "`floor`";
    Ceil "`ceil`";
    Trunc "`trunc`";
    Round "`round`";
    Roundeven "`roundeven`";
    Rint "`rint`";
    Nearbyint "`nearbyint`";
    Lrint "`lrint`, `llrint`";
    Lround "`lround`, `llround`";
    Pow "`pow`";
    Powi "`__builtin_powi`: a helper of the support library.";
    Exp "`exp`";
    Log "`log`";
    Sin "`sin`";
    Cos "`cos`";
    Fmod "`fmod`";
    Ldexp "`ldexp`";
    Frexp "`frexp`";
    Modf "`modf`";
    Memcpy "`memcpy`";
    Memmove "`memmove`";
    Mempcpy "`mempcpy`";
    Memset "`memset`";
    Memcmp "`memcmp`";
    Memchr "`memchr`";
    Bzero "`bzero`";
    Bcopy "`bcopy`";
    Bcmp "`bcmp`";
    Strlen "`strlen`";
    Strnlen "`strnlen`";
    Strcmp "`strcmp`";
    Strncmp "`strncmp`";
    Strcpy "`strcpy`";
    Stpcpy "`stpcpy`";
    Strncpy "`strncpy`";
    Stpncpy "`stpncpy`";
    Strcat "`strcat`";
    Strncat "`strncat`";
    Strchr "`strchr`, `index`";
    Strrchr "`strrchr`, `rindex`";
    Strstr "`strstr`";
    Strspn "`strspn`";
    Strcspn "`strcspn`";
    Strpbrk "`strpbrk`";
    Strdup "`strdup`, `strndup`";
    Printf "`printf`";
    Fprintf "`fprintf`";
    Sprintf "`sprintf`";
    Snprintf "`snprintf`";
    Vprintf "`vprintf`";
    Vfprintf "`vfprintf`";
    Vsprintf "`vsprintf`";
    Vsnprintf "`vsnprintf`";
    Scanf "`scanf` and its relatives.";
    Puts "`puts`";
    Putchar "`putchar`";
    Fputs "`fputs`";
    Fputc "`fputc`";
    Fwrite "`fwrite`";
    Malloc "`malloc`";
    Calloc "`calloc`";
    Realloc "`realloc`";
    AlignedAlloc "`aligned_alloc`";
    Free "`free`";
    Abort "`abort`";
    Exit "`exit`, `_exit`, `_Exit`";
    Toupper "`toupper`, `tolower`";
    IsAlpha "`isalpha` and its relatives.";
    Library "Any other known library function.";
}

/// What an atomic node does. `ptr`, `value`, `expected` are fields of [`Atomic`](super::Atomic).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AtomicOp {
    /// `*ptr`; the node has the value type.
    Load,
    /// `*ptr = value`; void.
    Store,
    /// Stores `value`, gives the old value.
    Exchange,
    /// `__atomic_compare_exchange`: `expected` is an address that receives the current value on
    /// failure. Result `_Bool`.
    CompareExchange {
        /// May fail spuriously.
        weak: bool,
    },
    /// `__sync_bool_compare_and_swap`: `expected` is a value. Result `_Bool`.
    SyncBoolCompareAndSwap,
    /// `__sync_val_compare_and_swap`: `expected` is a value. Result the old value.
    SyncValCompareAndSwap,
    /// Combines; gives the old value.
    FetchOp(FetchOp),
    /// Combines; gives the new value.
    OpFetch(FetchOp),
    /// `__atomic_test_and_set`: stores 1 to the byte, gives whether it was nonzero. Result `_Bool`.
    TestAndSet,
    /// `__atomic_clear`: stores 0 to the byte; void.
    Clear,
    /// `__atomic_thread_fence`, `__sync_synchronize`; void.
    ThreadFence,
    /// `__atomic_signal_fence`: stops the compiler only; void.
    SignalFence,
}

/// How fetch-and-op combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum FetchOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// `~(old & value)`
    Nand,
}

/// Memory orders with the numbers of `__ATOMIC_*`. An order that is not constant counts as
/// sequentially consistent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum MemoryOrder {
    Relaxed = 0,
    Consume = 1,
    Acquire = 2,
    Release = 3,
    AcqRel = 4,
    SeqCst = 5,
}

impl Builtin {
    /// Whether the operation does nothing but compute a value from its arguments. Conservative.
    pub fn only_computes(self) -> bool {
        use Builtin::*;
        matches!(self, Expect | ConstantP | ObjectSize | DynamicObjectSize | Popcount | Clz | Ctz | Bswap)
    }
}
