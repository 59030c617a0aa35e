//! `cargo xtask mem2reg-vs-llvm`: our alloca form, exported as LLVM assembly, is promoted by LLVM
//! and by us, and is run by LLVM.

use super::{Header, LIMIT, MEMORY_FORM, corpus, read, tests};
use crate::report::Report;
use crate::tools::{compiler, has, names, run as run_process, work_dir};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Allocas (of fixed size) and phis of one function.
#[derive(Default, Clone, Copy)]
struct Counts {
    allocas: usize,
    phis: usize,
    /// Whether it calls a function that returns twice: there some variables keep their slots by
    /// design.
    returns_twice: bool,
}

impl Counts {
    /// Fewer promoted, or as many with more phis: what is promoted beyond LLVM's may take phis.
    fn is_worse_than(self, llvm: Counts) -> bool {
        !self.returns_twice && (self.allocas > llvm.allocas || self.allocas == llvm.allocas && self.phis > llvm.phis)
    }
}

/// The stages at which exported programs are run.
const EXPORTED_STAGES: [(&str, &str); 2] = [("memory form", MEMORY_FORM), ("after the passes of -O1", "-O1")];

/// Runs the exported IR of every program of `tests/run` under `lli`; those whose comment says why
/// `lli` cannot are compiled by `clang`. Gives how many ran, and how many of these wrongly.
fn run_under_llvm(arguments: &[String], compiler: &Path, dir: &Path) -> Result<(usize, usize), String> {
    let lli = ["lli-19", "lli"].into_iter().find(|p| has(p)).ok_or("lli of LLVM is not installed")?;
    let clang = ["clang-19", "clang"].into_iter().find(|p| has(p)).ok_or("clang is not installed")?;
    let (exported, program) = (dir.join("program.ll"), dir.join("program"));
    let mut wrong = Vec::new();
    let (mut through_clang, mut not_exported) = (Vec::new(), Vec::new());
    let tests = tests(arguments);
    for test in &tests {
        let header = Header::of(&test.file);
        let expected = std::fs::read(test.file.with_extension("expected")).unwrap_or_default();
        if let Some(reason) = &header.llvm {
            not_exported.push(format!("{}: not exported: {reason}", test.name()));
            continue;
        }
        if let Some(reason) = &header.lli {
            through_clang.push(format!("{}: {reason}", test.name()));
        }
        for (stage, passes) in EXPORTED_STAGES {
            let mut command = Command::new(compiler);
            command.args(["-O1", "-w", passes, "--emit=llvm", "-o"]).arg(&exported).args(test.flags()).arg(&test.file);
            let export = run_process(&mut command, LIMIT)?;
            if !export.ok() {
                wrong.push(format!("{}, {stage}: {}", test.name(), String::from_utf8_lossy(&export.stderr).trim_end()));
                continue;
            }
            let mut command = Command::new(if header.lli.is_some() { program.as_path() } else { Path::new(lli) });
            if header.lli.is_none() {
                command.arg(&exported);
            } else {
                let mut compile = Command::new(clang);
                compile.args(["-O1", "-w", "-x", "ir"]).arg(&exported).args([
                    "-x",
                    "none",
                    "-z",
                    "execstack",
                    "-lm",
                    "-o",
                ]);
                run_process(compile.arg(&program).args(test.flags()), LIMIT)?;
            }
            let outcome = run_process(command.args(&header.args), LIMIT)?;
            if outcome.stdout != expected || outcome.status != Some(header.exit) {
                wrong.push(format!("{}, {stage}: wrong output, status {:?}", test.name(), outcome.status));
            }
        }
    }
    let count = tests.len() - not_exported.len();
    println!("{count} programs run under LLVM, of these {} through clang and not lli:", through_clang.len());
    through_clang.iter().chain(&not_exported).chain(&wrong).for_each(|line| println!("  {line}"));
    Ok((count, wrong.len()))
}

/// Our alloca form, exported, through LLVM's `mem2reg` and through ours: function by function at
/// least as many allocas promoted, and no more phis for as many. Names choose programs of
/// `tests/run`. An error names the functions where
/// it is not so.
pub fn compare_with_llvm(arguments: &[String]) -> Result<Report, String> {
    let opt = ["opt-19", "opt"].into_iter().find(|p| has(p));
    let opt = opt.ok_or("opt of LLVM is not installed (Debian: apt install llvm-19)")?;
    let compiler = compiler()?;
    let dir = work_dir("ssa")?;
    let (before, after, ours) = (dir.join("before.ll"), dir.join("llvm.ll"), dir.join("ours.ll"));
    let (mut functions, mut worse, mut passed_over) = (0, Vec::new(), Vec::new());
    let mut totals = [Counts::default(); 3];
    let files = if names(arguments).is_empty() { corpus(arguments) } else { tests(arguments) };
    for file in files {
        let export = |passes: &str, to: &Path| {
            let mut command = Command::new(&compiler);
            command.args(["-O1", "-w", passes, "--emit=llvm", "-o"]).arg(to).args(file.flags()).arg(&file.file);
            run_process(&mut command, LIMIT)
        };
        let exported = export(MEMORY_FORM, &before)?.ok() && export("--passes=simplify_cfg,mem2reg", &ours)?.ok();
        let promoted = exported && {
            let mut command = Command::new(opt);
            command.args(["-passes=mem2reg", "-S", "-o"]).arg(&after).arg(&before);
            run_process(&mut command, LIMIT)?.ok()
        };
        if !promoted {
            passed_over.push(file.name());
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
                    file.name(),
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
    let (ran, wrong) = run_under_llvm(arguments, &compiler, &dir)?;
    let mut report = Report::default();
    report.less("functions worse than LLVM's", worse.len() as f64);
    report.more("functions compared", functions as f64);
    report.less("programs wrong under LLVM", wrong as f64);
    report.more("programs run under LLVM", ran as f64);
    let message = format!("{} functions are worse than LLVM's, {wrong} programs run wrongly under LLVM", worse.len());
    Ok(report.with_error((worse.len() + wrong > 0).then_some(message)))
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
