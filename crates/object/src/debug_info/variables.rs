//! Variables and parameters as DWARF entries (DWARF 5, 3.5 and 4.1).

use gimli::{
    DW_AT_abstract_origin, DW_AT_declaration, DW_AT_external, DW_AT_location, DW_OP_and, DW_OP_mul, DW_OP_neg,
    DW_OP_plus, DW_OP_shl, DW_OP_shra, DW_OP_stack_value, DW_TAG_formal_parameter, DW_TAG_variable, Register,
    write::{Address, AttributeValue, DwarfUnit, Expression, FileId, Location, LocationList, UnitEntryId},
};

use platform::debug_steps::Step;

use super::UnitEntries;
use super::records::{DebugPlace, DebugVariable};
use super::types::{TypeEntries, set_name, set_position};
use crate::function_code::{LinearPlace, ValuePiece, ValuePlace, ValueRange, VariableLocation, Widening};

/// One variable or parameter below `parent`, in a function that begins at `start`. One of which
/// nothing is known beyond what its origin says gets no entry, nor one that holds the bound of an
/// array ([`super::bounds`]).
pub(super) fn write_variable(
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    variable: &DebugVariable,
    parent: UnitEntryId,
    start: Option<Address>,
) {
    if variable.bound.is_some() {
        return;
    }
    let location = match (&variable.place, start) {
        (DebugPlace::Ranges(ranges), Some(start)) => {
            let size = variable.ty.and_then(|ty| unit.types.size(ty));
            let mut list = Vec::with_capacity(ranges.len() + 1);
            list.push(Location::BaseAddress { address: start });
            add_ranges(&mut list, ranges, size, variable.by_address);
            (list.len() > 1).then(|| AttributeValue::LocationListRef(dwarf.unit.locations.add(LocationList(list))))
        }
        (DebugPlace::Always(pieces), _) => {
            let size = variable.ty.and_then(|ty| unit.types.size(ty));
            described(pieces, size, variable.by_address).map(AttributeValue::Exprloc)
        }
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
    set_name(dwarf, entry, &variable.name);
    types.set_type(dwarf, entry, variable.ty);
    set_position(dwarf, files, entry, variable.position);
    if variable.declaration {
        dwarf.unit.get_mut(entry).set(DW_AT_declaration, AttributeValue::Flag(true));
    }
    if variable.external {
        dwarf.unit.get_mut(entry).set(DW_AT_external, AttributeValue::Flag(true));
    }
}

/// Entries of a location list (DWARF 5, 2.6.2) for a variable of `size` bytes, or for what the
/// ranges have the address of. Expressions are kept until all is written, and mostly of one
/// operation: a clone has room for no more, what was built has it for four.
pub(super) fn add_ranges(list: &mut Vec<Location>, ranges: &[ValueRange], size: Option<u64>, by_address: bool) {
    for range in ranges {
        if let Some(data) = described(&range.pieces, size, by_address) {
            list.push(Location::OffsetPair { begin: range.begin.into(), end: range.end.into(), data: data.clone() });
        }
    }
}

/// Where a variable of `size` bytes is, or what the pieces have the address of.
fn described(pieces: &[ValuePiece], size: Option<u64>, by_address: bool) -> Option<Expression> {
    if by_address { addressed(pieces) } else { composite(pieces, size) }
}

/// The memory whose address is described (DWARF 5, 2.6.1.1.2).
fn addressed(pieces: &[ValuePiece]) -> Option<Expression> {
    let [ValuePiece { fragment: None, place }] = pieces else { return None };
    let mut expression = Expression::new();
    match place {
        ValuePlace::Register(register) => expression.op_breg(Register(*register), 0),
        ValuePlace::Memory(at) => {
            memory(&mut expression, *at);
            expression.op_deref();
        }
        ValuePlace::Entry(register) => entry_value(&mut expression, *register),
        ValuePlace::Address(symbol, offset) => symbol_address(&mut expression, *symbol, *offset),
        ValuePlace::FrameAddress(offset) => expression.op_fbreg(*offset),
        ValuePlace::Linear(place) => linear(&mut expression, place),
        ValuePlace::Computed(steps) => computed(&mut expression, steps),
        ValuePlace::Integer(_) | ValuePlace::Bytes(_) => return None,
    }
    Some(expression)
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
            entry_value(expression, *register);
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
            symbol_address(expression, *symbol, *offset);
            expression.op(DW_OP_stack_value);
        }
        ValuePlace::FrameAddress(offset) => {
            expression.op_fbreg(*offset);
            expression.op(DW_OP_stack_value);
        }
        ValuePlace::Linear(place) => {
            linear(expression, place);
            expression.op(DW_OP_stack_value);
        }
        ValuePlace::Computed(steps) => {
            computed(expression, steps);
            expression.op(DW_OP_stack_value);
        }
    }
}

