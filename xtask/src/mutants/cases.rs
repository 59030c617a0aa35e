//! What mutants are tried by, and which mutants each case reaches.
//!
//! Every case runs once with all mutants off and notes whose places were executed: a mutant is
//! tried by those cases only that come to it.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::tree::Tree;
use crate::tools::{Outcome, files_below, root, run as run_process, sampled};

/// Folders of programs, levels at which they are compiled, and those at which `tests/sizes` has the
/// lengths of their code.
const PROGRAMS: [(&str, &[&str], &[&str]); 2] = [
    ("tests/run", &["-O2", "-O3", NEWER], &["-O2"]),
    ("bench", &["-O2", "-O3", "-Os", NEWER], &["-O2", "-O3", "-Os", NEWER]),
];
const NEWER: &str = "-O2 -march=x86-64-v3";

/// The level at which the validator is asked.
pub const VALIDATED: &str = "-O2";

/// For a case with all mutants off.
const LIMIT: Duration = Duration::from_secs(300);

/// Kilobytes of address space of a process that a mutant is in.
const MEMORY: &str = "6000000";

/// Which mutants a case reaches.
#[derive(Clone, Debug)]
pub struct Reached {
    bytes: Vec<u8>,
    /// How long the case took.
    pub time: Duration,
}

impl Reached {
    /// Whether a mutant's place was executed.
    pub fn has(&self, number: u32) -> bool {
        self.bytes.get(number as usize).is_some_and(|byte| *byte != 0)
    }
}

/// Unit tests of one executable.
pub struct Tests {
    /// The executable.
    pub program: PathBuf,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// Names of tests.
    pub cases: Vec<(String, Reached)>,
}

/// A program of `tests/run` or `bench` at one level.
pub struct Object {
    /// Where it is.
    pub file: PathBuf,
    /// How it is compiled.
    pub flags: Vec<String>,
    /// The object file with all mutants off.
    pub bytes: Vec<u8>,
    /// Bytes of its functions, if `tests/sizes` says so.
    pub length: Option<u64>,
    /// What the program is given, how it ends, and what it prints; nothing if it is only compiled.
    pub run: Option<(Vec<String>, i32, Vec<u8>)>,
    /// Mutants that its compilation reaches.
    pub reached: Reached,
    /// How many mutants it has caught.
    pub caught: usize,
}

/// A script of `tests/driver`.
pub struct Script {
    /// Its name in the suite.
    pub name: String,
    /// Mutants that it reaches.
    pub reached: Reached,
    /// How many mutants it has caught.
    pub caught: usize,
}

/// All cases.
pub struct Cases {
    /// Unit tests.
    pub tests: Vec<Tests>,
    /// Programs.
    pub objects: Vec<Object>,
    /// The executable of the suite.
    pub suite: PathBuf,
    /// Scripts.
    pub scripts: Vec<Script>,
}

/// Runs a program with limits on time and memory, in a process group of its own.
pub fn limited(command: &Command, limit: Duration) -> Result<Outcome, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -c 0; ulimit -v {MEMORY}; exec \"$@\""), "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    run_process(shell.process_group(0), limit)
}

/// Runs a case with all mutants off; nothing if it fails then.
fn noted(command: &mut Command, note: &Path) -> Result<Option<Reached>, String> {
    drop(fs::remove_file(note));
    let start = Instant::now();
    let done = limited(command.env("TCC_RS_MUTANTS_REACHED", note), LIMIT)?;
    let time = start.elapsed();
    let bytes = fs::read(note).unwrap_or_default();
    Ok(done.ok().then_some(Reached { bytes, time }))
}

impl Cases {
    /// Lists the cases and runs each once.
    ///
    /// # Errors
    /// A program cannot be started.
    pub fn new(
        tree: &Tree,
        executables: &[(String, PathBuf)],
        count: u32,
        sample: usize,
        with_scripts: bool,
    ) -> Result<Cases, String> {
        let note = tree.temporary("reached");
        let suite = executables.iter().find(|(package, _)| package == "driver").ok_or("there is no suite")?.1.clone();
        let mut cases = Cases { tests: Vec::new(), objects: Vec::new(), suite, scripts: Vec::new() };
        for (package, program) in executables.iter().filter(|(package, _)| package != "driver") {
            let folder = tree.root.join("crates").join(package);
            let mut tests = Tests { program: program.clone(), folder, cases: Vec::new() };
            for name in listed(program, &["--list", "--format", "terse"], &tests.folder)? {
                let mut command = Command::new(program);
                command.args(["--exact", &name, "--test-threads=1"]).current_dir(&tests.folder);
                let reached = noted(&mut command, &note)?;
                tests.cases.extend(reached.map(|reached| (name, reached)));
            }
            cases.tests.push(tests);
        }
        let sample = ["--sample".to_string(), sample.to_string()];
        for (folder, levels, measured) in PROGRAMS {
            let files = sampled(files_below(&tree.root.join(folder), "c"), &sample);
            for level in levels {
                for file in &files {
                    cases.objects.extend(object(tree, file, level, measured.contains(level), &note)?);
                }
            }
        }
        let folder = root().join("crates/driver");
        for name in listed(&cases.suite, &["--list"], &folder)? {
            if name.starts_with("driver::") && with_scripts {
                let mut command = Command::new(&cases.suite);
                command.args(["--exact", &name]).current_dir(&folder);
                let reached = noted(&mut command, &note)?;
                cases.scripts.extend(reached.map(|reached| Script { name, reached, caught: 0 }));
            }
        }
        let all = cases.all();
        let unreached = (1..=count).filter(|n| !all.iter().any(|reached| reached.has(*n))).count();
        let tests: usize = cases.tests.iter().map(|tests| tests.cases.len()).sum();
        println!(
            "{tests} tests, {} objects, {} scripts, {:.0} s; {unreached} mutants are reached by none",
            cases.objects.len(),
            cases.scripts.len(),
            all.iter().map(|reached| reached.time.as_secs_f64()).sum::<f64>()
        );
        Ok(cases)
    }

