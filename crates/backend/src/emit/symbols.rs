//! The module's symbols in the object's symbol table.

use ir::{Linkage, Module, SymbolData, SymbolDef};
use object::{Binding, Place, SymbolKind, Visibility};

use super::ModuleEmitter;

fn binding(data: &SymbolData) -> Binding {
    match data.linkage {
        // A `static` function that is called but never defined can only be meant to come from
        // elsewhere (file-scope asm).
        Linkage::Local if !data.is_defined() => Binding::Global,
        Linkage::Local => Binding::Local,
        Linkage::Global => Binding::Global,
        Linkage::Weak => Binding::Weak,
    }
}

fn visibility(data: &SymbolData) -> Visibility {
    match data.visibility {
        ir::Visibility::Default => Visibility::Default,
        ir::Visibility::Hidden => Visibility::Hidden,
        ir::Visibility::Protected => Visibility::Protected,
        ir::Visibility::Internal => Visibility::Internal,
    }
}

fn kind(data: &SymbolData) -> SymbolKind {
    // Labels of constants, which are seen where relocations need them.
    if data.name.starts_with(".L") {
        return SymbolKind::NoType;
    }
    if data.tls.is_some() {
        return SymbolKind::Tls;
    }
    match data.def {
        SymbolDef::Undefined => SymbolKind::NoType,
        SymbolDef::Ifunc(_) => SymbolKind::IFunc,
        _ if data.is_function => SymbolKind::Func,
        _ => SymbolKind::Object,
    }
}

impl ModuleEmitter<'_> {
    /// Makes object symbols for the module symbols that have none yet.
    pub(super) fn sync_symbols(&mut self, module: &Module) {
        for index in self.symbols.len()..module.symbols.len() {
            let data = &module.symbols[ir::SymbolId::from_u32(index as u32)];
            // Compound literals have no name, and each is a symbol of its own.
            let symbol = if data.name.starts_with(".L") || data.name.is_empty() {
                self.builder.add_private_symbol(&data.name, kind(data))
            } else {
                self.builder.add_symbol(&data.name, binding(data), visibility(data), kind(data))
            };
            self.symbols.push(symbol);
        }
    }

    /// Later declarations may have changed a symbol's linkage, visibility or kind since it was
    /// first seen.
    pub(super) fn update_symbols(&mut self, module: &Module) {
        for (id, data) in &module.symbols {
            if data.name.starts_with(".L") {
                continue;
            }
            let symbol = self.symbols[id.as_u32() as usize];
            let entry = self.builder.symbol_mut(symbol);
            // A declaration says less than what has the place: a label in asm text, which is local,
            // or the definition of another variable or function under the same assembler name.
            let elsewhere = matches!(data.def, SymbolDef::Undefined) && entry.place != Place::Undefined;
            if !elsewhere {
                entry.kind = kind(data);
            }
            if !elsewhere || binding(data) != Binding::Global {
                entry.binding = binding(data);
            }
            entry.visibility = visibility(data);
            entry.keep |= data.used && data.is_defined();
            if let Some(version) = &data.symver {
                self.builder.add_version(symbol, version, object::PlainName::Kept);
            }
        }
    }

    /// Other names for symbols, and indirect functions.
    pub(super) fn aliases(&mut self, module: &Module) {
        for (id, data) in &module.symbols {
            if let SymbolDef::Alias(target) | SymbolDef::Ifunc(target) = data.def {
                let symbol = self.symbols[id.as_u32() as usize];
                let target = self.symbols[target.as_u32() as usize];
                self.builder.define_alias(symbol, target, 0);
            }
        }
    }
}
