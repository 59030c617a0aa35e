//! The one shape of a function pass, and what the runner lends it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use base::bug;
use ir::analysis::LoopRef;
use ir::observer;
use ir::text::{Names, print_function};
use ir::verifier::{Strictness, verify_function};
use ir::{Block, Function, Module, SymbolId};
use rustc_hash::FxHashSet;

use crate::analysis::Analyses;
pub use crate::changed::Changed;
use crate::library::Library;
use crate::statistics::Statistics;
use crate::trace;
use platform::options::{OptLevel, Options, Sanitizers};
use platform::remarks::{Kind, Remark};

/// A function pass.
#[derive(Copy, Clone)]
pub struct Pass {
    /// Its name: of its file, its `--passes=` entry, its `-fno-` flag and its test folder.
    pub name: &'static str,
    /// Transforms one function. Use lists exist and must be kept true.
    pub run: fn(&mut Function, &mut PassContext<'_>) -> Changed,
    /// The lowest level whose pipeline runs it, where `-f<name>` does not ask for it.
    pub from_level: OptLevel,
    /// Whether the pipeline runs it where size matters more than time.
    pub for_size: bool,
    /// Whether it is only for programs in which undefined behaviour is reported.
    pub for_sanitizers: bool,
    /// Whether it is only for functions in which loops were unrolled.
    pub after_unrolling: bool,
    /// Whether a debug record may have to name several values after it.
    pub copies_code: bool,
    /// Whether it may call functions of the C library that the program does not call.
    pub calls_library: bool,
    /// Whether the passes after it rely on it, so that bisecting does not leave it out.
    pub required: bool,
}

impl Pass {
    /// A pass for all levels and functions, without the other properties.
    pub const fn new(name: &'static str, run: fn(&mut Function, &mut PassContext<'_>) -> Changed) -> Pass {
        Pass {
            name,
            run,
            from_level: OptLevel::O0,
            for_size: true,
            for_sanitizers: false,
            after_unrolling: false,
            copies_code: false,
            calls_library: false,
            required: false,
        }
    }

    /// The same, for functions in which loops were unrolled.
    pub const fn after_unrolling(self) -> Pass {
        Pass { after_unrolling: true, ..self }
    }

    /// The same, for programs that are checked at run time.
    pub const fn for_sanitizers(self) -> Pass {
        Pass { for_sanitizers: true, ..self }
    }

    /// Whether the options let the pipeline run it.
    pub fn is_wanted(&self, options: &Options) -> bool {
        let asked_for = || options.passes.iter().any(|p| p.0 == self.name && p.1);
        is_enabled(options, self.name)
            && (self.for_size || !options.optimize_size)
            && (!self.for_sanitizers || options.sanitize.checks(Sanitizers::OF_UBSAN))
            && (options.level >= self.from_level || asked_for())
    }
}

/// Where a pass stands in the pipeline of its function.
#[derive(Copy, Clone, Default)]
pub struct Position<'a> {
    /// What has run.
    pub before: &'a [Pass],
    /// What is still to come.
    pub after: &'a [Pass],
    /// What comes when all inlining is done, if this is before.
    pub late: &'a [Pass],
}

/// Counts pass executions for `--opt-bisect-limit`, in source order of functions (one thread then).
#[derive(Default)]
pub struct Bisect {
    executed: AtomicU64,
}

impl Bisect {
    /// Counts an application of a rule, which is an execution as well; its number.
    pub fn count(&self) -> u64 {
        self.executed.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether the next execution is below the limit, and whether it is the last that is.
    fn may_run(&self, options: &Options, pass: &Pass) -> (bool, bool) {
        let Some(limit) = options.opt_bisect_limit else { return (true, false) };
        let number = self.count();
        (number < limit || pass.required, number + 1 == limit)
    }
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
    /// Remarks, in order; their function is filled in at the end.
    pub remarks: Vec<Remark>,
    /// Headers of scalar loops that run what a vector or unrolled loop has left: few iterations.
    pub remainder_loops: FxHashSet<Block>,
    /// Whether loops of the function were unrolled fully, so that others may have become innermost.
    pub has_unrolled: bool,
    /// Where the running pass stands.
    pub position: Position<'a>,
    /// Dumps asked for with `--print-after`, in order.
    pub dumps: String,
    /// For `--emit=trace`: the function after each pass that changed it.
    pub steps: Vec<trace::Step>,
    /// Time per execution of a pass, without that of passes it ran.
    pub times: Vec<(&'static str, Duration)>,
    /// Executions of the command; none are counted in a context that only borrows a pass.
    bisect: Option<&'a Bisect>,
    /// Time of the passes that the running one has run.
    inner_time: Duration,
}

impl<'a> PassContext<'a> {
    /// Whether the function's code may use SSE registers.
    pub fn has_sse(&self, func: &Function) -> bool {
        func.features.unwrap_or(self.options.codegen.features).has_sse()
    }

    /// Whether the pipeline runs the pass on the function once more, or at all, after the running
    /// one.
    pub fn runs_later(&self, pass: &Pass) -> bool {
        self.position.after.iter().chain(self.position.late).any(|p| p.name == pass.name)
    }

    /// Whether the pipeline has run the pass on the function before.
    pub fn ran_before(&self, pass: &Pass) -> bool {
        self.position.before.iter().any(|p| p.name == pass.name)
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
            position: Position::default(),
            dumps: String::new(),
            steps: Vec::new(),
            times: Vec::new(),
            bisect: None,
            inner_time: Duration::ZERO,
        }
    }

    /// What counts executions, if `--opt-bisect-limit` asks for it.
    pub fn bisect(&self) -> Option<&'a Bisect> {
        self.bisect.filter(|_| self.options.opt_bisect_limit.is_some())
    }

