//! Vectors lane by lane, in memory: what SSE2 has no instruction for, and moving lanes about.

use ir::{Inst, Opcode, Type, Value};
use object::encode::Unary;
use object::{Alu, Cond, Mem, Shift, Size};
use target::options::X86Features;
use target::registers::{RAX, RCX, RDI, RDX, Reg, RegSet};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};
use super::compare::{int_cond, set};
use super::convert::load_extended;
use super::memory::{copy, reserve_for_copy};
use super::regs::{gpr_size, op_size};
use super::state::{Class, class_of};
use super::{bits, float, x87};

/// Refuses an operation that exists in the IR but not here, naming it.
pub fn unsupported(q: &mut Quick<'_>, inst: Inst, ty: Type) {
    let name = q.func.insts[inst].opcode.name();
    q.error(inst, format!("not supported: '{name}' on vectors of type {ty}"));
}

fn at(mem: Mem, lane: Type, index: u32) -> Mem {
    mem.offset((index * lane.alloc_size()) as i32)
}

/// A binary operation on each lane.
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let lane = data.ty.lane();
    let result = q.func.first_result(inst);
    let [a, b] = data.args();
    if lane == Type::I128 {
        q.consume(a);
        q.consume(b);
        q.define_home(result);
        return unsupported(q, inst, data.ty);
    }
    if class_of(lane) == Class::Gpr {
        for reg in [RAX, RCX, RDX] {
            q.claim(reg);
        }
    }
    let (left, right) = (q.stable(a), q.stable(b));
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    for index in 0..data.ty.lanes() {
        let (x, y, z) = (at(left, lane, index), at(right, lane, index), at(to, lane, index));
        if class_of(lane) == Class::Gpr {
            int_lane(q, data.opcode, lane, z, x, y);
        } else {
            float::binary_at(q, data.opcode, lane, z, x, y);
            q.regs.pinned = RegSet::EMPTY;
        }
    }
}

/// One integer lane; `rax`, `rcx` and `rdx` are free.
fn int_lane(q: &mut Quick<'_>, opcode: Opcode, ty: Type, to: Mem, a: Mem, b: Mem) {
    use Opcode::*;
    let signed = matches!(opcode, SDiv | SRem | AShr | SMin | SMax | SMulHi);
    load_extended(q, ty, signed, RAX, a);
    load_extended(q, ty, signed, RCX, b);
    let size = op_size(ty);
    let mut result = RAX;
    match opcode {
        Add => q.buf.alu_rr(Alu::Add, size, RAX, RCX),
        Sub => q.buf.alu_rr(Alu::Sub, size, RAX, RCX),
        And => q.buf.alu_rr(Alu::And, size, RAX, RCX),
        Or => q.buf.alu_rr(Alu::Or, size, RAX, RCX),
        Xor => q.buf.alu_rr(Alu::Xor, size, RAX, RCX),
        Mul => q.buf.imul_rr(size, RAX, RCX),
        Shl => q.buf.shift_rcl(Shift::Shl, size, RAX),
        LShr => q.buf.shift_rcl(Shift::Shr, size, RAX),
        AShr => q.buf.shift_rcl(Shift::Sar, size, RAX),
        Rotl => q.buf.shift_rcl(Shift::Rol, gpr_size(ty), RAX),
        Rotr => q.buf.shift_rcl(Shift::Ror, gpr_size(ty), RAX),
        SDiv | SRem => {
            q.buf.sign_into_rdx(size);
            q.buf.unary_r(Unary::Idiv, size, RCX);
        }
        UDiv | URem => {
            q.buf.zero_r(RDX);
            q.buf.unary_r(Unary::Div, size, RCX);
        }
        SMulHi | UMulHi if size == Size::D && ty != Type::I32 => {
            q.buf.imul_rr(Size::D, RAX, RCX);
            q.buf.shift_ri(Shift::Shr, Size::D, RAX, ty.bits() as u8);
        }
        SMulHi | UMulHi => {
            q.buf.unary_r(if opcode == SMulHi { Unary::Imul } else { Unary::Mul }, size, RCX);
            result = RDX;
        }
        _ => {
            let take_second = match opcode {
                SMin => Cond::G,
                SMax => Cond::L,
                UMin => Cond::A,
                UMax => Cond::B,
                _ => base::bug!("{} on a vector of {ty}", opcode.name()),
            };
            q.buf.alu_rr(Alu::Cmp, size, RAX, RCX);
            q.buf.cmov_rr(take_second, size, RAX, RCX);
        }
    }
    if matches!(opcode, SRem | URem) {
        result = RDX;
    }
    q.buf.mov_mr(gpr_size(ty), to, result);
}

