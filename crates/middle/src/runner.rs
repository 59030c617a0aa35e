//! Takes functions through the passes and collects reports. What is done around one run of a pass
//! (timing, dumps, verification, bisecting) is [`PassContext::execute`].

use std::time::Duration;

use instrument::asan::{self, runtime::AsanRuntime};
use instrument::trace_coverage;
use instrument::tsan::runtime::TsanRuntime;
use ir::analysis::settle_debug_values;
use ir::{FnAttrs, FuncId, Function, Inst, Module};
use platform::options::{Options, TraceCoverage};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::ipo::constant_parameters::{self, Mentions as Passed};
use crate::ipo::effect_free;
use crate::ipo::global_dce;
use crate::ipo::inliner::{self, Inliner, Summaries, Summary};
use crate::ipo::memory_effects;
use crate::ipo::never_returns;
use crate::ipo::specialise;
use crate::library::{Asan, Library};
use crate::pass::{Bisect, Changed, Pass, PassContext, Position};
use crate::pipeline::{self, Stage};
use crate::statistics::Statistics;
use crate::trace::{self, FunctionTrace};
use ir::analysis::call_graph::{self, Mentions};
use ir::analysis::frees;
use ir::analysis::never_written::{self, Touched};
use platform::remarks::Remark;

/// What a run of the middle end reports.
#[derive(Default, Debug)]
pub struct Report {
    /// Counters of all functions together.
    pub statistics: Statistics,
    /// Remarks in source order.
    pub remarks: Vec<Remark>,
    /// Dumps asked for with `--print-after`, in source order.
    pub dumps: String,
    /// Steps asked for with `--emit=trace`, in the order of execution.
    pub trace: Vec<FunctionTrace>,
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

    /// Adds what another run reports, after what is there.
    pub fn merge(&mut self, other: Report) {
        self.statistics.merge(&other.statistics);
        self.remarks.extend(other.remarks);
        self.errors.extend(other.errors);
        self.dumps.push_str(&other.dumps);
        self.trace.extend(other.trace);
        other.times.into_iter().for_each(|(name, time)| self.add_time(name, time));
    }
}

/// What every run of passes on a function is given.
struct Shared<'a> {
    options: &'a Options,
    bisect: &'a Bisect,
    library: &'a Library,
    /// What comes when all inlining is done, as long as it is to come.
    late: &'a [Pass],
}

/// Optimises the module as the options say: [`inline`], then the late passes on every function.
pub fn optimize(module: &mut Module, options: &Options) -> Report {
    let (mut report, late) = inline(module, options);
    let ids: Vec<FuncId> = module.functions.keys().collect();
    let mut functions: Vec<_> = ids.into_iter().map(|id| (id, module.take_function(id))).collect();
    let shared: &Module = module;
    let reports = for_each_function(&mut functions, options, |(_, func)| late.run(shared, func));
    for (id, mut func) in functions {
        if let Some((symbol, text)) = func.frame_description.take() {
            asan::runtime::define_text(module, symbol, &text);
        }
        module.functions[id] = func;
    }
    report.merge(merged(reports));
    report
}

/// Runs the interprocedural stages of [`pipeline::STAGES`]. Returns the late pipeline, which the
/// caller runs on each function.
pub fn inline<'a>(module: &mut Module, options: &'a Options) -> (Report, Late<'a>) {
    let mut report = Report::default();
    let bisect = Bisect::default();
    let early = pipeline::early_passes(options);
    let late = pipeline::late_passes(options);
    let folds_calls = early.iter().chain(&late).any(|p| p.calls_library);
    let mut library = if folds_calls { Library::declare(module, options) } else { Library::default() };
    if options.pass_list.is_some() {
        declare_runtimes(module, options, &mut library);
    }
    let shared = Shared { options, bisect: &bisect, library: &library, late: &late };
    let mut facts: Vec<Facts> = Vec::new();
    for stage in pipeline::stages(options) {
        report.merge(run_stage(stage, module, &mut facts, &early, &shared));
    }
    if options.pass_list.is_none() {
        declare_runtimes(module, options, &mut library);
    }
    (report, Late { options, bisect, library, passes: late })
}

/// Declares what the passes of sanitizers may call.
fn declare_runtimes(module: &mut Module, options: &Options, library: &mut Library) {
    if pipeline::checks_addresses(options) {
        let harmless = frees::harmless(module, options.interposable());
        library.asan = Some(Asan { runtime: AsanRuntime::declare(module, options), harmless });
    }
    if pipeline::checks_threads(options) {
        library.tsan = Some(TsanRuntime::declare(module, options));
    }
}

