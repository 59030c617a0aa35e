//! Questions to the optimiser get their final answers, when inlining can teach it nothing more:
//! `is_constant` of what is not constant is false, and the size of an object that is still unknown
//! stays unknown (all ones; 0 if the least is wanted). A dynamic size is computed here, of the
//! values that made the object. What the front end noted of sizes (`known_bytes`) has served then
//! and goes.
//!
//! Linear in the function; a question looks at a limited number of values.
//!
//! ```text
//! v1: i1 = intrinsic is_constant(v0)   =>  i1 0
//! ```

use ir::{Function, Intrinsic, Opcode};

use crate::pass::{Changed, Pass, PassContext};
use crate::passes::fold;
use ir::analysis::object_size::{Mode, dynamic_object_size, object_size};

/// The pass.
pub const PASS: Pass = Pass::new("settle", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    // What inlining made constant last is not folded yet.
    if func.all_insts().any(|inst| func.insts[inst].is_intrinsic(Intrinsic::IsConstant)) {
        cx.run(func, fold::PASS);
    }
    let (mut settled, mut notes) = (0, Vec::new());
    for inst in func.insts_with(|opcode| opcode == Opcode::Intrinsic) {
        let operands = func.list(inst);
        let Some(result) = func.result(inst) else { continue };
        let ty = func.value_type(result);
        let answer = match func.insts[inst].intrinsic() {
            Intrinsic::IsConstant => {
                let known = func.const_bits(operands[0]).is_some();
                func.iconst(ty, known.into())
            }
            Intrinsic::ObjectSize => {
                let pointer = operands[0];
                let mode = Mode::from_bits(func.const_bits(operands[1]).unwrap_or(0) as u64);
                let computed = if mode.dynamic { dynamic_object_size(func, cx.module, pointer, mode) } else { None };
                let fixed = computed.is_none() && (mode.straight || !mode.dynamic);
                let constant = if fixed { object_size(func, cx.module, pointer, mode, false) } else { None };
                computed.unwrap_or_else(|| func.iconst(ty, constant.unwrap_or(mode.unknown()) as i64))
            }
            Intrinsic::KnownBytes => {
                notes.push(inst);
                continue;
            }
            _ => continue,
        };
        func.replace_all_uses(result, answer);
        func.remove_inst(inst);
        settled += 1;
    }
    for &inst in &notes {
        let (result, pointer) = (func.first_result(inst), func.list(inst)[0]);
        func.replace_all_uses(result, pointer);
        func.remove_inst(inst);
    }
    cx.statistics.add("questions settled", settled);
    Changed::code_if(settled > 0 || !notes.is_empty())
}
