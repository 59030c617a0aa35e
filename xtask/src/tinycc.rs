//! `cargo xtask tinycc`: TinyCC's own programs that embed libtcc, with our library in its place,
//! and how long starting takes beside TinyCC, which is built from the same sources.

use crate::report::Report;
use crate::tools::{cargo, compiler, cpu_time_of_children, option, root, run, work_dir};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// For one program.
const LIMIT: Duration = Duration::from_secs(300);
/// What the sources are compiled with outside of their own build system.
const DEFINES: [&str; 3] = ["-DONE_SOURCE=1", "-DTCC_TARGET_X86_64", "-DCONFIG_TRIPLET=\"x86_64-linux-gnu\""];
const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

struct Place {
    /// TinyCC's sources.
    sources: PathBuf,
    /// The folder that is worked in: what TinyCC has when it is installed, too.
    work: PathBuf,
    /// Our library.
    library: PathBuf,
}

/// `--path TINYCC` (or `TINYCC`), `--runs N`; `TCC_RS_LIBRARY` names the library to test.
pub fn tests(arguments: &[String]) -> Result<Report, String> {
    let sources = option(arguments, "--path").map(PathBuf::from).or(std::env::var_os("TINYCC").map(PathBuf::from));
    let sources = sources.ok_or("--path or TINYCC must be the folder of TinyCC's sources")?;
    let runs: u32 = option(arguments, "--runs").map_or(Ok(40), |n| n.parse().map_err(|_| "--runs takes a number"))?;
    let place = Place { sources, work: work_dir("tinycc")?, library: library()? };
    place.install()?;
    let mut report = Report::default();
    let mut wrong = Vec::new();
    for (name, check) in [("libtcc_test", plain as fn(&str) -> bool), ("libtcc_test_mt", threads)] {
        let output = place.embedded(name)?;
        let passed = check(&output);
        println!("{name:<16}{}", if passed { "passed" } else { "FAILED" });
        if !passed {
            println!("{output}");
            wrong.push(name);
        }
    }
    report.less("programs that embed libtcc and fail", wrong.len() as f64);
    place.start_of_library(runs, &mut report)?;
    place.start_of_run(runs, &mut report)?;
    Ok(report.with_error((!wrong.is_empty()).then(|| format!("fails: {}", wrong.join(", ")))))
}

/// `libtccrs.so` of the profile for programs that have the compiler inside.
fn library() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("TCC_RS_LIBRARY") {
        return Ok(PathBuf::from(path));
    }
    cargo(&["build", "--profile", "inside", "-p", "tcc-rs-capi"], &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("inside/libtccrs.so"))
}

impl Place {
    /// The folder looks like that of an installed TinyCC: headers and an (empty) library.
    fn install(&self) -> Result<(), String> {
        let message = |e: std::io::Error| format!("{}: {e}", self.work.display());
        let include = self.work.join("include");
        drop(fs::remove_file(&include));
        std::os::unix::fs::symlink(self.sources.join("include"), &include).map_err(message)?;
        fs::write(self.work.join("config.h"), "#define TCC_VERSION \"0.9.27\"\n").map_err(message)?;
        fs::write(self.work.join("libtcc1.a"), "!<arch>\n").map_err(message)?;
        fs::write(self.work.join("hello.c"), HELLO).map_err(message)?;
        fs::write(self.work.join("start.c"), include_str!("tinycc/start.c")).map_err(message)
    }

    fn gcc(&self, output: &str, arguments: &[String]) -> Result<PathBuf, String> {
        let output = self.work.join(output);
        call(Command::new("gcc").args(["-O2", "-w", "-o"]).arg(&output).args(arguments)).map(|_| output)
    }

    /// Arguments that link a program with our library.
    fn ours(&self) -> Vec<String> {
        let folder = self.library.parent().unwrap_or(Path::new(".")).display().to_string();
        let include = root().join("crates/capi/include");
        let include = format!("-I{}", include.display());
        vec![include, format!("-L{folder}"), "-ltccrs".into(), format!("-Wl,-rpath,{folder}"), "-pthread".into()]
    }

    /// Arguments that compile TinyCC itself.
    fn of_tinycc(&self) -> Vec<String> {
        let folders = [&self.work, &self.sources, &self.sources.join("include")].map(|f| format!("-I{}", f.display()));
        folders.into_iter().chain(DEFINES.map(String::from)).collect()
    }

    /// What one of TinyCC's test programs prints with our library.
    fn embedded(&self, name: &str) -> Result<String, String> {
        let source = self.sources.join("tests").join(name).with_extension("c");
        let mut arguments = vec![source.display().to_string()];
        arguments.extend(self.ours());
        let program = self.gcc(name, &arguments)?;
        let mut command = Command::new(program);
        command.arg(self.sources.join("tcc.c")).arg(format!("-B{}", self.work.display())).args(self.of_tinycc());
        let outcome = run(&mut command, LIMIT)?;
        let status = outcome.status.map_or("too long".to_string(), |status| format!("status {status}"));
        let text = [outcome.stdout, outcome.stderr].concat();
        Ok(format!("{}{status}\n", String::from_utf8_lossy(&text)))
    }

