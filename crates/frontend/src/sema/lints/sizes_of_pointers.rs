//! `-Wsizeof-pointer-memaccess`, `-Wmemset-transposed-args`, `-Wmemset-elt-size`: calls of the
//! library's memory functions with a length that was hardly meant. `-Wsizeof-pointer-div`,
//! `-Wsizeof-array-div`: quotients of sizes that count nothing.

use base::{Loc, warning};

use crate::sema::Sema;
use crate::sema::same::same_value;
use crate::tree::{ArrayLen, CastKind, ExprFlags, ExprKind, ExprRef, QualType, TypeKind};

/// Function, numbers of the arguments with the destination, the source if there is one, and the
/// length.
const FUNCTIONS: &[(&str, usize, Option<usize>, usize)] = &[
    ("memset", 0, None, 2),
    ("bzero", 0, None, 1),
    ("memcpy", 0, Some(1), 2),
    ("memmove", 0, Some(1), 2),
    ("strncpy", 0, Some(1), 2),
    ("stpncpy", 0, Some(1), 2),
    ("strncat", 0, Some(1), 2),
    ("memcmp", 0, Some(1), 2),
    ("bcmp", 0, Some(1), 2),
    ("strncmp", 0, Some(1), 2),
    ("strncasecmp", 0, Some(1), 2),
];

/// Those that compare: both pointers are sources.
const COMPARISONS: [&str; 4] = ["memcmp", "bcmp", "strncmp", "strncasecmp"];

/// How many operands of `sizeof` are remembered: those of the arguments of one call.
const REMEMBERED: usize = 8;

/// Notes what `size` is the size of.
pub fn note<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, operand: ExprRef<'a>) {
    if cx.lints.sizeof_operands.len() == REMEMBERED {
        cx.lints.sizeof_operands.remove(0);
    }
    cx.lints.sizeof_operands.push((size, operand));
}

/// Notes the type that `size` is the size of.
pub fn note_type<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, ty: QualType) {
    if cx.lints.sizeof_types.len() == REMEMBERED {
        cx.lints.sizeof_types.remove(0);
    }
    cx.lints.sizeof_types.push((size, ty));
}

/// `-Wsizeof-array-argument`
pub fn check_operand(cx: &mut Sema<'_, '_>, operand: ExprRef<'_>, loc: Loc) {
    if let Some(id) = operand.decl()
        && cx.lints.array_parameters.contains(&id)
    {
        let name = cx.dname(id);
        let ty = cx.tname(cx.unit.decls[id].ty);
        cx.warn(
            warning::SIZEOF_ARRAY_ARGUMENT,
            loc,
            format!("'sizeof' on array function parameter {name} will return size of {ty}"),
        );
    }
}

/// `sizeof pointer / sizeof *pointer`, `sizeof array / sizeof other`. `enclosed`: the divisor
/// stands in parentheses, which says that it is meant.
pub fn check_division<'a>(cx: &mut Sema<'_, 'a>, lhs: ExprRef<'a>, rhs: ExprRef<'a>, enclosed: bool, loc: Loc) {
    let of =
        |size: ExprRef<'a>| cx.lints.sizeof_types.iter().rev().find(|noted| std::ptr::eq(noted.0, size)).map(|n| n.1);
    let (Some(whole), Some(part)) = (of(lhs), of(rhs)) else { return };
    let operand =
        cx.lints.sizeof_operands.iter().rev().find(|noted| std::ptr::eq(noted.0, lhs)).and_then(|n| n.1.decl());
    let declared = operand.map(|id| cx.unit.decls[id].loc);
    if let Some(pointee) = cx.types().pointee(whole.ty()) {
        let parameter = operand.is_some_and(|id| cx.lints.array_parameters.contains(&id))
            && cx.sess.warning_enabled(warning::SIZEOF_ARRAY_ARGUMENT, loc);
        if parameter || !crate::sema::types::compatible_unqualified(cx.types(), pointee.ty(), part.ty()) {
            return;
        }
        let (whole, part) = (cx.tname(whole), cx.tname(part));
        let (whole, part) = (whole.trim_matches('\''), part.trim_matches('\''));
        let message =
            format!("division 'sizeof ({whole}) / sizeof ({part})' does not compute the number of array elements");
        let mut builder = cx.sess.warn(warning::SIZEOF_POINTER_DIV, loc, message);
        if let Some(declared) = declared {
            builder = builder.note(declared, "first 'sizeof' operand was declared here");
        }
        builder.emit();
        return;
    }
    let Some(elem) = cx.types().array_element(whole) else { return };
    let sizes = (cx.types().size_of(elem.ty()), cx.types().size_of(part.ty()));
    if enclosed || sizes.0 == Some(1) || sizes.0 == sizes.1 || cx.types().is_array(elem.ty()) {
        return;
    }
    let (elem, part) = (cx.tname(elem), cx.tname(part));
    let message =
        format!("expression does not compute the number of elements in this array; element type is {elem}, not {part}");
    let mut builder = cx.sess.warn(warning::SIZEOF_ARRAY_DIV, loc, message);
    builder = builder.note(loc, "add parentheses around the second 'sizeof' to silence this warning");
    if let Some(declared) = declared {
        let name = operand.map(|id| cx.dname(id)).unwrap_or_default();
        builder = builder.note(declared, format!("array {name} declared here"));
    }
    builder.emit();
}

