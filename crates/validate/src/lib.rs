//! Translation validation: asks a solver, after a pass, whether the function still means the same.
//!
//! [`refines`] executes a function before and after a pass on terms ([`execute`]), and has z3 look
//! for arguments and a memory for which the second does something that the first does not. The
//! semantics are those of `docs/ir.md`; what is covered and what is trusted stands in
//! `docs/validation.md`. [`Observer`] asks that of every pass that the middle end runs.

pub mod bits;
pub mod confirm;
pub mod cuts;
pub mod effects;
pub mod execute;
pub mod floats;
pub mod memory;
pub mod observer;
pub mod operations;
pub mod plan;
pub mod provenance;
pub mod refine;
pub mod slots;
pub mod smt;
pub mod solver;
pub mod state;
pub mod term;

pub use observer::Observer;
pub use refine::{Counterexample, Limits, Verdict, refines};
pub use solver::is_installed;
