//! `cargo xtask suite`: public suites of C programs, at every level.
//!
//! What a case is and when it passes stands in [`sources`]. A failure counts unless gcc fails the
//! same case at `-O0` or `-O2`, in the suites that were written for gcc.

mod directives;
mod run;
mod sources;

use crate::report::Report;
use crate::tools::{compiler, names, option, work_dir};
use run::{Tool, Verdict};
use sources::{Case, SUITES, Suite};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much more time gcc gets before a case counts as one it fails.
const PATIENCE: u64 = 3;

/// Runs the suites named, or the c-testsuite and our own cases: `--path DIR`, `--level
/// -O0,-O2,run`, `--sample N` (every Nth case), `--jobs N`, `--only PART` (of names).
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let program = compiler()?;
    let path = option(arguments, "--path");
    let mut wanted = names(arguments);
    if wanted.is_empty() {
        wanted = ["c-testsuite", "own"].map(String::from).to_vec();
        if path.is_none() && std::env::var_os("C_TESTSUITE").is_none() {
            wanted.remove(0);
            println!("only our own cases: give --path (or C_TESTSUITE) {} for the others", SUITES[0].origin);
        }
    }
    let number = |name: &str| option(arguments, name).and_then(|v| v.parse::<usize>().ok()).filter(|n| *n > 0);
    let sample = number("--sample").unwrap_or(1);
    let jobs = number("--jobs").unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let only = option(arguments, "--only").unwrap_or_default();
    let mut report = Report::default();
    let mut failed = 0;
    for name in &wanted {
        let suite = SUITES.iter().find(|s| s.name == *name).ok_or_else(|| {
            format!("no suite `{name}`; there are {}", SUITES.iter().map(|s| s.name).collect::<Vec<_>>().join(", "))
        })?;
        let folder = suite.find(path.as_deref())?;
        let mut cases = suite.cases(&folder)?;
        cases.retain(|c| c.name.contains(&only));
        let cases: Vec<Case> = cases.into_iter().step_by(sample).collect();
        let levels: Vec<String> = match option(arguments, "--level") {
            Some(list) => list.split(',').map(str::to_string).collect(),
            None => suite.levels.iter().map(|l| l.to_string()).collect(),
        };
        for level in levels {
            let (wrong, passed) = run_level(suite, &cases, &program, &level, jobs)?;
            let label = if wanted.len() > 1 { format!("{name} {level}") } else { level };
            report.less(format!("{label} failed"), wrong as f64);
            report.more(format!("{label} passed"), passed as f64);
            failed += wrong;
        }
    }
    Ok(report.with_error((failed > 0).then(|| format!("{failed} failed"))))
}

/// Gives how many failed and how many passed.
fn run_level(
    suite: &Suite,
    cases: &[Case],
    program: &Path,
    level: &str,
    jobs: usize,
) -> Result<(usize, usize), String> {
    let tool = Tool::new(program, level, 1);
    let verdicts = judge_all(&tool, cases, jobs)?;
    let failing: Vec<Case> =
        cases.iter().zip(&verdicts).filter(|(_, v)| matches!(v, Verdict::Failed(_))).map(|(c, _)| c.clone()).collect();
    let mut gcc_fails = Vec::new();
    if suite.judged_by_gcc && !failing.is_empty() {
        for level in ["-O0", "-O2"] {
            let verdicts = judge_all(&Tool::new(Path::new("gcc"), level, PATIENCE), &failing, jobs)?;
            let named = failing.iter().zip(verdicts).filter(|(_, v)| *v != Verdict::Passed);
            gcc_fails.extend(named.map(|(case, _)| case.name.clone()));
        }
    }
    let (mut passed, mut failed, mut skipped, mut with_gcc) = (0usize, 0usize, 0usize, 0usize);
    for (case, verdict) in cases.iter().zip(verdicts) {
        match verdict {
            Verdict::Passed => passed += 1,
            Verdict::Skipped(_) => skipped += 1,
            Verdict::Failed(_) if gcc_fails.contains(&case.name) => with_gcc += 1,
            Verdict::Failed(why) => {
                failed += 1;
                println!("not ok {} {} {level}: {why}", suite.name, case.name);
            }
        }
    }
    println!(
        "{} {level}: {passed} of {} passed, {skipped} skipped, {with_gcc} that gcc fails, too",
        suite.name,
        passed + failed
    );
    Ok((failed, passed))
}

/// A verdict on each case, several at a time.
fn judge_all(tool: &Tool, cases: &[Case], jobs: usize) -> Result<Vec<Verdict>, String> {
    let dir = work_dir(&format!("suite-{}", std::process::id()))?;
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![None; cases.len()]);
    let worker = |job: usize| -> Result<(), String> {
        let own = dir.join(job.to_string());
        std::fs::create_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else { return Ok(()) };
            let verdict = tool.judge(case, &own)?;
            found.lock().map_err(|e| e.to_string())?[number] = Some(verdict);
        }
    };
    let worker = &worker;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|job| scope.spawn(move || worker(job))).collect();
        workers.into_iter().try_for_each(|w| w.join().map_err(|_| "a worker ended with a panic".to_string())?)
    })?;
    drop(std::fs::remove_dir_all(&dir));
    let verdicts = found.into_inner().map_err(|e| e.to_string())?;
    Ok(verdicts.into_iter().map(|v| v.unwrap_or(Verdict::Skipped(String::new()))).collect())
}
