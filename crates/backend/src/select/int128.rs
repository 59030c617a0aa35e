//! 128-bit integers as pairs of registers, low half first.
//!
//! Every sequence writes the destination pair only after the last read of a source half that could
//! share a register with it: halves of one phi class correspond part by part, so `low = f(low,
//! low)` before `high = f(high, high)` is safe, crossing over is not.

use ir::{Inst, InstData, IntCc, Opcode, Type, Value, flags};
use object::{
    Cond, Size,
    encode::{Alu, Shift, Unary},
};

use super::{
    arith::foldable,
    bits,
    compare::Flags,
    context::{Ctx, int_size},
    memory::{Rm, push_rm, rm},
};
use crate::machine::{DoubleShift, MInst, Op, VReg};
use crate::x86::conditions::int_cond;
use platform::registers::{RAX, RCX, RDI, RDX, RSI};

/// Arithmetic and logic of two operands.
pub fn select_binary(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let dst = cx.result(cx.func.first_result(inst));
    match data.opcode {
        Opcode::Add => pairwise(cx, Alu::Add, Alu::Adc, dst, a, b),
        Opcode::Sub => pairwise(cx, Alu::Sub, Alu::Sbb, dst, a, b),
        Opcode::And => pairwise(cx, Alu::And, Alu::And, dst, a, b),
        Opcode::Or => pairwise(cx, Alu::Or, Alu::Or, dst, a, b),
        Opcode::Xor => pairwise(cx, Alu::Xor, Alu::Xor, dst, a, b),
        Opcode::Mul => multiply(cx, dst, a, b),
        Opcode::Shl | Opcode::LShr | Opcode::AShr => shift(cx, data, dst, a, b),
        Opcode::Rotl | Opcode::Rotr => rotate(cx, data, dst, a, b),
        Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => min_max(cx, data, dst, a, b),
        Opcode::SMulHi | Opcode::UMulHi => multiply_high(cx, data, dst, a, b),
        other => base::bug!("{} of i128", other.name()),
    }
}

/// The halves of a constant that fit immediates.
fn immediates(cx: &Ctx, value: Value) -> Option<(i32, i32)> {
    let bits = cx.func.const_bits(value)?;
    Some((i32::try_from(bits as i64).ok()?, i32::try_from((bits >> 64) as i64).ok()?))
}

fn pairwise(cx: &mut Ctx, low_op: Alu, high_op: Alu, dst: VReg, a: Value, b: Value) {
    let x = cx.reg(a);
    if let Some((low, high)) = immediates(cx, b) {
        cx.alu_imm(low_op, Size::Q, dst, x, low);
        return cx.alu_imm(high_op, Size::Q, dst.part(1), x.part(1), high);
    }
    let y = cx.reg(b);
    cx.alu(low_op, Size::Q, dst, x, y);
    cx.alu(high_op, Size::Q, dst.part(1), x.part(1), y.part(1));
}

fn wide_product(cx: &mut Ctx, x: VReg, y: VReg) -> (VReg, VReg) {
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    cx.push(MInst::mul_wide(Unary::Mul, Size::Q).dst(low).src1(x).src2(y).with_aux(high));
    (low, high)
}

/// A value known to be the extension of a 64-bit one: (source, signed).
fn extension_of(cx: &Ctx, value: Value) -> Option<(Value, bool)> {
    let (inst, data) = cx.def(value)?;
    let inner = match data.opcode {
        Opcode::ZExt | Opcode::SExt => cx.arg(&data, 0),
        _ => return None,
    };
    (cx.ty(inner) == Type::I64 && cx.can_sink(inst)).then_some((inner, data.opcode == Opcode::SExt))
}

