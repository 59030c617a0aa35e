//! A DWARF 5 line table written from explicit rows, for assembly sources with `.file` and `.loc`.
//!
//! Compiled functions go through gimli ([`crate::debug_info`]); here the numbers
//! of files are given by the source and have to stay as they are, since the
//! source's own `.debug_info` uses them. Layout: DWARF 5, 6.2.4 and 6.2.5.

use crate::{
    builder::ObjectBuilder,
    frames::{sleb, uleb},
    relocations::RelocKind,
    sections::{SectionId, SectionSpec, section_type},
};

const LINE_BASE: i64 = -5;
const LINE_RANGE: i64 = 14;
const OPCODE_BASE: u8 = 13;
/// Operand counts of the standard opcodes 1 to 12.
const STANDARD_OPCODE_LENGTHS: [u8; 12] = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];

/// A file of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFile {
    /// Index in [`LineTable::directories`].
    pub directory: u32,
    /// Name in the directory.
    pub name: String,
}

/// A row: code from here on belongs to this line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRow {
    /// Offset in the section.
    pub offset: u64,
    /// File number.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, or 0.
    pub column: u32,
    /// A place for breakpoints.
    pub is_stmt: bool,
    /// The prologue ends here.
    pub prologue_end: bool,
    /// The epilogue begins here.
    pub epilogue_begin: bool,
    /// Tells apart blocks of one line.
    pub discriminator: u32,
}

/// The rows of one section in ascending order.
#[derive(Clone, Debug)]
pub struct LineSequence {
    /// The section.
    pub section: SectionId,
    /// One past the last byte covered.
    pub end: u64,
    /// The rows.
    pub rows: Vec<LineRow>,
}

/// A line table.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    /// Directories; number 0 is the compilation directory.
    pub directories: Vec<String>,
    /// Files; number 0 is the primary source.
    pub files: Vec<LineFile>,
    /// Sequences, one per section.
    pub sequences: Vec<LineSequence>,
}

impl ObjectBuilder {
    /// Appends the table to `.debug_line`.
    pub fn write_line_table(&mut self, table: &LineTable) {
        let section = self.section(&SectionSpec::new(".debug_line", section_type::PROGBITS, 0));
        let start = self.section_data(section).size();
        let mut out = header(table);
        for sequence in &table.sequences {
            let first = sequence.rows.first().map_or(0, |row| row.offset);
            out.extend([0, 9, 2]);
            let symbol = self.section_symbol(sequence.section);
            self.add_relocation(section, start + out.len() as u64, RelocKind::Abs64, symbol, first as i64);
            out.extend([0; 8]);
            program(&mut out, sequence, first);
        }
        let length = (out.len() - 4) as u32;
        out[..4].copy_from_slice(&length.to_le_bytes());
        self.append(section, 1, &out);
    }
}

fn header(table: &LineTable) -> Vec<u8> {
    // Length (filled in at the end), version, address size, segment selector size.
    let mut out = vec![0, 0, 0, 0, 5, 0, 8, 0];
    let length_at = out.len();
    out.extend([0; 4]);
    // Instruction length 1, one operation per instruction, rows are statements by default.
    out.extend([1, 1, 1, LINE_BASE as u8, LINE_RANGE as u8, OPCODE_BASE]);
    out.extend(STANDARD_OPCODE_LENGTHS);
    let string = |out: &mut Vec<u8>, text: &str| {
        out.extend(text.bytes().filter(|&b| b != 0));
        out.push(0);
    };
    // Directories: path as an inline string.
    out.extend([1, 0x01, 0x08]);
    uleb(&mut out, table.directories.len() as u64);
    for directory in &table.directories {
        string(&mut out, directory);
    }
    // Files: path as an inline string, directory index.
    out.extend([2, 0x01, 0x08, 0x02, 0x0f]);
    uleb(&mut out, table.files.len() as u64);
    for file in &table.files {
        string(&mut out, &file.name);
        uleb(&mut out, u64::from(file.directory));
    }
    let length = (out.len() - length_at - 4) as u32;
    out[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    out
}

/// The opcodes of a sequence after its address has been set to `first`.
fn program(out: &mut Vec<u8>, sequence: &LineSequence, first: u64) {
    let mut state = LineRow { offset: first, file: 1, line: 1, is_stmt: true, ..LineRow::default() };
    for row in &sequence.rows {
        if row.file != state.file {
            out.push(4);
            uleb(out, u64::from(row.file));
        }
        if row.column != state.column {
            out.push(5);
            uleb(out, u64::from(row.column));
        }
        if row.discriminator != 0 {
            let mut number = Vec::new();
            uleb(&mut number, u64::from(row.discriminator));
            out.extend([0, number.len() as u8 + 1, 4]);
            out.append(&mut number);
        }
        if row.is_stmt != state.is_stmt {
            out.push(6);
        }
        if row.prologue_end {
            out.push(10);
        }
        if row.epilogue_begin {
            out.push(11);
        }
        advance(out, i64::from(row.line) - i64::from(state.line), row.offset - state.offset);
        state = *row;
    }
    if sequence.end > state.offset {
        out.push(2);
        uleb(out, sequence.end - state.offset);
    }
    out.extend([0, 1, 1]);
}

/// Moves line and address on and makes a row, by a special opcode if one fits.
fn advance(out: &mut Vec<u8>, line: i64, address: u64) {
    let mut line = line;
    if !(LINE_BASE..LINE_BASE + LINE_RANGE).contains(&line) {
        out.push(3);
        sleb(out, line);
        line = 0;
    }
    let special = |address: u64| (line - LINE_BASE) + LINE_RANGE * address as i64 + i64::from(OPCODE_BASE);
    if address < 256 && special(address) < 256 {
        out.push(special(address) as u8);
    } else {
        out.push(2);
        uleb(out, address);
        out.push(special(0) as u8);
    }
}
