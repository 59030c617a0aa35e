//! What SSE2 has no single instruction for: products and shifts of vectors for lane widths that
//! lack them.

use ir::{Inst, InstData, Opcode, Type, Value};
use object::{
    Size,
    encode::{Sse, sse::SseShift},
};

use super::{
    context::{Ctx, int_size},
    float::with_mask,
};
use crate::machine::VReg;

/// Products, if this is one that several instructions make; they work register by register.
pub fn select_product(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    let product: fn(&mut Ctx, VReg, VReg, Factor) = match (data.opcode, data.ty.lane()) {
        (Opcode::Mul, Type::I8) => multiply_i8,
        (Opcode::Mul, Type::I32) => multiply_i32,
        (Opcode::Mul, Type::I64) => multiply_i64,
        (Opcode::UMulHi, Type::I32) => multiply_high_u32,
        (Opcode::SMulHi, Type::I32) => multiply_high_i32,
        _ => return false,
    };
    let (x, y) = (cx.arg(data, 0), cx.arg(data, 1));
    if data.opcode == Opcode::Mul && multiply_words(cx, inst, data) {
        return true;
    }
    let even = splat_constant(cx, y).is_some() || cx.def_op(y, Opcode::Splat).is_some();
    let (x, y) = (cx.reg(x), cx.reg(y));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(data.ty) {
        product(cx, dst.part(part), x.part(part), Factor { register: y.part(part), even });
    }
    true
}

/// A product of words that both were extended alike: its two halves, next to each other.
fn multiply_words(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    let source = |value: Value, opcode: Opcode| {
        let words = cx.def_op(value, opcode).map(|(_, extension)| cx.arg(&extension, 0));
        words.filter(|&words| cx.ty(words).lane() == Type::I16 && cx.ty(words).lanes() >= 4)
    };
    let both = |opcode: Opcode| source(data.arg(0), opcode).zip(source(data.arg(1), opcode));
    let (high, (x, y)) = match (both(Opcode::SExt), both(Opcode::ZExt)) {
        _ if data.ty.lane() != Type::I32 => return false,
        (Some(factors), _) => (Sse::Pmulhw, factors),
        (_, Some(factors)) => (Sse::Pmulhuw, factors),
        _ => return false,
    };
    let (x, y) = (cx.reg(x), cx.reg(y));
    let dst = cx.result(cx.func.first_result(inst));
    let parts = cx.parts(data.ty);
    for part in (0..parts).step_by(2) {
        let (x, y) = (x.part(part / 2), y.part(part / 2));
        let (low, high) = (cx.xmm_new(Sse::Pmullw, x, y), cx.xmm_new(high, x, y));
        cx.xmm(Sse::Punpcklwd, dst.part(part), low, high);
        if part + 1 < parts {
            cx.xmm(Sse::Punpckhwd, dst.part(part + 1), low, high);
        }
    }
    true
}

/// The second factor.
#[derive(Clone, Copy)]
struct Factor {
    register: VReg,
    /// Whether all lanes are equal, so that the even ones stand for the odd ones.
    even: bool,
}

fn shifted(cx: &mut Ctx, op: SseShift, x: VReg, by: u8) -> VReg {
    cx.in_xmm(|cx, dst| cx.xmm_shift(op, dst, x, by))
}

/// As words, whose low halves are right whatever is above the bytes.
fn multiply_i8(cx: &mut Ctx, dst: VReg, x: VReg, y: Factor) {
    let half = |cx: &mut Ctx, op: Sse| {
        let (a, b) = (cx.xmm_new(op, x, x), cx.xmm_new(op, y.register, y.register));
        let product = cx.xmm_new(Sse::Pmullw, a, b);
        let low = cx.temp_xmm();
        with_mask(cx, Sse::Pand, low, product, LOW_BYTES);
        low
    };
    let low = half(cx, Sse::Punpcklbw);
    let high = half(cx, Sse::Punpckhbw);
    cx.xmm(Sse::Packuswb, dst, low, high);
}

const LOW_BYTES: u128 = 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff;

