//! Code generation: what lowering, the middle end and the back end need.

/// Position independence of the output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum PicLevel {
    /// `-fno-pic -fno-pie`: absolute addresses of 32 bits.
    None,
    /// `-fpie` (1) or `-fPIE` (2), the default: own definitions are not preempted. `__PIE__` and `__PIC__`.
    #[default]
    Pie,
    /// `-fpic` or `-fPIC`: every default-visibility definition may be preempted. `__PIC__`.
    Pic,
}

/// `-mcmodel=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum CodeModel {
    /// Code and data within the low 2 GiB.
    #[default]
    Small,
    /// The high 2 GiB, sign-extended addresses.
    Kernel,
    /// Large data may lie anywhere.
    Medium,
    /// No assumption.
    Large,
}

/// `-ftls-model=`; the most general model the compiler may assume for a thread-local variable without an attribute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum TlsModel {
    /// Calls `__tls_get_addr` per variable.
    #[default]
    GeneralDynamic,
    /// One call per function for all local variables.
    LocalDynamic,
    /// Offset loaded from the GOT.
    InitialExec,
    /// Offset known at link time.
    LocalExec,
}

/// `-fvisibility=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Visibility {
    /// Default.
    #[default]
    Default,
    /// Hidden.
    Hidden,
    /// Protected.
    Protected,
    /// Internal.
    Internal,
}

/// `-ffp-contract=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum FpContract {
    /// Across statements: GNU modes.
    #[default]
    Fast,
    /// Within an expression; gcc treats this as `off`.
    On,
    /// Never: ISO modes.
    Off,
}

/// Liberties with floating point. All are off by default but those whose comment says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatModel {
    /// `-fmath-errno`, the default: library functions set `errno`, so `sqrt` is not just an instruction.
    pub math_errno: bool,
    /// `-ftrapping-math`, the default: operations may raise visible exceptions.
    pub trapping_math: bool,
    /// `-frounding-math`: the rounding mode may change at run time.
    pub rounding_math: bool,
    /// `-fsignaling-nans`.
    pub signaling_nans: bool,
    /// `-ffinite-math-only`.
    pub finite_only: bool,
    /// `-fsigned-zeros`, the default.
    pub signed_zeros: bool,
    /// `-fassociative-math`.
    pub associative: bool,
    /// `-freciprocal-math`.
    pub reciprocal: bool,
    /// `-fcx-limited-range`: complex multiplication and division without the checks of Annex G.
    pub cx_limited_range: bool,
    /// `-funsafe-math-optimizations`: the leftovers (`__FAST_MATH__` needs all of these).
    pub unsafe_math: bool,
    /// Contraction into fused multiply-add where the target has it.
    pub contract: FpContract,
}

impl Default for FloatModel {
    fn default() -> Self {
        FloatModel {
            math_errno: true,
            trapping_math: true,
            rounding_math: false,
            signaling_nans: false,
            finite_only: false,
            signed_zeros: true,
            associative: false,
            reciprocal: false,
            cx_limited_range: false,
            unsafe_math: false,
            contract: FpContract::Fast,
        }
    }
}

impl FloatModel {
    /// Whether `__FAST_MATH__` is defined.
    pub fn is_fast_math(&self) -> bool {
        self.unsafe_math && self.finite_only && !self.signed_zeros && !self.math_errno && !self.trapping_math
    }
}

/// Instruction-set extensions in use, as a bit set; each has its gcc `-m` name and `__MACRO__`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct X86Features(pub u64);

macro_rules! features {
    ($($bit:literal $konst:ident $flag:literal $macro_:literal [$($implied:ident)*];)*) => {
        impl X86Features {
            $(
                #[doc = concat!("`-m", $flag, "`.")]
                pub const $konst: X86Features = X86Features(1 << $bit $(| X86Features::$implied.0)*);
            )*
            /// Name after `-m`, macro it defines (empty: none), its bit alone, the set with what it implies. In bit order.
            pub const TABLE: &'static [(&'static str, &'static str, u64, X86Features)] =
                &[$(($flag, $macro_, 1 << $bit, X86Features::$konst)),*];
        }
    };
}

