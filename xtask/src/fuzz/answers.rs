//! What the reference compilers' builds of random programs did, kept so that another state of this
//! compiler is compared with the same programs for the price of its own part only.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// What the references say of one program.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Its status and output.
    Behaves(i32, Vec<u8>),
    /// It runs longer than so many seconds.
    Slow(f64),
    /// The references disagree with each other, or cannot compile it.
    Unclear,
}

/// The file of lines `GENERATOR SEED STATUS OUTPUT`, the output in hexadecimal, `GENERATOR SEED
/// slow SECONDS` and `GENERATOR SEED unclear`; its name tells the references.
pub struct Answers {
    file: File,
    known: HashMap<(String, u64), Answer>,
}

impl Answers {
    /// The answers of these references in a directory, with those of earlier runs.
    pub fn open(dir: &Path, references: &str) -> Result<Answers, String> {
        let name: String = references.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let path = dir.join(format!("answers-{name}"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Answers { file, known: text.lines().filter_map(parsed).collect() })
    }

    /// The answer of an earlier run; "slow" only if it was given as much time.
    pub fn find(&self, generator: &str, seed: u64, limit: f64) -> Option<Answer> {
        let known = self.known.get(&(generator.to_string(), seed))?;
        (!matches!(known, Answer::Slow(given) if *given < limit)).then(|| known.clone())
    }

    /// Writes an answer down.
    pub fn note(&mut self, generator: &str, seed: u64, answer: &Answer) -> Result<(), String> {
        writeln!(self.file, "{generator} {seed} {}", written(answer)).map_err(|e| e.to_string())
    }
}

fn written(answer: &Answer) -> String {
    match answer {
        Answer::Behaves(status, output) => {
            let hex: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{status} {hex}")
        }
        Answer::Slow(limit) => format!("slow {limit}"),
        Answer::Unclear => "unclear".to_string(),
    }
}

/// A line; `None` for one that was torn in the middle of a byte or before.
fn parsed(line: &str) -> Option<((String, u64), Answer)> {
    let mut words = line.split(' ');
    let (generator, seed, word) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
    let answer = match word {
        "unclear" => Answer::Unclear,
        "slow" => Answer::Slow(words.next()?.parse().ok()?),
        status => Answer::Behaves(status.parse().ok()?, bytes(words.next()?)?),
    };
    Some(((generator.to_string(), seed), answer))
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok().filter(|p| p.len() == 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_read_back() {
        for answer in [
            Answer::Behaves(0, b"checksum = A\n".to_vec()),
            Answer::Behaves(1, Vec::new()),
            Answer::Slow(0.5),
            Answer::Unclear,
        ] {
            let line = format!("csmith 17 {}", written(&answer));
            assert_eq!(parsed(&line), Some((("csmith".to_string(), 17), answer)));
        }
        assert_eq!(parsed("csmith 17 0 6"), None);
        assert_eq!(parsed("csmith 17"), None);
    }
}
