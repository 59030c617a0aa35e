//! What both code generators know of the machine.

pub mod conditions;
pub mod operations;
