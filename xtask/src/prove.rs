//! `cargo xtask prove [RULE...]`: has z3 show that the rules of `crates/middle/rules` are right,
//! and writes down what is proved.
//!
//! Only rules whose text has changed since they were proved are proved again, or those named, or
//! all with `--all`, those that are not proved at all widths with `--open`. A width that the solver
//! does not decide within about a minute (`--limit SECONDS`; it counts steps) is noted, and wider
//! types are not tried (nor are those above `--widest BITS`). A counterexample is printed as a
//! program of textual IR and run. `--floats` has it prove what the simplifications of floats rest
//! on (`floats.smt2` there).

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rules::proofs::{self, Proof};
use rules::smt::{self, Query, declare_conversions};
use rules::tir::{self, Model};
use rules::typed::Rule;

use crate::report::Report;
use crate::tools::{flag, has, names, option, root, work_dir};

/// Seconds for one query.
const LIMIT: u32 = 60;

/// What z3 counts as a second's work, so that the outcome does not depend on the machine.
const STEPS_PER_SECOND: u64 = 500_000;

/// What cvc5 counts as a second's work.
const CVC5_STEPS_PER_SECOND: u64 = 20_000;

/// Cases that a claim is split into at first, and at last.
const FEW_CASES: usize = 1200;
const MAX_CASES: usize = 20_000;

/// The folder of the rules.
pub fn folder() -> PathBuf {
    root().join("crates/middle/rules")
}

/// `[--all] [--open] [--limit SECONDS] [--widest BITS] [RULE...]`, or `--floats`.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    if !has("z3") {
        return Err("z3 is not installed (Debian: apt install z3)".to_string());
    }
    if flag(arguments, "--floats") {
        return floats(&folder().join("floats.smt2"));
    }
    let named = names(arguments);
    let limit =
        option(arguments, "--limit").map_or(Ok(LIMIT), |l| l.parse().map_err(|_| "--limit SECONDS".to_string()))?;
    let widest =
        option(arguments, "--widest").map_or(Ok(128), |w| w.parse().map_err(|_| "--widest BITS".to_string()))?;
    let rules = rules::load(&folder())?;
    let file = folder().join("proved.txt");
    let mut proved = match std::fs::read_to_string(&file) {
        Ok(text) => proofs::parse(&text).map_err(|e| format!("{}:{e}", file.display()))?,
        Err(_) => BTreeMap::new(),
    };
    proved.retain(|name, _| rules.iter().any(|rule| rule.name == *name));
    let is_current = |rule: &Rule, proved: &BTreeMap<String, Proof>| {
        proved.get(&rule.name).is_some_and(|proof| proof.hash == proofs::hash(rule))
    };
    let wanted = |rule: &Rule, proved: &BTreeMap<String, Proof>| match &named[..] {
        [] => {
            let open = || proved.get(&rule.name).is_some_and(|proof| !proof.open.is_empty());
            flag(arguments, "--all") || !is_current(rule, proved) || flag(arguments, "--open") && open()
        }
        names => names.iter().any(|name| *name == rule.name || *name == rule.entry),
    };
    let (mut wrong, mut tried) = (Vec::new(), 0);
    let mut chosen: Vec<&Rule> = rules.iter().filter(|rule| !rule.is_by_hand() && wanted(rule, &proved)).collect();
    // What has to be split takes longest.
    chosen.sort_by_key(|rule| smt::cases(rule).first().and_then(|case| smt::query(rule, case)).map(|q| q.splits.len()));
    for rule in chosen {
        tried += 1;
        match prove(rule, limit, widest)? {
            Outcome::Proved(proof) => {
                let open =
                    if proof.open.is_empty() { String::new() } else { format!(", not decided: {:?}", proof.open) };
                println!("{}: {:?}{open}", rule.name, proof.widths);
                proved.insert(rule.name.clone(), proof);
            }
            Outcome::Wrong(text) => {
                println!("{}: WRONG\n{text}", rule.name);
                proved.remove(&rule.name);
                wrong.push(rule.name.clone());
            }
        }
        // Kept as it goes: the next run goes on.
        std::fs::write(&file, proofs::print(&rules, &proved)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let open = proved.values().filter(|proof| !proof.open.is_empty()).count();
    println!("{tried} rules tried, {} wrong; {} proved, {open} of them not at all widths", wrong.len(), proved.len());
    let mut report = Report::default();
    if !wrong.is_empty() {
        report.wrong = Some(format!("wrong rules: {}", wrong.join(", ")));
    }
    Ok(report)
}

/// Has z3 decide the claims that simplifications of floats rest on: the negation of each.
fn floats(file: &Path) -> Result<Report, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let claims: Vec<&str> = text.split("(reset)").filter(|claim| claim.contains("(check-sat)")).collect();
    let name =
        |claim: &str| claim.trim().lines().rfind(|line| line.starts_with("; ")).map(|line| line[2..].to_string());
    let z3 = Command::new("z3").arg(file).output().map_err(|e| format!("z3: {e}"))?;
    let answers = String::from_utf8_lossy(&z3.stdout).into_owned();
    let mut answers = answers.lines();
    let mut wrong = Vec::new();
    for claim in &claims {
        let answer = answers.next().unwrap_or("nothing");
        let name = name(claim).unwrap_or_default();
        println!("{}: {name}", if answer == "unsat" { "proved" } else { answer });
        if answer != "unsat" {
            wrong.push(name);
        }
    }
    let mut report = Report::default();
    report.more("claims about floats proved", (claims.len() - wrong.len()) as f64);
    report.wrong = (!wrong.is_empty()).then(|| format!("not proved: {}", wrong.join("; ")));
    Ok(report)
}

