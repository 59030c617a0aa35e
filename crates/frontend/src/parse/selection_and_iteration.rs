//! `if`, `switch` and the loops (C23 6.8.5 and 6.8.6), with C2Y's declarations in headers.

use base::Loc;
use platform::options::Standard;

use super::statements::{BlockStart, Names, begins_declaration, enter_block, leave_block, sub_statement};
use super::{Parser, declarations, expressions, specifiers, type_names};
use crate::lex::{Token, TokenKind};
use crate::sema::{conversions, lints, statements as sema, switch};
use crate::tree::{Block, ExprRef, For, IfArm, Stmt, StmtKind};

/// The header of a selection statement, from `(` on, if it begins with a declaration, before the
/// condition or instead of it (C2Y 6.8.5.1).
fn selection_header<'a>(p: &mut Parser<'_, 'a>, init: &mut Vec<Stmt<'a>>) -> Option<ExprRef<'a>> {
    let next = p.peek();
    if !p.at(TokenKind::LeftParen) || !type_names::token_starts_type_name(p, next) {
        return None;
    }
    p.bump();
    let loc = p.tok.loc;
    p.cx.feature_of(Standard::C2Y, loc, "declarations in the header of a selection statement");
    let cond = if declarations::header_declaration(p, init) {
        expressions::expression(p)
    } else if let Some(Stmt { kind: StmtKind::Decl(local), .. }) = init.last() {
        sema::declared_value(&mut p.cx, local.decl, loc)
    } else {
        if !p.panicking {
            p.cx.error(loc, "declaration in the header of a selection statement declares no variable to test");
        }
        p.cx.error_expr(loc)
    };
    Some(cond)
}

/// The end of a condition.
fn close_condition(p: &mut Parser<'_, '_>) {
    if !p.expect(TokenKind::RightParen) {
        p.skip_to(&[TokenKind::RightParen]);
        p.eat(TokenKind::RightParen);
        p.panicking = false;
    }
}

/// `( condition )`
fn parenthesised_condition<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    p.expect(TokenKind::LeftParen);
    let expr = expressions::expression(p);
    lints::full_expression(&mut p.cx, expr);
    let cond = conversions::condition(&mut p.cx, expr);
    close_condition(p);
    cond
}

fn warn_empty_body(p: &mut Parser<'_, '_>, what: &str) {
    if p.at(TokenKind::Semicolon) && !p.peek().is(TokenKind::KwElse) {
        lints::body_is_empty(&mut p.cx, what, p.tok.loc);
    }
}

/// After the body of a statement, which began with the token `body`.
fn after_body(p: &mut Parser<'_, '_>, word: &str, guard: Loc, body: Token) {
    if !p.panicking {
        lints::body_finished(&mut p.cx, word, guard, body, p.tok);
    }
}

/// A selection statement in the scope of its header's declarations, which run first.
fn with_header<'a>(
    p: &mut Parser<'_, 'a>,
    start: Option<BlockStart>,
    mut init: Vec<Stmt<'a>>,
    stmt: Stmt<'a>,
) -> Stmt<'a> {
    let Some(start) = start else { return stmt };
    leave_block(p, start);
    init.push(stmt);
    let stmts = p.cx.slice(&init);
    let block = p.cx.arena.alloc(Block { stmts, end: p.previous });
    Stmt { kind: StmtKind::Block(block), loc: stmt.loc }
}

/// `if ... else if ... else`, the chain as a loop.
pub(super) fn if_statement<'a>(p: &mut Parser<'_, 'a>) -> Stmt<'a> {
    let start = p.tok.loc;
    let mut arms = Vec::new();
    let mut els = None;
    let mut ends = lints::BranchEnds::default();
    let block = declares_in_header(p).then(|| enter_block(p));
    let mut init = Vec::new();
    loop {
        let loc = p.tok.loc;
        p.bump();
        let open = p.tok.loc;
        let header = if arms.is_empty() { selection_header(p, &mut init) } else { None };
        let cond = match header {
            Some(expr) => {
                let cond = conversions::condition(&mut p.cx, expr);
                close_condition(p);
                cond
            }
            None => parenthesised_condition(p),
        };
        warn_empty_body(p, "an 'if'");
        let dangling = matches!(p.tok.kind, TokenKind::KwIf | TokenKind::KwWhile | TokenKind::KwFor);
        let body = p.tok;
        let then = sub_statement(p);
        lints::branch_ends(&mut p.cx, &mut ends);
        lints::condition_of_arm(&mut p.cx, &arms, cond);
        arms.push(IfArm { cond, then, loc, open });
        after_body(p, "if", loc, body);
        if dangling && !p.at(TokenKind::KwElse) {
            lints::body_without_braces(&mut p.cx, then, open);
        }
        if !p.at(TokenKind::KwElse) {
            break;
        }
        let loc = p.tok.loc;
        p.bump();
        if p.at(TokenKind::KwIf) && !declares_in_header(p) {
            continue;
        }
        warn_empty_body(p, "an 'else'");
        let body = p.tok;
        let last = sub_statement(p);
        after_body(p, "else", loc, body);
        lints::else_finished(&mut p.cx, &arms, last, open);
        els = Some(last);
        break;
    }
    // What comes after the whole statement comes after each arm.
    lints::branches_join(&mut p.cx, ends);
    let arms = p.cx.slice(&arms);
    with_header(p, block, init, Stmt { kind: StmtKind::If { arms, els }, loc: start })
}

