//! What a run of random programs has done so far, one line per program, so that a stopped run goes
//! on where it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// What came of one program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Every level agrees with the references.
    Same,
    /// A reference's program runs too long, so that nothing can be compared.
    Slow,
    /// The references disagree with each other, or cannot compile it.
    Unclear,
    /// A level differs or does not compile.
    Wrong,
}

const WORDS: [(Verdict, &str); 4] =
    [(Verdict::Same, "same"), (Verdict::Slow, "slow"), (Verdict::Unclear, "unclear"), (Verdict::Wrong, "wrong")];

/// The file of lines `GENERATOR SEED VERDICT`.
pub struct Journal {
    file: File,
    done: BTreeMap<(String, u64), Verdict>,
}

impl Journal {
    /// The journal of a directory, with what it holds already.
    pub fn open(path: &Path) -> Result<Journal, String> {
        let message = |e: std::io::Error| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(message)?;
        Ok(Journal { file, done: text.lines().filter_map(line).collect() })
    }

    /// The verdict of an earlier run.
    pub fn verdict(&self, generator: &str, seed: u64) -> Option<Verdict> {
        self.done.get(&(generator.to_string(), seed)).copied()
    }

    /// Write a verdict down.
    pub fn note(&mut self, generator: &str, seed: u64, verdict: Verdict) -> Result<(), String> {
        let word = WORDS.iter().find(|row| row.0 == verdict).map_or("", |row| row.1);
        self.done.insert((generator.to_string(), seed), verdict);
        writeln!(self.file, "{generator} {seed} {word}").map_err(|e| e.to_string())
    }
}

fn line(text: &str) -> Option<((String, u64), Verdict)> {
    let mut words = text.split(' ');
    let (generator, seed, word) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
    let verdict = WORDS.iter().find(|row| row.1 == word)?.0;
    Some(((generator.to_string(), seed), verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back_and_a_torn_one_is_dropped() {
        assert_eq!(line("csmith 17 slow"), Some((("csmith".to_string(), 17), Verdict::Slow)));
        assert_eq!(line("csmith 1"), None);
        assert_eq!(line("csmith 17 slo"), None);
    }
}
