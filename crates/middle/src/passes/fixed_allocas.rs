//! Blocks of memory made at run time that need not be: a variable-length array whose size turns out
//! to be a constant (`const int n = 12; double a[n];`) becomes an ordinary slot of the frame.
//!
//! Aliasing, promotion and the shared layout of slots then apply to it, and without any such block
//! left the stack pointer need not be saved and put back. Only outside of loops, where there is one
//! block at a time, and up to [`MAX_SIZE`] bytes, as in gcc: a frame should not grow much for a
//! path that is not taken. Not in functions that setjmp returns to. What `alloca` makes stays, as
//! in gcc: callees may count on the frame pointer that it brings (`__builtin_return_address (1)`).
//! An array has the stack pointer saved before it.
//!
//! Cost: linear, and nothing for functions without such blocks.
//!
//! ```text
//! v1 = stack_save                        v2 = alloca 96 align 16
//! v2 = dyn_alloca i64 96 align 16   =>
//! stack_restore v1
//! ```

use ir::{Builder, Function, Inst, Opcode, Position};

use crate::pass::{Changed, Pass, PassContext};
use ir::effects::is_pure;

/// The pass.
pub const PASS: Pass = Pass::new("fixed_allocas", run);

/// Bytes of a block that becomes a slot: gcc's limit for variables of the outermost scope.
const MAX_SIZE: u64 = 2560;

/// Instructions between saving the stack pointer and the array.
const MAX_DISTANCE: usize = 8;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if !func.has_dynamic_alloca || func.calls_setjmp {
        return Changed::Nothing;
    }
    let blocks: Vec<Inst> = func.insts_with(|opcode| opcode == Opcode::DynAlloca);
    let mut fixed = 0;
    for &inst in &blocks {
        let Some(size) = constant_size(func, inst).filter(|_| is_array(func, inst)) else { continue };
        let loops = cx.analyses.loops(func);
        if loops.has_irreducible() || func.inst_block(inst).is_none_or(|block| loops.innermost(block).is_some()) {
            continue;
        }
        let align = 1 << func.insts[inst].dyn_align_log2();
        let first = func.first_inst(func.entry()).expect("the entry is complete");
        let slot = Builder::new(func, Position::Before(first)).alloca(size, align);
        func.replace_result(inst, slot);
        fixed += 1;
    }
    cx.statistics.add("dynamic stack blocks with constant sizes", fixed as u64);
    if fixed == blocks.len() {
        func.has_dynamic_alloca = false;
        remove_restores(func);
    }
    let removed = remove_unused_saves(func);
    Changed::code_if(fixed > 0 || removed || !func.has_dynamic_alloca)
}

/// Without blocks made at run time the stack pointer is where it was.
fn remove_restores(func: &mut Function) {
    for restore in func.insts_with(|opcode| opcode == Opcode::StackRestore) {
        let from = func.def_inst(func.operand(restore, 0));
        if from.is_some_and(|i| func.insts[i].opcode == Opcode::StackSave) {
            func.remove_inst(restore);
        }
    }
}

/// Removes the marks of arrays whose stack pointer nobody puts back; whether there were any.
fn remove_unused_saves(func: &mut Function) -> bool {
    let mut unused = func.insts_with(|opcode| opcode == Opcode::StackSave);
    unused.retain(|&save| !func.has_uses(func.first_result(save)));
    unused.iter().for_each(|&save| func.remove_inst(save));
    !unused.is_empty()
}

/// Whether the scope of an array begins before the block, with nothing between but operations.
fn is_array(func: &Function, inst: Inst) -> bool {
    let before = std::iter::successors(func.prev_inst(inst), |&i| func.prev_inst(i));
    before.take(MAX_DISTANCE).find(|&i| !is_pure(func, i)).is_some_and(|i| func.insts[i].opcode == Opcode::StackSave)
}

fn constant_size(func: &Function, inst: Inst) -> Option<u64> {
    let size = func.const_bits(func.operand(inst, 0))? as u64;
    (1..=MAX_SIZE).contains(&size).then_some(size)
}
