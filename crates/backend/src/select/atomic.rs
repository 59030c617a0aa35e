//! Atomic operations. x86-64 keeps loads and stores in order, so that only sequentially consistent
//! stores and read-modify-writes need locked instructions; what no single instruction does is a
//! loop around `lock cmpxchg`. 16-byte atomics are libatomic's.

use ir::{Inst, InstData, InstView, Ordering, RmwOp, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Unary},
};
use platform::{
    options::X86Features,
    registers::{R8, R9, RAX, RBX, RCX, RDI, RDX, RSI, Reg},
};

use super::{
    address::address,
    call::library_call,
    context::{Ctx, Holder, int_size},
    memory::{load_value, store_value},
};
use crate::machine::{Amode, Class, ListOperand, MInst, Op, VReg, bits};
use crate::x86::operations::FenceKind;

/// The memory order as libatomic's argument.
fn order_argument(cx: &mut Ctx, order: Ordering) -> VReg {
    cx.in_gpr(|cx, dst| cx.move_imm(Size::D, dst, order as i64))
}

/// A 16-byte value as two general registers.
fn pair(cx: &mut Ctx, value: Value) -> (VReg, VReg) {
    let reg = cx.reg(value);
    (reg, reg.part(1))
}

fn is_wide(ty: Type) -> bool {
    ty == Type::I128
}

/// `atomic_load`.
pub fn select_load(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let ptr = cx.arg(data, 0);
    let dst = cx.result(cx.func.first_result(inst));
    if is_wide(data.ty) {
        let pointer = cx.reg(ptr);
        let order = order_argument(cx, data.ordering());
        return wide_call(cx, "__atomic_load_16", &[(pointer, RDI), (order, RSI)], Some(dst));
    }
    let amode = address(cx, ptr);
    load_value(cx, data.ty, dst, amode, data.ty.align());
}

fn wide_call(cx: &mut Ctx, name: &'static str, args: &[(VReg, Reg)], dst: Option<VReg>) {
    match dst {
        Some(dst) => {
            let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
            library_call(cx, name, args, &[(low, RAX), (high, RDX)]);
            cx.copy_pair(dst, low, high);
        }
        None => library_call(cx, name, args, &[]),
    }
}

/// `atomic_store`.
pub fn select_store(cx: &mut Ctx, data: &InstData) {
    let (ptr, value) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = cx.ty(value);
    if is_wide(ty) {
        let pointer = cx.reg(ptr);
        let (low, high) = pair(cx, value);
        let order = order_argument(cx, data.ordering());
        return wide_call(cx, "__atomic_store_16", &[(pointer, RDI), (low, RSI), (high, RDX), (order, RCX)], None);
    }
    if data.ordering() != Ordering::SeqCst {
        return store_value(cx, ty, ptr, value, ty.align());
    }
    if let Holder::Regs(Class::Gpr, _, 1) = Ctx::holder(ty) {
        let src = cx.reg(value);
        let amode = address(cx, ptr);
        let old = cx.temp_gpr();
        exchange(cx, int_size(ty), amode, old, src);
    } else {
        store_value(cx, ty, ptr, value, ty.align());
        cx.push(MInst::fence(FenceKind::Full));
    }
}

fn exchange(cx: &mut Ctx, size: Size, amode: Amode, old: VReg, src: VReg) {
    cx.push_mem(MInst::new(Op::XchgM, size).dst(old).src1(src), amode);
}

/// `atomic_rmw`.
pub fn select_rmw(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (ptr, value) = (cx.arg(data, 0), cx.arg(data, 1));
    let op = data.rmw_op();
    let result = cx.func.first_result(inst);
    if is_wide(data.ty) {
        return wide_rmw(cx, op, data, ptr, value, result);
    }
    let size = int_size(data.ty);
    let used = cx.is_needed(result);
    match op {
        RmwOp::Xchg => {
            let src = cx.reg(value);
            let amode = address(cx, ptr);
            let dst = cx.result(result);
            exchange(cx, size, amode, dst, src);
        }
        RmwOp::Add | RmwOp::Sub if used => {
            let src = cx.reg(value);
            let src = if op == RmwOp::Sub {
                let negated = cx.temp_gpr();
                let negate = MInst::unary(Unary::Neg, size.max(Size::D));
                cx.push(negate.dst(negated).src1(src));
                negated
            } else {
                src
            };
            let amode = address(cx, ptr);
            let mem = cx.mem(amode);
            let dst = cx.result(result);
            cx.push(MInst::new(Op::Xadd, size).dst(dst).src1(src).mem(mem));
        }
        RmwOp::Nand => compare_exchange_loop(cx, op, size, ptr, value, result),
        _ if used => compare_exchange_loop(cx, op, size, ptr, value, result),
        _ => locked_alu(cx, alu_of(op), size, ptr, value),
    }
}

fn alu_of(op: RmwOp) -> Alu {
    match op {
        RmwOp::Add => Alu::Add,
        RmwOp::Sub => Alu::Sub,
        RmwOp::Or => Alu::Or,
        RmwOp::Xor => Alu::Xor,
        _ => Alu::And,
    }
}

fn locked_alu(cx: &mut Ctx, op: Alu, size: Size, ptr: Value, value: Value) {
    let inst = MInst::alu_m(op, size).with_bits(bits::LOCK);
    if let Some(imm) = cx.imm32(value, size) {
        let amode = address(cx, ptr);
        return cx.push_mem(inst.imm(imm), amode);
    }
    let src = cx.reg(value);
    let amode = address(cx, ptr);
    cx.push_mem(inst.src2(src), amode);
}

