//! Integer arithmetic, logic, shifts, minima and overflow-checked operations on scalars of at most
//! 64 bits.
//!
//! Narrow types are computed in 32 bits with garbage above their width, except where the upper bits
//! flow down (right shifts, division, comparison, rotation), which extend or use the narrow operand
//! size.

use cranelift_entity::EntityRef;
use ir::analysis::facts::known;
use ir::{Inst, InstData, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, BitTest, Shift, Unary, Vex},
};
use platform::options::X86Features;

use super::{
    address::lea,
    carries::{add_condition, carry_of, set_carry},
    context::{Ctx, arith_size, int_size},
    memory::{push_rm, rm},
};
use crate::machine::{Amode, Base, MInst, Op, VReg};

/// `add`.
pub fn select_add(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let result = cx.func.first_result(inst);
    let (a, b) = constant_last(cx, cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(result);
    if add_flag(cx, data, dst, a, b) || add_flag(cx, data, dst, b, a) {
        return;
    }
    let in_place = same_class(cx, result, a) || (same_class(cx, result, b) && cx.func.constant(b).is_none());
    if let Some(imm) = cx.imm32(b, size) {
        if !in_place && !cx.single_use(a) {
            let base = cx.reg(a);
            return lea(cx, size, dst, Amode::base(base, imm));
        }
        if let Some(amode) = scaled(cx, a) {
            return lea(cx, size, dst, amode.offset(imm));
        }
        if let Some((x, y)) = register_sum(cx, a) {
            // The constant joins what is there first, and not what a loop adds to.
            let inner = register_sum(cx, x).map(|sum| (y, sum)).or(register_sum(cx, y).map(|sum| (x, sum)));
            let (last, base, index) = match inner {
                Some((last, (base, index))) => (Some(last), base, Some(index)),
                None if same_class(cx, result, x) => (Some(x), y, None),
                None if same_class(cx, result, y) => (Some(y), x, None),
                None => (None, x, Some(y)),
            };
            let amode = Amode { index: index.map_or(VReg::NONE, |v| cx.reg(v)), ..Amode::base(cx.reg(base), imm) };
            let Some(last) = last else { return lea(cx, size, dst, amode) };
            let sum = cx.in_gpr(|cx, dst| lea(cx, size, dst, amode));
            if same_class(cx, result, last) {
                let src = cx.reg(last);
                return cx.push(MInst::alu(Alu::Add, size).dst(dst).src1(src).src2(sum));
            }
            let operand = rm(cx, last, size);
            return push_rm(cx, MInst::alu(Alu::Add, size).dst(dst).src1(sum), operand);
        }
        let src = cx.reg(a);
        return cx.alu_imm(Alu::Add, size, dst, src, imm);
    }
    // a + b * 2^k
    for (x, y) in [(a, b), (b, a)] {
        if let Some(mut amode) = scaled(cx, y) {
            amode.base = Base::Reg(cx.reg(x));
            return lea(cx, size, dst, amode);
        }
    }
    if !in_place && cx.uses[a.index()] > 1 && cx.uses[b.index()] > 1 && cx.func.constant(b).is_none() {
        let (base, index) = (cx.reg(a), cx.reg(b));
        return lea(cx, size, dst, Amode { index, ..Amode::base(base, 0) });
    }
    commutative(cx, Alu::Add, data.ty, dst, a, b);
}

/// `base + zext(condition)`, or `-`, where the condition is a carry.
fn add_flag(cx: &mut Ctx, data: &InstData, dst: VReg, base: Value, flag: Value) -> bool {
    let Some((inst, extension)) = cx.def_op(flag, Opcode::ZExt) else { return false };
    let cond = cx.arg(&extension, 0);
    cx.ty(cond) == Type::I1
        && data.ty.bits() >= 32
        && cx.can_absorb(flag, inst)
        && add_condition(cx, dst, arith_size(data.ty), base, cond, data.opcode == Opcode::Add)
}

/// `x << k` with k in 1..=3, sinkable, as an index.
fn scaled(cx: &mut Ctx, value: Value) -> Option<Amode> {
    let (inst, data) = cx.def_op(value, Opcode::Shl)?;
    let shift @ 1..=3 = cx.func.const_i64(cx.arg(&data, 1))? else { return None };
    if !cx.can_sink(inst) || cx.uses[value.index()] > 2 {
        return None;
    }
    let index = cx.reg(cx.arg(&data, 0));
    Some(Amode { index, shift: shift as u8, ..Amode::EMPTY })
}

/// The operands of a sum that is computed for one other, where neither is a constant.
fn register_sum(cx: &Ctx, sum: Value) -> Option<(Value, Value)> {
    let (inst, data) = cx.def_op(sum, Opcode::Add)?;
    let (a, b) = (cx.arg(&data, 0), cx.arg(&data, 1));
    let is_constant = |v: Value| cx.func.constant(v).is_some();
    (cx.can_absorb(sum, inst) && !is_constant(a) && !is_constant(b)).then_some((a, b))
}

/// Whether the values share a register, as those of a phi do.
pub fn same_class(cx: &Ctx, a: Value, b: Value) -> bool {
    cx.phis.class(a).is_some() && cx.phis.class(a) == cx.phis.class(b)
}

/// The operands with a constant in second place.
pub fn constant_last(cx: &Ctx, a: Value, b: Value) -> (Value, Value) {
    if cx.func.constant(a).is_some() && cx.func.constant(b).is_none() { (b, a) } else { (a, b) }
}

/// `dst = a op b`, folding a load of either operand.
pub fn commutative(cx: &mut Ctx, op: Alu, ty: Type, dst: VReg, a: Value, b: Value) {
    let size = arith_size(ty);
    if let Some(imm) = cx.imm32(b, size) {
        let src = cx.reg(a);
        return cx.alu_imm(op, size, dst, src, imm);
    }
    let (a, b) = tied_first(cx, size, a, b);
    let src = cx.reg(a);
    let operand = rm(cx, b, size);
    push_rm(cx, MInst::alu(op, size).dst(dst).src1(src), operand);
}

/// The operands of a commutative operation with that first whose register is to be the result's: of
/// the destination's own class, or a constant, which nobody else needs; not a load, which folds.
pub fn tied_first(cx: &Ctx, size: Size, a: Value, b: Value) -> (Value, Value) {
    let tied = |value: Value| cx.func.result(cx.root).is_some_and(|r| same_class(cx, r, value));
    let swap = match (tied(a), tied(b)) {
        (false, false) if cx.func.constant(b).is_some() => true,
        (a_tied, b_tied) => b_tied && !a_tied || foldable(cx, a, size) && !foldable(cx, b, size),
    };
    if swap { (b, a) } else { (a, b) }
}

/// Whether the value is a load that an instruction of this size can do.
pub fn foldable(cx: &Ctx, value: Value, size: Size) -> bool {
    cx.foldable_load(value).is_some_and(|(_, data)| data.ty.store_size() == size.bytes())
}

/// `sub`.
pub fn select_sub(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    if cx.func.const_i64(a) == Some(0) {
        let src = cx.reg(b);
        return cx.push(MInst::unary(Unary::Neg, size).dst(dst).src1(src));
    }
    if add_flag(cx, data, dst, a, b) {
        return;
    }
    if let Some(imm) = cx.imm32(b, size) {
        let src = cx.reg(a);
        if !cx.single_use(a) && imm != i32::MIN {
            return lea(cx, size, dst, Amode::base(src, -imm));
        }
        return cx.alu_imm(Alu::Sub, size, dst, src, imm);
    }
    if let Some(imm @ 0..) = cx.imm32(a, size)
        && let Some((found, top)) = super::bits::highest_bit(cx, b, None)
    {
        return lea(cx, size, dst, Amode::base(found, imm - top));
    }
    // Where size counts, c - x = -x + c: no register for c.
    if let Some(imm) = cx.imm32(a, size).filter(|&imm| imm != -1 && cx.small()) {
        let src = cx.reg(b);
        let negated = cx.in_gpr(|cx, dst| cx.push(MInst::unary(Unary::Neg, size).dst(dst).src1(src)));
        return cx.alu_imm(Alu::Add, size, dst, negated, imm);
    }
    // No bit of the constant has to borrow: `7 - (x & 7)`.
    if let (Some(imm), Some(bits)) = (cx.imm32(a, size), cx.func.const_bits(a))
        && bits | known(cx.func, b).zero == data.ty.mask()
    {
        let src = cx.reg(b);
        return cx.alu_imm(Alu::Xor, size, dst, src, imm);
    }
    if cx.imm32(a, size) == Some(-1) {
        let src = cx.reg(b);
        return cx.push(MInst::unary(Unary::Not, size).dst(dst).src1(src));
    }
    let src = cx.reg(a);
    let operand = rm(cx, b, size);
    push_rm(cx, MInst::alu(Alu::Sub, size).dst(dst).src1(src), operand);
}

/// `and`.
pub fn select_and(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = constant_last(cx, cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    if let Some(mask) = cx.func.const_i64(b) {
        let mask = if data.ty == Type::I32 { i64::from(mask as u32) } else { mask };
        match mask {
            0xff if data.ty.bits() > 8 => return zero_extend_part(cx, a, Size::B, dst),
            0xffff if data.ty.bits() > 16 => return zero_extend_part(cx, a, Size::W, dst),
            0xffff_ffff if data.ty.bits() == 64 => {
                let src = cx.reg(a);
                return cx.push(MInst::new(Op::Mov, Size::D).dst(dst).src2(src));
            }
            _ => {}
        }
        // A mask without upper half: the 32-bit operation clears it.
        if size == Size::Q && u32::try_from(mask).is_ok() {
            let src = cx.reg(a);
            return cx.alu_imm(Alu::And, Size::D, dst, src, mask as u32 as i32);
        }
        if size == Size::Q && (!mask).count_ones() == 1 && i32::try_from(mask).is_err() {
            let src = cx.reg(a);
            return bit_change(cx, BitTest::Btr, dst, src, (!mask).trailing_zeros());
        }
    }
    if cx.has(X86Features::BMI) && size >= Size::D && select_andn(cx, size, dst, a, b) {
        return;
    }
    if cx.has(X86Features::BMI2) && size >= Size::D && select_bzhi(cx, size, dst, a, b) {
        return;
    }
    if change_bit(cx, BitTest::Btr, data, dst) {
        return;
    }
    commutative(cx, Alu::And, data.ty, dst, a, b);
}

fn zero_extend_part(cx: &mut Ctx, value: Value, from: Size, dst: VReg) {
    let value = strip_mask(cx, value, (1 << from.bits()) - 1);
    // The low part of a wider load is a narrower load.
    if let Some((_, load)) = cx.foldable_load(value)
        && load.ty.is_int()
        && load.ty != Type::I128
        && load.ty.store_size() >= from.bytes()
    {
        let amode = super::address::address(cx, cx.arg(&load, 0));
        return cx.load_gpr(from, dst, amode);
    }
    let src = cx.reg(value);
    cx.movzx(from, dst, src);
}

/// `x & ~y`
fn select_andn(cx: &mut Ctx, size: Size, dst: VReg, a: Value, b: Value) -> bool {
    for (x, y) in [(a, b), (b, a)] {
        if let Some((inst, data)) = cx.def_op(y, Opcode::Xor)
            && cx.can_absorb(y, inst)
            && cx.func.const_i64(cx.arg(&data, 1)) == Some(-1)
        {
            let inverted = cx.reg(cx.arg(&data, 0));
            let operand = rm(cx, x, size);
            push_rm(cx, MInst::vex(Vex::Andn, size).dst(dst).src1(inverted), operand);
            return true;
        }
    }
    false
}

/// `x & ((1 << n) - 1)`
fn select_bzhi(cx: &mut Ctx, size: Size, dst: VReg, a: Value, b: Value) -> bool {
    for (x, mask) in [(a, b), (b, a)] {
        if let Some((inst, sum)) = cx.def_op(mask, Opcode::Add)
            && let Some((shift, power)) = cx.def_op(cx.arg(&sum, 0), Opcode::Shl)
            && cx.can_absorb(mask, inst)
            && cx.can_absorb(cx.arg(&sum, 0), shift)
            && cx.func.const_i64(cx.arg(&sum, 1)) == Some(-1)
            && cx.func.const_i64(cx.arg(&power, 0)) == Some(1)
        {
            let bits = strip_mask(cx, cx.arg(&power, 1), 0xff);
            let (count, operand) = (cx.reg(bits), rm(cx, x, size));
            push_rm(cx, MInst::vex(Vex::Bzhi, size).dst(dst).src1(count), operand);
            return true;
        }
    }
    false
}

/// The register with `n` (its lowest bits count) of `1 << n`, 32 or 64 bits wide.
pub(super) fn number_of_bit(cx: &mut Ctx, value: Value) -> Option<VReg> {
    let (inst, shift) = cx.def_op(value, Opcode::Shl)?;
    let fits = shift.ty.bits() >= 32 && shift.ty.bits() <= 64 && cx.func.const_i64(cx.arg(&shift, 0)) == Some(1);
    (fits && cx.can_sink(inst)).then(|| {
        let number = strip_mask(cx, cx.arg(&shift, 1), i64::from(shift.ty.bits()) - 1);
        cx.reg(number)
    })
}

/// `x | 1 << n`, `x ^ 1 << n`, `x & ~(1 << n)`.
fn change_bit(cx: &mut Ctx, op: BitTest, data: &InstData, dst: VReg) -> bool {
    for (x, mask) in [(0, 1), (1, 0)] {
        let mut mask = cx.arg(data, mask);
        if op == BitTest::Btr {
            match cx.def_op(mask, Opcode::Xor) {
                Some((inst, not)) if cx.can_absorb(mask, inst) && cx.func.const_i64(cx.arg(&not, 1)) == Some(-1) => {
                    mask = cx.arg(&not, 0)
                }
                _ => continue,
            }
        }
        if let Some(number) = number_of_bit(cx, mask) {
            let src = cx.reg(cx.arg(data, x));
            cx.push(MInst::bit_change(op, arith_size(data.ty)).dst(dst).src1(src).src2(number));
            return true;
        }
    }
    false
}

fn bit_change(cx: &mut Ctx, op: BitTest, dst: VReg, src: VReg, bit: u32) {
    cx.push(MInst::bit_change(op, Size::Q).dst(dst).src1(src).imm(bit as i32));
}

/// `or` and `xor`.
pub fn select_or_xor(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = constant_last(cx, cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    let xor = data.opcode == Opcode::Xor;
    if let Some(mask) = cx.func.const_i64(b) {
        if xor && mask == -1 && data.ty != Type::I1 {
            let src = cx.reg(a);
            return cx.push(MInst::unary(Unary::Not, size).dst(dst).src1(src));
        }
        if xor
            && let Ok(top @ (31 | 63)) = i32::try_from(mask)
            && let Some((found, _)) = super::bits::highest_bit(cx, a, Some(top))
        {
            return cx.copy(dst, found);
        }
        if data.ty == Type::I1 {
            let src = cx.reg(a);
            let imm = (mask & 1) as i32;
            return cx.alu_imm(if xor { Alu::Xor } else { Alu::Or }, size, dst, src, imm);
        }
        if size == Size::Q && mask.count_ones() == 1 && i32::try_from(mask).is_err() {
            let src = cx.reg(a);
            let op = if xor { BitTest::Btc } else { BitTest::Bts };
            return bit_change(cx, op, dst, src, mask.trailing_zeros());
        }
    }
    if change_bit(cx, if xor { BitTest::Btc } else { BitTest::Bts }, data, dst) {
        return;
    }
    if !xor && (bit_moved_in(cx, data, dst, a, b) || bit_moved_in(cx, data, dst, b, a)) {
        return;
    }
    commutative(cx, if xor { Alu::Xor } else { Alu::Or }, data.ty, dst, a, b);
}

/// `x << 1 | y >> 63`, one step of a long shift: the bit of `y` is the carry of `x + x`.
fn bit_moved_in(cx: &mut Ctx, data: &InstData, dst: VReg, a: Value, b: Value) -> bool {
    let top = data.ty.bits() as i32 - 1;
    let shifted = |cx: &Ctx, value: Value, opcode: Opcode, amount: i32| {
        let (inst, shift) = cx.def_op(value, opcode)?;
        let fits = cx.func.const_i64(cx.arg(&shift, 1)) == Some(i64::from(amount)) && cx.can_absorb(value, inst);
        fits.then(|| cx.arg(&shift, 0))
    };
    let (Some(x), Some(y)) = (shifted(cx, a, Opcode::Shl, 1), shifted(cx, b, Opcode::LShr, top)) else { return false };
    if !matches!(data.ty, Type::I32 | Type::I64) {
        return false;
    }
    let (size, x, y) = (arith_size(data.ty), cx.reg(x), cx.reg(y));
    cx.push(MInst::new(Op::BitTest, size).src1(y).imm(top));
    cx.push(MInst::alu(Alu::Adc, size).dst(dst).src1(x).src2(x));
    true
}

/// `shl`, `lshr`, `ashr`.
pub fn select_shift(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, amount) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    let op = match data.opcode {
        Opcode::Shl => Shift::Shl,
        Opcode::LShr => Shift::Shr,
        _ => Shift::Sar,
    };
    if let Some(count) = cx.func.const_i64(amount) {
        let count = (count as u64 & (u64::from(data.ty.bits()) - 1)) as u8;
        // The upper half of a product of 32 bits, shifted further to the right.
        if let Some((multiply, product)) = cx.def(a)
            && matches!((op, product.opcode), (Shift::Shr, Opcode::UMulHi) | (Shift::Sar, Opcode::SMulHi))
            && cx.can_absorb(a, multiply)
            && let Some(whole) = whole_product(cx, &product)
        {
            return cx.shift_imm(op, Size::Q, dst, whole, 32 + count);
        }
        if op == Shift::Shl
            && (1..=3).contains(&count)
            && !cx.single_use(a)
            && !same_class(cx, cx.func.first_result(inst), a)
        {
            // lea dst, [x * 2^k] needs a 4-byte displacement: only x + x is short.
            let src = cx.reg(a);
            if count == 1 {
                return lea(cx, size, dst, Amode { index: src, ..Amode::base(src, 0) });
            }
            return cx.shift_imm(op, size, dst, src, count);
        }
        let src = extended(cx, a, op, data.ty);
        return cx.shift_imm(op, size, dst, src, count);
    }
    if cx.has(X86Features::BMI2) && data.ty.bits() >= 32 {
        let (src, count) = (cx.reg(a), shift_count(cx, amount, data.ty));
        return cx.push(MInst::shift_x(op, size).dst(dst).src1(src).src2(count));
    }
    let src = extended(cx, a, op, data.ty);
    let count = shift_count(cx, amount, data.ty);
    shift_by_register(cx, op, size, dst, src, count);
}

/// `dst = src shift count`, the count in rcx.
pub fn shift_by_register(cx: &mut Ctx, op: Shift, size: Size, dst: VReg, src: VReg, count: VReg) {
    // A value shifted by itself needs two registers.
    let count = if count == src { cx.copied(count) } else { count };
    cx.push(MInst::shift(op, size).dst(dst).src1(src).src2(count));
}

/// The operand of a right shift with its upper bits right for the operation size.
fn extended(cx: &mut Ctx, value: Value, op: Shift, ty: Type) -> VReg {
    let src = cx.reg(value);
    let from = int_size(ty);
    if op == Shift::Shl || from >= Size::D {
        return src;
    }
    let wide = cx.temp_gpr();
    if op == Shift::Sar {
        cx.movsx(Size::D, from, wide, src)
    } else {
        cx.movzx(from, wide, src)
    }
    wide
}

/// The register of a shift amount, as far as its low bits go, which are all that the hardware looks
/// at: `width - x` is `-x`.
fn shift_count(cx: &mut Ctx, amount: Value, ty: Type) -> VReg {
    let Some(mask) = hardware_mask(ty) else { return cx.reg(amount) };
    let amount = strip_mask(cx, amount, mask);
    let whole = |cx: &Ctx, data: &InstData| cx.func.const_i64(cx.arg(data, 0)).is_some_and(|whole| whole & mask == 0);
    let Some((last, data)) = cx.def_op(amount, Opcode::Sub) else { return cx.reg(amount) };
    if !(8..=64).contains(&data.ty.bits()) || !cx.can_absorb(amount, last) {
        return cx.reg(amount);
    }
    let negated = if whole(cx, &data) {
        let subtracted = strip_mask(cx, cx.arg(&data, 1), mask);
        cx.reg(subtracted)
    } else if let Some((inner, first)) = cx.def_op(cx.arg(&data, 0), Opcode::Sub)
        && whole(cx, &first)
        && cx.can_absorb(cx.arg(&data, 0), inner)
    {
        // `width - x - y` is `-(x + y)`.
        let [x, y] = [&first, &data].map(|data| strip_mask(cx, cx.arg(data, 1), mask));
        let amode = Amode { index: cx.reg(y), ..Amode::base(cx.reg(x), 0) };
        cx.in_gpr(|cx, dst| lea(cx, Size::D, dst, amode))
    } else {
        return cx.reg(amount);
    };
    cx.in_gpr(|cx, dst| cx.push(MInst::unary(Unary::Neg, Size::D).dst(dst).src1(negated)))
}

/// The bits of a shift amount that the hardware looks at; `None` where it looks at more than the
/// type's own width has.
fn hardware_mask(ty: Type) -> Option<i64> {
    match ty.bits() {
        32 => Some(31),
        64 => Some(63),
        _ => None,
    }
}

/// The value without what changes none of the bits of `mask`, all that the root looks at: the
/// hardware masks a shift amount itself.
pub(super) fn strip_mask(cx: &Ctx, mut amount: Value, mask: i64) -> Value {
    // Extensions and truncations that keep the bits do not matter either.
    let least = (u64::BITS - mask.leading_zeros()).max(8);
    for _ in 0..3 {
        let Some((inst, data)) = cx.def(amount) else { return amount };
        if !cx.can_sink(inst) {
            return amount;
        }
        match data.opcode {
            Opcode::And if cx.func.const_i64(cx.arg(&data, 1)).is_some_and(|m| m & mask == mask) => {
                amount = cx.arg(&data, 0)
            }
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc
                if (least..=64).contains(&cx.ty(cx.arg(&data, 0)).bits()) && data.ty != Type::I1 =>
            {
                amount = cx.arg(&data, 0)
            }
            _ => return amount,
        }
    }
    amount
}

/// `rotl`, `rotr`.
pub fn select_rotate(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, amount) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = int_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    let op = if data.opcode == Opcode::Rotl { Shift::Rol } else { Shift::Ror };
    let src = cx.reg(a);
    if let Some(count) = cx.func.const_i64(amount) {
        let bits = i64::from(data.ty.bits());
        let count = count.rem_euclid(bits) as u8;
        if cx.has(X86Features::BMI2) && size >= Size::D {
            let right = if op == Shift::Ror { count } else { (bits as u8 - count) & (bits as u8 - 1) };
            return cx.push(MInst::new(Op::RorX, size).dst(dst).src2(src).imm(i32::from(right)));
        }
        return cx.shift_imm(op, size, dst, src, count);
    }
    let count = shift_count(cx, amount, data.ty);
    shift_by_register(cx, op, size, dst, src, count);
}

/// `smulh`, `umulh`.
pub fn select_mul_high(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let signed = data.opcode == Opcode::SMulHi;
    let result = cx.func.first_result(inst);
    let size = int_size(data.ty);
    if size < Size::D {
        let dst = cx.result(result);
        let (x, y) = (extend(cx, a, signed), extend(cx, b, signed));
        let product = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Imul, Size::D).dst(dst).src1(x).src2(y)));
        return cx.shift_imm(if signed { Shift::Sar } else { Shift::Shr }, Size::D, dst, product, size.bits() as u8);
    }
    if let Some(whole) = whole_product(cx, data) {
        let dst = cx.result(result);
        return cx.shift_imm(Shift::Shr, Size::Q, dst, whole, 32);
    }
    let dst = cx.result(result);
    let (a, b) = if foldable(cx, a, size) && !foldable(cx, b, size) { (b, a) } else { (a, b) };
    let src = cx.reg(a);
    let operand = rm(cx, b, size);
    let low = cx.temp_gpr();
    let high = cx.temp_gpr();
    push_rm(cx, MInst::mul_wide(Unary::multiply(signed), size).dst(low).src1(src).with_aux(high), operand);
    cx.copy(dst, high);
}

