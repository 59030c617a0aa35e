//! DWARF 5 for `-g`: the line table and a compile unit with its types, variables and functions.
//!
//! The caller describes the unit ([`DebugUnit`]): files, how a raw location maps
//! to a file and line, types, variables and functions. The sections are produced by gimli; its
//! references to addresses and to other sections become relocations.

mod blocks;
mod bounds;
mod calls;
mod inlined;
mod macros;
mod records;
mod split;
mod types;
mod variables;

use base::debug_types::{TypeIndex, TypeTable};
use gimli::{
    DW_AT_abstract_origin, DW_AT_comp_dir, DW_AT_external, DW_AT_frame_base, DW_AT_high_pc, DW_AT_language,
    DW_AT_linkage_name, DW_AT_low_pc, DW_AT_name, DW_AT_producer, DW_AT_prototyped, DW_AT_ranges, DW_OP_call_frame_cfa,
    DW_TAG_subprogram, DwLang, Encoding, Format, LineEncoding, LittleEndian,
    write::{
        Address, AttributeValue, DwarfUnit, Expression, FileId, LineProgram, LineString, Range, RangeList, Sections,
        UnitEntryId, Writer,
    },
};

pub use calls::DebugCall;
pub use macros::DebugMacro;
pub use records::{DebugBlock, DebugCallee, DebugInline, DebugOrigin, DebugPlace, DebugVariable};

use crate::{
    builder::ObjectBuilder,
    function_code::{FunctionLines, LineEntry},
    relocations::RelocKind,
    sections::{SectionId, SectionSpec, section_flags, section_type},
    symbols::SymbolId,
};

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugFile {
    /// Directory, absolute or relative to the compilation directory; empty for that directory
    /// itself.
    pub directory: String,
    /// Name in the directory.
    pub name: String,
}

/// A position in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugPosition {
    /// Index into [`DebugUnit::files`].
    pub file: u32,
    /// Line, from 1; 0 is "none".
    pub line: u32,
    /// Column, from 1; 0 is "none".
    pub column: u32,
}

/// A function for the debugger.
#[derive(Clone, Debug)]
pub struct DebugFunction {
    /// Its symbol; the function must have been appended with line rows.
    pub symbol: SymbolId,
    /// What it has in common with its inlined copies: index in [`DebugUnit::origins`].
    pub origin: Option<u32>,
    /// Its name in the source (differs from the symbol's with `asm("name")`).
    pub name: String,
    /// Where it is declared.
    pub position: Option<DebugPosition>,
    /// Visible outside the unit.
    pub external: bool,
    /// Type of the result.
    pub result: Option<TypeIndex>,
    /// Defined with a prototype.
    pub prototyped: bool,
    /// `...` follows the parameters.
    pub variadic: bool,
    /// The function itself, then the blocks and inlined functions in it; may be empty when there
    /// are no variables.
    pub blocks: Vec<DebugBlock>,
    /// Parameters and variables.
    pub variables: Vec<DebugVariable>,
    /// Calls in the order of their code.
    pub calls: Vec<DebugCall>,
}

/// What describes a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugOwner {
    /// An entry of [`DebugUnit::origins`].
    Origin(u32),
    /// The entry of [`DebugUnit::functions`] with this symbol.
    Function(SymbolId),
}

/// A compile unit.
pub struct DebugUnit<'a> {
    /// The source file as named on the command line.
    pub name: String,
    /// The compilation directory.
    pub directory: String,
    /// The compiler and its options.
    pub producer: String,
    /// DWARF language code (`DW_LANG_C11` is 0x1d).
    pub language: u16,
    /// DWARF version, 2 to 5.
    pub version: u16,
    /// Source files; the first one is the unit's own.
    pub files: &'a [DebugFile],
    /// Position of a raw location, `None` for code without one.
    pub position: &'a dyn Fn(u32) -> Option<DebugPosition>,
    /// Types that variables and functions refer to.
    pub types: &'a TypeTable,
    /// What describes a function whose number a type names.
    pub owner: &'a dyn Fn(u32) -> Option<DebugOwner>,
    /// Variables outside functions.
    pub globals: &'a [DebugVariable],
    /// Under `-gsplit-dwarf`: the name of the file that all goes to but the line table. Has no
    /// effect before DWARF 5.
    pub split: Option<&'a str>,
    /// What the preprocessor did, for `-g3`.
    pub macros: &'a [DebugMacro<'a>],
    /// Functions that are defined elsewhere.
    pub callees: &'a [DebugCallee],
    /// Functions of which there are inlined copies.
    pub origins: &'a [DebugOrigin],
    /// The functions in order.
    pub functions: &'a [DebugFunction],
}

