//! Statements (C23 6.8), GNU's statement expressions, local labels and case ranges.

use base::{Loc, warning};
use platform::options::Standard;

use super::selection_and_iteration::{do_statement, for_statement, if_statement, switch_statement, while_statement};
use super::{Parser, asm, attributes, declarations, expressions, specifiers, type_names};
use crate::lex::{Token, TokenKind};
use crate::sema::attributes::{self as sema_attributes, Attr, AttrTarget};
use crate::sema::scope::ScopeKind;
use crate::sema::{defer, labels, lints, statements as sema, switch};
use crate::tree::{AttrFlags, Block, CleanupId, ExprRef, Name, Stmt, StmtKind};

/// `{ ... }` as a block of its own.
pub fn compound_statement<'a>(p: &mut Parser<'_, 'a>) -> &'a Block<'a> {
    let mut stmts = p.statement_list();
    let brace = p.tok.loc;
    let start = enter_block(p);
    if p.enter() {
        p.bump();
        block_items(p, &mut stmts, false);
        p.leave();
    }
    let end = p.tok.loc;
    leave_block(p, start);
    if !p.at(TokenKind::RightBrace) {
        p.unclosed(brace);
    } else {
        p.panicking = false;
        p.bump();
    }
    let block = Block { stmts: p.cx.slice(&stmts), end };
    p.recycle_statements(stmts);
    p.cx.arena.alloc(block)
}

/// Labels of a loop or switch.
pub(super) type Names = smallvec::SmallVec<[base::Symbol; 1]>;

/// What is restored at the end of a block.
pub(super) struct BlockStart {
    cleanup: Option<CleanupId>,
    jump_scope: Option<labels::JumpScopeId>,
    local_labels: usize,
    decimal_constants: bool,
}

pub(super) fn enter_block(p: &mut Parser<'_, '_>) -> BlockStart {
    p.cx.scopes.push(ScopeKind::Block);
    let function = p.cx.fun();
    let (cleanup, jump_scope) = (function.cleanup, function.jump_scope);
    let decimal_constants = p.cx.decimal_constants;
    BlockStart { cleanup, jump_scope, local_labels: labels::enter_block(&mut p.cx), decimal_constants }
}

pub(super) fn leave_block(p: &mut Parser<'_, '_>, start: BlockStart) {
    sema::leave_scope(&mut p.cx);
    p.cx.scopes.pop();
    p.cx.fun().cleanup = start.cleanup;
    p.cx.fun().jump_scope = start.jump_scope;
    p.cx.decimal_constants = start.decimal_constants;
    p.statement_names.clear();
    labels::leave_block(&mut p.cx, start.local_labels);
}

/// `({ ... })`; the current token is the brace.
pub fn statement_expression<'a>(p: &mut Parser<'_, 'a>, loc: Loc) -> ExprRef<'a> {
    if p.cx.functions.is_empty() {
        p.cx.error(loc, "braced-group within expression allowed only inside a function");
        p.bump();
        p.skip_to(&[TokenKind::RightBrace]);
        while p.at(TokenKind::Semicolon) {
            p.bump();
            p.skip_to(&[TokenKind::RightBrace]);
        }
        p.eat(TokenKind::RightBrace);
        return p.cx.error_expr(loc);
    }
    let outer_panic = std::mem::replace(&mut p.panicking, false);
    let mut stmts = Vec::new();
    let start = enter_block(p);
    labels::begin_jump_scope(&mut p.cx, labels::JumpKind::StatementExpression);
    // Statements inside are their own full expressions: `__extension__` outside does not reach its
    // declarations' end.
    if p.enter() {
        p.bump();
        block_items(p, &mut stmts, true);
        p.leave();
    }
    let last = match stmts.last() {
        Some(Stmt { kind: StmtKind::Expr(expr), .. }) => {
            let expr = *expr;
            stmts.pop();
            Some(expr)
        }
        _ => None,
    };
    let value = sema::statement_expression(&mut p.cx, &stmts, last, loc);
    leave_block(p, start);
    p.expect(TokenKind::RightBrace);
    p.panicking |= outer_panic;
    value
}

