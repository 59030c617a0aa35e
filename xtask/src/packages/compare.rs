//! Two builds of a package beside each other: logs, and the programs and libraries that came out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::logs;
use crate::tools;

/// Writes what is known of each program and library of the packages in `place` to `place/programs`,
/// and removes the packages.
pub fn unpack(place: &Path) -> Result<(), String> {
    let folder = place.join("unpacked");
    let mut programs = BTreeMap::new();
    for entry in std::fs::read_dir(place).map_err(|e| e.to_string())?.flatten() {
        let package = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".deb") && !name.ends_with(".udeb") {
            continue;
        }
        if !name.contains("-dbgsym_") {
            let mut unpack = Command::new("dpkg-deb");
            unpack.arg("-x").arg(&package).arg(&folder);
            tools::run(&mut unpack, Duration::from_secs(300))?;
            for file in files(&folder) {
                let inside = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
                programs.insert(format!("{}:/{inside}", name.split('_').next().unwrap_or_default()), facts(&file)?);
            }
            drop(std::fs::remove_dir_all(&folder));
        }
        drop(std::fs::remove_file(&package));
    }
    let mut text = String::new();
    for (program, facts) in programs.iter().filter(|(_, facts)| !facts.is_empty()) {
        let _ = writeln!(text, "{program}\t{facts}");
    }
    std::fs::write(place.join("programs"), text).map_err(|e| e.to_string())
}

/// Regular files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut work, mut out) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(path) = work.pop() {
        let Ok(kind) = path.symlink_metadata() else { continue };
        if kind.is_dir() {
            work.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
        } else if kind.is_file() {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// What `hardening-check` and the program headers say, one word each; empty for what is no program.
fn facts(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    // ELF, of type executable or shared object (gABI, e_type at 16).
    if !bytes.starts_with(b"\x7fELF") || !matches!(bytes.get(16), Some(2 | 3)) {
        return Ok(String::new());
    }
    let mut check = Command::new("hardening-check");
    check.arg(file).env("LC_ALL", "C");
    let outcome = tools::run(&mut check, Duration::from_secs(120))?;
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some((name, said)) = line.strip_prefix(' ').and_then(|l| l.split_once(": ")) {
            let word = said.split([',', '!', ' ', '(']).next().unwrap_or_default();
            out.push(format!("{}={word}", name.trim().replace(' ', "-")));
        }
    }
    let mut headers = Command::new("readelf");
    headers.args(["-lW"]).arg(file);
    let text = String::from_utf8_lossy(&tools::run(&mut headers, Duration::from_secs(60))?.stdout).into_owned();
    let stack = text.lines().find(|l| l.trim_start().starts_with("GNU_STACK"));
    out.push(format!("Stack={}", if stack.is_some_and(|l| !l.contains("RWE")) { "yes" } else { "executable" }));
    Ok(out.join(" "))
}

/// The row of the table, and whether tcc-rs' build is as good as gcc's. Details go to `DIR/report`.
pub fn row(name: &str, dir: &Path) -> Result<(String, bool), String> {
    let read = |path: &str| std::fs::read_to_string(dir.join(path)).unwrap_or_default();
    let log = |kind: &str| {
        let bytes = std::fs::read(dir.join(kind).join("log")).unwrap_or_default();
        logs::read(&String::from_utf8_lossy(&bytes), &dir.join(kind).to_string_lossy())
    };
    let (gcc, own) = (log("gcc"), log("tcc-rs"));
    let (gcc_status, own_status) = (read("gcc/status"), read("tcc-rs/status"));
    let weaker = weaker(&read("gcc/programs"), &read("tcc-rs/programs"));
    let new: Vec<&String> = own.failures.difference(&gcc.failures).collect();
    let ours: Vec<&String> = own.warnings.difference(&gcc.warnings).collect();
    // Where the build ended early, the warnings of what was not compiled are not missing.
    let complete = own_status == "ok" || own_status == gcc_status;
    let theirs: Vec<&String> = gcc.warnings.difference(&own.warnings).filter(|_| complete).collect();
    let mut report = format!("{name}: gcc {gcc_status}, tcc-rs {own_status}\n");
    for (title, lines) in [
        ("faults", own.faults.iter().collect()),
        ("new failures", new.clone()),
        ("less hardened", weaker.iter().collect()),
        ("warnings of tcc-rs only", ours.clone()),
        ("warnings of gcc only", theirs.clone()),
    ] {
        for line in lines {
            let _ = writeln!(report, "{title}: {line}");
        }
    }
    std::fs::write(dir.join("report"), &report).map_err(|e| e.to_string())?;
    let builds = match (gcc_status.as_str(), own_status.as_str()) {
        ("ok", "ok") => "yes".to_owned(),
        ("ok", status) => format!("**no**: {status}"),
        (_, "ok") => "yes (gcc: no)".to_owned(),
        (gcc, own) => format!("gcc too: no ({gcc}; {own})"),
    };
    let good = complete && new.is_empty() && weaker.is_empty() && own.faults.is_empty();
    let row = format!(
        "| {name} | {builds} | {}/{} | {}/{} | {} | {} | {} / {} |",
        gcc.passed,
        gcc.failed,
        own.passed,
        own.failed,
        new.len(),
        weaker.len(),
        ours.len(),
        theirs.len()
    );
    Ok((row, good))
}

/// Programs whose build by tcc-rs lacks something that gcc's has, or that are missing.
fn weaker(gcc: &str, own: &str) -> Vec<String> {
    // Debug information has the name of what it belongs to, which is a sum over its contents.
    let is_program = |line: &&str| !line.contains(":/usr/lib/debug/.build-id/");
    let table = |text: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter(is_program).filter_map(|line| line.split_once('\t'));
        lines.map(|(program, facts)| (program.to_owned(), facts.to_owned())).collect()
    };
    let (gcc, own) = (table(gcc), table(own));
    let mut out = Vec::new();
    for (program, facts) in gcc {
        let Some(other) = own.get(&program) else {
            if !own.is_empty() {
                out.push(format!("{program} is missing"));
            }
            continue;
        };
        for (a, b) in facts.split(' ').zip(other.split(' ')).filter(|(a, b)| a != b && a.ends_with("=yes")) {
            out.push(format!("{program}: {a}, tcc-rs {}", b.rsplit('=').next().unwrap_or_default()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::weaker;

    #[test]
    fn what_is_lost() {
        let gcc = "/bin/a\tPIE=yes Stack=yes\n/bin/b\tPIE=no Stack=yes\n/bin/c\tPIE=yes\n\
                   a-debug:/usr/lib/debug/.build-id/00/11.debug\tPIE=yes\n";
        let own = "/bin/a\tPIE=yes Stack=executable\n/bin/b\tPIE=yes Stack=yes\n";
        assert_eq!(weaker(gcc, own), ["/bin/a: Stack=yes, tcc-rs executable", "/bin/c is missing"]);
    }
}
