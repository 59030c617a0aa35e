//! Code in the memory of this process: objects, what they need of libraries and of our own support
//! routines, loaded and ready to be called.

use super::{Compiler, Failure, Object};
use crate::invocation::{Input, Invocation, Language};
use crate::report::{self, Stopped};
use crate::toolchain::Toolchain;
use crate::{Diagnostic, Line, link};
use loader::{Image, Request};
use std::ffi::{CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Compiled code that can be called. What it gave out (addresses of functions and variables) may be
/// used until it is dropped; dropping runs destructors and what was registered with `atexit`.
pub struct Program {
    image: Image,
    /// Shared libraries that it uses.
    libraries: Vec<Library>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// A shared library, closed when dropped.
struct Library(*mut c_void);

// SAFETY: the handle may be used from any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: the handle was opened here, and nothing of the program that used it runs any
        // more.
        unsafe { libc::dlclose(self.0) };
    }
}

/// Options that code in memory is compiled with: what it refers to may be anywhere in the process.
pub const MEMORY_OPTIONS: &[&str] = &["-fPIC", "-ftls-model=global-dynamic", "-fno-semantic-interposition"];
const REPLACEABLE: &[&str] = &["-fPIC", "-ftls-model=global-dynamic", "-fsemantic-interposition"];

impl Compiler {
    /// Compiles every source and loads the code into this process. Objects, archives and `-l`
    /// among the arguments are loaded, too. Names that nothing else defines are those given with
    /// [`Compiler::symbol`], then the process's and its libraries'. Constructors have run.
    ///
    /// # Errors
    /// As [`Compiler::compile`], and symbols that are defined twice or not at all.
    pub fn load(&self) -> Result<Program, Failure> {
        let mut program = self.prepare()?;
        // SAFETY: running constructors is what loading means.
        unsafe { program.initialize(0, std::ptr::null()) };
        Ok(program)
    }

    /// As [`Compiler::load`], without running constructors; see [`Program::initialize`].
    ///
    /// # Errors
    /// The same.
    pub fn prepare(&self) -> Result<Program, Failure> {
        let defaults = if self.replaceable { REPLACEABLE } else { MEMORY_OPTIONS };
        let job = || {
            let (objects, inv) = self.objects(defaults)?;
            self.load_objects(&objects, &inv)
        };
        let ((image, libraries), diagnostics) = self.on_own_thread(job)?;
        Ok(Program { image, libraries, diagnostics })
    }

    fn load_objects(&self, objects: &[Object], inv: &Invocation) -> Result<(Image, Vec<Library>), Stopped> {
        let mut files = Files::default();
        files.objects.extend(objects.iter().chain(&self.objects).map(|object| object.bytes.clone()));
        let libraries = files.open_inputs(inv)?;
        let request = || Request {
            objects: files.objects.iter().map(|bytes| &bytes[..]).collect(),
            archives: files.archives.iter().map(|bytes| &bytes[..]).collect(),
            replaceable: self.replaceable,
        };
        let known = |name: &str| {
            let added = self.symbols.iter().rev().find(|(known, _)| known == name).map(|(_, address)| *address);
            added.or_else(|| process_symbol(name, &libraries))
        };
        let fail = |e: loader::Error| -> Stopped {
            for line in e.0.lines() {
                report::error(super::PROGRAM, line);
            }
            Stopped::Failed
        };
        let missing = |request: &Request| -> Result<Vec<String>, Stopped> {
            let undefined = loader::undefined(request).map_err(fail)?;
            Ok(undefined.into_iter().filter(|name| known(name).is_none()).collect())
        };
        let (mut request, mut own, mut shared) = (request(), None, Vec::new());
        let names = missing(&request)?;
        if !names.is_empty() {
            own = link::support_archive(inv, &names)?;
        }
        request.archives.extend(own.as_deref());
        if !names.is_empty() && !missing(&request)?.is_empty() {
            shared = unshared_routines(inv);
        }
        request.archives.extend(shared.iter().map(|bytes| &bytes[..]));
        let image = loader::load(&request, &mut |name| known(name)).map_err(fail)?;
        Ok((image, libraries))
    }
}

/// What is linked beside the sources.
#[derive(Default)]
struct Files {
    objects: Vec<Vec<u8>>,
    archives: Vec<Vec<u8>>,
}

impl Files {
    /// Reads objects and archives of the command line, and opens its shared libraries.
    fn open_inputs(&mut self, inv: &Invocation) -> Result<Vec<Library>, Stopped> {
        let mut libraries = Vec::new();
        let mut tools = None;
        for input in &inv.inputs {
            match input {
                Input::File { path, language: Language::LinkerInput } => self.open(path, &mut libraries, true)?,
                Input::Library(name) => {
                    let tools = tools.get_or_insert_with(|| Toolchain::discover(inv));
                    let path = find_library(tools, inv, name).ok_or_else(|| {
                        let message = format!("cannot find -l{}", name.to_string_lossy());
                        report::error(super::PROGRAM, &message)
                    })?;
                    self.open(&path, &mut libraries, true)?;
                }
                _ => {}
            }
        }
        Ok(libraries)
    }

