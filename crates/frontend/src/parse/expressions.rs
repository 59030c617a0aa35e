//! Expressions (C23 6.5): commas, assignments, conditionals, binary and prefix operators.
//!
//! Binary operators are read by precedence climbing, prefix operators onto a stack, so that neither
//! long chains of one precedence nor long rows of prefixes use the call stack.

use base::{Loc, Span};
use smallvec::SmallVec;

use super::{Parser, initializers, primary, type_names};
use crate::lex::TokenKind;
use crate::sema::expressions as sema;
use crate::sema::expressions::sizes;
use crate::sema::lints::{Operand, Written};
use crate::tree::{BinaryOp, ExprFlags, ExprKind, ExprRef, Name, QualType, UnaryOp, VlaBound};
use platform::options::Standard;

/// expression
pub fn expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let mut lhs = assignment_expression(p);
    while p.at(TokenKind::Comma) {
        let loc = p.tok.loc;
        p.bump();
        let rhs = assignment_expression(p);
        lhs = sema::comma(&mut p.cx, lhs, rhs, loc);
    }
    lhs
}

/// constant-expression: a conditional expression; the caller checks that it is constant.
pub fn constant_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let expr = conditional_expression(p);
    crate::sema::conversions::rvalue(&mut p.cx, expr)
}

/// The operator of an assignment token; `None` in the answer is plain `=`.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    use TokenKind::*;
    Some(match kind {
        Equal => None,
        StarEqual => Some(BinaryOp::Mul),
        SlashEqual => Some(BinaryOp::Div),
        PercentEqual => Some(BinaryOp::Rem),
        PlusEqual => Some(BinaryOp::Add),
        MinusEqual => Some(BinaryOp::Sub),
        LessLessEqual => Some(BinaryOp::Shl),
        GreaterGreaterEqual => Some(BinaryOp::Shr),
        AmpEqual => Some(BinaryOp::And),
        CaretEqual => Some(BinaryOp::Xor),
        PipeEqual => Some(BinaryOp::Or),
        _ => return None,
    })
}

/// assignment-expression. The left side may be any conditional expression; what is not an lvalue is
/// an error of meaning.
pub fn assignment_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let start = p.tok.loc;
    let lhs = conditional_expression(p);
    let left = Span::new(start, p.previous);
    let Some(op) = assignment_operator(p.tok.kind) else {
        if start != p.previous {
            p.cx.sess.diag.note_expression(lhs.loc, left);
        }
        return lhs;
    };
    let loc = p.tok.loc;
    p.bump();
    let right = p.tok.loc;
    if !p.enter() {
        return p.cx.error_expr(loc);
    }
    let rhs = assignment_expression(p);
    p.leave();
    p.cx.sess.diag.note_operands(loc, left, Span::new(right, p.previous));
    match op {
        None => sema::assign::assign(&mut p.cx, lhs, rhs, loc),
        Some(op) => sema::assign::compound(&mut p.cx, op, lhs, rhs, loc),
    }
}

/// conditional-expression, with GNU's omitted middle operand
pub fn conditional_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let cond = binary_expression(p, 1).0;
    if !p.at(TokenKind::Question) {
        return cond;
    }
    let question = p.tok.loc;
    p.bump();
    if !p.enter() {
        return p.cx.error_expr(question);
    }
    let constant = cond.int_value().map(|value| value != 0);
    let then = if p.at(TokenKind::Colon) { None } else { Some(arm(p, constant == Some(false), expression)) };
    // As in gcc, the place of the whole.
    let loc = p.tok.loc;
    p.expect(TokenKind::Colon);
    let els = arm(p, constant == Some(true), conditional_expression);
    p.leave();
    sema::assign::conditional(&mut p.cx, cond, then, els, (question, loc))
}

/// An arm of a conditional, which its condition may have ruled out.
fn arm<'x, 'a>(
    p: &mut Parser<'x, 'a>,
    ruled_out: bool,
    read: impl FnOnce(&mut Parser<'x, 'a>) -> ExprRef<'a>,
) -> ExprRef<'a> {
    p.cx.ruled_out += u32::from(ruled_out);
    let arm = read(p);
    p.cx.ruled_out -= u32::from(ruled_out);
    arm
}

