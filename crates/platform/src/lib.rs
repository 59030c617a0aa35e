//! Facts about x86-64 System V: data layout, argument classification, registers, asm constraints,
//! CPU features; and the options of a compilation that more than one room reads.

pub mod data_layout;
pub mod debug_steps;
pub mod options;
pub mod registers;
pub mod remarks;
pub mod section_names;
pub mod sysv;
pub mod timeline;
