//! Target-specific vector operations (`Intrinsic::X86`): operands from memory, one instruction, the result to memory.

use ir::{Inst, Type, Value};
use object::encode::Sse;
use object::encode::sse::SseShift;
use object::{Cond, Mem, Size};
use target::registers::{RDI, Reg, XMM0};

use super::Quick;
use super::compare::{Test, float_at, set};
use super::regs::op_size;
use super::state::{Class, class_of};
use super::vector::{load_vector, store_vector};
use crate::x86_operations::{FenceKind, Form, form};

/// One operation.
pub fn operation(q: &mut Quick<'_>, inst: Inst) {
    let list = q.func.list(inst);
    let number = q.const_int(list[0]).unwrap_or(-1);
    let Some(form) = u32::try_from(number).ok().and_then(form) else {
        base::bug!("vector operation number {number} does not exist")
    };
    let args = &list[1..];
    match form {
        Form::Binary { op, swapped, imm } => {
            let (a, b) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
            let (x, y) = (load(q, a), load(q, b));
            match imm {
                Some(imm) => q.buf.sse_rri(op, x, y, imm),
                None => q.buf.sse_rr(op, x, y),
            }
            store(q, inst, x);
        }
        Form::BinaryImmediate(op, divisor) => {
            let imm = immediate(q, inst, args[2]);
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            q.buf.sse_rri(op, x, y, (imm / i64::from(divisor)) as u8);
            store(q, inst, x);
        }
        Form::UnaryImmediate(op) => {
            let imm = immediate(q, inst, args[1]);
            let x = load(q, args[0]);
            q.buf.sse_rri(op, x, x, imm as u8);
            store(q, inst, x);
        }
        Form::Unary(op) => {
            let x = load(q, args[0]);
            q.buf.sse_rr(op, x, x);
            store(q, inst, x);
        }
        Form::Shift(op, variable) => shift(q, inst, op, variable, args[0], args[1]),
        Form::FromInt(op) => {
            let x = load(q, args[0]);
            let size = op_size(q.func.value_type(args[1]));
            let int = q.use_reg(args[1]);
            q.buf.sse_rr_sized(op, size, x, int);
            store(q, inst, x);
        }
        Form::ToInt(op) => {
            let x = load(q, args[0]);
            let result = q.func.first_result(inst);
            let reg = q.result_gpr(result);
            q.buf.sse_rr_sized(op, op_size(q.func.value_type(result)), reg, x);
            q.define(result, reg);
        }
        Form::Compare { double, signaling, cc } => {
            let (a, b) = (q.stable(args[0]), q.stable(args[1]));
            let test = float_at(q, if double { Type::F64 } else { Type::F32 }, cc, signaling, a, b);
            flag(q, inst, test);
        }
        Form::Test { carry } => {
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            q.buf.sse_rr(Sse::Ptest, x, y);
            flag(q, inst, Test::One(if carry { Cond::B } else { Cond::E }));
        }
        Form::Blend => {
            q.claim(XMM0);
            let mask = q.use_memory(args[2]);
            q.buf.sse_rm(Sse::Movups, XMM0, mask);
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            q.buf.sse_rr(Sse::Pblendvb, x, y);
            store(q, inst, x);
        }
        Form::Crc32(size) => {
            let result = q.func.first_result(inst);
            let reg = q.take_for(args[0], result);
            let value = q.use_reg(args[1]);
            q.buf.crc32_rr(size, reg, value);
            q.define(result, reg);
        }
        _ => memory_operation(q, inst, form, args),
    }
}

