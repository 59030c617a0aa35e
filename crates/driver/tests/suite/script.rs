//! Scripts of commands for the driver. Each line begins with a mark:
//!
//! ```text
//! # a comment
//! file NAME          the lines after it that begin with `|` are its text
//! |int main(void) { return 0; }
//! $ cc -c x.c        run by the shell, in a fresh directory; `cc` and `tcc-rs` are the compiler,
//!                    and $COMPLETIONS is the folder of what shells get for completion
//! ? 1                its status; 0 when nothing is said
//! > text             the next line of its standard output
//! ~ text             somewhere in its standard output
//! 2~ text            somewhere in its standard error
//! 2! text            nowhere in its standard error
//! 2-                 its standard error is empty
//! exists NAME        a file is there (and `missing NAME`)
//! needs PROGRAM      the case is passed over where this program is not installed
//! needs-library NAME the same, where the compiler finds no such library
//! ```

use crate::process::{self, Outcome, Scratch, compiler};
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let scratch = Scratch::new("script");
    let tools = scratch.0.join(".tools");
    std::fs::create_dir(&tools).map_err(|e| e.to_string())?;
    for name in ["cc", "tcc-rs"] {
        std::os::unix::fs::symlink(compiler(), tools.join(name)).map_err(|e| e.to_string())?;
    }
    let mut state = State { last: None, lines_used: 0, checked_status: true, file: None };
    for (number, line) in text.lines().enumerate() {
        let at = |e: String| format!("{}:{}: {e}", path.display(), number + 1);
        if step(&mut state, line, &scratch.0, &tools).map_err(at)? == Next::Stop {
            return Ok(());
        }
    }
    finish_command(&mut state)
}

#[derive(PartialEq)]
enum Next {
    Go,
    Stop,
}

struct State {
    last: Option<Outcome>,
    /// Lines of standard output matched by `>`.
    lines_used: usize,
    checked_status: bool,
    file: Option<PathBuf>,
}

fn finish_command(state: &mut State) -> Result<(), String> {
    if let Some(last) = &state.last
        && !state.checked_status
        && last.status != 0
    {
        return Err(format!("the command before ended with status {}\n{}", last.status, last.stderr));
    }
    Ok(())
}

fn step(state: &mut State, line: &str, dir: &Path, tools: &Path) -> Result<Next, String> {
    if let Some(text) = line.strip_prefix('|') {
        let file = state.file.as_ref().ok_or("no file to write to")?;
        let mut old = std::fs::read_to_string(file).unwrap_or_default();
        old.push_str(text);
        old.push('\n');
        std::fs::write(file, old).map_err(|e| e.to_string())?;
        return Ok(Next::Go);
    }
    let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
    match mark {
        "" | "#" => {}
        "file" => {
            let path = dir.join(rest);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            std::fs::write(&path, "").map_err(|e| e.to_string())?;
            state.file = Some(path);
        }
        "$" => {
            finish_command(state)?;
            let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
            let mut command = Command::new("sh");
            command.args(["-c", rest]).current_dir(dir).env("PATH", path);
            command.env("COMPLETIONS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist/completions"));
            state.last = Some(process::run(&mut command)?);
            state.lines_used = 0;
            state.checked_status = false;
        }
        "needs" => {
            let found = Command::new("sh").args(["-c", &format!("command -v {rest}")]).output();
            if !found.is_ok_and(|o| o.status.success()) {
                return Ok(Next::Stop);
            }
        }
        "needs-library" => {
            let found = Command::new(compiler()).arg(format!("-print-file-name={rest}")).output();
            if !found.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains('/')) {
                return Ok(Next::Stop);
            }
        }
        "exists" if !dir.join(rest).exists() => return Err(format!("{rest} is not there")),
        "missing" if dir.join(rest).exists() => return Err(format!("{rest} is there")),
        "exists" | "missing" => {}
        _ => check(state, mark, rest)?,
    }
    Ok(Next::Go)
}

fn check(state: &mut State, mark: &str, rest: &str) -> Result<(), String> {
    let last = state.last.as_ref().ok_or("no command yet")?;
    let shown = || format!("status {}\nstdout: {}\nstderr: {}", last.status, last.stdout, last.stderr);
    let ok = match mark {
        "?" => {
            state.checked_status = true;
            rest.parse() == Ok(last.status)
        }
        ">" => {
            let line = last.stdout.lines().nth(state.lines_used);
            state.lines_used += 1;
            line == Some(rest)
        }
        "~" => last.stdout.contains(rest),
        "2~" => last.stderr.contains(rest),
        "2!" => !last.stderr.contains(rest),
        "2-" => last.stderr.is_empty(),
        _ => return Err(format!("unknown mark {mark}")),
    };
    if ok { Ok(()) } else { Err(format!("not so: {mark} {rest}\n{}", shown())) }
}

/// The script as a test case.
pub fn trial(path: PathBuf) -> Trial {
    crate::trial(&path.clone(), "", move || Ok(run(&path)?))
}
