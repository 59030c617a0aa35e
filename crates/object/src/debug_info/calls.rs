//! Call sites and what is known of their arguments (DWARF 5, 3.4; before that gcc's extensions).

use gimli::{
    DW_AT_GNU_all_call_sites, DW_AT_GNU_call_site_target, DW_AT_GNU_call_site_value, DW_AT_GNU_tail_call,
    DW_AT_abstract_origin, DW_AT_call_all_calls, DW_AT_call_origin, DW_AT_call_return_pc, DW_AT_call_tail_call,
    DW_AT_call_target, DW_AT_call_value, DW_AT_declaration, DW_AT_external, DW_AT_location, DW_AT_low_pc, DW_AT_name,
    DW_TAG_GNU_call_site, DW_TAG_GNU_call_site_parameter, DW_TAG_call_site, DW_TAG_call_site_parameter,
    DW_TAG_subprogram, Register,
    write::{Address, AttributeValue, DwarfUnit, Expression, UnitEntryId},
};
use rustc_hash::FxHashMap;

use super::UnitEntries;
use super::records::DebugCallee;
use crate::builder::ObjectBuilder;
use crate::function_code::ArgumentValue;
use crate::symbols::SymbolId;

/// First DWARF version in which call sites are described at all.
const FIRST_VERSION: u16 = 4;

/// A call for the debugger.
#[derive(Clone, Debug)]
pub struct DebugCall {
    /// Where it returns to: bytes from the start of the function.
    pub after: u32,
    /// It is made in place of a return.
    pub tail: bool,
    /// The function called, if it is named.
    pub callee: Option<SymbolId>,
    /// The address that is called, if it is not named and known.
    pub target: Option<ArgumentValue>,
    /// Argument registers, by DWARF number, with what they hold. Addresses name symbols of the
    /// object.
    pub arguments: Vec<(u16, ArgumentValue)>,
}

/// Entries of functions by symbol; those that are only called are declared when first asked for.
pub(super) struct Callees {
    /// Entries so far.
    pub entries: FxHashMap<SymbolId, UnitEntryId>,
}

impl Callees {
    fn entry(&mut self, object: &ObjectBuilder, dwarf: &mut DwarfUnit, symbol: SymbolId) -> UnitEntryId {
        if let Some(&known) = self.entries.get(&symbol) {
            return known;
        }
        let name = dwarf.strings.add(object.symbol_name(symbol).as_bytes());
        let root = dwarf.unit.root();
        let id = dwarf.unit.add(root, DW_TAG_subprogram);
        let entry = dwarf.unit.get_mut(id);
        entry.set(DW_AT_name, AttributeValue::StringRef(name));
        entry.set(DW_AT_external, AttributeValue::Flag(true));
        entry.set(DW_AT_declaration, AttributeValue::Flag(true));
        self.entries.insert(symbol, id);
        id
    }
}

/// The declaration of a function that is defined elsewhere.
pub(super) fn write_callee(
    object: &ObjectBuilder,
    dwarf: &mut DwarfUnit,
    unit: &UnitEntries<'_>,
    callees: &mut Callees,
    callee: &DebugCallee,
) {
    if callees.entries.contains_key(&callee.symbol) {
        return;
    }
    let root = dwarf.unit.root();
    let id = dwarf.unit.add(root, DW_TAG_subprogram);
    let linkage = Some(object.symbol_name(callee.symbol)).filter(|&linkage| linkage != callee.name);
    super::write_head(dwarf, id, unit.files, &callee.name, linkage, callee.position, true);
    unit.types.set_signature(dwarf, id, callee.ty);
    dwarf.unit.get_mut(id).set(DW_AT_declaration, AttributeValue::Flag(true));
    callees.entries.insert(callee.symbol, id);
}

/// The calls of a function that begins at `start`, below its entry.
pub(super) fn write_calls(
    object: &ObjectBuilder,
    dwarf: &mut DwarfUnit,
    callees: &mut Callees,
    calls: &[DebugCall],
    function: UnitEntryId,
    start: Address,
) {
    if dwarf.unit.version() < FIRST_VERSION {
        return;
    }
    let standard = dwarf.unit.version() >= 5;
    if !calls.is_empty() {
        let name = if standard { DW_AT_call_all_calls } else { DW_AT_GNU_all_call_sites };
        dwarf.unit.get_mut(function).set(name, AttributeValue::Flag(true));
    }
    for call in calls {
        let origin = call.callee.map(|symbol| callees.entry(object, dwarf, symbol));
        let id = dwarf.unit.add(function, if standard { DW_TAG_call_site } else { DW_TAG_GNU_call_site });
        let entry = dwarf.unit.get_mut(id);
        let after = AttributeValue::Address(super::moved(start, call.after));
        entry.set(if standard { DW_AT_call_return_pc } else { DW_AT_low_pc }, after);
        if call.tail {
            let name = if standard { DW_AT_call_tail_call } else { DW_AT_GNU_tail_call };
            entry.set(name, AttributeValue::Flag(true));
        }
        if let Some(origin) = origin {
            let name = if standard { DW_AT_call_origin } else { DW_AT_abstract_origin };
            entry.set(name, AttributeValue::UnitRef(origin));
        }
        if let Some(target) = &call.target {
            let name = if standard { DW_AT_call_target } else { DW_AT_GNU_call_site_target };
            entry.set(name, AttributeValue::Exprloc(expression(target).clone()));
        }
        for (register, value) in &call.arguments {
            let tag = if standard { DW_TAG_call_site_parameter } else { DW_TAG_GNU_call_site_parameter };
            let parameter = dwarf.unit.add(id, tag);
            let entry = dwarf.unit.get_mut(parameter);
            let mut location = Expression::new();
            location.op_reg(Register(*register));
            entry.set(DW_AT_location, AttributeValue::Exprloc(location.clone()));
            let name = if standard { DW_AT_call_value } else { DW_AT_GNU_call_site_value };
            entry.set(name, AttributeValue::Exprloc(expression(value).clone()));
        }
    }
}

fn expression(value: &ArgumentValue) -> Expression {
    let mut out = Expression::new();
    match *value {
        ArgumentValue::Integer(value) if value >= 0 => out.op_constu(value as u64),
        ArgumentValue::Integer(value) => out.op_consts(value),
        ArgumentValue::Address(symbol, addend) => out.op_addr(super::operand(symbol as usize, addend)),
        ArgumentValue::Sum(register, offset) => out.op_breg(Register(register), offset.into()),
        ArgumentValue::Low(register, offset) => {
            out.op_breg(Register(register), offset.into());
            out.op_constu(u32::MAX.into());
            out.op(gimli::DW_OP_and);
        }
        ArgumentValue::Deref(register, offset) => {
            out.op_breg(Register(register), offset.into());
            out.op_deref();
        }
        ArgumentValue::Entry(register) => {
            let mut inside = Expression::new();
            inside.op_reg(Register(register));
            out.op_entry_value(inside);
        }
    }
    out
}
