//! Code: instructions with symbolic operands, labels, padding, unwind rules.

use std::fmt::Write as _;

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};
use object::{
    Binding, CfiOp, ObjectBuilder, Place, RelocKind, SectionId, SymbolId,
    function_code::CfiEntry,
    sections::{Relocation, SectionData},
};
use rustc_hash::FxHashMap;

use super::{
    Event, Printer,
    format::{OperandNames, Scratch},
    label_name,
};

impl Printer<'_> {
    /// Events of functions: frames, rules, padding, branch targets. Returns the labels by offset.
    pub(super) fn code_events(
        &mut self,
        id: SectionId,
        section: &SectionData,
        events: &mut Vec<(u64, Event)>,
    ) -> FxHashMap<u64, u32> {
        for (index, function) in self.functions(id) {
            let start = function.placed.offset;
            events.extend(
                function
                    .code
                    .paddings
                    .iter()
                    .map(|p| (start + u64::from(p.offset), Event::Align(p.align, p.max_skip, p.len))),
            );
            if self.source.is_some() {
                let lines = function.code.lines.iter();
                events.extend(lines.map(|l| (start + u64::from(l.offset), Event::Line(l.location))));
            }
            events.extend(
                function.code.cfi.iter().enumerate().map(|(i, e)| (start + u64::from(e.offset), Event::Rule(index, i))),
            );
        }
        for (at, align, len) in self.function_gaps(id) {
            events.push((at, Event::FunctionAlign(align, len)));
        }
        for &index in &self.contents[id.index()].frames {
            let frame = &self.object.frames()[index];
            if self.is_in_asm(id, frame.start, frame.start + frame.length) {
                continue;
            }
            events.push((frame.start, Event::StartFrame(index)));
            events.push((frame.start + frame.length, Event::EndFrame));
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
        for (start, end) in self.code_ranges(id, section) {
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

    /// Prints a code section.
    pub(super) fn code(
        &mut self,
        id: SectionId,
        section: &SectionData,
        events: &[(u64, Event)],
        labels: &FxHashMap<u64, u32>,
    ) {
        let relocs = std::mem::take(&mut self.relocs[id.index()]);
        let mut scratch = Scratch::new();
        let mut events = events.iter().peekable();
        let mut relocs = relocs.iter().peekable();
        let ranges = self.code_ranges(id, section);
        let mut range = 0;
        let size = section.size();
        let mut at = 0;
        let mut frame_open = false;
        loop {
            let mut skip = 0;
            while let Some((_, event)) = events.next_if(|(offset, _)| *offset <= at) {
                skip += self.code_event(event, &section.bytes[at as usize..], &mut frame_open);
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
                    self.data_reloc(reloc);
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
            self.instruction(&mut scratch, id, at, &bytes[..len], &own, labels);
            at += len as u64;
        }
    }

    /// Prints an event; returns how many bytes of padding it stands for.
    fn code_event(&mut self, event: &Event, bytes: &[u8], frame_open: &mut bool) -> u32 {
        match *event {
            Event::Symbol(symbol) => self.symbol_label(SymbolId(symbol)),
            Event::Label(label) => {
                let _ = writeln!(self.out, "{}:", label_name(label));
            }
            Event::AsmLabel(function, label) => {
                let _ = writeln!(self.out, "{}:", super::asm::label_name(function, label));
            }
            Event::Asm(function, index) => return self.asm_statement(function, index),
            Event::Skip(len) => return len as u32,
            Event::EndFrame if *frame_open => {
                *frame_open = false;
                self.out.push_str("\t.cfi_endproc\n");
            }
            Event::Line(location) => self.source_line(location),
            Event::EndFrame | Event::Entry(_) => {}
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
            Event::Align(_, _, len) if self.exact => {
                self.data_bytes(&bytes[..len as usize], false);
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
        let listed = self.listed_starts.contains(&(frame.section, frame.start));
        if !listed && !frame.instructions.is_empty() {
            // Rules of file-scope asm: known in their encoded form only.
            let list: Vec<String> = frame.instructions.iter().map(|b| format!("{b:#x}")).collect();
            let _ = writeln!(self.out, "\t.cfi_escape\t{}", list.join(", "));
        }
    }

    /// The source location of an instruction, if locations are printed.
    fn place(&mut self, id: SectionId, at: u64) {
        let Some(places) = &self.places else { return };
        let rows = &places[id.index()];
        let after = rows.partition_point(|row| row.0 <= at);
        if let Some(row) = after.checked_sub(1).map(|index| rows[index]) {
            let _ = write!(self.out, "{}{}", super::PLACE, row.1);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn instruction(
        &mut self,
        scratch: &mut Scratch,
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
                    let _ = write!(self.out, "\t{text}");
                    self.place(id, at);
                    self.out.push('\n');
                    return;
                }
                // What the bytes mean, for the reader.
                let _ = writeln!(self.out, "\t# {text}");
            }
        }
        // As bytes, with the relocated fields as data.
        let mut done = 0;
        for reloc in relocs {
            let start = (reloc.offset - at) as usize;
            self.data_bytes(&bytes[done..start], false);
            self.data_reloc(reloc);
            done = start + reloc.kind.size() as usize;
        }
        self.data_bytes(&bytes[done.min(bytes.len())..], false);
    }

    /// Symbolic text for displacement, immediate and branch target; `None` if a relocation is in
    /// none of them.
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
                // A plain `call` goes through the PLT anyway; a plain jump would be resolved by
                // `as`.
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
        let forced = forced_long(self.object, instruction, id, relocs, self.exact);
        let text = scratch.format(instruction, names);
        if forced { format!("{{disp32}} {text}") } else { text }
    }

    /// The parts of a code section that hold instructions: not data ranges, not padding.
    fn code_ranges(&self, id: SectionId, section: &SectionData) -> Vec<(u64, u64)> {
        let mut holes: Vec<(u64, u64)> = Vec::new();
        for (_, function) in self.functions(id) {
            let start = function.placed.offset;
            holes.extend(function.code.data_ranges.iter().map(|r| (start + u64::from(r.0), start + u64::from(r.1))));
            holes.extend(
                function
                    .code
                    .paddings
                    .iter()
                    .map(|p| (start + u64::from(p.offset), start + u64::from(p.offset + p.len))),
            );
        }
        holes.extend(self.from_asm[id.index()].iter().copied());
        holes.extend(self.function_gaps(id).into_iter().map(|(at, _, len)| (at, at + u64::from(len))));
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

    /// The padding before functions, as (offset, alignment, length), where it is what the alignment
    /// asks for.
    fn function_gaps(&self, id: SectionId) -> Vec<(u64, u32, u32)> {
        let mut out = Vec::new();
        let mut end = 0u64;
        for (_, function) in self.functions(id) {
            let (start, align) = (function.placed.offset, function.code.align);
            if align > 1 && end > 0 && end.next_multiple_of(u64::from(align)) == start {
                out.push((end, align, (start - end) as u32));
            }
            end = start + function.code.code.len() as u64;
        }
        out
    }
}

/// Whether `as` would have to be told to keep a branch long: it is long although near, or it goes
/// to a local symbol of the section, which `as` would shorten.
fn forced_long(
    object: &ObjectBuilder,
    instruction: &Instruction,
    id: SectionId,
    relocs: &[&Relocation],
    exact: bool,
) -> bool {
    let jump = instruction.is_jmp_near() || instruction.is_jcc_near();
    match relocs {
        [] if jump => {
            let distance = instruction.near_branch_target().wrapping_sub(instruction.next_ip()) as i64;
            let long = instruction.len() > 2;
            long && (exact || i8::try_from(distance).is_ok())
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
