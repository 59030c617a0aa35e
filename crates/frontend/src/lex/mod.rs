//! Bytes to preprocessing tokens (translation phases 1 to 3).

pub mod dialect;
pub mod literals;
pub mod names;
pub mod token;

pub use dialect::{Dialect, Standard};
pub use names::new_session;
pub use token::{Token, TokenFlags, TokenKind};
