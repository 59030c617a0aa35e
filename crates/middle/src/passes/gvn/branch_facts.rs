//! What a branch says about values in the blocks after it: of its condition, of comparisons that
//! follow from it, and of what is equal to a constant there.

use ir::analysis::{Cfg, DominatorTree};
use ir::ssa::replace_dominated_uses;
use ir::{Block, Builder, Function, Inst, InstView, IntCc, Opcode, Position, Type, Value};
use smallvec::SmallVec;

use super::Numbering;
use crate::passes::fold::fold_with;

/// Ways into a block that are looked at.
const MAX_WAYS: usize = 4;

/// Uses of a condition that are looked at per branch.
const MAX_BRANCH_USES: usize = 64;

impl Numbering<'_> {
    /// What the only way into a block says about the branch condition.
    pub(super) fn use_branch_fact(&mut self, func: &mut Function, cfg: &Cfg, dominators: &DominatorTree, block: Block) {
        let &[pred] = cfg.preds(block) else { return };
        let Some((then, _)) = func.insts[func.terminator(pred)].two_dests() else { return };
        let cond = func.operand(func.terminator(pred), 0);
        if !is_looked_at(func, cond, then == block) {
            return;
        }
        self.use_choices(func, dominators, (cond, then == block), block);
        self.branch.assume_edge(func, pred, block);
        let narrowed: SmallVec<[Value; 4]> = self.branch.narrowed_since(0).collect();
        for value in narrowed {
            let ty = func.value_type(value);
            // Integers only: an equal pointer may point into another object.
            if let Some(bits) = self.branch.range(func, value).single().filter(|_| ty.is_int()) {
                let constant = func.bits_const(ty, bits);
                self.use_widened(func, dominators, value, constant, block);
                if ty == Type::I1 {
                    self.use_implied(func, dominators, value, block);
                }
                self.replaced += replace_dominated_uses(func, dominators, block, (value, constant), MAX_BRANCH_USES);
            }
        }
        self.branch.undo_to(0);
    }

    /// What a `select` on the condition has chosen, where it is known.
    fn use_choices(
        &mut self,
        func: &mut Function,
        dominators: &DominatorTree,
        (cond, truth): (Value, bool),
        block: Block,
    ) {
        let chooses = |&(user, index): &(Inst, usize)| index == 0 && func.insts[user].opcode == Opcode::Select;
        let choices: SmallVec<[_; 4]> = func.uses(cond).take(MAX_BRANCH_USES).filter(chooses).collect();
        for (choice, _) in choices {
            let pair = (func.first_result(choice), func.operand(choice, if truth { 1 } else { 2 }));
            self.replaced += replace_dominated_uses(func, dominators, block, pair, MAX_BRANCH_USES);
        }
    }

    /// Makes a `select` a phi if all ways to its block come from one side or the other of a branch
    /// on its condition: each way has its value, and nothing is compared again.
    pub(super) fn choose_by_branch(
        &mut self,
        func: &mut Function,
        (cfg, dominators): (&Cfg, &DominatorTree),
        block: Block,
        select: Inst,
    ) -> bool {
        let (cond, preds) = (func.operand(select, 0), cfg.preds(block));
        let Some(above) = dominators.idom(block).filter(|_| (2..=MAX_WAYS).contains(&preds.len())) else {
            return false;
        };
        let branch = func.terminator(above);
        let Some((then, otherwise)) = func.insts[branch].two_dests().filter(|dests| dests.0 != dests.1) else {
            return false;
        };
        if func.operand(branch, 0) != cond || func.value_type(cond) != Type::I1 {
            return false;
        }
        let side = |pred: Block| {
            let starts = |dest: Block| match pred == above {
                true => dest == block,
                false => cfg.preds(dest).len() == 1 && dominators.dominates(dest, pred),
            };
            if starts(then) { Some(1) } else { starts(otherwise).then_some(2) }
        };
        let is_there = |value| dominators.value_dominates_block(func, value, block);
        if !(1..=2).all(|index| is_there(func.operand(select, index))) {
            return false;
        }
        let entry = |&pred: &Block| Some((func.operand(select, side(pred)?), pred));
        let Some(entries) = preds.iter().map(entry).collect::<Option<SmallVec<[_; MAX_WAYS]>>>() else { return false };
        let ty = func.insts[select].ty;
        let first = func.first_inst(block).expect("the select is there");
        let phi = Builder::new(func, Position::Before(first)).phi(ty, &entries);
        let value = func.first_result(phi);
        func.replace_result(select, value);
        self.replaced += 1;
        true
    }

    /// A condition is known on the edges of its own branch, as where a rotated loop is left, and so
    /// are its extensions. Whether that leaves the phi one value, which takes its place.
    pub(super) fn use_edge_facts(&mut self, func: &mut Function, block: Block, phi: Inst) -> bool {
        for index in 0..func.num_operands(phi) {
            let branch = func.terminator(func.phi_block(phi, index));
            let Some((then, otherwise)) = func.insts[branch].two_dests() else { continue };
            if then == otherwise {
                continue;
            }
            let (cond, operand) = (func.operand(branch, 0), func.operand(phi, index));
            let extends = |&inst: &Inst| is_extension(func, inst) && func.operand(inst, 0) == cond;
            let extension = func.def_inst(operand).filter(extends);
            if cond == operand || extension.is_some() {
                let truth = func.iconst(Type::I1, i64::from(then == block));
                let known = extension.map_or(Some(truth), |inst| fold_with(func, inst, &[truth]));
                func.set_operand(phi, index, known.expect("extensions of constants fold"));
                self.replaced += 1;
            }
        }
        let first = func.operand(phi, 0);
        let is_one_value = func.constant(first).is_some() && func.operands(phi).all(|v| v == first);
        if is_one_value {
            func.replace_result(phi, first);
        }
        is_one_value
    }

    /// Extensions of a value that were computed before the branch stay equal to it: both are of the
    /// same iteration of any loop, since what is computed of the value and known here has been
    /// computed after it.
    fn use_widened(
        &mut self,
        func: &mut Function,
        dominators: &DominatorTree,
        of: Value,
        constant: Value,
        block: Block,
    ) {
        let widened = func.uses(of).take(MAX_BRANCH_USES).map(|u| u.0).filter(|&i| is_extension(func, i));
        let users: SmallVec<[Inst; 4]> = widened.collect();
        for user in users {
            if let Some(value) = fold_with(func, user, &[constant]) {
                let pair = (func.first_result(user), value);
                self.replaced += replace_dominated_uses(func, dominators, block, pair, MAX_BRANCH_USES);
            }
        }
    }

    /// Where a comparison is known to hold (or not), others of the same operand may be known too.
    fn use_implied(&mut self, func: &mut Function, dominators: &DominatorTree, cond: Value, block: Block) {
        let Some(compare) = func.def_inst(cond) else { return };
        let opcode = func.insts[compare].opcode;
        if !matches!(opcode, Opcode::ICmp | Opcode::FCmp) || func.constant(func.operand(compare, 0)).is_some() {
            return;
        }
        let others: SmallVec<[Inst; 8]> = others(func, compare).collect();
        for other in others {
            if let Some(outcome) = self.branch.outcome(func, other, func.operand(other, 0), func.operand(other, 1)) {
                let pair = (func.first_result(other), func.iconst(Type::I1, outcome as i64));
                self.replaced += replace_dominated_uses(func, dominators, block, pair, MAX_BRANCH_USES);
            }
        }
    }
}

