//! Loop vectorisation: several iterations of an innermost loop at once, one per lane of a vector
//! register.
//!
//! A loop qualifies if its trip count can be computed before it, only its test leaves it, and
//! everything that matters in it has a vector form: loads and stores of consecutive elements, of
//! every second one, at any constant distance or at places that every iteration computes (each lane
//! by itself), lane-wise arithmetic and conversions, counters, sums and the like ([`reductions`]),
//! values of the iteration before ([`previous`]), and choices between branches, which
//! become selects ([`masks`]) or stores of some lanes ([`conditional_stores`]). Memory dependences
//! must allow it ([`ir::analysis::group_dependence`]). Two loops in each other that go through
//! memory as one would become one first ([`flatten`]). Of two loops in each other, the outer one is
//! taken where its iterations are what memory lines up ([`nest`]). Values get lanes as narrow as
//! their users allow ([`lanes`]); the narrowest decide how many iterations fit in a register.
//!
//! Iterations that are left over run in the scalar loop. Addresses that alias analysis cannot tell
//! apart are compared before the loop: at `-O3` whenever the vector loop pays, at `-O2` with few
//! comparisons and a large gain; where the source says that iterations do not depend on each other
//! ([`ir::LoopHint`]), they are not. Not with `-Os`, `-fno-tree-vectorize` and without vector
//! registers.
//!
//! After Nuzman, Zaks, "Autovectorization in GCC - two years later", GCC Summit 2006. Cost: linear
//! in the loops, but for pairs of memory accesses.
//!
//! ```text
//! b1: i = phi [i64 0, b0], [n, b1]         b1: i = phi [i64 0, b0], [n, b1]
//!     q = ptradd @a, i * 4                     q = ptradd @a, i * 4
//!     x = load q                     =>        x: <4 x i32> = load q
//!     y = add x, i32 1                         y: <4 x i32> = add x, <1, 1, 1, 1>
//!     store q, y                               store q, y
//!     n = add i, i64 1                         n = add i, i64 4
//!     cond_br icmp.slt n, i64 64               cond_br icmp.ne n, i64 64
//! ```

mod body;
mod conditional_stores;
mod emit;
mod estimate;
mod finish;
mod flatten;
mod lanes;
mod masks;
mod nest;
mod plan;
mod previous;
mod reasons;
mod reductions;
mod reroll;

use cranelift_entity::SecondaryMap;
use ir::analysis::sums::induction::counted_loop;
use ir::analysis::sums::most_trips::Nests;
use ir::analysis::sums::{Linear, Term};
use ir::analysis::{Cfg, DominatorTree, Frequencies, Heat, Loop, LoopRef, LoopTree};
use ir::ssa::simplify_single_phis;
use ir::{Block, Function, Inst, Opcode, Value, costs};
use platform::options::{OptLevel, Sanitizers, X86Features};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::{Changed, Pass, PassContext};
use crate::passes::predictive_commoning::Candidate;
use crate::passes::simplify_cfg::merge_chains;
use crate::passes::{combine, dce, gvn, licm};
use ir::analysis::alias::AliasAnalysis;

use body::Body;
pub use body::is_plain;
use estimate::Estimate;
use finish::{Decision, vectorize};
use ir::analysis::group_dependence::{Checks, MemoryAccess, checks_needed, may_load_always};
use lanes::Lanes;
use nest::{addresses, may_group, uniform_phis};
use plan::{Kind, Order, Plan, Planner};
use reasons::Reasons;

/// Values that the inner loop of a nest may carry if each is to fill two registers.
const MAX_DOUBLED: usize = 2;

/// Loops of a function that are changed to see whether that helps: it is copied each time.
const MAX_COPIED: u32 = 64;

/// Iterations from which on a loop that may have fewer counts as one of many.
const FEW_TRIPS: u64 = 32;

