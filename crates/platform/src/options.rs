//! What the command line asked for, as plain data.
//!
//! The driver is the only writer; the other rooms read the part that concerns them and know nothing
//! of flag spellings. Defaults are gcc 12's for x86-64 Linux as Debian configures it (gnu17, PIE,
//! `-fno-common`, `-O0`).
//!
//! Invariant: every field has a meaning in some room. A flag that no room implements is refused by
//! the driver instead of being recorded here.

pub mod codegen;
pub mod features;
pub mod hardening;
pub mod language;
pub mod processors;
pub mod sanitize;
mod target_features;

use crate::remarks::RemarkList;
use crate::timeline::Timeline;
use std::path::PathBuf;
use std::sync::Arc;

pub use codegen::{
    CodeModel, Codegen, DataAlignment, FloatModel, FpContract, LivePatching, MergeConstants, Padding, PicLevel,
    Profile, TlsModel, UnrollLoops, Visibility, ZeroRegisters,
};
pub use features::X86Features;
pub use hardening::{AtReturn, Entries, SegmentRegister, Speculation, StackGuard, Thunk};
pub use language::{Charsets, Language, Standard};
pub use sanitize::{AddressChecks, Sanitize, Sanitizers, TraceCoverage};

/// `-O` level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum OptLevel {
    /// `-O0`: the quick path.
    #[default]
    O0,
    /// `-O1`, `-O`, `-Og`.
    O1,
    /// `-O2`.
    O2,
    /// `-O3`, `-Ofast` (which also sets the fast-math parts of [`FloatModel`]).
    O3,
}

/// How `--stats` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatsForm {
    /// One counter a line, value first.
    Table,
    /// One JSON object.
    Json,
}

/// What `mem2reg` and `sroa` promote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// `--max-promote-size=N`: bytes of the largest promoted variable; at most 64, the widest
    /// vector.
    pub max_size: u64,
    /// `--max-phi-copies=N`: estimated phi copies per function beyond which variables are given up.
    /// Without it [`Promotion::PHI_COPIES`], or as many as the function has accesses to be
    /// promoted.
    pub max_phi_copies: Option<u64>,
    /// `--no-byval-mem2reg` (false): aggregate parameters in memory are split, too.
    pub byval: bool,
}

impl Promotion {
    /// The phi copies that every function may have. The largest interpreter loops of real programs
    /// need 2,000 to 4,000; what passes 50,000 makes code of megabytes.
    pub const PHI_COPIES: u64 = 50_000;
}

impl Default for Promotion {
    fn default() -> Promotion {
        Promotion { max_size: 64, max_phi_copies: None, byval: true }
    }
}

/// Counting how often each line is executed, for `gcov`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// `-fprofile-arcs`: the program counts, and writes a `.gcda` file.
    pub counts: bool,
    /// `-ftest-coverage`: a `.gcno` file is written.
    pub notes: bool,
    /// `-fprofile-update=atomic`
    pub atomic: bool,
    /// `-fprofile-dir=`: where the program writes its counts.
    pub directory: Option<String>,
    /// `-fprofile-note=`: the name of the `.gcno` file.
    pub note_file: Option<std::path::PathBuf>,
    /// `-fprofile-filter-files=`: functions of files that match one of these expressions alone are
    /// counted.
    pub filter_files: Vec<String>,
    /// `-fprofile-exclude-files=`: functions of files that match one of these are not.
    pub exclude_files: Vec<String>,
    /// `-fprofile-use`: what the program has counted is read.
    pub use_counts: bool,
    /// `-fprofile-use=`: the file, or its folder.
    pub use_from: Option<String>,
    /// `-fprofile-abs-path`: sources are named with their folders.
    pub absolute: bool,
    /// What the files are called, before their extensions.
    pub base: std::path::PathBuf,
}

impl Coverage {
    /// Whether any of it is wanted.
    pub fn is_on(&self) -> bool {
        self.counts || self.notes || self.use_counts
    }

    /// Whether each copy of an `always_inline` function is counted on its own, which notes, where a
    /// line has one count, know nothing of.
    pub fn copies(&self) -> bool {
        self.is_on() && !self.notes
    }
}

