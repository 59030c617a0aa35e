//! Random programs of csmith and yarpgen, and loops of our own ([`super::loops`]): each is compiled by this compiler at every level, by gcc at `-O0` and `-O2` and by clang where
//! it is installed; all must print the same and end with the same status.

use super::journal::{Journal, Verdict};
use crate::tools::{compiler, has, option, root, run as run_process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A program whose reference build runs longer than this is passed over.
const RUN_LIMIT: Duration = Duration::from_secs(5);
const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// Programs used by both generators.
struct Setup {
    compiler: PathBuf,
    references: Vec<(&'static str, &'static str)>,
    levels: Vec<String>,
    arguments: Vec<String>,
    dir: PathBuf,
}

/// `--csmith N`, `--yarpgen N` and `--loops N` programs from `--seed` on, at the `--level`s. `--resume` goes on with the seeds of the last run.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let number = |name: &str| option(arguments, name).and_then(|v| v.parse::<u64>().ok());
    let yarpgen = number("--yarpgen").unwrap_or(0);
    let loops = number("--loops").unwrap_or(0);
    let csmith = number("--csmith").or_else(|| number("--count")).unwrap_or(if yarpgen + loops == 0 { 100 } else { 0 });
    let tools = [("gcc", "gcc", true), ("csmith", "csmith libcsmith-dev", csmith > 0), ("yarpgen", "", yarpgen > 0)];
    for (program, package, wanted) in tools {
        if wanted && !has(program) {
            let how = if package.is_empty() {
                "build it from its sources"
            } else {
                &format!("Debian: apt install {package}")
            };
            return Err(format!("{program} is not installed ({how})"));
        }
    }
    let setup = setup(arguments)?;
    let seed = first_seed(&setup.dir, number("--seed"))?;
    let mut journal = Journal::open(&setup.dir.join(format!("journal-{seed}")))?;
    let mut counts = [0u32; 4];
    let mut wrong = Vec::new();
    for (generator, count) in [("csmith", csmith), ("yarpgen", yarpgen), ("loops", loops)] {
        if count > 0 {
            println!("{generator}: seeds {seed} to {}", seed + count - 1);
        }
        for (index, seed) in (seed..seed + count).enumerate() {
            let verdict = match journal.verdict(generator, seed) {
                Some(verdict) => verdict,
                None => {
                    let verdict = one(&setup, generator, seed)?;
                    journal.note(generator, seed, verdict)?;
                    verdict
                }
            };
            counts[verdict as usize] += 1;
            if verdict == Verdict::Wrong {
                wrong.push(format!("{generator} {seed}"));
            }
            if (index + 1) % 50 == 0 {
                println!("{} of {count}: {}", index + 1, summary(&counts));
            }
        }
    }
    println!("{}", summary(&counts));
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: see {}", wrong.join(", "), setup.dir.display())) }
}

fn summary(counts: &[u32; 4]) -> String {
    let [same, slow, unclear, wrong] = counts;
    format!("{same} agree, {slow} run too long, {unclear} where the references disagree, {wrong} differ")
}

fn setup(arguments: &[String]) -> Result<Setup, String> {
    let mut references = vec![("gcc", "-O0"), ("gcc", "-O2")];
    references.extend(["clang", "clang-19"].into_iter().find(|c| has(c)).map(|clang| (clang, "-O1")));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let dir = target.join("xtask").join("fuzz");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let levels = option(arguments, "--level").map(|l| l.split(',').map(str::to_string).collect());
    Ok(Setup {
        compiler: compiler()?,
        references,
        levels: levels.unwrap_or_else(|| LEVELS.map(str::to_string).to_vec()),
        arguments: option(arguments, "--args").unwrap_or_default().split_whitespace().map(str::to_string).collect(),
        dir,
    })
}

/// The seed asked for, or that of the last run for `--seed 0`, or a fresh one from the clock.
fn first_seed(dir: &Path, asked: Option<u64>) -> Result<u64, String> {
    let last = dir.join("last-seed");
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let seed = match asked {
        Some(0) => {
            let text = std::fs::read_to_string(&last).map_err(|e| format!("{}: {e}", last.display()))?;
            text.trim().parse().map_err(|_| format!("{}: not a number", last.display()))?
        }
        Some(seed) => seed,
        None => clock(),
    };
    std::fs::write(&last, seed.to_string()).map_err(|e| format!("{}: {e}", last.display()))?;
    Ok(seed)
}

/// How a program ended and what it printed; `None` for one that was stopped.
type Behaviour = Option<(i32, Vec<u8>)>;

fn behaviour(program: &Path, limit: Duration) -> Result<Behaviour, String> {
    let outcome = run_process(&mut Command::new(program), limit)?;
    Ok(outcome.status.map(|status| (status, outcome.stdout)))
}

