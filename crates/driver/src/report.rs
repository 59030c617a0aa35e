//! The driver's own messages on standard error, in gcc's form: `program: error: text`.

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

/// One line to standard error. Nothing can be done when standard error is gone.
fn line(program: &str, kind: &str, message: &str) {
    drop(writeln!(std::io::stderr().lock(), "{program}: {kind}{message}"));
}

/// `program: error: message`.
pub fn error(program: &str, message: &str) -> Failed {
    line(program, "error: ", message);
    Failed
}

/// `program: fatal error: message`, then gcc's closing remark.
pub fn fatal(program: &str, message: &str) -> Failed {
    line(program, "fatal error: ", message);
    drop(writeln!(std::io::stderr().lock(), "compilation terminated."));
    Failed
}

/// `program: warning: message`.
pub fn warning(program: &str, message: &str) {
    line(program, "warning: ", message);
}

/// Text as it is.
pub fn raw(text: &str) {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}
