//! `-fdiagnostics-format=sarif-file` and `sarif-stderr`: one log in the Static Analysis Results
//! Interchange Format, version 2.1.0 (OASIS), with the members that gcc 13 gives it.

use super::json::quote;
use super::tokens::token_length;
use super::{Diagnostic, FixIt};
use crate::{Interner, Loc, SourceMap, SourceMapData, Span, Symbol, WarningId};
use std::fmt::Write;

const SCHEMA: &str = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json";

/// What is known of a unit so far.
#[derive(Default)]
pub(super) struct Log {
    results: Vec<String>,
    /// Options that results are controlled by.
    rules: Vec<WarningId>,
    /// Files that results are in, with their text.
    files: Vec<(String, Option<String>)>,
    failed: bool,
}

impl Log {
    /// Adds a diagnostic, in the function `function`.
    pub fn add(&mut self, sources: &SourceMap, interner: &Interner, diagnostic: &Diagnostic, function: Option<Symbol>) {
        let data = &*sources.data();
        let mut cx = Context { data, interner, log: self };
        let result = cx.result(diagnostic, function);
        self.results.push(result);
        self.failed |= diagnostic.severity >= super::Severity::Error;
        if let Some(id) = diagnostic.warning
            && !self.rules.contains(&id)
        {
            self.rules.push(id);
        }
    }

    /// The log; afterwards nothing is known.
    pub fn take(&mut self) -> String {
        let log = std::mem::take(self);
        let rules: Vec<String> = log.rules.iter().map(|id| rule(*id)).collect();
        let artifacts: Vec<String> = log.files.iter().map(|(name, text)| artifact(name, text.as_deref())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let tool = format!(
            "{{\"driver\": {{\"name\": \"tcc-rs\", \"fullName\": \"tcc-rs {version}\", \"version\": \"{version}\", \
             \"rules\": [{}]}}}}",
            rules.join(", ")
        );
        let folder = std::env::current_dir().unwrap_or_default();
        let base = format!("file://{}/", escaped(&folder.to_string_lossy()));
        format!(
            "{{\"$schema\": \"{SCHEMA}\", \"version\": \"2.1.0\", \"runs\": [{{\"tool\": {tool}, \
             \"invocations\": [{{\"executionSuccessful\": {}, \"toolExecutionNotifications\": []}}], \
             \"originalUriBaseIds\": {{\"PWD\": {{\"uri\": {}}}}}, \"columnKind\": \"unicodeCodePoints\", \
             \"artifacts\": [{}], \"results\": [{}]}}]}}\n",
            !log.failed,
            quote(&base),
            artifacts.join(", "),
            log.results.join(", ")
        )
    }
}

/// An option as a rule, as its results name it.
fn rule(id: WarningId) -> String {
    let url = format!("https://gcc.gnu.org/onlinedocs/gcc/Warning-Options.html#index-W{}", id.shown());
    let text = quote(id.description());
    let name = quote(&format!("-W{}", id.shown()));
    format!("{{\"id\": {name}, \"shortDescription\": {{\"text\": {text}}}, \"helpUri\": {}}}", quote(&url))
}

fn artifact(name: &str, text: Option<&str>) -> String {
    let contents = text.map_or(String::new(), |text| format!(", \"contents\": {{\"text\": {}}}", quote(text)));
    format!("{{\"location\": {}, \"sourceLanguage\": \"c\"{contents}}}", artifact_location(name))
}

fn artifact_location(name: &str) -> String {
    match name.starts_with('/') {
        true => format!("{{\"uri\": {}}}", quote(&format!("file://{}", escaped(name)))),
        false => format!("{{\"uri\": {}, \"uriBaseId\": \"PWD\"}}", quote(&escaped(name))),
    }
}

/// A path as part of a URI.
fn escaped(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' | b',' | b'=' | b'@' => {
                out.push(byte.into());
            }
            _ => write!(out, "%{byte:02X}").unwrap_or_default(),
        }
    }
    out
}

/// Columns of a range in a line, in characters from 1; `end` is the first one after it.
struct Region {
    line: u32,
    start: usize,
    end_line: u32,
    end: usize,
}

impl Region {
    fn json(&self) -> String {
        let end_line =
            if self.end_line == self.line { String::new() } else { format!(", \"endLine\": {}", self.end_line) };
        format!(
            "{{\"startLine\": {}, \"startColumn\": {}{end_line}, \"endColumn\": {}}}",
            self.line, self.start, self.end
        )
    }
}

struct Context<'a> {
    data: &'a SourceMapData,
    interner: &'a Interner,
    log: &'a mut Log,
}

