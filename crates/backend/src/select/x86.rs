//! Target-specific vector operations (`Intrinsic::X86`): one instruction each, described by
//! [`crate::x86::operations`].

use ir::{Inst, Type, Value};
use object::{
    Cond, Size,
    encode::{Sse, Vex, sse::SseShift},
};
use platform::registers::{RAX, RCX, RDX, XMM0};

use super::{
    address::address,
    compare::{Flags, float_cond},
    context::{Ctx, int_size},
};
use crate::{
    machine::{Amode, ListOperand, MInst, Mxcsr, Op, VReg, bits},
    x86::operations::{Form, Insn, form},
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
            let (x, y) = (cx.in_one_register(a), cx.in_one_register(b));
            let dst = result(cx, inst);
            binary(cx, op, dst, x, y, imm.unwrap_or(0));
        }
        Form::BinaryImmediate(op, divisor) => {
            let imm = immediate(cx, args[2]) / i64::from(divisor);
            let (x, y) = (cx.in_one_register(args[0]), cx.in_one_register(args[1]));
            let dst = result(cx, inst);
            binary(cx, op, dst, x, y, imm as u8);
        }
        Form::UnaryImmediate(op) => {
            let imm = immediate(cx, args[1]);
            let x = cx.in_one_register(args[0]);
            let dst = result(cx, inst);
            match op {
                Insn::Sse(op) => cx.xmm_un_imm(op, dst, x, imm as u8),
                Insn::Vex(op) => cx.vex(op, dst, VReg::NONE, x, imm as u8),
            }
        }
        Form::Unary(op) => {
            let x = cx.in_one_register(args[0]);
            let dst = result(cx, inst);
            match op {
                // Scalar forms keep the upper lanes of their first operand, which is the same
                // register.
                Insn::Sse(op) => cx.xmm(op, dst, x, x),
                Insn::Vex(op) => cx.vex(op, dst, VReg::NONE, x, 0),
            }
        }
        Form::Shift(op, variable) => shift(cx, inst, op, variable, args[0], args[1]),
        Form::FromInt(op) => {
            let (x, int) = (cx.in_one_register(args[0]), cx.in_one_register(args[1]));
            let size = int_size(cx.ty(args[1])).max(Size::D);
            let dst = result(cx, inst);
            cx.push(MInst::xmm_insert(op, size).dst(dst).src1(x).src2(int));
        }
        Form::ToInt(op) => {
            let x = cx.in_one_register(args[0]);
            let value = cx.func.first_result(inst);
            let size = int_size(cx.ty(value)).max(Size::D);
            let dst = cx.result(value);
            cx.xmm_to_gpr(op, size, dst, x);
        }
        Form::Compare { double, signaling, cc } => {
            let (flags, swap) = float_cond(cc);
            let op = Sse::compare(double, signaling);
            test(cx, inst, Insn::Sse(op), flags, (args[0], args[1]), swap);
        }
        Form::Test(op, cond) => test(cx, inst, op, Flags { cond, parity: 0 }, (args[0], args[1]), false),
        Form::Blend(op) => {
            let (x, y, mask) = (cx.in_one_register(args[0]), cx.in_one_register(args[1]), cx.in_one_register(args[2]));
            let dst = result(cx, inst);
            cx.push(MInst::blend(op).dst(dst).src1(x).src2(y).with_aux(mask));
        }
        Form::StringCompare { op, cond } => string_compare(cx, inst, op, cond, args),
        Form::Fused(op) => {
            let (x, y, z) = (cx.in_one_register(args[0]), cx.in_one_register(args[1]), cx.in_one_register(args[2]));
            let dst = result(cx, inst);
            cx.push(MInst::fma(op).dst(dst).src1(x).src2(y).with_aux(z));
        }
        Form::ToHalf => {
            let imm = immediate(cx, args[1]);
            let x = cx.in_one_register(args[0]);
            let dst = result(cx, inst);
            cx.vex(Vex::Vcvtps2ph, dst, VReg::NONE, x, imm as u8);
        }
        Form::General { op, swapped } => {
            let (a, b) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
            let (x, y) = (cx.in_one_register(a), cx.in_one_register(b));
            let value = cx.func.first_result(inst);
            let size = int_size(cx.ty(value));
            let dst = cx.result(value);
            cx.push(MInst::vex(op, size).dst(dst).src1(x).src2(y));
        }
        Form::Crc32(size) => {
            let (x, value) = (cx.in_one_register(args[0]), cx.in_one_register(args[1]));
            let dst = result(cx, inst);
            cx.push(MInst::new(Op::Crc32, size).dst(dst).src1(x).src2(value));
        }
        Form::Load(op) => {
            let amode = address(cx, args[0]);
            let dst = result(cx, inst);
            cx.xmm_load(op, dst, amode);
        }
    }
}

