//! The one shape of a function pass, and what the runner lends it.

use ir::{Block, Function, Module};
use rustc_hash::FxHashSet;

use crate::analysis::Analyses;
pub use crate::changed::Changed;
use crate::library::Library;
use crate::statistics::Statistics;
use target::options::Options;

/// A function pass.
#[derive(Copy, Clone)]
pub struct Pass {
    /// Its name: of its file, its `--passes=` entry, its `-fno-` flag and its test folder.
    pub name: &'static str,
    /// Transforms one function. Use lists exist and must be kept true.
    pub run: fn(&mut Function, &mut PassContext<'_>) -> Changed,
}

/// What a pass may read and report to.
pub struct PassContext<'a> {
    /// The module, without the function being transformed.
    pub module: &'a Module,
    /// What the command line says.
    pub options: &'a Options,
    /// What library calls may become.
    pub library: &'a Library,
    /// Cached analyses of the function.
    pub analyses: Analyses,
    /// Counters.
    pub statistics: Statistics,
    /// Remarks, in order: (pass, message).
    pub remarks: Vec<(&'static str, String)>,
    /// Headers of scalar loops that run what a vector or unrolled loop has left: few rounds.
    pub remainder_loops: FxHashSet<Block>,
    /// Whether loops of the function were unrolled fully, so that others may have become innermost.
    pub has_unrolled: bool,
    /// Signed divisions by constants stay as they are: a later pass may find them unsigned (`correlate`), which are shorter when expanded.
    pub keep_signed_divisions: bool,
}

impl<'a> PassContext<'a> {
    /// Whether the function's code may use SSE registers.
    pub fn has_sse(&self, func: &Function) -> bool {
        func.features.unwrap_or(self.options.codegen.features).has_sse()
    }

    /// A context for the functions of `module`.
    pub fn new(module: &'a Module, options: &'a Options, library: &'a Library) -> PassContext<'a> {
        PassContext {
            module,
            options,
            library,
            analyses: Analyses::default(),
            statistics: Statistics::default(),
            remarks: Vec::new(),
            remainder_loops: FxHashSet::default(),
            has_unrolled: false,
            keep_signed_divisions: false,
        }
    }

    /// Reports what a pass did, if `-Rpass=` asks for remarks at all.
    pub fn remark(&mut self, pass: &'static str, text: impl FnOnce() -> String) {
        if !self.options.remarks.is_empty() {
            self.remarks.push((pass, text()));
        }
    }
}

/// Whether no `-fno-<name>` came last.
pub fn is_enabled(options: &Options, name: &str) -> bool {
    options.passes.iter().rev().find(|p| p.0 == name).is_none_or(|p| p.1)
}
