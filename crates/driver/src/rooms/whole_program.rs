//! `-fwhole-program`, and units that are one program under `-flto`: names that nobody else knows
//! belong to the module alone.

use ir::{FnAttrs, Linkage, Module, SymbolDef, SymbolId, Visibility};
use platform::options::Options;

/// The names of a unit that is a program but for its libraries, by `-fwhole-program`. What is
/// `externally_visible` is also `used`.
pub fn close(module: &mut Module, options: &Options) {
    if options.codegen.whole_program {
        make_local(module, |name| name == "main");
    }
}

/// Gives the module's names to it alone, but for those that are known elsewhere.
pub fn make_local(module: &mut Module, is_known: impl Fn(&str) -> bool) {
    let ids: Vec<SymbolId> = module.symbols.keys().collect();
    for id in ids {
        let symbol = &mut module.symbols[id];
        let is_body = match symbol.def {
            SymbolDef::Function(_) | SymbolDef::Data(_) | SymbolDef::Alias(_) | SymbolDef::StreamedFunction => {
                !symbol.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY)
            }
            _ => false,
        };
        let name = &*symbol.name;
        // Code that is still to be made may call the library's functions by their names.
        let is_library = name.starts_with("__") || middle::library::may_be_called(name);
        if is_body && !symbol.used && !is_known(name) && !is_library {
            (symbol.linkage, symbol.visibility) = (Linkage::Local, Visibility::Default);
        }
    }
}
