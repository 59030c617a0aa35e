//! The code of a check: the shadow is tested before the access; what is not all clear goes to a
//! block out of the way, which looks closer and calls the report.

use ir::{AliasTags, Block, BranchHint, Builder, Function, IntCc, Opcode, Position, Type, Value};

use super::runtime::{AsanRuntime, Helper, SIZES};
use crate::accesses::{Access, Size};

/// Longer regions are checked by the runtime.
const MAX_INLINE: u64 = 128;

/// Checks an access before it happens.
pub fn check(func: &mut Function, runtime: &AsanRuntime, access: &Access, by_call: bool) {
    let write = access.write;
    let address = func.operand(access.inst, access.operand);
    let size = match access.size {
        Size::Fixed(size) if size <= MAX_INLINE && !by_call => size,
        Size::Fixed(size) => {
            let mut b = Builder::before(func, access.inst);
            let exact = SIZES.contains(&size).then_some(Helper::Check { write, size });
            let bytes = b.iconst(Type::I64, size as i64);
            match exact {
                Some(helper) => runtime.call(&mut b, helper, &[address]),
                None => runtime.call(&mut b, Helper::Check { write, size: 0 }, &[address, bytes]),
            };
            return;
        }
        Size::Variable(operand) => {
            let len = func.operand(access.inst, operand);
            let mut b = Builder::before(func, access.inst);
            runtime.call(&mut b, Helper::Check { write, size: 0 }, &[address, len]);
            return;
        }
    };
    let block = func.inst_block(access.inst).expect("accesses are in blocks");
    let rest = func.split_block(access.inst);
    let cold = func.make_block();
    func.append_block(cold);
    let loc = func.inst_locs[access.inst];
    let mut b = Builder::new(func, Position::End(block));
    b.loc = loc;
    let number = b.unary(Opcode::PtrToInt, Type::I64, address);
    let aligned = 1u64 << access.align_log2.min(4);
    let in_granule = size.is_power_of_two() && size <= 8 && aligned >= size;
    let of_granules = size % 8 == 0 && aligned >= 8;
    let shadow = if in_granule {
        load_shadow(&mut b, runtime, number)
    } else {
        region_shadow(&mut b, runtime, number, size, of_granules)
    };
    let zero = b.iconst(b.func.value_type(shadow), 0);
    let suspicious = b.icmp(IntCc::Ne, shadow, zero);
    b.cond_br(suspicious, cold, rest, BranchHint::Unlikely);
    b.position = Position::End(cold);
    if !SIZES.contains(&size) || !in_granule && !of_granules {
        let bytes = b.iconst(Type::I64, size as i64);
        runtime.call(&mut b, Helper::Check { write, size: 0 }, &[address, bytes]);
        b.br(rest);
        return;
    }
    if size < 8 {
        compare(&mut b, number, shadow, size, rest);
    }
    runtime.call(&mut b, Helper::Report { write, size }, &[address]);
    if runtime.recovers {
        b.br(rest)
    } else {
        b.unreachable()
    };
}

/// Goes on to `rest` if the access ends before the first byte that may not be touched, else to a
/// new block, where `b` stands then.
fn compare(b: &mut Builder<'_>, number: Value, shadow: Value, size: u64, rest: Block) {
    let low = b.unary(Opcode::Trunc, Type::I8, number);
    let seven = b.iconst(Type::I8, 7);
    let mut last = b.binary(Opcode::And, low, seven);
    if size > 1 {
        let more = b.iconst(Type::I8, size as i64 - 1);
        last = b.binary(Opcode::Add, last, more);
    }
    let wrong = b.icmp(IntCc::Sge, last, shadow);
    let report = b.func.make_block();
    b.func.append_block(report);
    b.cond_br(wrong, report, rest, BranchHint::Likely);
    b.position = Position::End(report);
}

/// The shadow of the byte at `number`.
fn load_shadow(b: &mut Builder<'_>, runtime: &AsanRuntime, number: Value) -> Value {
    let three = b.iconst(Type::I64, 3);
    let index = b.binary(Opcode::LShr, number, three);
    let place = shadow_at(b, runtime, index, 0);
    b.load(Type::I8, place, 1, AliasTags::any(), 0)
}

/// The address of a shadow byte: `index`, the address divided by eight, plus `offset`.
pub fn shadow_at(b: &mut Builder<'_>, runtime: &AsanRuntime, index: Value, offset: i64) -> Value {
    let base = b.unary(Opcode::IntToPtr, Type::PTR, index);
    let offset = b.iconst(Type::I64, runtime.shadow_start.wrapping_add(offset));
    b.ptradd(base, offset, 0)
}

/// The shadows of all granules of a region as one number, which is zero if all may be touched.
fn region_shadow(b: &mut Builder<'_>, runtime: &AsanRuntime, number: Value, size: u64, of_granules: bool) -> Value {
    let three = b.iconst(Type::I64, 3);
    let index = b.binary(Opcode::LShr, number, three);
    let mut parts: Vec<Value> = Vec::new();
    // At least the first granule; the last one is loaded on its own where it may be another.
    let granules = (size / 8).max(1);
    let mut done = 0;
    while done < granules {
        let width = [8, 4, 2, 1].into_iter().find(|&width| width <= granules - done).unwrap_or(1);
        let ty = Type::int(width as u32 * 8).unwrap_or(Type::I8);
        let place = shadow_at(b, runtime, index, done as i64);
        parts.push(b.load(ty, place, 1, AliasTags::any(), 0));
        done += width;
    }
    if !of_granules {
        let more = b.iconst(Type::I64, size as i64 - 1);
        let last = b.binary(Opcode::Add, number, more);
        parts.push(load_shadow(b, runtime, last));
    }
    let widest = parts.iter().map(|&part| b.func.value_type(part)).max_by_key(|ty| ty.bits()).unwrap_or(Type::I8);
    let widened: Vec<Value> = parts
        .into_iter()
        .map(|part| if b.func.value_type(part) == widest { part } else { b.unary(Opcode::ZExt, widest, part) })
        .collect();
    widened.into_iter().reduce(|all, part| b.binary(Opcode::Or, all, part)).expect("a region has a granule")
}
