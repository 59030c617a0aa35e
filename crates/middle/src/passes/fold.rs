//! Constant folding: instructions whose operands are all constants become constants, to a fixed point along the uses.
//!
//! The arithmetic is `ir::fold`, shared with the interpreter. Linear in instructions plus uses of what folds.

use ir::{Function, Inst, Intrinsic, Opcode, Type, Value};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { name: "fold", run };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut work: Vec<Inst> = func.blocks().flat_map(|b| func.block_insts(b)).collect();
    work.reverse();
    let mut folded = 0;
    while let Some(inst) = work.pop() {
        if func.inst_block(inst).is_none() {
            continue;
        }
        let Some(value) = fold_value(func, inst) else { continue };
        let result = func.first_result(inst);
        work.extend(func.uses(result).map(|u| u.0));
        func.replace_all_uses(result, value);
        func.remove_inst(inst);
        folded += 1;
    }
    cx.statistics.add("instructions folded", folded);
    Changed::code_if(folded > 0)
}

/// The constant an instruction computes, if all it reads is constant.
pub fn fold_value(func: &mut Function, inst: Inst) -> Option<Value> {
    let data = func.insts[inst];
    if data.ty.is_void() || data.ty.is_vector() || func.results(inst).len() != 1 {
        return None;
    }
    if data.opcode == Opcode::PtrAdd {
        return fold_address(func, inst);
    }
    if data.opcode == Opcode::Intrinsic && Intrinsic::from_index(data.c) == Intrinsic::IsConstant {
        return func.const_bits(func.list(inst)[0]).map(|_| func.bits_const(data.ty, 1));
    }
    let bits = ir::fold::instruction(func, inst)?;
    Some(func.bits_const(data.ty, bits))
}

/// `symbol + constant`, and `constant address + constant`.
fn fold_address(func: &mut Function, inst: Inst) -> Option<Value> {
    let offset = func.const_i64(func.operand(inst, 1))?;
    let base = func.operand(inst, 0);
    if let Some((symbol, start)) = func.const_symbol(base) {
        return Some(func.symbol_const(symbol, start.checked_add(offset)?));
    }
    let bits = func.const_bits(base)?;
    Some(func.bits_const(Type::PTR, bits.wrapping_add(offset as i128 as u128)))
}
