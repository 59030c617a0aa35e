//! Declarators (C23 6.7.7), concrete and abstract.
//!
//! A declarator is read into a list of [`Piece`]s in the order in which they apply to the
//! specifiers' type: `*a[3]` is "pointer, array of 3", read outwards from the name in reverse.
//! Suffixes and pointers are loops; only parentheses nest.

use base::{Loc, warning};
use platform::options::Standard;
use smallvec::SmallVec;

use super::parameters::{FunctionPiece, function_suffix};
use super::{Parser, attributes, expressions, specifiers, type_names};
use crate::lex::TokenKind;
use crate::sema::attributes::{self as sema_attributes, Attr, AttrTarget};
use crate::sema::conversions;
use crate::sema::derived_types::{self, Length};
use crate::tree::{Name, QualType, Quals};

/// A declarator as read.
#[derive(Default)]
pub struct Declarator<'a> {
    /// Declared name, absent in abstract declarators.
    pub name: Option<Name>,
    /// Derivations, in the order they apply.
    pub pieces: Vec<Piece<'a>>,
    /// Attributes after the name and inside parentheses.
    pub attrs: Vec<Attr>,
}

/// One derivation.
pub enum Piece<'a> {
    /// `* qualifiers`
    Pointer {
        /// Qualifiers.
        quals: Quals,
        /// Attributes after the `*`.
        attrs: Vec<Attr>,
        /// Location of the `*`.
        loc: Loc,
    },
    /// `[ ... ]`
    Array {
        /// Length.
        len: Length<'a>,
        /// Qualifiers inside the brackets: of the pointer a parameter becomes.
        quals: Quals,
        /// `static` or qualifiers were there, which only a parameter's outermost array may have.
        parameter_only: bool,
        /// `static` was there.
        is_static: bool,
        /// Where the length begins, and the closing bracket.
        text: (Loc, Loc),
        /// Location of the bracket.
        loc: Loc,
    },
    /// `( ... )`
    Function(FunctionPiece<'a>),
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// A name must come.
    Named,
    /// No name may come.
    Abstract,
    /// Parameter: either.
    Either,
}

/// declarator
pub fn declarator<'a>(p: &mut Parser<'_, 'a>) -> Declarator<'a> {
    let mut out = Declarator::default();
    parse(p, Mode::Named, &mut out);
    hand_on_attributes(p, &mut out);
    out
}

/// abstract-declarator, possibly empty
pub fn abstract_declarator<'a>(p: &mut Parser<'_, 'a>) -> Declarator<'a> {
    let mut out = Declarator::default();
    parse(p, Mode::Abstract, &mut out);
    out
}

/// declarator or abstract-declarator, as a parameter may have
pub fn parameter_declarator<'a>(p: &mut Parser<'_, 'a>) -> Declarator<'a> {
    let mut out = Declarator::default();
    parse(p, Mode::Either, &mut out);
    hand_on_attributes(p, &mut out);
    out
}

/// Attributes after the `*` next to the name that no type can have are the declared thing's: `char
/// *__attribute__((cleanup(f))) p`.
fn hand_on_attributes(p: &Parser<'_, '_>, declarator: &mut Declarator<'_>) {
    let last = declarator.pieces.iter_mut().rev().find_map(|piece| match piece {
        Piece::Pointer { attrs, .. } => Some(attrs),
        _ => None,
    });
    if let Some(attrs) = last.filter(|attrs| !attrs.is_empty()) {
        let (of_type, of_declaration) = std::mem::take(attrs)
            .into_iter()
            .partition(|attr| attr.standard || sema_attributes::is_of_types(p.cx.str(attr.name)));
        *attrs = of_type;
        declarator.attrs.extend::<Vec<Attr>>(of_declaration);
    }
}

/// `*`, its qualifiers and attributes, and its place.
type Pointer = (Quals, Vec<Attr>, Loc);

