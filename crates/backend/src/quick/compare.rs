//! Comparisons, and what uses them: branches and `setcc`.
//!
//! Code between setting the flags and using them consists of moves only: allocating a register may
//! store another, which leaves the flags alone.

use ir::{FloatCc, Inst, IntCc, Opcode, Type, Value};
use object::{Alu, Cond, Rmi, Size, encode::Sse};
use platform::registers::Reg;

use super::Quick;
use super::regs::gpr_size;
use super::state::Place;
use crate::x86::conditions::int_cond;

/// A condition of the flags as they are now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Known without a comparison.
    Always(bool),
    /// One condition code.
    One(Cond),
    /// Both hold.
    Both(Cond, Cond),
    /// At least one holds.
    Either(Cond, Cond),
}

/// A comparison; left to the next instruction if that is its only user.
pub fn compare(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let [a, b] = data.args();
    let result = q.func.first_result(inst);
    if q.uses(result) == 0 && data.opcode != Opcode::FCmp {
        q.consume(a);
        q.consume(b);
        return;
    }
    if q.next_is_only_user(inst, result) {
        q.values[result.as_u32() as usize].place = Place::Deferred(inst);
        return;
    }
    let test = flags(q, inst);
    let reg = q.result_gpr(result);
    set(q, test, reg);
    q.define(result, reg);
}

/// A deferred comparison as 0 or 1 in `reg`.
pub fn materialize(q: &mut Quick<'_>, inst: Inst, reg: Reg) {
    let test = flags(q, inst);
    set(q, test, reg);
}

/// Writes 0 or 1 to the byte of `reg`.
pub fn set(q: &mut Quick<'_>, test: Test, reg: Reg) {
    match test {
        Test::Always(yes) => q.buf.mov_ri(Size::D, reg, yes.into()),
        Test::One(cond) => q.buf.setcc_x(cond, reg),
        Test::Both(first, second) | Test::Either(first, second) => {
            let temp = q.temp_gpr();
            q.buf.setcc_x(first, reg);
            q.buf.setcc_x(second, temp);
            let op = if matches!(test, Test::Both(..)) { Alu::And } else { Alu::Or };
            q.buf.alu_rr(op, Size::D, reg, temp);
        }
    }
}

/// An i1 as a condition; the use is consumed.
pub fn condition(q: &mut Quick<'_>, value: Value) -> Test {
    if let Some(bits) = q.const_bits(value) {
        q.consume(value);
        return Test::Always(bits & 1 != 0);
    }
    if let Place::Deferred(inst) = q.place(value)
        && matches!(q.func.insts[inst].opcode, Opcode::ICmp | Opcode::FCmp)
    {
        q.consume(value);
        return flags(q, inst);
    }
    let reg = q.use_reg(value);
    q.buf.test_rr(Size::B, reg, reg);
    Test::One(Cond::NE)
}

/// Does the comparison and says which flags tell the result.
fn flags(q: &mut Quick<'_>, inst: Inst) -> Test {
    let data = q.func.insts[inst];
    let [a, b] = data.args();
    let ty = q.func.value_type(a);
    if data.opcode == Opcode::FCmp {
        let cc = data.float_cc();
        return float_flags(q, ty, cc, data.is_signaling(), a, b);
    }
    int_flags(q, ty, data.int_cc(), a, b)
}

fn int_flags(q: &mut Quick<'_>, ty: Type, cc: IntCc, a: Value, b: Value) -> Test {
    let mut cc = cc;
    if ty == Type::I1 && cc.is_signed() {
        // As a signed number true is -1: the order is the reverse of the unsigned one.
        cc = match cc {
            IntCc::Slt => IntCc::Ugt,
            IntCc::Sle => IntCc::Uge,
            IntCc::Sgt => IntCc::Ult,
            _ => IntCc::Ule,
        };
    }
    let (mut a, mut b) = (a, b);
    if q.const_i32(a).is_some() && q.const_i32(b).is_none() {
        (a, b) = (b, a);
        cc = cc.swapped();
    }
    let size = gpr_size(ty);
    if let Some(imm) = q.const_i32(b) {
        q.consume(b);
        match if q.const_i32(a).is_some() { Rmi::Reg(q.use_reg(a)) } else { q.use_rmi_exact(a) } {
            Rmi::Reg(reg) if imm == 0 => q.buf.test_rr(size, reg, reg),
            Rmi::Reg(reg) => q.buf.alu_ri(Alu::Cmp, size, reg, imm),
            Rmi::Mem(mem) => q.buf.alu_mi(Alu::Cmp, size, mem, imm),
            Rmi::Imm(_) => base::bug!("constant compared in memory"),
        }
        return Test::One(int_cond(cc));
    }
    if q.func.constant(a).is_none() && matches!(q.place(a), Place::Deferred(_)) {
        let right = q.use_reg(b);
        match q.use_rmi_exact(a) {
            Rmi::Mem(mem) => q.buf.alu_mr(Alu::Cmp, size, mem, right),
            Rmi::Reg(reg) => q.buf.alu_rr(Alu::Cmp, size, reg, right),
            Rmi::Imm(_) => base::bug!("constant compared in memory"),
        }
        return Test::One(int_cond(cc));
    }
    let left = q.use_reg(a);
    let right = q.use_rmi_exact(b);
    q.buf.alu_r(Alu::Cmp, size, left, right);
    Test::One(int_cond(cc))
}

/// How `ucomis x, y` tells a condition: the test, and whether the operands are
/// exchanged first.
fn float_test(cc: FloatCc) -> (Test, bool) {
    use Test::{Both, Either, One};
    match cc {
        // Unordered sets ZF, PF and CF.
        FloatCc::Oeq => (Both(Cond::NP, Cond::E), false),
        FloatCc::Une => (Either(Cond::P, Cond::NE), false),
        FloatCc::Ogt => (One(Cond::A), false),
        FloatCc::Oge => (One(Cond::AE), false),
        FloatCc::Olt => (One(Cond::A), true),
        FloatCc::Ole => (One(Cond::AE), true),
        FloatCc::Ult => (One(Cond::B), false),
        FloatCc::Ule => (One(Cond::BE), false),
        FloatCc::Ugt => (One(Cond::B), true),
        FloatCc::Uge => (One(Cond::BE), true),
        FloatCc::Ord => (One(Cond::NP), false),
        FloatCc::Uno => (One(Cond::P), false),
        FloatCc::Ueq => (One(Cond::E), false),
        FloatCc::One => (One(Cond::NE), false),
    }
}

fn float_flags(q: &mut Quick<'_>, ty: Type, cc: FloatCc, signaling: bool, a: Value, b: Value) -> Test {
    let (test, swap) = float_test(cc);
    let (a, b) = if swap { (b, a) } else { (a, b) };
    let op = Sse::compare(ty != Type::F32, signaling);
    let left = q.use_reg(a);
    let right = q.use_rm(b);
    q.buf.sse_rx(op, left, right);
    test
}