fn multiply(cx: &mut Ctx, dst: VReg, a: Value, b: Value) {
    if let (Some((x, signed)), Some((y, signed_too))) = (extension_of(cx, a), extension_of(cx, b))
        && signed == signed_too
    {
        let (x, y) = if foldable(cx, x, Size::Q) { (y, x) } else { (x, y) };
        let (x, y) = (cx.reg(x), rm(cx, y, Size::Q));
        let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
        let y = match y {
            Rm::Reg(y) if x == y => Rm::Reg(cx.copied(y)),
            y => y,
        };
        push_rm(cx, MInst::mul_wide(Unary::multiply(signed), Size::Q).dst(low).src1(x).with_aux(high), y);
        cx.copy(dst, low);
        return cx.copy(dst.part(1), high);
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    let cross1 = imul(cx, x.part(1), y);
    let cross2 = imul(cx, y.part(1), x);
    let cross = cx.alu_new(Alu::Add, Size::Q, cross1, cross2);
    let (low, high) = wide_product(cx, x, y);
    cx.copy(dst, low);
    cx.alu(Alu::Add, Size::Q, dst.part(1), high, cross);
}

fn imul(cx: &mut Ctx, x: VReg, y: VReg) -> VReg {
    cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Imul, Size::Q).dst(dst).src1(x).src2(y)))
}

/// The upper half of the 256-bit product: schoolbook on 64-bit digits, signs corrected afterwards.
fn multiply_high(cx: &mut Ctx, data: &InstData, dst: VReg, a: Value, b: Value) {
    let (x, y) = (cx.reg(a), cx.reg(b));
    let (_, carry0) = wide_product(cx, x, y);
    let (mid_low, mid_high) = wide_product(cx, x.part(1), y);
    let (mid2_low, mid2_high) = wide_product(cx, x, y.part(1));
    let (top_low, top_high) = wide_product(cx, x.part(1), y.part(1));
    let sum1 = cx.alu_new(Alu::Add, Size::Q, mid_low, carry0);
    let high1 = cx.alu_imm_new(Alu::Adc, Size::Q, mid_high, 0);
    let _ = cx.alu_new(Alu::Add, Size::Q, sum1, mid2_low);
    let high2 = cx.alu_imm_new(Alu::Adc, Size::Q, mid2_high, 0);
    let low1 = cx.alu_new(Alu::Add, Size::Q, top_low, high1);
    let top1 = cx.alu_imm_new(Alu::Adc, Size::Q, top_high, 0);
    let mut low = cx.alu_new(Alu::Add, Size::Q, low1, high2);
    let mut high = cx.alu_imm_new(Alu::Adc, Size::Q, top1, 0);
    if data.opcode == Opcode::SMulHi {
        for (sign, other) in [(x, y), (y, x)] {
            let mask = cx.shift_imm_new(Shift::Sar, Size::Q, sign.part(1), 63);
            let low_part = cx.alu_new(Alu::And, Size::Q, mask, other);
            let high_part = cx.alu_new(Alu::And, Size::Q, mask, other.part(1));
            low = cx.alu_new(Alu::Sub, Size::Q, low, low_part);
            high = cx.alu_new(Alu::Sbb, Size::Q, high, high_part);
        }
    }
    cx.copy_pair(dst, low, high);
}

fn double_shift(cx: &mut Ctx, right: bool, dst: VReg, into: VReg, from: VReg, count: u8) {
    let inst = MInst::double_shift(if right { DoubleShift::Right } else { DoubleShift::Left }, Size::Q);
    cx.push(inst.dst(dst).src1(into).src2(from).imm(i32::from(count)));
}

fn double_shift_by(cx: &mut Ctx, right: bool, into: VReg, from: VReg, count: VReg) -> VReg {
    let dst = cx.temp_gpr();
    let inst = MInst::double_shift(if right { DoubleShift::RightBy } else { DoubleShift::LeftBy }, Size::Q);
    cx.push(inst.dst(dst).src1(into).src2(from).with_aux(count));
    dst
}

fn shift(cx: &mut Ctx, data: &InstData, dst: VReg, a: Value, amount: Value) {
    let x = cx.reg(a);
    if let Some(count) = cx.func.const_bits(amount) {
        return shift_constant(cx, data.opcode, dst, x, (count & 127) as u32);
    }
    let count = cx.reg(amount);
    let (low, high) = shift_variable(cx, data.opcode, x, x.part(1), count);
    cx.copy_pair(dst, low, high);
}

