//! The program under the name `as`: an assembler with the command line of GNU `as`.
//!
//! All files are one source, in order, as in GNU `as`; without a file it is standard input.

use crate::invocation::Invocation;
use crate::output::{self, Kind};
use crate::report::{self, Stopped};
use crate::rooms::Produced;
use crate::{cli, compile, query};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Whether a program of this name is an assembler: `as`, `x86_64-linux-gnu-as`.
pub fn is_name(program: &str) -> bool {
    program == "as" || program.ends_with("-as")
}

/// The whole command.
pub fn main(program: &str, arguments: Vec<OsString>) -> ExitCode {
    match run(program, arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stopped::Failed) => ExitCode::FAILURE,
        Err(Stopped::Bug(_)) => ExitCode::from(base::bug::EXIT_STATUS as u8),
    }
}

fn run(program: &str, arguments: Vec<OsString>) -> Result<(), Stopped> {
    let mut inv = Invocation { program: program.to_string(), ..Invocation::default() };
    let mut files = Vec::new();
    let output = match read_command_line(&mut inv, arguments, &mut files) {
        Ok(output) => output,
        Err(message) => return Err(report::error(program, &message).into()),
    };
    if inv.assembler.version {
        print!("{}", query::ASSEMBLER_VERSION);
        return Ok(());
    }
    if inv.assembler.help {
        print!("{}", cli::assembler_help(program));
        return Ok(());
    }
    if inv.assembler.announce {
        report::raw(&query::assembler_banner());
    }
    if files.is_empty() {
        files.push("-".into());
    }
    let source = read_sources(program, &files)?;
    let name = if files[0].as_os_str() == "-" { Path::new("{standard input}") } else { &files[0] };
    let Produced::Object(bytes) = compile::assembly(&inv, name, &source)? else {
        base::bug!("the assembler gave no object")
    };
    output::write(&output, &bytes, Kind::Data)
        .map_err(|e| report::error(program, &format!("can't create {}: {e}", output.display())).into())
}

/// Options and files; the output's name is the result.
fn read_command_line(
    inv: &mut Invocation,
    arguments: Vec<OsString>,
    files: &mut Vec<PathBuf>,
) -> Result<PathBuf, String> {
    let mut output = PathBuf::from("a.out");
    let mut words = Vec::new();
    let mut rest = cli::expand_response_files(arguments)?.into_iter();
    while let Some(word) = rest.next() {
        let word = word.to_string_lossy().into_owned();
        match word.strip_prefix("-o") {
            Some("") => output = rest.next().ok_or("option '-o' requires an argument")?.into(),
            Some(name) => output = name.into(),
            None => words.push(word),
        }
    }
    cli::parse_assembler_options(&mut inv.assembler, &words, files)?;
    Ok(output)
}

fn read_sources(program: &str, files: &[PathBuf]) -> Result<String, Stopped> {
    let mut source = String::new();
    for file in files {
        let mut bytes = Vec::new();
        let result = if file.as_os_str() == "-" {
            std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
        } else {
            std::fs::read(file).map(|read| bytes = read)
        };
        if let Err(error) = result {
            return Err(report::error(program, &format!("can't open {} for reading: {error}", file.display())).into());
        }
        if files.len() > 1 {
            source.push_str(&format!("# 1 \"{}\"\n", file.display()));
        }
        source.push_str(&String::from_utf8_lossy(&bytes));
        source.push('\n');
    }
    Ok(source)
}
