//! Unwind tables: `.eh_frame` and the language-specific data of cleanups.
//!
//! The section is streamed, one pass over the frames in order (LSB 5.0 core,
//! 10.6; DWARF 5, 6.4). The layout is that of GNU `as`: a CIE is written where a
//! frame first needs it, entries are padded to 4 bytes and the last one to 8.

use crate::{
    builder::ObjectBuilder,
    function_code::{CfiEntry, CfiOp, FunctionCode},
    relocations::RelocKind,
    sections::{SectionId, SectionSpec, section_flags, section_type},
    symbols::SymbolId,
};

/// Pointer encoding: 4 bytes unsigned.
pub const PE_UDATA4: u8 = 0x03;
/// Pointer encoding: 4 bytes signed.
pub const PE_SDATA4: u8 = 0x0b;
/// Pointer encoding: relative to the field.
pub const PE_PCREL: u8 = 0x10;
/// Pointer encoding: the address of a word that holds the value.
pub const PE_INDIRECT: u8 = 0x80;

/// Code alignment factor, data alignment factor, return address column (psABI 3.7).
const DATA_ALIGN: i64 = -8;
const RETURN_COLUMN: u16 = 16;

/// One entry of the unwind table.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Section of the code.
    pub section: SectionId,
    /// Offset of its first byte.
    pub start: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Rules at the function's start besides the usual ones, encoded. Those of the first frame of a
    /// kind are the CIE's.
    pub initial: Vec<u8>,
    /// Call frame instructions, encoded ([`encode_cfi`]).
    pub instructions: Vec<u8>,
    /// The frame is in `.eh_frame`.
    pub in_eh_frame: bool,
    /// The frame is in `.debug_frame`.
    pub in_debug_frame: bool,
    /// Personality routine: pointer encoding and symbol.
    pub personality: Option<(u8, SymbolId)>,
    /// Language-specific data: pointer encoding, symbol, offset.
    pub lsda: Option<(u8, SymbolId, i64)>,
    /// A signal handler's frame (`.cfi_signal_frame`).
    pub signal: bool,
    /// No initial rules (`.cfi_startproc simple`).
    pub simple: bool,
    /// Return address column (DWARF register number).
    pub return_column: u16,
}

impl Frame {
    /// A frame with the usual initial rules and no instructions.
    pub fn new(section: SectionId, start: u64, length: u64) -> Frame {
        Frame {
            section,
            start,
            length,
            initial: Vec::new(),
            instructions: Vec::new(),
            in_eh_frame: true,
            in_debug_frame: false,
            personality: None,
            lsda: None,
            signal: false,
            simple: false,
            return_column: RETURN_COLUMN,
        }
    }

    /// Whether the CIE serves the frame, which begins with `rules`: the frame may have more of them.
    fn shares_cie(&self, rules: &[u8], other: &CieKey) -> bool {
        self.personality == other.personality
            && self.lsda.map(|l| l.0) == other.lsda_encoding
            && self.signal == other.signal
            && self.return_column == other.return_column
            && rules.starts_with(&other.rules)
    }
}

/// All frames in order.
#[derive(Default)]
pub(crate) struct FrameList {
    frames: Vec<Frame>,
    /// Write them in the order of their sections (compiled functions), so that the listing, which
    /// goes section by section, gives the same table. Otherwise in the order of addition (assembly
    /// input).
    pub by_section: bool,
}

impl FrameList {
    pub(crate) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [Frame] {
        &mut self.frames
    }

    pub(crate) fn as_slice(&self) -> &[Frame] {
        &self.frames
    }
}

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

/// Encodes rules and the advances between them; the frame begins at `start` in the offsets of the
/// rules.
pub fn encode_cfi(entries: &[CfiEntry], start: u32) -> Vec<u8> {
    let mut out = Vec::with_capacity(entries.len() * 3);
    let mut at = start;
    for entry in entries {
        if entry.offset != at {
            advance(&mut out, entry.offset - at);
            at = entry.offset;
        }
        encode_rule(&mut out, &entry.op);
    }
    out
}

fn advance(out: &mut Vec<u8>, delta: u32) {
    match delta {
        1..0x40 => out.push(0x40 | delta as u8),
        0x40..0x100 => out.extend([0x02, delta as u8]),
        0x100..0x10000 => {
            out.push(0x03);
            out.extend((delta as u16).to_le_bytes());
        }
        _ => {
            out.push(0x04);
            out.extend(delta.to_le_bytes());
        }
    }
}