fn shift_constant(cx: &mut Ctx, opcode: Opcode, dst: VReg, x: VReg, count: u32) {
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    let part = (count & 63) as u8;
    match (opcode, count >= 64) {
        (_, false) if count == 0 => return cx.copy_pair(dst, x, x.part(1)),
        (Opcode::Shl, false) => {
            double_shift(cx, false, high, x.part(1), x, part);
            cx.shift_imm(Shift::Shl, Size::Q, low, x, part);
        }
        (Opcode::Shl, true) => {
            cx.shift_imm(Shift::Shl, Size::Q, high, x, part);
            cx.move_imm(Size::Q, low, 0);
        }
        (_, false) => {
            let op = if opcode == Opcode::AShr { Shift::Sar } else { Shift::Shr };
            double_shift(cx, true, low, x, x.part(1), part);
            cx.shift_imm(op, Size::Q, high, x.part(1), part);
        }
        (Opcode::AShr, true) => {
            cx.shift_imm(Shift::Sar, Size::Q, low, x.part(1), part);
            cx.shift_imm(Shift::Sar, Size::Q, high, x.part(1), 63);
        }
        _ => {
            cx.shift_imm(Shift::Shr, Size::Q, low, x.part(1), part);
            cx.move_imm(Size::Q, high, 0);
        }
    }
    cx.copy_pair(dst, low, high);
}

/// Shift by a register: double shift modulo 64, then the halves move over if bit 6 of the count is
/// set.
fn shift_variable(cx: &mut Ctx, opcode: Opcode, low: VReg, high: VReg, count: VReg) -> (VReg, VReg) {
    let by = |cx: &mut Ctx, op: Shift, src: VReg| {
        let dst = cx.temp_gpr();
        super::arith::shift_by_register(cx, op, Size::Q, dst, src, count);
        dst
    };
    let filler = cx.temp_gpr();
    if opcode == Opcode::AShr {
        cx.shift_imm(Shift::Sar, Size::Q, filler, high, 63);
    } else {
        cx.move_imm(Size::Q, filler, 0);
    }
    let (new_low, new_high) = if opcode == Opcode::Shl {
        let joined = double_shift_by(cx, false, high, low, count);
        let moved = by(cx, Shift::Shl, low);
        (moved, joined)
    } else {
        let joined = double_shift_by(cx, true, low, high, count);
        let moved = by(cx, if opcode == Opcode::AShr { Shift::Sar } else { Shift::Shr }, high);
        (joined, moved)
    };
    let (out_low, out_high) = (cx.temp_gpr(), cx.temp_gpr());
    cx.push(MInst::new(Op::Test, Size::B).src1(count).imm(64));
    if opcode == Opcode::Shl {
        cx.cmov(Cond::NE, Size::Q, out_high, new_high, new_low);
        cx.cmov(Cond::NE, Size::Q, out_low, new_low, filler);
    } else {
        cx.cmov(Cond::NE, Size::Q, out_low, new_low, new_high);
        cx.cmov(Cond::NE, Size::Q, out_high, new_high, filler);
    }
    (out_low, out_high)
}

fn rotate(cx: &mut Ctx, data: &InstData, dst: VReg, a: Value, amount: Value) {
    let x = cx.reg(a);
    let left = data.opcode == Opcode::Rotl;
    let (low, high) = if let Some(count) = cx.func.const_bits(amount) {
        let count = (count & 127) as u32;
        let (first, second) = if count >= 64 { (x.part(1), x) } else { (x, x.part(1)) };
        let part = (count & 63) as u8;
        let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
        if part == 0 {
            cx.copy(low, first);
            cx.copy(high, second);
        } else {
            double_shift(cx, !left, low, first, second, part);
            double_shift(cx, !left, high, second, first, part);
        }
        (low, high)
    } else {
        let count = cx.reg(amount);
        let (first, second) = (cx.temp_gpr(), cx.temp_gpr());
        cx.push(MInst::new(Op::Test, Size::B).src1(count).imm(64));
        cx.cmov(Cond::NE, Size::Q, first, x, x.part(1));
        cx.cmov(Cond::NE, Size::Q, second, x.part(1), x);
        let low = double_shift_by(cx, !left, first, second, count);
        let high = double_shift_by(cx, !left, second, first, count);
        (low, high)
    };
    cx.copy_pair(dst, low, high);
}

