//! Parameters that are aggregates passed in memory (`byval`): the callee owns the copy. Where the
//! function changes it and all its accesses fall into values, a local alloca takes its place,
//! filled at entry: splitting that turns the filling into loads of what is used. What is only read
//! stays where it is; loads from there cost no more than a reload. For calls the argument is copied
//! where that lets the function's own aggregate fall into values: the copy is made where the call
//! is, which may be on a way that is rarely taken.

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
    let split = wanted.into_iter().filter(|&(param, size, align)| give_alloca(func, param, size, align, vectors));
    let split = split.count() as u64;
    cx.statistics.add("by-value parameters split", split);
    split > 0
}

/// Gives calls that are passed an aggregate in memory a copy, if the function reads parts of it as
/// well and nothing else keeps these from becoming values. Whether any got one.
pub fn copy_arguments(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let vectors = cx.has_sse(func);
    let mut copied = 0;
    for alloca in func.insts_with(|opcode| opcode == Opcode::Alloca) {
        let ((size, align), address) = (func.alloca_info(alloca), func.first_result(alloca));
        let is_argument = |&(call, index): &(Inst, usize)| {
            let sig = (func.insts[call].opcode == Opcode::Call).then(|| func.call_info(call).sig);
            let param = sig.and_then(|sig| cx.module.signatures[sig].params.get(index.wrapping_sub(1)));
            param.is_some_and(|p| matches!(p.kind, ParamKind::ByVal { size: passed, .. } if passed == size))
        };
        let arguments: Vec<(Inst, usize)> = func.uses(address).filter(is_argument).collect();
        if arguments.is_empty() || size > MAX_SPLIT_BYTES {
            continue;
        }
        let elsewhere = func.bits_const(Type::PTR, 0);
        arguments.iter().for_each(|&(call, index)| func.set_operand(call, index, elsewhere));
        let splits = slices::collect(func, alloca).is_some_and(|slices| {
            let reads = |s: &slices::Slice| func.insts[s.inst].opcode == Opcode::Load;
            let partitions = slices::partition(func, alloca, &slices, vectors);
            slices.iter().any(reads) && partitions.iter().all(|p| p.form != Form::Memory)
        });
        for (call, index) in arguments {
            let passed = if splits { copy_for_call(func, address, size, align, call) } else { address };
            func.set_operand(call, index, passed);
            copied += u64::from(splits);
        }
    }
    cx.statistics.add("by-value arguments copied", copied);
    copied > 0
}

fn copy_for_call(func: &mut Function, from: Value, size: u64, align: u32, call: Inst) -> Value {
    let first = func.first_inst(func.entry()).expect("the entry block is complete");
    let copy = Builder::new(func, Position::Before(first)).alloca(size, align);
    let mut builder = Builder::before(func, call);
    builder.effect(Opcode::LifetimeStart, copy);
    let length = builder.iconst(Type::I64, size as i64);
    builder.mem_op(Opcode::MemCpy, copy, from, length, align, false);
    copy
}

/// Puts an alloca in the place of a parameter that is written, unless some part of it would stay in
/// memory.
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
        let writes = |s: &slices::Slice| s.kind == SliceKind::Block || func.insts[s.inst].opcode == Opcode::Store;
        (!blocks
            && slices.iter().any(writes)
            && !partitions.is_empty()
            && partitions.iter().all(|p| p.form != Form::Memory))
        .then_some(partitions)
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
