//! The intermediate representation: types, entities, instructions, functions, text form, verifier,
//! analyses.
//!
//! A [`Module`] holds symbols, data and [`Function`]s. Scalars, pointers and vectors are
//! [`Value`]s; aggregates live in memory. Lowering produces *alloca form* (every local an `alloca`,
//! no phis); the middle end turns it into SSA form. Both are the same data structure, and both are
//! complete programs. `docs/ir.md` is the reference.

pub mod abi;
pub mod alias_tags;
pub mod analysis;
pub mod asm;
pub mod builder;
pub mod caller;
pub mod copying;
pub mod costs;
pub mod debug;
pub mod debug_expression;
pub mod debug_linear;
pub mod debug_values;
pub mod dot;
pub mod effects;
pub mod entities;
pub mod fold;
pub mod function;
pub mod instructions;
pub mod library;
pub mod llvm;
pub mod memory_effects;
pub mod module;
pub mod observer;
pub mod shuffles;
pub mod ssa;
pub mod svg;
pub mod text;
pub mod types;
pub mod verifier;
pub mod x86;

pub use alias_tags::{AliasTags, MemberPath, RecordTag};
pub use asm::{AsmData, AsmOperand, AsmPlace};
pub use builder::{Builder, Position};
pub use debug_expression::DebugSteps;
pub use debug_linear::{Extend, Linear};
pub use debug_values::{DebugValue, Fragment};
pub use entities::*;
pub use function::{CallInfo, Constant, Counted, Function, LoopHint, SwitchData, ValueDef};
pub use instructions::{
    BranchHint, FloatCc, Format, InstData, InstKey, InstView, IntCc, Intrinsic, MemInfo, Odds, Opcode, Ordering, RmwOp,
    Traits, ValueList, flags,
};
pub use module::{
    AbiParam, CallNote, CodeAttributes, DataObject, DataReloc, FnAttrs, Linkage, Module, ParamKind, RelocTarget,
    Signature, SymbolData, SymbolDef, TlsModel, Visibility,
};
pub use types::Type;

/// A side table with a place for each of `len` entities from the start: writing to it never grows
/// it.
pub fn side_table<K: cranelift_entity::EntityRef, V: Clone + Default>(
    len: usize,
) -> cranelift_entity::SecondaryMap<K, V> {
    let mut table = cranelift_entity::SecondaryMap::new();
    table.resize(len);
    table
}
