//! Where control goes: whether it may reach the end of statements.

use super::Sema;
use crate::tree::{CastKind, ExprKind, ExprRef, Initializer, Stmt, StmtKind, UnaryOp};

/// What is asked of statements.
#[derive(Clone, Copy)]
struct Flow<'s, 'x, 'a> {
    cx: &'s Sema<'x, 'a>,
    /// `fallthrough;` counts as an end of the flow of control.
    fallthrough_ends: bool,
}

/// Control may reach the end of a list of statements. Approximate in the direction of "may not":
/// calls of functions that do not return, infinite loops without `break` and jumps end a list; a
/// label makes what follows reachable again.
pub fn statements_fall_through(cx: &Sema<'_, '_>, stmts: &[Stmt<'_>]) -> bool {
    list_falls_through(Flow { cx, fallthrough_ends: false }, stmts, true)
}

/// The same where `fallthrough;` counts as an end.
pub fn statements_fall_silently(cx: &Sema<'_, '_>, stmts: &[Stmt<'_>]) -> bool {
    list_falls_through(Flow { cx, fallthrough_ends: true }, stmts, true)
}

/// The same where control may reach the beginning or not.
fn list_falls_through(flow: Flow<'_, '_, '_>, stmts: &[Stmt<'_>], reachable: bool) -> bool {
    let mut reachable = reachable;
    for stmt in stmts {
        match stmt.kind {
            StmtKind::Label(_) | StmtKind::Case(_) => reachable = true,
            _ if !reachable && !contains_target(stmt) => {}
            StmtKind::If { arms, els } if !reachable => {
                // Only labels lead into it.
                let mut inside = arms.iter().map(|arm| arm.then).chain(els).filter(|arm| contains_target(arm));
                reachable = inside.any(|arm| falls_through(flow, arm));
            }
            _ => reachable = falls_through(flow, stmt),
        }
    }
    reachable
}

/// A label inside the statement can be jumped to.
fn contains_target(stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Label(_) | StmtKind::Case(_) => true,
        StmtKind::Block(block) => block.stmts.iter().any(contains_target),
        StmtKind::If { arms, els } => arms.iter().any(|a| contains_target(a.then)) || els.is_some_and(contains_target),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => contains_target(body),
        StmtKind::For(f) => contains_target(f.body),
        StmtKind::Switch(s) => contains_target(s.body),
        _ => false,
    }
}

fn falls_through(flow: Flow<'_, '_, '_>, stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_) => false,
        StmtKind::Expr(expr) => !never_returns(flow, expr),
        StmtKind::Decl(local) => match local.init {
            Some(&Initializer::Value(value)) => !never_returns(flow, value),
            _ => true,
        },
        StmtKind::Fallthrough => !flow.fallthrough_ends,
        StmtKind::Block(block) => list_falls_through(flow, block.stmts, true),
        StmtKind::If { arms, els } => {
            let mut any = false;
            for arm in arms {
                match constant_condition(flow, arm.cond, CONDITION_DEPTH) {
                    Some(false) => any |= contains_target(arm.then) && falls_through(flow, arm.then),
                    Some(_) => return any || falls_through(flow, arm.then),
                    None => any |= falls_through(flow, arm.then),
                }
            }
            any || els.is_none_or(|e| falls_through(flow, e))
        }
        StmtKind::While { cond, body } => !is_always_true(flow, cond) || has_break(flow, body),
        StmtKind::DoWhile { body, cond } => {
            has_break(flow, body)
                || (!is_always_true(flow, cond) && (falls_through(flow, body) || has_continue(flow, body)))
        }
        StmtKind::For(f) => f.cond.is_some_and(|cond| !is_always_true(flow, cond)) || has_break(flow, f.body),
        StmtKind::Switch(s) => {
            let body = std::slice::from_ref(s.body);
            let body = if let StmtKind::Block(block) = s.body.kind { block.stmts } else { body };
            s.default.is_none() && !covers_all(flow, s)
                || has_break(flow, s.body)
                || list_falls_through(flow, body, false)
        }
        StmtKind::Asm(asm) => asm.labels.is_empty() || !asm.template.is_empty(),
        _ => true,
    }
}

/// Operators that are looked through for the value of a condition.
const CONDITION_DEPTH: u32 = 64;

fn is_always_true(flow: Flow<'_, '_, '_>, cond: ExprRef<'_>) -> bool {
    constant_condition(flow, cond, CONDITION_DEPTH) == Some(true)
}

