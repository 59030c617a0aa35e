//! The typed tree: what semantic analysis makes of C and lowering reads.
//!
//! Expressions, statements and initialisers live in an arena that is freed with the external
//! declaration they belong to (inline functions: with the unit). Types, records, enumerations,
//! declarations and attributes live in tables of the [`Unit`] and are referred to by small handles.
//!
//! Nothing here infers or checks anything; the rules are in `sema`. Nothing here knows tokens.

pub mod asm;
pub mod attributes;
pub mod builtins;
pub mod decls;
pub mod expr;
pub mod init;
pub mod layout;
pub mod print;
pub mod records;
pub mod stmt;
pub mod subobject;
pub mod types;
pub mod unit;
pub mod walk;

pub use asm::{AsmLabel, AsmOperand, AsmStmt};
pub use attributes::{AttrFlags, Attributes, AttrsId, Branches, Format, FormatArchetype};
pub use builtins::{AtomicOp, Builtin, FetchOp, MemoryOrder};
pub use decls::{Decl, DeclFlags, DeclId, DeclKind, Emission, Linkage, StorageDuration};
pub use expr::*;
pub use init::{AddressBase, AggregateInit, InitItem, Initializer, StaticInit, StaticReloc, StringLit};
pub use records::{BitField, EnumInfo, Field, FieldPath, Record, RecordKind};
pub use stmt::*;
pub use subobject::closest_member_bytes;
pub use types::*;
pub use unit::{Consumer, LoopPragma, Unit, UnitContext, WeakPragma};
