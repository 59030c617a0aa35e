//! `cargo xtask abi`: random function signatures, called across object files of gcc (or clang, for
//! the sake of `_BitInt`: `--with clang-19`) and of this compiler in all four combinations at `-O0`
//! and `-O2`. Every member of every argument and result is checked on the other side, and the
//! caller's own copies afterwards.

mod signatures;
pub(crate) mod types;

use crate::report::Report;
use crate::tools::{compiler, has, option, run as run_process, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

const LIMIT: Duration = Duration::from_secs(60);
const LEVELS: [&str; 2] = ["-O0", "-O2"];
/// Caller, callee: whether it is ours.
const PAIRS: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

/// `--count` programs from `--seed` on, of `--functions` functions each. Programs that differ stay
/// in the work directory.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let other = option(arguments, "--with").unwrap_or_else(|| "gcc".to_string());
    let other = other.as_str();
    if !has(other) {
        return Err(format!("{other} is not installed"));
    }
    let number = |name: &str| option(arguments, name).and_then(|v| v.parse::<u64>().ok());
    let count = number("--count").unwrap_or(100);
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let seed = number("--seed").unwrap_or(clock);
    let functions = number("--functions").unwrap_or(12) as usize;
    let ours = compiler()?;
    let dir = work_dir("abi")?;
    println!("seeds {seed} to {}", seed + count - 1);
    let mut wrong = Vec::new();
    for seed in seed..seed + count {
        let case = dir.join(seed.to_string());
        std::fs::create_dir_all(&case).map_err(|e| e.to_string())?;
        let program = signatures::generate(seed, functions, other.contains("clang"));
        for (name, text) in [("types.h", &program.types), ("caller.c", &program.caller), ("callee.c", &program.callee)]
        {
            std::fs::write(case.join(name), text).map_err(|e| e.to_string())?;
        }
        let findings = one(&ours, other, &case)?;
        if findings.is_empty() {
            drop(std::fs::remove_dir_all(&case));
            continue;
        }
        println!("seed {seed}, kept in {}:", case.display());
        findings.iter().for_each(|f| println!("  {f}"));
        wrong.push(seed);
    }
    println!("{} of {count} programs agree", count as usize - wrong.len());
    let mut report = Report::default();
    report.less("programs that differ", wrong.len() as f64);
    report.more("programs", count as f64);
    Ok(report.with_error((!wrong.is_empty()).then(|| format!("seeds {wrong:?}"))))
}

/// What is wrong with the program in a directory.
fn one(ours: &Path, other: &str, dir: &Path) -> Result<Vec<String>, String> {
    let mut findings = Vec::new();
    for level in LEVELS {
        for (name, tool) in [(other, Path::new(other)), ("tcc-rs", ours)] {
            for side in ["caller", "callee"] {
                let mut command = Command::new(tool);
                command.args([level, "-w", "-c"]).arg(dir.join(side).with_extension("c"));
                command.arg("-o").arg(object(dir, side, name));
                let built = run_process(&mut command, LIMIT)?;
                if !built.ok() {
                    let text = String::from_utf8_lossy(&built.stderr).into_owned();
                    let line = text.lines().find(|l| l.contains("error")).unwrap_or("no message");
                    findings.push(format!("{name} {level} does not compile the {side}: {line}"));
                    return Ok(findings);
                }
            }
        }
        for (caller, callee) in PAIRS {
            let [caller, callee] = [caller, callee].map(|is_ours| if is_ours { "tcc-rs" } else { other });
            let program = dir.join("program");
            let mut link = Command::new(other);
            link.arg(object(dir, "caller", caller)).arg(object(dir, "callee", callee)).arg("-o").arg(&program);
            if !run_process(&mut link, LIMIT)?.ok() {
                return Err(format!("{}: {other} does not link", dir.display()));
            }
            let outcome = run_process(&mut Command::new(&program), LIMIT)?;
            if !outcome.ok() && (caller, callee) == (other, other) {
                println!("{}: {other} disagrees with itself at {level}; passed over", dir.display());
                return Ok(Vec::new());
            }
            if !outcome.ok() {
                let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
                let lines: Vec<&str> = text.lines().take(3).collect();
                findings.push(format!(
                    "{caller} calls {callee} {level} (status {:?}): {}",
                    outcome.status,
                    lines.join("; ")
                ));
            }
        }
    }
    Ok(findings)
}

fn object(dir: &Path, side: &str, tool: &str) -> PathBuf {
    dir.join(format!("{side}-{tool}.o"))
}
