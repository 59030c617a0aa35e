//! Code generation: what lowering, the middle end and the back end need.

use super::features::X86Features;
use super::hardening::{Entries, Speculation, StackGuard};

/// Position independence of the output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum PicLevel {
    /// `-fno-pic -fno-pie`: absolute addresses of 32 bits.
    None,
    /// `-fpie` (1) or `-fPIE` (2), the default: own definitions are not preempted. `__PIE__` and
    /// `__PIC__`.
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

/// Alignment of a place in code: to a power of two if at most `skip` bytes go, else to the
/// second one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padding {
    /// The power of two.
    pub to: u32,
    /// Bytes that may be skipped for it.
    pub skip: u32,
    /// The second power of two, with its bytes; 1 if there is none.
    pub or_to: (u32, u32),
}

/// Which loops are unrolled partially.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnrollLoops {
    /// None.
    #[default]
    No,
    /// Those whose number of iterations can be determined on entry.
    Counted,
    /// All innermost loops.
    All,
}

/// `-malign-data=`: how far static objects are aligned beyond what their types need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DataAlignment {
    /// To 32 bytes from 32 bytes on, as gcc 4.8 did.
    #[default]
    Compat,
    /// Arrays of 16 bytes or more to 16 (psABI 3.1.2), others as their types.
    Abi,
    /// As `Compat`, and objects of a cache line or more to 64.
    Cacheline,
}

/// `-fmerge-constants` and its relatives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum MergeConstants {
    /// `-fno-merge-constants`: the linker merges nothing.
    No,
    /// String literals and constants without a name.
    Unnamed,
    /// `-fmerge-all-constants`: constant variables as well, which then share addresses.
    All,
}

/// `-ftls-model=`; the most general model the compiler may assume for a thread-local variable
/// without an attribute.
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
    /// `-fmath-errno`, the default: library functions set `errno`, so `sqrt` is not just an
    /// instruction.
    pub math_errno: bool,
    /// `-ftrapping-math`, the default: operations may raise visible exceptions.
    pub trapping_math: bool,
    /// `-frounding-math`: the rounding mode may change at run time.
    pub rounding_math: bool,
    /// `-fsignaling-nans`.
    pub signaling_nans: bool,
    /// `-ffp-int-builtin-inexact`, the default before C23: `floor` and its kin may raise "inexact".
    pub int_builtin_inexact: bool,
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
            int_builtin_inexact: true,
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

/// Which call-used registers a function clears before it returns: `-fzero-call-used-regs=` and the
/// attribute `zero_call_used_regs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZeroRegisters {
    /// Only those that the function uses.
    pub used: bool,
    /// Only general registers.
    pub general: bool,
    /// Only those that pass arguments.
    pub arguments: bool,
}

