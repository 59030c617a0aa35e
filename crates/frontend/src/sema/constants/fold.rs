//! Folding of conversions and operators whose operands are constants.

use std::cmp::Ordering;

use base::Loc;
use platform::options::{Sanitizers, Standard};

use super::integers::{self, Folded};
use super::{floats, warn_overflow, wide};
use crate::sema::Sema;
use crate::tree::{
    BinaryOp, Bits128, CastKind, Category, Expr, ExprFlags, ExprKind, ExprRef, FloatFormat, IntInfo, Ty, TypeKind,
    UnaryOp,
};

/// A folded scalar or complex value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant<'a> {
    /// Integer or pointer.
    Int(i128),
    /// Integer of a type wider than 128 bits: see [`wide`].
    Wide(&'a [u64]),
    /// Real floating: bits.
    Float(u128),
    /// Complex: parts, each integer or floating bits as the part type says.
    Complex([u128; 2]),
}

/// The constant an expression is, if it is one.
pub fn constant_of<'a>(expr: ExprRef<'a>) -> Option<Constant<'a>> {
    match expr.kind {
        ExprKind::Wide(limbs) => Some(Constant::Wide(limbs)),
        ExprKind::Int(bits) => Some(Constant::Int(bits.signed())),
        ExprKind::Float(bits) => Some(Constant::Float(bits.get())),
        ExprKind::Complex(parts) => Some(Constant::Complex([parts[0].get(), parts[1].get()])),
        ExprKind::Cast { kind: CastKind::Excess(format), operand } => {
            let round = |bits| floats::convert(bits, FloatFormat::X87, format);
            match constant_of(operand)? {
                Constant::Float(bits) => Some(Constant::Float(round(bits))),
                Constant::Complex(parts) => Some(Constant::Complex(parts.map(round))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value that is kept of an object with `STATIC_INIT_VALUE`.
pub fn known_value<'a>(cx: &Sema<'_, 'a>, id: crate::tree::DeclId) -> Constant<'a> {
    let decl = &cx.unit.decls[id];
    if let Some(limbs) = cx.unit.wide_values.get(&id) {
        return Constant::Wide(cx.arena.alloc_slice_copy(limbs));
    }
    match cx.kind(decl.ty) {
        TypeKind::Float(_) => Constant::Float(decl.value.get()),
        _ => Constant::Int(decl.value.signed()),
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
pub fn make<'a>(cx: &Sema<'_, 'a>, value: Constant<'a>, ty: Ty, loc: Loc, flags: ExprFlags) -> ExprRef<'a> {
    let kind = match value {
        Constant::Int(v) => ExprKind::Int(Bits128::new(v as u128)),
        Constant::Wide(limbs) => ExprKind::Wide(limbs),
        Constant::Float(v) => ExprKind::Float(Bits128::new(v)),
        Constant::Complex([re, im]) => ExprKind::Complex(cx.arena.alloc([Bits128::new(re), Bits128::new(im)])),
    };
    cx.arena.alloc(Expr { kind, ty: ty.plain(), written: ty.plain(), loc, cat: Category::Rvalue, flags })
}

/// One part of a value in a real type, converted to another real type. `None` if the conversion is
/// undefined.
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

/// The value of an integer constant, if it is an `i128`.
pub fn integer_value(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> Option<i128> {
    match expr.kind {
        ExprKind::Wide(limbs) => wide::small(limbs, cx.types().int_info(expr.ty.ty())?),
        _ => expr.int_value(),
    }
}

/// An integer constant as a signed number of any length.
pub fn number_of(cx: &Sema<'_, '_>, value: Constant<'_>, ty: Ty) -> Option<Vec<u64>> {
    let info = scalar_info(cx, ty)?;
    match value {
        Constant::Int(v) => Some(wide::from_narrow(v, info)),
        Constant::Wide(limbs) => Some(wide::from_wide(limbs, info)),
        _ => None,
    }
}

/// A number wrapped into an integer type, and whether it was in range.
pub fn from_number<'a>(cx: &Sema<'_, 'a>, number: &[u64], to: Ty) -> Option<(Constant<'a>, bool)> {
    let info = scalar_info(cx, to)?;
    if info.bits <= wide::NARROW_BITS {
        let (value, fits) = wide::to_narrow(number, info);
        return Some((Constant::Int(value), fits));
    }
    let (limbs, fits) = wide::wrap(number, info);
    Some((Constant::Wide(cx.arena.alloc_slice_copy(&limbs)), fits))
}

fn is_wide(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    cx.types().int_info(ty).is_some_and(|info| info.bits > wide::NARROW_BITS)
}

/// A conversion between real types one of which is a wide integer.
fn convert_wide<'a>(cx: &Sema<'_, 'a>, value: Constant<'_>, from: Ty, to: Ty) -> Option<(Constant<'a>, bool)> {
    if let Constant::Float(bits) = value {
        let number = wide::from_float(bits, format_of(cx, from)?);
        let in_range = number.is_some();
        let (value, fits) = from_number(cx, &number.unwrap_or_else(|| vec![0]), to)?;
        return Some((value, fits && in_range));
    }
    let number = number_of(cx, value, from)?;
    if cx.kind(to) == TypeKind::Bool {
        return Some((Constant::Int(!wide::is_zero(&number) as i128), true));
    }
    match format_of(cx, to) {
        Some(format) => wide::to_float(&number, format).map(|bits| (Constant::Float(bits), true)),
        None => from_number(cx, &number, to).map(|(value, _)| (value, true)),
    }
}

/// Value of constant `value` of type `from` after conversion to arithmetic or pointer type `to`.
pub fn convert<'a>(cx: &Sema<'_, 'a>, value: Constant<'_>, from: Ty, to: Ty) -> Option<(Constant<'a>, bool)> {
    let real_type = |ty: Ty| match cx.kind(ty) {
        TypeKind::Complex(part) => part,
        _ => ty,
    };
    if is_wide(cx, from) || is_wide(cx, to) {
        let value = match value {
            Constant::Complex([re, _]) => real(cx, re, real_type(from)),
            other => other,
        };
        let (value, ok) = convert_wide(cx, value, real_type(from), real_type(to))?;
        return match (cx.kind(to), value) {
            (TypeKind::Complex(_), Constant::Int(v)) => Some((Constant::Complex([v as u128, 0]), ok)),
            (TypeKind::Complex(_), Constant::Float(v)) => Some((Constant::Complex([v, 0]), ok)),
            (TypeKind::Complex(_), _) => None,
            _ => Some((value, ok)),
        };
    }
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
        (Constant::Wide(_), _) => None,
        (Constant::Int(_) | Constant::Float(_), Some(to)) => {
            let bits = match value {
                Constant::Int(v) => v as u128,
                Constant::Float(v) => v,
                Constant::Complex(_) | Constant::Wide(_) => return None,
            };
            let (re, ok) = convert_real(cx, bits, from, to)?;
            Some((Constant::Complex([re, 0]), ok))
        }
    }
}

fn real<'a>(cx: &Sema<'_, '_>, bits: u128, ty: Ty) -> Constant<'a> {
    if format_of(cx, ty).is_some() { Constant::Float(bits) } else { Constant::Int(bits as i128) }
}

/// Folds a conversion to `to`. The result is an integer constant expression if the operand is one
/// (an immediate floating constant counts) and `to` is an integer type.
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
                if cx.checks(Sanitizers::OVERFLOW) {
                    return None;
                }
                flags = flags.with(ExprFlags::OVERFLOW);
            }
            Constant::Int(value)
        }
        (UnaryOp::Neg | UnaryOp::Not, Constant::Wide(_)) => {
            let number = number_of(cx, value, ty)?;
            let negates = op == UnaryOp::Neg;
            let number = if negates { wide::negate(&number) } else { wide::complement(&number) };
            let (value, fits) = from_number(cx, &number, ty)?;
            if negates && !fits && cx.types().is_signed(ty) {
                warn_wide_overflow(cx, loc, ty, value);
                flags = flags.with(ExprFlags::OVERFLOW);
            }
            value
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
        (UnaryOp::LogicalNot, Constant::Wide(limbs)) => {
            let value = Constant::Int(wide::is_zero(limbs) as i128);
            return Some(make(cx, value, Ty::INT, loc, flags.with(ExprFlags::TRUTH)));
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

/// Folds `lhs op rhs`, both operands converted (shifts: promoted). `result` is the type of the
/// node.
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
                // An undefined shift is no strict constant; gcc folds it to what is left of the
                // bits.
                None if op.is_shift() && !cx.checks(Sanitizers::SHIFT_EXPONENT) => {
                    flags = flags.without(ExprFlags::ICE);
                    let value = if op == BinaryOp::Shr && a < 0 && info.signed { -1 } else { 0 };
                    Folded { value, overflow: false }
                }
                None => return None,
            };
            if op == BinaryOp::Shl && info.signed && cx.since(Standard::C99) && !shift_is_defined(a, b, info) {
                // Undefined (C99 6.5.7 paragraph 4), so no constant expression; the value is what
                // it is.
                flags = flags.without(ExprFlags::ICE.with(ExprFlags::CONSTANT));
            }
            if folded.overflow {
                warn_overflow(cx, loc, ty, folded.value);
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                if divides && cx.checks(Sanitizers::OVERFLOW) {
                    return None;
                }
                flags = flags.with(ExprFlags::OVERFLOW);
            }
            Constant::Int(folded.value)
        }
        (Constant::Int(_) | Constant::Wide(_), Constant::Int(_) | Constant::Wide(_)) => {
            let (value, facts) = wide_binary(cx, op, (a, ty), (b, rhs.ty.ty()), loc)?;
            flags = match facts {
                WideFacts::Fits => flags,
                WideFacts::Overflow => flags.with(ExprFlags::OVERFLOW),
                WideFacts::Undefined => flags.without(ExprFlags::ICE.with(ExprFlags::CONSTANT)),
            };
            value
        }
        (Constant::Float(a), Constant::Float(b)) => {
            let format = format_of(cx, ty)?;
            flags = flags.without(ExprFlags::ICE);
            if op.is_comparison() {
                Constant::Int(integers::comparison(op, floats::compare(a, b, format)) as i128)
            } else {
                // The mode of translation is to nearest (C23 F.8.2); what is exact has one value in
                // all modes.
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

/// What is to be said of a folded operation on wide integers.
enum WideFacts {
    Fits,
    Overflow,
    Undefined,
}

/// `a op b` where an operand is of a type wider than 128 bits, each with its type. `None` for
/// divisions by zero.
fn wide_binary<'a>(
    cx: &mut Sema<'_, 'a>,
    op: BinaryOp,
    (a, ty): (Constant<'_>, Ty),
    (b, right): (Constant<'_>, Ty),
    loc: Loc,
) -> Option<(Constant<'a>, WideFacts)> {
    let (x, y) = (number_of(cx, a, ty)?, number_of(cx, b, right)?);
    let info = scalar_info(cx, ty)?;
    if op.is_comparison() {
        let holds = integers::comparison(op, Some(wide::compare(&x, &y)));
        return Some((Constant::Int(holds as i128), WideFacts::Fits));
    }
    if op.is_shift() {
        let (count, fits) = wide::to_narrow(&y, IntInfo { bits: 64, signed: true, rank: 64 });
        if !fits || !(0..info.bits as i128).contains(&count) {
            let negative = info.signed && wide::compare(&x, &[0]).is_lt();
            let rest = if op == BinaryOp::Shr && negative { u64::MAX } else { 0 };
            return Some((from_number(cx, &[rest], ty)?.0, WideFacts::Undefined));
        }
    }
    let (value, fits) = from_number(cx, &wide::exact(op, &x, &y)?, ty)?;
    let facts = match op {
        _ if fits || !info.signed => WideFacts::Fits,
        BinaryOp::Shl => WideFacts::Undefined,
        _ => {
            warn_wide_overflow(cx, loc, ty, value);
            WideFacts::Overflow
        }
    };
    Some((value, facts))
}

fn warn_wide_overflow(cx: &mut Sema<'_, '_>, loc: Loc, ty: Ty, value: Constant<'_>) {
    if !cx.never_evaluated()
        && let Some(number) = number_of(cx, value, ty)
    {
        let (name, value) = (cx.tname(ty), wide::to_text(&number));
        let message = format!("integer overflow in expression of type {name} results in '{value}'");
        cx.warn(base::warning::OVERFLOW, loc, message);
    }
}

/// A left shift of a value that is not negative to one that the type holds.
fn shift_is_defined(value: i128, count: i128, info: IntInfo) -> bool {
    value >= 0 && (0..info.bits as i128).contains(&count) && value >> (info.bits as i128 - 1 - count) == 0
}

/// Complex arithmetic on parts (C23 Annex G.5); of integers, a GNU extension, by the same formulas.
fn complex_binary<'a>(cx: &Sema<'_, '_>, op: BinaryOp, a: [u128; 2], b: [u128; 2], part: Ty) -> Option<Constant<'a>> {
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
        Constant::Wide(limbs) => Some(!wide::is_zero(limbs)),
        Constant::Float(v) => Some(floats::is_nonzero(v, format_of(cx, expr.ty.ty())?)),
        Constant::Complex(_) => None,
    }
}
