//! Faults of loaded code: a backtrace with source lines, then on where the embedding program wants.
//!
//! Handlers of signals belong to the process: they are set when the first state with `-bt` runs
//! something, and pass on what is not a fault of such a state's code.

use crate::jump::{self, Saved};
use crate::state::{LongJump, State, Way};
use std::cell::Cell;
use std::ffi::{CString, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

thread_local! {
    /// The state whose code this thread runs.
    static CURRENT: Cell<*mut State> = const { Cell::new(null_mut()) };
    static STACK: Cell<Option<SignalStack>> = const { Cell::new(None) };
}

/// Status of a program that `tcc_run` saw crash.
const CRASHED: c_int = 255;
const SIGNALS: [(c_int, &str); 5] = [
    (libc::SIGSEGV, "invalid memory access"),
    (libc::SIGBUS, "invalid memory access"),
    (libc::SIGFPE, "arithmetic exception"),
    (libc::SIGILL, "illegal instruction"),
    (libc::SIGABRT, "abort() called"),
];
/// Levels of a backtrace that are looked at.
const DEPTH: usize = 128;

pub fn catch_with(state: &mut State, buffer: *mut c_void, top: *const c_void, longjmp: LongJump) {
    state.way = Some(Way::Jump { buffer, top, longjmp });
    enter(state);
}

pub fn run_with(state: &mut State, saved: *mut Saved) {
    state.way = Some(Way::Leave(saved));
    enter(state);
}

fn enter(state: &mut State) {
    CURRENT.set(state);
    if state.wants_backtrace {
        install();
        SignalStack::of_this_thread();
    }
}

/// The state runs nothing on this thread any more.
pub fn forget(state: *mut State) {
    if CURRENT.get() == state {
        CURRENT.set(null_mut());
    }
}

/// A stack for handlers: an overflown one is of no use to them.
struct SignalStack(*mut c_void);

const SIGNAL_STACK: usize = 64 << 10;

impl SignalStack {
    fn of_this_thread() {
        // SAFETY: the structures are there to be filled and read; the memory stays until the thread
        // ends.
        unsafe {
            let mut old = MaybeUninit::<libc::stack_t>::zeroed();
            let known = libc::sigaltstack(null(), old.as_mut_ptr()) == 0;
            if known && old.assume_init().ss_flags & libc::SS_DISABLE == 0 && old.assume_init().ss_size >= SIGNAL_STACK
            {
                return;
            }
            let memory = libc::malloc(SIGNAL_STACK);
            if memory.is_null() {
                return;
            }
            let new = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: SIGNAL_STACK };
            if libc::sigaltstack(&new, null_mut()) == 0 {
                STACK.set(Some(SignalStack(memory)));
            } else {
                libc::free(memory);
            }
        }
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        let none = libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        // SAFETY: the thread ends and needs it no more.
        unsafe {
            libc::sigaltstack(&none, null_mut());
            libc::free(self.0);
        }
    }
}

/// The handlers that were there before.
static BEFORE: OnceLock<Vec<libc::sigaction>> = OnceLock::new();

fn install() {
    BEFORE.get_or_init(|| {
        let before = SIGNALS.iter().map(|(signal, _)| {
            // SAFETY: a handler of the type that the flags say.
            unsafe {
                let mut old = MaybeUninit::<libc::sigaction>::zeroed();
                let mut new: libc::sigaction = MaybeUninit::zeroed().assume_init();
                new.sa_sigaction = on_signal as *const () as usize;
                new.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER | libc::SA_ONSTACK;
                libc::sigaction(*signal, &new, old.as_mut_ptr());
                old.assume_init()
            }
        });
        before.collect()
    });
}

unsafe extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // Taken out: a fault of the report itself is not reported again.
    let state = CURRENT.replace(null_mut());
    // SAFETY: the current state stays until it is forgotten.
    if let Some(shared) = unsafe { state.as_ref() }
        && shared.wants_backtrace
        && let Some(way) = shared.way
    {
        // SAFETY: the third argument of such a handler is a `ucontext_t`.
        let pc = unsafe { (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] } as usize;
        let frames = Frames::from(pc);
        let program = shared.program.as_ref();
        if program.is_some_and(|program| frames.all().any(|pc| program.contains(pc as *const ()))) {
            report(shared, way, &frames, signal);
            CURRENT.set(state);
            // SAFETY: the frames that are left are the program's.
            unsafe {
                match way {
                    Way::Jump { buffer, longjmp, .. } => longjmp(buffer, 1),
                    Way::Leave(saved) => jump::leave(saved, CRASHED),
                }
            }
        }
    }
    CURRENT.set(state);
    pass_on(signal, info, context);
}

