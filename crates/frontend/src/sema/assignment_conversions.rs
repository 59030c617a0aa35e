//! Conversions as if by assignment (C23 6.5.17.2): of assignment, initialisation, arguments and
//! `return`, with gcc's diagnostics for what the constraints forbid: pointers to other types, lost
//! qualifiers, integers for pointers.

use base::{Loc, warning};

use super::conversions::{cast_node, convert, is_null_pointer_constant, is_undecayed_array, rvalue};
use super::{Sema, lints, types};
use crate::tree::{BinaryOp, CastKind, ElementSize, ExprFlags, ExprKind, ExprRef, QualType, Quals, Ty, TypeKind};

/// Why a value is converted as if by assignment, for the wording.
#[derive(Clone, Copy, Debug)]
pub enum AssignContext<'c, 'a> {
    /// `=` and `op=`
    Assign {
        /// The width of the bit-field that is assigned to.
        field: Option<u32>,
        /// Of `op=`: the operator, the old value, and the right operand as it was written.
        operation: Option<(BinaryOp, ExprRef<'a>, ExprRef<'a>)>,
    },
    /// Initialisation.
    Init {
        /// The width of the bit-field that is initialised.
        field: Option<u32>,
    },
    /// `return`
    Return,
    /// Argument `number` (from 1) of the function described by `callee`.
    Argument {
        /// From 1.
        number: usize,
        /// The callee in quotes.
        callee: &'c str,
        /// Where it is declared; [`Loc::NONE`] for a builtin function and a call by pointer.
        declared: Loc,
    },
}

impl AssignContext<'_, '_> {
    /// The width of the bit-field that gets the value.
    pub fn field(self) -> Option<u32> {
        match self {
            AssignContext::Assign { field, .. } | AssignContext::Init { field } => field,
            AssignContext::Return | AssignContext::Argument { .. } => None,
        }
    }

    /// `what` is "makes pointer from integer without a cast" or the like.
    fn makes(self, to: &str, from: &str, what: &str) -> String {
        match self {
            AssignContext::Assign { .. } => format!("assignment to {to} from {from} {what}"),
            AssignContext::Init { .. } => format!("initialization of {to} from {from} {what}"),
            AssignContext::Return => format!("returning {from} from a function with return type {to} {what}"),
            AssignContext::Argument { number, callee, .. } => format!("passing argument {number} of {callee} {what}"),
        }
    }

    fn incompatible_pointer(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign { .. } => format!("assignment to {to} from incompatible pointer type {from}"),
            AssignContext::Init { .. } => format!("initialization of {to} from incompatible pointer type {from}"),
            AssignContext::Return => {
                format!("returning {from} from a function with incompatible return type {to}")
            }
            AssignContext::Argument { number, callee, .. } => {
                format!("passing argument {number} of {callee} from incompatible pointer type")
            }
        }
    }

    fn signedness(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign { .. } => {
                format!("pointer targets in assignment from {from} to {to} differ in signedness")
            }
            AssignContext::Init { .. } => {
                format!("pointer targets in initialization of {to} from {from} differ in signedness")
            }
            AssignContext::Return => format!(
                "pointer targets in returning {from} from a function with return type {to} differ in signedness"
            ),
            AssignContext::Argument { number, callee, .. } => {
                format!("pointer targets in passing argument {number} of {callee} differ in signedness")
            }
        }
    }

    fn incompatible(self, to: &str, from: &str) -> String {
        match self {
            AssignContext::Assign { .. } => format!("incompatible types when assigning to type {to} from type {from}"),
            AssignContext::Init { .. } => format!("incompatible types when initializing type {to} using type {from}"),
            AssignContext::Return => {
                format!("incompatible types when returning type {from} but {to} was expected")
            }
            AssignContext::Argument { number, callee, .. } => {
                format!("incompatible type for argument {number} of {callee}")
            }
        }
    }

    /// "assignment", "passing argument 1 of 'f'"...
    fn noun(self) -> String {
        match self {
            AssignContext::Assign { .. } => "assignment".into(),
            AssignContext::Init { .. } => "initialization".into(),
            AssignContext::Return => "return".into(),
            AssignContext::Argument { number, callee, .. } => format!("passing argument {number} of {callee}"),
        }
    }
}

