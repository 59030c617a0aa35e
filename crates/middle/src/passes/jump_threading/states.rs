//! What is left of a state machine's switch: cases for values that its state never has go.

use ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashSet;

/// Phis that are looked through.
const MAX_PHIS: usize = 16;

/// Different values of a state.
const MAX_STATES: usize = 64;

/// Removes the cases of switches whose value is a web of phis of constants, none of which is the
/// case's; and the default, if the cases are all. Returns whether it did.
pub fn prune(func: &mut Function) -> bool {
    let blocks: Vec<Block> = func.blocks().collect();
    let mut changed = false;
    for block in blocks {
        let terminator = func.terminator(block);
        if func.insts[terminator].opcode == Opcode::Switch
            && let Some(states) = possible_constants(func, func.operand(terminator, 0))
        {
            changed |= prune_switch(func, block, terminator, &states);
        }
    }
    changed
}

/// All values that a web of phis can have, if its leaves are constants.
fn possible_constants(func: &Function, value: Value) -> Option<FxHashSet<u64>> {
    let mut constants: FxHashSet<u64> = FxHashSet::default();
    let mut phis: FxHashSet<Inst> = FxHashSet::default();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        if let Some(bits) = func.const_bits(value) {
            constants.insert(u64::try_from(bits).ok()?);
            if constants.len() > MAX_STATES {
                return None;
            }
            continue;
        }
        let phi = func.def_with(value, Opcode::Phi)?;
        if phis.insert(phi) {
            work.extend(func.operands(phi));
        }
        if phis.len() > MAX_PHIS {
            return None;
        }
    }
    Some(constants)
}

fn prune_switch(func: &mut Function, block: Block, terminator: Inst, states: &FxHashSet<u64>) -> bool {
    let id = func.insts[terminator].switch_id();
    let mut before = func.targets(block);
    let switch = &mut func.switches[id];
    let count = switch.cases.len();
    switch.retain(|state, _| states.contains(&state));
    let mut changed = switch.cases.len() < count;
    // No state is left for the default: the last case takes its place.
    if switch.cases.len() == states.len() && !states.is_empty() {
        switch.last_as_default();
        changed = true;
    }
    let after = func.targets(block);
    before.retain(|b| !after.contains(b));
    before.into_iter().for_each(|target| func.drop_pred(target, block));
    changed
}
