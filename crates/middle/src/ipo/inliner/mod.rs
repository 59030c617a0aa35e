//! Inlining, bottom-up over the call graph: when a function is looked at, its callees have been
//! optimised and their size is known.
//!
//! **Must**: `always_inline` at every level, whatever the size; where it cannot be, that is an
//! error of the program. **Must not**: `noinline`, `noipa`, functions that may be replaced at link
//! time, that call setjmp, use their variadic arguments, are naked, or belong to the caller's own
//! recursive component (small ones that do not are in one recursion cycle are taken out of it
//! first, and looked at as callees), or may use instruction sets that the caller may not; calls
//! whose arguments do not match the body's signature. Bodies that take addresses of labels or look
//! at their frame are copied only when they must be, and mean the copy's label and the caller's
//! frame then, as in gcc.
//!
//! At `-O0`, where functions are emitted as they come, `expand` does what must be done.
//!
//! **May**, by cost: a body's instructions, less what constant arguments are likely to fold
//! and accesses through addresses of the caller's variables,
//! against a limit per level; a local function with a single call site is inlined up to a larger
//! limit, since its own copy vanishes. A caller may grow to a limit, so that chains of calls do not
//! explode. Neither does its stack frame: variables of a body that would make it several times as
//! large keep the body apart, but for `always_inline` (gcc's `large-stack-frame` and
//! `large-stack-frame-growth`, which `-fconserve-stack` lowers).

mod clone;
mod debug;
pub mod expand;
mod local_arguments;
pub mod recursive;

pub use clone::end_after;

use base::Loc;
use ir::analysis::{self, Frequencies};
use ir::{
    BranchHint, FnAttrs, FuncId, Function, Inst, InstView, Linkage, Module, Opcode, ParamKind, SigId, SymbolDef,
    SymbolId,
};
use platform::options::{LivePatching, OptLevel, Options, Sanitizers};
use platform::remarks::{Kind, Remark};
use rustc_hash::FxHashSet;

use crate::statistics::Statistics;
use ir::analysis::call_graph::Mentions;
use ir::copying::{Copying, copying, exact_definition};

/// Instructions of a body that `-O1` inlines, local functions of few calls in loops aside: not more
/// than the call itself costs.
const LIMIT_O1: u32 = 6;
/// At `-O2`.
const LIMIT_O2: u32 = 10;
/// At `-O2` in loops, where growth pays.
const LIMIT_O2_LOOP: u32 = 24;
/// At `-O2` for functions without calls where their callers do little else, so that the call is a
/// large part of the work (gcc's `--param inline-min-speedup`).
const LIMIT_THIN: u32 = 32;
/// Instructions of a caller that does little else.
const THIN_CALLER: u32 = 10;
/// At `-O2` for local functions without calls, in functions that call themselves.
const LIMIT_RECURSION_LEAF: u32 = 60;
/// At `-O2` for a local function of few calls, by how much the program grows when all of them are
/// replaced: in loops and elsewhere.
const LIMIT_FEW_CALLS_LOOP: u32 = 24;
/// See [`LIMIT_FEW_CALLS_LOOP`].
const FEW_CALLS_LOOP_GROWTH: u32 = 72;
/// See [`LIMIT_FEW_CALLS_LOOP`].
const LIMIT_FEW_CALLS: u32 = 14;
/// See [`LIMIT_FEW_CALLS_LOOP`].
const FEW_CALLS_GROWTH: u32 = 28;
/// The same at `-O3`, in loops, up to [`LIMIT_O3_HINT`].
const FEW_CALLS_O3_GROWTH: u32 = 160;
/// Functions of a recursion cycle that is expected to run as often as a loop.
const SMALL_CIRCLE: u32 = 16;
/// Where control is not expected.
const LIMIT_COLD: u32 = 3;
/// Where earlier runs of the program spent their time, at `-O2`, too.
const LIMIT_HOT: u32 = 320;
/// How probable a branch is at most after which it is not.
const SELDOM: f32 = 0.05;
/// At `-O3` outside of loops and recursion (gcc's `--param max-inline-insns-auto`).
const LIMIT_O3: u32 = 30;
/// At `-O2` for functions declared `inline`, and for all at `-O3`.
const LIMIT_HINT: u32 = 60;
/// At `-O3` for functions declared `inline`, and for local functions of few calls in loops.
const LIMIT_O3_HINT: u32 = 160;
/// For a local function with one call site.
const LIMIT_CALLED_ONCE: u32 = 600;
/// Instructions that a constant argument is expected to save.
const CONSTANT_ARGUMENT_BONUS: u32 = 5;
/// Instructions of a division by a constant, which late passes take apart.
const DIVISION: u32 = 5;
/// Instructions of a jump through a table, and of the comparison before it.
const SWITCH: u32 = 6;
/// Instructions in a block that ends the program that count as one.
const ENDING: u32 = 8;
/// A caller does not grow beyond this many instructions (or by half, if that is larger) by optional
/// inlining of bodies that are larger than their calls.
const CALLER_LIMIT: u32 = 4000;

