//! Rerolling: a loop of `k` copies of one body ([`ir::analysis::sums::copies`]) becomes one of `k`
//! times as many iterations of that body, whose counters step by a `k`-th.

use ir::analysis::sums::copies::{Copies, Unrolled};
use ir::costs::register_bytes;
use ir::{BranchHint, Builder, Function, Inst, IntCc, Opcode, Value};

use super::Surroundings;
use super::body::Body;
use super::finish::Decision;
use crate::pass::PassContext;
use ir::analysis::sums::first_round::counted_up;

/// The copies that a loop's body consists of.
pub fn find(func: &Function, cx: &PassContext<'_>, at: &Surroundings<'_>, body: &Body) -> Option<Copies> {
    if !body.counted.tests_next || body.always.len() != body.blocks.len() {
        return None;
    }
    let (l, latch) = (at.loops.at(body.l), body.counted.latch);
    let unrolled = Unrolled { func, l, latch, insts: &body.insts, counters: &body.counters };
    unrolled.copies(|a, b| at.alias.may_meet(func, cx.module, a, b))
}

/// Whether the vector loop is much better than the copies, as it hardly is where `slp_vectorize`
/// takes them: what they store are floats that fill registers, and nothing need be checked.
pub fn pays(func: &Function, copies: &Copies, decision: &Decision) -> bool {
    let fills = |&store: &Inst| {
        let ty = func.value_type(func.operand(store, 1));
        ty.is_float() && (ty.store_size() * copies.count as u32).is_multiple_of(register_bytes(decision.features))
    };
    let straight = decision.checks.pairs.is_empty() && copies.carried.is_empty();
    let straight = straight && copies.later_stores.iter().all(fills);
    !straight && decision.estimate.is_worth_rerolling(copies.count as u32)
}

/// Makes the loop one that runs a single copy.
pub fn apply(func: &mut Function, body: &Body, copies: &Copies) {
    let counted = &body.counted;
    let is_header_phi =
        |func: &Function, i: Inst| func.insts[i].opcode == Opcode::Phi && func.inst_block(i) == Some(body.header);
    let redirect = |func: &mut Function, old: Value, new: Value, within: bool| {
        let stays = |&(user, _): &(Inst, usize)| {
            let inside = func.inst_block(user).is_some_and(|b| body.blocks.contains(&b));
            (inside && !is_header_phi(func, user)) == within
        };
        let uses: Vec<(Inst, usize)> = func.uses(old).filter(stays).collect();
        uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, new));
    };
    let end = func.terminator(counted.preheader);
    let trips = body.trips.emit(func, end);
    let ty = func.insts[counted.counter.phi].ty;
    let bound = counted_up(func, end, counted.counter.start, ty, trips, counted.counter.step);
    for c in &body.counters {
        // Some of the first copy may use what is `count` of the shorter iterations ahead.
        let ahead = func.copy_inst(c.next, |v| v);
        func.insert_before(c.next, ahead);
        redirect(func, func.first_result(c.next), func.first_result(ahead), true);
        let step = func.iconst(func.value_type(func.operand(c.next, 1)), c.step / copies.count as i64);
        func.set_operand(c.next, 1, step);
    }
    copies.carried.iter().for_each(|&(first, last)| redirect(func, last, first, false));
    let branch = func.terminator(counted.latch);
    let loc = func.inst_locs[branch];
    let next = func.first_result(counted.counter.next);
    let mut b = Builder::before(func, branch);
    b.loc = loc;
    let goes_on = b.icmp(IntCc::Ne, next, bound);
    func.replace_terminator(counted.latch, |b| b.cond_br(goes_on, body.header, counted.exit, BranchHint::None));
    copies.later_stores.iter().for_each(|&store| func.remove_inst(store));
    let is_next = |inst: Inst| body.counters.iter().any(|c| c.next == inst);
    for &block in body.blocks.iter().rev() {
        let insts: Vec<Inst> = func.block_insts_rev(block).collect();
        for inst in insts {
            let Some(result) = func.result(inst) else { continue };
            let ty = func.value_type(result);
            if !func.has_uses(result) {
                func.remove_inst(inst);
            } else if (ty.is_int() || ty.is_ptr()) && func.insts[inst].opcode != Opcode::Load && !is_next(inst) {
                // What overflows in no copy is known of the sums as each copy has them.
                func.clear_flags(inst);
            }
        }
    }
}