/// The value of a condition if it is the same always: also `x && 0` and the address of an object.
fn constant_condition(flow: Flow<'_, '_, '_>, cond: ExprRef<'_>, depth: u32) -> Option<bool> {
    if depth == 0 {
        return None;
    }
    let sub = |expr| constant_condition(flow, expr, depth - 1);
    match cond.kind {
        ExprKind::Cast { kind: CastKind::ToBool | CastKind::NoOp | CastKind::Pointer, operand } => sub(operand),
        ExprKind::Cast { kind: CastKind::ArrayToPointer | CastKind::FunctionToPointer, operand }
        | ExprKind::AddrOf(operand) => match operand.kind {
            ExprKind::String(_) => Some(true),
            ExprKind::Decl(id) => {
                (!flow.cx.unit.attrs(id).is_some_and(|a| a.flags.has(crate::tree::AttrFlags::WEAK))).then_some(true)
            }
            _ => None,
        },
        ExprKind::Logical { and, lhs, rhs } => match (sub(lhs), sub(rhs)) {
            (Some(a), _) | (_, Some(a)) if a != and => Some(a),
            (Some(_), Some(_)) => Some(and),
            _ => None,
        },
        ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => sub(operand).map(|value| !value),
        ExprKind::Comma { rhs, .. } => sub(rhs),
        _ => super::constants::fold::truth(cond, flow.cx),
    }
}

/// The constant value of an operand's condition. What falls through is looked for by gcc in code in
/// which conditions with effects stand as they were written.
fn folded_condition(flow: Flow<'_, '_, '_>, cond: ExprRef<'_>) -> Option<bool> {
    let value = constant_condition(flow, cond, CONDITION_DEPTH)?;
    (!flow.fallthrough_ends || !has_effects(flow, cond, CONDITION_DEPTH)).then_some(value)
}

/// Something is done where a condition is evaluated.
fn has_effects(flow: Flow<'_, '_, '_>, cond: ExprRef<'_>, depth: u32) -> bool {
    match cond.kind {
        ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } if depth > 0 => {
            has_effects(flow, operand, depth - 1)
        }
        ExprKind::Logical { and, lhs, rhs } if depth > 0 => {
            let left_decides = constant_condition(flow, lhs, CONDITION_DEPTH) == Some(!and);
            has_effects(flow, lhs, depth - 1) || !left_decides && has_effects(flow, rhs, depth - 1)
        }
        _ => crate::tree::walk::has_side_effects(cond),
    }
}

/// The arm that is left of a choice for `-Wimplicit-fallthrough`.
pub fn taken_arm<'a>(cx: &Sema<'_, 'a>, [cond, then, els]: [ExprRef<'a>; 3]) -> Option<ExprRef<'a>> {
    let value = folded_condition(Flow { cx, fallthrough_ends: true }, cond)?;
    Some(if value { then } else { els })
}

/// The labels cover every value of the controlling expression, or the one it always has.
fn covers_all(flow: Flow<'_, '_, '_>, switch: &crate::tree::Switch<'_>) -> bool {
    let mut cond = switch.cond;
    if let Some(value) = cond.int_value() {
        return switch.cases.iter().any(|case| (case.low..=case.high).contains(&value));
    }
    while let ExprKind::Cast { kind: CastKind::Integral, operand } = cond.kind {
        cond = operand;
    }
    let Some(info) = flow.cx.types().int_info(cond.ty.ty()).filter(|info| info.bits <= 64) else { return false };
    let most = (1i128 << (info.bits - u32::from(info.signed))) - 1;
    let mut next = if info.signed { -most - 1 } else { 0 };
    for case in switch.cases {
        if case.low > next {
            return false;
        }
        next = next.max(case.high + 1);
    }
    next > most
}

fn never_returns(flow: Flow<'_, '_, '_>, expr: ExprRef<'_>) -> bool {
    expression_ends(flow, expr, true)
}

