//! Data: bytes, strings, zeros and relocated fields.

use std::fmt::Write as _;

use object::{
    SectionId, SymbolId,
    sections::{Relocation, SectionData, section_flags},
};

use super::{Event, Printer, entry_label, names::quoted};

/// How many bytes of data go on one line.
const BYTES_PER_LINE: usize = 16;
/// Strings are broken after this many characters.
const STRING_LINE: usize = 100;
/// Longer runs of zero bytes are written as `.zero`.
const MIN_ZEROS: usize = 8;

impl Printer<'_> {
    pub(super) fn data(&mut self, id: SectionId, section: &SectionData, events: &[(u64, Event)]) {
        let relocs = std::mem::take(&mut self.relocs[id.index()]);
        let mut events = events.iter().peekable();
        let mut relocs = relocs.iter().peekable();
        let size = section.size();
        let mut at = 0;
        loop {
            let mut skip = 0;
            while let Some((_, event)) = events.next_if(|(offset, _)| *offset <= at) {
                match *event {
                    Event::Symbol(symbol) => self.symbol_label(SymbolId(symbol)),
                    Event::Entry(offset) => {
                        let _ = writeln!(self.out, "{}:", entry_label(id, offset));
                    }
                    Event::Skip(len) => skip = len,
                    _ => {}
                }
            }
            if skip > 0 {
                at += skip;
                continue;
            }
            if at >= size {
                return;
            }
            let next_event = events.peek().map_or(size, |(offset, _)| *offset);
            if let Some(reloc) = relocs.next_if(|r| r.offset <= at) {
                self.data_reloc(reloc);
                at = reloc.offset + u64::from(reloc.kind.size());
                continue;
            }
            let end = relocs.peek().map_or(size, |r| r.offset).min(next_event).min(size);
            if section.is_zero_filled() {
                let _ = writeln!(self.out, "\t.zero\t{}", end - at);
            } else {
                let strings = section.spec.flags & section_flags::STRINGS != 0 && section.spec.entsize <= 1;
                self.data_bytes(&section.bytes[at as usize..end as usize], strings);
            }
            at = end;
        }
    }

    pub(super) fn data_reloc(&mut self, reloc: &Relocation) {
        let directive = match reloc.kind.size() {
            1 => ".byte",
            2 => ".value",
            4 => ".long",
            _ => ".quad",
        };
        let text = self.relocated(reloc, reloc.addend);
        // A modifier that is relative by itself needs no `- .`.
        let relative = reloc.kind.is_pc_relative() && reloc.kind.modifier().is_none();
        let _ = writeln!(self.out, "\t{directive}\t{text}{}", if relative { " - ." } else { "" });
    }

    pub(super) fn data_bytes(&mut self, mut bytes: &[u8], strings: bool) {
        while !bytes.is_empty() {
            let zeros = bytes.iter().take_while(|&&b| b == 0).count();
            if zeros >= MIN_ZEROS || (zeros == bytes.len() && zeros > 1) {
                let _ = writeln!(self.out, "\t.zero\t{zeros}");
                bytes = &bytes[zeros..];
                continue;
            }
            let text = bytes.iter().take_while(|&&b| is_text(b)).count();
            if text >= 4 || (strings && text > 0) {
                let len = text.min(STRING_LINE);
                let whole = len == text && bytes.get(len) == Some(&0);
                let directive = if whole { ".string" } else { ".ascii" };
                let _ = writeln!(self.out, "\t{directive}\t{}", quoted(&bytes[..len]));
                bytes = &bytes[len + usize::from(whole)..];
                continue;
            }
            let mut len = bytes.len().min(BYTES_PER_LINE);
            // Stop where something better begins.
            if let Some(run) = (1..len).find(|&i| {
                let rest = &bytes[i..];
                rest.len() >= MIN_ZEROS && rest[..MIN_ZEROS].iter().all(|&b| b == 0)
            }) {
                len = run;
            }
            let list: Vec<String> = bytes[..len].iter().map(|b| format!("{b:#04x}")).collect();
            let _ = writeln!(self.out, "\t.byte\t{}", list.join(", "));
            bytes = &bytes[len..];
        }
    }
}

/// Whether a byte may stand in a string literal as it is.
fn is_text(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\t')
}
