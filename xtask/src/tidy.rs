//! `cargo xtask tidy`: rules of the house that the compiler does not check.
//!
//! - Crates import only in the direction ARCHITECTURE.md gives.
//! - Modules that stand side by side do not import each other in a ring ([`rings`] names those that
//!   may, with their reasons).
//! - Every file begins with `//!`; no file is longer than the limit, the median stays below 300
//!   lines.
//! - Every pass is in the pipeline and has a folder of tests.
//! - Every field of the options is read outside of the command line's code.
//! - Nobody outside of `ir` decodes fields of instructions, passes run each other through the
//!   runner, alias analysis is asked of the cache.
//! - Documents name only paths that exist.
//! - What git keeps is text, and not much of it in one file.

mod rings;

use crate::tools::{files_below, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What each crate may import, apart from outside crates.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("platform", &["base"]),
    ("ir", &["base", "platform"]),
    ("frontend", &["base", "platform", "ir"]),
    ("interp", &["base", "platform", "ir"]),
    ("rules", &[]),
    ("instrument", &["base", "platform", "ir"]),
    ("coverage", &["base", "ir"]),
    ("middle", &["base", "platform", "ir", "instrument", "rules"]),
    ("validate", &["ir", "interp"]),
    ("warnings", &["base", "platform", "ir", "middle"]),
    ("object", &["base", "platform"]),
    ("assembler", &["base", "platform", "object"]),
    ("backend", &["base", "platform", "ir", "object", "assembler"]),
    ("linker", &[]),
    ("loader", &[]),
    (
        "driver",
        &[
            "base",
            "platform",
            "ir",
            "frontend",
            "interp",
            "instrument",
            "coverage",
            "middle",
            "object",
            "assembler",
            "backend",
            "linker",
            "loader",
            "validate",
            "warnings",
        ],
    ),
    ("fuzzer", &["ir", "interp", "middle"]),
    ("capi", &[]),
];

/// No file is longer. Tables written out as code are the longest there are.
const MAX_LINES: usize = 1600;
/// Half of the files are shorter.
const MEDIAN_LINES: usize = 300;
/// Nine of ten files are shorter.
const P90_LINES: usize = 800;

/// Check everything; the error lists all that is wrong.
pub fn run() -> Result<(), String> {
    let mut wrong = Vec::new();
    check_directions(&mut wrong);
    rings::check(&mut wrong);
    check_files(&mut wrong);
    check_passes(&mut wrong);
    check_options(&mut wrong);
    check_bypasses(&mut wrong);
    check_documents(&mut wrong);
    check_tracked(&mut wrong);
    if wrong.is_empty() { Ok(()) } else { Err(format!("tidy:\n  {}", wrong.join("\n  "))) }
}

/// Bytes of the longest file that git keeps, about.
const MAX_BYTES: usize = 1 << 20;

