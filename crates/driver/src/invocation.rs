//! The command line as data: what the parser in [`crate::cli`] produces and everything else in the
//! driver reads.

pub mod preprocess;

use platform::options::Options;
pub use preprocess::{Dependencies, Dump, MacroAction, PreprocessMode, Preprocessing};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The last stage to run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Stop {
    /// `-E`, `-M`, `-MM`.
    Preprocess,
    /// `-fsyntax-only`.
    Check,
    /// `-S`.
    Assembly,
    /// `-c`.
    Object,
    /// No such flag: link.
    #[default]
    Link,
}

/// What an input file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `.c`
    C,
    /// `.i`
    PreprocessedC,
    /// `.h`
    Header,
    /// `.s`
    Assembler,
    /// `.S`, `.sx`
    AssemblerWithCpp,
    /// `.tir`: the IR's textual form
    Ir,
    /// Anything else: handed to the linker.
    LinkerInput,
}

/// One thing on the command line whose position matters to the linker.
#[derive(Clone, Debug)]
pub enum Input {
    /// A source, object, archive or script.
    File {
        /// As written; `-` is standard input.
        path: PathBuf,
        /// From `-x` or the suffix.
        language: Language,
    },
    /// `-lNAME`: the text after `-l`.
    Library(OsString),
    /// One argument for the linker (`-Wl,`, `-Xlinker`).
    LinkerArgument(OsString),
}

/// `--emit=` for looking inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Emit {
    /// Whatever [`Stop`] says.
    #[default]
    Normal,
    /// Text of the IR, after the pipeline of the level.
    Ir,
    /// Text of the IR as lowering made it.
    IrBeforePasses,
    /// LLVM assembly of the IR after the pipeline.
    Llvm,
    /// Control-flow graphs as Graphviz text.
    Dot,
    /// Dominator trees as Graphviz text.
    DotDominators,
    /// Control-flow graphs as SVG.
    Svg,
    /// Dominator trees as SVG.
    SvgDominators,
    /// What became of each function, pass by pass, as JSON.
    Trace,
}

/// One option about warnings, in command-line order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningFlag {
    /// `-W...`: the text after `-W`, known to `base`.
    Named(String),
    /// `-w`.
    InhibitAll,
    /// `-pedantic-errors`.
    PedanticErrors,
}

/// How diagnostics look and which are on.
#[derive(Clone, Debug, Default)]
pub struct DiagnosticOptions {
    /// Colours, form, limits.
    pub look: base::diagnostics::DiagnosticOptions,
    /// Every flag about warnings in order.
    pub warnings: Vec<WarningFlag>,
    /// Options of other languages that gcc knows, and the names of the languages.
    pub other_languages: Vec<(String, &'static str)>,
}

/// Kind of linked output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// Position-independent executable, dynamically linked: the default.
    Pie,
    /// `-no-pie`.
    NoPie,
    /// `-static`.
    Static,
    /// `-static-pie`.
    StaticPie,
    /// `-shared`.
    Shared,
    /// `-r`.
    Relocatable,
}

/// Options of linking.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// `-shared`.
    pub shared: bool,
    /// `-static`.
    pub static_: bool,
    /// `-static-pie`.
    pub static_pie: bool,
    /// `-pie` or `-no-pie`, the last one.
    pub pie: Option<bool>,
    /// `-r`.
    pub relocatable: bool,
    /// `-nostdlib`: neither start files nor default libraries.
    pub no_stdlib: bool,
    /// `-nostartfiles`.
    pub no_startfiles: bool,
    /// `-nodefaultlibs`.
    pub no_defaultlibs: bool,
    /// `-nolibc`.
    pub no_libc: bool,
    /// `-rdynamic`.
    pub export_dynamic: bool,
    /// `-s`.
    pub strip: bool,
    /// `-pthread`.
    pub pthread: bool,
    /// `-static-libgcc` (true), `-shared-libgcc` (false).
    pub static_libgcc: Option<bool>,
    /// `-static-libasan`.
    pub static_libasan: bool,
    /// `-static-libtsan`.
    pub static_libtsan: bool,
    /// `-L`.
    pub library_dirs: Vec<PathBuf>,
    /// `-B`.
    pub prefixes: Vec<PathBuf>,
    /// `-fuse-ld=`.
    pub use_ld: Option<String>,
    /// An object that reports crashes (`run`).
    pub crash_object: Option<Vec<u8>>,
    /// `-T`, `-u`, `-e`, `-z`, `-t`, `-N`, ... as the linker spells them, placed before the inputs.
    pub leading: Vec<OsString>,
}

