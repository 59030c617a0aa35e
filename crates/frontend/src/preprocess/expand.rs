//! Macro expansion.
//!
//! The algorithm is cpplib's (gcc), which gives Prosser's results: a stack of *contexts* supplies
//! tokens; a macro is disabled while its expansion is on the stack, and an identifier met while its
//! macro is disabled is marked never to be expanded again. Padding tokens stand where an expansion
//! began or ended, so that `#` and `-E` know about white space.
//!
//! The full expansion of an argument needs the expander itself. Instead of recursing, a *frame* is
//! pushed that collects the tokens of the argument under expansion, and its context ends in a
//! barrier; so nesting is bounded by memory only.

use base::{Loc, warning};
use smallvec::SmallVec;

use super::contexts::{
    Context, Source, append, back_up, each_plain, next_in_context, padding, padding_for, plain_in_context, pop_context,
    push_token, push_tokens,
};
use super::macros::{MacroId, MacroKind};
use super::substitute::{paste, substitute};
use super::{Preprocessor, builtins};
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// An argument of an invocation: its tokens as written, and expanded.
#[derive(Clone, Copy, Default)]
pub(super) struct Argument {
    pub(super) tokens: (usize, usize),
    pub(super) expanded: (usize, usize),
    /// Given in the invocation at all; false swallows the comma of `, ## __VA_ARGS__`.
    pub(super) given: bool,
}

/// A function-like invocation whose arguments are being expanded.
pub(super) struct Frame {
    pub(super) macro_id: MacroId,
    pub(super) name: Token,
    pub(super) args: SmallVec<[Argument; 4]>,
    /// All arguments as written, one after the other.
    pub(super) tokens: Vec<Token>,
    /// Those that had to be expanded.
    pub(super) expanded: Vec<Token>,
    /// The argument being expanded.
    current: usize,
    /// Pragmas met between the arguments, to be given before the expansion.
    pragmas: Vec<Token>,
}

/// The result of meeting a macro's name.
enum Entered {
    /// It is not expanded: the name itself is the token.
    No,
    /// A context was pushed; padding follows.
    Yes,
    /// A frame was pushed; nothing is to be given yet.
    Frame,
    /// Something was pushed that begins without padding.
    Quiet,
}

/// The next token after macro expansion, padding included.
#[inline]
pub(super) fn get_token(pp: &mut Preprocessor<'_>) -> Token {
    token_of_frame(pp, 0)
}

/// The next token for who was called while `base` frames were on the stack, without padding.
pub(super) fn token_above(pp: &mut Preprocessor<'_>, base: usize) -> Token {
    loop {
        let token = token_of_frame(pp, base);
        if !token.is(TokenKind::Padding) {
            return token;
        }
    }
}

/// The full expansion of a list of tokens by themselves.
pub(super) fn expand_list(pp: &mut Preprocessor<'_>, tokens: Vec<Token>) -> Vec<Token> {
    let base = pp.frames.len();
    let prevent = std::mem::take(&mut pp.state.prevent_expansion);
    pp.contexts.push(Context { macro_id: 0, source: Source::Barrier });
    push_tokens(pp, tokens);
    let mut out = Vec::new();
    loop {
        let token = token_of_frame(pp, base);
        if token.is(TokenKind::ArgumentEnd) {
            break;
        }
        out.push(token);
    }
    pop_context(pp);
    pp.state.prevent_expansion = prevent;
    out
}

/// Drops what a directive left of the expansions in its line.
pub(super) fn discard(pp: &mut Preprocessor<'_>) {
    while !pp.contexts.is_empty() {
        pop_context(pp);
    }
    pp.frames.clear();
    pp.pending_tokens = 0;
}

#[inline]
fn token_of_frame(pp: &mut Preprocessor<'_>, base: usize) -> Token {
    loop {
        let mut token = step(pp);
        if pp.frames.len() <= base {
            return token;
        }
        if token.is(TokenKind::ArgumentEnd) {
            match end_argument(pp) {
                Some(padding) => token = padding,
                None => continue,
            }
        }
        if pp.frames.len() <= base {
            return token;
        }
        expand_argument(pp, token);
    }
}