/// Converts `expr` as if by assignment to an object of type `written` (C23 6.5.17.2), as messages
/// name it; the result has the unqualified type. `param_loc` points to the parameter for the note
/// on arguments.
pub fn assign_convert<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    written: QualType,
    context: AssignContext<'_, 'a>,
    loc: Loc,
) -> ExprRef<'a> {
    let to = cx.unit.types.bare(written);
    if is_undecayed_array(cx, expr) {
        cx.error(expr.loc, "invalid use of non-lvalue array");
        return cx.error_expr(expr.loc);
    }
    let expr = rvalue(cx, expr);
    let source = expr.ty.ty();
    let arithmetic = cx.types().is_arithmetic(source) && cx.types().is_arithmetic(to.ty());
    if arithmetic {
        lints::implicit_conversion(cx, expr, written.ty(), context, loc);
    }
    let target = cx.unit.types.with_native(to.ty());
    let to = QualType::new(target, to.quals());
    if expr.is_error() || cx.types().is_error(target) {
        return cx.error_expr(expr.loc);
    }
    lints::converted_pointer(cx, expr, target);
    if source == target && !cx.types().is_incomplete(target) {
        if let Some(width) = context.field() {
            lints::value_converted(cx, expr, written.ty(), Some(width), loc);
        }
        // (Excess precision is lost here all the same.)
        return convert(cx, expr, target);
    }
    let (s, t) = (cx.kind(source), cx.kind(target));
    if s == TypeKind::Void {
        let message = match context {
            AssignContext::Argument { .. } => "invalid use of void expression",
            _ => "void value not ignored as it ought to be",
        };
        cx.error(expr.loc, message);
        return cx.error_expr(expr.loc);
    }
    let canonical = cx.types().canonical(target);
    match (s, t) {
        _ if arithmetic => {
            lints::value_converted(cx, expr, written.ty(), context.field(), loc);
            convert(cx, expr, target)
        }
        (_, TypeKind::Bool) if cx.types().is_scalar(source) => convert(cx, expr, target),
        (TypeKind::Pointer(from), TypeKind::Pointer(to_pointee)) => {
            let (expr, from) = unnamed_base(cx, expr, from, to_pointee, loc);
            check_pointers(cx, expr, from, to_pointee, written, context, loc);
            convert(cx, expr, target)
        }
        (TypeKind::NullPtr, TypeKind::Pointer(_) | TypeKind::NullPtr) => convert(cx, expr, target),
        (_, TypeKind::Pointer(_) | TypeKind::NullPtr) if cx.types().is_integer(source) => {
            if !is_null_pointer_constant(cx, expr) {
                if t == TypeKind::NullPtr {
                    return incompatible(cx, expr, written, context, loc);
                }
                let (to, from) = (cx.tname(written.unqualified()), cx.tname(expr.written));
                let message = context.makes(&to, &from, "makes pointer from integer without a cast");
                emit_conversion(cx, warning::INT_CONVERSION, loc, message, context, &to, &from);
            }
            let node = convert(cx, expr, target);
            cx.without_flags(node, ExprFlags::NULL)
        }
        (TypeKind::Pointer(_), _) if cx.types().is_integer(target) => {
            let (to, from) = (cx.tname(written.unqualified()), cx.tname(expr.written));
            let message = context.makes(&to, &from, "makes integer from pointer without a cast");
            emit_conversion(cx, warning::INT_CONVERSION, loc, message, context, &to, &from);
            convert(cx, expr, target)
        }
        (TypeKind::Vector { .. }, TypeKind::Vector { .. }) => {
            let same_size = cx.types().size_of(source) == cx.types().size_of(target);
            let compatible = types::compatible_unqualified(cx.types(), source, target);
            let lanes = same_size && same_lanes(cx, s, t);
            if compatible || lanes || (same_size && (is_opaque(expr) || lax_vectors(cx, context, loc))) {
                convert(cx, expr, target)
            } else {
                incompatible(cx, expr, written, context, loc)
            }
        }
        (_, TypeKind::Record(id)) if cx.types().records[id].transparent => {
            transparent_union(cx, expr, written, context, loc)
        }
        _ if types::compatible_unqualified(cx.types(), source, canonical)
            && (cx.types().is_record(source) || s == t) =>
        {
            if cx.types().is_incomplete(target) {
                types::report_incomplete(cx, to, loc);
                return cx.error_expr(loc);
            }
            convert(cx, expr, target)
        }
        _ => incompatible(cx, expr, written, context, loc),
    }
}

/// Made of comparisons of vectors only: converts to any vector of its size (gcc's opaque vectors).
fn is_opaque(expr: ExprRef<'_>) -> bool {
    // What is nested deeper than anybody writes it is not.
    let (mut work, mut left) = (vec![expr], 64);
    while let Some(expr) = work.pop() {
        left -= 1;
        match expr.kind {
            _ if left == 0 => return false,
            ExprKind::Binary { op, .. } if op.is_comparison() => {}
            ExprKind::Binary { lhs, rhs, .. } => work.extend([lhs, rhs]),
            ExprKind::Unary { operand, .. } => work.push(operand),
            _ => return false,
        }
    }
    true
}

