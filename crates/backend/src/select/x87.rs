//! `long double`: x87 values live in 16-byte frame slots, expressions are evaluated on the x87
//! stack.
//!
//! An instruction is selected together with the single-use x87 operations below it, so that a whole
//! expression tree runs on the stack and only its root is stored. The stack is empty between IR
//! instructions, calls included. [`crate::x87_stack`] keeps values there afterwards.

use ir::{Constant, FloatCc, Inst, InstData, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse, X87},
};

use super::{
    address::address,
    compare::float_cond,
    constants::constant_amode,
    context::{Ctx, Holder, int_size},
};
use crate::machine::{Amode, MInst, Op, VReg, X87Mem, X87Reg};

/// Depth of the expression evaluated on the eight-register stack.
const MAX_DEPTH: u32 = 6;

/// An x87 instruction with a memory operand.
pub fn mem_op(cx: &mut Ctx, code: X87Mem, amode: Amode) {
    cx.push_mem(MInst::x87_m(code), amode);
}

fn plain(cx: &mut Ctx, op: X87) {
    cx.push(MInst::x87(op));
}

fn stack_op(cx: &mut Ctx, op: X87Reg, index: u8) {
    cx.push(MInst::x87_r(op).imm(i32::from(index)));
}

/// A scratch slot of 16 bytes.
fn scratch(cx: &mut Ctx) -> Amode {
    let slot = cx.out.new_slot(16, 16);
    Amode::slot(slot, 0)
}

/// Pushes a value on the x87 stack.
pub fn push_value(cx: &mut Ctx, value: Value) {
    push_at(cx, value, 0);
}

fn push_at(cx: &mut Ctx, value: Value, depth: u32) {
    if let Some(constant) = cx.func.constant(value) {
        let bits = match constant {
            Constant::Bits(bits) => *bits,
            _ => base::bug!("x87 constant of a strange kind"),
        };
        return push_constant(cx, bits);
    }
    if let Some((_, load)) = cx.foldable_load(value) {
        let amode = address(cx, cx.arg(&load, 0));
        return mem_op(cx, X87Mem::Fld80, amode);
    }
    if let Some((inst, data)) = cx.def(value)
        && depth < MAX_DEPTH
        && cx.can_absorb(value, inst)
        && is_tree_op(cx, &data)
    {
        return push_operation(cx, &data, depth + 1);
    }
    let slot = cx.slot_of(value);
    mem_op(cx, X87Mem::Fld80, Amode::slot(slot, 0));
}

fn push_constant(cx: &mut Ctx, bits: u128) {
    const ONE: u128 = 0x3fff_8000_0000_0000_0000;
    match bits {
        0 => plain(cx, X87::Fldz),
        ONE => plain(cx, X87::Fld1),
        _ => {
            let (load, bits, bytes) = shortest(bits);
            let amode = constant_amode(cx, bits, bytes);
            mem_op(cx, load, amode);
        }
    }
}

/// The shortest format that holds a constant exactly, as a normal number: arithmetic takes it from
/// memory.
fn shortest(bits: u128) -> (X87Mem, u128, u8) {
    let (sign, exponent, fraction) = (bits >> 79 & 1, (bits >> 64 & 0x7fff) as i32 - 16383, bits as u64);
    // The first bit of the fraction is explicit in ten bytes.
    let normal = fraction >> 63 == 1;
    let fraction = fraction << 1;
    if normal && (-126..=127).contains(&exponent) && fraction.trailing_zeros() >= 41 {
        let bits = sign << 31 | ((exponent + 127) as u128) << 23 | u128::from(fraction >> 41);
        (X87Mem::Fld32, bits, 4)
    } else if normal && (-1022..=1023).contains(&exponent) && fraction.trailing_zeros() >= 12 {
        let bits = sign << 63 | ((exponent + 1023) as u128) << 52 | u128::from(fraction >> 12);
        (X87Mem::Fld64, bits, 8)
    } else {
        (X87Mem::Fld80, bits, 16)
    }
}

/// Whether the operation runs on the stack with its operands pushed.
fn is_tree_op(cx: &Ctx, data: &InstData) -> bool {
    use Opcode::*;
    let from = || cx.ty(cx.arg(data, 0));
    match data.opcode {
        FAdd | FSub | FMul | FDiv | FNeg | FAbs | Sqrt => true,
        FpExt => matches!(from(), Type::F32 | Type::F64),
        SiToFp => from().bits() <= 64,
        UiToFp => from().bits() <= 32,
        _ => false,
    }
}

