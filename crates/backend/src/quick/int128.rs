//! 128-bit integers: pairs of 64-bit halves in memory, low half first.

use ir::{Inst, IntCc, Opcode, Type, Value};
use object::{Alu, Cond, Mem, Shift, Size, encode::Unary};
use target::options::X86Features;
use target::registers::{R8, R9, RAX, RCX, RDI, RDX, RSI, Reg};

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};
use super::compare::{Test, int_cond};

/// The high half of a 128-bit memory operand.
pub fn high(mem: Mem) -> Mem {
    mem.offset(8)
}

/// Loads both halves into the given registers, which nothing else may own.
pub fn load_pair(q: &mut Quick<'_>, low: Reg, top: Reg, mem: Mem) {
    q.buf.mov_rm(Size::Q, low, mem);
    q.buf.mov_rm(Size::Q, top, high(mem));
}

/// Stores two registers as `result`.
pub fn define_pair(q: &mut Quick<'_>, result: Value, low: Reg, top: Reg) {
    let home = q.define_home(result);
    let mem = q.frame_mem(home);
    q.buf.mov_mr(Size::Q, mem, low);
    q.buf.mov_mr(Size::Q, high(mem), top);
}

fn operands(q: &Quick<'_>, inst: Inst) -> (Value, Value) {
    let data = q.func.insts[inst];
    (data.arg(0), data.arg(1))
}

/// Addition, subtraction, multiplication, logic, minimum, maximum.
pub fn binary(q: &mut Quick<'_>, inst: Inst) {
    let opcode = q.func.insts[inst].opcode;
    let result = q.func.first_result(inst);
    let (a, b) = operands(q, inst);
    match opcode {
        Opcode::Mul => multiply(q, result, a, b),
        Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => min_max(q, opcode, result, a, b),
        _ => {
            let (left, right) = (q.use_memory(a), q.use_memory(b));
            let (low, top) = add_like(q, opcode, left, right);
            define_pair(q, result, low, top);
        }
    }
}

/// Both halves of an addition, subtraction or logical operation in registers; the flags are those
/// of the high half.
fn add_like(q: &mut Quick<'_>, opcode: Opcode, left: Mem, right: Mem) -> (Reg, Reg) {
    let (first, second) = match opcode {
        Opcode::Add | Opcode::SAddOverflow | Opcode::UAddOverflow => (Alu::Add, Alu::Adc),
        Opcode::Sub | Opcode::SSubOverflow | Opcode::USubOverflow => (Alu::Sub, Alu::Sbb),
        Opcode::And => (Alu::And, Alu::And),
        Opcode::Or => (Alu::Or, Alu::Or),
        Opcode::Xor => (Alu::Xor, Alu::Xor),
        _ => base::bug!("{} on i128", opcode.name()),
    };
    let (low, top) = (q.temp_gpr(), q.temp_gpr());
    load_pair(q, low, top, left);
    q.buf.alu_rm(first, Size::Q, low, right);
    q.buf.alu_rm(second, Size::Q, top, high(right));
    (low, top)
}

/// The low 128 bits of the product, in `rax` and `rdx`.
fn product(q: &mut Quick<'_>, left: Mem, right: Mem) {
    let temp = q.temp_gpr();
    q.buf.mov_rm(Size::Q, RAX, left);
    q.buf.unary_m(Unary::Mul, Size::Q, right);
    q.buf.mov_rm(Size::Q, temp, left);
    q.buf.imul_rm(Size::Q, temp, high(right));
    q.buf.alu_rr(Alu::Add, Size::Q, RDX, temp);
    q.buf.mov_rm(Size::Q, temp, high(left));
    q.buf.imul_rm(Size::Q, temp, right);
    q.buf.alu_rr(Alu::Add, Size::Q, RDX, temp);
}

fn multiply(q: &mut Quick<'_>, result: Value, a: Value, b: Value) {
    q.claim(RAX);
    q.claim(RDX);
    let (left, right) = (q.use_memory(a), q.use_memory(b));
    product(q, left, right);
    define_pair(q, result, RAX, RDX);
}

