//! `-Wconversion`, `-Wsign-conversion` and `-Wfloat-conversion`: implicit conversions that may
//! change a value (gcc's `unsafe_conversion_p`), and of constants those that do, under `-Woverflow`
//! where it is worse.
//!
//! What is converted is looked at as it was before its own widening: `short` from `(int)c & 0x7f`
//! is fine. Arithmetic counts as what it is only if an operand alone would not fit: `c = c + 1` is
//! silent without `-Warith-conversion`, as in gcc.

use base::{Loc, WarningId, warning};

use crate::sema::constants::{floats, fold, integers, wide};
use crate::sema::{Sema, conversions};
use crate::tree::{
    BinaryOp, CastKind, ExprFlags, ExprKind, ExprRef, FloatFormat, FloatKind, IntInfo, Ty, TypeKind, UnaryOp,
};

/// Operands of conditionals and operators that are looked at for one conversion.
const MAX_OPERANDS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Real to integer, or to a narrower real type.
    Real,
    /// Same bits, other sign.
    Sign,
    /// Bits are lost.
    Other,
}

/// What a value's type can hold: integers as they are stored, or a floating type.
#[derive(Clone, Copy)]
enum Range {
    Integer(IntInfo),
    Real(FloatKind),
}

/// Warns of the implicit conversion of `expr`, an arithmetic rvalue, to `to`, which is as written.
/// `field` is the width of the bit-field that it goes into; `at` tells where to show it, and is
/// asked only for what can be shown.
#[inline]
pub fn check<'x, 'a>(
    cx: &mut Sema<'x, 'a>,
    expr: ExprRef<'a>,
    to: Ty,
    field: Option<u32>,
    at: impl FnOnce(&Sema<'x, 'a>) -> Loc,
) {
    if is_wanted(cx, expr.ty.ty(), to, field) {
        check_operands(cx, expr, to, field, at(cx));
    }
}

fn check_operands<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, to: Ty, field: Option<u32>, loc: Loc) {
    let Some(mut target) = range_of(cx, to) else { return };
    if let (Range::Integer(info), Some(width)) = (&mut target, field) {
        info.bits = width;
    }
    let mut work = vec![expr];
    let mut left = MAX_OPERANDS;
    let mut in_conditional = false;
    while let Some(expr) = work.pop() {
        left -= 1;
        if left == 0 {
            return;
        }
        match expr.kind {
            ExprKind::Conditional { then, els, .. } => {
                // The arms were brought to one type, which does not matter here.
                work.extend([unwidened(cx, els).0, unwidened(cx, then).0]);
                in_conditional = true;
                continue;
            }
            ExprKind::Comma { rhs, .. } => {
                work.push(rhs);
                continue;
            }
            _ => {}
        }
        if in_conditional && check_arm(cx, expr, to, loc) {
            return;
        }
        if fold::constant_of(expr).is_some() || expr.flags.has(ExprFlags::TRUTH) {
            continue;
        }
        let Some(change) = change(cx, expr, target) else { continue };
        if let Some(operands) = operands_that_count(expr)
            && !operands.iter().any(|operand| changes_alone(cx, operand, target))
        {
            continue;
        }
        let (from, to) = (cx.tname(expr.written), field_name(cx, to, field));
        let (flag, message) = match change {
            Change::Sign => {
                let message = format!("conversion to {to} from {from} may change the sign of the result");
                (warning::SIGN_CONVERSION, message)
            }
            Change::Real => (warning::FLOAT_CONVERSION, format!("conversion from {from} to {to} may change value")),
            Change::Other => (warning::CONVERSION, format!("conversion from {from} to {to} may change value")),
        };
        cx.warn(flag, loc, message);
        return;
    }
}

/// Warns of a constant that an implicit conversion to `to` changes; `field` and `at` are those of
/// [`check`].
pub fn check_constant<'x, 'a>(
    cx: &mut Sema<'x, 'a>,
    expr: ExprRef<'_>,
    to: Ty,
    field: Option<u32>,
    at: impl FnOnce(&Sema<'x, 'a>) -> Loc,
) {
    let Some(constant) = fold::constant_of(expr) else { return };
    if cx.never_evaluated() || cx.kind(to) == TypeKind::Bool {
        return;
    }
    let loc = at(cx);
    if let Some((flag, message)) = changed_constant(cx, expr, constant, (to, field), loc)
        && (flag == warning::OVERFLOW || !is_enum(cx, to))
    {
        cx.warn(flag, loc, message);
    }
}