/// Bytes of variables that a frame may have in any case, and by how many per cent inlining may let
/// it grow beyond (gcc's `--param large-stack-frame=` and `large-stack-frame-growth=`).
const STACK_FRAME: (u64, u64) = (256, 1000);
/// The same with `-fconserve-stack`.
const CONSERVED_STACK_FRAME: (u64, u64) = (100, 400);

/// Facts about a function in its present form.
#[derive(Clone, Default)]
pub struct Summary {
    size: u32,
    /// See [`bulk`].
    bulk: u32,
    /// Bytes of variables in memory.
    stack: u64,
    /// Accesses through parameters.
    accesses: local_arguments::Accesses,
    /// By number, the parameters that decide something if they are constants.
    deciding: u64,
    inlinable: bool,
}

impl Summary {
    /// One look at all instructions.
    pub fn of(func: &Function) -> Summary {
        let size = size(func);
        // What is larger is not inlined for what its accesses cost.
        let accesses = if size <= LIMIT_O3_HINT { local_arguments::accesses(func) } else { Default::default() };
        let (bulk, stack, deciding) = (bulk(func), stack(func), deciding(func));
        Summary { size, bulk, stack, accesses, deciding, inlinable: copying(func) == Copying::Free }
    }
}

/// Whether a function that takes part in a recursion cycle is one to take into the others of the
/// cycle, as it would be outside of it: an interpreter's `release(value)` calls in the end what
/// calls the interpreter again.
pub fn is_helper(module: &Module, id: FuncId, summary: &Summary) -> bool {
    let attrs = module.symbols[module.functions[id].symbol].attrs;
    let limit = if attrs.has(FnAttrs::INLINE_HINT) { LIMIT_HINT } else { LIMIT_O2_LOOP };
    summary.inlinable && !attrs.has(FnAttrs::NOINLINE) && summary.size <= limit
}

/// By function: the number of functions that call each other in its cycle.
pub fn scc_sizes(components: &[Vec<FuncId>], functions: usize) -> Vec<u32> {
    let mut sizes = vec![1; functions];
    for component in components {
        component.iter().for_each(|id| sizes[id.as_u32() as usize] = component.len() as u32);
    }
    sizes
}

/// Facts about every function.
pub struct Summaries {
    functions: Vec<Summary>,
    /// `always_inline` functions that call themselves through others of their kind.
    endless: Vec<bool>,
    /// Numbers in the bottom-up order, one for those that are in one recursion cycle and are not
    /// looked at as each other's callees.
    component: Vec<u32>,
    /// By function: how many call each other in its cycle, helpers included.
    scc_sizes: Vec<u32>,
    /// How often each function's symbol is mentioned in code and data, once for each copy of an
    /// `always_inline` function that mentions it. Exact for the question "once?".
    references: Vec<u32>,
}

