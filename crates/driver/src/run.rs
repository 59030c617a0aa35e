//! `tcc-rs run [options] prog.c args...`: link a PIE into memory and execute it, so that
//! thread-local storage, constructors and unwinding work as in any program. `prog.c` may begin with
//! `#!/usr/bin/env -S tcc-rs run`, and say which flags it needs ([`script`]). What was made is kept
//! in a cache ([`cache`]); a crash is reported with its calls ([`crash`]); `--watch` starts the
//! program again when a source changes ([`watch`]).

mod cache;
mod crash;
mod script;
mod watch;

use crate::invocation::{Input, Invocation, Language, LinkKind, Stop};
use crate::report::Stopped;
use crate::{compile, jobs, report};
use frontend::preprocess::SharedFiles;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

/// What the command line says.
struct Line {
    /// For the compiler: options, those in the file first, and sources.
    compiler: Vec<OsString>,
    /// The sources' names.
    sources: Vec<PathBuf>,
    /// For the program.
    arguments: Vec<OsString>,
    watch: bool,
    cache: bool,
}

/// Options up to the first file that is not an object or archive are the compiler's, the rest is
/// the program's; where more sources follow it up to `--`, they are sources, too.
pub fn main(program: &str, arguments: &[OsString], nesting: u32) -> ExitCode {
    if let [first, rest @ ..] = arguments
        && first == "--report-crash"
    {
        return crash::main(rest);
    }
    let Some(line) = Line::read(arguments) else {
        report::fatal(program, "no input files");
        return ExitCode::FAILURE;
    };
    if line.watch {
        return watch::main(program, &line, nesting);
    }
    let key = if line.cache { cache::Key::of(&line) } else { None };
    if let Some(executable) = key.as_ref().and_then(cache::Key::find) {
        // Without the program the cache was emptied meanwhile.
        drop(line.command(executable.as_os_str()).exec());
    }
    let built = match build(program, &line, nesting) {
        Ok(built) => built,
        Err(status) => return status,
    };
    if let Some(key) = key {
        key.store(&line, &built);
    }
    let error = line.command(built.name().as_ref()).exec();
    report::fatal(program, &format!("cannot run the program: {error}"));
    ExitCode::FAILURE
}

impl Line {
    fn read(arguments: &[OsString]) -> Option<Line> {
        let is = |argument: &OsString, text: &str| argument == text;
        let own = arguments.iter().take_while(|a| is(a, "--watch") || is(a, "--no-cache")).count();
        let (own, arguments) = arguments.split_at(own);
        let first = first_source(arguments)?;
        let rest = &arguments[first + 1..];
        let more =
            rest.iter().position(|a| is(a, "--")).filter(|end| rest[..*end].iter().all(is_for_linker)).unwrap_or(0);
        let rest = if more > 0 { &rest[more + 1..] } else { rest };
        let end = first + 1 + more;
        let mut compiler = script::flags(Path::new(&arguments[first]));
        compiler.extend_from_slice(&arguments[..first]);
        // Standard input and a script without a suffix are C, unless something else is said.
        let has_language = compiler.iter().any(|a| a.to_string_lossy().starts_with("-x"));
        let is_nameless = crate::cli::language_of_suffix(&arguments[first]) == Language::LinkerInput;
        match is_nameless && !has_language {
            true => compiler.extend(["-xc".into(), arguments[first].clone(), "-xnone".into()]),
            false => compiler.push(arguments[first].clone()),
        }
        compiler.extend_from_slice(&arguments[first + 1..end]);
        let mut sources: Vec<PathBuf> = arguments[first..end].iter().map(PathBuf::from).collect();
        for source in script::sources(&compiler).map(PathBuf::from) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        Some(Line {
            sources,
            compiler,
            arguments: rest.to_vec(),
            watch: own.iter().any(|a| is(a, "--watch")),
            cache: !own.iter().any(|a| is(a, "--no-cache")),
        })
    }

    /// The program in a file, with its arguments.
    fn command(&self, executable: &OsStr) -> Command {
        let mut command = Command::new(executable);
        command.args(&self.arguments).arg0(&self.sources[0]);
        command
    }
}