/// block-item-list, up to the `}`. In a statement expression the last expression statement keeps
/// its value.
pub fn block_items<'a>(p: &mut Parser<'_, 'a>, out: &mut Vec<Stmt<'a>>, is_expression: bool) {
    while p.at(TokenKind::KwLabel) {
        label_declaration(p);
    }
    let mut after_statement = false;
    while !p.at(TokenKind::RightBrace) && !p.at(TokenKind::Eof) {
        block_item(p, out, is_expression, &mut after_statement);
        if p.panicking {
            p.synchronise();
        }
    }
    if let Some(Stmt { kind: StmtKind::Label(_) | StmtKind::Case(_), loc }) = out.last()
        && !p.cx.since(Standard::C23)
    {
        let loc = *loc;
        p.cx.pedantic(loc, "label at end of compound statement");
    }
}

/// `__label__ a, b;`
fn label_declaration(p: &mut Parser<'_, '_>) {
    p.cx.pedantic(p.tok.loc, "ISO C forbids label declarations");
    p.bump();
    while let Some(name) = p.identifier() {
        labels::declare_local(&mut p.cx, name);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::Semicolon);
}

fn block_item<'a>(p: &mut Parser<'_, 'a>, out: &mut Vec<Stmt<'a>>, is_expression: bool, after_statement: &mut bool) {
    if label(p, out) {
        if !p.cx.since(Standard::C23)
            && specifiers::starts_declaration(p)
            && !is_label(p)
            && !p.at(TokenKind::KwAttribute)
        {
            let message = "a label can only be part of a statement and a declaration is not a statement";
            p.cx.pedantic(p.tok.loc, message);
        }
        return;
    }
    let loc = p.tok.loc;
    match { p.tok.kind } {
        TokenKind::KwStaticAssert => declarations::static_assert_declaration(p),
        TokenKind::KwExtension => {
            let next = p.peek();
            if begins_declaration(p, next) {
                if p.enter() {
                    p.bump();
                    p.cx.extension += 1;
                    block_item(p, out, is_expression, after_statement);
                    p.cx.extension -= 1;
                }
                p.leave();
            } else {
                statement(p, out, is_expression);
                *after_statement = true;
            }
        }
        TokenKind::KwAttribute | TokenKind::LeftBracket if attributes::at_attributes(p) => {
            let mut attrs = Vec::new();
            attributes::attribute_specifier_sequence(p, &mut attrs);
            if p.at(TokenKind::Semicolon) {
                attribute_statement(p, &attrs, loc, out);
                p.bump();
            } else if specifiers::starts_declaration(p) && !is_label(p) {
                declarations::declaration(p, attrs, Some(out));
            } else {
                let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Statement);
                let tail = collected.attributes.flags.has(AttrFlags::MUSTTAIL);
                if tail && !p.at(TokenKind::KwReturn) {
                    p.cx.error(loc, "'musttail' attribute applies to 'return' statements only");
                }
                if !label(p, out) {
                    statement(p, out, is_expression);
                    if let Some(stmt) = out.last_mut().filter(|_| tail) {
                        sema::must_tail(&mut p.cx, stmt);
                    }
                }
            }
        }
        _ if specifiers::starts_declaration(p) || specifiers::at_unknown_type(p) => {
            if std::mem::take(after_statement) {
                mixed_declaration(p, loc);
            }
            declarations::declaration(p, Vec::new(), Some(out));
        }
        _ => {
            statement(p, out, is_expression);
            *after_statement = true;
        }
    }
}

fn mixed_declaration(p: &mut Parser<'_, '_>, loc: Loc) {
    let message = "ISO C90 forbids mixed declarations and code";
    p.cx.named_before(Standard::C99, warning::DECLARATION_AFTER_STATEMENT, loc, message.to_string());
}

/// After `__extension__`: a declaration rather than an expression.
pub(super) fn begins_declaration(p: &mut Parser<'_, '_>, token: Token) -> bool {
    type_names::token_starts_type_name(p, token)
        || matches!(token.kind, TokenKind::KwStaticAssert | TokenKind::KwExtension)
        || token.is(TokenKind::LeftBracket) && p.tokens.peek(1).is(TokenKind::LeftBracket)
}

