//! What `--emit=trace` keeps: a function after every pass that changed it, line by line, with the
//! places in the source, the pass's remarks, counters and time.

use std::time::Duration;

use base::Loc;
use ir::text::{Names, function_lines};
use ir::{Function, Module};

use crate::statistics::Statistics;

/// A function after a pass.
#[derive(Clone, Debug)]
pub struct Step {
    /// The pass; [`START`] before the first one.
    pub pass: &'static str,
    /// The function's text with the source location of each line's instruction.
    pub lines: Vec<(String, Loc)>,
    /// What the pass said it did.
    pub remarks: Vec<String>,
    /// What the pass counted.
    pub counters: Vec<(&'static str, u64)>,
    /// Time of the pass.
    pub time: Duration,
}

/// Stands for the pass of a step that shows a function before the first pass of a list.
pub const START: &str = "start";

/// The steps of one function through one list of passes.
#[derive(Clone, Debug)]
pub struct FunctionTrace {
    /// The function's symbol.
    pub function: Box<str>,
    /// In the order of execution.
    pub steps: Vec<Step>,
}

/// The state of a function without anything about a pass.
pub fn state(module: &Module, func: &Function, pass: &'static str) -> Step {
    let lines = function_lines(module, func, Names::Entities)
        .into_iter()
        .map(|(text, inst)| (text, inst.map_or(Loc::NONE, |inst| func.source_loc(inst))))
        .collect();
    Step { pass, lines, remarks: Vec::new(), counters: Vec::new(), time: Duration::ZERO }
}

/// What the counters gained.
pub fn gained(before: &Statistics, after: &Statistics) -> Vec<(&'static str, u64)> {
    let gain = |(name, value): (&'static str, u64)| (name, value - before.get(name));
    after.sorted().into_iter().map(gain).filter(|counter| counter.1 > 0).collect()
}
