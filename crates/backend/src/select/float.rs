//! Scalar floating point in SSE registers: f32 and f64 natively, f16 through f32, f128 through
//! library calls.

use ir::{FloatCc, Inst, InstData, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Sse, Vex},
};
use platform::{
    options::X86Features,
    registers::{RAX, XMM0, XMM1, XMM2},
};

use super::{
    call::library_call,
    constants::{constant_amode, outlasts_load},
    context::Ctx,
    memory::{push_xmm_rm, xmm_rm},
};
use crate::machine::{MInst, Op, VReg, bits};

/// `fadd`, `fsub`, `fmul`, `fdiv`, `fmin`, `fmax` of scalars.
pub fn select_binary(cx: &mut Ctx, inst: Inst, data: &InstData) {
    match data.ty {
        Type::F80 => super::x87::select_tree(cx, inst),
        Type::F128 => quad_binary(cx, inst, data),
        Type::F16 => {
            let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
            let (x, y) = (half_to_single(cx, a), half_to_single(cx, b));
            let op = scalar_op(data.opcode, false);
            let single = cx.xmm_new(op, x, y);
            let dst = cx.result(cx.func.first_result(inst));
            single_to_half(cx, dst, single);
        }
        ty => {
            let (mut a, mut b) = (cx.arg(data, 0), cx.arg(data, 1));
            let dst = cx.result(cx.func.first_result(inst));
            let op = scalar_op(data.opcode, ty == Type::F64);
            let doubles = data.opcode == Opcode::FMul && is_two(cx, b);
            let swaps = prefers_swap(cx, inst, a, b) || !doubles && outlasts_load(cx, b, a);
            if data.opcode.is_commutative() && swaps {
                (a, b) = (b, a);
            }
            let x = cx.reg(a);
            if data.opcode == Opcode::FMul && is_two(cx, b) {
                // Twice a value is its sum with itself, for which no constant is loaded.
                let sum = if ty == Type::F64 { Sse::Addsd } else { Sse::Addss };
                return cx.xmm(sum, dst, x, x);
            }
            let operand = xmm_rm(cx, b, ty.store_size());
            push_xmm_rm(cx, MInst::xmm(op).dst(dst).src1(x), operand, false);
        }
    }
}

/// Whether the value is the constant 2.
fn is_two(cx: &Ctx, value: Value) -> bool {
    let two = match cx.func.value_type(value) {
        Type::F64 => u128::from(2f64.to_bits()),
        _ => u128::from(2f32.to_bits()),
    };
    cx.func.const_bits(value) == Some(two)
}

fn prefers_swap(cx: &Ctx, inst: Inst, a: Value, b: Value) -> bool {
    let in_memory = |v: Value| cx.func.constant(v).is_some() || cx.foldable_load(v).is_some();
    if in_memory(a) != in_memory(b) {
        return in_memory(a);
    }
    let class = cx.phis.class(cx.func.first_result(inst));
    class.is_some() && cx.phis.class(b) == class && cx.phis.class(a) != class
}

/// The SSE operation on the lowest lane.
pub fn scalar_op(opcode: Opcode, double: bool) -> Sse {
    match (opcode, double) {
        (Opcode::FAdd, true) => Sse::Addsd,
        (Opcode::FAdd, false) => Sse::Addss,
        (Opcode::FSub, true) => Sse::Subsd,
        (Opcode::FSub, false) => Sse::Subss,
        (Opcode::FMul, true) => Sse::Mulsd,
        (Opcode::FMul, false) => Sse::Mulss,
        (Opcode::FDiv, true) => Sse::Divsd,
        (Opcode::FDiv, false) => Sse::Divss,
        (Opcode::FMin, true) => Sse::Minsd,
        (Opcode::FMin, false) => Sse::Minss,
        (Opcode::FMax, true) => Sse::Maxsd,
        (Opcode::FMax, false) => Sse::Maxss,
        (other, _) => base::bug!("{} is no SSE operation", other.name()),
    }
}

