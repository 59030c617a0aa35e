//! Expressions: parsing with GNU `as`'s precedences, and what a value can be.
//!
//! A value is a number, or a symbol plus a number, or a difference of two symbols
//! plus a number; everything else has to become a number before it is used. Names
//! of symbols are resolved to [`Sym`] while parsing; whether the positions after
//! them are known is a matter of when [`Evaluate`] is asked.

use crate::text::{Cursor, is_name_part, is_name_start};

/// A symbol of the assembly (index into the assembler's table).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Sym(pub u32);

/// Parentheses and operators may be nested this deep.
const MAX_DEPTH: u32 = 200;

/// `@PLT` and the like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Modifier {
    Plt,
    Got,
    GotOff,
    GotPcRel,
    GotPlt,
    PltOff,
    TlsGd,
    TlsLd,
    TlsDesc,
    TlsCall,
    DtpMod,
    DtpOff,
    TpOff,
    GotTpOff,
    NtpOff,
    Size,
    GotPcRelNoRelax,
}

impl Modifier {
    fn from_name(name: &str) -> Option<Modifier> {
        Some(match name.to_ascii_lowercase().as_str() {
            "plt" => Modifier::Plt,
            "got" => Modifier::Got,
            "gotoff" => Modifier::GotOff,
            "gotpcrel" => Modifier::GotPcRel,
            "gotpcrel_norelax" => Modifier::GotPcRelNoRelax,
            "gotplt" => Modifier::GotPlt,
            "pltoff" => Modifier::PltOff,
            "tlsgd" => Modifier::TlsGd,
            "tlsld" | "tlsldm" => Modifier::TlsLd,
            "tlsdesc" => Modifier::TlsDesc,
            "tlscall" => Modifier::TlsCall,
            "dtpmod" => Modifier::DtpMod,
            "dtpoff" => Modifier::DtpOff,
            "tpoff" => Modifier::TpOff,
            "gottpoff" => Modifier::GotTpOff,
            "ntpoff" => Modifier::NtpOff,
            "size" => Modifier::Size,
            _ => return None,
        })
    }
}

/// Operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Or,
    And,
    Xor,
    OrNot,
    Add,
    Sub,
    Eq,
    Ne,
    Lt,
    Gt,
    Ge,
    Le,
    LogicalAnd,
    LogicalOr,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    Number(i64),
    /// More than 64 bits, for `.octa`.
    Big(u128),
    Symbol(Sym, Option<Modifier>),
    /// A register by its name, which only comparisons of two registers may use.
    Register(Box<str>),
    Negate(Box<Expr>),
    Complement(Box<Expr>),
    LogicalNot(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The value if it is a plain number as written.
    pub fn number(&self) -> Option<i64> {
        match self {
            Expr::Number(n) => Some(*n),
            _ => None,
        }
    }
}

/// What an expression comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Value {
    pub add: Option<Sym>,
    pub sub: Option<Sym>,
    pub number: i64,
    pub modifier: Option<Modifier>,
}

impl Value {
    pub fn constant(number: i64) -> Value {
        Value { number, ..Value::default() }
    }

    /// The number, if no symbol is involved.
    pub fn as_number(&self) -> Option<i64> {
        (self.add.is_none() && self.sub.is_none()).then_some(self.number)
    }
}

/// What evaluation needs to know about symbols.
pub(crate) trait Evaluate {
    /// The value of a symbol: itself, or what it has been set to.
    fn symbol_value(&self, symbol: Sym, depth: u32) -> Result<Value, String>;
    /// `a - b` in bytes, if known.
    fn distance(&self, a: Sym, b: Sym) -> Option<i64>;
}

