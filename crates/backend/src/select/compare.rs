//! Conditions: comparisons as machine flags, `icmp`/`fcmp` as values, `select`.
//!
//! [`condition`] makes the flags for an i1 value right before its user (a branch, `cmov`, `setcc`)
//! and says under which condition code they mean "true". Comparisons are duplicated rather than
//! kept in a register when several users can fold them.

use ir::analysis::absolute_value;
use ir::{FloatCc, Inst, InstData, IntCc, Opcode, Type, Value};
use object::{
    Cond, Size,
    encode::{Alu, Sse, Unary},
};

use super::{
    address::address,
    arith::{flag_of_overflow, same_class},
    carries::{add_condition, carry_of, carry_of_sum, set_carry},
    constants::constant_amode,
    context::{Ctx, Holder, arith_size, int_size},
    memory::{Rm, push_rm, push_xmm_rm, rm, xmm_rm},
    vector_compare::float_compare,
};
use crate::machine::{Class, MInst, Op, VReg, bits};
use crate::x86::conditions::int_cond;

/// What the flags must be for a condition to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    /// The condition code.
    pub cond: Cond,
    /// [`bits::OR_PARITY`], [`bits::AND_NO_PARITY`] or 0.
    pub parity: u16,
}

impl Flags {
    /// A condition code alone.
    pub fn plain(cond: Cond) -> Flags {
        Flags { cond, parity: 0 }
    }

    /// The opposite condition.
    #[must_use]
    pub fn invert(self) -> Flags {
        let parity = match self.parity {
            bits::OR_PARITY => bits::AND_NO_PARITY,
            bits::AND_NO_PARITY => bits::OR_PARITY,
            other => other,
        };
        Flags { cond: self.cond.invert(), parity }
    }
}

/// The flags after `ucomis a, b` that mean `cc`, and whether the operands must be exchanged.
pub fn float_cond(cc: FloatCc) -> (Flags, bool) {
    use FloatCc::*;
    match cc {
        Oeq => (Flags { cond: Cond::E, parity: bits::AND_NO_PARITY }, false),
        Une => (Flags { cond: Cond::NE, parity: bits::OR_PARITY }, false),
        Ogt => (Flags::plain(Cond::A), false),
        Oge => (Flags::plain(Cond::AE), false),
        Olt => (Flags::plain(Cond::A), true),
        Ole => (Flags::plain(Cond::AE), true),
        One => (Flags::plain(Cond::NE), false),
        Ueq => (Flags::plain(Cond::E), false),
        Ord => (Flags::plain(Cond::NP), false),
        Uno => (Flags::plain(Cond::P), false),
        Ult => (Flags::plain(Cond::B), false),
        Ule => (Flags::plain(Cond::BE), false),
        Ugt => (Flags::plain(Cond::B), true),
        Uge => (Flags::plain(Cond::BE), true),
    }
}

/// The comparison that makes an i1, if it can be made again at the root.
pub fn is_foldable_compare(cx: &Ctx, value: Value) -> Option<(Inst, InstData)> {
    let (inst, data) = cx.def(value)?;
    let compares = match data.opcode {
        Opcode::ICmp => !cx.ty(cx.arg(&data, 0)).is_vector(),
        Opcode::FCmp => {
            let ty = cx.ty(cx.arg(&data, 0));
            // Library calls stay where they stand.
            !ty.is_vector() && ty != Type::F128
        }
        Opcode::Trunc => data.ty == Type::I1 && cx.ty(cx.arg(&data, 0)).bits() <= 64,
        _ => false,
    };
    (compares && cx.can_sink(inst)).then_some((inst, data))
}

/// Makes the flags of an i1 value. They may want the parity flag as well, whatever `cond` is
/// computed from.
pub fn condition(cx: &mut Ctx, cond: Value) -> Flags {
    if let Some((inst, data)) = cx.def_op(cond, Opcode::Xor)
        && cx.func.const_bits(cx.arg(&data, 1)) == Some(1)
        && cx.can_sink(inst)
    {
        return for_users_of(cx, cond, |cx| condition(cx, cx.arg(&data, 0)).invert());
    }
    if let Some((_, data)) = is_foldable_compare(cx, cond) {
        return for_users_of(cx, cond, |cx| match data.opcode {
            Opcode::ICmp => int_flags(cx, &data),
            Opcode::FCmp => float_flags(cx, &data),
            _ => low_bit(cx, cx.arg(&data, 0)),
        });
    }
    if let Some(overflow) = flag_of_overflow(cx, cond) {
        return Flags::plain(overflow);
    }
    if let Some((inst, data)) = cx.def_op(cond, Opcode::And)
        && cx.can_absorb(cond, inst)
    {
        let (x, y) = (cx.reg(cx.arg(&data, 0)), cx.reg(cx.arg(&data, 1)));
        cx.push(MInst::new(Op::Test, Size::B).src1(x).src2(y));
        return Flags::plain(Cond::NE);
    }
    let reg = cx.reg(cond);
    cx.push(MInst::new(Op::Test, Size::B).src1(reg).src2(reg));
    Flags::plain(Cond::NE)
}

