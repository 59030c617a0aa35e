//! One translation unit through the rooms, guarded: a fault of our own becomes a message and exit
//! status 4, never a raw panic.

use crate::invocation::{Dump, Emit, Invocation, Language, PreprocessMode, Preprocessing, Stop, WarningFlag};
use crate::report::{self, Stopped};
use crate::rooms::{self, Job, Produced, link_time};
use crate::time_trace;
use crate::{cli, output, toolchain};
use base::Session;
use base::source_map::SourceText;
use platform::options::{OptLevel, Options};
use platform::timeline::Timeline;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Compile, as far as the command line says.
pub fn source(inv: &Invocation, path: &Path, language: Language) -> Result<Produced, Stopped> {
    let mut preprocess = inv.preprocess.clone();
    preprocess.dependencies = cli::complete_dependencies(inv, path);
    let mut options = inv.options.clone();
    options.codegen.stack_usage = inv.stack_usage.then(|| cli::file_beside_output(inv, path, "su"));
    options.codegen.call_graph = inv.call_graph.then(|| cli::file_beside_output(inv, path, "ci"));
    options.codegen.split_debug = inv.split_dwarf.then(|| cli::file_beside_output(inv, path, "dwo"));
    options.coverage.base = cli::file_beside_output(inv, path, "gcno").with_extension("");
    options.link_time = inv.lto.then(|| link_time::join(cli::options_of_code(&inv.arguments)));
    options.remark_record = inv.remark_record.as_ref().map(|record| {
        let file = record.file.clone().unwrap_or_else(|| cli::record_file(inv, path));
        (file, record.passes.clone())
    });
    let Some(wanted) = &inv.time_trace else {
        return run(inv, options, preprocess, path, None, language, inv.stop, inv.emit);
    };
    let timeline = Arc::new(Timeline::new());
    options.timeline = Some(timeline.clone());
    let produced = run(inv, options, preprocess, path, None, language, inv.stop, inv.emit)?;
    time_trace::write(inv, wanted, path, &timeline)?;
    Ok(produced)
}

/// The same for a text in memory; `path` is what messages call it.
pub fn text(inv: &Invocation, path: &Path, text: Arc<SourceText>, language: Language) -> Result<Produced, Stopped> {
    let mut preprocess = inv.preprocess.clone();
    preprocess.dependencies = cli::complete_dependencies(inv, path);
    run(inv, inv.options.clone(), preprocess, path, Some(text), language, inv.stop, inv.emit)
}

/// Compile up to another stage than the command line's, without writing dependency rules; the text.
pub fn stage(inv: &Invocation, path: &Path, language: Language, stop: Stop) -> Result<Vec<u8>, Stopped> {
    let mut preprocess = inv.preprocess.clone();
    preprocess.dependencies = Default::default();
    match run(inv, inv.options.clone(), preprocess, path, None, language, stop, Emit::Normal)? {
        Produced::Text(bytes) | Produced::Object(bytes) => Ok(bytes),
        Produced::Nothing => Ok(Vec::new()),
    }
}

/// The precompiled form of a header, which was compiled before without an error: what is to be said
/// of it has been said.
pub fn precompiled(inv: &Invocation, path: &Path) -> Result<Vec<u8>, Stopped> {
    let mut own = inv.clone();
    own.diagnostics.warnings.push(WarningFlag::InhibitAll);
    let preprocess = &mut own.preprocess;
    preprocess.dependencies = Default::default();
    preprocess.precompile = true;
    preprocess.mode = PreprocessMode::Text;
    preprocess.dump = Dump::Definitions;
    preprocess.show_includes = false;
    (preprocess.keep_comments, preprocess.keep_macro_comments, preprocess.no_line_markers) = (false, false, false);
    match run(
        &own,
        own.options.clone(),
        own.preprocess.clone(),
        path,
        None,
        Language::Header,
        Stop::Preprocess,
        Emit::Normal,
    )? {
        Produced::Text(bytes) | Produced::Object(bytes) => Ok(bytes),
        Produced::Nothing => base::bug!("a precompiled header has no text"),
    }
}

