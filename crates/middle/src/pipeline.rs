//! The passes of each optimisation level, in order: the whole list on one screen.

use platform::options::{OptLevel, Options, Sanitizers, TraceCoverage};

use crate::pass::Pass;
pub use crate::pass::is_enabled;
use crate::passes::{
    asan, branch_on_phi, code_hoisting, combine, correlate, dce, dead_allocations, demanded_bits, dse, fixed_allocas,
    fold, gvn, harden_conditionals, if_convert, jump_threading, libcalls, licm, load_pre, loop_delete, loop_idiom,
    loop_interchange, loop_rotate, loop_unroll, loop_unswitch, loop_vectorize, mem2reg, merge_accesses,
    merge_conditions, predictive_commoning, reassociate, redundant_checks, sccp, settle, simplify_cfg, sincos, sink,
    slp_vectorize, sroa, store_sink, strength_reduce, tail_call, tail_recursion, tsan, widen_induction, widen_phis,
};

/// Every pass, for `--passes=` and the `-f<pass>` flags.
pub const ALL: &[Pass] = &[
    simplify_cfg::PASS,
    sroa::PASS,
    mem2reg::PASS,
    fixed_allocas::PASS,
    combine::PASS,
    gvn::PASS,
    sccp::PASS,
    correlate::PASS,
    branch_on_phi::PASS,
    jump_threading::PASS,
    reassociate::PASS,
    redundant_checks::PASS,
    predictive_commoning::PASS,
    load_pre::PASS,
    dse::PASS,
    store_sink::PASS,
    merge_accesses::PASS,
    merge_conditions::PASS,
    code_hoisting::PASS,
    if_convert::PASS,
    loop_rotate::PASS,
    licm::PASS,
    loop_unswitch::PASS,
    loop_interchange::PASS,
    loop_idiom::PASS,
    loop_delete::PASS,
    loop_vectorize::PASS,
    loop_unroll::PASS,
    slp_vectorize::PASS,
    strength_reduce::PASS,
    widen_induction::PASS,
    widen_phis::PASS,
    libcalls::PASS,
    sincos::PASS,
    sink::PASS,
    settle::PASS,
    tail_call::PASS,
    tail_recursion::PASS,
    fold::PASS,
    demanded_bits::PASS,
    dce::PASS,
    dead_allocations::PASS,
    harden_conditionals::PASS,
    asan::PASS,
    tsan::PASS,
];

/// A stage that looks at several functions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// [`EARLY`] on every function.
    EarlyPasses,
    /// Parameters that are the same constant at every call.
    ConstantParameters,
    /// Static variables that nothing writes.
    NeverWritten,
    /// Functions of one block without effects.
    EffectFree,
    /// Inlining, bottom-up over the SCCs of the call graph, and [`EARLY`] again after it.
    Inline,
    /// Removal of unreachable symbols.
    GlobalDce,
    /// Calls that tell a fuzzer where the program comes by.
    TraceCoverage,
}

/// What a stage needs to be right, or wanted.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    Nothing,
    /// No `--passes=`.
    Pipeline,
    /// The pipeline does not stop before inlining (`--stop-after=`).
    AllStages,
    /// No `-flive-patching`: every use of a symbol is seen.
    AllUses,
}

/// Stages in order, before the late passes, with the lowest level at which they run.
const STAGES: &[(Stage, OptLevel, Needs)] = &[
    (Stage::EarlyPasses, OptLevel::O0, Needs::Nothing),
    (Stage::ConstantParameters, OptLevel::O2, Needs::AllUses),
    (Stage::NeverWritten, OptLevel::O1, Needs::AllUses),
    (Stage::EffectFree, OptLevel::O1, Needs::AllStages),
    (Stage::Inline, OptLevel::O0, Needs::AllStages),
    (Stage::GlobalDce, OptLevel::O1, Needs::Pipeline),
    (Stage::ConstantParameters, OptLevel::O2, Needs::AllUses), // inlining has told what is passed
    (Stage::TraceCoverage, OptLevel::O0, Needs::AllStages),
];

/// The stages that the options ask for.
pub fn stages(options: &Options) -> impl Iterator<Item = Stage> {
    let given = if options.pass_list.is_some() {
        Needs::Nothing
    } else if stops_early(options) {
        Needs::Pipeline
    } else if options.codegen.live_patching.is_some() {
        Needs::AllStages
    } else {
        Needs::AllUses
    };
    let inlines = is_enabled(options, "inline");
    STAGES
        .iter()
        .filter(move |(stage, from, needs)| {
            options.level >= *from && *needs <= given && (inlines || *stage != Stage::Inline)
        })
        .map(|(stage, ..)| *stage)
}

