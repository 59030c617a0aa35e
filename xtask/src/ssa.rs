//! `cargo xtask mem2reg-vs-llvm` and `cargo xtask ssa-report`: what promotion to SSA form gains, and that LLVM's gains no more.
//!
//! The corpus is `tests/run` and `bench`, and the C files of the folders given with `--path` (separated by `:`).

use crate::tools::{Outcome, compiler, has, option, root, run as run_process, work_dir};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

/// Passes that lead to the alloca form both sides start from: LLVM wants no unreachable blocks either.
const MEMORY_FORM: &str = "--passes=simplify_cfg";

/// Allocas (of fixed size) and phis of one function.
#[derive(Default, Clone, Copy)]
struct Counts {
    allocas: usize,
    phis: usize,
    /// Whether it calls a function that returns twice: there every variable keeps its slot by design.
    returns_twice: bool,
}

impl Counts {
    /// Fewer promoted, or as many with more phis: what is promoted beyond LLVM's may take phis.
    fn is_worse_than(self, llvm: Counts) -> bool {
        !self.returns_twice && (self.allocas > llvm.allocas || self.allocas == llvm.allocas && self.phis > llvm.phis)
    }
}

/// Our alloca form, exported, through LLVM's `mem2reg` and through ours: function by function at least as many allocas promoted, and no more
/// phis for as many. An error names the functions where it is not so.
pub fn compare_with_llvm(arguments: &[String]) -> Result<(), String> {
    let opt = ["opt-19", "opt"].into_iter().find(|p| has(p));
    let opt = opt.ok_or("opt of LLVM is not installed (Debian: apt install llvm-19)")?;
    let compiler = compiler()?;
    let dir = work_dir("ssa")?;
    let (before, after, ours) = (dir.join("before.ll"), dir.join("llvm.ll"), dir.join("ours.ll"));
    let (mut functions, mut worse, mut passed_over) = (0, Vec::new(), Vec::new());
    let mut totals = [Counts::default(); 3];
    for file in corpus(arguments) {
        let export = |passes: &str, to: &Path| {
            let mut command = Command::new(&compiler);
            command.args(["-O1", "-w", passes, "--emit=llvm", "-o"]).arg(to).args(flags(&file)).arg(&file);
            run_process(&mut command, LIMIT)
        };
        let exported = export(MEMORY_FORM, &before)?.ok() && export("--passes=simplify_cfg,mem2reg", &ours)?.ok();
        let promoted = exported && {
            let mut command = Command::new(opt);
            command.args(["-passes=mem2reg", "-S", "-o"]).arg(&after).arg(&before);
            run_process(&mut command, LIMIT)?.ok()
        };
        if !promoted {
            passed_over.push(name_of(&file));
            continue;
        }
        let theirs = count(&read(&after)?);
        for (function, &mine) in &count(&read(&ours)?) {
            let Some(&llvm) = theirs.get(function) else { continue };
            functions += 1;
            add(&mut totals[1], mine);
            add(&mut totals[2], llvm);
            if mine.is_worse_than(llvm) {
                worse.push(format!(
                    "{}: {function}: {} allocas and {} phis, LLVM {} and {}",
                    name_of(&file),
                    mine.allocas,
                    mine.phis,
                    llvm.allocas,
                    llvm.phis
                ));
            }
        }
        count(&read(&before)?).values().for_each(|&c| add(&mut totals[0], c));
    }
    println!("{functions} functions        allocas     phis");
    for (name, counts) in ["memory form", "our mem2reg", "LLVM's"].iter().zip(totals) {
        println!("{name:<20} {:>10} {:>8}", counts.allocas, counts.phis);
    }
    if !passed_over.is_empty() {
        println!("passed over, not exported or not read by LLVM: {}", passed_over.join(" "));
    }
    worse.iter().for_each(|line| println!("{line}"));
    if worse.is_empty() { Ok(()) } else { Err(format!("{} functions are worse than LLVM's", worse.len())) }
}

fn add(total: &mut Counts, more: Counts) {
    total.allocas += more.allocas;
    total.phis += more.phis;
}

/// Allocas and phis of each function of LLVM assembly.
fn count(text: &str) -> BTreeMap<String, Counts> {
    let mut out: BTreeMap<String, Counts> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        if line.starts_with("define ") {
            let name = line.split('@').nth(1).unwrap_or_default();
            current = name.split('(').next().unwrap_or_default().trim_matches('"').to_string();
            out.entry(current.clone()).or_default();
        } else if let Some(counts) = out.get_mut(&current) {
            let is_dynamic = line.contains(" = alloca i8, i64 %");
            counts.allocas += (line.contains(" = alloca ") && !is_dynamic) as usize;
            counts.returns_twice |= line.contains("call ") && line.contains("setjmp");
            counts.phis += line.contains(" = phi ") as usize;
        }
    }
    out
}

/// Memory operations and stack bytes of IR text.
#[derive(Default, Clone, Copy)]
struct Memory {
    loads: usize,
    stores: usize,
    stack: u64,
}

