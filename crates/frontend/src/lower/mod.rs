//! Lowering: the typed tree to alloca-form IR (`docs/ir.md`).
//!
//! The parser hands over each definition when it is complete ([`crate::tree::Consumer`]);
//! [`module::UnitLowering`] lowers functions at once, keeps inline ones until something refers to
//! them, and collects data. One function is one [`function::Fx`]: every local variable is an alloca
//! in the entry block, there are no phis, conditions are branches. No type is inferred here: the
//! tree says what each node's operands and result are. What the ABI asks for (registers, copies,
//! hidden pointers) is made explicit, so that later stages see scalars only.
//!
//! | file | what |
//! |---|---|
//! | `module`, `state`, `data`, `attributes`, `versions` | symbols, definitions, static objects |
//! | `function`, `emit`, `scopes`, `sweep` | one function: frame, blocks, variables |
//! | `statements`, `switch`, `asm`, `asm_constraints` | statements |
//! | `expressions`, `operators`, `conversions`, `conditions`, `assign` | expressions |
//! | `lvalues`, `global_registers`, `place`, `shapes` | objects |
//! | `bitfields`, `alias_tags` | their representation |
//! | `abi`, `calls`, `varargs`, `va_pack` | calling convention |
//! | `complex`, `vectors`, `atomics`, `atomics_wide` | types beyond scalars |
//! | `sanitize` | checks at run time |
//! | `initializers`, `nested`, `bounds`, `builtins` | the rest of the language |

mod abi;
mod alias_tags;
mod asm;
mod asm_constraints;
mod asm_pairs;
mod assign;
mod atomics;
mod atomics_wide;
mod attributes;
mod bit_int;
mod bitfields;
mod bounds;
mod builtins;
mod calls;
mod complex;
mod conditions;
mod conversions;
mod data;
mod data_alignment;
pub mod debug;
mod decimal;
mod emit;
mod expressions;
mod function;
mod global_registers;
mod initializers;
mod loop_pragmas;
mod lvalues;
pub mod module;
mod ms_abi;
mod nested;
mod operators;
mod place;
mod sanitize;
mod scopes;
mod segments;
mod shapes;
mod state;
mod statements;
mod sweep;
mod switch;
mod unwinding;
mod va_pack;
mod varargs;
mod vector_abi;
mod vectors;
mod versions;
mod walk;
mod without_sse;

pub use module::{Sink, UnitLowering};
