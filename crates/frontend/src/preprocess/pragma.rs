//! `#pragma` and `_Pragma`.
//!
//! What concerns preprocessing and diagnostics is obeyed here. What concerns the parser is passed
//! on as a `Pragma` token, the tokens of the line, and a `PragmaEnd`. Under `-E` all but the
//! preprocessor's own are passed on, to be printed.

use base::{Loc, Severity, WarningId, warning};

use super::builtins::Expansion;
use super::{Preprocessor, contexts, expand, include, macros, precompiled};
use crate::lex::encoding::Encoding;
use crate::lex::lexer::{Lexer, LineComments};
use crate::lex::literals::{decode_string, literal_parts};
use crate::lex::{Token, TokenFlags, TokenKind, names};
use base::source_map::SourceText;

/// What a [`TokenKind::Pragma`] token announces. The tokens that follow the name follow it, then
/// `PragmaEnd`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum PragmaKind {
    /// `#pragma pack`
    Pack,
    /// `#pragma weak`
    Weak,
    /// `#pragma redefine_extname`, macro-expanded
    RedefineExtname,
    /// `#pragma GCC visibility`
    Visibility,
    /// `#pragma GCC push_options`
    PushOptions,
    /// `#pragma GCC pop_options`
    PopOptions,
    /// `#pragma GCC reset_options`
    ResetOptions,
    /// `#pragma GCC optimize`
    Optimize,
    /// `#pragma GCC target`
    Target,
    /// `#pragma GCC ivdep`
    Ivdep,
    /// `#pragma GCC unroll`
    Unroll,
    /// `#pragma omp`, macro-expanded
    Omp,
    /// `#pragma scalar_storage_order`, macro-expanded
    ScalarStorageOrder,
    /// `#pragma STDC FP_CONTRACT`
    StdcFpContract,
    /// `#pragma STDC FENV_ACCESS`
    StdcFenvAccess,
    /// `#pragma STDC CX_LIMITED_RANGE`
    StdcCxLimitedRange,
    /// `#pragma STDC FLOAT_CONST_DECIMAL64`
    StdcFloatConstDecimal64,
    /// Only under `-E`: the whole line follows, to be printed.
    Verbatim,
}

impl PragmaKind {
    const ALL: [PragmaKind; 18] = [
        PragmaKind::Pack,
        PragmaKind::Weak,
        PragmaKind::RedefineExtname,
        PragmaKind::Visibility,
        PragmaKind::PushOptions,
        PragmaKind::PopOptions,
        PragmaKind::ResetOptions,
        PragmaKind::Optimize,
        PragmaKind::Target,
        PragmaKind::Ivdep,
        PragmaKind::Unroll,
        PragmaKind::Omp,
        PragmaKind::ScalarStorageOrder,
        PragmaKind::StdcFpContract,
        PragmaKind::StdcFenvAccess,
        PragmaKind::StdcCxLimitedRange,
        PragmaKind::StdcFloatConstDecimal64,
        PragmaKind::Verbatim,
    ];

    /// The kind in a `Pragma` token's payload.
    pub fn from_payload(payload: u32) -> PragmaKind {
        PragmaKind::ALL[payload as usize]
    }

    /// Whether macros in the line are expanded.
    fn is_expanded(self) -> bool {
        matches!(self, PragmaKind::RedefineExtname | PragmaKind::ScalarStorageOrder | PragmaKind::Omp)
    }
}

/// The pragma in the line's tokens, and how many tokens its name has.
fn parser_pragma(pp: &Preprocessor<'_>, line: &[Token]) -> Option<(PragmaKind, usize)> {
    let name = |index: usize| line.get(index).filter(|t| t.is(TokenKind::Identifier)).map(|t| t.symbol());
    let kind = match (name(0)?, name(1)) {
        (names::PACK, _) => return Some((PragmaKind::Pack, 1)),
        (names::WEAK, _) => return Some((PragmaKind::Weak, 1)),
        (names::REDEFINE_EXTNAME, _) => return Some((PragmaKind::RedefineExtname, 1)),
        (names::OMP, _) if pp.options.dialect.openmp_simd => return Some((PragmaKind::Omp, 1)),
        (names::SCALAR_STORAGE_ORDER, _) => return Some((PragmaKind::ScalarStorageOrder, 1)),
        (names::GCC, Some(names::VISIBILITY)) => PragmaKind::Visibility,
        (names::GCC, Some(names::PUSH_OPTIONS)) => PragmaKind::PushOptions,
        (names::GCC, Some(names::POP_OPTIONS)) => PragmaKind::PopOptions,
        (names::GCC, Some(names::RESET_OPTIONS)) => PragmaKind::ResetOptions,
        (names::GCC, Some(names::OPTIMIZE)) => PragmaKind::Optimize,
        (names::GCC, Some(names::TARGET)) => PragmaKind::Target,
        (names::GCC, Some(names::IVDEP)) => PragmaKind::Ivdep,
        (names::GCC, Some(names::UNROLL)) => PragmaKind::Unroll,
        (names::STDC, Some(names::FP_CONTRACT)) => PragmaKind::StdcFpContract,
        (names::STDC, Some(names::FENV_ACCESS)) => PragmaKind::StdcFenvAccess,
        (names::STDC, Some(names::CX_LIMITED_RANGE)) => PragmaKind::StdcCxLimitedRange,
        (names::STDC, Some(names::FLOAT_CONST_DECIMAL64)) => PragmaKind::StdcFloatConstDecimal64,
        _ => return None,
    };
    Some((kind, 2))
}

