//! Random programs of csmith and yarpgen, and loops and changing types of our own
//! ([`super::loops`], [`super::types`]): each is compiled by this compiler at every level, and by
//! the references, gcc at `-O0` and `-O2` and clang where it is installed; all must print the same
//! and end with the same status. What the references say is kept ([`Answers`]), so that the same
//! programs can be compiled again by another state of the compiler in a fraction of the time.

use super::answers::{Answer, Answers};
use super::journal::{Journal, Verdict};
use crate::report::Report;
use crate::tools::{compiler, fnv1a, has, option, root, run as run_process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// Seconds: a program whose reference build runs longer is passed over.
const RUN_LIMIT: f64 = 5.0;
const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];
/// For types: levels without alias analysis by type have nothing to get wrong.
const TYPES_LEVELS: [&str; 4] = ["-O1", "-O2", "-O3", "-Os"];
const NEWER: &str = "-O3 -march=x86-64-v3";
/// For types the only reference: gcc 12 is wrong about some of the programs from `-O2` on.
const TYPES_REFERENCE: &str = "gcc -O0 -fno-strict-aliasing";

/// Programs used by both generators.
struct Setup {
    compiler: PathBuf,
    /// Compilers with their level.
    references: Vec<Vec<String>>,
    levels: Vec<String>,
    arguments: Vec<String>,
    /// Options of csmith that shape its programs.
    csmith: Vec<String>,
    /// Seconds a reference's program may run.
    run_limit: f64,
    dir: PathBuf,
}

/// What the workers share.
struct Shared {
    journal: Journal,
    answers: Answers,
    counts: [u32; 4],
    wrong: Vec<String>,
}

/// `--csmith N`, `--yarpgen N`, `--loops N` or `--types N` programs from `--seed` on (`--seed 0`:
/// those of the last run), at the `--level`s, against the `--references` (`gcc -O0,clang -O0`),
/// `--jobs` at a time. `--csmith-args` go to csmith (`--max-funcs 6` for smaller programs).
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let number = |name: &str| option(arguments, name).and_then(|v| v.parse::<u64>().ok());
    let yarpgen = number("--yarpgen").unwrap_or(0);
    let loops = number("--loops").unwrap_or(0);
    let types = number("--types").unwrap_or(0);
    let others = yarpgen + loops + types;
    let csmith = number("--csmith").or_else(|| number("--count")).unwrap_or(if others == 0 { 100 } else { 0 });
    if types > 0 && csmith + yarpgen + loops > 0 {
        return Err("--types has references of its own: it goes alone".to_string());
    }
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
    let header = Path::new(&csmith_include()).join("csmith.h");
    if csmith > 0 && !header.exists() {
        return Err(format!("{} is missing (Debian: apt install libcsmith-dev)", header.display()));
    }
    let setup = setup(arguments, types > 0)?;
    let seed = first_seed(&setup.dir, number("--seed"))?;
    let mut shape: String = setup.csmith.concat().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    // A seed is another program where the generator is another.
    let own: [(u64, &[u8]); 2] = [(loops, include_bytes!("loops.rs")), (types, include_bytes!("types.rs"))];
    for (_, generator) in own.iter().filter(|(count, _)| *count > 0) {
        shape += &format!("-{:016x}", fnv1a(generator));
    }
    let shared = Mutex::new(Shared {
        journal: Journal::open(&setup.dir.join(format!("journal-{seed}{shape}-{}", state(&setup.compiler)?)))?,
        answers: Answers::open(&setup.dir, &(setup.references.concat().join(" ") + &shape))?,
        counts: [0; 4],
        wrong: Vec::new(),
    });
    let jobs = number("--jobs").unwrap_or(1).max(1);
    for (generator, count) in [("csmith", csmith), ("yarpgen", yarpgen), ("loops", loops), ("types", types)] {
        if count > 0 {
            println!("{generator}: seeds {seed} to {}", seed + count - 1);
        }
        let seeds = Seeds { first: seed, count, taken: AtomicU64::new(0) };
        std::thread::scope(|scope| {
            let start = |job: u64| {
                let (setup, shared, seeds) = (&setup, &shared, &seeds);
                scope.spawn(move || worker(setup, generator, seeds, job, shared))
            };
            let workers: Vec<_> = (0..jobs).map(start).collect();
            workers.into_iter().try_for_each(|worker| {
                worker.join().map_err(|_| "a worker ended with a panic".to_string()).and_then(|done| done)
            })
        })?;
    }
    let shared = lock(&shared);
    println!("{}", summary(&shared.counts));
    let mut report = Report::default();
    report.less("programs that differ", shared.wrong.len() as f64);
    report.more("programs that agree", f64::from(shared.counts[Verdict::Same as usize]));
    let message = match (shared.wrong.is_empty(), shared.counts[Verdict::Same as usize]) {
        (false, _) => Some(format!("{}: see {}", shared.wrong.join(", "), setup.dir.display())),
        (true, 0) => Some("no program could be judged".to_string()),
        (true, _) => None,
    };
    Ok(report.with_error(message))
}

