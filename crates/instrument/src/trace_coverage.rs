//! `-fsanitize-coverage=`: the program tells a fuzzer where it comes by and what it compares.
//!
//! The calls of `trace-pc` and `trace-cmp` are those of gcc 12's `sancov.cc`; `trace-pc-guard` and
//! its section are those of LLVM's `SanitizerCoverage.cpp`. A fuzzer or kernel defines what is
//! called.
//!
//! Runs when all inlining is done and branches are threaded, at every level: what is told is what
//! is left of the program, and nothing is told twice. Linear.

use ir::{
    Builder, DataObject, FnAttrs, Function, Inst, InstView, Linkage, Module, SymbolData, SymbolId, Type, Value,
    Visibility, caller,
};
use platform::options::Options;

use crate::callee::Callee;

/// Where the guards of all units lie; the linker knows its start and end.
const GUARDS: &str = "__sancov_guards";

/// Constructors of priority 2 come before those of programs that are watched (LLVM's choice).
const PRIORITY: u16 = 2;

/// Adds the calls to all functions of the module; how many.
pub fn add(module: &mut Module, options: &Options) -> u64 {
    let wanted = options.sanitize.coverage;
    let ids: Vec<_> = module.functions.keys().collect();
    let (mut calls, mut guarded) = (0, false);
    for id in ids {
        let symbol = &module.symbols[module.functions[id].symbol];
        let refused = symbol.code.as_ref().is_some_and(|code| code.no_coverage);
        if refused || symbol.attrs.has(FnAttrs::NAKED) {
            continue;
        }
        let mut func = module.take_function(id);
        // Comparisons first: the calls at the heads of blocks come before them.
        if wanted.comparisons {
            calls += trace_comparisons(module, &mut func);
        }
        if wanted.places || wanted.guards {
            let guards = wanted.guards.then(|| guards(module, func.blocks().count()));
            guarded |= wanted.guards;
            calls += trace_places(module, &mut func, guards);
        }
        module.functions[id] = func;
    }
    if guarded {
        start_guards(module);
    }
    calls
}

/// A call at the head of each block, with the address of the block's guard if there are guards.
fn trace_places(module: &mut Module, func: &mut Function, guards: Option<SymbolId>) -> u64 {
    let (name, params): (_, &[Type]) = match guards {
        Some(_) => ("__sanitizer_cov_trace_pc_guard", &[Type::PTR]),
        None => ("__sanitizer_cov_trace_pc", &[]),
    };
    let callee = declare(module, name, params);
    let blocks: Vec<_> = func.blocks().collect();
    for (index, &block) in blocks.iter().enumerate() {
        let after_allocas = func.block_insts(block).find(|&i| {
            let opcode = func.insts[i].opcode;
            opcode != ir::Opcode::Alloca && opcode != ir::Opcode::Phi
        });
        let first = after_allocas.expect("a block ends in a terminator");
        let mut b = Builder::before(func, first);
        let guard = guards.map(|guards| b.func.symbol_const(guards, 4 * index as i64));
        callee.call(&mut b, guard.as_slice());
    }
    blocks.len() as u64
}

/// The guards of a function: a number of 32 bits for each block.
fn guards(module: &mut Module, blocks: usize) -> SymbolId {
    let symbol = module.add_private_data(|symbol| DataObject {
        read_only: false,
        constant: false,
        align: 4,
        ..DataObject::string(symbol, &vec![0; 4 * blocks])
    });
    let data = &mut module.symbols[symbol];
    data.section = Some(GUARDS.into());
    (data.used, data.referenced) = (true, true);
    symbol
}

/// The runtime learns where the guards of the program or library are.
fn start_guards(module: &mut Module) {
    let mut edge = |which: &str| {
        let mut data = SymbolData::undefined(&format!("__{which}_{GUARDS}"), false);
        data.visibility = Visibility::Hidden;
        data.linkage = Linkage::Global;
        data.referenced = true;
        caller::Argument::Address(module.add_symbol(data))
    };
    let arguments = [edge("start"), edge("stop")];
    let call: (_, &[_]) = ("__sanitizer_cov_trace_pc_guard_init", &arguments);
    let function = caller::define(module, "sancov.module_ctor_trace_pc_guard", &[call]);
    module.init_fini.push((true, Some(PRIORITY), function));
}