impl DebugUnit<'_> {
    fn split_name(&self) -> Option<&str> {
        self.split.filter(|_| self.version >= 5)
    }
}

/// A field of a debug section that the linker fills in.
#[derive(Clone, Copy)]
struct Fixup {
    offset: usize,
    target: Target,
    addend: i64,
    size: u8,
    /// It is an operand of `DW_OP_addr`.
    in_expression: bool,
}

#[derive(Clone, Copy)]
enum Target {
    Symbol(SymbolId),
    Section(gimli::SectionId),
}

/// A debug section being written, with its relocations.
#[derive(Clone)]
struct RelocatedSection {
    bytes: Vec<u8>,
    fixups: Vec<Fixup>,
    /// Fields that were written again: references between entries, lengths of units.
    patched: Vec<usize>,
}

impl RelocatedSection {
    fn empty() -> RelocatedSection {
        RelocatedSection { bytes: Vec::new(), fixups: Vec::new(), patched: Vec::new() }
    }
}

impl Writer for RelocatedSection {
    type Endian = LittleEndian;

    fn endian(&self) -> LittleEndian {
        LittleEndian
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn write(&mut self, bytes: &[u8]) -> gimli::write::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn write_at(&mut self, offset: usize, bytes: &[u8]) -> gimli::write::Result<()> {
        self.patched.push(offset);
        let field = self.bytes.get_mut(offset..offset + bytes.len());
        field.ok_or(gimli::write::Error::LengthOutOfBounds)?.copy_from_slice(bytes);
        Ok(())
    }

    fn write_address(&mut self, address: Address, size: u8) -> gimli::write::Result<()> {
        match address {
            Address::Constant(value) => self.write_udata(value, size),
            Address::Symbol { symbol, addend } => {
                let target = Target::Symbol(SymbolId(symbol as u32));
                let in_expression = symbol & IN_EXPRESSION != 0;
                self.fixups.push(Fixup { offset: self.len(), target, addend, size, in_expression });
                self.write_udata(0, size)
            }
        }
    }

    fn write_offset(&mut self, value: usize, section: gimli::SectionId, size: u8) -> gimli::write::Result<()> {
        let (target, addend) = (Target::Section(section), value as i64);
        self.fixups.push(Fixup { offset: self.len(), target, addend, size, in_expression: false });
        self.write_udata(0, size)
    }

    fn write_offset_at(
        &mut self,
        offset: usize,
        value: usize,
        section: gimli::SectionId,
        size: u8,
    ) -> gimli::write::Result<()> {
        let (target, addend) = (Target::Section(section), value as i64);
        self.fixups.push(Fixup { offset, target, addend, size, in_expression: false });
        self.write_udata_at(offset, 0, size)
    }
}

impl ObjectBuilder {
    /// The functions that were appended with line rows, in order, with their rows and lengths.
    pub fn functions_with_lines(&self) -> impl Iterator<Item = (SymbolId, &[LineEntry], u32)> {
        self.lines.iter().map(|function| (function.symbol, function.rows.as_slice(), function.length as u32))
    }

