//! Integer overflow, division by zero, shifts by too much, floating values that no integer holds.

use std::cell::Cell;

use ir::{FloatCc, IntCc, Opcode, Value};
use platform::options::{Sanitizers, Standard};
use smallvec::smallvec;

use super::{Check, Field, place_of, report_if, types};
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::lower::vectors;
use crate::tree::*;

/// Arithmetic on integer values of type `ty`, if it is checked so that it has to be done here.
/// Other operators are checked, and done by the caller.
pub fn binary(
    fx: &mut Fx<'_, '_>,
    e: ExprRef<'_>,
    op: BinaryOp,
    operands: (Ty, Ty),
    a: Value,
    b: Value,
) -> Option<Value> {
    let (ty, rhs_ty) = operands;
    if fx.ty(a).is_float() {
        if op == BinaryOp::Div && super::on(fx, Sanitizers::FLOAT_DIVIDE) {
            float_division(fx, e, ty, a, b);
        }
        return None;
    }
    if !fx.ty(a).is_int() || matches!(fx.types().kind(ty), TypeKind::BitInt { .. }) {
        return None;
    }
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if super::on(fx, Sanitizers::OVERFLOW) => {
            let how = overflow_of(op).filter(|_| checks_overflow(fx, ty))?;
            Some(overflow(fx, e, ty, how, a, b))
        }
        BinaryOp::Div | BinaryOp::Rem if super::on(fx, Sanitizers::DIVIDE.with(Sanitizers::OVERFLOW)) => {
            division(fx, e, ty, a, b);
            None
        }
        BinaryOp::Shl | BinaryOp::Shr if super::on(fx, Sanitizers::SHIFT) => {
            shift(fx, e, op, (ty, rhs_ty), a, b);
            None
        }
        _ => None,
    }
}

/// Whether an integer division whose result nobody wants is checked: it is not done then, so that
/// what was reported does not end the program.
pub fn division_only_checked(fx: &Fx<'_, '_>, op: BinaryOp, lhs: ExprRef<'_>) -> bool {
    matches!(op, BinaryOp::Div | BinaryOp::Rem)
        && super::on(fx, Sanitizers::DIVIDE.with(Sanitizers::OVERFLOW))
        && matches!(fx.types().kind(lhs.ty.ty()), TypeKind::Int(_))
}

/// Overflow of the type is undefined, and its values fill the register.
fn checks_overflow(fx: &Fx<'_, '_>, ty: Ty) -> bool {
    fx.types().is_signed(ty) && !fx.options.codegen.wrapv
}

