//! Macros whose expansion is computed: `__FILE__`, `__LINE__`, `__COUNTER__`, `__has_include` and
//! its like, `_Pragma`.

use super::macros::Builtin;
use super::{Preprocessor, date, embed, headers, pragma};
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// The outcome of expanding a builtin macro.
pub(super) enum Expansion {
    /// It does not expand here: the name stays.
    None,
    /// One token.
    Token(Token),
    /// Tokens were pushed, or none are needed.
    Pushed,
}

/// Defines the builtin macros.
pub(super) fn define_all(pp: &mut Preprocessor<'_>) {
    let table = [
        (names::FILE, Builtin::File),
        (names::FILE_NAME, Builtin::FileName),
        (names::BASE_FILE, Builtin::BaseFile),
        (names::LINE_MACRO, Builtin::Line),
        (names::DATE, Builtin::Date),
        (names::TIME, Builtin::Time),
        (names::TIMESTAMP, Builtin::Timestamp),
        (names::COUNTER, Builtin::Counter),
        (names::INCLUDE_LEVEL, Builtin::IncludeLevel),
        (names::READS_AVX512, Builtin::ReadsAvx512),
        (names::HAS_INCLUDE, Builtin::HasInclude),
        (names::HAS_INCLUDE_NEXT, Builtin::HasIncludeNext),
        (names::HAS_ATTRIBUTE, Builtin::HasAttribute),
        (names::HAS_CPP_ATTRIBUTE, Builtin::HasAttribute),
        (names::HAS_C_ATTRIBUTE, Builtin::HasCAttribute),
        (names::HAS_BUILTIN, Builtin::HasBuiltin),
        (names::HAS_EMBED, Builtin::HasEmbed),
        (names::PRAGMA_OPERATOR, Builtin::PragmaOperator),
    ];
    // In gcc `_Pragma` is no macro in strict C89.
    let skip_pragma = pp.options.dialect.standard < crate::lex::Standard::C99 && !pp.options.dialect.gnu;
    for (name, builtin) in table {
        if !(skip_pragma && builtin == Builtin::PragmaOperator) {
            pp.macros.add_builtin(name, builtin);
        }
    }
}

/// Whether a file being read, but for the compiler's own headers, speaks of AVX-512 or the sets
/// that came with it: the header with their many intrinsics is read only then.
fn reads_avx512(pp: &Preprocessor<'_>) -> bool {
    const WORDS: [&[u8]; 7] = [b"avx512", b"AVX512", b"_mm512", b"__m512", b"__mmask", b"avxvnni", b"vpclmulqdq"];
    let files = pp.outer.iter().filter(|buffer| !pp.session.str(buffer.name).ends_with("intrin.h"));
    let texts = files.filter_map(|buffer| buffer.file).map(|id| pp.files.file(id).source);
    texts.into_iter().any(|source| {
        let text = pp.session.sources.bytes(source);
        WORDS.iter().any(|word| memchr::memmem::find(text, word).is_some())
    })
}

/// Expands a builtin macro whose name is `name`.
pub(super) fn expand(pp: &mut Preprocessor<'_>, builtin: Builtin, name: Token) -> Expansion {
    let number = |pp: &Preprocessor<'_>, value: u64| {
        let payload = pp.session.intern(&value.to_string()).0;
        Expansion::Token(Token { kind: TokenKind::Number, flags: TokenFlags::NONE, loc: name.loc, payload })
    };
    let string = |pp: &Preprocessor<'_>, text: &str| {
        let payload = pp.session.intern(&quote(text)).0;
        Expansion::Token(Token { kind: TokenKind::String, flags: TokenFlags::NONE, loc: name.loc, payload })
    };
    match builtin {
        Builtin::Line => {
            let at = match pp.frames.first() {
                // All tokens of an expansion are where the outermost invocation is.
                Some(frame) if pp.options.untracked_expansion => frame.name.loc,
                _ => name.loc,
            };
            let at = pp.session.sources.expansion_point(at);
            number(pp, pp.session.sources.presumed(at).map_or(0, |place| u64::from(place.line)))
        }
        Builtin::File | Builtin::FileName => {
            let at = pp.session.sources.expansion_point(name.loc);
            let file = pp.session.sources.presumed(at).map_or("", |place| pp.session.str(place.file));
            let mapped = map_prefix(&pp.options.macro_prefix_map, file);
            let text = match builtin {
                Builtin::FileName => mapped.rsplit('/').next().unwrap_or_default(),
                _ => &mapped,
            };
            string(pp, text)
        }
        Builtin::BaseFile => {
            let mapped = map_prefix(&pp.options.macro_prefix_map, pp.session.str(pp.main_name));
            string(pp, &mapped)
        }
        Builtin::IncludeLevel => number(pp, pp.outer.len() as u64),
        Builtin::ReadsAvx512 => number(pp, reads_avx512(pp).into()),
        Builtin::Counter => {
            pp.counter += 1;
            number(pp, pp.counter - 1)
        }
        Builtin::Date | Builtin::Time => {
            let stamp = date::now(pp);
            warn_date_time(pp, name);
            let text = if builtin == Builtin::Date { stamp.date() } else { stamp.time() };
            string(pp, &text)
        }
        Builtin::Timestamp => {
            warn_date_time(pp, name);
            let text = date::timestamp_of_current_file(pp);
            string(pp, &text)
        }
        Builtin::HasInclude | Builtin::HasIncludeNext | Builtin::HasEmbed if !pp.state.in_condition => {
            let text = pp.session.str(name.symbol());
            let message = format!("\"{text}\" used outside of preprocessing directive");
            pp.session.error(name.loc, message).emit();
            Expansion::None
        }
        Builtin::HasInclude | Builtin::HasIncludeNext => {
            let next = builtin == Builtin::HasIncludeNext;
            let found = has_include(pp, name, next);
            number(pp, u64::from(found))
        }
        Builtin::HasEmbed => {
            let found = embed::has_embed(pp, name);
            number(pp, found)
        }
        Builtin::HasAttribute | Builtin::HasCAttribute => {
            let value = has_attribute(pp, name, builtin == Builtin::HasCAttribute);
            number(pp, value)
        }
        Builtin::HasBuiltin => {
            let value = has_builtin(pp, name);
            number(pp, u64::from(value))
        }
        Builtin::PragmaOperator => pragma::operator(pp, name),
    }
}

