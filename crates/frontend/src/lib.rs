//! C text to alloca-form IR: lexer, preprocessor, parser, semantic analysis, lowering.

pub mod lex;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod sema;
pub mod tree;
