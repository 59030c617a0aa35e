//! The file: contents with their relocations applied, and the tables.

use crate::action::{Action, SlotKind};
use crate::dynamic::{Source, Tables};
use crate::headers::{dynamic_section, finish_file, program_headers};
use crate::inputs::Inputs;
use crate::layout::{BUILD_ID_SIZE, Layout, RESERVED};
use crate::object::{Object, Symbol};
use crate::options::Strip;
use crate::read::{Relocation, relocations};
use crate::scan::{Call, Name, Needs, Slot, action, left_to_loader, name_of, slot_for};
use crate::symbols::{Own, Place};
use crate::target::{Target, defined_target, target};
use crate::{Declined, Outcome, frames, names, sha1, thread};
use elf_object::elf;

/// Write everything.
pub fn write(inputs: &Inputs, needs: &Needs, tables: &Tables, layout: &Layout) -> Outcome<Vec<u8>> {
    let mut file = vec![0; layout.end as usize];
    let writer = Writer { inputs, needs, layout };
    let mut dynamic = Vec::with_capacity(needs.dynamic as usize);
    for object in 0..inputs.objects.len() {
        writer.object(object, &mut file, &mut dynamic)?;
    }
    writer.slots(&mut file, &mut dynamic)?;
    for (copy, at) in needs.copies.iter().zip(&layout.copies) {
        let name = inputs.libraries[copy.library as usize].export(copy.symbol)?.name;
        let index = inputs.globals.find(name).map_or(0, |g| inputs.globals.list[g as usize].dynamic_index);
        dynamic.push((elf::R_X86_64_COPY, index, layout.address_of(names::ZEROS) + at, 0));
    }
    if dynamic.len() as u64 != needs.dynamic {
        return Err(Declined("relocations that were counted wrongly"));
    }
    // What only moves with the program is first, and counted.
    dynamic.sort_by_key(|&(kind, _, place, _)| (kind != elf::R_X86_64_RELATIVE, place));
    let rebased = dynamic.iter().filter(|r| r.0 == elf::R_X86_64_RELATIVE).count() as u64;
    put(layout, &mut file, names::RELOCATIONS, &relocation_table(&dynamic));
    writer.calls(&mut file)?;
    let mut interpreter = inputs.options.interpreter.clone();
    interpreter.push(0);
    put(layout, &mut file, names::INTERPRETER, &interpreter);
    put(layout, &mut file, names::HASH, &tables.hash);
    put(layout, &mut file, names::STRINGS, &tables.strings);
    put(layout, &mut file, names::VERSIONS, &tables.versions);
    put(layout, &mut file, names::NEEDED_VERSIONS, &tables.needed_versions);
    put(layout, &mut file, names::DEFINED_VERSIONS, &tables.defined_versions);
    put(layout, &mut file, names::SYMBOLS, &writer.dynamic_symbols(tables)?);
    put(layout, &mut file, names::DYNAMIC, &dynamic_section(inputs, tables, layout, needs, rebased));
    if let (Some(section), Some(table)) = (layout.find(frames::NAME), layout.find(names::FRAME_TABLE)) {
        let records = &file[section.offset as usize..][..section.size as usize];
        let rows = frames::table(records, section.address, table.address, layout.functions_with_frames)?;
        put(layout, &mut file, names::FRAME_TABLE, &rows);
    }
    program_headers(&inputs.options, layout, &mut file);
    let entry = writer.entry()?;
    let symbols = if inputs.options.strip == Strip::All { None } else { Some(writer.symbol_table()?) };
    finish_file(inputs, layout, &mut file, symbols, entry, tables);
    if !inputs.options.build_id {
        return Ok(file);
    }
    let digest = sha1::digest(&file);
    let mut note = Vec::with_capacity(BUILD_ID_SIZE as usize);
    for number in [4u32, 20, elf::NT_GNU_BUILD_ID] {
        note.extend(number.to_le_bytes());
    }
    note.extend(b"GNU\0");
    note.extend(digest);
    put(layout, &mut file, names::BUILD_ID, &note);
    Ok(file)
}

