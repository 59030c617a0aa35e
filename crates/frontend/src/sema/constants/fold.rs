//! Folding of conversions and operators whose operands are constants.

use std::cmp::Ordering;

use base::Loc;
use target::options::Standard;

use super::integers::{self, Folded};
use super::{floats, warn_overflow};
use crate::sema::Sema;
use crate::tree::{
    BinaryOp, Bits128, Category, Expr, ExprFlags, ExprKind, ExprRef, FloatFormat, IntInfo, Ty, TypeKind, UnaryOp,
};

/// A folded scalar or complex value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// Integer or pointer.
    Int(i128),
    /// Real floating: bits.
    Float(u128),
    /// Complex: parts, each integer or floating bits as the part type says.
    Complex([u128; 2]),
}

/// The constant an expression is, if it is one.
pub fn constant_of(expr: ExprRef<'_>) -> Option<Constant> {
    match expr.kind {
        ExprKind::Int(bits) => Some(Constant::Int(bits.signed())),
        ExprKind::Float(bits) => Some(Constant::Float(bits.get())),
        ExprKind::Complex(parts) => Some(Constant::Complex([parts[0].get(), parts[1].get()])),
        _ => None,
    }
}

/// Integer facts of a scalar type: pointers count as unsigned 64-bit integers.
pub fn scalar_info(cx: &Sema<'_, '_>, ty: Ty) -> Option<IntInfo> {
    match cx.kind(ty) {
        TypeKind::Pointer(_) | TypeKind::NullPtr => Some(IntInfo { bits: 64, signed: false, rank: 64 }),
        _ => cx.types().int_info(ty),
    }
}

/// Format of a real floating type.
pub fn format_of(cx: &Sema<'_, '_>, ty: Ty) -> Option<FloatFormat> {
    cx.types().float_kind(ty).map(|k| k.format())
}

/// Allocates a constant of a type.
pub fn make<'a>(cx: &Sema<'_, 'a>, value: Constant, ty: Ty, loc: Loc, flags: ExprFlags) -> ExprRef<'a> {
    let kind = match value {
        Constant::Int(v) => ExprKind::Int(Bits128::new(v as u128)),
        Constant::Float(v) => ExprKind::Float(Bits128::new(v)),
        Constant::Complex([re, im]) => ExprKind::Complex(cx.arena.alloc([Bits128::new(re), Bits128::new(im)])),
    };
    cx.arena.alloc(Expr { kind, ty: ty.plain(), loc, cat: Category::Rvalue, flags })
}

/// One part of a value in a real type, converted to another real type. `None` if the conversion is undefined.
fn convert_real(cx: &Sema<'_, '_>, bits: u128, from: Ty, to: Ty) -> Option<(u128, bool)> {
    match (format_of(cx, from), format_of(cx, to)) {
        (Some(from), Some(to)) => Some((floats::convert(bits, from, to), true)),
        (None, Some(to)) => Some((floats::from_int(bits as i128, scalar_info(cx, from)?, to), true)),
        (Some(format), None) => {
            if cx.kind(to) == TypeKind::Bool {
                return Some((floats::is_nonzero(bits, format) as u128, true));
            }
            let (value, in_range) = floats::to_int(bits, format, scalar_info(cx, to)?);
            Some((value as u128, in_range))
        }
        (None, None) => {
            let value = bits as i128;
            if cx.kind(to) == TypeKind::Bool {
                return Some(((value != 0) as u128, true));
            }
            Some((integers::wrap(value, scalar_info(cx, to)?) as u128, true))
        }
    }
}

/// Value of constant `value` of type `from` after conversion to arithmetic or pointer type `to`.
pub fn convert(cx: &Sema<'_, '_>, value: Constant, from: Ty, to: Ty) -> Option<(Constant, bool)> {
    let part = |ty: Ty| match cx.kind(ty) {
        TypeKind::Complex(part) => Some(part),
        _ => None,
    };
    match (value, part(to)) {
        (Constant::Int(v), None) => convert_real(cx, v as u128, from, to).map(|(b, ok)| (real(cx, b, to), ok)),
        (Constant::Float(v), None) => convert_real(cx, v, from, to).map(|(b, ok)| (real(cx, b, to), ok)),
        (Constant::Complex([re, im]), None) => {
            let from = part(from)?;
            if cx.kind(to) == TypeKind::Bool {
                let a = convert_real(cx, re, from, to)?.0 | convert_real(cx, im, from, to)?.0;
                return Some((Constant::Int(a as i128), true));
            }
            convert_real(cx, re, from, to).map(|(b, ok)| (real(cx, b, to), ok))
        }
        (Constant::Complex([re, im]), Some(to)) => {
            let from = part(from)?;
            let (re, im) = (convert_real(cx, re, from, to)?, convert_real(cx, im, from, to)?);
            Some((Constant::Complex([re.0, im.0]), re.1 && im.1))
        }
        (Constant::Int(_) | Constant::Float(_), Some(to)) => {
            let bits = match value {
                Constant::Int(v) => v as u128,
                Constant::Float(v) => v,
                Constant::Complex(_) => return None,
            };
            let (re, ok) = convert_real(cx, bits, from, to)?;
            Some((Constant::Complex([re, 0]), ok))
        }
    }
}

