//! `#if`, `#ifdef`, `#elif`, `#else`, `#endif` and the groups they leave out.
//!
//! Skipped groups never reach the tokeniser: [`skip`] looks for lines that begin with `#` only. A
//! file whose whole text is one `#ifndef X` (or `#if !defined X`) group is remembered with its
//! guard, and costs nothing when it is included again while `X` is defined.

use base::{Loc, Symbol, warning};

use super::{Preprocessor, directives, expression, macros};
use crate::lex::{Token, TokenKind, names};

/// An open conditional.
pub(super) struct Conditional {
    loc: Loc,
    /// The directive that opened it or, after `#else`, `else`.
    kind: Kind,
    /// The group around it is skipped.
    was_skipping: bool,
    /// A group was taken already: all others are skipped.
    taken: bool,
    /// The guard of the file, if this conditional may enclose all of it.
    guard: Option<Symbol>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Else,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::If => "if",
            Kind::Ifdef => "ifdef",
            Kind::Ifndef => "ifndef",
            Kind::Elif => "elif",
            Kind::Else => "else",
        }
    }
}

/// Opens a conditional whose first group is skipped if `skip`; answers `skip`.
fn push(pp: &mut Preprocessor<'_>, loc: Loc, kind: Kind, skip: bool, guard: Option<Symbol>) -> bool {
    let guard = guard.filter(|_| pp.buf.mi_valid && pp.buf.mi_guard.is_none());
    pp.conditionals.push(Conditional { loc, kind, was_skipping: false, taken: !skip, guard });
    skip
}

/// `#ifdef` and `#ifndef`. All functions here answer whether a group to be skipped follows.
pub(super) fn ifdef(pp: &mut Preprocessor<'_>, loc: Loc, negated: bool) -> bool {
    let directive = if negated { "ifndef" } else { "ifdef" };
    let kind = if negated { Kind::Ifndef } else { Kind::Ifdef };
    let Some(name) = macros::macro_name(pp, directive, false) else { return push(pp, loc, kind, true, None) };
    let defined = is_defined(pp, name.symbol());
    let guard = negated.then_some(name.symbol());
    directives::expect_end(pp, directive);
    push(pp, loc, kind, defined == negated, guard)
}

/// Whether a name is defined; marks its macro as used.
pub(super) fn is_defined(pp: &mut Preprocessor<'_>, name: Symbol) -> bool {
    let Some(id) = pp.macros.defined(name) else { return false };
    let first = !std::mem::replace(&mut pp.macros.macros[id as usize].used, true);
    if first {
        super::output::macro_used(pp, id);
    }
    true
}

/// `#if`
pub(super) fn if_(pp: &mut Preprocessor<'_>, loc: Loc) -> bool {
    let value = expression::evaluate(pp, "if");
    push(pp, loc, Kind::If, !value.is_true, value.guard)
}

/// A conditional inside a skipped group.
fn nested(pp: &mut Preprocessor<'_>, loc: Loc, kind: Kind) -> bool {
    pp.conditionals.push(Conditional { loc, kind, was_skipping: true, taken: true, guard: None });
    true
}

/// The innermost conditional of the current file, or an error about a directive without one.
fn innermost<'p>(pp: &'p mut Preprocessor<'_>, loc: Loc, directive: &str) -> Option<&'p mut Conditional> {
    if pp.conditionals.len() <= pp.buf.conditional_base {
        pp.session.error(loc, format!("#{directive} without #if")).emit();
        return None;
    }
    pp.conditionals.last_mut()
}

fn began_here(pp: &Preprocessor<'_>) -> Loc {
    pp.conditionals.last().map_or(Loc::NONE, |conditional| conditional.loc)
}

/// `#else`; `skipping` says whether the group before it was skipped.
pub(super) fn else_(pp: &mut Preprocessor<'_>, loc: Loc, skipping: bool) -> bool {
    let Some(conditional) = innermost(pp, loc, "else") else { return skipping };
    let twice = conditional.kind == Kind::Else;
    conditional.kind = Kind::Else;
    conditional.guard = None;
    let skip = conditional.was_skipping || conditional.taken;
    let nested = conditional.was_skipping;
    conditional.taken = true;
    if twice {
        let began = began_here(pp);
        pp.session.error(loc, "#else after #else").note(began, "the conditional began here").emit();
    }
    if !nested {
        directives::expect_end_warning(pp, "else", warning::ENDIF_LABELS);
    }
    skip
}

