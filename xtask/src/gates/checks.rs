//! The list of checks: a task with its arguments in a full and in a quick run, and what it needs.

use crate::tools::has;
use std::path::{Path, PathBuf};

/// What a check cannot do without.
pub enum Need {
    /// One of these programs, and how to install it.
    Program(&'static [&'static str], &'static str),
    /// Data of this name.
    Data(&'static str),
}

/// A folder that is not part of this repository.
pub struct Data {
    /// The environment variable that names it, for the tasks, too.
    pub variable: &'static str,
    /// Where it is below the folder of `--path`; `*` in a name stands for any version.
    pub places: &'static [&'static str],
    /// What it is and where to get it.
    pub origin: &'static str,
}

/// A check.
pub struct Check {
    pub name: &'static str,
    pub about: &'static str,
    /// A task of `cargo xtask` with its arguments; or another command, with `!` before it, whose
    /// status is its only figure.
    pub full: &'static [&'static str],
    pub quick: &'static [&'static str],
    pub needs: &'static [Need],
}

/// The data that checks need.
#[rustfmt::skip]
pub const DATA: &[Data] = &[
    Data { variable: "GCC_TESTSUITE", places: &["gcc/testsuite", "gcc*/gcc/testsuite"],
        origin: "folder gcc/testsuite of gcc 12's sources (Debian: apt install gcc-12-source, unpack its tarball)" },
    Data { variable: "C_TESTSUITE", places: &["c-testsuite"], origin: "checkout of the repository c-testsuite/c-testsuite" },
    Data { variable: "TCC_TESTS2", places: &["tests2", "tinycc*/tests/tests2", "tcc*/tests/tests2"],
        origin: "folder tests/tests2 of TinyCC's sources (Debian: apt-get source tcc)" },
    Data { variable: "TINYCC", places: &["tinycc*", "tcc*"], origin: "folder of TinyCC's sources (Debian: apt-get source tcc)" },
    Data { variable: "TCC_RS_PROJECTS", places: &["projects"],
        origin: "folder with the sources of zlib, bzip2, lz4, zstd, Lua and SQLite (`cargo xtask projects` says where from)" },
];

const GCC: Need = Need::Program(&["gcc"], "apt install gcc");
const OPT: Need = Need::Program(&["opt-19", "opt"], "apt install llvm-19");
const CLANG: Need = Need::Program(&["clang-19", "clang"], "apt install clang-19");
const DWARFDUMP: Need = Need::Program(&["llvm-dwarfdump", "llvm-dwarfdump-19"], "apt install llvm");
const GDB: Need = Need::Program(&["gdb"], "apt install gdb");
const CSMITH: Need = Need::Program(&["csmith"], "apt install csmith libcsmith-dev");
const Z3: Need = Need::Program(&["z3"], "apt install z3");
const DENY: Need = Need::Program(&["cargo-deny"], "cargo install cargo-deny");