fn is_label(p: &mut Parser<'_, '_>) -> bool {
    p.at(TokenKind::Identifier) && p.peek().is(TokenKind::Colon)
}

/// `;` after attributes: `fallthrough` and the like.
fn attribute_statement<'a>(p: &mut Parser<'_, 'a>, attrs: &[Attr], loc: Loc, out: &mut Vec<Stmt<'a>>) {
    if attrs.iter().all(|attr| !attr.standard && p.cx.str(attr.name) != "fallthrough") {
        // A declaration of nothing, whose attributes nobody looks at.
        p.cx.pedwarn_always(loc, "empty declaration");
        return;
    }
    let collected = sema_attributes::collect(&mut p.cx, attrs, AttrTarget::Statement);
    // GNU's spelling is not collected as a flag.
    let named = |attr: &Attr| !attr.standard && p.cx.str(attr.name) == "fallthrough";
    if !collected.attributes.flags.has(AttrFlags::FALLTHROUGH) && !attrs.iter().any(named) {
        return;
    }
    out.push(Stmt { kind: StmtKind::Fallthrough, loc });
    if p.cx.fun().switches.is_empty() {
        p.cx.error(loc, "invalid use of attribute 'fallthrough'");
    } else if p.at(TokenKind::Semicolon) {
        let next = p.peek();
        let label = next.is(TokenKind::Identifier) && p.tokens.peek(1).is(TokenKind::Colon);
        let leads_on = matches!(
            next.kind,
            TokenKind::KwCase | TokenKind::KwDefault | TokenKind::RightBrace | TokenKind::KwAttribute
        ) || matches!(next.kind, TokenKind::LeftBracket | TokenKind::Pragma | TokenKind::Semicolon)
            || label;
        if !leads_on {
            let message = "attribute 'fallthrough' not preceding a case label or default label";
            p.cx.pedwarn_always(loc, message);
        }
    }
}

/// label: `name :`, `case ... :`, `default :`. True if there was one.
fn label<'a>(p: &mut Parser<'_, 'a>, out: &mut Vec<Stmt<'a>>) -> bool {
    let loc = p.tok.loc;
    match { p.tok.kind } {
        TokenKind::Identifier if p.peek().is(TokenKind::Colon) => {
            let name = p.name();
            p.bump();
            p.bump();
            let mut attrs = Vec::new();
            // Attributes here belong to the label, unless a declaration follows.
            attributes::gnu_attribute_sequence(p, &mut attrs);
            let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Label);
            defer::check_label(&mut p.cx, loc);
            let unused = collected.attributes.flags.has(AttrFlags::UNUSED);
            let id = labels::define(&mut p.cx, name, unused);
            p.statement_names.push(name.symbol);
            out.push(Stmt { kind: StmtKind::Label(id), loc });
            true
        }
        TokenKind::KwCase => {
            let falling = falls_into(p, out);
            p.bump();
            let low = expressions::constant_expression(p);
            let high = p.eat(TokenKind::Ellipsis).then(|| expressions::constant_expression(p));
            p.expect(TokenKind::Colon);
            if let Some(stmt) = switch::case(&mut p.cx, low, high, loc) {
                out.push(stmt);
            }
            warn_fallthrough(p, falling, loc);
            true
        }
        TokenKind::KwDefault => {
            let falling = falls_into(p, out);
            p.bump();
            p.expect(TokenKind::Colon);
            if let Some(stmt) = switch::default(&mut p.cx, loc) {
                out.push(stmt);
            }
            warn_fallthrough(p, falling, loc);
            true
        }
        _ => false,
    }
}

/// Selection and iteration statements and their substatements are blocks (C99 6.8.4, 6.8.5): an
/// enumeration in the condition, say, ends with them.
fn in_own_scope<'x, 'a, R>(p: &mut Parser<'x, 'a>, parse: impl FnOnce(&mut Parser<'x, 'a>) -> R) -> R {
    if !p.cx.since(Standard::C99) {
        return parse(p);
    }
    p.cx.scopes.push(ScopeKind::Block);
    let out = parse(p);
    p.cx.scopes.pop();
    out
}

