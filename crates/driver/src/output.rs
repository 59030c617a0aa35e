//! Output files.
//!
//! Invariants: a regular file appears at its name complete, by rename, or not at all; a path that
//! is no regular file (a device, a pipe, a socket) is written through and never replaced, whoever
//! runs the compiler; `-` is standard output.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What an output file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Mode 0666 less the umask.
    Data,
    /// Mode 0777 less the umask.
    Executable,
}

/// Whether `path` names something that exists and is not a regular file (symbolic links are
/// followed). A descriptor's name can be written through only, whatever it is open on.
pub fn is_special(path: &Path) -> bool {
    if path.starts_with("/proc/self/fd") || path.starts_with("/dev/fd") {
        return true;
    }
    fs::metadata(path).is_ok_and(|m| !m.is_file())
}

/// Write a whole output.
pub fn write(path: &Path, bytes: &[u8], kind: Kind) -> io::Result<()> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    if is_special(path) {
        return write_through(path, bytes);
    }
    let temporary = temporary_beside(path);
    let result = create(&temporary, kind).and_then(|mut f| f.write_all(bytes));
    match result.and_then(|()| replace(&temporary, path)) {
        Ok(()) => Ok(()),
        Err(error) => {
            drop(fs::remove_file(&temporary));
            // A directory that may not be written to can still hold a file that may.
            if error.kind() == io::ErrorKind::PermissionDenied && path.is_file() {
                return write_through(path, bytes);
            }
            Err(error)
        }
    }
}

/// Write into what is there, without creating anything.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).truncate(path.is_file()).open(path)?;
    file.write_all(bytes)
}

/// Copy a finished file to its place: by rename, or through when the place is special. What cannot
/// be copied is removed.
pub fn publish(temporary: &Path, path: &Path) -> io::Result<()> {
    if is_special(path) {
        let bytes = fs::read(temporary)?;
        fs::remove_file(temporary)?;
        return write_through(path, &bytes);
    }
    replace(temporary, path).inspect_err(|_| drop(fs::remove_file(temporary)))
}

/// Gives a finished file the name of what is no special file. A file that is there changes names
/// with it and is removed: what is renamed over a file, some file systems (ext4) bring to the disk
/// at once, which costs more than writing it did, and a compiler's output can be made again.
fn replace(temporary: &Path, path: &Path) -> io::Result<()> {
    if !exchange(temporary, path) {
        return fs::rename(temporary, path);
    }
    fs::remove_file(temporary).inspect_err(|_| {
        exchange(temporary, path);
    })
}

/// Whether two files have changed names, in one step: both were there, and the system can do that.
fn exchange(one: &Path, other: &Path) -> bool {
    let name = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let (Ok(one), Ok(other)) = (name(one), name(other)) else { return false };
    let (here, exchange) = (libc::AT_FDCWD, libc::RENAME_EXCHANGE);
    // SAFETY: both names end in a NUL and outlive the call.
    unsafe { libc::syscall(libc::SYS_renameat2, here, one.as_ptr(), here, other.as_ptr(), exchange) == 0 }
}

fn create(path: &Path, kind: Kind) -> io::Result<File> {
    let mode = if kind == Kind::Executable { 0o777 } else { 0o666 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// A fresh name in the directory of `path`; in the temporary directory when `path` is special.
pub fn temporary_beside(path: &Path) -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    // The name itself may be as long as the file system allows, so it is not part of the temporary
    // one.
    let unique = format!(".tcc-rs-{}-{}.tmp", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    match path.parent() {
        _ if is_special(path) => temporary_root().join(unique),
        Some(dir) => dir.join(unique),
        None => PathBuf::from(unique),
    }
}

/// Where temporary files go: the first of `$TMPDIR`, `$TMP`, `$TEMP`, `/tmp`, `/var/tmp`,
/// `/usr/tmp` that is a directory, else the current one (gcc's `choose_tmpdir`).
pub fn temporary_root() -> PathBuf {
    let named = ["TMPDIR", "TMP", "TEMP"].iter().filter_map(std::env::var_os).map(PathBuf::from);
    let usual = ["/tmp", "/var/tmp", "/usr/tmp"].iter().map(PathBuf::from);
    named.chain(usual).find(|p| p.is_dir()).unwrap_or_else(|| PathBuf::from("."))
}

/// A directory for intermediate files, removed with what is in it when dropped.
pub struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Make one under `$TMPDIR`.
    pub fn new() -> io::Result<TemporaryDirectory> {
        use std::os::unix::fs::DirBuilderExt;
        let base = temporary_root();
        for attempt in 0u32.. {
            let path = base.join(format!("tcc-rs-{}-{attempt}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(TemporaryDirectory(path)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < 10_000 => {}
                Err(e) => return Err(e),
            }
        }
        unreachable!("the loop ends by returning")
    }

    /// A path for a file in it that does not exist yet, with `name` as its last component where
    /// possible.
    pub fn file(&self, name: &str) -> PathBuf {
        let mut path = self.0.join(name);
        let mut n = 1;
        while path.exists() {
            path = self.0.join(format!("{n}-{name}"));
            n += 1;
        }
        path
    }

    /// The path the first one under `$TMPDIR` has, if nothing is in the way.
    fn likely() -> PathBuf {
        temporary_root().join(format!("tcc-rs-{}-0", std::process::id()))
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Intermediate files. They exist in this process only, until another program has to read them:
/// then a directory is made.
#[derive(Default)]
pub struct Temporaries {
    directory: std::cell::OnceCell<TemporaryDirectory>,
    held: std::cell::RefCell<Vec<(PathBuf, Arc<[u8]>)>>,
}

impl Temporaries {
    /// Keeps a file's contents under a path that has `name` as its last component where possible.
    pub fn hold(&self, name: &str, bytes: Vec<u8>) -> PathBuf {
        let mut held = self.held.borrow_mut();
        let base = TemporaryDirectory::likely();
        let mut path = base.join(name);
        let mut n = 1;
        while held.iter().any(|(known, _)| *known == path) {
            path = base.join(format!("{n}-{name}"));
            n += 1;
        }
        held.push((path.clone(), bytes.into()));
        path
    }

    /// The contents kept under a path.
    pub fn held(&self, path: &Path) -> Option<Arc<[u8]>> {
        self.held.borrow().iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.clone())
    }

    /// Writes what is kept, for other programs; the path a file has then.
    pub fn written(&self, path: &Path) -> Result<PathBuf, crate::report::Failed> {
        let Some(bytes) = self.held(path) else { return Ok(path.to_path_buf()) };
        let failed = |what: &str, e: io::Error| crate::report::fatal("tcc-rs", &format!("cannot {what}: {e}"));
        if self.directory.get().is_none() {
            let directory = TemporaryDirectory::new().map_err(|e| failed("create a temporary directory", e))?;
            drop(self.directory.set(directory));
        }
        let directory = self.directory.get().expect("was just set");
        let place = directory.0.join(path.file_name().unwrap_or_default());
        write(&place, &bytes, Kind::Data).map_err(|e| failed(&format!("write {}", place.display()), e))?;
        Ok(place)
    }
}
