//! Places of a Rust file at which a small change of its text makes a mutant.
//!
//! The text is formatted by rustfmt, so that binary operators stand between spaces and statements
//! have lines of their own. Comments, strings, attributes and the tests at the end of a file are
//! left alone, as are lines that only count, explain or check what the compiler does.

use std::ops::Range;

/// What a change does.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An operator becomes another one.
    Operator,
    /// A condition is negated.
    Condition,
    /// A constant is one more or less.
    Constant,
    /// A statement is gone.
    Statement,
    /// A function returns a constant at once.
    Return,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Operator, Kind::Condition, Kind::Constant, Kind::Statement, Kind::Return];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Operator => "operator",
            Kind::Condition => "condition",
            Kind::Constant => "constant",
            Kind::Statement => "statement",
            Kind::Return => "return",
        }
    }
}

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it does.
    pub kind: Kind,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What stands there then.
    pub instead: String,
}

impl Site {
    /// The line, counted from 1.
    pub fn line(&self, text: &str) -> usize {
        text[..self.range.start].matches('\n').count() + 1
    }

    /// The file's text with the change.
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.range.start], self.instead, &text[self.range.end..])
    }
}

/// Operators between spaces, and what becomes of them.
const OPERATORS: [(&str, &str); 19] = [
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" / ", " * "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" & ", " | "),
    (" | ", " & "),
    (" ^ ", " & "),
    (" |= ", " &= "),
    (" += ", " -= "),
];

/// Words whose lines are not changed: what they do is no part of the program's meaning.
const PASSED_OVER: [&str; 10] =
    ["assert", "bug!", "remark", "statistic", "trace", "expect(", "use ", "where ", "with_capacity", "stack"];

/// Words that no deleted statement begins with.
const NOT_STATEMENTS: [&str; 12] =
    ["let ", "pub ", "const ", "static ", "type ", "mod ", "fn ", "struct ", "return ", "break", "}", "impl "];

/// All places of a file.
pub fn sites(text: &str) -> Vec<Site> {
    let text_end = text.find("#[cfg(test)]").unwrap_or(text.len());
    let code = without_comments(&text[..text_end]);
    let mut out = Vec::new();
    let mut start = 0;
    // The last line of code before this one, if it ends a statement or opens a block.
    let mut begins = false;
    for line in code.split_inclusive('\n') {
        let (at, trimmed) = (start, line.trim());
        start += line.len();
        if trimmed.is_empty() {
            continue;
        }
        let is_first = std::mem::replace(&mut begins, trimmed.ends_with(['{', '}', ';']));
        if PASSED_OVER.iter().any(|word| trimmed.contains(word)) || trimmed.starts_with("#[") {
            continue;
        }
        operators(line, at, &mut out);
        constants(line, at, &mut out);
        condition(line, at, &mut out);
        if is_first {
            statement(line, at, &mut out);
        }
        returned(line, at, &mut out);
    }
    out.sort_by_key(|site| (site.range.start, site.kind));
    out
}

/// The text with blanks for comments, strings and characters.
fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let blank = |bytes: &mut [u8]| bytes.iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let find = |what: &str, from: usize| {
            let found = rest.windows(what.len()).skip(from).position(|w| w == what.as_bytes());
            found.map_or(rest.len(), |n| n + from + what.len())
        };
        let raw = rest.starts_with(b"r\"") || rest.starts_with(b"r#\"");
        let length = match rest {
            [b'/', b'/', ..] => find("\n", 0) - 1,
            [b'/', b'*', ..] => find("*/", 2),
            [b'r', b'#', ..] if raw => find("\"#", 3),
            [b'r', ..] if raw => find("\"", 2),
            [b'"', ..] => {
                let mut end = 1;
                while end < rest.len() && rest[end] != b'"' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(rest.len())
            }
            [b'\'', b'\\', ..] => find("'", 3),
            [b'\'', _, b'\'', ..] => 3,
            _ => 0,
        };
        if length > 0 {
            blank(&mut bytes[at..at + length]);
        }
        at += length.max(1);
    }
    // Only whole ASCII ranges and whole literals were blanked.
    String::from_utf8(bytes).unwrap_or_default()
}