/// Warns of the conversion of `old op right`, which is of the type `ty`, as [`check`] does.
pub fn check_operation<'a>(
    cx: &mut Sema<'_, 'a>,
    (op, lhs, rhs): (BinaryOp, ExprRef<'a>, ExprRef<'a>),
    ty: Ty,
    to: Ty,
    field: Option<u32>,
) {
    if is_wanted(cx, ty, to, field) {
        let written = cx.types().common_as_written(lhs.written, rhs.written, ty);
        let whole = cx.value_written(ExprKind::Binary { op, lhs, rhs }, ty, written, rhs.loc);
        check(cx, whole, to, field, |cx| conversions::start(cx, rhs));
    }
}

/// Whether a conversion between the two types can be reported.
#[inline]
fn is_wanted(cx: &Sema<'_, '_>, from: Ty, to: Ty, field: Option<u32>) -> bool {
    let flags = [warning::CONVERSION, warning::SIGN_CONVERSION, warning::FLOAT_CONVERSION];
    (from != cx.types().bare_ty(to) || field.is_some())
        && !cx.never_evaluated()
        && !is_enum(cx, to)
        && flags.into_iter().any(|flag| cx.sess.diag.is_on_somewhere(flag))
}

/// gcc says nothing of conversions from and to enumerations.
fn is_enum(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    matches!(cx.kind(ty), TypeKind::Enum(_))
}

/// The same where one of the types is an integer type wider than 128 bits.
fn changed_wide(cx: &Sema<'_, '_>, expr: ExprRef<'_>, to: Ty) -> Option<(WarningId, String)> {
    let number = fold::number_of(cx, fold::constant_of(expr)?, expr.ty.ty())?;
    let info = cx.types().int_info(to)?;
    let (value, fits) = fold::from_number(cx, &number, to)?;
    if fits {
        return None;
    }
    let (old, new) = (wide::to_text(&number), wide::to_text(&fold::number_of(cx, value, to)?));
    let change = format!("from {} to {} changes value from '{old}' to '{new}'", cx.tname(expr.written), cx.tname(to));
    let (_, fits_other) = wide::wrap(&number, IntInfo { signed: !info.signed, ..info });
    Some(match (info.signed, fits_other) {
        (false, true) => (warning::SIGN_CONVERSION, format!("unsigned conversion {change}")),
        (false, false) => (warning::OVERFLOW, format!("unsigned conversion {change}")),
        (true, true) => (warning::CONVERSION, format!("conversion {change}")),
        (true, false) => (warning::OVERFLOW, format!("overflow in conversion {change}")),
    })
}

/// The same for an arm of a conditional, which gcc words in another way.
fn check_arm(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, to: Ty, loc: Loc) -> bool {
    let Some(constant) = fold::constant_of(expr) else { return false };
    if changed_constant(cx, expr, constant, (to, None), loc).is_none() {
        return false;
    }
    let (flag, kind, value) = match (constant, cx.types().int_info(expr.ty.ty()), cx.types().int_info(to)) {
        (fold::Constant::Int(value), Some(from), Some(info)) => {
            let text = integers::to_text(value, from);
            if !info.signed && value < 0 {
                (warning::SIGN_CONVERSION, "unsigned conversion", text)
            } else if info.signed && !from.signed && from.bits == info.bits {
                (warning::SIGN_CONVERSION, "signed conversion", text)
            } else {
                (warning::CONVERSION, "conversion", text)
            }
        }
        (fold::Constant::Int(value), Some(from), None) => {
            (warning::FLOAT_CONVERSION, "conversion", integers::to_text(value, from))
        }
        (fold::Constant::Float(bits), ..) => {
            let Some(text) = fold::format_of(cx, expr.ty.ty()).and_then(|format| text(bits, format)) else {
                return false;
            };
            (warning::FLOAT_CONVERSION, "conversion", text)
        }
        _ => return false,
    };
    let (from, to) = (cx.tname(expr.written), cx.tname(to));
    cx.warn(flag, loc, format!("{kind} from {from} to {to} changes the value of '{value}'"));
    true
}