/// A unary operation on each lane.
pub fn unary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let lane = data.ty.lane();
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    let from = q.stable(a);
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    if lane == Type::I128 {
        return unsupported(q, inst, data.ty);
    }
    for index in 0..data.ty.lanes() {
        let (x, z) = (at(from, lane, index), at(to, lane, index));
        match (data.opcode, lane) {
            (Opcode::Sqrt, _) => float::sqrt_at(q, lane, z, x),
            (opcode @ (Opcode::FNeg | Opcode::FAbs), _) => x87::unary_at(q, opcode, z, x),
            (Opcode::Popcount, _) if !q.has(X86Features::POPCNT) => {
                q.spill_all(CALL_CLOBBERS);
                load_extended(q, lane, false, RDI, x);
                call_library(q, "__popcountdi2");
                q.buf.mov_mr(gpr_size(lane), z, RAX);
            }
            _ => {
                let reg = q.temp_gpr();
                load_extended(q, lane, false, reg, x);
                bits::scalar(q, data, lane, reg);
                q.buf.mov_mr(gpr_size(lane), z, reg);
            }
        }
        q.regs.pinned = RegSet::EMPTY;
    }
}

/// A comparison of each lane to 0 or -1.
pub fn compare(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [a, b] = data.args();
    let ty = q.func.value_type(a);
    let (lane, mask) = (ty.lane(), data.ty.lane());
    let result = q.func.first_result(inst);
    let (left, right) = (q.stable(a), q.stable(b));
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    if matches!(lane, Type::I128 | Type::F80 | Type::F128) {
        return unsupported(q, inst, ty);
    }
    for index in 0..ty.lanes() {
        let (x, y) = (at(left, lane, index), at(right, lane, index));
        let test = if class_of(lane) == Class::Gpr {
            let reg = q.temp_gpr();
            q.load_gpr(lane, reg, x);
            q.buf.alu_rm(Alu::Cmp, gpr_size(lane), reg, y);
            super::compare::Test::One(int_cond(data.int_cc()))
        } else {
            let cc = data.float_cc();
            super::compare::float_at(q, lane, cc, data.is_signaling(), x, y)
        };
        let reg = q.temp_gpr();
        set(q, test, reg);
        q.buf.movzx_rr(Size::D, Size::B, reg, reg);
        q.buf.unary_r(Unary::Neg, Size::Q, reg);
        q.buf.mov_mr(gpr_size(mask), at(to, mask, index), reg);
        q.regs.pinned = RegSet::EMPTY;
    }
}

// ---- moving lanes ----

fn copy_lane(q: &mut Quick<'_>, lane: Type, to: Mem, from: Mem) {
    copy(q, to, from, u64::from(lane.store_size()));
}

/// The byte offset of a lane given by a constant operand.
fn lane_index(q: &mut Quick<'_>, value: Value, lanes: u32) -> Option<u32> {
    let index = q.const_int(value)?;
    q.consume(value);
    Some(index as u32 & (lanes - 1))
}

/// A lane as a scalar. A lane number that is no constant is scaled into the address.
pub fn extract(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let vector = data.arg(0);
    let ty = q.func.value_type(vector);
    let number = data.arg(1);
    let from = match lane_index(q, number, ty.lanes()) {
        Some(index) => {
            let mem = q.use_memory(vector);
            at(mem, ty.lane(), index)
        }
        None => {
            let base = q.stable(vector);
            variable_lane(q, base, number, ty)
        }
    };
    define_lane(q, result, from);
}

