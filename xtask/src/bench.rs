//! `cargo xtask bench`: the programs of `bench/` compiled by tcc-rs and by the other compilers
//! installed here.
//!
//! Three tables: user CPU time of the programs, CPU time of compiling them to an object, size of
//! their code. The reference compiler's column is absolute, the others are ratios to it. Every
//! iteration runs each contestant's program once, one after the other; a ratio is the median over
//! the iterations of the ratio within a iteration, so that what slows the machine down for a while
//! slows both sides. Programs whose output differs from the reference's are reported, and the task
//! fails.

mod plot;
mod predictors;

use crate::report::Report;
use crate::tools::{
    compiler, cpu_time_of_children, files_below, flag, names, option, root, run as run_process, work_dir,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Rounds without `--runs`.
const RUNS: usize = 5;
/// Nothing in `bench/` takes a second when gcc optimises it.
const LIMIT: Duration = Duration::from_secs(120);
/// Names clang may have, the newest version last tried first.
const CLANGS: &[&str] =
    &["clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"];
const REFERENCE: &str = "gcc-O2";
const WIDTH: usize = 10;

/// A compiler at a level.
struct Contestant {
    label: String,
    program: PathBuf,
    level: &'static str,
    extra: Vec<String>,
    own: bool,
}

/// What was found about one program under one contestant.
enum Cell {
    Measured(Measured),
    DoesNotCompile,
    Wrong,
}

/// User seconds of each run, CPU seconds of each compilation, bytes of code.
struct Measured {
    runs: Vec<f64>,
    compilations: Vec<f64>,
    code: u64,
}

/// Options: `--with LABEL,LABEL`, `--reference LABEL`, `--runs N`, `--base OTHER-TCC-RS`, `--args
/// 'FLAGS FOR TCC-RS'`, `--compile FILE` (only the compilation of that file), `--plot FILE.svg`
/// (the
/// means as a picture, see [`plot`]), `--predictors` (see [`predictors`]); the rest are parts of
/// programs' names.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let runs = match option(arguments, "--runs") {
        Some(n) => n.parse().ok().filter(|n| *n > 0).ok_or(format!("--runs {n}: not a positive number"))?,
        None => RUNS,
    };
    if flag(arguments, "--predictors") {
        return predictors::run(&programs(arguments)?);
    }
    let contestants = chosen(arguments)?;
    // Two measurements may go on at the same time.
    let dir = work_dir(&format!("bench-{}", std::process::id()))?;
    let result = measure(arguments, &contestants, &dir, runs);
    drop(std::fs::remove_dir_all(&dir));
    result
}

fn measure(arguments: &[String], contestants: &[Contestant], dir: &Path, runs: usize) -> Result<Report, String> {
    if let Some(file) = option(arguments, "--compile") {
        return compile_only(contestants, Path::new(&file), dir, runs).map(|()| Report::default());
    }
    let files = programs(arguments)?;
    let width = files.iter().map(|f| stem(f).len()).max().unwrap_or(0).max("geometric mean".len());
    println!("run time: user CPU seconds of {}, the others relative to it; {runs} rounds", contestants[0].label);
    print_heading(width, contestants);
    let mut rows = Vec::new();
    for file in &files {
        let row = bench_program(file, contestants, dir, runs)?;
        print_row(width, &stem(file), &row, run_ratio, |m| format!("{:.3} s", median(m.runs.clone())));
        rows.push(row);
    }
    print_geomeans(width, &rows, run_ratio);
    let compile_cell = |m: &Measured| format!("{:.1} ms", median(m.compilations.clone()) * 1e3);
    print_table(
        "compile time: CPU time to an object file",
        width,
        &files,
        contestants,
        &rows,
        compile_ratio,
        compile_cell,
    );
    let code_cell = |m: &Measured| format!("{} B", m.code);
    print_table(
        "code: bytes of executable sections in the object",
        width,
        &files,
        contestants,
        &rows,
        code_ratio,
        code_cell,
    );
    if let Some(picture) = option(arguments, "--plot") {
        std::fs::write(&picture, plot::svg(&points(contestants, &rows), axes(contestants)))
            .map_err(|e| format!("{picture}: {e}"))?;
    }
    let mut report = Report::default();
    for (i, contestant) in contestants.iter().enumerate().filter(|(_, c)| c.own) {
        for (what, ratio) in [("run time", run_ratio as Ratio), ("compile time", compile_ratio), ("code", code_ratio)] {
            if let Some(mean) = geomean(&rows, i, ratio) {
                report.less(format!("{} {what} beside {}", contestant.label, contestants[0].label), mean);
            }
        }
    }
    report.more("programs", files.len() as f64);
    Ok(report.with_error(verdict(&files, contestants, &rows)))
}

