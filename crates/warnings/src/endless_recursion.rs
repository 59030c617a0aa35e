//! `-Winfinite-recursion`: functions that can only return by way of a call of themselves.
//!
//! Looked at is the function as it was lowered. From its entry on, ways end at a call of the
//! function itself; if none of them ends in a return, and some in such a call, whoever calls the
//! function never sees the end of it. Ways that end the program (`exit`) or jump out of it
//! (`longjmp`) are no returns, as in gcc. Functions that are declared never to return have another
//! exit.
//!
//! **Cost.** The blocks before the first return that the walk meets.

use base::Loc;
use cranelift_entity::EntitySet;
use ir::{FnAttrs, Function, Inst, Module, Opcode};

/// Where `func` calls itself, if that is all it ever does; empty otherwise. In the order of the
/// walk.
pub fn check(module: &Module, func: &Function) -> Vec<Loc> {
    let mut calls = Vec::new();
    if func.blocks().next().is_none() || module.symbols[func.symbol].attrs.has(FnAttrs::NORETURN) {
        return calls;
    }
    let mut seen = EntitySet::new();
    let mut work = vec![func.entry()];
    seen.insert(func.entry());
    'blocks: while let Some(block) = work.pop() {
        for inst in func.block_insts(block) {
            let data = func.insts[inst];
            match data.opcode {
                Opcode::Ret => return Vec::new(),
                Opcode::Call if calls_itself(func, inst) => {
                    calls.push(func.source_loc(inst));
                    continue 'blocks;
                }
                _ => {}
            }
        }
        func.for_each_target(func.terminator(block), |target| {
            if seen.insert(target) {
                work.push(target);
            }
        });
    }
    calls
}

/// A call of the function by its own symbol and declaration (another one may have its name by
/// `asm`). What `__builtin_strlen` is inside `strlen` is not known here.
fn calls_itself(func: &Function, call: Inst) -> bool {
    let attrs = func.call_info(call).attrs;
    let elsewhere = attrs.has(FnAttrs::LIBRARY) || attrs.has(FnAttrs::APART);
    func.const_symbol(func.list(call)[0]) == Some((func.symbol, 0)) && !elsewhere
}
