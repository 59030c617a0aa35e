//! `-Wabsolute-value`: functions for absolute values of another kind or a wider type than theirs
//! (gcc's `warn_for_abs`).

use base::{Loc, warning};

use crate::sema::Sema;
use crate::tree::{DeclId, ExprRef, Ty, TypeKind};

/// What a function takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Floating,
    Complex,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Floating => "floating-point",
            Kind::Complex => "complex",
        }
    }
}

const FUNCTIONS: &[(&str, Kind, Ty)] = &[
    ("abs", Kind::Integer, Ty::INT),
    ("labs", Kind::Integer, Ty::LONG),
    ("llabs", Kind::Integer, Ty::LONGLONG),
    ("imaxabs", Kind::Integer, Ty::LONG),
    ("fabsf", Kind::Floating, Ty::FLOAT),
    ("fabs", Kind::Floating, Ty::DOUBLE),
    ("fabsl", Kind::Floating, Ty::LONG_DOUBLE),
    ("cabsf", Kind::Complex, Ty::FLOAT),
    ("cabs", Kind::Complex, Ty::DOUBLE),
    ("cabsl", Kind::Complex, Ty::LONG_DOUBLE),
];

/// Checks a call of the library function `id` with `args` as written.
pub fn check_call<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, name: &str, args: &[ExprRef<'a>], loc: Loc) {
    let &[arg] = args else { return };
    let Some(&(_, kind, parameter)) = FUNCTIONS.iter().find(|f| f.0 == name) else { return };
    if cx.never_evaluated() || !cx.sess.warning_enabled(warning::ABSOLUTE_VALUE, loc) {
        return;
    }
    let ty = arg.ty.ty();
    let argument = match cx.kind(ty) {
        TypeKind::Float(_) => Kind::Floating,
        TypeKind::Complex(_) => Kind::Complex,
        _ if cx.types().is_integer(ty) => Kind::Integer,
        _ => return,
    };
    let (function, argument_type) = (cx.dname(id), cx.tname(arg.written));
    let unsigned = cx.types().int_info(ty).is_some_and(|info| !info.signed) && cx.kind(ty) != TypeKind::Bool;
    if argument == Kind::Integer && unsigned {
        let message = format!("taking the absolute value of unsigned type {argument_type} has no effect");
        cx.warn(warning::ABSOLUTE_VALUE, loc, message);
    }
    if argument != kind {
        let (used, given) = (kind.word(), argument.word());
        let message =
            format!("using {used} absolute value function {function} when argument is of {given} type {argument_type}");
        cx.warn(warning::ABSOLUTE_VALUE, loc, message);
        return;
    }
    let part = match cx.kind(ty) {
        TypeKind::Complex(part) => part,
        _ => ty,
    };
    if cx.types().size_of(part) > cx.types().size_of(parameter) {
        let parameter = match kind {
            Kind::Complex => format!("'_Complex {}'", cx.tname(parameter).trim_matches('\'')),
            _ => cx.tname(parameter),
        };
        let message = format!(
            "absolute value function {function} given an argument of type {argument_type} but has parameter of type {parameter} which may cause truncation of value"
        );
        cx.warn(warning::ABSOLUTE_VALUE, loc, message);
    }
}