#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOp),
    And,
    Or,
}

/// Operator and precedence (10 binds tightest) of a token: C23 6.5.6 to 6.5.15.
#[inline]
fn binary_operator(kind: TokenKind) -> Option<(Operator, u8)> {
    use TokenKind::*;
    let plain = |op, precedence| Some((Operator::Plain(op), precedence));
    match kind {
        Star => plain(BinaryOp::Mul, 10),
        Slash => plain(BinaryOp::Div, 10),
        Percent => plain(BinaryOp::Rem, 10),
        Plus => plain(BinaryOp::Add, 9),
        Minus => plain(BinaryOp::Sub, 9),
        LessLess => plain(BinaryOp::Shl, 8),
        GreaterGreater => plain(BinaryOp::Shr, 8),
        Less => plain(BinaryOp::Lt, 7),
        Greater => plain(BinaryOp::Gt, 7),
        LessEqual => plain(BinaryOp::Le, 7),
        GreaterEqual => plain(BinaryOp::Ge, 7),
        EqualEqual => plain(BinaryOp::Eq, 6),
        BangEqual => plain(BinaryOp::Ne, 6),
        Amp => plain(BinaryOp::And, 5),
        Caret => plain(BinaryOp::Xor, 4),
        Pipe => plain(BinaryOp::Or, 3),
        AmpAmp => Some((Operator::And, 2)),
        PipePipe => Some((Operator::Or, 1)),
        _ => None,
    }
}

/// The binary operators of at least this precedence, and which was the last.
fn binary_expression<'a>(p: &mut Parser<'_, 'a>, least: u8) -> Operand<'a> {
    let (first, start) = (p.tok.kind, p.tok.loc);
    let operand = cast_expression(p);
    let mut lhs = (operand, written(first, operand));
    while let Some((op, precedence)) = binary_operator(p.tok.kind) {
        if precedence < least {
            break;
        }
        let loc = p.tok.loc;
        let left = Span::new(start, p.previous);
        p.bump();
        let right = p.tok.loc;
        let ruled_out = match op {
            Operator::Plain(_) => 0,
            Operator::And => u32::from(lhs.0.int_value() == Some(0)),
            Operator::Or => u32::from(lhs.0.int_value().is_some_and(|value| value != 0)),
        };
        p.cx.ruled_out += ruled_out;
        let rhs = binary_expression(p, precedence + 1);
        p.cx.ruled_out -= ruled_out;
        p.cx.sess.diag.note_operands(loc, left, Span::new(right, p.previous));
        lhs = match op {
            Operator::Plain(op) => (sema::binary::binary(&mut p.cx, op, lhs, rhs, loc), Written::Binary(op)),
            Operator::And => (sema::binary::logical(&mut p.cx, true, lhs, rhs, loc), Written::LogicalAnd),
            Operator::Or => (sema::binary::logical(&mut p.cx, false, lhs, rhs, loc), Written::LogicalOr),
        };
    }
    lhs
}

/// How an operand without binary operators was written: `first` is its first token.
fn written(first: TokenKind, operand: ExprRef<'_>) -> Written {
    match (first, operand.kind) {
        (TokenKind::Bang, _) => Written::Not,
        (TokenKind::Number, ExprKind::Int(_)) => Written::Number,
        (_, ExprKind::String(_)) if !operand.flags.has(ExprFlags::PAREN) => Written::String,
        (TokenKind::LeftParen, _) => Written::Enclosed,
        _ => Written::Other,
    }
}

/// A prefix waiting for its operand.
enum Prefix<'a> {
    Operator(TokenKind, Loc),
    Cast(QualType, Vec<VlaBound<'a>>, Loc),
}