impl Summaries {
    /// `functions`, `mentions` and `scc_sizes` (see [`scc_sizes`]) are by function, `components`
    /// is the bottom-up order.
    pub fn new(
        module: &Module,
        functions: Vec<Summary>,
        mentions: &[Mentions],
        components: &[Vec<FuncId>],
        scc_sizes: Vec<u32>,
    ) -> Summaries {
        let count = module.functions.len();
        let endless = endless_functions(module);
        let mut out =
            Summaries { functions, endless, component: vec![0; count], scc_sizes, references: vec![0; count] };
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|f| out.component[f.as_u32() as usize] = number as u32);
        }
        let in_data = module.data.values().flat_map(|data| &data.relocs).filter_map(|reloc| match reloc.target {
            ir::RelocTarget::Symbol(symbol) => match module.symbols[symbol].def {
                SymbolDef::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        });
        in_data.for_each(|id| out.references[id.as_u32() as usize] += 1);
        // Callers first: then the number of a function's copies is known.
        for id in components.iter().rev().flatten() {
            let index = id.as_u32() as usize;
            let copies = if is_forced(module, *id) { out.references[index].max(1) } else { 1 };
            for mentioned in &mentions[index].operands {
                let references = &mut out.references[mentioned.as_u32() as usize];
                *references = references.saturating_add(copies);
            }
        }
        out
    }

    /// Whether a function is one of a few that are in one recursion cycle, as the functions of a
    /// parser do. A cycle of many says nothing about how often each of them runs.
    fn in_small_circle(&self, id: FuncId) -> bool {
        (2..=SMALL_CIRCLE).contains(&self.scc_sizes[id.as_u32() as usize])
    }

    /// Whether code or data names a function.
    pub fn is_mentioned(&self, id: FuncId) -> bool {
        self.references[id.as_u32() as usize] > 0
    }

    /// Replaces what is known of a function.
    pub fn record(&mut self, id: FuncId, summary: Summary) {
        self.functions[id.as_u32() as usize] = summary;
    }
}

/// What makes no code, or none that would not be there anyway.
fn is_free(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Alloca | LifetimeStart | LifetimeEnd | Keep | Phi | Br | PtrAdd)
}

/// Instructions that become code of their own. Addresses, conversions and comparisons mostly end up
/// inside others. A block that ends the program is one jump: it does not run, and its copies become
/// one again (`tail_merge`). But all of a function that never returns runs when it is called.
/// Reports of sanitizers and the branches to them are not what the program is made of. Nor is what
/// earlier runs never came to, once the function was called: it will stand apart.
fn size(func: &Function) -> u32 {
    let never = never_run(func);
    let joins_others =
        |opcode| matches!(opcode, Opcode::ZExt | Opcode::SExt | Opcode::Trunc | Opcode::ICmp | Opcode::FCmp);
    let counts = |opcode: Opcode| !is_free(opcode) && !joins_others(opcode);
    let divides = |inst: Inst| {
        matches!(func.insts[inst].opcode, Opcode::SDiv | Opcode::SRem | Opcode::UDiv | Opcode::URem)
            && func.const_bits(func.operand(inst, 1)).is_some()
    };
    let reports = |block: ir::Block| func.block_insts(block).any(|inst| is_report(func, inst));
    let checks = |inst: Inst| match func.view(inst) {
        InstView::CondBr { then_dest, hint: BranchHint::Unlikely, .. } => reports(then_dest),
        _ => false,
    };
    let length = |inst: Inst| match func.insts[inst].opcode {
        _ if divides(inst) => DIVISION,
        Opcode::CondBr if checks(inst) => 0,
        opcode => u32::from(counts(opcode)),
    };
    let ends = |block: ir::Block| func.insts[func.terminator(block)].opcode == Opcode::Unreachable;
    let sum = |block: ir::Block| func.block_insts(block).map(length).sum::<u32>();
    let returns = func.blocks().any(|b| func.insts[func.terminator(b)].opcode == Opcode::Ret);
    let cost = |block: ir::Block| match sum(block) {
        _ if reports(block) => 0,
        sum if never.contains(&block) => sum.div_ceil(ENDING),
        sum if ends(block) && returns => sum.div_ceil(ENDING),
        sum => sum,
    };
    func.blocks().map(cost).sum()
}

/// The blocks of a function that earlier runs counted and that they did not come to.
fn never_run(func: &Function) -> FxHashSet<ir::Block> {
    if func.counted.is_none_or(|counted| counted.entered == 0) {
        return FxHashSet::default();
    }
    let (cfg, loops) = graph(func);
    let frequencies = Frequencies::compute(func, &cfg, &loops);
    let cold = |block: &ir::Block| frequencies.heat(func, *block) == Some(analysis::Heat::Cold);
    let entry_is_cold = cold(&func.entry());
    cfg.reverse_postorder().filter(|block| !entry_is_cold && cold(block)).collect()
}

/// The graph of a function and its loops.
fn graph(func: &Function) -> (analysis::Cfg, analysis::LoopTree) {
    let cfg = analysis::Cfg::compute(func);
    let dominators = analysis::DominatorTree::compute(func, &cfg);
    let loops = analysis::LoopTree::compute(func, &cfg, &dominators);
    (cfg, loops)
}

