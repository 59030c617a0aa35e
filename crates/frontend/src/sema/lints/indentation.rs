//! `-Wmisleading-indentation`: a statement after `if`, `else`, `while` or `for` that looks guarded
//! and is not. The rules are those of gcc's `c-indentation.cc`. `-Wmultistatement-macros`: a macro
//! of several statements of which only the first is guarded.

use base::{Loc, warning};

use crate::lex::{Token, TokenKind};
use crate::sema::Sema;

/// A position as one sees it.
struct Visual {
    line: u32,
    column: usize,
    /// Column of the first character of the line that is no white space.
    first: usize,
}

/// Warns if `next`, which follows the body of the statement `word` at `guard`, seems to belong to
/// it. The body begins with the token `body`.
pub fn check(cx: &mut Sema<'_, '_>, word: &str, guard: Loc, body: Token, next: Token) {
    let silent = matches!(
        next.kind,
        TokenKind::RightBrace | TokenKind::KwElse | TokenKind::Semicolon | TokenKind::Eof | TokenKind::Pragma
    );
    if body.is(TokenKind::LeftBrace) {
        return;
    }
    let several = !body.is(TokenKind::Semicolon) && !next.is(TokenKind::Semicolon);
    if several && cx.sess.sources.is_macro(body.loc) {
        warn_several_statements(cx, word, guard, body.loc, next.loc);
    }
    if silent {
        return;
    }
    if !cx.sess.warning_enabled(warning::MISLEADING_INDENTATION, guard) || !is_misleading(cx, guard, body, next) {
        return;
    }
    cx.sess
        .warn(warning::MISLEADING_INDENTATION, guard, format!("this '{word}' clause does not guard..."))
        .note(
            next.loc,
            format!("...this statement, but the latter is misleadingly indented as if it were guarded by the '{word}'"),
        )
        .emit();
}

/// Macros in macros that are looked through.
const MAX_NESTED: usize = 64;

/// Body and next statement come from the same invocation of a macro, the guard from elsewhere.
fn warn_several_statements(cx: &mut Sema<'_, '_>, word: &str, guard: Loc, body: Loc, next: Loc) {
    let data = cx.sess.sources.data();
    let (Some((from, first)), Some((also_from, second))) = (data.invocation(body), data.invocation(next)) else {
        return;
    };
    let guarding = data.invocation(guard);
    // The guard may be of a macro that is used in the one of body and next statement.
    let inside = {
        let outward = |&(from, _): &(Loc, Loc)| data.invocation(from);
        std::iter::successors(guarding, outward).take(MAX_NESTED).any(|(guard_from, _)| guard_from == from)
    };
    let labelled = || {
        let rest = data.text_from(first).unwrap_or_default();
        let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        rest[name..].trim_ascii_start().starts_with(b":")
    };
    if from != also_from
        || first == second
        || guarding.is_some_and(|(_, place)| [first, second].contains(&place))
        || inside
        || [first, second].into_iter().any(|place| data.in_system_header(place))
        || labelled()
    {
        return;
    }
    drop(data);
    cx.sess
        .warn(warning::MULTISTATEMENT_MACROS, body, "macro expands to multiple statements")
        .note(guard, format!("some parts of macro expansion are not guarded by this '{word}' clause"))
        .emit();
}

fn is_misleading(cx: &Sema<'_, '_>, guard_loc: Loc, body_token: Token, next_token: Token) -> bool {
    let next_loc = next_token.loc;
    let sources = &cx.sess.sources;
    if [guard_loc, body_token.loc, next_loc].into_iter().any(|loc| sources.is_macro(loc)) {
        return false;
    }
    let looks = |loc| visual(cx, loc);
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
    let empty = body_token.is(TokenKind::Semicolon);
    if !empty && next.column == body.column {
        return body.column > guard.first && !has_unindented_lines(cx, body_token.loc, next_loc, next.column);
    }
    if empty && body.line == guard.line {
        let brace = next_token.is(TokenKind::LeftBrace);
        return next.column > guard.first || brace && next.column == guard.first;
    }
    false
}

fn visual(cx: &Sema<'_, '_>, loc: Loc) -> Option<Visual> {
    let data = cx.sess.sources.data();
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
fn has_unindented_lines(cx: &Sema<'_, '_>, from: Loc, to: Loc, column: usize) -> bool {
    let data = cx.sess.sources.data();
    let (Some(from), Some(to)) = (data.text_from(from), data.text_from(to)) else { return true };
    let Some(between) = from.len().checked_sub(to.len()).and_then(|length| from.get(..length)) else { return true };
    let mut lines: Vec<&[u8]> = between.split(|&b| b == b'\n').skip(1).collect();
    lines.pop();
    lines.iter().any(|line| {
        let first = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        first.is_some_and(|first| width(&line[..first]) < column)
    })
}
