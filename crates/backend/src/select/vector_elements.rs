//! Single lanes of vectors: taken out, put in, and one scalar in all of them.

use ir::{Inst, InstData, Type, Value};
use object::{
    Size,
    encode::{Alu, Shift, Sse, Vex, sse::SseShift},
};

use super::{
    context::{Ctx, int_size},
    memory::load_value,
    vector_build,
    vector_lanes::{spill, store_scalar, unsupported},
};
use crate::machine::{Amode, MInst, VReg};

/// `extract_lane`.
pub fn select_extract(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let vector = cx.arg(data, 0);
    let ty = cx.ty(vector);
    let lane = ty.lane();
    let Some(index) = cx.func.const_i64(cx.arg(data, 1)) else {
        let src = cx.reg(vector);
        let dst = cx.result(cx.func.first_result(inst));
        return extract_variable(cx, data, ty, src, dst);
    };
    let index = index as u32 & (ty.lanes() - 1);
    let per_part = 16 / lane.store_size().max(1);
    if lane.store_size() == 16 {
        let src = cx.reg(vector);
        let dst = cx.result(cx.func.first_result(inst));
        return cx.copy_parts(lane, dst, src.part(index as usize));
    }
    let (part, at) = (cx.part_of(vector, (index / per_part) as usize), index % per_part);
    let dst = cx.result(cx.func.first_result(inst));
    match lane {
        Type::F32 | Type::F64 | Type::I32 | Type::I64 | Type::PTR => {
            let words = lane.store_size() / 4;
            let low = if at == 0 {
                part
            } else {
                let moved = cx.temp_xmm();
                let selector = if words == 1 { at as u8 } else { 0xee };
                cx.xmm_un_imm(Sse::Pshufd, moved, part, selector);
                moved
            };
            if lane.is_float() { cx.copy(dst, low) } else { cx.xmm_to_gpr(Sse::MovFromXmm, int_size(lane), dst, low) }
        }
        Type::I16 => {
            pextrw(cx, dst, part, at);
        }
        Type::F16 => {
            let moved = cx.in_xmm(|cx, dst| cx.xmm_shift(SseShift::Psrldq, dst, part, at as u8 * 2));
            cx.copy(dst, moved);
        }
        _ => {
            let word = cx.temp_gpr();
            pextrw(cx, word, part, at / 2);
            if at % 2 == 1 { cx.shift_imm(Shift::Shr, Size::D, dst, word, 8) } else { cx.copy(dst, word) }
        }
    }
}

fn extract_variable(cx: &mut Ctx, data: &InstData, ty: Type, src: VReg, dst: VReg) {
    let slot = spill(cx, ty, src);
    let at = lane_address(cx, ty, slot, cx.arg(data, 1));
    load_value(cx, ty.lane(), dst, at, 1);
}

/// The address of a lane with variable index, wrapped to the lane count.
fn lane_address(cx: &mut Ctx, ty: Type, slot: Amode, index: Value) -> Amode {
    let index = cx.reg(index);
    let wrapped = cx.alu_imm_new(Alu::And, Size::D, index, ty.lanes() as i32 - 1);
    let scale = ty.lane().store_size();
    if scale == 16 {
        let offset = cx.shift_imm_new(Shift::Shl, Size::Q, wrapped, 4);
        return Amode { index: offset, ..slot };
    }
    Amode { index: wrapped, shift: scale.trailing_zeros() as u8, ..slot }
}

/// `insert_lane`.
pub fn select_insert(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (vector, value, index) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    let ty = data.ty;
    let lane = ty.lane();
    if vector_build::select(cx, inst, data) {
        return;
    }
    let src = cx.reg(vector);
    let scalar = cx.reg(value);
    let dst = cx.result(cx.func.first_result(inst));
    let Some(index_value) = cx.func.const_i64(index) else {
        let slot = spill(cx, ty, src);
        let at = lane_address(cx, ty, slot, index);
        store_scalar(cx, lane, at, scalar);
        return load_value(cx, ty, dst, slot, 16);
    };
    let at = index_value as u32 & (ty.lanes() - 1);
    let per_part = 16 / lane.store_size();
    let (part_number, at) = ((at / per_part) as usize, at % per_part);
    for part in 0..cx.parts(ty) {
        if part != part_number {
            cx.copy(dst.part(part), src.part(part));
        }
    }
    let (from, to) = (src.part(part_number), dst.part(part_number));
    insert_part(cx, ty, lane, at, to, from, scalar);
}

/// A word, zero-extended.
fn pextrw(cx: &mut Ctx, dst: VReg, src: VReg, at: u32) {
    let inst = MInst::xmm_to_gpr(Sse::Pextrw, Size::D).dst(dst).src2(src).imm(at as i32);
    cx.push(inst.with_bits(crate::machine::bits::NO_FOLD));
}

