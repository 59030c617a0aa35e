//! Attributes as data. `sema::attributes` checks and converts the syntax; what only matters there
//! (`mode`, `vector_size`, `packed`, ...) has already changed the type and is not kept.

use base::Symbol;
use cranelift_entity::entity_impl;
use platform::options::{Sanitizers, Thunk, TlsModel, Visibility};

use super::decls::DeclId;

/// Handle of a declaration's merged attributes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttrsId(u32);
entity_impl!(AttrsId, "attrs");

/// Attributes without arguments, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct AttrFlags(pub u64);

macro_rules! attr_flags {
    ($($bit:literal $name:ident $spelling:literal;)*) => {
        impl AttrFlags {
            $(#[doc = concat!("`", $spelling, "`")] pub const $name: AttrFlags = AttrFlags(1 << $bit);)*
            /// Spelling and flag of each attribute, in bit order.
            pub const TABLE: &'static [(&'static str, AttrFlags)] = &[$(($spelling, AttrFlags::$name)),*];
        }
    };
}

attr_flags! {
    0 USED "used";
    1 RETAIN "retain";
    2 UNUSED "unused";
    3 WEAK "weak";
    4 NORETURN "noreturn";
    5 CONST "const";
    6 PURE "pure";
    7 MALLOC "malloc";
    8 NOTHROW "nothrow";
    9 LEAF "leaf";
    10 ALWAYS_INLINE "always_inline";
    11 NOINLINE "noinline";
    12 NOCLONE "noclone";
    13 NOIPA "noipa";
    14 GNU_INLINE "gnu_inline";
    15 FLATTEN "flatten";
    16 COLD "cold";
    17 HOT "hot";
    18 RETURNS_TWICE "returns_twice";
    19 NAKED "naked";
    20 NO_INSTRUMENT "no_instrument_function";
    21 NO_STACK_PROTECTOR "no_stack_protector";
    22 NO_REORDER "no_reorder";
    23 ARTIFICIAL "artificial";
    24 COMMON "common";
    25 NOCOMMON "nocommon";
    26 DEPRECATED "deprecated";
    27 UNAVAILABLE "unavailable";
    28 WARN_UNUSED_RESULT "warn_unused_result";
    29 RETURNS_NONNULL "returns_nonnull";
    30 NONNULL "nonnull";
    31 NOPLT "noplt";
    32 NO_SPLIT_STACK "no_split_stack";
    33 EXTERNALLY_VISIBLE "externally_visible";
    34 NONSTRING "nonstring";
    35 UNINITIALIZED "uninitialized";
    36 NO_ICF "no_icf";
    37 FALLTHROUGH "fallthrough";
    38 SENTINEL "sentinel";
    39 STACK_PROTECT "stack_protect";
    40 FORCE_ALIGN_ARG_POINTER "force_align_arg_pointer";
    41 NO_PROFILE "no_profile_instrument_function";
    42 WEAKREF "weakref";
    43 MUSTTAIL "musttail";
    44 NOCF_CHECK "nocf_check";
    45 CF_CHECK "cf_check";
    46 UNSEQUENCED "unsequenced";
    47 REPRODUCIBLE "reproducible";
    48 INTERRUPT "interrupt";
    49 NO_CALLER_SAVED "no_caller_saved_registers";
    50 MS_ABI "ms_abi";
    51 SYSV_ABI "sysv_abi";
    52 NODISCARD "[[nodiscard]]";
    53 NO_COVERAGE "no_sanitize_coverage";
}

impl AttrFlags {
    /// All of `other` are set.
    pub const fn has(self, other: AttrFlags) -> bool {
        self.0 & other.0 == other.0
    }
    /// Those of `self` that are not in `other`.
    pub const fn without(self, other: AttrFlags) -> AttrFlags {
        AttrFlags(self.0 & !other.0)
    }
    /// Union.
    pub const fn with(self, other: AttrFlags) -> AttrFlags {
        AttrFlags(self.0 | other.0)
    }
}

