//! The source map: all source texts, and what a [`Loc`] means.
//!
//! One 32-bit space is cut into ranges, in order of allocation, after clang's `SourceManager`: each *inclusion* of a file
//! owns `length + 1` positions, each macro expansion owns as many as the text it was spelled with. A range of a macro maps
//! a position to where its token was spelled (in the macro's definition, or in an argument) and to where the expansion
//! took place; both may again lie in a macro. A range is found by binary search with a one-entry cache, lines by a table
//! of line starts built on first use, and `#line` and line markers by a list per inclusion.
//!
//! [`SourceMapData`] holds everything as plain data and is `Sync`; [`SourceMap`] wraps it for shared, growing use.

use std::cell::{Cell, Ref, RefCell};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::{Loc, Symbol};

/// One source text (a file read once, however often it is included).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceId(pub u32);

/// Files at least this long are mapped; below, reading is faster than the page faults of a mapping.
const MAP_THRESHOLD: u64 = 512 << 10;
/// Positions above this are not given to macro expansions, so that files always find room; tokens of later expansions
/// are placed at the point of expansion.
const MACRO_SPACE_END: u32 = 0xf000_0000;
const FILE_TAG: u32 = 1 << 31;
const ARGUMENT_TAG: u32 = 1 << 30;
const INFO_MASK: u32 = ARGUMENT_TAG - 1;

