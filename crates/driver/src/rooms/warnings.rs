//! Warnings that need to know what a function does.

use super::Job;
use crate::invocation::Stop;
use ::warnings::attributes::{self, Attribute};
use ::warnings::clobbered;
use ::warnings::memory::{self, Kind};
use ::warnings::{constant_results, endings, endless_recursion, null_dereference, uninitialized};
use base::{WarningId, warning};
use ir::{Function, Module, SymbolId};
use platform::options::{OptLevel, Options};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Which of them are asked for.
#[derive(Clone, Copy)]
struct Wanted<'o> {
    options: &'o Options,
    uninitialized: bool,
    init_self: bool,
    memory: bool,
    recursion: bool,
    null: bool,
    clobbered: bool,
    optimizing: bool,
}

/// What is said of one function.
struct Findings {
    values: Vec<uninitialized::Uninitialized>,
    objects: Vec<memory::Finding>,
    nulls: Vec<null_dereference::NullDereference>,
    clobbered: Vec<clobbered::Clobbered>,
    /// The function, and where it calls itself without end.
    recursion: Option<(base::Loc, Vec<base::Loc>)>,
}

/// Of one function as it was lowered.
pub fn of_function(job: &Job<'_>, module: &Module, function: &Function) {
    if job.stop != Stop::Check {
        suggest_noreturn(job, module, function, &FxHashSet::default());
        report(job, wanted(job).check(module, function));
    }
}

fn suggests_noreturn(job: &Job<'_>) -> bool {
    job.session.diag.is_on_somewhere(warning::SUGGEST_ATTRIBUTE_NORETURN)
}

/// `-Wsuggest-attribute=noreturn`, where the functions `ending` are known not to return.
fn suggest_noreturn(job: &Job<'_>, module: &Module, function: &Function, ending: &FxHashSet<SymbolId>) {
    if suggests_noreturn(job) && endings::is_candidate(module, function, ending) {
        let message = "function might be candidate for attribute 'noreturn'";
        job.session.warn(warning::SUGGEST_ATTRIBUTE_NORETURN, function.loc, message).emit();
    }
}

const SUGGESTED: [(Attribute, WarningId, &str); 4] = [
    (Attribute::Const, warning::SUGGEST_ATTRIBUTE_CONST, "const"),
    (Attribute::Pure, warning::SUGGEST_ATTRIBUTE_PURE, "pure"),
    (Attribute::Malloc, warning::SUGGEST_ATTRIBUTE_MALLOC, "malloc"),
    (Attribute::Cold, warning::SUGGEST_ATTRIBUTE_COLD, "cold"),
];

/// `-Wsuggest-attribute=` for what the functions are known to do, which gcc finds out where it
/// optimises.
fn suggest_attributes(job: &Job<'_>, module: &Module) {
    let is_on = |flag| job.session.diag.is_on_somewhere(flag);
    if !job.options.optimizing() || !SUGGESTED.iter().any(|row| is_on(row.1)) {
        return;
    }
    for found in attributes::check(module, job.options) {
        for (_, flag, name) in SUGGESTED.iter().filter(|row| row.0 == found.attribute) {
            let condition = if found.certain { "" } else { " if it is known to return normally" };
            let message = format!("function might be candidate for attribute '{name}'{condition}");
            job.session.warn(*flag, found.loc, message).emit();
        }
    }
}

/// Of all functions of the module, which are looked at in parallel.
pub fn of_module(job: &Job<'_>, module: &Module) {
    let wanted = wanted(job);
    if job.stop == Stop::Check {
        return;
    }
    let ending = match job.options.optimizing() && suggests_noreturn(job) {
        true => endings::that_never_return(module, job.options),
        false => FxHashSet::default(),
    };
    module.functions.values().for_each(|function| suggest_noreturn(job, module, function, &ending));
    suggest_attributes(job, module);
    if !wanted.any() {
        return;
    }
    let functions: Vec<&Function> = module.functions.values().collect();
    let instructions = functions.iter().map(|function| function.num_insts()).sum();
    let mut findings: Vec<Findings> = if base::threads::share(job.options.threads, functions.len(), instructions) {
        functions.into_par_iter().map(|function| wanted.check(module, function)).collect()
    } else {
        functions.into_iter().map(|function| wanted.check(module, function)).collect()
    };
    if wanted.optimizing {
        look_again(&wanted, module, &mut findings);
    }
    findings.into_iter().for_each(|found| report(job, found));
}

