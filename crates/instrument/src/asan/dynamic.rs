//! `alloca` and arrays of variable length: red zones on both sides, which go when the stack pointer
//! is put back and before returns.

use ir::{Builder, Function, Inst, InstView, Intrinsic, Opcode, Type, Value};

use super::runtime::{AsanRuntime, Helper};
use crate::exits;

/// The least bytes on each side, and the alignment of blocks.
const REDZONE: i64 = 32;

/// Protects all dynamic blocks; how many there are.
pub fn protect(func: &mut Function, runtime: &AsanRuntime) -> u64 {
    let blocks = func.insts_with(|op| op == Opcode::DynAlloca);
    if blocks.is_empty() {
        return 0;
    }
    for &block in &blocks {
        widen(func, runtime, block);
    }
    for restore in func.insts_with(|op| op == Opcode::StackRestore) {
        let saved = func.operand(restore, 0);
        let mut b = Builder::before(func, restore);
        // Blocks begin above what calls need of the stack for their arguments.
        let none = b.iconst(Type::I64, 0);
        let start = b.dyn_alloca(none, 16);
        let pointer = b.nullary(Opcode::StackSave, Type::PTR);
        let numbers = [start, pointer].map(|address| b.unary(Opcode::PtrToInt, Type::I64, address));
        let above = b.binary(Opcode::Sub, numbers[0], numbers[1]);
        let end = b.ptradd(saved, above, 0);
        runtime.call(&mut b, Helper::AllocasUnpoison, &[start, end]);
    }
    for ret in exits(func) {
        let mut b = Builder::before(func, ret);
        let start = b.nullary(Opcode::StackSave, Type::PTR);
        let level = b.iconst(Type::I32, 0);
        let end = b.intrinsic(Intrinsic::FrameAddress, Type::PTR, &[level]);
        let end = b.func.first_result(end);
        runtime.call(&mut b, Helper::AllocasUnpoison, &[start, end]);
    }
    blocks.len() as u64
}

/// Gives a block room for its red zones, and poisons them.
fn widen(func: &mut Function, runtime: &AsanRuntime, block: Inst) {
    let InstView::DynAlloca { size, align_log2 } = func.view(block) else { return };
    let old = func.first_result(block);
    let align = REDZONE.max(1 << align_log2);
    let mut b = Builder::before(func, block);
    let whole = padded(&mut b, size, align);
    let start = b.dyn_alloca(whole, align as u32);
    let left = b.iconst(Type::I64, align);
    let address = b.ptradd(start, left, 0);
    runtime.call(&mut b, Helper::AllocaPoison, &[address, size]);
    func.replace_all_uses(old, address);
    func.remove_inst(block);
}

/// `size` up to a multiple of the red zone, and a red zone on each side.
fn padded(b: &mut Builder<'_>, size: Value, align: i64) -> Value {
    let more = b.iconst(Type::I64, REDZONE - 1 + align + REDZONE);
    let mask = b.iconst(Type::I64, -REDZONE);
    let sum = b.binary(Opcode::Add, size, more);
    b.binary(Opcode::And, sum, mask)
}