/// The IR in its textual form, at the stage that the command line and `emit` say.
pub fn ir_text(inv: &Invocation, path: &Path, language: Language, emit: Emit) -> Result<String, Stopped> {
    let mut preprocess = inv.preprocess.clone();
    preprocess.dependencies = Default::default();
    match run(inv, inv.options.clone(), preprocess, path, None, language, Stop::Object, emit)? {
        Produced::Text(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Produced::Object(_) | Produced::Nothing => base::bug!("the IR has no text"),
    }
}

/// As [`stage`], for use after a fault: a panic passes through, nothing is reported about it.
pub fn stage_unguarded(inv: &Invocation, path: &Path, language: Language, stop: Stop) -> Option<Vec<u8>> {
    let (mut options, mut preprocess) = (inv.options.clone(), inv.preprocess.clone());
    preprocess.dependencies = Default::default();
    let session = rooms::new_session();
    configure_diagnostics(&session, inv);
    adjust(&mut options, &mut preprocess, path, language, stop);
    let job = Job {
        session: &session,
        options: &options,
        preprocess: &preprocess,
        path,
        text: None,
        assembler: &inv.assembler,
        language,
        stop,
        emit: Emit::Normal,
    };
    match rooms::compile(&job) {
        Ok(Produced::Text(bytes)) => Some(bytes),
        _ => None,
    }
}

fn run(
    inv: &Invocation,
    mut options: Options,
    mut preprocess: Preprocessing,
    path: &Path,
    text: Option<Arc<SourceText>>,
    language: Language,
    stop: Stop,
    emit: Emit,
) -> Result<Produced, Stopped> {
    adjust(&mut options, &mut preprocess, path, language, stop);
    if emit == Emit::Trace {
        options.trace = true;
        options.emit_text = true;
        // Variables have names and code has lines. It changes no code.
        options.codegen.debug_level = options.codegen.debug_level.max(2);
    }
    let session = rooms::new_session();
    configure_diagnostics(&session, inv);
    let support = path.strip_prefix(toolchain::BUILTIN_SUPPORT_DIR).ok().and_then(|name| {
        let row = crate::builtin::SUPPORT.iter().find(|(known, _)| Path::new(known) == name)?;
        Some(Arc::new(SourceText::Static(row.1)))
    });
    if support.is_none() && !matches!(language, Language::Assembler | Language::AssemblerWithCpp | Language::Ir) {
        for (option, languages) in &inv.diagnostics.other_languages {
            let option = crate::cli::quote(option);
            let message = format!("command-line option {option} is valid for {languages} but not for C");
            session.warn_always(base::Loc::NONE, message).emit();
        }
        warn_missing_folders(&session, inv);
        warn_format_flags(&session);
    }
    let job = Job {
        session: &session,
        options: &options,
        preprocess: &preprocess,
        path,
        text: text.as_ref().or(support.as_ref()),
        assembler: &inv.assembler,
        language,
        stop,
        emit,
    };
    guarded(inv, &job, || rooms::compile(&job))
}

/// The module that the front end makes of a text, with what a debugger would be told of it.
pub fn module(inv: &Invocation, path: &Path, text: &Arc<SourceText>) -> Result<ir::Module, Stopped> {
    front_end(inv, path, Some(text), Language::C, |_| {}, |_, module| module)
}

/// The module that the front end makes of a file with the checks of `-fsanitize=undefined` and the
/// scopes of variables in it, handed to `run` while the source map lives.
pub fn checked_module<T>(
    inv: &Invocation,
    path: &Path,
    language: Language,
    run: impl FnOnce(&Session, &ir::Module) -> T,
) -> Result<T, Stopped> {
    use platform::options::Sanitizers;
    let check = |options: &mut Options| {
        options.codegen.strict_aliasing = true;
        let checks = Sanitizers::UNDEFINED.with(Sanitizers::ADDRESS).with(Sanitizers::FLOAT_CAST);
        // What the optimiser would have to find out is left to the interpreter, which knows it.
        options.sanitize.enabled = checks.without(Sanitizers::OBJECT_SIZE);
        options.sanitize.recover = Sanitizers::BOUNDS;
    };
    front_end(inv, path, None, language, check, |session, module| run(session, &module))
}

/// The front end alone, with debug information and the options that `change` changes, and no
/// dependency rules.
fn front_end<T>(
    inv: &Invocation,
    path: &Path,
    text: Option<&Arc<SourceText>>,
    language: Language,
    change: impl FnOnce(&mut Options),
    run: impl FnOnce(&Session, ir::Module) -> T,
) -> Result<T, Stopped> {
    let (mut options, mut preprocess) = (inv.options.clone(), inv.preprocess.clone());
    preprocess.dependencies = Default::default();
    adjust(&mut options, &mut preprocess, path, language, Stop::Object);
    options.codegen.debug_level = 2;
    change(&mut options);
    let session = rooms::new_session();
    configure_diagnostics(&session, inv);
    let job = Job {
        session: &session,
        options: &options,
        preprocess: &preprocess,
        path,
        text,
        assembler: &inv.assembler,
        language,
        stop: Stop::Object,
        emit: Emit::IrBeforePasses,
    };
    guarded(inv, &job, || Ok(run(&session, rooms::module(&job)?)))
}

/// Assembly source as an object; `path` is what messages call it.
pub fn assembly(inv: &Invocation, path: &Path, source: &str) -> Result<Produced, Stopped> {
    let (mut options, mut preprocess) = (inv.options.clone(), inv.preprocess.clone());
    adjust(&mut options, &mut preprocess, path, Language::Assembler, Stop::Object);
    let session = rooms::new_session();
    configure_diagnostics(&session, inv);
    let job = Job {
        session: &session,
        options: &options,
        preprocess: &preprocess,
        path,
        text: None,
        assembler: &inv.assembler,
        language: Language::Assembler,
        stop: Stop::Object,
        emit: Emit::Normal,
    };
    guarded(inv, &job, || rooms::assembling::assemble(&job, source))
}

/// A module made of several objects' as an object, under the options that they were compiled with.
pub fn merged(inv: &Invocation, options: &[String], module: ir::Module) -> Result<Vec<u8>, Stopped> {
    let words = options.iter().map(Into::into).collect();
    let parsed = cli::parse_without_environment(&inv.program, words);
    let mut options = match parsed {
        Ok(parsed) => parsed.options,
        Err(_) => {
            return Err(report::error(&inv.program, "options of link-time optimisation are not understood").into());
        }
    };
    options.input_name = "<lto>".into();
    (options.time_report, options.stats, options.threads) =
        (inv.options.time_report, inv.options.stats, inv.options.threads);
    options.verify |= inv.options.verify;
    // There is no source to name a file after.
    let mut own = inv.clone();
    own.diagnostics.look.to_file = false;
    let session = rooms::new_session();
    configure_diagnostics(&session, &own);
    let job = Job {
        session: &session,
        options: &options,
        preprocess: &Preprocessing::default(),
        path: Path::new("<lto>"),
        text: None,
        assembler: &inv.assembler,
        language: Language::Ir,
        stop: Stop::Object,
        emit: Emit::Normal,
    };
    match guarded(&own, &job, || rooms::merged(&job, module))? {
        Produced::Object(bytes) => Ok(bytes),
        _ => base::bug!("link-time optimisation gave no object"),
    }
}

/// Runs a job; a fault of our own becomes a message.
fn guarded<R>(inv: &Invocation, job: &Job<'_>, work: impl FnOnce() -> Result<R, report::Failed>) -> Result<R, Stopped> {
    let result = catch_unwind(AssertUnwindSafe(work));
    let session = job.session;
    session.diag.finish(&inv.program);
    if let Some(text) = session.diag.take_report() {
        let file = diagnostics_file(inv, job.path);
        if let Err(error) = output::write(&file, text.as_bytes(), output::Kind::Data) {
            let why = base::files::reason(&error);
            let message = format!("unable to open {} for writing: {why}", cli::quote(&file.display().to_string()));
            return Err(report::error(&inv.program, &message).into());
        }
    }
    if report::is_collecting() {
        report::collect(session.diag.take_collected());
        let text = session.diag.take_captured();
        if !text.is_empty() {
            report::raw(&text);
        }
    }
    match result {
        Ok(Ok(_)) if session.diag.has_errors() => Err(Stopped::Failed),
        Ok(Ok(produced)) => Ok(produced),
        Ok(Err(_)) => {
            // The assembler reports by itself.
            let assembly = matches!(job.language, Language::Assembler | Language::AssemblerWithCpp);
            if !session.diag.has_errors() && !assembly {
                let message = "the compilation failed without saying why; this is a fault of the compiler";
                report::error(&inv.program, message);
                return Err(Stopped::Bug(message.to_string()));
            }
            Err(Stopped::Failed)
        }
        Err(payload) => {
            let bug = base::bug::from_panic(payload);
            base::bug::reset_context();
            report::bug(&job.options.input_name, &bug);
            Err(Stopped::Bug(bug.to_string()))
        }
    }
}

/// The file of `-fdiagnostics-format=sarif-file` or `json-file`: named as the output, with the
/// suffix of the source and one more.
fn diagnostics_file(inv: &Invocation, path: &Path) -> PathBuf {
    let suffix = match inv.diagnostics.look.format {
        base::diagnostics::Format::Sarif => "sarif",
        _ => "gcc.json",
    };
    let extension = match path.extension() {
        Some(own) => format!("{}.{suffix}", own.to_string_lossy()),
        None => suffix.to_string(),
    };
    cli::file_beside_output(inv, path, &extension)
}

/// What the input's language and the stage mean for the options.
fn adjust(options: &mut Options, preprocess: &mut Preprocessing, path: &Path, language: Language, stop: Stop) {
    options.input_name = if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() };
    preprocess.preprocessed |= language == Language::PreprocessedC;
    preprocess.assembler = language == Language::AssemblerWithCpp;
    if preprocess.assembler {
        preprocess.mode = PreprocessMode::Text;
        return;
    }
    options.language.syntax_only = stop == Stop::Check;
    options.emit_text = stop == Stop::Assembly;
    if stop == Stop::Preprocess && preprocess.mode == PreprocessMode::Tokens {
        preprocess.mode = PreprocessMode::Text;
    }
    if stop != Stop::Preprocess {
        preprocess.mode = PreprocessMode::Tokens;
    }
}

