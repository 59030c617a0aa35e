//! Floating-point arithmetic: SSE for float and double, x87 for f80, library calls for f16 (by way
//! of float) and f128.
//!
//! The `*_at` functions compute from memory to memory; they serve the types that have no registers
//! here and single lanes of vectors. Memory that they are given must be reachable across calls
//! ([`Quick::stable`]).

use ir::{Inst, Opcode, Type, Value};
use object::encode::vex::{Vex, VexLength};
use object::{Mem, encode::Sse};
use target::options::X86Features;
use target::registers::{Reg, RegSet, XMM0, XMM1, XMM2};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};
use super::operands::Rm;
use super::{vector, x87};

/// `fadd`, `fsub`, `fmul`, `fdiv`, `fmin`, `fmax`, `copysign`
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    if ty.is_vector() {
        return vector::binary(q, inst);
    }
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
    let (left, right) = (q.stable(a), q.stable(b));
    let to = q.result_memory(result);
    binary_at(q, data.opcode, ty, to, left, right);
    q.define_memory(result, to);
}

/// The SSE instruction of an operation on float or double.
fn scalar_op(opcode: Opcode, ty: Type) -> Option<Sse> {
    let single = match ty {
        Type::F32 => true,
        Type::F64 => false,
        _ => return None,
    };
    Some(match (opcode, single) {
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

/// `to = a op b` in memory, for every scalar floating type.
pub fn binary_at(q: &mut Quick<'_>, opcode: Opcode, ty: Type, to: Mem, a: Mem, b: Mem) {
    if opcode == Opcode::CopySign {
        return copy_sign_at(q, ty, to, a, b);
    }
    match ty {
        Type::F80 => x87::binary_at(q, opcode, to, a, b),
        Type::F16 => {
            let (left, right) = two_halves_at(q, a, b);
            let slot = q.scratch_slot(8);
            let wide = q.frame_mem(slot);
            binary_at(q, opcode, Type::F32, wide, left, right);
            float_to_half(q, wide, to);
        }
        Type::F128 => quad_binary(q, opcode, to, a, b),
        _ => {
            let Some(op) = scalar_op(opcode, ty) else { base::bug!("{} on {ty}", opcode.name()) };
            let reg = q.temp_xmm();
            q.load_xmm(ty, reg, a);
            q.buf.sse_rm(op, reg, b);
            q.store_xmm(ty, to, reg);
        }
    }
}

fn quad_binary(q: &mut Quick<'_>, opcode: Opcode, to: Mem, a: Mem, b: Mem) {
    let name = match opcode {
        Opcode::FAdd => "__addtf3",
        Opcode::FSub => "__subtf3",
        Opcode::FMul => "__multf3",
        Opcode::FDiv => "__divtf3",
        // The SSE rule: the second operand unless the first is strictly less (greater).
        _ => return quad_min_max(q, opcode, to, a, b),
    };
    call_floats(q, name, Type::F128, &[a, b]);
    store_result(q, Type::F128, to);
}

fn quad_min_max(q: &mut Quick<'_>, opcode: Opcode, to: Mem, a: Mem, b: Mem) {
    use object::{Cond, Size};
    use target::registers::RAX;
    let (name, take_first) = if opcode == Opcode::FMin { ("__lttf2", Cond::L) } else { ("__gttf2", Cond::G) };
    call_floats(q, name, Type::F128, &[a, b]);
    q.regs.pinned.insert(RAX);
    let (from, other) = (q.temp_gpr(), q.temp_gpr());
    q.buf.lea(Size::Q, from, b);
    q.buf.lea(Size::Q, other, a);
    q.buf.test_rr(Size::D, RAX, RAX);
    q.buf.cmov_rr(take_first, Size::Q, from, other);
    let reg = q.temp_xmm();
    q.load_xmm(Type::F128, reg, Mem::base(from, 0));
    q.store_xmm(Type::F128, to, reg);
}

/// Calls a routine with scalar floats in `xmm0`, `xmm1`, `xmm2`. Nothing is pinned afterwards.
pub fn call_floats(q: &mut Quick<'_>, name: &str, ty: Type, args: &[Mem]) {
    q.spill_all(CALL_CLOBBERS);
    q.regs.pinned = RegSet::EMPTY;
    for (&arg, &reg) in args.iter().zip(&[XMM0, XMM1, XMM2]) {
        q.regs.pinned.insert(reg);
        q.load_xmm(ty, reg, arg);
    }
    call_library(q, name);
}

/// Stores what a call returned in `xmm0`.
pub fn store_result(q: &mut Quick<'_>, ty: Type, to: Mem) {
    q.regs.pinned.insert(XMM0);
    q.store_xmm(ty, to, XMM0);
}

/// Two f16 operands as floats in memory.
pub fn two_halves_at(q: &mut Quick<'_>, a: Mem, b: Mem) -> (Mem, Mem) {
    (half_to_float(q, a), half_to_float(q, b))
}

/// Two f16 values as floats in memory; their uses are consumed.
pub fn two_halves_to_float(q: &mut Quick<'_>, a: Value, b: Value) -> (Mem, Mem) {
    let (a, b) = (q.stable(a), q.stable(b));
    two_halves_at(q, a, b)
}

/// The f16 in memory as a float in a scratch slot.
pub fn half_to_float(q: &mut Quick<'_>, from: Mem) -> Mem {
    let slot = q.scratch_slot(8);
    let to = q.frame_mem(slot);
    call_floats(q, "__extendhfsf2", Type::F16, &[from]);
    store_result(q, Type::F32, to);
    to
}

/// The float in memory rounded to f16.
pub fn float_to_half(q: &mut Quick<'_>, from: Mem, to: Mem) {
    call_floats(q, "__truncsfhf2", Type::F32, &[from]);
    store_result(q, Type::F16, to);
}

// ---- signs ----

/// The sign bit of a type, repeated over the 16 bytes that hold it once (or once per lane).
pub fn sign_mask(ty: Type) -> [u8; 16] {
    let size = ty.lane().store_size().min(16) as usize;
    let mut mask = [0; 16];
    if ty.lane() == Type::F80 {
        mask[9] = 0x80;
        return mask;
    }
    for lane in (0..16).step_by(size) {
        mask[lane + size - 1] = 0x80;
    }
    mask
}

/// The complement of [`sign_mask`].
pub fn magnitude_mask(ty: Type) -> [u8; 16] {
    sign_mask(ty).map(|byte| !byte)
}

fn copy_sign_at(q: &mut Quick<'_>, ty: Type, to: Mem, a: Mem, b: Mem) {
    if ty == Type::F80 {
        return x87::copy_sign_at(q, to, a, b);
    }
    let (reg, sign) = (q.temp_xmm(), q.temp_xmm());
    q.load_xmm(ty, reg, a);
    q.load_xmm(ty, sign, b);
    let mask = q.constant_mem(&magnitude_mask(ty));
    q.buf.sse_rm(Sse::Andps, reg, mask);
    let mask = q.constant_mem(&sign_mask(ty));
    q.buf.sse_rm(Sse::Andps, sign, mask);
    q.buf.sse_rr(Sse::Orps, reg, sign);
    q.store_xmm(ty, to, reg);
}

/// `fneg`, `fabs`, `sqrt`
pub fn unary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    if ty.is_vector() {
        return vector::unary(q, inst);
    }
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    match (data.opcode, ty) {
        (_, Type::F80) => {
            let from = q.use_memory(a);
            let home = q.define_home(result);
            let to = q.frame_mem(home);
            x87::unary_at(q, data.opcode, to, from);
        }
        (Opcode::FNeg | Opcode::FAbs, _) => {
            let reg = q.take_for(a, result);
            let mask = if data.opcode == Opcode::FNeg { sign_mask(ty) } else { magnitude_mask(ty) };
            let mask = q.constant_mem(&mask);
            q.buf.sse_rm(if data.opcode == Opcode::FNeg { Sse::Xorps } else { Sse::Andps }, reg, mask);
            q.define(result, reg);
        }
        (_, Type::F32 | Type::F64) => {
            let op = if ty == Type::F32 { Sse::Sqrtss } else { Sse::Sqrtsd };
            let reg = q.result_xmm(result);
            match q.use_rm(a) {
                Rm::Reg(other) => q.buf.sse_rr(op, reg, other),
                Rm::Mem(mem) => q.buf.sse_rm(op, reg, mem),
            }
            q.define(result, reg);
        }
        _ => {
            let from = q.stable(a);
            let to = q.result_memory(result);
            sqrt_at(q, ty, to, from);
            q.define_memory(result, to);
        }
    }
}

/// A square root from memory to memory.
pub fn sqrt_at(q: &mut Quick<'_>, ty: Type, to: Mem, from: Mem) {
    match ty {
        Type::F80 => x87::unary_at(q, Opcode::Sqrt, to, from),
        Type::F128 => {
            call_floats(q, "sqrtf128", ty, &[from]);
            store_result(q, ty, to);
        }
        Type::F16 => {
            let wide = half_to_float(q, from);
            sqrt_at(q, Type::F32, wide, wide);
            float_to_half(q, wide, to);
        }
        _ => {
            let reg = q.temp_xmm();
            q.buf.sse_rm(if ty == Type::F32 { Sse::Sqrtss } else { Sse::Sqrtsd }, reg, from);
            q.store_xmm(ty, to, reg);
        }
    }
}

// ---- fused multiply-add ----

/// `a * b + c` with one rounding.
pub fn fma(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let values = [data.arg(0), data.arg(1), data.arg(2)];
    let result = q.func.first_result(inst);
    if q.has(X86Features::FMA) && matches!(ty, Type::F32 | Type::F64) {
        let reg = q.take_for(values[0], result);
        let (b, c) = (q.use_reg(values[1]), q.use_reg(values[2]));
        fused(q, ty, reg, b, c);
        return q.define(result, reg);
    }
    let [a, b, c] = values.map(|v| q.stable(v));
    let to = q.result_memory(result);
    let lane = ty.lane();
    for index in 0..ty.lanes() {
        let at = |mem: Mem| mem.offset((index * lane.alloc_size()) as i32);
        fma_at(q, lane, at(to), [at(a), at(b), at(c)]);
        q.regs.pinned = RegSet::EMPTY;
    }
    q.define_memory(result, to);
}

/// `a = a * b + c`
fn fused(q: &mut Quick<'_>, ty: Type, a: Reg, b: Reg, c: Reg) {
    let op = if ty == Type::F32 { Vex::Vfmadd213ss } else { Vex::Vfmadd213sd };
    q.buf.vex_rrr(op, VexLength::L128, a, Some(b), c);
}

fn fma_at(q: &mut Quick<'_>, ty: Type, to: Mem, args: [Mem; 3]) {
    match ty {
        Type::F80 => x87::fma_at(q, to, args),
        Type::F16 => {
            // The product of two 11-bit significands is exact in double.
            let wide = args.map(|arg| {
                let slot = q.scratch_slot(8);
                let wide = q.frame_mem(slot);
                call_floats(q, "__extendhfdf2", Type::F16, &[arg]);
                store_result(q, Type::F64, wide);
                wide
            });
            fma_at(q, Type::F64, wide[0], wide);
            call_floats(q, "__truncdfhf2", Type::F64, &[wide[0]]);
            store_result(q, Type::F16, to);
        }
        _ => {
            let name = match ty {
                Type::F32 => "fmaf",
                Type::F64 => "fma",
                _ => "fmaf128",
            };
            call_floats(q, name, ty, &args);
            store_result(q, ty, to);
        }
    }
}
