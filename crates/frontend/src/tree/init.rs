//! Initialisers, resolved: designators, brace elision, string literals and flexible arrays are
//! gone; what is left is bytes and relocations for static objects, and a list of stores for
//! automatic ones.

use base::Loc;

use super::decls::DeclId;
use super::expr::ExprRef;
use super::stmt::LabelId;
use super::types::{QualType, Ty};

/// Contents of a string literal after concatenation and conversion to its execution encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringLit<'a> {
    /// Elements in memory order, terminating zero included.
    pub bytes: &'a [u8],
    /// Element type: `char`, `unsigned char` (u8, C23), `int` (L), `unsigned short` (u), `unsigned`
    /// (U).
    pub elem: Ty,
    /// Bytes per element: 1, 2 or 4.
    pub elem_size: u8,
}

/// Initial value of an automatic object.
#[derive(Clone, Copy, Debug)]
pub enum Initializer<'a> {
    /// The whole object is assigned one value: a scalar, or a structure from an expression.
    Value(ExprRef<'a>),
    /// Everything is constant and the object is large enough that copying it from read-only data is
    /// better.
    Constant(StaticInit<'a>),
    /// A list of stores.
    Aggregate(AggregateInit<'a>),
}

/// Stores that initialise an aggregate, in order; later ones may overwrite earlier ones.
#[derive(Clone, Copy, Debug)]
pub struct AggregateInit<'a> {
    /// The object is set to zero first: some byte is not covered by an item.
    pub zero_fill: bool,
    /// The stores.
    pub items: &'a [InitItem<'a>],
}

/// One store of an aggregate's initialisation.
#[derive(Clone, Copy, Debug)]
pub struct InitItem<'a> {
    /// Bytes from the start of the object (of a bit-field: of its first byte).
    pub offset: u64,
    /// Position and width of a bit-field in bits from the start of the object.
    pub bits: Option<(u64, u32)>,
    /// Type of the element or member.
    pub ty: QualType,
    /// Rvalue of that type, or a string literal (an lvalue of array type) whose bytes are copied,
    /// cut to the size of `ty`.
    pub value: ExprRef<'a>,
    /// The store is repeated this many times (range designators), the value evaluated once.
    pub count: u64,
    /// Bytes between repetitions.
    pub stride: u64,
}

/// Initial value of a static object: constant bytes and what the linker adds.
#[derive(Clone, Copy, Debug)]
pub struct StaticInit<'a> {
    /// Bytes the object takes, a flexible array member's elements included. At least `bytes.len()`.
    pub size: u64,
    /// Leading bytes; the rest is zero. Empty for all-zero objects.
    pub bytes: &'a [u8],
    /// Addresses, by ascending offset, not overlapping. The bytes under them are zero.
    pub relocs: &'a [StaticReloc<'a>],
}

/// An address in a static initialiser.
#[derive(Clone, Copy, Debug)]
pub struct StaticReloc<'a> {
    /// Where, in bytes.
    pub offset: u64,
    /// Width of the field: 8, or less for a label difference.
    pub size: u8,
    /// What it is relative to.
    pub base: AddressBase<'a>,
    /// Added to it, in bytes.
    pub addend: i64,
    /// For diagnostics.
    pub loc: Loc,
}

/// What an address constant is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressBase<'a> {
    /// A variable or function of static storage duration.
    Decl(DeclId),
    /// A string literal.
    String(&'a StringLit<'a>),
    /// `&&label` of the enclosing function.
    Label(LabelId),
    /// `&&first - &&second`.
    LabelDifference(LabelId, LabelId),
}