/// An f16 value as f32.
pub fn half_to_single(cx: &mut Ctx, value: Value) -> VReg {
    let src = cx.reg(value);
    let dst = cx.temp_xmm();
    half_reg_to_single(cx, dst, src);
    dst
}

/// `dst` (f32) = `src` (f16).
pub fn half_reg_to_single(cx: &mut Ctx, dst: VReg, src: VReg) {
    if cx.has(X86Features::F16C) {
        return cx.push(MInst::vex(Vex::Vcvtph2ps, Size::D).dst(dst).src2(src).with_bits(bits::NO_FOLD));
    }
    let result = cx.temp_xmm();
    library_call(cx, "__extendhfsf2", &[(src, XMM0)], &[(result, XMM0)]);
    cx.copy(dst, result);
}

/// `dst` (f16) = `src` (f32), rounded.
pub fn single_to_half(cx: &mut Ctx, dst: VReg, src: VReg) {
    let result = cx.temp_xmm();
    library_call(cx, "__truncsfhf2", &[(src, XMM0)], &[(result, XMM0)]);
    cx.copy(dst, result);
}

fn quad_binary(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let name = match data.opcode {
        Opcode::FAdd => "__addtf3",
        Opcode::FSub => "__subtf3",
        Opcode::FMul => "__multf3",
        Opcode::FDiv => "__divtf3",
        _ => return quad_min_max(cx, inst, data),
    };
    let (x, y) = (cx.reg(cx.arg(data, 0)), cx.reg(cx.arg(data, 1)));
    let dst = cx.result(cx.func.first_result(inst));
    let result = cx.temp_xmm();
    library_call(cx, name, &[(x, XMM0), (y, XMM1)], &[(result, XMM0)]);
    cx.copy(dst, result);
}

fn quad_min_max(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let (x, y) = (cx.reg(a), cx.reg(b));
    let cc = if data.opcode == Opcode::FMin { FloatCc::Olt } else { FloatCc::Ogt };
    let flags = quad_flags(cx, cc, x, y);
    let dst = cx.result(cx.func.first_result(inst));
    cx.push(MInst::new(Op::XmmSelect, Size::D).cond(flags).dst(dst).src1(y).src2(x));
}

/// Calls the comparison routine and makes flags; the condition to test.
fn quad_flags(cx: &mut Ctx, cc: FloatCc, x: VReg, y: VReg) -> Cond {
    use FloatCc::*;
    // libgcc: eq/ne return 0 for equal, lt/le and gt/ge a number to compare with 0 that is on the
    // false side for NaN, unord non-zero.
    let (name, cond) = match cc {
        Oeq => ("__eqtf2", Cond::E),
        Une => ("__netf2", Cond::NE),
        Olt => ("__lttf2", Cond::L),
        Ole => ("__letf2", Cond::LE),
        Ogt => ("__gttf2", Cond::G),
        Oge => ("__getf2", Cond::GE),
        Ult => ("__getf2", Cond::L),
        Ule => ("__gttf2", Cond::LE),
        Ugt => ("__letf2", Cond::G),
        Uge => ("__lttf2", Cond::GE),
        Ord => ("__unordtf2", Cond::E),
        Uno => ("__unordtf2", Cond::NE),
        One | Ueq => {
            let unordered = cx.temp_gpr();
            library_call(cx, "__unordtf2", &[(x, XMM0), (y, XMM1)], &[(unordered, RAX)]);
            let different = cx.temp_gpr();
            library_call(cx, "__netf2", &[(x, XMM0), (y, XMM1)], &[(different, RAX)]);
            // one: different and not unordered.
            let (a, b) = (cx.temp_gpr(), cx.temp_gpr());
            cx.cmp_imm(Size::D, unordered, 0);
            cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::E).dst(a));
            cx.cmp_imm(Size::D, different, 0);
            cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::NE).dst(b));
            cx.push(MInst::new(Op::Test, Size::B).src1(a).src2(b));
            return if cc == One { Cond::NE } else { Cond::E };
        }
    };
    let result = cx.temp_gpr();
    library_call(cx, name, &[(x, XMM0), (y, XMM1)], &[(result, RAX)]);
    cx.cmp_imm(Size::D, result, 0);
    cond
}