/// `#pragma`, after the name.
pub(super) fn directive(pp: &mut Preprocessor<'_>, pragma: Token) {
    let mut line = Vec::new();
    loop {
        let token = pp.raw_token();
        if token.is(TokenKind::EndOfDirective) {
            break;
        }
        line.push(token);
    }
    pp.state.directive_result = obey(pp, pragma.loc, line, TokenFlags::START_OF_LINE);
}

/// `_Pragma`, whose name was read: obeys it, and pushes what is for the parser.
pub(super) fn operator(pp: &mut Preprocessor<'_>, name: Token) -> Expansion {
    if pp.state.in_directive {
        return Expansion::None;
    }
    let base = pp.frames.len();
    let open = expand::token_above(pp, base);
    let string = if open.is(TokenKind::LeftParen) { expand::token_above(pp, base) } else { open };
    let close = if string.is(TokenKind::String) { expand::token_above(pp, base) } else { string };
    if !close.is(TokenKind::RightParen) || !string.is(TokenKind::String) {
        let repeats = matches!(close.kind, TokenKind::Eof | TokenKind::ArgumentEnd | TokenKind::EndOfDirective);
        if !repeats {
            contexts::push_token(pp, close);
        }
        pp.session.error(name.loc, "_Pragma takes a parenthesized string literal").emit();
        return Expansion::Pushed;
    }
    let text = destringize(pp.session.interner.resolve_bytes(string.symbol()));
    let source = pp.session.sources.add_source(SourceText::from_vec(text));
    let mut lexer = Lexer::new(pp.session, pp.session.sources.bytes(source), name.loc, pp.switches);
    lexer.in_directive = true;
    let mut line = Vec::new();
    loop {
        let mut token = lexer.next();
        if token.is(TokenKind::EndOfDirective) {
            break;
        }
        token.loc = name.loc;
        line.push(token);
    }
    let tokens = obey(pp, name.loc, line, TokenFlags::PRAGMA_OPERATOR);
    if !tokens.is_empty() {
        contexts::push_tokens(pp, tokens);
    }
    Expansion::Pushed
}

