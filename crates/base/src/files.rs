//! What an error of the file system means for a search.
//!
//! A search goes on where something is absent. Any other error (of the disk, of a limit) must not
//! be taken for that: the result would silently be another one.

use std::fs::Metadata;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Whether the error says that there is no such file, or none that the user may see.
pub fn is_absence(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}

/// What is wrong, in the words of the C library for what is common.
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "No such file or directory".to_string(),
        ErrorKind::PermissionDenied => "Permission denied".to_string(),
        ErrorKind::IsADirectory => "Is a directory".to_string(),
        _ => error.to_string(),
    }
}

/// Whether there is a folder, or an error hides what there is: using it will show the error.
pub fn may_be_folder(path: &Path) -> bool {
    may_be(path.metadata(), Metadata::is_dir)
}

/// The same for a file.
pub fn may_be_file(path: &Path) -> bool {
    may_be(path.metadata(), Metadata::is_file)
}

fn may_be(metadata: Result<Metadata>, is_wanted: impl Fn(&Metadata) -> bool) -> bool {
    metadata.map_or_else(|error| !is_absence(&error), |metadata| is_wanted(&metadata))
}
