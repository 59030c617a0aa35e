//! The question: does the function after a pass refine the one before it?
//!
//! For all arguments and memories for which the function before is defined and stays within the
//! bound: so is the one after, both return or end in the same call, what happened is the same, and
//! so are results and the memory that others may see. What is left unspecified before the pass may
//! be chosen; the obvious choices are tried.

use std::time::{Duration, Instant};

use ir::{Block, Function, Module, Opcode};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::confirm;
use crate::cuts::{self, Invariant};
use crate::execute::{Execution, Outcome, Stop};
use crate::memory::Context;
use crate::plan::Plan;
use crate::provenance::Objects;
use crate::slots::Slots;
use crate::smt::{self, Script};
use crate::solver::{self, Answer};
use crate::term::{Arena, Op, Term, Uf, UfKind, Var};

/// What is known of a function and a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was not changed.
    Unchanged,
    /// The pass was right.
    Proved,
    /// It was for executions of at most this many iterations of each loop.
    Bounded(u32),
    /// Not known, and why.
    Undecided(String),
    /// It was wrong.
    Refuted(Counterexample),
}

/// An input for which the function does something else after a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// What differs.
    pub what: &'static str,
    /// The arguments, as text.
    pub arguments: Vec<String>,
    /// Whether the interpreter agrees: results differ there, too.
    pub is_confirmed: bool,
}

/// How a question is asked.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Iterations of each loop.
    pub bound: u32,
    /// Time for one query.
    pub time: Duration,
    /// Instructions that are executed, unrolled.
    pub instructions: u32,
    /// Whether alias classes count.
    pub strict_aliasing: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bound: 4, time: Duration::from_secs(5), instructions: 16_000, strict_aliasing: true }
    }
}

/// The lowest address that an object can have.
const LOWEST: u128 = 4096;

/// Executions that may be needed to find what changes in loops.
const MAX_ROUNDS: u32 = 30;

/// Ways to cut loops that are tried.
const MAX_PLANS: u32 = 4;

/// Memories that are compared as arguments of events, at most.
const MAX_PAIRS: usize = 150;

/// Whether `after` refines `before`.
///
/// # Errors
/// The solver cannot be run.
pub fn refines(module: &Module, before: &Function, after: &Function, limits: &Limits) -> Result<Verdict, String> {
    if is_same(module, before, after) {
        return Ok(Verdict::Unchanged);
    }
    if let Some(reason) = not_modelled(before).or_else(|| not_modelled(after)) {
        return Ok(Verdict::Undecided(reason));
    }
    // Loops whose proof fails are unrolled, or cut elsewhere.
    let (start, mut others) = (Instant::now(), Vec::new());
    for _ in 0..MAX_PLANS {
        if start.elapsed() > limits.time * 4 {
            break;
        }
        let plan = Plan::new(before, after, &others);
        if plan.is_empty() {
            break;
        }
        let mut failed = None;
        match with_bound(module, before, after, limits, limits.bound, plan, &mut failed)? {
            proved @ (Verdict::Proved | Verdict::Bounded(_)) => return Ok(proved),
            _ => match failed {
                Some(block) => others.push(block),
                None => break,
            },
        }
    }
    let mut bound = limits.bound;
    loop {
        match with_bound(module, before, after, limits, bound, Plan::default(), &mut None)? {
            Verdict::Undecided(reason) if reason == "too large" && bound > 1 => bound /= 2,
            verdict => return Ok(verdict),
        }
    }
}

/// Whether functions are the same but for the numbers of values.
fn is_same(module: &Module, before: &Function, after: &Function) -> bool {
    ir::text::function_to_string(module, before) == ir::text::function_to_string(module, after)
}

fn not_modelled(func: &Function) -> Option<String> {
    if func.calls_setjmp {
        return Some("setjmp".to_string());
    }
    let found = func.insts_with(|opcode| opcode == Opcode::AsmBr);
    found.first().map(|&inst| func.insts[inst].opcode.name().to_string())
}

/// How many calls of itself a function has.
fn self_calls(func: &Function) -> usize {
    let is_own = |&inst: &ir::Inst| func.const_symbol(func.list(inst)[0]).is_some_and(|callee| callee.0 == func.symbol);
    func.insts_with(|opcode| opcode == Opcode::Call).iter().filter(|inst| is_own(inst)).count()
}

fn calls_through_pointers(func: &Function) -> bool {
    let through_pointer = |&inst: &ir::Inst| func.const_symbol(func.list(inst)[0]).is_none();
    func.insts_with(|opcode| opcode == Opcode::Call).iter().any(through_pointer)
}

