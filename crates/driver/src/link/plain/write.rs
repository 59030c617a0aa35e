//! The file: contents with their relocations applied, and the tables.

use super::dynamic::{Source, Tables};
use super::headers::{dynamic_section, finish_file, program_headers};
use super::inputs::Inputs;
use super::layout::{BUILD_ID_SIZE, CALL_SIZE, Layout, RESERVED, names};
use super::object::{Object, Symbol};
use super::read::{Relocation, relocations};
use super::scan::{Action, Needs, Slot, action, slot};
use super::symbols::{Place, Target};
use super::{Declined, Outcome, frames, sha1};
use elf_object::elf;

/// Write everything.
pub fn write(inputs: &Inputs, needs: &Needs, tables: &Tables, layout: &Layout) -> Outcome<Vec<u8>> {
    let mut file = vec![0; layout.end as usize];
    let writer = Writer { inputs, needs, layout };
    let mut dynamic = Vec::with_capacity(needs.dynamic as usize);
    for object in 0..inputs.objects.len() {
        writer.object(object, &mut file, &mut dynamic)?;
    }
    writer.slots(&mut file, &mut dynamic);
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
    writer.calls(&mut file);
    let mut interpreter = inputs.interpreter.clone();
    interpreter.push(0);
    put(layout, &mut file, names::INTERPRETER, &interpreter);
    put(layout, &mut file, names::HASH, &tables.hash);
    put(layout, &mut file, names::STRINGS, &tables.strings);
    put(layout, &mut file, names::VERSIONS, &tables.versions);
    put(layout, &mut file, names::NEEDED_VERSIONS, &tables.needed_versions);
    put(layout, &mut file, names::SYMBOLS, &writer.dynamic_symbols(tables)?);
    put(layout, &mut file, names::DYNAMIC, &dynamic_section(inputs, tables, layout, needs, rebased)?);
    if let (Some(section), Some(table)) = (layout.find(frames::NAME), layout.find(names::FRAME_TABLE)) {
        let records = &file[section.offset as usize..][..section.size as usize];
        let rows = frames::table(records, section.address, table.address, layout.functions_with_frames)?;
        put(layout, &mut file, names::FRAME_TABLE, &rows);
    }
    program_headers(layout, &mut file);
    let start = inputs.globals.find(b"_start").ok_or(Declined("no entry"))?;
    let entry = writer.global_address(start)?;
    let symbols = if inputs.strip { None } else { Some(writer.symbol_table()?) };
    finish_file(inputs, layout, &mut file, symbols, entry, tables.versioned_libraries as u32);
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
    inputs: &'a Inputs,
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
            for relocation in relocations(section.relocations) {
                let (action, target) = action(self.inputs, object, section, &relocation)?;
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
        let value = || self.symbol_address(this, symbol, target).map(sum);
        let tables = |name: &[u8], index: u64, size: u64| self.layout.address_of(name) + index * size;
        match action {
            Action::Nothing => Ok(()),
            Action::Absolute64 => store(bytes, at, value()?.to_le_bytes()),
            Action::Absolute32 => store(bytes, at, unsigned(value()?)?),
            Action::Absolute32Signed => store(bytes, at, signed(value()?)?),
            Action::Relative32 => store(bytes, at, signed(value()?.wrapping_sub(place))?),
            Action::Relative64 => store(bytes, at, value()?.wrapping_sub(place).to_le_bytes()),
            Action::Call => {
                let slot = self.inputs.globals.list[symbol.global as usize].call_slot.unwrap_or(0);
                let entry = tables(names::CALLS, u64::from(slot), CALL_SIZE);
                store(bytes, at, signed(sum(entry).wrapping_sub(place))?)
            }
            Action::Table | Action::ThreadTable => {
                let slot = slot(self.inputs, object as u32, relocation.symbol, action);
                let entry = tables(names::TABLE, u64::from(self.needs.slot_of[&slot]), 8);
                store(bytes, at, signed(sum(entry).wrapping_sub(place))?)
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

    /// The address of an object's symbol.
    fn symbol_address(&self, object: &Object, symbol: &Symbol, target: Target) -> Outcome<u64> {
        match target {
            _ if symbol.global != u32::MAX => self.global_address(symbol.global),
            Target::Number => Ok(symbol.value),
            _ => self.defined_address(object, symbol),
        }
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
            Place::Own(own) => self.layout.own(own),
            Place::Library { .. } => match (global.copy, global.call_slot) {
                (Some(copy), _) => self.copy_address(copy),
                (None, Some(slot)) if global.is_canonical => {
                    self.layout.address_of(names::CALLS) + u64::from(slot) * CALL_SIZE
                }
                _ => 0,
            },
        })
    }

    fn copy_address(&self, copy: u32) -> u64 {
        self.layout.address_of(names::ZEROS) + self.layout.copies[copy as usize]
    }

    /// The global offset table.
    fn slots(&self, file: &mut [u8], dynamic: &mut Vec<Left>) {
        let Some(table) = self.layout.find(names::TABLE) else { return };
        let mut bytes = Vec::with_capacity(table.size as usize);
        for (index, slot) in self.needs.slots.iter().enumerate() {
            let place = table.address + index as u64 * 8;
            let value = self.slot(*slot, place, dynamic).unwrap_or(0);
            bytes.extend(value.to_le_bytes());
        }
        put(self.layout, file, names::TABLE, &bytes);
    }

    fn slot(&self, slot: Slot, place: u64, dynamic: &mut Vec<Left>) -> Outcome<u64> {
        let (object, symbol) = match slot {
            Slot::Global(global) => {
                let entry = &self.inputs.globals.list[global as usize];
                let is_absolute = match entry.place {
                    Place::Library { .. } | Place::Undefined => {
                        dynamic.push((elf::R_X86_64_GLOB_DAT, entry.dynamic_index, place, 0));
                        return Ok(0);
                    }
                    Place::Object { object, symbol, .. } => {
                        let object = &self.inputs.objects[object as usize];
                        object.symbols[symbol as usize].section == elf::SHN_ABS
                    }
                    _ => false,
                };
                let value = self.global_address(global)?;
                if self.inputs.pie && !is_absolute {
                    dynamic.push((elf::R_X86_64_RELATIVE, 0, place, value));
                }
                return Ok(value);
            }
            Slot::Local { object, symbol } | Slot::Thread { object, symbol } => (object, symbol),
        };
        let object = &self.inputs.objects[object as usize];
        let symbol = &object.symbols[symbol as usize];
        if matches!(slot, Slot::Thread { .. }) {
            let value = self.symbol_address(object, symbol, Target::ThreadLocal)?;
            return Ok(value.wrapping_sub(self.layout.thread_pointer()));
        }
        let value = self.defined_address(object, symbol)?;
        if self.inputs.pie && !matches!(symbol.section, elf::SHN_ABS | elf::SHN_UNDEF) {
            dynamic.push((elf::R_X86_64_RELATIVE, 0, place, value));
        }
        Ok(value)
    }

    /// The procedure linkage table, the table it jumps through, and the relocations of that.
    fn calls(&self, file: &mut [u8]) {
        let (entries, table) = (self.layout.address_of(names::CALLS), self.layout.address_of(names::CALL_TABLE));
        let (mut code, mut left) = (Vec::new(), Vec::new());
        for (index, &global) in self.needs.calls.iter().enumerate() {
            let place = table + (RESERVED + index as u64) * 8;
            let next = entries + index as u64 * CALL_SIZE + 6;
            code.extend([0xff, 0x25]);
            code.extend((place.wrapping_sub(next) as u32).to_le_bytes());
            code.extend([0x66, 0x90]);
            left.push((elf::R_X86_64_JUMP_SLOT, self.inputs.globals.list[global as usize].dynamic_index, place, 0));
        }
        put(self.layout, file, names::CALLS, &code);
        put(self.layout, file, names::CALL_RELOCATIONS, &relocation_table(&left));
        put(self.layout, file, names::CALL_TABLE, &self.layout.address_of(names::DYNAMIC).to_le_bytes());
    }

    fn dynamic_symbols(&self, tables: &Tables) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0; 24];
        for entry in &tables.entries {
            let zeros = self.layout.index(names::ZEROS) as u16;
            let (info, other, section, value, size) = match entry.source {
                Source::Alias { copy, info, size } => (info, 0, zeros, self.copy_address(copy), size),
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
        for object in &self.inputs.objects {
            let locals = object.symbols.iter().take(object.first_global).skip(1);
            for symbol in locals {
                let is_temporary = symbol.name.is_empty() || symbol.name.starts_with(b".L");
                let is_dropped = match symbol.section {
                    elf::SHN_UNDEF => true,
                    elf::SHN_ABS => false,
                    section => !object.sections[usize::from(section)].kept,
                };
                if is_temporary || is_dropped || symbol.kind() == elf::STT_SECTION {
                    continue;
                }
                let value = self.defined_address(object, symbol)?;
                let value = if symbol.kind() == elf::STT_TLS { self.in_block(value) } else { value };
                let section = self.section_of(object, symbol)?;
                push_symbol(&mut bytes, name(symbol.name), (symbol.info, 0, section, value, symbol.size));
            }
        }
        let locals = bytes.len() / 24;
        for (index, global) in self.inputs.globals.list.iter().enumerate() {
            let described = match global.place {
                Place::Undefined => (elf::STB_WEAK << 4, 0, elf::SHN_UNDEF, 0, 0),
                Place::Library { library, symbol } => {
                    let info = self.inputs.libraries[library as usize].export(symbol)?.info;
                    (elf::STB_GLOBAL << 4 | info & 15, 0, elf::SHN_UNDEF, 0, 0)
                }
                _ => self.described(index as u32)?,
            };
            push_symbol(&mut bytes, name(global.name), described);
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
