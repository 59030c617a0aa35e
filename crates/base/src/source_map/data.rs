//! The ranges of positions and what can be asked of them.

use std::cell::Cell;

use super::line_cache::LineCache;
use super::text::Source;
use super::{MacroStep, Presumed, SourceId};
use crate::{Loc, Symbol};

pub(super) const FILE_TAG: u32 = 1 << 31;
pub(super) const ARGUMENT_TAG: u32 = 1 << 30;
pub(super) const DEPTH_SHIFT: u32 = 26;
pub(super) const INFO_MASK: u32 = (1 << DEPTH_SHIFT) - 1;
/// Ranges of arguments that lead from a position to its spelling, at most.
pub(super) const MAX_DEPTH: u32 = 8;
/// Ranges that a range of an argument reaches over, at most: as many are looked at before it is
/// made.
const MAX_RANGES: usize = 32;

#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) base: u32,
    /// For a macro: where the first position of the range was spelled, in a file wherever one range
    /// of the text after it allows that.
    pub(super) spelling: u32,
    /// For a macro: where the expansion took place.
    pub(super) expansion: u32,
    /// For a macro: the outermost expansion in a file. Chains of expansions are as long as the
    /// input wants, so that nothing may follow one for every token.
    pub(super) point: u32,
    /// `FILE_TAG | inclusion`, or the macro's symbol, with `ARGUMENT_TAG` when the text is an
    /// argument's, and then the number of ranges that must be passed, at most, to get to the
    /// spelling.
    pub(super) info: u32,
}

impl Entry {
    pub(super) fn depth(&self) -> u32 {
        if self.info & FILE_TAG != 0 { 0 } else { self.info >> DEPTH_SHIFT & (2 * MAX_DEPTH - 1) }
    }
}

/// One inclusion of a source text.
pub(super) struct Inclusion {
    pub(super) source: SourceId,
    pub(super) base: u32,
    pub(super) name: Symbol,
    pub(super) include_loc: Loc,
    pub(super) system: bool,
    pub(super) markers: Vec<Marker>,
}

/// A `#line` or line marker, in force from `offset` on.
pub(super) struct Marker {
    pub(super) offset: u32,
    /// Physical line (0-based) on which the presumed line is `line`.
    pub(super) physical: u32,
    pub(super) line: u32,
    pub(super) file: Symbol,
    pub(super) system: bool,
    /// The marker entry (index + 1 into `markers`) in whose file this one was included, by the
    /// flags of the markers.
    pub(super) parent: u32,
    /// Presumed line of the inclusion.
    pub(super) parent_line: u32,
}

/// The plain data of a [`SourceMap`]; all look-ups are here and need no lock.
#[derive(Default)]
pub struct SourceMapData {
    /// Boxed, as references to the texts are handed out while the list grows.
    #[allow(clippy::vec_box)]
    pub(super) sources: Vec<Box<Source>>,
    pub(super) entries: Vec<Entry>,
    pub(super) inclusions: Vec<Inclusion>,
    pub(super) next: u32,
}

impl SourceMapData {
    pub(super) fn entry_index(&self, loc: Loc) -> Option<usize> {
        if loc.is_none() || loc.0 >= self.next {
            return None;
        }
        self.entries.partition_point(|entry| entry.base <= loc.0).checked_sub(1)
    }

