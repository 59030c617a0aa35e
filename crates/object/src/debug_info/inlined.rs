//! Inlined functions (DWARF 5, 3.3.8): an abstract entry says what all copies of a function have in
//! common, and each copy names it as its origin.

use gimli::{
    DW_AT_abstract_origin, DW_AT_call_column, DW_AT_call_file, DW_AT_call_line, DW_AT_entry_pc, DW_AT_inline,
    DW_AT_location, DW_AT_prototyped, DW_INL_declared_inlined, DW_INL_inlined, DW_TAG_formal_parameter,
    DW_TAG_inlined_subroutine, DW_TAG_lexical_block, DW_TAG_unspecified_parameters, DW_TAG_variable,
    write::{Address, AttributeValue, DwarfUnit, FileId, UnitEntryId},
};

use super::UnitEntries;
use super::records::{DebugInline, DebugOrigin, DebugVariable};
use super::types::TypeEntries;
use super::variables::{location, write_declaration};

/// The entries of a [`DebugOrigin`].
pub(super) struct OriginEntries {
    /// The function.
    pub root: UnitEntryId,
    /// Its blocks; those without variables have none.
    pub blocks: Vec<Option<UnitEntryId>>,
    /// Its variables.
    pub variables: Vec<UnitEntryId>,
}

/// The abstract entries below `roots`, which have been made.
pub(super) fn write_origins(
    dwarf: &mut DwarfUnit,
    types: &TypeEntries<'_>,
    files: &[FileId],
    roots: &[UnitEntryId],
    origins: &[DebugOrigin],
) -> Vec<OriginEntries> {
    roots.iter().zip(origins).map(|(&root, origin)| write_origin(dwarf, types, files, root, origin)).collect()
}

fn write_origin(
    dwarf: &mut DwarfUnit,
    types: &TypeEntries<'_>,
    files: &[FileId],
    root: UnitEntryId,
    origin: &DebugOrigin,
) -> OriginEntries {
    super::write_head(
        dwarf,
        root,
        files,
        &origin.name,
        origin.linkage_name.as_deref(),
        origin.position,
        origin.external,
    );
    let entry = dwarf.unit.get_mut(root);
    if origin.prototyped {
        entry.set(DW_AT_prototyped, AttributeValue::Flag(true));
    }
    let inline = if origin.declared_inline { DW_INL_declared_inlined } else { DW_INL_inlined };
    entry.set(DW_AT_inline, AttributeValue::Inline(inline));
    types.set_type(dwarf, root, origin.result);
    let mut used = vec![false; origin.blocks.len()];
    for variable in &origin.variables {
        let mut at = variable.scope as usize;
        while at != 0 && !std::mem::replace(&mut used[at], true) {
            at = origin.blocks[at] as usize;
        }
    }
    // Parameters come before blocks.
    let write = |dwarf: &mut DwarfUnit, variable: &DebugVariable, parent| {
        let tag = if variable.parameter { DW_TAG_formal_parameter } else { DW_TAG_variable };
        let id = dwarf.unit.add(parent, tag);
        write_declaration(dwarf, types, files, variable, id);
        if let Some(location) = location(&variable.place) {
            dwarf.unit.get_mut(id).set(DW_AT_location, AttributeValue::Exprloc(location));
        }
        id
    };
    let mut variables = vec![root; origin.variables.len()];
    for (id, variable) in variables.iter_mut().zip(&origin.variables).filter(|(_, v)| v.parameter) {
        *id = write(dwarf, variable, root);
    }
    if origin.variadic {
        dwarf.unit.add(root, DW_TAG_unspecified_parameters);
    }
    let mut blocks = vec![None; origin.blocks.len().max(1)];
    blocks[0] = Some(root);
    for index in (1..origin.blocks.len()).filter(|&index| used[index]) {
        let parent = blocks[origin.blocks[index] as usize].unwrap_or(root);
        blocks[index] = Some(dwarf.unit.add(parent, DW_TAG_lexical_block));
    }
    for (id, variable) in variables.iter_mut().zip(&origin.variables).filter(|(_, v)| !v.parameter && v.bound.is_none())
    {
        *id = write(dwarf, variable, blocks[variable.scope as usize].unwrap_or(root));
    }
    blocks[0] = None;
    OriginEntries { root, blocks, variables }
}

/// A copy below `parent`, in a function that begins at `start`; its ranges are set by the caller.
pub(super) fn write_inline(
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    inline: &DebugInline,
    parent: UnitEntryId,
    start: Address,
) -> UnitEntryId {
    let id = dwarf.unit.add(parent, DW_TAG_inlined_subroutine);
    let entry = dwarf.unit.get_mut(id);
    entry.set(DW_AT_abstract_origin, AttributeValue::UnitRef(unit.origins[inline.origin as usize].root));
    entry.set(DW_AT_entry_pc, AttributeValue::Address(super::moved(start, inline.entry)));
    if let Some(call) = inline.call
        && let Some(&file) = unit.files.get(call.file as usize)
    {
        entry.set(DW_AT_call_file, AttributeValue::FileIndex(Some(file)));
        entry.set(DW_AT_call_line, AttributeValue::Udata(call.line.into()));
        entry.set(DW_AT_call_column, AttributeValue::Udata(call.column.into()));
    }
    id
}