/// All 64 bits of the product of 32 bits and a constant of which `data` is the upper half: that
/// multiplication is quicker than the one with two results, and leaves `rax` and `rdx` alone.
fn whole_product(cx: &mut Ctx, data: &InstData) -> Option<VReg> {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    if data.ty != Type::I32 || cx.small() {
        return None;
    }
    let factor = cx.func.const_bits(b)? as u32;
    let signed = data.opcode == Opcode::SMulHi;
    let product = cx.temp_gpr();
    let wide = if !signed && cx.upper_clear(a) {
        cx.reg(a)
    } else {
        let (narrow, wide) = (cx.reg(a), cx.temp_gpr());
        if signed {
            cx.movsx(Size::Q, Size::D, wide, narrow);
        } else {
            cx.movzx(Size::D, wide, narrow);
        }
        wide
    };
    if signed || factor <= i32::MAX as u32 {
        cx.push(MInst::new(Op::ImulImm, Size::Q).dst(product).src2(wide).imm(factor as i32));
    } else {
        let by = cx.in_gpr(|cx, dst| cx.move_imm(Size::D, dst, i64::from(factor)));
        cx.push(MInst::new(Op::Imul, Size::Q).dst(product).src1(wide).src2(by));
    }
    Some(product)
}

/// The value of a narrow type extended to 32 bits (wider ones as they are).
pub fn extend(cx: &mut Ctx, value: Value, signed: bool) -> VReg {
    let from = int_size(cx.ty(value));
    if from >= Size::D {
        return cx.reg(value);
    }
    let wide = cx.temp_gpr();
    let inst = if signed { MInst::mov_sx(from, Size::D) } else { MInst::mov_zx(from, Size::D) };
    let operand = rm(cx, value, from);
    push_rm(cx, inst.dst(wide), operand);
    wide
}