/// What is done once for each user of `value`: nothing that may be done only once is part of it if
/// there are several.
pub fn for_users_of<T>(cx: &mut Ctx, value: Value, compute: impl FnOnce(&mut Ctx) -> T) -> T {
    let folding = cx.fold_loads;
    cx.fold_loads &= cx.single_use(value);
    let computed = compute(cx);
    cx.fold_loads = folding;
    computed
}

/// Flags of the lowest bit of a value.
fn low_bit(cx: &mut Ctx, value: Value) -> Flags {
    if let Some((inst, data)) = cx.def_op(value, Opcode::LShr)
        && cx.can_sink(inst)
        && data.ty.bits() >= 32
    {
        return bit_test(cx, &data, Cond::B);
    }
    let reg = cx.reg(value);
    cx.push(MInst::new(Op::Test, Size::B).src1(reg).imm(1));
    Flags::plain(Cond::NE)
}

/// Flags of bit `b` of `a`, for `data` = `a >> b`.
fn bit_test(cx: &mut Ctx, data: &InstData, set: Cond) -> Flags {
    let (value, bit) = (cx.arg(data, 0), cx.arg(data, 1));
    let size = arith_size(data.ty);
    match cx.func.const_i64(bit) {
        Some(n) => test_bit(cx, size, value, n as u32, set),
        None => {
            let bit = super::arith::strip_mask(cx, bit, i64::from(size.bits()) - 1);
            let (reg, index) = (cx.reg(value), cx.reg(bit));
            cx.push(MInst::new(Op::BitTest, size).src1(reg).src2(index));
            Flags::plain(set)
        }
    }
}

/// Flags of a constant bit; `set` is `B` for "is one", `AE` for "is zero".
fn test_bit(cx: &mut Ctx, size: Size, value: Value, bit: u32, set: Cond) -> Flags {
    let tested = Flags::plain(if set == Cond::B { Cond::NE } else { Cond::E });
    if bit >= 31
        && let Some((_, load)) = cx.foldable_load(value)
        && load.ty.store_size() == size.bytes()
    {
        let amode = address(cx, cx.arg(&load, 0)).offset(bit as i32 / 8);
        cx.push_mem(MInst::new(Op::TestM, Size::B).imm(1 << (bit % 8)), amode);
        return tested;
    }
    let reg = cx.reg(value);
    if bit >= 31 {
        if bit + 1 == size.bits() {
            cx.push(MInst::new(Op::Test, size).src1(reg).src2(reg));
            return Flags::plain(if set == Cond::B { Cond::S } else { Cond::NS });
        }
        cx.push(MInst::new(Op::BitTest, size).src1(reg).imm(bit as i32));
        return Flags::plain(set);
    }
    let size = if bit < 8 { Size::B } else { Size::D };
    cx.push(MInst::new(Op::Test, size).src1(reg).imm(1 << bit));
    tested
}

fn int_flags(cx: &mut Ctx, data: &InstData) -> Flags {
    compare_ints(cx, data.int_cc(), cx.arg(data, 0), cx.arg(data, 1))
}

