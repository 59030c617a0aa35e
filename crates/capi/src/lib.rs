//! The compiler as a C library: TinyCC's `libtcc.h` under its own names (`include/libtcc.h` says
//! what each function does). A state is a [`tcc_rs::Compiler`] and what it has made.
//!
//! # Safety
//! All functions take what C programs give them: `s` is a state from [`tcc_new`] that no other
//! thread uses now, and texts end in a zero byte.

mod allocator;
mod crash;
mod jump;
mod run;
mod state;

use state::BacktraceFunction;
use state::{ErrorFunction, Output, State};
use std::ffi::{CStr, OsStr, c_char, c_int, c_ulong, c_void};
use std::os::unix::ffi::OsStrExt;

/// `TCCReallocFunc`
pub type ReallocFunction = unsafe extern "C" fn(*mut c_void, c_ulong) -> *mut c_void;

/// A text of the caller's, which ends in a zero byte, or null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Text(*const c_char);

impl Text {
    /// Its bytes; those of an empty one for null.
    fn os<'a>(self) -> &'a OsStr {
        if self.0.is_null() {
            return OsStr::new("");
        }
        // SAFETY: texts of the interface end in a zero byte, and stay during the call.
        OsStr::from_bytes(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    fn lossy(self) -> String {
        self.os().to_string_lossy().into_owned()
    }
}

/// Declares functions of the interface: each gets its state as a reference, and a panic of ours is
/// a
/// message and the value after `else`.
macro_rules! interface {
    ($($(#[$doc:meta])* fn $name:ident($state:ident $(, $argument:ident: $type:ty)*) $(-> $result:ty)? $body:block else $failed:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// See the crate.
            // `?` gives `None`, which is one of the values after `else` only.
            #[allow(clippy::question_mark)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(state: *mut State $(, $argument: $type)*) $(-> $result)? {
                // SAFETY: the state is the caller's and nobody else has it now.
                let Some($state) = (unsafe { state.as_mut() }) else { return $failed };
                let work = std::panic::AssertUnwindSafe(|| $body);
                match std::panic::catch_unwind(work) {
                    Ok(result) => result,
                    Err(_) => {
                        // SAFETY: as above.
                        unsafe { (*state).say("internal compiler error") };
                        $failed
                    }
                }
            }
        )*
    };
}

/// Sets where the library's memory comes from.
#[unsafe(no_mangle)]
pub extern "C" fn tcc_set_realloc(function: Option<ReallocFunction>) {
    allocator::set(function);
}

/// A new state.
#[unsafe(no_mangle)]
pub extern "C" fn tcc_new() -> *mut State {
    Box::into_raw(Box::new(State::default()))
}

/// Frees a state and its code.
///
/// # Safety
/// See the crate; the state is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcc_delete(state: *mut State) {
    if state.is_null() {
        return;
    }
    crash::forget(state);
    // SAFETY: it came from `tcc_new` and is not used again.
    let state = unsafe { Box::from_raw(state) };
    // Destructors of the loaded program are not ours; a panic of ours ends here.
    drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(state))));
}

interface! {
    /// The folder of libtcc's own headers.
    fn tcc_set_lib_path(s, path: Text) {
        s.compiler_option("-idirafter", &std::path::Path::new(path.os()).join("include").into_os_string());
    } else Default::default();

    /// Who gets messages.
    fn tcc_set_error_func(s, opaque: *mut c_void, function: Option<ErrorFunction>) {
        s.error = (function, opaque);
    } else Default::default();

    /// Who gets messages.
    fn tcc_get_error_func(s) -> Option<ErrorFunction> { s.error.0 } else None;

    /// What is given to who gets messages.
    fn tcc_get_error_opaque(s) -> *mut c_void { s.error.1 } else std::ptr::null_mut();

    /// Options as on the command line.
    fn tcc_set_options(s, text: Text) -> c_int { s.options(text.os()) } else -1;

    /// `-I`
    fn tcc_add_include_path(s, path: Text) -> c_int {
        s.compiler_option("-I", path.os());
        0
    } else -1;