/// Adds a token to the expansion of the top frame's argument, and what comes after it as it is.
fn expand_argument(pp: &mut Preprocessor<'_>, token: Token) {
    let prints = pp.printer.is_some();
    let Some(frame) = pp.frames.last_mut() else { return };
    let start = frame.args[frame.current].expanded.0;
    let mut expanded = std::mem::take(&mut frame.expanded);
    if expanded.len() == start {
        // What stands before is another argument's.
        expanded.push(token);
    } else {
        append(&mut expanded, token, prints);
    }
    each_plain(pp, |token| {
        append(&mut expanded, token, prints);
        true
    });
    if let Some(frame) = pp.frames.last_mut() {
        frame.expanded = expanded;
    }
}

/// One token from the innermost context or the file; enters macros on the way.
#[inline(always)]
fn step(pp: &mut Preprocessor<'_>) -> Token {
    if !pp.contexts.is_empty() {
        return plain_in_context(pp).unwrap_or_else(|| step_in_expansion(pp, None));
    }
    // Nearly all of a program is this: a token of the file that names no macro.
    let token = super::lex_token(pp);
    let plain = !token.is(TokenKind::Identifier) || pp.macros.slot(token.symbol()) == 0;
    if plain { token } else { step_in_expansion(pp, Some(token)) }
}

/// As [`step`], where there are contexts or `first`, the token of the file, names a macro.
#[inline(never)]
fn step_in_expansion(pp: &mut Preprocessor<'_>, mut first: Option<Token>) -> Token {
    loop {
        let mut token = if let Some(token) = first.take() {
            token
        } else if pp.contexts.is_empty() {
            super::lex_token(pp)
        } else {
            match from_context(pp) {
                Some(token) => token,
                None => continue,
            }
        };
        if !token.is(TokenKind::Identifier) {
            return token;
        }
        let id = pp.macros.slot(token.symbol());
        if id == 0 || token.flags.has(TokenFlags::NO_EXPAND) {
            return token;
        }
        if pp.macros.macros[id as usize].disabled {
            token.flags = token.flags.with(TokenFlags::NO_EXPAND);
            return token;
        }
        if pp.state.prevent_expansion > 0 {
            if pp.contexts.is_empty() {
                reject_special_name(pp, token);
            }
            return token;
        }
        match enter_macro(pp, id, token) {
            Entered::No => return token,
            Entered::Yes if pp.state.in_directive && !pp.state.directive_wants_padding => {}
            Entered::Yes => return padding_for(token),
            Entered::Frame | Entered::Quiet => {}
        }
    }
}

/// A token of the innermost context; `None` to look again.
#[inline]
fn from_context(pp: &mut Preprocessor<'_>) -> Option<Token> {
    match next_in_context(pp) {
        Some(token) if token.flags.has(TokenFlags::PASTE_LEFT) => {
            paste_all(pp, token);
            if pp.state.in_directive { None } else { Some(padding_for(token)) }
        }
        Some(token) => Some(token),
        None => {
            if let Some(Context { source: Source::Argument { .. } | Source::Barrier, .. }) = pp.contexts.last() {
                return Some(Token::new(TokenKind::ArgumentEnd, TokenFlags::NONE, Loc::NONE));
            }
            pop_context(pp);
            if pp.state.in_directive { None } else { Some(padding()) }
        }
    }
}

/// Reports the use of a poisoned name, or of `__VA_ARGS__` outside a variadic macro; whether the
/// name is poisoned.
pub(super) fn reject_special_name(pp: &Preprocessor<'_>, token: Token) -> bool {
    match pp.macros.macros[pp.macros.slot(token.symbol()) as usize].kind {
        MacroKind::Poisoned => {
            let message = format!("attempt to use poisoned \"{}\"", pp.session.str(token.symbol()));
            pp.session.error(token.loc, message).emit();
            true
        }
        MacroKind::VariadicName if !pp.state.va_args_ok => {
            let message = if token.symbol() == names::VA_OPT {
                "__VA_OPT__ can only appear in the expansion of a C++20 variadic macro"
            } else {
                "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro"
            };
            pp.session.pedwarn_always(token.loc, message).emit();
            false
        }
        _ => false,
    }
}

