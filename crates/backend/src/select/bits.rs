//! Bit counting, scanning and byte reversal.

use ir::{Inst, InstData, Opcode, Type, Value, flags};
use object::{
    Cond, Size,
    encode::{Alu, Shift},
};
use platform::options::X86Features;

use super::{
    arith::extend,
    context::{Ctx, arith_size, int_size},
    memory::{push_rm, rm},
};
use crate::machine::{MInst, Op, ScanCode, VReg};

/// `ctlz`, `cttz`.
pub fn select_scan(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    let dst = cx.result(cx.func.first_result(inst));
    if data.ty == Type::I128 {
        return super::int128::select_scan(cx, data, a, dst);
    }
    let zero_undefined = data.has(flags::ZERO_UNDEF);
    let size = arith_size(data.ty);
    let width = data.ty.bits();
    if data.opcode == Opcode::Cttz {
        count_trailing(cx, a, data.ty, dst, zero_undefined);
    } else {
        let src = extend(cx, a, false);
        leading_zeros(cx, size, width, dst, src, zero_undefined);
    }
}

/// For what is not zero `tzcnt` is right on every processor: without BMI it is `rep bsf`, and with
/// it, unlike `bsf`, it does not wait for the old contents of its destination.
fn count_trailing(cx: &mut Ctx, a: Value, ty: Type, dst: VReg, zero_undefined: bool) {
    let size = arith_size(ty);
    if ty.bits() < 32 {
        let src = cx.reg(a);
        if zero_undefined {
            return scan(cx, ScanCode::Tzcnt, Size::D, dst, src);
        }
        // A bit above the width makes the answer for zero right.
        let guarded = cx.alu_imm_new(Alu::Or, Size::D, src, 1 << ty.bits());
        return scan(cx, ScanCode::Tzcnt, Size::D, dst, guarded);
    }
    if cx.has(X86Features::BMI) || zero_undefined {
        let code = ScanCode::Tzcnt;
        let operand = rm(cx, a, size);
        return push_rm(cx, MInst::scan(code, size).dst(dst), operand);
    }
    let src = cx.reg(a);
    trailing_zeros(cx, size, dst, src);
}

/// Trailing zeros of a 32- or 64-bit register; the width for zero.
pub fn trailing_zeros(cx: &mut Ctx, size: Size, dst: VReg, src: VReg) {
    if cx.has(X86Features::BMI) {
        return scan(cx, ScanCode::Tzcnt, size, dst, src);
    }
    let width = cx.in_gpr(|cx, dst| cx.move_imm(Size::D, dst, i64::from(size.bits())));
    let found = cx.temp_gpr();
    scan(cx, ScanCode::Bsf, size, found, src);
    // bsf sets ZF for a zero source.
    cx.cmov(Cond::E, size, dst, found, width);
}

/// Leading zeros of a zero-extended value of `width` bits in a register of `size`.
pub fn leading_zeros(cx: &mut Ctx, size: Size, width: u32, dst: VReg, src: VReg, zero_undefined: bool) {
    if cx.has(X86Features::LZCNT) {
        if width == size.bits() {
            return scan(cx, ScanCode::Lzcnt, size, dst, src);
        }
        let count = cx.temp_gpr();
        scan(cx, ScanCode::Lzcnt, size, count, src);
        return cx.alu_imm(Alu::Sub, Size::D, dst, count, (size.bits() - width) as i32);
    }
    let top = width as i32 - 1;
    let found = cx.temp_gpr();
    let index = if zero_undefined {
        scan(cx, ScanCode::Bsr, size, found, src);
        found
    } else {
        // For zero, an index that the final subtraction turns into the width.
        let (none, minus_one) = (cx.temp_gpr(), cx.temp_gpr());
        cx.move_imm(Size::D, minus_one, -1);
        scan(cx, ScanCode::Bsr, size, found, src);
        cx.cmov(Cond::E, Size::D, none, found, minus_one);
        none
    };
    if width.is_power_of_two() && zero_undefined {
        return cx.alu_imm(Alu::Xor, Size::D, dst, index, top);
    }
    // top - index
    let negated = cx.in_gpr(|cx, dst| cx.push(MInst::unary(object::encode::Unary::Neg, Size::D).dst(dst).src1(index)));
    cx.alu_imm(Alu::Add, Size::D, dst, negated, top);
}

