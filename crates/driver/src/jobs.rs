//! What is done for a command line: each source through the rooms, then the link.

use crate::compile;
use crate::invocation::{Input, Invocation, Language, Stop};
use crate::link::{self, LinkItem};
use crate::output::{self, Kind, Temporaries};
use crate::report::{self, Failed, Stopped};
use crate::rooms::Produced;
use crate::{cli, query, toolchain, validation};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Do everything; the exit status.
pub fn run(mut inv: Invocation) -> ExitCode {
    if let Some(q) = inv.queries.first().cloned() {
        if inv.verbose {
            report::raw(&query::verbose_banner(&inv));
        }
        let text = query::answer(&inv, &q);
        let wants_linker_too =
            q == crate::invocation::Query::Version && inv.inputs.iter().any(|i| matches!(i, Input::LinkerArgument(_)));
        if output::write(Path::new("-"), text.as_bytes(), Kind::Data).is_err() {
            return ExitCode::FAILURE;
        }
        if !wants_linker_too {
            return ExitCode::SUCCESS;
        }
    }
    if inv.verbose {
        report::raw(&query::verbose_banner(&inv));
    }
    for notice in &inv.notices {
        report::warning(&inv.program, notice);
    }
    if inv.inputs.is_empty() {
        // `gcc -v` alone is no error.
        if inv.verbose {
            return ExitCode::SUCCESS;
        }
        report::fatal(&inv.program, "no input files");
        return ExitCode::FAILURE;
    }
    let assembles =
        inv.inputs.iter().any(|i| matches!(i, Input::File { path, language } if is_compiled(&inv, path, *language)));
    if assembles && matches!(inv.stop, Stop::Object | Stop::Link) && !inv.dry_run {
        // They end the assembler before it does anything, and so the command.
        if inv.assembler.version || inv.assembler.help {
            let help = cli::assembler_help("as");
            let text = if inv.assembler.version { query::ASSEMBLER_VERSION } else { &help };
            let written = output::write(Path::new("-"), text.as_bytes(), Kind::Data);
            return if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        if inv.assembler.announce {
            report::raw(&query::assembler_banner());
        }
    }
    let missing = toolchain::fill_include_paths(&mut inv);
    let compiled =
        |input: &&Input| matches!(input, Input::File { path, language } if is_compiled(&inv, path, *language));
    if inv.preprocess.shared_files.is_none() && inv.inputs.iter().filter(compiled).count() > 1 {
        inv.preprocess.shared_files = Some(Default::default());
    }
    let validation = match validation::start(&inv) {
        Ok(validation) => validation,
        Err(message) => {
            report::error(&inv.program, &message);
            return ExitCode::FAILURE;
        }
    };
    let done = run_jobs(&inv, &missing);
    let is_right = validation.is_none_or(|records| validation::report(&inv, &records));
    match done {
        Ok(()) if !is_right => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
        Err(Stopped::Failed) => ExitCode::FAILURE,
        Err(Stopped::Bug(_)) => ExitCode::from(base::bug::EXIT_STATUS as u8),
    }
}

fn run_jobs(inv: &Invocation, missing_dirs: &[PathBuf]) -> Result<(), Stopped> {
    let temporaries = Temporaries::default();
    let mut items = Vec::new();
    let mut worst = None;
    for input in &inv.inputs {
        match input {
            Input::Library(name) => items.push(LinkItem::Library(name.clone())),
            Input::LinkerArgument(text) => items.push(LinkItem::Argument(text.clone())),
            Input::File { path, language } if !is_compiled(inv, path, *language) => {
                if inv.stop != Stop::Link && !inv.dry_run {
                    let name = path.display();
                    report::warning(
                        &inv.program,
                        &format!("{name}: linker input file unused because linking not done"),
                    );
                    if let Some(error) = path.metadata().err().filter(|_| path.as_os_str() != "-") {
                        let why = base::files::reason(&error);
                        let text = format!("{name}: linker input file not found: {why}");
                        worst = worst.max(Some(report::error(&inv.program, &text).into()));
                    }
                }
                items.push(LinkItem::File(path.clone()));
            }
            Input::File { path, language } => match one_source(inv, path, *language, missing_dirs, &temporaries) {
                Ok(object) => items.extend(object.map(LinkItem::Object)),
                Err(stopped) => {
                    if let Stopped::Bug(message) = &stopped {
                        crate::reproduce::after_bug(inv, path, *language, message);
                    }
                    worst = worst.max(Some(stopped));
                }
            },
        }
    }
    if let Some(stopped) = worst {
        return Err(stopped);
    }
    // Nothing is linked where there were only headers to precompile.
    if inv.stop == Stop::Link && !items.is_empty() {
        let output = inv.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
        link::link(inv, &items, &output, &temporaries)?;
    }
    Ok(())
}

/// With `-E`, everything but objects is text to preprocess; else the suffix or `-x` decides.
fn is_compiled(inv: &Invocation, path: &Path, language: Language) -> bool {
    language != Language::LinkerInput || (path.as_os_str() == "-" && inv.stop == Stop::Preprocess)
}

/// One source as far as [`Stop`] says. The result is the object's path when it is to be linked.
fn one_source(
    inv: &Invocation,
    path: &Path,
    language: Language,
    missing_dirs: &[PathBuf],
    temporaries: &Temporaries,
) -> Result<Option<PathBuf>, Stopped> {
    if inv.verbose {
        announce(inv, path, missing_dirs);
    }
    if inv.dry_run {
        return Ok((inv.stop == Stop::Link).then(|| crate::output::temporary_root().join(object_name(path))));
    }
    if language == Language::Assembler && inv.stop == Stop::Assembly {
        return Ok(None);
    }
    if let Some(beside_output) = inv.save_temps {
        save_preprocessed(inv, path, language, beside_output)?;
    }
    if language == Language::Header && !matches!(inv.stop, Stop::Preprocess | Stop::Check) {
        return precompile(inv, path).map(|()| None);
    }
    let produced = compile::source(inv, path, language)?;
    let (bytes, destination) = match produced {
        Produced::Nothing => return Ok(None),
        Produced::Text(bytes) => {
            let name = inv.output.clone().unwrap_or_else(|| match inv.stop {
                Stop::Preprocess => PathBuf::from("-"),
                _ if inv.emit != crate::invocation::Emit::Normal => PathBuf::from("-"),
                _ => PathBuf::from(stem(path)).with_added_extension("s"),
            });
            (bytes, name)
        }
        Produced::Object(bytes) if inv.stop == Stop::Link => {
            let Some(beside) = inv.save_temps else {
                return Ok(Some(temporaries.hold(&object_name(path), bytes)));
            };
            let place = saved_name(inv, path, "o", beside);
            write_output(inv, &place, &bytes)?;
            return Ok(Some(place));
        }
        Produced::Object(bytes) => (bytes, inv.output.clone().unwrap_or_else(|| PathBuf::from(object_name(path)))),
    };
    write_output(inv, &destination, &bytes)?;
    Ok(None)
}

/// A precompiled header is the header's text after preprocessing, with its definitions
/// (`frontend::preprocess`), written when the header has been found right.
fn precompile(inv: &Invocation, path: &Path) -> Result<(), Stopped> {
    let mut own = inv.clone();
    own.stop = Stop::Check;
    own.options.language.syntax_only = true;
    let output = inv.output.clone().unwrap_or_else(|| path.with_added_extension("gch"));
    // Targets of dependency rules are named after it.
    own.output = Some(output.clone());
    compile::source(&own, path, Language::Header)?;
    let text = compile::precompiled(&own, path)?;
    Ok(write_output(inv, &output, &text)?)
}

fn write_output(inv: &Invocation, path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    output::write(path, bytes, Kind::Data)
        .map_err(|e| report::fatal(&inv.program, &format!("cannot write {}: {e}", path.display())))
}

/// `-v` in gcc's words; CMake and meson read the directory list from it.
fn announce(inv: &Invocation, path: &Path, missing_dirs: &[PathBuf]) {
    let options: Vec<String> = inv.arguments.iter().map(|a| format!("'{}'", a.to_string_lossy())).collect();
    report::raw(&format!("COLLECT_GCC_OPTIONS={}\n", options.join(" ")));
    let exe = std::env::current_exe().map(|p| p.display().to_string()).unwrap_or_else(|_| inv.program.clone());
    let arguments: Vec<String> = inv.arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    report::raw(&format!(" {exe} (compiling {}) {}\n", path.display(), arguments.join(" ")));
    if !inv.dry_run {
        report::raw(&query::include_search_list(inv, missing_dirs));
    }
}

fn stem(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "-".to_string();
    }
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn object_name(path: &Path) -> String {
    format!("{}.o", stem(path))
}

/// Name of an intermediate file that is kept, as gcc 12 forms it: `-o prog` with linking gives
/// `prog-stem.i`.
fn saved_name(inv: &Invocation, path: &Path, extension: &str, beside_output: bool) -> PathBuf {
    let stem = stem(path);
    let output = inv.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    let base = match inv.stop {
        Stop::Link => {
            let prefix = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if prefix == stem { stem } else { format!("{prefix}-{stem}") }
        }
        _ if inv.output.is_some() => output.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        _ => stem,
    };
    let name = format!("{base}.{extension}");
    match output.parent() {
        Some(dir) if beside_output => dir.join(name),
        _ => PathBuf::from(name),
    }
}

/// `-save-temps`: the preprocessed text and the assembly beside the real output.
fn save_preprocessed(inv: &Invocation, path: &Path, language: Language, beside: bool) -> Result<(), Stopped> {
    if matches!(language, Language::C | Language::Header) && inv.stop > Stop::Preprocess {
        let text = compile::stage(inv, path, language, Stop::Preprocess)?;
        write_output(inv, &saved_name(inv, path, "i", beside), &text)?;
    }
    if matches!(language, Language::C | Language::PreprocessedC) && inv.stop > Stop::Assembly {
        let text = compile::stage(inv, path, language, Stop::Assembly)?;
        write_output(inv, &saved_name(inv, path, "s", beside), &text)?;
    }
    Ok(())
}
