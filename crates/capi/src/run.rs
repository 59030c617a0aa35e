//! Running `main`, and coming back from it by `exit` or after a fault.

use crate::state::State;
use crate::{crash, jump};
use std::ffi::{c_char, c_int, c_void};

/// Constructors and `main` with these arguments; the status, also that of `exit`.
///
/// # Safety
/// The state has a program whose `main` is at `main`; `argv` is as `main` wants it.
pub unsafe fn run(state: *mut State, main: *const (), argc: c_int, argv: *const *const c_char) -> c_int {
    // SAFETY: as the caller promises; the frames that `exit` skips are the program's and `begin`,
    // which owns nothing.
    let status = unsafe {
        (*state).main = main;
        jump::enter(state.cast(), (argc, argv), begin, |saved| crash::run_with(&mut *state, saved))
    };
    crash::forget(state);
    status
}

unsafe extern "C" fn begin(state: *mut c_void, argc: c_int, argv: *const *const c_char) -> c_int {
    type Main = unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) -> c_int;
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    let state: *mut State = state.cast();
    // SAFETY: as `run` promises.
    unsafe {
        if let Some(program) = &mut (*state).program {
            program.initialize(argc, argv);
        }
        let main: Main = std::mem::transmute((*state).main);
        main(argc, argv, environ)
    }
}
