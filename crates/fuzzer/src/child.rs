//! Forked children: code that may crash, hang or write anywhere runs in one.
//!
//! The process that forks has one thread, so that a child has all that its memory says.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::time::{Duration, Instant};

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Done,
    /// A signal, by its number.
    Signal(i32),
    /// It was ended for taking too long.
    TimedOut,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Done => f.write_str("ended"),
            End::Signal(number) => write!(f, "was ended by signal {number}"),
            End::TimedOut => f.write_str("took too long"),
        }
    }
}

/// Bytes of memory that a child may have.
const MEMORY: u64 = 6 << 30;

/// Starts a child that does a job and ends; its process number.
///
/// # Errors
/// There is no room for another process.
pub fn start(job: impl FnOnce()) -> Result<i32, String> {
    // SAFETY: this process has one thread; the child ends in `_exit` without running what the
    // parent has registered.
    match unsafe { libc::fork() } {
        -1 => Err(format!("cannot fork: {}", std::io::Error::last_os_error())),
        0 => {
            let limit = |bytes| libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            // SAFETY: plain calls with valid arguments. Without a limit the child works as well; a
            // core of each crash would fill the disk.
            unsafe {
                libc::setrlimit(libc::RLIMIT_AS, &limit(MEMORY));
                libc::setrlimit(libc::RLIMIT_CORE, &limit(0));
            }
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)).is_ok();
            // SAFETY: it does not return.
            unsafe { libc::_exit(i32::from(!done)) }
        }
        child => Ok(child),
    }
}

/// Whether a child has ended, and how; it is gone then.
pub fn ended(child: i32) -> Option<End> {
    let mut status = 0;
    // SAFETY: the status is this function's own.
    let found = unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) };
    match found {
        0 => None,
        _ if libc::WIFSIGNALED(status) => Some(End::Signal(libc::WTERMSIG(status))),
        _ => Some(End::Done),
    }
}

/// Ends a child of this process and waits for it.
pub fn end(child: i32) {
    // SAFETY: the number is that of a child which has not been waited for.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, std::ptr::null_mut(), 0);
    }
}

/// Does a job in a child of its own; what it wrote and what it said on standard error, as far as it
/// came.
///
/// # Errors
/// There is no room for a process or its pipe.
pub fn isolated(limit: Duration, job: impl FnOnce(&mut File)) -> Result<(Vec<u8>, String, End), String> {
    let ((mut answers, mut to_answers), (mut said, to_said)) = (pipe()?, pipe()?);
    let child = start(|| {
        use std::os::fd::AsRawFd;
        // SAFETY: both are open.
        unsafe { libc::dup2(to_said.as_raw_fd(), 2) };
        job(&mut to_answers);
    })?;
    drop((to_answers, to_said));
    let begin = Instant::now();
    let (mut bytes, mut text, mut buffer) = (Vec::new(), Vec::new(), [0; 4096]);
    let end = loop {
        let mut drain = || {
            for (from, to) in [(&mut answers, &mut bytes), (&mut said, &mut text)] {
                while let Ok(n @ 1..) = from.read(&mut buffer) {
                    to.extend_from_slice(&buffer[..n]);
                }
            }
        };
        drain();
        if let Some(how) = ended(child) {
            drain();
            break how;
        }
        if begin.elapsed() > limit {
            end(child);
            break End::TimedOut;
        }
        std::thread::sleep(Duration::from_micros(300));
    };
    Ok((bytes, String::from_utf8_lossy(&text).into_owned(), end))
}

/// A pipe whose reading end does not wait.
fn pipe() -> Result<(File, File), String> {
    let mut ends = [0; 2];
    // SAFETY: there is room for the two numbers; each is owned once.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(format!("cannot make a pipe: {}", std::io::Error::last_os_error()));
        }
        libc::fcntl(ends[0], libc::F_SETFL, libc::O_NONBLOCK);
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

/// Writes what a child found. The parent has read all when the child ends.
pub fn answer(to: &mut impl Write, text: &str) {
    // A parent that is gone does not need it.
    drop(writeln!(to, "{text}"));
}

/// A page that parent and child share: numbers that the child sets and the parent reads.
pub struct Shared(*mut std::sync::atomic::AtomicU64);

impl Shared {
    /// Numbers in a page.
    const LENGTH: usize = 8;

    /// A page of zeros.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new() -> Result<Shared, String> {
        // SAFETY: a new mapping at a place that the system chooses, all zeros, never unmapped.
        let page = unsafe {
            let kind = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
            libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ | libc::PROT_WRITE, kind, -1, 0)
        };
        if page == libc::MAP_FAILED {
            return Err("cannot map memory".to_string());
        }
        Ok(Shared(page.cast()))
    }

    /// One of the numbers.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn number(&self, index: usize) -> &std::sync::atomic::AtomicU64 {
        assert!(index < Shared::LENGTH);
        // SAFETY: the page is longer, is never unmapped, and all of it is atomic numbers.
        unsafe { &*self.0.add(index) }
    }
}
