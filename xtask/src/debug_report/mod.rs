//! `cargo xtask debug-report`: what a debugger sees of optimised code, beside gcc's and clang's.
//!
//! For each compiler and level, over `bench/` and each folder given with `--path` (separated by
//! `:`): the arguments that have a place at a breakpoint on their function (gdb's choice of
//! address), the bytes of variables covered, inlined calls and call sites (`llvm-dwarfdump
//! --statistics`), the size of the debug sections, and the cost of `-g` in CPU time. With `--locals
//! N`, of N programs of `bench/` also the values of variables at lines, compared with an
//! unoptimised build (`locals`; `--verbose` lists those that differ). `--guality DIR` runs gcc's
//! tests of debug information in its place, `--types` compares names and their types (`types`).

mod guality;
mod locals;
mod types;

use crate::report::Report;
use crate::tools::{compiler, cpu_time_of_children, files_below, has, option, root, run as run_process, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// For one run of a compiler or a tool.
const LIMIT: Duration = Duration::from_secs(300);
/// Functions of one file at which breakpoints are set, unless `--functions` says otherwise.
const FUNCTIONS: usize = 400;
/// What gdb runs.
const ARGUMENTS: &str = include_str!("arguments.py");
/// Runs without and with `-g` whose smallest times are compared.
const RUNS: usize = 2;

/// Sums over the files of one subject.
#[derive(Default)]
struct Sums {
    files: u64,
    /// Files that do not compile on their own, and the first of them.
    refused: u64,
    refused_first: Option<PathBuf>,
    shown: u64,
    arguments: u64,
    covered: u64,
    scope: u64,
    inlined: u64,
    call_sites: u64,
    call_parameters: u64,
    sections: u64,
    code: u64,
    with: Duration,
    without: Duration,
}

/// Compilers, levels, and what is missing here.
struct Setting {
    ours: PathBuf,
    gdb: bool,
    statistics: Option<&'static str>,
    functions: usize,
    dir: PathBuf,
}

/// The whole report.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let ours = compiler()?;
    let statistics = ["llvm-dwarfdump-19", "llvm-dwarfdump"].into_iter().find(|p| has(p));
    let functions = option(arguments, "--functions").and_then(|n| n.parse().ok()).unwrap_or(FUNCTIONS);
    let setting = Setting { ours, gdb: has("gdb"), statistics, functions, dir: work_dir("debug_report")? };
    let compilers = option(arguments, "--with").unwrap_or_else(|| "tcc-rs,gcc,clang-19".to_string());
    let levels = option(arguments, "--level").unwrap_or_else(|| "-Og,-O1,-O2".to_string());
    if crate::tools::flag(arguments, "--types") {
        return types::table(&setting, arguments);
    }
    if !setting.gdb {
        println!("gdb is missing: no arguments at breakpoints");
    }
    if setting.statistics.is_none() {
        println!("llvm-dwarfdump-19 is missing: no statistics");
    }
    let mut subjects = vec![root().join("bench")];
    if let Some(paths) = option(arguments, "--path") {
        let own = paths.split(':').map(PathBuf::from);
        subjects = if crate::tools::flag(arguments, "--only-paths") {
            own.collect()
        } else {
            subjects.into_iter().chain(own).collect()
        };
    }
    if let Some(folder) = option(arguments, "--guality") {
        let verbose = crate::tools::flag(arguments, "--verbose");
        return guality::table(&setting, Path::new(&folder), &levels, verbose).map(|()| Report::default());
    }
    let mut report = Report::default();
    if let Some(programs) = option(arguments, "--locals").and_then(|n| n.parse().ok()) {
        let verbose = crate::tools::flag(arguments, "--verbose");
        locals::table(&setting, (&compilers, &levels), programs, verbose, &mut report)?;
        if crate::tools::flag(arguments, "--only-locals") {
            return Ok(report);
        }
    }
    for folder in subjects {
        println!("\n{}", folder.display());
        println!(
            "{:<16}{:>6}{:>14}{:>9}{:>10}{:>10}{:>10}{:>10}{:>7}",
            "", "files", "arguments", "covered", "inlined", "calls", "params", "debug KB", "-g x"
        );
        for level in levels.split(',') {
            for name in compilers.split(',') {
                if name != "tcc-rs" && !has(name) {
                    println!("{name:<10}{level:<6} not installed");
                    continue;
                }
                row(&setting, &folder, name, level, &mut report)?;
            }
        }
    }
    Ok(report)
}

