//! `cargo xtask fuzz`: random programs of csmith, compiled by gcc and by this compiler at every level; checksums must agree.

use crate::tools::{compiler, has, option, run as run_process, work_dir};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A program gcc's build of which runs longer than this is passed over.
const RUN_LIMIT: Duration = Duration::from_secs(10);
const COMPILE_LIMIT: Duration = Duration::from_secs(60);

/// `--count` programs from `--seed` on; the seed is printed so that a finding can be repeated.
pub fn run(arguments: &[String]) -> Result<(), String> {
    for (program, package) in [("csmith", "csmith libcsmith-dev"), ("gcc", "gcc")] {
        if !has(program) {
            return Err(format!("{program} is not installed (Debian: apt install {package})"));
        }
    }
    let number = |name: &str| option(arguments, name).and_then(|v| v.parse::<u64>().ok());
    let count = number("--count").unwrap_or(100);
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let seed = number("--seed").unwrap_or(clock);
    let compiler = compiler()?;
    let dir = work_dir("fuzz")?;
    println!("seeds {seed} to {}", seed + count - 1);
    let (mut compared, mut slow, mut wrong) = (0, 0, Vec::new());
    for seed in seed..seed + count {
        match one(&compiler, &dir, seed)? {
            Verdict::Same => compared += 1,
            Verdict::Slow => slow += 1,
            Verdict::Wrong(why) => {
                println!("seed {seed}: {why}");
                wrong.push(seed);
            }
        }
    }
    println!("{compared} agree, {slow} ran too long with gcc, {} differ", wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err(format!("seeds {wrong:?}")) }
}

enum Verdict {
    Same,
    Slow,
    Wrong(String),
}

fn one(compiler: &Path, dir: &Path, seed: u64) -> Result<Verdict, String> {
    let (source, program) = (dir.join("case.c"), dir.join("program"));
    let made = Command::new("csmith").args(["-s", &seed.to_string(), "-o"]).arg(&source).current_dir(dir).output();
    made.map_err(|e| format!("csmith: {e}"))?;
    let include = std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_string());
    let build = |tool: &Path, level: &str| {
        let mut command = Command::new(tool);
        command.args([level, "-w", "-I", &include]).arg(&source).arg("-o").arg(&program);
        run_process(&mut command, COMPILE_LIMIT)
    };
    if !build(Path::new("gcc"), "-O1")?.ok() {
        return Err(format!("gcc does not compile seed {seed}; is libcsmith-dev installed?"));
    }
    let reference = run_process(&mut Command::new(&program), RUN_LIMIT)?;
    if reference.status.is_none() {
        return Ok(Verdict::Slow);
    }
    for level in ["-O0", "-O1", "-O2"] {
        let built = build(compiler, level)?;
        if !built.ok() {
            let text = String::from_utf8_lossy(&built.stderr).into_owned();
            let line = text.lines().find(|l| l.contains("error")).unwrap_or("no message").to_string();
            return Ok(Verdict::Wrong(format!("{level} does not compile: {line}")));
        }
        let outcome = run_process(&mut Command::new(&program), RUN_LIMIT * 10)?;
        if outcome.stdout != reference.stdout || outcome.status != reference.status {
            return Ok(Verdict::Wrong(format!("{level} behaves differently (status {:?})", outcome.status)));
        }
    }
    Ok(Verdict::Same)
}
