//! Functions that are cold because every way through them comes by a cold call.

use ir::analysis::Cfg;
use ir::effects::call_attrs;
use ir::{Block, FnAttrs, Function, Inst, Intrinsic, Module, Opcode};
use rustc_hash::FxHashSet;

/// Calls that are known to be of cold functions.
type Known<'a> = &'a dyn Fn(Inst) -> bool;

/// Whether the entry leads to cold calls only, and nothing before them may end the program. Linear
/// in the code, once for each block of the longest way.
pub fn is_cold(module: &Module, func: &Function, known: Known<'_>) -> bool {
    let cfg = Cfg::compute(func);
    let first: Vec<(Block, First)> = func.blocks().map(|block| (block, first(module, func, block, known))).collect();
    let is = |what: First| first.iter().filter(move |row| row.1 == what).map(|row| row.0);
    let mut cold: FxHashSet<Block> = is(First::Cold).collect();
    loop {
        let leads_there = |block: &Block| {
            let successors = cfg.succs(*block);
            !cold.contains(block) && !successors.is_empty() && successors.iter().all(|next| cold.contains(next))
        };
        let more: Vec<Block> = is(First::Nothing).filter(leads_there).collect();
        if more.is_empty() {
            return cold.contains(&func.entry());
        }
        cold.extend(more);
    }
}

/// What comes first in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// A cold call.
    Cold,
    /// What may end the program.
    Other,
    /// Neither.
    Nothing,
}

fn first(module: &Module, func: &Function, block: Block, known: Known<'_>) -> First {
    for inst in func.block_insts(block) {
        match func.insts[inst].opcode {
            Opcode::Call if is_cold_call(module, func, inst, known) => return First::Cold,
            Opcode::Call if may_end(module, func, inst) => return First::Other,
            Opcode::Asm | Opcode::AsmBr if func.asm(inst).volatile => return First::Other,
            // Nothing that ends came before: `__builtin_unreachable()`.
            Opcode::Unreachable => return First::Cold,
            Opcode::Intrinsic if func.insts[inst].intrinsic() == Intrinsic::Trap => return First::Cold,
            _ => {}
        }
    }
    First::Nothing
}

fn may_end(module: &Module, func: &Function, call: Inst) -> bool {
    let attrs = call_attrs(func, module, call);
    !attrs.has(FnAttrs::CONST) && !attrs.has(FnAttrs::PURE)
}

fn is_cold_call(module: &Module, func: &Function, call: Inst, known: Known<'_>) -> bool {
    let named = func.const_symbol(func.list(call)[0]).filter(|&(_, at)| at == 0).map(|(symbol, _)| symbol);
    let is_cold = named.map(|symbol| &module.symbols[symbol]).is_some_and(|symbol| {
        // gcc knows it of `abort` by itself.
        symbol.attrs.has(FnAttrs::COLD) || &*symbol.name == "abort"
    });
    is_cold || func.call_info(call).attrs.has(FnAttrs::COLD) || known(call)
}