fn min_max(cx: &mut Ctx, data: &InstData, dst: VReg, a: Value, b: Value) {
    let cc = IntCc::of_min_max(data.opcode).expect("a minimum or maximum");
    let (x, y) = (cx.reg(a), cx.reg(b));
    let flags = compare(cx, cc, a, b);
    for part in 0..2 {
        cx.cmov(flags.cond, Size::Q, dst.part(part), y.part(part), x.part(part));
    }
}

/// The flags of a comparison.
pub fn compare(cx: &mut Ctx, cc: IntCc, a: Value, b: Value) -> Flags {
    // Only < and >= can be read from a subtraction with borrow.
    let (cc, a, b) = match cc {
        IntCc::Sgt | IntCc::Sle | IntCc::Ugt | IntCc::Ule => (cc.swapped(), b, a),
        _ => (cc, a, b),
    };
    let plain = |cond| Flags { cond, parity: 0 };
    let x = cx.reg(a);
    if matches!(cc, IntCc::Eq | IntCc::Ne) {
        if cx.func.const_bits(b) == Some(0) {
            cx.alu_new(Alu::Or, Size::Q, x, x.part(1));
            return plain(int_cond(cc));
        }
        let y = cx.reg(b);
        let low = cx.alu_new(Alu::Xor, Size::Q, x, y);
        let high = cx.alu_new(Alu::Xor, Size::Q, x.part(1), y.part(1));
        cx.alu_new(Alu::Or, Size::Q, low, high);
        return plain(int_cond(cc));
    }
    if cx.func.const_bits(b) == Some(0) && matches!(cc, IntCc::Slt | IntCc::Sge) {
        cx.push(MInst::new(Op::Test, Size::Q).src1(x.part(1)).src2(x.part(1)));
        return plain(if cc == IntCc::Slt { Cond::S } else { Cond::NS });
    }
    if let Some((low, high)) = immediates(cx, b) {
        cx.push(MInst::new(Op::Cmp, Size::Q).src1(x).imm(low));
        cx.alu_imm_new(Alu::Sbb, Size::Q, x.part(1), high);
        return plain(int_cond(cc));
    }
    let y = cx.reg(b);
    cx.cmp(Size::Q, x, y);
    cx.alu_new(Alu::Sbb, Size::Q, x.part(1), y.part(1));
    plain(int_cond(cc))
}

/// Extensions to and truncations from i128.
pub fn select_extension(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let src = cx.arg(data, 0);
    let dst = cx.result(cx.func.first_result(inst));
    if data.opcode == Opcode::Trunc {
        let x = cx.reg(src);
        return if data.ty == Type::I1 { cx.alu_imm(Alu::And, Size::D, dst, x, 1) } else { cx.copy(dst, x) };
    }
    let from_ty = cx.ty(src);
    let signed = data.opcode == Opcode::SExt;
    let reg = cx.reg(src);
    let low = match int_size(from_ty) {
        Size::Q => reg,
        from => {
            let wide = cx.temp_gpr();
            if from_ty == Type::I1 {
                cx.movzx(Size::B, wide, reg);
            } else if signed {
                cx.movsx(Size::Q, from, wide, reg);
            } else {
                cx.movzx(from, wide, reg);
            }
            wide
        }
    };
    let low = if from_ty == Type::I1 && signed {
        cx.in_gpr(|cx, dst| cx.push(MInst::unary(Unary::Neg, Size::Q).dst(dst).src1(low)))
    } else {
        low
    };
    if signed {
        let high = cx.shift_imm_new(Shift::Sar, Size::Q, low, 63);
        cx.copy_pair(dst, low, high);
    } else {
        cx.copy(dst, low);
        cx.move_imm(Size::Q, dst.part(1), 0);
    }
}