/// `fcmp` of f128 as a value.
pub fn compare_quad(cx: &mut Ctx, data: &InstData, dst: VReg) {
    let (x, y) = (cx.reg(cx.arg(data, 0)), cx.reg(cx.arg(data, 1)));
    let cond = quad_flags(cx, data.float_cc(), x, y);
    cx.push(MInst::new(Op::Setcc, Size::B).cond(cond).dst(dst));
}

/// A mask of the sign bit (or of all others), repeated through 16 bytes.
fn sign_mask(ty: Type, inverted: bool) -> u128 {
    let lane = match ty.lane_bits() {
        16 => 0x8000_8000_8000_8000_8000_8000_8000_8000,
        32 => 0x8000_0000_8000_0000_8000_0000_8000_0000,
        64 => 0x8000_0000_0000_0000_8000_0000_0000_0000,
        _ => 1u128 << 127,
    };
    if inverted { !lane } else { lane }
}

/// `dst = src op mask` with a 16-byte constant.
pub fn with_mask(cx: &mut Ctx, op: Sse, dst: VReg, src: VReg, mask: u128) {
    if cx.whole {
        let both = cx.temp_wide();
        super::constants::repeated(cx, both, mask);
        return cx.xmm(op, dst, src, both);
    }
    let amode = constant_amode(cx, mask, 16);
    cx.push_mem(MInst::xmm(op).dst(dst).src1(src), amode);
}

/// `fneg`, `fabs` of anything in SSE registers.
pub fn select_sign(cx: &mut Ctx, inst: Inst, data: &InstData) {
    if data.ty == Type::F80 {
        return super::x87::select_tree(cx, inst);
    }
    let src = cx.reg(cx.arg(data, 0));
    let dst = cx.result(cx.func.first_result(inst));
    let double = data.ty.lane_bits() == 64;
    let (op, mask) = match (data.opcode, double) {
        (Opcode::FNeg, true) => (Sse::Xorpd, sign_mask(data.ty, false)),
        (Opcode::FNeg, false) => (Sse::Xorps, sign_mask(data.ty, false)),
        (_, true) => (Sse::Andpd, sign_mask(data.ty, true)),
        (_, false) => (Sse::Andps, sign_mask(data.ty, true)),
    };
    for part in 0..cx.parts(data.ty) {
        with_mask(cx, op, dst.part(part), src.part(part), mask);
    }
}

/// `copysign`.
pub fn select_copysign(cx: &mut Ctx, inst: Inst, data: &InstData) {
    if data.ty == Type::F80 {
        return super::x87::select_copysign(cx, inst, data);
    }
    let (x, y) = (cx.reg(cx.arg(data, 0)), cx.reg(cx.arg(data, 1)));
    let dst = cx.result(cx.func.first_result(inst));
    for part in 0..cx.parts(data.ty) {
        let (magnitude, sign) = (cx.temp_xmm(), cx.temp_xmm());
        with_mask(cx, Sse::Andps, magnitude, x.part(part), sign_mask(data.ty, true));
        with_mask(cx, Sse::Andps, sign, y.part(part), sign_mask(data.ty, false));
        cx.xmm(Sse::Orps, dst.part(part), magnitude, sign);
    }
}