/// Checks a call of the library function `name`; `args` are as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, name: &str, args: &[ExprRef<'a>], loc: Loc) {
    let Some(&(name, destination, source, length)) = FUNCTIONS.iter().find(|f| f.0 == name) else { return };
    let (Some(&target), Some(&size)) = (args.get(destination), args.get(length)) else { return };
    if name == "memset" {
        check_memset(cx, target, args[1], size, loc);
    }
    let noted = cx.lints.sizeof_operands.iter().find(|noted| std::ptr::eq(noted.0, size)).map(|noted| noted.1);
    let ty = match noted {
        Some(operand) => operand.ty,
        None => match cx.lints.sizeof_types.iter().find(|noted| std::ptr::eq(noted.0, size)) {
            Some(noted) => noted.1,
            None => return,
        },
    };
    let Some(pointee) = cx.types().pointee(ty.ty()) else { return };
    let names = if COMPARISONS.contains(&name) { ["first source", "second source"] } else { ["destination", "source"] };
    let arguments = [(Some(target), names[0]), (source.and_then(|at| args.get(at).copied()), names[1])];
    let arguments =
        arguments.map(|(argument, side)| argument.map(|argument| (argument, pointer_type(cx, argument), side)));
    let same = |cx: &Sema<'_, '_>, a: QualType, b: QualType| {
        crate::sema::types::compatible_unqualified(cx.types(), a.ty(), b.ty())
    };
    // A pointer to such pointers is meant.
    let behind_casts = |argument| pointer_type(cx, strip_casts(argument));
    if arguments.iter().flatten().any(|a| behind_casts(a.0).is_some_and(|to| same(cx, to, ty))) {
        return;
    }
    for (argument, to, side) in arguments.into_iter().flatten() {
        let message = if noted.is_some_and(|operand| same_value(&cx.unit, argument, operand)) {
            let remedy = if noted.is_some_and(|operand| matches!(operand.kind, ExprKind::AddrOf(_))) {
                "remove the addressof"
            } else if name.starts_with("st") || cx.types().size_of(pointee) == Some(1) {
                "provide an explicit length"
            } else {
                "dereference it"
            };
            format!("is the same expression as the {side}; did you mean to {remedy}?")
        } else if !name.starts_with("st")
            && cx.kind(pointee) != TypeKind::Void
            && to.is_some_and(|to| same(cx, to, pointee))
        {
            let (whole, part) = (cx.tname(ty), cx.tname(pointee));
            format!("is the same pointer type {whole} as the {side}; expected {part} or an explicit length")
        } else {
            continue;
        };
        let message = format!("argument to 'sizeof' in '{name}' call {message}");
        cx.warn(warning::SIZEOF_POINTER_MEMACCESS, size.loc, message);
        return;
    }
}

fn strip_casts(argument: ExprRef<'_>) -> ExprRef<'_> {
    let mut argument = argument;
    while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } = argument.kind {
        argument = operand;
    }
    argument
}

/// What an argument points to, before its conversion to the parameter's type.
fn pointer_type<'a>(cx: &Sema<'_, 'a>, argument: ExprRef<'a>) -> Option<QualType> {
    cx.types().pointee(argument.ty.ty()).or_else(|| cx.types().array_element(argument.ty))
}

/// gcc's `warn_for_memset`.
fn check_memset<'a>(cx: &mut Sema<'_, 'a>, target: ExprRef<'a>, value: ExprRef<'a>, size: ExprRef<'a>, loc: Loc) {
    let Some(count) = size.int_value() else { return };
    if is_literal_zero(cx, size) && !is_literal_zero(cx, value) {
        let message = "'memset' used with constant zero length parameter; this could be due to transposed parameters";
        cx.warn(warning::MEMSET_TRANSPOSED_ARGS, loc, message);
        return;
    }
    let mut array = target;
    while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp | CastKind::ArrayToPointer, operand }
    | ExprKind::AddrOf(operand) = array.kind
    {
        array = operand;
    }
    if let TypeKind::Array { elem, len: ArrayLen::Constant(len) } = cx.kind(array.ty)
        && !matches!(array.kind, ExprKind::Deref(_))
        && cx.types().size_of(elem).is_some_and(|size| size > 1)
        && count == len as i128
    {
        let message = "'memset' used with length equal to number of elements without multiplication by element size";
        cx.warn(warning::MEMSET_ELT_SIZE, loc, message);
    }
}

/// The argument is one token: a number or a character constant with the value zero.
fn is_literal_zero(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> bool {
    if expr.int_value() != Some(0) || expr.flags.has(ExprFlags::PAREN) {
        return false;
    }
    let data = cx.sess.sources.data();
    let Some(text) = data.text_from(expr.loc) else { return false };
    let quoted = |text: &[u8]| text.first() == Some(&b'\'');
    let prefix = ["u8", "u", "U", "L"].into_iter().find_map(|prefix| text.strip_prefix(prefix.as_bytes()));
    text.first().is_some_and(u8::is_ascii_digit) || quoted(text) || prefix.is_some_and(quoted)
}