fn min_max(q: &mut Quick<'_>, opcode: Opcode, result: Value, a: Value, b: Value) {
    // Take `b` if the condition holds after comparing a with b by subtraction.
    let (cond, swap) = match opcode {
        Opcode::SMin => (Cond::L, true),
        Opcode::SMax => (Cond::L, false),
        Opcode::UMin => (Cond::B, true),
        _ => (Cond::B, false),
    };
    let (left, right) = (q.use_memory(a), q.use_memory(b));
    let regs = [q.temp_gpr(), q.temp_gpr(), q.temp_gpr(), q.temp_gpr()];
    load_pair(q, regs[0], regs[1], left);
    load_pair(q, regs[2], regs[3], right);
    let (x, y) = if swap { (right, left) } else { (left, right) };
    let temp = q.temp_gpr();
    q.buf.mov_rm(Size::Q, temp, x);
    q.buf.alu_rm(Alu::Cmp, Size::Q, temp, y);
    q.buf.mov_rm(Size::Q, temp, high(x));
    q.buf.alu_rm(Alu::Sbb, Size::Q, temp, high(y));
    q.buf.cmov_rr(cond, Size::Q, regs[0], regs[2]);
    q.buf.cmov_rr(cond, Size::Q, regs[1], regs[3]);
    define_pair(q, result, regs[0], regs[1]);
}

/// Compares by equality of both halves or by a subtraction whose flags tell the order.
pub fn compare(q: &mut Quick<'_>, cc: IntCc, a: Value, b: Value) -> Test {
    if matches!(cc, IntCc::Eq | IntCc::Ne) {
        let (left, right) = (q.use_memory(a), q.use_memory(b));
        let (low, top) = add_like(q, Opcode::Xor, left, right);
        q.buf.alu_rr(Alu::Or, Size::Q, low, top);
        return Test::One(int_cond(cc));
    }
    // "Greater" has no flags after a subtraction in two steps: ZF is that of the high half only.
    let (cc, a, b) = match cc {
        IntCc::Sgt | IntCc::Sle | IntCc::Ugt | IntCc::Ule => (cc.swapped(), b, a),
        _ => (cc, a, b),
    };
    let temp = q.temp_gpr();
    let left = q.use_memory(a);
    let right = q.use_memory(b);
    q.buf.mov_rm(Size::Q, temp, left);
    q.buf.alu_rm(Alu::Cmp, Size::Q, temp, right);
    q.buf.mov_rm(Size::Q, temp, high(left));
    q.buf.alu_rm(Alu::Sbb, Size::Q, temp, high(right));
    Test::One(int_cond(cc))
}

/// Division and remainder are library calls.
pub fn divide(q: &mut Quick<'_>, inst: Inst) {
    let name = match q.func.insts[inst].opcode {
        Opcode::SDiv => "__divti3",
        Opcode::UDiv => "__udivti3",
        Opcode::SRem => "__modti3",
        _ => "__umodti3",
    };
    let result = q.func.first_result(inst);
    let (a, b) = operands(q, inst);
    call_pairs(q, name, &[a, b]);
    q.regs.pinned.insert(RAX);
    q.regs.pinned.insert(RDX);
    define_pair(q, result, RAX, RDX);
}

/// Calls a routine with up to two i128 arguments.
pub fn call_pairs(q: &mut Quick<'_>, name: &str, args: &[Value]) {
    const PAIRS: [(Reg, Reg); 2] = [(RDI, RSI), (RDX, RCX)];
    q.spill_all(CALL_CLOBBERS);
    // All of them first, so that no address is computed into one.
    for &(low, top) in &PAIRS[..args.len()] {
        q.claim(low);
        q.claim(top);
    }
    for (&arg, &(low, top)) in args.iter().zip(&PAIRS) {
        let mem = q.use_memory(arg);
        load_pair(q, low, top, mem);
    }
    call_library(q, name);
}

// ---- overflow and high products ----

/// Arithmetic with an overflow result.
pub fn overflow(q: &mut Quick<'_>, inst: Inst) {
    let opcode = q.func.insts[inst].opcode;
    let mut results = q.func.results(inst);
    let (Some(value), Some(overflowed)) = (results.next(), results.next()) else {
        base::bug!("overflow operation without two results")
    };
    let (a, b) = operands(q, inst);
    let (low, top, cond) = match opcode {
        Opcode::SAddOverflow | Opcode::SSubOverflow => {
            let (left, right) = (q.use_memory(a), q.use_memory(b));
            let (low, top) = add_like(q, opcode, left, right);
            (low, top, Cond::O)
        }
        Opcode::UAddOverflow | Opcode::USubOverflow => {
            let (left, right) = (q.use_memory(a), q.use_memory(b));
            let (low, top) = add_like(q, opcode, left, right);
            (low, top, Cond::B)
        }
        _ => {
            let signed = opcode == Opcode::SMulOverflow;
            let (left, right) = wide_operands(q, a, b);
            let [p0, p1, p2, p3] = wide_product(q, left, right, signed);
            // Right if the high half repeats the sign (signed) or is zero.
            if signed {
                let sign = RAX;
                q.buf.mov_rr(Size::Q, sign, p1);
                q.buf.shift_ri(Shift::Sar, Size::Q, sign, 63);
                q.buf.alu_rr(Alu::Xor, Size::Q, p2, sign);
                q.buf.alu_rr(Alu::Xor, Size::Q, p3, sign);
            }
            q.buf.alu_rr(Alu::Or, Size::Q, p2, p3);
            (p0, p1, Cond::NE)
        }
    };
    // With many registers pinned: the flag goes to memory only if it must.
    let flag = q.result_gpr(overflowed);
    q.buf.setcc_r(cond, flag);
    define_pair(q, value, low, top);
    q.define(overflowed, flag);
}