/// `sqrt`.
pub fn select_sqrt(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    match data.ty {
        Type::F80 => super::x87::select_tree(cx, inst),
        Type::F128 => {
            let src = cx.reg(a);
            let dst = cx.result(cx.func.first_result(inst));
            let result = cx.temp_xmm();
            library_call(cx, "sqrtf128", &[(src, XMM0)], &[(result, XMM0)]);
            cx.copy(dst, result);
        }
        Type::F16 => {
            let single = half_to_single(cx, a);
            let root = cx.in_xmm(|cx, dst| cx.xmm_un(Sse::Sqrtss, dst, single));
            let dst = cx.result(cx.func.first_result(inst));
            single_to_half(cx, dst, root);
        }
        ty if ty.is_vector() => super::vector::select_unary(cx, inst, data),
        ty => {
            let dst = cx.result(cx.func.first_result(inst));
            let op = if ty == Type::F64 { Sse::Sqrtsd } else { Sse::Sqrtss };
            let operand = xmm_rm(cx, a, ty.store_size());
            push_xmm_rm(cx, MInst::xmm_un(op).dst(dst), operand, false);
        }
    }
}

/// `fma`: the instruction where the target has it, else the library's function (never a product
/// rounded twice).
pub fn select_fma(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b, c) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    if data.ty == Type::F80 {
        return super::x87::select_fma(cx, inst, data);
    }
    if data.ty.is_vector() && !cx.has(X86Features::FMA) {
        return super::vector::select_fma_lanes(cx, inst, data);
    }
    let (x, y, z) = (cx.reg(a), cx.reg(b), cx.reg(c));
    let dst = cx.result(cx.func.first_result(inst));
    if cx.has(X86Features::FMA) && data.ty.lane_bits() >= 32 && data.ty.lane_bits() <= 64 {
        let op = match (data.ty.lane_bits() == 64, data.ty.is_vector()) {
            (true, false) => Vex::Vfmadd213sd,
            (false, false) => Vex::Vfmadd213ss,
            (true, true) => Vex::Vfmadd213pd,
            (false, true) => Vex::Vfmadd213ps,
        };
        for part in 0..cx.parts(data.ty) {
            let fma = MInst::fma(op);
            cx.push(fma.dst(dst.part(part)).src1(x.part(part)).src2(y.part(part)).with_aux(z.part(part)));
        }
        return;
    }
    let name = match data.ty {
        Type::F64 => "fma",
        Type::F32 => "fmaf",
        Type::F128 => "fmaf128",
        _ => "fmaf",
    };
    let result = cx.temp_xmm();
    if data.ty == Type::F16 {
        // Exact in double: 11-bit significands.
        let wide = |cx: &mut Ctx, src: VReg| {
            let (single, double) = (cx.temp_xmm(), cx.temp_xmm());
            half_reg_to_single(cx, single, src);
            cx.xmm_un(Sse::Cvtss2sd, double, single);
            double
        };
        let (x, y, z) = (wide(cx, x), wide(cx, y), wide(cx, z));
        let product = cx.xmm_new(Sse::Mulsd, x, y);
        let sum = cx.xmm_new(Sse::Addsd, product, z);
        library_call(cx, "__truncdfhf2", &[(sum, XMM0)], &[(result, XMM0)]);
        return cx.copy(dst, result);
    }
    library_call(cx, name, &[(x, XMM0), (y, XMM1), (z, XMM2)], &[(result, XMM0)]);
    cx.copy(dst, result);
}

/// `rint`, `floor`, `ceil`, `trunc` intrinsics: `roundsd` with SSE4.1, else the library.
pub fn select_round(cx: &mut Ctx, inst: Inst, value: Value, mode: u8, names: [&'static str; 4]) {
    let ty = cx.ty(value);
    if ty == Type::F80 {
        return super::x87::select_round(cx, inst, value, names[2]);
    }
    let src = cx.reg(value);
    let dst = cx.result(cx.func.first_result(inst));
    if cx.has(X86Features::SSE4_1) && matches!(ty, Type::F32 | Type::F64) {
        let op = if ty == Type::F64 { Sse::Roundsd } else { Sse::Roundss };
        return cx.xmm_un_imm(op, dst, src, mode);
    }
    let name = match ty {
        Type::F32 => names[0],
        Type::F64 => names[1],
        _ => names[3],
    };
    let result = cx.temp_xmm();
    library_call(cx, name, &[(src, XMM0)], &[(result, XMM0)]);
    cx.copy(dst, result);
}
