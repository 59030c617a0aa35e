//! Bounds of variable-length arrays (DWARF 5, 5.13): an artificial variable holds the number of
//! elements, and the ranges of the arrays refer to it. All copies of a function share the types of
//! its arrays, so its variable says for the code of each copy where the number is there.

use gimli::{
    DW_AT_artificial, DW_AT_location, DW_TAG_variable,
    write::{Address, AttributeValue, DwarfUnit, Location, LocationList, UnitEntryId},
};
use rustc_hash::FxHashMap;

use super::records::{DebugPlace, DebugVariable};
use super::variables::{add_ranges, location};
use super::{DebugFunction, UnitEntries};

/// A function with its entry, its address and its length.
pub(super) type PlacedFunction<'a> = (&'a DebugFunction, (UnitEntryId, Address, u64));

/// Describes the bounds that types name.
pub(super) fn write_bounds(dwarf: &mut DwarfUnit, unit: &UnitEntries<'_>, functions: &[PlacedFunction<'_>]) {
    let mut copies: Vec<(u32, Vec<(&PlacedFunction<'_>, &DebugVariable)>)> = Vec::new();
    let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
    for function in functions {
        for variable in &function.0.variables {
            if let Some(bound) = variable.bound.filter(|&bound| unit.types.has_bound(bound)) {
                let number = *numbers.entry(bound).or_insert_with(|| {
                    copies.push((bound, Vec::new()));
                    copies.len() - 1
                });
                copies[number].1.push((function, variable));
            }
        }
    }
    for (bound, copies) in copies {
        let Some(location) = place(dwarf, unit, &copies) else { continue };
        let (function, variable) = copies[0];
        let parent = variable.origin.map_or(function.1.0, |(origin, _)| unit.origins[origin as usize].root);
        let entry = dwarf.unit.add(parent, DW_TAG_variable);
        dwarf.unit.get_mut(entry).set(DW_AT_artificial, AttributeValue::Flag(true));
        unit.types.set_type(dwarf, entry, variable.ty);
        dwarf.unit.get_mut(entry).set(DW_AT_location, location);
        unit.types.set_bound(dwarf, bound, entry);
    }
}

/// Where the number is in each copy of a function.
fn place(
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    copies: &[(&PlacedFunction<'_>, &DebugVariable)],
) -> Option<AttributeValue> {
    if let [(_, variable)] = copies
        && variable.scope == 0
        && let Some(always) = location(&variable.place)
    {
        return Some(AttributeValue::Exprloc(always));
    }
    let mut list = Vec::new();
    for (function, variable) in copies {
        let (_, start, length) = function.1;
        list.push(Location::BaseAddress { address: start });
        if let DebugPlace::Ranges(ranges) = &variable.place {
            let size = variable.ty.and_then(|ty| unit.types.size(ty));
            add_ranges(&mut list, ranges, size, false);
        } else if let Some(data) = location(&variable.place) {
            let whole = [(0, length as u32)];
            let block = function.0.blocks.get(variable.scope as usize).filter(|_| variable.scope != 0);
            for &(begin, end) in block.map_or(&whole[..], |block| &block.ranges) {
                list.push(Location::OffsetPair { begin: begin.into(), end: end.into(), data: data.clone() });
            }
        }
    }
    let known = list.iter().any(|entry| matches!(entry, Location::OffsetPair { .. }));
    known.then(|| AttributeValue::LocationListRef(dwarf.unit.locations.add(LocationList(list))))
}
