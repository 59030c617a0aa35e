//! The command line of `compare`.

use super::Compiler;
use crate::cli;
use crate::invocation::Language;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// This compiler among the others.
pub const OWN: &str = "tcc-rs";
const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-O3", "-Os"];
/// Names of clang, the newest first.
const CLANG: [&str; 9] =
    ["clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"];

pub const HELP: &str = "\
Usage: tcc-rs compare [options] file... [-- arguments of the program...]
       tcc-rs compare [options] folder... [-- arguments of each program...]
       tcc-rs compare [options] -- build command...

Builds with gcc, clang and tcc, where installed, and with tcc-rs, at every level, and compares the
behaviour of what comes out, its run time, compile time, size of code and memory. Files are one
program; each C file of a folder is a program of its own, and so is each file with --each. A build
command (`make check`) is done in copies of the current folder, with `cc` and `gcc` being the
compiler. Other options are the compilers'.

  --with=NAMES             of gcc,clang,tcc,tcc-rs; the first is the one compared with
  --levels=LEVELS          as -O0,-O2 (-O0,-O1,-O2,-O3,-Os; of a build command what the build says)
  --runs=N                 how often each program runs (5), for intervals of 95 % confidence
  --limit=SECONDS          for one run or build (60; of a build 3600)
  --each                   each source is a program of its own
  --json=FILE, --html=FILE write the figures as JSON, as a page with plots; - is standard output

Status: 0 if tcc-rs's programs behave as those of the first compiler do, 1 otherwise.
";

/// What is to be done.
#[derive(Debug)]
pub enum Action {
    Help,
    Compare(Request),
}

/// Programs or a build.
#[derive(Debug)]
pub enum Work {
    Programs(Vec<Program>),
    Build(Vec<OsString>),
}

/// One program.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// Options and files for the compiler.
    pub arguments: Vec<OsString>,
}

#[derive(Debug)]
pub struct Request {
    pub work: Work,
    /// For the programs.
    pub arguments: Vec<OsString>,
    pub compilers: Vec<Compiler>,
    /// What the compilers get before all else; empty texts say nothing.
    pub levels: Vec<String>,
    pub runs: usize,
    pub limit: Duration,
    pub json: Option<PathBuf>,
    pub html: Option<PathBuf>,
}

/// The options that are not the compilers'.
#[derive(Default)]
struct Own {
    with: Option<String>,
    levels: Option<String>,
    runs: Option<usize>,
    limit: Option<u64>,
    each: bool,
    json: Option<PathBuf>,
    html: Option<PathBuf>,
}

impl Request {
    /// # Errors
    /// What is wrong with the command line.
    pub fn read(arguments: &[OsString]) -> Result<Action, String> {
        let split = arguments.iter().position(|a| a == "--").unwrap_or(arguments.len());
        let (before, after) = (&arguments[..split], arguments.get(split + 1..).unwrap_or_default());
        let mut own = Own::default();
        let mut rest = Vec::new();
        for argument in before {
            match argument.to_str() {
                Some("--help") => return Ok(Action::Help),
                Some(text) if own.take(text)? => {}
                _ => rest.push(argument.clone()),
            }
        }
        let files = cli::operands(&rest);
        let work = match (files.is_empty(), after.is_empty()) {
            (true, true) => return Err("no input files (tcc-rs compare --help says more)".into()),
            (true, false) if !rest.is_empty() => {
                return Err("options of compilers belong into the build command".into());
            }
            (true, false) => Work::Build(after.to_vec()),
            (false, _) => Work::Programs(programs(&rest, &files, own.each)?),
        };
        let is_build = matches!(work, Work::Build(_));
        let levels = match own.levels {
            Some(text) => text.split(',').map(str::to_string).collect(),
            None if is_build => vec![String::new()],
            None => LEVELS.iter().map(ToString::to_string).collect(),
        };
        Ok(Action::Compare(Request {
            arguments: if is_build { Vec::new() } else { after.to_vec() },
            work,
            compilers: compilers(own.with.as_deref())?,
            levels,
            runs: own.runs.unwrap_or(5),
            limit: Duration::from_secs(own.limit.unwrap_or(if is_build { 3600 } else { 60 })),
            json: own.json,
            html: own.html,
        }))
    }
}

