//! The controlling expression of `#if` and `#elif` (C23 6.10.2): integer arithmetic in `intmax_t`
//! and `uintmax_t`.
//!
//! Operator precedence with an explicit stack, as in cpplib, so that nesting is not limited by the
//! machine's stack.

use base::{Loc, Symbol, warning};
use smallvec::SmallVec;

use super::{Preprocessor, conditionals};
use crate::lex::charset::ExecutionCharsets;
use crate::lex::encoding::{Encoding, ProblemSeverity};
use crate::lex::literals;
use crate::lex::numbers::{Number, parse_number};
use crate::lex::{Standard, Token, TokenKind, names};

/// The outcome of a condition.
pub(super) struct Condition {
    pub(super) is_true: bool,
    /// The whole expression was `!defined X`.
    pub(super) guard: Option<Symbol>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Value {
        Value::signed(i64::from(value))
    }
}

/// An operator waiting for its right operand.
struct Operator {
    kind: TokenKind,
    unary: bool,
    /// Left operand, or the condition of `?:` (for `:` both: see `second`).
    left: Value,
    /// The second operand of `?:`.
    second: Value,
    loc: Loc,
    /// Evaluation was suspended for the right operand.
    suspends: bool,
}

/// The expression was in error, which has been reported.
struct Failed;

/// Evaluates the rest of the directive's line.
pub(super) fn evaluate(pp: &mut Preprocessor<'_>, directive: &'static str) -> Condition {
    pp.state.in_condition = true;
    let mut parser = Parser {
        pp,
        directive,
        skip: 0,
        operators: SmallVec::new(),
        tokens: 0,
        guard: None,
        parenthesized: false,
        result: Value::truth(false),
    };
    let result = parser.expression();
    let guard = parser.guard.filter(|_| parser.tokens == 2);
    pp.state.in_condition = false;
    // What an error left over must not leak into the text.
    while !pp.expanded_token().is(TokenKind::EndOfDirective) {}
    match result {
        Ok(value) => Condition { is_true: value.bits != 0, guard },
        Err(Failed) => Condition { is_true: false, guard: None },
    }
}

/// Evaluates an expression in parentheses, whose `(` was read, and reads the `)`; for parameters of
/// `#embed`.
pub(super) fn parenthesized(pp: &mut Preprocessor<'_>) -> Option<i64> {
    let before = std::mem::replace(&mut pp.state.in_condition, true);
    let mut parser = Parser {
        pp,
        directive: "embed",
        skip: 0,
        operators: SmallVec::new(),
        tokens: 0,
        guard: None,
        parenthesized: true,
        result: Value::truth(false),
    };
    let result = parser.expression();
    pp.state.in_condition = before;
    result.ok().map(|value| value.bits as i64)
}

struct Parser<'p, 's> {
    pp: &'p mut Preprocessor<'s>,
    directive: &'static str,
    /// Greater than 0 in operands that are not evaluated.
    skip: u32,
    operators: SmallVec<[Operator; 4]>,
    /// Number of operators and operands so far.
    tokens: u32,
    /// The expression ends at an unmatched `)` rather than at the end of the line.
    parenthesized: bool,
    result: Value,
    /// `!defined X` at the very beginning.
    guard: Option<Symbol>,
}

/// Binding strength of binary operators; assignment and the rest are no operators here.
fn precedence(kind: TokenKind) -> Option<u8> {
    use TokenKind::*;
    Some(match kind {
        Comma => 1,
        Question | Colon => 2,
        PipePipe => 3,
        AmpAmp => 4,
        Pipe => 5,
        Caret => 6,
        Amp => 7,
        EqualEqual | BangEqual => 8,
        Less | Greater | LessEqual | GreaterEqual => 9,
        LessLess | GreaterGreater => 10,
        Plus | Minus => 11,
        Star | Slash | Percent => 12,
        _ => return None,
    })
}

const UNARY: u8 = 13;

impl Parser<'_, '_> {
    fn error<T>(&self, loc: Loc, message: impl Into<String>) -> Result<T, Failed> {
        self.pp.session.error(loc, message).emit();
        Err(Failed)
    }