/// Whether a sanitizer's runtime is called.
fn is_report(func: &Function, inst: Inst) -> bool {
    func.insts[inst].opcode == Opcode::Call && func.call_info(inst).attrs.has(FnAttrs::REPORT)
}

/// Instructions, conversions and comparisons included: what [`size`] leaves out takes room all the
/// same. A call counts as much as the one it would stand in the place of: by its arguments, and its
/// result.
fn bulk(func: &Function) -> u32 {
    let weight = |inst: Inst| match func.insts[inst].opcode {
        Opcode::Call => call_bulk(func, inst),
        // No instructions.
        Opcode::Trunc | Opcode::Ret => 0,
        Opcode::Switch => SWITCH,
        Opcode::ZExt if func.value_type(func.operand(inst, 0)) == ir::Type::I32 => 0,
        opcode => u32::from(!is_free(opcode)),
    };
    func.all_insts().map(weight).sum()
}

/// Parameters that something is computed or compared with, not only passed on, stored or accessed:
/// as constants they make code go.
fn deciding(func: &Function) -> u64 {
    let mut mask = 0;
    for inst in func.all_insts() {
        let operands = match func.insts[inst].opcode {
            Opcode::Call => 1,
            Opcode::Load | Opcode::Store | Opcode::Ret | Opcode::Phi | Opcode::PtrAdd => 0,
            _ => usize::MAX,
        };
        for value in func.operands(inst).take(operands) {
            if let ir::ValueDef::Param(index @ 0..64) = func.value_def(value) {
                mask |= 1 << index;
            }
        }
    }
    mask
}

/// Bytes of variables in memory.
fn stack(func: &Function) -> u64 {
    let bytes = |inst: Inst| match func.view(inst) {
        InstView::Alloca { size, .. } => size,
        _ => 0,
    };
    func.blocks().take(1).flat_map(|b| func.block_insts(b)).map(bytes).fold(0, u64::saturating_add)
}

/// The stack frame of a caller, as far as its variables are known.
struct Frame {
    own: u64,
    /// With those of the bodies chosen so far, which are taken to share their places.
    now: u64,
    /// What it may grow to.
    limit: u64,
}

impl Frame {
    fn new(own: u64, options: &Options) -> Frame {
        let conserve = options.codegen.conserve_stack;
        let (frame, growth) = if conserve { CONSERVED_STACK_FRAME } else { STACK_FRAME };
        let grown = own.saturating_add(own.saturating_mul(growth) / 100);
        Frame { own, now: own, limit: grown.max(frame) }
    }

    fn with(&self, stack: u64) -> u64 {
        self.own.saturating_add(stack)
    }

    fn may_take(&self, stack: u64) -> bool {
        self.with(stack) <= self.limit.max(self.now)
    }

    fn take(&mut self, stack: u64) {
        self.now = self.now.max(self.with(stack));
    }
}

/// Instructions of a call: the list is callee and arguments; a result has to be moved as well.
fn call_bulk(func: &Function, call: Inst) -> u32 {
    func.list(call).len() as u32 + u32::from(func.results(call).len() > 0)
}

/// Whether a function is `always_inline`.
fn is_forced(module: &Module, id: FuncId) -> bool {
    module.symbols[module.functions[id].symbol].attrs.has(FnAttrs::ALWAYS_INLINE)
}

/// The symbol of an `always_inline` function that a call names.
fn forced_symbol(module: &Module, func: &Function, call: Inst) -> Option<SymbolId> {
    let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
    let forced = module.symbols[symbol].attrs.has(FnAttrs::ALWAYS_INLINE) && !is_kept(func, call);
    forced.then_some(symbol)
}

/// The bodies of the `always_inline` functions that a function calls, each once.
fn forced_callees(module: &Module, func: &Function) -> Vec<FuncId> {
    let mut out = Vec::new();
    for inst in func.all_insts() {
        if func.insts[inst].opcode == Opcode::Call
            && let Some(symbol) = forced_symbol(module, func, inst)
            && let SymbolDef::Function(id) = module.symbols[symbol].def
            && !out.contains(&id)
        {
            out.push(id);
        }
    }
    out
}

/// Whether the call itself is not to be replaced by a body, whatever its function says: it is of
/// another declaration of the name.
pub fn is_kept(func: &Function, call: Inst) -> bool {
    func.call_info(call).attrs.has(FnAttrs::APART)
}

