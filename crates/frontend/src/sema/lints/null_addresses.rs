//! `-Waddress`: addresses that are never null, as truth values and compared with null (gcc's
//! `c_common_truthvalue_conversion` and `maybe_warn_for_null_address`).
//!
//! The first use of an object's address as a truth value is reported wherever it stands; everything
//! else only out of macros.

use base::{Loc, warning};

use crate::sema::Sema;
use crate::sema::expressions::describe;
use crate::tree::{
    AttrFlags, BinaryOp, CastKind, DeclFlags, DeclId, ElementSize, ExprKind, ExprRef, TypeKind, UnaryOp,
};

/// Arms of conditionals that are looked at for one truth value.
const MAX_ARMS: usize = 64;

/// What is never at address zero.
enum Target {
    /// An object or function; `element`: a part of it is what is asked for.
    Object { id: DeclId, element: bool },
    /// A member or label: its name and where it is declared.
    Named(String, Loc),
    /// A part of a complex number.
    Part(String),
    /// A sum of a pointer and a number.
    Sum(String),
}

/// Checks a scalar that is used as a truth value; `loc` is where gcc reports it.
pub fn check_truth<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) {
    if !is_address(expr) || !cx.sess.diag.is_on_somewhere(warning::ADDRESS) {
        return;
    }
    let mut work = vec![expr];
    let mut left = MAX_ARMS;
    while let Some(expr) = work.pop() {
        if let ExprKind::Conditional { then, els, .. } = expr.kind {
            left = left.saturating_sub(1);
            if left > 0 {
                work.extend([els, then]);
            }
            continue;
        }
        let Some(target) = target_of(cx, expr) else { continue };
        if let Target::Object { id, element: false } = target
            && !may_be_absent(cx, id)
            && cx.unit_lints.told_addresses.insert(id)
        {
            let name = cx.dname(id);
            cx.warn(warning::ADDRESS, loc, format!("the address of {name} will always evaluate as 'true'"));
            continue;
        }
        report(cx, target, true, loc);
    }
}

/// Checks a comparison of a pointer with null.
pub fn check_comparison<'a>(cx: &mut Sema<'_, 'a>, op: BinaryOp, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) {
    if !op.is_equality() {
        return;
    }
    let other = match (lhs.int_value(), rhs.int_value()) {
        (None, Some(0)) => lhs,
        (Some(0), None) => rhs,
        _ => return,
    };
    if is_address(other)
        && cx.sess.diag.is_on_somewhere(warning::ADDRESS)
        && let Some(target) = target_of(cx, other)
    {
        report(cx, target, op == BinaryOp::Ne, loc);
    }
}

/// A quick look: most pointers are loaded from somewhere.
fn is_address(expr: ExprRef<'_>) -> bool {
    match expr.kind {
        ExprKind::Cast { kind, .. } => kind != CastKind::LvalueToRvalue,
        ExprKind::AddrOf(_) | ExprKind::PtrAdd { .. } | ExprKind::Conditional { .. } | ExprKind::LabelAddr(_) => true,
        _ => false,
    }
}

/// The symbol may have no definition anywhere.
fn may_be_absent(cx: &Sema<'_, '_>, id: DeclId) -> bool {
    let flags = cx.unit.decls[id].flags;
    let here = [DeclFlags::DEFINED, DeclFlags::TENTATIVE, DeclFlags::ALIAS].iter().any(|&flag| flags.has(flag));
    cx.unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::WEAK) && (!here || a.flags.has(AttrFlags::WEAKREF)))
}

fn report(cx: &Sema<'_, '_>, target: Target, outcome: bool, loc: Loc) {
    if cx.sess.sources.is_macro(loc) {
        return;
    }
    let (what, declared) = match target {
        Target::Object { id, element: false } if may_be_absent(cx, id) => return,
        Target::Object { id, .. } => {
            (format!("address of {} will never be NULL", cx.dname(id)), Some((cx.dname(id), cx.unit.decls[id].loc)))
        }
        Target::Named(name, loc) => {
            (format!("address of '{name}' will never be NULL"), Some((format!("'{name}'"), loc)))
        }
        Target::Part(text) => (format!("address of '{text}' will never be NULL"), None),
        Target::Sum(text) => (format!("pointer operand in '{text}' must not be NULL"), None),
    };
    let message = format!("the comparison will always evaluate as '{outcome}' for the {what}");
    let mut builder = cx.sess.warn(warning::ADDRESS, loc, message);
    if let Some((name, declared)) = declared.filter(|declared| !declared.1.is_none()) {
        builder = builder.note(declared, format!("{name} declared here"));
    }
    builder.emit();
}