    fn expression(&mut self) -> Result<Value, Failed> {
        let mut token = self.pp.expanded_token();
        loop {
            // An operand is wanted.
            let value = loop {
                match token.kind {
                    TokenKind::Plus | TokenKind::Minus | TokenKind::Bang | TokenKind::Tilde | TokenKind::LeftParen => {
                        self.push(token.kind, true, Value::truth(false), token.loc, false);
                    }
                    _ => break self.operand(token)?,
                }
                token = self.pp.expanded_token();
            };
            self.tokens += 1;
            // An operator is wanted, or the end.
            let mut value = value;
            loop {
                token = self.pp.expanded_token();
                match token.kind {
                    TokenKind::EndOfDirective => return self.finish(value),
                    TokenKind::RightParen => match self.close(value, token)? {
                        Some(inner) => value = inner,
                        None => return Ok(self.result),
                    },
                    kind => match precedence(kind) {
                        Some(strength) => {
                            self.binary(value, token, strength)?;
                            break;
                        }
                        None => {
                            return self.misplaced(token);
                        }
                    },
                }
            }
            token = self.pp.expanded_token();
        }
    }

    /// A token that is no operator, where an operator is wanted.
    fn misplaced<T>(&self, token: Token) -> Result<T, Failed> {
        use TokenKind::*;
        let text = self.pp.spelling(token);
        let message = match token.kind {
            Number | Char | Identifier | LeftParen | Bang | Tilde => {
                format!("missing binary operator before token \"{text}\"")
            }
            _ => format!("token \"{text}\" is not valid in preprocessor expressions"),
        };
        self.error(token.loc, message)
    }

    fn push(&mut self, kind: TokenKind, unary: bool, left: Value, loc: Loc, suspends: bool) {
        self.tokens += 1;
        self.operators.push(Operator { kind, unary, left, second: Value::truth(false), loc, suspends });
    }

    fn finish(&mut self, value: Value) -> Result<Value, Failed> {
        let value = self.reduce(value, 0)?;
        match self.operators.last() {
            None => Ok(value),
            Some(open) if open.kind == TokenKind::Question => self.error(open.loc, "'?' without following ':'"),
            Some(open) => self.error(open.loc, "missing ')' in expression"),
        }
    }

    /// A `)`: the value in its parentheses, or `None` if it ends the whole expression.
    fn close(&mut self, value: Value, token: Token) -> Result<Option<Value>, Failed> {
        let value = self.reduce(value, 0)?;
        match self.operators.pop() {
            Some(open) if open.kind == TokenKind::LeftParen => Ok(Some(value)),
            Some(open) if open.kind == TokenKind::Question => self.error(open.loc, "'?' without following ':'"),
            None if self.parenthesized => {
                self.result = value;
                Ok(None)
            }
            _ => self.error(token.loc, "missing '(' in expression"),
        }
    }

    fn binary(&mut self, value: Value, token: Token, strength: u8) -> Result<(), Failed> {
        // The conditional operator groups to the right, all others to the left.
        // Between `?` and `:` stands any expression, a comma's included.
        let strength = match token.kind {
            TokenKind::Question => strength + 1,
            TokenKind::Colon => 0,
            _ => strength,
        };
        let value = self.reduce(value, strength)?;
        let mut suspends = false;
        match token.kind {
            TokenKind::Comma => {
                let quiet = self.pp.options.dialect.standard >= crate::lex::Standard::C99 && self.skip > 0;
                if !quiet {
                    let message = format!("comma operator in operand of #{}", self.directive);
                    self.pp.session.pedwarn(warning::PEDANTIC, token.loc, message).emit();
                }
            }
            TokenKind::AmpAmp => suspends = value.bits == 0,
            TokenKind::PipePipe => suspends = value.bits != 0,
            TokenKind::Question => suspends = value.bits == 0,
            TokenKind::Colon => return self.colon(value, token),
            _ => {}
        }
        self.skip += u32::from(suspends);
        self.push(token.kind, false, value, token.loc, suspends);
        Ok(())
    }

    /// `:` turns the pending `?` into an operator that waits for its third operand.
    fn colon(&mut self, second: Value, token: Token) -> Result<(), Failed> {
        match self.operators.pop() {
            Some(question) if question.kind == TokenKind::Question => {
                self.skip -= u32::from(question.suspends);
                let suspends = question.left.bits != 0;
                self.skip += u32::from(suspends);
                self.push(TokenKind::Colon, false, question.left, token.loc, suspends);
                if let Some(top) = self.operators.last_mut() {
                    top.second = second;
                }
                Ok(())
            }
            _ => self.error(token.loc, "':' without preceding '?'"),
        }
    }