/// gcc's message for a call that had to be inlined.
fn failure(module: &Module, symbol: SymbolId, reason: &str) -> String {
    format!("inlining failed in call to 'always_inline' '{}': {reason}", module.symbols[symbol].name)
}

/// Said of functions of which no copy has an end.
const RECURSIVE: &str = "recursive inlining";

/// Why no body can be found for a symbol that must be inlined.
fn missing_body(module: &Module, symbol: SymbolId) -> Option<&'static str> {
    let data = &module.symbols[symbol];
    match data.def {
        SymbolDef::Function(_) if data.linkage == Linkage::Weak => {
            Some("function body can be overwritten at link time")
        }
        SymbolDef::Undefined => Some("function body not available"),
        _ => None,
    }
}

/// The `always_inline` functions from which calls of such functions lead around in a cycle. What
/// remains when those without such calls are taken away one after the other.
fn endless_functions(module: &Module) -> Vec<bool> {
    let count = module.functions.len();
    let (mut callers, mut open) = (vec![Vec::new(); count], vec![0u32; count]);
    for (id, func) in module.functions.iter().filter(|(id, _)| is_forced(module, *id)) {
        for callee in forced_callees(module, func) {
            callers[callee.as_u32() as usize].push(id.as_u32() as usize);
            open[id.as_u32() as usize] += 1;
        }
    }
    let mut work: Vec<usize> = (0..count).filter(|&i| open[i] == 0).collect();
    while let Some(done) = work.pop() {
        for &caller in &callers[done] {
            open[caller] -= 1;
            if open[caller] == 0 {
                work.push(caller);
            }
        }
    }
    open.into_iter().map(|calls| calls > 0).collect()
}

/// What inlining into one function looks at.
pub struct Inliner<'a> {
    /// The module, without the function.
    pub module: &'a Module,
    /// What the command line says.
    pub options: &'a Options,
    /// What is known of all functions.
    pub summaries: &'a Summaries,
    /// The function that calls.
    pub caller: FuncId,
}

