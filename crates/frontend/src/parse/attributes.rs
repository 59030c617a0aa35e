//! Attribute syntax: `[[...]]` (C23 6.7.13) and `__attribute__((...))` (GNU).

use base::Symbol;
use platform::options::Standard;
use smallvec::SmallVec;

use super::{Parser, expressions};
use crate::lex::TokenKind;
use crate::sema::attributes::{Attr, AttrArg, AttrTarget, collect, is_known, normalised};
use crate::sema::literals;
use crate::tree::{DeclKind, ExprKind};

/// The current token begins an attribute specifier.
pub fn at_attributes(p: &mut Parser<'_, '_>) -> bool {
    p.at(TokenKind::KwAttribute) || at_standard(p)
}

/// `[[`
pub fn at_standard(p: &mut Parser<'_, '_>) -> bool {
    p.at(TokenKind::LeftBracket) && p.peek().is(TokenKind::LeftBracket)
}

/// Any number of attribute specifiers of both kinds, appended to `out`.
pub fn attribute_specifier_sequence(p: &mut Parser<'_, '_>, out: &mut Vec<Attr>) {
    loop {
        if p.at(TokenKind::KwAttribute) {
            gnu_attributes(p, out);
        } else if at_standard(p) {
            standard_attributes(p, out);
        } else {
            return;
        }
    }
}

/// `[[...]]` after a type specifier or a declarator's suffix: it appertains to the type. None of
/// the standard's own attributes may, and they are ignored there; the others go to `out`.
pub fn type_attributes(p: &mut Parser<'_, '_>, out: &mut Vec<Attr>) {
    let mut attrs = Vec::new();
    attribute_specifier_sequence(p, &mut attrs);
    let (standard, others): (Vec<Attr>, Vec<Attr>) = attrs.into_iter().partition(|attr| attr.standard);
    collect(&mut p.cx, &standard, AttrTarget::Type);
    out.extend(others);
}

/// `__attribute__((a, b(args)))` specifiers only.
pub fn gnu_attribute_sequence(p: &mut Parser<'_, '_>, out: &mut Vec<Attr>) {
    while p.at(TokenKind::KwAttribute) {
        gnu_attributes(p, out);
    }
}

