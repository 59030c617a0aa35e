//! `-fharden-compares` and `-fharden-conditional-branches`: conditions are computed a second time.
//! What this does is in `instrument::harden_conditionals`.

use ir::Function;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("harden_conditionals", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let done = instrument::harden_conditionals::run(func, &cx.options.codegen);
    cx.statistics.add("comparisons hardened", done.compares);
    cx.statistics.add("branches hardened", done.branches);
    match done.compares + done.branches {
        0 => Changed::Nothing,
        _ => Changed::ControlFlow,
    }
}