/// Before and after inlining, bottom-up over the call graph.
const EARLY: &[Pass] = &[
    simplify_cfg::PASS, // unreachable blocks go first: the passes below insist on it
    sroa::PASS,
    mem2reg::PASS,
    combine::PASS,
    fixed_allocas::PASS, // sizes are constants now, if ever
    simplify_cfg::PASS,
    libcalls::PASS,
    tail_recursion::PASS, // before inlining: a loop is taken in, a recursive function is not
    gvn::PASS,
    combine::PASS, // load elimination and branch facts feed it
    redundant_checks::PASS,
    simplify_cfg::PASS,
    dce::PASS,
];

/// The same at `-Og`: aggregates stay in memory, calls stay calls.
const EARLY_DEBUG: &[Pass] = &[
    simplify_cfg::PASS,
    mem2reg::PASS,
    combine::PASS,
    fixed_allocas::PASS,
    libcalls::PASS,
    gvn::PASS,
    simplify_cfg::PASS,
    dce::PASS,
];

/// On each function alone, when all inlining is done, at `-Og`: nothing that moves code from line
/// to line, or makes one instruction of two lines.
const LATE_DEBUG: &[Pass] =
    &[settle::PASS, libcalls::PASS, sccp::PASS, loop_rotate::PASS, combine::PASS, simplify_cfg::PASS, dce::PASS];

/// On each function alone, when all inlining is done, at `-O1`.
const LATE_O1: &[Pass] = &[
    settle::PASS,
    dead_allocations::PASS, // nobody asks for their sizes any more
    libcalls::PASS,         // object sizes are settled
    sccp::PASS,
    merge_conditions::PASS,
    if_convert::PASS, // bounds that are minima are no branches in a loop's test
    simplify_cfg::PASS,
    loop_rotate::PASS,
    licm::PASS,
    widen_induction::PASS,
    gvn::PASS, // rotation leaves equal tests, promotion leaves equal values
    redundant_checks::PASS,
    simplify_cfg::ASSUMPTIONS,
    sincos::PASS,
    demanded_bits::PASS,
    combine::PASS,
    dse::PASS,
    strength_reduce::PASS,
    code_hoisting::PASS, // what is left of the sides may be short enough for selects
    if_convert::PASS,
    combine::PASS, // minima, maxima and booleans out of selects
    widen_phis::PASS,
    simplify_cfg::PASS,
    dce::PASS,
    sink::PASS,
    tail_call::PASS,
];

/// The same at `-O2` and above.
const LATE: &[Pass] = &[
    settle::PASS,
    dead_allocations::PASS, // nobody asks for their sizes any more
    libcalls::PASS,         // object sizes are settled
    sccp::PASS,
    correlate::PASS,
    merge_conditions::PASS, // when ranges have been used
    load_pre::PASS,         // elements that a branch chooses, not only their indices
    branch_on_phi::PASS,    // before what they branch on is computed without jumps
    if_convert::PASS,       // limits and minima are better as selects than as jumps
    jump_threading::PASS,
    code_hoisting::PASS, // counters and addresses that both sides step
    simplify_cfg::PASS,
    loop_rotate::PASS,
    widen_induction::PASS,
    demanded_bits::PASS, // ranges of all bits have been used
    combine::PASS,       // extensions are gone: address arithmetic shows
    reassociate::PASS,   // invariant terms together, for the next pass
    licm::PASS,
    loop_unswitch::PASS,
    loop_interchange::PASS, // at `-O3`; nests have lost their guards, and what it splits off may be a block operation
    loop_idiom::PASS,
    loop_delete::PASS,
    loop_vectorize::PASS, // before short loops are unrolled and loads are carried over from round to round
    loop_unroll::PASS,
    combine::PASS, // constant counters fold
    sroa::PASS,    // arrays that were indexed by them
    mem2reg::PASS,
    jump_threading::AFTER_UNROLLING, // what one iteration has tested is known in the next
    libcalls::PASS.after_unrolling(), // strings that were elements of a table
    loop_vectorize::PASS.after_unrolling(), // loops around those that were unrolled
    predictive_commoning::PASS,
    load_pre::PASS,
    loop_unroll::CARRIED,
    gvn::PASS, // rotation leaves equal tests, promotion leaves equal values
    redundant_checks::PASS,
    simplify_cfg::ASSUMPTIONS,
    jump_threading::PASS, // loads are phis, and the guards of rotated loops tests of constants
    libcalls::PASS.after_unrolling(), // lengths that were compared with such strings' lengths
    sincos::PASS,
    dse::PASS,
    store_sink::PASS,
    strength_reduce::PASS,
    code_hoisting::PASS, // what is left of the sides may be short enough for selects
    if_convert::PASS,
    combine::PASS, // minima, maxima and booleans out of selects
    widen_phis::PASS,
    simplify_cfg::PASS,
    merge_accesses::PASS, // what single loads and stores told each other is known
    slp_vectorize::PASS,
    merge_accesses::PARTS,
    dce::PASS,
    sink::PASS, // last: no pass after it makes selects of branches
    tail_call::PASS,
];