    /// Applies the operators on the stack that bind at least as strongly as `strength`.
    fn reduce(&mut self, mut value: Value, strength: u8) -> Result<Value, Failed> {
        while let Some(top) = self.operators.last() {
            let own = if top.unary { UNARY } else { precedence(top.kind).unwrap_or(0) };
            if top.kind == TokenKind::LeftParen || top.kind == TokenKind::Question || own < strength {
                break;
            }
            let Some(operator) = self.operators.pop() else { break };
            self.skip -= u32::from(operator.suspends);
            value = self.apply(&operator, value)?;
        }
        Ok(value)
    }

    fn apply(&mut self, operator: &Operator, right: Value) -> Result<Value, Failed> {
        use TokenKind::*;
        if operator.unary {
            return Ok(match operator.kind {
                Minus => {
                    if !right.unsigned && right.bits as i64 == i64::MIN {
                        self.overflow(operator.loc);
                    }
                    Value { bits: right.bits.wrapping_neg(), ..right }
                }
                Tilde => Value { bits: !right.bits, ..right },
                Bang => Value::truth(right.bits == 0),
                _ => right,
            });
        }
        let left = operator.left;
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let (sa, sb) = (a as i64, b as i64);
        let checks_sign = !matches!(operator.kind, LessLess | GreaterGreater | AmpAmp | PipePipe | Comma | Colon);
        if checks_sign && self.skip == 0 {
            self.warn_sign_change(operator, left, right);
        }
        let wrapping = |unsigned_bits: u64, signed: (i64, bool)| match unsigned {
            true => (Value { bits: unsigned_bits, unsigned }, false),
            false => (Value::signed(signed.0), signed.1),
        };
        let (value, overflow) = match operator.kind {
            Plus => wrapping(a.wrapping_add(b), sa.overflowing_add(sb)),
            Minus => wrapping(a.wrapping_sub(b), sa.overflowing_sub(sb)),
            Star => wrapping(a.wrapping_mul(b), sa.overflowing_mul(sb)),
            Slash | Percent if b == 0 => {
                if self.skip == 0 {
                    return self.error(operator.loc, format!("division by zero in #{}", self.directive));
                }
                (Value { bits: 0, unsigned }, false)
            }
            Slash => wrapping(a / b, if unsigned { (0, false) } else { sa.overflowing_div(sb) }),
            Percent => wrapping(a % b, if unsigned { (0, false) } else { (sa.wrapping_rem(sb), false) }),
            LessLess => shift(left, shift_count(right)),
            GreaterGreater => shift(left, -shift_count(right)),
            Less => (Value::truth(if unsigned { a < b } else { sa < sb }), false),
            Greater => (Value::truth(if unsigned { a > b } else { sa > sb }), false),
            LessEqual => (Value::truth(if unsigned { a <= b } else { sa <= sb }), false),
            GreaterEqual => (Value::truth(if unsigned { a >= b } else { sa >= sb }), false),
            EqualEqual => (Value::truth(a == b), false),
            BangEqual => (Value::truth(a != b), false),
            Amp => (Value { bits: a & b, unsigned }, false),
            Caret => (Value { bits: a ^ b, unsigned }, false),
            Pipe => (Value { bits: a | b, unsigned }, false),
            AmpAmp => (Value::truth(a != 0 && b != 0), false),
            PipePipe => (Value::truth(a != 0 || b != 0), false),
            Comma => (right, false),
            Colon => {
                let unsigned = operator.second.unsigned || right.unsigned;
                let chosen = if a != 0 { operator.second } else { right };
                (Value { bits: chosen.bits, unsigned }, false)
            }
            _ => base::bug!("operator {} on the stack of #if", operator.kind),
        };
        if overflow {
            self.overflow(operator.loc);
        }
        Ok(value)
    }

    fn overflow(&self, loc: Loc) {
        if self.skip == 0 {
            self.pp.session.pedwarn_always(loc, "integer overflow in preprocessor expression").emit();
        }
    }

