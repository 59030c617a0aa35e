//! `cargo xtask packages`: Debian source packages, unchanged, built with tcc-rs where gcc stands.
//!
//! Every package of `list.txt` is fetched with `apt-get source` and built twice with
//! `dpkg-buildpackage`: with the installed gcc, and with a folder first in `PATH` in which `gcc`,
//! `cc` and Debian's names for them are tcc-rs. Debian's own flags (hardening) and the package's
//! tests are on; second libraries of 32 bits are off, by Debian's build profile for that
//! (`nobiarch`). The two builds are compared: status, tests, warnings, hardening, stacks.
//!
//! Results stay under `TCC_RS_PACKAGES` (or the target directory): the build of gcc is done once,
//! that of tcc-rs each time its package is named or has no result yet. `--only gcc` and `--only
//! tcc-rs` do one of the two, so that both can run at the same time. `--table` prints all results
//! as Markdown. What apt lacks is said, never installed: build dependencies are the caller's.

mod compare;
mod logs;

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::tools;

/// Seconds one build may take unless `--limit` says otherwise.
const LIMIT: u64 = 3600;
/// The folders of programs of Debian's build machines: a Python or compiler of the user's own is not
/// the one that the build dependencies are for.
const PROGRAMS: &str = "/usr/sbin:/usr/bin:/sbin:/bin";
/// The user (and group) without rights.
const NOBODY: u32 = 65534;
/// Names under which builds call the C compiler.
const COMPILER_NAMES: &[&str] = &["gcc", "cc", "c99", "gcc-12", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc-12"];
/// The table's head: Markdown.
const HEAD: &str = "| package | builds | tests pass/fail: gcc | tcc-rs | new failures | less hardened | warnings only tcc-rs / only gcc |\n|---|---|---|---|---|---|---|";

/// How one package is built.
struct Plan {
    dir: PathBuf,
    compilers: PathBuf,
    limit: Duration,
    keep: bool,
    /// The only compiler to build with, if not both.
    only: Option<String>,
}

/// Builds the packages named, or all that have no result yet.
///
/// # Errors
/// Packages that tcc-rs does not build as gcc does.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let known: Vec<&str> = list().map(|(name, _)| name).collect();
    let dir = directory()?;
    if tools::flag(arguments, "--list") {
        for name in &known {
            println!("{name}{}", result(&dir, name).map_or("", |_| "\tdone"));
        }
        return Ok(());
    }
    if tools::flag(arguments, "--table") {
        println!("{HEAD}");
        known.iter().filter_map(|name| result(&dir, name)).for_each(|row| println!("{}", row.trim_end()));
        return Ok(());
    }
    if !has_sources() {
        return Err(
            "apt has no source packages: add a `deb-src` entry (Types: deb-src) to /etc/apt/sources.list.d".into()
        );
    }
    for (program, package) in
        [("dpkg-buildpackage", "dpkg-dev"), ("dh", "debhelper"), ("hardening-check", "devscripts")]
    {
        if !tools::has(program) {
            return Err(format!("{program} is missing: apt-get install {package}"));
        }
    }
    let wanted: Vec<String> = tools::names(arguments);
    if let Some(unknown) = wanted.iter().find(|w| !known.contains(&w.as_str())) {
        return Err(format!("no package `{unknown}` in xtask/src/packages/list.txt"));
    }
    let chosen: Vec<&str> = known
        .into_iter()
        .filter(|n| if wanted.is_empty() { result(&dir, n).is_none() } else { wanted.iter().any(|w| w == n) })
        .collect();
    let number = |name: &str| tools::option(arguments, name).and_then(|n| n.parse::<u64>().ok());
    let plan = Plan {
        compilers: compilers(&dir, &tools::compiler()?)?,
        limit: Duration::from_secs(number("--limit").unwrap_or(LIMIT)),
        keep: tools::flag(arguments, "--keep"),
        only: tools::option(arguments, "--only"),
        dir,
    };
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    println!("{HEAD}");
    std::thread::scope(|scope| {
        for _ in 0..number("--jobs").unwrap_or(1).max(1) {
            scope.spawn(|| {
                while let Some(name) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let good = match one(&plan, name) {
                        Ok((row, good)) => {
                            println!("{row}");
                            good
                        }
                        Err(why) => {
                            println!("| {name} | not judged: {why} | | | | | |");
                            false
                        }
                    };
                    if let (false, Ok(mut failed)) = (good, failed.lock()) {
                        failed.push(*name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    if failed.is_empty() { Ok(()) } else { Err(format!("differ from gcc's builds: {}", failed.join(", "))) }
}

/// The packages of the list, each with the words after its name: build profiles and variables.
fn list() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("list.txt").lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap_or((line, "")))
}

/// Where sources, logs and results are; kept from run to run.
fn directory() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| tools::root().join("target"), PathBuf::from);
    let dir = std::env::var_os("TCC_RS_PACKAGES").map_or_else(|| target.join("xtask/packages"), PathBuf::from);
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    std::path::absolute(&dir).map_err(|e| e.to_string())
}

/// The row that a package has in the table, if it was built.
fn result(dir: &Path, name: &str) -> Option<String> {
    std::fs::read_to_string(dir.join(name).join("row")).ok()
}

/// Whether apt knows any place of source packages.
fn has_sources() -> bool {
    let targets = Command::new("apt-get").args(["indextargets", "--format", "$(CREATED_BY)"]).output();
    targets.is_ok_and(|t| String::from_utf8_lossy(&t.stdout).lines().any(|line| line == "Sources"))
}

/// A folder for `PATH` in which the names of gcc are the compiler.
fn compilers(dir: &Path, compiler: &Path) -> Result<PathBuf, String> {
    let compiler = std::path::absolute(compiler).map_err(|e| e.to_string())?;
    let folder = dir.join("compilers");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for name in COMPILER_NAMES {
        let link = folder.join(name);
        drop(std::fs::remove_file(&link));
        std::os::unix::fs::symlink(&compiler, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    }
    Ok(folder)
}

/// Builds one package and compares; gives its row, and whether tcc-rs did as gcc.
fn one(plan: &Plan, name: &str) -> Result<(String, bool), String> {
    let dir = plan.dir.join(name);
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    fetch(&dir, name)?;
    missing_dependencies(name)?;
    let words = list().find(|(known, _)| *known == name).map_or("", |(_, words)| words);
    let wanted = |kind: &str| plan.only.as_deref().is_none_or(|only| only == kind);
    if wanted("gcc") && (plan.only.is_some() || !dir.join("gcc/status").exists()) {
        build(plan, (&dir, "gcc"), words, None)?;
    }
    if wanted("tcc-rs") {
        build(plan, (&dir, "tcc-rs"), words, Some(&plan.compilers))?;
    }
    if let Some(kind) = ["gcc", "tcc-rs"].into_iter().find(|kind| !dir.join(kind).join("status").exists()) {
        return Err(format!("the build of {kind} is not there yet"));
    }
    let (row, good) = compare::row(name, &dir)?;
    std::fs::write(dir.join("row"), &row).map_err(|e| e.to_string())?;
    Ok((row, good))
}

/// The source package: a `.dsc` and what it names, the newest version of which the mirror has all
/// files (the index of an update may be newer than the mirror).
fn fetch(dir: &Path, name: &str) -> Result<(), String> {
    let mut why = String::new();
    for version in versions(name)? {
        if description(dir).is_some() {
            break;
        }
        let mut apt = Command::new("apt-get");
        apt.args(["source", "--only-source", "--download-only", "-qq", &format!("{name}={version}")]).current_dir(dir);
        let outcome = tools::run(&mut apt, Duration::from_secs(600))?;
        if !outcome.ok() {
            // A .dsc without the files that it names is not a source.
            description(dir).map(std::fs::remove_file);
            let text = String::from_utf8_lossy(&outcome.stderr);
            why = text.lines().find(|line| line.starts_with("E: ")).unwrap_or("no reason").to_owned();
        }
    }
    description(dir).map(drop).ok_or(format!("apt-get source: {why}"))
}

/// The versions of a source package that apt knows, the newest first.
fn versions(name: &str) -> Result<Vec<String>, String> {
    let mut apt = Command::new("apt-cache");
    apt.args(["madison", name]);
    let outcome = tools::run(&mut apt, Duration::from_secs(60))?;
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let sources = text.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let mut versions: Vec<String> = sources
        .filter(|fields| fields.first() == Some(&name) && fields.last().is_some_and(|f| f.ends_with(" Sources")))
        .filter_map(|fields| fields.get(1).map(|&version| version.to_owned()))
        .collect();
    versions.sort_by(|a, b| newer(b, a));
    versions.dedup();
    Ok(versions)
}

/// The order of two versions, as dpkg has it.
fn newer(a: &str, b: &str) -> std::cmp::Ordering {
    let less = Command::new("dpkg").args(["--compare-versions", a, "lt", b]).status().is_ok_and(|s| s.success());
    if a == b {
        std::cmp::Ordering::Equal
    } else if less {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Greater
    }
}

/// The `.dsc` in the folder.
fn description(dir: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(dir).ok()?;
    entries.flatten().map(|e| e.path()).find(|p| p.extension().is_some_and(|e| e == "dsc"))
}

/// An error where build dependencies are not installed.
fn missing_dependencies(name: &str) -> Result<(), String> {
    let mut apt = Command::new("apt-get");
    apt.args(["build-dep", "--arch-only", "--simulate", "-qq", name]);
    let outcome = tools::run(&mut apt, Duration::from_secs(120))?;
    let text = String::from_utf8_lossy(&outcome.stdout);
    let missing: Vec<&str> =
        text.lines().filter_map(|l| l.strip_prefix("Inst ")).filter_map(|l| l.split(' ').next()).collect();
    if missing.is_empty() && outcome.ok() {
        return Ok(());
    }
    if missing.is_empty() {
        let text = String::from_utf8_lossy(&outcome.stderr);
        let why = text.lines().find(|line| line.starts_with("E: ")).unwrap_or("it says nothing");
        return Err(format!("apt-get build-dep: {why}"));
    }
    Err(format!("apt-get build-dep --arch-only {name} ({} packages) has to be run before", missing.len()))
}

/// A build of root's belongs to `nobody`.
fn give_to_nobody(place: &Path) -> Result<(), String> {
    let mut chown = Command::new("chown");
    chown.args(["-R", &format!("{NOBODY}:{NOBODY}")]).arg(place);
    let outcome = tools::run(&mut chown, Duration::from_secs(60))?;
    if outcome.ok() { Ok(()) } else { Err(format!("chown: {}", String::from_utf8_lossy(&outcome.stderr).trim())) }
}

/// Builds in `DIR/KIND/build`; leaves `log`, `status` and the packages that came out in `DIR/KIND`.
fn build(plan: &Plan, (dir, kind): (&Path, &str), words: &str, compilers: Option<&Path>) -> Result<(), String> {
    let place = dir.join(kind);
    drop(std::fs::remove_dir_all(&place));
    std::fs::create_dir_all(&place).map_err(|e| e.to_string())?;
    let description = description(dir).ok_or("no .dsc")?;
    let mut unpack = Command::new("dpkg-source");
    unpack.args(["--no-check", "-x"]).arg(&description).arg("build").current_dir(&place);
    let outcome = tools::run(&mut unpack, Duration::from_secs(300))?;
    if !outcome.ok() {
        return Err(format!("dpkg-source: {}", String::from_utf8_lossy(&outcome.stderr).trim()));
    }
    let mut make = Command::new("sh");
    // Only packages with code: the others need documentation tools and say nothing of the compiler.
    make.args(["-c", "exec > ../log 2>&1; exec dpkg-buildpackage -B -us -uc -rfakeroot"]);
    make.current_dir(place.join("build")).process_group(0);
    let (variables, profiles): (Vec<&str>, Vec<&str>) = words.split(' ').partition(|word| word.contains('='));
    let profiles = profiles.join(" ");
    make.envs(variables.iter().filter_map(|v| v.split_once('=')));
    make.env("DEB_BUILD_PROFILES", format!("nobiarch {profiles}").trim_end())
        .env("DEB_BUILD_OPTIONS", format!("parallel=1 {profiles}").trim_end())
        .env("FORCE_UNSAFE_CONFIGURE", "1")
        .env("LC_ALL", "C.UTF-8");
    if std::fs::metadata("/proc/self").map_err(|e| e.to_string())?.uid() == 0 {
        // Tests of several packages want to be refused things, or refuse to run.
        give_to_nobody(&place)?;
        make.uid(NOBODY).gid(NOBODY).env("HOME", &place);
    }
    for name in ["CC", "CFLAGS", "LDFLAGS", "CARGO_TARGET_DIR", "MAKEFLAGS"] {
        make.env_remove(name);
    }
    let first = compilers.map(Path::to_path_buf);
    let all = first.into_iter().chain(std::env::split_paths(PROGRAMS));
    make.env("PATH", std::env::join_paths(all).map_err(|e| e.to_string())?);
    let start = Instant::now();
    let outcome = tools::run(&mut make, plan.limit)?;
    let status = match outcome.status {
        Some(0) => "ok".to_owned(),
        Some(status) => format!("status {status}"),
        None => format!("stopped after {} s", plan.limit.as_secs()),
    };
    compare::unpack(&place)?;
    std::fs::write(place.join("seconds"), start.elapsed().as_secs().to_string()).map_err(|e| e.to_string())?;
    std::fs::write(place.join("status"), &status).map_err(|e| e.to_string())?;
    if !plan.keep && (status == "ok" || kind == "gcc") {
        drop(std::fs::remove_dir_all(place.join("build")));
    }
    Ok(())
}
