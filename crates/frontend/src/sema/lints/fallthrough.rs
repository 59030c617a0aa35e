//! `-Wimplicit-fallthrough`: control that runs from one `case` into the next without saying so, by
//! the attribute `fallthrough` or by a comment (gcc manual, level 3).

use base::{Loc, warning};

use crate::sema::{Sema, flow};
use crate::tree::{DeclFlags, ExprKind, ExprRef, Stmt, StmtKind, TypeKind};

/// The statement from which control reaches the end of `stmts`, the part of a block that has been
/// read. As in gcc, something must stand before it where ways meet: a `case`, or the end of a
/// branch or loop.
pub fn falling_statement(cx: &Sema<'_, '_>, stmts: &[Stmt<'_>]) -> Option<Loc> {
    let start = stmts
        .iter()
        .rposition(|stmt| matches!(stmt.kind, StmtKind::Case(_)))
        .or_else(|| stmts.iter().rposition(joins))?;
    let tail = &stmts[start + 1..];
    // A label that stands before the `case` has the comment then.
    let labels = tail.iter().rev().take_while(|stmt| matches!(stmt.kind, StmtKind::Label(_)));
    if labels.last().is_some_and(|label| announced(cx, cx.sess.sources.spelling(label.loc))) {
        return None;
    }
    if flow::statements_fall_silently(cx, tail) { last_done(cx, tail) } else { None }
}

/// Where the last thing done by statements stands, which is what gcc's middle end has left of them.
/// Where that is a label or the end of a variable in memory, it has no place, and the first block
/// around it that declares something is named. An endless loop ends in its jump back, even if a
/// `break` leaves it: then nothing is said.
fn last_done(cx: &Sema<'_, '_>, mut stmts: &[Stmt<'_>]) -> Option<Loc> {
    let endless = |cond: Option<ExprRef<'_>>| cond.is_none_or(|cond| cond.int_value().is_some_and(|value| value != 0));
    let falls = |stmt: &Stmt<'_>| flow::statements_fall_silently(cx, std::slice::from_ref(stmt));
    let (mut scope, mut ends_variables) = (None, false);
    loop {
        let stmt = stmts.iter().rfind(|stmt| !does_nothing(stmt))?;
        // The block around it where it leaves a label behind.
        let joined = |loc: Loc| Some(scope.unwrap_or(loc));
        let own = |loc: Loc| if ends_variables { joined(loc) } else { Some(loc) };
        match stmt.kind {
            StmtKind::Block(block) => {
                stmts = block.stmts;
                if stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Decl(_))) {
                    scope = scope.or(Some(stmt.loc));
                    ends_variables |= stmts.iter().any(|stmt| is_in_memory(cx, stmt));
                }
            }
            StmtKind::Expr(expr) => match expr.kind {
                ExprKind::StmtExpr { result: Some(result), .. } => return own(result.loc),
                ExprKind::StmtExpr { body, result: None } => stmts = body,
                _ if !falls(stmt) => return None,
                ExprKind::Conditional { .. } | ExprKind::Logical { .. } => {
                    return joined(expr.loc);
                }
                _ => return own(expr.loc),
            },
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoComputed(_) => return None,
            StmtKind::Break(_) | StmtKind::Continue(_) => return None,
            StmtKind::If { arms, els: Some(els) } if !arms.iter().any(|arm| falls(arm.then)) => {
                stmts = std::slice::from_ref(els);
            }
            StmtKind::If { arms, .. } => return joined(arms.first().map_or(stmt.loc, |arm| arm.open)),
            StmtKind::DoWhile { body, cond } => {
                if cond.int_value() != Some(0) {
                    return joined(cond.loc);
                }
                stmts = std::slice::from_ref(body);
                if !flow::statements_fall_silently(cx, stmts) {
                    return None;
                }
            }
            StmtKind::While { cond, .. } => return if endless(Some(cond)) { None } else { joined(cond.loc) },
            StmtKind::For(parts) => return if endless(parts.cond) { None } else { joined(stmt.loc) },
            StmtKind::Switch(_) => return joined(stmt.loc),
            _ => return own(stmt.loc),
        }
    }
}