impl ZeroRegisters {
    /// What a name of gcc's (`used-gpr`) means: `None` if there is no such name, `Some(None)` for
    /// `skip`.
    pub fn named(name: &str) -> Option<Option<ZeroRegisters>> {
        if name == "skip" {
            return Some(None);
        }
        let (set, rest) = name.split_once('-').unwrap_or((name, ""));
        let (general, arguments) = match rest {
            "" if !name.contains('-') => (false, false),
            "gpr" => (true, false),
            "arg" => (false, true),
            "gpr-arg" => (true, true),
            _ => return None,
        };
        matches!(set, "used" | "all").then_some(Some(ZeroRegisters { used: set == "used", general, arguments }))
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
    /// `-fsemantic-interposition`, the default: see [`super::Options::interposable`].
    pub semantic_interposition: bool,
    /// `-ffunction-sections`.
    pub function_sections: bool,
    /// `-freorder-functions`: cold, hot, startup and exit functions have sections of their own;
    /// from `-O2` on unless given.
    pub reorder_functions: Option<bool>,
    /// `-fdata-sections`.
    pub data_sections: bool,
    /// `-fzero-initialized-in-bss`, the default.
    pub zero_in_bss: bool,
    /// `-malign-data=`.
    pub align_data: DataAlignment,
    /// `-fmerge-constants` and its relatives; the level decides if none is given.
    pub merge_constants: Option<MergeConstants>,
    /// `-mlarge-data-threshold=`: size in bytes above which objects are large in the medium model.
    pub large_data_threshold: u64,
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
    /// `-mabi=ms`: functions are of the Microsoft x64 convention unless they say otherwise.
    pub ms_abi: bool,
    /// `-fasynchronous-unwind-tables`, the default: `.eh_frame` for every function.
    pub unwind_tables: bool,
    /// `-fexceptions`: cleanups run when an exception passes; frames must be unwindable through
    /// calls.
    pub exceptions: bool,
    /// `-fstack-protector` family: 0 none, 1 plain, 2 strong, 3 all, 4 explicit.
    pub stack_protector: u8,
    /// Where the guard is.
    pub stack_guard: StackGuard,
    /// `--param=ssp-buffer-size=`: arrays of at least this size are guarded by `-fstack-protector`.
    pub stack_protector_buffer: u32,
    /// `-fconserve-stack`.
    pub conserve_stack: bool,
    /// The file of `-fstack-usage`.
    pub stack_usage: Option<std::path::PathBuf>,
    /// `-gsplit-dwarf`: the file for what linkers need not see of debug information.
    pub split_debug: Option<std::path::PathBuf>,
    /// `-Wstack-usage=`, in bytes.
    pub stack_usage_larger_than: u64,
    /// `-Wframe-larger-than=`, in bytes.
    pub frame_larger_than: u64,
    /// `-fstack-clash-protection`.
    pub stack_clash_protection: bool,
    /// `-fcf-protection`: bit 0 branch (`endbr64`), bit 1 return (the note).
    pub cf_protection: u8,
    /// `-mmanual-endbr`: only functions with the attribute `cf_check` begin with `endbr64`.
    pub manual_endbr: bool,
    /// `-mcet-switch`: jumps through tables are tracked, and their targets begin with `endbr64`.
    pub cet_switch: bool,
    /// Thunks for indirect branches and returns.
    pub speculation: Speculation,
    /// Patchable entries, and what profiling leaves there.
    pub entries: Entries,
    /// `-mskip-rax-setup`: no count of vector registers for variadic calls where there are none.
    pub skip_rax_setup: bool,
    /// `-fno-jump-tables` is false.
    pub jump_tables: bool,
    /// `-finline-functions` and friends: inlining beyond `always_inline` is allowed. `-fno-inline`
    /// is false.
    pub inline: bool,
    /// `-fno-inline-functions` is false: functions not declared `inline` are inlined as at `-O2` at
    /// most.
    pub inline_functions: bool,
    /// `-fno-inline-small-functions` is false: functions not declared `inline` are not inlined for
    /// being small.
    pub inline_small_functions: bool,
    /// `-fno-inline-functions-called-once` is false: being called once is no reason to inline.
    pub inline_called_once: bool,
    /// `-fno-ipa-modref` is false: what a call of a known function touches is not used.
    pub ipa_modref: bool,
    /// `-fipa-cp-clone`: functions are copied for the functions that calls pass, and for bounds of
    /// loops. Not given: from `-O2` and from `-O3` on.
    pub ipa_cp_clone: Option<bool>,
    /// `-frecord-gcc-switches`: what the object says of its making.
    pub recorded_switches: Option<String>,
    /// `-fkeep-inline-functions`.
    pub keep_inline_functions: bool,
    /// `-ftoplevel-reorder`: unused static variables are dropped. The level decides if it is not
    /// given.
    pub toplevel_reorder: Option<bool>,
    /// `-fkeep-static-functions`.
    pub keep_static_functions: bool,
    /// `-fleading-underscore`: names of symbols begin with `_`.
    pub leading_underscore: bool,
    /// `-flive-patching=`: a function may be replaced while the program runs.
    pub live_patching: Option<LivePatching>,
    /// `-fharden-compares`: comparisons whose result is a value are done twice.
    pub harden_compares: bool,
    /// `-fharden-conditional-branches`: conditions of branches are evaluated twice.
    pub harden_branches: bool,
    /// `-ftree-vectorize`, `-fno-tree-vectorize`.
    pub vectorize: Option<bool>,
    /// `-fstack-reuse=`: variables that never live at the same time share memory.
    pub stack_reuse: bool,
    /// `-foptimize-sibling-calls`: from `-O2`.
    pub sibling_calls: bool,
    /// `-ffp-...` and the parts of `-ffast-math`.
    pub float: FloatModel,
    /// Instruction-set extensions.
    pub features: X86Features,
    /// `-m80387`, the default: the x87 unit may be used. Without it `long double` is only declared
    /// and laid out.
    pub x87: bool,
    /// `-mfpmath=both`: the x87 unit may be used for `float` and `double` as well. It is not, but
    /// the precision is unspecified.
    pub mixed_math: bool,
    /// `-mfp-ret-in-387`, the default: functions may return x87 values.
    pub x87_returns: bool,
    /// `-mgeneral-regs-only`: no vector or x87 registers.
    pub general_regs_only: bool,
    /// `-fcallgraph-info`: the file.
    pub call_graph: Option<std::path::PathBuf>,
    /// `-fcallgraph-info=su`: with what functions take from the stack.
    pub call_graph_stack: bool,
    /// `-fwhole-program`: names of the unit are its own.
    pub whole_program: bool,
    /// `-masm=intel`: dialect of inline assembly and of `-S`.
    pub intel_syntax: bool,
    /// `-g`: DWARF level 0 to 3.
    pub debug_level: u8,
    /// `-gdwarf-N`.
    pub dwarf_version: u8,
    /// `-gz`: debug sections are compressed (ELF gABI, "Section Compression").
    pub compress_debug: bool,
    /// `-fdebug-prefix-map=`, `-ffile-prefix-map=`: (old, new), the last match wins.
    pub debug_prefix_map: Vec<(String, String)>,
    /// `-fident`, the default: a `.comment` section.
    pub ident: bool,
    /// `-falign-functions=N`; 0 follows the level.
    pub align_functions: u32,
    /// `-falign-loops=`; `None` follows the level.
    pub align_loops: Option<Padding>,
    /// `-falign-jumps=`: blocks that are only jumped to.
    pub align_jumps: Option<Padding>,
    /// `-falign-labels=`: every block that is jumped to.
    pub align_labels: Option<Padding>,
    /// `-funroll-loops`, `-funroll-all-loops`.
    pub unroll_loops: UnrollLoops,
    /// The processor of `-march=`, if one was named.
    pub march: Option<String>,
    /// The processor of `-mtune=`: code is the same for all, its macros are not.
    pub mtune: Option<String>,
    /// `-fverbose-asm`: comments in the output of `-S`.
    pub verbose_asm: bool,
    /// `-finstrument-functions` calls the profiling hooks.
    pub instrument_functions: bool,
    /// `-pg`.
    pub profile: Option<Profile>,
    /// `-fzero-call-used-regs=`
    pub zero_call_used_regs: Option<ZeroRegisters>,
    /// `-ffixed-REG` and its relatives: registers that generated code leaves alone.
    pub fixed_registers: crate::registers::RegSet,
    /// `-finstrument-functions-exclude-file-list=`: no hooks where a file's path contains one of
    /// these.
    pub uninstrumented_files: Vec<String>,
    /// `-finstrument-functions-exclude-function-list=`: no hooks where a function's name contains
    /// one of these.
    pub uninstrumented_functions: Vec<String>,
    /// `-mpreferred-stack-boundary=N`: log2 of the stack's alignment, 4 by default.
    pub stack_boundary: u8,
    /// `-mincoming-stack-boundary=N`: log2 of the alignment that functions find, if not what they
    /// keep; 3 under `-mstackrealign`.
    pub incoming_boundary: Option<u8>,
    /// `-ftrivial-auto-var-init=`: fill byte for uninitialised automatic variables.
    pub auto_var_init: Option<u8>,
}

/// What `-flive-patching=` leaves of the optimisations that look at several functions. Whoever
/// replaces a function must replace those that it was taken into, and nothing else may rely on what
/// its body said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LivePatching {
    /// Functions are inlined, and copies of them made.
    InlineClone,
    /// Only functions that other units cannot see are inlined.
    InlineOnlyStatic,
}