fn row(setting: &Setting, folder: &Path, name: &str, level: &str, report: &mut Report) -> Result<(), String> {
    let mut sums = Sums::default();
    for file in files_below(folder, "c") {
        measure(setting, folder, &file, name, level, &mut sums)?;
    }
    let percent = |part: u64, all: u64| 100.0 * part as f64 / (all as f64).max(1.0);
    println!(
        "{name:<10}{level:<6}{:>6}{:>14}{:>7.1} %{:>10}{:>10}{:>10}{:>10}{:>7.2}",
        sums.files,
        format!("{}/{}", sums.shown, sums.arguments),
        percent(sums.covered, sums.scope),
        sums.inlined,
        sums.call_sites,
        sums.call_parameters,
        sums.sections / 1024,
        sums.with.as_secs_f64() / sums.without.as_secs_f64().max(1e-9),
    );
    if name == "tcc-rs" {
        let subject = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        report.more(format!("{subject} {level} arguments shown, %"), percent(sums.shown, sums.arguments).round());
        report.more(format!("{subject} {level} bytes covered, %"), percent(sums.covered, sums.scope).round());
    }
    if let Some(first) = &sums.refused_first {
        println!("{:<16}{:>6} do not compile on their own, as {}", "", sums.refused, first.display());
    }
    Ok(())
}

/// One file; one that does not compile on its own is counted.
fn measure(
    setting: &Setting,
    folder: &Path,
    file: &Path,
    name: &str,
    level: &str,
    sums: &mut Sums,
) -> Result<(), String> {
    let object = setting.dir.join("x.o");
    let program = if name == "tcc-rs" { setting.ours.as_path() } else { Path::new(name) };
    let parent = file.parent().unwrap_or(folder);
    let mut times = [Duration::MAX; 2];
    for run in 0..2 * RUNS {
        let (slot, debug) = (run % 2, ["-g0", "-g"][run % 2]);
        let mut command = Command::new(program);
        command.args(["-w", level, debug, "-c", "-o"]).arg(&object);
        command.arg(format!("-I{}", parent.display())).arg(format!("-I{}", folder.display())).arg(file);
        let before = cpu_time_of_children();
        if !run_process(&mut command, LIMIT)?.ok() {
            sums.refused += 1;
            sums.refused_first.get_or_insert_with(|| file.to_path_buf());
            return Ok(());
        }
        let after = cpu_time_of_children();
        times[slot] = times[slot].min(after.user + after.system - before.user - before.system);
    }
    sums.files += 1;
    sums.without += times[0];
    sums.with += times[1];
    sizes(&object, sums)?;
    statistics(setting, &object, sums)?;
    breakpoints(setting, &object, sums)
}

fn text_of(command: &mut Command) -> Result<String, String> {
    Ok(String::from_utf8_lossy(&run_process(command, LIMIT)?.stdout).into_owned())
}

/// Bytes of the debug sections, and of code.
fn sizes(object: &Path, sums: &mut Sums) -> Result<(), String> {
    for line in text_of(Command::new("size").arg("-A").arg(object))?.lines() {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(Ok(size))) = (words.next(), words.next().map(str::parse::<u64>)) {
            sums.sections += if name.starts_with(".debug_") { size } else { 0 };
            sums.code += if name.starts_with(".text") { size } else { 0 };
        }
    }
    Ok(())
}

/// The number after a key of flat JSON.
fn number(json: &str, key: &str) -> u64 {
    let rest = json.split_once(&format!("\"{key}\":")).map_or("", |(_, rest)| rest.trim_start());
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

fn statistics(setting: &Setting, object: &Path, sums: &mut Sums) -> Result<(), String> {
    let Some(tool) = setting.statistics else { return Ok(()) };
    let json = text_of(Command::new(tool).arg("--statistics").arg(object))?;
    sums.covered += number(&json, "sum_all_variables(#bytes in parent scope covered by DW_AT_location)");
    sums.scope += number(&json, "sum_all_variables(#bytes in parent scope)");
    sums.inlined += number(&json, "#inlined functions");
    sums.call_sites += number(&json, "#call site DIEs");
    sums.call_parameters += number(&json, "#call site parameter DIEs");
    Ok(())
}

/// Breakpoints on evenly chosen functions: which arguments have a place.
fn breakpoints(setting: &Setting, object: &Path, sums: &mut Sums) -> Result<(), String> {
    if !setting.gdb {
        return Ok(());
    }
    let symbols = text_of(Command::new("nm").arg("--defined-only").arg(object))?;
    let functions: Vec<&str> = symbols
        .lines()
        .filter_map(|l| l.split_once([' ']).map(|(_, rest)| rest))
        .filter_map(|l| l.strip_prefix("t ").or_else(|| l.strip_prefix("T ")))
        .filter(|name| !name.contains('.'))
        .collect();
    let step = functions.len().div_ceil(setting.functions.max(1)).max(1);
    let chosen: Vec<String> = functions.iter().step_by(step).map(|name| format!("{name:?}")).collect();
    let script = setting.dir.join("arguments.py");
    let text = format!("NAMES = [{}]\n{ARGUMENTS}", chosen.join(", "));
    std::fs::write(&script, text).map_err(|e| e.to_string())?;
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-x"]).arg(&script).arg(object);
    for line in text_of(&mut command)?.lines().filter(|l| l.starts_with("ARG ")) {
        sums.arguments += 1;
        sums.shown += u64::from(line.ends_with(" shown"));
    }
    Ok(())
}
