//! Arguments that nobody will look at: those of `assert(x)` where the macro's body is `((void)0)`.
//! A large part of many programs is of this kind, so that it pays not to make tokens of it.

use base::Loc;

use super::lexer::Lexer;

/// A byte that passing over arguments must look at: brackets, commas, quotes, and whatever might
/// need the whole lexer.
const STOP: [bool; 256] = stop_table(b"(),\"'/#%?\\$@`");

/// Whether a byte is one of these, beyond ASCII, or the NUL at the end of a text.
pub(super) const fn stop_table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0x80;
    while byte < 256 {
        table[byte] = true;
        byte += 1;
    }
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table[0] = true;
    table
}

/// Arguments that were passed over.
pub(crate) struct Skipped {
    /// How many, if each comma between parentheses ends one.
    pub(crate) count: usize,
    /// Where the closing parenthesis is.
    pub(crate) close: Loc,
}

impl Lexer<'_> {
    /// Passes over the arguments of an invocation, from after its `(` to its `)`, if that can be
    /// done without a closer look: no directive, comment, splice, trigraph, escape in a name, raw
    /// string or anything to report between them. Otherwise `None`, and nothing has happened.
    pub(crate) fn skip_arguments(&mut self) -> Option<Skipped> {
        let (text, start) = self.plain_text()?;
        let (mut at, mut depth, mut count) = (start, 0u32, 1);
        loop {
            while !STOP[usize::from(text[at])] {
                at += 1;
            }
            match text[at] {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b',' => count += usize::from(depth == 0),
                // Digit separators and prefixes are looked at by the lexer.
                b'"' | b'\'' if !text[at - 1].is_ascii_alphanumeric() => at = plain_literal_end(text, at)?,
                b'/' if !matches!(text[at + 1], b'/' | b'*' | b'\\' | b'?') => {}
                b'%' if text[at + 1] != b':' => {}
                b'?' if text[at + 1] != b'?' => {}
                _ => return None,
            }
            at += 1;
        }
        if memchr::memmem::find(&text[start..at], b"__VA_").is_some() {
            return None;
        }
        self.go_on_at(at + 1);
        Some(Skipped { count, close: self.base().offset(at as u32) })
    }
}

/// Offset of the quote that ends the literal which begins at `start`, unless it has splices,
/// trigraphs, characters beyond ASCII or no end.
pub(super) fn plain_literal_end(text: &[u8], start: usize) -> Option<usize> {
    let quote = text[start];
    let mut at = start + 1;
    loop {
        match text[at] {
            byte if byte == quote => return Some(at),
            b'\\' if matches!(text[at + 1], b'\n' | b'\r' | b' ' | b'\t' | 0x0b | 0x0c | 0) => return None,
            b'\\' => at += 2,
            b'?' if text[at + 1] == b'?' => return None,
            b'\n' | 0 | 0x80.. => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::scan::Switches;
    use crate::lex::{Dialect, new_session};
    use base::source_map::SourceText;

    /// The number of arguments and the text after them.
    fn skipped(text: &str) -> Option<(usize, String)> {
        let session = new_session();
        let source = session.sources.add_source(SourceText::from_vec(text.as_bytes().to_vec()));
        let base = session.sources.include(source, base::Symbol(0), Loc::NONE, false).unwrap();
        let mut lexer = Lexer::new(&session, session.sources.bytes(source), base, Switches::new(&Dialect::default()));
        assert!(lexer.next().is(crate::lex::TokenKind::LeftParen));
        let skipped = lexer.skip_arguments()?;
        let rest = (skipped.close.0 - base.0) as usize + 1;
        Some((skipped.count, text[rest..].to_owned()))
    }

    #[test]
    fn brackets_commas_and_literals() {
        assert_eq!(skipped("(a) b"), Some((1, " b".to_owned())));
        assert_eq!(skipped("() b"), Some((1, " b".to_owned())));
        assert_eq!(skipped("(f(a, b), \")\", ')', c % d / e ?\n f : g)\nh"), Some((4, "\nh".to_owned())));
        assert_eq!(skipped(r#"("\")", '\'', '\\') x"#), Some((3, " x".to_owned())));
    }

    #[test]
    fn what_needs_the_lexer() {
        for text in [
            "(a /* ) */)",
            "(a // )\n)",
            "(\n#if 1\n)",
            "(a \\\n)",
            "(\"a\\\n\")",
            "(a",
            "(\"a)",
            "('a)",
            "(1'000)",
            "(R\"x(y)x\")",
            "(L'a')",
            "(a ??/ b)",
            "(\"??)\")",
            "(\n%:if 1\n)",
            "(n\u{e9})",
            "(\"\u{e9}\")",
            "(__VA_ARGS__)",
            "(a\\u00e9)",
            "(@)",
        ] {
            assert_eq!(skipped(text), None, "{text}");
        }
    }
}
