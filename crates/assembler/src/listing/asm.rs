//! Asm statements in the listing: their text between `#APP` and `#NO_APP`, as gcc prints it.
//!
//! What the text gives when it is assembled (bytes, labels, pieces of other sections) is left out
//! of the rest of the listing.

use std::fmt::Write as _;

use object::{ObjectBuilder, SectionId, function_code::AsmStatement, sections::SectionData};

use super::{Event, Printer};
use crate::{CODE_LABEL_PREFIX, SYMBOL_PREFIX};

/// The name in the listing of a label of a function that asm text names.
pub(super) fn label_name(function: usize, label: u32) -> String {
    format!(".LA{function}.{label}")
}

/// Whether assembling the listing must give the object: not if some text is no assembly, or goes to
/// subsections.
pub(super) fn can_be_checked(object: &ObjectBuilder) -> bool {
    object.listed_asm.iter().all(|asm| asm.assembled)
        && object.listed_functions().iter().flat_map(|f| &f.code.statements).all(|statement| statement.assembled)
        && object.sections().all(|(_, section)| section.spec.subsection == 0)
}

/// Whether the text of file-scope asm has these words.
pub(super) fn says(object: &ObjectBuilder, words: &str) -> bool {
    object.listed_asm.iter().any(|asm| asm.text.contains(words))
}

/// By section, the bytes that come from asm text, ascending.
pub(super) fn ranges(object: &ObjectBuilder, wanted: bool) -> Vec<Vec<(u64, u64)>> {
    let mut out = vec![Vec::new(); object.sections().count()];
    if !wanted {
        return out;
    }
    for function in object.listed_functions() {
        let placed = function.placed;
        for statement in &function.code.statements {
            let (start, end) = statement_range(&function.code, statement);
            out[placed.section.index()].push((placed.offset + start, placed.offset + end));
        }
        for &(section, start, end) in &function.pieces {
            out[section.index()].push((start, end));
        }
    }
    for &(section, start, end) in object.listed_asm.iter().flat_map(|asm| &asm.ranges) {
        out[section.index()].push((start, end));
    }
    for list in &mut out {
        list.retain(|(start, end)| start < end);
        list.sort_unstable();
    }
    out
}

fn statement_range(code: &object::FunctionCode, statement: &AsmStatement) -> (u64, u64) {
    (code.label_offset(statement.start).into(), code.label_offset(statement.end).into())
}

/// Calls `replace` with each number that follows `prefix`, and puts its result in place of both.
fn replace_numbered(text: &str, prefix: &str, mut replace: impl FnMut(u32) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(prefix) {
        out.push_str(&rest[..at]);
        rest = &rest[at + prefix.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..digits].parse() {
            Ok(number) => out.push_str(&replace(number)),
            Err(_) => out.push_str(prefix),
        }
        rest = &rest[digits..];
    }
    out.push_str(rest);
    out
}

