//! Analyses of one function that every room of the back half uses.

pub mod cfg;
pub mod dominators;
pub mod loops;

pub use cfg::Cfg;
pub use dominators::DominatorTree;
pub use loops::{Loop, LoopTree};