    /// Writes `.debug_info`, `.debug_line` and what they refer to, for the functions appended so
    /// far.
    ///
    /// # Errors
    /// gimli's message, if a value does not fit its field.
    pub fn write_debug_info(&mut self, unit: &DebugUnit<'_>) -> Result<(), String> {
        let lines = std::mem::take(&mut self.lines);
        if let Some(name) = unit.split_name() {
            split::write(self, unit, name, &lines).map_err(|error| error.to_string())?;
            write_aranges(self, &lines);
            return Ok(());
        }
        let encoding = Encoding { format: Format::Dwarf32, version: unit.version, address_size: 8 };
        let mut dwarf = DwarfUnit::new(encoding);
        let files = write_lines(self, &mut dwarf, unit, &lines);
        write_unit(self, &mut dwarf, unit, &lines, &files);
        let mut sections = Sections::new(RelocatedSection::empty());
        dwarf.write(&mut sections).map_err(|error| error.to_string())?;
        let mut order = Vec::new();
        let result: Result<(), gimli::write::Error> = sections.for_each(|id, section| {
            order.push((id, section.clone()));
            Ok(())
        });
        result.map_err(|error| error.to_string())?;
        macros::write_macros(&mut order, &dwarf, unit, &files).map_err(|error| error.to_string())?;
        store_sections(self, order);
        write_aranges(self, &lines);
        Ok(())
    }
}

/// Marks the symbols of addresses that are operands of expressions.
const IN_EXPRESSION: usize = 1 << 32;

/// The address of a symbol of the object as an operand.
fn operand(symbol: usize, addend: i64) -> Address {
    Address::Symbol { symbol: symbol | IN_EXPRESSION, addend }
}

fn address(object: &mut ObjectBuilder, section: SectionId, offset: u64) -> Address {
    Address::Symbol { symbol: object.section_symbol(section).index(), addend: offset as i64 }
}

/// An address some bytes further.
fn moved(address: Address, bytes: u32) -> Address {
    match address {
        Address::Constant(base) => Address::Constant(base + u64::from(bytes)),
        Address::Symbol { symbol, addend } => Address::Symbol { symbol, addend: addend + i64::from(bytes) },
    }
}

/// `DW_AT_high_pc`: a length since DWARF 4, before that an address.
fn high_pc(dwarf: &DwarfUnit, low: Address, length: u64) -> AttributeValue {
    match low {
        Address::Symbol { symbol, addend } if dwarf.unit.version() < 4 => {
            AttributeValue::Address(Address::Symbol { symbol, addend: addend + length as i64 })
        }
        _ => AttributeValue::Udata(length),
    }
}

fn line_string(dwarf: &mut DwarfUnit, text: &str) -> LineString {
    let encoding = dwarf.unit.encoding();
    LineString::new(text.as_bytes(), encoding, &mut dwarf.line_strings)
}

fn write_lines(
    object: &mut ObjectBuilder,
    dwarf: &mut DwarfUnit,
    unit: &DebugUnit<'_>,
    lines: &[FunctionLines],
) -> Vec<FileId> {
    let directory = line_string(dwarf, non_empty(&unit.directory));
    let name = line_string(dwarf, non_empty(&unit.name));
    let encoding = dwarf.unit.encoding();
    let mut program = LineProgram::new(encoding, LineEncoding::default(), directory, None, name, None);
    let default = program.default_directory();
    let files: Vec<FileId> = unit
        .files
        .iter()
        .map(|file| {
            let directory = if file.directory.is_empty() {
                default
            } else {
                let text = line_string(dwarf, &file.directory);
                program.add_directory(text)
            };
            let text = line_string(dwarf, non_empty(&file.name));
            program.add_file(text, directory, None)
        })
        .collect();
    for function in lines {
        let start = address(object, function.section, function.offset);
        program.begin_sequence(Some(start));
        for row in &function.rows {
            let position = (unit.position)(row.location);
            let Some(&file) = position.and_then(|p| files.get(p.file as usize)).or(files.first()) else { continue };
            let line = program.row();
            line.address_offset = u64::from(row.offset);
            line.file = file;
            line.line = position.map_or(0, |p| u64::from(p.line));
            line.column = position.map_or(0, |p| u64::from(p.column));
            line.is_statement = row.is_stmt && position.is_some();
            line.prologue_end = row.prologue_end;
            program.generate_row();
        }
        program.end_sequence(function.length);
    }
    dwarf.unit.line_program = program;
    files
}

fn non_empty(text: &str) -> &str {
    if text.is_empty() { "." } else { text }
}

fn write_unit(
    object: &mut ObjectBuilder,
    dwarf: &mut DwarfUnit,
    unit: &DebugUnit<'_>,
    lines: &[FunctionLines],
    files: &[FileId],
) {
    let root = dwarf.unit.root();
    let producer = dwarf.strings.add(unit.producer.as_bytes());
    let split = unit.split_name().is_some();
    let mut text = |text: &str| match line_string(dwarf, text) {
        _ if split => AttributeValue::StringRef(dwarf.strings.add(text)),
        LineString::LineStringRef(id) => AttributeValue::LineStringRef(id),
        LineString::StringRef(id) => AttributeValue::StringRef(id),
        LineString::String(bytes) => AttributeValue::String(bytes),
    };
    let (name, directory) = (text(&unit.name), text(&unit.directory));
    let entry = dwarf.unit.get_mut(root);
    entry.set(DW_AT_producer, AttributeValue::StringRef(producer));
    entry.set(DW_AT_language, AttributeValue::Language(DwLang(unit.language)));
    entry.set(DW_AT_name, name);
    entry.set(DW_AT_comp_dir, directory);
    macros::refer(dwarf, unit);
    if !split {
        write_unit_ranges(object, dwarf, lines);
    }
    let roots: Vec<UnitEntryId> = unit.origins.iter().map(|_| dwarf.unit.add(root, DW_TAG_subprogram)).collect();
    let placed: rustc_hash::FxHashMap<SymbolId, usize> = lines.iter().enumerate().map(|(i, l)| (l.symbol, i)).collect();
    let mut callees = calls::Callees { entries: rustc_hash::FxHashMap::default() };
    let functions: Vec<(&DebugFunction, &FunctionLines)> =
        unit.functions.iter().filter_map(|f| Some((f, &lines[*placed.get(&f.symbol)?]))).collect();
    for (function, _) in &functions {
        callees.entries.insert(function.symbol, dwarf.unit.add(root, DW_TAG_subprogram));
    }
    let owner = |number: u32| match (unit.owner)(number)? {
        DebugOwner::Origin(origin) => roots.get(origin as usize).copied(),
        DebugOwner::Function(symbol) => callees.entries.get(&symbol).copied(),
    };
    let types = types::TypeEntries::write(dwarf, unit, files, &owner);
    let origins = inlined::write_origins(dwarf, &types, files, &roots, unit.origins);
    let entries = UnitEntries { types, files, origins };
    for variable in unit.globals {
        variables::write_variable(dwarf, &entries, variable, root, None);
    }
    for callee in unit.callees {
        calls::write_callee(object, dwarf, &entries, &mut callees, callee);
    }
    let placed = |&(function, code): &(_, &FunctionLines)| {
        let function: &DebugFunction = function;
        (function, (callees.entries[&function.symbol], address(object, code.section, code.offset), code.length))
    };
    let functions: Vec<bounds::PlacedFunction<'_>> = functions.iter().map(placed).collect();
    for &(function, place) in &functions {
        write_function(object, dwarf, &entries, function, place);
        calls::write_calls(object, dwarf, &mut callees, &function.calls, place.0, place.1);
    }
    bounds::write_bounds(dwarf, &entries, &functions);
}

/// What entries of functions refer to.
struct UnitEntries<'a> {
    types: types::TypeEntries<'a>,
    files: &'a [FileId],
    origins: Vec<inlined::OriginEntries>,
}

