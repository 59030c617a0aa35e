//! `asm` statements (gcc manual, "How to Use Inline Assembly Language in C Code").

use base::Loc;

use super::{Parser, expressions};
use crate::lex::TokenKind;
use crate::sema::asm::{self as sema, RawAsm, RawOperand};
use crate::sema::{labels, literals};
use crate::tree::{AsmLabel, Stmt, StmtKind};

/// `asm qualifiers? ( template : outputs : inputs : clobbers : labels ) ;`
pub fn asm_statement<'a>(p: &mut Parser<'_, 'a>) -> Option<Stmt<'a>> {
    let loc = p.tok.loc;
    p.bump();
    let mut raw = RawAsm {
        template: b"",
        basic: true,
        volatile: false,
        inline: false,
        goto: false,
        outputs: Vec::new(),
        inputs: Vec::new(),
        clobbers: Vec::new(),
        labels: Vec::new(),
        loc,
    };
    loop {
        let duplicate = match p.tok.kind {
            TokenKind::KwVolatile => raw.volatile,
            TokenKind::KwInline => raw.inline,
            TokenKind::KwGoto => raw.goto,
            _ => false,
        };
        if duplicate {
            let word = p.cx.str(p.tok.symbol());
            p.cx.error(p.tok.loc, format!("duplicate asm qualifier '{word}'"));
        }
        match p.tok.kind {
            TokenKind::KwVolatile => raw.volatile = true,
            TokenKind::KwInline => raw.inline = true,
            TokenKind::KwGoto => raw.goto = true,
            TokenKind::KwConst => {
                p.cx.sess.warn_always(p.tok.loc, "'const' is not an asm qualifier").emit();
            }
            _ => break,
        }
        p.bump();
    }
    p.expect(TokenKind::LeftParen);
    raw.template = string(p);
    sections(p, &mut raw);
    p.expect(TokenKind::RightParen);
    p.expect(TokenKind::Semicolon);
    if p.panicking {
        return None;
    }
    let stmt = sema::statement(&mut p.cx, raw)?;
    Some(Stmt { kind: StmtKind::Asm(stmt), loc })
}

fn string<'a>(p: &mut Parser<'_, 'a>) -> &'a [u8] {
    let tokens = p.string_tokens();
    if tokens.is_empty() {
        p.expected("string literal");
        return b"";
    }
    literals::narrow_string(&mut p.cx, &tokens)
}

/// The sections after the template; a `::` token is two colons with an empty section between them.
fn sections<'a>(p: &mut Parser<'_, 'a>, raw: &mut RawAsm<'a>) {
    let mut section = 0;
    while !p.panicking {
        if p.eat(TokenKind::ColonColon) {
            section += 2;
        } else if p.eat(TokenKind::Colon) {
            section += 1;
        } else {
            return;
        }
        raw.basic = false;
        match section {
            1 => raw.outputs = operands(p, raw.loc),
            2 => raw.inputs = operands(p, raw.loc),
            3 => raw.clobbers = clobbers(p),
            4 => raw.labels = label_list(p, raw.goto),
            _ => p.expected("')'"),
        }
    }
}

/// `[name] "constraint" (expression), ...`
fn operands<'a>(p: &mut Parser<'_, 'a>, loc: Loc) -> Vec<RawOperand<'a>> {
    let mut list = Vec::new();
    if !p.at(TokenKind::String) && !p.at(TokenKind::LeftBracket) {
        return list;
    }
    loop {
        let mut name = None;
        if p.eat(TokenKind::LeftBracket) {
            if p.at(TokenKind::Identifier) || p.tok.kind.is_keyword() {
                name = Some(p.tok.symbol());
                p.bump();
            } else {
                p.expected("identifier");
            }
            p.expect(TokenKind::RightBracket);
        }
        let constraint = string(p);
        p.expect(TokenKind::LeftParen);
        let expr = expressions::expression(p);
        p.expect(TokenKind::RightParen);
        if p.panicking {
            return list;
        }
        list.push(RawOperand { name, constraint, expr, loc });
        if !p.eat(TokenKind::Comma) {
            return list;
        }
    }
}

fn clobbers<'a>(p: &mut Parser<'_, 'a>) -> Vec<&'a [u8]> {
    let mut list = Vec::new();
    while p.at(TokenKind::String) {
        list.push(string(p));
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    list
}

fn label_list(p: &mut Parser<'_, '_>, goto: bool) -> Vec<AsmLabel> {
    let mut list = Vec::new();
    if !goto {
        p.expected("')'");
        return list;
    }
    while p.at(TokenKind::Identifier) {
        let name = p.name();
        p.bump();
        let label = labels::goto(&mut p.cx, name);
        list.push(AsmLabel { name: name.symbol, label });
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    list
}
