//! `-Wc++-compat`: what is C but not C++, or means something else there. Of gcc's warnings:
//! implicit conversions from `void *` and to enumerations, names that are keywords, constants
//! without a value, empty structures, and declarations that C++ takes for definitions.

use base::{Loc, Symbol, warning};

use crate::sema::assignment_conversions::AssignContext;
use crate::sema::{Sema, types};
use crate::tree::{Decl, DeclFlags, DeclId, DeclKind, ExprRef, QualType, Ty, TypeKind};

/// Keywords of C++ that gcc warns of where they are names.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "bool",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "false",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
];

/// A name of the program.
#[cold]
pub fn name(cx: &Sema<'_, '_>, name: Symbol, loc: Loc) {
    let name = cx.str(name);
    if KEYWORDS.binary_search(&name).is_ok() {
        cx.warn(warning::CXX_COMPAT, loc, format!("identifier '{name}' conflicts with C++ keyword"));
    }
}

/// The conversion of a pointer to `from` to the type `target`, a pointer to `to`.
pub fn pointer(
    cx: &mut Sema<'_, '_>,
    value: ExprRef<'_>,
    (from, to): (QualType, QualType),
    target: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) {
    let is_void = |cx: &Sema<'_, '_>, ty: QualType| cx.kind(ty) == TypeKind::Void;
    // `(void *)0` is what `NULL` is in C.
    let null = value.int_value() == Some(0) && from.quals().is_empty();
    if !cx.sess.diag.is_on_somewhere(warning::CXX_COMPAT) || !is_void(cx, from) || is_void(cx, to) || null {
        return;
    }
    let loc = if let AssignContext::Argument { .. } = context { value.loc } else { loc };
    let (from, to) = (cx.tname(value.written), cx.tname(target.unqualified()));
    let message = format!("request for implicit conversion from {from} to {to} not permitted in C++");
    cx.warn(warning::CXX_COMPAT, loc, message);
}

/// The conversion of an arithmetic value to the type `to`.
pub fn arithmetic(cx: &mut Sema<'_, '_>, value: ExprRef<'_>, to: Ty, context: AssignContext<'_, '_>, loc: Loc) {
    if !matches!(cx.kind(to), TypeKind::Enum(_)) || !cx.sess.diag.is_on_somewhere(warning::CXX_COMPAT) {
        return;
    }
    let from = super::enum_mixtures::named(cx, value).unwrap_or(value.ty.ty());
    if cx.kind(from) == cx.kind(to) {
        return;
    }
    let (from, to) = (cx.tname(value.written.unqualified()), cx.tname(to));
    let message = match context {
        AssignContext::Assign { .. } => format!("enum conversion from {from} to {to} in assignment"),
        AssignContext::Init { .. } => format!("enum conversion from {from} to {to} in initialization"),
        AssignContext::Return => format!("enum conversion from {from} to {to} in return"),
        AssignContext::Argument { number, callee, .. } => {
            format!("enum conversion when passing argument {number} of {callee}")
        }
    };
    cx.warn(warning::CXX_COMPAT, loc, format!("{message} is invalid in C++"));
}

/// An enumeration is counted up or down; `word` is "increment" or "decrement".
pub fn counted(cx: &Sema<'_, '_>, word: &str, loc: Loc) {
    cx.warn(warning::CXX_COMPAT, loc, format!("{word} of enumeration value is invalid in C++"));
}

/// A variable has no initialiser.
pub fn uninitialised(cx: &mut Sema<'_, '_>, id: DeclId) {
    let decl = cx.unit.decls[id];
    if decl.flags.has(DeclFlags::EXTERN_DECLARED) || !cx.sess.warning_enabled(warning::CXX_COMPAT, decl.loc) {
        return;
    }
    let mut element = decl.ty;
    while let Some(inner) = cx.types().array_element(element) {
        element = inner;
    }
    let message = if types::effective_quals(cx.types(), decl.ty).is_const() {
        let name = decl.name.map_or("", |name| cx.str(name));
        format!("uninitialized 'const {name}' is invalid in C++")
    } else if cx.types().record_of(element.ty()).is_some_and(|record| record.has_const_member) {
        format!("uninitialized const member in {} is invalid in C++", cx.tname(element.unqualified()))
    } else {
        return;
    };
    cx.warn(warning::CXX_COMPAT, decl.loc, message);
}

/// A structure or union without members.
pub fn empty_record(cx: &Sema<'_, '_>, keyword: &str, loc: Loc) {
    cx.warn(warning::CXX_COMPAT, loc, format!("empty {keyword} has size 0 in C, size 1 in C++"));
}

/// A variable of the file is declared again, where both declarations are definitions in C++.
pub fn redeclared(cx: &Sema<'_, '_>, old: &Decl, new: &Decl, loc: Loc) {
    let defines = |decl: &Decl| decl.kind == DeclKind::Variable && !decl.flags.has(DeclFlags::EXTERN_DECLARED);
    if cx.at_file_scope() && defines(old) && defines(new) && cx.sess.warning_enabled(warning::CXX_COMPAT, loc) {
        let name = new.name.map_or("", |name| cx.str(name));
        let message = format!("duplicate declaration of '{name}' is invalid in C++");
        cx.sess
            .warn(warning::CXX_COMPAT, loc, message)
            .note(old.loc, format!("previous declaration of '{name}' was here"))
            .emit();
    }
}
