//! Handles of types, alone and with their qualifiers.

use cranelift_entity::entity_impl;

/// Type qualifiers as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quals(u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`
    pub const ATOMIC: Quals = Quals(8);
    /// `__seg_fs` (ISO/IEC TR 18037, 5.1; gcc's manual, "Named Address Spaces")
    pub const SEG_FS: Quals = Quals(16);
    /// `__seg_gs`
    pub const SEG_GS: Quals = Quals(32);
    /// All named address spaces.
    const SPACES: Quals = Quals(48);

    /// Union of two sets.
    #[inline]
    pub const fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
    /// This set less the members of `other`.
    #[inline]
    pub const fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
    /// All of `other` is in this set.
    #[inline]
    pub const fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
    /// No qualifier at all.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// `const` is present.
    #[inline]
    pub const fn is_const(self) -> bool {
        self.has(Quals::CONST)
    }
    /// `volatile` is present.
    #[inline]
    pub const fn is_volatile(self) -> bool {
        self.has(Quals::VOLATILE)
    }
    /// The named address spaces in this set.
    #[inline]
    pub const fn space(self) -> Quals {
        Quals(self.0 & Quals::SPACES.0)
    }
    /// The name of the address space, as messages have it.
    pub fn space_name(self) -> &'static str {
        match self.space() {
            Quals::SEG_FS => "__seg_fs",
            Quals::SEG_GS => "__seg_gs",
            _ => "generic",
        }
    }
    /// `_Atomic` is present.
    #[inline]
    pub const fn is_atomic(self) -> bool {
        self.has(Quals::ATOMIC)
    }
}

impl std::fmt::Debug for Quals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [
            (Quals::CONST, "c"),
            (Quals::VOLATILE, "v"),
            (Quals::RESTRICT, "r"),
            (Quals::ATOMIC, "a"),
            (Quals::SEG_FS, "f"),
            (Quals::SEG_GS, "g"),
        ];
        names.iter().filter(|(q, _)| self.has(*q)).try_for_each(|(_, n)| f.write_str(n))
    }
}

/// Handle of an unqualified type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ty(pub(super) u32);
entity_impl!(Ty, "ty");

/// A type with its qualifiers, in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QualType(u32);

impl QualType {
    /// `ty` with `quals`.
    #[inline]
    pub const fn new(ty: Ty, quals: Quals) -> QualType {
        QualType(ty.0 << 6 | quals.0 as u32)
    }
    /// The type without qualifiers.
    #[inline]
    pub const fn ty(self) -> Ty {
        Ty(self.0 >> 6)
    }
    /// The qualifiers.
    #[inline]
    pub const fn quals(self) -> Quals {
        Quals((self.0 & 63) as u8)
    }
    /// The same type with `quals` added.
    #[inline]
    pub const fn with(self, quals: Quals) -> QualType {
        QualType(self.0 | quals.0 as u32)
    }
    /// The same type less `quals`.
    #[inline]
    pub const fn without(self, quals: Quals) -> QualType {
        QualType(self.0 & !(quals.0 as u32))
    }
    /// The same type without any qualifier.
    #[inline]
    pub const fn unqualified(self) -> QualType {
        QualType(self.0 & !63)
    }
}

impl From<Ty> for QualType {
    fn from(ty: Ty) -> QualType {
        QualType::new(ty, Quals::NONE)
    }
}

impl std::fmt::Debug for QualType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}{:?}", self.ty(), self.quals())
    }
}
