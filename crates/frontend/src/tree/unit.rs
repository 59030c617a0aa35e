//! The translation unit: tables that outlive the arenas, and the interface through which finished
//! definitions are handed on.

use base::{Loc, Session, Symbol};
use cranelift_entity::PrimaryMap;
use platform::options::Options;

use super::attributes::{Attributes, AttrsId};
use super::decls::{Decl, DeclId};
use super::init::StaticInit;
use super::stmt::FunctionDef;
use super::types::{RecordId, Ty, Types};

/// Tables of a translation unit.
pub struct Unit {
    /// Types, structures, enumerations.
    pub types: Types,
    /// Declared entities.
    pub decls: PrimaryMap<DeclId, Decl>,
    /// Attributes of those that have some.
    pub attributes: PrimaryMap<AttrsId, Attributes>,
    /// `struct __va_list_tag`, four members: `gp_offset`, `fp_offset`, `overflow_arg_area`,
    /// `reg_save_area`.
    pub va_list_tag: RecordId,
    /// `__builtin_va_list`: an array of one `__va_list_tag`.
    pub va_list: Ty,
    /// `__builtin_ms_va_list`: a `char *`, told from others by an alignment of its own.
    pub ms_va_list: Ty,
    /// `-fgnu89-inline` or a C89 mode.
    pub gnu89_inline: bool,
    /// The size of an object was asked for (`__builtin_object_size`), so that lowering notes what
    /// it knows of sizes.
    pub asks_object_size: bool,
    /// The size of the closest member was.
    pub asks_closest_size: bool,
    /// Values of `constexpr` and `const` objects of integer types wider than 128 bits, with
    /// `STATIC_INIT_VALUE`: limbs as in [`ExprKind::Wide`](super::ExprKind::Wide).
    pub wide_values: rustc_hash::FxHashMap<DeclId, Box<[u64]>>,
    /// Functions that lowering calls, by name: see `parse::unit_helpers`.
    pub helpers: rustc_hash::FxHashMap<Box<str>, DeclId>,
    /// A body calls `__builtin_va_arg_pack` or its companion.
    pub asks_va_arg_pack: bool,
    /// Registers of global register variables.
    pub reserved_registers: platform::registers::RegSet,
    /// Pragmas about loops, by the place of the loop's first word.
    pub loop_pragmas: rustc_hash::FxHashMap<base::Loc, LoopPragma>,
    /// `#pragma weak alias = target` for names that were never declared, in source order.
    pub pragma_weak: Vec<WeakPragma>,
}

/// What pragmas say of a loop.
#[derive(Clone, Default, Debug)]
pub struct LoopPragma {
    /// For the optimiser.
    pub hint: ir::LoopHint,
    /// Variables that gather a sum or the like, in any order (`reduction`).
    pub reductions: Vec<DeclId>,
    /// Variables that the loop has for itself (`private`): they are afterwards what they were.
    pub private: Vec<DeclId>,
}

/// `#pragma weak name` or `#pragma weak name = target`.
#[derive(Clone, Copy, Debug)]
pub struct WeakPragma {
    /// The weak symbol.
    pub name: Symbol,
    /// What it is an alias of.
    pub target: Option<Symbol>,
    /// Location of the pragma.
    pub loc: Loc,
}

impl Unit {
    /// Attributes of an entity, if it has any.
    pub fn attrs(&self, id: DeclId) -> Option<&Attributes> {
        self.decls[id].attrs.expand().map(|a| &self.attributes[a])
    }

    /// Whether a function says that it does nothing but compute a value (`const`, `pure`).
    pub fn only_computes(&self, id: DeclId) -> bool {
        let says =
            |attrs: &Attributes| attrs.flags.has(super::AttrFlags::CONST) || attrs.flags.has(super::AttrFlags::PURE);
        self.attrs(id).is_some_and(says)
    }

    /// Attributes of an entity for changing, made on demand.
    pub fn attrs_mut(&mut self, id: DeclId) -> &mut Attributes {
        let attrs = match self.decls[id].attrs.expand() {
            Some(attrs) => attrs,
            None => {
                let attrs = self.attributes.push(Attributes::default());
                self.decls[id].attrs = attrs.into();
                attrs
            }
        };
        &mut self.attributes[attrs]
    }

    /// Whether a function is not the program's own but one of [`Unit::helpers`].
    pub fn is_helper(&self, id: DeclId) -> bool {
        self.helpers.values().any(|&helper| helper == id)
    }

    /// The linker's name of an entity with linkage: its assembler name, else its own.
    pub fn symbol_name(&self, id: DeclId) -> Option<Symbol> {
        let decl = &self.decls[id];
        decl.asm_name.or(decl.name)
    }
}

/// Receives definitions as soon as they have been parsed and checked. Lifetime `'u` is the whole
/// unit's; everything else lives only during the call.
///
/// A unit with errors goes on being parsed; from the first error on, the methods are no longer
/// called.
pub trait Consumer<'u> {
    /// A function definition, to be lowered now: its tree is freed when the call returns.
    fn function(&mut self, cx: &mut UnitContext<'_>, function: &FunctionDef<'_>);

    /// A definition that says `inline` (or `always_inline`), or a `static` one that nothing has
    /// referred to yet: its tree stays, so that it need be lowered only if something refers to it.
    fn inline_function(&mut self, cx: &mut UnitContext<'_>, function: &'u FunctionDef<'u>);

    /// A variable with static storage duration and file scope (or an anonymous one: a compound
    /// literal) is defined. `None` is a tentative definition, all zeros, told at the end of the
    /// unit.
    fn variable(&mut self, cx: &mut UnitContext<'_>, decl: DeclId, init: Option<&StaticInit<'_>>);

    /// `asm("...");` at file scope, in order with the definitions.
    fn file_asm(&mut self, cx: &mut UnitContext<'_>, text: &[u8], loc: Loc);

    /// All has been parsed; linkage, attributes and array types of all declarations are final.
    /// `cx.unit.decls` lists what else needs a symbol: aliases, ifuncs, weak references.
    fn finish(&mut self, cx: &mut UnitContext<'_>);
}

/// What a [`Consumer`] may look at.
pub struct UnitContext<'s> {
    /// Tables. Consumers may intern types.
    pub unit: &'s mut Unit,
    /// Names and diagnostics.
    pub session: &'s Session,
    /// The compilation's options.
    pub options: &'s Options,
}