/// Evaluates an expression.
pub(crate) fn evaluate(cx: &dyn Evaluate, expr: &Expr, depth: u32) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err("expression too deeply nested".into());
    }
    let next = depth + 1;
    match expr {
        Expr::Number(n) => Ok(Value::constant(*n)),
        Expr::Big(n) => Ok(Value::constant(*n as i64)),
        Expr::Symbol(symbol, modifier) => {
            let mut value = cx.symbol_value(*symbol, next)?;
            if modifier.is_some() {
                value.modifier = *modifier;
            }
            Ok(value)
        }
        Expr::Register(name) => Err(format!("register '%{name}' is not an absolute number")),
        Expr::Negate(inner) => {
            let value = reduce(cx, evaluate(cx, inner, next)?);
            match (value.add, value.sub) {
                (None, None) => Ok(Value::constant(value.number.wrapping_neg())),
                (add, sub) => Ok(Value { add: sub, sub: add, number: value.number.wrapping_neg(), modifier: None }),
            }
        }
        Expr::Complement(inner) => Ok(Value::constant(!absolute(cx, inner, next)?)),
        Expr::LogicalNot(inner) => Ok(Value::constant(i64::from(absolute(cx, inner, next)? == 0))),
        Expr::Binary(op, left, right) => {
            let left = reduce(cx, evaluate(cx, left, next)?);
            let right = reduce(cx, evaluate(cx, right, next)?);
            binary(cx, *op, left, right)
        }
    }
}

/// Evaluates to a number.
pub(crate) fn absolute(cx: &dyn Evaluate, expr: &Expr, depth: u32) -> Result<i64, String> {
    let value = reduce(cx, evaluate(cx, expr, depth)?);
    value.as_number().ok_or_else(|| "expression is not an absolute number".to_string())
}

/// Turns a difference of known positions into a number.
pub(crate) fn reduce(cx: &dyn Evaluate, value: Value) -> Value {
    if let (Some(a), Some(b)) = (value.add, value.sub)
        && let Some(distance) = cx.distance(a, b)
    {
        return Value::constant(value.number.wrapping_add(distance));
    }
    value
}

fn binary(cx: &dyn Evaluate, op: Op, a: Value, b: Value) -> Result<Value, String> {
    match op {
        Op::Add | Op::Sub => {
            let (add, sub, number) =
                if op == Op::Add { (b.add, b.sub, b.number) } else { (b.sub, b.add, b.number.wrapping_neg()) };
            let one = |x: Option<_>, y: Option<_>| match (x, y) {
                (Some(_), Some(_)) => Err("sum of two symbols".to_string()),
                (x, y) => Ok(x.or(y)),
            };
            // Cancel what can be before complaining about what is left.
            let mut value = Value { number: a.number.wrapping_add(number), modifier: a.modifier.or(b.modifier), ..a };
            if let (Some(plus), Some(minus)) = (a.add, sub)
                && let Some(distance) = cx.distance(plus, minus)
            {
                value.add = add;
                value.number = value.number.wrapping_add(distance);
                return Ok(reduce(cx, value));
            }
            value.add = one(a.add, add)?;
            value.sub = one(a.sub, sub)?;
            Ok(reduce(cx, value))
        }
        _ => {
            if matches!(op, Op::Eq | Op::Ne) && a.add == b.add && a.sub == b.sub {
                return Ok(Value::constant(-i64::from((a.number == b.number) == (op == Op::Eq))));
            }
            // Comparisons of two positions look at their distance.
            let (x, y) = match (a.as_number(), b.as_number(), a.add, b.add) {
                (Some(x), Some(y), ..) => (x, y),
                (_, _, Some(p), Some(q)) if a.sub.is_none() && b.sub.is_none() => match cx.distance(p, q) {
                    Some(distance) => (distance.wrapping_add(a.number), b.number),
                    None => return Err("invalid operands for operator".into()),
                },
                _ => return Err("invalid operands for operator".into()),
            };
            Ok(Value::constant(arithmetic(op, x, y)?))
        }
    }
}

fn arithmetic(op: Op, x: i64, y: i64) -> Result<i64, String> {
    let truth = |condition: bool| -i64::from(condition);
    Ok(match op {
        Op::Mul => x.wrapping_mul(y),
        Op::Div | Op::Rem if y == 0 => return Err("division by zero".into()),
        Op::Div => x.wrapping_div(y),
        Op::Rem => x.wrapping_rem(y),
        Op::Shl if !(0..64).contains(&y) => 0,
        Op::Shl => x << y,
        Op::Shr if !(0..64).contains(&y) => 0,
        Op::Shr => ((x as u64) >> y) as i64,
        Op::Or => x | y,
        Op::And => x & y,
        Op::Xor => x ^ y,
        Op::OrNot => x | !y,
        Op::Add => x.wrapping_add(y),
        Op::Sub => x.wrapping_sub(y),
        Op::Eq => truth(x == y),
        Op::Ne => truth(x != y),
        Op::Lt => truth(x < y),
        Op::Gt => truth(x > y),
        Op::Ge => truth(x >= y),
        Op::Le => truth(x <= y),
        Op::LogicalAnd => i64::from(x != 0 && y != 0),
        Op::LogicalOr => i64::from(x != 0 || y != 0),
    })
}

