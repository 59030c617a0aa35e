//! `-Wimplicit-fallthrough`: control that runs from one `case` into the next without saying so, by
//! the attribute `fallthrough` or by a comment (gcc manual, level 3).

use base::{Loc, warning};

use crate::sema::{Sema, flow};
use crate::tree::{Block, CastKind, DeclFlags, ExprKind, ExprRef, Stmt, StmtKind, TypeKind};

/// The statement from which control reaches the end of `stmts`, the part of a block that has been
/// read. As in gcc, something must stand before it where ways meet: a `case`, or the end of a
/// branch or loop. After a branch whose last way is nothing but `break`, gcc's search goes on at
/// the end of the switch, so that nothing is said of the labels that follow.
pub fn falling_statement<'a>(cx: &mut Sema<'_, 'a>, stmts: &[Stmt<'a>]) -> Option<Loc> {
    let start = stmts
        .iter()
        .rposition(|stmt| matches!(stmt.kind, StmtKind::Case(_)))
        .or_else(|| stmts.iter().rposition(joins))?;
    let tail = &stmts[start + 1..];
    let search_ends = tail.iter().any(|stmt| ends_in_break(stmt, 0));
    let switch = cx.fun().switches.last_mut()?;
    switch.fallthrough_searched |= search_ends;
    if switch.fallthrough_searched {
        return None;
    }
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
/// `break` leaves it: then nothing is said, unless such a block is around it.
fn last_done<'a>(cx: &Sema<'_, 'a>, mut stmts: &[Stmt<'a>]) -> Option<Loc> {
    let endless = |cond: Option<ExprRef<'_>>| cond.is_none_or(|cond| cond.int_value().is_some_and(|value| value != 0));
    let falls = |stmt: &Stmt<'_>| flow::statements_fall_silently(cx, std::slice::from_ref(stmt));
    let (mut scope, mut ends_variables) = (None, false);
    loop {
        let stmt = stmts.iter().rfind(|stmt| !does_nothing(cx, stmt))?;
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
            StmtKind::If { arms, els: Some(els) } => {
                let (last, before) = arms.split_last()?;
                let meeting = match before.iter().find(|arm| falls(arm.then)) {
                    None if only_breaks(els).is_some() && !does_nothing(cx, last.then) => {
                        stmts = std::slice::from_ref(last.then);
                        continue;
                    }
                    None if only_breaks(els).is_none() && !does_nothing(cx, els) && !falls(last.then) => {
                        stmts = std::slice::from_ref(els);
                        continue;
                    }
                    meeting => meeting.unwrap_or(last),
                };
                return joined(meeting.open);
            }
            StmtKind::If { arms, .. } => {
                let (last, before) = arms.split_last()?;
                return joined(before.iter().find(|arm| falls(arm.then)).unwrap_or(last).open);
            }
            StmtKind::DoWhile { body, cond } => {
                if cond.int_value() != Some(0) {
                    return if endless(Some(cond)) { scope } else { joined(cond.loc) };
                }
                stmts = std::slice::from_ref(body);
                if !flow::statements_fall_silently(cx, stmts) {
                    return None;
                }
            }
            StmtKind::While { cond, .. } => return if endless(Some(cond)) { scope } else { joined(cond.loc) },
            StmtKind::For(parts) => {
                let of_loop = parts.init.iter().any(|init| matches!(init.kind, StmtKind::Decl(_)));
                let scope = scope.or(of_loop.then_some(stmt.loc));
                let cond = parts.cond.filter(|&cond| !endless(Some(cond)));
                return scope.or(cond.map(|cond| cond.loc));
            }
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

/// What is left of an expression whose value is not used, where conditions are constant.
fn chosen<'a>(cx: &Sema<'_, 'a>, mut expr: ExprRef<'a>) -> ExprRef<'a> {
    loop {
        expr = match expr.kind {
            ExprKind::Cast { kind: CastKind::ToVoid, operand } => operand,
            ExprKind::Conditional { cond, then, els } => match flow::taken_arm(cx, [cond, then, els]) {
                Some(arm) => arm,
                None => return expr,
            },
            _ => return expr,
        };
    }
}

/// How many loops and switches the `break` that is all of a statement leaves before the one that it
/// is for.
fn only_breaks(stmt: &Stmt<'_>) -> Option<u32> {
    match stmt.kind {
        StmtKind::Break(over) => Some(over),
        StmtKind::Block(Block { stmts: [only], .. }) => only_breaks(only),
        _ => None,
    }
}

/// All that a branch does where its conditions are false is to leave a loop or switch around the
/// statement, which `inside` others stand in. Blocks with variables are not looked into, nor are
/// the other ways of the branch.
fn ends_in_break(stmt: &Stmt<'_>, inside: u32) -> bool {
    match stmt.kind {
        StmtKind::If { els: Some(els), .. } => {
            only_breaks(els).map_or_else(|| ends_in_break(els, inside), |over| over >= inside)
        }
        StmtKind::Block(block) => {
            !block.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Decl(_)))
                && block.stmts.iter().any(|stmt| ends_in_break(stmt, inside))
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => ends_in_break(body, inside + 1),
        StmtKind::For(parts) => ends_in_break(parts.body, inside + 1),
        _ => false,
    }
}

/// Several ways lead to what follows.
fn joins(stmt: &Stmt<'_>) -> bool {
    use StmtKind::{DoWhile, For, If, Switch, While};
    matches!(stmt.kind, If { .. } | While { .. } | DoWhile { .. } | For(_) | Switch(_))
}

/// A statement that leaves no trace: one that is empty, a label, a block of such,
/// `1 ? (void)0 : f()`.
fn does_nothing<'a>(cx: &Sema<'_, 'a>, stmt: &Stmt<'a>) -> bool {
    match stmt.kind {
        StmtKind::Expr(expr) => matches!(chosen(cx, expr).kind, ExprKind::Int(_)),
        StmtKind::Empty | StmtKind::Label(_) => true,
        StmtKind::Block(block) => block.stmts.iter().all(|stmt| does_nothing(cx, stmt)),
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
