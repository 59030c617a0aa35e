//! A stack of a chosen size for the first thread.

use std::arch::asm;
use std::ptr::null_mut;

/// What is left free below it: an overflow is a fault.
const GUARD: usize = 1 << 16;
/// What every compilation uses of it: in one call these pages take less time than page by page.
const USED: usize = 80 << 10;

/// Reserved memory; it stays reserved until the process ends.
pub struct Stack {
    start: usize,
    size: usize,
}

/// What a stack is for: it is given its size.
type Job = fn(usize) -> !;

impl Stack {
    /// `None` if the system has no room.
    pub fn new(size: usize) -> Option<Stack> {
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK,
        );
        // SAFETY: a new mapping, of which nobody knows; its first pages become a guard.
        unsafe {
            let start = libc::mmap(null_mut(), size + GUARD, access, kind, -1, 0);
            let is_there = start != libc::MAP_FAILED && libc::mprotect(start, GUARD, libc::PROT_NONE) == 0;
            if is_there {
                libc::madvise(start.byte_add(GUARD + size - USED), USED, libc::MADV_POPULATE_WRITE);
            }
            is_there.then_some(Stack { start: start as usize + GUARD, size })
        }
    }

    /// Goes on with `job` on this stack. The old one is left as it is.
    pub fn switch(self, job: Job) -> ! {
        // SAFETY: the memory is this thread's from now on and aligned to pages. `enter` never
        // returns, and finds no caller: the return address is zero, where unwinding ends. What the
        // old stack holds stays where it is.
        unsafe {
            asm!(
                "mov rsp, {top}",
                "xor ebp, ebp",
                "push 0",
                "jmp {enter}",
                top = in(reg) self.start + self.size,
                enter = sym enter,
                in("rdi") job,
                in("rsi") self.size,
                options(noreturn),
            )
        }
    }
}

/// The first function on a stack.
#[allow(improper_ctypes_definitions, reason = "both ends are Rust of one program")]
extern "C" fn enter(job: Job, size: usize) -> ! {
    job(size)
}