/// The contents of a string literal with `\"` and `\\` undone (C23 6.10.11).
fn destringize(spelling: &[u8]) -> Vec<u8> {
    let (_, raw, range) = literal_parts(spelling);
    let mut out = Vec::new();
    let mut bytes = spelling[range].iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match bytes.peek() {
            Some(&next @ (b'"' | b'\\')) if byte == b'\\' && !raw => {
                out.push(next);
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

/// Obeys a pragma line; the answer is what is left for the parser, or for `-E`.
fn obey(pp: &mut Preprocessor<'_>, loc: Loc, line: Vec<Token>, flags: TokenFlags) -> Vec<Token> {
    let name = |index: usize| line.get(index).filter(|t| t.is(TokenKind::Identifier)).map(|t| t.symbol());
    let rest = |count: usize| line.get(count..).unwrap_or_default();
    let output = pp.printer.is_some();
    if !pp.options.preprocessed || !output {
        if output && is_internal(name(0), name(1)) {
            // gcc leaves a line of blanks in the place of what it obeys itself.
            super::output::line_change(pp, line[0]);
        }
        match (name(0), name(1)) {
            (Some(names::ONCE), _) => {
                include::mark_once(pp, line[0].loc);
                return Vec::new();
            }
            (Some(names::PUSH_MACRO), _) => {
                if let Some(name) = macro_argument(pp, "push_macro", loc, rest(1)) {
                    let line = format!("#pragma push_macro(\"{}\")", pp.session.str(name));
                    precompiled::keep_pragma(pp, loc, &line);
                    pp.macros.push(name);
                }
                return Vec::new();
            }
            (Some(names::POP_MACRO), _) => {
                if let Some(name) = macro_argument(pp, "pop_macro", loc, rest(1)) {
                    let line = format!("#pragma pop_macro(\"{}\")", pp.session.str(name));
                    precompiled::keep_pragma(pp, loc, &line);
                    if pp.macros.pop(name) {
                        super::macro_log::restored(pp, name, loc);
                    }
                }
                return Vec::new();
            }
            (Some(names::GCC), Some(names::POISON)) => {
                precompiled::refuse(pp);
                poison(pp, rest(2));
                return Vec::new();
            }
            (Some(names::GCC), Some(names::SYSTEM_HEADER)) => {
                system_header(pp, line[1]);
                return Vec::new();
            }
            (Some(names::GCC), Some(names::WARNING | names::ERROR)) => {
                user_diagnostic(pp, name(1) == Some(names::ERROR), rest(2), loc);
                return Vec::new();
            }
            (Some(names::GCC), Some(names::DEPENDENCY | names::PCH_PREPROCESS)) => return Vec::new(),
            _ => {}
        }
    }
    if let (Some(names::GCC), Some(second)) = (name(0), name(1)) {
        super::target_macros::pragma(pp, second, rest(2));
        super::optimize_macros::pragma(pp, second, rest(2));
    }
    if let (Some(names::GCC), Some(names::DIAGNOSTIC)) = (name(0), name(1)) {
        diagnostic(pp, loc, rest(2));
        return if output { verbatim(line, loc, flags, false) } else { Vec::new() };
    }
    if output {
        let expanded =
            name(0) == Some(names::MESSAGE) || parser_pragma(pp, &line).is_some_and(|(kind, _)| kind.is_expanded());
        if expanded && flags != TokenFlags::PRAGMA_OPERATOR {
            super::output::expanded_pragma(pp, line[0]);
        }
        return verbatim(line, loc, flags, expanded);
    }
    if name(0) == Some(names::MESSAGE) {
        message(pp, loc, rest(1).to_vec());
        return Vec::new();
    }
    match parser_pragma(pp, &line) {
        Some((kind, skip)) => passed_on(kind, rest(skip).to_vec(), loc, flags, kind.is_expanded()),
        None => {
            unknown(pp, loc, &line);
            Vec::new()
        }
    }
}

/// Whether the preprocessor obeys the pragma and nobody else needs to see it.
fn is_internal(first: Option<base::Symbol>, second: Option<base::Symbol>) -> bool {
    match (first, second) {
        (Some(names::ONCE | names::PUSH_MACRO | names::POP_MACRO), _) => true,
        (Some(names::GCC), Some(second)) => {
            matches!(second, names::POISON | names::SYSTEM_HEADER | names::WARNING | names::ERROR | names::DEPENDENCY)
        }
        _ => false,
    }
}

fn verbatim(line: Vec<Token>, loc: Loc, flags: TokenFlags, expanded: bool) -> Vec<Token> {
    passed_on(PragmaKind::Verbatim, line, loc, flags, expanded)
}

fn passed_on(kind: PragmaKind, line: Vec<Token>, loc: Loc, flags: TokenFlags, expanded: bool) -> Vec<Token> {
    let mut out = Vec::with_capacity(line.len() + 2);
    out.push(Token { kind: TokenKind::Pragma, flags, loc, payload: kind as u32 });
    for (index, mut token) in line.into_iter().enumerate() {
        // The pragma's own name is never expanded.
        if !expanded || index == 0 && kind == PragmaKind::Verbatim {
            token.flags = token.flags.with(TokenFlags::NO_EXPAND);
        }
        out.push(token);
    }
    out.push(Token::new(TokenKind::PragmaEnd, flags, loc));
    out
}

fn unknown(pp: &Preprocessor<'_>, loc: Loc, line: &[Token]) {
    let mut text = String::new();
    for token in line.iter().take(2) {
        text.push(' ');
        text.push_str(&pp.spelling(*token));
    }
    let message = format!("ignoring '#pragma{text}'");
    let at = line.first().map_or(loc, |token| token.loc);
    pp.session.warn(warning::UNKNOWN_PRAGMAS, at, message).emit();
}

/// The name in `("name")`.
fn macro_argument(pp: &Preprocessor<'_>, pragma: &str, loc: Loc, line: &[Token]) -> Option<base::Symbol> {
    if let [open, string, close] = line
        && open.is(TokenKind::LeftParen)
        && string.is(TokenKind::String)
        && close.is(TokenKind::RightParen)
    {
        let spelling = pp.session.interner.resolve_bytes(string.symbol());
        let (_, _, range) = literal_parts(spelling);
        return Some(pp.session.interner.intern_bytes(spelling[range].trim_ascii()));
    }
    pp.session.error(loc, format!("invalid #pragma {pragma} directive")).emit();
    None
}

fn poison(pp: &mut Preprocessor<'_>, line: &[Token]) {
    for token in line {
        if !token.is(TokenKind::Identifier) {
            pp.session.error(token.loc, "invalid #pragma GCC poison directive").emit();
            return;
        }
        let name = token.symbol();
        if pp.macros.defined(name).is_some() {
            let message = format!("poisoning existing macro \"{}\"", pp.session.str(name));
            pp.session.warn_always(token.loc, message).emit();
        }
        pp.macros.add_special(name, macros::MacroKind::Poisoned);
    }
}

fn system_header(pp: &mut Preprocessor<'_>, name: Token) {
    if pp.outer.is_empty() {
        pp.session.warn_always(name.loc, "#pragma system_header ignored outside include file").emit();
        return;
    }
    let at = pp.buf.lexer.loc();
    pp.session.sources.mark_system(at);
    pp.buf.system = true;
    pp.buf.lexer.line_comments = LineComments::Yes;
    super::output::became_system(pp);
}

/// `#pragma GCC warning "text"` and `#pragma GCC error "text"`
fn user_diagnostic(pp: &Preprocessor<'_>, error: bool, line: &[Token], loc: Loc) {
    let word = if error { "error" } else { "warning" };
    match line.first() {
        Some(string) if string.is(TokenKind::String) => {
            let text = plain_text(pp, line);
            match error {
                true => pp.session.error(string.loc, text).emit(),
                false => pp.session.warn_always(string.loc, text).emit(),
            };
        }
        _ => {
            pp.session.error(loc, format!("invalid \"#pragma GCC {word}\" directive")).emit();
        }
    }
}

/// The decoded text of adjacent string literals.
fn plain_text(pp: &Preprocessor<'_>, tokens: &[Token]) -> String {
    let mut text = Vec::new();
    for token in tokens.iter().filter(|token| token.is(TokenKind::String)) {
        let spelling = pp.session.interner.resolve_bytes(token.symbol());
        decode_string(spelling, Encoding::Plain, None, &mut text, &mut Vec::new());
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// `#pragma message "text"`, with or without parentheses, macro-expanded.
fn message(pp: &mut Preprocessor<'_>, loc: Loc, line: Vec<Token>) {
    let mut line = expand::expand_list(pp, line);
    line.retain(|token| !token.is(TokenKind::Padding));
    let inner = match &line[..] {
        [open, inner @ .., close] if open.is(TokenKind::LeftParen) && close.is(TokenKind::RightParen) => inner,
        all => all,
    };
    if inner.is_empty() || !inner.iter().all(|token| token.is(TokenKind::String)) {
        let message = "expected a string after '#pragma message'";
        pp.session.warn(warning::PRAGMAS, loc, message).emit();
        return;
    }
    let text = plain_text(pp, inner);
    pp.session.note(loc, format!("'#pragma message: {text}'")).emit();
}

/// `#pragma GCC diagnostic`
fn diagnostic(pp: &Preprocessor<'_>, loc: Loc, line: &[Token]) {
    let sources = &pp.session.sources;
    let kind = line.first().filter(|token| token.is(TokenKind::Identifier)).map(|token| token.symbol());
    let severity = match kind {
        Some(names::PUSH) => return pp.session.diag.pragma_push(),
        Some(names::POP) => return pp.session.diag.pragma_pop(sources, loc),
        Some(names::IGNORED) => None,
        Some(names::WARNING) => Some(Severity::Warning),
        Some(names::ERROR) => Some(Severity::Error),
        _ => {
            let message = "expected 'error', 'warning', 'ignored', 'push', 'pop', or 'ignored_attributes' \
                           after '#pragma GCC diagnostic'";
            let at = line.first().map_or(loc, |token| token.loc);
            pp.session.warn(warning::PRAGMAS, at, message).emit();
            return;
        }
    };
    let Some(option) = line.get(1).filter(|token| token.is(TokenKind::String)) else {
        let message = "missing option after '#pragma GCC diagnostic' kind";
        pp.session.warn(warning::PRAGMAS, loc, message).emit();
        return;
    };
    let text = plain_text(pp, &line[1..2]);
    let name = text.strip_prefix("-W");
    let base = name.map(|name| name.split('=').next().unwrap_or(name));
    match (name.and_then(WarningId::from_name)).or_else(|| base.and_then(WarningId::from_name)) {
        Some(id) => pp.session.diag.pragma_set(sources, loc, id, severity),
        // Flags of gcc's static analyser, which is not there.
        None if base.is_some_and(|base| base.starts_with("analyzer-")) => {}
        None => {
            let message = format!("unknown option after '#pragma GCC diagnostic' kind: \"{text}\"");
            pp.session.warn(warning::PRAGMAS, option.loc, message).emit();
        }
    }
}
