//! Running something once: its output, status, time and peak memory.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What a process did.
pub struct Outcome {
    pub output: Vec<u8>,
    pub status: ExitStatus,
    pub time: Duration,
    /// KiB.
    pub memory: u64,
}

/// Runs to the end. Standard output goes to `log`, standard error too if it is part of what is
/// wanted.
///
/// # Errors
/// Why it cannot be started, or that it took too long.
pub fn run(command: &mut Command, log: &std::path::Path, errors_too: bool, limit: Duration) -> Result<Outcome, String> {
    let fail = |e: std::io::Error| format!("cannot run {}: {e}", command_name(command));
    let file = File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let errors = if errors_too { Stdio::from(file.try_clone().map_err(fail)?) } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(file).stderr(errors);
    let start = Instant::now();
    let child = command.spawn().map_err(|e| format!("cannot run {}: {e}", command_name(command)))?;
    let id = child.id() as libc::pid_t;
    let (end, ended) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let is_late = ended.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if is_late {
            // SAFETY: the process has not been waited for, so the number is still its own.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
        is_late
    });
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the structure is there to be filled; the process stays to be waited for.
    while unsafe { libc::waitid(libc::P_PID, id as libc::id_t, info.as_mut_ptr(), libc::WEXITED | libc::WNOWAIT) } < 0
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
    let time = start.elapsed();
    drop(end);
    let is_late = watch.join().unwrap_or(false);
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both are there to be filled; the process is our child.
    let memory = unsafe {
        libc::wait4(id, &mut status, 0, usage.as_mut_ptr());
        usage.assume_init().ru_maxrss as u64
    };
    if is_late {
        return Err(format!("runs longer than {} s", limit.as_secs()));
    }
    let output = std::fs::read(log).unwrap_or_default();
    Ok(Outcome { output, status: ExitStatus::from_raw(status), time, memory })
}

fn command_name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