fn undefs(func: &Function) -> FxHashSet<u32> {
    func.insts_with(|opcode| opcode == Opcode::Undef).into_iter().map(|inst| inst.as_u32()).collect()
}

fn with_bound(
    module: &Module,
    before: &Function,
    after: &Function,
    limits: &Limits,
    bound: u32,
    plan: Plan,
    failed: &mut Option<Block>,
) -> Result<Verdict, String> {
    let slots = Slots::new(module, before, after);
    let mut cx = Context::new(module, Objects::new(module, &before.restrict_params), limits.strict_aliasing);
    cx.plan = plan;
    cx.calls_by_address = calls_through_pointers(before) || calls_through_pointers(after);
    let shared = &undefs(before) & &undefs(after);
    let mut escaped = [FxHashSet::default(), FxHashSet::default()];
    let mut rounds = 0;
    let (source, target, beyond) = loop {
        let mut excluded: [Vec<Term>; 2] = [Vec::new(), Vec::new()];
        let mut outcomes = [None, None];
        // What one side does not follow to its end, the other need not either.
        for side in [0, 1, 0, 1] {
            let other = excluded[1 - side].clone();
            if outcomes[side].is_some() && other.is_empty() {
                continue;
            }
            let (func, extent) = ([before, after][side], (bound, limits.instructions));
            let outcome = loop {
                let known = &escaped[side];
                match Execution::run(&mut cx, func, &slots, side == 1, &shared, known, &other, extent) {
                    Ok(outcome) => break outcome,
                    Err(Stop::Escapes(keys)) => escaped[side].extend(keys),
                    Err(Stop::Reason(reason)) => return Ok(Verdict::Undecided(reason)),
                }
            };
            excluded[side].extend(&outcome.beyond);
            outcomes[side] = Some(outcome);
        }
        let [Some(source), Some(target)] = outcomes else { return Ok(Verdict::Undecided("nothing".to_string())) };
        if cx.plan.is_empty() || !cuts::learn(&mut cx, [&source.cuts, &target.cuts]) {
            break (source, target, excluded.concat());
        }
        rounds += 1;
        if rounds == MAX_ROUNDS {
            return Ok(Verdict::Undecided("too large".to_string()));
        }
    };
    Question { cx, slots, source, target, beyond, limits, bound }.answer(before, after, failed)
}

struct Question<'m, 'l> {
    cx: Context<'m>,
    slots: Slots,
    source: Outcome,
    target: Outcome,
    /// Paths that are not followed.
    beyond: Vec<Term>,
    limits: &'l Limits,
    bound: u32,
}

/// What would be wrong, as a truth value, and what that is about.
type Claim = (&'static str, Term, Of);

/// What a claim is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Of {
    /// The functions.
    Whole,
    /// A loop, by its cut.
    Cut(Block),
    /// What is assumed of a loop, by its index.
    Invariant(usize),
}

/// Terms that are written instead of others.
type Instead = FxHashMap<Term, Term>;

