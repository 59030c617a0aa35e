//! Register allocation over live-range bundles, with splitting and spilling by block frequency.

pub mod problem;

pub use problem::*;
