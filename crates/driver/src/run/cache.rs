//! Programs that `run` has made, kept under `$XDG_CACHE_HOME/tcc-rs/run` (`~/.cache` without that
//! variable).
//!
//! A program is found by what it was made of: this compiler, the arguments, the working directory,
//! the variables that compilers read, and the sources' bytes. After it in the same file, where no
//! loader looks, stands what else was looked for, present or not: headers, libraries, objects. One
//! of another size or time is compared by contents. What prints something, writes other files, or
//! knows the time, is not kept.
//!
//! The object that starts programs and reports crashes is there, too: it is the same for all.

use super::{Built, Line};
use crate::invocation::{Input, Invocation, Language};
use crate::output::{self, Kind};
use crate::toolchain::Toolchain;
use frontend::preprocess::SharedText;
use rustc_hash::FxHasher;
use std::ffi::OsStr;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes of programs that are kept; the oldest go.
const LARGEST: u64 = 256 << 20;

/// One program in so many looks whether others have to go: a folder takes long to list.
const LOOK_EVERY: u64 = 32;
/// A program of this size always looks.
const LARGE: usize = 1 << 20;
/// Ends the file of a program; the size of the list before it comes first.
const END: &[u8; 8] = b"tcc-rs\n\0";
const END_SIZE: u64 = 16;

/// Where a program is, or is to be.
pub struct Key {
    folder: PathBuf,
    name: String,
}

/// Two independent hashes of 64 bits: what is compared is the user's own, not an attacker's.
#[derive(Default)]
struct Hash(DefaultHasher, DefaultHasher);

impl Hash {
    fn new() -> Hash {
        let mut hash = Hash::default();
        hash.1.write_u8(1);
        hash
    }

    /// One that holds the identity of this compiler.
    fn of_compiler() -> Option<Hash> {
        let mut hash = Hash::new();
        let own = std::fs::metadata("/proc/self/exe").ok()?;
        for number in [own.len(), own.ino(), own.mtime() as u64, own.mtime_nsec() as u64] {
            hash.part(&number.to_le_bytes());
        }
        Some(hash)
    }

    /// A part, apart from its neighbours.
    fn part(&mut self, bytes: &[u8]) {
        for hasher in [&mut self.0, &mut self.1] {
            hasher.write_usize(bytes.len());
            hasher.write(bytes);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}{:016x}", self.0.finish(), self.1.finish())
    }
}

/// Of a file's contents, whose size is compared, too.
fn hash_of(bytes: &[u8]) -> String {
    let mut hash = FxHasher::default();
    hash.write(bytes);
    format!("{:016x}", hash.finish())
}

/// Whether an option leaves nothing behind but the program.
fn is_quiet(option: &OsStr) -> bool {
    let text = option.to_string_lossy();
    let quiet = [
        "-O",
        "-D",
        "-U",
        "-I",
        "-l",
        "-L",
        "-W",
        "-f",
        "-m",
        "-std=",
        "-g",
        "-x",
        "-include",
        "-isystem",
        "-iquote",
        "-pthread",
        "-static",
        "-pie",
        "-no-pie",
        "-w",
        "-ansi",
        "-pedantic",
    ];
    let loud = [
        "-ftime",
        "-fstack-usage",
        "-fopt-info",
        "-fsave",
        "-fdump",
        "-fcallgraph",
        "-fdiagnostics",
        "-Wp,",
        "-Wa,",
        "-Wl,",
    ];
    !text.starts_with('-') || quiet.iter().any(|q| text.starts_with(q)) && !loud.iter().any(|l| text.starts_with(l))
}

