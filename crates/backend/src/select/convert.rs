//! Conversions between integers and floating-point numbers, between floating-point formats, and bit
//! casts.

use ir::{Inst, InstData, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse},
};
use platform::registers::{RAX, RDI, RDX, RSI, XMM0};

use super::{
    call::library_call,
    constants::constant_amode,
    context::{Ctx, Holder, int_size},
    memory::{push_rm, push_xmm_rm, rm, xmm_rm},
};
use crate::machine::{Class, MInst, Op, VReg};

/// Conversions that involve a floating-point scalar.
pub fn select_conversion(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let src = cx.arg(data, 0);
    let from = cx.ty(src);
    if from == Type::F80 || data.ty == Type::F80 {
        return super::x87::select_conversion(cx, inst, data);
    }
    if from.is_vector() {
        return super::vector_convert::select_conversion(cx, inst, data);
    }
    let dst = cx.result(cx.func.first_result(inst));
    match data.opcode {
        Opcode::FpTrunc | Opcode::FpExt => between_floats(cx, src, from, data.ty, dst),
        Opcode::SiToFp | Opcode::UiToFp => from_integer(cx, data, src, from, dst),
        _ => to_integer(cx, data, src, from, dst),
    }
}

fn between_floats(cx: &mut Ctx, src: Value, from: Type, to: Type, dst: VReg) {
    let native = |cx: &mut Ctx, op: Sse, bytes: u32| {
        let operand = xmm_rm(cx, src, bytes);
        push_xmm_rm(cx, MInst::xmm_un(op).dst(dst), operand, false);
    };
    let name = match (from, to) {
        (Type::F32, Type::F64) => return native(cx, Sse::Cvtss2sd, 4),
        (Type::F64, Type::F32) => return native(cx, Sse::Cvtsd2ss, 8),
        (Type::F16, Type::F32) => {
            let src = cx.reg(src);
            return super::float::half_reg_to_single(cx, dst, src);
        }
        (Type::F16, Type::F64) => {
            let single = super::float::half_to_single(cx, src);
            return cx.xmm_un(Sse::Cvtss2sd, dst, single);
        }
        (Type::F32, Type::F16) => "__truncsfhf2",
        (Type::F64, Type::F16) => "__truncdfhf2",
        (Type::F128, Type::F16) => "__trunctfhf2",
        (Type::F16, Type::F128) => "__extendhftf2",
        (Type::F32, Type::F128) => "__extendsftf2",
        (Type::F64, Type::F128) => "__extenddftf2",
        (Type::F128, Type::F32) => "__trunctfsf2",
        (Type::F128, Type::F64) => "__trunctfdf2",
        _ => base::bug!("conversion from {from} to {to}"),
    };
    let x = cx.reg(src);
    let result = cx.temp_xmm();
    library_call(cx, name, &[(x, XMM0)], &[(result, XMM0)]);
    cx.copy(dst, result);
}

fn from_integer(cx: &mut Ctx, data: &InstData, src: Value, from: Type, dst: VReg) {
    let unsigned = data.opcode == Opcode::UiToFp;
    match data.ty {
        Type::F32 | Type::F64 if from.bits() <= 64 => native_from_integer(cx, data.ty, src, from, unsigned, dst),
        Type::F16 if from.bits() <= 64 => {
            // Through double for 32-bit sources and below, exactly; wider ones are out of f16's
            // range except for values exact in double's rounding.
            let single = cx.temp_xmm();
            native_from_integer(cx, Type::F32, src, from, unsigned, single);
            super::float::single_to_half(cx, dst, single);
        }
        _ => library_from_integer(cx, data.ty, src, from, unsigned, dst),
    }
}

fn convert_op(ty: Type) -> Sse {
    if ty == Type::F64 { Sse::Cvtsi2sd } else { Sse::Cvtsi2ss }
}