fn operators(line: &str, start: usize, out: &mut Vec<Site>) {
    let has_pattern = ["=>", "matches!", "let ", "impl ", "dyn ", "fn "].iter().any(|word| line.contains(word));
    for (operator, instead) in OPERATORS {
        let joins_patterns = matches!(operator, " | " | " || " | " && ") && has_pattern;
        if joins_patterns || operator == " + " && line.contains("impl ") {
            continue;
        }
        for (at, _) in line.match_indices(operator) {
            let range = start + at..start + at + operator.len();
            out.push(Site { kind: Kind::Operator, range, instead: instead.to_string() });
        }
    }
}

fn constants(line: &str, start: usize, out: &mut Vec<Site>) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        at += 1;
        if !bytes[from].is_ascii_digit() {
            continue;
        }
        while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'.')) {
            at += 1;
        }
        let before = line[..from].chars().next_back().unwrap_or(' ');
        let is_part = before.is_alphanumeric() || matches!(before, '_' | '.' | '#');
        let is_length = line[..from].ends_with("; ") && line[at..].starts_with(']');
        let Ok(value) = line[from..at].parse::<u64>() else { continue };
        if is_part || is_length {
            continue;
        }
        let changed = if value > 1 && value % 2 == 0 { value - 1 } else { value + 1 };
        out.push(Site { kind: Kind::Constant, range: start + from..start + at, instead: changed.to_string() });
    }
}

fn condition(line: &str, start: usize, out: &mut Vec<Site>) {
    for word in ["if ", "while "] {
        let Some(at) = line.find(word) else { continue };
        let from = at + word.len();
        let Some(length) = line[from..].find(" {") else { continue };
        let is_word = at == 0 || line.as_bytes()[at - 1] == b' ';
        let cond = &line[from..from + length];
        if !is_word || cond.contains("let ") || cond.is_empty() || line.contains("=> ") {
            continue;
        }
        let range = start + from..start + from + length;
        // A string or a character in it was blanked: the text of the file is put in by `apply`.
        if cond.contains("  ") {
            continue;
        }
        out.push(Site { kind: Kind::Condition, range, instead: format!("!({cond})") });
        return;
    }
}

fn statement(line: &str, start: usize, out: &mut Vec<Site>) {
    let trimmed = line.trim();
    let depth = |open: char, close: char| trimmed.matches(open).count() == trimmed.matches(close).count();
    let does = trimmed.contains('(') || trimmed.contains(" = ") || trimmed.contains("= ") || trimmed == "continue;";
    let whole = trimmed.ends_with(';') && depth('(', ')') && depth('{', '}') && depth('[', ']');
    if !does || !whole || NOT_STATEMENTS.iter().any(|word| trimmed.starts_with(word)) {
        return;
    }
    let from = start + line.find(trimmed).unwrap_or(0);
    out.push(Site { kind: Kind::Statement, range: from..from + trimmed.len(), instead: String::new() });
}

fn returned(line: &str, start: usize, out: &mut Vec<Site>) {
    let trimmed = line.trim_end();
    let Some((head, ty)) = trimmed.strip_suffix(" {").and_then(|rest| rest.rsplit_once(" -> ")) else { return };
    let is_function = head.contains("fn ") || head.trim() == ")";
    let values: &[&str] = match ty {
        "bool" => &["true", "false"],
        "u8" | "u32" | "u64" | "usize" | "i32" | "i64" => &["0", "1"],
        _ if ty.starts_with("Option<") => &["None"],
        _ => &[],
    };
    for value in values.iter().filter(|_| is_function) {
        let end = start + trimmed.len();
        out.push(Site { kind: Kind::Return, range: end..end, instead: format!(" return {value};") });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! A == b.\nfn f(a: u32) -> bool {\n    // c < d\n    let x = \"1 + 2\";\n    g(x);\n    if a < 7 {\n        return a == 2;\n    }\n    a != 3\n}\n#[cfg(test)]\nmod tests {\n    fn t() -> bool {\n        1 == 2\n    }\n}\n";

    #[test]
    fn code_is_changed_and_nothing_else() {
        let changed: Vec<String> = sites(TEXT)
            .iter()
            .map(|site| {
                let line = site.apply(TEXT).lines().nth(site.line(TEXT) - 1).unwrap_or_default().trim().to_string();
                format!("{} {line}", site.kind.name())
            })
            .collect();
        let expected = [
            "return fn f(a: u32) -> bool { return true;",
            "return fn f(a: u32) -> bool { return false;",
            "statement ",
            "condition if !(a < 7) {",
            "operator if a <= 7 {",
            "constant if a < 8 {",
            "operator return a != 2;",
            "constant return a == 1;",
            "operator a == 3",
            "constant a != 4",
        ];
        assert_eq!(changed, expected);
    }
}
