//! A build command with every compiler, in copies of the current folder.
//!
//! The commands `cc`, `gcc` and `c99` are the compiler there, `CC` names it, too. What builds print
//! has names and times in it, so that only their status is compared.

use super::process;
use super::request::Request;
use super::{Behaviour, Comparison, Compiler, Row, progress};
use crate::output::{self, Kind, TemporaryDirectory};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};

const NAMES: [&str; 3] = ["cc", "gcc", "c99"];

/// # Errors
/// What keeps all of it from being done.
pub fn compare(request: &Request, command: &[OsString]) -> Result<Comparison, String> {
    let name = command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let here = std::env::current_dir().map_err(|e| format!("the current folder: {e}"))?;
    let mut rows = Vec::new();
    let mut reference: Option<ExitStatus> = None;
    for compiler in &request.compilers {
        for level in &request.levels {
            let mut row = Row::new(compiler.name, level);
            progress(&format!("{name}: {}", row.title()));
            match build(request, compiler, level, command, &here) {
                Err(why) => row.behaviour = Behaviour::Fails(why),
                Ok(outcome) => {
                    row.compile.add(outcome.time);
                    row.compile_memory = outcome.memory;
                    let first = *reference.get_or_insert(outcome.status);
                    if outcome.status != first {
                        let last = String::from_utf8_lossy(&outcome.output).into_owned();
                        let last = last.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                        row.behaviour = Behaviour::StatusDiffers(format!("{}: {last}", outcome.status));
                    }
                }
            }
            rows.push(row);
        }
    }
    Ok(Comparison { name, rows })
}

fn build(
    request: &Request,
    compiler: &Compiler,
    level: &str,
    command: &[OsString],
    here: &Path,
) -> Result<process::Outcome, String> {
    let dir = TemporaryDirectory::new().map_err(|e| format!("cannot create a temporary directory: {e}"))?;
    let (copy, tools) = (dir.file("build"), dir.file("tools"));
    let copied = Command::new("cp").arg("-a").arg(here).arg(&copy).status();
    if !copied.is_ok_and(|status| status.success()) {
        return Err(format!("cannot copy {}", here.display()));
    }
    std::fs::create_dir(&tools).map_err(|e| format!("{}: {e}", tools.display()))?;
    let path = compiler.path.to_string_lossy().replace('\'', "'\\''");
    let script = format!("#!/bin/sh\nexec '{path}' \"$@\" {level}\n");
    for name in NAMES {
        let file = tools.join(name);
        output::write(&file, script.as_bytes(), Kind::Executable).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let mut path = tools.clone().into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut process = Command::new(&command[0]);
    process.args(&command[1..]).current_dir(&copy).env("PATH", path).env("CC", tools.join(NAMES[0]));
    process::run(&mut process, &dir.file("log"), true, request.limit)
}
