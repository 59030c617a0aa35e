//! A session: what has been declared, where it is, and how an input becomes part of it.

use super::functions::Functions;
use super::input::{self, Form, Item, Scanned};
use super::process::{self, Shared, Stopped};
use super::units::{Kept, Piece, Place, RUN, Unit};
use super::{Line, crash};
use crate::{Compiler, Diagnostic, Failure, Program};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::path::Path;
use std::sync::atomic::Ordering;

/// The name of what is typed.
const TYPED: &str = "<stdin>";
const FUNCTIONS_FULL: &str = "there are too many functions in this session";

/// An input could not be accepted, which has been said.
pub struct Refused;

pub struct Session {
    pub line: Line,
    pub shared: &'static Shared,
    pub kept: Vec<Kept>,
    /// Definitions of functions, for those who want to see their code.
    pub texts: BTreeMap<String, String>,
    /// Addresses of everything that has one.
    pub symbols: BTreeMap<String, usize>,
    pub functions: Functions,
    /// Functions that are declared; where no library has them, they may be defined later.
    pub promised: Vec<String>,
    /// The code, oldest first.
    pub programs: Vec<Program>,
    /// Values that were printed.
    pub values: usize,
    /// `errno` of the code that ran last.
    pub errno: c_int,
    ending: bool,
}

