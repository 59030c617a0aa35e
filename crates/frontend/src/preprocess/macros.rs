//! Macro definitions: the table, `#define`, `#undef`, and the definition's text for `-dD`.
//!
//! A symbol's slot says which macro it currently is; the macros themselves are only ever appended,
//! so that an expansion in progress, `#pragma push_macro` and `-dM` can refer to one by index
//! whatever happens to its name. The bodies lie one after the other in one vector.

use base::{Loc, Symbol, warning};

use super::Preprocessor;
use crate::lex::lexer::Lexer;
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// Index of a macro; 0 is none.
pub(super) type MacroId = u32;

/// A macro that is not defined by a list of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::enum_variant_names)]
pub(super) enum Builtin {
    File,
    FileName,
    BaseFile,
    Line,
    Date,
    Time,
    Timestamp,
    Counter,
    IncludeLevel,
    ReadsAvx512,
    HasInclude,
    HasIncludeNext,
    HasAttribute,
    HasCAttribute,
    HasBuiltin,
    HasEmbed,
    PragmaOperator,
}

impl Builtin {
    /// Whether it takes operands in parentheses.
    pub(super) fn is_operator(self) -> bool {
        use Builtin::*;
        matches!(
            self,
            HasInclude | HasIncludeNext | HasAttribute | HasCAttribute | HasBuiltin | HasEmbed | PragmaOperator
        )
    }
}

/// What a macro's slot stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MacroKind {
    Object,
    Function,
    /// Under `-traditional-cpp`: the body is text, and the lines are expanded before there are
    /// tokens.
    Text {
        function: bool,
    },
    Builtin(Builtin),
    /// No macro, but every use of the name is an error (`#pragma GCC poison`).
    Poisoned,
    /// `__VA_ARGS__` and `__VA_OPT__`: no macros, but misplaced outside variadic macros.
    VariadicName,
}

/// One definition.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    pub(super) kind: MacroKind,
    pub(super) params: Box<[Symbol]>,
    /// The last parameter takes all remaining arguments.
    pub(super) variadic: bool,
    /// Per parameter: some use needs the fully expanded argument.
    pub(super) needs_expansion: Box<[bool]>,
    pub(super) has_va_opt: bool,
    /// Nothing of the arguments gets into the expansion.
    pub(super) ignores_arguments: bool,
    /// Being expanded: the name is not expanded again.
    pub(super) disabled: bool,
    pub(super) used: bool,
    pub(super) system: bool,
    /// Range of the body in [`MacroTable::bodies`]; or [`UNREAD`].
    pub(super) body: (u32, u32),
    /// Where the name is in the definition.
    pub(super) loc: Loc,
    /// Where the first token of the body is, or the text of one that is not read yet; and how many
    /// positions the body takes.
    pub(super) body_loc: Loc,
    pub(super) body_length: u32,
}

impl Macro {
    /// An object-like macro without a body.
    pub(super) fn object(name: Symbol) -> Macro {
        blank(name, MacroKind::Object, Loc::NONE)
    }
}

/// A body that is read when it is used: most macros of a header never are.
pub(super) const UNREAD: (u32, u32) = (u32::MAX, u32::MAX);

/// All macros.
pub(super) struct MacroTable {
    slots: Vec<MacroId>,
    pub(super) macros: Vec<Macro>,
    pub(super) bodies: Vec<Token>,
    /// Some name is poisoned.
    pub(super) any_poisoned: bool,
    pushed: rustc_hash::FxHashMap<Symbol, Vec<MacroId>>,
}

impl MacroTable {
    pub(super) fn new() -> MacroTable {
        let mut table = MacroTable {
            slots: vec![0; 1 << 12],
            // The predefined macros and those of a few headers.
            macros: Vec::with_capacity(1 << 11),
            bodies: Vec::with_capacity(1 << 12),
            any_poisoned: false,
            pushed: Default::default(),
        };
        // Index 0 means "no macro".
        table.macros.push(blank(names::EMPTY, MacroKind::Object, Loc::NONE));
        table
    }

    /// What the name currently is, including poisoned and special names; 0 for nothing.
    #[inline]
    pub(super) fn slot(&self, name: Symbol) -> MacroId {
        self.slots.get(name.index()).copied().unwrap_or(0)
    }

