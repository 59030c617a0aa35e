//! Builds a mutant in a copy of the sources and tries it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Mutant;
use crate::tools::{files_below, root, run as run_process, sampled};

/// What became of a mutant.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// It is no Rust program.
    NotBuilt,
    /// A test of its crate failed, or of the middle end.
    Tests,
    /// A program of `tests/run` did something else.
    Programs,
    /// A script of `tests/driver` failed.
    Scripts,
    /// The native fuzzer found a difference.
    Fuzzer,
    /// Nothing found it.
    Survived,
}

impl Fate {
    /// As it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Fate::NotBuilt => "not built",
            Fate::Tests => "caught by tests",
            Fate::Programs => "caught by programs",
            Fate::Scripts => "caught by scripts",
            Fate::Fuzzer => "caught by the fuzzer",
            Fate::Survived => "survived",
        }
    }
}

/// Levels at which programs are tried.
const LEVELS: [&str; 3] = ["-O1", "-O2", "-O3"];

/// For the first build, and for that or the tests of a mutant.
const FIRST: Duration = Duration::from_secs(3600);
const LIMIT: Duration = Duration::from_secs(300);

/// For one program, compiled or run; a mutant may not end.
const SHORT: Duration = Duration::from_secs(20);

/// A program with what it prints and how it ends.
struct Program {
    file: PathBuf,
    flags: Vec<String>,
    arguments: Vec<String>,
    status: i32,
    output: Vec<u8>,
}

/// Where mutants are built.
pub struct Place {
    tree: PathBuf,
    target: PathBuf,
    minutes: u64,
    programs: Vec<Program>,
}