/// `smin`, `smax`, `umin`, `umax`.
pub fn select_min_max(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let signed = matches!(data.opcode, Opcode::SMin | Opcode::SMax);
    let result = cx.func.first_result(inst);
    let dst = cx.result(result);
    // The result takes the first one's place: that of the variable it is assigned to, or of what is
    // not needed any longer.
    let (of_a, of_b) = (same_class(cx, result, a), same_class(cx, result, b));
    let dies = !of_a && !cx.single_use(a) && cx.single_use(b) && cx.func.constant(b).is_none();
    let (a, b) = if (of_b && !of_a) || dies { (b, a) } else { (a, b) };
    let (x, y) = (extend(cx, a, signed), extend(cx, b, signed));
    let size = arith_size(data.ty);
    cx.cmp(size, x, y);
    // Take y where it is the better one.
    let cond = match data.opcode {
        Opcode::SMin => Cond::G,
        Opcode::SMax => Cond::L,
        Opcode::UMin => Cond::A,
        _ => Cond::B,
    };
    cx.cmov(cond, size, dst, x, y);
}

/// The `...Overflow` operations on scalars: value and overflow flag.
pub fn select_overflow(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let cond = value_and_flag(cx, inst, data);
    let overflow = cx.func.results(inst).nth(1).expect("the flag");
    if cx.is_needed(overflow) {
        let flag = cx.result(overflow);
        cx.push(MInst::new(Op::Setcc, Size::B).cond(cond).dst(flag));
    }
}

