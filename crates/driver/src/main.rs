//! The program `tcc-rs`: a thread with a large stack (the parser's depth limit is counted against
//! it) that the command line goes to.

use std::ffi::OsString;
use std::process::ExitCode;
use tcc_rs::allocator;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// Address space asked for the main job's stack, in order of preference. It is only reserved: pages
/// are used as the recursion needs them. Under a limit on address space the stack is a part of it.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];
const STACKS_UNDER_LIMIT: usize = 8;
const SMALLEST_STACK: usize = 4 << 20;

fn main() -> ExitCode {
    allocator::one_arena();
    base::bug::install_panic_hook();
    let mut arguments = std::env::args_os();
    let program = program_name(arguments.next());
    let arguments: Vec<OsString> = arguments.collect();
    for size in stack_sizes() {
        let (program, arguments) = (program.clone(), arguments.clone());
        let job = move || {
            let status = tcc_rs::command(&program, arguments, size);
            if status == ExitCode::SUCCESS {
                // The process may end here: waking the first thread up, for it to give the stack
                // back, takes longer than a small file's parsing.
                std::process::exit(0);
            }
            status
        };
        if let Ok(thread) = std::thread::Builder::new().name("main job".into()).stack_size(size).spawn(job) {
            return thread.join().unwrap_or_else(|payload| {
                eprintln!("{}: error: {}", program_name(None), base::bug::from_panic(payload));
                ExitCode::from(base::bug::EXIT_STATUS as u8)
            });
        }
    }
    eprintln!("{program}: fatal error: cannot create a thread\ncompilation terminated.");
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
