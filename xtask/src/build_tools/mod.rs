//! `cargo xtask tools`: programs that build others, each with tcc-rs as its C compiler.
//!
//! A case is a shell script (`scripts.rs`) run in an empty folder with `CC` naming the compiler; it
//! makes a small project as a user of the tool would, builds it, and runs what was built, so that a
//! compiler that the tool misunderstands is noticed, not only one that fails. What a case lacks is
//! said, with how to get it, and such a case counts as neither passed nor failed. Cases that fetch
//! from a registry are only run with `--online`.

mod scripts;

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::report::Report;
use crate::tools::{compiler, flag, has, names, run as run_process, work_dir};
use scripts::{CASES, Case, Need};

/// Seconds a case may take.
const LIMIT: u64 = 1200;
/// Lines of a log that are shown when its case fails.
const SHOWN_LINES: usize = 12;

/// Runs the cases named, or all. `--list` only says what they are and lack.
///
/// # Errors
/// A case that fails, or a name that is none.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let (list, online) = (flag(arguments, "--list"), flag(arguments, "--online"));
    let values: Vec<String> = arguments.iter().filter(|a| *a != "--list" && *a != "--online").cloned().collect();
    let wanted = names(&values);
    if let Some(unknown) = wanted.iter().find(|w| CASES.iter().all(|c| c.name != **w)) {
        let known: Vec<&str> = CASES.iter().map(|c| c.name).collect();
        return Err(format!("no case `{unknown}`; there are {}", known.join(", ")));
    }
    let chosen = CASES.iter().filter(|c| wanted.is_empty() || wanted.iter().any(|w| w == c.name));
    let compiler = if list { Default::default() } else { compiler()? };
    let compiler = std::path::absolute(&compiler).unwrap_or(compiler);
    let dir = work_dir("tools")?;
    let (mut passed, mut failed) = (0, Vec::new());
    for case in chosen {
        let missing = missing(case, online);
        if list || !missing.is_empty() {
            println!("{:<12}{}{}", case.name, case.about, if missing.is_empty() { "" } else { " (not run)" });
            missing.iter().for_each(|line| println!("    {line}"));
            continue;
        }
        let start = Instant::now();
        match judge(case, &dir.join(case.name), &compiler) {
            Ok(()) => {
                println!("{:<12}ok {:>6.1} s", case.name, start.elapsed().as_secs_f64());
                passed += 1;
            }
            Err(why) => {
                println!("{:<12}FAILED\n{why}", case.name);
                failed.push(case.name);
            }
        }
    }
    let mut report = Report::default();
    report.less("tools that fail", failed.len() as f64);
    report.more("tools that work", f64::from(passed));
    Ok(report.with_error((!failed.is_empty()).then(|| format!("failed: {}", failed.join(", ")))))
}

/// What a case cannot do without, and how to get it.
fn missing(case: &Case, online: bool) -> Vec<String> {
    let lacks = |need: &&Need| match need {
        Need::Program(name, _) => !has(name),
        Need::File(path, _) => !Path::new(path).exists(),
        Need::Registry(_) => !online,
        Need::Root(_) => std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() != 0),
    };
    let say = |need: &Need| match need {
        Need::Program(name, how) => format!("{name} is not installed: {how}"),
        Need::File(path, how) => format!("{path} is not there: {how}"),
        Need::Registry(which) => format!("fetches from {which}: --online allows that"),
        Need::Root(why) => format!("is for root: {why}"),
    };
    case.needs.iter().filter(lacks).map(say).collect()
}

/// Runs a case; an error is the end of what it printed.
fn judge(case: &Case, dir: &Path, compiler: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    // Some tools take a compiler by its name only, and find it in PATH.
    let bin = dir.join("bin");
    std::fs::create_dir_all(&bin).map_err(|e| e.to_string())?;
    let link = bin.join("tcc-rs");
    drop(std::fs::remove_file(&link));
    std::os::unix::fs::symlink(compiler, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-euc", &format!("exec 2>&1\n{}\n{}", scripts::COMMON, case.script.join("\n"))]).current_dir(dir);
    command.env("CC", compiler).env("PATH", format!("{}:{path}", bin.display())).env("LC_ALL", "C");
    command.env_remove("CFLAGS").env_remove("LDFLAGS").env_remove("CPPFLAGS").process_group(0);
    let outcome = run_process(&mut command, Duration::from_secs(LIMIT))?;
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let log = dir.join("log");
    std::fs::write(&log, &text).map_err(|e| format!("{}: {e}", log.display()))?;
    if outcome.ok() {
        return Ok(());
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut why: Vec<String> =
        lines[lines.len().saturating_sub(SHOWN_LINES)..].iter().map(|line| format!("    {line}")).collect();
    let status = outcome.status.map_or("stopped at the limit".to_owned(), |s| format!("status {s}"));
    why.push(format!("    {status}; all of it: {}", log.display()));
    Err(why.join("\n"))
}
