//! C types, interned.
//!
//! A [`Ty`] is a handle into [`Types`]; equal handles are identical types, so comparing types is comparing integers.
//! Qualifiers sit beside the handle in [`QualType`] (four bits), `_Atomic` among them, as in gcc. Typedefs and `typeof`
//! leave no trace. Structures, unions and enumerations are nominal: their handle names an entry of a table that is filled
//! in when the definition is complete, so a handle made from an incomplete type stays valid.
//!
//! An `aligned(N)` or `may_alias` attribute on a typedef makes a *variant*: a type of the same kind with another
//! [`Types::canonical`] handle. Variants behave alike everywhere but in alignment and aliasing; compatibility is decided
//! on canonical handles. So is the reversed storage order of a structure's scalars ([`Types::with_reversed`]), which only
//! types of lvalues have.
//!
//! Invariant: [`Types::kind`] never answers with a typedef or another piece of sugar; every `match` on it is complete.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use target::data_layout::Layout;

use super::records::{EnumInfo, Record};

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

    /// Union of two sets.
    pub const fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
    /// This set less the members of `other`.
    pub const fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }
    /// All of `other` is in this set.
    pub const fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
    /// No qualifier at all.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// `const` is present.
    pub const fn is_const(self) -> bool {
        self.has(Quals::CONST)
    }
    /// `volatile` is present.
    pub const fn is_volatile(self) -> bool {
        self.has(Quals::VOLATILE)
    }
    /// `_Atomic` is present.
    pub const fn is_atomic(self) -> bool {
        self.has(Quals::ATOMIC)
    }
}

impl std::fmt::Debug for Quals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [(Quals::CONST, "c"), (Quals::VOLATILE, "v"), (Quals::RESTRICT, "r"), (Quals::ATOMIC, "a")];
        names.iter().filter(|(q, _)| self.has(*q)).try_for_each(|(_, n)| f.write_str(n))
    }
}

/// Handle of an unqualified type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ty(u32);
entity_impl!(Ty, "ty");

/// A type with its qualifiers, in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QualType(u32);

