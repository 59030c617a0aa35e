//! Floating-point arithmetic in SSE registers.

use ir::{Inst, Opcode, Type};
use object::encode::Sse;

use super::Quick;

/// `fadd`, `fsub`, `fmul`, `fdiv`
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let [a, b] = data.args();
    let op = match (data.opcode, data.ty == Type::F32) {
        (Opcode::FAdd, true) => Sse::Addss,
        (Opcode::FAdd, false) => Sse::Addsd,
        (Opcode::FSub, true) => Sse::Subss,
        (Opcode::FSub, false) => Sse::Subsd,
        (Opcode::FMul, true) => Sse::Mulss,
        (Opcode::FMul, false) => Sse::Mulsd,
        (_, true) => Sse::Divss,
        (_, false) => Sse::Divsd,
    };
    let reg = q.take_for(a, result);
    let source = q.use_rm(b);
    q.buf.sse_rx(op, reg, source);
    q.define(result, reg);
}

/// `fneg`, `fabs`: the sign bit is changed by a mask.
pub fn sign(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let negates = data.opcode == Opcode::FNeg;
    let size = data.ty.store_size() as usize;
    let mask: [u8; 16] = std::array::from_fn(|byte| {
        let sign = if byte % size == size - 1 { 0x80 } else { 0 };
        if negates { sign } else { !sign }
    });
    let reg = q.take_for(data.arg(0), result);
    let mask = q.constant_mem(&mask);
    q.buf.sse_rx(if negates { Sse::Xorps } else { Sse::Andps }, reg, mask);
    q.define(result, reg);
}
