//! Floating-point builtins: classification, quiet comparisons, infinities, NaNs, parts of complex
//! values. Folded for constants, as static initialisers and `-O0` code rely on.

use base::Loc;

use super::{Entry, check_count, convert_args, node, signature};
use crate::sema::constants::floats::{self, Classified};
use crate::sema::constants::fold::{self, Constant};
use crate::sema::expressions::{primary, unary};
use crate::sema::{Sema, calls, conversions};
use crate::tree::{Builtin, DeclFlags, DeclId, ExprFlags, ExprKind, ExprRef, Ty, UnaryOp};

/// Arguments as floating rvalues; reports others.
fn real_args<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<Vec<ExprRef<'a>>> {
    let mut out = Vec::new();
    for &arg in args {
        let value = conversions::rvalue(cx, arg);
        if value.is_error() {
            return None;
        }
        if !cx.types().is_floating(value.ty.ty()) && !cx.types().is_integer(value.ty.ty()) {
            let name = cx.dname(callee);
            cx.error(loc, format!("non-floating-point argument in call to function {name}"));
            return None;
        }
        out.push(value);
    }
    Some(out)
}

/// The floating parameter that the program's own prototype of a classifying function gives it (`int
/// signbit(double)`).
fn declared_parameter(cx: &Sema<'_, '_>, callee: DeclId) -> Option<Ty> {
    let decl = &cx.unit.decls[callee];
    if decl.flags.has(DeclFlags::BUILTIN_DECL) || decl.flags.has(DeclFlags::IMPLICIT) {
        return None;
    }
    let signature = cx.types().signature_of(decl.ty.ty())?;
    let param = signature.params.first().filter(|_| signature.prototype)?.ty();
    cx.types().is_floating(param).then_some(param)
}

/// `__builtin_isnan(x)` and the like.
pub fn predicate<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return cx.error_expr(loc);
    }
    let Some(mut args) = real_args(cx, callee, args, loc) else { return cx.error_expr(loc) };
    if !cx.types().is_floating(args[0].ty.ty())
        && let Some(declared) = declared_parameter(cx, callee)
    {
        args[0] = conversions::convert(cx, args[0], declared);
    }
    let arg = args[0];
    if !cx.types().is_floating(arg.ty.ty()) {
        let name = cx.dname(callee);
        cx.error(loc, format!("non-floating-point argument in call to function {name}"));
        return cx.error_expr(loc);
    }
    if let Some(Constant::Float(bits)) = fold::constant_of(arg)
        && let Some(format) = fold::format_of(cx, arg.ty.ty())
    {
        let class = floats::classify(bits, format);
        let negative = floats::sign_bit(bits, format);
        let value = match builtin {
            Builtin::IsNan => (class == Classified::Nan) as i128,
            Builtin::IsInf => (class == Classified::Infinite) as i128,
            Builtin::IsInfSign if class == Classified::Infinite => 1 - 2 * negative as i128,
            Builtin::IsInfSign => 0,
            Builtin::IsFinite => !matches!(class, Classified::Nan | Classified::Infinite) as i128,
            Builtin::IsNormal => (class == Classified::Normal) as i128,
            Builtin::SignBit => negative as i128,
            _ => return node(cx, builtin, &args, Ty::INT, loc),
        };
        return cx.int(value, Ty::INT, loc, ExprFlags::CONSTANT);
    }
    node(cx, builtin, &args, Ty::INT, loc)
}

/// `__builtin_isgreater(x, y)` and the like.
pub fn compare<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    if !check_count(cx, callee, args, 2, 2, loc) {
        return cx.error_expr(loc);
    }
    let Some(args) = real_args(cx, callee, args, loc) else { return cx.error_expr(loc) };
    if !args.iter().any(|a| cx.types().is_floating(a.ty.ty())) {
        let name = cx.dname(callee);
        cx.error(loc, format!("non-floating-point arguments in call to function {name}"));
        return cx.error_expr(loc);
    }
    let (a, b, ty) = conversions::operands(cx, args[0], args[1], true, loc);
    if ty == Ty::ERROR {
        return a;
    }
    if let (Some(Constant::Float(x)), Some(Constant::Float(y)), Some(format)) =
        (fold::constant_of(a), fold::constant_of(b), fold::format_of(cx, a.ty.ty()))
    {
        use std::cmp::Ordering::*;
        let order = floats::compare(x, y, format);
        let value = match builtin {
            Builtin::IsGreater => order == Some(Greater),
            Builtin::IsGreaterEqual => matches!(order, Some(Greater | Equal)),
            Builtin::IsLess => order == Some(Less),
            Builtin::IsLessEqual => matches!(order, Some(Less | Equal)),
            Builtin::IsLessGreater => matches!(order, Some(Less | Greater)),
            _ => order.is_none(),
        };
        return cx.int(value as i128, Ty::INT, loc, ExprFlags::CONSTANT);
    }
    node(cx, builtin, &[a, b], Ty::INT, loc)
}

