//! The solver: z3 as a child process.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is no counterexample.
    Unsat,
    /// There is one; what was printed after that.
    Sat(String),
    /// It found neither in time.
    Unknown,
}

/// The program.
const PROGRAM: &str = "z3";

/// Megabytes that a query may take.
const MEMORY: &str = "-memory:1500";

/// Whether the solver is installed.
pub fn is_installed() -> bool {
    Command::new(PROGRAM)
        .arg("-version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Asks for an answer to a script within about the limit.
///
/// # Errors
/// The solver cannot be run, or refuses the script.
pub fn ask(script: &str, limit: Duration) -> Result<Answer, String> {
    let failed = |e: std::io::Error| format!("{PROGRAM}: {e}");
    let mut child = Command::new(PROGRAM)
        .args(["-smt2", "-in", MEMORY])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (mut input, mut output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let text = script.to_string();
    // A solver that ends early is known by its answer.
    let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        drop(output.read_to_string(&mut text));
        text
    });
    let end = Instant::now() + limit + limit / 2 + Duration::from_millis(500);
    let mut pause = Duration::from_micros(500);
    while child.try_wait().map_err(failed)?.is_none() {
        if Instant::now() > end {
            drop(child.kill());
            break;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    drop(child.wait());
    drop(writer.join());
    let text = reader.join().unwrap_or_default();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    match first {
        "unsat" => Ok(Answer::Unsat),
        "sat" => Ok(Answer::Sat(rest.to_string())),
        "unknown" | "timeout" | "" => Ok(Answer::Unknown),
        other if other.contains("memory") || other.contains("timeout") => Ok(Answer::Unknown),
        other => Err(format!("{PROGRAM} says {other}")),
    }
}