/// What tells one state of the compiler from another: what one has passed, the next has not.
fn state(compiler: &Path) -> Result<String, String> {
    let message = |e: std::io::Error| format!("{}: {e}", compiler.display());
    let metadata = std::fs::metadata(compiler).map_err(message)?;
    let modified = metadata.modified().map_err(message)?.duration_since(SystemTime::UNIX_EPOCH);
    Ok(format!("{}-{}", metadata.len(), modified.map_or(0, |time| time.as_secs())))
}

/// Seeds that are given out one by one.
struct Seeds {
    first: u64,
    count: u64,
    taken: AtomicU64,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes seeds as long as there are any.
fn worker(setup: &Setup, generator: &str, seeds: &Seeds, job: u64, shared: &Mutex<Shared>) -> Result<(), String> {
    let work = setup.dir.join(format!("job-{job}"));
    std::fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    loop {
        let index = seeds.taken.fetch_add(1, Ordering::Relaxed);
        if index >= seeds.count {
            return Ok(());
        }
        let seed = seeds.first + index;
        let known = lock(shared).journal.verdict(generator, seed);
        let verdict = match known {
            Some(verdict) => verdict,
            None => one(setup, &work, generator, seed, shared)?,
        };
        let mut shared = lock(shared);
        if known.is_none() {
            shared.journal.note(generator, seed, verdict)?;
        }
        shared.counts[verdict as usize] += 1;
        if verdict == Verdict::Wrong {
            shared.wrong.push(format!("{generator} {seed}"));
        }
        if shared.counts.iter().sum::<u32>().is_multiple_of(50) {
            println!("{} of {}: {}", index + 1, seeds.count, summary(&shared.counts));
        }
    }
}

fn summary(counts: &[u32; 4]) -> String {
    let [same, slow, unclear, wrong] = counts;
    format!("{same} agree, {slow} run too long, {unclear} where the references disagree, {wrong} differ")
}

fn setup(arguments: &[String], types: bool) -> Result<Setup, String> {
    let references = option(arguments, "--references").unwrap_or_else(|| {
        if types {
            return TYPES_REFERENCE.to_string();
        }
        let clang = ["clang", "clang-19"].into_iter().find(|c| has(c)).map(|clang| format!(",{clang} -O1"));
        format!("gcc -O0,gcc -O2{}", clang.unwrap_or_default())
    });
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let dir = target.join("xtask").join("fuzz");
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let levels = option(arguments, "--level").map(|l| l.split(',').map(str::to_string).collect());
    let words =
        |name: &str| option(arguments, name).unwrap_or_default().split_whitespace().map(str::to_string).collect();
    Ok(Setup {
        compiler: compiler()?,
        references: references.split(',').map(|r| r.split_whitespace().map(str::to_string).collect()).collect(),
        run_limit: option(arguments, "--run-limit").and_then(|v| v.parse().ok()).unwrap_or(RUN_LIMIT),
        levels: levels.unwrap_or_else(|| usual_levels(types)),
        arguments: words("--args"),
        csmith: words("--csmith-args"),
        dir,
    })
}

/// The levels of a run that names none.
fn usual_levels(types: bool) -> Vec<String> {
    let mut levels: Vec<String> = if types { TYPES_LEVELS } else { LEVELS }.map(str::to_string).to_vec();
    if types && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("fma")
    {
        levels.push(NEWER.to_string());
    }
    levels
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

/// How a program ended and what it printed; `None` for one that was stopped after `limit` seconds.
fn behaviour(program: &Path, limit: f64) -> Result<Option<(i32, Vec<u8>)>, String> {
    let outcome = run_process(&mut Command::new(program), Duration::from_secs_f64(limit))?;
    Ok(outcome.status.map(|status| (status, outcome.stdout)))
}

/// What the references say of a program.
fn answer(setup: &Setup, sources: &[PathBuf], program: &Path) -> Result<Answer, String> {
    let mut expected = None;
    for reference in &setup.references {
        let Some((compiler, flags)) = reference.split_first() else { return Err("an empty reference".to_string()) };
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        if !build(Path::new(compiler), &flags, sources, program)?.ok() {
            return Ok(Answer::Unclear);
        }
        let Some(result) = behaviour(program, setup.run_limit)? else { return Ok(Answer::Slow(setup.run_limit)) };
        if expected.get_or_insert_with(|| result.clone()) != &result {
            return Ok(Answer::Unclear);
        }
    }
    Ok(expected.map_or(Answer::Unclear, |(status, output)| Answer::Behaves(status, output)))
}

fn one(setup: &Setup, work: &Path, generator: &str, seed: u64, shared: &Mutex<Shared>) -> Result<Verdict, String> {
    let program = work.join("program");
    let known = lock(shared).answers.find(generator, seed, setup.run_limit);
    match known {
        Some(Answer::Slow(_)) => return Ok(Verdict::Slow),
        Some(Answer::Unclear) => return Ok(Verdict::Unclear),
        Some(Answer::Behaves(..)) | None => {}
    }
    let sources = generate(work, generator, &setup.csmith, seed)?;
    let answer = match known {
        Some(answer) => answer,
        None => {
            let answer = answer(setup, &sources, &program)?;
            lock(shared).answers.note(generator, seed, &answer)?;
            answer
        }
    };
    let expected = match answer {
        Answer::Slow(_) => return Ok(Verdict::Slow),
        Answer::Unclear => return Ok(Verdict::Unclear),
        Answer::Behaves(status, output) => Some((status, output)),
    };
    let mut complaints = Vec::new();
    for level in &setup.levels {
        // Wrong code in between need not show in what one program prints.
        let mut flags: Vec<&str> = level.split_whitespace().chain(["--verify"]).collect();
        flags.extend(setup.arguments.iter().map(String::as_str));
        let built = build(&setup.compiler, &flags, &sources, &program)?;
        if !built.ok() {
            let text = String::from_utf8_lossy(&built.stderr).into_owned();
            let line = text.lines().find(|l| l.contains("error")).unwrap_or("no message").to_string();
            complaints.push((level.clone(), format!("does not compile (status {:?}): {line}", built.status)));
            continue;
        }
        let behaves = behaviour(&program, setup.run_limit.max(1.0) * 10.0)?;
        if behaves != expected {
            let how = difference(expected.as_ref(), behaves.as_ref());
            complaints.push((level.clone(), format!("behaves differently: {how}")));
        }
    }
    for (level, complaint) in &complaints {
        println!("{generator} {seed}: {level} {complaint}");
    }
    let Some((level, _)) = complaints.first() else { return Ok(Verdict::Same) };
    keep(setup, generator, seed, level, &sources)?;
    Ok(Verdict::Wrong)
}

/// Where two behaviours part: the first line that differs, or how the programs ended.
fn difference(expected: Option<&(i32, Vec<u8>)>, behaves: Option<&(i32, Vec<u8>)>) -> String {
    let (Some((status, output)), Some((own_status, own))) = (expected, behaves) else {
        return "it does not end".to_string();
    };
    let (output, own) = (String::from_utf8_lossy(output), String::from_utf8_lossy(own));
    let (mut lines, mut own_lines) = (output.lines(), own.lines());
    loop {
        match (lines.next(), own_lines.next()) {
            (None, None) => return format!("status {own_status}, not {status}"),
            (line, own) if line == own => {}
            (line, own) => return format!("`{}`, not `{}`", own.unwrap_or("the end"), line.unwrap_or("the end")),
        }
    }
}

/// The files of one program, made in the working directory.
fn generate(work: &Path, generator: &str, csmith: &[String], seed: u64) -> Result<Vec<PathBuf>, String> {
    let own = match generator {
        "loops" => Some(super::loops::program(seed)),
        "types" => Some(super::types::program(seed)),
        _ => None,
    };
    if let Some(text) = own {
        let file = work.join("case.c");
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        return Ok(vec![file]);
    }
    let mut command = Command::new(generator);
    command.current_dir(work);
    let sources = if generator == "csmith" {
        command.args(["-s", &seed.to_string(), "-o", "case.c"]).args(csmith);
        vec![work.join("case.c")]
    } else {
        command.args([&format!("--seed={seed}"), "--std=c", "-o", "."]);
        vec![work.join("driver.c"), work.join("func.c")]
    };
    let made = command.output().map_err(|e| format!("{generator}: {e}"))?;
    if made.status.success() { Ok(sources) } else { Err(format!("{generator}: seed {seed}: {}", made.status)) }
}

/// The folder of csmith's headers.
fn csmith_include() -> String {
    std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_string())
}

fn build(tool: &Path, flags: &[&str], sources: &[PathBuf], program: &Path) -> Result<crate::tools::Outcome, String> {
    let include = csmith_include();
    let mut command = Command::new(tool);
    command.args(flags).args(["-w", "-I", &include]).args(sources).arg("-o").arg(program);
    run_process(&mut command, COMPILE_LIMIT)
}

/// Keeps the program of a finding, preprocessed into one file, beside a script that creduce can run
/// on it (but for types: a smaller program would seldom be valid).
fn keep(setup: &Setup, generator: &str, seed: u64, level: &str, sources: &[PathBuf]) -> Result<(), String> {
    let folder = setup.dir.join(format!("{generator}-{seed}"));
    let message = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(message)?;
    for source in sources {
        std::fs::copy(source, folder.join(source.file_name().unwrap_or_default())).map_err(message)?;
    }
    if generator == "types" {
        println!("  kept: {}", folder.display());
        return Ok(());
    }
    let mut text = Vec::new();
    for source in sources {
        let include = csmith_include();
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

/// Interesting is a program that gcc accepts without the warnings that undefined behaviour gives,
/// whose builds with and without optimisation and sanitizers agree, and that this compiler gets
/// wrong.
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