/// Double-width products of the even and of the odd lanes.
fn wide_products(cx: &mut Ctx, x: VReg, y: Factor) -> (VReg, VReg) {
    let even = cx.xmm_new(Sse::Pmuludq, x, y.register);
    let x_odd = shifted(cx, SseShift::Psrlq, x, 32);
    let y_odd = if y.even { y.register } else { shifted(cx, SseShift::Psrlq, y.register, 32) };
    (even, cx.xmm_new(Sse::Pmuludq, x_odd, y_odd))
}

/// The low or the high halves of double-width products, in order.
fn merge_products(cx: &mut Ctx, dst: VReg, even: VReg, odd: VReg, selector: u8) {
    let (low, high) = (cx.temp_xmm(), cx.temp_xmm());
    cx.xmm_un_imm(Sse::Pshufd, low, even, selector);
    cx.xmm_un_imm(Sse::Pshufd, high, odd, selector);
    cx.xmm(Sse::Punpckldq, dst, low, high);
}

fn multiply_i32(cx: &mut Ctx, dst: VReg, x: VReg, y: Factor) {
    let (even, odd) = wide_products(cx, x, y);
    merge_products(cx, dst, even, odd, 0b00_00_10_00);
}

fn multiply_high_u32(cx: &mut Ctx, dst: VReg, x: VReg, y: Factor) {
    let (even, odd) = wide_products(cx, x, y);
    merge_products(cx, dst, even, odd, 0b00_00_11_01);
}

/// The unsigned product's, less each factor where the other is negative.
fn multiply_high_i32(cx: &mut Ctx, dst: VReg, x: VReg, y: Factor) {
    let y_register = y.register;
    let unsigned = cx.temp_xmm();
    multiply_high_u32(cx, unsigned, x, y);
    let x_sign = shifted(cx, SseShift::Psrad, x, 31);
    let y_sign = shifted(cx, SseShift::Psrad, y_register, 31);
    let less_y = cx.xmm_new(Sse::Pand, x_sign, y_register);
    let less_x = cx.xmm_new(Sse::Pand, y_sign, x);
    let first = cx.xmm_new(Sse::Psubd, unsigned, less_y);
    cx.xmm(Sse::Psubd, dst, first, less_x);
}

/// Low times low, and the crossed products in the upper half.
fn multiply_i64(cx: &mut Ctx, dst: VReg, x: VReg, y: Factor) {
    let y = y.register;
    let (x_high, y_high) = (shifted(cx, SseShift::Psrlq, x, 32), shifted(cx, SseShift::Psrlq, y, 32));
    let crossed = cx.xmm_new(Sse::Pmuludq, x_high, y);
    let other = cx.xmm_new(Sse::Pmuludq, y_high, x);
    let low = cx.xmm_new(Sse::Pmuludq, x, y);
    let sum = cx.xmm_new(Sse::Paddq, crossed, other);
    let upper = shifted(cx, SseShift::Psllq, sum, 32);
    cx.xmm(Sse::Paddq, dst, low, upper);
}

/// Whether [`select_shift`] selects the shift.
pub fn has_shift(cx: &Ctx, data: &InstData) -> bool {
    let (amount, bits) = (cx.arg(data, 1), data.ty.lane_bits());
    let by_instruction = shift_instructions(data.opcode, bits).is_some();
    match splat_constant(cx, amount) {
        Some(_) => bits == 8 || by_instruction,
        None => by_instruction && cx.def_op(amount, Opcode::Splat).is_some(),
    }
}