/// Division and remainder by the library.
pub fn select_division(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let name = match data.opcode {
        Opcode::SDiv => "__divti3",
        Opcode::UDiv => "__udivti3",
        Opcode::SRem => "__modti3",
        _ => "__umodti3",
    };
    let (x, y) = (cx.reg(cx.arg(data, 0)), cx.reg(cx.arg(data, 1)));
    let dst = cx.result(cx.func.first_result(inst));
    let args = [(x, RDI), (x.part(1), RSI), (y, RDX), (y.part(1), RCX)];
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    super::call::library_call(cx, name, &args, &[(low, RAX), (high, RDX)]);
    cx.copy_pair(dst, low, high);
}

/// `ctlz`, `cttz` of i128.
pub fn select_scan(cx: &mut Ctx, data: &InstData, a: Value, dst: VReg) {
    let x = cx.reg(a);
    let trailing = data.opcode == Opcode::Cttz;
    // The half that is looked at first, and the other one.
    let (first, second) = if trailing { (x, x.part(1)) } else { (x.part(1), x) };
    let zero_undefined = data.has(flags::ZERO_UNDEF);
    let (near, far) = (cx.temp_gpr(), cx.temp_gpr());
    if trailing {
        bits::trailing_zeros(cx, Size::Q, near, first);
        bits::trailing_zeros(cx, Size::Q, far, second);
    } else {
        bits::leading_zeros(cx, Size::Q, 64, near, first, false);
        bits::leading_zeros(cx, Size::Q, 64, far, second, zero_undefined);
    }
    let far = cx.alu_imm_new(Alu::Add, Size::D, far, 64);
    let low = cx.temp_gpr();
    cx.push(MInst::new(Op::Test, Size::Q).src1(first).src2(first));
    cx.cmov(Cond::E, Size::D, low, near, far);
    cx.copy(dst, low);
    cx.move_imm(Size::Q, dst.part(1), 0);
}

/// `popcount` of i128.
pub fn select_popcount(cx: &mut Ctx, a: Value, dst: VReg) {
    let x = cx.reg(a);
    let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
    bits::population_count(cx, Size::Q, low, x);
    bits::population_count(cx, Size::Q, high, x.part(1));
    let sum = cx.alu_new(Alu::Add, Size::D, low, high);
    cx.copy(dst, sum);
    cx.move_imm(Size::Q, dst.part(1), 0);
}

/// The `...Overflow` operations.
pub fn select_overflow(cx: &mut Ctx, inst: Inst, data: &InstData) {
    use Opcode::*;
    let mut results = cx.func.results(inst);
    let (value, overflow) = (results.next().expect("value"), results.next().expect("flag"));
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let dst = cx.result(value);
    let flag = cx.result(overflow);
    let cond = match data.opcode {
        SAddOverflow | SSubOverflow => Cond::O,
        UAddOverflow | USubOverflow => Cond::B,
        _ => return multiply_overflow(cx, data, a, b, dst, flag),
    };
    match data.opcode {
        SAddOverflow | UAddOverflow => pairwise(cx, Alu::Add, Alu::Adc, dst, a, b),
        _ => pairwise(cx, Alu::Sub, Alu::Sbb, dst, a, b),
    }
    cx.push(MInst::new(Op::Setcc, Size::B).cond(cond).dst(flag));
}