/// The pass.
pub const PASS: Pass = Pass { copies_code: true, for_size: false, ..Pass::new("loop_vectorize", run) };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if !cx.ran_before(&PASS) {
        return vectorize_all(func, cx);
    }
    // Loops have become innermost because those in them were unrolled.
    if cx.analyses.loops(func).is_empty() {
        return Changed::Nothing;
    }
    // The copies of a body have much in common, and most of it with other iterations.
    merge_chains(func, &mut cx.analyses);
    for pass in [gvn::PASS, combine::PASS, licm::PASS] {
        cx.run(func, pass);
    }
    vectorize_all(func, cx);
    Changed::ControlFlow
}

fn vectorize_all(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let codegen = &cx.options.codegen;
    let wanted = codegen.vectorize.unwrap_or(true) && cx.has_sse(func);
    let loops = cx.analyses.loops(func);
    if !wanted || func.calls_setjmp || loops.is_empty() {
        return Changed::Nothing;
    }
    // What nobody uses need not have a vector form.
    cx.run(func, dce::PASS);
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    // Ends of loops that lost one of their incoming edges.
    let tidied = Changed::code_if(simplify_single_phis(func, &dominators) > 0);
    cx.analyses.invalidate(tidied);
    let blocks = loops.blocks(&cfg);
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let mut vectorized = 0;
    let reasons = Reasons::default();
    let counted = Frequencies::counted(func, &cfg, &loops);
    let at = Surroundings {
        cfg: &cfg,
        dominators: &dominators,
        loops: &loops,
        counted: counted.as_ref(),
        alias: &alias,
        reasons: &reasons,
    };
    let flat = flatten::find(func, cx, &at);
    if !flat.is_empty() {
        for both in &flat {
            both.apply(func);
            cx.note(PASS.name, || "two loops made one".to_string());
        }
        cx.statistics.add("loops flattened", flat.len() as u64);
        cx.analyses.invalidate(Changed::ControlFlow);
        // Each time there are fewer loops.
        vectorize_all(func, cx);
        return Changed::ControlFlow;
    }
    if !cx.ran_before(&PASS) && (reroll_all(func, cx, &at, &blocks) || carry_all(func, cx, &at, &blocks)) {
        cx.analyses.invalidate(Changed::Code);
        vectorize_all(func, cx);
        return Changed::ControlFlow;
    }
    let nests: Vec<Decision> = loops
        .loops()
        .filter(|&l| !cx.remainder_loops.contains(&loops.header(l)))
        .filter_map(|l| decide_nest(func, cx, &at, l, &blocks))
        .collect();
    let done: Vec<Loop> = nests.iter().filter_map(|d| d.body.inner.as_ref()).map(|inner| inner.l).collect();
    for decision in nests {
        let (lanes, l) = (decision.vf, loops.at(decision.body.l));
        cx.remark(PASS.name, cx.place(func, l), || format!("outer loop vectorised, {lanes} iterations at once"));
        let rest = vectorize(func, &loops, decision);
        cx.remainder_loops.extend(rest);
        vectorized += 1;
    }
    let rest: FxHashSet<Block> = cx.remainder_loops.clone();
    for l in loops.loops().filter(|&l| !done.contains(&l) && !rest.contains(&loops.header(l))) {
        reasons.take();
        let Some(decision) = decide_innermost(func, cx, &at, l, &blocks[l]) else {
            if cx.options.wants_missed() {
                tell(func, cx, loops.at(l), &reasons);
            }
            continue;
        };
        let lanes = decision.vf;
        cx.remark(PASS.name, cx.place(func, loops.at(l)), || format!("loop vectorised, {lanes} iterations at once"));
        let rest = vectorize(func, &loops, decision);
        cx.remainder_loops.extend(rest);
        vectorized += 1;
    }
    cx.statistics.add("loops vectorised", vectorized);
    if vectorized > 0 { Changed::ControlFlow } else { tidied }
}

