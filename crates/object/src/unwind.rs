//! Unwind tables: `.eh_frame` and the language-specific data of cleanups.
//!
//! The section is streamed, one pass over the frames in order (LSB 5.0 core,
//! 10.6; DWARF 5, 6.4). The layout is that of GNU `as`: a CIE is written where a
//! frame first needs it, entries are padded to 4 bytes and the last one to 8.

use crate::{
    builder::ObjectBuilder,
    frames::{DATA_ALIGN, Frame, PE_PCREL, PE_SDATA4, encode_rule, sleb, uleb},
    function_code::CfiOp,
    relocations::RelocKind,
    sections::{SectionId, SectionSpec, section_flags, section_type},
    symbols::SymbolId,
};

struct CieKey {
    personality: Option<(u8, SymbolId)>,
    lsda_encoding: Option<u8>,
    signal: bool,
    return_column: u16,
    /// Its rules, encoded.
    rules: Vec<u8>,
    offset: usize,
}

impl CieKey {
    /// Whether the CIE serves the frame, which begins with `rules`: the frame may have more of
    /// them.
    fn serves(&self, frame: &Frame, rules: &[u8]) -> bool {
        self.personality == frame.personality
            && self.lsda_encoding == frame.lsda.map(|l| l.0)
            && self.signal == frame.signal
            && self.return_column == frame.return_column
            && rules.starts_with(&self.rules)
    }

    fn new(frame: &Frame, rules: &[u8], offset: usize) -> CieKey {
        CieKey {
            personality: frame.personality,
            lsda_encoding: frame.lsda.map(|l| l.0),
            signal: frame.signal,
            return_column: frame.return_column,
            rules: rules.to_vec(),
            offset,
        }
    }
}

/// Writes `.eh_frame` and `.debug_frame` from the frames collected.
pub(crate) fn write_frames(object: &mut ObjectBuilder) {
    let mut frames = std::mem::take(&mut object.frames.frames);
    if object.frames.by_section {
        frames.sort_by_key(|frame| frame.section);
    }
    write_eh_frame(object, &frames);
    write_debug_frame(object, &frames);
}

fn write_eh_frame(object: &mut ObjectBuilder, frames: &[Frame]) {
    let Some(last) = frames.iter().rposition(|frame| frame.in_eh_frame) else { return };
    let spec = SectionSpec::new(".eh_frame", section_type::PROGBITS, section_flags::ALLOC);
    let section = object.section(&spec);
    object.set_align(section, 8);
    let mut out = std::mem::take(&mut object.section_data_mut(section).bytes);
    let mut cies: Vec<CieKey> = Vec::new();
    let mut rules = Vec::new();
    for (i, frame) in frames.iter().enumerate().filter(|(_, frame)| frame.in_eh_frame) {
        initial_rules(&mut rules, frame);
        // The last one first, as `as` does.
        let (cie, shared) = match cies.iter().rev().find(|cie| cie.serves(frame, &rules)) {
            Some(cie) => (cie.offset, cie.rules.len()),
            None => {
                let offset = out.len();
                write_cie(object, section, &mut out, frame, &rules);
                cies.push(CieKey::new(frame, &rules, offset));
                (offset, rules.len())
            }
        };
        write_fde(object, section, &mut out, frame, cie, &rules[shared..], if i == last { 8 } else { 4 });
    }
    object.section_data_mut(section).bytes = out;
}

/// The same table for debuggers (DWARF 5, 6.4.1): addresses of full width, no pointers to tables
/// of the language.
fn write_debug_frame(object: &mut ObjectBuilder, frames: &[Frame]) {
    if !frames.iter().any(|frame| frame.in_debug_frame) {
        return;
    }
    let section = object.section(&SectionSpec::new(".debug_frame", section_type::PROGBITS, 0));
    object.set_align(section, 8);
    let mut out = std::mem::take(&mut object.section_data_mut(section).bytes);
    let mut cies: Vec<CieKey> = Vec::new();
    let mut rules = Vec::new();
    for frame in frames.iter().filter(|frame| frame.in_debug_frame) {
        initial_rules(&mut rules, frame);
        let (cie, shared) = match cies.iter().rev().find(|cie| cie.serves(frame, &rules)) {
            Some(cie) => (cie.offset, cie.rules.len()),
            None => {
                let offset = out.len();
                let start = begin_entry(&mut out, u32::MAX);
                // Version and augmentation.
                out.push(1);
                out.extend_from_slice(if frame.signal { b"S\0" } else { b"\0" });
                uleb(&mut out, 1);
                sleb(&mut out, DATA_ALIGN);
                uleb(&mut out, u64::from(frame.return_column));
                out.extend_from_slice(&rules);
                end_entry(&mut out, start, 8);
                cies.push(CieKey::new(frame, &rules, offset));
                (offset, rules.len())
            }
        };
        let start = begin_entry(&mut out, 0);
        let own = object.section_symbol(section);
        object.add_relocation(section, out.len() as u64 - 4, RelocKind::Abs32, own, cie as i64);
        let code = object.section_symbol(frame.section);
        object.add_relocation(section, out.len() as u64, RelocKind::Abs64, code, frame.start as i64);
        out.extend([0; 8]);
        out.extend(frame.length.to_le_bytes());
        out.extend_from_slice(&rules[shared..]);
        out.extend_from_slice(&frame.instructions);
        end_entry(&mut out, start, 8);
    }
    object.section_data_mut(section).bytes = out;
}