fn enter_macro(pp: &mut Preprocessor<'_>, id: MacroId, name: Token) -> Entered {
    pp.buf.mi_valid = false;
    pp.buf.lexer.header_names = false;
    super::macros::read_body(pp, id);
    let definition = &mut pp.macros.macros[id as usize];
    let first_use = !std::mem::replace(&mut definition.used, true);
    match definition.kind {
        MacroKind::Object => {
            if first_use {
                super::output::macro_used(pp, id);
            }
            push_body(pp, id, name);
            Entered::Yes
        }
        MacroKind::Text { .. } => Entered::No,
        MacroKind::Function => function_like(pp, id, name, first_use),
        MacroKind::Builtin(builtin) => match builtins::expand(pp, builtin, name) {
            builtins::Expansion::None => Entered::No,
            builtins::Expansion::Token(token) => {
                push_token(pp, token);
                Entered::Yes
            }
            builtins::Expansion::Pushed => Entered::Quiet,
        },
        MacroKind::Poisoned | MacroKind::VariadicName => {
            if pp.contexts.is_empty() {
                reject_special_name(pp, name);
            }
            Entered::No
        }
    }
}

/// Where positions of the expansion of a macro's body begin, and the offset to add to a position in
/// the definition.
pub(super) fn body_range(pp: &Preprocessor<'_>, id: MacroId, name: Token) -> Option<u32> {
    let definition = &pp.macros.macros[id as usize];
    if definition.body_length == 0 {
        return Some(0);
    }
    let sources = &pp.session.sources;
    let base = sources.expand(definition.body_loc, definition.body_length, name.loc, definition.name)?;
    Some(base.0.wrapping_sub(definition.body_loc.0))
}

/// Pushes a body that has no parameters to replace.
fn push_body(pp: &mut Preprocessor<'_>, id: MacroId, name: Token) {
    let (delta, fallback) = match body_range(pp, id, name) {
        Some(delta) => (delta, Loc::NONE),
        None => (0, pp.session.sources.expansion_point(name.loc)),
    };
    let definition = &mut pp.macros.macros[id as usize];
    definition.disabled = true;
    let (next, end) = definition.body;
    if !count_tokens(pp, u64::from(end - next), name) {
        return;
    }
    pp.contexts.push(Context { macro_id: id, source: Source::Body { next, end, delta, fallback } });
}

fn function_like(pp: &mut Preprocessor<'_>, id: MacroId, name: Token, first_use: bool) -> Entered {
    pp.state.prevent_expansion += 1;
    let before = std::mem::replace(&mut pp.state.parsing_args, 1);
    let open = find_parenthesis(pp);
    let mut frame = None;
    if open && let Some(entered) = ignored_arguments(pp, id, name) {
        pp.state.parsing_args = before;
        pp.state.prevent_expansion -= 1;
        if first_use && matches!(entered, Entered::Yes) {
            super::output::macro_used(pp, id);
        }
        return entered;
    }
    if open {
        pp.state.parsing_args = 2;
        frame = collect_arguments(pp, id, name);
    }
    pp.state.parsing_args = before;
    pp.state.prevent_expansion -= 1;
    let Some(mut frame) = frame else { return Entered::No };
    if first_use {
        super::output::macro_used(pp, id);
    }
    if pp.macros.macros[id as usize].params.is_empty() {
        push_body(pp, id, name);
        push_pragmas(pp, &mut frame);
        recycle_frame(pp, frame);
        return Entered::Yes;
    }
    pp.pending_tokens += frame.tokens.len();
    if pp.pending_tokens > PENDING_LIMIT && pp.frames.len() > FREE_NESTING {
        let message = format!(
            "macro invocations are nested too deeply in arguments ({} levels, {PENDING_LIMIT} tokens pending)",
            pp.frames.len()
        );
        give_up(pp, name, message);
        return Entered::Quiet;
    }
    pp.frames.push(frame);
    match next_argument(pp, 0) {
        true => Entered::Frame,
        false => {
            substitute_top(pp);
            Entered::Yes
        }
    }
}

