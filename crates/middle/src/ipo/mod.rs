//! What looks at several functions: the call graph, and the stages that the runner runs between the
//! early and the late passes.

pub mod constant_parameters;
pub mod effect_free;
pub mod global_dce;
pub mod inliner;
pub mod memory_effects;
pub mod never_returns;
pub mod specialise;
