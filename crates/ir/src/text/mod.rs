//! The textual form of IR (`.tir` files, `--emit=ir`): [`print`] writes it, [`parse`] reads it
//! back.
//!
//! Values and blocks are numbered in order of appearance, so that printing what was parsed gives
//! the same text. `docs/ir.md` describes the grammar by example; `flags` holds the suffixes that
//! instructions carry.

mod flags;
mod lexer;
mod merge;
mod parse;
mod parse_debug;
mod parse_inst;
mod parser;
mod print;

pub use lexer::ParseError;
pub use merge::Merger;
pub use parse::parse_module;
pub use print::{Names, function_lines, function_to_string, module_to_string, print_function};
