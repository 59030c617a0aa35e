//! What is wrong with a program's answers.

use crate::child::{self, End};
use crate::execute::{self, Answer, Way};
use std::time::Duration;

/// Two ways to run a program that should agree, and how they do not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    /// The way that is believed.
    pub reference: Way,
    /// The way that is not.
    pub suspect: Way,
    /// What is wrong.
    pub fault: Fault,
}

/// Kinds of wrong answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The hashes are different.
    Differs,
    /// Compiler or program crash under the suspect way: the signal.
    Crash(i32),
    /// Compiler or program do not end under the suspect way.
    Hang,
    /// The compiler refuses what is right, or finds a fault of its own: the first line of what it
    /// says.
    Refused(String),
    /// The interpreter calls it undefined: its words without places.
    Undefined(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Differs => f.write_str("different answers"),
            Fault::Crash(signal) => write!(f, "signal {signal}"),
            Fault::Hang => f.write_str("no end"),
            Fault::Refused(why) => write!(f, "refused: {why}"),
            Fault::Undefined(why) => write!(f, "undefined: {why}"),
        }
    }
}

/// How long one program may take, compiled and run: a thousand times what it usually takes, also by
/// an unoptimised build of the compiler on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 200 } else { 10 });

/// A message without numbers and quoted names, so that findings of one cause look alike.
pub fn essence(message: &str) -> String {
    let line = message.lines().find(|line| !line.trim().is_empty() && !line.contains("In function")).unwrap_or("");
    let mut kept = String::new();
    let mut quoted = false;
    for c in line.chars() {
        if c == '\'' || c == '\u{2018}' || c == '\u{2019}' {
            quoted = !quoted;
            kept.push('\'');
        } else if !quoted && !c.is_ascii_digit() {
            kept.push(c);
        }
    }
    kept
}

/// What an answer is if the program should have another.
pub fn fault(answer: &Answer, expected: u64) -> Option<Fault> {
    match answer {
        Answer::Hash(hash) if *hash == expected => None,
        Answer::Hash(_) => Some(Fault::Differs),
        Answer::Refused(why) => Some(Fault::Refused(essence(why))),
        Answer::Undefined(why) => Some(Fault::Undefined(essence(why))),
        Answer::NotModelled => None,
    }
}

/// Whether a text shows a finding, examined in a child of its own.
///
/// # Errors
/// There is no room for a child.
pub fn shows(source: &str, finding: &Finding) -> Result<bool, String> {
    let (answers, _, end) = child::isolated(LIMIT, |out| {
        let reference = execute::run(source, &finding.reference);
        child::answer(out, &written(&reference));
        let Answer::Hash(expected) = reference else { return };
        let suspect = execute::run(source, &finding.suspect);
        let same = fault(&suspect, expected).is_some_and(|found| found == finding.fault);
        child::answer(out, if same { "shown" } else { "not shown" });
    })?;
    let text = String::from_utf8_lossy(&answers);
    let mut lines = text.lines();
    let has_reference = lines.next().is_some_and(|line| line.starts_with("hash"));
    Ok(has_reference
        && match (&finding.fault, end) {
            (Fault::Crash(signal), End::Signal(found)) => *signal == found,
            (Fault::Hang, End::TimedOut) => true,
            (_, End::Done) => lines.next() == Some("shown"),
            _ => false,
        })
}

fn written(answer: &Answer) -> String {
    match answer {
        Answer::Hash(hash) => format!("hash {hash:016x}"),
        Answer::Refused(_) => "refused".to_string(),
        Answer::Undefined(_) => "undefined".to_string(),
        Answer::NotModelled => "not modelled".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_cause_look_alike() {
        let one = "program.c: In function 'f7':\nprogram.c:12:3: error: no register for 'x12' at 7\n";
        let two = "program.c: In function 'g':\nprogram.c:9:33: error: no register for 'y' at 123\n";
        assert_eq!(essence(one), essence(two));
        assert_eq!(essence(one), "program.c::: error: no register for '' at ");
    }
}
