//! `cargo xtask mutants`: do the tests bite?
//!
//! Small wrong changes (mutants) of what decides the meaning of code: passes and analyses of the
//! middle end, selection, register allocation and phi elimination of the back end, folding. All of
//! them stand in one copy of the sources, that is built once ([`tree`]); a variable of the
//! environment switches one on ([`sites`]). Each is tried by those unit tests, programs of
//! `tests/run` at several levels, and scripts that come to its place ([`cases`]), by the validator,
//! and by the native fuzzer ([`trial`]); what all of them pass has survived, and is shown. A case
//! that does not end in time, or eats up its memory, has caught it. Kinds of changes take turns,
//! places are random: the same seed chooses the same mutants of the same sources.
//!
//! `--count N` (400), `--seed N` (1), `--fuzz SECONDS` of the fuzzer (30), `--part PATH` below
//! `crates/`, `--kind NAME`, `--mutant PATH:LINE:NUMBER,...` some of them, `--sample N` every Nth
//! program (1), `--scripts SECONDS` of scripts (30), `--minutes N` for all, `--shares N --share I`
//! every Nth mutant from the Ith on, for several processes (all but one `--as-built`), `--list`
//! shows them only. Results are kept in the target folder: a run that was stopped goes on where it
//! was, `--again survived` (or another result) tries those anew and no others, and `--again all`
//! everything; `--as-built` takes the copy as the last run left it.

mod cases;
mod sites;
mod tree;
mod trial;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::report::Report;
use crate::tools::{files_below, flag, option, root};
use cases::Cases;
use sites::{Kind, Site, sites};
use tree::Tree;
use trial::{Court, Fate};

/// What is mutated, below `crates/`.
const PARTS: [&str; 8] = [
    "middle/src/passes",
    "middle/src/analysis",
    "middle/src/loop_utils.rs",
    "backend/src/select",
    "backend/src/regalloc",
    "backend/src/eliminate_phis",
    "ir/src/analysis/memory",
    "ir/src/fold.rs",
];

/// A mutant: a file with one change.
pub struct Mutant {
    /// From the root.
    pub path: String,
    /// The change.
    pub site: Site,
    /// `PATH:LINE:NUMBER`, the number counting the changes of that line.
    pub name: String,
    /// The kind, and what becomes of what.
    pub shown: String,
}

/// What became of a mutant, as it is kept.
struct Judgement {
    fate: Fate,
    detail: String,
    seconds: u64,
}

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let number = |name: &str, default: u64| {
        option(arguments, name).map_or(Ok(default), |n| n.parse::<u64>()).map_err(|e| format!("{name}: {e}"))
    };
    let (count, seed, fuzz) = (number("--count", 400)?, number("--seed", 1)?, number("--fuzz", 30)?);
    let sample = number("--sample", 1)?.max(1);
    let scripts = Duration::from_secs(number("--scripts", 30)?);
    let (shares, share) = (number("--shares", 1)?.max(1), number("--share", 0)?);
    let minutes = number("--minutes", u64::MAX >> 10)?;
    let end = Instant::now().checked_add(Duration::from_secs(60 * minutes));
    let kinds: Vec<Kind> = match option(arguments, "--kind") {
        Some(name) => Kind::ALL.into_iter().filter(|kind| kind.name() == name).collect(),
        None => Kind::ALL.to_vec(),
    };
    let all = all_mutants(option(arguments, "--part").as_deref())?;
    let chosen: Vec<&Mutant> = match option(arguments, "--mutant") {
        Some(names) => all.iter().filter(|mutant| names.split(',').any(|name| name == mutant.name)).collect(),
        None => choose(&all, &kinds, count as usize, seed),
    };
    if flag(arguments, "--list") {
        println!("{} places", all.len());
        chosen.iter().for_each(|mutant| println!("{} {}", mutant.name, mutant.shown));
        return Ok(Report::default());
    }
    let tree = Tree::new();
    let kept = tree.folder().join("results");
    let mut results = read(&kept);
    let (left, executables) =
        if flag(arguments, "--as-built") { tree.as_built(&chosen)? } else { tree.build(&chosen)? };
    println!("{} of {} mutants compile", left.len(), chosen.len());
    let last = left.keys().last().copied().unwrap_or(0);
    let mut cases = Cases::new(&tree, &executables, last, sample as usize, !scripts.is_zero())?;
    results.values().for_each(|result| cases.has_caught(&result.detail));
    let again = option(arguments, "--again");
    let is_wanted = |key: &str, results: &BTreeMap<String, Judgement>| match (&again, results.get(key)) {
        (None, result) => result.is_none(),
        (Some(again), result) => again == "all" || result.is_some_and(|result| result.fate.text() == again),
    };
    let mut court = Court { tree, cases, fuzz, scripts };
    for (number, mutant) in left.iter().filter(|(number, _)| u64::from(**number) % shares == share) {
        let key = format!("{} {}", mutant.name, mutant.shown);
        if !is_wanted(&key, &results) {
            continue;
        }
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        let start = Instant::now();
        let (fate, detail) = court.judge(*number, &mutant.path)?;
        let result = Judgement { fate, detail, seconds: start.elapsed().as_secs() };
        println!("{}", line(&key, &result));
        keep(&kept, &key, &result)?;
        results.insert(key, result);
    }
    let keys: Vec<String> = left.values().map(|mutant| format!("{} {}", mutant.name, mutant.shown)).collect();
    results.retain(|key, _| keys.contains(key));
    Ok(summary(seed, &results))
}

