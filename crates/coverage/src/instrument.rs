//! Counters in the IR.

use ir::instructions::{Ordering, RmwOp};
use ir::{
    Block, Builder, DataObject, FnAttrs, FuncId, Function, Inst, Linkage, Module, Opcode, SymbolData, SymbolDef,
    SymbolId, Type,
};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Site};

/// Counts the arcs of a function that the graph says; the array of its counters.
pub fn function(module: &mut Module, id: FuncId, graph: &Graph, atomic: bool) -> SymbolId {
    let sites: Vec<Site> = graph.counters().collect();
    let name = format!("__gcov0.{}", module.symbols[module.functions[id].symbol].name);
    let counters = local(module, &name);
    module.define_data(DataObject { size: 8 * sites.len() as u64, ..zeros(counters) });
    let tag = module.alias_tags.intern("gcov counter", ir::AliasTags::any());
    let func = &mut module.functions[id];
    let mut incoming: FxHashMap<Block, u32> = FxHashMap::default();
    let blocks: Vec<Block> = func.blocks().collect();
    for &block in &blocks {
        func.targets(block).into_iter().for_each(|target| *incoming.entry(target).or_default() += 1);
    }
    for (index, site) in sites.into_iter().enumerate() {
        let before = match site {
            Site::None => continue,
            Site::Before(inst) => inst,
            Site::Edge(from, to) => on_edge(func, &incoming, from, to),
        };
        let mut b = Builder::new(func, ir::Position::Before(before));
        let address = b.func.symbol_const(counters, 8 * index as i64);
        let one = b.iconst(Type::I64, 1);
        if atomic {
            b.atomic_rmw(RmwOp::Add, address, one, Ordering::Relaxed);
        } else {
            let old = b.load(Type::I64, address, 8, tag, 0);
            let new = b.binary(Opcode::Add, old, one);
            b.store(new, address, 8, tag, 0);
        }
    }
    counters
}

/// The instruction before which an edge is counted.
fn on_edge(func: &mut Function, incoming: &FxHashMap<Block, u32>, from: Block, to: Block) -> Inst {
    let terminator = func.terminator(from);
    if func.targets(from).len() == 1 {
        return terminator;
    }
    let is_entered_otherwise = incoming[&to] > 1 || to == func.entry() || func.labels.contains(&to);
    if !is_entered_otherwise {
        return func.first_non_phi(to).unwrap_or_else(|| func.terminator(to));
    }
    let between = func.make_block();
    func.insert_block_after(from, between);
    func.map_targets(terminator, |target| if target == to { between } else { target });
    func.replace_pred(to, from, between);
    Builder::new(func, ir::Position::End(between)).br(to)
}

/// A local symbol.
pub fn local(module: &mut Module, name: &str) -> SymbolId {
    let mut data = SymbolData::undefined(name, false);
    (data.linkage, data.referenced) = (Linkage::Local, true);
    module.add_symbol(data)
}

/// An object of zeros without a size.
pub fn zeros(symbol: SymbolId) -> DataObject {
    DataObject {
        symbol,
        size: 0,
        align: 8,
        bytes: Vec::new(),
        relocs: Vec::new(),
        read_only: false,
        constant: false,
        mergeable_string: 0,
        unnamed_addr: false,
        redzone: 0,
    }
}

/// Calls that make or replace processes go to the functions of `libgcov` that write the counts
/// before.
pub fn wrap_processes(module: &mut Module) {
    const NAMES: [&str; 7] = ["fork", "execl", "execlp", "execle", "execv", "execvp", "execve"];
    let mut wrapped = FxHashMap::default();
    for name in NAMES {
        let Some(symbol) = module.find_symbol(&module.assembler_name(name)) else { continue };
        if module.symbols[symbol].def != SymbolDef::Undefined {
            continue;
        }
        let mut data = SymbolData::undefined(&format!("__gcov_{name}"), true);
        (data.signature, data.referenced) = (module.symbols[symbol].signature, true);
        let new = module.find_symbol(&data.name).unwrap_or_else(|| module.add_symbol(data));
        wrapped.insert(symbol, new);
    }
    if wrapped.is_empty() {
        return;
    }
    for func in module.functions.values_mut() {
        for call in func.insts_with(|opcode| opcode == Opcode::Call) {
            let callee = func.const_symbol(func.list(call)[0]).map(|(symbol, _)| symbol);
            let is_library = func.call_info(call).attrs.has(FnAttrs::LIBRARY);
            if let Some(&new) = callee.filter(|_| is_library).and_then(|callee| wrapped.get(&callee)) {
                let new = func.symbol_const(new, 0);
                func.set_operand(call, 0, new);
            }
        }
    }
}
