//! Values of local variables at lines of the programs of `bench/`: a debugger stops at each line
//! once, and what it shows is compared with what the same line shows in an unoptimised build. What
//! that build shows of variables that have no value yet is a pattern, and does not count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, Setting, text_of};
use crate::tools::{files_below, has, root, run as run_process};

/// What gdb runs.
const SCRIPT: &str = include_str!("locals.py");
/// Lines of a program.
const LINES: usize = 40;

/// By line: variables and their values.
type Shown = BTreeMap<u32, BTreeMap<String, String>>;

#[derive(Default)]
struct Counts {
    lines: usize,
    stopped: usize,
    variables: usize,
    right: usize,
    wrong: usize,
}

/// Prints the table; `programs` is how many programs are looked at.
pub fn table(setting: &Setting, compilers: &str, levels: &str, programs: usize, verbose: bool) -> Result<(), String> {
    let all = files_below(&root().join("bench"), "c");
    let step = all.len().div_ceil(programs.max(1)).max(1);
    let mut references: Vec<(PathBuf, Shown)> = Vec::new();
    for file in all.iter().step_by(step) {
        if let Some(program) = build(setting, file, "tcc-rs", &["-O0", "-ftrivial-auto-var-init=pattern"])? {
            references.push((file.clone(), shown(setting, &program, file, &[])?));
        }
    }
    println!(
        "\nvalues at lines of {} programs\n{:<16}{:>12}{:>14}{:>8}",
        references.len(),
        "",
        "lines",
        "right",
        "wrong"
    );
    for level in levels.split(',') {
        for name in compilers.split(',').filter(|name| *name == "tcc-rs" || has(name)) {
            let mut counts = Counts::default();
            for (file, reference) in &references {
                let Some(program) = build(setting, file, name, &[level])? else { continue };
                let lines: Vec<u32> = reference.keys().copied().collect();
                let found = shown(setting, &program, file, &lines)?;
                compare(file, reference, &found, &mut counts, verbose);
            }
            println!(
                "{name:<10}{level:<6}{:>12}{:>14}{:>8}",
                format!("{}/{}", counts.stopped, counts.lines),
                format!("{}/{}", counts.right, counts.variables),
                counts.wrong
            );
        }
    }
    Ok(())
}

fn compare(file: &Path, reference: &Shown, found: &Shown, counts: &mut Counts, verbose: bool) {
    for (line, variables) in reference {
        let here = found.get(line);
        counts.lines += 1;
        counts.stopped += usize::from(here.is_some());
        for (name, value) in variables.iter().filter(|(_, value)| !is_pattern(value)) {
            counts.variables += 1;
            match here.and_then(|here| here.get(name)) {
                Some(other) if other == value => counts.right += 1,
                Some(other) if other != "missing" => {
                    counts.wrong += 1;
                    if verbose {
                        println!("{}:{line}: {name} is {value}, shown as {other}", file.display());
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether all bytes of a hexadecimal number are the pattern of uninitialised variables.
fn is_pattern(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or("");
    !digits.is_empty()
        && digits.len().is_multiple_of(2)
        && (0..digits.len()).step_by(2).all(|i| digits[i..i + 2] == *"fe")
        || value == "missing"
}

fn build(setting: &Setting, file: &Path, name: &str, flags: &[&str]) -> Result<Option<PathBuf>, String> {
    let program = setting.dir.join("locals");
    let compiler = if name == "tcc-rs" { setting.ours.as_path() } else { Path::new(name) };
    let mut command = Command::new(compiler);
    command.args(["-w", "-g"]).args(flags).arg("-o").arg(&program).arg(file).arg("-lm");
    Ok(run_process(&mut command, LIMIT)?.ok().then_some(program))
}

fn shown(setting: &Setting, program: &Path, file: &Path, lines: &[u32]) -> Result<Shown, String> {
    let script = setting.dir.join("locals.py");
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = format!("LINES = {lines:?}\nCOUNT = {LINES}\nFILE = {name:?}\n{SCRIPT}");
    std::fs::write(&script, text).map_err(|e| e.to_string())?;
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-x"]).arg(&script).arg(program);
    let mut found = Shown::new();
    for line in text_of(&mut command)?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["LINE", line] => {
                found.entry(line.parse().unwrap_or(0)).or_default();
            }
            ["VALUE", line, name, value] => {
                found.entry(line.parse().unwrap_or(0)).or_default().insert(name.to_string(), value.to_string());
            }
            _ => {}
        }
    }
    Ok(found)
}