fn native_from_integer(cx: &mut Ctx, ty: Type, src: Value, from: Type, unsigned: bool, dst: VReg) {
    let size = int_size(from);
    let op = convert_op(ty);
    if from == Type::I1 {
        let x = cx.reg(src);
        let wide = cx.in_gpr(|cx, dst| cx.movzx(Size::B, dst, x));
        if unsigned {
            return cx.gpr_to_xmm(op, Size::D, dst, wide);
        }
        let negative = cx.temp_gpr();
        let negate = MInst::unary(object::encode::Unary::Neg, Size::D);
        cx.push(negate.dst(negative).src1(wide));
        return cx.gpr_to_xmm(op, Size::D, dst, negative);
    }
    match (unsigned, size) {
        (_, Size::B | Size::W) => {
            let wide = super::arith::extend(cx, src, !unsigned);
            cx.gpr_to_xmm(op, Size::D, dst, wide);
        }
        (false, _) => {
            let operand = rm(cx, src, size);
            push_rm(cx, MInst::gpr_to_xmm(op, size).dst(dst), operand);
        }
        (true, Size::D) => {
            let x = cx.reg(src);
            let wide = if cx.upper_clear(src) { x } else { cx.in_gpr(|cx, dst| cx.movzx(Size::D, dst, x)) };
            cx.gpr_to_xmm(op, Size::Q, dst, wide);
        }
        (true, Size::Q) => unsigned64(cx, ty, src, dst),
    }
}

/// u64 to float. Values below 2^63 convert as signed; others are halved with the lost bit kept
/// sticky (so that the rounding comes out right), converted and doubled. Both are computed, without
/// a branch.
fn unsigned64(cx: &mut Ctx, ty: Type, src: Value, dst: VReg) {
    let x = cx.reg(src);
    unsigned64_register(cx, ty, x, dst);
}

/// The same from a register.
pub fn unsigned64_register(cx: &mut Ctx, ty: Type, x: VReg, dst: VReg) {
    let op = convert_op(ty);
    let half = cx.shift_imm_new(Shift::Shr, Size::Q, x, 1);
    let lost = cx.alu_imm_new(Alu::And, Size::D, x, 1);
    let sticky = cx.alu_new(Alu::Or, Size::Q, half, lost);
    let large = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(op, Size::Q, dst, sticky));
    let add = if ty == Type::F64 { Sse::Addsd } else { Sse::Addss };
    let doubled = cx.xmm_new(add, large, large);
    let small = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(op, Size::Q, dst, x));
    cx.push(MInst::new(Op::Test, Size::Q).src1(x).src2(x));
    cx.push(MInst::new(Op::XmmSelect, Size::D).cond(Cond::S).dst(dst).src1(small).src2(doubled));
}

fn library_from_integer(cx: &mut Ctx, ty: Type, src: Value, from: Type, unsigned: bool, dst: VReg) {
    let result = cx.temp_xmm();
    if from == Type::I128 {
        let name = match (ty, unsigned) {
            (Type::F16, false) => "__floattihf",
            (Type::F16, true) => "__floatuntihf",
            (Type::F32, false) => "__floattisf",
            (Type::F32, true) => "__floatuntisf",
            (Type::F64, false) => "__floattidf",
            (Type::F64, true) => "__floatuntidf",
            (_, false) => "__floattitf",
            (_, true) => "__floatuntitf",
        };
        let x = cx.reg(src);
        library_call(cx, name, &[(x, RDI), (x.part(1), RSI)], &[(result, XMM0)]);
    } else {
        let wide = int_size(from) == Size::Q;
        let x = if from == Type::I1 {
            let x = cx.reg(src);
            cx.in_gpr(|cx, dst| cx.movzx(Size::B, dst, x))
        } else {
            super::arith::extend(cx, src, !unsigned)
        };
        let name = match (wide, unsigned) {
            (true, true) => "__floatunditf",
            (true, false) => "__floatditf",
            (false, true) => "__floatunsitf",
            (false, false) => "__floatsitf",
        };
        library_call(cx, name, &[(x, RDI)], &[(result, XMM0)]);
    }
    cx.copy(dst, result);
}

fn to_integer(cx: &mut Ctx, data: &InstData, src: Value, from: Type, dst: VReg) {
    let unsigned = data.opcode == Opcode::FpToUi;
    if from == Type::F16 {
        if data.ty == Type::I128 {
            // All finite f16 values fit 64 bits.
            let single = super::float::half_to_single(cx, src);
            let low = cx.in_gpr(|cx, dst| cx.xmm_to_gpr(Sse::Cvttss2si, Size::Q, dst, single));
            let high = cx.shift_imm_new(Shift::Sar, Size::Q, low, 63);
            cx.copy(dst, low);
            return cx.copy(dst.part(1), high);
        }
        let single = super::float::half_to_single(cx, src);
        return cx.xmm_to_gpr(Sse::Cvttss2si, Size::Q, dst, single);
    }
    if data.ty == Type::I128 || from == Type::F128 {
        return library_to_integer(cx, data, src, from, unsigned, dst);
    }
    let op = if from == Type::F64 { Sse::Cvttsd2si } else { Sse::Cvttss2si };
    if unsigned && data.ty == Type::I64 {
        let x = cx.reg(src);
        return to_unsigned64(cx, x, from, op, dst);
    }
    let wide = data.ty == Type::I64 || (unsigned && data.ty == Type::I32);
    let size = if wide { Size::Q } else { Size::D };
    let operand = xmm_rm(cx, src, from.store_size());
    push_rm(cx, MInst::xmm_to_gpr(op, size).dst(dst), operand);
}