    /// The macro the name is, if it is defined.
    pub(super) fn defined(&self, name: Symbol) -> Option<MacroId> {
        let id = self.slot(name);
        let special = matches!(self.macros[id as usize].kind, MacroKind::Poisoned | MacroKind::VariadicName);
        (id != 0 && !special).then_some(id)
    }

    pub(super) fn set_slot(&mut self, name: Symbol, id: MacroId) {
        if self.slots.len() <= name.index() {
            self.slots.resize((name.index() + 1).next_power_of_two(), 0);
        }
        self.slots[name.index()] = id;
    }

    pub(super) fn add(&mut self, definition: Macro) -> MacroId {
        self.macros.push(definition);
        self.macros.len() as MacroId - 1
    }

    pub(super) fn add_builtin(&mut self, name: Symbol, builtin: Builtin) {
        let id = self.add(blank(name, MacroKind::Builtin(builtin), Loc::NONE));
        self.set_slot(name, id);
    }

    pub(super) fn add_special(&mut self, name: Symbol, kind: MacroKind) {
        self.any_poisoned |= kind == MacroKind::Poisoned;
        let id = self.add(blank(name, kind, Loc::NONE));
        self.set_slot(name, id);
    }

    pub(super) fn body(&self, id: MacroId) -> &[Token] {
        let (start, end) = self.macros[id as usize].body;
        &self.bodies[start as usize..end as usize]
    }

    /// `#pragma push_macro`
    pub(super) fn push(&mut self, name: Symbol) {
        let id = self.slot(name);
        self.pushed.entry(name).or_default().push(id);
    }

    /// `#pragma pop_macro`; whether there was something to go back to.
    pub(super) fn pop(&mut self, name: Symbol) -> bool {
        let pushed = self.pushed.get_mut(&name).and_then(Vec::pop);
        if let Some(id) = pushed {
            self.set_slot(name, id);
        }
        pushed.is_some()
    }

    /// The macros in force, in order of definition.
    pub(super) fn current(&self) -> impl Iterator<Item = MacroId> {
        (1..self.macros.len() as MacroId).filter(|&id| {
            let definition = &self.macros[id as usize];
            self.slot(definition.name) == id
                && matches!(definition.kind, MacroKind::Object | MacroKind::Function | MacroKind::Text { .. })
        })
    }
}

fn blank(name: Symbol, kind: MacroKind, loc: Loc) -> Macro {
    Macro {
        name,
        kind,
        params: Box::default(),
        variadic: false,
        needs_expansion: Box::default(),
        has_va_opt: false,
        ignores_arguments: false,
        disabled: false,
        used: false,
        system: false,
        body: (0, 0),
        loc,
        body_loc: loc,
        body_length: 0,
    }
}

/// Reads the name after `#define`, `#undef`, `#ifdef`, ...; reports its absence or unfitness.
pub(super) fn macro_name(pp: &mut Preprocessor<'_>, directive: &str, defining: bool) -> Option<Token> {
    let token = pp.raw_token();
    match token.kind {
        TokenKind::Identifier => {
            let name = token.symbol();
            let reserved = name == names::DEFINED
                || matches!(name, names::HAS_INCLUDE | names::HAS_INCLUDE_NEXT | names::HAS_EMBED);
            if defining && reserved {
                let message = format!("\"{}\" cannot be used as a macro name", pp.session.str(name));
                pp.session.error(token.loc, message).emit();
                return None;
            }
            if super::expand::reject_special_name(pp, token) { None } else { Some(token) }
        }
        TokenKind::EndOfDirective => {
            pp.session.error(token.loc, format!("no macro name given in #{directive} directive")).emit();
            None
        }
        _ => {
            pp.session.error(token.loc, "macro names must be identifiers").emit();
            None
        }
    }
}

/// `#define`, after the directive's name.
pub(super) fn define(pp: &mut Preprocessor<'_>) {
    let Some(name) = macro_name(pp, "define", true) else { return };
    if let Some(definition) = definition(pp, name) {
        install(pp, name, definition);
    }
}

