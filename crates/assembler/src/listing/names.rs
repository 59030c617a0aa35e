//! Names, strings and section directives as GNU `as` reads them.

use std::fmt::Write as _;

use object::{
    Binding, ObjectBuilder, Place, SymbolId, SymbolKind,
    sections::{SectionData, section_flags, section_type},
};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn section_directive(out: &mut String, section: &SectionData) {
    let spec = &section.spec;
    let plain = match &*spec.name {
        ".text" => spec.flags == section_flags::ALLOC | section_flags::EXECINSTR,
        ".data" | ".bss" => spec.flags == section_flags::ALLOC | section_flags::WRITE,
        _ => false,
    };
    if plain {
        let number = if spec.subsection != 0 { format!(" {}", spec.subsection) } else { String::new() };
        let _ = writeln!(out, "\t{}{number}", spec.name);
        return;
    }
    let flags: String = [
        (section_flags::ALLOC, 'a'),
        (section_flags::WRITE, 'w'),
        (section_flags::EXECINSTR, 'x'),
        (section_flags::MERGE, 'M'),
        (section_flags::STRINGS, 'S'),
        (section_flags::TLS, 'T'),
        (section_flags::GROUP, 'G'),
        (section_flags::LINK_ORDER, 'o'),
        (section_flags::EXCLUDE, 'e'),
        (section_flags::GNU_RETAIN, 'R'),
        (section_flags::LARGE, 'l'),
    ]
    .into_iter()
    .filter_map(|(bit, letter)| (spec.flags & bit != 0).then_some(letter))
    .collect();
    let kind = match spec.kind {
        section_type::NOBITS => "nobits".to_string(),
        section_type::NOTE => "note".to_string(),
        section_type::INIT_ARRAY => "init_array".to_string(),
        section_type::FINI_ARRAY => "fini_array".to_string(),
        section_type::PREINIT_ARRAY => "preinit_array".to_string(),
        section_type::X86_64_UNWIND => "unwind".to_string(),
        section_type::PROGBITS => "progbits".to_string(),
        other => format!("{other:#x}"),
    };
    let _ = write!(out, "\t.section\t{},\"{flags}\",@{kind}", symbol_text(&spec.name));
    if spec.flags & section_flags::MERGE != 0 {
        let _ = write!(out, ",{}", spec.entsize);
    }
    if let Some(group) = &spec.group {
        let comdat = if spec.group_stays { "" } else { ",comdat" };
        let _ = write!(out, ",{}{comdat}", symbol_text(group));
    }
    if let Some(link) = spec.link.as_deref().filter(|_| spec.flags & section_flags::LINK_ORDER != 0) {
        let _ = write!(out, ",{link}");
    }
    out.push('\n');
    if spec.subsection != 0 {
        let _ = writeln!(out, "\t.subsection\t{}", spec.subsection);
    }
}

/// A string literal of these bytes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            0x20..0x7f => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// A name as it may be written: quoted if it has characters that names do not have.
pub(super) fn symbol_text(name: &str) -> String {
    let plain = name
        .bytes()
        .enumerate()
        .all(|(i, b)| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$') || (i > 0 && b.is_ascii_digit()));
    // A leading `$` would read as an immediate.
    if plain && !name.starts_with('$') { name.to_string() } else { format!("\"{name}\"") }
}

/// Every symbol's name for the text: local names that occur twice are numbered.
pub(super) fn printed_names(object: &ObjectBuilder) -> Vec<String> {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let all = || (0..object.symbol_count() as u32).map(SymbolId);
    // Names that must stay as they are come first.
    for symbol in all().filter(|&s| object.symbol(s).binding != Binding::Local) {
        seen.insert(object.symbol_name(symbol));
    }
    let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
    all()
        .map(|symbol| {
            let name = object.symbol_name(symbol);
            if name.is_empty() {
                // Something without a name that has a place needs one in text.
                let entry = object.symbol(symbol);
                let placed = entry.kind != SymbolKind::Section && matches!(entry.place, Place::Section(..));
                return if placed { format!(".Lunnamed{}", symbol.0) } else { String::new() };
            }
            if object.symbol(symbol).binding != Binding::Local || seen.insert(name) {
                return symbol_text(name);
            }
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            symbol_text(&format!("{name}.dup{count}"))
        })
        .collect()
}