fn real(cx: &Sema<'_, '_>, bits: u128, ty: Ty) -> Constant {
    if format_of(cx, ty).is_some() { Constant::Float(bits) } else { Constant::Int(bits as i128) }
}

/// Folds a conversion to `to`. The result is an integer constant expression if the operand is one (an immediate floating
/// constant counts) and `to` is an integer type.
pub fn cast<'a>(cx: &Sema<'_, 'a>, operand: ExprRef<'a>, to: Ty) -> Option<ExprRef<'a>> {
    let value = constant_of(operand)?;
    let (value, in_range) = convert(cx, value, operand.ty.ty(), to)?;
    let mut flags = operand.flags.without(ExprFlags::PAREN.with(ExprFlags::NULL).with(ExprFlags::TRUTH));
    let keeps_ice = in_range && cx.types().is_arithmetic(to) && !cx.types().is_complex(to);
    // A converted floating value is no longer an immediate floating constant.
    let float_to_float = matches!(value, Constant::Float(_));
    if !keeps_ice || float_to_float {
        flags = flags.without(ExprFlags::ICE);
    }
    if !in_range {
        flags = flags.with(ExprFlags::OVERFLOW);
    }
    Some(make(cx, value, to, operand.loc, flags))
}

/// Folds `op operand`, the operand already promoted.
pub fn unary<'a>(cx: &mut Sema<'_, 'a>, op: UnaryOp, operand: ExprRef<'a>, loc: Loc) -> Option<ExprRef<'a>> {
    let value = constant_of(operand)?;
    let ty = operand.ty.ty();
    let keep = ExprFlags::ICE.with(ExprFlags::CONSTANT).with(ExprFlags::OVERFLOW);
    let mut flags = ExprFlags(operand.flags.0 & keep.0);
    let negate_part = |cx: &Sema<'_, 'a>, bits: u128, ty: Ty| match format_of(cx, ty) {
        Some(format) => Some(floats::negate(bits, format)),
        None => Some(integers::negate(bits as i128, scalar_info(cx, ty)?).value as u128),
    };
    let result = match (op, value) {
        (UnaryOp::Neg, Constant::Int(v)) => {
            let Folded { value, overflow } = integers::negate(v, scalar_info(cx, ty)?);
            if overflow {
                warn_overflow(cx, loc, ty, value);
                flags = flags.with(ExprFlags::OVERFLOW);
            }
            Constant::Int(value)
        }
        (UnaryOp::Neg, Constant::Float(v)) => {
            flags = flags.without(ExprFlags::ICE);
            Constant::Float(floats::negate(v, format_of(cx, ty)?))
        }
        (UnaryOp::Not, Constant::Int(v)) => Constant::Int(integers::wrap(!v, scalar_info(cx, ty)?)),
        (UnaryOp::Neg | UnaryOp::Not, Constant::Complex([re, im])) => {
            let TypeKind::Complex(part) = cx.kind(ty) else { return None };
            let im = negate_part(cx, im, part)?;
            let re = if op == UnaryOp::Neg { negate_part(cx, re, part)? } else { re };
            Constant::Complex([re, im])
        }
        (UnaryOp::LogicalNot, Constant::Int(v)) => {
            return Some(make(cx, Constant::Int((v == 0) as i128), Ty::INT, loc, flags.with(ExprFlags::TRUTH)));
        }
        (UnaryOp::Real | UnaryOp::Imag, Constant::Complex(parts)) => {
            let TypeKind::Complex(part) = cx.kind(ty) else { return None };
            let bits = parts[(op == UnaryOp::Imag) as usize];
            return Some(make(cx, real(cx, bits, part), part, loc, flags.without(ExprFlags::ICE)));
        }
        _ => return None,
    };
    Some(make(cx, result, ty, loc, flags))
}

