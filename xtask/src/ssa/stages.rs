//! `cargo xtask interpret-stages`: every program of `tests/run` does under the interpreter, in
//! alloca form, promoted and optimised, what it does as machine code.
//!
//! A program is exempt when its first lines say why the interpreter cannot run it. All programs
//! are tried, the exempt ones, too: an exemption that is not needed is an error, and so is one for
//! inline assembly where the interpreter did not stop at inline assembly.

use super::{Header, LIMIT, Source, tests};
use crate::report::Report;
use crate::tools::{compiler, names, run as run_process};
use std::path::Path;
use std::process::Command;

/// The stages, and the options that lead to them.
const STAGES: [(&str, [&str; 2]); 3] = [
    ("alloca form", ["-O0", "--emit=ir0"]),
    ("after mem2reg", ["-O0", "--passes=simplify_cfg,sroa,mem2reg"]),
    ("after the passes of -O2", ["-O2", "--emit=ir"]),
];

/// At most this share of the programs may be exempt for other reasons than [`ASSEMBLY`], which no
/// interpreter of IR runs.
const MAX_EXEMPT_PERCENT: usize = 10;
/// The reason in a program's first lines.
const ASSEMBLY: &str = "inline assembly";
/// What the interpreter says of inline assembly.
const ASSEMBLY_MESSAGE: &str = "not modelled: inline assembly";

/// Interprets the programs named, or all. An error if one differs or too many are exempt.
pub fn interpret_stages(arguments: &[String]) -> Result<Report, String> {
    let compiler = compiler()?;
    let mut exempt = Vec::new();
    let mut wrong = Vec::new();
    let tests = tests(arguments);
    for test in &tests {
        let header = Header::of(&test.file);
        let differences = differences(&compiler, test, &header)?;
        match &header.interpreter {
            Some(reason) => {
                if differences.is_empty() {
                    wrong.push(format!("{}: runs, its exemption ({reason}) is not needed", test.name()));
                } else if reason.starts_with(ASSEMBLY) && !differences.iter().any(|d| d.contains(ASSEMBLY_MESSAGE)) {
                    wrong.push(format!("{}: exempt for inline assembly, but {}", test.name(), differences[0]));
                }
                exempt.push(format!("{}: {reason}", test.name()));
            }
            None => wrong.extend(differences),
        }
    }
    let count = tests.len();
    let interpreted = count - exempt.len();
    let assembly = exempt.iter().filter(|line| line.contains(ASSEMBLY)).count();
    let others = exempt.len() - assembly;
    println!("exempt:");
    exempt.iter().for_each(|line| println!("  {line}"));
    let share = 100.0 * interpreted as f64 / count.max(1) as f64;
    println!(
        "{count} programs at {} stages: {interpreted} interpreted ({share:.1} %), {assembly} exempt for inline assembly, {others} for other reasons",
        STAGES.len()
    );
    wrong.iter().for_each(|line| println!("{line}"));
    let mut report = Report::default();
    report.less("runs that differ", wrong.len() as f64);
    report.more("programs interpreted", interpreted as f64);
    report.more("share interpreted, %", share);
    let message = if !wrong.is_empty() {
        Some(format!("{} runs or exemptions are wrong", wrong.len()))
    } else if names(arguments).is_empty() && others * 100 > (count - assembly) * MAX_EXEMPT_PERCENT {
        Some(format!("more than {MAX_EXEMPT_PERCENT} % are exempt"))
    } else {
        None
    };
    Ok(report.with_error(message))
}

/// The stages at which the interpreter does something else than the machine code, with what it
/// says.
fn differences(compiler: &Path, test: &Source, header: &Header) -> Result<Vec<String>, String> {
    let expected = std::fs::read(test.file.with_extension("expected")).unwrap_or_default();
    let mut out = Vec::new();
    for (stage, options) in STAGES {
        let mut command = Command::new(compiler);
        command
            .args(["interpret", "-w"])
            .args(options)
            .args(&header.interpreter_flags)
            .args(test.flags())
            .arg(&test.file)
            .args(&header.args);
        let outcome = run_process(&mut command, LIMIT)?;
        if outcome.stdout != expected || outcome.status != Some(header.exit) {
            let message = String::from_utf8_lossy(&outcome.stderr);
            out.push(format!("{}, {stage}: status {:?} {}", test.name(), outcome.status, message.trim_end()));
        }
    }
    Ok(out)
}
