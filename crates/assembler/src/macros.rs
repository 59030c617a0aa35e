//! `.macro`, `.rept`, `.irp`, `.irpc`: bodies, parameters, substitution.

use std::rc::Rc;

use crate::text::{Cursor, Statement, is_name_part, is_name_start};

/// A formal parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Box<str>,
    pub default: Box<str>,
    pub required: bool,
    pub vararg: bool,
}

/// A macro definition.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub parameters: Vec<Parameter>,
    pub body: Rc<[Statement]>,
}

/// `name [,] p1, p2=default, p3:req, p4:vararg`
pub(crate) fn parse_parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Parameter>, String> {
    let mut out = Vec::new();
    cursor.eat(b',');
    while !cursor.at_end() {
        let name = cursor.name().ok_or_else(|| format!("bad macro parameter '{}'", cursor.rest()))?;
        let mut parameter = Parameter { name: name.into(), default: "".into(), required: false, vararg: false };
        if cursor.eat(b':') {
            match cursor.name() {
                Some("req") => parameter.required = true,
                Some("vararg") => parameter.vararg = true,
                other => return Err(format!("unknown parameter qualifier '{}'", other.unwrap_or(""))),
            }
        }
        if cursor.eat(b'=') {
            parameter.default = unquote(next_argument(cursor, true)).into();
        }
        out.push(parameter);
        cursor.eat(b',');
    }
    Ok(out)
}

/// The text of the next argument: up to a comma or (if `spaces_separate`) white space, outside
/// quotes and parentheses.
fn next_argument<'a>(cursor: &mut Cursor<'a>, spaces_separate: bool) -> &'a str {
    cursor.skip_space();
    let bytes = cursor.text.as_bytes();
    let start = cursor.at;
    let mut depth = 0i32;
    while cursor.at < bytes.len() {
        match bytes[cursor.at] {
            b'"' => {
                cursor.at += 1;
                while cursor.at < bytes.len() && bytes[cursor.at] != b'"' {
                    cursor.at += if bytes[cursor.at] == b'\\' { 2 } else { 1 };
                }
            }
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth <= 0 => break,
            byte if spaces_separate && depth <= 0 && byte.is_ascii_whitespace() && separates(cursor) => break,
            _ => {}
        }
        cursor.at += 1;
    }
    cursor.at = cursor.at.min(bytes.len());
    cursor.text[start..cursor.at].trim_end()
}

/// Whether white space here ends an argument: not beside an operator, as in `a + b`.
fn separates(cursor: &Cursor<'_>) -> bool {
    let operator =
        |byte: u8| matches!(byte, b'+' | b'-' | b'*' | b'/' | b'|' | b'&' | b'^' | b'<' | b'>' | b'=' | b'(');
    let before = cursor.text[..cursor.at].trim_end().bytes().last().unwrap_or(0);
    let after = cursor.text[cursor.at..].trim_start().bytes().next().unwrap_or(0);
    !operator(before) && (!operator(after) || matches!(after, b'-' | b'('))
}

/// The text up to the `>` that matches a `<` before the cursor.
pub(crate) fn bracketed(cursor: &mut Cursor<'_>) -> Result<String, String> {
    let mut out = String::new();
    let mut depth = 0;
    let mut characters = cursor.rest().char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '!' => out.extend(characters.next().map(|(_, next)| next)),
            '>' if depth == 0 => {
                cursor.at += at + 1;
                return Ok(out);
            }
            _ => {
                depth += i32::from(character == '<') - i32::from(character == '>');
                out.push(character);
            }
        }
    }
    Err("missing '>' in macro argument".into())
}

/// A quoted argument without its quotes; `""` inside stands for a quote.
fn unquote(text: &str) -> String {
    match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\"").replace("\\\"", "\""),
        None => text.to_string(),
    }
}

/// The actual arguments of a macro call.
pub(crate) fn bind_arguments(name: &str, parameters: &[Parameter], text: &str) -> Result<Vec<String>, String> {
    let mut values: Vec<Option<String>> = vec![None; parameters.len()];
    let mut cursor = Cursor::new(text);
    let mut position = 0;
    while !cursor.at_end() {
        let keyword = keyword_argument(&cursor, parameters);
        let index = match keyword {
            Some((index, len)) => {
                cursor.at += len;
                index
            }
            None => position,
        };
        let Some(parameter) = parameters.get(index) else {
            return Err(format!("too many arguments for macro '{name}'"));
        };
        if parameter.vararg {
            values[index] = Some(cursor.rest().trim().to_string());
            break;
        }
        values[index] = Some(unquote(next_argument(&mut cursor, true)));
        position = index + 1;
        let had_comma = cursor.eat(b',');
        if had_comma && cursor.at_end() && position < parameters.len() {
            break;
        }
    }
    parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| match value.filter(|v| !v.is_empty()) {
            Some(value) => Ok(value),
            None if parameter.required => {
                Err(format!("missing value for required parameter '{}' of macro '{name}'", parameter.name))
            }
            None => Ok(parameter.default.to_string()),
        })
        .collect()
}