/// What an address leads to, if it cannot be null.
fn target_of<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<Target> {
    let mut address = expr;
    while let ExprKind::Cast { kind: CastKind::Pointer | CastKind::NoOp, operand } = address.kind {
        address = operand;
    }
    let mut object = match address.kind {
        ExprKind::LabelAddr(label) => {
            let function = cx.functions.last()?;
            let info = function.labels.get(cranelift_entity::EntityRef::index(label))?;
            return Some(Target::Named(cx.str(info.name).to_string(), Loc::NONE));
        }
        ExprKind::PtrAdd { .. } => return sum(cx, address),
        ExprKind::AddrOf(operand)
        | ExprKind::Cast { kind: CastKind::ArrayToPointer | CastKind::FunctionToPointer, operand } => operand,
        _ => return None,
    };
    // `&array[0]` is the array's conversion at the place of the `&`.
    let mut element =
        matches!(address.kind, ExprKind::Cast { kind: CastKind::ArrayToPointer, .. }) && address.loc != object.loc;
    loop {
        match object.kind {
            ExprKind::Member { record, field, .. } => {
                let field = cx.types().records[record].field(field);
                return Some(Target::Named(cx.str(field.name?).to_string(), field.loc));
            }
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, .. } => {
                return Some(Target::Part(describe::text(cx, object)));
            }
            ExprKind::Decl(id) => return Some(Target::Object { id, element }),
            ExprKind::Deref(pointer) => match pointer.kind {
                ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => object = operand,
                ExprKind::PtrAdd { ptr, .. } => match ptr.kind {
                    ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => object = operand,
                    _ => return sum(cx, pointer),
                },
                _ => return None,
            },
            _ => return None,
        }
        element = true;
    }
}

/// Whether the sum of a pointer and a number was written with brackets.
pub(super) fn is_subscript(cx: &Sema<'_, '_>, sum: ExprRef<'_>) -> bool {
    let data = cx.sess.sources.data();
    data.text_from(sum.loc).is_some_and(|text| !matches!(text.first(), Some(b'+' | b'-')))
}

/// `pointer + number`, or the element of an array, whose name says more.
fn sum<'a>(cx: &Sema<'_, 'a>, expr: ExprRef<'a>) -> Option<Target> {
    let ExprKind::PtrAdd { ptr, index, size, negate } = expr.kind else { return None };
    let void = cx.types().pointee(expr.ty.ty()).is_some_and(|pointee| cx.kind(pointee) == TypeKind::Void);
    if index.int_value() == Some(0) || void {
        return None;
    }
    let array = match ptr.kind {
        ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => Some(operand),
        _ => None,
    };
    if let Some(array) = array.filter(|_| is_subscript(cx, expr)) {
        return match array.kind {
            ExprKind::Decl(id) => Some(Target::Object { id, element: true }),
            _ => target_of(cx, ptr),
        };
    }
    let base = match array {
        Some(array) if matches!(array.kind, ExprKind::String(_)) => format!("(char *){}", describe::text(cx, array)),
        Some(array) => {
            let ty = cx.type_text(ptr.written);
            format!("({ty})&{}", describe::text(cx, array))
        }
        None => describe::text(cx, ptr),
    };
    let offset = match (index.int_value(), size) {
        (Some(index), ElementSize::Constant(size)) => {
            let bytes = index.saturating_mul(size as i128);
            (if negate { -bytes } else { bytes }).to_string()
        }
        (_, size) => {
            let text = describe::text(cx, index);
            let text = match size {
                ElementSize::Constant(1) => format!("(sizetype){text}"),
                ElementSize::Constant(size) => format!("(sizetype)((long unsigned int){text} * {size})"),
                ElementSize::Variable(_) => format!("(sizetype)({text})"),
            };
            if negate { format!("-{text}") } else { text }
        }
    };
    Some(Target::Sum(format!("{base} + {offset}")))
}
