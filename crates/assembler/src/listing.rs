//! `-S`: an object printed as GNU `as` text that assembles to the same bytes.
//!
//! The object is complete before it is printed; nothing is generated twice.
//! Code is decoded with iced, formatted in AT&T syntax with relocations and
//! branch targets as symbols, and every instruction's text is assembled again: if
//! that does not give its own bytes (an encoding `as` would not choose), the
//! bytes are printed instead. Unwind rules become `.cfi_` directives, padding
//! becomes alignment directives.

use std::fmt::Write as _;

use iced_x86::{
    Decoder, DecoderOptions, Formatter, GasFormatter, Instruction, NumberBase, OpKind, SymbolResolver, SymbolResult,
};
use object::{
    Binding, CfiOp, ObjectBuilder, Place, RelocKind, SectionId, StackNote, SymbolId, SymbolKind, Visibility,
    function_code::CfiEntry,
    sections::{Relocation, SectionData, section_flags, section_type},
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    instruction::{self, Syntax},
    state::State,
};

/// How many bytes of data go on one line.
const BYTES_PER_LINE: usize = 16;
/// Strings are broken after this many characters.
const STRING_LINE: usize = 100;
/// Longer runs of zero bytes are written as `.zero`.
const MIN_ZEROS: usize = 8;

/// Prints an object as assembly text. Functions must have been kept ([`ObjectBuilder::keep_functions`]).
pub fn print(object: &ObjectBuilder) -> String {
    let mut printer = Printer::new(object);
    printer.object();
    printer.out
}

/// Something at an offset of a section.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    /// End of a function's frame.
    EndFrame,
    /// A symbol's label.
    Symbol(u32),
    /// Start of a frame (index of the frame).
    StartFrame(usize),
    /// A branch target.
    Label(u32),
    /// An unwind rule (function, index).
    Rule(usize, usize),
    /// An alignment request: alignment, limit, padding.
    Align(u32, u32, u32),
    /// The alignment of a function's start: alignment, padding.
    FunctionAlign(u32, u32),
}

impl Event {
    /// The order in which events at one offset are printed. A label where an alignment took no
    /// bytes belongs behind it, as in the code buffer.
    fn rank(&self) -> u32 {
        match self {
            Event::EndFrame => 0,
            Event::FunctionAlign(..) => 1,
            Event::Symbol(_) => 2,
            Event::StartFrame(_) => 3,
            Event::Align(_, _, 0) => 4,
            Event::Label(_) => 5,
            Event::Rule(..) => 6,
            Event::Align(..) => 7,
        }
    }
}

struct Printer<'a> {
    object: &'a ObjectBuilder,
    out: String,
    /// Names as printed, unique and quoted if need be.
    names: Vec<String>,
    /// Relocations of each section in ascending order.
    relocs: Vec<Vec<Relocation>>,
    /// Sections that something refers to by their start.
    start_labels: FxHashSet<SectionId>,
    next_label: u32,
}