impl Key {
    /// The key of a command, if its program may be kept.
    pub fn of(line: &Line) -> Option<Key> {
        if !line.compiler.iter().all(|option| is_quiet(option)) {
            return None;
        }
        let mut hash = Hash::of_compiler()?;
        hash.part(std::env::current_dir().ok()?.as_os_str().as_bytes());
        for variable in ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH"] {
            hash.part(std::env::var_os(variable).unwrap_or_default().as_bytes());
        }
        line.compiler.iter().for_each(|argument| hash.part(argument.as_bytes()));
        for source in &line.sources {
            let text = source.is_file().then(|| std::fs::read(source).ok()).flatten()?;
            if [&b"__TIME__"[..], b"__DATE__", b"__TIMESTAMP__"].iter().any(|name| contains(&text, name)) {
                return None;
            }
            hash.part(&text);
        }
        Some(Key { folder: folder()?, name: hash.text() })
    }

    fn program(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The program, if what it was made of has not changed.
    pub fn find(&self) -> Option<PathBuf> {
        let file = File::open(self.program()).ok()?;
        let size = file.metadata().ok()?.len();
        let mut end = [0; END_SIZE as usize];
        file.read_exact_at(&mut end, size.checked_sub(END_SIZE)?).ok()?;
        let (length, mark) = end.split_first_chunk::<8>()?;
        let length = u64::from_le_bytes(*length);
        let start = (size - END_SIZE).checked_sub(length).filter(|_| mark == END)?;
        let mut list = vec![0; length as usize];
        file.read_exact_at(&mut list, start).ok()?;
        let is_same = list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).all(is_unchanged);
        is_same.then(|| self.program())
    }

    /// Keeps a program. Where that cannot be done, the next run makes it again.
    pub fn store(&self, line: &Line, built: &Built) {
        drop(self.try_store(line, built));
    }

    fn try_store(&self, line: &Line, built: &Built) -> std::io::Result<()> {
        let mut program = std::fs::read(built.name())?;
        if program.len() >= LARGE || u64::from_str_radix(&self.name[..4], 16).is_ok_and(|n| n % LOOK_EVERY == 0) {
            make_room(&self.folder, program.len() as u64);
        }
        let mut list = Vec::new();
        for (path, found) in built.files.asked() {
            describe_known(&path, found.as_ref(), &mut list);
        }
        let Ok(inv) = crate::cli::parse("tcc-rs", line.compiler.clone()) else { return Ok(()) };
        linked_files(&inv).iter().for_each(|path| describe(path, &mut list));
        let include = &inv.include;
        for folder in include.user.iter().chain(&include.system).chain(&include.after).chain(&inv.preprocess.quote_dirs)
        {
            describe_folder(folder, &mut list);
        }
        program.extend(&list);
        program.extend((list.len() as u64).to_le_bytes());
        program.extend(END);
        write(&self.folder, &self.program(), &program, Kind::Executable)
    }
}

/// Writes a file into the cache, whose folder is made if it is not there.
fn write(folder: &Path, path: &Path, bytes: &[u8], kind: Kind) -> std::io::Result<()> {
    match output::write(path, bytes, kind) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            create(folder)?;
            output::write(path, bytes, kind)
        }
        done => done,
    }
}