    fn warn_sign_change(&self, operator: &Operator, left: Value, right: Value) {
        if left.unsigned == right.unsigned {
            return;
        }
        let (side, signed) = if left.unsigned { ("right", right) } else { ("left", left) };
        if (signed.bits as i64) < 0 {
            let text = operator.kind.text().unwrap_or_default();
            let message = format!("the {side} operand of \"{text}\" changes sign when promoted");
            self.pp.session.warn(warning::SIGN_COMPARE, operator.loc, message).emit();
        }
    }

    fn operand(&mut self, token: Token) -> Result<Value, Failed> {
        match token.kind {
            TokenKind::Number => self.number(token),
            TokenKind::Char => Ok(self.character(token)),
            TokenKind::Identifier if token.symbol() == names::DEFINED => self.defined(token),
            TokenKind::Identifier => self.identifier(token),
            TokenKind::Hash => super::assertions::test(self.pp, token).map(Value::truth).ok_or(Failed),
            TokenKind::EndOfDirective => match self.operators.last() {
                None => self.error(token.loc, format!("#{} with no expression", self.directive)),
                Some(top) if top.kind == TokenKind::LeftParen => self.error(token.loc, "missing ')' in expression"),
                Some(top) => {
                    let text = top.kind.text().unwrap_or_default();
                    self.error(top.loc, format!("operator '{text}' has no right operand"))
                }
            },
            TokenKind::RightParen => match self.operators.last() {
                Some(top) if top.kind == TokenKind::LeftParen => {
                    self.error(token.loc, "missing expression between '(' and ')'")
                }
                Some(top) => {
                    let text = top.kind.text().unwrap_or_default();
                    self.error(top.loc, format!("operator '{text}' has no right operand"))
                }
                None => self.error(token.loc, "missing '(' in expression"),
            },
            kind if precedence(kind).is_some() => match self.operators.last() {
                Some(top) if top.kind != TokenKind::LeftParen => {
                    let text = top.kind.text().unwrap_or_default();
                    self.error(top.loc, format!("operator '{text}' has no right operand"))
                }
                _ => {
                    let text = kind.text().unwrap_or_default();
                    self.error(token.loc, format!("operator '{text}' has no left operand"))
                }
            },
            _ => {
                let text = self.pp.spelling(token);
                self.error(token.loc, format!("token \"{text}\" is not valid in preprocessor expressions"))
            }
        }
    }

    fn number(&mut self, token: Token) -> Result<Value, Failed> {
        let spelling = self.pp.session.interner.resolve_bytes(token.symbol());
        match parse_number(spelling, &self.pp.options.dialect) {
            Err(message) => self.error(token.loc, message),
            Ok(Number::Float(_)) => self.error(token.loc, "floating constant in preprocessor expression"),
            Ok(Number::Integer(constant)) if constant.suffix.imaginary => {
                self.error(token.loc, "imaginary number in preprocessor expression")
            }
            Ok(Number::Integer(constant)) => {
                let mut unsigned = constant.suffix.unsigned;
                if constant.overflow || constant.value > u128::from(u64::MAX) {
                    let message = "integer constant is too large for its type";
                    self.pp.session.pedwarn_always(token.loc, message).emit();
                }
                // Before the standard only a suffix made a constant unsigned.
                if constant.value > i64::MAX as u128 && !unsigned && !self.pp.options.traditional {
                    if constant.base == 10 {
                        let message = "integer constant is so large that it is unsigned";
                        if self.pp.options.dialect.standard >= Standard::C99 {
                            self.pp.session.pedwarn_always(token.loc, message).emit();
                        } else {
                            self.pp.session.warn_always(token.loc, message).emit();
                        }
                    }
                    unsigned = true;
                }
                Ok(Value { bits: constant.value as u64, unsigned })
            }
        }
    }

    fn character(&mut self, token: Token) -> Value {
        let spelling = self.pp.session.interner.resolve_bytes(token.symbol());
        let mut problems = Vec::new();
        let mut charsets = ExecutionCharsets::new(&self.pp.options.charsets);
        let unsigned_char = self.pp.options.dialect.unsigned_char;
        let short_wchar = self.pp.options.target.short_wchar;
        let constant = literals::decode_char(spelling, unsigned_char, short_wchar, &mut charsets, &mut problems);
        for problem in problems {
            let loc = token.loc;
            match problem.severity {
                ProblemSeverity::PedanticBefore(standard) if self.pp.options.dialect.standard >= standard => continue,
                ProblemSeverity::Error => self.pp.session.error(loc, problem.message).emit(),
                ProblemSeverity::Multichar => self.pp.session.warn(warning::MULTICHAR, loc, problem.message).emit(),
                ProblemSeverity::Pedantic | ProblemSeverity::PedanticBefore(_) => {
                    self.pp.session.pedwarn(warning::PEDANTIC, loc, problem.message).emit()
                }
                ProblemSeverity::PedanticWarning => self.pp.session.pedwarn_always(loc, problem.message).emit(),
                ProblemSeverity::Warning => self.pp.session.warn_always(loc, problem.message).emit(),
            };
        }
        let unsigned = matches!(constant.encoding, Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32);
        Value { bits: constant.value as u64, unsigned }
    }

