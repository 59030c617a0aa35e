//! The directories in which headers are searched for.

use std::cell::{Cell, OnceCell};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;

use rustc_hash::FxHashSet;

use super::options::IncludePaths;

/// One directory of the search path.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) path: String,
    pub(super) system: bool,
    /// The directory of the headers built into the compiler.
    pub(super) builtin: bool,
    contents: Contents,
}

/// What is known to be in a directory of the system, where most headers are not: after a few of
/// them its names are read, which takes less time than asking for all the others.
#[derive(Clone, Debug, Default)]
struct Contents {
    /// How many headers were not found before the names are read; `None` for directories whose
    /// names are never read.
    misses: Option<Cell<u32>>,
    names: OnceCell<Option<FxHashSet<Vec<u8>>>>,
}

/// See [`Contents::misses`].
const MISSES: u32 = 4;

impl Directory {
    /// Notes that a header was not found here.
    pub(super) fn missed(&self) {
        if let Some(misses) = &self.contents.misses {
            misses.set(misses.get() + 1);
        }
    }

    /// Whether a header may be found here.
    pub(super) fn may_hold(&self, name: &str) -> bool {
        let first = name.split('/').next().unwrap_or_default();
        let known = self.contents.misses.as_ref().is_some_and(|misses| misses.get() >= MISSES);
        if !known || matches!(first, "" | "." | "..") {
            return true;
        }
        let read = || {
            let entries = std::fs::read_dir(&self.path).ok()?;
            entries.map(|entry| Some(entry.ok()?.file_name().into_vec())).collect()
        };
        self.contents.names.get_or_init(read).as_ref().is_none_or(|names| names.contains(first.as_bytes()))
    }
}

/// The directories searched, in order: those for `"..."` only, then the others.
#[derive(Clone, Debug, Default)]
pub struct SearchPaths {
    pub(super) directories: Vec<Directory>,
    /// Number of directories for `#include "..."` only.
    pub(super) quote: usize,
    pub(super) builtin: &'static [(&'static str, &'static [u8])],
    pub(super) embed: Vec<String>,
    pub(super) no_current_directory: bool,
    /// What was left out and why, in gcc's words, for `-v`.
    ignored: Vec<String>,
}

impl SearchPaths {
    /// Puts the directories in order and drops those that do not exist or come twice, as gcc does:
    /// of a user's and a system directory that are the same, the user's is dropped.
    pub fn new(paths: &IncludePaths) -> SearchPaths {
        let mut search = SearchPaths {
            builtin: paths.builtin,
            embed: paths.embed.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            no_current_directory: paths.no_current_directory,
            ..SearchPaths::default()
        };
        let mut directories = Vec::new();
        let take = |list: &[std::path::PathBuf], system: bool| -> Vec<Directory> {
            let text = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
            let contents = Contents::default();
            list.iter()
                .map(|path| Directory { path: text(path), system, builtin: false, contents: contents.clone() })
                .collect()
        };
        let mut standard = take(&paths.standard, true);
        standard.iter_mut().for_each(|directory| directory.contents.misses = Some(Cell::new(0)));
        let quote = take(&paths.quote, false);
        directories.extend(take(&paths.angled, false));
        directories.extend(take(&paths.system, true));
        if !paths.builtin.is_empty() {
            let (path, contents) = (paths.builtin_name.clone(), Contents::default());
            directories.push(Directory { path, system: true, builtin: true, contents });
        }
        directories.extend(standard);
        directories.extend(take(&paths.after, true));
        let quote = search.existing(quote);
        let directories = search.existing(directories);
        let system: Vec<(u64, u64)> = directories.iter().filter(|(d, _)| d.system).filter_map(|(_, id)| *id).collect();
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for (directory, id) in directories {
            if let Some(id) = id {
                let shadowed = !directory.system && system.contains(&id);
                if shadowed || seen.contains(&id) {
                    search.ignored.push(format!("ignoring duplicate directory \"{}\"", directory.path));
                    if shadowed {
                        let why = "  as it is a non-system directory that duplicates a system directory";
                        search.ignored.push(why.to_owned());
                    }
                    continue;
                }
                seen.push(id);
            }
            kept.push(directory);
        }
        search.directories = quote.into_iter().map(|(directory, _)| directory).collect();
        search.quote = search.directories.len();
        search.directories.extend(kept);
        search
    }

    fn existing(&mut self, list: Vec<Directory>) -> Vec<(Directory, Option<(u64, u64)>)> {
        let mut kept = Vec::new();
        for directory in list {
            if directory.builtin {
                kept.push((directory, None));
                continue;
            }
            match std::fs::metadata(&directory.path) {
                Ok(metadata) if metadata.is_dir() => kept.push((directory, Some((metadata.dev(), metadata.ino())))),
                Ok(_) => self.ignored.push(format!("{}: not a directory", directory.path)),
                // What is looked for in it shows the error.
                Err(error) if !base::files::is_absence(&error) => kept.push((directory, None)),
                Err(_) => self.ignored.push(format!("ignoring nonexistent directory \"{}\"", directory.path)),
            }
        }
        kept
    }

    /// What `-v` prints about the search path, in GNU's words (scripts parse it).
    pub fn description(&self) -> String {
        let mut out = String::new();
        for line in &self.ignored {
            out.push_str(line);
            out.push('\n');
        }
        out.push_str("#include \"...\" search starts here:\n");
        for (index, directory) in self.directories.iter().enumerate() {
            if index == self.quote {
                out.push_str("#include <...> search starts here:\n");
            }
            out.push_str(&format!(" {}\n", directory.path));
        }
        if self.directories.len() == self.quote {
            out.push_str("#include <...> search starts here:\n");
        }
        out.push_str("End of search list.\n");
        out
    }
}

/// The path of `name` in a directory.
pub(super) fn join(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_owned(),
        _ if directory.ends_with('/') => [directory, name].concat(),
        _ => [directory, "/", name].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_standard_directory_are_read_after_some_misses() {
        let folder = std::env::temp_dir().join(format!("search-paths-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sys")).unwrap();
        std::fs::write(folder.join("here.h"), "").unwrap();
        let paths = |standard: bool| {
            let mut paths = IncludePaths::default();
            if standard { &mut paths.standard } else { &mut paths.angled }.push(folder.clone());
            SearchPaths::new(&paths)
        };
        for standard in [true, false] {
            let search = paths(standard);
            let directory = &search.directories[0];
            for miss in 0..MISSES {
                assert!(directory.may_hold("absent.h"), "{miss}");
                directory.missed();
            }
            assert_eq!(directory.may_hold("absent.h"), !standard);
            assert_eq!(directory.may_hold("bits/absent.h"), !standard);
            for name in ["here.h", "sys/absent.h", "../absent.h", "./here.h"] {
                assert!(directory.may_hold(name), "{name}");
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
