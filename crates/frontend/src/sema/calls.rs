//! Function calls (C23 6.5.3.3).

use base::{Loc, warning};

use super::assignment_conversions::{self, AssignContext};
use super::expressions::describe;
use super::{Sema, builtins, conversions, lints, quoted, types};
use crate::tree::{
    AttrFlags, CastKind, DeclFlags, DeclId, ExprKind, ExprRef, QualType, Signature, SignatureId, Ty, TypeKind,
};

/// `callee(args)`
pub fn call<'a>(cx: &mut Sema<'_, 'a>, callee: ExprRef<'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    if callee.is_error() {
        return cx.error_expr(loc);
    }
    if let Some(id) = callee.decl() {
        lints::call_written(cx, id, args, loc);
        if !cx.unit.calls_own_body(callee)
            && let Some(node) = builtins::call(cx, id, args, loc)
        {
            return node;
        }
    }
    plain_call(cx, callee, args, loc)
}

/// A call that stays a call.
pub fn plain_call<'a>(cx: &mut Sema<'_, 'a>, callee: ExprRef<'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    let target = callee.decl().or_else(|| callee.callee_decl());
    let own = callee.decl().filter(|&id| cx.functions.last().is_some_and(|function| function.decl == id));
    let flags = own.map(|id| cx.unit.decls[id].flags);
    let value = conversions::rvalue(cx, callee);
    // A function that calls itself is not used by that.
    if let (Some(id), Some(mut flags)) = (own, flags) {
        if cx.unevaluated == 0 {
            flags.set(DeclFlags::CALLS_ITSELF);
        }
        cx.unit.decls[id].flags = flags;
    }
    if value.is_error() {
        return cx.error_expr(loc);
    }
    let signature = match cx.types().pointee(value.ty.ty()).map(|p| cx.kind(p)) {
        Some(TypeKind::Function(signature)) => signature,
        _ => {
            report_not_a_function(cx, callee, loc);
            return cx.error_expr(loc);
        }
    };
    let ret = cx.types().signature(signature).ret;
    if cx.kind(ret) != TypeKind::Void && cx.types().is_incomplete(ret.ty()) {
        let name = cx.tname(ret);
        cx.error(loc, format!("invalid use of incomplete typedef or type {name}"));
        return cx.error_expr(loc);
    }
    let (value, signature) = match target.filter(|&id| builtins::is_loose(cx, id)) {
        Some(id) => without_prototype(cx, id, value, signature, args.len(), loc),
        None => (value, signature),
    };
    let Some(args) = convert_arguments(cx, signature, target, callee, args, loc) else { return cx.error_expr(loc) };
    if let Some(id) = target {
        let flags = cx.unit.attrs(id).map_or(AttrFlags::default(), |attrs| attrs.flags);
        if flags.has(AttrFlags::INTERRUPT) {
            cx.error(loc, "interrupt service routine cannot be called directly");
        }
        if flags.has(AttrFlags::RETURNS_TWICE)
            && let Some(function) = cx.function()
        {
            function.flags.calls_returns_twice = true;
        }
    }
    lints::call_finished(cx, signature, target, &args, loc);
    let args = cx.slice(&args);
    let ty = ret.ty();
    let written = cx.types().signature_of(value.written.ty()).map_or(ret, |s| s.ret);
    cx.value_written(ExprKind::Call { callee: value, args }, ty, written, loc)
}

/// A library function that was never declared and gets too few or too many arguments: called by
/// what is there, as in gcc.
fn without_prototype<'a>(
    cx: &mut Sema<'_, 'a>,
    id: DeclId,
    callee: ExprRef<'a>,
    signature: SignatureId,
    count: usize,
    loc: Loc,
) -> (ExprRef<'a>, SignatureId) {
    let known = cx.types().signature(signature).clone();
    let wanted = known.params.len();
    if !known.prototype || count == wanted || known.variadic && count > wanted {
        return (callee, signature);
    }
    let (word, name) = (if count > wanted { "many" } else { "few" }, cx.dname(id));
    let message = format!("too {word} arguments to built-in function {name} expecting {wanted}");
    cx.warn(warning::BUILTIN_DECLARATION_MISMATCH, loc, message);
    let plain = Signature { params: Default::default(), variadic: false, prototype: false, ..known };
    let function = cx.unit.types.function(plain);
    let TypeKind::Function(signature) = cx.kind(function) else { return (callee, signature) };
    let pointer = cx.pointer_to(function.plain());
    (conversions::cast_node(cx, CastKind::Pointer, callee, pointer), signature)
}

fn report_not_a_function(cx: &mut Sema<'_, '_>, callee: ExprRef<'_>, loc: Loc) {
    let text = describe::text(cx, callee);
    let message = match callee.decl() {
        Some(id) => {
            let declared = cx.unit.decls[id].loc;
            cx.sess
                .error(loc, format!("called object '{text}' is not a function or function pointer"))
                .note(declared, "declared here")
                .emit();
            return;
        }
        None => "called object is not a function or function pointer".to_string(),
    };
    let _ = text;
    cx.error(loc, message);
}

