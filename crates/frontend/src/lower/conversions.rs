//! Conversions between types (C23 6.3).

use ir::{Opcode, Type, Value};

use super::function::Fx;
use super::lvalues::{self, normalize};
use super::place::Rvalue;
use super::shapes::{Shape, shape};
use super::{bit_int, complex, conditions, decimal, expressions, sanitize, vectors};
use crate::tree::*;
use platform::options::Sanitizers;

/// Converts a value of type `from` to `to`.
pub fn cast(fx: &mut Fx<'_, '_>, kind: CastKind, value: Rvalue, from: Ty, to: Ty) -> Rvalue {
    let target = shape(fx.types(), to);
    match (kind, value, target) {
        (CastKind::ToVoid, ..) | (_, _, Shape::Void) => Rvalue::Void,
        (CastKind::NoOp, Rvalue::Memory(_), Shape::Memory) => value,
        (CastKind::ToBool, ..) => {
            let bit = conditions::nonzero_of(fx, value, from);
            Rvalue::Scalar(fx.int_cast(bit, Type::I8, false))
        }
        _ if bit_int::takes_part(fx, kind, from, to) => bit_int::convert(fx, value, from, to),
        (CastKind::VectorConvert, ..) => vectors::convert(fx, value, from, to),
        (CastKind::VectorSplat, Rvalue::Scalar(v), _) => vectors::splat(fx, v, to),
        (CastKind::Bitcast, ..) => bitcast(fx, value, from, to),
        (CastKind::ToUnion(member), ..) => to_union(fx, value, to, member),
        (CastKind::RealToComplex, Rvalue::Scalar(v), Shape::Complex(part)) => {
            let zero = fx.zero(part);
            Rvalue::Complex(v, zero)
        }
        (CastKind::ComplexToReal, Rvalue::Complex(re, _), _) => Rvalue::Scalar(re),
        (CastKind::Complex | CastKind::Excess(_), Rvalue::Complex(re, im), _) => {
            let (from, to) = (complex::part_type(fx, from), complex::part_type(fx, to));
            let re = real(fx, re, from, to);
            Rvalue::Complex(re, real(fx, im, from, to))
        }
        (_, Rvalue::Scalar(v), Shape::Scalar(ty)) => Rvalue::Scalar(scalar(fx, kind, v, from, to, ty)),
        (CastKind::NoOp | CastKind::Pointer | CastKind::Complex, ..) => value,
        _ => {
            fx.not_supported("this conversion");
            expressions::dummy(fx, to)
        }
    }
}

fn scalar(fx: &mut Fx<'_, '_>, kind: CastKind, v: Value, from: Ty, to: Ty, ty: Type) -> Value {
    let decimal = fx.types().decimal_format(from).or(fx.types().decimal_format(to)).is_some();
    match kind {
        CastKind::IntToFloat | CastKind::FloatToInt | CastKind::Floating if decimal => {
            let value = decimal::convert(fx, v, from, to, ty);
            normalize(fx, value, to)
        }
        CastKind::Integral => {
            let signed = fx.types().is_signed(from);
            let value = fx.int_cast(v, ty, signed);
            normalize(fx, value, to)
        }
        CastKind::IntToFloat => int_to_float(fx, v, from, ty),
        CastKind::FloatToInt => {
            if sanitize::on(fx, Sanitizers::FLOAT_CAST) {
                sanitize::arithmetic::float_cast(fx, v, from, to);
            }
            let value = float_to_int(fx, v, to, ty);
            normalize(fx, value, to)
        }
        CastKind::Floating | CastKind::Excess(_) => fx.float_cast(v, ty),
        CastKind::PointerToInt => {
            // As gcc documents it, a pointer converted to a wider integer is sign-extended.
            let int = fx.ptr_to_int(v);
            let value = fx.int_cast(int, ty, true);
            normalize(fx, value, to)
        }
        CastKind::IntToPointer => {
            let signed = fx.types().is_signed(from);
            let int = fx.int_cast(v, Type::I64, signed);
            fx.int_to_ptr(int)
        }
        CastKind::Pointer | CastKind::NoOp if fx.ty(v) != ty => fx.bitcast(v, ty),
        _ => v,
    }
}

/// Arithmetic conversion between real types.
pub fn real(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: Ty) -> Value {
    let ty = fx.scalar_type(to);
    let kind = match (fx.types().is_floating(from), fx.types().is_floating(to)) {
        (true, true) => CastKind::Floating,
        (true, false) => CastKind::FloatToInt,
        (false, true) => CastKind::IntToFloat,
        (false, false) => CastKind::Integral,
    };
    scalar(fx, kind, v, from, to, ty)
}

/// Integer to floating. Narrow integers go through i32, and unsigned 32-bit ones through i64, where
/// the conversion is one instruction; binary16 goes through binary32, which represents every
/// integer below its overflow threshold exactly enough to round once.
pub fn int_to_float(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: Type) -> Value {
    let signed = fx.types().is_signed(from);
    let bits = fx.ty(v).bits();
    let (v, signed) = match bits {
        0..=16 => (fx.int_cast(v, Type::I32, signed), true),
        32 if !signed => (fx.int_cast(v, Type::I64, false), true),
        _ => (v, signed),
    };
    let opcode = if signed { Opcode::SiToFp } else { Opcode::UiToFp };
    if to == Type::F16 {
        let wide = fx.b().unary(opcode, Type::F32, v);
        return fx.float_cast(wide, Type::F16);
    }
    fx.b().unary(opcode, to, v)
}

/// Floating to integer, towards zero.
pub fn float_to_int(fx: &mut Fx<'_, '_>, v: Value, to: Ty, ty: Type) -> Value {
    let signed = fx.types().is_signed(to);
    let v = if fx.ty(v) == Type::F16 { fx.float_cast(v, Type::F32) } else { v };
    let (wide, opcode) = match (ty.bits(), signed) {
        (0..=16, _) | (32, true) => (Type::I32, Opcode::FpToSi),
        (32, false) => (Type::I64, Opcode::FpToSi),
        (_, true) => (ty, Opcode::FpToSi),
        (_, false) => (ty, Opcode::FpToUi),
    };
    let value = fx.b().unary(opcode, wide, v);
    fx.int_cast(value, ty, false)
}

/// The same bytes as another type.
fn bitcast(fx: &mut Fx<'_, '_>, value: Rvalue, from: Ty, to: Ty) -> Rvalue {
    if let (Rvalue::Scalar(v), Shape::Scalar(ty)) = (value, shape(fx.types(), to)) {
        return Rvalue::Scalar(fx.bitcast(v, ty));
    }
    let mut place = lvalues::spill(fx, value, from);
    place.any_alias = true;
    lvalues::load(fx, place, to.into())
}

/// GNU cast to a union type.
fn to_union(fx: &mut Fx<'_, '_>, value: Rvalue, to: Ty, member: u32) -> Rvalue {
    let Some(layout) = fx.types().layout(to.into()) else { return value };
    let Some(field) = fx.types().record_of(to).map(|r| *r.field(member)) else { return value };
    let mut place = fx.temp(layout.size, layout.align);
    place.any_alias = true;
    lvalues::store(fx, place.offset(field.offset as i64), field.ty.unqualified(), value);
    Rvalue::Memory(place)
}
