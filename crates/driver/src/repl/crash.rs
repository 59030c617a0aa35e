//! Faults of the code that a session runs: the handler notes where the code was, in memory that is
//! there already, and hands it to the process that waits, which knows names and lines.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::Read;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

const SIGNALS: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];
/// Calls that are noted.
const DEPTH: usize = 64;
/// Stack of the code that runs, where there is no limit.
const STACK: usize = 64 << 20;
/// Seconds that a handler may take: the fault may have been in what it needs.
const PATIENCE: u32 = 5;

/// What a fault left.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Report {
    /// The address that could not be accessed.
    pub address: usize,
    /// The stack was used up.
    pub is_overflow: bool,
    count: usize,
    places: [usize; DEPTH],
}

impl Report {
    const EMPTY: Report = Report { address: 0, is_overflow: false, count: 0, places: [0; DEPTH] };

    /// Places of the instructions, the faulting one first.
    pub fn places(&self) -> &[usize] {
        &self.places[..self.count.min(DEPTH)]
    }

    /// What the handler wrote after its first byte.
    pub fn read(from: &mut File) -> Option<Box<Report>> {
        let mut report = Box::new(Report::EMPTY);
        let size = std::mem::size_of::<Report>();
        // SAFETY: the bytes were a report in a copy of this process.
        let bytes = unsafe { std::slice::from_raw_parts_mut((&raw mut *report).cast::<u8>(), size) };
        from.read_exact(bytes).ok()?;
        Some(report)
    }
}

/// What a signal means, in words.
pub fn signal_text(signal: c_int) -> String {
    match signal {
        libc::SIGSEGV => "segmentation fault".into(),
        libc::SIGBUS => "bus error".into(),
        libc::SIGFPE => "arithmetic exception".into(),
        libc::SIGILL => "illegal instruction".into(),
        libc::SIGABRT => "aborted".into(),
        libc::SIGINT => "interrupted".into(),
        libc::SIGKILL => "killed".into(),
        libc::SIGALRM => "alarm clock".into(),
        other => format!("ended by signal {other}"),
    }
}

/// Where reports go; -1 for nowhere.
static TO: AtomicI32 = AtomicI32::new(-1);
/// The process whose faults are reported; those that it makes are not.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// The page below the stack.
static GUARD: AtomicUsize = AtomicUsize::new(0);
/// Bytes of the guard.
const GUARD_SIZE: usize = 64 << 10;

thread_local! {
    static FRAMES: Cell<Report> = const { Cell::new(Report::EMPTY) };
}

fn set_handler(signal: c_int, handler: usize) {
    // SAFETY: a handler of the type that the flags say, or the default.
    unsafe {
        let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | libc::SA_ONSTACK;
        libc::sigaction(signal, &action, null_mut());
    }
}

/// From now on faults are reported to whoever reads from `to`.
pub fn catch(to: Option<&File>) {
    TO.store(to.map_or(-1, |to| to.as_raw_fd()), Ordering::SeqCst);
    // SAFETY: asking changes nothing.
    PROCESS.store(unsafe { libc::getpid() }, Ordering::SeqCst);
    SIGNALS.iter().for_each(|signal| set_handler(*signal, on_signal as *const () as usize));
}

/// Faults are nobody's any more.
pub fn release() {
    SIGNALS.iter().for_each(|signal| set_handler(*signal, libc::SIG_DFL));
    TO.store(-1, Ordering::SeqCst);
}

unsafe extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    set_handler(signal, libc::SIG_DFL);
    // SAFETY: the arguments are those of such a handler; the rest are calls that handlers may make,
    // but for the unwinder, which an alarm stops if it waits for a lock.
    unsafe {
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::alarm(PATIENCE);
        let pc = (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
        let is_access = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
        let address = if is_access { (*info).si_addr() as usize } else { 0 };
        let guard = GUARD.load(Ordering::Relaxed);
        let mut report = Report {
            address,
            is_overflow: is_access && address.wrapping_sub(guard) < GUARD_SIZE && guard != 0,
            ..Report::EMPTY
        };
        FRAMES.set(Report::EMPTY);
        _Unwind_Backtrace(note, null_mut());
        let frames = FRAMES.get();
        let first = frames.places().iter().position(|place| *place == pc);
        match first {
            Some(first) => {
                report.count = frames.count - first;
                report.places[..report.count].copy_from_slice(&frames.places[first..frames.count]);
            }
            // A call of an address that is no code: the caller is what its return address says.
            None => {
                report.places[0] = pc;
                report.count = 1;
            }
        }
        libc::alarm(0);
        let to = TO.load(Ordering::Relaxed);
        if to >= 0 && libc::getpid() == PROCESS.load(Ordering::Relaxed) {
            libc::write(to, [0u8].as_ptr().cast(), 1);
            libc::write(to, (&raw const report).cast(), std::mem::size_of::<Report>());
        }
        // Aborting is done again; the others come again when the handler returns.
        if signal == libc::SIGABRT {
            libc::raise(signal);
        }
    }
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        callback: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, before: *mut c_int) -> usize;
}

unsafe extern "C" fn note(context: *mut c_void, _: *mut c_void) -> c_int {
    const NO_REASON: c_int = 0;
    const END_OF_STACK: c_int = 5;
    let mut frames = FRAMES.get();
    if frames.count == DEPTH {
        return END_OF_STACK;
    }
    let mut is_exact = 0;
    // SAFETY: the context is the unwinder's.
    let pc = unsafe { _Unwind_GetIPInfo(context, &mut is_exact) };
    // A return address belongs to the call before it.
    frames.places[frames.count] = if is_exact != 0 { pc } else { pc.saturating_sub(1) };
    frames.count += 1;
    FRAMES.set(frames);
    NO_REASON
}

/// Puts pages without access below the part of the stack that code may use, as far as programs may
/// usually go, and gives handlers a stack of their own. The stack has `all` bytes, of which few are
/// in use.
pub fn guard_stack(all: usize) {
    let here = 0u8;
    let here = &raw const here as usize;
    // SAFETY: the pages are far below what this thread uses, and above the end of its stack; the
    // other memory is fresh and stays.
    unsafe {
        let mut limit = MaybeUninit::<libc::rlimit>::zeroed();
        libc::getrlimit(libc::RLIMIT_STACK, limit.as_mut_ptr());
        let limit = limit.assume_init().rlim_cur;
        let size = if limit == libc::RLIM_INFINITY { STACK } else { (limit as usize).min(STACK) };
        let guard = (here - size.min(here)) & !(GUARD_SIZE - 1);
        // What is in use is much less than the distance that the guard keeps from the end.
        if guard > here - all.min(here) + 16 * GUARD_SIZE
            && size > 2 * GUARD_SIZE
            && libc::mprotect(guard as *mut c_void, GUARD_SIZE, libc::PROT_NONE) == 0
        {
            GUARD.store(guard, Ordering::Relaxed);
        }
        let bytes = 128 << 10;
        let memory = libc::malloc(bytes);
        if !memory.is_null() {
            let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: bytes };
            libc::sigaltstack(&stack, null_mut());
        }
    }
}