    /// A script names files that are none.
    fn open(&mut self, path: &Path, libraries: &mut Vec<Library>, may_be_script: bool) -> Result<(), Stopped> {
        let fail = |why: String| report::error(super::PROGRAM, &format!("{}: {why}", path.display()));
        let bytes = std::fs::read(path).map_err(|e| fail(e.to_string()))?;
        match () {
            () if bytes.starts_with(b"!<arch>\n") => self.archives.push(bytes),
            // ET_REL
            () if bytes.starts_with(b"\x7fELF") && bytes.get(16) == Some(&1) => self.objects.push(bytes),
            () if bytes.starts_with(b"\x7fELF") => libraries.push(open_library(path).map_err(fail)?),
            () if may_be_script => {
                for part in script_files(&bytes) {
                    self.open(&part, libraries, false)?;
                }
            }
            () => return Err(fail("neither an object nor an archive nor a shared library".into()).into()),
        }
        Ok(())
    }
}

/// Absolute names of a linker script (`GROUP ( /lib/libm.so.6 AS_NEEDED ( ... ) )`), as the C
/// library has them in the place of shared libraries.
fn script_files(script: &[u8]) -> Vec<PathBuf> {
    let text = String::from_utf8_lossy(script);
    let group = text.find("GROUP").or_else(|| text.find("INPUT")).map_or("", |at| &text[at..]);
    let words = group.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    words.filter(|word| word.starts_with('/') && !word.starts_with("/*")).map(PathBuf::from).collect()
}

fn find_library(tools: &Toolchain, inv: &Invocation, name: &OsStr) -> Option<PathBuf> {
    let dirs = tools.search_dirs(inv);
    let file = |suffix: &str| {
        let mut file = std::ffi::OsString::from("lib");
        file.push(name);
        file.push(suffix);
        file
    };
    let exact = name.as_bytes().strip_prefix(b":").map(OsStr::from_bytes);
    dirs.iter().find_map(|dir| {
        let candidates = match exact {
            Some(exact) => vec![exact.to_os_string()],
            None => vec![file(".so"), file(".a")],
        };
        candidates.into_iter().map(|file| dir.join(file)).find(|path| path.is_file())
    })
}

fn open_library(path: &Path) -> Result<Library, String> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: the name is a string; constructors of the library are what its user asks for.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_GLOBAL) };
    if handle.is_null() {
        // SAFETY: after a failure there is a text, which is valid until the next call.
        let text = unsafe { libc::dlerror() };
        // SAFETY: as above.
        return Err(unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned());
    }
    Ok(Library(handle))
}

/// A symbol of the process, of the libraries, or else of the C library's mathematical part, which
/// is opened only for that.
fn process_symbol(name: &str, libraries: &[Library]) -> Option<usize> {
    let name = CString::new(name).ok()?;
    let handles = libraries.iter().map(|library| library.0);
    // SAFETY: the name is a string.
    let mathematics = || unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_LAZY | libc::RTLD_GLOBAL) };
    let last = std::iter::once_with(mathematics).filter(|handle| !handle.is_null());
    std::iter::once(libc::RTLD_DEFAULT).chain(handles).chain(last).find_map(|handle| {
        // SAFETY: the handle is open and the name a string.
        let address = unsafe { libc::dlsym(handle, name.as_ptr()) } as usize;
        (address != 0).then_some(address)
    })
}

/// Archives with what the C library and gcc's keep out of their shared parts.
fn unshared_routines(inv: &Invocation) -> Vec<Vec<u8>> {
    let tools = Toolchain::discover(inv);
    let paths = ["libc_nonshared.a", "libgcc.a"].iter().filter_map(|name| tools.find_file(inv, name));
    paths.filter_map(|path| std::fs::read(path).ok()).collect()
}

impl Program {
    /// Address of a global function or variable.
    pub fn symbol(&self, name: &str) -> Option<*const ()> {
        self.image.symbol(name).map(|address| address as *const ())
    }

    /// All global symbols, sorted by name.
    pub fn symbols(&self) -> Vec<(String, *const ())> {
        self.image.symbols().into_iter().map(|(name, address)| (name, address as *const ())).collect()
    }

    /// Runs constructors, which get these arguments, unless they have run.
    ///
    /// # Safety
    /// `argv` has `argc` strings and a null pointer, or is null; the code does what it does.
    pub unsafe fn initialize(&mut self, argc: c_int, argv: *const *const c_char) {
        // SAFETY: as the caller promises.
        unsafe { self.image.initialize(argc, argv) };
    }

    /// Runs what was registered with `atexit` and destructors, unless they have run. Dropping does
    /// the same.
    pub fn finalize(&mut self) {
        self.image.finalize();
    }

    /// Sends all calls of a global function elsewhere from now on, while the program may run;
    /// answers whether there is such a function. Needs [`Compiler::replaceable`].
    ///
    /// # Safety
    /// The new function has the same type, and stays as long as this program.
    pub unsafe fn replace(&self, name: &str, function: *const ()) -> bool {
        // SAFETY: as the caller promises.
        unsafe { self.image.replace(name, function as usize) }
    }

    /// Whether an address is in the program's code or data.
    pub fn contains(&self, address: *const ()) -> bool {
        self.image.contains(address as usize)
    }

    /// Name of the function that has the instruction at an address.
    pub fn function_at(&self, address: *const ()) -> Option<String> {
        self.image.function_at(address as usize)
    }

    /// Source line of the instruction at an address, if the program was compiled with `-g`.
    pub fn line_at(&self, address: *const ()) -> Option<Line> {
        self.image.line_at(address as usize)
    }

    /// How many shared libraries were opened for it.
    pub fn library_count(&self) -> usize {
        self.libraries.len()
    }
}