/// Vectors of one size convert into each other under `-flax-vector-conversions`, in system headers
/// and as operands of builtin functions.
fn lax_vectors(cx: &Sema<'_, '_>, context: AssignContext<'_, '_>, loc: Loc) -> bool {
    let builtin = matches!(context, AssignContext::Argument { callee, .. } if callee.starts_with("'__builtin_"));
    cx.lang.lax_vector_conversions || builtin || cx.sess.sources.in_system_header(loc)
}

/// Two vector types that an initialiser converts into each other whole.
pub fn are_lax_vectors(cx: &Sema<'_, '_>, from: Ty, to: Ty, loc: Loc) -> bool {
    cx.types().is_vector(from)
        && cx.types().is_vector(to)
        && cx.types().size_of(from) == cx.types().size_of(to)
        && lax_vectors(cx, AssignContext::Init { field: None }, loc)
}

/// Vectors of as many integers of the same size: gcc lets a comparison's result, whose elements are
/// signed, become any of them.
fn same_lanes(cx: &Sema<'_, '_>, a: TypeKind, b: TypeKind) -> bool {
    match (a, b) {
        (TypeKind::Vector { elem: p, lanes: m }, TypeKind::Vector { elem: q, lanes: n }) => {
            m == n && cx.types().is_integer(p) && cx.types().is_integer(q)
        }
        _ => false,
    }
}

fn incompatible<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) -> ExprRef<'a> {
    let aggregate = cx.types().is_record(to.ty()) || cx.types().is_array(to.ty());
    let (to, from) = (cx.tname(to.unqualified()), cx.tname(expr.written));
    let (message, loc) = match context {
        AssignContext::Init { .. } if aggregate => ("invalid initializer".to_string(), loc),
        AssignContext::Assign { .. } => (context.incompatible(&to, &from), expr.loc),
        _ => (context.incompatible(&to, &from), loc),
    };
    let mut builder = cx.sess.error(loc, message);
    if let AssignContext::Argument { declared, .. } = context {
        builder = expected_argument(builder, declared, &to, &from);
    }
    builder.emit();
    cx.error_expr(expr.loc)
}

/// Says at the declaration of the function what the parameter is.
fn expected_argument<'s>(
    builder: base::diagnostics::DiagnosticBuilder<'s>,
    declared: Loc,
    to: &str,
    from: &str,
) -> base::diagnostics::DiagnosticBuilder<'s> {
    builder.note(declared, format!("expected {to} but argument is of type {from}"))
}

fn emit_conversion(
    cx: &mut Sema<'_, '_>,
    id: base::WarningId,
    loc: Loc,
    message: String,
    context: AssignContext<'_, '_>,
    to: &str,
    from: &str,
) {
    let mut builder = cx.sess.pedwarn(id, loc, message);
    if let AssignContext::Argument { declared, .. } = context {
        builder = expected_argument(builder, declared, to, from);
    }
    builder.emit();
}

/// `-fplan9-extensions`: a pointer to a structure becomes one to its unnamed member of the type
/// wanted.
fn unnamed_base<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    from: QualType,
    to: QualType,
    loc: Loc,
) -> (ExprRef<'a>, QualType) {
    if let (TypeKind::Record(record), TypeKind::Record(wanted)) = (cx.kind(from), cx.kind(to))
        && cx.lang.plan9_extensions
        && record != wanted
        && let Some(path) = cx.types().find_unnamed(record, wanted)
    {
        let (mut offset, mut inside) = (0, from);
        for field in path {
            let TypeKind::Record(id) = cx.kind(inside) else { break };
            let field = cx.types().records[id].field(field);
            (offset, inside) = (offset + field.offset, field.ty.with(inside.quals()));
        }
        let index = cx.int(offset.into(), Ty::LONG, loc, ExprFlags::default());
        let (size, ty) = (ElementSize::Constant(1), expr.ty.ty());
        return (cx.value(ExprKind::PtrAdd { ptr: expr, index, size, negate: false }, ty, loc), inside);
    }
    (expr, from)
}

/// The constraints on assigning one pointer to another.
fn check_pointers(
    cx: &mut Sema<'_, '_>,
    expr: ExprRef<'_>,
    from: QualType,
    to: QualType,
    target: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) {
    if from == to {
        return;
    }
    if types::spaces_differ(cx.types(), from, to) && !is_null_pointer_constant(cx, expr) {
        cx.error(loc, format!("{} from pointer to non-enclosed address space", context.noun()));
        return;
    }
    lints::pointer_converted(cx, expr, (from, to), target, context, loc);
    let from_void = cx.kind(from) == TypeKind::Void;
    let to_void = cx.kind(to) == TypeKind::Void;
    if from_void || to_void {
        let function = cx.types().is_function(if from_void { to.ty() } else { from.ty() });
        if function && !(from_void && is_null_pointer_constant(cx, expr)) {
            let noun = context.noun();
            cx.pedantic(loc, format!("ISO C forbids {noun} between function pointer and 'void *'"));
            return;
        }
    } else if !compatible_targets(cx, from, to) {
        let (to_name, from_name) = (cx.tname(target.unqualified()), cx.tname(expr.written));
        if differ_in_sign_only(cx, from.ty(), to.ty()) {
            let message = context.signedness(&to_name, &from_name);
            if !cx.sess.warning_enabled(warning::POINTER_SIGN, loc) {
                check_discarded(cx, expr, (from, to), target, context, loc);
                return;
            }
            emit_conversion(cx, warning::POINTER_SIGN, loc, message, context, &to_name, &from_name);
        } else {
            let message = context.incompatible_pointer(&to_name, &from_name);
            emit_conversion(cx, warning::INCOMPATIBLE_POINTER_TYPES, loc, message, context, &to_name, &from_name);
            return;
        }
    }
    check_discarded(cx, expr, (from, to), target, context, loc);
}

