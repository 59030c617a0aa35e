//! The gcc-compatible driver: the only crate that knows all the others.
//!
//! `main` makes a thread with a large stack (the parser's depth limit is counted against it), and
//! hands the command line to [`cli`], whose [`invocation::Invocation`] goes to [`jobs`]. Exit
//! status: 0 done, 1 bad input or command line, 4 a fault of our own.

mod allocator;
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
mod link;
mod output;
mod query;
mod report;
mod reproduce;
mod rooms;
mod run;
mod toolchain;

use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// Address space asked for the main job's stack, in order of preference. It is only reserved: pages
/// are used as the recursion needs them. Under a limit on address space the stack is a part of it.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];
const STACKS_UNDER_LIMIT: usize = 8;
const SMALLEST_STACK: usize = 4 << 20;

/// Stack one level of nesting may take in the parser and in lowering, with the debug build's
/// frames; what is left over serves everything else.
const STACK_PER_NESTING_LEVEL: usize = if cfg!(debug_assertions) { 32 << 10 } else { 4 << 10 };

fn main() -> ExitCode {
    allocator::one_arena();
    base::bug::install_panic_hook();
    let mut arguments = std::env::args_os();
    let program = program_name(arguments.next());
    let arguments: Vec<OsString> = arguments.collect();
    for size in stack_sizes() {
        let (program, arguments) = (program.clone(), arguments.clone());
        let nesting = (size / STACK_PER_NESTING_LEVEL) as u32;
        let job = move || {
            let status = dispatch(&program, arguments, nesting);
            if status == ExitCode::SUCCESS {
                // The process may end here: waking the first thread up, for it to give the stack
                // back, takes longer than a small file's parsing.
                std::process::exit(0);
            }
            status
        };
        if let Ok(thread) = std::thread::Builder::new().name("main job".into()).stack_size(size).spawn(job) {
            return thread.join().unwrap_or_else(|payload| {
                report::error(&program_name(None), &base::bug::from_panic(payload).to_string());
                ExitCode::from(base::bug::EXIT_STATUS as u8)
            });
        }
    }
    report::fatal(&program, "cannot create a thread");
    ExitCode::FAILURE
}

fn stack_sizes() -> Vec<usize> {
    match allocator::address_limit() {
        None => STACK_SIZES.to_vec(),
        Some(limit) => {
            let part = (limit / STACKS_UNDER_LIMIT).next_multiple_of(1 << 16);
            vec![part.clamp(SMALLEST_STACK, STACK_SIZES[0]), SMALLEST_STACK]
        }
    }
}

fn program_name(argv0: Option<OsString>) -> String {
    let name = argv0.as_ref().and_then(|a| std::path::Path::new(a).file_name());
    name.map_or("tcc-rs".to_string(), |n| n.to_string_lossy().into_owned())
}

fn dispatch(program: &str, arguments: Vec<OsString>, nesting: u32) -> ExitCode {
    if assembler_command::is_name(program) {
        return assembler_command::main(program, arguments);
    }
    match arguments.first().and_then(|a| a.to_str()) {
        Some("run") => return run::main(program, &arguments[1..], nesting),
        Some("interpret") => return interpret::main(program, &arguments[1..], nesting),
        Some("explore") => return explore::main(program, &arguments[1..], nesting),
        Some("explain") => return explain::main(program, &arguments[1..]),
        Some("compare") => return compare::main(program, &arguments[1..]),
        _ => {}
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