impl Context<'_> {
    fn result(&mut self, diagnostic: &Diagnostic, function: Option<Symbol>) -> String {
        let level = match diagnostic.severity {
            super::Severity::Note => "note",
            super::Severity::Warning => "warning",
            super::Severity::Error | super::Severity::Fatal => "error",
        };
        let rule = diagnostic.warning.map_or(level.to_string(), |id| format!("-W{}", id.shown()));
        let mut out = format!(
            "{{\"ruleId\": {}, \"level\": \"{level}\", \"message\": {}",
            quote(&rule),
            message(&diagnostic.message)
        );
        let place = self.physical(diagnostic.loc, diagnostic.spans.first().copied());
        let place = place.map(|place| format!("{{{place}{}}}", self.logical(function)));
        write!(out, ", \"locations\": [{}]", place.unwrap_or_default()).unwrap_or_default();
        let notes: Vec<String> = diagnostic
            .notes
            .iter()
            .map(|note| {
                let text = format!("\"message\": {}", message(&note.message));
                match self.physical(note.loc, None) {
                    Some(place) => format!("{{{place}, {text}}}"),
                    None => format!("{{{text}}}"),
                }
            })
            .collect();
        if !notes.is_empty() {
            write!(out, ", \"relatedLocations\": [{}]", notes.join(", ")).unwrap_or_default();
        }
        let changes: Vec<String> = diagnostic.fixits.iter().filter_map(|fixit| self.change(fixit)).collect();
        if !changes.is_empty() {
            write!(out, ", \"fixes\": [{{\"artifactChanges\": [{}]}}]", changes.join(", ")).unwrap_or_default();
        }
        out.push('}');
        out
    }

    /// Place and line of a diagnostic; the range around it where one is known.
    fn physical(&mut self, loc: Loc, span: Option<Span>) -> Option<String> {
        let name = self.file(loc)?;
        let own = self.region(Span { start: loc, end: loc })?;
        let around = span.and_then(|span| self.region(span)).filter(|region| region.line == own.line);
        let (line, _) = self.data.line_text(loc)?;
        let snippet = quote(&format!("{}\n", String::from_utf8_lossy(line)));
        Some(format!(
            "\"physicalLocation\": {{\"artifactLocation\": {}, \"region\": {}, \
             \"contextRegion\": {{\"startLine\": {}, \"snippet\": {{\"text\": {snippet}}}}}}}",
            artifact_location(&name),
            around.as_ref().unwrap_or(&own).json(),
            own.line
        ))
    }

    fn logical(&self, function: Option<Symbol>) -> String {
        let Some(function) = function else { return String::new() };
        let name = quote(self.interner.resolve(function));
        format!(
            ", \"logicalLocations\": [{{\"name\": {name}, \"fullyQualifiedName\": {name}, \"decoratedName\": {name}, \
             \"kind\": \"function\"}}]"
        )
    }

    fn change(&mut self, fixit: &FixIt) -> Option<String> {
        let name = self.file(fixit.span.start)?;
        let mut region = self.region(fixit.span)?;
        if fixit.insert {
            (region.end_line, region.end) = (region.line, region.start);
        }
        Some(format!(
            "{{\"artifactLocation\": {}, \"replacements\": [{{\"deletedRegion\": {}, \"insertedContent\": {}}}]}}",
            artifact_location(&name),
            region.json(),
            message(&fixit.text)
        ))
    }

    /// The file of a place, which becomes one of the log's.
    fn file(&mut self, loc: Loc) -> Option<String> {
        let name = self.interner.resolve(self.data.presumed(loc)?.file).to_string();
        if self.log.files.iter().all(|(known, _)| *known != name) {
            // Where `#line` names another file, there is no text of that.
            let text = self.data.file_text(loc).filter(|(known, _)| self.interner.resolve(*known) == name);
            let text = text.and_then(|(_, text)| std::str::from_utf8(text).ok()).map(str::to_string);
            self.log.files.push((name.clone(), text));
        }
        Some(name)
    }

    /// From the first token of a range to the last.
    fn region(&self, span: Span) -> Option<Region> {
        let (start, end) = (self.data.presumed(span.start)?, self.data.presumed(span.end)?);
        let column = |line: &[u8], at: usize| String::from_utf8_lossy(&line[..at]).chars().count() + 1;
        let (first, at) = self.data.line_text(span.start)?;
        let (last, before) = self.data.line_text(span.end)?;
        let after = (before + token_length(&last[before..])).min(last.len());
        Some(Region { line: start.line, start: column(first, at), end_line: end.line, end: column(last, after) })
    }
}

fn message(text: &str) -> String {
    format!("{{\"text\": {}}}", quote(text))
}
