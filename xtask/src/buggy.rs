//! `cargo xtask buggy [CLASS...]`: the small wrong programs of `tests/buggy` and their correct
//! twins, in `tcc-rs interpret`, under `-fsanitize=address,undefined` of tcc-rs, and of gcc.
//!
//! A program is found where the run does not end with status 0 and says something. Lines that an
//! executable's report names are not compared; `cargo test` does that for the interpreter.

use crate::report::Report;
use crate::tools::{Outcome, compiler, has, names, root, run as run_process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// No program runs longer in the interpreter.
const LIMIT: Duration = Duration::from_secs(60);

/// What both compilers are told; the first report ends the program.
const FLAGS: &[&str] = &["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];

/// Everything that the runtime of the address sanitizer looks for.
const RUNTIME_OPTIONS: &str = "detect_stack_use_after_return=1:detect_leaks=1";

/// How a program is looked at.
#[derive(Clone, Copy)]
enum Way {
    Interpreter,
    Sanitizers,
    Gcc,
}

/// How often each way has found something, and where it should not have.
#[derive(Default)]
struct Count {
    found: usize,
    missed: Vec<String>,
    wrong_twins: Vec<String>,
}

/// Compares the ways. An error if a twin is reported, if ours finds less than gcc's, or if the
/// interpreter finds too little.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let compiler = compiler()?;
    let programs = programs(&names(arguments))?;
    let mut ways = vec![("interpret", Way::Interpreter), ("tcc-rs", Way::Sanitizers)];
    if has("gcc") {
        ways.push(("gcc", Way::Gcc));
    }
    let scratch = std::env::temp_dir().join(format!("tcc-rs-buggy-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| e.to_string())?;
    let mut counts: Vec<Count> = Vec::new();
    for &(_, way) in &ways {
        let mut count = Count::default();
        for program in &programs {
            let name = name(program);
            match is_reported(&compiler, way, program, false, &scratch)? {
                true => count.found += 1,
                false => count.missed.push(name.clone()),
            }
            if is_reported(&compiler, way, program, true, &scratch)? {
                count.wrong_twins.push(name);
            }
        }
        counts.push(count);
    }
    drop(std::fs::remove_dir_all(&scratch));
    let mut report = Report::default();
    report.more("programs", programs.len() as f64);
    for ((label, _), count) in ways.iter().zip(&counts) {
        println!("{label}: {} of {} found, {} twins reported", count.found, programs.len(), count.wrong_twins.len());
        count.missed.iter().for_each(|name| println!("  not found: {name}"));
        count.wrong_twins.iter().for_each(|name| println!("  its twin is reported: {name}"));
        report.more(format!("{label} found"), count.found as f64);
        report.less(format!("{label} twins reported"), count.wrong_twins.len() as f64);
    }
    let behind = counts.get(2).is_some_and(|gcc| counts[1].found < gcc.found);
    let message = if counts[..2].iter().any(|count| !count.wrong_twins.is_empty()) {
        Some("correct programs are reported".to_string())
    } else if behind {
        Some("gcc's sanitizers find more".to_string())
    } else {
        None
    };
    Ok(report.with_error(message))
}

/// The programs of the classes named, or all.
fn programs(classes: &[String]) -> Result<Vec<PathBuf>, String> {
    let entries = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let listed = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        Ok(paths)
    };
    let mut out = Vec::new();
    for folder in entries(&root().join("tests/buggy"))? {
        let class = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if folder.is_dir() && (classes.is_empty() || classes.contains(&class)) {
            out.extend(entries(&folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "c")));
        }
    }
    Ok(out)
}

fn name(program: &Path) -> String {
    let class = program.parent().and_then(Path::file_name).unwrap_or_default();
    format!("{}/{}", class.to_string_lossy(), program.file_stem().unwrap_or_default().to_string_lossy())
}

/// Whether a run of the program says something and fails.
fn is_reported(compiler: &Path, way: Way, program: &Path, good: bool, scratch: &Path) -> Result<bool, String> {
    let twin: &[&str] = if good { &["-DGOOD"] } else { &[] };
    let reported = |outcome: &Outcome| outcome.status != Some(0) && !outcome.stderr.is_empty();
    let built_by = match way {
        Way::Interpreter => {
            let mut command = Command::new(compiler);
            return Ok(reported(&run_process(
                command.arg("interpret").args(twin).arg(program).current_dir(scratch),
                LIMIT,
            )?));
        }
        Way::Sanitizers => compiler,
        Way::Gcc => Path::new("gcc"),
    };
    let executable = scratch.join("program");
    let mut command = Command::new(built_by);
    command.args(FLAGS).args(twin).arg(program).arg("-o").arg(&executable).arg("-lm");
    let built = run_process(&mut command, LIMIT)?;
    if !built.ok() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let mut command = Command::new(&executable);
    Ok(reported(&run_process(command.env("ASAN_OPTIONS", RUNTIME_OPTIONS).current_dir(scratch), LIMIT)?))
}
