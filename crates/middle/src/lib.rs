//! The SSA middle end: analyses, passes, pipeline, runner.
//!
//! [`optimize`] takes a module in alloca form and leaves it optimised in SSA form. `pipeline` is
//! the list of passes per level; every pass is a file of `passes/` with the shape given in `pass`;
//! `runner` does everything around them.

pub mod analysis;
pub mod call_graph;
pub mod changed;
mod constant_parameters;
pub mod copying;
mod effect_free;
pub mod endless_recursion;
pub mod global_dce;
pub mod inliner;
pub mod library;
pub mod loop_utils;
pub mod memory_warnings;
mod never_returns;
mod never_written;
pub mod null_dereference;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod region;
pub mod runner;
pub mod ssa_repair;
pub mod statistics;
pub mod uninitialized;

pub use inliner::expand::Expander;
pub use runner::{Late, Report, inline, optimize};
