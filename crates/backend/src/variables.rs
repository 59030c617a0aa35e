//! Where the variables that `-g` describes have come to lie in the frame.

use ir::debug::{DebugVariable, VariablePlace};
use ir::{Function, Inst};
use object::VariableLocation;

use ir::abi::{CallLayout, ParamPlace};

/// A location for each variable of [`ir::debug::FunctionDebug::variables`]; none for what no longer
/// is in memory. `slot` gives an alloca's.
pub fn locations(
    func: &Function,
    layout: &CallLayout,
    slot: impl Fn(Inst) -> Option<VariableLocation>,
) -> Vec<Option<VariableLocation>> {
    let Some(debug) = &func.debug else { return Vec::new() };
    // An alloca that a pass has removed is in no block.
    let slot = |inst: Inst| func.inst_block(inst).and_then(|_| slot(inst));
    let locate = |place: VariablePlace| match place {
        VariablePlace::Alloca(inst) => slot(inst),
        VariablePlace::Within(inst, offset) => slot(inst).map(|at| at.after(offset)),
        VariablePlace::Parameter(index) => match layout.params.get(index as usize) {
            Some(&ParamPlace::ByVal { offset, .. }) => i32::try_from(offset).ok().map(VariableLocation::frame),
            _ => None,
        },
        VariablePlace::Elsewhere => None,
    };
    let placed = |variable: &DebugVariable| {
        let place = locate(variable.place);
        if variable.by_address { place.map(VariableLocation::behind) } else { place }
    };
    debug.variables.iter().map(placed).collect()
}
