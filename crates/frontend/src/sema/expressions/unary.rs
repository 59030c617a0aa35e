//! Unary operators (C23 6.5.4), `++` and `--`.

use base::Loc;

use super::{LvalueUse, mark_updated, pointer, require_modifiable};
use crate::sema::constants::fold;
use crate::sema::{Sema, conversions, excess, lints, types};
use crate::tree::{BinaryOp, Category, Expr, ExprFlags, ExprKind, ExprRef, Ty, TypeKind, UnaryOp, Update};

/// Unary `+`, `-`, `~` on arithmetic and vector types.
pub fn arithmetic<'a>(cx: &mut Sema<'_, 'a>, op: char, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let operand = conversions::rvalue(cx, operand);
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    let ty = operand.ty.ty();
    if let Some(wide) = excess::unrounded(operand) {
        let node = arithmetic(cx, op, wide, loc);
        return excess::rounded(cx, node, ty);
    }
    let valid = match (cx.kind(ty), op) {
        (TypeKind::Vector { elem, .. }, '~') => cx.types().is_integer(elem),
        (TypeKind::Vector { .. }, _) => true,
        (TypeKind::Float(_), '~') => false,
        _ => cx.types().is_arithmetic(ty),
    };
    if !valid {
        let what = match op {
            '+' => "unary plus",
            '-' => "unary minus",
            _ => "bit-complement",
        };
        cx.error(loc, format!("wrong type argument to {what}"));
        return cx.error_expr(loc);
    }
    if cx.types().is_vector(ty) {
        return match op {
            '+' => operand,
            '-' => cx.value(ExprKind::Unary { op: UnaryOp::Neg, operand }, ty, loc),
            _ => cx.value(ExprKind::Unary { op: UnaryOp::Not, operand }, ty, loc),
        };
    }
    if op == '~' && cx.kind(ty) == TypeKind::Bool {
        lints::boolean_operand(cx, "'~' on", loc);
    }
    if op == '~' && cx.types().is_complex(ty) {
        cx.pedantic(loc, "ISO C does not support '~' for complex conjugation");
    }
    let operand = conversions::promote(cx, operand);
    let unary = match op {
        '+' => {
            let plain = cx.without_flags(operand, ExprFlags::NULL.with(ExprFlags::PAREN));
            return cx.arena.alloc(Expr { loc, ..*plain });
        }
        '-' => UnaryOp::Neg,
        _ => UnaryOp::Not,
    };
    if let Some(folded) = fold::unary(cx, unary, operand, loc) {
        return folded;
    }
    cx.value_written(ExprKind::Unary { op: unary, operand }, operand.ty.ty(), operand.written, loc)
}

/// `!operand`
pub fn logical_not<'a>(cx: &mut Sema<'_, 'a>, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let operand = conversions::rvalue(cx, operand);
    if !operand.is_error() && !cx.types().is_scalar(operand.ty.ty()) {
        cx.error(loc, "wrong type argument to unary exclamation mark");
        return cx.error_expr(loc);
    }
    let operand = conversions::truth_value(cx, operand, loc);
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    if let Some(folded) = fold::unary(cx, UnaryOp::LogicalNot, operand, loc) {
        return folded;
    }
    let node = cx.value(ExprKind::Unary { op: UnaryOp::LogicalNot, operand }, Ty::INT, loc);
    cx.with_flags(node, ExprFlags::TRUTH)
}

/// `__real__ operand`, `__imag__ operand`
pub fn part<'a>(cx: &mut Sema<'_, 'a>, op: UnaryOp, operand: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    if operand.is_error() {
        return operand;
    }
    let TypeKind::Complex(elem) = cx.kind(operand.ty) else {
        if !cx.types().is_arithmetic(operand.ty.ty()) {
            let word = if op == UnaryOp::Real { "__real" } else { "__imag" };
            cx.error(loc, format!("wrong type argument to {word}"));
            return cx.error_expr(loc);
        }
        if op == UnaryOp::Real {
            return operand;
        }
        let value = conversions::rvalue(cx, operand);
        let zero = cx.ice(0, Ty::INT, loc);
        let zero = conversions::convert(cx, zero, value.ty.ty());
        return if value.int_value().is_some() || matches!(value.kind, ExprKind::Float(_)) {
            zero
        } else {
            super::comma(cx, value, zero, loc)
        };
    };
    if let Some(wide) = excess::unrounded(operand) {
        let node = part(cx, op, wide, loc);
        return excess::rounded(cx, node, elem);
    }
    if operand.is_lvalue() {
        let elem = if cx.types().is_reversed(operand.ty.ty()) { cx.unit.types.with_reversed(elem) } else { elem };
        let ty = elem.plain().with(operand.ty.quals());
        return cx.expr(ExprKind::Unary { op, operand }, ty, Category::Element, loc);
    }
    if let Some(folded) = fold::unary(cx, op, operand, loc) {
        return folded;
    }
    if let ExprKind::ComplexBuild { re, im } = operand.kind
        && re.ty.ty() == elem
        && im.ty.ty() == elem
        && fold::constant_of(if op == UnaryOp::Real { im } else { re }).is_some()
    {
        return if op == UnaryOp::Real { re } else { im };
    }
    cx.value(ExprKind::Unary { op, operand }, elem, loc)
}

