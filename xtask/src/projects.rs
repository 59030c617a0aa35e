//! `cargo xtask projects`: real programs, built by their own build files with `CC=tcc-rs`, judged
//! by their own tests.
//!
//! Sources are not part of this repository: `--path DIR` (or `TCC_RS_PROJECTS`) names a directory
//! with one folder per project. What is missing is said, with the place to get it from. A step
//! fails when its commands do, or when it prints lines with `FAIL` that the same step with gcc does
//! not print: some tests fail on some machines whatever compiler is used.

use crate::recipes::{PROJECTS, Project};
use crate::report::Report;
use crate::tools::{compiler, has, names, option, run as run_process, work_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Seconds a step may take.
const LIMIT: u64 = 1800;

/// Build and test the projects named, or those that are built by default.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let path = option(arguments, "--path").or_else(|| std::env::var("TCC_RS_PROJECTS").ok());
    let level = option(arguments, "--level").unwrap_or_else(|| "-O2".to_string());
    let wanted = names(arguments);
    if let Some(unknown) = wanted.iter().find(|w| PROJECTS.iter().all(|p| p.name != **w)) {
        let known: Vec<&str> = PROJECTS.iter().map(|p| p.name).collect();
        return Err(format!("no project `{unknown}`; there are {}", known.join(", ")));
    }
    let chosen: Vec<&Project> = PROJECTS
        .iter()
        .filter(|p| if wanted.is_empty() { p.default } else { wanted.iter().any(|w| w == p.name) })
        .collect();
    let Some(path) = path else {
        let list: Vec<String> = chosen.iter().map(|p| format!("  {}: {}", p.name, p.origin)).collect();
        return Err(format!(
            "--path DIR (or TCC_RS_PROJECTS) must hold the sources, a folder each:\n{}",
            list.join("\n")
        ));
    };
    let compiler = match option(arguments, "--args") {
        Some(more) => format!("{} {more}", compiler()?.display()),
        None => compiler()?.display().to_string(),
    };
    let dir = work_dir("projects")?;
    let mut failed = Vec::new();
    let mut passed = 0;
    for project in chosen {
        let missing: Vec<&str> = project.needs.iter().filter(|(n, _)| !has(n)).map(|(_, package)| *package).collect();
        if !missing.is_empty() {
            println!("{}: not built, needs: apt install {}", project.name, missing.join(" "));
            continue;
        }
        let Some(source) = find_source(Path::new(&path), project.folders) else {
            println!("{}: no source in {path}; get it from: {}", project.name, project.origin);
            continue;
        };
        match judge(project, &source, &dir, &compiler, &level) {
            Ok(note) => {
                println!("{} {level}: ok{note}", project.name);
                passed += 1;
            }
            Err(why) => {
                println!("{} {level}: FAILED {why}", project.name);
                failed.push(project.name);
            }
        }
    }
    let mut report = Report::default();
    report.less("projects that fail", failed.len() as f64);
    report.more("projects that pass", f64::from(passed));
    Ok(report.with_error((!failed.is_empty()).then(|| format!("failed: {}", failed.join(", ")))))
}

/// The folder of one of these names, possibly with a version after it.
fn find_source(path: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(path).ok()?.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    let is = |folder: &str, name: &str| {
        let rest = folder.strip_prefix(name).map(|r| r.trim_start_matches(|c: char| c.is_ascii_digit()));
        rest.is_some_and(|r| r.is_empty() || r.starts_with(['-', '_', '.']))
    };
    names
        .iter()
        .find_map(|name| folders.iter().find(|p| is(&p.file_name().unwrap_or_default().to_string_lossy(), name)))
        // A link is followed: what is copied are the sources.
        .and_then(|folder| folder.canonicalize().ok())
}

/// What one step did.
struct Step {
    ok: bool,
    text: String,
}

