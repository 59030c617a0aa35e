//! Suggested changes for programs: the lines of `-fdiagnostics-parseable-fixits` and the patch of
//! `-fdiagnostics-generate-patch`, in the forms of gcc.

use std::collections::BTreeMap;

use super::FixIt;
use super::tokens::token_length;
use crate::{Interner, Loc, SourceMapData};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// A change of one line.
struct Edit {
    /// Bytes of the line that go.
    columns: std::ops::Range<usize>,
    text: String,
}

/// Changes of all diagnostics, for the patch: file, then line (0-based).
#[derive(Default)]
pub(super) struct Patch {
    files: BTreeMap<String, File>,
}

#[derive(Default)]
struct File {
    lines: Vec<String>,
    edits: BTreeMap<usize, Vec<Edit>>,
}

/// Where a change begins and ends in its line, in bytes. `None` in a macro and over several lines.
fn columns(data: &SourceMapData, fixit: &FixIt) -> Option<(Loc, std::ops::Range<usize>)> {
    if data.is_macro(fixit.span.start) || data.is_macro(fixit.span.end) {
        return None;
    }
    let (_, start) = data.line_text(fixit.span.start)?;
    if fixit.insert {
        return Some((fixit.span.start, start..start));
    }
    let (line, last) = data.line_text(fixit.span.end)?;
    let end = last + token_length(&line[last..]);
    let same = data.presumed(fixit.span.start)?.line == data.presumed(fixit.span.end)?.line;
    same.then_some((fixit.span.start, start..end))
}

/// `fix-it:"file":{line:column-line:column}:"text"` for each change; columns count bytes from 1.
pub(super) fn parseable(data: &SourceMapData, interner: &Interner, fixits: &[FixIt], out: &mut String) {
    for fixit in fixits {
        let Some((loc, columns)) = columns(data, fixit) else { continue };
        let Some(place) = data.presumed(loc) else { continue };
        let (file, line) = (escaped(interner.resolve(place.file)), place.line);
        let (start, end) = (columns.start + 1, columns.end + 1);
        out.push_str(&format!("fix-it:\"{file}\":{{{line}:{start}-{line}:{end}}}:\"{}\"\n", escaped(&fixit.text)));
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

impl Patch {
    /// Takes the changes of a diagnostic, all or none: one that meets an earlier change is left
    /// out.
    pub fn add(&mut self, data: &SourceMapData, interner: &Interner, fixits: &[FixIt]) {
        for fixit in fixits {
            let Some((loc, columns)) = columns(data, fixit) else { continue };
            let (Some(place), Some((text, physical))) = (data.presumed(loc), data.whole_file(loc)) else { continue };
            let name = interner.resolve(place.file);
            let file = self.files.entry(name.to_string()).or_insert_with(|| File {
                lines: String::from_utf8_lossy(text).lines().map(str::to_owned).collect(),
                edits: BTreeMap::new(),
            });
            let edits = file.edits.entry(physical).or_default();
            let meets = |e: &Edit| columns.start < e.columns.end && e.columns.start < columns.end;
            let again = |e: &Edit| e.columns == columns && e.text == fixit.text;
            if !edits.iter().any(|e| meets(e) || again(e)) {
                edits.push(Edit { columns, text: fixit.text.clone() });
            }
        }
    }

    /// The changes as a unified patch.
    pub fn unified(mut self) -> String {
        let mut out = String::new();
        for (name, file) in &mut self.files {
            out.push_str(&format!("--- {name}\n+++ {name}\n"));
            let changed: BTreeMap<usize, String> = file
                .edits
                .iter_mut()
                .filter_map(|(&line, edits)| Some((line, apply(file.lines.get(line)?, edits))))
                .collect();
            hunks(&file.lines, &changed, &mut out);
        }
        out
    }
}

/// A line with its changes, which do not meet.
fn apply(line: &str, edits: &mut [Edit]) -> String {
    // From the end: positions before a change stay true.
    edits.sort_by_key(|edit| (edit.columns.start, edit.columns.end));
    let mut bytes = line.as_bytes().to_vec();
    for edit in edits.iter().rev() {
        let end = edit.columns.end.min(bytes.len());
        bytes.splice(edit.columns.start.min(end)..end, edit.text.bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Changed lines with their context; those whose contexts touch are one hunk.
fn hunks(lines: &[String], changed: &BTreeMap<usize, String>, out: &mut String) {
    let mut rest = changed.keys().copied().peekable();
    while let Some(first) = rest.next() {
        let mut last = first;
        while let Some(next) = rest.next_if(|&next| next <= last + 2 * CONTEXT) {
            last = next;
        }
        let start = first.saturating_sub(CONTEXT);
        let end = (last + CONTEXT + 1).min(lines.len());
        let count = end - start;
        out.push_str(&format!("@@ -{},{count} +{},{count} @@\n", start + 1, start + 1));
        let mut at = start;
        while at < end {
            // Neighbouring changes: all that goes, then all that comes.
            let run = (at..end).take_while(|line| changed.contains_key(line)).count();
            if run == 0 {
                out.push_str(&format!(" {}\n", lines[at]));
                at += 1;
                continue;
            }
            lines[at..at + run].iter().for_each(|line| out.push_str(&format!("-{line}\n")));
            (at..at + run).for_each(|line| out.push_str(&format!("+{}\n", changed[&line])));
            at += run;
        }
    }
}