/// cast-expression and unary-expression
pub fn cast_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    use TokenKind::*;
    let mut prefixes: SmallVec<[Prefix<'a>; 2]> = SmallVec::new();
    let operand = loop {
        let (kind, loc) = (p.tok.kind, p.tok.loc);
        match kind {
            Identifier | Number => break primary::postfix_expression(p),
            Plus | Minus | Tilde | Bang | Star | Amp | PlusPlus | MinusMinus | KwReal | KwImag => {
                prefixes.push(Prefix::Operator(kind, loc));
                p.bump();
            }
            KwExtension => {
                prefixes.push(Prefix::Operator(kind, loc));
                p.bump();
                p.cx.extension += 1;
            }
            AmpAmp => {
                p.bump();
                break match p.identifier() {
                    Some(name) => sema::unary::label_address(&mut p.cx, name, loc),
                    None => p.cx.error_expr(loc),
                };
            }
            LeftParen => {
                let next = p.peek();
                if !type_names::token_starts_type_name(p, next) {
                    break primary::postfix_expression(p);
                }
                let (ty, bounds) = parenthesised_type_name(p);
                if p.at(LeftBrace) {
                    let literal = initializers::compound_literal(p, ty, loc);
                    let literal = sema::with_bounds_lvalue(&mut p.cx, bounds, literal);
                    break primary::postfix_suffixes(p, literal);
                }
                type_names::reject_alignment(p, "cast");
                prefixes.push(Prefix::Cast(ty, bounds, loc));
            }
            KwSizeof => break sizeof_expression(p),
            KwCountof => break countof_expression(p),
            KwAlignof | KwGnuAlignof => break alignof_expression(p),
            _ => break primary::postfix_expression(p),
        }
        if p.panicking {
            break p.cx.error_expr(loc);
        }
    };
    let mut expr = operand;
    while let Some(prefix) = prefixes.pop() {
        expr = apply_prefix(p, prefix, expr);
    }
    expr
}

fn apply_prefix<'a>(p: &mut Parser<'_, 'a>, prefix: Prefix<'a>, operand: ExprRef<'a>) -> ExprRef<'a> {
    use TokenKind::*;
    let cx = &mut p.cx;
    match prefix {
        Prefix::Cast(ty, bounds, loc) => {
            let cast = sema::cast::cast(cx, ty, operand, loc);
            sema::with_bounds(cx, bounds, cast)
        }
        Prefix::Operator(kind, loc) => match kind {
            Plus => sema::unary::arithmetic(cx, '+', operand, loc),
            Minus => sema::unary::arithmetic(cx, '-', operand, loc),
            Tilde => sema::unary::arithmetic(cx, '~', operand, loc),
            Bang => sema::unary::logical_not(cx, operand, loc),
            Star => sema::pointer::indirection(cx, operand, loc),
            Amp => sema::pointer::address_of(cx, operand, loc),
            PlusPlus => sema::unary::increment(cx, operand, false, false, loc),
            MinusMinus => sema::unary::increment(cx, operand, true, false, loc),
            KwReal => sema::unary::part(cx, UnaryOp::Real, operand, loc),
            KwImag => sema::unary::part(cx, UnaryOp::Imag, operand, loc),
            _ => {
                cx.extension -= 1;
                sema::generic::extension(cx, operand)
            }
        },
    }
}

/// `( type-name )` as written, with the bounds of variable-length arrays in it.
pub fn parenthesised_type_name<'a>(p: &mut Parser<'_, 'a>) -> (QualType, Vec<VlaBound<'a>>) {
    p.expect(TokenKind::LeftParen);
    let mark = p.cx.pending_bounds.len();
    let stored = matches!(p.tok.kind, TokenKind::KwStatic | TokenKind::KwRegister | TokenKind::KwConstexpr)
        || matches!(p.tok.kind, TokenKind::KwThreadLocal | TokenKind::KwThread);
    let ty = type_names::literal_type_name(p);
    p.expect(TokenKind::RightParen);
    if stored && !p.at(TokenKind::LeftBrace) {
        p.cx.type_name_storage = Default::default();
        p.expected("compound literal");
    }
    let bounds = p.cx.pending_bounds.drain(mark.min(p.cx.pending_bounds.len())..).collect();
    (ty, bounds)
}