impl Question<'_, '_> {
    fn answer(
        mut self,
        before: &Function,
        after: &Function,
        failed_cut: &mut Option<Block>,
    ) -> Result<Verdict, String> {
        let arena = &mut self.cx.arena;
        let ways = arena.or(self.source.returns, self.source.ends);
        let beyond = arena.any(&self.beyond);
        let within = arena.not(beyond);
        let ways = arena.and(ways, within);
        if arena.is(ways, false)
            && self.source.cuts.is_empty()
            && (self.source.undefined.is_empty() || arena.is(within, false))
        {
            return Ok(Verdict::Undecided("no path within the bound".to_string()));
        }
        let is_bounded = !self.beyond.is_empty();
        let proved = if is_bounded { Verdict::Bounded(self.bound) } else { Verdict::Proved };
        let start = Instant::now();
        let mut invariants = cuts::invariants(&mut self.cx, &self.source.cuts);
        let (claims, pairs, first) = loop {
            let claims = self.claims(&invariants);
            if claims.is_empty() {
                return Ok(proved);
            }
            let pairs = self.pairs();
            let mut first = None;
            for instead in self.choices(&claims) {
                match self.all(&claims, &pairs, &instead)? {
                    Ok(()) => return Ok(proved),
                    Err(failed) => {
                        let is_unknown = failed.1.is_none();
                        first.get_or_insert(failed);
                        if is_unknown {
                            break;
                        }
                    }
                }
            }
            let at = first.as_ref().map(|failed| claims[failed.0].2);
            match at {
                // What takes too long is done without them.
                Some(Of::Invariant(_)) if start.elapsed() > self.limits.time * 2 => invariants.clear(),
                Some(Of::Invariant(index)) => drop(invariants.remove(index)),
                _ => break (claims, pairs, first),
            }
        };
        let (index, values) = first.expect("something was asked");
        let (what, claim, of) = claims[index];
        if let Of::Cut(block) = of {
            *failed_cut = Some(block);
        }
        let Some(arguments) = values else { return Ok(Verdict::Undecided("limit of the solver".to_string())) };
        let roots = self.roots(claim, &pairs);
        if self.has_choices(&roots) {
            return Ok(Verdict::Undecided("undefined values".to_string()));
        }
        if smt::has_operations(&self.cx.arena, &roots) {
            return Ok(Verdict::Undecided("uninterpreted operations".to_string()));
        }
        if self.has_large_constants(&roots) {
            return Ok(Verdict::Undecided("constant data".to_string()));
        }
        if pairs.len() == MAX_PAIRS {
            return Ok(Verdict::Undecided("too many calls".to_string()));
        }
        if self.library_differs() {
            return Ok(Verdict::Undecided("calls of the library".to_string()));
        }
        if self_calls(before) != self_calls(after) {
            return Ok(Verdict::Undecided("recursion".to_string()));
        }
        let weak =
            |outcome: &Outcome| outcome.calls.iter().find_map(|name| name.strip_suffix(" weak").map(str::to_string));
        if let Some(what) = weak(&self.source).or_else(|| weak(&self.target)) {
            return Ok(Verdict::Undecided(what));
        }
        let is_confirmed = confirm::differ(self.cx.module, before, after, &arguments);
        let text = |(index, bits): &(u32, u128)| {
            let ty = before.value_type(before.params()[*index as usize]);
            format!("{ty} {bits:#x}")
        };
        let arguments = arguments.iter().map(text).collect();
        Ok(Verdict::Refuted(Counterexample { what, arguments, is_confirmed }))
    }

    /// What would be wrong, each as a truth value.
    fn claims(&mut self, invariants: &[Invariant]) -> Vec<Claim> {
        let witness = self.cx.arena.var(Var::Witness(0, 0), 64);
        let any = ir::AliasTags::any().as_u32();
        let byte = self.cx.load(self.source.memory, witness, 1, any);
        let other = self.cx.load(self.target.memory, witness, 1, any);
        let (excused, undefined) = (self.excused(), self.undefined());
        let arena = &mut self.cx.arena;
        let (source, target) = (&self.source, &self.target);
        let no = arena.truth(false);
        let beyond = arena.any(&self.beyond);
        let bad = arena.or(excused, beyond);
        let mut good = arena.not(bad);
        for invariant in invariants {
            good = arena.and(good, invariant.assumed);
        }
        let both = arena.and(source.returns, target.returns);
        let mut results = no;
        for (&a, &b) in source.results.iter().zip(&target.results) {
            let differs = arena.differ(a, b);
            results = arena.or(results, differs);
        }
        let returns = arena.differ(source.returns, target.returns);
        let trace = arena.differ(source.trace, target.trace);
        let memory = arena.differ(byte, other);
        let ends = arena.and(source.ends, target.ends);
        let end_trace = arena.differ(source.end_trace, target.end_trace);
        let parts = [
            ("behaviour is undefined", undefined),
            ("one returns, the other does not", returns),
            ("results", arena.and(both, results)),
            ("memory", arena.and(both, memory)),
            ("calls and volatile accesses", arena.and(both, trace)),
            ("calls before one that does not return", arena.and(ends, end_trace)),
        ];
        let mut claims: Vec<Claim> = Vec::new();
        for (index, invariant) in invariants.iter().enumerate() {
            claims.push(("invariants", invariant.broken, Of::Invariant(index)));
        }
        let mut roots = vec![target.returns, target.trace, target.memory, target.end_trace, undefined];
        roots.extend(&target.results);
        for (block, claim) in cuts::claims(&mut self.cx, [&source.cuts, &target.cuts], &roots) {
            claims.push(("loops", claim, Of::Cut(block)));
        }
        claims.extend(parts.into_iter().map(|(what, part)| (what, part, Of::Whole)));
        for claim in &mut claims {
            claim.1 = self.cx.arena.and(good, claim.1);
        }
        claims.into_iter().filter(|claim| !self.cx.arena.is(claim.1, false)).collect()
    }

