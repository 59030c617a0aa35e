//! Assertions, a deprecated extension of System V and GNU C: `#assert machine(x86_64)`, `#unassert
//! machine` and `#machine(x86_64)` as an operand of `#if` (the preprocessor's manual, "Assertions"
//! under "Obsolete Features").

use base::{Symbol, warning};

use super::{Preprocessor, contexts};
use crate::lex::{Token, TokenKind};

/// The answers that are true, in order; their tokens' spellings.
pub(super) struct Assertions {
    list: Vec<(Box<str>, Answer)>,
}

type Answer = Vec<Box<[u8]>>;

impl Assertions {
    /// What gcc asserts of this system, unless `-undef` takes it away.
    pub(super) fn new(predefined: bool) -> Assertions {
        const PREDEFINED: &[(&str, &str)] =
            &[("system", "linux"), ("system", "unix"), ("system", "posix"), ("cpu", "x86_64"), ("machine", "x86_64")];
        let list = if predefined { PREDEFINED } else { &[] };
        let answer = |&(predicate, answer): &(&str, &str)| (predicate.into(), vec![answer.as_bytes().into()]);
        Assertions { list: list.iter().map(answer).collect() }
    }

    fn holds(&self, predicate: &str, answer: Option<&Answer>) -> bool {
        self.list.iter().any(|(p, a)| **p == *predicate && answer.is_none_or(|answer| answer == a))
    }
}

/// `#assert` and `#unassert`, whose name was read.
pub(super) fn directive(pp: &mut Preprocessor<'_>, name: Token, undo: bool) {
    let directive = if undo { "unassert" } else { "assert" };
    pp.session.pedwarn(warning::PEDANTIC, name.loc, format!("#{directive} is a GCC extension")).emit();
    let message = format!("#{directive} is a deprecated GCC extension");
    pp.session.warn(warning::DEPRECATED, name.loc, message).emit();
    let Some((predicate, answer)) = assertion(pp, !undo) else { return };
    let predicate = pp.session.str(predicate);
    match answer {
        None => pp.assertions.list.retain(|(p, _)| **p != *predicate),
        Some(answer) if undo => pp.assertions.list.retain(|(p, a)| **p != *predicate || *a != answer),
        Some(answer) if pp.assertions.holds(predicate, Some(&answer)) => {
            pp.session.warn_always(name.loc, format!("\"{predicate}\" re-asserted")).emit();
            return;
        }
        Some(answer) => pp.assertions.list.push((predicate.into(), answer)),
    }
    super::directives::expect_end(pp, directive);
}

/// `#predicate` or `#predicate(answer)` in a condition, after the `#`. `None` after an error.
pub(super) fn test(pp: &mut Preprocessor<'_>, hash: Token) -> Option<bool> {
    let message = "assertions are a GCC extension";
    pp.session.pedwarn(warning::PEDANTIC, hash.loc, message).emit();
    pp.session.warn(warning::DEPRECATED, hash.loc, "assertions are a deprecated extension").emit();
    let (predicate, answer) = assertion(pp, false)?;
    Some(pp.assertions.holds(pp.session.str(predicate), answer.as_ref()))
}

/// The predicate and its answer in parentheses, which may be missing unless it is `needed`. `None`
/// after an error.
fn assertion(pp: &mut Preprocessor<'_>, needed: bool) -> Option<(Symbol, Option<Answer>)> {
    pp.state.prevent_expansion += 1;
    let result = tokens(pp, needed);
    pp.state.prevent_expansion -= 1;
    result
}

fn tokens(pp: &mut Preprocessor<'_>, needed: bool) -> Option<(Symbol, Option<Answer>)> {
    let predicate = pp.expanded_token();
    if !predicate.is(TokenKind::Identifier) {
        let none = predicate.is(TokenKind::EndOfDirective);
        let message = if none { "assertion without predicate" } else { "predicate must be an identifier" };
        pp.session.error(predicate.loc, message).emit();
        return None;
    }
    let open = pp.expanded_token();
    if !open.is(TokenKind::LeftParen) {
        // The end of the line comes again by itself.
        if !open.is(TokenKind::EndOfDirective) {
            contexts::back_up(pp, open);
        }
        if needed {
            pp.session.error(predicate.loc, "missing '(' after predicate").emit();
            return None;
        }
        return Some((predicate.symbol(), None));
    }
    let mut answer = Answer::new();
    loop {
        let token = pp.expanded_token();
        match token.kind {
            TokenKind::RightParen => break,
            TokenKind::EndOfDirective => {
                pp.session.error(token.loc, "missing ')' to complete answer").emit();
                return None;
            }
            _ => {
                let mut text = Vec::new();
                pp.spell(token, &mut text);
                answer.push(text.into());
            }
        }
    }
    if answer.is_empty() {
        pp.session.error(open.loc, "predicate's answer is empty").emit();
        return None;
    }
    Some((predicate.symbol(), Some(answer)))
}
