//! `-fsanitize=thread`: the runtime is told of every access that another thread may see, and does
//! the atomic operations itself. What this does is in `instrument::tsan`.

use ir::Function;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("tsan", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let Some(runtime) = &cx.library.tsan else { return Changed::Nothing };
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let done = instrument::tsan::run(func, cx.module, runtime, |alloca| alias.is_private(alloca));
    cx.statistics.add("accesses told", done.told);
    cx.statistics.add("atomic operations", done.atomic);
    Changed::code_if(done.changed)
}
