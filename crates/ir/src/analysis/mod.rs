//! Analyses that every room of the back half uses: of one function, and who calls whom.

mod absolute;
pub mod addresses;
pub mod alias;
pub mod alignment;
pub mod alloca_accesses;
pub mod call_graph;
pub mod cfg;
mod components;
mod debug_flow;
pub mod dominators;
pub mod facts;
pub mod frees;
mod frequencies;
mod frontier;
pub mod group_dependence;
pub mod interval;
mod liveness;
pub mod loops;
pub mod memory;
pub mod never_written;
pub mod object_size;
pub mod readiness;
mod register_epochs;
pub mod slot_colours;
pub mod sums;

pub use absolute::absolute_value;
pub use cfg::Cfg;
pub use components::components;
pub use debug_flow::settle_debug_values;
pub use dominators::DominatorTree;
pub use frequencies::{EXIT, Frequencies, Guess, Heat};
pub use frontier::Frontier;
pub use liveness::Liveness;
pub use loops::{Loop, LoopRef, LoopTree, always_executed, nest_chain};
pub use register_epochs::RegisterEpochs;
