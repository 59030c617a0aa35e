//! Whether the order of memory accesses that the interchanged nest has is as good as the old one.
//!
//! With x the iteration of the outer and y that of the inner loop, all accesses of (x, y) run in
//! lexical order of these pairs. The exchange turns around the pairs of iterations of which one has
//! the greater x and the other the greater y, so no two accesses of which one writes may meet
//! there: a dependence of direction (<, >). Taking something into the inner loop repeats it for all
//! y, and splitting off what comes before (after) the inner loop lets it run ahead of (after) it
//! for all greater (lesser) x.
//!
//! Two addresses whose terms are equal differ by a number and multiples of the iterations; whether
//! they meet is solved exactly where all change alike. Others must be told apart by alias analysis.
//! Where the trip counts are not constants, nothing limits a column to its matrix: walks down
//! columns that store are left alone.

use ir::{Function, Module};

use super::nest::Level;
use super::plan::{Access, Plan, Role};
use ir::analysis::alias::AliasAnalysis;

/// Iterations that are tried for one pair of accesses.
const MAX_TRIED: i128 = 64;

/// Numbers up to here cannot overflow.
const MAX_DISTANCE: i128 = 1 << 62;

/// By how many iterations the second access of a pair may come after the first one, inclusive.
type Range = (i128, i128);

/// What memory accesses are compared with.
pub struct Comparison<'a> {
    /// The function.
    pub func: &'a Function,
    /// Its module.
    pub module: &'a Module,
    /// Which addresses are apart.
    pub alias: &'a AliasAnalysis,
}

impl Comparison<'_> {
    /// Whether the plan keeps every order that matters.
    pub fn is_legal(&self, plan: &Plan) -> bool {
        let rounds = Rounds::of(plan);
        self.exchange_is_legal(plan, rounds)
            && self.sinking_is_legal(plan, rounds)
            && self.parts_are_apart(plan, rounds)
            && self.starts_stay(plan, rounds)
    }

    /// Nothing meets in iterations whose order turns around.
    fn exchange_is_legal(&self, plan: &Plan, rounds: Rounds) -> bool {
        let ahead = (1, rounds.outer);
        pairs(&plan.inside).all(|(a, b)| {
            !self.meet(a, b, rounds, ahead, (-rounds.inner, -1)) && !self.meet(b, a, rounds, ahead, (-rounds.inner, -1))
        })
    }

    /// What was before or after the inner loop may be in it.
    fn sinking_is_legal(&self, plan: &Plan, rounds: Rounds) -> bool {
        let any = (-rounds.inner, rounds.inner);
        let taken_in = plan.inside.iter().filter(|a| a.role != Role::Own);
        taken_in
            .into_iter()
            .all(|a| plan.inside.iter().filter(|b| b.inst != a.inst).all(|b| !self.meet(a, b, rounds, (0, 0), any)))
    }

    /// The loops before and after may be loops of their own.
    fn parts_are_apart(&self, plan: &Plan, rounds: Rounds) -> bool {
        let ahead = (1, rounds.outer);
        let any = (-rounds.inner, rounds.inner);
        let none_meet = |first: &[Access], second: &[Access]| {
            first.iter().all(|a| second.iter().all(|b| !self.meet(a, b, rounds, ahead, any)))
        };
        let homes = || plan.inside.iter().filter(|a| a.role == Role::Home);
        // What is read after the inner loop of a home that has not been stored to yet is not what
        // is there now.
        let position = |inst| plan.nest.behind.iter().position(|&i| i == inst);
        let reads_early = |load: &Access, home: &Access| {
            !load.writes && position(load.inst) < position(home.inst) && self.meet(home, load, rounds, (0, 0), any)
        };
        // What starts anew before is stored in its home.
        let starts = |a: &Access| {
            homes().all(|home| {
                let stored = plan.nest.carried.iter().any(|c| c.home == home.inst && c.loaded.is_none());
                !stored || !self.meet(a, home, rounds, ahead, any)
            })
        };
        none_meet(&plan.inside, &plan.before)
            && plan.inside.iter().all(starts)
            && none_meet(&plan.behind, &plan.inside)
            && none_meet(&plan.behind, &plan.before)
            && homes().all(|home| plan.behind.iter().all(|load| !reads_early(load, home)))
    }

    /// What is read in the inner loop instead of before it is there still when the part before is
    /// done.
    fn starts_stay(&self, plan: &Plan, rounds: Rounds) -> bool {
        let position = |inst| plan.nest.before.iter().position(|&i| i == inst);
        let behind_it = |at, store: &&Access| store.writes && position(store.inst) > at;
        let any = (-rounds.inner, rounds.inner);
        plan.inside.iter().all(|a| {
            let at = match a.role {
                Role::Own => return true,
                Role::Sunk => position(a.inst),
                // Where the start is loaded.
                Role::Home => {
                    let carried = plan.nest.carried.iter().find(|c| c.home == a.inst);
                    match carried.and_then(|c| c.loaded) {
                        Some(load) => position(load),
                        None => return true,
                    }
                }
            };
            plan.before.iter().filter(|b| behind_it(at, b)).all(|b| !self.meet(a, b, rounds, (0, 0), any))
        })
    }

    /// Whether the accesses, of which one writes, may touch the same bytes where `second` runs by
    /// `outer` and `inner` iterations after `first`.
    fn meet(&self, first: &Access, second: &Access, rounds: Rounds, outer: Range, inner: Range) -> bool {
        if !first.writes && !second.writes || outer.0 > outer.1 || inner.0 > inner.1 {
            return false;
        }
        if first.address.terms != second.address.terms {
            return self.alias.may_meet(self.func, self.module, first.inst, second.inst);
        }
        let distance = i128::from(second.address.constant.wrapping_sub(first.address.constant));
        let Some(step) = common_step(first.address.step, second.address.step, outer, rounds.outer) else { return true };
        let Some(inner) = common_step(first.inner_step, second.inner_step, inner, rounds.inner) else { return true };
        // The second address less the first one.
        let apart = (-i128::from(second.size) - distance, i128::from(first.size) - distance);
        let reach = |(step, range): (i128, Range)| step.abs() * range.0.abs().max(range.1.abs());
        distance.abs() + reach(step) + reach(inner) >= MAX_DISTANCE || has_solution(step, inner, apart)
    }
}