/// Runs one stage; `facts` of all functions are there after the early passes and until inlining
/// takes them; who comes after that looks again.
fn run_stage(stage: Stage, module: &mut Module, facts: &mut Vec<Facts>, early: &[Pass], shared: &Shared<'_>) -> Report {
    let options = shared.options;
    let mut report = Report::default();
    match stage {
        Stage::EarlyPasses => {
            let all: Vec<FuncId> = module.functions.keys().collect();
            (report, *facts) = on_functions(module, &all, options, |unit, _, func| {
                let report = optimize_function(unit, func, early, shared);
                (report, Facts::of(unit, func))
            });
        }
        Stage::ConstantParameters if facts.is_empty() => {
            // Nobody asks for facts once inlining has taken them; only what is passed matters.
            let all: Vec<FuncId> = module.functions.keys().collect();
            let look = |unit: &Module, _, func: &mut Function| (Report::default(), Passed::of(unit, func));
            let passed = on_functions(module, &all, options, look).1;
            report = settle_parameters(module, &passed.iter().collect::<Vec<_>>(), |_, _| (), early, shared).0;
        }
        Stage::ConstantParameters => {
            report = settle_with_facts(module, facts, early, shared);
            if make_copies(module, facts, &mut report, options) {
                report.merge(settle_with_facts(module, facts, early, shared));
            }
        }
        Stage::NeverWritten => {
            let touched: Vec<&Touched> = facts.iter().map(|facts| &facts.touched).collect();
            report.statistics.add("variables never written", never_written::mark(module, &touched));
        }
        Stage::EffectFree => {
            let plain: Vec<FuncId> = module.functions.keys().filter(|id| facts[id.as_u32() as usize].plain).collect();
            report.statistics.add("functions without effects", effect_free::mark(module, plain.into_iter(), options));
        }
        Stage::Inline => {
            let facts = std::mem::take(facts).into_iter().map(|facts| (facts.summary, facts.mentions));
            report = take_in_all(module, facts.unzip(), early, shared);
        }
        Stage::TraceCoverage if options.sanitize.coverage == TraceCoverage::default() => {}
        Stage::TraceCoverage => {
            // What is told shall be what is left of the branches (objtool wants to see it as well).
            let all: Vec<FuncId> = module.functions.keys().collect();
            let before = pipeline::before_tracing(shared.late);
            report = on_functions(module, &all, options, |unit, _, func| {
                (optimize_function(unit, func, before, shared), ())
            })
            .0;
            report.statistics.add("calls for fuzzers", trace_coverage::add(module, options));
        }
        Stage::GlobalDce => report.statistics.add("dead symbols removed", global_dce::run(module)),
    }
    report
}

/// What a function's code says that concerns others.
struct Facts {
    summary: Summary,
    mentions: Mentions,
    parameters: Passed,
    touched: Touched,
    /// See [`effect_free::is_plain`].
    plain: bool,
}

impl Facts {
    fn of(module: &Module, func: &Function) -> Facts {
        Facts {
            summary: Summary::of(func),
            mentions: Mentions::of(module, func),
            parameters: Passed::of(module, func),
            touched: never_written::touched(module, func),
            plain: effect_free::is_plain(func),
        }
    }
}

/// [`settle_parameters`], and new facts about the functions concerned.
fn settle_with_facts(module: &mut Module, facts: &mut [Facts], early: &[Pass], shared: &Shared<'_>) -> Report {
    let passed: Vec<&Passed> = facts.iter().map(|facts| &facts.parameters).collect();
    let (report, again) = settle_parameters(module, &passed, Facts::of, early, shared);
    for (id, again) in again {
        facts[id.as_u32() as usize] = again;
    }
    report
}

/// Parameters that are the same constant at all calls become it, and the early passes run again
/// where that was; what `look` says then of each function concerned.
fn settle_parameters<T: Send>(
    module: &mut Module,
    passed: &[&Passed],
    look: impl Fn(&Module, &Function) -> T + Sync,
    early: &[Pass],
    shared: &Shared<'_>,
) -> (Report, Vec<(FuncId, T)>) {
    let found = constant_parameters::find(module, passed);
    let concerned = |id: &FuncId| found.any_of(*id) || found.any_called(passed[id.as_u32() as usize]);
    let concerned: Vec<FuncId> = module.functions.keys().filter(concerned).collect();
    let (mut report, again) = on_functions(module, &concerned, shared.options, |unit, id, func| {
        found.apply(unit, id, func);
        let report = match found.any_of(id) {
            true => optimize_function(unit, func, early, shared),
            false => Report::default(),
        };
        (report, look(unit, func))
    });
    report.statistics.add("parameters that are constants", found.count() as u64);
    (report, concerned.into_iter().zip(again).collect())
}

