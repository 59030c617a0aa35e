//! The processes of a session.
//!
//! Code is run in a copy of the process, made by `fork`. If it comes to its end, the copy goes on
//! as the session, and the process that it was made from ends. If it crashes, calls `exit` or is
//! interrupted, the process that waited goes on: the session is as it was before the input. No
//! handler has to repair a heap or locks that a crash left in the middle of a change.
//!
//! The first process is only the parent of all: the user's shell waits for it. It begins a new
//! session if one ends that nobody waited for. Threads of the user's program live in one process
//! only: while there are some, code runs without a copy.

use super::crash::{self, Report};
use std::ffi::c_int;
use std::fs::File;
use std::io::{Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// What all processes of a session share.
#[repr(C)]
pub struct Shared {
    /// The process that holds the session.
    holder: AtomicI32,
    /// An input has failed.
    pub failed: AtomicBool,
    /// The session has been told to end.
    ending: AtomicBool,
    /// Lines that were read.
    pub lines: AtomicI32,
}

/// The holder before there is one.
const NOBODY: c_int = 0;

/// Why code did not come to its end.
pub enum Stopped {
    /// It called `exit`.
    Exit(c_int),
    /// A signal ended it.
    Signal(c_int, Option<Box<Report>>),
    /// There is no process to run it in.
    NoProcess(std::io::Error),
}

/// Memory that is shared with all processes that are made later.
fn shared() -> std::io::Result<&'static Shared> {
    let size = std::mem::size_of::<Shared>();
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: fresh memory, all zero, which is a valid `Shared`; it stays to the end.
    unsafe {
        let memory = libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 0);
        if memory == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        Ok(&*memory.cast::<Shared>())
    }
}

fn own_id() -> c_int {
    // SAFETY: asking changes nothing.
    unsafe { libc::getpid() }
}

/// Runs a session in a process of its own, again if it is lost; its exit status. `session` gets
/// whether one was lost before, and runs on this stack of `stack` bytes.
pub fn supervise(
    is_interactive: bool,
    stack: usize,
    session: impl Fn(&'static Shared, bool) -> u8,
) -> std::io::Result<u8> {
    let shared = shared()?;
    // SAFETY: orphans of this process's children become its children.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    let mut is_again = false;
    loop {
        shared.holder.store(NOBODY, Ordering::SeqCst);
        // SAFETY: the child has this thread only, and no other holds a lock: there is but the one
        // that waits for this one.
        let child = unsafe { libc::fork() };
        match child {
            -1 => return Err(std::io::Error::last_os_error()),
            0 => {
                shared.holder.store(own_id(), Ordering::SeqCst);
                crash::guard_stack(stack);
                let status = session(shared, is_again);
                shared.ending.store(true, Ordering::SeqCst);
                std::process::exit(status.into());
            }
            _ => {}
        }
        // The child may be further than this process: a copy of it may hold the session by now.
        shared.holder.compare_exchange(NOBODY, child, Ordering::SeqCst, Ordering::SeqCst).ok();
        ignore(libc::SIGINT);
        ignore(libc::SIGQUIT);
        let status = wait_for_holder(shared);
        let signal = libc::WTERMSIG(status);
        if libc::WIFEXITED(status) {
            let status = libc::WEXITSTATUS(status);
            if shared.ending.load(Ordering::SeqCst) {
                return Ok(status as u8);
            }
            eprintln!("the program called exit({status}); its threads kept the session from being saved");
        } else if shared.ending.load(Ordering::SeqCst) || signal == libc::SIGINT && !is_interactive {
            return Ok(128 + signal as u8);
        } else {
            eprintln!("{}", crash::signal_text(signal));
        }
        shared.failed.store(true, Ordering::SeqCst);
        eprintln!("the session is lost; a new one begins");
        is_again = true;
    }
}

/// Waits until the process that holds the session ends; its status.
fn wait_for_holder(shared: &Shared) -> c_int {
    let mut status = 0;
    loop {
        // SAFETY: the status is there to be filled.
        let ended = unsafe { libc::waitpid(-1, &mut status, 0) };
        if ended == shared.holder.load(Ordering::SeqCst) || ended < 0 && errno() == libc::ECHILD {
            return status;
        }
    }
}

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

fn ignore(signal: c_int) {
    // SAFETY: nobody else decides about it in this process.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

fn by_default(signal: c_int) {
    // SAFETY: as above.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// Signals from the keyboard wait until this is dropped.
struct Blocked(libc::sigset_t);

impl Blocked {
    fn new() -> Blocked {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
        let mut old = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: both sets are there to be filled.
        unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            libc::sigaddset(set.as_mut_ptr(), libc::SIGINT);
            libc::sigaddset(set.as_mut_ptr(), libc::SIGQUIT);
            libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), old.as_mut_ptr());
            Blocked(old.assume_init())
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the set is the one that was there before.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, std::ptr::null_mut()) };
    }
}

/// Whether there are threads beside this one.
fn has_threads() -> bool {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    tasks.filter(|task| runs(&task.path())).count() > 1
}

