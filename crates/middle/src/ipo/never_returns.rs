//! Functions without a return are `noreturn`, whether they are declared so or not: what follows a
//! call of one is not reached (gcc's `-fipa-pure-const` finds them, too).
//!
//! The body must be the one that runs (see [`exact_definition`]). Bottom-up over the call graph:
//! the calls of a function that was found are cut before their own function is looked at. An
//! endless loop has no return either.
//!
//! Linear in the blocks; the instructions of a function are looked at if it calls one that was
//! found.

use ir::{FnAttrs, FuncId, Function, Inst, Module, Opcode, SymbolId};
use platform::options::Options;
use rustc_hash::FxHashSet;

use crate::copying::exact_definition;
use crate::ipo::inliner::end_after;

/// Whether no block returns. What unwinds to a handler does not return to the caller either, but
/// leaves by instructions of its own.
pub fn is_endless(func: &Function) -> bool {
    func.blocks().next().is_some() && func.blocks().all(|b| func.insts[func.terminator(b)].opcode != Opcode::Ret)
}

/// Marks a function without a return if its body is certainly the one that is called.
pub fn mark(module: &mut Module, id: FuncId, options: &Options) -> Option<SymbolId> {
    let symbol = module.functions[id].symbol;
    let refused = [FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::NORETURN];
    let exact = exact_definition(module, symbol, options.interposable()) == Some(id);
    let attrs = &mut module.symbols[symbol].attrs;
    if !exact || refused.iter().any(|&attr| attrs.has(attr)) {
        return None;
    }
    attrs.set(FnAttrs::NORETURN);
    Some(symbol)
}

/// Ends blocks after calls of the functions `found`. True if there were any.
pub fn cut(module: &Module, func: &mut Function, found: &FxHashSet<SymbolId>) -> bool {
    if found.is_empty() || module.symbols[func.symbol].attrs.has(FnAttrs::OPTNONE) {
        return false;
    }
    let ends = |call: Inst| {
        func.insts[call].opcode == Opcode::Call
            && func
                .const_symbol(func.list(call)[0])
                .is_some_and(|(symbol, offset)| offset == 0 && found.contains(&symbol))
            && !func.call_info(call).attrs.has(FnAttrs::APART)
            && func.next_inst(call).is_some_and(|next| func.insts[next].opcode != Opcode::Unreachable)
    };
    let first = |block: ir::Block| func.block_insts(block).find(|&inst| ends(inst));
    let calls: Vec<Inst> = func.blocks().filter_map(first).collect();
    calls.iter().for_each(|&call| end_after(func, call));
    !calls.is_empty()
}
