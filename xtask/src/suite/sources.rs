//! The public suites: where their files are, and what a case of each is.
//!
//! | suite | case | passes when |
//! |---|---|---|
//! | `c-testsuite` | `N.c`, `N.c.expected` | status 0, standard output and error as expected |
//! | `own` | the same form, in this repository | the same |
//! | `torture-execute` | a program of `gcc.c-torture/execute` | status 0 |
//! | `torture-compile` | a file of `gcc.c-torture/compile` | an object |
//! | `gcc-dg-run` | `dg-do run` of `gcc.dg` | status 0 |
//! | `gcc-dg-reject` | `dg-error` in `gcc.dg` | an error on an expected line or beside it |
//! | `ubsan`, `ubsan-dg` | `dg-do run` of `c-c++-common/ubsan`, `gcc.dg/ubsan` | reports and status as gcc's |
//! | `tests2` | `NN_name.c`, `NN_name.expect` | the output, but for white space |

use super::directives::{self, Directives};
use crate::tools::{files_below, root};
use std::path::{Path, PathBuf};

/// What decides whether a case passes.
#[derive(Clone, Debug, PartialEq)]
pub enum Judge {
    /// It compiles.
    Compiles,
    /// The program ends with status 0.
    Succeeds,
    /// Status 0 and exactly this output.
    Prints(PathBuf),
    /// This output, but for white space and warnings, whatever the status.
    PrintsAbout(PathBuf),
    /// Status and reports of sanitizers as those of gcc's program.
    ReportsAsGcc,
    /// The compiler reports an error on one of these lines.
    IsRejected(Vec<usize>),
}

/// A test of a suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// Path below the suite's folder.
    pub name: String,
    /// The folder the compiler is started in; its own work folder if there is none.
    pub folder: Option<PathBuf>,
    pub sources: Vec<PathBuf>,
    pub flags: Vec<String>,
    /// For linking, beside those of `flags` that concern it.
    pub link_flags: Vec<String>,
    /// What the program is given.
    pub arguments: Vec<String>,
    pub judge: Judge,
    /// Flags with which it is not run.
    pub directives: Directives,
    /// Why it is not run at all.
    pub skip: Option<String>,
}

/// A suite: its name, the variable that says where it is, how to get it, its levels by default.
pub struct Suite {
    pub name: &'static str,
    pub variable: &'static str,
    pub origin: &'static str,
    pub levels: &'static [&'static str],
    /// Below the folder that the variable names.
    pub folder: &'static str,
    /// Whether what gcc fails, too, is not held against us.
    pub judged_by_gcc: bool,
    collect: fn(&Path) -> Vec<Case>,
}

const ALL: &[&str] = &["-O0", "-O1", "-O2", "-O3", "-Os"];
const GCC: &str = "a checkout of the repository gcc-mirror/gcc of release 12, or the tarball in Debian's package gcc-12-source: its folder gcc/testsuite";

/// All suites.
#[rustfmt::skip]
pub const SUITES: &[Suite] = &[
    Suite { name: "c-testsuite", variable: "C_TESTSUITE", origin: "a checkout of the repository c-testsuite/c-testsuite",
        levels: &["-O0", "-O1", "-O2", "-O3", "-Os", "run"], folder: "tests/single-exec", judged_by_gcc: false, collect: c_testsuite },
    Suite { name: "own", variable: "", origin: "", levels: &["-O0", "-O1", "-O2", "run"], folder: "c-testsuite/tests/single-exec",
        judged_by_gcc: false, collect: c_testsuite },
    Suite { name: "torture-execute", variable: "GCC_TESTSUITE", origin: GCC, levels: ALL, folder: "gcc.c-torture/execute", judged_by_gcc: true,
        collect: |folder| torture(folder, false) },
    Suite { name: "torture-compile", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "gcc.c-torture/compile",
        judged_by_gcc: true, collect: |folder| torture(folder, true) },
    Suite { name: "gcc-dg-run", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "gcc.dg", judged_by_gcc: true,
        collect: |folder| gcc_dg(folder, false) },
    Suite { name: "gcc-dg-reject", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0"], folder: "gcc.dg", judged_by_gcc: true,
        collect: |folder| gcc_dg(folder, true) },
    Suite { name: "ubsan", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "c-c++-common/ubsan", judged_by_gcc: true,
        collect: sanitizer },
    Suite { name: "ubsan-dg", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "gcc.dg/ubsan", judged_by_gcc: true,
        collect: sanitizer },
    Suite { name: "asan", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "c-c++-common/asan", judged_by_gcc: true,
        collect: asan },
    Suite { name: "asan-dg", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "gcc.dg/asan", judged_by_gcc: true,
        collect: asan },
    Suite { name: "tsan", variable: "GCC_TESTSUITE", origin: GCC, levels: &["-O0", "-O2"], folder: "c-c++-common/tsan", judged_by_gcc: true,
        collect: tsan },
    Suite { name: "tests2", variable: "TCC_TESTS2", origin: "a checkout of the repository TinyCC/tinycc: its folder tests/tests2",
        levels: &["-O0", "-O2"], folder: "", judged_by_gcc: false, collect: tests2 },
];

