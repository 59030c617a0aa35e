//! Warnings that need data flow. Each module watches a finished function and changes nothing.

pub mod endless_recursion;
pub mod memory;
pub mod null_dereference;
pub mod uninitialized;
