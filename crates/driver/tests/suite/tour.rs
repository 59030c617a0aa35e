//! `docs/tour.md` as a test: its listings are what the compiler prints.
//!
//! A block that begins with ```` ```c NAME ```` is the file of that name. In a block ````
//! ```console ```` a line `$ COMMAND` is run by the shell in a fresh directory, with `tcc-rs` being
//! the compiler under test; the lines up to the next command are its output, where `...` stands for
//! any lines. With `TCC_RS_BLESS=1` the listings without `...` are written anew.

use crate::process::{self, Scratch, compiler};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page as a test case.
pub fn trial(path: PathBuf) -> Trial {
    crate::trial(&path.clone(), "", move || Ok(check(&path)?))
}

/// A command of a listing and what the page shows as its output.
struct Step<'a> {
    command: &'a str,
    expected: Vec<&'a str>,
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let bless = std::env::var_os("TCC_RS_BLESS").is_some_and(|value| value == "1");
    let scratch = Scratch::new("tour");
    let tools = scratch.0.join(".tools");
    std::fs::create_dir(&tools).map_err(|e| e.to_string())?;
    std::os::unix::fs::symlink(compiler(), tools.join("tcc-rs")).map_err(|e| e.to_string())?;

    let mut written = String::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        push_line(&mut written, line);
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(name) = kind.strip_prefix("c ") {
            std::fs::write(scratch.0.join(name), block.join("\n") + "\n").map_err(|e| e.to_string())?;
        }
        if kind != "console" {
            block.iter().for_each(|line| push_line(&mut written, line));
            push_line(&mut written, "```");
            continue;
        }
        for step in steps(&block)? {
            commands += 1;
            let output = run(step.command, &scratch.0, &tools)?;
            let actual: Vec<&str> = output.lines().collect();
            push_line(&mut written, &format!("$ {}", step.command));
            if matches(&step.expected, &actual) {
                step.expected.iter().for_each(|line| push_line(&mut written, line));
            } else if bless && !step.expected.contains(&"...") {
                actual.iter().for_each(|line| push_line(&mut written, line));
            } else {
                return Err(format!("{}: `{}` prints\n{output}", path.display(), step.command));
            }
        }
        push_line(&mut written, "```");
    }
    if commands == 0 {
        return Err(format!("{}: no command in it", path.display()));
    }
    if bless && written != text {
        std::fs::write(path, written).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn steps<'a>(block: &[&'a str]) -> Result<Vec<Step<'a>>, String> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for &line in block {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command, expected: Vec::new() }),
            (None, Some(step)) => step.expected.push(line),
            (None, None) => return Err(format!("a listing begins without a command: {line}")),
        }
    }
    Ok(steps)
}

/// Standard output and standard error of a command that must succeed.
fn run(command: &str, dir: &Path, tools: &Path) -> Result<String, String> {
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let shell = format!("{{ {command}\n}} 2>&1");
    let outcome = process::run(Command::new("sh").args(["-c", &shell]).current_dir(dir).env("PATH", path))?;
    if outcome.status != 0 {
        return Err(format!("`{command}` ended with status {}\n{}", outcome.status, outcome.stdout));
    }
    Ok(outcome.stdout)
}

/// Whether the lines are those expected; `...` stands for any number of lines.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"...", rest)) => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        Some((line, rest)) => {
            actual.split_first().is_some_and(|(first, others)| first == line && matches(rest, others))
        }
    }
}
