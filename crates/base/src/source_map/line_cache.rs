//! The line that was looked up last.

use super::Presumed;
use crate::{Loc, Symbol};

/// A line and its positions `start..end`.
#[derive(Clone, Copy)]
pub(super) struct LineCache {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) file: Symbol,
    pub(super) line: u32,
    pub(super) system: bool,
}

impl LineCache {
    pub(super) fn get(&self, loc: Loc) -> Option<Presumed> {
        (self.start <= loc.0 && loc.0 < self.end).then(|| Presumed {
            file: self.file,
            line: self.line,
            column: loc.0 - self.start + 1,
            system: self.system,
        })
    }
}

pub(super) const NO_LINE: LineCache = LineCache { start: 1, end: 0, file: Symbol(0), line: 0, system: false };
