//! Text form: gcc's header line, include chain and macro notes; the excerpt by annotate-snippets,
//! which is given only the lines it shows (its cost grows with the text handed over).

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::colour::Palette;
use super::tokens::token_length;
use super::{Diagnostic, DiagnosticOptions, Diagnostics, FixIt, Severity};
use crate::{Interner, Loc, SourceMap, SourceMapData, Span, Symbol};
use rustc_hash::FxHashSet;

/// At most this many lines of include chain and steps of macro expansion are printed.
const CHAIN_LIMIT: usize = 200;
/// Lines longer than this are not excerpted: generated code, of no use on a terminal.
const LINE_LIMIT: usize = 2000;

/// Everything of one diagnostic, ready to be written.
pub(super) fn render(
    sink: &Diagnostics,
    options: &DiagnosticOptions,
    sources: &SourceMap,
    interner: &Interner,
    diagnostic: &Diagnostic,
) -> String {
    let cx = Context { options, data: &sources.data(), interner, palette: sink.palette(options.colour) };
    let mut out = String::new();
    let loc = cx.display_loc(diagnostic.loc);
    if !loc.is_none() {
        cx.include_chain(&mut out, loc, &mut sink.chains_seen.borrow_mut());
        let outermost = cx.data.expansion_point(diagnostic.loc);
        if let Some(function) = sink.functions.borrow_mut().changed(outermost) {
            cx.function_line(&mut out, loc, function);
        }
    }
    cx.header(&mut out, loc, diagnostic.severity, &diagnostic.message, suffix(diagnostic, options).as_deref());
    cx.excerpt(&mut out, loc, diagnostic.severity, &diagnostic.spans, &diagnostic.fixits);
    cx.macro_notes(&mut out, diagnostic.loc, loc);
    for note in &diagnostic.notes {
        let at = cx.display_loc(note.loc);
        cx.header(&mut out, at, Severity::Note, &note.message, None);
        // The excerpt stands there already.
        if at != loc {
            cx.excerpt(&mut out, at, Severity::Note, &[], &[]);
        }
    }
    if options.parseable_fixits {
        super::fixits::parseable(cx.data, interner, &diagnostic.fixits, &mut out);
    }
    out
}

fn suffix(diagnostic: &Diagnostic, options: &DiagnosticOptions) -> Option<String> {
    let name = diagnostic.warning.filter(|_| options.show_option)?.shown();
    Some(if diagnostic.promoted { format!("-Werror={name}") } else { format!("-W{name}") })
}

struct Context<'a> {
    options: &'a DiagnosticOptions,
    data: &'a SourceMapData,
    interner: &'a Interner,
    palette: Palette,
}

/// Whether a name stands for text that is in no file: the user has never seen its lines, and gcc
/// shows none.
fn is_no_file(name: &str) -> bool {
    matches!(name, "<command-line>" | "<built-in>")
}

