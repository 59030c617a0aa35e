//! Where the C library lives: headers, start files, libraries, the dynamic linker. Nothing of gcc
//! is needed; where gcc is installed, its libgcc follows our own support library at link time.

use crate::invocation::{Invocation, LinkKind};
use base::files::{is_absence, may_be_file, may_be_folder};
use platform::options::Sanitizers;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Our name for the target, as `-dumpmachine` prints it.
pub const MACHINE: &str = "x86_64-linux-gnu";

/// The directory our own headers seem to live in. They are inside the program; the preprocessor
/// serves this name from there.
pub const BUILTIN_INCLUDE_DIR: &str = "/usr/lib/tcc-rs/include";

/// Where the sources of the support routines seem to live.
pub const BUILTIN_SUPPORT_DIR: &str = "/usr/lib/tcc-rs/support";

/// The support file with crtbegin's duties.
pub const START_FILE: &str = "start.c";
/// The support source that is part of the programs of `run`.
pub const CRASH_FILE: &str = "crash.c";

/// C library found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Libc {
    /// GNU.
    Glibc,
    /// musl.
    Musl,
}

/// The result of looking around.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Prefix of every standard directory; empty for `/`.
    pub sysroot: PathBuf,
    /// Which C library has start files here.
    pub libc: Libc,
    /// Directories searched for start files and libraries, existing ones only, after `-L` and
    /// `LIBRARY_PATH`.
    pub library_dirs: Vec<PathBuf>,
    /// gcc's own directory (libgcc.a), when gcc is installed.
    pub gcc_dir: Option<PathBuf>,
}

const GLIBC_DIRS: &[&str] =
    &["/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib"];
const MUSL_DIRS: &[&str] = &["/usr/lib/x86_64-linux-musl", "/lib/x86_64-linux-musl", "/usr/local/musl/lib"];
/// Versions of gcc that are looked for where its folder cannot be listed.
const LAST_GCC: u32 = 30;
/// Where GNU ld looks last.
const LOCAL_DIRS: &[&str] = &["/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib64", "/usr/local/lib"];

impl Toolchain {
    /// Look around, under the sysroot if one is given.
    pub fn discover(inv: &Invocation) -> Toolchain {
        let sysroot = inv.sysroot.clone().unwrap_or_default();
        let has = |dirs: &[&str]| dirs.iter().any(|d| may_be_file(&under(&sysroot, d).join("crt1.o")));
        let libc =
            if !has(GLIBC_DIRS) && has(MUSL_DIRS) || is_musl_system(&sysroot) { Libc::Musl } else { Libc::Glibc };
        let first = if libc == Libc::Musl { MUSL_DIRS } else { GLIBC_DIRS };
        let second = if libc == Libc::Musl { GLIBC_DIRS } else { &[] };
        let library_dirs = [first, second, LOCAL_DIRS]
            .concat()
            .iter()
            .map(|d| under(&sysroot, d))
            .filter(|d| may_be_folder(d))
            .collect();
        Toolchain { gcc_dir: find_gcc_dir(&sysroot), sysroot, libc, library_dirs }
    }

    /// `-B` prefixes, `-L`, `LIBRARY_PATH`, standard directories: where `-l` looks, in order.
    pub fn search_dirs(&self, inv: &Invocation) -> Vec<PathBuf> {
        let mut dirs: Vec<PathBuf> = inv.link.library_dirs.iter().map(|d| self.with_sysroot(d)).collect();
        dirs.extend(inv.link.prefixes.iter().cloned());
        dirs.extend(library_path(inv));
        dirs.extend(self.gcc_dir.iter().cloned());
        dirs.extend(self.library_dirs.iter().cloned());
        dirs
    }

    /// `-L=dir` and `-L$SYSROOT/dir` are below the sysroot.
    fn with_sysroot(&self, dir: &Path) -> PathBuf {
        let text = dir.to_string_lossy();
        match text.strip_prefix('=').or_else(|| text.strip_prefix("$SYSROOT")) {
            Some(rest) => under(&self.sysroot, rest),
            None => dir.to_path_buf(),
        }
    }

    /// Find a start file or library by its file name: `-B` prefixes first, as gcc does.
    pub fn find_file(&self, inv: &Invocation, name: &str) -> Option<PathBuf> {
        let prefixed = inv.link.prefixes.iter().flat_map(|p| {
            // `-B` is a prefix of the file's name: `-B/dir/` and `-B/dir` both mean the directory.
            let mut glued = p.clone().into_os_string();
            glued.push(name);
            [PathBuf::from(glued), p.join(name)]
        });
        let standard =
            library_path(inv).into_iter().chain(self.gcc_dir.clone()).chain(self.library_dirs.iter().cloned());
        prefixed.chain(standard.map(|d| d.join(name))).find(|p| may_be_file(p))
    }

    /// Whether undefined behaviour is reported by gcc's library: where it is installed, in
    /// dynamically
    /// linked programs. Elsewhere `runtime/support` reports it.
    pub fn uses_libubsan(&self, inv: &Invocation) -> bool {
        let sanitize = &inv.options.sanitize;
        let statically = matches!(inv.link.kind(), LinkKind::Static | LinkKind::StaticPie);
        sanitize.checks(Sanitizers::OF_UBSAN)
            && !sanitize.trap
            && !sanitize.minimal
            && !statically
            && self.find_file(inv, "libubsan.so").is_some()
    }

