//! `-gsplit-dwarf` (DWARF 5, 7.3.2): a skeleton unit with the line table and the addresses, which
//! linkers see, and the rest in sections for a file of its own, which needs no relocation.
//!
//! gimli writes the two units as ordinary ones. Then fields of the rest that would be relocated
//! become indices into `.debug_addr` and `.debug_str_offsets.dwo`, of the same size, so that
//! nothing moves in the unit; location lists are written anew.

use std::hash::Hasher;

use gimli::write::{AttributeValue, DwarfUnit, LineProgram, Result, Sections, Writer};
use gimli::{
    DW_AT_addr_base, DW_AT_comp_dir, DW_AT_dwo_name, DW_FORM_addr, DW_FORM_addrx, DW_FORM_strp, DW_FORM_strx4,
    DW_LLE_end_of_list, DW_LLE_startx_length, DW_OP_addrx, DW_RLE_base_addressx, DW_TAG_skeleton_unit, DW_UT_skeleton,
    DW_UT_split_compile, DebugMacroOffset, DwLle, DwUt, Encoding, Format, SectionId,
};
use rustc_hash::{FxHashMap, FxHasher};

use super::{DebugUnit, Fixup, RelocatedSection, Target, debug_section, macros, store_sections};
use crate::builder::ObjectBuilder;
use crate::function_code::FunctionLines;
use crate::relocations::RelocKind;
use crate::sections::{SectionSpec, section_flags, section_type};
use crate::symbols::SymbolId;

/// Bytes of the headers of `.debug_addr` and `.debug_str_offsets.dwo` (DWARF 5, 7.26 and 7.27).
const TABLE_HEADER: usize = 8;

/// Bytes of the header of location lists without offsets (DWARF 5, 7.29).
const LISTS_HEADER: usize = 12;

/// Bytes of the header of a unit without the number that both parts of a split one have
/// (DWARF 5, 7.5.1).
const UNIT_HEADER: usize = 12;

/// Where the kind of unit is in its header.
const UNIT_TYPE: usize = 6;

/// Indices of strings and addresses, by first use.
#[derive(Default)]
struct Indices {
    /// Offsets in `.debug_str.dwo`.
    strings: Vec<usize>,
    string_numbers: FxHashMap<usize, u32>,
    addresses: Vec<(SymbolId, i64)>,
    address_numbers: FxHashMap<(SymbolId, i64), u32>,
}

impl Indices {
    fn string(&mut self, offset: usize) -> u32 {
        *self.string_numbers.entry(offset).or_insert_with(|| {
            self.strings.push(offset);
            self.strings.len() as u32 - 1
        })
    }

    fn address(&mut self, symbol: SymbolId, addend: i64) -> u32 {
        *self.address_numbers.entry((symbol, addend)).or_insert_with(|| {
            self.addresses.push((symbol, addend));
            self.addresses.len() as u32 - 1
        })
    }
}

/// Writes both parts; `name` is that of the other file.
pub(super) fn write(
    object: &mut ObjectBuilder,
    unit: &DebugUnit<'_>,
    name: &str,
    lines: &[FunctionLines],
) -> Result<()> {
    let encoding = Encoding { format: Format::Dwarf32, version: unit.version, address_size: 8 };
    let mut skeleton = DwarfUnit::new(encoding);
    let files = super::write_lines(object, &mut skeleton, unit, lines);
    let mut dwarf = DwarfUnit::new(encoding);
    dwarf.unit.line_program = LineProgram::none();
    super::write_unit(object, &mut dwarf, unit, lines, &files);
    let mut rest = sections(&mut dwarf)?;
    macros::write_macros(&mut rest, &skeleton, unit, &files)?;
    let mut indices = Indices::default();
    let mut lists = FxHashMap::default();
    for (id, section) in &mut rest {
        if *id == SectionId::DebugLocLists && !section.bytes.is_empty() {
            lists = index_locations(section, &mut indices)?;
        }
    }
    for (id, section) in &mut rest {
        index_fields(*id, section, &lists, &mut indices);
    }
    let identity = identity(name, &rest);
    for (id, section) in &mut rest {
        match id {
            SectionId::DebugInfo => identify(section, DW_UT_split_compile, identity),
            SectionId::DebugAbbrev => change_forms(section),
            _ => {}
        }
    }
    let mut kept = skeleton_sections(object, &mut skeleton, unit, name, lines)?;
    for (id, section) in &mut kept {
        match id {
            SectionId::DebugInfo => identify(section, DW_UT_skeleton, identity),
            // After the number of the only abbreviation.
            SectionId::DebugAbbrev => section.write_u8_at(1, DW_TAG_skeleton_unit.0 as u8)?,
            _ => {}
        }
    }
    write_addresses(object, &indices);
    store_sections(object, kept);
    store_rest(object, rest, &indices);
    Ok(())
}

