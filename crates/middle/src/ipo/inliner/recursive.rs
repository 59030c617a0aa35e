//! Inlines recursive functions into themselves: small ones save most of their calls that way.
//!
//! Each step puts the *original* body in the place of every call of the function itself, so that
//! one call does the work of several levels of recursion. It ends when the function would grow
//! beyond [`LIMIT`].

use ir::{FnAttrs, FuncId, Function, Inst, Module, Opcode};
use platform::options::{OptLevel, Options};

use super::{clone, signatures_match, size};
use crate::copying::{Copying, copying, exact_definition};
use crate::statistics::Statistics;

/// Size up to which a body is worth copying into itself.
const BODY: u32 = 40;
/// Size up to which the function may grow.
const LIMIT: u32 = 160;
/// Levels of recursion at most.
const ROUNDS: u32 = 3;

/// Inlines `func` (taken out of the module) into itself. True if it changed. The caller has use
/// lists.
pub fn run(module: &Module, func: &mut Function, id: FuncId, options: &Options, statistics: &mut Statistics) -> bool {
    let attrs = module.symbols[func.symbol].attrs;
    let refused = [FnAttrs::NOINLINE, FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::COLD];
    if options.level < OptLevel::O2
        || options.optimize_size
        || refused.iter().any(|&a| attrs.has(a))
        || func.has_dynamic_alloca
        || func.blocks().any(|b| func.block_insts(b).any(|i| func.insts[i].opcode == Opcode::Alloca))
    {
        return false;
    }
    let body = size(func);
    let own = self_calls(module, func, id, options);
    if own.is_empty() || body > BODY || copying(func) != Copying::Free {
        return false;
    }
    let original = func.clone();
    let mut calls = own;
    let (mut grown, mut inlined) = (body, 0);
    for _ in 0..ROUNDS {
        if calls.is_empty() || grown + body * calls.len() as u32 > LIMIT {
            break;
        }
        for &call in calls.iter().rev() {
            clone::inline_call(module, func, call, &original);
        }
        grown += body * calls.len() as u32;
        inlined += calls.len() as u64;
        calls = self_calls(module, func, id, options);
    }
    statistics.add("recursive calls inlined", inlined);
    inlined > 0
}

/// The calls of the function itself, as far as they are sure to reach this very body.
fn self_calls(module: &Module, func: &Function, id: FuncId, options: &Options) -> Vec<Inst> {
    let interposable = options.interposable();
    let is_own = |call: Inst| {
        let Some((symbol, 0)) = func.const_symbol(func.list(call)[0]) else { return false };
        symbol == func.symbol
            && !super::is_kept(func, call)
            && exact_definition(module, symbol, interposable) == Some(id)
            && signatures_match(module, func, call, func.sig)
    };
    let mut calls = func.insts_with(|opcode| opcode == Opcode::Call);
    calls.retain(|&call| is_own(call));
    calls
}
