//! Interprets IR at any stage, as the oracle of every pass: alloca form, SSA form and the machine
//! code must do the same.
//!
//! [`run`] executes `main` of a module with simulated memory ([`memory`]): objects are regions with
//! bounds, lifetime and undefined bytes, and addresses are checked, so that undefined behaviour the
//! machine would hide becomes a [`Trap`] with a reason. [`check`] looks for more: undefined bits,
//! effective types, scopes, leaks, what the checks of `-fsanitize=undefined` report. A listed set
//! of libc functions is built in
//! ([`libc`]). What is not modelled (inline assembly, vfork, other library functions) gives
//! [`Trap::Unsupported`] with a name: such a program is exempt, not wrong.

pub mod eval;
mod exec;
pub mod libc;
mod machine;
pub mod memory;
mod random;
mod streams;
mod wide;

pub use exec::{Outcome, call, check, run, run_keeping_output};

use std::fmt;

/// Why execution stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Undefined behaviour, or a trap instruction.
    Undefined(String),
    /// Something the interpreter does not model.
    Unsupported(String),
    /// More instructions than allowed.
    Fuel,
    /// `exit` or `abort` was called (abort: 134, as a shell reports SIGABRT).
    Exit(i32),
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Undefined(what) => write!(f, "undefined behaviour: {what}"),
            Trap::Unsupported(what) => write!(f, "not modelled: {what}"),
            Trap::Fuel => f.write_str("instruction limit reached"),
            Trap::Exit(status) => write!(f, "exit {status}"),
        }
    }
}

impl std::error::Error for Trap {}