/// Flags of a comparison of integers.
pub fn compare_ints(cx: &mut Ctx, mut cc: IntCc, mut a: Value, mut b: Value) -> Flags {
    if cx.func.constant(a).is_some() && cx.func.constant(b).is_none() {
        (a, b) = (b, a);
        cc = cc.swapped();
    }
    let ty = cx.ty(a);
    if ty == Type::I128 {
        return super::int128::compare(cx, cc, a, b);
    }
    if ty == Type::I1 {
        return compare_bools(cx, cc, a, b);
    }
    if let Some(imm) = cx.func.const_i64(b)
        && let Some(flags) = compare_constant(cx, cc, a, imm, ty)
    {
        return flags;
    }
    let size = int_size(ty);
    if let Some(imm) = cx.imm32(b, size) {
        return compare_imm(cx, cc, a, imm, size);
    }
    if let Some(flags) = carry_of_sum(cx, cc, a, b).or_else(|| carry_of_sum(cx, cc.swapped(), b, a)) {
        return flags;
    }
    // A load of the first operand folds as well: cmp [mem], reg.
    if cx.any_foldable_load(b).is_none()
        && let Some(ptr) = cx.fold_load(a, size)
    {
        let src = cx.reg(b);
        let amode = address(cx, ptr);
        cx.push_mem(MInst::new(Op::CmpM, size).src2(src), amode);
        return Flags::plain(int_cond(cc));
    }
    let x = cx.reg(a);
    let operand = rm(cx, b, size);
    push_rm(cx, MInst::new(Op::Cmp, size).src1(x), operand);
    Flags::plain(int_cond(cc))
}

fn compare_bools(cx: &mut Ctx, cc: IntCc, a: Value, b: Value) -> Flags {
    // Constants 0 and 1 with (in)equality are the condition itself.
    if let (Some(bit), IntCc::Eq | IntCc::Ne) = (cx.func.const_bits(b), cc) {
        let flags = condition(cx, a);
        return if (bit == 1) == (cc == IntCc::Eq) { flags } else { flags.invert() };
    }
    let (x, y) = (cx.reg(a), cx.reg(b));
    // As signed numbers true is -1: the order of 0 and 1 is reversed.
    let cc = match cc {
        IntCc::Slt => IntCc::Ugt,
        IntCc::Sle => IntCc::Uge,
        IntCc::Sgt => IntCc::Ult,
        IntCc::Sge => IntCc::Ule,
        other => other,
    };
    cx.push(MInst::new(Op::Cmp, Size::B).src1(x).src2(y));
    Flags::plain(int_cond(cc))
}

/// Comparisons with a constant that have a better form than `cmp`.
fn compare_constant(cx: &mut Ctx, cc: IntCc, a: Value, imm: i64, ty: Type) -> Option<Flags> {
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    if let Some(flags) = compare_extended(cx, cc, a, imm) {
        return Some(flags);
    }
    if imm == 0
        && (equality || matches!(cc, IntCc::Slt | IntCc::Sge))
        && let Some((inst, data)) = cx.def_op(a, Opcode::And)
        && (cx.can_absorb(a, inst) || equality && cx.can_sink(inst) && is_only_compared(cx, a))
    {
        return Some(for_users_of(cx, a, |cx| test_and(cx, cc, &data)));
    }
    // x < 1 and x > 0 unsigned, x > -1 signed: tests against zero.
    let cc = match (cc, imm) {
        (IntCc::Ult, 1) => IntCc::Eq,
        (IntCc::Ugt, 0) => IntCc::Ne,
        (IntCc::Sgt, -1) => IntCc::Sge,
        (IntCc::Slt, 0) | (IntCc::Sge, 0) => cc,
        _ => return None,
    };
    let size = int_size(ty);
    if let Some(ptr) = cx.fold_load(a, size) {
        let amode = address(cx, ptr);
        cx.push_mem(MInst::new(Op::CmpM, size).imm(0), amode);
        return Some(Flags::plain(int_cond(cc)));
    }
    let x = cx.reg(a);
    cx.push(MInst::new(Op::Test, size).src1(x).src2(x));
    let cond = match cc {
        IntCc::Slt => Cond::S,
        IntCc::Sge => Cond::NS,
        other => int_cond(other),
    };
    Some(Flags::plain(cond))
}

