//! `cargo xtask faults`: what the compiler does when the system refuses something.
//!
//! Small compilations, links and runs are repeated once for every system call that can fail, with
//! that call failing: no memory, no descriptor, no space, an error of the disk, no process. Each
//! time the compiler must either do without (status 0 and the same files as without the fault) or
//! say so (status 1 and a message) and leave the folder as it was. Calls that do less than was
//! asked (`read` and `write` of one byte, `EINTR`) must not be noticed at all.
//!
//! The calls are changed with `ptrace` ([`trace`]), so the program under test is the one that users
//! have. Programs that it starts (`as`, `ld`) are left alone.

mod judge;
mod kinds;
mod scenarios;
mod trace;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::report::Report;
use crate::tools::{compiler, flag, option, work_dir};

use judge::{Folder, Verdict};
use kinds::{KINDS, Kind};
use scenarios::{SCENARIOS, Scenario};
use trace::{Fault, Run};

/// `[--only SCENARIO] [--kind KIND] [--at N] [--jobs N] [--verbose]`
///
/// # Errors
/// A scenario that fails without a fault, or that cannot be run.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let compiler = compiler()?;
    let dir = work_dir("faults")?;
    let wanted = |name: &str, option_name: &str| option(arguments, option_name).is_none_or(|only| only == name);
    let number = |name: &str| option(arguments, name).map(|n| n.parse::<usize>().map_err(|_| format!("{name} N")));
    let at = number("--at").transpose()?;
    let jobs = number("--jobs").transpose()?.unwrap_or(2).max(1);
    let (mut report, mut runs, mut classes) = (Report::default(), 0, 0);
    for scenario in SCENARIOS.iter().filter(|scenario| wanted(scenario.name, "--only")) {
        let place = Place { compiler: &compiler, dir: &dir, scenario };
        let mut faults = Vec::new();
        for kind in KINDS.iter().filter(|kind| wanted(kind.name, "--kind")) {
            faults
                .extend((0..place.count(kind)?).filter(|n| at.is_none_or(|at| at == *n)).map(|at| Fault { kind, at }));
        }
        let findings = place.try_all(&faults, jobs, flag(arguments, "--verbose"))?;
        println!("{}: {} faults, {} kinds of finding", scenario.name, faults.len(), findings.len());
        for ((kind, what), places) in &findings {
            let (at, call) = &places[0];
            println!("    {kind} {at}, {call} ({} in all): {what}", places.len());
        }
        runs += faults.len();
        classes += findings.len();
    }
    if runs == 0 {
        return Err("no call failed: does the program begin as xtask/src/faults/trace.rs expects?".into());
    }
    report.more("faults", runs as f64);
    report.less("kinds of finding", classes as f64);
    Ok(report.with_error((classes > 0).then(|| format!("{classes} kinds of finding"))))
}

/// A scenario and where it is run.
struct Place<'a> {
    compiler: &'a Path,
    dir: &'a Path,
    scenario: &'a Scenario,
}

/// What a scenario does without a fault.
struct Reference {
    before: Folder,
    after: Folder,
    /// What there is after it was made in another way.
    otherwise: Vec<Folder>,
    /// Whether some results may be there without others.
    has_parts: bool,
    stderr: String,
}

/// What was found, and at which calls: by kind of fault and what happened.
type Findings = BTreeMap<(&'static str, String), Vec<(usize, String)>>;

impl Place<'_> {
    /// A folder with the scenario's files.
    fn prepare(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.dir.join(name);
        drop(std::fs::remove_dir_all(&folder));
        self.scenario.prepare(&folder, self.compiler)?;
        Ok(folder)
    }

    /// What the scenario does in the folder of that name: debug information has the path.
    fn reference(&self, name: &str) -> Result<Reference, String> {
        let arguments = self.scenario.arguments();
        let (before, after, stderr) = self.without_fault(name, &arguments)?;
        let other = |more: &&'static str| {
            let arguments: Vec<&str> = arguments.iter().copied().chain(more.split_whitespace()).collect();
            self.without_fault(name, &arguments).map(|(_, after, _)| after)
        };
        let otherwise = self.scenario.otherwise.iter().map(other).collect::<Result<Vec<Folder>, String>>()?;
        Ok(Reference { before, after, otherwise, has_parts: self.scenario.has_parts, stderr })
    }

    fn without_fault(&self, name: &str, arguments: &[&str]) -> Result<(Folder, Folder, String), String> {
        let folder = self.prepare(name)?;
        let before = judge::folder(&folder)?;
        let run = trace::run(self.compiler, arguments, &folder, None)?;
        if run.status != Ok(0) {
            return Err(format!("{}: fails without a fault: {}\n{}", self.scenario.name, run.ending(), run.stderr));
        }
        Ok((before, judge::folder(&folder)?, run.stderr))
    }

    /// How many calls of the kind there are.
    fn count(&self, kind: &'static Kind) -> Result<usize, String> {
        let folder = self.prepare("count")?;
        let none = Fault { kind, at: usize::MAX };
        Ok(trace::run(self.compiler, &self.scenario.arguments(), &folder, Some(none))?.seen)
    }

    fn try_all(&self, faults: &[Fault], jobs: usize, verbose: bool) -> Result<Findings, String> {
        let (next, findings, error) = (AtomicUsize::new(0), Mutex::new(Findings::new()), Mutex::new(None));
        let work = |worker: usize| -> Result<(), String> {
            let name = format!("worker{worker}");
            let reference = self.reference(&name)?;
            while let Some(fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                let folder = self.prepare(&name)?;
                let run = trace::run(self.compiler, &self.scenario.arguments(), &folder, Some(*fault))?;
                let verdict = judge::judge(fault.kind, &run, &judge::folder(&folder)?, &reference);
                if verbose {
                    println!("{} {}, {}: {}: {}", fault.kind.name, fault.at, run.call, run.ending(), run.stderr.trim());
                }
                if let Verdict::Finding(what) = verdict {
                    let mut findings = findings.lock().expect("no worker panics");
                    findings.entry((fault.kind.name, what)).or_default().push((fault.at, run.call));
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            for worker in 0..jobs {
                let (work, error) = (&work, &error);
                scope.spawn(move || {
                    if let Err(message) = work(worker) {
                        *error.lock().expect("no worker panics") = Some(message);
                    }
                });
            }
        });
        if let Some(message) = error.into_inner().expect("no worker panics") {
            return Err(message);
        }
        let mut findings = findings.into_inner().expect("no worker panics");
        findings.values_mut().for_each(|places| places.sort());
        Ok(findings)
    }
}

impl Run {
    /// How it ended, for people.
    fn ending(&self) -> String {
        match self.status {
            Ok(status) => format!("status {status}"),
            Err(0) => "does not end".to_string(),
            Err(signal) => format!("signal {signal}"),
        }
    }
}