fn entry_value(expression: &mut Expression, register: u16) {
    let mut inside = Expression::new();
    inside.op_reg(Register(register));
    expression.op_entry_value(inside);
}

fn symbol_address(expression: &mut Expression, symbol: u32, offset: i64) {
    expression.op_addr(super::operand(symbol as usize, offset));
}

/// The value of a linear function (DWARF 5, 2.5.1.4).
fn linear(expression: &mut Expression, place: &LinearPlace) {
    let LinearPlace { of, bytes, widening, scale, .. } = place;
    let mut offset = place.offset;
    match of {
        ValuePlace::Register(register) if *widening == Widening::None && *scale == 1 => {
            expression.op_breg(Register(*register), std::mem::take(&mut offset));
        }
        of => pushed(expression, of, *bytes),
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
}

/// Pushes what is in a place, of so many bytes.
fn pushed(expression: &mut Expression, of: &ValuePlace, bytes: u8) {
    match of {
        ValuePlace::Register(register) => expression.op_breg(Register(*register), 0),
        ValuePlace::Memory(at) => {
            memory(expression, *at);
            // Powers of two only: what is above does not matter, or is cut off below.
            expression.op_deref_size(if bytes.is_power_of_two() { bytes } else { 1 << bytes.ilog2() });
        }
        ValuePlace::Entry(register) => entry_value(expression, *register),
        ValuePlace::Integer(number) => expression.op_consts(*number),
        ValuePlace::Address(symbol, offset) => symbol_address(expression, *symbol, *offset),
        ValuePlace::FrameAddress(offset) => expression.op_fbreg(*offset),
        ValuePlace::Linear(place) => linear(expression, place),
        ValuePlace::Computed(steps) => computed(expression, steps),
        ValuePlace::Bytes(_) => {}
    }
}

fn computed(expression: &mut Expression, steps: &[Step<ValuePlace>]) {
    let mut starts = Vec::with_capacity(steps.len() + 1);
    let mut jumps = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        starts.push(expression.next_index());
        match *step {
            Step::Place(ref place, bytes) => pushed(expression, place, bytes),
            Step::Number(number @ 0..) => expression.op_constu(number as u64),
            Step::Number(number) => expression.op_consts(number),
            Step::Operation(code) => expression.op(gimli::DwOp(code)),
            Step::Load(8) => expression.op_deref(),
            Step::Load(bytes) => expression.op_deref_size(bytes),
            Step::Jump { by, conditional } => {
                let jump = if conditional { expression.op_bra() } else { expression.op_skip() };
                jumps.push((jump, (index + 1).saturating_add_signed(by as isize)));
            }
        }
    }
    starts.push(expression.next_index());
    for (jump, step) in jumps {
        expression.set_target(jump, starts[step]);
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

pub(super) fn location(place: &DebugPlace) -> Option<Expression> {
    let mut expression = Expression::new();
    match *place {
        DebugPlace::Nowhere | DebugPlace::Ranges(_) | DebugPlace::Always(_) => return None,
        DebugPlace::Symbol(symbol) => expression.op_addr(super::operand(symbol.index(), 0)),
        DebugPlace::Frame(at) => memory(&mut expression, at),
    }
    Some(expression)
}
