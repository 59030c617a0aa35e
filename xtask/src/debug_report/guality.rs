//! gcc's own tests of debug information (`gcc.dg/guality`): each says what a debugger must show at
//! a line (`gdb-test`), or asks a debugger that it attaches to itself (`GUALCHK`). Counted for
//! tcc-rs and gcc at each level.

use std::path::Path;
use std::process::Command;

use super::{LIMIT, Setting, text_of};
use crate::tools::{files_below, has, run as run_process};

/// A `gdb-test` directive.
struct Check {
    line: u32,
    /// What is printed, or, as a type, described.
    expression: String,
    type_of: bool,
    expected: String,
}

/// Prints the table for the tests in a folder.
pub fn table(setting: &Setting, folder: &Path, levels: &str, verbose: bool) -> Result<(), String> {
    let files = files_below(folder, "c");
    println!("\n{} ({} files)\n{:<8}{:>14}{:>14}", folder.display(), files.len(), "", "tcc-rs", "gcc");
    for level in levels.split(',') {
        let mut sums = [(0, 0); 2];
        for file in &files {
            let text = String::from_utf8_lossy(&std::fs::read(file).map_err(|e| e.to_string())?).into_owned();
            let checks = checks(&text);
            let mut passed = Vec::new();
            for (compiler, sum) in [setting.ours.as_path(), Path::new("gcc")].into_iter().zip(&mut sums) {
                if compiler == Path::new("gcc") && !has("gcc") {
                    continue;
                }
                let results = results(setting, compiler, file, &text, &checks, level)?;
                sum.0 += results.iter().filter(|r| **r).count();
                sum.1 += results.len();
                passed.push(results);
            }
            if let ([ours, gcc], true) = (&passed[..], verbose) {
                for (number, check) in checks.iter().enumerate() {
                    if gcc.get(number) == Some(&true) && ours.get(number) != Some(&true) {
                        println!("{level} {}:{}: {}", file.display(), check.line, check.expression);
                    }
                }
            }
        }
        let shown = |(passed, all)| format!("{passed}/{all}");
        println!("{level:<8}{:>14}{:>14}", shown(sums[0]), shown(sums[1]));
    }
    Ok(())
}

/// What passes of one file's checks, or of those that the program makes itself.
fn results(
    setting: &Setting,
    compiler: &Path,
    file: &Path,
    text: &str,
    checks: &[Check],
    level: &str,
) -> Result<Vec<bool>, String> {
    let program = setting.dir.join("guality");
    let mut command = Command::new(compiler);
    command.args(["-w", "-g", level, "-DPREVENT_OPTIMIZATION"]).args(options(text)).arg("-o").arg(&program).arg(file);
    if !run_process(&mut command, LIMIT)?.ok() {
        return Ok(vec![false; checks.len()]);
    }
    if checks.is_empty() {
        let outcome = run_process(Command::new(&program).env("GUALITY_GDB_NAME", "gdb"), LIMIT)?;
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let single = |line: &&str| line.contains(" is ") || line.contains("not computable");
        return Ok(said.lines().filter(single).map(|line| line.starts_with("PASS")).collect());
    }
    let mut command = Command::new("gdb");
    command.args(["-nx", "-nw", "-batch", "-ex", "set width 0", "-ex", "set confirm off"]);
    let mut ex = |text: String| {
        command.arg("-ex").arg(text);
    };
    let source = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    for check in checks {
        ex("delete".into());
        ex(format!("break {source}:{}", check.line));
        ex("run".into());
        ex("echo \\nCHECK\\n".into());
        if check.type_of {
            ex(format!("ptype {}", check.expression));
        } else {
            ex(format!("output {}", check.expression));
            ex("echo \\nEXPECTED\\n".into());
            ex(format!("output {}", check.expected));
        }
        ex("echo \\nEND\\n".into());
        ex("kill".into());
    }
    let said = text_of(command.arg(&program))?;
    let mut parts = said.split("\nCHECK\n").skip(1);
    Ok(checks.iter().map(|check| parts.next().is_some_and(|part| passes(check, part))).collect())
}

fn passes(check: &Check, said: &str) -> bool {
    let said = said.split("\nEND\n").next().unwrap_or_default();
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    if check.type_of {
        let given = said.trim().strip_prefix("type = ").unwrap_or("");
        return !given.is_empty() && squeezed(given) == squeezed(&check.expected);
    }
    match said.split_once("\nEXPECTED\n") {
        Some((value, expected)) => !value.trim().is_empty() && value.trim() == expected.trim(),
        None => false,
    }
}

/// The words of `dg-options`, without levels of optimisation and debugging.
fn options(text: &str) -> Vec<String> {
    let all = text.lines().filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"));
    let quoted = all.filter_map(|line| line.split('"').nth(1));
    let words = quoted.flat_map(str::split_whitespace).filter(|word| !word.starts_with("-O") && *word != "-g");
    words.map(str::to_string).collect()
}

fn checks(text: &str) -> Vec<Check> {
    let mut out = Vec::new();
    for (line, number) in text.lines().zip(1u32..) {
        let Some((_, rest)) = line.split_once("gdb-test ") else { continue };
        let strings: Vec<&str> = rest.split('"').collect();
        let [place, expression, _, expected, ..] = strings[..] else { continue };
        let place = place.trim().trim_start_matches('@').rsplit(':').next().unwrap_or_default();
        let at = match place.strip_prefix('.') {
            Some("") => Some(number),
            Some(distance) => distance.parse::<i32>().ok().and_then(|d| number.checked_add_signed(d)),
            None => place.parse().ok(),
        };
        let (type_of, expression) = match expression.strip_prefix("type:") {
            Some(rest) => (true, rest),
            None => (false, expression),
        };
        if let Some(line) = at {
            let (expression, expected) = (expression.replace('\\', ""), expected.replace('\\', ""));
            out.push(Check { line, expression, type_of, expected });
        }
    }
    out
}