/// Shifts of all lanes by one amount, if there are instructions for the width.
pub fn select_shift(cx: &mut Ctx, inst: Inst, data: &InstData) -> bool {
    let (value, amount) = (cx.arg(data, 0), cx.arg(data, 1));
    let bits = data.ty.lane_bits();
    if let Some(count) = splat_constant(cx, amount) {
        if bits == 8 {
            shift_bytes(cx, inst, data, value, count);
            return true;
        }
        let Some((op, _)) = shift_instructions(data.opcode, bits) else { return false };
        let x = cx.reg(value);
        let dst = cx.result(cx.func.first_result(inst));
        for part in 0..cx.parts(data.ty) {
            cx.xmm_shift(op, dst.part(part), x.part(part), count.min(255) as u8);
        }
        return true;
    }
    let Some((_, op)) = shift_instructions(data.opcode, bits) else { return false };
    let Some((_, splat)) = cx.def_op(amount, Opcode::Splat) else { return false };
    let scalar = cx.arg(&splat, 0);
    let lane = cx.ty(scalar);
    let x = cx.reg(value);
    let count = cx.reg(scalar);
    let dst = cx.result(cx.func.first_result(inst));
    let size = int_size(lane);
    let count = if size < Size::D { cx.in_gpr(|cx, dst| cx.movzx(size, dst, count)) } else { count };
    let moved = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, size.max(Size::D), dst, count));
    for part in 0..cx.parts(data.ty) {
        cx.xmm(op, dst.part(part), x.part(part), moved);
    }
    true
}

/// The forms with an immediate and with a register.
fn shift_instructions(opcode: Opcode, bits: u32) -> Option<(SseShift, Sse)> {
    Some(match (opcode, bits) {
        (Opcode::Shl, 16) => (SseShift::Psllw, Sse::Psllw),
        (Opcode::Shl, 32) => (SseShift::Pslld, Sse::Pslld),
        (Opcode::Shl, 64) => (SseShift::Psllq, Sse::Psllq),
        (Opcode::LShr, 16) => (SseShift::Psrlw, Sse::Psrlw),
        (Opcode::LShr, 32) => (SseShift::Psrld, Sse::Psrld),
        (Opcode::LShr, 64) => (SseShift::Psrlq, Sse::Psrlq),
        (Opcode::AShr, 16) => (SseShift::Psraw, Sse::Psraw),
        (Opcode::AShr, 32) => (SseShift::Psrad, Sse::Psrad),
        _ => return None,
    })
}

/// Bytes are shifted as words; what comes in from the neighbour is cleared.
fn shift_bytes(cx: &mut Ctx, inst: Inst, data: &InstData, value: Value, count: u64) {
    let x = cx.reg(value);
    let dst = cx.result(cx.func.first_result(inst));
    let count = count.min(8) as u8;
    for part in 0..cx.parts(data.ty) {
        let (to, from) = (dst.part(part), x.part(part));
        if data.opcode == Opcode::AShr {
            let half = |cx: &mut Ctx, op: Sse| {
                let words = cx.xmm_new(op, from, from);
                shifted(cx, SseShift::Psraw, words, 8 + count.min(7))
            };
            let low = half(cx, Sse::Punpcklbw);
            let high = half(cx, Sse::Punpckhbw);
            cx.xmm(Sse::Packsswb, to, low, high);
            continue;
        }
        let (op, kept) = if data.opcode == Opcode::Shl {
            (SseShift::Psllw, 0xffu32 << count & 0xff)
        } else {
            (SseShift::Psrlw, 0xffu32 >> count)
        };
        let moved = shifted(cx, op, from, count);
        with_mask(cx, Sse::Pand, to, moved, u128::from_ne_bytes([kept as u8; 16]));
    }
}

/// The amount of a shift whose lanes all are the same constant.
fn splat_constant(cx: &Ctx, value: Value) -> Option<u64> {
    let ty = cx.ty(value);
    let width = (ty.lane_bits() / 8) as usize;
    match cx.func.constant(value) {
        Some(ir::Constant::Vector(bytes)) => {
            let first = bytes.get(..width)?;
            bytes.chunks(width).all(|c| c == first).then(|| {
                let mut wide = [0; 8];
                let n = width.min(8);
                wide[..n].copy_from_slice(&first[..n]);
                u64::from_le_bytes(wide)
            })
        }
        Some(ir::Constant::Bits(0)) => Some(0),
        _ => {
            let (_, data) = cx.def_op(value, Opcode::Splat)?;
            cx.func.const_i64(cx.arg(&data, 0)).map(|x| x as u64)
        }
    }
}
