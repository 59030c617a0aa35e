//! `option-sweep`: every option that gcc's option files document for C on x86-64, with good and bad
//! arguments and its `no-` form, given to gcc and to tcc-rs.
//!
//! Compared are the exit status, errors and warnings, the files written, the macros of `-dM -E` and
//! what a linker sees of the probe's object (`like_gcc::view`); what differs without the option
//! does not count. A difference is a line `OPTION: DIFFERENCE`; those that a pattern of
//! `explained.txt` covers are summed up with their reason, any other makes the task fail.

mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::like_gcc::{differences, matches, view};
use crate::tools;
use records::Records;
use view::Facts;

const FILES: &[&str] = &["common.opt", "c-family/c.opt", "config/i386/i386.opt", "params.opt"];
const LIMIT: Duration = Duration::from_secs(20);
/// Differences printed for each option.
const SHOWN: usize = 12;

/// Sweeps over the options of gcc's sources in a folder.
///
/// # Errors
/// Differences that are not explained.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let compiler = tools::compiler()?;
    let compiler = compiler.canonicalize().map_err(|e| format!("{}: {e}", compiler.display()))?;
    let path =
        tools::option(arguments, "--path").ok_or("option-sweep wants --path FOLDER, gcc's source folder gcc/")?;
    let level = tools::option(arguments, "--level").unwrap_or_else(|| "-O2".into());
    let only = tools::option(arguments, "--only");
    let mut options = Records::default();
    for file in FILES {
        let file = Path::new(&path).join(file);
        options.read(&std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?);
    }
    let mut spellings = options.spellings(&processors()?);
    if let Some(only) = only {
        spellings.retain(|s| crate::like_gcc::matches(&only, &s.join(" ")));
    }
    let sweep = Sweep { compiler, level, dir: tools::work_dir("option-sweep")?, cache: cache()? };
    let base = sweep.compare(&[], 0)?.into_iter().collect();
    let found = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (spellings, sweep, found, next, base) = (&spellings, &sweep, &found, &next, &base);
            scope.spawn(move || {
                while let Some(spelling) = spellings.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let difference = sweep.compare(spelling, thread).unwrap_or_else(|e| vec![e]);
                    let difference: Vec<String> = difference.into_iter().filter(|d| !of_base(base, d)).collect();
                    if let Ok(mut found) = found.lock() {
                        found.insert(spelling.join(" "), difference);
                    }
                }
            });
        }
    });
    report(&found.into_inner().unwrap_or_default())
}

/// What the probe differs in without an option.
fn of_base(base: &BTreeSet<String>, difference: &str) -> bool {
    base.contains(difference)
}

/// gcc's names of processors, from its message about one that does not exist.
fn processors() -> Result<Vec<String>, String> {
    let mut command = Command::new("gcc");
    command.args(["-march=no-such-processor", "-xc", "-S", "/dev/null", "-o", "/dev/null"]).env("LC_ALL", "C");
    let outcome = tools::run(&mut command, LIMIT)?;
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let names = text.lines().find_map(|line| line.split_once("switch are: ")).map(|(_, names)| names);
    let names = names.and_then(|names| names.split(';').next()).ok_or("gcc names no processors")?;
    Ok(names.split_whitespace().chain(["nonsense"]).map(String::from).collect())
}

/// Where gcc's answers are kept from one run to the next.
fn cache() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| tools::root().join("target"), PathBuf::from);
    let dir = target.join("xtask/option-sweep-answers");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    Ok(dir)
}

struct Sweep {
    compiler: PathBuf,
    level: String,
    dir: PathBuf,
    cache: PathBuf,
}

impl Sweep {
    fn compare(&self, options: &[String], thread: usize) -> Result<Vec<String>, String> {
        let gcc = match self.remembered(options) {
            Some(facts) => facts,
            None => {
                let facts = self.facts(Path::new("gcc"), options, thread)?;
                self.remember(options, &facts);
                facts
            }
        };
        let ours = self.facts(&self.compiler, options, thread)?;
        let status = ["gcc", "tcc-rs"].map(String::from);
        let [of_gcc, of_ours] = [&gcc, &ours].map(|facts| facts.get("status").cloned().unwrap_or_default());
        let [gcc_name, our_name] = status;
        Ok(match (of_gcc == "0", of_ours == "0") {
            (true, false) => vec![format!("{gcc_name} accepts, {our_name} does not: {}", first_message(&ours))],
            (false, true) => vec![format!("{gcc_name} refuses, {our_name} does not: {}", first_message(&gcc))],
            (false, false) if first_message(&gcc) != first_message(&ours) => {
                vec![format!("gcc says {}, tcc-rs {}", first_message(&gcc), first_message(&ours))]
            }
            (false, false) => Vec::new(),
            (true, true) => differences(&gcc, &ours),
        })
    }

