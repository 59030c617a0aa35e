//! Innermost loops that step through memory by an unknown stride get a version for the stride one,
//! which most callers pass: its accesses are consecutive, and the vectoriser takes it (gcc's
//! `-fversion-loops-for-strides`).
//!
//! A stride is a number from outside the loop that a counter is multiplied by or goes up by, or the
//! bytes that a pointer goes up by. All strides of the loop must be one at the same time.

use ir::analysis::LoopRef;
use ir::analysis::sums::induction::{is_invariant, preheader_and_latch};
use ir::ssa::copyable_size;
use ir::{Block, Builder, Function, Inst, IntCc, Opcode, Type, Value};
use rustc_hash::FxHashSet;

use super::{MAX_SIZE, MAX_UNSWITCHED, PASS, duplicate};
use crate::pass::{Changed, PassContext};

/// Strides that are compared before a loop at most.
const MAX_STRIDES: usize = 3;

/// Makes the versions; how many.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> u64 {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut versions = 0;
    while versions < MAX_UNSWITCHED {
        let loops = cx.analyses.loops(func);
        let cfg = cx.analyses.cfg(func);
        let all = loops.blocks(&cfg);
        let found = loops.loops().filter(|&l| !seen.contains(&loops.header(l))).find_map(|l| {
            let strides = strides(func, loops.at(l), &all[l])?;
            Some((l, preheader_and_latch(func, &cfg, loops.at(l))?.0, strides))
        });
        let Some((l, preheader, strides)) = found else { break };
        let (blocks, header) = (&all[l], loops.header(l));
        let branch = func.terminator(preheader);
        let mut cond: Option<Value> = None;
        for &(stride, unit) in &strides {
            let unit = func.bits_const(func.value_type(stride), unit);
            let mut builder = Builder::before(func, branch);
            let is_unit = builder.icmp(IntCc::Eq, stride, unit);
            cond = Some(cond.map_or(is_unit, |others| builder.binary(Opcode::And, others, is_unit)));
        }
        let (copy, redefined) = duplicate(func, blocks, (preheader, header), cond.expect("has strides"));
        seen.extend([header, copy.blocks[&header]]);
        for (stride, unit) in strides {
            let unit = func.bits_const(func.value_type(stride), unit);
            let inside = |&(user, _): &(Inst, usize)| func.inst_block(user).is_some_and(|b| blocks.contains(&b));
            let uses: Vec<(Inst, usize)> = func.uses(stride).filter(inside).collect();
            uses.into_iter().for_each(|(user, index)| func.set_operand(user, index, unit));
        }
        versions += 1;
        let place = cx.place(func, loops.headed(header));
        cx.remark(PASS.name, place, || "loop with a version for unit strides".to_string());
        cx.analyses.invalidate(Changed::ControlFlow);
        cx.analyses.resolve(func, redefined);
    }
    versions as u64
}

/// The unknown strides of a loop that may be worth a version, each with what it would be.
fn strides(func: &Function, l: LoopRef<'_>, blocks: &[Block]) -> Option<Vec<(Value, u128)>> {
    let insts = || blocks.iter().flat_map(|&block| func.block_insts(block));
    let is_plain = |inst: Inst| !matches!(func.insts[inst].opcode, Opcode::Call | Opcode::Asm | Opcode::Switch);
    if blocks.iter().any(|&b| !l.is_innermost(b)) || !insts().all(is_plain) {
        return None;
    }
    copyable_size(func, blocks, MAX_SIZE)?;
    let mut out: Vec<(Value, u128)> = Vec::new();
    for inst in insts() {
        let opcode = func.insts[inst].opcode;
        if !matches!(opcode, Opcode::Mul | Opcode::Add | Opcode::PtrAdd)
            || !matches!(func.insts[inst].ty, Type::I64 | Type::PTR)
        {
            continue;
        }
        let (a, b) = (func.operand(inst, 0), func.operand(inst, 1));
        let unknown = |v: Value| func.constant(v).is_none() && is_invariant(func, l, v);
        let (stride, other) = if unknown(b) { (b, a) } else { (a, b) };
        let counter = func.def_with(other, Opcode::Phi).filter(|&phi| func.inst_block(phi) == Some(l.header()));
        let Some(phi) = counter.filter(|_| unknown(stride)) else { continue };
        let unit = match opcode {
            Opcode::Mul => 1,
            // No step to the next iteration.
            _ if func.operands(phi).all(|next| func.def_inst(next) != Some(inst)) => continue,
            Opcode::Add => 1,
            _ => u128::from(accessed(func, other)?),
        };
        match out.iter().find(|known| known.0 == stride) {
            Some(known) if known.1 != unit => return None,
            Some(_) => {}
            None => out.push((stride, unit)),
        }
    }
    (1..=MAX_STRIDES).contains(&out.len()).then_some(out)
}

/// Bytes of what is accessed at a pointer.
fn accessed(func: &Function, pointer: Value) -> Option<u32> {
    func.uses(pointer).find_map(|(user, index)| match func.insts[user].opcode {
        Opcode::Load => Some(func.insts[user].ty.store_size()),
        Opcode::Store if index == 0 => Some(func.value_type(func.operand(user, 1)).store_size()),
        _ => None,
    })
}
