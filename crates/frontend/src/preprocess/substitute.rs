//! What replaces an invocation of a function-like macro: parameters, `#`, `##` and `__VA_OPT__`
//! (C23 6.10.5).
//!
//! The body is copied token by token; a parameter gives its argument as written beside `#` and
//! `##`, fully expanded elsewhere. Pasting itself happens when the result is read, so a paste is
//! only a mark on its left operand here.

use base::{Loc, Symbol};

use super::Preprocessor;
use super::contexts::{append, padding, padding_for};
use super::expand::{EXPANSION_TOKENS, Frame, body_range, reject_special_name};
use crate::lex::lexer::lex_single;
use crate::lex::{Token, TokenFlags, TokenKind, names};

impl Frame {
    fn unexpanded(&self, index: usize) -> &[Token] {
        let (start, end) = self.args[index].tokens;
        &self.tokens[start..end]
    }

    fn expanded(&self, index: usize) -> &[Token] {
        let (start, end) = self.args[index].expanded;
        if end == 0 { self.unexpanded(index) } else { &self.expanded[start..end] }
    }
}

/// State of `__VA_OPT__` while a body is gone through.
#[derive(Clone, Copy)]
struct VaOpt {
    /// Tokens of the result before it began.
    start: usize,
    depth: u32,
    include: bool,
    /// The contents end in a placemarker, which a following `##` pastes with.
    placemarker: bool,
    token: Token,
}

/// One substitution under way.
struct Substitution<'f> {
    frame: &'f Frame,
    /// The last parameter takes all remaining arguments.
    variadic: bool,
    out: Vec<Token>,
    va_opt: Option<VaOpt>,
    /// Padding is of use: not in a directive.
    padded: bool,
    /// The directive wants padding for white space before arguments only.
    leading_padding: bool,
    /// The result may be printed; see [`append`].
    prints: bool,
}

/// Where a token stands in the body.
#[derive(Clone, Copy)]
struct Place {
    first: bool,
    /// Right operand of `##`.
    after_paste: bool,
}

/// The body with parameters replaced (C23 6.10.5.1 to 6.10.5.3); `None` if that is more than
/// [`EXPANSION_TOKENS`].
pub(super) fn substitute(pp: &mut Preprocessor<'_>, frame: &Frame) -> Option<Vec<Token>> {
    let id = frame.macro_id;
    let delta = body_range(pp, id, frame.name);
    let fallback = delta.is_none().then(|| pp.session.sources.expansion_point(frame.name.loc));
    let definition = &pp.macros.macros[id as usize];
    let ((start, end), variadic, has_va_opt) = (definition.body, definition.variadic, definition.has_va_opt);
    let mut state = Substitution {
        frame,
        variadic,
        out: pp.fresh_buffer(),
        va_opt: None,
        padded: !pp.state.in_directive,
        leading_padding: !pp.state.in_directive || pp.state.directive_wants_padding,
        prints: pp.printer.is_some(),
    };
    let mut previous_pastes = false;
    let mut at = start;
    let moved =
        |token: &Token| Token { loc: fallback.unwrap_or(Loc(token.loc.0.wrapping_add(delta.unwrap_or(0)))), ..*token };
    while at < end {
        if !has_va_opt {
            // What stands between two parameters goes over as it is.
            let rest = &pp.macros.bodies[at as usize..end as usize];
            let run = rest.iter().position(|token| token.is(TokenKind::Parameter)).unwrap_or(rest.len());
            if let [.., last] = &rest[..run] {
                previous_pastes = last.flags.has(TokenFlags::PASTE_LEFT);
                state.out.extend(rest[..run].iter().map(moved));
                at += run as u32;
                continue;
            }
        }
        let token = moved(&pp.macros.bodies[at as usize]);
        let pastes = token.flags.has(TokenFlags::PASTE_LEFT);
        let place = Place { first: at == start, after_paste: std::mem::replace(&mut previous_pastes, pastes) };
        at += 1;
        if has_va_opt {
            if token.is(TokenKind::Identifier) && token.symbol() == names::VA_OPT && state.va_opt.is_none() {
                begin_va_opt(&mut state, token, place);
                // The parenthesis is known to follow.
                at += 1;
                previous_pastes = false;
                continue;
            }
            if in_va_opt(pp, &mut state, token) {
                continue;
            }
        }
        if !token.is(TokenKind::Parameter) {
            state.out.push(token);
        } else if token.flags.has(TokenFlags::STRINGIFY) {
            stringified(pp, &mut state, token, place);
        } else {
            parameter(pp, &mut state, token, place);
            if state.out.len() > EXPANSION_TOKENS {
                return None;
            }
        }
    }
    Some(state.out)
}