/// `#define` that preprocessed text has kept (`-dD`), after the directive's name: for debug
/// information only.
pub(super) fn remember(pp: &mut Preprocessor<'_>) {
    if pp.session.macros.is_on()
        && let Some(name) = macro_name(pp, "define", true)
        && let Some(definition) = definition(pp, name)
    {
        let id = pp.macros.add(definition);
        super::macro_log::defined(pp, id);
    }
}

/// `#undef` of the same kind.
pub(super) fn remember_undefined(pp: &mut Preprocessor<'_>) {
    if pp.session.macros.is_on()
        && let Some(name) = macro_name(pp, "undef", true)
    {
        super::macro_log::undefined(pp, name);
    }
}

/// Enters a parsed definition, with the warnings about redefinition.
fn install(pp: &mut Preprocessor<'_>, name: Token, definition: Macro) {
    let symbol = name.symbol();
    if let Some(old) = pp.macros.defined(symbol) {
        read_body(pp, old);
        warn_of_redefinition(pp, name, old, &definition);
    }
    let id = pp.macros.add(definition);
    pp.macros.set_slot(symbol, id);
    super::output::macro_defined(pp, id);
    super::macro_log::defined(pp, id);
}

/// A predefined macro, whose `#define` was just passed. Whether it is an object-like macro that was
/// not defined before.
pub(super) fn define_later(pp: &mut Preprocessor<'_>) -> bool {
    let (text, at) = pp.buf.lexer.raw();
    let Some(rest) = text.get(at + 1..) else { return false };
    let length = rest.iter().take_while(|&&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count();
    let Some(newline) = memchr::memchr(b'\n', rest) else { return false };
    if rest.get(length) != Some(&b' ') || memchr::memchr2(b'\\', b'#', &rest[length..newline]).is_some() {
        return false;
    }
    let name = pp.session.interner.intern_bytes(&rest[..length]);
    if pp.macros.slot(name) != 0 {
        return false;
    }
    let mut definition = blank(name, MacroKind::Object, pp.buf.lexer.base().offset(at as u32 + 1));
    definition.system = true;
    definition.body = UNREAD;
    definition.body_loc = pp.buf.lexer.base().offset((at + 1 + length) as u32);
    pp.buf.lexer.set_offset(at + 1 + newline + 1);
    let id = pp.macros.add(definition);
    pp.macros.set_slot(name, id);
    super::output::macro_defined(pp, id);
    super::macro_log::defined(pp, id);
    true
}

/// Reads the body of a macro, if that has not happened.
pub(super) fn read_body(pp: &mut Preprocessor<'_>, id: MacroId) {
    if pp.macros.macros[id as usize].body != UNREAD {
        return;
    }
    let mut definition = std::mem::replace(&mut pp.macros.macros[id as usize], Macro::object(names::EMPTY));
    let mut bodies = std::mem::take(&mut pp.macros.bodies);
    let start = bodies.len();
    append_unread(pp, &definition, &mut bodies);
    pp.macros.bodies = bodies;
    finish_body(pp, &mut definition, start);
    pp.macros.macros[id as usize] = definition;
}

/// Appends the tokens of a body that is not read yet.
fn append_unread(pp: &Preprocessor<'_>, definition: &Macro, out: &mut Vec<Token>) {
    let at = definition.body_loc;
    let found = pp.session.sources.data().source_of(at);
    let Some((source, base)) = found else { base::bug!("a macro's body is in no file") };
    let text = (pp.session.sources.bytes(source), base);
    let mut lexer = Lexer::again(pp.session, text, pp.switches, (at.0 - base.0) as usize);
    loop {
        let token = lexer.next();
        if matches!(token.kind, TokenKind::EndOfDirective | TokenKind::Eof) {
            break;
        }
        out.push(parameter_of(definition, token).unwrap_or(token));
    }
}

/// A parameter's name in the body, as the token that stands for it.
fn parameter_of(definition: &Macro, token: Token) -> Option<Token> {
    if !token.is(TokenKind::Identifier) {
        return None;
    }
    let index = definition.params.iter().position(|&name| name == token.symbol())?;
    Some(Token { kind: TokenKind::Parameter, payload: index as u32, ..token })
}

fn warn_of_redefinition(pp: &Preprocessor<'_>, name: Token, old: MacroId, new: &Macro) {
    let before = &pp.macros.macros[old as usize];
    let text = pp.session.str(before.name);
    if matches!(before.kind, MacroKind::Builtin(_)) {
        let message = format!("\"{text}\" redefined");
        if may_be_replaced(text) {
            pp.session.pedwarn(warning::BUILTIN_MACRO_REDEFINED, name.loc, message).emit();
        } else {
            pp.session.pedwarn_always(name.loc, message).emit();
        }
        return;
    }
    if same_definition(pp, before, new) {
        return;
    }
    let message = format!("\"{text}\" redefined");
    let note = "this is the location of the previous definition";
    let builder = pp.session.pedwarn_always(name.loc, message);
    if !pp.session.sources.in_system_header(name.loc) {
        builder.note(before.loc, note).emit();
    }
}

/// The builtin macros that a reproducible build may want to set, with
/// `-Wno-builtin-macro-redefined`.
fn may_be_replaced(name: &str) -> bool {
    matches!(name, "__TIMESTAMP__" | "__TIME__" | "__DATE__" | "__FILE__" | "__BASE_FILE__")
}

/// Whether two definitions are the same in the sense of C23 6.10.4.
fn same_definition(pp: &Preprocessor<'_>, a: &Macro, b: &Macro) -> bool {
    let body = |m: &Macro| &pp.macros.bodies[m.body.0 as usize..m.body.1 as usize];
    let layout = TokenFlags::LEADING_SPACE.with(TokenFlags::PASTE_LEFT).with(TokenFlags::STRINGIFY);
    let layout = layout.with(TokenFlags::DIGRAPH);
    a.kind == b.kind
        && a.variadic == b.variadic
        && a.params == b.params
        && body(a).len() == body(b).len()
        && body(a)
            .iter()
            .zip(body(b))
            .all(|(x, y)| x.kind == y.kind && x.payload == y.payload && x.flags.0 & layout.0 == y.flags.0 & layout.0)
}

/// `#undef`, after the directive's name.
pub(super) fn undefine(pp: &mut Preprocessor<'_>) {
    let Some(name) = macro_name(pp, "undef", true) else { return };
    if let Some(id) = pp.macros.defined(name.symbol()) {
        if matches!(pp.macros.macros[id as usize].kind, MacroKind::Builtin(_)) {
            let text = pp.session.str(name.symbol());
            let message = format!("undefining \"{text}\"");
            if may_be_replaced(text) {
                pp.session.warn(warning::BUILTIN_MACRO_REDEFINED, name.loc, message).emit();
            } else {
                pp.session.warn_always(name.loc, message).emit();
            }
        }
        if !pp.macros.macros[id as usize].used {
            warn_if_in_main_file(pp, id);
        }
        pp.macros.set_slot(name.symbol(), 0);
    }
    super::output::macro_undefined(pp, name);
    super::macro_log::undefined(pp, name);
    super::directives::expect_end(pp, "undef");
}

/// Parses parameters and body, after the name.
fn definition(pp: &mut Preprocessor<'_>, name: Token) -> Option<Macro> {
    let mut definition = blank(name.symbol(), MacroKind::Object, name.loc);
    definition.system = pp.buf.system;
    // Nobody wants to see definitions, or to compare this one.
    let in_file = pp.contexts.is_empty() && pp.lookahead.is_empty();
    let later = in_file
        && pp.printer.is_none()
        && !pp.session.macros.is_on()
        && !pp.macros.any_poisoned
        && pp.macros.slot(name.symbol()) == 0;
    let (text, at) = pp.buf.lexer.raw();
    if later && matches!(text[at], b' ' | b'\t') && pass_body(pp, &mut definition) {
        return Some(definition);
    }
    let mut first = pp.raw_token();
    if first.is(TokenKind::LeftParen) && !first.flags.has(TokenFlags::LEADING_SPACE) {
        definition.kind = MacroKind::Function;
        parameters(pp, &mut definition)?;
        if later && pass_body(pp, &mut definition) {
            return Some(definition);
        }
        first = pp.raw_token();
    } else if !first.is(TokenKind::EndOfDirective) && !first.flags.has(TokenFlags::LEADING_SPACE) {
        pp.session.pedwarn(warning::PEDANTIC, first.loc, "ISO C99 requires whitespace after the macro name").emit();
    }
    let comments = pp.options.output.as_ref().is_some_and(|output| output.keep_macro_comments);
    pp.buf.lexer.keep_in_directive = comments;
    let before = std::mem::replace(&mut pp.state.va_args_ok, definition.variadic);
    let start = pp.macros.bodies.len();
    let ok = body(pp, &mut definition, first);
    pp.state.va_args_ok = before;
    if !ok {
        pp.macros.bodies.truncate(start);
        return None;
    }
    finish_body(pp, &mut definition, start);
    Some(definition)
}

/// Leaves a body to be read later, if it is one of those that may.
fn pass_body(pp: &mut Preprocessor<'_>, definition: &mut Macro) -> bool {
    let Some(at) = pp.buf.lexer.pass_body() else { return false };
    definition.body = UNREAD;
    definition.body_loc = pp.buf.lexer.base().offset(at as u32);
    true
}

fn parameters(pp: &mut Preprocessor<'_>, definition: &mut Macro) -> Option<()> {
    let mut params: Vec<Symbol> = Vec::new();
    loop {
        let token = pp.raw_token();
        match token.kind {
            TokenKind::RightParen if params.is_empty() => break,
            TokenKind::Identifier if token.symbol() == names::VA_ARGS => {
                super::expand::reject_special_name(pp, token);
                return None;
            }
            TokenKind::Identifier => {
                if params.contains(&token.symbol()) {
                    let message = format!("duplicate macro parameter \"{}\"", pp.session.str(token.symbol()));
                    pp.session.error(token.loc, message).emit();
                    return None;
                }
                params.push(token.symbol());
            }
            TokenKind::Ellipsis => {
                params.push(names::VA_ARGS);
                definition.variadic = true;
                let standard = &pp.options.dialect;
                if standard.standard < crate::lex::Standard::C99 && !definition.system {
                    let text = "anonymous variadic macros were introduced in C99";
                    pp.session.pedwarn(warning::VARIADIC_MACROS, token.loc, text).emit();
                }
            }
            TokenKind::EndOfDirective => {
                pp.session.error(token.loc, "expected parameter name before end of line").emit();
                return None;
            }
            _ => {
                let message = format!("expected parameter name, found \"{}\"", pp.spelling(token));
                pp.session.error(token.loc, message).emit();
                return None;
            }
        }
        let mut next = pp.raw_token();
        if next.is(TokenKind::Ellipsis) && !definition.variadic {
            definition.variadic = true;
            let text = "ISO C does not permit named variadic macros";
            pp.session.pedwarn(warning::VARIADIC_MACROS, next.loc, text).emit();
            next = pp.raw_token();
        }
        match next.kind {
            TokenKind::RightParen => break,
            TokenKind::Comma if !definition.variadic => {}
            TokenKind::EndOfDirective => {
                pp.session.error(next.loc, "expected ')' before end of line").emit();
                return None;
            }
            _ => {
                let message = if definition.variadic {
                    "expected ')' after \"...\"".to_owned()
                } else {
                    format!("expected ',' or ')', found \"{}\"", pp.spelling(next))
                };
                pp.session.error(next.loc, message).emit();
                return None;
            }
        }
    }
    definition.params = params.into_boxed_slice();
    Some(())
}

const PASTE_AT_END: &str = "'##' cannot appear at either end of a macro expansion";

/// Appends the body to the table. Errors are reported and answered with `false`.
fn body(pp: &mut Preprocessor<'_>, definition: &mut Macro, first: Token) -> bool {
    let function = definition.kind == MacroKind::Function;
    let start = pp.macros.bodies.len();
    let mut after_paste = false;
    let mut hash: Option<Token> = None;
    let mut va_opt = VaOptCheck::default();
    let mut token = first;
    while !token.is(TokenKind::EndOfDirective) {
        if token.is(TokenKind::Identifier) && function {
            if let Some(parameter) = parameter_of(definition, token) {
                token = parameter;
            } else if token.symbol() == names::VA_OPT && definition.variadic {
                definition.has_va_opt = true;
            }
        }
        if token.is(TokenKind::Identifier) && pp.macros.slot(token.symbol()) != 0 {
            super::expand::reject_special_name(pp, token);
        }
        if !va_opt.check(pp, definition, token) {
            return false;
        }
        let stringifiable = token.is(TokenKind::Parameter) || is_va_opt(definition, token);
        if let Some(hash) = hash.take() {
            if stringifiable {
                let white = hash.flags.has(TokenFlags::LEADING_SPACE);
                token.flags = token.flags.without(TokenFlags::LEADING_SPACE).with(TokenFlags::STRINGIFY);
                if white {
                    token.flags = token.flags.with(TokenFlags::LEADING_SPACE);
                }
            } else if pp.options.dialect.assembler {
                pp.macros.bodies.push(hash);
            } else {
                pp.session.error(token.loc, "'#' is not followed by a macro parameter").emit();
                return false;
            }
        }
        match token.kind {
            TokenKind::Hash if function => hash = Some(token),
            TokenKind::HashHash => {
                if pp.macros.bodies.len() == start {
                    pp.session.error(token.loc, PASTE_AT_END).emit();
                    return false;
                }
                if let Some(last) = pp.macros.bodies.last_mut() {
                    last.flags = last.flags.with(TokenFlags::PASTE_LEFT);
                }
                after_paste = true;
                token = pp.raw_token();
                continue;
            }
            _ => pp.macros.bodies.push(token),
        }
        after_paste = false;
        token = pp.raw_token();
    }
    if let Some(hash) = hash {
        if !pp.options.dialect.assembler {
            pp.session.error(token.loc, "'#' is not followed by a macro parameter").emit();
            return false;
        }
        pp.macros.bodies.push(hash);
    }
    if after_paste {
        pp.session.error(token.loc, PASTE_AT_END).emit();
        return false;
    }
    va_opt.finish(pp, token)
}

fn is_va_opt(definition: &Macro, token: Token) -> bool {
    definition.variadic && token.is(TokenKind::Identifier) && token.symbol() == names::VA_OPT
}

/// The constraints on `__VA_OPT__` (C23 6.10.5.1) within one body.
#[derive(Default)]
struct VaOptCheck {
    /// 0 outside, 1 before the parenthesis, 2 right after it, otherwise inside.
    stage: u8,
    depth: u32,
    loc: Loc,
    last_paste: bool,
}

impl VaOptCheck {
    fn check(&mut self, pp: &Preprocessor<'_>, definition: &Macro, token: Token) -> bool {
        let error = |loc, text: &str| {
            pp.session.error(loc, text).emit();
            false
        };
        if is_va_opt(definition, token) {
            if self.stage > 0 {
                return error(token.loc, "__VA_OPT__ may not appear in a __VA_OPT__");
            }
            (self.stage, self.loc) = (1, token.loc);
            return true;
        }
        match (self.stage, token.kind) {
            (0, _) => return true,
            (1, TokenKind::LeftParen) => (self.stage, self.depth) = (2, 0),
            (1, _) => return error(self.loc, "__VA_OPT__ must be followed by an open parenthesis"),
            (2, TokenKind::HashHash) => {
                return error(token.loc, "'##' cannot appear at either end of __VA_OPT__");
            }
            (_, TokenKind::LeftParen) => (self.stage, self.depth) = (3, self.depth + 1),
            (_, TokenKind::RightParen) if self.depth > 0 => self.depth -= 1,
            (_, TokenKind::RightParen) if self.last_paste => {
                return error(token.loc, "'##' cannot appear at either end of __VA_OPT__");
            }
            (_, TokenKind::RightParen) => self.stage = 0,
            _ => self.stage = 3,
        }
        self.last_paste = token.is(TokenKind::HashHash);
        true
    }

    fn finish(&self, pp: &Preprocessor<'_>, _end: Token) -> bool {
        if self.stage == 0 {
            return true;
        }
        pp.session.error(self.loc, "unterminated __VA_OPT__").emit();
        false
    }
}

/// Computes what expansion wants to know of a body.
fn finish_body(pp: &mut Preprocessor<'_>, definition: &mut Macro, start: usize) {
    let body = &mut pp.macros.bodies[start..];
    if let Some(first) = body.first_mut() {
        first.flags = first.flags.without(TokenFlags::LEADING_SPACE);
    }
    let mut needs = vec![false; definition.params.len()];
    let mut after_paste = false;
    for token in body.iter_mut() {
        token.flags = token.flags.without(TokenFlags::START_OF_LINE);
        let pasted = after_paste || token.flags.has(TokenFlags::PASTE_LEFT);
        if token.is(TokenKind::Parameter) && !pasted && !token.flags.has(TokenFlags::STRINGIFY) {
            needs[token.payload as usize] = true;
        }
        after_paste = token.flags.has(TokenFlags::PASTE_LEFT);
    }
    if definition.has_va_opt
        && let Some(last) = needs.last_mut()
    {
        *last = true;
    }
    if let (Some(first), Some(last)) = (body.first(), body.last()) {
        definition.body_loc = first.loc;
        definition.body_length = last.loc.0 - first.loc.0 + 1;
    }
    definition.needs_expansion = needs.into_boxed_slice();
    definition.ignores_arguments = !definition.params.is_empty()
        && !definition.has_va_opt
        && !body.iter().any(|token| token.is(TokenKind::Parameter));
    definition.body = (start as u32, pp.macros.bodies.len() as u32);
}

/// `-Wunused-macros`: reports the macros of the main file, just read, that were neither expanded
/// nor tested.
pub(super) fn warn_unused(pp: &Preprocessor<'_>) {
    if !pp.session.warning_enabled(warning::UNUSED_MACROS, pp.buf.lexer.base()) {
        return;
    }
    for id in pp.macros.current() {
        if !pp.macros.macros[id as usize].used {
            warn_if_in_main_file(pp, id);
        }
    }
}

fn warn_if_in_main_file(pp: &Preprocessor<'_>, id: MacroId) {
    let definition = &pp.macros.macros[id as usize];
    let (start, end) = (pp.buf.lexer.base(), pp.buf.lexer.loc());
    if pp.outer.is_empty() && start <= definition.loc && definition.loc < end {
        let message = format!("macro \"{}\" is not used", pp.session.str(definition.name));
        pp.session.warn(warning::UNUSED_MACROS, definition.loc, message).emit();
    }
}

/// The text of a definition after `#define `, spaced as gcc prints it under `-dD` and `-dM`.
pub(super) fn definition_text(pp: &Preprocessor<'_>, id: MacroId, name_only: bool) -> Vec<u8> {
    let definition = &pp.macros.macros[id as usize];
    let mut out = pp.session.interner.resolve_bytes(definition.name).to_vec();
    if name_only {
        return out;
    }
    if matches!(definition.kind, MacroKind::Text { .. }) {
        return super::traditional::definition_text(pp, id);
    }
    if definition.kind == MacroKind::Function {
        out.push(b'(');
        for (index, &param) in definition.params.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            let last = index + 1 == definition.params.len();
            if param != names::VA_ARGS {
                out.extend_from_slice(pp.session.interner.resolve_bytes(param));
            }
            if last && definition.variadic {
                out.extend_from_slice(b"...");
            }
        }
        out.push(b')');
    }
    out.push(b' ');
    let mut unread = Vec::new();
    let body = match definition.body == UNREAD {
        true => {
            append_unread(pp, definition, &mut unread);
            if let Some(first) = unread.first_mut() {
                first.flags = first.flags.without(TokenFlags::LEADING_SPACE);
            }
            &unread
        }
        false => pp.macros.body(id),
    };
    for token in body {
        if token.flags.has(TokenFlags::LEADING_SPACE) {
            out.push(b' ');
        }
        if token.flags.has(TokenFlags::STRINGIFY) {
            out.push(b'#');
        }
        if token.is(TokenKind::Parameter) {
            out.extend_from_slice(pp.session.interner.resolve_bytes(definition.params[token.payload as usize]));
        } else {
            pp.spell(*token, &mut out);
        }
        if token.flags.has(TokenFlags::PASTE_LEFT) {
            out.extend_from_slice(b" ##");
        }
    }
    out
}
