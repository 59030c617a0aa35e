//! Multiplication, by constants above all: an `imul` has a latency of three cycles, so two
//! instructions of one cycle each take its place where two are enough (a hash that is multiplied by
//! 31 in every iteration waits for each product). When code is to be small `imul` stays.

use ir::{Inst, InstData, Value};
use object::{
    Size,
    encode::{Alu, Shift, Unary},
};

use super::{
    address::lea,
    arith::{constant_last, tied_first},
    context::{Ctx, arith_size},
    memory::{push_rm, rm},
};
use crate::machine::{Amode, MInst, Op, VReg};

/// `mul`.
pub fn select_mul(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = constant_last(cx, cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    if let Some(imm) = cx.imm32(b, size) {
        return by_constant(cx, size, dst, a, imm);
    }
    let (a, b) = tied_first(cx, size, a, b);
    let src = cx.reg(a);
    let operand = rm(cx, b, size);
    push_rm(cx, MInst::new(Op::Imul, size).dst(dst).src1(src), operand);
}

/// Two instructions whose product is that of a multiplication by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steps {
    /// `(a + (a << first)) << second`
    ScaledShift(u8, u8),
    /// `t + (t << second)` where `t = a + (a << first)`
    ScaledTwice(u8, u8),
    /// `a + ((a + (a << first)) << second)`
    ScaledPlus(u8, u8),
    /// `(a << n) + a`
    ShiftAdd(u8),
    /// `(a << n) - a`
    ShiftSub(u8),
}

impl Steps {
    /// The cheapest steps for a factor that one instruction is not enough for.
    fn of(factor: i32) -> Option<Steps> {
        let scale = |n: i32| matches!(n, 3 | 5 | 9).then(|| (n - 1).trailing_zeros() as u8);
        if factor < 6 {
            return None;
        }
        let zeros = factor.trailing_zeros();
        if let Some(first) = scale(factor >> zeros) {
            return Some(Steps::ScaledShift(first, zeros as u8));
        }
        for n in [3, 5, 9] {
            if factor % n == 0
                && let (Some(first), Some(second)) = (scale(n), scale(factor / n))
            {
                return Some(Steps::ScaledTwice(first, second));
            }
            let rest = factor - 1;
            if rest % n == 0
                && let (Some(first), 2 | 4 | 8) = (scale(n), rest / n)
            {
                return Some(Steps::ScaledPlus(first, (rest / n).trailing_zeros() as u8));
            }
        }
        if ((factor - 1) as u32).is_power_of_two() {
            return Some(Steps::ShiftAdd((factor - 1).trailing_zeros() as u8));
        }
        (factor as u32 + 1).is_power_of_two().then(|| Steps::ShiftSub((factor as u32 + 1).trailing_zeros() as u8))
    }
}

fn by_constant(cx: &mut Ctx, size: Size, dst: VReg, a: Value, imm: i32) {
    match imm {
        0 => return cx.move_imm(size, dst, 0),
        1 => {
            let src = cx.reg(a);
            return cx.copy(dst, src);
        }
        -1 => {
            let src = cx.reg(a);
            return cx.push(MInst::unary(Unary::Neg, size).dst(dst).src1(src));
        }
        3 | 5 | 9 => {
            let src = cx.reg(a);
            return scaled_sum(cx, size, dst, src, src, (imm - 1).trailing_zeros() as u8);
        }
        _ if imm > 0 && (imm as u32).is_power_of_two() => {
            let src = cx.reg(a);
            return cx.shift_imm(Shift::Shl, size, dst, src, imm.trailing_zeros() as u8);
        }
        _ => {}
    }
    if !cx.small()
        && let Some(steps) = Steps::of(imm)
    {
        let src = cx.reg(a);
        return in_steps(cx, size, dst, src, steps);
    }
    let operand = rm(cx, a, size);
    push_rm(cx, MInst::new(Op::ImulImm, size).dst(dst).imm(imm), operand);
}

fn in_steps(cx: &mut Ctx, size: Size, dst: VReg, src: VReg, steps: Steps) {
    let part = cx.temp_gpr();
    match steps {
        Steps::ScaledShift(first, _) | Steps::ScaledTwice(first, _) | Steps::ScaledPlus(first, _) => {
            scaled_sum(cx, size, part, src, src, first);
        }
        Steps::ShiftAdd(n) | Steps::ShiftSub(n) => cx.shift_imm(Shift::Shl, size, part, src, n),
    }
    match steps {
        // A sum has more ports than a shift.
        Steps::ScaledShift(_, 1) => cx.alu(Alu::Add, size, dst, part, part),
        Steps::ScaledShift(_, second) => cx.shift_imm(Shift::Shl, size, dst, part, second),
        Steps::ScaledTwice(_, second) => scaled_sum(cx, size, dst, part, part, second),
        Steps::ScaledPlus(_, second) => scaled_sum(cx, size, dst, src, part, second),
        Steps::ShiftAdd(_) => cx.alu(Alu::Add, size, dst, part, src),
        Steps::ShiftSub(_) => cx.alu(Alu::Sub, size, dst, part, src),
    }
}

/// `dst = base + (index << shift)`
fn scaled_sum(cx: &mut Ctx, size: Size, dst: VReg, base: VReg, index: VReg, shift: u8) {
    lea(cx, size, dst, Amode { index, shift, ..Amode::base(base, 0) });
}

#[cfg(test)]
mod tests;