fn push_operation(cx: &mut Ctx, data: &InstData, depth: u32) {
    use Opcode::*;
    let a = cx.arg(data, 0);
    match data.opcode {
        FAdd | FSub | FMul | FDiv => {
            push_at(cx, a, depth);
            push_at(cx, cx.arg(data, 1), depth + 1);
            let op = match data.opcode {
                FAdd => X87Reg::AddPop,
                FSub => X87Reg::SubPop,
                FMul => X87Reg::MulPop,
                _ => X87Reg::DivPop,
            };
            stack_op(cx, op, 1);
        }
        FNeg | FAbs | Sqrt => {
            push_at(cx, a, depth);
            plain(
                cx,
                match data.opcode {
                    FNeg => X87::Fchs,
                    FAbs => X87::Fabs,
                    _ => X87::Fsqrt,
                },
            );
        }
        FpExt => push_float(cx, a),
        SiToFp => push_integer(cx, a, true),
        UiToFp => push_integer(cx, a, false),
        other => base::bug!("{} on the x87 stack", other.name()),
    }
}

fn push_float(cx: &mut Ctx, value: Value) {
    let double = cx.ty(value) == Type::F64;
    let load = if double { X87Mem::Fld64 } else { X87Mem::Fld32 };
    if let Some((_, data)) = cx.foldable_load(value) {
        let amode = address(cx, cx.arg(&data, 0));
        return mem_op(cx, load, amode);
    }
    if let Some(amode) = super::constants::constant_memory(cx, value) {
        return mem_op(cx, load, amode);
    }
    let src = cx.reg(value);
    let slot = scratch(cx);
    cx.xmm_store(if double { Sse::MovsdStore } else { Sse::MovssStore }, slot, src);
    mem_op(cx, load, slot);
}

/// Pushes a signed integer of at most 64 bits, or an unsigned one of at most 32.
fn push_integer(cx: &mut Ctx, value: Value, signed: bool) {
    let size = int_size(cx.ty(value));
    if signed
        && size > Size::B
        && let Some((_, data)) = cx.foldable_load(value)
    {
        let amode = address(cx, cx.arg(&data, 0));
        let code = [X87Mem::Fild16, X87Mem::Fild16, X87Mem::Fild32, X87Mem::Fild64][size as usize];
        return mem_op(cx, code, amode);
    }
    let src = super::arith::extend(cx, value, signed);
    let slot = scratch(cx);
    if signed {
        let size = size.max(Size::D);
        cx.store_gpr(size, slot, src);
        mem_op(cx, if size == Size::Q { X87Mem::Fild64 } else { X87Mem::Fild32 }, slot);
    } else {
        let wide = cx.in_gpr(|cx, dst| cx.movzx(Size::D, dst, src));
        cx.store_gpr(Size::Q, slot, wide);
        mem_op(cx, X87Mem::Fild64, slot);
    }
}

/// Pops to the slot of a result.
pub fn pop_result(cx: &mut Ctx, result: Value) {
    let slot = cx.result_slot(result);
    mem_op(cx, X87Mem::Fstp80, Amode::slot(slot, 0));
}

/// An operation on the stack as a root.
pub fn select_tree(cx: &mut Ctx, inst: Inst) {
    let data = cx.data(inst);
    let result = cx.func.first_result(inst);
    match data.opcode {
        Opcode::FMin | Opcode::FMax => return min_max(cx, &data, result),
        _ => push_operation(cx, &data, 0),
    }
    pop_result(cx, result);
}

/// `load` of an x87 value.
pub fn select_load(cx: &mut Ctx, result: Value, ptr: Value) {
    let amode = address(cx, ptr);
    mem_op(cx, X87Mem::Fld80, amode);
    pop_result(cx, result);
}

/// `store` of an x87 value.
pub fn select_store(cx: &mut Ctx, value: Value, ptr: Value) {
    push_value(cx, value);
    let amode = address(cx, ptr);
    mem_op(cx, X87Mem::Fstp80, amode);
}

/// Flags of `a` compared with `b`.
pub fn compare(cx: &mut Ctx, a: Value, b: Value, signaling: bool) {
    push_value(cx, b);
    push_at(cx, a, 1);
    stack_op(cx, if signaling { X87Reg::ComiPop2 } else { X87Reg::UcomiPop2 }, 1);
}

fn slot_address(cx: &mut Ctx, amode: Amode) -> VReg {
    cx.in_gpr(|cx, dst| cx.lea(dst, amode))
}