/// The greatest trip count between two of each loop.
#[derive(Copy, Clone)]
struct Rounds {
    outer: i128,
    inner: i128,
}

impl Rounds {
    fn of(plan: &Plan) -> Rounds {
        let most = |level: &Level| i128::from(level.most_rounds()) - 1;
        Rounds { outer: most(&plan.nest.outer), inner: most(&plan.nest.inner) }
    }
}

/// Every two of them, and each with itself.
fn pairs(accesses: &[Access]) -> impl Iterator<Item = (&Access, &Access)> {
    accesses.iter().enumerate().flat_map(|(at, a)| accesses[at..].iter().map(move |b| (a, b)))
}

/// A step that both addresses have, times iterations between them; or that one of them has, times
/// its iteration, whatever the other one's.
fn common_step(first: i64, second: i64, range: Range, most: i128) -> Option<(i128, Range)> {
    match (first, second) {
        (a, b) if a == b => Some((i128::from(a), range)),
        (0, b) => Some((i128::from(b), (0, most))),
        (a, 0) => Some((-i128::from(a), (0, most))),
        _ => None,
    }
}

/// Whether `x * a + y * b` lies between the bounds, both exclusive, for some x and y of their
/// ranges.
fn has_solution(x: (i128, Range), y: (i128, Range), between: Range) -> bool {
    let ((a, xs), (b, ys)) = if x.0.abs() >= y.0.abs() { (x, y) } else { (y, x) };
    let (least, most) = ((b * ys.0).min(b * ys.1), (b * ys.0).max(b * ys.1));
    let (first, last) = multiples(a, (between.0 - most, between.1 - least), xs);
    last - first >= MAX_TRIED
        || (first..=last).any(|x| {
            let (first, last) = multiples(b, (between.0 - x * a, between.1 - x * a), ys);
            first <= last
        })
}

/// The first and the last number of the range whose product with `a` lies between the bounds, both
/// exclusive.
fn multiples(a: i128, (low, high): Range, range: Range) -> Range {
    match a {
        0 if low < 0 && 0 < high => range,
        0 => (0, -1),
        1.. => ((low.div_euclid(a) + 1).max(range.0), (-((-high).div_euclid(a)) - 1).min(range.1)),
        _ => {
            let (first, last) = multiples(-a, (low, high), (-range.1, -range.0));
            (-last, -first)
        }
    }
}

#[cfg(test)]
mod tests;