fn overflow(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, ty: Ty, how: (Opcode, &'static str), a: Value, b: Value) -> Value {
    let (opcode, handler) = how;
    if let Some(value) = folded(fx, opcode, a, b) {
        return value;
    }
    let (value, overflowed) = fx.b().overflow(opcode, a, b);
    let loc = place_of(fx, e);
    report_if(fx, Check::new(Sanitizers::OVERFLOW, handler), &[overflowed], |fx| {
        let descriptor = types::value(fx, ty);
        (smallvec![Field::Loc(loc), Field::Type(descriptor)], smallvec![a, b])
    });
    value
}

/// The result of constants that does not overflow.
fn folded(fx: &mut Fx<'_, '_>, opcode: Opcode, a: Value, b: Value) -> Option<Value> {
    let ty = fx.ty(a);
    let (x, y) = (fx.const_int(a)?, fx.const_int(b)?);
    let (bits, overflowed) = ir::fold::overflow(opcode, ty, x, y)?;
    (!overflowed).then(|| fx.func.bits_const(ty, bits))
}

/// `-v` of a signed integer type, if it is checked.
pub fn negate(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, ty: Ty, v: Value) -> Option<Value> {
    let checked = super::on(fx, Sanitizers::OVERFLOW) && fx.ty(v).is_int() && checks_overflow(fx, ty);
    if !checked || matches!(fx.types().kind(ty), TypeKind::BitInt { .. }) {
        return None;
    }
    let zero = fx.iconst(fx.func.value_type(v), 0);
    if let Some(value) = folded(fx, Opcode::SSubOverflow, zero, v) {
        return Some(value);
    }
    let (value, overflowed) = fx.b().overflow(Opcode::SSubOverflow, zero, v);
    let loc = place_of(fx, e);
    report_if(fx, Check::new(Sanitizers::OVERFLOW, "negate_overflow"), &[overflowed], |fx| {
        let descriptor = types::value(fx, ty);
        (smallvec![Field::Loc(loc), Field::Type(descriptor)], smallvec![v])
    });
    Some(value)
}

/// `a op b` on vectors of type `ty`, `-b` without an `a`: the first lane that overflows is
/// reported.
pub fn lanes(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, op: BinaryOp, ty: Ty, a: Option<Rvalue>, b: Rvalue) {
    let (elem, _) = vectors::lanes(fx, ty);
    if !super::on(fx, Sanitizers::OVERFLOW) || !fx.types().is_integer(elem) || !checks_overflow(fx, elem) {
        return;
    }
    let Some((opcode, handler)) = overflow_of(op) else { return };
    let right = vectors::to_lanes(fx, b, ty);
    let left = a.map(|a| vectors::to_lanes(fx, a, ty));
    let mut first: Option<[Value; 3]> = None;
    for (index, &y) in right.iter().enumerate() {
        let x = match &left {
            Some(left) => left[index],
            None => fx.iconst(fx.func.value_type(y), 0),
        };
        let (_, bad) = fx.b().overflow(opcode, x, y);
        first = Some(match first {
            None => [bad, x, y],
            Some([found, before_x, before_y]) => {
                let x = fx.b().select(found, before_x, x);
                let y = fx.b().select(found, before_y, y);
                [fx.int_op(Opcode::Or, 0, found, bad), x, y]
            }
        });
    }
    let Some([bad, x, y]) = first else { return };
    let handler = if left.is_some() { handler } else { "negate_overflow" };
    let loc = place_of(fx, e);
    report_if(fx, Check::new(Sanitizers::OVERFLOW, handler), &[bad], |fx| {
        let descriptor = types::value(fx, elem);
        let values = if left.is_some() { smallvec![x, y] } else { smallvec![y] };
        (smallvec![Field::Loc(loc), Field::Type(descriptor)], values)
    });
}

/// How the overflow of an operator is found, and the handler that reports it.
fn overflow_of(op: BinaryOp) -> Option<(Opcode, &'static str)> {
    Some(match op {
        BinaryOp::Add => (Opcode::SAddOverflow, "add_overflow"),
        BinaryOp::Sub => (Opcode::SSubOverflow, "sub_overflow"),
        BinaryOp::Mul => (Opcode::SMulOverflow, "mul_overflow"),
        _ => return None,
    })
}

fn division(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, ty: Ty, a: Value, b: Value) {
    let by_zero = super::on(fx, Sanitizers::DIVIDE).then(|| fx.icmp_imm(IntCc::Eq, b, 0));
    let overflows = (super::on(fx, Sanitizers::OVERFLOW) && fx.types().is_signed(ty)).then(|| {
        let width = fx.ty(a);
        let least = fx.func.bits_const(width, 1 << (width.bits() - 1));
        let is_least = fx.icmp(IntCc::Eq, a, least);
        let is_minus_one = fx.icmp_imm(IntCc::Eq, b, -1);
        fx.int_op(Opcode::And, 0, is_least, is_minus_one)
    });
    // One object for both checks, as in gcc: the second report of a place has no column.
    let made = Cell::new(None);
    let describe = |fx: &mut Fx<'_, '_>| {
        let object = made.get().unwrap_or_else(|| {
            let descriptor = types::value(fx, ty);
            super::data(fx, &[Field::Loc(e.loc), Field::Type(descriptor)])
        });
        made.set(Some(object));
        (smallvec![Field::Made(object)], smallvec![a, b])
    };
    let recover = fx.options.sanitize.recover;
    let alike = recover.any(Sanitizers::DIVIDE) == recover.any(Sanitizers::OVERFLOW);
    let zero = Check::new(Sanitizers::DIVIDE, "divrem_overflow");
    let large = Check::new(Sanitizers::OVERFLOW, "divrem_overflow");
    match (by_zero, overflows) {
        (Some(first), Some(second)) if alike => report_if(fx, zero, &[first, second], describe),
        (first, second) => {
            if let Some(first) = first {
                report_if(fx, zero, &[first], describe);
            }
            if let Some(second) = second {
                report_if(fx, large, &[second], describe);
            }
        }
    }
}

fn float_division(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, ty: Ty, a: Value, b: Value) {
    if fx.types().decimal_format(ty).is_some() {
        return;
    }
    let (_, divisor) = crate::lower::operators::widen_half(fx, b, b);
    let zero = fx.zero(fx.func.value_type(divisor));
    let is_zero = fx.fcmp(FloatCc::Oeq, false, divisor, zero);
    report_if(fx, Check::new(Sanitizers::FLOAT_DIVIDE, "divrem_overflow"), &[is_zero], |fx| {
        let descriptor = types::value(fx, ty);
        (smallvec![Field::Loc(e.loc), Field::Type(descriptor)], smallvec![a, b])
    });
}

/// Shifts (C17 6.5.7): by less than the width, not by a negative number; a left shift of a signed
/// value loses no bit from C99 on.
fn shift(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, op: BinaryOp, operands: (Ty, Ty), a: Value, b: Value) {
    let (ty, count_ty) = operands;
    let (width, count) = (fx.ty(a), fx.ty(b));
    if !count.is_int() {
        return;
    }
    let last = fx.iconst(count, width.bits() as i64 - 1);
    let beyond = fx.icmp(IntCc::Ugt, b, last);
    let exponent = super::on(fx, Sanitizers::SHIFT_EXPONENT);
    let loses = op == BinaryOp::Shl
        && super::on(fx, Sanitizers::SHIFT_BASE)
        && checks_overflow(fx, ty)
        && fx.options.language.standard >= Standard::C99;
    let describe = |fx: &mut Fx<'_, '_>| {
        let (left, right) = (types::value(fx, ty), types::value(fx, count_ty));
        (smallvec![Field::Loc(e.loc), Field::Type(left), Field::Type(right)], smallvec![a, b])
    };
    let by_exponent = Check::new(Sanitizers::SHIFT_EXPONENT, "shift_out_of_bounds");
    let by_base = Check::new(Sanitizers::SHIFT_BASE, "shift_out_of_bounds");
    if !loses {
        // gcc checks the exponent here whichever of the two is asked for.
        return report_if(fx, by_exponent, &[beyond], describe);
    }
    let rest = fx.int_op(Opcode::Sub, 0, last, b);
    let rest = fx.int_cast(rest, width, false);
    // Beyond the width the shift means nothing; its result is not looked at.
    let mask = fx.iconst(width, width.bits() as i64 - 1);
    let rest = fx.int_op(Opcode::And, 0, rest, mask);
    let lost = fx.int_op(Opcode::LShr, 0, a, rest);
    let lost = fx.icmp_imm(IntCc::Ne, lost, 0);
    let recover = fx.options.sanitize.recover;
    let alike = recover.any(Sanitizers::SHIFT_EXPONENT) == recover.any(Sanitizers::SHIFT_BASE);
    let within = fx.icmp(IntCc::Ule, b, last);
    if exponent && alike {
        return report_if(fx, by_exponent, &[beyond, lost], describe);
    }
    if exponent {
        report_if(fx, by_exponent, &[beyond], describe);
    }
    let lost = fx.int_op(Opcode::And, 0, lost, within);
    report_if(fx, by_base, &[lost], describe);
}

/// A conversion of a floating value to the integer type `to` (C17 6.3.1.4): only what is less than
/// one beyond the type's ends fits after truncation.
pub fn float_cast(fx: &mut Fx<'_, '_>, v: Value, from: Ty, to: Ty) {
    // gcc knows no place of variables.
    let loc = if fx.source_is_variable { fx.statement_loc } else { fx.loc };
    let Some(info) = fx.types().int_info(to) else { return };
    let format = fx.ty(v);
    let (wide, _) = crate::lower::operators::widen_half(fx, v, v);
    let ty = fx.ty(wide);
    let (low, high) = limits(ty, info.bits, info.signed, format == ir::Type::F16);
    let (low, high) = (fx.func.bits_const(ty, low), fx.func.bits_const(ty, high));
    let below = fx.fcmp(FloatCc::Ule, false, wide, low);
    let above = fx.fcmp(FloatCc::Uge, false, wide, high);
    report_if(fx, Check::new(Sanitizers::FLOAT_CAST, "float_cast_overflow"), &[below, above], |fx| {
        let (source, target) = (types::value(fx, from), types::value(fx, to));
        (smallvec![Field::Loc(loc), Field::Type(source), Field::Type(target)], smallvec![v])
    });
}

/// Bits, in the format of `ty`, of the greatest value too small and the least too large for an
/// integer of `bits` bits.
fn limits(ty: ir::Type, bits: u32, signed: bool, half: bool) -> (u128, u128) {
    let power = |exponent: u32| power_of_two(ty, exponent as i32, half);
    let high = power(bits - u32::from(signed));
    if !signed {
        return (negative(ty, power(0)), high);
    }
    // The number before -2^(bits-1) - 1, or that one itself where the format has it.
    let magnitude = power(bits - 1);
    let precision = if half { 11 } else { precision(ty) };
    let low = if half && bits > 16 {
        magnitude
    } else if bits > precision {
        // One unit in the last place of the magnitude: the next number away from zero.
        magnitude + if half { 1 << 13 } else { 1 }
    } else {
        plus_one(ty, magnitude, bits - 1)
    };
    (negative(ty, low), high)
}

/// Bits of precision of a binary format.
fn precision(ty: ir::Type) -> u32 {
    match ty {
        ir::Type::F32 => 24,
        ir::Type::F64 => 53,
        ir::Type::F80 => 64,
        _ => 113,
    }
}

/// Width of the stored fraction (with the x87 format's explicit bit), and the exponent's bias.
fn layout(ty: ir::Type) -> (u32, i32) {
    match ty {
        ir::Type::F32 => (23, 127),
        ir::Type::F64 => (52, 1023),
        ir::Type::F80 => (64, 16383),
        _ => (112, 16383),
    }
}

/// 2^exponent; infinity where the format (binary16 within binary32 for `half`) has it not.
fn power_of_two(ty: ir::Type, exponent: i32, half: bool) -> u128 {
    let (fraction, bias) = layout(ty);
    let explicit = if ty == ir::Type::F80 { 1u128 << 63 } else { 0 };
    let largest = if half { 15 } else { bias };
    let exponent = if exponent > largest { bias + 1 } else { exponent };
    ((exponent + bias) as u128) << fraction | explicit
}

/// 2^exponent + 1 from the bits of 2^exponent.
fn plus_one(ty: ir::Type, power: u128, exponent: u32) -> u128 {
    let (fraction, _) = layout(ty);
    let fraction = if ty == ir::Type::F80 { 63 } else { fraction };
    if exponent == 0 {
        return power_of_two(ty, 1, false);
    }
    power | 1u128 << (fraction - exponent)
}

fn negative(ty: ir::Type, bits: u128) -> u128 {
    bits | 1u128 << (ty.bits() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(bits: u128) -> f64 {
        f64::from_bits(bits as u64)
    }

    #[test]
    fn limits_are_just_outside() {
        let (low, high) = limits(ir::Type::F64, 32, true, false);
        assert_eq!((double(low), double(high)), (-2147483649.0, 2147483648.0));
        let (low, high) = limits(ir::Type::F64, 64, true, false);
        assert_eq!((double(low), double(high)), (-9223372036854777856.0, 9223372036854775808.0));
        let (low, high) = limits(ir::Type::F64, 8, false, false);
        assert_eq!((double(low), double(high)), (-1.0, 256.0));
        let (low, _) = limits(ir::Type::F32, 32, true, false);
        assert_eq!(f32::from_bits(low as u32), -2147483904.0);
    }
}
