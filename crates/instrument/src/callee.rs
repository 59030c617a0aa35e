//! Functions of a runtime. They are declared while the module may still change, and called when
//! passes share it.

use ir::{AbiParam, Builder, FnAttrs, Inst, Module, ParamKind, SigId, Signature, SymbolId, Type, Value};

/// A function that may be called.
pub struct Callee {
    /// Its symbol.
    pub symbol: SymbolId,
    sig: SigId,
    /// Attributes of its calls; none of them throws.
    pub attrs: FnAttrs,
    result: Type,
}

impl Callee {
    /// Declares a function; `result` is void if it has none.
    pub fn declare(module: &mut Module, name: &str, params: &[Type], result: Type) -> Callee {
        let params = params.iter().map(|&ty| AbiParam { ty, kind: ParamKind::Direct }).collect();
        let returns = Some(result).filter(|&ty| ty != Type::VOID).into_iter().collect();
        let sig = Signature { params, returns, ..Signature::default() };
        let symbol = module.external_function(name, sig.clone());
        let mut attrs = FnAttrs::default();
        attrs.set(FnAttrs::NOTHROW);
        Callee { symbol, sig: module.signature(sig), attrs, result }
    }

    /// Calls it.
    pub fn call(&self, b: &mut Builder<'_>, args: &[Value]) -> Inst {
        let returns: &[Type] = if self.result == Type::VOID { &[] } else { &[self.result] };
        b.call_symbol(self.symbol, self.sig, self.attrs, returns, args)
    }
}
