//! Pragmas that act on declarations: `pack`, `weak`, `redefine_extname`, `GCC visibility`, `GCC
//! target/optimize` and the STDC ones. The preprocessor delivers each as `Pragma`, the tokens of
//! its line, `PragmaEnd`.

use base::{Loc, warning};
use platform::options::Visibility;

use super::Parser;
use super::loop_pragmas::Pending;
use crate::lex::{Token, TokenKind};
use crate::preprocess::PragmaKind;
use crate::sema::attributes::visibility_named;
use crate::sema::excess;
use crate::tree::{AttrFlags, WeakPragma};

/// The current token is `Pragma`: acts on it and makes the token after its line current.
pub fn pragma(p: &mut Parser<'_, '_>) {
    let mut of_loop = Pending::default();
    while p.tok.kind == TokenKind::Pragma {
        let kind = PragmaKind::from_payload(p.tok.payload);
        let loc = p.tok.loc;
        let mut line = Vec::new();
        loop {
            let token = p.tokens.next();
            match token.kind {
                TokenKind::PragmaEnd | TokenKind::Eof => break,
                _ => line.push(token),
            }
        }
        act(p, kind, &line, loc);
        of_loop.add(p, kind, &line, loc);
        p.tok = p.tokens.next();
    }
    of_loop.end(p);
}

fn act(p: &mut Parser<'_, '_>, kind: PragmaKind, line: &[Token], loc: Loc) {
    match kind {
        PragmaKind::Pack => pack(p, line, loc),
        PragmaKind::Weak => weak(p, line, loc),
        PragmaKind::RedefineExtname => redefine_extname(p, line, loc),
        PragmaKind::Visibility => visibility(p, line, loc),
        PragmaKind::Target => {
            if let Some(text) = strings(p, line) {
                let text = text.as_str();
                if let Err(message) = p.cx.options.codegen.features.clone().apply_target(text) {
                    p.cx.error(loc, message.replace("attribute", "pragma"));
                }
                let before = p.cx.pragma_options.target.map(|before| format!("{},{text}", p.cx.str(before)));
                p.cx.pragma_options.target = Some(p.cx.sess.intern(before.as_deref().unwrap_or(text)));
                excess::update(&mut p.cx);
            }
        }
        PragmaKind::Optimize => {
            if let Some(text) = strings(p, line) {
                let text = p.cx.pragma_options.optimize.map_or(text.clone(), |old| format!("{},{text}", p.cx.str(old)));
                p.cx.pragma_options.optimize = Some(p.cx.sess.intern(&text));
            }
        }
        PragmaKind::PopOptions => {
            p.cx.pragma_options = p.cx.pragma_options_stack.pop().unwrap_or_default();
            excess::update(&mut p.cx);
        }
        PragmaKind::ResetOptions => {
            p.cx.pragma_options = Default::default();
            excess::update(&mut p.cx);
        }
        PragmaKind::PushOptions => {
            let options = p.cx.pragma_options;
            p.cx.pragma_options_stack.push(options);
        }
        PragmaKind::ScalarStorageOrder => {
            let word = line.first().map(|t| match t.kind {
                TokenKind::Identifier => p.cx.str(t.symbol()),
                TokenKind::KwDefault => "default",
                _ => "",
            });
            match word.unwrap_or_default() {
                "big" => p.cx.reversed_storage = true,
                "little" => p.cx.reversed_storage = false,
                "default" => p.cx.reversed_storage = p.cx.lang.reversed_storage,
                _ => {
                    let message =
                        "expected 'big-endian', 'little-endian', or 'default' after '#pragma scalar_storage_order'";
                    p.cx.warn(warning::PRAGMAS, loc, message);
                }
            }
        }
        PragmaKind::StdcFenvAccess => {
            let on = line.first().is_some_and(|t| t.kind == TokenKind::Identifier && p.cx.str(t.symbol()) == "ON");
            if on {
                p.cx.warn(warning::UNKNOWN_PRAGMAS, loc, "ignoring '#pragma STDC FENV_ACCESS'");
            }
        }
        PragmaKind::StdcFloatConstDecimal64 => {
            p.cx.pedantic(loc, "ISO C does not support '#pragma STDC FLOAT_CONST_DECIMAL64'");
            let word = line.first().filter(|t| t.kind == TokenKind::Identifier).map(|t| p.cx.str(t.symbol()));
            match word {
                Some("ON") => p.cx.decimal_constants = true,
                Some("OFF" | "DEFAULT") => p.cx.decimal_constants = false,
                _ => malformed(p, "STDC FLOAT_CONST_DECIMAL64", loc),
            }
        }
        // A function that has it off anywhere contracts nothing.
        PragmaKind::StdcFpContract => {
            let off = line.first().is_some_and(|t| t.kind == TokenKind::Identifier && p.cx.str(t.symbol()) == "OFF");
            p.cx.contraction_off = off;
            p.cx.contraction_ends |= off;
        }
        // Of the loop that follows.
        PragmaKind::Ivdep | PragmaKind::Unroll | PragmaKind::Omp => {}
        // No effect on meaning.
        PragmaKind::Verbatim | PragmaKind::StdcCxLimitedRange => {}
    }
}

