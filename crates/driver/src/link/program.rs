//! The linker as another program.

use crate::invocation::Invocation;
use crate::report::{self, Failed};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Run the chosen linker; it words its own messages.
pub fn run(inv: &Invocation, arguments: Vec<OsString>) -> Result<(), Failed> {
    let Some(path) = find(inv) else {
        let name = file_name(inv);
        return Err(report::fatal(&inv.program, &format!("cannot execute {name}: no such program in PATH")));
    };
    let status = Command::new(&path).args(arguments).stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let how = match (status.code(), status.signal()) {
                (Some(code), _) => format!("returned {code} exit status"),
                (None, signal) => format!("terminated with signal {}", signal.unwrap_or(0)),
            };
            Err(report::error(&inv.program, &format!("{} {how}", file_name(inv))))
        }
        Err(e) => Err(report::fatal(&inv.program, &format!("cannot execute {}: {e}", path.display()))),
    }
}

fn file_name(inv: &Invocation) -> String {
    match inv.link.use_ld.as_deref() {
        None | Some("ld") => "ld".to_string(),
        Some(name) => format!("ld.{name}"),
    }
}

/// `-B` directories, then `PATH`.
pub fn find(inv: &Invocation) -> Option<PathBuf> {
    let name = file_name(inv);
    let path = std::env::var_os("PATH").unwrap_or_default();
    inv.link.prefixes.iter().cloned().chain(std::env::split_paths(&path)).map(|d| d.join(&name)).find(|p| p.is_file())
}