    /// The same, with executions counted.
    pub fn counted(self, bisect: &'a Bisect) -> PassContext<'a> {
        PassContext { bisect: Some(bisect), ..self }
    }

    /// Runs another pass from within a pass, unless it is switched off: timed, dumped, verified and
    /// counted as in the pipeline. The analyses must be current.
    pub fn run(&mut self, func: &mut Function, pass: Pass) -> Changed {
        if !is_enabled(self.options, pass.name) {
            return Changed::Nothing;
        }
        self.execute(func, &pass, |_, _, _| {})
    }

    /// Says what the last execution below `--opt-bisect-limit` is.
    pub fn note_last(&mut self, what: &str, function: SymbolId) {
        let function = &self.module.symbols[function].name;
        let limit = self.options.opt_bisect_limit.unwrap_or(0);
        self.dumps.push_str(&format!("tcc-rs: note: execution {limit}, the last: {what} in '{function}'\n"));
    }

    /// Executes a pass; `settle` runs after it, before the function is looked at.
    pub fn execute(
        &mut self,
        func: &mut Function,
        pass: &Pass,
        settle: impl FnOnce(&mut PassContext<'a>, &mut Function, Changed),
    ) -> Changed {
        let (may_run, is_last) = self.bisect.map_or((true, false), |bisect| bisect.may_run(self.options, pass));
        if is_last {
            self.note_last(pass.name, func.symbol);
        }
        if !may_run {
            return Changed::Nothing;
        }
        let _pass = bug::enter_pass(pass.name);
        let timeline = self.options.timeline.as_deref();
        let start = (self.options.time_report || self.options.trace || timeline.is_some()).then(Instant::now);
        let before = self.options.trace.then(|| (self.statistics.clone(), self.remarks.len()));
        let outer = std::mem::take(&mut self.inner_time);
        let observed = observer::of(pass.name).map(|observer| (observer, func.clone()));
        let changed = (pass.run)(func, self);
        if let Some((observer, before)) = observed.filter(|_| changed != Changed::Nothing) {
            observer.changed(self.module, pass.name, &before, func);
        }
        if let (Some(timeline), Some(start)) = (timeline, start) {
            timeline.add(pass.name, &self.module.symbols[func.symbol].name, start);
        }
        if let Some(elapsed) = start.map(|start| start.elapsed()) {
            self.times.push((pass.name, elapsed.saturating_sub(self.inner_time)));
            self.inner_time = outer + elapsed;
        }
        self.analyses.settle(changed);
        debug_assert!(
            self.analyses.are_current(func, self.module, self.options),
            "{} changed the function and does not say so",
            pass.name
        );
        settle(self, func, changed);
        self.check(func, pass, changed);
        if let Some((statistics, remarks)) = before
            && changed != Changed::Nothing
        {
            let time = self.times.last().map_or(Duration::ZERO, |t| t.1);
            let mut step = trace::state(self.module, func, pass.name);
            step.remarks =
                self.remarks[remarks..].iter().filter(|r| r.kind != Kind::Missed).map(|r| r.text.clone()).collect();
            step.counters = trace::gained(&statistics, &self.statistics);
            self.steps.push(trace::Step { time, ..step });
        }
        changed
    }

    /// Verifies and dumps the function after a pass.
    fn check(&mut self, func: &Function, pass: &Pass, changed: Changed) {
        let (module, options) = (self.module, self.options);
        if (options.verify || cfg!(debug_assertions))
            && changed != Changed::Nothing
            && let Err(errors) = verify_function(module, func, Strictness::Ssa)
        {
            let mut text = String::new();
            print_function(&mut text, module, func, Names::Entities);
            bug!("the verifier rejects the function after pass {}:\n{}\n{text}", pass.name, errors.join("\n"));
        }
        if options.print_after.iter().any(|p| p == pass.name || p == "all") {
            self.dumps.push_str("; after ");
            self.dumps.push_str(pass.name);
            self.dumps.push('\n');
            print_function(&mut self.dumps, module, func, Names::Entities);
        }
    }

    /// Reports what a pass could not do at a place where it has said nothing yet.
    pub fn missed(&mut self, pass: &'static str, loc: base::Loc, text: String) {
        if !self.remarks.iter().any(|m| m.pass == pass && m.loc == loc) {
            self.remarks.push(Remark::new(pass, Kind::Missed, loc, text));
        }
    }

    /// Reports what a pass did at a place, if somebody wants remarks at all.
    pub fn remark(&mut self, pass: &'static str, loc: base::Loc, text: impl FnOnce() -> String) {
        if self.options.wants_remarks() {
            self.remarks.push(Remark::new(pass, Kind::Passed, loc, text()));
        }
    }

    /// Reports facts and counts, likewise.
    pub fn note(&mut self, pass: &'static str, text: impl FnOnce() -> String) {
        if self.options.wants_remarks() {
            self.remarks.push(Remark::new(pass, Kind::Analysis, base::Loc::NONE, text()));
        }
    }

    /// Where a loop is, for remarks; nowhere if nobody wants them.
    pub fn place<'l>(&self, func: &Function, l: impl Into<Option<LoopRef<'l>>>) -> base::Loc {
        l.into().filter(|_| self.options.wants_remarks()).map_or(base::Loc::NONE, |l| l.place(func))
    }
}

/// Whether no `-fno-<name>` came last.
pub fn is_enabled(options: &Options, name: &str) -> bool {
    options.passes.iter().rev().find(|p| p.0 == name).is_none_or(|p| p.1)
}
