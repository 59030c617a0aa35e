//! Relocatable objects into the memory of the running process, ready to be called. It knows
//! nothing of C.
//!
//! [`inputs`] reads objects and archives and finds who defines each name; [`layout`] gives sections
//! their places in one mapping: code, read-only data, the table of addresses, data; [`relocate`]
//! writes what the relocations say (System V ABI, x86-64 supplement, chapter 4). A symbol of the
//! process that is too far away for 32 bits is reached through the table of addresses, a function
//! through a stub. [`thread`] serves thread-local variables, [`lines`] says which source line an
//! address belongs to, [`executable`] the same for programs in files, [`gdb`] tells a debugger.
//!
//! What is loaded belongs to an [`Image`]; when that is dropped, destructors run, and memory,
//! unwind
//! tables and the debugger's copy go. A damaged object is an [`Error`].

mod executable;
mod frames;
mod gdb;
mod inputs;
mod layout;
mod lines;
mod memory;
mod relocate;
mod thread;

pub use executable::{Executable, Frame};
pub use lines::Line;

use inputs::Inputs;
use memory::Mapping;
use rustc_hash::FxHashMap;
use std::ffi::{c_char, c_int, c_void};

/// Why objects cannot be loaded: a text for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

type Outcome<T> = Result<T, Error>;

fn error<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Error(message.into()))
}

/// What is to be loaded.
#[derive(Default)]
pub struct Request<'a> {
    /// Objects: all of each goes in. In the order of constructors.
    pub objects: Vec<&'a [u8]>,
    /// Archives: members that define what is missing go in.
    pub archives: Vec<&'a [u8]>,
    /// Calls of global functions go through the table of addresses, so that [`Image::replace`] can
    /// send them elsewhere. The objects must be compiled with `-fPIC -fsemantic-interposition`.
    pub replaceable: bool,
}

