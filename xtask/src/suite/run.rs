//! One case of a suite: compiled, linked, run under limits, judged.

use super::sources::{Case, Judge};
use crate::tools::{Outcome, run as run_process};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Seconds for a compilation and for a run.
const LIMITS: [u64; 2] = [60, 20];
/// KiB of address space for compilers and programs.
const MEMORY: u64 = 8 << 20;
/// Bytes that a program may write into a file, in blocks of 512.
const FILE_BLOCKS: u64 = 8 << 20;

/// A compiler with the level it is asked for; `run` as a level means `tcc-rs run`.
pub struct Tool {
    program: PathBuf,
    level: String,
    /// How much longer than usual it and its programs may take.
    patience: u64,
    /// Options of tests that it was tried with.
    accepted: Mutex<BTreeMap<(String, bool), bool>>,
}

/// What became of a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

impl Tool {
    pub fn new(program: &Path, level: &str, patience: u64) -> Tool {
        Tool { program: program.to_path_buf(), level: level.to_string(), patience, accepted: Mutex::default() }
    }

    /// Compiles, runs and judges a case, in a work folder that is its own.
    pub fn judge(&self, case: &Case, dir: &Path) -> Result<Verdict, String> {
        if let Some(why) = &case.skip {
            return Ok(Verdict::Skipped(why.clone()));
        }
        if case.directives.is_skipped_with(&[&self.level]) {
            return Ok(Verdict::Skipped(format!("not for {}", self.level)));
        }
        Ok(match self.failure(case, dir)? {
            None => Verdict::Passed,
            Some(why) => Verdict::Failed(why),
        })
    }

    fn failure(&self, case: &Case, dir: &Path) -> Result<Option<String>, String> {
        let flags = self.usable(&case.flags, false, dir)?;
        if self.level == "run" {
            let mut command = self.command(dir, 1);
            command
                .arg(&self.program)
                .args(["run", "--no-cache"])
                .args(&flags)
                .args(&case.link_flags)
                .args(&case.sources);
            command.args(&case.arguments);
            return judge_run(case, &self.limited(&mut command, 1)?);
        }
        let mut objects = Vec::new();
        for (number, source) in case.sources.iter().enumerate() {
            let object = dir.join(format!("{number}.o"));
            drop(std::fs::remove_file(&object));
            let mut command = self.command(case.folder.as_deref().unwrap_or(dir), 0);
            command.arg(&self.program).arg(&self.level).args(&flags).arg("-c").arg(source).arg("-o").arg(&object);
            if self.program != Path::new("gcc") {
                // Wrong code in between need not show in what one program does.
                command.arg("--verify");
            }
            let outcome = self.limited(&mut command, 0)?;
            if let Judge::IsRejected(lines) = &case.judge {
                return Ok(not_rejected(&outcome, source, lines));
            }
            if !outcome.ok() || !object.exists() {
                return Ok(Some(of_compiler("compile", &outcome)));
            }
            objects.push(object);
        }
        if case.judge == Judge::Compiles {
            return Ok(None);
        }
        let program = dir.join("program");
        drop(std::fs::remove_file(&program));
        let for_linking = |f: &&String| {
            ["-Wl,", "-l", "-pie", "-fpie", "-pthread", "-fsanitize", "-static-lib"].iter().any(|p| f.starts_with(p))
        };
        let mut wanted: Vec<String> = case.flags.iter().filter(for_linking).cloned().collect();
        wanted.extend(case.link_flags.iter().cloned());
        let mut command = self.command(dir, 0);
        command.arg(&self.program).arg(&self.level).args(&objects).arg("-o").arg(&program);
        let outcome = self.limited(command.args(self.usable(&wanted, true, dir)?), 0)?;
        if !outcome.ok() || !program.exists() {
            return Ok(Some(of_compiler("link", &outcome)));
        }
        if let Some(folder) = &case.folder {
            drop(std::fs::copy(folder.join(&case.name), dir.join(&case.name)));
        }
        let mut command = self.command_for(case, dir);
        let outcome = self.limited(command.arg(&program).args(&case.arguments), 1)?;
        if case.judge == Judge::ReportsAsGcc {
            return self.differs_from_gcc(case, &outcome, dir);
        }
        judge_run(case, &outcome)
    }

