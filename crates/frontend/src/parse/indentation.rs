//! `-Wmisleading-indentation`: a statement behind `if`, `else`, `while` or `for` that looks guarded and is not. The rules are those of gcc's
//! `c-indentation.cc`.

use base::{Loc, warning};

use super::Parser;
use crate::lex::TokenKind;

/// The token at which a guarded statement begins, for [`warn`].
#[derive(Clone, Copy)]
pub struct Body {
    loc: Loc,
    kind: TokenKind,
}

/// The current token as the beginning of a body.
pub fn body(p: &Parser<'_, '_>) -> Body {
    Body { loc: p.tok.loc, kind: p.tok.kind }
}

/// A position as one sees it.
struct Visual {
    line: u32,
    column: usize,
    /// Column of the first character of the line that is no white space.
    first: usize,
}

/// Warns if what follows the body of the statement `word` at `guard` seems to belong to it.
pub fn warn(p: &mut Parser<'_, '_>, word: &str, guard: Loc, body: Body) {
    let next = p.tok.loc;
    let silent = matches!(
        p.tok.kind,
        TokenKind::RightBrace | TokenKind::KwElse | TokenKind::Semicolon | TokenKind::Eof | TokenKind::Pragma
    );
    if silent || body.kind == TokenKind::LeftBrace || p.panicking {
        return;
    }
    if !p.cx.sess.warning_enabled(warning::MISLEADING_INDENTATION, guard) || !is_misleading(p, guard, body, next) {
        return;
    }
    p.cx.sess
        .warn(warning::MISLEADING_INDENTATION, guard, format!("this '{word}' clause does not guard..."))
        .note(
            next,
            format!("...this statement, but the latter is misleadingly indented as if it were guarded by the '{word}'"),
        )
        .emit();
}

fn is_misleading(p: &Parser<'_, '_>, guard_loc: Loc, body_token: Body, next_loc: Loc) -> bool {
    let sources = &p.cx.sess.sources;
    if [guard_loc, body_token.loc, next_loc].into_iter().any(|loc| sources.is_macro(loc)) {
        return false;
    }
    let looks = |loc| visual(p, loc);
    let (Some(guard), Some(body), Some(next)) = (looks(guard_loc), looks(body_token.loc), looks(next_loc)) else {
        return false;
    };
    if next.line == body.line {
        // All on one line: only if the guard begins it.
        return guard.line < body.line || guard.line == body.line && guard.column == guard.first;
    }
    if next.line < body.line || next.first < next.column {
        return false;
    }
    let empty = body_token.kind == TokenKind::Semicolon;
    if !empty && next.column == body.column {
        return body.column > guard.first && !has_unindented_lines(p, body_token.loc, next_loc, next.column);
    }
    if empty && body.line == guard.line {
        let brace = p.tok.kind == TokenKind::LeftBrace;
        return next.column > guard.first || brace && next.column == guard.first;
    }
    false
}

fn visual(p: &Parser<'_, '_>, loc: Loc) -> Option<Visual> {
    let data = p.cx.sess.sources.data();
    let line = data.physical(loc)?.line;
    let (text, offset) = data.line_text(loc)?;
    let first = text.iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    Some(Visual { line, column: width(&text[..offset.min(text.len())]), first: width(&text[..first]) })
}

/// Columns that text at the beginning of a line takes, with tab stops of eight.
fn width(text: &[u8]) -> usize {
    text.iter().fold(0, |column, &b| if b == b'\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

/// A line between the two begins before `column`: a directive, or a label.
fn has_unindented_lines(p: &Parser<'_, '_>, from: Loc, to: Loc, column: usize) -> bool {
    let data = p.cx.sess.sources.data();
    let (Some(from), Some(to)) = (data.text_from(from), data.text_from(to)) else { return true };
    let Some(between) = from.len().checked_sub(to.len()).and_then(|length| from.get(..length)) else { return true };
    let mut lines: Vec<&[u8]> = between.split(|&b| b == b'\n').skip(1).collect();
    lines.pop();
    lines.iter().any(|line| {
        let first = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        first.is_some_and(|first| width(&line[..first]) < column)
    })
}
