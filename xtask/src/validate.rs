//! `cargo xtask validate [PATH...]`: every pass over every function of programs, checked by z3
//! (`tcc-rs --validate`), and the table by pass.
//!
//! Paths are files or folders; without any, `tests/run` and `bench`. `--level -O1,-O2`, `--seconds
//! N` for each query, `--sample N` every Nth file, `--changes N` one of N changes of each file,
//! `--seed N` others of them, `--jobs N`, `--minutes N` for all (in an order by hashes of names and
//! the seed, so that what is done is a sample); `--include FOLDER`s for the files, separated by commas, `--update` writes the table
//! into docs/validation.md. What was said of a file is kept in the target folder for the same
//! compiler: a run that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::report::Report;
use crate::tools::{compiler, files_below, flag, fnv1a, has, option, root, run as run_process, sampled};

/// For one file.
const LIMIT: Duration = Duration::from_secs(3600);

const DOCUMENT: &str = "docs/validation.md";
const TABLE: (&str, &str) = ("<!-- table -->\n", "<!-- end of table -->");

/// Counts of a pass.
#[derive(Clone, Default)]
struct Counts {
    proved: usize,
    bounded: usize,
    undecided: usize,
    refuted: usize,
}

impl Counts {
    fn all(&self) -> usize {
        self.proved + self.bounded + self.undecided + self.refuted
    }

    fn percent(&self) -> f64 {
        100.0 * (self.proved + self.bounded) as f64 / self.all().max(1) as f64
    }
}

#[derive(Default)]
struct Found {
    passes: BTreeMap<String, Counts>,
    /// By pass.
    reasons: BTreeMap<String, BTreeMap<String, usize>>,
    refuted: Vec<String>,
    files: usize,
    failed: usize,
}

/// Options of the task that take a value.
const VALUES: [&str; 8] =
    ["--level", "--seconds", "--sample", "--jobs", "--minutes", "--changes", "--include", "--seed"];

/// How files are asked about.
struct Asking {
    compiler: PathBuf,
    options: Vec<String>,
    changes: usize,
    /// Which changes, and in which order files are taken.
    seed: String,
    /// Where answers are kept, in a folder for the compiler and the options.
    kept: PathBuf,
}

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    if !has("z3") {
        return Err("z3 is not installed (Debian: apt install z3)".to_string());
    }
    let compiler = compiler()?;
    let files = sampled(files(arguments), arguments);
    let levels = option(arguments, "--level").unwrap_or_else(|| "-O2".to_string());
    let seconds = option(arguments, "--seconds").unwrap_or_else(|| "5".to_string());
    let number = |name: &str| option(arguments, name).and_then(|n| n.parse().ok());
    let include = option(arguments, "--include").unwrap_or_default();
    let include = include.split(',').filter(|folder| !folder.is_empty()).map(|folder| format!("-I{folder}"));
    let seed = option(arguments, "--seed").unwrap_or_default();
    let asking = Asking::new(compiler, &seconds, include.collect(), number("--changes").unwrap_or(1), seed)?;
    let jobs: Vec<(&PathBuf, &str)> =
        files.iter().flat_map(|file| levels.split(',').map(move |level| (file, level))).collect();
    let mut jobs = jobs;
    jobs.sort_by_key(|(file, level)| asking.hash(file, level));
    let end = number("--minutes").map(|minutes: usize| Instant::now() + Duration::from_secs(60 * minutes as u64));
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Found::default()));
    std::thread::scope(|scope| {
        for _ in 0..number("--jobs").unwrap_or(2usize).max(1) {
            scope.spawn(|| {
                while let Some((file, level)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let left = end.map_or(LIMIT, |end| end.saturating_duration_since(Instant::now()));
                    if left.is_zero() {
                        break;
                    }
                    let text = asking.ask(file, level, left.min(LIMIT));
                    let mut found = found.lock().expect("no worker panics");
                    found.add(file, level, text.as_deref());
                }
            });
        }
    });
    let found = found.into_inner().expect("no worker panics");
    let table = found.table(&levels, &seconds, asking.changes);
    print!("{table}");
    if flag(arguments, "--update") {
        update(&table)?;
    }
    let mut report = Report::default();
    let all = found.total();
    report.less("refuted", all.refuted as f64);
    report.more("percent proved", all.percent());
    let wrong = (!found.refuted.is_empty()).then(|| format!("refuted:\n{}", found.refuted.join("\n")));
    Ok(report.with_error(wrong))
}

fn files(arguments: &[String]) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if VALUES.contains(&argument.as_str()) {
            rest.next();
        } else if !argument.starts_with("--") {
            paths.push(PathBuf::from(argument));
        }
    }
    if paths.is_empty() {
        paths = vec![root().join("tests/run"), root().join("bench")];
    }
    paths.iter().flat_map(|path| if path.is_dir() { files_below(path, "c") } else { vec![path.clone()] }).collect()
}

