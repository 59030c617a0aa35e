//! IR to x86-64 machine code: the quick path, selection, phi elimination, register allocation, emission.

pub mod eliminate_phis;
pub mod regalloc;
