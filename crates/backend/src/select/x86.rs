//! Target-specific vector operations (`Intrinsic::X86`): one instruction each, described by [`crate::x86_operations`].

use ir::{Inst, Type, Value};
use object::{
    Cond, Size,
    encode::{Sse, sse::SseShift},
};
use target::registers::RDI;

use super::{
    compare::{Flags, float_cond},
    context::{Ctx, int_size},
    memory::address,
};
use crate::{
    machine::{Amode, ListOperand, MInst, Op, VReg, bits},
    x86_operations::{FenceKind, Form, form},
};

/// One operation.
pub fn select_operation(cx: &mut Ctx, inst: Inst, list: &[Value]) {
    let number = cx.func.const_i64(list[0]).unwrap_or(-1);
    let Some(form) = u32::try_from(number).ok().and_then(form) else {
        base::bug!("vector operation number {number} does not exist")
    };
    let args = &list[1..];
    match form {
        Form::Binary { op, swapped, imm } => {
            let (a, b) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
            let (x, y) = (cx.reg(a), cx.reg(b));
            let dst = result(cx, inst);
            match imm {
                Some(imm) => cx.xmm_imm(op, dst, x, y, imm),
                None => cx.xmm(op, dst, x, y),
            }
        }
        Form::BinaryImmediate(op, divisor) => {
            let imm = immediate(cx, args[2]) / i64::from(divisor);
            let (x, y) = (cx.reg(args[0]), cx.reg(args[1]));
            let dst = result(cx, inst);
            cx.xmm_imm(op, dst, x, y, imm as u8);
        }
        Form::UnaryImmediate(op) => {
            let imm = immediate(cx, args[1]);
            let x = cx.reg(args[0]);
            let dst = result(cx, inst);
            cx.xmm_un_imm(op, dst, x, imm as u8);
        }
        Form::Unary(op) => {
            // Scalar forms keep the upper lanes of their first operand, which is the same register.
            let x = cx.reg(args[0]);
            let dst = result(cx, inst);
            cx.xmm(op, dst, x, x);
        }
        Form::Shift(op, variable) => shift(cx, inst, op, variable, args[0], args[1]),
        Form::FromInt(op) => {
            let (x, int) = (cx.reg(args[0]), cx.reg(args[1]));
            let size = int_size(cx.ty(args[1])).max(Size::D);
            let dst = result(cx, inst);
            cx.push(MInst::new(Op::XmmInsert, size).code(op as u16).dst(dst).src1(x).src2(int));
        }
        Form::ToInt(op) => {
            let x = cx.reg(args[0]);
            let value = cx.func.first_result(inst);
            let size = int_size(cx.ty(value)).max(Size::D);
            let dst = cx.result(value);
            cx.xmm_to_gpr(op, size, dst, x);
        }
        Form::Compare { double, signaling, cc } => {
            let (flags, swap) = float_cond(cc);
            let (x, y) = (cx.reg(args[0]), cx.reg(args[1]));
            let (x, y) = if swap { (y, x) } else { (x, y) };
            let op = match (double, signaling) {
                (true, true) => Sse::Comisd,
                (true, false) => Sse::Ucomisd,
                (false, true) => Sse::Comiss,
                (false, false) => Sse::Ucomiss,
            };
            cx.push(MInst::new(Op::XmmCmp, Size::D).code(op as u16).src1(x).src2(y).with_bits(bits::NO_FOLD));
            flag(cx, inst, flags);
        }
        Form::Test { carry } => {
            let (x, y) = (cx.reg(args[0]), cx.reg(args[1]));
            let test = MInst::new(Op::XmmCmp, Size::D).code(Sse::Ptest as u16);
            cx.push(test.src1(x).src2(y).with_bits(bits::NO_FOLD));
            flag(cx, inst, Flags { cond: if carry { Cond::B } else { Cond::E }, parity: 0 });
        }
        Form::Blend => {
            let (x, y, mask) = (cx.reg(args[0]), cx.reg(args[1]), cx.reg(args[2]));
            let dst = result(cx, inst);
            cx.push(MInst::new(Op::Blend, Size::D).dst(dst).src1(x).src2(y).with_aux(mask));
        }
        Form::Crc32(size) => {
            let (x, value) = (cx.reg(args[0]), cx.reg(args[1]));
            let dst = result(cx, inst);
            cx.push(MInst::new(Op::Crc32, size).dst(dst).src1(x).src2(value));
        }
        _ => memory_operation(cx, inst, form, args),
    }
}

