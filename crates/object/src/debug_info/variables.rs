//! Variables, parameters and blocks as DWARF entries (DWARF 5, 3.5 and 4.1).

use base::debug_types::TypeIndex;
use gimli::{
    DW_AT_decl_file, DW_AT_decl_line, DW_AT_external, DW_AT_high_pc, DW_AT_location, DW_AT_low_pc, DW_AT_ranges,
    DW_OP_stack_value, DW_TAG_formal_parameter, DW_TAG_lexical_block, DW_TAG_variable, Register,
    write::{
        Address, AttributeValue, DwarfUnit, Expression, FileId, Location, LocationList, Range, RangeList, UnitEntryId,
    },
};

use super::types::{TypeEntries, set_name};
use super::{DebugFunction, DebugPosition};
use crate::function_code::{ValuePiece, ValuePlace, ValueRange, VariableLocation};
use crate::symbols::SymbolId;

/// Where a variable is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugPlace {
    /// In the frame of its function.
    Frame(VariableLocation),
    /// At a symbol.
    Symbol(SymbolId),
    /// In different places while different code of its function runs; addresses name symbols of the
    /// object.
    Ranges(Vec<ValueRange>),
    /// Nowhere: it has been optimised out.
    Nowhere,
}

/// A variable or parameter for the debugger.
#[derive(Clone, Debug)]
pub struct DebugVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Where it is declared.
    pub position: Option<DebugPosition>,
    /// Index of its block; 0 is the function.
    pub scope: u32,
    /// It is a parameter.
    pub parameter: bool,
    /// Visible outside the unit.
    pub external: bool,
    /// Where it lies.
    pub place: DebugPlace,
}

/// A block of a function.
#[derive(Clone, Debug, Default)]
pub struct DebugBlock {
    /// Index of the block around it, a lower one.
    pub parent: u32,
    /// Its code: first byte and one past the last, from the start of the function, ascending.
    pub ranges: Vec<(u32, u32)>,
}