/// What runs bottom-up: the list of `--passes=`, or the early part of the pipeline.
pub fn early_passes(options: &Options) -> Vec<Pass> {
    if let Some(names) = &options.pass_list {
        return names.iter().filter_map(|name| find(name)).collect();
    }
    let list = if options.optimize_debug { EARLY_DEBUG } else { EARLY };
    enabled(options, if options.optimizing() { up_to_stop(options, list) } else { &[] })
}

/// Whether `--stop-after` names an early pass, so that nothing comes after it, inlining included.
pub fn stops_early(options: &Options) -> bool {
    options.stop_after.as_ref().is_some_and(|stop| EARLY.iter().any(|p| p.name == stop))
}

/// The list up to the first run of the pass that `--stop-after` names.
fn up_to_stop<'a>(options: &Options, list: &'a [Pass]) -> &'a [Pass] {
    let last = options.stop_after.as_ref().and_then(|stop| list.iter().position(|p| p.name == stop));
    &list[..last.map_or(list.len(), |index| index + 1)]
}

/// Whether accesses are checked by the address sanitizer, at every level.
pub fn checks_addresses(options: &Options) -> bool {
    options.sanitize.checks(Sanitizers::ANY_ADDRESS) || is_listed(options, asan::PASS)
}

/// Whether the thread sanitizer is told of accesses, at every level.
pub fn checks_threads(options: &Options) -> bool {
    options.sanitize.checks(Sanitizers::THREAD) || is_listed(options, tsan::PASS)
}

/// Whether `--passes=` names the pass.
fn is_listed(options: &Options, pass: Pass) -> bool {
    options.pass_list.iter().flatten().any(|name| **name == *pass.name)
}

/// Whether functions go through passes without optimisation, too.
pub fn needs_passes(options: &Options) -> bool {
    hardens(options)
        || checks_addresses(options)
        || checks_threads(options)
        || options.sanitize.coverage != TraceCoverage::default()
}

/// Whether conditions are computed twice, at every level.
pub fn hardens(options: &Options) -> bool {
    options.codegen.harden_compares || options.codegen.harden_branches
}

/// What runs on each function alone.
pub fn late_passes(options: &Options) -> Vec<Pass> {
    let stopped = stops_early(options) || options.stop_after.as_deref() == Some("inline");
    if options.pass_list.is_some() || stopped {
        return Vec::new();
    }
    let list = match options.level {
        OptLevel::O0 => &[],
        OptLevel::O1 if options.optimize_debug => LATE_DEBUG,
        OptLevel::O1 => LATE_O1,
        OptLevel::O2 | OptLevel::O3 => LATE,
    };
    let mut passes = enabled(options, up_to_stop(options, list));
    if options.sanitize.checks(Sanitizers::THREAD) && options.stop_after.is_none() {
        // No pass before it executes loads that the program does not, or moves those that it does.
        passes.insert(0, tsan::PASS);
    }
    if options.sanitize.checks(Sanitizers::ANY_ADDRESS) && options.stop_after.is_none() {
        // Nothing may move accesses past their checks; but what unpoisons a frame is no tail call.
        let at = passes.iter().position(|pass| pass.name == tail_call::PASS.name).unwrap_or(passes.len());
        passes.insert(at, asan::PASS);
    }
    if hardens(options) && options.stop_after.is_none() {
        passes.push(harden_conditionals::PASS); // last: nothing may take two answers for one
    }
    passes
}

/// The first of the late passes, to where the branches are those that stay: they run before a
/// fuzzer's calls stand in the way of jump threading, and again.
pub fn before_tracing(late: &[Pass]) -> &[Pass] {
    let end = late.iter().position(|pass| pass.name == simplify_cfg::PASS.name).map_or(0, |at| at + 1);
    &late[..end]
}

fn enabled(options: &Options, list: &[Pass]) -> Vec<Pass> {
    list.iter().filter(|p| p.is_wanted(options)).copied().collect()
}

/// The names of all passes.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|p| p.name)
}

/// The pass of this name.
pub fn find(name: &str) -> Option<Pass> {
    ALL.iter().copied().find(|p| p.name == name)
}