/// Programs, objects and the remains of crashes are easily added with everything else. Without git
/// (an unpacked archive) there is nothing to ask.
fn check_tracked(wrong: &mut Vec<String>) {
    let listed = std::process::Command::new("git").current_dir(root()).args(["ls-files", "-z"]).output();
    let Ok(listed) = listed else { return };
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
        let bytes = std::fs::read(root().join(name)).unwrap_or_default();
        if bytes.len() > MAX_BYTES {
            wrong.push(format!("{name}: {} bytes, which nobody reads", bytes.len()));
        } else if bytes.starts_with(b"\x7fELF") {
            wrong.push(format!("{name}: a program or an object"));
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Code without comments, strings left as they are: enough to find `use` and paths.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// A field of `platform::options` that only the command line's code writes is a flag without
/// effect.
fn check_options(wrong: &mut Vec<String>) {
    let declarations = root().join("crates/platform/src");
    let is_declaration =
        |path: &Path| path.starts_with(declarations.join("options")) || path == declarations.join("options.rs");
    let mut fields = BTreeMap::new();
    let mut read_names = BTreeSet::new();
    for path in files_below(&root().join("crates"), "rs") {
        if path.starts_with(root().join("crates/driver/src/cli")) || path.components().any(|c| c.as_os_str() == "tests")
        {
            continue;
        }
        let text = read(&path);
        if is_declaration(&path) {
            fields.extend(code_lines(&text).filter_map(field_name).map(|name| (name.to_string(), relative(&path))));
            // Methods of the options read through `self`.
            code_lines(&text).for_each(|line| read_fields(line, "self.", &mut read_names));
        } else {
            code_lines(&text).for_each(|line| read_fields(line, ".", &mut read_names));
        }
    }
    for (field, path) in fields {
        if !read_names.contains(&field) {
            wrong.push(format!("{path}: the option '{field}' has no reader outside of the command line"));
        }
    }
}

/// `    pub NAME: TYPE,`
fn field_name(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("    pub ")?.split_once(": ")?;
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_').then_some(name)
}

/// The names after `before` (`.` or `self.`, then possibly more fields) that are not assigned to.
fn read_fields(line: &str, before: &str, names: &mut BTreeSet<String>) {
    for (at, _) in line.match_indices(before) {
        let mut rest = &line[at + before.len()..];
        loop {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name.is_empty() || after.starts_with(" = ") || after.starts_with('(') {
                break;
            }
            names.insert(name.to_string());
            let Some(next) = after.strip_prefix('.') else { break };
            rest = next;
        }
    }
}

fn check_directions(wrong: &mut Vec<String>) {
    let all: Vec<&str> = DIRECTIONS.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in DIRECTIONS {
        let folder = root().join("crates").join(name);
        let manifest = read(&folder.join("Cargo.toml"));
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for other in all.iter().filter(|o| *o != name && !allowed.contains(o)) {
            let declared = dependencies
                .lines()
                .any(|l| l.starts_with(&format!("{other}.")) || l.starts_with(&format!("{other} ")));
            if declared {
                wrong.push(format!("crates/{name} depends on {other}: against the direction of knowledge"));
            }
        }
    }
}

fn check_files(wrong: &mut Vec<String>) {
    let mut lengths = Vec::new();
    for folder in ["crates", "xtask"] {
        for file in files_below(&root().join(folder), "rs") {
            let text = read(&file);
            let lines = text.lines().count();
            lengths.push(lines);
            if !text.starts_with("//!") {
                wrong.push(format!("{}: does not begin with //! documentation", relative(&file)));
            }
            if lines > MAX_LINES {
                wrong.push(format!("{}: {lines} lines, the limit is {MAX_LINES}", relative(&file)));
            }
        }
    }
    lengths.sort_unstable();
    let at = |percent: usize| lengths.get(lengths.len() * percent / 100).copied().unwrap_or(0);
    if at(50) > MEDIAN_LINES {
        wrong.push(format!("the median file has {} lines, the limit is {MEDIAN_LINES}", at(50)));
    }
    if at(90) > P90_LINES {
        wrong.push(format!("one file in ten has more than {} lines, the limit is {P90_LINES}", at(90)));
    }
}

/// What goes around the one place that answers: crates, text, and what to write instead.
const BYPASSES: &[(&[&str], &str, &str)] = &[
    (&["middle", "backend", "interp", "frontend"], " Value::from_u32", "an accessor or view of the instruction"),
    (&["middle", "backend", "interp", "frontend"], "(Value::from_u32", "an accessor or view of the instruction"),
    (&["middle", "backend", "interp", "frontend"], "Block::from_u32", "an accessor or view of the instruction"),
    (&["middle"], "PASS.run)(", "cx.run(func, PASS)"),
    (&["middle"], "AliasAnalysis::compute", "cx.analyses.alias(func, cx.module, cx.options)"),
];

fn check_bypasses(wrong: &mut Vec<String>) {
    for (crates, text, instead) in BYPASSES {
        for name in *crates {
            let files = files_below(&root().join("crates").join(name).join("src"), "rs");
            // The cache itself computes.
            for file in files.iter().filter(|f| !f.ends_with("middle/src/analysis/mod.rs")) {
                if code_lines(&read(file)).any(|line| line.contains(text)) {
                    wrong.push(format!("{}: '{}' should be {instead}", relative(file), text.trim()));
                }
            }
        }
    }
}

/// Passes for `--passes=` only: parts of others, to be looked at alone.
const ALONE: &[&str] = &["fold"];

/// The file's name is the pass's name is the folder of its tests.
fn check_passes(wrong: &mut Vec<String>) {
    let passes = root().join("crates/middle/src/passes");
    let pipeline = read(&root().join("crates/middle/src/pipeline.rs"));
    // `ALL` has no order and runs nothing; the lists of the levels follow it.
    let lists = pipeline.split_once("pub const ALL").and_then(|(_, rest)| rest.split_once("];"));
    let lists = lists.map_or("", |(_, lists)| lists);
    let table = read(&root().join("docs/passes.md"));
    for entry in std::fs::read_dir(&passes).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name == "mod" {
            continue;
        }
        let text = if path.is_dir() { read(&path.join("mod.rs")) } else { read(&path) };
        if !text.contains("pub const PASS") {
            continue;
        }
        if !lists.contains(&format!("{name}::PASS")) && !ALONE.contains(&&*name) {
            wrong.push(format!("the pass {name} is in no pipeline"));
        }
        if !table.lines().any(|line| line.starts_with('|') && line.contains(&format!("`{name}`"))) {
            wrong.push(format!("the pass {name} has no row in docs/passes.md"));
        }
        let tests = root().join("tests/passes").join(&name);
        if std::fs::read_dir(&tests).into_iter().flatten().next().is_none() {
            wrong.push(format!("the pass {name} has no tests in tests/passes/{name}"));
        }
    }
}

/// Paths in backquotes that look like ours must exist.
fn check_documents(wrong: &mut Vec<String>) {
    let mut documents = files_below(&root().join("docs"), "md");
    documents.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|n| root().join(n)));
    for document in documents {
        let text = read(&document);
        if text.is_empty() {
            wrong.push(format!("{} is missing", relative(&document)));
        }
        for word in text.split('`').skip(1).step_by(2) {
            let path = word.trim_end_matches('/');
            let ours = ["crates/", "tests/", "docs/", "runtime/", "xtask/", "c-testsuite/", "bench/", "fuzz/", ".ci/"];
            let plain = !path.contains(['*', '<', '{', ' ', '$']);
            if plain && ours.iter().any(|p| path.starts_with(p)) && !root().join(path).exists() {
                wrong.push(format!("{} names {path}, which does not exist", relative(&document)));
            }
        }
    }
}