/// A parameter after `#`.
fn stringified(pp: &mut Preprocessor<'_>, state: &mut Substitution<'_>, token: Token, place: Place) {
    lead(state, token, place);
    let pastes = token.flags.has(TokenFlags::PASTE_LEFT);
    let mut string = stringify(pp, state.frame.unexpanded(token.payload as usize), token);
    if pastes {
        string.flags = string.flags.with(TokenFlags::PASTE_LEFT);
    }
    state.out.push(string);
    if state.padded && !pastes {
        state.out.push(padding());
    }
}

/// Padding to the left of an argument, unless it is pasted there or begins a `__VA_OPT__`.
fn lead(state: &mut Substitution<'_>, token: Token, place: Place) {
    let begins = state.va_opt.is_some_and(|opt| opt.start == state.out.len());
    if state.leading_padding && !place.first && !place.after_paste && !begins {
        append(&mut state.out, padding_for(token), state.prints);
    }
}

/// A parameter without `#`: its argument, as written if it is an operand of `##`.
fn parameter(pp: &Preprocessor<'_>, state: &mut Substitution<'_>, token: Token, place: Place) {
    let (frame, index) = (state.frame, token.payload as usize);
    let pastes = token.flags.has(TokenFlags::PASTE_LEFT);
    let operand = pastes || place.after_paste;
    let tokens = if operand { frame.unexpanded(index) } else { frame.expanded(index) };
    if place.after_paste {
        pasted_parameter(state, tokens.is_empty(), pastes, index);
    }
    lead(state, token, place);
    if let Some(opt) = &mut state.va_opt {
        opt.placemarker = tokens.is_empty() && operand;
    }
    if !tokens.is_empty() {
        append_argument(pp, tokens, token.loc, frame, &mut state.out);
        if pastes && let Some(last) = state.out.last_mut() {
            last.flags = last.flags.with(TokenFlags::PASTE_LEFT);
        }
    }
    let begins = state.va_opt.is_some_and(|opt| opt.start == state.out.len());
    if state.padded && !pastes && !begins {
        append(&mut state.out, padding(), state.prints);
    }
}

/// The paste mark of what stands before a parameter that is the right operand of `##`: the comma of
/// `, ## __VA_ARGS__` goes with an argument that was left out, and stays unpasted otherwise; an
/// empty argument takes the mark away.
fn pasted_parameter(state: &mut Substitution<'_>, empty: bool, pastes: bool, index: usize) {
    let begins = state.va_opt.is_some_and(|opt| opt.start == state.out.len());
    let Some(last) = state.out.last_mut() else { return };
    if last.is(TokenKind::Comma) && state.variadic && index + 1 == state.frame.args.len() {
        if !state.frame.args[index].given {
            state.out.pop();
            return;
        }
    } else if !empty || begins {
        return;
    }
    // `a ## <nothing> ## b` still pastes a and b.
    let flags = last.flags.without(TokenFlags::PASTE_LEFT);
    last.flags = if empty && pastes { flags.with(TokenFlags::PASTE_LEFT) } else { flags };
}

fn begin_va_opt(state: &mut Substitution<'_>, token: Token, place: Place) {
    lead(state, token, place);
    let variable = state.frame.expanded(state.frame.args.len() - 1);
    let include = variable.iter().any(|token| !token.is(TokenKind::Padding));
    state.va_opt = Some(VaOpt { start: state.out.len(), depth: 0, include, placemarker: false, token });
}

