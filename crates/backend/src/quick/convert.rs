//! Conversions between integers, floats and pointers.
//!
//! The common ones (integers up to 64 bits, float, double) work in registers. The others, and lanes
//! of vectors, go from memory to memory through [`convert_at`].

use ir::{Inst, Opcode, Type};
use object::{Alu, Cond, Mem, Shift, Size, encode::Sse, encode::x87::X87Float};
use target::registers::{RAX, RDI, RDX, RSI, Reg, RegSet};

use super::Quick;

use super::call::{CALL_CLOBBERS, call_library};
use super::float::{call_floats, half_to_float, store_result};
use super::int128::high;
use super::memory::{copy, reserve_for_copy};
use super::operands::Rm;
use super::regs::gpr_size;
use super::state::{Class, class_of};
use super::x87;

fn is_sse_pair(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

// ---- integers ----

/// `trunc`, `zext`, `sext`
pub fn int_to_int(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
    if class_of(from) != Class::Gpr || class_of(to) != Class::Gpr {
        return through_memory(q, inst);
    }
    let result = q.func.first_result(inst);
    if data.opcode == Opcode::Trunc {
        let reg = q.take_for(a, result);
        if to == Type::I1 {
            q.buf.alu_ri(Alu::And, Size::D, reg, 1);
        }
        return q.define(result, reg);
    }
    let signed = data.opcode == Opcode::SExt;
    if q.const_int(a).is_none()
        && from != Type::I1
        && let Some(mem) = q.at_hand_in_memory(a)
    {
        q.consume(a);
        let reg = q.result_gpr(result);
        load_extended(q, from, signed, reg, mem);
        return q.define(result, reg);
    }
    let source = q.use_reg(a);
    let reg = if q.uses(a) == 0 { source } else { q.result_gpr(result) };
    extend_register(q, from, signed, reg, source);
    q.define(result, reg);
}

/// Loads an integer of up to 64 bits, extended to 64.
pub fn load_extended(q: &mut Quick<'_>, ty: Type, signed: bool, reg: Reg, mem: Mem) {
    match (gpr_size(ty), signed) {
        (Size::Q, _) => q.buf.mov_rm(Size::Q, reg, mem),
        (Size::D, false) => q.buf.mov_rm(Size::D, reg, mem),
        (Size::D, true) => q.buf.movsx_rm(Size::Q, Size::D, reg, mem),
        (size, false) => q.buf.movzx_rm(Size::D, size, reg, mem),
        (size, true) => q.buf.movsx_rm(Size::Q, size, reg, mem),
    }
}

/// Extends to 64 bits between registers.
pub fn extend_register(q: &mut Quick<'_>, ty: Type, signed: bool, to: Reg, from: Reg) {
    match (gpr_size(ty), signed) {
        (Size::Q, _) => q.move_reg(ty, to, from),
        (Size::D, false) => q.buf.mov_rr(Size::D, to, from),
        (Size::D, true) => q.buf.movsx_rr(Size::Q, Size::D, to, from),
        (size, _) if ty == Type::I1 => {
            q.buf.movzx_rr(Size::D, size, to, from);
            if signed {
                q.buf.unary_r(object::encode::Unary::Neg, Size::Q, to);
            }
        }
        (size, false) => q.buf.movzx_rr(Size::D, size, to, from),
        (size, true) => q.buf.movsx_rr(Size::Q, size, to, from),
    }
}

// ---- floats ----

/// `fptrunc`, `fpext`
pub fn float_to_float(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let from = q.func.value_type(a);
    if !is_sse_pair(from) || !is_sse_pair(data.ty) {
        return through_memory(q, inst);
    }
    let result = q.func.first_result(inst);
    let op = if data.ty == Type::F64 { Sse::Cvtss2sd } else { Sse::Cvtsd2ss };
    let source = q.use_rm(a);
    let reg = q.result_xmm(result);
    match source {
        Rm::Reg(other) => q.buf.sse_rr(op, reg, other),
        Rm::Mem(mem) => q.buf.sse_rm(op, reg, mem),
    }
    q.define(result, reg);
}

/// `sitofp`, `uitofp`
pub fn int_to_float(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
    if class_of(from) != Class::Gpr || !is_sse_pair(to) {
        return through_memory(q, inst);
    }
    let result = q.func.first_result(inst);
    let signed = data.opcode == Opcode::SiToFp;
    let int = q.take(a);
    let wide = needs_64_bits(from, signed);
    if !(signed && matches!(from, Type::I32 | Type::I64)) {
        extend_register(q, from, signed, int, int);
    }
    let reg = q.result_xmm(result);
    if from == Type::I64 && !signed {
        unsigned_to_sse(q, to, reg, int);
    } else {
        signed_to_sse(q, to, if wide { Size::Q } else { Size::D }, reg, int);
    }
    q.define(result, reg);
}

/// Whether the extended integer may exceed 31 bits and a sign.
fn needs_64_bits(ty: Type, signed: bool) -> bool {
    ty == Type::I64 || (ty == Type::I32 && !signed)
}

fn signed_to_sse(q: &mut Quick<'_>, to: Type, size: Size, reg: Reg, int: Reg) {
    // Cleared first: the instruction keeps the upper part and would wait for it.
    q.buf.sse_rr(Sse::Xorps, reg, reg);
    let op = if to == Type::F32 { Sse::Cvtsi2ss } else { Sse::Cvtsi2sd };
    q.buf.sse_rr_sized(op, size, reg, int);
}

/// An unsigned 64-bit integer: with the top bit set, half of it (the lost bit kept sticky, so that
/// rounding is right) is converted and doubled. Destroys `int`.
fn unsigned_to_sse(q: &mut Quick<'_>, to: Type, reg: Reg, int: Reg) {
    let temp = q.temp_gpr();
    let (big, done) = (q.buf.new_label(), q.buf.new_label());
    q.buf.test_rr(Size::Q, int, int);
    q.buf.jcc(Cond::S, big);
    signed_to_sse(q, to, Size::Q, reg, int);
    q.buf.jmp(done);
    q.buf.bind(big);
    q.buf.mov_rr(Size::Q, temp, int);
    q.buf.shift_ri(Shift::Shr, Size::Q, temp, 1);
    q.buf.alu_ri(Alu::And, Size::D, int, 1);
    q.buf.alu_rr(Alu::Or, Size::Q, temp, int);
    signed_to_sse(q, to, Size::Q, reg, temp);
    q.buf.sse_rr(if to == Type::F32 { Sse::Addss } else { Sse::Addsd }, reg, reg);
    q.buf.bind(done);
}

/// `fptosi`, `fptoui`
pub fn float_to_int(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
    if class_of(to) != Class::Gpr || !is_sse_pair(from) {
        return through_memory(q, inst);
    }
    let result = q.func.first_result(inst);
    let signed = data.opcode == Opcode::FpToSi;
    if to == Type::I64 && !signed {
        let source = q.take(a);
        let reg = q.result_gpr(result);
        sse_to_unsigned(q, from, reg, source);
        return q.define(result, reg);
    }
    let source = q.use_rm(a);
    let reg = q.result_gpr(result);
    let op = if from == Type::F32 { Sse::Cvttss2si } else { Sse::Cvttsd2si };
    let size = if needs_64_bits(to, signed) { Size::Q } else { Size::D };
    match source {
        Rm::Reg(other) => q.buf.sse_rr_sized(op, size, reg, other),
        Rm::Mem(mem) => q.buf.sse_rm_sized(op, size, reg, mem),
    }
    if to == Type::I1 {
        q.buf.alu_ri(Alu::And, Size::D, reg, 1);
    }
    q.define(result, reg);
}

/// To unsigned 64-bit: the signed conversion, and where that says "out of range" (sign bit set) the
/// conversion of the number less 2^63. Destroys `source`.
fn sse_to_unsigned(q: &mut Quick<'_>, from: Type, reg: Reg, source: Reg) {
    let temp = q.temp_gpr();
    let (convert, subtract) =
        if from == Type::F32 { (Sse::Cvttss2si, Sse::Subss) } else { (Sse::Cvttsd2si, Sse::Subsd) };
    let limit = if from == Type::F32 {
        q.constant_mem(&9_223_372_036_854_775_808f32.to_bits().to_le_bytes())
    } else {
        q.constant_mem(&9_223_372_036_854_775_808f64.to_bits().to_le_bytes())
    };
    q.buf.sse_rr_sized(convert, Size::Q, reg, source);
    q.buf.sse_rm(subtract, source, limit);
    q.buf.sse_rr_sized(convert, Size::Q, temp, source);
    // reg |= temp & (reg >> 63)
    let mask = q.temp_gpr();
    q.buf.mov_rr(Size::Q, mask, reg);
    q.buf.shift_ri(Shift::Sar, Size::Q, mask, 63);
    q.buf.alu_rr(Alu::And, Size::Q, temp, mask);
    q.buf.alu_rr(Alu::Or, Size::Q, reg, temp);
}

// ---- same bits ----

/// `ptrtoint`, `inttoptr`, `bitcast`
pub fn bitcast(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let result = q.func.first_result(inst);
    let (from, to) = (q.func.value_type(a), data.ty);
    match (class_of(from), class_of(to)) {
        (Class::Gpr, Class::Gpr) | (Class::Xmm, Class::Xmm) => {
            let reg = q.take_for(a, result);
            q.define(result, reg);
        }
        (Class::Gpr, Class::Xmm) if to.store_size() >= 4 => {
            let source = q.use_reg(a);
            let reg = q.result_xmm(result);
            q.buf.sse_rr_sized(Sse::MovToXmm, Size::from_bytes(to.store_size()), reg, source);
            q.define(result, reg);
        }
        (Class::Xmm, Class::Gpr) if from.store_size() >= 4 => {
            let source = q.use_reg(a);
            let reg = q.result_gpr(result);
            q.buf.sse_rr_sized(Sse::MovFromXmm, Size::from_bytes(from.store_size()), reg, source);
            q.define(result, reg);
        }
        (_, Class::Memory) => {
            let size = u64::from(to.store_size());
            reserve_for_copy(q, size);
            let source = q.stable(a);
            let home = q.define_home(result);
            let target = q.frame_mem(home);
            copy(q, target, source, size);
        }
        _ => {
            let source = q.stable(a);
            q.define_memory(result, source);
        }
    }
}

// ---- from memory to memory ----

fn through_memory(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let result = q.func.first_result(inst);
    let (from_ty, to_ty) = (q.func.value_type(a), data.ty);
    let from = q.stable(a);
    let to = q.result_memory(result);
    let (from_lane, to_lane) = (from_ty.lane(), to_ty.lane());
    for index in 0..to_ty.lanes() {
        let source = from.offset((index * from_lane.alloc_size()) as i32);
        let target = to.offset((index * to_lane.alloc_size()) as i32);
        convert_at(q, data.opcode, from_lane, to_lane, target, source);
        q.regs.pinned = RegSet::EMPTY;
    }
    q.define_memory(result, to);
}

/// One scalar conversion in memory.
pub fn convert_at(q: &mut Quick<'_>, opcode: Opcode, from_ty: Type, to_ty: Type, to: Mem, from: Mem) {
    match opcode {
        Opcode::Trunc | Opcode::ZExt | Opcode::SExt => int_at(q, opcode == Opcode::SExt, from_ty, to_ty, to, from),
        Opcode::FpTrunc | Opcode::FpExt => float_at(q, from_ty, to_ty, to, from),
        Opcode::SiToFp | Opcode::UiToFp => int_to_float_at(q, opcode == Opcode::SiToFp, from_ty, to_ty, to, from),
        _ => float_to_int_at(q, opcode == Opcode::FpToSi, from_ty, to_ty, to, from),
    }
}

fn int_at(q: &mut Quick<'_>, signed: bool, from_ty: Type, to_ty: Type, to: Mem, from: Mem) {
    let reg = q.temp_gpr();
    if from_ty == Type::I128 {
        q.buf.mov_rm(Size::Q, reg, from);
    } else {
        load_extended(q, from_ty, signed && from_ty != Type::I1, reg, from);
        if signed && from_ty == Type::I1 {
            q.buf.unary_r(object::encode::Unary::Neg, Size::Q, reg);
        }
    }
    if to_ty == Type::I1 {
        q.buf.alu_ri(Alu::And, Size::D, reg, 1);
    }
    if to_ty != Type::I128 {
        q.buf.mov_mr(gpr_size(to_ty), to, reg);
        return;
    }
    q.buf.mov_mr(Size::Q, to, reg);
    if from_ty == Type::I128 {
        q.buf.mov_rm(Size::Q, reg, high(from));
        q.buf.mov_mr(Size::Q, high(to), reg);
    } else if signed {
        q.buf.shift_ri(Shift::Sar, Size::Q, reg, 63);
        q.buf.mov_mr(Size::Q, high(to), reg);
    } else {
        q.buf.mov_mi(Size::Q, high(to), 0);
    }
}

/// The two letters of a floating type in the names of libgcc's routines.
fn mode(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "hf",
        Type::F32 => "sf",
        Type::F64 => "df",
        Type::F80 => "xf",
        _ => "tf",
    }
}

