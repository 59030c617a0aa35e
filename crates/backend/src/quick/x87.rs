//! f80 arithmetic: operands in memory, the x87 stack empty between instructions.

use ir::Opcode;
use object::encode::x87::{X87, X87Float, X87Int, X87Op};
use object::{Alu, Cond, Mem, Shift, Size};
use target::registers::RSP;

use super::Quick;
use super::call::{CALL_CLOBBERS, call_library};

/// 2^64 as a float.
const TWO_TO_64: u32 = 0x5f80_0000;
/// 2^63 as a float.
const TWO_TO_63: u32 = 0x5f00_0000;
/// Control word bits that select rounding toward zero.
const ROUND_TO_ZERO: i32 = 0x0c00;

fn push(q: &mut Quick<'_>, mem: Mem) {
    q.buf.fld_m(X87Float::M80, mem);
}

fn pop(q: &mut Quick<'_>, mem: Mem) {
    q.buf.fstp_m(X87Float::M80, mem);
}

/// The `float` or `double` at `from` as f80.
pub fn load_at(q: &mut Quick<'_>, width: X87Float, to: Mem, from: Mem) {
    q.buf.fld_m(width, from);
    pop(q, to);
}

/// The f80 at `from` rounded to `float` or `double`.
pub fn store_at(q: &mut Quick<'_>, width: X87Float, to: Mem, from: Mem) {
    push(q, from);
    q.buf.fstp_m(width, to);
}

/// `to = a op b`
pub fn binary_at(q: &mut Quick<'_>, opcode: Opcode, to: Mem, a: Mem, b: Mem) {
    push(q, a);
    push(q, b);
    let op = match opcode {
        Opcode::FAdd => X87Op::Add,
        Opcode::FSub => X87Op::Sub,
        Opcode::FMul => X87Op::Mul,
        Opcode::FDiv => X87Op::Div,
        _ => return min_max(q, opcode, to),
    };
    // st(1) is `a`.
    q.buf.x87_op_pop(op, 1);
    pop(q, to);
}

/// With `a` in st(1) and `b` in st(0): `a < b ? a : b`, or with `>`; `b` if unordered, as SSE has
/// it.
fn min_max(q: &mut Quick<'_>, opcode: Opcode, to: Mem) {
    if opcode == Opcode::FMin {
        // b > a: "above" after comparing st(0) with st(1).
        q.buf.fucomi(1);
        q.buf.fcmov(true, 2, 1);
    } else {
        // a > b: exchanged, compared, and `b` taken back if not above.
        q.buf.fxch(1);
        q.buf.fucomi(1);
        q.buf.fcmov(false, 2, 1);
    }
    q.buf.fstp_st(1);
    pop(q, to);
}

/// `fneg`, `fabs`, `sqrt`
pub fn unary_at(q: &mut Quick<'_>, opcode: Opcode, to: Mem, from: Mem) {
    push(q, from);
    q.buf.x87(match opcode {
        Opcode::FNeg => X87::Fchs,
        Opcode::FAbs => X87::Fabs,
        _ => X87::Fsqrt,
    });
    pop(q, to);
}

/// The magnitude of `a` with the sign of `b`.
pub fn copy_sign_at(q: &mut Quick<'_>, to: Mem, a: Mem, b: Mem) {
    /// Offset of the word with sign and exponent.
    const TOP: i32 = 8;
    let (sign, magnitude) = (q.temp_gpr(), q.temp_gpr());
    q.buf.movzx_rm(Size::D, Size::W, sign, b.offset(TOP));
    q.buf.movzx_rm(Size::D, Size::W, magnitude, a.offset(TOP));
    q.buf.alu_ri(Alu::And, Size::D, sign, 0x8000);
    q.buf.alu_ri(Alu::And, Size::D, magnitude, 0x7fff);
    q.buf.alu_rr(Alu::Or, Size::D, magnitude, sign);
    q.buf.mov_rm(Size::Q, sign, a);
    q.buf.mov_mr(Size::Q, to, sign);
    q.buf.mov_mr(Size::W, to.offset(TOP), magnitude);
}

/// `fmal`: arguments on the stack, the result in st(0).
pub fn fma_at(q: &mut Quick<'_>, to: Mem, args: [Mem; 3]) {
    call_stack(q, "fmal", &args);
    pop(q, to);
}

/// Calls a routine with f80 arguments on the stack (psABI class MEMORY).
pub fn call_stack(q: &mut Quick<'_>, name: &str, args: &[Mem]) {
    q.spill_all(CALL_CLOBBERS);
    let bytes = 16 * args.len() as i32;
    q.buf.alu_ri(Alu::Sub, Size::Q, RSP, bytes);
    for (index, &arg) in args.iter().enumerate() {
        push(q, arg);
        pop(q, Mem::base(RSP, 16 * index as i32));
    }
    call_library(q, name);
    q.buf.alu_ri(Alu::Add, Size::Q, RSP, bytes);
}

/// The 64-bit integer in memory as f80.
pub fn from_int64_at(q: &mut Quick<'_>, unsigned: bool, to: Mem, from: Mem) {
    q.buf.fild(X87Int::M64, from);
    if unsigned {
        // fild read it as signed: add 2^64 if the top bit was set.
        let correction = q.constant_mem(&TWO_TO_64.to_le_bytes());
        let done = q.buf.new_label();
        q.buf.alu_mi(Alu::Cmp, Size::D, from.offset(4), 0);
        q.buf.jcc(Cond::NS, done);
        q.buf.x87_op_m(X87Op::Add, X87Float::M32, correction);
        q.buf.bind(done);
    }
    pop(q, to);
}

/// The f80 in memory truncated to a 64-bit integer in memory.
pub fn to_int64_at(q: &mut Quick<'_>, unsigned: bool, to: Mem, from: Mem) {
    let slot = q.scratch_slot(8);
    let (control, truncating) = (q.frame_mem(slot), q.frame_mem(slot).offset(2));
    let temp = q.temp_gpr();
    q.buf.fnstcw(control);
    q.buf.movzx_rm(Size::D, Size::W, temp, control);
    q.buf.alu_ri(Alu::Or, Size::D, temp, ROUND_TO_ZERO);
    q.buf.mov_mr(Size::W, truncating, temp);
    if !unsigned {
        push(q, from);
        q.buf.fldcw(truncating);
        q.buf.fistp(X87Int::M64, to);
        q.buf.fldcw(control);
        return;
    }
    // temp = 2^63 as an integer if the number is at least that, and the number is reduced by as
    // much.
    let limit = q.constant_mem(&TWO_TO_63.to_le_bytes());
    let small = q.buf.new_label();
    q.buf.fld_m(X87Float::M32, limit);
    push(q, from);
    q.buf.mov_ri(Size::D, temp, 0);
    q.buf.fucomi(1);
    q.buf.jcc(Cond::B, small);
    q.buf.x87_op_st0(X87Op::Sub, 1);
    q.buf.mov_ri(Size::D, temp, 1);
    q.buf.bind(small);
    q.buf.shift_ri(Shift::Shl, Size::Q, temp, 63);
    q.buf.fldcw(truncating);
    q.buf.fistp(X87Int::M64, to);
    q.buf.fldcw(control);
    q.buf.fstp_st(0);
    q.buf.alu_mr(Alu::Xor, Size::Q, to, temp);
}

/// Rounds st(0) of `from` to integral by the current mode.
pub fn rint_at(q: &mut Quick<'_>, to: Mem, from: Mem) {
    push(q, from);
    q.buf.x87(X87::Frndint);
    pop(q, to);
}