/// Float to u64: `x` itself, and `x - 2^63` with the top bit flipped, chosen by comparison with
/// 2^63.
pub fn to_unsigned64(cx: &mut Ctx, x: VReg, from: Type, op: Sse, dst: VReg) {
    let double = from == Type::F64;
    let two_63 = if double {
        u128::from(9_223_372_036_854_775_808.0f64.to_bits())
    } else {
        u128::from(9_223_372_036_854_775_808.0f32.to_bits())
    };
    let limit = constant_amode(cx, two_63, if double { 8 } else { 4 });
    let lowered = cx.temp_xmm();
    let mem = cx.mem(limit);
    let sub = if double { Sse::Subsd } else { Sse::Subss };
    cx.push(MInst::xmm(sub).dst(lowered).src1(x).mem(mem));
    let (small, large) = (cx.temp_gpr(), cx.temp_gpr());
    cx.xmm_to_gpr(op, Size::Q, small, x);
    cx.xmm_to_gpr(op, Size::Q, large, lowered);
    let flipped = cx.temp_gpr();
    let flip = MInst::bit_change(object::encode::BitTest::Btc, Size::Q);
    cx.push(flip.dst(flipped).src1(large).imm(63));
    let compare = if double { Sse::Comisd } else { Sse::Comiss };
    cx.push_mem(MInst::xmm_cmp(compare).src1(x), limit);
    cx.cmov(Cond::AE, Size::Q, dst, small, flipped);
}

fn library_to_integer(cx: &mut Ctx, data: &InstData, src: Value, from: Type, unsigned: bool, dst: VReg) {
    let x = cx.reg(src);
    let name = match (from, data.ty.bits() == 128, unsigned) {
        (Type::F32, true, false) => "__fixsfti",
        (Type::F32, true, true) => "__fixunssfti",
        (Type::F64, true, false) => "__fixdfti",
        (Type::F64, true, true) => "__fixunsdfti",
        (_, true, false) => "__fixtfti",
        (_, true, true) => "__fixunstfti",
        (_, false, false) if data.ty == Type::I64 => "__fixtfdi",
        (_, false, true) if data.ty == Type::I64 => "__fixunstfdi",
        (_, false, false) => "__fixtfsi",
        (_, false, true) => "__fixunstfsi",
    };
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    if data.ty.bits() == 128 {
        library_call(cx, name, &[(x, XMM0)], &[(low, RAX), (high, RDX)]);
        cx.copy_pair(dst, low, high);
    } else {
        library_call(cx, name, &[(x, XMM0)], &[(low, RAX)]);
        cx.copy(dst, low);
    }
}

/// `bitcast`, and `ptrtoint`/`inttoptr` that are not looked through.
pub fn select_bitcast(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let src = cx.arg(data, 0);
    let from = cx.ty(src);
    let result = cx.func.first_result(inst);
    if cx.held_wide(result) {
        let x = cx.wide_reg(src);
        let dst = cx.result(result);
        return cx.copy(dst, x);
    }
    if select_float_half(cx, data, src, result) || select_float_pair(cx, data, src, result) {
        return;
    }
    let x = cx.reg(src);
    let dst = cx.result(result);
    match (Ctx::holder(from), Ctx::holder(data.ty)) {
        (Holder::Regs(Class::Gpr, _, 1), Holder::Regs(Class::Gpr, _, 1)) => cx.copy(dst, x),
        (Holder::Regs(Class::Gpr, _, 2), Holder::Regs(Class::Gpr, _, 2)) => cx.copy_parts(data.ty, dst, x),
        (Holder::Regs(Class::Xmm, ..), Holder::Regs(Class::Xmm, ..)) => cx.copy_parts(data.ty, dst, x),
        (Holder::Regs(Class::Gpr, _, 1), Holder::Regs(Class::Xmm, ..)) => {
            let size = if from.bits() == 64 { Size::Q } else { Size::D };
            cx.gpr_to_xmm(Sse::MovToXmm, size, dst, x);
        }
        (Holder::Regs(Class::Xmm, ..), Holder::Regs(Class::Gpr, _, 1)) => {
            let size = if from.bits() == 64 { Size::Q } else { Size::D };
            cx.xmm_to_gpr(Sse::MovFromXmm, size, dst, x);
        }
        (Holder::Regs(Class::Gpr, ..), _) => {
            // i128 to a 16-byte SSE value.
            let (low, high) = (cx.temp_xmm(), cx.temp_xmm());
            cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, low, x);
            cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, high, x.part(1));
            cx.xmm(Sse::Punpcklqdq, dst, low, high);
        }
        (Holder::Regs(Class::Xmm, ..), _) => {
            let (low, high, upper) = (cx.temp_gpr(), cx.temp_gpr(), cx.temp_xmm());
            cx.xmm_to_gpr(Sse::MovFromXmm, Size::Q, low, x);
            cx.xmm_un_imm(Sse::Pshufd, upper, x, 0xee);
            cx.xmm_to_gpr(Sse::MovFromXmm, Size::Q, high, upper);
            cx.copy_pair(dst, low, high);
        }
        (Holder::Slot, _) => base::bug!("bitcast of an x87 value"),
    }
}

