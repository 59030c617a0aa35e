//! `cargo xtask objects`: what must hold of the objects of `tests/run` and `bench` at `-O0` and
//! `-O2`.
//!
//! - Determinism: a second compilation and one with two threads give the same bytes.
//! - Debug information: `-g` changes no byte of code, and `llvm-dwarfdump --verify` finds nothing.

use crate::report::Report;
use crate::tools::{compiler, files_below, has, option, root, run as run_process, work_dir};
use elf_object::read::elf::ElfFile64;
use elf_object::{Endianness, Object, ObjectSection, SectionKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// Counts of findings.
#[derive(Default)]
struct Found {
    objects: usize,
    unequal: usize,
    code_changed: usize,
    rejected: usize,
}

/// `--only debug` or `--only determinism`; `--sample N`: every Nth file.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let only = option(arguments, "--only");
    let wants = |part: &str| only.as_deref().is_none_or(|o| o == part);
    if let Some(part) = only.as_deref().filter(|p| !["debug", "determinism"].contains(p)) {
        return Err(format!("--only {part}: there are debug and determinism"));
    }
    let verifier = ["llvm-dwarfdump", "llvm-dwarfdump-19"].into_iter().find(|p| has(p));
    if wants("debug") && verifier.is_none() {
        return Err("llvm-dwarfdump is not installed (Debian: apt install llvm)".to_string());
    }
    let compiler = compiler()?;
    let dir = work_dir(&format!("objects-{}", std::process::id()))?;
    let step = option(arguments, "--sample").and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(1);
    let mut files = files_below(&root().join("tests/run"), "c");
    files.extend(files_below(&root().join("bench"), "c"));
    let mut found = Found::default();
    for file in files.iter().step_by(step) {
        for level in LEVELS {
            let compile = |more: &[&str], name: &str| object(&compiler, file, level, more, &dir.join(name));
            let Some(plain) = compile(&[], "plain.o")? else {
                return Err(format!("{} does not compile at {level}", file.display()));
            };
            found.objects += 1;
            let here = format!("{} {level}", file.strip_prefix(root()).unwrap_or(file).display());
            if wants("determinism") {
                for threads in ["-fthreads=1", "-fthreads=2"] {
                    if compile(&[threads], "again.o")?.as_ref() != Some(&plain) {
                        found.unequal += 1;
                        println!("{here}: another object with {threads}");
                    }
                }
            }
            if let Some(verifier) = verifier.filter(|_| wants("debug")) {
                debug_information(verifier, &here, &plain, compile(&["-g"], "debug.o")?, &dir, &mut found)?;
            }
        }
    }
    drop(std::fs::remove_dir_all(&dir));
    let mut report = Report::default();
    report.more("objects", found.objects as f64);
    if wants("determinism") {
        report.less("objects that another compilation does not give again", found.unequal as f64);
    }
    if wants("debug") {
        report.less("objects whose code -g changes", found.code_changed as f64);
        report.less("objects whose debug information is rejected", found.rejected as f64);
    }
    let wrong = found.unequal + found.code_changed + found.rejected;
    println!("{} objects, {wrong} findings", found.objects);
    Ok(report.with_error((wrong > 0).then(|| format!("{wrong} findings"))))
}

/// Compiles a file with the flags its first lines ask for; `None` if that fails.
fn object(compiler: &Path, file: &Path, level: &str, more: &[&str], to: &Path) -> Result<Option<Vec<u8>>, String> {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let flags = text.lines().find_map(|l| l.strip_prefix("// flags: ")).unwrap_or_default();
    let folder = file.parent().map(PathBuf::from).unwrap_or_default();
    let mut command = Command::new(compiler);
    command.args([level, "-w"]).args(flags.split_whitespace()).args(more).arg("-I").arg(folder);
    command.arg("-c").arg(file).arg("-o").arg(to);
    if !run_process(&mut command, LIMIT)?.ok() {
        return Ok(None);
    }
    std::fs::read(to).map(Some).map_err(|e| format!("{}: {e}", to.display()))
}

fn debug_information(
    verifier: &str,
    here: &str,
    plain: &[u8],
    debug: Option<Vec<u8>>,
    dir: &Path,
    found: &mut Found,
) -> Result<(), String> {
    let Some(debug) = debug else { return Err(format!("{here} does not compile with -g")) };
    if code(plain)? != code(&debug)? {
        found.code_changed += 1;
        println!("{here}: -g changes the code");
    }
    let outcome = run_process(Command::new(verifier).arg("--verify").arg(dir.join("debug.o")), LIMIT)?;
    if !outcome.ok() {
        found.rejected += 1;
        let text = String::from_utf8_lossy(&[outcome.stdout, outcome.stderr].concat()).into_owned();
        println!("{here}: {}", text.lines().find(|l| l.contains("error")).unwrap_or("rejected"));
    }
    Ok(())
}

/// Names and bytes of the sections of code.
fn code(object: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let file: ElfFile64<'_, Endianness> = ElfFile64::parse(object).map_err(|e| e.to_string())?;
    let sections = file.sections().filter(|s| s.kind() == SectionKind::Text);
    Ok(sections.map(|s| (s.name().unwrap_or_default().into(), s.data().unwrap_or_default().to_vec())).collect())
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn not_an_object() {
        assert!(code(b"text").is_err());
    }
}
