//! `tcc-rs run --watch`: the program is started again whenever a file that it was made of changes.

use super::{Built, Line};
use crate::report;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode};
use std::time::Duration;

/// How often files are looked at.
const PERIOD: Duration = Duration::from_millis(50);
/// How long a program may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// A file's size and times, `None` if there is none.
type Look = Option<(u64, u64, i64, i64)>;

fn look(path: &Path) -> Look {
    let m = std::fs::metadata(path).ok()?;
    Some((m.len(), m.ino(), m.mtime(), m.mtime_nsec()))
}

/// Goes on until it is interrupted.
pub fn main(program: &str, line: &Line, nesting: u32) -> ExitCode {
    if line.sources.iter().any(|source| source.as_os_str() == "-") {
        report::error(program, "--watch needs sources in files");
        return ExitCode::FAILURE;
    }
    // Besides the sources: what the last program that could be built was made of. One of these
    // files
    // is where an error is mended.
    let mut headers: Vec<PathBuf> = Vec::new();
    loop {
        // Looked at before they are read: a change in between is seen.
        let mut files: Vec<(PathBuf, Look)> =
            line.sources.iter().chain(&headers).map(|path| (path.clone(), look(path))).collect();
        let built = super::build(program, line, nesting).ok();
        if let Some(built) = &built {
            let asked: Vec<PathBuf> = built.files.asked().into_iter().map(|(path, _)| PathBuf::from(path)).collect();
            files.extend(asked.iter().filter(|path| !headers.contains(path)).map(|path| (path.clone(), look(path))));
            headers = asked;
        }
        let mut child = built.as_ref().and_then(|built| start(program, line, built));
        while files.iter().all(|(path, before)| look(path) == *before) {
            if let Some(running) = &mut child
                && let Ok(Some(status)) = running.try_wait()
            {
                report::raw(&format!("{program}: the program ended ({status}); waiting for a change\n"));
                child = None;
            }
            std::thread::sleep(PERIOD);
        }
        if let Some(running) = child {
            stop(running);
        }
    }
}

fn start(program: &str, line: &Line, built: &Built) -> Option<Child> {
    // The child has the descriptor until it becomes the program.
    let mut command = line.command(built.name().as_ref());
    // SAFETY: between fork and exec only this system call is made: the program ends with us.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
    let started = command.spawn();
    started.map_err(|error| report::error(program, &format!("cannot run the program: {error}"))).ok()
}

/// Asks a program to end, and makes it.
fn stop(mut child: Child) {
    // SAFETY: the process is our child, which has not been waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    let mut waited = Duration::ZERO;
    while waited < GRACE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(PERIOD);
        waited += PERIOD;
    }
    drop(child.kill());
    drop(child.wait());
}