/// What becomes of a constant that changes, and the flag that says so.
fn changed_constant(
    cx: &Sema<'_, '_>,
    expr: ExprRef<'_>,
    constant: fold::Constant<'_>,
    (to, field): (Ty, Option<u32>),
    loc: Loc,
) -> Option<(WarningId, String)> {
    let names = || (cx.tname(expr.written), field_name(cx, to, field));
    let info = cx.types().int_info(to).map(|info| IntInfo { bits: field.unwrap_or(info.bits), ..info });
    match (constant, info) {
        (fold::Constant::Wide(_), _) => changed_wide(cx, expr, to),
        (_, Some(info)) if info.bits > wide::NARROW_BITS => changed_wide(cx, expr, to),
        (fold::Constant::Int(value), Some(info)) => changed_integer(cx, expr, value, info, loc, names),
        (fold::Constant::Float(bits), Some(info)) => {
            let format = fold::format_of(cx, expr.ty.ty())?;
            let (value, in_range) = floats::to_int(bits, format, info);
            if in_range && floats::from_int(value, info, format) == bits {
                return None;
            }
            let (from_type, to_type) = names();
            let (old, new) = (text(bits, format), integers::to_text(value, info));
            if !in_range {
                let change = match old {
                    Some(old) => format!("changes value from '{old}' to '{new}'"),
                    None => format!("changes value to '{new}'"),
                };
                let message = format!("overflow in conversion from {from_type} to {to_type} {change}");
                return Some((warning::OVERFLOW, message));
            }
            let old = old?;
            let message = format!("conversion from {from_type} to {to_type} changes value from '{old}' to '{new}'");
            Some((warning::FLOAT_CONVERSION, message))
        }
        (fold::Constant::Complex(_), _) => None,
        (_, None) => {
            let format = fold::format_of(cx, to)?;
            let (old, new) = match constant {
                fold::Constant::Int(value) => {
                    let info = cx.types().int_info(expr.ty.ty())?;
                    let new = floats::from_int(value, info, format);
                    let exact = floats::to_int(new, format, IntInfo { bits: 128, ..info }) == (value, true);
                    if exact {
                        return None;
                    }
                    (integers::to_text(value, info), new)
                }
                fold::Constant::Float(bits) => {
                    let from = fold::format_of(cx, expr.ty.ty())?;
                    let new = floats::convert(bits, from, format);
                    if floats::convert(new, format, from) == bits {
                        return None;
                    }
                    (text(bits, from)?, new)
                }
                fold::Constant::Complex(_) | fold::Constant::Wide(_) => return None,
            };
            let new = text(new, format)?;
            let (from_type, to_type) = names();
            let message = format!("conversion from {from_type} to {to_type} changes value from '{old}' to '{new}'");
            Some((warning::FLOAT_CONVERSION, message))
        }
    }
}

fn changed_integer(
    cx: &Sema<'_, '_>,
    expr: ExprRef<'_>,
    value: i128,
    info: IntInfo,
    loc: Loc,
    names: impl FnOnce() -> (String, String),
) -> Option<(WarningId, String)> {
    let from = cx.types().int_info(expr.ty.ty())?;
    if integers::fits(value, info) && (info.signed || value >= 0 || info.bits < 128) && in_range(value, from, info) {
        return None;
    }
    let result = integers::wrap(value, info);
    let (from_text, to_text) = names();
    let (old, new) = (integers::to_text(value, from), integers::to_text(result, info));
    let change = format!("from {from_text} to {to_text} changes value from '{old}' to '{new}'");
    Some(if !info.signed {
        let signed = IntInfo { signed: true, ..info };
        let flag = if integers::fits(value, signed) { warning::SIGN_CONVERSION } else { warning::OVERFLOW };
        (flag, format!("unsigned conversion {change}"))
    } else if !integers::fits(value, IntInfo { signed: false, ..info })
        || from.bits != info.bits && cx.sess.warning_enabled(warning::PEDANTIC, loc)
    {
        (warning::OVERFLOW, format!("overflow in conversion {change}"))
    } else if from.signed {
        (warning::CONVERSION, format!("conversion {change}"))
    } else {
        (warning::SIGN_CONVERSION, format!("signed conversion {change}"))
    })
}

