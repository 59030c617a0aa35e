//! Whether what the compiler did after a fault is right.

use std::collections::BTreeMap;
use std::path::Path;

use super::Reference;
use super::kinds::{Effect, Kind};
use super::trace::Run;

/// Names and contents of the files of a folder and the folders in it.
pub type Folder = BTreeMap<String, Vec<u8>>;

/// What to say of a run.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// It did without, or said what was wrong.
    Right,
    /// What it did wrong.
    Finding(String),
}

/// What is no finding although it is no proper end: a text of the message, and why.
const KNOWN: &[(&str, &str)] = &[(
    "failed to initiate panic",
    "Rust's library ends the process where a new thread gets no memory for its signal stack, before the thread runs",
)];

/// The contents of a folder.
///
/// # Errors
/// What cannot be read.
pub fn folder(dir: &Path) -> Result<Folder, String> {
    let mut found = Folder::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(next) = open.pop() {
        let entries = std::fs::read_dir(&next).map_err(|e| format!("{}: {e}", next.display()))?;
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                // What `run` keeps for the next time may be missing, or not be kept.
                if !path.ends_with("tmp/tcc-rs/run") {
                    open.push(path);
                }
                continue;
            }
            let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            found.insert(path.strip_prefix(dir).unwrap_or(&path).display().to_string(), bytes);
        }
    }
    Ok(found)
}

/// Judges a run with a fault beside the one without.
pub fn judge(kind: &Kind, run: &Run, after: &Folder, reference: &Reference) -> Verdict {
    let stderr = run.stderr.trim();
    let first = stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("").to_string();
    let finding = |what: &str| Verdict::Finding(format!("{what}: {} {}", run.ending(), first));
    if KNOWN.iter().any(|(text, _)| stderr.contains(text)) {
        return Verdict::Right;
    }
    if ["panicked", "internal error", "overflowed its stack"].iter().any(|word| stderr.contains(word)) {
        return finding("a fault of its own");
    }
    match run.status {
        Ok(0) if reference.otherwise.contains(after) => Verdict::Right,
        Ok(0) if *after != reference.after => finding(&format!("success with {}", difference(after, &reference.after))),
        Ok(0) if run.stderr != reference.stderr && kind.effect != Effect::OneByte => finding("success with a message"),
        Ok(0) => Verdict::Right,
        Ok(1) if kind.effect.is_harmless() => finding("not done again"),
        Ok(1) if stderr.is_empty() => finding("no message"),
        Ok(1) if reference.has_parts && is_made_of(after, reference) => Verdict::Right,
        Ok(1) if *after != reference.before => {
            finding(&format!("failure with {}", difference(after, &reference.before)))
        }
        Ok(1) => Verdict::Right,
        _ => finding("no proper end"),
    }
}

/// Whether each file is as it was before, or as it becomes, and nothing is missing.
fn is_made_of(after: &Folder, reference: &Reference) -> bool {
    let is_known = |name: &str, bytes| reference.before.get(name) == bytes || reference.after.get(name) == bytes;
    after.iter().all(|(name, bytes)| is_known(name, Some(bytes)))
        && reference.before.keys().all(|name| after.contains_key(name))
}

/// What differs between two folders, in few words.
fn difference(found: &Folder, expected: &Folder) -> String {
    let more = found.keys().find(|name| !expected.contains_key(*name)).map(|name| format!("{} left", kind_of(name)));
    let less = || expected.keys().find(|name| !found.contains_key(*name)).map(|name| format!("{name} missing"));
    let other =
        || found.keys().find(|name| found.get(*name) != expected.get(*name)).map(|name| format!("another {name}"));
    more.or_else(less).or_else(other).unwrap_or_default()
}

/// Names of temporary files differ from run to run.
fn kind_of(name: &str) -> String {
    name.split(|c: char| c.is_ascii_digit()).next().unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::kinds::KINDS;
    use super::*;

    fn run(status: Result<i32, i32>, stderr: &str) -> Run {
        Run { status, stderr: stderr.to_string(), seen: 1, call: String::new() }
    }

    #[test]
    fn verdicts() {
        let file = |text: &str| Folder::from([("out.o".to_string(), text.as_bytes().to_vec())]);
        let (before, stderr) = (Folder::new(), String::new());
        let reference = Reference { before, after: file("object"), otherwise: Vec::new(), has_parts: false, stderr };
        let fails = &KINDS[0];
        let says = |run: &Run, after: &Folder| judge(fails, run, after, &reference) == Verdict::Right;
        assert!(says(&run(Ok(0), ""), &file("object")));
        assert!(!says(&run(Ok(0), ""), &file("half")));
        assert!(!says(&run(Ok(0), ""), &Folder::new()));
        assert!(says(&run(Ok(1), "error: no space"), &Folder::new()));
        assert!(!says(&run(Ok(1), "error: no space"), &file("half")));
        assert!(!says(&run(Ok(1), ""), &Folder::new()));
        assert!(!says(&run(Ok(101), "thread 'main' panicked"), &Folder::new()));
        assert!(!says(&run(Err(11), ""), &Folder::new()));
        assert!(!says(&run(Err(0), ""), &Folder::new()));
        let interrupted = KINDS.iter().find(|kind| kind.effect == Effect::Interrupted).expect("there is one");
        assert_ne!(judge(interrupted, &run(Ok(1), "error"), &Folder::new(), &reference), Verdict::Right);
    }
}
