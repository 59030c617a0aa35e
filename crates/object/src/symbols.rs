//! Symbols: how functions refer to them, and the object file's symbol table while it is being built.

use crate::sections::SectionId;

/// A symbol of the object being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// Position in the table.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A symbol as seen from inside a function.
///
/// Values below 2^31 are an index into the module's symbol table (the number of
/// the `ir` symbol entity). Values above name an entry of the function's own
/// [`crate::FunctionCode::extras`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SymbolRef(pub u32);

impl SymbolRef {
    const EXTRA: u32 = 1 << 31;

    /// Symbol number `index` of the module's symbol table.
    #[inline]
    pub const fn module(index: u32) -> SymbolRef {
        assert!(index < Self::EXTRA);
        SymbolRef(index)
    }

    /// Entry `index` of the function's [`crate::FunctionCode::extras`].
    #[inline]
    pub const fn extra(index: u32) -> SymbolRef {
        assert!(index < Self::EXTRA);
        SymbolRef(index | Self::EXTRA)
    }

    /// The module symbol's number, or `None` for an extra.
    #[inline]
    pub const fn module_index(self) -> Option<u32> {
        if self.0 & Self::EXTRA == 0 { Some(self.0) } else { None }
    }

    /// The index into [`crate::FunctionCode::extras`], or `None` for a module symbol.
    #[inline]
    pub const fn extra_index(self) -> Option<u32> {
        if self.0 & Self::EXTRA != 0 { Some(self.0 & !Self::EXTRA) } else { None }
    }
}

/// How widely a symbol is visible to the linker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binding {
    /// Inside this object only.
    Local,
    /// Everywhere.
    Global,
    /// Everywhere, gives way to a global definition; may stay undefined.
    Weak,
}

/// ELF visibility (`st_other`); the discriminant is the ELF number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum Visibility {
    /// Visible and preemptible.
    #[default]
    Default = 0,
    /// Hidden, with processor-specific meaning: treated as hidden.
    Internal = 1,
    /// Not visible outside the component.
    Hidden = 2,
    /// Visible and not preemptible.
    Protected = 3,
}

/// ELF symbol type; the discriminant is the ELF number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum SymbolKind {
    /// Unspecified.
    #[default]
    NoType = 0,
    /// A data object.
    Object = 1,
    /// A function.
    Func = 2,
    /// A section.
    Section = 3,
    /// The source file's name.
    File = 4,
    /// A COMMON object, if the file is to say so.
    Common = 5,
    /// A thread-local object.
    Tls = 6,
    /// An indirect function.
    IFunc = 10,
}

/// Where a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Not in this object.
    Undefined,
    /// At an offset in a section.
    Section(SectionId, u64),
    /// A plain number.
    Absolute(u64),
    /// Allocated by the linker; the symbol's size counts.
    Common {
        /// Alignment in bytes.
        align: u32,
        /// It may be far away.
        large: bool,
    },
    /// Another symbol's place plus an offset.
    Alias(SymbolId, i64),
}

/// The name without a version of a symbol that `.symver` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlainName {
    /// It stays.
    #[default]
    Kept,
    /// It becomes a local symbol.
    Local,
    /// It becomes hidden.
    Hidden,
    /// It goes.
    Removed,
}

/// One symbol.
#[derive(Clone, Debug)]
pub struct SymbolEntry {
    /// Name as (start, length) in the builder's name storage.
    pub(crate) name: (u32, u32),
    /// Linker visibility.
    pub binding: Binding,
    /// ELF visibility.
    pub visibility: Visibility,
    /// ELF type.
    pub kind: SymbolKind,
    /// Position.
    pub place: Place,
    /// Size in bytes.
    pub size: u64,
    /// Written to the symbol table even if nothing refers to it (`.globl`, a `used` declaration).
    pub keep: bool,
}

impl SymbolEntry {
    /// Nothing is known but that something refers to it by name.
    pub fn is_only_used(&self) -> bool {
        self.place == Place::Undefined
            && self.binding == Binding::Global
            && self.visibility == Visibility::Default
            && self.kind == SymbolKind::NoType
            && !self.keep
    }
}