fn sections(dwarf: &mut DwarfUnit) -> Result<Vec<(SectionId, RelocatedSection)>> {
    let mut sections = Sections::new(RelocatedSection::empty());
    dwarf.write(&mut sections)?;
    let mut list = Vec::new();
    sections.for_each(|id, section| {
        list.push((id, section.clone()));
        Ok::<(), gimli::write::Error>(())
    })?;
    Ok(list)
}

/// The unit that says where the rest is.
fn skeleton_sections(
    object: &mut ObjectBuilder,
    skeleton: &mut DwarfUnit,
    unit: &DebugUnit<'_>,
    name: &str,
    lines: &[FunctionLines],
) -> Result<Vec<(SectionId, RelocatedSection)>> {
    super::write_unit_ranges(object, skeleton, lines);
    let name = skeleton.strings.add(name);
    let directory = skeleton.strings.add(unit.directory.as_bytes());
    let root = skeleton.unit.root();
    let entry = skeleton.unit.get_mut(root);
    entry.set(DW_AT_dwo_name, AttributeValue::StringRef(name));
    entry.set(DW_AT_comp_dir, AttributeValue::StringRef(directory));
    // gimli has no offsets into `.debug_addr`; the skeleton has no macros.
    entry.set(DW_AT_addr_base, AttributeValue::DebugMacroRef(DebugMacroOffset(TABLE_HEADER)));
    let mut list = sections(skeleton)?;
    for fixup in list.iter_mut().flat_map(|(_, section)| &mut section.fixups) {
        if let Target::Section(section @ SectionId::DebugMacro) = &mut fixup.target {
            *section = SectionId::DebugAddr;
        }
    }
    Ok(list)
}

/// Gives each entry of location lists an address of its own, as gcc does: gdb 13 knows no entries
/// relative to others in this file. What offsets of lists have become.
fn index_locations(section: &mut RelocatedSection, indices: &mut Indices) -> Result<FxHashMap<usize, usize>> {
    let old = std::mem::replace(section, RelocatedSection::empty());
    let mut fixups = old.fixups.iter().copied().peekable();
    let mut starts = FxHashMap::default();
    let (mut at, mut base) = (LISTS_HEADER, None);
    section.write(&old.bytes[..at])?;
    let mut start = true;
    while at < old.bytes.len() {
        if start {
            starts.insert(at, section.len());
        }
        let kind = DwLle(old.bytes[at]);
        at += 1;
        start = kind == DW_LLE_end_of_list;
        match kind {
            gimli::DW_LLE_base_address => {
                base = fixups.next();
                at += 8;
            }
            gimli::DW_LLE_offset_pair => {
                let (begin, end) = (number(&old.bytes, &mut at), number(&old.bytes, &mut at));
                let Some(Fixup { target: Target::Symbol(symbol), addend, .. }) = base else {
                    return Err(gimli::write::Error::InvalidAddress);
                };
                section.write_u8(DW_LLE_startx_length.0)?;
                section.write_uleb128(indices.address(symbol, addend + begin as i64).into())?;
                section.write_uleb128(end - begin)?;
                let bytes = number(&old.bytes, &mut at);
                section.write_uleb128(bytes)?;
                let expression = at..at + bytes as usize;
                while let Some(inside) = fixups.next_if(|fixup| expression.contains(&fixup.offset)) {
                    let offset = section.len() + inside.offset - at;
                    section.fixups.push(Fixup { offset, ..inside });
                }
                section.write(&old.bytes[expression.clone()])?;
                at = expression.end;
            }
            _ => section.write_u8(DW_LLE_end_of_list.0)?,
        }
    }
    let length = section.len() - 4;
    section.write_udata_at(0, length as u64, 4)?;
    Ok(starts)
}

/// Puts indices and offsets into the fields that would be relocated. `lists` is what offsets of
/// location lists have become.
fn index_fields(id: SectionId, section: &mut RelocatedSection, lists: &FxHashMap<usize, usize>, indices: &mut Indices) {
    let bytes = &mut section.bytes;
    for fixup in std::mem::take(&mut section.fixups) {
        let size = usize::from(fixup.size);
        let field = fixup.offset..fixup.offset + size;
        match fixup.target {
            Target::Section(SectionId::DebugStr) => {
                let index = indices.string(fixup.addend as usize);
                match id {
                    SectionId::DebugMacro => bytes[field].copy_from_slice(&padded(index, size)),
                    _ => bytes[field].copy_from_slice(&index.to_le_bytes()),
                }
            }
            Target::Section(SectionId::DebugLocLists) => {
                let offset = lists.get(&(fixup.addend as usize)).copied().unwrap_or_default();
                bytes[field].copy_from_slice(&(offset as u32).to_le_bytes());
            }
            Target::Section(_) => bytes[field].copy_from_slice(&(fixup.addend as u32).to_le_bytes()),
            Target::Symbol(symbol) => {
                let index = indices.address(symbol, fixup.addend);
                let operation = match id {
                    _ if fixup.in_expression => Some(DW_OP_addrx.0),
                    SectionId::DebugRngLists => Some(DW_RLE_base_addressx.0),
                    _ => None,
                };
                if let Some(operation) = operation {
                    bytes[fixup.offset - 1] = operation;
                }
                bytes[field].copy_from_slice(&padded(index, size));
            }
        }
    }
}