    /// What a compiler does with the options.
    fn facts(&self, compiler: &Path, options: &[String], thread: usize) -> Result<Facts, String> {
        let dir = self.dir.join(thread.to_string());
        drop(std::fs::remove_dir_all(&dir));
        std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
        std::fs::write(dir.join("probe.c"), include_str!("probe.c")).map_err(|e| e.to_string())?;
        let command = |more: &[&str]| {
            let mut command = Command::new(compiler);
            command.current_dir(&dir).env("LC_ALL", "C").process_group(0);
            command.arg(&self.level).args(options).args(more).arg("probe.c");
            command
        };
        let outcome = tools::run(&mut command(&["-c", "-oprobe.o"]), LIMIT)?;
        let mut facts = match std::fs::read(dir.join("probe.o")) {
            Ok(bytes) => view::of_object(&bytes).unwrap_or_default(),
            Err(_) => Facts::new(),
        };
        facts.insert("status".into(), outcome.status.map_or("stopped".into(), |s| s.to_string()));
        for line in String::from_utf8_lossy(&outcome.stderr).lines() {
            if let Some(message) = message(line) {
                facts.insert(format!("message {message}"), "given".into());
            }
        }
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != "probe.c" && name != "probe.o" {
                facts.insert(format!("file {name}"), "written".into());
            }
        }
        let macros = tools::run(&mut command(&["-dM", "-E"]), LIMIT)?;
        for line in String::from_utf8_lossy(&macros.stdout).lines() {
            let text = line.strip_prefix("#define ").unwrap_or(line);
            let (name, value) = text.split_once(' ').unwrap_or((text, ""));
            facts.insert(format!("macro {name}"), format!("'{value}'"));
        }
        Ok(facts)
    }

    fn answer_file(&self, options: &[String]) -> PathBuf {
        let text = format!("{} {}", self.level, options.join(" "));
        let name: String = text
            .bytes()
            .map(|b| if b.is_ascii_alphanumeric() || b == b'-' { char::from(b).to_string() } else { format!("%{b:x}") })
            .collect();
        self.cache.join(name)
    }

    /// gcc's answer of an earlier run with this probe.
    fn remembered(&self, options: &[String]) -> Option<Facts> {
        let text = std::fs::read_to_string(self.answer_file(options)).ok()?;
        let mut lines = text.strip_prefix(include_str!("probe.c"))?.lines().map(str::to_owned);
        let mut facts = Facts::new();
        while let (Some(fact), Some(said)) = (lines.next(), lines.next()) {
            facts.insert(fact, said);
        }
        Some(facts)
    }

    fn remember(&self, options: &[String], facts: &Facts) {
        let mut text = include_str!("probe.c").to_owned();
        for (fact, said) in facts {
            text.push_str(&format!("{fact}\n{said}\n"));
        }
        drop(std::fs::write(self.answer_file(options), text));
    }
}

/// Errors and warnings without the program's name; the linker speaks of temporary files.
fn message(line: &str) -> Option<String> {
    if line.starts_with("/usr/bin/ld: ") {
        return None;
    }
    let programs = ["gcc: ", "cc1: ", "tcc-rs: ", "probe.c: "];
    let line = programs.iter().find_map(|program| line.strip_prefix(program)).unwrap_or(line);
    let kinds = ["error: ", "fatal error: ", "warning: ", "sorry, unimplemented: "];
    kinds.iter().any(|kind| line.contains(kind)).then(|| line.to_owned())
}

fn first_message(facts: &Facts) -> &str {
    facts.keys().find_map(|fact| fact.strip_prefix("message ")).unwrap_or("nothing")
}

fn explained() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("explained.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" | ")).map(|(pattern, why)| (pattern.trim(), why.trim())).collect()
}

fn report(found: &BTreeMap<String, Vec<String>>) -> Result<(), String> {
    let patterns = explained();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = 0;
    for (option, differences) in found {
        let mut shown = Vec::new();
        for difference in differences {
            let line = format!("{option}: {difference}");
            match patterns.iter().find(|(pattern, _)| matches(pattern, &line)) {
                Some((_, why)) => *reasons.entry(why).or_default() += 1,
                None => shown.push(line),
            }
        }
        unexplained += usize::from(!shown.is_empty());
        for line in shown.iter().take(SHOWN) {
            println!("{line}");
        }
    }
    for (why, count) in reasons {
        println!("{count:5} explained: {why}");
    }
    println!("{} options, {unexplained} of them differ from gcc without an explanation", found.len());
    if unexplained == 0 { Ok(()) } else { Err("options differ from gcc's".into()) }
}
