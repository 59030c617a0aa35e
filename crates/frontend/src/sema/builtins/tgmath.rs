//! `__builtin_tgmath`: type-generic math (gcc manual, "Other Builtins"; C23 7.27).
//!
//! The leading arguments are pointers to functions that differ in one floating type, real or
//! complex; the rest are the call's arguments. The function called is the one whose type is the
//! common type of the generic arguments, integers counting as `double`, or as `_Decimal64` beside a
//! decimal argument.

use base::Loc;

use crate::sema::{Sema, calls, conversions};
use crate::tree::{ExprRef, FloatKind, QualType, Ty, TypeKind};

/// Chooses a function and calls it.
pub fn call<'a>(cx: &mut Sema<'_, 'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    let values: Vec<ExprRef<'a>> = args.iter().map(|a| conversions::rvalue(cx, a)).collect();
    if values.iter().any(|v| v.is_error()) {
        return cx.error_expr(loc);
    }
    let functions = values.iter().take_while(|v| cx.types().signature_of(v.ty.ty()).is_some()).count();
    let first: Vec<QualType> = match values.first().and_then(|f| cx.types().signature_of(f.ty.ty())) {
        Some(s) => s.params.to_vec(),
        None => {
            cx.error(loc, "first argument of '__builtin_tgmath' must be a function pointer");
            return cx.error_expr(loc);
        }
    };
    let operands = &values[functions..];
    if operands.len() != first.len() || functions < 2 {
        cx.error(loc, "wrong number of arguments in call to '__builtin_tgmath'");
        return cx.error_expr(loc);
    }
    // Parameters that differ between the functions are the generic ones.
    let parameter = |cx: &Sema<'_, 'a>, f: usize, index: usize| {
        cx.types().signature_of(values[f].ty.ty()).and_then(|s| s.params.get(index).copied()).map(|q| q.ty())
    };
    let generic: Vec<usize> =
        (0..first.len()).filter(|&i| (1..functions).any(|f| parameter(cx, f, i) != parameter(cx, 0, i))).collect();
    let is_decimal = |cx: &Sema<'_, 'a>, ty: Ty| cx.types().decimal_format(ty).is_some();
    let integer = match generic.iter().any(|&index| is_decimal(cx, operands[index].ty.ty())) {
        true => Ty::DECIMAL64,
        false => integer_type(cx, &values[..functions], generic.first().copied()),
    };
    let mut common: Option<Ty> = None;
    for &index in &generic {
        let ty = operands[index].ty.ty();
        let ty = match cx.kind(ty) {
            TypeKind::Float(_) => cx.types().canonical(ty),
            TypeKind::Complex(part) if cx.types().is_floating(part) => cx.types().canonical(ty),
            TypeKind::Complex(_) => cx.unit.types.complex_of(integer),
            _ if cx.types().is_integer(ty) => integer,
            _ => {
                cx.error(loc, format!("invalid type of argument {} to type-generic function", index + 1));
                return cx.error_expr(loc);
            }
        };
        common = Some(match common {
            None => ty,
            Some(other) => match conversions::mixed_radix(cx, other, ty) {
                Some(message) => {
                    cx.error(loc, message);
                    return cx.error_expr(loc);
                }
                None => conversions::common_arithmetic(cx, other, ty),
            },
        });
    }
    let common = common.unwrap_or(Ty::DOUBLE);
    let matches = |cx: &Sema<'_, 'a>, wanted: Ty| {
        (0..functions).find(|&f| generic.first().is_some_and(|&i| parameter(cx, f, i) == Some(wanted)))
    };
    let part = match cx.kind(common) {
        TypeKind::Complex(part) => part,
        _ => common,
    };
    let complex = cx.unit.types.complex_of(part);
    let chosen = match matches(cx, common) {
        Some(f) => Some(f),
        // A real argument for a function that is complex only; or for one that rounds a wider
        // type's result to a narrower one.
        None => matches(cx, complex).or_else(|| {
            let format = |ty: Ty| cx.types().float_kind(ty).map(|kind| kind.format());
            let parameters = (0..functions).filter_map(|f| {
                let ty = parameter(cx, f, *generic.first()?)?;
                let radix = is_decimal(cx, ty) == is_decimal(cx, common);
                Some((format(ty)?, f)).filter(|&(wider, _)| radix && format(common).is_some_and(|own| own <= wider))
            });
            parameters.min().map(|(_, f)| f)
        }),
    };
    match chosen {
        Some(f) => calls::plain_call(cx, values[f], operands, loc),
        None => {
            let ty = cx.tname(common);
            cx.error(loc, format!("no matching function for type-generic call with type {ty}"));
            cx.error_expr(loc)
        }
    }
}

/// What integers count as: `double`; for functions of decimal arguments only `_Decimal64`; for
/// functions that all round to one type of TS 18661-3, `_Float64` or `_Float32x`.
fn integer_type(cx: &Sema<'_, '_>, functions: &[ExprRef<'_>], generic: Option<usize>) -> Ty {
    let decimal = |f: &ExprRef<'_>| {
        let parameter = cx.types().signature_of(f.ty.ty()).and_then(|s| s.params.get(generic?).copied());
        parameter.is_some_and(|ty| cx.types().decimal_format(ty.ty()).is_some())
    };
    if functions.iter().all(decimal) {
        return Ty::DECIMAL64;
    }
    let result = |f: &ExprRef<'_>| cx.types().signature_of(f.ty.ty()).map(|s| cx.types().canonical(s.ret.ty()));
    let first = functions.first().and_then(result);
    if functions.iter().any(|f| result(f) != first) {
        return Ty::DOUBLE;
    }
    match first.and_then(|ty| cx.types().float_kind(ty)) {
        Some(FloatKind::Float32x | FloatKind::Float64x) => Ty::FLOAT32X,
        Some(FloatKind::Float16 | FloatKind::Float32 | FloatKind::Float64 | FloatKind::Float128) => Ty::FLOAT64,
        _ => Ty::DOUBLE,
    }
}
