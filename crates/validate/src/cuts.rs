//! Loops proved by induction, for any number of iterations.
//!
//! Where both functions have a loop that goes through the same block, that block is a cut: what may
//! change in the loop (values, memory, slots, what has happened) is forgotten there, and becomes
//! variables that both functions share. The loop is executed once from there. Claimed is that both
//! functions come to the cut under the same condition in the same state, from outside and again
//! after an iteration.
//!
//! Which values are one variable is found as value numbering finds it: all that begin as one term
//! are one until what comes back differs. Values of the function after the pass that have no like
//! may be linear in one of the other's, or its extension, or the one of the same number. A wrong
//! guess costs a proof, not its truth: the claims are about the guess.

use ir::{AliasTags, Block, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::Context;
use crate::plan::{Derived, Key, Part, Place, Write};
use crate::provenance::Bases;
use crate::smt;
use crate::state::State;
use crate::term::{Arena, BOOL, MEMORY, Op, Term, Var};

/// Terms that are remembered for one slot at one cut.
const MAX_CONTENTS: usize = 40;

/// What an execution found at a cut.
pub(crate) struct Cut {
    key: Key,
    path: Term,
    entry: State,
    header: State,
    back: Option<(Term, State)>,
    pub(crate) writes: Vec<Write>,
}

impl Cut {
    /// Notes the state after an iteration.
    pub(crate) fn come_back(&mut self, path: Term, state: State) {
        self.back = Some((path, state));
    }
}

/// What a derived value is if the one that it comes from is this, and both were that at first.
fn derive(arena: &mut Arena, how: Derived, width: u32, from: Term, entry: Term, from_entry: Term) -> Term {
    match how {
        Derived::Linear(_, factor, is_address) => {
            let moved = arena.sub(from, from_entry);
            let factor = arena.number(factor, width);
            let offset = arena.mul(moved, factor);
            if is_address { arena.ptr_add(entry, offset) } else { arena.add(entry, offset) }
        }
        Derived::Same(_) => from,
        Derived::SExt(_) => arena.sext(from, width),
        Derived::ZExt(_) => arena.zext(from, width),
    }
}

/// Notes a state at a cut, and forgets what may change there.
pub(crate) fn enter(cx: &mut Context<'_>, is_target: bool, key: Key, path: Term, state: &mut State) -> Cut {
    let entry = state.clone();
    let plan = &mut cx.plan;
    if !is_target {
        plan.memories.insert(key, state.memory);
    }
    if plan.varying.contains(&(key, Part::Memory)) {
        let before = plan.memories.get(&key).copied().unwrap_or(state.memory);
        let variable = plan.variable(&mut cx.arena, key, Part::Memory, MEMORY);
        let set = plan.write_sets.get(&key).copied().unwrap_or(0);
        state.memory = cx.arena.raw(Op::AfterLoop(set), &[before, variable], MEMORY);
    }
    if plan.varying.contains(&(key, Part::Trace)) {
        state.trace = plan.variable(&mut cx.arena, key, Part::Trace, 64);
    }
    for slot in 0..state.slots.len() {
        if plan.varying.contains(&(key, Part::Slot(slot as u32))) {
            state.slots[slot] = plan.variable(&mut cx.arena, key, Part::Slot(slot as u32), MEMORY);
        }
    }
    if let Some(leaked) = plan.leaked.get(&(is_target, key)) {
        state.leaked = leaked.clone();
    }
    for (&value, lanes) in &mut state.values {
        for (lane, term) in lanes.iter_mut().enumerate() {
            let place = Place { is_target, key, value, lane: lane as u32 };
            let (width, first) = (cx.arena.width(*term), *term);
            if let Some(&how) = plan.derived.get(&place)
                && let Some(&(from, from_entry)) = plan.seen.get(&how.from())
            {
                *term = derive(&mut cx.arena, how, width, from, first, from_entry);
            } else if let Some(&number) = plan.values.get(&place) {
                *term = cx.arena.var(Var::Cut(number), width);
            }
            if !is_target {
                plan.seen.insert(place, (*term, first));
            }
        }
    }
    Cut { key, path, entry, header: state.clone(), back: None, writes: Vec::new() }
}

/// Learns from an execution of both functions what else changes in loops, and which values are not
/// the same; whether there was anything, so that both must be executed again.
pub(crate) fn learn(cx: &mut Context<'_>, cuts: [&[Cut]; 2]) -> bool {
    let mut changed = false;
    for (side, cut) in both(cuts) {
        changed |= learn_parts(cx, side, cut);
    }
    let grown = both(cuts).map(|(side, cut)| new_values(cx, side, cut)).fold(false, |a, b| a | b);
    if grown {
        group_by(cx, cuts, false);
        changed = true;
    } else if !changed {
        changed = group_by(cx, cuts, true);
    }
    changed |= learn_bases(cx, cuts, !changed);
    if !changed {
        changed = find_derived(cx, cuts);
    }
    if changed {
        cx.forget();
    }
    changed
}

fn both(cuts: [&[Cut]; 2]) -> impl Iterator<Item = (bool, &Cut)> {
    cuts.into_iter().enumerate().flat_map(|(side, cuts)| cuts.iter().map(move |cut| (side == 1, cut)))
}

fn learn_parts(cx: &mut Context<'_>, is_target: bool, cut: &Cut) -> bool {
    let Some((_, back)) = &cut.back else { return false };
    let (key, mut changed) = (cut.key, false);
    let plan = &mut cx.plan;
    if back.memory != cut.header.memory {
        changed |= plan.varying.insert((key, Part::Memory));
    }
    if back.trace != cut.header.trace {
        changed |= plan.varying.insert((key, Part::Trace));
    }
    for slot in 0..back.slots.len() {
        if back.slots[slot] != cut.header.slots[slot] {
            let part = (key, Part::Slot(slot as u32));
            changed |= plan.varying.insert(part);
            let contents = plan.contents.entry(part).or_default();
            for term in [cut.entry.slots[slot], back.slots[slot]] {
                if !contents.contains(&term) && contents.len() < MAX_CONTENTS {
                    contents.push(term);
                    changed = true;
                }
            }
        }
    }
    let mut leaked = [&cut.entry.leaked[..], &cut.header.leaked, &back.leaked].concat();
    leaked.sort_unstable();
    leaked.dedup();
    if leaked != cut.header.leaked {
        plan.leaked.insert((is_target, key), leaked);
        changed = true;
    }
    let next = cx.writes.len() as u32;
    let set = *plan.write_sets.entry(key).or_insert(next);
    if set == next {
        cx.writes.push(Vec::new());
    }
    for write in &cut.writes {
        if !cx.writes[set as usize].contains(write) {
            cx.writes[set as usize].push(write.clone());
            changed = true;
        }
    }
    changed
}

/// The lanes of a cut's values in the order of numbers: at the cut, from outside, after an
/// iteration.
fn lanes(is_target: bool, cut: &Cut) -> Vec<(Place, Term, Term, Option<Term>)> {
    let mut values: Vec<Value> = cut.header.values.keys().copied().collect();
    values.sort_unstable();
    let mut out = Vec::new();
    for value in values {
        let back = cut.back.as_ref().and_then(|back| back.1.values.get(&value));
        for (n, (&header, &entry)) in cut.header.values[&value].iter().zip(&cut.entry.values[&value]).enumerate() {
            let place = Place { is_target, key: cut.key, value, lane: n as u32 };
            out.push((place, header, entry, back.map(|lanes| lanes[n])));
        }
    }
    out
}

fn new_values(cx: &mut Context<'_>, is_target: bool, cut: &Cut) -> bool {
    let mut grown = false;
    for (place, header, _, back) in lanes(is_target, cut) {
        if back.is_some_and(|back| back != header) && !cx.plan.values.contains_key(&place) {
            cx.plan.values.insert(place, u32::MAX);
            grown = true;
        }
    }
    grown
}

/// Gives one variable to values that begin as one term, and come back as one if that is to count;
/// whether any of the variables is another one now.
fn group_by(cx: &mut Context<'_>, cuts: [&[Cut]; 2], with_back: bool) -> bool {
    let mut groups: FxHashMap<(Key, u32, Term, Option<Term>), u32> = FxHashMap::default();
    let (mut known, mut changed) = (FxHashMap::default(), false);
    for (is_target, cut) in both(cuts) {
        for (place, _, entry, back) in lanes(is_target, cut) {
            let Some(&number) = cx.plan.values.get(&place) else { continue };
            let own = (place.key, if with_back { number } else { 0 }, entry, back.filter(|_| with_back));
            known.insert(place, *groups.entry(own).or_insert_with(|| cx.plan.fresh()));
        }
    }
    // Numbers are kept if the groups are the same as before.
    let mut renamed: FxHashMap<u32, u32> = FxHashMap::default();
    let mut taken = FxHashSet::default();
    for (place, new) in &known {
        let old = cx.plan.values[place];
        if *renamed.entry(*new).or_insert(old) != old || old == u32::MAX {
            changed = true;
        }
    }
    for old in renamed.values() {
        changed |= !taken.insert(*old);
    }
    if changed {
        cx.plan.values.extend(known);
    }
    changed
}

/// What the variables may be addresses of.
fn learn_bases(cx: &mut Context<'_>, cuts: [&[Cut]; 2], with_back: bool) -> bool {
    let mut changed = false;
    for (is_target, cut) in both(cuts) {
        for (place, _, entry, back) in lanes(is_target, cut) {
            let Some(&number) = cx.plan.values.get(&place) else { continue };
            for term in [Some(entry), back.filter(|_| with_back)].into_iter().flatten() {
                if cx.arena.width(term) == BOOL {
                    continue;
                }
                let bases: Bases = cx.objects.bases(&cx.arena, term);
                let slots = cx.objects.slots(&cx.arena, term);
                changed |= cx.objects.learn(number, &bases, &slots);
            }
        }
    }
    changed
}

/// Values of the function after the pass that have no like in the other: first those that are
/// computed from others, then those of the same number.
fn find_derived(cx: &mut Context<'_>, cuts: [&[Cut]; 2]) -> bool {
    let (mut computed, mut same) = (Vec::new(), Vec::new());
    for cut in cuts[1] {
        let Some(source) = cuts[0].iter().find(|source| source.key == cut.key) else { continue };
        let ours = lanes(false, source);
        let numbers: FxHashSet<u32> = ours.iter().filter_map(|lane| cx.plan.values.get(&lane.0).copied()).collect();
        for (place, header, entry, back) in lanes(true, cut) {
            let (Some(&number), Some(back)) = (cx.plan.values.get(&place), back) else { continue };
            if numbers.contains(&number) || cx.plan.derived.contains_key(&place) {
                continue;
            }
            let like = ours.iter().find(|lane| (lane.0.value, lane.0.lane) == (place.value, place.lane));
            let like = like.filter(|lane| cx.arena.width(lane.1) == cx.arena.width(header));
            if let Some(how) = ours.iter().find_map(|lane| derived_from(cx, lane, header, entry, back)) {
                computed.push((place, how));
            } else if let Some(lane) = like {
                same.push((place, Derived::Same(lane.0)));
            }
        }
    }
    let has_computed = !computed.is_empty();
    let found = if has_computed { computed } else { same };
    let changed = !found.is_empty();
    cx.plan.derived.extend(found);
    if has_computed {
        // What was taken apart because of them may be the same after all.
        group_by(cx, cuts, false);
        learn_bases(cx, cuts, false);
    }
    changed
}

fn derived_from(
    cx: &mut Context<'_>,
    &(from, at, first, next): &(Place, Term, Term, Option<Term>),
    header: Term,
    entry: Term,
    back: Term,
) -> Option<Derived> {
    let next = next.filter(|_| cx.plan.values.contains_key(&from))?;
    let arena = &mut cx.arena;
    let (width, narrow) = (arena.width(header), arena.width(at));
    if width == BOOL || narrow == BOOL || width > 64 {
        return None;
    }
    let (step, other) = (arena.sub(back, header), arena.sub(next, at));
    let (step, other) = (arena.value(step)?, arena.value(other)?);
    if narrow == width && other != 0 {
        // The same step backwards is a factor of minus one.
        let factor = if step % other == 0 { Some(step / other) } else { None };
        let negated = (crate::term::mask(width) - other) + 1;
        let factor =
            factor.or((negated != 0 && step % negated == 0).then(|| crate::term::mask(width) - step / negated + 1))?;
        let is_address = matches!(arena.node(back).op, Op::PtrAdd);
        return Some(Derived::Linear(from, factor, is_address));
    }
    if narrow < width {
        let (signed, unsigned) = (arena.sext(first, width), arena.zext(first, width));
        let step_signed = crate::term::signed(step, width) == crate::term::signed(other, narrow);
        if signed == entry && step_signed {
            return Some(Derived::SExt(from));
        }
        if unsigned == entry && step_signed {
            return Some(Derived::ZExt(from));
        }
    }
    None
}

/// Something that seems to hold whenever the function before the pass is at a cut.
pub(crate) struct Invariant {
    /// It holds, or the cut is not reached.
    pub(crate) assumed: Term,
    /// It does not at first, or not any more after an iteration.
    pub(crate) broken: Term,
}

/// Bounds of counters, and what is compared before the next iteration.
pub(crate) fn invariants(cx: &mut Context<'_>, cuts: &[Cut]) -> Vec<Invariant> {
    let mut out: Vec<Invariant> = Vec::new();
    for cut in cuts {
        let Some((back_path, _)) = cut.back else { continue };
        let own: FxHashSet<Term> = lanes(false, cut).iter().map(|lane| lane.1).collect();
        for (place, header, entry, back) in lanes(false, cut) {
            let Some(back) = back.filter(|_| cx.plan.values.contains_key(&place)) else { continue };
            let arena = &mut cx.arena;
            if arena.width(header) == BOOL || arena.width(header) > 64 {
                continue;
            }
            let mut all: Vec<(Compare, Term, bool)> = Vec::new();
            match direction(arena, header, back, 4) {
                Some(true) => all.extend([(Compare::Signed, entry, false), (Compare::Unsigned, entry, false)]),
                Some(false) => {
                    all.extend([(Compare::SignedAbove, entry, false), (Compare::UnsignedAbove, entry, false)])
                }
                None => {}
            }
            for part in arena.conjuncts(back_path) {
                let Some((how, other, truth)) = comparison(arena, part, back) else { continue };
                if !smt::below(arena, &[other]).iter().any(|term| own.contains(term) && *term != entry) {
                    all.push((how, other, truth));
                }
            }
            for (how, other, truth) in all.into_iter().take(MAX_INVARIANTS) {
                let holds = |arena: &mut Arena, term: Term| {
                    let less = how.of(arena, term, other);
                    if truth { less } else { arena.not(less) }
                };
                let (now, first, next) = (holds(arena, header), holds(arena, entry), holds(arena, back));
                let (not_first, not_next, elsewhere) = (arena.not(first), arena.not(next), arena.not(cut.path));
                let (a, b) = (arena.and(cut.path, not_first), arena.and(back_path, not_next));
                let invariant = Invariant { assumed: arena.or(elsewhere, now), broken: arena.or(a, b) };
                if !arena.is(invariant.assumed, true) {
                    out.push(invariant);
                }
            }
        }
    }
    out
}

/// Bounds of one value at one cut, at most.
const MAX_INVARIANTS: usize = 4;

/// A comparison of a value with something else.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Compare {
    /// The value is less.
    Signed,
    Unsigned,
    /// The other one is less.
    SignedAbove,
    UnsignedAbove,
}

