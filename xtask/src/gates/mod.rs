//! `cargo xtask gates`: the slow checks, each beside the figures that are expected of it
//! (`xtask/gates.txt`), so that none falls unseen.
//!
//! A check is a task in a process of its own, with its output in a log. What a check lacks is said;
//! such a check was not run, which fails, too, unless `--allow-missing`.

mod checks;
mod table;

use crate::report::{Better, Figure, read_figures};
use crate::tools::{compiler, flag, names, option, root, work_dir};
use checks::{CHECKS, Check, DATA};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use table::{Standing, Table, number, standing};

/// The flags without a value.
const FLAGS: [&str; 4] = ["--list", "--quick", "--update", "--allow-missing"];
/// Lines of a log that are shown when its check fails.
const SHOWN_LINES: usize = 15;

/// What came of all checks.
#[derive(Default)]
struct Tally {
    ok: usize,
    short: Vec<String>,
    not_run: Vec<String>,
}

/// Runs the checks named, or all. `--list`, `--quick`, `--update`, `--allow-missing`, `--path DIR`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let values: Vec<String> = arguments.iter().filter(|a| !FLAGS.contains(&a.as_str())).cloned().collect();
    let wanted = names(&values);
    if let Some(unknown) = wanted.iter().find(|w| CHECKS.iter().all(|c| c.name != **w)) {
        return Err(format!("no check `{unknown}`: see cargo xtask gates --list"));
    }
    let path = option(&values, "--path").map(PathBuf::from);
    let chosen: Vec<&Check> =
        CHECKS.iter().filter(|c| wanted.is_empty() || wanted.iter().any(|w| w == c.name)).collect();
    if flag(arguments, "--list") {
        list(&chosen, path.as_deref());
        return Ok(());
    }
    let (quick, update) = (flag(arguments, "--quick"), flag(arguments, "--update"));
    let file = root().join("xtask/gates.txt");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut table = Table::parse(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    let compiler = compiler()?;
    // Of this run alone: two may go on at the same time.
    let logs = work_dir(&format!("gates-{}", std::process::id()))?;
    let mut tally = Tally::default();
    println!("{:<18}{:<52}{:>10}{:>10}  {:<9}{:>8}", "check", "figure", "expected", "measured", "", "seconds");
    for check in chosen {
        let missing = check.missing(path.as_deref());
        if !missing.is_empty() {
            println!("{:<18}{:<72}  not run", check.name, "");
            missing.iter().for_each(|line| println!("    {line}"));
            tally.not_run.push(check.name.to_string());
            continue;
        }
        let start = Instant::now();
        let log = logs.join(format!("{}.log", check.name));
        let figures = measure(check, quick, &compiler, path.as_deref(), &log)?;
        let seconds = start.elapsed().as_secs_f64();
        judge(check, &figures, quick, update, seconds, &log, &mut table, &mut tally);
        if update {
            std::fs::write(&file, table.text()).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    verdict(&tally, flag(arguments, "--allow-missing"))
}

fn list(chosen: &[&Check], path: Option<&Path>) {
    for check in chosen {
        let missing = check.missing(path);
        println!("{:<18}{}{}", check.name, check.about, if missing.is_empty() { "" } else { " (cannot run here)" });
        missing.iter().for_each(|line| println!("    {line}"));
    }
}

/// Runs the task of a check and gives its figures; none if it broke off.
fn measure(
    check: &Check,
    quick: bool,
    compiler: &Path,
    path: Option<&Path>,
    log: &Path,
) -> Result<Vec<Figure>, String> {
    let message = |e: std::io::Error| format!("{}: {e}", check.name);
    let arguments = if quick { check.quick } else { check.full };
    let figures = log.with_extension("figures");
    let own = std::env::current_exe().map_err(message)?;
    let mut command = match arguments {
        ["!", program, rest @ ..] => {
            let mut command = Command::new(program);
            command.args(rest);
            command
        }
        _ => {
            let mut command = Command::new(own);
            command.args(arguments).arg("--figures").arg(&figures);
            command
        }
    };
    for data in DATA {
        if let Some(folder) = data.find(path) {
            command.env(data.variable, folder);
        }
    }
    let output = std::fs::File::create(log).map_err(message)?;
    let errors = output.try_clone().map_err(message)?;
    command.env("TCC_RS", compiler).current_dir(root()).stdin(Stdio::null()).stdout(output).stderr(errors);
    let status = command.status().map_err(message)?;
    if arguments[0] == "!" {
        let value = if status.success() { 0.0 } else { 1.0 };
        return Ok(vec![Figure { name: "failures".to_string(), value, better: Better::Less }]);
    }
    Ok(read_figures(&figures))
}

/// Prints the rows of a check and notes what is short or better.
fn judge(
    check: &Check,
    figures: &[Figure],
    quick: bool,
    update: bool,
    seconds: f64,
    log: &Path,
    table: &mut Table,
    tally: &mut Tally,
) {
    let mut short = Vec::new();
    let mut time = format!("{seconds:>8.0}");
    let rows: Vec<table::Row> = table.rows(check.name).cloned().collect();
    for figure in figures {
        let row = rows.iter().find(|r| r.figure == figure.name);
        let expected = row.and_then(|r| r.expected[usize::from(quick)]);
        let standing = standing(figure, expected, row.map_or(0.0, |r| r.tolerance));
        let word = match standing {
            Standing::Ok => "ok",
            Standing::Improved => "better",
            Standing::Short => "SHORT",
            Standing::Unknown if update => "new",
            Standing::Unknown => "UNKNOWN",
        };
        print_row(check.name, &figure.name, expected, Some(figure.value), word, &std::mem::take(&mut time));
        if update && matches!(standing, Standing::Improved | Standing::Unknown) {
            table.set(check.name, &figure.name, quick, figure.value);
        } else if matches!(standing, Standing::Short | Standing::Unknown) {
            short.push(figure.name.clone());
        }
    }
    for row in rows.iter().filter(|r| figures.iter().all(|f| f.name != r.figure)) {
        if let Some(expected) = row.expected[usize::from(quick)] {
            print_row(check.name, &row.figure, Some(expected), None, "SHORT", &std::mem::take(&mut time));
            short.push(row.figure.clone());
        }
    }
    if figures.is_empty() && short.is_empty() {
        print_row(check.name, "", None, None, "SHORT", &time);
        short.push("no figures".to_string());
    }
    if short.is_empty() {
        tally.ok += 1;
        return;
    }
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].iter().for_each(|line| println!("    {line}"));
    println!("    all of it: {}", log.display());
    tally.short.push(check.name.to_string());
}

fn print_row(check: &str, figure: &str, expected: Option<f64>, measured: Option<f64>, word: &str, time: &str) {
    println!("{check:<18}{figure:<52}{:>10}{:>10}  {word:<9}{time}", number(expected), number(measured));
}

fn verdict(tally: &Tally, allow_missing: bool) -> Result<(), String> {
    println!("{} checks ok, {} short, {} not run", tally.ok, tally.short.len(), tally.not_run.len());
    if !tally.short.is_empty() {
        return Err(format!("short of what is expected: {}", tally.short.join(", ")));
    }
    if !tally.not_run.is_empty() && !allow_missing {
        return Err(format!("not run: {} (--allow-missing lets that pass)", tally.not_run.join(", ")));
    }
    Ok(())
}
