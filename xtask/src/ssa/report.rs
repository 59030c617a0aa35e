//! `cargo xtask ssa-report`: what promotion to SSA form removes and costs, and what is left of phis
//! in the code.

use super::{LIMIT, MEMORY_FORM, Source, c_files, corpus, read, sampled};
use crate::report::Report;
use crate::tools::{Outcome, compiler, root, run as run_process, work_dir};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Memory operations and stack bytes of IR text.
#[derive(Default, Clone, Copy)]
struct Memory {
    loads: usize,
    stores: usize,
    stack: u64,
}

impl Memory {
    fn numbers(&self) -> [f64; 3] {
        [self.loads as f64, self.stores as f64, self.stack as f64]
    }
}

/// The figures of promotion: memory operations, stack bytes, code size, run time of the benchmarks
/// in memory form and promoted, and the share of compile time.
pub fn report(arguments: &[String]) -> Result<Report, String> {
    let compiler = compiler()?;
    let dir = work_dir("ssa")?;
    let text = dir.join("module.tir");
    let mut sums = [Memory::default(); 2];
    // One large file outweighs all others in the sums.
    let mut shares: [Vec<f64>; 3] = Default::default();
    let (mut mem2reg, mut total, mut untimed) = (0.0, 0.0, 0);
    let mut phis = Phis::default();
    let mut files = 0;
    for file in corpus(arguments) {
        let mut memory = [Memory::default(); 2];
        let mut complete = true;
        for (slot, passes) in memory.iter_mut().zip([MEMORY_FORM, "--passes=simplify_cfg,sroa,mem2reg"]) {
            let mut command = Command::new(&compiler);
            command.args(["-O1", "-w", passes, "--emit=ir", "-o"]).arg(&text).args(file.flags()).arg(&file.file);
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
        for (share, (before, after)) in shares.iter_mut().zip(memory[0].numbers().into_iter().zip(memory[1].numbers()))
        {
            if before > 0.0 {
                share.push(gone(before, after));
            }
        }
        let text = optimized(&compiler, &file, &dir)?;
        match (milliseconds(&text, "mem2reg"), milliseconds(&text, "total")) {
            (Some(part), Some(all)) => {
                mem2reg += part;
                total += all;
            }
            _ => untimed += 1,
        }
        phis.add(&text);
    }
    let [memory_form, promoted] = sums;
    println!("{files} files{:>26}{:>12}{:>9}{:>18}", "memory form", "promoted", "gone", "median of files");
    let names = ["loads", "stores", "stack bytes"];
    for (i, name) in names.iter().enumerate() {
        row(name, memory_form.numbers()[i], promoted.numbers()[i], Some(median(&mut shares[i])));
    }
    let (slow, fast) = benchmarks(arguments, &compiler, &dir)?;
    row("run time of bench, s", slow, fast, None);
    let share = 100.0 * mem2reg / f64::max(total, 1e-9);
    println!("mem2reg at -O2: {mem2reg:.0} ms of {total:.0} ms compile time, {share:.2} %");
    let mut report = Report::default();
    report.more("files", files as f64);
    for (i, name) in names.iter().enumerate() {
        report.more(format!("{name} gone, %"), gone(memory_form.numbers()[i], promoted.numbers()[i]));
        report.more(format!("{name} gone, %, median"), median(&mut shares[i]));
    }
    report.more("run time gone, %", gone(slow, fast));
    report.less("mem2reg's share of compile time, %", share);
    report.less("phi operands left as moves, %", phis.moves_percent());
    report.less("edges above the two-phase protocol", phis.above as f64);
    let message = match phis.report() {
        Some(message) => Some(message),
        // Functions without locals are not timed; none of the files is without functions.
        None if untimed > 0 => Some(format!("{untimed} files whose time report has no mem2reg or no total")),
        None => None,
    };
    Ok(report.with_error(message))
}

/// Per cent of what was there before.
fn gone(before: f64, after: f64) -> f64 {
    100.0 * (1.0 - after / before.max(1e-9))
}

fn row(name: &str, before: f64, after: f64, median: Option<f64>) {
    let digits = if before.fract() == 0.0 { 0 } else { 2 };
    let median = median.map_or_else(String::new, |m| format!("{m:>16.0} %"));
    println!("{name:<22}{before:>13.digits$}{after:>12.digits$}{:>7.0} %{median}", gone(before, after));
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

fn memory_operations(text: &str) -> Memory {
    let mut out = Memory::default();
    for line in text.lines().filter(|l| l.starts_with("  ")) {
        let line = line.trim_start();
        if line.starts_with("store ") || line.starts_with("store.") {
            out.stores += 1;
        } else if line.contains(" = load ") || line.contains(" = load.") {
            out.loads += 1;
        } else if let Some((_, rest)) = line.split_once(" = alloca ") {
            out.stack += rest.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        }
    }
    out
}

/// One compilation at `-O2`: what it says about times and counters.
fn optimized(compiler: &Path, file: &Source, dir: &Path) -> Result<String, String> {
    let mut command = Command::new(compiler);
    command
        .args(["-O2", "-w", "-fthreads=1", "-ftime-report", "--stats", "-c", "-o"])
        .arg(dir.join("x.o"))
        .args(file.flags())
        .arg(&file.file);
    let outcome: Outcome = run_process(&mut command, LIMIT)?;
    Ok(String::from_utf8_lossy(&outcome.stderr).into_owned())
}

/// The time of a part in the time report: `mem2reg   0.161 ms   0.2 %`.
fn milliseconds(text: &str, part: &str) -> Option<f64> {
    text.lines().find_map(|line| {
        let mut words = line.trim_start().strip_prefix(part)?.split_whitespace();
        let number = words.next()?.parse().ok()?;
        (words.next() == Some("ms")).then_some(number)
    })
}

/// At most this share of the phi operands that are not constants may be left as register moves.
const MAX_MOVES_PERCENT: f64 = 15.0;

/// The code generator's counters about phis.
#[derive(Default)]
struct Phis {
    operands: u64,
    constants: u64,
    coalesced: u64,
    moves: u64,
    copies: u64,
    two_phase: u64,
    above: u64,
    temporaries: u64,
    trampolines: u64,
}

impl Phis {
    fn add(&mut self, text: &str) {
        for (number, name) in text.lines().filter_map(|l| l.trim_start().split_once(' ')) {
            let counter = match name {
                "phi operands" => &mut self.operands,
                "phi operands that are constants" => &mut self.constants,
                "phi operands coalesced" => &mut self.coalesced,
                "phi operands left as register moves" => &mut self.moves,
                "copies inserted on edges" => &mut self.copies,
                "copies under the two-phase protocol" => &mut self.two_phase,
                "edges above the two-phase protocol" => &mut self.above,
                "temporaries on edges" => &mut self.temporaries,
                "trampolines on edges" => &mut self.trampolines,
                _ => continue,
            };
            *counter += number.parse::<u64>().unwrap_or(0);
        }
    }

    /// The share of the operands that are not constants.
    fn moves_percent(&self) -> f64 {
        100.0 * self.moves as f64 / (self.operands - self.constants).max(1) as f64
    }

    /// Prints the totals; gives what is not as it must be.
    fn report(&self) -> Option<String> {
        let (values, percent) = (self.operands - self.constants, self.moves_percent());
        println!(
            "phi operands: {}, of these {} constants, {} coalesced",
            self.operands, self.constants, self.coalesced
        );
        println!(
            "copies on edges: {} with {} temporaries and {} trampolines; under the two-phase protocol {}; edges above it: {}",
            self.copies, self.temporaries, self.trampolines, self.two_phase, self.above
        );
        println!(
            "phi operands that are not constants and left as register moves: {} of {values}, {percent:.1} %",
            self.moves
        );
        if self.above > 0 {
            return Some(format!("{} edges execute more copies than under the two-phase protocol", self.above));
        }
        if percent >= MAX_MOVES_PERCENT {
            return Some(format!("{percent:.1} % of the phi operands are left as register moves"));
        }
        None
    }
}

/// Seconds that the programs of `bench` run in memory form and promoted, all together; those that
/// do not run are passed over.
fn benchmarks(arguments: &[String], compiler: &Path, dir: &Path) -> Result<(f64, f64), String> {
    let (mut slow, mut fast) = (0.0, 0.0);
    for file in sampled(c_files(&root().join("bench")), arguments) {
        let mut times = [None, None];
        for (time, passes) in times.iter_mut().zip([MEMORY_FORM, "--passes=simplify_cfg,sroa,mem2reg"]) {
            let program = dir.join("program");
            let mut command = Command::new(compiler);
            command.args(["-O1", "-w", passes, "-o"]).arg(&program).args(file.flags()).arg(&file.file).arg("-lm");
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

#[cfg(test)]
mod tests {
    use super::{gone, memory_operations, milliseconds};

    #[test]
    fn times() {
        let text = "        3 mem2reg things\ntotal   74.541 ms 100.0 %\n  mem2reg      0.161 ms   0.2 %\n";
        assert_eq!(milliseconds(text, "mem2reg"), Some(0.161));
        assert_eq!(milliseconds(text, "total"), Some(74.541));
        assert_eq!(milliseconds(text, "gvn"), None);
    }

    #[test]
    fn operations() {
        let text = "b0:\n  v1: ptr = alloca 12 align 4\n  store v1, v0 align 4\n  store.volatile v1, v0 align 4\n  \
                    v2: i32 = load v1 align 4\n  v3: i32 = load.volatile v1 align 4\n";
        let found = memory_operations(text);
        assert_eq!((found.loads, found.stores, found.stack), (2, 2, 12));
        assert!((gone(4.0, 1.0) - 75.0).abs() < 1e-9);
    }
}