fn line(key: &str, result: &Judgement) -> String {
    format!("{} ({} s; {}): {key}", result.fate.text(), result.seconds, result.detail)
}

/// The results that a file holds; the last one of each mutant.
fn read(file: &Path) -> BTreeMap<String, Judgement> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let results = text.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (key, fate, seconds, detail) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let fate = Fate::ALL.into_iter().find(|known| known.text() == fate)?;
        Some((key.to_string(), Judgement { fate, detail: detail.to_string(), seconds: seconds.parse().ok()? }))
    });
    results.collect()
}

fn keep(file: &Path, key: &str, result: &Judgement) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", file.display());
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).map_err(failed)?;
    writeln!(file, "{key}\t{}\t{}\t{}", result.fate.text(), result.seconds, result.detail).map_err(|e| e.to_string())
}

/// Prints the table by part, and the survivors.
fn summary(seed: u64, results: &BTreeMap<String, Judgement>) -> Report {
    let mut rows: BTreeMap<&str, BTreeMap<Fate, usize>> = BTreeMap::new();
    for (key, result) in results {
        let part = PARTS.iter().find(|part| key.strip_prefix("crates/").is_some_and(|path| path.starts_with(**part)));
        for row in [part.copied().unwrap_or("other"), "all"] {
            *rows.entry(row).or_default().entry(result.fate).or_default() += 1;
        }
    }
    let mut table = String::from("| part | mutants |");
    table.extend(Fate::ALL.iter().map(|fate| format!(" {} |", fate.text())));
    table.push_str(&format!("\n|---|---|{}\n", "---|".repeat(Fate::ALL.len())));
    for (part, fates) in rows.iter().filter(|(part, _)| **part != "all").chain(rows.get_key_value("all")) {
        let _ = write!(table, "| {part} | {} |", fates.values().sum::<usize>());
        table.extend(Fate::ALL.iter().map(|fate| format!(" {} |", fates.get(fate).copied().unwrap_or(0))));
        table.push('\n');
    }
    let survivors: Vec<String> =
        results.iter().filter(|(_, result)| result.fate == Fate::Survived).map(|(key, r)| line(key, r)).collect();
    let percent = 100.0 * (results.len() - survivors.len()) as f64 / results.len().max(1) as f64;
    survivors.iter().for_each(|survivor| println!("{survivor}"));
    println!("{table}\nseed {seed}: {} mutants, {percent:.1} % caught", results.len());
    let mut report = Report::default();
    report.more("mutants", results.len() as f64);
    report.more("percent caught", percent.round());
    report
}

/// All mutants of the parts, in the order of files and places.
fn all_mutants(part: Option<&str>) -> Result<Vec<Mutant>, String> {
    let crates = root().join("crates");
    let parts: Vec<&str> = part.map_or_else(|| PARTS.to_vec(), |part| vec![part]);
    let mut out = Vec::new();
    for part in parts {
        let path: PathBuf = crates.join(part);
        let mut files = if path.is_dir() { files_below(&path, "rs") } else { vec![path] };
        files.sort();
        for file in files.iter().filter(|file| !is_test(file)) {
            let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let relative = file.strip_prefix(root()).unwrap_or(file).display().to_string();
            let mut last = (0, 0);
            for site in sites(&text) {
                let line = site.line(&text);
                last = (line, if last.0 == line { last.1 + 1 } else { 1 });
                let name = format!("{relative}:{line}:{}", last.1);
                let shown = format!("{} {}", site.kind.name(), site.shown(&text));
                out.push(Mutant { path: relative.clone(), site, name, shown });
            }
        }
    }
    Ok(out)
}

fn is_test(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

/// Chooses so many: kinds take turns, places are random, none twice.
fn choose<'m>(all: &'m [Mutant], kinds: &[Kind], count: usize, seed: u64) -> Vec<&'m Mutant> {
    let mut state = seed;
    let mut random = |below: usize| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    };
    let mut pools: Vec<Vec<&Mutant>> =
        kinds.iter().map(|kind| all.iter().filter(|mutant| mutant.site.kind == *kind).collect()).collect();
    let mut chosen = Vec::new();
    let mut turn = 0;
    while chosen.len() < count && pools.iter().any(|pool| !pool.is_empty()) {
        let index = turn % pools.len();
        turn += 1;
        let pool = &mut pools[index];
        if !pool.is_empty() {
            let at = random(pool.len());
            chosen.push(pool.swap_remove(at));
        }
    }
    chosen
}
