//! Atomic operations. Ordinary x86 loads and stores have acquire and release semantics; sequential
//! consistency costs an `xchg` for stores. 16-byte operations use `cmpxchg16b` where the target has
//! it and libatomic otherwise, as gcc does.
//!
//! Loops must not allocate registers between their label and their jump: an eviction inside would
//! happen on some turns only.

use ir::{Inst, InstView, Ordering, RmwOp, Type, Value};
use object::encode::Unary;
use object::{Alu, Cond, Mem, Size, encode::Sse};
use target::options::X86Features;
use target::registers::{R8, R9, RAX, RBX, RCX, RDI, RDX, RSI, RSP, Reg};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};
use super::int128::{define_pair, high, load_pair};
use super::regs::gpr_size;
use super::state::{Class, class_of};

fn wide(q: &Quick<'_>, ty: Type) -> bool {
    if ty.bits() != 128 {
        return false;
    }
    if ty != Type::I128 {
        base::bug!("atomic operation on {ty}");
    }
    // `cmpxchg16b` wants `rbx`.
    !q.has(X86Features::CX16) || q.cx.module.reserved_registers.contains(RBX)
}

/// The number of a memory order in the interface of libatomic.
fn order_number(order: Ordering) -> i64 {
    order as i64
}

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
        Class::Xmm if data.ty.bits() <= 64 => {
            let mem = q.mem(pointer);
            let reg = q.result_xmm(result);
            q.load_xmm(data.ty, reg, mem);
            q.define(result, reg);
        }
        _ if wide(q, data.ty) => {
            q.spill_all(CALL_CLOBBERS);
            q.take_in(pointer, RDI);
            q.claim(RSI);
            q.buf.mov_ri(Size::D, RSI, order_number(data.ordering()));
            call_library(q, "__atomic_load_16");
            define_wide(q, result);
        }
        _ => {
            // Comparing with zero and storing zero if it was zero reads all 16 bytes.
            for reg in [RAX, RDX, RCX] {
                q.claim(reg);
            }
            let mem = q.mem(pointer);
            for reg in [RAX, RDX, RCX, RBX] {
                q.buf.zero_r(reg);
            }
            q.buf.lock_cmpxchg16b(mem);
            define_pair(q, result, RAX, RDX);
        }
    }
}

fn define_wide(q: &mut Quick<'_>, result: Value) {
    q.regs.pinned.insert(RAX);
    q.regs.pinned.insert(RDX);
    define_pair(q, result, RAX, RDX);
}

