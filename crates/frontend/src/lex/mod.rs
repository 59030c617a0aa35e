//! Bytes to preprocessing tokens (translation phases 1 to 3).

pub(crate) mod arguments;
mod bidi;
mod bodies;
mod chars;
pub mod charset;
mod clean;
pub mod dialect;
pub mod encoding;
mod escapes;
pub(crate) mod lexer;
pub mod literals;
pub mod names;
pub mod numbers;
pub(crate) mod scan;
pub mod token;

pub use dialect::{Dialect, Standard};
pub use names::new_session;
pub use token::{Token, TokenFlags, TokenKind};
