//! The kinds of fault: which system calls fail, and how.

use nix::libc;

/// A kind of fault.
pub struct Kind {
    /// Its name on the command line and in findings.
    pub name: &'static str,
    /// Numbers of the system calls (`syscall(2)`, x86-64).
    pub calls: &'static [i64],
    /// What happens to them.
    pub effect: Effect,
    /// Whether all later calls of the kind fail, too.
    pub lasts: bool,
}

/// What happens to a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It is not made; the result is this `errno`.
    Fails(i32),
    /// It is not made the first time; the caller is told to repeat it (`EINTR`).
    Interrupted,
    /// It transfers one byte (third argument).
    OneByte,
}

impl Effect {
    /// Whether the caller has to go on as if nothing had happened.
    pub fn is_harmless(self) -> bool {
        !matches!(self, Effect::Fails(_))
    }
}

/// The name of a system call of the kinds, and which argument is a path, if one is.
pub fn call_name(call: i64) -> (&'static str, Option<usize>) {
    match call {
        libc::SYS_mmap => ("mmap", None),
        libc::SYS_brk => ("brk", None),
        libc::SYS_mremap => ("mremap", None),
        libc::SYS_mprotect => ("mprotect", None),
        libc::SYS_madvise => ("madvise", None),
        libc::SYS_openat => ("openat", Some(1)),
        libc::SYS_open => ("open", Some(0)),
        libc::SYS_read => ("read", None),
        libc::SYS_pread64 => ("pread64", None),
        libc::SYS_write => ("write", None),
        libc::SYS_pwrite64 => ("pwrite64", None),
        libc::SYS_statx => ("statx", Some(1)),
        libc::SYS_newfstatat => ("newfstatat", Some(1)),
        libc::SYS_stat => ("stat", Some(0)),
        libc::SYS_lstat => ("lstat", Some(0)),
        libc::SYS_fstat => ("fstat", None),
        libc::SYS_rename => ("rename", Some(0)),
        libc::SYS_chmod => ("chmod", Some(0)),
        libc::SYS_mkdir => ("mkdir", Some(0)),
        libc::SYS_linkat => ("linkat", Some(1)),
        libc::SYS_clone | libc::SYS_clone3 => ("clone", None),
        libc::SYS_fork | libc::SYS_vfork => ("fork", None),
        _ => ("another call", None),
    }
}

const MEMORY: &[i64] = &[libc::SYS_mmap, libc::SYS_brk, libc::SYS_mremap];
const PROTECT: &[i64] = &[libc::SYS_mprotect, libc::SYS_madvise];
const OPEN: &[i64] = &[libc::SYS_openat, libc::SYS_open, libc::SYS_pipe2, libc::SYS_memfd_create];
const OPEN_PATH: &[i64] = &[libc::SYS_openat, libc::SYS_open];
const READ: &[i64] = &[libc::SYS_read, libc::SYS_pread64];
const WRITE: &[i64] = &[libc::SYS_write, libc::SYS_pwrite64];
const SPACE: &[i64] = &[
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_pwritev,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_copy_file_range,
    libc::SYS_mkdir,
];
const STAT: &[i64] = &[libc::SYS_statx, libc::SYS_newfstatat, libc::SYS_fstat, libc::SYS_stat, libc::SYS_lstat];
const RENAME: &[i64] =
    &[libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_linkat, libc::SYS_chmod, libc::SYS_fchmod];
const PROCESS: &[i64] = &[libc::SYS_clone, libc::SYS_clone3, libc::SYS_fork, libc::SYS_vfork];

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind { name: "memory-once", calls: MEMORY, effect: Effect::Fails(libc::ENOMEM), lasts: false },
    Kind { name: "memory", calls: MEMORY, effect: Effect::Fails(libc::ENOMEM), lasts: true },
    Kind { name: "protection", calls: PROTECT, effect: Effect::Fails(libc::ENOMEM), lasts: false },
    Kind { name: "open-once", calls: OPEN, effect: Effect::Fails(libc::ENFILE), lasts: false },
    Kind { name: "descriptors", calls: OPEN, effect: Effect::Fails(libc::EMFILE), lasts: true },
    Kind { name: "read", calls: READ, effect: Effect::Fails(libc::EIO), lasts: false },
    Kind { name: "space-once", calls: SPACE, effect: Effect::Fails(libc::ENOSPC), lasts: false },
    Kind { name: "space", calls: SPACE, effect: Effect::Fails(libc::ENOSPC), lasts: true },
    Kind { name: "stat", calls: STAT, effect: Effect::Fails(libc::EIO), lasts: false },
    Kind { name: "rename", calls: RENAME, effect: Effect::Fails(libc::EPERM), lasts: false },
    Kind { name: "process-once", calls: PROCESS, effect: Effect::Fails(libc::EAGAIN), lasts: false },
    Kind { name: "process", calls: PROCESS, effect: Effect::Fails(libc::EAGAIN), lasts: true },
    Kind { name: "short-read", calls: READ, effect: Effect::OneByte, lasts: true },
    Kind { name: "short-write", calls: WRITE, effect: Effect::OneByte, lasts: true },
    Kind { name: "interrupted-read", calls: READ, effect: Effect::Interrupted, lasts: false },
    Kind { name: "interrupted-write", calls: WRITE, effect: Effect::Interrupted, lasts: false },
    Kind { name: "interrupted-open", calls: OPEN_PATH, effect: Effect::Interrupted, lasts: false },
];
