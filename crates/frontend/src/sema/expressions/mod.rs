//! Semantic actions of expressions (C23 6.5), one file per group of operators.

pub mod assign;
pub mod binary;
pub mod cast;
pub mod compare;
pub mod describe;
pub mod generic;
pub mod member;
pub mod pointer;
pub mod primary;
pub mod sizes;
pub mod unary;
pub mod vector;

use base::Loc;

use super::{Sema, conversions, lints};
use crate::lex::{Token, TokenKind};
use crate::tree::{
    CastKind, Category, DeclFlags, DeclId, Expr, ExprFlags, ExprKind, ExprRef, QualType, Ty, TypeKind, VlaBound,
};

/// `( expression )`; a number is where the parenthesis opens, as in gcc, whose constants have no
/// place of their own. Characters and enumerators stay where warnings look at their text. `first`
/// is the token after the parenthesis.
pub fn paren<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, open: Loc, first: Token) -> ExprRef<'a> {
    let expr = cx.with_flags(expr, ExprFlags::PAREN);
    if !matches!(expr.kind, ExprKind::Int(_) | ExprKind::Wide(_) | ExprKind::Float(_)) {
        return expr;
    }
    let is_name = if expr.loc == first.loc {
        !first.is(TokenKind::Number) && !first.kind.is_punctuator()
    } else {
        let byte = cx.sess.sources.byte_at(expr.loc).unwrap_or(b'a');
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\'') || !byte.is_ascii()
    };
    if is_name { expr } else { cx.moved_to(expr, open) }
}

/// `lhs, rhs` (C23 6.5.18).
pub fn comma<'a>(cx: &mut Sema<'_, 'a>, lhs: ExprRef<'a>, rhs: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let lhs = discard(cx, lhs);
    // In C90 (6.2.2.1) an array that is no lvalue stays one, which only `sizeof` can show.
    let stays_array = cx.unevaluated > 0
        && !cx.since(platform::options::Standard::C99)
        && rhs.cat == Category::Rvalue
        && cx.types().is_array(rhs.ty.ty());
    let rhs = if stays_array { rhs } else { conversions::rvalue(cx, rhs) };
    if lhs.is_error() || rhs.is_error() {
        return cx.error_expr(loc);
    }
    lints::comma(cx, lhs, loc);
    let value = super::excess::unrounded(rhs).unwrap_or(rhs);
    let node = cx.value_written(ExprKind::Comma { lhs, rhs: value }, value.ty.ty(), value.written, loc);
    super::excess::rounded(cx, node, rhs.ty.ty())
}

/// An expression evaluated for its effects only: lvalues are read if they are volatile, otherwise
/// left alone.
pub fn discard<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>) -> ExprRef<'a> {
    if expr.is_lvalue() && !expr.ty.quals().is_volatile() && !cx.types().is_array(expr.ty.ty()) {
        if cx.kind(expr.ty) == TypeKind::Void {
            return conversions::rvalue(cx, expr);
        }
        if !cx.types().is_incomplete(expr.ty.ty()) {
            conversions::mark_referenced(cx, expr);
            return expr;
        }
    }
    if expr.is_lvalue() && expr.ty.quals().is_volatile() && cx.types().is_incomplete(expr.ty.ty()) {
        return expr;
    }
    if expr.cat == Category::Rvalue && !cx.types().is_array(expr.ty.ty()) {
        return expr;
    }
    conversions::rvalue(cx, expr)
}

/// An expression as a full expression statement's value, converted to `void`.
pub fn to_void<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> ExprRef<'a> {
    let expr = discard(cx, expr);
    if cx.kind(expr.ty) == TypeKind::Void || expr.is_error() {
        return expr;
    }
    cx.value(ExprKind::Cast { kind: CastKind::ToVoid, operand: expr }, Ty::VOID, loc)
}

/// Wraps `value` so that `bounds` are evaluated first, if there are any.
pub fn with_bounds<'a>(cx: &mut Sema<'_, 'a>, bounds: Vec<VlaBound<'a>>, value: ExprRef<'a>) -> ExprRef<'a> {
    if bounds.is_empty() || value.is_error() {
        return value;
    }
    let bounds = cx.slice(&bounds);
    cx.arena.alloc(Expr { kind: ExprKind::WithBounds { bounds, value }, ..*value })
}

