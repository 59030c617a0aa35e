//! The gcc-compatible driver.

fn main() {}