fn pointer_list(p: &mut Parser<'_, '_>) -> SmallVec<[Pointer; 2]> {
    let mut out = SmallVec::new();
    while p.at(TokenKind::Star) {
        let loc = p.tok.loc;
        p.bump();
        let mut quals = Quals::NONE;
        let mut attrs = Vec::new();
        loop {
            let qual = match { p.tok.kind } {
                TokenKind::KwConst => Quals::CONST,
                TokenKind::KwVolatile => Quals::VOLATILE,
                TokenKind::KwRestrict => Quals::RESTRICT,
                TokenKind::KwAtomic => Quals::ATOMIC,
                TokenKind::KwSegFs => Quals::SEG_FS,
                TokenKind::KwSegGs => Quals::SEG_GS,
                TokenKind::KwAttribute => {
                    attributes::gnu_attribute_sequence(p, &mut attrs);
                    continue;
                }
                TokenKind::LeftBracket if attributes::at_standard(p) => {
                    attributes::attribute_specifier_sequence(p, &mut attrs);
                    continue;
                }
                _ => break,
            };
            if qual == Quals::ATOMIC {
                p.cx.feature_of(Standard::C11, p.tok.loc, "the '_Atomic' qualifier");
            }
            quals = specifiers::add_qualifier(p, quals, qual, p.tok.loc);
            p.bump();
        }
        out.push((quals, attrs, loc));
    }
    out
}

fn add_pointers(out: &mut Declarator<'_>, pointers: SmallVec<[Pointer; 2]>) {
    out.pieces.extend(pointers.into_iter().rev().map(|(quals, attrs, loc)| Piece::Pointer { quals, attrs, loc }));
}

fn parse<'a>(p: &mut Parser<'_, 'a>, mode: Mode, out: &mut Declarator<'a>) {
    parse_outwards(p, mode, out);
    out.pieces.reverse();
}

/// A declarator whose pieces come in the order in which they apply to the name, so that those in
/// parentheses stay where they are.
fn parse_outwards<'a>(p: &mut Parser<'_, 'a>, mode: Mode, out: &mut Declarator<'a>) {
    let pointers = pointer_list(p);
    match { p.tok.kind } {
        TokenKind::Identifier if mode != Mode::Abstract => {
            out.name = Some(p.name());
            p.bump();
        }
        TokenKind::LeftParen if is_grouping(p, mode) => {
            if !p.enter() {
                return;
            }
            p.bump();
            let mut nested = Declarator::default();
            attributes::attribute_specifier_sequence(p, &mut nested.attrs);
            parse_outwards(p, mode, &mut nested);
            p.expect(TokenKind::RightParen);
            p.leave();
            out.name = nested.name;
            out.attrs.append(&mut nested.attrs);
            out.pieces = nested.pieces;
        }
        _ if mode == Mode::Named => {
            p.expected("identifier or '('");
            add_pointers(out, pointers);
            return;
        }
        _ => {}
    }
    let first = out.pieces.len();
    loop {
        match { p.tok.kind } {
            TokenKind::LeftBracket => {
                if attributes::at_standard(p) {
                    if out.pieces.len() > first {
                        attributes::type_attributes(p, &mut out.attrs);
                    } else {
                        attributes::attribute_specifier_sequence(p, &mut out.attrs);
                    }
                    continue;
                }
                let piece = array_suffix(p);
                out.pieces.push(piece);
            }
            TokenKind::LeftParen => {
                let piece = function_suffix(p);
                out.pieces.push(Piece::Function(piece));
            }
            _ => break,
        }
        if p.panicking {
            break;
        }
    }
    add_pointers(out, pointers);
}

/// `(` groups a declarator rather than beginning a parameter list.
fn is_grouping(p: &mut Parser<'_, '_>, mode: Mode) -> bool {
    if mode == Mode::Named {
        return true;
    }
    let next = p.peek();
    match next.kind {
        TokenKind::RightParen | TokenKind::Ellipsis => false,
        TokenKind::KwAttribute => !attribute_then_type(p),
        TokenKind::LeftBracket => !p.tokens.peek(1).is(TokenKind::LeftBracket),
        _ => !type_names::token_starts_type_name(p, next),
    }
}

/// After `(`: attributes followed by a type name, so that a parameter begins here.
fn attribute_then_type(p: &mut Parser<'_, '_>) -> bool {
    let mut distance = 0;
    while p.tokens.peek(distance).is(TokenKind::KwAttribute) {
        let mut level = 0u32;
        loop {
            distance += 1;
            match p.tokens.peek(distance).kind {
                TokenKind::LeftParen => level += 1,
                TokenKind::RightParen => level = level.saturating_sub(1),
                TokenKind::Eof => return false,
                _ => {}
            }
            if level == 0 {
                break;
            }
        }
        distance += 1;
    }
    let after = p.tokens.peek(distance);
    type_names::token_starts_type_name(p, after)
}