/// `(extend narrow x) cmp c` compares the narrow value, if `c` is in its range.
fn compare_extended(cx: &mut Ctx, cc: IntCc, a: Value, imm: i64) -> Option<Flags> {
    let (inst, data) = cx.def(a)?;
    if data.opcode == Opcode::And && cx.can_sink(inst) {
        return compare_low_bytes(cx, cc, a, &data, imm);
    }
    if !matches!(data.opcode, Opcode::ZExt | Opcode::SExt) || !cx.can_sink(inst) {
        return None;
    }
    let inner = cx.arg(&data, 0);
    let narrow = cx.ty(inner);
    if narrow == Type::I1 {
        if data.opcode == Opcode::ZExt && matches!(cc, IntCc::Eq | IntCc::Ne) && (imm == 0 || imm == 1) {
            let flags = for_users_of(cx, a, |cx| condition(cx, inner));
            return Some(if (imm == 1) == (cc == IntCc::Eq) { flags } else { flags.invert() });
        }
        return None;
    }
    if narrow.bits() > 32 || !narrow.is_int() {
        return None;
    }
    let bits = narrow.bits();
    let cc = if data.opcode == Opcode::ZExt {
        if !(0..1i64 << bits).contains(&imm) {
            return None;
        }
        cc.unsigned()
    } else {
        let half = 1i64 << (bits - 1);
        if !(-half..half).contains(&imm) || !(cc.is_signed() || matches!(cc, IntCc::Eq | IntCc::Ne)) {
            return None;
        }
        cc
    };
    // The load may be folded only if the extension is selected nowhere else.
    let shifted = (imm << (64 - bits)) >> (64 - bits);
    Some(for_users_of(cx, a, |cx| match compare_constant(cx, cc, inner, shifted, narrow) {
        Some(flags) => flags,
        None => compare_imm(cx, cc, inner, shifted as i32, int_size(narrow)),
    }))
}

/// `(x & 255) cmp c` compares the low byte of x, if that is all that the masked value is for;
/// `x & 65535` likewise. Immediates of two bytes are slow to decode.
fn compare_low_bytes(cx: &mut Ctx, cc: IntCc, masked: Value, data: &InstData, imm: i64) -> Option<Flags> {
    let (x, mask) = (cx.arg(data, 0), cx.func.const_i64(cx.arg(data, 1))?);
    let (size, limit) = match mask {
        0xff => (Size::B, 0xff),
        0xffff => (Size::W, 0x7f),
        _ => return None,
    };
    let is_zero_test = imm == 0 && matches!(cc, IntCc::Eq | IntCc::Ne);
    if data.ty.bits() <= size.bits() || is_zero_test || !(0..=limit).contains(&imm) {
        return None;
    }
    if !is_only_compared(cx, masked) {
        return None;
    }
    let imm = if size == Size::B { i32::from(imm as i8) } else { imm as i32 };
    for_users_of(cx, masked, |cx| match cx.foldable_load(x).filter(|(_, load)| load.ty.is_int()) {
        Some((_, load)) => {
            let amode = address(cx, cx.arg(&load, 0));
            cx.push_mem(MInst::new(Op::CmpM, size).imm(imm), amode);
        }
        None => {
            let x = cx.reg(x);
            cx.cmp_imm(size, x, imm);
        }
    });
    Some(Flags::plain(int_cond(cc.unsigned())))
}

/// Whether a value is for comparisons with constants alone, or for one user: what it is computed
/// from takes no more registers.
fn is_only_compared(cx: &Ctx, value: Value) -> bool {
    let compares = |(user, _): (Inst, usize)| {
        cx.func.insts[user].opcode == Opcode::ICmp && cx.func.constant(cx.func.operand(user, 1)).is_some()
    };
    cx.single_use(value) || cx.func.has_use_lists() && cx.func.uses(value).all(compares)
}

/// The same with a constant.
pub fn compare_imm(cx: &mut Ctx, cc: IntCc, a: Value, imm: i32, size: Size) -> Flags {
    if let Some(ptr) = cx.fold_load(a, size) {
        let amode = address(cx, ptr);
        cx.push_mem(MInst::new(Op::CmpM, size).imm(imm), amode);
        return Flags::plain(int_cond(cc));
    }
    let x = cx.reg(a);
    if imm == 0 && is_sum_without_overflow(cx, a) {
        cx.push(MInst::new(Op::Test, size).src1(x).src2(x).with_bits(bits::NO_OVERFLOW));
    } else {
        cx.cmp_imm(size, x, imm);
    }
    Flags::plain(int_cond(cc))
}

/// Whether the value is a sum or difference that the program promises not to overflow: its overflow
/// flag is then that of a comparison with zero.
fn is_sum_without_overflow(cx: &Ctx, value: Value) -> bool {
    cx.def(value).is_some_and(|(_, data)| {
        matches!(data.opcode, Opcode::Add | Opcode::Sub) && data.has(ir::flags::NSW) && data.ty.bits() >= 32
    })
}

