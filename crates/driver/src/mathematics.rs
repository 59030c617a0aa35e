//! The C library's mathematical functions, looked up when the first of them is called: constants
//! are folded with them now and then, and a process that has the library from its start takes a
//! fifth of a millisecond longer, a twentieth of what a small file takes.
//!
//! Rust's `f64::sin` and the like are calls of the names below.

use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, Ordering};

fn find(name: &CStr) -> *mut libc::c_void {
    // SAFETY: the names are strings; the constructors are the C library's.
    let function = unsafe {
        let library = libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_LAZY | libc::RTLD_GLOBAL);
        if library.is_null() { library } else { libc::dlsym(library, name.as_ptr()) }
    };
    if function.is_null() {
        eprintln!("fatal error: libm.so.6 has no {}\ncompilation terminated.", name.to_string_lossy());
        std::process::exit(1);
    }
    function
}

macro_rules! functions {
    ($($name:ident($($argument:ident: $ty:ty),+) $(-> $result:ty)?;)+) => {$(
        /// The function of this name in the library.
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $ty),+) $(-> $result)? {
            static FOUND: AtomicPtr<libc::c_void> = AtomicPtr::new(std::ptr::null_mut());
            let mut function = FOUND.load(Ordering::Relaxed);
            if function.is_null() {
                let name = concat!(stringify!($name), "\0").as_bytes();
                function = find(CStr::from_bytes_with_nul(name).expect("a string"));
                FOUND.store(function, Ordering::Relaxed);
            }
            // SAFETY: the library's function has this type.
            let function: extern "C" fn($($ty),+) $(-> $result)? = unsafe { std::mem::transmute(function) };
            function($($argument),+)
        }
    )+};
}

functions! {
    acos(x: f64) -> f64;
    asin(x: f64) -> f64;
    atan(x: f64) -> f64;
    atan2(y: f64, x: f64) -> f64;
    cos(x: f64) -> f64;
    cosh(x: f64) -> f64;
    exp(x: f64) -> f64;
    exp2(x: f64) -> f64;
    exp2f(x: f32) -> f32;
    expm1(x: f64) -> f64;
    hypot(x: f64, y: f64) -> f64;
    log(x: f64) -> f64;
    log10(x: f64) -> f64;
    log1p(x: f64) -> f64;
    log2(x: f64) -> f64;
    pow(x: f64, y: f64) -> f64;
    sin(x: f64) -> f64;
    sincos(x: f64, sine: *mut f64, cosine: *mut f64);
    sinh(x: f64) -> f64;
    tan(x: f64) -> f64;
    tanh(x: f64) -> f64;
}