/// `sizeof unary-expression`, `sizeof (type-name)`
fn sizeof_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.bump();
    let next = p.peek();
    if p.at(TokenKind::LeftParen) && type_names::token_starts_type_name(p, next) {
        p.cx.unevaluated += 1;
        let open = p.tok.loc;
        let (ty, bounds) = parenthesised_type_name(p);
        if p.at(TokenKind::LeftBrace) {
            let literal = initializers::compound_literal(p, ty, open);
            let operand = primary::postfix_suffixes(p, literal);
            p.cx.unevaluated -= 1;
            return sizes::sizeof_expr(&mut p.cx, operand, loc);
        }
        p.cx.unevaluated -= 1;
        type_names::reject_alignment(p, "'sizeof'");
        let size = sizes::sizeof_type(&mut p.cx, ty, open);
        return if p.cx.types().is_vla(ty.ty()) { sema::with_bounds(&mut p.cx, bounds, size) } else { size };
    }
    if !p.enter() {
        return p.cx.error_expr(loc);
    }
    let mark = p.cx.pending_bounds.len();
    p.cx.unevaluated += 1;
    let operand = cast_expression(p);
    p.cx.unevaluated -= 1;
    p.leave();
    let size = sizes::sizeof_expr(&mut p.cx, operand, operand.loc);
    p.cx.pending_bounds.truncate(mark);
    size
}

/// `_Countof unary-expression`, `_Countof (type-name)` (C2Y 6.5.4.5)
fn countof_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    p.cx.feature_of(Standard::C2Y, loc, "'_Countof'");
    p.bump();
    let next = p.peek();
    let mark = p.cx.pending_bounds.len();
    p.cx.unevaluated += 1;
    let operand = if p.at(TokenKind::LeftParen) && type_names::token_starts_type_name(p, next) {
        let open = p.tok.loc;
        let (ty, bounds) = parenthesised_type_name(p);
        if !p.at(TokenKind::LeftBrace) {
            p.cx.unevaluated -= 1;
            let count = sizes::count(&mut p.cx, ty, loc);
            return if p.cx.types().is_vla(ty.ty()) { sema::with_bounds(&mut p.cx, bounds, count) } else { count };
        }
        let literal = initializers::compound_literal(p, ty, open);
        primary::postfix_suffixes(p, literal)
    } else {
        if !p.enter() {
            return p.cx.error_expr(loc);
        }
        let operand = cast_expression(p);
        p.leave();
        operand
    };
    p.cx.unevaluated -= 1;
    p.cx.pending_bounds.truncate(mark);
    sizes::countof_expr(&mut p.cx, operand, loc)
}

/// `_Alignof (type-name)`, GNU also of an expression
fn alignof_expression<'a>(p: &mut Parser<'_, 'a>) -> ExprRef<'a> {
    let loc = p.tok.loc;
    let spelling = p.cx.str(p.tok.symbol());
    let standard = p.at(TokenKind::KwAlignof);
    if standard {
        p.cx.feature_of(Standard::C11, loc, &format!("'{spelling}'"));
    }
    p.bump();
    let next = p.peek();
    if p.at(TokenKind::LeftParen) && type_names::token_starts_type_name(p, next) {
        let mark = p.cx.pending_bounds.len();
        p.cx.unevaluated += 1;
        let (ty, _) = parenthesised_type_name(p);
        p.cx.unevaluated -= 1;
        p.cx.pending_bounds.truncate(mark);
        if p.at(TokenKind::LeftBrace) {
            // `_Alignof (type) { ... }`: of a compound literal, as an expression; as in gcc its
            // type counts, not the specifier.
            p.cx.type_name_align = Default::default();
            if standard {
                p.cx.pedantic(loc, format!("ISO C does not allow '{spelling} (expression)'"));
            }
            p.cx.unevaluated += 1;
            let literal = initializers::compound_literal(p, ty, loc);
            p.cx.unevaluated -= 1;
            return sizes::alignof_expr(&mut p.cx, literal, spelling, loc);
        }
        type_names::reject_alignment(p, &format!("'{spelling}'"));
        return sizes::alignof_type(&mut p.cx, ty, spelling, loc);
    }
    if standard {
        p.cx.pedantic(loc, format!("ISO C does not allow '{spelling} (expression)'"));
    }
    if !p.enter() {
        return p.cx.error_expr(loc);
    }
    p.cx.unevaluated += 1;
    let operand = cast_expression(p);
    p.cx.unevaluated -= 1;
    p.leave();
    sizes::alignof_expr(&mut p.cx, operand, spelling, loc)
}

/// A member name after `.` or `->`.
pub fn member_name(p: &mut Parser<'_, '_>) -> Option<Name> {
    p.identifier()
}
