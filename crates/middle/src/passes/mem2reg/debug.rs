//! Records of what promoted variables hold, for `-g` ([`ir::debug_values`]): one at each store, one
//! at each lifetime start, and one in each block where stores meet, with or without a phi.

use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, DebugValue, Fragment, Function, Inst, Opcode, Value, ValueDef};
use rustc_hash::FxHashMap;

use ir::analysis::Frontier;

use ir::analysis::alloca_accesses::{AllocaAccesses, Described};

/// Described variables times blocks; beyond it variables are not recorded, so that `-g` costs
/// little in the largest functions too.
const MAX_WORK: usize = 8_000_000;

/// Says of each candidate which variables lie in it, and where ways with different values of them
/// meet.
pub fn describe(func: &Function, cfg: &Cfg, dominators: &DominatorTree, candidates: &mut [AllocaAccesses]) {
    let Some(debug) = &func.debug else { return };
    let mut of: FxHashMap<Inst, Vec<Described>> = FxHashMap::default();
    for (alloca, variable, fragment) in debug.in_allocas() {
        of.entry(alloca).or_default().push(Described { variable, fragment });
    }
    let mut frontier = Frontier::new(func);
    let mut work = 0;
    for accesses in candidates {
        let Some(list) = of.get(&accesses.alloca) else { continue };
        work += func.num_blocks();
        if work > MAX_WORK {
            return;
        }
        let (size, _) = func.alloca_info(accesses.alloca);
        let accessed = accesses.ty.store_size();
        let narrowed = |d: &Described| {
            let offset = d.fragment.map_or(0, |f| f.offset);
            let whole = accesses.ty.is_void() || u64::from(accessed) == d.fragment.map_or(size, |f| f.size.into());
            let fragment = if whole { d.fragment } else { Some(Fragment { offset, size: accessed }) };
            Described { variable: d.variable, fragment }
        };
        accesses.described = list.iter().map(narrowed).collect();
        frontier.begin(cfg, accesses.defining_blocks(func));
        accesses.merges = frontier.phi_blocks(cfg, dominators, false);
    }
}

/// Records before the stores and lifetime starts, which are about to be removed.
pub fn record_accesses(func: &mut Function, accesses: &AllocaAccesses) {
    if accesses.described.is_empty() {
        return;
    }
    for &inst in accesses.stores.iter().chain(&accesses.markers) {
        let value = match func.insts[inst].opcode {
            Opcode::Store => Some(func.operand(inst, 1)),
            Opcode::LifetimeStart => None,
            _ => continue,
        };
        for &described in &accesses.described {
            func.add_debug_value(inst, record(described, value));
            if let Some(incoming) = value.and_then(|value| incoming(func, value))
                && func.inst_block(inst) == Some(func.entry())
                && is_parameter(func, described)
            {
                func.add_debug_arrival(record(described, Some(incoming)));
            }
        }
    }
}

fn is_parameter(func: &Function, described: Described) -> bool {
    let variable = func.debug.as_ref().and_then(|debug| debug.variables.get(described.variable as usize));
    variable.is_some_and(|variable| variable.parameter && variable.inlined.is_none())
}

/// The parameter whose low bytes a value is.
fn incoming(func: &Function, mut value: Value) -> Option<Value> {
    loop {
        match func.value_def(value) {
            ValueDef::Param(_) => return Some(value),
            ValueDef::Result(inst, _) if func.insts[inst].opcode == Opcode::Trunc => value = func.operand(inst, 0),
            _ => return None,
        }
    }
}

/// Records at the start of the blocks where values meet; `phi` gives the phi of a block.
pub fn record_merges(func: &mut Function, accesses: &AllocaAccesses, phi: impl Fn(Block) -> Option<Value>) {
    for &block in &accesses.merges {
        let Some(first) = func.first_non_phi(block) else { continue };
        for &described in &accesses.described {
            func.begin_with_debug_value(first, record(described, phi(block)));
        }
    }
}

fn record(described: Described, value: Option<Value>) -> DebugValue {
    DebugValue::new(described.variable, described.fragment, value)
}
