//! Functions whose body is one block of plain operations are `const`: a call of one does nothing
//! but give its results, so that a call whose results are unused goes (gcc's `-fipa-pure-const`).
//! Most of them are empty: the variants of a configuration that has nothing to do.
//!
//! The body must be the one that runs (no other library's, no weak one, nothing that `noipa`
//! hides). A single block certainly ends, and operations without memory cannot be seen from
//! outside.
//!
//! Linear in the instructions of functions of one block.

use ir::{FnAttrs, FuncId, Function, Module, Opcode, Traits};
use platform::options::Options;

use ir::copying::exact_definition;

/// Whether the body computes from its parameters and constants alone, and ends.
pub fn is_plain(func: &Function) -> bool {
    let mut blocks = func.blocks();
    let (Some(entry), None) = (blocks.next(), blocks.next()) else { return false };
    func.block_insts(entry).all(|inst| match func.insts[inst].opcode {
        Opcode::Ret => true,
        // Some ask for the function's own frame.
        Opcode::Intrinsic => false,
        opcode => opcode.traits().has(Traits::PURE) && !opcode.traits().has(Traits::TRAPS),
    })
}

/// Marks the functions among `plain` whose body is certainly the one that is called; returns how
/// many.
pub fn mark(module: &mut Module, plain: impl Iterator<Item = FuncId>, options: &Options) -> u64 {
    let refused = [FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::AVAILABLE_EXTERNALLY, FnAttrs::NORETURN];
    let mut count = 0;
    for id in plain {
        let symbol = module.functions[id].symbol;
        let exact = exact_definition(module, symbol, options.interposable()) == Some(id);
        let attrs = &mut module.symbols[symbol].attrs;
        if exact && !refused.iter().chain(&[FnAttrs::CONST]).any(|&attr| attrs.has(attr)) {
            attrs.set(FnAttrs::CONST);
            count += 1;
        }
    }
    count
}
