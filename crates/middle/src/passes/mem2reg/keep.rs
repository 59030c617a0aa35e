//! `-Og`: variables that leave memory keep their values to the end of their scopes, as they would
//! in memory. `keep` uses a variable where it is stored to, where its scope ends and where the
//! function does; that is all that the passes and the register allocator have to know.

use ir::{AliasTags, Builder, Function, Inst, Opcode, Type};
use rustc_hash::FxHashSet;

use ir::analysis::alloca_accesses::{AllocaAccesses, collect};

/// Marks the ends of what promotable variables of the source hold. True if there are any.
pub fn keep_variables(func: &mut Function, max_size: u64) -> bool {
    let named: FxHashSet<Inst> = func.variables.iter().map(|variable| variable.alloca).collect();
    if named.is_empty() || func.calls_setjmp {
        return false;
    }
    let candidates = collect(func, max_size);
    let ends: Vec<Inst> = func
        .blocks()
        .map(|block| func.terminator(block))
        .filter(|&end| matches!(func.insts[end].opcode, Opcode::Ret | Opcode::Unreachable))
        .collect();
    let mut changed = false;
    for accesses in candidates.iter().filter(|accesses| named.contains(&accesses.alloca)) {
        if accesses.stores.is_empty() || accesses.ty.is_vector() || is_kept(func, accesses) {
            continue;
        }
        let scope_ends = || accesses.markers.iter().filter(|&&m| func.insts[m].opcode == Opcode::LifetimeEnd).copied();
        let mut places: Vec<Inst> = scope_ends().collect();
        if places.is_empty() {
            places.clone_from(&ends);
        }
        places.extend(accesses.stores.iter().map(|&store| overwriting(func, store)));
        for place in places {
            keep(func, accesses, place);
            changed = true;
        }
    }
    changed
}

/// Where what a variable holds may go for what a store puts there: before that is computed, so that
/// `i++` needs one register.
fn overwriting(func: &Function, store: Inst) -> Inst {
    let computed = func.def_inst(func.operand(store, 1));
    let here = |inst: &Inst| func.inst_block(*inst) == func.inst_block(store);
    computed
        .filter(here)
        .filter(|&inst| !matches!(func.insts[inst].opcode, Opcode::Phi | Opcode::Alloca))
        .unwrap_or(store)
}

/// Whether that was done before.
fn is_kept(func: &Function, accesses: &AllocaAccesses) -> bool {
    let kept =
        |&load: &Inst| func.uses(func.first_result(load)).any(|(user, _)| func.insts[user].opcode == Opcode::Keep);
    accesses.loads.iter().any(kept)
}

fn keep(func: &mut Function, accesses: &AllocaAccesses, before: Inst) {
    let address = func.first_result(accesses.alloca);
    let mut builder = Builder::before(func, before);
    let ty: Type = accesses.ty;
    let value = builder.load(ty, address, 1, AliasTags::any(), 0);
    builder.effect(Opcode::Keep, value);
}
