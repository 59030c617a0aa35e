//! Dead code elimination: removes instructions without side effects whose results nobody uses, and what becomes dead through that.
//!
//! Mark and sweep from the instructions with effects, so that cycles of phis that only feed each other go as well. Linear; explicit
//! worklist. Keeps the control flow.
//!
//! ```text
//! v1: i32 = phi [i32 0, b0], [v2, b1]
//! v2: i32 = add v1, i32 1              =>     (nothing, if neither is used elsewhere)
//! ```

use cranelift_entity::EntitySet;
use ir::{Function, Inst};

use crate::effects::is_removable_if_unused;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "dce", run };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut live: EntitySet<Inst> = EntitySet::with_capacity(func.num_insts());
    let mut work: Vec<Inst> = Vec::new();
    let blocks: Vec<_> = func.blocks().collect();
    for &block in &blocks {
        work.extend(func.block_insts(block).filter(|&inst| !is_removable_if_unused(func, cx.module, inst)));
    }
    work.iter().for_each(|&inst| {
        live.insert(inst);
    });
    while let Some(inst) = work.pop() {
        for value in func.operands(inst) {
            if let Some(def) = func.def_inst(value)
                && live.insert(def)
            {
                work.push(def);
            }
        }
    }
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
