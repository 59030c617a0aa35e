//! Which class of types (C23 6.2.5) a type belongs to.

use super::{ArrayLen, DecimalFormat, FloatKind, IntInfo, IntKind, Ty, TypeKind, Types};

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

impl Types {
    /// A variable-length array occurs in the type other than as a parameter (C23 6.7.6).
    pub fn is_variably_modified(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].variably_modified || self.is_vla(ty)
    }

    /// Width, sign and rank; `None` unless `ty` is an integer type (enumerations and `_Bool` are).
    #[inline]
    pub fn int_info(&self, ty: Ty) -> Option<IntInfo> {
        let data = &self.data[ty.0 as usize];
        match data.kind {
            TypeKind::Enum(id) => self.int_info(self.enums[id].underlying),
            _ => data.int,
        }
    }

    /// The same of a kind; enumerations have none here.
    pub(super) fn int_info_of_kind(&self, kind: TypeKind) -> Option<IntInfo> {
        let info = |bits, signed, rank| Some(IntInfo { bits, signed, rank });
        match kind {
            TypeKind::Bool => info(1, false, 1),
            TypeKind::Int(IntKind::Char) => info(8, self.char_signed, 2 * 8),
            TypeKind::Int(kind) => Some(INT_INFO[kind as usize]),
            // A bit-precise type ranks below a standard type of the same width (C23 6.3.1.1).
            TypeKind::BitInt { bits, signed } => info(bits, signed, (2 * bits).saturating_sub(1).max(2)),
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
    #[inline]
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Int(_) | TypeKind::Bool | TypeKind::BitInt { .. } | TypeKind::Enum(_))
    }

    /// Real floating type, binary or decimal.
    #[inline]
    pub fn is_floating(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// Complex type.
    pub fn is_complex(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Complex(_))
    }

    /// Integer, floating or complex.
    #[inline]
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || matches!(self.kind(ty), TypeKind::Float(_) | TypeKind::Complex(_))
    }

    /// Pointer type.
    #[inline]
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    /// Arithmetic, pointer or `nullptr_t`.
    #[inline]
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || matches!(self.kind(ty), TypeKind::Pointer(_) | TypeKind::NullPtr)
    }

    /// Array type.
    #[inline]
    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    /// Function type.
    #[inline]
    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// Structure or union.
    #[inline]
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    /// Vector type.
    #[inline]
    pub fn is_vector(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Vector { .. })
    }

    /// An error was reported where this type came from.
    #[inline]
    pub fn is_error(&self, ty: Ty) -> bool {
        ty == Ty::ERROR
    }

    /// The type lacks the information to determine its size (C23 6.2.5): `void`, `[]`, undefined
    /// tags.
    #[inline]
    pub fn is_incomplete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Void => true,
            TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Enum(_) => self.lacks_definition(ty),
            _ => false,
        }
    }

    fn lacks_definition(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => {
                self.known_layout(ty).is_none() && (len == ArrayLen::Incomplete || self.is_incomplete(elem.ty()))
            }
            TypeKind::Record(id) => !self.records[id].complete,
            TypeKind::Enum(id) => !self.enums[id].complete,
            _ => false,
        }
    }

    /// An array whose own length, or whose element's size, is known only at run time, or a record
    /// with such a member.
    pub fn is_vla(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => {
                matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || self.is_vla(elem.ty())
            }
            TypeKind::Record(id) => self.records[id].size_vla.is_some(),
            _ => false,
        }
    }
}
