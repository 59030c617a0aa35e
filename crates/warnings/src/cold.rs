//! Functions that are cold because every way through them comes by a cold call.

use ir::analysis::Cfg;
use ir::effects::call_attrs;
use ir::{Block, FnAttrs, Function, Inst, Intrinsic, Opcode};
use rustc_hash::FxHashSet;

use crate::attributes::Known;

/// Whether the entry leads to cold calls only, and nothing before them may end the program. Linear
/// in the code, once for each block of the longest way.
pub(crate) fn is_cold(known: &Known<'_>, func: &Function) -> bool {
    let cfg = Cfg::compute(func);
    let first: Vec<(Block, First)> = func.blocks().map(|block| (block, first(known, func, block))).collect();
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

fn first(known: &Known<'_>, func: &Function, block: Block) -> First {
    for inst in func.block_insts(block) {
        match func.insts[inst].opcode {
            Opcode::Call if is_cold_call(known, func, inst) => return First::Cold,
            Opcode::Call if may_end(known, func, inst) => return First::Other,
            Opcode::Asm | Opcode::AsmBr if func.asm(inst).volatile => return First::Other,
            // Nothing that ends came before: `__builtin_unreachable()`.
            Opcode::Unreachable => return First::Cold,
            Opcode::Intrinsic if func.insts[inst].intrinsic() == Intrinsic::Trap => return First::Cold,
            _ => {}
        }
    }
    First::Nothing
}

fn may_end(known: &Known<'_>, func: &Function, call: Inst) -> bool {
    let attrs = call_attrs(func, known.module, call);
    !attrs.has(FnAttrs::CONST) && !attrs.has(FnAttrs::PURE)
}

fn is_cold_call(known: &Known<'_>, func: &Function, call: Inst) -> bool {
    let named = func.const_symbol(func.list(call)[0]).filter(|&(_, at)| at == 0).map(|(symbol, _)| symbol);
    let is_cold = named.map(|symbol| &known.module.symbols[symbol]).is_some_and(|symbol| {
        // gcc knows it of `abort` by itself.
        symbol.attrs.has(FnAttrs::COLD) || &*symbol.name == "abort"
    });
    is_cold
        || func.call_info(call).attrs.has(FnAttrs::COLD)
        || known.called(func, call).is_some_and(|callee| callee.cold)
}
