//! Sizes, alignments and calling-convention classes of C types.

use platform::data_layout::{self as dl, Layout};
use platform::sysv::{self, Classification, Leaf, LeafKind};

use super::RecordKind;
use super::types::{ArrayLen, DecimalFormat, FloatFormat, FloatKind, IntKind, QualType, Ty, TypeKind, Types};

impl Types {
    /// Size and alignment, `None` when the type is incomplete, a function, or sized at run time.
    /// Alignment attributes of the type and `_Atomic`'s stricter alignment are taken into account.
    pub fn layout(&self, ty: QualType) -> Option<Layout> {
        let mut layout = self.kind_layout(ty.ty())?;
        if ty.quals().is_atomic() {
            layout = dl::atomic(layout);
        }
        if let Some(align) = self.declared_align(ty.ty()) {
            layout.align = align;
        }
        Some(layout)
    }

    /// `sizeof` in bytes; see [`Types::layout`].
    pub fn size_of(&self, ty: impl Into<QualType>) -> Option<u64> {
        self.layout(ty.into()).map(|l| l.size)
    }

    /// `_Alignof` in bytes. Arrays of unknown length have their element's alignment; what has none
    /// answers 1.
    pub fn align_of(&self, ty: impl Into<QualType>) -> u32 {
        let ty = ty.into();
        if let Some(align) = self.declared_align(ty.ty()) {
            return align;
        }
        if let Some(layout) = self.known_layout(ty.ty()).filter(|_| !ty.quals().is_atomic()) {
            return layout.align;
        }
        match self.qkind(ty) {
            TypeKind::Array { elem, .. } => self.align_of(elem),
            TypeKind::Record(id) if self.records[id].size_vla.is_some() => self.records[id].align,
            _ => self.layout(ty).map_or(1, |l| l.align),
        }
    }

    /// Layout of a floating format.
    pub fn float_layout(format: FloatFormat) -> Layout {
        match format {
            FloatFormat::Half => dl::FLOAT16,
            FloatFormat::Single | FloatFormat::Decimal(DecimalFormat::D32) => dl::FLOAT32,
            FloatFormat::Double | FloatFormat::Decimal(DecimalFormat::D64) => dl::FLOAT64,
            FloatFormat::X87 => dl::FLOAT80,
            FloatFormat::Quad | FloatFormat::Decimal(DecimalFormat::D128) => dl::FLOAT128,
        }
    }

    fn kind_layout(&self, ty: Ty) -> Option<Layout> {
        self.known_layout(ty).or_else(|| self.layout_of_kind(self.kind(ty)))
    }

    /// The layout of types of this kind, without what attributes change.
    pub(crate) fn layout_of_kind(&self, kind: TypeKind) -> Option<Layout> {
        Some(match kind {
            TypeKind::Error => dl::INT,
            TypeKind::Void | TypeKind::Function(_) => return None,
            TypeKind::Bool => dl::CHAR,
            TypeKind::NullPtr | TypeKind::Pointer(_) => dl::POINTER,
            TypeKind::Int(kind) => match kind {
                IntKind::Char | IntKind::SChar | IntKind::UChar => dl::CHAR,
                IntKind::Short | IntKind::UShort => dl::SHORT,
                IntKind::Int | IntKind::UInt => dl::INT,
                IntKind::Long | IntKind::ULong | IntKind::LongLong | IntKind::ULongLong => dl::LONG,
                IntKind::Int128 | IntKind::UInt128 => dl::INT128,
            },
            TypeKind::BitInt { bits, .. } => dl::bit_int(bits),
            TypeKind::Float(kind) => Self::float_layout(kind.format()),
            TypeKind::Complex(part) => {
                let part = self.kind_layout(part)?;
                Layout { size: part.size * 2, align: part.align }
            }
            TypeKind::Array { elem, len: ArrayLen::Constant(len) } => {
                let elem = self.layout(elem)?;
                Layout { size: elem.size.checked_mul(len)?, align: elem.align }
            }
            TypeKind::Array { .. } => return None,
            TypeKind::Record(id) => {
                let record = &self.records[id];
                if !record.complete || record.size_vla.is_some() {
                    return None;
                }
                Layout { size: record.size, align: record.align }
            }
            TypeKind::Enum(id) => {
                if !self.enums[id].complete {
                    return None;
                }
                return self.kind_layout(self.enums[id].underlying);
            }
            TypeKind::Vector { elem, lanes } => dl::vector(self.kind_layout(elem)?.size * lanes as u64),
        })
    }

    /// Alignment a variable of this type gets without an attribute: arrays and records of 16 bytes
    /// or more are aligned to 16 (psABI 3.1.2 for arrays; for both as gcc does on the stack), where
    /// that makes SSE accesses faster: `fast`.
    pub fn object_align(&self, ty: QualType, fast: bool) -> u32 {
        let align = self.align_of(ty);
        let large = match self.qkind(ty) {
            TypeKind::Array { len: ArrayLen::Variable(_), .. } => true,
            TypeKind::Array { .. } | TypeKind::Record(_) => self.size_of(ty).is_some_and(|s| s >= dl::LARGE_ARRAY_SIZE),
            _ => false,
        };
        if fast && large && self.declared_align(ty.ty()).is_none() { align.max(dl::LARGE_ARRAY_ALIGN) } else { align }
    }