/// A value's memory: its slot, or the constant pool.
fn memory_of(cx: &mut Ctx, value: Value) -> Amode {
    if let Some(bits) = cx.func.const_bits(value) {
        return constant_amode(cx, bits, 16);
    }
    let slot = cx.slot_of(value);
    Amode::slot(slot, 0)
}

/// `select` by choosing between addresses.
pub fn select_select(cx: &mut Ctx, result: Value, cond: Value, then: Value, otherwise: Value) {
    let (x, y) = (memory_of(cx, then), memory_of(cx, otherwise));
    let (x, y) = (slot_address(cx, x), slot_address(cx, y));
    let flags = super::compare::condition(cx, cond);
    let chosen = cx.temp_gpr();
    if flags.parity == 0 {
        cx.cmov(flags.cond, Size::Q, chosen, y, x);
    } else {
        let flag = cx.temp_gpr();
        super::compare::set_value(cx, flags, flag);
        cx.push(MInst::new(Op::Test, Size::B).src1(flag).src2(flag));
        cx.cmov(Cond::NE, Size::Q, chosen, y, x);
    }
    mem_op(cx, X87Mem::Fld80, Amode::base(chosen, 0));
    pop_result(cx, result);
}

fn min_max(cx: &mut Ctx, data: &InstData, result: Value) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let cc = if data.opcode == Opcode::FMin { FloatCc::Olt } else { FloatCc::Ogt };
    let (flags, swap) = float_cond(cc);
    let (x, y) = (memory_of(cx, a), memory_of(cx, b));
    let (x_address, y_address) = (slot_address(cx, x), slot_address(cx, y));
    let (first, second) = if swap { (y, x) } else { (x, y) };
    mem_op(cx, X87Mem::Fld80, second);
    mem_op(cx, X87Mem::Fld80, first);
    stack_op(cx, X87Reg::ComiPop2, 1);
    let chosen = cx.in_gpr(|cx, dst| cx.cmov(flags.cond, Size::Q, dst, y_address, x_address));
    mem_op(cx, X87Mem::Fld80, Amode::base(chosen, 0));
    pop_result(cx, result);
}

/// `copysign`: the sign bit of the second operand's last byte into the first's.
pub fn select_copysign(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let result = cx.func.first_result(inst);
    let temp = scratch(cx);
    push_value(cx, cx.arg(data, 0));
    mem_op(cx, X87Mem::Fstp80, temp);
    let sign = memory_of(cx, cx.arg(data, 1));
    let (exponent, other) = (cx.temp_gpr(), cx.temp_gpr());
    cx.load_gpr(Size::W, exponent, temp.offset(8));
    cx.load_gpr(Size::W, other, sign.offset(8));
    let magnitude = cx.alu_imm_new(Alu::And, Size::D, exponent, 0x7fff);
    let sign = cx.alu_imm_new(Alu::And, Size::D, other, 0x8000);
    let joined = cx.alu_new(Alu::Or, Size::D, magnitude, sign);
    cx.store_gpr(Size::W, temp.offset(8), joined);
    mem_op(cx, X87Mem::Fld80, temp);
    pop_result(cx, result);
}

/// Calls a library function of x87 arguments (on the stack) with an x87 result.
fn call_unary(cx: &mut Ctx, name: &'static str, args: &[Value], result: Value) {
    for (index, &arg) in args.iter().enumerate() {
        push_value(cx, arg);
        mem_op(cx, X87Mem::Fstp80, Amode::outgoing(index as i32 * 16));
    }
    super::call::reserve_outgoing(cx, args.len() as u64 * 16, 16);
    super::call::library_call(cx, name, &[], &[]);
    pop_result(cx, result);
}

/// `fma`.
pub fn select_fma(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let args = [cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2)];
    call_unary(cx, "fmal", &args, cx.func.first_result(inst));
}

/// Rounding to an integral value: `frndint` in the current mode, the library for the others.
pub fn select_round(cx: &mut Ctx, inst: Inst, value: Value, name: &'static str) {
    let result = cx.func.first_result(inst);
    if name == "rintl" {
        push_value(cx, value);
        plain(cx, X87::Frndint);
        return pop_result(cx, result);
    }
    call_unary(cx, name, &[value], result);
}

