//! Running `main`, and coming back from it by `exit` or after a fault.

use crate::crash;
use crate::state::State;
use std::cell::Cell;
use std::ffi::{c_char, c_int};

/// The stack pointer that [`run`] comes back to.
#[repr(C)]
pub struct Saved(usize);

thread_local! {
    /// Where `exit` goes on this thread.
    static RUNNING: Cell<*mut Saved> = const { Cell::new(std::ptr::null_mut()) };
}

// `tccrs_enter` keeps what functions must preserve on the stack, and notes where; `tccrs_leave`
// drops everything above that and returns from it.
std::arch::global_asm!(
    ".globl tccrs_enter, tccrs_leave",
    ".hidden tccrs_enter, tccrs_leave",
    ".type tccrs_enter, @function",
    "tccrs_enter:",
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "sub rsp, 8",
    "mov [rdi], rsp",
    "mov rdi, rsi",
    "mov esi, edx",
    "mov rdx, rcx",
    "call r8",
    "2:",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "ret",
    ".size tccrs_enter, .-tccrs_enter",
    ".type tccrs_leave, @function",
    "tccrs_leave:",
    "mov rsp, [rdi]",
    "mov eax, esi",
    "jmp 2b",
    ".size tccrs_leave, .-tccrs_leave",
);

type Begin = unsafe extern "C" fn(*mut State, c_int, *const *const c_char) -> c_int;

unsafe extern "C" {
    #[allow(improper_ctypes)]
    fn tccrs_enter(
        saved: *mut Saved,
        state: *mut State,
        argc: c_int,
        argv: *const *const c_char,
        begin: Begin,
    ) -> c_int;
    fn tccrs_leave(saved: *mut Saved, status: c_int) -> !;
}

/// Constructors and `main` with these arguments; the status, also that of `exit`.
///
/// # Safety
/// The state has a program whose `main` is at `main`; `argv` is as `main` wants it.
pub unsafe fn run(state: *mut State, main: *const (), argc: c_int, argv: *const *const c_char) -> c_int {
    let mut saved = Saved(0);
    let before = RUNNING.replace(&mut saved);
    // SAFETY: as the caller promises; the frames that `exit` skips are the program's and `begin`,
    // which owns nothing.
    let status = unsafe {
        (*state).main = main;
        crash::run_with(&mut *state, &mut saved);
        tccrs_enter(&mut saved, state, argc, argv, begin)
    };
    crash::forget(state);
    RUNNING.set(before);
    status
}

unsafe extern "C" fn begin(state: *mut State, argc: c_int, argv: *const *const c_char) -> c_int {
    type Main = unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) -> c_int;
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    // SAFETY: as `run` promises.
    unsafe {
        if let Some(program) = &mut (*state).program {
            program.initialize(argc, argv);
        }
        let main: Main = std::mem::transmute((*state).main);
        main(argc, argv, environ)
    }
}

/// What the program's `exit` is.
pub extern "C" fn exit(status: c_int) -> ! {
    let saved = RUNNING.get();
    if saved.is_null() {
        // SAFETY: another thread of the program ends the process, as its author wrote.
        unsafe { libc::exit(status) }
    }
    // SAFETY: `run` is on this thread's stack.
    unsafe { leave(saved, status) }
}

/// Returns from [`run`].
///
/// # Safety
/// `run` with these notes is on this thread's stack.
pub unsafe fn leave(saved: *mut Saved, status: c_int) -> ! {
    // SAFETY: as the caller promises.
    unsafe { tccrs_leave(saved, status & 0xff) }
}
