//! Values that must not be: null where attributes exclude it, truth values other than 0 and 1,
//! lengths of arrays that are not positive, zero for builtins that count from a set bit.

use base::Loc;
use ir::{IntCc, Type, Value};
use platform::options::Sanitizers;
use smallvec::smallvec;

use super::{Check, Field, place_of, report, report_if, types};
use crate::lower::function::Fx;
use crate::lower::place::Rvalue;
use crate::lower::{bit_int, expressions};
use crate::tree::*;

/// `__builtin_unreachable()`, in place of what it means otherwise.
pub fn unreachable(fx: &mut Fx<'_, '_>) {
    if super::on(fx, Sanitizers::UNREACHABLE) {
        let loc = fx.loc;
        report(fx, Check::new(Sanitizers::UNREACHABLE, "builtin_unreachable"), |_| {
            (smallvec![Field::Loc(loc)], smallvec![])
        });
    }
}

/// The value of an lvalue of type `_Bool` in memory, at the expression `e` that reads it.
pub fn truth_value(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, lvalue: ExprRef<'_>, value: Rvalue) {
    let Rvalue::Scalar(value) = value else { return };
    if !super::on(fx, Sanitizers::BOOL)
        || fx.types().kind(lvalue.ty.ty()) != TypeKind::Bool
        || lvalue.cat == Category::BitField
        || fx.ty(value) != Type::I8
        || is_register(fx, lvalue)
    {
        return;
    }
    let bad = fx.icmp_imm(IntCc::Ugt, value, 1);
    let loc = access_place(fx, e, lvalue);
    report_if(fx, Check::new(Sanitizers::BOOL, "load_invalid_value"), &[bad], |fx| {
        let descriptor = types::value(fx, Ty::BOOL);
        let wide = fx.int_cast(value, Type::I64, false);
        (smallvec![Field::Loc(loc), Field::Type(descriptor)], smallvec![wide])
    });
}

/// Where a load of `lvalue` by `e` is said to be.
pub fn access_place(fx: &Fx<'_, '_>, e: ExprRef<'_>, lvalue: ExprRef<'_>) -> Loc {
    match place_of(fx, e) {
        loc if loc != e.loc => loc,
        _ => lvalue.loc,
    }
}

/// A local scalar that lives in a register in gcc: no load reads it.
pub fn is_register(fx: &Fx<'_, '_>, lvalue: ExprRef<'_>) -> bool {
    lvalue.decl().is_some_and(|decl| is_register_variable(fx, decl))
}

/// See [`is_register`].
pub fn is_register_variable(fx: &Fx<'_, '_>, decl: DeclId) -> bool {
    let info = &fx.unit.decls[decl];
    info.duration == StorageDuration::Automatic
        && !info.flags.has(DeclFlags::ADDRESS_TAKEN)
        && !info.flags.has(DeclFlags::CAPTURED)
        && !info.ty.quals().is_volatile()
        && fx.types().is_scalar(info.ty.ty())
}

/// Arguments of a call of `decl` at `loc` that its attribute `nonnull` speaks of: bit n of `which`
/// for number n from zero.
pub fn arguments(fx: &mut Fx<'_, '_>, which: u64, loc: Loc, types: &[Ty], values: &[Rvalue]) {
    for (index, (&ty, &value)) in types.iter().zip(values).enumerate().take(64) {
        let Rvalue::Scalar(value) = value else { continue };
        if which >> index & 1 == 0 || !fx.types().is_pointer(ty) || fx.func.const_symbol(value).is_some() {
            continue;
        }
        let bad = fx.icmp_imm(IntCc::Eq, value, 0);
        report_if(fx, Check::new(Sanitizers::NONNULL, "nonnull_arg"), &[bad], |_| {
            let number = Field::Int(index as u32 + 1);
            (smallvec![Field::Loc(loc), Field::Loc(Loc::NONE), number], smallvec![])
        });
    }
}

/// The result of a function with the attribute `returns_nonnull`, returned at `loc`.
pub fn result(fx: &mut Fx<'_, '_>, value: Value, loc: Loc) {
    let promised = fx.unit.attrs(fx.def.decl).is_some_and(|a| a.flags.has(AttrFlags::RETURNS_NONNULL));
    if !promised || !super::on(fx, Sanitizers::RETURNS_NONNULL) || !fx.ty(value).is_ptr() {
        return;
    }
    let bad = fx.icmp_imm(IntCc::Eq, value, 0);
    report_if(fx, Check::new(Sanitizers::RETURNS_NONNULL, "nonnull_return_v1"), &[bad], |fx| {
        // The attribute's place comes first; where the return stands is a datum of its own.
        let place = super::data(fx, &[Field::Loc(loc)]);
        let place = fx.func.symbol_const(place, 0);
        (smallvec![Field::Loc(Loc::NONE)], smallvec![place])
    });
}

/// The length of an array, as it was before its conversion to `size_t`: at the declaration `loc`.
pub fn array_length(fx: &mut Fx<'_, '_>, len: ExprRef<'_>, loc: Loc) -> Option<Value> {
    let ExprKind::Cast { kind: CastKind::Integral, operand } = len.kind else { return None };
    if !super::on(fx, Sanitizers::VLA_BOUND) || !fx.types().is_integer(operand.ty.ty()) {
        return None;
    }
    let ty = operand.ty.ty();
    if bit_int::is_wide(fx, ty) {
        return None;
    }
    let signed = fx.types().is_signed(ty);
    let value = expressions::scalar(fx, operand);
    if !fx.ty(value).is_int() {
        return None;
    }
    let bad = fx.icmp_imm(if signed { IntCc::Sle } else { IntCc::Eq }, value, 0);
    report_if(fx, Check::new(Sanitizers::VLA_BOUND, "vla_bound_not_positive"), &[bad], |fx| {
        let descriptor = types::value(fx, ty);
        (smallvec![Field::Loc(loc), Field::Type(descriptor)], smallvec![value])
    });
    Some(fx.int_cast(value, Type::I64, signed))
}

/// `__builtin_ctz` (libubsan's number 0) and `__builtin_clz` (1) of zero.
pub fn bit_count(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, value: Value, is_clz: bool) {
    if !super::on(fx, Sanitizers::BUILTIN) {
        return;
    }
    let bad = fx.icmp_imm(IntCc::Eq, value, 0);
    let loc = place_of(fx, e);
    report_if(fx, Check::new(Sanitizers::BUILTIN, "invalid_builtin"), &[bad], |_| {
        (smallvec![Field::Loc(loc), Field::Byte(u8::from(is_clz))], smallvec![])
    });
}
