//! Loads of words of which only the low part is used become loads of that part. Structures that are
//! passed and copied as words give such loads for their first members: a load wider than the store
//! of the member cannot be forwarded from it by the processor, and waits until the store has
//! reached the cache.

use ir::{Builder, Function, Inst, MemInfo, Opcode, Position, Type};
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
    let MemInfo { tag, .. } = func.mem_info(load);
    let (address, align, loc) = (func.operand(load, 0), func.mem_info(load).align(), func.inst_locs[load]);
    let mut builder = Builder::new(func, Position::Before(load));
    builder.loc = loc;
    let part = builder.load(ty, address, align, tag, 0);
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