/// A comparison of two vectors whose flags are the result.
fn test(cx: &mut Ctx, inst: Inst, op: Insn, flags: Flags, (a, b): (Value, Value), swap: bool) {
    let (x, y) = (cx.in_one_register(a), cx.in_one_register(b));
    let (x, y) = if swap { (y, x) } else { (x, y) };
    let test = match op {
        Insn::Sse(op) => MInst::xmm_cmp(op),
        Insn::Vex(op) => MInst::vex_cmp(op),
    };
    cx.push(test.src1(x).src2(y).with_bits(bits::NO_FOLD));
    flag(cx, inst, flags);
}

/// `dst = x op y [, imm]`.
fn binary(cx: &mut Ctx, op: Insn, dst: VReg, x: VReg, y: VReg, imm: u8) {
    match op {
        Insn::Sse(op) => cx.xmm_imm(op, dst, x, y, imm),
        Insn::Vex(op) => cx.vex(op, dst, x, y, imm),
    }
}

fn string_compare(cx: &mut Ctx, inst: Inst, op: Sse, cond: Option<Cond>, args: &[Value]) {
    let explicit = args.len() == 5;
    let imm = immediate(cx, args[args.len() - 1]) as u8;
    let (a, b) = (cx.reg(args[0]), cx.reg(args[if explicit { 2 } else { 1 }]));
    let is_mask = matches!(op, Sse::Pcmpistrm | Sse::Pcmpestrm);
    let out = match (is_mask, cond) {
        (true, _) => cx.temp_xmm(),
        _ => cx.temp_gpr(),
    };
    let mut operands = vec![
        ListOperand::def_fixed(out, if is_mask { XMM0 } else { RCX }),
        ListOperand::use_reg(a),
        ListOperand::use_reg(b),
    ];
    if explicit {
        let (la, lb) = (cx.reg(args[1]), cx.reg(args[3]));
        operands.push(ListOperand::use_fixed(la, RAX));
        operands.push(ListOperand::use_fixed(lb, RDX));
    }
    cx.push_list(MInst::string_compare(op).imm(i32::from(imm)), &operands);
    match cond {
        Some(cond) => flag(cx, inst, Flags { cond, parity: 0 }),
        None => {
            let dst = result(cx, inst);
            cx.copy(dst, out);
        }
    }
}

/// `vmaskmovps`, `vmaskmovpd`: pointer, mask, vector.
pub fn masked_store(cx: &mut Ctx, args: &[Value]) {
    let wide_lanes = cx.ty(args[2]).lane().store_size() == 8;
    let (mask, vector) = (cx.in_one_register(args[1]), cx.in_one_register(args[2]));
    let amode = address(cx, args[0]);
    let op = if wide_lanes { Vex::VmaskmovpdStore } else { Vex::VmaskmovpsStore };
    cx.push_mem(MInst::masked_store(op).src1(mask).src2(vector), amode);
}

/// `ldmxcsr`.
pub fn set_mxcsr(cx: &mut Ctx, value: Value) {
    let src = cx.reg(value);
    let slot = cx.out.new_slot(4, 4);
    cx.store_gpr(Size::D, Amode::slot(slot, 0), src);
    cx.push_mem(MInst::mxcsr(Mxcsr::Load), Amode::slot(slot, 0));
}

/// `stmxcsr`.
pub fn get_mxcsr(cx: &mut Ctx, dst: VReg) {
    let slot = cx.out.new_slot(4, 4);
    cx.push_mem(MInst::mxcsr(Mxcsr::Store), Amode::slot(slot, 0));
    cx.load_gpr(Size::D, dst, Amode::slot(slot, 0));
}

/// The register to write the result to.
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
    let x = cx.in_one_register(a);
    let Some(op_by_register) = variable else {
        let bits = immediate(cx, count);
        let dst = result(cx, inst);
        return cx.xmm_shift(op, dst, x, (bits / 8).clamp(0, 16) as u8);
    };
    match cx.func.const_i64(count) {
        // Counts beyond the width clear the lane (or fill it with signs): the instruction does the
        // same for 255.
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