/// `name=` before an argument: the parameter's index and the text's length.
fn keyword_argument(cursor: &Cursor<'_>, parameters: &[Parameter]) -> Option<(usize, usize)> {
    let mut ahead = cursor.clone();
    let start = ahead.at;
    let name = ahead.name()?;
    ahead.skip_space();
    if ahead.peek() != b'=' || ahead.peek_at(1) == b'=' {
        return None;
    }
    ahead.at += 1;
    let index = parameters.iter().position(|p| &*p.name == name)?;
    Some((index, ahead.at - start))
}

/// The values of `.irp symbol, values...`, separated by commas or white space.
pub(crate) fn split_values(text: &str) -> Vec<String> {
    let mut cursor = Cursor::new(text);
    let mut out = Vec::new();
    while !cursor.at_end() {
        out.push(unquote(next_argument(&mut cursor, true)));
        cursor.eat(b',');
    }
    out
}

/// Replaces `\name`, `\@` and `\()` in a body's text. In alternate mode plain names are replaced
/// too.
pub(crate) fn substitute(text: &str, names: &[&str], values: &[String], count: u64, alternate: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + 16);
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if byte == b'\\' {
            let rest = &text[i + 1..];
            if rest.starts_with("()") {
                i += 3;
                continue;
            }
            if rest.starts_with('@') {
                out.push_str(&count.to_string());
                i += 2;
                continue;
            }
            if rest.starts_with('&') {
                i += 2;
                continue;
            }
            // Preprocessors put a blank after the backslash.
            let name = rest.trim_start_matches([' ', '\t']);
            if let Some((index, len)) = parameter_at(name, names) {
                out.push_str(&values[index]);
                i += 1 + rest.len() - name.len() + len;
                continue;
            }
            out.push('\\');
            i += 1;
            // An escaped character stays as it is.
            if let Some(next) = rest.chars().next() {
                out.push(next);
                i += next.len_utf8();
            }
            continue;
        }
        // `&` joins a parameter with what is before it.
        if alternate && byte == b'&' {
            let len = text[i + 1..].bytes().take_while(|&b| is_name_part(b)).count();
            if let Some(index) = names.iter().position(|n| *n == &text[i + 1..i + 1 + len]) {
                out.push_str(&values[index]);
                i += 1 + len;
                continue;
            }
        }
        if alternate && is_name_start(byte) && (i == 0 || !is_name_part(bytes[i - 1])) {
            let len = text[i..].bytes().take_while(|&b| is_name_part(b)).count();
            let word = &text[i..i + len];
            match names.iter().position(|n| *n == word) {
                Some(index) => {
                    out.push_str(&values[index]);
                    i += len;
                    if bytes.get(i) == Some(&b'&') {
                        i += 1;
                    }
                }
                None => {
                    out.push_str(word);
                    i += len;
                }
            }
            continue;
        }
        let len = text[i..].chars().next().map_or(1, char::len_utf8);
        out.push_str(&text[i..i + len]);
        i += len;
    }
    out
}

/// The parameter whose name stands at the start of `text`, the whole name.
fn parameter_at(text: &str, names: &[&str]) -> Option<(usize, usize)> {
    // `$` may be part of a symbol's name but ends a parameter's.
    let len = text.bytes().take_while(|&b| is_name_part(b) && b != b'$' && b != b'.').count();
    let exact = names.iter().position(|n| *n == &text[..len]).map(|index| (index, len));
    exact.or_else(|| {
        let len = text.bytes().take_while(|&b| is_name_part(b)).count();
        names.iter().position(|n| *n == &text[..len]).map(|index| (index, len))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let parameters = parse_parameters(&mut Cursor::new("a, b=7, c:req, d:vararg")).unwrap();
        let bind = |text| bind_arguments("m", &parameters, text);
        assert_eq!(bind("1, 2, 3, 4, 5").unwrap(), ["1", "2", "3", "4, 5"]);
        assert_eq!(bind("1, c=8(%rax, %rbx)").unwrap(), ["1", "7", "8(%rax, %rbx)", ""]);
        assert_eq!(bind("x c=\"a b\"").unwrap(), ["x", "7", "a b", ""]);
        assert!(bind("1, 2").is_err());
    }

    #[test]
    fn substitution() {
        let values = ["rax".to_string(), "5".to_string()];
        let got = substitute("mov \\reg\\(), \\n\\()x \\@ \\\\", &["reg", "n"], &values, 3, false);
        assert_eq!(got, "mov rax, 5x 3 \\\\");
        assert_eq!(substitute("a&b n", &["a", "n"], &values, 0, true), "raxb 5");
    }
}
