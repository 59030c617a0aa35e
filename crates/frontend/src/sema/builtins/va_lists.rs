//! Lists of variable arguments: `va_start` and its relatives, those of the Microsoft x64 convention
//! beside those of System V.

use base::{Loc, warning};

use super::{check_count, node};
use crate::sema::{Sema, conversions, types};
use crate::tree::{Builtin, CallAbi, DeclFlags, DeclId, ExprKind, ExprRef, Ty, TypeKind};

/// The address of a `va_list`'s tag: the array decays, a parameter of that type already is a
/// pointer.
pub fn va_list_arg<'a>(cx: &mut Sema<'_, 'a>, arg: ExprRef<'a>, what: &str) -> Option<ExprRef<'a>> {
    let value = conversions::rvalue(cx, arg);
    if value.is_error() {
        return None;
    }
    let tag = cx.unit.va_list_tag;
    let good = cx.types().pointee(value.ty.ty()).is_some_and(|p| cx.kind(p) == TypeKind::Record(tag));
    if !good {
        cx.error(arg.loc, format!("incompatible type for {what}"));
        return None;
    }
    Some(value)
}

/// `__builtin_va_start(list, last)`
pub fn va_start<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    let c23 = cx.since(platform::options::Standard::C23);
    let name = cx.dname(callee);
    if args.is_empty() || (args.len() < 2 && !c23) {
        cx.error(loc, format!("too few arguments to function {name}"));
        return None;
    }
    if args.len() > 2 && !c23 {
        cx.error(loc, "wrong number of arguments to function 'va_start'");
        return None;
    }
    let list = va_list_arg(cx, args[0], &format!("argument 1 of {name}"))?;
    check_last_named(cx, args.get(1).copied(), "va_start", c23, loc)?;
    let function = cx.function()?.decl;
    if is_ms_abi(cx, cx.unit.decls[function].ty.ty()) {
        cx.error(loc, "'va_start' used in Win64 ABI function");
        return None;
    }
    cx.fun().flags.uses_va_start = true;
    Some(node(cx, Builtin::VaStart, &[list], Ty::VOID, loc))
}

/// `va_start` and what is like it stand in functions with a variable number of arguments and name
/// the last parameter.
fn check_last_named(cx: &mut Sema<'_, '_>, last: Option<ExprRef<'_>>, what: &str, c23: bool, loc: Loc) -> Option<()> {
    let function = cx.function()?.decl;
    let variadic = cx.types().signature_of(cx.unit.decls[function].ty.ty()).is_some_and(|s| s.variadic || !s.prototype);
    if !variadic {
        cx.error(loc, format!("'{what}' used in function with fixed arguments"));
        return None;
    }
    if let Some(last) = last {
        let named = cx.fun().params.last().copied();
        if last.decl().is_none() || last.decl() != named {
            let is_zero = last.int_value() == Some(0);
            if !(c23 && is_zero) {
                cx.warn(warning::VARARGS, loc, format!("second parameter of '{what}' not last named argument"));
            }
        } else if let Some(id) = named
            && cx.unit.decls[id].flags.has(DeclFlags::REGISTER)
        {
            cx.warn(
                warning::VARARGS,
                loc,
                "undefined behavior when second parameter of 'va_start' is declared with 'register' storage",
            );
        }
        conversions::mark_referenced(cx, last);
    }
    Some(())
}

/// `__builtin_next_arg(last)`: the address of the first anonymous argument on the stack.
pub fn next_arg<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    check_last_named(cx, Some(args[0]), "__builtin_next_arg", false, loc)?;
    cx.fun().flags.uses_va_start = true;
    Some(node(cx, Builtin::NextArg, &[], Ty::VOID_PTR, loc))
}

/// `__builtin_va_end(list)`
pub fn va_end<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 1, 1, loc) {
        return None;
    }
    let name = cx.dname(callee);
    let list = va_list_arg(cx, args[0], &format!("argument 1 of {name}"))?;
    Some(node(cx, Builtin::VaEnd, &[list], Ty::VOID, loc))
}

/// `__builtin_va_copy(to, from)`
pub fn va_copy<'a>(cx: &mut Sema<'_, 'a>, callee: DeclId, args: &[ExprRef<'a>], loc: Loc) -> Option<ExprRef<'a>> {
    if !check_count(cx, callee, args, 2, 2, loc) {
        return None;
    }
    let name = cx.dname(callee);
    let to = va_list_arg(cx, args[0], &format!("argument 1 of {name}"))?;
    let from = va_list_arg(cx, args[1], &format!("argument 2 of {name}"))?;
    Some(node(cx, Builtin::VaCopy, &[to, from], Ty::VOID, loc))
}

