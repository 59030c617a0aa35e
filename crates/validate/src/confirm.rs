//! Whether the interpreter finds the same difference as the solver.

use interp::eval::Bits;
use ir::{Function, Module, SymbolDef, Type};

/// Instructions that a run may take.
const FUEL: u64 = 1_000_000;

/// Whether the functions do something else for these arguments (index, bits): the one before the
/// pass ends, and the one after does not, or gives other results. Only of functions whose
/// parameters are numbers.
pub fn differ(module: &Module, before: &Function, after: &Function, arguments: &[(u32, u128)]) -> bool {
    let types: Vec<Type> = before.params().iter().map(|&param| before.value_type(param)).collect();
    if types.iter().any(|ty| !(ty.is_int() || ty.is_float())) {
        return false;
    }
    let bits = |index: usize| {
        let known = arguments.iter().find(|argument| argument.0 as usize == index);
        Bits::Scalar(known.map_or(0, |argument| argument.1))
    };
    let arguments: Vec<(Type, Bits)> = types.iter().enumerate().map(|(n, &ty)| (ty, bits(n))).collect();
    let run = |func: &Function| {
        let mut module = module.clone();
        let SymbolDef::Function(id) = module.symbols[func.symbol].def else { return None };
        module.functions[id] = func.clone();
        Some(interp::call(&module, func.symbol, &arguments, FUEL))
    };
    match (run(before), run(after)) {
        (Some(Ok(a)), Some(Ok(b))) => a != b,
        (Some(Ok(_)), Some(Err(interp::Trap::Undefined(_)))) => true,
        _ => false,
    }
}
