//! What `#pragma GCC target` does to the predefined macros: `__AVX2__` and its like come and go
//! with the feature, as in gcc. `push_options`, `pop_options` and `reset_options` save and restore
//! the set. The parser reads the same pragmas for what they mean to functions.

use base::Symbol;
use platform::options::X86Features;
use platform::options::features::Named;

use super::Preprocessor;
use super::macros::{Macro, MacroTable};
use crate::lex::literals::literal_parts;
use crate::lex::{Token, TokenFlags, TokenKind, names};

/// The features in force here.
#[derive(Default)]
pub(super) struct TargetFeatures {
    /// `None`: no pragma yet, the command line's.
    current: Option<X86Features>,
    saved: Vec<X86Features>,
}

/// A `#pragma GCC` line whose second word is `name`: `target`, or one of those that save and
/// restore.
pub(super) fn pragma(pp: &mut Preprocessor<'_>, name: Symbol, line: &[Token]) {
    let before = current(pp);
    let mut after = before;
    match name {
        names::TARGET => {
            for token in line.iter().filter(|t| t.is(TokenKind::String)) {
                let spelling = pp.session.interner.resolve_bytes(token.symbol());
                let (_, _, range) = literal_parts(spelling);
                // The parser reports what is wrong.
                let _ = after.apply_target(&String::from_utf8_lossy(&spelling[range]));
            }
        }
        names::PUSH_OPTIONS => pp.target_features.saved.push(before),
        names::POP_OPTIONS => after = pp.target_features.saved.pop().unwrap_or(before),
        names::RESET_OPTIONS => after = from_command_line(pp),
        _ => return,
    }
    if after != before {
        change(pp, before, after);
        pp.target_features.current = Some(after);
    }
}

fn current(pp: &Preprocessor<'_>) -> X86Features {
    pp.target_features.current.unwrap_or_else(|| from_command_line(pp))
}

fn from_command_line(pp: &Preprocessor<'_>) -> X86Features {
    let mut set = if pp.options.target.no_sse == 0 { X86Features::BASELINE } else { X86Features(0) };
    for name in &pp.options.target.features {
        if let Some(Named::Known { all, .. }) = X86Features::named(name) {
            set.0 |= all.0;
        }
    }
    set
}

fn change(pp: &mut Preprocessor<'_>, before: X86Features, after: X86Features) {
    for &(_, name, own, _) in X86Features::TABLE {
        let (was, is) = (before.0 & own != 0, after.0 & own != 0);
        if was != is && !name.is_empty() {
            let symbol = pp.session.intern(name);
            let one = pp.session.intern("1");
            set(&mut pp.macros, symbol, is.then_some(one));
        }
    }
}

/// Defines the name as a number, or makes it undefined.
pub(super) fn set(macros: &mut MacroTable, name: Symbol, number: Option<Symbol>) {
    let Some(number) = number else { return macros.set_slot(name, 0) };
    let start = macros.bodies.len() as u32;
    let loc = base::Loc::NONE;
    macros.bodies.push(Token { kind: TokenKind::Number, flags: TokenFlags::default(), loc, payload: number.0 });
    let id = macros.add(Macro { used: true, system: true, body: (start, start + 1), ..Macro::object(name) });
    macros.set_slot(name, id);
}
