//! Handles of the sections and symbols of the object being built.

/// A section of the object being built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SectionId(pub u32);

impl SectionId {
    /// Position in the list of sections.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

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
