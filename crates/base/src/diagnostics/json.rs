//! `-fdiagnostics-format=json`, in the shape gcc 12 gives it: an array of objects with kind,
//! message, option, locations (caret, start and finish) and children.

use std::fmt::Write;

use super::render::display_column;
use super::tokens::token_length;
use super::{Diagnostic, DiagnosticOptions, Severity};
use crate::{Interner, Loc, SourceMap, SourceMapData, Span};

/// One element of the array.
pub(super) fn render(
    options: &DiagnosticOptions,
    sources: &SourceMap,
    interner: &Interner,
    diagnostic: &Diagnostic,
) -> String {
    let data = &*sources.data();
    let cx = Context { options, data, interner };
    let mut out = String::from("{");
    let kind = diagnostic.severity.word();
    write!(out, "\"kind\": \"{kind}\", \"message\": {}", quote(&diagnostic.message)).expect("writing to a string");
    if let Some(id) = diagnostic.warning {
        let sign = if diagnostic.promoted { "error=" } else { "" };
        let url = format!("https://gcc.gnu.org/onlinedocs/gcc/Warning-Options.html#index-W{}", id.shown());
        out.push_str(&format!(", \"option\": \"-W{sign}{}\", \"option_url\": {}", id.shown(), quote(&url)));
    }
    let children: Vec<String> = diagnostic
        .notes
        .iter()
        .map(|note| {
            let word = Severity::Note.word();
            let place = cx.locations(note.loc, &[]);
            format!("{{\"kind\": \"{word}\", \"message\": {}, \"locations\": [{place}]}}", quote(&note.message))
        })
        .collect();
    out.push_str(&format!(", \"children\": [{}], \"column-origin\": 1", children.join(", ")));
    out.push_str(&format!(", \"locations\": [{}]", cx.locations(diagnostic.loc, &diagnostic.spans)));
    let fixits: Vec<String> = diagnostic
        .fixits
        .iter()
        .filter_map(|fixit| {
            let start = cx.point(fixit.span.start, 0)?;
            let length = if fixit.insert { 0 } else { cx.length(fixit.span.end) };
            let next = cx.point(fixit.span.end, length)?;
            Some(format!("{{\"start\": {start}, \"next\": {next}, \"string\": {}}}", quote(&fixit.text)))
        })
        .collect();
    if !fixits.is_empty() {
        out.push_str(&format!(", \"fixits\": [{}]", fixits.join(", ")));
    }
    out.push_str(", \"escape-source\": false}");
    out
}

struct Context<'a> {
    options: &'a DiagnosticOptions,
    data: &'a SourceMapData,
    interner: &'a Interner,
}

impl Context<'_> {
    fn locations(&self, loc: Loc, spans: &[Span]) -> String {
        let mut all = Vec::new();
        if let Some(caret) = self.point(loc, 0) {
            let finish = self.point(loc, self.length(loc).saturating_sub(1)).unwrap_or_default();
            all.push(format!("{{\"caret\": {caret}, \"finish\": {finish}}}"));
        }
        for span in spans {
            if let (Some(start), Some(end)) =
                (self.point(span.start, 0), self.point(span.end, self.length(span.end).saturating_sub(1)))
            {
                all.push(format!("{{\"caret\": {start}, \"finish\": {end}}}"));
            }
        }
        all.join(", ")
    }

    fn length(&self, loc: Loc) -> usize {
        self.data.line_text(loc).map_or(0, |(line, at)| token_length(&line[at..]))
    }

    fn point(&self, loc: Loc, further: usize) -> Option<String> {
        let place = self.data.presumed(loc)?;
        let (line, at) = self.data.line_text(loc)?;
        let at = (at + further).min(line.len());
        let display = display_column(&line[..at], self.options.tab_stop as usize) + 1;
        Some(format!(
            "{{\"file\": {}, \"line\": {}, \"display-column\": {display}, \"byte-column\": {}, \"column\": {display}}}",
            quote(self.interner.resolve(place.file)),
            place.line,
            at + 1
        ))
    }
}

/// A JSON string literal.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
