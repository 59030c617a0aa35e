//! Bodies of macros, passed over where they are defined: most macros of a header are never used.

use super::arguments::{plain_literal_end, stop_table};
use super::chars::{BLANK, CLASS};
use super::lexer::Lexer;

/// A byte that passing over a body must look at: its end, quotes, comments, the `V` of
/// `__VA_ARGS__`, and whatever might need the whole lexer or mean an operator of macros.
const STOP: [bool; 256] = stop_table(b"\n\r\"'/#%?\\$@`V");

impl Lexer<'_> {
    /// Passes over the body of a macro, up to the newline that ends its directive, if reading it
    /// when it is used comes to the same: there is nothing in it to report, to stringify or to
    /// paste. Its offset; otherwise `None`, and nothing has happened.
    pub(crate) fn pass_body(&mut self) -> Option<usize> {
        let (text, start) = self.directive_text()?;
        let mut at = start;
        loop {
            while !STOP[usize::from(text[at])] {
                at += 1;
            }
            match text[at] {
                b'\n' => break,
                // The line goes on, where no token does.
                b'\\' if text[at + 1] == b'\n' && CLASS[usize::from(text[at + 2])] & BLANK != 0 => at += 1,
                // Digit separators and prefixes are looked at by the lexer.
                b'"' | b'\'' if !text[at - 1].is_ascii_alphanumeric() => at = plain_literal_end(text, at)?,
                b'/' if text[at + 1] == b'*' => at = comment_end(text, at)?,
                b'/' if !matches!(text[at + 1], b'/' | b'\\' | b'?') => {}
                b'%' if text[at + 1] != b':' => {}
                b'?' if text[at + 1] != b'?' => {}
                b'V' if !text[..at].ends_with(b"__") => {}
                _ => return None,
            }
            at += 1;
        }
        self.go_on_at(at);
        Some(start)
    }
}

/// Offset of the slash that ends the comment which begins at `start`, if it does so in its line and
/// has no `/*` in it.
fn comment_end(text: &[u8], start: usize) -> Option<usize> {
    let body = start + 2;
    let mut at = body;
    loop {
        at += memchr::memchr2(b'/', b'\n', &text[at..])?;
        match text[at] {
            b'\n' => return None,
            _ if at > body && text[at - 1] == b'*' => return Some(at),
            _ if text[at + 1] == b'*' => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::scan::Switches;
    use crate::lex::{Dialect, TokenKind, new_session};
    use base::Loc;
    use base::source_map::SourceText;

    /// What of `text`, after its first word, is passed over.
    fn passed(text: &str) -> Option<String> {
        let session = new_session();
        let source = session.sources.add_source(SourceText::from_vec(text.as_bytes().to_vec()));
        let base = session.sources.include(source, base::Symbol(0), Loc::NONE, false).unwrap();
        let mut lexer = Lexer::new(&session, session.sources.bytes(source), base, Switches::new(&Dialect::default()));
        lexer.in_directive = true;
        assert!(lexer.next().is(TokenKind::Identifier));
        let start = lexer.pass_body()?;
        let end = lexer.raw().1;
        assert!(lexer.next().is(TokenKind::EndOfDirective));
        Some(text[start..end].to_owned())
    }

    #[test]
    fn bodies_that_can_be_read_later() {
        for body in [
            " 1",
            "",
            "\t(a / b % c ? \"x\\\"y\" : '\\'')  ",
            " 7 /* no / slash * ends it, // does not */ + 1 /**/",
            " VALUE _VALUE x__ V",
            " a \\\n b; \\\n\tc",
        ] {
            assert_eq!(passed(&format!("NAME{body}\n#x\n")), Some(body.to_owned()), "{body}");
        }
    }

    #[test]
    fn what_is_read_where_it_is_defined() {
        for body in [
            " 1 // comment",
            " 1 /* over\n lines */",
            " 1 /* /* */",
            " 1 /*/",
            " a\\\nb",
            " a \\ \n b",
            " a \\\n",
            " \"a\\\n b\"",
            " #x",
            " a ## b",
            " a %:%: b",
            " __VA_ARGS__",
            " __VA_OPT__(x)",
            " \"open",
            " 'a",
            " L'a'",
            " 1'000",
            " R\"(x)\"",
            " ??/",
            " $",
            " @",
            " `",
            " n\u{e9}",
            " a\r",
            " \\u00e9",
        ] {
            assert_eq!(passed(&format!("NAME{body}\n#x\n")), None, "{body}");
        }
        assert_eq!(passed("NAME 1"), None);
    }
}