impl Session {
    /// An empty one; with the objects of the command line.
    pub fn new(program: &str, line: &Line, shared: &'static Shared) -> Option<Session> {
        let functions = match Functions::new() {
            Ok(functions) => functions,
            Err(error) => {
                crate::report::fatal(program, &format!("no memory for functions: {error}"));
                return None;
            }
        };
        // What programs print is seen before what they crash with, and what they do not read is the
        // session's.
        unsafe extern "C" {
            static stdin: *mut libc::FILE;
            static stdout: *mut libc::FILE;
        }
        // SAFETY: nothing has been written or read yet.
        unsafe {
            libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, 0);
            libc::setvbuf(stdin, std::ptr::null_mut(), libc::_IONBF, 0);
        }
        let mut session = Session {
            line: line.clone(),
            shared,
            kept: Vec::new(),
            texts: BTreeMap::new(),
            symbols: BTreeMap::new(),
            functions,
            promised: Vec::new(),
            programs: Vec::new(),
            values: 0,
            errno: 0,
            ending: false,
        };
        session.load_objects().ok()?;
        Some(session)
    }

    /// Objects of the command line, and a first look at its options.
    fn load_objects(&mut self) -> Result<(), Refused> {
        let compiler = self.compiler().args(self.line.objects.iter().cloned()).source(TYPED, "");
        let loaded = compiler.load().map_err(|failure| self.refuse(&failure))?;
        for (name, address) in loaded.symbols() {
            self.symbols.insert(name, address as usize);
        }
        self.programs.push(loaded);
        Ok(())
    }

    /// Whether it has been told to end.
    pub fn is_ending(&self) -> bool {
        self.ending
    }

    /// Lets go of all code, the newest first: destructors see what came before them.
    pub fn unload(&mut self) {
        while self.programs.pop().is_some() {}
    }

    /// The place of an input that was typed, whose lines are counted.
    pub fn typed_place(&self, text: &str) -> Place {
        let lines = text.trim_end_matches('\n').matches('\n').count() as c_int + 1;
        let before = self.shared.lines.fetch_add(lines, Ordering::SeqCst);
        Place { file: TYPED.into(), line: before as usize + 1 }
    }

    pub fn end(&mut self) {
        self.ending = true;
    }

    /// Reads a file as if it were typed; whether all of it was accepted.
    pub fn load(&mut self, path: &Path) -> bool {
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                self.shared.failed.store(true, Ordering::SeqCst);
                return false;
            }
        };
        let place = Place { file: path.display().to_string(), line: 1 };
        let is_done = self.text(&place, &text).is_ok();
        if !is_done {
            self.shared.failed.store(true, Ordering::SeqCst);
        }
        is_done
    }

    /// Accepts the parts of a text in order, up to the first that is refused.
    pub fn text(&mut self, place: &Place, text: &str) -> Result<(), Refused> {
        let scanned = input::scan(text);
        if scanned.has_conditional() && !scanned.is_unfinished() {
            let chosen = self.chosen_lines(place, text)?;
            return self.parts(&input::scan(&chosen), place);
        }
        self.parts(&scanned, place)
    }

    fn parts(&mut self, scanned: &Scanned<'_>, place: &Place) -> Result<(), Refused> {
        let piece = Piece { place, text: scanned.text };
        let items = scanned.items();
        let mut at = 0;
        while at < items.len() {
            let items = &items[at..];
            let count = items.iter().take_while(|i| matches!(i.form, Form::Declaration | Form::Function(_))).count();
            if count > 1 && self.define_together(scanned, &piece, &items[..count]) {
                at += count;
                continue;
            }
            self.part(scanned, &piece, &items[0])?;
            at += 1;
        }
        Ok(())
    }

    fn part(&mut self, scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item) -> Result<(), Refused> {
        match item.form {
            Form::Directive => self.directive(scanned, piece, item),
            Form::Declaration | Form::Function(_) => self.declaration(scanned, piece, item),
            Form::Statement => self.statement(piece, scanned.range(&item.tokens)),
            Form::Expression => self.expression(scanned, piece, item),
            Form::Either if self.is_type(piece, scanned.range(&(item.tokens.start..item.tokens.start + 1))) => {
                self.declaration(scanned, piece, item)
            }
            Form::Either => self.expression(scanned, piece, item),
        }
    }

    fn is_type(&self, piece: &Piece<'_>, word: std::ops::Range<usize>) -> bool {
        // `typeof` takes values, too, which are no types of parameters.
        let mut unit = Unit::new(&self.kept);
        unit.own(&format!("void {RUN}({} *);", &piece.text[word]));
        self.compiler().arg("-w").source(TYPED, unit.text()).module().is_ok()
    }

    fn directive(&mut self, scanned: &Scanned<'_>, piece: &Piece<'_>, item: &Item) -> Result<(), Refused> {
        let range = scanned.range(&item.tokens);
        let text = piece.text[range.clone()].to_string();
        let mut unit = Unit::new(&self.kept);
        unit.typed(piece, range.clone());
        let source = self.compiler().source(&piece.place.file, unit.text());
        let (module, diagnostics) = source.module().map_err(|failure| self.refuse(&failure))?;
        show(&diagnostics);
        let defined = module.symbols.values().find(|symbol| {
            let is_defined = !matches!(symbol.def, ir::SymbolDef::Undefined);
            is_defined && matches!(symbol.linkage, ir::Linkage::Global)
        });
        if let Some(symbol) = defined {
            eprintln!("this defines '{}', each time it is included: use :load for files with definitions", symbol.name);
            return Err(Refused);
        }
        let line = piece.place.line + piece.text[..range.start].matches('\n').count();
        self.kept.push(Kept::Text { place: Place { file: piece.place.file.clone(), line }, text });
        Ok(())
    }

    /// The lines of a text that its conditionals choose; the others are empty.
    fn chosen_lines(&self, place: &Place, text: &str) -> Result<String, Refused> {
        const MARK: &str = "__tcc_rs_line_";
        let scanned = input::scan(text);
        let mut lines: Vec<&str> = text.lines().collect();
        let directives = scanned.tokens.iter().filter(|token| token.kind == input::Kind::Directive);
        // Each line, or directive with all its lines, as (first line, lines, conditional).
        let mut rows: Vec<(usize, usize, bool)> = (0..lines.len()).map(|line| (line, 1, false)).collect();
        for token in directives {
            let first = text[..token.range.start].matches('\n').count();
            let count = text[token.range.clone()].matches('\n').count() + 1;
            let word = text[token.range.clone()].trim_start_matches('#').trim_start();
            let is_conditional = word.starts_with("if") || word.starts_with("el") || word.starts_with("endif");
            rows.retain(|row| !(first..first + count).contains(&row.0));
            rows.push((first, count, is_conditional));
        }
        rows.sort_unstable();
        let mut unit = Unit::new(&self.kept);
        let mut marked = String::new();
        for &(first, count, is_conditional) in &rows {
            let whole = lines[first..first + count].join("\n");
            if is_conditional {
                marked.push_str(&format!("# {} \"{}\"\n{whole}\n", place.line + first, place.file));
            } else {
                let is_directive = whole.trim_start().starts_with('#');
                let own = if is_directive { format!("{whole}\n") } else { String::new() };
                marked.push_str(&format!("{own}{MARK}{first}_\n"));
            }
        }
        unit.own(&marked);
        let source = self.compiler().arg("-E").arg("-P").source(&place.file, unit.text());
        let done = source.compile().map_err(|failure| self.refuse(&failure))?;
        show(&done.diagnostics);
        let output = done.objects.last().map(|object| String::from_utf8_lossy(&object.bytes).into_owned());
        let output = output.unwrap_or_default();
        for &(first, count, is_conditional) in &rows {
            if is_conditional || !output.contains(&format!("{MARK}{first}_")) {
                lines[first..first + count].fill("");
            }
        }
        Ok(lines.join("\n"))
    }

    /// The compiler with the options of the session.
    pub fn compiler(&self) -> Compiler {
        Compiler::new().args(self.line.options.iter().cloned())
    }

    /// Compiles a unit and brings it into memory, as if nothing but it were new.
    pub fn prepare(&mut self, file: &str, unit: String, more: &[&Program]) -> Result<Program, Failure> {
        let mut compiler = self.compiler().replaceable().source(file, unit);
        for (name, address) in &self.symbols {
            compiler = compiler.symbol(name.as_str(), *address as *const ());
        }
        for (name, address) in more.iter().flat_map(|program| program.symbols()) {
            compiler = compiler.symbol(name, address);
        }
        loop {
            let failure = match compiler.prepare() {
                Ok(program) => return Ok(program),
                Err(failure) => failure,
            };
            // Functions that may be defined later.
            let name =
                |d: &Diagnostic| Some(d.message.strip_prefix("undefined symbol '")?.strip_suffix('\'')?.to_string());
            let missing: Option<Vec<String>> =
                failure.diagnostics.iter().filter(|d| d.severity == crate::Severity::Error).map(name).collect();
            let missing =
                missing.filter(|names| !names.is_empty() && names.iter().all(|name| self.promised.contains(name)));
            let Some(missing) = missing else { return Err(failure) };
            for name in missing {
                let Some(jump) = self.functions.add(undefined_function as *const () as usize) else {
                    return Err(failure);
                };
                self.symbols.insert(name.clone(), jump);
                compiler = compiler.symbol(name, jump as *const ());
            }
        }
    }

    /// Makes loaded code part of the session.
    pub fn commit(&mut self, program: Program) {
        for (name, address) in program.symbols() {
            let address = address as usize;
            if name == RUN {
                continue;
            }
            if program.function_at(address as *const ()).as_deref() != Some(&name) {
                self.symbols.insert(name, address);
                continue;
            }
            let known = self.symbols.get(&name).copied().filter(|jump| self.functions.target(*jump).is_some());
            let jump = match known {
                Some(jump) => {
                    self.functions.set(jump, address);
                    jump
                }
                None => match self.functions.add(address) {
                    Some(jump) => jump,
                    None => {
                        eprintln!("{FUNCTIONS_FULL}: '{name}' cannot be replaced later");
                        address
                    }
                },
            };
            if jump != address {
                // SAFETY: the jump leads to a function of this type, and stays with the session.
                unsafe { program.replace(&name, jump as *const ()) };
            }
            self.symbols.insert(name, jump);
        }
        self.programs.push(program);
    }

    /// Runs code of programs that are not part of the session yet.
    pub fn attempt<R>(
        &mut self,
        fresh: Vec<Program>,
        run: impl FnOnce(&[Program]) -> R,
    ) -> Result<(R, Vec<Program>), Refused> {
        let (result, errno, fresh) = self.attempt_shared(fresh, run)?;
        self.errno = errno;
        Ok((result, fresh))
    }

    /// The same for code that looks at the session; with the `errno` that it left.
    pub fn attempt_shared<R>(
        &self,
        mut fresh: Vec<Program>,
        run: impl FnOnce(&[Program]) -> R,
    ) -> Result<(R, c_int, Vec<Program>), Refused> {
        let result = process::attempt(self.shared, || {
            for program in &mut fresh {
                // SAFETY: constructors run before the code.
                unsafe { program.initialize(0, std::ptr::null()) };
            }
            // SAFETY: the variable is this thread's.
            unsafe { *libc::__errno_location() = self.errno };
            let result = run(&fresh);
            // SAFETY: as above; all streams are written out.
            unsafe {
                let errno = *libc::__errno_location();
                libc::fflush(std::ptr::null_mut());
                (result, errno)
            }
        });
        match result {
            Ok((result, errno)) => Ok((result, errno, fresh)),
            Err(stopped) => {
                self.report(&stopped, &fresh);
                Err(Refused)
            }
        }
    }

    fn report(&self, stopped: &Stopped, fresh: &[Program]) {
        match stopped {
            Stopped::NoProcess(error) => eprintln!("cannot make a process: {error}"),
            Stopped::Exit(status) => eprintln!("the program called exit({status}); the session is as before"),
            Stopped::Signal(signal, report) => {
                let mut text = crash::signal_text(*signal);
                if let Some(report) = report {
                    if report.is_overflow {
                        text = "stack overflow".into();
                    } else if matches!(*signal, libc::SIGSEGV | libc::SIGBUS) {
                        text.push_str(&format!(" at address {:#x}", report.address));
                    }
                }
                eprintln!("{text}; the session is as before");
                let places = report.as_ref().map_or(&[][..], |report| report.places());
                self.backtrace(places, fresh);
            }
        }
    }

    fn backtrace(&self, places: &[usize], fresh: &[Program]) {
        /// Calls that are shown of a deep recursion.
        const SHOWN: usize = 16;
        let mut number = 0;
        for place in places {
            if number == SHOWN {
                eprintln!("     ...");
                return;
            }
            let at = *place as *const ();
            let Some(program) = self.programs.iter().chain(fresh).find(|program| program.contains(at)) else {
                if let Some(name) = library_function(*place) {
                    eprintln!("#{number:<3} {name}");
                    number += 1;
                }
                continue;
            };
            let name = program.function_at(at);
            let line = program.line_at(at).map(|line| format!("{}:{}", line.file, line.line)).unwrap_or_default();
            match name.as_deref() {
                Some(RUN) => {
                    eprintln!("#{number:<3} {line}");
                    return;
                }
                Some(name) => eprintln!("#{number:<3} {name} at {line}"),
                None => eprintln!("#{number:<3} {place:#x} {line}"),
            }
            number += 1;
        }
    }

    /// The name of the function at an address of the session.
    pub fn function_at(&self, address: usize) -> Option<String> {
        let target = self.functions.target(address).unwrap_or(address);
        let own = self.programs.iter().rev().find_map(|program| program.function_at(target as *const ()));
        own.or_else(|| dynamic_symbol(target).filter(|(_, start, _)| *start == target).map(|(name, ..)| name))
    }

    /// Says why something is refused.
    pub fn refuse(&self, failure: &Failure) -> Refused {
        show(&failure.diagnostics);
        Refused
    }

    /// Forgets everything. What other threads of the program use stays in memory.
    pub fn reset(&mut self) {
        self.unload();
        (self.kept, self.promised) = Default::default();
        (self.symbols, self.texts) = Default::default();
        (self.values, self.errno) = (0, 0);
        drop(self.load_objects());
    }
}

