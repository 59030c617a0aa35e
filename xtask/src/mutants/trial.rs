//! Tries one mutant by the cases that reach it, and by what looks for differences of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::cases::{Cases, Tests, code_size, compilation, limited};
use super::tree::Tree;

/// What became of a mutant.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// A test of its crate failed, or of one above.
    Tests,
    /// A program of `tests/run` did something else, or was not compiled.
    Programs,
    /// The code of a program has another length than `tests/sizes` says.
    Lengths,
    /// A script of `tests/driver` failed.
    Scripts,
    /// The validator refuted a pass.
    Validator,
    /// The native fuzzer found a difference.
    Fuzzer,
    /// Nothing found it.
    Survived,
}

impl Fate {
    /// All of them.
    pub const ALL: [Fate; 7] =
        [Fate::Tests, Fate::Programs, Fate::Lengths, Fate::Scripts, Fate::Validator, Fate::Fuzzer, Fate::Survived];

    /// As it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Fate::Tests => "tests",
            Fate::Programs => "programs",
            Fate::Lengths => "lengths",
            Fate::Scripts => "scripts",
            Fate::Validator => "validator",
            Fate::Fuzzer => "fuzzer",
            Fate::Survived => "survived",
        }
    }
}

/// Files that the validator is given, and seconds for each.
const VALIDATED: usize = 3;
const VALIDATING: Duration = Duration::from_secs(15);

/// For one program, compiled or run; a mutant may not end.
const SHORT: Duration = Duration::from_secs(10);

/// Where mutants are tried.
pub struct Court {
    /// The copy that holds them.
    pub tree: Tree,
    /// What they are tried by.
    pub cases: Cases,
    /// Seconds of the fuzzer.
    pub fuzz: u64,
    /// For the scripts, as long as they take with all mutants off.
    pub scripts: Duration,
}

impl Court {
    /// Tries a mutant; what caught it.
    ///
    /// # Errors
    /// A program cannot be started.
    pub fn judge(&mut self, number: u32, path: &str) -> Result<(Fate, String), String> {
        let variable = number.to_string();
        if let Some(name) = self.tests(number, &variable)? {
            return Ok((Fate::Tests, name));
        }
        let (caught, differing) = self.programs(number, &variable)?;
        if let Some(caught) = caught {
            return Ok(caught);
        }
        if let Some(name) = self.scripts(number, &variable)? {
            return Ok((Fate::Scripts, name));
        }
        // What the back end does is not what the validator is asked about.
        let validated = if path.starts_with("crates/backend") { 0 } else { VALIDATED };
        for file in differing.iter().take(validated) {
            if self.is_refuted(file, &variable)? {
                return Ok((Fate::Validator, name_of(file)));
            }
        }
        if self.fuzz > 0 && !self.fuzzer_is_content(&variable)? {
            return Ok((Fate::Fuzzer, String::new()));
        }
        let reached = self.cases.all().iter().filter(|reached| reached.has(number)).count();
        Ok((Fate::Survived, format!("reached by {reached} cases, other code in {} files", differing.len())))
    }

