//! Two branches on one value become one: ranges are tested by one unsigned comparison, two numbers
//! that differ in a bit by a mask.
//!
//! A block that ends in a branch on `x`, whose other way leads to a block that does nothing but
//! branch on `x` as well (and has no other predecessor), with one target in common. If the values
//! of `x` that lead to it are an interval on the ring of numbers, or two numbers one bit apart
//! ([`interval`]), one test is enough. The same for `and` and `or` of two comparisons.
//! Chains are merged from their ends. The few instructions that the second block may hold run where
//! they did not, without their flags.
//!
//! Branches with a likelihood hint stay. Linear.
//!
//! ```text
//! b0: v1 = icmp.sge v0, i32 48               b0: v1 = add v0, i32 -48
//!     cond_br v1, b1, b3            =>           v2 = icmp.ult v1, i32 10
//! b1: v2 = icmp.sle v0, i32 57                   cond_br v2, b2, b3
//!     cond_br v2, b2, b3
//! ```

use cranelift_entity::SecondaryMap;
use ir::{Block, BranchHint, Builder, Function, Inst, InstView, Opcode, Type, Value};

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::interval::{Interval, Test};
use ir::effects::{is_pure, may_trap};

/// The pass.
pub const PASS: Pass = Pass::new("merge_conditions", run);

/// Instructions besides the comparison that the second block may hold.
const MAX_EXTRA: usize = 2;

/// Entries a phi of either target may have: each merge goes through them.
const MAX_ENTRIES: usize = 256;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let mut edges = func.edge_counts();
    let mut combined = 0;
    let mut merged = 0;
    for &block in cfg.postorder() {
        combined += combine_values(func, block);
        while merge(func, block, &mut edges) {
            merged += 1;
        }
    }
    cx.statistics.add("branches merged", merged);
    cx.statistics.add("comparisons merged", combined);
    if merged > 0 { Changed::ControlFlow } else { Changed::code_if(combined > 0) }
}

/// `or` and `and` of comparisons in a block.
fn combine_values(func: &mut Function, block: Block) -> u64 {
    let mut combined = 0;
    let mut next = func.first_inst(block);
    while let Some(inst) = next {
        next = func.next_inst(inst);
        let data = func.insts[inst];
        if data.ty != Type::I1 || !matches!(data.opcode, Opcode::And | Opcode::Or) {
            continue;
        }
        let (a, b) = (func.operand(inst, 0), func.operand(inst, 1));
        // a & b is not (not a | not b).
        let holds = data.opcode == Opcode::Or;
        if !func.has_one_use(a) || !func.has_one_use(b) {
            continue;
        }
        let Some(test) = either(func, (a, holds), (b, holds)) else { continue };
        let mut builder = Builder::before(func, inst);
        let cond = test.emit(&mut builder);
        let cond = if holds { cond } else { negate(func, cond) };
        func.replace_result(inst, cond);
        combined += 1;
    }
    combined
}

/// Turns the comparison that was just made into its contrary.
fn negate(func: &mut Function, cond: Value) -> Value {
    let compare = func.def_inst(cond).expect("a comparison");
    let cc = func.insts[compare].int_cc();
    func.set_int_cc(compare, cc.inverse());
    cond
}

/// A test for: the first condition has this truth value, or the second that.
fn either(func: &Function, first: (Value, bool), second: (Value, bool)) -> Option<Test> {
    Interval::of(func, first.0, first.1)?.or(Interval::of(func, second.0, second.1)?)
}

struct Branch {
    cond: Value,
    then: Block,
    otherwise: Block,
}

fn branch(func: &Function, block: Block) -> Option<Branch> {
    match func.view(func.terminator(block)) {
        InstView::CondBr { cond, then_dest: then, else_dest: otherwise, hint }
            if then != otherwise && !hint.is_predictable() =>
        {
            Some(Branch { cond, then, otherwise })
        }
        _ => None,
    }
}

/// Merges the branch of the second block, if there is one, into that of `block`.
fn merge(func: &mut Function, block: Block, edges: &mut SecondaryMap<Block, u32>) -> bool {
    let Some(first) = branch(func, block) else { return false };
    let Some((second_block, common, other, test)) = find(func, block, &first, edges) else { return false };
    for inst in pure_part(func, second_block) {
        let end = func.terminator(block);
        func.hoist_inst(end, inst);
        func.clear_flags(inst);
    }
    let end = func.terminator(block);
    let loc = func.inst_locs[end];
    let mut builder = Builder::before(func, end);
    builder.loc = loc;
    let cond = test.emit(&mut builder);
    builder.cond_br(cond, common, other, BranchHint::None);
    func.remove_inst(end);
    func.drop_pred(common, second_block);
    func.replace_pred(other, second_block, block);
    edges[common] -= 1;
    func.forget_debug_values(&[second_block], other);
    func.remove_block(second_block);
    true
}

/// The second block, the common target, the other one, and the test for the common one.
fn find(
    func: &Function,
    block: Block,
    first: &Branch,
    edges: &SecondaryMap<Block, u32>,
) -> Option<(Block, Block, Block, Test)> {
    for (second_block, common, holds) in [(first.then, first.otherwise, false), (first.otherwise, first.then, true)] {
        if edges[second_block] != 1 || second_block == block || func.phis(second_block).next().is_some() {
            continue;
        }
        let Some(second) = branch(func, second_block) else { continue };
        let (other, second_holds) = match () {
            () if second.then == common => (second.otherwise, true),
            () if second.otherwise == common => (second.then, false),
            () => continue,
        };
        if other == second_block || common == second_block || !is_harmless(func, second_block) {
            continue;
        }
        let is_large = |block: Block| func.phis(block).any(|phi| func.num_operands(phi) > MAX_ENTRIES);
        if is_large(common) || is_large(other) {
            continue;
        }
        let same = |phi: Inst| func.phi_value(phi, block) == func.phi_value(phi, second_block);
        if !func.phis(common).all(same) {
            continue;
        }
        if let Some(test) = either(func, (first.cond, holds), (second.cond, second_holds)) {
            return Some((second_block, common, other, test));
        }
    }
    None
}

fn pure_part(func: &Function, block: Block) -> Vec<Inst> {
    let end = func.terminator(block);
    func.block_insts(block).take_while(|&i| i != end).collect()
}

/// Whether all that a block does before its branch may be done in any case.
fn is_harmless(func: &Function, block: Block) -> bool {
    let end = func.terminator(block);
    let mut count = 0;
    func.block_insts(block).take_while(|&i| i != end).all(|inst| {
        count += 1;
        count <= MAX_EXTRA + 1 && is_pure(func, inst) && !may_trap(func, inst) && func.insts[inst].ty.is_int()
    })
}
