//! Vectors: SSE2 (and what further extensions allow) on 16-byte parts.
//!
//! A vector of more than 16 bytes is held in several registers and every lane-wise operation runs
//! part by part; one of at most 8 bytes lives in the low half of a register, garbage above. What
//! the hardware lacks is done by [`super::vector_lanes`].

use ir::{Inst, InstData, IntCc, Opcode, Type, Value, shuffles::Lanes};
use object::{Size, encode::Sse};
use platform::options::X86Features;

use super::{
    context::{Ctx, is_wide_type},
    memory::{load_second, push_xmm_rm, xmm_rm},
    vector_arith,
    vector_compare::{can_compare, compare_part},
    vector_lanes::lanes,
};
use crate::machine::{MInst, Op, VReg};

/// The instruction for a lane-wise operation of two operands, if there is one.
fn direct(cx: &Ctx, opcode: Opcode, lane: Type) -> Option<Sse> {
    use Opcode::*;
    let sse41 = cx.has(X86Features::SSE4_1);
    let ptr_lane = if lane.is_ptr() { Type::I64 } else { lane };
    let by_width = |table: [Option<Sse>; 4]| -> Option<Sse> {
        match ptr_lane {
            Type::I8 => table[0],
            Type::I16 => table[1],
            Type::I32 => table[2],
            Type::I64 => table[3],
            _ => None,
        }
    };
    let if41 = |op: Sse| sse41.then_some(op);
    match opcode {
        Add => by_width([Some(Sse::Paddb), Some(Sse::Paddw), Some(Sse::Paddd), Some(Sse::Paddq)]),
        Sub => by_width([Some(Sse::Psubb), Some(Sse::Psubw), Some(Sse::Psubd), Some(Sse::Psubq)]),
        Mul => by_width([None, Some(Sse::Pmullw), if41(Sse::Pmulld), None]),
        SMulHi => by_width([None, Some(Sse::Pmulhw), None, None]),
        UMulHi => by_width([None, Some(Sse::Pmulhuw), None, None]),
        And => Some(Sse::Pand),
        Or => Some(Sse::Por),
        Xor => Some(Sse::Pxor),
        SMin => by_width([if41(Sse::Pminsb), Some(Sse::Pminsw), if41(Sse::Pminsd), None]),
        SMax => by_width([if41(Sse::Pmaxsb), Some(Sse::Pmaxsw), if41(Sse::Pmaxsd), None]),
        UMin => by_width([Some(Sse::Pminub), if41(Sse::Pminuw), if41(Sse::Pminud), None]),
        UMax => by_width([Some(Sse::Pmaxub), if41(Sse::Pmaxuw), if41(Sse::Pmaxud), None]),
        FAdd | FSub | FMul | FDiv | FMin | FMax => float_op(opcode, lane),
        _ => None,
    }
}

fn float_op(opcode: Opcode, lane: Type) -> Option<Sse> {
    let (single, double) = match opcode {
        Opcode::FAdd => (Sse::Addps, Sse::Addpd),
        Opcode::FSub => (Sse::Subps, Sse::Subpd),
        Opcode::FMul => (Sse::Mulps, Sse::Mulpd),
        Opcode::FDiv => (Sse::Divps, Sse::Divpd),
        Opcode::FMin => (Sse::Minps, Sse::Minpd),
        _ => (Sse::Maxps, Sse::Maxpd),
    };
    match lane {
        Type::F32 => Some(single),
        Type::F64 => Some(double),
        _ => None,
    }
}

/// Whether an operation on 32-byte vectors is selected on whole `ymm` registers: those whose
/// instructions work on both halves alike.
pub fn is_whole(cx: &Ctx, data: &InstData) -> bool {
    use Opcode::*;
    let operand = |index: usize| cx.ty(cx.arg(data, index));
    if !cx.has(X86Features::AVX2) || !is_wide_type(data.ty) {
        return false;
    }
    let lane = data.ty.lane();
    let float = matches!(lane, Type::F32 | Type::F64);
    let int = lane.is_int() && lane.bits() <= 64;
    match data.opcode {
        Add | Sub | And | Or | Xor | SMin | SMax | UMin | UMax => int,
        Mul => int,
        SMulHi | UMulHi => matches!(lane, Type::I16 | Type::I32),
        Shl | LShr | AShr => int && vector_arith::has_shift(cx, data),
        FAdd | FSub | FMul | FDiv | FMin | FMax | FNeg | FAbs | CopySign | Sqrt => float,
        Fma => float && cx.has(X86Features::FMA),
        ICmp => operand(0).lane().is_int(),
        FCmp => matches!(operand(0).lane(), Type::F32 | Type::F64),
        Select => is_wide_type(operand(0)),
        ZExt | SExt => int && operand(0).lane_bits() >= 8,
        SiToFp => operand(0).lane() == Type::I32,
        FpToSi => lane == Type::I32 && operand(0).lane() == Type::F32,
        FpExt => operand(0).lane() == Type::F32,
        Splat => float || int,
        Undef => true,
        Shuffle if operand(0) == data.ty => Lanes::of(&cx.func.shuffle_masks[data.mask_index()])
            .is_some_and(|lanes| matches!(lanes, Lanes::Window(_)) || matches!(lane.store_size(), 4 | 8)),
        _ => false,
    }
}

