//! What a type is: its kind, and what the kinds consist of.

use cranelift_entity::entity_impl;

use super::{QualType, Ty};

/// `BITINT_MAXWIDTH`: gcc's on x86-64.
pub const MAX_BIT_INT: u32 = 65535;

/// Standard and extended integer types other than `_Bool` and `_BitInt`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Width in bits.
    #[inline]
    pub fn bits(self) -> u32 {
        const LOG2: [u8; 13] = [3, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7];
        1 << LOG2[self as usize]
    }
}

/// Real floating types. Types of one format stay distinct for `_Generic` and compatibility.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    Float128,
    Float32x,
    Float64x,
    Decimal32,
    Decimal64,
    Decimal128,
}

/// Representation of a floating type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatFormat {
    /// binary16
    Half,
    /// binary32
    Single,
    /// binary64
    Double,
    /// x87 extended
    X87,
    /// binary128
    Quad,
    /// Decimal, with the coefficient as a binary integer.
    Decimal(DecimalFormat),
}

/// Interchange formats of decimal floating types (IEEE 754-2019 3.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum DecimalFormat {
    /// decimal32
    D32,
    /// decimal64
    D64,
    /// decimal128
    D128,
}

impl FloatKind {
    /// How values are represented.
    pub const fn format(self) -> FloatFormat {
        match self {
            FloatKind::Float16 => FloatFormat::Half,
            FloatKind::Float | FloatKind::Float32 => FloatFormat::Single,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => FloatFormat::Double,
            FloatKind::LongDouble | FloatKind::Float64x => FloatFormat::X87,
            FloatKind::Float128 => FloatFormat::Quad,
            FloatKind::Decimal32 => FloatFormat::Decimal(DecimalFormat::D32),
            FloatKind::Decimal64 => FloatFormat::Decimal(DecimalFormat::D64),
            FloatKind::Decimal128 => FloatFormat::Decimal(DecimalFormat::D128),
        }
    }

    /// The decimal format, of a decimal floating type.
    pub const fn decimal(self) -> Option<DecimalFormat> {
        match self.format() {
            FloatFormat::Decimal(format) => Some(format),
            _ => None,
        }
    }
}

/// Number of elements of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// `[]`: incomplete, or a flexible array member.
    Incomplete,
    /// A constant number, possibly zero (GNU).
    Constant(u64),
    /// Evaluated where the type is declared; see [`VlaId`].
    Variable(VlaId),
    /// `[*]` in a prototype.
    Star,
}

/// The element count of one variable-length array declarator. Its value is computed once, by the
/// [`VlaBound`](crate::tree::VlaBound) that introduces it, and read by `ExprKind::VlaLen`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VlaId(pub(super) u32);
entity_impl!(VlaId, "vla");

/// Handle of a function signature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignatureId(u32);
entity_impl!(SignatureId, "sig");

/// Handle of a structure or union.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u32);
entity_impl!(RecordId, "record");

/// Handle of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(u32);
entity_impl!(EnumId, "enum");

/// Result, parameters and kind of a function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Type of the result.
    pub ret: QualType,
    /// Adjusted parameter types without top-level qualifiers. Empty without a prototype.
    pub params: Box<[QualType]>,
    /// `...` follows the parameters.
    pub variadic: bool,
    /// False for `f()` before C23 and for K&R definitions: arguments take the default promotions.
    pub prototype: bool,
    /// `noreturn`: calls through this type do not come back. Ignored by compatibility.
    pub noreturn: bool,
    /// Bit `n`: parameter `n` is a `restrict` pointer through which its object may be changed. For
    /// a warning; ignored by compatibility.
    pub restricts: u64,
    /// Attribute `ms_abi` or `sysv_abi`; types of different conventions are not compatible.
    pub abi: CallAbi,
    /// Attribute `nocf_check`: what is called need not begin with `endbr64`. Types that differ in
    /// are not compatible.
    pub nocf_check: bool,
}

/// The calling convention of a function type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CallAbi {
    /// What `-mabi=` says.
    #[default]
    Unsaid,
    /// System V.
    SysV,
    /// Microsoft x64.
    Ms,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Result of an error that has been reported; silences what follows from it.
    Error,
    /// `void`
    Void,
    /// `nullptr_t`
    NullPtr,
    /// `_Bool`
    Bool,
    /// Integer types.
    Int(IntKind),
    /// `_BitInt(bits)`
    BitInt {
        /// Width, sign bit included.
        bits: u32,
        /// Not `unsigned`.
        signed: bool,
    },
    /// Real floating types.
    Float(FloatKind),
    /// `_Complex` of a floating or (GNU) integer type.
    Complex(Ty),
    /// Pointer to an object or function type.
    Pointer(QualType),
    /// Array.
    Array {
        /// Element type; qualifiers of an array belong to its element.
        elem: QualType,
        /// Number of elements.
        len: ArrayLen,
    },
    /// Function.
    Function(SignatureId),
    /// Structure or union.
    Record(RecordId),
    /// Enumeration; arithmetic uses [`EnumInfo::underlying`](crate::tree::EnumInfo::underlying).
    Enum(EnumId),
    /// GNU vector.
    Vector {
        /// Integer or floating element type.
        elem: Ty,
        /// Number of elements, a power of two.
        lanes: u32,
    },
}

/// Width and signedness of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntInfo {
    /// Value bits including the sign; 1 for `_Bool`.
    pub bits: u32,
    /// Signed.
    pub signed: bool,
    /// Conversion rank (C23 6.3.1.1): a greater number is a greater rank.
    pub rank: u32,
}