impl LinkOptions {
    /// The kind of output the flags add up to.
    pub fn kind(&self) -> LinkKind {
        if self.relocatable {
            LinkKind::Relocatable
        } else if self.shared {
            LinkKind::Shared
        } else if self.static_pie {
            LinkKind::StaticPie
        } else if self.static_ {
            LinkKind::Static
        } else if self.pie == Some(false) {
            LinkKind::NoPie
        } else {
            LinkKind::Pie
        }
    }
}

/// `-dump*`, `-print-*`: questions answered on standard output instead of compiling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// `--help`.
    Help,
    /// `--help=CLASS,...`
    HelpOf(String),
    /// `--version`.
    Version,
    /// `-dumpversion`.
    DumpVersion,
    /// `-dumpfullversion`.
    DumpFullVersion,
    /// `-dumpmachine`.
    DumpMachine,
    /// `-dumpspecs`.
    DumpSpecs,
    /// `--completion=`: the options that begin so.
    Completion(String),
    /// `-print-prog-name=`.
    ProgName(String),
    /// `-print-file-name=`.
    FileName(String),
    /// `-print-libgcc-file-name`.
    LibgccFileName,
    /// `-print-search-dirs`.
    SearchDirs,
    /// `-print-sysroot`.
    Sysroot,
    /// `-print-multi-os-directory`.
    MultiOsDirectory,
    /// `-print-multi-directory`.
    MultiDirectory,
    /// `-print-multi-lib`.
    MultiLib,
    /// `-print-multiarch`.
    Multiarch,
}

/// Standard directories that `-nostdinc`, `--sysroot` and `-isysroot` change.
#[derive(Clone, Debug, Default)]
pub struct IncludeOptions {
    /// `-I` in order.
    pub user: Vec<PathBuf>,
    /// `-isystem` in order.
    pub system: Vec<PathBuf>,
    /// `-idirafter` in order.
    pub after: Vec<PathBuf>,
    /// `-nostdinc`.
    pub no_standard: bool,
    /// `-iprefix`.
    pub prefix: String,
}

/// Options of the assembler, as GNU `as` has them.
#[derive(Clone, Debug, Default)]
pub struct AssemblerOptions {
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `--defsym`.
    pub symbols: Vec<(String, i64)>,
    /// `--alternate`.
    pub alternate: bool,
    /// `-mnaked-reg`.
    pub naked_registers: bool,
    /// `-msyntax=intel`.
    pub intel_syntax: bool,
    /// `-mshared`.
    pub shared: bool,
    /// `--size-check=warning`.
    pub size_warnings: bool,
    /// `-g`.
    pub debug: bool,
    /// `--execstack` or `--noexecstack`: there is a stack note.
    pub stack_note: bool,
    /// `--execstack`.
    pub executable_stack: bool,
    /// `-L`.
    pub keep_locals: bool,
    /// `--strip-local-absolute`.
    pub strip_local_absolute: bool,
    /// `--elf-stt-common=yes`.
    pub stt_common: bool,
    /// `-mrelax-relocations=no`.
    pub plain_got: bool,
    /// `--no-warn`.
    pub no_warnings: bool,
    /// `--fatal-warnings`.
    pub fatal_warnings: bool,
    /// `--version`.
    pub version: bool,
    /// `--help`.
    pub help: bool,
    /// `-v`.
    pub announce: bool,
}

/// `--validate`: a solver is asked whether passes are right.
#[derive(Clone, Default, Debug)]
pub struct Validate {
    /// `--validate=`: the only pass that is asked about.
    pub pass: Option<String>,
    /// `--validate-timeout=`: seconds for one query.
    pub seconds: Option<u64>,
    /// `--validate-sample=`: one of how many changes is asked about, and a seed.
    pub sample: Option<(u64, u64)>,
}

