//! Primary and postfix expressions (C23 6.5.2, 6.5.3), `_Generic`, builtins with a syntax of their
//! own.

use base::Loc;
use smallvec::SmallVec;

use super::{Parser, expressions, has_attribute, statements, type_names};
use crate::lex::{Token, TokenFlags, TokenKind};
use crate::sema::expressions as sema;
use crate::sema::expressions::generic::Association;
use crate::sema::expressions::member::Offset;
use crate::sema::{builtins, calls, conversions, literals};
use crate::tree::{ExprRef, Ty};
use platform::options::Standard;

/// postfix-expression
pub fn postfix_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let primary = primary_expression(p);
    postfix_suffixes(p, primary)
}

/// The suffixes of a postfix expression: subscripts, calls, members, `++`, `--`.
pub fn postfix_suffixes<'a>(p: &mut Parser<'_, 'a>, primary: ExprRef<'a>) -> ExprRef<'a> {
    use TokenKind::*;
    let mut expr = primary;
    loop {
        let loc = p.tok.loc;
        match { p.tok.kind } {
            LeftBracket => {
                p.bump();
                if !p.enter() {
                    return expr;
                }
                let index = expressions::expression(p);
                p.leave();
                p.expect(RightBracket);
                expr = sema::pointer::subscript(&mut p.cx, expr, index, loc);
            }
            LeftParen => {
                let args = argument_list(p);
                if p.panicking {
                    // The arguments are not all of them.
                    return p.cx.error_expr(loc);
                }
                expr = calls::call(&mut p.cx, expr, &args, call_loc(expr, loc));
            }
            Dot | Arrow => {
                let arrow = p.at(Arrow);
                p.bump();
                let Some(name) = expressions::member_name(p) else { return p.cx.error_expr(loc) };
                expr = if arrow {
                    sema::member::arrow(&mut p.cx, expr, name, loc)
                } else {
                    sema::member::member(&mut p.cx, expr, name, loc)
                };
            }
            PlusPlus | MinusMinus => {
                let decrement = p.at(MinusMinus);
                p.bump();
                expr = sema::unary::increment(&mut p.cx, expr, decrement, true, loc);
            }
            _ => return expr,
        }
        if p.panicking {
            return p.cx.error_expr(loc);
        }
    }
}

/// gcc places a call at the name called.
fn call_loc(callee: ExprRef<'_>, paren: Loc) -> Loc {
    if callee.loc.is_none() { paren } else { callee.loc }
}

/// `( argument-expression-list? )`
fn argument_list<'a>(p: &mut Parser<'_, 'a>) -> SmallVec<[ExprRef<'a>; 8]> {
    let mut args = SmallVec::new();
    if !p.enter() {
        return args;
    }
    p.bump();
    if !p.at(TokenKind::RightParen) {
        loop {
            args.push(expressions::assignment_expression(p));
            if !p.eat(TokenKind::Comma) {
                break;
            }
        }
    }
    p.leave();
    p.expect(TokenKind::RightParen);
    args
}

/// An `#embed` outside of a list of initialisers becomes what it stands for: integer constants with
/// commas between them (C23 6.10.4.1 paragraph 7).
fn expand_embed(p: &mut Parser<'_, '_>) {
    let loc = p.tok.loc;
    let mut tokens = Vec::new();
    for &byte in p.tokens.embed_data(p.tok) {
        let number = p.cx.sess.interner.intern(&byte.to_string());
        tokens.push(Token::new(TokenKind::Comma, TokenFlags::NONE, loc));
        tokens.push(Token { payload: number.0, ..Token::new(TokenKind::Number, TokenFlags::LEADING_SPACE, loc) });
    }
    p.tokens.put_back(tokens.into_iter().skip(1));
    p.tok = p.tokens.next();
}