    /// From `tcc_new` to a function that was called.
    fn start_of_library(&self, runs: u32, report: &mut Report) -> Result<(), String> {
        let source = self.work.join("start.c").display().to_string();
        let mut with_ours = vec![source.clone()];
        with_ours.extend(self.ours());
        let ours = self.gcc("start-ours", &with_ours)?;
        let mut with_theirs = vec![source, self.sources.join("libtcc.c").display().to_string()];
        with_theirs.extend(self.of_tinycc());
        with_theirs.push("-ldl".into());
        let theirs = self.gcc("start-theirs", &with_theirs)?;
        let time = |program: &Path, options: &str| -> Result<f64, String> {
            let runs = (runs * 10).to_string();
            let output = call(Command::new(program).arg(runs).arg(&self.work).arg(options))?;
            String::from_utf8_lossy(&output).trim().parse().map_err(|_| format!("{}: no time", program.display()))
        };
        let tinycc = time(&theirs, "")?;
        println!("from tcc_new to a function of ten lines, microseconds: libtcc {tinycc:.0}");
        for level in ["-O0", "-O2"] {
            let own = time(&ours, level)?;
            println!("    ours {level} {own:.0}, {:.2} times", own / tinycc);
            report.less(format!("library start {level} beside libtcc's"), own / tinycc);
        }
        Ok(())
    }

    /// CPU time of `run` of a small program beside `tcc -run`: cold, when the source is new each
    /// time, and from the cache.
    fn start_of_run(&self, runs: u32, report: &mut Report) -> Result<(), String> {
        let mut arguments = vec![self.sources.join("tcc.c").display().to_string(), "-ldl".into()];
        arguments.extend(self.of_tinycc());
        let tcc = self.gcc("tcc", &arguments)?;
        let compiler = compiler()?;
        let hello = self.work.join("hello.c");
        let best = |command: &mut Command, is_new: bool| -> Result<f64, String> {
            let mut best = f64::MAX;
            for turn in 0..runs {
                if is_new {
                    fs::write(&hello, format!("{HELLO}// {turn}\n")).map_err(|e| e.to_string())?;
                }
                let before = cpu_time_of_children();
                call(command)?;
                let after = cpu_time_of_children();
                let used = (after.user + after.system).saturating_sub(before.user + before.system);
                best = best.min(used.as_secs_f64() * 1e3);
            }
            Ok(best)
        };
        let theirs = best(Command::new(tcc).arg(format!("-B{}", self.work.display())).arg("-run").arg(&hello), true)?;
        let mut ours = Command::new(&compiler);
        ours.arg("run").arg(&hello).env("XDG_CACHE_HOME", self.work.join("cache"));
        let cold = best(&mut ours, true)?;
        let warm = best(&mut ours, false)?;
        println!("hello by run, milliseconds of CPU time: tcc {theirs:.2}, ours cold {cold:.2}, warm {warm:.2}");
        report.less("run cold beside tcc -run", cold / theirs);
        report.less("run warm, ms", warm);
        Ok(())
    }
}

/// Standard output of a command that must succeed.
fn call(command: &mut Command) -> Result<Vec<u8>, String> {
    let outcome = run(command, LIMIT)?;
    match outcome.ok() {
        true => Ok(outcome.stdout),
        false => Err(format!("{command:?} fails\n{}", String::from_utf8_lossy(&outcome.stderr))),
    }
}

fn plain(output: &str) -> bool {
    output == "Hello World!\nfib(32) = 2178309\nadd(32, 64) = 96\nstatus 0\n"
}

/// Twenty numbers in each of three parts, in any order where threads print them.
fn threads(output: &str) -> bool {
    let mut expected: Vec<u64> = vec![1, 2];
    while expected.len() < 20 {
        expected.push(expected[expected.len() - 1] + expected[expected.len() - 2]);
    }
    let parts = ["running fib with mixed calls\n", "running fib in threads\n", "running tcc.c in threads to run fib\n"];
    let is_right = |title: &str| {
        let Some((_, rest)) = output.split_once(title) else { return false };
        let words = rest.lines().next().unwrap_or_default().split_whitespace();
        let mut numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
        numbers.sort_unstable();
        numbers == expected
    };
    parts.iter().all(|title| is_right(title)) && output.ends_with("status 0\n")
}

#[cfg(test)]
mod tests {
    use super::{plain, threads};

    #[test]
    fn outputs_are_told_apart() {
        let numbers = "1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946";
        let other = "1 3 2 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 10946 6765";
        let text = format!(
            "running fib with mixed calls\n {numbers}\nrunning fib in threads\n {other}\n\
             running tcc.c in threads to run fib\n {other}\ncompiling\nstatus 0\n"
        );
        assert!(threads(&text));
        assert!(!threads(&text.replace("status 0", "status 1")));
        assert!(!threads(&text.replacen("10946", "", 1)));
        assert!(plain("Hello World!\nfib(32) = 2178309\nadd(32, 64) = 96\nstatus 0\n"));
        assert!(!plain("Hello World!\nstatus 0\n"));
    }
}