impl Inliner<'_> {
    /// Inlines into `func` (taken out of the module) what is worth it, and reports what had to be
    /// and cannot. True if anything was. The caller has use lists.
    pub fn run(
        &self,
        func: &mut Function,
        statistics: &mut Statistics,
        errors: &mut Vec<(Loc, String)>,
        remarks: &mut Vec<Remark>,
    ) -> bool {
        let &Inliner { module, options, summaries, caller: id } = self;
        let calls = func.insts_with(|opcode| opcode == Opcode::Call);
        if calls.is_empty() {
            return false;
        }
        let start_size = summaries.functions[id.as_u32() as usize].size;
        let limit = CALLER_LIMIT.max(start_size + start_size / 2);
        let mut grown = start_size;
        let mut frame = Frame::new(summaries.functions[id.as_u32() as usize].stack, options);
        let mut chosen = Vec::new();
        let mut heats = None;
        for call in calls {
            let Some(callee) = self.candidate(func, call) else {
                if let Some(symbol) = forced_symbol(module, func, call)
                    && let Some(reason) = self.forced_failure(func, symbol)
                {
                    errors.push((func.source_loc(call), failure(module, symbol, reason)));
                }
                self.say(func, call, Some(""), remarks);
                continue;
            };
            let index = callee.as_u32() as usize;
            let must = is_forced(module, callee);
            if !must {
                let heat = |heats: &mut Option<Heats>| {
                    heats.get_or_insert_with(|| Heats::new(func, summaries.in_small_circle(id))).of(func, call)
                };
                let summary = &summaries.functions[index];
                let added = summary.size.saturating_sub(call_bulk(func, call));
                let refusal = if added > 0 && grown + added > limit {
                    "the function would grow too large"
                } else if !frame.may_take(summary.stack) {
                    "the stack frame would grow too large"
                } else if !self.pays(func, call, callee, heat(&mut heats), grown) {
                    "it costs more than it saves"
                } else {
                    ""
                };
                if !refusal.is_empty() {
                    self.say(func, call, Some(refusal), remarks);
                    continue;
                }
                grown += added;
            }
            frame.take(summaries.functions[index].stack);
            chosen.push((call, callee));
        }
        statistics.add("calls inlined", chosen.len() as u64);
        // Last first: what follows a call in its block moves to another one, and should move once.
        for &(call, callee) in chosen.iter().rev() {
            self.say(func, call, None, remarks);
            clone::inline_call(module, func, call, &module.functions[callee]);
        }
        !chosen.is_empty()
    }

    /// Reports that a call was inlined, or why it stays ("": its function is not one to inline).
    fn say(&self, func: &Function, call: Inst, refusal: Option<&str>, remarks: &mut Vec<Remark>) {
        let wanted = if refusal.is_some() { self.options.wants_missed() } else { self.options.wants_remarks() };
        let (true, Some((symbol, 0))) = (wanted, func.const_symbol(func.list(call)[0])) else { return };
        let (data, caller) = (&self.module.symbols[symbol], &self.module.symbols[func.symbol].name);
        let not = |why| (Kind::Missed, format!("'{}' not inlined into '{caller}': {why}", data.name));
        let (kind, text) = match (refusal, &data.def) {
            (None, _) => (Kind::Passed, format!("'{}' inlined into '{caller}'", data.name)),
            (Some(""), SymbolDef::Function(_)) if data.attrs.has(FnAttrs::NOINLINE) => not("it is 'noinline'"),
            (Some(""), SymbolDef::Function(_)) => not("its body cannot be used here"),
            (Some(""), _) => not("its definition is not available"),
            (Some(why), _) => not(why),
        };
        remarks.push(Remark { function: caller.clone(), pass: "inline", kind, loc: func.source_loc(call), text });
    }

    /// The body that may replace this call.
    fn candidate(&self, func: &Function, call: Inst) -> Option<FuncId> {
        let &Inliner { module, options, summaries, caller } = self;
        let (symbol, 0) = func.const_symbol(func.list(call)[0])? else { return None };
        if is_kept(func, call) {
            return None;
        }
        let attrs = module.symbols[symbol].attrs;
        let must = attrs.has(FnAttrs::ALWAYS_INLINE);
        let callee = exact_definition(module, symbol, options.interposable() && !must)?;
        let index = callee.as_u32() as usize;
        let refused = attrs.has(FnAttrs::NOIPA) || attrs.has(FnAttrs::NAKED) || attrs.has(FnAttrs::OPTNONE);
        let fits = if must {
            let body = &module.functions[callee];
            callee != caller && !summaries.endless[index] && matches!(copying(body), Copying::Free | Copying::Forced)
        } else {
            let patchable = options.codegen.live_patching == Some(LivePatching::InlineOnlyStatic)
                && module.symbols[symbol].linkage != Linkage::Local;
            !attrs.has(FnAttrs::NOINLINE)
                && !patchable
                && summaries.functions[index].inlinable
                && summaries.component[index] < summaries.component[caller.as_u32() as usize]
        };
        let fits = fits && features_fit(func, &module.functions[callee], options);
        let unchecked = |symbol: SymbolId| module.symbols[symbol].attrs.has(FnAttrs::NO_SANITIZE_ACCESSES);
        let same_checks =
            must || !options.sanitize.checks(Sanitizers::OF_ACCESSES) || unchecked(symbol) == unchecked(func.symbol);
        let fits = fits && same_checks;
        (!refused && fits && signatures_match(module, func, call, module.functions[callee].sig)).then_some(callee)
    }

    /// What to say about a call that had to be inlined and was not. A cycle is reported where it is
    /// entered.
    fn forced_failure(&self, func: &Function, symbol: SymbolId) -> Option<&'static str> {
        let &Inliner { module, options, summaries, caller } = self;
        let SymbolDef::Function(callee) = module.symbols[symbol].def else { return missing_body(module, symbol) };
        if summaries.endless[callee.as_u32() as usize] {
            return (!summaries.endless[caller.as_u32() as usize]).then_some(RECURSIVE);
        }
        match copying(&module.functions[callee]) {
            Copying::Impossible(reason) => Some(reason),
            _ if !features_fit(func, &module.functions[callee], options) => Some(TARGET_MISMATCH),
            _ => missing_body(module, symbol),
        }
    }

    /// The cost model. `grown` is the caller's size with what was chosen before.
    fn pays(&self, func: &Function, call: Inst, callee: FuncId, heat: Heat, grown: u32) -> bool {
        let &Inliner { module, options, summaries, .. } = self;
        let index = callee.as_u32() as usize;
        let data = &module.symbols[module.functions[callee].symbol];
        if data.attrs.has(FnAttrs::COLD) {
            return false;
        }
        let hint = data.attrs.has(FnAttrs::INLINE_HINT);
        let codegen = &options.codegen;
        // What is left when all calls of a local function are replaced.
        let local = data.linkage == Linkage::Local && !data.used;
        let sole = local && summaries.references[index] == 1 && codegen.inline_called_once && !options.optimize_debug;
        if !hint && !sole && (!codegen.inline_small_functions || options.optimize_debug) {
            return false;
        }
        let summary = &summaries.functions[index];
        let growth = summary.size.saturating_mul(summaries.references[index].saturating_sub(1));
        let arguments = func.list(call)[1..].iter().enumerate();
        // For size, what is passed on is known to be there without the call as well.
        let counts = |i: usize| options.optimize_size || i < 64 && summary.deciding >> i & 1 == 1;
        let constants = arguments.filter(|&(i, &a)| counts(i) && func.constant(a).is_some()).count() as u32;
        let level = if hint || codegen.inline_functions { options.level } else { options.level.min(OptLevel::O2) };
        let promoted = if options.level >= OptLevel::O2 {
            local_arguments::through_locals(func, call, &summary.accesses)
        } else {
            0
        };
        // A call that never runs keeps a variable in memory where it is used all the time.
        let frees = hint && promoted > 0;
        let limit = match level {
            OptLevel::O0 => return false,
            _ if heat == Heat::Counted && !options.optimize_size => LIMIT_HOT,
            _ if heat == Heat::Unused && !frees => LIMIT_COLD,
            _ if sole && options.level >= OptLevel::O1 && !self.spoils(func, heat, summary.size, grown) => {
                LIMIT_CALLED_ONCE
            }
            // The body is smaller than the call with its arguments, or as large if it calls. With
            // `inline`, constant arguments decide something, and everything if there are no others.
            _ if options.optimize_size => {
                let all = data.attrs.has(FnAttrs::CONST) && constants as usize + 1 == func.list(call).len();
                let bonus = if all { LIMIT_O2_LOOP } else { CONSTANT_ARGUMENT_BONUS };
                let folded = if hint { constants * bonus } else { 0 };
                return summary.bulk + u32::from(is_leaf(module, callee)) <= call_bulk(func, call) + folded;
            }
            OptLevel::O1 => match heat {
                _ if hint && !options.optimize_debug => LIMIT_O2_LOOP,
                Heat::Loop if local && growth <= FEW_CALLS_GROWTH => LIMIT_FEW_CALLS_LOOP,
                _ => LIMIT_O1,
            },
            OptLevel::O2 => match heat {
                _ if hint => LIMIT_HINT,
                Heat::Loop | Heat::Circle if local && growth <= FEW_CALLS_LOOP_GROWTH => LIMIT_FEW_CALLS_LOOP,
                Heat::Loop | Heat::Circle => LIMIT_O2_LOOP,
                // Nothing more lives across the calls.
                Heat::Recursion if local && is_leaf(module, callee) => LIMIT_RECURSION_LEAF,
                Heat::Recursion | Heat::Even if grown <= THIN_CALLER && is_leaf(module, callee) => LIMIT_THIN,
                Heat::Recursion | Heat::Even if local && growth <= FEW_CALLS_GROWTH => LIMIT_FEW_CALLS,
                Heat::Recursion | Heat::Even => LIMIT_O2,
                Heat::Cold | Heat::Counted | Heat::Unused => LIMIT_COLD,
            },
            OptLevel::O3 if hint || heat == Heat::Loop && local && growth <= FEW_CALLS_O3_GROWTH => LIMIT_O3_HINT,
            OptLevel::O3 => match heat {
                Heat::Cold => LIMIT_O2,
                Heat::Even => LIMIT_O3,
                _ => LIMIT_HINT,
            },
        };
        let arguments = func.list(call).len() as u32 + block_arguments(module, module.functions[callee].sig);
        summary.size.saturating_sub(constants * CONSTANT_ARGUMENT_BONUS + arguments + promoted) <= limit
    }

    /// Whether the caller, called more than once, is small enough to be inlined as long as it does
    /// not take over a body of this size: a caller that is declared `inline`, or any where the call
    /// is seldom made.
    fn spoils(&self, func: &Function, heat: Heat, size: u32, grown: u32) -> bool {
        let hint = self.module.symbols[func.symbol].attrs.has(FnAttrs::INLINE_HINT);
        let called = self.summaries.references[self.caller.as_u32() as usize];
        let limit = match self.options.level {
            OptLevel::O3 if hint => LIMIT_O3_HINT,
            _ if hint => LIMIT_HINT,
            _ if heat == Heat::Cold => LIMIT_O2_LOOP,
            _ => 0,
        };
        called > 1 && grown <= limit && grown + size > limit
    }
}