/// The operands of a wide product: no register but `rbp` may be in the memory operands, so deferred
/// loads are copied.
fn wide_operands(q: &mut Quick<'_>, a: Value, b: Value) -> (Mem, Mem) {
    for reg in [RAX, RDX, R8, R9] {
        q.claim(reg);
    }
    (q.use_memory(a), q.use_memory(b))
}

/// The 256-bit product of two 128-bit numbers as four 64-bit parts, low first: schoolbook, then
/// corrected for signs. `rax` and `rdx` are free afterwards.
fn wide_product(q: &mut Quick<'_>, left: Mem, right: Mem, signed: bool) -> [Reg; 4] {
    let (p0, p1) = (R8, R9);
    let (p2, p3) = (q.temp_gpr(), q.temp_gpr());
    let mul = |q: &mut Quick<'_>, x: Mem, y: Mem| {
        q.buf.mov_rm(Size::Q, RAX, x);
        q.buf.unary_m(Unary::Mul, Size::Q, y);
    };
    mul(q, left, right);
    q.buf.mov_rr(Size::Q, p0, RAX);
    q.buf.mov_rr(Size::Q, p1, RDX);
    mul(q, high(left), high(right));
    q.buf.mov_rr(Size::Q, p2, RAX);
    q.buf.mov_rr(Size::Q, p3, RDX);
    for (x, y) in [(left, high(right)), (high(left), right)] {
        mul(q, x, y);
        q.buf.alu_rr(Alu::Add, Size::Q, p1, RAX);
        q.buf.alu_rr(Alu::Adc, Size::Q, p2, RDX);
        q.buf.alu_ri(Alu::Adc, Size::Q, p3, 0);
    }
    if signed {
        // x * y as signed = as unsigned - 2^128 * ((x < 0 ? y : 0) + (y < 0 ? x : 0))
        for (x, y) in [(left, right), (right, left)] {
            let mask = RAX;
            q.buf.mov_rm(Size::Q, mask, high(x));
            q.buf.shift_ri(Shift::Sar, Size::Q, mask, 63);
            q.buf.mov_rr(Size::Q, RDX, mask);
            q.buf.alu_rm(Alu::And, Size::Q, mask, y);
            q.buf.alu_rm(Alu::And, Size::Q, RDX, high(y));
            q.buf.alu_rr(Alu::Sub, Size::Q, p2, mask);
            q.buf.alu_rr(Alu::Sbb, Size::Q, p3, RDX);
        }
    }
    [p0, p1, p2, p3]
}

/// The high 128 bits of a product.
pub fn mul_high(q: &mut Quick<'_>, inst: Inst) {
    let signed = q.func.insts[inst].opcode == Opcode::SMulHi;
    let result = q.func.first_result(inst);
    let (a, b) = operands(q, inst);
    let (left, right) = wide_operands(q, a, b);
    let [_, _, p2, p3] = wide_product(q, left, right, signed);
    define_pair(q, result, p2, p3);
}

// ---- shifts ----