/// Merged attributes of a declared entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes {
    /// Those without arguments.
    pub flags: AttrFlags,
    /// `section("name")`
    pub section: Option<Symbol>,
    /// `alias("target")`: assembler name.
    pub alias: Option<Symbol>,
    /// `ifunc("resolver")`
    pub ifunc: Option<Symbol>,
    /// `weakref("target")`
    pub weakref: Option<Symbol>,
    /// `visibility("...")`, or the innermost `#pragma GCC visibility push`.
    pub visibility: Option<Visibility>,
    /// `constructor`, `constructor(priority)`; 65535 without a priority.
    pub constructor: Option<u16>,
    /// `destructor`, likewise.
    pub destructor: Option<u16>,
    /// `cleanup(function)`
    pub cleanup: Option<DeclId>,
    /// `tls_model("...")`
    pub tls_model: Option<TlsModel>,
    /// `target("...")` strings, comma separated.
    pub target: Option<Symbol>,
    /// `target_clones("...", ...)`: what versions are made for, comma separated.
    pub target_clones: Option<Symbol>,
    /// `optimize(...)` arguments, comma separated.
    pub optimize: Option<Symbol>,
    /// Message of `deprecated` or `unavailable`.
    pub message: Option<Symbol>,
    /// `error("...")`: a call that survives optimisation is an error.
    pub error: Option<Symbol>,
    /// `warning("...")`
    pub warning: Option<Symbol>,
    /// `symver("name@VERSION")`
    pub symver: Option<Symbol>,
    /// `alloc_size(size)` and `alloc_size(count, size)`: 1-based parameter numbers, 0 for none.
    pub alloc_size: (u16, u16),
    /// `alloc_align(parameter)`, 1-based.
    pub alloc_align: u16,
    /// `assume_aligned(align, offset)`
    pub assume_aligned: Option<(u64, u64)>,
    /// `nonnull(n, ...)`: 1-based parameters; bit n-1 of the first 64. All ones for `nonnull`
    /// without arguments.
    pub nonnull: u64,
    /// `format(archetype, string, first)`
    pub format: Option<Format>,
    /// `format_arg(n)`: the function returns a format made of its parameter of this number
    /// (1-based), 0 for none.
    pub format_arg: u16,
    /// `sentinel(position)`: which argument from the end.
    pub sentinel: u16,
    /// `patchable_function_entry(n, m)`
    pub patchable: Option<(u16, u16)>,
    /// `no_sanitize("...")` and its relatives: checks that the function does without.
    pub no_sanitize: Sanitizers,
    /// `zero_call_used_regs("...")`
    pub zero_call_used_regs: Option<Symbol>,
    /// `indirect_branch("...")`
    pub indirect_branch: Option<Thunk>,
    /// `function_return("...")`
    pub function_return: Option<Thunk>,
    /// `simd`, `simd("inbranch")`, `simd("notinbranch")`
    pub simd: Option<Branches>,
    /// `fentry_name("...")`
    pub fentry_name: Option<Symbol>,
    /// `fentry_section("...")`
    pub fentry_section: Option<Symbol>,
}

/// Where calls of a function's variants for vectors stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branches {
    /// In branches, so that a mask says which lanes are asked for.
    Inside,
    /// In none: all lanes are.
    Outside,
    /// There are variants of both kinds.
    Both,
}

impl Branches {
    /// What two attributes ask for.
    pub fn joined(a: Option<Branches>, b: Option<Branches>) -> Option<Branches> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(Branches::Both),
            (a, b) => a.or(b),
        }
    }
}

/// Arguments of the `format` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Which functions' conventions the string follows.
    pub archetype: FormatArchetype,
    /// 1-based parameter that is the format.
    pub string: u16,
    /// 1-based first checked argument, 0 for a `va_list`.
    pub first: u16,
}

/// Format families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FormatArchetype {
    Printf,
    Scanf,
    Strftime,
    Strfmon,
}

/// Priority of constructors and destructors without an explicit one.
pub const DEFAULT_PRIORITY: u16 = 65535;

impl Attributes {
    /// Adds another declaration's attributes; later arguments win, but for the first section and
    /// visibility.
    pub fn merge(&mut self, other: &Attributes) {
        self.flags = self.flags.with(other.flags);
        macro_rules! later {
            ($($field:ident)*) => { $( if other.$field.is_some() { self.$field = other.$field; } )* };
        }
        later!(alias ifunc weakref constructor destructor cleanup tls_model target target_clones optimize message error
            warning symver assume_aligned format patchable zero_call_used_regs
            indirect_branch function_return fentry_name fentry_section);
        self.simd = Branches::joined(self.simd, other.simd);
        // An entity cannot be moved to another section.
        self.section = self.section.or(other.section);
        // The first visibility counts: a pragma in force at a later declaration does not change it.
        self.visibility = self.visibility.or(other.visibility);
        if other.alloc_size != (0, 0) {
            self.alloc_size = other.alloc_size;
        }
        if other.alloc_align != 0 {
            self.alloc_align = other.alloc_align;
        }
        if other.format_arg != 0 {
            self.format_arg = other.format_arg;
        }
        if other.sentinel != 0 {
            self.sentinel = other.sentinel;
        }
        self.nonnull |= other.nonnull;
        self.no_sanitize = self.no_sanitize.with(other.no_sanitize);
    }
}