/// A function without its calls; `place` is its entry, its address and how long it is.
fn write_function(
    object: &ObjectBuilder,
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    function: &DebugFunction,
    place: (UnitEntryId, Address, u64),
) {
    let (id, low, length) = place;
    let symbol_name = object.symbol_name(function.symbol);
    let high = high_pc(dwarf, low, length);
    match function.origin {
        Some(origin) => {
            let root = unit.origins[origin as usize].root;
            dwarf.unit.get_mut(id).set(DW_AT_abstract_origin, AttributeValue::UnitRef(root));
        }
        None => {
            let linkage = Some(symbol_name).filter(|&name| name != function.name);
            write_head(dwarf, id, unit.files, &function.name, linkage, function.position, function.external);
            if function.prototyped {
                dwarf.unit.get_mut(id).set(DW_AT_prototyped, AttributeValue::Flag(true));
            }
            unit.types.set_type(dwarf, id, function.result);
        }
    }
    let entry = dwarf.unit.get_mut(id);
    entry.set(DW_AT_low_pc, AttributeValue::Address(low));
    entry.set(DW_AT_high_pc, high);
    let mut frame_base = Expression::new();
    frame_base.op(DW_OP_call_frame_cfa);
    entry.set(DW_AT_frame_base, AttributeValue::Exprloc(frame_base));
    blocks::write_contents(dwarf, unit, function, id, low);
}

/// Names of a function, and where it is declared.
fn write_head(
    dwarf: &mut DwarfUnit,
    id: UnitEntryId,
    files: &[FileId],
    name: &str,
    linkage: Option<&str>,
    position: Option<DebugPosition>,
    external: bool,
) {
    let name = dwarf.strings.add(name.as_bytes());
    let linkage = linkage.map(|name| dwarf.strings.add(name.as_bytes()));
    let entry = dwarf.unit.get_mut(id);
    entry.set(DW_AT_name, AttributeValue::StringRef(name));
    if let Some(linkage) = linkage {
        entry.set(DW_AT_linkage_name, AttributeValue::StringRef(linkage));
    }
    types::set_position(dwarf, files, id, position);
    if external {
        dwarf.unit.get_mut(id).set(DW_AT_external, AttributeValue::Flag(true));
    }
}

