//! Machine-code encoding, sections, symbols, relocations, unwind tables and ELF output.
//!
//! The way of a function: a backend writes instructions into a [`CodeBuffer`]
//! (methods in [`encode`]), which becomes a [`FunctionCode`] when it ends;
//! [`ObjectBuilder`] merges functions and data in source order and writes ELF.

pub mod builder;
pub mod code_buffer;
pub mod debug_info;
mod elf;
pub mod encode;
pub mod frames;
pub mod function_code;
mod ids;
pub mod line_table;
pub mod relax;
pub mod relocations;
pub mod sections;
mod subsections;
pub mod symbols;
mod unwind;

pub use builder::{FunctionPlacement, ObjectBuilder, OutputOptions, PlacedFunction, StackNote};
pub use code_buffer::CodeBuffer;
pub use encode::{Alu, Anchor, Cond, Mem, Rm, Rmi, Scale, Segment, Shift, Size};
pub use function_code::{
    CfiOp, ExtraSymbol, FunctionCode, JumpTableForm, Label, SectionPiece, StackKind, StackUse, TextPlacement,
    VariableLocation,
};
pub use relax::{fill_nops, fill_nops_16};
pub use relocations::{Reloc, RelocKind, SymbolRef};
pub use sections::{SectionId, SectionSpec};
pub use symbols::{Binding, Place, PlainName, SymbolId, SymbolKind, Visibility};
