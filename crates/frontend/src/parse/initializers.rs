//! Initialisers (C23 6.7.11) and compound literals (6.5.3.6).

use base::Loc;

use super::{Parser, expressions};
use crate::lex::TokenKind;
use crate::sema::constants;
use crate::sema::declarations;
use crate::sema::expressions as sema;
use crate::sema::initializers::{self as init, Finished, InitBuilder};
use crate::tree::{AggregateInit, ArrayLen, ExprRef, Initializer, QualType, StaticVar, Ty, TypeKind};

/// initializer, of an object of type `ty`. Answers the type, completed for arrays of unknown
/// length, and the value unless there was an error.
pub fn initializer<'a>(
    p: &mut Parser<'_, 'a>,
    ty: QualType,
    is_static: bool,
    what: &str,
) -> (QualType, Option<Finished<'a>>) {
    let loc = p.tok.loc;
    let outer = std::mem::replace(&mut p.cx.in_static_initializer, is_static);
    let result = if p.at(TokenKind::LeftBrace) {
        let mut builder = init::begin(&mut p.cx, ty, is_static, what.to_string());
        braced(p, &mut builder);
        init::finish(&mut p.cx, builder, loc)
    } else {
        let expr = expressions::assignment_expression(p);
        init::from_expression(&mut p.cx, ty, is_static, what, expr, loc)
    };
    p.cx.in_static_initializer = outer;
    result
}

/// `{ }` for an object of variable size, which is filled with zeros.
pub fn empty<'a>(p: &mut Parser<'_, 'a>) -> Finished<'a> {
    p.bump();
    pedantic_empty(p);
    p.bump();
    let zeros = AggregateInit { zero_fill: true, items: &[] };
    Finished::Automatic(p.cx.arena.alloc(Initializer::Aggregate(zeros)))
}

/// Braces with nothing between them are C23's.
fn pedantic_empty(p: &mut Parser<'_, '_>) {
    let standard = platform::options::Standard::C23;
    p.cx.pedantic_before(standard, p.tok.loc, || "ISO C forbids empty initializer braces before C2X".to_string());
}

/// `{ initializer-list? ,? }`
fn braced<'a>(p: &mut Parser<'_, 'a>, b: &mut InitBuilder<'a>) {
    if !p.enter() {
        b.fail();
        return;
    }
    let loc = p.tok.loc;
    init::open(&mut p.cx, b, loc);
    p.bump();
    if p.at(TokenKind::RightBrace) {
        pedantic_empty(p);
    }
    while !p.at(TokenKind::RightBrace) && !p.at(TokenKind::Eof) {
        element(p, b);
        if p.panicking {
            b.fail();
            p.skip_to(&[TokenKind::RightBrace]);
            break;
        }
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.leave();
    let end = p.tok.loc;
    if !p.at(TokenKind::RightBrace) {
        p.expected("'}'");
        b.fail();
    } else {
        p.bump();
    }
    init::close(&mut p.cx, b, end);
}

/// designation? initializer
fn element<'a>(p: &mut Parser<'_, 'a>, b: &mut InitBuilder<'a>) {
    if p.at(TokenKind::Number) && fast_number(p, b) {
        return;
    }
    if p.at(TokenKind::Embed) && matches!(p.peek().kind, TokenKind::Comma | TokenKind::RightBrace) {
        embed(p, b);
        return;
    }
    designation(p, b);
    if p.panicking {
        return;
    }
    let loc = p.tok.loc;
    if p.at(TokenKind::LeftBrace) {
        braced(p, b);
    } else {
        let value = expressions::assignment_expression(p);
        init::value(&mut p.cx, b, value, loc);
    }
}