/// Whether control does not leave the expression; `statements` to look into statement expressions.
fn expression_ends(flow: Flow<'_, '_, '_>, expr: ExprRef<'_>, statements: bool) -> bool {
    use crate::tree::Builtin;
    let never_returns = |flow: Flow<'_, '_, '_>, expr: ExprRef<'_>| expression_ends(flow, expr, statements);
    match expr.kind {
        ExprKind::Call { callee, args } => {
            super::calls::is_noreturn(flow.cx, callee) || args.iter().any(|arg| never_returns(flow, arg))
        }
        ExprKind::Assign { rhs, .. } => never_returns(flow, rhs),
        ExprKind::Unary { operand, .. } => never_returns(flow, operand),
        ExprKind::Builtin { builtin, .. } => {
            matches!(builtin, Builtin::Unreachable | Builtin::Trap | Builtin::Longjmp | Builtin::EhReturn)
        }
        ExprKind::Cast { operand, .. } => never_returns(flow, operand),
        ExprKind::Comma { lhs, rhs } => never_returns(flow, lhs) || never_returns(flow, rhs),
        ExprKind::Logical { and, lhs, rhs } => {
            let both = folded_condition(flow, lhs) == Some(and);
            never_returns(flow, lhs) || both && never_returns(flow, rhs)
        }
        ExprKind::StmtExpr { body, result } if statements => {
            !list_falls_through(flow, body, true) || result.is_some_and(|r| never_returns(flow, r))
        }
        ExprKind::Conditional { cond, then, els } => match folded_condition(flow, cond) {
            Some(false) => never_returns(flow, els),
            Some(true) => never_returns(flow, then),
            None => never_returns(flow, cond) || (never_returns(flow, then) && never_returns(flow, els)),
        },
        _ => false,
    }
}

/// Whether a `break` or `continue` inside the statement is one of the loop or switch around it and
/// `inner` others. Only named ones pass over inner loops. One after a statement that obviously ends
/// is not reached.
fn jumps_out(flow: Flow<'_, '_, '_>, stmt: &Stmt<'_>, inner: u32, named: bool, is_continue: bool) -> bool {
    let sub = |stmt: &Stmt<'_>, inner: u32| jumps_out(flow, stmt, inner, named, is_continue);
    match stmt.kind {
        StmtKind::Block(block) => {
            let mut reachable = true;
            block.stmts.iter().any(|s| {
                reachable = reachable || contains_target(s);
                let jumps = reachable && sub(s, inner);
                reachable &= !obviously_ends(flow, s);
                jumps
            })
        }
        StmtKind::If { arms, els } => {
            let dead = |arm: &crate::tree::IfArm<'_>| {
                constant_condition(flow, arm.cond, CONDITION_DEPTH) == Some(false) && !contains_target(arm.then)
            };
            arms.iter().any(|a| !dead(a) && sub(a.then, inner)) || els.is_some_and(|e| sub(e, inner))
        }
        StmtKind::Switch(s) => (named || is_continue) && sub(s.body, inner + 1),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => named && sub(body, inner + 1),
        StmtKind::For(f) => named && sub(f.body, inner + 1),
        StmtKind::Break(over) => !is_continue && over == inner,
        StmtKind::Continue(over) => is_continue && over == inner,
        _ => false,
    }
}

/// The opposite of [`falls_through`], for statements that are not nested deeply.
fn obviously_ends(flow: Flow<'_, '_, '_>, stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Expr(expr) => expression_ends(flow, expr, false),
        _ => is_shallow(stmt, MAX_NESTING) && !falls_through(flow, stmt),
    }
}

/// Statements nested deeper than this are not looked through for a `break` that is not reached:
/// each level of loops doubles the work.
const MAX_NESTING: u32 = 8;

/// Whether statements stand in each other at most `levels` deep.
fn is_shallow(stmt: &Stmt<'_>, levels: u32) -> bool {
    let sub = |stmt: &Stmt<'_>| levels > 0 && is_shallow(stmt, levels - 1);
    match stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().all(sub),
        StmtKind::If { arms, els } => arms.iter().all(|a| sub(a.then)) && els.is_none_or(sub),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => sub(body),
        StmtKind::For(f) => sub(f.body),
        StmtKind::Switch(s) => sub(s.body),
        _ => true,
    }
}

fn has_break(flow: Flow<'_, '_, '_>, body: &Stmt<'_>) -> bool {
    jumps_out(flow, body, 0, flow.cx.functions.last().is_some_and(|f| f.named_jumps), false)
}

fn has_continue(flow: Flow<'_, '_, '_>, body: &Stmt<'_>) -> bool {
    jumps_out(flow, body, 0, flow.cx.functions.last().is_some_and(|f| f.named_jumps), true)
}
