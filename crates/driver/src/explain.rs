//! `tcc-rs explain -Wname` or `tcc-rs explain 'words of a message'`: what a warning is about, what
//! switches it on, and a program that gets it. The examples are those of `docs/diagnostics.md`,
//! which `cargo xtask diagnostics` makes from what this compiler really says.

use crate::report;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitCode;

/// The page of examples.
const PAGE: &str = include_str!("../../../docs/diagnostics.md");
/// Examples that are shown for words that many messages have.
const MOST: usize = 5;

/// Explains each argument.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    if arguments.is_empty() {
        report::fatal(program, "explain: which warning? (-Wname, or words of a message)");
        return ExitCode::FAILURE;
    }
    let mut status = ExitCode::SUCCESS;
    for argument in arguments.iter().map(|a| a.to_string_lossy()) {
        match explained(&argument) {
            Ok(text) => print!("{text}"),
            Err(message) => {
                report::error(program, &message);
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

fn explained(argument: &str) -> Result<String, String> {
    let Some(name) = argument.strip_prefix("-W") else {
        let found: Vec<Example<'_>> = examples().filter(|e| e.answer.contains(argument)).take(MOST).collect();
        if found.is_empty() {
            return Err(format!("no example has a message with the words '{argument}'"));
        }
        return Ok(found.iter().map(Example::text).collect::<Vec<_>>().join("\n"));
    };
    let name = name.strip_prefix("error=").or_else(|| name.strip_prefix("no-")).unwrap_or(name);
    let name = name.split('=').next().filter(|_| !name.starts_with("shadow=")).unwrap_or(name);
    let Some(id) = base::WarningId::from_name(name) else {
        let near = base::spelling::closest(name, base::warning::names());
        let hint = near.map_or(String::new(), |near| format!("; did you mean '-W{near}'?"));
        return Err(format!("no warning is called '-W{name}'{hint}"));
    };
    let mut text = format!("-W{}: {}.\n{}\n", id.name(), id.description(), switched_on(id));
    let suffix = format!("[-W{}]", id.shown());
    if let Some(example) = examples().find(|e| e.answer.contains(&suffix)) {
        let _ = write!(text, "\n{}", example.text());
    }
    Ok(text)
}

/// What switches the warning on.
fn switched_on(id: base::WarningId) -> String {
    let reasons = id.switched_on_by();
    if reasons.is_empty() {
        return format!("Off unless -W{} asks for it.", id.name());
    }
    format!("On {}.", reasons.join(", ").replace("-W", "under -W").replace(", under ", ", "))
}

/// A mistake of the page.
struct Example<'t> {
    title: &'t str,
    program: &'t str,
    /// What this compiler says, the diagnostics separated by `<br>`.
    answer: &'t str,
}

fn examples() -> impl Iterator<Item = Example<'static>> {
    PAGE.split("\n## ").skip(1).filter_map(|section| {
        let (title, rest) = section.split_once('\n')?;
        let (program, rest) = rest.split_once("```c\n")?.1.split_once("```")?;
        let answer = rest.lines().find_map(|line| line.strip_prefix("| tcc-rs | ")?.strip_suffix(" |"))?;
        Some(Example { title, program, answer })
    })
}

impl Example<'_> {
    fn text(&self) -> String {
        let mut out = format!("{}:\n\n", self.title);
        for line in self.program.lines() {
            let _ = writeln!(out, "    {line}");
        }
        out.push('\n');
        for line in self.answer.split("<br>") {
            let line = line.replace("&lt;", "<").replace("\\|", "|");
            let _ = writeln!(out, "  {line}");
        }
        out
    }
}
