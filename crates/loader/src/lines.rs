//! Source lines of instructions, from the line tables of the objects (DWARF 5, section 6.2).
//! Tables are kept as bytes; who asks for a line pays for reading them.

use crate::inputs::{Inputs, Object};
use crate::layout::Layout;
use elf_object::LittleEndian as Le;
use elf_object::elf;

/// A place in a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// As the compilation named it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// The sections of one object that line tables are made of, relocated.
struct Unit {
    line: Vec<u8>,
    line_strings: Vec<u8>,
}

pub struct Table(Vec<Unit>);

impl Table {
    pub fn new(inputs: &Inputs<'_>, layout: &Layout) -> Table {
        let objects = inputs.objects.iter().enumerate();
        Table(objects.filter_map(|(index, object)| unit(object, index, layout)).collect())
    }

    /// The line of the instruction at an address.
    pub fn find(&self, address: usize) -> Option<Line> {
        self.0.iter().find_map(|unit| find(unit, address as u64).ok().flatten())
    }
}

fn unit(object: &Object<'_>, index: usize, layout: &Layout) -> Option<Unit> {
    let section = |name: &[u8]| object.sections.iter().position(|s| s.name == name && s.flags & 0x800 == 0);
    let line = section(b".debug_line")?;
    let mut bytes = object.sections[line].data.to_vec();
    for relocation in object.sections[line].relocations {
        let symbol = object.symbols.get(relocation.r_sym(Le, false) as usize)?;
        let width = match relocation.r_type(Le, false) {
            elf::R_X86_64_64 => 8,
            elf::R_X86_64_32 => 4,
            _ => return None,
        };
        let number = symbol.section as usize;
        let base = if number < object.sections.len() && layout.is_placed((index, number)) {
            layout.address((index, number)) as u64
        } else {
            0
        };
        let value = base.wrapping_add(symbol.value).wrapping_add(relocation.r_addend.get(Le) as u64);
        let at = relocation.r_offset.get(Le) as usize;
        bytes.get_mut(at..at.checked_add(width)?)?.copy_from_slice(&value.to_le_bytes()[..width]);
    }
    let line_strings = section(b".debug_line_str").map_or(Vec::new(), |s| object.sections[s].data.to_vec());
    Some(Unit { line: bytes, line_strings })
}

fn find(unit: &Unit, address: u64) -> gimli::Result<Option<Line>> {
    let endian = gimli::LittleEndian;
    let lines = gimli::DebugLine::new(&unit.line, endian);
    let mut offset = 0;
    while offset < unit.line.len() {
        let program = lines.program(gimli::DebugLineOffset(offset), 8, None, None)?;
        offset += program.header().unit_length() + 4;
        let header = program.header().clone();
        if let Some((file, line)) = row(program, address)? {
            let name = header.file(file).map(|entry| entry.path_name());
            let name = name.and_then(|name| match name {
                gimli::AttributeValue::DebugLineStrRef(at) => string(&unit.line_strings, at.0),
                gimli::AttributeValue::String(text) => Some(text.slice()),
                _ => None,
            });
            let file = name.map(|name| String::from_utf8_lossy(name).into_owned());
            return Ok(Some(Line { file: file.unwrap_or_default(), line }));
        }
    }
    Ok(None)
}

/// File and line of the row of a table that covers an address.
pub fn row<R: gimli::Reader>(
    program: gimli::IncompleteLineProgram<R>,
    address: u64,
) -> gimli::Result<Option<(u64, u32)>> {
    let mut rows = program.rows();
    let mut before: Option<(u64, u64, u64)> = None;
    while let Some((_, row)) = rows.next_row()? {
        if let Some((start, file, line)) = before
            && (start..row.address()).contains(&address)
        {
            return Ok(Some((file, line as u32)));
        }
        let line = row.line().map_or(0, |line| line.get());
        before = (!row.end_sequence()).then_some((row.address(), row.file_index(), line));
    }
    Ok(None)
}

/// The string at an offset of a table of strings.
fn string(table: &[u8], at: usize) -> Option<&[u8]> {
    let rest = table.get(at..)?;
    Some(&rest[..rest.iter().position(|byte| *byte == 0)?])
}
