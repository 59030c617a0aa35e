//! `like-gcc`: compiles files with gcc and with tcc-rs and compares what a linker, a loader or a
//! tool sees of the objects.
//!
//! A difference is a line of text without the file's name: `gcc only: FACT`, `tcc-rs only: FACT`,
//! or `FACT: gcc SAYS, tcc-rs SAYS`. Lines are counted over all files. Those that a pattern of
//! `explained.txt` covers are summed up with their reason; any other makes the task fail.
//!
//! Two lines at the head of a file are heeded: `// flags: ...` is given to both compilers, and
//! `// like-gcc: REASON` says why gcc refuses the file.

pub(crate) mod view;

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::report::Report;
use crate::tools;
use view::Facts;

/// Flags of the runs unless `--flags` says otherwise.
const FLAGS: &[&str] = &["-O0", "-O2", "-Os", "-O2 -fPIC -ffunction-sections -fdata-sections", "-O2 -g"];
const LIMIT: Duration = Duration::from_secs(60);
/// Files named for each difference.
const EXAMPLES: usize = 3;

/// Differences, each with the number of compilations that have it and the first of them.
pub type Found = BTreeMap<String, (usize, Vec<String>)>;

/// Compares the files named, and all C files of the folders.
///
/// # Errors
/// Differences that are not explained.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let compiler = tools::compiler()?;
    let sets: Vec<String> = match tools::option(arguments, "--flags") {
        Some(flags) => flags.split(',').map(|set| set.trim().to_owned()).collect(),
        None => FLAGS.iter().map(|set| set.to_string()).collect(),
    };
    let mut files = Vec::new();
    for name in tools::names(arguments) {
        collect(Path::new(&name), &mut files)?;
    }
    if files.is_empty() {
        return Err("like-gcc wants files or folders".into());
    }
    files.sort();
    let files = tools::sampled(files, arguments);
    let jobs: Vec<(&PathBuf, &String)> =
        files.iter().flat_map(|file| sets.iter().map(move |set| (file, set))).collect();
    let found = Mutex::new(Found::new());
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (jobs, found, next, compared, compiler) = (&jobs, &found, &next, &compared, &compiler);
            scope.spawn(move || {
                while let Some((file, set)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(differences) = compare(compiler, file, set, thread) else { continue };
                    compared.fetch_add(1, Ordering::Relaxed);
                    let Ok(mut found) = found.lock() else { return };
                    for difference in differences {
                        let entry = found.entry(difference).or_default();
                        entry.0 += 1;
                        if entry.1.len() < EXAMPLES {
                            entry.1.push(format!("{} {set}", file.display()));
                        }
                    }
                }
            });
        }
    });
    Ok(report(
        &found.into_inner().unwrap_or_default(),
        compared.into_inner(),
        jobs.len(),
        include_str!("explained.txt"),
    ))
}

/// C files at or below `path`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let mut work = vec![path.to_path_buf()];
    while let Some(path) = work.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            work.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        } else if !path.exists() {
            return Err(format!("{}: no such file", path.display()));
        }
    }
    Ok(())
}

/// The differences of one compilation; `None` where gcc takes too long, or refuses the file as
/// tcc-rs does.
fn compare(compiler: &Path, file: &Path, set: &str, thread: usize) -> Option<Vec<String>> {
    let head = Head::of(file);
    let flags = format!("{set} {}", head.flags);
    let gcc = facts(Path::new("gcc"), file, &flags, thread)?;
    let ours = facts(compiler, file, &flags, thread);
    Some(match (gcc, ours) {
        (Err(_), Some(Err(_))) => return None,
        (Err(_), Some(Ok(_))) if head.refused => return None,
        (Ok(_), None | Some(Err(_))) => vec!["status: gcc accepts, tcc-rs does not".into()],
        (Err(_), None | Some(Ok(_))) => vec!["status: gcc refuses, tcc-rs does not".into()],
        (Ok(gcc), Some(Ok(ours))) => {
            let optimised = flags.split_whitespace().rfind(|f| f.starts_with("-O")).is_some_and(|f| f != "-O0");
            differences(&gcc, &ours).iter().map(|text| class(text, optimised)).collect()
        }
    })
}

/// What the first lines of a file say.
#[derive(Default)]
struct Head {
    /// Flags it is to be compiled with.
    flags: String,
    /// gcc refuses it.
    refused: bool,
}

impl Head {
    fn of(file: &Path) -> Head {
        let text = std::fs::read(file).unwrap_or_default();
        let mut head = Head::default();
        for line in String::from_utf8_lossy(&text).lines().map_while(|line| line.strip_prefix("// ")) {
            if let Some(flags) = line.strip_prefix("flags: ") {
                head.flags = flags.to_owned();
            }
            head.refused |= line.starts_with("like-gcc: ");
        }
        head
    }
}

/// What one compiler's object says; `None` when it cannot be run, or not to its end in time.
fn facts(compiler: &Path, file: &Path, set: &str, thread: usize) -> Option<Result<Facts, String>> {
    let name = format!("like-gcc-{}-{thread}.o", std::process::id());
    let object = std::env::temp_dir().join(name);
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut command = Command::new(compiler);
    command.args(set.split_whitespace()).arg("-c").arg(file).arg("-o").arg(&object);
    command.args(folder.map(|folder| format!("-I{}", folder.display())));
    // gcc is several processes.
    command.process_group(0);
    let outcome = tools::run(&mut command, LIMIT).ok()?;
    let bytes = std::fs::read(&object).unwrap_or_default();
    drop(std::fs::remove_file(&object));
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    outcome.status?;
    if !outcome.ok() {
        return Some(Err(text));
    }
    let mut facts = match view::of_object(&bytes) {
        Ok(facts) => facts,
        Err(message) => return Some(Err(message)),
    };
    for line in text.lines() {
        if let Some((place, option)) = warning(line) {
            facts.insert(format!("warning {option} at {place}"), "given".into());
        }
    }
    Some(Ok(facts))
}

