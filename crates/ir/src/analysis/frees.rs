//! Which calls may free memory, or poison it: after them an address may be bad that was good
//! before.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::copying::exact_definition;
use crate::{FnAttrs, Function, Inst, InstView, Intrinsic, Module, Opcode, SymbolId, Traits, effects, library};

/// The functions that others cannot replace and that call nothing but each other, what is known of
/// the C library, and what has no effect: gcc's `nonfreeing_fn`. `interposable`: functions that
/// other modules see may be replaced.
pub fn harmless(module: &Module, interposable: bool) -> FxHashSet<SymbolId> {
    let own = |func: &Function| exact_definition(module, func.symbol, interposable).is_some();
    let mut out: FxHashSet<SymbolId> = module.functions.values().filter(|f| own(f)).map(|f| f.symbol).collect();
    let mut callers: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    let mut work = Vec::new();
    for func in module.functions.values().filter(|func| out.contains(&func.symbol)) {
        let mut frees = false;
        // Its own variables are nobody else's when it returns.
        let of_variables = |inst: Inst| match func.view(inst) {
            InstView::Intrinsic { intrinsic, .. } => matches!(intrinsic, Intrinsic::ScopeBegin | Intrinsic::ScopeEnd),
            _ => !matches!(func.insts[inst].opcode, Opcode::Call | Opcode::Asm | Opcode::AsmBr | Opcode::Fence),
        };
        for inst in func.all_insts().filter(|&inst| !of_variables(inst)) {
            frees |= may_free(func, module, inst, |callee| {
                let known = out.contains(&callee);
                if known {
                    callers.entry(callee).or_default().push(func.symbol);
                }
                known
            });
        }
        if frees {
            work.push(func.symbol);
        }
    }
    while let Some(symbol) = work.pop() {
        if out.remove(&symbol) {
            work.extend(callers.remove(&symbol).into_iter().flatten());
        }
    }
    out
}

/// Whether memory may be out of bounds after an instruction that was not before; `is_harmless` says
/// it of functions of the module.
pub fn may_free(func: &Function, module: &Module, inst: Inst, is_harmless: impl FnOnce(SymbolId) -> bool) -> bool {
    match func.view(inst) {
        InstView::Call { .. } => {
            let attrs = effects::call_attrs(func, module, inst);
            let pure = attrs.has(FnAttrs::CONST) || attrs.has(FnAttrs::PURE) || attrs.has(FnAttrs::REPORT);
            let library =
                library::is_call(func, inst) && module.name_of_callee(func, inst).is_some_and(library::is_known);
            let direct = func.const_symbol(func.list(inst)[0]).filter(|callee| callee.1 == 0);
            !pure && !library && !direct.is_some_and(|(callee, _)| is_harmless(callee))
        }
        InstView::Intrinsic { intrinsic, .. } => intrinsic.traits().has(Traits::WRITES),
        InstView::Asm { .. } => effects::may_write_memory(func, module, inst),
        _ => matches!(
            func.insts[inst].opcode,
            Opcode::StackRestore | Opcode::LifetimeStart | Opcode::LifetimeEnd | Opcode::Fence
        ),
    }
}
