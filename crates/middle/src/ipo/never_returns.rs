//! Functions without a return are `noreturn`, whether they are declared so or not: what follows a
//! call of one is not reached (gcc's `-fipa-pure-const` finds them, too).
//!
//! The body must be the one that runs (see [`exact_definition`]). Bottom-up over the call graph:
//! the calls of a function that was found are cut before their own function is looked at. An
//! endless loop has no return either.
//!
//! The functions of a recursion cycle are not looked at one after the other: what is known of them
//! before says which of them never return (see [`in_cycle`]). An interpreter is one cycle, its
//! errors included, which call what makes the error's text and then `longjmp`.
//!
//! Linear in the blocks; the instructions of a function are looked at if it calls one that was
//! found.

use ir::{FnAttrs, FuncId, Function, Inst, Module, Opcode, SymbolId};
use platform::options::Options;
use rustc_hash::FxHashSet;

use crate::ipo::inliner::end_after;
use ir::copying::exact_definition;

/// Whether no block returns. What unwinds to a handler does not return to the caller either, but
/// leaves by instructions of its own.
pub fn is_endless(func: &Function) -> bool {
    func.blocks().next().is_some() && func.blocks().all(|b| func.insts[func.terminator(b)].opcode != Opcode::Ret)
}

/// Marks the functions of a recursion cycle that never return, those that were `found` before and
/// those marked now being known not to. `callees` is by function.
pub fn in_cycle(
    module: &mut Module,
    component: &[FuncId],
    callees: &[&[FuncId]],
    options: &Options,
    found: &mut FxHashSet<SymbolId>,
) {
    let mut known = FxHashSet::default();
    let mut rest: Vec<FuncId> = component.to_vec();
    loop {
        let first = known.is_empty();
        let ends = |module: &Module, known: &FxHashSet<FuncId>, id: FuncId| {
            let calls_known = || callees[id.as_u32() as usize].iter().any(|callee| known.contains(callee));
            let func = &module.functions[id];
            if first { is_endless(func) } else { calls_known() && !reaches_return(func, found) }
        };
        let (endless, others): (Vec<_>, Vec<_>) = rest.iter().partition(|&&id| ends(module, &known, id));
        rest = others;
        known.extend(endless.iter().copied());
        let before = found.len();
        found.extend(endless.into_iter().filter_map(|id| mark(module, id, options)));
        if found.len() == before {
            return;
        }
    }
}

/// Whether a return is reached without a call of one of the functions `found` before it.
fn reaches_return(func: &Function, found: &FxHashSet<SymbolId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if !seen.insert(block) || func.block_insts(block).any(|inst| calls_one(func, inst, found)) {
            continue;
        }
        if func.insts[func.terminator(block)].opcode == Opcode::Ret {
            return true;
        }
        work.extend(func.targets(block));
    }
    false
}

/// Whether a call is one of the functions `found`.
fn calls_one(func: &Function, call: Inst, found: &FxHashSet<SymbolId>) -> bool {
    func.insts[call].opcode == Opcode::Call
        && func.const_symbol(func.list(call)[0]).is_some_and(|(symbol, offset)| offset == 0 && found.contains(&symbol))
        && !func.call_info(call).attrs.has(FnAttrs::APART)
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
        calls_one(func, call, found)
            && func.next_inst(call).is_some_and(|next| func.insts[next].opcode != Opcode::Unreachable)
    };
    let first = |block: ir::Block| func.block_insts(block).find(|&inst| ends(inst));
    let calls: Vec<Inst> = func.blocks().filter_map(first).collect();
    calls.iter().for_each(|&call| end_after(func, call));
    !calls.is_empty()
}