/// Folds `lhs op rhs`, both operands converted (shifts: promoted). `result` is the type of the node.
pub fn binary<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    lhs: ExprRef<'a>,
    rhs: ExprRef<'a>,
    result: Ty,
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let (a, b) = (constant_of(lhs)?, constant_of(rhs)?);
    let ty = lhs.ty.ty();
    let both = ExprFlags(lhs.flags.0 & rhs.flags.0);
    let either = ExprFlags(lhs.flags.0 | rhs.flags.0);
    let mut flags = ExprFlags(both.0 & (ExprFlags::ICE.0 | ExprFlags::CONSTANT.0) | either.0 & ExprFlags::OVERFLOW.0);
    let value = match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => {
            let info = scalar_info(cx, ty)?;
            let folded = match integers::binary(op, a, b, info) {
                Some(folded) => folded,
                // An undefined shift is no strict constant; gcc folds it to what is left of the bits.
                None if op.is_shift() => {
                    flags = flags.without(ExprFlags::ICE);
                    let value = if op == BinaryOp::Shr && a < 0 && info.signed { -1 } else { 0 };
                    Folded { value, overflow: false }
                }
                None => return None,
            };
            if op == BinaryOp::Shl && info.signed && cx.since(Standard::C99) && !shift_is_defined(a, b, info) {
                // Undefined (C99 6.5.7 paragraph 4), so no constant expression; the value is what it is.
                flags = flags.without(ExprFlags::ICE.with(ExprFlags::CONSTANT));
            }
            if folded.overflow {
                warn_overflow(cx, loc, ty, folded.value);
                flags = flags.with(ExprFlags::OVERFLOW);
            }
            Constant::Int(folded.value)
        }
        (Constant::Float(a), Constant::Float(b)) => {
            let format = format_of(cx, ty)?;
            flags = flags.without(ExprFlags::ICE);
            if op.is_comparison() {
                Constant::Int(integers::comparison(op, floats::compare(a, b, format)) as i128)
            } else {
                // The mode of translation is to nearest (C23 F.8.2); what is exact has one value in all modes.
                let at_run_time = cx.options.codegen.float.rounding_math && !cx.in_static_initializer;
                if at_run_time && !floats::is_exact(op, a, b, format) {
                    return None;
                }
                Constant::Float(floats::binary(op, a, b, format)?)
            }
        }
        (Constant::Complex(a), Constant::Complex(b)) => {
            let TypeKind::Complex(part) = cx.kind(ty) else { return None };
            flags = flags.without(ExprFlags::ICE);
            complex_binary(cx, op, a, b, part)?
        }
        _ => return None,
    };
    if op.is_comparison() {
        flags = flags.with(ExprFlags::TRUTH);
    }
    Some(make(cx, value, result, loc, flags))
}

/// A left shift of a value that is not negative to one that the type holds.
fn shift_is_defined(value: i128, count: i128, info: IntInfo) -> bool {
    value >= 0 && (0..info.bits as i128).contains(&count) && value >> (info.bits as i128 - 1 - count) == 0
}

/// Complex arithmetic on parts (C23 Annex G.5); of integers, a GNU extension, by the same formulas.
fn complex_binary(cx: &Sema<'_, '_>, op: BinaryOp, a: [u128; 2], b: [u128; 2], part: Ty) -> Option<Constant> {
    let format = format_of(cx, part);
    let info = cx.types().int_info(part);
    let apply = |op: BinaryOp, x: u128, y: u128| -> Option<u128> {
        match (format, info) {
            (Some(format), _) => floats::binary(op, x, y, format),
            (None, Some(info)) => integers::binary(op, x as i128, y as i128, info).map(|f| f.value as u128),
            _ => None,
        }
    };
    let equal = |x: u128, y: u128| match format {
        Some(format) => floats::compare(x, y, format) == Some(Ordering::Equal),
        None => x == y,
    };
    use BinaryOp::*;
    let arithmetic = matches!(op, Add | Sub | Mul | Div);
    if arithmetic && format.is_some() && cx.options.codegen.float.rounding_math && !cx.in_static_initializer {
        return None;
    }
    let parts = match op {
        Mul | Div if let Some(format) = format => super::complex::binary(op, a, b, format)?,
        Add | Sub => [apply(op, a[0], b[0])?, apply(op, a[1], b[1])?],
        Mul => [
            apply(Sub, apply(Mul, a[0], b[0])?, apply(Mul, a[1], b[1])?)?,
            apply(Add, apply(Mul, a[0], b[1])?, apply(Mul, a[1], b[0])?)?,
        ],
        Div => {
            let norm = apply(Add, apply(Mul, b[0], b[0])?, apply(Mul, b[1], b[1])?)?;
            let re = apply(Add, apply(Mul, a[0], b[0])?, apply(Mul, a[1], b[1])?)?;
            let im = apply(Sub, apply(Mul, a[1], b[0])?, apply(Mul, a[0], b[1])?)?;
            [apply(Div, re, norm)?, apply(Div, im, norm)?]
        }
        Eq | Ne => {
            let same = equal(a[0], b[0]) && equal(a[1], b[1]);
            return Some(Constant::Int((same == (op == Eq)) as i128));
        }
        _ => return None,
    };
    Some(Constant::Complex(parts))
}

/// The truth of a constant condition.
pub fn truth(expr: ExprRef<'_>, cx: &Sema<'_, '_>) -> Option<bool> {
    match constant_of(expr)? {
        Constant::Int(v) => Some(v != 0),
        Constant::Float(v) => Some(floats::is_nonzero(v, format_of(cx, expr.ty.ty())?)),
        Constant::Complex(_) => None,
    }
}