/// A statement where exactly one is wanted, in a scope of its own.
pub(super) fn sub_statement<'a>(p: &mut Parser<'_, 'a>) -> &'a Stmt<'a> {
    lints::sub_statement_begins(&mut p.cx);
    let stmt = in_own_scope(p, labelled_statement);
    lints::sub_statement_ends(&mut p.cx);
    stmt
}

/// Labels and the statement they label, as one: a block if need be.
fn labelled_statement<'a>(p: &mut Parser<'_, 'a>) -> &'a Stmt<'a> {
    let loc = p.tok.loc;
    if !p.enter() {
        return p.cx.arena.alloc(Stmt { kind: StmtKind::Empty, loc });
    }
    let mut stmts = p.statement_list();
    loop {
        if label(p, &mut stmts) {
            if p.at(TokenKind::RightBrace) {
                break;
            }
            continue;
        }
        if attributes::at_attributes(p) {
            let at = p.tok.loc;
            let mut attrs = Vec::new();
            attributes::attribute_specifier_sequence(p, &mut attrs);
            if p.at(TokenKind::Semicolon) {
                attribute_statement(p, &attrs, at, &mut stmts);
            } else {
                sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Statement);
            }
            if is_label(p) || matches!(p.tok.kind, TokenKind::KwCase | TokenKind::KwDefault) {
                continue;
            }
        }
        if specifiers::starts_declaration(p) && !p.at(TokenKind::LeftBracket) {
            p.syntax_error(format!("expected expression {}", p.describe_token()));
            p.synchronise();
            break;
        }
        statement(p, &mut stmts, false);
        break;
    }
    p.leave();
    if p.panicking {
        p.synchronise();
    }
    let stmt = match stmts[..] {
        [single] => single,
        _ => {
            let stmts = p.cx.slice(&stmts);
            let block = p.cx.arena.alloc(Block { stmts, end: p.previous });
            Stmt { kind: StmtKind::Block(block), loc }
        }
    };
    p.recycle_statements(stmts);
    p.cx.arena.alloc(stmt)
}

/// At `case` or `default`: the statement that falls into it without saying so.
fn falls_into<'a>(p: &mut Parser<'_, 'a>, out: &[Stmt<'a>]) -> Option<Loc> {
    lints::falling_statement(&mut p.cx, out, p.tok.loc)
}

/// After the label: a jump that follows at once makes the fall harmless, as in gcc. So does a loop,
/// with the jump to its condition, unless it has none or begins with something else.
fn warn_fallthrough(p: &mut Parser<'_, '_>, falling: Option<Loc>, label: Loc) {
    let Some(statement) = falling else { return };
    let kind = p.tok.kind;
    match kind {
        TokenKind::KwWhile => p.falls_into_loop = Some((statement, label)),
        TokenKind::KwFor
            if p.tokens.peek(1).kind == TokenKind::Semicolon && p.tokens.peek(2).kind != TokenKind::Semicolon => {}
        _ if only_jumps(p) => {}
        _ => lints::falls_through(&mut p.cx, statement, label),
    }
}

/// Whether a jump or the end of the block follows, through empty statements, braces and further
/// labels.
fn only_jumps(p: &mut Parser<'_, '_>) -> bool {
    // Further labels of a longer list are seen when they are reached.
    const FAR: usize = 64;
    let mut open = 0;
    let mut at = 0;
    let mut kind = |at: usize| if at == 0 { p.tok.kind } else { p.tokens.peek(at - 1).kind };
    while at < FAR {
        match kind(at) {
            TokenKind::KwBreak | TokenKind::KwGoto | TokenKind::KwContinue => return true,
            TokenKind::KwReturn => return kind(at + 1) == TokenKind::Semicolon,
            TokenKind::RightBrace if open == 0 => return true,
            TokenKind::RightBrace => open -= 1,
            TokenKind::LeftBrace => open += 1,
            TokenKind::Semicolon => {}
            TokenKind::KwDefault => at += 1,
            TokenKind::KwCase => {
                while !matches!(kind(at), TokenKind::Colon | TokenKind::Question | TokenKind::Semicolon) && at < FAR {
                    at += 1;
                }
            }
            _ => return false,
        }
        at += 1;
    }
    false
}

