//! The command: `tcc-rs-fuzzer [--count N] [--seed N] [--jobs N] [--minutes N] [--seconds N]
//! [--folder DIR]` tries programs, cuts down what is wrong and writes it to the folder; with
//! `--first` it ends at the first finding, without a word. `--show RECIPE` prints a
//! program, `--ways RECIPE` how it is run, `--run RECIPE WAY` its answer,
//! programs as one unit for another compiler.

use fuzzer::batch::{self, Plan};
use fuzzer::finding::Finding;
use fuzzer::generate::{self, Recipe};
use fuzzer::{bisect, execute, finding, reduce};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: tcc_rs::allocator::Allocator = tcc_rs::allocator::Allocator;

fn main() -> ExitCode {
    execute::prepare();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match &arguments[..] {
        [word, recipe] if word == "--show" => recipe.parse().map(show),
        [word, recipe] if word == "--ways" => recipe.parse().map(|recipe| {
            batch::ways(recipe).iter().for_each(|way| println!("{way}"));
            true
        }),
        [word, recipe, way] if word == "--run" => run_one(recipe, way),
        _ => fuzz(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("tcc-rs-fuzzer: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn show(recipe: Recipe) -> bool {
    println!("{}", execute::source(recipe));
    true
}

fn run_one(recipe: &str, way: &str) -> Result<bool, String> {
    println!("{:?}", execute::run(&execute::source(recipe.parse()?), &way.parse()?));
    Ok(true)
}

/// The value after an option.
fn option<T: std::str::FromStr>(arguments: &[String], name: &str, default: T) -> Result<T, String> {
    match arguments.iter().position(|a| a == name) {
        None => Ok(default),
        Some(index) => {
            let value = arguments.get(index + 1).ok_or_else(|| format!("{name} needs a value"))?;
            value.parse().map_err(|_| format!("{value}: not a value for {name}"))
        }
    }
}

fn fuzz(arguments: &[String]) -> Result<bool, String> {
    let known =
        ["--count", "--seed", "--jobs", "--minutes", "--folder", "--findings", "--counters", "--first", "--seconds"];
    if let Some(bad) = arguments.iter().find(|a| a.starts_with("--") && !known.contains(&a.as_str())) {
        return Err(format!("unknown option {bad}; known are {}", known.join(" ")));
    }
    let has = |name: &str| arguments.iter().any(|a| a == name);
    let seconds = 60 * option::<u64>(arguments, "--minutes", 0)? + option::<u64>(arguments, "--seconds", 0)?;
    let folder: String = option(arguments, "--folder", "fuzz-findings".to_string())?;
    std::fs::create_dir_all(&folder).map_err(|e| format!("{folder}: {e}"))?;
    let plan = Plan {
        count: option(arguments, "--count", if seconds > 0 { u64::MAX >> 1 } else { 10_000 })?,
        seed: option(arguments, "--seed", 1)?,
        jobs: option(arguments, "--jobs", 2)?,
        folder: folder.clone().into(),
        until: (seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds)),
        most: if has("--first") { 1 } else { option(arguments, "--findings", 40)? },
    };
    let begin = Instant::now();
    let live = std::io::stderr().is_terminal();
    let outcome = batch::run(&plan, |tried, found| {
        if live {
            let rate = tried as f64 / begin.elapsed().as_secs_f64();
            eprint!("\r{tried} programs, {found} findings, {rate:.0} a second ");
        }
    })?;
    if live {
        eprintln!();
    }
    let seconds = begin.elapsed().as_secs_f64();
    if has("--first") && !outcome.findings.is_empty() {
        return Ok(false);
    }
    let classes = classify(&outcome.findings, Path::new(&folder))?;
    if has("--counters") {
        let (counters, programs) = outcome.steering.counters();
        for (name, count) in counters {
            println!("{count:>8} of {programs} {name}");
        }
    }
    println!(
        "{} programs in {seconds:.0} s, {:.0} a second; the interpreter ran {}; {} findings in {} classes",
        outcome.tried,
        outcome.tried as f64 / seconds,
        outcome.interpreted,
        outcome.findings.len(),
        classes
    );
    Ok(outcome.findings.is_empty())
}

/// Traces each finding to its cause, and cuts the first of each cause down; the number of causes.
fn classify(findings: &[(Recipe, Finding)], folder: &Path) -> Result<usize, String> {
    let mut classes: BTreeMap<(String, String), Vec<Recipe>> = BTreeMap::new();
    for (recipe, found) in findings {
        let source = execute::source(*recipe);
        let again = finding::shows(&source, found)?;
        let cause = if again { bisect::culprit(&source, found)? } else { None };
        let cause = match (again, cause) {
            (false, _) => "not seen again".to_string(),
            (true, None) => format!("without passes, {}", found.suspect),
            (true, Some(name)) => name,
        };
        let members = classes.entry((cause.clone(), found.fault.to_string())).or_default();
        members.push(*recipe);
        if members.len() > 1 {
            continue;
        }
        println!("{recipe}: {} against {}: {}; {cause}", found.suspect, found.reference, found.fault);
        if again {
            let program = generate::program(*recipe);
            let least = reduce::reduce(program, |p| finding::shows(&p.to_string(), found))?;
            let file = folder.join(format!("{}.c", recipe.to_string().replace(':', "-")));
            let comment = format!("// {} against {}: {}; {cause}\n", found.suspect, found.reference, found.fault);
            std::fs::write(&file, format!("{comment}{least}")).map_err(|e| format!("{}: {e}", file.display()))?;
            println!("    cut down to {}", file.display());
        }
    }
    for ((cause, fault), recipes) in &classes {
        println!("{:>5} times {fault}: {cause}", recipes.len());
    }
    Ok(classes.len())
}
