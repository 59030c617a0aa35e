//! What calls of a function may touch, as far as it is known from its body: objects, and memory
//! that its arguments point to.

use crate::{AliasTag, FnAttrs, Function, Inst, Module, Opcode, SymbolId};

/// What calls of a function read and write. What it lists neither as the one nor as the other, a
/// call leaves alone: so it frees nothing, and does nothing that other threads wait for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryEffects {
    /// What may be written.
    pub writes: Vec<Place>,
    /// What may be read.
    pub reads: Vec<Place>,
}

/// Bytes that a call may access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where they are counted from.
    pub root: Root,
    /// The distance from there, if it is constant.
    pub offset: Option<i64>,
    /// How many, if known; else of any extent, in both directions.
    pub size: Option<u64>,
    /// Type-based class.
    pub tag: AliasTag,
}

/// What a place is given by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// A symbol's object.
    Symbol(SymbolId),
    /// What the argument of this number points to.
    Argument(u32),
    /// Any memory that functions other than the caller can name.
    Visible,
}

/// What is known of the function that a call names.
pub fn effects_of_call<'m>(func: &Function, module: &'m Module, inst: Inst) -> Option<&'m MemoryEffects> {
    if func.insts[inst].opcode != Opcode::Call || func.call_info(inst).attrs.has(FnAttrs::APART) {
        return None;
    }
    let (symbol, 0) = func.const_symbol(func.list(inst)[0])? else { return None };
    module.memory_effects[symbol].as_deref()
}