/// The strings and levels of the line, joined by commas.
fn strings(p: &Parser<'_, '_>, line: &[Token]) -> Option<String> {
    let texts = line.iter().filter_map(|t| match t.kind {
        TokenKind::String => Some(p.cx.str(t.symbol()).trim_matches('"').to_owned()),
        TokenKind::Number => Some(format!("O{}", p.cx.str(t.symbol()))),
        _ => None,
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join(","))
}

fn malformed(p: &mut Parser<'_, '_>, name: &str, loc: Loc) {
    p.cx.warn(warning::PRAGMAS, loc, format!("malformed '#pragma {name}', ignored"));
}

/// A plain decimal number.
pub fn small_number(p: &Parser<'_, '_>, token: &Token) -> Option<u32> {
    (token.kind == TokenKind::Number).then(|| p.cx.str(token.symbol()).parse().ok()).flatten()
}

/// `#pragma pack()`, `(n)`, `(push)`, `(push, n)`, `(push, name, n)`, `(pop)`, `(pop, name)`.
fn pack(p: &mut Parser<'_, '_>, line: &[Token], loc: Loc) {
    let inner = match line {
        [open, inner @ .., close] if open.is(TokenKind::LeftParen) && close.is(TokenKind::RightParen) => inner,
        [open, inner @ .., close, _] if open.is(TokenKind::LeftParen) && close.is(TokenKind::RightParen) => inner,
        _ => {
            p.cx.warn(warning::PRAGMAS, loc, "missing '(' after '#pragma pack' - ignored");
            return;
        }
    };
    let parts: Vec<&Token> = inner.iter().filter(|t| !t.is(TokenKind::Comma)).collect();
    let word = |p: &Parser<'_, '_>, t: &Token| {
        if t.kind == TokenKind::Identifier { p.cx.str(t.symbol()).to_string() } else { Default::default() }
    };
    let Some(first) = parts.first() else {
        p.cx.pack = p.cx.lang.pack_struct;
        return;
    };
    if let Some(n) = small_number(p, first) {
        set_pack(p, n, loc);
        return;
    }
    let (mut name, mut size) = (None, None);
    for part in &parts[1..] {
        match small_number(p, part) {
            Some(n) => size = Some(n),
            None if part.kind == TokenKind::Identifier => name = Some(part.symbol()),
            None => return malformed(p, "pack", loc),
        }
    }
    match word(p, first).as_str() {
        "push" => {
            let current = p.cx.pack;
            p.cx.pack_stack.push((name, current));
            if let Some(n) = size {
                set_pack(p, n, loc);
            }
        }
        "pop" => {
            let at = match name {
                Some(name) => p.cx.pack_stack.iter().rposition(|e| e.0 == Some(name)),
                None => p.cx.pack_stack.len().checked_sub(1),
            };
            match at {
                Some(at) => {
                    p.cx.pack = p.cx.pack_stack[at].1;
                    p.cx.pack_stack.truncate(at);
                }
                None => {
                    let message = "#pragma pack (pop) encountered without matching #pragma pack (push)";
                    p.cx.warn(warning::PRAGMAS, loc, message);
                }
            }
        }
        _ => malformed(p, "pack", loc),
    }
}

fn set_pack(p: &mut Parser<'_, '_>, n: u32, loc: Loc) {
    match n {
        0 => p.cx.pack = p.cx.lang.pack_struct,
        1 | 2 | 4 | 8 | 16 => p.cx.pack = Some(n),
        _ => {
            let message = format!("alignment must be a small power of two, not {n}");
            p.cx.warn(warning::PRAGMAS, loc, message);
        }
    }
}

/// `#pragma weak name`, `#pragma weak name = target`
fn weak(p: &mut Parser<'_, '_>, line: &[Token], loc: Loc) {
    let identifier = |t: &Token| t.kind == TokenKind::Identifier || t.kind.is_keyword();
    let (name, target) = match line {
        [name] if identifier(name) => (name.symbol(), None),
        [name, equal, target] if identifier(name) && equal.is(TokenKind::Equal) && identifier(target) => {
            (name.symbol(), Some(target.symbol()))
        }
        _ => return malformed(p, "weak", loc),
    };
    let declared = p.cx.linked.get(&name).copied();
    if let Some(id) = declared {
        let attrs = p.cx.unit.attrs_mut(id);
        attrs.flags = attrs.flags.with(AttrFlags::WEAK);
        if target.is_some() {
            attrs.alias = target;
        }
    }
    p.cx.weak_names.insert(name, loc);
    if target.is_some() && declared.is_none() {
        p.cx.unit.pragma_weak.push(WeakPragma { name, target, loc });
    }
}

/// `#pragma redefine_extname old new`
fn redefine_extname(p: &mut Parser<'_, '_>, line: &[Token], loc: Loc) {
    let [old, new] = line else { return malformed(p, "redefine_extname", loc) };
    if old.kind != TokenKind::Identifier || new.kind != TokenKind::Identifier {
        return malformed(p, "redefine_extname", loc);
    }
    let (old, new) = (old.symbol(), new.symbol());
    p.cx.extnames.insert(old, new);
    if let Some(&id) = p.cx.linked.get(&old) {
        p.cx.unit.decls[id].asm_name = Some(new);
    }
}

/// `#pragma GCC visibility push(kind)`, `pop`
fn visibility(p: &mut Parser<'_, '_>, line: &[Token], loc: Loc) {
    let word = |p: &Parser<'_, '_>, t: &Token| match t.kind {
        TokenKind::KwDefault => "default".to_string(),
        TokenKind::Identifier => p.cx.str(t.symbol()).to_string(),
        _ => String::new(),
    };
    match line {
        [pop] if word(p, pop) == "pop" => {
            if p.cx.visibility_stack.pop().is_none() {
                p.cx.warn(warning::PRAGMAS, loc, "no matching push for '#pragma GCC visibility pop'");
            }
        }
        [push, _, kind, _] if word(p, push) == "push" => {
            let visibility: Option<Visibility> = visibility_named(&word(p, kind));
            match visibility {
                Some(v) => p.cx.visibility_stack.push(v),
                None => {
                    let message =
                        "'#pragma GCC visibility push()' must specify 'default', 'hidden', 'protected' or 'internal'";
                    p.cx.error(loc, message);
                }
            }
        }
        _ => p.cx.warn(warning::PRAGMAS, loc, "'#pragma GCC visibility' must be followed by 'push' or 'pop'"),
    }
}
