//! Addresses of local variables that are left in global ones, or where a parameter points to,
//! when the function returns.
//!
//! As in gcc, only stores are looked at that no call follows, since a call may be what they are
//! for.

use cranelift_entity::EntitySet;
use ir::analysis::Cfg;
use ir::{Block, FnAttrs, Inst, Opcode, SymbolId, Value};

use super::objects::{Base, Objects};
use super::{Finding, Kind, name_of};

/// What is stored to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Global(SymbolId),
    /// Where a parameter, by its variable, points to.
    Behind(Value),
}

/// Looks backwards from every return.
pub fn check(objects: &Objects<'_>, cfg: &Cfg, reached: &EntitySet<Block>, found: &mut Vec<Finding>) {
    let func = objects.func;
    let mut seen = EntitySet::new();
    for end in func.blocks().filter(|&block| reached.contains(block)) {
        if func.insts[func.terminator(end)].opcode != Opcode::Ret {
            continue;
        }
        let mut work = vec![end];
        let mut overwritten: Vec<Target> = Vec::new();
        while let Some(block) = work.pop() {
            if !seen.insert(block) || !scan(objects, block, &mut overwritten, found) {
                continue;
            }
            // Only what all ways from here on have in common counts as overwritten: straight lines.
            if let [pred] = cfg.preds(block)
                && cfg.succs(*pred).len() == 1
                && reached.contains(*pred)
            {
                work.push(*pred);
            }
        }
    }
}

/// One block from its end; false if something in it may use what was stored before.
fn scan(objects: &Objects<'_>, block: Block, overwritten: &mut Vec<Target>, found: &mut Vec<Finding>) -> bool {
    let func = objects.func;
    for inst in func.block_insts_rev(block) {
        match func.insts[inst].opcode {
            Opcode::Call => {
                let attrs = func.call_info(inst).attrs;
                if !attrs.has(FnAttrs::CONST) && !attrs.has(FnAttrs::PURE) {
                    return false;
                }
            }
            Opcode::Asm | Opcode::Intrinsic | Opcode::MemCpy | Opcode::MemMove | Opcode::AtomicRmw => return false,
            Opcode::Store => {
                let Some(target) = target_of(objects, func.operand(inst, 0)) else { continue };
                if !overwritten.contains(&target) {
                    overwritten.push(target);
                    found.extend(left_behind(objects, inst, target));
                }
            }
            _ => {}
        }
    }
    true
}

fn target_of(objects: &Objects<'_>, address: Value) -> Option<Target> {
    let func = objects.func;
    if let Some((symbol, 0)) = func.const_symbol(address) {
        return Some(Target::Global(symbol));
    }
    let load = func.def_inst(address)?;
    let variable = objects.private_variable(load)?;
    let parameter = objects.only_value(load).is_some_and(|value| func.params().contains(&value));
    parameter.then_some(Target::Behind(variable))
}

fn left_behind(objects: &Objects<'_>, store: Inst, target: Target) -> Option<Finding> {
    let func = objects.func;
    let place = objects.place(func.operand(store, 1))?;
    let Base::Local(alloca) = place.base else { return None };
    let (name, declared) = name_of(func, alloca)?;
    let to = match target {
        Target::Global(symbol) => objects.module.symbols[symbol].name.to_string(),
        Target::Behind(variable) => format!("*{}", name_of(func, func.def_inst(variable)?)?.0),
    };
    Some(Finding {
        kind: Kind::DanglingPointer,
        loc: func.source_loc(store),
        message: format!("storing the address of local variable '{name}' in '{to}'"),
        note: Some((declared, format!("'{name}' declared here"))),
    })
}