impl QualType {
    /// `ty` with `quals`.
    pub const fn new(ty: Ty, quals: Quals) -> QualType {
        QualType(ty.0 << 4 | quals.0 as u32)
    }
    /// The type without qualifiers.
    pub const fn ty(self) -> Ty {
        Ty(self.0 >> 4)
    }
    /// The qualifiers.
    pub const fn quals(self) -> Quals {
        Quals((self.0 & 15) as u8)
    }
    /// The same type with `quals` added.
    pub const fn with(self, quals: Quals) -> QualType {
        QualType(self.0 | quals.0 as u32)
    }
    /// The same type less `quals`.
    pub const fn without(self, quals: Quals) -> QualType {
        QualType(self.0 & !(quals.0 as u32))
    }
    /// The same type without any qualifier.
    pub const fn unqualified(self) -> QualType {
        QualType(self.0 & !15)
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

/// By [`IntKind`]; whether plain `char` is signed is the target's choice.
const INT_INFO: [IntInfo; 13] = {
    const fn info(bits: u32, signed: bool, rank: u32) -> IntInfo {
        IntInfo { bits, signed, rank }
    }
    [
        info(8, true, 2 * 8),
        info(8, true, 2 * 8),
        info(8, false, 2 * 8),
        info(16, true, 2 * 16),
        info(16, false, 2 * 16),
        info(32, true, 2 * 32),
        info(32, false, 2 * 32),
        info(64, true, 2 * 64),
        info(64, false, 2 * 64),
        info(64, true, 2 * 64 + 1),
        info(64, false, 2 * 64 + 1),
        info(128, true, 2 * 128),
        info(128, false, 2 * 128),
    ]
};

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
/// [`VlaBound`](super::VlaBound) that introduces it, and read by `ExprKind::VlaLen`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VlaId(u32);
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
    /// Bit `n`: parameter `n` is a `restrict` pointer through which its object may be changed. For a warning; ignored by compatibility.
    pub restricts: u64,
    /// Attribute `ms_abi` or `sysv_abi`; types of different conventions are not compatible.
    pub abi: CallAbi,
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
    /// Enumeration; arithmetic uses [`EnumInfo::underlying`].
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

/// What tells variants of one kind apart; see [`TypeData`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Variant {
    align: u8,
    may_alias: bool,
    reversed: bool,
}

#[derive(Clone, Copy)]
struct TypeData {
    kind: TypeKind,
    /// log2 of the alignment plus one, 0 when it is the kind's own.
    align: u8,
    may_alias: bool,
    reversed: bool,
    variably_modified: bool,
    canonical: Ty,
    /// Handle of the pointer to this type, unqualified; `Ty::ERROR` until asked for.
    pointer: Ty,
    /// Layout of an array of constant length whose elements were complete when it was made: each of many dimensions is
    /// looked at once, not once for every dimension around it.
    array: Option<Layout>,
}

/// All types of a translation unit.
pub struct Types {
    data: Vec<TypeData>,
    map: FxHashMap<(TypeKind, Variant), Ty>,
    signatures: PrimaryMap<SignatureId, Signature>,
    signature_map: FxHashMap<Signature, SignatureId>,
    /// Structures and unions.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, EnumInfo>,
    vlas: u32,
    /// Plain `char` is signed.
    pub char_signed: bool,
    /// A structure or union of variable size has been declared.
    pub has_variable_records: bool,
    /// There is a `_BitInt` wider than 128 bits.
    pub has_wide_bit_int: bool,
    /// There is a type in reversed storage order.
    has_reversed: bool,
}

macro_rules! basic_types {
    ($($name:ident = $index:literal $kind:expr, $doc:literal;)*) => {
        impl Ty {
            $(#[doc = $doc] pub const $name: Ty = Ty($index);)*
        }
        const BASIC: &[TypeKind] = &[$($kind),*];
    };
}

basic_types! {
    ERROR = 0 TypeKind::Error, "The type of what has been reported as an error.";
    VOID = 1 TypeKind::Void, "`void`";
    NULLPTR = 2 TypeKind::NullPtr, "`nullptr_t`";
    BOOL = 3 TypeKind::Bool, "`_Bool`";
    CHAR = 4 TypeKind::Int(IntKind::Char), "`char`";
    SCHAR = 5 TypeKind::Int(IntKind::SChar), "`signed char`";
    UCHAR = 6 TypeKind::Int(IntKind::UChar), "`unsigned char`, also `char8_t`";
    SHORT = 7 TypeKind::Int(IntKind::Short), "`short`";
    USHORT = 8 TypeKind::Int(IntKind::UShort), "`unsigned short`, also `char16_t`";
    INT = 9 TypeKind::Int(IntKind::Int), "`int`, also `wchar_t`";
    UINT = 10 TypeKind::Int(IntKind::UInt), "`unsigned`, also `char32_t`, `wint_t`";
    LONG = 11 TypeKind::Int(IntKind::Long), "`long`, also `ptrdiff_t`, `intmax_t`";
    ULONG = 12 TypeKind::Int(IntKind::ULong), "`unsigned long`, also `size_t`, `uintmax_t`";
    LONGLONG = 13 TypeKind::Int(IntKind::LongLong), "`long long`";
    ULONGLONG = 14 TypeKind::Int(IntKind::ULongLong), "`unsigned long long`";
    INT128 = 15 TypeKind::Int(IntKind::Int128), "`__int128`";
    UINT128 = 16 TypeKind::Int(IntKind::UInt128), "`unsigned __int128`";
    FLOAT16 = 17 TypeKind::Float(FloatKind::Float16), "`_Float16`";
    FLOAT = 18 TypeKind::Float(FloatKind::Float), "`float`";
    DOUBLE = 19 TypeKind::Float(FloatKind::Double), "`double`";
    LONG_DOUBLE = 20 TypeKind::Float(FloatKind::LongDouble), "`long double`";
    FLOAT32 = 21 TypeKind::Float(FloatKind::Float32), "`_Float32`";
    FLOAT64 = 22 TypeKind::Float(FloatKind::Float64), "`_Float64`";
    FLOAT128 = 23 TypeKind::Float(FloatKind::Float128), "`_Float128`, `__float128`";
    FLOAT32X = 24 TypeKind::Float(FloatKind::Float32x), "`_Float32x`";
    FLOAT64X = 25 TypeKind::Float(FloatKind::Float64x), "`_Float64x`";
    VOID_PTR = 26 TypeKind::Pointer(QualType::new(Ty::VOID, Quals::NONE)), "`void *`";
    CHAR_PTR = 27 TypeKind::Pointer(QualType::new(Ty::CHAR, Quals::NONE)), "`char *`";
    CONST_VOID_PTR = 28 TypeKind::Pointer(QualType::new(Ty::VOID, Quals::CONST)), "`const void *`";
    CONST_CHAR_PTR = 29 TypeKind::Pointer(QualType::new(Ty::CHAR, Quals::CONST)), "`const char *`";
    COMPLEX_FLOAT = 30 TypeKind::Complex(Ty::FLOAT), "`float _Complex`";
    COMPLEX_DOUBLE = 31 TypeKind::Complex(Ty::DOUBLE), "`double _Complex`";
    COMPLEX_LONG_DOUBLE = 32 TypeKind::Complex(Ty::LONG_DOUBLE), "`long double _Complex`";
    VOLATILE_VOID_PTR = 33 TypeKind::Pointer(QualType::new(Ty::VOID, Quals::VOLATILE)), "`volatile void *`";
    DECIMAL32 = 34 TypeKind::Float(FloatKind::Decimal32), "`_Decimal32`";
    DECIMAL64 = 35 TypeKind::Float(FloatKind::Decimal64), "`_Decimal64`";
    DECIMAL128 = 36 TypeKind::Float(FloatKind::Decimal128), "`_Decimal128`";
}

impl Ty {
    /// `size_t`
    pub const SIZE: Ty = Ty::ULONG;
    /// `ptrdiff_t`
    pub const PTRDIFF: Ty = Ty::LONG;
    /// `intptr_t`
    pub const INTPTR: Ty = Ty::LONG;
    /// `uintptr_t`
    pub const UINTPTR: Ty = Ty::ULONG;

    /// The unqualified type, as a [`QualType`].
    pub const fn plain(self) -> QualType {
        QualType::new(self, Quals::NONE)
    }
}

impl Types {
    /// The basic types, and nothing else.
    pub fn new(char_signed: bool) -> Types {
        let mut types = Types {
            data: Vec::with_capacity(1024),
            map: FxHashMap::default(),
            signatures: PrimaryMap::new(),
            signature_map: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            vlas: 0,
            has_variable_records: false,
            has_wide_bit_int: false,
            has_reversed: false,
            char_signed,
        };
        for (index, &kind) in BASIC.iter().enumerate() {
            let ty = types.intern(kind);
            debug_assert_eq!(ty.0 as usize, index);
        }
        types
    }

    /// The handle of `kind`.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        self.intern_variant(kind, Variant::default())
    }

    fn intern_variant(&mut self, kind: TypeKind, variant: Variant) -> Ty {
        if let Some(&ty) = self.map.get(&(kind, variant)) {
            return ty;
        }
        self.has_reversed |= variant.reversed;
        self.has_wide_bit_int |= matches!(kind, TypeKind::BitInt { bits: 129.., .. });
        let plain = variant == Variant::default();
        let canonical = if plain { Ty(self.data.len() as u32) } else { self.intern(kind) };
        let ty = Ty(self.data.len() as u32);
        let variably_modified = self.kind_is_variably_modified(kind);
        let array = match kind {
            TypeKind::Array { len: ArrayLen::Constant(_), .. } => self.layout_of_kind(kind),
            _ => None,
        };
        let Variant { align, may_alias, reversed } = variant;
        let pointer = Ty::ERROR;
        self.data.push(TypeData { kind, align, may_alias, reversed, variably_modified, canonical, pointer, array });
        self.map.insert((kind, variant), ty);
        ty
    }

    fn variant(&self, ty: Ty) -> Variant {
        let TypeData { align, may_alias, reversed, .. } = self.data[ty.0 as usize];
        Variant { align, may_alias, reversed }
    }

    fn kind_is_variably_modified(&self, kind: TypeKind) -> bool {
        let of = |q: QualType| self.data[q.ty().0 as usize].variably_modified;
        match kind {
            TypeKind::Pointer(pointee) => of(pointee),
            TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || of(elem),
            TypeKind::Function(signature) => of(self.signatures[signature].ret),
            _ => false,
        }
    }

    /// What the type is.
    #[inline]
    pub fn kind(&self, ty: Ty) -> TypeKind {
        self.data[ty.0 as usize].kind
    }

    /// What the type is, whatever its qualifiers.
    #[inline]
    pub fn qkind(&self, ty: QualType) -> TypeKind {
        self.kind(ty.ty())
    }

    /// The type without alignment and aliasing attributes.
    #[inline]
    pub fn canonical(&self, ty: Ty) -> Ty {
        self.data[ty.0 as usize].canonical
    }

    /// The layout of an array of constant length, without the alignment an attribute gave it, if it was known when the
    /// type was made.
    pub(super) fn known_array_layout(&self, ty: Ty) -> Option<Layout> {
        self.data[ty.0 as usize].array
    }

    /// The alignment an attribute gave this variant, in bytes.
    pub fn declared_align(&self, ty: Ty) -> Option<u32> {
        match self.data[ty.0 as usize].align {
            0 => None,
            log => Some(1 << (log - 1)),
        }
    }

    /// Accesses through this type alias everything, like `char`'s.
    pub fn may_alias(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].may_alias
    }