/// A plain integer followed by `,` or `}` goes straight to the bytes of a static array.
fn fast_number(p: &mut Parser<'_, '_>, b: &mut InitBuilder<'_>) -> bool {
    let next = p.peek();
    if !next.is(TokenKind::Comma) && !next.is(TokenKind::RightBrace) {
        return false;
    }
    let text = p.cx.sess.interner.resolve_bytes(p.tok.symbol());
    let value = match text {
        [b'0', b'x' | b'X', digits @ ..] if (1..=15).contains(&digits.len()) => {
            std::str::from_utf8(digits).ok().and_then(|d| i128::from_str_radix(d, 16).ok())
        }
        [b'0', _, ..] => None,
        _ if text.len() <= 18 => {
            let mut value = Some(0i128);
            for &byte in text {
                value = match (value, byte) {
                    (Some(v), b'0'..=b'9') => Some(v * 10 + (byte - b'0') as i128),
                    _ => None,
                };
            }
            value
        }
        _ => None,
    };
    match value {
        Some(value) if init::fast_integer(&p.cx, b, value) => {
            p.bump();
            true
        }
        _ => false,
    }
}

/// The bytes of an `#embed` as a list of integer constants.
fn embed<'a>(p: &mut Parser<'_, 'a>, b: &mut InitBuilder<'a>) {
    let loc = p.tok.loc;
    let bytes = p.tokens.embed_data(p.tok).to_vec();
    p.bump();
    for byte in bytes {
        if !init::fast_integer(&p.cx, b, byte as i128) {
            let value = p.cx.ice(byte as i128, Ty::INT, loc);
            init::value(&mut p.cx, b, value, loc);
        }
    }
}

/// designation: `.name`, `[index]`, `[low ... high]` (GNU), `name:` (old GNU), `[index] value`
/// without `=` (old GNU)
fn designation<'a>(p: &mut Parser<'_, 'a>, b: &mut InitBuilder<'a>) {
    if p.at(TokenKind::Identifier) && p.peek().is(TokenKind::Colon) {
        let name = p.name();
        p.cx.pedantic(name.loc, "obsolete use of designated initializer with ':'");
        p.bump();
        p.bump();
        init::start_designation(&mut p.cx, b, p.tok.loc);
        init::designate_field(&mut p.cx, b, name);
        return;
    }
    let mut first = true;
    // GNU's old form without `=` is one index.
    let mut designators = 0;
    let mut only_indices = true;
    loop {
        designators += 1;
        match p.tok.kind {
            TokenKind::Dot => {
                only_indices = false;
                p.bump();
                let Some(name) = p.identifier() else { return };
                begin_designator(p, b, &mut first);
                init::designate_field(&mut p.cx, b, name);
            }
            TokenKind::LeftBracket => {
                p.bump();
                let loc = p.tok.loc;
                let low = index(p);
                let high = if p.at(TokenKind::Ellipsis) {
                    p.cx.pedantic(p.tok.loc, "ISO C forbids specifying range of elements to initialize");
                    p.bump();
                    index(p)
                } else {
                    low
                };
                p.expect(TokenKind::RightBracket);
                begin_designator(p, b, &mut first);
                match (low, high) {
                    (Some(low), Some(high)) => init::designate_index(&mut p.cx, b, low, high, loc),
                    _ => b.fail(),
                }
            }
            _ => break,
        }
        if p.panicking {
            return;
        }
    }
    if !first {
        if p.at(TokenKind::Equal) {
            p.bump();
        } else if !only_indices || designators > 2 {
            p.expected("'='");
        } else {
            p.cx.pedantic(p.tok.loc, "obsolete use of designated initializer without '='");
        }
    }
}

fn begin_designator<'a>(p: &mut Parser<'_, 'a>, b: &mut InitBuilder<'a>, first: &mut bool) {
    if *first {
        init::start_designation(&mut p.cx, b, p.tok.loc);
    } else {
        init::continue_designation(&mut p.cx, b);
    }
    *first = false;
}

fn index(p: &mut Parser<'_, '_>) -> Option<i128> {
    let expr = expressions::constant_expression(p);
    if expr.is_error() {
        return None;
    }
    if !p.cx.types().is_integer(expr.ty.ty()) {
        p.cx.error(expr.loc, "array index in initializer not of integer type");
        return None;
    }
    let message = "nonconstant array index in initializer";
    let strict = constants::Strictness::Folded;
    constants::require_integer(&mut p.cx, expr, strict, message, message).map(|v| v.0)
}

