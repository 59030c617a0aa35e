//! Vector operations that the hardware lacks: lane by lane, through memory and scalar registers.

use ir::{Inst, InstData, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Sse, Unary},
};

use super::{
    context::{Ctx, Holder, int_size},
    memory::{load_value, store_xmm},
};
use crate::machine::{Amode, Class, MInst, Op, VReg};

/// A 16-byte aligned slot for a vector.
pub fn vector_slot(cx: &mut Ctx, ty: Type) -> Amode {
    let slot = cx.out.new_slot(u64::from(ty.store_size().next_multiple_of(16)), 16);
    Amode::slot(slot, 0)
}

/// Stores all parts of a vector.
pub fn spill(cx: &mut Ctx, ty: Type, reg: VReg) -> Amode {
    let slot = vector_slot(cx, ty);
    for part in 0..cx.parts(ty) {
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

/// Stores one lane that is held as a scalar.
pub fn store_scalar(cx: &mut Ctx, ty: Type, at: Amode, reg: VReg) {
    match Ctx::holder(ty) {
        Holder::Regs(Class::Gpr, _, 1) => cx.store_gpr(int_size(ty), at, reg),
        Holder::Regs(Class::Xmm, ..) => store_xmm(cx, ty, 0, at, reg, 1),
        _ => unsupported(cx, "a vector operation on this lane type"),
    }
}

/// Reports what no way is known for.
pub fn unsupported(cx: &mut Ctx, what: &str) {
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
            let cond = crate::x86::conditions::int_cond(data.int_cc());
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
            use platform::registers::{XMM0, XMM1, XMM2};
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
    let flag = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::SetccZx, Size::D).cond(cond).dst(dst)));
    cx.push(MInst::unary(Unary::Neg, Size::Q).dst(dst).src1(flag));
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
        cx.in_gpr(|cx, dst| cx.movsx(Size::D, narrow, dst, x))
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
            cx.push(MInst::mul_wide(Unary::multiply(signed), size).dst(low).src1(a).src2(b).with_aux(high));
            cx.copy(dst, high);
        }
        SMulHi | UMulHi => {
            let (x, y) = (widen(cx, a), widen(cx, b));
            let product = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Imul, Size::D).dst(dst).src1(x).src2(y)));
            cx.shift_imm(if signed { Shift::Sar } else { Shift::Shr }, Size::D, dst, product, narrow.bits() as u8);
        }
        _ => {
            let (x, y) = (widen(cx, a), widen(cx, b));
            let (quotient, remainder) = (cx.temp_gpr(), cx.temp_gpr());
            let div = MInst::div(Unary::divide(signed), size);
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
            let wide = cx.in_gpr(|cx, dst| cx.movsx(Size::D, size, dst, src));
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