/// Rerolls the loops that can be vectorised then.
fn reroll_all(
    func: &mut Function,
    cx: &mut PassContext<'_>,
    at: &Surroundings<'_>,
    blocks: &SecondaryMap<Loop, Vec<Block>>,
) -> bool {
    let (mut tried, mut done) = (0, 0);
    for l in at.loops.loops().filter(|&l| has_memory(func, &blocks[l])).collect::<Vec<_>>() {
        let Some(body) = Body::of(func, at, at.loops.at(l), &blocks[l]) else { continue };
        let Some(copies) = reroll::find(func, cx, at, &body).filter(|_| tried < MAX_COPIED) else { continue };
        tried += 1;
        let mut rerolled = func.clone();
        reroll::apply(&mut rerolled, &body, &copies);
        let decision = decide_innermost(&rerolled, cx, at, l, &blocks[l]);
        if decision.is_some_and(|decision| reroll::pays(func, &copies, &decision)) {
            *func = rerolled;
            cx.note(PASS.name, || format!("{} copies of a loop's body made one", copies.count));
            done += 1;
        }
    }
    cx.statistics.add("loops rerolled", done);
    done > 0
}

/// Has loops keep what the next iteration would load from memory, where they can be vectorised
/// only then: a vector that waits for two stores right before it takes longer than the scalars.
fn carry_all(
    func: &mut Function,
    cx: &mut PassContext<'_>,
    at: &Surroundings<'_>,
    blocks: &SecondaryMap<Loop, Vec<Block>>,
) -> bool {
    let (mut tried, mut done) = (0, 0);
    for l in at.loops.loops().filter(|&l| has_memory(func, &blocks[l])).collect::<Vec<_>>() {
        let place = at.loops.at(l);
        let found = Candidate::of(func, cx, at.cfg, place, &blocks[l], true);
        let Some(found) = found.filter(|_| tried < MAX_COPIED) else { continue };
        if decide_innermost(func, cx, at, l, &blocks[l]).is_some() {
            continue;
        }
        tried += 1;
        let mut carried = func.clone();
        let loads = found.carry(&mut carried, cx.module, (at.cfg, at.dominators, at.alias), place, &blocks[l]);
        if loads > 0 && decide_innermost(&carried, cx, at, l, &blocks[l]).is_some() {
            *func = carried;
            done += loads;
        }
    }
    cx.statistics.add("loads carried for vectors", done);
    done > 0
}

/// Says why a loop stays as it is.
fn tell(func: &Function, cx: &mut PassContext<'_>, l: LoopRef<'_>, reasons: &Reasons) {
    let Some((inst, what)) = reasons.take() else { return };
    let header = l.header();
    let placed = |inst: Inst| Some(func.source_loc(inst)).filter(|loc| !loc.is_none());
    let whole = || func.block_insts(header).find_map(placed);
    if let Some(loc) = inst.and_then(placed).or_else(whole) {
        cx.missed(PASS.name, loc, format!("loop not vectorised: {what}"));
    }
}

/// Analyses of the function as it was when the pass began: true of loops that have not been
/// vectorised yet.
struct Surroundings<'a> {
    cfg: &'a Cfg,
    dominators: &'a DominatorTree,
    loops: &'a LoopTree,
    /// What earlier runs did, if they were counted.
    counted: Option<&'a Frequencies>,
    alias: &'a AliasAnalysis,
    /// What is in the way of the loop that is looked at.
    reasons: &'a Reasons,
}

fn has_memory(func: &Function, blocks: &[Block]) -> bool {
    let accesses = |i| matches!(func.insts[i].opcode, Opcode::Load | Opcode::Store);
    blocks.iter().any(|&b| func.block_insts(b).any(accesses))
}

fn decide_innermost(
    func: &Function,
    cx: &PassContext<'_>,
    at: &Surroundings<'_>,
    l: Loop,
    blocks: &[Block],
) -> Option<Decision> {
    if !has_memory(func, blocks) {
        return None;
    }
    decide(func, cx, at, Body::of(func, at, at.loops.at(l), blocks)?)
}