impl Step {
    /// How many tests say that they passed.
    fn passes(&self) -> usize {
        self.text.lines().filter(|l| l.starts_with("PASS")).count()
    }

    /// The lines that name failed tests, numbers that change from run to run removed.
    fn failures(&self) -> BTreeSet<String> {
        let plain = |l: &str| l.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
        self.text
            .lines()
            .filter(|l| l.contains("FAIL") && !l.contains("# FAIL:") && !l.contains("# XFAIL:"))
            .map(plain)
            .collect()
    }
}

/// Runs every step; where one fails, gcc decides whether the compiler is to blame. Gives what there
/// is to say about a success.
fn judge(project: &Project, source: &Path, dir: &Path, compiler: &str, level: &str) -> Result<String, String> {
    let own = copy(source, &dir.join(project.name))?;
    let mut reference: Option<PathBuf> = None;
    let mut note = String::new();
    for (i, (name, commands)) in project.steps.iter().enumerate() {
        let report = step(commands, &own, compiler, level)?;
        let log = dir.join(format!("{}.log", project.name));
        drop(std::fs::write(&log, &report.text));
        if report.ok && report.failures().is_empty() {
            continue;
        }
        let folder = if let Some(folder) = &reference {
            folder.clone()
        } else {
            let folder = copy(source, &dir.join(format!("{}-gcc", project.name)))?;
            for (_, before) in &project.steps[..i] {
                step(before, &folder, "gcc", "-O1")?;
            }
            reference.insert(folder).clone()
        };
        let theirs = step(commands, &folder, "gcc", "-O1")?;
        let known = theirs.failures();
        if !theirs.ok && known.is_empty() && theirs.passes() == 0 {
            return Err(format!(
                "in `{name}`: gcc does not get through it either, so nothing was judged (log: {})",
                log.display()
            ));
        }
        let new: Vec<String> = report.failures().into_iter().filter(|l| !known.contains(l)).collect();
        if !new.is_empty() || (theirs.ok && !report.ok) || report.passes() < theirs.passes() {
            let tail: Vec<&str> = report.text.lines().rev().take(12).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            let shown: Vec<String> = new.iter().take(20).cloned().collect();
            return Err(format!(
                "in `{name}` ({} tests passed, {} with gcc):\n{}\n{}\n(all of it: {})",
                report.passes(),
                theirs.passes(),
                tail.join("\n"),
                shown.join("\n"),
                log.display()
            ));
        }
        note = format!("{note}; `{name}` has {} failures that gcc's build has too", known.len().max(1));
    }
    Ok(note)
}

/// A copy of the source with its times, so that what the package generated is not made again.
fn copy(source: &Path, target: &Path) -> Result<PathBuf, String> {
    let copied = Command::new("cp").arg("-a").arg(source).arg(target).status().map_err(|e| e.to_string())?;
    if copied.success() { Ok(target.to_path_buf()) } else { Err("cannot copy the source".to_string()) }
}

/// Commands in a shell, in a process group that ends with the limit.
fn step(commands: &str, folder: &Path, compiler: &str, level: &str) -> Result<Step, String> {
    let mut shell = Command::new("timeout");
    shell.args(["-k", "10", &LIMIT.to_string(), "sh", "-c", &format!("exec 2>&1\n{commands}")]).current_dir(folder);
    shell.env("CC", compiler).env("OPT", level).env("CFLAGS", level).env("JOBS", "-j2");
    shell.env("FORCE_UNSAFE_CONFIGURE", "1").env("LC_ALL", "C");
    for tool in ["ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE", "MAKEINFO"] {
        shell.env(tool, ":");
    }
    let outcome = run_process(&mut shell, Duration::from_secs(LIMIT + 60))?;
    // Two builds are compared by what they print: it must not depend on where they are.
    let text = String::from_utf8_lossy(&outcome.stdout).replace(&*folder.to_string_lossy(), ".");
    Ok(Step { ok: outcome.ok(), text })
}
