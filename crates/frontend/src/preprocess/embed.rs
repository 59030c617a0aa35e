//! `#embed` (C23 6.10.4) with `limit`, `prefix`, `suffix`, `if_empty` and gcc's `gnu::offset`, and
//! `__has_embed`.
//!
//! The bytes become one [`TokenKind::Embed`] token that the parser may copy into an initialiser as
//! they are; under `-E` they are printed as numbers.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use base::Loc;

use super::headers;
use super::{Preprocessor, builtins, contexts, expression};
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// Parameters of an `#embed`.
#[derive(Default)]
struct Parameters {
    limit: Option<u64>,
    offset: u64,
    prefix: Vec<Token>,
    suffix: Vec<Token>,
    if_empty: Option<Vec<Token>>,
    /// A parameter that is not known: an error in the directive, "not found" for `__has_embed`.
    unknown: Option<Token>,
}

/// `#embed`, after the name.
pub(super) fn directive(pp: &mut Preprocessor<'_>, name: Token) {
    if !pp.options.dialect.c23() {
        let message = "#embed before C23 is a GCC extension";
        pp.session.pedwarn(base::warning::PEDANTIC, name.loc, message).emit();
    }
    let Some(header) = headers::header(pp, "embed", name.loc) else { return };
    let Some(parameters) = parameters(pp, TokenKind::EndOfDirective) else { return };
    if let Some(unknown) = parameters.unknown {
        let message = format!("unknown embed parameter '{}'", pp.spelling(unknown));
        pp.session.error(unknown.loc, message).emit();
        return;
    }
    let Some(path) = headers::find_resource(pp, &header) else {
        pp.session.fatal(header.loc, format!("{}: No such file or directory", header.name)).emit();
        return;
    };
    let bytes = match read(&path, &parameters) {
        Ok(bytes) => bytes,
        Err(error) => {
            pp.session.fatal(header.loc, format!("{path}: {error}")).emit();
            return;
        }
    };
    pp.dependencies.file(&path, false);
    pp.state.directive_result = result(pp, name.loc, bytes, parameters);
}

/// The value of `__has_embed(...)`: 0 not found, 1 found, 2 empty.
pub(super) fn has_embed(pp: &mut Preprocessor<'_>, name: Token) -> u64 {
    if !builtins::open(pp, name) {
        return 0;
    }
    let Some(header) = headers::header(pp, "__has_embed", name.loc) else { return 0 };
    let Some(parameters) = parameters(pp, TokenKind::RightParen) else { return 0 };
    if parameters.unknown.is_some() {
        return 0;
    }
    match headers::find_resource(pp, &header) {
        None => 0,
        Some(path) => {
            match read(&path, &Parameters { limit: Some(parameters.limit.unwrap_or(1).min(1)), ..parameters }) {
                Ok(bytes) if bytes.is_empty() => 2,
                Ok(_) => 1,
                Err(_) => 0,
            }
        }
    }
}

fn read(path: &str, parameters: &Parameters) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if parameters.offset > 0 {
        file.seek(SeekFrom::Start(parameters.offset))?;
    }
    let mut bytes = Vec::new();
    file.take(parameters.limit.unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn result(pp: &mut Preprocessor<'_>, loc: Loc, bytes: Vec<u8>, parameters: Parameters) -> Vec<Token> {
    if bytes.is_empty() {
        return parameters.if_empty.unwrap_or_default();
    }
    let mut tokens = parameters.prefix;
    pp.embeds.push(bytes.into_boxed_slice());
    let payload = pp.embeds.len() as u32 - 1;
    tokens.push(Token { kind: TokenKind::Embed, flags: TokenFlags::LEADING_SPACE, loc, payload });
    tokens.extend(parameters.suffix);
    tokens
}

/// Reads the parameters up to `end`, which is consumed. Errors are reported.
fn parameters(pp: &mut Preprocessor<'_>, end: TokenKind) -> Option<Parameters> {
    let mut result = Parameters::default();
    loop {
        let mut name = pp.expanded_token();
        if name.is(end) {
            break Some(result);
        }
        if !name.is(TokenKind::Identifier) {
            pp.session.error(name.loc, "expected parameter name").emit();
            return None;
        }
        let mut gnu = false;
        let mut next = peek_argument(pp);
        if next.is(TokenKind::ColonColon) {
            gnu = matches!(name.symbol(), names::GNU | names::GNU_ALT);
            let scope = name;
            name = pp.expanded_token();
            if !gnu {
                result.unknown.get_or_insert(scope);
            }
            next = peek_argument(pp);
        }
        let has_argument = next.is(TokenKind::LeftParen);
        if !has_argument && !next.is(TokenKind::EndOfDirective) {
            contexts::push_token(pp, next);
        }
        match name.symbol() {
            names::LIMIT | names::LIMIT_ALT if !gnu && has_argument => result.limit = Some(number(pp, name)?),
            names::OFFSET | names::OFFSET_ALT if gnu && has_argument => result.offset = number(pp, name)?,
            names::PREFIX | names::PREFIX_ALT if !gnu && has_argument => result.prefix = balanced(pp)?,
            names::SUFFIX | names::SUFFIX_ALT if !gnu && has_argument => result.suffix = balanced(pp)?,
            names::IF_EMPTY | names::IF_EMPTY_ALT if !gnu && has_argument => result.if_empty = Some(balanced(pp)?),
            _ => {
                result.unknown.get_or_insert(name);
                if has_argument {
                    balanced(pp)?;
                }
            }
        }
    }
}

fn peek_argument(pp: &mut Preprocessor<'_>) -> Token {
    pp.expanded_token()
}

/// The value of a constant expression in parentheses, whose `(` was read.
fn number(pp: &mut Preprocessor<'_>, name: Token) -> Option<u64> {
    let value = expression::parenthesized(pp)?;
    if value < 0 {
        let message = format!("negative embed parameter '{}' operand", pp.spelling(name));
        pp.session.error(name.loc, message).emit();
        return None;
    }
    Some(value as u64)
}

/// The tokens up to the closing parenthesis, whose `(` was read.
fn balanced(pp: &mut Preprocessor<'_>) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut open: Vec<TokenKind> = Vec::new();
    loop {
        pp.state.prevent_expansion += 1;
        let token = pp.expanded_token();
        pp.state.prevent_expansion -= 1;
        match token.kind {
            TokenKind::LeftParen => open.push(TokenKind::RightParen),
            TokenKind::LeftBracket => open.push(TokenKind::RightBracket),
            TokenKind::LeftBrace => open.push(TokenKind::RightBrace),
            TokenKind::RightParen if open.is_empty() => return Some(tokens),
            TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace
                if open.pop() != Some(token.kind) =>
            {
                let message = format!("unbalanced '{}'", pp.spelling(token));
                pp.session.error(token.loc, message).emit();
                return None;
            }
            TokenKind::EndOfDirective => {
                pp.session.error(token.loc, "expected ')' before end of line").emit();
                return None;
            }
            _ => {}
        }
        tokens.push(token);
    }
}

/// The bytes as numbers separated by commas.
pub(super) fn spell(bytes: &[u8], out: &mut Vec<u8>) {
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(byte.to_string().as_bytes());
    }
}
