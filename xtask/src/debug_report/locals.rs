//! Values of local variables at lines of the programs of `bench/`: a debugger stops at each line
//! once, and what it shows is compared with what the same line shows in an unoptimised build, there
//! at the hit that agrees best: an optimised loop may come to a line for the first time when its
//! second iteration begins, and what is shown there is right if it is that iteration's. What the
//! unoptimised build shows of variables that have no value yet is a pattern, and does not count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, Setting, text_of};
use crate::report::Report;
use crate::tools::{files_below, has, root, run as run_process};

/// What gdb runs.
const SCRIPT: &str = include_str!("locals.py");
/// Lines of a program.
const LINES: usize = 40;

/// Hits of each piece of a line's code in the unoptimised build.
const HITS: usize = 16;

/// Options of the unoptimised build; its breakpoints are addresses, which must not move.
const REFERENCE: [&str; 3] = ["-O0", "-no-pie", "-ftrivial-auto-var-init=pattern"];

/// Variables and their values.
type Values = BTreeMap<String, String>;
/// By line: what each hit showed.
type Shown = BTreeMap<u32, Vec<Values>>;

#[derive(Default)]
struct Counts {
    lines: usize,
    stopped: usize,
    /// Lines whose first stop was another hit of the unoptimised build.
    later: usize,
    variables: usize,
    right: usize,
    wrong: usize,
}

/// Prints the table; `programs` is how many programs are looked at.
pub fn table(
    setting: &Setting,
    (compilers, levels): (&str, &str),
    programs: usize,
    verbose: bool,
    report: &mut Report,
) -> Result<(), String> {
    let all = files_below(&root().join("bench"), "c");
    let step = all.len().div_ceil(programs.max(1)).max(1);
    let mut references: Vec<(PathBuf, Shown)> = Vec::new();
    for file in all.iter().step_by(step) {
        if let Some(program) = build(setting, file, "tcc-rs", &REFERENCE)? {
            references.push((file.clone(), shown(setting, &program, file, (&[], HITS))?));
        }
    }
    println!(
        "\nvalues at lines of {} programs\n{:<16}{:>12}{:>14}{:>8}{:>12}",
        references.len(),
        "",
        "lines",
        "right",
        "wrong",
        "later hits"
    );
    for level in levels.split(',') {
        for name in compilers.split(',').filter(|name| *name == "tcc-rs" || has(name)) {
            let mut counts = Counts::default();
            for (file, reference) in &references {
                let Some(program) = build(setting, file, name, &[level])? else { continue };
                let lines: Vec<u32> = reference.keys().copied().collect();
                let found = shown(setting, &program, file, (&lines, 1))?;
                compare(file, reference, &found, &mut counts, verbose);
            }
            println!(
                "{name:<10}{level:<6}{:>12}{:>14}{:>8}{:>12}",
                format!("{}/{}", counts.stopped, counts.lines),
                format!("{}/{}", counts.right, counts.variables),
                counts.wrong,
                counts.later
            );
            if name == "tcc-rs" {
                report.more(format!("{level} values right"), counts.right as f64);
                report.less(format!("{level} values that differ"), counts.wrong as f64);
            }
        }
    }
    Ok(())
}

fn compare(file: &Path, reference: &Shown, found: &Shown, counts: &mut Counts, verbose: bool) {
    let nothing = Values::new();
    for (line, hits) in reference {
        let stop = found.get(line).and_then(|stops| stops.first());
        let here = stop.unwrap_or(&nothing);
        let (number, hit) = best(hits, here);
        counts.lines += 1;
        counts.stopped += usize::from(stop.is_some());
        counts.later += usize::from(number != 0);
        counts.variables += hit.values().filter(|value| !is_pattern(value)).count();
        for (name, value) in hit.iter().filter(|(name, value)| verbose && !is_pattern(value) && is_missing(here, name))
        {
            let why = if stop.is_some() { "not shown" } else { "no stop" };
            println!("{}:{line}: {name} is {value}, {why}", file.display());
        }
        for (name, value, other) in both(hit, here) {
            if value == other {
                counts.right += 1;
                continue;
            }
            counts.wrong += 1;
            if verbose {
                println!("{}:{line}: {name} is {value}, shown as {other}", file.display());
            }
        }
    }
}

fn is_missing(shown: &Values, name: &str) -> bool {
    shown.get(name).is_none_or(|value| value == "missing")
}

/// The first of the hits with the fewest values that differ from those that are shown, and its
/// number.
fn best<'a>(hits: &'a [Values], shown: &Values) -> (usize, &'a Values) {
    let differing = |hit: &Values| both(hit, shown).filter(|(_, value, other)| value != other).count();
    let numbered = hits.iter().enumerate();
    numbered.min_by_key(|(_, hit)| differing(hit)).expect("a line of the reference has a hit")
}

/// The variables that have a value in a hit and are shown, with both values.
fn both<'a>(hit: &'a Values, shown: &'a Values) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
    let known = hit.iter().filter(|(_, value)| !is_pattern(value));
    let pairs = known.filter_map(|(name, value)| Some((name.as_str(), value.as_str(), shown.get(name)?.as_str())));
    pairs.filter(|(.., other)| *other != "missing")
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

/// What a debugger shows at these lines, or at lines that it chooses; so many times at each.
fn shown(setting: &Setting, program: &Path, file: &Path, stops: (&[u32], usize)) -> Result<Shown, String> {
    let (lines, hits) = stops;
    let script = setting.dir.join("locals.py");
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = format!("LINES = {lines:?}\nHITS = {hits}\nCOUNT = {LINES}\nFILE = {name:?}\n{SCRIPT}");
    std::fs::write(&script, text).map_err(|e| e.to_string())?;
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-x"]).arg(&script).arg(program);
    let mut found = Shown::new();
    for line in text_of(&mut command)?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["LINE", line] => {
                found.entry(line.parse().unwrap_or(0)).or_default().push(Values::new());
            }
            ["VALUE", line, name, value] => {
                let hit = found.get_mut(&line.parse().unwrap_or(0)).and_then(|hits| hits.last_mut());
                hit.and_then(|hit| hit.insert(name.to_string(), value.to_string()));
            }
            _ => {}
        }
    }
    Ok(found)
}