/// What functions call when they begin (`-pg`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// `mcount`, behind the set-up of the frame pointer.
    Mcount,
    /// `__fentry__`, first of all (`-mfentry`).
    Fentry,
}

impl Codegen {
    /// Whether something is asked about the stack that functions take.
    pub fn reports_stack(&self) -> bool {
        let asked = self.stack_usage.is_some() || self.call_graph_stack;
        asked || self.stack_usage_larger_than != u64::MAX || self.frame_larger_than != u64::MAX
    }

    /// Code is marked with the source lines it comes from, for a line table or for comments.
    pub fn marks_lines(&self) -> bool {
        self.debug_level > 0 || self.verbose_asm
    }

    /// `-mgeneral-regs-only`, `target("general-regs-only")`.
    pub fn keep_to_general_registers(&mut self) {
        self.general_regs_only = true;
        self.x87 = false;
        self.features.remove_registers();
    }

    /// Applies the argument of a `target` attribute to what one function is compiled with.
    ///
    /// # Errors
    /// As [`X86Features::apply_target`].
    pub fn apply_target(&mut self, text: &str) -> Result<(), String> {
        self.features.apply_target(text)?;
        for word in text.split(',').map(|w| w.trim().trim_matches('"').trim()) {
            match word {
                "general-regs-only" => self.keep_to_general_registers(),
                "80387" | "no-80387" => self.x87 = word == "80387",
                _ => {}
            }
        }
        Ok(())
    }
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
            reorder_functions: None,
            data_sections: false,
            zero_in_bss: true,
            align_data: DataAlignment::Compat,
            merge_constants: None,
            large_data_threshold: 65536,
            wrapv: false,
            wrapv_pointer: false,
            trapv: false,
            strict_aliasing: false,
            delete_null_pointer_checks: true,
            omit_frame_pointer: false,
            red_zone: true,
            ms_abi: false,
            unwind_tables: true,
            exceptions: false,
            stack_protector: 0,
            conserve_stack: false,
            stack_usage: None,
            split_debug: None,
            stack_usage_larger_than: u64::MAX,
            frame_larger_than: u64::MAX,
            stack_guard: StackGuard::default(),
            stack_protector_buffer: 8,
            stack_clash_protection: false,
            cf_protection: 0,
            manual_endbr: false,
            cet_switch: false,
            speculation: Speculation::default(),
            entries: Entries::default(),
            skip_rax_setup: false,
            jump_tables: true,
            inline: true,
            ipa_modref: true,
            ipa_cp_clone: None,
            inline_functions: true,
            inline_small_functions: true,
            inline_called_once: true,
            recorded_switches: None,
            keep_inline_functions: false,
            leading_underscore: false,
            live_patching: None,
            harden_compares: false,
            harden_branches: false,
            toplevel_reorder: None,
            keep_static_functions: false,
            vectorize: None,
            stack_reuse: true,
            sibling_calls: false,
            float: FloatModel::default(),
            features: X86Features::BASELINE,
            x87: true,
            mixed_math: false,
            general_regs_only: false,
            x87_returns: true,
            call_graph: None,
            call_graph_stack: false,
            whole_program: false,
            intel_syntax: false,
            debug_level: 0,
            dwarf_version: 5,
            compress_debug: false,
            debug_prefix_map: Vec::new(),
            ident: true,
            align_functions: 0,
            align_loops: None,
            align_jumps: None,
            align_labels: None,
            unroll_loops: UnrollLoops::No,
            march: None,
            mtune: None,
            verbose_asm: false,
            instrument_functions: false,
            profile: None,
            zero_call_used_regs: None,
            fixed_registers: crate::registers::RegSet::EMPTY,
            uninstrumented_files: Vec::new(),
            uninstrumented_functions: Vec::new(),
            stack_boundary: 4,
            incoming_boundary: None,
            auto_var_init: None,
        }
    }
}
