//! Directives that choose the current section, and what a section's flags and kind are called.

use object::{
    SectionSpec,
    sections::{section_flags, section_type},
};

use super::{expect, finish, number};
use crate::{context::Assembler, state::State, text::Cursor};

pub(super) fn named_section(
    assembler: &mut Assembler,
    spec: SectionSpec,
    cursor: &mut Cursor<'_>,
) -> Result<(), String> {
    let subsection = if cursor.at_end() { 0 } else { number(assembler, cursor)? };
    let chunk = assembler.state.chunk(&spec, subsection);
    assembler.state.switch_to(chunk);
    Ok(())
}

pub(super) fn section(assembler: &mut Assembler, cursor: &mut Cursor<'_>, push: bool) -> Result<(), String> {
    let name = if cursor.peek_token() == b'"' { cursor.name().unwrap_or_default() } else { cursor.until(b",") };
    let name = name.to_string();
    if name.is_empty() {
        return Err("missing section name".into());
    }
    let mut subsection = 0;
    let mut given = None;
    if cursor.eat(b',') {
        if push && cursor.peek_token() != b'"' && cursor.peek() != b'@' {
            subsection = number(assembler, cursor)?;
            cursor.eat(b',');
        }
        if !cursor.at_end() {
            given = Some(section_attributes(assembler, &name, cursor)?);
        }
    }
    finish(cursor)?;
    let spec = match given {
        Some(spec) => spec,
        // Without attributes: the section of that name, else what the name implies.
        None => match assembler.state.sections.iter().find(|s| *s.spec.name == *name) {
            Some(known) => known.spec.clone(),
            None => SectionSpec::by_name(&name).unwrap_or_else(|| SectionSpec::new(&name, section_type::PROGBITS, 0)),
        },
    };
    let spec = known_section(assembler, spec);
    if push {
        let saved = (assembler.state.current, assembler.state.previous);
        assembler.state.stack.push(saved);
    }
    let chunk = assembler.state.chunk(&spec, subsection);
    assembler.state.switch_to(chunk);
    Ok(())
}

/// Sections are one by name; attributes given again and differently do not make a second one, as in
/// `as`.
fn known_section(assembler: &Assembler, spec: SectionSpec) -> SectionSpec {
    match assembler
        .state
        .sections
        .iter()
        .find(|s| s.spec.name == spec.name && s.spec.link == spec.link && s.spec.group == spec.group)
    {
        Some(known) => known.spec.clone(),
        None => spec,
    }
}

fn section_attributes(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<SectionSpec, String> {
    let text = cursor.string();
    let flags = text.as_deref().map_or(Ok(0), parse_flags)?;
    let mut kind = None;
    if cursor.eat(b',') {
        if cursor.eat(b'@') || cursor.eat(b'%') {
            kind = Some(section_kind(cursor.until(b","))?);
        } else if let Some(text) = cursor.string() {
            kind = Some(section_kind(&String::from_utf8_lossy(&text))?);
        }
    }
    let mut spec = SectionSpec::with_attributes(name, kind, flags);
    if text.is_some_and(|text| text.contains(&b'?')) {
        // The group of the current section, if it is in one.
        let current = assembler.state.current_section().spec.clone();
        spec.flags |= current.flags & section_flags::GROUP;
        (spec.group, spec.group_stays) = (current.group, current.group_stays);
    }
    if spec.flags & section_flags::MERGE != 0 && cursor.eat(b',') {
        spec.entsize = number(assembler, cursor)? as u64;
    }
    if spec.flags & section_flags::GROUP != 0 && spec.group.is_none() {
        expect(cursor, b',')?;
        spec.group = Some(cursor.name().ok_or("group name for SHF_GROUP not specified")?.into());
        let mut ahead = cursor.clone();
        let comdat = ahead.eat(b',') && ahead.name() == Some("comdat");
        spec.group_stays = !comdat;
        if comdat {
            *cursor = ahead;
        }
    }
    if spec.flags & section_flags::LINK_ORDER != 0 && cursor.eat(b',') {
        spec.link = cursor.name().map(Into::into);
    }
    if cursor.eat(b',') {
        // `unique,N` makes a section of its own; the name is kept.
        if cursor.until(b",") != "unique" {
            return Err(format!("junk '{}' in section attributes", cursor.rest()));
        }
        expect(cursor, b',')?;
        let unique = number(assembler, cursor)?;
        spec.link = spec.link.or_else(|| Some(format!("\u{1}unique{unique}").into()));
    }
    Ok(spec)
}

fn parse_flags(text: &[u8]) -> Result<u64, String> {
    if text.first().is_some_and(u8::is_ascii_digit) {
        let text = String::from_utf8_lossy(text);
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (&*text, if text.starts_with('0') { 8 } else { 10 }),
        };
        return u64::from_str_radix(digits, radix).map_err(|_| format!("bad section flags '{text}'"));
    }
    let mut flags = 0;
    for &letter in text {
        flags |= match letter {
            b'a' => section_flags::ALLOC,
            b'w' => section_flags::WRITE,
            b'x' => section_flags::EXECINSTR,
            b'M' => section_flags::MERGE,
            b'S' => section_flags::STRINGS,
            b'T' => section_flags::TLS,
            b'G' => section_flags::GROUP,
            b'o' => section_flags::LINK_ORDER,
            b'e' => section_flags::EXCLUDE,
            b'R' => section_flags::GNU_RETAIN,
            b'l' => section_flags::LARGE,
            b'?' => 0,
            other => return Err(format!("unknown section flag '{}'", other as char)),
        };
    }
    Ok(flags)
}

