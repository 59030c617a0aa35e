//! A fuzzer of the whole compiler in one process. Programs that have no undefined behaviour by the
//! way they are made ([`generate`]) are compiled from memory at several levels, and by random lists
//! of passes, and run in a forked child ([`batch`]); all must give the same answer, the
//! interpreter's too ([`execute`]). What differs is cut down ([`reduce`]) and traced to the pass or
//! rule that does it ([`bisect`]). Statistics of the passes decide which kinds of programs come
//! next ([`steer`]).
//!
//! `cargo xtask fuzz --native` builds and runs it.

pub mod batch;
pub mod bisect;
pub mod child;
pub mod execute;
pub mod finding;
pub mod generate;
pub mod random;
pub mod reduce;
pub mod steer;
pub mod tree;
pub mod types;
