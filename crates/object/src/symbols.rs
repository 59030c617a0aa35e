//! The object file's symbol table while it is being built.

use crate::ids::SectionId;
pub use crate::ids::SymbolId;

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
