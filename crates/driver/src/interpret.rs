//! `tcc-rs interpret [options] prog.c args...`: run the program's IR in the interpreter, at the
//! stage that the options say (`--emit=ir0`, `--passes=`, `--stop-after=`, a level). The IR goes
//! through its textual form, so that what is run is what `--emit=ir` shows.
//!
//! Without such an option the program runs as it was lowered, with the checks of
//! `-fsanitize=undefined` in it, and every report names the place in the source.
//!
//! Exit status: the program's; [`UNDEFINED`] or [`NOT_MODELLED`] with a message where the
//! interpreter stopped it.

use crate::invocation::{Emit, Input, Invocation, Language};
use crate::report::{self, Stopped};
use crate::{compile, run};
use interp::Trap;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The program did what has no defined behaviour.
pub const UNDEFINED: u8 = 124;
/// The program needs what the interpreter does not model, or more instructions than [`FUEL`].
pub const NOT_MODELLED: u8 = 125;

/// Instructions a program may execute: about a minute of an optimised build of this compiler.
const FUEL: u64 = 2_000_000_000;

/// Options up to the source are the compiler's, the rest is the program's.
pub fn main(program: &str, arguments: &[OsString], nesting: u32) -> ExitCode {
    let Some(split) = run::first_source(arguments) else {
        report::fatal(program, "no input files");
        return ExitCode::FAILURE;
    };
    let Ok(mut inv) = crate::parse(program, arguments[..=split].to_vec(), nesting) else { return ExitCode::FAILURE };
    crate::toolchain::fill_include_paths(&mut inv);
    let sources: Vec<_> = inv
        .inputs
        .iter()
        .filter_map(|input| match input {
            Input::File { path, language } => Some((path, *language)),
            _ => None,
        })
        .collect();
    let &[(path, language)] = &sources[..] else {
        report::error(program, "the interpreter runs one source");
        return ExitCode::FAILURE;
    };
    let words: Vec<String> = std::iter::once(path.display().to_string())
        .chain(arguments[split + 1..].iter().map(|a| a.to_string_lossy().into_owned()))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if language == Language::C && !names_stage(&arguments[..split]) {
        // What the front end sees is found, too.
        let mut options = arguments[..split].to_vec();
        options.extend(["-Werror=sequence-point".into(), arguments[split].clone()]);
        let Ok(mut inv) = crate::parse(program, options, nesting) else { return ExitCode::FAILURE };
        crate::toolchain::fill_include_paths(&mut inv);
        return check(program, &inv, path, &words);
    }
    let emit = if inv.emit == Emit::IrBeforePasses { Emit::IrBeforePasses } else { Emit::Ir };
    let text = match compile::ir_text(&inv, path, language, emit) {
        Ok(text) => text,
        Err(Stopped::Bug(_)) => return ExitCode::from(base::bug::EXIT_STATUS as u8),
        Err(_) => return ExitCode::FAILURE,
    };
    let module = match ir::text::parse_module(&text) {
        Ok(module) => module,
        Err(error) => {
            report::error(program, &format!("the IR's text cannot be read back: {error}"));
            return ExitCode::from(base::bug::EXIT_STATUS as u8);
        }
    };
    let (output, result) = interp::run_keeping_output(&module, &words, FUEL);
    if std::io::stdout().lock().write_all(&output).is_err() {
        return ExitCode::FAILURE;
    }
    match result {
        Ok(status) => ExitCode::from(status as u8),
        Err(trap) => {
            report::error(program, &format!("interpreter: {trap}"));
            ExitCode::from(if matches!(trap, Trap::Undefined(_)) { UNDEFINED } else { NOT_MODELLED })
        }
    }
}

/// Whether the options say at which stage the IR is run.
fn names_stage(options: &[OsString]) -> bool {
    let stage = |option: &OsString| {
        let option = option.to_string_lossy();
        option.starts_with("-O")
            || ["--emit", "--passes", "--stop-after", "-fsanitize"].iter().any(|o| option.starts_with(o))
    };
    options.iter().any(stage)
}

/// Runs the program and looks for what has no defined behaviour.
fn check(program: &str, inv: &Invocation, path: &Path, words: &[&str]) -> ExitCode {
    let ran = compile::checked_module(inv, path, Language::C, |session, module| {
        let place = |loc: base::Loc| {
            let at = session.sources.presumed(session.sources.expansion_point(loc))?;
            Some(format!("{}:{}:{}", session.interner.resolve(at.file), at.line, at.column))
        };
        interp::check(module, words, FUEL, Box::new(place))
    });
    let (output, result) = match ran {
        Ok(ran) => ran,
        Err(Stopped::Bug(_)) => return ExitCode::from(base::bug::EXIT_STATUS as u8),
        Err(_) => return ExitCode::FAILURE,
    };
    if std::io::stdout().lock().write_all(&output).is_err() {
        return ExitCode::FAILURE;
    }
    match result {
        Ok(status) => ExitCode::from(status as u8),
        Err((Trap::Undefined(what), Some(place))) => {
            report::raw(&format!("{place}: error: {what}\n"));
            ExitCode::from(UNDEFINED)
        }
        Err((trap, _)) => {
            report::error(program, &format!("interpreter: {trap}"));
            ExitCode::from(if matches!(trap, Trap::Undefined(_)) { UNDEFINED } else { NOT_MODELLED })
        }
    }
}