/// `(x & y) cmp 0`.
fn test_and(cx: &mut Ctx, cc: IntCc, data: &InstData) -> Flags {
    let (a, b) = super::arith::constant_last(cx, cx.arg(data, 0), cx.arg(data, 1));
    let cond = match cc {
        IntCc::Slt => Cond::S,
        IntCc::Sge => Cond::NS,
        other => int_cond(other),
    };
    let set = if cc == IntCc::Ne { Cond::B } else { Cond::AE };
    let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
    let size = int_size(data.ty);
    if let Some(mask) = cx.func.const_i64(b) {
        return test_mask(cx, data, a, b, mask, cond, equality.then_some(set));
    }
    // x & (1 << n)
    if equality && data.ty.bits() >= 32 {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(index) = super::arith::number_of_bit(cx, y) {
                let reg = cx.reg(x);
                cx.push(MInst::new(Op::BitTest, size).src1(reg).src2(index));
                return Flags::plain(set);
            }
        }
    }
    let (a, b) = if cx.foldable_load(a).is_some() { (b, a) } else { (a, b) };
    let x = cx.reg(a);
    match rm(cx, b, size) {
        Rm::Reg(y) => cx.push(MInst::new(Op::Test, size).src1(x).src2(y)),
        Rm::Mem(amode) => {
            cx.push_mem(MInst::new(Op::TestM, size).src2(x), amode);
        }
    }
    Flags::plain(cond)
}

/// `(a & mask) cmp 0` for a constant mask; `set` if it is an equality.
fn test_mask(cx: &mut Ctx, data: &InstData, a: Value, b: Value, mask: i64, cond: Cond, set: Option<Cond>) -> Flags {
    let size = int_size(data.ty);
    let width_mask = data.ty.mask() as u64;
    let bits_set = mask as u64 & width_mask;
    if let Some(set) = set
        && bits_set.count_ones() == 1
        && bits_set > u64::from(i32::MAX as u32)
        && size >= Size::D
    {
        return test_bit(cx, size, a, bits_set.trailing_zeros(), set);
    }
    // (x >> n) & 1
    if let Some(set) = set
        && bits_set == 1
        && let Some((inst, shift)) = cx.def_op(a, Opcode::LShr)
        && cx.can_sink(inst)
        && shift.ty.bits() >= 32
    {
        return bit_test(cx, &shift, set);
    }
    if cx.imm32(b, size).is_none() && u32::try_from(mask).is_err() {
        let (x, y) = (cx.reg(a), cx.reg(b));
        cx.push(MInst::new(Op::Test, size).src1(x).src2(y));
        return Flags::plain(cond);
    }
    // Only the low bytes that the mask covers need to be looked at.
    let sign_matters = set.is_none();
    let small = match bits_set {
        0..=0x7f if !sign_matters => Size::B,
        0x80..=0xff if !sign_matters => Size::B,
        0..=0x7fff_ffff => size.min(Size::D).max(if size < Size::D { size } else { Size::D }),
        _ if !sign_matters && bits_set <= u64::from(u32::MAX) => size.min(Size::D),
        _ => size,
    };
    let a = if sign_matters { a } else { without_extension(cx, a, bits_set) };
    if let Some((_, load)) = cx.foldable_load(a)
        && load.ty.store_size() >= small.bytes()
        && load.ty.is_int()
    {
        let mut amode = address(cx, cx.arg(&load, 0));
        let (mut small, mut mask) = (small, mask);
        // Bits of one byte, not the lowest: that byte alone.
        let byte = bits_set.trailing_zeros() / 8;
        if !sign_matters
            && bits_set != 0
            && bits_set >> (byte * 8) <= 0xff
            && byte < load.ty.store_size()
            && let Some(disp) = amode.disp.checked_add(byte as i32)
        {
            amode.disp = disp;
            small = Size::B;
            mask = (bits_set >> (byte * 8)) as i64;
        }
        cx.push_mem(MInst::new(Op::TestM, small).imm(mask as i32), amode);
        return Flags::plain(cond);
    }
    let x = cx.reg(a);
    cx.push(MInst::new(Op::Test, small).src1(x).imm(mask as i32));
    Flags::plain(cond)
}

/// The value under extensions that do not change the bits looked at, if those are computed for this
/// use only.
fn without_extension(cx: &Ctx, mut value: Value, bits: u64) -> Value {
    while let Some((inst, data)) = cx.def(value)
        && matches!(data.opcode, Opcode::ZExt | Opcode::SExt)
        && cx.can_absorb(value, inst)
    {
        let inner = cx.arg(&data, 0);
        let ty = cx.ty(inner);
        if !matches!(ty, Type::I8 | Type::I16 | Type::I32) || bits & !(ty.mask() as u64) != 0 {
            break;
        }
        value = inner;
    }
    value
}