/// Hand the command line's words about diagnostics to a session.
pub fn configure_diagnostics(session: &Session, inv: &Invocation) {
    session.diag.set_options(inv.diagnostics.look.clone());
    if report::is_collecting() {
        session.diag.collect();
    }
    for flag in &inv.diagnostics.warnings {
        match flag {
            // The outcome was examined when the command line was read.
            WarningFlag::Named(text) => drop(session.diag.warning_flag(text)),
            WarningFlag::InhibitAll => session.diag.inhibit_warnings(),
            WarningFlag::PedanticErrors => session.diag.pedantic_errors(),
        }
    }
}

/// One file of `runtime/support` as an object: optimised where it may run often, position
/// independent and hidden, whatever the program's flags are.
pub fn support_source(inv: &Invocation, name: &str) -> Result<Vec<u8>, Stopped> {
    /// By name and whether there is a red zone: a process that loads many programs needs the same
    /// ones again and again.
    static MADE: Mutex<BTreeMap<(String, bool), Vec<u8>>> = Mutex::new(BTreeMap::new());
    let key = (name.to_string(), inv.options.codegen.red_zone);
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(object) = made().get(&key) {
        return Ok(object.clone());
    }
    let object = support(inv, name, None)?;
    made().insert(key, object.clone());
    Ok(object)
}

