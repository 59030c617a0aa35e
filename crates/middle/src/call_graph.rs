//! Who calls whom among the functions of a module, and the order that puts callees before callers.

use ir::{Constant, FuncId, Function, Module, Opcode, SymbolDef, SymbolId};

/// The function that a symbol certainly stands for at run time: its body is in this module and cannot be replaced by another.
pub fn exact_definition(module: &Module, symbol: SymbolId, pic: bool) -> Option<FuncId> {
    let data = &module.symbols[symbol];
    let replaceable = match data.linkage {
        ir::Linkage::Local => false,
        ir::Linkage::Weak => true,
        // In a shared library the dynamic linker may bind a default-visibility name elsewhere.
        ir::Linkage::Global => {
            pic && data.visibility == ir::Visibility::Default && !data.attrs.has(ir::FnAttrs::INLINE_HINT)
        }
    };
    match data.def {
        SymbolDef::Function(id) if !replaceable => Some(id),
        _ => None,
    }
}

/// The functions whose bodies a function calls directly, each once, in order of first call.
pub fn direct_callees(func: &Function, module: &Module) -> Vec<FuncId> {
    let mut out = Vec::new();
    for block in func.blocks() {
        for inst in func.block_insts(block).filter(|&i| func.insts[i].opcode == Opcode::Call) {
            if let Some(Constant::Symbol(symbol, 0)) = func.constant(func.list(inst)[0])
                && let SymbolDef::Function(id) = module.symbols[*symbol].def
                && !out.contains(&id)
            {
                out.push(id);
            }
        }
    }
    out
}

/// The components (callees before callers) in levels: a function calls functions of lower levels and of its own component only. Within
/// a level the order of `components` is kept. Where a function that must be inlined is mentioned outside of calls, an indirect call may
/// turn out to be one of it: there each component is a level of its own.
pub fn levels(module: &Module, components: Vec<Vec<FuncId>>) -> Vec<Vec<Vec<FuncId>>> {
    if forced_by_address(module) {
        return components.into_iter().map(|component| vec![component]).collect();
    }
    let mut level_of = vec![0usize; module.functions.len()];
    let mut levels: Vec<Vec<Vec<FuncId>>> = Vec::new();
    for component in components {
        // A callee of the same component has no level yet, and counts as the lowest.
        let callees = component.iter().flat_map(|&id| direct_callees(&module.functions[id], module));
        let level = callees.map(|callee| level_of[callee.as_u32() as usize]).max().unwrap_or(0);
        component.iter().for_each(|id| level_of[id.as_u32() as usize] = level + 1);
        if level == levels.len() {
            levels.push(Vec::new());
        }
        levels[level].push(component);
    }
    levels
}

/// Whether some operand that is not a callee names a function that must be inlined.
fn forced_by_address(module: &Module) -> bool {
    let forced = |symbol: SymbolId| module.symbols[symbol].attrs.has(ir::FnAttrs::ALWAYS_INLINE);
    let in_code = |func: &Function| {
        let mut insts = func.blocks().flat_map(|block| func.block_insts(block));
        insts.any(|inst| {
            let skipped = usize::from(func.insts[inst].opcode == Opcode::Call);
            func.operands(inst).skip(skipped).any(|v| func.const_symbol(v).is_some_and(|(symbol, _)| forced(symbol)))
        })
    };
    let in_data = |data: &ir::DataObject| {
        data.relocs.iter().any(|r| matches!(r.target, ir::RelocTarget::Symbol(symbol) if forced(symbol)))
    };
    let any = module.symbols.values().any(|symbol| symbol.attrs.has(ir::FnAttrs::ALWAYS_INLINE));
    any && (module.functions.values().any(in_code) || module.data.values().any(in_data))
}

/// Strongly connected components of the call graph, callees before callers; within one, in source order. Tarjan's algorithm with an
/// explicit stack.
pub fn bottom_up_components(module: &Module) -> Vec<Vec<FuncId>> {
    let callees: Vec<Vec<FuncId>> = module.functions.values().map(|f| direct_callees(f, module)).collect();
    let count = callees.len();
    let (mut index, mut low, mut on_stack) = (vec![0u32; count], vec![0u32; count], vec![false; count]);
    let (mut clock, mut stack, mut components) = (0, Vec::new(), Vec::new());
    for root in 0..count {
        if index[root] != 0 {
            continue;
        }
        let mut frames = vec![(root, 0usize)];
        while let Some((node, next)) = frames.last_mut() {
            let node = *node;
            if *next == 0 {
                clock += 1;
                (index[node], low[node]) = (clock, clock);
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(callee) = callees[node].get(*next) {
                *next += 1;
                let callee = callee.as_u32() as usize;
                if index[callee] == 0 {
                    frames.push((callee, 0));
                } else if on_stack[callee] {
                    low[node] = low[node].min(index[callee]);
                }
                continue;
            }
            // Nodes without callees come here with `next` still 0: make sure they are not entered twice.
            frames.pop();
            if let Some((outer, _)) = frames.last() {
                low[*outer] = low[*outer].min(low[node]);
            }
            if low[node] == index[node] {
                let start = stack.iter().rposition(|&s| s == node).expect("component root is on the stack");
                let mut component = stack.split_off(start);
                component.iter().for_each(|&n| on_stack[n] = false);
                component.sort();
                components.push(component.into_iter().map(|n| FuncId::from_u32(n as u32)).collect());
            }
        }
    }
    components
}
