//! The one shape of a function pass, and what the runner lends it.

use ir::{Function, Module};

use crate::analysis::Analyses;
use crate::statistics::Statistics;
use target::options::Options;

/// What a pass did to a function; the runner invalidates analyses accordingly.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Changed {
    /// Nothing.
    Nothing,
    /// Instructions, but no block and no edge.
    Code,
    /// Blocks or edges as well.
    ControlFlow,
}

impl Changed {
    /// `Code` if `changed`.
    pub fn code_if(changed: bool) -> Changed {
        if changed { Changed::Code } else { Changed::Nothing }
    }

    /// `ControlFlow` if `changed`.
    pub fn control_flow_if(changed: bool) -> Changed {
        if changed { Changed::ControlFlow } else { Changed::Nothing }
    }
}

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
    /// Cached analyses of the function.
    pub analyses: Analyses,
    /// Counters.
    pub statistics: Statistics,
    /// Remarks, in order: (pass, message).
    pub remarks: Vec<(&'static str, String)>,
}

impl<'a> PassContext<'a> {
    /// A context for the functions of `module`.
    pub fn new(module: &'a Module, options: &'a Options) -> PassContext<'a> {
        PassContext {
            module,
            options,
            analyses: Analyses::default(),
            statistics: Statistics::default(),
            remarks: Vec::new(),
        }
    }
}