/// Conversions from and to x87 values.
pub fn select_conversion(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let src = cx.arg(data, 0);
    let result = cx.func.first_result(inst);
    let from = cx.ty(src);
    match data.opcode {
        _ if is_tree_op(cx, data) && data.ty == Type::F80 => {
            push_operation(cx, data, 0);
            pop_result(cx, result);
        }
        Opcode::UiToFp if data.ty == Type::F80 && from == Type::I64 => unsigned_to_x87(cx, src, result),
        Opcode::SiToFp | Opcode::UiToFp => {
            let name = if data.opcode == Opcode::SiToFp { "__floattixf" } else { "__floatuntixf" };
            let x = cx.reg(src);
            let args = [(x, platform::registers::RDI), (x.part(1), platform::registers::RSI)];
            super::call::library_call(cx, name, &args, &[]);
            pop_result(cx, result);
        }
        Opcode::FpExt if from == Type::F16 => {
            let single = super::float::half_to_single(cx, src);
            let slot = scratch(cx);
            cx.xmm_store(Sse::MovssStore, slot, single);
            mem_op(cx, X87Mem::Fld32, slot);
            pop_result(cx, result);
        }
        Opcode::FpExt => {
            // To f128.
            pass_on_stack(cx, src);
            let dst = cx.result(result);
            let wide = cx.temp_xmm();
            super::call::library_call(cx, "__extendxftf2", &[], &[(wide, platform::registers::XMM0)]);
            cx.copy(dst, wide);
        }
        Opcode::FpTrunc if from == Type::F128 => {
            let x = cx.reg(src);
            super::call::library_call(cx, "__trunctfxf2", &[(x, platform::registers::XMM0)], &[]);
            pop_result(cx, result);
        }
        Opcode::FpTrunc => narrow(cx, src, result, data.ty),
        Opcode::FpToSi | Opcode::FpToUi => to_integer(cx, data, src, result),
        other => base::bug!("{} of an x87 value", other.name()),
    }
}

fn pass_on_stack(cx: &mut Ctx, value: Value) {
    push_value(cx, value);
    mem_op(cx, X87Mem::Fstp80, Amode::outgoing(0));
    super::call::reserve_outgoing(cx, 16, 16);
}

fn narrow(cx: &mut Ctx, src: Value, result: Value, ty: Type) {
    let dst = cx.result(result);
    if ty == Type::F16 {
        pass_on_stack(cx, src);
        let half = cx.temp_xmm();
        super::call::library_call(cx, "__truncxfhf2", &[], &[(half, platform::registers::XMM0)]);
        return cx.copy(dst, half);
    }
    push_value(cx, src);
    let slot = scratch(cx);
    let double = ty == Type::F64;
    mem_op(cx, if double { X87Mem::Fstp64 } else { X87Mem::Fstp32 }, slot);
    cx.xmm_load(if double { Sse::Movsd } else { Sse::Movss }, dst, slot);
}

/// Two floats selected by an index register: `[zero, other][index]` on top of the stack.
fn push_zero_or(cx: &mut Ctx, index: VReg, other: f32) {
    let table = constant_amode(cx, u128::from(other.to_bits()) << 32, 8);
    let base = slot_address(cx, table);
    mem_op(cx, X87Mem::Fld32, Amode { index, shift: 2, ..Amode::base(base, 0) });
}

fn unsigned_to_x87(cx: &mut Ctx, src: Value, result: Value) {
    let x = cx.reg(src);
    let slot = scratch(cx);
    cx.store_gpr(Size::Q, slot, x);
    let sign = cx.shift_imm_new(Shift::Shr, Size::Q, x, 63);
    mem_op(cx, X87Mem::Fild64, slot);
    push_zero_or(cx, sign, 18_446_744_073_709_551_616.0);
    stack_op(cx, X87Reg::AddPop, 1);
    pop_result(cx, result);
}

/// Truncates the top of the stack to a signed integer in memory and pops it.
fn store_truncated(cx: &mut Ctx, code: X87Mem, to: Amode) {
    // The rounding mode is in the control word: switch it to "toward zero" for one instruction.
    let (old, new) = (scratch(cx), scratch(cx));
    mem_op(cx, X87Mem::Fnstcw, old);
    let word = cx.in_gpr(|cx, dst| cx.load_gpr(Size::W, dst, old));
    let truncating = cx.alu_imm_new(Alu::Or, Size::D, word, 0x0c00);
    cx.store_gpr(Size::W, new, truncating);
    mem_op(cx, X87Mem::Fldcw, new);
    mem_op(cx, code, to);
    mem_op(cx, X87Mem::Fldcw, old);
}