/// The object that a program started by `run` begins with: the start file, and what reports crashes
/// by starting `reporter`.
pub fn crash_object(inv: &Invocation, reporter: &Path) -> Result<Vec<u8>, Stopped> {
    let name = toolchain::CRASH_FILE;
    let text = |name| {
        let text = crate::builtin::SUPPORT.iter().find(|(known, _)| *known == name).map_or(&b""[..], |row| row.1);
        text.strip_suffix(b"\0").unwrap_or(text)
    };
    let path: String = reporter.as_os_str().as_bytes().iter().map(|byte| format!("\\{byte:03o}")).collect();
    let head = format!("static const char reporter[] = \"{path}\";\n");
    support(
        inv,
        name,
        Some(Arc::new(SourceText::from_vec([head.as_bytes(), text(name), text(toolchain::START_FILE)].concat()))),
    )
}

fn support(inv: &Invocation, name: &str, text: Option<Arc<SourceText>>) -> Result<Vec<u8>, Stopped> {
    // Every link compiles the start file, `run` the one for crashes: they run once, and have no use
    // for the predefined macros.
    let in_haste = matches!(name, toolchain::START_FILE | toolchain::CRASH_FILE);
    let level = if in_haste { OptLevel::O0 } else { OptLevel::O2 };
    let mut options = Options { level, ..Options::default() };
    options.codegen.pic = platform::options::PicLevel::Pic;
    options.codegen.visibility = platform::options::Visibility::Hidden;
    options.codegen.omit_frame_pointer = true;
    options.codegen.red_zone = inv.options.codegen.red_zone;
    options.threads = inv.options.threads;
    let builtin_headers = crate::builtin::SUPPORT_HEADERS;
    let preprocess = Preprocessing { builtin_headers, undef: in_haste, ..Preprocessing::default() };
    // The routines must not be turned into calls of themselves, nor need the C library's headers.
    options.language.hosted = false;
    options.language.builtins = false;
    let path = Path::new(toolchain::BUILTIN_SUPPORT_DIR).join(name);
    let mut own = inv.clone();
    own.diagnostics = Default::default();
    own.options = options.clone();
    match run(&own, options, preprocess, &path, text, Language::C, Stop::Object, Emit::Normal)? {
        Produced::Object(bytes) => Ok(bytes),
        _ => base::bug!("a support routine gave no object"),
    }
}