fn section_kind(text: &str) -> Result<u32, String> {
    Ok(match text.trim() {
        "progbits" => section_type::PROGBITS,
        "nobits" => section_type::NOBITS,
        "note" => section_type::NOTE,
        "init_array" => section_type::INIT_ARRAY,
        "fini_array" => section_type::FINI_ARRAY,
        "preinit_array" => section_type::PREINIT_ARRAY,
        "unwind" => section_type::X86_64_UNWIND,
        other => other.parse().or_else(|_| {
            other
                .strip_prefix("0x")
                .and_then(|hex| u32::from_str_radix(hex, 16).ok())
                .ok_or_else(|| format!("unknown section type '@{other}'"))
        })?,
    })
}

/// `.version "text"`: a note.
pub(super) fn version(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let text = cursor.string().ok_or("expected a string")?;
    finish(cursor)?;
    let spec = SectionSpec::new(".note", section_type::NOTE, 0);
    let chunk = assembler.state.chunk(&spec, 0);
    let current = std::mem::replace(&mut assembler.state.current, chunk);
    let section = assembler.state.current_section();
    section.align = section.align.max(4);
    let mut note = Vec::new();
    // Length of the name, no description, NT_VERSION.
    for word in [text.len() as u32 + 1, 0, 1] {
        note.extend(word.to_le_bytes());
    }
    note.extend(&text);
    note.resize((note.len() + 1).next_multiple_of(4), 0);
    assembler.state.emit(&note);
    assembler.state.current = current;
    Ok(())
}

/// `.gnu_attribute tag, value`: the attributes of the vendor "gnu" (gABI, "Object Attributes").
pub(super) fn gnu_attribute(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    // Odd tags have strings; the compatibility tag has both.
    const COMPATIBILITY: i64 = 32;
    let tag = number(assembler, cursor)?;
    expect(cursor, b',')?;
    let mut value = Vec::new();
    if tag == COMPATIBILITY || tag & 1 == 0 {
        object::frames::uleb(&mut value, number(assembler, cursor)? as u64);
    }
    if tag == COMPATIBILITY {
        expect(cursor, b',')?;
    }
    if tag == COMPATIBILITY || tag & 1 == 1 {
        value.extend(cursor.string().ok_or("expected a string")?);
        value.push(0);
    }
    finish(cursor)?;
    assembler.state.attributes.insert(tag as u64, value);
    Ok(())
}

/// Writes the section of `.gnu_attribute`.
pub(crate) fn write_attributes(state: &mut State) {
    const SHT_GNU_ATTRIBUTES: u32 = 0x6fff_fff5;
    const TAG_FILE: u8 = 1;
    let attributes = std::mem::take(&mut state.attributes);
    if attributes.is_empty() {
        return;
    }
    let mut list = Vec::new();
    for (tag, value) in attributes {
        object::frames::uleb(&mut list, tag);
        list.extend(value);
    }
    let vendor = b"gnu\0";
    // Each length counts itself.
    let inner = list.len() as u32 + 5;
    let mut bytes = vec![b'A'];
    bytes.extend((inner + 4 + vendor.len() as u32).to_le_bytes());
    bytes.extend(vendor);
    bytes.push(TAG_FILE);
    bytes.extend(inner.to_le_bytes());
    bytes.extend(list);
    let chunk = state.chunk(&SectionSpec::new(".gnu.attributes", SHT_GNU_ATTRIBUTES, 0), 0);
    state.chunks[chunk as usize].bytes.extend(bytes);
}

pub(super) fn ident(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let text = cursor.string().ok_or("expected a string")?;
    let flags = section_flags::MERGE | section_flags::STRINGS;
    let spec = SectionSpec { entsize: 1, ..SectionSpec::new(".comment", section_type::PROGBITS, flags) };
    let chunk = assembler.state.chunk(&spec, 0);
    let current = std::mem::replace(&mut assembler.state.current, chunk);
    if assembler.state.current_chunk().bytes.is_empty() {
        assembler.state.emit(&[0]);
    }
    assembler.state.emit(&text);
    assembler.state.emit(&[0]);
    assembler.state.current = current;
    Ok(())
}