/// The blocks and variables of a function, below its entry. `start` is the function's address.
pub(super) fn write_contents(
    dwarf: &mut DwarfUnit,
    types: &TypeEntries<'_>,
    files: &[FileId],
    function: &DebugFunction,
    entry: UnitEntryId,
    start: Address,
) {
    let mut used = vec![false; function.blocks.len()];
    for variable in &function.variables {
        let mut at = variable.scope as usize;
        while at != 0 && !std::mem::replace(&mut used[at], true) {
            at = function.blocks[at].parent as usize;
        }
    }
    let mut entries = vec![entry; function.blocks.len().max(1)];
    for variable in function.variables.iter().filter(|v| v.parameter) {
        write_variable(dwarf, types, files, variable, entry, Some(start));
    }
    for (index, block) in function.blocks.iter().enumerate().skip(1) {
        let parent = entries[block.parent as usize];
        if !used[index] || block.ranges.is_empty() {
            entries[index] = parent;
            continue;
        }
        let child = dwarf.unit.add(parent, DW_TAG_lexical_block);
        entries[index] = child;
        set_ranges(dwarf, child, start, &block.ranges);
    }
    for variable in function.variables.iter().filter(|v| !v.parameter) {
        write_variable(dwarf, types, files, variable, entries[variable.scope as usize], Some(start));
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
    let ranges =
        ranges.iter().map(|&(low, high)| Range::StartLength { begin: address(low), length: (high - low).into() });
    let list = dwarf.unit.ranges.add(RangeList(ranges.collect()));
    dwarf.unit.get_mut(entry).set(DW_AT_ranges, AttributeValue::RangeListRef(list));
}

/// One variable or parameter below `parent`, in a function that begins at `start`.
pub(super) fn write_variable(
    dwarf: &mut DwarfUnit,
    types: &TypeEntries<'_>,
    files: &[FileId],
    variable: &DebugVariable,
    parent: UnitEntryId,
    start: Option<Address>,
) {
    let entry = dwarf.unit.add(parent, if variable.parameter { DW_TAG_formal_parameter } else { DW_TAG_variable });
    set_name(dwarf, entry, &variable.name);
    types.set_type(dwarf, entry, variable.ty);
    let attributes = dwarf.unit.get_mut(entry);
    if let Some(position) = variable.position
        && let Some(&file) = files.get(position.file as usize)
    {
        attributes.set(DW_AT_decl_file, AttributeValue::FileIndex(Some(file)));
        attributes.set(DW_AT_decl_line, AttributeValue::Udata(position.line.into()));
    }
    if variable.external {
        attributes.set(DW_AT_external, AttributeValue::Flag(true));
    }
    if let (DebugPlace::Ranges(ranges), Some(start)) = (&variable.place, start) {
        let size = variable.ty.and_then(|ty| types.size(ty));
        if let Some(list) = location_list(dwarf, ranges, start, size) {
            dwarf.unit.get_mut(entry).set(DW_AT_location, list);
        }
    } else if let Some(location) = location(&variable.place) {
        attributes.set(DW_AT_location, AttributeValue::Exprloc(location));
    }
}

/// A location list (DWARF 5, 2.6.2).
fn location_list(
    dwarf: &mut DwarfUnit,
    ranges: &[ValueRange],
    start: Address,
    size: Option<u64>,
) -> Option<AttributeValue> {
    let mut list = vec![Location::BaseAddress { address: start }];
    for range in ranges {
        if let Some(data) = composite(&range.pieces, size) {
            list.push(Location::OffsetPair { begin: range.begin.into(), end: range.end.into(), data });
        }
    }
    (list.len() > 1).then(|| AttributeValue::LocationListRef(dwarf.unit.locations.add(LocationList(list))))
}

/// The whole of a variable, or its pieces with what is missing between them (DWARF 5, 2.6.1.2).
/// `size` is the variable's.
fn composite(pieces: &[ValuePiece], size: Option<u64>) -> Option<Expression> {
    let mut expression = Expression::new();
    if let [ValuePiece { fragment: None, place }] = pieces {
        simple(&mut expression, place, size);
        return Some(expression);
    }
    let mut at = 0;
    for piece in pieces {
        let (offset, bytes) = piece.fragment?;
        if offset < at {
            return None;
        }
        if offset > at {
            expression.op_piece(u64::from(offset - at));
        }
        simple(&mut expression, &piece.place, Some(bytes.into()));
        expression.op_piece(bytes.into());
        at = offset + bytes;
    }
    if let Some(rest) = size?.checked_sub(at.into()).filter(|&rest| rest > 0) {
        expression.op_piece(rest);
    }
    Some(expression)
}

/// A simple location description (DWARF 5, 2.6.1.1) of `size` bytes.
fn simple(expression: &mut Expression, place: &ValuePlace, size: Option<u64>) {
    match place {
        ValuePlace::Register(register) => expression.op_reg(Register(*register)),
        ValuePlace::Memory(at) => memory(expression, *at),
        ValuePlace::Entry(register) => {
            let mut inside = Expression::new();
            inside.op_reg(Register(*register));
            expression.op_entry_value(inside);
            expression.op(DW_OP_stack_value);
        }
        ValuePlace::Integer(value) => {
            expression.op_consts(*value);
            expression.op(DW_OP_stack_value);
        }
        ValuePlace::Bytes(bytes) => {
            // Padding after an 80-bit float is part of the variable.
            let mut bytes = bytes.to_vec();
            bytes.resize(size.map_or(bytes.len(), |size| size as usize), 0);
            expression.op_implicit_value(bytes.into());
        }
        ValuePlace::Address(symbol, offset) => {
            expression.op_addr(Address::Symbol { symbol: *symbol as usize, addend: *offset });
            expression.op(DW_OP_stack_value);
        }
    }
}

fn memory(expression: &mut Expression, at: VariableLocation) {
    match at.register {
        None => expression.op_fbreg(at.offset.into()),
        Some(register) => expression.op_breg(Register(register), at.offset.into()),
    }
    if at.indirect {
        expression.op_deref();
    }
}

fn location(place: &DebugPlace) -> Option<Expression> {
    let mut expression = Expression::new();
    match *place {
        DebugPlace::Nowhere | DebugPlace::Ranges(_) => return None,
        DebugPlace::Symbol(symbol) => expression.op_addr(Address::Symbol { symbol: symbol.index(), addend: 0 }),
        DebugPlace::Frame(at) => memory(&mut expression, at),
    }
    Some(expression)
}
