//! Whether the exchange pays: the cost of each of the two loops as the inner one, in cache lines that a round of it touches.
//!
//! After the cost of a loop (`LoopCost`) in McKinley, Carr, Tseng, "Improving data locality with loop transformations", TOPLAS 18(4), 1996: an access
//! that does not change in the innermost loop costs nothing there, one of consecutive elements its share of a line, and others a line each.

use super::plan::{Access, Plan, Role};

/// Bytes of a cache line.
const LINE: u64 = 64;

/// The exchange must make the nest so many times cheaper.
const GAIN: u64 = 2;

/// Rounds from which on loops are worth it: shorter ones are unrolled.
const MIN_ROUNDS: i64 = 16;

/// Whether the plan's nest is better with its loops exchanged: every access is of consecutive elements in the new inner loop, or does not change in
/// it, so that it can be vectorised, and far fewer lines are touched.
pub fn pays(plan: &Plan) -> bool {
    let lines = |step: i64| step.unsigned_abs().min(LINE);
    let consecutive = |a: &Access| a.address.step == 0 || a.address.step.unsigned_abs() == a.size as u64;
    // Homes are registers as it is.
    let now: u64 = plan.inside.iter().filter(|a| a.role == Role::Own).map(|a| lines(a.inner_step)).sum();
    let then: u64 = plan.inside.iter().map(|a| lines(a.address.step)).sum();
    let rounds = plan.nest.outer.trips.min(plan.nest.inner.trips);
    rounds >= MIN_ROUNDS && plan.inside.iter().all(consecutive) && then != 0 && now >= GAIN * then
}
