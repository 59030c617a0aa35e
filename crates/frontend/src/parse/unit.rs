//! translation-unit (C23 6.9): the loop over external declarations, and the streaming of what they
//! define.

use base::{Loc, Session, Symbol};
use bumpalo::Bump;
use platform::options::Options;

use super::{Parser, TokenSource, Tokens, declarations, pragmas, unit_helpers, vector_variants};
use crate::lex::TokenKind;
use crate::sema::{Sema, State, declarations as sema, functions, lints};
use crate::tree::{AttrFlags, Consumer, DeclFlags, DeclId, FunctionDef, StaticInit, UnitContext};

/// Something an external declaration defines.
#[derive(Clone, Copy)]
pub enum External<'a> {
    /// A function.
    Function(&'a FunctionDef<'a>),
    /// An initialised variable.
    Variable(DeclId, StaticInit<'a>),
    /// `asm` at file scope.
    Asm(&'a [u8], Loc),
}

/// What is finished and has not been handed over yet.
enum Waiting<'a, 'u> {
    /// A function that is lowered only if something refers to it.
    Inline(&'u FunctionDef<'u>),
    Other(External<'a>),
}

/// Bytes of trees that are made before what they define is handed over. Parsing and code generation
/// have many times as much code as the first-level cache holds, and each puts the other's out of
/// it: taking turns after every function costs a tenth of the time of sqlite3.c at `-O0`.
const BATCH: usize = 128 << 10;
/// Bytes of the block that holds them and as a rule the function that goes beyond: blocks that
/// double until a batch fits have twice as much together.
const BLOCK: usize = 192 << 10;

/// Bytes in use, and what was too small for the next block.
fn used(arena: &Bump) -> usize {
    arena.allocated_bytes() - arena.chunk_capacity()
}

/// A consumer that drops everything: `-fsyntax-only`.
pub struct CheckOnly;

impl<'u> Consumer<'u> for CheckOnly {
    fn function(&mut self, _: &mut UnitContext<'_>, _: &FunctionDef<'_>) {}
    fn inline_function(&mut self, _: &mut UnitContext<'_>, _: &'u FunctionDef<'u>) {}
    fn variable(&mut self, _: &mut UnitContext<'_>, _: DeclId, _: Option<&StaticInit<'_>>) {}
    fn file_asm(&mut self, _: &mut UnitContext<'_>, _: &[u8], _: Loc) {}
    fn finish(&mut self, _: &mut UnitContext<'_>) {}
}

/// Parses a translation unit and hands its definitions to `consumer`, in batches: each order is the
/// source's. `arena` holds the inline functions' trees; all others are freed after each batch.
/// Errors are in `sess`; from the first on nothing more is handed over.
///
/// Deeply nested input needs a deep stack: see `-fbracket-depth=`.
pub fn translation_unit<'u>(
    source: &mut dyn TokenSource,
    sess: &Session,
    options: &Options,
    arena: &'u Bump,
    consumer: &mut dyn Consumer<'u>,
) {
    let mut helpers = unit_helpers::Text::bit_int(sess);
    let mut helpers = Some(&mut helpers);
    let mut state = State::new(sess, options);
    let mut tokens = Box::new(Tokens::new(source));
    let mut scratch = Bump::with_capacity(BLOCK);
    let first = tokens.current;
    if first.kind == TokenKind::Eof && !sess.diag.has_errors() {
        sess.pedwarn(base::warning::PEDANTIC, first.loc, "ISO C forbids an empty translation unit").emit();
    }
    while tokens.current.kind != TokenKind::Eof {
        let mut waiting: Vec<Waiting<'_, 'u>> = Vec::new();
        while tokens.current.kind != TokenKind::Eof && used(&scratch) < BATCH {
            if tokens.current.kind == TokenKind::Pragma {
                let mut p = Parser::new(state, tokens, &scratch);
                pragmas::pragma(&mut p);
                (state, tokens, _) = p.into_parts();
            } else if may_be_kept(&mut tokens, &state) {
                let mut p = Parser::new(state, tokens, arena);
                declarations::external_declaration(&mut p);
                let finished = std::mem::take(&mut p.finished);
                waiting.extend(finished.into_iter().map(|external| match external {
                    External::Function(def) if functions::is_deferrable(&p.cx, def.decl) => Waiting::Inline(def),
                    external => Waiting::Other(external),
                }));
                (state, tokens, _) = p.into_parts();
                state = with_helpers(state, &mut helpers, arena, consumer);
            } else {
                let mut p = Parser::new(state, tokens, &scratch);
                declarations::external_declaration(&mut p);
                let finished;
                (state, tokens, finished) = p.into_parts();
                waiting.extend(finished.into_iter().map(Waiting::Other));
                state = with_helpers(state, &mut helpers, arena, consumer);
            }
        }
        for external in waiting {
            match external {
                Waiting::Inline(def) => deliver_inline(&mut state, consumer, def),
                Waiting::Other(external) => deliver(&mut state, consumer, external),
            }
        }
        scratch.reset();
    }
    let variants = if sess.diag.has_errors() { String::new() } else { vector_variants::text(&mut state) };
    let mut variants = unit_helpers::Text::vector_variants(sess, variants);
    state = with_variants(state, &mut variants, &scratch, consumer);
    finish(state, &scratch, consumer);
}

/// Parses the text of [`vector_variants`], if there is any.
fn with_variants<'x, 'u>(
    mut state: Box<State<'x>>,
    text: &'x mut unit_helpers::Text<'x>,
    scratch: &Bump,
    consumer: &mut dyn Consumer<'u>,
) -> Box<State<'x>> {
    if text.is_empty() {
        return state;
    }
    let mut tokens = Box::new(Tokens::new(text));
    while tokens.current.kind != TokenKind::Eof {
        let mut p = Parser::new(state, tokens, scratch);
        declarations::external_declaration(&mut p);
        let finished;
        (state, tokens, finished) = p.into_parts();
        for external in finished {
            if let External::Function(def) = external {
                note_helper(&mut state, def.decl);
            }
            deliver(&mut state, consumer, external);
        }
    }
    state
}

/// A function of a text that is not the program's.
fn note_helper(state: &mut State<'_>, decl: DeclId) {
    if let Some(name) = state.unit.decls[decl].name {
        let name = state.sess.str(name).into();
        state.unit.helpers.insert(name, decl);
    }
    let attrs = state.unit.attrs_mut(decl);
    attrs.flags = attrs.flags.with(AttrFlags::NO_INSTRUMENT);
}

/// Parses the text of [`unit_helpers`] if the unit needs it by now.
fn with_helpers<'x, 'u>(
    mut state: Box<State<'x>>,
    text: &mut Option<&'x mut unit_helpers::Text<'x>>,
    arena: &'u Bump,
    consumer: &mut dyn Consumer<'u>,
) -> Box<State<'x>> {
    if !state.unit.types.has_wide_bit_int || state.sess.diag.has_errors() {
        return state;
    }
    let Some(text) = text.take() else { return state };
    let mut tokens = Box::new(Tokens::new(text));
    while tokens.current.kind != TokenKind::Eof {
        let mut p = Parser::new(state, tokens, arena);
        declarations::external_declaration(&mut p);
        let finished;
        (state, tokens, finished) = p.into_parts();
        for external in finished {
            let External::Function(def) = external else { continue };
            note_helper(&mut state, def.decl);
            deliver_inline(&mut state, consumer, def);
        }
    }
    state
}

/// How far to look for `inline` before the declarator's parameters.
const INLINE_LOOKAHEAD: usize = 48;

/// The external declaration may define a function that is lowered only if something refers to it
/// later: one that says `inline` or `always_inline`, or, where unused ones are left out, a `static`
/// one that nothing has named yet. Its tree must live as long as the unit. Decided from the tokens
/// before the first parenthesis that is not an attribute's.
fn may_be_kept(tokens: &mut Tokens<'_>, state: &State<'_>) -> bool {
    let mut token = tokens.current;
    let mut level = 0u32;
    let mut after_attribute = false;
    let (mut is_static, mut name) = (false, None);
    for distance in 0..INLINE_LOOKAHEAD {
        match token.kind {
            TokenKind::KwInline => return true,
            TokenKind::KwStatic => is_static = true,
            TokenKind::Identifier if level > 0 => {
                if state.sess.str(token.symbol()).contains("always_inline") {
                    return true;
                }
            }
            TokenKind::Identifier => name = Some(token.symbol()),
            TokenKind::LeftParen if level == 0 && !after_attribute => {
                return is_static && !state.options.keep_static_functions() && !is_referenced(state, name);
            }
            TokenKind::LeftParen => level += 1,
            TokenKind::RightParen => level = level.saturating_sub(1),
            TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::Equal | TokenKind::Eof => return false,
            _ => {}
        }
        after_attribute =
            matches!(token.kind, TokenKind::KwAttribute | TokenKind::KwTypeof | TokenKind::KwAlignas) || level > 0;
        token = tokens.peek(distance);
    }
    false
}

fn is_referenced(state: &State<'_>, name: Option<Symbol>) -> bool {
    let decl = name.and_then(|name| state.linked.get(&name));
    decl.is_some_and(|&decl| state.unit.decls[decl].flags.has(DeclFlags::REFERENCED))
}

/// Runs `f` with the view of the unit that consumers get, unless there are errors.
fn with_context(state: &mut State<'_>, f: impl FnOnce(&mut UnitContext<'_>)) {
    if state.sess.diag.has_errors() {
        return;
    }
    let mut cx = UnitContext { unit: &mut state.unit, session: state.sess, options: state.options };
    f(&mut cx);
}

fn deliver<'u>(state: &mut State<'_>, consumer: &mut dyn Consumer<'u>, external: External<'_>) {
    with_context(state, |cx| match external {
        External::Function(def) => consumer.function(cx, def),
        External::Variable(decl, init) => consumer.variable(cx, decl, Some(&init)),
        External::Asm(text, loc) => consumer.file_asm(cx, text, loc),
    });
}

fn deliver_inline<'u>(state: &mut State<'_>, consumer: &mut dyn Consumer<'u>, def: &'u FunctionDef<'u>) {
    with_context(state, |cx| consumer.inline_function(cx, def));
}

/// The end of the unit: tentative definitions, checks of what was declared, `finish`.
fn finish<'u>(state: Box<State<'_>>, scratch: &Bump, consumer: &mut dyn Consumer<'u>) {
    let mut cx = Sema::new(state, scratch);
    let tentative = sema::finish_tentative(&mut cx);
    lints::unit_finished(&mut cx);
    let mut state = cx.state;
    for decl in tentative {
        with_context(&mut state, |cx| consumer.variable(cx, decl, None));
    }
    with_context(&mut state, |cx| consumer.finish(cx));
}