/// The outer loop of a nest, unless its inner loop can be had without sums to gather after it.
fn decide_nest(
    func: &Function,
    cx: &PassContext<'_>,
    at: &Surroundings<'_>,
    l: Loop,
    blocks: &SecondaryMap<Loop, Vec<Block>>,
) -> Option<Decision> {
    if blocks[l].iter().all(|&b| at.loops.innermost(b) == Some(l)) || !has_memory(func, &blocks[l]) {
        return None;
    }
    let decision = decide(func, cx, at, Body::of_nest(func, at.cfg, at.loops.at(l), &blocks[l])?)?;
    let inner = decision.body.inner.as_ref()?.l;
    let within = decide_innermost(func, cx, at, inner, &blocks[inner]);
    within.is_none_or(|w| !w.plan.reductions.is_empty() || w.plan.has_lanes_apart()).then_some(decision)
}

fn decide(func: &Function, cx: &PassContext<'_>, at: &Surroundings<'_>, body: Body) -> Option<Decision> {
    let codegen = &cx.options.codegen;
    let features = codegen.features;
    let uniform = uniform_phis(&body);
    let planner = Planner {
        func,
        loops: at.loops,
        body: &body,
        sums: addresses(at.loops, &body, &uniform),
        features,
        // Whose address would not be checked.
        masked_bytes: Some(costs::lanewise_bytes(features))
            .filter(|_| features.has(X86Features::AVX) && !cx.options.sanitize.checks(Sanitizers::ANY_ADDRESS)),
        trapping_math: codegen.float.trapping_math,
        reasons: at.reasons,
    };
    let mut plan = planner.plan()?;
    plan.halves = halves(func, cx, at.alias, &plan);
    at.reasons.unless(!plan.has_gaps_in_narrow_stores(func), None, "narrow elements stored at a distance")?;
    let known = body.trips.known();
    let loads_are_safe = plan.accesses.iter().all(|a| {
        a.unconditional
            || a.writes
            || !plan.kinds.contains_key(&a.inst)
            || may_load_always(func, cx.module, &plan.accesses, a, known)
    });
    at.reasons.unless(loads_are_safe, None, "a load that some iterations do not run")?;
    let lanes = Lanes::compute(func, &plan);
    let register = plan.register_bytes(func, &lanes, features);
    let mut most = register * 8 / lanes.narrowest.max(8);
    if body.inner.is_some() && plan.kinds.values().filter(|&&k| k == Kind::Carried).count() <= MAX_DOUBLED {
        // Loads that all lanes share serve more of them.
        most *= 2;
    }
    let hint = at.loops.at(body.l).hint(func);
    let heat = at.counted.and_then(|counted| counted.heat(func, at.loops.header(body.l)));
    at.reasons.unless(heat != Some(Heat::Cold), None, "earlier runs hardly came here")?;
    let nests = Nests { func, cfg: at.cfg, loops: at.loops };
    // Of a triangle's rows one is half as long as the longest on the average.
    let on_average = || nests.most_trips(&body.counted, FEW_TRIPS).map(|most| most.div_ceil(2));
    let trips = known.or_else(|| at.counted.map(|counted| counted.trips(body.l).round() as u64)).or_else(on_average);
    let all = hint.simd || cx.options.level == OptLevel::O3 || heat == Some(Heat::Hot);
    let apart = plan.has_lanes_apart();
    let floats = loads_and_computes_floats(func, &plan);
    let copies = !plan.kinds.values().any(|&k| k == Kind::Compute);
    let mut best: Option<(Estimate, u32, Checks)> = None;
    let mut possible = None;
    let mut vf = most;
    while vf >= 2 {
        let fits = known.is_none_or(|t| t >= u64::from(vf));
        let may_meet = |a: Inst, b: Inst| vf > hint.safe_length && at.alias.may_meet(func, cx.module, a, b);
        // Groups of iterations move a load up past the store after it.
        let in_groups = |first: Inst, second: Inst| match func.insts[first].opcode {
            Opcode::Load => vf > hint.safe_length && at.alias.may_meet_later(func, cx.module, second, first),
            _ => may_meet(first, second),
        };
        // Arithmetic on the unused part of a register may raise exceptions.
        let fits = fits && (vf * float_bits(func, &plan) >= costs::register_bytes(features) * 8);
        let fits = fits && planner.suits_every_second(&plan, vf) && plan.suits_conditional_stores(func, &body, vf);
        let fits = fits && !(known == Some(u64::from(vf)) && floats);
        if fits
            && let Some(checks) = match &body.inner {
                None => checks_needed(in_groups, &plan.accesses, i64::from(vf))
                    .filter(|checks| !check_in_vain(func, at, &body, checks) && may_gather(&plan, may_meet, in_groups)),
                Some(inner) => may_group(func, may_meet, inner, &plan.accesses, i64::from(vf)).then(Checks::default),
            }
        {
            possible = Some(());
            let estimate = Estimate::of(func, &body, &plan, &lanes, vf, (features, register), checks.pairs.len());
            let worth = !apart || estimate.is_worth_lanes();
            let worth = worth && (all || checks.pairs.is_empty() || estimate.is_worth_checks(&checks, copies, floats));
            if estimate.pays(trips) && worth && best.as_ref().is_none_or(|b| estimate.is_better_than(&b.0)) {
                best = Some((estimate, vf, checks));
            }
        }
        vf /= 2;
    }
    let collide = possible.is_none() && plan.accesses.iter().any(|a| a.writes);
    let why = if collide { "accesses that may touch the same memory" } else { "it would not be quicker" };
    let (estimate, vf, checks) = best.or_else(|| at.reasons.no(None, why))?;
    // Every header phi that lives on in the scalar loop must be resumable.
    let whole = known.is_some_and(|t| t % u64::from(vf) == 0) && checks.pairs.is_empty();
    let resumes = whole || planner.all_phis_resume(&plan);
    at.reasons.unless(resumes, None, "an iteration needs a value of the one before it")?;
    // What is left after 32 bytes at once fills 16 more often than not. A few iterations of a known
    // number are unrolled, unless the scalar loop is entered in other ways.
    let half = vf / 2;
    let carries = || plan.kinds.values().any(|kind| *kind == Kind::Previous) || !plan.reductions.is_empty();
    let fills = cx.options.level == OptLevel::O3
        && half * lanes.narrowest == costs::register_bytes(features) * 8
        && register > costs::register_bytes(features)
        && known.is_none_or(|t| t % u64::from(vf) >= u64::from(half) && !checks.pairs.is_empty());
    let rest = Some(half).filter(|_| fills && body.inner.is_none() && !carries());
    Some(Decision { body, plan, lanes, vf, checks, estimate, features, rest })
}