/// What is not ours goes to whoever was there before.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let index = SIGNALS.iter().position(|(known, _)| *known == signal);
    let before = BEFORE.get().zip(index).map(|(before, index)| before[index]);
    let handler = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
    // SAFETY: the handler is called as it asked to be; without one the signal comes again and does
    // what it does by default.
    unsafe {
        match handler {
            libc::SIG_DFL => {
                libc::signal(signal, libc::SIG_DFL);
                if signal == libc::SIGABRT {
                    libc::raise(signal);
                }
            }
            libc::SIG_IGN => {}
            handler if before.is_some_and(|before| before.sa_flags & libc::SA_SIGINFO != 0) => {
                let handler: unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                    std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => std::mem::transmute::<usize, unsafe extern "C" fn(c_int)>(handler)(signal),
        }
    }
}

/// Places of the calls that led to a fault, the innermost first.
struct Frames {
    places: [usize; DEPTH],
    count: usize,
    /// The faulting one.
    first: usize,
}

impl Frames {
    fn from(pc: usize) -> Frames {
        let mut frames = Frames { places: [0; DEPTH], count: 0, first: 0 };
        // SAFETY: the callback gets its own argument.
        unsafe { _Unwind_Backtrace(note, (&raw mut frames).cast()) };
        match frames.places[..frames.count].iter().position(|place| *place == pc) {
            Some(first) => frames.first = first,
            None => {
                frames.places[0] = pc;
                frames.count = 1;
            }
        }
        frames
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        self.places[self.first..self.count].iter().copied()
    }
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        callback: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, before: *mut c_int) -> usize;
}

unsafe extern "C" fn note(context: *mut c_void, argument: *mut c_void) -> c_int {
    const NO_REASON: c_int = 0;
    const END_OF_STACK: c_int = 5;
    // SAFETY: the argument is what `Frames::from` gave, the context the unwinder's.
    unsafe {
        let frames = &mut *argument.cast::<Frames>();
        let mut is_exact = 0;
        let pc = _Unwind_GetIPInfo(context, &mut is_exact);
        if frames.count == DEPTH {
            return END_OF_STACK;
        }
        // A return address belongs to the call before it.
        frames.places[frames.count] = if is_exact != 0 { pc } else { pc.saturating_sub(1) };
        frames.count += 1;
        NO_REASON
    }
}

fn report(state: &State, way: Way, frames: &Frames, signal: c_int) {
    let Some(program) = &state.program else { return };
    let message = SIGNALS.iter().find(|(known, _)| *known == signal).map_or("signal", |(_, text)| text);
    let mut is_first = true;
    for pc in frames.all() {
        let place = pc as *const ();
        if !program.contains(place) {
            continue;
        }
        let line = program.line_at(place);
        let function = program.function_at(place);
        let (file, number) = line.map_or((None, 0), |line| (Some(line.file), line.line as c_int));
        match state.backtrace {
            (Some(callback), data) => {
                let text = |text: Option<&str>| text.and_then(|text| CString::new(text).ok());
                let (file, name) = (text(file.as_deref()), text(function.as_deref()));
                let said = text(is_first.then_some(message));
                let pointer = |text: &Option<CString>| text.as_ref().map_or(null(), |text| text.as_ptr());
                // SAFETY: the callback is the embedding program's; the texts stay during the call.
                let goes_on = unsafe {
                    callback(data, pc as *mut c_void, pointer(&file), number, pointer(&name), pointer(&said))
                };
                if goes_on == 0 {
                    return;
                }
            }
            _ => {
                let (file, name) = (file.as_deref().unwrap_or("?"), function.as_deref().unwrap_or("?"));
                let text = match is_first {
                    true => format!("{file}:{number}: at {name}: RUNTIME ERROR: {message}"),
                    false => format!("{file}:{number}: by {name}"),
                };
                state.say(&text);
            }
        }
        is_first = false;
        if let Way::Jump { top, .. } = way
            && function.as_deref().and_then(|name| program.symbol(name)).is_some_and(|at| at.cast() == top)
        {
            return;
        }
    }
}