/// Declares a variable whose memory ends with its block.
fn is_in_memory(cx: &Sema<'_, '_>, stmt: &Stmt<'_>) -> bool {
    let StmtKind::Decl(local) = stmt.kind else { return false };
    let decl = &cx.unit.decls[local.decl];
    let whole = matches!(cx.kind(decl.ty), TypeKind::Array { .. } | TypeKind::Record(_));
    (whole || decl.flags.has(DeclFlags::ADDRESS_TAKEN)) && !decl.ty.quals().is_volatile()
}

/// Several ways lead to what follows.
fn joins(stmt: &Stmt<'_>) -> bool {
    use StmtKind::{DoWhile, For, If, Switch, While};
    matches!(stmt.kind, If { .. } | While { .. } | DoWhile { .. } | For(_) | Switch(_))
}

/// A statement that leaves no trace: one that is empty, a label, a block of such.
fn does_nothing(stmt: &Stmt<'_>) -> bool {
    match stmt.kind {
        StmtKind::Empty | StmtKind::Label(_) => true,
        StmtKind::Block(block) => block.stmts.iter().all(does_nothing),
        _ => false,
    }
}

/// Warns that `statement` falls into the label at `label`, unless a comment before the label says
/// that it is meant.
pub fn warn(cx: &mut Sema<'_, '_>, statement: Loc, label: Loc) {
    // In a macro, the comment stands before the label's own text: the ones before a use of the
    // macro say nothing.
    if announced(cx, cx.sess.sources.spelling(label)) {
        return;
    }
    cx.sess
        .warn(warning::IMPLICIT_FALLTHROUGH, statement, "this statement may fall through")
        .note(label, "here")
        .emit();
}

/// A comment before `label` announces the fall. Directives between them do not count.
fn announced(cx: &Sema<'_, '_>, label: Loc) -> bool {
    let data = cx.sess.sources.data();
    let Some(mut text) = data.text_before(label) else { return false };
    loop {
        text = text.trim_ascii_end();
        // The definition of a macro goes on in the next line.
        if let Some(spliced) = text.strip_suffix(b"\\") {
            text = spliced;
            continue;
        }
        if let Some(body) = text.strip_suffix(b"*/") {
            let Some(start) = body.windows(2).rposition(|two| two == b"/*") else { return false };
            if announces(&body[start + 2..]) {
                return true;
            }
            text = &text[..start];
            continue;
        }
        let line_start = text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = &text[line_start..];
        if line.trim_ascii_start().starts_with(b"#") {
            text = &text[..line_start];
            continue;
        }
        let Some(start) = line.windows(2).position(|two| two == b"//") else { return false };
        if announces(&line[start + 2..]) {
            return true;
        }
        text = &text[..line_start + start];
    }
}

/// The comment is one of the forms gcc knows: `fall through`, `FALLTHRU`, `Intentional
/// fall-through.`, `lint -fallthrough` ...
fn announces(comment: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(comment).to_lowercase();
    let mut text = lower.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!'));
    if matches!(text, "-fallthrough" | "@fallthrough@") || text.trim_start_matches("lint ").starts_with("-fallthrough")
    {
        return true;
    }
    for prefix in ["else, ", "else ", "intentionally ", "intentional "] {
        text = text.strip_prefix(prefix).unwrap_or(text);
    }
    let Some(rest) = text.strip_prefix("fall") else { return false };
    let rest = ["s ", " ", "-"].into_iter().find_map(|between| rest.strip_prefix(between)).unwrap_or(rest);
    let Some(rest) = rest.strip_prefix("through").or_else(|| rest.strip_prefix("thru")) else { return false };
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '!'));
    rest.is_empty() || rest.starts_with('-')
}
