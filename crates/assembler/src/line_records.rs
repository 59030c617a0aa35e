//! What the directives for line tables have recorded, by place in the assembled code.

use object::line_table::{LineFile, LineRow};

/// A place in a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub chunk: u32,
    /// Items before it.
    pub items: u32,
    /// Fixed bytes before it.
    pub fixed: u32,
}

/// What `.file` and `.loc` have said so far.
#[derive(Default)]
pub(crate) struct Lines {
    pub directories: Vec<String>,
    pub files: Vec<LineFile>,
    pub rows: Vec<(Position, LineRow)>,
    pub is_stmt_off: bool,
}

impl Lines {
    /// The number of a directory, which is added if it is new.
    pub fn directory(&mut self, name: &str) -> u32 {
        if self.directories.is_empty() {
            self.directories.push(".".into());
        }
        if let Some(index) = self.directories.iter().position(|d| d == name) {
            return index as u32;
        }
        self.directories.push(name.into());
        self.directories.len() as u32 - 1
    }
}
