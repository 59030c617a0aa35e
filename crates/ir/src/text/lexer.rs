//! Tokens of the textual form.

use std::fmt;

/// Why a text is no module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// A token, borrowed from the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// Letters, digits, `_`, `.`, `$` (so: names, numbers, opcodes with suffixes).
    Word(String),
    /// `@name` or `@"name"`.
    Symbol(String),
    /// A string literal's bytes.
    Str(Vec<u8>),
    /// Any other character; `->` is `>`, `...` is a word.
    Punct(char),
    /// The end.
    End,
}

/// Splits `source` into tokens with their line numbers (from 1).
pub fn tokenize(source: &str) -> Result<Vec<(Token, u32)>> {
    let bytes = source.as_bytes();
    let (mut at, mut line) = (0, 1);
    let mut out = Vec::new();
    let word_char = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'"' => {
                let (text, next) = string(bytes, at, line)?;
                out.push((Token::Str(text), line));
                at = next;
            }
            b'@' if bytes.get(at + 1) == Some(&b'"') => {
                let (text, next) = string(bytes, at + 1, line)?;
                out.push((Token::Symbol(String::from_utf8_lossy(&text).into_owned()), line));
                at = next;
            }
            b'@' => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && word_char(bytes[at]) {
                    at += 1;
                }
                out.push((Token::Symbol(source[start..at].to_string()), line));
            }
            b'-' if bytes.get(at + 1) == Some(&b'>') => {
                out.push((Token::Punct('>'), line));
                at += 2;
            }
            b if word_char(b) => {
                let start = at;
                while at < bytes.len() && word_char(bytes[at]) {
                    at += 1;
                }
                out.push((Token::Word(source[start..at].to_string()), line));
            }
            b if b.is_ascii() => {
                out.push((Token::Punct(b as char), line));
                at += 1;
            }
            _ => return Err(ParseError { line, message: "a character outside ASCII needs quotes".into() }),
        }
    }
    out.push((Token::End, line));
    Ok(out)
}

fn string(bytes: &[u8], start: usize, line: u32) -> Result<(Vec<u8>, usize)> {
    let mut out = Vec::new();
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            None | Some(b'\n') => return Err(ParseError { line, message: "unterminated string".into() }),
            Some(b'"') => return Ok((out, at + 1)),
            Some(b'\\') => {
                let digit = |i: usize| bytes.get(i).and_then(|&b| (b as char).to_digit(16));
                let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else {
                    return Err(ParseError { line, message: "'\\' needs two hexadecimal digits".into() });
                };
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            Some(&b) => {
                out.push(b);
                at += 1;
            }
        }
    }
}