    /// What the program of the same case that gcc makes does otherwise.
    fn differs_from_gcc(&self, case: &Case, ours: &Outcome, dir: &Path) -> Result<Option<String>, String> {
        let program = dir.join("program.gcc");
        let mut command = self.command(dir, 0);
        command.args(["gcc", &self.level]).args(&case.flags).args(&case.sources).arg("-o").arg(&program);
        let outcome = self.limited(command.args(&case.link_flags), 0)?;
        if !outcome.ok() {
            return Ok(None);
        }
        let theirs = self.limited(self.command_for(case, dir).arg(&program).args(&case.arguments), 1)?;
        let (own, gcc) = (reports(&ours.stderr), reports(&theirs.stderr));
        Ok(if ours.status != theirs.status {
            Some(format!("status {:?}, with gcc {:?}", ours.status, theirs.status))
        } else if own == gcc {
            None
        } else {
            let line = (0..own.len().max(gcc.len())).find(|&i| own.get(i) != gcc.get(i)).unwrap_or(0);
            Some(format!("reports {:?}, gcc {:?}", own.get(line), gcc.get(line)))
        })
    }

    /// What runs a case's program. Shadow memory takes more addresses than other programs may have.
    fn command_for(&self, case: &Case, folder: &Path) -> Command {
        let of_addresses = |flag: &String| flag.starts_with("-fsanitize=") && flag.contains("address");
        let limit = if case.flags.iter().any(of_addresses) { "unlimited".to_string() } else { MEMORY.to_string() };
        let mut command = self.command_within(folder, 1, &limit);
        command.envs(case.directives.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// A shell that sets limits and becomes the program that is given as the first argument.
    fn command(&self, folder: &Path, kind: usize) -> Command {
        self.command_within(folder, kind, &MEMORY.to_string())
    }

    fn command_within(&self, folder: &Path, kind: usize, memory: &str) -> Command {
        let seconds = LIMITS[kind] * self.patience + 5;
        let limits = format!("ulimit -c 0; ulimit -t {seconds}; ulimit -v {memory}; ulimit -f {FILE_BLOCKS}");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limits}; exec \"$@\"")]);
        command.arg("sh").current_dir(folder).process_group(0).env("LC_ALL", "C.UTF-8");
        command
    }

    fn limited(&self, command: &mut Command, kind: usize) -> Result<Outcome, String> {
        run_process(command, Duration::from_secs(LIMITS[kind] * self.patience))
    }

    /// Those of a test's options that the compiler takes, each tried once. Options with a value of
    /// their own stay together; `-std=a|-std=b` are tried in turn.
    fn usable(&self, options: &[String], linking: bool, dir: &Path) -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        let mut rest = options.iter();
        while let Some(option) = rest.next() {
            let mut group = vec![option.clone()];
            if ["--param", "-include", "-u"].contains(&option.as_str()) {
                group.extend(rest.next().cloned());
            }
            let is_for_linker = option.starts_with("-Wl,") || option.starts_with("-l");
            if is_for_linker && !linking {
                continue;
            }
            let plain = option == "-w"
                || option.starts_with("-fsanitize")
                || option.starts_with("-D")
                || option.starts_with("-I");
            if plain || self.accepts(&group, linking, dir)? {
                out.extend(group);
            }
        }
        Ok(out)
    }

    fn accepts(&self, options: &[String], linking: bool, dir: &Path) -> Result<bool, String> {
        let key = (options.join(" "), linking);
        let known = self.accepted.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let source = dir.join("empty.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").map_err(|e| format!("{}: {e}", source.display()))?;
        let mut command = self.command(dir, 0);
        command.arg(&self.program).arg(&source).args(options).arg("-o").arg(dir.join("empty"));
        if !linking {
            command.arg("-c");
        }
        let accepted = self.limited(&mut command, 0)?.ok();
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).insert(key, accepted);
        Ok(accepted)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn of_compiler(what: &str, outcome: &Outcome) -> String {
    let message = text(&outcome.stderr);
    let line = message.lines().find(|l| l.contains("error")).or(message.lines().next()).unwrap_or("no message");
    match outcome.status {
        None => format!("{what}: does not end"),
        Some(status) => format!("{what}, status {status}: {line}"),
    }
}