/// `++x`, `x++`, `--x`, `x--` (C23 6.5.3.5, 6.5.4.1).
pub fn increment<'a>(
    cx: &mut Sema<'_, 'a>,
    operand: ExprRef<'a>,
    decrement: bool,
    post: bool,
    loc: Loc,
) -> ExprRef<'a> {
    if operand.is_error() {
        return cx.error_expr(loc);
    }
    let use_ = if decrement { LvalueUse::Decrement } else { LvalueUse::Increment };
    let ty = cx.unit.types.with_native(operand.ty.ty());
    let word = if decrement { "decrement" } else { "increment" };
    match cx.kind(ty) {
        TypeKind::Pointer(_) | TypeKind::Vector { .. } => {}
        TypeKind::Enum(id) if !cx.types().enums[id].complete => {
            let name = cx.tname(operand.written.unqualified());
            cx.error(loc, format!("{word} of enumeration value of type {name}"));
            return cx.error_expr(loc);
        }
        TypeKind::Enum(_) => lints::enumeration_counted(cx, word, loc),
        TypeKind::Complex(_) => {
            cx.pedantic(
                loc,
                format!("ISO C does not support '{}' on complex types", if decrement { "--" } else { "++" }),
            );
        }
        TypeKind::Bool => {
            lints::boolean_operand(cx, if decrement { "decrement of" } else { "increment of" }, loc);
        }
        _ if cx.types().is_arithmetic(ty) => {}
        _ => {
            cx.error(loc, format!("wrong type argument to {word}"));
            return cx.error_expr(loc);
        }
    }
    if !require_modifiable(cx, operand, use_, loc) {
        return cx.error_expr(loc);
    }
    mark_updated(cx, operand);
    let plain = ty.plain();
    let old = cx.new_opaque();
    // The old value reads like a load of the operand, so that bit-field promotions apply.
    let old_value = cx.value_written(ExprKind::Opaque(old), plain.ty(), operand.written, loc);
    let one = cx.ice(1, Ty::INT, loc);
    let op = if decrement { BinaryOp::Sub } else { BinaryOp::Add };
    let value = match cx.kind(ty) {
        TypeKind::Pointer(_) => pointer::offset(cx, old_value, one, decrement, loc),
        // A boolean becomes 1 under ++ and flips under --.
        TypeKind::Bool if decrement => {
            let negated = logical_not(cx, old_value, loc);
            conversions::convert(cx, negated, Ty::BOOL)
        }
        // The 1 is of the appropriate type (C23 6.5.3.5): a bit-precise integer of less than an
        // `int`'s width, which is not promoted, wraps around in its own.
        TypeKind::BitInt { .. } => {
            let one = conversions::convert(cx, one, plain.ty());
            super::binary::arithmetic(cx, op, old_value, one, loc)
        }
        _ => super::binary::arithmetic(cx, op, old_value, one, loc),
    };
    if value.is_error() {
        return cx.error_expr(loc);
    }
    let value = conversions::convert(cx, value, ty);
    let update = cx.arena.alloc(Update { lhs: operand, rhs: None, old, value, op, post });
    cx.value_written(ExprKind::Update(update), ty, operand.written, loc)
}

/// `&&label` (GNU).
pub fn label_address<'a>(cx: &mut Sema<'_, 'a>, name: crate::tree::Name, loc: Loc) -> ExprRef<'a> {
    if cx.functions.is_empty() {
        let text = cx.str(name.symbol);
        cx.error(loc, format!("label '{text}' referenced outside of any function"));
        return cx.error_expr(loc);
    }
    cx.pedantic(loc, "taking the address of a label is non-standard");
    let label = crate::sema::labels::use_label(cx, name);
    let info = cx.label_mut(label);
    info.address_taken = true;
    info.used = true;
    if let Some((owner, label)) = info.outer
        && let Some(function) = cx.functions.iter_mut().find(|f| f.decl == owner)
    {
        function.labels[cranelift_entity::EntityRef::index(label)].address_taken = true;
    }
    cx.fun().flags.takes_label_address = true;
    let node = cx.value(ExprKind::LabelAddr(label), Ty::VOID_PTR, loc);
    cx.with_flags(node, ExprFlags::CONSTANT)
}

/// The type has the operations of an arithmetic or vector type.
pub fn is_arithmetic_like(cx: &Sema<'_, '_>, ty: Ty) -> bool {
    cx.types().is_arithmetic(ty) || cx.types().is_vector(ty)
}

/// Signed counterpart of the elements of a comparison's operands, for masks.
pub fn mask_element(cx: &Sema<'_, '_>, elem: Ty) -> Ty {
    let size = cx.types().size_of(elem).unwrap_or(4);
    types::int_of_size(size, true).unwrap_or(Ty::INT)
}
