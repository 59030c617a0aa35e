//! `_Generic` (C23 6.5.2.1), `__builtin_choose_expr`, `__builtin_types_compatible_p`,
//! `__builtin_complex`, `__builtin_call_with_static_chain`, `__builtin_assoc_barrier`.

use base::Loc;

use crate::sema::constants::{self, fold};
use crate::sema::{Sema, conversions, excess, types};
use crate::tree::{Builtin, CastKind, Expr, ExprFlags, ExprKind, ExprRef, QualType, Ty, TypeKind};

/// An association of a generic selection.
#[derive(Clone, Copy)]
pub struct Association<'a> {
    /// Its type; `None` for `default`.
    pub ty: Option<QualType>,
    /// Its expression.
    pub value: ExprRef<'a>,
    /// Location of the type.
    pub loc: Loc,
}

/// Type of the controlling operand: an expression after lvalue conversion, or a type name as it is
/// (C2y).
pub fn controlling_type(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) -> QualType {
    let ty = expr.ty;
    match cx.kind(ty) {
        TypeKind::Array { .. } => {
            let elem = cx.types().array_element(ty).unwrap_or(ty);
            cx.pointer_to(elem).plain()
        }
        TypeKind::Function(_) => cx.pointer_to(ty).plain(),
        _ => ty.unqualified(),
    }
}

/// Chooses the association; checks that types are distinct and that one matches.
pub fn select<'a>(cx: &mut Sema<'_, 'a>, control: QualType, associations: &[Association<'a>], loc: Loc) -> ExprRef<'a> {
    let mut chosen: Option<Association<'a>> = None;
    let mut default: Option<Association<'a>> = None;
    for (index, &association) in associations.iter().enumerate() {
        let Some(ty) = association.ty else {
            if default.is_some() {
                cx.error(association.loc, "duplicate 'default' case in '_Generic'");
            }
            default = Some(association);
            continue;
        };
        if cx.types().is_function(ty.ty()) {
            cx.error(association.loc, "'_Generic' association has function type");
        } else if cx.types().is_incomplete(ty.ty()) && !cx.types().is_error(ty.ty()) {
            cx.error(association.loc, "'_Generic' association has incomplete type");
        } else if cx.types().is_variably_modified(ty.ty()) {
            cx.error(association.loc, "'_Generic' association has variable length type");
        }
        for earlier in &associations[..index] {
            if let Some(other) = earlier.ty
                && types::compatible(cx.types(), ty, other)
            {
                cx.error(association.loc, "'_Generic' specifies two compatible types");
                break;
            }
        }
        if types::compatible(cx.types(), ty, control) && !cx.types().is_error(control.ty()) && chosen.is_none() {
            chosen = Some(association);
        }
    }
    match chosen.or(default) {
        Some(association) => association.value,
        None => {
            if !cx.types().is_error(control.ty()) {
                let ty = cx.tname(control);
                let message = format!("'_Generic' selector of type {ty} is not compatible with any association");
                cx.error(loc, message);
            }
            cx.error_expr(loc)
        }
    }
}

/// `__builtin_choose_expr(condition, a, b)`
pub fn choose<'a>(
    cx: &mut Sema<'_, 'a>,
    condition: ExprRef<'a>,
    a: ExprRef<'a>,
    b: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let message = "first argument to '__builtin_choose_expr' not a constant";
    let value = constants::require_integer(cx, condition, constants::Strictness::Folded, message, message);
    match value {
        Some((0, _)) => b,
        Some(_) => a,
        None => cx.error_expr(loc),
    }
}

/// `__builtin_types_compatible_p(a, b)`: top-level qualifiers do not count, also those of arrays'
/// elements; enumerations are distinct.
pub fn types_compatible<'a>(cx: &mut Sema<'_, 'a>, a: QualType, b: QualType, loc: Loc) -> ExprRef<'a> {
    let [a, b] = [a, b].map(|ty| types::unqualified_deep(&mut cx.state.unit.types, ty).ty());
    let (a, b) = (cx.types().canonical(a), cx.types().canonical(b));
    let enums = |ty: Ty, cx: &Sema<'_, 'a>| matches!(cx.kind(ty), TypeKind::Enum(_));
    let same = if enums(a, cx) || enums(b, cx) { a == b } else { types::compatible_unqualified(cx.types(), a, b) };
    cx.ice(same as i128, Ty::INT, loc)
}

