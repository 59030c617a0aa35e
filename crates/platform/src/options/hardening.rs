//! Choices that the Linux kernel and hardened programs make about branches, function entries and
//! the stack guard.
//!
//! The meanings are gcc 12's (`invoke.texi`, "x86 Options" and "Instrumentation Options").

/// `-mindirect-branch=`, `-mfunction-return=` and the attributes `indirect_branch` and
/// `function_return`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Thunk {
    /// The branch is an ordinary instruction.
    #[default]
    Keep,
    /// It goes through a thunk that this unit defines.
    Thunk,
    /// The thunk's instructions stand in its place.
    Inline,
    /// It goes through a thunk that is defined elsewhere.
    Extern,
}

impl Thunk {
    /// Every kind with gcc's name.
    pub const NAMES: [(&'static str, Thunk); 4] = [
        ("keep", Thunk::Keep),
        ("thunk", Thunk::Thunk),
        ("thunk-inline", Thunk::Inline),
        ("thunk-extern", Thunk::Extern),
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Thunk> {
        Thunk::NAMES.iter().find(|(n, _)| *n == name).map(|&(_, kind)| kind)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Thunk::NAMES[self as usize].0
    }
}

/// How indirect branches and returns are guarded against speculation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Speculation {
    /// `-mindirect-branch=`
    pub indirect_branch: Thunk,
    /// `-mfunction-return=`
    pub function_return: Thunk,
    /// `-mindirect-branch-register`: indirect branches take their target from a register.
    pub register: bool,
    /// `-mindirect-branch-cs-prefix`: branches to thunks of `r8` to `r15` are as long as `lfence;
    /// jmp`.
    pub cs_prefix: bool,
    /// `-mharden-sls=return`: `int3` follows returns.
    pub after_return: bool,
    /// `-mharden-sls=indirect-jmp`: `int3` follows indirect jumps.
    pub after_jump: bool,
}

/// A segment register that addresses per-thread or per-processor data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SegmentRegister {
    /// `fs`
    Fs,
    /// `gs`
    Gs,
}

/// Where `-fstack-protector` finds the guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackGuard {
    /// `-mstack-protector-guard=global`: it is the variable `__stack_chk_guard`.
    pub global: bool,
    /// `-mstack-protector-guard-reg=`; without it `gs` in the kernel's code model, `fs` in others.
    pub segment: Option<SegmentRegister>,
    /// `-mstack-protector-guard-offset=`: offset in the segment.
    pub offset: i32,
    /// `-mstack-protector-guard-symbol=`: the symbol that has the place of the offset.
    pub symbol: Option<Box<str>>,
}

impl Default for StackGuard {
    fn default() -> StackGuard {
        // glibc's and musl's thread control blocks.
        StackGuard { global: false, segment: None, offset: 0x28, symbol: None }
    }
}

/// What is left at a function's entry for tools that change it at run time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// `-fpatchable-function-entry=N,M`: N one-byte no-ops, M of them before the entry.
    pub patchable: (u16, u16),
    /// `-mrecord-mcount`: the addresses of profiling calls are in a section.
    pub record: bool,
    /// `-mnop-mcount`: a no-op has the place of the profiling call.
    pub nop: bool,
    /// `-mfentry-name=`: the function that is called instead of the usual one.
    pub name: Option<Box<str>>,
    /// `-mfentry-section=`: the section of the addresses instead of `__mcount_loc`.
    pub section: Option<Box<str>>,
    /// `-minstrument-return=`: what stands before returns of profiled functions.
    pub at_return: AtReturn,
    /// `-mrecord-return`: the addresses of what `at_return` asks for are in the section
    /// `__return_loc`.
    pub record_return: bool,
}

/// `-minstrument-return=`
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AtReturn {
    /// Nothing.
    #[default]
    None,
    /// A call of `__return__`.
    Call,
    /// A no-op of five bytes.
    Nop5,
}
