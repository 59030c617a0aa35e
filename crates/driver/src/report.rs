//! The driver's own messages on standard error, in gcc's form: `program: error: text`.

use base::diagnostics::Severity;
use base::diagnostics::resolved::{Place, Resolved};
use std::cell::RefCell;
use std::io::Write;

/// Something went wrong and has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// Why the jobs ended early.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stopped {
    /// Bad input.
    Failed,
    /// Our own fault; the message was shown.
    Bug(String),
}

impl From<Failed> for Stopped {
    fn from(_: Failed) -> Self {
        Stopped::Failed
    }
}

thread_local! {
    /// What the job of this thread has to say, when somebody else than standard error wants it. A
    /// job is the only one on its thread.
    static COLLECTED: RefCell<Option<Vec<Resolved>>> = const { RefCell::new(None) };
}

/// Does a job whose messages are values: they come out beside the job's result, in order.
pub fn collecting<R>(job: impl FnOnce() -> R) -> (R, Vec<Resolved>) {
    COLLECTED.set(Some(Vec::new()));
    let result = job();
    (result, COLLECTED.take().unwrap_or_default())
}

/// Whether this thread's messages are collected.
pub fn is_collecting() -> bool {
    COLLECTED.with_borrow(Option::is_some)
}

/// Adds messages of a session.
pub fn collect(messages: Vec<Resolved>) {
    COLLECTED.with_borrow_mut(|collected| collected.get_or_insert_default().extend(messages));
}

/// A message without a place.
pub fn placeless(severity: Severity, message: &str, rendered: String) -> Resolved {
    let message = message.to_string();
    Resolved { severity, place: None, message, option: None, notes: Vec::new(), fixits: Vec::new(), rendered }
}

/// Text on standard output. Nothing can be done when that is gone.
pub fn raw_out(text: &str) {
    drop(std::io::stdout().write_all(text.as_bytes()));
}

/// One line to standard error. Nothing can be done when standard error is gone.
fn line(program: &str, severity: Severity, message: &str) {
    let text = format!("{program}: {}: {message}\n", severity.word());
    if is_collecting() {
        return collect(vec![placeless(severity, message, text)]);
    }
    raw(&text);
}

/// `program: error: message`.
pub fn error(program: &str, message: &str) -> Failed {
    line(program, Severity::Error, message);
    Failed
}

/// `program: fatal error: message`, then gcc's closing remark.
pub fn fatal(program: &str, message: &str) -> Failed {
    line(program, Severity::Fatal, message);
    if !is_collecting() {
        raw("compilation terminated.\n");
    }
    Failed
}

/// `program: warning: message`.
pub fn warning(program: &str, message: &str) {
    line(program, Severity::Warning, message);
}

/// Text as it is.
pub fn raw(text: &str) {
    if is_collecting() {
        return collect(vec![placeless(Severity::Note, text.trim_end(), text.to_string())]);
    }
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}

/// A fault of our own while `input` was compiled.
pub fn bug(input: &str, bug: &base::bug::Bug) {
    let text = format!("{input}: {bug}\n");
    if is_collecting() {
        return collect(vec![placeless(Severity::Fatal, &bug.to_string(), text)]);
    }
    raw(&text);
}

/// A message of the assembler about a line, in the words of `as`; `kind` is `Warning` or `Error`.
pub fn assembly(file: &str, line: u32, kind: &str, message: &str) {
    let text = format!("{file}:{line}: {kind}: {message}\n");
    if !is_collecting() {
        return raw(&text);
    }
    let severity = if kind == "Error" { Severity::Error } else { Severity::Warning };
    let place = Place { file: file.to_string(), line, column: 1, byte_column: 1 };
    collect(vec![Resolved { place: Some(place), ..placeless(severity, message, text) }]);
}
