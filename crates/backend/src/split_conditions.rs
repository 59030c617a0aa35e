//! Branches on several comparisons: a comparison and a jump for each are shorter than their
//! outcomes in registers, and what the first decides leaves the second out. All are split where
//! size is what counts; elsewhere those that an equality, which seldom holds, decides alone: it
//! comes first.
//!
//! Runs on SSA form before phi elimination. Linear, but that what follows a load in its block is
//! looked through.
//!
//! ```text
//! b0: v1 = icmp.ugt v5, v6             b0: v1 = icmp.ugt v5, v6
//!     v2 = icmp.ugt v7, v8        =>       cond_br v1, b3, b2
//!     v3 = and v1, v2                  b3: v2 = icmp.ugt v7, v8
//!     cond_br v3, b1, b2                   cond_br v2, b1, b2
//! ```

use ir::effects::may_write_memory;
use ir::{Block, BranchHint, Builder, Function, Inst, InstView, IntCc, Module, Odds, Opcode, Position, Type, Value};

/// A branch that earlier runs counted is split if it was decided by one comparison at least so
/// often.
const SELDOM: f32 = 0.2;

/// How often the second comparison then holds as well, for each time that it does not.
const AGREES: u64 = 8;

/// Splits the branches of a function; whether there were any.
pub fn split(func: &mut Function, module: &Module, all: bool) -> bool {
    let blocks = func.num_blocks();
    let mut work: Vec<Block> = func.blocks().collect();
    while let Some(block) = work.pop() {
        if let Some(rest) = split_branch(func, module, block, all) {
            work.extend([rest, block]);
        }
    }
    func.num_blocks() > blocks
}

/// Splits the branch at the end of a block; the block with the second one.
fn split_branch(func: &mut Function, module: &Module, block: Block, all: bool) -> Option<Block> {
    let end = func.terminator(block);
    let InstView::CondBr { cond, then_dest: then, else_dest: otherwise, hint } = func.view(end) else { return None };
    let join = truth_value(func, block, cond).filter(|&inst| is_join(func, inst) && then != otherwise)?;
    let both = func.insts[join].opcode == Opcode::And;
    let operands = [0, 1].map(|index| func.operand(join, index));
    let conditions = operands.map(|operand| truth_value(func, block, operand));
    let decides = |inst: &Option<Inst>| inst.is_some_and(|inst| seldom(func, inst, both));
    let first = if all { 0 } else { conditions.iter().position(decides)? };
    if all && conditions.contains(&None) {
        return None;
    }
    let second_hint = hint_of_rest(hint, both)?;
    let (first, second, moved) = (operands[first], operands[1 - first], conditions[1 - first]);
    let rest = func.split_block(end);
    let branch = InstView::CondBr { cond: second, then_dest: then, else_dest: otherwise, hint: second_hint };
    func.replace_with(end, branch);
    func.remove_inst(join);
    if let Some(moved) = moved {
        sink(func, module, block, moved, end);
    }
    func.add_pred(if both { otherwise } else { then }, rest, block, |_, value| value);
    let mut builder = Builder::new(func, Position::End(block));
    builder.loc = builder.func.inst_locs[end];
    let (then, otherwise) = if both { (rest, otherwise) } else { (then, rest) };
    builder.cond_br(first, then, otherwise, hint);
    Some(rest)
}

/// What is known of the second branch, if the first one is to be made.
fn hint_of_rest(hint: BranchHint, both: bool) -> Option<BranchHint> {
    let BranchHint::Measured(odds) = hint else { return Some(hint) };
    let holds = if both { odds.probability() } else { 1.0 - odds.probability() };
    let (then, otherwise) = if both { (AGREES, 1) } else { (1, AGREES) };
    Odds::of(then, otherwise).filter(|_| holds <= SELDOM).map(BranchHint::Measured)
}

/// Whether a comparison seldom gives `outcome`.
fn seldom(func: &Function, inst: Inst, outcome: bool) -> bool {
    let wanted = if outcome { IntCc::Eq } else { IntCc::Ne };
    func.insts[inst].opcode == Opcode::ICmp && func.insts[inst].int_cc() == wanted
}

fn is_join(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst].opcode, Opcode::And | Opcode::Or)
}

/// The comparison, or the join of such, that makes a condition for one user in this block.
fn truth_value(func: &Function, block: Block, cond: Value) -> Option<Inst> {
    let inst = func.def_inst(cond)?;
    let data = func.insts[inst];
    let compares = || {
        let ty = func.value_type(func.operand(inst, 0));
        matches!(data.opcode, Opcode::ICmp | Opcode::FCmp) && !matches!(ty, Type::F128 | Type::F80 | Type::I128)
    };
    let here = func.inst_block(inst) == Some(block) && func.has_one_use(cond) && data.ty == Type::I1;
    (here && (is_join(func, inst) || compares())).then_some(inst)
}

/// Moves a condition out of its block to before `end`, with the conditions and loads that only it
/// needs.
fn sink(func: &mut Function, module: &Module, block: Block, cond: Inst, end: Inst) {
    let mut work = vec![(cond, end)];
    while let Some((inst, before)) = work.pop() {
        func.unplace_inst(inst);
        func.insert_before(before, inst);
        let operands: Vec<Value> = func.operands(inst).collect();
        for operand in operands {
            let load = func.def_with(operand, Opcode::Load).filter(|_| func.has_one_use(operand));
            let load = load.filter(|&load| func.inst_block(load) == Some(block) && may_pass(func, module, load));
            work.extend(truth_value(func, block, operand).or(load).map(|moved| (moved, inst)));
        }
    }
}

/// Whether a load may run at the end of its block.
fn may_pass(func: &Function, module: &Module, load: Inst) -> bool {
    let mut after = std::iter::successors(func.next_inst(load), |&inst| func.next_inst(inst));
    !func.insts[load].is_volatile() && !after.any(|inst| may_write_memory(func, module, inst))
}