/// Operations whose point is memory or machine state.
fn memory_operation(cx: &mut Ctx, inst: Inst, form: Form, args: &[Value]) {
    match form {
        Form::LoadHalf(op) => {
            let x = cx.reg(args[0]);
            let amode = address(cx, args[1]);
            let mem = cx.mem(amode);
            let dst = result(cx, inst);
            cx.push(MInst::new(Op::Xmm, Size::D).code(op as u16).dst(dst).src1(x).mem(mem));
        }
        Form::Load(op) => {
            let amode = address(cx, args[0]);
            let dst = result(cx, inst);
            cx.xmm_load(op, dst, amode);
        }
        Form::Store(op) => {
            let x = cx.reg(args[1]);
            let amode = address(cx, args[0]);
            cx.xmm_store(op, amode, x);
        }
        Form::StoreInt => {
            let src = cx.reg(args[1]);
            let size = int_size(cx.ty(args[1])).max(Size::D);
            let amode = address(cx, args[0]);
            let mem = cx.mem(amode);
            cx.push(MInst::new(Op::StoreNt, size).mem(mem).src2(src));
        }
        Form::MaskedStore => {
            let (x, mask, pointer) = (cx.reg(args[0]), cx.reg(args[1]), cx.reg(args[2]));
            let operands = [ListOperand::use_fixed(pointer, RDI), ListOperand::use_reg(x), ListOperand::use_reg(mask)];
            cx.push_list(MInst::new(Op::MaskedStore, Size::D), &operands);
        }
        Form::Flush => {
            let amode = address(cx, args[0]);
            let mem = cx.mem(amode);
            cx.push(MInst::new(Op::Flush, Size::B).mem(mem));
        }
        Form::Fence(kind) => {
            let code = match kind {
                FenceKind::Full => 0,
                FenceKind::Load => 1,
                FenceKind::Store => 2,
            };
            cx.push(MInst::new(Op::Fence, Size::D).code(code));
        }
        Form::SetMxcsr => set_mxcsr(cx, args[0]),
        Form::GetMxcsr => {
            let dst = result(cx, inst);
            get_mxcsr(cx, dst);
        }
        _ => base::bug!("{form:?} is no memory operation"),
    }
}

/// `ldmxcsr`.
pub fn set_mxcsr(cx: &mut Ctx, value: Value) {
    let src = cx.reg(value);
    let slot = cx.out.new_slot(4, 4);
    cx.store_gpr(Size::D, Amode::slot(slot, 0), src);
    let mem = cx.mem(Amode::slot(slot, 0));
    cx.push(MInst::new(Op::Mxcsr, Size::D).code(0).mem(mem));
}

/// `stmxcsr`.
pub fn get_mxcsr(cx: &mut Ctx, dst: VReg) {
    let slot = cx.out.new_slot(4, 4);
    let mem = cx.mem(Amode::slot(slot, 0));
    cx.push(MInst::new(Op::Mxcsr, Size::D).code(1).mem(mem));
    cx.load_gpr(Size::D, dst, Amode::slot(slot, 0));
}

fn result(cx: &mut Ctx, inst: Inst) -> VReg {
    cx.result(cx.func.first_result(inst))
}

/// 0 or 1 as the i32 result.
fn flag(cx: &mut Ctx, inst: Inst, flags: Flags) {
    let dst = result(cx, inst);
    let byte = cx.temp_gpr();
    super::compare::set_value(cx, flags, byte);
    cx.movzx(Size::B, dst, byte);
}

fn immediate(cx: &mut Ctx, value: Value) -> i64 {
    match cx.func.const_i64(value) {
        Some(imm) => imm,
        None => {
            let loc = cx.loc();
            cx.error(loc, "the last argument must be an 8-bit immediate");
            0
        }
    }
}

fn shift(cx: &mut Ctx, inst: Inst, op: SseShift, variable: Option<Sse>, a: Value, count: Value) {
    let x = cx.reg(a);
    let Some(op_by_register) = variable else {
        let bits = immediate(cx, count);
        let dst = result(cx, inst);
        return cx.xmm_shift(op, dst, x, (bits / 8).clamp(0, 16) as u8);
    };
    match cx.func.const_i64(count) {
        // Counts beyond the width clear the lane (or fill it with signs): the instruction does the same for 255.
        Some(count) => {
            let dst = result(cx, inst);
            cx.xmm_shift(op, dst, x, u8::try_from(count).unwrap_or(255));
        }
        None => {
            let int = cx.reg(count);
            let moved = cx.temp(Type::I64.vector(2));
            cx.gpr_to_xmm(Sse::MovToXmm, Size::D, moved, int);
            let dst = result(cx, inst);
            cx.xmm(op_by_register, dst, x, moved);
        }
    }
}