/// Copies of functions for some of their calls; whether any were made.
fn make_copies(module: &mut Module, facts: &mut Vec<Facts>, report: &mut Report, options: &Options) -> bool {
    let calls = facts.iter().map(|facts| &facts.parameters.decisive);
    let of_function = |(id, calls): (FuncId, &Vec<Inst>)| calls.iter().map(|&call| (id, call)).collect::<Vec<_>>();
    let seeds = module.functions.keys().zip(calls).flat_map(of_function).collect();
    let before = module.functions.len();
    let changed = specialise::run(module, seeds, options);
    for &id in &changed {
        let again = Facts::of(module, &module.functions[id]);
        match facts.get_mut(id.as_u32() as usize) {
            Some(facts) => *facts = again,
            None => facts.push(again),
        }
    }
    report.statistics.add("functions copied for arguments", (module.functions.len() - before) as u64);
    !changed.is_empty()
}

/// The passes that look at one function, when all inlining is done.
pub struct Late<'a> {
    options: &'a Options,
    bisect: Bisect,
    library: Library,
    passes: Vec<Pass>,
}

impl Late<'_> {
    /// Runs them on a function that has been taken out of the module. For any number of functions
    /// at a time, unless `--opt-bisect-limit` counts them.
    pub fn run(&self, module: &Module, func: &mut Function) -> Report {
        if self.passes.is_empty() {
            return Report::default();
        }
        let shared = Shared { options: self.options, bisect: &self.bisect, library: &self.library, late: &[] };
        optimize_function(module, func, &self.passes, &shared)
    }
}

/// Bottom-up over the call graph, each function's callees into it; of all functions what their code
/// says.
fn take_in_all(
    module: &mut Module,
    (functions, mentions): (Vec<Summary>, Vec<Mentions>),
    early: &[Pass],
    shared: &Shared<'_>,
) -> Report {
    let mut report = Report::default();
    let callees: Vec<&[FuncId]> = mentions.iter().map(|m| &*m.callees).collect();
    let components = call_graph::bottom_up_components(&callees);
    let forced = |id: FuncId| module.symbols[module.functions[id].symbol].attrs.has(FnAttrs::ALWAYS_INLINE);
    // Only what must be inlined goes into others of its own component.
    let alone = |component: &[FuncId]| component.len() > 1 && component.iter().any(|&id| forced(id));
    let is_helper = |id: FuncId| inliner::is_helper(module, id, &functions[id.as_u32() as usize]);
    let scc_sizes: Vec<u32> = inliner::scc_sizes(&components, functions.len());
    let components = call_graph::helpers_first(&callees, components, is_helper, forced);
    let levels = call_graph::levels(&callees, &components, alone);
    let mut summaries = Summaries::new(module, functions, &mentions, &components, scc_sizes);
    let mut endless = FxHashSet::default();
    for cycle in components.iter().filter(|component| component.len() > 1) {
        never_returns::in_cycle(module, cycle, &callees, shared.options, &mut endless);
    }
    let mut known_effects = 0;
    for level in levels {
        let (passes, changed) = on_functions(module, &level, shared.options, |unit, id, func| {
            let cut = never_returns::cut(unit, func, &endless);
            let (report, changed) = take_in_callees(unit, func, id, cut, early, &summaries, shared);
            let effects = summaries.is_mentioned(id).then(|| memory_effects::of(unit, func, shared.options)).flatten();
            (report, (changed.then(|| Summary::of(func)), never_returns::is_endless(func), effects))
        });
        report.merge(passes);
        for (id, (summary, is_endless, effects)) in level.into_iter().zip(changed) {
            summary.into_iter().for_each(|summary| summaries.record(id, summary));
            if effects.is_some() {
                known_effects += 1;
                let symbol = module.functions[id].symbol;
                module.memory_effects[symbol] = effects;
            }
            if is_endless {
                endless.extend(never_returns::mark(module, id, shared.options));
            }
        }
    }
    report.statistics.add("functions that never return", endless.len() as u64);
    report.statistics.add("functions whose accesses are known", known_effects);
    report
}