fn write_unit_ranges(object: &mut ObjectBuilder, dwarf: &mut DwarfUnit, lines: &[FunctionLines]) {
    let spans = section_spans(lines);
    let root = dwarf.unit.root();
    if let [(section, start, end)] = spans[..] {
        let low = address(object, section, start);
        let high = high_pc(dwarf, low, end - start);
        let entry = dwarf.unit.get_mut(root);
        entry.set(DW_AT_low_pc, AttributeValue::Address(low));
        entry.set(DW_AT_high_pc, high);
    } else if !spans.is_empty() {
        let mut ranges = Vec::with_capacity(spans.len());
        for (section, start, end) in spans {
            let begin = address(object, section, start);
            ranges.push(Range::StartLength { begin, length: end - start });
        }
        let ranges = dwarf.unit.ranges.add(RangeList(ranges));
        let entry = dwarf.unit.get_mut(root);
        entry.set(DW_AT_low_pc, AttributeValue::Address(Address::Constant(0)));
        entry.set(DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    }
}

/// First and last byte of the functions in each section, sections in order of first use.
fn section_spans(lines: &[FunctionLines]) -> Vec<(SectionId, u64, u64)> {
    let mut spans: Vec<(SectionId, u64, u64)> = Vec::new();
    let mut position: rustc_hash::FxHashMap<SectionId, usize> = Default::default();
    for function in lines {
        let end = function.offset + function.length;
        match position.get(&function.section) {
            Some(&i) => {
                spans[i].1 = spans[i].1.min(function.offset);
                spans[i].2 = spans[i].2.max(end);
            }
            None => {
                position.insert(function.section, spans.len());
                spans.push((function.section, function.offset, end));
            }
        }
    }
    spans
}

/// Debug sections as the object's, in a fixed order.
fn store_sections(object: &mut ObjectBuilder, sections: Vec<(gimli::SectionId, RelocatedSection)>) {
    for (id, section) in sections {
        if section.bytes.is_empty() {
            continue;
        }
        let target = debug_section(object, id);
        object.append(target, 1, &section.bytes);
        for fixup in section.fixups {
            let symbol = match fixup.target {
                Target::Symbol(symbol) => symbol,
                Target::Section(id) => {
                    let section = debug_section(object, id);
                    object.section_symbol(section)
                }
            };
            let kind = if fixup.size == 8 { RelocKind::Abs64 } else { RelocKind::Abs32 };
            object.add_relocation(target, fixup.offset as u64, kind, symbol, fixup.addend);
        }
    }
}

fn debug_section(object: &mut ObjectBuilder, id: gimli::SectionId) -> SectionId {
    let name = id.name();
    let spec = if matches!(id, gimli::SectionId::DebugStr | gimli::SectionId::DebugLineStr) {
        let flags = section_flags::MERGE | section_flags::STRINGS;
        SectionSpec { entsize: 1, ..SectionSpec::new(name, section_type::PROGBITS, flags) }
    } else {
        SectionSpec::new(name, section_type::PROGBITS, 0)
    };
    object.section(&spec)
}

/// `.debug_aranges`: which addresses the unit covers (DWARF 5, 6.1.2).
fn write_aranges(object: &mut ObjectBuilder, lines: &[FunctionLines]) {
    let spans = section_spans(lines);
    if spans.is_empty() {
        return;
    }
    let info = debug_section(object, gimli::SectionId::DebugInfo);
    let info = object.section_symbol(info);
    let section = object.section(&SectionSpec::new(".debug_aranges", section_type::PROGBITS, 0));
    let length = 12 + 16 * (spans.len() as u32 + 1);
    let mut header = Vec::new();
    header.extend(length.to_le_bytes());
    header.extend(2u16.to_le_bytes());
    header.extend([0; 4]);
    // Address size, segment selector size, padding to twice the address size.
    header.extend([8, 0, 0, 0, 0, 0]);
    object.append(section, 1, &header);
    object.add_relocation(section, 6, RelocKind::Abs32, info, 0);
    for (text, start, end) in spans {
        let at = object.append(section, 1, &[0; 8]);
        object.append(section, 1, &(end - start).to_le_bytes());
        let symbol = object.section_symbol(text);
        object.add_relocation(section, at, RelocKind::Abs64, symbol, start as i64);
    }
    object.append(section, 1, &[0; 16]);
}
