//! Conversions between integers, floats and pointers.

use ir::{Inst, Opcode, Type};
use object::{Alu, Rm, Size, encode::Sse};
use platform::registers::Reg;

use super::Quick;
use super::regs::gpr_size;
use super::state::{Class, class_of};

// ---- integers ----

/// `trunc`, `zext`, `sext`
pub fn int_to_int(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
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
        extend(q, from, signed, reg, Rm::Mem(mem));
        return q.define(result, reg);
    }
    let source = q.use_reg(a);
    let reg = if q.uses(a) == 0 { source } else { q.result_gpr(result) };
    extend(q, from, signed, reg, Rm::Reg(source));
    q.define(result, reg);
}

/// Extends an integer of up to 64 bits to 64.
fn extend(q: &mut Quick<'_>, ty: Type, signed: bool, to: Reg, from: Rm) {
    match (gpr_size(ty), signed, from) {
        (Size::Q, _, Rm::Reg(from)) => q.move_reg(ty, to, from),
        (Size::D, false, Rm::Reg(from)) => q.buf.mov_rr(Size::D, to, from),
        (size @ Size::Q, _, Rm::Mem(mem)) | (size @ Size::D, false, Rm::Mem(mem)) => q.buf.mov_rm(size, to, mem),
        (size, true, _) if ty != Type::I1 => q.buf.movsx_rx(Size::Q, size, to, from),
        (size, ..) => {
            q.buf.movzx_rx(Size::D, size, to, from);
            if signed {
                q.buf.unary_x(object::encode::Unary::Neg, Size::Q, to);
            }
        }
    }
}

// ---- floats ----

/// `fptrunc`, `fpext`
pub fn float_to_float(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let result = q.func.first_result(inst);
    let op = if data.ty == Type::F64 { Sse::Cvtss2sd } else { Sse::Cvtsd2ss };
    let source = q.use_rm(a);
    let reg = q.result_xmm(result);
    q.buf.sse_rx(op, reg, source);
    q.define(result, reg);
}

/// `sitofp`, `uitofp`
pub fn int_to_float(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
    let result = q.func.first_result(inst);
    let signed = data.opcode == Opcode::SiToFp;
    let int = q.take(a);
    let wide = needs_64_bits(from, signed);
    if !(signed && matches!(from, Type::I32 | Type::I64)) {
        extend(q, from, signed, int, Rm::Reg(int));
    }
    let reg = q.result_xmm(result);
    // Cleared first: the instruction keeps the upper part and would wait for it.
    q.buf.sse_rx(Sse::Xorps, reg, reg);
    let op = if to == Type::F32 { Sse::Cvtsi2ss } else { Sse::Cvtsi2sd };
    q.buf.sse(op, if wide { Size::Q } else { Size::D }, reg, int, None);
    q.define(result, reg);
}

/// Whether the extended integer may exceed 31 bits and a sign.
fn needs_64_bits(ty: Type, signed: bool) -> bool {
    ty == Type::I64 || (ty == Type::I32 && !signed)
}

/// `fptosi`, `fptoui`
pub fn float_to_int(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let a = data.arg(0);
    let (from, to) = (q.func.value_type(a), data.ty);
    let result = q.func.first_result(inst);
    let signed = data.opcode == Opcode::FpToSi;
    let source = q.use_rm(a);
    let reg = q.result_gpr(result);
    let op = if from == Type::F32 { Sse::Cvttss2si } else { Sse::Cvttsd2si };
    let size = if needs_64_bits(to, signed) { Size::Q } else { Size::D };
    q.buf.sse(op, size, reg, source, None);
    if to == Type::I1 {
        q.buf.alu_ri(Alu::And, Size::D, reg, 1);
    }
    q.define(result, reg);
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
        (Class::Gpr, Class::Xmm) => {
            let source = q.use_reg(a);
            let reg = q.result_xmm(result);
            q.buf.sse(Sse::MovToXmm, Size::from_bytes(to.store_size()), reg, source, None);
            q.define(result, reg);
        }
        (Class::Xmm, Class::Gpr) => {
            let source = q.use_reg(a);
            let reg = q.result_gpr(result);
            q.buf.sse(Sse::MovFromXmm, Size::from_bytes(from.store_size()), reg, source, None);
            q.define(result, reg);
        }
    }
}
