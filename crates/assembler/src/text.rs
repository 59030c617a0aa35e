//! From source text to statements: comments, separators, line numbers, and the character cursor.
//!
//! GNU `as` syntax for x86: `#` starts a comment, `/* */` is one, `;` and line
//! ends separate statements; `# 12 "file"` at the start of a line is a marker of
//! the C preprocessor.

use std::rc::Rc;

/// A statement and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub text: Box<str>,
    pub line: u32,
    pub file: Rc<str>,
}

/// Splits source text into statements without comments. Empty ones are left out.
pub(crate) fn split_statements(source: &str, file: &Rc<str>, first_line: u32) -> Vec<Statement> {
    let mut splitter = Splitter { out: Vec::new(), text: String::new(), file: file.clone(), line: first_line };
    let bytes = source.as_bytes();
    let mut i = 0;
    let mut line_start = true;
    while i < bytes.len() {
        let byte = bytes[i];
        match byte {
            b'\n' => {
                splitter.end();
                splitter.line += 1;
                i += 1;
                line_start = true;
                continue;
            }
            b';' => {
                splitter.end();
                i += 1;
            }
            b'#' => {
                let end = bytes[i..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| i + n);
                if line_start && splitter.line_marker(&source[i + 1..end]) {
                    // The marker gives the number of the line that follows it.
                    i = (end + 1).min(bytes.len());
                    continue;
                }
                i = end;
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                let end = source[i + 2..].find("*/").map_or(bytes.len(), |n| i + 2 + n + 2);
                splitter.line += source[i..end].bytes().filter(|&b| b == b'\n').count() as u32;
                splitter.text.push(' ');
                i = end;
            }
            b'"' => {
                let end = string_end(bytes, i);
                splitter.text.push_str(&source[i..end]);
                splitter.line += bytes[i..end].iter().filter(|&&b| b == b'\n').count() as u32;
                i = end;
            }
            b'\'' => {
                // A character constant; the closing quote is optional.
                let mut end = i + 1;
                if bytes.get(end) == Some(&b'\\') {
                    end += 1;
                }
                end = (end + 1).min(bytes.len());
                while !source.is_char_boundary(end) {
                    end += 1;
                }
                if bytes[i..end].contains(&b'\n') {
                    end = i + 1;
                }
                splitter.text.push_str(&source[i..end]);
                i = end;
            }
            _ => {
                let end = i + utf8_len(byte);
                splitter.text.push_str(&source[i..end]);
                i = end;
            }
        }
        line_start = line_start && byte.is_ascii_whitespace();
    }
    splitter.end();
    splitter.out
}

fn utf8_len(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}

/// One past the closing quote of the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            b'\n' => return i,
            _ => i += 1,
        }
    }
    bytes.len()
}

struct Splitter {
    out: Vec<Statement>,
    text: String,
    file: Rc<str>,
    line: u32,
}

impl Splitter {
    fn end(&mut self) {
        let text = self.text.trim();
        if !text.is_empty() {
            self.out.push(Statement { text: text.into(), line: self.line, file: self.file.clone() });
        }
        self.text.clear();
    }

    /// `# 12 "file" flags`; returns whether it was one.
    fn line_marker(&mut self, rest: &str) -> bool {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("line ").unwrap_or(rest).trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(line) = rest[..digits].parse::<u32>() else { return false };
        let name = rest[digits..].trim_start();
        // Anything else is a comment that begins with a number.
        if !name.is_empty() && !name.starts_with('"') {
            return false;
        }
        self.line = line;
        if let Some(name) = Cursor::new(name).string() {
            self.file = String::from_utf8_lossy(&name).into();
        }
        true
    }
}

/// A position in a statement.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// Whether a byte may start a symbol's name.
pub(crate) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'$') || byte >= 0x80
}

/// Whether a byte may continue a symbol's name.
pub(crate) fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    pub fn peek_at(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub fn skip_space(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// The next byte after white space.
    pub fn peek_token(&mut self) -> u8 {
        self.skip_space();
        self.peek()
    }

    /// Consumes `byte` if it is next after white space.
    pub fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        if self.peek() == byte && byte != 0 {
            self.at += 1;
            return true;
        }
        false
    }

    pub fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at >= self.text.len()
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// A name (also a quoted one), or `None`.
    pub fn name(&mut self) -> Option<&'a str> {
        self.skip_space();
        if self.peek() == b'"' {
            let end = string_end(self.text.as_bytes(), self.at);
            // An unterminated one goes to the end.
            let name = &self.text[self.at + 1..end];
            let name = name.strip_suffix('"').unwrap_or(name);
            self.at = end;
            return Some(name);
        }
        if !is_name_start(self.peek()) {
            return None;
        }
        let start = self.at;
        while is_name_part(self.peek()) {
            self.at += 1;
        }
        Some(&self.text[start..self.at])
    }

    /// Everything up to the next of `stops` outside strings and parentheses, trimmed.
    pub fn until(&mut self, stops: &[u8]) -> &'a str {
        self.skip_space();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut depth = 0;
        while self.at < bytes.len() {
            match bytes[self.at] {
                b'"' => {
                    self.at = string_end(bytes, self.at);
                    continue;
                }
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                byte if depth == 0 && stops.contains(&byte) => break,
                _ => {}
            }
            self.at += 1;
        }
        self.text[start..self.at].trim_end()
    }

    /// The bytes of a string literal, or `None` if there is none.
    pub fn string(&mut self) -> Option<Vec<u8>> {
        if !self.eat(b'"') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let mut out = Vec::new();
        while self.at < bytes.len() {
            let byte = bytes[self.at];
            self.at += 1;
            match byte {
                b'"' => return Some(out),
                b'\\' => self.escape(&mut out),
                _ => out.push(byte),
            }
        }
        None
    }

    fn escape(&mut self, out: &mut Vec<u8>) {
        let byte = self.peek();
        self.at += 1;
        out.push(match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'x' | b'X' => {
                let mut value = 0u32;
                while let Some(digit) = (self.peek() as char).to_digit(16) {
                    value = (value << 4) | digit;
                    self.at += 1;
                }
                value as u8
            }
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    if let digit @ b'0'..=b'7' = self.peek() {
                        value = value * 8 + u32::from(digit - b'0');
                        self.at += 1;
                    }
                }
                value as u8
            }
            other => other,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let file: Rc<str> = "f.s".into();
        let source = "# 7 \"x.S\"\nmov $1, %eax; ret # done\n/* a\nb */ .ascii \"a;#\\\"b\"\n\n.byte '#, ';'\n";
        let got: Vec<_> =
            split_statements(source, &file, 1).into_iter().map(|s| (s.text.to_string(), s.line)).collect();
        let want = [("mov $1, %eax", 7), ("ret", 7), (".ascii \"a;#\\\"b\"", 9), (".byte '#, ';'", 11)];
        assert_eq!(got, want.map(|(t, l)| (t.to_string(), l)));
    }

    #[test]
    fn strings() {
        assert_eq!(Cursor::new("\"a\\n\\x41\\101\\\"\"").string().unwrap(), b"a\nAA\"");
    }
}