/// All checks, the quickest findings first.
#[rustfmt::skip]
pub const CHECKS: &[Check] = &[
    Check { name: "deny", about: "licences, advisories and sources of the dependencies",
        full: &["!", "cargo", "deny", "check"], quick: &["!", "cargo", "deny", "--offline", "check", "licenses", "bans", "sources"], needs: &[DENY] },
    Check { name: "own-suite", about: "our own cases in the c-testsuite's format, at all levels",
        full: &["suite", "own", "--level", "-O0,-O1,-O2,-O3,-Os,run"], quick: &["suite", "own", "--level", "-O0,-O2,run"], needs: &[] },
    Check { name: "c-testsuite", about: "the c-testsuite, at all levels",
        full: &["suite", "c-testsuite"], quick: &["suite", "c-testsuite", "--sample", "5", "--level", "-O0,-O2,run"], needs: &[Need::Data("C_TESTSUITE")] },
    Check { name: "tests2", about: "tcc's tests2, at all levels",
        full: &["suite", "tests2"], quick: &["suite", "tests2", "--sample", "4"], needs: &[Need::Data("TCC_TESTS2")] },
    Check { name: "tinycc", about: "TinyCC's programs that embed libtcc; start-up beside TinyCC's",
        full: &["tinycc"], quick: &["tinycc", "--runs", "10"], needs: &[GCC, Need::Data("TINYCC")] },
    Check { name: "torture-execute", about: "gcc.c-torture/execute, at all levels",
        full: &["suite", "torture-execute"], quick: &["suite", "torture-execute", "--sample", "20", "--level", "-O0,-O2"],
        needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "torture-compile", about: "gcc.c-torture/compile",
        full: &["suite", "torture-compile"], quick: &["suite", "torture-compile", "--sample", "20"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "gcc-dg-run", about: "programs of gcc.dg that are run",
        full: &["suite", "gcc-dg-run"], quick: &["suite", "gcc-dg-run", "--sample", "25", "--level", "-O2"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "gcc-dg-reject", about: "programs of gcc.dg that must be rejected on given lines",
        full: &["suite", "gcc-dg-reject"], quick: &["suite", "gcc-dg-reject", "--sample", "10"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "ubsan", about: "reports of undefined behaviour in gcc's tests, beside gcc's",
        full: &["suite", "ubsan", "ubsan-dg"], quick: &["suite", "ubsan", "ubsan-dg", "--sample", "10", "--level", "-O2"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "asan", about: "reports of errors in memory in gcc's tests, beside gcc's",
        full: &["suite", "asan", "asan-dg"], quick: &["suite", "asan", "asan-dg", "--sample", "4", "--level", "-O2"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "tsan", about: "reports of data races in gcc's tests, beside gcc's",
        full: &["suite", "tsan"], quick: &["suite", "tsan", "--sample", "4", "--level", "-O2"], needs: &[GCC, Need::Data("GCC_TESTSUITE")] },
    Check { name: "debug", about: "debug information is well formed, -g changes no code",
        full: &["objects", "--only", "debug"], quick: &["objects", "--only", "debug", "--sample", "6"], needs: &[DWARFDUMP] },
    Check { name: "debug-types", about: "names and their types as gdb shows them, beside gcc's",
        full: &["debug-report", "--types"], quick: &["debug-report", "--types", "--sample", "10"], needs: &[GCC, GDB] },
    Check { name: "debug-values", about: "arguments and variables of optimised code as gdb shows them",
        full: &["debug-report", "--locals", "12", "--with", "tcc-rs"],
        quick: &["debug-report", "--locals", "3", "--only-locals", "--with", "tcc-rs", "--level", "-Og,-O2"], needs: &[GCC, GDB] },
    Check { name: "determinism", about: "the same object again, with any number of threads",
        full: &["objects", "--only", "determinism"], quick: &["objects", "--only", "determinism", "--sample", "6"], needs: &[] },
    Check { name: "like-gcc", about: "what a linker and tools see of the objects of tests/run, beside gcc's",
        full: &["like-gcc", "tests/run"], quick: &["like-gcc", "--sample", "10", "--flags", "-O0,-O2 -g", "tests/run"], needs: &[GCC] },
    Check { name: "abi", about: "random signatures across objects of gcc and ours",
        full: &["abi", "--count", "100", "--seed", "1"], quick: &["abi", "--count", "4", "--seed", "1"], needs: &[GCC] },
    Check { name: "intrinsics", about: "intrinsics on random inputs beside gcc's",
        full: &["intrinsics"], quick: &["intrinsics", "--only", "_mm_s", "--count", "100"], needs: &[GCC] },
    Check { name: "mem2reg-vs-llvm", about: "promotion beside LLVM's, tests/run exported and run by LLVM",
        full: &["mem2reg-vs-llvm"], quick: &["mem2reg-vs-llvm", "--sample", "10"], needs: &[OPT, CLANG] },
    Check { name: "interpret-stages", about: "tests/run in the IR interpreter at three stages",
        full: &["interpret-stages"], quick: &["interpret-stages", "--sample", "10"], needs: &[] },
    Check { name: "buggy", about: "wrong programs and their correct twins: the interpreter and sanitizers beside gcc's",
        full: &["buggy"], quick: &["buggy", "heap_overflow", "uninitialised"], needs: &[GCC] },
    Check { name: "ssa-report", about: "what promotion to SSA form gains",
        full: &["ssa-report"], quick: &["ssa-report", "--sample", "10"], needs: &[] },
    Check { name: "loops", about: "random loops beside gcc and clang",
        full: &["fuzz", "--loops", "100", "--seed", "1", "--level", "-O1,-O2,-O3,-Os"],
        quick: &["fuzz", "--loops", "8", "--seed", "1", "--level", "-O2,-O3"], needs: &[GCC] },
    Check { name: "types", about: "memory that changes its effective type, beside gcc -O0",
        full: &["fuzz", "--types", "100", "--seed", "1"],
        quick: &["fuzz", "--types", "8", "--seed", "1", "--level", "-O2,-O3"], needs: &[GCC] },
    Check { name: "csmith", about: "random programs of csmith beside gcc and clang",
        full: &["fuzz", "--csmith", "200", "--seed", "1", "--csmith-args", "--max-funcs 6", "--run-limit", "1"],
        quick: &["fuzz", "--csmith", "8", "--seed", "1", "--csmith-args", "--max-funcs 6", "--run-limit", "1", "--level", "-O0,-O2"],
        needs: &[GCC, CSMITH] },
    Check { name: "native", about: "programs made, compiled at several levels and run in one process",
        full: &["fuzz", "--native", "--count", "20000", "--seed", "1"], quick: &["fuzz", "--native", "--count", "500", "--seed", "1"],
        needs: &[] },
    Check { name: "floats", about: "what simplifications of floats rest on, proved by z3",
        full: &["prove", "--floats"], quick: &["prove", "--floats"], needs: &[Z3] },
    Check { name: "validate", about: "passes over functions, asked of z3",
        full: &["validate", "bench", "tests/run", "--level", "-O1,-O2,-O3,-Os", "--minutes", "120"],
        quick: &["validate", "tests/run", "--sample", "80", "--level", "-O2"], needs: &[Z3] },
    Check { name: "faults", about: "what the system refuses, call by call, while it compiles, links and runs",
        full: &["faults"], quick: &["faults", "--only", "compile"], needs: &[Need::Program(&["ld"], "apt install binutils")] },
    Check { name: "growth", about: "compile time over the size of a function",
        full: &["growth"], quick: &["growth", "branches", "switch", "else_if"], needs: &[] },
    Check { name: "bench", about: "run time, compile time and code size of bench/ beside gcc -O2",
        full: &["bench", "--with", "tcc-rs-O2", "--runs", "3"], quick: &["bench", "--with", "tcc-rs-O2", "--runs", "3", "sudoku", "sha256", "matmul_int", "lisp"],
        needs: &[GCC] },
    Check { name: "predictors", about: "how often the static branch predictors are right about bench/",
        full: &["bench", "--predictors"], quick: &["bench", "--predictors", "sudoku", "json", "lisp", "huffman"], needs: &[GCC] },
    Check { name: "tools", about: "build systems and compiler caches with tcc-rs as their C compiler",
        full: &["tools", "--online"], quick: &["tools", "cmake", "autotools", "ccache", "distcc"],
        needs: &[Need::Program(&["cmake"], "apt install cmake"), Need::Program(&["autoreconf"], "apt install autoconf automake libtool"),
            Need::Program(&["ccache"], "apt install ccache"), Need::Program(&["distccd"], "apt install distcc")] },
    Check { name: "projects", about: "real programs with their own tests",
        full: &["projects"], quick: &["projects", "zlib"], needs: &[Need::Data("TCC_RS_PROJECTS")] },
];

impl Data {
    /// The folder that the variable names, or that is found below `path`.
    pub fn find(&self, path: Option<&Path>) -> Option<PathBuf> {
        if let Some(named) = std::env::var_os(self.variable) {
            return Some(PathBuf::from(named)).filter(|p| p.is_dir());
        }
        self.places.iter().find_map(|place| below(path?, place))
    }
}

/// A folder below another, `*` in the parts of its path standing for any text; the last by name.
fn below(folder: &Path, place: &str) -> Option<PathBuf> {
    let mut found = vec![folder.to_path_buf()];
    for part in place.split('/') {
        let (start, end) = part.split_once('*').unwrap_or((part, ""));
        let matches =
            |name: &str| if part.contains('*') { name.starts_with(start) && name.ends_with(end) } else { name == part };
        let entries = found.iter().filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten();
        found = entries.filter(|e| matches(&e.file_name().to_string_lossy())).map(|e| e.path()).collect();
        found.sort();
    }
    found.pop().filter(|p| p.is_dir())
}

impl Check {
    /// What it lacks, each with how to get it.
    pub fn missing(&self, path: Option<&Path>) -> Vec<String> {
        let mut out = Vec::new();
        for need in self.needs {
            match need {
                Need::Program(names, how) if !names.iter().any(|n| has(n)) => {
                    out.push(format!("{} is not installed: {how}", names[0]));
                }
                Need::Data(variable) => {
                    let data = DATA.iter().find(|d| d.variable == *variable);
                    out.extend(data.filter(|d| d.find(path).is_none()).map(|d| {
                        format!("{} (or {} below --path) must be the {}", d.variable, d.places.join(" or "), d.origin)
                    }));
                }
                Need::Program(..) => {}
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, DATA, Need};

    #[test]
    fn names_are_unique_and_data_is_described() {
        for (i, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[..i].iter().all(|other| other.name != check.name), "{}", check.name);
            for need in check.needs {
                if let Need::Data(variable) = need {
                    assert!(DATA.iter().any(|d| d.variable == *variable), "{variable}");
                }
            }
        }
    }
}
