//! Macros for `-g3`: `.debug_macro` (DWARF 5, 6.3), before DWARF 5 in the form of gcc's extension,
//! which has the same contents. Strings are in `.debug_str`, where linkers merge them.

use gimli::write::{AttributeValue, DwarfUnit, FileId, Result, Writer};
use gimli::{
    DW_AT_GNU_macros, DW_AT_macros, DW_MACRO_define_strp, DW_MACRO_define_strx, DW_MACRO_end_file, DW_MACRO_start_file,
    DW_MACRO_undef_strp, DW_MACRO_undef_strx, DebugMacroOffset, SectionId,
};
use rustc_hash::FxHashMap;

use super::{DebugUnit, RelocatedSection};

/// The header has the offset of the line table, whose files the entries number.
const HAS_LINE_OFFSET: u8 = 2;

/// First version that the standard has; gcc's extension has the one before.
const FIRST_VERSION: u16 = 5;

/// A step of the preprocessor. Lines count from 1; 0 is for what stands in no file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugMacro<'a> {
    /// `#define`.
    Define {
        /// Where.
        line: u32,
        /// Name, parameters and body.
        text: &'a [u8],
    },
    /// `#undef`.
    Undefine {
        /// Where.
        line: u32,
        /// The name.
        name: &'a [u8],
    },
    /// A file begins.
    Enter {
        /// Where it is included.
        line: u32,
        /// Index into [`DebugUnit::files`].
        file: u32,
    },
    /// The innermost file ends.
    Leave,
}

/// The unit's entry says where its macros are.
pub(super) fn refer(dwarf: &mut DwarfUnit, unit: &DebugUnit<'_>) {
    if !unit.macros.is_empty() {
        let name = if unit.version >= FIRST_VERSION { DW_AT_macros } else { DW_AT_GNU_macros };
        let root = dwarf.unit.root();
        dwarf.unit.get_mut(root).set(name, AttributeValue::DebugMacroRef(DebugMacroOffset(0)));
    }
}

/// Adds the section, and its strings to those of `.debug_str`.
pub(super) fn write_macros(
    sections: &mut Vec<(SectionId, RelocatedSection)>,
    dwarf: &DwarfUnit,
    unit: &DebugUnit<'_>,
    files: &[FileId],
) -> Result<()> {
    if unit.macros.is_empty() {
        return Ok(());
    }
    // Files are numbered from 1 before DWARF 5.
    let first = u64::from(unit.version < 5);
    let numbers: FxHashMap<FileId, u64> =
        dwarf.unit.line_program.files().zip(first..).map(|((id, _, _), number)| (id, number)).collect();
    let index = sections.iter().position(|section| section.0 == SectionId::DebugStr);
    let mut strings = index.map_or_else(RelocatedSection::empty, |index| sections[index].1.clone());
    let mut known: FxHashMap<&[u8], usize> = FxHashMap::default();
    let mut out = RelocatedSection::empty();
    out.write_u16(unit.version.max(FIRST_VERSION - 1))?;
    let split = unit.split_name().is_some();
    if split {
        // The files are those of the skeleton's line table.
        out.write_u8(0)?;
    } else {
        out.write_u8(HAS_LINE_OFFSET)?;
        out.write_offset(0, SectionId::DebugLine, 4)?;
    }
    let mut depth = 0u32;
    for step in unit.macros {
        match *step {
            DebugMacro::Define { line, text } | DebugMacro::Undefine { line, name: text } => {
                let opcode = match (step, split) {
                    (DebugMacro::Define { .. }, false) => DW_MACRO_define_strp,
                    (DebugMacro::Define { .. }, true) => DW_MACRO_define_strx,
                    (_, false) => DW_MACRO_undef_strp,
                    (_, true) => DW_MACRO_undef_strx,
                };
                out.write_u8(opcode.0)?;
                out.write_uleb128(line.into())?;
                let offset = match known.get(text) {
                    Some(&offset) => offset,
                    None => {
                        let offset = strings.len();
                        strings.write(text)?;
                        strings.write_u8(0)?;
                        known.insert(text, offset);
                        offset
                    }
                };
                out.write_offset(offset, SectionId::DebugStr, 4)?;
            }
            DebugMacro::Enter { line, file } => {
                depth += 1;
                out.write_u8(DW_MACRO_start_file.0)?;
                out.write_uleb128(line.into())?;
                out.write_uleb128(files.get(file as usize).and_then(|id| numbers.get(id)).copied().unwrap_or(first))?;
            }
            DebugMacro::Leave if depth == 0 => {}
            DebugMacro::Leave => {
                depth -= 1;
                out.write_u8(DW_MACRO_end_file.0)?;
            }
        }
    }
    for _ in 0..depth {
        out.write_u8(DW_MACRO_end_file.0)?;
    }
    out.write_u8(0)?;
    match index {
        Some(index) => sections[index].1 = strings,
        None => sections.push((SectionId::DebugStr, strings)),
    }
    sections.push((SectionId::DebugMacro, out));
    Ok(())
}