/// Tokens that the macros of a translation unit may expand to together, and one invocation of one.
/// Expansion multiplies: a few lines can ask for more tokens than there is memory or time for,
/// where the largest programs have some millions.
const MACRO_TOKENS: u64 = 64 << 20;
pub(super) const EXPANSION_TOKENS: usize = 16 << 20;

/// Counts what the macro at `name` expands to; at the limit that is a fatal error, and nothing more
/// is read.
fn count_tokens(pp: &mut Preprocessor<'_>, tokens: u64, name: Token) -> bool {
    pp.macro_tokens += tokens;
    let limit = if pp.options.max_macro_tokens == 0 { MACRO_TOKENS } else { pp.options.max_macro_tokens };
    if pp.macro_tokens <= limit {
        return true;
    }
    let message =
        format!("macros expand to more than {limit} tokens (use -fmax-macro-tokens=N to increase the maximum)");
    give_up(pp, name, message);
    false
}

/// The fatal error of an expansion that is too large: nothing more is read.
fn give_up(pp: &mut Preprocessor<'_>, name: Token, message: String) {
    pp.session.fatal(pp.session.sources.expansion_point(name.loc), message).emit();
    discard(pp);
    pp.buf.lexer.stop();
}

/// Enters a macro whose body has none of its parameters, where its arguments stand in the file and
/// can be passed over. `None` to read them.
fn ignored_arguments(pp: &mut Preprocessor<'_>, id: MacroId, name: Token) -> Option<Entered> {
    let in_file = pp.contexts.is_empty() && pp.lookahead.is_empty() && !pp.state.in_directive && pp.printer.is_none();
    if !pp.macros.macros[id as usize].ignores_arguments || !in_file || pp.macros.any_poisoned {
        return None;
    }
    let skipped = pp.buf.lexer.skip_arguments()?;
    let definition = &pp.macros.macros[id as usize];
    let count = definition.params.len();
    // What would be more arguments belongs to the last of a variadic macro.
    let given = if definition.variadic { skipped.count.min(count) } else { skipped.count };
    if !arguments_fit(pp, id, given, skipped.close) {
        return Some(Entered::No);
    }
    push_body(pp, id, name);
    Some(Entered::Yes)
}

fn push_pragmas(pp: &mut Preprocessor<'_>, frame: &mut Frame) {
    if !frame.pragmas.is_empty() {
        push_tokens(pp, std::mem::take(&mut frame.pragmas));
    }
}

/// A frame for an invocation of `id`, with the memory of one that is done.
fn fresh_frame(pp: &mut Preprocessor<'_>, id: MacroId, name: Token, count: usize) -> Box<Frame> {
    let mut frame = match pp.spare_frames.pop() {
        Some(frame) => frame,
        None => Box::new(Frame {
            macro_id: id,
            name,
            args: SmallVec::new(),
            tokens: Vec::new(),
            expanded: Vec::new(),
            current: 0,
            pragmas: Vec::new(),
        }),
    };
    frame.macro_id = id;
    frame.name = name;
    frame.args.resize(count, Argument::default());
    frame.current = 0;
    frame
}

fn recycle_frame(pp: &mut Preprocessor<'_>, mut frame: Box<Frame>) {
    if pp.spare_frames.len() < super::POOL_LIMIT {
        frame.args.clear();
        frame.tokens.clear();
        frame.expanded.clear();
        frame.pragmas.clear();
        pp.spare_frames.push(frame);
    }
}

/// Each level of `f(f(f(...)))` holds its own copy of what is inside: together at most this many
/// tokens (240 MB), as the sum grows with the square of the depth. The first levels are free,
/// however large an argument is.
const PENDING_LIMIT: usize = 20_000_000;
const FREE_NESTING: usize = 64;