/// The condition of an overflow flag that only the root wants: the operation is done here for it,
/// where nobody wants its value before.
pub fn flag_of_overflow(cx: &mut Ctx, overflow: Value) -> Option<Cond> {
    let ir::ValueDef::Result(inst, 1) = cx.func.value_def(overflow) else { return None };
    let data = cx.data(inst);
    let once = cx.single_use(overflow) && cx.can_delay(inst, cx.func.first_result(inst), overflow);
    if !data.opcode.tells_overflow() || data.ty == Type::I128 || !once {
        return None;
    }
    let cond = value_and_flag(cx, inst, &data);
    cx.facts[inst.index()].delayed = true;
    Some(cond)
}

/// Makes the value, and gives the condition that means "overflow" then.
fn value_and_flag(cx: &mut Ctx, inst: Inst, data: &InstData) -> Cond {
    use Opcode::*;
    let (a, b) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = int_size(data.ty);
    let dst = cx.result(cx.func.first_result(inst));
    match data.opcode {
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow => {
            let op = if matches!(data.opcode, SAddOverflow | UAddOverflow) { Alu::Add } else { Alu::Sub };
            let x = cx.reg(a);
            match cx.imm32(b, size) {
                Some(imm) => cx.alu_imm(op, size, dst, x, imm),
                None => {
                    let operand = rm(cx, b, size);
                    push_rm(cx, MInst::alu(op, size).dst(dst).src1(x), operand);
                }
            }
            if matches!(data.opcode, SAddOverflow | SSubOverflow) { Cond::O } else { Cond::B }
        }
        _ => multiply_overflow(cx, data, a, b, dst),
    }
}

