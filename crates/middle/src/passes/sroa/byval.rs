//! Parameters that are aggregates passed in memory (`byval`): the callee owns the copy. Where the
//! function changes it and all its accesses fall into values, a local alloca takes its place,
//! filled at entry: splitting that turns the filling into loads of what is used. What is only read
//! stays where it is; loads from there cost no more than a reload.

use ir::debug::VariablePlace;
use ir::{Builder, Function, Inst, Opcode, ParamKind, Position, Type, Value};

use super::MAX_SPLIT_BYTES;
use super::slices::{self, Form, Partition, SliceKind};
use crate::pass::PassContext;

/// Gives allocas to the parameters that can be split. Whether any did.
pub fn split_parameters(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let sig = &cx.module.signatures[func.sig];
    let wanted: Vec<(Value, u64, u32)> = func
        .params()
        .iter()
        .zip(&sig.params)
        .filter_map(|(&param, abi)| match abi.kind {
            ParamKind::ByVal { size, align } if size <= MAX_SPLIT_BYTES => Some((param, size, align)),
            _ => None,
        })
        .collect();
    let vectors = cx.has_sse(func);
    let mut changed = false;
    for (param, size, align) in wanted {
        if may_be_written(func, param) && give_alloca(func, param, size, align, vectors) {
            cx.statistics.add("by-value parameters split", 1);
            changed = true;
        }
    }
    changed
}

/// Whether there is a write through the parameter or a constant distance from it.
fn may_be_written(func: &Function, address: Value) -> bool {
    let mut work = vec![address];
    while let Some(address) = work.pop() {
        for (user, index) in func.uses(address) {
            match func.insts[user].opcode {
                Opcode::Store | Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet if index == 0 => return true,
                Opcode::PtrAdd if index == 0 => work.push(func.first_result(user)),
                _ => {}
            }
        }
    }
    false
}

/// Puts an alloca in the parameter's place, unless some part of it would stay in memory.
fn give_alloca(func: &mut Function, param: Value, size: u64, align: u32, vectors: bool) -> bool {
    let uses: Vec<(Inst, usize)> = func.uses(param).collect();
    let entry = func.entry();
    let first = func.first_inst(entry).expect("the entry block is complete");
    let mut builder = Builder::new(func, Position::Before(first));
    let local = builder.alloca(size, align);
    let alloca = builder.func.def_inst(local).expect("an instruction");
    for &(user, index) in &uses {
        func.set_operand(user, index, local);
    }
    let values = slices::collect(func, alloca).and_then(|slices| {
        let partitions = slices::partition(func, alloca, &slices, vectors);
        let blocks = slices.iter().any(|s| s.kind == SliceKind::Block && s.operand == 1);
        (!blocks && !partitions.is_empty() && partitions.iter().all(|p| p.form != Form::Memory)).then_some(partitions)
    });
    let Some(partitions) = values else {
        uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, param));
        func.remove_inst(alloca);
        return false;
    };
    if let Some(index) = func.params().iter().position(|&p| p == param)
        && let Some(debug) = &mut func.debug
    {
        let place = VariablePlace::Parameter(index as u32);
        debug.variables.iter_mut().filter(|v| v.place == place).for_each(|v| v.place = VariablePlace::Alloca(alloca));
    }
    let mut builder = Builder::new(func, Position::Before(first));
    for Partition { start, end, .. } in partitions {
        let (to, from) = (builder.ptradd_imm(local, start as i64), builder.ptradd_imm(param, start as i64));
        let length = builder.iconst(Type::I64, (end - start) as i64);
        builder.mem_op(Opcode::MemCpy, to, from, length, align.min(1 << start.trailing_zeros().min(31)), false);
    }
    true
}
