//! C text to alloca-form IR: lexer, preprocessor, parser, semantic analysis, lowering.

mod compile;
pub mod lex;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod sema;
pub mod tree;

pub use compile::compile;