    /// How a value of a complete type is passed and returned (psABI 3.2.3).
    pub fn classify(&self, ty: impl Into<QualType>) -> Classification {
        let ty = ty.into();
        let size = self.size_of(ty).unwrap_or(0);
        if size > sysv::MAX_CLASSIFIED || self.is_vla(ty.ty()) {
            return Classification::MEMORY;
        }
        let complex_float80 = matches!(self.qkind(ty), TypeKind::Complex(part)
            if self.float_kind(part).is_some_and(|k| k.format() == FloatFormat::X87));
        let mut leaves = Vec::new();
        self.leaves(ty, 0, &mut leaves);
        sysv::classify(size, &leaves, complex_float80)
    }

    /// Whether gcc finds nothing in a structure or union but unnamed bit-fields and members of this
    /// kind. Such an argument takes registers by its class, but no room on the stack (gcc's
    /// `default_is_empty_type`).
    pub fn is_empty_object(&self, ty: Ty) -> bool {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            match self.kind(ty) {
                TypeKind::Record(id) => {
                    let fields = self.records[id].fields.iter();
                    work.extend(fields.filter(|f| f.bits.is_none() || f.name.is_some()).map(|f| f.ty.ty()));
                }
                TypeKind::Array { len: ArrayLen::Constant(0), .. } => {}
                TypeKind::Array { elem, .. } => work.push(elem.ty()),
                _ => return false,
            }
        }
        true
    }

    /// What a vector is for classification. gcc knows registers for those that the processor has
    /// instructions for: others of floats are in memory, others of integers like an integer of
    /// their size.
    fn vector_leaf(&self, elem: Ty, size: u64) -> LeafKind {
        match self.float_kind(elem).map(FloatKind::format) {
            Some(FloatFormat::Half | FloatFormat::Single | FloatFormat::Double) => {
                let one = self.size_of(elem) == Some(size);
                if one { LeafKind::Memory } else { LeafKind::Vector }
            }
            Some(FloatFormat::X87 | FloatFormat::Quad | FloatFormat::Decimal(_)) => LeafKind::Memory,
            None if size < 8 => LeafKind::Integer,
            None => LeafKind::Vector,
        }
    }

    /// Appends the scalars a value of type `ty` at `offset` consists of. Only meaningful for small
    /// types: arrays are unrolled.
    pub fn leaves(&self, ty: QualType, offset: u64, out: &mut Vec<Leaf>) {
        let size = self.size_of(ty).unwrap_or(0);
        let mut leaf = |kind| out.push(Leaf { offset, size, kind, bit_field: false });
        match self.qkind(ty) {
            TypeKind::Float(kind) => leaf(match kind.format() {
                FloatFormat::X87 => LeafKind::Float80,
                FloatFormat::Quad | FloatFormat::Decimal(DecimalFormat::D128) => LeafKind::Float128,
                _ => LeafKind::Float,
            }),
            TypeKind::Complex(part) => {
                self.leaves(part.into(), offset, out);
                self.leaves(part.into(), offset + size / 2, out);
            }
            TypeKind::Vector { elem, .. } => leaf(self.vector_leaf(elem, size)),
            TypeKind::Array { elem, len: ArrayLen::Constant(len) } => {
                let stride = self.size_of(elem).unwrap_or(0);
                for index in 0..if stride == 0 { 0 } else { len } {
                    self.leaves(elem, offset + index * stride, out);
                }
            }
            TypeKind::Record(id) => {
                for field in &self.records[id].fields {
                    match field.bits {
                        None => self.leaves(field.ty, offset + field.offset, out),
                        // A bit-field of a union is for gcc an object of the smallest integer type
                        // that holds it, which has to be aligned (gcc's `classify_argument`).
                        Some(bits) if bits.width > 0 && self.records[id].kind == RecordKind::Union => {
                            let size = u64::from(bits.width).div_ceil(8).next_power_of_two();
                            out.push(Leaf { offset, size, kind: LeafKind::Integer, bit_field: false });
                        }
                        // Unnamed bit-fields count for gcc, against psABI 3.2.3 and clang.
                        Some(bits) if bits.width > 0 => {
                            let first = bits.bit_offset / 8;
                            let last = (bits.bit_offset + bits.width as u64 - 1) / 8;
                            let size = last - first + 1;
                            out.push(Leaf { offset: offset + first, size, kind: LeafKind::Integer, bit_field: true });
                        }
                        Some(_) => {}
                    }
                }
            }
            _ if size > 0 => leaf(LeafKind::Integer),
            _ => {}
        }
    }
}
