//! What lowering keeps for a whole unit: the module, the symbols of declarations, shared string
//! literals and constants.

use std::rc::Rc;

use base::Session;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::{AliasTag, DataObject, Linkage, Module, RecordTag, SymbolData, SymbolId};
use platform::options::Options;
use rustc_hash::FxHashMap;

use super::abi::CallConvention;
use super::attributes;
use super::data_alignment;
use super::nested::{Frame, NestedInfo};
use crate::tree::{DeclFlags, DeclId, DeclKind, Linkage as CLinkage, RecordId, SignatureId, Ty, Unit};

/// A copy of an inline function for one list of anonymous arguments, to be made at the end of the
/// unit.
pub struct CloneRequest {
    /// The function whose body uses `__builtin_va_arg_pack`.
    pub decl: DeclId,
    /// The copy's symbol.
    pub symbol: SymbolId,
    /// Types of the anonymous arguments.
    pub types: Vec<Ty>,
}

/// State of a unit's lowering.
#[derive(Default)]
pub struct State {
    /// The module made.
    pub module: Module,
    /// Symbol of each declared entity.
    pub symbols: SecondaryMap<DeclId, PackedOption<SymbolId>>,
    /// Entities that have a symbol, in order of their first mention.
    pub mentioned: Vec<DeclId>,
    /// The conventions of calls by prototypes, where only integers and pointers are passed.
    pub plain_calls: FxHashMap<SignatureId, Rc<CallConvention>>,
    /// What `-Wpsabi` has said: bits of [`super::vector_abi`].
    pub vector_abi_said: u8,
    /// Tags by type.
    pub alias_tags: FxHashMap<Ty, AliasTag>,
    /// The records by which accesses are told apart; `None`: not by this one.
    pub record_tags: FxHashMap<RecordId, Option<RecordTag>>,
    /// Enclosing functions' frames, outermost first, while nested functions are lowered.
    pub frames: Vec<Frame>,
    /// Nested functions of the functions being lowered.
    pub nested: FxHashMap<DeclId, NestedInfo>,
    /// Declarations with inline bodies by assembler name: another declaration of the name
    /// (`asm("fgets")`) has no body.
    pub inline_bodies: FxHashMap<base::Symbol, DeclId>,
    /// Bodies that call `__builtin_va_arg_pack`.
    pub va_pack_users: SecondaryMap<DeclId, bool>,
    /// Copies asked for.
    pub clones: Vec<CloneRequest>,
    /// Types described for `-g`.
    pub debug_types: super::debug::DebugTypes,
    /// A function that is done with, for its memory.
    pub spare: Option<ir::Function>,
    clone_map: FxHashMap<(DeclId, Vec<Ty>), SymbolId>,
    strings: FxHashMap<(u8, u32, Box<[u8]>), SymbolId>,
    static_number: u32,
    clone_number: u32,
    reported: Vec<&'static str>,
}

impl State {
    /// An error that gcc reports once in a translation unit: what a register class that is turned
    /// off would be needed for.
    pub fn error_once(&mut self, session: &Session, loc: base::Loc, message: &'static str) {
        if !self.reported.contains(&message) {
            self.reported.push(message);
            session.error(loc, message).emit();
        }
    }

    /// The symbol of a variable or function; it counts as referenced from now on.
    pub fn reference(&mut self, unit: &Unit, session: &Session, options: &Options, decl: DeclId) -> SymbolId {
        let symbol = self.symbol(unit, session, options, decl);
        self.module.symbols[symbol].referenced = true;
        symbol
    }

    /// The symbol of a variable or function, made on first use.
    pub fn symbol(&mut self, unit: &Unit, session: &Session, options: &Options, decl: DeclId) -> SymbolId {
        if let Some(symbol) = self.symbols[decl].expand() {
            return symbol;
        }
        let symbol = match weak_reference(unit, decl) {
            Some(target) => {
                let name = session.str(target);
                self.module.find_symbol(name).unwrap_or_else(|| {
                    let mut data = SymbolData::undefined(name, unit.decls[decl].kind == DeclKind::Function);
                    data.linkage = Linkage::Weak;
                    self.module.add_symbol(data)
                })
            }
            None => self.new_symbol(unit, session, decl),
        };
        self.symbols[decl] = symbol.into();
        self.mentioned.push(decl);
        attributes::update_symbol(self, unit, session, options, decl);
        symbol
    }