/// Whether a thread (its directory in `/proc`) still runs code. One that has been joined is listed
/// for a while: whoever joins it may be told before the kernel has put it away.
fn runs(task: &Path) -> bool {
    /// `PF_EXITING` of the kernel, which is set before anybody is told.
    const EXITING: u64 = 4;
    let Ok(stat) = std::fs::read_to_string(task.join("stat")) else { return false };
    // The name, which may have any character, is in parentheses; seven fields after it are flags.
    let flags = stat.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(6)?.parse::<u64>().ok());
    flags.is_none_or(|flags| flags & EXITING == 0)
}

/// The byte that says that the code came to its end.
const DONE: u8 = 1;

/// Runs code that may not come to its end. Afterwards this is the copy that ran it, or, with an
/// error, the process as it was before.
pub fn attempt<R>(shared: &Shared, run: impl FnOnce() -> R) -> Result<R, Stopped> {
    if has_threads() {
        crash::catch(None);
        let result = run();
        crash::release();
        return Ok(result);
    }
    let (mut from, mut to) = pipe().map_err(Stopped::NoProcess)?;
    let blocked = Blocked::new();
    // SAFETY: there is but this thread, which the copy has, too.
    match unsafe { libc::fork() } {
        -1 => Err(Stopped::NoProcess(std::io::Error::last_os_error())),
        0 => {
            drop(from);
            by_default(libc::SIGINT);
            by_default(libc::SIGQUIT);
            drop(blocked);
            crash::catch(Some(&to));
            let result = run();
            crash::release();
            shared.holder.store(own_id(), Ordering::SeqCst);
            drop(to.write_all(&[DONE]));
            Ok(result)
        }
        child => {
            drop(to);
            ignore(libc::SIGINT);
            ignore(libc::SIGQUIT);
            drop(blocked);
            let first = first_byte(&mut from, child);
            if first == Some(DONE) {
                // SAFETY: what would be done at the end is the copy's to do.
                unsafe { libc::_exit(0) };
            }
            let report = first.and_then(|_| Report::read(&mut from));
            let stopped = wait_for(child, report);
            by_default(libc::SIGINT);
            by_default(libc::SIGQUIT);
            Err(stopped)
        }
    }
}

/// The first byte that the copy writes, if it does before it ends. What it has started may hold the
/// other end of the pipe open for longer.
fn first_byte(from: &mut File, child: c_int) -> Option<u8> {
    loop {
        // Asked first: what it wrote before it ended is there to be read.
        let has_ended = has_ended(child);
        let mut asked = libc::pollfd { fd: from.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, which is there.
        if unsafe { libc::poll(&mut asked, 1, if has_ended { 0 } else { 100 }) } > 0 {
            let mut first = [0];
            return from.read_exact(&mut first).ok().map(|()| first[0]);
        }
        if has_ended {
            return None;
        }
    }
}

/// Whether a child has ended that can still be waited for.
fn has_ended(child: c_int) -> bool {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the structure is there to be filled.
    unsafe {
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child as libc::id_t, info.as_mut_ptr(), flags) == 0
            && info.assume_init().si_pid() == child
    }
}

fn wait_for(child: c_int, report: Option<Box<Report>>) -> Stopped {
    let mut status = 0;
    // SAFETY: the status is there to be filled.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 && errno() == libc::EINTR {}
    match libc::WIFEXITED(status) {
        true => Stopped::Exit(libc::WEXITSTATUS(status)),
        false => Stopped::Signal(libc::WTERMSIG(status), report),
    }
}

fn pipe() -> std::io::Result<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: both descriptors are there to be filled, and are nobody else's.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

#[cfg(test)]
mod tests {
    use super::runs;
    use std::path::{Path, PathBuf};

    /// The calling thread's directory.
    fn own_task() -> PathBuf {
        Path::new("/proc").join(std::fs::read_link("/proc/thread-self").expect("there is /proc"))
    }

    #[test]
    fn a_joined_thread_runs_no_more() {
        assert!(runs(&own_task()));
        for _ in 0..20_000 {
            let task = std::thread::spawn(own_task).join().expect("it does not panic");
            assert!(!runs(&task), "{}", std::fs::read_to_string(task.join("stat")).unwrap_or_default());
        }
    }

    #[test]
    fn what_ended_has_written_before() {
        use super::{File, first_byte, pipe, wait_for};
        use std::io::Write;
        let child = |code: fn(&mut File)| {
            let (from, mut to) = pipe().expect("there are descriptors");
            // SAFETY: the child writes to a pipe and ends.
            match unsafe { libc::fork() } {
                0 => {
                    code(&mut to);
                    // SAFETY: ends this process only.
                    unsafe { libc::_exit(0) }
                }
                child => (from, to, child),
            }
        };
        // The other end stays open here, as by a process that the code has started.
        let (mut from, _to, silent) = child(|_| {});
        assert_eq!(first_byte(&mut from, silent), None);
        wait_for(silent, None);
        let (mut from, _to, brief) = child(|to| drop(to.write_all(&[7])));
        while !super::has_ended(brief) {}
        assert_eq!(first_byte(&mut from, brief), Some(7));
        wait_for(brief, None);
    }
}
