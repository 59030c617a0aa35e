//! `cargo xtask suite`: the single-exec part of the c-testsuite, and our own cases in its format.
//!
//! The protocol: `tests/single-exec/N.c` with `N.c.expected`; the program exits with 0 and its
//! standard output and error together are what the file says. A runner's `.skip` lists cases it can
//! never pass.

use crate::tools::{Outcome, compiler, flag, option, root, run as run_process, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// Run at one level (`--level`), at `-O0 -O1 -O2` without it, and through `tcc-rs run` with
/// `--run`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let compiler = compiler()?;
    let mut suites = vec![root().join("c-testsuite/tests/single-exec")];
    match option(arguments, "--path").or_else(|| std::env::var("C_TESTSUITE").ok()) {
        Some(path) => suites.insert(0, Path::new(&path).join("tests/single-exec")),
        None => println!(
            "only our own cases: give --path (or C_TESTSUITE) a checkout of the repository c-testsuite/c-testsuite for the others"
        ),
    }
    let mut variants = match option(arguments, "--level") {
        Some(level) => vec![level],
        None => ["-O0", "-O1", "-O2"].map(String::from).to_vec(),
    };
    if flag(arguments, "--run") {
        variants.push("run".to_string());
    }
    let skip = std::fs::read_to_string(root().join("c-testsuite/skip")).unwrap_or_default();
    let mut failed = 0;
    for suite in suites {
        let cases = crate::tools::files_below(&suite, "c");
        if cases.is_empty() {
            return Err(format!("{} has no cases", suite.display()));
        }
        for variant in &variants {
            failed += run_variant(&compiler, &suite, &cases, variant, &skip)?;
        }
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} failed")) }
}

fn run_variant(compiler: &Path, suite: &Path, cases: &[PathBuf], variant: &str, skip: &str) -> Result<usize, String> {
    let dir = work_dir("suite")?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for case in cases {
        let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if skip.lines().any(|l| l.split_whitespace().next() == Some(&name)) {
            skipped += 1;
            continue;
        }
        match run_case(compiler, case, variant, &dir.join("program"))? {
            None => passed += 1,
            Some(why) => {
                failed += 1;
                println!("not ok {name} {variant}: {why}");
            }
        }
    }
    println!("{} {variant}: {passed} of {} passed, {skipped} skipped", suite.display(), passed + failed);
    Ok(failed)
}

/// `None` when it passes.
fn run_case(compiler: &Path, case: &Path, variant: &str, program: &Path) -> Result<Option<String>, String> {
    let outcome = if variant == "run" {
        run_process(Command::new(compiler).args(["run", "-w"]).arg(case), LIMIT)?
    } else {
        let built = run_process(Command::new(compiler).args([variant, "-w"]).arg(case).arg("-o").arg(program), LIMIT)?;
        if !built.ok() {
            return Ok(Some(format!("does not compile: {}", first_error(&built))));
        }
        run_process(&mut Command::new(program), LIMIT)?
    };
    let mut expected = case.as_os_str().to_os_string();
    expected.push(".expected");
    let expected = std::fs::read(&expected).map_err(|e| format!("{}: {e}", Path::new(&expected).display()))?;
    let mut got = outcome.stdout.clone();
    got.extend(&outcome.stderr);
    Ok(match outcome.status {
        None => Some("does not end".to_string()),
        Some(0) if got == expected => None,
        Some(0) => Some("wrong output".to_string()),
        Some(status) => Some(format!("status {status}")),
    })
}

fn first_error(outcome: &Outcome) -> String {
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    text.lines().find(|l| l.contains("error")).or(text.lines().next()).unwrap_or("no message").to_string()
}