/// Whether stores leave alone what is loaded from anywhere: those after it in later iterations,
/// those before it, which the computation of its address moves past, in any.
fn may_gather(plan: &Plan, may_meet: impl Fn(Inst, Inst) -> bool, in_groups: impl Fn(Inst, Inst) -> bool) -> bool {
    plan.gathers.iter().all(|gather| {
        plan.accesses.iter().enumerate().filter(|(_, a)| a.writes).all(|(index, store)| match index < gather.at {
            true => gather.loads.iter().all(|&load| !may_meet(store.inst, load)),
            false => !in_groups(gather.loads[0], store.inst),
        })
    })
}

/// Whether a check would always fail: a known number of iterations come to the same places, as
/// `a[i]` and `a[50]` or `a[99 - i]` do, or one place is among those that the loop runs through, as
/// `a[i][k]` among `a[i][j]` where a loop around counts `k` as this one counts `j`.
fn check_in_vain(func: &Function, at: &Surroundings<'_>, body: &Body, checks: &Checks) -> bool {
    let own = &body.counted;
    let equal = |a: Value, b: Value| a == b || func.const_bits(a).is_some_and(|a| func.const_bits(b) == Some(a));
    let counts_alike = |value: Value| {
        let Some(phi) = func.def_with(value, Opcode::Phi) else { return false };
        let around = func.inst_block(phi).and_then(|header| at.loops.innermost(header));
        around.and_then(|l| counted_loop(func, at.cfg, at.loops.at(l))).is_some_and(|outer| {
            outer.counter.phi == phi
                && outer.counter.step == own.counter.step
                && equal(outer.counter.start, own.counter.start)
                && equal(outer.bound, own.bound)
        })
    };
    let trips = body.trips.known().and_then(|trips| i64::try_from(trips).ok());
    let lies_among = |place: &Linear, places: &Linear| {
        let apart = place.minus(places);
        if apart.terms.is_empty() {
            let ends = trips.map(|trips| (place.ends(trips), places.ends(trips)));
            return ends.is_some_and(|(x, y)| x.0 <= y.1 && y.0 <= x.1);
        }
        let [(Term::Value(value) | Term::Signed(value) | Term::Unsigned(value), factor)] = apart.terms[..] else {
            return false;
        };
        place.step == 0
            && factor.wrapping_mul(own.counter.step) == places.step
            && func.const_i64(own.counter.start).is_some_and(|start| apart.constant == -start.wrapping_mul(factor))
            && counts_alike(value)
    };
    checks.pairs.iter().filter(|pair| pair.harmful.is_none()).any(|pair| {
        let [x, y] = [pair.groups.0, pair.groups.1].map(|group| &checks.groups[group].access.address);
        lies_among(x, y) || lies_among(y, x)
    })
}