/// One of the two floats that travel in one SSE register, taken out of it there: `bitcast f32
/// (trunc i32 (bitcast i64 pair))`, with a shift by 32 for the upper one. True if `src` is such a
/// value.
fn select_float_half(cx: &mut Ctx, data: &InstData, src: Value, result: Value) -> bool {
    if data.ty != Type::F32 {
        return false;
    }
    let Some((_, trunc)) = cx.def_op(src, Opcode::Trunc) else { return false };
    let mut whole = cx.arg(&trunc, 0);
    let mut upper = false;
    if let Some((_, shift)) = cx.def_op(whole, Opcode::LShr)
        && cx.func.const_bits(cx.arg(&shift, 1)) == Some(32)
    {
        whole = cx.arg(&shift, 0);
        upper = true;
    }
    let Some((cast, bits)) = cx.def_op(whole, Opcode::Bitcast) else { return false };
    let pair = cx.arg(&bits, 0);
    if bits.ty != Type::I64 || cx.ty(pair) != Type::F64 || !cx.can_sink(cast) {
        return false;
    }
    let x = cx.reg(pair);
    let dst = cx.result(result);
    if upper {
        const SECOND: u8 = 0b01_01_01_01;
        cx.xmm_un_imm(Sse::Pshufd, dst, x, SECOND);
    } else {
        cx.copy(dst, x);
    }
    true
}

/// Two floats put together in an SSE register: `bitcast f64 (or (zext a), (shl (zext b), 32))` of
/// the bits of two floats. True if `src` is such a value.
fn select_float_pair(cx: &mut Ctx, data: &InstData, src: Value, result: Value) -> bool {
    if data.ty != Type::F64 || !cx.single_use(src) {
        return false;
    }
    let Some((_, or)) = cx.def_op(src, Opcode::Or) else { return false };
    let (a, b) = (cx.arg(&or, 0), cx.arg(&or, 1));
    let halves = match (shifted_up(cx, a), shifted_up(cx, b)) {
        (None, Some(upper)) => (float_bits(cx, a), float_bits(cx, upper)),
        (Some(upper), None) => (float_bits(cx, b), float_bits(cx, upper)),
        _ => return false,
    };
    let (Some(low), Some(high)) = halves else { return false };
    let (low, high) = (cx.reg(low), cx.reg(high));
    let dst = cx.result(result);
    cx.xmm(Sse::Unpcklps, dst, low, high);
    true
}

/// What `shl x, 32` shifts.
fn shifted_up(cx: &Ctx, value: Value) -> Option<Value> {
    let (_, shift) = cx.def_op(value, Opcode::Shl)?;
    (cx.func.const_bits(cx.arg(&shift, 1)) == Some(32)).then(|| cx.arg(&shift, 0))
}

/// The float whose bits `value` is, widened with zeros, if it can be read here.
fn float_bits(cx: &Ctx, value: Value) -> Option<Value> {
    let (_, wide) = cx.def_op(value, Opcode::ZExt)?;
    let (cast, bits) = cx.def_op(cx.arg(&wide, 0), Opcode::Bitcast)?;
    let float = cx.arg(&bits, 0);
    (cx.ty(float) == Type::F32 && cx.can_sink(cast)).then_some(float)
}