/// The bytes of a source text, always ending in one NUL that is not part of it.
pub enum SourceText {
    /// Read or made in memory; the last byte is the terminator.
    Owned(Box<[u8]>),
    /// Built into the compiler; the last byte is the terminator.
    Static(&'static [u8]),
    /// Mapped from a file; the last byte is the zero fill after the end of the file.
    Mapped(memmap2::Mmap),
    /// Of a file that several translation units read.
    Shared(Arc<SourceText>),
}

impl SourceText {
    /// Lets go of the memory of some bytes; who looks at them again reads them from the file again. Only a mapped text can.
    fn let_go(&self, range: std::ops::Range<usize>) {
        if let SourceText::Mapped(map) = self {
            // SAFETY: the mapping is read-only and private: its pages are the file's, and come back unchanged.
            let done =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, range.start, range.len()) };
            // It is only advice.
            drop(done);
        }
    }

    /// A text from bytes without terminator.
    pub fn from_vec(mut bytes: Vec<u8>) -> SourceText {
        bytes.push(0);
        SourceText::Owned(bytes.into_boxed_slice())
    }

    /// Reads a file, or maps it when it is large. Pipes and devices are read to their end.
    pub fn read(path: &Path) -> io::Result<SourceText> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        SourceText::read_opened(file, &metadata)
    }

    /// The same for a file that is open, with its metadata: no more system calls than needed, as there are many headers.
    pub fn read_opened(mut file: File, metadata: &Metadata) -> io::Result<SourceText> {
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let length = metadata.len();
        if metadata.is_file() && length >= MAP_THRESHOLD && !length.is_multiple_of(PAGE) {
            // SAFETY: the mapping is private and read-only; as with every compiler, a file that is truncated while it is
            // being compiled is outside what we promise. The one byte after the end lies in the last, zero-filled page.
            let map = unsafe { memmap2::MmapOptions::new().len(length as usize + 1).map(&file) };
            if let Ok(map) = map {
                return Ok(SourceText::Mapped(map));
            }
        }
        if metadata.is_file() && length > 0 {
            let mut bytes = vec![0; length as usize + 1];
            match file.read_exact(&mut bytes[..length as usize]) {
                Ok(()) => return Ok(SourceText::Owned(bytes.into_boxed_slice())),
                // It became shorter meanwhile: take what there is.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => file.rewind()?,
                Err(error) => return Err(error),
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(SourceText::from_vec(bytes))
    }

    /// The bytes including the terminating NUL.
    pub fn bytes(&self) -> &[u8] {
        match self {
            SourceText::Owned(bytes) => bytes,
            SourceText::Static(bytes) => bytes,
            SourceText::Mapped(map) => map,
            SourceText::Shared(text) => text.bytes(),
        }
    }
}

/// The smallest page size of the supported hosts.
const PAGE: u64 = 4096;

/// Bytes of text that must have been passed before their memory is let go of.
const LET_GO_STEP: usize = 1 << 20;

/// Bytes of text whose newlines are counted together.
const LINE_BLOCK: usize = 4096;

struct Source {
    text: SourceText,
    /// Number of newlines before each block of [`LINE_BLOCK`] bytes.
    newlines: OnceLock<Vec<u32>>,
}

impl Source {
    /// The text without its terminator.
    fn text(&self) -> &[u8] {
        let bytes = self.text.bytes();
        &bytes[..bytes.len() - 1]
    }

    /// 0-based line of an offset. The table is made when a line is first asked for: counting newlines a block at a time is
    /// much quicker than noting where each is, and few lines are ever asked for.
    fn line_of(&self, offset: u32) -> usize {
        let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
        let newlines = self.newlines.get_or_init(|| {
            let mut before = 0;
            let blocks = self.text().chunks(LINE_BLOCK).map(|block| {
                before += count(block) as u32;
                before
            });
            std::iter::once(0).chain(blocks).collect()
        });
        let offset = (offset as usize).min(self.text().len());
        let block = offset / LINE_BLOCK;
        newlines[block] as usize + count(&self.text()[block * LINE_BLOCK..offset])
    }

    /// Offset of the first byte of the line that holds an offset.
    fn line_start(&self, offset: u32) -> u32 {
        let before = &self.text()[..(offset as usize).min(self.text().len())];
        memchr::memrchr(b'\n', before).map_or(0, |at| at as u32 + 1)
    }
}

#[derive(Clone, Copy)]
struct Entry {
    base: u32,
    /// For a macro: where the first position of the range was spelled.
    spelling: u32,
    /// For a macro: where the expansion took place.
    expansion: u32,
    /// `FILE_TAG | inclusion`, or the macro's symbol, with `ARGUMENT_TAG` when the text is an argument's.
    info: u32,
}

/// One inclusion of a source text.
struct Inclusion {
    source: SourceId,
    base: u32,
    name: Symbol,
    include_loc: Loc,
    system: bool,
    markers: Vec<Marker>,
}

/// A `#line` or line marker, in force from `offset` on.
struct Marker {
    offset: u32,
    /// Physical line (0-based) on which the presumed line is `line`.
    physical: u32,
    line: u32,
    file: Symbol,
    system: bool,
    /// The marker entry (index + 1 into `markers`) in whose file this one was included, by the flags of the markers.
    parent: u32,
    /// Presumed line of the inclusion.
    parent_line: u32,
}

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

/// The plain data of a [`SourceMap`]; all look-ups are here and need no lock.
#[derive(Default)]
pub struct SourceMapData {
    /// Boxed, as references to the texts are handed out while the list grows.
    #[allow(clippy::vec_box)]
    sources: Vec<Box<Source>>,
    entries: Vec<Entry>,
    inclusions: Vec<Inclusion>,
    next: u32,
}

impl SourceMapData {
    fn entry_index(&self, loc: Loc) -> Option<usize> {
        if loc.is_none() || loc.0 >= self.next {
            return None;
        }
        self.entries.partition_point(|entry| entry.base <= loc.0).checked_sub(1)
    }

    fn entry(&self, loc: Loc) -> Option<Entry> {
        self.entry_index(loc).map(|index| self.entries[index])
    }

    fn inclusion(&self, loc: Loc) -> Option<&Inclusion> {
        let entry = self.entry(loc)?;
        (entry.info & FILE_TAG != 0).then(|| &self.inclusions[(entry.info & !FILE_TAG) as usize])
    }

    /// Whether `loc` lies in a macro expansion.
    pub fn is_macro(&self, loc: Loc) -> bool {
        self.entry(loc).is_some_and(|entry| entry.info & FILE_TAG == 0)
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

    /// The position in a file of the outermost macro invocation that `loc` came from; `loc` itself outside macros.
    pub fn expansion_point(&self, mut loc: Loc) -> Loc {
        while let Some(entry) = self.entry(loc) {
            if entry.info & FILE_TAG != 0 {
                break;
            }
            loc = Loc(entry.expansion);
        }
        loc
    }

    /// The macro invocation that put the token at `loc` in its place, and where its place in the macro's definition is: the parameter for
    /// a part of an argument. `None` outside macros.
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
                // The expansion of an argument's text is the parameter, inside the expansion of the macro's body.
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

    /// File, line and column as changed by `#line`, of the spelling of `loc`. `None` for [`Loc::NONE`].
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

    fn line_column(&self, inclusion: &Inclusion, loc: Loc) -> (u32, u32) {
        let source = &self.sources[inclusion.source.0 as usize];
        let offset = loc.0 - inclusion.base;
        let line = source.line_of(offset);
        (line as u32, offset - source.line_start(offset) + 1)
    }

    /// Whether the characters at `loc` stand in a system header.
    pub fn in_system_header(&self, loc: Loc) -> bool {
        let loc = self.spelling(loc);
        let Some(inclusion) = self.inclusion(loc) else { return false };
        match inclusion.marker_at(loc.0 - inclusion.base) {
            Some(marker) => marker.system,
            None => inclusion.system,
        }
    }

    /// The places of the `#include`s that led to the file of `loc`, innermost first, at most `limit`: real inclusions and
    /// those told by line markers.
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

    /// Base and offset of the range that holds `loc`, be it a file's or a macro expansion's, and for the latter where the
    /// expansion took place ([`Loc::NONE`] for files).
    pub fn range(&self, loc: Loc) -> Option<(Loc, u32, Loc)> {
        let entry = self.entry(loc)?;
        let outer = if entry.info & FILE_TAG != 0 { Loc::NONE } else { Loc(entry.expansion) };
        Some((Loc(entry.base), loc.0 - entry.base, outer))
    }

    /// Where the file at `loc` was included.
    pub fn include_loc(&self, loc: Loc) -> Loc {
        self.inclusion(self.spelling(loc)).map_or(Loc::NONE, |inclusion| inclusion.include_loc)
    }

    /// The physical line that holds the spelling of `loc`, without its newline, and the byte offset of `loc` in it.
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

    /// The line that holds the spelling of `loc`.
    fn line_around(&self, loc: Loc) -> Option<LineCache> {
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

    /// The bytes from the spelling of `loc` to the end of its file.
    pub fn text_from(&self, loc: Loc) -> Option<&[u8]> {
        let loc = self.spelling(loc);
        let inclusion = self.inclusion(loc)?;
        self.sources[inclusion.source.0 as usize].text().get((loc.0 - inclusion.base) as usize..)
    }
}

impl Inclusion {
    fn marker_index(&self, offset: u32) -> Option<usize> {
        self.markers.partition_point(|marker| marker.offset <= offset).checked_sub(1)
    }

    fn marker_at(&self, offset: u32) -> Option<&Marker> {
        self.marker_index(offset).map(|index| &self.markers[index])
    }
}

/// Finds lines for many positions in turn, as the line table of a function needs them: positions in macros count as the
/// point of expansion. It remembers the macro expansion and the line it was in last, so that neighbours cost nothing.
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

/// The growing, shared source map.
pub struct SourceMap {
    data: RefCell<SourceMapData>,
    /// The physical line looked up last: positions `start..end` have physical line `line` and presumed `(file, line)`.
    line_cache: Cell<LineCache>,
    /// The source whose memory was let go of last, and up to where.
    let_go_of: Cell<(u32, usize)>,
    /// The range of the file that was asked for last: positions in it are neither moved nor changed by macros.
    file_cache: Cell<(u32, u32)>,
}

#[derive(Clone, Copy)]
struct LineCache {
    start: u32,
    end: u32,
    file: Symbol,
    line: u32,
    system: bool,
}

impl LineCache {
    fn get(&self, loc: Loc) -> Option<Presumed> {
        (self.start <= loc.0 && loc.0 < self.end).then(|| Presumed {
            file: self.file,
            line: self.line,
            column: loc.0 - self.start + 1,
            system: self.system,
        })
    }
}

const NO_LINE: LineCache = LineCache { start: 1, end: 0, file: Symbol(0), line: 0, system: false };

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        let data = SourceMapData { next: 1, ..SourceMapData::default() };
        SourceMap {
            data: RefCell::new(data),
            line_cache: Cell::new(NO_LINE),
            let_go_of: Cell::new((u32::MAX, 0)),
            file_cache: Cell::new((1, 0)),
        }
    }

    /// The plain data, for look-ups, also from other threads. Nothing may be added while the borrow lives.
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
        // SAFETY: sources are boxed, never changed and never removed while the map lives, and the result does not outlive
        // `self`; so the bytes stay where they are after the borrow of the `RefCell` ends.
        unsafe { &*bytes }
    }

    /// Opens a range for one inclusion of `source` under the name `name`; its first byte is at the position returned.
    /// `None` when the 32-bit space is exhausted.
    pub fn include(&self, source: SourceId, name: Symbol, include_loc: Loc, system: bool) -> Option<Loc> {
        let data = &mut *self.data.borrow_mut();
        let length = u32::try_from(data.sources[source.0 as usize].text.bytes().len()).ok()?;
        let base = data.next;
        data.next = base.checked_add(length)?;
        let info = FILE_TAG | data.inclusions.len() as u32;
        data.entries.push(Entry { base, spelling: 0, expansion: 0, info });
        data.inclusions.push(Inclusion { source, base, name, include_loc, system, markers: Vec::new() });
        Some(Loc(base))
    }

    /// Opens a range of `length` positions for text spelled at `spelling` that appears through an expansion at
    /// `expansion`. For a macro's body `name` is the macro and `expansion` its invocation; for an argument's text
    /// (`argument`) `expansion` is the parameter inside the expanded body. When the space for macros is exhausted, the
    /// answer is `None`, and the caller uses the point of expansion instead.
    #[inline]
    pub fn expand(&self, spelling: Loc, length: u32, expansion: Loc, name: Symbol, argument: bool) -> Option<Loc> {
        let data = &mut *self.data.borrow_mut();
        let base = data.next;
        let next = base.checked_add(length)?;
        if next > MACRO_SPACE_END {
            return None;
        }
        data.next = next;
        let info = name.0 & INFO_MASK | if argument { ARGUMENT_TAG } else { 0 };
        data.entries.push(Entry { base, spelling: spelling.0, expansion: expansion.0, info });
        Some(Loc(base))
    }

    /// Records a `#line` or line marker: from the line after the one holding `loc` on, lines count from `line` and the
    /// file is called `file`.
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

    /// See [`SourceMapData::presumed`]; asked in rising order within a line it answers from a cache.
    pub fn presumed(&self, loc: Loc) -> Option<Presumed> {
        if let Some(place) = self.line_cache.get().get(loc) {
            return Some(place);
        }
        let data = self.data.borrow();
        self.line_cache.set(data.line_around(loc)?);
        data.presumed(loc)
    }

    /// The text before `loc`, in the file it stands in, will hardly be looked at again: a large file's memory is let go of.
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
        let (start, end) = self.file_cache.get();
        start <= loc.0 && loc.0 < end
    }

    fn cache_file(&self, data: &SourceMapData, loc: Loc) {
        if let Some(inclusion) = data.inclusion(loc) {
            let length = data.sources[inclusion.source.0 as usize].text.bytes().len() as u32;
            self.file_cache.set((inclusion.base, inclusion.base + length));
        }
    }

    /// See [`SourceMapData::spelling`].
    pub fn spelling(&self, loc: Loc) -> Loc {
        if self.in_cached_file(loc) {
            return loc;
        }
        let data = self.data.borrow();
        let spelling = data.spelling(loc);
        if spelling == loc {
            self.cache_file(&data, loc);
        }
        spelling
    }

    /// See [`SourceMapData::expansion_point`].
    pub fn expansion_point(&self, loc: Loc) -> Loc {
        if self.in_cached_file(loc) {
            return loc;
        }
        let data = self.data.borrow();
        let point = data.expansion_point(loc);
        if point == loc {
            self.cache_file(&data, loc);
        }
        point
    }

    /// See [`SourceMapData::in_system_header`].
    pub fn in_system_header(&self, loc: Loc) -> bool {
        let cache = self.line_cache.get();
        if cache.start <= loc.0 && loc.0 < cache.end {
            return cache.system;
        }
        self.data.borrow().in_system_header(loc)
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
        let body = map.expand(base.offset(13), 5, call, Symbol(7), false).unwrap();
        let argument = map.expand(base.offset(23), 1, body.offset(1), Symbol(7), true).unwrap();
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