/// Stores to every second element that fill each other's gaps: the later of two, with the earlier
/// one, which may wait for it since nothing in between reads or writes the same.
fn halves(func: &Function, cx: &PassContext<'_>, alias: &AliasAnalysis, plan: &Plan) -> FxHashMap<Inst, Inst> {
    let scatters = |a: &MemoryAccess| plan.kinds.get(&a.inst) == Some(&Kind::Store(Order::EverySecond));
    let stored = |a: &MemoryAccess| func.value_type(func.operand(a.inst, 1));
    let mut out = FxHashMap::default();
    let mut taken = FxHashSet::default();
    for (index, late) in plan.accesses.iter().enumerate().filter(|(_, a)| scatters(a)) {
        let fills = |early: &MemoryAccess| {
            scatters(early)
                && stored(early) == stored(late)
                && !taken.contains(&early.inst)
                && early.address.distance_to(&late.address).is_some_and(|apart| apart.abs() == late.size)
        };
        let Some(at) = plan.accesses[..index].iter().rposition(fills) else { continue };
        let early = &plan.accesses[at];
        let waits = plan.accesses[at + 1..index]
            .iter()
            .all(|between| !alias.may_meet_later(func, cx.module, early.inst, between.inst));
        if waits {
            taken.extend([early.inst, late.inst]);
            out.insert(late.inst, early.inst);
        }
    }
    out
}

/// Whether a loop's loads and stores are all of floating-point numbers. Where one iteration of the
/// vector loop is all there is, such a loop is left to unrolling and `slp_vectorize`, which see
/// what has just been stored: a vector load right after the stores of its elements waits until they
/// have left the store buffer.
fn loads_and_computes_floats(func: &Function, plan: &Plan) -> bool {
    let loads = plan.kinds.values().any(|kind| matches!(kind, Kind::Load(_)));
    let element = |a: &MemoryAccess| func.result(a.inst).unwrap_or_else(|| func.operand(a.inst, 1));
    loads && plan.accesses.iter().all(|a| func.value_type(element(a)).is_float())
}

/// Bits of the narrowest floating-point lanes.
fn float_bits(func: &Function, plan: &Plan) -> u32 {
    let floats = plan.order.iter().flat_map(|&i| func.result(i).into_iter().chain(func.operands(i)));
    floats.map(|v| func.value_type(v)).filter(|t| t.is_float()).map(|t| t.bits()).min().unwrap_or(1 << 16)
}