/// The programs of `bench/` whose names the arguments hold a part of; all without any.
fn programs(arguments: &[String]) -> Result<Vec<PathBuf>, String> {
    let filters = names(arguments);
    let mut files = files_below(&root().join("bench"), "c");
    files.retain(|f| filters.is_empty() || filters.iter().any(|part| stem(f).contains(part)));
    if files.is_empty() { Err("no program has such a name".to_string()) } else { Ok(files) }
}

/// What a compile time of 1 is in the picture.
const COMPILE_REFERENCE: &str = "gcc-O0";

/// The contestant whose compile time is 1 in the picture.
fn compile_reference(contestants: &[Contestant]) -> usize {
    contestants.iter().position(|c| c.label == COMPILE_REFERENCE).unwrap_or(0)
}

fn axes(contestants: &[Contestant]) -> (&str, &str) {
    (&contestants[compile_reference(contestants)].label, &contestants[0].label)
}

/// The contestants with their means.
fn points(contestants: &[Contestant], rows: &[Vec<Cell>]) -> Vec<plot::Point> {
    let reference = geomean(rows, compile_reference(contestants), compile_ratio).unwrap_or(1.0);
    let point = |(i, c): (usize, &Contestant)| {
        let compile = geomean(rows, i, compile_ratio)? / reference;
        Some(plot::Point { label: c.label.clone(), own: c.own, compile, run: geomean(rows, i, run_ratio)? })
    };
    contestants.iter().enumerate().filter_map(point).collect()
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The contestants asked for that are installed, the reference first. What is missing is said.
fn chosen(arguments: &[String]) -> Result<Vec<Contestant>, String> {
    let extra: Vec<String> =
        option(arguments, "--args").unwrap_or_default().split_whitespace().map(String::from).collect();
    let mut all = Vec::new();
    let mut add = |name: &str, program: &Path, levels: &[&'static str], extra: &[String], own: bool| {
        for &level in levels {
            all.push(Contestant {
                label: format!("{name}{level}"),
                program: program.to_path_buf(),
                level,
                extra: extra.to_vec(),
                own,
            });
        }
    };
    add("tcc-rs", &compiler()?, &["-O2", "-O1", "-O3", "-O0"], &extra, true);
    if let Some(base) = option(arguments, "--base") {
        add("base", Path::new(&base), &["-O2"], &extra, true);
    }
    let mut missing = Vec::new();
    let peers: [(&str, &[&str], &[&'static str]); 3] =
        [("gcc", &["gcc"], &["-O0", "-O1", "-O2", "-O3"]), ("clang", CLANGS, &["-O2"]), ("tcc", &["tcc"], &[""])];
    for (name, programs, levels) in peers {
        // tcc's default is C99, which lacks what the programs use of C11.
        let standard = ["-std=c11".to_string()];
        let extra: &[String] = if name == "tcc" { &standard } else { &[] };
        match programs.iter().find(|p| crate::tools::has(p)) {
            Some(program) => add(name, Path::new(program), levels, extra, false),
            None => missing.push(name),
        }
    }
    if !missing.is_empty() {
        println!("not installed here: {}", missing.join(", "));
    }
    let known: Vec<String> = all.iter().map(|c| c.label.clone()).collect();
    let has_label = |label: &String| known.contains(label);
    let reference = match option(arguments, "--reference") {
        Some(label) if has_label(&label) => label,
        Some(label) => return Err(format!("--reference {label}: the contestants are {}", known.join(", "))),
        None if has_label(&REFERENCE.to_string()) => REFERENCE.to_string(),
        None => known[0].clone(),
    };
    if let Some(list) = option(arguments, "--with") {
        let wanted: Vec<&str> = list.split(',').collect();
        if let Some(unknown) = wanted.iter().find(|w| !has_label(&w.to_string())) {
            return Err(format!("--with {unknown}: the contestants are {}", known.join(", ")));
        }
        all.retain(|c| c.label == reference || wanted.contains(&c.label.as_str()));
    }
    all.sort_by_key(|c| c.label != reference);
    Ok(all)
}

fn compile_only(contestants: &[Contestant], file: &Path, dir: &Path, runs: usize) -> Result<(), String> {
    for c in contestants {
        match compile(c, file, &dir.join("object.o"), runs)? {
            Some(times) => println!("{:<12} {:>9.1} ms", c.label, median(times) * 1e3),
            None => println!("{:<12}    does not compile", c.label),
        }
    }
    Ok(())
}

/// CPU seconds of each compilation to an object, `None` when the compiler refuses.
fn compile(c: &Contestant, file: &Path, object: &Path, runs: usize) -> Result<Option<Vec<f64>>, String> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let mut command = Command::new(&c.program);
        command.args(Some(c.level).filter(|l| !l.is_empty())).args(&c.extra).arg("-w");
        command.arg("-c").arg(file).arg("-o").arg(object);
        let before = cpu_time_of_children();
        if !run_process(&mut command, LIMIT)?.ok() {
            return Ok(None);
        }
        let after = cpu_time_of_children();
        times.push((after.user + after.system - before.user - before.system).as_secs_f64());
    }
    Ok(Some(times))
}

fn bench_program(file: &Path, contestants: &[Contestant], dir: &Path, runs: usize) -> Result<Vec<Cell>, String> {
    let mut row = Vec::new();
    for (i, c) in contestants.iter().enumerate() {
        let (object, program) = (dir.join("object.o"), dir.join(format!("program{i}")));
        let Some(compilations) = compile(c, file, &object, runs)? else {
            row.push(Cell::DoesNotCompile);
            continue;
        };
        let code = code_size(&std::fs::read(&object).map_err(|e| e.to_string())?).unwrap_or(0);
        let linked = run_process(Command::new(&c.program).arg(&object).arg("-o").arg(&program).arg("-lm"), LIMIT)?;
        row.push(match linked.ok() {
            true => Cell::Measured(Measured { runs: Vec::new(), compilations, code }),
            false => Cell::DoesNotCompile,
        });
    }
    let mut expected: Option<(Option<i32>, Vec<u8>)> = None;
    for round in 0..runs {
        // Each round begins with another one: to be first may be better or worse than to be last.
        for i in (0..row.len()).map(|i| (i + round) % contestants.len()) {
            let cell = &mut row[i];
            let Cell::Measured(measured) = cell else { continue };
            let before = cpu_time_of_children();
            let outcome = run_process(&mut Command::new(dir.join(format!("program{i}"))), LIMIT)?;
            measured.runs.push((cpu_time_of_children().user - before.user).as_secs_f64());
            let got = (outcome.status, outcome.stdout);
            if *expected.get_or_insert_with(|| got.clone()) != got {
                *cell = Cell::Wrong;
            }
        }
    }
    Ok(row)
}

/// Bytes of the executable sections of an ELF64 little-endian object (System V gABI, chapter 4),
/// `None` for anything else.
fn code_size(elf: &[u8]) -> Option<u64> {
    const SHF_EXECINSTR: u64 = 4;
    let number = |at: usize, size: usize| -> Option<u64> {
        Some(elf.get(at..at + size)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    };
    if !elf.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, entry_size, count) = (number(0x28, 8)? as usize, number(0x3a, 2)? as usize, number(0x3c, 2)? as usize);
    let mut sum = 0;
    for i in 0..count {
        let header = table + i * entry_size;
        if number(header + 8, 8)? & SHF_EXECINSTR != 0 {
            sum += number(header + 0x20, 8)?;
        }
    }
    Some(sum)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// The median over the iterations of the ratio within a iteration; a hundredth of a millisecond is
/// as good as nothing.
fn paired_ratio(values: &[f64], reference: &[f64]) -> f64 {
    median(values.iter().zip(reference).map(|(v, r)| v.max(1e-5) / r.max(1e-5)).collect())
}

fn run_ratio(m: &Measured, reference: &Measured) -> f64 {
    paired_ratio(&m.runs, &reference.runs)
}

/// Compilations are not interleaved: the ratio of the medians.
fn compile_ratio(m: &Measured, reference: &Measured) -> f64 {
    median(m.compilations.clone()) / median(reference.compilations.clone()).max(1e-5)
}

fn code_ratio(m: &Measured, reference: &Measured) -> f64 {
    m.code as f64 / reference.code.max(1) as f64
}

type Ratio = fn(&Measured, &Measured) -> f64;

fn print_heading(width: usize, contestants: &[Contestant]) {
    let labels: Vec<String> = contestants.iter().map(|c| format!("{:>WIDTH$}", c.label)).collect();
    println!("{:<width$} {}", "", labels.join(" "));
}

fn print_row(width: usize, name: &str, row: &[Cell], ratio: Ratio, absolute: impl Fn(&Measured) -> String) {
    let texts: Vec<String> = (0..row.len())
        .map(|i| match (&row[i], &row[0]) {
            (Cell::Measured(m), _) if i == 0 => absolute(m),
            (Cell::Measured(m), Cell::Measured(reference)) => format!("{:.2}", ratio(m, reference)),
            (Cell::Measured(m), _) => absolute(m),
            (Cell::DoesNotCompile, _) => "fails".to_string(),
            (Cell::Wrong, _) => "WRONG".to_string(),
        })
        .map(|text| format!("{text:>WIDTH$}"))
        .collect();
    println!("{name:<width$} {}", texts.join(" "));
}

/// The geometric mean of a contestant's ratios, `None` without any.
fn geomean(rows: &[Vec<Cell>], contestant: usize, ratio: Ratio) -> Option<f64> {
    let logarithms: Vec<f64> = rows
        .iter()
        .filter_map(|row| match (&row[contestant], &row[0]) {
            (Cell::Measured(m), Cell::Measured(reference)) => Some(ratio(m, reference).ln()),
            _ => None,
        })
        .collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// Over the programs that both the contestant and the reference compile and run rightly.
fn print_geomeans(width: usize, rows: &[Vec<Cell>], ratio: Ratio) {
    let columns = rows.first().map_or(0, Vec::len);
    let texts: Vec<String> = (0..columns)
        .map(|i| match geomean(rows, i, ratio) {
            None => format!("{:>WIDTH$}", "-"),
            Some(mean) => format!("{mean:>WIDTH$.3}"),
        })
        .collect();
    println!("{:<width$} {}", "geometric mean", texts.join(" "));
}

fn print_table(
    title: &str,
    width: usize,
    files: &[PathBuf],
    contestants: &[Contestant],
    rows: &[Vec<Cell>],
    ratio: Ratio,
    absolute: impl Fn(&Measured) -> String,
) {
    println!("\n{title}");
    print_heading(width, contestants);
    for (file, row) in files.iter().zip(rows) {
        print_row(width, &stem(file), row, ratio, &absolute);
    }
    print_geomeans(width, rows, ratio);
}

/// An error that names the programs that are wrong, and those that our compiler refuses.
fn verdict(files: &[PathBuf], contestants: &[Contestant], rows: &[Vec<Cell>]) -> Option<String> {
    let mut wrong = Vec::new();
    for (file, row) in files.iter().zip(rows) {
        for (c, cell) in contestants.iter().zip(row) {
            match cell {
                Cell::Wrong => wrong.push(format!("{} {}: WRONG", c.label, stem(file))),
                Cell::DoesNotCompile if c.own => wrong.push(format!("{} {}: does not compile", c.label, stem(file))),
                Cell::DoesNotCompile | Cell::Measured(_) => {}
            }
        }
    }
    (!wrong.is_empty()).then(|| wrong.join("\n  "))
}
