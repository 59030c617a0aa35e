//! A process whose system calls are changed with `ptrace`(2).

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::kinds::{Effect, Kind, call_name};

/// What a run may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Calls that one lasting fault changes: a program of a megabyte is not written byte by byte.
const MOST_CALLS: usize = 20_000;

/// A call that fails.
#[derive(Clone, Copy)]
pub struct Fault {
    /// How, and which calls are counted.
    pub kind: &'static Kind,
    /// Which of them, from 0.
    pub at: usize,
}

/// What a run did.
pub struct Run {
    /// Exit status, or the signal that ended it; 0 if it had to be ended.
    pub status: Result<i32, i32>,
    /// Standard error.
    pub stderr: String,
    /// Calls of the fault's kind that there were.
    pub seen: usize,
    /// The call that failed first.
    pub call: String,
}

/// Runs the program in `folder` with a fault, if there is one. What it prints on standard output is
/// lost; `TMPDIR` is the folder `tmp` there.
///
/// # Errors
/// What cannot be started or traced.
pub fn run(program: &Path, arguments: &[&str], folder: &Path, fault: Option<Fault>) -> Result<Run, String> {
    let messages = folder.with_extension("stderr");
    let stderr = File::create(&messages).map_err(|e| format!("{}: {e}", messages.display()))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("TMPDIR", folder.join("tmp"))
        .env("XDG_CACHE_HOME", folder.join("tmp"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .process_group(0);
    // SAFETY: between fork and exec only a system call is made.
    unsafe {
        command.pre_exec(|| ptrace::traceme().map_err(std::io::Error::from));
    }
    let child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
    let root = Pid::from_raw(i32::try_from(child.id()).map_err(|e| e.to_string())?);
    let (done, alarm) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let late = alarm.recv_timeout(LIMIT).is_err();
        if late {
            let _ = killpg(root, Signal::SIGKILL);
        }
        late
    });
    let mut tracer = Tracer { root, fault, is_started: false, seen: 0, call: String::new(), calls: BTreeMap::new() };
    let status = tracer.follow().map_err(|e| format!("ptrace: {e}"));
    let _ = done.send(());
    let late = watch.join().unwrap_or(false);
    let stderr = std::fs::read(&messages).map_err(|e| format!("{}: {e}", messages.display()))?;
    let status = if late { Err(0) } else { status? };
    Ok(Run { status, stderr: String::from_utf8_lossy(&stderr).into_owned(), seen: tracer.seen, call: tracer.call })
}

/// A system call that has begun.
struct Call {
    /// What it is to return instead of its result.
    result: Option<i64>,
    /// Its first and third arguments, which the program expects to keep.
    arguments: (u64, u64),
}

struct Tracer {
    root: Pid,
    fault: Option<Fault>,
    /// Past what the loader and the runtime do before `main`.
    is_started: bool,
    seen: usize,
    call: String,
    /// Threads that are in a system call.
    calls: BTreeMap<Pid, Call>,
}

