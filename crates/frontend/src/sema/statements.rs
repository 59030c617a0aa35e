//! Statements (C23 6.8): what is left to check once the parser has their parts.

use base::{Loc, warning};
use platform::options::Standard;

use super::assignment_conversions::{self, AssignContext};
use super::scope::Tag;
use super::{Sema, conversions, expressions, lints};
use crate::tree::{
    CastKind, DeclFlags, DeclId, DeclKind, ExprKind, ExprRef, Linkage, Name, Stmt, StmtKind, StorageDuration, Ty,
    TypeKind,
};

/// `expression ;`
pub fn expression<'a>(cx: &mut Sema<'_, 'a>, expr: ExprRef<'a>, loc: Loc) -> Stmt<'a> {
    let expr = expressions::discard(cx, expr);
    if !expr.is_error() {
        lints::expression_statement(cx, expr, loc);
    }
    lints::statement_ends(cx);
    Stmt { kind: StmtKind::Expr(expr), loc }
}

/// `return;`, `return expression;`
pub fn return_<'a>(cx: &mut Sema<'_, 'a>, value: Option<ExprRef<'a>>, loc: Loc) -> Stmt<'a> {
    let ret = cx.fun().ret;
    let decl = cx.fun().decl;
    if cx.unit.decls[decl].flags.has(crate::tree::DeclFlags::NORETURN) {
        cx.sess.warn_always(loc, "function declared 'noreturn' has a 'return' statement").emit();
    }
    let void = cx.kind(ret) == TypeKind::Void;
    let value = match value {
        None => {
            if !void && !cx.types().is_error(ret.ty()) && cx.since(Standard::C99) {
                return_mismatch(cx, loc, "'return' with no value, in function returning non-void");
            }
            None
        }
        Some(value) if void => {
            let value = conversions::rvalue(cx, value);
            if value.is_error() {
                None
            } else if cx.kind(value.ty) == TypeKind::Void {
                cx.pedantic(value.loc, "ISO C forbids 'return' with expression, in function returning void");
                Some(value)
            } else {
                return_mismatch(cx, value.loc, "'return' with a value, in function returning void");
                Some(expressions::to_void(cx, value, loc))
            }
        }
        Some(value) => {
            cx.fun().returns_value = true;
            lints::value_returned(cx, value, ret);
            let written = cx.fun().ret_written;
            let value = assignment_conversions::assign_convert(cx, value, written, AssignContext::Return, value.loc);
            lints::full_expression(cx, value);
            Some(value)
        }
    };
    // A void expression is evaluated, then the function returns without a value.
    Stmt { kind: StmtKind::Return(value), loc }
}

/// `__attribute__((musttail)) return f(...);`: the call takes the place of the function's frame (as
/// in clang and gcc 15).
pub fn must_tail<'a>(cx: &mut Sema<'_, 'a>, stmt: &mut Stmt<'a>) {
    let StmtKind::Return(value) = stmt.kind else { return };
    let Some(mut call) = value else {
        return cx.error(stmt.loc, "cannot tail-call: return value must be a call");
    };
    if call.is_error() {
        return;
    }
    while let ExprKind::Cast { kind: CastKind::NoOp, operand } = call.kind {
        call = operand;
    }
    if !matches!(call.kind, ExprKind::Call { .. }) {
        return cx.error(stmt.loc, "cannot tail-call: return value must be a call");
    }
    let ret = cx.fun().ret;
    if cx.types().canonical(call.ty.ty()) != cx.types().canonical(ret.ty()) {
        return cx.error(call.loc, "cannot tail-call: the callee returns another type");
    }
    stmt.kind = StmtKind::Return(Some(cx.with_flags(call, crate::tree::ExprFlags::MUST_TAIL)));
}

/// A constraint violation that gcc reports always, under the flag's name only when the flag is on.
fn return_mismatch(cx: &mut Sema<'_, '_>, loc: Loc, message: &str) {
    let decl = cx.fun().decl;
    let declared = cx.unit.decls[decl].loc;
    let builder = if cx.sess.warning_enabled(warning::RETURN_TYPE, loc) {
        cx.sess.pedwarn(warning::RETURN_TYPE, loc, message)
    } else {
        cx.sess.pedwarn_always(loc, message)
    };
    builder.note(declared, "declared here").emit();
}

/// A loop or switch being parsed.
#[derive(Clone, Debug)]
pub struct Breakable {
    /// Not a switch.
    pub is_loop: bool,
    /// Its labels (C2Y 6.8.7).
    pub names: smallvec::SmallVec<[base::Symbol; 1]>,
}

/// `break;`, `break name;`
pub fn break_<'a>(cx: &mut Sema<'_, 'a>, name: Option<Name>, loc: Loc) -> Stmt<'a> {
    let inner = match name {
        Some(name) => named_statement(cx, name, "break"),
        None if cx.fun().breakables.is_empty() => {
            cx.error(loc, "break statement not within loop or switch");
            None
        }
        None => Some(0),
    };
    Stmt { kind: inner.map_or(StmtKind::Empty, StmtKind::Break), loc }
}

/// `continue;`, `continue name;`
pub fn continue_<'a>(cx: &mut Sema<'_, 'a>, name: Option<Name>, loc: Loc) -> Stmt<'a> {
    let inner = match name {
        Some(name) => named_statement(cx, name, "continue"),
        None => {
            let inner = cx.fun().breakables.iter().rev().position(|b| b.is_loop).map(|n| n as u32);
            if inner.is_none() {
                cx.error(loc, "continue statement not within a loop");
            }
            inner
        }
    };
    Stmt { kind: inner.map_or(StmtKind::Empty, StmtKind::Continue), loc }
}

