//! A copy of the sources in which all mutants stand, built once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Mutant;
use super::sites::{SWITCH, Schema, Site, schema};
use crate::tools::{root, run as run_process};

/// For one call of cargo.
const LIMIT: Duration = Duration::from_secs(3600);

/// Crates whose tests are run, beside the suite of the driver.
const TESTED: [&str; 3] = ["ir", "middle", "backend"];

/// The module of the switch.
const MODULE: &str = "crates/base/src/mutant.rs";

/// How often what does not compile is left out.
const ROUNDS: usize = 40;

/// Mutants by number, and executables of tests with their crates.
pub type Built<'m> = (BTreeMap<u32, &'m Mutant>, Vec<(String, PathBuf)>);

/// Where the copy stands.
pub struct Tree {
    /// The copy of the root.
    pub root: PathBuf,
    target: PathBuf,
}

impl Tree {
    /// The folder of the copy; nothing is done yet.
    pub fn new() -> Tree {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let folder = target.join("mutants");
        Tree { root: folder.join("tree"), target: folder.join("target") }
    }

    /// A program of the copy.
    pub fn program(&self, name: &str) -> PathBuf {
        self.target.join("quick").join(name)
    }

    /// A folder for what is left of a run.
    pub fn folder(&self) -> PathBuf {
        self.target.parent().expect("it was joined").to_path_buf()
    }

    /// A file of this process there.
    pub fn temporary(&self, name: &str) -> PathBuf {
        self.folder().join(format!("{}-{name}", std::process::id()))
    }

    /// Puts the mutants into the copy, without those that do not compile, and builds it; the
    /// mutants that are left, by number, and the executables of tests by name of their crate.
    ///
    /// # Errors
    /// The sources cannot be built.
    pub fn build<'m>(&self, mutants: &[&'m Mutant]) -> Result<Built<'m>, String> {
        let mut left: BTreeMap<u32, &Mutant> = (1..).zip(mutants.iter().copied()).collect();
        for _ in 0..ROUNDS {
            let schemas = self.write(&left)?;
            let packages = ["-p", "tcc-rs-ir", "-p", "tcc-rs-middle", "-p", "tcc-rs-backend"];
            let how = ["check", "--quiet", "--profile", "quick", "--keep-going", "--message-format=short"];
            let (ok, said) = self.cargo(&[&how[..], &packages].concat())?;
            if ok {
                let executables = self.programs()?;
                self.note(&left, &executables)?;
                return Ok((left, executables));
            }
            let wrong: BTreeSet<u32> = said.lines().filter_map(|line| wrong_mutant(line, &schemas)).collect();
            if wrong.is_empty() {
                return Err(format!("the sources cannot be built: {said}"));
            }
            println!("{} mutants do not compile", wrong.len());
            left.retain(|number, _| !wrong.contains(number));
        }
        Err("there are always mutants that do not compile".to_string())
    }

    /// What [`Tree::build`] gave for the same mutants.
    ///
    /// # Errors
    /// It was for others, or for none.
    pub fn as_built<'m>(&self, mutants: &[&'m Mutant]) -> Result<Built<'m>, String> {
        let file = self.folder().join("built");
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let (mut left, mut executables) = (BTreeMap::new(), Vec::new());
        for (kind, rest) in text.lines().filter_map(|line| line.split_once('\t')) {
            if let Ok(number) = kind.parse::<u32>() {
                let mutant = mutants.get(number as usize - 1).filter(|mutant| mutant.name == rest);
                left.insert(number, *mutant.ok_or("the copy was built for other mutants")?);
            } else {
                executables.push((kind.to_string(), PathBuf::from(rest)));
            }
        }
        Ok((left, executables))
    }

    fn note(&self, left: &BTreeMap<u32, &Mutant>, executables: &[(String, PathBuf)]) -> Result<(), String> {
        let mutants = left.iter().map(|(number, mutant)| format!("{number}\t{}\n", mutant.name));
        let programs = executables.iter().map(|(package, path)| format!("{package}\t{}\n", path.display()));
        put(&self.folder().join("built"), mutants.chain(programs).collect::<String>().as_bytes())
    }

    /// Builds the programs and the tests; the executables of tests by name of their crate.
    ///
    /// # Errors
    /// They cannot be built.
    fn programs(&self) -> Result<Vec<(String, PathBuf)>, String> {
        let mut tests = BTreeMap::from([("suite".to_string(), "driver"), ("fuzzing".to_string(), "fuzzer")]);
        for package in TESTED {
            let folder = self.root.join("crates").join(package).join("tests");
            let names =
                files_in(&folder).filter_map(|path| Some(path.file_name()?.to_str()?.strip_suffix(".rs")?.into()));
            tests.extend(names.map(|name: String| (name, package)));
        }
        // In one call: others would choose other features of crates, and build them all again. The
        // programs come with the tests of their crates.
        let mut words: Vec<&str> = "test --no-run --profile quick -p tcc-rs -p tcc-rs-fuzzer".split(' ').collect();
        words.extend("-p tcc-rs-ir -p tcc-rs-middle -p tcc-rs-backend --lib".split(' '));
        words.extend(tests.keys().flat_map(|name| ["--test", name]));
        let (ok, said) = self.cargo(&words)?;
        if !ok {
            return Err(format!("the sources cannot be built: {said}"));
        }
        // `Executable tests/passes.rs (/.../passes-0123)`.
        let paths = said.lines().filter(|line| line.trim_start().starts_with("Executable"));
        let paths = paths.filter_map(|line| Some(self.root.join(line.rsplit_once('(')?.1.trim_end_matches(')'))));
        let of = |path: &Path| {
            let name = path.file_name()?.to_str()?.rsplit_once('-')?.0;
            let known = TESTED.into_iter().find(|package| *package == name).or(tests.get(name).copied());
            known.map(str::to_string)
        };
        Ok(paths.filter_map(|path| Some((of(&path)?, path))).filter(|(package, _)| package != "fuzzer").collect())
    }

    /// Brings the copy to the state of the sources with these mutants; what is equal keeps its
    /// time.
    fn write(&self, mutants: &BTreeMap<u32, &Mutant>) -> Result<BTreeMap<String, Schema>, String> {
        let mut by_file: BTreeMap<&str, Vec<(u32, &Site)>> = BTreeMap::new();
        for (number, mutant) in mutants {
            by_file.entry(&mutant.path).or_default().push((*number, &mutant.site));
        }
        let mut listed = Command::new("git");
        listed.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output = listed.current_dir(root()).output().map_err(|e| format!("git: {e}"))?;
        let mut schemas = BTreeMap::new();
        let mut known = BTreeSet::from([self.root.join(MODULE)]);
        for name in String::from_utf8_lossy(&output.stdout).split('\0').filter(|name| !name.is_empty()) {
            let Ok(mut new) = fs::read(root().join(name)) else { continue };
            if let Some(chosen) = by_file.get_mut(name) {
                // As `sites` gives them.
                chosen.sort_by_key(|(_, site)| {
                    (site.range.start, usize::MAX - site.range.end, site.kind, site.instead.clone())
                });
                let made = schema(&String::from_utf8_lossy(&new), chosen);
                new = made.text.clone().into_bytes();
                schemas.insert(name.to_string(), made);
            }
            if name == "crates/base/src/lib.rs" {
                new.extend_from_slice(b"\npub mod mutant;\n");
            }
            put(&self.root.join(name), &new)?;
            known.insert(self.root.join(name));
        }
        put(&self.root.join(MODULE), SWITCH.as_bytes())?;
        remove_others(&self.root, &known);
        Ok(schemas)
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(bool, String), String> {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", &self.target).env("RUSTFLAGS", "--cap-lints=allow");
        // What cargo says to the one that runs this task is not for the copy.
        command.env_remove("CARGO_MANIFEST_DIR");
        let done = run_process(&mut command, LIMIT)?;
        Ok((done.ok(), String::from_utf8_lossy(&done.stderr).into_owned()))
    }
}