/// Shifts and rotates: double shifts by the amount modulo 64, then a choice by its bit 6.
pub fn shift(q: &mut Quick<'_>, inst: Inst) {
    let opcode = q.func.insts[inst].opcode;
    let result = q.func.first_result(inst);
    let (a, amount) = operands(q, inst);
    q.claim(RCX);
    let count = q.use_memory(amount);
    q.buf.mov_rm(Size::D, RCX, count);
    let source = q.use_memory(a);
    let (low, top, temp) = (q.temp_gpr(), q.temp_gpr(), q.temp_gpr());
    load_pair(q, low, top, source);
    match opcode {
        Opcode::Rotl | Opcode::Rotr => {
            // Exchange the halves first if bit 6 is set.
            q.buf.mov_rr(Size::Q, temp, low);
            q.buf.test_ri(Size::B, RCX, 64);
            q.buf.cmov_rr(Cond::NE, Size::Q, low, top);
            q.buf.cmov_rr(Cond::NE, Size::Q, top, temp);
            q.buf.mov_rr(Size::Q, temp, low);
            if opcode == Opcode::Rotl {
                q.buf.shld_rrcl(Size::Q, low, top);
                q.buf.shld_rrcl(Size::Q, top, temp);
            } else {
                q.buf.shrd_rrcl(Size::Q, low, top);
                q.buf.shrd_rrcl(Size::Q, top, temp);
            }
        }
        Opcode::Shl => {
            q.buf.shld_rrcl(Size::Q, top, low);
            q.buf.shift_rcl(Shift::Shl, Size::Q, low);
            q.buf.mov_ri(Size::D, temp, 0);
            q.buf.test_ri(Size::B, RCX, 64);
            q.buf.cmov_rr(Cond::NE, Size::Q, top, low);
            q.buf.cmov_rr(Cond::NE, Size::Q, low, temp);
        }
        _ => {
            q.buf.shrd_rrcl(Size::Q, low, top);
            if opcode == Opcode::AShr {
                q.buf.shift_rcl(Shift::Sar, Size::Q, top);
                q.buf.mov_rr(Size::Q, temp, top);
                q.buf.shift_ri(Shift::Sar, Size::Q, temp, 63);
            } else {
                q.buf.shift_rcl(Shift::Shr, Size::Q, top);
                q.buf.mov_ri(Size::D, temp, 0);
            }
            q.buf.test_ri(Size::B, RCX, 64);
            q.buf.cmov_rr(Cond::NE, Size::Q, low, top);
            q.buf.cmov_rr(Cond::NE, Size::Q, top, temp);
        }
    }
    define_pair(q, result, low, top);
}

// ---- bits ----

/// Leading and trailing zeros, population count, byte reversal.
pub fn bit_op(q: &mut Quick<'_>, inst: Inst) {
    let data = q.func.insts[inst];
    let result = q.func.first_result(inst);
    let a = data.arg(0);
    if data.opcode == Opcode::Popcount && !q.has(X86Features::POPCNT) {
        call_pairs(q, "__popcountti2", &[a]);
        q.regs.pinned.insert(RAX);
        return define_low(q, result, RAX);
    }
    let mem = q.use_memory(a);
    let (low, top, temp) = (q.temp_gpr(), q.temp_gpr(), q.temp_gpr());
    load_pair(q, low, top, mem);
    match data.opcode {
        Opcode::Bswap => {
            q.buf.bswap(Size::Q, low);
            q.buf.bswap(Size::Q, top);
            return define_pair(q, result, top, low);
        }
        Opcode::Popcount => {
            q.buf.popcnt_rr(Size::Q, low, low);
            q.buf.popcnt_rr(Size::Q, top, top);
            q.buf.alu_rr(Alu::Add, Size::D, low, top);
        }
        Opcode::Ctlz => {
            // The index of the highest one bit, -1 for zero; 127 minus it.
            q.buf.mov_ri(Size::Q, temp, -1);
            q.buf.bsr_rr(Size::Q, low, low);
            q.buf.cmov_rr(Cond::E, Size::Q, low, temp);
            q.buf.bsr_rr(Size::Q, top, top);
            q.buf.lea(Size::Q, top, Mem::base(top, 64));
            q.buf.cmov_rr(Cond::NE, Size::Q, low, top);
            q.buf.unary_r(Unary::Neg, Size::Q, low);
            q.buf.alu_ri(Alu::Add, Size::Q, low, 127);
        }
        _ => {
            q.buf.mov_ri(Size::D, temp, 64);
            q.buf.bsf_rr(Size::Q, top, top);
            q.buf.cmov_rr(Cond::E, Size::Q, top, temp);
            q.buf.alu_ri(Alu::Add, Size::Q, top, 64);
            q.buf.bsf_rr(Size::Q, low, low);
            q.buf.cmov_rr(Cond::E, Size::Q, low, top);
        }
    }
    define_low(q, result, low);
}

/// A small non-negative number as an i128.
fn define_low(q: &mut Quick<'_>, result: Value, low: Reg) {
    debug_assert_eq!(q.func.value_type(result), Type::I128);
    let home = q.define_home(result);
    let mem = q.frame_mem(home);
    q.buf.mov_mr(Size::Q, mem, low);
    q.buf.mov_mi(Size::Q, high(mem), 0);
}