fn gnu_attributes(p: &mut Parser<'_, '_>, out: &mut Vec<Attr>) {
    p.bump();
    if !p.expect(TokenKind::LeftParen) || !p.expect(TokenKind::LeftParen) {
        p.skip_to(&[TokenKind::RightParen]);
        return;
    }
    loop {
        while p.eat(TokenKind::Comma) {}
        if p.at(TokenKind::RightParen) {
            break;
        }
        if !(p.at(TokenKind::Identifier) || p.tok.kind.is_keyword()) {
            p.expected("')'");
            p.skip_to(&[TokenKind::RightParen]);
            break;
        }
        attribute(p, false, out);
        if !p.at(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::RightParen);
    p.expect(TokenKind::RightParen);
}

/// `[[a, gnu::b(args)]]`
fn standard_attributes(p: &mut Parser<'_, '_>, out: &mut Vec<Attr>) {
    p.cx.feature_of(Standard::C23, p.tok.loc, "'[[]]' attributes");
    p.bump();
    p.bump();
    loop {
        while p.eat(TokenKind::Comma) {}
        if p.at(TokenKind::RightBracket) {
            break;
        }
        if !(p.at(TokenKind::Identifier) || p.tok.kind.is_keyword()) {
            p.expected("']'");
            p.skip_to(&[TokenKind::RightBracket]);
            break;
        }
        let mut standard = true;
        let mut foreign = None;
        if p.peek().is(TokenKind::ColonColon) {
            let prefix = normalised(p.cx.str(p.tok.symbol())).to_string();
            let loc = p.tok.loc;
            p.bump();
            p.bump();
            standard = false;
            let same = prefix == "clang" && p.at(TokenKind::Identifier) && p.cx.str(p.tok.symbol()) == "musttail";
            if prefix != "gnu" && !same {
                foreign = Some((prefix, loc));
            }
        }
        match foreign {
            None if is_known(normalised(p.cx.str(p.tok.symbol()))) => attribute(p, standard, out),
            None => {
                // Of an attribute that nobody knows the arguments are any balanced tokens (C23
                // 6.7.13.1).
                let attr =
                    Attr { name: p.tok.symbol(), standard, args: SmallVec::new(), has_args: false, loc: p.tok.loc };
                skip_attribute(p, &mut Vec::new());
                out.push(attr);
            }
            Some((prefix, loc)) => {
                let mut ignored = Vec::new();
                let name = if p.at(TokenKind::Identifier) { p.cx.str(p.tok.symbol()) } else { "" };
                let message = format!("'{prefix}::{name}' scoped attribute directive ignored");
                p.cx.warn(base::warning::ATTRIBUTES, loc, message);
                skip_attribute(p, &mut ignored);
            }
        }
        if !p.at(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::RightBracket);
    p.expect(TokenKind::RightBracket);
}

fn skip_attribute(p: &mut Parser<'_, '_>, _ignored: &mut Vec<Attr>) {
    p.bump();
    if p.eat(TokenKind::LeftParen) {
        p.skip_balanced();
        p.expect(TokenKind::RightParen);
    }
}

/// A name with optional arguments.
pub fn attribute(p: &mut Parser<'_, '_>, standard: bool, out: &mut Vec<Attr>) {
    let loc = p.tok.loc;
    let text = normalised(p.cx.str(p.tok.symbol()));
    // `const` and `__const` are one keyword with several spellings.
    let text = if p.at(TokenKind::KwConst) { "const" } else { text };
    let name = p.cx.sess.intern(text);
    p.bump();
    let mut args: SmallVec<[AttrArg; 2]> = SmallVec::new();
    let has_args = p.at(TokenKind::LeftParen);
    if has_args {
        p.bump();
        while !p.at(TokenKind::RightParen) && !p.at(TokenKind::Eof) && !p.panicking {
            args.push(argument(p));
            if !p.eat(TokenKind::Comma) {
                break;
            }
        }
        if !p.at(TokenKind::RightParen) && is_opaque(text) {
            p.skip_to(&[TokenKind::RightParen]);
        }
        p.expect(TokenKind::RightParen);
    }
    out.push(Attr { name, standard, args, has_args, loc });
}

/// Attributes with arguments of their own grammar, which nothing here reads.
fn is_opaque(name: &str) -> bool {
    matches!(name, "omp" | "directive" | "sequence" | "assume" | "counted_by")
}

fn argument(p: &mut Parser<'_, '_>) -> AttrArg {
    match p.tok.kind {
        TokenKind::Identifier => {
            let next = p.peek();
            let alone = next.is(TokenKind::Comma) || next.is(TokenKind::RightParen);
            let symbol = p.tok.symbol();
            let constant = p.cx.scopes.lookup(symbol).is_some_and(|id| {
                let decl = &p.cx.unit.decls[id];
                decl.kind == DeclKind::EnumConstant || decl.flags.has(crate::tree::DeclFlags::CONSTEXPR)
            });
            if alone && !constant {
                p.bump();
                return AttrArg::Ident(symbol);
            }
            expression_argument(p)
        }
        TokenKind::String => {
            let tokens = p.string_tokens();
            let bytes = literals::narrow_string(&mut p.cx, &tokens);
            let symbol: Symbol = p.cx.sess.interner.intern_bytes(bytes);
            AttrArg::Str(symbol)
        }
        _ => expression_argument(p),
    }
}

fn expression_argument(p: &mut Parser<'_, '_>) -> AttrArg {
    if super::type_names::starts_type_name(p) {
        // `noescape(type)` and the like: no attribute known here takes one.
        p.skip_to(&[TokenKind::RightParen, TokenKind::Comma]);
        return AttrArg::Other;
    }
    let expr = expressions::assignment_expression(p);
    // A string literal in parentheses, as macros write it.
    if let ExprKind::String(literal) = expr.kind
        && let (1, [bytes @ .., 0]) = (literal.elem_size, literal.bytes)
    {
        return AttrArg::Str(p.cx.sess.interner.intern_bytes(bytes));
    }
    if expr.is_error() {
        return AttrArg::Other;
    }
    let value = crate::sema::constants::fold::integer_value(&p.cx, expr);
    match value.filter(|_| p.cx.types().is_integer(expr.ty.ty())) {
        Some(value) => AttrArg::Int(value),
        None => {
            let packed = matches!(expr.kind, ExprKind::Member { record, field, .. }
                if p.cx.types().records[record].field(field).packed);
            AttrArg::Value(expr.ty.ty(), expr.decl(), packed)
        }
    }
}
