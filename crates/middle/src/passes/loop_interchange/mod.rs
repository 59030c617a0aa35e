//! Loop interchange: of two loops in each other, the one along which memory lines up becomes the
//! inner one.
//!
//! The matrix product and walks down the columns of matrices: in each iteration of the inner loop
//! they go on by a row, so that every access needs a cache line of its own and vector registers
//! cannot be filled. With the loops exchanged, they go on by one element.
//!
//! A nest is a loop without branches that has one such loop in it, of trip counts that do not
//! change ([`nest`]). What the inner loop carries, sums in registers say, must be stored after it:
//! it lives there then from iteration to iteration, in an element for each iteration of the new
//! inner loop. The sums are done in the same order as before, so that floating-point numbers come
//! out the same. What else is before the inner loop and after it (the 0 that a sum starts with, the
//! mean that is made of it) becomes a loop of its own ([`plan`]). Memory accesses of which one
//! writes must not change their order: no dependence of direction (<, >), [`dependence`]. When it
//! pays is in [`cost`].
//!
//! At `-O3`, or with `-floop-interchange`; not with `-Os`.
//!
//! After Allen, Kennedy, "Optimizing Compilers for Modern Architectures", 2002, sections 5.2
//! (interchange), 5.3 (scalar expansion) and 2.4 (direction vectors). Cost: linear in the loops,
//! but for pairs of memory accesses of the nests in question.
//!
//! ```text
//! b1: j = phi ...                                  b4: j = phi ...; store c + j * 8, 0; ...
//! b2: k = phi ...; s = phi [0, b1], [t, b2]        b1: k = phi ...
//!     x = load b + k * 800 + j * 8          =>     b2: j = phi ...; s = load c + j * 8
//!     t = fadd s, x; ...                               x = load b + k * 800 + j * 8
//! b3: store c + j * 8, t; ...                          t = fadd s, x; store c + j * 8, t; ...
//! ```

mod cost;
mod dependence;
mod emit;
mod nest;
mod plan;

use ir::Function;
use ir::ssa::simplify_single_phis;
use platform::options::OptLevel;

use crate::pass::{Changed, Pass, PassContext};
use crate::passes::{dce, licm, reassociate};
use ir::costs::register_bytes;

use dependence::Comparison;
use nest::{Level, Nest};
use plan::Plan;

/// The pass.
pub const PASS: Pass = Pass { from_level: OptLevel::O3, for_size: false, ..Pass::new("loop_interchange", run) };

/// Exchanges per function.
const MAX_EXCHANGES: u64 = 32;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if func.calls_setjmp || loops.loops().all(|l| loops.parent(l).is_none()) {
        return Changed::Nothing;
    }
    let dominators = cx.analyses.dominators(func);
    let tidied = simplify_single_phis(func, &dominators) > 0;
    cx.analyses.invalidate(Changed::code_if(tidied));
    let mut exchanged = 0;
    while exchanged < MAX_EXCHANGES
        && let Some(plan) = find(func, cx)
    {
        let Nest { outer, inner, .. } = &plan.nest;
        let rounds = |level: &Level| level.trips.map_or("any".to_string(), |trips| trips.to_string());
        let place = func.source_loc(func.terminator(outer.header));
        cx.remark(PASS.name, place, || {
            format!("loops of {} and {} iterations exchanged", rounds(outer), rounds(inner))
        });
        emit::exchange(func, &plan);
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.remove_unreachable_blocks(func);
        exchanged += 1;
    }
    cx.statistics.add("loops exchanged", exchanged);
    if exchanged == 0 {
        return Changed::code_if(tidied);
    }
    // What changed in the inner loop may be the same in all of its iterations now.
    for pass in [dce::PASS, reassociate::PASS, licm::PASS] {
        cx.run(func, pass);
    }
    Changed::ControlFlow
}

/// The first nest that may be exchanged and pays.
fn find(func: &Function, cx: &mut PassContext<'_>) -> Option<Plan> {
    let loops = cx.analyses.loops(func);
    let cfg = cx.analyses.cfg(func);
    let blocks = loops.blocks(&cfg);
    let register = register_bytes(cx.options.codegen.features);
    let mut alias = None;
    loops.loops().filter(|&l| blocks[l].iter().any(|&b| !loops.at(l).is_innermost(b))).find_map(|l| {
        let nest = Nest::of(func, &cfg, loops.at(l), &blocks[l])?;
        let plan = Plan::of(func, &loops, nest).filter(|plan| cost::pays(plan, register))?;
        let alias = &*alias.get_or_insert_with(|| cx.analyses.alias(func, cx.module, cx.options));
        Comparison { func, module: cx.module, alias }.is_legal(&plan).then_some(plan)
    })
}
