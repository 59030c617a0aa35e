//! Function calls (C23 6.5.3.3).

use base::{Loc, warning};

use super::assignment_conversions::{self, AssignContext};
use super::expressions::describe;
use super::{
    Sema, absolute_values, builtins, conversions, format_lengths, quoted, same, sizes_of_pointers, truncations, types,
};
use crate::tree::{
    AttrFlags, CastKind, DeclFlags, DeclId, ExprKind, ExprRef, QualType, Signature, SignatureId, Ty, TypeKind,
};

/// `callee(args)`
pub fn call<'a>(cx: &mut Sema<'_, 'a>, callee: ExprRef<'a>, args: &[ExprRef<'a>], loc: Loc) -> ExprRef<'a> {
    if callee.is_error() {
        return cx.error_expr(loc);
    }
    if let Some(id) = callee.decl() {
        if cx.sess.warning_enabled(warning::FORMAT, loc) && !cx.lang.charsets.no_ascii {
            super::format::check_call(cx, id, args, loc);
        }
        sizes_of_pointers::check_call(cx, id, args, loc);
        truncations::check_call(cx, id, args, loc);
        absolute_values::check_call(cx, id, args, loc);
        if !cx.lang.charsets.no_ascii {
            format_lengths::check_call(cx, id, args, loc);
        }
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
    let value = conversions::rvalue(cx, callee);
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
        if cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::INTERRUPT)) {
            cx.error(loc, "interrupt service routine cannot be called directly");
        }
        check_attributes(cx, id, &args, loc);
    }
    check_restrict(cx, signature, target, &args, loc);
    let args = cx.slice(&args);
    let ty = ret.ty();
    if cx.types().is_record(ty) {
        cx.warn(warning::AGGREGATE_RETURN, loc, "function call has aggregate value");
    }
    cx.value(ExprKind::Call { callee: value, args }, ty, loc)
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
    let knr: Option<Vec<QualType>> = if prototype { None } else { target.and_then(|id| knr_parameters(cx, id)) };
    let mut out = Vec::with_capacity(args.len());
    for (index, &arg) in args.iter().enumerate() {
        let value = if prototype && index < count {
            let ty = cx.types().signature(signature).params[index];
            let name;
            let context = if arg.ty.ty() == ty.ty() {
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

/// Functions of the C library whose pointers must not be null, and which parameters these are, as
/// bits.
const NONNULL: &[(&[&str], u64)] = &[
    (&["strlen", "strnlen", "strdup", "strndup", "puts", "fputs_unlocked", "memset", "memchr", "strchr", "strrchr"], 1),
    (&["memcpy", "memmove", "mempcpy", "memcmp", "strcpy", "stpcpy", "strcat", "strncpy", "stpncpy", "strncat"], 3),
    (&["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "strspn", "strcspn", "strpbrk", "fputs"], 3),
    (&["fprintf", "vfprintf", "sprintf", "vsprintf"], 3),
    (&["printf", "vprintf"], 1),
    (&["snprintf", "vsnprintf"], 4),
    (&["putc", "fputc"], 2),
    (&["fwrite"], 9),
];

/// What the callee's attributes say about the call.
fn check_attributes(cx: &mut Sema<'_, '_>, id: DeclId, args: &[ExprRef<'_>], loc: Loc) {
    let library = sizes_of_pointers::library_name(cx, id);
    let library = library.and_then(|name| NONNULL.iter().find(|f| f.0.contains(&name))).map_or(0, |f| f.1);
    let (flags, nonnull, sentinel) = match cx.unit.attrs(id) {
        Some(attrs) => (attrs.flags, attrs.nonnull | library, attrs.sentinel),
        None => (AttrFlags::default(), library, 0),
    };
    if flags.has(AttrFlags::RETURNS_TWICE)
        && let Some(function) = cx.function()
    {
        function.flags.calls_returns_twice = true;
    }
    if nonnull != 0 && cx.sess.warning_enabled(warning::NONNULL, loc) {
        for (index, arg) in args.iter().enumerate().take(64) {
            if nonnull >> index & 1 == 1 && cx.types().is_pointer(arg.ty.ty()) && arg.int_value() == Some(0) {
                let message = format!("argument {} null where non-null expected", index + 1);
                let note = format!("in a call to function {} declared 'nonnull'", cx.dname(id));
                cx.sess.warn(warning::NONNULL, loc, message).note(cx.unit.decls[id].loc, note).emit();
            }
        }
    }
    if flags.has(AttrFlags::SENTINEL) && cx.sess.warning_enabled(warning::FORMAT, loc) {
        let position = args.len().checked_sub(1 + sentinel as usize);
        let null = position.is_some_and(|p| args[p].int_value() == Some(0) && cx.types().is_pointer(args[p].ty.ty()));
        if !null {
            let message = if position.is_none() {
                "not enough variable arguments to fit a sentinel"
            } else {
                "missing sentinel in function call"
            };
            cx.warn(warning::FORMAT, loc, message);
        }
    }
}

/// `-Wrestrict`: the pointer for a `restrict` parameter is passed twice. What the `printf` family
/// gets beside its format is not looked at.
fn check_restrict(
    cx: &mut Sema<'_, '_>,
    signature: SignatureId,
    target: Option<DeclId>,
    args: &[ExprRef<'_>],
    loc: Loc,
) {
    let known = cx.types().signature(signature);
    let (mut restricts, count) = (known.restricts, known.params.len());
    if restricts == 0 || args.len() < 2 || !cx.sess.warning_enabled(warning::RESTRICT, loc) {
        return;
    }
    let name = target.and_then(|id| sizes_of_pointers::library_name(cx, id)).unwrap_or_default();
    let formats = name.ends_with("printf") || name.ends_with("scanf");
    let compared = if formats { &args[..count.min(args.len())] } else { args };
    let nothing = |arg: &ExprRef<'_>| arg.int_value() == Some(0);
    // A library function that is told to copy nothing.
    if compared.len() == 3 && nothing(&compared[2]) && (name.starts_with("mem") || name.starts_with("str")) {
        return;
    }
    while restricts != 0 {
        let index = restricts.trailing_zeros() as usize;
        restricts &= restricts - 1;
        let Some(&passed) = compared.get(index) else { continue };
        let arg = behind_casts(passed);
        if nothing(&arg) {
            continue;
        }
        let others: Vec<String> = (compared.iter().enumerate())
            .filter(|&(at, other)| at != index && same::same_value(&cx.unit, arg, behind_casts(other)))
            .map(|(at, _)| (at + 1).to_string())
            .collect();
        if others.is_empty() {
            continue;
        }
        let message = format!(
            "passing argument {} to 'restrict'-qualified parameter aliases with argument{} {}",
            index + 1,
            if others.len() == 1 { "" } else { "s" },
            others.join(", ")
        );
        cx.warn(warning::RESTRICT, passed.loc, message);
    }
}

/// The pointer that is converted to another type of pointer.
fn behind_casts<'a>(mut expr: ExprRef<'a>) -> ExprRef<'a> {
    while let ExprKind::Cast { operand, kind: CastKind::Pointer | CastKind::NoOp } = expr.kind {
        expr = operand;
    }
    expr
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
