//! `cargo xtask interpret-stages`: every program of `tests/run` does under the interpreter, in
//! alloca form, promoted and optimised, what it does as machine code.

use super::{Header, LIMIT, tests};
use crate::tools::{compiler, names, run as run_process};
use std::process::Command;

/// The stages, and the options that lead to them.
const STAGES: [(&str, [&str; 2]); 3] = [
    ("alloca form", ["-O0", "--emit=ir0"]),
    ("after mem2reg", ["-O0", "--passes=simplify_cfg,sroa,mem2reg"]),
    ("after the passes of -O2", ["-O2", "--emit=ir"]),
];

/// At most this share of the programs may be exempt, without those that are about [`ASSEMBLY`],
/// which no interpreter of IR runs.
const MAX_EXEMPT_PERCENT: usize = 10;
const ASSEMBLY: &str = "inline assembly";

/// Interprets the programs named, or all. An error if one differs or too many are exempt.
pub fn interpret_stages(arguments: &[String]) -> Result<(), String> {
    let compiler = compiler()?;
    let wanted = names(arguments);
    let mut exempt = Vec::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for test in tests() {
        let name = test.name();
        if !wanted.is_empty() && !wanted.iter().any(|w| *w == name.trim_end_matches(".c")) {
            continue;
        }
        count += 1;
        let header = Header::of(&test.file);
        if let Some(reason) = &header.interpreter {
            exempt.push(format!("{name}: {reason}"));
            continue;
        }
        let expected = std::fs::read(test.file.with_extension("expected")).unwrap_or_default();
        for (stage, options) in STAGES {
            let mut command = Command::new(&compiler);
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
                wrong.push(format!("{name}, {stage}: status {:?} {}", outcome.status, message.trim_end()));
            }
        }
    }
    println!("{count} programs at {} stages, {} exempt:", STAGES.len(), exempt.len());
    exempt.iter().for_each(|line| println!("  {line}"));
    wrong.iter().for_each(|line| println!("{line}"));
    if !wrong.is_empty() {
        return Err(format!("{} runs differ from the machine code's", wrong.len()));
    }
    let assembly = exempt.iter().filter(|line| line.contains(ASSEMBLY)).count();
    if wanted.is_empty() && (exempt.len() - assembly) * 100 > (count - assembly) * MAX_EXEMPT_PERCENT {
        return Err(format!("more than {MAX_EXEMPT_PERCENT} % are exempt"));
    }
    Ok(())
}
