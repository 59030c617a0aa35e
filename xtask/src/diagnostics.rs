//! `cargo xtask diagnostics`: writes `docs/diagnostics.md`, the messages of this compiler, gcc and
//! clang for the common mistakes of `docs/mistakes.c`, side by side. A mistake begins at a line `//
//! ---- title`; `// better: clang: why` after it says where another compiler does better.

use crate::tools::{compiler, has, work_dir};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const INPUT: &str = "docs/mistakes.c";
const OUTPUT: &str = "docs/diagnostics.md";
const INTRODUCTION: &str = "\
# Diagnostics beside gcc's and clang's

Made by `cargo xtask diagnostics` from `docs/mistakes.c`: what the three compilers say with `-O2 -Wall -Wextra`. Shown are line, column and
first message of each diagnostic, notes left out. Judged are place, words, whether the cause is named, a fix-it that compiles, and errors that only follow from the
first.
";

/// Begins the reason why another compiler's answer is better.
const BETTER: &str = "// better: ";

/// Compiles every mistake with every compiler and writes the page.
pub fn run(_: &[String]) -> Result<(), String> {
    let ours = compiler()?;
    let clang = ["clang", "clang-19", "clang-18", "clang-17", "clang-16"].into_iter().find(|name| has(name));
    if !has("gcc") {
        return Err("gcc is not installed (Debian: apt install gcc)".to_string());
    }
    let clang = clang.ok_or("clang is not installed (Debian: apt install clang)")?;
    let tools = [("tcc-rs", ours.as_path()), ("gcc", Path::new("gcc")), ("clang", Path::new(clang))];
    let text = std::fs::read_to_string(INPUT).map_err(|e| format!("{INPUT}: {e}"))?;
    let dir = work_dir("diagnostics")?;
    let mut page = INTRODUCTION.to_string();
    let mistakes: Vec<Mistake<'_>> = text.split("// ---- ").skip(1).map(Mistake::parse).collect();
    let worse: Vec<&Mistake<'_>> = mistakes.iter().filter(|m| m.better.is_some()).collect();
    let _ = writeln!(
        page,
        "\nAs good as the better of the two or better: {} of {}.",
        mistakes.len() - worse.len(),
        mistakes.len()
    );
    for mistake in worse {
        let _ = writeln!(page, "- {}: {}", mistake.title, mistake.better.unwrap_or_default());
    }
    for Mistake { title, program, .. } in mistakes {
        std::fs::write(dir.join("a.c"), program).map_err(|e| e.to_string())?;
        let _ = write!(page, "\n## {title}\n\n```c\n{program}```\n\n| | |\n|---|---|\n");
        for (name, tool) in &tools {
            let messages = messages(tool, &dir)?;
            let cell = if messages.is_empty() { "(nothing)".to_string() } else { messages.join("<br>") };
            let _ = writeln!(page, "| {name} | {cell} |");
        }
    }
    std::fs::write(OUTPUT, page).map_err(|e| format!("{OUTPUT}: {e}"))?;
    println!("wrote {OUTPUT}");
    Ok(())
}

/// One of the mistakes.
struct Mistake<'t> {
    title: &'t str,
    /// Which compiler does better, and why.
    better: Option<&'t str>,
    program: &'t str,
}

impl<'t> Mistake<'t> {
    fn parse(text: &'t str) -> Mistake<'t> {
        let (title, mut program) = text.split_once('\n').unwrap_or((text, ""));
        let mut better = None;
        if let Some(rest) = program.strip_prefix(BETTER) {
            let (reason, after) = rest.split_once('\n').unwrap_or((rest, ""));
            (better, program) = (Some(reason), after);
        }
        Mistake { title, better, program }
    }
}

/// `line:column: severity: message` of each error and warning.
fn messages(tool: &Path, dir: &Path) -> Result<Vec<String>, String> {
    let run = |first: &[&str]| {
        let mut command = Command::new(tool);
        command.args(first).args(["-Wall", "-Wextra", "a.c"]).current_dir(dir).env("LC_ALL", "C");
        let output = command.output().map_err(|e| format!("{}: {e}", tool.display()))?;
        Ok::<_, String>((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    // Where there is no error, what later stages see as well.
    let (valid, checked) = run(&["-fsyntax-only"])?;
    let text = if valid { run(&["-S", "-O2", "-o", "/dev/null"])?.1 } else { checked };
    let shown = text
        .lines()
        .filter_map(|line| line.strip_prefix("a.c:"))
        .filter(|line| line.contains(": error: ") || line.contains(": warning: ") || line.contains(": fatal error: "));
    Ok(shown.map(|line| line.replace('|', "\\|").replace('<', "&lt;")).collect())
}