impl Printer<'_> {
    /// Whether the function's section has an asm statement, which may have no bytes.
    pub(super) fn has_statements(&self, id: SectionId) -> bool {
        self.asm.is_some() && self.functions(id).any(|(_, function)| !function.code.statements.is_empty())
    }

    /// Whether all there is in a section comes from asm text.
    pub(super) fn is_all_asm(&self, id: SectionId, section: &SectionData) -> bool {
        let ranges = &self.from_asm[id.index()];
        let contents = &self.contents[id.index()];
        if ranges.is_empty() || !contents.symbols.is_empty() || !contents.functions.is_empty() {
            return false;
        }
        // Padding between the pieces is made by the text again.
        let mut at = 0;
        for &(start, end) in ranges {
            if start > at && section.bytes.get(at as usize..start as usize).is_some_and(|b| b.iter().any(|&b| b != 0)) {
                return section.is_code();
            }
            at = at.max(end);
        }
        at >= section.size()
    }

    pub(super) fn is_in_asm(&self, id: SectionId, start: u64, end: u64) -> bool {
        self.from_asm[id.index()].iter().any(|&(from, to)| from <= start && end <= to)
    }

    /// Relocations of fields that asm text gives are not printed.
    pub(super) fn drop_relocations_of_asm(&mut self, id: SectionId) {
        let ranges = &self.from_asm[id.index()];
        if !ranges.is_empty() {
            self.relocs[id.index()].retain(|r| !ranges.iter().any(|&(start, end)| (start..end).contains(&r.offset)));
        }
    }

    /// Adds statements, the labels they name and what is skipped; removes what is inside the texts.
    pub(super) fn asm_events(&self, id: SectionId, code: bool, events: &mut Vec<(u64, Event)>) {
        if self.asm.is_none() {
            return;
        }
        let ranges = &self.from_asm[id.index()];
        let inside = |at: u64, event: &Event| {
            let padding = matches!(event, Event::Align(..));
            ranges.iter().any(|&(start, end)| (start < at || padding && start == at) && at < end)
        };
        let of_text = |event: &Event| match *event {
            Event::Rule(function, rule) => {
                let code = &self.object.listed_functions()[function].code;
                code.statements.iter().any(|s| (s.rules.0..s.rules.1).contains(&(rule as u32)))
            }
            _ => false,
        };
        events.retain(|(at, event)| !inside(*at, event) && !of_text(event));
        let mut printed = Vec::new();
        for (index, function) in self.functions(id).filter(|_| code) {
            for (number, statement) in function.code.statements.iter().enumerate() {
                let (start, end) = statement_range(&function.code, statement);
                let base = function.placed.offset;
                events.push((base + start, Event::Asm(index, number)));
                printed.push((base + start, base + end));
                replace_numbered(&statement.text, CODE_LABEL_PREFIX, |label| {
                    let offset = function.code.labels.get(label as usize).copied().filter(|&at| at != u32::MAX);
                    let event = Event::AsmLabel(index, label);
                    let place = offset.map(|offset| (base + u64::from(offset), event));
                    if let Some(place) = place.filter(|place| !events.contains(place)) {
                        events.push(place);
                    }
                    String::new()
                });
            }
        }
        let skipped = ranges.iter().filter(|range| !printed.contains(range));
        events.extend(skipped.map(|&(start, end)| (start, Event::Skip(end - start))));
    }

    /// Prints a statement; the number of its bytes is the result.
    pub(super) fn asm_statement(&mut self, index: usize, number: usize) -> u32 {
        let function = &self.object.listed_functions()[index];
        let statement = &function.code.statements[number];
        let text = replace_numbered(&statement.text, CODE_LABEL_PREFIX, |label| label_name(index, label));
        let text = replace_numbered(&text, SYMBOL_PREFIX, |symbol| match function.symbols.get(symbol as usize) {
            Some(symbol) => self.names[symbol.index()].clone(),
            None => format!("{SYMBOL_PREFIX}{symbol}"),
        });
        let line = self.asm.and_then(|line| line(statement.location));
        self.begin_text(statement.intel);
        if let Some((file, line)) = &line {
            let _ = writeln!(self.out, "# {line} {} 1", super::quoted(file.as_bytes()));
        }
        // As in gcc, an empty text has no line of its own.
        if !text.is_empty() {
            let _ = writeln!(self.out, "\t{text}");
        }
        if line.is_some() {
            self.out.push_str("# 0 \"\" 2\n");
        }
        self.end_text(statement.intel);
        let (start, end) = statement_range(&function.code, statement);
        (end - start) as u32
    }

    /// Prints file-scope asm, which follows the functions in the object, too.
    pub(super) fn file_asm(&mut self) {
        if self.asm.is_none() {
            return;
        }
        for asm in &self.object.listed_asm {
            self.out.push_str("\t.text\n");
            self.begin_text(asm.intel);
            let _ = writeln!(self.out, "\t{}", asm.text);
            self.end_text(asm.intel);
        }
    }

    /// Texts that follow each other are between one pair of marks.
    fn begin_text(&mut self, intel: bool) {
        match self.out.strip_suffix("#NO_APP\n") {
            Some(before) => self.out.truncate(before.len()),
            None => self.out.push_str("#APP\n"),
        }
        if intel {
            self.out.push_str("\t.intel_syntax noprefix\n");
        }
    }

    fn end_text(&mut self, intel: bool) {
        if intel {
            self.out.push_str("\t.att_syntax\n");
        }
        self.out.push_str("#NO_APP\n");
    }
}
