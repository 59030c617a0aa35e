//! `tcc-rs compare`: programs, or a whole build, with gcc, clang, tcc and this compiler at every
//! level: behaviour, run time, compile time, size and memory, as a table, JSON or a page.
//!
//! [`request`] reads the command line, [`programs`] and [`builds`] do the work with [`process`],
//! [`samples`] makes figures of repeated measurements, and [`table`], [`json`] and [`page`] show
//! them.

mod builds;
mod json;
mod page;
mod process;
mod programs;
mod request;
mod samples;
mod table;

use crate::output::{self, Kind};
use crate::report;
use request::{Action, Request, Work};
use samples::Samples;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A compiler that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Compiler {
    /// `gcc`, `clang`, `tcc` or `tcc-rs`.
    name: &'static str,
    path: PathBuf,
}

/// One compiler at one level.
struct Row {
    compiler: &'static str,
    /// `-O2`; empty where nothing is said.
    level: String,
    /// Milliseconds; of a build the whole of it.
    compile: Samples,
    /// Peak memory of the compilation in KiB.
    compile_memory: u64,
    /// Bytes of `.text`.
    text: u64,
    /// Milliseconds.
    run: Samples,
    /// Peak memory of the program in KiB.
    run_memory: u64,
    behaviour: Behaviour,
}

/// How a row's program behaves beside that of the first row that works.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Behaviour {
    Same,
    OutputDiffers,
    /// With the status.
    StatusDiffers(String),
    /// It could not be built or run, and why.
    Fails(String),
}

/// All rows of one program or build.
struct Comparison {
    name: String,
    rows: Vec<Row>,
}

impl Row {
    fn new(compiler: &'static str, level: &str) -> Row {
        Row {
            compiler,
            level: level.to_string(),
            compile: Samples::default(),
            compile_memory: 0,
            text: 0,
            run: Samples::default(),
            run_memory: 0,
            behaviour: Behaviour::Same,
        }
    }

    /// `gcc -O2`
    fn title(&self) -> String {
        format!("{} {}", self.compiler, self.level).trim_end().to_string()
    }
}

impl Behaviour {
    fn text(&self) -> String {
        match self {
            Behaviour::Same => "same".to_string(),
            Behaviour::OutputDiffers => "output differs".to_string(),
            Behaviour::StatusDiffers(status) => format!("status differs ({status})"),
            Behaviour::Fails(why) => why.clone(),
        }
    }
}

/// Compares; status 1 if this compiler fails somewhere, or its program behaves in another way than
/// the first compiler's.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let request = match Request::read(arguments) {
        Ok(Action::Help) => {
            report::raw_out(request::HELP);
            return ExitCode::SUCCESS;
        }
        Ok(Action::Compare(request)) => request,
        Err(message) => {
            report::error(program, &message);
            return ExitCode::FAILURE;
        }
    };
    let comparisons = match &request.work {
        Work::Programs(list) => list.iter().map(|p| programs::compare(&request, p)).collect(),
        Work::Build(command) => builds::compare(&request, command).map(|one| vec![one]),
    };
    let comparisons: Vec<Comparison> = match comparisons {
        Ok(comparisons) => comparisons,
        Err(message) => {
            progress("");
            report::error(program, &message);
            return ExitCode::FAILURE;
        }
    };
    progress("");
    let mut outputs: Vec<(&Path, String)> = Vec::new();
    if let Some(path) = &request.json {
        outputs.push((path, json::text(&comparisons)));
    }
    if let Some(path) = &request.html {
        outputs.push((path, page::text(&comparisons)));
    }
    let to_screen = request.json.iter().chain(&request.html).any(|path| path.as_os_str() == "-");
    if !to_screen {
        report::raw_out(&table::text(&comparisons));
    }
    for (path, text) in outputs {
        if let Err(error) = output::write(path, text.as_bytes(), Kind::Data) {
            report::error(program, &format!("cannot write {}: {error}", path.display()));
            return ExitCode::FAILURE;
        }
    }
    let differs = |row: &Row| row.compiler == request::OWN && row.behaviour != Behaviour::Same;
    match comparisons.iter().flat_map(|one| &one.rows).any(differs) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

/// Says what goes on where a person waits; an empty text takes it away.
fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        report::raw(&format!("\r\x1b[K{text}"));
    }
}
