//! Bits that nobody looks at: masks and extensions whose only effect is on bits that no use depends
//! on go.
//!
//! C computes on bytes in `int`, so that a chain of byte operations is cut back to eight bits at
//! every assignment. Where the chain ends in a byte that is stored, the cuts on the way say
//! nothing.
//!
//! **Analysis.** From the instructions that depend on all of their operands backwards: of the
//! result of a sum, a bit operation, a shift by a constant, a conversion, a select or a phi, the
//! demanded bits say which bits of the operands matter. Demands only grow; a worklist finds the
//! least ones. (LLVM's `DemandedBits` and `BDCE` do the same.)
//!
//! **Rewriting.** `x & c`, `x | c`, `x ^ c` is `x` if no demanded bit differs; an extension of a
//! truncation is a truncation, or what was truncated. What then has other values in bits that do
//! not matter is followed to where it ends, and loses `nsw`, `nuw` and `exact`, which speak of all
//! bits; records of variables forget such values.
//!
//! Scalars of at most 64 bits. Linear: each bit of a value is asked for once.
//!
//! ```text
//! v2: i32 = and v1, i32 255
//! v3: i32 = xor v0, v2          =>     v3: i32 = xor v0, v1
//! v4: i8 = trunc v3                    v4: i8 = trunc v3
//! ```

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{Builder, Function, Inst, InstView, Opcode, Type, Value};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("demanded_bits", run);

/// Bits of every value that some use depends on.
type Demands = SecondaryMap<Value, u64>;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let candidates: Vec<Inst> = func.all_insts().filter(|&inst| may_be_idle(func, inst)).collect();
    if candidates.is_empty() {
        return Changed::Nothing;
    }
    let demands = demands(func);
    let mut changed: EntitySet<Value> = EntitySet::new();
    let mut removed = 0;
    for inst in candidates {
        let Some(value) = replacement(func, inst, &demands) else { continue };
        let result = func.first_result(inst);
        follow(func, result, &demands, &mut changed);
        // One by one: records of variables are not to speak of a value with other bits.
        while let Some((user, index)) = { func.uses(result).next() } {
            func.set_operand(user, index, value);
        }
        func.remove_inst(inst);
        removed += 1;
    }
    cx.statistics.add("operations on idle bits removed", removed);
    Changed::code_if(removed > 0)
}

/// An integer type whose bits are followed.
fn followed(ty: Type) -> bool {
    ty.is_int() && !ty.is_vector() && (2..=64).contains(&ty.bits())
}

fn mask(ty: Type) -> u64 {
    ty.mask() as u64
}

/// Whether an instruction is of the kinds that [`replacement`] knows, and no use of it depends on
/// all bits: most masks are compared or index a table, and most functions need no analysis then.
fn may_be_idle(func: &Function, inst: Inst) -> bool {
    let data = &func.insts[inst];
    let known = match data.opcode {
        Opcode::And | Opcode::Or | Opcode::Xor => func.const_bits(func.operand(inst, 1)).is_some(),
        Opcode::SExt | Opcode::ZExt => truncated(func, func.operand(inst, 0)).is_some(),
        _ => false,
    };
    let passes_on = |(user, _): (Inst, usize)| {
        use Opcode::*;
        matches!(
            func.insts[user].opcode,
            Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | Trunc | ZExt | SExt | Phi | Select
        )
    };
    known && followed(data.ty) && func.uses(func.first_result(inst)).all(passes_on)
}

/// What a truncation cuts.
fn truncated(func: &Function, value: Value) -> Option<Value> {
    let inst = func.def_inst(value)?;
    (func.insts[inst].opcode == Opcode::Trunc).then(|| func.operand(inst, 0)).filter(|&x| followed(func.value_type(x)))
}

/// The value that has the demanded bits of the result of an instruction, if there is one.
fn replacement(func: &mut Function, inst: Inst, demands: &Demands) -> Option<Value> {
    let (opcode, ty) = (func.insts[inst].opcode, func.insts[inst].ty);
    let demand = demands[func.first_result(inst)];
    let x = func.operand(inst, 0);
    match opcode {
        Opcode::And => (demand & !constant(func, inst)? == 0).then_some(x),
        Opcode::Or | Opcode::Xor => (demand & constant(func, inst)? == 0).then_some(x),
        _ => {
            let wide = truncated(func, x)?;
            if demand & !mask(func.value_type(x)) != 0 {
                return None;
            }
            match func.value_type(wide).bits().cmp(&ty.bits()) {
                // The same number of operations, but this one is made already.
                std::cmp::Ordering::Less if opcode == Opcode::ZExt && is_widened_to(func, wide, ty) => {
                    Some(Builder::before(func, inst).unary(Opcode::ZExt, ty, wide))
                }
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(wide),
                std::cmp::Ordering::Greater => Some(Builder::before(func, inst).unary(Opcode::Trunc, ty, wide)),
            }
        }
    }
}