features! {
    0 FXSR "fxsr" "__FXSR__" [];
    1 MMX "mmx" "__MMX__" [];
    2 SSE "sse" "__SSE__" [];
    3 SSE2 "sse2" "__SSE2__" [SSE];
    4 SSE3 "sse3" "__SSE3__" [SSE2];
    5 SSSE3 "ssse3" "__SSSE3__" [SSE3];
    6 SSE4_1 "sse4.1" "__SSE4_1__" [SSSE3];
    7 SSE4_2 "sse4.2" "__SSE4_2__" [SSE4_1];
    8 AVX "avx" "__AVX__" [SSE4_2];
    9 AVX2 "avx2" "__AVX2__" [AVX];
    10 FMA "fma" "__FMA__" [AVX];
    11 F16C "f16c" "__F16C__" [AVX];
    12 BMI "bmi" "__BMI__" [];
    13 BMI2 "bmi2" "__BMI2__" [];
    14 LZCNT "lzcnt" "__LZCNT__" [];
    15 POPCNT "popcnt" "__POPCNT__" [];
    16 MOVBE "movbe" "__MOVBE__" [];
    17 CX16 "cx16" "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16" [];
    18 SAHF "sahf" "__LAHF_SAHF__" [];
    19 AES "aes" "__AES__" [SSE2];
    20 PCLMUL "pclmul" "__PCLMUL__" [SSE2];
    21 SHA "sha" "__SHA__" [SSE2];
    22 RDRND "rdrnd" "__RDRND__" [];
    23 RDSEED "rdseed" "__RDSEED__" [];
    24 ADX "adx" "__ADX__" [];
    25 FSGSBASE "fsgsbase" "__FSGSBASE__" [];
    26 XSAVE "xsave" "__XSAVE__" [];
    27 PRFCHW "prfchw" "__PRFCHW__" [];
    28 CLFLUSHOPT "clflushopt" "__CLFLUSHOPT__" [];
    29 AVX512F "avx512f" "__AVX512F__" [AVX2];
    30 AVX512CD "avx512cd" "__AVX512CD__" [AVX512F];
    31 AVX512BW "avx512bw" "__AVX512BW__" [AVX512F];
    32 AVX512DQ "avx512dq" "__AVX512DQ__" [AVX512F];
    33 AVX512VL "avx512vl" "__AVX512VL__" [AVX512F];
}

impl X86Features {
    /// The x86-64 psABI's baseline (level 1).
    pub const BASELINE: X86Features = X86Features(Self::FXSR.0 | Self::MMX.0 | Self::SSE2.0);
    /// x86-64-v2.
    pub const V2: X86Features =
        X86Features(Self::BASELINE.0 | Self::SSE4_2.0 | Self::POPCNT.0 | Self::CX16.0 | Self::SAHF.0);
    /// x86-64-v3.
    pub const V3: X86Features = X86Features(
        Self::V2.0
            | Self::AVX2.0
            | Self::FMA.0
            | Self::F16C.0
            | Self::BMI.0
            | Self::BMI2.0
            | Self::LZCNT.0
            | Self::MOVBE.0,
    );
    /// x86-64-v4.
    pub const V4: X86Features =
        X86Features(Self::V3.0 | Self::AVX512CD.0 | Self::AVX512BW.0 | Self::AVX512DQ.0 | Self::AVX512VL.0);

