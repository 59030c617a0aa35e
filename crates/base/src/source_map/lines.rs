//! Lines of many positions in turn.

use super::Presumed;
use super::data::SourceMapData;
use super::line_cache::{LineCache, NO_LINE};
use crate::Loc;

/// Finds lines for many positions in turn, as the line table of a function needs them: positions in
/// macros count as the point of expansion. It remembers the macro expansion and the line it was in
/// last, so that neighbours cost nothing.
pub struct LineResolver<'a> {
    data: &'a SourceMapData,
    /// The positions of the last macro expansion, and where it took place in a file.
    expansion: (u32, u32, Loc),
    line: LineCache,
}

impl<'a> LineResolver<'a> {
    /// A resolver over the data; each thread has its own.
    pub fn new(data: &'a SourceMapData) -> LineResolver<'a> {
        LineResolver { data, expansion: (1, 0, Loc::NONE), line: NO_LINE }
    }

    /// File, line and column of `loc`, `None` for [`Loc::NONE`].
    pub fn resolve(&mut self, loc: Loc) -> Option<Presumed> {
        if let Some(place) = self.line.get(loc) {
            return Some(place);
        }
        let (start, end, point) = self.expansion;
        let at = if start <= loc.0 && loc.0 < end {
            point
        } else {
            let point = self.data.expansion_point(loc);
            if point != loc {
                let index = self.data.entry_index(loc)?;
                let end = self.data.entries.get(index + 1).map_or(self.data.next, |entry| entry.base);
                self.expansion = (self.data.entries[index].base, end, point);
            }
            point
        };
        if let Some(place) = self.line.get(at) {
            return Some(place);
        }
        self.line = self.data.line_around(at)?;
        self.line.get(at).or_else(|| self.data.presumed(at))
    }
}
