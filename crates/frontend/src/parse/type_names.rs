//! Type names (C23 6.7.8), as casts, `sizeof`, compound literals and specifiers have them.

use base::warning;
use platform::options::Standard;

use super::specifiers::{declaration_specifiers, is_specifier_keyword};
use super::{Parser, declarators};
use crate::lex::{Token, TokenKind};
use crate::sema::attributes::{self as sema_attributes, AttrTarget};
use crate::sema::lints;
use crate::sema::literal_storage::LiteralStorage;
use crate::tree::{QualType, Ty};

/// The token begins a type name.
pub fn starts_type_name(p: &mut Parser<'_, '_>) -> bool {
    let tok = p.tok;
    token_starts_type_name(p, tok)
}

/// `tok` begins a type name: `sizeof (`, a cast, a compound literal.
pub fn token_starts_type_name(p: &Parser<'_, '_>, tok: Token) -> bool {
    match tok.kind {
        TokenKind::Identifier => p.cx.typedef(tok.symbol()).is_some(),
        TokenKind::KwExtension => false,
        kind => is_specifier_keyword(kind),
    }
}

/// type-name where no alignment may be specified (C23 6.7.6 paragraph 2); `place` is gcc's word for
/// where.
pub fn unaligned_type_name(p: &mut Parser<'_, '_>, place: &str) -> QualType {
    let ty = type_name(p);
    reject_alignment(p, place);
    ty
}

/// type-name as written, with the names of typedefs.
pub fn written_type_name(p: &mut Parser<'_, '_>) -> QualType {
    type_name_of(p, false)
}

/// Reports an alignment in the type name just read.
pub fn reject_alignment(p: &mut Parser<'_, '_>, place: &str) {
    let (align, loc) = std::mem::take(&mut p.cx.type_name_align);
    if align != 0 {
        p.cx.error(loc, format!("alignment specified for type name in {place}"));
    }
}

/// type-name (C23 6.7.8). Bounds of variable-length arrays in it are left pending.
pub fn type_name(p: &mut Parser<'_, '_>) -> QualType {
    let ty = type_name_of(p, false);
    p.cx.unit.types.bare(ty)
}

/// The type name as written after a parenthesis that may belong to a compound literal: it may have
/// storage-class specifiers (C23 6.5.3.6), which
/// [`Sema::type_name_storage`](crate::sema::Sema::type_name_storage) takes.
pub fn literal_type_name(p: &mut Parser<'_, '_>) -> QualType {
    use TokenKind::*;
    let storage = matches!(p.tok.kind, KwStatic | KwRegister | KwThreadLocal | KwThread | KwConstexpr);
    if storage {
        let loc = p.tok.loc;
        p.cx.feature_of(Standard::C23, loc, "storage class specifiers in compound literals");
    }
    type_name_of(p, storage)
}

/// A type name, as written.
fn type_name_of(p: &mut Parser<'_, '_>, storage: bool) -> QualType {
    let ty = specifiers_and_declarator(p, storage);
    p.cx.note_used_type(ty);
    ty
}

fn specifiers_and_declarator(p: &mut Parser<'_, '_>, storage: bool) -> QualType {
    let specs = declaration_specifiers(p, storage);
    if storage {
        p.cx.type_name_storage = LiteralStorage::of(&mut p.cx, &specs);
    }
    p.cx.type_name_align = (specs.align, specs.loc);
    if !specs.has_type {
        if !specs.any {
            p.expected("type name");
            return Ty::ERROR.plain();
        }
        p.cx.pedwarn(warning::IMPLICIT_INT, specs.loc, "type defaults to 'int' in type name");
    }
    lints::specifiers_used(&mut p.cx, &specs, &[]);
    let collected = sema_attributes::collect(&mut p.cx, &specs.attrs, AttrTarget::Type);
    let mut ty = sema_attributes::apply_to_type(&mut p.cx, specs.ty, &collected, AttrTarget::Type, specs.loc);
    // An array of a type that is aligned so could not be: the array is meant.
    let array = p.at(TokenKind::LeftBracket);
    if collected.align != 0 && !array {
        ty = QualType::new(p.cx.unit.types.with_align(ty.ty(), collected.align), ty.quals());
    }
    if p.at(TokenKind::RightParen) {
        return ty;
    }
    let mut declarator = declarators::abstract_declarator(p);
    let attrs = std::mem::take(&mut declarator.attrs);
    let mut ty = declarators::apply(p, ty, &mut declarator).0;
    if collected.align != 0 && array {
        ty = QualType::new(p.cx.unit.types.with_align(ty.ty(), collected.align), ty.quals());
    }
    if attrs.is_empty() {
        return ty;
    }
    // Those in parentheses: `(void (__attribute__((ms_abi)) *)(int))p`.
    let collected = sema_attributes::collect(&mut p.cx, &attrs, AttrTarget::Type);
    sema_attributes::apply_to_type(&mut p.cx, ty, &collected, AttrTarget::Type, specs.loc)
}
