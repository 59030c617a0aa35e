//! A fuzzer of the whole compiler in one process. Programs that have no undefined behaviour by the
//! way they are made ([`generate`]) are compiled from memory at every level, and by random lists of
//! passes, and run in a forked child ([`worker`]); all must give the same answer, the interpreter's
//! too. What differs is cut down ([`reduce`]) and traced to the pass and rule that does it
//! ([`bisect`]).
//!
//! `cargo xtask fuzz --native` builds and runs it.


pub mod execute;
pub mod generate;
pub mod random;


pub mod tree;
pub mod types;

