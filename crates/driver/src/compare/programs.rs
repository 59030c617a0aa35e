//! A program with every compiler at every level.

use super::process::{self, Outcome};
use super::request::{Program, Request};
use super::{Behaviour, Comparison, Compiler, Row, progress};
use crate::output::TemporaryDirectory;
use elf_object::read::{Object, ObjectSection};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A compilation is repeated while it took no longer than this together.
const COMPILING: Duration = Duration::from_millis(500);
const COMPILATIONS: usize = 3;
/// A program is run again while it took no longer than this together.
const RUNNING: Duration = Duration::from_secs(20);

/// # Errors
/// What keeps all of it from being done.
pub fn compare(request: &Request, program: &Program) -> Result<Comparison, String> {
    let dir = TemporaryDirectory::new().map_err(|e| format!("cannot create a temporary directory: {e}"))?;
    let log = dir.file("log");
    let mut rows: Vec<(Row, PathBuf)> = Vec::new();
    for compiler in &request.compilers {
        // tcc has no levels.
        let none = [String::new()];
        let levels = if compiler.name == "tcc" { &none[..] } else { &request.levels };
        for level in levels {
            let mut row = Row::new(compiler.name, level);
            progress(&format!("{}: compiling with {}", program.name, row.title()));
            let executable = dir.file(&format!("program{}", rows.len()));
            if let Err(why) = compile(request, compiler, program, &mut row, &executable, &log) {
                row.behaviour = Behaviour::Fails(why);
            }
            rows.push((row, executable));
        }
    }
    let mut reference: Option<Outcome> = None;
    // All in turn, so that what the machine does besides is shared by all.
    for turn in 0..request.runs {
        for (row, executable) in &mut rows {
            if matches!(row.behaviour, Behaviour::Fails(_)) || turn > 0 && row.run.total() > RUNNING {
                continue;
            }
            progress(&format!("{}: {} of {}, {}", program.name, turn + 1, request.runs, row.title()));
            let mut command = Command::new(&*executable);
            match process::run(command.args(&request.arguments), &log, false, request.limit) {
                Err(why) => row.behaviour = Behaviour::Fails(why),
                Ok(outcome) => {
                    row.run.add(outcome.time);
                    row.run_memory = row.run_memory.max(outcome.memory);
                    let first = reference.get_or_insert_with(|| Outcome { output: outcome.output.clone(), ..outcome });
                    if outcome.output != first.output {
                        row.behaviour = Behaviour::OutputDiffers;
                    } else if outcome.status != first.status {
                        row.behaviour = Behaviour::StatusDiffers(outcome.status.to_string());
                    }
                }
            }
        }
    }
    Ok(Comparison { name: program.name.clone(), rows: rows.into_iter().map(|(row, _)| row).collect() })
}

fn compile(
    request: &Request,
    compiler: &Compiler,
    program: &Program,
    row: &mut Row,
    executable: &Path,
    log: &Path,
) -> Result<(), String> {
    while row.compile.count() < COMPILATIONS && row.compile.total() < COMPILING {
        let mut command = Command::new(&compiler.path);
        command.args(Some(&row.level).filter(|level| !level.is_empty())).args(&program.arguments);
        command.arg("-o").arg(executable);
        let outcome = process::run(&mut command, log, true, request.limit)?;
        if !outcome.status.success() {
            let text = String::from_utf8_lossy(&outcome.output).into_owned();
            return Err(text.lines().find(|line| line.contains("error")).unwrap_or("does not compile").to_string());
        }
        row.compile.add(outcome.time);
        row.compile_memory = row.compile_memory.max(outcome.memory);
    }
    row.text = text_size(executable);
    Ok(())
}

/// Bytes of the code of a program.
fn text_size(path: &Path) -> u64 {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    let Ok(file) = elf_object::read::elf::ElfFile64::<elf_object::Endianness>::parse(&*bytes) else { return 0 };
    file.section_by_name(".text").map_or(0, |s| s.size())
}