fn define_lane(q: &mut Quick<'_>, result: Value, from: Mem) {
    let ty = q.func.value_type(result);
    if class_of(ty) == Class::Memory {
        let home = q.define_home(result);
        let to = q.frame_mem(home);
        copy_lane(q, ty, to, from);
    } else {
        q.define_memory(result, from);
    }
}

fn variable_lane(q: &mut Quick<'_>, base: Mem, number: Value, ty: Type) -> Mem {
    let index_ty = q.func.value_type(number);
    let (index, address) = (q.take(number), q.temp_gpr());
    bits::zero_extend(q, index_ty, index);
    q.buf.alu_ri(Alu::And, Size::D, index, ty.lanes() as i32 - 1);
    q.buf.imul_rri(Size::Q, index, index, ty.lane().alloc_size() as i32);
    q.buf.lea(Size::Q, address, base);
    Mem::base_index(address, index, object::Scale::One, 0)
}

/// The vector with one lane replaced.
pub fn insert(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let [vector, scalar, number] = data.args();
    let ty = data.ty;
    let size = u64::from(ty.store_size());
    reserve_for_copy(q, size);
    let from = q.use_memory(vector);
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    copy(q, to, from, size);
    q.regs.pinned = RegSet::EMPTY;
    let target = match lane_index(q, number, ty.lanes()) {
        Some(index) => at(to, ty.lane(), index),
        None => variable_lane(q, to, number, ty),
    };
    store_lane(q, scalar, target);
}

fn store_lane(q: &mut Quick<'_>, scalar: Value, target: Mem) {
    let ty = q.func.value_type(scalar);
    if class_of(ty) == Class::Memory {
        let from = q.use_memory(scalar);
        copy_lane(q, ty, target, from);
    } else {
        super::memory::store_scalar(q, scalar, target);
    }
}

/// Every lane the same.
pub fn splat(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let scalar = data.arg(0);
    let lane = data.ty.lane();
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    match class_of(lane) {
        Class::Gpr => {
            let reg = q.use_reg(scalar);
            for index in 0..data.ty.lanes() {
                q.buf.mov_mr(gpr_size(lane), at(to, lane, index), reg);
            }
        }
        Class::Xmm => {
            let reg = q.use_reg(scalar);
            for index in 0..data.ty.lanes() {
                store_float_lane(q, lane, at(to, lane, index), reg);
            }
        }
        Class::Memory => {
            let from = q.use_memory(scalar);
            for index in 0..data.ty.lanes() {
                copy_lane(q, lane, at(to, lane, index), from);
                q.regs.pinned = RegSet::EMPTY;
                from.base.into_iter().for_each(|r| q.regs.pinned.insert(r));
            }
        }
    }
}

fn store_float_lane(q: &mut Quick<'_>, lane: Type, to: Mem, reg: Reg) {
    let pinned = q.regs.pinned;
    q.store_xmm(lane, to, reg);
    q.regs.pinned = pinned;
}

/// Lanes picked from two vectors. The whole result is built from copies: sources and result never
/// share memory.
pub fn shuffle(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let func = q.func;
    let [a, b] = data.args();
    let ty = func.value_type(a);
    let lanes = ty.lanes();
    let (left, right) = (q.stable(a), q.stable(b));
    let home = q.define_home(result);
    let to = q.frame_mem(home);
    let pinned = q.regs.pinned;
    for (index, &from) in func.shuffle_masks[data.mask_index()].iter().enumerate() {
        if from == u32::MAX {
            continue;
        }
        let source = if from < lanes { at(left, ty.lane(), from) } else { at(right, ty.lane(), from - lanes) };
        copy_lane(q, ty.lane(), at(to, ty.lane(), index as u32), source);
        q.regs.pinned = pinned;
    }
}
