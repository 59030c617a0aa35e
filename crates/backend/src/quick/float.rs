//! Floating-point arithmetic in SSE registers.

use ir::{Inst, Opcode, Type};
use object::encode::Sse;
use object::encode::vex::{Vex, VexLength};
use platform::options::X86Features;
use platform::registers::{XMM0, XMM1, XMM2};

use super::Quick;
use super::call::{call_with_values, define_from};
use super::operands::Rm;

/// `fadd`, `fsub`, `fmul`, `fdiv`, `fmin`, `fmax`, `copysign`
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let [a, b] = data.args();
    if let Some(op) = scalar_op(data.opcode, ty) {
        let reg = q.take_for(a, result);
        match q.use_rm(b) {
            Rm::Reg(other) => q.buf.sse_rr(op, reg, other),
            Rm::Mem(mem) => q.buf.sse_rm(op, reg, mem),
        }
        return q.define(result, reg);
    }
    let (reg, sign) = (q.take_for(a, result), q.take(b));
    let mask = q.constant_mem(&magnitude_mask(ty));
    q.buf.sse_rm(Sse::Andps, reg, mask);
    let mask = q.constant_mem(&sign_mask(ty));
    q.buf.sse_rm(Sse::Andps, sign, mask);
    q.buf.sse_rr(Sse::Orps, reg, sign);
    q.define(result, reg);
}

/// The SSE instruction of an operation on float or double.
fn scalar_op(opcode: Opcode, ty: Type) -> Option<Sse> {
    Some(match (opcode, ty == Type::F32) {
        (Opcode::FAdd, true) => Sse::Addss,
        (Opcode::FAdd, false) => Sse::Addsd,
        (Opcode::FSub, true) => Sse::Subss,
        (Opcode::FSub, false) => Sse::Subsd,
        (Opcode::FMul, true) => Sse::Mulss,
        (Opcode::FMul, false) => Sse::Mulsd,
        (Opcode::FDiv, true) => Sse::Divss,
        (Opcode::FDiv, false) => Sse::Divsd,
        (Opcode::FMin, true) => Sse::Minss,
        (Opcode::FMin, false) => Sse::Minsd,
        (Opcode::FMax, true) => Sse::Maxss,
        (Opcode::FMax, false) => Sse::Maxsd,
        _ => return None,
    })
}

// ---- signs ----

/// The sign bit of a type, repeated over 16 bytes.
fn sign_mask(ty: Type) -> [u8; 16] {
    let size = ty.store_size() as usize;
    let mut mask = [0; 16];
    for lane in (0..16).step_by(size) {
        mask[lane + size - 1] = 0x80;
    }
    mask
}

/// The complement of [`sign_mask`].
fn magnitude_mask(ty: Type) -> [u8; 16] {
    sign_mask(ty).map(|byte| !byte)
}

/// `fneg`, `fabs`, `sqrt`
pub fn unary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    if matches!(data.opcode, Opcode::FNeg | Opcode::FAbs) {
        let reg = q.take_for(a, result);
        let mask = if data.opcode == Opcode::FNeg { sign_mask(ty) } else { magnitude_mask(ty) };
        let mask = q.constant_mem(&mask);
        q.buf.sse_rm(if data.opcode == Opcode::FNeg { Sse::Xorps } else { Sse::Andps }, reg, mask);
        return q.define(result, reg);
    }
    let op = if ty == Type::F32 { Sse::Sqrtss } else { Sse::Sqrtsd };
    let reg = q.result_xmm(result);
    match q.use_rm(a) {
        Rm::Reg(other) => q.buf.sse_rr(op, reg, other),
        Rm::Mem(mem) => q.buf.sse_rm(op, reg, mem),
    }
    q.define(result, reg);
}

// ---- fused multiply-add ----

/// `a * b + c` with one rounding.
pub fn fma(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let values = [data.arg(0), data.arg(1), data.arg(2)];
    let result = q.func.first_result(inst);
    if q.has(X86Features::FMA) {
        let reg = q.take_for(values[0], result);
        let (b, c) = (q.use_reg(values[1]), q.use_reg(values[2]));
        let op = if ty == Type::F32 { Vex::Vfmadd213ss } else { Vex::Vfmadd213sd };
        q.buf.vex_rrr(op, VexLength::L128, reg, Some(b), c);
        return q.define(result, reg);
    }
    let name = if ty == Type::F32 { "fmaf" } else { "fma" };
    call_with_values(q, name, &[(values[0], XMM0), (values[1], XMM1), (values[2], XMM2)]);
    define_from(q, result, XMM0);
}
