//! Pathological shapes.
