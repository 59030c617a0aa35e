//! Headers that are read once for all inputs of a command.
//!
//! Which paths there are and what the files hold is kept from one translation unit to the next;
//! what depends on the unit (guards, source locations, names) is not. A file that changes while the
//! command runs is seen as it was.

use std::collections::hash_map::Entry;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::source_map::SourceText;
use rustc_hash::FxHashMap;

/// A file's device and inode.
pub(super) type Identity = (u64, u64);

/// See the module.
#[derive(Default, Debug)]
pub struct SharedFiles(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The file of every path that was asked for, or why there is none.
    by_path: FxHashMap<Box<str>, Result<Identity, std::io::ErrorKind>>,
    texts: FxHashMap<Identity, SharedText>,
}

/// A file's text, and its size and time when it was read.
#[derive(Clone)]
pub struct SharedText {
    /// What it held, and a NUL.
    pub text: Arc<SourceText>,
    /// In bytes.
    pub size: u64,
    /// Seconds and nanoseconds of its last change.
    pub time: (i64, i64),
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} paths, {} texts", self.by_path.len(), self.texts.len())
    }
}

impl SharedFiles {
    /// The file of a path. Errors are of the kind that the system gave.
    pub(super) fn find(&self, path: &str) -> std::io::Result<Identity> {
        let mut known = self.lock();
        if let Some(&known) = known.by_path.get(path) {
            return known.map_err(std::io::Error::from);
        }
        let found = known.read(path);
        let kept = found.as_ref().map(|&identity| identity).map_err(std::io::Error::kind);
        known.by_path.insert(path.into(), kept);
        found
    }

    /// All paths that were asked for, sorted, with the texts of those that are files.
    pub fn asked(&self) -> Vec<(String, Option<SharedText>)> {
        let known = self.lock();
        let text = |found: &Result<Identity, _>| found.as_ref().ok().and_then(|id| known.texts.get(id)).cloned();
        let mut asked: Vec<_> = known.by_path.iter().map(|(path, found)| (path.to_string(), text(found))).collect();
        asked.sort_by(|a, b| a.0.cmp(&b.0));
        asked
    }

    /// The text of a file that has been found.
    pub(super) fn text(&self, identity: Identity) -> Option<SourceText> {
        self.lock().texts.get(&identity).map(|known| SourceText::Shared(known.text.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn read(&mut self, path: &str) -> std::io::Result<Identity> {
        let file = std::fs::File::open(path)?;
        let metadata = file.metadata()?;
        let identity = (metadata.dev(), metadata.ino());
        if let Entry::Vacant(new) = self.texts.entry(identity) {
            let (size, time) = (metadata.len(), (metadata.mtime(), metadata.mtime_nsec()));
            new.insert(SharedText { text: Arc::new(SourceText::read_opened(file, &metadata)?), size, time });
        }
        Ok(identity)
    }
}
