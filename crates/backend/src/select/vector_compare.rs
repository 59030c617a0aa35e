//! Comparisons of vectors: lanes of -1 where the condition holds.
//!
//! The hardware has equal and signed greater (of integers), and eight predicates (of floats); the
//! other conditions are these with operands swapped, sign bits flipped or the result inverted.

use ir::{FloatCc, Inst, InstData, IntCc, Opcode, Type};
use object::{Size, encode::Sse};
use platform::options::X86Features;

use super::{context::Ctx, vector_lanes::lanes};
use crate::machine::{MInst, Op, VReg};

/// Whether there are instructions that compare lanes in this way.
pub fn can_compare(cx: &Ctx, cc: IntCc, lane: Type) -> bool {
    match lane.lane_bits() {
        8 | 16 | 32 => true,
        64 => {
            let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
            if equality { true } else { cx.has(X86Features::SSE4_2) }
        }
        _ => false,
    }
}

/// `mask` = lanes of -1 where `x cc y` holds.
pub fn compare_part(cx: &mut Ctx, cc: IntCc, lane: Type, mask: VReg, x: VReg, y: VReg) {
    use IntCc::*;
    match cc {
        Eq => equal(cx, lane, mask, x, y),
        Ne | Sle | Sge | Ule | Uge => {
            let opposite = cx.temp_xmm();
            compare_part(cx, cc.inverse(), lane, opposite, x, y);
            let ones = cx.in_xmm(|cx, dst| cx.push(MInst::new(Op::XmmOnes, Size::D).dst(dst)));
            cx.xmm(Sse::Pxor, mask, opposite, ones);
        }
        Slt => compare_part(cx, Sgt, lane, mask, y, x),
        Ult => compare_part(cx, Ugt, lane, mask, y, x),
        Sgt => {
            let op = match lane.lane_bits() {
                8 => Sse::Pcmpgtb,
                16 => Sse::Pcmpgtw,
                32 => Sse::Pcmpgtd,
                _ => Sse::Pcmpgtq,
            };
            cx.xmm(op, mask, x, y);
        }
        Ugt => {
            // Flipping the sign bits turns unsigned order into signed order.
            let bias = match lane.lane_bits() {
                8 => u128::from_ne_bytes([0x80; 16]),
                16 => 0x8000_8000_8000_8000_8000_8000_8000_8000,
                32 => 0x8000_0000_8000_0000_8000_0000_8000_0000,
                _ => 0x8000_0000_0000_0000_8000_0000_0000_0000,
            };
            let (u, v) = (cx.temp_xmm(), cx.temp_xmm());
            super::float::with_mask(cx, Sse::Pxor, u, x, bias);
            super::float::with_mask(cx, Sse::Pxor, v, y, bias);
            compare_part(cx, Sgt, lane, mask, u, v);
        }
    }
}

fn equal(cx: &mut Ctx, lane: Type, mask: VReg, x: VReg, y: VReg) {
    let op = match lane.lane_bits() {
        8 => Sse::Pcmpeqb,
        16 => Sse::Pcmpeqw,
        32 => Sse::Pcmpeqd,
        _ if cx.has(X86Features::SSE4_1) => Sse::Pcmpeqq,
        _ => {
            // Both halves must be equal.
            let halves = cx.xmm_new(Sse::Pcmpeqd, x, y);
            let swapped = cx.in_xmm(|cx, dst| cx.xmm_un_imm(Sse::Pshufd, dst, halves, 0b10_11_00_01));
            return cx.xmm(Sse::Pand, mask, halves, swapped);
        }
    };
    cx.xmm(op, mask, x, y);
}

/// Comparisons of vectors.
pub fn select_compare(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = cx.ty(a);
    let lane = if ty.lane().is_ptr() { Type::I64 } else { ty.lane() };
    let integers = (data.opcode == Opcode::ICmp).then(|| data.int_cc());
    if !integers.map_or(matches!(lane, Type::F32 | Type::F64), |cc| can_compare(cx, cc, lane)) {
        return lanes(cx, inst, data, &[a, b]);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(ty) {
        let (dst, x, y) = (dst.part(part), x.part(part), y.part(part));
        match integers {
            Some(cc) => compare_part(cx, cc, lane, dst, x, y),
            None => float_compare(cx, data, ty, dst, x, y),
        }
    }
}

/// `dst` = lanes of all ones where the comparison `data` of `x` and `y` holds; of a scalar, in the
/// lowest lane.
pub fn float_compare(cx: &mut Ctx, data: &InstData, ty: Type, dst: VReg, x: VReg, y: VReg) {
    use FloatCc::*;
    let cc = data.float_cc();
    let op = match ty {
        Type::F32 => Sse::Cmpss,
        Type::F64 => Sse::Cmpsd,
        _ if ty.lane() == Type::F64 => Sse::Cmppd,
        _ => Sse::Cmpps,
    };
    // Predicates of cmpps: eq 0, lt 1, le 2, unord 3, neq 4, nlt 5, nle 6, ord 7.
    let (predicate, swap) = match cc {
        Oeq => (0, false),
        Olt => (1, false),
        Ole => (2, false),
        Ogt => (1, true),
        Oge => (2, true),
        Uno => (3, false),
        Une => (4, false),
        Uge => (5, false),
        Ugt => (6, false),
        Ule => (5, true),
        Ult => (6, true),
        Ord => (7, false),
        One | Ueq => {
            let (ordered, different) = (cx.temp_xmm(), cx.temp_xmm());
            let one = cc == One;
            cx.xmm_imm(op, ordered, x, y, if one { 7 } else { 3 });
            cx.xmm_imm(op, different, x, y, if one { 4 } else { 0 });
            return cx.xmm(if one { Sse::Andps } else { Sse::Orps }, dst, ordered, different);
        }
    };
    let (x, y) = if swap { (y, x) } else { (x, y) };
    cx.xmm_imm(op, dst, x, y, predicate);
}