/// How much a call is worth, by where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heat {
    /// In a loop.
    Loop,
    /// In a function that calls itself.
    Recursion,
    /// In one of a few functions that are in one recursion cycle.
    Circle,
    /// In straight code.
    Even,
    /// Where control is not expected to come.
    Cold,
    /// Where earlier runs often came.
    Counted,
    /// Where they hardly came.
    Unused,
}

/// The places of a caller.
struct Heats {
    cfg: analysis::Cfg,
    loops: analysis::LoopTree,
    /// Of a function that earlier runs counted.
    frequencies: Option<Frequencies>,
    recursive: bool,
    in_circle: bool,
}

impl Heats {
    fn new(func: &Function, in_circle: bool) -> Heats {
        let (cfg, loops) = graph(func);
        let is_own = |call: Inst| {
            let callee = || func.const_symbol(func.list(call)[0]);
            func.insts[call].opcode == Opcode::Call && callee() == Some((func.symbol, 0))
        };
        let recursive = func.blocks().any(|b| func.block_insts(b).any(is_own));
        let frequencies = Frequencies::counted(func, &cfg, &loops);
        Heats { cfg, loops, frequencies, recursive, in_circle }
    }

    fn of(&self, func: &Function, call: Inst) -> Heat {
        let Some(block) = func.inst_block(call) else { return Heat::Cold };
        let unlikely = |pred: ir::Block| {
            let InstView::CondBr { then_dest, else_dest, hint, .. } = func.view(func.terminator(pred)) else {
                return false;
            };
            match hint.probability() {
                Some(then) if then < SELDOM => then_dest == block,
                Some(then) if then > 1.0 - SELDOM => else_dest == block,
                _ => false,
            }
        };
        match self.frequencies.as_ref().and_then(|frequencies| frequencies.heat(func, block)) {
            Some(analysis::Heat::Hot) => return Heat::Counted,
            Some(analysis::Heat::Cold) => return Heat::Unused,
            _ => {}
        }
        let preds = self.cfg.preds(block);
        if func.insts[func.terminator(block)].opcode == Opcode::Unreachable
            || (!preds.is_empty() && preds.iter().all(|&p| unlikely(p)))
        {
            Heat::Cold
        } else if self.loops.innermost(block).is_some() {
            Heat::Loop
        } else if self.in_circle {
            Heat::Circle
        } else if self.recursive {
            Heat::Recursion
        } else {
            Heat::Even
        }
    }
}