/// The mathematical value is representable: both sides agree on the sign of 128-bit patterns.
fn in_range(value: i128, from: IntInfo, to: IntInfo) -> bool {
    from.signed == to.signed || from.bits < 128 && to.bits < 128 || value >= 0
}

/// A `float` or `double` as gcc writes it: all significant digits, without zeros at the end.
fn text(bits: u128, format: FloatFormat) -> Option<String> {
    let (text, suffix) = match format {
        FloatFormat::Single => (format!("{:.8e}", f32::from_bits(bits as u32)), "f"),
        FloatFormat::Double => (format!("{:.16e}", f64::from_bits(bits as u64)), ""),
        _ => return None,
    };
    let (digits, exponent) = text.split_once('e')?;
    let digits = digits.trim_end_matches('0');
    let zero = if digits.ends_with('.') { "0" } else { "" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    Some(format!("{digits}{zero}e{sign}{exponent}{suffix}"))
}

/// The target's name; that of a bit-field as gcc writes its type.
fn field_name(cx: &Sema<'_, '_>, to: Ty, field: Option<u32>) -> String {
    let name = cx.tname(to);
    let (Some(width), Some(info)) = (field, cx.types().int_info(to)) else { return name };
    if width == info.bits {
        return name;
    }
    let base = match width {
        0..=8 if info.signed => "signed char",
        0..=8 => "unsigned char",
        9..=16 if info.signed => "short int",
        9..=16 => "short unsigned int",
        _ => return format!("'{}:{width}'", cx.type_text(cx.types().bare_ty(to))),
    };
    format!("'{base}:{width}'")
}

fn range_of(cx: &Sema<'_, '_>, ty: Ty) -> Option<Range> {
    match cx.kind(ty) {
        TypeKind::Bool | TypeKind::Complex(_) => None,
        TypeKind::Float(_) => cx.types().float_kind(ty).map(Range::Real),
        _ => cx.types().int_info(ty).map(Range::Integer),
    }
}

/// The operand of widening conversions (gcc's `get_unwidened`), and what it can hold.
fn unwidened<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>) -> (ExprRef<'a>, Option<Range>) {
    let held = |expr: ExprRef<'_>| {
        let mut range = range_of(cx, expr.ty.ty());
        if matches!(cx.kind(expr.ty), TypeKind::Bool) || expr.flags.has(ExprFlags::TRUTH) {
            range = Some(Range::Integer(IntInfo { bits: 1, signed: false, rank: 0 }));
        }
        if let (Some(Range::Integer(info)), Some(width)) = (&mut range, conversions::bit_field_width(cx, expr)) {
            info.bits = width;
        }
        range
    };
    let expr = match (expr.kind, cx.lints.named_operand) {
        (ExprKind::Opaque(id), Some((name, operand))) if id == name => operand,
        _ => expr,
    };
    let (mut best, mut zero_extended) = (expr, false);
    let mut at = expr;
    while let ExprKind::Cast { kind: CastKind::Integral | CastKind::NoOp | CastKind::Floating, operand } = at.kind {
        match (held(at), held(operand)) {
            (Some(Range::Integer(outer)), Some(Range::Integer(inner))) => {
                if inner.bits > outer.bits {
                    break;
                }
                if inner.bits < outer.bits {
                    if !zero_extended || !inner.signed {
                        best = operand;
                    }
                    zero_extended |= !inner.signed;
                }
            }
            (Some(Range::Real(outer)), Some(Range::Real(inner))) if precision(inner) <= precision(outer) => {
                // Only constants and promoted arms of a conditional come here; a real value is what
                // its type says.
                break;
            }
            _ => break,
        }
        at = operand;
    }
    (best, held(best))
}

/// Significant bits.
fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float16 => 11,
        FloatKind::Float | FloatKind::Float32 => 24,
        FloatKind::Float32x | FloatKind::Double | FloatKind::Float64 => 53,
        FloatKind::Float64x | FloatKind::LongDouble => 64,
        FloatKind::Float128 => 113,
        // Digits of decimal types: they are compared among themselves.
        FloatKind::Decimal32 => 7,
        FloatKind::Decimal64 => 16,
        FloatKind::Decimal128 => 34,
    }
}

