//! Debug information of a source without its own (`-g`): a line for every instruction, and an entry
//! for the file and for each of its functions, in DWARF 5.
//!
//! The rows are recorded as if each instruction had a `.loc` before it; the entries are assembled
//! from text after the source. A source with `.loc` of its own is left alone.

use std::fmt::Write as _;

use object::{
    Binding, SymbolKind,
    line_table::{LineFile, LineRow},
    sections::section_flags,
};

use crate::{
    Debug,
    context::Assembler,
    expression::{Expr, Sym},
    line_records::Lines,
    state::{Definition, FieldKind, Position, State},
};

/// Records the line of the instruction that comes next.
pub(crate) fn mark(state: &mut State) {
    if state.current_section().spec.flags & section_flags::EXECINSTR == 0 {
        return;
    }
    let (at, line, name) = (state.position(), state.line, state.file.clone());
    let file = match &state.recorded.last {
        Some((last, _, last_line)) if *last == name && *last_line == line => return,
        Some((last, file, _)) if *last == name => *file,
        _ => file_number(&mut state.lines, &name),
    };
    state.recorded.last = Some((name, file, line));
    state.lines.rows.push((at, LineRow { file, line, is_stmt: true, ..LineRow::default() }));
}

/// Number of a file, which is added if it is new. Number 0 stands for the first one.
fn file_number(lines: &mut Lines, path: &str) -> u32 {
    let (directory, name) = match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some((directory, name)) => (directory, name),
        None => ("", path),
    };
    let directory = if directory.is_empty() { 0 } else { lines.directory(directory) };
    let file = LineFile { directory, name: name.to_owned() };
    if let Some(known) = lines.files.iter().skip(1).position(|known| *known == file) {
        return known as u32 + 1;
    }
    if lines.files.is_empty() {
        lines.files.push(file.clone());
    }
    lines.files.push(file);
    lines.files.len() as u32 - 1
}

/// A code section with rows: its first and one past its last place.
struct Range {
    start: String,
    end: String,
}

/// Adds the entries for what has been assembled.
pub(crate) fn add(assembler: &mut Assembler, source: &str, debug: &Debug) {
    let state = &mut assembler.state;
    if state.lines.rows.is_empty() || state.sections.iter().any(|s| &*s.spec.name == ".debug_info") {
        return;
    }
    match state.lines.directories.first_mut() {
        Some(first) => first.clone_from(&debug.directory),
        None => state.lines.directories.push(debug.directory.clone()),
    }
    let mut sections: Vec<u32> = state.lines.rows.iter().map(|(at, _)| state.section_of(*at)).collect();
    sections.sort_unstable();
    sections.dedup();
    let ranges: Vec<Range> = sections.iter().map(|&section| range(state, section)).collect();
    let functions = functions(state, &sections);
    let mut text = unit(source, debug, &ranges);
    assembler.ended = false;
    assembler.run(&text, "", 1);
    for (name, external, symbol, size) in functions {
        text.clear();
        let _ = write!(text, ".uleb128 2\n.asciz {}\n.byte {}\n", quoted(&name), u8::from(external));
        assembler.run(&text, "", 1);
        assembler.state.emit_field(8, FieldKind::Plain, Expr::Symbol(symbol, None));
        assembler.state.emit_field(8, FieldKind::Plain, size);
    }
    assembler.run(&ending(&ranges), "", 1);
}

/// Names the ends of a section.
fn range(state: &mut State, section: u32) -> Range {
    let chunks = &state.sections[section as usize].chunks;
    let (first, last) = (chunks[0], chunks[chunks.len() - 1]);
    let data = &state.chunks[last as usize];
    let start = Position { chunk: first, items: 0, fixed: 0 };
    let end = Position { chunk: last, items: data.items.len() as u32, fixed: data.bytes.len() as u32 };
    let mut name = |what: &str, at| {
        let name = format!(".Ldebug_{what}_{section}");
        let symbol = state.symbol_of(&name);
        state.symbol_mut(symbol).definition = Definition::At(at);
        name
    };
    Range { start: name("start", start), end: name("end", end) }
}