/// (kind, index in the dynamic symbol table, place, addend)
type Left = (u32, u32, u64, u64);

fn relocation_table(relocations: &[Left]) -> Vec<u8> {
    let words = relocations
        .iter()
        .flat_map(|&(kind, symbol, place, addend)| [place, u64::from(symbol) << 32 | u64::from(kind), addend]);
    words.flat_map(u64::to_le_bytes).collect()
}

fn put(layout: &Layout, file: &mut [u8], name: &[u8], bytes: &[u8]) {
    if let Some(section) = layout.find(name) {
        file[section.offset as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// A field of a section's bytes.
fn store<const N: usize>(bytes: &mut [u8], at: u64, value: [u8; N]) -> Outcome<()> {
    let field =
        usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..)).and_then(|rest| rest.first_chunk_mut::<N>());
    *field.ok_or(Declined("a relocation outside of its section"))? = value;
    Ok(())
}

fn signed(value: u64) -> Outcome<[u8; 4]> {
    let value = i32::try_from(value as i64).map_err(|_| Declined("a value that does not fit"))?;
    Ok(value.to_le_bytes())
}

fn unsigned(value: u64) -> Outcome<[u8; 4]> {
    let value = u32::try_from(value).map_err(|_| Declined("a value that does not fit"))?;
    Ok(value.to_le_bytes())
}

struct Writer<'a> {
    inputs: &'a Inputs<'a>,
    needs: &'a Needs,
    layout: &'a Layout,
}