impl Place {
    /// A copy of the sources, built and tried without a change.
    pub fn new(minutes: u64, sample: usize) -> Result<Place, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let folder = target.join("mutants");
        let sample = ["--sample".to_string(), sample.to_string()];
        let programs = sampled(files_below(&root().join("tests/run"), "c"), &sample);
        let mut programs: Vec<Program> = programs.iter().filter_map(|file| program(file)).collect();
        let place = Place { tree: folder.join("tree"), target: folder.join("target"), minutes, programs: Vec::new() };
        place.copy()?;
        if !place.build(&["--no-run"], "tcc-rs-middle", FIRST)? || !place.build_programs(FIRST)? {
            return Err("the sources cannot be built".to_string());
        }
        let compiler = place.target.join("quick/tcc-rs");
        let compiler = &compiler;
        programs.retain(|program| LEVELS.iter().all(|level| place.passes(compiler, program, level)));
        println!("{} programs", programs.len());
        Ok(Place { programs, ..place })
    }

    /// Brings the copy to the state of the sources; what is equal keeps its time.
    fn copy(&self) -> Result<(), String> {
        let mut listed = Command::new("git");
        listed.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output = listed.current_dir(root()).output().map_err(|e| format!("git: {e}"))?;
        for name in String::from_utf8_lossy(&output.stdout).split('\0').filter(|name| !name.is_empty()) {
            let (from, to) = (root().join(name), self.tree.join(name));
            let Ok(new) = fs::read(&from) else { continue };
            if fs::read(&to).is_ok_and(|old| old == new) {
                continue;
            }
            let failed = |e: std::io::Error| format!("{}: {e}", to.display());
            fs::create_dir_all(to.parent().expect("below the tree")).map_err(failed)?;
            fs::write(&to, new).map_err(failed)?;
        }
        Ok(())
    }

    fn cargo(&self, arguments: &[&str], limit: Duration) -> Result<bool, String> {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        // What cargo says to the one that runs this task is not for the copy.
        command.env_remove("CARGO_MANIFEST_DIR");
        command.env("RUSTFLAGS", "--cap-lints=allow");
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        Ok(run_process(&mut command, limit)?.ok())
    }

    /// Builds the tests of a crate, or builds and runs them.
    fn build(&self, how: &[&str], package: &str, limit: Duration) -> Result<bool, String> {
        let mut arguments = vec!["test", "--quiet", "--profile", "quick", "-p", package];
        arguments.extend(how);
        self.cargo(&arguments, limit)
    }

    fn build_programs(&self, limit: Duration) -> Result<bool, String> {
        self.cargo(&["build", "--quiet", "--profile", "quick", "-p", "tcc-rs", "-p", "tcc-rs-fuzzer"], limit)
    }

    /// Builds a mutant, tries it, and takes it back.
    pub fn try_mutant(&self, mutant: &Mutant) -> Result<Fate, String> {
        let file = self.tree.join(&mutant.path);
        let failed = |e: std::io::Error| format!("{}: {e}", file.display());
        let text = fs::read_to_string(&file).map_err(failed)?;
        fs::write(&file, mutant.site.apply(&text)).map_err(failed)?;
        let fate = self.fate(mutant);
        fs::write(&file, text).map_err(failed)?;
        fate
    }

    fn fate(&self, mutant: &Mutant) -> Result<Fate, String> {
        let name = mutant.path.strip_prefix("crates/").and_then(|path| path.split('/').next()).unwrap_or_default();
        let package = format!("tcc-rs-{name}");
        if !self.build(&["--no-run"], &package, LIMIT)? {
            return Ok(Fate::NotBuilt);
        }
        if !self.build(&[], &package, LIMIT)? {
            return Ok(Fate::Tests);
        }
        if name == "ir" && !self.build(&[], "tcc-rs-middle", LIMIT)? {
            return Ok(Fate::Tests);
        }
        if !self.build_programs(LIMIT)? {
            return Err(format!("{} is built, but the compiler is not", mutant.name));
        }
        let compiler = self.target.join("quick/tcc-rs");
        let passes = |program: &Program| LEVELS.iter().all(|level| self.passes(&compiler, program, level));
        if !self.programs.iter().all(passes) {
            return Ok(Fate::Programs);
        }
        let suite = ["test", "--quiet", "--profile", "quick", "-p", "tcc-rs", "--test", "suite", "--", "driver::"];
        if !self.cargo(&suite, LIMIT)? {
            return Ok(Fate::Scripts);
        }
        Ok(if self.minutes == 0 || self.fuzzer_is_content()? { Fate::Survived } else { Fate::Fuzzer })
    }

    fn passes(&self, compiler: &Path, program: &Program, level: &str) -> bool {
        let out = self.target.join("mutant.out");
        let mut command = Command::new(compiler);
        command.args([level, "-w", "-o"]).arg(&out).args(&program.flags).arg(&program.file).args(["-lm", "-pthread"]);
        if !run_process(&mut command, SHORT).is_ok_and(|done| done.ok()) {
            return false;
        }
        let done = run_process(Command::new(&out).args(&program.arguments), SHORT);
        done.is_ok_and(|done| done.status == Some(program.status) && done.stdout == program.output)
    }

    fn fuzzer_is_content(&self) -> Result<bool, String> {
        let mut command = Command::new(self.target.join("quick/tcc-rs-fuzzer"));
        let folder = self.target.join("fuzz-native");
        drop(fs::remove_dir_all(&folder));
        command.args(["--jobs", "1", "--findings", "1", "--seed", "1", "--minutes", &self.minutes.to_string()]);
        command.arg("--folder").arg(&folder);
        let done = run_process(&mut command, Duration::from_secs(self.minutes * 120 + 60))?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        Ok(done.status.is_some() && text.lines().last().is_some_and(|line| line.contains("; 0 findings in ")))
    }
}

/// A program of the suite, read as the suite does; none if it needs more than that.
fn program(file: &Path) -> Option<Program> {
    let text = fs::read_to_string(file).ok()?;
    let output = fs::read(file.with_extension("expected")).ok()?;
    let directive = |name: &str| {
        let line = text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .find_map(|line| line.strip_prefix("//")?.trim().strip_prefix(name)?.strip_prefix(':').map(str::trim));
        line.map(str::to_string)
    };
    if directive("skip").is_some() {
        return None;
    }
    let words = |name: &str| directive(name).unwrap_or_default().split_whitespace().map(str::to_string).collect();
    let status = directive("exit").and_then(|status| status.parse().ok()).unwrap_or(0);
    Some(Program { file: file.to_path_buf(), flags: words("flags"), arguments: words("args"), status, output })
}