    fn new_symbol(&mut self, unit: &Unit, session: &Session, decl: DeclId) -> SymbolId {
        let info = &unit.decls[decl];
        let is_function = info.kind == DeclKind::Function;
        let name = unit.symbol_name(decl).map_or("", |n| session.str(n));
        let prefixed = info.asm_name.is_none() && !name.is_empty() && !self.module.label_prefix.is_empty();
        let name = &*if prefixed { self.module.assembler_name(name) } else { name.into() };
        if info.linkage == CLinkage::External {
            return self
                .module
                .find_symbol(name)
                .unwrap_or_else(|| self.module.add_symbol(SymbolData::undefined(name, is_function)));
        }
        let local_name = match info.linkage {
            // Statics of blocks, and objects without a name, get a number: several may share a
            // name.
            _ if info.asm_name.is_none() && (info.linkage == CLinkage::None || name.is_empty()) => {
                let number = self.static_number;
                self.static_number += 1;
                if info.flags.has(DeclFlags::ANONYMOUS) || name.is_empty() {
                    format!("__compound_literal.{number}")
                } else {
                    format!("{name}.{number}")
                }
            }
            _ => name.to_owned(),
        };
        let mut data = SymbolData::undefined(&local_name, is_function);
        data.linkage = Linkage::Local;
        self.module.add_symbol(data)
    }

    /// Whether a function is declared under the name of an inline body that belongs to another
    /// declaration: glibc's checking wrappers call the functions that they wrap like that. Such
    /// calls are not of the body.
    pub fn is_apart_from_body(&self, unit: &Unit, decl: DeclId) -> bool {
        let info = &unit.decls[decl];
        info.linkage == CLinkage::External
            && !self.inline_bodies.is_empty()
            && unit.symbol_name(decl).and_then(|name| self.inline_bodies.get(&name)).is_some_and(|&body| body != decl)
    }

    /// The symbol of a nested function.
    pub fn nested_symbol(&mut self, unit: &Unit, session: &Session, options: &Options, decl: DeclId) -> SymbolId {
        self.symbol(unit, session, options, decl)
    }

    /// The address of a string literal's bytes; equal literals share it.
    pub fn string(&mut self, options: &Options, bytes: &[u8], elem_size: u8) -> SymbolId {
        // A terminator inside would let the linker cut the literal in two.
        let width = elem_size as usize;
        let is_zero = |e: &[u8]| e.iter().all(|&b| b == 0);
        let inner_zero = bytes.chunks(width).rev().skip(1).any(is_zero);
        let terminated = bytes.chunks(width).next_back().is_some_and(is_zero);
        let mergeable = if terminated && !inner_zero { elem_size } else { 0 };
        self.constant(bytes, data_alignment::string(options, bytes.len(), elem_size), mergeable)
    }

    /// Read-only bytes without a name; equal ones share it.
    pub fn constant(&mut self, bytes: &[u8], align: u32, mergeable: u8) -> SymbolId {
        let key = (mergeable, align, bytes.into());
        if let Some(&symbol) = self.strings.get(&key) {
            return symbol;
        }
        let symbol = self.module.add_private_data(|symbol| DataObject {
            symbol,
            size: bytes.len() as u64,
            align,
            bytes: bytes.to_vec(),
            relocs: Vec::new(),
            read_only: true,
            constant: true,
            mergeable_string: mergeable,
            unnamed_addr: true,
            redzone: 0,
        });
        self.module.symbols[symbol].referenced = true;
        self.strings.insert(key, symbol);
        symbol
    }

    /// The copy of `decl` for anonymous arguments of these types.
    pub fn va_pack_clone(&mut self, unit: &Unit, session: &Session, decl: DeclId, types: Vec<Ty>) -> SymbolId {
        if let Some(&symbol) = self.clone_map.get(&(decl, types.clone())) {
            return symbol;
        }
        let name = unit.symbol_name(decl).map_or("", |n| session.str(n));
        let mut data = SymbolData::undefined(&format!("{name}.va_pack.{}", self.clone_number), true);
        self.clone_number += 1;
        data.linkage = Linkage::Local;
        data.referenced = true;
        let symbol = self.module.add_symbol(data);
        self.clone_map.insert((decl, types.clone()), symbol);
        self.clones.push(CloneRequest { decl, symbol, types });
        symbol
    }
}

/// The target of a `weakref`.
fn weak_reference(unit: &Unit, decl: DeclId) -> Option<base::Symbol> {
    let attrs = unit.attrs(decl)?;
    if attrs.weakref.is_some() {
        return attrs.weakref;
    }
    // `weakref` without an argument takes it from `alias`.
    attrs.flags.has(crate::tree::AttrFlags::WEAKREF).then_some(attrs.alias).flatten()
}