/// What parsing needs from the assembler.
pub(crate) trait Names {
    /// The symbol of that name.
    fn symbol(&mut self, name: &str) -> Expr;
    /// A symbol for the current position.
    fn here(&mut self) -> Sym;
    /// The local label `number` followed by `b` or `f`.
    fn local_label(&mut self, number: u64, forward: bool) -> Result<Sym, String>;
}

/// Parses an expression; the cursor stops at what cannot continue it.
pub(crate) fn parse(cx: &mut dyn Names, cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    parse_level(cx, cursor, 0, 0)
}

/// Binary operators by precedence level, lowest first.
fn operator(cursor: &mut Cursor<'_>) -> Option<(Op, u32, usize)> {
    cursor.skip_space();
    let (a, b) = (cursor.peek(), cursor.peek_at(1));
    Some(match (a, b) {
        (b'|', b'|') => (Op::LogicalOr, 0, 2),
        (b'&', b'&') => (Op::LogicalAnd, 1, 2),
        (b'=', b'=') => (Op::Eq, 2, 2),
        (b'!', b'=') | (b'<', b'>') => (Op::Ne, 2, 2),
        (b'<', b'=') => (Op::Le, 2, 2),
        (b'>', b'=') => (Op::Ge, 2, 2),
        (b'<', b'<') => (Op::Shl, 5, 2),
        (b'>', b'>') => (Op::Shr, 5, 2),
        (b'<', _) => (Op::Lt, 2, 1),
        (b'>', _) => (Op::Gt, 2, 1),
        (b'+', _) => (Op::Add, 3, 1),
        (b'-', _) => (Op::Sub, 3, 1),
        (b'|', _) => (Op::Or, 4, 1),
        (b'&', _) => (Op::And, 4, 1),
        (b'^', _) => (Op::Xor, 4, 1),
        (b'!', _) => (Op::OrNot, 4, 1),
        (b'*', _) => (Op::Mul, 5, 1),
        (b'/', _) => (Op::Div, 5, 1),
        (b'%', _) => (Op::Rem, 5, 1),
        _ => return None,
    })
}

fn parse_level(cx: &mut dyn Names, cursor: &mut Cursor<'_>, level: u32, depth: u32) -> Result<Expr, String> {
    if depth > MAX_DEPTH {
        return Err("expression too deeply nested".into());
    }
    let mut left = parse_unary(cx, cursor, depth + 1)?;
    while let Some((op, precedence, len)) = operator(cursor) {
        if precedence < level {
            break;
        }
        cursor.at += len;
        let right = parse_level(cx, cursor, precedence + 1, depth + 1)?;
        left = match (op, &left, &right) {
            (Op::Add, &Expr::Number(a), &Expr::Number(b)) => Expr::Number(a.wrapping_add(b)),
            (Op::Sub, &Expr::Number(a), &Expr::Number(b)) => Expr::Number(a.wrapping_sub(b)),
            (_, &Expr::Number(a), &Expr::Number(b)) => Expr::Number(arithmetic(op, a, b)?),
            // Macros ask which register they were given: `.if \base == %rsp`.
            (Op::Eq | Op::Ne, Expr::Register(a), Expr::Register(b)) => {
                Expr::Number(-i64::from((a == b) == (op == Op::Eq)))
            }
            _ => Expr::Binary(op, Box::new(left), Box::new(right)),
        };
    }
    Ok(left)
}

