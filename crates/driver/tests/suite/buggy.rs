//! `tcc-rs interpret` as a sanitizer: every program of `tests/buggy` is reported with the class
//! and at the line that its comment `// BUG: class` says, and runs clean with `-DGOOD`; every
//! program of `tests/run` runs clean but for those whose `// checked:` says what is undefined in them.

use crate::cases::{Header, check_run, header};
use crate::process::{self, Outcome, compiler};
use crate::trial;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The status of a program that did what is undefined.
const UNDEFINED: i32 = 124;

/// The status of a program that does what the interpreter does not model.
const NOT_MODELLED: i32 = 125;

/// The two runs of a program.
pub fn trials(path: PathBuf) -> Vec<Trial> {
    let good = path.clone();
    vec![
        trial(&path.clone(), "found", move || Ok(found(&path)?)),
        trial(&good.clone(), "twin", move || Ok(twin(&good)?)),
    ]
}

/// The line of `// BUG:` and the class that it names.
fn marked(path: &Path) -> Result<(usize, String), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut marks = text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, line.split_once("// BUG: ")?.1)));
    match (marks.next(), marks.next()) {
        (Some((line, class)), None) => Ok((line, class.trim().to_string())),
        _ => Err("one comment must say // BUG: and a class".to_string()),
    }
}

fn interpret(path: &Path, header: &Header, flags: &[&str]) -> Result<Outcome, String> {
    let mut command = Command::new(compiler());
    command.arg("interpret").args(flags).args(&header.interpreter_flags).args(&header.flags);
    process::run(command.arg(path).args(&header.args))
}

fn found(path: &Path) -> Result<(), String> {
    let (line, class) = marked(path)?;
    let outcome = interpret(path, &header(path), &[])?;
    let expected = format!("{}:{line}:", path.display());
    let report =
        |text: &str| text.starts_with(&expected) && text.contains(": error: ") && text.ends_with(&format!("{class}]"));
    // What the front end finds is an error of the compiler.
    let status = if class == "sequence-point" { 1 } else { UNDEFINED };
    if outcome.status != status || !outcome.stderr.lines().any(report) {
        return Err(format!("not reported at {line} as {class}: status {}\n{}", outcome.status, outcome.stderr));
    }
    Ok(())
}

fn twin(path: &Path) -> Result<(), String> {
    let outcome = interpret(path, &header(path), &["-DGOOD"])?;
    if outcome.status != 0 || !outcome.stderr.is_empty() {
        return Err(format!("the twin: status {}\n{}", outcome.status, outcome.stderr));
    }
    Ok(())
}

/// Whether a program of `tests/run` can be run with all checks.
pub fn can_be_checked(header: &Header) -> bool {
    // Options that name a stage of the IR ask for no checks.
    header.interpreter.is_none() && !header.flags.iter().any(|flag| flag.starts_with("-O"))
}

/// Runs a program of `tests/run` with all checks.
pub fn checked_run(path: &Path) -> Result<(), String> {
    let header = header(path);
    let outcome = interpret(path, &header, &["-w"])?;
    let Some(reason) = &header.checked else { return check_run(path, &header, &outcome) };
    let class = reason.split(',').next().unwrap_or_default();
    if class == "threads" && outcome.status == NOT_MODELLED && outcome.stderr.contains("not modelled: threads") {
        return Ok(());
    }
    if outcome.status != UNDEFINED || !outcome.stderr.contains(&format!("[{class}]")) {
        return Err(format!("not reported as {class}: status {}\n{}", outcome.status, outcome.stderr));
    }
    Ok(())
}