/// `(type) { ... }`; the current token is the brace.
pub fn compound_literal<'a>(p: &mut Parser<'_, 'a>, ty: QualType, loc: Loc) -> ExprRef<'a> {
    let standard = platform::options::Standard::C99;
    p.cx.pedantic_before(standard, loc, || "ISO C90 forbids compound literals".to_string());
    let written = ty;
    let mut ty = p.cx.unit.types.bare(written);
    match p.cx.kind(ty) {
        TypeKind::Function(_) => {
            p.cx.error(loc, "compound literal has function type");
            ty = Ty::ERROR.plain();
        }
        TypeKind::Array { elem, len: ArrayLen::Incomplete } if p.cx.types().is_vla(elem.ty()) => {
            p.cx.error(loc, "compound literal has variable size");
            ty = Ty::ERROR.plain();
        }
        TypeKind::Array { elem, len: ArrayLen::Incomplete } if !p.cx.types().is_incomplete(elem.ty()) => {}
        _ if p.cx.types().is_incomplete(ty.ty()) => {
            crate::sema::types::report_incomplete(&mut p.cx, ty, loc);
            ty = Ty::ERROR.plain();
        }
        _ if p.cx.types().is_vla(ty.ty()) => {
            p.cx.error(loc, "compound literal has variable size");
            ty = Ty::ERROR.plain();
        }
        _ => {}
    }
    let storage = std::mem::take(&mut p.cx.type_name_storage);
    let is_static = p.cx.functions.is_empty() || p.cx.in_static_initializer || storage.is_static;
    if storage.constexpr {
        ty = ty.with(crate::tree::Quals::CONST);
    }
    let (align, align_loc) = std::mem::take(&mut p.cx.type_name_align);
    declarations::check_alignas(&mut p.cx, align, ty, "unnamed object", align_loc);
    let written = p.cx.types().written_as(written, ty);
    let (ty, value) = initializer(p, written, is_static || storage.constexpr, "");
    if p.cx.types().is_error(ty.ty()) {
        return p.cx.error_expr(loc);
    }
    match value {
        Some(Finished::Automatic(value)) => {
            let decl = declarations::anonymous_object(&mut p.cx, None, ty, false, loc);
            p.cx.unit.decls[decl].align = align;
            storage.apply(&mut p.cx, decl);
            sema::cast::compound_literal(&mut p.cx, decl, Some(value), written, loc)
        }
        Some(Finished::Static(value)) if !is_static => {
            // A `constexpr` automatic object: its constant value is stored all the same.
            let decl = declarations::anonymous_object(&mut p.cx, None, ty, false, loc);
            p.cx.unit.decls[decl].align = align;
            storage.apply(&mut p.cx, decl);
            let finished = Finished::Static(value);
            declarations::finish_initializer(&mut p.cx, decl, ty, Some(&finished));
            let Finished::Static(value) = finished else { return p.cx.error_expr(loc) };
            let init = p.cx.arena.alloc(Initializer::Constant(value));
            sema::cast::compound_literal(&mut p.cx, decl, Some(init), written, loc)
        }
        Some(Finished::Static(value)) => {
            let decl = declarations::anonymous_object(&mut p.cx, None, ty, true, loc);
            p.cx.unit.decls[decl].align = align;
            storage.apply(&mut p.cx, decl);
            let finished = Finished::Static(value);
            if storage.constexpr {
                declarations::finish_initializer(&mut p.cx, decl, ty, Some(&finished));
            }
            let Finished::Static(value) = finished else { return p.cx.error_expr(loc) };
            let init = Some(&*p.cx.arena.alloc(value));
            p.cx.pending_statics.push(StaticVar { decl, init });
            sema::cast::compound_literal(&mut p.cx, decl, None, written, loc)
        }
        None => p.cx.error_expr(loc),
    }
}