impl Compare {
    fn of(self, arena: &mut Arena, value: Term, other: Term) -> Term {
        match self {
            Compare::Signed => arena.slt(value, other),
            Compare::Unsigned => arena.ult(value, other),
            Compare::SignedAbove => arena.slt(other, value),
            Compare::UnsignedAbove => arena.ult(other, value),
        }
    }
}

/// Whether a value only grows, or only shrinks.
fn direction(arena: &mut Arena, from: Term, to: Term, depth: u32) -> Option<bool> {
    if let Op::Ite = arena.node(to).op
        && depth > 0
    {
        let (a, b) = (arena.node(to).args[1], arena.node(to).args[2]);
        if a == from || b == from {
            return direction(arena, from, if a == from { b } else { a }, depth - 1);
        }
        let (a, b) = (direction(arena, from, a, depth - 1)?, direction(arena, from, b, depth - 1)?);
        return (a == b).then_some(a);
    }
    let width = arena.width(from);
    let step = arena.sub(to, from);
    let step = crate::term::signed(arena.value(step)?, width);
    (step != 0).then_some(step > 0)
}

/// What a truth value says of a term by comparing it.
fn comparison(arena: &Arena, part: Term, term: Term) -> Option<(Compare, Term, bool)> {
    let node = arena.node(part);
    if node.op == Op::Not {
        return comparison(arena, node.args[0], term).map(|(how, other, truth)| (how, other, !truth));
    }
    let (below, above) = match node.op {
        Op::Slt => (Compare::Signed, Compare::SignedAbove),
        Op::Ult => (Compare::Unsigned, Compare::UnsignedAbove),
        _ => return None,
    };
    if node.args[0] == term {
        return Some((below, node.args[1], true));
    }
    (node.args[1] == term).then_some((above, node.args[0], true))
}

