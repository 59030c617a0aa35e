//! Stores of an operation on what is loaded from the same address: one read-modify-write
//! instruction.

use cranelift_entity::EntityRef;
use ir::effects::may_write_memory;
use ir::{Constant, Inst, InstData, IntCc, Opcode, Type, Value};
use object::Cond;
use object::encode::{Alu, Shift, Unary};

use super::{
    address::address,
    context::{Ctx, Holder, int_size},
};
use crate::machine::{Class, MInst};

/// What a read-modify-write store does.
enum Rmw {
    Alu(Alu, Value),
    Unary(Unary),
    Shift(Shift, Value),
}

/// Turns `store (op (load p), x), p` into one instruction.
pub fn select_read_modify_write(cx: &mut Ctx, store: Inst, ptr: Value, value: Value, ty: Type) -> bool {
    let Some(rmw) = read_modify_write(cx, store, ptr, value, ty) else { return false };
    if cx.func.insts[store].is_volatile() {
        // What is loaded is the last volatile access before the store.
        let mut before = std::iter::successors(cx.func.prev_inst(store), |&inst| cx.func.prev_inst(inst));
        cx.folded = before
            .find(|&inst| cx.func.insts[inst].opcode == Opcode::Load && may_write_memory(cx.func, cx.cx.module, inst));
    }
    let size = int_size(ty);
    match rmw {
        Rmw::Alu(op, operand) => {
            if let Some(imm) = cx.imm32(operand, size) {
                let amode = address(cx, ptr);
                cx.push_mem(MInst::alu_m(op, size).imm(imm), amode);
            } else {
                let src = cx.reg(operand);
                let amode = address(cx, ptr);
                cx.push_mem(MInst::alu_m(op, size).src2(src), amode);
            }
        }
        Rmw::Unary(code) => {
            let amode = address(cx, ptr);
            cx.push_mem(MInst::unary_m(code, size), amode);
        }
        Rmw::Shift(op, amount) => {
            let count = cx.func.const_i64(amount).unwrap_or(0) as i32;
            let amode = address(cx, ptr);
            cx.push_mem(MInst::shift_m(op, size).imm(count), amode);
        }
    }
    true
}

/// The condition of a branch on whether what the store before it has stored is zero or negative,
/// where that is one instruction with the store: its flags say so (`if (--p->count == 0)`).
pub fn flags_of_stored(cx: &mut Ctx, cond: Value) -> Option<Cond> {
    let (compare, data) = cx.def_op(cond, Opcode::ICmp).filter(|&(inst, _)| cx.can_absorb(cond, inst))?;
    let [value, constant] = data.args();
    let flags = match (data.int_cc(), cx.func.const_i64(constant)?) {
        (IntCc::Eq, 0) => Cond::E,
        (IntCc::Ne, 0) => Cond::NE,
        (IntCc::Slt, 0) => Cond::S,
        (IntCc::Sgt, -1) => Cond::NS,
        _ => return None,
    };
    let store = std::iter::successors(cx.func.prev_inst(cx.root), |&inst| cx.func.prev_inst(inst));
    let store = store.into_iter().find(|&inst| inst != compare)?;
    let data = cx.func.insts[store];
    let stores = data.opcode == Opcode::Store && !data.has(ir::flags::NONTEMPORAL);
    if !stores || cx.arg(&data, 1) != value || cx.uses[value.index()] != 2 {
        return None;
    }
    // The comparison no longer counts as a user.
    let root = std::mem::replace(&mut cx.root, store);
    cx.uses[value.index()] = 1;
    let one = read_modify_write(cx, store, cx.arg(&data, 0), value, cx.ty(value));
    cx.root = root;
    if !matches!(one, Some(Rmw::Alu(..))) {
        cx.uses[value.index()] = 2;
        return None;
    }
    Some(flags)
}