fn float_at(q: &mut Quick<'_>, from_ty: Type, to_ty: Type, to: Mem, from: Mem) {
    let x87_width = |ty| match ty {
        Type::F32 => Some(X87Float::M32),
        Type::F64 => Some(X87Float::M64),
        Type::F80 => Some(X87Float::M80),
        _ => None,
    };
    if let (Some(wide), Some(narrow)) = (x87_width(from_ty), x87_width(to_ty)) {
        if from_ty != Type::F80 && to_ty != Type::F80 {
            let reg = q.temp_xmm();
            q.buf.sse_rm(if to_ty == Type::F64 { Sse::Cvtss2sd } else { Sse::Cvtsd2ss }, reg, from);
            return q.store_xmm(to_ty, to, reg);
        }
        q.buf.fld_m(wide, from);
        return q.buf.fstp_m(narrow, to);
    }
    let verb = if from_ty.bits() < to_ty.bits() { "extend" } else { "trunc" };
    let name = format!("__{verb}{}{}2", mode(from_ty), mode(to_ty));
    if from_ty == Type::F80 {
        x87::call_stack(q, &name, &[from]);
    } else {
        call_floats(q, &name, from_ty, &[from]);
    }
    take_float(q, to_ty, to);
}

/// Stores a routine's floating result.
fn take_float(q: &mut Quick<'_>, ty: Type, to: Mem) {
    if ty == Type::F80 { q.buf.fstp_m(X87Float::M80, to) } else { store_result(q, ty, to) }
}