/// `old = [ptr]; do new = op(old, value) while (!cmpxchg(ptr, &old, new))`.
fn compare_exchange_loop(cx: &mut Ctx, op: RmwOp, size: Size, ptr: Value, value: Value, result: Value) {
    let operand = cx.reg(value);
    let amode = address(cx, ptr);
    let old = cx.in_gpr(|cx, dst| cx.load_gpr(size, dst, amode));
    let (head, exit) = (cx.new_extra_block(), cx.new_extra_block());
    cx.push(MInst::jmp(head));
    cx.begin_extra_block(head);
    let wide = size.max(Size::D);
    let mut new = cx.alu_new(alu_of(op), wide, old, operand);
    if op == RmwOp::Nand {
        new = cx.in_gpr(|cx, dst| cx.push(MInst::unary(Unary::Not, wide).dst(dst).src1(new)));
    }
    let found = cx.in_gpr(|cx, dst| cx.push_mem(MInst::new(Op::Cmpxchg, size).dst(dst).src1(old).src2(new), amode));
    cx.copy(old, found);
    cx.push(MInst::jcc(Cond::NE, head, exit));
    cx.begin_extra_block(exit);
    let dst = cx.result(result);
    cx.copy(dst, old);
}

fn wide_rmw(cx: &mut Ctx, op: RmwOp, data: &InstData, ptr: Value, value: Value, result: Value) {
    let name = match op {
        RmwOp::Xchg => "__atomic_exchange_16",
        RmwOp::Add => "__atomic_fetch_add_16",
        RmwOp::Sub => "__atomic_fetch_sub_16",
        RmwOp::And => "__atomic_fetch_and_16",
        RmwOp::Nand => "__atomic_fetch_nand_16",
        RmwOp::Or => "__atomic_fetch_or_16",
        RmwOp::Xor => "__atomic_fetch_xor_16",
    };
    let pointer = cx.reg(ptr);
    let (low, high) = pair(cx, value);
    let order = order_argument(cx, data.ordering());
    let dst = cx.result(result);
    wide_call(cx, name, &[(pointer, RDI), (low, RSI), (high, RDX), (order, RCX)], Some(dst));
}

/// `cmpxchg`: old value and success flag.
pub fn select_compare_exchange(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (ptr, expected, desired) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    let mut results = cx.func.results(inst);
    let (old, success) = (results.next().expect("old value"), results.next().expect("success flag"));
    if is_wide(data.ty) {
        return wide_compare_exchange(cx, data, ptr, expected, desired, old, success);
    }
    let size = int_size(data.ty);
    let (x, y) = (cx.reg(expected), cx.reg(desired));
    // The desired value must not be in rax with the expected one.
    let y = if x == y { cx.copied(y) } else { y };
    let amode = address(cx, ptr);
    let mem = cx.mem(amode);
    let found = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Cmpxchg, size).dst(dst).src1(x).src2(y).mem(mem)));
    if cx.is_needed(success) {
        let flag = cx.result(success);
        cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::E).dst(flag));
    }
    if cx.is_needed(old) {
        let dst = cx.result(old);
        cx.copy(dst, found);
    }
}

/// Whether `cmpxchg16b`, which wants `rbx`, can be used.
fn has_cmpxchg16b(cx: &Ctx) -> bool {
    cx.has(X86Features::CX16) && !cx.cx.module.reserved_registers.contains(RBX)
}

fn wide_compare_exchange(
    cx: &mut Ctx,
    data: &InstData,
    ptr: Value,
    expected: Value,
    desired: Value,
    old: Value,
    success: Value,
) {
    let (low, high) = pair(cx, expected);
    let (new_low, new_high) = pair(cx, desired);
    let (dst, flag) = (cx.result(old), cx.result(success));
    let (found_low, found_high) = (cx.temp_gpr(), cx.temp_gpr());
    if has_cmpxchg16b(cx) {
        let amode = address(cx, ptr);
        let mem = cx.mem(amode);
        let operands = [
            ListOperand::use_fixed(low, RAX),
            ListOperand::use_fixed(high, RDX),
            ListOperand::use_fixed(new_low, RBX),
            ListOperand::use_fixed(new_high, RCX),
            ListOperand::def_fixed(found_low, RAX),
            ListOperand::def_fixed(found_high, RDX),
        ];
        cx.push_list(MInst::new(Op::Cmpxchg16, Size::Q).mem(mem), &operands);
        cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::E).dst(flag));
    } else {
        let slot = cx.out.new_slot(16, 16);
        let place = Amode::slot(slot, 0);
        cx.store_gpr(Size::Q, place, low);
        cx.store_gpr(Size::Q, place.offset(8), high);
        let pointer = cx.reg(ptr);
        let expected_address = cx.in_gpr(|cx, dst| cx.lea(dst, place));
        let success_order = order_argument(cx, data.ordering());
        let failure_order = order_argument(cx, data.failure_ordering());
        let args = [
            (pointer, RDI),
            (expected_address, RSI),
            (new_low, RDX),
            (new_high, RCX),
            (success_order, R8),
            (failure_order, R9),
        ];
        let result = cx.temp_gpr();
        library_call(cx, "__atomic_compare_exchange_16", &args, &[(result, RAX)]);
        cx.load_gpr(Size::Q, found_low, place);
        cx.load_gpr(Size::Q, found_high, place.offset(8));
        cx.copy(flag, result);
    }
    cx.copy_pair(dst, found_low, found_high);
}

/// `fence`.
pub fn select_fence(cx: &mut Ctx, data: &InstData) {
    if let InstView::Fence { order: Ordering::SeqCst, signal_only: false } = data.view() {
        cx.push(MInst::fence(FenceKind::Full));
    }
}
