//! `cargo xtask fuzz`: random programs compared with other compilers ([`programs`]) or among our
//! own levels, many a second ([`native`]), and coverage-guided fuzzing of everything that reads
//! text ([`coverage`]).

mod answers;
mod coverage;
mod journal;
mod loops;
mod native;
mod programs;
mod types;

use crate::report::Report;
use crate::tools::option;

/// `--csmith N`, `--yarpgen N`, `--loops N` and `--types N` (programs), `--native` (in one process), or
/// `--target NAME` (coverage-guided, cargo-fuzz).
pub fn run(arguments: &[String]) -> Result<Report, String> {
    match option(arguments, "--target") {
        Some(target) => coverage::run(&target, arguments).map(|()| Report::default()),
        None if arguments.iter().any(|a| a == "--native") => native::run(arguments),
        None => programs::run(arguments),
    }
}