/// unlabeled-statement
fn statement<'a>(p: &mut Parser<'_, 'a>, out: &mut Vec<Stmt<'a>>, is_expression: bool) {
    let loc = p.tok.loc;
    let names = std::mem::take(&mut p.statement_names);
    if p.tok.kind.is_keyword() {
        lints::statement_begins(&mut p.cx);
    }
    let stmt = match { p.tok.kind } {
        TokenKind::LeftBrace => {
            let block = compound_statement(p);
            Stmt { kind: StmtKind::Block(block), loc }
        }
        TokenKind::Semicolon => {
            p.bump();
            Stmt { kind: StmtKind::Empty, loc }
        }
        TokenKind::KwIf => in_own_scope(p, if_statement),
        TokenKind::KwSwitch => in_own_scope(p, |p| switch_statement(p, names)),
        TokenKind::KwWhile => in_own_scope(p, |p| while_statement(p, names)),
        TokenKind::KwDo => in_own_scope(p, |p| do_statement(p, names)),
        TokenKind::KwFor => for_statement(p, names),
        TokenKind::KwDefer => defer_statement(p),
        TokenKind::KwGoto => goto_statement(p),
        TokenKind::KwContinue => {
            p.bump();
            let name = jump_name(p);
            let stmt = sema::continue_(&mut p.cx, name, loc);
            p.expect(TokenKind::Semicolon);
            stmt
        }
        TokenKind::KwBreak => {
            p.bump();
            let name = jump_name(p);
            let stmt = sema::break_(&mut p.cx, name, loc);
            p.expect(TokenKind::Semicolon);
            stmt
        }
        TokenKind::KwReturn => {
            p.bump();
            defer::check_jump(&mut p.cx, loc, "return");
            let value = (!p.at(TokenKind::Semicolon)).then(|| expressions::expression(p));
            let stmt = sema::return_(&mut p.cx, value, loc);
            p.expect(TokenKind::Semicolon);
            stmt
        }
        TokenKind::KwAsm => match asm::asm_statement(p) {
            Some(stmt) => stmt,
            None => return,
        },
        TokenKind::KwElse => {
            p.syntax_error("'else' without a previous 'if'".to_string());
            p.bump();
            p.panicking = false;
            return;
        }
        _ => {
            let expr = expressions::expression(p);
            // The extension of an expression ends with it.
            let value = is_expression && p.at(TokenKind::Semicolon) && p.peek().is(TokenKind::RightBrace);
            p.expect(TokenKind::Semicolon);
            if value { Stmt { kind: StmtKind::Expr(expr), loc } } else { sema::expression(&mut p.cx, expr, loc) }
        }
    };
    out.push(stmt);
}

/// The name after `break` or `continue` (C2Y 6.8.7).
fn jump_name(p: &mut Parser<'_, '_>) -> Option<Name> {
    if p.at(TokenKind::Identifier) { p.identifier() } else { None }
}

/// `_Defer statement` (ISO/IEC TS 25755): runs when the block around it is left.
fn defer_statement<'a>(p: &mut Parser<'_, 'a>) -> Stmt<'a> {
    let loc = p.tok.loc;
    p.cx.pedantic(loc, "ISO C does not support '_Defer'");
    p.bump();
    let outer = defer::begin(&mut p.cx);
    let body = sub_statement(p);
    defer::finish(&mut p.cx, outer, body, loc)
}

fn goto_statement<'a>(p: &mut Parser<'_, 'a>) -> Stmt<'a> {
    let loc = p.tok.loc;
    p.bump();
    defer::check_jump(&mut p.cx, loc, "goto");
    let stmt = if p.eat(TokenKind::Star) {
        let target = expressions::expression(p);
        sema::goto_computed(&mut p.cx, target, loc)
    } else {
        match p.identifier() {
            Some(name) => {
                let label = labels::goto(&mut p.cx, Name { loc, ..name });
                Stmt { kind: StmtKind::Goto(label), loc }
            }
            None => Stmt { kind: StmtKind::Empty, loc },
        }
    };
    p.expect(TokenKind::Semicolon);
    stmt
}