/// The number of the highest bit that is set, which `bsr` finds, where `value`, which nothing else
/// needs, says how many are clear above it; and the number of the topmost bit, which must be `top`
/// if that is given.
pub fn highest_bit(cx: &mut Ctx, mut value: Value, top: Option<i32>) -> Option<(VReg, i32)> {
    let (mut inst, mut data) = cx.def(value)?;
    if data.opcode == Opcode::Trunc && cx.can_absorb(value, inst) {
        value = cx.arg(&data, 0);
        (inst, data) = cx.def(value)?;
    }
    let (width, size) = (data.ty.bits() as i32, int_size(data.ty));
    if data.opcode != Opcode::Ctlz
        || !data.has(flags::ZERO_UNDEF)
        || !matches!(width, 32 | 64)
        || cx.has(X86Features::LZCNT)
        || top.is_some_and(|top| top != width - 1)
        || !cx.can_absorb(value, inst)
    {
        return None;
    }
    let src = cx.reg(cx.arg(&data, 0));
    let found = cx.in_gpr(|cx, dst| scan(cx, ScanCode::Bsr, size, dst, src));
    Some((found, width - 1))
}

fn scan(cx: &mut Ctx, code: ScanCode, size: Size, dst: VReg, src: VReg) {
    cx.push(MInst::scan(code, size).dst(dst).src2(src));
}

/// `popcount`.
pub fn select_popcount(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    let dst = cx.result(cx.func.first_result(inst));
    if data.ty == Type::I128 {
        return super::int128::select_popcount(cx, a, dst);
    }
    let size = arith_size(data.ty);
    let src = extend(cx, a, false);
    population_count(cx, size, dst, src);
}

/// One bits of a 32- or 64-bit register.
pub fn population_count(cx: &mut Ctx, size: Size, dst: VReg, src: VReg) {
    if cx.has(X86Features::POPCNT) {
        return scan(cx, ScanCode::Popcnt, size, dst, src);
    }
    // Hacker's Delight, figure 5-2: sums of pairs, nibbles, bytes, then a multiplication adds the
    // bytes.
    let mask = |cx: &mut Ctx, pattern: u8| {
        let reg = cx.temp_gpr();
        let wide = u64::from_ne_bytes([pattern; 8]);
        cx.move_imm(size, reg, if size == Size::Q { wide as i64 } else { i64::from(wide as u32) });
        reg
    };
    let halves = cx.shift_imm_new(Shift::Shr, size, src, 1);
    let m1 = mask(cx, 0x55);
    let odd = cx.alu_new(Alu::And, size, halves, m1);
    let pairs = cx.alu_new(Alu::Sub, size, src, odd);
    let m2 = mask(cx, 0x33);
    let low = cx.alu_new(Alu::And, size, pairs, m2);
    let shifted = cx.shift_imm_new(Shift::Shr, size, pairs, 2);
    let high = cx.alu_new(Alu::And, size, shifted, m2);
    let nibbles = cx.alu_new(Alu::Add, size, low, high);
    let upper = cx.shift_imm_new(Shift::Shr, size, nibbles, 4);
    let sum = cx.alu_new(Alu::Add, size, nibbles, upper);
    let m4 = mask(cx, 0x0f);
    let bytes = cx.alu_new(Alu::And, size, sum, m4);
    let ones = mask(cx, 0x01);
    let product = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Imul, size).dst(dst).src1(bytes).src2(ones)));
    cx.shift_imm(Shift::Shr, size, dst, product, size.bits() as u8 - 8);
}

/// `bswap`.
pub fn select_bswap(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let a = cx.arg(data, 0);
    let dst = cx.result(cx.func.first_result(inst));
    let size = int_size(data.ty);
    match data.ty {
        Type::I128 => {
            let src = cx.reg(a);
            let low = cx.temp_gpr();
            swap(cx, Size::Q, low, src.part(1));
            let high = cx.temp_gpr();
            swap(cx, Size::Q, high, src);
            cx.copy_pair(dst, low, high);
        }
        Type::I8 => {
            let src = cx.reg(a);
            cx.copy(dst, src);
        }
        Type::I16 => {
            let src = cx.reg(a);
            cx.shift_imm(Shift::Rol, Size::W, dst, src, 8);
        }
        _ => {
            if cx.has(X86Features::MOVBE)
                && let Some((_, load)) = cx.foldable_load(a)
            {
                let amode = super::address::address(cx, cx.arg(&load, 0));
                return cx.push_mem(MInst::new(Op::LoadSwapped, size).dst(dst), amode);
            }
            let src = cx.reg(a);
            swap(cx, size, dst, src);
        }
    }
}

fn swap(cx: &mut Ctx, size: Size, dst: VReg, src: VReg) {
    cx.push(MInst::new(Op::Bswap, size).dst(dst).src1(src));
}
