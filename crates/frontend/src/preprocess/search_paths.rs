//! The directories in which headers are searched for.

use std::os::unix::fs::MetadataExt;

use super::options::IncludePaths;

/// One directory of the search path.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) path: String,
    pub(super) system: bool,
    /// The directory of the headers built into the compiler.
    pub(super) builtin: bool,
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
            list.iter().map(|path| Directory { path: text(path), system, builtin: false }).collect()
        };
        let quote = take(&paths.quote, false);
        directories.extend(take(&paths.angled, false));
        directories.extend(take(&paths.system, true));
        if !paths.builtin.is_empty() {
            directories.push(Directory { path: paths.builtin_name.clone(), system: true, builtin: true });
        }
        directories.extend(take(&paths.standard, true));
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
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}
