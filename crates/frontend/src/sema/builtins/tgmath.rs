//! `__builtin_tgmath`: type-generic math (gcc manual, "Other Builtins"; C23 7.27).
//!
//! The leading arguments are pointers to functions that differ in one floating type, real or complex; the rest are the
//! call's arguments. The function called is the one whose type is the common type of the generic arguments, integers
//! counting as `double`.

use base::Loc;

use crate::sema::{Sema, calls, conversions};
use crate::tree::{ExprRef, QualType, Ty, TypeKind};

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
    let mut common: Option<Ty> = None;
    for &index in &generic {
        let ty = operands[index].ty.ty();
        let ty = match cx.kind(ty) {
            TypeKind::Float(_) => cx.types().canonical(ty),
            TypeKind::Complex(part) if cx.types().is_floating(part) => cx.types().canonical(ty),
            _ if cx.types().is_integer(ty) => Ty::DOUBLE,
            _ => {
                cx.error(loc, format!("invalid type of argument {} to type-generic function", index + 1));
                return cx.error_expr(loc);
            }
        };
        common = Some(match common {
            None => ty,
            Some(other) => conversions::common_arithmetic(cx, other, ty),
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
        // A real argument for a function that is complex only.
        None => matches(cx, complex),
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