fn multiply_overflow(cx: &mut Ctx, data: &InstData, a: Value, b: Value, dst: VReg) -> Cond {
    let signed = data.opcode == Opcode::SMulOverflow;
    let size = int_size(data.ty);
    if size == Size::B || (size == Size::W && !signed) {
        // In 32 bits nothing is lost: it overflowed if the narrow part extended again differs.
        let (x, y) = (extend(cx, a, signed), extend(cx, b, signed));
        let product = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::Imul, Size::D).dst(dst).src1(x).src2(y)));
        let again = cx.temp_gpr();
        if signed {
            cx.movsx(Size::D, size, again, product)
        } else {
            cx.movzx(size, again, product)
        }
        cx.copy(dst, product);
        cx.cmp(Size::D, again, product);
        return Cond::NE;
    }
    let x = cx.reg(a);
    if signed {
        let y = cx.reg(b);
        cx.push(MInst::new(Op::Imul, size).dst(dst).src1(x).src2(y));
    } else {
        let y = cx.reg(b);
        let (low, high) = (cx.temp_gpr(), cx.temp_gpr());
        cx.push(MInst::mul_wide(Unary::Mul, size).dst(low).src1(x).src2(y).with_aux(high));
        cx.copy(dst, low);
    }
    Cond::O
}

