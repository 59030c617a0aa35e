//! Sizes and alignments of C's scalar types under the x86-64 System V ABI (psABI section 3.1.2,
//! "Data Representation").
//!
//! The table is a function of the target alone. What depends on flags (`char`'s signedness,
//! `wchar_t` under `-fshort-wchar`) is decided by the front end from these facts and the options.

/// Size and alignment in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Layout {
    /// `sizeof`, a multiple of `align`.
    pub size: u64,
    /// `_Alignof`, a power of two.
    pub align: u32,
}

const fn natural(size: u64) -> Layout {
    Layout { size, align: size as u32 }
}

/// `_Bool` and the character types.
pub const CHAR: Layout = natural(1);
/// `short`.
pub const SHORT: Layout = natural(2);
/// `int`, `unsigned`, enumerations of `int` range.
pub const INT: Layout = natural(4);
/// `long`, `long long`, `size_t`, `ptrdiff_t`, `intptr_t`.
pub const LONG: Layout = natural(8);
/// `__int128`.
pub const INT128: Layout = natural(16);
/// Any pointer, and `nullptr_t`.
pub const POINTER: Layout = natural(8);
/// `_Float16`.
pub const FLOAT16: Layout = natural(2);
/// `float`, `_Float32`.
pub const FLOAT32: Layout = natural(4);
/// `double`, `_Float64`, `_Float32x`.
pub const FLOAT64: Layout = natural(8);
/// `long double`, `_Float64x`: x87 extended, ten bytes of value in sixteen of storage.
pub const FLOAT80: Layout = natural(16);
/// `_Float128`, `__float128`.
pub const FLOAT128: Layout = natural(16);
/// Bytes of an x87 extended value that carry data.
pub const FLOAT80_VALUE_BYTES: u64 = 10;

/// Alignment that `__attribute__((aligned))` without an argument asks for (`__BIGGEST_ALIGNMENT__`
/// without AVX).
pub const BIGGEST_ALIGN: u32 = 16;
/// Alignment of the stack at a call (psABI 3.2.2).
pub const STACK_ALIGN: u32 = 16;
/// Arrays of at least this many bytes are aligned to [`LARGE_ARRAY_ALIGN`] (psABI 3.1.2).
pub const LARGE_ARRAY_SIZE: u64 = 16;
/// Alignment of static and automatic arrays of [`LARGE_ARRAY_SIZE`] bytes or more.
pub const LARGE_ARRAY_ALIGN: u32 = 16;
/// Largest object: `PTRDIFF_MAX` bytes.
pub const MAX_OBJECT_SIZE: u64 = i64::MAX as u64;

/// Layout of `_BitInt(bits)`: the smallest of 1, 2, 4, 8 bytes that holds it, beyond 64 bits whole
/// eightbytes aligned to 8 (psABI 1.0, section 3.1.2).
pub const fn bit_int(bits: u32) -> Layout {
    match bits {
        0..=8 => CHAR,
        9..=16 => SHORT,
        17..=32 => INT,
        33..=64 => LONG,
        _ => Layout { size: (bits as u64).div_ceil(64) * 8, align: 8 },
    }
}

/// Layout of `__attribute__((vector_size(bytes)))`; `bytes` is a power of two.
pub const fn vector(bytes: u64) -> Layout {
    Layout { size: bytes, align: bytes as u32 }
}

/// `offset` rounded up to a multiple of `align`, which is a power of two.
pub const fn align_to(offset: u64, align: u64) -> u64 {
    (offset + align - 1) & !(align - 1)
}

/// Size and alignment of an atomic object of a type with `plain`: sizes 1, 2, 4, 8 and 16 are
/// aligned to their size so that the access can be one instruction (or one call of libatomic with a
/// known-size entry).
pub const fn atomic(plain: Layout) -> Layout {
    match plain.size {
        1 | 2 | 4 | 8 | 16 if plain.size > plain.align as u64 => natural(plain.size),
        _ => plain,
    }
}
