//! `-Wimplicit-fallthrough`: control that runs from one `case` into the next without saying so, by the attribute `fallthrough` or by a
//! comment (gcc manual, level 3).

use base::{Loc, warning};

use super::{Sema, functions};
use crate::tree::{Stmt, StmtKind};

/// The statement from which control reaches the end of `stmts`, the part of a block that has been read, if a `case` stands before it.
pub fn falling_statement(cx: &mut Sema<'_, '_>, stmts: &[Stmt<'_>]) -> Option<Loc> {
    let label = stmts.iter().rposition(|stmt| matches!(stmt.kind, StmtKind::Case(_)))?;
    let tail = &stmts[label + 1..];
    let last = tail.iter().rfind(|stmt| !matches!(stmt.kind, StmtKind::Empty | StmtKind::Label(_)))?;
    cx.fallthrough_ends = true;
    let falls = functions::statements_fall_through(cx, tail);
    cx.fallthrough_ends = false;
    falls.then(|| innermost(last))
}

/// Where the last thing done by a statement stands.
fn innermost(stmt: &Stmt<'_>) -> Loc {
    let mut stmt = stmt;
    loop {
        match stmt.kind {
            StmtKind::Block(block) => match block.stmts.last() {
                Some(last) => stmt = last,
                None => return stmt.loc,
            },
            StmtKind::Expr(expr) => return expr.loc,
            StmtKind::If { arms, .. } => return arms.last().map_or(stmt.loc, |arm| arm.loc),
            _ => return stmt.loc,
        }
    }
}

/// Warns that `statement` falls into the label at `label`, unless a comment before the label says that it is meant.
pub fn warn(cx: &mut Sema<'_, '_>, statement: Loc, label: Loc) {
    // A label that a macro makes is part of a state machine or the like, which is meant.
    if cx.sess.sources.is_macro(label) || announced(cx, label) {
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

/// The comment is one of the forms gcc knows: `fall through`, `FALLTHRU`, `Intentional fall-through.`, `lint -fallthrough` ...
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
