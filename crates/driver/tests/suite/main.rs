//! The file-driven tests under `tests/`: every file there is a case, found by walking the
//! directory.
//!
//! | folder | a case is | what is compared |
//! |---|---|---|
//! | `run` | a program `x.c` with `x.expected` | output and status at `-O0`, `-O1`, `-O2`, through `tcc-rs run`, `tcc-rs interpret` and `tcc-rs interpret -O2` |
//! | `buggy` | a program with `// BUG: class` | whether `tcc-rs interpret` reports that line, and nothing with `-DGOOD`, see [`buggy`] |
//! | `diagnostics` | `x.c` with `x.stderr` | what the compiler says |
//! | `driver` | a script `x.txt` of commands | outputs and statuses, see [`script`] |
//! | `run`, `c-testsuite` again, as `parse` | a program | whether another parser agrees, see [`oracle`] |
//! | `sizes`: `LEVEL.txt` | programs of `run` and `../bench` | the length of their code, see [`sizes`] |
//! | files that are made | a reader of files that are no sources | how broken files end, see [`readers`] |
//! | `../docs/tour.md` | its listings | what the compiler prints, see [`tour`] |
//! | `abi` | `x.c`, compiled twice with `-DCALLER` and `-DCALLEE` | output of all four mixtures with gcc |
//!
//! Comments at the top of a program configure it: `// flags:`, `// exit:`, `// args:`, and with a
//! reason each `// skip:`, `// interpreter:` (cannot run it; `// interpreter flags:` help it), `// checked:` (what
//! `tcc-rs interpret` reports in it), `// silent:` (nothing is said about it), `// lli:` (LLVM's cannot either; for `cargo xtask mem2reg-vs-llvm`), `// llvm:` (what has no
//! counterpart in LLVM's IR, for the same), `// like-gcc:` (gcc refuses it; for `cargo xtask
//! like-gcc`). With `TCC_RS_BLESS=1` golden files are rewritten from what happened (`run` and `abi`
//! from gcc).

mod buggy;
mod cases;
mod oracle;
mod process;
mod readers;
mod script;
mod sizes;
mod tour;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let mut arguments = Arguments::from_args();
    // Compilers and linkers run beside each other well; more than the processors only adds noise to
    // time limits.
    arguments.test_threads.get_or_insert_with(|| std::thread::available_parallelism().map_or(2, |n| n.get()));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").canonicalize().expect("tests/ is there");
    let mut trials = Vec::new();
    trials.extend(files(&root.join("run"), "c").into_iter().flat_map(cases::run));
    for folder in folders(&root.join("buggy")) {
        trials.extend(files(&folder, "c").into_iter().flat_map(buggy::trials));
    }
    trials.extend(files(&root.join("diagnostics"), "c").into_iter().map(cases::diagnostics));
    trials.extend(files(&root.join("driver"), "txt").into_iter().map(script::trial));
    trials.extend(files(&root.join("abi"), "c").into_iter().flat_map(cases::abi));
    for folder in ["run", "../c-testsuite/tests/single-exec"] {
        trials.extend(files(&root.join(folder), "c").into_iter().map(oracle::trial));
    }
    trials.extend(sizes::trials(root.parent().expect("tests/ is in the root")));
    trials.extend(readers::trials());
    trials.push(tour::trial(root.join("../docs/tour.md")));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Folders of a folder, sorted.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut folders: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

/// Files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

/// A case named after its folder and file.
fn trial(
    path: &Path,
    variant: &str,
    run: impl FnOnce() -> Result<(), libtest_mimic::Failed> + Send + 'static,
) -> Trial {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let variant = if variant.is_empty() { String::new() } else { format!("::{variant}") };
    Trial::test(format!("{folder}::{name}{variant}"), run)
}
