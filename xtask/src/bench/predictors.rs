//! `cargo xtask bench --predictors`: the static branch predictors beside what the programs of
//! `bench/` do.
//!
//! Each program is built with counters, run, and built again with the counts, when the compiler
//! says of every branch what it would have guessed (`-Rpass-analysis=predictors`). A guess hits as
//! often as the branch goes the way that is guessed to be likelier. No guess can hit more often
//! than the likelier of the two ways was taken (*best*); *measured* and *guessed* are the mean
//! probabilities of the way that was guessed.

use crate::report::Report;
use crate::tools::{compiler, run as run_process, work_dir};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, stem};

/// What a predictor that says nothing is called.
const NOTHING: &str = "nothing";

/// One branch.
#[derive(Debug, PartialEq)]
struct Branch {
    predictor: String,
    /// The guessed probability of the first target.
    guessed: f64,
    /// How probable it was.
    taken: f64,
    executions: f64,
}

/// Sums over branches, weighted by executions.
#[derive(Default)]
struct Sums {
    branches: usize,
    executions: f64,
    hits: f64,
    best: f64,
    guessed: f64,
}

impl Sums {
    fn add(&mut self, branch: &Branch) {
        let first = branch.guessed >= 0.5;
        let (guessed, hit) =
            if first { (branch.guessed, branch.taken) } else { (1.0 - branch.guessed, 1.0 - branch.taken) };
        self.branches += 1;
        self.executions += branch.executions;
        self.hits += branch.executions * hit;
        self.best += branch.executions * branch.taken.max(1.0 - branch.taken);
        self.guessed += branch.executions * guessed;
    }

    /// Hit rate, best hit rate and guessed hit rate, in per cent.
    fn rates(&self) -> [f64; 3] {
        [self.hits, self.best, self.guessed].map(|sum| 100.0 * sum / self.executions.max(1.0))
    }
}

/// Prints the table; the report has the hit rate of all predictors together.
pub fn run(files: &[PathBuf]) -> Result<Report, String> {
    let dir = work_dir(&format!("predictors-{}", std::process::id()))?;
    let branches = files.iter().map(|file| branches_of(file, &dir)).collect::<Result<Vec<_>, String>>();
    drop(std::fs::remove_dir_all(&dir));
    // A program counts as one, however long it runs.
    let mut table: BTreeMap<String, Sums> = BTreeMap::new();
    for mut program in branches? {
        let all: f64 = program.iter().map(|b| b.executions).sum();
        for branch in &mut program {
            branch.executions *= 1e6 / all.max(1.0);
            table.entry(branch.predictor.clone()).or_default().add(branch);
        }
    }
    let whole: f64 = table.values().map(|sums| sums.executions).sum();
    println!("{:<26}{:>10}{:>12}{:>10}{:>10}{:>10}", "predictor", "branches", "executions", "hits", "best", "guessed");
    let mut predicted = Sums::default();
    for (predictor, sums) in &table {
        let [hits, best, guessed] = sums.rates();
        let share = 100.0 * sums.executions / whole.max(1.0);
        println!("{predictor:<26}{:>10}{share:>11.1}%{hits:>9.1}%{best:>9.1}%{guessed:>9.1}%", sums.branches);
        if predictor != NOTHING {
            predicted.executions += sums.executions;
            predicted.hits += sums.hits;
            predicted.best += sums.best;
        }
    }
    let [hits, best, _] = predicted.rates();
    println!("all that are predicted: {hits:.1} % hit, {best:.1} % are possible");
    let mut report = Report::default();
    report.more("branches predicted rightly, per cent", hits);
    Ok(report)
}

/// Builds a program with counters, runs it, and asks what was guessed.
fn branches_of(file: &Path, dir: &Path) -> Result<Vec<Branch>, String> {
    let compiler = compiler()?;
    let program = dir.join(stem(file));
    let build = |flags: &[&str]| {
        let mut command = Command::new(&compiler);
        command.current_dir(dir).args(["-O2", "-w"]).args(flags).arg(file).arg("-o").arg(&program).arg("-lm");
        let outcome = run_process(&mut command, LIMIT)?;
        let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
        if outcome.ok() { Ok(message) } else { Err(format!("{}: {message}", stem(file))) }
    };
    build(&["-fprofile-generate"])?;
    if run_process(Command::new(&program).current_dir(dir), LIMIT)?.status != Some(0) {
        return Err(format!("{}: the program with counters fails", stem(file)));
    }
    let said = build(&["-fprofile-use", "-Rpass-analysis=predictors"])?;
    let branches: Vec<Branch> = said.lines().filter_map(parse).collect();
    if branches.is_empty() { Err(format!("{}: nothing was counted: {said}", stem(file))) } else { Ok(branches) }
}

/// A remark: `...: predicted by loop exit: 0.900, taken 0.99000 of 800 times [...]`.
fn parse(line: &str) -> Option<Branch> {
    let (predictor, rest) = line.split_once("predicted by ")?.1.split_once(": ")?;
    let (guessed, rest) = rest.split_once(", taken ")?;
    let (taken, rest) = rest.split_once(" of ")?;
    let executions = rest.split_once(" times")?.0;
    let number = |text: &str| text.parse().ok();
    Some(Branch {
        predictor: predictor.to_string(),
        guessed: number(guessed)?,
        taken: number(taken)?,
        executions: number(executions)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_read() {
        let line = "a.c:3:5: remark: in 'f': predicted by loop exit: 0.100, taken 0.25000 of 800 times [-R=x]";
        let branch = parse(line).expect("a remark");
        let expected = Branch { predictor: "loop exit".into(), guessed: 0.1, taken: 0.25, executions: 800.0 };
        assert_eq!(branch, expected);
        assert_eq!(parse("a.c:3:5: remark: in 'f': 'g' inlined"), None);
        let mut sums = Sums::default();
        sums.add(&branch);
        assert_eq!(sums.rates(), [75.0, 75.0, 90.0]);
    }
}