impl Context<'_> {
    /// The file position to show for `loc`: where the token is spelled, or, when that is inside a
    /// system header's macro, the innermost expansion outside system headers.
    fn display_loc(&self, loc: Loc) -> Loc {
        if self.options.untracked_expansion {
            return self.data.expansion_point(loc);
        }
        let spelled = self.data.spelling(loc);
        if !self.data.is_macro(loc) || !self.data.in_system_header(spelled) {
            return spelled;
        }
        for step in self.data.macro_backtrace(loc, CHAIN_LIMIT) {
            let at = self.data.spelling(step.expansion);
            if !self.data.in_system_header(at) {
                return at;
            }
        }
        self.data.expansion_point(loc)
    }

    /// "In file included from", as far out as it has not been told before.
    fn include_chain(&self, out: &mut String, loc: Loc, seen: &mut FxHashSet<(Symbol, u32, usize)>) {
        let mut chain = self.data.include_chain(loc, CHAIN_LIMIT);
        let depth = chain.len();
        let news = chain.iter().enumerate().take_while(|(index, place)| seen.insert((place.0, place.1, depth - index)));
        let news = news.count();
        chain.truncate(news);
        let (locus, reset) = (&self.palette.locus, self.palette.reset());
        for (index, &(file, line)) in chain.iter().enumerate() {
            let lead = if index == 0 { "In file included from" } else { "                 from" };
            let end = if index + 1 == chain.len() { ':' } else { ',' };
            let file = self.interner.resolve(file);
            out.push_str(&format!("{lead} {locus}{file}:{line}{reset}{end}\n"));
        }
    }

    /// "In function 'f':", when it is another one than the last diagnostic's.
    fn function_line(&self, out: &mut String, loc: Loc, function: Option<Symbol>) {
        let Some(place) = self.data.presumed(loc) else { return };
        let file = self.interner.resolve(place.file);
        let (locus, reset) = (&self.palette.locus, self.palette.reset());
        out.push_str(&match function {
            Some(name) => {
                format!("{locus}{file}:{reset} In function {locus}'{}'{reset}:\n", self.interner.resolve(name))
            }
            None => format!("{locus}{file}:{reset} At top level:\n"),
        });
    }

    fn header(&self, out: &mut String, loc: Loc, severity: Severity, message: &str, suffix: Option<&str>) {
        let reset = self.palette.reset();
        let colour = match severity {
            Severity::Note => &self.palette.note,
            Severity::Warning => &self.palette.warning,
            Severity::Error | Severity::Fatal => &self.palette.error,
        };
        let locus = match self.data.presumed(loc) {
            Some(place) => {
                let file = self.interner.resolve(place.file);
                match self.options.show_column {
                    _ if is_no_file(file) => format!("{file}:"),
                    true => format!("{file}:{}:{}:", place.line, self.display_column(loc)),
                    false => format!("{file}:{}:", place.line),
                }
            }
            None => "tcc-rs:".to_owned(),
        };
        out.push_str(&format!("{}{locus}{reset} {colour}{}: {reset}{message}", self.palette.locus, severity.word()));
        if let Some(flag) = suffix {
            out.push_str(&format!(" [{colour}{flag}{reset}]"));
        }
        out.push('\n');
    }

    /// 1-based column as shown on a terminal: tabs advance to the next stop, a character counts
    /// once.
    fn display_column(&self, loc: Loc) -> usize {
        self.data.line_text(loc).map_or(0, |(line, at)| display_column(&line[..at], self.options.tab_stop as usize) + 1)
    }

    fn excerpt(&self, out: &mut String, loc: Loc, severity: Severity, spans: &[Span], fixits: &[FixIt]) {
        if !self.options.show_caret || loc.is_none() {
            return;
        }
        let (Some((bytes, at)), Some(place)) = (self.data.line_text(loc), self.data.presumed(loc)) else { return };
        if bytes.len() > LINE_LIMIT || bytes.is_empty() || is_no_file(self.interner.resolve(place.file)) {
            return;
        }
        // A line that is not UTF-8 is shown with '?' for each odd byte, so that offsets stay true.
        let line = match std::str::from_utf8(bytes) {
            Ok(line) => line.to_owned(),
            Err(_) => bytes.iter().map(|&b| if b.is_ascii() { b as char } else { '?' }).collect(),
        };
        let line_start = Loc(loc.0 - at as u32);
        let primary = clip(&line, at, at + token_length(&bytes[at..]));
        let mut snippet = Snippet::source(line.as_str())
            .line_start(place.line as usize)
            .annotation(AnnotationKind::Primary.span(primary));
        for span in spans {
            if let Some(range) = self.range_in_line(span, line_start, bytes) {
                snippet = snippet.annotation(AnnotationKind::Context.span(clip(&line, range.start, range.end)));
            }
        }
        let level = match severity {
            Severity::Note => Level::NOTE,
            Severity::Warning => Level::WARNING,
            Severity::Error | Severity::Fatal => Level::ERROR,
        };
        let renderer = if self.palette.enabled { Renderer::styled() } else { Renderer::plain() };
        let group = Group::with_level(level.clone()).element(snippet);
        push_lines(out, &renderer.render(&[group]));
        let patches: Vec<Patch<'_>> = fixits.iter().filter_map(|f| self.patch(f, line_start, bytes, &line)).collect();
        if !patches.is_empty() {
            let snippet = Snippet::source(line.as_str()).line_start(place.line as usize).patches(patches);
            push_lines(out, &renderer.render(&[Group::with_level(level).element(snippet)]));
        }
    }

    fn patch<'t>(&self, fixit: &'t FixIt, line_start: Loc, bytes: &[u8], line: &str) -> Option<Patch<'t>> {
        let mut range = self.range_in_line(&fixit.span, line_start, bytes)?;
        if fixit.insert {
            range.end = range.start;
        }
        let range = if fixit.insert { range } else { clip(line, range.start, range.end) };
        Some(Patch::new(range, fixit.text.as_str()))
    }

    /// Byte range of a span within the line at `line_start`, cut to the line; `None` when it begins
    /// elsewhere.
    fn range_in_line(&self, span: &Span, line_start: Loc, line: &[u8]) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.data.spelling(span.start), self.data.spelling(span.end));
        let start = start.0.checked_sub(line_start.0)? as usize;
        if start > line.len() {
            return None;
        }
        let end = (end.0.saturating_sub(line_start.0) as usize).clamp(start, line.len());
        Some(start..end + token_length(&line[end..]))
    }

    /// "in expansion of macro" for each step out to the file, leaving out macros of system headers,
    /// as gcc does.
    fn macro_notes(&self, out: &mut String, loc: Loc, shown: Loc) {
        if self.options.untracked_expansion {
            return;
        }
        let limit = match self.options.macro_backtrace_limit {
            0 => CHAIN_LIMIT,
            limit => limit as usize,
        };
        let shown_line = self.data.presumed(shown).map(|place| (place.file, place.line));
        for (index, step) in self.data.macro_backtrace(loc, limit).iter().enumerate() {
            if self.data.in_system_header(step.definition) || step.name == NO_MACRO {
                continue;
            }
            let name = self.interner.resolve(step.name);
            let definition_line = self.data.presumed(step.definition).map(|place| (place.file, place.line));
            if index == 0 && step.argument && definition_line != shown_line {
                let message = format!("in definition of macro '{name}'");
                self.header(out, step.definition, Severity::Note, &message, None);
                self.excerpt(out, step.definition, Severity::Note, &[], &[]);
                continue;
            }
            let at = self.data.spelling(step.expansion);
            self.header(out, at, Severity::Note, &format!("in expansion of macro '{name}'"), None);
            self.excerpt(out, at, Severity::Note, &[], &[]);
        }
    }
}

/// The symbol under which nameless expansions are recorded: none of their steps is worth a note.
const NO_MACRO: crate::Symbol = crate::Symbol(u32::MAX >> 2);

fn push_lines(out: &mut String, text: &str) {
    out.push_str(text.trim_end_matches('\n'));
    out.push('\n');
}

/// Number of columns the bytes take.
pub(super) fn display_column(bytes: &[u8], tab_stop: usize) -> usize {
    let mut column = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            // Marks, embeddings and isolates of bidirectional text have no width.
            0xe2 if matches!(bytes[index..], [_, 0x80, 0x8e | 0x8f | 0xaa..=0xae, ..] | [_, 0x81, 0xa6..=0xa9, ..]) => {
            }
            b'\t' => column += tab_stop - column % tab_stop.max(1),
            // A continuation byte of UTF-8 belongs to the character already counted.
            0x80..=0xbf => {}
            _ => column += 1,
        }
    }
    column
}

/// Widens a byte range to whole characters within `line`, and to at least nothing.
fn clip(line: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let mut start = start.min(line.len());
    let mut end = end.clamp(start, line.len());
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    while !line.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
