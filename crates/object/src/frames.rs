//! Call frame information: the entries of the unwind table while the object is being built, their
//! rules in bytes (DWARF 5, 6.4.2), and the call site table of a function with cleanups.

use crate::{
    function_code::{CfiEntry, CfiOp, FunctionCode},
    sections::SectionId,
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
pub(crate) const DATA_ALIGN: i64 = -8;
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
}

/// All frames in order.
#[derive(Default)]
pub(crate) struct FrameList {
    pub(crate) frames: Vec<Frame>,
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

pub(crate) fn encode_rule(out: &mut Vec<u8>, op: &CfiOp) {
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