    fn tests(&self, number: u32, variable: &str) -> Result<Option<String>, String> {
        let time = |tests: &&Tests| -> Duration {
            tests.cases.iter().filter(|(_, reached)| reached.has(number)).map(|(_, reached)| reached.time).sum()
        };
        let mut all: Vec<&Tests> = self.cases.tests.iter().collect();
        all.sort_by_key(time);
        for tests in all {
            let names: Vec<&str> =
                tests.cases.iter().filter(|(_, reached)| reached.has(number)).map(|(name, _)| &**name).collect();
            if names.is_empty() {
                continue;
            }
            let mut command = Command::new(&tests.program);
            command.args(["--exact", "--test-threads=1"]).args(&names).current_dir(&tests.folder);
            let done = limited(command.env("TCC_RS_MUTANT", variable), 4 * time(&tests) + SHORT)?;
            if !done.ok() {
                let text = String::from_utf8_lossy(&done.stdout).into_owned();
                let failed = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
                let name = failed.map_or_else(|| format!("status {:?}", done.status), str::to_string);
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// What caught it among the programs, and else files whose code at the first level is another
    /// one, the short ones first.
    fn programs(&mut self, number: u32, variable: &str) -> Result<(Option<(Fate, String)>, Vec<PathBuf>), String> {
        let mut order: Vec<usize> =
            (0..self.cases.objects.len()).filter(|i| self.cases.objects[*i].reached.has(number)).collect();
        order.sort_by_key(|i| {
            let object = &self.cases.objects[*i];
            (usize::MAX - object.caught, object.bytes.len())
        });
        let out = self.tree.temporary("mutant.o");
        let mut differing = Vec::new();
        for index in order {
            let object = &self.cases.objects[index];
            let mut command = compilation(&self.tree, &object.file, &object.flags, &out);
            drop(fs::remove_file(&out));
            let done = limited(command.env("TCC_RS_MUTANT", variable), SHORT + 10 * object.reached.time)?;
            let same = done.ok() && fs::read(&out).is_ok_and(|bytes| bytes == object.bytes);
            if same {
                continue;
            }
            let length = fs::read(&out).ok().and_then(|bytes| code_size(&bytes));
            let fate = match object.length {
                _ if !done.ok() || !object.runs(&self.tree, &out) => Some(Fate::Programs),
                Some(_) if object.length != length => Some(Fate::Lengths),
                _ => None,
            };
            if let Some(fate) = fate {
                let name = object.name();
                self.cases.has_caught(&name);
                return Ok((Some((fate, name)), Vec::new()));
            }
            if object.flags.iter().any(|flag| flag == super::cases::VALIDATED) {
                differing.push((object.bytes.len(), object.file.clone()));
            }
        }
        differing.sort();
        Ok((None, differing.into_iter().map(|(_, file)| file).collect()))
    }

    fn scripts(&mut self, number: u32, variable: &str) -> Result<Option<String>, String> {
        let mut order: Vec<usize> =
            (0..self.cases.scripts.len()).filter(|i| self.cases.scripts[*i].reached.has(number)).collect();
        order.sort_by_key(|i| {
            let script = &self.cases.scripts[*i];
            (usize::MAX - script.caught, script.reached.time)
        });
        // The last ones are a few that link large programs.
        let mut time = Duration::ZERO;
        for index in order {
            let script = &self.cases.scripts[index];
            time += script.reached.time;
            if time > self.scripts {
                break;
            }
            let mut command = Command::new(&self.cases.suite);
            command.args(["--exact", &script.name]).current_dir(self.tree.root.join("crates/driver"));
            let done = limited(command.env("TCC_RS_MUTANT", variable), SHORT + 10 * script.reached.time)?;
            if !done.ok() {
                let name = script.name.clone();
                self.cases.has_caught(&name);
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    fn is_refuted(&self, file: &Path, variable: &str) -> Result<bool, String> {
        let mut command = Command::new(self.tree.program("tcc-rs"));
        command.args(["--validate", "--validate-timeout=1", "-O2", "-w", "-c", "-o", "/dev/null"]).arg(file);
        let done = limited(command.env("TCC_RS_MUTANT", variable), VALIDATING)?;
        Ok(String::from_utf8_lossy(&done.stderr).contains(": refuted"))
    }

    fn fuzzer_is_content(&self, variable: &str) -> Result<bool, String> {
        let mut command = Command::new(self.tree.program("tcc-rs-fuzzer"));
        let folder = self.tree.temporary("fuzz-native");
        drop(fs::remove_dir_all(&folder));
        command.args(["--jobs", "1", "--first", "--seed", "1", "--seconds", &self.fuzz.to_string()]);
        command.arg("--folder").arg(&folder);
        Ok(limited(command.env("TCC_RS_MUTANT", variable), Duration::from_secs(2 * self.fuzz + 60))?.ok())
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