/// File, line and option of a warning.
fn warning(line: &str) -> Option<(String, &str)> {
    let (place, message) = line.split_once(": warning: ")?;
    let option = message.rsplit_once('[')?.1.strip_suffix(']')?;
    let mut parts = place.rsplit('/').next()?.split(':');
    Some((format!("{}:{}", parts.next()?, parts.next()?), option))
}

pub(crate) fn differences(gcc: &Facts, ours: &Facts) -> Vec<String> {
    let mut out = Vec::new();
    for (fact, said) in gcc {
        match ours.get(fact) {
            None => out.push(format!("gcc only: {fact}")),
            Some(other) if other != said => out.push(format!("{fact}: gcc {said}, tcc-rs {other}")),
            Some(_) => {}
        }
    }
    out.extend(ours.keys().filter(|fact| !gcc.contains_key(*fact)).map(|fact| format!("tcc-rs only: {fact}")));
    out
}

/// The difference without what is particular to one file. Which local symbols are left is the
/// optimiser's choice, and so are warnings that speak of what it made of a function.
fn class(difference: &str, optimised: bool) -> String {
    let text = match difference.rsplit_once(" at ") {
        Some((text, _)) if text.contains("only: warning ") => text,
        _ => difference,
    };
    // The sections of `-ffunction-sections` and `-fdata-sections` follow functions and objects, and
    // so do their pointers.
    let follows =
        ["local ", "pointer ", "warning ", "section .text.", "section .rodata.", "section .data.", "section .bss."];
    let follows = follows.iter().map(|kind| format!("only: {kind}"));
    // A section is there, and aligned, for what is in it.
    let whole = [".text", ".data", ".bss", ".data.rel.local", ".data.rel.ro.local"];
    let alone = whole.iter().any(|name| text.ends_with(&format!("only: section {name}")));
    let aligned = whole.iter().any(|name| text.starts_with(&format!("section {name}: ")));
    if optimised && (alone || follows.into_iter().any(|kind| text.contains(&kind))) {
        text.replace("only: ", "only: optimised ")
    } else if optimised && aligned {
        format!("optimised {text}")
    } else {
        text.to_owned()
    }
}

/// Patterns and reasons of a list.
fn explained(list: &str) -> Vec<(&str, &str)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('|')).map(|(pattern, why)| (pattern.trim(), why.trim())).collect()
}

/// Whether the text is the pattern's, in which `*` is any text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    match last {
        Some(part) => rest.is_empty() || text.ends_with(part),
        None => rest.is_empty(),
    }
}

/// Prints the differences that `list` does not explain, and how many it does.
pub fn report(found: &Found, compared: usize, all: usize, list: &str) -> Report {
    let patterns = explained(list);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = 0;
    for (difference, (count, examples)) in found {
        match patterns.iter().find(|(pattern, _)| matches(pattern, difference)) {
            Some((_, why)) => *reasons.entry(why).or_default() += count,
            None => {
                unexplained += 1;
                println!("{count:5} {difference}\n      {}", examples.join("\n      "));
            }
        }
    }
    for (why, count) in reasons {
        println!("{count:5} explained: {why}");
    }
    println!("{compared} of {all} compilations compared, {unexplained} kinds of difference without an explanation");
    let mut report = Report::default();
    report.less("differences without an explanation", unexplained as f64);
    report.more("compilations compared", compared as f64);
    report.with_error((unexplained > 0).then(|| "objects differ from gcc's".into()))
}

#[cfg(test)]
mod tests {
    use super::{class, differences, matches, warning};

    #[test]
    fn patterns() {
        assert!(matches("gcc only: local *.cold", "gcc only: local f.cold"));
        assert!(!matches("gcc only: local *.cold", "gcc only: local f.part"));
        assert!(matches("a*b*", "axxbyy") && !matches("a*b", "axxc") && matches("same", "same"));
    }

    #[test]
    fn what_differs() {
        let facts = |list: &[(&str, &str)]| list.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let (gcc, ours) = (facts(&[("a", "1"), ("b", "2")]), facts(&[("a", "3"), ("c", "4")]));
        assert_eq!(differences(&gcc, &ours), ["a: gcc 1, tcc-rs 3", "gcc only: b", "tcc-rs only: c"]);
    }

    #[test]
    fn classes() {
        assert_eq!(class("gcc only: warning -Wunused at x.c:3", false), "gcc only: warning -Wunused");
        assert_eq!(class("gcc only: local f", true), "gcc only: optimised local f");
        assert_eq!(class("gcc only: warning -Wx at x.c:3", true), "gcc only: optimised warning -Wx");
        assert_eq!(class("gcc only: local f", false), "gcc only: local f");
    }

    #[test]
    fn warnings() {
        let line = "/a/x.c:3:4: warning: unused variable 'x' [-Wunused-variable]";
        assert_eq!(warning(line), Some(("x.c:3".into(), "-Wunused-variable")));
        assert_eq!(warning("x.c:3: error: y"), None);
    }
}