fn compatible_targets(cx: &mut Sema<'_, '_>, from: QualType, to: QualType) -> bool {
    let (from, to) = (unqualified_target(cx, from), unqualified_target(cx, to));
    types::compatible_unqualified(cx.types(), from, to)
}

/// A pointed-to type for the compatibility check: qualifiers of arrays sit on their elements and
/// are compared apart.
fn unqualified_target(cx: &mut Sema<'_, '_>, ty: QualType) -> Ty {
    match cx.kind(ty) {
        TypeKind::Array { .. } => types::unqualified_deep(&mut cx.state.unit.types, ty).ty(),
        _ => ty.ty(),
    }
}

fn check_discarded(
    cx: &mut Sema<'_, '_>,
    expr: ExprRef<'_>,
    (from, to): (QualType, QualType),
    target: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) {
    let have = types::effective_quals(cx.types(), from).without(Quals::ATOMIC);
    let want = types::effective_quals(cx.types(), to);
    let lost = have.without(want);
    if lost.is_empty() || cx.types().is_function(from.ty()) {
        return;
    }
    let names: Vec<&str> = [(Quals::CONST, "const"), (Quals::VOLATILE, "volatile"), (Quals::RESTRICT, "restrict")]
        .into_iter()
        .filter(|(q, _)| lost.has(*q))
        .map(|(_, n)| n)
        .collect();
    let names = names.join(" ");
    let plural = if names.contains(' ') { "qualifiers" } else { "qualifier" };
    let message = format!("{} discards '{names}' {plural} from pointer target type", context.noun());
    let (to, from) = (cx.tname(target.unqualified()), cx.tname(expr.written));
    emit_conversion(cx, warning::DISCARDED_QUALIFIERS, loc, message, context, &to, &from);
}

/// The pointed-to types are integers of one size and different sign (`char` counts as different
/// from both).
fn differ_in_sign_only(cx: &mut Sema<'_, '_>, a: Ty, b: Ty) -> bool {
    match (cx.kind(a), cx.kind(b)) {
        (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
            p.quals() == q.quals() && differ_in_sign_only(cx, p.ty(), q.ty())
        }
        _ => {
            let (a, b) = (cx.types().strip_enum(a), cx.types().strip_enum(b));
            a != Ty::BOOL
                && b != Ty::BOOL
                && types::with_signedness(cx.types(), a, true)
                    .is_some_and(|a| Some(a) == types::with_signedness(cx.types(), b, true))
        }
    }
}

/// An argument for a transparent union: a value of any member's type, passed as the first member
/// would be.
fn transparent_union<'a>(
    cx: &mut Sema<'_, 'a>,
    expr: ExprRef<'a>,
    to: QualType,
    context: AssignContext<'_, '_>,
    loc: Loc,
) -> ExprRef<'a> {
    let target = cx.types().bare_ty(to.ty());
    if types::compatible_unqualified(cx.types(), expr.ty.ty(), target) {
        return convert(cx, expr, target);
    }
    let members: Vec<QualType> =
        cx.types().record_of(target).map(|r| r.fields.iter().map(|f| f.ty).collect()).unwrap_or_default();
    for (index, &member) in members.iter().enumerate() {
        let ty = member.ty();
        let matches = types::compatible_unqualified(cx.types(), expr.ty.ty(), ty)
            || match (cx.kind(expr.ty), cx.kind(ty)) {
                (TypeKind::Pointer(p), TypeKind::Pointer(q)) => {
                    cx.kind(p) == TypeKind::Void
                        || cx.kind(q) == TypeKind::Void
                        || types::compatible_unqualified(cx.types(), p.ty(), q.ty())
                }
                (_, TypeKind::Pointer(_)) => is_null_pointer_constant(cx, expr),
                _ => false,
            };
        if matches {
            let value = convert(cx, expr, ty);
            return cast_node(cx, CastKind::ToUnion(index as u32), value, target);
        }
    }
    incompatible(cx, expr, to, context, loc)
}
