//! The libFuzzer targets of `fuzz/`, each with its seeds and its dictionary.

use crate::tools::{has, option, root};
use std::path::Path;
use std::process::Command;

/// Target, dictionary, directories of seeds, extension of the seeds that are taken.
const TARGETS: [(&str, &str, &[&str], &str); 6] = [
    ("preprocessor", "c.dict", &["tests/preprocess", "tests/run"], "c"),
    ("parser", "c.dict", &["tests/run", "tests/diagnostics"], "c"),
    ("sema", "c.dict", &["tests/run", "tests/diagnostics"], "c"),
    ("compiler", "c.dict", &["tests/run"], "c"),
    ("assembler", "assembler.dict", &["crates/assembler/tests"], "s"),
    ("textual_ir", "ir.dict", &["tests/ir", "tests/passes"], "tir"),
];

/// Longest input a target makes, in bytes; seeds above it are cut by libFuzzer.
const MAX_INPUT: usize = 8192;

/// Fuzz one target (or `all` in turn) for `--seconds N` each; findings stay in `fuzz/artifacts`.
pub fn run(target: &str, arguments: &[String]) -> Result<(), String> {
    if !has("cargo-fuzz") {
        return Err("cargo-fuzz is not installed (cargo install cargo-fuzz; it needs a nightly toolchain)".into());
    }
    let seconds = option(arguments, "--seconds").unwrap_or_else(|| "60".to_string());
    let rows: Vec<_> = TARGETS.iter().filter(|row| target == "all" || row.0 == target).collect();
    if rows.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|row| row.0).collect();
        return Err(format!("no fuzz target '{target}'; there are all, {}", names.join(", ")));
    }
    let failed: Vec<&str> = rows.iter().filter(|row| !one(row, &seconds)).map(|row| row.0).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("findings in {}", failed.join(", "))) }
}

fn one(&(target, dictionary, seeds, extension): &(&str, &str, &[&str], &str), seconds: &str) -> bool {
    let fuzz = root().join("fuzz");
    let corpus = fuzz.join("corpus").join(target);
    if let Err(error) = fill(&corpus, seeds, extension) {
        eprintln!("xtask: {}: {error}", corpus.display());
        return false;
    }
    println!("{target}: {seconds} s");
    let mut command = Command::new("sh");
    // The driver compiles on a thread with a stack of gigabytes; the targets run where they are.
    command.current_dir(root()).args(["-c", "ulimit -s 16000000 && exec \"$@\"", "sh"]);
    // Safe Rust gains little from the address sanitizer, which makes frames several times larger.
    command.args(["cargo", "+nightly", "fuzz", "run", "-s", "none", target]).arg(&corpus).arg("--");
    command.arg(format!("-dict={}", fuzz.join("dictionaries").join(dictionary).display()));
    command.args([&format!("-max_total_time={seconds}"), &format!("-max_len={MAX_INPUT}")]);
    command.args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    command.status().is_ok_and(|s| s.success())
}

/// Every seed that is not there yet is copied into the corpus.
fn fill(corpus: &Path, seeds: &[&str], extension: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(corpus)?;
    for folder in seeds {
        for file in crate::tools::files_below(&root().join(folder), extension) {
            let name = file.strip_prefix(root()).unwrap_or(&file).to_string_lossy().replace('/', "-");
            let copy = corpus.join(name);
            if !copy.exists() {
                std::fs::copy(&file, copy)?;
            }
        }
    }
    Ok(())
}