impl Own {
    /// Whether an option is one of these.
    fn take(&mut self, text: &str) -> Result<bool, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let number = || value.parse::<u64>().ok().filter(|n| (1..=1_000_000).contains(n));
        let bad = || format!("{name}= takes a number from 1 on, not '{value}'");
        match name {
            "--with" => self.with = Some(value.to_string()),
            "--levels" => self.levels = Some(value.to_string()),
            "--runs" => self.runs = Some(number().ok_or_else(bad)? as usize),
            "--limit" => self.limit = Some(number().ok_or_else(bad)?),
            "--each" => self.each = true,
            "--json" | "--html" if value.is_empty() => return Err(format!("{name}= needs the name of a file")),
            "--json" => self.json = Some(value.into()),
            "--html" => self.html = Some(value.into()),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The programs of a command line; `files` are the places of its operands.
fn programs(rest: &[OsString], files: &[usize], each: bool) -> Result<Vec<Program>, String> {
    if rest.iter().any(|a| a == "-o" || a == "-c" || a == "-S" || a == "-E") {
        return Err("compare needs programs, and names them itself: -o, -c, -S and -E do not go with it".into());
    }
    let mut folders = Vec::new();
    for at in files {
        let path = Path::new(&rest[*at]);
        let metadata = path.metadata().map_err(|e| format!("{}: {}", path.display(), base::files::reason(&e)))?;
        if metadata.is_dir() {
            folders.push(*at);
        }
    }
    let is_source = |at: &&usize| cli::language_of_suffix(&rest[**at]) != Language::LinkerInput;
    let sources: Vec<usize> = files.iter().filter(|at| !folders.contains(at)).filter(is_source).copied().collect();
    let without = |left_out: &[usize]| -> Vec<OsString> {
        rest.iter().enumerate().filter(|(at, _)| !left_out.contains(at)).map(|(_, text)| text.clone()).collect()
    };
    let mut programs = Vec::new();
    let one = |source: &OsStr, mut shared: Vec<OsString>| {
        shared.insert(0, source.to_os_string());
        Program { name: source.to_string_lossy().into_owned(), arguments: shared }
    };
    let shared = without(&[&folders[..], &sources].concat());
    match sources[..] {
        [] if folders.is_empty() => return Err("no source among the files".into()),
        [] => {}
        _ if each => programs.extend(sources.iter().map(|at| one(&rest[*at], shared.clone()))),
        [first, ..] => {
            programs.push(Program { name: rest[first].to_string_lossy().into_owned(), arguments: without(&folders) })
        }
    }
    for at in folders {
        let found = sources_in(Path::new(&rest[at]))?;
        programs.extend(found.iter().map(|source| one(source.as_os_str(), shared.clone())));
    }
    Ok(programs)
}

/// The C files of a folder, by name.
fn sources_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |why: String| format!("{}: {why}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(|e| fail(base::files::reason(&e)))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "c") && path.is_file());
    found.sort();
    if found.is_empty() { Err(fail("no C file in this folder".into())) } else { Ok(found) }
}

/// Compilers by name, or all that are there.
fn compilers(wanted: Option<&str>) -> Result<Vec<Compiler>, String> {
    let all = ["gcc", "clang", "tcc", OWN];
    let Some(wanted) = wanted else { return Ok(all.iter().filter_map(|name| find(name)).collect()) };
    let mut found = Vec::new();
    for name in wanted.split(',') {
        if !all.contains(&name) {
            return Err(format!("'{name}' is no compiler that is known here: gcc, clang, tcc and tcc-rs are"));
        }
        found.push(find(name).ok_or_else(|| format!("{name} is not installed"))?);
    }
    Ok(found)
}

fn find(name: &str) -> Option<Compiler> {
    let in_path = |name: &str| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    };
    let (name, path) = match name {
        "gcc" => ("gcc", in_path("gcc")?),
        "clang" => ("clang", CLANG.iter().find_map(|name| in_path(name))?),
        "tcc" => ("tcc", in_path("tcc")?),
        _ => (OWN, std::env::current_exe().ok()?),
    };
    Some(Compiler { name, path })
}

#[cfg(test)]
mod tests {
    use super::{Action, Request, Work};
    use std::ffi::OsString;

    fn read(words: &[&str]) -> Result<Action, String> {
        Request::read(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (words, message) in [
            (&[][..], "no input files"),
            (&["missing.c"], "missing.c: No such file or directory"),
            (&["--runs=0", "x.c"], "--runs= takes a number"),
            (&["--with=cc", "x.c"], "missing"),
            (&["--json", "x.c"], "--json= needs"),
            (&["-O2", "--", "make"], "belong into the build command"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(message) || message == "missing", "{words:?}: {error}");
        }
        assert!(matches!(read(&["x.c", "--help"]), Ok(Action::Help)));
    }

    #[test]
    fn files_are_one_program_and_folders_many() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let (a, b) = (format!("{root}/main.rs"), format!("{root}/lib.rs"));
        // No suffix of a source: they could only be linked.
        assert!(read(&[&a, &b]).unwrap_err().contains("no source"));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/run");
        let Ok(Action::Compare(request)) = read(&["-DX", folder, "-I", ".", "--", "1"]) else { panic!() };
        let Work::Programs(programs) = request.work else { panic!() };
        assert!(programs.len() > 10 && programs[0].name.ends_with(".c"));
        assert_eq!(programs[0].arguments[1..], ["-DX", "-I", "."]);
        assert_eq!(request.arguments, ["1"]);
        let two: Vec<&str> = programs[..2].iter().map(|p| &*p.name).collect();
        let count = |words: &[&str]| match read(words) {
            Ok(Action::Compare(Request { work: Work::Programs(programs), .. })) => programs.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(count(&two), 1);
        assert_eq!(count(&["--each", two[0], two[1]]), 2);
    }
}
