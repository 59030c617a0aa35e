//! Phi translation: the address of an access in a block where paths meet, as each path computes it.
//!
//! `load a[j]` with `j = phi [i, b1], [i + 1, b2]` reads `a[i]` for a path through b1 and `a[i +
//! 1]` for one through b2, which these may have loaded or stored. Addresses are compared as sums
//! ([`Linear`]), so that it does not matter how they are computed: `sext(i + 1) * 8` is `sext(i) *
//! 8 + 8`, if the addition is `nsw`. (Chow et al., "A New Algorithm for Partial Redundancy
//! Elimination based on SSA Form", 1997, section 3.2; GCC's `phi_translate` of tree-ssa-pre.c.)

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Linear, sum};
use crate::effects::{is_pure, may_trap};
use crate::{Block, Function, Inst, Opcode, Value};

/// Instructions that are copied to compute one address for a path.
const MAX_COPIES: usize = 8;

/// The way into a block from one of its predecessors, which comes before it on every path (the
/// block is no loop header).
#[derive(Copy, Clone, Debug)]
pub struct Edge {
    /// The block.
    pub to: Block,
    /// The predecessor.
    pub from: Block,
}

/// The sum that an address of the block `edge.to` is for the path along `edge`, in terms of values
/// that exist there. `None` if it does not depend on phis of that block, unless `computed_there`
/// says that it may also be computed there from other values; and if it depends on what that block
/// loads, calls and so on.
pub fn translated_address(func: &Function, value: Value, edge: Edge, computed_there: bool) -> Option<Linear> {
    let is_late = |value: Value| func.def_inst(value).and_then(|i| func.inst_block(i)) == Some(edge.to);
    let mut translated = computed_there && is_late(value);
    let sum = sum(func, value, 64, |value| {
        let phi = func.def_with(value, Opcode::Phi);
        match phi.filter(|&phi| func.inst_block(phi) == Some(edge.to)) {
            Some(phi) => {
                translated = true;
                func.phi_value(phi, edge.from)
            }
            None => Some(value),
        }
    })?;
    (translated && !sum.terms.iter().filter_map(|t| t.0.value()).any(is_late)).then_some(sum)
}

/// Computes an address of the block `edge.to` at the end of `edge.from`, which only jumps there:
/// copies what that block computes it with. `None` if that takes more than a few instructions or
/// other than arithmetic.
pub fn compute_on_edge(func: &mut Function, address: Value, edge: Edge) -> Option<Value> {
    let order = cone(func, address, edge.to)?;
    let mut known: FxHashMap<Value, Value> = FxHashMap::default();
    for inst in order {
        let result = func.first_result(inst);
        if func.insts[inst].opcode == Opcode::Phi {
            known.insert(result, func.phi_value(inst, edge.from)?);
            continue;
        }
        let copy = func.copy_inst(inst, |v| known.get(&v).copied().unwrap_or(v));
        func.clear_flags(copy);
        func.inst_locs[copy] = func.inst_locs[inst];
        let end = func.terminator(edge.from);
        func.insert_before(end, copy);
        known.insert(result, func.first_result(copy));
    }
    Some(known.get(&address).copied().unwrap_or(address))
}

/// Whether [`compute_on_edge`] can compute the address.
pub fn is_computable_on_edge(func: &Function, address: Value, block: Block) -> bool {
    cone(func, address, block).is_some()
}

/// The instructions of a block that a value is computed with, operands first.
fn cone(func: &Function, value: Value, block: Block) -> Option<SmallVec<[Inst; 16]>> {
    let mut order: SmallVec<[Inst; 16]> = SmallVec::new();
    let mut work: SmallVec<[(Value, bool); 16]> = SmallVec::new();
    work.push((value, false));
    let mut copies = 0;
    while let Some((value, operands_done)) = work.pop() {
        let inside = func.def_inst(value).filter(|&i| func.inst_block(i) == Some(block) && !order.contains(&i));
        let Some(inst) = inside else { continue };
        if operands_done || func.insts[inst].opcode == Opcode::Phi {
            order.push(inst);
            continue;
        }
        copies += 1;
        if copies > MAX_COPIES || !is_pure(func, inst) || may_trap(func, inst) {
            return None;
        }
        work.push((value, true));
        work.extend(func.operands(inst).map(|v| (v, false)));
    }
    Some(order)
}
