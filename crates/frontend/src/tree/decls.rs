//! Declared entities. One [`Decl`] per entity: a redeclaration updates the entry of the first
//! declaration.

use base::{Loc, Symbol};
use cranelift_entity::entity_impl;
use cranelift_entity::packed_option::PackedOption;

use super::attributes::{AttrFlags, AttrsId};
use super::builtins::Builtin;
use super::expr::{Bits128, Expr, ExprFlags};
use super::types::QualType;
use super::unit::Unit;

/// Handle of a declared entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclId(u32);
entity_impl!(DeclId, "decl");

/// What a name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DeclKind {
    /// Object.
    Variable,
    /// Parameter of a function definition or prototype.
    Parameter,
    /// Function.
    Function,
    /// Enumerator.
    EnumConstant,
    /// Type name.
    Typedef,
}

/// Linkage (C23 6.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Linkage {
    /// The name is local.
    None,
    /// `static` at file scope.
    Internal,
    /// Known to the linker.
    External,
}

/// Lifetime of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StorageDuration {
    /// Local variable or parameter.
    Automatic,
    /// Lives as long as the program.
    Static,
    /// One per thread.
    Thread,
    /// Not an object.
    None,
}

/// Facts about a declared entity, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct DeclFlags(pub u32);

macro_rules! decl_flags {
    ($($bit:literal $name:ident $doc:literal;)*) => {
        impl DeclFlags { $(#[doc = $doc] pub const $name: DeclFlags = DeclFlags(1 << $bit);)* }
    };
}

decl_flags! {
    0 DEFINED "Function with a body, or variable with an initialiser (or without linkage).";
    1 TENTATIVE "File-scope variable declared without initialiser and without `extern` (C23 6.9.3).";
    2 REFERENCED "Named in an expression.";
    3 SET "Assigned somewhere.";
    4 ADDRESS_TAKEN "`&` was applied, or it is an array or structure whose address escapes by decay.";
    5 INLINE "Declared `inline` at least once.";
    6 NOT_ONLY_INLINE "A file-scope declaration lacks `inline` or has `extern` (C23 6.7.5 paragraph 7).";
    7 EXTERN_WITH_INLINE "The definition says `extern inline`, for the gnu89 rules.";
    8 REGISTER "`register`.";
    9 CONSTEXPR "`constexpr`.";
    10 IMPLICIT "Implicitly declared function.";
    11 BUILTIN_DECL "Declared by the compiler as a builtin, not by the program.";
    12 ANONYMOUS "Compound literal or other object without a name.";
    13 FILE_SCOPE "Declared at file scope.";
    14 THREAD_KEYWORD "`_Thread_local` or `__thread`.";
    15 CAPTURED "Variable used by a nested function.";
    16 EXTERN_DECLARED "Declared with `extern` (explicitly) at least once.";
    17 NORETURN "`_Noreturn` or the attribute, on any declaration.";
    18 BLOCK_EXTERN "Only declared inside blocks so far: not visible at file scope.";
    19 WARNED "A once-per-entity diagnostic was given.";
    20 KNR_DEFINITION "Defined with an identifier list.";
    21 STATIC_INIT_VALUE "`const` object whose initial value is known to the folder.";
    22 PROTOTYPE_SCOPE "Parameter of a declaration that is not a definition.";
    23 FUNC_NAME "`__func__` or one of its synonyms.";
    26 ALIAS "A function that is another symbol: `alias`, `ifunc`, `weakref`.";
    25 EXPLICITLY_SIGNED "A type name declared with the word `signed`.";
    24 MENTIONED "Named in an operand that is not evaluated.";
    27 CALLS_ITSELF "Its body calls it, which is no use of it.";
}

impl DeclFlags {
    /// Named somewhere, if only in the operand of `sizeof`: no warning says that it is unused.
    pub const fn is_named(self) -> bool {
        self.0 & (DeclFlags::REFERENCED.0 | DeclFlags::MENTIONED.0) != 0
    }

    /// All of `other` hold.
    pub const fn has(self, other: DeclFlags) -> bool {
        self.0 & other.0 == other.0
    }
    /// Adds facts.
    pub fn set(&mut self, other: DeclFlags) {
        self.0 |= other.0;
    }
    /// Removes facts.
    pub fn clear(&mut self, other: DeclFlags) {
        self.0 &= !other.0;
    }
}

/// A declared entity.
#[derive(Clone, Copy, Debug)]
pub struct Decl {
    /// Name; `None` for compound literals and unnamed parameters.
    pub name: Option<Symbol>,
    /// What it is.
    pub kind: DeclKind,
    /// Its type; composite of all declarations seen. Of an array of unknown length at file scope:
    /// completed at the end.
    pub ty: QualType,
    /// The type as written: `ty` with the names of typedefs. Of a type name the type that bears it,
    /// of an enumerator its enumeration.
    pub written: QualType,
    /// The name in the declaration that counts most: the definition, else the first.
    pub loc: Loc,
    /// Linkage.
    pub linkage: Linkage,
    /// Lifetime.
    pub duration: StorageDuration,
    /// More facts.
    pub flags: DeclFlags,
    /// Alignment asked for by `aligned`/`_Alignas` in bytes, 0 for none.
    pub align: u32,
    /// Attributes of all declarations, merged.
    pub attrs: PackedOption<AttrsId>,
    /// Assembler name, if `asm("...")`, `#pragma redefine_extname` or a builtin's mapping gave one.
    pub asm_name: Option<Symbol>,
    /// The library function this is, if the compiler knows it.
    pub builtin: Option<Builtin>,
    /// Value of an enumerator, or of a `constexpr` or `const` scalar when `STATIC_INIT_VALUE` is
    /// set (bits as in `ExprKind::Int` or `ExprKind::Float`).
    pub value: Bits128,
    /// The function whose body declares it.
    pub function: PackedOption<DeclId>,
}

/// How a function's definition in this unit goes into the object file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Emission {
    /// External definition: always emitted.
    External,
    /// Internal linkage: emitted when something refers to it (or it is `used`).
    Internal,
    /// Inline definition without an external one: for inlining only, calls go to the external
    /// symbol.
    AvailableExternally,
}

impl Unit {
    /// The type of an entity as written.
    pub fn written(&self, id: DeclId) -> QualType {
        let decl = &self.decls[id];
        if decl.written == decl.ty { decl.ty } else { self.types.written_as(decl.written, decl.ty) }
    }

    /// Whether calls through this expression are of an `always_inline` body of the program,
    /// whatever is known of a library function of that name: glibc's checking functions for
    /// `_FORTIFY_SOURCE`.
    pub fn calls_own_body(&self, callee: &Expr<'_>) -> bool {
        let Some(name) = callee.callee_name().filter(|name| !name.flags.has(ExprFlags::BUILTIN_NAME)) else {
            return false;
        };
        name.decl().is_some_and(|id| {
            let decl = &self.decls[id];
            decl.kind == DeclKind::Function
                && decl.flags.has(DeclFlags::INLINE)
                && self.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::ALWAYS_INLINE))
        })
    }

    /// How the function or variable `id`, which has a definition here, is emitted. Final only at
    /// the end of the unit: a later `extern` declaration turns an inline definition into an
    /// external one.
    pub fn emission(&self, id: DeclId) -> Emission {
        let decl = &self.decls[id];
        if decl.linkage != Linkage::External {
            return Emission::Internal;
        }
        if decl.kind != DeclKind::Function || !decl.flags.has(DeclFlags::INLINE) {
            return Emission::External;
        }
        let gnu = self.gnu89_inline || self.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::GNU_INLINE));
        let only_inline = if gnu {
            decl.flags.has(DeclFlags::EXTERN_WITH_INLINE)
        } else {
            !decl.flags.has(DeclFlags::NOT_ONLY_INLINE)
        };
        if only_inline { Emission::AvailableExternally } else { Emission::External }
    }
}
