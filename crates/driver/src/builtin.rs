//! Our headers and support routines (`runtime/`), inside the program. The tables are written by
//! `build.rs`.

include!(concat!(env!("OUT_DIR"), "/runtime_tables.rs"));