/// `#elif` and its relatives.
pub(super) fn elif(pp: &mut Preprocessor<'_>, loc: Loc, name: Symbol, skipping: bool) -> bool {
    let directive = pp.session.str(name);
    let Some(conditional) = innermost(pp, loc, directive) else { return skipping };
    let after_else = conditional.kind == Kind::Else;
    if !after_else {
        conditional.kind = Kind::Elif;
    }
    conditional.guard = None;
    let (nested, taken) = (conditional.was_skipping, conditional.taken);
    if after_else {
        let began = began_here(pp);
        let message = format!("#{directive} after #else");
        pp.session.error(loc, message).note(began, "the conditional began here").emit();
    }
    if nested || taken {
        return true;
    }
    if name != names::ELIF && pp.options.dialect.standard < crate::lex::Standard::C23 {
        let message = format!("#{directive} before C2X is a GCC extension");
        pp.session.pedwarn(warning::PEDANTIC, loc, message).emit();
    }
    let value = match name {
        names::ELIF => expression::evaluate(pp, "elif").is_true,
        _ => match macros::macro_name(pp, directive, false) {
            Some(token) => {
                let defined = is_defined(pp, token.symbol());
                directives::expect_end(pp, directive);
                defined == (name == names::ELIFDEF)
            }
            None => false,
        },
    };
    if let Some(conditional) = pp.conditionals.last_mut() {
        conditional.taken = value;
    }
    !value
}

/// Whether an `#elif` met now would have its condition evaluated.
pub(super) fn awaits_condition(pp: &Preprocessor<'_>) -> bool {
    pp.conditionals.len() > pp.buf.conditional_base
        && pp.conditionals.last().is_some_and(|c| !c.was_skipping && !c.taken && c.kind != Kind::Else)
}

/// `#endif`
pub(super) fn endif(pp: &mut Preprocessor<'_>, loc: Loc, skipping: bool) -> bool {
    // Another conditional follows or precedes: the file is not guarded, unless this is the guard's
    // own end.
    pp.buf.mi_valid = false;
    let Some(conditional) = innermost(pp, loc, "endif") else { return skipping };
    let nested = conditional.was_skipping;
    if !nested {
        directives::expect_end_warning(pp, "endif", warning::ENDIF_LABELS);
    }
    let Some(conditional) = pp.conditionals.pop() else { return skipping };
    if conditional.guard.is_some() && pp.conditionals.len() == pp.buf.conditional_base {
        pp.buf.mi_valid = true;
        pp.buf.mi_guard = conditional.guard;
    }
    conditional.was_skipping
}

/// Passes over a group that is left out, up to the directive that ends it, which is obeyed. The
/// lexer is at the beginning of a line.
pub(super) fn skip(pp: &mut Preprocessor<'_>) {
    loop {
        if !pp.buf.lexer.skip_to_directive() {
            return;
        }
        pp.buf.lexer.in_directive = true;
        pp.state.in_directive = true;
        let name = pp.buf.lexer.next();
        // Conditions are expanded also where the output has only what directives make.
        let prevent = std::mem::replace(&mut pp.state.prevent_expansion, u32::from(pp.buf.precompiled));
        let skipping = directive_in_skipped_group(pp, name);
        pp.state.prevent_expansion = prevent;
        pp.state.in_directive = false;
        pp.buf.lexer.end_directive();
        if !skipping {
            return;
        }
    }
}

pub(super) fn directive_in_skipped_group(pp: &mut Preprocessor<'_>, name: Token) -> bool {
    if !name.is(TokenKind::Identifier) {
        return true;
    }
    match name.symbol() {
        names::IF => nested(pp, name.loc, Kind::If),
        names::IFDEF => nested(pp, name.loc, Kind::Ifdef),
        names::IFNDEF => nested(pp, name.loc, Kind::Ifndef),
        names::ELSE => else_(pp, name.loc, true),
        names::ELIF => elif(pp, name.loc, names::ELIF, true),
        names::ELIFDEF | names::ELIFNDEF if directives::knows_elifdef(pp) => elif(pp, name.loc, name.symbol(), true),
        names::ENDIF => endif(pp, name.loc, true),
        _ => true,
    }
}

/// At the end of a file: reports the conditionals it left open.
pub(super) fn close_all(pp: &mut Preprocessor<'_>) {
    while pp.conditionals.len() > pp.buf.conditional_base {
        if let Some(open) = pp.conditionals.pop() {
            pp.session.error(open.loc, format!("unterminated #{}", open.kind.name())).emit();
        }
    }
}