    /// The same, looking from entry `near` on outwards: most questions follow the order of the
    /// text.
    pub(super) fn entry_index_near(&self, loc: Loc, near: usize) -> Option<usize> {
        if loc.is_none() || loc.0 >= self.next {
            return None;
        }
        let (mut low, mut high) = (near.min(self.entries.len()), near.min(self.entries.len()));
        let mut step = 1;
        while low > 0 && self.entries[low - 1].base > loc.0 {
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = 1;
        while high < self.entries.len() && self.entries[high].base <= loc.0 {
            high = (high + step).min(self.entries.len());
            step *= 2;
        }
        let within = self.entries[low..high].partition_point(|entry| entry.base <= loc.0);
        (low + within).checked_sub(1)
    }

    pub(super) fn entry(&self, loc: Loc) -> Option<Entry> {
        self.entry_index(loc).map(|index| self.entries[index])
    }

    pub(super) fn inclusion(&self, loc: Loc) -> Option<&Inclusion> {
        let entry = self.entry(loc)?;
        (entry.info & FILE_TAG != 0).then(|| &self.inclusions[(entry.info & !FILE_TAG) as usize])
    }

    /// Whether `loc` lies in a macro expansion.
    pub fn is_macro(&self, loc: Loc) -> bool {
        self.entry(loc).is_some_and(|entry| entry.info & FILE_TAG == 0)
    }

    /// Whether the characters at `loc` stand in the definition of a macro that is used there, and
    /// not in an argument.
    pub fn is_of_definition(&self, mut loc: Loc) -> bool {
        while let Some(entry) = self.entry(loc).filter(|entry| entry.info & FILE_TAG == 0) {
            if entry.info & ARGUMENT_TAG == 0 {
                return true;
            }
            loc = Loc(entry.spelling + (loc.0 - entry.base));
        }
        false
    }

    /// Where the characters at `loc` stand in a file: in a macro's definition, or in an argument.
    pub fn spelling(&self, mut loc: Loc) -> Loc {
        while let Some(entry) = self.entry(loc) {
            if entry.info & FILE_TAG != 0 {
                break;
            }
            loc = Loc(entry.spelling + (loc.0 - entry.base));
        }
        loc
    }

    /// The position in a file of the outermost macro invocation that `loc` came from; `loc` itself
    /// outside macros.
    pub fn expansion_point(&self, loc: Loc) -> Loc {
        self.entry(loc).filter(|entry| entry.info & FILE_TAG == 0).map_or(loc, |entry| Loc(entry.point))
    }

    /// The same, looking near the entry of the last question of this kind.
    pub(super) fn point_near(&self, loc: Loc, near: &Cell<usize>) -> Loc {
        let Some(index) = self.entry_index_near(loc, near.get()) else { return loc };
        near.set(index + 1);
        let entry = &self.entries[index];
        if entry.info & FILE_TAG == 0 { Loc(entry.point) } else { loc }
    }

    /// What a new range for the `length` positions from `loc` on may hold: how many of them, where
    /// they are spelled, and how many ranges there are to pass from there to the file. What lies in
    /// one range leads to where that leads, and needs no more steps than that; else all of it, or
    /// of the next [`MAX_RANGES`] ranges, gets one range, unless the way has become long.
    pub(super) fn spelling_of_run(&self, loc: Loc, length: u32, near: &Cell<usize>) -> (u32, Loc, u32) {
        let Some(first) = self.entry_index_near(loc, near.get()) else { return (length, loc, 0) };
        near.set(first + 1);
        let entry = &self.entries[first];
        let end = self.entries.get(first + 1).map_or(self.next, |entry| entry.base);
        if end - loc.0 < length {
            let behind = self.entries.get(first + MAX_RANGES).map_or(self.next, |entry| entry.base);
            let length = length.min(behind - loc.0);
            let run = self.entries[first..].iter().take_while(|entry| entry.base < loc.0 + length);
            let depth = run.map(Entry::depth).max().unwrap_or(0) + 1;
            if depth <= MAX_DEPTH {
                return (length, loc, depth);
            }
        }
        let spelling = if entry.info & FILE_TAG != 0 { loc } else { Loc(entry.spelling + (loc.0 - entry.base)) };
        (length.min(end - loc.0), spelling, entry.depth())
    }

    /// The macro invocation that put the token at `loc` in its place, and where its place in the
    /// macro's definition is: the parameter for a part of an argument. `None` outside macros.
    pub fn invocation(&self, mut loc: Loc) -> Option<(Loc, Loc)> {
        loop {
            let entry = self.entry(loc).filter(|entry| entry.info & FILE_TAG == 0)?;
            if entry.info & ARGUMENT_TAG == 0 {
                return Some((Loc(entry.expansion), self.spelling(loc)));
            }
            loc = Loc(entry.expansion);
        }
    }

    /// The steps from the token at `loc` out to the file, innermost first, at most `limit` of them.
    pub fn macro_backtrace(&self, mut loc: Loc, limit: usize) -> Vec<MacroStep> {
        let mut steps = Vec::new();
        let mut argument = None;
        while let Some(entry) = self.entry(loc) {
            if entry.info & FILE_TAG != 0 || steps.len() == limit {
                break;
            }
            if entry.info & ARGUMENT_TAG != 0 {
                // The expansion of an argument's text is the parameter, inside the expansion of the
                // macro's body.
                argument = Some(());
                loc = Loc(entry.expansion);
                continue;
            }
            let definition = self.spelling(loc);
            let expansion = Loc(entry.expansion);
            steps.push(MacroStep {
                name: Symbol(entry.info & INFO_MASK),
                definition,
                expansion,
                argument: argument.take().is_some(),
            });
            loc = expansion;
        }
        steps
    }

    /// File, line and column as changed by `#line`, of the spelling of `loc`. `None` for
    /// [`Loc::NONE`].
    pub fn presumed(&self, loc: Loc) -> Option<Presumed> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        let (physical, column) = self.line_column(inclusion, loc);
        let offset = loc.0 - inclusion.base;
        Some(match inclusion.marker_at(offset) {
            Some(marker) => Presumed {
                file: marker.file,
                line: marker.line.wrapping_add(physical.wrapping_sub(marker.physical)),
                column,
                system: marker.system,
            },
            None => Presumed { file: inclusion.name, line: physical + 1, column, system: inclusion.system },
        })
    }

