//! Functions whose results are new memory, as those of `malloc`.

use ir::effects::call_attrs;
use ir::{FnAttrs, Function, Inst, Module, Opcode, Value};
use rustc_hash::FxHashSet;

/// Calls that are known to give new memory.
type Known<'a> = &'a dyn Fn(Inst) -> bool;

/// Whether all results are null or what functions like `malloc` gave, which is only compared with
/// null before. Not all of them are null.
pub fn are_new_memory(module: &Module, func: &Function, known: Known<'_>) -> bool {
    let signature = &module.signatures[func.sig];
    let [returned] = &*signature.returns else { return false };
    if !returned.is_ptr() {
        return false;
    }
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let results = func.all_insts().filter(|&inst| func.insts[inst].opcode == Opcode::Ret);
    let mut work: Vec<Value> = results.flat_map(|inst| func.operands(inst).collect::<Vec<_>>()).collect();
    let mut is_new = false;
    while let Some(value) = work.pop() {
        if !seen.insert(value) || func.const_bits(value) == Some(0) {
            continue;
        }
        let Some(inst) = func.def_inst(value) else { return false };
        match func.insts[inst].opcode {
            Opcode::Phi => work.extend(func.phi_entries(inst).map(|(value, _)| value)),
            Opcode::Call if gives_new_memory(module, func, inst, known) => is_new = true,
            _ => return false,
        }
        if !func.uses(value).all(|(user, _)| leaves_alone(func, user)) {
            return false;
        }
    }
    is_new
}

fn gives_new_memory(module: &Module, func: &Function, call: Inst, known: Known<'_>) -> bool {
    let named = func.const_symbol(func.list(call)[0]);
    named.is_some_and(|(symbol, at)| at == 0 && module.symbols[symbol].attrs.has(FnAttrs::MALLOC))
        || func.call_info(call).attrs.has(FnAttrs::MALLOC)
        || call_attrs(func, module, call).has(FnAttrs::MALLOC)
        || known(call)
}

fn leaves_alone(func: &Function, user: Inst) -> bool {
    match func.insts[user].opcode {
        Opcode::Phi | Opcode::Ret => true,
        Opcode::ICmp => [0, 1].iter().any(|&at| func.const_bits(func.operand(user, at)) == Some(0)),
        _ => false,
    }
}