    /// When the function before is undefined.
    fn excused(&mut self) -> Term {
        let arena = &mut self.cx.arena;
        let (lowest, top) = (arena.number(LOWEST, 64), arena.number(1 << 63, 64));
        let mut all = self.source.undefined.clone();
        for &(address, path) in &self.source.accesses {
            let (low, below) = (arena.ult(address, lowest), arena.ult(address, top));
            let high = arena.not(below);
            let outside = arena.or(low, high);
            all.push(arena.and(path, outside));
        }
        arena.any(&all)
    }

    /// When the function after is undefined, but where the one before obviously is, too: for the
    /// same reason on a path that it is on as well. It shall not access null.
    fn undefined(&mut self) -> Term {
        let arena = &mut self.cx.arena;
        let follows = |arena: &Arena, before: Term, after: Term| {
            let known = arena.conjuncts(after);
            arena.conjuncts(before).iter().all(|part| known.binary_search(part).is_ok())
        };
        let (null, mut all) = (arena.number(0, 64), Vec::new());
        for &(address, path) in &self.target.accesses {
            let same = self.source.accesses.iter().filter(|access| access.0 == address);
            if same.clone().any(|access| follows(arena, access.1, path)) {
                continue;
            }
            let is_null = arena.eq(address, null);
            all.push(arena.and(path, is_null));
        }
        for &cond in &self.target.undefined {
            if !self.source.undefined.iter().any(|&before| follows(arena, before, cond)) {
                all.push(cond);
            }
        }
        arena.any(&all)
    }

