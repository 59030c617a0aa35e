//! The program `tcc-rs`. The first thread goes on with a large stack (the parser's depth limit is
//! counted against it), on which the command line is obeyed.
//!
//! Small files are compiled in two milliseconds, of which a second thread, and what Rust's own
//! `main` does before ours (the place of the stack, read from `/proc`), would be a tenth.

#![cfg_attr(not(test), no_main)]

#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
mod mathematics;
mod stack;

use std::ffi::OsString;
use std::process::ExitCode;
use tcc_rs::allocator;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// Address space asked for the stack, in order of preference. It is only reserved: pages are used
/// as the recursion needs them. Under a limit on address space the stack is a part of it.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];
const STACKS_UNDER_LIMIT: usize = 8;
const SMALLEST_STACK: usize = 4 << 20;

// The unwinder that comes with gcc is made part of the program: looking up a library and its names
// takes longer than its few pages. Code that is loaded into the process brings the library's.
#[cfg(target_env = "gnu")]
#[link(name = "gcc_eh")]
unsafe extern "C" {}

/// Where the C library starts the program. Arguments are asked of Rust's library, which the C
/// library has told them.
#[cfg_attr(not(test), unsafe(no_mangle))]
#[cfg_attr(test, allow(dead_code))]
extern "C" fn main(_count: i32, _arguments: *const *const u8) -> i32 {
    prepare();
    for size in stack_sizes() {
        if let Some(stack) = stack::Stack::new(size) {
            stack.switch(job);
        }
    }
    eprintln!("{}: fatal error: cannot reserve a stack\ncompilation terminated.", program_name(None));
    1
}

/// What Rust's own `main` would have done: a closed pipe is an error of writing, not the end, and
/// no file gets the number of a stream that is closed.
fn prepare() {
    // SAFETY: no other thread runs yet, and the name is a string that ends in a NUL.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        allocator::one_arena();
        for stream in 0..3 {
            if libc::fcntl(stream, libc::F_GETFD) == -1 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
    }
    base::bug::install_panic_hook();
}

/// The command line, on a stack of `size` bytes.
fn job(size: usize) -> ! {
    let mut arguments = std::env::args_os();
    let program = program_name(arguments.next());
    let run = std::panic::AssertUnwindSafe(|| tcc_rs::command(&program, arguments.collect(), size));
    std::process::exit(match std::panic::catch_unwind(run) {
        // A status says no number.
        Ok(status) => (0..=u8::MAX).find(|&number| ExitCode::from(number) == status).unwrap_or(1).into(),
        Err(payload) => {
            eprintln!("{program}: error: {}", base::bug::from_panic(payload));
            base::bug::EXIT_STATUS
        }
    })
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