/// The rules that hold at a function's start, encoded.
fn initial_rules(out: &mut Vec<u8>, frame: &Frame) {
    out.clear();
    if !frame.simple {
        encode_rule(out, &CfiOp::DefCfa(7, 8));
        encode_rule(out, &CfiOp::Offset(frame.return_column, -8));
    }
    out.extend_from_slice(&frame.initial);
}

fn write_cie(object: &mut ObjectBuilder, section: SectionId, out: &mut Vec<u8>, frame: &Frame, rules: &[u8]) {
    let start = begin_entry(out, 0);
    out.push(1);
    out.push(b'z');
    if frame.personality.is_some() {
        out.push(b'P');
    }
    if frame.lsda.is_some() {
        out.push(b'L');
    }
    out.push(b'R');
    if frame.signal {
        out.push(b'S');
    }
    out.push(0);
    uleb(out, 1);
    sleb(out, DATA_ALIGN);
    uleb(out, u64::from(frame.return_column));
    let personality_len = frame.personality.map_or(0, |(encoding, _)| 1 + pointer_len(encoding));
    uleb(out, personality_len as u64 + u64::from(frame.lsda.is_some()) + 1);
    if let Some((encoding, symbol)) = frame.personality {
        out.push(encoding);
        write_pointer(object, section, out, encoding, symbol, 0);
    }
    if let Some((encoding, ..)) = frame.lsda {
        out.push(encoding);
    }
    out.push(PE_PCREL | PE_SDATA4);
    out.extend_from_slice(rules);
    end_entry(out, start, 4);
}

fn write_fde(
    object: &mut ObjectBuilder,
    section: SectionId,
    out: &mut Vec<u8>,
    frame: &Frame,
    cie: usize,
    rules: &[u8],
    align: usize,
) {
    let start = begin_entry(out, out.len() as u32 + 4 - cie as u32);
    let code = object.section_symbol(frame.section);
    write_pointer(object, section, out, PE_PCREL | PE_SDATA4, code, frame.start as i64);
    out.extend((frame.length as u32).to_le_bytes());
    uleb(out, frame.lsda.map_or(0, |(encoding, ..)| pointer_len(encoding) as u64));
    if let Some((encoding, symbol, offset)) = frame.lsda {
        write_pointer(object, section, out, encoding, symbol, offset);
    }
    out.extend_from_slice(rules);
    out.extend_from_slice(&frame.instructions);
    end_entry(out, start, align);
}

/// Length (filled in later) and the second word.
fn begin_entry(out: &mut Vec<u8>, id: u32) -> usize {
    let start = out.len();
    out.extend([0; 4]);
    out.extend(id.to_le_bytes());
    start
}

fn end_entry(out: &mut Vec<u8>, start: usize, align: usize) {
    // The no-op instruction is 0.
    out.resize(out.len().next_multiple_of(align), 0);
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

fn pointer_len(encoding: u8) -> usize {
    match encoding & 7 {
        3 => 4,
        2 => 2,
        _ => 8,
    }
}

fn write_pointer(
    object: &mut ObjectBuilder,
    section: SectionId,
    out: &mut Vec<u8>,
    encoding: u8,
    symbol: SymbolId,
    addend: i64,
) {
    let relative = encoding & 0x70 == PE_PCREL;
    let len = pointer_len(encoding);
    let kind = match (len, relative, encoding & 8 != 0) {
        (8, true, _) => RelocKind::Pc64,
        (8, false, _) => RelocKind::Abs64,
        (_, true, _) => RelocKind::Pc32,
        (_, false, true) => RelocKind::Abs32S,
        (_, false, false) => RelocKind::Abs32,
    };
    object.add_relocation(section, out.len() as u64, kind, symbol, addend);
    out.resize(out.len() + len, 0);
}