/// A number in LEB128 of `size` bytes.
fn padded(value: u32, size: usize) -> Vec<u8> {
    let digit = |index: usize| ((u64::from(value) >> (7 * index)) & 0x7f) as u8;
    (0..size).map(|index| digit(index) | if index + 1 < size { 0x80 } else { 0 }).collect()
}

/// Reads a number in LEB128.
fn number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

/// Attributes that had strings and addresses have indices.
fn change_forms(section: &mut RelocatedSection) {
    let bytes = &mut section.bytes;
    let mut at = 0;
    while number(bytes, &mut at) != 0 {
        number(bytes, &mut at);
        // Whether it has children.
        at += 1;
        loop {
            let name = number(bytes, &mut at);
            let place = at;
            let form = number(bytes, &mut at);
            if (name, form) == (0, 0) {
                break;
            }
            // All of these forms are one byte.
            if form == u64::from(DW_FORM_strp.0) {
                bytes[place] = DW_FORM_strx4.0 as u8;
            } else if form == u64::from(DW_FORM_addr.0) {
                bytes[place] = DW_FORM_addrx.0 as u8;
            }
        }
    }
}

/// Gives a unit its kind and the number that both parts have, after its header.
fn identify(section: &mut RelocatedSection, kind: DwUt, identity: u64) {
    let number = identity.to_le_bytes();
    let bytes = &mut section.bytes;
    // References are relative to the header.
    for &at in section.patched.iter().filter(|&&at| at >= UNIT_HEADER) {
        add(&mut bytes[at..at + 4], number.len());
    }
    add(&mut bytes[..4], number.len());
    bytes[UNIT_TYPE] = kind.0;
    bytes.splice(UNIT_HEADER..UNIT_HEADER, number);
    section.fixups.iter_mut().filter(|fixup| fixup.offset >= UNIT_HEADER).for_each(|fixup| {
        fixup.offset += number.len();
    });
}

fn add(field: &mut [u8], more: usize) {
    let value = u32::from_le_bytes([field[0], field[1], field[2], field[3]]) + more as u32;
    field.copy_from_slice(&value.to_le_bytes());
}

fn identity(name: &str, sections: &[(SectionId, RelocatedSection)]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    sections.iter().for_each(|(_, section)| hasher.write(&section.bytes));
    hasher.finish()
}

/// `.debug_addr`, the only part of addresses that is relocated.
fn write_addresses(object: &mut ObjectBuilder, indices: &Indices) {
    let section = debug_section(object, SectionId::DebugAddr);
    let mut bytes = ((4 + 8 * indices.addresses.len()) as u32).to_le_bytes().to_vec();
    // Version, bytes of an address, none of a segment.
    bytes.extend([5, 0, 8, 0]);
    object.append(section, 1, &bytes);
    for &(symbol, addend) in &indices.addresses {
        let at = object.append(section, 1, &[0; 8]);
        object.add_relocation(section, at, RelocKind::Abs64, symbol, addend);
    }
}

/// The sections for the other file. Linkers leave them out of what they make.
fn store_rest(object: &mut ObjectBuilder, rest: Vec<(SectionId, RelocatedSection)>, indices: &Indices) {
    let mut offsets = ((4 + 4 * indices.strings.len()) as u32).to_le_bytes().to_vec();
    // Version and padding.
    offsets.extend([5, 0, 0, 0]);
    offsets.extend(indices.strings.iter().flat_map(|&offset| (offset as u32).to_le_bytes()));
    let rest = rest.iter().map(|(id, section)| (*id, section.bytes.as_slice()));
    for (id, bytes) in rest.chain([(SectionId::DebugStrOffsets, offsets.as_slice())]) {
        if let (Some(name), false) = (id.dwo_name(), bytes.is_empty()) {
            let section = object.section(&SectionSpec::new(name, section_type::PROGBITS, section_flags::EXCLUDE));
            object.append(section, 1, bytes);
        }
    }
}