/// Where `-ftime-trace` writes, and what it leaves out.
#[derive(Clone, Debug)]
pub struct TimeTrace {
    /// `-ftime-trace=`: a file, or a folder for files with the usual names.
    pub path: Option<PathBuf>,
    /// `-ftime-trace-granularity=`: what took less only counts in the totals.
    pub granularity: Duration,
}

impl Default for TimeTrace {
    fn default() -> TimeTrace {
        TimeTrace { path: None, granularity: Duration::from_micros(500) }
    }
}

/// Where `-fsave-optimization-record` writes, and what.
#[derive(Clone, Debug, Default)]
pub struct RemarkRecord {
    /// `-foptimization-record-file=`.
    pub file: Option<PathBuf>,
    /// `-foptimization-record-passes=`: parts of names.
    pub passes: Vec<String>,
}

/// The whole command line.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// Name used in messages: the last component of `argv[0]`.
    pub program: String,
    /// Variables of the environment mean nothing: another program has the compiler inside.
    pub no_environment: bool,
    /// All arguments after `@file` expansion, without `argv[0]`.
    pub arguments: Vec<OsString>,
    /// Last stage.
    pub stop: Stop,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// Inputs and linker arguments in order.
    pub inputs: Vec<Input>,
    /// Options of compiling.
    pub options: Options,
    /// Macros of the command line, output of `-E`, dependency files.
    pub preprocess: Preprocessing,
    /// Include directories as given.
    pub include: IncludeOptions,
    /// `--sysroot=`.
    pub sysroot: Option<PathBuf>,
    /// `-isysroot`: for headers only.
    pub header_sysroot: Option<PathBuf>,
    /// Diagnostics.
    pub diagnostics: DiagnosticOptions,
    /// Linking.
    pub link: LinkOptions,
    /// Questions; the first one is answered.
    pub queries: Vec<Query>,
    /// `-pg`: what it calls is in `options`, its start file is linked.
    pub profile: bool,
    /// `--param asan-...=`, in order: names and values.
    pub address_params: Vec<(String, u64)>,
    /// `-fasan-shadow-offset=`.
    pub shadow_start: Option<u64>,
    /// `-mfentry`: what `-pg` means.
    pub fentry: bool,
    /// `-flto`.
    pub lto: bool,
    /// `-v`.
    pub verbose: bool,
    /// `-###`.
    pub dry_run: bool,
    /// `-save-temps`: `Some(true)` is beside the output (`=obj`), `Some(false)` in the working
    /// directory.
    pub save_temps: Option<bool>,
    /// `--emit=`.
    pub emit: Emit,
    /// `--reproduce[=FILE]`: on an internal error, write the preprocessed source and the command
    /// line here.
    pub reproduce: Option<PathBuf>,
    /// `-Wa,` and `-Xassembler`.
    pub assembler_arguments: Vec<String>,
    /// What they say.
    pub assembler: AssemblerOptions,
    /// `-time`, `-ftime-report` details per job.
    pub time: bool,
    /// `-MD`/`-MMD` without `-MF`: the file's name comes from the output.
    pub dependency_file_from_output: bool,
    /// `--validate`.
    pub validate: Option<Validate>,
    /// `-fstack-usage`.
    pub stack_usage: bool,
    /// `-fcallgraph-info`.
    pub call_graph: bool,
    /// `-ftime-trace`.
    pub time_trace: Option<TimeTrace>,
    /// `-fsave-optimization-record`.
    pub remark_record: Option<RemarkRecord>,
    /// `-gsplit-dwarf`: most of debug information in a file beside the output.
    pub split_dwarf: bool,
    /// `-frecord-gcc-switches`
    pub record_switches: bool,
    /// `-funwind-tables`, which `-fasynchronous-unwind-tables` implies.
    pub synchronous_unwind_tables: bool,
    /// `-fvar-tracking`, by its name.
    pub tracks_variables: bool,
    /// Notes for the user about options that are accepted without effect where that may surprise.
    pub notices: Vec<String>,
    /// `-Q`: `--help=CLASS` says what is on.
    pub show_states: bool,
}

impl Stop {
    /// Of several stage flags the earliest stage wins, in any order.
    pub fn min_stage(self, other: Stop) -> Stop {
        self.min(other)
    }
}