/// What a store does to what is in its place, if it is no more than that.
fn read_modify_write(cx: &mut Ctx, store: Inst, ptr: Value, value: Value, ty: Type) -> Option<Rmw> {
    if !matches!(Ctx::holder(ty), Holder::Regs(Class::Gpr, _, 1)) || ty == Type::I1 {
        return None;
    }
    let (inst, data) = cx.def(value)?;
    // Narrow arithmetic is often done wide and truncated.
    let (inst, data, value) = if data.opcode == Opcode::Trunc && cx.can_absorb(value, inst) {
        let inner = cx.arg(&data, 0);
        match cx.def(inner) {
            Some((inner_inst, inner_data)) => (inner_inst, inner_data, inner),
            None => return None,
        }
    } else {
        (inst, data, value)
    };
    if !cx.can_absorb(value, inst) {
        return None;
    }
    classify_rmw(cx, &data, ptr, ty, store)
}

fn classify_rmw(cx: &mut Ctx, data: &InstData, ptr: Value, ty: Type, store: Inst) -> Option<Rmw> {
    use Opcode::*;
    match data.opcode {
        Add | PtrAdd | Sub | And | Or | Xor => {
            let [first, second] = data.args();
            let op = match data.opcode {
                Add | PtrAdd => Alu::Add,
                Sub => Alu::Sub,
                And => Alu::And,
                Or => Alu::Or,
                _ => Alu::Xor,
            };
            if is_load_of(cx, first, ptr, ty, store) {
                if data.opcode == Xor && cx.func.const_i64(second) == Some(-1) {
                    return Some(Rmw::Unary(Unary::Not));
                }
                if data.opcode == Sub && cx.func.const_i64(first) == Some(0) {
                    return Some(Rmw::Unary(Unary::Neg));
                }
                if let Some(Constant::Bits(_)) = cx.func.constant(second)
                    && cx.imm32(second, int_size(cx.ty(second))).is_none()
                {
                    return None;
                }
                return Some(Rmw::Alu(op, second));
            }
            if data.opcode == Sub {
                return (cx.func.const_i64(first) == Some(0) && is_load_of(cx, second, ptr, ty, store))
                    .then_some(Rmw::Unary(Unary::Neg));
            }
            is_load_of(cx, second, ptr, ty, store).then_some(Rmw::Alu(op, first))
        }
        Shl if cx.func.const_i64(cx.arg(data, 1)).is_some() => {
            // The upper bits of a wider computation are dropped, so the amount must stay below the
            // stored width.
            let amount = cx.arg(data, 1);
            let small = cx.func.const_i64(amount).is_some_and(|n| (0..i64::from(ty.bits())).contains(&n));
            let value = cx.arg(data, 0);
            (small && is_load_of(cx, value, ptr, ty, store)).then_some(Rmw::Shift(Shift::Shl, amount))
        }
        LShr | AShr if data.ty == ty && cx.func.const_i64(cx.arg(data, 1)).is_some() => {
            let op = if data.opcode == LShr { Shift::Shr } else { Shift::Sar };
            let [value, amount] = data.args();
            is_load_of(cx, value, ptr, ty, store).then_some(Rmw::Shift(op, amount))
        }
        _ => None,
    }
}

/// Whether `value` is a foldable load of `ty` (or an extension of one) from exactly the address
/// `ptr`, with nothing written in between.
fn is_load_of(cx: &Ctx, value: Value, ptr: Value, ty: Type, store: Inst) -> bool {
    debug_assert!(store == cx.root);
    let volatile = cx.func.insts[store].is_volatile();
    if let Some((inst, data)) = cx.def(value)
        && matches!(data.opcode, Opcode::ZExt | Opcode::SExt)
        && cx.can_absorb(value, inst)
    {
        let inner = cx.arg(&data, 0);
        return cx.ty(inner) == ty && is_plain_load_of(cx, inner, ptr, ty, volatile);
    }
    cx.ty(value) == ty && is_plain_load_of(cx, value, ptr, ty, volatile)
}

fn is_plain_load_of(cx: &Ctx, value: Value, ptr: Value, ty: Type, volatile: bool) -> bool {
    let Some((_, data)) = cx.any_foldable_load(value) else { return false };
    data.ty == ty && data.is_volatile() == volatile && same_address(cx, cx.arg(&data, 0), ptr)
}

/// Whether two address values are the same, constant offsets included.
fn same_address(cx: &Ctx, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    match (cx.def_op(a, Opcode::PtrAdd), cx.def_op(b, Opcode::PtrAdd)) {
        (Some((_, x)), Some((_, y))) => x.args::<2>() == y.args(),
        _ => false,
    }
}
