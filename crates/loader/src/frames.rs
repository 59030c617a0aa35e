//! Telling unwinders of the frames of loaded code.
//!
//! There may be two: the one that this program was linked with, and the shared library that the
//! loaded code calls, as the C library does for `backtrace` and the end of threads.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

type Function = unsafe extern "C" fn(*const c_void);

unsafe extern "C" {
    fn __register_frame(begin: *const c_void);
    fn __deregister_frame(begin: *const c_void);
}

/// The shared library's functions, if they are not those that this program was linked with.
struct Shared {
    register: Function,
    deregister: Function,
}

static SHARED: OnceLock<Option<Shared>> = OnceLock::new();

fn shared() -> Option<&'static Shared> {
    let find = || {
        // SAFETY: the name is a string; the library has nothing that runs when it is loaded but
        // asking which processor this is.
        let library = unsafe { libc::dlopen(c"libgcc_s.so.1".as_ptr(), libc::RTLD_LAZY | libc::RTLD_GLOBAL) };
        let function = |name: &CStr| {
            // SAFETY: the handle is a library's, and the name is a string.
            let address = if library.is_null() { library } else { unsafe { libc::dlsym(library, name.as_ptr()) } };
            // SAFETY: functions of these names take one pointer and give nothing.
            (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Function>(address) })
        };
        let (register, deregister) = (function(c"__register_frame")?, function(c"__deregister_frame")?);
        (register as usize != __register_frame as *const () as usize).then_some(Shared { register, deregister })
    };
    SHARED.get_or_init(find).as_ref()
}

/// Has the shared library in the process, before names are looked for in it.
pub fn prepare() {
    shared();
}

/// # Safety
/// A table of frames stands at `begin`, ends in a zero word, and stays until it is deregistered.
pub unsafe fn register(begin: usize) {
    let begin = begin as *const c_void;
    // SAFETY: see above.
    unsafe {
        __register_frame(begin);
        if let Some(shared) = shared() {
            (shared.register)(begin);
        }
    }
}

/// # Safety
/// The table was registered.
pub unsafe fn deregister(begin: usize) {
    let begin = begin as *const c_void;
    // SAFETY: see above.
    unsafe {
        __deregister_frame(begin);
        if let Some(shared) = shared() {
            (shared.deregister)(begin);
        }
    }
}