/// Whether an i1 value is better computed where it is extended than kept in a register: nothing
/// else wants it, or only as flags.
fn is_wanted_as_flags(cx: &Ctx, value: Value) -> bool {
    let as_flags = |(user, index): (Inst, usize)| match cx.func.insts[user].opcode {
        Opcode::ZExt | Opcode::CondBr => true,
        opcode => opcode == Opcode::Select && index == 0,
    };
    let all = || cx.func.has_use_lists() && cx.func.uses(value).all(as_flags);
    cx.single_use(value) || all() && super::compare::is_foldable_compare(cx, value).is_some()
}

/// `trunc`, `zext`, `sext` between scalar integers of at most 64 bits.
pub fn select_extension(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let src = cx.arg(data, 0);
    let from_ty = cx.ty(src);
    let dst = cx.result(cx.func.first_result(inst));
    match data.opcode {
        Opcode::Trunc => {
            let reg = cx.reg(src);
            if data.ty == Type::I1 { cx.alu_imm(Alu::And, Size::D, dst, reg, 1) } else { cx.copy(dst, reg) }
        }
        Opcode::ZExt if from_ty == Type::I1 => {
            // What is no comparison has its bit in a register.
            let kept =
                |data: InstData| !matches!(data.opcode, Opcode::ICmp | Opcode::FCmp | Opcode::Trunc | Opcode::Xor);
            if !is_wanted_as_flags(cx, src) || cx.def(src).is_none_or(|(_, data)| kept(data)) {
                let reg = cx.reg(src);
                return cx.movzx(Size::B, dst, reg);
            }
            let flags = super::compare::condition(cx, src);
            if flags.parity == 0 {
                return cx.push(MInst::new(Op::SetccZx, Size::D).cond(flags.cond).dst(dst));
            }
            let byte = cx.in_gpr(|cx, dst| super::compare::set_value(cx, flags, dst));
            cx.movzx(Size::B, dst, byte);
        }
        Opcode::ZExt => {
            let from = int_size(from_ty);
            let operand = rm(cx, src, from);
            match from {
                Size::D => push_rm(cx, MInst::new(Op::Mov, Size::D).dst(dst), operand),
                _ => push_rm(cx, MInst::mov_zx(from, Size::D).dst(dst), operand),
            }
        }
        _ if from_ty == Type::I1 => {
            let size = arith_size(data.ty);
            if let Some(carry) = carry_of(cx, src).filter(|_| cx.single_use(src)) {
                set_carry(cx, src, carry);
                if carry.holds {
                    return cx.push(MInst::new(Op::CarryMask, size).dst(dst));
                }
                let mask = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::CarryMask, size).dst(dst)));
                return cx.push(MInst::unary(Unary::Not, size).dst(dst).src1(mask));
            }
            let reg = cx.reg(src);
            let wide = cx.in_gpr(|cx, dst| cx.movzx(Size::B, dst, reg));
            cx.push(MInst::unary(Unary::Neg, size).dst(dst).src1(wide));
        }
        _ => {
            let (from, to) = (int_size(from_ty), arith_size(data.ty));
            let operand = rm(cx, src, from);
            push_rm(cx, MInst::mov_sx(from, to).dst(dst), operand);
        }
    }
}