impl Tracer {
    /// Follows the process and its threads to the end.
    fn follow(&mut self) -> nix::Result<Result<i32, i32>> {
        let mut status = Err(0);
        // Only the children of this thread: others are traced by others.
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            let event = match waitpid(None, Some(flags)) {
                Err(Errno::ECHILD) => return Ok(status),
                Err(Errno::EINTR) => continue,
                event => event?,
            };
            match event {
                WaitStatus::Exited(pid, code) if pid == self.root => status = Ok(code),
                WaitStatus::Signaled(pid, signal, _) if pid == self.root => status = Err(signal as i32),
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => {}
                WaitStatus::PtraceSyscall(pid) => self.syscall(pid).or_else(gone)?,
                WaitStatus::PtraceEvent(pid, _, libc::PTRACE_EVENT_EXEC) if pid != self.root => {
                    ptrace::detach(pid, None).or_else(gone)?;
                }
                // The compiler became the program that it made: no more of its faults.
                WaitStatus::PtraceEvent(pid, _, libc::PTRACE_EVENT_EXEC) if self.is_started => {
                    self.fault = None;
                    ptrace::syscall(pid, None).or_else(gone)?;
                }
                WaitStatus::PtraceEvent(pid, ..) => ptrace::syscall(pid, None).or_else(gone)?,
                WaitStatus::Stopped(pid, Signal::SIGTRAP) if pid == self.root && self.calls.is_empty() => {
                    let options = Options::PTRACE_O_TRACESYSGOOD
                        | Options::PTRACE_O_TRACECLONE
                        | Options::PTRACE_O_TRACEFORK
                        | Options::PTRACE_O_TRACEVFORK
                        | Options::PTRACE_O_TRACEEXEC
                        | Options::PTRACE_O_EXITKILL;
                    ptrace::setoptions(pid, options)?;
                    ptrace::syscall(pid, None)?;
                }
                // The first stop of a new thread or process.
                WaitStatus::Stopped(pid, Signal::SIGSTOP) => ptrace::syscall(pid, None).or_else(gone)?,
                WaitStatus::Stopped(pid, signal) => ptrace::syscall(pid, signal).or_else(gone)?,
                _ => {}
            }
        }
    }

    /// The beginning or the end of a system call.
    fn syscall(&mut self, pid: Pid) -> nix::Result<()> {
        let mut registers = ptrace::getregs(pid)?;
        match self.calls.remove(&pid) {
            None => {
                let before = registers;
                let result = self.enter(pid, &mut registers);
                if result.is_some() {
                    // No call at all.
                    registers.orig_rax = u64::MAX;
                }
                if registers != before {
                    ptrace::setregs(pid, registers)?;
                }
                self.calls.insert(pid, Call { result, arguments: (before.rdi, before.rdx) });
            }
            Some(call) => {
                let before = registers;
                (registers.rdi, registers.rdx) = call.arguments;
                registers.rax = call.result.map_or(registers.rax, i64::cast_unsigned);
                if registers != before {
                    ptrace::setregs(pid, registers)?;
                }
            }
        }
        ptrace::syscall(pid, None)
    }

    /// What the call is to return instead of being made; its arguments may be changed.
    fn enter(&mut self, pid: Pid, registers: &mut libc::user_regs_struct) -> Option<i64> {
        let call = registers.orig_rax.cast_signed();
        let fault = self.fault?;
        if !self.is_started {
            // The first thing that `main` does, and nothing before it: a closed pipe is no signal.
            self.is_started = call == libc::SYS_rt_sigaction && registers.rdi == libc::SIGPIPE as u64;
            return None;
        }
        let is_message = registers.rdi == 2 && fault.kind.effect != Effect::OneByte;
        let writes = matches!(call, libc::SYS_write | libc::SYS_writev);
        if !fault.kind.calls.contains(&call) || writes && is_message {
            return None;
        }
        let number = self.seen;
        self.seen += 1;
        let last = if fault.kind.lasts { fault.at.saturating_add(MOST_CALLS) } else { fault.at };
        if !(fault.at..=last).contains(&number) {
            return None;
        }
        if number == fault.at {
            self.call = describe(pid, registers);
        }
        match fault.kind.effect {
            // A break that is not moved is the result, not an error number.
            Effect::Fails(_) if call == libc::SYS_brk => {
                registers.rdi = 0;
                None
            }
            Effect::Fails(errno) => Some(-i64::from(errno)),
            Effect::Interrupted => Some(-i64::from(libc::EINTR)),
            Effect::OneByte => {
                registers.rdx = registers.rdx.min(1);
                None
            }
        }
    }
}

/// A call for people: its name, and the path that it is about.
fn describe(pid: Pid, registers: &libc::user_regs_struct) -> String {
    let (name, path) = call_name(registers.orig_rax.cast_signed());
    let arguments = [registers.rdi, registers.rsi];
    let text = path.and_then(|index| {
        let mut bytes = [0; 256];
        let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
        let read = memory.read_at(&mut bytes, arguments[index]).ok()?;
        let end = bytes[..read].iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    });
    text.map_or_else(|| name.to_string(), |text| format!("{name} {text}"))
}

/// A thread that ended meanwhile is no error.
fn gone(error: Errno) -> nix::Result<()> {
    if error == Errno::ESRCH { Ok(()) } else { Err(error) }
}
