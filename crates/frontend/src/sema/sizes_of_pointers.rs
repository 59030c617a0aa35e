//! `-Wsizeof-pointer-memaccess`, `-Wmemset-transposed-args`, `-Wmemset-elt-size`: calls of the library's memory functions with a length that was
//! hardly meant. `-Wsizeof-pointer-div`, `-Wsizeof-array-div`: quotients of sizes that count nothing.

use base::{Loc, warning};

use super::Sema;
use super::same::same_value;
use crate::tree::{ArrayLen, CastKind, DeclId, DeclKind, ExprKind, ExprRef, Linkage, QualType, TypeKind};

/// The name of a declared function if it is the C library's of that name, without `__builtin_`.
pub fn library_name<'x>(cx: &Sema<'x, '_>, id: DeclId) -> Option<&'x str> {
    let decl = cx.unit.decls[id];
    if decl.kind != DeclKind::Function || decl.linkage != Linkage::External || !cx.lang.hosted {
        return None;
    }
    let name = decl.name.map(|name| cx.str(name))?;
    Some(name.strip_prefix("__builtin_").unwrap_or(name))
}

/// Function, numbers of the arguments with the destination, the source if there is one, and the length.
const FUNCTIONS: &[(&str, usize, Option<usize>, usize)] = &[
    ("memset", 0, None, 2),
    ("bzero", 0, None, 1),
    ("memcpy", 0, Some(1), 2),
    ("memmove", 0, Some(1), 2),
    ("strncpy", 0, Some(1), 2),
    ("stpncpy", 0, Some(1), 2),
    ("strncat", 0, Some(1), 2),
];

/// How many operands of `sizeof` are remembered: those of the arguments of one call.
const REMEMBERED: usize = 8;

/// Notes what `size` is the size of.
pub fn note<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, operand: ExprRef<'a>) {
    if cx.sizeof_operands.len() == REMEMBERED {
        cx.sizeof_operands.remove(0);
    }
    cx.sizeof_operands.push((size, operand));
}

/// Notes the type that `size` is the size of.
pub fn note_type<'a>(cx: &mut Sema<'_, 'a>, size: ExprRef<'a>, ty: QualType) {
    if cx.sizeof_types.len() == REMEMBERED {
        cx.sizeof_types.remove(0);
    }
    cx.sizeof_types.push((size, ty));
}

/// `sizeof pointer / sizeof *pointer`, `sizeof array / sizeof other`. `enclosed`: the divisor stands in parentheses, which says that it is meant.
pub fn check_division<'a>(cx: &mut Sema<'_, 'a>, lhs: ExprRef<'a>, rhs: ExprRef<'a>, enclosed: bool, loc: Loc) {
    let of = |size: ExprRef<'a>| cx.sizeof_types.iter().rev().find(|noted| std::ptr::eq(noted.0, size)).map(|n| n.1);
    let (Some(whole), Some(part)) = (of(lhs), of(rhs)) else { return };
    let operand = cx.sizeof_operands.iter().rev().find(|noted| std::ptr::eq(noted.0, lhs)).and_then(|n| n.1.decl());
    let declared = operand.map(|id| cx.unit.decls[id].loc);
    if let Some(pointee) = cx.types().pointee(whole.ty()) {
        let parameter = operand.is_some_and(|id| cx.array_parameters.contains(&id))
            && cx.sess.warning_enabled(warning::SIZEOF_ARRAY_ARGUMENT, loc);
        if parameter || !super::types::compatible_unqualified(cx.types(), pointee.ty(), part.ty()) {
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

/// Checks a call of a declared function; `args` are as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, args: &[ExprRef<'a>], loc: Loc) {
    let Some(name) = library_name(cx, id) else { return };
    let Some(&(name, destination, source, length)) = FUNCTIONS.iter().find(|f| f.0 == name) else { return };
    let (Some(&target), Some(&size)) = (args.get(destination), args.get(length)) else { return };
    if name == "memset" {
        check_memset(cx, target, args[1], size, loc);
    }
    let Some(&(_, operand)) = cx.sizeof_operands.iter().find(|noted| std::ptr::eq(noted.0, size)) else { return };
    let Some(pointee) = cx.types().pointee(operand.ty.ty()) else { return };
    let sides = [(Some(target), "destination"), (source.and_then(|at| args.get(at).copied()), "source")];
    for (argument, side) in sides {
        if !argument.is_some_and(|argument| same_value(&cx.unit, argument, operand)) {
            continue;
        }
        let remedy = if matches!(operand.kind, ExprKind::AddrOf(_)) {
            "remove the addressof"
        } else if name.starts_with("st") || cx.types().size_of(pointee) == Some(1) {
            "provide an explicit length"
        } else {
            "dereference it"
        };
        let message = format!(
            "argument to 'sizeof' in '{name}' call is the same expression as the {side}; did you mean to {remedy}?"
        );
        cx.warn(warning::SIZEOF_POINTER_MEMACCESS, size.loc, message);
        return;
    }
}

fn check_memset<'a>(cx: &mut Sema<'_, 'a>, target: ExprRef<'a>, value: ExprRef<'a>, size: ExprRef<'a>, loc: Loc) {
    let from_sizeof = cx.sizeof_operands.iter().any(|noted| std::ptr::eq(noted.0, size));
    let Some(count) = size.int_value().filter(|_| !from_sizeof && !cx.sess.sources.is_macro(size.loc)) else { return };
    if count == 0 && value.int_value() != Some(0) {
        let message = "'memset' used with constant zero length parameter; this could be due to transposed parameters";
        cx.warn(warning::MEMSET_TRANSPOSED_ARGS, loc, message);
        return;
    }
    let array = match target.kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => operand,
        _ => target,
    };
    if let TypeKind::Array { elem, len: ArrayLen::Constant(len) } = cx.kind(array.ty)
        && cx.types().size_of(elem).is_some_and(|size| size > 1)
        && count == len as i128
    {
        let message = "'memset' used with length equal to number of elements without multiplication by element size";
        cx.warn(warning::MEMSET_ELT_SIZE, loc, message);
    }
}
