//! Reads a rules file.

use crate::syntax::{Entry, Expr, Infix, is_type};

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    Int(u128),
    Sign(&'static str),
}

const SIGNS: [&str; 30] = [
    "u<=", "u>=", "u>>", "u<", "u>", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "=>", "::", "<", ">", "|", "^",
    "&", "+", "-", "*", "!", "~", "@", "(", ")", "[", "]",
];
const MORE_SIGNS: [&str; 3] = [",", ":", "."];

struct Lexed {
    tokens: Vec<(Token, usize)>,
    /// Comment lines: (line, text).
    comments: Vec<(usize, String)>,
}

fn lex(text: &str) -> Result<Lexed, String> {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest = line.trim();
        while !rest.is_empty() {
            if let Some(comment) = rest.strip_prefix(';') {
                comments.push((number, comment.trim().to_string()));
                break;
            }
            let sign = SIGNS.iter().chain(&MORE_SIGNS).find(|s| rest.starts_with(**s));
            let (token, length) = if let Some(sign) = sign {
                (Token::Sign(sign), sign.len())
            } else {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let word = &rest[..length];
                if word.is_empty() {
                    return Err(format!("{number}: '{}' begins nothing", &rest[..1]));
                }
                (word_token(word).ok_or_else(|| format!("{number}: '{word}' is no number"))?, length)
            };
            tokens.push((token, number));
            rest = rest[length..].trim_start();
        }
    }
    Ok(Lexed { tokens, comments })
}

fn word_token(word: &str) -> Option<Token> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(Token::Name(word.to_string()));
    }
    let number = match word.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => word.parse(),
    };
    number.ok().map(Token::Int)
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: u32,
}

/// Expressions in each other.
const MAX_DEPTH: u32 = 50;

/// The entries of a rules file, in order. Errors begin with the line.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lexed = lex(text)?;
    let mut parser = Parser { tokens: lexed.tokens, at: 0, depth: 0 };
    let mut entries = Vec::new();
    while parser.at < parser.tokens.len() {
        let line = parser.line();
        let entry = parser.entry()?;
        entries.push(Entry { doc: doc_before(&lexed.comments, line), line, ..entry });
    }
    Ok(entries)
}

/// The comment lines that end on the line before.
fn doc_before(comments: &[(usize, String)], line: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut next = line;
    for (number, text) in comments.iter().rev().filter(|c| c.0 < line) {
        if number + 1 != next {
            break;
        }
        next = *number;
        lines.push(text);
    }
    lines.reverse();
    lines.join(" ")
}

fn text_of(tokens: &[(Token, usize)]) -> String {
    let mut out = String::new();
    let mut tight = true;
    for (token, _) in tokens {
        let word = match token {
            Token::Name(name) => name.clone(),
            Token::Int(number) => number.to_string(),
            Token::Sign(sign) => sign.to_string(),
        };
        let closes = matches!(word.as_str(), ")" | "]" | "," | ":" | "." | "@" | "::");
        let opens = matches!(word.as_str(), "(" | "[")
            && matches!(out.chars().last(), Some(c) if c.is_alphanumeric() || c == ']' || c == '~');
        if !tight && !closes && !opens && !out.is_empty() {
            out.push(' ');
        }
        let begins = tight
            || out.is_empty()
            || matches!(out.chars().last(), Some(c) if !c.is_alphanumeric() && c != ')' && c != ']');
        tight = matches!(word.as_str(), "(" | "[" | "." | "@" | "!" | "::") || word == "-" && begins;
        // `add~(`: the sign belongs to the name before it.
        if word == "~" && out.ends_with(' ') && out.trim_end().ends_with(char::is_alphanumeric) {
            out.pop();
        }
        out.push_str(&word);
    }
    out
}

