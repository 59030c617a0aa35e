//! Functions of a unit that never return although nothing declares it, as far as warnings should
//! know: what follows a call of `static void usage(void) { puts("..."); exit(1); }` is not reached.

use ir::analysis::Cfg;
use ir::copying::exact_definition;
use ir::{Block, FnAttrs, FuncId, Function, Inst, Linkage, Module, Opcode, SymbolId};
use middle::ipo::never_returns;
use platform::options::Options;
use rustc_hash::FxHashSet;

/// How long a chain of functions that end in each other is followed.
const MAX_ROUNDS: usize = 4;

/// The functions without a way to a return. Linear in the code, a few times.
pub fn that_never_return(module: &Module, options: &Options) -> FxHashSet<SymbolId> {
    let mut found = FxHashSet::default();
    for _ in 0..MAX_ROUNDS {
        let ends = |&(id, func): &(FuncId, &Function)| {
            !found.contains(&func.symbol)
                && exact_definition(module, func.symbol, options.interposable()) == Some(id)
                && !returns(func, &found)
        };
        let more: Vec<SymbolId> = module.functions.iter().filter(ends).map(|(_, func)| func.symbol).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    found
}

/// The attribute `noreturn` would be true of the function (`-Wsuggest-attribute=noreturn`): other
/// units may call it, and no way leads from its entry to a return, nor calls of the functions
/// `found`.
pub fn is_candidate(module: &Module, func: &Function, found: &FxHashSet<SymbolId>) -> bool {
    let symbol = &module.symbols[func.symbol];
    symbol.linkage != Linkage::Local
        && !symbol.attrs.has(FnAttrs::NORETURN)
        && !symbol.attrs.has(FnAttrs::NAKED)
        && !symbol.attrs.has(FnAttrs::INLINE_HINT)
        && &*symbol.name != "main"
        && !returns(func, found)
}

/// A copy of a function that ends after calls of the functions `found`, if it has some.
pub fn cut(module: &Module, func: &Function, found: &FxHashSet<SymbolId>) -> Option<Function> {
    if !func.all_insts().any(|inst| ends(func, inst, found)) {
        return None;
    }
    let mut copy = func.clone();
    if !copy.has_use_lists() {
        copy.build_uses();
    }
    never_returns::cut(module, &mut copy, found).then_some(copy)
}

fn ends(func: &Function, inst: Inst, found: &FxHashSet<SymbolId>) -> bool {
    func.insts[inst].opcode == Opcode::Call
        && func.const_symbol(func.list(inst)[0]).is_some_and(|(symbol, at)| at == 0 && found.contains(&symbol))
}

/// Whether a return is reached from the entry without one of the calls that end.
fn returns(func: &Function, found: &FxHashSet<SymbolId>) -> bool {
    if func.blocks().next().is_none() || func.calls_setjmp {
        return true;
    }
    let cfg = Cfg::compute(func);
    let mut seen: FxHashSet<Block> = FxHashSet::from_iter([func.entry()]);
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if func.block_insts(block).any(|inst| ends(func, inst, found)) {
            continue;
        }
        if func.insts[func.terminator(block)].opcode == Opcode::Ret {
            return true;
        }
        work.extend(cfg.succs(block).iter().copied().filter(|&next| seen.insert(next)));
    }
    false
}
