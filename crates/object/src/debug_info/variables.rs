//! Variables and parameters as DWARF entries (DWARF 5, 3.5 and 4.1).

use gimli::{
    DW_AT_abstract_origin, DW_AT_artificial, DW_AT_declaration, DW_AT_external, DW_AT_location, DW_OP_and, DW_OP_mul,
    DW_OP_neg, DW_OP_plus, DW_OP_shl, DW_OP_shra, DW_OP_stack_value, DW_TAG_formal_parameter, DW_TAG_variable,
    Register,
    write::{Address, AttributeValue, DwarfUnit, Expression, FileId, Location, LocationList, UnitEntryId},
};

use super::UnitEntries;
use super::records::{DebugPlace, DebugVariable};
use super::types::{TypeEntries, set_name, set_position};
use crate::function_code::{LinearPlace, ValuePiece, ValuePlace, ValueRange, VariableLocation, Widening};

/// One variable or parameter below `parent`, in a function that begins at `start`. One of which
/// nothing is known beyond what its origin says gets no entry.
pub(super) fn write_variable(
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    variable: &DebugVariable,
    parent: UnitEntryId,
    start: Option<Address>,
) {
    let size = variable.ty.and_then(|ty| unit.types.size(ty));
    let location = match (&variable.place, start) {
        (DebugPlace::Ranges(ranges), Some(start)) => location_list(dwarf, ranges, start, size),
        (place, _) => location(place).map(AttributeValue::Exprloc),
    };
    if variable.origin.is_some() && location.is_none() {
        return;
    }
    let entry = dwarf.unit.add(parent, if variable.parameter { DW_TAG_formal_parameter } else { DW_TAG_variable });
    match variable.origin {
        Some((origin, index)) => {
            let origin = unit.origins[origin as usize].variables[index as usize];
            dwarf.unit.get_mut(entry).set(DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
        }
        None => write_declaration(dwarf, &unit.types, unit.files, variable, entry),
    }
    if let (Some(bound), Some(_)) = (variable.bound, &location) {
        unit.types.set_bound(dwarf, bound, entry);
    }
    if let Some(location) = location {
        dwarf.unit.get_mut(entry).set(DW_AT_location, location);
    }
}

/// What the source says of a variable.
pub(super) fn write_declaration(
    dwarf: &mut DwarfUnit,
    types: &TypeEntries<'_>,
    files: &[FileId],
    variable: &DebugVariable,
    entry: UnitEntryId,
) {
    types.set_type(dwarf, entry, variable.ty);
    if variable.bound.is_some() {
        dwarf.unit.get_mut(entry).set(DW_AT_artificial, AttributeValue::Flag(true));
        return;
    }
    set_name(dwarf, entry, &variable.name);
    set_position(dwarf, files, entry, variable.position);
    if variable.declaration {
        dwarf.unit.get_mut(entry).set(DW_AT_declaration, AttributeValue::Flag(true));
    }
    if variable.external {
        dwarf.unit.get_mut(entry).set(DW_AT_external, AttributeValue::Flag(true));
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
        ValuePlace::Linear(place) => linear(expression, place),
    }
}

/// The value of a linear function (DWARF 5, 2.5.1.4 and 2.6.1.1.3).
fn linear(expression: &mut Expression, place: &LinearPlace) {
    let LinearPlace { of, bytes, widening, scale, .. } = place;
    let mut offset = place.offset;
    match of {
        ValuePlace::Register(register) => {
            let direct = *widening == Widening::None && *scale == 1;
            expression.op_breg(Register(*register), if direct { std::mem::take(&mut offset) } else { 0 });
        }
        ValuePlace::Memory(at) => {
            memory(expression, *at);
            // Powers of two only: what is above does not matter, or is cut off below.
            let power = if bytes.is_power_of_two() { *bytes } else { 1 << bytes.ilog2() };
            expression.op_deref_size(power);
        }
        ValuePlace::Entry(register) => {
            let mut inside = Expression::new();
            inside.op_reg(Register(*register));
            expression.op_entry_value(inside);
        }
        _ => {}
    }
    match *widening {
        Widening::Zero(bits @ 1..=63) => {
            expression.op_constu((1 << bits) - 1);
            expression.op(DW_OP_and);
        }
        Widening::Sign(bits @ 1..=63) => {
            for operation in [DW_OP_shl, DW_OP_shra] {
                expression.op_constu(u64::from(64 - bits));
                expression.op(operation);
            }
        }
        _ => {}
    }
    match *scale {
        1 => {}
        -1 => expression.op(DW_OP_neg),
        scale => {
            expression.op_consts(scale);
            expression.op(DW_OP_mul);
        }
    }
    if offset > 0 {
        expression.op_plus_uconst(offset as u64);
    } else if offset < 0 {
        expression.op_consts(offset);
        expression.op(DW_OP_plus);
    }
    expression.op(DW_OP_stack_value);
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

pub(super) fn location(place: &DebugPlace) -> Option<Expression> {
    let mut expression = Expression::new();
    match *place {
        DebugPlace::Nowhere | DebugPlace::Ranges(_) => return None,
        DebugPlace::Symbol(symbol) => expression.op_addr(Address::Symbol { symbol: symbol.index(), addend: 0 }),
        DebugPlace::Frame(at) => memory(&mut expression, at),
    }
    Some(expression)
}