impl Parser {
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |t| t.1)
    }

    fn error<T>(&self, what: &str) -> Result<T, String> {
        let found = match self.tokens.get(self.at) {
            Some((Token::Name(name), _)) => format!("'{name}'"),
            Some((Token::Int(number), _)) => format!("'{number}'"),
            Some((Token::Sign(sign), _)) => format!("'{sign}'"),
            None => "the end".to_string(),
        };
        Err(format!("{}: expected {what}, found {found}", self.line()))
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.0)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.accept(sign) { Ok(()) } else { self.error(&format!("'{sign}'")) }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn name(&mut self) -> Result<String, String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.error("a name"),
        }
    }

    /// `rule NAME [for VAR in a, b, c] pattern [where condition] => result`
    fn entry(&mut self) -> Result<Entry, String> {
        if !self.accept_word("rule") {
            return self.error("'rule'");
        }
        let name = self.name()?;
        let mut family = None;
        if self.accept_word("for") {
            let variable = self.name()?;
            if !self.accept_word("in") {
                return self.error("'in'");
            }
            let mut members = vec![self.name()?];
            while self.accept(",") {
                members.push(self.name()?);
            }
            family = Some((variable, members));
        }
        let start = self.at;
        let pattern = self.expr(0)?;
        let condition = if self.accept_word("where") { Some(self.expr(0)?) } else { None };
        self.expect("=>")?;
        let result = self.expr(0)?;
        let body = text_of(&self.tokens[start..self.at]);
        Ok(Entry { name, doc: String::new(), line: 0, family, pattern, condition, result, body })
    }

    fn expr(&mut self, least: u8) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("fewer expressions in each other");
        }
        let mut left = self.prefix()?;
        while let Some(Token::Sign(sign)) = self.peek() {
            let Some(&(_, op, strength)) = Infix::ALL.iter().find(|o| o.0 == *sign) else { break };
            if strength <= least {
                break;
            }
            self.at += 1;
            let right = self.expr(strength)?;
            left = Expr::Infix(op, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Expr, String> {
        let mut signs = Vec::new();
        while let Some(Token::Sign(sign @ ("!" | "-" | "~"))) = self.peek() {
            signs.push(sign.chars().next().expect("a sign"));
            self.at += 1;
        }
        let mut expr = self.primary()?;
        for sign in signs.into_iter().rev() {
            expr = Expr::Prefix(sign, Box::new(expr));
        }
        if matches!(self.peek(), Some(Token::Sign(":")))
            && matches!(self.tokens.get(self.at + 1), Some((Token::Name(name), _)) if is_type(name))
        {
            self.at += 1;
            expr = Expr::Typed(Box::new(expr), self.name()?);
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, String> {
        if self.accept("(") {
            let inner = self.expr(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(&Token::Int(number)) = self.peek() {
            self.at += 1;
            return Ok(Expr::Int(number));
        }
        let name = self.name()?;
        if name == "rust" {
            let mut path = self.name()?;
            while self.accept("::") {
                path = format!("{path}::{}", self.name()?);
            }
            return Ok(Expr::Rust(path, self.args()?));
        }
        if self.accept("@") {
            return Ok(Expr::Bound(name, Box::new(self.primary()?)));
        }
        let either = self.accept("~");
        let mut flags = Vec::new();
        while self.accept(".") {
            flags.push(self.name()?);
        }
        let brackets = self.brackets()?;
        if !matches!(self.peek(), Some(Token::Sign("("))) {
            let plain = !either && flags.is_empty() && brackets.is_empty();
            return if plain { Ok(Expr::Name(name)) } else { self.error("'('") };
        }
        Ok(Expr::Call { name, either, flags, brackets, args: self.args()? })
    }

    fn args(&mut self) -> Result<Vec<Expr>, String> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.accept(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.expr(0)?);
        }
        Ok(args)
    }

    fn brackets(&mut self) -> Result<Vec<(Option<String>, Expr)>, String> {
        let mut items = Vec::new();
        if !self.accept("[") {
            return Ok(items);
        }
        while !self.accept("]") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            let named = matches!(self.tokens.get(self.at + 1), Some((Token::Sign(":"), _)));
            let name = if named { Some(self.name()?) } else { None };
            if named {
                self.expect(":")?;
            }
            items.push((name, self.expr(0)?));
        }
        Ok(items)
    }
}
