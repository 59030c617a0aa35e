//! `cargo xtask bench`: whole-process comparison with the other compilers installed here, over the programs of `bench/`.
//!
//! Every figure is the least of several runs: noise only adds.

use crate::tools::{compiler, files_below, has, names, option, root, run as run_process, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const RUNS: usize = 5;
const LIMIT: Duration = Duration::from_secs(300);

/// A compiler at a level.
struct Contestant {
    label: String,
    program: PathBuf,
    level: &'static str,
}

/// The programs of `bench/` (filtered by name), or the compilation of one file only.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let contestants = contestants(&compiler()?);
    let dir = work_dir("bench")?;
    if let Some(file) = option(arguments, "--compile") {
        for c in &contestants {
            match compile(c, Path::new(&file), &dir.join("object.o"), true)? {
                Some(time) => println!("{:<16} {:>9.1} ms", c.label, time.as_secs_f64() * 1e3),
                None => println!("{:<16}    fails", c.label),
            }
        }
        return Ok(());
    }
    let wanted = names(arguments);
    for file in files_below(&root().join("bench"), "c") {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if wanted.is_empty() || wanted.contains(&name) {
            bench_program(&name, &file, &contestants, &dir.join("program"))?;
        }
    }
    Ok(())
}

fn contestants(own: &Path) -> Vec<Contestant> {
    let levels = ["-O0", "-O1", "-O2"];
    let mut list: Vec<Contestant> = Vec::new();
    for (name, program) in [("gcc", PathBuf::from("gcc")), ("tcc-rs", own.to_path_buf())] {
        if name != "gcc" || has("gcc") {
            list.extend(levels.map(|level| Contestant {
                label: format!("{name} {level}"),
                program: program.clone(),
                level,
            }));
        }
    }
    if has("tcc") {
        list.push(Contestant { label: "tcc".to_string(), program: "tcc".into(), level: "-O0" });
    }
    list
}

fn compile(c: &Contestant, file: &Path, output: &Path, object: bool) -> Result<Option<Duration>, String> {
    let mut best = None;
    for _ in 0..RUNS {
        let mut command = Command::new(&c.program);
        command.args([c.level, "-w"]).arg(file).arg("-o").arg(output);
        command.arg(if object { "-c" } else { "-lm" });
        let outcome = run_process(&mut command, LIMIT)?;
        if !outcome.ok() {
            return Ok(None);
        }
        best = Some(best.map_or(outcome.time, |b: Duration| b.min(outcome.time)));
    }
    Ok(best)
}

fn bench_program(name: &str, file: &Path, contestants: &[Contestant], program: &Path) -> Result<(), String> {
    println!("{name}");
    let mut reference: Option<Vec<u8>> = None;
    for c in contestants {
        let Some(compile_time) = compile(c, file, program, false)? else {
            println!("  {:<14} does not compile", c.label);
            continue;
        };
        let mut best: Option<Duration> = None;
        for _ in 0..RUNS {
            let outcome = run_process(&mut Command::new(program), LIMIT)?;
            let expected = reference.get_or_insert_with(|| outcome.stdout.clone());
            if *expected != outcome.stdout {
                return Err(format!("{name}: {} gives another output", c.label));
            }
            best = Some(best.map_or(outcome.time, |b| b.min(outcome.time)));
        }
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        println!("  {:<14} compile {:>8.1} ms   run {:>9.1} ms", c.label, ms(compile_time), best.map_or(0.0, ms));
    }
    Ok(())
}
