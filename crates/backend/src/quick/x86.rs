//! Target-specific vector operations (`Intrinsic::X86`): operands from memory, one instruction, the
//! result to memory.

use ir::{Inst, Type, Value};
use object::encode::sse::SseShift;
use object::encode::vex::VexLength;
use object::encode::{Sse, Vex};
use object::{Cond, Mem, Size};
use target::options::X86Features;
use target::registers::{RAX, RCX, RDI, RDX, Reg, XMM0};

use super::Quick;
use super::compare::{Test, float_at, set};
use super::regs::op_size;
use super::state::{Class, class_of};
use super::vector::{load_vector, store_vector};
use crate::x86_operations::{FenceKind, Form, Insn, form};

/// One operation.
pub fn operation(q: &mut Quick<'_>, inst: Inst) {
    let list = q.func.list(inst);
    let number = q.const_int(list[0]).unwrap_or(-1);
    let Some(form) = u32::try_from(number).ok().and_then(form) else {
        base::bug!("vector operation number {number} does not exist")
    };
    let args = &list[1..];
    let width = width(q, inst, args);
    match form {
        Form::Binary { op, swapped, imm } => {
            let (a, b) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
            let (x, y) = (load(q, a), load(q, b));
            instruction(q, width, op, x, Some(x), y, imm.unwrap_or(0));
            store(q, inst, x);
        }
        Form::BinaryImmediate(op, divisor) => {
            let imm = immediate(q, inst, args[2]);
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            instruction(q, width, op, x, Some(x), y, (imm / i64::from(divisor)) as u8);
            store(q, inst, x);
        }
        Form::UnaryImmediate(op) => {
            let imm = immediate(q, inst, args[1]);
            let x = load(q, args[0]);
            instruction(q, width, op, x, None, x, imm as u8);
            store(q, inst, x);
        }
        Form::Unary(op) => {
            let x = load(q, args[0]);
            instruction(q, width, op, x, None, x, 0);
            store(q, inst, x);
        }
        Form::Shift(op, variable) => shift(q, inst, width, (op, variable), args[0], args[1]),
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
            if width == VexLength::L256 {
                q.buf.vex_rrr(op, width, reg, None, x);
                return q.define(result, reg);
            }
            q.buf.sse_rr_sized(op, op_size(q.func.value_type(result)), reg, x);
            q.define(result, reg);
        }
        Form::Compare { double, signaling, cc } => {
            let (a, b) = (q.stable(args[0]), q.stable(args[1]));
            let test = float_at(q, if double { Type::F64 } else { Type::F32 }, cc, signaling, a, b);
            flag(q, inst, test);
        }
        Form::Test(op, cond) => {
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            instruction(q, width, op, x, None, y, 0);
            flag(q, inst, Test::One(cond));
        }
        Form::Blend(op) => {
            q.claim(XMM0);
            let mask = q.use_memory(args[2]);
            load_vector(q, q.func.value_type(args[2]), XMM0, mask);
            let (x, y) = (load(q, args[0]), load(q, args[1]));
            if width == VexLength::L256 {
                q.buf.vex_rrri(op, width, x, Some(x), y, XMM0.encoding() << 4);
            } else {
                q.buf.sse_rr_or_immediate(op, x, y, 0);
            }
            store(q, inst, x);
        }
        Form::StringCompare { op, cond } => string_compare(q, inst, op, cond, args),
        Form::Fused(op) => {
            let (x, y, z) = (load(q, args[0]), load(q, args[1]), load(q, args[2]));
            q.buf.vex_rrr(op, width, x, Some(y), z);
            store(q, inst, x);
        }
        Form::ToHalf => {
            let imm = immediate(q, inst, args[1]);
            let x = load(q, args[0]);
            q.buf.vex_rrri(Vex::Vcvtps2ph, width, x, None, x, imm as u8);
            store(q, inst, x);
        }
        Form::General { op, swapped } => {
            let result = q.func.first_result(inst);
            let length = VexLength::from(op_size(q.func.value_type(result)));
            let (a, b) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
            let (x, y) = (q.use_reg(a), q.use_reg(b));
            let reg = q.result_gpr(result);
            q.buf.vex_rrr(op, length, reg, Some(x), y);
            q.define(result, reg);
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

/// The vector length of an operation: that of its widest operand.
fn width(q: &Quick<'_>, inst: Inst, args: &[Value]) -> VexLength {
    let values = args.iter().copied().chain(q.func.results(inst));
    let bytes = values.map(|v| q.func.value_type(v)).filter(|ty| ty.is_vector()).map(Type::store_size).max();
    if bytes == Some(32) { VexLength::L256 } else { VexLength::L128 }
}

/// `dst = src1 op src2 [, imm]`, in the SSE form (`src1` is `dst` then, or not read) in functions
/// without AVX.
fn instruction(q: &mut Quick<'_>, width: VexLength, op: Insn, dst: Reg, src1: Option<Reg>, src2: Reg, imm: u8) {
    match op {
        Insn::Sse(op) if width == VexLength::L128 && (op.is_legacy_only() || !q.has(X86Features::AVX)) => {
            q.buf.sse_rr_or_immediate(op, dst, src2, imm);
        }
        Insn::Sse(op) => {
            let src1 = if op.has_one_source() { None } else { src1.or(Some(src2)) };
            match op.has_immediate() {
                true => q.buf.vex_rrri(op, width, dst, src1, src2, imm),
                false => q.buf.vex_rrr(op, width, dst, src1, src2),
            }
        }
        Insn::Vex(op) => match op.has_immediate() {
            true => q.buf.vex_rrri(op, width, dst, src1, src2, imm),
            false => q.buf.vex_rrr(op, width, dst, src1, src2),
        },
    }
}

fn string_compare(q: &mut Quick<'_>, inst: Inst, op: Sse, cond: Option<Cond>, args: &[Value]) {
    let imm = immediate(q, inst, args[args.len() - 1]) as u8;
    let explicit = args.len() == 5;
    let is_mask = matches!(op, Sse::Pcmpistrm | Sse::Pcmpestrm);
    // The instruction names its other registers itself.
    if explicit {
        q.take_in(args[1], RAX);
        q.take_in(args[3], RDX);
    }
    q.claim(if is_mask { XMM0 } else { RCX });
    let (x, y) = (load(q, args[0]), load(q, args[if explicit { 2 } else { 1 }]));
    q.buf.sse_rri(op, x, y, imm);
    if is_mask {
        return store(q, inst, XMM0);
    }
    match cond {
        Some(cond) => flag(q, inst, Test::One(cond)),
        None => {
            let result = q.func.first_result(inst);
            q.define(result, RCX);
        }
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

fn shift(
    q: &mut Quick<'_>,
    inst: Inst,
    width: VexLength,
    (op, variable): (SseShift, Option<Sse>),
    a: Value,
    count: Value,
) {
    let Some(op_by_register) = variable else {
        let bits = immediate(q, inst, count);
        let x = load(q, a);
        shift_by(q, width, op, x, (bits / 8).clamp(0, 16) as u8);
        return store(q, inst, x);
    };
    let x = load(q, a);
    match q.const_int(count) {
        // Counts beyond the width clear the lane (or fill it with signs): the instruction does the
        // same for 255.
        Some(count) => shift_by(q, width, op, x, u8::try_from(count).unwrap_or(255)),
        None => {
            let (int, y) = (q.use_reg(count), q.temp_xmm());
            q.buf.sse_rr_sized(Sse::MovToXmm, Size::D, y, int);
            instruction(q, width, Insn::Sse(op_by_register), x, Some(x), y, 0);
        }
    }
    store(q, inst, x);
}

fn shift_by(q: &mut Quick<'_>, width: VexLength, op: SseShift, x: Reg, count: u8) {
    match width {
        VexLength::L256 => q.buf.vex_shift(op, width, x, x, count),
        _ => q.buf.sse_shift(op, x, count),
    }
}
