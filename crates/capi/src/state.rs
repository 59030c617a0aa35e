//! What a `TCCState` is.

use crate::jump::{self, Saved};
use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use tcc_rs::{Compiler, Diagnostic, Failure, Program};

/// `TCCErrorFunc`
pub type ErrorFunction = unsafe extern "C" fn(opaque: *mut c_void, message: *const c_char);

/// `TCCBtFunc`
pub type BacktraceFunction = unsafe extern "C" fn(
    data: *mut c_void,
    pc: *mut c_void,
    file: *const c_char,
    line: c_int,
    function: *const c_char,
    message: *const c_char,
) -> c_int;

/// `longjmp`
pub type LongJump = unsafe extern "C" fn(*mut c_void, c_int);

/// Where a fault of a state's code goes.
#[derive(Clone, Copy)]
pub enum Way {
    /// To the caller's `setjmp`, with the function that ends the backtrace.
    Jump { buffer: *mut c_void, top: *const c_void, longjmp: LongJump },
    /// Back from `tcc_run`.
    Leave(*mut Saved),
}

/// `TCC_OUTPUT_*`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    Memory,
    Executable,
    Object,
    SharedLibrary,
    Preprocessed,
}

impl Output {
    pub fn from_number(number: c_int) -> Option<Output> {
        use Output::*;
        let all = [Memory, Executable, Object, SharedLibrary, Preprocessed];
        usize::try_from(number).ok().and_then(|number| all.get(number.checked_sub(1)?).copied())
    }

    /// Options that sources are compiled with, beside the user's.
    fn options(self) -> &'static [&'static str] {
        match self {
            Output::Memory => tcc_rs::MEMORY_OPTIONS,
            Output::SharedLibrary => &["-fPIC"],
            Output::Preprocessed => &["-E"],
            Output::Executable | Output::Object => &[],
        }
    }
}

/// A compilation, and what it has made.
pub struct State {
    pub error: (Option<ErrorFunction>, *mut c_void),
    pub backtrace: (Option<BacktraceFunction>, *mut c_void),
    pub wants_backtrace: bool,
    pub output: Output,
    pub symbols: Vec<(String, usize)>,
    pub program: Option<Program>,
    pub main: *const (),
    pub way: Option<Way>,
    options: Vec<OsString>,
    /// Objects, archives and libraries.
    files: Vec<OsString>,
    objects: Vec<(String, Vec<u8>)>,
}

impl Default for State {
    fn default() -> State {
        State {
            error: (None, null_mut()),
            backtrace: (None, null_mut()),
            wants_backtrace: false,
            output: Output::Memory,
            symbols: Vec::new(),
            program: None,
            main: null(),
            way: None,
            options: Vec::new(),
            files: Vec::new(),
            objects: Vec::new(),
        }
    }
}

/// What `tcc_compile_string` calls a text without a name.
const TEXT: &str = "<string>";

impl State {
    /// A message for the embedding program.
    pub fn say(&self, message: &str) {
        match self.error {
            (Some(function), opaque) => {
                let text = CString::new(message.replace('\0', "")).unwrap_or_default();
                // SAFETY: the function is the embedding program's; the text stays during the call.
                unsafe { function(opaque, text.as_ptr()) };
            }
            // Nothing can be done, and nobody told, when standard error is gone.
            _ => drop(writeln!(std::io::stderr(), "{message}")),
        }
    }

    fn report(&self, diagnostics: &[Diagnostic]) {
        let line = |place: &Option<tcc_rs::Place>, severity: &str, message: &str| match place {
            Some(place) => format!("{}:{}: {severity}: {message}", place.file, place.line),
            None => format!("tcc: {severity}: {message}"),
        };
        for diagnostic in diagnostics {
            self.say(&line(&diagnostic.place, diagnostic.severity.word(), &diagnostic.message));
            diagnostic.notes.iter().for_each(|(place, message)| self.say(&line(place, "note", message)));
        }
    }

    fn fail(&self, failure: &Failure) -> c_int {
        self.report(&failure.diagnostics);
        -1
    }

    pub fn compiler_option(&mut self, option: &str, value: &OsStr) {
        let mut word = OsString::from(option);
        if option.len() > 2 {
            self.options.push(word);
            self.options.push(value.to_os_string());
        } else {
            word.push(value);
            self.options.push(word);
        }
    }

