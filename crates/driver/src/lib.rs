//! The gcc-compatible driver, the only crate that knows all the others, and the compiler as a
//! library.
//!
//! [`Compiler`] compiles for programs that have a compiler inside: objects, code in their own
//! memory, diagnostics as values (`docs/library.md`). [`command`] is the program `tcc-rs`: a
//! command line goes to [`cli`], whose [`invocation::Invocation`] goes to [`jobs`].

pub mod allocator;
mod assembler_command;
mod builtin;
mod cli;
mod compare;
mod compile;
mod explain;
mod explore;
mod help;
mod interpret;
mod invocation;
mod jobs;
mod library;
mod link;
mod manual;
mod output;
mod query;
mod repl;
mod report;
mod reproduce;
mod rooms;
mod run;
mod time_trace;
mod toolchain;
mod validation;

pub use base::diagnostics::Severity;
pub use base::diagnostics::resolved::{Place, Replacement, Resolved as Diagnostic};
pub use cli::split_words;
pub use library::{Compilation, Compiler, Failure, MEMORY_OPTIONS, Object, Program};
pub use loader::Line;

use std::ffi::OsString;
use std::process::ExitCode;

/// Stack one level of nesting may take in the parser and in lowering, with the debug build's
/// frames; what is left over serves everything else.
const STACK_PER_NESTING_LEVEL: usize = if cfg!(debug_assertions) { 32 << 10 } else { 4 << 10 };

/// What the first argument may be instead of an option or a file.
const COMMANDS: [&str; 6] = ["run", "repl", "explore", "compare", "interpret", "explain"];

/// The program `tcc-rs`, called by the name `program`, on a thread with a stack of `stack` bytes.
/// Exit status: 0 done, 1 bad input or command line, 4 a fault of our own.
pub fn command(program: &str, arguments: Vec<OsString>, stack: usize) -> ExitCode {
    let nesting = (stack / STACK_PER_NESTING_LEVEL) as u32;
    if assembler_command::is_name(program) {
        return assembler_command::main(program, arguments);
    }
    let command = arguments.first().and_then(|a| a.to_str()).filter(|name| COMMANDS.contains(name));
    if let Some(name) = command {
        let rest = &arguments[1..];
        return match name {
            "run" => run::main(program, rest, nesting),
            "repl" => repl::main(program, rest, stack),
            "explore" => explore::main(program, rest, nesting),
            "compare" => compare::main(program, rest),
            "interpret" => interpret::main(program, rest, nesting),
            _ => explain::main(program, rest),
        };
    }
    match parse(program, arguments, nesting) {
        Ok(invocation) => jobs::run(invocation),
        Err(report::Failed) => ExitCode::FAILURE,
    }
}

/// The command line, its errors reported.
fn parse(program: &str, arguments: Vec<OsString>, nesting: u32) -> Result<invocation::Invocation, report::Failed> {
    match cli::parse(program, arguments) {
        Ok(mut invocation) => {
            let depth = &mut invocation.options.language.bracket_depth;
            *depth = (*depth).min(nesting);
            Ok(invocation)
        }
        Err(errors) => {
            for message in errors.0 {
                report::error(program, &message);
            }
            Err(report::Failed)
        }
    }
}