/// A call before each comparison of two integers or floats, unless both are constants, and before
/// each switch.
fn trace_comparisons(module: &mut Module, func: &mut Function) -> u64 {
    let mut calls = 0;
    let all: Vec<Inst> = func.all_insts().collect();
    for inst in all {
        let told = match func.view(inst) {
            InstView::ICmp { a, b, .. } => trace_integers(module, func, inst, a, b),
            InstView::FCmp { a, b, .. } => trace_floats(module, func, inst, a, b),
            InstView::Switch { value, .. } => trace_switch(module, func, inst, value),
            _ => false,
        };
        calls += u64::from(told);
    }
    calls
}

fn trace_integers(module: &mut Module, func: &mut Function, inst: Inst, a: Value, b: Value) -> bool {
    let ty = func.value_type(a);
    let bits = ty.bits();
    let constants = (func.const_bits(a).is_some(), func.const_bits(b).is_some());
    if !ty.is_int() || !matches!(bits, 8 | 16 | 32 | 64) || constants == (true, true) {
        return false;
    }
    let kind = if constants == (false, false) { "" } else { "const_" };
    let param = if bits == 64 { Type::I64 } else { Type::I32 };
    let callee = declare(module, &format!("__sanitizer_cov_trace_{kind}cmp{}", bits / 8), &[param, param]);
    // The constant comes first.
    let (first, second) = if constants.1 { (b, a) } else { (a, b) };
    let mut b = Builder::before(func, inst);
    let arguments =
        [first, second].map(|value| if bits < 32 { b.unary(ir::Opcode::ZExt, param, value) } else { value });
    callee.call(&mut b, &arguments);
    true
}

fn trace_floats(module: &mut Module, func: &mut Function, inst: Inst, a: Value, b: Value) -> bool {
    let ty = func.value_type(a);
    let name = match ty {
        Type::F32 => "__sanitizer_cov_trace_cmpf",
        Type::F64 => "__sanitizer_cov_trace_cmpd",
        _ => return false,
    };
    let is_constant = |value| matches!(func.value_def(value), ir::ValueDef::Const(_));
    if is_constant(a) && is_constant(b) {
        return false;
    }
    let callee = declare(module, name, &[ty, ty]);
    callee.call(&mut Builder::before(func, inst), &[a, b]);
    true
}

/// The value and a table: the number of cases, the bits of the value, the cases.
fn trace_switch(module: &mut Module, func: &mut Function, inst: Inst, value: Value) -> bool {
    let InstView::Switch { cases, .. } = func.view(inst) else { return false };
    let bits = func.value_type(value).bits();
    if bits > 64 {
        return false;
    }
    let cases = &func.switches[cases].cases;
    let numbers = [cases.len() as u64, u64::from(bits)].into_iter().chain(cases.iter().map(|case| case.0));
    let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
    // The runtime may sort the table in place, as libFuzzer does.
    let table = module.add_private_data(|symbol| DataObject {
        read_only: false,
        constant: false,
        align: 8,
        ..DataObject::string(symbol, &bytes)
    });
    module.symbols[table].referenced = true;
    let callee = declare(module, "__sanitizer_cov_trace_switch", &[Type::I64, Type::PTR]);
    let mut b = Builder::before(func, inst);
    let wide = if bits < 64 { b.unary(ir::Opcode::ZExt, Type::I64, value) } else { value };
    let table = b.func.symbol_const(table, 0);
    callee.call(&mut b, &[wide, table]);
    true
}

/// A function that the fuzzer or the kernel defines.
fn declare(module: &mut Module, name: &str, params: &[Type]) -> Callee {
    let callee = Callee::declare(module, name, params, Type::VOID);
    module.symbols[callee.symbol].referenced = true;
    callee
}
