//! Value types: 16-bit handles for scalars and vectors of scalars. There are no aggregates: they
//! live in memory.
//!
//! Bits 0..=4 hold the scalar kind, bits 5..=9 the base-2 logarithm of the lane count (0 for a
//! scalar).

use std::fmt;

/// The type of a value: an integer, floating-point or pointer scalar, or a vector of 2^n such
/// scalars.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u16);

const KIND_MASK: u16 = 0x1f;
const LANES_SHIFT: u16 = 5;

impl Type {
    /// No value (the result type of stores, branches and the like).
    pub const VOID: Type = Type(0);
    /// One bit: the result of a comparison. Never in memory.
    pub const I1: Type = Type(1);
    /// 8-bit integer.
    pub const I8: Type = Type(2);
    /// 16-bit integer.
    pub const I16: Type = Type(3);
    /// 32-bit integer.
    pub const I32: Type = Type(4);
    /// 64-bit integer.
    pub const I64: Type = Type(5);
    /// 128-bit integer.
    pub const I128: Type = Type(6);
    /// IEEE binary16; only memory access, conversion and moves are guaranteed to be native.
    pub const F16: Type = Type(7);
    /// IEEE binary32.
    pub const F32: Type = Type(8);
    /// IEEE binary64.
    pub const F64: Type = Type(9);
    /// x87 double extended; 10 significant bytes in a 16-byte slot.
    pub const F80: Type = Type(10);
    /// IEEE binary128; arithmetic is by library calls.
    pub const F128: Type = Type(11);
    /// A 64-bit address with provenance; opaque.
    pub const PTR: Type = Type(12);

    /// The vector type of `lanes` (a power of two, at most 2^15) elements of this scalar type.
    pub fn vector(self, lanes: u32) -> Type {
        assert!(lanes.is_power_of_two() && self.is_scalar());
        Type(self.0 | (lanes.trailing_zeros() as u16) << LANES_SHIFT)
    }

    /// The scalar type of a lane; a scalar is its own lane.
    pub fn lane(self) -> Type {
        Type(self.0 & KIND_MASK)
    }

    /// How many lanes; 1 for a scalar.
    pub fn lanes(self) -> u32 {
        1 << (self.0 >> LANES_SHIFT)
    }

    /// The raw 16 bits, for packing into tables.
    pub fn bits_repr(self) -> u16 {
        self.0
    }

    /// Whether this is a vector.
    pub fn is_vector(self) -> bool {
        self.0 >> LANES_SHIFT != 0
    }

    /// Whether this is a scalar other than void.
    pub fn is_scalar(self) -> bool {
        self.0 != 0 && !self.is_vector()
    }

    /// Whether this is void.
    pub fn is_void(self) -> bool {
        self == Type::VOID
    }

    /// Whether this is a scalar integer (`i1` included, pointers not).
    pub fn is_int(self) -> bool {
        (Type::I1.0..=Type::I128.0).contains(&self.0)
    }

    /// Whether this is a scalar floating-point type.
    pub fn is_float(self) -> bool {
        (Type::F16.0..=Type::F128.0).contains(&self.0)
    }

    /// Whether this is a pointer.
    pub fn is_ptr(self) -> bool {
        self == Type::PTR
    }

    /// Width of one lane in value bits (f80: 80).
    pub fn lane_bits(self) -> u32 {
        match self.lane() {
            Type::I1 => 1,
            Type::I8 => 8,
            Type::I16 | Type::F16 => 16,
            Type::I32 | Type::F32 => 32,
            Type::I64 | Type::F64 | Type::PTR => 64,
            Type::F80 => 80,
            Type::I128 | Type::F128 => 128,
            _ => 0,
        }
    }

    /// Width of the whole value in bits.
    pub fn bits(self) -> u32 {
        self.lane_bits() * self.lanes()
    }

    /// Bytes that a load or store of this type touches (f80: 10; i1: 1).
    pub fn store_size(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Bytes that a slot of this type takes (f80: 16).
    pub fn alloc_size(self) -> u32 {
        if self == Type::F80 { 16 } else { self.store_size() }
    }

    /// The natural alignment in bytes.
    pub fn align(self) -> u32 {
        self.alloc_size().max(1).next_power_of_two()
    }

    /// The integer type of `bits` (1, 8, 16, 32, 64 or 128), if there is one.
    pub fn int(bits: u32) -> Option<Type> {
        Some(match bits {
            1 => Type::I1,
            8 => Type::I8,
            16 => Type::I16,
            32 => Type::I32,
            64 => Type::I64,
            128 => Type::I128,
            _ => return None,
        })
    }

    /// The mask of the value bits of a scalar integer or pointer.
    pub fn mask(self) -> u128 {
        let bits = self.lane_bits();
        if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 13] =
            ["void", "i1", "i8", "i16", "i32", "i64", "i128", "f16", "f32", "f64", "f80", "f128", "ptr"];
        let name = NAMES[(self.0 & KIND_MASK) as usize];
        if self.is_vector() { write!(f, "<{} x {name}>", self.lanes()) } else { f.write_str(name) }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
