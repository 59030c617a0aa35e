//! `tcc-rs repl [options] [files]`: declarations, statements and expressions one after another.
//!
//! [`input`] splits what [`reader`] gives into parts; [`session`] has each compiled together with
//! declarations of all before it ([`units`]) and loads it into the process; [`process`] runs it in
//! a copy of the session, so that a crash ([`crash`]) leaves nothing behind; [`value`] prints what
//! comes out; [`commands`] are the lines that begin with a colon.

mod commands;
mod crash;
mod definitions;
mod expressions;
mod functions;
mod input;
mod process;
mod reader;
mod session;
mod types;
mod units;
mod value;

pub use crash::signal_text;

use crate::invocation::{Input, Invocation, Language, Stop};
use crate::report;
use reader::{Next, Reader};
use session::Session;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// What the command line says.
#[derive(Clone)]
pub struct Line {
    /// Options, libraries and archives, for all units.
    options: Vec<OsString>,
    /// Objects, which are loaded once.
    objects: Vec<OsString>,
    /// Sources, which are read first.
    sources: Vec<PathBuf>,
}

/// Reads inputs until they end, on a stack of `stack` bytes. Without a terminal the status is 1 if
/// one of them failed.
pub fn main(program: &str, arguments: &[OsString], stack: usize) -> ExitCode {
    let Some(line) = Line::read(program, arguments) else { return ExitCode::FAILURE };
    let is_interactive = reader::is_interactive();
    let run = |shared: &'static process::Shared, is_again: bool| {
        let Some(mut session) = Session::new(program, &line, shared) else { return 1 };
        // What a lost session has read is not read again.
        let is_ready = is_again || line.sources.iter().all(|source| session.load(source));
        if !is_ready && !is_interactive {
            return 1;
        }
        read_all(&mut session);
        u8::from(!is_interactive && shared.failed.load(Ordering::SeqCst))
    };
    match process::supervise(is_interactive, stack, run) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            report::fatal(program, &format!("cannot make a process: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Reads inputs to the end.
fn read_all(session: &mut Session) {
    let mut reader = Reader::new();
    while !session.is_ending() {
        match reader.next(|| names(session)) {
            Next::Input(text) => input(session, &text),
            Next::Nothing => {}
            Next::End => break,
        }
    }
    session.unload();
}

/// Names that an editor may complete.
fn names(session: &Session) -> Vec<String> {
    session.symbols.keys().cloned().chain(commands::names().map(str::to_string)).collect()
}

fn input(session: &mut Session, text: &str) {
    let place = session.typed_place(text);
    let result = match text.trim_start().strip_prefix(':') {
        Some(command) => commands::run(session, command.trim(), &place),
        None => session.text(&place, text),
    };
    if result.is_err() {
        session.shared.failed.store(true, Ordering::SeqCst);
    }
}

impl Line {
    fn read(program: &str, arguments: &[OsString]) -> Option<Line> {
        let parsed = crate::parse(program, arguments.to_vec(), u32::MAX).ok()?;
        if parsed.stop != Stop::Link || parsed.output.is_some() || !parsed.queries.is_empty() {
            report::error(program, "a session makes no files: -c, -S, -E and -o do not go with it");
            return None;
        }
        let sources = files(&parsed, |language, _| language != Language::LinkerInput);
        let objects = files(&parsed, |language, name| language == Language::LinkerInput && name.ends_with(".o"));
        let is_in = |list: &[PathBuf], word: &OsString| list.iter().any(|file| file.as_os_str() == word);
        let options = arguments.iter().filter(|word| !is_in(&sources, word) && !is_in(&objects, word)).cloned();
        // Lines for backtraces, unless something else is asked for; one thread, since copies of the
        // process have no other.
        let options = std::iter::once("-g1".into()).chain(options).chain(["-fthreads=1".into()]);
        Some(Line {
            options: options.collect(),
            objects: objects.into_iter().map(PathBuf::into_os_string).collect(),
            sources,
        })
    }
}

fn files(inv: &Invocation, wanted: impl Fn(Language, &str) -> bool) -> Vec<PathBuf> {
    let named = inv.inputs.iter().filter_map(|input| match input {
        Input::File { path, language } if wanted(*language, &path.to_string_lossy()) => Some(path.clone()),
        _ => None,
    });
    named.collect()
}