fn float_flags(cx: &mut Ctx, data: &InstData) -> Flags {
    let (flags, swap) = float_cond(data.float_cc());
    let signaling = data.is_signaling();
    let (mut a, mut b) = (cx.arg(data, 0), cx.arg(data, 1));
    if swap {
        (a, b) = (b, a);
    }
    if cx.ty(a) == Type::F64
        && let Some((x, y)) = singles(cx, a, b)
    {
        compare_singles(cx, x, y, signaling);
        return flags;
    }
    match cx.ty(a) {
        Type::F80 => super::x87::compare(cx, a, b, signaling),
        Type::F16 => {
            let x = super::float::half_to_single(cx, a);
            let y = super::float::half_to_single(cx, b);
            let op = if signaling { Sse::Comiss } else { Sse::Ucomiss };
            cx.push(MInst::xmm_cmp(op).src1(x).src2(y));
        }
        ty => {
            let double = ty == Type::F64;
            let op = Sse::compare(double, signaling);
            let x = cx.reg(a);
            let operand = xmm_rm(cx, b, ty.store_size());
            push_xmm_rm(cx, MInst::xmm_cmp(op).src1(x), operand, false);
        }
    }
    flags
}

/// A `double` that is a `float`.
#[derive(Clone, Copy)]
enum Single {
    /// A value that was widened.
    Value(Value),
    /// The bits of a constant.
    Bits(u32),
}

/// Both operands as `float`s, if the comparison of these is the same and one was widened for it.
fn singles(cx: &Ctx, a: Value, b: Value) -> Option<(Single, Single)> {
    let single = |value: Value| {
        if let Some(bits) = cx.func.const_bits(value) {
            let double = f64::from_bits(bits as u64);
            let narrowed = double as f32;
            return (f64::from(narrowed) == double).then_some(Single::Bits(narrowed.to_bits()));
        }
        let (inst, data) = cx.def_op(value, Opcode::FpExt)?;
        let source = cx.arg(&data, 0);
        // The register may hold another value of its phi class by now.
        (cx.ty(source) == Type::F32 && cx.can_sink(inst)).then_some(Single::Value(source))
    };
    let both = (single(a)?, single(b)?);
    (!matches!(both, (Single::Bits(_), Single::Bits(_)))).then_some(both)
}

fn compare_singles(cx: &mut Ctx, x: Single, y: Single, signaling: bool) {
    let op = if signaling { Sse::Comiss } else { Sse::Ucomiss };
    let x = single_reg(cx, x);
    let operand = match y {
        Single::Bits(bits) if bits != 0 => Rm::Mem(constant_amode(cx, u128::from(bits), 4)),
        _ => Rm::Reg(single_reg(cx, y)),
    };
    push_xmm_rm(cx, MInst::xmm_cmp(op).src1(x), operand, false);
}

fn single_reg(cx: &mut Ctx, single: Single) -> VReg {
    let bits = match single {
        Single::Value(value) => return cx.reg(value),
        Single::Bits(bits) => bits,
    };
    let dst = cx.temp(Type::F32);
    if bits == 0 {
        cx.push(MInst::new(Op::XmmZero, Size::D).dst(dst));
    } else {
        let amode = constant_amode(cx, u128::from(bits), 4);
        cx.xmm_load(Sse::Movss, dst, amode);
    }
    dst
}

/// `icmp`, `fcmp` of scalars as i1 values.
pub fn select_compare(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let result = cx.func.first_result(inst);
    let operand_ty = cx.ty(cx.arg(data, 0));
    if operand_ty.is_vector() {
        return super::vector_compare::select_compare(cx, inst, data);
    }
    let dst = cx.result(result);
    if operand_ty == Type::F128 {
        return super::float::compare_quad(cx, data, dst);
    }
    let flags = if data.opcode == Opcode::ICmp { int_flags(cx, data) } else { float_flags(cx, data) };
    set_value(cx, flags, dst);
}