impl Suite {
    /// Its folder: below `path`, or below what the variable names.
    pub fn find(&self, path: Option<&str>) -> Result<PathBuf, String> {
        if self.variable.is_empty() {
            return Ok(root().join(self.folder));
        }
        let named = path.map(str::to_string).or_else(|| std::env::var(self.variable).ok());
        let Some(base) = named else {
            return Err(format!("{}: give --path or {} the place of {}", self.name, self.variable, self.origin));
        };
        let folder = Path::new(&base).join(self.folder);
        if folder.is_dir() { Ok(folder) } else { Err(format!("{}: no folder {}", self.name, folder.display())) }
    }

    /// Its cases, sorted by name.
    pub fn cases(&self, folder: &Path) -> Result<Vec<Case>, String> {
        let cases = (self.collect)(folder);
        if cases.is_empty() { Err(format!("{} has no cases", folder.display())) } else { Ok(cases) }
    }
}

/// A case of one file.
fn case(folder: &Path, file: PathBuf, judge: Judge) -> Case {
    Case {
        name: file.strip_prefix(folder).unwrap_or(&file).display().to_string(),
        folder: None,
        sources: vec![file],
        flags: Vec::new(),
        link_flags: vec!["-lm".to_string()],
        arguments: Vec::new(),
        judge,
        directives: Directives::default(),
        skip: None,
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

/// The file's text; bytes that are not UTF-8 do not matter here.
fn text(file: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned()
}

fn c_testsuite(folder: &Path) -> Vec<Case> {
    let skip = std::fs::read_to_string(root().join("c-testsuite/skip")).unwrap_or_default();
    let mut cases = Vec::new();
    for file in files_below(folder, "c") {
        let mut expected = file.clone().into_os_string();
        expected.push(".expected");
        let mut case = case(folder, file, Judge::Prints(PathBuf::from(expected)));
        if skip.lines().any(|l| l.split_whitespace().next() == Some(&case.name)) {
            case.skip = Some("c-testsuite/skip".to_string());
        }
        case.flags = strings(&["-w"]);
        cases.push(case);
    }
    cases
}

/// gcc.c-torture: `builtins` has a library beside each program, `.x` files may add flags.
fn torture(folder: &Path, compiles: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files_below(folder, "c") {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        if name.ends_with("-lib.c") || name.contains("lib/") {
            continue;
        }
        let directives = directives::read(&text(&file));
        let mut flags = strings(&["-w"]);
        let mut sources = vec![file.clone()];
        if name.starts_with("builtins/") {
            let library = name.replace(".c", "-lib.c");
            sources.extend([folder.join(library), folder.join("builtins/lib/main.c")]);
            flags.extend(strings(&[
                "-fno-tree-dse",
                "-fno-tree-loop-distribute-patterns",
                "-fno-tracer",
                "-fno-ipa-ra",
                "-fno-inline-functions",
            ]));
        } else if name.starts_with("ieee/") {
            flags.push("-fno-inline".to_string());
        }
        // Conditions in these files are about other systems.
        for line in text(&file.with_extension("x")).lines() {
            let more = line.strip_prefix("set additional_flags").or(line.strip_prefix("lappend additional_flags"));
            flags.extend(more.into_iter().flat_map(str::split_whitespace).map(|w| w.trim_matches('"').to_string()));
        }
        flags.extend(directives.options.iter().cloned());
        let only_compiled = matches!(directives.action.as_deref(), Some("compile" | "assemble" | "preprocess"));
        let judge = if compiles || only_compiled { Judge::Compiles } else { Judge::Succeeds };
        let mut case = case(folder, file, judge);
        if case.judge == Judge::Compiles {
            sources.truncate(1);
        }
        case.sources = sources;
        case.flags = flags;
        case.skip = directives.skip.clone();
        if case.skip.is_none() && !directives.error_lines.is_empty() {
            case.skip = Some("wants a diagnostic".to_string());
        }
        case.directives = directives;
        cases.push(case);
    }
    cases
}

/// Folders of gcc.dg that test what this compiler does not have, or that need gcc's own harness.
const LEFT_OUT: &[&str] =
    &["plugin", "analyzer", "lto", "gomp", "goacc", "pch", "compat", "vmx", "tm", "graphite", "cdce"];

/// gcc.dg: what is run, or what must be rejected.
fn gcc_dg(folder: &Path, rejected: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files_below(folder, "c") {
        let first = file.strip_prefix(folder).ok().and_then(|p| p.iter().next()).unwrap_or_default();
        if LEFT_OUT.iter().any(|name| first == *name) {
            continue;
        }
        let text = text(&file);
        let directives = directives::read(&text);
        let is_run = directives.action.as_deref() == Some("run");
        let lines = directives.error_lines.clone();
        if rejected == lines.is_empty() || (!rejected && !is_run) {
            continue;
        }
        let mut case = case(folder, file, if rejected { Judge::IsRejected(lines) } else { Judge::Succeeds });
        if !rejected {
            case.flags.push("-w".to_string());
        }
        if !directives.has_options {
            case.flags.extend(strings(&["-ansi", "-pedantic-errors"]));
        }
        let of_harness = ["-fdump", "-fopt-info", "-fdiagnostics-plain"];
        case.flags.extend(directives.options.iter().filter(|o| !of_harness.iter().any(|h| o.starts_with(h))).cloned());
        case.skip = directives.skip.clone();
        let harness = ["dg-additional-sources", "dg-prune-output", "profile", "-fplugin"];
        if case.skip.is_none() && harness.iter().any(|h| text.contains(h)) {
            case.skip = Some("wants gcc's own harness".to_string());
        }
        case.directives = directives;
        cases.push(case);
    }
    cases
}

/// Programs of gcc's tests of a sanitizer that are run.
fn sanitizer(folder: &Path) -> Vec<Case> {
    sanitizer_by_default(folder, "compile")
}

/// The same, where files without `dg-do` are to be compiled, or run.
fn sanitizer_by_default(folder: &Path, action: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files_below(folder, "c") {
        let directives = directives::read(&text(&file));
        if directives.action.as_deref().unwrap_or(action) != "run" {
            continue;
        }
        let mut case = case(folder, file, Judge::ReportsAsGcc);
        case.flags.push("-w".to_string());
        case.flags.extend(directives.options.iter().cloned());
        case.skip = directives.skip.clone();
        case.directives = directives;
        cases.push(case);
    }
    cases
}

/// The same of the address sanitizer's, which gcc's harness asks for.
fn asan(folder: &Path) -> Vec<Case> {
    let mut cases = sanitizer(folder);
    for case in &mut cases {
        case.flags.splice(0..0, strings(&["-fsanitize=address", "-g"]));
    }
    cases
}

/// The same of the thread sanitizer's.
fn tsan(folder: &Path) -> Vec<Case> {
    let mut cases = sanitizer_by_default(folder, "run");
    for case in &mut cases {
        case.flags.splice(0..0, strings(&["-fsanitize=thread", "-g"]));
    }
    cases
}

/// tests2 whose output is tcc's own: other processors, its bounds checker, its mode of testing.
const OF_TCC: &[(&str, &str)] = &[
    ("34_array_assignment", "not C"),
    ("60_errors_and_warnings", "tcc -dt"),
    ("73_arm64", "for ARM64"),
    ("96_nodata_wanted", "tcc -dt"),
    ("98_al_ax_extend", "for i386"),
    ("99_fastcall", "for i386"),
    ("112_backtrace", "tcc -b"),
    ("113_btdll", "tcc -bt"),
    ("114_bound_signal", "tcc -b"),
    ("115_bound_setjmp", "tcc -b"),
    ("116_bound_setjmp2", "tcc -b"),
    ("117_builtins", "tcc -b"),
    ("125_atomic_misc", "tcc -dt"),
    ("126_bound_global", "tcc -b"),
    ("128_run_atexit", "tcc -dt"),
    ("132_bound_test", "tcc -b"),
];

/// What the suite's own makefile gives some programs.
fn tests2_needs(name: &str, case: &mut Case) {
    match name {
        "31_args" => case.arguments = strings(&["arg1", "arg2", "arg3", "arg4", "arg5"]),
        "46_grep" => case.arguments = strings(&[r"[^* ]*[:a:d: ]+\:\*-/: $", "46_grep.c"]),
        "76_dollars_in_identifiers" => case.flags.push("-fdollars-in-identifiers".to_string()),
        "106_versym" | "124_atomic_counter" => case.flags.push("-pthread".to_string()),
        _ => {}
    }
}

fn tests2(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    let files = files_below(folder, "c");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let expected = file.with_extension("expect");
        let Some((number, _)) = name.split_once('_').filter(|_| expected.is_file()) else { continue };
        let mut case = case(folder, file.clone(), Judge::PrintsAbout(expected));
        case.folder = Some(folder.to_path_buf());
        case.flags = strings(&["-w"]);
        tests2_needs(&name, &mut case);
        let second = format!("{number}+");
        let is_second = |f: &&PathBuf| f.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&second));
        case.sources.extend(files.iter().filter(is_second).cloned());
        case.skip = OF_TCC.iter().find(|(n, _)| *n == name).map(|(_, why)| why.to_string());
        cases.push(case);
    }
    cases
}