/// Stands for functions that are declared and not defined.
extern "C" fn undefined_function() {
    eprintln!("this calls a function that is declared but not defined yet");
    std::process::abort();
}

/// Shows messages as they are, without the names of the functions around what was typed.
pub fn show(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for line in diagnostic.rendered.lines().filter(|line| !line.contains(": In function '__tcc_rs_")) {
            eprintln!("{line}");
        }
    }
}

/// Name, address and library of the dynamic symbol at an address.
fn dynamic_symbol(address: usize) -> Option<(String, usize, String)> {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the structure is there to be filled; its strings stay as long as the libraries.
    unsafe {
        if libc::dladdr(address as *const _, info.as_mut_ptr()) == 0 {
            return None;
        }
        let info = info.assume_init();
        let text = |text: *const libc::c_char| match text.is_null() {
            true => String::new(),
            false => std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned(),
        };
        Some((text(info.dli_sname), info.dli_saddr as usize, text(info.dli_fname)))
    }
}

/// A function of a library; the compiler's own are nobody's business.
fn library_function(address: usize) -> Option<String> {
    let own = dynamic_symbol(library_function as *const () as usize);
    let Some((name, _, file)) = dynamic_symbol(address) else { return Some(format!("{address:#x}")) };
    if own.is_some_and(|(_, _, own)| own == file) {
        return None;
    }
    let name = if name.is_empty() { format!("{address:#x}") } else { name };
    Some(format!("{name} in {}", Path::new(&file).file_name().unwrap_or_default().to_string_lossy()))
}
