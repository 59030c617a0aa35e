//! The types that are always there, and their handles.

use super::{FloatKind, IntKind, QualType, Quals, Ty, TypeKind};

macro_rules! basic_types {
    ($($name:ident = $index:literal $kind:expr, $doc:literal;)*) => {
        impl Ty {
            $(#[doc = $doc] pub const $name: Ty = Ty($index);)*
        }
        /// The kinds of the basic types, by handle.
        pub(super) const BASIC: &[TypeKind] = &[$($kind),*];
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
    #[inline]
    pub const fn plain(self) -> QualType {
        QualType::new(self, Quals::NONE)
    }
}