/// Flags about formats that have no effect without `-Wformat`.
fn warn_format_flags(session: &Session) {
    use base::warning::*;
    let flags = [
        (FORMAT_Y2K, "-Wformat-y2k"),
        (FORMAT_EXTRA_ARGS, "-Wformat-extra-args"),
        (FORMAT_ZERO_LENGTH, "-Wformat-zero-length"),
        (FORMAT_CONTAINS_NUL, "-Wformat-contains-nul"),
        (FORMAT_NONLITERAL, "-Wformat-nonliteral"),
        (FORMAT_SECURITY, "-Wformat-security"),
    ];
    if session.diag.is_on_somewhere(FORMAT) {
        return;
    }
    for (id, name) in flags {
        if session.diag.is_explicit(&session.sources, id, base::Loc::NONE) {
            let [name, without] = [name, "-Wformat"].map(crate::cli::quote);
            session.warn(id, base::Loc::NONE, format!("{name} ignored without {without}")).emit();
        }
    }
}

/// Folders of `-I`, `-iquote`, `-isystem` and `-idirafter` that are files, and under
/// `-Wmissing-include-dirs` those that are not there.
fn warn_missing_folders(session: &Session, inv: &Invocation) {
    let include = &inv.include;
    let quoted = inv.preprocess.quote_dirs.iter();
    for folder in quoted.chain(&include.user).chain(&include.system).chain(&include.after) {
        match folder.metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                session.warn_always(base::Loc::NONE, format!("{}: not a directory", folder.display())).emit();
            }
            Err(_) if folder.starts_with(toolchain::BUILTIN_INCLUDE_DIR) => {}
            Err(_) => {
                let message = format!("{}: No such file or directory", folder.display());
                session.warn(base::warning::MISSING_INCLUDE_DIRS, base::Loc::NONE, message).emit();
            }
        }
    }
}