    /// `-isystem`
    fn tcc_add_sysinclude_path(s, path: Text) -> c_int {
        s.compiler_option("-isystem", path.os());
        0
    } else -1;

    /// `-D`
    fn tcc_define_symbol(s, name: Text, value: Text) {
        let mut text = name.os().to_os_string();
        if !value.0.is_null() {
            text.push("=");
            text.push(value.os());
        }
        s.compiler_option("-D", &text);
    } else Default::default();

    /// `-U`
    fn tcc_undefine_symbol(s, name: Text) {
        s.compiler_option("-U", name.os());
    } else Default::default();

    /// Compiles or adds a file.
    fn tcc_add_file(s, name: Text) -> c_int { s.add_file(name.os()) } else -1;

    /// Compiles a text.
    fn tcc_compile_string(s, text: Text) -> c_int {
        s.compile_text(text.os().as_bytes())
    } else -1;

    /// What is made.
    fn tcc_set_output_type(s, kind: c_int) -> c_int {
        match Output::from_number(kind) {
            Some(output) => { s.output = output; 0 }
            None => { s.say("unknown output type"); -1 }
        }
    } else -1;

    /// `-L`
    fn tcc_add_library_path(s, path: Text) -> c_int {
        s.compiler_option("-L", path.os());
        0
    } else -1;

    /// `-l`
    fn tcc_add_library(s, name: Text) -> c_int {
        s.compiler_option("-l", name.os());
        0
    } else -1;

    /// A symbol of the caller's.
    fn tcc_add_symbol(s, name: Text, value: *const c_void) -> c_int {
        s.symbols.push((name.lossy(), value as usize));
        0
    } else -1;

    /// Writes the output.
    fn tcc_output_file(s, name: Text) -> c_int { s.output_file(name.os()) } else -1;

    /// Loads the code.
    fn tcc_relocate(s) -> c_int { s.relocate() } else -1;

    /// Loads the code; older versions of libtcc could be given memory.
    fn tcc_relocate_at(s, at: *mut c_void) -> c_int {
        if at as usize == 1 {
            return s.relocate();
        }
        s.say("tcc_relocate: code goes into memory of the library (TCC_RELOCATE_AUTO)");
        -1
    } else -1;

    /// Address of a global symbol.
    fn tcc_get_symbol(s, name: Text) -> *const c_void {
        let address = s.program.as_ref().and_then(|program| program.symbol(&name.lossy()));
        address.map_or(std::ptr::null(), <*const ()>::cast)
    } else std::ptr::null();

    /// All global symbols.
    fn tcc_list_symbols(s, context: *mut c_void, callback: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const c_void)>) {
        let (Some(callback), Some(program)) = (callback, &s.program) else { return };
        for (name, address) in program.symbols() {
            if let Ok(name) = std::ffi::CString::new(name) {
                // SAFETY: the callback is the caller's; the name stays during the call.
                unsafe { callback(context, name.as_ptr(), address.cast()) };
            }
        }
    } else Default::default();

    /// Notes where a fault goes.
    fn _tcc_setjmp(s, buffer: *mut c_void, top: *const c_void, longjmp: state::LongJump) -> *mut c_void {
        crash::catch_with(s, buffer, top, longjmp);
        buffer
    } else buffer;

    /// Who gets the levels of a backtrace.
    fn tcc_set_backtrace_func(s, data: *mut c_void, function: Option<BacktraceFunction>) {
        s.backtrace = (function, data);
    } else Default::default();
}

/// Runs `main`.
///
/// # Safety
/// See the crate; `argv` has `argc` texts and a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcc_run(state: *mut State, argc: c_int, argv: *mut *mut c_char) -> c_int {
    // The program's own frames stand between this one and `exit`, which leaves them: nothing here
    // may need to be cleaned up while it runs.
    // SAFETY: as the caller promises.
    let Some(main) = (unsafe { state.as_mut() }).and_then(State::prepare_to_run) else { return -1 };
    // SAFETY: `main` is the program's, and the state stays.
    unsafe {
        let status = run::run(state, main, argc, argv.cast());
        (*state).finish();
        status
    }
}