    pub fn options(&mut self, line: &OsStr) -> c_int {
        let before = self.options.len();
        for word in tcc_rs::split_words(line.as_bytes()) {
            match word.as_bytes() {
                // Backtraces need lines. The number of levels is the callback's to choose.
                [b'-', b'b', b't', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => {
                    self.wants_backtrace = true;
                    self.options.push("-g1".into());
                }
                b"-run" | b"-c" => {}
                [b'-', ..] => self.options.push(word),
                _ => {
                    if self.add_file(&word) != 0 {
                        return -1;
                    }
                }
            }
        }
        match Compiler::new().args(self.options.iter().cloned()).check() {
            Ok(()) => 0,
            Err(failure) => {
                self.options.truncate(before);
                self.fail(&failure)
            }
        }
    }

    fn compiler(&self) -> Compiler {
        Compiler::new().args(self.output.options().iter().copied()).args(self.options.iter().cloned())
    }

    pub fn add_file(&mut self, name: &OsStr) -> c_int {
        let extension = Path::new(name).extension().map(OsStr::as_bytes);
        if !matches!(extension, Some(b"c" | b"i" | b"s" | b"S" | b"sx" | b"h")) {
            if !Path::new(name).is_file() {
                self.say(&format!("tcc: error: file '{}' not found", name.to_string_lossy()));
                return -1;
            }
            self.files.push(name.to_os_string());
            return 0;
        }
        self.compile(self.compiler().arg(name))
    }

    pub fn compile_text(&mut self, text: &[u8]) -> c_int {
        self.compile(self.compiler().source(TEXT, text))
    }

    fn compile(&mut self, compiler: Compiler) -> c_int {
        match compiler.compile() {
            Ok(done) => {
                self.report(&done.diagnostics);
                for object in done.objects {
                    if self.output == Output::Preprocessed {
                        if std::io::stdout().write_all(&object.bytes).is_err() {
                            return -1;
                        }
                    } else {
                        self.objects.push((object.name.display().to_string(), object.bytes));
                    }
                }
                0
            }
            Err(failure) => self.fail(&failure),
        }
    }

    /// Everything that is linked.
    fn linker(&self) -> Compiler {
        let compiler = self.compiler().args(self.files.iter().cloned());
        self.objects.iter().fold(compiler, |compiler, (name, bytes)| compiler.object(name.as_str(), bytes.as_slice()))
    }

    fn load(&mut self) -> Option<Program> {
        if self.program.is_some() {
            self.say("tcc: error: the code was loaded already");
            return None;
        }
        let symbols = self.symbols.iter();
        let compiler =
            symbols.fold(self.linker(), |compiler, (name, at)| compiler.symbol(name.as_str(), *at as *const ()));
        match compiler.prepare() {
            Ok(program) => {
                self.report(&program.diagnostics);
                self.objects.clear();
                Some(program)
            }
            Err(failure) => {
                self.fail(&failure);
                None
            }
        }
    }

    pub fn relocate(&mut self) -> c_int {
        let Some(mut program) = self.load() else { return -1 };
        // SAFETY: constructors run when code is loaded.
        unsafe { program.initialize(0, null()) };
        self.program = Some(program);
        0
    }

    /// Loads the program whose `main` is to be run.
    pub fn prepare_to_run(&mut self) -> Option<*const ()> {
        self.symbols.push(("exit".to_string(), jump::exit as *const () as usize));
        let program = self.load()?;
        let main = program.symbol("main");
        if main.is_none() {
            self.say("tcc: error: undefined symbol 'main'");
        }
        self.program = Some(program);
        main
    }

    /// After `main`: what it registered runs.
    pub fn finish(&mut self) {
        if let Some(program) = &mut self.program {
            program.finalize();
        }
    }

    pub fn output_file(&mut self, name: &OsStr) -> c_int {
        let kind = match self.output {
            Output::Memory | Output::Preprocessed => {
                self.say("tcc: error: tcc_output_file needs tcc_set_output_type with a file's type");
                return -1;
            }
            Output::Executable => None,
            Output::SharedLibrary => Some("-shared"),
            Output::Object => Some("-r"),
        };
        let linker = kind.into_iter().fold(self.linker(), |linker, option| linker.arg(option));
        match linker.link(name) {
            Ok(diagnostics) => {
                self.report(&diagnostics);
                0
            }
            Err(failure) => self.fail(&failure),
        }
    }
}