enum Outcome {
    Proved(Proof),
    Wrong(String),
}

fn prove(rule: &Rule, limit: u32, widest: u32) -> Result<Outcome, String> {
    let mut proof = Proof { hash: proofs::hash(rule), ..Proof::default() };
    let queries: Vec<Query> = smt::cases(rule).iter().filter_map(|case| smt::query(rule, case)).collect();
    if queries.is_empty() {
        return Err(format!("rule {}: no choice of types fits", rule.name));
    }
    let mut rest = &queries[..];
    while let Some(first) = rest.first() {
        let width = first.case.widest();
        if width > widest {
            proof.open = rest.iter().map(|query| query.case.widest()).collect();
            proof.open.dedup();
            break;
        }
        let (now, wider) = rest.split_at(rest.iter().take_while(|query| query.case.widest() == width).count());
        rest = wider;
        // What there are other ways for is not tried for long in the first.
        let others = now.iter().any(|query| !query.splits.is_empty() || query.products.is_some());
        let claim = |query: &'_ Query| query.products.clone().unwrap_or_else(|| query.strong.clone());
        let claims: Vec<String> = now.iter().map(claim).collect();
        let answers = ask(claims.iter().map(String::as_str), if others { limit.div_ceil(30) } else { limit })?;
        let mut undecided = false;
        for (query, answer) in now.iter().zip(answers) {
            let answer = if answer == "unsat" { answer } else { harder(query, limit)? };
            match answer.as_str() {
                "unsat" => {}
                "sat" => return counterexample(rule, query, limit).map(Outcome::Wrong),
                "unknown" | "timeout" => undecided = true,
                other => return Err(format!("rule {}: z3 says {other}\n{}", rule.name, query.strong)),
            }
        }
        if undecided {
            // Wider types take longer.
            let mut widths: Vec<u32> = [first].into_iter().chain(rest).map(|query| query.case.widest()).collect();
            widths.dedup();
            proof.open = widths;
            break;
        }
        proof.widths.push(width);
    }
    Ok(Outcome::Proved(proof))
}

/// The answer to a claim that was not decided at once: with choices made in an obvious way, or by
/// what the solver finds for them.
fn harder(query: &Query, limit: u32) -> Result<String, String> {
    let mut answer = String::new();
    for claim in [&query.strong].into_iter().chain(&query.witnesses) {
        answer = one(claim, &query.splits, limit.div_ceil(4))?;
        if answer == "unsat" {
            return Ok(answer);
        }
    }
    match &query.weak {
        Some(weak) => Ok(ask([weak.as_str()].into_iter(), limit)?.swap_remove(0)),
        None => Ok(answer),
    }
}

/// The answer to one claim: as it is, by few cases, as one about integers, by many cases.
fn one(claim: &str, splits: &[Vec<String>], limit: u32) -> Result<String, String> {
    let whole = || Ok(ask([claim].into_iter(), limit)?.swap_remove(0));
    let few = || all(by_cases(claim, splits, FEW_CASES), limit);
    let integers = || as_integers(claim, limit);
    let many = || all(by_cases(claim, splits, MAX_CASES), limit);
    let ways: [&dyn Fn() -> Result<String, String>; 4] = [&whole, &few, &integers, &many];
    for way in ways {
        let answer = way()?;
        if matches!(answer.as_str(), "sat" | "unsat") {
            return Ok(answer);
        }
    }
    Ok("unknown".to_string())
}

/// The answer to cases that together are a claim.
fn all(cases: Vec<String>, limit: u32) -> Result<String, String> {
    if cases.len() == 1 {
        return Ok("unknown".to_string());
    }
    let answers = ask(cases.iter().map(String::as_str), limit)?;
    Ok(answers.into_iter().find(|answer| answer != "unsat").unwrap_or_else(|| "unsat".to_string()))
}

