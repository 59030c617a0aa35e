//! Integer addition, subtraction, multiplication and logic.
//!
//! Types narrower than 32 bits are computed in 32 bits: the upper bits of a register are
//! unspecified anyway.

use ir::{Inst, Opcode, Type, Value};
use object::{Alu, Rmi, Scale, Shift, Size};
use platform::registers::Reg;

use super::Quick;
use super::memory::settle;
use super::regs::op_size;
use super::state::Place;

/// `add`, `sub`, `mul`, `and`, `or`, `xor`
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let ty = data.ty;
    let result = q.func.first_result(inst);
    let [mut a, mut b] = data.args();
    if data.opcode.is_commutative() && prefers_swap(q, a, b) {
        (a, b) = (b, a);
    }
    let op = match (data.opcode, ty) {
        (Opcode::Add | Opcode::Sub, Type::I1) => Alu::Xor,
        (Opcode::Mul, Type::I1) => Alu::And,
        (Opcode::Add, _) => Alu::Add,
        (Opcode::Sub, _) => Alu::Sub,
        (Opcode::And, _) => Alu::And,
        (Opcode::Or, _) => Alu::Or,
        (Opcode::Xor, _) => Alu::Xor,
        (Opcode::Mul, _) => return multiply(q, inst, result, a, b),
        (opcode, _) => base::bug!("{} is no arithmetic", opcode.name()),
    };
    let size = op_size(ty);
    let reg = q.take_for(a, result);
    alu(q, op, size, reg, b);
    q.define(result, reg);
}

/// `reg op= value`
pub fn alu(q: &mut Quick<'_>, op: Alu, size: Size, reg: Reg, value: Value) {
    let source = q.use_rmi(value);
    q.buf.alu_r(op, size, reg, source);
}

/// Whether a commutative operation is cheaper the other way around: constants and memory belong on
/// the right, a register that dies on the left.
fn prefers_swap(q: &Quick<'_>, a: Value, b: Value) -> bool {
    let constant = |v| q.func.constant(v).is_some() || q.place(v) == Place::Zero;
    if constant(a) != constant(b) {
        return constant(a);
    }
    let dies_in_register = |v| matches!(q.place(v), Place::Reg(_)) && q.uses(v) == 1;
    dies_in_register(b) && !dies_in_register(a)
}

fn multiply(q: &mut Quick<'_>, inst: Inst, result: Value, a: Value, b: Value) {
    let ty = q.func.value_type(result);
    let size = op_size(ty);
    let Some(factor) = q.const_i32(b) else {
        let reg = q.take_for(a, result);
        match q.use_rmi(b) {
            Rmi::Mem(mem) => q.buf.imul_rx(size, reg, mem),
            Rmi::Reg(other) => q.buf.imul_rx(size, reg, other),
            Rmi::Imm(imm) => q.buf.imul_rxi(size, reg, reg, imm),
        }
        return q.define(result, reg);
    };
    q.consume(b);
    if defer_scale(q, inst, a, factor as i64 as u64) {
        return;
    }
    if factor > 0 && (factor as u32).is_power_of_two() {
        let reg = q.take_for(a, result);
        q.buf.shift_xi(Shift::Shl, size, reg, factor.trailing_zeros() as u8);
        return q.define(result, reg);
    }
    let source = q.use_reg(a);
    let reg = q.result_gpr(result);
    q.buf.imul_rxi(size, reg, source, factor);
    q.define(result, reg);
}

/// A 64-bit product by 2, 4 or 8 that the next instruction adds to an address becomes that
/// address's index.
pub fn defer_scale(q: &mut Quick<'_>, inst: Inst, a: Value, factor: u64) -> bool {
    let Some(scale) = Scale::from_factor(factor) else { return false };
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    if data.ty != Type::I64 || q.func.constant(a).is_some() || !q.next_is_only_user(inst, result) {
        return false;
    }
    let Some(next) = q.func.next_inst(inst) else { return false };
    let user = q.func.insts[next];
    if user.opcode != Opcode::PtrAdd || user.arg(1) != result {
        return false;
    }
    settle(q, a);
    q.values[result.as_u32() as usize].place = Place::Scaled(a, scale);
    true
}