/// Operations whose point is memory or machine state.
fn memory_operation(q: &mut Quick<'_>, inst: Inst, form: Form, args: &[Value]) {
    match form {
        Form::LoadHalf(op) => {
            let x = load(q, args[0]);
            let mem = q.mem(args[1]);
            q.buf.sse_rm(op, x, mem);
            store(q, inst, x);
        }
        Form::Load(op) => {
            let mem = q.mem(args[0]);
            let x = q.temp_xmm();
            q.buf.sse_rm(op, x, mem);
            store(q, inst, x);
        }
        Form::Store(op) => {
            let x = load(q, args[1]);
            let mem = q.mem(args[0]);
            q.buf.sse_mr(op, mem, x);
        }
        Form::StoreInt => {
            let size = op_size(q.func.value_type(args[1]));
            let mem = q.mem(args[0]);
            let reg = q.use_reg(args[1]);
            q.buf.movnti(size, mem, reg);
        }
        Form::MaskedStore => {
            q.take_in(args[2], RDI);
            let (x, mask) = (load(q, args[0]), load(q, args[1]));
            q.buf.sse_rr(Sse::Maskmovdqu, x, mask);
        }
        Form::Flush => {
            let mem = q.mem(args[0]);
            q.buf.clflush(mem);
        }
        Form::Fence(FenceKind::Load) => q.buf.lfence(),
        Form::Fence(FenceKind::Store) => q.buf.sfence(),
        Form::Fence(FenceKind::Full) => q.buf.mfence(),
        Form::SetMxcsr => {
            let reg = q.use_reg(args[0]);
            let slot = q.scratch_slot(8);
            let mem = q.frame_mem(slot);
            q.buf.mov_mr(Size::D, mem, reg);
            q.buf.ldmxcsr(mem);
        }
        Form::GetMxcsr => {
            let slot = q.scratch_slot(8);
            let mem = q.frame_mem(slot);
            q.buf.stmxcsr(mem);
            let result = q.func.first_result(inst);
            let reg = q.result_gpr(result);
            q.buf.mov_rm(Size::D, reg, mem);
            q.define(result, reg);
        }
        _ => base::bug!("{form:?} is no memory operation"),
    }
}

/// A vector or scalar float operand in an SSE register of its own.
fn load(q: &mut Quick<'_>, value: Value) -> Reg {
    let ty = q.func.value_type(value);
    if class_of(ty) == Class::Xmm {
        return q.take(value);
    }
    let mem: Mem = q.use_memory(value);
    let reg = q.temp_xmm();
    load_vector(q, ty, reg, mem);
    reg
}

fn store(q: &mut Quick<'_>, inst: Inst, reg: Reg) {
    let result = q.func.first_result(inst);
    let ty = q.func.value_type(result);
    if class_of(ty) == Class::Xmm {
        return q.define(result, reg);
    }
    let home = q.define_home(result);
    let mem = q.frame_mem(home);
    store_vector(q, ty, mem, reg);
}

/// 0 or 1 as the i32 result.
fn flag(q: &mut Quick<'_>, inst: Inst, test: Test) {
    let result = q.func.first_result(inst);
    let reg = q.result_gpr(result);
    set(q, test, reg);
    q.buf.movzx_rr(Size::D, Size::B, reg, reg);
    q.define(result, reg);
}

fn immediate(q: &mut Quick<'_>, inst: Inst, value: Value) -> i64 {
    match q.const_int(value) {
        Some(imm) => imm,
        None => {
            q.consume(value);
            q.error(inst, "the last argument must be an 8-bit immediate");
            0
        }
    }
}

fn shift(q: &mut Quick<'_>, inst: Inst, op: SseShift, variable: Option<Sse>, a: Value, count: Value) {
    let Some(op_by_register) = variable else {
        let bits = immediate(q, inst, count);
        let x = load(q, a);
        q.buf.sse_shift(op, x, (bits / 8).clamp(0, 16) as u8);
        return store(q, inst, x);
    };
    let x = load(q, a);
    match q.const_int(count) {
        // Counts beyond the width clear the lane (or fill it with signs): the instruction does the same for 255.
        Some(count) => q.buf.sse_shift(op, x, u8::try_from(count).unwrap_or(255)),
        None => {
            let (int, y) = (q.use_reg(count), q.temp_xmm());
            q.buf.sse_rr_sized(Sse::MovToXmm, Size::D, y, int);
            q.buf.sse_rr(op_by_register, x, y);
        }
    }
    store(q, inst, x);
}
