//! Diagnostics as values: what a program that embeds the compiler gets in place of text.

use super::render::display_column;
use super::tokens::token_length;
use super::{Diagnostic, DiagnosticOptions, Severity};
use crate::{Interner, Loc, SourceMap, SourceMapData};

/// A place in a file; lines and columns begin at 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file's name as messages show it.
    pub file: String,
    /// The line, after `#line`.
    pub line: u32,
    /// The column as shown on a terminal (tabs advance to the next stop).
    pub column: u32,
    /// The column in bytes.
    pub byte_column: u32,
}

/// A change of the source: the bytes from `start` up to `end` become `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The first byte that is replaced.
    pub start: Place,
    /// The first byte that stays; equal to `start` for an insertion.
    pub end: Place,
    /// The new text.
    pub text: String,
}

/// A diagnostic that needs no session: everything in it is text and numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// How bad it is, after `-Werror` and its like.
    pub severity: Severity,
    /// Where; `None` for what belongs to no place (the command line).
    pub place: Option<Place>,
    /// What it says.
    pub message: String,
    /// The option that controls it, as `-Wname` or `-Werror=name`.
    pub option: Option<String>,
    /// Notes that belong to it, with their places.
    pub notes: Vec<(Option<Place>, String)>,
    /// Changes that would mend it.
    pub fixits: Vec<Replacement>,
    /// All of it as it looks on a terminal without colours, with excerpts; ends in a newline.
    pub rendered: String,
}

pub(super) fn resolve(
    options: &DiagnosticOptions,
    sources: &SourceMap,
    interner: &Interner,
    diagnostic: &Diagnostic,
    rendered: String,
) -> Resolved {
    let data = &*sources.data();
    let cx = Context { options, data, interner };
    let fixits = diagnostic.fixits.iter().filter_map(|fixit| {
        let start = cx.place(fixit.span.start, 0)?;
        let end = match fixit.insert {
            true => start.clone(),
            false => cx.place(fixit.span.end, cx.token_length(fixit.span.end))?,
        };
        Some(Replacement { start, end, text: fixit.text.clone() })
    });
    let sign = if diagnostic.promoted { "error=" } else { "" };
    Resolved {
        severity: diagnostic.severity,
        place: cx.place(diagnostic.loc, 0),
        message: diagnostic.message.clone(),
        option: diagnostic.warning.map(|id| format!("-W{sign}{}", id.shown())),
        notes: diagnostic.notes.iter().map(|note| (cx.place(note.loc, 0), note.message.clone())).collect(),
        fixits: fixits.collect(),
        rendered,
    }
}

struct Context<'a> {
    options: &'a DiagnosticOptions,
    data: &'a SourceMapData,
    interner: &'a Interner,
}

impl Context<'_> {
    fn token_length(&self, loc: Loc) -> usize {
        self.data.line_text(loc).map_or(0, |(line, at)| token_length(&line[at..]))
    }

    /// The place `further` bytes after `loc` in its line.
    fn place(&self, loc: Loc, further: usize) -> Option<Place> {
        let place = self.data.presumed(loc)?;
        let (line, at) = self.data.line_text(loc)?;
        let at = (at + further).min(line.len());
        Some(Place {
            file: self.interner.resolve(place.file).to_string(),
            line: place.line,
            column: display_column(&line[..at], self.options.tab_stop as usize) as u32 + 1,
            byte_column: at as u32 + 1,
        })
    }
}