/// Whether the caller may use every instruction-set extension that the body may use.
fn features_fit(caller: &Function, body: &Function, options: &Options) -> bool {
    let unit = options.codegen.features;
    caller.features.unwrap_or(unit).has(body.features.unwrap_or(unit))
}

/// gcc's words for a body that needs instruction sets its caller lacks.
const TARGET_MISMATCH: &str = "target specific option mismatch";

/// Whether the call passes and expects what the body takes and gives. Extra arguments beyond a
/// non-variadic body's are refused too.
pub fn signatures_match(module: &Module, func: &Function, call: Inst, callee: SigId) -> bool {
    let called = &module.signatures[func.call_info(call).sig];
    let body = &module.signatures[callee];
    called.returns == body.returns
        && called.params.len() >= body.params.len()
        && (called.params.len() == body.params.len() || body.variadic)
        && called.params.iter().zip(&body.params).all(|(a, b)| a == b)
}

/// Whether a body calls nothing.
fn is_leaf(module: &Module, callee: FuncId) -> bool {
    let body = &module.functions[callee];
    body.blocks().all(|b| body.block_insts(b).all(|i| body.insts[i].opcode != Opcode::Call))
}

/// Instructions that passing structures in memory costs: a load and a store for each eight bytes,
/// on either side; so for those returned.
fn block_arguments(module: &Module, sig: SigId) -> u32 {
    const LIMIT: u64 = 64;
    let words = |kind: &ParamKind| match kind {
        ParamKind::ByVal { size, .. } => 2 * (*size).min(LIMIT).div_ceil(8) as u32,
        // Stored there, loaded here: three words are usual.
        ParamKind::StructReturn => 7,
        _ => 0,
    };
    module.signatures[sig].params.iter().map(|param| words(&param.kind)).sum()
}
