//! What the command line tells the preprocessor. The driver fills these structures; everything has
//! gcc's default.

use std::path::PathBuf;
use std::sync::Arc;

use platform::timeline::Timeline;

use crate::lex::Dialect;

/// One option that acts on macros or reads a file before the main one; they apply in the order
/// given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `-D name[=value]` or `-D 'name(x)=value'`, the text after `-D`
    Define(String),
    /// `-U name`
    Undefine(String),
    /// `-include file`
    Include(String),
    /// `-imacros file`: only its macros are kept
    ImportMacros(String),
}

/// `-dM` and its siblings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DumpMacros {
    /// No dump.
    #[default]
    No,
    /// `-dM`: only the definitions in force at the end
    Only,
    /// `-dD`: definitions where they stand, in the output
    Definitions,
    /// `-dN`: likewise, names only
    Names,
    /// `-dU`: only those that are used, at their use
    Used,
}

/// `-E` and what shapes its output.
#[derive(Clone, Debug, Default)]
pub struct OutputOptions {
    /// `-P`: no line markers
    pub no_line_markers: bool,
    /// `-C`: keep comments outside directives
    pub keep_comments: bool,
    /// `-CC`: keep comments in macro bodies too
    pub keep_macro_comments: bool,
    /// `-dM -dD -dN -dU`
    pub dump: DumpMacros,
    /// `-dI`: print `#include` lines
    pub dump_includes: bool,
    /// Where the compiler's own headers seem to live, see `marker` in `output`
    pub builtin_directory: String,
    /// `-fworking-directory` (gcc: on with `-g`): the directory put into a second line marker
    pub working_directory: Option<String>,
}

/// Which dependency output is wanted, see [`crate::preprocess::dependencies`].
#[derive(Clone, Debug, Default)]
pub struct DependencyOptions {
    /// Collect at all: any of `-M -MM -MD -MMD`.
    pub enabled: bool,
    /// Leave out system headers: `-MM`, `-MMD`
    pub user_only: bool,
    /// `-MG`: a missing header is taken for a generated file
    pub missing_are_generated: bool,
    /// `-MP`: a phony target for each header
    pub phony_targets: bool,
    /// `-MT` (as it is) and `-MQ` (quoted for make: `true`), in order; the driver gives the default
    /// target, quoted
    pub targets: Vec<(String, bool)>,
}

