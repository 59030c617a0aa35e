//! Values and places as lowering sees them.

use ir::{MemberPath, Value};
use platform::options::SegmentRegister;

/// An addressable piece of memory: `base + offset` with what is known about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Address it is relative to.
    pub base: Value,
    /// Bytes added; kept apart so that nested members cost one instruction.
    pub offset: i64,
    /// Known alignment of `base` in bytes.
    pub base_align: u32,
    /// Accesses may alias anything: reached through a union or a `may_alias` type.
    pub any_alias: bool,
    /// The segment register that `base` is relative to.
    pub segment: Option<SegmentRegister>,
    /// `WITH_PREVIOUS`, `WITH_NEXT`: what a load of the member that this is may say about its
    /// neighbours.
    pub neighbours: u8,
    /// The records that a member is in, for the alias class of its accesses.
    pub path: Option<MemberPath>,
}

impl Place {
    /// The memory at `base`, aligned to `align` bytes.
    pub fn new(base: Value, align: u32) -> Place {
        Place { base, offset: 0, base_align: align.max(1), any_alias: false, segment: None, neighbours: 0, path: None }
    }

    /// The memory `bytes` further on.
    pub fn offset(self, bytes: i64) -> Place {
        Place { offset: self.offset.wrapping_add(bytes), neighbours: 0, path: None, ..self }
    }

    /// The known alignment in bytes, a power of two.
    pub fn align(self) -> u32 {
        if self.offset == 0 {
            return self.base_align;
        }
        let of_offset = 1u32 << self.offset.trailing_zeros().min(31);
        self.base_align.min(of_offset)
    }
}

/// A value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rvalue {
    /// None.
    Void,
    /// Integer, floating, pointer, or vector of 16 bytes.
    Scalar(Value),
    /// Real and imaginary part.
    Complex(Value, Value),
    /// Structure, union, or vector of another size: the value is what this memory holds until the
    /// next side effect.
    Memory(Place),
}

/// What an lvalue designates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lvalue {
    /// Memory.
    Memory(Place),
    /// A bit-field of the record at the place.
    Bits(Place, crate::tree::BitField),
    /// A global register variable.
    Register(platform::registers::Reg),
}