/// primary-expression
fn primary_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    if p.at(TokenKind::Embed) {
        expand_embed(p);
    }
    use TokenKind::*;
    let (kind, loc) = (p.tok.kind, p.tok.loc);
    match kind {
        Identifier => {
            let name = p.name();
            p.bump();
            let called = p.at(LeftParen);
            sema::primary::identifier(&mut p.cx, name, called)
        }
        Number => {
            let symbol = p.tok.symbol();
            p.bump();
            literals::number(&mut p.cx, symbol, loc)
        }
        Char => {
            let symbol = p.tok.symbol();
            p.bump();
            literals::character(&mut p.cx, symbol, loc)
        }
        String => {
            let tokens = p.string_tokens();
            literals::string(&mut p.cx, &tokens)
        }
        LeftParen => parenthesised(p),
        KwTrue | KwFalse => {
            p.bump();
            sema::primary::keyword_constant(&mut p.cx, Some(kind == KwTrue), loc)
        }
        KwNullptr => {
            p.bump();
            sema::primary::keyword_constant(&mut p.cx, None, loc)
        }
        KwFunc | KwFunction | KwPrettyFunction => {
            let spelling = p.cx.str(p.tok.symbol());
            match kind {
                KwFunc => p.cx.feature_of(Standard::C99, loc, "'__func__' predefined identifier"),
                _ => p.cx.pedantic(loc, format!("ISO C does not support '{spelling}' predefined identifier")),
            }
            p.bump();
            sema::primary::function_name(&mut p.cx, spelling, loc)
        }
        KwGeneric => generic_selection(p),
        KwBuiltinVaArg => va_arg(p),
        KwBuiltinOffsetof => offsetof(p),
        KwBuiltinTypesCompatible => types_compatible(p),
        KwBuiltinChooseExpr => choose_expr(p),
        KwBuiltinComplex => {
            let args = keyword_arguments(p);
            p.cx.feature_of(Standard::C99, loc, "complex types");
            match args[..] {
                [re, im] => sema::generic::complex(&mut p.cx, re, im, loc),
                _ => wrong_count(p, "__builtin_complex", loc),
            }
        }
        KwBuiltinShuffle => {
            let args = keyword_arguments(p);
            sema::vector::shuffle(&mut p.cx, &args, loc)
        }
        KwBuiltinShuffleVector => {
            let args = keyword_arguments(p);
            sema::vector::shuffle_vector(&mut p.cx, &args, loc)
        }
        KwBuiltinConvertVector => convert_vector(p),
        KwBuiltinHasAttribute => has_attribute::has_attribute(p),
        KwBuiltinTgmath => tgmath(p),
        KwBuiltinCallWithStaticChain => {
            let args = keyword_arguments(p);
            match args[..] {
                [call, chain] => sema::generic::call_with_static_chain(&mut p.cx, call, chain, loc),
                _ => wrong_count(p, "__builtin_call_with_static_chain", loc),
            }
        }
        KwBuiltinAssocBarrier => {
            let args = keyword_arguments(p);
            match args[..] {
                [operand] => sema::generic::assoc_barrier(&mut p.cx, operand, loc),
                _ => wrong_count(p, "__builtin_assoc_barrier", loc),
            }
        }
        _ => {
            p.expected("expression");
            p.cx.error_expr(loc)
        }
    }
}

fn wrong_count<'a>(p: &mut Parser<'_, 'a>, name: &str, loc: Loc) -> ExprRef<'a> {
    p.cx.error(loc, format!("wrong number of arguments to '{name}'"));
    p.cx.error_expr(loc)
}

/// The arguments of a builtin that is a keyword.
fn keyword_arguments<'a>(p: &mut Parser<'_, 'a>) -> SmallVec<[ExprRef<'a>; 8]> {
    p.bump();
    if !p.at(TokenKind::LeftParen) {
        p.expected("'('");
        return SmallVec::new();
    }
    argument_list(p)
}

/// `( expression )`, `({ ... })`
fn parenthesised<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    if !p.enter() {
        return p.cx.error_expr(loc);
    }
    p.bump();
    if p.at(TokenKind::LeftBrace) {
        let expr = statements::statement_expression(p, loc);
        p.leave();
        p.expect(TokenKind::RightParen);
        return expr;
    }
    let first = p.tok;
    let expr = expressions::expression(p);
    p.leave();
    p.expect(TokenKind::RightParen);
    sema::paren(&mut p.cx, expr, loc, first)
}

/// `_Generic ( controlling, associations )`
fn generic_selection<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    if !p.enter() {
        return p.cx.error_expr(loc);
    }
    p.cx.unevaluated += 1;
    let control = if type_names::starts_type_name(p) {
        type_names::type_name(p)
    } else {
        let expr = expressions::assignment_expression(p);
        sema::generic::controlling_type(&mut p.cx, expr)
    };
    p.cx.unevaluated -= 1;
    let mut associations = Vec::new();
    while p.eat(TokenKind::Comma) {
        let at = p.tok.loc;
        let ty =
            if p.eat(TokenKind::KwDefault) { None } else { Some(type_names::unaligned_type_name(p, "'_Generic'")) };
        p.expect(TokenKind::Colon);
        let value = expressions::assignment_expression(p);
        associations.push(Association { ty, value, loc: at });
        if p.panicking {
            break;
        }
    }
    p.leave();
    p.expect(TokenKind::RightParen);
    if associations.is_empty() || p.panicking {
        return p.cx.error_expr(loc);
    }
    sema::generic::select(&mut p.cx, control, &associations, loc)
}