/// Whether something besides the branch may use that `cond` is `truth`: the condition itself, what
/// is equal to a constant then, or other comparisons.
fn is_looked_at(func: &Function, cond: Value, truth: bool) -> bool {
    let Some(inst) = func.def_inst(cond).filter(|_| func.has_one_use(cond)) else { return true };
    match func.view(inst) {
        InstView::ICmp { a, .. } | InstView::FCmp { a, .. } if func.has_one_use(a) => false,
        InstView::ICmp { cc, a, b } => {
            let equal = cc == if truth { IntCc::Eq } else { IntCc::Ne };
            equal && func.value_type(a).is_int() && func.constant(b).is_some() || others(func, inst).next().is_some()
        }
        InstView::FCmp { .. } => others(func, inst).next().is_some(),
        _ => true,
    }
}

fn is_extension(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst].opcode, Opcode::SExt | Opcode::ZExt)
}

/// Other comparisons of the first operand of `compare`.
fn others(func: &Function, compare: Inst) -> impl Iterator<Item = Inst> {
    let is_other = move |i: &Inst| *i != compare && func.insts[*i].opcode == func.insts[compare].opcode;
    func.uses(func.operand(compare, 0)).take(MAX_BRANCH_USES).map(|u| u.0).filter(is_other)
}