/// `__builtin_fpclassify(nan, inf, normal, subnormal, zero, x)`
pub fn fpclassify<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    if !check_count(cx, callee, args, 6, 6, loc) {
        return cx.error_expr(loc);
    }
    let mut out = Vec::new();
    for (index, &arg) in args[..5].iter().enumerate() {
        let value = conversions::rvalue(cx, arg);
        if !cx.types().is_integer(value.ty.ty()) {
            let name = cx.dname(callee);
            cx.error(arg.loc, format!("non-const integer argument {} in call to function {name}", index + 1));
            return cx.error_expr(loc);
        }
        out.push(conversions::convert(cx, value, Ty::INT));
    }
    let value = conversions::rvalue(cx, args[5]);
    if !cx.types().is_floating(value.ty.ty()) {
        let name = cx.dname(callee);
        cx.error(loc, format!("non-floating-point argument in call to function {name}"));
        return cx.error_expr(loc);
    }
    if let (Some(Constant::Float(bits)), Some(format)) = (fold::constant_of(value), fold::format_of(cx, value.ty.ty()))
    {
        return match floats::classify(bits, format) {
            Classified::Nan => out[0],
            Classified::Infinite => out[1],
            Classified::Normal => out[2],
            Classified::Subnormal => out[3],
            Classified::Zero => out[4],
        };
    }
    out.push(value);
    node(cx, Builtin::Fpclassify, &out, Ty::INT, loc)
}

/// `__builtin_inf()`, `__builtin_huge_val()`
pub fn infinity<'a>(cx: &mut Sema<'_, 'a>, ty: Ty, loc: Loc) -> ExprRef<'a> {
    let Some(format) = fold::format_of(cx, ty) else { return cx.error_expr(loc) };
    let flags = ExprFlags::CONSTANT.with(ExprFlags::ICE);
    fold::make(cx, Constant::Float(floats::infinity(format)), ty, loc, flags)
}

/// `__builtin_nan("digits")`, and the library's `nan`, which is no constant expression but folded
/// like one: for a literal, otherwise a call of `nan`.
pub fn nan<'a>(
    cx: &mut Sema<'_, 'a>,
    ty: Ty,
    signaling: bool,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return cx.error_expr(loc);
    }
    let Some(format) = fold::format_of(cx, ty) else { return cx.error_expr(loc) };
    let mut arg = args[0];
    while let ExprKind::Cast { operand, .. } = arg.kind {
        arg = operand;
    }
    if let ExprKind::String(lit) = arg.kind
        && lit.elem_size == 1
        && let Some(payload) = nan_payload(lit.bytes.split_last().map_or(&[][..], |(_, text)| text))
    {
        let prefixed = cx.unit.decls[callee].name.is_some_and(|name| cx.str(name).starts_with("__builtin_"));
        let flags = if prefixed { ExprFlags::CONSTANT.with(ExprFlags::ICE) } else { ExprFlags::default() };
        return fold::make(cx, Constant::Float(floats::nan(format, payload, signaling)), ty, loc, flags);
    }
    call_nan(cx, ty, signaling, args, loc)
}

/// A call of the C library's function of the type.
fn call_nan<'a>(cx: &mut Sema<'_, 'a>, ty: Ty, signaling: bool, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    let name = match ty {
        Ty::FLOAT => "nanf",
        Ty::DOUBLE => "nan",
        Ty::LONG_DOUBLE => "nanl",
        Ty::FLOAT128 => "nanf128",
        Ty::FLOAT64 => "nanf64",
        Ty::FLOAT32 => "nanf32",
        Ty::FLOAT32X => "nanf32x",
        Ty::FLOAT64X => "nanf64x",
        Ty::DECIMAL32 => "nand32",
        Ty::DECIMAL64 => "nand64",
        Ty::DECIMAL128 => "nand128",
        _ => "",
    };
    // There is no function for signalling ones, here as in gcc: the program has to bring one.
    let name = if signaling { name.replacen("nan", "nans", 1) } else { name.to_string() };
    if name.is_empty() {
        cx.error(loc, "not supported: the argument of this NaN builtin must be a string literal with a number");
        return cx.error_expr(loc);
    }
    let id = super::library_function(cx, &name, ty, &[Ty::CONST_CHAR_PTR], loc);
    crate::sema::calls::call_decl(cx, id, args, loc)
}

/// The number in `n-char-sequence`s as `strtoull` with base 0 reads it.
fn nan_payload(text: &[u8]) -> Option<u128> {
    let text = std::str::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(0);
    }
    if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return u128::from_str_radix(hex, 16).ok();
    }
    if text.starts_with('0') { u128::from_str_radix(text, 8).ok() } else { text.parse().ok() }
}

/// `__builtin_creal`, `__builtin_cimag`, `__builtin_conj`
pub fn complex_part<'a>(
    cx: &mut Sema<'_, 'a>,
    op: UnaryOp,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    let signature = signature(cx, entry);
    let Some(args) = convert_args(cx, callee, &signature.params, false, args, loc) else { return cx.error_expr(loc) };
    match op {
        UnaryOp::Not => match fold::unary(cx, op, args[0], loc) {
            Some(folded) => folded,
            None => cx.value(ExprKind::Unary { op, operand: args[0] }, args[0].ty.ty(), loc),
        },
        _ => unary::part(cx, op, args[0], loc),
    }
}

/// `__builtin_lceil(x)` and relatives: `(long)ceil(x)`, whose conversion may as well leave out what
/// is beyond the result's range.
pub fn rounded<'a>(
    cx: &mut Sema<'_, 'a>,
    function: &str,
    entry: &Entry,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> ExprRef<'a> {
    let signature = signature(cx, entry);
    let Some(args) = convert_args(cx, callee, &signature.params, false, args, loc) else {
        return cx.error_expr(loc);
    };
    let suffix = match entry.real {
        Ty::FLOAT => "f",
        Ty::LONG_DOUBLE => "l",
        _ => "",
    };
    let Some(index) = super::names::find(&format!("{function}{suffix}")) else {
        base::bug!("no function {function}{suffix}");
    };
    let id = super::library_decl(cx, index, loc);
    let function = primary::decl_ref(cx, id, loc);
    let call = calls::plain_call(cx, function, &args, loc);
    conversions::convert(cx, call, signature.ret.ty())
}