/// `__builtin_va_arg ( list, type-name )`
fn va_arg<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    let list = expressions::assignment_expression(p);
    p.expect(TokenKind::Comma);
    let mark = p.cx.pending_bounds.len();
    let written = type_names::written_type_name(p);
    p.expect(TokenKind::RightParen);
    let bounds = p.cx.pending_bounds.drain(mark.min(p.cx.pending_bounds.len())..).collect();
    let ty = p.cx.unit.types.bare(written);
    let value = builtins::va_lists::va_arg(&mut p.cx, list, ty, loc);
    let value = p.cx.with_written(value, written.unqualified());
    sema::with_bounds(&mut p.cx, bounds, value)
}

/// `__builtin_offsetof ( type-name, member-designator )`
fn offsetof<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    let ty = type_names::type_name(p);
    p.expect(TokenKind::Comma);
    let mut at = Offset { ty, bytes: 0, variable: None };
    match p.identifier() {
        Some(name) => sema::member::offset_member(&mut p.cx, &mut at, name),
        None => at.ty = Ty::ERROR.plain(),
    }
    loop {
        let place = p.tok.loc;
        match { p.tok.kind } {
            TokenKind::Dot | TokenKind::Arrow => {
                let arrow = p.at(TokenKind::Arrow);
                p.bump();
                if arrow {
                    let zero = p.cx.ice(0, Ty::INT, place);
                    sema::member::offset_subscript(&mut p.cx, &mut at, zero, place);
                }
                let Some(name) = p.identifier() else { break };
                sema::member::offset_member(&mut p.cx, &mut at, name);
            }
            TokenKind::LeftBracket => {
                p.bump();
                let index = expressions::expression(p);
                p.expect(TokenKind::RightBracket);
                sema::member::offset_subscript(&mut p.cx, &mut at, index, place);
            }
            _ => break,
        }
    }
    p.expect(TokenKind::RightParen);
    sema::member::offset_value(&mut p.cx, at, loc)
}

/// `__builtin_types_compatible_p ( type-name, type-name )`
fn types_compatible<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    let mark = p.cx.pending_bounds.len();
    p.cx.unevaluated += 1;
    let a = type_names::type_name(p);
    p.expect(TokenKind::Comma);
    let b = type_names::type_name(p);
    p.cx.unevaluated -= 1;
    p.cx.pending_bounds.truncate(mark);
    p.expect(TokenKind::RightParen);
    if p.panicking {
        return p.cx.error_expr(loc);
    }
    sema::generic::types_compatible(&mut p.cx, a, b, loc)
}

/// `__builtin_choose_expr ( constant, a, b )`: the arm not chosen is parsed and dropped.
fn choose_expr<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    // What is not constant here never will be.
    p.cx.settled_constants += 1;
    let condition = expressions::assignment_expression(p);
    p.cx.settled_constants -= 1;
    let mut args: SmallVec<[ExprRef<'a>; 8]> = SmallVec::from_slice(&[condition]);
    while p.eat(TokenKind::Comma) {
        args.push(expressions::assignment_expression(p));
    }
    p.expect(TokenKind::RightParen);
    match args[..] {
        [condition, a, b] => {
            let condition = conversions::rvalue(&mut p.cx, condition);
            sema::generic::choose(&mut p.cx, condition, a, b, loc)
        }
        _ => wrong_count(p, "__builtin_choose_expr", loc),
    }
}

/// `__builtin_convertvector ( expression, type-name )`
fn convert_vector<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    p.expect(TokenKind::LeftParen);
    let operand = expressions::assignment_expression(p);
    p.expect(TokenKind::Comma);
    let ty = type_names::type_name(p);
    p.expect(TokenKind::RightParen);
    sema::vector::convert_vector(&mut p.cx, operand, ty.ty(), loc)
}

/// `__builtin_tgmath ( functions..., arguments... )`: the function whose parameter type fits the
/// arguments best.
fn tgmath<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    let args = keyword_arguments(p);
    if args.is_empty() {
        return p.cx.error_expr(loc);
    }
    builtins::tgmath::call(&mut p.cx, &args, loc)
}