/// Looks for `(` after the name of a function-like macro; what else comes is given back.
fn find_parenthesis(pp: &mut Preprocessor<'_>) -> bool {
    let mut kept: Option<Token> = None;
    let token = loop {
        let token = step_in_expansion(pp, None);
        if token.is(TokenKind::Comment) {
            continue;
        }
        if !token.is(TokenKind::Padding) {
            break token;
        }
        let replace = match kept {
            None => true,
            Some(kept) => {
                !kept.flags.has(TokenFlags::HAS_SOURCE)
                    || !kept.flags.has(TokenFlags::LEADING_SPACE) && !token.flags.has(TokenFlags::HAS_SOURCE)
            }
        };
        if replace {
            kept = Some(token);
        }
    };
    match token.kind {
        TokenKind::LeftParen => return true,
        // These are given again by themselves.
        TokenKind::Eof | TokenKind::EndOfDirective | TokenKind::ArgumentEnd => {}
        _ => back_up(pp, token),
    }
    if let Some(kept) = kept {
        push_token(pp, kept);
    }
    false
}

/// Reads the arguments after `(`. `None` when they do not fit the macro, which is reported.
fn collect_arguments(pp: &mut Preprocessor<'_>, id: MacroId, name: Token) -> Option<Box<Frame>> {
    let definition = &pp.macros.macros[id as usize];
    let (count, variadic) = (definition.params.len(), definition.variadic);
    let prints = pp.printer.is_some();
    let mut frame = fresh_frame(pp, id, name, count);
    let mut given = 0usize;
    let last = loop {
        given += 1;
        let start = frame.tokens.len();
        let mut depth = 0u32;
        let stop = loop {
            let last = variadic && given == count;
            each_plain(pp, |token| {
                match token.kind {
                    TokenKind::LeftParen => depth += 1,
                    TokenKind::RightParen if depth > 0 => depth -= 1,
                    TokenKind::Comma if depth > 0 || last => {}
                    TokenKind::Padding if frame.tokens.len() == start => return true,
                    TokenKind::RightParen | TokenKind::Comma | TokenKind::Pragma => return false,
                    _ => {}
                }
                append(&mut frame.tokens, token, prints);
                true
            });
            let token = step(pp);
            match token.kind {
                TokenKind::Padding if frame.tokens.len() == start => continue,
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen if depth == 0 => break token,
                TokenKind::RightParen => depth -= 1,
                TokenKind::Comma if depth == 0 && !last => break token,
                TokenKind::Eof | TokenKind::EndOfDirective | TokenKind::ArgumentEnd => break token,
                TokenKind::Pragma if !token.flags.has(TokenFlags::PRAGMA_OPERATOR) => {
                    collect_pragma(pp, token, &mut frame.pragmas);
                    continue;
                }
                _ => {}
            }
            append(&mut frame.tokens, token, prints);
        };
        while frame.tokens.len() > start && frame.tokens.last().is_some_and(|t| t.is(TokenKind::Padding)) {
            frame.tokens.pop();
        }
        if given <= count {
            frame.args[given - 1] = Argument { tokens: (start, frame.tokens.len()), given: true, expanded: (0, 0) };
        }
        if !stop.is(TokenKind::Comma) {
            break stop;
        }
    };
    if !last.is(TokenKind::RightParen) {
        let text = pp.session.str(pp.macros.macros[id as usize].name);
        pp.session.error(name.loc, format!("unterminated argument list invoking macro \"{text}\"")).emit();
        return None;
    }
    if given == 1 && count == 0 && frame.tokens.is_empty() {
        given = 0;
    }
    if !arguments_fit(pp, id, given, last.loc) {
        return None;
    }
    if variadic {
        let only = given == 1 && count == 1 && frame.args[0].tokens.0 == frame.args[0].tokens.1;
        if given < count || only && pp.options.dialect.gnu {
            frame.args[count - 1].given = false;
        }
    }
    Some(frame)
}

fn collect_pragma(pp: &mut Preprocessor<'_>, first: Token, out: &mut Vec<Token>) {
    let mut token = first;
    loop {
        if !token.is(TokenKind::Padding) {
            out.push(token);
        }
        if matches!(token.kind, TokenKind::PragmaEnd | TokenKind::Eof) {
            break;
        }
        token = step_in_expansion(pp, None);
    }
}

