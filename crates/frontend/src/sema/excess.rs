//! Excess precision of binary floating arithmetic (C23 5.2.5.3.3, `FLT_EVAL_METHOD` 2): under
//! `-mfpmath=387` or `-mno-sse` operations on `float` and `double` are operations on `long double`,
//! the format of the x87 unit.
//!
//! What an operator yields keeps its type, but is a cast of kind [`CastKind::Excess`] of the value
//! that was computed. An operator takes such an operand as it was before the cast, and so does a
//! conversion to another type, which rounds once; everything else (assignment, arguments, `return`,
//! a cast to the same type) has the cast's value. That is what gcc does under
//! `-fexcess-precision=standard`, where constants are evaluated in `long double`, too. Under
//! `-fexcess-precision=fast` gcc rounds where it has no register left; this compiler has the
//! standard's rounding then as well, but evaluates constants in their own types, as gcc does there.

use platform::options::X86Features;

use super::Sema;
use super::constants::fold;
use crate::tree::{CastKind, ExprFlags, ExprKind, ExprRef, FloatFormat, Ty, TypeKind};

/// What has excess precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Excess {
    /// Nothing.
    #[default]
    None,
    /// Operations of values that are not all constants (`-fexcess-precision=fast`).
    Operations,
    /// All operations, and constants (`-fexcess-precision=standard`).
    All,
}

/// What has excess precision outside of functions, without pragmas.
pub fn of_unit(options: &platform::options::Options) -> Excess {
    of_features(options, options.codegen.features)
}

fn of_features(options: &platform::options::Options, features: X86Features) -> Excess {
    match (features.has(X86Features::MATH_387) || !features.has_sse()) && options.codegen.x87 {
        false => Excess::None,
        true if options.standard_excess() => Excess::All,
        true => Excess::Operations,
    }
}

/// Looks again what attributes and pragmas say, where a function begins or ends or at a pragma.
pub fn update(cx: &mut Sema<'_, '_>) {
    cx.excess = of_features(cx.options, cx.features());
}

impl Sema<'_, '_> {
    /// The instruction sets of the function at hand, or outside of functions what a pragma says.
    pub fn features(&self) -> X86Features {
        let target = match self.functions.last() {
            Some(function) => self.unit.attrs(function.decl).and_then(|a| a.target),
            None => self.pragma_options.target,
        };
        let mut features = self.options.codegen.features;
        if let Some(text) = target {
            // What is wrong with it has been said.
            let _ = features.apply_target(self.str(text));
        }
        features
    }
}

/// The type in which values of a floating type are computed, if it is another one.
pub fn wide_type(cx: &Sema<'_, '_>, ty: Ty) -> Option<Ty> {
    if cx.excess == Excess::None {
        return None;
    }
    let widened = |ty: Ty| match fold::format_of(cx, ty)? {
        FloatFormat::Single | FloatFormat::Double => Some(()),
        // Otherwise `float` is wide enough, which lowering takes.
        FloatFormat::Half if cx.excess == Excess::All => Some(()),
        _ => None,
    };
    match cx.kind(ty) {
        TypeKind::Float(_) => widened(ty).map(|()| Ty::LONG_DOUBLE),
        TypeKind::Complex(part) => widened(part).map(|()| Ty::COMPLEX_LONG_DOUBLE),
        _ => None,
    }
}

/// The type in which an operation on two values is done, `ty` their common type.
pub fn operation_type(cx: &Sema<'_, '_>, a: ExprRef<'_>, b: ExprRef<'_>, ty: Ty) -> Ty {
    match wide_type(cx, ty) {
        Some(_) if cx.excess == Excess::Operations && is_constant(a) && is_constant(b) => ty,
        Some(wide) => wide,
        None => ty,
    }
}

fn is_constant(expr: ExprRef<'_>) -> bool {
    fold::constant_of(expr).is_some()
}

/// The value after a rounding that was not asked for; `None` if there is none.
pub fn unrounded<'a>(expr: ExprRef<'a>) -> Option<ExprRef<'a>> {
    match expr.kind {
        ExprKind::Cast { kind: CastKind::Excess(_), operand } => Some(operand),
        _ => None,
    }
}

/// The same of two arithmetic operands, at least one of which has excess precision; else `None`.
pub fn unrounded_pair<'a>(a: ExprRef<'a>, b: ExprRef<'a>) -> Option<(ExprRef<'a>, ExprRef<'a>)> {
    match (unrounded(a), unrounded(b)) {
        (None, None) => None,
        (p, q) => Some((p.unwrap_or(a), q.unwrap_or(b))),
    }
}

/// A value that was computed in a wider type, as a value of type `ty`.
pub fn rounded<'a>(cx: &Sema<'_, 'a>, value: ExprRef<'a>, ty: Ty) -> ExprRef<'a> {
    if value.ty.ty() == ty || value.is_error() {
        return value;
    }
    let part = match cx.kind(ty) {
        TypeKind::Complex(part) => part,
        _ => ty,
    };
    let Some(format) = fold::format_of(cx, part) else { return value };
    let node = cx.value(ExprKind::Cast { kind: CastKind::Excess(format), operand: value }, ty, value.loc);
    let kept = ExprFlags::ICE.with(ExprFlags::CONSTANT);
    cx.with_flags(node, ExprFlags(value.flags.0 & kept.0))
}