fn to_integer(cx: &mut Ctx, data: &InstData, src: Value, result: Value) {
    let unsigned = data.opcode == Opcode::FpToUi;
    if data.ty == Type::I128 {
        pass_on_stack(cx, src);
        let dst = cx.result(result);
        let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
        let name = if unsigned { "__fixunsxfti" } else { "__fixxfti" };
        super::call::library_call(cx, name, &[], &[(low, platform::registers::RAX), (high, platform::registers::RDX)]);
        cx.copy(dst, low);
        return cx.copy(dst.part(1), high);
    }
    let dst = cx.result(result);
    let out = scratch(cx);
    if unsigned && data.ty == Type::I64 {
        return to_unsigned64(cx, src, dst, out);
    }
    push_value(cx, src);
    let wide = data.ty == Type::I64 || (unsigned && data.ty == Type::I32);
    store_truncated(cx, if wide { X87Mem::Fistp64 } else { X87Mem::Fistp32 }, out);
    cx.load_gpr(if data.ty == Type::I64 { Size::Q } else { Size::D }, dst, out);
}

/// Values from 2^63 on are brought down by 2^63 first; the bit is put back afterwards.
fn to_unsigned64(cx: &mut Ctx, src: Value, dst: VReg, out: Amode) {
    const TWO_63: f32 = 9_223_372_036_854_775_808.0;
    let value = scratch(cx);
    push_value(cx, src);
    mem_op(cx, X87Mem::Fstp80, value);
    let limit = constant_amode(cx, u128::from(TWO_63.to_bits()), 4);
    mem_op(cx, X87Mem::Fld32, limit);
    mem_op(cx, X87Mem::Fld80, value);
    stack_op(cx, X87Reg::ComiPop2, 1);
    let large = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::SetccZx, Size::D).cond(Cond::AE).dst(dst)));
    mem_op(cx, X87Mem::Fld80, value);
    push_zero_or(cx, large, TWO_63);
    stack_op(cx, X87Reg::SubPop, 1);
    store_truncated(cx, X87Mem::Fistp64, out);
    let low = cx.in_gpr(|cx, dst| cx.load_gpr(Size::Q, dst, out));
    let top = cx.shift_imm_new(Shift::Shl, Size::Q, large, 63);
    cx.alu(Alu::Xor, Size::Q, dst, low, top);
}

/// `undef` is zero.
pub fn select_undef(cx: &mut Ctx, result: Value) {
    plain(cx, X87::Fldz);
    pop_result(cx, result);
}

/// Copies between slots at the end of a block: all sources are read before any destination is
/// written.
pub fn parallel_copy(cx: &mut Ctx, copies: &[(Value, Value)]) {
    // As many as fit the stack at once; more go through SSE registers.
    const STACK: usize = 8;
    if copies.len() <= STACK {
        for &(_, src) in copies {
            push_value(cx, src);
        }
        for &(phi, _) in copies.iter().rev() {
            pop_result(cx, phi);
        }
        return;
    }
    let mut held = Vec::new();
    for &(_, src) in copies {
        let from = memory_of(cx, src);
        held.push(super::block_ops::load_pieces(cx, from, 16));
    }
    for (&(phi, _), pieces) in copies.iter().zip(held) {
        let slot = cx.result_slot(phi);
        super::block_ops::store_pieces(cx, Amode::slot(slot, 0), &pieces);
    }
}

/// Whether the type is held in x87 slots.
pub fn is_x87(ty: Type) -> bool {
    Ctx::holder(ty) == Holder::Slot
}

/// Pushes a value of any floating type (operands of inline assembly).
pub fn push_any(cx: &mut Ctx, value: Value) {
    match cx.ty(value) {
        Type::F80 => push_value(cx, value),
        Type::F32 | Type::F64 => push_float(cx, value),
        _ => {
            let loc = cx.loc();
            cx.error(loc, "impossible constraint in 'asm'");
        }
    }
}

/// Pops a value of any floating type.
pub fn pop_any(cx: &mut Ctx, result: Value) {
    match cx.ty(result) {
        Type::F80 => pop_result(cx, result),
        ty => {
            let double = ty == Type::F64;
            let slot = scratch(cx);
            mem_op(cx, if double { X87Mem::Fstp64 } else { X87Mem::Fstp32 }, slot);
            let dst = cx.result(result);
            cx.xmm_load(if double { Sse::Movsd } else { Sse::Movss }, dst, slot);
        }
    }
}