/// `__builtin_call_with_static_chain(call, pointer)`: the call, with the pointer as its static
/// chain (GCC manual, "Constructing Function Calls").
pub fn call_with_static_chain<'a>(
    cx: &mut Sema<'_, 'a>,
    call: ExprRef<'a>,
    chain: ExprRef<'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let chain = conversions::rvalue(cx, chain);
    if call.is_error() || chain.is_error() {
        return cx.error_expr(loc);
    }
    let ExprKind::Call { callee, .. } = call.kind else {
        cx.error(loc, "first argument to '__builtin_call_with_static_chain' must be a call expression");
        return cx.error_expr(loc);
    };
    if !matches!(cx.kind(chain.ty), TypeKind::Pointer(_)) {
        cx.error(loc, "second argument to '__builtin_call_with_static_chain' must be a pointer type");
        return cx.error_expr(loc);
    }
    if callee.callee_decl().is_some_and(|decl| cx.unit.decls[decl].builtin.is_some()) {
        cx.error(loc, "first argument to '__builtin_call_with_static_chain' must not be a builtin call");
        return cx.error_expr(loc);
    }
    let args = cx.slice(&[call, chain]);
    cx.value(ExprKind::Builtin { builtin: Builtin::CallWithStaticChain, args }, call.ty.ty(), loc)
}

/// `__builtin_assoc_barrier(x)`: what the operand's operators round stays as written where the
/// options allow reassociation. That is about floating-point values; everything else is just the
/// value.
pub fn assoc_barrier<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let value = conversions::rvalue(cx, operand);
    let ty = value.ty.ty();
    if let Some(wide) = excess::unrounded(value) {
        let node = assoc_barrier(cx, wide, loc);
        return excess::rounded(cx, node, ty);
    }
    let part = match cx.kind(value.ty) {
        TypeKind::Vector { elem, .. } | TypeKind::Complex(elem) => elem,
        _ => ty,
    };
    if value.is_error() || !cx.types().is_floating(part) || fold::constant_of(value).is_some() {
        return value;
    }
    let args = cx.slice(&[value]);
    cx.value(ExprKind::Builtin { builtin: Builtin::AssocBarrier, args }, ty, loc)
}

/// `__builtin_complex(re, im)`
pub fn complex<'a>(cx: &mut Sema<'_, 'a>, re: ExprRef<'a>, im: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let (re, im) = (conversions::rvalue(cx, re), conversions::rvalue(cx, im));
    if re.is_error() || im.is_error() {
        return cx.error_expr(loc);
    }
    let floating = |e: ExprRef<'a>, cx: &Sema<'_, 'a>| {
        cx.types().float_kind(e.ty.ty()).is_some_and(|kind| kind.decimal().is_none())
    };
    if !floating(re, cx) || !floating(im, cx) {
        cx.error(loc, "'__builtin_complex' operand not of real binary floating-point type");
        return cx.error_expr(loc);
    }
    let elem = cx.types().canonical(re.ty.ty());
    if elem != cx.types().canonical(im.ty.ty()) {
        cx.error(loc, "'__builtin_complex' operands of different types");
        return cx.error_expr(loc);
    }
    let ty = cx.unit.types.complex_of(elem);
    if let (Some(fold::Constant::Float(a)), Some(fold::Constant::Float(b))) =
        (fold::constant_of(re), fold::constant_of(im))
    {
        return fold::make(cx, fold::Constant::Complex([a, b]), ty, loc, ExprFlags::CONSTANT);
    }
    cx.value(ExprKind::ComplexBuild { re, im }, ty, loc)
}

/// `__extension__ expression`
pub fn extension<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    cx.with_flags(expr, ExprFlags::EXTENSION)
}

/// An lvalue or value of the same object under another location, for selections that keep category.
pub fn relocate<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    cx.arena.alloc(Expr { loc, ..*expr })
}

/// The bits-preserving conversions a selected expression may carry.
pub fn is_noop(kind: CastKind) -> bool {
    kind == CastKind::NoOp
}