/// How the value of `expr` may change on the way to `target`.
fn change<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>, target: Range) -> Option<Change> {
    let (inner, range) = unwidened(cx, expr);
    if is_enum(cx, inner.ty.ty()) {
        return None;
    }
    match (range?, target) {
        (Range::Real(_), Range::Integer(_)) => Some(Change::Real),
        (Range::Real(from), Range::Real(to)) => (precision(to) < precision(from)).then_some(Change::Real),
        (Range::Integer(from), Range::Real(to)) => {
            let digits = from.bits - u32::from(from.signed);
            (!is_decimal(to) && digits > precision(to)).then_some(Change::Other)
        }
        (Range::Integer(from), Range::Integer(to)) => {
            let from = bitwise_range(cx, inner, from, to)?;
            if to.bits < from.bits {
                Some(Change::Other)
            } else {
                let differs = to.bits == from.bits && to.signed != from.signed;
                (differs || !to.signed && from.signed).then_some(Change::Sign)
            }
        }
    }
}

fn is_decimal(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128)
}

/// What the result of `&`, `|`, `^` can hold, given its type's range; `None` if it fits in `to`.
fn bitwise_range<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>, whole: IntInfo, to: IntInfo) -> Option<IntInfo> {
    let ExprKind::Binary { op, lhs, rhs } = expr.kind else { return Some(whole) };
    if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
        return Some(whole);
    }
    if op == BinaryOp::And {
        let both = |value: i128| {
            integers::fits(value, IntInfo { signed: true, ..to })
                && integers::fits(value, IntInfo { signed: false, ..to })
        };
        for operand in [lhs, rhs] {
            let unsigned = cx.types().int_info(operand.ty.ty()).is_some_and(|info| !info.signed);
            if operand.int_value().is_some_and(|value| both(value) || unsigned && integers::fits(value, to)) {
                return None;
            }
        }
    }
    let part = |operand: ExprRef<'a>| match (operand.int_value(), unwidened(cx, operand).1) {
        (Some(value), _) => Err(value),
        (None, Some(Range::Integer(info))) => Ok(info),
        _ => Ok(whole),
    };
    Some(match (part(lhs), part(rhs)) {
        (Ok(a), Ok(b)) if a.signed == b.signed => {
            if a.bits > b.bits {
                a
            } else {
                b
            }
        }
        (Ok(a), Err(value)) | (Err(value), Ok(a)) if integers::fits(value, a) => a,
        _ => whole,
    })
}

/// The operands of arithmetic that has to be looked at operand by operand.
fn operands_that_count<'a>(expr: ExprRef<'a>) -> Option<Vec<ExprRef<'a>>> {
    match expr.kind {
        ExprKind::Binary { op: BinaryOp::Shl | BinaryOp::Shr, lhs, .. } => Some(vec![lhs]),
        ExprKind::Binary { op, lhs, rhs } if !op.is_comparison() => Some(vec![lhs, rhs]),
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Not, operand } => Some(vec![operand]),
        _ => None,
    }
}

/// An operand of arithmetic does not fit by itself.
fn changes_alone<'a>(cx: &Sema<'_, 'a>, operand: ExprRef<'a>, target: Range) -> bool {
    let mut work = vec![operand];
    let mut left = MAX_OPERANDS;
    while let Some(operand) = work.pop() {
        left -= 1;
        let changes = match (operand.kind, fold::constant_of(operand), target) {
            _ if left == 0 => false,
            // A constant that fits the type with either sign is no loss of bits.
            (_, Some(fold::Constant::Int(value)), Range::Integer(info)) => {
                !integers::fits(value, info) && !integers::fits(value, IntInfo { signed: !info.signed, ..info })
            }
            (_, Some(_), _) => false,
            (ExprKind::Conditional { then, els, .. }, ..) => {
                work.extend([then, els]);
                false
            }
            (ExprKind::Binary { op: BinaryOp::Shl | BinaryOp::Shr, lhs, .. }, ..) => {
                work.push(lhs);
                false
            }
            _ => change(cx, operand, target).is_some(),
        };
        if changes {
            return true;
        }
    }
    false
}
