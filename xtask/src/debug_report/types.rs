//! Names with their types, as gdb tells them of an object file: tcc-rs beside gcc.
//!
//! A name is a type, a function, or a variable, in the unit or in a function. It counts as shown
//! otherwise when gdb says something else of it, or nothing, and gcc's object has it.

use std::path::Path;
use std::process::Command;

use super::{LIMIT, Setting, text_of};
use crate::report::Report;
use crate::tools::{files_below, flag, has, option, root, run as run_process, sampled};

/// What gdb runs.
const TYPES: &str = include_str!("types.py");

/// Compares what is said of the files of `tests/run`, `bench` and the folders of `--path`, compiled
/// at `-O0`. Those that one of the compilers does not compile on its own are passed over.
pub fn table(setting: &Setting, arguments: &[String]) -> Result<Report, String> {
    if !setting.gdb || !has("gcc") {
        return Err("gdb and gcc are needed (Debian: apt install gdb gcc)".to_string());
    }
    let mut files = files_below(&root().join("tests/run"), "c");
    files.extend(files_below(&root().join("bench"), "c"));
    for folder in option(arguments, "--path").iter().flat_map(|paths| paths.split(':')) {
        files.extend(files_below(Path::new(folder), "c"));
    }
    let (mut compared, mut same, mut other) = (0, 0, 0);
    for file in sampled(files, arguments) {
        let (Some(theirs), Some(ours)) =
            (names(setting, Path::new("gcc"), &file)?, names(setting, &setting.ours, &file)?)
        else {
            continue;
        };
        compared += 1;
        for line in &theirs {
            let found = ours.binary_search(line).is_ok();
            same += usize::from(found);
            other += usize::from(!found);
            if !found && flag(arguments, "--verbose") {
                println!("{}: {line}", file.display());
            }
        }
    }
    println!("{compared} files: of {} names gdb says of {same} the same as with gcc", same + other);
    let mut report = Report::default();
    report.more("files", f64::from(compared));
    report.more("names shown as with gcc", same as f64);
    report.less("names shown otherwise or missing", other as f64);
    Ok(report)
}

/// What gdb says of the names of a file, sorted; `None` if it is not compiled.
fn names(setting: &Setting, compiler: &Path, file: &Path) -> Result<Option<Vec<String>>, String> {
    let object = setting.dir.join("types.o");
    let mut command = Command::new(compiler);
    command.args(["-w", "-g", "-O0", "-c", "-o"]).arg(&object).arg(file);
    if !run_process(&mut command, LIMIT)?.ok() {
        return Ok(None);
    }
    let script = setting.dir.join("types.py");
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::fs::write(&script, format!("SOURCE = {name:?}\n{TYPES}")).map_err(|e| e.to_string())?;
    let text = text_of(Command::new("gdb").args(["-nx", "-batch", "-x"]).arg(&script).arg(&object))?;
    let mut names: Vec<String> = text.lines().filter_map(|line| line.strip_prefix('@')).map(str::to_owned).collect();
    names.sort();
    Ok(Some(names))
}
