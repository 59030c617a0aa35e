//! Output files.
//!
//! Invariants: a regular file appears at its name complete, by rename, or not at all; a path that is no regular file (a device, a
//! pipe, a socket) is written through and never replaced, whoever runs the compiler; `-` is standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What an output file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Mode 0666 less the umask.
    Data,
    /// Mode 0777 less the umask.
    Executable,
}

/// Whether `path` names something that exists and is not a regular file (symbolic links are followed).
pub fn is_special(path: &Path) -> bool {
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
    match result.and_then(|()| fs::rename(&temporary, path)) {
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

/// Copy a finished file to its place: by rename, or through when the place is special.
pub fn publish(temporary: &Path, path: &Path) -> io::Result<()> {
    if is_special(path) {
        let bytes = fs::read(temporary)?;
        fs::remove_file(temporary)?;
        return write_through(path, &bytes);
    }
    fs::rename(temporary, path)
}

fn create(path: &Path, kind: Kind) -> io::Result<File> {
    let mode = if kind == Kind::Executable { 0o777 } else { 0o666 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// A fresh name in the directory of `path`; in the temporary directory when `path` is special.
pub fn temporary_beside(path: &Path) -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let unique = format!(".{name}.{}.{}.tmp", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
    match path.parent() {
        _ if is_special(path) => std::env::temp_dir().join(unique),
        Some(dir) => dir.join(unique),
        None => PathBuf::from(unique),
    }
}

/// A directory for intermediate files, removed with what is in it when dropped.
pub struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Make one under `$TMPDIR`.
    pub fn new() -> io::Result<TemporaryDirectory> {
        use std::os::unix::fs::DirBuilderExt;
        let base = std::env::temp_dir();
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

    /// A path for a file in it that does not exist yet, with `name` as its last component where possible.
    pub fn file(&self, name: &str) -> PathBuf {
        let mut path = self.0.join(name);
        let mut n = 1;
        while path.exists() {
            path = self.0.join(format!("{n}-{name}"));
            n += 1;
        }
        path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The directory of intermediate files, made when the first one is needed.
#[derive(Default)]
pub struct Temporaries(std::cell::OnceCell<TemporaryDirectory>);

impl Temporaries {
    /// A fresh path.
    pub fn file(&self, name: &str) -> Result<PathBuf, crate::report::Failed> {
        if self.0.get().is_none() {
            match TemporaryDirectory::new() {
                Ok(dir) => drop(self.0.set(dir)),
                Err(e) => {
                    return Err(crate::report::fatal("tcc-rs", &format!("cannot create a temporary directory: {e}")));
                }
            }
        }
        Ok(self.0.get().expect("was just set").file(name))
    }
}