/// Lane-wise operations of two operands.
pub fn select_binary(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = data.ty;
    let lane = ty.lane();
    if matches!(data.opcode, Opcode::Shl | Opcode::LShr | Opcode::AShr) && vector_arith::select_shift(cx, inst, data) {
        return;
    }
    if let Some(op) = direct(cx, data.opcode, lane) {
        let dst = cx.result(cx.func.first_result(inst));
        if cx.parts(ty) == 1 && ty.store_size() >= 16 {
            let (a, b) = load_second(cx, data);
            let x = cx.reg(a);
            let operand = xmm_rm(cx, b, ty.store_size());
            return push_xmm_rm(cx, MInst::xmm(op).dst(dst).src1(x), operand, true);
        }
        let x = cx.reg(a);
        if let (Some(chunks), false) = (constant_chunks(cx, b), cx.whole) {
            for (part, &chunk) in chunks.iter().enumerate() {
                super::float::with_mask(cx, op, dst.part(part), x.part(part), chunk);
            }
            return;
        }
        let y = cx.reg(b);
        for part in 0..cx.parts(ty) {
            cx.xmm(op, dst.part(part), x.part(part), y.part(part));
        }
        return;
    }
    if vector_arith::select_product(cx, inst, data) {
        return;
    }
    if matches!(data.opcode, Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax) {
        return min_max(cx, inst, data, a, b);
    }
    lanes(cx, inst, data, &[a, b]);
}

/// The registers of a constant of whole registers.
fn constant_chunks(cx: &Ctx, value: Value) -> Option<Vec<u128>> {
    let Some(ir::Constant::Vector(bytes)) = cx.func.constant(value) else { return None };
    let whole = bytes.len() % 16 == 0;
    whole.then(|| bytes.chunks(16).map(|c| u128::from_le_bytes(c.try_into().expect("16 bytes"))).collect())
}

fn min_max(cx: &mut Ctx, inst: Inst, data: &InstData, a: Value, b: Value) {
    let cc = IntCc::of_min_max(data.opcode).expect("a minimum or maximum");
    let lane = data.ty.lane();
    if !can_compare(cx, cc, lane) {
        return lanes(cx, inst, data, &[a, b]);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(data.ty) {
        let (x, y) = (x.part(part), y.part(part));
        let mask = cx.temp_xmm();
        compare_part(cx, cc, lane, mask, x, y);
        blend(cx, dst.part(part), mask, x, y);
    }
}

/// `dst = mask ? x : y`, bit by bit.
pub fn blend(cx: &mut Ctx, dst: VReg, mask: VReg, x: VReg, y: VReg) {
    // Without AVX the mask would have to be in `xmm0`.
    if cx.has(X86Features::AVX) {
        return cx.push(MInst::blend(Sse::Pblendvb).dst(dst).src1(y).src2(x).with_aux(mask));
    }
    let taken = cx.xmm_new(Sse::Pand, x, mask);
    let other = cx.xmm_new(Sse::Pandn, mask, y);
    cx.xmm(Sse::Por, dst, taken, other);
}

/// `select` with a vector condition.
pub fn select_lanes(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (mask, x, y) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    // A choice between a value and zero.
    for (value, other, op) in [(x, y, Sse::Pand), (y, x, Sse::Pandn)] {
        if cx.is_zero(other) {
            let (mask, value) = (cx.reg(mask), cx.reg(value));
            let dst = cx.result(cx.func.first_result(inst));
            for part in 0..cx.parts(data.ty) {
                cx.xmm(op, dst.part(part), mask.part(part), value.part(part));
            }
            return;
        }
    }
    let (mask, x, y) = (cx.reg(mask), cx.reg(x), cx.reg(y));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(data.ty) {
        blend(cx, dst.part(part), mask.part(part), x.part(part), y.part(part));
    }
}

/// Lane-wise operations of one operand.
pub fn select_unary(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    let op = match (data.opcode, data.ty.lane()) {
        (Opcode::Sqrt, Type::F32) => Sse::Sqrtps,
        (Opcode::Sqrt, Type::F64) => Sse::Sqrtpd,
        _ => return lanes(cx, inst, data, &[a]),
    };
    let x = cx.reg(a);
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(data.ty) {
        cx.xmm_un(op, dst.part(part), x.part(part));
    }
}

/// Fused multiply-add without hardware support.
pub fn select_fma_lanes(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let args = [cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2)];
    lanes(cx, inst, data, &args);
}

/// Sign bits of the lanes.
pub fn select_movemask(cx: &mut Ctx, inst: Inst, value: Value) {
    let ty = cx.ty(value);
    let src = cx.in_one_register(value);
    let dst = cx.result(cx.func.first_result(inst));
    let op = match ty.lane_bits() {
        32 => Sse::Movmskps,
        64 => Sse::Movmskpd,
        _ => Sse::Pmovmskb,
    };
    cx.xmm_to_gpr(op, Size::D, dst, src);
}

/// Undef vectors and floats: zero.
pub fn zero_parts(cx: &mut Ctx, ty: Type, dst: VReg) {
    for part in 0..cx.parts(ty) {
        cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst.part(part)));
    }
}