/// The object that starts programs and reports crashes by starting `reporter`, made if it is not
/// there.
pub fn crash_object<E>(reporter: &Path, make: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Vec<u8>, E> {
    let file = Hash::of_compiler().zip(folder()).map(|(mut hash, folder)| {
        hash.part(reporter.as_os_str().as_bytes());
        folder.join(hash.text()).with_extension("o")
    });
    if let Some(bytes) = file.as_ref().and_then(|file| std::fs::read(file).ok()) {
        return Ok(bytes);
    }
    let bytes = make()?;
    if let Some(file) = file
        && let Some(folder) = file.parent()
    {
        drop(write(folder, &file, &bytes, Kind::Data));
    }
    Ok(bytes)
}

fn create(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn contains(text: &[u8], name: &[u8]) -> bool {
    text.windows(name.len()).any(|window| window == name)
}

/// The cache's folder; what others may write to is none.
fn folder() -> Option<PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    let folder = base.join("tcc-rs/run");
    match std::fs::metadata(&folder) {
        // SAFETY: asking who runs the program changes nothing.
        Ok(m) if m.uid() != unsafe { libc::geteuid() } || m.mode() & 0o022 != 0 => None,
        _ => Some(folder),
    }
}

/// Objects, archives and libraries of the command line.
fn linked_files(inv: &Invocation) -> Vec<PathBuf> {
    let dirs = inv.inputs.iter().any(|input| matches!(input, Input::Library(_)));
    let dirs = if dirs { Toolchain::discover(inv).search_dirs(inv) } else { Vec::new() };
    let mut files = Vec::new();
    for input in &inv.inputs {
        match input {
            Input::File { path, language: Language::LinkerInput } => files.push(path.clone()),
            Input::Library(name) => {
                let name = name.to_string_lossy();
                let both = |dir: &PathBuf| [dir.join(format!("lib{name}.so")), dir.join(format!("lib{name}.a"))];
                // Up to the one that is there: another may come before it.
                for path in dirs.iter().flat_map(both) {
                    let is_there = path.is_file();
                    files.push(path);
                    if is_there {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    files
}

/// The same as [`describe`] of a file that was read.
fn describe_known(path: &str, found: Option<&SharedText>, list: &mut Vec<u8>) {
    let text = match found {
        Some(known) => {
            let bytes = known.text.bytes();
            // Without the NUL.
            let hash = hash_of(&bytes[..bytes.len() - 1]);
            format!("{} {}.{} {hash} {path}\n", known.size, known.time.0, known.time.1)
        }
        None => format!("- {path}\n"),
    };
    list.extend(text.as_bytes());
}

/// One line about a path: `- PATH` if there is no file, else size, time, hash and path.
fn describe(path: &Path, list: &mut Vec<u8>) {
    let text = match std::fs::metadata(path) {
        Ok(m) if m.is_file() => {
            let hash = std::fs::read(path).map(|bytes| hash_of(&bytes)).unwrap_or_default();
            format!("{} {}.{} {hash} ", m.len(), m.mtime(), m.mtime_nsec())
        }
        _ => "- ".to_string(),
    };
    list.extend(text.as_bytes());
    list.extend(path.as_os_str().as_bytes());
    list.push(b'\n');
}

/// One line about a folder that headers are looked for in, if it is there (`D`) or not (`N`).
fn describe_folder(folder: &Path, list: &mut Vec<u8>) {
    list.extend(if folder.is_dir() { b"D " } else { b"N " });
    list.extend(folder.as_os_str().as_bytes());
    list.push(b'\n');
}

fn is_unchanged(line: &[u8]) -> bool {
    if let [kind @ (b'D' | b'N'), b' ', folder @ ..] = line {
        return Path::new(OsStr::from_bytes(folder)).is_dir() == (*kind == b'D');
    }
    if let Some(path) = line.strip_prefix(b"- ") {
        return !Path::new(OsStr::from_bytes(path)).is_file();
    }
    let mut parts = line.splitn(4, |byte| *byte == b' ');
    let mut next = || parts.next().unwrap_or_default();
    let (size, time, hash, path) = (next(), next(), next(), Path::new(OsStr::from_bytes(next())));
    let Ok(m) = std::fs::metadata(path) else { return false };
    m.len().to_string().as_bytes() == size
        && (format!("{}.{}", m.mtime(), m.mtime_nsec()).as_bytes() == time
            || std::fs::read(path).is_ok_and(|bytes| hash_of(&bytes).as_bytes() == hash))
}

/// Removes the oldest programs until `size` bytes fit.
fn make_room(folder: &Path, size: u64) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut known: Vec<(SystemTime, u64, PathBuf)> = entries
        .filter_map(|entry| {
            let m = entry.metadata().ok()?;
            Some((m.modified().ok()?, m.len(), entry.path()))
        })
        .collect();
    known.sort();
    let mut total: u64 = known.iter().map(|(_, len, _)| len).sum::<u64>() + size;
    for (_, len, path) in known {
        if total <= LARGEST {
            return;
        }
        drop(std::fs::remove_file(path));
        total -= len;
    }
}