    /// The variant of `ty` with alignment `align` bytes, a power of two.
    pub fn with_align(&mut self, ty: Ty, align: u32) -> Ty {
        let variant = Variant { align: align.trailing_zeros() as u8 + 1, ..self.variant(ty) };
        self.intern_variant(self.kind(ty), variant)
    }

    /// The variant of `ty` that aliases everything.
    pub fn with_may_alias(&mut self, ty: Ty) -> Ty {
        let variant = Variant { may_alias: true, ..self.variant(ty) };
        self.intern_variant(self.kind(ty), variant)
    }

    /// Objects of this scalar type have the most significant byte first: members of structures with
    /// `scalar_storage_order("big-endian")`, and the elements of arrays in them.
    #[inline]
    pub fn is_reversed(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].reversed
    }

    /// The variant with reversed storage order of a scalar type, or of the elements of an array of such. Other types, pointers and
    /// vectors among them, have only the order of the machine.
    pub fn with_reversed(&mut self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => {
                let elem = QualType::new(self.with_reversed(elem.ty()), elem.quals());
                let variant = self.variant(ty);
                self.intern_variant(TypeKind::Array { elem, len }, variant)
            }
            kind if self.is_arithmetic(ty) => {
                let variant = Variant { reversed: true, ..self.variant(ty) };
                self.intern_variant(kind, variant)
            }
            _ => ty,
        }
    }

    /// The type with the storage order of the machine, also of an array's elements and of what a pointer points to.
    pub fn with_native(&mut self, ty: Ty) -> Ty {
        if !self.has_reversed {
            return ty;
        }
        let variant = Variant { reversed: false, ..self.variant(ty) };
        match self.kind(ty) {
            TypeKind::Array { elem, len } if self.holds_reversed(elem.ty()) => {
                let elem = QualType::new(self.with_native(elem.ty()), elem.quals());
                self.intern_variant(TypeKind::Array { elem, len }, variant)
            }
            TypeKind::Pointer(pointee) if self.holds_reversed(pointee.ty()) => {
                let pointee = QualType::new(self.with_native(pointee.ty()), pointee.quals());
                self.intern_variant(TypeKind::Pointer(pointee), variant)
            }
            kind if self.is_reversed(ty) => self.intern_variant(kind, variant),
            _ => ty,
        }
    }

    /// A scalar in reversed storage order, or an array of such.
    pub fn holds_reversed(&self, mut ty: Ty) -> bool {
        while let TypeKind::Array { elem, .. } = self.kind(ty) {
            ty = elem.ty();
        }
        self.is_reversed(ty)
    }

    /// A variable-length array occurs in the type other than as a parameter (C23 6.7.6).
    pub fn is_variably_modified(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].variably_modified || self.is_vla(ty)
    }

    /// Pointer to `pointee`.
    pub fn pointer_to(&mut self, pointee: QualType) -> Ty {
        if !pointee.quals().is_empty() {
            return self.intern(TypeKind::Pointer(pointee));
        }
        let index = pointee.ty().0 as usize;
        let cached = self.data[index].pointer;
        if cached != Ty::ERROR {
            return cached;
        }
        let pointer = self.intern(TypeKind::Pointer(pointee));
        self.data[index].pointer = pointer;
        pointer
    }

    /// Array of `elem` with `len` elements.
    pub fn array_of(&mut self, elem: QualType, len: ArrayLen) -> Ty {
        self.intern(TypeKind::Array { elem, len })
    }

    /// Vector of `lanes` elements.
    pub fn vector_of(&mut self, elem: Ty, lanes: u32) -> Ty {
        self.intern(TypeKind::Vector { elem, lanes })
    }

    /// Complex type with parts of type `elem`.
    pub fn complex_of(&mut self, elem: Ty) -> Ty {
        self.intern(TypeKind::Complex(elem))
    }

    /// Function type.
    pub fn function(&mut self, signature: Signature) -> Ty {
        let id = match self.signature_map.get(&signature) {
            Some(&id) => id,
            None => {
                let id = self.signatures.push(signature.clone());
                self.signature_map.insert(signature, id);
                id
            }
        };
        self.intern(TypeKind::Function(id))
    }

    /// The signature behind a handle.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id]
    }

    /// The signature of a function type, or of the function a pointer points to.
    pub fn signature_of(&self, ty: Ty) -> Option<&Signature> {
        match self.kind(ty) {
            TypeKind::Function(id) => Some(&self.signatures[id]),
            TypeKind::Pointer(pointee) => match self.qkind(pointee) {
                TypeKind::Function(id) => Some(&self.signatures[id]),
                _ => None,
            },
            _ => None,
        }
    }

    /// A fresh variable-length bound.
    pub fn new_vla(&mut self) -> VlaId {
        self.vlas += 1;
        VlaId(self.vlas - 1)
    }

    /// Number of [`VlaId`]s handed out.
    pub fn vla_count(&self) -> usize {
        self.vlas as usize
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<QualType> {
        match self.kind(ty) {
            TypeKind::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// Element type of an array, with the array's qualifiers pushed down to it.
    pub fn array_element(&self, array: QualType) -> Option<QualType> {
        match self.qkind(array) {
            TypeKind::Array { elem, .. } => Some(elem.with(array.quals())),
            _ => None,
        }
    }

    /// The structure or union behind a type.
    pub fn record_of(&self, ty: Ty) -> Option<&Record> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(&self.records[id]),
            _ => None,
        }
    }

    /// The type that holds the values of `ty` if it is an enumeration, `ty` itself otherwise.
    pub fn strip_enum(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Enum(id) => self.enums[id].underlying,
            _ => self.canonical(ty),
        }
    }

    /// Width, sign and rank; `None` unless `ty` is an integer type (enumerations and `_Bool` are).
    pub fn int_info(&self, ty: Ty) -> Option<IntInfo> {
        let info = |bits, signed, rank| Some(IntInfo { bits, signed, rank });
        match self.kind(ty) {
            TypeKind::Bool => info(1, false, 1),
            TypeKind::Int(IntKind::Char) => info(8, self.char_signed, 2 * 8),
            TypeKind::Int(kind) => Some(INT_INFO[kind as usize]),
            // A bit-precise type ranks below a standard type of the same width (C23 6.3.1.1).
            TypeKind::BitInt { bits, signed } => info(bits, signed, (2 * bits).saturating_sub(1).max(2)),
            TypeKind::Enum(id) => self.int_info(self.enums[id].underlying),
            _ => None,
        }
    }

    /// Signed integer type.
    pub fn is_signed(&self, ty: Ty) -> bool {
        self.int_info(ty).is_some_and(|i| i.signed)
    }

    /// Which real floating type `ty` is.
    pub fn float_kind(&self, ty: Ty) -> Option<FloatKind> {
        match self.kind(ty) {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// The format of a decimal floating type.
    pub fn decimal_format(&self, ty: Ty) -> Option<DecimalFormat> {
        self.float_kind(ty)?.decimal()
    }

    /// Integer type, enumerations and `_Bool` included.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Int(_) | TypeKind::Bool | TypeKind::BitInt { .. } | TypeKind::Enum(_))
    }

    /// Real floating type, binary or decimal.
    pub fn is_floating(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// Complex type.
    pub fn is_complex(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Complex(_))
    }

    /// Integer, floating or complex.
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || matches!(self.kind(ty), TypeKind::Float(_) | TypeKind::Complex(_))
    }

    /// Pointer type.
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    /// Arithmetic, pointer or `nullptr_t`.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || matches!(self.kind(ty), TypeKind::Pointer(_) | TypeKind::NullPtr)
    }

    /// Array type.
    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    /// Function type.
    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// Structure or union.
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    /// Vector type.
    pub fn is_vector(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Vector { .. })
    }

    /// An error was reported where this type came from.
    pub fn is_error(&self, ty: Ty) -> bool {
        ty == Ty::ERROR
    }

    /// The type lacks the information to determine its size (C23 6.2.5): `void`, `[]`, undefined tags.
    pub fn is_incomplete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Void => true,
            TypeKind::Array { elem, len } => {
                self.known_array_layout(ty).is_none() && (len == ArrayLen::Incomplete || self.is_incomplete(elem.ty()))
            }
            TypeKind::Record(id) => !self.records[id].complete,
            TypeKind::Enum(id) => !self.enums[id].complete,
            _ => false,
        }
    }

    /// An array whose own length, or whose element's size, is known only at run time, or a record with such a member.
    pub fn is_vla(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => {
                matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || self.is_vla(elem.ty())
            }
            TypeKind::Record(id) => self.records[id].size_vla.is_some(),
            _ => false,
        }
    }

    /// Number of types interned; handles are below it.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Never: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}
