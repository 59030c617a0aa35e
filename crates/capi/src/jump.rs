//! Calls that `exit` and faults come back from.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};

/// The stack pointer that [`enter`] comes back to.
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

/// What is called, with what was given for it.
pub type Begin = unsafe extern "C" fn(*mut c_void, c_int, *const *const c_char) -> c_int;

unsafe extern "C" {
    fn tccrs_enter(
        saved: *mut Saved,
        state: *mut c_void,
        argc: c_int,
        argv: *const *const c_char,
        begin: Begin,
    ) -> c_int;
    fn tccrs_leave(saved: *mut Saved, status: c_int) -> !;
}

/// Calls `begin` so that `exit` and [`leave`] come back from the call. `note` gets what [`leave`]
/// needs before.
///
/// # Safety
/// The frames that are skipped own nothing.
pub unsafe fn enter(
    state: *mut c_void,
    arguments: (c_int, *const *const c_char),
    begin: Begin,
    note: impl FnOnce(*mut Saved),
) -> c_int {
    let mut saved = Saved(0);
    let before = RUNNING.replace(&mut saved);
    note(&mut saved);
    // SAFETY: as the caller promises.
    let status = unsafe { tccrs_enter(&mut saved, state, arguments.0, arguments.1, begin) };
    RUNNING.set(before);
    status
}

/// What the program's `exit` is.
pub extern "C" fn exit(status: c_int) -> ! {
    let saved = RUNNING.get();
    if saved.is_null() {
        // SAFETY: another thread of the program ends the process, as its author wrote.
        unsafe { libc::exit(status) }
    }
    // SAFETY: `enter` is on this thread's stack.
    unsafe { leave(saved, status) }
}

/// Returns from [`enter`].
///
/// # Safety
/// `enter` with these notes is on this thread's stack.
pub unsafe fn leave(saved: *mut Saved, status: c_int) -> ! {
    // SAFETY: as the caller promises.
    unsafe { tccrs_leave(saved, status & 0xff) }
}
