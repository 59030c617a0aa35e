//! The source map: all source texts, and what a [`Loc`] means.
//!
//! One 32-bit space is cut into ranges, in order of allocation, after clang's `SourceManager`: each
//! *inclusion* of a file owns `length + 1` positions, each macro expansion owns as many as the text
//! it was spelled with. A range of a macro maps a position to where its token was spelled (in the
//! macro's definition, or in an argument) and to where the expansion took place; both may again lie
//! in a macro. A range is found by binary search with a one-entry cache, lines by a table of line
//! starts built on first use, and `#line` and line markers by a list per inclusion.
//!
//! [`SourceMapData`] holds everything as plain data and is `Sync`; [`SourceMap`] wraps it for
//! shared, growing use.

mod data;
mod line_cache;
mod lines;
mod text;

use std::cell::{Cell, Ref, RefCell};
use std::sync::OnceLock;

use crate::{Loc, Symbol};
use data::{ARGUMENT_TAG, DEPTH_SHIFT, Entry, FILE_TAG, INFO_MASK, Inclusion, MAX_DEPTH, Marker};
use line_cache::{LineCache, NO_LINE};
use text::{PAGE, Source};

pub use data::SourceMapData;
pub use lines::LineResolver;
pub use text::SourceText;

/// One source text (a file read once, however often it is included).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceId(pub u32);

/// Positions above this are not given to macro expansions, so that files always find room; tokens
/// of later expansions are placed at the point of expansion.
const MACRO_SPACE_END: u32 = 0xf000_0000;
/// Nor are there more ranges than this (640 MB of them).
const MAX_ENTRIES: usize = 32 << 20;
/// Bytes of text that must have been passed before their memory is let go of.
const LET_GO_STEP: usize = 1 << 20;

/// What kind of change of file a line marker stands for (flags 1 and 2 of gcc's output).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// `#line`, or a marker without flag 1 or 2: the name changes, not the nesting.
    Rename,
    /// Flag 1: a file is entered.
    Enter,
    /// Flag 2: return to a file.
    Return,
}

/// A position as a user sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Presumed {
    /// File name, as changed by `#line`.
    pub file: Symbol,
    /// 1-based line, as changed by `#line`.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
    /// Whether the file is a system header.
    pub system: bool,
}

/// One step out of a macro expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroStep {
    /// The macro.
    pub name: Symbol,
    /// File position of the token in the macro's definition.
    pub definition: Loc,
    /// Where the macro was expanded (maybe inside another macro).
    pub expansion: Loc,
    /// Whether the token came from an argument, so that `definition` is the parameter.
    pub argument: bool,
}

/// The growing, shared source map.
pub struct SourceMap {
    data: RefCell<SourceMapData>,
    /// The physical line looked up last: positions `start..end` have physical line `line` and
    /// presumed `(file, line)`.
    line_cache: Cell<LineCache>,
    /// The source whose memory was let go of last, and up to where.
    let_go_of: Cell<(u32, usize)>,
    /// The range of the file that was asked for last: positions in it are neither moved nor changed
    /// by macros.
    file_cache: Cell<(u32, u32, SourceId)>,
    /// The index after that of the macro expansion asked for last, and of those on the way from
    /// there to the spelling.
    near: [Cell<usize>; MAX_DEPTH as usize + 1],
    /// The index after that of the range in which a macro's name stood that was expanded last, and
    /// that of the argument copied last.
    near_name: Cell<usize>,
    near_argument: Cell<usize>,
    /// The range of the body opened last, whose arguments come next, and the point of its
    /// expansion.
    last_body: Cell<(u32, u32, Loc)>,
    /// All ranges from this position on come from the expansion in a file at that point.
    outermost: Cell<(u32, Loc)>,
}