/// What would be wrong at the cuts, each as a truth value with the block.
pub(crate) fn claims(cx: &mut Context<'_>, cuts: [&[Cut]; 2], roots: &[Term]) -> Vec<(Block, Term)> {
    let mut keys: Vec<Key> = both(cuts).map(|(_, cut)| cut.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut needed = roots.to_vec();
    for cut in cuts[1] {
        if let Some((path, back)) = &cut.back {
            needed.extend([*path, back.memory, back.trace]);
            needed.extend(back.values.values().flatten());
        }
    }
    let needed = smt::below(&cx.arena, &needed);
    let mut out = Vec::new();
    for key in keys {
        let find = |side: usize| cuts[side].iter().find(|cut| cut.key == key);
        let (source, target) = (find(0), find(1));
        let no = cx.arena.truth(false);
        let path = |cut: Option<&Cut>| cut.map_or(no, |cut| cut.path);
        let back = |cut: Option<&Cut>| cut.and_then(|cut| cut.back.as_ref()).map_or(no, |back| back.0);
        let (entries, backs) = ((path(source), path(target)), (back(source), back(target)));
        out.push((key.0, cx.arena.differ(entries.0, entries.1)));
        out.push((key.0, cx.arena.differ(backs.0, backs.1)));
        let (Some(source), Some(target)) = (source, target) else { continue };
        let first = states(cx, key, source, target, (&source.entry, &target.entry), &needed);
        let reached = cx.arena.and(entries.0, entries.1);
        out.push((key.0, cx.arena.and(reached, first)));
        if let (Some(a), Some(b)) = (&source.back, &target.back) {
            let again = states(cx, key, source, target, (&a.1, &b.1), &needed);
            let reached = cx.arena.and(backs.0, backs.1);
            out.push((key.0, cx.arena.and(reached, again)));
        }
    }
    out.retain(|claim| !cx.arena.is(claim.1, false));
    out
}

/// Whether states are not what is assumed at the cut.
fn states(
    cx: &mut Context<'_>,
    key: Key,
    source: &Cut,
    target: &Cut,
    (ours, theirs): (&State, &State),
    needed: &[Term],
) -> Term {
    let mut all = Vec::new();
    let any = AliasTags::any().as_u32();
    if cx.plan.varying.contains(&(key, Part::Memory)) {
        let slots = (0..ours.slots.len() as u32).collect();
        let set = cx.arena.leak_set(slots);
        let witness = cx.arena.var(Var::Witness(u32::MAX, set), 64);
        let (a, b) = (cx.load(ours.memory, witness, 1, any), cx.load(theirs.memory, witness, 1, any));
        all.push(cx.arena.differ(a, b));
    }
    if cx.plan.varying.contains(&(key, Part::Trace)) {
        all.push(cx.arena.differ(ours.trace, theirs.trace));
    }
    for slot in 0..ours.slots.len() as u32 {
        let forgotten = theirs_header(target, slot);
        if !cx.plan.varying.contains(&(key, Part::Slot(slot))) || needed.binary_search(&forgotten).is_err() {
            continue;
        }
        let (address, offset) = (cx.arena.var(Var::Slot(slot), 64), cx.arena.var(Var::Witness(u32::MAX - 1, 0), 64));
        let at = cx.arena.ptr_add(address, offset);
        let (a, b) = (ours.slots[slot as usize], theirs.slots[slot as usize]);
        let (a, b) = (cx.load(a, at, 1, any), cx.load(b, at, 1, any));
        all.push(cx.arena.differ(a, b));
    }
    // Values that share a variable: the first of the other function stands for all.
    let mut firsts: FxHashMap<u32, Term> = FxHashMap::default();
    let mut at: FxHashMap<Place, Term> = FxHashMap::default();
    for (place, ..) in lanes(false, source) {
        let Some(term) = ours.values.get(&place.value).map(|lanes| lanes[place.lane as usize]) else { continue };
        at.insert(place, term);
        if let Some(&number) = cx.plan.values.get(&place) {
            let first = *firsts.entry(number).or_insert(term);
            all.push(cx.arena.differ(first, term));
        }
    }
    for (place, _, entry, _) in lanes(true, target) {
        let Some(term) = theirs.values.get(&place.value).map(|lanes| lanes[place.lane as usize]) else { continue };
        if let Some(&how) = cx.plan.derived.get(&place) {
            let from = at.get(&how.from()).copied();
            let (Some(from), Some(&(_, from_entry))) = (from, cx.plan.seen.get(&how.from())) else { continue };
            let width = cx.arena.width(term);
            let expected = derive(&mut cx.arena, how, width, from, entry, from_entry);
            all.push(cx.arena.differ(expected, term));
        } else if let Some(&number) = cx.plan.values.get(&place) {
            let first = *firsts.entry(number).or_insert(term);
            all.push(cx.arena.differ(first, term));
        }
    }
    all.retain(|&part| !cx.arena.is(part, false));
    cx.arena.any(&all)
}

fn theirs_header(target: &Cut, slot: u32) -> Term {
    target.header.slots[slot as usize]
}
