//! `cargo xtask mutants`: do the tests bite?
//!
//! Small wrong changes (mutants) of what decides the meaning of code: passes and analyses of the
//! middle end, selection, register allocation and phi elimination of the back end, folding. Each is
//! built in a copy of the sources with a target folder of its own, and tried by the tests of its
//! crate, by programs of `tests/run` at several levels, by the scripts of `tests/driver`, and by
//! the native fuzzer; what all of them pass has survived, and is shown. Kinds of changes take
//! turns, places are random: the same seed chooses the same mutants of the same sources.
//!
//! `--count N` (30), `--seed N` (1), `--fuzz MINUTES` of the fuzzer (1), `--part PATH` below
//! `crates/`, `--kind NAME`, `--mutant PATH:LINE:NUMBER` one of them, `--sample N` every Nth
//! program (4), `--minutes N` for all, `--list` shows them only.

mod sites;
mod trial;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::report::Report;
use crate::tools::{files_below, flag, option, root};
use sites::{Kind, Site, sites};
use trial::{Fate, Place};

/// What is mutated, below `crates/`.
const PARTS: [&str; 7] = [
    "middle/src/passes",
    "middle/src/analysis",
    "middle/src/loop_utils.rs",
    "backend/src/select",
    "backend/src/regalloc",
    "backend/src/eliminate_phis",
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
}

/// Runs the task.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let number = |name: &str, default: u64| option(arguments, name).map_or(Ok(default), |n| n.parse::<u64>());
    let bad = |e: std::num::ParseIntError| e.to_string();
    let (count, seed) = (number("--count", 30).map_err(bad)?, number("--seed", 1).map_err(bad)?);
    let fuzz = number("--fuzz", 1).map_err(bad)?;
    let sample = number("--sample", 4).map_err(bad)?.max(1);
    let end = option(arguments, "--minutes").map(|n| n.parse::<u64>().map_err(bad)).transpose()?;
    let end = end.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
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
        chosen.iter().for_each(|mutant| println!("{}", shown(mutant)));
        return Ok(Report::default());
    }
    let place = Place::new(fuzz, sample as usize)?;
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    let mut survivors = Vec::new();
    for mutant in chosen {
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        let start = Instant::now();
        let fate = place.try_mutant(mutant)?;
        println!("{} ({} s): {}", fate.text(), start.elapsed().as_secs(), shown(mutant));
        *fates.entry(fate).or_default() += 1;
        if fate == Fate::Survived {
            survivors.push(shown(mutant));
        }
    }
    Ok(summary(seed, &fates, &survivors))
}

fn summary(seed: u64, fates: &BTreeMap<Fate, usize>, survivors: &[String]) -> Report {
    let tried: usize = fates.iter().filter(|(fate, _)| **fate != Fate::NotBuilt).map(|(_, count)| count).sum();
    let caught = tried - survivors.len();
    let percent = 100.0 * caught as f64 / tried.max(1) as f64;
    let by: Vec<String> = fates.iter().map(|(fate, count)| format!("{count} {}", fate.text())).collect();
    println!("seed {seed}: {tried} mutants, {caught} caught ({percent:.0} %); {}", by.join(", "));
    survivors.iter().for_each(|survivor| println!("survived: {survivor}"));
    let mut report = Report::default();
    report.more("mutants", tried as f64);
    report.more("percent caught", percent.round());
    report
}

fn shown(mutant: &Mutant) -> String {
    let text = std::fs::read_to_string(root().join(&mutant.path)).unwrap_or_default();
    let changed = mutant.site.apply(&text);
    let line = mutant.site.line(&text) - 1;
    let of = |text: &str| text.lines().nth(line).unwrap_or_default().trim().to_string();
    format!("{} {}: `{}` -> `{}`", mutant.name, mutant.site.kind.name(), of(&text), of(&changed))
}

/// All mutants of the parts, in the order of files and places.
fn all_mutants(part: Option<&str>) -> Result<Vec<Mutant>, String> {
    let crates = root().join("crates");
    let parts: Vec<&str> = part.map_or_else(|| PARTS.to_vec(), |part| vec![part]);
    let mut out = Vec::new();
    for part in parts {
        let path = crates.join(part);
        let mut files = if path.is_dir() { files_below(&path, "rs") } else { vec![path] };
        files.sort();
        for file in files.iter().filter(|file| !is_test(file)) {
            let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let relative = file.strip_prefix(root()).unwrap_or(file).display().to_string();
            let mut last = (0, 0);
            for site in sites(&text) {
                let line = site.line(&text);
                last = (line, if last.0 == line { last.1 + 1 } else { 1 });
                out.push(Mutant { path: relative.clone(), site, name: format!("{relative}:{line}:{}", last.1) });
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
