//! Where tokens come from while macros are expanded: a stack of contexts above the file, and the
//! padding between what they supply.

use base::Loc;

use super::Preprocessor;
use super::macros::{MacroId, MacroTable};
use crate::lex::{Token, TokenFlags, TokenKind};

/// Supplies tokens, until it is exhausted.
pub(super) struct Context {
    /// The macro to enable again at the end, or 0.
    pub(super) macro_id: MacroId,
    pub(super) source: Source,
}

pub(super) enum Source {
    /// A body without parameters, in [`super::macros::MacroTable::bodies`]. `delta` moves locations
    /// into the expansion's range; if there was no room for one, all tokens are at `fallback`.
    Body { next: u32, end: u32, delta: u32, fallback: Loc },
    /// Tokens made for the occasion.
    Buffer { tokens: Vec<Token>, next: usize },
    /// One token.
    One { token: Token, taken: bool },
    /// An argument of the invocation in frame `frame`, under expansion: a barrier.
    Argument { frame: usize, next: usize, end: usize },
    /// The end of a list under expansion.
    Barrier,
}

/// Padding that only keeps its neighbours apart.
pub(super) fn padding() -> Token {
    Token::new(TokenKind::Padding, TokenFlags::NONE, Loc::NONE)
}

/// Padding in the place of `source`, whose white space it stands for.
pub(super) fn padding_for(source: Token) -> Token {
    let white = TokenFlags(source.flags.0 & TokenFlags::LEADING_SPACE.0);
    Token::new(TokenKind::Padding, white.with(TokenFlags::HAS_SOURCE), source.loc)
}

/// Appends a token to a list. Paddings in a row that mean together what one of them does become
/// that one: a nest of macros is padded more at every level, and each copies what is inside it.
/// With a printer, which looks at the place of every one, they stay.
#[inline]
pub(super) fn append(tokens: &mut Vec<Token>, token: Token, prints: bool) {
    if token.is(TokenKind::Padding)
        && let Some(last) = tokens.last_mut()
        && last.is(TokenKind::Padding)
        && !prints
        && let Some(joined) = joined(*last, token)
    {
        *last = joined;
        return;
    }
    tokens.push(token);
}

/// The one of two paddings in a row that stands for both. White space before what follows is that
/// of the first source, but without one, and after a source without white space, that of the second
/// padding; see `stringify` and `find_parenthesis`, whose rule it is.
fn joined(first: Token, second: Token) -> Option<Token> {
    let source = |token: Token| token.flags.has(TokenFlags::HAS_SOURCE);
    let white = |token: Token| token.flags.has(TokenFlags::LEADING_SPACE);
    match (source(first), source(second)) {
        (true, true) => Some(first),
        (false, true) if !white(second) => Some(second),
        (true, false) if !white(first) => Some(second),
        (false, false) => Some(first),
        _ => None,
    }
}

/// The next token of the innermost context, if it neither names a macro nor is pasted.
#[inline(always)]
pub(super) fn plain_in_context(pp: &mut Preprocessor<'_>) -> Option<Token> {
    let context = pp.contexts.last_mut()?;
    let macros = &pp.macros;
    let plain = |token: &&Token| is_plain(macros, **token);
    match &mut context.source {
        Source::Body { next, end, delta, fallback } if next != end => {
            let token = macros.bodies.get(*next as usize).filter(plain)?;
            *next += 1;
            Some(in_expansion(*token, *delta, *fallback))
        }
        Source::Buffer { tokens, next } => {
            let token = tokens.get(*next).filter(plain)?;
            *next += 1;
            Some(*token)
        }
        Source::Argument { frame, next, end } if next != end => {
            let token = pp.frames[*frame].tokens.get(*next).filter(plain)?;
            *next += 1;
            Some(*token)
        }
        _ => None,
    }
}

/// A token of a body, where it is in the expansion.
#[inline]
fn in_expansion(token: Token, delta: u32, fallback: Loc) -> Token {
    let loc = if fallback.is_none() { Loc(token.loc.0.wrapping_add(delta)) } else { fallback };
    Token { loc, ..token }
}

