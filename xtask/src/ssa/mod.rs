//! What promotion to SSA form gains, that LLVM's gains no more, and that the IR means the same at
//! every stage: `cargo xtask ssa-report`, `mem2reg-vs-llvm`, `interpret-stages`.
//!
//! The corpus is `tests/run` and `bench`, and the C files below the folders given with `--path`
//! (separated by `:`).

mod llvm;
mod report;
mod stages;

pub use llvm::compare_with_llvm;
pub use report::report;
pub use stages::interpret_stages;

use crate::tools::{files_below, names, option, root};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// For one compilation or one run.
const LIMIT: Duration = Duration::from_secs(120);

/// Passes that lead to the alloca form both sides start from: LLVM wants no unreachable blocks
/// either.
const MEMORY_FORM: &str = "--passes=simplify_cfg";

/// A file and the folder it was found through.
struct Source {
    file: PathBuf,
    folder: PathBuf,
}

impl Source {
    fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Its flags: those its comment asks for, and folders for headers.
    fn flags(&self) -> Vec<String> {
        let mut flags = Header::of(&self.file).flags;
        let own = self.file.parent().unwrap_or(&self.folder);
        let mut folders = vec![own.to_path_buf(), self.folder.clone(), self.folder.join("common")];
        folders.dedup();
        flags.extend(folders.iter().filter(|f| f.is_dir()).map(|f| format!("-I{}", f.display())));
        flags
    }
}

/// What the comments at a test's top say.
#[derive(Default)]
struct Header {
    flags: Vec<String>,
    args: Vec<String>,
    exit: i32,
    /// Why it cannot run under `lli` and is compiled by `clang` instead.
    lli: Option<String>,
    /// What in it has no counterpart in LLVM's IR: it is not exported.
    llvm: Option<String>,
    /// Why the interpreter cannot run it.
    interpreter: Option<String>,
    /// What the interpreter needs in addition.
    interpreter_flags: Vec<String>,
}

impl Header {
    fn of(file: &Path) -> Header {
        let mut header = Header::default();
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect();
        let text = std::fs::read(file).unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines().map_while(|l| l.strip_prefix("// ")) {
            match line.split_once(": ") {
                Some(("flags", v)) => header.flags = words(v),
                Some(("args", v)) => header.args = words(v),
                Some(("exit", v)) => header.exit = v.trim().parse().unwrap_or(0),
                Some(("lli", v)) => header.lli = Some(v.to_string()),
                Some(("llvm", v)) => header.llvm = Some(v.to_string()),
                Some(("interpreter flags", v)) => header.interpreter_flags = words(v),
                Some(("interpreter", v)) => header.interpreter = Some(v.to_string()),
                _ => {}
            }
        }
        header
    }
}

/// `tests/run`, `bench` and the folders of `--path`; every Nth file of them with `--sample N`.
fn corpus(arguments: &[String]) -> Vec<Source> {
    let mut out = c_files(&root().join("tests/run"));
    out.extend(c_files(&root().join("bench")));
    for folder in option(arguments, "--path").iter().flat_map(|p| p.split(':')) {
        out.extend(c_files(Path::new(folder)));
    }
    sampled(out, arguments)
}

/// The programs of `tests/run`, or those of them that are named; every Nth with `--sample N`.
fn tests(arguments: &[String]) -> Vec<Source> {
    let wanted = names(arguments);
    let is_wanted = |s: &Source| wanted.is_empty() || wanted.iter().any(|w| *w == s.name().trim_end_matches(".c"));
    let all = c_files(&root().join("tests/run"));
    sampled(all.into_iter().filter(is_wanted).collect(), arguments)
}

fn sampled(all: Vec<Source>, arguments: &[String]) -> Vec<Source> {
    let step = option(arguments, "--sample").and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(1);
    all.into_iter().step_by(step).collect()
}

/// The C files below a folder, sorted.
fn c_files(folder: &Path) -> Vec<Source> {
    files_below(folder, "c").into_iter().map(|file| Source { file, folder: folder.to_path_buf() }).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