/// The optimisation-, code- and target-dependent facts that show in predefined macros.
#[derive(Clone, Debug)]
pub struct TargetMacros {
    /// Tables for unwinding, or debug information, are written: `__GCC_HAVE_DWARF2_CFI_ASM`
    pub cfi_asm: bool,
    /// `-fsignaling-nans`
    pub signaling_nans: bool,
    /// `-fleading-underscore`: `__USER_LABEL_PREFIX__` is `_`
    pub leading_underscore: bool,
    /// `-mfpmath=both`: `__FLT_EVAL_METHOD__` is -1
    pub mixed_math: bool,
    /// `-mfpmath=387`: no `__SSE_MATH__`, and `__FLT_EVAL_METHOD__` is 2
    pub math_387: bool,
    /// In a mode of ISO C without `-fexcess-precision=standard`: with excess precision no
    /// `__GCC_IEC_559`
    pub fast_excess: bool,
    /// `-mno-80387`: `_SOFT_FLOAT`
    pub soft_float: bool,
    /// `-O` level, 0 to 3
    pub optimize: u8,
    /// `-Os` or `-Oz`
    pub optimize_size: bool,
    /// 0 none, 1 `-fpic`, 2 `-fPIC`
    pub pic: u8,
    /// 0 none, 1 `-fpie`, 2 `-fPIE`; gcc's Debian default is 2 (and `pic` 2 with it)
    pub pie: u8,
    /// `-fno-inline`, or no optimisation: `__NO_INLINE__`
    pub no_inline: bool,
    /// `-ffast-math`: `__FAST_MATH__`
    pub fast_math: bool,
    /// `-ffinite-math-only`
    pub finite_math_only: bool,
    /// `-fno-math-errno`: `__NO_MATH_ERRNO__`
    pub no_math_errno: bool,
    /// `-freciprocal-math`
    pub reciprocal_math: bool,
    /// `-fno-signed-zeros`
    pub no_signed_zeros: bool,
    /// `-fno-trapping-math`
    pub no_trapping_math: bool,
    /// `-fsingle-precision-constant`
    pub single_precision_constant: bool,
    /// `-fcx-limited-range`
    pub cx_limited_range: bool,
    /// `-fassociative-math`
    pub associative_math: bool,
    /// `-frounding-math`
    pub rounding_math: bool,
    /// `-pthread`: `_REENTRANT`
    pub reentrant: bool,
    /// `-fstack-protector` and its relatives: `__SSP__` and so on
    pub stack_protector: StackProtector,
    /// `-fcf-protection=`: 0 none, 1 branch, 2 return, 3 full; `__CET__`
    pub cf_protection: u8,
    /// `-fexceptions`: `__EXCEPTIONS`
    pub exceptions: bool,
    /// `-mcmodel=`: "small", "kernel", "medium" or "large"
    pub code_model: String,
    /// All instruction-set extensions in force by gcc's flag name without `-m` ("sse3", "avx2",
    /// ...). SSE and SSE2 are implied unless `-mno-sse`: see `no_sse`.
    pub features: Vec<String>,
    /// `-mno-sse2`, `-mno-sse`: 0 none, 2 sse2 gone, 1 sse gone too
    pub no_sse: u8,
    /// `-march=` name as given ("x86-64", "haswell", ...), for `__haswell__` and its like
    pub arch: String,
    /// `-mtune=` name as given, for `__tune_haswell__` and its like
    pub tune: Option<String>,
    /// `-fshort-wchar`
    pub short_wchar: bool,
    /// `-fgnu89-inline`: `__GNUC_GNU_INLINE__`
    pub gnu89_inline: bool,
    /// `-fchar8_t`: `__CHAR8_TYPE__`
    pub char8: bool,
    /// `-fsanitize=address`: `__SANITIZE_ADDRESS__`
    pub sanitize_address: bool,
    /// `-fsanitize=thread`: `__SANITIZE_THREAD__`
    pub sanitize_thread: bool,
    /// Fused multiply-add is fast whatever `features` says: `__FP_FAST_FMA`
    pub fp_fast_fma: bool,
}

/// `-fstack-protector*`
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StackProtector {
    /// None.
    #[default]
    None,
    /// `-fstack-protector`: `__SSP__`
    Basic,
    /// `-fstack-protector-all`
    All,
    /// `-fstack-protector-strong`
    Strong,
    /// `-fstack-protector-explicit`
    Explicit,
}

impl Default for TargetMacros {
    fn default() -> Self {
        TargetMacros {
            cfi_asm: true,
            signaling_nans: false,
            leading_underscore: false,
            mixed_math: false,
            math_387: false,
            fast_excess: false,
            soft_float: false,
            optimize: 0,
            optimize_size: false,
            pic: 2,
            pie: 2,
            no_inline: true,
            fast_math: false,
            finite_math_only: false,
            no_math_errno: false,
            reciprocal_math: false,
            no_signed_zeros: false,
            no_trapping_math: false,
            single_precision_constant: false,
            cx_limited_range: false,
            associative_math: false,
            rounding_math: false,
            reentrant: false,
            stack_protector: StackProtector::None,
            cf_protection: 0,
            exceptions: false,
            code_model: "small".to_owned(),
            features: Vec::new(),
            no_sse: 0,
            arch: "x86-64".to_owned(),
            tune: None,
            short_wchar: false,
            gnu89_inline: false,
            sanitize_address: false,
            sanitize_thread: false,
            char8: false,
            fp_fast_fma: false,
        }
    }
}