    /// All of `other`'s features are in this set.
    pub fn has(self, other: X86Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// Add features.
    pub fn insert(&mut self, other: X86Features) {
        self.0 |= other.0;
    }

    /// Remove the feature whose own bit is `bit`, and every feature that implies it.
    pub fn remove(&mut self, bit: u64) {
        for &(_, _, own, closure) in Self::TABLE {
            if closure.0 & bit != 0 {
                self.0 &= !own;
            }
        }
    }
}

impl Default for X86Features {
    fn default() -> Self {
        X86Features::BASELINE
    }
}

/// `-f` and `-m` options of code generation.
#[derive(Clone, Debug)]
pub struct Codegen {
    /// Position independence.
    pub pic: PicLevel,
    /// 1 for `-fpic`/`-fpie`, 2 for `-fPIC`/`-fPIE`: the value of `__PIC__`/`__PIE__`.
    pub pic_value: u8,
    /// `-mcmodel=`.
    pub code_model: CodeModel,
    /// `-ftls-model=`.
    pub tls_model: TlsModel,
    /// `-fvisibility=`.
    pub visibility: Visibility,
    /// `-fplt`, the default: calls of external functions go through the PLT.
    pub plt: bool,
    /// `-fsemantic-interposition`, the default.
    pub semantic_interposition: bool,
    /// `-ffunction-sections`.
    pub function_sections: bool,
    /// `-fdata-sections`.
    pub data_sections: bool,
    /// `-fzero-initialized-in-bss`, the default.
    pub zero_in_bss: bool,
    /// `-fwrapv`: signed arithmetic wraps.
    pub wrapv: bool,
    /// `-fwrapv-pointer`: pointer arithmetic wraps.
    pub wrapv_pointer: bool,
    /// `-ftrapv`: signed overflow calls `abort` through the library's checked routines.
    pub trapv: bool,
    /// `-fstrict-aliasing`: from `-O2`.
    pub strict_aliasing: bool,
    /// `-fdelete-null-pointer-checks`, the default.
    pub delete_null_pointer_checks: bool,
    /// `-fomit-frame-pointer`: from `-O1`.
    pub omit_frame_pointer: bool,
    /// `-mred-zone`, the default.
    pub red_zone: bool,
    /// `-fasynchronous-unwind-tables`, the default: `.eh_frame` for every function.
    pub unwind_tables: bool,
    /// `-fexceptions`: cleanups run when an exception passes; frames must be unwindable through calls.
    pub exceptions: bool,
    /// `-fstack-protector` family: 0 none, 1 plain, 2 strong, 3 all, 4 explicit.
    pub stack_protector: u8,
    /// `-fstack-clash-protection`.
    pub stack_clash_protection: bool,
    /// `-fcf-protection`: bit 0 branch (`endbr64`), bit 1 return (the note).
    pub cf_protection: u8,
    /// `-fno-jump-tables` is false.
    pub jump_tables: bool,
    /// `-finline-functions` and friends: inlining beyond `always_inline` is allowed. `-fno-inline` is false.
    pub inline: bool,
    /// `-finline-small-functions`, `-finline-functions-called-once` follow the level unless given.
    pub inline_functions: Option<bool>,
    /// `-fkeep-inline-functions`.
    pub keep_inline_functions: bool,
    /// `-fkeep-static-functions`.
    pub keep_static_functions: bool,
    /// `-funroll-loops`.
    pub unroll_loops: bool,
    /// `-ftree-vectorize`, `-fno-tree-vectorize`.
    pub vectorize: Option<bool>,
    /// `-foptimize-sibling-calls`: from `-O2`.
    pub sibling_calls: bool,
    /// `-ffp-...` and the parts of `-ffast-math`.
    pub float: FloatModel,
    /// Instruction-set extensions.
    pub features: X86Features,
    /// `-mgeneral-regs-only`: no vector or x87 registers.
    pub general_regs_only: bool,
    /// `-masm=intel`: dialect of inline assembly and of `-S`.
    pub intel_syntax: bool,
    /// `-g`: DWARF level 0 to 3.
    pub debug_level: u8,
    /// `-gdwarf-N`.
    pub dwarf_version: u8,
    /// `-fverbose-asm`.
    pub verbose_asm: bool,
    /// `-fdebug-prefix-map=`, `-ffile-prefix-map=`: (old, new), the last match wins.
    pub debug_prefix_map: Vec<(String, String)>,
    /// `-fident`, the default: a `.comment` section.
    pub ident: bool,
    /// `-falign-functions=N` and `-falign-loops=N`; 0 follows the level.
    pub align_functions: u32,
    /// See `align_functions`.
    pub align_loops: u32,
    /// `-fleading-underscore` is refused; `-finstrument-functions` calls the profiling hooks.
    pub instrument_functions: bool,
    /// `-mpreferred-stack-boundary=N`: log2 of the stack's alignment, 4 by default.
    pub stack_boundary: u8,
    /// `-ftrivial-auto-var-init=`: fill byte for uninitialised automatic variables.
    pub auto_var_init: Option<u8>,
}

impl Default for Codegen {
    fn default() -> Self {
        Codegen {
            pic: PicLevel::Pie,
            pic_value: 2,
            code_model: CodeModel::Small,
            tls_model: TlsModel::GeneralDynamic,
            visibility: Visibility::Default,
            plt: true,
            semantic_interposition: true,
            function_sections: false,
            data_sections: false,
            zero_in_bss: true,
            wrapv: false,
            wrapv_pointer: false,
            trapv: false,
            strict_aliasing: false,
            delete_null_pointer_checks: true,
            omit_frame_pointer: false,
            red_zone: true,
            unwind_tables: true,
            exceptions: false,
            stack_protector: 0,
            stack_clash_protection: false,
            cf_protection: 0,
            jump_tables: true,
            inline: true,
            inline_functions: None,
            keep_inline_functions: false,
            keep_static_functions: false,
            unroll_loops: false,
            vectorize: None,
            sibling_calls: false,
            float: FloatModel::default(),
            features: X86Features::BASELINE,
            general_regs_only: false,
            intel_syntax: false,
            debug_level: 0,
            dwarf_version: 5,
            verbose_asm: false,
            debug_prefix_map: Vec::new(),
            ident: true,
            align_functions: 0,
            align_loops: 0,
            instrument_functions: false,
            stack_boundary: 4,
            auto_var_init: None,
        }
    }
}