/// An lvalue that can be assigned to (C23 6.3.2.1 paragraph 1). Reports what is wrong with others;
/// `use_` is gcc's word.
pub fn require_modifiable(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, use_: LvalueUse, loc: Loc) -> bool {
    if expr.is_error() {
        return false;
    }
    if !expr.is_lvalue() {
        let message = match use_ {
            LvalueUse::Assign => "lvalue required as left operand of assignment",
            LvalueUse::Increment => "lvalue required as increment operand",
            LvalueUse::Decrement => "lvalue required as decrement operand",
            LvalueUse::AsmOutput => "lvalue required in 'asm' statement",
        };
        cx.error(loc, message);
        return false;
    }
    if cx.types().is_array(expr.ty.ty()) {
        cx.error(loc, "assignment to expression with array type");
        return false;
    }
    if use_ != LvalueUse::AsmOutput && expr.decl().is_some_and(|id| is_stack_pointer(cx, id)) {
        cx.error(loc, "not supported: assigning to the stack pointer");
        return false;
    }
    if super::types::is_read_only(cx.types(), expr.ty) {
        let element = matches!(expr.kind, ExprKind::VectorElement { .. });
        report_read_only(cx, expr, use_, loc, element);
        return element;
    }
    true
}

/// A variable bound to the stack pointer: `register T x asm("rsp")`.
fn is_stack_pointer(cx: &Sema<'_, '_>, id: DeclId) -> bool {
    let decl = &cx.unit.decls[id];
    decl.flags.has(DeclFlags::REGISTER) && decl.asm_name.is_some_and(|name| super::asm::is_stack_pointer(cx.str(name)))
}

/// What is done to an lvalue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LvalueUse {
    /// `=` and compound assignments.
    Assign,
    /// `++`
    Increment,
    /// `--`
    Decrement,
    /// Output operand of `asm`.
    AsmOutput,
}

/// An element of a `const` vector gets a warning only, as in gcc.
fn report_read_only(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>, use_: LvalueUse, loc: Loc, element: bool) {
    let what = match use_ {
        LvalueUse::Assign => "assignment of",
        LvalueUse::Increment => "increment of",
        LvalueUse::Decrement => "decrement of",
        LvalueUse::AsmOutput => "read-only location used as 'asm' output:",
    };
    let message = match expr.kind {
        ExprKind::Decl(id) => {
            let name = cx.dname(id);
            let kind = match cx.unit.decls[id].kind {
                crate::tree::DeclKind::Parameter => "parameter",
                _ => "variable",
            };
            format!("{what} read-only {kind} {name}")
        }
        ExprKind::Member { record, field, .. } => {
            let name = cx.types().records[record].field(field).name.map_or("", |n| cx.str(n));
            format!("{what} read-only member '{name}'")
        }
        _ => format!("{what} read-only location '{}'", describe::text(cx, expr)),
    };
    match element {
        true => cx.sess.warn_always(loc, message).emit(),
        false => cx.sess.error(loc, message).emit(),
    };
}

/// Notes that an lvalue's object is written.
pub fn mark_set(cx: &mut Sema<'_, '_>, lvalue: ExprRef<'_>) {
    lints::changed(cx, lvalue);
    if let Some(id) = conversions::root_object(lvalue).decl()
        && cx.unevaluated == 0
    {
        cx.unit.decls[id].flags.set(crate::tree::DeclFlags::SET);
    }
}

/// The object of `++`, `+=` and the like: its old value is read, which is a use as gcc counts.
pub fn mark_updated(cx: &mut Sema<'_, '_>, lvalue: ExprRef<'_>) {
    mark_set(cx, lvalue);
    if let Some(id) = conversions::root_object(lvalue).decl() {
        cx.unit.decls[id].flags.set(crate::tree::DeclFlags::MENTIONED);
    }
}

/// An lvalue of an unqualified or qualified type at an address.
pub fn deref_node<'a>(cx: &Sema<'_, 'a>, pointer: ExprRef<'a>, ty: QualType, loc: Loc) -> ExprRef<'a> {
    let cat = if cx.types().is_function(ty.ty()) { Category::Function } else { Category::Lvalue };
    let written = cx.types().pointee(pointer.written.ty()).unwrap_or(ty);
    cx.expr_written(ExprKind::Deref(pointer), (ty, written), cat, loc)
}

/// Like [`with_bounds`] for a compound literal, which stays an lvalue: the bounds are evaluated
/// with its initialiser.
pub fn with_bounds_lvalue<'a>(cx: &mut Sema<'_, 'a>, bounds: Vec<VlaBound<'a>>, literal: ExprRef<'a>) -> ExprRef<'a> {
    if bounds.is_empty() || literal.is_error() {
        return literal;
    }
    // A compound literal may point to variable-length arrays but cannot be one; its address carries
    // the bounds.
    let ty = cx.pointer_to(literal.ty);
    let address = cx.value(ExprKind::AddrOf(literal), ty, literal.loc);
    let address = with_bounds(cx, bounds, address);
    deref_node(cx, address, literal.ty, literal.loc)
}
