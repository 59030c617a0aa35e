//! How values of a C type are represented in the IR.

use ir::Type;

use crate::tree::{DecimalFormat, FloatFormat, Ty, TypeKind, Types};

/// Representation of a C value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing.
    Void,
    /// One IR value.
    Scalar(Type),
    /// Two IR values of this type.
    Complex(Type),
    /// Bytes in memory.
    Memory,
}

/// Bytes of the vectors that are IR values; others live in memory and are worked on in pieces of
/// this size or by lanes.
pub const VECTOR_BYTES: u64 = 16;

/// The IR type of a floating format. Decimal values travel as binary ones of their size; nothing
/// but moves and operations on the sign bit is done with them in the IR.
pub fn float_type(format: FloatFormat) -> Type {
    match format {
        FloatFormat::Half => Type::F16,
        FloatFormat::Single | FloatFormat::Decimal(DecimalFormat::D32) => Type::F32,
        FloatFormat::Double | FloatFormat::Decimal(DecimalFormat::D64) => Type::F64,
        FloatFormat::X87 => Type::F80,
        FloatFormat::Quad | FloatFormat::Decimal(DecimalFormat::D128) => Type::F128,
    }
}

/// The IR integer type that holds `bits` value bits in memory.
pub fn int_container(bits: u32) -> Option<Type> {
    Some(match bits {
        0..=8 => Type::I8,
        9..=16 => Type::I16,
        17..=32 => Type::I32,
        33..=64 => Type::I64,
        65..=128 => Type::I128,
        _ => return None,
    })
}

/// The representation of values of type `ty`.
#[inline]
pub fn shape(types: &Types, ty: Ty) -> Shape {
    match types.kind(ty) {
        TypeKind::Pointer(_) => Shape::Scalar(Type::PTR),
        TypeKind::Int(kind) => Shape::Scalar(INT_TYPES[kind as usize]),
        kind => other_shape(types, ty, kind),
    }
}

/// The IR types of C's integer types, by [`IntKind`](crate::tree::IntKind).
const INT_TYPES: [Type; 13] = [
    Type::I8,
    Type::I8,
    Type::I8,
    Type::I16,
    Type::I16,
    Type::I32,
    Type::I32,
    Type::I64,
    Type::I64,
    Type::I64,
    Type::I64,
    Type::I128,
    Type::I128,
];

fn other_shape(types: &Types, ty: Ty, kind: TypeKind) -> Shape {
    match kind {
        TypeKind::Void | TypeKind::Error | TypeKind::Function(_) => Shape::Void,
        TypeKind::Pointer(_) | TypeKind::NullPtr => Shape::Scalar(Type::PTR),
        TypeKind::Float(kind) => Shape::Scalar(float_type(kind.format())),
        TypeKind::Complex(part) => match shape(types, part) {
            Shape::Scalar(ty) => Shape::Complex(ty),
            _ => Shape::Memory,
        },
        TypeKind::Vector { elem, lanes } => match native_vector(types, elem, lanes) {
            Some(ty) => Shape::Scalar(ty),
            None => Shape::Memory,
        },
        TypeKind::Array { .. } | TypeKind::Record(_) => Shape::Memory,
        TypeKind::Int(_) | TypeKind::Bool | TypeKind::BitInt { .. } | TypeKind::Enum(_) => {
            match types.int_info(ty).and_then(|info| int_container(info.bits)) {
                Some(ty) => Shape::Scalar(ty),
                None => Shape::Memory,
            }
        }
    }
}

/// The IR type of a scalar C type. Void for types that have none.
pub fn scalar_type(types: &Types, ty: Ty) -> Type {
    match shape(types, ty) {
        Shape::Scalar(ty) => ty,
        _ => Type::VOID,
    }
}

/// The IR type of a vector that is one IR value. There is none without SSE registers, nor for
/// decimal numbers, whose operators are calls.
pub fn native_vector(types: &Types, elem: Ty, lanes: u32) -> Option<Type> {
    let lane = scalar_type(types, elem);
    if types.decimal_format(elem).is_some() || !types.vectors_in_registers {
        return None;
    }
    let native = matches!(lane, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64);
    (native && lane.store_size() as u64 * lanes as u64 == VECTOR_BYTES).then(|| lane.vector(lanes))
}

/// Width in bits of a `_BitInt` whose width is not its container's: values must be normalised.
#[inline]
pub fn odd_width(types: &Types, ty: Ty) -> Option<(u32, bool)> {
    match types.kind(ty) {
        TypeKind::BitInt { bits, signed } => {
            let container = int_container(bits)?;
            (container.bits() != bits).then_some((bits, signed))
        }
        TypeKind::Enum(_) => odd_width_of_enum(types, ty),
        _ => None,
    }
}

fn odd_width_of_enum(types: &Types, ty: Ty) -> Option<(u32, bool)> {
    let underlying = types.strip_enum(ty);
    if underlying == ty { None } else { odd_width(types, underlying) }
}
