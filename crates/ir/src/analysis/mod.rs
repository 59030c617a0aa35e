//! Analyses of one function that every room of the back half uses.

pub mod cfg;
mod debug_flow;
pub mod dominators;
pub mod loops;

pub use cfg::Cfg;
pub use debug_flow::settle_debug_values;
pub use dominators::DominatorTree;
pub use loops::{Loop, LoopRef, LoopTree};
