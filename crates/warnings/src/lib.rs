//! Warnings that need data flow. Each module watches finished functions of the IR and changes
//! nothing; the driver asks for those that are on.

pub mod attributes;
pub mod clobbered;
mod cold;
pub mod constant_results;
pub mod endings;
mod endless;
pub mod endless_recursion;
pub mod memory;
pub mod null_dereference;
mod results;
pub mod uninitialized;