/// The figures of promotion: memory operations, stack bytes, code size, run time of the benchmarks in memory form and promoted, and the
/// share of compile time.
pub fn report(arguments: &[String]) -> Result<(), String> {
    let compiler = compiler()?;
    let dir = work_dir("ssa")?;
    let text = dir.join("module.tir");
    let mut sums = [Memory::default(); 2];
    let (mut mem2reg, mut total) = (0.0, 0.0);
    let mut files = 0;
    for file in corpus(arguments) {
        let mut memory = [Memory::default(); 2];
        let mut complete = true;
        for (slot, passes) in memory.iter_mut().zip([MEMORY_FORM, "--passes=simplify_cfg,sroa,mem2reg"]) {
            let mut command = Command::new(&compiler);
            command.args(["-O1", "-w", passes, "--emit=ir", "-o"]).arg(&text).args(flags(&file)).arg(&file);
            complete &= run_process(&mut command, LIMIT)?.ok();
            if complete {
                *slot = memory_operations(&read(&text)?);
            }
        }
        if !complete {
            continue;
        }
        files += 1;
        for (sum, one) in sums.iter_mut().zip(memory) {
            sum.loads += one.loads;
            sum.stores += one.stores;
            sum.stack += one.stack;
        }
        let (share, whole) = compile_time(&compiler, &file, &dir)?;
        mem2reg += share;
        total += whole;
    }
    let [memory_form, promoted] = sums;
    println!("{files} files{:>26}{:>12}{:>9}", "memory form", "promoted", "gone");
    row("loads", memory_form.loads as f64, promoted.loads as f64);
    row("stores", memory_form.stores as f64, promoted.stores as f64);
    row("stack bytes", memory_form.stack as f64, promoted.stack as f64);
    let (slow, fast) = benchmarks(&compiler, &dir)?;
    row("run time of bench, s", slow, fast);
    println!("mem2reg's share of compile time at -O2: {:.1} %", 100.0 * mem2reg / total.max(1e-9));
    Ok(())
}

fn row(name: &str, before: f64, after: f64) {
    let digits = if before.fract() == 0.0 { 0 } else { 2 };
    println!("{name:<22}{before:>13.digits$}{after:>12.digits$}{:>7.0} %", 100.0 * (1.0 - after / before.max(1e-9)));
}

fn memory_operations(text: &str) -> Memory {
    let mut out = Memory::default();
    for line in text.lines().filter(|l| l.starts_with("  ")) {
        let line = line.trim_start();
        if line.starts_with("store ") {
            out.stores += 1;
        } else if line.contains(" = load ") {
            out.loads += 1;
        } else if let Some((_, rest)) = line.split_once(" = alloca ") {
            out.stack += rest.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    out
}

/// Seconds in mem2reg and altogether, of one compilation at `-O2`.
fn compile_time(compiler: &Path, file: &Path, dir: &Path) -> Result<(f64, f64), String> {
    let mut command = Command::new(compiler);
    command
        .args(["-O2", "-w", "-fthreads=1", "-ftime-report", "-c", "-o"])
        .arg(dir.join("x.o"))
        .args(flags(file))
        .arg(file);
    let start = Instant::now();
    let outcome: Outcome = run_process(&mut command, LIMIT)?;
    let total = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let line = text.lines().find(|l| l.starts_with("mem2reg "));
    let milliseconds = line.and_then(|l| l.split_whitespace().nth(1)).and_then(|n| n.parse::<f64>().ok());
    Ok((milliseconds.unwrap_or(0.0) / 1e3, total))
}

/// Seconds that the programs of `bench` run in memory form and promoted, all together; those that do not run are passed over.
fn benchmarks(compiler: &Path, dir: &Path) -> Result<(f64, f64), String> {
    let (mut slow, mut fast) = (0.0, 0.0);
    for file in c_files(&root().join("bench")) {
        let mut times = [None, None];
        for (time, passes) in times.iter_mut().zip([MEMORY_FORM, "--passes=simplify_cfg,sroa,mem2reg"]) {
            let program = dir.join("program");
            let mut command = Command::new(compiler);
            command.args(["-O1", "-w", passes, "-o"]).arg(&program).args(flags(&file)).arg(&file).arg("-lm");
            if run_process(&mut command, LIMIT)?.ok() {
                let start = Instant::now();
                let ran = run_process(&mut Command::new(&program), LIMIT)?.ok();
                *time = ran.then(|| start.elapsed().as_secs_f64());
            }
        }
        if let [Some(a), Some(b)] = times {
            slow += a;
            fast += b;
        }
    }
    Ok((slow, fast))
}

fn corpus(arguments: &[String]) -> Vec<PathBuf> {
    let mut out = c_files(&root().join("tests/run"));
    out.extend(c_files(&root().join("bench")));
    for folder in option(arguments, "--path").iter().flat_map(|p| p.split(':')) {
        out.extend(c_files(Path::new(folder)));
    }
    out
}

/// The C files of a folder, sorted.
fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

/// The flags that the comment at a test's top asks for, and its folder for headers.
fn flags(file: &Path) -> Vec<String> {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().take(10).find_map(|l| l.strip_prefix("// flags:")).unwrap_or_default().to_string();
    let mut flags: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    flags.extend(file.parent().map(|p| format!("-I{}", p.display())));
    flags
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