fn arguments_fit(pp: &Preprocessor<'_>, id: MacroId, given: usize, loc: Loc) -> bool {
    let definition = &pp.macros.macros[id as usize];
    let count = definition.params.len();
    if given == count {
        return true;
    }
    let text = pp.session.str(definition.name);
    let dialect = &pp.options.dialect;
    if given + 1 == count && definition.variadic {
        if !definition.system && !dialect.gnu && !dialect.c23() {
            let message = "ISO C99 requires at least one argument for the \"...\" in a variadic macro";
            pp.session.pedwarn(warning::PEDANTIC, loc, message).emit();
        }
        return true;
    }
    let message = if given < count {
        format!("macro \"{text}\" requires {count} arguments, but only {given} given")
    } else {
        format!("macro \"{text}\" passed {given} arguments, but takes just {count}")
    };
    pp.session.error(loc, message).note(definition.loc, format!("macro \"{text}\" defined here")).emit();
    false
}

/// Begins the expansion of the first argument from `from` on that needs it, in the top frame;
/// `false` if there is none.
fn next_argument(pp: &mut Preprocessor<'_>, from: usize) -> bool {
    let index = pp.frames.len() - 1;
    let frame = &mut pp.frames[index];
    let needs = &pp.macros.macros[frame.macro_id as usize].needs_expansion;
    for (current, (arg, &need)) in frame.args.iter().zip(needs).enumerate().skip(from) {
        let (start, end) = arg.tokens;
        // What contains no macro's name is its own expansion.
        let plain = |token: &Token| !token.is(TokenKind::Identifier) || pp.macros.slot(token.symbol()) == 0;
        if !need || frame.tokens[start..end].iter().all(plain) {
            continue;
        }
        frame.current = current;
        frame.args[current].expanded = (frame.expanded.len(), 0);
        let source = Source::Argument { frame: index, next: start, end };
        pp.contexts.push(Context { macro_id: 0, source });
        return true;
    }
    false
}

/// The argument under expansion has come to its end: goes on to the next, or replaces the
/// invocation. In that case the answer is the padding that stands for its name.
fn end_argument(pp: &mut Preprocessor<'_>) -> Option<Token> {
    pop_context(pp);
    let frame = pp.frames.last_mut()?;
    let current = frame.current;
    let end = frame.expanded.len();
    frame.args[current].expanded.1 = end;
    if next_argument(pp, current + 1) {
        return None;
    }
    let name = pp.frames.last()?.name;
    substitute_top(pp);
    if pp.state.in_directive && !pp.state.directive_wants_padding { None } else { Some(padding_for(name)) }
}

/// Replaces the invocation of the top frame by the macro's body with its parameters replaced, as a
/// new context.
fn substitute_top(pp: &mut Preprocessor<'_>) {
    let Some(mut frame) = pp.frames.pop() else { return };
    pp.pending_tokens -= frame.tokens.len();
    let id = frame.macro_id;
    let Some(tokens) = substitute(pp, &frame) else {
        let message = format!(
            "macro \"{}\" expands to more than {EXPANSION_TOKENS} tokens",
            pp.session.str(pp.macros.macros[id as usize].name)
        );
        return give_up(pp, frame.name, message);
    };
    if !count_tokens(pp, tokens.len() as u64, frame.name) {
        return;
    }
    pp.macros.macros[id as usize].disabled = true;
    pp.contexts.push(Context { macro_id: id, source: Source::Buffer { tokens, next: 0 } });
    push_pragmas(pp, &mut frame);
    recycle_frame(pp, frame);
}

/// `##`: joins `left`, just taken from the innermost context, with what follows it there, and puts
/// the result next.
fn paste_all(pp: &mut Preprocessor<'_>, left: Token) {
    let mut left = left;
    while let Some(right) = next_in_context(pp) {
        if right.is(TokenKind::Padding) {
            continue;
        }
        match paste(pp, left, right) {
            Some(result) => left = result,
            None => {
                back_up(pp, right);
                break;
            }
        }
        if !right.flags.has(TokenFlags::PASTE_LEFT) {
            break;
        }
    }
    left.flags = left.flags.without(TokenFlags::PASTE_LEFT);
    push_token(pp, left);
}
