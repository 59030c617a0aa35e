//! What is inside a function: its blocks and the functions inlined in it, with their variables.

use gimli::{
    DW_AT_abstract_origin, DW_AT_high_pc, DW_AT_low_pc, DW_AT_ranges, DW_TAG_lexical_block,
    DW_TAG_unspecified_parameters,
    write::{Address, AttributeValue, DwarfUnit, Range, RangeList, UnitEntryId},
};

use super::inlined::write_inline;
use super::records::DebugVariable;
use super::variables::write_variable;
use super::{DebugFunction, UnitEntries};

/// The blocks and variables of a function, below its entry. `start` is the function's address.
pub(super) fn write_contents(
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    function: &DebugFunction,
    entry: UnitEntryId,
    start: Address,
) {
    let blocks = &function.blocks;
    let mut used = vec![false; blocks.len()];
    for variable in &function.variables {
        let mut at = variable.scope as usize;
        while at != 0 && !std::mem::replace(&mut used[at], true) {
            at = blocks[at].parent as usize;
        }
    }
    let mut entries = vec![entry; blocks.len().max(1)];
    let write = |dwarf: &mut DwarfUnit, variable: &DebugVariable, parent: UnitEntryId| {
        write_variable(dwarf, unit, variable, parent, Some(start));
    };
    let parameters: Vec<&DebugVariable> = function.variables.iter().filter(|v| v.parameter).collect();
    parameters.iter().filter(|v| v.scope == 0).for_each(|v| write(dwarf, v, entry));
    if function.variadic && function.origin.is_none() {
        dwarf.unit.add(entry, DW_TAG_unspecified_parameters);
    }
    for (index, block) in blocks.iter().enumerate().skip(1) {
        let parent = entries[block.parent as usize];
        if let Some(inline) = &block.inlined {
            entries[index] = write_inline(dwarf, unit, inline, parent, start);
            set_ranges(dwarf, entries[index], start, &block.ranges);
            parameters.iter().filter(|v| v.scope as usize == index).for_each(|v| write(dwarf, v, entries[index]));
            continue;
        }
        if !used[index] || block.ranges.is_empty() {
            entries[index] = parent;
            continue;
        }
        let child = dwarf.unit.add(parent, DW_TAG_lexical_block);
        entries[index] = child;
        if let Some(origin) =
            block.origin.and_then(|(origin, block)| unit.origins[origin as usize].blocks[block as usize])
        {
            dwarf.unit.get_mut(child).set(DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
        }
        set_ranges(dwarf, child, start, &block.ranges);
    }
    for variable in function.variables.iter().filter(|v| !v.parameter && v.bound.is_none()) {
        write(dwarf, variable, entries[variable.scope as usize]);
    }
}

fn set_ranges(dwarf: &mut DwarfUnit, entry: UnitEntryId, start: Address, ranges: &[(u32, u32)]) {
    let address = |offset: u32| super::moved(start, offset);
    if let &[(low, high)] = ranges {
        let end = super::high_pc(dwarf, address(low), u64::from(high - low));
        let attributes = dwarf.unit.get_mut(entry);
        attributes.set(DW_AT_low_pc, AttributeValue::Address(address(low)));
        attributes.set(DW_AT_high_pc, end);
        return;
    }
    let base = [Range::BaseAddress { address: start }].into_iter();
    let pairs = ranges.iter().map(|&(low, high)| Range::OffsetPair { begin: low.into(), end: high.into() });
    let list = dwarf.unit.ranges.add(RangeList(base.chain(pairs).collect()));
    dwarf.unit.get_mut(entry).set(DW_AT_ranges, AttributeValue::RangeListRef(list));
}
