//! Facts about x86-64 System V: data layout, argument classification, registers, asm constraints, CPU features.