/// Everything a compilation of one translation unit needs to know.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Optimisation level.
    pub level: OptLevel,
    /// `-Os` or `-Oz`: the level is [`OptLevel::O2`], with size preferred over speed. Defines
    /// `__OPTIMIZE_SIZE__`.
    pub optimize_size: bool,
    /// `-Og`: the level is [`OptLevel::O1`], and what a debugger shows comes first: variables keep
    /// their values to the end of their scopes, statements stay apart.
    pub optimize_debug: bool,
    /// The dialect of C.
    pub language: Language,
    /// Code generation.
    pub codegen: Codegen,
    /// Checks at run time.
    pub sanitize: Sanitize,
    /// `-f<pass>` (true) and `-fno-<pass>` (false) for the names of the middle end's passes, in
    /// command-line order.
    pub passes: Vec<(String, bool)>,
    /// `--passes=a,b,c`: run exactly these passes instead of the pipeline of the level.
    pub pass_list: Option<Vec<String>>,
    /// Limits of the promotion of variables to SSA values.
    pub promotion: Promotion,
    /// `--opt-bisect-limit=N`: stop transforming after this many pass executions.
    pub opt_bisect_limit: Option<u64>,
    /// `--print-after=<pass>` (`all` for every pass): dump the IR to stderr.
    pub print_after: Vec<String>,
    /// `--emit=trace`: every function is kept after each pass that changed it.
    pub trace: bool,
    /// `-S`: what is emitted will be printed as text, so what it was made of is kept.
    pub emit_text: bool,
    /// `--stop-after=<pass>`: nothing of the pipeline runs on a function after this pass has first
    /// run on it.
    pub stop_after: Option<String>,
    /// `--stats`, `--stats=json`: counters of the middle end.
    pub stats: Option<StatsForm>,
    /// `-Rpass=<names>`: remarks of these passes are printed; names separated by `|` or `,`, parts
    /// of names count, `.*` is all.
    pub remarks: Vec<String>,
    /// `-Rpass-missed=<names>`: the same of what passes could not do.
    pub missed_remarks: Vec<String>,
    /// `-Rpass-analysis=<names>`: the same of facts and counts.
    pub analysis_remarks: Vec<String>,
    /// `-fsave-optimization-record`: the file of all remarks, and the passes that are wanted.
    pub remark_record: Option<(PathBuf, Vec<String>)>,
    /// `-fopt-info`.
    pub remark_lists: Vec<RemarkList>,
    /// `-ftime-report`.
    pub time_report: bool,
    /// `-ftime-trace`: where the steps are noted.
    pub timeline: Option<Arc<Timeline>>,
    /// `--verify`: run the IR verifier and the checkers after every pass. On in debug builds.
    pub verify: bool,
    /// `-fthreads=N`: workers for optimisation and emission; 0 lets the program decide. Never
    /// changes output.
    pub threads: usize,
    /// `--coverage` and its parts.
    pub coverage: Coverage,
    /// `-flto`: the object holds its IR as well. The text is that of the options that its code
    /// depends on.
    pub link_time: Option<Box<str>>,
    /// Name of the main input as the user gave it (`-` is `<stdin>`), or as preprocessed text says.
    pub input_name: String,
    /// Where preprocessed text says that it was made; else it is the process's directory.
    pub working_directory: Option<String>,
}

impl Options {
    /// Whether what passes did is wanted.
    pub fn wants_remarks(&self) -> bool {
        !self.remarks.is_empty() || !self.analysis_remarks.is_empty() || self.trace || self.keeps_remarks()
    }

    /// Whether what passes did not do is wanted.
    pub fn wants_missed(&self) -> bool {
        !self.missed_remarks.is_empty() || self.keeps_remarks()
    }

    fn keeps_remarks(&self) -> bool {
        self.remark_record.is_some() || !self.remark_lists.is_empty()
    }

    /// `-fexcess-precision=standard`: by default in modes of ISO C, unless `-ffast-math` is given.
    pub fn standard_excess(&self) -> bool {
        self.language.standard_excess.unwrap_or(!self.language.gnu && !self.codegen.float.is_fast_math())
    }

    /// What the linker may merge (`-fmerge-constants`): nothing at `-O0` unless asked for.
    pub fn merge_constants(&self) -> MergeConstants {
        let default = if self.optimizing() { MergeConstants::Unnamed } else { MergeConstants::No };
        self.codegen.merge_constants.unwrap_or(default)
    }

    /// Whether static variables stay although nothing refers to them (`-fno-toplevel-reorder`, and
    /// at `-O0`).
    pub fn keep_static_variables(&self) -> bool {
        !self.codegen.toplevel_reorder.unwrap_or(self.optimizing())
    }

    /// Whether static functions that nothing refers to are part of the object, unless they are
    /// there to be inlined.
    pub fn keep_static_functions(&self) -> bool {
        !self.optimizing() || self.codegen.keep_static_functions || self.keep_static_variables()
    }

    /// Whether the dynamic linker may replace what a name of default visibility means by another
    /// definition.
    pub fn interposable(&self) -> bool {
        self.codegen.pic == PicLevel::Pic && self.codegen.semantic_interposition
    }

    /// Whether `__OPTIMIZE__` is defined and the full back end is used.
    pub fn optimizing(&self) -> bool {
        self.level > OptLevel::O0
    }

    /// Whether the sections of functions follow from what they are: cold, hot, start-up code.
    pub fn reorders_functions(&self) -> bool {
        self.codegen.reorder_functions.unwrap_or(self.level >= OptLevel::O2)
    }
}