/// Whether a value is zero-extended to this type.
fn is_widened_to(func: &Function, value: Value, ty: Type) -> bool {
    func.uses(value).any(|(user, _)| func.insts[user].opcode == Opcode::ZExt && func.insts[user].ty == ty)
}

/// The constant on the right.
fn constant(func: &Function, inst: Inst) -> Option<u64> {
    Some(func.const_bits(func.operand(inst, 1))? as u64)
}

/// `value` is about to have other bits where none is demanded: what is computed of it loses its
/// flags, and its record if it changes as well.
fn follow(func: &mut Function, value: Value, demands: &Demands, changed: &mut EntitySet<Value>) {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        let users: Vec<Inst> = func.uses(value).map(|(user, _)| user).collect();
        for user in users {
            let (opcode, ty) = (func.insts[user].opcode, func.insts[user].ty);
            if matches!(opcode, Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl | Opcode::LShr | Opcode::AShr) {
                func.clear_flags(user);
            }
            let Some(result) = func.result(user).filter(|_| followed(ty)) else { continue };
            if demands[result] != mask(ty) && changed.insert(result) {
                forget(func, user);
                work.push(result);
            }
        }
    }
}

/// Records of the result of an instruction say that nobody knows: those of a value without a
/// definition do.
fn forget(func: &mut Function, inst: Inst) {
    if !func.has_debug_values() {
        return;
    }
    let (data, loc, result) = (func.insts[inst], func.inst_locs[inst], func.first_result(inst));
    let nowhere = func.make(InstView::Nullary { op: Opcode::Undef }, data.ty, loc);
    let unknown = func.first_result(nowhere);
    func.forward_debug_values(result, unknown);
}

/// The least demands that are true of each other.
fn demands(func: &Function) -> Demands {
    let mut demands: Demands = SecondaryMap::with_capacity(func.num_values());
    let mut seen: EntitySet<Inst> = EntitySet::with_capacity(func.num_insts());
    let mut work = Vec::new();
    // From the last to the first most uses come before what they use.
    let blocks: Vec<ir::Block> = func.blocks().collect();
    for &block in blocks.iter().rev() {
        for inst in func.block_insts_rev(block) {
            seen.insert(inst);
            ask(func, inst, &mut demands, &seen, &mut work);
        }
    }
    while let Some(inst) = work.pop() {
        ask(func, inst, &mut demands, &seen, &mut work);
    }
    demands
}

/// Adds what an instruction demands of its operands. Definitions that were asked before and of
/// which more is demanded now go to `work`.
fn ask(func: &Function, inst: Inst, demands: &mut Demands, seen: &EntitySet<Inst>, work: &mut Vec<Inst>) {
    let data = &func.insts[inst];
    let of_result = match func.result(inst) {
        Some(result) if followed(data.ty) => demands[result],
        _ => u64::MAX,
    };
    for (index, value) in func.operands(inst).enumerate() {
        let ty = func.value_type(value);
        if !followed(ty) {
            continue;
        }
        let bits = of_operand(func, inst, index, ty, of_result) & mask(ty);
        if bits & !demands[value] != 0 {
            demands[value] |= bits;
            if let Some(def) = func.def_inst(value)
                && seen.contains(def)
            {
                work.push(def);
            }
        }
    }
}

/// What operand number `index` (of type `ty`) matters for, where `demand` is what matters of the
/// result.
fn of_operand(func: &Function, inst: Inst, index: usize, ty: Type, demand: u64) -> u64 {
    let data = &func.insts[inst];
    if !followed(data.ty) {
        // A truth value is the lowest bit.
        return if data.opcode == Opcode::Trunc && data.ty == Type::I1 { 1 } else { u64::MAX };
    }
    // Up to the highest one: carries go upwards.
    let below = if demand == 0 { 0 } else { u64::MAX >> demand.leading_zeros() };
    let shift = || constant(func, inst).filter(|&c| c < u64::from(ty.bits()));
    match data.opcode {
        Opcode::Add | Opcode::Sub | Opcode::Mul => below,
        Opcode::And if index == 0 => constant(func, inst).map_or(demand, |c| demand & c),
        Opcode::Or if index == 0 => constant(func, inst).map_or(demand, |c| demand & !c),
        Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Phi => demand,
        Opcode::Select if index > 0 => demand,
        Opcode::Shl if index == 0 => shift().map_or(below, |c| demand >> c),
        Opcode::LShr if index == 0 => shift().map_or(u64::MAX, |c| demand << c),
        Opcode::AShr if index == 0 => shift().map_or(u64::MAX, |c| {
            let copies = if demand & !(mask(ty) >> c) != 0 { sign(ty) } else { 0 };
            demand << c | copies
        }),
        Opcode::Trunc | Opcode::ZExt => demand,
        Opcode::SExt => demand | if demand & !mask(ty) != 0 { sign(ty) } else { 0 },
        _ => u64::MAX,
    }
}

fn sign(ty: Type) -> u64 {
    1 << (ty.bits() - 1)
}