/// How many loops and switches stand inside the one of that name.
fn named_statement(cx: &mut Sema<'_, '_>, name: Name, jump: &str) -> Option<u32> {
    cx.feature_of(Standard::C2Y, name.loc, &format!("'{jump}' with a label"));
    cx.fun().named_jumps = true;
    let found = cx.fun().breakables.iter().rev().position(|b| b.names.contains(&name.symbol));
    let suits =
        found.filter(|&n| jump == "break" || cx.fun().breakables.iter().rev().nth(n).is_some_and(|b| b.is_loop));
    match suits {
        Some(inner) => {
            super::labels::mark_used(cx, name.symbol);
            Some(inner as u32)
        }
        None => {
            let text = cx.str(name.symbol);
            let what = if jump == "break" { "loop or 'switch'" } else { "loop" };
            cx.error(name.loc, format!("'{jump}' statement operand '{text}' does not refer to a named {what}"));
            None
        }
    }
}

/// The end of a block: nested functions must have been defined by now.
pub fn leave_scope(cx: &mut Sema<'_, '_>) {
    let declared: smallvec::SmallVec<[DeclId; 16]> = cx.scopes.declared_here().collect();
    for id in declared {
        let decl = &cx.unit.decls[id];
        let undefined = !decl.flags.has(DeclFlags::DEFINED);
        if decl.kind == DeclKind::Function && decl.linkage == Linkage::None && undefined {
            let (loc, name) = (decl.loc, cx.dname(id));
            cx.error(loc, format!("nested function {name} declared but never defined"));
        } else {
            lints::scope_ends(cx, id);
        }
    }
}

/// The declaration in a `for` declares automatic objects only (C23 6.8.6 paragraph 3); they are
/// what the current scope holds.
pub fn for_declaration(cx: &mut Sema<'_, '_>) {
    let declared: smallvec::SmallVec<[crate::tree::DeclId; 4]> = cx.scopes.declared_here().collect();
    for id in declared {
        let (decl, name) = (cx.unit.decls[id], cx.dname(id));
        let what = match decl.kind {
            DeclKind::Variable if decl.duration == StorageDuration::Automatic => continue,
            DeclKind::Variable if decl.linkage == Linkage::None => "static variable",
            DeclKind::Variable => "'extern' variable",
            _ => "non-variable",
        };
        cx.error(decl.loc, format!("declaration of {what} {name} in 'for' loop initial declaration"));
    }
    for (tag, what) in cx.scopes.tags_here() {
        let tag = cx.str(tag);
        let (word, loc) = match what {
            Tag::Record(id) => (cx.types().records[id].kind.keyword(), cx.types().records[id].loc),
            Tag::Enum(id) => ("enum", cx.types().enums[id].loc),
        };
        cx.error(loc, format!("'{word} {tag}' declared in 'for' loop initial declaration"));
    }
}

/// The value of the variable that a selection statement's header declares instead of a condition
/// (C2Y 6.8.5.1).
pub fn declared_value<'a>(cx: &mut Sema<'_, 'a>, id: DeclId, loc: Loc) -> ExprRef<'a> {
    match cx.unit.decls[id].name {
        Some(symbol) => expressions::primary::identifier(cx, Name { symbol, loc }, false),
        None => cx.error_expr(loc),
    }
}

/// `goto *expression;` (GNU)
pub fn goto_computed<'a>(cx: &mut Sema<'_, 'a>, target: ExprRef<'a>, loc: Loc) -> Stmt<'a> {
    cx.pedantic(loc, "ISO C forbids 'goto *expr;'");
    let target = conversions::rvalue(cx, target);
    let target = match cx.kind(target.ty) {
        TypeKind::Pointer(_) | TypeKind::Error => target,
        _ => {
            cx.error(target.loc, "computed goto must be pointer type");
            cx.error_expr(loc)
        }
    };
    cx.fun().flags.computed_goto = true;
    Stmt { kind: StmtKind::GotoComputed(target), loc }
}

/// `({ ... })`: the last statement's value is the value of the whole (GNU).
pub fn statement_expression<'a>(
    cx: &mut Sema<'_, 'a>,
    stmts: &[Stmt<'a>],
    last: Option<ExprRef<'a>>,
    loc: Loc,
) -> ExprRef<'a> {
    cx.pedantic(loc, "ISO C forbids braced-groups within expressions");
    let body = cx.slice(stmts);
    let result = last.map(|e| conversions::rvalue(cx, e)).filter(|e| !e.is_error());
    if last.is_some() && result.is_none() {
        return cx.error_expr(loc);
    }
    let ty = result.map_or(Ty::VOID, |r| r.ty.ty());
    cx.value(ExprKind::StmtExpr { body, result }, ty, loc)
}

/// `_Static_assert(condition, message)`
pub fn static_assert(cx: &mut Sema<'_, '_>, cond: ExprRef<'_>, message: Option<&[u8]>, loc: Loc) {
    if cond.is_error() {
        return;
    }
    let message_text = message.map(|m| String::from_utf8_lossy(m).into_owned());
    if !cx.types().is_integer(cond.ty.ty()) {
        cx.error(cond.loc, "expression in static assertion is not an integer");
        return;
    }
    let Some(value) = super::constants::fold::truth(cond, cx) else {
        cx.error(cond.loc, "expression in static assertion is not constant");
        return;
    };
    if !cond.flags.has(crate::tree::ExprFlags::ICE) {
        cx.pedantic(cond.loc, "expression in static assertion is not an integer constant expression");
    }
    if !value {
        match message_text {
            Some(text) => cx.error(loc, format!("static assertion failed: \"{text}\"")),
            None => cx.error(loc, "static assertion failed"),
        }
    }
}