    fn identifier(&mut self, token: Token) -> Result<Value, Failed> {
        let dialect = &self.pp.options.dialect;
        match token.symbol() {
            // Unsigned, as their type is (C23 6.10.1 paragraph 7).
            names::TRUE if dialect.c23() => return Ok(Value { bits: 1, unsigned: true }),
            names::FALSE if dialect.c23() => return Ok(Value { bits: 0, unsigned: true }),
            _ => {}
        }
        let text = self.pp.session.str(token.symbol());
        // A name that looks like a call says more than "missing binary operator" when named.
        let next = self.pp.expanded_token();
        if next.is(TokenKind::LeftParen) {
            return self.error(token.loc, format!("function-like macro \"{text}\" is not defined"));
        }
        if !next.is(TokenKind::EndOfDirective) {
            super::contexts::push_token(self.pp, next);
        }
        if self.skip == 0 {
            let message = format!("\"{text}\" is not defined, evaluates to 0");
            self.pp.session.warn(warning::UNDEF, token.loc, message).emit();
        }
        Ok(Value::truth(false))
    }

    /// `defined X` and `defined (X)`
    fn defined(&mut self, operator: Token) -> Result<Value, Failed> {
        let from_macro = !self.pp.contexts.is_empty();
        self.pp.state.prevent_expansion += 1;
        let mut name = self.pp.expanded_token();
        let parenthesis = name.is(TokenKind::LeftParen);
        if parenthesis {
            name = self.pp.expanded_token();
        }
        let mut closed = true;
        if name.is(TokenKind::Identifier) && parenthesis {
            let close = self.pp.expanded_token();
            closed = close.is(TokenKind::RightParen);
        }
        self.pp.state.prevent_expansion -= 1;
        if !name.is(TokenKind::Identifier) {
            return self.error(name.loc, "operator \"defined\" requires an identifier");
        }
        if !closed {
            return self.error(name.loc, "missing ')' after \"defined\"");
        }
        if from_macro || self.pp.session.sources.is_macro(operator.loc) {
            let message = "this use of \"defined\" may not be portable";
            self.pp.session.warn(warning::EXPANSION_TO_DEFINED, operator.loc, message).emit();
        }
        let symbol = name.symbol();
        let special = super::expand::reject_special_name(self.pp, name);
        let negated = matches!(&self.operators[..], [only] if only.kind == TokenKind::Bang);
        if negated && self.tokens == 1 && !from_macro {
            self.guard = Some(symbol);
        }
        let defined = conditionals::is_defined(self.pp, symbol);
        Ok(Value::truth(defined && !special))
    }
}

/// The count of a shift as a signed number, saturated.
fn shift_count(value: Value) -> i64 {
    if value.unsigned { i64::try_from(value.bits).unwrap_or(i64::MAX) } else { value.bits as i64 }
}

/// Shifts left by `count`, right if it is negative; whether a signed left shift overflowed.
fn shift(value: Value, count: i64) -> (Value, bool) {
    let bits = value.bits;
    if count < 0 {
        let count = count.unsigned_abs();
        let fill = if !value.unsigned && (bits as i64) < 0 { u64::MAX } else { 0 };
        let shifted = match count {
            64.. => fill,
            _ if value.unsigned => bits >> count,
            _ => ((bits as i64) >> count) as u64,
        };
        return (Value { bits: shifted, ..value }, false);
    }
    let shifted = if count >= 64 { 0 } else { bits << count };
    let back = if count >= 64 { 0 } else { ((shifted as i64) >> count) as u64 };
    (Value { bits: shifted, ..value }, !value.unsigned && back != bits)
}
