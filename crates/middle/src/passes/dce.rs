//! Dead code elimination: removes instructions without side effects whose results nobody uses, and
//! what becomes dead through that.
//!
//! Mark and sweep from the instructions with effects, so that cycles of phis that only feed each
//! other go as well. Linear; no recursion. Keeps the control flow.
//!
//! ```text
//! v1: i32 = phi [i32 0, b0], [v2, b1]
//! v2: i32 = add v1, i32 1              =>     (nothing, if neither is used elsewhere)
//! ```

use cranelift_entity::EntitySet;
use ir::{Block, Function, Inst};

use crate::pass::{Changed, Pass, PassContext};
use ir::effects::is_removable_if_unused;

/// The pass.
pub const PASS: Pass = Pass::new("dce", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let blocks: Vec<_> = func.blocks().collect();
    let live = live_instructions(func, cx, &blocks);
    let mut removed = 0;
    for block in blocks {
        let mut next = func.last_inst(block);
        while let Some(inst) = next {
            next = func.prev_inst(inst);
            if !live.contains(inst) {
                func.remove_inst(inst);
                removed += 1;
            }
        }
    }
    cx.statistics.add("dead instructions removed", removed);
    Changed::code_if(removed > 0)
}

/// What an instruction with effects needs. One sweep backwards, which meets most uses before their
/// definitions and memory in order; the definitions that are used further up only (by phis of
/// loops) are a worklist.
fn live_instructions(func: &Function, cx: &PassContext<'_>, blocks: &[Block]) -> EntitySet<Inst> {
    let mut live: EntitySet<Inst> = EntitySet::with_capacity(func.num_insts());
    let mut passed: EntitySet<Inst> = EntitySet::with_capacity(func.num_insts());
    let mut late: Vec<Inst> = Vec::new();
    for &block in blocks.iter().rev() {
        let mut next = func.last_inst(block);
        while let Some(inst) = next {
            next = func.prev_inst(inst);
            passed.insert(inst);
            if live.contains(inst) || !is_removable_if_unused(func, cx.module, inst) {
                live.insert(inst);
                mark_operands(func, inst, &mut live, |def| {
                    if passed.contains(def) {
                        late.push(def);
                    }
                });
            }
        }
    }
    while let Some(inst) = late.pop() {
        mark_operands(func, inst, &mut live, |def| late.push(def));
    }
    live
}

/// Marks the definitions of the operands; calls `new` with those that were not.
fn mark_operands(func: &Function, inst: Inst, live: &mut EntitySet<Inst>, mut new: impl FnMut(Inst)) {
    for value in func.operands(inst) {
        if let Some(def) = func.def_inst(value)
            && live.insert(def)
        {
            new(def);
        }
    }
}