/// Writes a file unless it is so already.
fn put(to: &Path, new: &[u8]) -> Result<(), String> {
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    let failed = |e: std::io::Error| format!("{}: {e}", to.display());
    fs::create_dir_all(to.parent().expect("below the tree")).map_err(failed)?;
    fs::write(to, new).map_err(failed)
}

fn files_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Removes what is left of another state of the sources.
fn remove_others(folder: &Path, known: &BTreeSet<PathBuf>) {
    for path in files_in(folder) {
        if path.is_dir() {
            remove_others(&path, known);
        } else if !known.contains(&path) {
            // What stays would be found by the compiler, which says so.
            drop(fs::remove_file(path));
        }
    }
}

/// The mutant that an error of the compiler is about: `PATH:LINE:COLUMN: error...`.
fn wrong_mutant(line: &str, schemas: &BTreeMap<String, Schema>) -> Option<u32> {
    let mut parts = line.splitn(4, ':');
    let (path, row, column, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if !rest.trim_start().starts_with("error") {
        return None;
    }
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    let schema = schemas.get(path)?;
    let begin: usize = schema.text.split_inclusive('\n').take(row - 1).map(str::len).sum();
    let line = schema.text[begin..].lines().next()?;
    let offset = line.char_indices().nth(column - 1).map_or(line.len(), |(at, _)| at);
    schema.at(begin + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_mutants() {
        let text = "fn f() {}\nfn g(a: u32) -> u32 {\n    a + 7\n}\n".to_string();
        let schemas = BTreeMap::from([("a.rs".to_string(), Schema { text, marks: vec![(3, 37..42)] })]);
        assert_eq!(wrong_mutant("a.rs:3:5: error[E0308]: mismatched types: x", &schemas), Some(3));
        assert_eq!(wrong_mutant("a.rs:3:5: warning: unused", &schemas), None);
        assert_eq!(wrong_mutant("b.rs:3:5: error: x", &schemas), None);
        assert_eq!(wrong_mutant("error: could not compile", &schemas), None);
    }
}
