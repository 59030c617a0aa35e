//! Several modules as one, for link-time optimisation.
//!
//! The texts are read one after the other into one module. A name that is not local means the same
//! symbol in all of them; local symbols keep apart, and get a name of their own where theirs is
//! taken. Who defines a name that several texts define has been decided by the linker: the
//! definitions of the others are read and forgotten.

use rustc_hash::FxHashSet;

use crate::module::{Linkage, SymbolData, SymbolDef, Visibility};
use crate::{FnAttrs, Module, SymbolId};

use super::lexer::{Result, tokenize};
use super::parser::{Merging, Parser};

/// A module made of several.
pub struct Merger {
    parser: Parser,
}

impl Default for Merger {
    fn default() -> Merger {
        Merger {
            parser: Parser { tokens: Vec::new(), at: 0, module: Module::new(), pending: Vec::new(), merging: None },
        }
    }
}

impl Merger {
    /// Adds the module that `source` is. `superseded` are names that it defines, but not for the
    /// program.
    ///
    /// # Errors
    /// The first place where the text is not in the form that is printed; the module is of no use
    /// then.
    pub fn add(&mut self, source: &str, superseded: FxHashSet<String>) -> Result<()> {
        self.parser.tokens = tokenize(source)?;
        self.parser.at = 0;
        let before = self.parser.merging.take().unwrap_or_default();
        let seen = before.seen.into_iter().chain(before.declared.into_keys()).collect();
        self.parser.merging = Some(Merging { seen, numbers: before.numbers, superseded, ..Merging::default() });
        self.parser.items()
    }

    /// The module.
    pub fn finish(self) -> Module {
        self.parser.module
    }
}

impl Parser {
    /// Begins the declaration of a symbol: its number, and what is known of it.
    pub(super) fn declared(&mut self, name: &str) -> (SymbolId, SymbolData) {
        if self.merging.is_none() {
            let id = self.symbol_named(name);
            return (id, self.module.symbols[id].clone());
        }
        if self.peek_word() != "local" {
            return (self.symbol_named(name), SymbolData::undefined(name, false));
        }
        let own = self.free_name(name);
        let data = SymbolData::undefined(&own, false);
        let id = self.module.add_symbol(data.clone());
        self.merging.as_mut().expect("texts are merged").locals.insert(name.to_string(), id);
        (id, data)
    }

    /// A name like `name` that no symbol has, as gcc makes them.
    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_string();
        while self.module.find_symbol(&free).is_some() {
            let numbers = &mut self.merging.as_mut().expect("texts are merged").numbers;
            let number = numbers.entry(name.to_string()).or_default();
            free = format!("{name}.lto_priv.{number}");
            *number += 1;
        }
        free
    }

    /// Ends the declaration of a symbol.
    pub(super) fn declare(&mut self, id: SymbolId, mut data: SymbolData) {
        let known = &mut self.module.symbols[id];
        let Some(merging) = &mut self.merging else {
            *known = data;
            return;
        };
        if data.linkage == Linkage::Local {
            *known = data;
            return;
        }
        if matches!(data.def, SymbolDef::Common { .. }) && merging.superseded.contains(&*known.name) {
            data.def = SymbolDef::Undefined;
        }
        match (&known.def, &data.def) {
            (SymbolDef::Undefined, SymbolDef::Common { .. }) => define(known, &data),
            (SymbolDef::Common { size, align }, SymbolDef::Common { size: other, align: stricter }) => {
                known.def = SymbolDef::Common { size: *size.max(other), align: *align.max(stricter) };
            }
            (SymbolDef::Undefined, _) if merging.seen.contains(&id) => both(known, &data),
            (SymbolDef::Undefined, _) => *known = data.clone(),
            _ => note(known, &data),
        }
        merging.declared.insert(id, data);
    }

    /// Whether the text defines a name that another object defines for the program.
    pub(super) fn is_superseded(&self, id: SymbolId) -> bool {
        let name = &*self.module.symbols[id].name;
        self.merging.as_ref().is_some_and(|merging| merging.superseded.contains(name))
    }

    /// Whether the definition that comes now counts. If it does, the symbol becomes what this text
    /// declares.
    pub(super) fn takes_definition(&mut self, id: SymbolId) -> bool {
        let known = &self.module.symbols[id];
        let Some(merging) = &self.merging else { return true };
        if known.linkage == Linkage::Local {
            return known.def == SymbolDef::Undefined;
        }
        let is_inline = |data: &SymbolData| data.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY);
        let Some(declared) = merging.declared.get(&id) else { return known.def == SymbolDef::Undefined };
        if self.is_superseded(id) {
            return false;
        }
        let counts = match known.def {
            SymbolDef::Undefined => true,
            SymbolDef::Common { .. } => !is_inline(declared),
            SymbolDef::Function(old) if is_inline(known) && !is_inline(declared) => {
                self.module.take_function(old);
                true
            }
            _ => false,
        };
        if counts {
            let declared = declared.clone();
            define(&mut self.module.symbols[id], &declared);
        }
        counts
    }
}

/// The symbol as the text with its definition has it, with what others ask of it.
fn define(known: &mut SymbolData, declared: &SymbolData) {
    let mut data = declared.clone();
    note(&mut data, known);
    *known = data;
}

/// What a declaration asks of a symbol that another text defines.
fn note(known: &mut SymbolData, other: &SymbolData) {
    known.used |= other.used;
    known.retain |= other.retain;
    known.referenced |= other.referenced;
    known.no_plt |= other.no_plt;
    known.visibility = stricter(known.visibility, other.visibility);
}

/// Two declarations of what is defined in neither text: what both promise holds.
fn both(known: &mut SymbolData, other: &SymbolData) {
    note(known, other);
    if other.linkage == Linkage::Global {
        known.linkage = Linkage::Global;
    }
    known.attrs = FnAttrs(known.attrs.0 & other.attrs.0);
    known.align = known.align.min(other.align);
    known.is_function |= other.is_function;
    known.large |= other.large;
    // `None` is for what is no variable of threads.
    known.tls = known.tls.min(other.tls);
    known.signature = known.signature.or(other.signature);
    known.register = known.register.or(other.register);
}

/// The order of ELF's visibilities: internal, hidden, protected, default.
fn stricter(a: Visibility, b: Visibility) -> Visibility {
    let order = [Visibility::Internal, Visibility::Hidden, Visibility::Protected];
    order.into_iter().find(|v| a == *v || b == *v).unwrap_or(Visibility::Default)
}
