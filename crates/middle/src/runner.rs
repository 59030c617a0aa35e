//! Runs passes on functions: timing, dumps, verification and bisecting happen here, never in a pass.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use base::bug;
use ir::analysis::settle_debug_values;
use ir::text::{Names, print_function};
use ir::verifier::{Strictness, verify_function};
use ir::{FuncId, Function, Module};
use rayon::prelude::*;
use target::options::Options;

use crate::call_graph;
use crate::global_dce;
use crate::inliner::{self, Summaries};
use crate::library::Library;
use crate::pass::{Changed, Pass, PassContext};
use crate::passes;
use crate::pipeline;
use crate::statistics::Statistics;

/// What a run of the middle end reports.
#[derive(Default, Debug)]
pub struct Report {
    /// Counters of all functions together.
    pub statistics: Statistics,
    /// Remarks in source order: (function, pass, message).
    pub remarks: Vec<(Box<str>, &'static str, String)>,
    /// Dumps asked for with `--print-after`, in source order.
    pub dumps: String,
    /// Calls that had to be inlined and cannot be: (where, message).
    pub errors: Vec<(base::Loc, String)>,
    /// Time per pass, in pipeline order.
    pub times: Vec<(&'static str, Duration)>,
}

impl Report {
    fn add_time(&mut self, name: &'static str, time: Duration) {
        match self.times.iter_mut().find(|t| t.0 == name) {
            Some(entry) => entry.1 += time,
            None => self.times.push((name, time)),
        }
    }

    fn merge(&mut self, other: Report) {
        self.statistics.merge(&other.statistics);
        self.remarks.extend(other.remarks);
        self.errors.extend(other.errors);
        self.dumps.push_str(&other.dumps);
        other.times.into_iter().for_each(|(name, time)| self.add_time(name, time));
    }
}

/// Counts pass executions for `--opt-bisect-limit`, in source order of functions (one thread then).
#[derive(Default)]
struct Bisect {
    executed: AtomicU64,
}

/// Fewer functions than this are not worth starting threads for.
const PARALLEL_MIN: usize = 8;

/// Passes behind which values may have several definitions where records of variables for `-g` know of one.
const COPY_CODE: [&str; 5] = [
    passes::jump_threading::PASS.name,
    passes::loop_rotate::PASS.name,
    passes::loop_unroll::PASS.name,
    passes::loop_unswitch::PASS.name,
    passes::loop_vectorize::PASS.name,
];

/// What every run of passes on a function is given.
struct Shared<'a> {
    options: &'a Options,
    bisect: &'a Bisect,
    library: &'a Library,
    /// See [`PassContext::keep_signed_divisions`].
    keep_signed_divisions: bool,
}

/// Optimises the module as the options say.
///
/// First bottom-up over the call graph: each function goes through the early passes, takes in its callees, and goes through them again;
/// functions of one level of the graph, which do not call each other, in parallel.
/// Then what nothing reaches is removed, and every function goes through the late passes on its own.
pub fn optimize(module: &mut Module, options: &Options) -> Report {
    let mut report = Report::default();
    let bisect = Bisect::default();
    let early = pipeline::early_passes(options);
    let inlines =
        options.pass_list.is_none() && pipeline::is_enabled(options, "inline") && !pipeline::stops_early(options);
    let components = call_graph::bottom_up_components(module);
    let mut summaries = Summaries::new(module, &components);
    let late = pipeline::late_passes(options);
    let folds_calls = early.iter().chain(&late).any(|p| p.name == "libcalls");
    let library = if folds_calls { Library::declare(module, options) } else { Library::default() };
    let keep_signed_divisions = late.iter().any(|p| p.name == "correlate");
    let shared = Shared { options, bisect: &bisect, library: &library, keep_signed_divisions };
    for level in call_graph::levels(module, components) {
        let (circles, single): (Vec<_>, Vec<_>) = level.into_iter().partition(|component| component.len() > 1);
        let single: Vec<FuncId> = single.into_iter().flatten().collect();
        report.merge(optimize_level(module, &single, &early, inlines, &mut summaries, &shared));
        // Functions that call each other take each other in, in source order.
        for id in circles.into_iter().flatten() {
            report.merge(optimize_level(module, &[id], &early, inlines, &mut summaries, &shared));
        }
    }
    if options.pass_list.is_none() && options.optimizing() {
        report.statistics.add("dead symbols removed", global_dce::run(module));
    }
    if !late.is_empty() {
        let shared = Shared { keep_signed_divisions: false, ..shared };
        report.merge(optimize_independently(module, &shared, &late));
    }
    report
}

/// The early passes and the inliner on functions none of which calls another one of them, in parallel.
fn optimize_level(
    module: &mut Module,
    ids: &[FuncId],
    early: &[Pass],
    inlines: bool,
    summaries: &mut Summaries,
    shared: &Shared<'_>,
) -> Report {
    let mut functions: Vec<(FuncId, Function)> = ids.iter().map(|&id| (id, take_function(module, id))).collect();
    let (unit, facts): (&Module, &Summaries) = (module, summaries);
    let reports = for_each_function(&mut functions, shared, |(id, func)| {
        optimize_with_callees(unit, func, *id, early, inlines, facts, shared)
    });
    for (id, func) in functions {
        summaries.record(id, &func);
        module.functions[id] = func;
    }
    merged(reports)
}

/// A function through the early passes, its callees into it, and again if there were any.
fn optimize_with_callees(
    module: &Module,
    func: &mut Function,
    id: FuncId,
    early: &[Pass],
    inlines: bool,
    summaries: &Summaries,
    shared: &Shared<'_>,
) -> Report {
    let options = shared.options;
    let mut report = optimize_function(module, func, early, shared);
    if !inlines {
        return report;
    }
    let mut statistics = Statistics::default();
    if inliner::run(module, func, id, options, summaries, &mut statistics, &mut report.errors) {
        report.merge(optimize_function(module, func, early, shared));
    }
    if inliner::recursive::run(module, func, id, options, &mut statistics) {
        report.merge(optimize_function(module, func, early, shared));
    }
    let calls = statistics.get("calls inlined");
    if calls > 0 && !options.remarks.is_empty() {
        let name = module.symbols[func.symbol].name.clone();
        report.remarks.push((name, "inline", format!("{calls} calls inlined")));
    }
    report.statistics.merge(&statistics);
    report
}

/// Runs `work` on every function, in parallel unless there are few of them or executions are counted. Reports come out in order.
fn for_each_function<T: Send>(
    functions: &mut [T],
    cx: &Shared<'_>,
    work: impl Fn(&mut T) -> Report + Sync + Send,
) -> Vec<Report> {
    let few = functions.len() < PARALLEL_MIN;
    if few || cx.options.opt_bisect_limit.is_some() || cx.options.threads == 1 {
        functions.iter_mut().map(work).collect()
    } else {
        functions.par_iter_mut().map(work).collect()
    }
}

fn merged(reports: Vec<Report>) -> Report {
    let mut out = Report::default();
    reports.into_iter().for_each(|report| out.merge(report));
    out
}

/// Runs passes on every function, in parallel unless executions are counted. Reports come out in source order.
fn optimize_independently(module: &mut Module, cx: &Shared<'_>, passes: &[Pass]) -> Report {
    let ids: Vec<FuncId> = module.functions.keys().collect();
    let mut functions: Vec<Function> = ids.iter().map(|&id| take_function(module, id)).collect();
    let shared: &Module = module;
    let reports = for_each_function(&mut functions, cx, |func| optimize_function(shared, func, passes, cx));
    for (id, func) in ids.into_iter().zip(functions) {
        module.functions[id] = func;
    }
    merged(reports)
}

/// Moves a function out of the module, leaving an empty one of the same name.
fn take_function(module: &mut Module, id: FuncId) -> Function {
    let (symbol, sig) = (module.functions[id].symbol, module.functions[id].sig);
    std::mem::replace(&mut module.functions[id], Function::new(symbol, sig, []))
}

fn optimize_function(module: &Module, func: &mut Function, passes: &[Pass], shared: &Shared<'_>) -> Report {
    let &Shared { options, bisect, library, keep_signed_divisions } = shared;
    let mut report = Report::default();
    let name = &module.symbols[func.symbol].name;
    let _function = base::bug::enter_function(name);
    if func.blocks().next().is_none() {
        return report;
    }
    if !func.has_use_lists() {
        func.build_uses();
    }
    let mut cx = PassContext::new(module, options, library);
    cx.keep_signed_divisions = keep_signed_divisions;
    for pass in passes {
        if let Some(limit) = options.opt_bisect_limit
            && bisect.executed.fetch_add(1, Ordering::Relaxed) >= limit
            && pass.name != "simplify_cfg"
        {
            continue;
        }
        let _pass = base::bug::enter_pass(pass.name);
        let start = options.time_report.then(Instant::now);
        let changed = (pass.run)(func, &mut cx);
        if let Some(start) = start {
            report.add_time(pass.name, start.elapsed());
        }
        cx.analyses.invalidate(changed);
        if changed == Changed::ControlFlow && COPY_CODE.contains(&pass.name) && func.has_debug_values() {
            let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
            settle_debug_values(func, &cfg, &dominators);
        }
        after_pass(module, func, options, pass, changed, &mut report);
    }
    report.statistics = std::mem::take(&mut cx.statistics);
    report.remarks = cx.remarks.into_iter().map(|(pass, text)| (name.clone(), pass, text)).collect();
    report
}

fn after_pass(module: &Module, func: &Function, options: &Options, pass: &Pass, changed: Changed, report: &mut Report) {
    if (options.verify || cfg!(debug_assertions))
        && changed != Changed::Nothing
        && let Err(errors) = verify_function(module, func, Strictness::Ssa)
    {
        let mut text = String::new();
        print_function(&mut text, module, func, Names::Entities);
        bug!("the verifier rejects the function after pass {}:\n{}\n{text}", pass.name, errors.join("\n"));
    }
    if options.print_after.iter().any(|p| p == pass.name || p == "all") {
        report.dumps.push_str("; after ");
        report.dumps.push_str(pass.name);
        report.dumps.push('\n');
        print_function(&mut report.dumps, module, func, Names::Entities);
    }
}