/// Names that the objects leave undefined, without those that weak references may leave so and
/// those that the loader has itself.
///
/// # Errors
/// A damaged object, or one of another machine.
pub fn undefined(request: &Request<'_>) -> Outcome<Vec<String>> {
    let inputs = Inputs::read(request)?;
    let names = inputs.undefined().filter(|name| builtin(name, &layout::Layout::default()).is_none());
    let mut names: Vec<String> = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Loaded code and data.
pub struct Image {
    mapping: Mapping,
    /// Address of each global symbol.
    symbols: FxHashMap<Vec<u8>, usize>,
    /// Every function: start, size, name; sorted by start.
    functions: Vec<(usize, usize, Vec<u8>)>,
    /// Places of calls' targets in the table of addresses, by name.
    slots: FxHashMap<Vec<u8>, usize>,
    initializers: Vec<usize>,
    finalizers: Vec<usize>,
    frames: Option<usize>,
    initialized: bool,
    /// What functions are registered under with `atexit`.
    handle: usize,
    _thread: Option<Box<thread::Module>>,
    lines: lines::Table,
    _debugger: Vec<gdb::Registration>,
    // In boxes: relocated code holds their addresses.
    #[allow(clippy::vec_box)]
    _external_thread: Vec<Box<thread::Module>>,
}

// SAFETY: the addresses are of memory that the image owns and that stays where it is.
unsafe impl Send for Image {}
// SAFETY: shared access only reads; `replace` writes one aligned word atomically.
unsafe impl Sync for Image {}

/// Loads what the request names. `resolve` gives the address of a name that nothing in it defines.
///
/// # Errors
/// Names without a definition or with several, objects that are damaged or need what is not here.
pub fn load(request: &Request<'_>, resolve: &mut dyn FnMut(&str) -> Option<usize>) -> Outcome<Image> {
    frames::prepare();
    let inputs = Inputs::read(request)?;
    let mut layout = layout::layout(&inputs, request.replaceable)?;
    let mut mapping = Mapping::new(layout.size, layout.low)?;
    layout.base = mapping.start();
    layout.copy(&inputs, &mut mapping);
    let thread = thread::module(&inputs, &layout);
    let done = relocate::relocate(&inputs, &layout, &mut mapping, thread.as_deref(), resolve)?;
    mapping.protect(layout.ends)?;
    // SAFETY: the code is complete and executable; a resolver of an indirect function takes
    // nothing.
    unsafe { relocate::indirect(&done, &layout, &mut mapping) };
    mapping.seal(layout.ends, request.replaceable)?;
    let frames = layout.frames.map(|at| layout.base + at);
    if let Some(frames) = frames {
        // SAFETY: the table stands there, ends in a zero word, and stays until it is deregistered.
        unsafe { frames::register(frames) };
    }
    let address = |section: (usize, usize), value: u64| layout.address(section).wrapping_add(value as usize);
    let symbols = inputs.definitions().map(|(name, section, value)| (name.to_vec(), address(section, value)));
    let symbols = symbols.chain(layout.commons.iter().map(|(name, at)| (name.clone(), layout.base + at))).collect();
    let mut functions: Vec<(usize, usize, Vec<u8>)> = inputs
        .functions()
        .map(|(name, section, value, size)| (address(section, value), size as usize, name.to_vec()))
        .collect();
    functions.sort();
    let arrays = |kind: layout::Array| layout.arrays(&inputs, kind);
    let debugger = inputs.objects.iter().enumerate().map(|(index, object)| {
        gdb::register(object, |section| layout.is_placed((index, section)).then(|| layout.address((index, section))))
    });
    Ok(Image {
        handle: layout.base + layout.handle,
        initializers: arrays(layout::Array::Initializers),
        finalizers: arrays(layout::Array::Finalizers),
        symbols,
        functions,
        slots: done.slots,
        frames,
        initialized: false,
        lines: lines::Table::new(&inputs, &layout),
        _debugger: debugger.collect(),
        _thread: thread,
        _external_thread: done.external,
        mapping,
    })
}

impl Image {
    /// Address of a global symbol.
    pub fn symbol(&self, name: &str) -> Option<usize> {
        self.symbols.get(name.as_bytes()).copied()
    }

    /// All global symbols, sorted by name.
    pub fn symbols(&self) -> Vec<(String, usize)> {
        let named = self.symbols.iter().map(|(name, at)| (String::from_utf8_lossy(name).into_owned(), *at));
        let mut all: Vec<(String, usize)> = named.collect();
        all.sort();
        all
    }

    /// Runs the constructors, once.
    ///
    /// # Safety
    /// They are code that was loaded, and do what they do.
    pub unsafe fn initialize(&mut self, argc: c_int, argv: *const *const c_char) {
        if std::mem::replace(&mut self.initialized, true) {
            return;
        }
        unsafe extern "C" {
            static environ: *const *const c_char;
        }
        for function in &self.initializers {
            // SAFETY: relocated entries of `.init_array` are functions with the C library's
            // signature.
            unsafe {
                let function: extern "C" fn(c_int, *const *const c_char, *const *const c_char) =
                    std::mem::transmute(*self.mapping.word(*function));
                function(argc, argv, environ);
            }
        }
    }

    /// Sends calls of a global function elsewhere from now on; answers whether there is one.
    /// Another thread that is in the function stays there until it returns.
    ///
    /// # Safety
    /// `address` is a function of the same type that stays as long as the image.
    pub unsafe fn replace(&self, name: &str, address: usize) -> bool {
        let Some(slot) = self.slots.get(name.as_bytes()) else { return false };
        // SAFETY: the slot is an aligned word of the image's memory, writable as it is replaceable.
        unsafe {
            (*(*slot as *const std::sync::atomic::AtomicUsize)).store(address, std::sync::atomic::Ordering::Release)
        };
        true
    }

    /// Whether the image has code at an address.
    pub fn contains(&self, address: usize) -> bool {
        self.mapping.contains(address)
    }

    /// The function that has an instruction.
    pub fn function_at(&self, address: usize) -> Option<String> {
        let after = self.functions.partition_point(|(start, _, _)| *start <= address);
        let (start, size, name) = self.functions[..after].last()?;
        (address - start < *size).then(|| String::from_utf8_lossy(name).into_owned())
    }

    /// The source line of an instruction, where debug information tells it.
    pub fn line_at(&self, address: usize) -> Option<Line> {
        self.lines.find(address)
    }
}

impl Image {
    /// Runs what was registered with `atexit`, and the destructors, if the constructors have run.
    pub fn finalize(&mut self) {
        unsafe extern "C" {
            fn __cxa_finalize(handle: *const c_void);
        }
        if !std::mem::replace(&mut self.initialized, false) {
            return;
        }
        // SAFETY: what was registered for this image is code of it, which is still there.
        unsafe { __cxa_finalize(self.handle as *const c_void) };
        for function in self.finalizers.iter().rev() {
            // SAFETY: relocated entries of `.fini_array` are functions that take nothing.
            unsafe {
                let function: extern "C" fn() = std::mem::transmute(*self.mapping.word(*function));
                function();
            }
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.finalize();
        if let Some(frames) = self.frames {
            // SAFETY: it was registered when the image was made.
            unsafe { frames::deregister(frames) };
        }
    }
}

/// Names that a program gets from its start files or from the dynamic linker.
fn builtin(name: &[u8], layout: &layout::Layout) -> Option<usize> {
    let base = layout.base;
    match name {
        b"__dso_handle" => Some(base + layout.handle),
        b"__tls_get_addr" => Some(thread::address as *const () as usize),
        b"_GLOBAL_OFFSET_TABLE_" => Some(base),
        b"__TMC_END__" => Some(base),
        _ => None,
    }
}