    /// Path stored in dynamically linked executables.
    pub fn dynamic_linker(&self) -> &'static str {
        match self.libc {
            Libc::Glibc => "/lib64/ld-linux-x86-64.so.2",
            Libc::Musl => "/lib/ld-musl-x86_64.so.1",
        }
    }

    /// The C library's first start file, or the one that also starts and ends profiling.
    pub fn start_file(&self, kind: LinkKind, profile: bool) -> Option<&'static str> {
        match kind {
            LinkKind::Shared | LinkKind::Relocatable => None,
            LinkKind::StaticPie if profile => Some("grcrt1.o"),
            _ if profile => Some("gcrt1.o"),
            LinkKind::Pie => Some("Scrt1.o"),
            LinkKind::StaticPie => Some("rcrt1.o"),
            LinkKind::NoPie | LinkKind::Static => Some("crt1.o"),
        }
    }
}

/// `path` (absolute) below `root`.
pub fn under(root: &Path, path: &str) -> PathBuf {
    if root.as_os_str().is_empty() { PathBuf::from(path) } else { root.join(path.trim_start_matches('/')) }
}

fn library_path(inv: &Invocation) -> Vec<PathBuf> {
    let value = std::env::var_os("LIBRARY_PATH").filter(|v| !v.is_empty() && !inv.no_environment);
    let dirs = value.iter().flat_map(std::env::split_paths);
    dirs.map(|p| if p.as_os_str().is_empty() { PathBuf::from(".") } else { p }).collect()
}

/// A distribution whose one C library is musl (Alpine) keeps it in plain /usr/lib.
fn is_musl_system(sysroot: &Path) -> bool {
    under(sysroot, "/lib/ld-musl-x86_64.so.1").exists() && !may_be_file(&under(sysroot, "/lib64/ld-linux-x86-64.so.2"))
}

/// gcc's directory of the highest version that has a libgcc.a.
fn find_gcc_dir(sysroot: &Path) -> Option<PathBuf> {
    let mut best: Option<(u32, PathBuf)> = None;
    for base in
        ["/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/x86_64-pc-linux-gnu", "/usr/lib/gcc/x86_64-redhat-linux"]
    {
        let folder = under(sysroot, base);
        for name in names_in(&folder) {
            let major = name.to_string_lossy().split('.').next().and_then(|v| v.parse::<u32>().ok());
            let Some(major) = major else { continue };
            let path = folder.join(&name);
            if may_be_file(&path.join("libgcc.a")) && best.as_ref().is_none_or(|(v, _)| *v < major) {
                best = Some((major, path));
            }
        }
    }
    best.map(|(_, path)| path)
}

/// What is in gcc's folder; what may be there if an error hides it: what is used of it shows the
/// error. An interrupted call is made again, as those for files are by the library.
fn names_in(folder: &Path) -> Vec<OsString> {
    loop {
        match std::fs::read_dir(folder) {
            Ok(entries) => return entries.flatten().map(|entry| entry.file_name()).collect(),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) if is_absence(&error) => return Vec::new(),
            Err(_) => return (1..=LAST_GCC).map(|version| version.to_string().into()).collect(),
        }
    }
}

/// Fill the preprocessor's directory lists; the result is the directories left out because they do
/// not exist, for `-v`.
///
/// A user directory that is also a system directory counts as the latter, and the first of several
/// mentions counts, as in gcc.
pub fn fill_include_paths(inv: &mut Invocation) -> Vec<PathBuf> {
    let include = inv.include.clone();
    let mut missing = Vec::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut keep = |dirs: Vec<PathBuf>| -> Vec<PathBuf> {
        let mut kept = Vec::new();
        for dir in dirs {
            if !may_be_folder(&dir) && dir.as_os_str() != BUILTIN_INCLUDE_DIR {
                missing.push(dir);
            } else if !seen.contains(&dir) {
                seen.push(dir.clone());
                kept.push(dir);
            }
        }
        kept
    };
    let system = keep(include.system);
    let standard = keep(if include.no_standard { Vec::new() } else { standard_header_dirs(inv) });
    let after = keep(include.after);
    let user = keep(include.user);
    let pp = &mut inv.preprocess;
    pp.quote_dirs.retain(|d| may_be_folder(d));
    // Naming our own directory, as `-nostdinc -isystem $(cc -print-file-name=include)` does, asks
    // for the headers inside.
    let names_ours = system.iter().chain(&user).any(|d| d.as_os_str() == BUILTIN_INCLUDE_DIR);
    let others = |dirs: Vec<PathBuf>| dirs.into_iter().filter(|d| d.as_os_str() != BUILTIN_INCLUDE_DIR).collect();
    pp.user_dirs = others(user);
    pp.system_dirs = others(system);
    pp.standard_dirs = standard;
    pp.after_dirs = after;
    pp.builtin_headers = if include.no_standard && !names_ours { &[] } else { crate::builtin::HEADERS };
    missing
}

/// The C library's header directories, existing or not.
fn standard_header_dirs(inv: &Invocation) -> Vec<PathBuf> {
    let root = inv.header_sysroot.clone().or_else(|| inv.sysroot.clone()).unwrap_or_default();
    let mut dirs = vec!["/usr/local/include/x86_64-linux-gnu", "/usr/local/include"];
    let has_glibc = ["/usr/include/x86_64-linux-gnu/gnu/stubs.h", "/usr/include/features.h"]
        .iter()
        .any(|f| may_be_file(&under(&root, f)));
    if !has_glibc {
        dirs.extend(["/usr/include/x86_64-linux-musl", "/usr/local/musl/include"]);
    }
    dirs.extend(["/usr/include/x86_64-linux-gnu", "/usr/include"]);
    dirs.iter().map(|d| under(&root, d)).collect()
}