fn parse_unary(cx: &mut dyn Names, cursor: &mut Cursor<'_>, depth: u32) -> Result<Expr, String> {
    if depth > MAX_DEPTH {
        return Err("expression too deeply nested".into());
    }
    let wrap = |expr: Expr, fold: fn(i64) -> i64, make: fn(Box<Expr>) -> Expr| match expr {
        Expr::Number(n) => Expr::Number(fold(n)),
        other => make(Box::new(other)),
    };
    let wide = |expr: Expr, fold: fn(u128) -> u128| match expr {
        Expr::Big(n) => Expr::Big(fold(n)),
        other => other,
    };
    match cursor.peek_token() {
        b'-' => {
            cursor.at += 1;
            let inner = wide(parse_unary(cx, cursor, depth + 1)?, u128::wrapping_neg);
            Ok(if matches!(inner, Expr::Big(_)) { inner } else { wrap(inner, i64::wrapping_neg, Expr::Negate) })
        }
        b'+' => {
            cursor.at += 1;
            parse_unary(cx, cursor, depth + 1)
        }
        b'~' => {
            cursor.at += 1;
            let inner = wide(parse_unary(cx, cursor, depth + 1)?, |n| !n);
            Ok(if matches!(inner, Expr::Big(_)) { inner } else { wrap(inner, |n| !n, Expr::Complement) })
        }
        b'!' => {
            cursor.at += 1;
            Ok(wrap(parse_unary(cx, cursor, depth + 1)?, |n| i64::from(n == 0), Expr::LogicalNot))
        }
        open @ (b'(' | b'[') => {
            cursor.at += 1;
            let inner = parse_level(cx, cursor, 0, depth + 1)?;
            let close = if open == b'(' { b')' } else { b']' };
            if !cursor.eat(close) {
                return Err(format!("missing '{}'", close as char));
            }
            Ok(inner)
        }
        b'\'' => parse_character(cursor),
        b'%' if is_name_start(cursor.peek_at(1)) => {
            cursor.at += 1;
            Ok(Expr::Register(cursor.name().unwrap_or_default().to_ascii_lowercase().into()))
        }
        b'0'..=b'9' => parse_number(cx, cursor),
        _ => parse_symbol(cx, cursor),
    }
}

fn parse_character(cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    cursor.at += 1;
    let mut value = cursor.peek();
    cursor.at += 1;
    if value == b'\\' {
        value = match cursor.peek() {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'0' => 0,
            other => other,
        };
        cursor.at += 1;
    }
    if cursor.peek() == b'\'' {
        cursor.at += 1;
    }
    Ok(Expr::Number(i64::from(value)))
}

fn parse_number(cx: &mut dyn Names, cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    let start = cursor.at;
    let radix = match (cursor.peek(), cursor.peek_at(1)) {
        (b'0', b'x' | b'X') => {
            cursor.at += 2;
            16
        }
        (b'0', b'b' | b'B') if matches!(cursor.peek_at(2), b'0' | b'1') => {
            cursor.at += 2;
            2
        }
        (b'0', b'0'..=b'7') => 8,
        _ => 10,
    };
    let digits = cursor.at;
    while (cursor.peek() as char).is_digit(if radix == 8 { 10 } else { radix }) {
        cursor.at += 1;
    }
    let text = &cursor.text[digits..cursor.at];
    let next = cursor.peek();
    if radix != 16 && matches!(next, b'b' | b'f') && !is_name_part(cursor.peek_at(1)) {
        // 1f, 1b: local labels.
        let number = cursor.text[start..cursor.at].parse().map_err(|_| "bad local label".to_string())?;
        cursor.at += 1;
        return Ok(Expr::Symbol(cx.local_label(number, next == b'f')?, None));
    }
    let value =
        u128::from_str_radix(text, radix).map_err(|_| format!("bad number '{}'", &cursor.text[start..cursor.at]))?;
    Ok(if value <= u128::from(u64::MAX) { Expr::Number(value as u64 as i64) } else { Expr::Big(value) })
}

fn parse_symbol(cx: &mut dyn Names, cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    let quoted = cursor.peek() == b'"';
    if !quoted && !is_name_start(cursor.peek()) {
        let rest = cursor.rest();
        return Err(if rest.is_empty() { "missing expression".into() } else { format!("junk '{rest}' in expression") });
    }
    let name = cursor.name().unwrap_or_default();
    if name == "." && !quoted {
        return Ok(Expr::Symbol(cx.here(), None));
    }
    let mut modifier = None;
    if cursor.peek() == b'@' {
        let at = cursor.at;
        cursor.at += 1;
        let text = cursor.name().unwrap_or_default();
        modifier = Modifier::from_name(text);
        if modifier.is_none() {
            cursor.at = at;
            return Err(format!("unknown modifier '@{text}'"));
        }
    }
    Ok(match (cx.symbol(name), modifier) {
        (Expr::Symbol(symbol, None), modifier) => Expr::Symbol(symbol, modifier),
        (other, _) => other,
    })
}