/// Of no range is known where its expansion began.
const NO_EXPANSION: (u32, Loc) = (u32::MAX, Loc::NONE);

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        // What a small file expands.
        let data = SourceMapData { next: 1, entries: Vec::with_capacity(1 << 12), ..SourceMapData::default() };
        SourceMap {
            data: RefCell::new(data),
            line_cache: Cell::new(NO_LINE),
            let_go_of: Cell::new((u32::MAX, 0)),
            file_cache: Cell::new((1, 0, SourceId(0))),
            near: std::array::from_fn(|_| Cell::new(0)),
            near_name: Cell::new(0),
            near_argument: Cell::new(0),
            last_body: Cell::new((0, 0, Loc::NONE)),
            outermost: Cell::new(NO_EXPANSION),
        }
    }

    /// The plain data, for look-ups, also from other threads. Nothing may be added while the borrow
    /// lives.
    pub fn data(&self) -> Ref<'_, SourceMapData> {
        self.data.borrow()
    }

    /// Takes a source text in.
    pub fn add_source(&self, text: SourceText) -> SourceId {
        let sources = &mut self.data.borrow_mut().sources;
        sources.push(Box::new(Source { text, newlines: OnceLock::new() }));
        SourceId(sources.len() as u32 - 1)
    }

    /// The bytes of a source, including the terminating NUL.
    pub fn bytes(&self, source: SourceId) -> &[u8] {
        let data = self.data.borrow();
        let bytes: *const [u8] = data.sources[source.0 as usize].text.bytes();
        // SAFETY: sources are boxed, never changed and never removed while the map lives, and the
        // result does not outlive `self`; so the bytes stay where they are after the borrow of the
        // `RefCell` ends.
        unsafe { &*bytes }
    }

    /// Opens a range for one inclusion of `source` under the name `name`; its first byte is at the
    /// position returned. `None` when the 32-bit space is exhausted.
    pub fn include(&self, source: SourceId, name: Symbol, include_loc: Loc, system: bool) -> Option<Loc> {
        let data = &mut *self.data.borrow_mut();
        let length = u32::try_from(data.sources[source.0 as usize].text.bytes().len()).ok()?;
        let base = data.next;
        data.next = base.checked_add(length).filter(|&next| next <= Loc::FIRST_INLINED.0)?;
        let info = FILE_TAG | data.inclusions.len() as u32;
        self.outermost.set(NO_EXPANSION);
        data.entries.push(Entry { base, spelling: 0, expansion: 0, point: 0, info });
        data.inclusions.push(Inclusion { source, base, name, include_loc, system, markers: Vec::new() });
        Some(Loc(base))
    }

    /// Opens a range of `length` positions for the body of the macro `name`, spelled in a file at
    /// `spelling`, that appears through an invocation at `expansion`. When the space for macros is
    /// exhausted, the answer is `None`, and the caller uses the point of expansion instead.
    #[inline]
    pub fn expand(&self, spelling: Loc, length: u32, expansion: Loc, name: Symbol) -> Option<Loc> {
        let (first, outermost) = self.outermost.get();
        let known = expansion.0 >= first;
        let point = if known {
            outermost
        } else if self.in_cached_file(expansion) {
            expansion
        } else {
            self.data.borrow().point_near(expansion, &self.near_name)
        };
        let base = self.open(
            length,
            Entry { base: 0, spelling: spelling.0, expansion: expansion.0, point: point.0, info: name.0 & INFO_MASK },
        )?;
        if !known {
            self.outermost.set((base.0, point));
        }
        self.last_body.set((base.0, base.0 + length, point));
        Some(base)
    }

    /// Opens a range for the first of `length` positions of an argument of the macro `name` that
    /// appears at `parameter` inside the expanded body, and says how many have found place in it:
    /// all, unless they lie in several ranges and have been copied from argument to argument often.
    /// `None` as for [`Self::expand`].
    #[inline]
    pub fn expand_argument(&self, spelling: Loc, length: u32, parameter: Loc, name: Symbol) -> Option<(Loc, u32)> {
        let (start, end, point) = self.last_body.get();
        let point = match start <= parameter.0 && parameter.0 < end {
            true => point,
            false => {
                self.outermost.set(NO_EXPANSION);
                self.data.borrow().expansion_point(parameter)
            }
        };
        let (length, spelling, depth) = match self.in_cached_file(spelling) {
            true => (length, spelling, 0),
            false => self.data.borrow().spelling_of_run(spelling, length, &self.near_argument),
        };
        let info = name.0 & INFO_MASK | ARGUMENT_TAG | depth << DEPTH_SHIFT;
        let entry = Entry { base: 0, spelling: spelling.0, expansion: parameter.0, point: point.0, info };
        Some((self.open(length, entry)?, length))
    }

    /// Opens a range of `length` positions for a macro; where they begin is filled in here.
    #[inline]
    fn open(&self, length: u32, entry: Entry) -> Option<Loc> {
        let data = &mut *self.data.borrow_mut();
        let base = data.next;
        let next = base.checked_add(length)?;
        if next > MACRO_SPACE_END || data.entries.len() >= MAX_ENTRIES {
            return None;
        }
        data.next = next;
        data.entries.push(Entry { base, ..entry });
        Some(Loc(base))
    }

    /// Records a `#line` or line marker: from the line after the one holding `loc` on, lines count
    /// from `line` and the file is called `file`.
    pub fn mark_line(&self, loc: Loc, line: u32, file: Symbol, system: bool, kind: MarkerKind) {
        self.line_cache.set(NO_LINE);
        let current = self.presumed(loc);
        let data = &mut *self.data.borrow_mut();
        let Some(entry) = data.entry(loc) else { return };
        if entry.info & FILE_TAG == 0 {
            return;
        }
        let inclusion = &mut data.inclusions[(entry.info & !FILE_TAG) as usize];
        let source = &data.sources[inclusion.source.0 as usize];
        let physical = source.line_of(loc.0 - inclusion.base) + 1;
        let rest = source.text().get((loc.0 - inclusion.base) as usize..).unwrap_or_default();
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        // The next line's first byte, or what would be one after the end.
        let offset = loc.0 - inclusion.base + length as u32 + 1;
        let last = inclusion.markers.len() as u32;
        let (parent, parent_line) = match (kind, inclusion.markers.last()) {
            (MarkerKind::Enter, Some(_)) => (last, current.map_or(0, |place| place.line.saturating_sub(1))),
            (MarkerKind::Enter, None) | (_, None) => (0, 0),
            (MarkerKind::Rename, Some(before)) => (before.parent, before.parent_line),
            (MarkerKind::Return, Some(before)) => match before.parent {
                0 => (0, 0),
                outer => {
                    let outer = &inclusion.markers[outer as usize - 1];
                    (outer.parent, outer.parent_line)
                }
            },
        };
        inclusion.markers.push(Marker { offset, physical: physical as u32, line, file, system, parent, parent_line });
    }

    /// Makes everything after `loc` in its file a system header (`#pragma GCC system_header`).
    pub fn mark_system(&self, loc: Loc) {
        if let Some(place) = self.presumed(loc) {
            self.mark_line(loc, place.line + 1, place.file, true, MarkerKind::Rename);
        }
    }

    /// See [`SourceMapData::presumed`]; asked in rising order within a line it answers from a
    /// cache.
    pub fn presumed(&self, loc: Loc) -> Option<Presumed> {
        if let Some(place) = self.line_cache.get().get(loc) {
            return Some(place);
        }
        let data = self.data.borrow();
        self.line_cache.set(data.line_around(loc)?);
        data.presumed(loc)
    }

    /// The text before `loc`, in the file it stands in, will hardly be looked at again: a large
    /// file's memory is let go of.
    pub fn passed(&self, loc: Loc) {
        let data = self.data.borrow();
        let loc = data.spelling(loc);
        let Some(inclusion) = data.inclusion(loc) else { return };
        let end = (loc.0 - inclusion.base) as usize & !(PAGE as usize - 1);
        let (source, before) = self.let_go_of.get();
        let start = if source == inclusion.source.0 { before } else { 0 };
        if end >= start + LET_GO_STEP {
            data.sources[inclusion.source.0 as usize].text.let_go(start..end);
            self.let_go_of.set((inclusion.source.0, end));
        }
    }

    /// Whether `loc` is known to lie in a file, not in a macro expansion.
    fn in_cached_file(&self, loc: Loc) -> bool {
        let (start, end, _) = self.file_cache.get();
        start <= loc.0 && loc.0 < end
    }

    fn cache_file(&self, data: &SourceMapData, loc: Loc) {
        if let Some(inclusion) = data.inclusion(loc) {
            let length = data.sources[inclusion.source.0 as usize].text.bytes().len() as u32;
            self.file_cache.set((inclusion.base, inclusion.base + length, inclusion.source));
        }
    }

    /// The macro expansion that holds `loc`, which is `step` steps from the position asked for.
    fn expansion_of(&self, data: &SourceMapData, loc: Loc, step: usize) -> Option<Entry> {
        let near = &self.near[step];
        let index = data.entry_index_near(loc, near.get())?;
        let entry = data.entries[index];
        if entry.info & FILE_TAG != 0 {
            return None;
        }
        near.set(index + 1);
        Some(entry)
    }

    /// See [`SourceMapData::spelling`].
    pub fn spelling(&self, loc: Loc) -> Loc {
        if self.in_cached_file(loc) {
            return loc;
        }
        let data = self.data.borrow();
        let mut at = loc;
        for step in 0..self.near.len() {
            let Some(entry) = self.expansion_of(&data, at, step) else {
                self.cache_file(&data, at);
                return at;
            };
            at = Loc(entry.spelling + (at.0 - entry.base));
            if self.in_cached_file(at) {
                return at;
            }
        }
        data.spelling(at)
    }

    /// The byte at the spelling of `loc`. What comes from a macro leaves the cache of the file that
    /// most questions are about as it is.
    pub fn byte_at(&self, loc: Loc) -> Option<u8> {
        let data = self.data.borrow();
        let mut at = loc;
        for step in 0..self.near.len() {
            if self.in_cached_file(at) {
                let (start, _, source) = self.file_cache.get();
                return data.sources[source.0 as usize].text.bytes().get((at.0 - start) as usize).copied();
            }
            let Some(entry) = self.expansion_of(&data, at, step) else { break };
            at = Loc(entry.spelling + (at.0 - entry.base));
        }
        data.text_from(at)?.first().copied()
    }

    /// See [`SourceMapData::expansion_point`].
    pub fn expansion_point(&self, loc: Loc) -> Loc {
        if self.in_cached_file(loc) {
            return loc;
        }
        let data = self.data.borrow();
        match self.expansion_of(&data, loc, 0) {
            Some(entry) => Loc(entry.point),
            None => {
                self.cache_file(&data, loc);
                loc
            }
        }
    }

    /// The position after the token at `loc`; `None` in a macro, and where there is no file.
    pub fn after_token(&self, loc: Loc) -> Option<Loc> {
        if loc.is_none() || self.is_macro(loc) {
            return None;
        }
        let data = self.data.borrow();
        let (line, at) = data.line_text(loc)?;
        Some(loc.offset(crate::diagnostics::token_length(&line[at..]) as u32))
    }

    /// See [`SourceMapData::in_system_header`].
    pub fn in_system_header(&self, loc: Loc) -> bool {
        let cache = self.line_cache.get();
        if cache.start <= loc.0 && loc.0 < cache.end {
            return cache.system;
        }
        let loc = self.spelling(loc);
        self.data.borrow().is_system_text(loc)
    }

    /// See [`SourceMapData::is_macro`].
    pub fn is_macro(&self, loc: Loc) -> bool {
        !self.in_cached_file(loc) && self.data.borrow().is_macro(loc)
    }
}