/// Does `work` on functions of the module, none of which looks at another one of them, in parallel;
/// what it gives for each of them.
fn on_functions<T: Send>(
    module: &mut Module,
    ids: &[FuncId],
    options: &Options,
    work: impl Fn(&Module, FuncId, &mut Function) -> (Report, T) + Sync,
) -> (Report, Vec<T>) {
    let mut functions: Vec<(FuncId, Function)> = ids.iter().map(|&id| (id, module.take_function(id))).collect();
    let unit: &Module = module;
    let done = for_each_function(&mut functions, options, |(id, func)| work(unit, *id, func));
    for (id, func) in functions {
        module.functions[id] = func;
    }
    let (reports, found): (Vec<Report>, Vec<T>) = done.into_iter().unzip();
    (merged(reports), found)
}

/// The callees of a function into it, and the early passes again if there were any or code was
/// `cut` off, which the second result says.
fn take_in_callees(
    module: &Module,
    func: &mut Function,
    id: FuncId,
    cut: bool,
    early: &[Pass],
    summaries: &Summaries,
    shared: &Shared<'_>,
) -> (Report, bool) {
    let options = shared.options;
    let mut report = Report::default();
    let mut statistics = Statistics::default();
    let inliner = Inliner { module, options, summaries, caller: id };
    let inlined = inliner.run(func, &mut statistics, &mut report.errors, &mut report.remarks);
    if inlined || cut {
        let calls = statistics.get("calls inlined");
        report.merge(after_inlining(optimize_function(module, func, early, shared), calls));
    }
    let unrolled = inliner::recursive::run(module, func, id, options, &mut statistics);
    if unrolled {
        report.merge(after_inlining(optimize_function(module, func, early, shared), statistics.get("calls inlined")));
    }
    report.statistics.merge(&statistics);
    (report, inlined || unrolled || cut)
}

/// In a trace, what the passes began with is what inlining has made.
fn after_inlining(mut report: Report, calls: u64) -> Report {
    if let Some(first) = report.trace.first_mut().and_then(|t| t.steps.first_mut()) {
        first.pass = "inline";
        first.remarks.push(format!("{calls} calls inlined"));
    }
    report
}

/// Runs `work` on every function, in parallel unless there is little to do or executions are
/// counted. What it gives comes out in order.
fn for_each_function<R: Send>(
    functions: &mut [(FuncId, Function)],
    options: &Options,
    work: impl Fn(&mut (FuncId, Function)) -> R + Sync + Send,
) -> Vec<R> {
    let instructions = functions.iter().map(|(_, func)| func.num_insts()).sum();
    let threads = if options.opt_bisect_limit.is_some() { 1 } else { options.threads };
    if base::threads::share(threads, functions.len(), instructions) {
        functions.par_iter_mut().map(work).collect()
    } else {
        functions.iter_mut().map(work).collect()
    }
}

fn merged(reports: Vec<Report>) -> Report {
    let mut out = Report::default();
    reports.into_iter().for_each(|report| out.merge(report));
    out
}

fn optimize_function<'a>(module: &'a Module, func: &mut Function, passes: &'a [Pass], shared: &Shared<'a>) -> Report {
    let &Shared { options, bisect, library, late } = shared;
    let mut report = Report::default();
    let name = &module.symbols[func.symbol].name;
    let _function = base::bug::enter_function(name);
    if func.blocks().next().is_none() {
        return report;
    }
    if !func.has_use_lists() {
        func.build_uses();
    }
    let mut cx = PassContext::new(module, options, library).counted(bisect);
    if options.trace {
        cx.steps.push(trace::state(module, func, trace::START));
    }
    for (index, pass) in passes.iter().enumerate() {
        if pass.after_unrolling && !cx.has_unrolled {
            continue;
        }
        cx.position = Position { before: &passes[..index], after: &passes[index + 1..], late };
        cx.execute(func, pass, |cx, func, changed| settle(cx, func, pass, changed));
    }
    report.statistics = std::mem::take(&mut cx.statistics);
    report.dumps = std::mem::take(&mut cx.dumps);
    if options.trace {
        report.trace.push(FunctionTrace { function: name.clone(), steps: std::mem::take(&mut cx.steps) });
    }
    cx.times.drain(..).for_each(|(pass, time)| report.add_time(pass, time));
    report.remarks = cx.remarks.into_iter().map(|r| Remark { function: name.clone(), ..r }).collect();
    report
}

/// What follows a pass of the pipeline, and not one that another pass runs, which holds numbers of
/// instructions.
fn settle(cx: &mut PassContext<'_>, func: &mut Function, pass: &Pass, changed: Changed) {
    if changed == Changed::ControlFlow && pass.copies_code && func.has_debug_values() {
        let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
        settle_debug_values(func, &cfg, &dominators);
    }
    if func.is_sparse() {
        func.compact();
        cx.analyses.invalidate(Changed::Code);
    }
}