/// The claim for each case of the first splits, at most `most` in all.
fn by_cases(claim: &str, splits: &[Vec<String>], most: usize) -> Vec<String> {
    let mut claims = vec![claim.to_string()];
    for split in splits {
        if claims.len() * split.len() > most {
            break;
        }
        claims =
            claims.iter().flat_map(|claim| split.iter().map(move |case| format!("{claim}(assert {case})\n"))).collect();
    }
    claims
}

/// What cvc5, where it is installed, says of the claim read as one about integers: sums that do
/// not overflow and orders are easy there, and hard as circuits.
fn as_integers(claim: &str, limit: u32) -> Result<String, String> {
    if !has("cvc5") {
        return Ok("unknown".to_string());
    }
    let script = format!("(set-logic ALL)\n{}{claim}(check-sat)\n", declare_conversions(claim));
    let steps = format!("--rlimit={}", u64::from(limit) * CVC5_STEPS_PER_SECOND);
    let answer = solver("cvc5", &["--lang=smt2", "--solve-bv-as-int=sum", &steps], script)?;
    Ok(answer.lines().next().unwrap_or("unknown").to_string())
}

/// The solver's answers to claims, each on its own.
fn ask<'q>(queries: impl Iterator<Item = &'q str>, limit: u32) -> Result<Vec<String>, String> {
    let mut script = String::new();
    for query in queries {
        script.push_str(&declare_conversions(query));
        script.push_str(query);
        script.push_str("(check-sat)\n(reset)\n");
    }
    Ok(z3(&script, limit)?.lines().map(str::to_string).collect())
}

fn z3(script: &str, limit: u32) -> Result<String, String> {
    let steps = format!("rlimit={}", u64::from(limit) * STEPS_PER_SECOND);
    solver("z3", &["-smt2", "-in", &steps], script.to_string())
}

/// What a solver prints when it reads the script.
fn solver(program: &str, arguments: &[&str], script: String) -> Result<String, String> {
    let run = || -> std::io::Result<String> {
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().expect("piped");
        // The answers to thousands of claims do not fit the pipe while the claims are written. A
        // solver that ends early is known by its answers.
        let writer = std::thread::spawn(move || drop(input.write_all(script.as_bytes())));
        let output = child.wait_with_output()?;
        drop(writer.join());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run().map_err(|e| format!("{program}: {e}"))
}

/// A program that shows the difference, and what the interpreter says of it.
fn counterexample(rule: &Rule, query: &Query, limit: u32) -> Result<String, String> {
    let flags: Vec<String> = query
        .strong
        .lines()
        .filter_map(|line| line.strip_prefix("(declare-const ")?.strip_suffix(" Bool)"))
        .filter(|name| name.starts_with('f'))
        .map(str::to_string)
        .collect();
    let mut script = format!("{}{}(check-sat)\n", declare_conversions(&query.strong), query.strong);
    for term in query.terms.iter().map(|term| &term.1).chain(&flags) {
        script.push_str(&format!("(echo \"@\")\n(get-value ({term}))\n"));
    }
    let answer = z3(&script, limit)?;
    let values = values(&answer);
    let mut text = format!("{}\n", query.case.describe(rule));
    let mut model = Model::default();
    for ((name, term), value) in query.terms.iter().zip(&values) {
        let value = value.unwrap_or(0);
        text.push_str(&format!("  {name} = {value:#x}\n"));
        match name.strip_prefix('=') {
            Some(_) => model.constants.push(value),
            None => _ = model.inputs.insert(term.clone(), value),
        }
    }
    model.flags = flags.into_iter().filter(|flag| answer.contains(&format!("({flag} true)"))).collect();
    let Some(program) = tir::program(rule, &query.case, &model) else { return Ok(text) };
    text.push_str(&program);
    if let Some(compiler) = std::env::var_os("TCC_RS") {
        text.push_str(&interpreted(Path::new(&compiler), &program)?);
    }
    Ok(text)
}

/// The numbers of `get-value` answers, in order: the last of each.
fn values(answer: &str) -> Vec<Option<u128>> {
    let number = |answer: &str| {
        let (_, last) = answer.rsplit_once('#')?;
        let digits = last.trim_end().trim_end_matches(')');
        let (base, digits) = digits.split_at_checked(1)?;
        u128::from_str_radix(digits, if base == "x" { 16 } else { 2 }).ok()
    };
    answer.split("@\n").skip(1).map(number).collect()
}

fn interpreted(compiler: &Path, program: &str) -> Result<String, String> {
    let file = work_dir("prove")?.join("counterexample.tir");
    std::fs::write(&file, program).map_err(|e| format!("{}: {e}", file.display()))?;
    let done = Command::new(compiler)
        .arg("interpret")
        .arg(&file)
        .output()
        .map_err(|e| format!("{}: {e}", compiler.display()))?;
    let message = String::from_utf8_lossy(&done.stderr);
    Ok(format!(
        "; interpreted: status {} (1: the results differ) {}\n",
        done.status.code().unwrap_or(-1),
        message.trim()
    ))
}