#[inline]
pub(super) fn next_in_context(pp: &mut Preprocessor<'_>) -> Option<Token> {
    let context = pp.contexts.last_mut()?;
    match &mut context.source {
        Source::Body { next, end, delta, fallback } => {
            if next == end {
                return None;
            }
            *next += 1;
            Some(in_expansion(pp.macros.bodies[*next as usize - 1], *delta, *fallback))
        }
        Source::Buffer { tokens, next } => {
            let token = tokens.get(*next).copied();
            *next += 1;
            token
        }
        Source::One { token, taken } => (!std::mem::replace(taken, true)).then_some(*token),
        Source::Barrier => None,
        Source::Argument { frame, next, end } => {
            if next == end {
                return None;
            }
            *next += 1;
            Some(pp.frames[*frame].tokens[*next - 1])
        }
    }
}

/// Gives the tokens of the innermost context to `take` as long as it takes them and they neither
/// name a macro nor are pasted.
#[inline(always)]
pub(super) fn each_plain(pp: &mut Preprocessor<'_>, mut take: impl FnMut(Token) -> bool) {
    let Some(context) = pp.contexts.last_mut() else { return };
    let macros = &pp.macros;
    match &mut context.source {
        Source::Body { next, end, delta, fallback } => {
            let (delta, fallback) = (*delta, *fallback);
            let tokens = &macros.bodies[*next as usize..*end as usize];
            *next += taken(tokens, macros, |token| take(in_expansion(token, delta, fallback))) as u32;
        }
        Source::Buffer { tokens, next } => {
            *next += taken(tokens.get(*next..).unwrap_or_default(), macros, take);
        }
        Source::Argument { frame, next, end } => {
            *next += taken(&pp.frames[*frame].tokens[*next..*end], macros, take);
        }
        Source::One { .. } | Source::Barrier => {}
    }
}

/// How many of the tokens `take` takes that neither name a macro nor are pasted.
#[inline(always)]
fn taken(tokens: &[Token], macros: &MacroTable, mut take: impl FnMut(Token) -> bool) -> usize {
    let mut count = 0;
    for &token in tokens {
        if !is_plain(macros, token) || !take(token) {
            break;
        }
        count += 1;
    }
    count
}

/// Whether a token neither names a macro nor is pasted: most are such.
#[inline(always)]
fn is_plain(macros: &MacroTable, token: Token) -> bool {
    !token.flags.has(TokenFlags::PASTE_LEFT) && (!token.is(TokenKind::Identifier) || macros.slot(token.symbol()) == 0)
}

/// Gives back the token that was just taken from the innermost context.
pub(super) fn back_up(pp: &mut Preprocessor<'_>, token: Token) {
    match pp.contexts.last_mut().map(|context| &mut context.source) {
        // A pushed-back token may differ from the one taken only in its NO_EXPAND mark, which must
        // be kept.
        Some(Source::Buffer { tokens, next }) => {
            *next -= 1;
            tokens[*next] = token;
        }
        Some(_) => {
            pp.contexts.push(Context { macro_id: 0, source: Source::One { token, taken: false } });
        }
        None => pp.lookahead.push(token),
    }
}

pub(super) fn pop_context(pp: &mut Preprocessor<'_>) {
    if let Some(context) = pp.contexts.pop() {
        pp.macros.macros[context.macro_id as usize].disabled = false;
        if let Source::Buffer { tokens, .. } = context.source {
            pp.recycle(tokens);
        }
    }
}

/// Makes the tokens come next, followed by what would have come now.
pub(super) fn push_tokens(pp: &mut Preprocessor<'_>, tokens: Vec<Token>) {
    pp.contexts.push(Context { macro_id: 0, source: Source::Buffer { tokens, next: 0 } });
}

/// Makes one token come next.
pub(super) fn push_token(pp: &mut Preprocessor<'_>, token: Token) {
    pp.contexts.push(Context { macro_id: 0, source: Source::One { token, taken: false } });
}
