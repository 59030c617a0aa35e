//! Rare operations: frame and return addresses, non-local jumps, trampolines, rounding, control
//! registers, dynamic stack blocks.

use ir::{Inst, InstData, InstView, Intrinsic, Opcode, Type, Value};
use object::{
    Size,
    encode::{Alu, Prefetch, Shift},
};
use platform::registers::{RAX, RCX};

use super::{address::address, context::Ctx, float::select_round, vector, x86, x87};
use crate::machine::{Amode, ListOperand, MInst, Op, VReg, X87Mem};
use ir::abi;

/// An intrinsic.
pub fn select_intrinsic(cx: &mut Ctx, inst: Inst, data: &InstData) {
    use Intrinsic::*;
    let args = cx.list(inst);
    let intrinsic = data.intrinsic();
    match intrinsic {
        Trap => cx.push(MInst::new(Op::Trap, Size::D)),
        FrameAddress => frame_address(cx, inst, args[0]),
        ReturnAddress => return_address(cx, inst, args[0]),
        DwarfCfa => {
            let dst = cx.root_result();
            lea(cx, dst, Amode::incoming(0));
        }
        ArgumentRegisters => {
            let old = cx.out.argument_registers;
            cx.out.argument_registers = Some(address_of_slot(cx, old, u64::from(abi::SAVE_AREA_SIZE), 16));
        }
        CleanupList => {
            let old = cx.out.cleanup_list;
            cx.out.cleanup_list = Some(address_of_slot(cx, old, crate::encode::CLEANUP_LIST_SIZE, 8));
            cx.out.has_calls = true;
        }
        SetJmp => set_jump(cx, inst, args[0]),
        LongJmp => {
            let buffer = cx.reg(args[0]);
            cx.push(MInst::new(Op::LongJmp, Size::Q).src2(buffer));
        }
        NonlocalGoto => {
            let (fp, sp, target) = (cx.reg(args[0]), cx.reg(args[1]), cx.reg(args[2]));
            let operands = [
                ListOperand::use_fixed(fp, RCX),
                ListOperand::use_fixed(sp, platform::registers::RDX),
                ListOperand::use_fixed(target, RAX),
            ];
            cx.push_list(MInst::new(Op::NonlocalJump, Size::Q), &operands);
        }
        ClearCache | Assume | ScopeBegin | ScopeEnd => {}
        UnwindInit => cx.out.saves_all = true,
        EhReturn => {
            cx.out.needs_frame_pointer = true;
            cx.out.saves_all = true;
            cx.out.eh_return = true;
            let (offset, handler) = (cx.reg(args[0]), cx.reg(args[1]));
            let operands = [ListOperand::use_fixed(offset, RCX), ListOperand::use_fixed(handler, RAX)];
            cx.push_list(MInst::new(Op::EhReturn, Size::Q), &operands);
        }
        ThreadPointer => {
            let dst = cx.root_result();
            super::tls::thread_pointer(cx, dst);
        }
        IsConstant => {
            let known = cx.func.constant(args[0]).is_some();
            integer(cx, Size::D, known.into());
        }
        Expect | KnownBytes => {
            let src = cx.reg(args[0]);
            let dst = cx.root_result();
            cx.copy_parts(data.ty, dst, src);
        }
        ObjectSize => {
            let mode = cx.func.const_i64(args[1]).unwrap_or(0);
            integer(cx, Size::Q, if mode & 2 == 0 { -1 } else { 0 });
        }
        Pause => cx.push(MInst::new(Op::Pause, Size::D)),
        Rdtsc => time_stamp(cx),
        // roundsd's immediate: 0 nearest, 1 down, 2 up, 3 toward zero, 4 current mode; 8 = no
        // precision exception.
        Rint => select_round(cx, inst, args[0], 4, ["rintf", "rint", "rintl", "rintf128"]),
        Floor => select_round(cx, inst, args[0], 9, ["floorf", "floor", "floorl", "floorf128"]),
        Ceil => select_round(cx, inst, args[0], 10, ["ceilf", "ceil", "ceill", "ceilf128"]),
        TruncF => select_round(cx, inst, args[0], 11, ["truncf", "trunc", "truncl", "truncf128"]),
        StaticChain => {
            let chain = cx.static_chain.unwrap_or_else(|| cx.temp_gpr());
            cx.static_chain = Some(chain);
            let dst = cx.root_result();
            cx.copy(dst, chain);
        }
        InitTrampoline => init_trampoline(cx, &args),
        MoveMask => vector::select_movemask(cx, inst, args[0]),
        MaskedStore => x86::masked_store(cx, &args),
        X86 => x86::select_operation(cx, inst, &args),
        GetMxcsr => {
            let dst = cx.root_result();
            x86::get_mxcsr(cx, dst);
        }
        X87Load => {
            let single = cx.func.const_i64(args[1]) == Some(4);
            let amode = address(cx, args[0]);
            x87::mem_op(cx, if single { X87Mem::Fld32 } else { X87Mem::Fld64 }, amode);
            x87::pop_result(cx, cx.func.first_result(inst));
        }
        X87Store => {
            let single = cx.func.const_i64(args[2]) == Some(4);
            x87::push_value(cx, args[1]);
            let amode = address(cx, args[0]);
            x87::mem_op(cx, if single { X87Mem::Fstp32 } else { X87Mem::Fstp64 }, amode);
        }
        SetMxcsr => x86::set_mxcsr(cx, args[0]),
    }
}