fn int_to_float_at(q: &mut Quick<'_>, signed: bool, from_ty: Type, to_ty: Type, to: Mem, from: Mem) {
    if from_ty == Type::I128 {
        q.spill_all(CALL_CLOBBERS);
        q.buf.mov_rm(Size::Q, RDI, from);
        q.buf.mov_rm(Size::Q, RSI, high(from));
        let name = format!("__float{}ti{}", if signed { "" } else { "un" }, mode(to_ty));
        call_library(q, &name);
        return take_float(q, to_ty, to);
    }
    match to_ty {
        Type::F128 => {
            q.spill_all(CALL_CLOBBERS);
            load_extended(q, from_ty, signed, RDI, from);
            call_library(q, if signed || from_ty != Type::I64 { "__floatditf" } else { "__floatunditf" });
            take_float(q, to_ty, to);
        }
        Type::F80 => {
            let temp = q.temp_gpr();
            load_extended(q, from_ty, signed, temp, from);
            let slot = q.scratch_slot(8);
            let wide = q.frame_mem(slot);
            q.buf.mov_mr(Size::Q, wide, temp);
            x87::from_int64_at(q, !signed && from_ty == Type::I64, to, wide);
        }
        Type::F16 => {
            // Integers that do not overflow f16 are exact in double.
            let slot = q.scratch_slot(8);
            let wide = q.frame_mem(slot);
            int_to_float_at(q, signed, from_ty, Type::F64, wide, from);
            float_at(q, Type::F64, Type::F16, to, wide);
        }
        _ => {
            let (int, reg) = (q.temp_gpr(), q.temp_xmm());
            load_extended(q, from_ty, signed, int, from);
            if from_ty == Type::I64 && !signed {
                unsigned_to_sse(q, to_ty, reg, int);
            } else {
                signed_to_sse(q, to_ty, Size::Q, reg, int);
            }
            q.store_xmm(to_ty, to, reg);
        }
    }
}