impl Writer<'_> {
    fn object(&self, at: usize, file: &mut [u8], dynamic: &mut Vec<Left>) -> Outcome<()> {
        let object = &self.inputs.objects[at];
        for section in object.sections.iter().filter(|s| s.kept) {
            let output = &self.layout.sections[section.output as usize];
            if section.kind == elf::SHT_NOBITS {
                continue;
            }
            let start = (output.offset + section.offset) as usize;
            let bytes = &mut file[start..start + section.size as usize];
            bytes.copy_from_slice(section.data);
            let address = output.address + section.offset;
            let mut rest = relocations(section.relocations).peekable();
            while let Some(relocation) = rest.next() {
                let (action, target) = action(self.inputs, object, section, &relocation, rest.peek())?;
                if action.takes_next() {
                    rest.next();
                }
                self.apply(at, &relocation, action, target, bytes, address, dynamic)?;
            }
        }
        Ok(())
    }

    fn apply(
        &self,
        object: usize,
        relocation: &Relocation,
        action: Action,
        target: Target,
        bytes: &mut [u8],
        address: u64,
        dynamic: &mut Vec<Left>,
    ) -> Outcome<()> {
        let this = &self.inputs.objects[object];
        let symbol = &this.symbols[relocation.symbol as usize];
        let (at, place) = (relocation.offset, address.wrapping_add(relocation.offset));
        let sum = |value: u64| value.wrapping_add(relocation.addend as u64);
        let name = name_of(self.inputs, object as u32, relocation.symbol);
        let value = || self.symbol_address(this, symbol, name, target).map(sum);
        let table = || self.layout.address_of(names::CALL_TABLE);
        let slot = |kind: SlotKind| {
            let word =
                self.needs.slot_of.get(&slot_for(kind, name)).ok_or(Declined("an entry that was not counted"))?;
            Ok(self.layout.address_of(names::TABLE) + word * 8)
        };
        match action {
            Action::Nothing => Ok(()),
            Action::Absolute64 => store(bytes, at, value()?.to_le_bytes()),
            Action::Absolute32 => store(bytes, at, unsigned(value()?)?),
            Action::Absolute32Signed => store(bytes, at, signed(value()?)?),
            Action::Relative32 => store(bytes, at, signed(value()?.wrapping_sub(place))?),
            Action::Relative64 => store(bytes, at, value()?.wrapping_sub(place).to_le_bytes()),
            Action::Call => {
                let slot = self.inputs.globals.list[symbol.global as usize].call_slot.unwrap_or(0);
                store(bytes, at, signed(sum(self.call_address(slot)).wrapping_sub(place))?)
            }
            Action::Table(kind) => store(bytes, at, signed(sum(slot(kind)?).wrapping_sub(place))?),
            Action::TableStart => store(bytes, at, signed(sum(table()).wrapping_sub(place))?),
            Action::TableOffset => store(bytes, at, value()?.wrapping_sub(table()).to_le_bytes()),
            Action::Gone32(number) => store(bytes, at, u32::from(number).to_le_bytes()),
            Action::Gone64(number) => store(bytes, at, u64::from(number).to_le_bytes()),
            Action::Thread(change) => {
                let old = (at as usize).checked_sub(3).and_then(|start| bytes.get(start..)).unwrap_or_default();
                let old = old.first_chunk::<3>().copied().unwrap_or_default();
                let (before, code, field) = thread::code(change, &old);
                let start = at.wrapping_sub(before);
                for (i, byte) in code.into_iter().enumerate() {
                    store(bytes, start.wrapping_add(i as u64), [byte])?;
                }
                let Some(field) = field else { return Ok(()) };
                let field = start.wrapping_add(field as u64);
                let number = if change.needs_slot() {
                    slot(SlotKind::Thread)?.wrapping_sub(address.wrapping_add(field).wrapping_add(4))
                } else {
                    value()?.wrapping_add(4).wrapping_sub(self.layout.thread_pointer())
                };
                store(bytes, field, signed(number)?)
            }
            Action::Lea => {
                store(bytes, at.wrapping_sub(2), [0x8d])?;
                store(bytes, at, signed(value()?.wrapping_sub(place))?)
            }
            Action::DirectCall => {
                store(bytes, at.wrapping_sub(2), [0x67, 0xe8])?;
                store(bytes, at, signed(value()?.wrapping_sub(place))?)
            }
            Action::DirectJump => {
                store(bytes, at.wrapping_sub(2), [0xe9])?;
                store(bytes, at.wrapping_sub(1), signed(value()?.wrapping_sub(place.wrapping_sub(1)))?)?;
                store(bytes, at.wrapping_add(3), [0x90])
            }
            Action::ThreadOffset => store(bytes, at, signed(value()?.wrapping_sub(self.layout.thread_pointer()))?),
            Action::ThreadOffset64 => {
                store(bytes, at, value()?.wrapping_sub(self.layout.thread_pointer()).to_le_bytes())
            }
            Action::BlockOffset32 | Action::BlockOffset64 => {
                let start = self.layout.thread.map_or(0, |(block, _)| block.address);
                let offset = value()?.wrapping_sub(start);
                if action == Action::BlockOffset32 {
                    store(bytes, at, signed(offset)?)
                } else {
                    store(bytes, at, offset.to_le_bytes())
                }
            }
            Action::Rebased => {
                dynamic.push((elf::R_X86_64_RELATIVE, 0, place, value()?));
                store(bytes, at, value()?.to_le_bytes())
            }
            Action::Symbolic => {
                let index = self.inputs.globals.list[symbol.global as usize].dynamic_index;
                dynamic.push((elf::R_X86_64_64, index, place, relocation.addend as u64));
                store(bytes, at, [0; 8])
            }
        }
    }

    /// Where the program starts.
    fn entry(&self) -> Outcome<u64> {
        let options = &self.inputs.options;
        match options.entry.or((!options.shared).then_some(b"_start")) {
            None => Ok(0),
            Some(name) => {
                let start = self.inputs.globals.find(name).ok_or(Declined("no entry"))?;
                match self.global_address(start)? {
                    0 => Err(Declined("no entry")),
                    address => Ok(address),
                }
            }
        }
    }

    /// The address of an object's symbol.
    fn symbol_address(&self, object: &Object, symbol: &Symbol, name: Name, target: Target) -> Outcome<u64> {
        match target {
            Target::Indirect if self.needs.indirect.contains_key(&name) => {
                Ok(self.call_address(self.needs.indirect[&name]))
            }
            _ if symbol.global != u32::MAX => self.global_address(symbol.global),
            Target::Number => Ok(symbol.value),
            _ => self.defined_address(object, symbol),
        }
    }

    /// The address of an entry of the procedure linkage table.
    fn call_address(&self, slot: u32) -> u64 {
        self.layout.address_of(names::CALLS) + self.layout.first_call + u64::from(slot) * self.layout.call_size
    }

    fn defined_address(&self, object: &Object, symbol: &Symbol) -> Outcome<u64> {
        match symbol.section {
            elf::SHN_ABS | elf::SHN_UNDEF => Ok(symbol.value),
            section => {
                let section = &object.sections[usize::from(section)];
                if !section.kept {
                    return Err(Declined("a dropped section's symbol"));
                }
                Ok(self.layout.address(section).wrapping_add(symbol.value))
            }
        }
    }

    /// The address a global name has in the program; 0 for what only the dynamic linker knows.
    fn global_address(&self, index: u32) -> Outcome<u64> {
        let global = &self.inputs.globals.list[index as usize];
        Ok(match global.place {
            Place::Undefined => 0,
            Place::Object { object, symbol, .. } => {
                let object = &self.inputs.objects[object as usize];
                self.defined_address(object, &object.symbols[symbol as usize])?
            }
            Place::Common { offset, .. } => self.layout.address_of(names::ZEROS) + offset,
            Place::Own(Own::Defined(at)) => self.line_address(at, 0)?,
            Place::Own(own) => self.layout.own(own),
            Place::Library { .. } => match (global.copy, global.call_slot) {
                (Some(copy), _) => self.copy_address(copy),
                (None, Some(slot)) if global.is_canonical => self.call_address(slot),
                _ => 0,
            },
        })
    }

    /// What the line defines: definitions may use each other.
    fn line_address(&self, at: u32, depth: u32) -> Outcome<u64> {
        const DEPTH: u32 = 8;
        let definition = &self.inputs.options.definitions[at as usize];
        let Some(base) = definition.base else { return Ok(definition.addend) };
        let index = self.inputs.globals.find(base).ok_or(Declined("an expression"))?;
        let base = match self.inputs.globals.list[index as usize].place {
            Place::Own(Own::Defined(at)) if depth < DEPTH => self.line_address(at, depth + 1)?,
            Place::Object { .. } | Place::Common { .. } => self.global_address(index)?,
            Place::Own(own) if !matches!(own, Own::Defined(_)) => self.layout.own(own),
            _ => return Err(Declined("an expression")),
        };
        Ok(base.wrapping_add(definition.addend))
    }

    fn copy_address(&self, copy: u32) -> u64 {
        self.layout.address_of(names::ZEROS) + self.layout.copies[copy as usize]
    }

    /// The global offset table.
    fn slots(&self, file: &mut [u8], dynamic: &mut Vec<Left>) -> Outcome<()> {
        let Some(table) = self.layout.find(names::TABLE) else { return Ok(()) };
        let mut bytes = Vec::with_capacity(table.size as usize);
        for (slot, word) in &self.needs.slots {
            let values = self.slot(*slot, table.address + word * 8, dynamic)?;
            bytes.extend(values.into_iter().take(slot.words() as usize).flat_map(u64::to_le_bytes));
        }
        put(self.layout, file, names::TABLE, &bytes);
        Ok(())
    }

    /// The words of an entry at `place`, and the relocations left to the dynamic linker.
    fn slot(&self, slot: Slot, place: u64, dynamic: &mut Vec<Left>) -> Outcome<[u64; 2]> {
        let inputs = self.inputs;
        let (index, found, value) = match slot.name {
            (u32::MAX, u32::MAX) => (0, Target::ThreadLocal, 0),
            (u32::MAX, global) => {
                let entry = &inputs.globals.list[global as usize];
                // Any symbol of that name stands for all.
                let symbol = Symbol { global, ..Symbol::default() };
                let found = target(&inputs.objects[0], &symbol, inputs)?;
                let found = match (found, slot.kind) {
                    (Target::Preemptible, SlotKind::Thread | SlotKind::General | SlotKind::Descriptor) => {
                        Target::ForeignThread
                    }
                    _ => found,
                };
                let value = match (found, inputs.globals.list[global as usize].place) {
                    (Target::Indirect, _) => self.call_address(self.needs.indirect[&slot.name]),
                    (Target::Preemptible | Target::ForeignThread, _) => 0,
                    (_, Place::Library { .. }) => 0,
                    _ => self.global_address(global)?,
                };
                (entry.dynamic_index, found, value)
            }
            (object, index) => {
                let object = &inputs.objects[object as usize];
                let symbol = &object.symbols[index as usize];
                let found = defined_target(object, symbol);
                (0, found, self.symbol_address(object, symbol, slot.name, found)?)
            }
        };
        let left = left_to_loader(&inputs.options, slot.kind, found);
        for (i, (kind, by_name)) in left.into_iter().enumerate().filter_map(|(i, left)| Some((i as u64, left?))) {
            let addend = match kind {
                _ if by_name => 0,
                elf::R_X86_64_RELATIVE => value,
                elf::R_X86_64_TPOFF64 | elf::R_X86_64_TLSDESC => self.in_block(value),
                _ => 0,
            };
            dynamic.push((kind, if by_name { index } else { 0 }, place + 8 * i, addend));
        }
        Ok(match (slot.kind, left[0]) {
            (SlotKind::Address, Some((_, true))) => [0; 2],
            (SlotKind::Address, _) => [value, 0],
            (SlotKind::Thread, None) if found == Target::Null => [0; 2],
            (SlotKind::Thread, None) => [value.wrapping_sub(self.layout.thread_pointer()), 0],
            (SlotKind::General, _) if found == Target::ThreadLocal => [0, self.in_block(value)],
            _ => [0; 2],
        })
    }

    /// The procedure linkage table, the table it jumps through, and the relocations of that.
    fn calls(&self, file: &mut [u8]) -> Outcome<()> {
        let (layout, needs) = (self.layout, self.needs);
        let table = layout.address_of(names::CALL_TABLE);
        let dynamic = layout.address_of(names::DYNAMIC);
        let mut words = dynamic.to_le_bytes().to_vec();
        words.resize(RESERVED as usize * 8, 0);
        let (mut code, mut imports, mut indirect) = (Vec::new(), Vec::new(), Vec::new());
        let is_lazy = layout.first_call > 0 && !needs.calls.is_empty();
        if is_lazy {
            // The module goes on the stack, and the dynamic linker's function is called.
            let start = layout.address_of(names::CALLS);
            code.extend([0xff, 0x35]);
            code.extend((table.wrapping_add(8).wrapping_sub(start + 6) as u32).to_le_bytes());
            code.extend([0xff, 0x25]);
            code.extend((table.wrapping_add(16).wrapping_sub(start + 12) as u32).to_le_bytes());
            code.extend([0x0f, 0x1f, 0x40, 0x00]);
        }
        for (index, call) in needs.calls.iter().enumerate() {
            let place = table + (RESERVED + index as u64) * 8;
            let entry = self.call_address(index as u32);
            code.extend([0xff, 0x25]);
            code.extend((place.wrapping_sub(entry + 6) as u32).to_le_bytes());
            match *call {
                Call::Import(global) => {
                    if is_lazy {
                        code.push(0x68);
                        code.extend((imports.len() as u32).to_le_bytes());
                        code.push(0xe9);
                        let first = layout.address_of(names::CALLS);
                        code.extend((first.wrapping_sub(entry + 16) as u32).to_le_bytes());
                    } else {
                        code.extend([0x66, 0x90]);
                    }
                    let index = self.inputs.globals.list[global as usize].dynamic_index;
                    imports.push((elf::R_X86_64_JUMP_SLOT, index, place, 0));
                    words.extend((if is_lazy { entry + 6 } else { 0 }).to_le_bytes());
                }
                Call::Indirect(name) => {
                    code.resize(code.len().next_multiple_of(layout.call_size as usize), 0x90);
                    let resolver = match name {
                        (u32::MAX, global) => self.global_address(global)?,
                        (object, symbol) => {
                            let object = &self.inputs.objects[object as usize];
                            self.defined_address(object, &object.symbols[symbol as usize])?
                        }
                    };
                    indirect.push((elf::R_X86_64_IRELATIVE, 0, place, resolver));
                    words.extend(0u64.to_le_bytes());
                }
            }
        }
        // The functions that choose may call others, so they run last.
        imports.append(&mut indirect);
        put(layout, file, names::CALLS, &code);
        put(layout, file, names::CALL_RELOCATIONS, &relocation_table(&imports));
        put(layout, file, names::CALL_TABLE, &words);
        Ok(())
    }

    fn dynamic_symbols(&self, tables: &Tables) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0; 24];
        for entry in &tables.entries {
            let zeros = self.layout.index(names::ZEROS) as u16;
            let (info, other, section, value, size) = match entry.source {
                Source::Alias { copy, info, size } => (info, 0, zeros, self.copy_address(copy), size),
                Source::Version(_) => (elf::STB_GLOBAL << 4 | elf::STT_OBJECT, 0, elf::SHN_ABS, 0, 0),
                Source::Global(index) => {
                    let global = &self.inputs.globals.list[index as usize];
                    let binding = if entry.is_weak { elf::STB_WEAK } else { elf::STB_GLOBAL } << 4;
                    match global.place {
                        Place::Library { library, symbol } => {
                            let export = self.inputs.libraries[library as usize].export(symbol)?;
                            let kind = match export.info & 15 {
                                elf::STT_GNU_IFUNC => elf::STT_FUNC,
                                kind => kind,
                            };
                            let value = self.global_address(index)?;
                            match global.copy {
                                Some(_) => (export.info, 0, zeros, value, export.size),
                                None => (binding | kind, 0, elf::SHN_UNDEF, value, 0),
                            }
                        }
                        Place::Object { .. } if self.needs.indirect.contains_key(&(u32::MAX, index)) => {
                            // Others use the entry that the program itself uses.
                            let (info, visibility, _, _, size) = self.described(index)?;
                            let entry = self.call_address(self.needs.indirect[&(u32::MAX, index)]);
                            let info = info & !15 | elf::STT_FUNC;
                            (info, visibility, self.layout.index(names::CALLS) as u16, entry, size)
                        }
                        Place::Object { .. } | Place::Common { .. } => self.described(index)?,
                        _ => (binding, 0, elf::SHN_UNDEF, 0, 0),
                    }
                }
            };
            push_symbol(&mut bytes, entry.name_at, (info, other, section, value, size));
        }
        Ok(bytes)
    }

    /// (info, visibility, section, value, size) of a global name that is defined here.
    fn described(&self, index: u32) -> Outcome<Described> {
        let global = &self.inputs.globals.list[index as usize];
        let value = self.global_address(index)?;
        Ok(match global.place {
            Place::Object { object, symbol, .. } => {
                let object = &self.inputs.objects[object as usize];
                let symbol = &object.symbols[symbol as usize];
                let section = self.section_of(object, symbol)?;
                let value = if symbol.kind() == elf::STT_TLS { self.in_block(value) } else { value };
                (symbol.info, global.visibility, section, value, symbol.size)
            }
            Place::Common { size, .. } => {
                let info = elf::STB_GLOBAL << 4 | elf::STT_OBJECT;
                (info, global.visibility, self.layout.index(names::ZEROS) as u16, value, size)
            }
            _ => (elf::STB_GLOBAL << 4, global.visibility, elf::SHN_ABS, value, 0),
        })
    }

    /// The value of a thread-local symbol in a table: its offset in the block.
    fn in_block(&self, value: u64) -> u64 {
        value.wrapping_sub(self.layout.thread.map_or(0, |(block, _)| block.address))
    }

    fn section_of(&self, object: &Object, symbol: &Symbol) -> Outcome<u16> {
        Ok(match symbol.section {
            elf::SHN_ABS => elf::SHN_ABS,
            section => {
                let section = &object.sections[usize::from(section)];
                if !section.kept {
                    return Err(Declined("a dropped section's symbol"));
                }
                section.output as u16 + 1
            }
        })
    }

    /// `.symtab`, the number of local symbols in it, `.strtab`.
    fn symbol_table(&self) -> Outcome<(Vec<u8>, u32, Vec<u8>)> {
        let (mut bytes, mut strings) = (vec![0; 24], vec![0]);
        let mut name = |name: &[u8]| {
            let at = strings.len() as u32;
            strings.extend_from_slice(name);
            strings.push(0);
            at
        };
        let is_dropped = |object: &Object, symbol: &Symbol| match symbol.section {
            elf::SHN_UNDEF => true,
            elf::SHN_ABS | elf::SHN_COMMON => false,
            section => !object.sections[usize::from(section)].kept,
        };
        for object in &self.inputs.objects {
            if self.inputs.options.discard_locals {
                break;
            }
            let locals = object.symbols.iter().take(object.first_global).skip(1);
            for symbol in locals {
                let is_temporary = symbol.name.is_empty() || symbol.name.starts_with(b".L");
                if is_temporary || is_dropped(object, symbol) || symbol.kind() == elf::STT_SECTION {
                    continue;
                }
                let value = self.defined_address(object, symbol)?;
                let value = if symbol.kind() == elf::STT_TLS { self.in_block(value) } else { value };
                let section = self.section_of(object, symbol)?;
                push_symbol(&mut bytes, name(symbol.name), (symbol.info, 0, section, value, symbol.size));
            }
        }
        // What no other module sees has become local.
        let is_local = |visibility: u8| matches!(visibility, elf::STV_HIDDEN | elf::STV_INTERNAL);
        let mut locals = 0;
        for wanted in [true, false] {
            for (index, global) in self.inputs.globals.list.iter().enumerate() {
                let is_defined = !matches!(global.place, Place::Undefined | Place::Library { .. });
                if (is_defined && (is_local(global.visibility) || global.is_hidden)) != wanted {
                    continue;
                }
                let mut described = match global.place {
                    Place::Undefined => (elf::STB_WEAK << 4, 0, elf::SHN_UNDEF, 0, 0),
                    Place::Library { library, symbol } => {
                        let info = self.inputs.libraries[library as usize].export(symbol)?.info;
                        (elf::STB_GLOBAL << 4 | info & 15, 0, elf::SHN_UNDEF, 0, 0)
                    }
                    Place::Object { object, symbol, .. } => {
                        let object = &self.inputs.objects[object as usize];
                        if is_dropped(object, &object.symbols[symbol as usize]) {
                            continue;
                        }
                        self.described(index as u32)?
                    }
                    _ => self.described(index as u32)?,
                };
                if wanted {
                    described.0 &= 15;
                }
                push_symbol(&mut bytes, name(global.name), described);
            }
            if wanted {
                locals = bytes.len() / 24;
            }
        }
        Ok((bytes, locals as u32, strings))
    }
}

/// (info, visibility, section, value, size)
type Described = (u8, u8, u16, u64, u64);

fn push_symbol(bytes: &mut Vec<u8>, name: u32, (info, visibility, section, value, size): Described) {
    bytes.extend(name.to_le_bytes());
    bytes.extend([info, visibility]);
    bytes.extend(section.to_le_bytes());
    bytes.extend(value.to_le_bytes());
    bytes.extend(size.to_le_bytes());
}