fn insert_part(cx: &mut Ctx, ty: Type, lane: Type, at: u32, to: VReg, from: VReg, scalar: VReg) {
    let pinsrw = |cx: &mut Ctx, dst: VReg, src: VReg, word: VReg, at: u32| {
        cx.push(MInst::xmm_insert(Sse::Pinsrw, Size::D).dst(dst).src1(src).src2(word).imm(at as i32));
    };
    match (lane, at) {
        (Type::I16, _) => pinsrw(cx, to, from, scalar, at),
        (Type::F16, _) => {
            let word = cx.in_gpr(|cx, dst| cx.xmm_to_gpr(Sse::MovFromXmm, Size::D, dst, scalar));
            pinsrw(cx, to, from, word, at);
        }
        (Type::F64, 0) => cx.xmm(Sse::Movsd, to, from, scalar),
        (Type::F64, _) => cx.xmm(Sse::Unpcklpd, to, from, scalar),
        (Type::I64 | Type::PTR, _) => {
            let moved = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, dst, scalar));
            cx.xmm(if at == 0 { Sse::Movsd } else { Sse::Punpcklqdq }, to, from, moved);
        }
        (Type::F32, _) => insert_dword(cx, at, to, from, scalar),
        (Type::I32, _) => {
            let moved = cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, Size::D, dst, scalar));
            insert_dword(cx, at, to, from, moved);
        }
        (Type::I8, _) => {
            // Its word, with the other byte.
            let word = cx.temp_gpr();
            pextrw(cx, word, from, at / 2);
            let (kept, shift) = if at.is_multiple_of(2) { (0xff00, 0) } else { (0xff, 8) };
            let kept = cx.alu_imm_new(Alu::And, Size::D, word, kept);
            let byte = cx.in_gpr(|cx, dst| cx.movzx(Size::B, dst, scalar));
            let placed = if shift == 0 { byte } else { cx.shift_imm_new(Shift::Shl, Size::D, byte, shift) };
            let both = cx.in_gpr(|cx, dst| cx.alu(Alu::Or, Size::D, dst, kept, placed));
            pinsrw(cx, to, from, both, at / 2);
        }
        _ => {
            let slot = spill(cx, Type::I64.vector(2), from);
            store_scalar(cx, lane, slot.offset((at * lane.store_size()) as i32), scalar);
            let part_ty = if ty.store_size() < 16 { ty } else { Type::I64.vector(2) };
            load_value(cx, part_ty, to, slot, 16);
        }
    }
}

/// Puts the low four bytes of `scalar` in place `at`: exchanged with the lowest ones, and back.
fn insert_dword(cx: &mut Ctx, at: u32, to: VReg, from: VReg, scalar: VReg) {
    if at == 0 {
        return cx.xmm(Sse::Movss, to, from, scalar);
    }
    // 3, 2, 1, 0 with 0 and `at` exchanged.
    let selector = (0xe4 & !(3 | 3 << (2 * at)) | at) as u8;
    let exchanged = cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshufd, dst, from, selector));
    let set = cx.xmm_new(Sse::Movss, exchanged, scalar);
    cx.xmm_un_imm(Sse::Pshufd, to, set, selector);
}

/// A scalar in all lanes of a `ymm` register.
fn broadcast(cx: &mut Ctx, lane: Type, dst: VReg, scalar: VReg) {
    let op = match lane.store_size() {
        1 => Vex::Vpbroadcastb,
        2 => Vex::Vpbroadcastw,
        4 if lane.is_float() => Vex::Vbroadcastss,
        4 => Vex::Vpbroadcastd,
        _ if lane.is_float() => Vex::Vbroadcastsd,
        _ => Vex::Vpbroadcastq,
    };
    let size = if lane.store_size() == 8 { Size::Q } else { Size::D };
    let low = match lane.is_float() {
        true => scalar,
        false => cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, size, dst, scalar)),
    };
    cx.vex(op, dst, VReg::NONE, low, 0);
}

/// `splat`.
pub fn select_splat(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let value = cx.arg(data, 0);
    let ty = data.ty;
    let lane = ty.lane();
    let scalar = cx.reg(value);
    let dst = cx.result(cx.func.first_result(inst));
    if cx.whole {
        return broadcast(cx, lane, dst, scalar);
    }
    let whole = cx.temp_xmm();
    let low = |cx: &mut Ctx, size: Size| cx.in_xmm(|cx, dst| cx.gpr_to_xmm(Sse::MovToXmm, size, dst, scalar));
    match lane {
        Type::F32 => cx.xmm_imm(Sse::Shufps, whole, scalar, scalar, 0),
        Type::F64 => cx.xmm(Sse::Unpcklpd, whole, scalar, scalar),
        Type::I64 | Type::PTR => {
            let x = low(cx, Size::Q);
            cx.xmm(Sse::Punpcklqdq, whole, x, x);
        }
        Type::I32 => {
            let x = low(cx, Size::D);
            cx.xmm_un_imm(Sse::Pshufd, whole, x, 0);
        }
        Type::I16 | Type::F16 => {
            let x = if lane == Type::F16 { scalar } else { low(cx, Size::D) };
            let words = cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshuflw, dst, x, 0));
            cx.xmm(Sse::Punpcklqdq, whole, words, words);
        }
        Type::I8 => {
            let x = low(cx, Size::D);
            let pairs = cx.xmm_new(Sse::Punpcklbw, x, x);
            let words = cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshuflw, dst, pairs, 0));
            cx.xmm(Sse::Punpcklqdq, whole, words, words);
        }
        Type::F128 => cx.copy(whole, scalar),
        Type::I128 => {
            let (x, y) = (low(cx, Size::Q), cx.temp_xmm());
            cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, y, scalar.part(1));
            cx.xmm(Sse::Punpcklqdq, whole, x, y);
        }
        _ => unsupported(cx, "a vector of this lane type"),
    }
    for part in 0..cx.parts(ty) {
        cx.copy(dst.part(part), whole);
    }
}
