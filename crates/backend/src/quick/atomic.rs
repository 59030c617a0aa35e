//! Atomic operations. Ordinary x86 loads and stores have acquire and release semantics; sequential
//! consistency costs an `xchg` for stores.
//!
//! Loops must not allocate registers between their label and their jump: an eviction inside would
//! happen on some turns only.

use ir::{Inst, InstView, Ordering, RmwOp, Type, Value};
use object::encode::Unary;
use object::{Alu, Cond, Mem, Size, encode::Sse};
use platform::registers::{RAX, RSP, Reg};

use super::Quick;
use super::regs::gpr_size;
use super::state::{Class, class_of};

/// The general register type with the bits of a scalar of up to 8 bytes.
fn bits_type(ty: Type) -> Type {
    Type::int(ty.bits()).unwrap_or_else(|| base::bug!("atomic operation on {ty}"))
}

// ---- loads and stores ----

/// `atomic_load`
pub fn load(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let pointer = data.arg(0);
    let result = q.func.first_result(inst);
    match class_of(data.ty) {
        Class::Gpr => {
            let mem = q.mem(pointer);
            let reg = q.result_gpr(result);
            q.load_gpr(data.ty, reg, mem);
            q.define(result, reg);
        }
        Class::Xmm => {
            let mem = q.mem(pointer);
            let reg = q.result_xmm(result);
            q.load_xmm(data.ty, reg, mem);
            q.define(result, reg);
        }
    }
}

/// `atomic_store`
pub fn store(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [pointer, value] = data.args();
    let ty = q.func.value_type(value);
    let sequential = data.ordering() == Ordering::SeqCst;
    let mem = q.mem(pointer);
    if !sequential {
        return super::memory::store_scalar(q, value, mem);
    }
    let reg = take_bits(q, value);
    q.buf.xchg_mr(gpr_size(bits_type(ty)), mem, reg);
}

/// A scalar's bits in a general register that may be overwritten.
fn take_bits(q: &mut Quick<'_>, value: Value) -> Reg {
    let ty = q.func.value_type(value);
    if class_of(ty) == Class::Gpr {
        return q.take(value);
    }
    let source = q.use_reg(value);
    let reg = q.temp_gpr();
    q.buf.sse_rr_sized(Sse::MovFromXmm, if ty.bits() > 32 { Size::Q } else { Size::D }, reg, source);
    reg
}

/// Defines a scalar from its bits in a general register.
fn define_bits(q: &mut Quick<'_>, result: Value, reg: Reg) {
    let ty = q.func.value_type(result);
    if class_of(ty) == Class::Gpr {
        return q.define(result, reg);
    }
    let to = q.result_xmm(result);
    q.buf.sse_rr_sized(Sse::MovToXmm, if ty.bits() > 32 { Size::Q } else { Size::D }, to, reg);
    q.define(result, to);
}

// ---- read, modify, write ----

/// `atomic_rmw`: the old value.
pub fn rmw(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let op = data.rmw_op();
    let [pointer, value] = data.args();
    let result = q.func.first_result(inst);
    let unused = q.uses(result) == 0;
    let size = gpr_size(bits_type(data.ty));
    if let (true, Some(alu)) = (unused, locked_alu(op)) {
        let mem = q.mem(pointer);
        if let Some(imm) = q.const_i32(value) {
            q.consume(value);
            return q.buf.lock_alu_mi(alu, size, mem, imm);
        }
        let reg = q.use_reg(value);
        return q.buf.lock_alu_mr(alu, size, mem, reg);
    }
    match op {
        RmwOp::Xchg => {
            let mem = q.mem(pointer);
            let reg = take_bits(q, value);
            q.buf.xchg_mr(size, mem, reg);
            define_bits(q, result, reg);
        }
        RmwOp::Add | RmwOp::Sub => {
            let mem = q.mem(pointer);
            let reg = q.take(value);
            if op == RmwOp::Sub {
                q.buf.unary_r(Unary::Neg, size.max(Size::D), reg);
            }
            q.buf.lock_xadd(size, mem, reg);
            q.define(result, reg);
        }
        _ => {
            q.claim(RAX);
            let mem = q.mem(pointer);
            let operand = q.use_reg(value);
            let new = q.temp_gpr();
            q.buf.mov_rm(size, RAX, mem);
            let again = q.buf.label_here();
            q.buf.mov_rr(Size::Q, new, RAX);
            modify(q, op, Size::Q, new, operand);
            q.buf.lock_cmpxchg(size, mem, new);
            q.buf.jcc(Cond::NE, again);
            q.define(result, RAX);
        }
    }
}

fn locked_alu(op: RmwOp) -> Option<Alu> {
    Some(match op {
        RmwOp::Add => Alu::Add,
        RmwOp::Sub => Alu::Sub,
        RmwOp::And => Alu::And,
        RmwOp::Or => Alu::Or,
        RmwOp::Xor => Alu::Xor,
        RmwOp::Xchg | RmwOp::Nand => return None,
    })
}

/// `reg = reg op operand`
fn modify(q: &mut Quick<'_>, op: RmwOp, size: Size, reg: Reg, operand: Reg) {
    match locked_alu(op) {
        Some(alu) => q.buf.alu_rr(alu, size, reg, operand),
        None if op == RmwOp::Nand => {
            q.buf.alu_rr(Alu::And, size, reg, operand);
            q.buf.unary_r(Unary::Not, size, reg);
        }
        None => q.buf.mov_rr(size, reg, operand),
    }
}

// ---- compare and exchange ----

/// `cmpxchg`: the old value, and whether it was the expected one.
pub fn cmpxchg(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [pointer, expected, desired] = data.args();
    let mut results = q.func.results(inst);
    let (Some(old), Some(success)) = (results.next(), results.next()) else {
        base::bug!("cmpxchg without two results")
    };
    let size = gpr_size(bits_type(data.ty));
    if class_of(data.ty) == Class::Gpr {
        q.take_in(expected, RAX);
    } else {
        q.claim(RAX);
        let source = q.use_reg(expected);
        q.buf.sse_rr_sized(Sse::MovFromXmm, size.max(Size::D), RAX, source);
    }
    let mem = q.mem(pointer);
    let new = if class_of(data.ty) == Class::Gpr { q.use_reg(desired) } else { take_bits(q, desired) };
    q.buf.lock_cmpxchg(size, mem, new);
    let flag = q.result_gpr(success);
    q.buf.setcc_r(Cond::E, flag);
    define_bits(q, old, RAX);
    q.define(success, flag);
}

/// A fence: only sequential consistency needs an instruction (a locked one is cheaper than
/// `mfence`).
pub fn fence(q: &mut Quick<'_>, inst: Inst) {
    if let InstView::Fence { order: Ordering::SeqCst, signal_only: false } = q.func.view(inst) {
        q.buf.lock_alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
    }
}