/// `dst` (one byte) = whether the flags hold.
pub fn set_value(cx: &mut Ctx, flags: Flags, dst: VReg) {
    if flags.parity == 0 {
        return cx.push(MInst::new(Op::Setcc, Size::B).cond(flags.cond).dst(dst));
    }
    let (main, parity) = (cx.temp_gpr(), cx.temp_gpr());
    cx.push(MInst::new(Op::Setcc, Size::B).cond(flags.cond).dst(main));
    let (cond, op) = if flags.parity == bits::OR_PARITY { (Cond::P, Alu::Or) } else { (Cond::NP, Alu::And) };
    cx.push(MInst::new(Op::Setcc, Size::B).cond(cond).dst(parity));
    cx.alu(op, Size::D, dst, main, parity);
}

/// `select` of scalars (and of whole vectors by an i1).
pub fn select_select(cx: &mut Ctx, inst: Inst, data: &InstData) {
    let (cond, then, otherwise) = (cx.arg(data, 0), cx.arg(data, 1), cx.arg(data, 2));
    let result = cx.func.first_result(inst);
    if cx.ty(cond).is_vector() {
        return super::vector::select_lanes(cx, inst, data);
    }
    match Ctx::holder(data.ty) {
        Holder::Regs(Class::Gpr, _, parts) => select_gpr(cx, result, cond, then, otherwise, data.ty, parts as usize),
        Holder::Regs(Class::Xmm, _, parts) => select_xmm(cx, result, cond, then, otherwise, parts as usize),
        Holder::Slot => super::x87::select_select(cx, result, cond, then, otherwise),
    }
}

fn select_gpr(cx: &mut Ctx, result: Value, cond: Value, then: Value, otherwise: Value, ty: Type, parts: usize) {
    let dst = cx.result(result);
    let size = arith_size(ty);
    let is_mask = || cx.func.const_i64(then) == Some(0) && cx.func.const_i64(otherwise) == Some(-1);
    if (cx.small() || is_mask()) && parts == 1 && masked_constants(cx, dst, size, cond, then, otherwise) {
        return;
    }
    if matches!(ty, Type::I32 | Type::I64)
        && let Some((number, minus, negative)) = absolute_value(cx.func, cond, then, otherwise)
        && cx.def(minus).is_some_and(|(inst, _)| cx.can_absorb(minus, inst))
    {
        // The negation's own flags tell the sign.
        let number = cx.reg(number);
        let negated = cx.in_gpr(|cx, dst| cx.push(MInst::unary(Unary::Neg, size).dst(dst).src1(number)));
        return cx.cmov(if negative { Cond::NS } else { Cond::S }, size, dst, negated, number);
    }
    // One more, or less, where the condition holds.
    if parts == 1
        && let Some((step, sum)) = cx.def_op(then, Opcode::Add)
        && cx.arg(&sum, 0) == otherwise
        && let Some(step_by @ (1 | -1)) = cx.func.const_i64(cx.arg(&sum, 1))
        && cx.can_absorb(then, step)
        && add_condition(cx, dst, size, otherwise, cond, step_by == 1)
    {
        return;
    }
    let then_is_tied = tied(cx, result, then) > tied(cx, result, otherwise);
    // The arms first: their constants must not be made between the comparison and its user, but for
    // a number that is moved to the result.
    let is_late = |cx: &Ctx, arm: Value| parts == 1 && cx.imm32(arm, size).is_some_and(|imm| imm != 0);
    let x = (!then_is_tied || !is_late(cx, then)).then(|| cx.reg(then));
    let y = (then_is_tied || !is_late(cx, otherwise)).then(|| cx.reg(otherwise));
    let flags = condition(cx, cond);
    let (x, y) = (x.unwrap_or_else(|| cx.reg(then)), y.unwrap_or_else(|| cx.reg(otherwise)));
    if flags.parity == 0 && then_is_tied {
        (0..parts).for_each(|part| cx.cmov(flags.cond.invert(), size, dst.part(part), x.part(part), y.part(part)));
        return;
    }
    for part in 0..parts {
        cmov_flags(cx, flags, size, dst.part(part), y.part(part), x.part(part));
    }
}

/// How well an arm's register is overwritten by the choice: it is the result's own, holds a
/// constant made for it, or is needed no more.
fn tied(cx: &Ctx, result: Value, arm: Value) -> u32 {
    match () {
        () if same_class(cx, result, arm) => 3,
        () if cx.func.constant(arm).is_some() => 2,
        () => u32::from(cx.single_use(arm)),
    }
}