    /// Notes what caught a mutant: it is tried first from then on.
    pub fn has_caught(&mut self, name: &str) {
        let objects = self.objects.iter_mut().filter(|object| object.name() == name).map(|object| &mut object.caught);
        let scripts = self.scripts.iter_mut().filter(|script| script.name == name).map(|script| &mut script.caught);
        objects.chain(scripts).for_each(|count| *count += 1);
    }

    /// What every case reaches.
    pub fn all(&self) -> Vec<&Reached> {
        let tests = self.tests.iter().flat_map(|tests| tests.cases.iter().map(|(_, reached)| reached));
        let objects = self.objects.iter().map(|object| &object.reached);
        tests.chain(objects).chain(self.scripts.iter().map(|script| &script.reached)).collect()
    }
}

/// Names of the tests of an executable.
fn listed(program: &Path, how: &[&str], folder: &Path) -> Result<Vec<String>, String> {
    let done = limited(Command::new(program).args(how).current_dir(folder), LIMIT)?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_string())).collect())
}

/// A program, read as the suite does; none if it needs more than that.
fn object(tree: &Tree, file: &Path, level: &str, is_measured: bool, note: &Path) -> Result<Option<Object>, String> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(None) };
    let directive = |name: &str| {
        let mut head = text.lines().take_while(|line| line.starts_with("//"));
        head.find_map(|line| Some(line.strip_prefix("//")?.trim().strip_prefix(name)?.strip_prefix(':')?.trim()))
    };
    let words = |name: &str| directive(name).unwrap_or_default().split_whitespace().map(str::to_string).collect();
    // As `tests/sizes` is measured.
    let mut flags: Vec<String> = level.split(' ').map(str::to_string).collect();
    flags.extend(words("flags"));
    let out = tree.temporary("object.o");
    let reached = noted(&mut compilation(tree, file, &flags, &out), note)?;
    let (None, Some(reached), Ok(bytes)) = (directive("skip"), reached, fs::read(&out)) else { return Ok(None) };
    let status = directive("exit").and_then(|status| status.parse().ok()).unwrap_or(0);
    let run = fs::read(file.with_extension("expected")).ok().map(|output| (words("args"), status, output));
    let length = code_size(&bytes).filter(|_| is_measured);
    let object = Object { file: file.to_path_buf(), flags, bytes, length, run, reached, caught: 0 };
    Ok(object.runs(tree, &out).then_some(object))
}

/// Bytes of an object's functions, without what aligns them.
pub fn code_size(object: &[u8]) -> Option<u64> {
    use elf_object::{Object, ObjectSymbol, SymbolKind};
    let file = elf_object::File::parse(object).ok()?;
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    Some(functions.map(|symbol| symbol.size()).sum())
}

/// The compilation of a program to an object.
pub fn compilation(tree: &Tree, file: &Path, flags: &[String], out: &Path) -> Command {
    let mut command = Command::new(tree.program("tcc-rs"));
    command.args(flags).args(["-w", "-c", "-o"]).arg(out).arg(file);
    command
}

impl Object {
    /// The file and how it is compiled.
    pub fn name(&self) -> String {
        format!("{} {}", self.file.file_name().unwrap_or_default().display(), self.flags.join(" "))
    }

    /// Whether an object makes a program that does what it should.
    pub fn runs(&self, tree: &Tree, object: &Path) -> bool {
        let Some((arguments, status, output)) = &self.run else { return true };
        let program = object.with_extension("out");
        let mut link = Command::new(tree.program("tcc-rs"));
        link.args(&self.flags).arg(object).arg("-o").arg(&program).args(["-lm", "-pthread"]);
        let short = Duration::from_secs(20);
        if !limited(&link, short).is_ok_and(|done| done.ok()) {
            return false;
        }
        let done = limited(Command::new(&program).args(arguments), short);
        done.is_ok_and(|done| done.status == Some(*status) && done.stdout == *output)
    }
}