/// Whether a function type is of the Microsoft x64 convention.
fn is_ms_abi(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    match cx.types().signature_of(ty).map(|signature| signature.abi) {
        Some(CallAbi::Ms) => true,
        Some(CallAbi::Unsaid) => cx.options.codegen.ms_abi,
        _ => false,
    }
}

/// The address of a list of the Microsoft x64 convention.
fn ms_list_arg<'a>(cx: &mut Sema<'_, 'a>, list: ExprRef<'a>) -> Option<ExprRef<'a>> {
    if list.ty.ty() != cx.unit.ms_va_list || !list.is_lvalue() {
        return None;
    }
    conversions::mark_referenced(cx, list);
    conversions::mark_address_taken(cx, list);
    let ty = cx.pointer_to(list.ty);
    Some(cx.value(ExprKind::AddrOf(list), ty, list.loc))
}

/// `__builtin_ms_va_start(list, last)`, `__builtin_ms_va_end(list)`, `__builtin_ms_va_copy(to,
/// from)`
pub fn ms_va_list<'a>(
    cx: &mut Sema<'_, 'a>,
    builtin: Builtin,
    callee: DeclId,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<ExprRef<'a>> {
    let count = if builtin == Builtin::VaEnd { 1 } else { 2 };
    if !check_count(cx, callee, args, count, count, loc) {
        return None;
    }
    let Some(list) = ms_list_arg(cx, args[0]) else {
        let name = cx.dname(callee);
        cx.error(args[0].loc, format!("incompatible type for argument 1 of {name}"));
        return None;
    };
    let mut operands: smallvec::SmallVec<[ExprRef<'a>; 2]> = smallvec::smallvec![list];
    match builtin {
        Builtin::MsVaStart => {
            check_last_named(cx, Some(args[1]), "va_start", false, loc)?;
            let function = cx.function()?.decl;
            if !is_ms_abi(cx, cx.unit.decls[function].ty.ty()) {
                cx.error(loc, "'ms_va_start' used in System V ABI function");
                return None;
            }
        }
        Builtin::MsVaCopy => {
            let from = conversions::rvalue(cx, args[1]);
            let to = cx.unit.ms_va_list;
            operands.push(conversions::convert(cx, from, to));
        }
        _ => {}
    }
    Some(node(cx, builtin, &operands, Ty::VOID, loc))
}

/// `__builtin_va_arg(list, type)`
pub fn va_arg<'a>(cx: &mut Sema<'_, 'a>, list: ExprRef<'a>, ty: crate::tree::QualType, loc: Loc) -> ExprRef<'a> {
    if list.is_error() || cx.types().is_error(ty.ty()) {
        return cx.error_expr(loc);
    }
    let ap = match ms_list_arg(cx, list) {
        Some(ap) => Some(ap),
        None => va_list_arg(cx, list, "first argument of 'va_arg'"),
    };
    let Some(ap) = ap else { return cx.error_expr(loc) };
    if cx.types().is_incomplete(ty.ty()) {
        let name = cx.tname(ty);
        cx.error(loc, format!("second argument to 'va_arg' is of incomplete type {name}"));
        return cx.error_expr(loc);
    }
    if types::changes_under_promotion(cx.types(), ty.ty()) {
        // Arguments of this type have been promoted; what gcc compiles is a trap, once the list has
        // been evaluated.
        let (name, promoted) = (cx.tname(ty), if ty.ty() == Ty::FLOAT { "'double'" } else { "'int'" });
        cx.sess
            .warn_always(loc, format!("{name} is promoted to {promoted} when passed through '...'"))
            .note(loc, format!("(so you should pass {promoted} not {name} to 'va_arg')"))
            .note(loc, "if this code is reached, the program will abort")
            .emit();
        let trap = node(cx, Builtin::Trap, &[], Ty::VOID, loc);
        let trap = cx.value(ExprKind::Comma { lhs: ap, rhs: trap }, Ty::VOID, loc);
        let read = cx.value(ExprKind::VaArg { ap }, ty.ty(), loc);
        return cx.value(ExprKind::Comma { lhs: trap, rhs: read }, ty.ty(), loc);
    }
    if cx.types().is_array(ty.ty()) {
        // An array rvalue: addressed through a temporary.
        let value = cx.value(ExprKind::VaArg { ap }, ty.ty(), loc);
        return value;
    }
    cx.value(ExprKind::VaArg { ap }, ty.ty(), loc)
}