/// What is wrong with the answer to a program that must be rejected with an error on one of these
/// lines, or beside one.
fn not_rejected(outcome: &Outcome, source: &Path, lines: &[usize]) -> Option<String> {
    if outcome.status != Some(1) {
        let what = if outcome.ok() { "accepted".to_string() } else { format!("status {:?}", outcome.status) };
        return Some(format!("{what}; errors are expected on lines {lines:?}"));
    }
    let file = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let errors: Vec<usize> = text(&outcome.stderr).lines().filter_map(|l| error_line(l, &file)).collect();
    let is_near = |line: &usize| lines.iter().any(|l| l.abs_diff(*line) <= 1);
    if errors.is_empty() || errors.iter().any(is_near) {
        None
    } else {
        Some(format!("errors on lines {errors:?}, expected on {lines:?}"))
    }
}

/// The line of an error in this file: `FILE:LINE:COLUMN: error: ...`.
fn error_line(message: &str, file: &str) -> Option<usize> {
    let (_, rest) = message.split_once(&format!("{file}:"))?;
    let (place, _) = rest.split_once(": error").or_else(|| rest.split_once(": fatal error"))?;
    place.split(':').next()?.parse().ok()
}

fn judge_run(case: &Case, outcome: &Outcome) -> Result<Option<String>, String> {
    let Some(status) = outcome.status else { return Ok(Some("does not end".to_string())) };
    let mut got = outcome.stdout.clone();
    got.extend(&outcome.stderr);
    let expected = match &case.judge {
        Judge::Prints(file) | Judge::PrintsAbout(file) => {
            std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?
        }
        _ => Vec::new(),
    };
    Ok(match &case.judge {
        Judge::PrintsAbout(_) if status > 128 => Some(format!("status {status}")),
        Judge::PrintsAbout(_) if about(&expected) == about(&got) => None,
        Judge::PrintsAbout(_) => Some("wrong output".to_string()),
        _ if status != 0 => Some(format!("status {status}")),
        Judge::Prints(_) if got != expected => Some("wrong output".to_string()),
        _ => None,
    })
}

/// The lines of a sanitizer's reports, without the addresses and what memory holds there. Of errors
/// in memory: which one, the access, its innermost frame and the variable it is beside. Where that
/// lies, among which others, is the compiler's choice.
fn reports(output: &[u8]) -> Vec<String> {
    let text = text(output);
    let parts = [
        "runtime error: ",
        ": note: ",
        "ERROR: AddressSanitizer",
        "ERROR: LeakSanitizer",
        " of size ",
        " <== Memory access",
    ];
    let lines: Vec<&str> = text.lines().collect();
    let is_report = |&at: &usize| {
        let frame = lines[at].starts_with("    #0 ") && at > 0 && lines[at - 1].contains(" of size ");
        frame || parts.iter().any(|part| lines[at].contains(part)) && !lines[at].contains("global variable")
    };
    (0..lines.len()).filter(is_report).map(|at| without_addresses(without_place(lines[at]))).collect()
}

/// A line without the number of the process, and a variable's without its place in the frame.
fn without_place(line: &str) -> &str {
    let line = line.split_once("==ERROR: ").map_or(line, |(_, rest)| rest);
    let Some((variable, _)) = line.split_once(" <== Memory access") else { return line };
    variable.split_once(") ").map_or(variable, |(_, name)| name)
}

/// A line whose hexadecimal numbers are all alike.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str("0x");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out
}

/// Output without warnings and with single spaces.
fn about(output: &[u8]) -> String {
    let text = text(output);
    let lines = text.lines().filter(|l| !l.contains(": warning: "));
    let lines: Vec<String> = lines.map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    lines.join("\n").trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::{about, error_line, reports};

    #[test]
    fn lines_of_errors() {
        assert_eq!(error_line("/a/x.c:12:3: error: no", "x.c"), Some(12));
        assert_eq!(error_line("x.c:12: fatal error: no", "x.c"), Some(12));
        assert_eq!(error_line("x.c:12:3: warning: no", "x.c"), None);
    }

    #[test]
    fn reports_without_addresses() {
        let text = b"x\na.c:1:2: runtime error: load of 0x12ab here\n 00 01\n0x7f: note: pointer\n";
        assert_eq!(reports(text), ["a.c:1:2: runtime error: load of 0x here", "0x: note: pointer"]);
    }

    #[test]
    fn nearly_equal() {
        assert_eq!(about(b"a  b\r\nx.c:1: warning: w\nc\n\n"), "a b\nc");
    }
}
