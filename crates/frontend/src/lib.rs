//! C text to alloca-form IR: lexer, preprocessor, parser, semantic analysis, lowering.

pub mod tree;
