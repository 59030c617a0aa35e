//! What a branch says about values in the blocks after it: of its condition, of comparisons that
//! follow from it, and of what is equal to a constant there.

use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Function, Inst, IntCc, Opcode, Type, Value};

use super::Numbering;
use crate::analysis::implied;
use crate::passes::fold::fold_with;

/// Uses of a condition that are looked at per branch.
const MAX_BRANCH_USES: usize = 64;

impl Numbering {
    /// What the only way into a block says about the branch condition.
    pub(super) fn use_branch_fact(&mut self, func: &mut Function, cfg: &Cfg, dominators: &DominatorTree, block: Block) {
        let &[pred] = cfg.preds(block) else { return };
        let branch = func.terminator(pred);
        let Some((then, _)) = func.insts[branch].two_dests() else { return };
        let taken = then == block;
        let cond = func.operand(branch, 0);
        if func.constant(cond).is_some() {
            return;
        }
        let truth = func.iconst(Type::I1, taken as i64);
        self.replace_dominated(func, dominators, cond, truth, block);
        let Some(compare) = func.def_inst(cond) else { return };
        self.use_implied(func, dominators, compare, taken, block);
        if func.insts[compare].opcode != Opcode::ICmp {
            return;
        }
        let cc = func.insts[compare].int_cc();
        let (x, y) = (func.operand(compare, 0), func.operand(compare, 1));
        let equal = (cc == IntCc::Eq && taken) || (cc == IntCc::Ne && !taken);
        // Integers only: an equal pointer may point into another object.
        if equal && func.constant(x).is_none() && func.const_bits(y).is_some() && func.value_type(x).is_int() {
            // Extensions of it that were computed before the branch stay equal to it: both are of
            // the same iteration of any loop, since what is computed of `x` and known here has been
            // computed after it.
            let widened = |i: &Inst| matches!(func.insts[*i].opcode, Opcode::SExt | Opcode::ZExt);
            let users: Vec<Inst> = func.uses(x).take(MAX_BRANCH_USES).map(|u| u.0).filter(widened).collect();
            for user in users {
                if let Some(value) = fold_with(func, user, &[y]) {
                    self.replace_dominated(func, dominators, func.first_result(user), value, block);
                }
            }
            self.replace_dominated(func, dominators, x, y, block);
        }
    }

    /// Where the comparison `compare` is known to hold (or not), others of the same operand may be
    /// known too.
    fn use_implied(
        &mut self,
        func: &mut Function,
        dominators: &DominatorTree,
        compare: Inst,
        holds: bool,
        block: Block,
    ) {
        let (opcode, ty) = (func.insts[compare].opcode, func.insts[compare].ty);
        if !matches!(opcode, Opcode::ICmp | Opcode::FCmp) || ty.is_vector() {
            return;
        }
        let x = func.operand(compare, 0);
        if func.constant(x).is_some() {
            return;
        }
        let others: Vec<Inst> = func
            .uses(x)
            .take(MAX_BRANCH_USES)
            .map(|u| u.0)
            .filter(|&i| i != compare && func.insts[i].opcode == opcode)
            .collect();
        for other in others {
            if let Some(outcome) = implied_outcome(func, compare, holds, other) {
                let outcome = func.iconst(Type::I1, outcome as i64);
                self.replace_dominated(func, dominators, func.first_result(other), outcome, block);
            }
        }
    }

    fn replace_dominated(
        &mut self,
        func: &mut Function,
        dominators: &DominatorTree,
        old: Value,
        new: Value,
        block: Block,
    ) {
        let uses: Vec<(Inst, usize)> = func.uses(old).take(MAX_BRANCH_USES).collect();
        for (user, index) in uses {
            let at = match func.insts[user].opcode {
                Opcode::Phi => Some(func.phi_block(user, index)),
                _ => func.inst_block(user),
            };
            if at.is_some_and(|b| dominators.dominates(block, b)) {
                func.set_operand(user, index, new);
                self.replaced += 1;
            }
        }
    }
}

/// The outcome of the comparison `query`, given that of `known`; both are `icmp` or both `fcmp`.
fn implied_outcome(func: &Function, known: Inst, holds: bool, query: Inst) -> Option<bool> {
    let (x, y) = (func.operand(known, 0), func.operand(known, 1));
    let (a, b) = (func.operand(query, 0), func.operand(query, 1));
    let (same, swapped) = ((a, b) == (x, y), (b, a) == (x, y));
    let (known, query) = (func.insts[known], func.insts[query]);
    if known.opcode == Opcode::FCmp {
        let [fact, question] = [known, query].map(|d| d.float_cc());
        let fact = if holds { fact } else { fact.inverse() };
        // A signalling comparison of unordered operands has an effect besides its result.
        let silent = !query.is_signaling() || !implied::holds_unordered(fact);
        let question = if swapped { question.swapped() } else { question };
        return if (same || swapped) && silent { implied::floats(fact, question) } else { None };
    }
    let [fact, question] = [known, query].map(|d| d.int_cc());
    let fact = if holds { fact } else { fact.inverse() };
    if same || swapped {
        return implied::integers(fact, if swapped { question.swapped() } else { question });
    }
    let ty = func.value_type(x);
    match (func.const_bits(y), func.const_bits(b)) {
        (Some(c), Some(d)) if a == x && ty.is_int() => implied::constants(fact, c, question, d, ty.bits()),
        _ => None,
    }
}
