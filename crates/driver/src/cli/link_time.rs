//! Which options the code of an object depends on, once its source has become IR: what `-flto`
//! keeps with the IR.

use std::ffi::OsString;

/// Options that look like those of code and are about something else.
const OTHERS: &[&str] = &[
    "lto",
    "no-lto",
    "fat-lto-objects",
    "no-fat-lto-objects",
    "use-linker-plugin",
    "no-use-linker-plugin",
    "use-ld=",
    "diagnostics",
    "no-diagnostics",
    "message-length=",
    "max-errors=",
    "debug-prefix-map=",
    "file-prefix-map=",
    "macro-prefix-map=",
    "profile-prefix-map=",
    "threads=",
    "time-report",
    "stack-usage",
    "time-trace",
    "time-trace=",
    "time-trace-granularity=",
    "syntax-only",
    "preprocessed",
    "directives-only",
    "working-directory",
    "no-working-directory",
    "input-charset=",
    "random-seed",
    "dump-",
    "opt-info",
];

/// Those among `arguments`, in order.
pub fn options_of_code(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    let mut follows = false;
    arguments.iter().filter_map(|argument| argument.to_str()).filter(move |argument| {
        if std::mem::take(&mut follows) {
            return true;
        }
        follows = *argument == "--param";
        let is_other = |name: &str| OTHERS.iter().any(|other| name.starts_with(other));
        match argument.strip_prefix("-f") {
            Some(name) => !is_other(name),
            None => {
                let starts = ["-m", "-O", "-std=", "--param", "--passes="];
                starts.iter().any(|start| argument.starts_with(start)) || matches!(*argument, "-pg" | "-p" | "-ansi")
            }
        }
    })
}