fn float_to_int_at(q: &mut Quick<'_>, signed: bool, from_ty: Type, to_ty: Type, to: Mem, from: Mem) {
    if from_ty == Type::F16 {
        let wide = half_to_float(q, from);
        return float_to_int_at(q, signed, Type::F32, to_ty, to, wide);
    }
    let unsigned_64 = !signed && to_ty == Type::I64;
    let int = match (from_ty, to_ty) {
        (_, Type::I128) => {
            let name = format!("__fix{}{}ti", if signed { "" } else { "uns" }, mode(from_ty));
            call_float_argument(q, &name, from_ty, from);
            q.buf.mov_mr(Size::Q, to, RAX);
            q.buf.mov_mr(Size::Q, high(to), RDX);
            return;
        }
        (Type::F128, _) => {
            call_float_argument(q, if unsigned_64 { "__fixunstfdi" } else { "__fixtfdi" }, from_ty, from);
            RAX
        }
        (Type::F80, _) => {
            let slot = q.scratch_slot(8);
            let wide = q.frame_mem(slot);
            x87::to_int64_at(q, unsigned_64, wide, from);
            let temp = q.temp_gpr();
            q.buf.mov_rm(Size::Q, temp, wide);
            temp
        }
        _ => {
            let (int, reg) = (q.temp_gpr(), q.temp_xmm());
            q.load_xmm(from_ty, reg, from);
            if unsigned_64 {
                sse_to_unsigned(q, from_ty, int, reg);
            } else {
                let op = if from_ty == Type::F32 { Sse::Cvttss2si } else { Sse::Cvttsd2si };
                q.buf.sse_rr_sized(op, Size::Q, int, reg);
            }
            int
        }
    };
    if to_ty == Type::I1 {
        q.buf.alu_ri(Alu::And, Size::D, int, 1);
    }
    q.buf.mov_mr(gpr_size(to_ty), to, int);
}

fn call_float_argument(q: &mut Quick<'_>, name: &str, ty: Type, from: Mem) {
    if ty == Type::F80 { x87::call_stack(q, name, &[from]) } else { call_floats(q, name, ty, &[from]) }
}