/// Follows the parentheses of a `__VA_OPT__`. Whether the token is dealt with: its end, or contents
/// that are left out.
fn in_va_opt(pp: &mut Preprocessor<'_>, state: &mut Substitution<'_>, token: Token) -> bool {
    let Some(opt) = &mut state.va_opt else { return false };
    match token.kind {
        TokenKind::LeftParen => opt.depth += 1,
        TokenKind::RightParen if opt.depth > 0 => opt.depth -= 1,
        TokenKind::RightParen => {
            let opt = *opt;
            state.va_opt = None;
            end_va_opt(pp, &mut state.out, opt, token);
            return true;
        }
        _ => {}
    }
    opt.placemarker = false;
    !opt.include
}

/// The closing parenthesis of a `__VA_OPT__`.
fn end_va_opt(pp: &mut Preprocessor<'_>, out: &mut Vec<Token>, opt: VaOpt, close: Token) {
    while out.len() > opt.start && out.last().is_some_and(|t| t.is(TokenKind::Padding)) {
        out.pop();
    }
    let pastes = close.flags.has(TokenFlags::PASTE_LEFT);
    if opt.token.flags.has(TokenFlags::STRINGIFY) {
        let tokens: Vec<Token> = out.drain(opt.start..).collect();
        let pasted = paste_list(pp, tokens);
        let mut string = stringify(pp, &pasted, opt.token);
        if pastes {
            string.flags = string.flags.with(TokenFlags::PASTE_LEFT);
        }
        out.push(string);
    } else if out.len() == opt.start {
        // It expands to nothing: a paste before it has no right operand any more, unless one
        // follows.
        if let Some(last) = out.last_mut()
            && last.flags.has(TokenFlags::PASTE_LEFT)
            && !pastes
        {
            last.flags = last.flags.without(TokenFlags::PASTE_LEFT);
        }
    } else if pastes
        && !opt.placemarker
        && let Some(last) = out.last_mut()
    {
        last.flags = last.flags.with(TokenFlags::PASTE_LEFT);
    }
    if !pastes || opt.placemarker {
        out.push(padding());
    }
}

/// Carries out the `##` within a list, for `#__VA_OPT__`.
fn paste_list(pp: &mut Preprocessor<'_>, tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut pasting = false;
    for token in tokens {
        let pastes = token.flags.has(TokenFlags::PASTE_LEFT);
        if pasting && token.is(TokenKind::Padding) {
            continue;
        }
        match out.last_mut() {
            Some(last) if pasting => match paste(pp, *last, token) {
                Some(result) => *last = result,
                None => out.push(token),
            },
            _ => out.push(token),
        }
        pasting = pastes;
    }
    out
}

/// Positions this close are given one range when an argument is copied.
const RUN_GAP: u32 = 64;

/// Appends an argument's tokens, moving their locations into ranges that lead back to the parameter
/// at `parameter`.
fn append_argument(pp: &Preprocessor<'_>, tokens: &[Token], parameter: Loc, frame: &Frame, out: &mut Vec<Token>) {
    let name = pp.macros.macros[frame.macro_id as usize].name;
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is(TokenKind::Padding) {
            out.push(tokens[at]);
            at += 1;
            continue;
        }
        let (end, last) = run_from(tokens, at);
        append_run(pp, &tokens[at..end], last, (parameter, name), out);
        at = end;
    }
}

/// The end of the tokens from `at` on whose positions rise in small steps, and the last of these
/// positions.
fn run_from(tokens: &[Token], at: usize) -> (usize, u32) {
    let mut last = tokens[at].loc.0;
    let mut end = at + 1;
    while end < tokens.len() {
        let loc = tokens[end].loc.0;
        if !tokens[end].is(TokenKind::Padding) {
            if loc < last || loc - last > RUN_GAP {
                break;
            }
            last = loc;
        }
        end += 1;
    }
    (end, last)
}