impl Asking {
    fn new(
        compiler: PathBuf,
        seconds: &str,
        include: Vec<String>,
        changes: usize,
        seed: String,
    ) -> Result<Asking, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let bytes = std::fs::read(&compiler).map_err(|e| format!("{}: {e}", compiler.display()))?;
        let of_compiler = fnv1a(&bytes);
        let mut options = vec!["--validate".to_string(), format!("--validate-timeout={seconds}"), "-w".to_string()];
        options.extend(include);
        let kept = target.join("validate").join(format!("{of_compiler:016x}-{seconds}-{changes}-{seed}"));
        std::fs::create_dir_all(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
        Ok(Asking { compiler, options, changes, seed, kept })
    }

    fn hash(&self, file: &Path, level: &str) -> u64 {
        fnv1a(format!("{}{level}{}", file.strip_prefix(root()).unwrap_or(file).display(), self.seed).as_bytes())
    }

    /// What the validator says of a file; nothing if it is not compiled in time.
    fn ask(&self, file: &Path, level: &str, limit: Duration) -> Option<String> {
        let seed = self.hash(file, level);
        let kept = self.kept.join(format!("{seed:016x}"));
        if let Ok(text) = std::fs::read_to_string(&kept) {
            return text.contains("validate: ").then_some(text);
        }
        let mut command = Command::new(&self.compiler);
        command.args(&self.options).args([level, "-c", "-o", "/dev/null"]);
        if self.changes > 1 {
            command.arg(format!("--validate-sample={}:{}", self.changes, seed >> 1));
        }
        let done = run_process(command.arg(file), limit).ok()?;
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        if done.status.is_some() {
            // What is not kept is asked again.
            drop(std::fs::write(kept, &text));
        }
        text.contains("validate: ").then_some(text)
    }
}

impl Found {
    fn add(&mut self, file: &Path, level: &str, text: Option<&str>) {
        let Some(text) = text else {
            self.failed += 1;
            return;
        };
        self.files += 1;
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("validate: ") else { continue };
            let parts: Vec<&str> = rest.splitn(3, ": ").collect();
            let &[_, pass, verdict] = &parts[..] else { continue };
            if verdict.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let counts = self.passes.entry(pass.to_string()).or_default();
            if verdict == "proved" {
                counts.proved += 1;
            } else if verdict.starts_with("proved up to") {
                counts.bounded += 1;
            } else if let Some(reason) = verdict.strip_prefix("not decided: ") {
                counts.undecided += 1;
                *self.reasons.entry(reason.to_string()).or_default().entry(pass.to_string()).or_default() += 1;
            } else {
                counts.refuted += 1;
                let line = format!("{} {level}: {rest}", file.display());
                println!("{line}");
                self.refuted.push(line);
            }
        }
    }

    fn total(&self) -> Counts {
        self.passes.values().fold(Counts::default(), |all, counts| Counts {
            proved: all.proved + counts.proved,
            bounded: all.bounded + counts.bounded,
            undecided: all.undecided + counts.undecided,
            refuted: all.refuted + counts.refuted,
        })
    }

    fn table(&self, levels: &str, seconds: &str, changes: usize) -> String {
        let part = if changes > 1 { format!("One of {changes} changes of functions in ") } else { String::new() };
        let mut out = format!(
            "{part}{} compilations at {levels}, {seconds} seconds for each query.\n\n| pass | changes | proved | up to a bound | not decided | refuted | % |\n|---|---|---|---|---|---|---|\n",
            self.files
        );
        let mut row = |name: &str, counts: &Counts| {
            let Counts { proved, bounded, undecided, refuted } = counts;
            let (all, percent) = (counts.all(), counts.percent());
            let _ = writeln!(out, "| {name} | {all} | {proved} | {bounded} | {undecided} | {refuted} | {percent:.0} |");
        };
        self.passes.iter().for_each(|(name, counts)| row(name, counts));
        row("all", &self.total());
        out.push_str("\nNot decided because of:\n\n| reason | changes | passes |\n|---|---|---|\n");
        let count = |passes: &BTreeMap<String, usize>| passes.values().sum::<usize>();
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, passes)| (usize::MAX - count(passes), (*reason).clone()));
        for (reason, passes) in reasons {
            let mut list: Vec<_> = passes.iter().collect();
            list.sort_by_key(|(pass, count)| (usize::MAX - **count, (*pass).clone()));
            let list: Vec<String> = list.into_iter().map(|(pass, count)| format!("{pass} {count}")).collect();
            let _ = writeln!(out, "| {reason} | {} | {} |", count(passes), list.join(", "));
        }
        if self.failed > 0 {
            let _ = writeln!(out, "\n{} compilations did not end in time, or failed.", self.failed);
        }
        out
    }
}

/// Puts the table into the document.
fn update(table: &str) -> Result<(), String> {
    let file = root().join(DOCUMENT);
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{DOCUMENT}: {e}"))?;
    let parts = text.split_once(TABLE.0).and_then(|(before, rest)| Some((before, rest.split_once(TABLE.1)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{DOCUMENT} has no place for the table"))?;
    std::fs::write(&file, format!("{before}{}{table}{}{after}", TABLE.0, TABLE.1))
        .map_err(|e| format!("{DOCUMENT}: {e}"))
}