/// Converts arguments to the parameters' types, or by the default promotions.
fn convert_arguments<'a>(
    cx: &mut Sema<'_, 'a>,
    signature: SignatureId,
    target: Option<DeclId>,
    callee: ExprRef<'a>,
    args: &[ExprRef<'a>],
    loc: Loc,
) -> Option<Vec<ExprRef<'a>>> {
    let (count, variadic, prototype) = {
        let s = cx.types().signature(signature);
        (s.params.len(), s.variadic, s.prototype)
    };
    let mut bad = false;
    if prototype && args.len() != count && !(variadic && args.len() > count) {
        let many = args.len() > count;
        let word = if many { "many" } else { "few" };
        let name = match target {
            Some(id) => cx.dname(id),
            None => format!("'{}'", describe::text(cx, callee)),
        };
        let least = if variadic { "at least " } else { "" };
        let given = args.len();
        let message = format!("too {word} arguments to function {name}; expected {least}{count}, have {given}");
        let builder = cx.sess.error(loc, message);
        match target {
            Some(id) => {
                let declared = cx.unit.decls[id].loc;
                builder.note(declared, "declared here").emit()
            }
            None => builder.emit(),
        };
        bad = true;
    }
    // Where the function was called without its prototype, the written type is another one.
    let written =
        cx.types().signature_id(callee.written.ty()).filter(|&id| cx.types().signature(id).params.len() == count);
    let knr: Option<Vec<QualType>> = if prototype { None } else { target.and_then(|id| knr_parameters(cx, id)) };
    let mut out = Vec::with_capacity(args.len());
    for (index, &arg) in args.iter().enumerate() {
        let value = if prototype && index < count {
            let ty = cx.types().signature(signature).params[index];
            let name;
            let plain = arg.ty.ty() == ty.ty()
                || cx.types().is_arithmetic(arg.ty.ty())
                    && cx.types().is_arithmetic(ty.ty())
                    && !matches!(cx.kind(ty.ty()), TypeKind::Enum(_));
            // Nothing is said of these conversions that names the function.
            let context = if plain {
                AssignContext::Argument { number: index + 1, callee: "", declared: Loc::NONE }
            } else {
                name = quoted_target(cx, target, callee);
                let declared = target.map_or(Loc::NONE, |id| cx.unit.decls[id].loc);
                AssignContext::Argument { number: index + 1, callee: &name, declared }
            };
            if cx.types().is_incomplete(ty.ty()) && !cx.types().is_error(ty.ty()) {
                cx.error(arg.loc, format!("type of formal parameter {} is incomplete", index + 1));
                bad = true;
                continue;
            }
            let ty = written.map_or(ty, |id| cx.types().signature(id).params[index]);
            assignment_conversions::assign_convert(cx, arg, ty, context, arg.loc)
        } else {
            let value = conversions::rvalue(cx, arg);
            if cx.kind(value.ty) == TypeKind::Void {
                cx.error(arg.loc, "invalid use of void expression");
                cx.error_expr(arg.loc)
            } else {
                conversions::promote_argument(cx, value)
            }
        };
        bad |= value.is_error();
        out.push(value);
    }
    if let Some(knr) = knr
        && knr.len() != args.len()
        && let Some(id) = target
    {
        let name = cx.dname(id);
        let word = if args.len() > knr.len() { "many" } else { "few" };
        cx.sess.warn_always(loc, format!("too {word} arguments to function {name}")).emit();
    }
    (!bad).then_some(out)
}

/// The callee's name or text in quotes.
fn quoted_target(cx: &Sema<'_, '_>, target: Option<DeclId>, callee: ExprRef<'_>) -> String {
    match target.and_then(|id| cx.unit.decls[id].name) {
        Some(name) => quoted(cx.str(name)),
        None => quoted(&describe::text(cx, callee)),
    }
}

/// Parameter types of a function defined without a prototype earlier in the unit.
fn knr_parameters(cx: &Sema<'_, '_>, id: DeclId) -> Option<Vec<QualType>> {
    cx.old_style_parameters.get(&id).cloned()
}

/// A call of a declared function whose arguments are ready.
pub fn call_decl<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    let callee = super::expressions::primary::decl_ref(cx, id, loc);
    plain_call(cx, callee, args, loc)
}

/// The function named by a callee never returns.
pub fn is_noreturn(cx: &Sema<'_, '_>, callee: ExprRef<'_>) -> bool {
    if let Some(id) = callee.callee_decl()
        && cx.unit.decls[id].flags.has(DeclFlags::NORETURN)
    {
        return true;
    }
    cx.types().signature_of(callee.ty.ty()).is_some_and(|s| s.noreturn)
}

/// Result type of calling through a pointer, for callers that only look.
pub fn result_type(cx: &Sema<'_, '_>, callee: ExprRef<'_>) -> Option<Ty> {
    cx.types().signature_of(callee.ty.ty()).map(|s| s.ret.ty())
}

/// Whether a parameter type is complete enough to pass.
pub fn is_passable(cx: &mut Sema<'_, '_>, ty: QualType, loc: Loc) -> bool {
    types::require_complete(cx, ty, loc)
}