/// Appends a run of tokens up to the position `last`, in as few ranges as it finds place in.
fn append_run(
    pp: &Preprocessor<'_>,
    mut run: &[Token],
    last: u32,
    (parameter, name): (Loc, Symbol),
    out: &mut Vec<Token>,
) {
    while let Some(first) = run.iter().find(|token| !token.is(TokenKind::Padding)).map(|token| token.loc) {
        let length = last - first.0 + 1;
        let Some((base, given)) = pp.session.sources.expand_argument(first, length, parameter, name) else { break };
        let fits = |token: &Token| token.is(TokenKind::Padding) || token.loc.0 - first.0 < given;
        let count = if given == length { run.len() } else { run.iter().take_while(|token| fits(token)).count() };
        out.extend(run[..count].iter().map(|&token| match token.is(TokenKind::Padding) {
            true => token,
            false => Token { loc: Loc(token.loc.0 - first.0 + base.0), ..token },
        }));
        run = &run[count..];
    }
    out.extend_from_slice(run);
}

/// `#`: the string literal of an argument's spelling (C23 6.10.5.2), in the place of `parameter`.
fn stringify(pp: &mut Preprocessor<'_>, tokens: &[Token], parameter: Token) -> Token {
    let mut text = vec![b'"'];
    let mut source: Option<bool> = None;
    let mut backslashes = 0usize;
    let mut spelling = Vec::new();
    for token in tokens {
        let own = token.flags.has(TokenFlags::LEADING_SPACE);
        if token.is(TokenKind::Padding) {
            let of = token.flags.has(TokenFlags::HAS_SOURCE).then_some(own);
            if source.is_none() || source == Some(false) && of.is_none() {
                source = of;
            }
            continue;
        }
        if token.is(TokenKind::Comment) {
            source = Some(true);
            continue;
        }
        if text.len() > 1 && source.unwrap_or(own) {
            text.push(b' ');
        }
        source = None;
        if matches!(token.kind, TokenKind::String | TokenKind::Char) {
            spelling.clear();
            pp.spell(*token, &mut spelling);
            for &byte in &spelling {
                match byte {
                    b'"' | b'\\' => text.extend_from_slice(&[b'\\', byte]),
                    b'\n' => text.extend_from_slice(b"\\n"),
                    _ => text.push(byte),
                }
            }
        } else {
            pp.spell(*token, &mut text);
        }
        let backslash = token.is(TokenKind::Other) && text.last() == Some(&b'\\');
        backslashes = if backslash { backslashes + 1 } else { 0 };
    }
    if backslashes % 2 == 1 {
        pp.session.warn_always(parameter.loc, "invalid string literal, ignoring final '\\'").emit();
        text.pop();
    }
    text.push(b'"');
    let flags = TokenFlags(parameter.flags.0 & TokenFlags::LEADING_SPACE.0);
    let payload = pp.session.interner.intern_bytes(&text).0;
    Token { kind: TokenKind::String, flags, loc: parameter.loc, payload }
}

/// The token that the spellings of two tokens make together; an error and `None` if they make none.
pub(super) fn paste(pp: &mut Preprocessor<'_>, left: Token, right: Token) -> Option<Token> {
    let mut text = std::mem::take(&mut pp.scratch);
    text.clear();
    pp.spell(left, &mut text);
    let middle = text.len();
    pp.spell(right, &mut text);
    let flags = TokenFlags(left.flags.0 & TokenFlags::LEADING_SPACE.0);
    let result = lex_single(pp.session, &mut text, &pp.switches, left.loc, flags);
    if result.is_none() && !pp.options.dialect.assembler {
        let (a, b) = text.split_at(middle);
        let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
        let message = format!("pasting \"{a}\" and \"{b}\" does not give a valid preprocessing token");
        pp.session.error(left.loc, message).emit();
    }
    pp.scratch = text;
    if let Some(token) = result
        && token.is(TokenKind::Identifier)
    {
        reject_special_name(pp, token);
    }
    result
}
