//! `like-as`: assembles sources with GNU `as` (through gcc, which preprocesses `.S`) and with
//! tcc-rs and compares all that an assembler decides: sections, bytes, relocations, symbols.
//!
//! With `--kbuild TREE` the sources and flags are those of the `.o.cmd` files of a built Linux
//! tree. Differences are lines as those of `like-gcc`, with patterns in `explained.txt`.

mod view;

use crate::report::Report;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::like_gcc::{Found, report};
use crate::tools;
use view::View;

const LIMIT: Duration = Duration::from_secs(60);
/// Files named for each difference.
const EXAMPLES: usize = 3;
/// Differences of one object that are listed; the rest follows from these.
const LISTED: usize = 4;

/// One source with the flags it is assembled with, and the folder in which that is done.
struct Job {
    folder: PathBuf,
    arguments: Vec<String>,
    name: String,
}

/// Compares the files named, all sources of the folders, or those of a kernel's tree.
///
/// # Errors
/// Differences that are not explained.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let compiler = tools::compiler()?;
    let mut jobs = Vec::new();
    if let Some(tree) = tools::option(arguments, "--kbuild") {
        kbuild_jobs(Path::new(&tree), &mut jobs)?;
    }
    let flags = tools::option(arguments, "--flags").unwrap_or_default();
    for name in tools::names(arguments) {
        for file in files_below(Path::new(&name), |file| file.extension().is_some_and(|e| e == "s" || e == "S"))? {
            let mut arguments: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            arguments.extend(file.parent().map(|folder| format!("-I{}", folder.display())));
            arguments.push(file.display().to_string());
            jobs.push(Job { folder: PathBuf::from("."), arguments, name: file.display().to_string() });
        }
    }
    if jobs.is_empty() {
        return Err("like-as wants files, folders or --kbuild TREE".into());
    }
    let mut found = Found::new();
    let mut compared = 0;
    for job in &jobs {
        let Some(differences) = compare(&compiler, job) else { continue };
        compared += 1;
        for difference in differences {
            let entry = found.entry(difference).or_default();
            entry.0 += 1;
            if entry.1.len() < EXAMPLES {
                entry.1.push(job.name.clone());
            }
        }
    }
    Ok(report(&found, compared, jobs.len(), include_str!("explained.txt")))
}

/// Files at or below `path`, sorted.
fn files_below(path: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, String> {
    if !path.exists() {
        return Err(format!("{}: no such file", path.display()));
    }
    let mut work = vec![path.to_path_buf()];
    let mut files = Vec::new();
    while let Some(path) = work.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            work.extend(entries.flatten().map(|entry| entry.path()));
        } else if wanted(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The sources in assembly of a built Linux tree, with the commands that its `.o.cmd` files record.
fn kbuild_jobs(tree: &Path, jobs: &mut Vec<Job>) -> Result<(), String> {
    let is_command = |file: &Path| file.file_name().is_some_and(|n| n.to_string_lossy().ends_with(".o.cmd"));
    for file in files_below(tree, is_command)? {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let Some((_, command)) = text.lines().next().and_then(|line| line.split_once(":=")) else { continue };
        let command = command.split(';').next().unwrap_or_default();
        let Some(words) = words(command) else { continue };
        let Some(source) = words.last().filter(|last| last.ends_with(".S")).cloned() else { continue };
        let mut arguments = Vec::new();
        // After the compiler's name; without what names outputs.
        let mut rest = words.into_iter().skip(1);
        while let Some(word) = rest.next() {
            match &*word {
                "-o" => drop(rest.next()),
                "-c" => {}
                word if word.starts_with("-Wp,-MMD") => {}
                _ => arguments.push(word),
            }
        }
        jobs.push(Job { folder: tree.to_path_buf(), arguments, name: source });
    }
    Ok(())
}

/// Splits a shell command into words; `None` if it is more than words and quotes.
fn words(command: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(character),
            (_, '\\') => word.get_or_insert_default().push(characters.next()?),
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '|' | '&' | '<' | '>' | '`' | '$') => return None,
            (None, _) if character.is_whitespace() => out.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    out.extend(word);
    quote.is_none().then_some(out)
}

/// The differences of one source; `None` where both refuse it, or gcc cannot be run to its end.
fn compare(compiler: &Path, job: &Job) -> Option<Vec<String>> {
    let gnu = assembled(Path::new("gcc"), job)?;
    let ours = assembled(compiler, job);
    let (gnu, ours) = match (gnu, ours) {
        (Err(_), Some(Err(_))) => return None,
        (Ok(_), None) => return Some(vec!["status: tcc-rs does not end in time".into()]),
        (Ok(_), Some(Err(message))) => return Some(vec![format!("refused: {message}")]),
        (Err(_), None | Some(Ok(_))) => return Some(vec!["status: as refuses, tcc-rs does not".into()]),
        (Ok(gnu), Some(Ok(ours))) => (gnu, ours),
    };
    let mut out = Vec::new();
    for (name, bytes) in &gnu.bytes {
        if let Some(other) = ours.bytes.get(name).filter(|other| *other != bytes) {
            out.push(format!("bytes of {name} {}", view::first_difference(bytes, other)));
        }
    }
    let mut listed = Vec::new();
    for (fact, said) in &gnu.facts {
        match ours.facts.get(fact) {
            None => listed.push(format!("as only: {fact} {said}")),
            Some(other) if other != said => listed.push(format!("{fact}: as {said}, tcc-rs {other}")),
            Some(_) => {}
        }
    }
    let extra = ours.facts.iter().filter(|(fact, _)| !gnu.facts.contains_key(*fact));
    listed.extend(extra.map(|(fact, said)| format!("tcc-rs only: {fact} {said}")));
    listed.truncate(LISTED);
    out.extend(listed);
    Some(out)
}

/// One assembler's object, or the first line of what it says against the source; `None` when it
/// cannot be run, or not to its end in time.
fn assembled(compiler: &Path, job: &Job) -> Option<Result<View, String>> {
    let object = std::env::temp_dir().join(format!("like-as-{}.o", std::process::id()));
    let mut command = Command::new(compiler);
    command.current_dir(&job.folder).args(&job.arguments).arg("-c").arg("-o").arg(&object);
    // gcc is several processes.
    command.process_group(0);
    let outcome = tools::run(&mut command, LIMIT).ok()?;
    let bytes = std::fs::read(&object).unwrap_or_default();
    drop(std::fs::remove_file(&object));
    outcome.status?;
    if !outcome.ok() {
        let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("rror")).unwrap_or_default();
        return Some(Err(line.rsplit_once("rror: ").map_or(line, |(_, message)| message).to_owned()));
    }
    Some(view::of_object(&bytes))
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn shell_words() {
        let split = |text: &str| words(text).unwrap();
        assert_eq!(split("gcc -DX='\"a b\"'  -c x.S"), ["gcc", "-DX=\"a b\"", "-c", "x.S"]);
        assert_eq!(split("a \"\" b\\ c"), ["a", "", "b c"]);
        assert_eq!(words("a | b"), None);
    }
}
