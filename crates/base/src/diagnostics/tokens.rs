//! Lengths of tokens, which locations do not carry.

/// Bytes of the token that begins `text`: a word, a number, a quoted string or an operator. Good
/// enough to underline.
pub(crate) fn token_length(text: &[u8]) -> usize {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
    match text.first() {
        None => 0,
        Some(first) if first.is_ascii_digit() => {
            let sign = |at: usize| matches!(text[at], b'+' | b'-') && matches!(text[at - 1] | 0x20, b'e' | b'p');
            let hexadecimal = text.len() > 1 && text[1] | 0x20 == b'x';
            let part = |at: usize| {
                word(&text[at]) || text[at] == b'.' || sign(at) && !(hexadecimal && text[at - 1] | 0x20 == b'e')
            };
            (1..text.len()).find(|&at| !part(at)).unwrap_or(text.len())
        }
        Some(first) if word(first) => text.iter().position(|b| !word(b)).unwrap_or(text.len()),
        Some(&quote @ (b'"' | b'\'')) => {
            let mut at = 1;
            while at < text.len() && text[at] != quote {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(text.len())
        }
        Some(_) => OPERATORS.iter().find(|o| text.starts_with(o.as_bytes())).map_or(1, |o| o.len()),
    }
}

/// Operators of several characters, the longer first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "^=", "|=",
];