/// All options of one run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The dialect.
    pub dialect: Dialect,
    /// `-D -U -include -imacros`, in order (gcc: all `-D`/`-U` first, then `-imacros`, then
    /// `-include`)
    pub actions: Vec<Action>,
    /// `-undef`: no system-specific predefined macros
    pub undef: bool,
    /// `-fpreprocessed`: no macros are expanded and no directives but line markers and pragmas
    /// obeyed (`.i` input); with `directives_only` macros are defined and expanded, those that are
    /// always there among them
    pub preprocessed: bool,
    /// `-traditional-cpp`: text, as before the standard; there must be an `output`
    pub traditional: bool,
    /// `-ftrack-macro-expansion=0`: `__LINE__` in an argument is the line of the macro's name
    pub untracked_expansion: bool,
    /// `-fdirectives-only`: directives are obeyed, macros not expanded (with `-E`), or such text is
    /// read (with `-fpreprocessed`)
    pub directives_only: bool,
    /// `-fgnuc-version=`: what `__GNUC__`, `__GNUC_MINOR__` and `__GNUC_PATCHLEVEL__` say; major 0
    /// undefines them. `None` is 12.2.0.
    pub gnuc_version: Option<(u32, u32, u32)>,
    /// Facts shown by predefined macros.
    pub target: TargetMacros,
    /// SOURCE_DATE_EPOCH: seconds since 1970 used for `__DATE__`, `__TIME__` and `__TIMESTAMP__`.
    /// Filled from the environment by the driver.
    pub source_date_epoch: Option<u64>,
    /// `-fmacro-prefix-map=old=new` (and `-ffile-prefix-map`), applied to `__FILE__`
    pub macro_prefix_map: Vec<(String, String)>,
    /// A header is being precompiled: the output is its text from where the predefined macros end.
    pub precompile: bool,
    /// Output of `-E`; `None` when the tokens go to the parser
    pub output: Option<OutputOptions>,
    /// Dependency output.
    pub dependencies: DependencyOptions,
    /// `-fmax-include-depth=`, gcc's default 200; 0 means the default
    pub max_include_depth: u32,
    /// `-fmax-macro-tokens=`: tokens that macros may expand to, 64 Mi by default; 0 means the
    /// default
    pub max_macro_tokens: u64,
    /// `-finput-charset=` and its siblings
    pub charsets: platform::options::Charsets,
    /// `-H`: each header is named on the diagnostic output as it is entered, after a dot per level
    pub show_includes: bool,
    /// `-ftime-trace`: where the time of each header is noted
    pub timeline: Option<Arc<Timeline>>,
}

/// The directories `#include` looks into.
///
/// `#include "x"` looks into the directory of the current file, then `quote`, then as `#include
/// <x>`: `angled` (`-I`, CPATH), then `system` (`-isystem`, C_INCLUDE_PATH, the built-in headers,
/// the standard directories), then `after` (`-idirafter`). Directories that do not exist or come
/// twice are dropped as gcc does by [`IncludePaths::finish`].
#[derive(Clone, Debug, Default)]
pub struct IncludePaths {
    /// `-iquote`
    pub quote: Vec<PathBuf>,
    /// `-I`, then CPATH
    pub angled: Vec<PathBuf>,
    /// `-isystem`, then C_INCLUDE_PATH
    pub system: Vec<PathBuf>,
    /// Our own headers, as (name relative to the directory, contents): searched where gcc has its
    /// own directory, right before `standard`. Empty with `-nostdinc`. Contents must end in a NUL
    /// that is not part of the text.
    pub builtin: &'static [(&'static str, &'static [u8])],
    /// The name shown for the built-in directory in diagnostics, dependencies and `__FILE__`
    pub builtin_name: String,
    /// The libc's directories, with the sysroot put before them; empty with `-nostdinc`
    pub standard: Vec<PathBuf>,
    /// `-idirafter`
    pub after: Vec<PathBuf>,
    /// `--embed-dir=`
    pub embed: Vec<PathBuf>,
    /// `-I-` was given: the current file's directory is not looked into
    pub no_current_directory: bool,
}