/// The root is a number.
fn integer(cx: &mut Ctx, size: Size, number: i64) {
    let dst = cx.root_result();
    cx.move_imm(size, dst, number);
}

fn time_stamp(cx: &mut Ctx) {
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    cx.push(MInst::new(Op::Rdtsc, Size::D).dst(low).with_aux(high));
    let upper = cx.shift_imm_new(Shift::Shl, Size::Q, high, 32);
    let dst = cx.root_result();
    cx.alu(Alu::Or, Size::Q, dst, upper, low);
}

/// The root is the address of a slot that the function has one of; the slot.
fn address_of_slot(cx: &mut Ctx, old: Option<u32>, size: u64, align: u32) -> u32 {
    let slot = old.unwrap_or_else(|| cx.out.new_slot(size, align));
    let dst = cx.root_result();
    lea(cx, dst, Amode::slot(slot, 0));
    slot
}

fn lea(cx: &mut Ctx, dst: VReg, amode: Amode) {
    cx.lea(dst, amode);
}

/// The frame pointer `level` frames up.
fn frame_up(cx: &mut Ctx, level: Value) -> VReg {
    cx.out.needs_frame_pointer = true;
    let mut frame = cx.temp_gpr();
    cx.push(MInst::new(Op::GetFp, Size::Q).dst(frame));
    // A deep level is a chain of loads; the front end takes constants only.
    const MAX_LEVEL: i64 = 1000;
    for _ in 0..cx.func.const_i64(level).unwrap_or(0).clamp(0, MAX_LEVEL) {
        frame = cx.in_gpr(|cx, dst| cx.load_gpr(Size::Q, dst, Amode::base(frame, 0)));
    }
    frame
}

fn frame_address(cx: &mut Ctx, _inst: Inst, level: Value) {
    let frame = frame_up(cx, level);
    let dst = cx.root_result();
    cx.copy(dst, frame);
}

fn return_address(cx: &mut Ctx, _inst: Inst, level: Value) {
    if cx.func.const_i64(level) == Some(0) {
        let dst = cx.root_result();
        return cx.load_gpr(Size::Q, dst, Amode::incoming(-8));
    }
    let frame = frame_up(cx, level);
    let dst = cx.root_result();
    cx.load_gpr(Size::Q, dst, Amode::base(frame, 8));
}

/// `__builtin_setjmp`: the buffer gets frame pointer, address of the receiver and stack pointer
/// (gcc's layout). The receiver starts with nothing in registers.
fn set_jump(cx: &mut Ctx, inst: Inst, buffer: Value) {
    cx.out.needs_frame_pointer = true;
    cx.out.saves_all = true;
    cx.out.calls_setjmp = true;
    cx.out.has_calls = true;
    let to = address(cx, buffer);
    let (receiver, join) = (cx.new_extra_block(), cx.new_extra_block());
    let (fp, sp, target) = (cx.temp_gpr(), cx.temp_gpr(), cx.temp_gpr());
    cx.push(MInst::new(Op::GetFp, Size::Q).dst(fp));
    cx.store_gpr(Size::Q, to, fp);
    cx.push(MInst::to_block(Op::BlockAddress, receiver).dst(target));
    cx.store_gpr(Size::Q, to.offset(8), target);
    cx.push(MInst::new(Op::GetSp, Size::Q).dst(sp));
    cx.store_gpr(Size::Q, to.offset(16), sp);
    cx.push(MInst::new(Op::ClobberAll, Size::Q));
    cx.push(MInst::fork(join, receiver));
    let result = cx.func.first_result(inst);
    let slot = cx.out.new_slot(4, 4);
    cx.begin_extra_block(receiver);
    cx.push(MInst::new(Op::ClobberAll, Size::Q));
    cx.store_imm(Size::D, Amode::slot(slot, 0), 1);
    let after = cx.new_extra_block();
    cx.push(MInst::jmp(after));
    cx.begin_extra_block(join);
    cx.store_imm(Size::D, Amode::slot(slot, 0), 0);
    cx.push(MInst::jmp(after));
    cx.begin_extra_block(after);
    let dst = cx.result(result);
    cx.load_gpr(Size::D, dst, Amode::slot(slot, 0));
}