/// At an `if` or `switch`: its header begins with a declaration, so that it has a scope, and an
/// `if` is no arm of the chain before it.
fn declares_in_header(p: &mut Parser<'_, '_>) -> bool {
    if !p.peek().is(TokenKind::LeftParen) {
        return false;
    }
    let token = p.tokens.peek(1);
    type_names::token_starts_type_name(p, token)
}

pub(super) fn switch_statement<'a>(p: &mut Parser<'_, 'a>, names: Names) -> Stmt<'a> {
    let loc = p.tok.loc;
    let block = declares_in_header(p).then(|| enter_block(p));
    p.bump();
    let mut init = Vec::new();
    let cond = match selection_header(p, &mut init) {
        Some(cond) => cond,
        None => {
            p.expect(TokenKind::LeftParen);
            expressions::expression(p)
        }
    };
    p.expect(TokenKind::RightParen);
    let cond = switch::begin(&mut p.cx, cond, names, loc);
    let body = sub_statement(p);
    lints::switch_body(&mut p.cx, body);
    let kind = switch::finish(&mut p.cx, cond, body);
    with_header(p, block, init, Stmt { kind, loc })
}

/// The body of a loop.
fn loop_body<'a>(p: &mut Parser<'_, 'a>, names: Names) -> &'a Stmt<'a> {
    p.cx.fun().breakables.push(sema::Breakable { is_loop: true, names });
    lints::loop_begins(&mut p.cx);
    let body = sub_statement(p);
    p.cx.fun().breakables.pop();
    body
}

pub(super) fn while_statement<'a>(p: &mut Parser<'_, 'a>, names: Names) -> Stmt<'a> {
    let loc = p.tok.loc;
    let falling = p.falls_into_loop.take();
    p.bump();
    let cond = parenthesised_condition(p);
    if let Some((statement, label)) = falling
        && cond.int_value().is_some_and(|value| value != 0)
    {
        lints::falls_through(&mut p.cx, statement, label);
    }
    let start = p.tok;
    let body = loop_body(p, names);
    after_body(p, "while", loc, start);
    Stmt { kind: StmtKind::While { cond, body }, loc }
}

pub(super) fn do_statement<'a>(p: &mut Parser<'_, 'a>, names: Names) -> Stmt<'a> {
    let loc = p.tok.loc;
    p.bump();
    warn_empty_body(p, "'do'");
    let body = loop_body(p, names);
    p.expect(TokenKind::KwWhile);
    let cond = parenthesised_condition(p);
    p.expect(TokenKind::Semicolon);
    Stmt { kind: StmtKind::DoWhile { body, cond }, loc }
}

pub(super) fn for_statement<'a>(p: &mut Parser<'_, 'a>, names: Names) -> Stmt<'a> {
    let loc = p.tok.loc;
    let pragma = p.loop_pragma.take();
    p.bump();
    p.expect(TokenKind::LeftParen);
    let start = enter_block(p);
    let mut init = Vec::new();
    for_clause_one(p, loc, &mut init);
    if let Some(name) = pragma.filter(|_| p.at(TokenKind::Semicolon)) {
        let message = format!("missing loop condition in loop with '{name}' pragma {}", p.describe_token());
        p.cx.error(p.tok.loc, message);
    }
    let cond = (!p.at(TokenKind::Semicolon)).then(|| {
        let expr = expressions::expression(p);
        conversions::condition(&mut p.cx, expr)
    });
    p.expect(TokenKind::Semicolon);
    let step = (!p.at(TokenKind::RightParen)).then(|| {
        let at = p.tok.loc;
        let expr = expressions::expression(p);
        match sema::expression(&mut p.cx, expr, at).kind {
            StmtKind::Expr(expr) => expr,
            _ => expr,
        }
    });
    close_condition(p);
    let body_start = p.tok;
    let body = loop_body(p, names);
    after_body(p, "for", loc, body_start);
    leave_block(p, start);
    let init = p.cx.slice(&init);
    let end = p.previous;
    let statement = p.cx.arena.alloc(For { init, cond, step, body, end });
    Stmt { kind: StmtKind::For(statement), loc }
}

/// The first clause of a `for`, with its `;`; `keyword` is the place of `for`.
fn for_clause_one<'a>(p: &mut Parser<'_, 'a>, keyword: Loc, init: &mut Vec<Stmt<'a>>) {
    let loc = p.tok.loc;
    if p.eat(TokenKind::Semicolon) {
        return;
    }
    let extension = p.at(TokenKind::KwExtension) && {
        let next = p.peek();
        begins_declaration(p, next)
    };
    if extension {
        p.bump();
    }
    if p.at(TokenKind::KwStaticAssert) {
        declarations::static_assert_declaration(p);
    } else if specifiers::starts_declaration(p) {
        p.cx.extension += extension as u32;
        if !p.cx.since(Standard::C99) {
            p.cx.error(keyword, "'for' loop initial declarations are only allowed in C99 or C11 mode");
        } else {
            p.cx.feature_of(Standard::C99, keyword, "'for' loop initial declarations");
        }
        declarations::declaration(p, Vec::new(), Some(init));
        p.cx.extension -= extension as u32;
        if p.panicking {
            p.synchronise();
        } else {
            sema::for_declaration(&mut p.cx);
        }
    } else {
        let expr = expressions::expression(p);
        init.push(sema::expression(&mut p.cx, expr, loc));
        p.expect(TokenKind::Semicolon);
    }
}
