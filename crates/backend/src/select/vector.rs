//! Vectors: SSE2 (and what further extensions allow) on 16-byte parts, lane by lane through memory for what the hardware lacks.
//!
//! A vector of more than 16 bytes is held in several registers and every lane-wise operation runs part by part; one of at most 8 bytes
//! lives in the low half of a register, garbage above.

use ir::{FloatCc, Inst, InstData, IntCc, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse, sse::SseShift},
};
use target::options::X86Features;

use super::{
    context::{Ctx, int_size},
    memory::{load_value, push_xmm_rm, store_xmm, xmm_rm},
    vector_arith,
};
use crate::machine::{Amode, Class, MInst, Op, UnaryCode, VReg};

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
        if Ctx::parts(ty) == 1 && ty.store_size() == 16 {
            let x = cx.reg(a);
            let operand = xmm_rm(cx, b, 16);
            return push_xmm_rm(cx, MInst::new(Op::Xmm, Size::D).code(op as u16).dst(dst).src1(x), operand, true);
        }
        let x = cx.reg(a);
        if let Some(chunks) = constant_chunks(cx, b) {
            for (part, &chunk) in chunks.iter().enumerate() {
                super::float::with_mask(cx, op, dst.part(part), x.part(part), chunk);
            }
            return;
        }
        let y = cx.reg(b);
        for part in 0..Ctx::parts(ty) {
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
    let cc = match data.opcode {
        Opcode::SMin => IntCc::Slt,
        Opcode::SMax => IntCc::Sgt,
        Opcode::UMin => IntCc::Ult,
        _ => IntCc::Ugt,
    };
    let lane = data.ty.lane();
    if !can_compare(cx, cc, lane) {
        return lanes(cx, inst, data, &[a, b]);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..Ctx::parts(data.ty) {
        let (x, y) = (x.part(part), y.part(part));
        let mask = cx.temp_xmm();
        compare_part(cx, cc, lane, mask, x, y);
        blend(cx, dst.part(part), mask, x, y);
    }
}

/// `dst = mask ? x : y`, bit by bit.
fn blend(cx: &mut Ctx, dst: VReg, mask: VReg, x: VReg, y: VReg) {
    let taken = cx.xmm_new(Sse::Pand, x, mask);
    let other = cx.xmm_new(Sse::Pandn, mask, y);
    cx.xmm(Sse::Por, dst, taken, other);
}

fn can_compare(cx: &Ctx, cc: IntCc, lane: Type) -> bool {
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
fn compare_part(cx: &mut Ctx, cc: IntCc, lane: Type, mask: VReg, x: VReg, y: VReg) {
    use IntCc::*;
    match cc {
        Eq => equal(cx, lane, mask, x, y),
        Ne | Sle | Sge | Ule | Uge => {
            let opposite = cx.temp_xmm();
            compare_part(cx, cc.inverse(), lane, opposite, x, y);
            let ones = cx.temp_xmm();
            cx.push(MInst::new(Op::XmmOnes, Size::D).dst(ones));
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
            let swapped = cx.temp_xmm();
            cx.xmm_un_imm(Sse::Pshufd, swapped, halves, 0b10_11_00_01);
            return cx.xmm(Sse::Pand, mask, halves, swapped);
        }
    };
    cx.xmm(op, mask, x, y);
}

/// Comparisons of vectors.
pub fn select_compare(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let ty = cx.ty(a);
    let lane = ty.lane();
    if data.opcode == Opcode::FCmp {
        if !matches!(lane, Type::F32 | Type::F64) {
            return lanes(cx, inst, data, &[a, b]);
        }
        let (x, y) = (cx.reg(a), cx.reg(b));
        let dst = cx.result(cx.func.first_result(inst));
        for part in 0..Ctx::parts(ty) {
            float_compare(cx, data, lane, dst.part(part), x.part(part), y.part(part));
        }
        return;
    }
    let cc = IntCc::from_index(u32::from(data.flags));
    let lane = if lane.is_ptr() { Type::I64 } else { lane };
    if !can_compare(cx, cc, lane) {
        return lanes(cx, inst, data, &[a, b]);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..Ctx::parts(ty) {
        compare_part(cx, cc, lane, dst.part(part), x.part(part), y.part(part));
    }
}

fn float_compare(cx: &mut Ctx, data: &InstData, lane: Type, dst: VReg, x: VReg, y: VReg) {
    use FloatCc::*;
    let cc = FloatCc::from_index(u32::from(data.flags & 0xf));
    let op = if lane == Type::F64 { Sse::Cmppd } else { Sse::Cmpps };
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

/// `select` with a vector condition.
pub fn select_lanes(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (mask, x, y) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    let (mask, x, y) = (cx.reg(mask), cx.reg(x), cx.reg(y));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..Ctx::parts(data.ty) {
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
    for part in 0..Ctx::parts(data.ty) {
        cx.xmm_un(op, dst.part(part), x.part(part));
    }
}

/// Fused multiply-add without hardware support.
pub fn select_fma_lanes(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let args = [cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2)];
    lanes(cx, inst, data, &args);
}

/// A 16-byte aligned slot for a vector.
pub fn vector_slot(cx: &mut Ctx, ty: Type) -> Amode {
    let slot = cx.out.new_slot(u64::from(ty.store_size().next_multiple_of(16)), 16);
    Amode::slot(slot, 0)
}

/// Stores all parts of a vector.
pub fn spill(cx: &mut Ctx, ty: Type, reg: VReg) -> Amode {
    let slot = vector_slot(cx, ty);
    for part in 0..Ctx::parts(ty) {
        store_xmm(cx, ty, part, slot, reg.part(part), 16);
    }
    slot
}

/// The general way: operands to memory, each lane computed as a scalar, result from memory.
pub fn lanes(cx: &mut Ctx, inst: Inst, data: &InstData, args: &[Value]) {
    let ty = data.ty;
    let mut sources = Vec::new();
    for &arg in args {
        let reg = cx.reg(arg);
        sources.push((spill(cx, cx.ty(arg), reg), cx.ty(arg)));
    }
    let out = vector_slot(cx, ty);
    for lane in 0..ty.lanes() {
        let mut operands = smallvec::SmallVec::<[VReg; 3]>::new();
        for &(slot, from) in &sources {
            let bytes = from.lane().store_size();
            let reg = cx.temp(from.lane());
            load_value(cx, from.lane(), reg, slot.offset((lane * bytes) as i32), 1);
            operands.push(reg);
        }
        let result = scalar(cx, data, sources[0].1.lane(), &operands);
        let at = out.offset((lane * ty.lane().store_size()) as i32);
        store_scalar(cx, ty.lane(), at, result);
    }
    let dst = cx.result(cx.func.first_result(inst));
    load_value(cx, ty, dst, out, 16);
}

fn store_scalar(cx: &mut Ctx, ty: Type, at: Amode, reg: VReg) {
    match Ctx::holder(ty) {
        super::context::Holder::Regs(Class::Gpr, _, 1) => cx.store_gpr(int_size(ty), at, reg),
        super::context::Holder::Regs(Class::Xmm, ..) => store_xmm(cx, ty, 0, at, reg, 1),
        _ => unsupported(cx, "a vector operation on this lane type"),
    }
}

fn unsupported(cx: &mut Ctx, what: &str) {
    let loc = cx.loc();
    cx.error(loc, format!("not supported: {what}"));
}

/// One lane of an operation in scalar registers.
fn scalar(cx: &mut Ctx, data: &InstData, from: Type, args: &[VReg]) -> VReg {
    use Opcode::*;
    let lane = data.ty.lane();
    let dst = cx.temp(lane);
    match data.opcode {
        Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | Rotl | Rotr | SDiv | UDiv | SRem | URem | SMin
        | SMax | UMin | UMax | SMulHi | UMulHi
            if from.bits() <= 64 =>
        {
            scalar_int(cx, data.opcode, lane, dst, args[0], args[1])
        }
        ICmp if from.bits() <= 64 => {
            let cond = super::compare::int_cond(IntCc::from_index(u32::from(data.flags)));
            cx.cmp(int_size(from), args[0], args[1]);
            set_mask(cx, dst, cond);
        }
        Trunc => cx.copy(dst, args[0]),
        ZExt => match int_size(from) {
            Size::Q => cx.copy(dst, args[0]),
            size => cx.movzx(size, dst, args[0]),
        },
        SExt => match int_size(from) {
            Size::Q => cx.copy(dst, args[0]),
            size => cx.movsx(Size::Q, size, dst, args[0]),
        },
        Bswap if lane.bits() >= 32 => cx.push(MInst::new(Op::Bswap, int_size(lane)).dst(dst).src1(args[0])),
        Bswap if lane.bits() == 16 => cx.shift_imm(Shift::Rol, Size::W, dst, args[0], 8),
        Bswap => cx.copy(dst, args[0]),
        Popcount => super::bits::population_count(cx, int_size(lane).max(Size::D), dst, args[0]),
        Cttz | Ctlz => scalar_scan(cx, data.opcode, lane, dst, args[0]),
        SiToFp | UiToFp => scalar_to_float(cx, data.opcode == UiToFp, from, lane, dst, args[0]),
        FpToSi | FpToUi => scalar_to_int(cx, data.opcode == FpToUi && lane == Type::I64, from, dst, args[0]),
        FpExt if from == Type::F32 && lane == Type::F64 => cx.xmm_un(Sse::Cvtss2sd, dst, args[0]),
        FpTrunc if from == Type::F64 && lane == Type::F32 => cx.xmm_un(Sse::Cvtsd2ss, dst, args[0]),
        Fma if matches!(lane, Type::F32 | Type::F64) => {
            use target::registers::{XMM0, XMM1, XMM2};
            let name = if lane == Type::F64 { "fma" } else { "fmaf" };
            let list = [(args[0], XMM0), (args[1], XMM1), (args[2], XMM2)];
            super::call::library_call(cx, name, &list, &[(dst, XMM0)]);
        }
        FAdd | FSub | FMul | FDiv | FMin | FMax if lane == Type::F16 => {
            half_lane(cx, data.opcode, dst, args[0], args[1])
        }
        _ => unsupported(cx, &format!("{} on vectors of {from}", data.opcode.name())),
    }
    dst
}

fn half_lane(cx: &mut Ctx, opcode: Opcode, dst: VReg, a: VReg, b: VReg) {
    let (x, y) = (cx.temp_xmm(), cx.temp_xmm());
    super::float::half_reg_to_single(cx, x, a);
    super::float::half_reg_to_single(cx, y, b);
    let op = match opcode {
        Opcode::FAdd => Sse::Addss,
        Opcode::FSub => Sse::Subss,
        Opcode::FMul => Sse::Mulss,
        Opcode::FDiv => Sse::Divss,
        Opcode::FMin => Sse::Minss,
        _ => Sse::Maxss,
    };
    let result = cx.xmm_new(op, x, y);
    super::float::single_to_half(cx, dst, result);
}

fn set_mask(cx: &mut Ctx, dst: VReg, cond: Cond) {
    let flag = cx.temp_gpr();
    cx.push(MInst::new(Op::SetccZx, Size::D).cond(cond).dst(flag));
    cx.push(MInst::new(Op::Unary, Size::Q).code(UnaryCode::Neg as u16).dst(dst).src1(flag));
}

fn scalar_scan(cx: &mut Ctx, opcode: Opcode, lane: Type, dst: VReg, src: VReg) {
    let size = int_size(lane).max(Size::D);
    if opcode == Opcode::Cttz {
        if lane.bits() < 32 {
            let guarded = cx.alu_imm_new(Alu::Or, Size::D, src, 1 << lane.bits());
            return super::bits::trailing_zeros(cx, Size::D, dst, guarded);
        }
        return super::bits::trailing_zeros(cx, size, dst, src);
    }
    // Lane loads are zero-extended.
    super::bits::leading_zeros(cx, size, lane.bits(), dst, src, false);
}

fn scalar_int(cx: &mut Ctx, opcode: Opcode, lane: Type, dst: VReg, a: VReg, b: VReg) {
    use Opcode::*;
    let narrow = int_size(lane);
    let size = narrow.max(Size::D);
    let signed = matches!(opcode, SDiv | SRem | AShr | SMin | SMax | SMulHi);
    // Lane loads are zero-extended; signed operations need the sign.
    let widen = |cx: &mut Ctx, x: VReg| {
        if !signed || narrow >= Size::D {
            return x;
        }
        let wide = cx.temp_gpr();
        cx.movsx(Size::D, narrow, wide, x);
        wide
    };
    match opcode {
        Add => cx.alu(Alu::Add, size, dst, a, b),
        Sub => cx.alu(Alu::Sub, size, dst, a, b),
        And => cx.alu(Alu::And, size, dst, a, b),
        Or => cx.alu(Alu::Or, size, dst, a, b),
        Xor => cx.alu(Alu::Xor, size, dst, a, b),
        Mul => cx.push(MInst::new(Op::Imul, size).dst(dst).src1(a).src2(b)),
        Shl => super::arith::shift_by_register(cx, Shift::Shl, size, dst, a, b),
        LShr => super::arith::shift_by_register(cx, Shift::Shr, size, dst, a, b),
        AShr => {
            let x = widen(cx, a);
            super::arith::shift_by_register(cx, Shift::Sar, size, dst, x, b)
        }
        Rotl => super::arith::shift_by_register(cx, Shift::Rol, narrow, dst, a, b),
        Rotr => super::arith::shift_by_register(cx, Shift::Ror, narrow, dst, a, b),
        SMin | SMax | UMin | UMax => {
            let (x, y) = (widen(cx, a), widen(cx, b));
            cx.cmp(size, x, y);
            let cond = match opcode {
                SMin => Cond::G,
                SMax => Cond::L,
                UMin => Cond::A,
                _ => Cond::B,
            };
            cx.cmov(cond, size, dst, x, y);
        }
        SMulHi | UMulHi if narrow >= Size::D => {
            let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
            let code = u16::from(signed);
            cx.push(MInst::new(Op::MulWide, size).code(code).dst(low).src1(a).src2(b).with_aux(high));
            cx.copy(dst, high);
        }
        SMulHi | UMulHi => {
            let (x, y) = (widen(cx, a), widen(cx, b));
            let product = cx.temp_gpr();
            cx.push(MInst::new(Op::Imul, Size::D).dst(product).src1(x).src2(y));
            cx.shift_imm(if signed { Shift::Sar } else { Shift::Shr }, Size::D, dst, product, narrow.bits() as u8);
        }
        _ => {
            let (x, y) = (widen(cx, a), widen(cx, b));
            let (quotient, remainder) = (cx.temp_gpr(), cx.temp_gpr());
            let div = MInst::new(Op::Div, size).code(u16::from(signed));
            cx.push(div.dst(quotient).src1(x).src2(y).with_aux(remainder));
            cx.copy(dst, if matches!(opcode, SDiv | UDiv) { quotient } else { remainder });
        }
    }
}

fn scalar_to_float(cx: &mut Ctx, unsigned: bool, from: Type, lane: Type, dst: VReg, src: VReg) {
    let op = if lane == Type::F64 { Sse::Cvtsi2sd } else { Sse::Cvtsi2ss };
    if !matches!(lane, Type::F32 | Type::F64) {
        return unsupported(cx, "conversion to a vector of this type");
    }
    let size = int_size(from);
    match (unsigned, size) {
        (false, Size::Q) => cx.gpr_to_xmm(op, Size::Q, dst, src),
        (false, Size::D) => cx.gpr_to_xmm(op, Size::D, dst, src),
        (false, _) => {
            let wide = cx.temp_gpr();
            cx.movsx(Size::D, size, wide, src);
            cx.gpr_to_xmm(op, Size::D, dst, wide);
        }
        (true, Size::Q) => super::convert::unsigned64_register(cx, lane, src, dst),
        (true, _) => cx.gpr_to_xmm(op, Size::Q, dst, src),
    }
}

fn scalar_to_int(cx: &mut Ctx, unsigned64: bool, from: Type, dst: VReg, src: VReg) {
    let op = match from {
        Type::F64 => Sse::Cvttsd2si,
        Type::F32 => Sse::Cvttss2si,
        _ => return unsupported(cx, "conversion from a vector of this type"),
    };
    if unsigned64 {
        return super::convert::to_unsigned64(cx, src, from, op, dst);
    }
    cx.xmm_to_gpr(op, Size::Q, dst, src);
}

/// `extract_lane`.
pub fn select_extract(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let vector = cx.arg(data, 0);
    let ty = cx.ty(vector);
    let lane = ty.lane();
    let src = cx.reg(vector);
    let dst = cx.result(cx.func.first_result(inst));
    let Some(index) = cx.func.const_i64(cx.arg(data, 1)) else { return extract_variable(cx, data, ty, src, dst) };
    let index = index as u32 & (ty.lanes() - 1);
    let per_part = 16 / lane.store_size().max(1);
    if lane.store_size() == 16 {
        return cx.copy_parts(lane, dst, src.part(index as usize));
    }
    let (part, at) = (src.part((index / per_part) as usize), index % per_part);
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
            cx.push(
                MInst::new(Op::XmmToGpr, Size::D)
                    .code(Sse::Pextrw as u16)
                    .dst(dst)
                    .src2(part)
                    .imm(at as i32)
                    .with_bits(crate::machine::bits::NO_FOLD),
            );
        }
        Type::F16 => {
            let moved = cx.temp_xmm();
            cx.xmm_shift(SseShift::Psrldq, moved, part, at as u8 * 2);
            cx.copy(dst, moved);
        }
        _ => {
            let word = cx.temp_gpr();
            cx.push(
                MInst::new(Op::XmmToGpr, Size::D)
                    .code(Sse::Pextrw as u16)
                    .dst(word)
                    .src2(part)
                    .imm((at / 2) as i32)
                    .with_bits(crate::machine::bits::NO_FOLD),
            );
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
    if let Some(low) = low_half_alone(cx, vector, index).filter(|_| ty == Type::F64.vector(2)) {
        let (low, high) = (cx.reg(low), cx.reg(value));
        let dst = cx.result(cx.func.first_result(inst));
        return cx.xmm(Sse::Unpcklpd, dst, low, high);
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
    for part in 0..Ctx::parts(ty) {
        if part != part_number {
            cx.copy(dst.part(part), src.part(part));
        }
    }
    let (from, to) = (src.part(part_number), dst.part(part_number));
    insert_part(cx, ty, lane, at, to, from, scalar);
}

/// The scalar in both lanes of `vector`, if the second one is replaced and nothing else reads the vector.
fn low_half_alone(cx: &Ctx, vector: Value, index: Value) -> Option<Value> {
    let (splat, data) = cx.def_op(vector, Opcode::Splat)?;
    let alone = cx.single_use(vector) && cx.func.const_i64(index) == Some(1) && cx.can_sink(splat);
    alone.then(|| cx.arg(&data, 0))
}

fn insert_part(cx: &mut Ctx, ty: Type, lane: Type, at: u32, to: VReg, from: VReg, scalar: VReg) {
    let pinsrw = |cx: &mut Ctx, dst: VReg, src: VReg, word: VReg, at: u32| {
        cx.push(
            MInst::new(Op::XmmInsert, Size::D).code(Sse::Pinsrw as u16).dst(dst).src1(src).src2(word).imm(at as i32),
        );
    };
    match (lane, at) {
        (Type::I16, _) => pinsrw(cx, to, from, scalar, at),
        (Type::F16, _) => {
            let word = cx.temp_gpr();
            cx.xmm_to_gpr(Sse::MovFromXmm, Size::D, word, scalar);
            pinsrw(cx, to, from, word, at);
        }
        (Type::F32, 0) => cx.xmm(Sse::Movss, to, from, scalar),
        (Type::F64, 0) => cx.xmm(Sse::Movsd, to, from, scalar),
        (Type::F64, _) => cx.xmm(Sse::Unpcklpd, to, from, scalar),
        (Type::I64 | Type::PTR, _) => {
            let moved = cx.temp_xmm();
            cx.gpr_to_xmm(Sse::MovToXmm, Size::Q, moved, scalar);
            cx.xmm(if at == 0 { Sse::Movsd } else { Sse::Punpcklqdq }, to, from, moved);
        }
        (Type::I32, 0) => {
            let moved = cx.temp_xmm();
            cx.gpr_to_xmm(Sse::MovToXmm, Size::D, moved, scalar);
            cx.xmm(Sse::Movss, to, from, moved);
        }
        (Type::I32, _) => {
            // Two words.
            let high = cx.shift_imm_new(Shift::Shr, Size::D, scalar, 16);
            let half = cx.temp_xmm();
            pinsrw(cx, half, from, scalar, at * 2);
            pinsrw(cx, to, half, high, at * 2 + 1);
        }
        _ => {
            let slot = spill(cx, Type::I64.vector(2), from);
            store_scalar(cx, lane, slot.offset((at * lane.store_size()) as i32), scalar);
            let part_ty = if ty.store_size() < 16 { ty } else { Type::I64.vector(2) };
            load_value(cx, part_ty, to, slot, 16);
        }
    }
}

/// `splat`.
pub fn select_splat(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let value = cx.arg(data, 0);
    let ty = data.ty;
    let lane = ty.lane();
    let scalar = cx.reg(value);
    let dst = cx.result(cx.func.first_result(inst));
    let whole = cx.temp_xmm();
    let low = |cx: &mut Ctx, size: Size| {
        let moved = cx.temp_xmm();
        cx.gpr_to_xmm(Sse::MovToXmm, size, moved, scalar);
        moved
    };
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
            let words = cx.temp_xmm();
            cx.xmm_un_imm(Sse::Pshuflw, words, x, 0);
            cx.xmm(Sse::Punpcklqdq, whole, words, words);
        }
        Type::I8 => {
            let x = low(cx, Size::D);
            let pairs = cx.xmm_new(Sse::Punpcklbw, x, x);
            let words = cx.temp_xmm();
            cx.xmm_un_imm(Sse::Pshuflw, words, pairs, 0);
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
    for part in 0..Ctx::parts(ty) {
        cx.copy(dst.part(part), whole);
    }
}

/// Sign bits of the lanes.
pub fn select_movemask(cx: &mut Ctx, inst: Inst, value: Value) {
    let ty = cx.ty(value);
    let src = cx.reg(value);
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
    for part in 0..Ctx::parts(ty) {
        cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst.part(part)));
    }
}