/// Whether an argument before `--` is a further source, or something to link.
fn is_for_linker(argument: &OsString) -> bool {
    let text = argument.to_string_lossy();
    let suffix = Path::new(argument).extension().and_then(OsStr::to_str);
    text.starts_with("-l") || !text.starts_with('-') && matches!(suffix, Some("c" | "i" | "s" | "S" | "o" | "a" | "so"))
}

/// A linked program in memory, and what it was made of.
struct Built {
    executable: File,
    /// The files that were looked for.
    files: Arc<SharedFiles>,
}

impl Built {
    fn name(&self) -> String {
        descriptor(&self.executable)
    }
}

fn descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Compiles and links into memory; nothing is written anywhere else.
fn build(program: &str, line: &Line, nesting: u32) -> Result<Built, ExitCode> {
    let mut inv = crate::parse(program, line.compiler.clone(), nesting).map_err(|_| ExitCode::FAILURE)?;
    if !makes_program(&inv) {
        report::error(program, "run needs an executable: -c, -S, -E, -shared and -r do not go with it");
        return Err(ExitCode::FAILURE);
    }
    let executable = in_memory().map_err(|error| {
        report::fatal(program, &format!("cannot make a program in memory: {error}"));
        ExitCode::FAILURE
    })?;
    inv.output = Some(descriptor(&executable).into());
    inv.split_dwarf = false;
    if report_crashes(&mut inv, line.cache).is_err() {
        return Err(ExitCode::FAILURE);
    }
    let files = Arc::new(SharedFiles::default());
    inv.preprocess.shared_files = Some(files.clone());
    sources_first(&mut inv.inputs);
    match jobs::run(inv) {
        ExitCode::SUCCESS => Ok(Built { executable, files }),
        status => Err(status),
    }
}

/// Has crashes reported, with lines unless something else is asked for. Debug information changes
/// no code.
fn report_crashes(inv: &mut Invocation, may_keep: bool) -> Result<(), Stopped> {
    let Ok(reporter) = std::env::current_exe() else { return Ok(()) };
    let make = || compile::crash_object(inv, &reporter);
    inv.link.crash_object = Some(if may_keep { cache::crash_object(&reporter, make)? } else { make()? });
    let says = inv.arguments.iter().any(|argument| argument.as_encoded_bytes().starts_with(b"-g"));
    if !says && !inv.lto {
        // The second level knows what was inlined.
        inv.options.codegen.debug_level = if inv.options.optimizing() { 2 } else { 1 };
    }
    Ok(())
}

fn makes_program(inv: &Invocation) -> bool {
    inv.stop == Stop::Link
        && matches!(inv.link.kind(), LinkKind::Pie | LinkKind::NoPie | LinkKind::Static | LinkKind::StaticPie)
}

/// Puts the sources before the objects, archives and `-l` they follow. They can stand nowhere else,
/// since what comes after a source is the program's, but a linker looks into a library only for
/// what it has missed so far, and with gcc's default of `--as-needed` drops a shared one that
/// nothing before it needs.
fn sources_first(inputs: &mut [Input]) {
    inputs.sort_by_key(|input| !matches!(input, Input::File { language, .. } if *language != Language::LinkerInput));
}

/// Index of the program's source: the first argument that is neither an option, nor an option's
/// separate argument, nor an object, archive or shared library.
pub fn first_source(arguments: &[OsString]) -> Option<usize> {
    let is_library = |at: &usize| {
        let text = arguments[*at].to_string_lossy();
        text.ends_with(".o") || text.ends_with(".a") || text.ends_with(".so")
    };
    crate::cli::operands(arguments).into_iter().find(|at| !is_library(at))
}

/// An executable file without a name; the descriptor closes itself when a program starts.
fn in_memory() -> std::io::Result<File> {
    let name = CString::new("tcc-rs-run").expect("no zero byte");
    // SAFETY: `name` is a valid string for the duration of the call.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made and belongs to nobody else.
    Ok(unsafe { File::from_raw_fd(fd) })
}
