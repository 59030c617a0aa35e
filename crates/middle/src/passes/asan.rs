//! `-fsanitize=address`: accesses are checked against shadow memory, and the function's variables
//! lie in one frame with red zones between them. What this does is in `instrument::asan`.

use ir::Function;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::frees::may_free;

/// The pass.
pub const PASS: Pass = Pass::new("asan", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let marked = instrument::asan::plain_markers(func);
    let Some(asan) = &cx.library.asan else { return Changed::code_if(marked) };
    let cfg = cx.analyses.cfg(func);
    let module = cx.module;
    let done = instrument::asan::run(func, module, cx.options, &asan.runtime, &cfg, |func, inst| {
        may_free(func, module, inst, |callee| asan.harmless.contains(&callee))
    });
    cx.statistics.add("accesses checked", done.checked);
    cx.statistics.add("accesses checked before", done.covered);
    cx.statistics.add("variables with red zones", done.protected);
    match done.changed {
        true => Changed::ControlFlow,
        false => Changed::code_if(marked),
    }
}