/// The trampoline of a nested function: `movabs $function, %r11; movabs $chain, %r10; jmp *%r11`.
fn init_trampoline(cx: &mut Ctx, args: &[Value]) {
    let to = address(cx, args[0]);
    let (function, chain) = (cx.reg(args[1]), cx.reg(args[2]));
    cx.store_imm(Size::W, to, 0xbb49u16 as i16 as i32);
    cx.store_gpr(Size::Q, to.offset(2), function);
    cx.store_imm(Size::W, to.offset(10), 0xba49u16 as i16 as i32);
    cx.store_gpr(Size::Q, to.offset(12), chain);
    cx.store_imm(Size::D, to.offset(20), 0x90e3_ff49u32 as i32);
}

/// `dyn_alloca`.
pub fn select_dyn_alloca(cx: &mut Ctx, inst: Inst, data: &InstData) {
    cx.out.has_dynamic_stack = true;
    cx.out.needs_frame_pointer = true;
    let size = cx.reg(cx.arg(data, 0));
    let align = (1i32 << data.dyn_align_log2().min(30)).max(16);
    // Round the size up so that the stack pointer stays aligned.
    let padded = cx.temp_gpr();
    lea(cx, padded, Amode::base(size, 15));
    let rounded = cx.alu_imm_new(Alu::And, Size::Q, padded, -16);
    let dst = cx.result(cx.func.first_result(inst));
    cx.push(MInst::new(Op::DynAlloca, Size::Q).dst(dst).src2(rounded).imm(align));
}

/// `stack_save`.
pub fn select_stack_save(cx: &mut Ctx, inst: Inst) {
    let dst = cx.result(cx.func.first_result(inst));
    cx.push(MInst::new(Op::GetSp, Size::Q).dst(dst));
}

/// `stack_restore`.
pub fn select_stack_restore(cx: &mut Ctx, data: &InstData) {
    cx.out.has_dynamic_stack = true;
    cx.out.needs_frame_pointer = true;
    let src = cx.reg(cx.arg(data, 0));
    cx.push(MInst::new(Op::SetSp, Size::Q).src2(src));
}

/// A value that a debugger shows up to here: in a register or a spill slot.
pub fn select_keep(cx: &mut Ctx, data: &InstData) {
    let value = cx.arg(data, 0);
    let ty = cx.func.value_type(value);
    let known = cx.func.def_inst(value).map(|inst| cx.func.insts[inst].opcode);
    let constant = cx.func.constant(value).is_some() || matches!(known, Some(Opcode::Undef | Opcode::Alloca));
    let held = if constant || ty == Type::I128 || ty == Type::F80 || ty.store_size() > 16 {
        VReg::NONE
    } else {
        cx.reg(value)
    };
    cx.push(MInst::new(Op::Keep, Size::Q).src1(held));
}

/// `prefetch`.
pub fn select_prefetch(cx: &mut Ctx, data: &InstData) {
    let InstView::Prefetch { addr, write, locality } = data.view() else { return };
    let amode = address(cx, addr);
    let mem = cx.mem(amode);
    // Locality 0 is non-temporal, 3 every cache level; a write hint needs PRFCHW.
    let write = write && cx.has(platform::options::X86Features::PRFCHW);
    let levels = [Prefetch::Nta, Prefetch::T2, Prefetch::T1, Prefetch::T0];
    let hint = if write { Prefetch::W } else { levels[locality.min(3) as usize] };
    cx.push(MInst::prefetch(hint).mem(mem));
}
