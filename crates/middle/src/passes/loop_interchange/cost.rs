//! Whether the exchange pays: the cost of each of the two loops as the inner one, in cache lines
//! that a iteration of it touches.
//!
//! After the cost of a loop (`LoopCost`) in McKinley, Carr, Tseng, "Improving data locality with
//! loop transformations", TOPLAS 18(4), 1996: an access that does not change in the innermost loop
//! costs nothing there, one of consecutive elements its share of a line, and others a line each.

use super::plan::{Access, Plan, Role};

/// Bytes of a cache line.
const LINE: u64 = 64;

/// The exchange must make the nest so many times cheaper.
const GAIN: u64 = 2;

/// Iterations from which on the outer loop is worth it as the inner one, and from which on whatever
/// its iterations leave over when vector registers are filled: that is done one by one, each
/// iteration of which waits for what the one before has stored.
const MIN_OUTER_ROUNDS: i64 = 8;
const ANY_OUTER_ROUNDS: i64 = 32;

/// Iterations from which on the inner loop is worth it as the outer one: a shorter one is unrolled.
const MIN_INNER_ROUNDS: i64 = 8;

/// Whether the plan's nest is better with its loops exchanged: every access is of consecutive
/// elements in the new inner loop, or does not change in it, so that it can be vectorised, and far
/// fewer lines are touched. `register`: bytes of a vector register.
pub fn pays(plan: &Plan, register: u32) -> bool {
    let lines = |step: i64| step.unsigned_abs().min(LINE);
    let consecutive = |a: &Access| a.address.step == 0 || a.address.step.unsigned_abs() == a.size as u64;
    // Homes are registers as it is.
    let now: u64 = plan.inside.iter().filter(|a| a.role == Role::Own).map(|a| lines(a.inner_step)).sum();
    let then: u64 = plan.inside.iter().map(|a| lines(a.address.step)).sum();
    plan.inside.iter().all(consecutive) && then != 0 && now >= GAIN * then && is_long(plan, i64::from(register))
}

fn is_long(plan: &Plan, register: i64) -> bool {
    let rows =
        plan.inside.iter().filter(|a| a.address.step != 0).map(|a| a.inner_step.saturating_abs() / a.size.max(1));
    // A row is as long as what lies between it and the next one.
    let usual = rows.max().unwrap_or(0);
    let (outer, inner) = (plan.nest.outer.trips, plan.nest.inner.trips.unwrap_or(usual));
    let narrowest = plan.inside.iter().map(|a| a.size).min().unwrap_or(1).max(1);
    let lanes = (register / narrowest).max(1);
    let fills = |outer: i64| outer >= MIN_OUTER_ROUNDS.max(2 * lanes) && outer % lanes == 0;
    (outer.unwrap_or(usual) >= ANY_OUTER_ROUNDS || outer.is_some_and(fills)) && inner >= MIN_INNER_ROUNDS
}