/// `cond ? x : y` for constants, where size is what counts: what they differ by is masked with the
/// carry of a comparison. False where two constants in registers are shorter.
fn masked_constants(cx: &mut Ctx, dst: VReg, size: Size, cond: Value, then: Value, otherwise: Value) -> bool {
    let (Some(x), Some(y)) = (cx.imm32(then, size), cx.imm32(otherwise, size)) else { return false };
    let Some(carry) = carry_of(cx, cond) else { return false };
    let (below, above) = if carry.holds { (x, y) } else { (y, x) };
    let Some(difference) = below.checked_sub(above) else { return false };
    let immediate = |n: i32| match n {
        -1 => 0,
        _ if i8::try_from(n).is_ok() => 3,
        _ => 6,
    };
    let constant = |n: i32| if n == 0 { 2 } else { 5 };
    let masked = 3 + immediate(difference) + if above == 0 { 0 } else { immediate(above).max(3) };
    if masked >= constant(x) + constant(y) + 3 {
        return false;
    }
    set_carry(cx, cond, carry);
    let mask = cx.in_gpr(|cx, dst| cx.push(MInst::new(Op::CarryMask, size).dst(dst)));
    let chosen = if difference == -1 { mask } else { cx.alu_imm_new(Alu::And, size, mask, difference) };
    if above == 0 {
        cx.copy(dst, chosen)
    } else {
        cx.alu_imm(Alu::Add, size, dst, chosen, above)
    };
    true
}

fn cmov_flags(cx: &mut Ctx, flags: Flags, size: Size, dst: VReg, otherwise: VReg, then: VReg) {
    match flags.parity {
        bits::OR_PARITY => {
            // then if cc or unordered.
            let first = cx.in_gpr(|cx, dst| cx.cmov(flags.cond, size, dst, otherwise, then));
            cx.cmov(Cond::P, size, dst, first, then);
        }
        bits::AND_NO_PARITY => {
            // otherwise if not cc or unordered.
            let first = cx.in_gpr(|cx, dst| cx.cmov(flags.cond.invert(), size, dst, then, otherwise));
            cx.cmov(Cond::P, size, dst, first, otherwise);
        }
        _ => cx.cmov(flags.cond, size, dst, otherwise, then),
    }
}

fn select_xmm(cx: &mut Ctx, result: Value, cond: Value, then: Value, otherwise: Value, parts: usize) {
    let dst = cx.result(result);
    if masked_floats(cx, dst, cond, then, otherwise) {
        return;
    }
    let (x, y) = (cx.reg(then), cx.reg(otherwise));
    let flags = condition(cx, cond);
    for part in 0..parts {
        let inst = MInst::new(Op::XmmSelect, Size::D).cond(flags.cond).with_bits(flags.parity);
        cx.push(inst.dst(dst.part(part)).src1(y.part(part)).src2(x.part(part)));
    }
}

/// `cond ? x : y` for floats like those that the condition compares, without a jump: the lane that
/// the comparison fills with ones or zeros chooses the bits.
fn masked_floats(cx: &mut Ctx, dst: VReg, cond: Value, then: Value, otherwise: Value) -> bool {
    let Some((_, data)) = is_foldable_compare(cx, cond).filter(|(_, data)| data.opcode == Opcode::FCmp) else {
        return false;
    };
    let (a, b, ty) = (cx.arg(&data, 0), cx.arg(&data, 1), cx.ty(then));
    // An order makes "invalid" of every NaN, as the operators of C do; the other conditions do not.
    let order = !matches!(data.float_cc(), FloatCc::Oeq | FloatCc::Une | FloatCc::Ord | FloatCc::Uno);
    if !matches!(ty, Type::F32 | Type::F64) || cx.ty(a) != ty || data.is_signaling() != order || cx.small() {
        return false;
    }
    let (a, b, mask) = (cx.reg(a), cx.reg(b), cx.temp_xmm());
    let bits = |v: Value| cx.func.const_bits(v);
    match (bits(then), bits(otherwise)) {
        (Some(x), Some(y)) => {
            float_compare(cx, &data, ty, mask, a, b);
            let difference = if y == 0 { dst } else { cx.temp_xmm() };
            super::float::with_mask(cx, Sse::Andps, difference, mask, x ^ y);
            if y != 0 {
                super::float::with_mask(cx, Sse::Xorps, dst, difference, y);
            }
        }
        _ => {
            let (x, y) = (cx.reg(then), cx.reg(otherwise));
            float_compare(cx, &data, ty, mask, a, b);
            super::vector::blend(cx, dst, mask, x, y);
        }
    }
    true
}
