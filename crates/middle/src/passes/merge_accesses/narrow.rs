//! Loads of words of which only the low part is used become loads of that part. Structures that are
//! passed and copied as words give such loads for their first members: a load wider than the store
//! of the member cannot be forwarded from it by the processor, and waits until the store has
//! reached the cache. Loads that are only shifted become loads of the bytes that are left, as
//! `table[x[i] >> 24 & 255]` has them.

use ir::{Builder, Function, Inst, MemInfo, Opcode, Position, Type, Value, flags};
use smallvec::SmallVec;

/// Truncations of one load that are looked at.
const MAX_USERS: usize = 16;

/// Narrows a load whose value is only truncated, to the widest of the truncations. Gives whether it
/// was one.
pub fn narrow(func: &mut Function, load: Inst) -> bool {
    if func.inst_block(load).is_none() {
        return false;
    }
    let data = func.insts[load];
    let result = func.first_result(load);
    if data.is_volatile() || !matches!(data.ty, Type::I64 | Type::I32 | Type::I16) {
        return false;
    }
    let mut users: SmallVec<[Inst; 4]> = SmallVec::new();
    let mut bits = 0;
    for (user, _) in func.uses(result) {
        let to = func.insts[user].ty;
        if users.len() == MAX_USERS
            || func.insts[user].opcode != Opcode::Trunc
            || to.is_vector()
            || !matches!(to.bits(), 1 | 8 | 16 | 32)
        {
            return false;
        }
        bits = bits.max(to.bits().max(8));
        users.push(user);
    }
    let Some(ty) = Type::int(bits).filter(|_| !users.is_empty()) else { return false };
    let part = load_part(func, load, ty, 0);
    for user in users {
        if func.insts[user].ty == ty {
            func.replace_result(user, part);
        } else {
            func.set_operand(user, 0, part);
        }
    }
    func.remove_inst(load);
    true
}

/// Narrows a load whose only use is `shift`, to the right by whole bytes, to those bytes that
/// masks and truncations of the result leave. Gives whether it was one.
pub fn narrow_shifted(func: &mut Function, shift: Inst) -> bool {
    let word = func.operand(shift, 0);
    let (Some(load), Some(by)) = (func.def_with(word, Opcode::Load), func.const_bits(func.operand(shift, 1))) else {
        return false;
    };
    let (data, shifted) = (func.insts[load], func.first_result(shift));
    if data.is_volatile() || !func.has_one_use(word) || !matches!(data.ty, Type::I64 | Type::I32 | Type::I16) {
        return false;
    }
    let (width, by) = (data.ty.bits(), by as u32);
    let left_by = |(user, _): (Inst, usize)| match func.insts[user].opcode {
        Opcode::Trunc => func.insts[user].ty.bits(),
        Opcode::And => func.const_bits(func.operand(user, 1)).map_or(width, |mask| 128 - mask.leading_zeros()),
        _ => width,
    };
    let left = func.uses(shifted).map(left_by).max().unwrap_or(width).min(width.saturating_sub(by));
    let bits = left.next_power_of_two().max(8);
    let Some(ty) = Type::int(bits).filter(|_| by > 0 && by % 8 == 0 && by + bits <= width) else { return false };
    let part = load_part(func, load, ty, by / 8);
    let part = Builder::before(func, load).unary(Opcode::ZExt, data.ty, part);
    let masks: SmallVec<[Inst; 4]> = func.uses(shifted).map(|(user, _)| user).collect();
    func.replace_result(shift, part);
    func.remove_inst(load);
    for user in masks {
        let is_mask = func.insts[user].opcode == Opcode::And;
        if is_mask && func.const_bits(func.operand(user, 1)) == Some(ty.mask()) {
            func.replace_result(user, part);
        }
    }
    true
}

/// Loads `ty` from `offset` bytes after where `load` does, beside it.
fn load_part(func: &mut Function, load: Inst, ty: Type, offset: u32) -> Value {
    let MemInfo { tag, .. } = func.mem_info(load);
    let (mut address, align, loc) = (func.operand(load, 0), func.mem_info(load).align(), func.inst_locs[load]);
    let mut builder = Builder::new(func, Position::Before(load));
    builder.loc = loc;
    if offset > 0 {
        let offset = builder.iconst(Type::I64, i64::from(offset));
        address = builder.ptradd(address, offset, flags::INBOUNDS);
    }
    builder.load(ty, address, align.min(1 << offset.trailing_zeros().min(16)), tag, 0)
}