impl Default for SourceMap {
    fn default() -> Self {
        SourceMap::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macro_positions_map_to_spelling_and_expansion() {
        let map = SourceMap::new();
        let source = map.add_source(SourceText::from_vec(b"#define F(x) (x+1)\n  F(y)\n".to_vec()));
        let base = map.include(source, Symbol(0), Loc::NONE, false).unwrap();
        let call = base.offset(21);
        let body = map.expand(base.offset(13), 5, call, Symbol(7)).unwrap();
        let (argument, _) = map.expand_argument(base.offset(23), 1, body.offset(1), Symbol(7)).unwrap();
        assert_eq!(map.spelling(body.offset(3)), base.offset(16));
        assert_eq!(map.expansion_point(argument), call);
        let place = map.presumed(argument).unwrap();
        assert_eq!((place.line, place.column), (2, 5));
        let data = map.data();
        let mut resolver = LineResolver::new(&data);
        for loc in [argument, body, body.offset(3), base.offset(22), argument] {
            assert_eq!(resolver.resolve(loc).map(|place| (place.line, place.file)), Some((2, Symbol(0))));
        }
        assert_eq!(resolver.resolve(base.offset(1)).map(|place| (place.line, place.column)), Some((1, 2)));
        let steps = map.data().macro_backtrace(argument, 10);
        assert_eq!(steps.len(), 1);
        assert!(steps[0].argument && steps[0].expansion == call && steps[0].definition == base.offset(14));
    }

    /// An argument of two ranges that is copied from macro to macro leads to its spelling in a few
    /// steps, however often it was copied.
    #[test]
    fn copies_of_arguments_keep_their_spelling() {
        let map = SourceMap::new();
        let source = map.add_source(SourceText::from_vec(b"#define F(x) (x+1)\n  F(y) F(z)\n".to_vec()));
        let base = map.include(source, Symbol(0), Loc::NONE, false).unwrap();
        let (y, z) = (base.offset(23), base.offset(28));
        let mut tokens = vec![y, z];
        for _ in 0..100 {
            let body = map.expand(base.offset(13), 5, base.offset(21), Symbol(7)).unwrap();
            let (mut copied, mut at) = (Vec::new(), 0);
            while at < tokens.len() {
                let length = tokens[tokens.len() - 1].0 - tokens[at].0 + 1;
                let (copy, given) = map.expand_argument(tokens[at], length, body.offset(1), Symbol(7)).unwrap();
                let first = tokens[at];
                while at < tokens.len() && tokens[at].0 - first.0 < given {
                    copied.push(copy.offset(tokens[at].0 - first.0));
                    at += 1;
                }
            }
            tokens = copied;
            assert_eq!((map.spelling(tokens[0]), map.spelling(tokens[1])), (y, z));
            assert!(tokens.iter().all(|&token| map.expansion_point(token) == base.offset(21)));
            assert!(map.data().entry(tokens[1]).unwrap().depth() <= MAX_DEPTH);
        }
    }

    /// A run over more ranges than are looked at gets a range for those that are.
    #[test]
    fn long_runs_are_taken_in_pieces() {
        let map = SourceMap::new();
        let source = map.add_source(SourceText::from_vec(b"#define F(x) (x+1)\n  F(y) F(z)\n".to_vec()));
        let base = map.include(source, Symbol(0), Loc::NONE, false).unwrap();
        let (call, spelling) = (base.offset(21), base.offset(13));
        let run: Vec<Loc> = (0..100).map(|_| map.expand(spelling, 1, call, Symbol(7)).unwrap()).collect();
        let body = map.expand(spelling, 5, call, Symbol(7)).unwrap();
        let (mut at, mut pieces) = (0, 0);
        while at < run.len() {
            let length = run[99].0 - run[at].0 + 1;
            let (copy, given) = map.expand_argument(run[at], length, body.offset(1), Symbol(7)).unwrap();
            assert!((1..=length).contains(&given));
            assert_eq!(map.spelling(copy.offset(given - 1)), spelling);
            at += given as usize;
            pieces += 1;
        }
        assert_eq!(pieces, 4);
    }

    #[test]
    fn markers_rename_and_nest() {
        let map = SourceMap::new();
        let text = b"# 1 \"a.c\"\nx\n# 5 \"b.h\" 1\ny\n# 3 \"a.c\" 2\nz\n";
        let source = map.add_source(SourceText::from_vec(text.to_vec()));
        let base = map.include(source, Symbol(0), Loc::NONE, false).unwrap();
        map.mark_line(base, 1, Symbol(1), false, MarkerKind::Rename);
        map.mark_line(base.offset(12), 5, Symbol(2), true, MarkerKind::Enter);
        let y = base.offset(24);
        assert_eq!(map.presumed(y).unwrap(), Presumed { file: Symbol(2), line: 5, column: 1, system: true });
        assert_eq!(map.data().include_chain(y, 9), [(Symbol(1), 1)]);
        map.mark_line(base.offset(26), 3, Symbol(1), false, MarkerKind::Return);
        let z = base.offset(38);
        assert_eq!(map.presumed(z).unwrap(), Presumed { file: Symbol(1), line: 3, column: 1, system: false });
        assert!(map.data().include_chain(z, 9).is_empty());
    }
}
