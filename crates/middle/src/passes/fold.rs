//! Constant folding: instructions whose operands are all constants become constants, to a fixed
//! point along the uses.
//!
//! The arithmetic is `ir::fold`, shared with the interpreter. Linear in instructions plus uses of
//! what folds.

use ir::{Function, Inst, Intrinsic, Opcode, Type, Value};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("fold", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut work: Vec<Inst> = func.all_insts().collect();
    work.reverse();
    let mut folded = 0;
    while let Some(inst) = work.pop() {
        if func.inst_block(inst).is_none() {
            continue;
        }
        if cx.options.codegen.float.rounding_math && rounds(func, inst) {
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

/// Whether an instruction's result depends on the rounding mode.
pub fn rounds(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    matches!(func.insts[inst].opcode, FAdd | FSub | FMul | FDiv | Sqrt | Fma | FpTrunc | SiToFp | UiToFp)
}

/// The constant an instruction computes, if all it reads is constant; rounded to nearest.
pub fn fold_value(func: &mut Function, inst: Inst) -> Option<Value> {
    let data = func.insts[inst];
    if data.ty.is_void() || data.ty.is_vector() || func.results(inst).len() != 1 {
        return None;
    }
    if data.opcode == Opcode::PtrAdd {
        let (base, offset) = (func.operand(inst, 0), func.operand(inst, 1));
        return fold_address(func, base, offset);
    }
    if data.is_intrinsic(Intrinsic::IsConstant) {
        return func.const_bits(func.list(inst)[0]).map(|_| func.bits_const(data.ty, 1));
    }
    let bits = ir::fold::instruction(func, inst)?;
    Some(func.bits_const(data.ty, bits))
}

/// The constant that an operation of one result would compute with these operands in place of its
/// own.
pub fn fold_with(func: &mut Function, inst: Inst, operands: &[Value]) -> Option<Value> {
    let data = func.insts[inst];
    let is_operation = (data.opcode >= Opcode::Add && data.opcode <= Opcode::Select) || data.opcode == Opcode::PtrAdd;
    if !is_operation || data.ty.is_vector() || func.results(inst).len() != 1 {
        return None;
    }
    if data.opcode == Opcode::PtrAdd {
        return fold_address(func, operands[0], operands[1]);
    }
    let from = func.value_type(operands[0]);
    let bits = |index: usize| func.const_bits(operands[index]);
    let result = match (data.opcode, operands.len()) {
        (Opcode::Select, _) => {
            let chosen = operands[if bits(0)? != 0 { 1 } else { 2 }];
            return func.constant(chosen).is_some().then_some(chosen);
        }
        (Opcode::ICmp, _) => ir::fold::icmp(data.int_cc(), from, bits(0)?, bits(1)?)? as u128,
        (Opcode::FCmp, _) => ir::fold::fcmp(data.float_cc(), from, bits(0)?, bits(1)?)? as u128,
        (opcode, 1) => ir::fold::unary(opcode, from, data.ty, bits(0)?)?,
        (opcode, 2) => ir::fold::binary(opcode, from, bits(0)?, bits(1)?)?,
        _ => return None,
    };
    Some(func.bits_const(data.ty, result))
}

/// `symbol + constant`, and `constant address + constant`.
fn fold_address(func: &mut Function, base: Value, offset: Value) -> Option<Value> {
    let offset = func.const_i64(offset)?;
    if let Some((symbol, start)) = func.const_symbol(base) {
        return Some(func.symbol_const(symbol, start.checked_add(offset)?));
    }
    let bits = func.const_bits(base)?;
    Some(func.bits_const(Type::PTR, bits.wrapping_add(offset as i128 as u128)))
}
