//! Local functions that only make calls: the constructors and destructors by which instrumented
//! code starts its runtime.

use crate::{
    AbiParam, Builder, FnAttrs, Function, Linkage, Module, ParamKind, Position, Signature, SymbolData, SymbolId, Type,
    Value, Visibility,
};

/// gcc's priority of constructors that start a sanitizer: before all that a program may have.
pub const FIRST: u16 = 99;

/// An argument of such a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The address of a symbol.
    Address(SymbolId),
    /// A number of 64 bits.
    Number(i64),
}

/// Defines a local function of this name, without parameters, that makes the calls (names of
/// external functions and their arguments) in order. It is not instrumented itself.
pub fn define(module: &mut Module, name: &str, calls: &[(&str, &[Argument])]) -> SymbolId {
    let mut data = SymbolData::undefined(name, true);
    data.linkage = Linkage::Local;
    data.visibility = Visibility::Default;
    (data.used, data.referenced) = (true, true);
    data.attrs.set(FnAttrs::NO_SANITIZE_ACCESSES | FnAttrs::NO_INSTRUMENT);
    let symbol = module.add_symbol(data);
    let sig = module.signature(Signature::default());
    let mut func = Function::new(symbol, sig, []);
    let entry = func.make_block();
    func.append_block(entry);
    for &(callee, arguments) in calls {
        let ty = |argument: &Argument| match argument {
            Argument::Address(_) => Type::PTR,
            Argument::Number(_) => Type::I64,
        };
        let params = arguments.iter().map(|a| AbiParam { ty: ty(a), kind: ParamKind::Direct }).collect();
        let sig = Signature { params, ..Signature::default() };
        let callee = module.external_function(callee, sig.clone());
        module.symbols[callee].referenced = true;
        let sig = module.signature(sig);
        let mut b = Builder::new(&mut func, Position::End(entry));
        let value = |b: &mut Builder<'_>, argument: &Argument| match *argument {
            Argument::Address(symbol) => b.func.symbol_const(symbol, 0),
            Argument::Number(number) => b.iconst(Type::I64, number),
        };
        let arguments: Vec<Value> = arguments.iter().map(|argument| value(&mut b, argument)).collect();
        b.call_symbol(callee, sig, FnAttrs::default(), &[], &arguments);
    }
    Builder::new(&mut func, Position::End(entry)).ret(&[]);
    module.define_function(func);
    symbol
}