fn one(setup: &Setup, generator: &str, seed: u64) -> Result<Verdict, String> {
    let program = setup.dir.join("program");
    let sources = generate(setup, generator, seed)?;
    let mut expected: Option<(i32, Vec<u8>)> = None;
    for &(reference, level) in &setup.references {
        if !build(Path::new(reference), &[level], &sources, &program)?.ok() {
            return Ok(Verdict::Unclear);
        }
        let Some(result) = behaviour(&program, RUN_LIMIT)? else { return Ok(Verdict::Slow) };
        if expected.get_or_insert_with(|| result.clone()) != &result {
            return Ok(Verdict::Unclear);
        }
    }
    let mut complaints = Vec::new();
    for level in &setup.levels {
        let mut flags = vec![level.as_str()];
        flags.extend(setup.arguments.iter().map(String::as_str));
        let built = build(&setup.compiler, &flags, &sources, &program)?;
        if !built.ok() {
            let text = String::from_utf8_lossy(&built.stderr).into_owned();
            let line = text.lines().find(|l| l.contains("error")).unwrap_or("no message").to_string();
            complaints.push((level.clone(), format!("does not compile (status {:?}): {line}", built.status)));
        } else if behaviour(&program, RUN_LIMIT * 10)? != expected {
            complaints.push((level.clone(), "behaves differently".to_string()));
        }
    }
    for (level, complaint) in &complaints {
        println!("{generator} {seed}: {level} {complaint}");
    }
    let Some((level, _)) = complaints.first() else { return Ok(Verdict::Same) };
    keep(setup, generator, seed, level, &sources)?;
    Ok(Verdict::Wrong)
}

/// The files of one program, made in the working directory.
fn generate(setup: &Setup, generator: &str, seed: u64) -> Result<Vec<PathBuf>, String> {
    if generator == "loops" {
        let file = setup.dir.join("case.c");
        std::fs::write(&file, super::loops::program(seed)).map_err(|e| format!("{}: {e}", file.display()))?;
        return Ok(vec![file]);
    }
    let mut command = Command::new(generator);
    command.current_dir(&setup.dir);
    let sources = if generator == "csmith" {
        command.args(["-s", &seed.to_string(), "-o", "case.c"]);
        vec![setup.dir.join("case.c")]
    } else {
        command.args([&format!("--seed={seed}"), "--std=c", "-o", "."]);
        vec![setup.dir.join("driver.c"), setup.dir.join("func.c")]
    };
    let made = command.output().map_err(|e| format!("{generator}: {e}"))?;
    if made.status.success() { Ok(sources) } else { Err(format!("{generator}: seed {seed}: {}", made.status)) }
}

fn build(tool: &Path, flags: &[&str], sources: &[PathBuf], program: &Path) -> Result<crate::tools::Outcome, String> {
    let include = std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_string());
    let mut command = Command::new(tool);
    command.args(flags).args(["-w", "-I", &include]).args(sources).arg("-o").arg(program);
    run_process(&mut command, COMPILE_LIMIT)
}

/// Keeps the program of a finding, preprocessed into one file, beside a script that creduce can run on it.
fn keep(setup: &Setup, generator: &str, seed: u64, level: &str, sources: &[PathBuf]) -> Result<(), String> {
    let folder = setup.dir.join(format!("{generator}-{seed}"));
    let message = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(message)?;
    let mut text = Vec::new();
    for source in sources {
        std::fs::copy(source, folder.join(source.file_name().unwrap_or_default())).map_err(message)?;
        let include = std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_string());
        let mut command = Command::new("gcc");
        text.extend(run_process(command.args(["-E", "-P", "-w", "-I", &include]).arg(source), COMPILE_LIMIT)?.stdout);
    }
    std::fs::write(folder.join("reduce.c"), text).map_err(message)?;
    let script = folder.join("interesting.sh");
    std::fs::write(&script, interestingness(&setup.compiler, level, &setup.arguments)).map_err(message)?;
    let mut mode = std::fs::metadata(&script).map_err(message)?.permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&script, mode).map_err(message)?;
    println!("  kept: cd {} && creduce ./interesting.sh reduce.c", folder.display());
    Ok(())
}

/// Interesting is a program that gcc accepts without the warnings that undefined behaviour gives, whose builds with and without
/// optimisation and sanitizers agree, and that this compiler gets wrong.
fn interestingness(compiler: &Path, level: &str, arguments: &[String]) -> String {
    let own = format!("{} {level} {}", compiler.display(), arguments.join(" "));
    format!(
        "#!/bin/sh\n\
         gcc -Wall -Wextra -O1 -c reduce.c -o /dev/null 2>warnings || exit 1\n\
         grep -Eq 'uninitialized|overflow|shift count|no return|control reaches|implicit declaration|out of bounds|without a cast' \
         warnings && exit 1\n\
         gcc -w -O0 -fsanitize=undefined,address -fno-sanitize-recover=all reduce.c -o checked && \
         timeout 10 ./checked >expected 2>/dev/null || exit 1\n\
         gcc -w -O2 reduce.c -o reference && timeout 10 ./reference >output || exit 1\n\
         cmp -s expected output || exit 1\n\
         {own} -w reduce.c -o own 2>/dev/null || exit 0\n\
         timeout 20 ./own >output; [ $? -ne 0 ] && exit 0\n\
         ! cmp -s expected output\n"
    )
}