    /// Pairs of memories that are arguments of the same event on both sides: their numbers are
    /// equal, or a byte differs.
    fn pairs(&mut self) -> Vec<(Term, Term)> {
        let of = |outcome: &Outcome| smt::below(&self.cx.arena, &[outcome.trace, outcome.end_trace, outcome.memory]);
        let (source, target) = (of(&self.source), of(&self.target));
        let events = |own: &[Term], other: &[Term]| -> Vec<(u32, Term, u32)> {
            let mut out = Vec::new();
            for &term in own.iter().filter(|term| other.binary_search(term).is_err()) {
                let node = self.cx.arena.node(term);
                let Op::Uf(Uf { name, kind: UfKind::Event | UfKind::Result }) = node.op else { continue };
                for &arg in &node.args {
                    if let Op::Identity(set) = self.cx.arena.node(arg).op {
                        out.push((name, arg, set));
                    }
                }
            }
            out
        };
        let (a, b) = (events(&source, &target), events(&target, &source));
        let mut numbers = Vec::new();
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                if x.0 == y.0 && x.1 != y.1 {
                    let (i, j) = (place(&a, i), place(&b, j));
                    numbers.push((i.abs_diff(j), x.1, y.1, x.2, y.2));
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let any = ir::AliasTags::any().as_u32();
        let mut pairs = Vec::new();
        for (number, (_, x, y, s, t)) in numbers.into_iter().take(MAX_PAIRS).enumerate() {
            let (s, t) = (self.cx.arena.leaks[s as usize].clone(), self.cx.arena.leaks[t as usize].clone());
            let both = self.cx.arena.leak_set(s.into_iter().filter(|key| t.contains(key)).collect());
            let witness = self.cx.arena.var(Var::Witness(number as u32 + 1, both), 64);
            let (m, n) = (self.cx.arena.node(x).args[0], self.cx.arena.node(y).args[0]);
            let (m, n) = (self.cx.load(m, witness, 1, any), self.cx.load(n, witness, 1, any));
            let (same, differs) = (self.cx.arena.raw(Op::Eq, &[x, y], 0), self.cx.arena.differ(m, n));
            pairs.push((same, differs));
        }
        pairs
    }

    fn roots(&self, claim: Term, pairs: &[(Term, Term)]) -> Vec<Term> {
        [claim].into_iter().chain(pairs.iter().flat_map(|pair| [pair.0, pair.1])).collect()
    }

    /// Asks every claim: all are refuted, or one that is not, with arguments if there are any.
    fn all(
        &mut self,
        claims: &[Claim],
        pairs: &[(Term, Term)],
        instead: &Instead,
    ) -> Result<Result<(), (usize, Option<Vec<(u32, u128)>>)>, String> {
        for (index, (_, claim, of)) in claims.iter().enumerate() {
            let mut script = Script::new(&self.cx.arena, instead);
            script.assert(*claim);
            for &(same, differs) in pairs {
                script.assert_either(same, differs);
            }
            if script.is_incomplete {
                return Ok(Err((index, None)));
            }
            // Invariants are easy, or of no use.
            let limit = if matches!(of, Of::Invariant(_)) { self.limits.time / 4 } else { self.limits.time };
            let (mut text, params) =
                script.finish(self.cx.module, &self.cx.objects, &self.slots, limit.as_millis() as u32);
            for (_, name) in &params {
                text.push_str(&format!("(get-value ({name}))\n"));
            }
            match solver::ask(&text, limit)? {
                Answer::Unsat => {}
                Answer::Unknown => return Ok(Err((index, None))),
                Answer::Sat(model) => {
                    let values = model.lines().map(parse_value);
                    let mut arguments: Vec<(u32, u128)> = params
                        .iter()
                        .zip(values)
                        .filter_map(|((var, _), bits)| match var {
                            Var::Param(index, 0, _) => Some((*index, bits)),
                            _ => None,
                        })
                        .collect();
                    arguments.sort_unstable();
                    return Ok(Err((index, Some(arguments))));
                }
            }
        }
        Ok(Ok(()))
    }

    /// Values that the function before leaves open, and those that the one after does.
    fn open(&self, roots: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let arena = &self.cx.arena;
        let mut of = (Vec::new(), Vec::new());
        for term in smt::below(arena, roots) {
            let node = arena.node(term);
            match node.op {
                Op::Var(Var::Undef(false, ..)) => of.0.push(term),
                Op::Var(Var::Undef(true, ..)) => of.1.push(term),
                Op::Load => {
                    if let Op::Var(Var::Contents(_, generation)) = arena.node(node.args[0]).op
                        && generation != u32::MAX
                    {
                        of.0.push(term);
                    }
                }
                _ => {}
            }
        }
        of
    }

    /// Whether constant data matters that the solver is not told in full.
    fn has_large_constants(&self, roots: &[Term]) -> bool {
        let module = self.cx.module;
        smt::below(&self.cx.arena, roots).iter().any(|&term| match self.cx.arena.node(term).op {
            Op::Var(Var::Constant(id)) => match module.symbols[ir::SymbolId::from_u32(id)].def {
                ir::SymbolDef::Data(id) => {
                    module.data[id].size > smt::MAX_CONSTANT || !module.data[id].relocs.is_empty()
                }
                _ => true,
            },
            _ => false,
        })
    }

    fn has_choices(&self, roots: &[Term]) -> bool {
        let (ours, theirs) = self.open(roots);
        !ours.is_empty() || !theirs.is_empty()
    }

    /// What may be written instead of values that the function before leaves open.
    fn choices(&mut self, claims: &[Claim]) -> Vec<Instead> {
        let roots: Vec<Term> = claims.iter().map(|claim| claim.1).collect();
        let (ours, theirs) = self.open(&roots);
        let mut out = vec![Instead::default()];
        if ours.is_empty() {
            return out;
        }
        let arena = &mut self.cx.arena;
        let (mut paired, mut zero, mut first) = (Instead::default(), Instead::default(), Instead::default());
        let mut left = theirs.clone();
        for &term in &ours {
            let width = arena.width(term);
            let nothing = arena.number(0, width);
            let next = left.iter().position(|&t| arena.width(t) == width).map(|at| left.remove(at));
            paired.insert(term, next.unwrap_or(nothing));
            zero.insert(term, nothing);
            let any = theirs.iter().copied().find(|&t| arena.width(t) == width);
            first.insert(term, any.unwrap_or(nothing));
        }
        for instead in [paired, zero, first] {
            if !out.contains(&instead) {
                out.push(instead);
            }
        }
        out
    }

    /// Whether the functions call different functions of the C library.
    fn library_differs(&self) -> bool {
        let names = |outcome: &Outcome| -> FxHashSet<String> { outcome.calls.iter().cloned().collect() };
        let (a, b) = (names(&self.source), names(&self.target));
        a.symmetric_difference(&b).any(|name| name.ends_with(" library"))
    }
}

/// The how manieth of its name an event is.
fn place(events: &[(u32, Term, u32)], index: usize) -> usize {
    events[..index].iter().filter(|event| event.0 == events[index].0).count()
}

/// The number in the answer to `get-value`.
fn parse_value(line: &str) -> u128 {
    if line.contains("true") {
        return 1;
    }
    let Some((_, last)) = line.rsplit_once('#') else { return 0 };
    let digits = last.trim_end().trim_end_matches(')');
    let (base, digits) = digits.split_at_checked(1).unwrap_or(("x", "0"));
    u128::from_str_radix(digits, if base == "x" { 16 } else { 2 }).unwrap_or(0)
}