/// Variables that may be without a value are looked at again with the knowledge which functions
/// never return, and which return constants.
fn look_again(wanted: &Wanted<'_>, module: &Module, findings: &mut [Findings]) {
    let is_doubtful = |found: &Findings| found.values.iter().any(|value| !value.certain);
    if !findings.iter().any(is_doubtful) {
        return;
    }
    let ending = endings::that_never_return(module, wanted.options);
    for (function, found) in module.functions.values().zip(findings).filter(|(_, found)| is_doubtful(found)) {
        let cut = endings::cut(module, function, &ending);
        let settled = constant_results::settle(module, cut.as_ref().unwrap_or(function), wanted.options);
        if let Some(copy) = settled.or(cut) {
            found.values = uninitialized::check(&copy, wanted.optimizing, wanted.init_self);
        }
    }
}

const UNINITIALIZED: [WarningId; 2] = [warning::MAYBE_UNINITIALIZED, warning::UNINITIALIZED];

const MEMORY: [WarningId; 6] = [
    warning::STRINGOP_OVERFLOW,
    warning::STRINGOP_OVERREAD,
    warning::FREE_NONHEAP_OBJECT,
    warning::USE_AFTER_FREE,
    warning::DANGLING_POINTER,
    warning::RETURN_LOCAL_ADDR,
];

fn wanted<'o>(job: &Job<'o>) -> Wanted<'o> {
    let on = |flag: &WarningId| job.session.diag.is_on_somewhere(*flag);
    // As gcc: what a null pointer leads to is looked at where such ways are taken apart.
    let looks_for_null = job.options.level >= OptLevel::O2 && job.options.codegen.delete_null_pointer_checks;
    Wanted {
        options: job.options,
        null: looks_for_null && on(&warning::NULL_DEREFERENCE),
        uninitialized: UNINITIALIZED.iter().any(on),
        init_self: on(&warning::INIT_SELF),
        memory: MEMORY.iter().any(on),
        recursion: on(&warning::INFINITE_RECURSION),
        // Without optimisation variables are in memory.
        clobbered: job.options.optimizing() && on(&warning::CLOBBERED),
        optimizing: job.options.optimizing(),
    }
}

impl Wanted<'_> {
    fn any(&self) -> bool {
        self.uninitialized || self.memory || self.recursion || self.null || self.clobbered
    }

    fn check(self, module: &Module, function: &Function) -> Findings {
        let Wanted { options, uninitialized, init_self, memory, recursion, null, clobbered, optimizing } = self;
        let values = if uninitialized { uninitialized::check(function, optimizing, init_self) } else { Vec::new() };
        let objects = if memory { memory::check(module, function, optimizing) } else { Vec::new() };
        let calls = if recursion { endless_recursion::check(module, function) } else { Vec::new() };
        let recursion = (!calls.is_empty()).then_some((function.loc, calls));
        let nulls = if null { null_dereference::check(module, function, options) } else { Vec::new() };
        let clobbered = if clobbered { clobbered::check(module, function) } else { Vec::new() };
        Findings { values, objects, nulls, clobbered, recursion }
    }
}

fn report(job: &Job<'_>, found: Findings) {
    if let Some((function, calls)) = found.recursion {
        let warning = job.session.warn(warning::INFINITE_RECURSION, function, "infinite recursion detected");
        calls.into_iter().fold(warning, |warning, call| warning.note(call, "recursive call")).emit();
    }
    for found in found.values {
        let what = if found.certain { "is used" } else { "may be used" };
        let message = format!("'{}' {what} uninitialized", found.name);
        let note = format!("'{}' was declared here", found.name);
        let flag = UNINITIALIZED[usize::from(found.certain)];
        job.session.warn(flag, found.used, message).note(found.declared, note).emit();
    }
    for found in found.nulls {
        let what = if found.certain { "null pointer dereference" } else { "potential null pointer dereference" };
        job.session.warn(warning::NULL_DEREFERENCE, found.loc, what).emit();
    }
    for found in found.clobbered {
        let what = if found.is_argument { "argument" } else { "variable" };
        let message = format!("{what} '{}' might be clobbered by 'longjmp' or 'vfork'", found.name);
        job.session.warn(warning::CLOBBERED, found.declared, message).emit();
    }
    for found in found.objects {
        let mut builder = job.session.warn(memory_flag(found.kind), found.loc, found.message);
        if let Some((loc, note)) = found.note {
            builder = builder.note(loc, note);
        }
        builder.emit();
    }
}

fn memory_flag(kind: Kind) -> WarningId {
    match kind {
        Kind::StringopOverflow => warning::STRINGOP_OVERFLOW,
        Kind::StringopOverread => warning::STRINGOP_OVERREAD,
        Kind::FreeNonheapObject => warning::FREE_NONHEAP_OBJECT,
        Kind::UseAfterFree => warning::USE_AFTER_FREE,
        Kind::DanglingPointer => warning::DANGLING_POINTER,
        Kind::ReturnLocalAddr => warning::RETURN_LOCAL_ADDR,
    }
}