    /// Real file, line and column of the spelling of `loc`, disregarding `#line`.
    pub fn physical(&self, loc: Loc) -> Option<Presumed> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        let (physical, column) = self.line_column(inclusion, loc);
        Some(Presumed { file: inclusion.name, line: physical + 1, column, system: inclusion.system })
    }

    pub(super) fn line_column(&self, inclusion: &Inclusion, loc: Loc) -> (u32, u32) {
        let source = &self.sources[inclusion.source.0 as usize];
        let offset = loc.0 - inclusion.base;
        let line = source.line_of(offset);
        (line as u32, offset - source.line_start(offset) + 1)
    }

    /// Whether the characters at `loc` stand in a system header.
    pub fn in_system_header(&self, loc: Loc) -> bool {
        self.is_system_text(self.spelling(loc))
    }

    /// Whether a position in a file, not in a macro expansion, is in a system header.
    pub(super) fn is_system_text(&self, loc: Loc) -> bool {
        let Some(inclusion) = self.inclusion(loc) else { return false };
        match inclusion.marker_at(loc.0 - inclusion.base) {
            Some(marker) => marker.system,
            None => inclusion.system,
        }
    }

    /// The places of the `#include`s that led to the file of `loc`, innermost first, at most
    /// `limit`: real inclusions and those told by line markers.
    pub fn include_chain(&self, loc: Loc, limit: usize) -> Vec<(Symbol, u32)> {
        let mut chain = Vec::new();
        let mut loc = self.spelling(loc);
        while let Some(inclusion) = self.inclusion(loc) {
            let mut marker = inclusion.marker_index(loc.0 - inclusion.base);
            while let Some(index) = marker {
                let this = &inclusion.markers[index];
                if this.parent == 0 || chain.len() == limit {
                    break;
                }
                let parent = this.parent as usize - 1;
                chain.push((inclusion.markers[parent].file, this.parent_line));
                marker = Some(parent);
            }
            if inclusion.include_loc.is_none() || chain.len() == limit {
                break;
            }
            loc = self.spelling(inclusion.include_loc);
            if let Some(place) = self.presumed(loc) {
                chain.push((place.file, place.line));
            }
        }
        chain
    }

    /// Base and offset of the range that holds `loc`, be it a file's or a macro expansion's, and
    /// for the latter where the expansion took place ([`Loc::NONE`] for files).
    pub fn range(&self, loc: Loc) -> Option<(Loc, u32, Loc)> {
        let entry = self.entry(loc)?;
        let outer = if entry.info & FILE_TAG != 0 { Loc::NONE } else { Loc(entry.expansion) };
        Some((Loc(entry.base), loc.0 - entry.base, outer))
    }

    /// Where the file at `loc` was included.
    pub fn include_loc(&self, loc: Loc) -> Loc {
        self.inclusion(self.spelling(loc)).map_or(Loc::NONE, |inclusion| inclusion.include_loc)
    }

    /// The file of a location: its real name and its text.
    pub fn file_text(&self, loc: Loc) -> Option<(Symbol, &[u8])> {
        let inclusion = self.inclusion(self.spelling(loc))?;
        Some((inclusion.name, self.sources[inclusion.source.0 as usize].text()))
    }

    /// The physical line that holds the spelling of `loc`, without its newline, and the byte offset
    /// of `loc` in it.
    pub fn line_text(&self, loc: Loc) -> Option<(&[u8], usize)> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        let source = &self.sources[inclusion.source.0 as usize];
        let text = source.text();
        let offset = (loc.0 - inclusion.base) as usize;
        let start = source.line_start(offset as u32) as usize;
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let line = &text[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some((line, (offset - start).min(line.len())))
    }

    /// The file that holds the spelling of `loc`, and the number of its line, from 0.
    pub fn whole_file(&self, loc: Loc) -> Option<(&[u8], usize)> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        let line = self.line_column(inclusion, loc).0 as usize;
        Some((self.sources[inclusion.source.0 as usize].text(), line))
    }

    /// The line that holds the spelling of `loc`.
    pub(super) fn line_around(&self, loc: Loc) -> Option<LineCache> {
        let place = self.presumed(loc)?;
        let loc = self.spelling(loc);
        let (line, column) = self.line_text(loc)?;
        let start = loc.0 - (place.column - 1);
        let end = loc.0 + (line.len() - column) as u32;
        Some(LineCache { start, end, file: place.file, line: place.line, system: place.system })
    }

    /// The bytes of a file before the spelling of `loc`.
    pub fn text_before(&self, loc: Loc) -> Option<&[u8]> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        self.sources[inclusion.source.0 as usize].text().get(..(loc.0 - inclusion.base) as usize)
    }

    /// The text that holds `loc`, which is not in a macro expansion, and the first position of it.
    pub fn source_of(&self, loc: Loc) -> Option<(SourceId, Loc)> {
        self.inclusion(loc).map(|inclusion| (inclusion.source, Loc(inclusion.base)))
    }

    /// The bytes from the spelling of `loc` to the end of its file.
    pub fn text_from(&self, loc: Loc) -> Option<&[u8]> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        self.sources[inclusion.source.0 as usize].text().get((loc.0 - inclusion.base) as usize..)
    }
}

impl Inclusion {
    pub(super) fn marker_index(&self, offset: u32) -> Option<usize> {
        self.markers.partition_point(|marker| marker.offset <= offset).checked_sub(1)
    }

    pub(super) fn marker_at(&self, offset: u32) -> Option<&Marker> {
        self.marker_index(offset).map(|index| &self.markers[index])
    }
}
