//! Functions and source lines of addresses in a linked program or library, calls that were inlined
//! among them (DWARF 5, section 3.3.8).

use crate::lines::{self, Line};
use elf_object::elf;
use elf_object::read::elf::ElfFile64;
use elf_object::read::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use gimli::{DW_AT_call_file, DW_AT_call_line, DW_AT_name, DW_TAG_inlined_subroutine, DW_TAG_subprogram};

type Reader<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;
type Unit<'a> = gimli::Unit<Reader<'a>>;
type Entry<'a, 'b> = gimli::DebuggingInformationEntry<'b, 'b, Reader<'a>>;

/// A function that an instruction belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name, if the file has it.
    pub function: Option<String>,
    /// The line of the instruction, or of the call of what was inlined there.
    pub line: Option<Line>,
}

/// An executable or shared library, as it is in its file.
pub struct Executable<'a> {
    file: ElfFile64<'a, elf_object::LittleEndian>,
    dwarf: gimli::Dwarf<Reader<'a>>,
}

impl<'a> Executable<'a> {
    /// Reads a file; `None` if it is damaged or something else.
    pub fn read(bytes: &'a [u8]) -> Option<Executable<'a>> {
        let file = ElfFile64::parse(bytes).ok()?;
        let section = |id: gimli::SectionId| {
            // A compressed section is as good as none.
            let section = file.section_by_name(id.name());
            let plain = section.filter(|s| s.elf_section_header().sh_flags.get(Default::default()) & COMPRESSED == 0);
            let data = plain.and_then(|section| section.data().ok()).unwrap_or_default();
            Ok::<_, ()>(gimli::EndianSlice::new(data, gimli::LittleEndian))
        };
        let dwarf = gimli::Dwarf::load(section).ok()?;
        Some(Executable { file, dwarf })
    }

    /// The address that the first page of the file is linked for.
    pub fn base(&self) -> u64 {
        use elf_object::read::ObjectSegment;
        self.file.segments().map(|segment| segment.address() & !0xfff).min().unwrap_or(0)
    }

    /// The functions that have the instruction at an address, from the innermost inlined one to the
    /// one that has a symbol.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let symbol = self.symbol(address);
        match self.described(address).ok().flatten() {
            Some(mut frames) => {
                if let Some(last) = frames.last_mut() {
                    last.function = symbol.or(last.function.take());
                }
                frames
            }
            None if symbol.is_some() => vec![Frame { function: symbol, line: None }],
            None => Vec::new(),
        }
    }

    /// The function symbol that covers an address.
    fn symbol(&self, address: u64) -> Option<String> {
        let covers = |symbol: &elf_object::read::elf::ElfSymbol64<'_, '_, elf_object::LittleEndian>| {
            symbol.kind() == SymbolKind::Text
                && symbol.is_definition()
                && (symbol.address()..symbol.address() + symbol.size()).contains(&address)
        };
        let found = self.file.symbols().find(covers).or_else(|| self.file.dynamic_symbols().find(covers));
        found.and_then(|symbol| symbol.name().ok().map(str::to_string))
    }

    fn described(&self, address: u64) -> gimli::Result<Option<Vec<Frame>>> {
        let mut headers = self.dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = self.dwarf.unit(header)?;
            if !covers(self.dwarf.unit_ranges(&unit)?, address)? {
                continue;
            }
            let line = match &unit.line_program {
                Some(program) => lines::row(program.clone(), address)?
                    .map(|(file, line)| Line { file: self.file_name(&unit, file), line }),
                None => None,
            };
            return self.chain(&unit, address, line).map(Some);
        }
        Ok(None)
    }

    /// The frames of one unit; `line` is that of the instruction.
    fn chain(&self, unit: &Unit<'a>, address: u64, line: Option<Line>) -> gimli::Result<Vec<Frame>> {
        // From outside: the function, and what was inlined into it.
        let mut found: Vec<(Option<String>, Option<Line>)> = Vec::new();
        let mut entries = unit.entries();
        let mut depth = 0isize;
        // Below an entry that does not cover the address nothing does.
        let mut skipped: Option<isize> = None;
        while let Some((step, entry)) = entries.next_dfs()? {
            depth += step;
            if skipped.is_some_and(|level| depth > level) {
                continue;
            }
            skipped = None;
            let is_inlined = entry.tag() == DW_TAG_inlined_subroutine;
            if !is_inlined && entry.tag() != DW_TAG_subprogram {
                continue;
            }
            if covers(self.dwarf.die_ranges(unit, entry)?, address)? {
                let place = if is_inlined { self.call_place(unit, entry)? } else { None };
                found.push((self.name(unit, entry)?, place));
            } else {
                skipped = Some(depth);
            }
        }
        let mut frames = Vec::new();
        let mut line = line;
        for (function, place) in found.into_iter().rev() {
            frames.push(Frame { function, line: line.take() });
            line = place;
        }
        if frames.is_empty() {
            frames.push(Frame { function: None, line });
        }
        Ok(frames)
    }

    /// Where the call of an inlined function stands.
    fn call_place(&self, unit: &Unit<'a>, entry: &Entry<'a, '_>) -> gimli::Result<Option<Line>> {
        let file = entry.attr_value(DW_AT_call_file)?.and_then(|value| value.udata_value());
        let line = entry.attr_value(DW_AT_call_line)?.and_then(|value| value.udata_value());
        Ok(line.map(|line| Line { file: self.file_name(unit, file.unwrap_or(0)), line: line as u32 }))
    }

    /// A function's name, from where it is described if it is not said here.
    fn name(&self, unit: &Unit<'a>, entry: &Entry<'a, '_>) -> gimli::Result<Option<String>> {
        if let Some(value) = entry.attr_value(DW_AT_name)? {
            let text = self.dwarf.attr_string(unit, value)?;
            return Ok(Some(String::from_utf8_lossy(text.slice()).into_owned()));
        }
        let gimli::AttributeValue::UnitRef(at) =
            entry.attr_value(gimli::DW_AT_abstract_origin)?.unwrap_or(gimli::AttributeValue::Udata(0))
        else {
            return Ok(None);
        };
        let origin = unit.entry(at)?;
        match origin.attr_value(DW_AT_name)? {
            Some(value) => {
                let text = self.dwarf.attr_string(unit, value)?;
                Ok(Some(String::from_utf8_lossy(text.slice()).into_owned()))
            }
            None => Ok(None),
        }
    }

    fn file_name(&self, unit: &Unit<'a>, index: u64) -> String {
        let program = unit.line_program.as_ref();
        let name = program.and_then(|program| program.header().file(index)).map(|file| file.path_name());
        let text = name.and_then(|name| self.dwarf.attr_string(unit, name).ok());
        text.map(|text| String::from_utf8_lossy(text.slice()).into_owned()).unwrap_or_default()
    }
}

const COMPRESSED: u64 = elf::SHF_COMPRESSED as u64;

fn covers(mut ranges: gimli::RangeIter<Reader<'_>>, address: u64) -> gimli::Result<bool> {
    while let Some(range) = ranges.next()? {
        if (range.begin..range.end).contains(&address) {
            return Ok(true);
        }
    }
    Ok(false)
}