fn encode_rule(out: &mut Vec<u8>, op: &CfiOp) {
    match *op {
        CfiOp::DefCfa(reg, offset) if offset >= 0 => {
            out.push(0x0c);
            uleb(out, u64::from(reg));
            uleb(out, offset as u64);
        }
        CfiOp::DefCfa(reg, offset) => {
            out.push(0x12);
            uleb(out, u64::from(reg));
            sleb(out, i64::from(offset) / DATA_ALIGN);
        }
        CfiOp::DefCfaRegister(reg) => {
            out.push(0x0d);
            uleb(out, u64::from(reg));
        }
        CfiOp::DefCfaOffset(offset) if offset >= 0 => {
            out.push(0x0e);
            uleb(out, offset as u64);
        }
        CfiOp::DefCfaOffset(offset) => {
            out.push(0x13);
            sleb(out, i64::from(offset) / DATA_ALIGN);
        }
        CfiOp::Offset(reg, offset) => {
            let factored = i64::from(offset) / DATA_ALIGN;
            if factored < 0 {
                out.push(0x11);
                uleb(out, u64::from(reg));
                sleb(out, factored);
            } else if reg < 0x40 {
                out.push(0x80 | reg as u8);
                uleb(out, factored as u64);
            } else {
                out.push(0x05);
                uleb(out, u64::from(reg));
                uleb(out, factored as u64);
            }
        }
        CfiOp::ValOffset(reg, offset) => {
            let factored = i64::from(offset) / DATA_ALIGN;
            out.push(if factored < 0 { 0x15 } else { 0x14 });
            uleb(out, u64::from(reg));
            if factored < 0 { sleb(out, factored) } else { uleb(out, factored as u64) }
        }
        CfiOp::Restore(reg) if reg < 0x40 => out.push(0xc0 | reg as u8),
        CfiOp::Restore(reg) => {
            out.push(0x06);
            uleb(out, u64::from(reg));
        }
        CfiOp::Undefined(reg) => {
            out.push(0x07);
            uleb(out, u64::from(reg));
        }
        CfiOp::SameValue(reg) => {
            out.push(0x08);
            uleb(out, u64::from(reg));
        }
        CfiOp::Register(reg, other) => {
            out.push(0x09);
            uleb(out, u64::from(reg));
            uleb(out, u64::from(other));
        }
        CfiOp::RememberState => out.push(0x0a),
        CfiOp::RestoreState => out.push(0x0b),
        CfiOp::ArgsSize(size) => {
            out.push(0x2e);
            uleb(out, u64::from(size));
        }
        CfiOp::Escape(ref bytes) => out.extend_from_slice(bytes),
    }
}

/// The `.gcc_except_table` entry of a function whose landing pads all are cleanups (action 0).
pub(crate) fn call_site_table(code: &FunctionCode) -> Vec<u8> {
    let mut sites = Vec::new();
    let mut sorted: Vec<_> = code.call_sites.iter().collect();
    sorted.sort_by_key(|site| site.start);
    for site in sorted {
        uleb(&mut sites, u64::from(site.start.saturating_sub(code.entry)));
        uleb(&mut sites, u64::from(site.end - site.start.max(code.entry)));
        uleb(&mut sites, u64::from(code.label_offset(site.landing_pad) - code.entry));
        sites.push(0);
    }
    // Landing pads are relative to the function; no type table; call sites in uleb128.
    let mut table = vec![0xff, 0xff, 0x01];
    uleb(&mut table, sites.len() as u64);
    table.append(&mut sites);
    table
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
        let (cie, shared) = match cies.iter().rev().find(|cie| frame.shares_cie(&rules, cie)) {
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
        let (cie, shared) = match cies.iter().rev().find(|cie| frame.shares_cie(&rules, cie)) {
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

/// Appends an unsigned LEB128 number.
pub fn uleb(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if value == 0 {
            out.push(byte);
            return;
        }
        out.push(byte | 0x80);
    }
}

/// Appends a signed LEB128 number.
pub fn sleb(out: &mut Vec<u8>, mut value: i64) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        if (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0) {
            out.push(byte);
            return;
        }
        out.push(byte | 0x80);
    }
}
