//! Conditions that are the carry of an operation: what a sum of the program itself leaves, and
//! comparisons whose outcome `adc`, `sbb` and masks take as it is.

use cranelift_entity::EntityRef;
use ir::analysis::facts::known;
use ir::{IntCc, Opcode, Type, Value};
use object::{Cond, Size, encode::Alu};

use super::{
    arith::{foldable, same_class},
    compare::{Flags, compare_imm, compare_ints, for_users_of, is_foldable_compare},
    context::{Ctx, int_size},
    memory::{push_rm, rm},
};
use crate::machine::{MInst, VReg};

/// `a + b < a` and `a - b > a` unsigned are the carry of the sum, which is made here for it where
/// nobody wants it before.
pub fn carry_of_sum(cx: &mut Ctx, cc: IntCc, sum: Value, term: Value) -> Option<Flags> {
    let (inst, data) = cx.def(sum).filter(|(_, data)| matches!(data.ty, Type::I32 | Type::I64))?;
    let (alu, carry) = match (data.opcode, cc) {
        (Opcode::Add, IntCc::Ult) | (Opcode::Sub, IntCc::Ugt) => (data.opcode, Cond::B),
        (Opcode::Add, IntCc::Uge) | (Opcode::Sub, IntCc::Ule) => (data.opcode, Cond::AE),
        _ => return None,
    };
    let (x, y) = match [cx.arg(&data, 0), cx.arg(&data, 1)] {
        [x, y] if x == term => (x, y),
        [x, y] if y == term && alu == Opcode::Add => (y, x),
        _ => return None,
    };
    if cx.func.constant(y).is_some() || !cx.can_delay(inst, sum, term) {
        return None;
    }
    let size = int_size(data.ty);
    // The comparison no longer counts as a user.
    cx.uses[term.index()] -= 1;
    let swap = same_class(cx, sum, y) || foldable(cx, x, size) && !foldable(cx, y, size);
    let (x, y) = if swap && alu == Opcode::Add { (y, x) } else { (x, y) };
    let dst = cx.result(sum);
    let src = cx.reg(x);
    let operand = rm(cx, y, size);
    let op = if alu == Opcode::Add { Alu::Add } else { Alu::Sub };
    push_rm(cx, MInst::alu(op, size).dst(dst).src1(src), operand);
    cx.facts[inst.index()].delayed = true;
    Some(Flags::plain(carry))
}

/// How the carry of a comparison says whether a condition holds.
#[derive(Clone, Copy)]
pub struct Carry {
    /// What is compared: a carry says that it is below the bound.
    a: Value,
    bound: Result<Value, i32>,
    /// Whether the condition holds with a carry, and not without.
    pub holds: bool,
}

/// The condition as a carry, if it can be one.
pub fn carry_of(cx: &Ctx, cond: Value) -> Option<Carry> {
    let (_, data) = is_foldable_compare(cx, cond).filter(|(_, data)| data.opcode == Opcode::ICmp)?;
    let (a, b) = (cx.arg(&data, 0), cx.arg(&data, 1));
    let (ty, bits) = (cx.ty(a), cx.ty(a).bits());
    if bits > 64 || ty == Type::I1 || cx.func.constant(a).is_some() {
        return None;
    }
    let is_positive = |v: Value| known(cx.func, v).zero >> (bits - 1) & 1 != 0;
    let cc = match data.int_cc() {
        cc if cc.is_signed() && is_positive(a) && is_positive(b) => cc.unsigned(),
        cc => cc,
    };
    let below = |bound: u128, holds| {
        let most = if bits <= 32 { ty.mask() } else { i32::MAX as u128 };
        let immediate = ((bound as i64) << (64 - bits) >> (64 - bits)) as i32;
        (1..=most).contains(&bound).then_some(Carry { a, bound: Err(immediate), holds })
    };
    match (cc, cx.func.const_bits(b).map(|constant| constant & ty.mask())) {
        (IntCc::Eq | IntCc::Ne, Some(0)) => below(1, cc == IntCc::Eq),
        (IntCc::Ule | IntCc::Ugt, Some(c)) => below(c + 1, cc == IntCc::Ule),
        (IntCc::Ult | IntCc::Uge, Some(c)) => below(c, cc == IntCc::Ult),
        (IntCc::Ult | IntCc::Uge, None) => Some(Carry { a, bound: Ok(b), holds: cc == IntCc::Ult }),
        (IntCc::Ugt | IntCc::Ule, None) => Some(Carry { a: b, bound: Ok(a), holds: cc == IntCc::Ugt }),
        _ => None,
    }
}

/// Makes the carry of the condition.
pub fn set_carry(cx: &mut Ctx, cond: Value, carry: Carry) {
    for_users_of(cx, cond, |cx| match carry.bound {
        Ok(bound) => compare_ints(cx, IntCc::Ult, carry.a, bound),
        Err(bound) => compare_imm(cx, IntCc::Ult, carry.a, bound, int_size(cx.ty(carry.a))),
    });
}

/// `dst = base + 1` (or `- 1`) where the condition holds, otherwise `base`, if a carry says that.
/// The base may be a sum itself.
pub fn add_condition(cx: &mut Ctx, dst: VReg, size: Size, base: Value, cond: Value, add: bool) -> bool {
    let Some(carry) = carry_of(cx, cond) else { return false };
    let op = if add == carry.holds { Alu::Adc } else { Alu::Sbb };
    let opcode = if op == Alu::Adc { Opcode::Add } else { Opcode::Sub };
    let inner = cx.def_op(base, opcode).filter(|&(inst, _)| carry.holds && cx.can_absorb(base, inst));
    let terms = inner.map(|(_, data)| (cx.arg(&data, 0), cx.arg(&data, 1)));
    if let Some((x, y)) = terms.filter(|&(x, y)| [x, y].iter().all(|&v| cx.func.constant(v).is_none())) {
        let (x, y) = (cx.reg(x), cx.reg(y));
        set_carry(cx, cond, carry);
        cx.alu(op, size, dst, x, y);
    } else {
        let x = cx.reg(base);
        set_carry(cx, cond, carry);
        cx.alu_imm(op, size, dst, x, if carry.holds { 0 } else { -1 });
    }
    true
}
