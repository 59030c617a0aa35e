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
    texts: FxHashMap<Identity, Arc<SourceText>>,
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

    /// All paths that were asked for, sorted, and whether there was a file.
    pub fn asked(&self) -> Vec<(String, bool)> {
        let known = self.lock();
        let mut asked: Vec<_> = known.by_path.iter().map(|(path, found)| (path.to_string(), found.is_ok())).collect();
        asked.sort();
        asked
    }

    /// The text of a file that has been found.
    pub(super) fn text(&self, identity: Identity) -> Option<SourceText> {
        self.lock().texts.get(&identity).map(|text| SourceText::Shared(text.clone()))
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
            new.insert(Arc::new(SourceText::read_opened(file, &metadata)?));
        }
        Ok(identity)
    }
}
