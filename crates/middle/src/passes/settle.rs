//! Questions to the optimiser get their final answers, when inlining can teach it nothing more: `is_constant` of what is not constant
//! is false, and the size of an object that is still unknown stays unknown (all ones; 0 if the least is wanted).
//!
//! Linear.
//!
//! ```text
//! v1: i1 = intrinsic is_constant(v0)   =>  i1 0
//! ```

use ir::{Function, Inst, Intrinsic, Opcode};

use crate::analysis::object_size::object_size;
use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "settle", run };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let intrinsics: Vec<Inst> = func
        .blocks()
        .flat_map(|b| func.block_insts(b))
        .filter(|&i| func.insts[i].opcode == Opcode::Intrinsic)
        .collect();
    let mut settled = 0;
    for inst in intrinsics {
        let operands = func.list(inst);
        let answer = match Intrinsic::from_index(func.insts[inst].c) {
            Intrinsic::IsConstant => func.const_bits(operands[0]).is_some() as u64,
            Intrinsic::ObjectSize => {
                let least = func.const_bits(operands[1]).unwrap_or(0) & 2 != 0;
                object_size(func, cx.module, operands[0], least).unwrap_or(if least { 0 } else { u64::MAX })
            }
            _ => continue,
        };
        let result = func.first_result(inst);
        let answer = func.iconst(func.value_type(result), answer as i64);
        func.replace_all_uses(result, answer);
        func.remove_inst(inst);
        settled += 1;
    }
    cx.statistics.add("questions settled", settled);
    Changed::code_if(settled > 0)
}
