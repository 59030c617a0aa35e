//! `-Rpass-analysis=predictors` with `-fprofile-use`: what the static predictors would have said of
//! each branch that earlier runs counted, and what it did.

use super::{Job, remarks};
use ir::analysis::{Cfg, DominatorTree, Frequencies, LoopTree};
use ir::{BranchHint, Function, InstView};
use platform::remarks::{Kind, Remark};

/// The name that options know these remarks by.
pub const NAME: &str = "predictors";

/// Prints a remark for each counted branch, if somebody asks for them.
pub fn report(job: &Job<'_>, module: &ir::Module) {
    if !remarks::asked(&job.options.analysis_remarks, NAME) {
        return;
    }
    for func in module.functions.values() {
        remarks::print(job, &of_function(module, func));
    }
}

fn of_function(module: &ir::Module, func: &Function) -> Vec<Remark> {
    let cfg = Cfg::compute(func);
    let loops = LoopTree::compute(func, &cfg, &DominatorTree::compute(func, &cfg));
    let Some(frequencies) = Frequencies::counted(func, &cfg, &loops) else { return Vec::new() };
    let entered = func.counted.map_or(0, |counted| counted.entered);
    let remark = |block| {
        let branch = func.terminator(block);
        let InstView::CondBr { hint: BranchHint::Measured(odds), .. } = func.view(branch) else { return None };
        let guess = frequencies.guess(func, &cfg, &loops, block);
        let times = f64::from(frequencies.of(block)) * entered as f64;
        let (by, then, taken) = (guess.by, guess.then, odds.probability());
        let text = format!("predicted by {by}: {then:.3}, taken {taken:.5} of {times:.0} times");
        let mut remark = Remark::new(NAME, Kind::Analysis, func.source_loc(branch), text);
        remark.function = module.symbols[func.symbol].name.clone();
        Some(remark)
    };
    cfg.reverse_postorder().filter_map(remark).collect()
}
