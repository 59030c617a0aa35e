//! `cargo xtask hot FILE.c...`: the functions that small compilations run, for the linker to put
//! side by side (`crates/driver/hot.txt`, which says why).
//!
//! callgrind names the functions, `nm` their sizes. A line of the list is a pattern for mangled
//! names, as hashes in them change: what it matches is as a rule one function, and for a generic
//! one all its instances in the program.

use crate::tools::{compiler, names, root, run as run_process, work_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// Instances of a generic function that are not run are taken along if all have up to so many bytes
/// for each that is run, which would otherwise be somewhere by itself.
const INSTANCE: u64 = 20 << 10;

const HEAD: &str = "\
# Functions that compiling a small file at -O0 runs, as patterns for their mangled names: first those that every compilation runs,
# then generic ones with other instances, then those that many compilations run. The linker puts them side by side (build.rs).
# A small file is compiled in a few milliseconds, and every 64 KB of the program that it touches cost it a page fault.
# Written by `cargo xtask hot FILE.c...`, for a release build and some files of common programs.
";

/// What a pattern matches: bytes of all functions, bytes and number of those that were run, the
/// most compilations that ran one of them.
#[derive(Default)]
struct Row {
    bytes: u64,
    run: u64,
    instances: u64,
    compilations: usize,
}

/// Compiles the files named and writes the list.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (compiler, files) = (compiler()?, names(arguments));
    if files.is_empty() {
        return Err("which files? The list is made from what compiling them runs".to_string());
    }
    let dir = work_dir(&format!("hot-{}", std::process::id()))?;
    let mut compilations: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        for name in executed(&compiler, Path::new(file), &dir)? {
            *compilations.entry(name).or_default() += 1;
        }
    }
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (name, bytes) in functions(&compiler)? {
        let row = rows.entry(pattern(&name)).or_default();
        row.bytes += bytes;
        if let Some(&count) = compilations.get(&name) {
            row.run += bytes;
            row.instances += 1;
            row.compilations = row.compilations.max(count);
        }
    }
    let mut parts: [Vec<&str>; 3] = Default::default();
    for (name, row) in &rows {
        let is_mixed = row.run * 2 < row.bytes;
        let part = match row.compilations {
            0 => continue,
            _ if is_mixed && row.bytes > INSTANCE * row.instances => continue,
            _ if is_mixed => 1,
            count if count + 1 >= files.len() => 0,
            count if count * 5 >= files.len() * 2 => 2,
            _ => continue,
        };
        parts[part].push(name);
    }
    println!("{} functions: {}, {}, {}", parts.concat().len(), parts[0].len(), parts[1].len(), parts[2].len());
    let text = parts.concat().iter().fold(HEAD.to_string(), |text, name| text + name + "\n");
    drop(std::fs::remove_dir_all(&dir));
    let list = root().join("crates/driver/hot.txt");
    std::fs::write(&list, text).map_err(|e| format!("{}: {e}", list.display()))
}

/// Mangled names of the functions that a compilation runs.
fn executed(compiler: &Path, file: &Path, dir: &Path) -> Result<BTreeSet<String>, String> {
    let profile: PathBuf = dir.join("profile");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--demangle=no"]).arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(compiler).args(["-O0", "-w", "-c", "-o"]).arg(dir.join("x.o")).arg(file);
    let outcome = run_process(&mut command, LIMIT)?;
    if !outcome.ok() {
        return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&outcome.stderr)));
    }
    let text = std::fs::read_to_string(&profile).map_err(|e| format!("{}: {e}", profile.display()))?;
    // `fn=(number) name` where a name is new, `fn=(number)` later; recursion adds `'2`.
    let named = text.lines().filter_map(|line| line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")));
    let names = named.filter_map(|rest| rest.split_once(' ')).map(|(_, name)| name);
    Ok(names.map(|name| name.split('\'').next().unwrap_or(name).to_string()).collect())
}

/// Names and sizes of a program's functions.
fn functions(program: &Path) -> Result<Vec<(String, u64)>, String> {
    let outcome = run_process(Command::new("nm").arg("-S").arg(program), LIMIT)?;
    let text = String::from_utf8_lossy(&outcome.stdout);
    let rows = text.lines().filter_map(|line| match *line.split_whitespace().collect::<Vec<_>>() {
        [_, size, "t" | "T", name] => Some((name.to_string(), u64::from_str_radix(size, 16).ok()?)),
        _ => None,
    });
    Ok(rows.collect())
}

/// A mangled name with its hashes left open: `17h` and sixteen digits at the end, or what follows
/// `Cs` in the newer form.
fn pattern(name: &str) -> String {
    if name.starts_with("_ZN")
        && let Some((path, _)) = name.rsplit_once("17h")
    {
        return format!("{path}17h*");
    }
    let mut parts = name.split("Cs");
    let first = parts.next().unwrap_or_default().to_string();
    if !name.starts_with("_R") {
        return name.to_string();
    }
    parts.fold(first, |text, part| match part.split_once('_') {
        Some((_, rest)) => text + "Cs*_" + rest,
        None => text + "Cs" + part,
    })
}