/// Functions with a size in these sections: name, whether it is global, symbol, size.
fn functions(state: &State, sections: &[u32]) -> Vec<(String, bool, Sym, Expr)> {
    let symbols = state.symbols.iter().enumerate();
    let functions = symbols.filter_map(|(index, data)| {
        let Definition::At(at) = data.definition else { return None };
        let wanted = data.kind == SymbolKind::Func && sections.contains(&state.section_of(at));
        let size = data.size.as_deref().filter(|_| wanted)?;
        let external = matches!(data.binding, Some(Binding::Global | Binding::Weak));
        Some((data.name.to_string(), external, Sym(index as u32), size.clone()))
    });
    functions.collect()
}

/// A string as the assembler reads it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | 0..=31 | 127.. => drop(write!(out, "\\{byte:03o}")),
            _ => out.push(byte as char),
        }
    }
    out.push('"');
    out
}

/// The beginning of the unit, up to its children (DWARF 5, 7.5.1.1 and 7.5.3).
fn unit(source: &str, debug: &Debug, ranges: &[Range]) -> String {
    // DW_AT_low_pc (an address) and DW_AT_high_pc (8 bytes), or DW_AT_ranges (an offset).
    let (place_attributes, place) = match ranges {
        [Range { start, end }] => ("0x11, 0x01, 0x12, 0x07", format!(".quad {start}\n.quad {end} - {start}\n")),
        _ => ("0x55, 0x17", ".long .Ldebug_ranges\n".into()),
    };
    format!(
        ".section .debug_abbrev, \"\", @progbits\n\
         .uleb128 1, 0x11\n.byte 1\n.uleb128 0x10, 0x17, {place_attributes}\n\
         .uleb128 0x03, 0x08, 0x1b, 0x08, 0x25, 0x08, 0x13, 0x05, 0, 0\n\
         .uleb128 2, 0x2e\n.byte 0\n.uleb128 0x03, 0x08, 0x3f, 0x0c, 0x11, 0x01, 0x12, 0x07, 0, 0\n\
         .byte 0\n\
         .section .debug_line, \"\", @progbits\n\
         .section .debug_info, \"\", @progbits\n\
         .long .Ldebug_unit_end - .Ldebug_unit\n\
         .Ldebug_unit:\n.value 5\n.byte 1, 8\n.long .debug_abbrev\n\
         .uleb128 1\n.long .debug_line\n{place}\
         .asciz {}\n.asciz {}\n.asciz {}\n.value 0x8001\n",
        quoted(source),
        quoted(&debug.directory),
        quoted(&debug.producer)
    )
}

/// The end of the unit, and the tables of its ranges (DWARF 5, 6.1.2 and 7.25).
fn ending(ranges: &[Range]) -> String {
    let mut out = String::from(
        ".byte 0\n.Ldebug_unit_end:\n.section .debug_aranges, \"\", @progbits\n\
         .long .Ldebug_aranges_end - .Ldebug_aranges\n\
         .Ldebug_aranges:\n.value 2\n.long .debug_info\n.byte 8, 0\n.long 0\n",
    );
    for Range { start, end } in ranges {
        let _ = writeln!(out, ".quad {start}, {end} - {start}");
    }
    out.push_str(".quad 0, 0\n.Ldebug_aranges_end:\n");
    if ranges.len() > 1 {
        out.push_str(
            ".section .debug_rnglists, \"\", @progbits\n.long .Ldebug_ranges_end - .Ldebug_ranges_start\n\
             .Ldebug_ranges_start:\n.value 5\n.byte 8, 0\n.long 0\n.Ldebug_ranges:\n",
        );
        for Range { start, end } in ranges {
            let _ = write!(out, ".byte 7\n.quad {start}\n.uleb128 {end} - {start}\n");
        }
        out.push_str(".byte 0\n.Ldebug_ranges_end:\n");
    }
    out
}