/// `[ static? qualifiers? expression-or-star? ]`
fn array_suffix<'a>(p: &mut Parser<'_, 'a>) -> Piece<'a> {
    let loc = p.tok.loc;
    p.bump();
    let mut quals = Quals::NONE;
    let mut parameter_only = false;
    let mut is_static = false;
    loop {
        let qual = match { p.tok.kind } {
            TokenKind::KwStatic => Quals::NONE,
            TokenKind::KwConst => Quals::CONST,
            TokenKind::KwVolatile => Quals::VOLATILE,
            TokenKind::KwRestrict => Quals::RESTRICT,
            TokenKind::KwAtomic => Quals::ATOMIC,
            _ => break,
        };
        is_static |= p.at(TokenKind::KwStatic);
        if qual == Quals::ATOMIC {
            p.cx.feature_of(Standard::C11, p.tok.loc, "the '_Atomic' qualifier");
        }
        quals = quals.with(qual);
        parameter_only = true;
        p.bump();
    }
    if parameter_only {
        p.cx.feature_of(Standard::C99, loc, "'static' or type qualifiers in parameter array declarators");
    }
    let start = p.tok.loc;
    let len = match { p.tok.kind } {
        TokenKind::RightBracket if is_static => {
            p.expected("expression");
            Length::None
        }
        TokenKind::RightBracket => Length::None,
        TokenKind::Star if p.peek().is(TokenKind::RightBracket) => {
            p.cx.feature_of(Standard::C99, loc, "'[*]' array declarators");
            p.bump();
            p.unspecified_length = true;
            Length::Star
        }
        _ => {
            let expr = expressions::assignment_expression(p);
            Length::Expr(conversions::rvalue(&mut p.cx, expr))
        }
    };
    let text = (start, p.tok.loc);
    p.expect(TokenKind::RightBracket);
    Piece::Array { len, quals, parameter_only, is_static, text, loc }
}

/// The type a declarator makes of `base`, and its outermost parameter list.
pub fn apply<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
) -> (QualType, Option<FunctionPiece<'a>>) {
    apply_pieces(p, base, declarator, false)
}

/// As [`apply`], of a parameter's declarator.
pub fn apply_parameter<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
) -> (QualType, Option<FunctionPiece<'a>>) {
    apply_pieces(p, base, declarator, true)
}

fn apply_pieces<'a>(
    p: &mut Parser<'_, 'a>,
    base: QualType,
    declarator: &mut Declarator<'a>,
    parameter: bool,
) -> (QualType, Option<FunctionPiece<'a>>) {
    let mut ty = base;
    let mut last_function = None;
    let count = declarator.pieces.len();
    let name = declarator.name;
    for (index, piece) in std::mem::take(&mut declarator.pieces).into_iter().enumerate() {
        let outermost = index + 1 == count;
        last_function = None;
        match piece {
            Piece::Pointer { quals, attrs, loc } => {
                ty = p.cx.pointer_to(ty).plain();
                if quals.has(Quals::RESTRICT) && !specifiers::restrict_allowed(p, ty) {
                    p.cx.error(loc, "invalid use of 'restrict'");
                }
                ty = ty.with(quals);
                if !attrs.is_empty() {
                    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Type);
                    ty = sema_attributes::apply_to_type(&mut p.cx, ty, &collected, AttrTarget::Type, loc);
                }
            }
            Piece::Array { len, parameter_only, loc, .. } => {
                if parameter_only && !(parameter && outermost) {
                    p.cx.error(loc, "static or type qualifiers in non-parameter array declarator");
                }
                ty = derived_types::array_type(&mut p.cx, ty, len, name, parameter, outermost, loc);
            }
            Piece::Function(piece) => {
                // The function that is defined may have a prototype from before: it is looked at
                // later.
                let defined = outermost && p.at(TokenKind::LeftBrace);
                if !piece.prototype && piece.identifiers.is_empty() && !defined {
                    let at = name.map_or(piece.loc, |name| name.loc);
                    p.cx.warn(warning::STRICT_PROTOTYPES, at, "function declaration isn't a prototype");
                }
                let FunctionPiece { params, variadic, prototype, loc, .. } = &piece;
                ty = derived_types::function_type(&mut p.cx, ty, params, *variadic, *prototype, name, *loc);
                last_function = Some(piece);
            }
        }
    }
    (ty, last_function)
}