/// `atomic_store`
pub fn store(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [pointer, value] = data.args();
    let ty = q.func.value_type(value);
    let sequential = data.ordering() == Ordering::SeqCst;
    match class_of(ty) {
        Class::Gpr | Class::Xmm if ty.bits() <= 64 => {
            let mem = q.mem(pointer);
            if !sequential {
                return super::memory::store_scalar(q, value, mem);
            }
            let reg = take_bits(q, value);
            q.buf.xchg_mr(gpr_size(bits_type(ty)), mem, reg);
        }
        _ if wide(q, ty) => {
            library_with_value(q, "__atomic_store_16", pointer, value, data.ordering());
        }
        _ => {
            for reg in [RAX, RDX, RCX] {
                q.claim(reg);
            }
            let new = q.use_memory(value);
            let mem = q.mem(pointer);
            load_pair(q, RBX, RCX, new);
            load_pair(q, RAX, RDX, mem);
            let again = q.buf.label_here();
            q.buf.lock_cmpxchg16b(mem);
            q.buf.jcc(Cond::NE, again);
        }
    }
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

/// `name(pointer, value, order)` with a 16-byte value in `rsi` and `rdx`.
fn library_with_value(q: &mut Quick<'_>, name: &str, pointer: Value, value: Value, order: Ordering) {
    q.spill_all(CALL_CLOBBERS);
    for reg in [RDI, RSI, RDX, RCX] {
        q.claim(reg);
    }
    let mem = q.use_memory(value);
    load_pair(q, RSI, RDX, mem);
    q.load_into(pointer, RDI);
    q.consume(pointer);
    q.buf.mov_ri(Size::D, RCX, order_number(order));
    call_library(q, name);
}

// ---- read, modify, write ----

/// `atomic_rmw`: the old value.
pub fn rmw(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let op = data.rmw_op();
    let [pointer, value] = data.args();
    let result = q.func.first_result(inst);
    if data.ty == Type::I128 {
        return rmw_wide(q, inst, op);
    }
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

fn rmw_wide(q: &mut Quick<'_>, inst: Inst, op: RmwOp) {
    let data = q.func.insts[inst];
    let [pointer, value] = data.args();
    let result = q.func.first_result(inst);
    if wide(q, data.ty) {
        let name = match op {
            RmwOp::Xchg => "__atomic_exchange_16",
            RmwOp::Add => "__atomic_fetch_add_16",
            RmwOp::Sub => "__atomic_fetch_sub_16",
            RmwOp::And => "__atomic_fetch_and_16",
            RmwOp::Nand => "__atomic_fetch_nand_16",
            RmwOp::Or => "__atomic_fetch_or_16",
            RmwOp::Xor => "__atomic_fetch_xor_16",
        };
        library_with_value(q, name, pointer, value, data.ordering());
        return define_wide(q, result);
    }
    for reg in [RAX, RDX, RCX, R8, R9] {
        q.claim(reg);
    }
    let operand = q.use_memory(value);
    load_pair(q, R8, R9, operand);
    let mem = q.mem(pointer);
    load_pair(q, RAX, RDX, mem);
    let again = q.buf.label_here();
    q.buf.mov_rr(Size::Q, RBX, RAX);
    q.buf.mov_rr(Size::Q, RCX, RDX);
    match op {
        RmwOp::Add | RmwOp::Sub => {
            let (low, top) = if op == RmwOp::Add { (Alu::Add, Alu::Adc) } else { (Alu::Sub, Alu::Sbb) };
            q.buf.alu_rr(low, Size::Q, RBX, R8);
            q.buf.alu_rr(top, Size::Q, RCX, R9);
        }
        _ => {
            modify(q, op, Size::Q, RBX, R8);
            modify(q, op, Size::Q, RCX, R9);
        }
    }
    q.buf.lock_cmpxchg16b(mem);
    q.buf.jcc(Cond::NE, again);
    define_pair(q, result, RAX, RDX);
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
    if data.ty == Type::I128 {
        return cmpxchg_wide(q, inst, old, success);
    }
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

fn cmpxchg_wide(q: &mut Quick<'_>, inst: Inst, old: Value, success: Value) {
    let data = q.func.insts[inst];
    let [pointer, expected, desired] = data.args();
    if wide(q, data.ty) {
        return cmpxchg_library(q, inst, old, success);
    }
    for reg in [RAX, RDX, RCX] {
        q.claim(reg);
    }
    let from = q.use_memory(expected);
    load_pair(q, RAX, RDX, from);
    let new = q.use_memory(desired);
    load_pair(q, RBX, RCX, new);
    let mem = q.mem(pointer);
    q.buf.lock_cmpxchg16b(mem);
    let flag = q.result_gpr(success);
    q.buf.setcc_r(Cond::E, flag);
    define_pair(q, old, RAX, RDX);
    q.define(success, flag);
}

/// libatomic wants the expected value in memory and leaves the old one there.
fn cmpxchg_library(q: &mut Quick<'_>, inst: Inst, old: Value, success: Value) {
    let data = q.func.insts[inst];
    let [pointer, expected, desired] = data.args();
    let slot = q.scratch_slot(16);
    let memory = q.frame_mem(slot);
    q.spill_all(CALL_CLOBBERS);
    for reg in [RDI, RSI, RDX, RCX, R8, R9] {
        q.claim(reg);
    }
    let from = q.use_memory(expected);
    load_pair(q, RDX, RCX, from);
    q.buf.mov_mr(Size::Q, memory, RDX);
    q.buf.mov_mr(Size::Q, high(memory), RCX);
    let new = q.use_memory(desired);
    load_pair(q, RDX, RCX, new);
    q.load_into(pointer, RDI);
    q.consume(pointer);
    q.buf.lea(Size::Q, RSI, memory);
    q.buf.mov_ri(Size::D, R8, order_number(data.ordering()));
    q.buf.mov_ri(Size::D, R9, order_number(data.failure_ordering()));
    call_library(q, "__atomic_compare_exchange_16");
    q.regs.pinned.insert(RAX);
    let (low, top) = (q.temp_gpr(), q.temp_gpr());
    load_pair(q, low, top, memory);
    define_pair(q, old, low, top);
    q.define(success, RAX);
}

/// A fence: only sequential consistency needs an instruction (a locked one is cheaper than
/// `mfence`).
pub fn fence(q: &mut Quick<'_>, inst: Inst) {
    if let InstView::Fence { order: Ordering::SeqCst, signal_only: false } = q.func.view(inst) {
        q.buf.lock_alu_mi(Alu::Or, Size::Q, Mem::base(RSP, 0), 0);
    }
}
