//! Who calls whom among the functions of a module, and the order that puts callees before callers.

use crate::{FuncId, Function, Module, Opcode, SymbolDef};
use rustc_hash::FxHashSet;

use super::components;

/// What a function's code says about other functions of the module.
#[derive(Clone, Default)]
pub struct Mentions {
    /// The functions whose bodies it calls directly, in order of first call.
    pub callees: Vec<FuncId>,
    /// Every operand that names a function, in order.
    pub operands: Vec<FuncId>,
}

impl Mentions {
    /// One look at all instructions.
    pub fn of(module: &Module, func: &Function) -> Mentions {
        let mut out = Mentions::default();
        let mut called = FxHashSet::default();
        for inst in func.all_insts() {
            for (index, value) in func.operands(inst).enumerate() {
                let Some((symbol, offset)) = func.const_symbol(value) else { continue };
                let SymbolDef::Function(id) = module.symbols[symbol].def else { continue };
                out.operands.push(id);
                // The list of a call begins with what is called.
                if func.insts[inst].opcode == Opcode::Call && index == 0 && offset == 0 && called.insert(id) {
                    out.callees.push(id);
                }
            }
        }
        out
    }
}

/// The functions in levels, callees before callers: a function calls functions of lower levels and
/// of its own component only. `callees` is by function, `components` the bottom-up order, which is
/// kept within a level. The components that `alone` picks are taken apart: each of their functions
/// is a level of its own, after the others of the component's.
pub fn levels(
    callees: &[&[FuncId]],
    components: &[Vec<FuncId>],
    alone: impl Fn(&[FuncId]) -> bool,
) -> Vec<Vec<FuncId>> {
    let mut level_of = vec![0usize; callees.len()];
    let mut levels: Vec<(Vec<FuncId>, Vec<FuncId>)> = Vec::new();
    for component in components {
        // A callee of the same component has no level yet, and counts as the lowest.
        let called = component.iter().flat_map(|id| callees[id.as_u32() as usize]);
        let level = called.map(|callee| level_of[callee.as_u32() as usize]).max().unwrap_or(0);
        component.iter().for_each(|id| level_of[id.as_u32() as usize] = level + 1);
        if level == levels.len() {
            levels.push(Default::default());
        }
        let (together, one_by_one) = &mut levels[level];
        if alone(component) { one_by_one.extend(component) } else { together.extend(component) }
    }
    let steps = levels
        .into_iter()
        .flat_map(|(together, one_by_one)| std::iter::once(together).chain(one_by_one.into_iter().map(|id| vec![id])));
    steps.collect()
}

/// Takes helpers out of recursion cycles: members of a component that `is_helper` picks and that do
/// not are in one recursion cycle become components of their own, in front of what is left of it.
/// They call members that come later, which is no call of a callee for those who look downwards
/// only. Functions that `must_come_first` are helpers, too; a component in which one of them is in
/// a cycle of helpers stays as it is.
pub fn helpers_first(
    callees: &[&[FuncId]],
    components: Vec<Vec<FuncId>>,
    is_helper: impl Fn(FuncId) -> bool,
    must_come_first: impl Fn(FuncId) -> bool,
) -> Vec<Vec<FuncId>> {
    const NOT_A_HELPER: u32 = u32::MAX;
    const TAKEN_OUT: u32 = u32::MAX - 1;
    // By function: the component that it is a helper in.
    let mut helper_of = vec![NOT_A_HELPER; callees.len()];
    for (number, component) in components.iter().enumerate().filter(|(_, component)| component.len() > 1) {
        for &id in component.iter().filter(|&&id| is_helper(id) || must_come_first(id)) {
            helper_of[id.as_u32() as usize] = number as u32;
        }
    }
    if helper_of.iter().all(|&number| number == NOT_A_HELPER) {
        return components;
    }
    let among_helpers = |caller: usize| -> Vec<FuncId> {
        let number = helper_of[caller];
        let same = |callee: &&FuncId| number != NOT_A_HELPER && helper_of[callee.as_u32() as usize] == number;
        callees[caller].iter().filter(same).copied().collect()
    };
    let graph: Vec<Vec<FuncId>> = (0..callees.len()).map(among_helpers).collect();
    let graph: Vec<&[FuncId]> = graph.iter().map(|callees| &**callees).collect();
    let mut helpers: Vec<Vec<FuncId>> = vec![Vec::new(); components.len()];
    for circle in bottom_up_components(&graph) {
        if let &[id] = &*circle
            && helper_of[id.as_u32() as usize] != NOT_A_HELPER
            && !graph[id.as_u32() as usize].contains(&id)
        {
            let number = std::mem::replace(&mut helper_of[id.as_u32() as usize], TAKEN_OUT);
            helpers[number as usize].push(id);
        }
    }
    let mut out = Vec::with_capacity(components.len());
    for (mut component, helpers) in components.into_iter().zip(helpers) {
        let is_left = |id: FuncId| helper_of[id.as_u32() as usize] != TAKEN_OUT;
        if component.iter().any(|&id| is_left(id) && must_come_first(id)) {
            out.push(component);
            continue;
        }
        component.retain(|&id| is_left(id));
        out.extend(helpers.into_iter().map(|id| vec![id]));
        if !component.is_empty() {
            out.push(component);
        }
    }
    out
}

/// Strongly connected components of the call graph, callees before callers; within one, in source
/// order. `callees` is by function.
pub fn bottom_up_components(callees: &[&[FuncId]]) -> Vec<Vec<FuncId>> {
    let target = |node: usize, edge: usize| callees[node].get(edge).map(|callee| Some(callee.as_u32() as usize));
    let mut found = components(callees.len(), target);
    found.iter_mut().for_each(|component| component.sort_unstable());
    found.into_iter().map(|c| c.into_iter().map(|n| FuncId::from_u32(n as u32)).collect()).collect()
}