impl<'a> Printer<'a> {
    fn new(object: &'a ObjectBuilder) -> Printer<'a> {
        let mut relocs: Vec<Vec<Relocation>> = Vec::new();
        let mut start_labels = FxHashSet::default();
        for (_, section) in object.sections() {
            let mut list = section.relocs.clone();
            list.sort_by_key(|r| r.offset);
            for reloc in &list {
                let entry = object.symbol(reloc.symbol);
                if let (SymbolKind::Section, Place::Section(target, _)) = (entry.kind, entry.place) {
                    start_labels.insert(target);
                }
            }
            relocs.push(list);
        }
        for frame in object.frames() {
            if let Some((_, symbol, _)) = frame.lsda
                && let Place::Section(target, _) = object.symbol(symbol).place
            {
                start_labels.insert(target);
            }
        }
        let names = printed_names(object);
        Printer { object, out: String::new(), names, relocs, start_labels, next_label: 0 }
    }

    fn object(&mut self) {
        if let Some(name) = &self.object.source_name {
            let _ = writeln!(self.out, "\t.file\t{}", quoted(name.as_bytes()));
        }
        for (id, section) in self.object.sections() {
            let name = &*section.spec.name;
            // Written by `as` itself from the directives.
            if name == ".eh_frame" || (section.size() == 0 && self.is_unused(id)) {
                continue;
            }
            self.section(id, section);
        }
        self.unplaced_symbols();
        for (symbol, versioned) in self.object.versions() {
            let _ = writeln!(self.out, "\t.symver\t{}, {versioned}", self.names[symbol.index()]);
        }
        for ident in &self.object.idents {
            let _ = writeln!(self.out, "\t.ident\t{}", quoted(ident.as_bytes()));
        }
        if self.object.stack_note != StackNote::Absent && self.object.section_named(".note.GNU-stack").is_none() {
            let flags = if self.object.stack_note == StackNote::Executable { "x" } else { "" };
            let _ = writeln!(self.out, "\t.section\t.note.GNU-stack,\"{flags}\",@progbits");
        }
    }

    /// Whether nothing is in or refers to an empty section.
    fn is_unused(&self, id: SectionId) -> bool {
        !self.start_labels.contains(&id)
            && !(0..self.object.symbol_count() as u32).any(|i| {
                let entry = self.object.symbol(SymbolId(i));
                entry.kind != SymbolKind::Section && matches!(entry.place, Place::Section(s, _) if s == id)
            })
    }

    fn section(&mut self, id: SectionId, section: &SectionData) {
        section_directive(&mut self.out, section);
        if section.align > 1 {
            let _ = writeln!(self.out, "\t.p2align\t{}", section.align.trailing_zeros());
        }
        if self.start_labels.contains(&id) {
            let _ = writeln!(self.out, "{}:", start_label(id));
        }
        let mut events = self.symbol_events(id);
        let code = section.is_code() && !section.is_zero_filled();
        let labels = if code { self.code_events(id, section, &mut events) } else { FxHashMap::default() };
        events.sort_by(|(a, x), (b, y)| (a, x.rank(), x).cmp(&(b, y.rank(), y)));
        if code { self.code(id, section, &events, &labels) } else { self.data(id, section, &events) }
    }

    fn symbol_events(&self, id: SectionId) -> Vec<(u64, Event)> {
        (0..self.object.symbol_count() as u32)
            .filter_map(|i| match self.object.symbol(SymbolId(i)).place {
                Place::Section(section, at)
                    if section == id && self.object.symbol(SymbolId(i)).kind != SymbolKind::Section =>
                {
                    Some((at, Event::Symbol(i)))
                }
                _ => None,
            })
            .collect()
    }

    // ---- symbols ----

    fn symbol_properties(&mut self, symbol: SymbolId) {
        let entry = self.object.symbol(symbol);
        let name = self.names[symbol.index()].clone();
        match entry.binding {
            Binding::Local => {}
            Binding::Global if entry.place == Place::Undefined => {}
            Binding::Global => {
                let _ = writeln!(self.out, "\t.globl\t{name}");
            }
            Binding::Weak => {
                let _ = writeln!(self.out, "\t.weak\t{name}");
            }
        }
        let visibility = match entry.visibility {
            Visibility::Default => None,
            Visibility::Hidden => Some("hidden"),
            Visibility::Internal => Some("internal"),
            Visibility::Protected => Some("protected"),
        };
        if let Some(visibility) = visibility.filter(|_| entry.binding != Binding::Local) {
            let _ = writeln!(self.out, "\t.{visibility}\t{name}");
        }
        let kind = match entry.kind {
            SymbolKind::Func => "function",
            SymbolKind::Object => "object",
            SymbolKind::Tls => "tls_object",
            SymbolKind::IFunc => "gnu_indirect_function",
            SymbolKind::NoType | SymbolKind::Section | SymbolKind::File => return,
        };
        if entry.place != Place::Undefined {
            let _ = writeln!(self.out, "\t.type\t{name}, @{kind}");
        }
    }

    fn symbol_label(&mut self, symbol: SymbolId) {
        self.symbol_properties(symbol);
        let name = &self.names[symbol.index()];
        let size = self.object.symbol(symbol).size;
        if size != 0 {
            let _ = writeln!(self.out, "\t.size\t{name}, {size}");
        }
        let _ = writeln!(self.out, "{name}:");
    }

    /// Aliases, common symbols, absolute ones, and what is known of undefined ones.
    fn unplaced_symbols(&mut self) {
        for index in 0..self.object.symbol_count() as u32 {
            let symbol = SymbolId(index);
            let entry = self.object.symbol(symbol);
            let name = self.names[symbol.index()].clone();
            if name.is_empty() {
                continue;
            }
            match entry.place {
                Place::Section(..) => {}
                Place::Undefined => self.symbol_properties(symbol),
                Place::Absolute(value) => {
                    self.symbol_properties(symbol);
                    let _ = writeln!(self.out, "\t.set\t{name}, {value:#x}");
                }
                Place::Common { align } => {
                    self.symbol_properties(symbol);
                    let _ = writeln!(self.out, "\t.comm\t{name}, {}, {align}", entry.size);
                }
                Place::Alias(target, offset) => {
                    self.symbol_properties(symbol);
                    let target = self.reference(target, offset);
                    let _ = writeln!(self.out, "\t.set\t{name}, {target}");
                    if entry.size != 0 {
                        let _ = writeln!(self.out, "\t.size\t{name}, {}", entry.size);
                    }
                }
            }
        }
    }

    /// A symbol plus an offset as an expression.
    fn reference(&self, symbol: SymbolId, offset: i64) -> String {
        let entry = self.object.symbol(symbol);
        let name = match (entry.kind, entry.place) {
            (SymbolKind::Section, Place::Section(section, _)) => start_label(section),
            (_, Place::Absolute(value)) if self.names[symbol.index()].is_empty() => {
                return format!("{}", (value as i64).wrapping_add(offset));
            }
            _ => self.names[symbol.index()].clone(),
        };
        if offset == 0 { name } else { format!("{name}{offset:+}") }
    }

    /// The expression for a relocation, with the symbol's modifier; the addend is given by the caller.
    fn relocated(&self, reloc: &Relocation, addend: i64) -> String {
        let name = self.reference(reloc.symbol, 0);
        let modifier = reloc.kind.modifier().map_or(String::new(), |m| format!("@{m}"));
        if addend == 0 { format!("{name}{modifier}") } else { format!("{name}{modifier}{addend:+}") }
    }

    // ---- data ----

    fn data(&mut self, id: SectionId, section: &SectionData, events: &[(u64, Event)]) {
        let relocs = std::mem::take(&mut self.relocs[id.index()]);
        let mut events = events.iter().peekable();
        let mut relocs = relocs.iter().peekable();
        let size = section.size();
        let mut at = 0;
        loop {
            while let Some((_, event)) = events.next_if(|(offset, _)| *offset <= at) {
                if let Event::Symbol(symbol) = *event {
                    self.symbol_label(SymbolId(symbol));
                }
            }
            if at >= size {
                return;
            }
            let next_event = events.peek().map_or(size, |(offset, _)| *offset);
            if let Some(reloc) = relocs.next_if(|r| r.offset <= at) {
                self.data_reloc(reloc, &section.bytes);
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

    fn data_reloc(&mut self, reloc: &Relocation, _bytes: &[u8]) {
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

    fn data_bytes(&mut self, mut bytes: &[u8], strings: bool) {
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

    // ---- code ----

    /// Events of functions: frames, rules, padding, branch targets. Returns the labels by offset.
    fn code_events(
        &mut self,
        id: SectionId,
        section: &SectionData,
        events: &mut Vec<(u64, Event)>,
    ) -> FxHashMap<u64, u32> {
        for (index, function) in self.object.listed_functions().iter().enumerate() {
            if function.placed.section != id {
                continue;
            }
            let start = function.placed.offset;
            events.extend(
                function
                    .code
                    .paddings
                    .iter()
                    .map(|p| (start + u64::from(p.offset), Event::Align(p.align, p.max_skip, p.len))),
            );
            events.extend(
                function.code.cfi.iter().enumerate().map(|(i, e)| (start + u64::from(e.offset), Event::Rule(index, i))),
            );
        }
        for (at, align, len) in function_gaps(self.object, id) {
            events.push((at, Event::FunctionAlign(align, len)));
        }
        for (index, frame) in self.object.frames().iter().enumerate() {
            if frame.section == id {
                events.push((frame.start, Event::StartFrame(index)));
                events.push((frame.start + frame.length, Event::EndFrame));
            }
        }
        let mut targets: Vec<u64> = Vec::new();
        let relocs = &self.relocs[id.index()];
        let mut next_reloc = 0;
        self.for_instructions(id, section, |offset, instruction, bytes| {
            while next_reloc < relocs.len() && relocs[next_reloc].offset < offset {
                next_reloc += 1;
            }
            let relocated = relocs.get(next_reloc).is_some_and(|r| r.offset < offset + bytes.len() as u64);
            if relocated {
                return;
            }
            if instruction.is_ip_rel_memory_operand() {
                targets.push(instruction.ip_rel_memory_address());
            } else if (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::NearBranch64) {
                targets.push(instruction.near_branch_target());
            }
        });
        targets.retain(|&target| target <= section.size());
        targets.sort_unstable();
        targets.dedup();
        let mut labels = FxHashMap::default();
        for target in targets {
            labels.insert(target, self.next_label);
            events.push((target, Event::Label(self.next_label)));
            self.next_label += 1;
        }
        labels
    }

    /// Calls `each` for every instruction outside data ranges and padding.
    fn for_instructions(&self, id: SectionId, section: &SectionData, mut each: impl FnMut(u64, &Instruction, &[u8])) {
        for (start, end) in code_ranges(self.object, id, section) {
            let bytes = &section.bytes[start as usize..end as usize];
            let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
            let mut instruction = Instruction::default();
            while decoder.can_decode() {
                let at = decoder.position();
                decoder.decode_out(&mut instruction);
                if !instruction.is_invalid() {
                    each(start + at as u64, &instruction, &bytes[at..at + instruction.len()]);
                }
            }
        }
    }

    fn code(&mut self, id: SectionId, section: &SectionData, events: &[(u64, Event)], labels: &FxHashMap<u64, u32>) {
        let relocs = std::mem::take(&mut self.relocs[id.index()]);
        let mut scratch = Scratch::new();
        let mut events = events.iter().peekable();
        let mut relocs = relocs.iter().peekable();
        let ranges = code_ranges(self.object, id, section);
        let mut range = 0;
        let size = section.size();
        let mut at = 0;
        let mut frame_open = false;
        loop {
            let mut skip = 0;
            while let Some((_, event)) = events.next_if(|(offset, _)| *offset <= at) {
                skip += self.code_event(event, &mut frame_open);
            }
            at += u64::from(skip);
            if skip > 0 {
                continue;
            }
            if at >= size {
                return;
            }
            while range < ranges.len() && ranges[range].1 <= at {
                range += 1;
            }
            let next_event = events.peek().map_or(size, |(offset, _)| *offset).min(size);
            let in_code = range < ranges.len() && ranges[range].0 <= at;
            let limit = if in_code {
                next_event.min(ranges[range].1)
            } else {
                ranges.get(range).map_or(next_event, |r| r.0.min(next_event))
            };
            let here = |reloc: &&&Relocation, len: u64| reloc.offset < at + len;
            if !in_code {
                if let Some(reloc) = relocs.next_if(|r| r.offset <= at) {
                    self.data_reloc(reloc, &section.bytes);
                    at += u64::from(reloc.kind.size()).max(1);
                    continue;
                }
                let end = relocs.peek().map_or(limit, |r| r.offset.min(limit));
                self.data_bytes(&section.bytes[at as usize..end as usize], false);
                at = end;
                continue;
            }
            let bytes = &section.bytes[at as usize..limit as usize];
            let len = instruction_length(bytes, at);
            let mut own: Vec<&Relocation> = Vec::new();
            while let Some(reloc) = relocs.peek().filter(|r| here(r, len as u64)) {
                own.push(reloc);
                relocs.next();
            }
            self.instruction(&mut scratch, section, id, at, &bytes[..len], &own, labels);
            at += len as u64;
        }
    }

    /// Prints an event; returns how many bytes of padding it stands for.
    fn code_event(&mut self, event: &Event, frame_open: &mut bool) -> u32 {
        match *event {
            Event::Symbol(symbol) => self.symbol_label(SymbolId(symbol)),
            Event::Label(label) => {
                let _ = writeln!(self.out, "{}:", label_name(label));
            }
            Event::EndFrame if *frame_open => {
                *frame_open = false;
                self.out.push_str("\t.cfi_endproc\n");
            }
            Event::EndFrame => {}
            Event::StartFrame(index) => {
                *frame_open = true;
                self.start_frame(index);
            }
            Event::Rule(function, index) => {
                let entry = &self.object.listed_functions()[function].code.cfi[index];
                write_rule(&mut self.out, entry);
            }
            Event::FunctionAlign(align, len) => {
                let _ = writeln!(self.out, "\t.p2align\t{}", align.trailing_zeros());
                return len;
            }
            Event::Align(align, max_skip, len) => {
                let power = align.trailing_zeros();
                if max_skip >= align - 1 {
                    let _ = writeln!(self.out, "\t.p2align\t{power}");
                } else {
                    let _ = writeln!(self.out, "\t.p2align\t{power},,{max_skip}");
                }
                return len;
            }
        }
        0
    }

    fn start_frame(&mut self, index: usize) {
        let frame = &self.object.frames()[index];
        self.out.push_str(if frame.simple { "\t.cfi_startproc simple\n" } else { "\t.cfi_startproc\n" });
        if frame.signal {
            self.out.push_str("\t.cfi_signal_frame\n");
        }
        if let Some((encoding, symbol)) = frame.personality {
            let name = self.reference(symbol, 0);
            let _ = writeln!(self.out, "\t.cfi_personality\t{encoding:#x}, {name}");
        }
        if let Some((encoding, symbol, offset)) = frame.lsda {
            let name = self.reference(symbol, offset);
            let _ = writeln!(self.out, "\t.cfi_lsda\t{encoding:#x}, {name}");
        }
        if frame.return_column != 16 {
            let _ = writeln!(self.out, "\t.cfi_return_column\t{}", frame.return_column);
        }
        let listed = self
            .object
            .listed_functions()
            .iter()
            .any(|f| f.placed.section == frame.section && f.placed.offset == frame.start && f.code.has_unwind);
        if !listed && !frame.instructions.is_empty() {
            // Rules of file-scope asm: known in their encoded form only.
            let list: Vec<String> = frame.instructions.iter().map(|b| format!("{b:#x}")).collect();
            let _ = writeln!(self.out, "\t.cfi_escape\t{}", list.join(", "));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn instruction(
        &mut self,
        scratch: &mut Scratch,
        section: &SectionData,
        id: SectionId,
        at: u64,
        bytes: &[u8],
        relocs: &[&Relocation],
        labels: &FxHashMap<u64, u32>,
    ) {
        let mut decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
        let instruction = decoder.decode();
        if !instruction.is_invalid() && instruction.len() == bytes.len() {
            let offsets = decoder.get_constant_offsets(&instruction);
            let names = self.operand_names(&instruction, &offsets, at, bytes.len(), relocs, labels);
            if let Some(names) = names {
                let text = self.format(scratch, &instruction, names, id, relocs);
                if scratch.agrees(&text, bytes, relocs, at, &instruction) {
                    let _ = writeln!(self.out, "\t{text}");
                    return;
                }
            }
        }
        // As bytes, with the relocated fields as data.
        let mut done = 0;
        for reloc in relocs {
            let start = (reloc.offset - at) as usize;
            self.data_bytes(&bytes[done..start], false);
            self.data_reloc(reloc, &section.bytes);
            done = start + reloc.kind.size() as usize;
        }
        self.data_bytes(&bytes[done.min(bytes.len())..], false);
    }

    /// Symbolic text for displacement, immediate and branch target; `None` if a relocation is in none of them.
    fn operand_names(
        &self,
        instruction: &Instruction,
        offsets: &iced_x86::ConstantOffsets,
        at: u64,
        len: usize,
        relocs: &[&Relocation],
        labels: &FxHashMap<u64, u32>,
    ) -> Option<OperandNames> {
        let mut names = OperandNames::default();
        let branch = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::NearBranch64);
        for reloc in relocs {
            let field = (reloc.offset - at) as usize;
            let to_end = (len - field) as i64;
            let addend = if reloc.kind.is_pc_relative() { reloc.addend + to_end } else { reloc.addend };
            let mut text = self.relocated(reloc, addend);
            if branch && field == offsets.immediate_offset() {
                // A plain `call` goes through the PLT anyway; a plain jump would be resolved by `as`.
                let local = self.object.symbol(reloc.symbol).binding == Binding::Local;
                if reloc.kind == RelocKind::Plt32 && (local || instruction.is_call_near()) {
                    text = self.reference(reloc.symbol, addend);
                }
                names.branch = Some(text);
            } else if offsets.has_displacement() && field == offsets.displacement_offset() {
                names.displacement = Some(text);
            } else if offsets.has_immediate() && field == offsets.immediate_offset() {
                names.immediate = Some(text);
            } else {
                return None;
            }
        }
        if names.branch.is_none() && branch {
            names.branch = labels.get(&instruction.near_branch_target()).map(|&l| label_name(l));
        }
        if names.displacement.is_none() && instruction.is_ip_rel_memory_operand() {
            names.displacement = labels.get(&instruction.ip_rel_memory_address()).map(|&l| label_name(l));
        }
        Some(names)
    }

    fn format(
        &self,
        scratch: &mut Scratch,
        instruction: &Instruction,
        names: OperandNames,
        id: SectionId,
        relocs: &[&Relocation],
    ) -> String {
        let forced = forced_long(self.object, instruction, id, relocs);
        let text = scratch.format(instruction, names);
        if forced { format!("{{disp32}} {text}") } else { text }
    }
}

/// Whether `as` would have to be told to keep a branch long: it is long although near, or it goes to a
/// local symbol of the section, which `as` would shorten.
fn forced_long(object: &ObjectBuilder, instruction: &Instruction, id: SectionId, relocs: &[&Relocation]) -> bool {
    let jump = instruction.is_jmp_near() || instruction.is_jcc_near();
    match relocs {
        [] if jump => {
            let distance = instruction.near_branch_target().wrapping_sub(instruction.next_ip()) as i64;
            i8::try_from(distance).is_ok()
        }
        [reloc] if jump => {
            let entry = object.symbol(reloc.symbol);
            entry.binding == Binding::Local && matches!(entry.place, Place::Section(section, _) if section == id)
        }
        _ => false,
    }
}

/// Length of the instruction at the start of `bytes`, 1 if it is none.
fn instruction_length(bytes: &[u8], at: u64) -> usize {
    let mut decoder = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if instruction.is_invalid() { 1 } else { instruction.len() }
}

/// The parts of a code section that hold instructions: not data ranges, not padding.
fn code_ranges(object: &ObjectBuilder, id: SectionId, section: &SectionData) -> Vec<(u64, u64)> {
    let mut holes: Vec<(u64, u64)> = Vec::new();
    for function in object.listed_functions().iter().filter(|f| f.placed.section == id) {
        let start = function.placed.offset;
        holes.extend(function.code.data_ranges.iter().map(|r| (start + u64::from(r.0), start + u64::from(r.1))));
        holes.extend(
            function.code.paddings.iter().map(|p| (start + u64::from(p.offset), start + u64::from(p.offset + p.len))),
        );
    }
    holes.extend(function_gaps(object, id).into_iter().map(|(at, _, len)| (at, at + u64::from(len))));
    holes.sort_unstable();
    let mut out = Vec::new();
    let mut at = 0;
    for (start, end) in holes {
        if start > at {
            out.push((at, start));
        }
        at = at.max(end);
    }
    if at < section.size() {
        out.push((at, section.size()));
    }
    out
}

/// The padding in front of functions, as (offset, alignment, length), where it is what the alignment asks for.
fn function_gaps(object: &ObjectBuilder, id: SectionId) -> Vec<(u64, u32, u32)> {
    let mut out = Vec::new();
    let mut end = 0u64;
    for function in object.listed_functions().iter().filter(|f| f.placed.section == id) {
        let (start, align) = (function.placed.offset, function.code.align);
        if align > 1 && end > 0 && end.next_multiple_of(u64::from(align)) == start {
            out.push((end, align, (start - end) as u32));
        }
        end = start + function.code.code.len() as u64;
    }
    out
}

fn start_label(section: SectionId) -> String {
    format!(".Lsection{}", section.0)
}

fn label_name(label: u32) -> String {
    format!(".LB{label}")
}

#[derive(Clone, Default)]
struct OperandNames {
    displacement: Option<String>,
    immediate: Option<String>,
    branch: Option<String>,
}

/// Gives the formatter the names of the instruction being formatted.
struct Names {
    current: std::rc::Rc<std::cell::RefCell<OperandNames>>,
}

impl SymbolResolver for Names {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let kind = instruction.op_kind(instruction_operand?);
        let names = self.current.borrow();
        let name = match kind {
            OpKind::NearBranch64 => names.branch.clone(),
            OpKind::Memory => names.displacement.clone(),
            OpKind::Register => None,
            _ => names.immediate.clone(),
        }?;
        Some(SymbolResult::with_string(address, name))
    }
}

/// The formatter, and an assembly to try texts in.
struct Scratch {
    formatter: GasFormatter,
    names: std::rc::Rc<std::cell::RefCell<OperandNames>>,
}

impl Scratch {
    fn new() -> Scratch {
        let names = std::rc::Rc::new(std::cell::RefCell::new(OperandNames::default()));
        let resolver = Names { current: names.clone() };
        let mut formatter = GasFormatter::with_options(Some(Box::new(resolver)), None);
        let options = formatter.options_mut();
        options.set_rip_relative_addresses(true);
        options.set_gas_show_mnemonic_size_suffix(true);
        options.set_space_after_operand_separator(true);
        options.set_signed_immediate_operands(true);
        options.set_signed_memory_displacements(true);
        options.set_first_operand_char_index(8);
        options.set_number_base(NumberBase::Decimal);
        Scratch { formatter, names }
    }

    fn format(&mut self, instruction: &Instruction, names: OperandNames) -> String {
        *self.names.borrow_mut() = names;
        let mut text = String::new();
        self.formatter.format(instruction, &mut text);
        // The usual spelling of instructions that have one size only.
        for (long, short) in [("callq ", "call  "), ("jmpq ", "jmp  "), ("retq", "ret")] {
            if let Some(rest) = text.strip_prefix(long) {
                return format!("{short}{rest}");
            }
        }
        text
    }

    /// Whether the text assembles to the bytes. Branches are known to; for others relocated fields do not count.
    fn agrees(&self, text: &str, bytes: &[u8], relocs: &[&Relocation], at: u64, instruction: &Instruction) -> bool {
        if instruction.is_jmp_near()
            || instruction.is_jcc_near()
            || instruction.is_jmp_short()
            || instruction.is_jcc_short()
        {
            return self.names.borrow().branch.is_some();
        }
        if instruction.is_call_near() {
            return self.names.borrow().branch.is_some() && bytes[0] == 0xe8;
        }
        if (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::NearBranch64) {
            return self.names.borrow().branch.is_some();
        }
        let mut state = State::new(object::SectionSpec::text(".text"));
        if instruction::assemble(&mut state, text, Syntax::Att).is_err() || !state.errors.is_empty() {
            return false;
        }
        let chunk = &state.chunks[state.current as usize];
        let labels = usize::from(relocs.is_empty() && instruction.is_ip_rel_memory_operand());
        if chunk.bytes.len() != bytes.len() || chunk.fields.len() > relocs.len() + labels {
            return false;
        }
        let field_at = |i: usize| {
            chunk.fields.iter().any(|f| {
                let start = f.at.fixed as usize;
                (start..start + usize::from(f.width)).contains(&i)
            })
        };
        let placed = relocs.iter().all(|r| field_at((r.offset - at) as usize));
        placed && (0..bytes.len()).all(|i| field_at(i) || chunk.bytes[i] == bytes[i])
    }
}

fn write_rule(out: &mut String, entry: &CfiEntry) {
    let _ = match &entry.op {
        CfiOp::DefCfa(reg, offset) => writeln!(out, "\t.cfi_def_cfa\t{reg}, {offset}"),
        CfiOp::DefCfaRegister(reg) => writeln!(out, "\t.cfi_def_cfa_register\t{reg}"),
        CfiOp::DefCfaOffset(offset) => writeln!(out, "\t.cfi_def_cfa_offset\t{offset}"),
        CfiOp::Offset(reg, offset) => writeln!(out, "\t.cfi_offset\t{reg}, {offset}"),
        CfiOp::ValOffset(reg, offset) => writeln!(out, "\t.cfi_val_offset\t{reg}, {offset}"),
        CfiOp::Restore(reg) => writeln!(out, "\t.cfi_restore\t{reg}"),
        CfiOp::Undefined(reg) => writeln!(out, "\t.cfi_undefined\t{reg}"),
        CfiOp::SameValue(reg) => writeln!(out, "\t.cfi_same_value\t{reg}"),
        CfiOp::Register(reg, other) => writeln!(out, "\t.cfi_register\t{reg}, {other}"),
        CfiOp::RememberState => writeln!(out, "\t.cfi_remember_state"),
        CfiOp::RestoreState => writeln!(out, "\t.cfi_restore_state"),
        CfiOp::ArgsSize(size) => writeln!(out, "\t.cfi_gnu_args_size\t{size}"),
        CfiOp::Escape(bytes) => {
            let list: Vec<String> = bytes.iter().map(|b| format!("{b:#x}")).collect();
            writeln!(out, "\t.cfi_escape\t{}", list.join(", "))
        }
    };
}

fn section_directive(out: &mut String, section: &SectionData) {
    let spec = &section.spec;
    let plain = match &*spec.name {
        ".text" => spec.flags == section_flags::ALLOC | section_flags::EXECINSTR,
        ".data" | ".bss" => spec.flags == section_flags::ALLOC | section_flags::WRITE,
        _ => false,
    };
    if plain {
        let _ = writeln!(out, "\t{}", spec.name);
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
        let _ = write!(out, ",{},comdat", symbol_text(group));
    }
    if let Some(link) = spec.link.as_deref().filter(|_| spec.flags & section_flags::LINK_ORDER != 0) {
        let _ = write!(out, ",{link}");
    }
    out.push('\n');
}

/// Whether a byte may stand in a string literal as it is.
fn is_text(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\t')
}

/// A string literal of these bytes.
fn quoted(bytes: &[u8]) -> String {
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
fn symbol_text(name: &str) -> String {
    let plain = name
        .bytes()
        .enumerate()
        .all(|(i, b)| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$') || (i > 0 && b.is_ascii_digit()));
    // A leading `$` would read as an immediate.
    if plain && !name.starts_with('$') { name.to_string() } else { format!("\"{name}\"") }
}

/// Every symbol's name for the text: local names that occur twice are numbered.
fn printed_names(object: &ObjectBuilder) -> Vec<String> {
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
                return String::new();
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