/// Unsigned: it overflows if both high halves are non-zero, a cross product does not fit, or their
/// sum carries. Signed: the product of the magnitudes overflows, or its sign is wrong.
fn multiply_overflow(cx: &mut Ctx, data: &InstData, a: Value, b: Value, dst: VReg, flag: VReg) {
    let (x, y) = (cx.reg(a), cx.reg(b));
    if data.opcode == Opcode::UMulOverflow {
        let (low, high, over) = unsigned_product(cx, (x, x.part(1)), (y, y.part(1)));
        cx.copy_pair(dst, low, high);
        return cx.copy(flag, over);
    }
    let (sign_x, magnitude_x) = magnitude(cx, x);
    let (sign_y, magnitude_y) = magnitude(cx, y);
    let (low, high, over) = unsigned_product(cx, magnitude_x, magnitude_y);
    let sign = cx.alu_new(Alu::Xor, Size::Q, sign_x, sign_y);
    let low = cx.alu_new(Alu::Xor, Size::Q, low, sign);
    let high = cx.alu_new(Alu::Xor, Size::Q, high, sign);
    let low = cx.alu_new(Alu::Sub, Size::Q, low, sign);
    let high = cx.alu_new(Alu::Sbb, Size::Q, high, sign);
    // The result's sign must be the expected one, unless the result is zero.
    let mismatch = cx.alu_new(Alu::Xor, Size::Q, high, sign);
    let wrong = cx.shift_imm_new(Shift::Shr, Size::Q, mismatch, 63);
    let any = cx.alu_new(Alu::Or, Size::Q, low, high);
    let nonzero = cx.temp_gpr();
    cx.push(MInst::new(Op::Test, Size::Q).src1(any).src2(any));
    cx.push(MInst::new(Op::Setcc, Size::B).cond(Cond::NE).dst(nonzero));
    let wrong = cx.alu_new(Alu::And, Size::D, wrong, nonzero);
    let over = cx.alu_new(Alu::Or, Size::D, wrong, over);
    cx.copy_pair(dst, low, high);
    cx.copy(flag, over);
}

/// The sign mask and the absolute value.
fn magnitude(cx: &mut Ctx, x: VReg) -> (VReg, (VReg, VReg)) {
    let sign = cx.shift_imm_new(Shift::Sar, Size::Q, x.part(1), 63);
    let low = cx.alu_new(Alu::Xor, Size::Q, x, sign);
    let high = cx.alu_new(Alu::Xor, Size::Q, x.part(1), sign);
    let low = cx.alu_new(Alu::Sub, Size::Q, low, sign);
    let high = cx.alu_new(Alu::Sbb, Size::Q, high, sign);
    (sign, (low, high))
}

fn unsigned_product(cx: &mut Ctx, x: (VReg, VReg), y: (VReg, VReg)) -> (VReg, VReg, VReg) {
    let flag_of =
        |cx: &mut Ctx, cond: Cond| cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Setcc, Size::B).cond(cond).dst(dst)));
    let (cross1, over1) = wide_product(cx, x.1, y.0);
    let (cross2, over2) = wide_product(cx, x.0, y.1);
    let (low, high) = wide_product(cx, x.0, y.0);
    let cross = cx.alu_new(Alu::Add, Size::Q, cross1, cross2);
    let high = cx.alu_new(Alu::Add, Size::Q, high, cross);
    let carry = flag_of(cx, Cond::B);
    // cross1 + cross2 can only carry when both high halves are non-zero, which is an overflow
    // anyway.
    let spill = cx.alu_new(Alu::Or, Size::Q, over1, over2);
    cx.push(MInst::new(Op::Test, Size::Q).src1(spill).src2(spill));
    let lost = flag_of(cx, Cond::NE);
    cx.push(MInst::new(Op::Test, Size::Q).src1(x.1).src2(x.1));
    let x_high = flag_of(cx, Cond::NE);
    cx.push(MInst::new(Op::Test, Size::Q).src1(y.1).src2(y.1));
    let y_high = flag_of(cx, Cond::NE);
    let both = cx.alu_new(Alu::And, Size::D, x_high, y_high);
    let over = cx.alu_new(Alu::Or, Size::D, carry, lost);
    let over = cx.alu_new(Alu::Or, Size::D, over, both);
    (low, high, over)
}