fn warn_date_time(pp: &Preprocessor<'_>, name: Token) {
    let text = pp.session.str(name.symbol());
    let message = format!("macro \"{text}\" might prevent reproducible builds");
    pp.session.warn(base::warning::DATE_TIME, name.loc, message).emit();
}

/// A string literal of `text`.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Reads `(`; reports its absence after the operator `name`.
pub(super) fn open(pp: &mut Preprocessor<'_>, name: Token) -> bool {
    let token = unexpanded(pp);
    if token.is(TokenKind::LeftParen) {
        return true;
    }
    let message = format!("missing '(' before \"{}\" operand", pp.session.str(name.symbol()));
    give_back(pp, token);
    pp.session.error(name.loc, message).emit();
    false
}

/// Reads `)`; reports its absence after the operand of `name`.
pub(super) fn close(pp: &mut Preprocessor<'_>, name: Token) -> bool {
    let token = unexpanded(pp);
    if token.is(TokenKind::RightParen) {
        return true;
    }
    let message = format!("missing ')' after \"{}\" operand", pp.session.str(name.symbol()));
    give_back(pp, token);
    pp.session.error(token.loc, message).emit();
    false
}

fn give_back(pp: &mut Preprocessor<'_>, token: Token) {
    let repeats = matches!(token.kind, TokenKind::EndOfDirective | TokenKind::Eof | TokenKind::ArgumentEnd);
    if !repeats {
        super::contexts::push_token(pp, token);
    }
}

fn unexpanded(pp: &mut Preprocessor<'_>) -> Token {
    pp.state.prevent_expansion += 1;
    let token = pp.expanded_token();
    pp.state.prevent_expansion -= 1;
    token
}

fn has_include(pp: &mut Preprocessor<'_>, name: Token, next: bool) -> bool {
    // Header names have to be asked for before the token after the parenthesis is read.
    if !open(pp, name) {
        return false;
    }
    let Some(header) = headers::header(pp, "__has_include", name.loc) else { return false };
    let found = headers::exists(pp, &header, next);
    close(pp, name) && found
}

fn has_attribute(pp: &mut Preprocessor<'_>, name: Token, standard_only: bool) -> u64 {
    if !open(pp, name) {
        return 0;
    }
    // Names may be those of macros, as in gcc.
    let first = pp.expanded_token();
    if !first.is(TokenKind::Identifier) {
        let text = pp.session.str(name.symbol());
        pp.session.error(first.loc, format!("attribute identifier required after \"{text}\"")).emit();
        give_back(pp, first);
        return 0;
    }
    let mut scope = None;
    let mut attribute = first;
    let mut next = unexpanded(pp);
    // `::` is two tokens in strict modes before C23.
    let scoped = match next.kind {
        TokenKind::ColonColon => true,
        TokenKind::Colon => {
            let second = unexpanded(pp);
            if !second.is(TokenKind::Colon) {
                give_back(pp, second);
            }
            second.is(TokenKind::Colon)
        }
        _ => false,
    };
    if scoped {
        scope = Some(first.symbol());
        attribute = pp.expanded_token();
        next = unexpanded(pp);
        if !attribute.is(TokenKind::Identifier) {
            let text = pp.session.str(name.symbol());
            pp.session.error(attribute.loc, format!("attribute identifier required after scope in \"{text}\"")).emit();
            return 0;
        }
    }
    give_back(pp, next);
    close(pp, name);
    let text = pp.session.str(attribute.symbol());
    let text = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(text);
    match scope {
        Some(names::GNU | names::GNU_ALT) => u64::from((pp.features.has_attribute)(text)),
        Some(_) => 0,
        None => match super::features::standard_attribute(text) {
            // C23's attributes have the value the standard gives; gcc 12 says so in all modes.
            Some(value) if standard_only || !(pp.features.has_attribute)(text) => value,
            _ if standard_only => 0,
            _ => u64::from((pp.features.has_attribute)(text)),
        },
    }
}

fn has_builtin(pp: &mut Preprocessor<'_>, name: Token) -> bool {
    if !open(pp, name) {
        return false;
    }
    let token = unexpanded(pp);
    if !token.is(TokenKind::Identifier) {
        let text = pp.session.str(name.symbol());
        pp.session.error(token.loc, format!("macro \"{text}\" requires an identifier")).emit();
        give_back(pp, token);
        return false;
    }
    close(pp, name);
    let keyword = token.payload < names::KEYWORD_COUNT
        && pp.session.str(token.symbol()).starts_with("__builtin_")
        && pp.keywords[token.payload as usize].is_keyword();
    keyword || (pp.features.has_builtin)(pp.session.str(token.symbol()))
}

/// Applies `-fmacro-prefix-map` and its like: the last that fits wins.
fn map_prefix(map: &[(String, String)], path: &str) -> String {
    for (old, new) in map.iter().rev() {
        if let Some(rest) = path.strip_prefix(old.as_str()) {
            return format!("{new}{rest}");
        }
    }
    path.to_owned()
}
