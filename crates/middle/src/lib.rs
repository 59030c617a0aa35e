//! The SSA middle end: analyses, passes, pipeline, runner.
//!
//! [`optimize`] takes a module in alloca form and leaves it optimised in SSA form. `pipeline` is
//! the list of passes per level; every pass is a file of `passes/` with the shape given in `pass`;
//! `runner` does everything around them. `ipo` looks at several functions.

pub mod analysis;
pub mod changed;
pub mod ipo;
pub mod library;
pub mod loop_utils;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod runner;
pub mod statistics;
pub mod trace;

pub use ipo::inliner::expand::{Expander, expand_module};
pub use passes::combine::rule_names;
pub use runner::{Late, Report, inline, optimize};
